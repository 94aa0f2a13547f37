"""k-map estimated from a sample."""

from __future__ import annotations

import math
from typing import Any

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sqlanon


@pytest.fixture(scope="module")
def con() -> duckdb.DuckDBPyConnection:
    con = duckdb.connect()
    sqlanon.register(con)
    return con


def asked(con: duckdb.DuckDBPyConnection, *given: Any, distribution: str = "zero_truncated") -> int:
    call = f"sqlanon.sample_k($1, $2, alpha := $3, distribution := '{distribution}')"
    [(k,)] = con.execute(f"select {call}", given).fetchall()
    return int(k)


def by_hand(k: int, fraction: float, alpha: float, distribution: str) -> int:
    """Probabilities one after the other, each from the one before."""
    mean = fraction * k
    probability = seen = math.exp(-mean)
    possible = 1 - probability if distribution == "zero_truncated" else 1
    for n in range(1, k):
        if (1 - seen) / possible <= alpha:
            return n
        probability *= mean / n
        seen += probability
    return k


@settings(max_examples=60, deadline=None)
@given(
    st.integers(1, 60), st.floats(0.001, 1), st.sampled_from([0.001, 0.013, 0.05, 0.2, 1]),
    st.sampled_from(["zero_truncated", "poisson"]),
)  # fmt: skip
def test_rows_beyond_chance(
    con: duckdb.DuckDBPyConnection, k: int, fraction: float, alpha: float, distribution: str
) -> None:
    found = asked(con, k, fraction, alpha, distribution=distribution)
    assert found == by_hand(k, fraction, alpha, distribution)
    assert 1 <= found <= k


def test_by_hand(con: duckdb.DuckDBPyConnection) -> None:
    """Of 20 people a sample of a tenth has 2 on average: 6 and more in 1.66 % of samples (1.92 % of those
    that have one), 5 and more in 5.27 (6.09) %."""
    assert asked(con, 20, 0.1, 0.05) == asked(con, 20, 0.1, 0.05, distribution="poisson") == 6
    assert asked(con, 20, 0.1, 0.06) == 6
    assert asked(con, 20, 0.1, 0.06, distribution="poisson") == 5
    assert asked(con, 5, 0.01, 0.05) == 2  # one row is there in every class that is seen
    assert asked(con, 5, 0.01, 0.05, distribution="poisson") == 1


@pytest.mark.slow("1 s")
def test_a_sample_that_is_its_population_needs_k(con: duckdb.DuckDBPyConnection) -> None:
    for k in (1, 2, 5, 40, 10_000):
        assert asked(con, k, 1, 0.05) == k


def test_classes_of_a_sample(con: duckdb.DuckDBPyConnection) -> None:
    """Of classes with fewer than k people, at most a share of alpha of those that are seen have so many."""
    con.execute("""
        create or replace table classes as
        select k, sampled from (
            select c, 1 + c % 19 as k, count(*) filter (hash(c, person) % 10000 < 1500) as sampled
            from range(40000) as class(c), unnest(range(1 + c % 19)) as member(person) group by c)
        where sampled > 0""").fetchall()
    [(beyond,)] = con.execute("""
        select max(share) from (
            select k, avg((sampled >= sqlanon.sample_k(k + 1, 0.15))::int) as share
            from classes where k > 1 group by k)""").fetchall()
    assert beyond <= 0.05


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("0, 0.1", "k must be a whole number from 1 to 10000, not 0"),
        ("NULL, 0.1", "k must be a whole number from 1 to 10000, not NULL"),
        ("10001, 0.1", "k must be a whole number from 1 to 10000, not 10001"),
        ("5, 0", "fraction must be above 0 and at most 1, not 0"),
        ("5, 12.5", "fraction must be above 0 and at most 1, not 12.5"),
        ("5, NULL", "fraction must be above 0 and at most 1, not NULL"),
        ("5, 0.1, alpha := 0", "alpha must be above 0 and at most 1, not 0"),
        ("5, 0.1, distribution := 'normal'", "distribution must be zero_truncated or poisson, not normal"),
    ],
)
def test_bad_input(con: duckdb.DuckDBPyConnection, given: str, message: str) -> None:
    with pytest.raises(duckdb.InvalidInputException, match=message):
        con.execute(f"select sqlanon.sample_k({given})").fetchall()
