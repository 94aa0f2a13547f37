"""Conditions that single people out: by hand, against the slow version, and on Adult."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sqlanon
from tests.attack.test_nearest_linkage import LABELS, ROW, load
from tests.budget import examples
from tests.data import needs_data
from tests.oracles import singling_out as oracle

NAMES = ["a", "b", "c", "d"]


@pytest.fixture(scope="module")
def town() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as con:
        sqlanon.register(con)
        con.execute(
            """create table people as from (values
            ('Ann', 20, 'a', 'flu', false), ('Bob', 25, 'a', 'gout', false), ('Cat', 40, 'b', 'flu', false),
            ('Dan', 44, 'b', 'flu', false), ('Eve', 22, 'a', 'flu', true), ('Fay', 41, 'b', 'flu', true))
            as t(name, age, zip, disease, out)"""
        ).fetchall()
        yield con


def test_a_class_and_a_rare_value_are_one_person(town: duckdb.DuckDBPyConnection) -> None:
    """Classes of two single nobody out; with the disease that one of both has they do."""
    town.execute(
        "create or replace temp table cut as select if(age < 30, '[20, 25]', '[40, 44]') as age, disease "
        "from people where not out"
    )
    answer = sqlanon.singling_out(town, "cut", "people", "name", ["age", "disease"], controls="out")
    assert answer.columns == [
        "name", "learned", "confidence", "baseline", "is_right", "is_control", "weight", "conditions",
        "isolating", "tried", "unfinished",
    ]  # fmt: skip
    assert {row[0]: (row[1], *row[4:6], *row[7:10]) for row in answer.fetchall()} == {
        "Ann": ("age = [20, 25] and disease = flu", True, False, 1, 2, 2),
        "Bob": ("age = [20, 25] and disease = gout", True, False, 1, 2, 2),
        "Cat": (None, False, False, 0, 2, 2),
        "Dan": (None, False, False, 0, 2, 2),
        "Eve": ("age = [20, 25] and disease = flu", True, True, 1, 1, 2),
        "Fay": (None, False, True, 0, 1, 2),
    }
    alone = sqlanon.singling_out(town, "cut", "people", "name", ["age"]).fetchall()
    assert {row[1] for row in alone} == {None}
    assert {row[9:] for row in alone} == {(0, False)}
    summary = sqlanon.attack_summary(town, sqlanon.singling_out(
        town, "cut", "people", "name", ["age"], controls="out"
    )).fetchall()  # fmt: skip
    assert {row[-1]: row[1] for row in summary}["beyond_controls"] == 0  # nobody, and that is known


def test_the_chance_of_a_condition(town: duckdb.DuckDBPyConnection) -> None:
    """Four rows; the condition has the weight 1 / 4 * 1 / 4."""
    town.execute("create or replace temp table copy as select * from people where not out")
    answer = sqlanon.singling_out(town, "copy", "people", "name", ["age", "disease"])
    [(confidence, baseline, weight)] = (
        answer.filter("learned = 'age = 25 and disease = gout'")
        .select("confidence, baseline, weight")
        .fetchall()
    )
    assert weight == pytest.approx(1 / 16)
    assert confidence == pytest.approx((15 / 16) ** 3)
    assert baseline == pytest.approx(4 * 1 / 16 * (15 / 16) ** 3)


@pytest.mark.slow("1 s")
def test_each_of_two_tables_resists_and_both_together_do_not(town: duckdb.DuckDBPyConnection) -> None:
    """Counts of four people and of three: neither is small, yet they differ by one person. (Cohen and Nissim
    2020: to resist predicate singling out does not compose.)"""
    for name, condition in (("everybody", "true"), ("over_20", "age > 20")):
        town.execute(
            f"""create or replace temp table {name} as
            select 'total' as zip, count(*)::text as value from people where not out and {condition}"""
        )

    def told(tables: list[str], filters: list[str]) -> list[tuple[Any, ...]]:
        return sqlanon.tables_together(
            town, tables, "zip", filters=filters, threshold=3, programs="none"
        ).project("cell, lower, upper").fetchall()  # fmt: skip

    assert told(["everybody"], [""]) == told(["over_20"], ["age > 20"]) == []
    assert told(["everybody", "over_20"], ["", "age > 20"]) == [("everybody - over_20", 1, 1)]
    town.execute("create or replace temp table difference as select 20 as age")  # who is not over 20
    answer = sqlanon.singling_out(town, "difference", "people", "name", ["age"], controls="out")
    assert {row[0]: row[1] for row in answer.fetchall() if row[4]} == {"Ann": "age <= 20"}


def test_labels_that_could_not_be_read_are_told(town: duckdb.DuckDBPyConnection) -> None:
    """They are met by nobody, which is no all-clear."""
    town.execute("create or replace temp table others as select 'twenties' as age, 'flu' as disease")
    with pytest.warns(sqlanon.UnreadWarning, match="age: twenties"):
        answer = sqlanon.singling_out(town, "others", "people", "name", ["age", "disease"])
    assert {(row[1], *row[8:10]) for row in answer.fetchall()} == {(None, 0, 1)}


@pytest.mark.filterwarnings("ignore:.* nobody understands these values")
@examples(25)
@given(
    people=st.lists(ROW, min_size=1, max_size=8),
    release=st.one_of(st.lists(ROW, min_size=1, max_size=6), st.lists(LABELS, min_size=1, max_size=6)),
    width=st.integers(1, 4),
)
def test_against_every_condition_and_person(
    town: duckdb.DuckDBPyConnection, people: list[Any], release: list[Any], width: int
) -> None:
    is_raw = all(isinstance(row[0], int | None) and isinstance(row[2], int | None) for row in release)
    load(town, people, release, "integer" if is_raw else "text")
    found = sqlanon.singling_out(town, "answered", "asked", "id", NAMES, width).fetchall()
    expected = oracle.conditions(release, width)
    if not is_raw:  # labels that are texts have no least and greatest
        expected = [each for each in expected if each[0][1] == "="]
    told, isolating = oracle.singled_out(expected, release, people, NAMES)
    assert [(row[1], row[6], row[7]) for row in sorted(found)] == [
        (text, None if weight is None else pytest.approx(weight), number) for text, weight, number in told
    ]
    assert {row[8:] for row in found} == {(isolating, len(expected), False)}


def test_attempts_are_drawn_the_same_way_each_time(town: duckdb.DuckDBPyConnection) -> None:
    town.execute(
        "create or replace temp table many as select i as id, i as a, i % 7 as b from range(50) r(i)"
    )
    once, again = (
        sqlanon.singling_out(town, "many", "many", "id", ["a", "b"], attempts=9).fetchall() for _ in range(2)
    )
    assert {row[9] for row in once} == {9}
    assert sum(row[4] for row in once) == 9
    assert [row[10] for row in once] == [not row[4] for row in once]  # more may be singled out
    assert sorted(once) == sorted(again)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"columns": []}, "columns names no column"),
        ({"columns": ["age", "age"]}, 'column "age" is named twice'),
        ({"width": 3}, "width is 3, but columns names 2"),
        ({"width": 0}, "width must be a whole number of at least 1"),
        ({"attempts": 0}, "attempts must be a whole number of at least 1"),
        ({"targets": "twice"}, "twice"),
        ({"release": "nothing"}, "table nothing is empty"),
    ],
)
def test_bad_input(town: duckdb.DuckDBPyConnection, change: dict[str, Any], message: str) -> None:
    town.execute("create or replace temp table twice as from people union all from people")
    town.execute("create or replace temp table nothing as from people limit 0")
    given = {
        "release": "people", "targets": "people", "id": "name", "columns": ["age", "zip"], **change,
    }  # fmt: skip
    with pytest.raises(sqlanon.SqlanonError, match=message):
        sqlanon.singling_out(town, **given).fetchall()


def test_too_many_sets_of_columns(town: duckdb.DuckDBPyConnection) -> None:
    names = [f"c{i}" for i in range(20)]
    town.execute(
        f"create or replace temp table wide as select 1 as id, {', '.join(f'1 as {n}' for n in names)}"
    )
    with pytest.raises(
        sqlanon.SqlanonError, match="columns has 20 columns, which have 15504 sets of 5: at most 1,000"
    ):
        sqlanon.singling_out(town, "wide", "wide", "id", names, 5).fetchall()


@pytest.mark.slow("2 s")
@needs_data
def test_adult_with_people_held_out(con: duckdb.DuckDBPyConnection) -> None:
    """A copy singles out whoever is unlike the others, classes of 5 fewer people, of 50 still fewer; a
    release of other people nobody beyond chance."""
    from tests.data import ADULT_QI, load_adult

    load_adult(con, "adult")
    con.execute(
        """create temp table asked as select *, id % 2 = 0 as out from adult where id <= 6000;
        create temp table copy as from asked where not out;
        create temp table others as from adult where id > 6000 and id <= 9000"""
    ).fetchall()

    for k in (5, 50):
        sqlanon.mondrian(
            con, "copy", qi=ADULT_QI, sensitive="occupation", k=k, seed=1, into=f"classes_of_{k}"
        )

    def risk(release: str) -> tuple[float, float]:
        answer = sqlanon.singling_out(con, release, "asked", "id", [*ADULT_QI, "occupation"], controls="out")
        found = {row[-1]: row for row in sqlanon.attack_summary(con, answer).fetchall()}
        return found["beyond_controls"][3], found["beyond_controls"][4]

    ranked = [risk(release) for release in ("copy", "classes_of_5", "classes_of_50")]
    assert all(more[0] > less[1] for more, less in pairwise(ranked))
    assert ranked[-1][0] > 0  # k-anonymity does not prevent it
    low, high = risk("others")
    assert low <= 0 <= high
