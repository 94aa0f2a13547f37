"""Randomized releases through the gate: they are not attacked, because a budget bounds what they tell.

The cost is in the ledger before any noise is drawn, and the entry of the release, which names it, before the
output gets its name. After a crash the cost is spent, whatever has become of the release.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb

from sqlanon.core.errors import UseError
from sqlanon.core.library import ensure_registered
from sqlanon.core.source import Source, named
from sqlanon.core.statements import named_table, select
from sqlanon.core.tables import WorkTables
from sqlanon.macros import randomize as functions
from sqlanon.publishing.gate import check_place, out_goes, stem
from sqlanon.publishing.ledger import Ledger, Part, Standing
from sqlanon.publishing.register import opened
from sqlanon.randomize.cost import Cost
from sqlanon.randomize.mechanisms import MECHANISMS


@dataclass(frozen=True)
class RandomizedPublication:
    """A randomized release that has gone out, or that would (is_out: False, after a dry run).

    number: of its entry in the register. name, path: what it is called there, and where it went. cost: what
    was spent; standing: how the budget stands now. details: of the release, None after a dry run. remarks:
    what else there was to say.
    """

    is_out: bool
    number: int | None
    name: str
    path: Path
    cost: Cost
    standing: Standing
    details: Mapping[str, Any] | None
    remarks: list[str]


class _Enough(Exception):
    """The cost is known, and no noise is to be drawn."""


@dataclass
class _Book:
    """A ledger that remembers what the release has cost."""

    ledger: Ledger
    cost: Cost | None = None

    @property
    def part(self) -> Part | None:
        return self.ledger.part

    @property
    def unit(self) -> str | None:
        return self.ledger.unit

    def spend(self, cost: Cost) -> None:
        self.ledger.spend(cost)
        self.cost = cost


class _Trial(_Book):
    """A ledger in which nothing is entered."""

    def spend(self, cost: Cost) -> None:
        self.ledger.check(cost)
        self.cost = cost
        raise _Enough


def publish_randomized(
    con: duckdb.DuckDBPyConnection,
    data: Source,
    release: str,
    *,
    register: str | os.PathLike[str],
    source: str,
    output: str | os.PathLike[str],
    name: str | None = None,
    part: Part | None = None,
    dry_run: bool = False,
    wait: float = 0,
    **parameters: Any,
) -> RandomizedPublication:
    """Spend, draw, and let a randomized release of a table go out.

    data: a table, as in the functions that anonymize. release: what is released (MECHANISMS); parameters:
    those of its function, `unit` among them. register: a DuckDB file with a budget for source and unit.
    source: what the data is called there. output: a file that is not there yet. name: what the release is
    called in the register; as the output, if not given. part: of the units alone. dry_run: the cost is
    returned, and nothing is spent or written. wait: as in publish.

    Errors: RefusedError, if the budget does not allow it, and before any noise is drawn; as in the function
    and of publish. An error after that has spent the cost.
    """
    ensure_registered(con)
    if release not in MECHANISMS:
        raise UseError(f"{release} is none of what is released: {', '.join(MECHANISMS)}")
    function = getattr(functions, MECHANISMS[release])
    goes_to = check_place(output)
    called = name or stem(goes_to.path)
    unit = parameters.get("unit")
    with ExitStack() as stack:
        tbl = stack.enter_context(named(con, data))
        known = stack.enter_context(opened(con, register, wait=wait))
        known.reconcile(goes_to.path.resolve().parent)
        known.check_name(called)
        ledger = Ledger(known, source, unit, part)
        ledger.standing()  # there is a budget
        work = stack.enter_context(WorkTables(con))
        book = _Trial(ledger) if dry_run else _Book(ledger)
        try:
            made = function(con, tbl, **parameters, ledger=book)
        except _Enough:
            made = None
        if book.cost is None:
            raise UseError(f"{MECHANISMS[release]} has not told what it costs: nothing goes out")
        number, details = None, None
        if made is not None:
            work.discard_later(named_table(made.table))
            details = made.details
            values = _values(release, parameters, made.rows, part)
            values |= {"name": called, "required": {"epsilon": book.cost.epsilon, "delta": book.cost.delta}}
            rows = select(named_table(made.table)).order_by("rowid")
            number = out_goes(con, known, rows, values, goes_to, {}, ledger.link)
        standing = ledger.standing()
    return RandomizedPublication(
        number is not None, number, called, goes_to.path, book.cost, standing, details, known.remarks
    )


def _values(release: str, parameters: Mapping[str, Any], rows: int, part: Part | None) -> dict[str, Any]:
    """What the register says of a release."""
    recorded = {
        name: value for name, value in parameters.items() if isinstance(value, str | int | float | list)
    }
    if part is not None:
        recorded["part"] = f"{part.number}/{part.parts}"
    columns = parameters.get("columns") or []
    return {
        "is_foreign": False,
        "qi": [columns] if isinstance(columns, str) else [*columns],
        "sensitive": [],
        "nearest": False,
        "formats": {},
        "row_count": rows,
        "method": MECHANISMS[release],
        "parameters": json.dumps(recorded),
    }
