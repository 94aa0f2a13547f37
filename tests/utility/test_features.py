"""Releases as numbers for models."""

from __future__ import annotations

import duckdb
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sqlanon
from sqlanon import InputError
from tests.budget import examples
from tests.oracles.features import of_categories, of_numbers

pytestmark = pytest.mark.both_lines

ages = st.one_of(
    st.just("*"), st.integers(-9, 9).map(str),
    st.tuples(st.integers(-9, 9), st.integers(1, 5)).map(lambda at: f"[{at[0]}, {sum(at)}]"),
)  # fmt: skip
cities = st.one_of(
    st.just("*"), st.sampled_from("abc"),
    st.sets(st.sampled_from("abcd"), min_size=2).map(lambda names: f"{{{', '.join(sorted(names))}}}"),
)  # fmt: skip


@examples(40, quick=3)
@given(rows=st.lists(st.tuples(ages, cities), min_size=1, max_size=8))
def test_midpoints_and_shares(rows: list[tuple[str, str]]) -> None:
    rows = [("3", "a"), *rows]
    released = pd.DataFrame(rows, columns=["age", "city"])
    found = sqlanon.to_features(released, ["age", "city"])
    assert found["age"].tolist() == pytest.approx(of_numbers(released["age"]))
    shares = found.drop(columns="age").rename(columns=lambda name: name.removeprefix("city="))
    expected = pd.DataFrame(of_categories(released["city"]))
    assert shares.columns.tolist() == expected.columns.tolist()
    assert shares.to_numpy() == pytest.approx(expected.to_numpy())


def test_dates_open_intervals_and_nothing(con: duckdb.DuckDBPyConnection) -> None:
    con.execute(
        """create table released as from (values
            ('[1970-01-02, 1970-01-04]', '<=3', null, 1), ('1970-01-11', '[4, 8]', '{a, NULL}', 2),
            (null, '*', 'a', 1)) as t(day, age, city, code)"""
    ).fetchall()
    found = sqlanon.to_features(con, "released", ["day", "age", "city", "code"], categorical="CODE")
    assert found.columns.tolist() == ["day", "age", "city=a", "code=1", "code=2"]
    assert found.fillna(-1).to_numpy().tolist() == [
        [2, 3, 0, 1, 0], [10, 6, 0.5, 0, 1], [-1, 5.5, 1, 1, 0],
    ]  # fmt: skip
    with pytest.raises(InputError, match='unknown column "aeg" in released; did you mean "age"'):
        sqlanon.to_features(con, "released", "aeg")


def test_labels_of_hierarchies_stand_for_their_values(con: duckdb.DuckDBPyConnection) -> None:
    con.execute(
        """create or replace table released as
            from (values ('130**', 'North'), ('13007', 'Rome'), ('*', '*')) as t(zip, city);
        create or replace table hierarchy as from (values
            ('zip', '13001', 1, '130**'), ('zip', '13007', 1, '130**'), ('city', 'Oslo', 1, 'North'),
            ('city', 'Bern', 1, 'North'), ('city', 'Rome', 1, 'South'))
            as h(attribute, value, level, label)"""
    ).fetchall()
    found = sqlanon.to_features(con, "released", ["zip", "city"], hierarchies="hierarchy")
    assert found.columns.tolist() == ["zip", "city=Bern", "city=Oslo", "city=Rome"]
    assert found[:2].to_numpy().tolist() == [[13004, 0.5, 0.5, 0], [13007, 0, 0, 1]]


def test_ranges_are_as_their_texts(con: duckdb.DuckDBPyConnection) -> None:
    """STRUCT(lo, hi) and lists."""
    con.execute(
        "create table people as select i % 7 as age, 'abc'[1 + i % 3] as city from range(40) as t(i)"
    ).fetchall()
    columns = ["age", "city"]
    found = []
    for recoding in ("text", "range"):
        release = sqlanon.mondrian(con, "people", qi=columns, k=5, recoding=recoding)
        features = sqlanon.to_features(con, release, columns)
        found.append(sorted(features.to_numpy().tolist()))
    assert found[0] == found[1]
