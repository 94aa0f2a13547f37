"""Remedies for a table of counts or sums: changes of [table] that are tried on the rows when it is refused.

Each is judged with everything that is out as if it were to be published, and nothing of it stays."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

import duckdb

from sqlanon.core.connection import connection_first
from sqlanon.core.deadline import Deadline
from sqlanon.core.errors import RefusedError, SqlanonError, UseError
from sqlanon.core.library import ensure_registered
from sqlanon.core.release import Progress
from sqlanon.core.remarks import message_of
from sqlanon.core.source import Source, named
from sqlanon.core.statements import call, drop, execute, named_table, select
from sqlanon.core.toml import bare, edited, shown
from sqlanon.judge.verdicts import HOLDS
from sqlanon.policies.tables import TablePolicy, read_table
from sqlanon.publishing.remedies import MOST_COLUMNS, NOT_TRIED, SECONDS, Remedy, why_refused
from sqlanon.publishing.tables import publish_table
from sqlanon.tables.making import Making

BASES = (5, 10)  # that are rounded to in place of hiding cells
SHARE_OF_SEARCH = 0.4  # of the time that there is
LARGER = (2, 4)  # times a threshold, base or noise


@dataclass(frozen=True)
class TableChange:
    """A change of [table]. said: what it is; lines: what to write into the policy's file, by key."""

    said: str
    lines: Mapping[str, str]


@connection_first
def table_remedies(
    con: duckdb.DuckDBPyConnection,
    source: Source,
    policy: TablePolicy | str | os.PathLike[str],
    *,
    register: str | os.PathLike[str],
    output: str | os.PathLike[str],
    name: str | None = None,
    period: str | None = None,
    accept: Mapping[str, str] | None = None,
    seconds: float = SECONDS,
    wait: float = 0,
    key_file: str | os.PathLike[str] | None = None,
    progress: Progress | None = None,
) -> list[Remedy]:
    """Try changes of a policy on a table of counts or sums that is refused: which of them would go out, and
    what they cost.

    The first one is the policy as it is. Then, one at a time and as far as its method knows them: more cells
    hidden because of what is out, rounding in place of hidden cells, a larger base or noise, controlled
    rounding, hierarchies without their finest level, the finest cells left out so that only tables of fewer
    dimensions remain, the table without one of its dimensions, and a larger threshold. Each is made and
    judged with all that is out, as `publish_table` would, and nothing of it stays.

    seconds: for all of them; what was not tried then is listed as such. All else: as in `publish_table`.
    Errors: those of `publish_table`, but for RefusedError.
    """
    began = time.monotonic()
    ensure_registered(con)
    rules = policy if isinstance(policy, TablePolicy) else read_table(Path(policy))
    if rules is None:
        raise UseError(f"{policy} has no [table]: remedies tries changes of releases of rows")
    dry = {
        "register": register, "output": output, "name": name, "period": period, "accept": accept,
        "wait": wait, "key_file": key_file, "dry_run": True, "advises": False,
    }  # fmt: skip
    with named(con, source) as tbl:
        found = [_tried(con, tbl, rules, TableChange("the policy as it is", {}), None, dry)]
        of_changes = [(change, with_change(rules, change.lines)) for change in changes(rules)]
        possible = [(change, changed) for change, changed in of_changes if changed is not None]
        for number, (change, changed) in enumerate(possible, 1):
            left = seconds - (time.monotonic() - began)
            if "hide_with_earlier" in "".join(change.lines):  # a search, which may leave no time for others
                left *= SHARE_OF_SEARCH
            if progress is not None:
                progress(number / (len(possible) + 1), change.said)
            found.append(_tried(con, tbl, changed, change, left, dry))
    return found


def with_change(rules: TablePolicy, lines: Mapping[str, str]) -> TablePolicy | None:
    """The policy with a change, as its file would say it; None, if it says something that does not go with
    the change, or says it where it is not found."""
    assert rules.path is not None
    try:
        return read_table(rules.path, edited(rules.policy.text, lines).encode())
    except (UseError, ValueError):
        return None


