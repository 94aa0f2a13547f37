"""Sums with decimals, people who contribute nothing, and marks that are numbers, against whole numbers of
cents."""

# As texts: Hypothesis keeps evaluated annotations, and DuckDB 2.0 reports its types there as leaks.
from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from decimal import Decimal
from itertools import product
from typing import Any

import duckdb
import pytest

import sqlanon
from tests.budget import some
from tests.cells.regions import solver
from tests.oracles.cell_bounds import Interval, by_linear_programs
from tests.oracles.cells import TOTAL, Cell

SEEDS = some(list(range(60)), 12)


@pytest.fixture(scope="module")
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        sqlanon.register_functions(connection)
        yield connection


def with_totals(finest: Mapping[Cell, int]) -> dict[Cell, int]:
    """The cells of a table of two dimensions, in cents, with all totals."""
    labels = [[*dict.fromkeys(cell[i] for cell in finest), TOTAL] for i in (0, 1)]
    return {
        cell: sum(
            value
            for part, value in finest.items()
            if all(label in (low, TOTAL) for low, label in zip(part, cell, strict=True))
        )
        for cell in product(*labels)
    }


def drawn(seed: int) -> tuple[random.Random, dict[Cell, int], set[Cell]]:
    """A table with zeros, in cents, and which cells are hidden, totals among them."""
    draw = random.Random(seed)
    top = draw.choice([30, 10**7, 10**11])
    finest: dict[Cell, int] = {
        (r, c): draw.choice([0, 1, 1, 1]) * draw.randrange(top) for r in "xyz" for c in "pqr"
    }
    cells = with_totals(finest)
    hidden = {cell for cell in cells if draw.random() < (0.25 if TOTAL in cell else 0.5)}
    return draw, cells, hidden


def cents(value: int) -> str:
    return f"{value // 100}.{value % 100:02d}"


def load(con: duckdb.DuckDBPyConnection, shown: Mapping[Cell, str]) -> None:
    con.execute(
        "create or replace table cells as "
        "select unnest(?::varchar[]) as a, unnest(?::varchar[]) as b, unnest(?::varchar[]) as value",
        [[cell[0] for cell in shown], [cell[1] for cell in shown], [*shown.values()]],
    ).fetchall()


@solver
@pytest.mark.parametrize("seed", SEEDS)
def test_cents(con: duckdb.DuckDBPyConnection, seed: int) -> None:
    """Bounds of sums are whole cents, the exact ones: SciPy's of the same table in cents, rounded."""
    _, cells, hidden = drawn(seed)
    load(con, {cell: "*" if cell in hidden else cents(value) for cell, value in cells.items()})
    found = {
        row[:2]: row[2:] for row in sqlanon.cell_bounds(con, "cells", ["a", "b"], whole=False).fetchall()
    }
    assert found.keys() == hidden
    for cell, (lower, upper, unfinished) in found.items():
        assert lower <= cells[cell] / 100
        assert upper is None or cells[cell] / 100 <= upper
        assert not unfinished
    if max(cells.values()) > 10**9:
        return  # there SciPy is off by cents
    known: dict[Cell, Interval] = {
        cell: (0, None) if cell in hidden else (value, value) for cell, value in cells.items()
    }
    expected = by_linear_programs(known, [cell for cell in cells if TOTAL not in cell], [None, None])
    assert expected is not None
    for cell, (lower, upper, _) in found.items():
        low, high = expected[cell]
        assert Decimal(repr(lower)) == Decimal(round(low)) / 100
        assert (upper is None) == (high is None)
        assert high is None or Decimal(repr(upper)) == Decimal(round(high)) / 100


@solver
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("factor", [1 / 100, 1 / 700])
def test_the_same_as_doubles(con: duckdb.DuckDBPyConnection, seed: int, factor: float) -> None:
    """A cell that is known in whole cents is known in DOUBLEs that were added up, with their noise, and also
    in numbers that have no end."""
    draw, cells, hidden = drawn(seed)
    shown = {}
    for which, values in (("whole", {}), ("double", {})):
        for cell, value in cells.items():
            noise = 1 + draw.choice([-1, 0, 1]) * 2e-16 if which == "double" else 1
            values[cell] = (
                "*" if cell in hidden else str(value) if which == "whole" else repr(value * factor * noise)
            )
        load(con, values)
        bounds = sqlanon.cell_bounds(con, "cells", ["a", "b"], whole=False)
        shown[which] = {row[:2] for row in bounds.fetchall() if row[2] == row[3]}
    assert shown["whole"] <= shown["double"]  # in doubt one is known
    assert len(shown["double"] - shown["whole"]) <= (0 if max(cells.values()) < 10**9 else 2)


