"""What a release has lost against its original.

Parameters and rows are those of the macros with the same names; `sqlanon.core.answer` says what an answer is.
"""

from __future__ import annotations

import duckdb

from sqlanon.core.answer import Names, answer
from sqlanon.core.connection import connection_first
from sqlanon.core.source import Source, names


@connection_first
def utility(
    con: duckdb.DuckDBPyConnection,
    original: Source,
    release: Source,
    qi: Names,
    sensitive: Names | None = None,
    hierarchies: Source = None,
    *,
    k: int | None = None,
    id: str | None = None,
    queries: int = 1000,
    seed: int = 1,
    weight: str | None = None,
) -> duckdb.DuckDBPyRelation:
    """What a release has lost, a row per measure and column: measure, attribute, value, unit, id.

    weight: the column of both tables that says how many people each row stands for.
    """
    return answer(
        con, "utility", original, release, qi=names(qi, "qi"), sensitive=names(sensitive, "sensitive"),
        hierarchies=hierarchies,
        k=k, id=id, queries=queries, seed=seed, weight=weight,
    )  # fmt: skip


@connection_first
def count_errors(
    con: duckdb.DuckDBPyConnection,
    original: Source,
    release: Source,
    qi: Names,
    hierarchies: Source = None,
    *,
    count_column: str = "n",
    deviation_column: str = "standard_deviation",
    queries: int = 1000,
    seed: int = 1,
) -> duckdb.DuckDBPyRelation:
    """How well counts with noise answer range counts, and what is expected of the noise: measure, value,
    unit, id."""
    return answer(
        con, "count_errors", original, release, qi=names(qi, "qi"), hierarchies=hierarchies,
        count_column=count_column, deviation_column=deviation_column, queries=queries, seed=seed,
    )  # fmt: skip


@connection_first
def dominated(
    con: duckdb.DuckDBPyConnection, choices: Source, id: str, columns: Names
) -> duckdb.DuckDBPyRelation:
    """Which of several choices another one dominates, which is at least as good in all columns (less is
    better) and better in one: id, dominated, dominated_by."""
    return answer(con, "dominated", choices, id=id, columns=names(columns, "columns"))
