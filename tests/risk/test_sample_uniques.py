"""Minimal sample uniques and SUDA scores against the slow ones, and the example of the practice guide."""

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
from tests.oracles import as_text, canonical
from tests.oracles import risk as oracle
from tests.tables import Column, columns, load, rows

few = examples(15)
fewer = examples(6)

TYPES = ["INTEGER", "DOUBLE", "VARCHAR", "BOOLEAN", "DATE", "ENUM ('small', 'medium', 'large')"]

# Introduction to Statistical Disclosure Control (Templ, Meindl, Kowarik and Chen 2014; Benschop et al.),
# section on SUDA
GUIDE = [
    ("Urban", "Female", "Secondary incomplete", "Employed"),
    ("Urban", "Female", "Secondary incomplete", "Employed"),
    ("Urban", "Female", "Primary incomplete", "Non-LF"),
    ("Urban", "Male", "Secondary complete", "Employed"),
    ("Rural", "Female", "Secondary complete", "Unemployed"),
    ("Urban", "Male", "Secondary complete", "Employed"),
    ("Urban", "Female", "Primary complete", "Non-LF"),
    ("Urban", "Male", "Post-secondary", "Unemployed"),
    ("Urban", "Female", "Secondary incomplete", "Non-LF"),
    ("Urban", "Female", "Secondary incomplete", "Non-LF"),
]
GUIDE_COLUMNS = ["residence", "gender", "education level", "labor status"]


@pytest.fixture(scope="module")
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        sqlanon.register(connection)
        connection.execute(
            "create table people as select range as id, range % 3 as age, range % 2 as zip from range(9)"
        ).fetchall()
        connection.execute("create table nobody as from people where false").fetchall()
        guide = [Column(name, "VARCHAR", [row[i] for row in GUIDE]) for i, name in enumerate(GUIDE_COLUMNS)]
        load(connection, "guide", guide)
        yield connection


@st.composite
def tables(draw: st.DrawFn) -> list[Column]:
    n = draw(st.integers(1, 12))
    return [
        draw(columns(f"q {i}", n, TYPES, draw(st.integers(1, 5)))) for i in range(draw(st.integers(1, 4)))
    ]


def table_of(columns: Sequence[Column]) -> list[tuple[Any, ...]]:
    return list(zip(*(c.values for c in columns), strict=True))


def found_sets(found: list[tuple[Any, ...]], table: Sequence[Column]) -> list[set[tuple[int, ...]]]:
    """Per row the sets that were found, as positions. Each has its size and the values of the row."""
    names = [c.name for c in table]
    sets: list[set[tuple[int, ...]]] = [set() for _ in table[0].values]
    for id, chosen, size, values in found:
        members = tuple(names.index(name) for name in chosen)
        assert size == len(members)
        assert values == [as_text(canonical(table[member].values[id])) for member in members]
        assert members not in sets[id]
        sets[id].add(members)
    return sets


class TestAgainstTheOracle:
    @few
    @given(tables(), st.integers(1, 4))
    def test_minimal_uniques(
        self, con: duckdb.DuckDBPyConnection, table: list[Column], max_size: int
    ) -> None:
        load(con, "t", table)
        names = [c.name for c in table]
        result = rows(con, "minimal_uniques", "t", columns=names, id="id", max_size=max_size)
        assert found_sets(result, table) == oracle.minimal_uniques(table_of(table), max_size)
        without_id = rows(con, "minimal_uniques", "t", columns=names, max_size=max_size)
        assert sorted(map(repr, without_id)) == sorted(repr(row[1:]) for row in result)

    @few
    @given(tables(), st.integers(1, 4), st.sampled_from([0.01, 0.1, 0.5]))
    def test_suda(
        self, con: duckdb.DuckDBPyConnection, table: list[Column], max_size: int, fraction: float
    ) -> None:
        load(con, "t", table)
        result = sorted(
            rows(
                con,
                "suda",
                "t",
                columns=[c.name for c in table],
                id="id",
                max_size=max_size,
                fraction=fraction,
            )
        )
        raw = table_of(table)
        scores = oracle.suda_scores(raw, max_size)
        assert [row[0] for row in result] == list(range(len(raw)))
        assert [row[1] for row in result] == [
            sum(oracle.key(row) == oracle.key(other) for other in raw) for row in raw
        ]
        assert [row[2] for row in result] == [len(sets) for sets in oracle.minimal_uniques(raw, max_size)]
        assert [row[3] for row in result] == scores
        assert [row[4] for row in result] == pytest.approx(oracle.dis_suda(raw, scores, fraction), rel=1e-9)

    @fewer
    @given(tables())
    def test_python_gives_the_same_rows(self, con: duckdb.DuckDBPyConnection, table: list[Column]) -> None:
        load(con, "t", table)
        names = [c.name for c in table]
        arguments: dict[str, Any] = {"columns": names, "id": "id", "max_size": 2}
        wanted = rows(con, "minimal_uniques", "t", **arguments)
        assert sqlanon.minimal_uniques(con, con.table("t"), **arguments).fetchall() == wanted
        scored = rows(con, "suda", "t", **arguments, fraction=0.1)
        assert sqlanon.suda(con, "t", **arguments, fraction=0.1).fetchall() == scored