def _tried(
    con: duckdb.DuckDBPyConnection, tbl: str, rules: TablePolicy, change: TableChange, left: float | None,
    dry: Mapping[str, Any],
) -> Remedy:  # fmt: skip
    """left: the seconds that there are; None: as many as it takes."""
    cells: list[tuple[int, int]] = []

    def look(making: Making) -> None:
        cells.append(cells_of(con, making)[:2])

    def remedy(verdict: str, reason: str | None = None) -> Remedy:
        return Remedy(change.said, verdict, reason, None, change.lines, cells[0] if cells else None)

    found, verdicts = remedy(NOT_TRIED), ""
    with Deadline(con, left):
        try:
            if left is None or left > 0:
                verdicts = publish_table(con, tbl, rules, made=look, **dry).verdicts
                found = remedy(HOLDS)
        except RefusedError as error:
            verdicts, found = error.verdicts, remedy(error.verdict, why_refused(error))
        except SqlanonError as error:
            return remedy("refused", message_of(error))
    if verdicts:
        execute(con, drop(named_table(verdicts)))
    return found


def cells_of(con: duckdb.DuckDBPyConnection, making: Making) -> tuple[int, int, int]:
    """How many cells there are, how many of them are hidden or changed, and how many break a rule."""
    counts = select(call("_cells_counted", making.made.states).subquery(), "every", "hidden", "breaking")
    [(every, hidden, breaking)] = execute(con, counts)
    return every, hidden, breaking


def changes(rules: TablePolicy) -> Iterator[TableChange]:
    """Changes that may help, the likely and cheap ones first. Some of them may not go with what else the
    policy says."""
    section = rules.section
    if section["method"] == "suppress":
        if not section.get("hide_with_earlier"):
            yield _change("more cells hidden because of what is out", hide_with_earlier=True)
        for base in BASES:
            yield _change(
                f"counts rounded to multiples of {base}, no cell hidden", method="round", base=base,
                rounding="controlled",
            )  # fmt: skip
    elif section["method"] == "round":
        base = section["base"]
        for times in LARGER:
            yield _changed(base=times * base)
        if section.get("rounding", "nearest") == "nearest":
            yield _changed(rounding="controlled")
            yield _changed(rounding="controlled", base=2 * base)
    elif "largest" in section:
        for times in LARGER:
            yield _changed(largest=times * section["largest"], variance=times * section["variance"])
    yield from _coarser(rules)
    yield from _fewer(rules.dimensions, section)
    if section["method"] == "suppress" and (threshold := section.get("threshold")):
        for times in LARGER:
            yield _changed(threshold=times * threshold)


def _coarser(rules: TablePolicy) -> Iterator[TableChange]:
    """Without the totals by the finest level of a hierarchy."""
    of_levels = [
        (column, made, key) for column, made in rules.policy.hierarchies.items()
        for key in ("units", "widths") if len(made.get(key) or ()) > 1
    ]  # fmt: skip
    for column, made, key in of_levels[:MOST_COLUMNS]:
        finest, *others = made[key]
        path = f"hierarchies.{bare(column)}.{key}"
        yield TableChange(f"without the totals by {finest} of {column}", {path: shown(others)})


def _fewer(dimensions: Sequence[str], section: Mapping[str, Any]) -> Iterator[TableChange]:
    """Tables of fewer dimensions."""
    if len(dimensions) > 1 and "linked" not in section and section["method"] != "keys":
        linked = [list(each) for each in combinations(dimensions, len(dimensions) - 1)]
        tables = "; ".join(" x ".join(each) for each in linked)
        yield _change(f"no cells by all of {', '.join(dimensions)} at once, only {tables}", linked=linked)
    for column in dimensions[:MOST_COLUMNS] if len(dimensions) > 1 else ():
        rest = [name for name in dimensions if name != column]
        yield _change(f"without {column}", dimensions=rest)


def _changed(**to: Any) -> TableChange:
    return _change(", ".join(f"{name} = {shown(value)}" for name, value in to.items()), **to)


def _change(said: str, **to: Any) -> TableChange:
    return TableChange(said, {f"table.{name}": shown(value) for name, value in to.items()})
