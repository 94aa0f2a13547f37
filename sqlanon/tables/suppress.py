"""Tables whose unsafe cells are hidden.

Parameters and rows are those of the macro with the same name; `sqlanon.core.answer` says what an answer is.
"""

from __future__ import annotations

from collections.abc import Iterable

import duckdb

from sqlanon.core.answer import Names, answer
from sqlanon.core.connection import connection_first
from sqlanon.core.source import Source, names
from sqlanon.tables.programs import register_programs, require_solver


@connection_first
def suppress_cells(
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
    hierarchies: Source = None,
    cost: str = "cells",
    publish: Source = None,
    safety_range: float = 10,
    additive: bool = True,
    whole: bool = True,
    solver_seconds: float = 60,
) -> duckdb.DuckDBPyRelation:
    """The cells of a table with what can be published: dimensions, value (None: hidden), hidden (primary,
    secondary).

    The rules are those of `unsafe_cells`. What leaves has been attacked as by `cell_bounds`. Errors:
    InputError, also where the extra `tables` is not installed, or a cell cannot be protected; then there are
    no rows.
    """
    require_solver()
    register_programs(con)
    return answer(
        con, "suppress_cells", cells, dimensions=names(dimensions, "dimensions"), threshold=threshold,
        zeros=zeros, dominance=None if dominance is None else [*dominance], p=p, q=q, response=response,
        shares=shares, structural=structural, total=total, hierarchies=hierarchies, cost=cost,
        publish=publish, safety_range=safety_range, additive=additive, whole=whole,
        solver_seconds=solver_seconds,
    )  # fmt: skip
