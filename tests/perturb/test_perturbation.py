"""Perturbation: what chance may do and what it must keep, rounding and coding,
and what their results disclose.
"""

# As texts: Hypothesis keeps evaluated annotations, and DuckDB 2.0 reports its types there as leaks.
from __future__ import annotations

import csv
import datetime
import io
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sqlanon
from sqlanon.perturb.perturbation import METHODS
from tests.cli import test_cli as cli
from tests.cli.test_cli import folder as folder  # a fixture
from tests.core.test_bad_input import NAMES
from tests.oracles import canonical
from tests.oracles import perturbation as oracle
from tests.tables import Column, call, columns, identifier, load, rows

# What each method needs, and is not said where it does not matter.
NEEDED: dict[str, dict[str, Any]] = {method: {} for method in METHODS} | {
    "rank_swap": {"p": 0.3},
    "round_values": {"base": 5},
    "top_code": {"share": 0.2},
    "bottom_code": {"share": 0.2},
}
DRAWING = ("pram", "rank_swap", "add_noise")

MANY = 20_000
SIGMAS = 5  # by which a sum of draws may differ from its expectation; the seeds are fixed


@pytest.fixture(scope="module")
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        sqlanon.register(connection)
        connection.execute(
            f"""create table many as
            select i as id, [null, 'a', 'b', 'c'][1 + (i % 10 + 2) // 3] as letter, i % 2 as half,
                   (hash(i) % 1000)::integer as number, i / 7 as amount
            from range({MANY}) as t(i)"""
        ).fetchall()
        connection.execute(
            """create table people as
            select i as id, (20 + hash(i) % 50)::integer as age, (hash(i, 1) % 10000) / 8 as income,
                   if(i % 7 = 0, null, i % 4) as visits, date '2020-01-01' + i::integer as seen,
                       'd' || i % 3 as disease,
                   7 as constant, null::integer as nothing, if(i = 5, 'nan'::double, i) as broken,
                       if(i = 5, 1e300, -1e300) as huge
            from range(40) as t(i)"""
        ).fetchall()
        connection.execute("create table empty as from people where false").fetchall()
        yield connection


def released(con: duckdb.DuckDBPyConnection, method: str, table: str, **arguments: Any) -> list[Any]:
    """What rows release, in the order of their id, which is kept."""
    result = rows(con, method, table, keep="id", **{**NEEDED[method], **arguments})
    assert sorted(row[-1] for row in result) == list(range(len(result)))
    changed = [row[:-1] for row in sorted(result, key=lambda row: row[-1])]
    return [row[0] for row in changed] if isinstance(arguments["columns"], str) else changed


def value_of(con: duckdb.DuckDBPyConnection, expression: str, table: str) -> list[Any]:
    return [value for (value,) in con.execute(f"select {expression} from {table} order by id").fetchall()]


def as_expected(successes: float, chances: Sequence[float]) -> bool:
    """May independent trials with these chances have so many successes?"""
    spread = math.sqrt(sum(chance * (1 - chance) for chance in chances))
    return abs(successes - sum(chances)) <= SIGMAS * spread


