"""Tables whose cells are rounded.

Parameters and rows are those of the macro with the same name; `sqlanon.core.answer` says what an answer is.
"""

from __future__ import annotations

import duckdb

from sqlanon.core.answer import Names, answer
from sqlanon.core.connection import connection_first
from sqlanon.core.source import Source, names
from sqlanon.tables.programs import register_programs, require_solver


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
    hierarchies: Source = None,
    seed: int | None = None,
    solver_seconds: float = 60,
) -> duckdb.DuckDBPyRelation:
    """The cells of a table, rounded to multiples of a base: dimensions, value, further.

    rounding: nearest, random (right on average), midpoint (of the interval up to the next multiple) or
    controlled (totals still add up; with hierarchies, if the cells have any). further: a cell for which
    controlled rounding had to take another multiple than both neighbours. seed: of random; the same cell has
    the same draw in every table. Errors: InputError, also where controlled rounding needs the extra
    `tables`, and it is not installed.
    """
    if rounding == "controlled":
        require_solver()
        register_programs(con)
    return answer(
        con, "round_cells", cells, dimensions=names(dimensions, "dimensions"), base=base, rounding=rounding,
        value_column=value_column, total=total, hierarchies=hierarchies, seed=seed,
        solver_seconds=solver_seconds,
    )  # fmt: skip
