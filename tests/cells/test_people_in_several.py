"""Tables of people who can be in several cells, against the people themselves."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product
from typing import Any

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sqlanon
from tests.budget import examples
from tests.cells.regions import solver

VALUES = {"ward": ["A", "B", "C"], "illness": ["flu", "gout"], "age": ["[20, 39]", "[40, 59]"]}
TOTAL, THRESHOLD = "total", 3
Row = tuple[str, str, str]
Labels = tuple[tuple[str, str], ...]


@pytest.fixture(scope="module")
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        sqlanon.register_functions(connection)
        yield connection


def in_cell(rows: list[Row], labels: Labels) -> list[Row]:
    names = [*VALUES]
    return [row for row in rows if all(row[names.index(name)] == label for name, label in labels)]


@st.composite
def people(draw: st.DrawFn) -> list[list[Row]]:
    """Of each person the rows; some are there twice."""
    row = st.tuples(*(st.sampled_from(values) for values in VALUES.values()))
    return draw(st.lists(st.lists(row, min_size=1, max_size=3), min_size=2, max_size=12))


def publish(
    con: duckdb.DuckDBPyConnection,
    name: str,
    dimensions: list[str],
    everybody: list[list[Row]],
    hidden: list[int],
    order: list[str],
) -> dict[str, Labels]:
    """A table of counts of people with totals, some hidden: the labels of each cell by its name."""
    cells: dict[str, Labels] = {}
    rows: list[list[Any]] = []
    for place, key in enumerate(product(*([*VALUES[each], TOTAL] for each in dimensions))):
        labels = tuple((each, label) for each, label in zip(dimensions, key, strict=True) if label != TOTAL)
        n = sum(bool(in_cell(rows_of, labels)) for rows_of in everybody)
        if n == 0:
            continue
        text = ", ".join(label for _, label in sorted(labels, key=lambda own: order.index(own[0])))
        cells[name + (f": {text}" if text else "")] = labels
        rows.append([*key, None if place in hidden and labels else str(n)])
    columns = ", ".join([*(f"{each} text" for each in dimensions), "value text"])
    con.execute(f"create or replace temp table {name} ({columns})")
    con.executemany(f"insert into {name} values ({', '.join('?' * (len(dimensions) + 1))})", rows)
    return cells


@pytest.mark.slow("3 s")
@solver
@examples(60, quick=6)
@given(people(), st.lists(st.sampled_from([*combinations(VALUES, 1), *combinations(VALUES, 2)]), min_size=1,
                          max_size=2), st.booleans(), st.lists(st.integers(0, 11), max_size=2))  # fmt: skip
def test_bounds_hold_for_these_people(
    con: duckdb.DuckDBPyConnection, everybody: list[list[Row]], tables: list[tuple[str, ...]],
    with_rows: bool, hidden: list[int],
) -> None:  # fmt: skip
    """What is told is so. Each published cell less one within it is told, if few people are in the first and
    nowhere in the second. That is never all, and a row says so."""
    used = [*VALUES] if with_rows else sorted({each for dimensions in tables for each in dimensions})
    cells: dict[str, Labels] = {}
    for place, dimensions in enumerate(tables):
        cells |= publish(con, f"t{place}", sorted(dimensions), everybody, hidden, used)
    releases = None
    if with_rows:
        con.execute("create or replace temp table released (ward text, illness text, age text)")
        con.executemany("insert into released values (?, ?, ?)", [row for rows in everybody for row in rows])
        releases = ["released"]
    told = sqlanon.tables_together(
        con, [f"t{place}" for place in range(len(tables))], used, releases=releases, threshold=THRESHOLD,
        additive=False,
    ).fetchall()  # fmt: skip
    assert [row[5] for row in told].count("unfinished") >= 1
    assert not [row for row in told if row[5] == "contradiction"]
    found = dict[tuple[str, str], tuple[float, float]]()
    for name, lower, upper, _, _, by, _ in told:
        if by == "hidden cell" and name in cells:
            n = sum(bool(in_cell(rows, cells[name])) for rows in everybody)
            assert lower <= n <= upper
        if by == "difference" and "+" not in name and "released" not in name:
            large, small = name.split(" - ")
            found[large, small] = (lower, upper)
            n = sum(bool(in_cell(rows, cells[large])) and not in_cell(rows, cells[small])
                    for rows in everybody)  # fmt: skip
            assert lower <= n <= upper
    shown = {
        name for name, labels in cells.items()
        if con.execute(f"select bool_and(value is not null) from {name.partition(':')[0]}").fetchone()
        == (True,)
    }  # fmt: skip
    if with_rows or len(shown) < len(cells):
        return
    sizes = set[tuple[int, frozenset[int]]]()
    for large, small in found:
        sizes.add(nowhere(everybody, cells[large], cells[small]))
    for large, small in product(cells, cells):
        if {*cells[large]} < {*cells[small]}:
            n, who = nowhere(everybody, cells[large], cells[small])
            assert not 0 < n < THRESHOLD or (n, who) in sizes


def nowhere(everybody: list[list[Row]], large: Labels, small: Labels) -> tuple[int, frozenset[int]]:
    """People in one cell and nowhere in another one: how many, and who."""
    who = frozenset(
        i for i, rows in enumerate(everybody) if in_cell(rows, large) and not in_cell(rows, small)
    )
    return len(who), who
