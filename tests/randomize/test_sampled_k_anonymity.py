"""k-anonymity of a sample: its delta against sums over all counts, and which groups are released."""

from __future__ import annotations

import math

import duckdb
import pytest

import sqlanon
from tests.oracles import noise as oracle


def mass(n: int, drawn: int, share: float) -> float:
    return math.comb(n, drawn) * share**drawn * (1 - share) ** (n - drawn)


def seen(n: int, k: int, share: float) -> dict[int, float]:
    """What is seen of a group of n people: how many are drawn, or nothing (0)."""
    probabilities = {drawn: mass(n, drawn, share) for drawn in range(k, n + 1)}
    return {0: 1 - math.fsum(probabilities.values()), **probabilities}


def least_delta(k: int, share: float, epsilon: float, largest: int) -> float:
    """By trying groups of any size, in both directions."""
    worst = 0.0
    for n in range(largest):
        without, with_them = seen(n, k, share), seen(n + 1, k, share)
        for p, q in ((without, with_them), (with_them, without)):
            delta = sum(max(p[c] - math.exp(epsilon) * q.get(c, 0), 0) for c in p)
            worst = max(worst, delta)
    return worst


class TestPrivacy:
    @pytest.mark.parametrize(
        ("k", "share", "epsilon", "largest"),
        [(5, 0.1, 1, 60), (2, 0.5, 0.8, 20), (3, 0.9, 2.4, 20), (12, 0.3, 0.4, 150), (20, 0.2, 1, 80)],
    )
    def test_delta(
        self, con: duckdb.DuckDBPyConnection, k: int, share: float, epsilon: float, largest: int
    ) -> None:
        answer = sqlanon.sampled_k_anonymity_privacy(con, k, share, [epsilon])
        [(same, delta, bound)] = answer.fetchall()
        assert same == epsilon
        assert delta == pytest.approx(least_delta(k, share, epsilon, largest), rel=1e-6, abs=1e-14)
        assert delta <= bound * (1 + 1e-9)

    def test_numbers(self, con: duckdb.DuckDBPyConnection) -> None:
        answer = sqlanon.sampled_k_anonymity_privacy(con, 20, 0.2, [1])
        [(_, delta, bound)] = answer.fetchall()
        assert (delta, bound) == (pytest.approx(2.77e-10, rel=1e-2), pytest.approx(6.03e-9, rel=1e-2))

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            ((1, 0.5, [1]), "k must be 2 at least, not 1"),
            ((5, 0, [1]), "share must be between 0.001 and 0.999"),
            ((5, 0.5, [0.5]), "epsilon must be at least 0.69"),
        ],
    )
    def test_refused(
        self, con: duckdb.DuckDBPyConnection, arguments: tuple[int, float, list[float]], message: str
    ) -> None:
        with pytest.raises(sqlanon.InputError, match=message):
            sqlanon.sampled_k_anonymity_privacy(con, *arguments)


class TestRelease:
    def test_groups(self, drawing: duckdb.DuckDBPyConnection) -> None:
        """Of groups of four people those with two drawn, each with the probability of that many."""
        n = 4000
        drawing.execute(
            f"create or replace temp table t as select i // 4 as g, i as who from range({4 * n}) t(i)"
        ).fetchall()
        drawing.execute("insert into t from t")  # nobody counts twice
        rows = drawing.execute(
            """select n, count(*), any_value(estimate) from sqlanon.sampled_k_anonymity('t', 'g', 2, 0.4,
            epsilon := 1, unit := 'who') group by n order by n"""
        ).fetchall()
        assert [drawn for drawn, *_ in rows] == [2, 3, 4]
        for drawn, groups, estimate in rows:
            assert abs(groups / n - mass(4, drawn, 0.4)) < oracle.margin(n)
            assert estimate == pytest.approx(drawn / 0.4)

    def test_one_row_of_each(self, drawing: duckdb.DuckDBPyConnection) -> None:
        drawing.execute(
            "create or replace temp table t as select i % 3 as g, i % 50 as who from range(600) t(i)"
        ).fetchall()
        [(people,)] = drawing.execute(
            """select sum(n) from sqlanon.sampled_k_anonymity('t', 'g', 2, 0.999, epsilon := 10,
            unit := 'who')"""
        ).fetchall()
        assert 45 <= people <= 50

    def test_python(self, con: duckdb.DuckDBPyConnection) -> None:
        con.execute("create table t as select i % 2 as g from range(1000) t(i)").fetchall()
        release = sqlanon.sampled_k_anonymity(con, "t", "g", 20, 0.2, epsilon=1, into="r")
        assert release.cost.delta == pytest.approx(2.77e-10, rel=1e-2)
        assert (release.cost.rho, release.cost.mechanism) == (None, "sampling")
        rows = con.execute("select g, n between 20 and 200 from r").fetchall()
        assert rows == [(0, True), (1, True)]
