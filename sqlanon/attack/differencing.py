"""Differencing: suppressed counts that totals give away.

Parameters and rows are those of the macros with the same names; `sqlanon.core.answer` says what an answer is.
"""

from __future__ import annotations

import duckdb

from sqlanon.core.answer import Names, answer
from sqlanon.core.connection import connection_first
from sqlanon.core.source import Source, names


@connection_first
def differencing(
    con: duckdb.DuckDBPyConnection,
    counts: Source,
    dimensions: Names,
    count_column: str,
    total: str | None = None,
    threshold: int | None = None,
    rounds: int = 100,
) -> duckdb.DuckDBPyRelation:
    """The bounds of suppressed counts, a row per suppressed cell: dimensions, learned, confidence, baseline,
    is_right, is_control, lower, upper, unfinished.
    """
    return answer(
        con, "differencing", counts, dimensions=names(dimensions, "dimensions"), count_column=count_column,
        total=total, threshold=threshold, rounds=rounds,
    )  # fmt: skip
