"""Releases whose classes are unions of those of an earlier one."""

# As texts: Hypothesis keeps evaluated annotations, and DuckDB 2.0 reports its types there as leaks.
from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sqlanon
from sqlanon import InputError
from tests.budget import examples
from tests.oracles.composition import Released, left

QI = ["age", "zip"]
ROLES = "qi := ['age', 'zip'], sensitive := 'disease'"

rows = st.lists(
    st.tuples(st.integers(0, 9), st.sampled_from("abc"), st.sampled_from(["flu", "hiv", "cold", None])),
    min_size=4, max_size=20,
)  # fmt: skip


@pytest.fixture(scope="module")
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        sqlanon.register(connection)
        yield connection


@pytest.fixture
def loaded(con: duckdb.DuckDBPyConnection) -> duckdb.DuckDBPyConnection:
    """Two classes of two, flu and hiv below 30, flu and cold above."""
    con.execute(
        """create or replace table people as
            select unnest([20, 21, 30, 31]) as age, 'a' as zip,
                unnest(['flu', 'hiv', 'flu', 'cold']) as disease"""
    )
    con.execute(
        """create or replace table earlier as
            select if(age < 30, '[20, 21]', '[30, 31]') as age, zip, disease from people"""
    )
    return con


def released(con: duckdb.DuckDBPyConnection, table: str) -> Released:
    found = con.execute(f"select age, zip, disease from {table}").fetchall()
    return [((age, zip), disease) for age, zip, disease in found]


@examples(20, quick=4)
@given(table=rows, k=st.integers(2, 4), by_zip=st.booleans())
def test_unions_that_tell_nothing_more(
    con: duckdb.DuckDBPyConnection, table: list[tuple[int, str, str | None]], k: int, by_zip: bool
) -> None:
    """Of nobody more is known than from the earlier release, which was cut by zip or by age first."""
    con.execute(
        "create or replace table t (age integer, zip varchar, disease varchar, id integer)"
    ).fetchall()
    con.executemany("insert into t values (?, ?, ?, ?)", [(*row, i) for i, row in enumerate(table)])
    con.execute(
        f"create or replace table earlier as from sqlanon.mondrian('t', k := 2, keep := 'id', "
        f"qi := {QI[::-1] if by_zip else QI}, sensitive := 'disease')"
    ).fetchall()
    con.execute(
        f"create or replace table later as from sqlanon.mondrian('t', {ROLES}, keep := 'id', k := {k}, "
        "based_on := 'earlier')"
    ).fetchall()
    divided = con.execute(
        """select count(*) from (
            select earlier.age, earlier.zip from earlier join later using (id)
            group by all having count(distinct (later.age, later.zip)) > 1)"""
    ).fetchall()
    assert divided == [(0,)]
    assert con.execute("select count(*) from later").fetchall() == [(len(table),)]
    first, second = released(con, "earlier"), released(con, "later")
    own = [disease for *_, disease in table]
    for age, zip, _ in table:
        assert left([first, second], (age, zip), own) == left([first], (age, zip), own)


def test_a_release_that_comes_in_between(loaded: duckdb.DuckDBPyConnection) -> None:
    """Left to itself Mondrian cuts between 20 and 21."""
    alone = sqlanon.mondrian(loaded, "people", qi=QI, sensitive="disease", k=1)
    based = sqlanon.mondrian(loaded, "people", qi=QI, sensitive="disease", k=1, based_on="earlier")
    assert (alone.classes, based.classes) == (4, 2)
    assert based.required == {"k-anonymity": 1}
    assert based.details == {}
    assert based.parameters["based_on"] == "earlier"
    assert "composed_l" not in based.parameters


class TestRefused:
    @pytest.mark.parametrize(
        ("change", "message"),
        [
            (
                "delete from people where age = 21",
                "1 of these have other sensitive values: rows came or went",
            ),
            ("insert into people values (22, 'a', 'flu')", "1 rows of the table are in none of its classes"),
            ("insert into people values (21, 'a', 'flu')", "1 of these have other sensitive values"),
            ("update people set disease = 'hiv' where age = 30", "1 of these have other sensitive values"),
            (
                "insert into earlier values ('[20, 30]', 'a', 'flu')",
                "in several of its classes, which overlap",
            ),
            ("delete from earlier where disease = 'cold'", "1 of these have other sensitive values"),
        ],
    )
    def test_other_rows(self, loaded: duckdb.DuckDBPyConnection, change: str, message: str) -> None:
        loaded.execute(change)
        with pytest.raises(duckdb.Error, match=message):
            loaded.execute(f"from sqlanon.mondrian('people', {ROLES}, k := 2, based_on := 'earlier')")

    @pytest.mark.parametrize(
        ("more", "message"),
        [
            ({"known": ["earlier"]}, "based_on does not go with known and composed_l"),
            ({"composed_l": 2}, "based_on does not go with known and composed_l"),
            ({"relaxed": True}, "based_on does not go with relaxed"),
            ({"k_map": 2, "population": "people"}, "based_on does not go with k_map"),
            ({"unit": "zip", "qi": ["age"]}, "unit does not go with"),
        ],
    )
    def test_by_name(self, loaded: duckdb.DuckDBPyConnection, more: dict[str, Any], message: str) -> None:
        given = {"qi": QI, "sensitive": "disease", "k": 2, "based_on": "earlier", **more}
        with pytest.raises(InputError, match=message):
            sqlanon.mondrian(loaded, "people", **given)
