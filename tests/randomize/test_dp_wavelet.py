"""Histograms by Haar wavelets: counts, what noise they need, and that ranges have little of it."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

import duckdb
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import sqlanon
from tests.budget import examples


def load(con: duckdb.DuckDBPyConnection, rows: list[tuple[Any, ...]]) -> None:
    con.execute("create or replace temp table t(x double, who integer)").fetchall()
    con.executemany("insert into t values (?, ?)", [(None, 0), *rows])


@settings(examples(10), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    values=st.lists(
        st.one_of(st.sampled_from([math.nan, math.inf, -math.inf]), st.floats(-3, 12)), max_size=15
    ),
    height=st.integers(1, 4),
)
def test_counts(drawing: duckdb.DuckDBPyConnection, values: list[float], height: int) -> None:
    """With next to no noise; numbers beyond the bounds are in the first and the last cell."""
    load(drawing, [(x, 0) for x in values])
    cells = 2**height
    rows = drawing.execute(
        f"from sqlanon.dp_wavelet('t', 'x', [0, 8], cells := {cells - (height > 1)}, epsilon := 100)"
    ).fetchall()
    counted = Counter(min(math.floor(min(max(x, 0), 8) / 8 * cells), cells - 1) for x in values if x == x)
    assert [row[:2] for row in rows] == [(8 * i / cells, 8 * (i + 1) / cells) for i in range(cells)]
    assert [row[2] for row in rows] == pytest.approx([counted[i] for i in range(cells)], abs=0.01)


class TestNoise:
    @pytest.mark.parametrize(
        ("mechanism", "budget", "scale"),
        [("laplace", {"epsilon": 2}, 4 * 6 / 2), ("gaussian", {"rho": 0.5, "delta": 1e-6}, 6 * 4**0.5)],
    )
    def test_scale(
        self, con: duckdb.DuckDBPyConnection, mechanism: Any, budget: dict[str, Any], scale: float
    ) -> None:
        """Eight cells are three levels; two cells of three rows change four numbers by 6."""
        load(con, [(i, 1) for i in range(100)])
        release = sqlanon.dp_wavelet(
            con,
            "t",
            "x",
            [0, 8],
            cells=8,
            **budget,
            mechanism=mechanism,
            unit="who",
            max_groups=2,
            max_rows=3,
        )
        assert release.details["noise"][0]["scale"] == pytest.approx(scale)
        assert release.cost.query == "dp_wavelet of t by x"
        assert release.rows == 8

    def test_changes(self, con: duckdb.DuckDBPyConnection) -> None:
        """A row changes as many differences as there are levels, and the total, each by 1."""
        con.execute("create temp table b as select 5::bigint as g1, 1 as n").fetchall()
        rows = con.execute("select level, difference from sqlanon._wavelet('b', 3) where difference <> 0")
        assert sorted(rows.fetchall()) == [(1, -1), (2, 1), (3, -1), (4, 1)]

    def test_ranges(self, drawing: duckdb.DuckDBPyConnection) -> None:
        """Half of the range has less noise than one cell with noise of its own would have, 256 times."""
        load(drawing, [(1.0, 0)] * 10)
        halves = []
        for _ in range(3):
            rows = drawing.execute(
                "from sqlanon.dp_wavelet('t', 'x', [0, 512], cells := 512, epsilon := 1)"
            ).fetchall()
            halves.append(sum(row[2] for row in rows[:256]) - 10)
            assert rows[0][3] < 10 * math.sqrt(2)
        # (total + difference of the root) / 2: a standard deviation of 10, where 256 cells would have 226
        assert max(map(abs, halves)) < 200


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("'t', 'x', [0, 8], cells := 1, epsilon := 1", "cells must be 2 at least, not 1"),
        ("'t', 'x', [8, 0], epsilon := 1", "bounds must be two numbers"),
        ("'texts', 'x', [0, 8], epsilon := 1", "column x is VARCHAR, not a number"),
        ("'t', 'x', [0, 8], epsilon := 1, unit := 'who'", "max_groups must be given with unit"),
    ],
)
def test_refused(drawing: duckdb.DuckDBPyConnection, arguments: str, message: str) -> None:
    load(drawing, [])
    drawing.execute("create or replace temp table texts as select 'a' as x").fetchall()
    with pytest.raises(duckdb.Error, match=message):
        drawing.execute(f"from sqlanon.dp_wavelet({arguments})").fetchall()
