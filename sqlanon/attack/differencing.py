"""Differencing: suppressed counts that totals give away."""

from __future__ import annotations

from typing import Any

import duckdb

from sqlanon.core.answer import answer
from sqlanon.core.source import Source
from sqlanon.tables.programs import has_solver, register_programs


def with_programs(
    con: duckdb.DuckDBPyConnection, macro: str, counts: Source, **parameters: Any
) -> duckdb.DuckDBPyRelation:
    """The answer of a macro that solves linear programs, where it can.

    Without the extra `tables` programs are none: what they would have to prove is unfinished.
    """
    if parameters["programs"] != "none" and has_solver():
        register_programs(con)
    return answer(con, macro, counts, **parameters)