@pytest.mark.parametrize("seed", SEEDS)
def test_sums_leave_with_their_decimals(con: duckdb.DuckDBPyConnection, seed: int) -> None:
    """Of DECIMALs and of DOUBLEs, of rows and of people."""
    draw = random.Random(seed)
    rows = [(draw.choice("xy"), draw.randrange(5), draw.randrange(10**6)) for _ in range(60)]
    kind = draw.choice(["double", "decimal(12, 2)"])
    con.execute(
        "create or replace table own as "
        f"select unnest(?) as a, unnest(?) as person, unnest(?::{kind}[]) as m",
        [[row[0] for row in rows], [row[1] for row in rows], [cents(row[2]) for row in rows]],
    ).fetchall()
    unit = draw.choice([None, "person"])
    made = sqlanon.table_cells(con, "own", "a", "m", unit=unit).fetchall()
    for label, _, value, largest, _, _ in made:
        own = [row for row in rows if label in (row[0], TOTAL)]
        people: dict[Any, int] = {}
        for i, (_, person, amount) in enumerate(own):
            key = i if unit is None else person
            people[key] = people.get(key, 0) + amount
        assert Decimal(repr(value)) == Decimal(sum(row[2] for row in own)) / 100
        assert Decimal(repr(largest)) == Decimal(max(people.values())) / 100


def test_what_a_sum_leaves(con: duckdb.DuckDBPyConnection) -> None:
    """0.3 - 0.1 is 0.2, also in words."""
    load(con, {("x", "p"): "*", ("x", "q"): "0.1", ("x", TOTAL): "0.3"})
    [row] = sqlanon.cell_sums(con, "cells", ["a", "b"]).fetchall()
    assert row == ("x", "p", "b", 0.2, 1, "x, total is 0.3, of which 0.1 are shown: 0.2 left for it alone")


@pytest.mark.parametrize(
    ("base", "rounding", "type_", "value"),
    [
        (5, "nearest", "BIGINT", 10),
        (4, "midpoint", "BIGINT", 10),
        (5, "midpoint", "DOUBLE", 12.5),
        (0.05, "nearest", "DOUBLE", 11.35),
        (10, "controlled", "BIGINT", 10),
    ],
)
@solver
def test_rounded_numbers(
    con: duckdb.DuckDBPyConnection, base: float, rounding: Any, type_: str, value: float
) -> None:
    con.execute("create or replace table own as select 'total' as a, 11.33 as value").fetchall()
    made = sqlanon.round_cells(con, "own", "a", base, rounding)
    assert (str(made.types[1]), made.fetchall()[0][1]) == (type_, value)


def contributions(con: duckdb.DuckDBPyConnection, rows: list[tuple[str, str, float, int]]) -> None:
    """The table `own` of so many people each, who contribute so much, and its cells, `made`."""
    con.execute("create or replace table own (a varchar, b varchar, m double)").fetchall()
    con.executemany(
        "insert into own values (?, ?, ?)", [(a, b, m) for a, b, m, n in rows for _ in range(n)]
    ).fetchall()
    con.execute(
        "create or replace table made as from sqlanon.table_cells('own', ['a', 'b'], measure := 'm')"
    ).fetchall()


NOTHING = [("x", "p", 0.0, 2), ("x", "q", 3.5, 6), ("y", "p", 2.25, 5), ("y", "q", 1.5, 7)]


