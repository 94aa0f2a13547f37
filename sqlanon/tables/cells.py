"""The cells of a table of counts or sums, and which of them are unsafe.

Parameters and rows are those of the macros with the same names; `sqlanon.core.answer` says what an answer is.
"""

from __future__ import annotations

from collections.abc import Iterable

import duckdb

from sqlanon.core.answer import Names, answer
from sqlanon.core.connection import connection_first
from sqlanon.core.source import Source, names


@connection_first
def table_cells(
    con: duckdb.DuckDBPyConnection,
    source: Source,
    dimensions: Names,
    measure: str | None = None,
    unit: str | None = None,
    hierarchies: Source = None,
    weight: str | None = None,
    *,
    total: str = "total",
    empty_cells: bool = True,
    linked: Iterable[Iterable[str]] | None = None,
) -> duckdb.DuckDBPyRelation:
    """The cells of a table with all totals: dimensions, contributors, value, largest, second, is_empty.

    measure: the column that is summed; without one, contributors are counted. unit: the column that says
    whose a row is; contributors are people then. total: the text that marks a total. linked: several tables
    that are published together, each as a list of some of the dimensions; only their cells are there.
    """
    return answer(
        con, "table_cells", source, dimensions=names(dimensions, "dimensions"), measure=measure, unit=unit,
        hierarchies=hierarchies, weight=weight, total=total, empty_cells=empty_cells,
        linked=None if linked is None else [[*own] for own in linked],
    )  # fmt: skip


@connection_first
def unsafe_cells(
    con: duckdb.DuckDBPyConnection,
    cells: Source,
    dimensions: Names,
    threshold: int | None = None,
    zeros: bool = False,
    dominance: Iterable[float | None] | None = None,
    p: float | None = None,
    q: float = 100,
    *,
    response: str | None = None,
    shares: bool = False,
    structural: Source = None,
    total: str | None = "total",
) -> duckdb.DuckDBPyRelation:
    """The cells that break a rule, a row per cell and rule: dimensions, rule, reached, required, protection.

    No rows: all are safe. cells: as of `table_cells`. dominance: the percentages that the largest
    contribution, and the largest two, may have. p, q: the p % rule, or p/q. response: the dimension of which
    no cell may have all people of its row, or none.
    """
    return answer(
        con, "unsafe_cells", cells, dimensions=names(dimensions, "dimensions"), threshold=threshold,
        zeros=zeros, dominance=None if dominance is None else [*dominance], p=p, q=q, response=response,
        shares=shares, structural=structural, total=total,
    )  # fmt: skip
