"""Who was in a release, by distance: against every pair, and on Adult."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sqlanon
from tests.attack.test_nearest_linkage import ROW
from tests.budget import examples
from tests.data import needs_data
from tests.oracles import membership as oracle
from tests.oracles import nearest_rows

# A random release may have values that nobody has.
pytestmark = pytest.mark.filterwarnings("ignore:.* nobody understands these values")


@pytest.fixture(scope="module")
def town() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as con:
        sqlanon.register(con)
        yield con


def measured(
    con: duckdb.DuckDBPyConnection, release: str, known: list[str]
) -> dict[str, tuple[float, float, float]]:
    found = sqlanon.membership(con, release, "asked", "id", known, controls="out").fetchall()
    return {id: (value, low, high) for _, value, _, low, high, id in found}


@examples(25)
@given(
    members=st.lists(ROW, min_size=1, max_size=6),
    others=st.lists(ROW, min_size=1, max_size=6),
    release=st.lists(ROW, min_size=1, max_size=6),
)
def test_against_every_pair(
    town: duckdb.DuckDBPyConnection, members: list[Any], others: list[Any], release: list[Any]
) -> None:
    town.execute("create or replace temp table asked (id int, a int, b text, c int, d text, out boolean)")
    people = [*((*row, None) for row in members), *((*row, True) for row in others)]
    town.executemany(
        "insert into asked values (?, ?, ?, ?, ?, ?)", [(i, *row) for i, row in enumerate(people)]
    )
    town.execute("create or replace temp table answered (a int, b text, c int, d text)")
    town.executemany("insert into answered values (?, ?, ?, ?)", release)
    found = measured(town, "answered", ["a", "b", "c", "d"])
    nearest = nearest_rows.nearest([*members, *others], release)
    has_unique_rows = any(release.count(row) == 1 for row in release)
    distances = [(least, len(rows) if has_unique_rows else 0) for least, rows in nearest]
    near, far = distances[: len(members)], distances[len(members) :]
    assert (found["subjects"][0], found["controls"][0]) == (len(members), len(others))
    area, error = oracle.area(near, far)
    assert found["area"][0] == pytest.approx(100 * area)
    assert found["area"][1] == pytest.approx(100 * max(area - 1.959963984540054 * error, 0), abs=1e-6)
    assert found["area"][2] == pytest.approx(100 * min(area + 1.959963984540054 * error, 1), abs=1e-6)
    for id, alarms in (("found_1", 0.01), ("found_0_1", 0.001)):
        assert found[id][0] == pytest.approx(100 * oracle.found(near, far, alarms))


def test_who_could_not_be_compared_is_told(town: duckdb.DuckDBPyConnection) -> None:
    town.execute(
        "create or replace temp table several as select i as id, i % 5 as a, i > 9 as out from range(20) r(i)"
    )
    found = {row[-1]: row[1] for row in sqlanon.membership(
        town, "several", "several", "id", "a", controls="out", comparisons=7
    ).fetchall()}  # fmt: skip
    assert found["unfinished"] > 0


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"columns": []}, "columns names no column"),
        ({"controls": "nobody"}, "controls: column nobody of people must be true for some people"),
        ({"columns": ["a", "out"]}, 'column "out" is named twice'),
        ({"controls": "perhaps"}, "controls must name a column of true and false"),
    ],
)
def test_bad_input(town: duckdb.DuckDBPyConnection, change: dict[str, Any], message: str) -> None:
    town.execute(
        """create or replace temp table people as
        select 1 as id, 2 as a, true as out, false as nobody, 'perhaps' as perhaps"""
    )
    given: dict[str, Any] = {
        "release": "people", "targets": "people", "id": "id", "columns": "a", "controls": "out"
    }  # fmt: skip
    with pytest.raises(sqlanon.SqlanonError, match=message):
        sqlanon.membership(town, **{**given, **change})


@pytest.mark.slow("1 s")
@needs_data
def test_adult_with_people_held_out(con: duckdb.DuckDBPyConnection) -> None:
    """A copy tells members from others; a release of other people does not."""
    from tests.data import ADULT_QI, load_adult

    load_adult(con, "adult")
    con.execute(
        """create temp table asked as select *, id % 2 = 0 as out from adult where id <= 6000;
        create temp table copy as from asked where not out;
        create temp table others as from adult where id > 6000 and id <= 9000"""
    ).fetchall()
    known = [*ADULT_QI, "occupation"]
    assert measured(con, "copy", known)["area"][1] > 80
    _, low, high = measured(con, "others", known)["area"]
    assert low <= 50 <= high
