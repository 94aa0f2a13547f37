"""Tables whose cells are rounded.

Parameters and rows are those of the macro with the same name; `sqlanon.core.answer` says what an answer is.
"""

from __future__ import annotations

import duckdb

from sqlanon.core.answer import Names, answer
from sqlanon.core.connection import connection_first
from sqlanon.core.source import Source, names


@connection_first
def round_cells(
    con: duckdb.DuckDBPyConnection,
    cells: Source,
    dimensions: Names,
    base: float,
    rounding: str = "nearest",
    *,
    value_column: str = "value",
    total: str | None = "total",
    seed: int | None = None,
) -> duckdb.DuckDBPyRelation:
    """The cells of a table, rounded to multiples of a base: dimensions, value.

    rounding: nearest, random (right on average) or midpoint (of the interval up to the next multiple). seed:
    of random; the same cell has the same draw in every table.
    """
    return answer(
        con, "round_cells", cells, dimensions=names(dimensions, "dimensions"), base=base, rounding=rounding,
        value_column=value_column, total=total, seed=seed,
    )  # fmt: skip
