"""Risk by a log-linear model, against a Poisson regression, and sdcMicro's example by both formulas."""

# As texts: Hypothesis keeps evaluated annotations, and DuckDB 2.0 reports its types there as leaks.
from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import exp
from typing import Any

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sqlanon
from tests.budget import examples
from tests.core.test_bad_input import NAMES, TABLES, refused
from tests.oracles import log_linear as oracle
from tests.tables import Column, load, rows

few = examples(30, quick=5)

Rows = list[tuple[Any, ...]]

# sdcMicro's, with sampling weights of 100
EXAMPLE: Rows = [
    (2, 2, 5), (3, 1, 4), (2, 2, 4), (3, 2, 5), (3, 1, 4), (1, 2, 4), (2, 1, 3), (3, 1, 3), (2, 1, 2),
    (2, 2, 2),
]  # fmt: skip


@pytest.fixture(scope="module")
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        sqlanon.register(connection)
        connection.execute(
            "create table people as select range as id, range % 3 as age, range % 2 as zip, 2.5 as w "
            "from range(9)"
        ).fetchall()
        connection.execute("create table nobody as from people where false").fetchall()
        yield connection


@st.composite
def samples(draw: st.DrawFn) -> tuple[Rows, list[list[int]]]:
    """Rows of two to four columns, with NULL, and sets of columns that depend on each other."""
    width = draw(st.integers(2, 4))
    row = st.tuples(*(st.sampled_from([1, 2, 3, None][: draw(st.integers(1, 4))]) for _ in range(width)))
    some = st.lists(st.integers(0, width - 1), min_size=1, max_size=3, unique=True)
    return draw(st.lists(row, min_size=1, max_size=40)), draw(st.lists(some, max_size=4))


def load_rows(con: duckdb.DuckDBPyConnection, table: Rows, weights: Sequence[Any] | None = None) -> list[str]:
    """Table t, and the names of its columns, in which quotes and blanks occur."""
    columns = [Column(f"q '{i}'", "INTEGER", values) for i, values in enumerate(zip(*table, strict=True))]
    load(con, "t", [*columns, Column("w", "DOUBLE", weights or [100.0] * len(table))])
    return [column.name for column in columns]


def measured(con: duckdb.DuckDBPyConnection, table: str = "t", **arguments: Any) -> dict[str, float]:
    return {id: value for _, value, _, id in rows(con, "log_linear_risk", table, **arguments)}


@few
@given(samples(), st.sampled_from([0.01, 0.5, 0.9, 1]))
def test_the_fit_is_that_of_a_poisson_regression(
    con: duckdb.DuckDBPyConnection, sample: tuple[Rows, list[list[int]]], fraction: float
) -> None:
    table, marginals = sample
    qi = load_rows(con, table)
    sets = [[qi[i] for i in members] for members in marginals] or None
    found = measured(con, qi=qi, fraction=fraction, marginals=sets)
    means = {cell: u / fraction for cell, u in oracle.fitted(table, marginals).items()}
    # 1e-6 where the fit has ended; else what is told
    near = 1e-6 + 10 * found["largest_difference"] * len(table) * (found["largest_difference"] > 1e-10)
    assert [found["tau1"], found["tau2"]] == pytest.approx(oracle.taus(table, means, fraction), abs=near)
    assert found["tau1"] <= found["tau2"] + 1e-9 <= found["sample_uniques"] + 2e-9
    assert found["sample_uniques"] == sum(table.count(row) == 1 for row in table)


@pytest.mark.both_lines
def test_the_example_of_sdcmicro(con: duckdb.DuckDBPyConnection) -> None:
    """By the formulas of the paper, and by those of modRisk: u in place of u / pi, and per combination."""
    qi = load_rows(con, EXAMPLE)
    found = measured(con, qi=qi, sampling_weight="w")
    assert found == measured(con, qi=qi, fraction=0.01)
    assert found["sampling_fraction"] == 0.01
    assert f"{found['tau1']:.5g}" == "2.5175e-09"
    assert f"{found['tau2']:.10f}" == "0.1919191918"
    own = oracle.taus(EXAMPLE, oracle.fitted(EXAMPLE, []), 0.01)
    assert [f"{tau:.6f}" for tau in own] == ["4.976244", "6.348458"]
    assert [f"{tau / len(set(EXAMPLE)):.6f}" for tau in own] == ["0.552916", "0.705384"]
    # A sample of half has u (1 - 1/2) / (1/2) = u, so the paper's numbers there are modRisk's with pi near 0.
    half = measured(con, qi=qi, fraction=0.5)
    near_0 = oracle.taus(EXAMPLE, oracle.fitted(EXAMPLE, []), 0)
    assert [half["tau1"], half["tau2"]] == pytest.approx(near_0, rel=1e-12)


def test_all_of_the_population(con: duckdb.DuckDBPyConnection) -> None:
    """Nobody else is there: m is 0, and each sample unique is a population unique."""
    found = measured(con, qi=load_rows(con, EXAMPLE), fraction=1)
    assert (found["tau1"], found["tau2"]) == (8, 8)
    nearly = measured(con, qi=load_rows(con, EXAMPLE), fraction=1 - 1e-12)
    assert nearly["tau2"] == pytest.approx(8, abs=1e-10)


