"""Differencing: what totals tell of suppressed counts."""

# As texts: Hypothesis keeps evaluated annotations, and DuckDB 2.0 reports its types there as leaks.
from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sqlanon
from sqlanon.tables.programs import has_solver
from tests.budget import examples
from tests.oracles.differencing import Cell, is_below, possible
from tests.tables import literal

few = examples(30)
LEVELS: list[tuple[bool, bool]] = [(True, True), (True, False), (False, True)]  # is a dimension summed over?


@pytest.fixture(scope="module")
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        sqlanon.register(connection)
        yield connection


def load(con: duckdb.DuckDBPyConnection, counts: Mapping[Cell, int | None]) -> None:
    con.execute(
        """create or replace table counts as
        select unnest(?::varchar[]) as a, unnest(?::varchar[]) as b, unnest(?::integer[]) as n""",
        [[cell[0] for cell in counts], [cell[1] for cell in counts], list(counts.values())],
    ).fetchall()


def bounds(con: duckdb.DuckDBPyConnection, more: str) -> dict[Cell, tuple[Any, ...]]:
    query = f"""select a, b, lower, upper
                from sqlanon.differencing('counts', ['a', 'b'], 'n', {more}, programs := 'none')"""
    return {row[:2]: row[2:] for row in con.execute(query).fetchall()}


@st.composite
def tables(draw: st.DrawFn) -> dict[Cell, int]:
    """True counts of 2 x 3 cells, and totals at some levels; empty cells may have no row."""
    base: dict[Cell, int] = {cell: draw(st.integers(0, 5)) for cell in product("xy", "pqr")}
    totals: dict[Cell, int] = {}
    for level in draw(st.sets(st.sampled_from(LEVELS), min_size=1)):
        for cell in base:
            total = tuple(None if over else name for name, over in zip(cell, level, strict=True))
            if draw(st.integers(0, 5)):  # some totals are not released
                totals[total] = sum(n for part, n in base.items() if is_below(part, total))
    kept = {cell: n for cell, n in base.items() if n or cell == ("x", "p") or draw(st.booleans())}
    return kept | totals


@few
@given(tables(), st.integers(1, 4))
def test_random_tables(con: duckdb.DuckDBPyConnection, counts: dict[Cell, int], threshold: int) -> None:
    """No bound excludes a table that fits, nor the true one. With one level of totals, and wherever it says
    that it is finished, all that can be excluded is."""
    load(con, counts)
    answer = sqlanon.differencing(con, "counts", ["a", "b"], "n", threshold=threshold)
    rows = {row[:2]: row[2:] for row in answer.fetchall()}
    published = {cell: None if n < threshold else n for cell, n in counts.items()}
    expected = possible(published, threshold)
    assert rows.keys() == expected.keys() == {cell for cell, n in published.items() if n is None}
    levels = {tuple(name is None for name in cell) for cell in counts if None in cell}
    for cell, (learned, confidence, baseline, is_right, _, lower, upper, unfinished) in rows.items():
        lo, hi = expected[cell]
        assert lower <= lo <= counts[cell] <= hi <= upper
        assert (lower, upper) == (lo, hi) or len(levels) > 1
        assert (learned, confidence, is_right) == (
            (str(counts[cell]), 1, True) if lower == upper else (None, None, None)
        )
        assert (lower, upper) == (lo, hi) or unfinished
        assert not (unfinished and lower == upper)
        assert baseline == pytest.approx(1 / threshold)
    load(con, published)
    for cell, (lower, upper) in bounds(con, "total := null").items():
        assert lower <= counts[cell] <= (counts[cell] if upper is None else upper)


@st.composite
def open_tables(draw: st.DrawFn) -> tuple[dict[Cell, int], int]:
    """Counts of up to 3 x 3 or 2 x 2 x 2 cells, many of which are small, with some levels of totals, and a
    threshold. Some totals may be lacking; without the cells there are totals of totals alone."""
    threshold = draw(st.integers(2, 3))
    sides = draw(st.sampled_from(["2 2", "2 3", "3 3", "2 2 2"])).split()
    cells = [*product(*("xyz"[: int(side)] for side in sides))]
    base: dict[Cell, int] = {
        cell: draw(st.integers(0, threshold - 1) | st.integers(0, threshold - 1) | st.integers(threshold, 9))
        for cell in cells
    }
    counts = {cell: n for cell, n in base.items() if n or draw(st.booleans())}
    for level in product((False, True), repeat=len(sides)):
        if any(level) and draw(st.integers(0, 3)):
            for cell in cells:
                total = tuple(None if over else name for name, over in zip(cell, level, strict=True))
                if draw(st.integers(0, 15)):
                    counts[total] = sum(n for part, n in base.items() if is_below(part, total))
    return counts, threshold


