"""Tables of counts and sums through the gate: made as [table] of a policy says, checked by what the published
table tells, and entered before they go out."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any

import duckdb
from sqlglot import exp

from sqlanon.core.connection import connection_first
from sqlanon.core.errors import RefusedError, UseError
from sqlanon.core.files import column_names
from sqlanon.core.library import ensure_registered
from sqlanon.core.release import Progress
from sqlanon.core.source import Source, named
from sqlanon.core.statements import call, count, execute, named_table, relation, select
from sqlanon.core.suggestions import missing_column
from sqlanon.core.tables import WorkTables
from sqlanon.judge.evidence import Doubt, Subjects
from sqlanon.judge.past import Accepted
from sqlanon.judge.together import (
    ATTACK,
    PERIODS,
    SOLVER_SECONDS,
    TOGETHER,
    Comparison,
    Counted,
    Together,
    more_may_follow,
)
from sqlanon.judge.verdicts import HOLDS, insert_comparisons, reasons_of, said_of
from sqlanon.policies.tables import TablePolicy, read_table
from sqlanon.publishing.acceptances import acceptance
from sqlanon.publishing.for_judge import counted, counted_rows, counts_to_compare, several_tables
from sqlanon.publishing.gate import check_place, fingerprint, out_goes, stem
from sqlanon.publishing.hiding import Hiding
from sqlanon.publishing.register import Entry, Register, opened
from sqlanon.tables.making import Making

SHOWN = 10  # cells, of those that should be hidden


@dataclass(frozen=True)
class TablePublication:
    """A table that has gone out, or that would (is_out: False, after a dry run).

    number: of its entry in the register. name, path: what it is called there, and where it went. cells,
    unsafe, hidden: how many cells it has, how many of them break a rule, and are hidden or changed. together:
    the names of what was out before, and was compared with it. verdicts: the name of a temporary table of
    what is said. remarks: what else there was to say.
    """

    is_out: bool
    number: int | None
    name: str
    path: Path
    cells: int
    unsafe: int
    hidden: int
    together: Sequence[str]
    verdicts: str
    remarks: Sequence[str]


@connection_first
def publish_table(
    con: duckdb.DuckDBPyConnection,
    source: Source,
    policy: TablePolicy | str | os.PathLike[str],
    *,
    register: str | os.PathLike[str],
    output: str | os.PathLike[str],
    name: str | None = None,
    period: str | None = None,
    accept: Mapping[str, str] | None = None,
    accepted_by: str | None = None,
    accepted_until: date | str | None = None,
    dry_run: bool = False,
    wait: float = 0,
    key_file: str | os.PathLike[str] | None = None,
    advises: bool = True,
    made: Callable[[Making], None] | None = None,
    progress: Progress | None = None,
) -> TablePublication:
    """Make a table of counts or sums as [table] of a policy says, and let it go out if no cell that breaks a
    rule is known too closely by what it shows, nor any cell by this and all that is out together.

    source: the rows, as in the functions that anonymize. policy: one that is read, or its file. register,
    output, name, dry_run, wait: as in `publish`. period: as of when it counts, in place of the policy's.
    accept: why it is accepted that something is not known, by its name ({"evidence.periods": "..."});
    accepted_by, accepted_until: as in `publish`. key_file: as in `sqlanon.mask`, for record keys and random
    rounding; with a key the register gets a fingerprint of the source. advises: of a table that is refused,
    search for cells whose hiding would help, which may take a while. made: is given the table once it is
    judged, whether it goes out or not; its cells are gone afterwards. progress: gets what is compared.

    Errors: RefusedError, if a cell is known, or not known to be safe, and not accepted; InputError, as in
    `suppress_cells` and the others that protect cells, and of `publish`. After an error nothing is out.
    """
    ensure_registered(con)
    rules = policy if isinstance(policy, TablePolicy) else read_table(Path(policy))
    if rules is None:
        raise UseError(f"{policy} has no [table]: publish makes releases of rows")
    goes_to = check_place(output)
    called = name or stem(goes_to.path)
    for doubt in accept or {}:
        if not doubt.startswith("evidence."):
            raise UseError(f"{doubt} is nothing that can be accepted of a table: evidence.periods may be")
    given = acceptance(accepted_by, accepted_until, accept or {})
    if period is not None:
        rules = replace(rules, section={**rules.section, "period": period})
    with ExitStack() as stack:
        tbl = stack.enter_context(named(con, source))
        check_columns(con, rules, tbl, source)
        known = stack.enter_context(opened(con, register, read_only=dry_run, make=True, wait=wait))
        out = known.reconcile(goes_to.path.resolve().parent)
        known.check_files(out)
        known.check_name(called)
        known.tell_unknown(out, [], goes_to.path.resolve().parent)
        work = stack.enter_context(WorkTables(con))
        people = work.make("source", select(relation(tbl))).name
        hierarchies = rules.policy.make_hierarchies(con, people, None, work)
        making = Making(con, work, rules, people, hierarchies, key_file)
        cells = making.cells()
        beside = judged_table(
            con, known, making, called, out, given.reasons,
            rules.section.get("solver_seconds", SOLVER_SECONDS), advises, progress,
        )  # fmt: skip
        judged, said, doubts = beside.judged, beside.said, beside.doubts
        if made is not None:
            made(making)
        if beside.reasons:
            refused = RefusedError(beside.reasons, said.name, known.remarks, beside.verdict)
            refused.add_note(
                "sqlanon.table_remedies, called as sqlanon.publish_table was, tries changes of the policy"
            )
            raise refused
        number = None
        if not dry_run:
            values = values_of_table(con, known, making, called, key_file)
            doubted = {f"evidence.{each.id}": each.id for each in doubts}

            def entered(id: int) -> None:
                known.record(named_table(said.name), "publish", id)
                known.accept(
                    [Accepted("evidence", doubted[key], None, [each.name for each in out], frozenset(), why,
                              given.by, given.until)
                     for key, why in given.reasons.items() if key in doubted], id,
                )  # fmt: skip

            number = out_goes(
                con, known, making.in_order(select(relation(cells.published))), values, goes_to,
                rules.policy.origin, entered,
                None if hierarchies is None else select(relation(hierarchies)), making.contributors,
            )  # fmt: skip
        sums: dict[str, int] = dict(
            execute(con, select(judged, "id", "value::bigint").where(f"attack <> '{ATTACK}'"))
        )
    return TablePublication(
        not dry_run, number, called, goes_to.path, sums["cells"], sums["unsafe"], sums["hidden"],
        [each.name for each in counted(out)], said.name, known.remarks,
    )  # fmt: skip


@dataclass(frozen=True)
class JudgedTable:
    """A table, with as many cells hidden as its policy lets. judged: what was measured; said: what is said of
    it; reasons: why it must not go out, if it must not."""

    judged: exp.Table
    said: exp.Table
    doubts: Sequence[Doubt]
    verdict: str
    reasons: Sequence[str]


def judged_table(
    con: duckdb.DuckDBPyConnection, known: Register, making: Making, called: str, out: Sequence[Entry],
    accepted: Mapping[str, str], seconds: float, advises: bool = True, progress: Progress | None = None,
) -> JudgedTable:  # fmt: skip
    """What a table in the making tells alone, and together with what is out; more of its cells are hidden, if
    its policy says so."""
    made, rules, work, hierarchies = making.made, making.policy, making.work, making.hierarchies
    newest = counts_to_compare(
        called, made.published, rules.macro, making.about(), None if making.whole else made.cells,
        filter=rules.section.get("filter") or "", period=rules.section.get("period") or None,
        hierarchies=hierarchies,
    )  # fmt: skip
    known.remarks += [*_noise_beside_means(newest, counted(out)), *_groups_alike(making)]
    beside = Together(con, work, counted(out), newest, seconds, progress=progress)
    comparison = beside.comparison(even_alone="mean" in rules.section)
    doubts = [
        *comparison.doubts, *_doubted_others(known, making, newest, out), *_doubted_rows(con, making, called),
        *_doubted_means(making, called), *several_tables(out),
    ]  # fmt: skip
    remedy = None
    if comparison.cells and (advises or rules.section.get("hide_with_earlier")):
        comparison, remedy = _with_more_hidden(beside, comparison, making, known.remarks)
        doubts += comparison.doubts
    if TOGETHER not in {each.id for each in doubts}:
        doubts += _doubted_overlap(making, called)
    judged = work.make("judged", call("_judged_cells", made.states, called, made.further))
    insert_comparisons(con, judged, [comparison])
    said = said_of(con, work, judged, doubts, comparison.answer(remedy), accepted)
    known.remarks += comparison.remarks
    [(verdict,)] = execute(con, call("_verdict_on_all", said.name))
    reasons = [] if verdict == HOLDS else reasons_of(con, said)
    return JudgedTable(judged, said, doubts, verdict, reasons)


def _doubted_others(
    register: Register, making: Making, newest: Counted, out: Sequence[Entry]
) -> Iterator[Doubt]:
    """Tables of the same people, of which the policy says that they are of others."""
    subjects = Subjects(making.source, making.policy.dimensions, unit=making.policy.section.get("unit"))
    others = [entry for entry in out if entry.period and entry.period != newest.period]
    for entry in others if newest.growing is False and newest.period else []:
        if register.are_same_people(making.work, subjects, entry):
            yield Doubt(
                PERIODS, f"growing = false says that {newest.name} is of other people than {entry.name}, but "
                "they are the same", [entry.name, newest.name],
                remedy="say growing = true, or nothing: they are compared then",
            )  # fmt: skip


def _doubted_rows(con: duckdb.DuckDBPyConnection, making: Making, name: str) -> Iterator[Doubt]:
    """Rows that are counted where people may have several."""
    if "unit" in making.policy.section:
        return
    named = [column for columns in making.policy.columns(con).values() for column in columns]
    yield from counted_rows(con, making.source, named, name, "table.unit")


def _doubted_means(making: Making, name: str) -> Iterator[Doubt]:
    """Means of people who are in several cells: what they tell of hidden cells is not worked out."""
    if "mean" in making.policy.section and not making.additive:
        yield Doubt(
            TOGETHER, "people are in several of its cells: what its means tell of hidden ones is not worked "
            "out", [name], remedy=f"publish it without mean, or say why that does not matter: --accept "
            f"evidence.{TOGETHER}='why'",
        )  # fmt: skip


def _doubted_overlap(making: Making, name: str) -> Iterator[Doubt]:
    """Hidden cells of people who are in several: by two columns bounds do not tell all that follows."""
    if making.additive or len(making.policy.dimensions) < 2:
        return
    [(hidden,)] = execute(making.con, select(call("_cells_counted", making.made.states).subquery(), "hidden"))
    if hidden:
        yield more_may_follow([name], [name])


def _noise_beside_means(newest: Counted, out: Sequence[Counted]) -> list[str]:
    """Which tables with exact means or sums are beside one with noise, of which they tell what counts fit."""
    remarks = []
    if newest.noise:
        remarks.append(
            f"{newest.name}: exact means or sums of the same people would undo its noise: publish none "
            "beside it"
        )
    for noisy, exact in ((one, other) for each in out for one, other in ((newest, each), (each, newest))):
        if noisy.noise and (exact.means or exact.sums):
            remarks.append(
                f"{exact.name} has exact means or sums, and {noisy.name} counts with noise: together they "
                "can tell the counts"
            )
    return remarks


def _groups_alike(making: Making) -> Iterator[str]:
    """The dimensions of which all people of a group have the same, as shown cells tell: nobody has said that
    one of them is what must not be learned."""
    section, dimensions = making.policy.section, making.policy.dimensions
    if "response" in section or section["method"] != "suppress" or not making.whole:
        return
    for dimension in dimensions:
        alike = making.groups_alike(dimension)
        found = execute(making.con, select(alike, *(exp.column(each, quoted=True) for each in dimensions)))
        if found:
            labels = ("without a value" if label is None else label for label in found[0])
            cell = dict(zip(dimensions, labels, strict=True))
            value = cell.pop(dimension)
            group = " and ".join(f"{name} {label}" for name, label in cell.items()) or "the table"
            others = f" (and {len(found) - 1:,} more groups)" if len(found) > 1 else ""
            yield (
                f"all people of {group}{others} have {dimension} {value}: whoever knows that somebody is in "
                f"the group learns it. If {dimension} must not be learned, say so: table.response = "
                f'"{dimension}"'
            )


def _with_more_hidden(
    beside: Together, comparison: Comparison, making: Making, remarks: list[str]
) -> tuple[Comparison, str | None]:
    """The comparison once more cells are hidden, if the policy says so; and what would help otherwise."""
    section = making.policy.section
    if section["method"] != "suppress":
        return comparison, None
    hiding = Hiding(beside, making, comparison.cells)
    if not hiding.find():
        return comparison, "no cells were found whose hiding helps"
    others = f"; and {len(hiding.names) - SHOWN:,} others" if len(hiding.names) > SHOWN else ""
    cells = f"{len(hiding.names):,} more cells ({'; '.join(hiding.names[:SHOWN])}{others})"
    if not section.get("hide_with_earlier"):
        what = f"leave out {hiding.left_out}: {cells}" if hiding.left_out else f"hide {cells}"
        return comparison, f"{what}: table.hide_with_earlier = true does it"
    making.publish_instead(hiding.table)
    remarks.append(f"{cells} are hidden because of what is out")
    return beside.with_more_hidden(hiding.table).comparison(even_alone="mean" in section), None


def check_columns(con: duckdb.DuckDBPyConnection, rules: TablePolicy, tbl: str, source: Source) -> None:
    """Errors: UseError for a column that the source does not have. tbl: the name of its table."""
    title = source if isinstance(source, str) else "the source"
    columns = column_names(con, tbl)
    for key, used in rules.columns(con).items():
        if problem := missing_column(used, columns, title):
            raise UseError(f"{rules.path}: table.{key}{problem}")


def values_of_table(
    con: duckdb.DuckDBPyConnection, register: Register, making: Making, name: str,
    key_file: str | os.PathLike[str] | None,
) -> dict[str, Any]:  # fmt: skip
    """What the register says of a table, and of the policy that has made it."""
    rules, policy = making.policy, making.policy.policy
    subjects = Subjects(making.source, rules.dimensions, unit=rules.section.get("unit"))
    numbers = {key: float(value) for key, value in rules.rules.items() if isinstance(value, int | float)}
    said = values_of_counts(
        register, making.work, name, subjects, making.made.published, rules.macro, numbers, making.about(),
        rules.section.get("filter"),
    )  # fmt: skip
    return said | {
        "policy": policy.text,
        "policy_path": str(policy.spelling.path.resolve()) if policy.spelling.path else None,
        "policy_sha256": policy.origin.get("sqlanon_policy_sha256"),
        "source_fingerprint": fingerprint(con, making.source, key_file),
    }


def values_of_counts(
    register: Register, work: WorkTables, name: str, subjects: Subjects, published: str, method: str,
    required: Mapping[str, float], parameters: Mapping[str, Any], filter: str | None,
) -> dict[str, Any]:  # fmt: skip
    """What the register says of a table of counts: enough to write its sums as equations again. subjects:
    who is counted, and by which columns; parameters: how the table was made."""
    return {
        "name": name, "is_foreign": False, "qi": subjects.qi, "sensitive": [], "nearest": False,
        "formats": {}, "required": required,
        "row_count": execute(register.con, count(relation(published)))[0][0],
        "method": method, "parameters": json.dumps(parameters), "filter": filter,
        "period": parameters.get("period"), "unit": subjects.unit,
        "people": register.digests_of_people(work, subjects),
    }  # fmt: skip
