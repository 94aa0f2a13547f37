"""Suppression: what is left is attacked with SciPy, from outside and by contributors."""

# As texts: Hypothesis keeps evaluated annotations, and DuckDB 2.0 reports its types there as leaks.
from __future__ import annotations

import math
import random
import re
from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sqlanon
from tests.budget import examples, some
from tests.cells.regions import REGIONS, solver, with_regions
from tests.oracles.cell_bounds import Interval, by_linear_programs
from tests.oracles.cells import TOTAL, Cell, Contributors, Row, Rules, Tree, above, broken, cells

OFF = 1e-4


@pytest.fixture(scope="module")
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    yield from with_regions()


@st.composite
def microdata(draw: st.DrawFn) -> tuple[list[Row], list[Tree]]:
    """Rows of two or three dimensions: most cells have many."""
    sides = draw(st.sampled_from([("xyz", "pqr"), ("xyz", "pqrs"), ("xy", "pq", "uv")]))
    rows = []
    for cell in product(*sides):
        n = draw(st.sampled_from([0, 1, 2, 4, 6, 9]))
        rows += [Row(cell, None, 1, draw(st.sampled_from([1.0, 2.5, 10.0, 40.0]))) for _ in range(n)]
    nested = len(sides[0]) == 3 and draw(st.booleans())
    return rows, [REGIONS if nested else None, *[None] * (len(sides) - 1)]


def steps(cell: Cell, own: Mapping[Cell, Contributors], trees: list[Tree]) -> Iterator[list[Cell]]:
    """The parts of a cell, by each dimension over which it is a sum."""
    for i, tree in enumerate(trees):
        labels = {other[i] for other in own}
        below = [
            label
            for label in labels
            if label not in (cell[i], TOTAL)
            and (
                (cell[i] == TOTAL and (tree is None or label not in {"x", "y"}))
                or (cell[i] == "xy" and label in {"x", "y"})
            )
        ]
        if below:
            yield [(*cell[:i], label, *cell[i + 1 :]) for label in below]


def people(rows: list[Row], trees: list[Tree], own: Mapping[Cell, Contributors]) -> dict[Cell, int]:
    """The row that is the one contributor of a cell."""
    return {
        cell: next(
            i
            for i, row in enumerate(rows)
            if all(
                label in above(value, tree)
                for label, value, tree in zip(cell, row.values, trees, strict=True)
            )
        )
        for cell, each in own.items()
        if each.n == 1
    }


def is_part(part: Cell, cell: Cell, trees: list[Tree]) -> bool:
    """Does a cell count in another one?"""
    return all(
        label in (low, TOTAL) or (label == "xy" and low in ("x", "y") and tree is not None)
        for low, label, tree in zip(part, cell, trees, strict=True)
    )


def ends(
    known: Mapping[Cell, Interval], atoms: list[Cell], trees: list[Tree]
) -> dict[Cell, tuple[float, float]]:
    found = by_linear_programs(known, atoms, trees)
    assert found is not None
    return {cell: (low, math.inf if high is None else high) for cell, (low, high) in found.items()}


