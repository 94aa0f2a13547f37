"""How many people the classes of a release are that does not say whose its rows are.

Parameters and rows are those of the macro with the same name; `sqlanon.core.answer` says what an answer is.
"""

from __future__ import annotations

import duckdb

from sqlanon.core.answer import Names, answer
from sqlanon.core.connection import connection_first
from sqlanon.core.source import Source, names


@connection_first
def people_in_classes(
    con: duckdb.DuckDBPyConnection,
    release: Source,
    original: Source,
    qi: Names,
    unit: str,
    unchanged: Names | None = None,
    hierarchies: Source = None,
) -> duckdb.DuckDBPyRelation:
    """How many people the classes of a release are, by whose rows of the original can be there, a row per
    class: class, size, rows_there, least, most, is_counted.

    unit: the column of the original that says whose a row is. unchanged: the sensitive and further columns
    that left unchanged.
    """
    return answer(
        con, "people_in_classes", release, original, qi=names(qi, "qi"), unit=unit,
        unchanged=None if unchanged is None else names(unchanged, "unchanged"), hierarchies=hierarchies,
    )  # fmt: skip