class TestPram:
    @pytest.mark.parametrize("retain", [0, 0.5, 0.8, 1])
    def test_transitions_and_marginals_are_those_of_the_invariant_matrix(
        self, con: duckdb.DuckDBPyConnection, retain: float
    ) -> None:
        before = value_of(con, "letter", "many")
        after = released(con, "pram", "many", columns="letter", retain=retain, seed=1)
        counts = Counter(before)
        assert set(counts) == {None, "a", "b", "c"}
        pairs = Counter(zip(before, after, strict=True))
        for old, n in counts.items():
            for new, of in counts.items():
                chance = retain * (old == new) + (1 - retain) * of / MANY
                assert as_expected(pairs[old, new], [chance] * n)
        for new, of in counts.items():
            chances = [retain * (old == new) + (1 - retain) * of / MANY for old in before]
            assert sum(chances) == pytest.approx(of)  # the matrix is invariant
            assert as_expected(after.count(new), chances)

    def test_columns_change_independently(self, con: duckdb.DuckDBPyConnection) -> None:
        before = con.execute("select half, id % 3 from many order by id").fetchall()
        con.execute("create or replace table two as select id, half, id % 3 as third from many").fetchall()
        after = released(con, "pram", "two", columns=["half", "third"], retain=0.5, seed=3)
        both = sum(x != v and y != w for (x, y), (v, w) in zip(before, after, strict=True))
        assert as_expected(both, [0.25 * 0.5 * 2 / 3] * MANY)

    def test_every_row_can_give_its_value(self, con: duckdb.DuckDBPyConnection) -> None:
        """m draws among n rows meet n (1 - (1 - 1 / n) ** m) of them on average,
        with a variance below n / 4.
        """
        given = released(con, "pram", "many", columns="amount", retain=0.5, seed=1)
        before = value_of(con, "amount", "many")
        drawn = [new for old, new in zip(before, given, strict=True) if new != old]
        known = len(set(before))
        expected = known * (1 - (1 - 1 / known) ** len(drawn))
        assert abs(len(set(drawn)) - expected) <= SIGMAS * math.sqrt(known / 4)

    def test_values_come_from_the_stratum(self, con: duckdb.DuckDBPyConnection) -> None:
        con.execute("create or replace table s as select id, id % 8 as v, nullif(id % 4, 3) as h, "
                    "id % 2 as g from many").fetchall()  # fmt: skip
        result = con.execute(
            "from sqlanon.pram('s', 'v', keep := ['id', 'h'], strata := ['H', 'g'], retain := 0.1)"
        ).fetchall()
        assert all(v % 4 == (3 if h is None else h) == i % 4 for v, i, h in result)
        assert as_expected(sum(v != i % 8 for v, i, h in result), [0.9 / 2] * MANY)

    @given(columns("c", 20))
    def test_any_type(self, con: duckdb.DuckDBPyConnection, column: Column) -> None:
        load(con, "t", [column])
        known = {canonical(value) for value in column.values}
        if len(known) < 2:
            with pytest.raises(duckdb.Error, match="column c has fewer than two values that differ"):
                released(con, "pram", "t", columns="c")
            return
        after = released(con, "pram", "t", columns="c", retain=0.3, seed=4)
        assert {canonical(value) for value in after} <= known
        assert [canonical(v) for v in released(con, "pram", "t", columns="c", retain=1)] == [
            canonical(value) for value in column.values
        ]


class TestRankSwap:
    @given(columns("c", 30), st.sampled_from([0.01, 0.04, 0.1, 0.35, 1]), st.integers(0, 10))
    def test_values_swap_within_the_window(
        self, con: duckdb.DuckDBPyConnection, column: Column, p: float, seed: int
    ) -> None:
        load(con, "t", [column])
        places = {value: i for i, value in enumerate(column.order or [])}

        def ranked(values: Sequence[Any]) -> list[Any]:
            return (
                [places.get(value) if value is not None else None for value in values]
                if places
                else list(values)
            )

        before = ranked(column.values)
        swappable = [value for value in before if value is not None]
        if len({canonical(value) for value in swappable}) < 2:
            with pytest.raises(duckdb.Error, match="column c has fewer than two values that differ"):
                released(con, "rank_swap", "t", columns="c", p=p)
            return
        if p * len(swappable) < 1:
            with pytest.raises(duckdb.Error, match=f"p of {p} allows no swap in column c"):
                released(con, "rank_swap", "t", columns="c", p=p)
            return
        after = ranked(released(con, "rank_swap", "t", columns="c", p=p, seed=seed))
        assert Counter(map(canonical, after)) == Counter(map(canonical, before))
        for old, new in zip(before, after, strict=True):
            assert (old is None) == (new is None)
            if old is not None:
                assert oracle.rank_distance(before, old, new) <= p * len(swappable) + 1e-9

    @pytest.mark.parametrize("n", [2, 3, 50, 51])
    @pytest.mark.parametrize("p", [0.04, 0.5, 0.51, 1])
    def test_all_swap_in_pairs_but_one(self, con: duckdb.DuckDBPyConnection, n: int, p: float) -> None:
        if p * n < 1:
            return
        con.execute(f"create or replace table t as select i as id, i as x from range({n}) as t(i)").fetchall()
        after = released(con, "rank_swap", "t", columns="x", p=p, seed=n)
        assert [after[value] for value in after] == list(range(n))  # twice is as if never
        assert sum(after[i] == i for i in range(n)) == n % 2

    def test_partners_are_spread_over_the_window(self, con: duckdb.DuckDBPyConnection) -> None:
        con.execute(
            "create or replace table t as select i as id, i as x from range(20000) as t(i)"
        ).fetchall()
        after = released(con, "rank_swap", "t", columns="x", p=0.05, seed=1)
        steps = [abs(new - old) for old, new in enumerate(after)]
        assert 900 < max(steps) <= 1000
        # two of a block of m ranks are (m + 1) / 3 apart on average, give or take m / sqrt(18); of 21 blocks
        # the first and the last make one together
        most, least = 1001 / 3, (19 * 1001 / 3 + 501 / 3) / 20
        tolerance = SIGMAS * 1000 / math.sqrt(18) / math.sqrt(len(steps) / 2)
        assert least - tolerance <= sum(steps) / len(steps) <= most + tolerance


