"""The search for quasi-identifiers against the slow one, and what is said of a table from a sample."""

# As texts: Hypothesis keeps evaluated annotations, and DuckDB 2.0 reports its types there as leaks.
from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sqlanon
from tests import data
from tests.budget import examples
from tests.core.test_bad_input import NAMES, TABLES, refused
from tests.oracles import risk as oracle
from tests.tables import DOMAINS, Column, columns, load, rows

few = examples(20)
fewer = examples(8)

FIVE = [(20, "F", "CA"), (30, "F", "CA"), (40, "F", "TX"), (20, "M", "NY"), (40, "M", "CA")]


@pytest.fixture(scope="module")
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        sqlanon.register(connection)
        connection.execute("create table five (age integer, sex varchar, state varchar)").fetchall()
        connection.executemany("insert into five values (?, ?, ?)", FIVE)
        connection.execute("create table nobody as from five where false").fetchall()
        # distinction and separation of the columns are known: 4 of 20,000 and 3/4; 500 and 1 - 1/500; ...
        connection.execute(
            """create table many as
            select range % 4 as few, range % 500 as some, range // 2 as pairs, range as each
            from range(20000)"""
        ).fetchall()
        yield connection


@st.composite
def tables(draw: st.DrawFn) -> list[Column]:
    n = draw(st.integers(1, 12))
    types = list(DOMAINS)
    return [
        draw(columns(f"q {i}", n, types, draw(st.integers(1, 6)))) for i in range(draw(st.integers(1, 4)))
    ]


def table_of(columns: Sequence[Column]) -> list[tuple[Any, ...]]:
    return list(zip(*(c.values for c in columns), strict=True))


class TestAgainstTheOracle:
    @pytest.mark.both_lines
    @few
    @given(tables(), st.integers(1, 5))
    def test_random_tables(self, con: duckdb.DuckDBPyConnection, table: list[Column], max_size: int) -> None:
        load(con, "t", table)
        names = [c.name for c in table]
        result = rows(con, "quasi_identifiers", "t", columns=names, max_size=max_size)
        raw = table_of(table)
        wanted = []
        for members in oracle.sets(len(table), min(max_size, len(table))):
            combinations, separation = oracle.separation(raw, members)
            chosen = [names[member] for member in members]
            wanted.append((chosen, len(members), combinations, combinations / len(raw), separation))
        assert sorted(row[:4] for row in result) == sorted(row[:4] for row in wanted)
        separations = {tuple(row[0]): row[4] for row in wanted}
        assert [row[4] for row in result] == pytest.approx([separations[tuple(row[0])] for row in result])
        assert result == sorted(result, key=lambda row: (row[1], -row[4], -row[3], row[0]))

    @fewer
    @given(tables())
    def test_no_columns_are_all_columns(self, con: duckdb.DuckDBPyConnection, table: list[Column]) -> None:
        load(con, "t", table)
        named = rows(con, "quasi_identifiers", "t", columns=[*(c.name for c in table), "id"], max_size=2)
        assert rows(con, "quasi_identifiers", "t", max_size=2) == named
        assert sqlanon.quasi_identifiers(con, con.table("t"), max_size=2).fetchall() == named

    @fewer
    @given(tables())
    def test_a_sample_of_all_rows_is_the_table(
        self, con: duckdb.DuckDBPyConnection, table: list[Column]
    ) -> None:
        load(con, "t", table)
        whole = rows(con, "quasi_identifiers", "t")
        for row, exact in zip(rows(con, "quasi_identifiers", "t", sample=100), whole, strict=True):
            assert row[:5] == exact
            assert row[5:] == (row[3], row[3], row[4], row[4])


class TestExamples:
    @pytest.mark.both_lines
    def test_five_rows(self, con: duckdb.DuckDBPyConnection) -> None:
        result = {tuple(row[0]): row[3:] for row in rows(con, "quasi_identifiers", "five")}
        assert result == {
            ("sex",): (0.4, 0.6),
            ("state",): (0.6, pytest.approx(0.7)),
            ("age",): (0.6, 0.8),
            ("sex", "state"): (0.8, 0.9),
            ("age", "sex"): (1, 1),
            ("age", "state"): (1, 1),
            ("age", "sex", "state"): (1, 1),
        }

    def test_one_row(self, con: duckdb.DuckDBPyConnection) -> None:
        """There is nobody to tell it from."""
        con.execute("create or replace table one as select 1 as a, null as b").fetchall()
        assert [row[3:] for row in rows(con, "quasi_identifiers", "one")] == [(1, 1)] * 3

    def test_columns_that_tell_nothing(self, con: duckdb.DuckDBPyConnection) -> None:
        con.execute(
            "create or replace table t as select 'c' as constant, null::date as missing from range(4)"
        ).fetchall()
        assert [row[2:] for row in rows(con, "quasi_identifiers", "t")] == [(1, 0.25, 0)] * 3

    def test_equal_numbers_are_equal(self, con: duckdb.DuckDBPyConnection) -> None:
        """Whatever they look like: as in GROUP BY."""
        con.execute(
            "create or replace table t as select unnest([0.0, -0.0, 1]::double[]) as a, "
            "unnest([interval 1 month, interval 30 days, interval 1 day]) as b"
        ).fetchall()
        assert [row[2] for row in rows(con, "quasi_identifiers", "t", max_size=1)] == [2, 2]

    @data.needs_arx
    def test_adult(self, con: duckdb.DuckDBPyConnection) -> None:
        data.load_arx_adult(con, "adult")
        qi = ["sex", "age", "race", "marital-status", "education", "native-country", "workclass"]
        result = rows(con, "quasi_identifiers", "adult", columns=qi, max_size=7)
        assert len(result) == 127
        assert result[-1][2:4] == (11089, 0.36764803395000334)
        sizes = con.execute(
            "select sum(n * (n - 1)) from (select count(*) as n from adult group by sex, age)"
        ).fetchall()
        [pair] = [row for row in result if row[0] == ["sex", "age"]]
        assert pair[4] == pytest.approx(1 - float(sizes[0][0]) / (30162 * 30161), rel=1e-12)