def test_weights_that_differ_count_by_their_mean(con: duckdb.DuckDBPyConnection) -> None:
    weights = [1, 199, 50, 150, 100, 100, 12.5, 187.5, 100, 100]
    qi = load_rows(con, EXAMPLE, weights)
    assert measured(con, qi=qi, sampling_weight="w") == measured(con, qi=qi, fraction=0.01)


def test_components_that_are_independent(con: duckdb.DuckDBPyConnection) -> None:
    """Two pairs of columns: no cell of all four is made, only those of each pair."""
    table = [(a, a % 2, b, b % 3) for a in range(20) for b in range(20) if (a + b) % 3]
    qi = load_rows(con, table)
    sets = [qi[:2], qi[2:]]
    found = measured(con, qi=qi, fraction=0.5, marginals=sets, max_cells=40)
    n = len(table)
    of_a = [sum(row[0] == a for row in table) for a in range(20)]
    of_b = [sum(row[2] == b for row in table) for b in range(20)]
    assert found["tau1"] == pytest.approx(sum(exp(-of_a[a] * of_b[b] / n) for a, _, b, _ in table), rel=1e-12)


def test_python_gives_the_same_rows(con: duckdb.DuckDBPyConnection) -> None:
    qi = load_rows(con, EXAMPLE)
    found = sqlanon.log_linear_risk(con, "t", qi, sampling_weight="w", marginals=[qi[:2]]).fetchall()
    assert found == rows(con, "log_linear_risk", "t", qi=qi, sampling_weight="w", marginals=[qi[:2]])


class TestBadInput:
    @pytest.mark.parametrize("weight", [None, float("nan"), float("inf"), float("-inf"), 0.99, 0, -3])
    def test_sampling_weights(self, con: duckdb.DuckDBPyConnection, weight: float | None) -> None:
        qi = load_rows(con, EXAMPLE, [weight, 1, weight, *[12.37] * 7])
        message = refused(con, "log_linear_risk", "t", qi=qi, sampling_weight="w")
        assert (
            '2 rows of table t have no finite number of at least 1 in column "w" (sampling_weight' in message
        )

    def test_weights_that_are_texts(self, con: duckdb.DuckDBPyConnection) -> None:
        con.execute(
            "create or replace table texts as select age, if(id = 4, 'many', '12.5') as w from people"
        )
        message = refused(con, "log_linear_risk", "texts", qi="age", sampling_weight="w")
        assert "1 rows of table texts have no finite number" in message

    def test_parameters(self, con: duckdb.DuckDBPyConnection) -> None:
        def message(table: str = "people", qi: Any = "age", fraction: Any = 0.1, **more: Any) -> str:
            return refused(con, "log_linear_risk", table, qi=qi, fraction=fraction, **more)

        for fraction in (0, -0.5, 1.01, float("nan")):
            assert "fraction must be above 0 and at most 1" in message(fraction=fraction)
        assert "sampling_weight or fraction must say" in message(fraction=None)
        assert "sampling_weight does not go with fraction" in message(sampling_weight="w")
        assert '"W" is named twice' in message(qi="w", fraction=None, sampling_weight="W")
        assert '"ww"' in message(fraction=None, sampling_weight="ww")
        assert '"agee"' in message(qi=["zip", "agee"])
        assert "table nobody is empty" in message("nobody")
        assert "table nobody is empty" in message("nobody", fraction=None, sampling_weight="w")
        assert 'marginals names "id", which is not in qi' in message(
            qi=["age", "zip"], marginals=[["age", "id"]]
        )
        assert "marginals must be a list of sets of columns" in message(qi=["age", "zip"], marginals=["age"])
        assert "marginals must have sets of columns" in message(marginals=[["age"], []])
        assert "a column name is NULL in marginals" in message(marginals=[["age", None]])

    def test_too_many_cells(self, con: duckdb.DuckDBPyConnection) -> None:
        """Of columns that depend on each other: 3 x 9 x 2, although there are nine rows."""
        asked: dict[str, Any] = {"qi": ["id", "age", "zip"], "fraction": 0.1}
        asked["marginals"] = [["age"], ["id", "zip"], ["zip", "age"]]
        most = len({(i, a, i % 2) for i in range(9) for a in range(3)})
        assert measured(con, "people", max_cells=most, **asked)["records"] == 9
        message = refused(con, "log_linear_risk", "people", max_cells=most - 1, **asked)
        assert f"the marginals have more than {most - 1} combinations of values (max_cells)" in message


class TestHostile:
    @pytest.mark.parametrize("name", [NAMES[1], "cell", "part", "fit", "u", "pi", "stands_for", "records"])
    def test_names(self, con: duckdb.DuckDBPyConnection, name: str) -> None:
        """As a quasi-identifier in a marginal, and as the sampling weight."""
        load(con, "hostile", [Column(name, "INTEGER", [1, 1, 2]), Column("other", "INTEGER", [1, 2, 3])])
        found = measured(con, "hostile", qi=[name, "other"], fraction=1, marginals=[[name, "other"]])
        assert found["tau1"] == 3
        assert measured(con, "hostile", qi="other", sampling_weight=name)["sampling_fraction"] == 0.75

    @pytest.mark.parametrize("table", [TABLES[1], "cell", "growing", "part"])
    def test_tables(self, con: duckdb.DuckDBPyConnection, table: str) -> None:
        load(con, table, [Column("a", "INTEGER", [1, 1, 2])])
        assert measured(con, table, qi="a", fraction=1)["tau1"] == 1
        con.execute(f'drop table "{table}"').fetchall()
