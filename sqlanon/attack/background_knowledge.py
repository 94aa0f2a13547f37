"""What the classes of one release give away, to an adversary who knows nothing more or a few things.

Parameters and rows are those of the macros with the same names; `sqlanon.core.answer` says what an answer is.
"""

from __future__ import annotations

import duckdb

from sqlanon.core.answer import Names, answer
from sqlanon.core.connection import connection_first
from sqlanon.core.source import Source, names


@connection_first
def homogeneity(
    con: duckdb.DuckDBPyConnection,
    release: Source,
    qi: Names,
    sensitive: Names,
    weight: str | None = None,
) -> duckdb.DuckDBPyRelation:
    """The most frequent value of each class, and its share: qi, size, sensitive, learned, confidence,
    baseline, is_right, is_control, distinct_values.

    weight: the column that says how many people a row stands for.
    """
    return answer(
        con, "homogeneity", release, qi=names(qi, "qi"), sensitive=names(sensitive, "sensitive"),
        weight=weight,
    )  # fmt: skip


@connection_first
def background_knowledge(
    con: duckdb.DuckDBPyConnection,
    release: Source,
    qi: Names,
    sensitive: Names,
    k: int = 1,
    knowledge: str = "implications",
    weight: str | None = None,
) -> duckdb.DuckDBPyRelation:
    """How sure of a value somebody can be who knows k things more, the worst there are, a row per class: qi,
    size, sensitive, learned, confidence, baseline, is_right, is_control, alone.

    knowledge: negations or implications. weight: as in `homogeneity`.
    """
    return answer(
        con, "background_knowledge", release, qi=names(qi, "qi"), sensitive=names(sensitive, "sensitive"),
        k=k, knowledge=knowledge, weight=weight,
    )  # fmt: skip


@connection_first
def maximum_disclosure(
    con: duckdb.DuckDBPyConnection,
    release: Source,
    qi: Names,
    sensitive: Names,
    k: int = 5,
    weight: str | None = None,
) -> duckdb.DuckDBPyRelation:
    """The worst class for 0 to k pieces of each knowledge: sensitive, knowledge, k, disclosure, certain,
    size, class.

    weight: as in `homogeneity`.
    """
    return answer(
        con, "maximum_disclosure", release, qi=names(qi, "qi"), sensitive=names(sensitive, "sensitive"), k=k,
        weight=weight,
    )  # fmt: skip
