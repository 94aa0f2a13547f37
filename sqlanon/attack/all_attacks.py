"""All attacks that can be made with what the caller has given, each summed up and compared with what is
tolerated.

`sqlanon.attacks()` lists them, and what their macros say of their parameters decides which apply: an attack
that is added there is made here, too, without a change of this file.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from shlex import quote
from typing import Any

import duckdb
from sqlglot import exp

from sqlanon.attack.intersection import Formats, Unknown, columns_compared
from sqlanon.attack.known import EXACT_COVER, INTERSECTION, Known, attack_query, under_names
from sqlanon.attack.lacking import left_out, with_every_qi
from sqlanon.attack.located import Located
from sqlanon.attack.possible_values import register_possible_values
from sqlanon.attack.shared import Needed, Shared, compared, made_by
from sqlanon.attack.two_readings import remark_of
from sqlanon.core import comments, statements
from sqlanon.core.answer import Names, naming_tables
from sqlanon.core.connection import connection_first
from sqlanon.core.deadline import Deadline
from sqlanon.core.errors import InputError, SqlanonError, UnreadWarning, UseError
from sqlanon.core.files import after, column_names
from sqlanon.core.library import ensure_registered
from sqlanon.core.plugins import ensure_plugged
from sqlanon.core.release import Progress
from sqlanon.core.remarks import warn
from sqlanon.core.source import Source, by_name, fresh_name, lower, named, names
from sqlanon.core.statements import (
    Rows,
    at_home,
    call,
    count,
    execute,
    literal,
    relation,
    render,
    select,
)
from sqlanon.core.suggestions import missing_column, no_measure, suggestion
from sqlanon.core.tables import WorkTables, in_transaction

SUMMARY = ("id", "measure", "value", "unit", "low", "high")
PEOPLE = "people"
# In percent, as breaches has them if nothing else is said: confidences (1 / possible values), and
# probabilities.
LEVELS = (100, 50, 25, 10)
SURE = (99, 95, 90)
LATE = "not finished in time"
MOOT = "is not about such releases: "  # how an attack refuses releases, as sqlanon._moot says
LOCATING = {"targets", "id", "qi", "hierarchies", "nearest", "formats", "unknown"}  # what it depends on
# Macros that have a twin, _<macro>_of_located, for targets who are located already.
WITH_LOCATED = {"breaches", "exact_cover", "linking"}
FEW_RUNS = 2  # as fast by themselves
COMPARING = {"releases", "qi", "hierarchies", "weight", "formats"}  # what comparing classes depends on
# Macros that have a twin, _<macro>_of_compared, for two releases whose classes are compared already; and
# those that have one, _<macro>_of_attacked, for one release where the intersection attack was made, with what
# the twin takes; unless something is given of which the answer depends otherwise.
WITH_COMPARED = {"complementary_release", "correspondence", "insert_only", "unsorted_matching"}
WITH_ATTACKED = {"breaches": ("truth", "unit", "levels", "sure"), "exact_cover": ("id", "truth", "unit")}
NOT_ALONE = ("negations", "priors", "exact_cover", "weight")


@dataclass(frozen=True)
class Quicker:
    """The measures of a run by queries that are planned faster than the one that is shown. alone: what
    always works; with_located: where targets are located already, of attacks that have such a query; needed:
    relations that other runs may need, too, and with_needed: where these are made, given their names.
    in_one: releases of which that holds where nobody is in several classes. rated: who is counted (people,
    classes), where the queries give rates, from which the measures of all runs are worked out at once; None
    where they give the measures.
    """

    alone: exp.Select | None = None
    with_located: Callable[[Located], exp.Select] | None = None
    needed: Needed | None = None
    with_needed: Callable[[list[str]], exp.Select] | None = None
    in_one: Sequence[str] = ()
    rated: str | None = None

    def query(self, located: Located | None, shared: Shared) -> exp.Select:
        """The query, by what is made already."""
        assert self.alone is not None
        may_share = not self.in_one or (located is not None and located.is_in_one(self.in_one))
        if may_share and self.needed and self.with_needed and (before := shared.of(self.needed)):
            return self.with_needed(before)
        return self.with_located(located) if located and self.with_located else self.alone


@dataclass(frozen=True)
class Run:
    """An attack on some of the releases. reason: why it does not apply; None if it does, and query gives its
    measures then, as somebody would write it. refusal: a quick query that fails for some of what the attack
    refuses; premise: one that says why what the attack supposes of the releases is not so.
    on_people: does it look people up by their quasi-identifiers? on_pairs: is it made on every two
    releases, by what is said of all of them? compared: the columns in which it compares people with releases
    of any kind; reads_hierarchies: does it take hierarchies?
    """

    attack: str
    subject: str
    numbers: Sequence[int]
    releases: Sequence[str]
    sensitive: str | None
    reason: str | None
    query: exp.Select | None
    on_people: bool
    on_pairs: bool
    is_sampled: bool
    refusal: exp.Select | None = None
    premise: exp.Select | None = None
    is_moot: bool = False
    compared: Sequence[str] = ()
    reads_hierarchies: bool = False
    quicker: Quicker = Quicker()

    def __str__(self) -> str:
        return ": ".join([self.attack, ", ".join(self.releases)][: 2 if self.releases else 1])


@dataclass(frozen=True)
class Outcome:
    """What a run has come to: status, the reason or the error's text, and rows with the columns SUMMARY.
    supposing: why what the attack supposes is not so, if it is not."""

    run: Run
    status: str
    reason: str | None
    rows: Sequence[tuple[Any, ...]] = ()
    supposing: str | None = None

    @property
    def is_moot(self) -> bool:
        """Was there nothing to be attacked: too few releases, or such as the attack is not about?"""
        return self.run.is_moot or (self.reason or "").startswith(MOOT)

    @property
    def finds_nobody(self) -> bool:
        """Is none of the people that it looks up located, or, with labels that nobody reads, learned of?"""
        values = {id: value for id, _, value, *_ in self.rows}
        nothing_learned = self.reason is not None and values.get("learned") == 0
        nowhere = values.get("located_in_all") == 0 or values.get("located_in_none") == 100
        return self.run.on_people and (nowhere or nothing_learned)


@connection_first
def run_attacks(
    con: duckdb.DuckDBPyConnection,
    releases: Iterable[Source] | Mapping[str, Source],
    qi: Names | None = None,
    sensitive: Names | None = None,
    hierarchies: Source = None,
    *,
    targets: Source = None,
    id: str | None = None,
    truth: Names | None = None,
    controls: str | None = None,
    nearest: bool | Iterable[bool] = False,
    presence: Names | None = None,
    unit: str | None = None,
    weight: str | None = None,
    formats: Formats | None = None,
    unknown: Unknown = None,
    negations: Source = None,
    priors: Source = None,
    priors_by: Names | None = None,
    unchanged: Names | None = None,
    values_may_change: Names | None = None,
    distinct_spellings: Names | None = None,
    missing_counts: bool = False,
    parameters: Mapping[str, Any] | None = None,
    attacks: Iterable[str] | None = None,
    tolerated: Mapping[str, float] | None = None,
    max_targets: int | None = None,
    seed: int = 1,
    progress: Progress | None = None,
) -> duckdb.DuckDBPyRelation:
    """Make every attack of `attacks` that applies, and sum each up: a row per attack, releases and measure.

    An attack on one release is made on each, one on two on each pair in their order, others on all together;
    on each sensitive column, and, where an attack can do without, on none (linking: whose row is it?).

    releases: a list, or a mapping from what each is called. qi to missing_counts: as in the attacks that
    take them, but a quasi-identifier that only some releases have is read as * in the others; truth is about
    sensitive. What is learned of one sensitive column is learned by the rows of all
    of them. Where an attack does not take what is said of the releases, or of cells of
    the targets (weight, formats, unknown and others), it does not apply. controls are left out of the targets
    of attacks that do not take them.
    parameters: what else attacks take, by 'attack.parameter', or by the parameter alone for all that cannot
    do without it ({'join_columns': 'disease', 'k': 5, 'minimality.l': 3}). attacks: only these. tolerated:
    the most of a measure, in its unit, by 'attack.id' ({'linking.certain': 5}). max_targets: so many of the
    targets (people with all their rows, where there is a unit) are attacked, drawn by seed, where an attack
    looks at each alone; intervals tell what that leaves open. What is tolerated must then hold up to their
    upper ends: 0 never does.

    Answer: attack, subject, status (done, does not apply, failed), reason (what is missing, the error, or why
    too little is found), releases, sensitive, sampled, id, measure, value, unit, low, high (as in
    attack_summary or breaches), people (how many of the subjects the value is), counted (what these are:
    people, or classes, rows and so on), tolerated, verdict (holds,
    fails, not known; NULL: nothing is stated, or there is nothing that the attack could be made on). An error
    ends the attack that has it, and no other. Warns (UnreadWarning) of labels that nobody
    understands, and of columns that releases lack or that are in no role. Errors: InputError for what is
    wrong whichever the attack, and in a transaction, which an error would end.
    """
    given = locals()
    ensure_registered(con)
    if in_transaction(con):
        raise InputError("run_attacks does not work in a transaction, which the error of an attack would end")
    types = types_of(con)
    for key in parameters or {}:
        check_parameter(key, types)
    with ExitStack() as stack:

        def name(source: Source, role: str) -> str:
            return stack.enter_context(named(con, source))

        of_attacks = {
            key: name(value, key) if types[key] == "table" and value is not None else value
            for key, value in with_levels(parameters or {}, tolerated or {}).items()
        }
        known = Known.of(given, by_name(releases), name, parameters=of_attacks)
        work = stack.enter_context(WorkTables(con))
        unused = left_out(con, known)
        known, lacking = with_every_qi(con, known, lambda name, query: render(work.make(name, query)))
        planned = runs(con, known, attacks, max_targets, seed)
        limits = dict(tolerated or {})
        check_tolerated(limits, {run.attack for run in planned})
        known = with_targets_located(con, work, known, planned)
        report = progress or (lambda done, message: None)
        outcomes = with_spellings(con, work, known, outcomes_of(con, known, planned, report, work))
        made = statements.table(fresh_name("run_attacks"))
        statements.execute(con, statements.create(made, judged(con, outcomes, limits, work), temporary=True))
    for said in [*lacking, *unused]:
        warn(said, UnreadWarning)
    _warn(outcomes)
    return statements.answer(con, statements.select(made))


def types_of(con: duckdb.DuckDBPyConnection) -> dict[str, str]:
    """The types of what attacks take besides releases: by attack.parameter, and by the parameter alone where
    an attack cannot do without it."""
    ensure_plugged(con)
    roles = call("_attack_roles").select("attack", "attacked", append=False)
    taken = select(call("_attack_parameters").subquery("taken"), "attack", "parameter", "type", "fallback")
    query = taken.join(roles.subquery("role"), using="attack").where("parameter <> attacked")
    types: dict[str, str] = {}
    for attack, parameter, type_, fallback in execute(con, query):
        types[f"{attack}.{parameter}"] = type_
        if fallback is None:
            types.setdefault(parameter, type_)
    return types


def check_parameter(name: str, types: Mapping[str, str]) -> None:
    """Errors: InputError for a parameter that no attack takes. types: as in types_of."""
    if name not in types:
        raise UseError(
            f"{name} is no parameter of an attack{suggestion(name, types)}; what an attack can do without is "
            "given with its name, such as minimality.l"
        )


def check_tolerated(tolerated: Mapping[str, Any], attacks: Collection[str]) -> None:
    """Errors: InputError for what is stated of no attack that is to be made, or of none of its measures, or
    is no bound."""
    for key, most in tolerated.items():
        attack, _, id = key.partition(".")
        if not id or attack not in attacks:
            raise UseError(
                f"tolerated: {key} is not the measure of an attack that is to be made"
                f"{suggestion(attack, attacks)}; write attack.measure, such as linking.certain"
            )
        measures = comments.measures(attack)
        if not measures.fullmatch(id):
            raise UseError(f"tolerated: {attack} {no_measure(id, measures.pattern)}")
        if isinstance(most, bool) or not isinstance(most, int | float) or not most >= 0:
            raise UseError(f"tolerated: {key} must be a number of at least 0, not {most!r}")


def with_levels(parameters: Mapping[str, Any], tolerated: Mapping[str, float]) -> dict[str, Any]:
    """The parameters of attacks, with which the levels that are tolerated are measured, besides the usual."""
    tolerated_levels: dict[str, list[float]] = {"sure": [], "pvp": []}
    for key in tolerated:
        attack, _, id = key.partition(".")
        if attack == INTERSECTION and (level := re.match(r"(sure|pvp)_(\d+(?:_\d+)?)", id)):
            tolerated_levels[level[1]].append(float(level[2].replace("_", ".")))
    levels = {
        f"{INTERSECTION}.{parameter}": sorted({*usual, *tolerated_levels[measure]}, reverse=True)
        for measure, parameter, usual in (("sure", "sure", SURE), ("pvp", "levels", LEVELS))
        if set(tolerated_levels[measure]) - set(usual)
    }
    return {**levels, **parameters}


def runs(
    con: duckdb.DuckDBPyConnection,
    known: Known,
    attacks: Iterable[str] | None = None,
    max_targets: int | None = None,
    seed: int = 1,
) -> list[Run]:
    """The runs of all attacks, or of those that are named. Errors: InputError for one that there is not."""
    _check(con, known)
    ensure_plugged(con)
    numbered = range(1, len(known.releases) + 1)
    planned = execute(
        con,
        call(
            "_attack_runs",
            known.given(),
            len(known.releases),
            list(known.sensitive),
            [number for number in numbered if known.nearest and known.nearest[number - 1]],
            [number for number in numbered if known.formats_of(number)],
        ),
    )
    rows = [dict(zip(planned.columns, row, strict=True)) for row in planned]
    listed = {row["attack"] for row in rows}
    wanted = listed if attacks is None else set(names(attacks, "attacks") or ())
    for attack in wanted - listed:
        raise UseError(f"{attack} is no attack{suggestion(attack, listed)}; sqlanon.attacks() lists them")
    if max_targets is not None and max_targets < 1:
        raise UseError(f"max_targets must be at least 1, not {max_targets}")
    sample = None
    if max_targets is not None and known.targets is not None:
        everybody: exp.Expression = relation(known.targets)
        if known.unit is not None:
            units = select(everybody, exp.column(known.unit, quoted=True)).distinct()
            everybody = exp.Subquery(this=units)
        [(people,)] = execute(con, count(everybody))
        sample = (max_targets, seed) if people > max_targets else None
    return [_run(known, row, sample) for row in rows if row["attack"] in wanted]


def with_all_there_is(planned: Iterable[Run]) -> list[Run]:
    """The runs, where everything is given that an adversary has: an attack that needs hierarchies, or
    columns to join by, has nothing to find where there are none."""
    needed = {f"needs {parameter}" for parameter in ("hierarchies", "join_columns")}
    return [replace(run, is_moot=True) if run.reason in needed else run for run in planned]


def _check(con: duckdb.DuckDBPyConnection, known: Known) -> None:
    """Errors: InputError for what does not fit together, and a column that no release has."""
    if not known.releases:
        raise UseError("releases names no release")
    for parameter, wanted, of in (
        ("nearest", len(known.releases), "release"),
        ("presence", len(known.releases), "release"),
        ("truth", len(known.sensitive), "sensitive column"),
    ):
        values = getattr(known, parameter)
        if values and not wanted:
            raise UseError(f"{parameter} needs sensitive")
        if values and len(values) != wanted:
            raise UseError(f"{parameter} must say one for each {of}: {wanted}, not {len(values)}")
    columns = [column for table in known.releases.values() for column in column_names(con, table)]
    of_releases = (key.lower() for key in known.formats if not key.lower().startswith("targets."))
    written = {key.rpartition(".")[2] for key in of_releases}
    needed = {"qi": [name for name in known.qi if name.lower() not in written], "sensitive": known.sensitive}
    for parameter, wanted_columns in needed.items():
        if problem := missing_column(wanted_columns, columns, "the releases"):
            raise UseError(f"{parameter}{problem}")


def _run(known: Known, row: Mapping[str, Any], sample: tuple[int, int] | None) -> Run:
    numbers, reason = row["numbers"], row["reason"]
    called = list(known.releases)
    takes_people = row["targets"] is not None and f"{row['attack']}.targets" not in known.parameters
    is_sampled = takes_people and row["targets"] == "some" and sample is not None
    query, quicker, refusal, premise = None, Quicker(), None, None
    if reason is None:
        query, quicker = _queries(known, row, sample if is_sampled else None, takes_people)
        shared = _shared(known, row) | _own(known, row)
        if row["premise"] is not None:
            about = (shared[name] for name in ("releases", "join_columns", "weight"))
            premise = call(row["premise"], *about)
        if row["refusal"] is not None:
            refusal = call(row["refusal"], *(shared[name] for name in ("releases", "sensitive", "weight")))
    return Run(
        row["attack"],
        row["subject"],
        numbers,
        [called[number - 1] for number in numbers],
        row["sensitive"],
        reason,
        query,
        on_people=takes_people and "qi" in row["takes"],
        on_pairs=row["releases"] == 2 and not _own(known, row),
        is_sampled=is_sampled,
        refusal=refusal,
        premise=premise,
        is_moot=row["is_moot"],
        compared=columns_compared(row["takes"], _own(known, row)) if takes_people else (),
        reads_hierarchies="hierarchies" in row["takes"],
        quicker=quicker,
    )


def _own(known: Known, row: Mapping[str, Any]) -> dict[str, Any]:
    """The parameters that are given for this attack, or for all that cannot do without them."""
    attack, given = row["attack"], known.parameters
    needed = {name: given[name] for name in row["needs"] if name in given}
    return needed | {name: given[key] for name in row["takes"] if (key := f"{attack}.{name}") in given}


def _queries(
    known: Known,
    row: Mapping[str, Any],
    sample: tuple[int, int] | None,
    takes_people: bool,
) -> tuple[exp.Select, Quicker]:
    """The measures of an attack, as somebody would write it, and quicker."""
    attack, own = row["attack"], _own(known, row)
    arguments = _shared(known, row) | own
    of_run: dict[str, Any] = {}
    for name in row["takes"]:
        value = arguments.get(name)
        if name in row["single"] and isinstance(value, list | tuple) and len(value) == 1:
            [value] = value
        of_run[name] = value
    relations: dict[str, exp.Query] = {}
    people = None
    if takes_people:
        people = people_attacked(known, row["takes"], row["numbers"][0], sample, of_run["targets"])
    if people is not None:
        of_run["targets"] = free_name("attacked_targets", known)
        relations[of_run["targets"]] = people
    for name in ("negations", "priors"):
        if (chosen := _of_run(known, row, name, of_run, people is not None)) is not None:
            of_run[name] = free_name(f"attacked_{name}", known)
            relations[of_run[name]] = chosen
    is_summed_up = row["summary"] == "attack_summary"
    macro = attack if is_summed_up else row["summary"]
    called = [list(known.releases)[number - 1] for number in row["numbers"]]

    unit = of_run.get("unit") if "id" in row["takes"] else None  # else a row is a person's, if about people
    has_controls = of_run.get("controls") is not None or row["home"] is not None
    counted = counted_in(row["subject"], row["weight"], known)
    rated = counted if is_summed_up and not has_controls else None

    def measures(query: exp.Select) -> exp.Select:
        if is_summed_up:
            query = summed_up(query, row["subject"], row["weight"], unit, counted)
            return after(exp.select(*SUMMARY).from_(query.subquery("measured")), relations)
        return after(query.select(*SUMMARY, append=False), relations)

    def quickly(query: exp.Select) -> exp.Select:
        if rated is None:
            return measures(query)
        rates = _of_answer("_rates_of_answer", row["subject"], row["weight"], unit)
        return after(rates.with_("attacked", as_=query), relations)

    def with_located(located: Located) -> exp.Select:
        before = located.before(called)
        return quickly(call(f"_{macro}_of_located", located_before=before, **of_run))

    def with_compared(before: list[str]) -> exp.Select:
        return quickly(call(f"_{macro}_of_compared", compared_before=before, **of_run))

    def with_attacked(before: list[str]) -> exp.Select:
        taken = {name: of_run.get(name) for name in WITH_ATTACKED[macro]}
        return quickly(call(f"_{macro}_of_attacked", attacked_before=before[0], **taken))

    def linked_by_all() -> Needed:
        """What all questions of linking in this release are answered by."""
        everything = {**of_run, "sensitive": list(known.sensitive), "truth": list(known.truth) or None}

        def query(located: Located | None = None) -> exp.Select:
            before = located and located.before(called)
            return after(call("_linked_by_all", located_before=before, **everything), relations)

        return made_by("linked", query)

    def with_linked(before: list[str]) -> exp.Select:
        return quickly(call("_linking_of_linked", before[0], of_run["id"], sensitive=row["sensitive"]))

    answer = at_home(call(macro, **of_run), row["home"])
    may_be_located = macro in WITH_LOCATED and not LOCATING & own.keys()
    shown = measures(answer)
    quicker = Quicker(quickly(answer), with_located if may_be_located else None, rated=rated)
    if macro in WITH_COMPARED and not known.weight and not COMPARING & own.keys():
        about = of_run["qi"], known.hierarchies, of_run["formats"]
        needed = compared(of_run["releases"], *about)
        return shown, replace(quicker, needed=needed, with_needed=with_compared)
    is_alone = len(called) == 1 and not any(of_run.get(name) for name in NOT_ALONE)
    if macro in WITH_ATTACKED and may_be_located and is_alone and not relations:
        in_one = called if macro == EXACT_COVER else ()
        needed = _attacked(of_run, called)
        return shown, replace(quicker, needed=needed, with_needed=with_attacked, in_one=in_one)
    if macro == "linking" and may_be_located and known.sensitive and not own:
        return shown, replace(quicker, needed=linked_by_all(), with_needed=with_linked)
    return shown, quicker


def _attacked(of_run: Mapping[str, Any], called: Sequence[str]) -> Needed:
    """What the intersection attack finds, in one release of that name."""
    left_out = {"releases", "exact_cover", *WITH_ATTACKED["breaches"]} - {"truth", "unit"}
    arguments = {name: value for name, value in of_run.items() if name not in left_out}
    releases = of_run["releases"]

    def query(located: Located | None = None) -> exp.Select:
        before = located and located.before(called)
        return attack_query(
            releases, {"exact_cover": False, **arguments}, with_unread=True, located_before=before
        )

    return made_by("attacked", query)


def summed_up(
    query: exp.Select, subject: str, weight: str | None, unit: str | None, counted: str
) -> exp.Select:
    """The measures of an attack's answer. subject, weight: as in `attacks`. unit: the column that says whose
    a row is, in answers about people. counted: as in counted_in."""
    summary = _of_answer("attack_summary", subject, weight, unit)
    if counted != PEOPLE:
        renamed = f"* replace (if(unit = '{PEOPLE}', '{counted}', unit) as unit)"
        summary = exp.select(renamed, dialect="duckdb").from_(summary.subquery("measured"))
    return summary.with_("attacked", as_=query)


def counted_in(subject: str, weight: str | None, known: Known) -> str:
    """What is counted in an attack's answer: people, or classes, rows and so on. subject, weight: as in
    `attacks`.

    The weight of a class is its rows, each somebody else's if nothing says that people may have several.
    Whoever compares rows counts rows, unless a row says how many people it stands for.
    """
    if subject == "person":
        return PEOPLE
    if weight is None:
        return "classes" if subject == "class" else f"{subject}s"
    are_people = known.weight is not None or (subject == "class" and known.unit is None)
    return PEOPLE if are_people else "rows"


def _of_answer(macro: str, subject: str, weight: str | None, unit: str | None) -> exp.Select:
    """A call of attack_summary, or of a macro like it, on the relation `attacked`."""
    return call(macro, "attacked", weight=weight, unit=unit if subject == "person" else None)


def _with_measures(
    con: duckdb.DuckDBPyConnection, made: Sequence[tuple[Outcome, Rows | None]]
) -> list[Outcome]:
    """The outcomes, with the measures of those that have rates."""
    measured: dict[int, list[tuple[Any, ...]]] = {}
    rated = []
    for run, (_, rates) in enumerate(made):
        if rates is not None:
            place = rates.columns.index("is_control")
            of_people = (row for row in rates if not row[place])
            row = next(of_people, (None,) * len(rates.columns))  # none where nobody was attacked
            rated.append({**dict(zip(rates.columns, row, strict=True)), "run": run})
    if rated:  # as parameters, a list for each column, so that numbers stay what they are
        unnest = exp.Anonymous(this="unnest", expressions=[exp.Placeholder()])
        columns = [exp.alias_(unnest.copy(), name) for name in rated[0]]
        query = call("_measures_of_runs", "rate")
        query = query.with_("rate", as_=exp.Select().select(*columns, copy=False))
        place = SUMMARY.index("unit")
        for run, *measure in execute(con, query, [[each[name] for each in rated] for name in rated[0]]):
            if measure[place] == PEOPLE:
                measure[place] = made[run][0].run.quicker.rated
            measured.setdefault(run, []).append(tuple(measure))
    return [replace(outcome, rows=measured.get(run, outcome.rows)) for run, (outcome, _) in enumerate(made)]


def _of_run(
    known: Known, row: Mapping[str, Any], name: str, of_run: Mapping[str, Any], is_of_some: bool
) -> exp.Select | None:
    """What negations or priors say of the column and the people of a run, where they say more; or None.

    is_of_some: not all targets are attacked. Who is no target at all stays, and is an error.
    """
    conditions: list[exp.Expression] = []
    if of_run.get(name) is None:
        return None
    if len(known.sensitive) > 1:
        about = exp.Lower(this=exp.cast(exp.column("sensitive"), "text"))
        conditions.append(exp.EQ(this=about, expression=literal(row["sensitive"].lower())))
    by_id = name == "negations" or (known.id or "").lower() in lower(of_run["priors_by"] or ())
    if is_of_some and known.id is not None and known.targets is not None and by_id:
        id = exp.column(known.id, quoted=True)
        attacked, others = (
            exp.In(this=id.copy(), query=select(relation(table), id.copy()).subquery())
            for table in (of_run["targets"], known.targets)
        )
        conditions.append(exp.Or(this=attacked, expression=exp.Not(this=others)))
    return select(relation(of_run[name])).where(*conditions) if conditions else None


def free_name(name: str, known: Known) -> str:
    """The name, or one like it if a table has it."""
    tables = [
        *known.releases.values(), known.targets, known.hierarchies, known.negations, known.priors,
        *known.parameters.values(),
    ]  # fmt: skip
    return name if name not in {str(table).strip('"').lower() for table in tables} else fresh_name(name)


def _shared(known: Known, row: Mapping[str, Any]) -> dict[str, Any]:
    """What is the same for every attack that takes it, as this run takes it."""
    numbers, sensitive = row["numbers"], row["sensitive"]
    tables = [list(known.releases.values())[number - 1] for number in numbers]
    several = row["releases_together"]
    joined = [*known.sensitive, *known.unchanged]
    if row["attacked"] == "tables":
        tables = under_names(known.releases)
    arguments = known.arguments() | {
        row["attacked"]: tables if several else tables[0],
        "sensitive": sensitive,
        "controls": known.controls,
        "missing_counts": known.missing_counts or None,
        "unchanged": [name for name in joined if name.lower() != (sensitive or "").lower()] or None,
        **dict.fromkeys(("truth", "nearest", "presence", "exact_cover")),
    }
    if known.history is not None and row["attack"] not in WITH_LOCATED | {INTERSECTION}:
        arguments["qi"] = [name for name in known.qi if name != known.history]
        if len(numbers) == 1:
            called = list(known.releases)[numbers[0] - 1]
            arguments["targets"] = known.as_of.get(called, known.targets)
    if known.truth and sensitive is not None and "targets" in row["takes"]:
        arguments["truth"] = [known.truth[list(known.sensitive).index(sensitive)]]
    if any(known.nearest):
        of_centroids = [known.nearest[number - 1] for number in numbers]
        arguments["nearest"] = of_centroids if several else of_centroids[0]
    if known.presence and several:
        arguments["presence"] = [known.presence[number - 1] for number in numbers]
    written = known.formats_together(numbers) if several else known.formats_of(numbers[0])
    arguments["formats"] = written or None
    return arguments


def people_attacked(
    known: Known, takes: Collection[str], number: int, sample: tuple[int, int] | None = None,
    targets: str | None = None,
) -> exp.Select | None:  # fmt: skip
    """The targets of an attack, where these are not all: those who are in the release of a number, if an
    attack does not take presence; without controls, if it does not take these; and of them a sample. targets:
    in place of those of all attacks."""

    def says(column: str, parameter: str) -> exp.Expression:
        cell = exp.column(column, quoted=True)
        called = exp.Anonymous(this="_says", expressions=[cell, literal(parameter)])
        return exp.Dot(this=exp.to_identifier("sqlanon"), expression=called)

    conditions: list[exp.Expression] = []
    takes_controls = "controls" in takes
    if known.controls is not None and not takes_controls:
        conditions.append(exp.Not(this=says(known.controls, "controls")))
    if known.presence and "presence" not in takes:
        is_there = says(known.presence[number - 1], "presence")
        if known.controls is not None and takes_controls:
            is_there = exp.Or(this=is_there, expression=says(known.controls, "controls"))
        conditions.append(is_there)
    if known.targets is None or not (conditions or sample):
        return None
    people = select(relation(targets or known.targets)).where(*conditions)
    if sample is not None and known.id is not None:
        size, seed = sample
        # all rows of somebody, or none: what a person gives away depends on how many they are
        who = exp.cast(exp.column(known.unit or known.id, quoted=True), "text")
        drawn = exp.Anonymous(this="hash", expressions=[who, literal(seed)])
        order = exp.Alias(this=drawn, alias=exp.to_identifier("drawn"))
        chosen = select(exp.Subquery(this=people), order).distinct().order_by("drawn").limit(size)
        people = people.where(exp.In(this=drawn.copy(), query=exp.Subquery(this=chosen)))
    return people


def located_once(con: duckdb.DuckDBPyConnection, work: WorkTables, known: Known) -> Located | None:
    """Where the targets are, for all attacks. None where each attack has to locate them: cells of targets are
    known in part, rows have a weight, or something is wrong, which each attack says in words of its own."""
    in_part = known.unknown or any(key.lower().startswith("targets.") for key in known.formats)
    if known.targets is None or not known.qi or known.weight or in_part or in_transaction(con):
        return None
    tables = list(known.releases.values())
    query = call(
        "_located_in_all", tables, known.targets, list(known.qi), known.hierarchies,
        list(known.nearest) or [False] * len(tables),
        known.formats_together(range(1, len(tables) + 1)) or None,
    )  # fmt: skip
    located = Located(con, work, list(known.releases), query)
    with suppress(SqlanonError):
        return located if located.located else None
    return None


def with_targets_located(
    con: duckdb.DuckDBPyConnection, work: WorkTables, known: Known, planned: Iterable[Run]
) -> Known:
    """What is known, and where the targets are, if many runs look them up."""
    looked_up = sum(run.quicker.with_located is not None for run in planned)
    return replace(known, located=located_once(con, work, known)) if looked_up > FEW_RUNS else known


def outcomes_of(
    con: duckdb.DuckDBPyConnection,
    known: Known,
    planned: Sequence[Run],
    progress: Progress,
    work: WorkTables,
    unread: Unread | None = None,
    deadline: Deadline | None = None,
) -> list[Outcome]:
    """Make the runs, one after the other, and sum them up. The error of one is its outcome. work: for what
    several of them need; unread: if it is known already. deadline: runs that are not finished by then fail.
    """
    to_make = [run for run in planned if run.reason is None]
    if unread is None:
        unread = Unread(
            con, known, sorted({number for run in to_make if run.on_people for number in run.numbers})
        )
    by_exact_cover = known.parameters.get(f"{INTERSECTION}.exact_cover")
    if by_exact_cover or any(run.attack == EXACT_COVER for run in to_make):
        register_possible_values(con)
    needed = [run.quicker.needed for run in to_make if run.quicker.needed]
    # in a transaction the error of what is made for all of them would end it
    shared = Shared(work, [] if needed and in_transaction(con) else needed, known.located)
    refused: dict[str, SqlanonError | None] = {}  # some attacks refuse the same
    done = 0
    made: list[tuple[Outcome, Rows | None]] = []  # with rates that are to be summed up
    for run in planned:
        if run.query is None or run.reason is not None:
            made.append((Outcome(run, "does not apply", run.reason), None))
            continue
        if deadline is not None and deadline.stop():
            made.append((late(run), None))
            continue
        progress(done / len(to_make), str(run))
        done += 1
        try:
            with naming_tables(con, {name: called for called, name in known.releases.items()}):
                if run.refusal is not None:
                    _refuse(con, run.refusal, refused)
                rows = execute(con, run.quicker.query(known.located, shared))
            blind = [unread.remark(number) for number in run.numbers] if run.on_people else []
            if run.compared:
                by = known.hierarchies if run.reads_hierarchies else None
                blind += [unread.remark(number, run.compared, by) for number in run.numbers]
        except SqlanonError as error:
            reason = " ".join(getattr(error, "message", str(error)).split())
            status = "does not apply" if reason.startswith(MOOT) else "failed"
            made.append((Outcome(run, status, reason), None))
        except KeyboardInterrupt:
            if deadline is None or not deadline.stop():
                raise
            made.append((late(run), None))
        else:
            why_blind = "; ".join(text for text in blind if text) or None
            rates = rows if run.quicker.rated else None
            supposed = None if run.premise is None else next(iter(execute(con, run.premise)), None)
            supposing = None if supposed is None else with_names(supposed[0], known)
            outcome = Outcome(run, "done", why_blind, () if rates is not None else rows, supposing)
            made.append((outcome, rates))
        if run.quicker.needed:
            shared.done(run.quicker.needed)
    return _with_measures(con, made)


def late(run: Run) -> Outcome:
    """What a run has come to that was not finished in time."""
    return Outcome(run, "failed", LATE)


def with_spellings(
    con: duckdb.DuckDBPyConnection, work: WorkTables, known: Known, outcomes: Sequence[Outcome]
) -> list[Outcome]:
    """The outcomes, those by intersection with what is not known because of values that are spelled alike."""

    def remark_on(outcome: Outcome) -> str:
        several = outcome.run.attack in (INTERSECTION, "exact_cover") and len(outcome.run.releases) > 1
        if not several or outcome.status != "done" or in_transaction(con):
            return ""
        if "said" not in made:
            made["said"] = remark_of(con, known)
        return made["said"]

    made: dict[str, str] = {}
    return [
        replace(outcome, reason="; ".join(filter(None, [outcome.reason, said])))
        if (said := remark_on(outcome))
        else outcome
        for outcome in outcomes
    ]


def with_names(text: str, known: Known) -> str:
    """A text that names releases by what they are called, not by their tables."""
    for called, name in known.releases.items():
        text = text.replace(f" {name} ", f" {called} ")
    return text


def _refuse(
    con: duckdb.DuckDBPyConnection, query: exp.Select, refused: dict[str, SqlanonError | None]
) -> None:
    """Run a query that may refuse releases, once. refused: what became of those that were run."""
    text = render(query)
    if text not in refused:
        refused[text] = None
        try:
            execute(con, text)
        except SqlanonError as error:
            refused[text] = error
    if problem := refused[text]:
        raise problem


class Unread:
    """The labels of some releases that nobody understands, read when they are first needed.

    Releases are called by their numbers. There is no label to read at centroids. is_any: if it is known that
    there is none, none is looked for.
    """

    def __init__(
        self, con: duckdb.DuckDBPyConnection, known: Known, numbers: Iterable[int], is_any: bool = True
    ) -> None:
        self.con, self.known, self.is_any = con, known, is_any
        self.compared: dict[tuple[Any, ...], list[tuple[Any, ...]]] = {}
        called = list(known.releases)
        self.numbers = [
            number for number in numbers
            if not (known.nearest and known.nearest[number - 1])
            and (known.located is None or called[number - 1] in known.located.unread)
        ]  # fmt: skip

    def query(self) -> exp.Select:
        """The call for all of them, which counts them from 1."""
        known, tables = self.known, list(self.known.releases.values())
        return call(
            "unread_labels", [tables[number - 1] for number in self.numbers], known.targets,
            qi=list(known.qi), hierarchies=known.hierarchies,
            formats=known.formats_together(self.numbers) or None, unknown=list(known.unknown) or None,
        )  # fmt: skip

    @functools.cached_property
    def rows(self) -> list[tuple[Any, ...]]:
        return execute(self.con, self.query()) if self.numbers and self.is_any else []

    def of(self, number: int) -> list[tuple[Any, ...]]:
        """The unread labels of a release: attribute, label, rows, why, format."""
        if number not in self.numbers:
            return []
        place = self.numbers.index(number) + 1
        return [row[1:] for row in self.rows if row[0] == place]

    def of_any_kind(
        self, number: int, columns: Sequence[str], hierarchies: str | None
    ) -> list[tuple[Any, ...]]:
        """The unread labels in columns of a release of any kind, by hierarchies, if there are any: as in
        `of`."""
        key = (number, hierarchies, *columns)
        if key not in self.compared:
            query = call(
                "unread_labels", list(self.known.releases.values())[number - 1], self.known.targets,
                qi=list(columns), hierarchies=hierarchies, of_any_kind=True,
            )  # fmt: skip
            self.compared[key] = [row[1:] for row in execute(self.con, query)]
        return self.compared[key]

    def remark(self, number: int, columns: Sequence[str] = (), hierarchies: str | None = None) -> str:
        """A remark on the unread labels of a release, or nothing. columns: that people are compared in with
        a release of any kind, by hierarchies, if there are any."""
        unread = self.of_any_kind(number, columns, hierarchies) if columns else self.of(number)
        if not unread:
            return ""
        column, label = unread[0][:2]
        cells = sum(row[2] for row in unread)
        release = list(self.known.releases)[number - 1]
        sentence = (
            f"{release}: nobody understands {len(unread):,} of its values, in {cells:,} cells, "
            f"such as {label} in {column}: too little is found"
        )
        written = {row[0]: row[4] for row in unread if row[4] is not None}
        options = " ".join(f"--formats {quote(f'{name}={format}')}" for name, format in written.items())
        where = "" if self.known.located is None else f"sqlanon register map REGISTER {quote(release)} "
        return f"{sentence}; this would read such labels: {where}{options}" if options else sentence


def judged(
    con: duckdb.DuckDBPyConnection,
    outcomes: Sequence[Outcome],
    tolerated: Mapping[str, float],
    work: WorkTables,
) -> exp.Select:
    """All measures with what is tolerated of them, and verdicts. The query reads a work table."""
    made = work.make("measured", call("_no_measures"))
    rows = [
        (
            i, run.attack, run.subject, outcome.status, outcome.reason, outcome.is_moot, outcome.supposing,
            list(run.releases), run.sensitive, run.is_sampled, place, *measured,
        )
        for i, outcome in enumerate(outcomes) for run in [outcome.run]
        for place, measured in enumerate(outcome.rows or [(None,) * len(SUMMARY)])
    ]  # fmt: skip
    if rows:  # as parameters, a list for each column: to read them as literals takes several times as long
        columns = [list(values) for values in zip(*rows, strict=True)]
        each = exp.Anonymous(this="unnest", expressions=[exp.Placeholder()])
        unnested = exp.Select().select(*(each.copy() for _ in columns), copy=False)
        execute(con, exp.insert(unnested, made), columns)
    return call("_judged_attacks", work.name("measured"), dict(tolerated))


def _warn(outcomes: Sequence[Outcome]) -> None:
    for reason in dict.fromkeys(outcome.reason for outcome in outcomes if outcome.status == "done"):
        if reason is not None:
            warn(reason, UnreadWarning)