@solver
@examples(200, quick=9)
@given(microdata(), st.booleans(), st.sampled_from(["cells", "contributors", "value"]))
def test_what_is_left_is_not_broken(
    con: duckdb.DuckDBPyConnection, table: tuple[list[Row], list[Tree]], measured: bool, cost: Any
) -> None:
    rows, trees = table
    if not rows:
        return
    names = "abc"[: len(trees)]
    con.execute(
        "create or replace table own as select {}, unnest(?::double[]) as m".format(
            ", ".join(f"unnest(?::varchar[]) as {name}" for name in names)
        ),
        [*([row.values[i] for row in rows] for i in range(len(names))), [row.amount for row in rows]],
    ).fetchall()
    hierarchies = "regions" if trees[0] else None
    made = sqlanon.table_cells(con, "own", [*names], "m" if measured else None, hierarchies=hierarchies)
    rules = Rules(threshold=3, p=20, two=90) if measured else Rules(threshold=3)
    asked: dict[str, Any] = {"threshold": 3}
    if measured:
        asked |= {"p": 20, "dominance": [None, 90], "whole": False}
    try:
        answer = sqlanon.suppress_cells(con, made, [*names], hierarchies=hierarchies, cost=cost, **asked)
    except sqlanon.InputError as error:
        if not re.search("cannot be protected|not safe together|beside the unsafe ones", str(error)):
            raise
        return
    own = cells(rows, trees, by_person=False)
    left = {row[: len(names)]: row[len(names) :] for row in answer.fetchall()}
    assert left.keys() == own.keys()
    value = {cell: each.amount if measured else each.n for cell, each in own.items()}
    known: dict[Cell, Interval] = {}
    unsafe = {cell: broken(each, None, rules) for cell, each in own.items() if broken(each, None, rules)}
    for cell, (shown, hidden) in left.items():
        assert (hidden == "primary") == (cell in unsafe)
        assert (shown is None) == (hidden is not None)
        assert shown is None or shown == pytest.approx(value[cell])
        known[cell] = (0 if measured else 1, None) if hidden else (value[cell], value[cell])
    person = people(rows, trees, own)
    atoms = [cell for cell in own if all(label not in (TOTAL, "xy") for label in cell)]
    alone = [cell for cell, (_, hidden) in left.items() if hidden and own[cell].n == 1]
    for insider in [None, *alone]:
        told = known if insider is None else {**known, insider: (value[insider], value[insider])}
        found = ends(told, atoms, trees)
        for cell, rules_broken in unsafe.items():
            if insider is not None and person.get(cell) == person[insider]:
                continue
            low, high = found[cell]
            if measured:
                reach = max(0.1 * value[cell] if none is None else none for none in rules_broken.values())
                assert high >= value[cell] + reach - OFF * value[cell] - OFF
                least = value[insider] if insider is not None and is_part(insider, cell, trees) else 0
                assert low <= max(least, value[cell] - reach) + OFF * value[cell] + OFF
            else:
                assert math.floor(min(high, 1e9) + OFF) - math.ceil(low - OFF) >= 2
                assert high >= 3 - OFF
    for cell in own:
        if not left[cell][1]:
            for parts in steps(cell, own, trees):
                together = [own[part] for part in parts if left[part][1]]
                largest = sorted(
                    (each or 0 for one in together for each in (one.largest, one.second)), reverse=True
                )
                if together:
                    union = Contributors(
                        sum(each.n for each in together), sum(each.amount for each in together), *largest[:2]
                    )
                    assert not broken(union, None, rules if measured else Rules(threshold=3))


def counted(con: duckdb.DuckDBPyConnection, rows: list[tuple[str, str]]) -> None:
    """The table `counted` of rows of a and b, with all totals."""
    con.execute(
        "create or replace table pairs as select unnest(?::varchar[]) as a, unnest(?::varchar[]) as b",
        [[row[0] for row in rows], [row[1] for row in rows]],
    ).fetchall()
    con.execute("create or replace table counted as from sqlanon.table_cells('pairs', ['a', 'b'])").fetchall()


def bounds_of_output(
    con: duckdb.DuckDBPyConnection, left: list[tuple[Any, ...]], **more: Any
) -> dict[Cell, tuple[float, float | None]]:
    """What exactly the output of suppression shows tells of its hidden cells."""
    con.execute(
        "create or replace table output as select unnest(?::varchar[]) as a, unnest(?::varchar[]) as b, "
        "unnest(?::varchar[]) as value, unnest(?::double[]) as lowest",
        [
            [row[0] for row in left], [row[1] for row in left],
            ["*" if row[3] else str(row[2]) for row in left], [float(row[1] == TOTAL) for row in left],
        ],
    ).fetchall()  # fmt: skip
    found = sqlanon.cell_bounds(con, "output", ["a", "b"], programs="integer", **more).fetchall()
    return {row[:2]: row[2:4] for row in found}


@solver
@pytest.mark.parametrize("seed", some(list(range(60)), 15))
def test_no_cell_is_hidden_for_nothing(con: duckdb.DuckDBPyConnection, seed: int) -> None:
    """Regions are in one county each, so that many cells have one part: none is hidden that is known all the
    same, and no other cost finds fewer cells."""
    draw = random.Random(seed)
    county = {region: draw.choice(["c1", "c2"]) for region in "ABIKN"}
    rows = [(region, county[region]) for region in county for _ in range(draw.choice([1, 2, 2, 3, 7, 8]))]
    counted(con, rows)
    hidden = {}
    costs: tuple[Any, ...] = ("cells", "contributors")
    for cost in costs:
        try:
            left = sqlanon.suppress_cells(con, "counted", ["a", "b"], 3, cost=cost).fetchall()
        except sqlanon.InputError:
            return
        hidden[cost] = sum(row[3] is not None for row in left)
        found = bounds_of_output(con, left, least=1)
        for row in left:
            if row[3] == "primary":
                low, high = found[row[:2]]
                assert high is None or (high - low >= 2 and high >= 3)
            elif row[3]:
                low, high = found[row[:2]]
                assert low != high
        if hidden[cost]:
            assert any(row[3] == "secondary" for row in left)  # otherwise all hidden ones are below 3
    assert hidden["cells"] <= hidden["contributors"]


