"""What a mechanism tells: against every set and many priors, and the worked examples of the papers."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from typing import Any

import duckdb
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import sqlanon
from tests.budget import examples
from tests.oracles import semantics

BITS = "01"
unhurried = settings(examples(15), suppress_health_check=[HealthCheck.function_scoped_fixture])
weights = st.lists(st.integers(0, 5), min_size=3, max_size=3).filter(any)


def written(con: duckdb.DuckDBPyConnection, mechanism: semantics.Mechanism) -> None:
    """The mechanism as a table."""
    rows = [(d, t, p) for d, of_d in mechanism.items() for t, p in of_d.items()]
    con.execute("create or replace table m (database text, output text, probability double)").fetchall()
    con.executemany("insert into m values (?, ?, ?)", rows).fetchall()


def linked(con: duckdb.DuckDBPyConnection, removals: Mapping[tuple[str, str], str]) -> None:
    """The neighbours as a table: (database, person) -> the database without them."""
    con.execute("create or replace table n (database text, person text, neighbor text)").fetchall()
    rows = [(database, person, neighbor) for (database, person), neighbor in removals.items()]
    con.executemany("insert into n values (?, ?, ?)", rows).fetchall()


def curve(con: duckdb.DuckDBPyConnection, *epsilons: float) -> list[Any]:
    answer = sqlanon.indistinguishability(con, "m", "n", epsilons).fetchall()
    return [(epsilon, delta) for epsilon, delta, *_ in answer]


def worst_shift(con: duckdb.DuckDBPyConnection, prior: str | None = None) -> float:
    return max(float(row[2]) for row in sqlanon.semantic_privacy(con, "m", "n", prior).fetchall())


def responses(epsilon: float) -> dict[str, dict[str, float]]:
    """Randomized response of one bit."""
    honest = math.exp(epsilon) / (1 + math.exp(epsilon))
    return {bit: {told: honest if told == bit else 1 - honest for told in BITS} for bit in BITS}


class TestIndistinguishability:
    @unhurried
    @given(first=weights, second=weights)
    def test_every_set_of_outputs(
        self, con: duckdb.DuckDBPyConnection, first: list[int], second: list[int]
    ) -> None:
        p, q = ({t: w / sum(each) for t, w in zip("xyz", each, strict=True)} for each in (first, second))
        written(con, {"a": p, "b": q})
        linked(con, {("a", "i"): "b"})
        (exact, zero), *deltas = curve(con, 0, 0.2, 1)
        assert zero == 0
        assert deltas == [(e, pytest.approx(semantics.least_delta(p, q, e), abs=1e-12)) for e in (0, 0.2, 1)]
        if math.isfinite(exact):
            assert semantics.least_delta(p, q, exact) <= 1e-9
            assert exact == 0 or semantics.least_delta(p, q, exact * 0.99) > 0
        else:
            assert any((p[t] == 0) != (q[t] == 0) for t in "xyz")

    def test_randomized_response(self, con: duckdb.DuckDBPyConnection) -> None:
        written(con, responses(0.5))
        linked(con, {("1", "i"): "0"})
        assert curve(con, 0.5) == [(pytest.approx(0.5), 0), (0.5, pytest.approx(0, abs=1e-12))]


class TestSemanticPrivacy:
    @unhurried
    @given(first=weights, second=weights, third=weights)
    def test_no_prior_is_worse(
        self, con: duckdb.DuckDBPyConnection, first: list[int], second: list[int], third: list[int]
    ) -> None:
        """Three databases, of which the first is the others without the person."""
        mechanism = {
            d: {t: w / sum(each) for t, w in zip("xyz", each, strict=True)}
            for d, each in (("a", first), ("b", second), ("c", third))
        }
        written(con, mechanism)
        linked(con, {(d, "i"): "a" for d in mechanism})
        answer = {row[1]: row for row in sqlanon.semantic_privacy(con, "m", "n").fetchall()}
        assert answer.keys() == {t for t in "xyz" if any(of_d[t] for of_d in mechanism.values())}
        for t, (_, _, shift, _, likelier, unlikelier) in answer.items():
            used = {d: mechanism[d][t] for d in mechanism}
            unused = dict.fromkeys(mechanism, mechanism["a"][t])
            shifts = [
                each
                for prior in semantics.priors(sorted(mechanism))
                if (each := semantics.shift(prior, used, unused)) is not None
            ]
            assert max(shifts, default=0) <= shift + 1e-9
            if shift < 1:  # which only some prior comes near to
                pair = semantics.priors([likelier, unlikelier], 2000) if likelier != unlikelier else []
                reached = [semantics.shift(prior, used, unused) or 0 for prior in pair]
                assert max(reached, default=0) == pytest.approx(shift, abs=1e-4)

    @unhurried
    @given(first=weights, second=weights, odds=st.tuples(st.integers(0, 3), st.integers(0, 3)))
    def test_one_prior(
        self,
        con: duckdb.DuckDBPyConnection,
        first: list[int],
        second: list[int],
        odds: tuple[int, int],
    ) -> None:
        assume(any(odds))
        mechanism = {
            d: {t: w / sum(each) for t, w in zip("xyz", each, strict=True)}
            for d, each in (("a", first), ("b", second))
        }
        prior = {"a": odds[0] / sum(odds), "b": odds[1] / sum(odds)}
        written(con, mechanism)
        linked(con, {("a", "i"): "b", ("b", "i"): "b"})
        con.execute("create or replace table p as select 'a' as database, ?::double as probability "
                    "union all select 'b', ?", list(prior.values())).fetchall()  # fmt: skip
        answer = sqlanon.semantic_privacy(con, "m", "n", "p").fetchall()
        assert sum(probability for *_, probability, _, _ in answer) == pytest.approx(1)
        for _, t, shift, *_ in answer:
            used = {d: mechanism[d][t] for d in mechanism}
            expected = semantics.shift(prior, used, dict.fromkeys(mechanism, mechanism["b"][t]))
            assert shift == pytest.approx(expected, abs=1e-9)

    def test_what_the_worst_mechanisms_reach(self, con: duckdb.DuckDBPyConnection) -> None:
        """One bit: tanh(epsilon / 4); the exclusive or of two bits: tanh(epsilon / 2)."""
        bits = responses(0.5)
        written(con, bits)
        linked(con, {(d, "i"): "0" for d in BITS})
        assert worst_shift(con) == pytest.approx(math.tanh(0.5 / 4))
        assert math.tanh(0.5 / 4) == pytest.approx(0.1244, abs=5e-5)
        pairs = ["".join(pair) for pair in itertools.product(BITS, repeat=2)]
        written(con, {pair: bits[str(int(pair[0] != pair[1]))] for pair in pairs})
        linked(con, {(pair, "first"): "0" + pair[1] for pair in pairs})
        bounds = dict(row[:2] for row in sqlanon.semantic_bounds(con, 0.5).fetchall())
        assert worst_shift(con) == pytest.approx(bounds["worst_prior"])
        assert bounds["worst_prior"] == pytest.approx(0.2449, abs=5e-5)
        assert bounds["proposition_14"] == pytest.approx(0.6487, abs=5e-5)

    def test_theorem_15(self, con: duckdb.DuckDBPyConnection) -> None:
        """Three bits, each in clear with probability 1e-4, or else by randomized response."""
        epsilon, delta = 0.1, 1e-4
        told = {
            bit: {f"={bit}": delta} | {t: (1 - delta) * p for t, p in responses(epsilon)[bit].items()}
            for bit in BITS
        }
        mechanism: dict[str, dict[str, float]] = {}
        for bits in itertools.product(BITS, repeat=3):
            outputs = itertools.product(*(told[bit].items() for bit in bits))
            mechanism["".join(bits)] = {
                " ".join(t for t, _ in each): math.prod(p for _, p in each) for each in outputs
            }
        written(con, mechanism)
        linked(con, {(d, str(i)): f"{d[:i]}0{d[i + 1 :]}" for d in mechanism for i in range(3)})
        con.execute("create table p as select distinct database, 0.125 as probability from m").fetchall()
        bounds = dict(row[:2] for row in sqlanon.semantic_bounds(con, epsilon, delta, 3).fetchall())
        assert bounds["theorem_15_shift"] == pytest.approx(0.3699, abs=5e-5)
        assert bounds["theorem_15_probability"] == pytest.approx(0.0354, abs=5e-5)
        [(mass,)] = con.execute(
            """with each as (
                select output, any_value(probability) as probability, max(shift) as shift
                from sqlanon.semantic_privacy('m', 'n', prior := 'p') group by output
            )
            select sum(probability) from each where shift > ?""",
            [bounds["theorem_15_shift"]],
        ).fetchall()
        assert mass == pytest.approx(1 - (1 - delta) ** 3)  # any bit is in clear
        assert mass <= bounds["theorem_15_probability"]


def test_most_revealing_answer(con: duckdb.DuckDBPyConnection) -> None:
    """Machanavajjhala and Kifer: it is true with a probability of .525 at epsilon .1."""
    bounds = dict(row[:2] for row in sqlanon.semantic_bounds(con, 0.1).fetchall())
    assert bounds["truth"] == pytest.approx(0.525, abs=5e-4)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("delete from m where database = 'a' and output = 'x'", "database a are not numbers .* but 0.75"),
        ("update m set probability = null where database = 'a'", "database a .* but unknown"),
        ("update m set probability = 1.5 - output.ascii() % 2 * 2 where database = 'b'", "database b"),
        ("update m set output = null where output = 'x'", "has a NULL in column database or output"),
        ("delete from m", "table m is empty"),
        ("delete from n", "table n is empty"),
        ("update n set neighbor = 'z'", "table n names database z, of which the mechanism says nothing"),
        ("delete from n where database = 'a'", "without person i for database a, not 0"),
        ("insert into n values ('a', 'i', 'a')", "without person i for database a, not 2"),
    ],
)
def test_what_is_no_mechanism(con: duckdb.DuckDBPyConnection, change: str, message: str) -> None:
    written(con, {d: {"x": 0.25, "y": 0.75} for d in "ab"})
    linked(con, {("a", "i"): "b", ("b", "i"): "b"})
    con.execute(change).fetchall()
    with pytest.raises(sqlanon.InputError, match=message):
        sqlanon.semantic_privacy(con, "m", "n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"epsilon": -1}, "epsilon must be between 0 and 100, not -1"),
        ({"epsilon": 1, "delta": 2}, "delta must be between 0 and 1, not 2"),
        ({"epsilon": 1, "people": 0}, "people must be a whole number of at least 1, not 0"),
    ],
)
def test_bounds_of_numbers(con: duckdb.DuckDBPyConnection, arguments: Any, message: str) -> None:
    with pytest.raises(sqlanon.InputError, match=message):
        sqlanon.semantic_bounds(con, **arguments)


def test_a_prior_of_other_databases(con: duckdb.DuckDBPyConnection) -> None:
    written(con, {d: {"x": 0.25, "y": 0.75} for d in "ab"})
    linked(con, {("a", "i"): "b", ("b", "i"): "b"})
    con.execute("create table p as select 'c' as database, 1::double as probability").fetchall()
    with pytest.raises(sqlanon.InputError, match="table p names database c"):
        sqlanon.semantic_privacy(con, "m", "n", "p")
    con.execute("update p set database = 'a', probability = 0.5").fetchall()
    with pytest.raises(sqlanon.InputError, match="the prior are not numbers"):
        sqlanon.semantic_privacy(con, "m", "n", "p")