@examples(60, quick=6)
@given(open_tables())
def test_where_it_is_finished_nothing_more_can_be_known(
    con: duckdb.DuckDBPyConnection, table: tuple[dict[Cell, int], int]
) -> None:
    """Against all tables that fit."""
    counts, threshold = table
    published = {cell: None if n < threshold else n for cell, n in counts.items()}
    if not counts or all(None in cell for cell in counts) or [*published.values()].count(None) > 12:
        return
    names = "abc"[: len(next(iter(counts)))]
    con.execute(
        "create or replace table counts as select "
        + "".join(f"unnest(?::varchar[]) as {name}, " for name in names) + "unnest(?::integer[]) as n",
        [*([cell[i] for cell in counts] for i in range(len(names))), [*counts.values()]],
    ).fetchall()  # fmt: skip
    answer = sqlanon.differencing(con, "counts", [*names], "n", threshold=threshold)
    expected = possible(published, threshold)
    told = answer.project(f"{', '.join(names)}, lower, upper, unfinished").fetchall()
    for *cell, lower, upper, unfinished in told:
        lo, hi = expected[tuple(cell)]
        assert lower <= lo <= hi <= upper
        assert unfinished or (lower, upper) == (lo, hi)
        assert not (unfinished and lower == upper)


def finished(con: duckdb.DuckDBPyConnection, more: str) -> dict[Cell, tuple[Any, ...]]:
    query = f"""select a, b, lower, upper, unfinished
                from sqlanon.differencing('counts', ['a', 'b'], 'n', {more}, programs := 'none')"""
    return {row[:2]: row[2:] for row in con.execute(query).fetchall()}


def test_what_linear_programming_would_find(con: duckdb.DuckDBPyConnection) -> None:
    """Rows and columns that form a cycle: the cell 3, 2 is 1, by no sum alone."""
    rows = [[3, 7, 20, 30], [5, 5, 22, 40], [25, 1, 6, 3], [50, 60, 4, 2]]
    counts: dict[Cell, int] = {(str(i), str(j)): n for i, row in enumerate(rows) for j, n in enumerate(row)}
    counts |= {(str(i), None): sum(row) for i, row in enumerate(rows)}
    counts |= {(None, str(j)): sum(row[j] for row in rows) for j in range(4)}
    load(con, counts | {(None, None): sum(map(sum, rows))})
    answer = finished(con, "threshold := 8")
    assert answer["2", "1"] == (0, 3, True)
    assert [unfinished for *_, unfinished in answer.values()] == [True] * 9
    if has_solver():
        exact = sqlanon.differencing(con, "counts", ["a", "b"], "n", threshold=8).fetchall()
        assert [row[-3:] for row in exact if row[:2] == ("2", "1")] == [(1, 1, False)]
        assert [row[-1] for row in exact] == [False] * 9


def test_zeros_that_are_shown(con: duckdb.DuckDBPyConnection) -> None:
    """Then a suppressed count is at least 1."""
    load(con, {("x", cell): None for cell in "pqr"} | {("x", "s"): 0, ("x", None): 3})
    assert bounds(con, "threshold := 3")["x", "p"] == (0, 2)
    shown = bounds(con, "threshold := 3, zeros_shown := true")
    assert shown == {("x", cell): (1, 1) for cell in "pqr"}


def test_cells_without_a_cycle_are_finished(con: duckdb.DuckDBPyConnection) -> None:
    """Two in a row, and one of them with a third in a column. With all totals one cell more comes back; the
    total of totals closes no cycle, since it says nothing that they do not say."""
    rows = [[1, 2, 30], [40, 3, 60], [70, 80, 90]]
    counts: dict[Cell, int] = {(str(i), str(j)): n for i, row in enumerate(rows) for j, n in enumerate(row)}
    load(con, counts | {("0", None): 33, (None, "1"): 85})
    assert finished(con, "threshold := 5") == {
        ("0", "0"): (0, 2, False), ("0", "1"): (1, 3, False), ("1", "1"): (2, 4, False)
    }  # fmt: skip
    totals = {(str(i), None): sum(row) for i, row in enumerate(rows)}
    load(con, counts | totals | {(None, None): sum(map(sum, rows))})
    assert finished(con, "threshold := 5") == {
        ("0", "0"): (0, 3, False), ("0", "1"): (0, 3, False), ("1", "1"): (3, 3, False)
    }  # fmt: skip


