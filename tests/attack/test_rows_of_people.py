"""What several rows of somebody tell together: in a class of n rows, r of them theirs, they have every value
that more than n - r of the class have."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, permutations
from typing import Any

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sqlanon
from tests.budget import examples

VALUES = ("flu", "gout", None)


@pytest.fixture(scope="module")
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        sqlanon.register(connection)
        yield connection


def load(
    con: duckdb.DuckDBPyConnection, releases: Sequence[Sequence[tuple[int, Any]]],
    rows: Sequence[tuple[str | None, int]],
) -> dict[str, Any]:  # fmt: skip
    """Releases of rows of a place and a disease; rows of people: whose each is, and its place."""
    for number, told in enumerate(releases, 1):
        con.execute(f"create or replace table r{number} (place integer, disease varchar)")
        con.executemany(f"insert into r{number} values (?, ?)", [list(row) for row in told])
    con.execute("create or replace table t (id integer, person varchar, place integer)")
    con.executemany("insert into t values (?, ?, ?)", [[i, *row] for i, row in enumerate(rows)])
    return {
        "releases": [f"r{number}" for number in range(1, len(releases) + 1)], "targets": "t", "id": "id",
        "qi": "place", "sensitive": "disease", "unit": "person",
    }  # fmt: skip


def certain(con: duckdb.DuckDBPyConnection, given: dict[str, Any]) -> dict[tuple[str | None, Any], bool]:
    """Of everybody and each value: is it certain? By their rows alone or together."""
    found: dict[tuple[str | None, Any], bool] = {}
    attacked = sqlanon.intersection_attack(con, **given).project("person, candidates, certain")
    for person, candidates, together in attacked.fetchall():
        for value in VALUES:
            told = candidates == [value] or value in together
            found[person, value] = found.get((person, value), False) or told
    return found


@given(
    st.lists(st.tuples(st.integers(0, 1), st.sampled_from(VALUES)), min_size=2, max_size=7),
    st.lists(st.sampled_from(["a", "b", None]), min_size=7, max_size=7),
)
@examples(100)
def test_one_release(
    con: duckdb.DuckDBPyConnection, release: list[tuple[int, Any]], whose: list[str | None]
) -> None:
    """Each person's rows may be any of the class, each another one."""
    rows = [(person, place) for person, (place, _) in zip(whose, release, strict=False)]
    found = certain(con, load(con, [release], rows))
    for (person, value), is_certain in found.items():
        ways = []
        for place in {place for place, _ in release}:
            r = rows.count((person, place))
            told = [disease for where, disease in release if where == place]
            ways.append(all(value in chosen for chosen in combinations(told, r)) if r else False)
        assert is_certain == any(ways), (person, value)


@pytest.mark.slow("1 s")
@given(
    st.lists(
        st.tuples(st.sampled_from(["a", "b"]), st.integers(0, 1), st.integers(0, 1), st.sampled_from(VALUES)),
        min_size=2, max_size=5,
    )
)  # fmt: skip
@examples(60)
def test_two_releases(con: duckdb.DuckDBPyConnection, people: list[tuple[str, int, int, Any]]) -> None:
    """Whatever is said to be certain is so in all worlds: of each release, every row is somebody's."""
    releases = [[(one, value) for _, one, _, value in people], [(two, value) for _, _, two, value in people]]
    load(con, releases, [(person, 0) for person, *_ in people])
    con.execute("create or replace table t (id integer, person varchar, one integer, two integer)")
    rows = [[i, person, one, two] for i, (person, one, two, _) in enumerate(people)]
    con.executemany("insert into t values (?, ?, ?, ?)", rows)
    for number, column, other in ((1, "one", "two"), (2, "two", "one")):
        con.execute(f"create or replace table r{number} as select *, '*' as {other} from "
                    f"(select place::varchar as {column}, disease from r{number})")  # fmt: skip
    found = certain(
        con,
        {"releases": ["r1", "r2"], "targets": "t", "id": "id", "qi": ["one", "two"], "sensitive": "disease",
         "unit": "person"},
    )  # fmt: skip
    told = [Counter(release) for release in releases]
    worlds = [
        values
        for values in set(permutations([value for *_, value in people]))
        if Counter((one, value) for (_, one, _, _), value in zip(people, values, strict=True)) == told[0]
        and Counter((two, value) for (_, _, two, _), value in zip(people, values, strict=True)) == told[1]
    ]
    assert worlds
    for (person, value), is_certain in found.items():
        theirs = [i for i, (who, *_) in enumerate(people) if who == person]
        everywhere = all(value in [world[i] for i in theirs] for world in worlds)
        assert everywhere or not is_certain, (person, value)


RELEASE = [(0, "flu"), (0, "flu"), (0, "flu"), (0, "gout"), (0, "gout")]
ROWS = [("Ann", 0), ("Ann", 0), ("Ann", 0), ("Bob", 0), ("Cat", 0)]


@pytest.mark.slow("1 s")
def test_people_are_counted(con: duckdb.DuckDBPyConnection) -> None:
    """Two of five have gout, so one of Ann's three has flu. One of three people is certain."""
    given = load(con, [RELEASE], ROWS)
    assert certain(con, given)["Ann", "flu"]
    assert sum(certain(con, given).values()) == 1
    measures = dict(sqlanon.breaches(con, **given).project("id, value").fetchall())
    assert measures["pvp_100"] == measures["sure_99"] == pytest.approx(100 / 3)
    told = sqlanon.exact_cover(con, **given).filter("confidence = 1").project("person, learned").fetchall()
    assert set(told) == {("Ann", "flu")}


def test_more_rows_than_the_class_has(con: duckdb.DuckDBPyConnection) -> None:
    """Some of Ann's six rows are not in it, and nobody knows which: nothing is certain by their number."""
    given = load(con, [RELEASE], [("Ann", 0)] * 6)
    assert not any(certain(con, given).values())


def test_other_releases_leave_fewer_rows(con: duckdb.DuckDBPyConnection) -> None:
    """Angina is ruled out for all of Ann's: of the three rows of the class that are left one has gout."""
    wide = [(0, "flu"), (0, "flu"), (0, "gout"), (0, "angina"), (0, "angina")]
    given = load(con, [wide, [(0, "flu"), (0, "flu"), (0, "gout"), (0, "gout"), (0, "gout")]],
                 [("Ann", 0), ("Ann", 0)])  # fmt: skip
    assert certain(con, given)["Ann", "flu"]


def test_values_that_may_change_are_judged_by_each_release(con: duckdb.DuckDBPyConnection) -> None:
    given = load(con, [RELEASE, [(0, "gout"), (0, "flu"), (0, "gout"), (0, "gout")]], ROWS[:3])
    given["values_may_change"] = "disease"
    assert certain(con, given)["Ann", "flu"]
    assert certain(con, given)["Ann", "gout"]
