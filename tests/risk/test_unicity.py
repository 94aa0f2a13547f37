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


@pytest.mark.slow("1 s")
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
    ("points", "risk"),
    [
        (["A", "B"], 1 / 4), (["A", "D"], 1 / 3), (["A 3", "B 3"], 1), (["A February", "B February"], 1 / 4),
    ],
)  # fmt: skip
def test_the_table_of_scikit_mobility(
    town: duckdb.DuckDBPyConnection, points: list[str], risk: float
) -> None:
    """20 places of six people, with days: what its own tests say of points that the first of them has."""
    visits = ["A3 B3 C3 D4", "A3 C3 A4 B4", "B3 C3 A4 D4", "C4 B4 D4", "C4 D4 A5", "A4 B4"]
    town.execute("create or replace temp table visits (name int, place text)")
    spelled = {1: "{0}", 3: "{0} {1}", 10: "{0} February"}[len(points[0])]
    town.executemany(
        "insert into visits values (?, ?)",
        [(name, spelled.format(*visit)) for name, trail in enumerate(visits, 1) for visit in trail.split()],
    )
    town.execute(
        "create or replace temp table holding as from sqlanon._points_of_people('visits', 'name', ['place'])"
    )
    town.execute(
        """create or replace temp table drawn as
        with place as (select distinct point, place from holding join (
            select place, row_number() over (order by place) as point from (select distinct place from visits)
        ) using (point))
        select 2 as known, 1 as person, point, count(*) as n
        from holding join place using (point) where place in (select unnest(?)) group by point""",
        [points],
    )
    [(_, _, known, others)] = town.execute("from sqlanon._others_with_points('drawn', 'holding')").fetchall()
    assert known == 2
    assert 1 / (1 + others) == risk


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
