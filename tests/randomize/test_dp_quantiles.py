"""Quantiles by the exponential mechanism: scores against their definition, and draws against scores."""

from __future__ import annotations

import math

import duckdb
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

import sqlanon
from tests.budget import examples
from tests.oracles import noise as oracle


@settings(examples(10), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rows=st.lists(st.integers(1, 6), max_size=9), thousandths=st.sampled_from([0, 100, 500, 900]))
def test_scores(drawing: duckdb.DuckDBPyConnection, rows: list[int], thousandths: int) -> None:
    """By how many rows a cell is off; one more row changes that by max(q, 1 - q) at most."""

    def scores(cells: list[int]) -> list[int]:
        drawing.execute(
            f"create or replace temp table s as select 1 as group_id, {cells}::bigint[] as row_cells"
        ).fetchall()
        [(_, _, found)] = drawing.execute(
            f"from sqlanon._quantile_scores('s', [{thousandths}], 6)"
        ).fetchall()
        return list(found)

    found = scores(rows)
    for cell in range(1, 7):
        less, more = (sum(side) for side in zip(*((x < cell, x > cell) for x in [*rows, cell]), strict=True))
        assert found[cell - 1] == -abs((1000 - thousandths) * less - thousandths * more)
    changes = [abs(one - other) for one, other in zip(found, scores([*rows, 3]), strict=True)]
    assert max(changes) <= max(thousandths, 1000 - thousandths)


class TestQuantiles:
    def test_values(self, drawing: duckdb.DuckDBPyConnection) -> None:
        """In order, in the cells that are right; numbers beyond the bounds count at them."""
        drawing.execute(
            """create or replace temp table t as
            select 'x' as g, i as who, i / 100 - 10 as x from range(4000) t(i)
            union all select 'x', null, unnest(['nan'::double, null])"""
        ).fetchall()
        rows = drawing.execute(
            """from sqlanon.dp_quantiles('t', 'g', 'x', [0, 20], quantiles := [0.5, 0, 0.7, 1],
            epsilon := 100, delta := 0.1, unit := 'who', max_groups := 1, cells := 40)"""
        ).fetchall()
        assert [row[:3] for row in rows] == [
            ("x", 0, 0.25), ("x", 0.5, pytest.approx(10, abs=0.3)), ("x", 0.7, pytest.approx(18, abs=0.3)),
            ("x", 1, 19.75),
        ]  # fmt: skip
        assert [row[3] for row in rows] == [pytest.approx(2 * 4 / 50 * math.log(800))] * 4

    @settings(examples(25), suppress_health_check=[HealthCheck.function_scoped_fixture])
    @given(
        quantiles=st.lists(
            st.one_of(st.floats(0, 1), st.sampled_from([0.5, 0.5004, 0.49996, 0, 1])), min_size=1, max_size=6
        ),
        values=st.lists(st.floats(-5000, 5000) | st.none(), max_size=20),
        cells=st.integers(1, 12),
    )
    @example(quantiles=[0.5, 0.5], values=[1000.0] * 20, cells=10)
    @example(quantiles=[0.5, 0.5004, 0.9], values=[], cells=3)
    def test_any_quantiles(
        self,
        drawing: duckdb.DuckDBPyConnection,
        quantiles: list[float],
        values: list[float | None],
        cells: int,
    ) -> None:
        """Each is told once, in a cell between the bounds, and larger ones are not below smaller ones."""
        drawing.execute("create or replace temp table k as select unnest(['a', 'b']) as g").fetchall()
        drawing.execute(
            "create or replace temp table t as select 'a' as g, unnest(?::double[]) as x", [values]
        ).fetchall()
        rows = drawing.execute(
            f"""from sqlanon.dp_quantiles('t', 'g', 'x', [0, 3000], quantiles := {quantiles}, epsilon := 1,
            keys := 'k', cells := {cells})"""
        ).fetchall()
        [(told,)] = drawing.execute(
            f"select list_sort(list(distinct round(1000 * q))) from unnest({quantiles}::double[]) as t(q)"
        ).fetchall()
        middles = [(cell + 0.5) * 3000 / cells for cell in range(cells)]
        for group in "ab":
            of_group = [row[1:3] for row in rows if row[0] == group]
            assert [1000 * quantile for quantile, _ in of_group] == pytest.approx(told)
            found = [value for _, value in of_group]
            assert found == sorted(found)
            assert all(min(abs(value - middle) for middle in middles) < 1e-6 for value in found)

    def test_somebody_with_many_rows(self, drawing: duckdb.DuckDBPyConnection) -> None:
        evenly = drawing.execute("select sqlanon._evenly(range(1, 1001), 4), sqlanon._evenly([3, 4], 2)")
        assert evenly.fetchall() == [([126, 376, 626, 876], [3, 4])]

    def test_draws(self, drawing: duckdb.DuckDBPyConnection) -> None:
        """Two cells, one row: by permute-and-flip the wrong one comes with exp(-difference / scale) / 2."""
        n = 3000
        drawing.execute(f"create or replace temp table k as select unnest(range({n})) as g").fetchall()
        drawing.execute("create or replace temp table t as select g, 1.0 as x from k").fetchall()
        [(wrong, rows)] = drawing.execute(
            """select avg((value > 5)::int), count(*)
            from sqlanon.dp_quantiles('t', 'g', 'x', [0, 10], epsilon := 1, keys := 'k', cells := 2)"""
        ).fetchall()
        assert rows == n
        assert abs(wrong - math.exp(-1 / 2) / 2) < oracle.margin(n)

    def test_python(self, con: duckdb.DuckDBPyConnection) -> None:
        con.execute("create table t as select 1 as g, i as x from range(500) t(i)").fetchall()
        release = sqlanon.dp_quantiles(con, "t", "g", "x", [0, 500], epsilon=20, delta=1e-6)
        [(g, quantile, value, _)] = release.relation(con).fetchall()
        assert (g, quantile, value) == (1, 0.5, pytest.approx(250, abs=30))
        assert (release.cost.mechanism, release.cost.rho) == ("exponential", 100)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("quantiles := [1.5]", r"quantiles must be numbers between 0 and 1, not \[1.5\]"),
        ("quantiles := []", "quantiles must be"),
        ("cells := 0", "cells must be a whole number of at least 1"),
    ],
)
def test_refused(drawing: duckdb.DuckDBPyConnection, arguments: str, message: str) -> None:
    drawing.execute("create or replace temp table t as select 1 as g, 2 as x").fetchall()
    with pytest.raises(duckdb.Error, match=message):
        drawing.execute(
            f"from sqlanon.dp_quantiles('t', 'g', 'x', [0, 1], epsilon := 1, delta := 0.1, {arguments})"
        ).fetchall()
