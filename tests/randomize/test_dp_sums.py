"""Sums and means with noise: what is added up, within which bounds, and what no number may do."""

from __future__ import annotations

import math
from collections import defaultdict
from typing import Any

import duckdb
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import sqlanon
from tests.budget import examples
from tests.oracles import noise as oracle

EXACT = 100  # the largest epsilon
STRANGE = [math.nan, math.inf, -math.inf, 1e308, -1e308, -0.0, 5e-324]


def load(con: duckdb.DuckDBPyConnection, rows: list[tuple[Any, ...]]) -> None:
    con.execute("create or replace temp table t(who varchar, g varchar, x double)").fetchall()
    con.executemany("insert into t values (?, ?, ?)", [("", "z", 0.0), *rows])


def noisy(con: duckdb.DuckDBPyConnection, macro: str, arguments: str) -> dict[str, Any]:
    con.execute("create or replace temp table k as select unnest(['x', 'y']) as g").fetchall()
    rows = con.execute(f"from sqlanon.{macro}('t', 'g', 'x', {arguments}, keys := 'k')").fetchall()
    return {g: rest for g, *rest in rows}


class TestWhatIsAddedUp:
    @settings(examples(15), suppress_health_check=[HealthCheck.function_scoped_fixture])
    @given(
        rows=st.lists(
            st.tuples(
                st.sampled_from("abc"),
                st.sampled_from("xy"),
                st.one_of(st.none(), st.sampled_from(STRANGE), st.floats(-20, 20)),
            ),
            max_size=25,
        ),
        most=st.integers(1, 3),
    )
    def test_bounds(self, drawing: duckdb.DuckDBPyConnection, rows: list[tuple[Any, ...]], most: int) -> None:
        """Numbers within the bounds; who has more rows than they may counts with their mean."""
        load(drawing, rows)
        held: dict[tuple[str, str], list[float]] = defaultdict(list)
        for who, g, x in rows:
            if x is not None and not math.isnan(x):
                held[who, g].append(min(max(x, -5), 10))
        sums = dict.fromkeys("xy", 0.0)
        for (_, g), values in held.items():
            sums[g] += sum(values) * min(1, most / len(values))
        bounds = f"[-5, 10], epsilon := {EXACT}, unit := 'who', max_groups := 2, max_rows := {most}"
        found = noisy(drawing, "dp_sums", bounds)
        scale = 2 * most * 10 / EXACT
        for g, total in sums.items():
            assert found[g][0] == pytest.approx(total, abs=40 * scale)
            assert found[g][1] == pytest.approx(scale * math.sqrt(2), rel=1e-6)
            assert found[g][2] < found[g][0] < found[g][3]

    def test_a_grid(self, drawing: duckdb.DuckDBPyConnection) -> None:
        load(drawing, [("a", "x", 1.3), ("b", "x", 2.6), ("c", "y", -9.0)])
        for macro, bounds in (("dp_sums", "[0, 4]"), ("dp_sums", "[-4, 0]"), ("dp_sums", "[1, 3]")):
            found = noisy(drawing, macro, f"{bounds}, epsilon := 1, grid := 0.5")
            assert all(value * 2 == round(value * 2) for value in (found["x"][0], found["y"][0]))

    def test_means(self, drawing: duckdb.DuckDBPyConnection) -> None:
        drawing.execute(
            """create or replace temp table t as
            select 'x' as g, [6, 9, 'nan'::double, null][i % 4 + 1] as x from range(4000) t(i)"""
        ).fetchall()
        found = noisy(drawing, "dp_means", f"[0, 10], epsilon := {EXACT}")
        mean, n, deviation, low, high = found["x"]
        assert (mean, n) == (pytest.approx(7.5, abs=0.01), 2000)
        # 7.5 itself lies outside once in twenty times
        assert mean - 0.01 < low < mean < high < mean + 0.01
        assert 0 < deviation < 0.01
        assert 0 <= found["y"][3] <= found["y"][0] <= found["y"][4] <= 10

    def test_intervals(self, drawing: duckdb.DuckDBPyConnection) -> None:
        """They have the true value in them as often as is said."""
        n = 2000
        drawing.execute(f"create or replace temp table k2 as select unnest(range({n}))::varchar as g")
        drawing.execute(
            "create or replace temp table t as select g, unnest([2.0, 3, 7, 8]) as x from k2"
        ).fetchall()
        for macro, bounds, true, least in (
            ("dp_sums", "[0, 10]", 20, 0.95),
            ("dp_means", "[0, 10]", 5, 0.95),
        ):
            [(covered,)] = drawing.execute(
                f"""select avg((low <= {true} and {true} <= high)::int)
                from sqlanon.{macro}('t', 'g', 'x', {bounds}, epsilon := 2, keys := 'k2')"""
            ).fetchall()
            assert covered > least - oracle.margin(n)

    def test_no_overflow(self, drawing: duckdb.DuckDBPyConnection) -> None:
        """A sum beyond 64 bits stays at the end of the range."""
        drawing.execute(
            "create or replace temp table t as select 'x' as g, 1e15 as x from range(20000)"
        ).fetchall()
        found = noisy(drawing, "dp_sums", f"[0, 1e15], epsilon := {EXACT}, grid := 1")
        assert found["x"][0] == pytest.approx(2**63, rel=1e-2)


