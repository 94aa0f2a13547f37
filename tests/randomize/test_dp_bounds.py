"""Bounds that are chosen privately."""

from __future__ import annotations

import duckdb
import pytest

import sqlanon
from tests.oracles import noise as oracle


@pytest.mark.parametrize(
    ("numbers", "expected"),
    [
        ("5", (4, 8)),
        ("8.0", (4, 8)),
        ("8.1", (8, 16)),
        ("-5", (-8, -4)),
        ("if(i % 2 = 0, -3, 100)", (-4, 128)),
        ("0", (-(2**-10), 2**-10)),
        ("if(i % 2 = 0, 'infinity'::double, 'nan'::double)", (2**60, 2**61)),
        ("null::double", (None, None)),
    ],
)
def test_bounds(drawing: duckdb.DuckDBPyConnection, numbers: str, expected: tuple[float, float]) -> None:
    """With next to no noise."""
    drawing.execute(f"create temp table t as select {numbers} as x from range(30) t(i)").fetchall()
    rows = drawing.execute("from sqlanon.dp_bounds('t', 'x', epsilon := 100)").fetchall()
    assert rows == [expected]


def test_python(con: duckdb.DuckDBPyConnection) -> None:
    con.execute("create table t as select 3 as x from range(1000)").fetchall()
    release = sqlanon.dp_bounds(con, "t", "x", epsilon=1)
    assert release.rows == 1
    assert release.cost == sqlanon.Cost(1, 0, 0.5, "laplace", "dp_bounds of t by x")
    [noise] = release.details["noise"]
    assert noise["scale"] == 1
    # of 143 empty bins one passes with a probability of 5 % at most
    assert oracle.tail("laplace", 1, noise["tau"]) <= 0.05 / 143 < oracle.tail("laplace", 1, noise["tau"] - 1)