@solver
def test_a_cell_with_shown_parts_is_shown(con: duckdb.DuckDBPyConnection) -> None:
    """Region K is in county c2 alone, where its 3 are shown."""
    own = {("A", "c1"): 2, ("B", "c1"): 2, ("I", "c1"): 8, ("K", "c2"): 3, ("N", "c2"): 7}
    counted(con, [cell for cell, n in own.items() for _ in range(n)])
    left = sqlanon.suppress_cells(con, "counted", ["a", "b"], 3).fetchall()
    assert {row[:3] for row in left if row[0] == "K"} == {("K", "c1", 0), ("K", "c2", 3), ("K", TOTAL, 3)}


@solver
@pytest.mark.parametrize("seed", some(list(range(60)), 15))
def test_rows_with_empty_cells(con: duckdb.DuckDBPyConnection, seed: int) -> None:
    """With a response a hidden cell can be 0, and everybody knows it; a hidden total over it cannot."""
    draw = random.Random(seed)
    rows = [(a, b) for a in "xyz" for b in "pqr" for _ in range(draw.choice([0, 0, 3, 6, 9]))]
    if not rows:
        return
    counted(con, rows)
    exact = {row[:2]: row[2] for row in con.execute("select a, b, value from counted").fetchall()}
    left = sqlanon.suppress_cells(con, "counted", ["a", "b"], 3, response="b").fetchall()
    found = bounds_of_output(con, left, least=0, lower_column="lowest")
    for a, b, value, hidden in left:
        of_row = exact[a, TOTAL]
        is_unsafe = 0 < exact[a, b] < 3 or (b != TOTAL and of_row > 0 and exact[a, b] in (0, of_row))
        assert (hidden == "primary") == is_unsafe
        assert hidden or value == exact[a, b]
        if is_unsafe:
            low, high = found[a, b]
            assert low <= exact[a, b]
            assert high is None or (high >= exact[a, b] and high - low >= 2 and high >= 3)


COUNTS = [("x", "p", 12), ("x", "q", 2), ("y", "p", 9), ("y", "q", 7), ("z", "p", 6), ("z", "q", 8)]


def load(con: duckdb.DuckDBPyConnection, changed: Mapping[tuple[str, str], int] | None = None) -> None:
    """The table `cells` of these counts with all totals."""
    con.execute("create or replace table counts (a varchar, b varchar, n integer)").fetchall()
    con.executemany("insert into counts values (?, ?, ?)", COUNTS)
    con.execute(
        """create or replace table cells as
        select coalesce(a, 'total') as a, coalesce(b, 'total') as b, sum(n)::bigint as contributors,
               sum(n)::bigint as value, null::double as largest, null::double as second
        from counts group by cube(a, b)"""
    ).fetchall()
    for (a, b), n in (changed or {}).items():
        con.execute("update cells set value = ? where a = ? and b = ?", [n, a, b]).fetchall()


@solver
@examples(60, quick=5)
@given(st.data())
def test_linked_tables(con: duckdb.DuckDBPyConnection, data: st.DataObject) -> None:
    """Two tables that share a row of totals: what both show together does not give an unsafe cell back."""
    sides = [("x", "y", "z"), ("p", "q"), ("u", "v")]
    atoms = [*product(*sides)]
    numbers = data.draw(st.lists(st.sampled_from([0, 1, 2, 3, 6]), min_size=12, max_size=12))
    rows = [cell for cell, n in zip(atoms, numbers, strict=True) for _ in range(n)]
    con.execute(
        "create or replace table own as select unnest(?::varchar[]) as a, unnest(?::varchar[]) as b, "
        "unnest(?::varchar[]) as c",
        [[*column] for column in zip(*rows, strict=True)] or [[], [], []],
    ).fetchall()
    if not rows:
        return
    names = ["a", "b", "c"]
    made = sqlanon.table_cells(con, "own", names, linked=[["a", "b"], ["a", "c"]])
    exact = {row[:3]: row[3] for row in made.fetchall()}
    con.execute("drop table if exists linked_cells").fetchall()
    made.create("linked_cells")
    try:
        left = sqlanon.suppress_cells(con, "linked_cells", names, 3).fetchall()
    except sqlanon.InputError as error:
        if not re.search("cannot be protected|not safe together|no cell may be hidden", str(error)):
            raise
        return  # few people in all: nothing can be shown
    assert {row[:3] for row in left} == set(exact)
    own = [cell for cell in atoms if all(label in {row[i] for row in rows} for i, label in enumerate(cell))]
    known: dict[Cell, Interval] = {
        row[:3]: (1, None) if row[4] else (exact[row[:3]], exact[row[:3]]) for row in left
    }
    found = by_linear_programs(known, own, [None] * 3)
    assert found is not None
    for row in left:
        if row[4] == "primary":
            low, high = found[row[:3]]
            assert math.floor(min(1e9 if high is None else high, 1e9) + OFF) - math.ceil(low - OFF) >= 2
            assert high is None or high >= 3 - OFF
        elif row[4] is None:
            assert exact[row[:3]] == 0 or exact[row[:3]] >= 3


