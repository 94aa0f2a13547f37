"""A session's settings change neither rows nor numbers."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import duckdb
import pytest

import sqlanon

pytestmark = pytest.mark.both_lines

TABLES = """
create table people as
    select range as id, (hash(range, 1) % 23)::integer - 3 as age,
           case when range % 17 > 0 then '13' || hash(range, 2) % 9 end as zip,
               'd' || hash(range, 3) % 4 as disease
    from range(120);
create table h as
    from sqlanon.interval_hierarchy('people', 'age', widths := [5, 10])
    union all from sqlanon.mask_hierarchy('people', 'zip');
create table r1 as from sqlanon.mondrian('people', qi := ['age', 'zip'], sensitive := 'disease', k := 4,
    seed := 1);
create table r2 as from sqlanon.optimal('people', qi := ['age', 'zip'], sensitive := 'disease',
    hierarchies := 'h', k := 4,
                                        suppression_limit := 0.1, seed := 1);
"""

QUERIES = {
    "mondrian": "sqlanon.mondrian('people', qi := ['age', 'zip'], sensitive := 'disease', k := 4, t := 0.5, "
    "seed := 1)",
    "optimal": "sqlanon.optimal('people', qi := ['age', 'zip'], hierarchies := 'h', k := 4, "
    "suppression_limit := 0.1, seed := 1)",
    "violations": "sqlanon.violations('people', qi := ['age', 'zip'], sensitive := 'disease', k := 4, "
    "t := 0.3)",
    "privacy": "sqlanon.privacy('r1', qi := ['age', 'zip'], sensitive := 'disease')",
    "attack": """sqlanon.intersection_attack(['r1', 'r2'], targets := 'people', id := 'id',
        qi := ['age', 'zip'], sensitive := 'disease',
                                             hierarchies := 'h', truth := 'disease', exact_cover := true)""",
}

# Each may mean something to one of our expressions: order, NULLs, division, casts, times, plans.
SETTINGS = [
    "default_null_order = 'nulls_first'",
    "default_null_order = 'nulls_last_on_asc_first_on_desc'",
    "integer_division = true",
    "ieee_floating_point_ops = false",
    "old_implicit_casting = true",
    "scalar_subquery_error_on_multiple_rows = false",
    "order_by_non_integer_literal = true",
    "preserve_insertion_order = false",
    "preserve_identifier_case = false",
    "disabled_optimizers = 'filter_pushdown,join_order,statistics_propagation,cte_inlining'",
    "TimeZone = 'Asia/Tokyo'",
    "Calendar = 'japanese'",
    "memory_limit = '260MB'",
    "threads = 1",
]


def comparable(value: Any) -> Any:
    """Without the last digits of numbers, which depend on the order of sums."""
    if isinstance(value, float):
        return f"{value:.10g}" if math.isfinite(value) else str(value)
    if isinstance(value, list | tuple):
        return [comparable(each) for each in value]
    if isinstance(value, dict):
        return {name: comparable(each) for name, each in value.items()}
    return value


def answers(con: duckdb.DuckDBPyConnection) -> dict[str, list[str]]:
    """The rows of all queries; their order is not promised."""
    return {
        name: sorted(repr(comparable(row)) for row in con.execute(f"from {query}").fetchall())
        for name, query in QUERIES.items()
    }


@pytest.fixture(scope="module")
def session() -> Iterator[tuple[duckdb.DuckDBPyConnection, dict[str, list[str]]]]:
    """A connection with tables, and what it answers without settings."""
    with duckdb.connect() as con:
        sqlanon.register(con)
        con.execute(TABLES).fetchall()
        yield con, answers(con)


@pytest.mark.slow("1.0 s a case; minutes without optimizers", but=(0,))
@pytest.mark.parametrize("setting", SETTINGS)
def test_a_setting_changes_nothing(
    session: tuple[duckdb.DuckDBPyConnection, dict[str, list[str]]], setting: str
) -> None:
    con, expected = session
    con.execute(f"set {setting}").fetchall()
    try:
        assert answers(con) == expected
    finally:
        con.execute(f"reset {setting.partition(' = ')[0]}").fetchall()


@pytest.mark.slow("3 s a case", but=(1, 2, 3, 4))
@pytest.mark.parametrize("query", QUERIES.values(), ids=QUERIES)
def test_orders_that_are_turned_around_are_refused(
    session: tuple[duckdb.DuckDBPyConnection, dict[str, list[str]]], query: str
) -> None:
    """Mondrian would never end, and violations would count others."""
    con, _ = session
    con.execute("set default_order = 'desc'").fetchall()
    try:
        with pytest.raises(duckdb.InvalidInputException, match="RESET default_order first"):
            con.execute(f"from {query}").fetchall()
        with pytest.raises(sqlanon.InputError, match="RESET default_order first"):
            sqlanon.mondrian(con, "people", qi=["age", "zip"], k=4)
    finally:
        con.execute("reset default_order").fetchall()