class TestNoise:
    def test_moments(self, con: duckdb.DuckDBPyConnection) -> None:
        before = con.execute("select number, amount from many order by id").fetchall()
        after = released(con, "add_noise", "many", columns=["number", "amount"], scale=0.2, seed=1)
        noise = []
        for column in range(2):
            values = [row[column] for row in before]
            mean = math.fsum(values) / MANY
            deviation = math.sqrt(math.fsum((value - mean) ** 2 for value in values) / (MANY - 1))
            noise.append(
                [(v[column] - x[column]) / (0.2 * deviation) for x, v in zip(before, after, strict=True)]
            )
        for drawn in noise:
            assert abs(math.fsum(drawn)) <= SIGMAS * math.sqrt(MANY)
            # the square of a standard normal value has variance 2, its fourth power variance 96
            assert abs(math.fsum(e**2 for e in drawn) - MANY) <= SIGMAS * math.sqrt(2 * MANY)
            assert abs(math.fsum(e**4 for e in drawn) - 3 * MANY) <= SIGMAS * math.sqrt(96 * MANY)
            assert as_expected(sum(abs(e) < 1 for e in drawn), [math.erf(1 / math.sqrt(2))] * MANY)
        assert abs(math.fsum(d * e for d, e in zip(*noise, strict=True))) <= SIGMAS * math.sqrt(MANY)
        own = zip(noise[0], (row[0] - 499.5 for row in before), strict=True)
        assert abs(math.fsum(e * x for e, x in own)) <= SIGMAS * math.sqrt(MANY) * 289

    def test_missing_values_stay_missing(self, con: duckdb.DuckDBPyConnection) -> None:
        after = released(con, "add_noise", "people", columns="visits")
        assert [value is None for value in after] == [i % 7 == 0 for i in range(40)]

    def test_decimals_and_large_integers(self, con: duckdb.DuckDBPyConnection) -> None:
        con.execute(
            """create or replace table t as select i as id, (i / 4)::decimal(9, 2) as cents,
                170141183460469231731687303715884105727::hugeint - i as big,
            i::utinyint as small from range(9) as t(i)"""
        ).fetchall()
        after = released(con, "add_noise", "t", columns=["cents", "small"], scale=1e-6, seed=1)
        for i, (cents, small) in enumerate(after):
            assert (cents, small) == (pytest.approx(i / 4, abs=1e-4), pytest.approx(i, abs=1e-4))


class TestRounding:
    @given(
        st.lists(st.none() | st.integers(-(2**62), 2**62), min_size=1, max_size=20),
        st.sampled_from([1, 2, 5, 7, 1000, 10**12]),
    )
    def test_integers(self, con: duckdb.DuckDBPyConnection, values: list[int | None], base: int) -> None:
        load(con, "t", [Column("x", "BIGINT", values)])
        after = released(con, "round_values", "t", columns="x", base=base)
        assert after == [oracle.rounded(value, str(base)) for value in values]
        assert all(type(value) is int for value in after if value is not None)

    @given(
        st.lists(st.none() | st.integers(-(10**6), 10**6), min_size=1, max_size=20),
        st.sampled_from(["0.1", "0.25", "0.5", "2.5", "10", "0.003", "100"]),
        st.sampled_from(["DOUBLE", "DECIMAL(12, 3)"]),
    )
    def test_other_numbers(
        self, con: duckdb.DuckDBPyConnection, thousandths: list[int | None], base: str, type_: str
    ) -> None:
        """The nearest multiple, as the number that is nearest to its decimal fraction."""
        values = [None if each is None else Decimal(each) / 1000 for each in thousandths]
        load(con, "t", [Column("x", type_, [None if v is None else f"{v:f}" for v in values])])
        after = released(con, "round_values", "t", columns="x", base=float(base))
        for value, rounded in zip(values, after, strict=True):
            exact = oracle.rounded(value, base)
            if exact is None or value is None:
                assert rounded is None
            elif Decimal(value) % Decimal(base) * 2 in (Decimal(base), -Decimal(base)):
                assert abs(rounded - float(value)) == pytest.approx(float(base) / 2)
            else:
                assert rounded == float(exact)

    def test_what_has_no_multiple_stays(self, con: duckdb.DuckDBPyConnection) -> None:
        values = [math.nan, math.inf, -math.inf, None, 3.0]
        load(con, "t", [Column("x", "DOUBLE", values)])
        after = released(con, "round_values", "t", columns="x", base=2)
        assert list(map(canonical, after)) == list(map(canonical, [math.nan, math.inf, -math.inf, None, 4.0]))

    def test_a_base_that_is_no_decimal_fraction(self, con: duckdb.DuckDBPyConnection) -> None:
        load(con, "t", [Column("x", "DOUBLE", [0.6])])
        [(third,)] = con.execute("from sqlanon.round_values('t', 'x', base := 1 / 3)").fetchall()
        assert third == pytest.approx(2 / 3)

    def test_beyond_the_type(self, con: duckdb.DuckDBPyConnection) -> None:
        load(con, "t", [Column("x", "BIGINT", [2**63 - 1, 0])])
        with pytest.raises(duckdb.Error, match="column x has a number that cannot be rounded to a BIGINT"):
            released(con, "round_values", "t", columns="x", base=10)
        load(con, "t", [Column("x", "UTINYINT", [255, 0])])
        assert released(con, "round_values", "t", columns="x", base=10) == [260, 0]


