"""Hierarchies: built from a column, as people have them in another form, or that lack values.

Parameters and rows are those of the macros with the same names; `sqlanon.core.answer` says what an answer is.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from warnings import warn

import duckdb

from sqlanon.core.answer import Names, answer
from sqlanon.core.connection import connection_first
from sqlanon.core.source import Source, names


@connection_first
def flat_hierarchy(con: duckdb.DuckDBPyConnection, source: Source, attribute: str) -> duckdb.DuckDBPyRelation:
    """The values of a column, and * above them: attribute, value, level, label."""
    return answer(con, "flat_hierarchy", source, attribute=attribute)


@connection_first
def mask_hierarchy(con: duckdb.DuckDBPyConnection, source: Source, attribute: str) -> duckdb.DuckDBPyRelation:
    """The values of a column with one more character masked at each level: attribute, value, level, label."""
    return answer(con, "mask_hierarchy", source, attribute=attribute)


@connection_first
def interval_hierarchy(
    con: duckdb.DuckDBPyConnection,
    source: Source,
    attribute: str,
    widths: Iterable[float],
    origin: float = 0,
) -> duckdb.DuckDBPyRelation:
    """Numbers in intervals, each width a multiple of the one before: attribute, value, level, label."""
    return answer(con, "interval_hierarchy", source, attribute=attribute, widths=list(widths), origin=origin)


@connection_first
def date_hierarchy(
    con: duckdb.DuckDBPyConnection,
    source: Source,
    attribute: str,
    units: Names = ("month", "quarter", "year", "decade"),
) -> duckdb.DuckDBPyRelation:
    """Dates in longer and longer units: attribute, value, level, label."""
    return answer(con, "date_hierarchy", source, attribute=attribute, units=names(units, "units"))


@connection_first
def read_hierarchy(
    con: duckdb.DuckDBPyConnection,
    path: str | os.PathLike[str],
    attribute: str,
    separator: str | None = None,
    header: bool | None = None,
) -> duckdb.DuckDBPyRelation:
    """The hierarchy in a file of ARX or of a spreadsheet: attribute, value, level, label."""
    return answer(
        con, "read_hierarchy", path=os.fspath(path), attribute=attribute, separator=separator, header=header
    )


@connection_first
def wide_hierarchy(con: duckdb.DuckDBPyConnection, source: Source, attribute: str) -> duckdb.DuckDBPyRelation:
    """A table with a row per value and a column per level as a hierarchy: attribute, value, level, label."""
    return answer(con, "wide_hierarchy", source, attribute=attribute)


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
    told = "attribute, count(*) as n, sum(rows) as rows"
    for attribute, n, rows in lacking.aggregate(told, "attribute").order("attribute").fetchall():
        warn(
            f"the hierarchy of column {attribute} lacks {n:,} values, of {rows:,} rows, which lacking_values "
            "lists. At every level above 0 they are the label at the top",
            stacklevel=3,
        )
    return answer(con, "complete_hierarchies", source, names(columns, "columns"), hierarchies=hierarchies)
