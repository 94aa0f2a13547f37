"""Hierarchies that lack values."""

from __future__ import annotations

from warnings import warn

import duckdb

from sqlanon.core.answer import answer
from sqlanon.core.source import Source


def completed(
    con: duckdb.DuckDBPyConnection,
    macro: str,
    source: Source,
    *,
    columns: list[str] | None,
    hierarchies: Source,
) -> duckdb.DuckDBPyRelation:
    """Hierarchies with the values that they lack.

    A warning tells of how many values and rows that is so.
    """
    about = {"columns": columns, "hierarchies": hierarchies}
    sums = "attribute, count(*) as n, sum(rows) as rows"
    lacking = answer(con, "lacking_values", source, **about).aggregate(sums, "attribute").order("attribute")
    for attribute, n, rows in lacking.fetchall():
        warn(
            f"the hierarchy of column {attribute} lacks {n:,} values, of {rows:,} rows, which lacking_values "
            "lists. At every level above 0 they are the label at the top",
            stacklevel=4,
        )
    return answer(con, macro, source, **about)