class TestCoding:
    numbers = st.lists(st.none() | st.integers(-20, 20), min_size=1, max_size=20)

    @pytest.mark.parametrize("method", ["top_code", "bottom_code"])
    @given(numbers, st.sampled_from([-100, -3, 0, 4.5, 100]), st.booleans())
    def test_a_threshold(
        self,
        con: duckdb.DuckDBPyConnection,
        method: str,
        values: list[int | None],
        threshold: float,
        mean: bool,
    ) -> None:
        load(con, "t", [Column("x", "INTEGER", values)])
        replacement = "mean" if mean else "threshold"
        after = released(
            con, method, "t", columns="x", share=None, threshold=threshold, replacement=replacement
        )
        assert after == pytest.approx(
            oracle.coded(values, threshold, method == "top_code", mean), nan_ok=True
        )

    @pytest.mark.parametrize("method", ["top_code", "bottom_code"])
    @given(numbers, st.sampled_from([0.001, 0.05, 0.1, 0.25, 0.5, 1]))
    def test_a_share(
        self, con: duckdb.DuckDBPyConnection, method: str, values: list[int | None], share: float
    ) -> None:
        load(con, "t", [Column("x", "INTEGER", values)])
        after = released(con, method, "t", columns="x", share=share)
        known = [value for value in values if value is not None]
        if not known:
            assert after == values
            return
        top = method == "top_code"
        threshold = oracle.quantile(known, 1 - share if top else share)
        assert after == oracle.coded(values, threshold, top, False)
        if top:
            assert sum(value > threshold for value in known) <= share * len(known) + 1e-9

    def test_types_stay(self, con: duckdb.DuckDBPyConnection) -> None:
        after = released(con, "top_code", "people", columns=["seen", "age"], share=0.25)
        assert max(seen for seen, _ in after) == datetime.date(2020, 1, 30)
        assert all(type(age) is int for _, age in after)
        limit = datetime.date(2020, 1, 3)
        for written in ("'2020-01-03'", "date '2020-01-03'"):
            result = con.execute(
                f"from sqlanon.bottom_code('people', 'seen', threshold := {written})"
            ).fetchall()
            assert Counter(result)[(limit,)] == 3
            assert min(result) == (limit,)

    def test_infinity_and_nan_are_above_all(self, con: duckdb.DuckDBPyConnection) -> None:
        load(con, "t", [Column("x", "DOUBLE", [math.nan, math.inf, 1.0, -math.inf])])
        assert released(con, "top_code", "t", columns="x", share=None, threshold=2) == [2, 2, 1, -math.inf]


