"""Every attack that applies, from the command line: `sqlanon attack --kind all`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import typer

from sqlanon.attack.all_attacks import (
    OF_COLUMNS,
    Known,
    Outcome,
    check_parameter,
    check_tolerated,
    judged,
    outcomes_of,
    runs,
    types_of,
    with_levels,
)
from sqlanon.attack.intersection import assumption
from sqlanon.cli.app import BAD_DATA, FAILS
from sqlanon.cli.attack_kinds import INTERSECTION, settings_in, value_of
from sqlanon.cli.options import check_nearest, formats_in
from sqlanon.cli.steps import check_columns, print_sql, read_knowledge, tell_of_counts, with_numbered_rows
from sqlanon.cli.values import tolerated_in
from sqlanon.core.errors import UseError
from sqlanon.core.files import Session, after, check_inputs
from sqlanon.core.printing import Format, format_of, progress_bar, show
from sqlanon.core.remarks import remark
from sqlanon.core.source import lower
from sqlanon.core.statements import call, execute, select
from sqlanon.core.tables import WorkTables
from sqlanon.core.text_files import Roles
from sqlanon.policies.parsing import Options
from sqlanon.policies.policy import Policy
from sqlanon.policies.policy import read as read_policy

ALL = "all"
EVERY_ROW = 10_000  # of a table for people


@dataclass(frozen=True)
class AtHand:
    """What the user gives. columns: qi, sensitive, truth, presence, priors_by, unchanged and
    values_may_change, if they are named.
    settings: what --set gives. knowledge: the files of negations and priors."""

    options: Options
    releases: Sequence[str]
    targets: str | None
    id: str | None
    columns: Mapping[str, list[str] | None]
    controls: str | None
    nearest: Sequence[str]
    formats: list[str] | None
    exact_cover: bool
    settings: list[str] | None
    tolerated: list[str] | None
    max_targets: int | None
    unknown: list[str] | None
    knowledge: Mapping[str, str | None]

    def named(self, *roles: str) -> list[str]:
        """The columns of these roles."""
        return [name for role in roles for name in self.columns[role] or ()]


def run_all(given: AtHand, summary: bool, format: Format | None, sql: bool) -> None:
    """Make every attack that applies, and print what all have measured."""
    check_nearest(given.nearest, given.releases)
    if given.targets is not None and given.id is None:
        raise UseError("--targets needs --id")
    for name, file in given.knowledge.items():
        if file is not None and given.targets is None:
            raise UseError(f"--{name} needs --targets")
    of_probabilities, tolerated = tolerated_in("--tolerated", given.tolerated)
    if of_probabilities:
        raise UseError("--tolerated: write ATTACK.MEASURE=MOST, such as intersection_attack.sure_90=5")
    policy = _policy(given)
    others = [given.targets, *given.knowledge.values()]
    check_inputs(*given.releases, *(file for file in others if file is not None))
    with Session() as session, WorkTables(session.con) as work:
        known = _known(session, given, policy)
        built_from = known.targets or list(known.releases.values())
        is_raw = known.targets is not None
        relations = policy.relations(built_from, None, is_raw=is_raw) if policy and sql else {}
        hierarchies = "hierarchies" if "hierarchies" in relations else None
        if policy and not sql:
            hierarchies = policy.make_hierarchies(session.con, built_from, None, work, is_raw=is_raw)
        parameters = with_levels(known.parameters, tolerated)
        known = replace(known, hierarchies=hierarchies, parameters=parameters)
        planned = runs(session.con, known, None, given.max_targets)
        check_tolerated(tolerated, {run.attack for run in planned})
        if sql:
            print_sql(session, [after(run.query, relations) for run in planned if run.query is not None])
            return
        with progress_bar() as progress:
            outcomes = list(outcomes_of(session.con, known, planned, progress))
        answer = work.make("judged", judged(session.con, outcomes, tolerated, work))
        if any(run.attack == INTERSECTION and run.reason is None for run in planned):
            columns = (given.named(name) for name in ("sensitive", "unchanged", "values_may_change"))
            if assumed := assumption(len(given.releases), *columns):
                remark(f"{INTERSECTION}: {assumed}")
        shown = select(answer) if summary else call("_attack_overview", work.name("judged"))
        if not summary and format_of(format) is Format.table:  # what has been made; remarks say the rest
            shown = shown.select("* exclude (reason)", append=False).where(
                "status <> 'does not apply' or verdict is not null"
            )
        show(session.con, session.answer(shown), format, EVERY_ROW)
        _tell(outcomes)
        for release, table in known.releases.items():
            tell_of_counts(session, table, release, [*known.qi, *known.sensitive, known.weight or ""])
        told = select(answer, "attack", "reason").where("status = 'done' and reason is not null").distinct()
        for attack, reason in execute(session.con, told.order_by("attack", "reason")):
            remark(f"{attack}: {reason}")
        stated = select(answer, "attack", "id", "verdict").where("verdict in ('fails', 'not known')")
        violated = execute(session.con, stated.distinct().order_by("attack", "id"))
        for attack, id, verdict in violated:
            remark(f"{verdict}: {attack}.{id}")
    if code := _exit_code(outcomes, bool(violated)):
        raise typer.Exit(code)


def _policy(given: AtHand) -> Policy | None:
    """Types of columns and hierarchies, as options say them; None where there are no quasi-identifiers."""
    if not given.columns["qi"]:
        return None
    roles = {**given.options.get("roles", {}), "sensitive": given.named("sensitive")}
    return read_policy(None, {**given.options, "roles": roles}, INTERSECTION)


def _known(session: Session, given: AtHand, policy: Policy | None) -> Known:
    """What is at hand, with tables that have been read; hierarchies come later."""
    types: Mapping[str, Any] = {} if policy is None else policy.types
    # nothing of them leaves: what is a number is read as one
    secret = {name: type_ for name, type_ in types.items() if name.lower() in lower(given.named("sensitive"))}
    roles = given.options.get("roles", {})
    unit, weight = roles.get("unit"), roles.get("weight")
    releases = {release: session.read(release, Roles(types=secret)) for release in given.releases}
    people = None
    if given.targets is not None:
        of_targets = {
            f"--{role.replace('_', '-')}": given.named(role)
            for role in ("qi", "truth", "presence", "priors_by")
        }
        for role, column in (("id", given.id), ("controls", given.controls), ("unit", unit)):
            of_targets[f"--{role}"] = [] if column is None else [column]
        unchanged = [name for role, named in of_targets.items() if role != "--qi" for name in named]
        qi = given.named("qi")
        of_raw = Roles(qi=qi, keep=unchanged) if policy is None else policy.raw(qi, keep=unchanged)
        people = session.read(given.targets, of_raw)
        check_columns(session, people, given.targets, of_targets)
        if given.id is not None and not any(given.knowledge.values()):
            people, id, unit = with_numbered_rows(session, people, given.targets, given.id, unit)
            given = replace(given, id=id)
    parameters = parameters_in(session, given.settings)
    if given.exact_cover:
        parameters[f"{INTERSECTION}.exact_cover"] = True
    knowledge = read_knowledge(session, given.knowledge, given.id, given.columns) if given.id else {}
    columns: dict[str, Any] = {role: given.named(role) for role in OF_COLUMNS}
    return Known(
        releases,
        **columns,
        targets=people,
        id=given.id,
        controls=given.controls,
        nearest=[release in given.nearest for release in given.releases],
        unit=unit,
        weight=weight,
        formats=formats_in(given.formats, given.releases, given.named("qi")),
        unknown=given.unknown or [],
        negations=knowledge.get("negations"),
        priors=knowledge.get("priors"),
        parameters=parameters,
    )


def parameters_in(session: Session, lines: list[str] | None) -> dict[str, Any]:
    """Parameters of attacks, as --set gives them. Errors: UseError, InputError."""
    settings = settings_in(lines)
    types = types_of(session.con) if settings else {}
    for name in settings:
        check_parameter(name, types)
    return {name: value_of(session, name, types[name], text) for name, text in settings.items()}


def _tell(outcomes: Sequence[Outcome]) -> None:
    """Say why attacks have not been made, and what is no all-clear."""
    for status in ("does not apply", "failed"):
        told = (f"{made.run}: {status}: {made.reason}" for made in outcomes if made.status == status)
        for line in dict.fromkeys(told):
            remark(line)
    if any(outcome.status == "failed" for outcome in outcomes):
        remark("what a failed attack would find is not known: this is no all-clear")
    if not any(outcome.status == "done" for outcome in outcomes):
        remark("no attack has been made: this is no all-clear")


def _exit_code(outcomes: Sequence[Outcome], is_violated: bool) -> int:
    """Bad data where nobody was located, or no attack could be made; otherwise, does all hold?"""
    done = [outcome for outcome in outcomes if outcome.status == "done"]
    if not done or any(outcome.finds_nobody for outcome in done):
        return BAD_DATA
    return FAILS if is_violated else 0
