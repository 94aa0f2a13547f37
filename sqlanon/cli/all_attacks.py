"""Every attack that applies, on the command line: `sqlanon attack --kind all`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import typer

from sqlanon.attack.all_attacks import (
    Outcome,
    check_tolerated,
    judged,
    outcomes_of,
    runs,
    with_levels,
    with_targets_located,
)
from sqlanon.attack.intersection import assumption
from sqlanon.attack.known import INTERSECTION
from sqlanon.cli.app import BAD_DATA, FAILS
from sqlanon.cli.knowledge import known_in, parameters_in, policy_of
from sqlanon.cli.options import Given
from sqlanon.cli.steps import print_sql, tell_of_counts, tell_of_spellings
from sqlanon.cli.values import tolerated_in
from sqlanon.core.errors import UseError
from sqlanon.core.files import Session, after
from sqlanon.core.printing import Format, format_of, progress_bar, show
from sqlanon.core.remarks import remark
from sqlanon.core.statements import call, execute, select
from sqlanon.core.tables import WorkTables

ALL = "all"
EVERY_ROW = 10_000  # of a table for people
IN_PERCENT = (
    "round(certain, 1) as certain", "round(sure_90, 1) as sure",
    'round(coalesce("right", expected_right), 1) as "right"', "round(baseline, 1) as without",
)  # fmt: skip


def run_all(given: Given) -> None:
    """Make every attack that applies, and print what all have measured."""
    summary, format, sql = given.summary, given.format, given.sql
    if given.targets is not None and given.id is None:
        raise UseError("--targets needs --id: the column of it that says who somebody is, such as name")
    for name, file in given.of("negations priors").items():
        if file is not None and given.targets is None:
            raise UseError(f"--{name} needs --targets")
    of_probabilities, tolerated = tolerated_in("--tolerated", given.tolerated_measures)
    if of_probabilities:
        raise UseError("--tolerated: write ATTACK.MEASURE=MOST, such as intersection_attack.sure_90=5")
    policy = policy_of(given)
    with Session() as session, WorkTables(session.con) as work:
        known = known_in(session, given, policy)
        built_from = known.targets or list(known.releases.values())
        is_raw = known.targets is not None
        relations = policy.relations(built_from, None, is_raw=is_raw) if policy and sql else {}
        hierarchies = "hierarchies" if "hierarchies" in relations else None
        if policy and not sql:
            hierarchies = policy.make_hierarchies(session.con, built_from, None, work, is_raw=is_raw)
        parameters = parameters_in(session, given.settings)
        if given.exact_cover:
            parameters[f"{INTERSECTION}.exact_cover"] = True
        parameters = with_levels(parameters, tolerated)
        known = replace(known, hierarchies=hierarchies, parameters=parameters)
        planned = runs(session.con, known, None, given.max_targets)
        check_tolerated(tolerated, {run.attack for run in planned})
        if sql:
            print_sql(session, [after(run.query, relations) for run in planned if run.query is not None])
            return
        with progress_bar() as progress:
            known = with_targets_located(session.con, work, known, planned)
            outcomes = outcomes_of(session.con, known, planned, progress, work)
        answer = work.make("judged", judged(session.con, outcomes, tolerated, work))
        if any(run.attack == INTERSECTION and run.reason is None for run in planned):
            columns = given.of("attacked unchanged values_may_change").values()
            if assumed := assumption(len(given.releases), *(named or [] for named in columns)):
                remark(f"{INTERSECTION}: {assumed}")
        shown = select(answer) if summary else call("_attack_overview", work.name("judged"))
        in_short = not summary and format_of(format) is Format.table
        if in_short:  # what has been made, in a terminal's width; remarks say the rest
            columns_shown = ["attack", "sensitive as of", *IN_PERCENT]
            if len(known.releases) > 1:
                columns_shown.insert(1, "array_to_string(releases, ', ') as releases")
            if tolerated:
                columns_shown.insert(0, "verdict")
            shown = shown.select(*columns_shown, append=False, dialect="duckdb").where(
                "status <> 'does not apply' or verdict is not null"
            )
        words = None if summary else call("_overview_in_words", work.name("judged"))
        show(session.con, session.answer(shown), format, EVERY_ROW, words)
        if in_short:
            remark(
                "percent of the people, classes or rows: certain, 90 % sure, guessed right (as expected, if "
                "the truth is not given), and without the release; --format csv, json or markdown prints all"
            )
        _tell(outcomes)
        for release, table in known.releases.items():
            tell_of_counts(session, table, release, [*known.qi, *known.sensitive, known.weight or ""])
            of_people = [*known.qi, *known.sensitive]
            tell_of_spellings(session, table, release, of_people, known.distinct_spellings)
        reasons = (
            select(answer, "attack", "reason").where("status = 'done' and reason is not null").distinct()
        )
        for attack, reason in execute(session.con, reasons.order_by("attack", "reason")):
            remark(f"{attack}: {reason}")
        stated = select(answer, "attack", "id", "verdict").where("verdict in ('fails', 'not known')")
        violated = execute(session.con, stated.distinct().order_by("attack", "id"))
        for attack, id, verdict in violated:
            remark(f"{verdict}: {attack}.{id}")
    if code := _exit_code(outcomes, bool(violated)):
        raise typer.Exit(code)


def _tell(outcomes: Sequence[Outcome]) -> None:
    """Say why attacks have not been made, and what is no all-clear."""
    for status in ("does not apply", "failed"):
        messages = (f"{made.run}: {status}: {made.reason}" for made in outcomes if made.status == status)
        for line in dict.fromkeys(messages):
            remark(line)
    if any(outcome.status == "failed" for outcome in outcomes):
        remark("what a failed attack would find is not known: this is no all-clear")
    if not any(outcome.status == "done" for outcome in outcomes):
        remark("no attack has been made: this is no all-clear")


def _exit_code(outcomes: Sequence[Outcome], is_violated: bool) -> int:
    """Bad data where nobody was located, or an attack failed; a bound that is exceeded comes before that."""
    done = [outcome for outcome in outcomes if outcome.status == "done"]
    if not done or any(outcome.finds_nobody for outcome in done):
        return BAD_DATA
    if is_violated:
        return FAILS
    return BAD_DATA if any(outcome.status == "failed" for outcome in outcomes) else 0
