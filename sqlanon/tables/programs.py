"""Linear and integer programs as a function of SQL (linear_bounds.py), for sql/tables/cell_bounds.sql."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import ExitStack
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import duckdb

from sqlanon.core.answer import answer
from sqlanon.core.errors import InputError
from sqlanon.core.library import ensure_registered, has_function, keep_in_memory, registering
from sqlanon.core.source import Source, fresh_name, named

if TYPE_CHECKING:
    from sqlglot import exp

_CELLS = "STRUCT(lo DOUBLE, hi DOUBLE, is_asked BOOLEAN, known_alone DOUBLE)[]"
_CONSTRAINTS = 'STRUCT(least DOUBLE, most DOUBLE, "cells" BIGINT[], signs BIGINT[])[]'
_ANSWER = (
    "STRUCT(intervals STRUCT(lower_bound DOUBLE, upper_bound DOUBLE, is_proven BOOLEAN, "
    "is_wide BOOLEAN, insider_lower DOUBLE, insider_upper DOUBLE)[], conflict BIGINT[])"
)
_HIDEABLE = (
    'STRUCT(amount DOUBLE, n BIGINT, "first" DOUBLE, "second" DOUBLE, least DOUBLE, "cost" DOUBLE, '
    '"is_unsafe" BOOLEAN, "up" DOUBLE, "down" DOUBLE, "name" VARCHAR)[]'
)
_SUMS = "STRUCT(total BIGINT, parts BIGINT[])[]"
_RULES = "STRUCT(threshold BIGINT, one_percent DOUBLE, two_percent DOUBLE, p DOUBLE, q DOUBLE)"
_BOXES = "STRUCT(lo DOUBLE, hi DOUBLE, mean VARCHAR, median VARCHAR, atoms BIGINT[])[]"
_TAKEN_BY_SQL = """
    create or replace macro sqlanon._component_bounds(cells, constraints, whole, programs, seconds, rule) as
        _sqlanon_component_bounds(cells, constraints, whole, programs, seconds, rule);
    create or replace macro sqlanon._suppression(cells, sums, rules, whole, additive, seconds) as
        _sqlanon_suppression(cells, sums, rules, whole, additive, seconds);
    create or replace macro sqlanon._controlled_rounding(amounts, sums, base, seconds) as
        _sqlanon_controlled_rounding(amounts, sums, base, seconds);
    create or replace macro sqlanon._reconstruction(atom_values, boxes, decimals, max_sets, seconds) as
        _sqlanon_reconstruction(atom_values, boxes, decimals, max_sets, seconds)"""


def has_solver() -> bool:
    """Is HiGHS installed?"""
    return find_spec("highspy") is not None


def require_solver() -> None:
    """Errors: InputError where HiGHS is not installed."""
    if not has_solver():
        raise InputError(
            "linear programs need highspy, which is not installed: pip install 'sqlanon[tables]' "
            "(cell_bounds and tables_together do without by programs='none', which leaves some bounds "
            "unfinished)"
        )


def register_programs(con: duckdb.DuckDBPyConnection) -> None:
    """Make the programs known to SQL. Doing it again does no harm."""
    from sqlanon.tables.controlled_rounding import controlled_rounding
    from sqlanon.tables.linear_bounds import component_bounds
    from sqlanon.tables.reconstruction import reconstruction
    from sqlanon.tables.suppression import suppression

    keep_in_memory(con)
    with registering("_sqlanon_component_bounds"), con.cursor() as cursor:
        if not has_function(cursor, "_sqlanon_component_bounds"):
            with_null: dict[str, Any] = {"null_handling": "special"}
            cursor.create_function(
                "_sqlanon_component_bounds",
                component_bounds,
                [_CELLS, _CONSTRAINTS, "BOOLEAN", "VARCHAR", "DOUBLE", "BIGINT"],
                _ANSWER,
            )
            cursor.create_function(
                "_sqlanon_suppression",
                suppression,
                [_HIDEABLE, _SUMS, _RULES, "BOOLEAN", "BOOLEAN", "DOUBLE"],
                "STRUCT(is_hidden BOOLEAN[], problem VARCHAR)",
            )
            cursor.create_function(
                "_sqlanon_controlled_rounding",
                controlled_rounding,
                ["DOUBLE[]", _SUMS, "DOUBLE", "DOUBLE"],
                "STRUCT(multiples BIGINT[], problem VARCHAR)",
            )
            cursor.create_function(
                "_sqlanon_reconstruction",
                reconstruction,
                ["DOUBLE[]", _BOXES, "BIGINT", "BIGINT", "DOUBLE"],
                "STRUCT(certain BIGINT[], example BIGINT[], sets BIGINT, is_proven BOOLEAN, problem VARCHAR)",
                **with_null,
            )
        cursor.execute(_TAKEN_BY_SQL).fetchall()


def solved(
    con: duckdb.DuckDBPyConnection, macro: str, cells: Source | list[Source], **given: Any
) -> duckdb.DuckDBPyRelation:
    """The answer of a macro that solves programs.

    Where they are needed and the extra `tables` is not installed, that is an InputError.
    """
    needed = {
        "cell_bounds": given.get("programs") in ("linear", "integer"),
        "guess_by_marginals": False,
        "round_cells": given.get("rounding") == "controlled",
        "tables_together": given.get("programs") != "none",
    }
    if needed.get(macro, True):
        require_solver()
        register_programs(con)
    return answer(con, macro, cells, **given)


def solved_together(
    con: duckdb.DuckDBPyConnection,
    macro: str,
    tables: list[Source],
    *,
    titles: list[str] | None,
    **given: Any,
) -> duckdb.DuckDBPyRelation:
    """The answer of a macro that solves programs about several tables, each by its name, or its number."""
    called = titles or [
        os.fspath(each) if isinstance(each, str | os.PathLike) else f"{kind} {number}"
        for kind, sources in (("table", tables), ("release", given.get("releases") or ()))
        for number, each in enumerate(sources, 1)
    ]
    if macro != "tables_together":
        return solved(con, macro, tables, titles=called, **given)
    if given["programs"] != "none":
        require_solver()
        register_programs(con)
    return _known_together(con, {"tables": tables, "titles": called, **given})


def _known_together(con: duckdb.DuckDBPyConnection, given: Mapping[str, Any]) -> duckdb.DuckDBPyRelation:
    """The answer of tables_together, kept."""

    from sqlanon.core import statements
    from sqlanon.tables.agreeing import known_in_all

    ensure_registered(con)
    with ExitStack() as stack:

        def name(source: Any) -> Any:
            if source is None:
                return None
            if isinstance(source, list):
                return [name(each) for each in source]
            return stack.enter_context(named(con, source))

        of_tables = {each: name(given[each]) for each in ("tables", "releases", "hierarchies", "domain")}

        def make(arguments: Mapping[str, Any]) -> exp.Table:
            made = statements.table(fresh_name("tables_together"))
            query = statements.call("tables_together", **arguments)
            statements.execute(con, statements.create(made, query, temporary=True))
            return made

        every = known_in_all(con, {**given, **of_tables}, make)
        return statements.answer(con, statements.select(every))


def solved_if_possible(
    con: duckdb.DuckDBPyConnection, macro: str, counts: Source, **given: Any
) -> duckdb.DuckDBPyRelation:
    """The answer of a macro, with programs where these can be solved.

    Without the extra `tables` programs are none: what they would have to prove is unfinished.
    """
    if given["programs"] != "none" and has_solver():
        register_programs(con)
    return answer(con, macro, counts, **given)
