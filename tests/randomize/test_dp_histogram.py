"""Histograms over a hierarchy: estimates against least squares, and what is made of them."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import duckdb
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import sqlanon
from tests.budget import examples

Node = tuple[int, str]


@st.composite
def trees(draw: st.DrawFn) -> list[list[str]]:
    """For each leaf, its labels from level 0 to the root."""
    leaves = [f"leaf {i}" for i in range(draw(st.integers(1, 6)))]
    middle = {leaf: f"node {draw(st.integers(0, 2))}" for leaf in leaves}
    return [[leaf, middle[leaf], "*"] for leaf in leaves]


@settings(examples(10), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(tree=trees(), data=st.data())
def test_estimates(drawing: duckdb.DuckDBPyConnection, tree: list[list[str]], data: st.DataObject) -> None:
    """They are those of least squares, with their variances; rounded, they still agree."""
    nodes = sorted({(level, label) for labels in tree for level, label in enumerate(labels)})
    parents = {(level, labels[level]): labels[level + 1] for labels in tree for level in range(2)}
    noisy = [data.draw(st.integers(-5, 30), label=str(node)) for node in nodes]
    drawing.execute(
        "create or replace temp table noisy(level integer, label varchar, parent varchar, noisy bigint)"
    ).fetchall()
    drawing.executemany(
        "insert into noisy values (?, ?, ?, ?)",
        [(*node, parents.get(node), value) for node, value in zip(nodes, noisy, strict=True)],
    )
    drawing.execute("create or replace temp table up as from sqlanon._tree_up('noisy')").fetchall()
    drawing.execute("create or replace temp table down as from sqlanon._tree_down('up')").fetchall()
    found = {
        (level, label): rest
        for level, label, *rest in drawing.execute(
            "select level, label, estimate, variance, n from sqlanon._tree_rounded('down')"
        ).fetchall()
    }
    leaves_below = np.array([[labels[level] == label for labels in tree] for level, label in nodes], float)
    covariance = np.linalg.inv(leaves_below.T @ leaves_below)
    expected = leaves_below @ (covariance @ leaves_below.T @ np.array(noisy))
    variances = np.diag(leaves_below @ covariance @ leaves_below.T)
    for i, node in enumerate(nodes):
        assert found[node][:2] == [pytest.approx(expected[i]), pytest.approx(variances[i])]
    below: dict[Node, float] = defaultdict(float)
    for (level, label), (_, _, n) in found.items():
        assert n >= 0
        assert n == round(n)
        if level < 2:
            below[level + 1, parents[level, label]] += n
    assert below == {node: found[node][2] for node in below}


class TestHistogram:
    def load(self, con: duckdb.DuckDBPyConnection, n: int) -> None:
        """Leaves 0 to n - 1 in branches of four; leaf i has i % 7 rows."""
        con.execute(
            f"""create or replace temp table h as
            select 'x' as attribute, i::varchar as value, unnest([0, 1, 2]) as level,
                   unnest([i::varchar, 'branch ' || i // 4, '*']) as label
            from range({n}) t(i);
            create or replace temp table t as
            select i as x, j as who from range({n}) t(i), range(7) s(j) where j < i % 7
            union all select -1, 0"""
        ).fetchall()

    def test_exact(self, drawing: duckdb.DuckDBPyConnection, con: duckdb.DuckDBPyConnection) -> None:
        """With next to no noise; what is not in the hierarchy does not count."""
        expected = [(2, "*", 21), (1, "branch 0", 6), (1, "branch 1", 15)]
        expected += [(0, str(i), i % 7) for i in range(8)]
        for connection in (drawing, con):
            self.load(connection, 8)
        rows = drawing.execute("from sqlanon.dp_histogram('t', 'x', 'h', epsilon := 100)").fetchall()
        assert [row[:3] for row in rows] == expected
        release = sqlanon.dp_histogram(con, "t", ["x"], "h", epsilon=100)
        assert [row[:3] for row in release.relation(con).fetchall()] == expected
        assert release.details["noise"][0]["scale"] == 3 / 100

    @pytest.mark.parametrize(
        ("mechanism", "budget", "scale"),
        [("laplace", {"epsilon": 1}, 3 * 2 * 3), ("gaussian", {"rho": 1, "delta": 1e-6}, (90 / 2) ** 0.5)],
    )
    def test_scale(
        self, con: duckdb.DuckDBPyConnection, mechanism: Any, budget: dict[str, Any], scale: float
    ) -> None:
        """Somebody with three rows of each of two values changes these by 3, and two nodes above by 6."""
        self.load(con, 4)
        release = sqlanon.dp_histogram(
            con, "t", "x", "h", **budget, mechanism=mechanism, unit="who", max_groups=2, max_rows=3
        )
        assert release.details["noise"][0]["scale"] == pytest.approx(scale)

    @pytest.mark.parametrize("budget", ["epsilon := 1", "rho := 0.1, delta := 0.1, mechanism := 'gaussian'"])
    def test_intervals(self, drawing: duckdb.DuckDBPyConnection, budget: str) -> None:
        self.load(drawing, 1200)
        [(covered, most, least)] = drawing.execute(
            f"""select avg((label::integer % 7 between low and high)::int), max(standard_deviation), min(n)
            from sqlanon.dp_histogram('t', 'x', 'h', {budget}, non_negative := false) where level = 0"""
        ).fetchall()
        assert 0.91 < covered < 0.99  # 7 standard deviations of a share of 1,200
        assert most < (3 * 2**0.5 if "rho" not in budget else 15**0.5)
        assert least < 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("'t', 'y', 'h', epsilon := 1", "hierarchies has none for column y"),
        ("'t', ['x', 'y'], 'h', epsilon := 1", "columns names one column of a histogram, not 2"),
        ("'doubles', 'x', 'h', epsilon := 1", "column x is DOUBLE, of which equal values"),
        ("'t', 'x', 'broken', epsilon := 1", "the hierarchy of column x"),
    ],
)
def test_refused(drawing: duckdb.DuckDBPyConnection, arguments: str, message: str) -> None:
    drawing.execute(
        """create or replace temp table t as select 1 as x, 2 as y;
        create or replace temp table doubles as select -0.0::double as x;
        create or replace temp table broken as
        select 'x' as attribute, unnest(['1', '2']) as value, 0 as level, unnest(['1', '2']) as label;
        create or replace temp table h as select 'x' as attribute, '0.0' as value,
        unnest([0, 1]) as level, unnest(['0.0', '*']) as label"""
    ).fetchall()
    with pytest.raises(duckdb.Error, match=message):
        drawing.execute(f"from sqlanon.dp_histogram({arguments})").fetchall()