class TestAllMethods:
    @pytest.mark.parametrize("method", METHODS)
    def test_a_seed_gives_the_same_rows_however_the_table_is_stored(
        self, con: duckdb.DuckDBPyConnection, method: str
    ) -> None:
        arguments = {**NEEDED[method], "columns": ["age", "income"], "keep": ["id", "disease"], "seed": 11}
        first = rows(con, method, "people", **arguments)
        con.execute("create or replace table shuffled as from people order by hash(id)").fetchall()
        assert rows(con, method, "shuffled", **arguments) == first
        assert rows(con, method, "people", **{**arguments, "seed": 12}) != first
        assert getattr(sqlanon, method)(con, "people", **arguments).fetchall() == first
        frame = con.execute("select * exclude (broken, huge) from people").df()
        assert getattr(sqlanon, method)(con, frame, **arguments).fetchall() == first

    @pytest.mark.parametrize("method", METHODS)
    def test_without_a_seed_every_run_differs(self, con: duckdb.DuckDBPyConnection, method: str) -> None:
        arguments = {**NEEDED[method], "columns": "income", "keep": "id"}
        assert rows(con, method, "people", **arguments) != rows(con, method, "people", **arguments)
        if method in DRAWING:
            assert released(con, method, "people", columns="income") != released(
                con, method, "people", columns="income"
            )

    def test_the_same_rows_on_every_line_of_duckdb(self, con: duckdb.DuckDBPyConnection) -> None:
        con.execute(
            "create or replace table t as select i as id, i * i as x from range(6) as t(i)"
        ).fetchall()
        assert released(con, "pram", "t", columns="x", retain=0.3, seed=5) == PINNED["pram"]
        assert released(con, "rank_swap", "t", columns="x", p=0.5, seed=5) == PINNED["rank_swap"]
        noisy = released(con, "add_noise", "t", columns="x", scale=0.5, seed=5)
        assert noisy == pytest.approx(PINNED["add_noise"], rel=1e-12)
        assert rows(con, "round_values", "t", columns="x", base=5, seed=5) == PINNED["round_values"]

    @pytest.mark.parametrize("method", METHODS)
    def test_rows_that_are_alike_are_changed_apart(self, con: duckdb.DuckDBPyConnection, method: str) -> None:
        con.execute(
            "create or replace table alike as select i % 2 as x, 'a' as y from range(400) as t(i)"
        ).fetchall()
        result = rows(con, method, "alike", columns="x", keep="y", **NEEDED[method], seed=1)
        assert len(result) == 400
        if method == "add_noise":
            assert len(set(result)) == 400
        if method == "pram":
            assert 150 < Counter(result)[0, "a"] < 250

    @pytest.mark.parametrize("method", METHODS)
    def test_only_named_columns_leave(self, con: duckdb.DuckDBPyConnection, method: str) -> None:
        for keep in (None, "id", ["visits", "id"]):
            result = con.execute(f"from {call(method, 'people', columns='age', keep=keep, **NEEDED[method])}")
            assert [name for name, *_ in result.description or []] == [
                "age",
                *([keep] if isinstance(keep, str) else keep or []),
            ]
            result.fetchall()

    @pytest.mark.parametrize("method", METHODS)
    def test_any_name(self, con: duckdb.DuckDBPyConnection, method: str) -> None:
        """Columns with names that mean something in the macros release what columns with usual names do."""
        hostile = [
            *NAMES,
            "number",
            "salt",
            "x1",
            "x2",
            "v2",
            "changed",
            "columns",
            "keep",
            "limit1",
            "start",
            "record",
        ]
        results = []
        for names in (hostile, [f"column {i}" for i in range(len(hostile))]):
            chosen = ", ".join(
                f"(hash(range, {i}) % 9)::integer as {identifier(name)}" for i, name in enumerate(names)
            )
            con.execute(f"create or replace table named as select {chosen} from range(30)").fetchall()
            arguments = {**NEEDED[method], "columns": names[::2], "keep": names[1::2], "seed": 1}
            result = con.execute(f"from {call(method, 'named', **arguments)}")
            assert [name for name, *_ in result.description or []] == [*names[::2], *names[1::2]]
            results.append(result.fetchall())
        assert results[0] == results[1]


# Printed by 1.4.5 and 2.0.0.
PINNED: dict[str, list[Any]] = {
    "pram": [25, 9, 4, 9, 25, 4],
    "rank_swap": [1, 0, 9, 4, 25, 16],
    "add_noise": [
        -3.0716614423317825,
        4.991469472934877,
        -1.442264733666141,
        13.937737273027446,
        11.766543276632099,
        22.343968667899702,
    ],
    "round_values": [(15,), (5,), (10,), (25,), (0,), (0,)],
}


