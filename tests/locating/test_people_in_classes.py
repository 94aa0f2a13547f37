"""How many people classes are that do not say whose their rows are."""

# As texts: Hypothesis keeps evaluated annotations, and DuckDB 2.0 reports its types there as leaks.
from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sqlanon
from sqlanon import InputError
from tests.budget import examples
from tests.oracles.people_in_classes import choices, rows_there

LABELS = [("[0, 9]", "*"), ("[0, 4]", "a"), ("[3, 9]", "{a, b}"), ("[5, 9]", "b")]


@pytest.fixture(scope="module")
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        sqlanon.register(connection)
        yield connection


def load(
    con: duckdb.DuckDBPyConnection,
    released: list[tuple[tuple[str, str], str]],
    original: list[tuple[tuple[int, str], str, str | None]],
) -> None:
    con.execute("create or replace table r (age varchar, zip varchar, disease varchar)")
    con.executemany("insert into r values (?, ?, ?)", [(*key, value) for key, value in released])
    con.execute("create or replace table o (age integer, zip varchar, disease varchar, who varchar)")
    con.executemany("insert into o values (?, ?, ?, ?)", [(*key, value, who) for key, value, who in original])


def asked(con: duckdb.DuckDBPyConnection, unchanged: str | None = "disease") -> dict[Any, tuple[Any, ...]]:
    rows = sqlanon.people_in_classes(
        con, "r", "o", qi=["age", "zip"], unit="who", unchanged=unchanged
    ).fetchall()
    return {(row[0]["age"], row[0]["zip"]): row[1:] for row in rows}


values = st.sampled_from(["flu", "hiv"])
released_rows = st.lists(st.tuples(st.sampled_from(LABELS), values), min_size=1, max_size=6)
people = st.sampled_from(["ann", "bob", "cy", None])
original_rows = st.lists(
    st.tuples(st.tuples(st.integers(0, 9), st.sampled_from("ab")), values, people), min_size=1, max_size=8
)


@pytest.mark.slow("1 s")
@examples(60, quick=10)
@given(released=released_rows, original=original_rows)
def test_no_choice_has_fewer_people_or_more(
    con: duckdb.DuckDBPyConnection,
    released: list[tuple[tuple[str, str], str]],
    original: list[tuple[tuple[int, str], str, str | None]],
) -> None:
    load(con, released, original)
    classes = defaultdict(list)
    for label, value in released:
        classes[label].append(value)
    found = asked(con)
    assert found.keys() == classes.keys()
    for label, held in classes.items():
        size, there, least, most, is_counted = found[label]
        numbers = [len(choice) for choice in choices(label, held, original)]
        rows = [row for value in set(held) for row in rows_there(label, value, original)]
        assert (size, there) == (len(held), len(rows))
        if not numbers:
            assert (least, most, is_counted) == (None, None, False)
            continue
        assert 1 <= least <= min(numbers) <= max(numbers) <= most <= size
        if len(set(held)) == 1:
            assert (least, most) == (min(numbers), max(numbers))
        if is_counted:
            assert (least, most) == (min(numbers), max(numbers))
            assert len(numbers) == 1


def test_rows_that_are_several_peoples(con: duckdb.DuckDBPyConnection) -> None:
    """Three rows of one person pass for three; a row that was suppressed leaves it open who is there."""
    load(
        con,
        [(("[0, 9]", "a"), "flu")] * 3,
        [((1, "a"), "flu", "ann"), ((2, "a"), "flu", "ann"), ((9, "a"), "flu", "ann")],
    )
    assert asked(con) == {("[0, 9]", "a"): (3, 3, 1, 1, True)}
    con.execute("insert into o values (5, 'a', 'flu', 'bob'), (5, 'a', 'hiv', 'cy')")
    assert asked(con) == {("[0, 9]", "a"): (3, 4, 1, 2, False)}
    assert asked(con, unchanged=None) == {("[0, 9]", "a"): (3, 5, 1, 3, False)}


def test_values_compare_by_what_they_are(con: duckdb.DuckDBPyConnection) -> None:
    con.execute("create or replace table r as select '[1, 2]' as age, '7.0' as dose from range(2)")
    con.execute("create or replace table o as select i as age, 7 as dose, i as who from range(1, 3) as t(i)")
    found = sqlanon.people_in_classes(con, "r", "o", qi="age", unit="who", unchanged="dose").fetchall()
    assert found == [({"age": "[1, 2]"}, 2, 2, 2, 2, True)]


def test_a_label_that_nobody_understands(con: duckdb.DuckDBPyConnection) -> None:
    load(con, [(("thirties", "a"), "flu")], [((31, "a"), "flu", "ann")])
    assert asked(con) == {("thirties", "a"): (1, 0, None, None, False)}


@pytest.mark.parametrize("empty", ["r", "o"])
def test_refused(con: duckdb.DuckDBPyConnection, empty: str) -> None:
    load(con, [(("[0, 9]", "a"), "flu")], [((1, "a"), "flu", "ann")])
    con.execute(f"delete from {empty}")
    with pytest.raises(InputError, match=f"table {empty} is empty"):
        asked(con)
