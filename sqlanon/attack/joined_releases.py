"""What two releases tell together when they are joined.

Parameters and rows are those of the macros with the same names; `sqlanon.core.answer` says what an answer is.
"""

from __future__ import annotations

from collections.abc import Iterable

import duckdb

from sqlanon.core.answer import Names, answer
from sqlanon.core.connection import connection_first
from sqlanon.core.source import Source, listed, names


@connection_first
def joined_releases(
    con: duckdb.DuckDBPyConnection,
    releases: Iterable[Source],
    join_on: Names,
    x: Names,
    y: Names,
    weight: str | None = None,
) -> duckdb.DuckDBPyRelation:
    """(X, Y)-anonymity and (X, Y)-linkability of the join of two releases, a row per value of x: x, learned,
    confidence, baseline, is_right, is_control, rows, anonymity.

    weight: the column that says how many people a row stands for.
    """
    return answer(
        con, "joined_releases", listed(releases), join_on=names(join_on, "join_on"), x=names(x, "x"),
        y=names(y, "y"), weight=weight,
    )  # fmt: skip
