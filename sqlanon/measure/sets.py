"""Quasi-identifiers of many texts that no hierarchy explains, which are released as sets of these texts."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

import duckdb
from sqlglot import exp

from sqlanon.core.statements import execute, relation, select
from sqlanon.core.text_files import formats_of_texts

# Macros that release texts without a hierarchy as sets.
OF_SETS = ("mondrian", "k_similar", "m_invariant")


def columns_of_sets(
    con: duckdb.DuckDBPyConnection, table: str, qi: Sequence[str], explained: Collection[str]
) -> list[tuple[str, int, str]]:
    """The quasi-identifiers of many texts without a hierarchy, how many different ones each has, and what
    these may be: codes, days (or the type that reads all of them), or numbers, which they are but for a few.

    table: a name for query_table. explained: the columns that have a hierarchy, in lower case.
    """
    described = execute(con, exp.Describe(this=select(relation(table))))
    of_text = {str(name).lower() for name, type_, *_ in described if type_ == "VARCHAR"}
    named = [name for name in qi if name.lower() in of_text and name.lower() not in explained]
    if not named:
        return []
    columns = [exp.column(each, quoted=True) for each in named]
    distinct = [exp.Count(this=exp.Distinct(expressions=[column])) for column in columns]
    words, days = (
        [
            exp.Dot(
                this=exp.to_identifier("sqlanon"),
                expression=exp.Anonymous(this=macro, expressions=[column.copy()]),
            )
            for column in columns
        ]
        for macro in ("_words_among_numbers", "_are_written_days")
    )
    found = [execute(con, select(relation(table), *each))[0] for each in (distinct, words, days)]
    [(few,)] = execute(con, "select sqlanon._few()")
    of_many = [each for each in zip(named, *found, strict=True) if each[1] > few]
    formats = formats_of_texts(con, table, [name for name, *_, are_days in of_many if are_days])
    return [
        (name, values, formats.get(name, [("days", [])])[0][0] if are_days else "numbers" if odd else "codes")
        for name, values, odd, are_days in of_many
    ]


def sets_in_words(name: str, values: int, looks: str, by_mask: str, by_date: Callable[[str], str]) -> str:
    """What to say of such a column. looks: as in `columns_of_sets`; by_mask: what makes the hierarchy of
    codes; by_date: what reads days of a type."""
    advice = {
        "codes": f"A hierarchy says what they have in common; of codes whose first characters do: {by_mask}",
        "days": "They look like days, but no format reads all of them: where all are written in one of two "
        "ways they are read as dates, and released as ranges",
        "numbers": "A hierarchy says what they have in common",
    }.get(looks) or f"They are days, which as dates are released as ranges: {by_date(looks)}"
    return (
        f"{name} has {values:,} different texts and no hierarchy, so it is released as sets of them. {advice}"
    )
