"""Differencing: suppressed counts that totals give away.

Parameters and rows are those of the macros with the same names; `sqlanon.core.answer` says what an answer is.
"""

from __future__ import annotations

import duckdb

from sqlanon.core.answer import Names, answer
from sqlanon.core.connection import connection_first
from sqlanon.core.source import Source, names
from sqlanon.tables.programs import has_solver, register_programs


@connection_first
def differencing(
    con: duckdb.DuckDBPyConnection,
    counts: Source,
    dimensions: Names,
    count_column: str,
    total: str | None = None,
    threshold: int | None = None,
    *,
    zeros_shown: bool = False,
    hierarchies: Source = None,
    programs: str = "linear",
    solver_seconds: float = 60,
    rounds: int = 100,
) -> duckdb.DuckDBPyRelation:
    """The bounds of suppressed counts, a row per suppressed cell: dimensions, learned, confidence, baseline,
    is_right, is_control, lower, upper, unfinished.

    programs: none, linear or integer. Without the extra `tables` there are none: what they would have to
    prove is unfinished.
    """
    if programs != "none" and has_solver():
        register_programs(con)
    return answer(
        con, "differencing", counts, dimensions=names(dimensions, "dimensions"), count_column=count_column,
        total=total, threshold=threshold, zeros_shown=zeros_shown, hierarchies=hierarchies, programs=programs,
        solver_seconds=solver_seconds, rounds=rounds,
    )  # fmt: skip
