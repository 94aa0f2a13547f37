"""What costs come to together: against a search over orders, OpenDP, dp-accounting, and known numbers."""

from __future__ import annotations

import math
from typing import Any

import duckdb
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import sqlanon
from tests.budget import examples
from tests.oracles import accounting

unhurried = settings(examples(15), suppress_health_check=[HealthCheck.function_scoped_fixture])
rhos = st.floats(-12, 3).map(lambda exponent: 10**exponent)
deltas = st.floats(-12, -0.01).map(lambda exponent: 10**exponent)
costs = st.tuples(st.floats(0, 2), st.sampled_from([0.0, 1e-8, 1e-7]), st.none() | st.floats(0, 1))


def epsilon_of(con: duckdb.DuckDBPyConnection, rho: float, delta: float) -> float:
    [(epsilon,)] = con.execute("select sqlanon.zcdp_epsilon($1, $2)", [rho, delta]).fetchall()
    return float(epsilon)


def composed(
    con: duckdb.DuckDBPyConnection, listed: list[accounting.Cost], delta: float
) -> list[tuple[Any, ...]]:
    con.execute("create or replace temp table cost (epsilon double, delta double, rho double)").fetchall()
    if listed:
        con.executemany("insert into cost values (?, ?, ?)", listed)
    return sqlanon.composed_privacy(con, "cost", delta).fetchall()


@unhurried
@given(rho=rhos, delta=deltas)
def test_the_best_order_is_found(con: duckdb.DuckDBPyConnection, rho: float, delta: float) -> None:
    epsilon = epsilon_of(con, rho, delta)
    assert epsilon == pytest.approx(accounting.zcdp_epsilon(rho, delta), rel=1e-6, abs=1e-9)
    assert epsilon <= accounting.simple_zcdp_epsilon(rho, delta)
    if epsilon > 0:
        [(back,)] = con.execute("select sqlanon.zcdp_rho($1, $2)", [epsilon, delta]).fetchall()
        assert back == pytest.approx(rho, rel=1e-6)


@pytest.mark.parametrize(("rho", "delta"), [(1 / 32, 1e-6), (0.5, 1e-6), (1e-4, 1e-9), (20.0, 0.01)])
def test_opendp_agrees(con: duckdb.DuckDBPyConnection, rho: float, delta: float) -> None:
    dp = pytest.importorskip("opendp.prelude", reason="opendp is not installed", exc_type=ImportError)
    dp.enable_features("contrib")
    noise = dp.m.make_gaussian(
        dp.atom_domain(T=int), dp.absolute_distance(T=int), scale=math.sqrt(1 / (2 * rho))
    )
    theirs = dp.c.make_zCDP_to_approxDP(noise).map(1).epsilon(delta)
    assert epsilon_of(con, noise.map(1), delta) == pytest.approx(theirs, abs=1e-6)


def test_dp_accounting_agrees(con: duckdb.DuckDBPyConnection) -> None:
    """Its orders are a grid, so that its epsilon is a little larger."""
    rdp = pytest.importorskip("dp_accounting.rdp", reason="dp-accounting is not installed")
    event = pytest.importorskip("dp_accounting").ZCDpEvent
    theirs = rdp.RdpAccountant().compose(event(1 / 32)).get_epsilon(1e-6)
    assert epsilon_of(con, 1 / 32, 1e-6) == pytest.approx(theirs, abs=1e-3)


def test_known_numbers(con: duckdb.DuckDBPyConnection) -> None:
    """A hundred releases at 0.1: what each way of adding up makes of them."""
    hundred: list[accounting.Cost] = [(0.1, 0.0, None)] * 100
    basic, zcdp = composed(con, hundred, 1e-6)
    assert basic == ("basic", pytest.approx(10), 0, None, False)
    assert zcdp == ("zcdp", pytest.approx(5.2215, abs=5e-5), 1e-6, pytest.approx(0.5), True)
    assert accounting.simple_zcdp_epsilon(0.5, 1e-6) == pytest.approx(5.757, abs=5e-4)
    assert accounting.advanced_epsilon(0.1, 100, 1e-6) == pytest.approx(5.756, abs=5e-4)
    assert epsilon_of(con, 1 / 32, 1e-6) == pytest.approx(1.14293, abs=5e-6)
    assert accounting.simple_zcdp_epsilon(1 / 32, 1e-6) == pytest.approx(1.3454, abs=5e-5)
    ten: list[accounting.Cost] = [(0.25, 0.0, None)] * 10
    assert composed(con, ten, 1e-6)[0] == ("basic", 2.5, 0, None, True)


@unhurried
@given(listed=st.lists(costs, max_size=6), delta=st.sampled_from([0.0, 1e-7, 1e-5]))
def test_costs_add_up(con: duckdb.DuckDBPyConnection, listed: list[accounting.Cost], delta: float) -> None:
    by_hand = accounting.composed(listed, delta)
    answer = composed(con, listed, delta)
    possible = math.fsum(each[1] for each in listed) <= delta
    assert [row[0] for row in answer] == ["basic", "zcdp"]
    if possible:
        for rule, epsilon, *_ in answer:
            assert epsilon == pytest.approx(by_hand[rule], rel=1e-6, abs=1e-9)
        [counts] = [row for row in answer if row[4]]
        assert counts[1] == min(row[1] for row in answer)
    else:
        assert not any(row[4] for row in answer)


def test_noise_that_has_rho_alone(con: duckdb.DuckDBPyConnection) -> None:
    """No epsilon is finite without a delta: the sums are infinity, not NaN."""
    basic, zcdp = composed(con, [(math.inf, 0.0, 0.25), (math.inf, 0.0, 0.25)], 1e-6)
    assert basic[1] == math.inf
    assert zcdp == ("zcdp", pytest.approx(5.2215, abs=5e-5), 1e-6, 0.5, True)


@pytest.mark.parametrize(
    ("rho", "delta", "epsilon"), [(0, 0, 0), (1, 0, math.inf), (1, 1, 0), (math.inf, 0.1, math.inf)]
)
def test_ends_of_the_ranges(con: duckdb.DuckDBPyConnection, rho: float, delta: float, epsilon: float) -> None:
    assert epsilon_of(con, rho, delta) == epsilon


@pytest.mark.parametrize(
    ("cost", "delta", "message"),
    [
        ((-0.1, 0.0, None), 0.1, "table cost has a cost that is none"),
        ((math.nan, 0.0, None), 0.1, "has a cost that is none"),
        ((0.1, 2.0, None), 0.1, "has a cost that is none"),
        ((0.1, None, None), 0.1, "has a cost that is none"),
        ((0.1, 0.0, -1.0), 0.1, "has a cost that is none"),
        ((0.1, 0.0, None), 1.5, "target_delta must be between 0 and 1, not 1.5"),
    ],
)
def test_bad_input(con: duckdb.DuckDBPyConnection, cost: accounting.Cost, delta: float, message: str) -> None:
    with pytest.raises(sqlanon.InputError, match=message):
        composed(con, [cost], delta)
