"""Unsafe cells against rules that are applied cell by cell."""

# As texts: Hypothesis keeps evaluated annotations, and DuckDB 2.0 reports its types there as leaks.
from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sqlanon
from tests.budget import examples
from tests.cells.test_table_cells import load, tables
from tests.oracles.cells import TOTAL, Rules, broken, cells


@pytest.fixture(scope="module")
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        sqlanon.register(connection)
        yield connection


percentages = st.none() | st.sampled_from([10, 50, 75, 100])
rules = st.builds(
    Rules,
    threshold=st.integers(1, 4),
    zeros=st.booleans(),
    one=percentages,
    two=percentages,
    p=st.none() | st.sampled_from([10, 40]),
    q=st.sampled_from([50, 100]),
    response=st.sampled_from([None, 1]),
    shares=st.booleans(),
)


@examples(40)
@given(st.data(), rules, st.booleans())
def test_random_tables(
    con: duckdb.DuckDBPyConnection, data: st.DataObject, rules: Rules, by_person: bool
) -> None:
    rows = data.draw(tables(weighted=False))
    load(con, rows)
    made = sqlanon.table_cells(con, "own", ["a", "b c"], "amount", unit="person" if by_person else None)
    found = sqlanon.unsafe_cells(
        con,
        made,
        ["a", "b c"],
        threshold=rules.threshold,
        zeros=rules.zeros,
        dominance=[rules.one, rules.two],
        p=rules.p,
        q=rules.q,
        response=None if rules.response is None else "b c",
        shares=rules.shares and rules.response is not None,
    )
    own = cells(rows, [None, None], by_person=by_person)
    expected: dict[Any, float | None] = {}
    for cell, contributors in own.items():
        in_row = rules.response is not None and cell[1] != TOTAL
        row = own[(cell[0], TOTAL)] if in_row else None
        expected |= {
            (cell, rule): protection for rule, protection in broken(contributors, row, rules).items()
        }
    assert {(row[:2], row[2]): row[5] for row in found.fetchall()} == pytest.approx(expected)


def test_structural_zeros_are_exempt(con: duckdb.DuckDBPyConnection) -> None:
    con.execute("create or replace table own as from (values ('m', 'no'), ('f', 'yes')) as row(sex, birth)")
    made = sqlanon.table_cells(con, "own", ["sex", "birth"])
    known = con.sql("select 'm' as sex, 'yes' as birth")
    arguments: dict[str, Any] = {"dimensions": ["sex", "birth"], "zeros": True}
    every = sqlanon.unsafe_cells(con, made, **arguments).project("sex, birth, rule").fetchall()
    assert every == [("f", "no", "zero"), ("m", "yes", "zero")]
    others = sqlanon.unsafe_cells(con, made, structural=known, **arguments)
    assert others.project("sex, birth, rule").fetchall() == [("f", "no", "zero")]


@pytest.mark.parametrize(
    ("rows", "changed", "message"),
    [
        ("('x', 1, 5, 5, null)", {}, "no rule is given"),
        ("('x', 1, 5, 5, null)", {"dominance": [75]}, "dominance is a list of two percentages"),
        ("('x', 1, 5, 5, null)", {"p": 100}, "p must be below q"),
        ("('x', 1, 5, 5, null)", {"threshold": 3, "response": "b"}, "response must be one of dimensions"),
        ("('x', 1, 5, 5, null)", {"threshold": 3, "shares": True}, "shares needs response"),
        ("('x', 1, 5, 5, null), ('x', 2, 5, 5, 0)", {"p": 10}, "the same cell 2 times: x"),
        ("('x', -1, 5, 5, null)", {"p": 10}, "no contributors or no finite value .* 1 cells, such as x"),
        ("('x', 1, 'nan'::double, 5, null)", {"p": 10}, "no finite value .* 1 cells, such as x"),
        ("('x', 3, 3, null, null)", {"p": 10}, "the largest contributions are lacking in 1 cells"),
        ("('x', 3, 3, 1, 1)", {"response": "a"}, "no total over the response for 1 cells, such as x"),
    ],
)
def test_wrong_input(
    con: duckdb.DuckDBPyConnection, rows: str, changed: dict[str, Any], message: str
) -> None:
    con.execute(
        f"""create or replace table cells as
        from (values {rows}) as row(a, contributors, value, largest, second)"""
    ).fetchall()
    with pytest.raises(sqlanon.InputError, match=message):
        sqlanon.unsafe_cells(con, "cells", ["a"], **changed)


def test_empty_cells_are_not_forgotten(con: duckdb.DuckDBPyConnection) -> None:
    con.execute("create or replace table own as from (values ('m', 'no'), ('f', 'yes')) as row(sex, birth)")
    made = sqlanon.table_cells(con, "own", ["sex", "birth"], empty_cells=False)
    with pytest.raises(sqlanon.InputError, match="7 of 9 combinations of labels"):
        sqlanon.unsafe_cells(con, made, ["sex", "birth"], zeros=True)
