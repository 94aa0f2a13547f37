"""What a perturbed table still tells of its original.

Parameters and rows are those of the macros with the same names; `sqlanon.core.answer` says what an answer is.
"""

from __future__ import annotations

import duckdb

from sqlanon.core.answer import Names, answer
from sqlanon.core.connection import connection_first
from sqlanon.core.source import Source, names


@connection_first
def disclosure(
    con: duckdb.DuckDBPyConnection,
    original: Source,
    release: Source,
    id: str,
    columns: Names,
    within: float = 0.05,
    weight: str | None = None,
) -> duckdb.DuckDBPyRelation:
    """What a perturbed release leaves unchanged or near the true values, a row per column and one for all of
    them: attribute, rows, unchanged, near, at_bottom, at_top.

    weight: the column of both tables that says how many people each record stands for.
    """
    return answer(
        con, "disclosure", original, release, id=id, columns=names(columns, "columns"), within=within,
        weight=weight,
    )  # fmt: skip


@connection_first
def record_linkage(
    con: duckdb.DuckDBPyConnection,
    original: Source,
    release: Source,
    id: str,
    columns: Names,
    weight: str | None = None,
) -> duckdb.DuckDBPyRelation:
    """How many released rows are nearest to their own original, in one row: rows, linked, share, guess.

    weight: as in `disclosure`.
    """
    return answer(
        con, "record_linkage", original, release, id=id, columns=names(columns, "columns"), weight=weight
    )
