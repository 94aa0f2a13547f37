"""Rounded cells against rounding in fractions, and what they tell against all numbers that round so."""

# As texts: Hypothesis keeps evaluated annotations, and DuckDB 2.0 reports its types there as leaks.
from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from typing import Any, TypeAlias

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sqlanon
from sqlanon.core.errors import SqlanonError
from tests.budget import examples
from tests.cells.regions import with_regions

Counts: TypeAlias = dict[tuple[str, ...], float]

METHODS = ("nearest", "random", "midpoint")


@pytest.fixture(scope="module")
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    yield from with_regions()


def load(con: duckdb.DuckDBPyConnection, values: Sequence[Any], type_: str = "bigint") -> None:
    con.execute(
        f"create or replace table own as select i as a, values[i + 1]::{type_} as value "
        "from (select ? as values), range(len(values)) as place(i)", [list(values)]
    ).fetchall()  # fmt: skip


def rounded(con: duckdb.DuckDBPyConnection, base: float, method: Any, **more: Any) -> list[float]:
    made = sqlanon.round_cells(con, "own", "a", base, method, **more)
    return [value for _, value in sorted((int(a), value) for a, value, _ in made.fetchall())]


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
def test_what_it_tells(con: duckdb.DuckDBPyConnection, values: list[int], base: int, method: Any) -> None:
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
    found = {a: value for a, value, _ in sqlanon.round_cells(con, "own", "a", 10).fetchall()}
    assert found == {"x": 10, "y": 0, "total": 20}


# Whose cells of three dimensions no multiples of 2 beside them can replace such that totals add up.
NONE_ADDS_UP = [
    [[1, 1, 0], [2, 0, 1], [0, 1, 0]],
    [[2, 1, 0], [0, 1, 1], [2, 1, 1]],
    [[2, 2, 0], [1, 1, 1], [0, 0, 2]],
]


class TestControlled:
    """Every total is the sum of its parts, and every cell one of its neighbouring multiples."""

    def made(
        self, con: duckdb.DuckDBPyConnection, counts: Counts, base: float, **more: Any
    ) -> tuple[dict[tuple[str, ...], float], list[tuple[str, ...]]]:
        """The rounded cells, and those that went further."""
        dimensions = ["a", "b", "c"][: len(next(iter(counts)))]
        cells = dict(counts)
        for i in range(len(dimensions)):
            for cell, n in list(cells.items()):
                total = (*cell[:i], "total", *cell[i + 1 :])
                cells[total] = cells.get(total, 0) + n
        if "hierarchies" in more:
            for cell, n in list(cells.items()):
                if cell[0] in "xy":
                    cells["xy", *cell[1:]] = cells.get(("xy", *cell[1:]), 0) + n
        columns = [*zip(*cells, strict=True)]
        con.execute(
            f"create or replace table own as select {', '.join(f'unnest(?) as {d}' for d in dimensions)}, "
            "unnest(?)::double as value",
            [*map(list, columns), [*cells.values()]],
        ).fetchall()
        made = sqlanon.round_cells(con, "own", dimensions, base, "controlled", **more).fetchall()
        assert {row[:-2] for row in made} == set(cells)
        shown = {row[:-2]: row[-2] for row in made}
        for cell, further in ((row[:-2], row[-1]) for row in made):
            lower = math.floor(cells[cell] / base) * base
            is_near = shown[cell] in (lower, lower + base) if cells[cell] > lower else shown[cell] == lower
            assert further == (not is_near)
        return shown, [row[:-2] for row in made if row[-1]]

    def check_sums(self, shown: dict[tuple[str, ...], float]) -> None:
        for cell, value in shown.items():
            for i, label in enumerate(cell):
                if label in ("total", "xy"):
                    finest = {"x", "y"} if label == "xy" else {each[i] for each in shown} - {"total", "xy"}
                    assert value == sum(shown[(*cell[:i], name, *cell[i + 1 :])] for name in finest), cell

    @examples(40)
    @given(data=st.data(), base=st.sampled_from([2, 3, 5, 10]))
    def test_two_dimensions(self, con: duckdb.DuckDBPyConnection, data: st.DataObject, base: int) -> None:
        """There always is such a table, with regions, too, and sums as well as counts."""
        pytest.importorskip("highspy", reason="the extra tables is not installed")
        regions = data.draw(st.booleans())
        value = st.integers(0, 12) | st.sampled_from([2.5, 0.1, 17.25])
        counts: Counts = {(a, b): data.draw(value) for a in "xyz" for b in "pqrs"}
        more = {"hierarchies": "regions"} if regions else {}
        shown, further = self.made(con, counts, base, **more)
        assert further == []
        self.check_sums(shown)

    @examples(20)
    @given(data=st.data(), base=st.sampled_from([2, 3]))
    def test_three_dimensions(self, con: duckdb.DuckDBPyConnection, data: st.DataObject, base: int) -> None:
        """A cell goes further only if no choice of multiples adds up."""
        pytest.importorskip("highspy", reason="the extra tables is not installed")
        cells = [(a, b, c) for a in "xy" for b in "pq" for c in "uv"]
        counts: Counts = {cell: data.draw(st.integers(0, 5)) for cell in cells}
        shown, further = self.made(con, counts, base)
        self.check_sums(shown)
        assert bool(further) == (not self.exists(counts, base))

    def exists(self, counts: Counts, base: int) -> bool:
        """Does some choice of multiples beside the cells add up to multiples beside all totals?"""
        sums = {
            (kept, tuple(cell[i] for i in kept)): [
                each for each in counts if all(each[i] == cell[i] for i in kept)
            ]
            for kept in ((), (0,), (1,), (2,), (0, 1), (0, 2), (1, 2))
            for cell in counts
        }
        choices = [sorted({n // base, -(-n // base)}) for n in counts.values()]
        for chosen in product(*choices):
            multiple = dict(zip(counts, chosen, strict=True))
            if all(
                sum(counts[cell] for cell in parts) // base
                <= sum(multiple[cell] for cell in parts)
                <= -(-sum(counts[cell] for cell in parts) // base)
                for parts in sums.values()
            ):
                return True
        return False

    def test_a_table_that_has_none(self, con: duckdb.DuckDBPyConnection) -> None:
        pytest.importorskip("highspy", reason="the extra tables is not installed")
        counts: Counts = {
            ("xyz"[i], "pqr"[j], "uvw"[k]): NONE_ADDS_UP[i][j][k]
            for i in range(3)
            for j in range(3)
            for k in range(3)
        }
        shown, further = self.made(con, counts, 2)
        self.check_sums(shown)
        assert len(further) == 1

    def test_people_in_several_parts(self, con: duckdb.DuckDBPyConnection) -> None:
        pytest.importorskip("highspy", reason="the extra tables is not installed")
        con.execute(
            "create or replace table own as from (values ('x', 3), ('y', 4), ('total', 5)) as row(a, value)"
        ).fetchall()
        with pytest.raises(SqlanonError, match="do not add up: total is 5, its parts over a are 7"):
            sqlanon.round_cells(con, "own", "a", 5, "controlled")


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
        (
            [1],
            {"base": 5, "rounding": "up"},
            "rounding must be nearest, random, midpoint or controlled, not up",
        ),
        ([], {"base": 5}, "table own is empty"),
    ],
)
def test_bad_input(
    con: duckdb.DuckDBPyConnection, values: list[Any], arguments: dict[str, Any], told: str
) -> None:
    load(con, values)
    with pytest.raises(SqlanonError, match=told):
        sqlanon.round_cells(con, "own", "a", **arguments)
