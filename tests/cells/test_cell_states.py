"""What has become of cells, against SciPy's bounds and rules that are applied cell by cell."""

# As texts: Hypothesis keeps evaluated annotations, and DuckDB 2.0 reports its types there as leaks.
from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sqlanon
from tests.budget import examples
from tests.cells.regions import solver, with_regions
from tests.cells.test_suppress_cells import ends, microdata, steps
from tests.oracles.cell_bounds import Interval
from tests.oracles.cells import TOTAL, Cell, Contributors, Row, Rules, Tree, broken, cells


@pytest.fixture(scope="module")
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    yield from with_regions()


@solver
@examples(60, quick=3)
@given(microdata(), st.data())
def test_some_cells_are_hidden(
    con: duckdb.DuckDBPyConnection, table: tuple[list[Row], list[Tree]], data: st.DataObject
) -> None:
    """Somebody hides unsafe cells by hand, not all of them, and a few others."""
    rows, trees = table
    if not rows:
        return
    names = [*"abc"[: len(trees)]]
    con.execute(
        "create or replace table own as select {}".format(
            ", ".join(f"unnest(?::varchar[]) as {name}" for name in names)
        ),
        [[row.values[i] for row in rows] for i in range(len(names))],
    ).fetchall()
    hierarchies = "regions" if trees[0] else None
    made = sqlanon.table_cells(con, "own", names, hierarchies=hierarchies)
    own = cells(rows, trees, by_person=False)
    unsafe = {cell for cell, each in own.items() if broken(each, None, Rules(threshold=3))}
    hidden = {cell for cell in own if data.draw(st.integers(0, 9)) < (8 if cell in unsafe else 1)}
    con.execute(
        "create or replace table published as select {}, unnest(?::varchar[]) as value".format(
            ", ".join(f"unnest(?::varchar[]) as {name}" for name in names)
        ),
        [
            *([cell[i] for cell in own] for i in range(len(names))),
            ["*" if cell in hidden else str(each.n) for cell, each in own.items()],
        ],
    ).fetchall()
    bounds = sqlanon.cell_bounds(con, "published", names, hierarchies=hierarchies, least=0)
    answer = sqlanon.cell_states(con, "published", bounds, names, cells=made, threshold=3)
    atoms = [cell for cell in own if all(label not in (TOTAL, "xy") for label in cell)]
    known: dict[Cell, Interval] = {
        cell: (0, None) if cell in hidden else (each.n, each.n) for cell, each in own.items()
    }
    possible = ends(known, atoms, trees)
    found = {row[: len(names)]: row[len(names) :] for row in answer.fetchall()}
    assert found.keys() == own.keys()
    for cell, (n, value, shown, low, high, unfinished, rules, state) in found.items():
        assert (n, value, shown) == (own[cell].n, own[cell].n, "*" if cell in hidden else str(own[cell].n))
        assert rules == (["minimum"] if cell in unsafe else [])
        if cell not in hidden:
            assert (low, high, unfinished) == (None, None, None)
            assert state == ("unsafe" if cell in unsafe else "shown")
            continue
        least, most = math.ceil(possible[cell][0] - 1e-6), possible[cell][1]
        is_known = most - least < (2 - 1e-6 if cell in unsafe else 1e-6)
        is_known |= cell in unsafe and most < 3 - 1e-6
        assert state == ("known" if is_known else "unfinished" if unfinished else "protected")
    told = sqlanon.cell_sums(con, "published", names, hierarchies=hierarchies).fetchall()
    assert Counter(row[:-1] for row in told) == Counter(_left(own, hidden, names, trees))


def _left(
    own: Mapping[Cell, Contributors], hidden: set[Cell], names: list[str], trees: list[Tree]
) -> Iterator[tuple[Any, ...]]:
    """What each sum leaves for its hidden cells."""
    for cell in own:
        for parts in steps(cell, own, trees):
            d = next(i for i, label in enumerate(cell) if parts[0][i] != label)
            left = own[cell].n - sum(own[part].n for part in parts if part not in hidden)
            concealed = [each for each in (cell, *parts) if each in hidden]
            for each in concealed:
                yield (*each, names[d], None if cell in hidden else left, len(concealed))


@solver
def test_rounded_cells(con: duckdb.DuckDBPyConnection) -> None:
    """Of a rounded count as many numbers as the threshold must be possible; 0 may be known to be small."""
    con.execute(
        """create or replace table counts as
        select a, n as contributors, n as value, null as largest, null as second
        from (values ('x', 2), ('y', 9), ('z', 30), ('total', 41)) as row(a, n);
        create or replace table rounded as
        select a, 5 * round(value / 5) as value from counts"""
    ).fetchall()
    for base, threshold, state in ((5, 3, "protected"), (5, 4, "known")):
        bounds = sqlanon.cell_bounds(con, "rounded", "a", base=base)
        answer = sqlanon.cell_states(con, "rounded", bounds, "a", cells="counts", threshold=threshold)
        assert dict(answer.project("a, state").fetchall()) == {
            "x": state, "y": "protected", "z": "protected", "total": "protected",
        }  # fmt: skip


def test_sums_in_words(con: duckdb.DuckDBPyConnection) -> None:
    con.execute(
        """create or replace table cells as
        from (values ('x', 'p', '*'), ('x', 'q', '4'), ('x', 'total', '6'), ('total', 'p', '*'),
                     ('y', 'p', '3'), ('y', 'q', '3'), ('y', 'total', '6')) as row(a, b, value)"""
    ).fetchall()
    told = sqlanon.cell_sums(con, "cells", ["a", "b"]).project("a, b, dimension, left_over, hidden, told")
    assert sorted(told.fetchall()) == [
        ("total", "p", "a", None, 2, "is the sum of its parts over a: 3 shown, and x, p hidden"),
        ("x", "p", "a", None, 2, "total, p, which it counts in, is hidden itself"),
        ("x", "p", "b", 2, 1, "x, total is 6, of which 4 are shown: 2 left for it alone"),
    ]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"threshold": 3}, "rules are about cells, a table with the contributors of each: give it"),
        ({"cells": "counts"}, "no rule is given"),
        ({"cells": "fewer", "threshold": 3}, "table fewer lacks 1 cells of shown, such as total"),
        ({"cells": "more", "threshold": 3}, "table shown lacks 1 cells of more, such as y"),
        ({"published": "twice"}, "table twice has the same cell 2 times: x"),
    ],
)
def test_wrong_input(con: duckdb.DuckDBPyConnection, arguments: dict[str, Any], message: str) -> None:
    con.execute(
        """create or replace table shown as from (values ('x', '1'), ('total', '1')) as row(a, value);
        create or replace table twice as from shown union all from shown;
        create or replace table bound as select 'q' as a, 1 as lower, 1 as upper, false as unfinished;
        create or replace table counts as
        select a, 1 as contributors, 1 as value, null as largest, null as second from shown;
        create or replace table fewer as from counts where a = 'x';
        create or replace table more as from counts union all select * replace ('y' as a) from fewer"""
    ).fetchall()
    given_ = {"published": "shown", **arguments}
    with pytest.raises(sqlanon.InputError, match=message):
        sqlanon.cell_states(con, given_.pop("published"), "bound", "a", **given_)
