"""Choosing a release: what several methods give away and lose for several k, side by side.

chosen = sqlanon.frontier(con, "people", ["age", "zip"], "disease", k=[2, 5, 10])
chosen.df()
chosen.page().write("frontier.html")
"""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb
from sqlglot import exp

from sqlanon.anonymize.methods import method_of_name, releases_centroids
from sqlanon.core.by_column import Weights, in_order
from sqlanon.core.connection import connection_first
from sqlanon.core.errors import InputError, SqlanonError, UseError
from sqlanon.core.files import column_names
from sqlanon.core.library import ensure_registered
from sqlanon.core.made_table import MadeTable
from sqlanon.core.plugins import ensure_plugged, plug_ins
from sqlanon.core.printing import progress_of
from sqlanon.core.release import Progress, Release
from sqlanon.core.remarks import message_of
from sqlanon.core.requirements import complete
from sqlanon.core.source import Source, fresh_name, lower, named, names
from sqlanon.core.statements import (
    answer,
    call,
    count,
    create,
    execute,
    named_table,
    relation,
    select,
    table,
    union_all,
)
from sqlanon.core.suggestions import missing_column
from sqlanon.core.tables import WorkTables
from sqlanon.judge.evidence import Released, Subjects
from sqlanon.judge.verdicts import Judge
from sqlanon.measure import plugged, practice
from sqlanon.measure.trained import Trial, check_target, put_aside
from sqlanon.pages.frontier_page.choices import LOSSES, RISKS, name_of
from sqlanon.policies import policy as policies
from sqlanon.policies import schema
from sqlanon.policies.parsing import parameters_of
from sqlanon.policies.policy import Policy

if TYPE_CHECKING:
    from sqlanon.pages.frontier_page import FrontierPage

METHODS = ("mondrian", "optimal", "k_similar")
KS = (2, 5, 10, 25)
SUPPRESSION_LIMIT = 0.02  # as first policies propose it for methods of hierarchies
TIME_LIMIT = 15.0
LARGE = 200_000  # rows: of a table with more, samples are measured
SAMPLES, SAMPLE = 3, 20_000  # so many, of so many rows

NEEDS_SENSITIVE = ("guess_gain", "sure_90", "forecast")


@dataclass(frozen=True, repr=False)
class Frontier(MadeTable):
    """Choices that were made and measured. It is data (.df(), .pl(), .arrow(), .relation()), and in a
    notebook a picture.

    table: its name. risk, loss: the columns by which choices are compared. limits: what methods got beside
    roles and requirements, by method. con: the connection that has it. told: why they are compared by this
    loss, and of how many rows they were made, where these are not all.
    """

    table: str
    risk: str
    loss: str
    limits: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    con: duckdb.DuckDBPyConnection | None = field(default=None, compare=False)
    told: Sequence[str] = ()

    @cached_property
    def rows(self) -> list[dict[str, Any]]:
        """The rows of the table."""
        found = self.relation()
        return [dict(zip(found.columns, row, strict=True)) for row in found.fetchall()]

    def page(self, subject: str = "", command: str | None = None) -> FrontierPage:
        """The picture and the table as a page. subject: what is chosen for; command: what makes a choice once
        its method and k are added.

        Errors: InputError where the extra `report` is not installed, or there is nothing to draw.
        """
        from sqlanon.pages.frontier_page import make

        return make(self, subject, command)

    def _repr_html_(self) -> str:
        from sqlanon.pages.frontier_page import in_notebook

        return in_notebook(self)

    def __str__(self) -> str:
        front = [name_of(row) for row in self.rows if row["dominated"] is False]
        best = "; ".join(front) or "none"
        in_short = f"{len(self.rows)} choices by {self.risk} and {self.loss}; nothing dominates: {best}"
        return ". ".join((in_short, *self.told))


