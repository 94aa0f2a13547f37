"""How near released rows are to their original and to others: against every pair, and on Adult."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sqlanon
from tests.budget import examples
from tests.data import needs_data
from tests.oracles import closest_records as oracle

# A random release may have values that nobody has.
pytestmark = pytest.mark.filterwarnings("ignore:.* nobody understands these values")

NUMBERS = st.sampled_from([None, 1, 2, 4, 7])
TEXTS = st.sampled_from([None, "a", "b", "*", "[1, 2]"])
ROWS = st.lists(st.tuples(NUMBERS, TEXTS, NUMBERS), min_size=1, max_size=6)


@pytest.fixture(scope="module")
def town() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as con:
        sqlanon.register(con)
        yield con


def load(con: duckdb.DuckDBPyConnection, **tables: list[Any]) -> None:
    for name, rows in tables.items():
        con.execute(f"create or replace temp table {name} (a integer, b text, c integer)")
        con.executemany(f"insert into {name} values (?, ?, ?)", rows)


def measured(
    con: duckdb.DuckDBPyConnection, release: str, original: str, held_out: str, **more: Any
) -> dict[str, Any]:
    columns = more.pop("columns", ["a", "b", "c"])
    answer = sqlanon.closest_records(con, release, original, held_out, columns, **more)
    return {row[-1]: row for row in answer.fetchall()}


@examples(25)
@given(release=ROWS, original=ROWS, held_out=ROWS)
def test_against_every_pair(
    town: duckdb.DuckDBPyConnection, release: list[Any], original: list[Any], held_out: list[Any]
) -> None:
    # what looks like a label is one, unless the original has it
    release = [
        row if row in original or row[1] in (None, "a", "b") else (row[0], "a", row[2]) for row in release
    ]
    load(town, released=release, original=original, others=held_out)
    found = measured(town, "released", "original", "others")
    assert {id: row[1] for id, row in found.items()} == pytest.approx(
        oracle.measures(release, original, held_out)
    )


def test_labels_are_refused(town: duckdb.DuckDBPyConnection) -> None:
    """They would be far from everything, as if they told nothing."""
    load(town, original=[(1, "a", 1)], others=[(2, "a", 1)])
    town.execute("create or replace temp table released as select '[1, 2]' as a, 'a' as b, 1 as c")
    with pytest.raises(
        sqlanon.SqlanonError,
        match=r"column a of released has labels, such as \[1, 2\]: closest_records compares",
    ):
        measured(town, "released", "original", "others")


def test_what_was_not_compared_is_told(town: duckdb.DuckDBPyConnection) -> None:
    town.execute(
        "create or replace temp table many as select i % 7 as a, i::text as b, i as c from range(40) r(i)"
    )
    found = measured(town, "many", "many", "many", comparisons=50)
    assert found["unfinished"][1] > 0
    assert "distance" not in found or found["unfinished"][1] < 100


@pytest.mark.parametrize(
    ("tables", "columns", "message"),
    [
        (("released", "original", "others"), [], "columns names no column"),
        (("released", "original", "others"), ["a", "A"], "named twice"),
        (("nothing", "original", "others"), ["a"], "table nothing is empty"),
        (("released", "nothing", "others"), ["a"], "table nothing is empty"),
        (("released", "original", "nothing"), ["a"], "table nothing is empty"),
        (("released", "original", "others"), ["age"], "unknown column .age."),
    ],
)
def test_bad_input(
    town: duckdb.DuckDBPyConnection, tables: tuple[str, str, str], columns: list[str], message: str
) -> None:
    load(town, released=[(1, "a", 1)], original=[(1, "a", 1)], others=[(2, "a", 1)], nothing=[(1, "a", 1)])
    town.execute("delete from nothing")
    with pytest.raises(sqlanon.SqlanonError, match=message):
        measured(town, *tables, columns=columns)


@pytest.mark.slow("1 s")
@needs_data
def test_adult(con: duckdb.DuckDBPyConnection) -> None:
    """A copy is nearer to its original; other people are as near to both."""
    from tests.data import ADULT_QI, load_adult

    load_adult(con, "adult")
    con.execute(
        """create temp table original as from adult where id <= 3000 and id % 2 = 0;
        create temp table held_out as from adult where id <= 3000 and id % 2 = 1;
        create temp table others as from adult where id > 3000 and id <= 4500"""
    ).fetchall()
    columns = [*ADULT_QI, "occupation"]
    copied = measured(con, "original", "original", "held_out", columns=columns)
    assert copied["copies"][1] == 100
    assert copied["closer"][3] > 90
    _, _, _, low, high, _ = measured(con, "others", "original", "held_out", columns=columns)["closer"]
    assert low < 50 < high