@solver
@pytest.mark.parametrize("hidden", [{("x", "p")}, {("x", "p"), ("x", "q")}])
def test_people_who_contribute_nothing(con: duckdb.DuckDBPyConnection, hidden: set[Cell]) -> None:
    """Two people who contribute 0 are known at [0, 0], whatever share of 0 a rule asks for."""
    contributions(con, NOTHING)
    con.execute("create or replace table shown as select a, b, value::varchar as value from made").fetchall()
    con.executemany("update shown set value = '*' where a = ? and b = ?", [*hidden]).fetchall()
    bounds = sqlanon.cell_bounds(con, "shown", ["a", "b"], whole=False)
    states = sqlanon.cell_states(con, "shown", bounds, ["a", "b"], cells="made", threshold=3, whole=False)
    state = {row[:2]: (row[5], row[6], row[-1]) for row in states.fetchall()}
    assert state["x", "p"] == (0, 0, "known")
    if ("x", "q") in hidden:
        assert state["x", "q"] == (21, 21, "known")


def zero_sums(seed: int) -> list[tuple[str, str, float, int]]:
    draw = random.Random(seed)
    return [
        (a, b, draw.choice([0.0, 0.0, 1.5, 20.25]), draw.choice([0, 1, 2, 5, 9]))
        for a in "xyz"
        for b in "pqr"
    ]


@solver
@pytest.mark.parametrize("rows", [NOTHING, *map(zero_sums, some(list(range(40)), 10))])
def test_zero_sums_are_hidden(
    con: duckdb.DuckDBPyConnection, rows: list[tuple[str, str, float, int]]
) -> None:
    """What leaves does not tell them: by its bounds no unsafe cell is one number."""
    contributions(con, rows)
    try:
        left = sqlanon.suppress_cells(con, "made", ["a", "b"], threshold=3, whole=False).fetchall()
    except sqlanon.InputError:
        assert rows is not NOTHING
        assert max(row[2] * row[3] for row in rows) == 0 or sum(row[3] for row in rows) < 40
        return
    load(con, {row[:2]: "*" if row[3] else repr(row[2]) for row in left})
    bounds = {
        row[:2]: row[2:4] for row in sqlanon.cell_bounds(con, "cells", ["a", "b"], whole=False).fetchall()
    }
    for *cell, _, hidden in left:
        if hidden:
            lower, upper = bounds[tuple(cell)]
            assert lower != upper


@pytest.mark.parametrize("type_", ["varchar", "double", "bigint"])
@pytest.mark.parametrize("mark", ["0", "99", "7.0"])
@solver
def test_a_mark_that_is_a_number(con: duckdb.DuckDBPyConnection, type_: str, mark: str) -> None:
    """Marks come before numbers, by their value: in bounds, states and sums."""
    con.execute(
        f"""create or replace table cells as select a, value::double::{type_} as value
        from (values ('x', {mark}), ('y', 12), ('z', 21), ('total', 36)) as row(a, value)"""
    ).fetchall()
    marks = [mark]
    bounds = sqlanon.cell_bounds(con, "cells", "a", marks=marks)
    assert bounds.fetchall() == [("x", 3, 3, False)]
    states = sqlanon.cell_states(con, "cells", bounds, "a", marks=marks).project("a, state")
    assert dict(states.fetchall())["x"] == "known"
    [row] = sqlanon.cell_sums(con, "cells", "a", marks=marks).fetchall()
    assert row[:4] == ("x", "a", 3, 1)
    [row, *_] = sqlanon.tables_together(con, ["cells"], "a", marks=marks).fetchall()
    assert row[:3] == ("cells: x", 3, 3)
    rounded = sqlanon.cell_bounds(con, "cells", "a", marks=marks, base=1, most=7).fetchall()
    assert next(row[1] <= 3 <= row[2] for row in rounded if row[0] == "x")


@pytest.mark.parametrize(
    ("numbers", "decimals"),
    [
        ("0.1e0 + 0.2e0, 0.5e0", 1),
        ("1.1e0 * 3, 1234567.89e0", 2),
        ("4e0, 0e0", 0),
        ("1e0 / 3", None),
        ("0.1e0 + 0.2e0, 1e0 / 3", None),
    ],
)
def test_as_few_decimals_as_the_numbers_have(
    con: duckdb.DuckDBPyConnection, numbers: str, decimals: int | None
) -> None:
    """Where DOUBLEs have been added up, what they are off by is no decimal."""
    con.execute(f"create or replace table numbers as select unnest([{numbers}]) as n")
    found = con.execute("from sqlanon._decimals_of_column('numbers', 'n')").fetchall()
    assert found == [(decimals,)]
