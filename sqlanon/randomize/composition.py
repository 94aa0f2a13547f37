"""What several randomized releases cost together.

Parameters and rows are those of the macros with the same names; `sqlanon.core.answer` says what an answer is.
"""

from __future__ import annotations

import duckdb

from sqlanon.core.answer import answer
from sqlanon.core.connection import connection_first
from sqlanon.core.source import Source


@connection_first
def composed_privacy(
    con: duckdb.DuckDBPyConnection, costs: Source, target_delta: float = 0.000001
) -> duckdb.DuckDBPyRelation:
    """What randomized releases of the same data cost together, a row per rule of composition: composition,
    epsilon, delta, rho, counts.

    costs: rows of epsilon, delta and rho. target_delta: at which epsilon is told, and the most that the
    deltas may add up to.
    """
    return answer(con, "composed_privacy", costs, target_delta=target_delta)
