"""Downcoding: what a generalization that is no coarser than it must be tells of the values below it.

Parameters and rows are those of the macro with the same name; `sqlanon.core.answer` says what an answer is.
"""

from __future__ import annotations

import duckdb

from sqlanon.core.answer import Names, answer
from sqlanon.core.connection import connection_first
from sqlanon.core.source import Source, names


@connection_first
def downcoding(
    con: duckdb.DuckDBPyConnection,
    release: Source,
    qi: Names,
    hierarchies: Source,
    k: int | None = None,
) -> duckdb.DuckDBPyRelation:
    """Which values the rows of a class can have, a row per class: qi, size, learned, confidence, baseline and
    more.

    k: that of the release, if each of its rows is generalized as little as k-anonymity allows; without it,
    the release is one of `optimal` with local_recoding.
    """
    return answer(con, "downcoding", release, qi=names(qi, "qi"), hierarchies=hierarchies, k=k)
