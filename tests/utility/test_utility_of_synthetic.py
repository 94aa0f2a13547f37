"""How alike a release and its original are, column by column and pair by pair."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sqlanon
from tests.budget import examples
from tests.oracles import synthetic as oracle

# A random release may have values that nobody has.
pytestmark = pytest.mark.filterwarnings("ignore:.* nobody understands these values")

NUMBERS = st.sampled_from([None, 1, 2, 3, 5, 8, 13])
TEXTS = st.sampled_from([None, "a", "b", "c"])
ROWS = st.lists(st.tuples(NUMBERS, TEXTS, NUMBERS), min_size=1, max_size=12)
NAMES = ["a", "b", "c"]


@pytest.fixture(scope="module")
def town() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as con:
        sqlanon.register(con)
        yield con


def load(con: duckdb.DuckDBPyConnection, **tables: list[Any]) -> None:
    for name, rows in tables.items():
        con.execute(f"create or replace temp table {name} (a integer, b text, c integer)")
        con.executemany(f"insert into {name} values (?, ?, ?)", rows)


@examples(25)
@given(own=ROWS, released=ROWS, groups=st.integers(1, 4))
def test_by_definition(
    town: duckdb.DuckDBPyConnection, own: list[Any], released: list[Any], groups: int
) -> None:
    load(town, own=own, released=released)
    found = sqlanon.utility_of_synthetic(town, "own", "released", NAMES, groups).fetchall()
    expected = oracle.compared(own, released, NAMES, {"a", "c"}, groups)
    assert [row[:2] for row in found] == [
        ("a", None), ("a", "b"), ("a", "c"), ("b", None), ("b", "c"), ("c", None),
    ]  # fmt: skip
    for one, other, *measures in found:
        for value, told in zip(measures, expected[one, other], strict=True):
            assert value == (told if told is None else pytest.approx(told, abs=1e-9))


def test_a_draw_by_the_same_shares_has_a_ratio_of_one(town: duckdb.DuckDBPyConnection) -> None:
    """On average over 40 columns; a copy has 0."""
    names = [f"c{i}" for i in range(40)]
    town.execute(
        "create or replace temp table own as select "
        + ", ".join(f"hash(i, {n}) % 6 as {n_}" for n, n_ in enumerate(names))
        + " from range(600) r(i)"
    )
    drawn = ", ".join(f"list_extract(c{n}, 1 + (hash(j, {n}, 7) % 600)::bigint) as c{n}" for n in range(40))
    town.execute(
        f"create or replace temp table released as select {drawn} from "
        f"(select {', '.join(f'list({name}) as {name}' for name in names)} from own), range(600) r(j)"
    )
    ratios = [
        ratio
        for _, other, _, ratio, *_ in sqlanon.utility_of_synthetic(town, "own", "released", names).fetchall()
        if other is None
    ]
    assert 0.8 < sum(ratios) / len(ratios) < 1.2
    copied = sqlanon.utility_of_synthetic(town, "own", "own", names[:2]).fetchall()
    assert [row[2:4] for row in copied] == [(100, 0)] * 3


def test_numbers_of_another_type_are_texts(town: duckdb.DuckDBPyConnection) -> None:
    load(town, own=[(1, "a", 1), (2, "b", 2)])
    town.execute("create or replace temp table released as select '[1, 2]' as a, 'a' as b, 1 as c")
    found = sqlanon.utility_of_synthetic(town, "own", "released", ["a", "c"]).fetchall()
    assert [(row[0], row[1], row[2], row[4]) for row in found] == [
        ("a", None, 0, None), ("a", "c", 0, None), ("c", None, 50, None),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"columns": []}, "columns names no column"),
        ({"columns": ["a", "A"]}, "named twice"),
        ({"columns": ["age"]}, "unknown column .age."),
        ({"groups": 0}, "groups must be a whole number of at least 1"),
        ({"release": "nothing"}, "table nothing is empty"),
        ({"original": "nothing"}, "table nothing is empty"),
    ],
)
def test_bad_input(town: duckdb.DuckDBPyConnection, change: dict[str, Any], message: str) -> None:
    load(town, own=[(1, "a", 1)], released=[(1, "a", 1)], nothing=[(1, "a", 1)])
    town.execute("delete from nothing")
    given = {"original": "own", "release": "released", "columns": ["a", "b"], **change}
    with pytest.raises(sqlanon.SqlanonError, match=message):
        sqlanon.utility_of_synthetic(town, **given).fetchall()