class TestBadInput:
    @pytest.mark.parametrize(
        ("method", "arguments", "message"),
        [
            *((method, {"columns": []}, "columns names no column") for method in METHODS),
            *((method, {"columns": ["age", None]}, "a column name is NULL") for method in METHODS),
            *((method, {"columns": ["age", "AGE"]}, 'column "AGE" is named twice') for method in METHODS),
            *((method, {"columns": "age", "keep": "Age"},
               'column "Age" is named twice') for method in METHODS),
            *((method, {"columns": "agee"}, '"agee" not found') for method in METHODS),
            *((method, {"columns": "age", "keep": "idd"}, '"idd" not found') for method in METHODS),
            *((method, {"columns": "constant"},
               "column constant has fewer than two values") for method in DRAWING),
            *((method, {"columns": "nothing"},
               "column nothing has fewer than two values") for method in DRAWING),
            *((method, {"columns": "disease"}, f"column disease is VARCHAR: {method} takes numbers")
              for method in METHODS if method not in ("pram", "rank_swap")),
            *((method, {"columns": "seen"}, f"column seen is DATE: {method} takes numbers")
              for method in ("add_noise", "round_values")),
            ("add_noise", {"columns": ["age", "broken"]}, "column broken has NaN or infinite values"),
            ("add_noise", {"columns": "huge"}, "column huge has numbers so large"),
            ("top_code", {"columns": "broken", "replacement": "mean"},
             "column broken has NaN or infinite values"),
            ("top_code", {"columns": "seen", "replacement": "mean"},
             "column seen is DATE: top_code with a mean takes numbers"),
            *(("pram", {"columns": "age", "retain": p},
               f"retain must be between 0 and 1, not {p}") for p in (-0.1, 1.5)),
            ("pram", {"columns": "age", "retain": math.nan}, "retain must be between 0 and 1, not nan"),
            ("pram", {"columns": "age", "strata": "age"}, 'column "age" is named twice'),
            ("pram", {"columns": "age", "strata": "vistis"}, '"vistis" not found'),
            *(("rank_swap", {"columns": "age", "p": p},
               f"p must be above 0 and at most 1, not {p}") for p in (0, -0.1, 1.5)),
            ("rank_swap", {"columns": "age", "p": 0.001},
             "p of 0.001 allows no swap in column age, which has 40 values: give at least 0.025"),
            *(("add_noise", {"columns": "age", "scale": s},
               f"scale must be above 0 and at most 1000000, not {s}") for s in (0, -1)),
            *(("round_values", {"columns": "age", "base": b}, f"base must be above 0, not {b}")
              for b in (0, -5)),
            ("top_code", {"columns": "age", "share": None}, "give either threshold"),
            ("top_code", {"columns": "age", "threshold": 4}, "give either threshold"),
            ("bottom_code", {"columns": "age", "share": 1.5}, "share must be above 0 and at most 1, not 1.5"),
            ("top_code", {"columns": "age", "replacement": "median"},
             "replacement must be threshold or mean, not median"),
            *((method, {"columns": columns, "share": None, "threshold": wrong, "replacement": replacement},
               f"threshold must be {needed}, not {shown}")
              for method in ("top_code", "bottom_code") for replacement in ("threshold", "mean")
              for columns, wrong, needed, shown in (
                  ("age", "abc", "a number, as column age is INTEGER", "abc"),
                  ("age", "2020-02-29", "a number, as column age is INTEGER", "2020-02-29"),
                  (["age", "seen"], 5, "a date, as column seen is DATE", "5"),
                  ("seen", 2.5, "a date, as column seen is DATE", "2.5"))),
            ("top_code", {"columns": "age", "share": None, "threshold": "{c}"},
             "threshold must be a number, as column age is INTEGER, not (c}"),
        ],
    )  # fmt: skip
    def test_refused(
        self, con: duckdb.DuckDBPyConnection, method: str, arguments: dict[str, Any], message: str
    ) -> None:
        with pytest.raises(duckdb.Error) as caught:
            rows(con, method, "people", **{**NEEDED[method], **arguments})
        assert message in str(caught.value)

    @pytest.mark.parametrize("method", METHODS)
    def test_an_empty_table(self, con: duckdb.DuckDBPyConnection, method: str) -> None:
        with pytest.raises(duckdb.Error, match="table empty is empty"):
            rows(con, method, "empty", columns="age", **NEEDED[method])

    @pytest.mark.parametrize("method", METHODS)
    def test_after_an_error_nothing_is_left(self, con: duckdb.DuckDBPyConnection, method: str) -> None:
        tables = con.execute("select table_name from duckdb_tables() order by all").fetchall()
        run = getattr(sqlanon, method)
        for wrong in (
            {"columns": "agee"},
            {"columns": "age", "source": "empty"},
            {"columns": "age", "into": "people"},
        ):
            arguments = {"source": "people", "into": "made", **NEEDED[method], **wrong}
            with pytest.raises(sqlanon.InputError):
                run(con, **arguments)
        assert con.execute("select table_name from duckdb_tables() order by all").fetchall() == tables

    def test_into_replaces_only_what_it_may(self, con: duckdb.DuckDBPyConnection) -> None:
        for scale in (0.1, 0.2):
            made = sqlanon.add_noise(con, "people", "age", scale=scale, into="made", replace=True, seed=1)
            assert made.fetchall() == rows(con, "add_noise", "people", columns="age", scale=scale, seed=1)
        with pytest.raises(sqlanon.InputError, match="made exists"):
            sqlanon.add_noise(con, "people", "age", into="made")
        con.execute("drop table made").fetchall()