@solver
def test_cells_that_must_be_shown(con: duckdb.DuckDBPyConnection) -> None:
    load(con)
    con.execute("create or replace table must as from (values ('y', 'q'), ('x', 'total')) as row(a, b)")
    left = sqlanon.suppress_cells(con, "cells", ["a", "b"], 3, publish="must").fetchall()
    hidden = {row[:2]: row[3] for row in left if row[3]}
    assert hidden["x", "q"] == "primary"
    assert len(hidden) == 4
    assert not {("y", "q"), ("x", "total")} & hidden.keys()


@solver
def test_safe_cells_are_all_shown(con: duckdb.DuckDBPyConnection) -> None:
    load(con)
    left = sqlanon.suppress_cells(con, "cells", ["a", "b"], 2).fetchall()
    assert [row[2:] for row in left if row[3] or row[2] is None] == []


@solver
@pytest.mark.parametrize(
    ("changed", "arguments", "message"),
    [
        ({("x", "total"): 15}, {}, "do not add up: total, total is 44, its parts over a are 45"),
        ({}, {"publish": "unsafe"}, "the cell x, q is unsafe, and publish names it"),
        ({}, {"publish": "unknown"}, "publish names 1 cells that table cells does not have, such as w, p"),
        ({}, {"publish": "others"}, "x, q cannot be protected by hiding cells"),
        ({}, {"cost": "beauty"}, "cost must be cells, contributors or value, not beauty"),
        ({}, {"solver_seconds": 0}, "time is over .* solver_seconds := 600"),
        ({}, {"threshold": None}, "no rule is given"),
        ({}, {"source": "no_totals"}, "table no_totals lacks 3 totals, such as x, total"),
        ({}, {"source": "sums"}, "table sums has sums, with the largest contributions: say whole := false"),
    ],
)
def test_wrong_input(
    con: duckdb.DuckDBPyConnection, changed: Any, arguments: dict[str, Any], message: str
) -> None:
    load(con, changed)
    con.execute(
        """create or replace table unsafe as from (values ('x', 'q')) as row(a, b);
        create or replace table unknown as from (values ('w', 'p')) as row(a, b);
        create or replace table others as select a, b from cells where value > 2;
        create or replace table no_totals as from cells where b <> 'total' or a = 'total';
        create or replace table sums as select * replace (1.0 as largest, 1.0 as second) from cells"""
    ).fetchall()
    given_ = {"source": "cells", "threshold": 3, **arguments}
    with pytest.raises(sqlanon.InputError, match=message):
        sqlanon.suppress_cells(con, given_.pop("source"), ["a", "b"], **given_)


def test_without_the_functions_sql_says_what_to_do(con: duckdb.DuckDBPyConnection) -> None:
    with duckdb.connect() as other:
        sqlanon.register(other)
        load(other)
        with pytest.raises(
            duckdb.Error, match=r"install sqlanon\[tables\], and call sqlanon.register_functions"
        ):
            other.execute("from sqlanon.suppress_cells('cells', ['a', 'b'], threshold := 3)").fetchall()


def test_a_missing_solver_is_named(con: duckdb.DuckDBPyConnection, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sqlanon.tables.programs.has_solver", lambda: False)
    with pytest.raises(sqlanon.InputError, match=r"pip install 'sqlanon\[tables\]'"):
        sqlanon.suppress_cells(con, "cells", "a", 3)
