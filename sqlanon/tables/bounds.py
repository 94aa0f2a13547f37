"""What a published table tells of the cells that it hides.

Parameters and rows are those of the macro with the same name; `sqlanon.core.answer` says what an answer is.
"""

from __future__ import annotations

from collections.abc import Iterable

import duckdb

from sqlanon.core.answer import Names, answer
from sqlanon.core.connection import connection_first
from sqlanon.core.source import Source, names
from sqlanon.tables.programs import register_programs, require_solver

MARKS = ("", "*", ".", "..", "c", "x")


@connection_first
def cell_bounds(
    con: duckdb.DuckDBPyConnection,
    cells: Source,
    dimensions: Names,
    value_column: str = "value",
    total: str | None = "total",
    hierarchies: Source = None,
    *,
    marks: Iterable[str] = MARKS,
    base: float | None = None,
    rounding: str = "nearest",
    least: float | None = None,
    most: float | None = None,
    lower_column: str | None = None,
    upper_column: str | None = None,
    insiders: str | None = None,
    additive: bool = True,
    whole: bool = True,
    programs: str = "linear",
    solver_seconds: float = 60,
    rounds: int = 100,
) -> duckdb.DuckDBPyRelation:
    """The bounds of hidden and rounded cells, a row per cell: dimensions, lower, upper, unfinished.

    base, rounding: the values are rounded as by `round_cells`. With insiders also insider_lower and
    insider_upper, as the only contributor of another cell knows it. programs: none, linear or integer.
    Errors: InputError, also where the programs need the extra `tables`, and it is not installed.
    """
    if programs != "none":
        require_solver()
        register_programs(con)
    return answer(
        con, "cell_bounds", cells, dimensions=names(dimensions, "dimensions"), value_column=value_column,
        total=total, hierarchies=hierarchies, marks=names(marks, "marks"), base=base,
        rounding=rounding, least=least, most=most,
        lower_column=lower_column, upper_column=upper_column, insiders=insiders, additive=additive,
        whole=whole, programs=programs, solver_seconds=solver_seconds, rounds=rounds,
    )  # fmt: skip
