"""Cells of tables against those counted row by row."""

# As texts: Hypothesis keeps evaluated annotations, and DuckDB 2.0 reports its types there as leaks.
from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sqlanon
from tests.budget import examples
from tests.oracles.cells import Row, Tree, cells

VALUES = ["x", "y", "z", None]
# z is a region of its own, NULL is alone in one; x and y are in one.
REGIONS: Tree = {
    "x": ["x", "xy", "*"],
    "y": ["y", "xy", "*"],
    "z": ["z", "z", "*"],
    None: [None, "NULL", "*"],
}


@pytest.fixture(scope="module")
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        sqlanon.register(connection)
        yield connection


@st.composite
def tables(draw: st.DrawFn, weighted: bool) -> list[Row]:
    return [
        Row(
            (draw(st.sampled_from(VALUES)), draw(st.sampled_from(["p", "q"]))),
            draw(st.none() | st.integers(0, 3)),
            draw(st.integers(0, 3)) if weighted else 1,
            draw(st.sampled_from([0, 0.5, 1, 2.25, 7])),
        )
        for _ in range(draw(st.integers(1, 9)))
    ]


def load(con: duckdb.DuckDBPyConnection, rows: Sequence[Row]) -> None:
    con.execute(
        """create or replace table own as select unnest(?::varchar[]) as a, unnest(?::varchar[]) as "b c",
        unnest(?::integer[]) as person, unnest(?::integer[]) as n, unnest(?::double[]) as amount""",
        [
            [row.values[0] for row in rows],
            [row.values[1] for row in rows],
            *([getattr(row, name) for row in rows] for name in ("person", "n", "amount")),
        ],
    ).fetchall()
    con.execute(
        """create or replace table regions (attribute varchar, value varchar, level integer, label varchar)"""
    ).fetchall()
    for value, labels in (REGIONS or {}).items():
        for level, label in enumerate(labels):
            con.execute("insert into regions values ('A', ?, ?, ?)", [value, level, label]).fetchall()


@pytest.mark.both_lines
@examples(40)
@given(st.data(), st.sampled_from(["rows", "people", "weights"]), st.booleans(), st.booleans(), st.booleans())
def test_random_tables(
    con: duckdb.DuckDBPyConnection, data: st.DataObject, kind: str, measured: bool, nested: bool, full: bool
) -> None:
    rows = data.draw(tables(kind == "weights").filter(lambda rows: any(row.n for row in rows)))
    load(con, rows)
    answer = sqlanon.table_cells(
        con,
        "own",
        ["a", "b c"],
        measure="amount" if measured else None,
        unit="person" if kind == "people" else None,
        weight="n" if kind == "weights" else None,
        hierarchies="regions" if nested else None,
        empty_cells=full,
    )
    expected = cells(
        [row for row in rows if row.n], [REGIONS if nested else None, None], by_person=kind == "people"
    )
    found = {row[:2]: row[2:] for row in answer.fetchall()}
    assert found == {
        cell: (own.n, own.amount, own.largest, own.second, own.n == 0)
        if measured
        else (own.n, own.n, None, None, own.n == 0)
        for cell, own in expected.items()
        if full or own.n
    }


@pytest.mark.both_lines
def test_linked_tables_are_cells_of_the_whole(con: duckdb.DuckDBPyConnection) -> None:
    """Those of either table, once each, whatever the case of names."""
    con.execute(
        "create or replace table own as select i % 3 as a, i % 2 as b, i % 5 as c from range(30) as row(i)"
    )
    every = sqlanon.table_cells(con, "own", ["a", "b", "c"]).fetchall()
    linked = sqlanon.table_cells(con, "own", ["a", "b", "c"], linked=[["A", "b"], ["a", "c"]]).fetchall()
    assert sorted(linked) == sorted(row for row in every if "total" in row[1:3])
    refused: list[tuple[Any, str]] = [
        ([["a", "z"]], 'column "z" in linked is none of dimensions'),
        ([["a", None]], 'column "NULL" in linked is none of dimensions'),
        ([], "linked is a list of tables"),
        ([["a"], []], "linked is a list of tables"),
    ]
    for wrong, told in refused:
        with pytest.raises(sqlanon.InputError, match=told):
            sqlanon.table_cells(con, "own", ["a", "b", "c"], linked=wrong)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"dimensions": []}, "dimensions names no column"),
        ({"dimensions": ["a", "A"]}, 'column "A" is named twice in dimensions, measure, unit or weight'),
        ({"dimensions": ["a", "nowhere"]}, "nowhere"),
        ({"unit": "person", "weight": "n"}, "unit does not go with weight"),
        ({"total": "x"}, "column a has the value x, which marks totals, too"),
        (
            {"measure": "wrong"},
            '2 rows of table own have no number of at least 0 in column "wrong".*in the cell x',
        ),
        ({"hierarchies": "half"}, "the hierarchy of column a lacks a value"),
        ({"hierarchies": "two_roots"}, "the hierarchy of column a: there is no single root"),
        ({"hierarchies": "two_meanings"}, "column a has the label y at several levels for different values"),
        ({"source": "none"}, "table none is empty"),
    ],
)
def test_wrong_input(con: duckdb.DuckDBPyConnection, changed: dict[str, Any], message: str) -> None:
    con.execute(
        """create or replace table own as
        from (values ('x', 1, 1, 'nan'::double), ('y', 1, 2, -1), ('y', 2, 1, 0)) as row(a, person, n, wrong);
        create or replace table none as from own where false;
        create or replace table half as
        from (values ('a', 'x', 0, 'x'), ('a', 'x', 1, '*')) as row(attribute, value, level, label);
        create or replace table two_roots as
        from (values ('a', 'x', 0, 'x'), ('a', 'x', 1, '*'), ('a', 'y', 0, 'y'), ('a', 'y', 1, '+'))
        as row(attribute, value, level, label);
        create or replace table two_meanings as
        from (values ('a', 'x', 0, 'x'), ('a', 'x', 1, 'y'), ('a', 'x', 2, '*'),
                     ('a', 'y', 0, 'y'), ('a', 'y', 1, 'y'), ('a', 'y', 2, '*'))
        as row(attribute, value, level, label)"""
    ).fetchall()
    arguments: dict[str, Any] = {"source": "own", "dimensions": ["a"], **changed}
    with pytest.raises(sqlanon.InputError, match=message):
        sqlanon.table_cells(con, **arguments)