class TestDisclosure:
    @st.composite
    @staticmethod
    def tables(draw: st.DrawFn) -> tuple[list[tuple[Any, ...]], list[tuple[Any, ...]]]:
        """Rows of two numbers and a text, before and after."""
        n = draw(st.integers(2, 12))
        number = st.none() | st.integers(-5, 5)
        row = st.tuples(
            number, st.none() | st.sampled_from([0.0, 0.5, 3.0, 8.0]), st.none() | st.sampled_from("abc")
        )
        return draw(st.lists(row, min_size=n, max_size=n)), draw(st.lists(row, min_size=n, max_size=n))

    @staticmethod
    def both(con: duckdb.DuckDBPyConnection, tables: tuple[list[Any], list[Any]]) -> None:
        for name, table in zip(("before", "after"), tables, strict=True):
            whole, real, letter = zip(*table, strict=True)
            load(
                con,
                name,
                [Column("a", "INTEGER", whole), Column("b", "DOUBLE", real), Column("c", "VARCHAR", letter)],
            )

    @given(tables(), st.sampled_from([0, 0.1, 1]))
    def test_shares_against_the_oracle(
        self, con: duckdb.DuckDBPyConnection, tables: tuple[list[Any], list[Any]], within: float
    ) -> None:
        self.both(con, tables)
        result = con.execute(
            f"from sqlanon.disclosure('before', 'after', 'id', ['a', 'b', 'c'], within := {within})"
        ).fetchall()
        assert [name for name, *_ in result] == ["a", "b", "c", None]
        assert [row[1] for row in result] == [len(tables[0])] * 4
        assert [row[2:4] for row in result] == [
            (pytest.approx(unchanged), pytest.approx(near))
            for unchanged, near in oracle.disclosure(*tables, within)
        ]
        for row, column in zip(result[:2], zip(*tables[1], strict=True), strict=False):
            known = [value for value in column if value is not None]
            extremes = (known.count(min(known)), known.count(max(known))) if known else (None, None)
            assert row[4:] == extremes
        assert result[2][4:] == result[3][4:] == (None, None)

    @given(tables())
    def test_linkage_against_the_oracle(
        self, con: duckdb.DuckDBPyConnection, tables: tuple[list[Any], list[Any]]
    ) -> None:
        self.both(con, tables)
        n = len(tables[0])
        [result] = sqlanon.record_linkage(con, "before", "after", "id", ["a", "b", "c"]).fetchall()
        linked = oracle.linked(*tables)
        assert result == (n, pytest.approx(linked), pytest.approx(linked / n), pytest.approx(1 / n))

    def test_originals_that_are_not_released_are_candidates_too(self, con: duckdb.DuckDBPyConnection) -> None:
        con.execute("create or replace table few as select * from people where id in (3, 4)").fetchall()
        con.execute("create or replace table twins as select id // 2 as twin, id from people").fetchall()
        con.execute("create or replace table part as from twins where id in (3, 4)").fetchall()
        assert con.execute("from sqlanon.record_linkage('twins', 'part', 'id', 'twin')").fetchall() == [
            (2, 1.0, 0.5, 1 / 40)
        ]
        assert con.execute("from sqlanon.record_linkage('people', 'few', 'id', 'income')").fetchall() == [
            (2, 2.0, 1.0, 1 / 40)
        ]

    def test_more_noise_discloses_less(self, con: duckdb.DuckDBPyConnection) -> None:
        near, linked = [], []
        con.execute("create or replace table thousand as from many where id < 1000").fetchall()
        for scale in (0.01, 0.1, 1):
            names = ["number", "amount"]
            noisy = sqlanon.add_noise(con, "thousand", names, keep="id", scale=scale, seed=1)
            near.append(sqlanon.disclosure(con, "thousand", noisy, "id", names).fetchall()[-1][3])
            linked.append(sqlanon.record_linkage(con, "thousand", noisy, "id", names).fetchall()[0][2])
        # both noises are within 5, 0.5 and 0.05 of their standard deviations
        for scale, share in zip((0.01, 0.1, 1), near, strict=True):
            chance = math.erf(0.05 / scale / math.sqrt(2)) ** 2
            assert as_expected(share * 1000, [chance] * 1000)
        assert linked[0] > 0.9 > linked[1] > linked[2] > 0

    @pytest.mark.parametrize("macro", ["disclosure", "record_linkage"])
    @pytest.mark.parametrize(
        ("original", "release", "id", "names", "message"),
        [
            ("people", "empty", "id", ["age"], "table empty is empty"),
            ("people", "people", "visits", ["age"], "column visits of people names 5 of the records"),
            ("few", "people", "id", ["age"], "of people are not in few"),
            ("people", "few", "id", [], "columns names no column"),
            ("people", "few", "id", ["age", "id"], 'column "id" is named twice'),
            ("people", "few", "id", ["agee"], '"agee" not found'),
            ("people", "few", "idd", ["age"], '"idd" not found'),
            ("people", "few", "id", ["broken"], "column broken has NaN or infinite values"),
        ],
    )  # fmt: skip
    def test_refused(
        self,
        con: duckdb.DuckDBPyConnection,
        macro: str,
        original: str,
        release: str,
        id: str,
        names: list[str],
        message: str,
    ) -> None:
        con.execute("create or replace table few as select * from people where id in (3, 4)").fetchall()
        with pytest.raises(duckdb.Error) as caught:
            con.execute(f"from sqlanon.{macro}('{original}', '{release}', '{id}', {names})").fetchall()
        assert message in str(caught.value)

    @pytest.mark.slow("0.3 s")
    def test_any_name(self, con: duckdb.DuckDBPyConnection) -> None:
        names = [
            *NAMES,
            "record",
            "x1",
            "t1",
            "own",
            "pair",
            "released",
            "original",
            "candidate",
            "within",
            "id",
        ]
        chosen = ", ".join(
            f"(hash(range, {i}) % 9)::integer as {identifier(name)}" for i, name in enumerate(names[:-1])
        )
        con.execute(
            f"create or replace table named as select {chosen}, range as id from range(30)"
        ).fetchall()
        result = sqlanon.disclosure(con, "named", "named", "id", names[:-1]).fetchall()
        assert [name for name, *_ in result] == [*names[:-1], None]
        assert all(unchanged == near == 1 for _, _, unchanged, near, *_ in result)
        assert (
            sqlanon.record_linkage(con, "named", pd.DataFrame({"id": [1], "k": [2]}), "id", "k").fetchall()[
                0
            ][0]
            == 1
        )


