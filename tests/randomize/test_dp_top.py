"""The most frequent groups by noisy max."""

from __future__ import annotations

import math

import duckdb
import pytest

import sqlanon


def load(con: duckdb.DuckDBPyConnection) -> None:
    """Group i has 10 i rows, each of another person, and 1,000 of one who is in all of them."""
    con.execute(
        """create or replace temp table k as select unnest([null, 1, 2, 3, 4]) as g;
        create or replace temp table t as
        select i as g, j as who from range(6) r(i), range(60) s(j) where j < 10 * i
        union all select i, 1000 from range(6) r(i), range(1000)"""
    ).fetchall()


def test_most_rows(drawing: duckdb.DuckDBPyConnection, con: duckdb.DuckDBPyConnection) -> None:
    """Of public groups, and of people who count as often as they may; the same from SQL and Python."""
    for connection in (drawing, con):
        load(connection)
    rows = drawing.execute(
        "from sqlanon.dp_top('t', 'g', 'k', k := 3, epsilon := 50, unit := 'who')"
    ).fetchall()
    error = pytest.approx(3 / 50 * math.log(20 * 3 * 5))
    assert rows == [(4, 1, error), (3, 2, error), (2, 3, error)]
    release = sqlanon.dp_top(con, "t", "g", "k", k=3, epsilon=50, unit="who")
    assert release.relation(con).fetchall() == rows
    assert release.cost == sqlanon.Cost(50, 0, 1250, "exponential", "dp_top of t by g", unit="who")


def test_more_than_there_are(drawing: duckdb.DuckDBPyConnection) -> None:
    load(drawing)
    rows = drawing.execute(
        "select g from sqlanon.dp_top('t', 'g', 'k', k := 9, epsilon := 100, unit := 'who')"
    ).fetchall()
    assert sorted(rows, key=str) == [(1,), (2,), (3,), (4,), (None,)]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("'t', 'g', 'k', k := 0, epsilon := 1", "k must be a whole number of at least 1"),
        ("'t', 'g', 'k'", "give epsilon"),
        ("'t', 'g', 'k', epsilon := 1, max_rows := 2", "max_rows needs unit"),
    ],
)
def test_refused(drawing: duckdb.DuckDBPyConnection, arguments: str, message: str) -> None:
    load(drawing)
    with pytest.raises(duckdb.Error, match=message):
        drawing.execute(f"from sqlanon.dp_top({arguments})").fetchall()
