"""Hierarchies that people have in another form."""

from __future__ import annotations

import duckdb

from sqlanon.core.answer import answer
from sqlanon.core.connection import connection_first
from sqlanon.core.source import Source


@connection_first
def wide_hierarchy(con: duckdb.DuckDBPyConnection, source: Source, attribute: str) -> duckdb.DuckDBPyRelation:
    """The hierarchy of a table with a row per value and a column per level: attribute, value, level, label.

    Parameters and rows are those of the macro `sqlanon.wide_hierarchy`, errors of its kind InputErrors.
    """
    return answer(con, "wide_hierarchy", source, attribute)
