"""Who was counted, by tables of counts: against counts in Python, and where nearly nothing else is known."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sqlanon
from tests.budget import examples
from tests.oracles import membership as oracle

# Random counts may be of values that nobody has.
pytestmark = pytest.mark.filterwarnings("ignore:.* nobody understands these values")

PERSON = st.tuples(st.integers(0, 2), st.sampled_from("xy"))
MARGINALS = [["a"], ["a", "b"]]


@pytest.fixture(scope="module")
def town() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as con:
        sqlanon.register(con)
        yield con


def load(con: duckdb.DuckDBPyConnection, members: list[Any], others: list[Any], reference: list[Any]) -> None:
    con.execute("create or replace temp table asked (id int, a int, b text, out boolean)").fetchall()
    con.executemany(
        "insert into asked values (?, ?, ?, ?)",
        [(i, *row, i >= len(members)) for i, row in enumerate([*members, *others])],
    )
    con.execute("create or replace temp table reference (a int, b text)").fetchall()
    con.executemany("insert into reference values (?, ?)", reference)


def measured(con: duckdb.DuckDBPyConnection, **given: Any) -> dict[str, float]:
    arguments = {
        "releases": ["by_a", "by_both"], "targets": "asked", "id": "id", "marginals": MARGINALS,
        "count_column": "n", "controls": "out", "reference": "reference", **given,
    }  # fmt: skip
    return {row[-1]: row[1] for row in sqlanon.membership_by_counts(con, **arguments).fetchall()}


@pytest.mark.slow("1 s")
@examples(40, quick=4)
@given(
    members=st.lists(PERSON, min_size=1, max_size=8),
    others=st.lists(PERSON, min_size=1, max_size=6),
    reference=st.lists(PERSON, min_size=1, max_size=8),
    noise=st.none() | st.lists(st.integers(-2, 3), min_size=9, max_size=9),
    hidden=st.integers(0, 6),
)
def test_by_definition(
    town: duckdb.DuckDBPyConnection,
    members: list[Any],
    others: list[Any],
    reference: list[Any],
    noise: list[int] | None,
    hidden: int,
) -> None:
    load(town, members, others, reference)
    tables = []
    drawn = iter(noise or [0] * 9)
    for name, columns in (("by_a", (0,)), ("by_both", (0, 1))):
        counted = Counter(tuple(person[i] for i in columns) for person in members)
        cells = {
            key: (None if place == hidden else float(n + next(drawn)), 4.0 if noise else 0.0)
            for place, (key, n) in enumerate(sorted(counted.items()))
        }
        tables.append((columns, cells))
        named = ", ".join(["a int", "b text"][i] for i in columns)
        town.execute(f"create or replace temp table {name} ({named}, n double, deviation double)").fetchall()
        town.executemany(
            f"insert into {name} values ({', '.join('?' * (len(columns) + 2))})",
            [(*key, n, math.sqrt(variance)) for key, (n, variance) in cells.items()],
        )
    found = measured(town, **({"deviation_column": "deviation"} if noise else {}))
    people = [*members, *others]
    terms = oracle.scores(tables, people, reference, noise is not None)
    scores = [
        round(-math.fsum(known), 9) if (known := [each for each in one if each is not None]) else None
        for one in terms
    ]
    near, far = ([each for each in part if each is not None] for part in
                 (scores[: len(members)], scores[len(members) :]))  # fmt: skip
    assert (found["subjects"], found["controls"]) == (len(members), len(others))
    assert found.get("unfinished", 0) == pytest.approx(100 * scores.count(None) / len(people))
    lookups = [each for one in terms for each in one]
    assert found.get("hidden", 0) == pytest.approx(100 * lookups.count(None) / len(lookups))
    if near and far:
        assert found["area"] == pytest.approx(100 * oracle.area(near, far)[0], abs=1e-6)
        for id, alarms in (("found_1", 0.01), ("found_0_1", 0.001)):
            assert found[id] == pytest.approx(100 * oracle.found(near, far, alarms))


def test_labels_and_totals_are_read(town: duckdb.DuckDBPyConnection) -> None:
    """A range is the cell of all values in it, and a total tells nothing."""
    load(town, [(0, "x"), (1, "x")], [(2, "x")], [(0, "x"), (1, "x"), (2, "x")])
    town.execute(
        """create or replace temp table by_a as
        select unnest(['[0, 1]', '2', '*']) as a, unnest([2, 0, 2]) as n"""
    ).fetchall()
    found = measured(town, releases=["by_a"], marginals=[["a"]])
    assert (found["area"], found["found_1"]) == (100, 100)


@pytest.mark.slow("20 tables are 20 statements: 2 s")
def test_many_frequencies_tell_who_was_counted(town: duckdb.DuckDBPyConnection) -> None:
    """Homer's attack: each table says nearly nothing of anybody, all together tell members from others."""
    generator = random.Random(36)
    columns = [f"c{i}" for i in range(20)]
    town.execute(
        "create or replace temp table everybody (id int, " + ", ".join(f"{c} int" for c in columns) + ")"
    )
    town.executemany(
        f"insert into everybody values ({', '.join('?' * 21)})",
        [(i, *(generator.randrange(2) for _ in columns)) for i in range(400)],
    )
    town.execute(
        """create or replace temp table asked as select *, id >= 20 as out from everybody where id < 200;
        create or replace temp table reference as from everybody where id >= 200"""
    ).fetchall()
    for name in columns:
        town.execute(
            f"""create or replace temp table t_{name} as
            select {name}, count(*) as n from asked where not out group by 1"""
        ).fetchall()
    found = {
        row[-1]: row
        for row in sqlanon.membership_by_counts(
            town, [f"t_{name}" for name in columns], "asked", "id", [[name] for name in columns], "n", "out",
            "reference",
        ).fetchall()
    }  # fmt: skip
    assert found["area"][3] > 60


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"marginals": [["a"]]}, "there are 2 releases, and 1 in marginals"),
        ({"controls": "nobody"}, "controls: column nobody of asked must be true for some people"),
        ({"marginals": [["a"], ["c"]]}, "c"),
        ({"reference": "nothing"}, "table nothing is empty"),
        ({"releases": ["by_a", "nothing"], "marginals": [["a"], ["a"]]}, "table nothing is empty"),
    ],
)
def test_bad_input(town: duckdb.DuckDBPyConnection, change: dict[str, Any], message: str) -> None:
    load(town, [(0, "x")], [(1, "x")], [(0, "x")])
    town.execute(
        """create or replace temp table by_a as select 0 as a, 1 as n;
        create or replace temp table by_both as select 0 as a, 'x' as b, 1 as n;
        create or replace temp table nothing as select 0 as a, 'x' as b, 1 as n where false;
        alter table asked add column nobody boolean default false"""
    ).fetchall()
    with pytest.raises(sqlanon.SqlanonError, match=message):
        measured(town, **change)
