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
) -> list[tuple[str, int, bool]]:
    """The quasi-identifiers of many texts without a hierarchy, how many different ones each has, and whether
    these may be codes: not if they are numbers but for a few.

    table: a name for query_table. explained: the columns that have a hierarchy, in lower case.
    """
    described = execute(con, exp.Describe(this=select(relation(table))))
    of_text = {str(name).lower() for name, type_, *_ in described if type_ == "VARCHAR"}
    named = [name for name in qi if name.lower() in of_text and name.lower() not in explained]
    if not named:
        return []
    columns = [exp.column(each, quoted=True) for each in named]
    distinct = [exp.Count(this=exp.Distinct(expressions=[column])) for column in columns]
    words = [
        exp.Dot(
            this=exp.to_identifier("sqlanon"),
            expression=exp.Anonymous(this="_words_among_numbers", expressions=[column.copy()]),
        )
        for column in columns
    ]
    [found] = execute(con, select(relation(table), *distinct, *words))
    [(few,)] = execute(con, "select sqlanon._few()")
    each = zip(named, found[: len(named)], found[len(named) :], strict=True)
    return [(name, values, not odd) for name, values, odd in each if values > few]


def told_of_sets(name: str, values: int, are_codes: bool, by_mask: str) -> str:
    """What to say of such a column. by_mask: what makes the hierarchy of codes, where it is said."""
    return (
        f"{name} has {values:,} different texts and no hierarchy, so it is released as sets of them. A "
        "hierarchy says what they have in common"
        f"{f'; of codes whose first characters do: {by_mask}' if are_codes else ''}"
    )