@connection_first  # type: ignore[arg-type]  # con could be among requirements
def frontier(
    con: duckdb.DuckDBPyConnection,
    source: Source,
    qi: str | Iterable[str] | None = None,
    sensitive: str | Iterable[str] | None = None,
    hierarchies: Source = None,
    *,
    policy: Policy | str | os.PathLike[str] | None = None,
    k: int | Iterable[int] = KS,
    methods: str | Iterable[str] = METHODS,
    population: Source = None,
    unit: str | None = None,
    suppression_limit: float | None = None,
    time_limit: float = TIME_LIMIT,
    weights: Weights | None = None,
    risk: str | None = None,
    loss: str | None = None,
    queries: int = 1000,
    seed: int = 1,
    held_out: Source = None,
    estimator: Any = None,
    target: str | None = None,
    sample: bool | None = None,
    progress: Progress | bool | None = None,
    **requirements: Any,
) -> Frontier:
    """Anonymize a table by several methods and for each k, measure every release, and compare them.

    Roles, hierarchies and requirements are those of a policy (one that is loaded, or its file) or of the
    call; k takes the place of the policy's. A method has the policy's own parameters if it is the policy's
    method. suppression_limit: of methods of hierarchies alone (generalize, optimal, samarati, datafly); 0.02
    if neither the call nor the policy says it. time_limit: seconds after which `optimal` takes the best so
    far. weights: by column, how much it is to be spared (Mondrian cuts it finer, `optimal` and others weigh
    their measure); gcp is weighted likewise; those of the policy, if not said. queries, seed: of the random
    range counts. held_out: raw rows of people who are not in the table, with its columns, for
    prediction_error and model_loss. progress: as in the functions that anonymize, and shown on terminals and
    in notebooks if it is not False. unit, and all else, as there.

    estimator, target: a model with fit and score, such as scikit-learn's, and the column that it predicts
    from the quasi-identifiers: as numbers (an interval is its midpoint), or a category each (of a set one is
    drawn, by seed). target is sensitive, or is kept unchanged. A quarter of the people, by seed, is put aside
    before any release is made, unless held_out is given; the model is trained on each release, and tested on
    their original rows.

    sample: True measures every choice by three samples of 20,000 rows, all different people, in place of all
    rows; None does that if there are more than 200,000; False never. With all rows the same k loses less.

    The answer has a row per choice, in the order of methods and k:
    - method, k: NULL of a method that has none (`anatomize`, which needs l).
    - sensitive, guess_gain, guess_right, guess_baseline: everybody of the table is attacked with the release,
      by the intersection attack: for how many percent of the people the most probable value is the true one,
      for how many it is the most frequent one of all, and how much more that is; of the sensitive column of
      which an adversary gains most.
    - sure_90, sure_90_baseline: of how many percent they are at least 90 % sure, with the release and
      without it.
    - forecast: of how many percent only the true value is expected to be left once one more release comes
      out that is made independently (`expected_breaches`).
    - reidentification: one divided by the people of the smallest class.
    - gcp, query_error (the mean, in percent), suppressed (rows, in percent): as `utility` measures them. gcp
      is NULL where it does not say what is lost: released numbers are no values of the table
      (`microaggregate`), or which sensitive value a row has (`anatomize`).
    - prediction_error: for how many percent of the people held out a classifier that is trained on the
      release predicts the sensitive column wrong (100 less accuracy, as `utility` measures it), of the column
      where it is wrong most often.
    - model_loss: 1 less the score of the estimator that was trained on the release, divided by its score when
      it was trained on the original; less than 0 where the release happens to teach more.
    - seconds: how long the release took.
    - verdict: what the judge says of the release by itself, by what the policy tolerates: holds, fails or not
      known. NULL where it tolerates nothing.
    - dominated: is another choice at least as good in risk and loss, and better in one? dominated_by: which
      one. NULL for a choice that does not exist, or of which one of both was not measured.
    - risk_interval, loss_interval: [low, high] of risk and loss, from samples: all other numbers are then
      means. Of gcp, query_error and suppressed the high end is an upper bound of what all rows lose, and the
      low end 0; that of a risk is about tables of this size. NULL where all rows were used.
    - reason: why there is no release, what was not measured, or what else there is to know.

    risk: guess_gain (without sensitive columns reidentification), sure_90, forecast or reidentification.
    loss: gcp, query_error, suppressed, prediction_error, model_loss, or a measure of yours (`plug_in`) of
    which less is better; these are further columns, over all quasi-identifiers. Not said, it is model_loss
    with an estimator, gcp otherwise, or query_error where a choice has no gcp (a remark says so). Where there
    are several sensitive columns each risk is that of the column for which it is highest.

    A refusal is a row: no release satisfies what is required, or the method does not take it. Errors:
    InputError for what no method could do (unknown columns, methods or measures, an empty table), SqlError.
    """
    ensure_registered(con)
    ks, chosen = ks_of(k), methods_of(methods)
    if risk is not None and risk not in RISKS:
        raise UseError(f"risk {schema.trouble(risk, schema.Key(str, '', choices=tuple(RISKS)))}")
    losses = (*LOSSES, *filter(plugged.is_loss, plug_ins("measure")))
    if loss is not None and (trouble := schema.trouble(loss, schema.Key(str, "", choices=losses))):
        raise UseError(f"loss {trouble}")
    if (estimator is None) != (target is None):
        raise UseError("estimator and target go together: the model, and the column that it predicts")
    if estimator is not None and not (hasattr(estimator, "fit") and hasattr(estimator, "score")):
        raise UseError("estimator has no fit and score: it is a model, such as those of scikit-learn")
    if loss == "model_loss" and estimator is None:
        raise UseError("loss model_loss needs estimator and target")
    ensure_plugged(con)
    complete(requirements)
    required = {name: value for name, value in requirements.items() if value is not None}
    with ExitStack() as stack:
        tell = stack.enter_context(progress_of(progress))
        name = stack.enter_context(named(con, source))
        called = source if isinstance(source, str) else "the source"
        work = stack.enter_context(WorkTables(con))
        if policy is not None:
            if qi is not None or sensitive is not None or hierarchies is not None or unit is not None:
                raise UseError("the policy says qi, sensitive, unit and hierarchies: leave them out")
            task = _of_policy(con, stack, work, name, called, policy, ks[0], population, required, weights)
        else:
            task = task_of_call(
                con, stack, name, called, qi, sensitive, hierarchies, population, unit, required
            )
            kept = [] if target is None or target.lower() in lower(task.sensitive) else [target]
            may_get = {"weights": weights, "keep": kept}
            task = replace(task, may_get={each: value for each, value in may_get.items() if value})
        in_order(task.may_get.get("weights"), task.qi, "weights", 1.0)  # are they of its columns?
        if not task.sensitive and risk in NEEDS_SENSITIVE:
            raise UseError(f"risk {risk} is about sensitive columns, of which none is named")
        others = None if held_out is None else stack.enter_context(named(con, held_out))
        if loss == "prediction_error" and (others is None or not task.sensitive):
            raise UseError("loss prediction_error needs held_out, and sensitive columns to be predicted")
        if target is not None:
            if problem := missing_column([target], column_names(con, name), called):
                raise UseError(f"target{problem}")
            check_target(target, task.qi, [*task.sensitive, *task.may_get.get("keep", [])])
        limits = {"suppression_limit": suppression_limit, "time_limit": time_limit}
        [(rows,)] = execute(con, count(relation(name)))
        is_sampled = rows > LARGE if sample is None else sample and rows > SAMPLES * SAMPLE
        parts = range(SAMPLES if is_sampled else 1)
        choices = [
            (method, each) for method in chosen for each in (ks if "k" in parameters_of(method) else [None])
        ]
        runs: list[_Run] = []
        for nth in parts:
            own = stack.enter_context(WorkTables(con))
            of_part = replace(task, is_sample=is_sampled)
            if is_sampled:
                drawn = own.make("sample", call("_every_nth", name, task.unit, rows // SAMPLE, which=[nth]))
                of_part = replace(of_part, table=drawn.name)
            trial = None
            if estimator is not None and target is not None:
                train, test = (
                    put_aside(con, own, of_part.table, task.unit, seed)
                    if others is None
                    else (of_part.table, others)
                )
                trial = Trial(con, estimator, target, task.qi, task.hierarchies, train, test, seed)
                of_part = replace(of_part, table=train)
            run = _Run(
                con, own, of_part, limits, {"queries": queries, "seed": seed, "held_out": others}, trial
            )
            runs.append(run)
            for place, (method, each) in enumerate(choices):

                def part(done: float, message: str, at: int = nth * len(choices) + place) -> None:
                    tell((at + done) / (len(choices) * len(parts)), message)

                run.add(place, method, each, part)
        axis = risk or ("guess_gain" if task.sensitive else "reidentification")
        every = [named_table(run.work.name("choices")) for run in runs]
        work.make("all_choices", union_all([select(each) for each in every]))
        remarks: list[str] = []
        by = loss or ("model_loss" if estimator is not None else "gcp")
        if loss is None and estimator is None:
            by, remarks = _loss_of_all(con, work.name("all_choices"))
        if is_sampled:
            numbers = [
                *RISKS,
                "guess_right",
                "guess_baseline",
                "sure_90_baseline",
                *LOSSES,
                *plug_ins("measure"),
            ]
            merged = call("_choices_of_samples", work.name("all_choices"), numbers, axis, by)
            work.make("all_choices", merged)
            remarks.append(
                f"By {SAMPLES} samples of about {rows // (rows // SAMPLE):,} of {rows:,} rows: all rows lose "
                "less, at most the high end of loss_interval; nothing bounds their risk, which sample=False "
                "(--all-rows) measures"
            )
        judged = _with_measures_of_others(work.name("all_choices"), [axis, by])
        made = fresh_name("frontier")
        execute(con, create(table(made), judged, temporary=True))
    return Frontier(made, axis, by, runs[0].limited, con, remarks)


def _loss_of_all(con: duckdb.DuckDBPyConnection, choices: str) -> tuple[str, list[str]]:
    """The loss that says of all choices what they lose: gcp, if it does; and why not, if not."""
    lacking = select(named_table(choices), "method").where("gcp is null and seconds is not null")
    methods = sorted({name for (name,) in execute(con, lacking)})
    if not methods:
        return "gcp", []
    return "query_error", [
        f"query_error compares all of them; gcp does not say what {' and '.join(methods)} lost"
    ]


def _with_measures_of_others(choices: str, axes: list[str]) -> exp.Select:
    """The choices as they compare; and columns for the measures that others have written."""
    judged = call("_judged_choices", choices, axes)
    names = [exp.column(name, quoted=True) for name in plug_ins("measure")]
    if not names:
        return judged
    own = select(named_table(choices), "method", "k", "place", *names).subquery("own")
    both = exp.select("judged.*", *names, dialect="duckdb").from_(judged.subquery("judged"))
    return both.join(own, using=["method", "k"]).order_by("place")


def ks_of(k: int | Iterable[int]) -> list[int]:
    ks = [k] if isinstance(k, int) else list(k)
    key = schema.REQUIREMENTS["k"]
    if trouble := next(filter(None, (schema.trouble(each, key) for each in ks)), None):
        raise UseError(f"k {trouble}")
    if not ks:
        raise UseError("k names no number")
    return sorted(set(ks))


def methods_of(methods: str | Iterable[str]) -> list[str]:
    chosen = [methods] if isinstance(methods, str) else list(methods)
    key = schema.METHOD["name"]
    if trouble := next(filter(None, (schema.trouble(each, key) for each in chosen)), None):
        raise UseError(f"method {trouble}")
    if not chosen:
        raise UseError(f"methods names no method: known are {', '.join(schema.METHODS)}")
    return list(dict.fromkeys(chosen))


@dataclass(frozen=True)
class Task:
    """What all choices have in common. given: what every method gets, or is refused for; may_get: what those
    get that take it; own: of one method alone. policy: whose bounds the judge looks at. Sources are names of
    tables.
    """

    table: str
    qi: list[str]
    sensitive: list[str]
    unit: str | None
    hierarchies: str | None
    given: Mapping[str, Any]
    may_get: Mapping[str, Any] = field(default_factory=dict)
    method: str | None = None
    own: Mapping[str, Any] = field(default_factory=dict)
    policy: Policy | None = None
    is_sample: bool = False

    def arguments(self, method: str, k: int | None, limits: Mapping[str, Any]) -> dict[str, Any]:
        """Of a method. k: None of one without. Errors: InputError for what it does not take, or lacks."""
        signature = inspect.signature(method_of_name(method)).parameters
        takes = parameters_of(method)
        given = {name: value for name, value in {**self.given, "k": k}.items() if value is not None}
        if refused := [name for name in given if name not in takes]:
            raise InputError(f"{refused[0]} is not for {method}")
        own = self.own if method == self.method else {}
        arguments = {
            **{name: value for name, value in self.may_get.items() if name in takes},
            **given,
            **own,
            **self._limits(takes, own, limits),
        }
        for name, parameter in signature.items():
            needed = parameter.default is parameter.empty and parameter.kind is not parameter.VAR_KEYWORD
            if needed and name not in {"con", "source", *arguments}:
                raise InputError(f"{method} needs {name}")
        return arguments

    def _limits(self, takes: set[str], own: Mapping[str, Any], limits: Mapping[str, Any]) -> dict[str, Any]:
        """What may be suppressed, by methods that do that for the sake of the others, and for how long one
        searches."""
        found: dict[str, Any] = {}
        if "time_limit" in takes and "time_limit" not in own:
            found["time_limit"] = limits["time_limit"]
        if "suppression_limit" in takes and "composed_l" not in self.given and "based_on" not in takes:
            stated = own.get("suppression_limit", self.own.get("suppression_limit", SUPPRESSION_LIMIT))
            limit = limits["suppression_limit"]
            found["suppression_limit"] = stated if limit is None else limit
        return found


def task_of_call(
    con: duckdb.DuckDBPyConnection,
    stack: ExitStack,
    name: str,
    called: str,
    qi: Any,
    sensitive: Any,
    hierarchies: Source,
    population: Source,
    unit: str | None,
    requirements: Mapping[str, Any],
) -> Task:
    """The task of a call without a policy."""
    columns, secret = names(qi, "qi") or [], names(sensitive, "sensitive") or []
    if not columns:
        raise UseError("give qi, the quasi-identifiers, or a policy")
    _check(con, name, called, {"qi": columns, "sensitive": secret, "unit": [unit] if unit else []})
    sources = {
        each: stack.enter_context(named(con, source))
        for each, source in (("hierarchies", hierarchies), ("population", population))
        if source is not None
    }
    roles = {"qi": columns, "sensitive": secret, "unit": unit}
    given = {each: value for each, value in roles.items() if value}
    # t_distance is always there, and requires nothing
    required = {
        each: value for each, value in requirements.items() if each != "t_distance" or "t" in requirements
    }
    return Task(name, columns, secret, unit, sources.get("hierarchies"), {**given, **sources, **required})


def _of_policy(
    con: duckdb.DuckDBPyConnection,
    stack: ExitStack,
    work: WorkTables,
    name: str,
    called: str,
    policy: Policy | str | os.PathLike[str],
    k: int,
    population: Source,
    requirements: Mapping[str, Any],
    weights: Weights | None = None,
) -> Task:
    """The task of a policy, whose hierarchies are made once."""
    if not isinstance(policy, Policy):
        path = Path(policy)
        policy = policies.read(path, {"requirements": {"k": k}})
    if policy.known is not None:
        raise policy.spelling.wrong("requirements.known", f' = "{policy.known}" is for publish')
    policy.check_columns(column_names(con, name), called)
    _check(con, name, called, {})
    roles, secret = policy.roles, policy.roles.get("sensitive", [])
    people = policies.of_policy(population, policy.population, "population")
    earlier = policies.of_policy(None, policy.based_on, "based_on")
    sources: dict[str, Any] = {
        "population": None if people is None else stack.enter_context(named(con, people)),
    }
    sources["hierarchies"] = policy.make_hierarchies(con, name, sources["population"], work)
    weights = policy.parameters.get("weights") if weights is None else weights
    spared = {} if weights is None else {"weights": weights}
    given = {
        "qi": roles["qi"], "sensitive": secret, "unit": policy.unit, **sources, **policy.requirements,
        **{name: policy.parameters.get(name) for name in ("strata", "household_qi")},
        "household": policy.household if policy.parameters.get("household_qi") else None,
        **requirements,
    }  # fmt: skip
    return Task(
        name,
        roles["qi"],
        secret,
        policy.unit,
        sources["hierarchies"],
        {each: value for each, value in given.items() if value not in ([], None)},
        {**({"keep": roles["keep"]} if roles.get("keep") else {}), **spared},
        policy.method,
        {**policy.parameters, **spared, **({} if earlier is None else {"based_on": earlier})},
        policy,
    )


def _check(
    con: duckdb.DuckDBPyConnection, name: str, called: str, roles: Mapping[str, Sequence[str]]
) -> None:
    """Are the columns there, and rows? Errors: UseError, InputError."""
    columns = column_names(con, name)
    for role, used in roles.items():
        if problem := missing_column(used, columns, called):
            raise UseError(f"{role}{problem}")
    if execute(con, count(relation(name))) == [(0,)]:
        raise InputError(f"{called} is empty")


def _over_all(measured: str) -> exp.Expression:
    """The value of a measure over all quasi-identifiers."""
    return select(named_table(measured), "any_value(value)").where("attribute is null").subquery()


class _Run:
    """The releases, one after the other: made, measured and dropped. What is found is the table `choices`."""

    def __init__(
        self,
        con: duckdb.DuckDBPyConnection,
        work: WorkTables,
        task: Task,
        limits: Mapping[str, Any],
        about_utility: Mapping[str, Any],
        trial: Trial | None = None,
    ) -> None:
        self.con, self.work, self.task, self.limits, self.trial = con, work, task, limits, trial
        self.limited: dict[str, dict[str, Any]] = {}
        self.about_utility = {**about_utility}
        if not task.sensitive:
            del self.about_utility["held_out"]
        self.id = fresh_name("person")
        number = exp.Alias(this=exp.Window(this=exp.RowNumber()), alias=exp.to_identifier(self.id))
        columns = [*task.qi, *task.sensitive, *([task.unit] if task.unit else [])]
        values: list[exp.Expression] = [exp.column(name, quoted=True) for name in columns]
        work.make("everybody", select(relation(task.table), number, *values))
        nothing = exp.select(
            "null::varchar as sensitive", "null::varchar as attribute", "null::varchar as id",
            "null::double as value",
        )  # fmt: skip
        work.make("nothing", nothing.where("false"))

    def add(self, place: int, method: str, k: int | None, progress: Progress) -> None:
        """Make a release, measure it, and add its row."""
        called = name_of({"method": method, "k": k})
        progress(0, called)
        reasons: list[str] = []
        try:
            arguments = self.task.arguments(method, k, self.limits)
            self.limited[method] = {name: arguments[name] for name in self.limits if name in arguments}
            with practice.under(self.task.policy.rules if self.task.policy else practice.Rules()):
                release: Release = method_of_name(method)(
                    self.con, self.task.table, **arguments,
                    progress=lambda done, message: progress(done * 0.5, f"{called}: {message}"),
                )  # fmt: skip
        except SqlanonError as error:
            self._insert(place, method, k, [message_of(error)], {})
            return
        made = named_table(release.table)
        self.work.discard_later(made)
        if release.details.get("open"):
            reasons.append(
                f"the search was stopped after {self.limits['time_limit']:g} s: there may be better"
            )
        measured: dict[str, str] = {}
        cut = self._lists(release.table)
        queries = self._measures(release.table, method, cut)
        for i, (measure, query) in enumerate(queries.items()):
            progress(0.5 + 0.5 * i / len(queries), f"{called}: {measure}")
            try:
                self.work.make(measure, query())
                measured[measure] = self.work.name(measure)
            except SqlanonError as error:
                reasons.append(f"{measure} was not measured: {message_of(error)}")
        if "utility" in measured and (weights := self.task.may_get.get("weights")):
            by_column = in_order(weights, self.task.qi, "weights", 1.0)
            weighted = call("_with_weighted_gcp", measured["utility"], self.task.qi, by_column)
            self.work.make("weighted", weighted)
            measured["utility"] = self.work.name("weighted")
        verdict = self._verdict(release, method, cut, reasons)
        trained = None
        if self.trial is not None:
            progress(0.99, f"{called}: model_loss")
            try:
                trained = self.trial.loss(release.table)
            except ValueError as error:  # ours, and those of estimators
                reasons.append(f"model_loss was not measured: {message_of(error)}")
        self._insert(place, method, k, reasons, measured, release, verdict, trained)
        execute(self.con, exp.Drop(this=made, tables=[made.copy()], kind="TABLE", exists=True))

    def _verdict(self, release: Release, method: str, cut: str | None, reasons: list[str]) -> str | None:
        """What the judge says of a release by itself; None where the policy tolerates nothing. cut: a column
        of which a row has several values."""
        task, policy = self.task, self.task.policy
        if policy is None or not policy.tolerated:
            return None
        if task.is_sample or cut is not None:
            reasons.append(f"the judge reads one {cut} a row" if cut else "the judge does not judge samples")
            return "not known"
        subjects = Subjects(task.table, task.qi, task.sensitive, task.unit, task.hierarchies)
        released = Released(
            "the release", release.table, task.qi, task.sensitive, releases_centroids(method),
            hierarchies=task.hierarchies, is_as_today=task.qi, suppressed_rows=release.suppressed_rows,
        )  # fmt: skip
        with WorkTables(self.con) as work:
            judge = Judge(
                self.con, work, subjects, [released], policy.tolerated, newest=released.name,
                accepted=policy.accepted,
            )  # fmt: skip
            made = judge.judgement(lambda done, message: None)
            work.discard_later(named_table(made.said))
        reasons += made.reasons[:1]
        return made.verdict

    def _measures(self, release: str, method: str, cut: str | None) -> dict[str, Callable[[], exp.Select]]:
        """The queries that measure a release. (A statement is built when it is needed: literals may be
        refused.)"""
        task = self.task
        about = {"qi": task.qi, "hierarchies": task.hierarchies}
        queries: dict[str, Callable[[], exp.Select]] = {}
        if task.sensitive:
            attacked = release if cut is None else self.work.name("read")
            queries["risk"] = lambda: call(
                "breaches", [attacked], targets=self.work.name("everybody"), id=self.id, **about,
                sensitive=task.sensitive, truth=task.sensitive, nearest=releases_centroids(method),
                unit=task.unit, sure=[90],
            )  # fmt: skip
        if task.sensitive and cut is None:
            queries["forecast"] = lambda: call("_expected_of_each", release, task.qi, task.sensitive)
        queries["utility"] = lambda: call(
            "utility", task.table, release, **about, sensitive=task.sensitive or None, **self.about_utility
        )
        given = {**about, "sensitive": task.sensitive or None, "unit": task.unit}
        for name, query in plugged.queries(task.table, release, given).items():
            queries[name] = lambda query=query: query  # type: ignore[misc]
        return queries

    def _lists(self, release: str) -> str | None:
        """The sensitive column of which a row has several values, where its original has one. `read` is then
        the release as an adversary reads it."""
        each = [exp.column(name, quoted=True) for name in self.task.sensitive]
        raw, released = (
            answer(self.con, select(relation(name), *each)).types if each else []
            for name in (self.task.table, release)
        )
        for name, was, now in zip(self.task.sensitive, raw, released, strict=True):
            if str(now) == f"{was}[]":
                self.work.make("read", call("_rows_of_lists", release, name))
                return name
        return None

    def _insert(
        self,
        place: int,
        method: str,
        k: int | None,
        reasons: Sequence[str],
        measured: Mapping[str, str],
        release: Release | None = None,
        verdict: str | None = None,
        trained: float | None = None,
    ) -> None:
        """Add the row of a choice. measured: the tables of what was measured."""
        risk, forecast, utility = (
            measured.get(measure, self.work.name("nothing")) for measure in ("risk", "forecast", "utility")
        )
        row = call(
            "_measured_choice", place, method, k, risk, forecast, utility,
            None if release is None else release.reached.get("k-anonymity"),
            None if release is None else release.seconds, self.task.unit is not None,
            "; ".join(reasons) or None, verdict, trained,
        )  # fmt: skip
        for name in plug_ins("measure"):
            found = _over_all(measured[name]) if name in measured else exp.null()
            value = exp.Alias(this=exp.cast(found, "double"), alias=exp.to_identifier(name, quoted=True))
            row = select(row.subquery("measured"), exp.Star(), value)
        if place == 0:
            self.work.make("choices", row)
        else:
            execute(self.con, exp.insert(row, table(self.work.name("choices"))))