class TestPython:
    @pytest.mark.parametrize("macro", ["dp_sums", "dp_means"])
    def test_as_sql(self, con: duckdb.DuckDBPyConnection, macro: str) -> None:
        con.execute(
            "create temp table t as select i as who, 'x' as g, 5 as x from range(1000) t(i)"
        ).fetchall()
        release = getattr(sqlanon, macro)(
            con, "t", "g", "x", [0, 10], rho=50, delta=0.1, unit="who", max_groups=1, mechanism="gaussian"
        )
        assert release.cost.rho == 50
        [(g, value, *_)] = release.relation(con).fetchall()
        assert (g, value) == ("x", pytest.approx(5 if macro == "dp_means" else 5000, rel=0.05))
        parts = [part["part"] for part in release.details["noise"]]
        assert parts == (["total", "n"] if macro == "dp_means" else ["total"])

    def test_neighbours_look_alike(self, drawing: duckdb.DuckDBPyConnection) -> None:
        """Somebody with the largest number, and nobody."""
        n = 4000
        drawing.execute(f"create or replace temp table k3 as select unnest(range({2 * n})) as g").fetchall()
        drawing.execute(f"create or replace temp table t as select g, 1e9 as x from k3 where g < {n}")
        rows = drawing.execute(
            """select total
            from sqlanon.dp_sums('t', 'g', 'x', [-1, 3], epsilon := 0.8, keys := 'k3', grid := 1)"""
        ).fetchall()
        drawn = [int(total) for (total,) in rows]
        assert 1.1 < oracle.largest_ratio(drawn[:n], drawn[n:]) < math.exp(0.8)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("'t', 'g', 'x', [1], epsilon := 1", "bounds must be two numbers"),
        ("'t', 'g', 'x', [2, 1], epsilon := 1", r"e.g. \[0, 100\], not \[2, 1\]"),
        ("'t', 'g', 'x', [0, 'infinity'::double], epsilon := 1", "bounds must be two numbers"),
        ("'t', 'g', 'x', [0, 1], epsilon := 1, grid := 1e-17", "the grid is too fine"),
        ("'t', 'g', 'x', [0, 1], epsilon := 1, grid := 0", "grid must be above 0, not 0"),
        ("'t', 'g', 'who', [0, 1], epsilon := 1", "column who is VARCHAR, not a number"),
        ("'t', 'g', 'g', [0, 1], epsilon := 1", '"g" is named twice'),
    ],
)
def test_refused(drawing: duckdb.DuckDBPyConnection, arguments: str, message: str) -> None:
    load(drawing, [])
    drawing.execute("create or replace temp table k as select 'x' as g").fetchall()
    with pytest.raises(duckdb.Error, match=message):
        drawing.execute(f"from sqlanon.dp_sums({arguments}, keys := 'k')").fetchall()
