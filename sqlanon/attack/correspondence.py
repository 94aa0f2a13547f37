"""Attacks on two releases of a growing table.

Parameters and rows are those of the macros with the same names; `sqlanon.core.answer` says what an answer is.
"""

from __future__ import annotations

from collections.abc import Iterable

import duckdb

from sqlanon.attack.intersection import Formats, formats_given
from sqlanon.core.answer import Names, answer
from sqlanon.core.connection import connection_first
from sqlanon.core.source import Source, listed, names


@connection_first
def correspondence(
    con: duckdb.DuckDBPyConnection,
    releases: Iterable[Source],
    qi: Names,
    sensitive: str,
    hierarchies: Source = None,
    weight: str | None = None,
    formats: Formats | None = None,
) -> duckdb.DuckDBPyRelation:
    """How many rows of two releases are left in which a victim can be (BCF-anonymity), a row per pair of
    compatible classes: class_id, later_class_id, learned, ..., f_anonymity, c_anonymity, b_anonymity,
    anonymity.

    weight: the column that says how many people a row stands for. formats: how releases write qi.
    """
    return answer(
        con, "correspondence", listed(releases), qi=names(qi, "qi"), sensitive=sensitive,
        hierarchies=hierarchies, weight=weight, formats=formats_given(formats),
    )  # fmt: skip


@connection_first
def insert_only(
    con: duckdb.DuckDBPyConnection,
    releases: Iterable[Source],
    qi: Names,
    sensitive: str,
    hierarchies: Source = None,
    weight: str | None = None,
    formats: Formats | None = None,
) -> duckdb.DuckDBPyRelation:
    """What is left of a later class without the earlier rows that must be in it, a row per earlier class and
    one for all of them: class_id, later_class_id, learned, ..., rows, diversity, remaining, is_new.

    weight, formats: as in `correspondence`.
    """
    return answer(
        con, "insert_only", listed(releases), qi=names(qi, "qi"), sensitive=sensitive,
        hierarchies=hierarchies, weight=weight, formats=formats_given(formats),
    )  # fmt: skip