def test_totals_of_cells_that_nobody_published(con: duckdb.DuckDBPyConnection) -> None:
    """Rows and columns have the same sum, which no total says."""
    load(con, {("x", None): 3, ("y", None): 9, (None, "p"): 3, (None, "q"): 9})
    assert finished(con, "threshold := 5") == {("x", None): (0, 4, True), (None, "p"): (0, 4, True)}


def test_two_that_are_suppressed_beside_each_other(con: duckdb.DuckDBPyConnection) -> None:
    """One is safe within its row, and comes back by its column; then so does the other."""
    load(
        con,
        {
            ("x", "p"): None, ("x", "q"): None, ("x", "r"): 5, ("y", "p"): 7, ("y", "q"): 8, ("y", "r"): 9,
            ("x", "all"): 8, ("all", "p"): None, ("all", "q"): 9, ("all", "all"): 32,
        },
    )  # fmt: skip
    assert bounds(con, "total := 'all'") == {("x", "p"): (2, 2), ("x", "q"): (1, 1), ("all", "p"): (9, 9)}
    assert bounds(con, "total := 'all', rounds := 1") != bounds(con, "total := 'all'")


def test_without_a_threshold_a_count_may_be_unbounded(con: duckdb.DuckDBPyConnection) -> None:
    load(con, {("x", "p"): None, ("x", "q"): 4, ("x", None): None, (None, "q"): 4})
    assert bounds(con, "threshold := null") == {("x", "p"): (0, None), ("x", None): (4, None)}


def test_hostile_names_and_null_as_a_category(con: duckdb.DuckDBPyConnection) -> None:
    con.execute(
        """create or replace table "it's" as from (values (1, null, 3), (1, 'cell', null), (1, '*', 10))
        as row("{i}", "cell", "a""b")"""
    ).fetchall()
    answer = sqlanon.differencing(con, '"it\'s"', ["{i}", "cell"], 'a"b', total="*")
    assert answer.fetchall() == [(1, "cell", "7", 1.0, None, None, None, 7, 7, False)]
    summary = dict(sqlanon.attack_summary(con, answer).project("id, value").fetchall())
    assert summary["certain"] == 100.0


@pytest.mark.parametrize(
    ("rows", "changed", "message"),
    [
        ([], {}, "table counts is empty"),
        ([("x", "p", -1)], {}, "negative count: -1"),
        ([("x", "p", 3), ("x", "p", 4)], {}, "same cell 2 times: x, p"),
        ([("x", "p", 3), ("x", None, 4)], {}, "x, total is 4, its parts over b are together 3"),
        ([("x", "p", None), ("x", "q", 3), ("x", None, 9)], {"threshold": 3}, "contradict its cells"),
        ([("x", "p", 3)], {"dimensions": []}, "dimensions names no column"),
        ([("x", "p", 3)], {"dimensions": ["a", "n"]}, 'column "n" is named twice'),
        ([("x", "p", 3)], {"dimensions": ["a", "c"]}, '"c"'),
        ([("x", "p", 3)], {"threshold": 0}, "threshold must be a whole number of at least 1"),
    ],
)
def test_wrong_input(
    con: duckdb.DuckDBPyConnection, rows: list[Any], changed: dict[str, Any], message: str
) -> None:
    con.execute("create or replace table counts (a varchar, b varchar, n integer)").fetchall()
    for row in rows:
        con.execute("insert into counts values (?, ?, ?)", row).fetchall()
    arguments = {"counts": "counts", "dimensions": ["a", "b"], "count_column": "n", **changed}
    given_ = ", ".join(f"{name} := {literal(value)}" for name, value in arguments.items())
    with pytest.raises(duckdb.Error, match=message):
        con.execute(f"from sqlanon.differencing({given_})").fetchall()
