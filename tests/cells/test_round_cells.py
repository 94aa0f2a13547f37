"""Rounded cells against rounding in fractions, and what they tell against all numbers that round so."""

# As texts: Hypothesis keeps evaluated annotations, and DuckDB 2.0 reports its types there as leaks.
from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sqlanon
from sqlanon.core.errors import SqlanonError
from tests.budget import examples

METHODS = ("nearest", "random", "midpoint")


@pytest.fixture(scope="module")
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        sqlanon.register(connection)
        yield connection


def load(con: duckdb.DuckDBPyConnection, values: Sequence[Any], type_: str = "bigint") -> None:
    con.execute(
        f"create or replace table own as select i as a, values[i + 1]::{type_} as value "
        "from (select ? as values), range(len(values)) as place(i)", [list(values)]
    ).fetchall()  # fmt: skip


def rounded(con: duckdb.DuckDBPyConnection, base: float, method: str, **more: Any) -> list[float]:
    made = sqlanon.round_cells(con, "own", "a", base, method, **more)
    return [value for _, value in sorted((int(a), value) for a, value in made.fetchall())]


def possible(value: int, base: int, method: str) -> set[Fraction]:
    """What a count can be rounded to."""
    lower = Fraction(value // base * base)
    if method == "nearest":
        return {lower if 2 * (value - lower) < base else lower + base}
    if method == "midpoint":
        return {
            Fraction(0)
            if value == 0
            else Fraction(math.ceil(Fraction(value, base)) * base) - Fraction(base, 2)
        }
    return {lower} if value == lower else {lower, lower + base}


@examples(60)
@given(values=st.lists(st.integers(0, 40), min_size=1, max_size=12), base=st.integers(1, 9))
@pytest.mark.parametrize("method", METHODS)
def test_counts(con: duckdb.DuckDBPyConnection, values: list[int], base: int, method: str) -> None:
    load(con, values)
    found = rounded(con, base, method, seed=1)
    for value, shown in zip(values, found, strict=True):
        assert Fraction(shown) in possible(value, base, method)


@examples(40)
@given(values=st.lists(st.integers(0, 25), min_size=1, max_size=8), base=st.integers(2, 7))
@pytest.mark.parametrize("method", METHODS)
def test_what_it_tells(con: duckdb.DuckDBPyConnection, values: list[int], base: int, method: str) -> None:
    """Exactly the counts that can be rounded to what is shown. (Others may round halves down.)"""
    load(con, values)
    shown = rounded(con, base, method, seed=2)
    load(con, shown, "double")
    told = sqlanon.cell_bounds(con, "own", "a", base=base, rounding=method, programs="none").fetchall()
    for label, lower, upper, _ in told:
        number = Fraction(shown[int(label)])
        counts = [
            value for value in range(100)
            if number in possible(value, base, method)
            or (method == "nearest" and 2 * abs(value - number) == base)
        ]  # fmt: skip
        assert (lower, upper) == (counts[0], counts[-1])


def test_a_rounded_zero_says_nothing_of_hidden_cells(con: duckdb.DuckDBPyConnection) -> None:
    """Without rounding, a 0 that is shown says that no zero is hidden."""
    rows = "('x', '0'), ('y', '*'), ('total', '5')"
    con.execute(f"create or replace table own as from (values {rows}) as row(a, value)").fetchall()
    exact = sqlanon.cell_bounds(con, "own", "a", programs="none").fetchall()
    assert exact == [("y", 5, 5, False)]
    con.execute("update own set value = '0' where a = 'total'").fetchall()
    rounded = sqlanon.cell_bounds(con, "own", "a", base=5, programs="none").fetchall()
    assert ("y", 0, 2, False) in rounded


def test_random_rounding_is_right_on_average(con: duckdb.DuckDBPyConnection) -> None:
    """4,000 cells of 3, with a base of 5: up in three of five."""
    load(con, [3] * 4000)
    mean = sum(rounded(con, 5, "random", seed=7)) / 4000
    assert abs(mean - 3) < 5 * 5 * math.sqrt(0.24 / 4000)  # five standard errors


def test_a_seed_fixes_what_is_drawn_for_a_cell(con: duckdb.DuckDBPyConnection) -> None:
    load(con, [3] * 50)
    first = rounded(con, 5, "random", seed=7)
    load(con, [*([3] * 50), 4])
    assert rounded(con, 5, "random", seed=7)[:50] == first
    assert rounded(con, 5, "random", seed=8)[:50] != first
    assert rounded(con, 5, "random") != rounded(con, 5, "random")


def test_sums_and_totals(con: duckdb.DuckDBPyConnection) -> None:
    rows = "('x', 12.5), ('y', 2.5), ('total', 15)"
    con.execute(f"create or replace table own as from (values {rows}) as row(a, value)").fetchall()
    found = dict(sqlanon.round_cells(con, "own", "a", 10).fetchall())
    assert found == {"x": 10, "y": 0, "total": 20}


@pytest.mark.parametrize(
    ("values", "arguments", "told"),
    [
        (
            [1, None],
            {"base": 5},
            "no number of at least 0 in 1 cells, such as 1: round before cells are hidden",
        ),
        ([1, -1], {"base": 5}, "no number of at least 0 in 1 cells"),
        ([1], {"base": 0}, "base must be above 0"),
        ([1], {"base": 5, "rounding": "up"}, "rounding must be nearest, random or midpoint, not up"),
        ([], {"base": 5}, "table own is empty"),
    ],
)
def test_bad_input(
    con: duckdb.DuckDBPyConnection, values: list[Any], arguments: dict[str, Any], told: str
) -> None:
    load(con, values)
    with pytest.raises(SqlanonError, match=told):
        sqlanon.round_cells(con, "own", "a", **arguments)
