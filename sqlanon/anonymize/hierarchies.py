"""Hierarchies that people have in another form, or that lack values.

Parameters and rows are those of the macros with the same names; `sqlanon.core.answer` says what an answer is.
"""

from __future__ import annotations

from warnings import warn

import duckdb

from sqlanon.core.answer import Names, answer
from sqlanon.core.connection import connection_first
from sqlanon.core.source import Source, names


@connection_first
def wide_hierarchy(con: duckdb.DuckDBPyConnection, source: Source, attribute: str) -> duckdb.DuckDBPyRelation:
    """A table with a row per value and a column per level as a hierarchy: attribute, value, level, label."""
    return answer(con, "wide_hierarchy", source, attribute)


@connection_first
def lacking_values(
    con: duckdb.DuckDBPyConnection, source: Source, columns: Names, hierarchies: Source
) -> duckdb.DuckDBPyRelation:
    """The values of a table that its hierarchies lack: attribute, value, rows."""
    return answer(con, "lacking_values", source, names(columns, "columns"), hierarchies=hierarchies)


@connection_first
def complete_hierarchies(
    con: duckdb.DuckDBPyConnection, source: Source, columns: Names, hierarchies: Source
) -> duckdb.DuckDBPyRelation:
    """The hierarchies with the values that they lack, which are the label at the top at every level above 0:
    attribute, value, level, label. A warning tells of how many values and rows that is so."""
    lacking = lacking_values(con, source, columns, hierarchies)
    told = "attribute, count(*) as n, sum(rows) as rows, min(coalesce(value, 'NULL'), 10) as shown"
    for attribute, n, rows, shown in lacking.aggregate(told, "attribute").order("attribute").fetchall():
        more = f" and {n - len(shown):,} others" if n > len(shown) else ""
        warn(
            f"the hierarchy of column {attribute} lacks {n:,} values, of {rows:,} rows: "
            f"{', '.join(shown)}{more}. At every level above 0 they are the label at the top",
            stacklevel=3,
        )
    return answer(con, "complete_hierarchies", source, names(columns, "columns"), hierarchies=hierarchies)
