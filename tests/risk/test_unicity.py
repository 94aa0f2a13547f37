"""Unicity: who is known by a few rows; between the least and the most that any choice of points gives."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterator
from typing import Any

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sqlanon
from tests.budget import examples
from tests.oracles import unicity as oracle


@pytest.fixture(scope="module")
def town() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as con:
        sqlanon.register(con)
        yield con


VISITS = st.lists(
    st.tuples(
        st.sampled_from(["ann", "bob", "cat", "dan", None]), st.sampled_from(["a", "b", "c", "d", None])
    ),
    min_size=1,
    max_size=14,
)


@pytest.mark.both_lines
@examples(40)
@given(visits=VISITS, seed=st.integers(1, 5))
def test_between_what_choices_of_points_give(
    town: duckdb.DuckDBPyConnection, visits: list[Any], seed: int
) -> None:
    """Exactly where everybody's points are all known, or all choices agree."""
    town.execute("create or replace temp table visits (name text, place text)")
    town.executemany("insert into visits values (?, ?)", visits)
    found = sqlanon.unicity(town, "visits", "name", "place", points=[1, 2, 6], seed=seed).fetchall()
    assert [row[0] for row in found] == [1, 2, 6]
    assert [row[3] for row in found] == sorted(row[3] for row in found)
    for points, people, fewer, share, low, high in found:
        wanted = oracle.shares(visits, points)
        assert (people, fewer) == (len(wanted), sum(n < points for _, n in wanted))
        assert sum(math.floor(one) for one, _ in wanted) / people - 1e-9 <= share
        assert share <= sum(math.ceil(one) for one, _ in wanted) / people + 1e-9
        assert low <= share <= high


@pytest.mark.both_lines
def test_on_average_as_all_choices(town: duckdb.DuckDBPyConnection) -> None:
    visits = [
        ("ann", "a"),
        ("ann", "b"),
        ("ann", "c"),
        ("bob", "a"),
        ("bob", "b"),
        ("cat", "b"),
        ("cat", "d"),
    ]
    town.execute("create or replace temp table visits (name text, place text)")
    town.executemany("insert into visits values (?, ?)", visits)
    found = [
        sqlanon.unicity(town, "visits", "name", "place", points=[1], seed=seed).fetchall()[0][3]
        for seed in range(60)
    ]
    wanted = statistics.fmean(one for one, _ in oracle.shares(visits, 1))
    assert statistics.fmean(found) == pytest.approx(wanted, abs=0.12)
    few = sqlanon.unicity(town, "visits", "name", "place", sample=2).fetchall()
    assert {row[1] for row in few} == {2}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"columns": []}, "columns names no column"),
        ({"columns": ["place", "name"]}, 'column "name" is named twice'),
        ({"points": []}, "points is empty"),
        ({"points": [0]}, "points must be a whole number of at least 1, not 0"),
        ({"sample": 0}, "sample must be a whole number of at least 1, not 0"),
        ({"tbl": "nobody"}, "nobody is empty"),
    ],
)
def test_bad_input(town: duckdb.DuckDBPyConnection, change: dict[str, Any], message: str) -> None:
    town.execute("create or replace temp table visits as select 'ann' as name, 'a' as place")
    town.execute("create or replace temp table nobody as from visits where false")
    given: dict[str, Any] = {"tbl": "visits", "unit": "name", "columns": "place", **change}
    with pytest.raises(sqlanon.SqlanonError, match=message):
        sqlanon.unicity(town, given.pop("tbl"), **given)
