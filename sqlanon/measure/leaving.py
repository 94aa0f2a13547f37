"""What leaves with a release, column by column.

Parameters and rows are those of the macro with the same name; `sqlanon.core.answer` says what an answer is.
"""

from __future__ import annotations

import duckdb

from sqlanon.core.answer import Names, answer
from sqlanon.core.connection import connection_first
from sqlanon.core.source import Source, names


@connection_first
def leaving_columns(
    con: duckdb.DuckDBPyConnection,
    release: Source,
    qi: Names,
    sensitive: Names | None = None,
    masked: Names | None = None,
    original: Source = None,
    id: str | None = None,
    direct: Names | None = None,
) -> duckdb.DuckDBPyRelation:
    """What leaves: column, role, how, type, distinct_values, unique_share, looks_like, verdict, reason.

    original, id: what the release was made of, and the column of it that says who somebody is; then people
    are counted who have a value, not rows. direct: the columns that may name people.
    """
    return answer(
        con, "leaving_columns", release, qi=names(qi, "qi"), sensitive=names(sensitive, "sensitive"),
        masked=names(masked, "masked"), original=original, id=id, direct=names(direct, "direct"),
    )  # fmt: skip