class TestMissingValues:
    """NULL is a value: a record is told from others by lacking one,
    and no record is left out because it lacks one.
    """

    def test_the_only_one_that_lacks_it(self, con: duckdb.DuckDBPyConnection) -> None:
        con.execute(
            "create or replace table t as select * from (values (1, 'a', 'x'), (2, 'a', 'x'), "
            "(3, null, 'x')) v(id, a, b)"
        ).fetchall()
        assert rows(con, "minimal_uniques", "t", columns=["a", "b"], id="id") == [(3, ["a"], 1, [None])]
        assert [row[:4] for row in rows(con, "suda", "t", columns=["a", "b"], id="id")] == [
            (3, 1, 1, 1), (1, 2, 0, 0), (2, 2, 0, 0)
        ]  # fmt: skip

    def test_two_that_lack_it_are_alike(self, con: duckdb.DuckDBPyConnection) -> None:
        con.execute(
            "create or replace table t as select * from (values (1, null), (2, null), (3, 'a')) v(id, a)"
        ).fetchall()
        assert rows(con, "minimal_uniques", "t", columns="a", id="id") == [(3, ["a"], 1, ["a"])]

    def test_a_column_of_nothing_else(self, con: duckdb.DuckDBPyConnection) -> None:
        con.execute(
            "create or replace table t as select range as id, null::varchar as a, 'c' as b, "
            "range % 2 as c from range(3)"
        ).fetchall()
        result = rows(con, "minimal_uniques", "t", columns=["a", "b", "c"], id="id")
        assert result == [(1, ["c"], 1, ["1"])]


class TestPublished:
    def test_scores_of_the_guide(self, con: duckdb.DuckDBPyConnection) -> None:
        result = sorted(rows(con, "suda", "guide", columns=GUIDE_COLUMNS, id="id", max_size=3))
        assert [row[3] for row in result] == [0, 0, 6, 0, 12, 0, 6, 10, 0, 0]
        assert [row[1] for row in result] == [2, 2, 1, 2, 1, 2, 1, 1, 2, 2]
        assert {row[4] for row in result} == {None}
        whole = sorted(rows(con, "suda", "guide", columns=GUIDE_COLUMNS, id="id", max_size=4))
        assert [row[3] for row in whole] == [row[3] for row in result]

    def test_minimal_uniques_of_its_fifth_record(self, con: duckdb.DuckDBPyConnection) -> None:
        result = rows(con, "minimal_uniques", "guide", columns=GUIDE_COLUMNS, id="id")
        assert [(chosen, values) for id, chosen, _, values in result if id == 4] == [
            (["residence"], ["Rural"]),
            (["education level", "labor status"], ["Secondary complete", "Unemployed"]),
            (["gender", "education level"], ["Female", "Secondary complete"]),
            (["gender", "labor status"], ["Female", "Unemployed"]),
        ]

    def test_how_scores_become_dis_suda(self) -> None:
        """The guide's own probabilities are of scores that weigh minimal uniques otherwise (1.75,
        0.5 and 0.25 by size).
        """
        weight = {1: 1.75, 2: 0.5, 3: 0.25}
        scores = [sum(weight[len(members)] for members in sets) for sets in oracle.minimal_uniques(GUIDE, 3)]
        result = oracle.dis_suda(GUIDE, scores, 0.01)
        assert [round(value, 4) for value in result] == [0, 0, 0.0051, 0, 0.0107, 0, 0.0051, 0.0088, 0, 0]

    @data.needs_arx
    def test_adult(self, con: duckdb.DuckDBPyConnection) -> None:
        """Of all sizes: every unique record has a minimal unique, and no other record has."""
        data.load_arx_adult(con, "adult")
        qi = ["sex", "age", "race", "marital-status", "education", "native-country", "workclass"]
        scored = rows(con, "suda", "adult", columns=qi, id="id", max_size=7)
        assert len(scored) == 30162
        assert sum(row[1] == 1 for row in scored) == 7653
        assert all((row[1] == 1) == (row[2] > 0) == (row[3] > 0) for row in scored)


