"""The cells of a table of counts or sums, and which of them are unsafe.

Parameters and rows are those of the macros with the same names; `sqlanon.core.answer` says what an answer is.
"""

from __future__ import annotations

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
) -> duckdb.DuckDBPyRelation:
    """The cells of a table with all totals: dimensions, contributors, value, largest, second, is_empty.

    measure: the column that is summed; without one, contributors are counted. unit: the column that says
    whose a row is; contributors are people then. total: the text that marks a total.
    """
    return answer(
        con, "table_cells", source, dimensions=names(dimensions, "dimensions"), measure=measure, unit=unit,
        hierarchies=hierarchies, weight=weight, total=total, empty_cells=empty_cells,
    )  # fmt: skip
