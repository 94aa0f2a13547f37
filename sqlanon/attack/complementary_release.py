"""The complementary release attack: two releases joined outside the quasi-identifiers.

Parameters and rows are those of the macro with the same name; `sqlanon.core.answer` says what an answer is.
"""

from __future__ import annotations

from collections.abc import Iterable

import duckdb

from sqlanon.attack.intersection import Formats, formats_given
from sqlanon.core.answer import Names, answer
from sqlanon.core.connection import connection_first
from sqlanon.core.source import Source, listed, names


@connection_first
def complementary_release(
    con: duckdb.DuckDBPyConnection,
    releases: Iterable[Source],
    qi: Names,
    join_columns: Names,
    hierarchies: Source = None,
    truth: str | None = None,
    weight: str | None = None,
    formats: Formats | None = None,
) -> duckdb.DuckDBPyRelation:
    """What a second release adds to the rows of a first, a row per distinct row of the first: its values,
    rows, learned, confidence, baseline, is_right, is_control, finer, pairs, compatible, linked_size.

    weight: the column that says how many people a row stands for. formats: how releases write qi.
    """
    return answer(
        con, "complementary_release", listed(releases), qi=names(qi, "qi"),
        join_columns=names(join_columns, "join_columns"), hierarchies=hierarchies, truth=truth,
        weight=weight, formats=formats_given(formats),
    )  # fmt: skip
