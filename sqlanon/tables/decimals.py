"""The type with which sums leave: whole numbers as such, others with the decimals of their source."""

from __future__ import annotations

from collections.abc import Sequence

import duckdb
from sqlglot import exp

from sqlanon.core.statements import call, execute, relation, select

FLOATING = ("DOUBLE", "FLOAT")
SUMS = ("value", "largest", "second")  # columns of cells


def types_of_sums(
    con: duckdb.DuckDBPyConnection, table: str, names: Sequence[str] = SUMS
) -> dict[str, exp.DataType]:
    """By the name of a column of a table that has DOUBLEs, what they are: BIGINT or DECIMAL. Not of those
    that have no end, such as thirds."""
    types = {
        name.lower(): kind for name, kind, *_ in execute(con, exp.Describe(this=select(relation(table))))
    }
    found = {}
    for name in names:
        if types.get(name) not in FLOATING:
            continue
        [(decimals,)] = execute(con, call("_decimals_of_column", table, name))
        if decimals is not None:
            found[name] = exp.DataType.build(
                "bigint" if decimals == 0 else f"decimal(38, {decimals})", dialect="duckdb"
            )
    return found


def value_that_leaves(con: duckdb.DuckDBPyConnection, table: str) -> exp.Expression:
    """The column `value` of a table as it leaves."""
    kind = types_of_sums(con, table, ("value",)).get("value")
    return exp.column("value") if kind is None else exp.cast(exp.column("value"), kind)


def with_types_of_sums(con: duckdb.DuckDBPyConnection, table: str) -> exp.Select:
    """The rows of a table of cells as they leave."""
    replaced = [
        exp.Alias(this=exp.cast(exp.column(name), kind), alias=exp.to_identifier(name))
        for name, kind in types_of_sums(con, table).items()
    ]
    return select(relation(table), exp.Star(**{"replace": replaced} if replaced else {}))
