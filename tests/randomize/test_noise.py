"""What OpenDP's samplers draw through SQL, against exact distributions; scales and thresholds."""

from __future__ import annotations

import math
import sys
from typing import Any

import duckdb
import pytest

import sqlanon
from sqlanon.randomize import noise
from tests.oracles import noise as oracle

DRAWS = 20_000


def value(con: duckdb.DuckDBPyConnection, expression: str) -> Any:
    [(found,)] = con.execute(f"select {expression}").fetchall()
    return found


class TestDraws:
    @pytest.mark.parametrize(("mechanism", "scale"), [("laplace", 2.5), ("gaussian", 3.0), ("gaussian", 0.6)])
    def test_distribution(self, drawing: duckdb.DuckDBPyConnection, mechanism: str, scale: float) -> None:
        rows = drawing.execute(
            f"select sqlanon._with_noise(i % 3, {scale}, '{mechanism}') - i % 3 from range({DRAWS}) t(i)"
        ).fetchall()
        assert oracle.furthest([z for (z,) in rows], mechanism, scale) < oracle.margin(DRAWS)

    def test_each_is_drawn_anew(self, drawing: duckdb.DuckDBPyConnection) -> None:
        draw = "sqlanon._with_noise(0, 1e6, 'laplace')"
        rows = drawing.execute(f"select {draw}, {draw} from range(10)").fetchall()
        assert len({drawn for row in rows for drawn in row}) > 15

    def test_nulls_ends_and_several_scales(self, drawing: duckdb.DuckDBPyConnection) -> None:
        rows = drawing.execute(
            """select sqlanon._with_noise(n, scale, mechanism) from (values
            (null, 1, 'laplace'), (5, 1e-3, 'laplace'), (7, 1e-3, 'gaussian'), (null, null, null),
            (9223372036854775807, 1e-3, 'laplace'), (9223372036854775807, 1e300, 'gaussian'))
            t(n, scale, mechanism)"""
        ).fetchall()
        assert [n for (n,) in rows[:5]] == [None, 5, 7, None, 2**63 - 1]
        assert rows[5][0] is not None

    @pytest.mark.parametrize("scale", ["0", "-1", "'nan'::double", "'infinity'::double", "null"])
    def test_a_scale_that_is_none(self, drawing: duckdb.DuckDBPyConnection, scale: str) -> None:
        for draw in (f"_with_noise(1, {scale}, 'laplace')", f"_noisy_largest([1, 2], 1, {scale})"):
            with pytest.raises(duckdb.Error, match="scale"):
                value(drawing, f"sqlanon.{draw}")

    def test_events(self, drawing: duckdb.DuckDBPyConnection) -> None:
        rows = drawing.execute(
            f"""select p, avg(sqlanon._event(p)::int), count(*)
            from range({4 * DRAWS}) t(i), lateral (select [0, 0.2, 0.9, 1][i % 4 + 1]::double as p)
            group by p order by p"""
        ).fetchall()
        assert [rows[0][1], rows[3][1]] == [0, 1]
        assert all(abs(p - share) < oracle.margin(n) for p, share, n in rows)
        assert value(drawing, "sqlanon._event(null)") is None
        with pytest.raises(duckdb.Error, match="between 0 and 1"):
            value(drawing, "sqlanon._event(1.5)")

    def test_uniform(self, drawing: duckdb.DuckDBPyConnection) -> None:
        rows = drawing.execute(
            f"""select bound, i, count(*) / {DRAWS}
            from (select bound, sqlanon._uniform_below(bound) as i
                  from range({2 * DRAWS}) t(j), lateral (select if(j % 2 = 0, 1, 5) as bound))
            group by bound, i order by all"""
        ).fetchall()
        assert [row[:2] for row in rows] == [(1, 0), *((5, i) for i in range(5))]
        assert all(abs(share - 1 / bound) < oracle.margin(DRAWS) for bound, _, share in rows)

    @pytest.mark.slow("0.3 s")
    def test_noisy_largest(self, drawing: duckdb.DuckDBPyConnection) -> None:
        """By permute-and-flip the less of two scores is chosen with exp(-difference / scale) / 2."""
        [(share, places)] = drawing.execute(
            f"""select avg((chosen[1] = 1)::int), list(distinct len(chosen)) from (
            select sqlanon._noisy_largest([3, 5], 1, 2.0) as chosen from range({DRAWS // 8}))"""
        ).fetchall()
        assert abs(share - math.exp(-1) / 2) < oracle.margin(DRAWS // 8)
        assert places == [1]
        assert value(drawing, "sqlanon._noisy_largest([1, 90, 5], 2, 0.01)") == [2, 3]

    def test_only_where_it_was_asked_for(self, con: duckdb.DuckDBPyConnection) -> None:
        with pytest.raises(duckdb.Error, match=r"register_functions\(con, noise=True\)"):
            value(con, "sqlanon._with_noise(1, 1.0, 'laplace')")

    def test_without_opendp(self, con: duckdb.DuckDBPyConnection, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(sys.modules, "opendp.prelude", None)
        noise._opendp.cache_clear()
        with pytest.raises(sqlanon.InputError, match=r"sqlanon\[dp\]"):
            noise.register_noise(con)


class TestReach:
    @pytest.mark.parametrize("scale", [0.3, 1.0, 4.0, 43.7, 600.0])
    @pytest.mark.parametrize("mechanism", noise.MECHANISMS)
    def test_exact_tails(self, con: duckdb.DuckDBPyConnection, mechanism: str, scale: float) -> None:
        """The least integer that is reached rarely enough."""
        chances = [0.3, 0.025, 1e-3, 1e-9]
        reaches = dict(
            con.execute(f"from sqlanon._reaches('{mechanism}', {scale}::double, {chances})").fetchall()
        )
        for chance in chances:
            t = reaches[chance]
            assert oracle.tail(mechanism, scale, t) <= chance * (1 + 1e-9)
            # where a step is several integers, up to one is lost
            assert oracle.tail(mechanism, scale, t - (1 if scale < 500 else 4)) > chance

    def test_thresholds(self, con: duckdb.DuckDBPyConnection) -> None:
        """Of one and three groups, epsilon 1, delta 1e-6. OpenDP's own would be 14: too small by one."""
        for groups, tau in ((1, 15), (3, 45)):
            found = value(
                con,
                f"""(select tau from sqlanon._calibration(
                'n', 'laplace', {groups}, group_delta := 1e-6 / {groups}, most_rows := 1))""",
            )
            assert found == tau
            reached = 1 - (1 - oracle.tail("laplace", groups, tau - 1)) ** groups
            assert reached <= 1e-6 < 1 - (1 - oracle.tail("laplace", groups, tau - 2)) ** groups

    def test_opendp_agrees(self, con: duckdb.DuckDBPyConnection) -> None:
        """With the conversion of rho, and with the deviation of its noise."""
        dp = noise._opendp()
        for rho, delta in ((1 / 32, 1e-6), (0.5, 1e-6), (20.0, 1e-5)):
            zcdp = dp.m.make_gaussian(
                dp.atom_domain(T="i64"), dp.absolute_distance(T="f64"), math.sqrt(1 / (2 * rho))
            )
            exact = dp.c.make_zCDP_to_approxDP(zcdp).map(1.0).epsilon(delta)
            found = value(con, f"sqlanon._zcdp_epsilon({rho}::double, {delta}::double)")
            assert found == pytest.approx(exact, abs=1e-6)
            assert value(con, f"sqlanon._zcdp_rho({found}::double, {delta}::double)") <= rho * (1 + 1e-9)
        deviation = value(con, "sqlanon._noise_deviation('laplace', 2.0)")
        assert deviation**2 == pytest.approx(7.8354, abs=1e-4)

    @pytest.mark.parametrize(("epsilon", "delta"), [(1, 1e-5), (0.1, 1e-6), (5, 1e-3), (0.5, 0.4)])
    def test_selection(self, con: duckdb.DuckDBPyConnection, epsilon: float, delta: float) -> None:
        rows = con.execute(
            f"""select n, sqlanon._selection_probability(n, {epsilon}::double, {delta}::double)
            from range(150) t(n)"""
        ).fetchall()
        for n, shown in rows:
            assert shown == pytest.approx(oracle.selection_probability(n, epsilon, delta), abs=1e-12)
        if epsilon == 1:
            assert rows[11][1] == pytest.approx(0.3484, abs=1e-4)
            assert rows[22][1] < 1 == rows[23][1]
