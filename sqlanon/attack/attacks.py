"""Which attacks there are, and what the answer of one sums up to.

Parameters and rows are those of the macros with the same names; `sqlanon.core.answer` says what an answer is.
"""

from __future__ import annotations

import duckdb

from sqlanon.core.answer import answer as answer_of
from sqlanon.core.connection import connection_first
from sqlanon.core.source import Source


@connection_first
def attacks(con: duckdb.DuckDBPyConnection) -> duckdb.DuckDBPyRelation:
    """The attacks, one row each: attack (its macro), subject, description, needs, source, weight (a column of
    its answer), releases (how many), targets (some or all), summary (the macro that sums it up)."""
    return answer_of(con, "attacks")


@connection_first
def attack_summary(
    con: duckdb.DuckDBPyConnection, answer: Source, weight: str | None = None, unit: str | None = None
) -> duckdb.DuckDBPyRelation:
    """The answer of an attack summed up: measure, value, unit, low, high, id.

    weight: the column of the answer that says how many people a row is about. unit: the one that says whose a
    row is, where people have several.
    """
    return answer_of(con, "attack_summary", answer, weight=weight, unit=unit)
