"""Tables of counts and sums through the gate: made as [table] of a policy says, checked by what the published
table tells, and entered before they go out."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb

from sqlanon.core.connection import connection_first
from sqlanon.core.errors import RefusedError, UseError
from sqlanon.core.files import column_names
from sqlanon.core.library import ensure_registered
from sqlanon.core.source import Source, named
from sqlanon.core.statements import call, count, execute, named_table, relation, select
from sqlanon.core.tables import WorkTables
from sqlanon.judge.evidence import Asked, Doubt
from sqlanon.judge.past import Accepted
from sqlanon.judge.verdicts import HOLDS, reasons_of, said_of
from sqlanon.policies.parsing import missing_column
from sqlanon.policies.tables import TablePolicy, read_table
from sqlanon.publishing.asked import TOGETHER, together
from sqlanon.publishing.gate import check_place, fingerprint, out_goes, stem
from sqlanon.publishing.register import Entry, Register, opened
from sqlanon.tables.making import Making

DOUBT = f"evidence.{TOGETHER}"


@dataclass(frozen=True)
class TablePublication:
    """A table that has gone out, or that would (is_out: False, after a dry run).

    number: of its entry in the register. name, path: what it is called there, and where it went. cells,
    unsafe, hidden: how many cells it has, how many of them break a rule, and are hidden or changed. verdicts:
    the name of a temporary table of what is said. remarks: what else there was to say.
    """

    is_out: bool
    number: int | None
    name: str
    path: Path
    cells: int
    unsafe: int
    hidden: int
    verdicts: str
    remarks: Sequence[str]


@connection_first
def publish_table(
    con: duckdb.DuckDBPyConnection,
    source: Source,
    policy: str | os.PathLike[str],
    *,
    register: str | os.PathLike[str],
    output: str | os.PathLike[str],
    name: str | None = None,
    accept: Mapping[str, str] | None = None,
    dry_run: bool = False,
    wait: float = 0,
    key_file: str | os.PathLike[str] | None = None,
) -> TablePublication:
    """Make a table of counts or sums as [table] of a policy says, and let it go out if no cell that breaks a
    rule is known too closely by what it shows.

    source: the rows, as of the functions that anonymize. policy: its file. register, output, name, dry_run,
    wait: as of `publish`. accept: why it is accepted that something is not known, by its name: what the table
    tells together with releases that are out (evidence.together). key_file: as of `sqlanon.mask`, for record
    keys and random rounding; with a key the register gets a fingerprint of the source.

    Errors: RefusedError, if a cell is known, or not known to be safe, and not accepted; InputError, as of
    `suppress_cells` and the others that protect cells, and of `publish`. After an error nothing is out.
    """
    ensure_registered(con)
    rules = read_table(Path(policy))
    if rules is None:
        raise UseError(f"{policy} has no [table]: publish makes releases of rows")
    goes_to = check_place(output)
    called = name or stem(goes_to.path)
    for doubt, reason in (accept or {}).items():
        if doubt != DOUBT:
            raise UseError(f"{doubt} is nothing that can be accepted of a table: {DOUBT} is")
        if not reason.strip():
            raise UseError(f"say why {doubt} is accepted")
    with ExitStack() as stack:
        tbl = stack.enter_context(named(con, source))
        check_columns(rules, column_names(con, tbl), policy, source)
        known = stack.enter_context(opened(con, register, read_only=dry_run, make=True, wait=wait))
        out = known.reconcile(goes_to.path.resolve().parent)
        known.check_files(out)
        known.check_name(called)
        work = stack.enter_context(WorkTables(con))
        people = work.make("source", select(relation(tbl))).name
        hierarchies = rules.policy.make_hierarchies(con, people, None, work)
        making = Making(con, work, rules, people, hierarchies, key_file)
        made = making.cells()
        judged = work.make("judged", call("_judged_cells", made.states, called, made.further))
        doubts = _doubts(out)
        said = said_of(con, work, judged, doubts, (), accept or {})
        [(verdict,)] = execute(con, call("_verdict_on_all", said.name))
        if verdict != HOLDS:
            raise RefusedError(reasons_of(con, said), said.name, known.remarks, verdict)
        number = None
        if not dry_run:
            values = _values(con, known, making, called, key_file)

            def entered(id: int) -> None:
                known.record(named_table(said.name), "publish", id)
                known.accept(
                    [Accepted("evidence", TOGETHER, None, [each.name for each in out], frozenset(), why)
                     for why in (accept or {}).values() if doubts], id,
                )  # fmt: skip

            number = out_goes(
                con, known, making.in_order(select(relation(made.published))), values, goes_to,
                rules.policy.origin, entered,
                None if hierarchies is None else select(relation(hierarchies)),
            )  # fmt: skip
        counted: dict[str, int] = dict(execute(con, select(judged, "id", "value::bigint")))
    return TablePublication(
        not dry_run, number, called, goes_to.path, counted["cells"], counted["unsafe"], counted["hidden"],
        said.name, known.remarks,
    )  # fmt: skip


def check_columns(
    rules: TablePolicy, columns: Sequence[str], policy: str | os.PathLike[str], source: Source
) -> None:
    """Errors: UseError for a column that the source does not have."""
    title = source if isinstance(source, str) else "the source"
    for key, used in rules.columns.items():
        if problem := missing_column(used, columns, title):
            raise UseError(f"{policy}: table.{key}{problem}")


def _doubts(out: Sequence[Entry]) -> list[Doubt]:
    """What nobody has looked at: what the table tells together with what is out."""
    return together(
        "what this table tells together with what is out", [each for each in out if not each.is_randomized],
        "make tables of the same people at once (table.linked), or say why it does not matter: "
        f"--accept {DOUBT}='each quarter has other people'",
    )  # fmt: skip


def _values(
    con: duckdb.DuckDBPyConnection, register: Register, making: Making, name: str,
    key_file: str | os.PathLike[str] | None,
) -> dict[str, Any]:  # fmt: skip
    """What the register says of a table: enough to write its sums as equations again."""
    rules, policy = making.policy, making.policy.policy
    asked = Asked(making.source, rules.dimensions, unit=rules.asked.get("unit"))
    numbers = {key: float(value) for key, value in rules.rules.items() if isinstance(value, int | float)}
    return {
        "name": name,
        "is_foreign": False,
        "qi": rules.dimensions,
        "sensitive": [],
        "nearest": False,
        "formats": {},
        "row_count": execute(con, count(relation(making.made.published)))[0][0],
        "required": numbers,
        "method": rules.macro,
        "parameters": json.dumps({**rules.asked, "additive": making.additive, "whole": making.whole}),
        "policy": policy.text,
        "policy_path": str(policy.spelling.path.resolve()) if policy.spelling.path else None,
        "policy_sha256": policy.origin.get("sqlanon_policy_sha256"),
        "unit": rules.asked.get("unit"),
        "source_fingerprint": fingerprint(con, making.source, key_file),
        "people": register.digests_of_people(making.work, asked),
    }
