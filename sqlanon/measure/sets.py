"""Quasi-identifiers of many texts that no hierarchy explains, which are released as sets of these texts."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import duckdb
from sqlglot import exp

from sqlanon.core.statements import execute, relation, select

# Macros that release texts without a hierarchy as sets.
OF_SETS = ("mondrian", "k_similar", "m_invariant")


def columns_of_sets(
    con: duckdb.DuckDBPyConnection, table: str, qi: Sequence[str], explained: Collection[str]
) -> list[tuple[str, int]]:
    """The quasi-identifiers of many texts without a hierarchy, and how many different ones each has.

    table: a name for query_table. explained: the columns that have a hierarchy, in lower case.
    """
    described = execute(con, exp.Describe(this=select(relation(table))))
    of_text = {str(name).lower() for name, type_, *_ in described if type_ == "VARCHAR"}
    named = [name for name in qi if name.lower() in of_text and name.lower() not in explained]
    if not named:
        return []
    distinct = [exp.Count(this=exp.Distinct(expressions=[exp.column(each, quoted=True)])) for each in named]
    [counts] = execute(con, select(relation(table), *distinct))
    [(few,)] = execute(con, "select sqlanon._few()")
    return [(name, values) for name, values in zip(named, counts, strict=True) if values > few]


def told_of_sets(name: str, values: int, by_mask: str) -> str:
    """What to say of such a column. by_mask: what makes the hierarchy of codes, where it is said."""
    return (
        f"{name} has {values:,} different texts and no hierarchy, so it is released as sets of them. A "
        f"hierarchy says what they have in common; of codes whose first characters do: {by_mask}"
    )
