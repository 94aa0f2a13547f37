"""The unsorted matching attack: two releases matched by the position of their rows.

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
def unsorted_matching(
    con: duckdb.DuckDBPyConnection,
    releases: Iterable[Source],
    qi: Names,
    hierarchies: Source = None,
    truth: str | None = None,
    formats: Formats | None = None,
) -> duckdb.DuckDBPyRelation:
    """What two releases tell of the rows at the same position, a row for each: position, learned,
    confidence, baseline, is_right, is_control, finer, score, expected_score.

    formats: how releases write qi.
    """
    return answer(
        con, "unsorted_matching", listed(releases), qi=names(qi, "qi"), hierarchies=hierarchies, truth=truth,
        formats=formats_given(formats),
    )  # fmt: skip
