"""Contingency tables by Fourier coefficients: against counts, and the noise that they need."""

from __future__ import annotations

import itertools
from collections import Counter
from typing import Any

import duckdb
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import sqlanon
from tests.budget import examples

COLUMNS = ["a", "B c", "d"]


def load(con: duckdb.DuckDBPyConnection, rows: list[tuple[Any, ...]]) -> None:
    con.execute('create or replace temp table t(a boolean, "B c" boolean, d boolean)').fetchall()
    con.executemany("insert into t values (?, ?, ?)", [(None, True, True), *rows])


@settings(examples(10), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    rows=st.lists(st.tuples(*[st.booleans()] * 3), max_size=12),
    marginals=st.lists(
        st.lists(st.sampled_from(COLUMNS), min_size=1, max_size=3, unique=True), min_size=1, max_size=3
    ),
)
def test_counts(
    drawing: duckdb.DuckDBPyConnection, rows: list[tuple[bool, ...]], marginals: list[list[str]]
) -> None:
    """With little noise, each combination of values is counted, those that nobody has among them."""
    load(drawing, rows)
    found = drawing.execute(
        f"from sqlanon.dp_contingency('t', {COLUMNS}, {marginals}, epsilon := 100)"
    ).fetchall()
    expected: list[tuple[Any, ...]] = []
    for number, chosen in enumerate(marginals, 1):
        places = [COLUMNS.index(name) for name in chosen]
        counts = Counter(tuple(row[i] if i in places else None for i in range(3)) for row in rows)
        domains = [[False, True] if i in places else [None] for i in range(3)]
        expected += [(number, *values, counts[values]) for values in itertools.product(*domains)]
    assert sorted(map(str, (row[:4] for row in found))) == sorted(map(str, (row[:4] for row in expected)))
    by_values = {row[:4]: row for row in found}
    for *key, n in expected:
        row = by_values[tuple(key)]
        assert row[4] == pytest.approx(n, abs=3)  # up to 8 coefficients, a scale of 0.08
        assert row[6] <= row[4] <= row[7]


class TestAgreement:
    def test_common_columns(self, drawing: duckdb.DuckDBPyConnection) -> None:
        load(drawing, [(True, False, True)] * 50 + [(False, False, True)] * 20)
        rows = drawing.execute(
            f"""select marginal, a, sum(n) from sqlanon.dp_contingency(
            't', {COLUMNS}, [['a', 'B c'], ['a', 'd'], ['a']], epsilon := 0.1) group by all order by all"""
        ).fetchall()
        by_marginal = [[n for m, _, n in rows if m == marginal] for marginal in (1, 2, 3)]
        assert by_marginal[0] == pytest.approx(by_marginal[1])
        assert by_marginal[0] == pytest.approx(by_marginal[2])

    @pytest.mark.parametrize(
        ("mechanism", "budget", "scale"),
        [("laplace", {"epsilon": 2}, 6 * 6 / 2), ("gaussian", {"rho": 0.5, "delta": 1e-6}, 6 * 6**0.5)],
    )
    def test_scale(
        self, con: duckdb.DuckDBPyConnection, mechanism: Any, budget: dict[str, Any], scale: float
    ) -> None:
        """Two pairs have six subsets; two groups of three rows change each coefficient by 6."""
        con.execute("create table t as select true as a, true as b, false as d, 1 as who").fetchall()
        release = sqlanon.dp_contingency(
            con, "t", ["a", "b", "d"], [["a", "b"], ["A", "d"]], **budget, mechanism=mechanism, unit="who",
            max_groups=2, max_rows=3,
        )  # fmt: skip
        assert release.details["noise"][0]["scale"] == pytest.approx(scale)
        assert release.rows == 8
        _, *_, deviation, _, _ = release.relation(con).fetchall()[0]
        assert deviation == pytest.approx(release.details["noise"][0]["deviation"] / 2)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("'t', 'a', [['x']], epsilon := 1", 'marginals names "x", which is not in columns'),
        ("'t', 'a', [[]], epsilon := 1", "marginals must have sets of columns"),
        ("'t', ['a', 'd'], ['a', 'd'], epsilon := 1", r"a list of sets of columns, e.g. .* not \[a, d\]"),
        ("'t', 'a', 'a', epsilon := 1", "a list of sets of columns, e.g. .* not a"),
        ("'t', 'a', null, epsilon := 1", "marginals must be given"),
        ("'numbers', 'a', [['a']], epsilon := 1", "column a is INTEGER, not true or false"),
    ],
)
def test_refused(drawing: duckdb.DuckDBPyConnection, arguments: str, message: str) -> None:
    load(drawing, [])
    drawing.execute("create or replace temp table numbers as select 1 as a").fetchall()
    with pytest.raises(duckdb.Error, match=message):
        drawing.execute(f"from sqlanon.dp_contingency({arguments})").fetchall()