class TestCommandLine:
    """perturb, on people.csv of tests/cli/test_cli.py."""

    @pytest.mark.slow("1.4 s a case")
    @pytest.mark.parametrize(
        ("method", "options", "arguments"),
        [
            ("pram", "--columns disease,zip --retain 0.3 --strata age",
             {"columns": ["disease", "zip"], "retain": 0.3, "strata": "age"}),
            ("rank_swap", "--columns age --p 0.5", {"columns": "age", "p": 0.5}),
            ("add-noise", "--columns age --scale 0.5", {"columns": "age", "scale": 0.5}),
            ("round_values", "--columns age --base 10", {"columns": "age", "base": 10}),
            ("top-code", "--columns age --threshold 41", {"columns": "age", "threshold": 41}),
            ("bottom_code", "--columns age --share 0.25 --replacement mean",
             {"columns": "age", "share": 0.25, "replacement": "mean"}),
        ],
    )  # fmt: skip
    def test_the_same_rows_as_the_macro(
        self,
        folder: Path,
        con: duckdb.DuckDBPyConnection,
        method: str,
        options: str,
        arguments: dict[str, Any],
    ) -> None:
        command = [
            "perturb",
            "people.csv",
            "--method",
            method,
            *options.split(),
            "--keep",
            "name",
            "--seed",
            "3",
        ]
        wanted = rows(con, method.replace("-", "_"), "people.csv", keep="name", seed=3, **arguments)
        cli.ok(*command, "-o", "out.parquet")
        assert con.execute("from 'out.parquet'").fetchall() == wanted
        assert list(csv.reader(io.StringIO(cli.ok(*command))))[1:] == [list(map(str, row)) for row in wanted]
        assert [tuple(row) for row in cli.executed(cli.ok(*command, "--sql"))] == wanted
        sql = cli.ok("sql", method.replace("-", "_"), "people.csv", *command[4:])
        assert [tuple(row) for row in cli.executed(sql)] == wanted

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            ("--method noise --columns age",
             "--method must be one of pram, rank_swap, add_noise, round_values, top_code, bottom_code, not "
             "noise; did you mean add_noise?"),
            ("--method pram --columns age --scale 1", "--scale is not for pram"),
            ("--method round_values --columns age", "round_values needs --base"),
            ("--method pram --columns aeg",
             "--columns: there is no column aeg in people.csv; did you mean age?"),
            ("--method pram --columns age --keep nmae",
             "--keep: there is no column nmae in people.csv; did you mean name?"),
            ("--method pram --columns age --strata ziip",
             "--strata: there is no column ziip in people.csv; did you mean zip?"),
        ],
    )  # fmt: skip
    def test_wrong_use(self, folder: Path, options: str, message: str) -> None:
        assert cli.refused(2, "perturb", "people.csv", *options.split(), "-o", "out.csv") == message
        assert not Path("out.csv").exists()

    def test_bad_data(self, folder: Path) -> None:
        refusal = cli.refused(
            3, "perturb", "people.csv", "--method", "add_noise", "--columns", "disease", "-o", "out.csv"
        )
        assert refusal == "column disease is VARCHAR: add_noise takes numbers"
        assert not Path("out.csv").exists()

    def test_an_existing_output_stays_unless_forced(self, folder: Path) -> None:
        Path("out.csv").write_text("mine")
        command = [
            "perturb",
            "people.csv",
            "--method",
            "top_code",
            "--columns",
            "age",
            "--share",
            "0.5",
            "-o",
            "out.csv",
        ]
        assert cli.refused(2, *command) == "out.csv exists: give --force to replace it"
        assert Path("out.csv").read_text() == "mine"
        cli.ok(*command, "--force")
        assert Path("out.csv").read_text().startswith("age\n")