class TestSample:
    def test_the_ranges_hold(self, con: duckdb.DuckDBPyConnection) -> None:
        """All of them, for 19 of 20 seeds at least; these bounds are wide, so for all of some."""
        exact = {tuple(row[0]): row[3:] for row in rows(con, "quasi_identifiers", "many", max_size=2)}
        for seed in range(5):
            for row in rows(con, "quasi_identifiers", "many", max_size=2, sample=500, seed=seed):
                distinction, separation = exact[tuple(row[0])]
                assert row[5] <= distinction <= row[6]
                assert row[7] <= separation <= row[8]
                assert row[5] == row[2] / 20000
                assert row[3] == row[2] / 500
                assert 0 <= row[7] <= row[4] <= row[8] <= 1

    def test_they_get_narrow(self, con: duckdb.DuckDBPyConnection) -> None:
        [row] = rows(con, "quasi_identifiers", "many", columns="few", sample=10000)
        assert row[8] - row[7] < 0.08
        assert row[6] - row[5] < 0.02
        assert row[4] == pytest.approx(0.75, abs=0.001)

    def test_a_seed_gives_the_same_sample(self, con: duckdb.DuckDBPyConnection) -> None:
        first = rows(con, "quasi_identifiers", "many", sample=300, seed=3)
        con.execute("set threads = 1").fetchall()
        assert rows(con, "quasi_identifiers", "many", sample=300, seed=3) == first
        con.execute("reset threads").fetchall()
        assert rows(con, "quasi_identifiers", "many", sample=300, seed=4) != first
        assert sqlanon.quasi_identifiers(con, "many", sample=300, seed=3).fetchall() == first

    def test_rows_that_are_alike_are_drawn_one_by_one(self, con: duckdb.DuckDBPyConnection) -> None:
        con.execute("create or replace table t as select range < 500 as a from range(1000)").fetchall()
        separations = {rows(con, "quasi_identifiers", "t", sample=10, seed=seed)[0][4] for seed in range(8)}
        assert len(separations) > 1


class TestBadInput:
    def test_parameters(self, con: duckdb.DuckDBPyConnection) -> None:
        def message(table: str = "five", **arguments: Any) -> str:
            return refused(con, "quasi_identifiers", table, **arguments)

        for parameter in ("max_size", "sample"):
            for value in (0, -1, 1.5):
                wanted = f"{parameter} must be a whole number of at least 1, not {value}"
                assert wanted in refused(con, "quasi_identifiers", "five", **{parameter: value})
        assert "table nobody is empty" in message("nobody")
        assert "table nobody is empty" in message("nobody", columns="age", sample=5)
        assert '"agee"' in message(columns=["sex", "agee"])
        assert 'column "AGE" is named twice' in message(columns=["age", "AGE"])
        assert "columns names no column" in message(columns=[])
        assert "nowhere" in message("nowhere")


class TestHostile:
    @pytest.mark.slow("78 cases", but=(0, 11, 22, 33))
    @pytest.mark.parametrize("name", [*NAMES, "columns", "number", "members", "rows", "names", "tuple_id"])
    @pytest.mark.parametrize("named", [True, False])
    def test_names(self, con: duckdb.DuckDBPyConnection, name: str, named: bool) -> None:
        load(con, "hostile", [Column(name, "INTEGER", [1, 1, None])])
        result = rows(con, "quasi_identifiers", "hostile", columns=[name, "id"] if named else None, sample=3)
        assert [row[:3] for row in result] == [(["id"], 1, 3), ([name], 1, 2), ([name, "id"], 2, 3)]

    @pytest.mark.parametrize("table", [*TABLES, "name", "whole", "open", "wider"])
    def test_tables(self, con: duckdb.DuckDBPyConnection, table: str) -> None:
        load(con, table, [Column("a", "INTEGER", [1, 1, None])])
        assert [row[2] for row in rows(con, "quasi_identifiers", table)] == [3, 2, 3]
        con.execute(f'drop table "{table}"').fetchall()