class TestBadInput:
    @pytest.mark.parametrize("macro", ["minimal_uniques", "suda"])
    def test_parameters(self, con: duckdb.DuckDBPyConnection, macro: str) -> None:
        def message(table: str = "people", columns: Any = "age", id: str = "id", **more: Any) -> str:
            return refused(con, macro, table, columns=columns, id=id, **more)

        for size in (0, -1, 1.5):
            assert f"max_size must be a whole number of at least 1, not {size}" in message(max_size=size)
        assert "table nobody is empty" in message("nobody")
        assert '"agee"' in message(columns=["zip", "agee"])
        assert '"idd"' in message(id="idd")
        assert 'column "AGE" is named twice' in message(columns=["age", "AGE"])
        assert 'column "id" is named twice' in message(columns=["age", "id"])
        assert "columns names no column" in message(columns=[])
        assert "a column name is NULL in columns" in message(columns=["age", None])

    def test_of_suda(self, con: duckdb.DuckDBPyConnection) -> None:
        assert "fraction must be above 0 and below 1, not 1" in refused(
            con, "suda", "people", columns="age", id="id", fraction=1
        )
        many = [f"c{i}" for i in range(28)]
        assert "suda takes up to 27 columns, not 28" in refused(con, "suda", "people", columns=many, id="id")

    def test_one_row(self, con: duckdb.DuckDBPyConnection) -> None:
        """It is unique by any column."""
        con.execute("create or replace table t as select 1 as id, 'a' as a, null::date as b").fetchall()
        assert rows(con, "minimal_uniques", "t", columns=["a", "b"], id="id") == [
            (1, ["a"], 1, ["a"]), (1, ["b"], 1, [None])
        ]  # fmt: skip


class TestHostile:
    @pytest.mark.slow("38 cases", but=(0, 11, 22, 33))
    @pytest.mark.parametrize("name", [*NAMES, "columns", "unique_values", "score", "members", "combination"])
    def test_names(self, con: duckdb.DuckDBPyConnection, name: str) -> None:
        """As a column, and as the id."""
        load(con, "hostile", [Column(name, "INTEGER", [1, 1, None])])
        assert rows(con, "minimal_uniques", "hostile", columns=name, id="id") == [(2, [name], 1, [None])]
        assert rows(con, "minimal_uniques", "hostile", columns="id", id=name)[2] == (None, ["id"], 1, ["2"])
        assert [row[3] for row in rows(con, "suda", "hostile", columns="id", id=name)] == [1, 1, 1]

    @pytest.mark.parametrize("table", [*TABLES, "by_set", "scored", "coded"])
    def test_tables(self, con: duckdb.DuckDBPyConnection, table: str) -> None:
        load(con, table, [Column("a", "INTEGER", [1, 1, None])])
        assert rows(con, "minimal_uniques", table, columns="a", id="id") == [(2, ["a"], 1, [None])]
        assert [row[0] for row in rows(con, "suda", table, columns="a", id="id")] == [2, 0, 1]
        con.execute(f'drop table "{table}"').fetchall()
