"""What exact counts tell somebody who is unsure of others: against sums, and worked examples."""

from __future__ import annotations

import itertools
import math
from typing import Any

import duckdb
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import sqlanon
from tests.budget import examples
from tests.oracles.semantics import least_delta

unhurried = settings(examples(15), suppress_health_check=[HealthCheck.function_scoped_fixture])


def told(con: duckdb.DuckDBPyConnection, *arguments: Any, **more: Any) -> dict[str, Any]:
    """Epsilon and delta by adversary, of one epsilon."""
    answer = sqlanon.uncertain_counts(con, *arguments, **more).fetchall()
    return {adversary: (epsilon, delta) for adversary, epsilon, delta in answer}


def counts(probabilities: list[float], more: int = 0, least: int = 0) -> dict[str, float]:
    """The distribution of a count, by looking at everybody's value; below least nothing is released."""
    found: dict[str, float] = {}
    for held in itertools.product((0, 1), repeat=len(probabilities)):
        mass = math.prod(p if has else 1 - p for has, p in zip(held, probabilities, strict=True))
        count = sum(held) + more
        outcome = str(count) if count >= least else "nothing"
        found[outcome] = found.get(outcome, 0) + mass
    return found


@unhurried
@given(n=st.integers(1, 6), share=st.sampled_from([0.0, 0.1, 0.5, 0.8, 1.0]), k=st.integers(1, 4))
def test_everybody_by_themselves(con: duckdb.DuckDBPyConnection, n: int, share: float, k: int) -> None:
    answer = told(con, n, share, k, epsilons=[0.7])
    alike = [share] * n
    exact = least_delta(counts(alike), counts(alike, more=1), 0.7)
    assert answer["common"] == (0.7, pytest.approx(exact, abs=1e-9))
    epsilon, delta = answer["rare"]
    without, with_them = counts(alike, least=k), counts(alike, more=1, least=k)
    if math.isfinite(epsilon):
        assert least_delta(without, with_them, epsilon) <= delta + 1e-9
    assert delta == pytest.approx(sum(mass for out, mass in with_them.items() if out != "nothing"), abs=1e-9)


@unhurried
@given(least=st.sampled_from([0.1, 0.3, 0.5]), others=st.lists(st.floats(0, 1), min_size=1, max_size=6))
def test_whatever_the_probabilities_are(
    con: duckdb.DuckDBPyConnection, least: float, others: list[float]
) -> None:
    """Who knows them does not learn more than is said, as long as they are between the ends."""
    various = [least + (1 - 2 * least) * each for each in others]
    _, delta = told(con, len(others), least, epsilons=[0.4])["various"]
    assert least_delta(counts(various), counts(various, more=1), 0.4) <= delta + 1e-9


@pytest.mark.parametrize(
    ("arguments", "adversary", "epsilon", "delta"),
    [
        ((1000, 0.001, 10), "rare", 9.9e-7, 1.1e-6),
        ((1000, 0.01, 30), "rare", 4.3e-7, 6.4e-7),
        ((1000, 0.1), "common", 0.5, 5.9e-7),
        ((100, 0.1), "common", 0.5, 0.0222),
        ((1000, 0.1), "various", 0.5, 1.27e-5),
    ],
)
def test_numbers_of_the_derivation(
    con: duckdb.DuckDBPyConnection, arguments: tuple[Any, ...], adversary: str, epsilon: float, delta: float
) -> None:
    answer = told(con, *arguments, epsilons=[0.5])[adversary]
    assert answer == (pytest.approx(epsilon, rel=0.02), pytest.approx(delta, rel=0.02))


@pytest.mark.slow("1.3 s")
def test_ninety_nine_votes(con: duckdb.DuckDBPyConnection) -> None:
    """Yes-votes are rare, and released from 100 up: who is unsure of all others learns nothing."""
    epsilon, delta = told(con, 10_000, 1e-7, 100)["rare"]
    assert epsilon < 1e-9
    assert delta < 1e-9


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((0, 0.5), "people must be a whole number of at least 1, not 0"),
        ((5, 1.5), "share must be between 0 and 1, not 1.5"),
        ((5, 0.5, 0), "k must be a whole number of at least 1, not 0"),
    ],
)
def test_bad_input(con: duckdb.DuckDBPyConnection, arguments: tuple[Any, ...], message: str) -> None:
    with pytest.raises(sqlanon.InputError, match=message):
        sqlanon.uncertain_counts(con, *arguments)
