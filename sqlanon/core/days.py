"""Days that a table has as times, which would be released as [1970-03-11 00:00:00, ...]."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Any

import duckdb
from sqlglot import exp

from sqlanon.core import statements


def days_among(con: duckdb.DuckDBPyConnection, table: exp.Expression, columns: Collection[str]) -> list[str]:
    """The columns whose values are times without a zone, all of them at midnight."""
    wanted = {column.lower() for column in columns}
    described = statements.execute(con, exp.Describe(this=statements.select(table.copy())))
    times = [
        str(name)
        for name, type_, *_ in described
        if str(name).lower() in wanted and re.fullmatch(r"TIMESTAMP(_S|_MS|_NS)?", str(type_))
    ]
    if not times:
        return []
    quoted = [exp.column(name, quoted=True) for name in times]
    at_midnight: list[Any] = [
        exp.LogicalAnd(
            this=exp.EQ(this=time, expression=exp.cast(exp.cast(time.copy(), "date"), "timestamp"))
        )
        for time in quoted
    ]
    [found] = statements.execute(con, statements.select(table.copy(), *at_midnight))
    return [name for name, is_day in zip(times, found, strict=True) if is_day]


def with_days(table: exp.Expression, days: Collection[str]) -> exp.Select:
    """A table, with these columns as days."""
    named = [
        exp.alias_(exp.cast(exp.column(column, quoted=True), "date"), column, quoted=True) for column in days
    ]
    return statements.select(table, exp.Star(**{"replace": named} if named else {}))
