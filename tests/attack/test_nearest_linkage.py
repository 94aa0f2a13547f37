"""Two halves that lead to the same released row: by hand, against the slow version, and with controls."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sqlanon
from tests.budget import examples
from tests.data import needs_data
from tests.oracles import nearest_rows

# A random release may have values that nobody has.
pytestmark = pytest.mark.filterwarnings("ignore:.* nobody understands these values")

HALVES: dict[str, Any] = {"here": ["age", "sex"], "there": ["zip", "job"]}


@pytest.fixture(scope="module")
def town() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as con:
        sqlanon.register(con)
        con.execute(
            """create table people as from (values
            ('Ann', 20, 'f', 'a', 'nurse', false), ('Bob', 30, 'm', 'b', 'clerk', false),
            ('Cat', 40, 'f', 'b', 'nurse', false), ('Dan', 60, 'm', 'c', 'smith', true))
            as t(name, age, sex, zip, job, out);
            create table copy as select * from people where not out"""
        ).fetchall()
        yield con


def test_a_copy_links_everybody_in_it(town: duckdb.DuckDBPyConnection) -> None:
    """Dan, who is not in it, is nearest to Bob here; there nobody agrees with him in anything."""
    answer = sqlanon.nearest_linkage(town, "copy", "people", "name", **HALVES, controls="out")
    assert answer.order("name").fetchall() == [
        *((name, "linked", 0.5, 0.25, True, False, 1, 1, 1, 0, 0, False) for name in ("Ann", "Bob", "Cat")),
        ("Dan", "linked", 0.5, 0.25, True, True, 1, 3, 1, 0.75, 2, False),
    ]
    summary = {row[-1]: row[1] for row in sqlanon.attack_summary(town, answer).fetchall()}
    assert (summary["right_of_all"], summary["controls"]) == (100, 1)


NUMBERS = st.sampled_from([None, 1, 2, 4, 7])
TEXTS = st.sampled_from([None, "a", "b", "c"])
ROW = st.tuples(NUMBERS, TEXTS, NUMBERS, TEXTS)
RANGES = st.sampled_from([(1, 2), (2, 7), (3, 3), (4, 9)]).map(lambda ends: ("range", *ends))
SETS = st.sampled_from([("a", "b"), ("b", "x"), (None, "a")]).map(lambda values: ("set", values))
NUMBER_CELL = st.one_of(st.sampled_from([1, 2, 5, 7, None, "*"]), RANGES)
TEXT_CELL = st.one_of(st.sampled_from(["a", "b", "x", None, "*"]), SETS)
LABELS = st.tuples(NUMBER_CELL, TEXT_CELL, NUMBER_CELL, TEXT_CELL)


def load(con: duckdb.DuckDBPyConnection, people: list[Any], release: list[Any], number: str) -> None:
    con.execute("create or replace temp table asked (id integer, a integer, b text, c integer, d text)")
    con.executemany("insert into asked values (?, ?, ?, ?, ?)", [(i, *row) for i, row in enumerate(people)])
    con.execute(f"create or replace temp table answered (a {number}, b text, c {number}, d text)")
    con.executemany(
        "insert into answered values (?, ?, ?, ?)",
        [[nearest_rows.label(cell) if number == "text" else cell for cell in row] for row in release],
    )


@pytest.mark.parametrize("labels", [False, True])
@examples(40)
@given(data=st.data())
def test_against_the_slow_version(town: duckdb.DuckDBPyConnection, labels: bool, data: st.DataObject) -> None:
    people: list[Any] = data.draw(st.lists(ROW, min_size=1, max_size=7))
    release: list[Any] = data.draw(st.lists(LABELS if labels else ROW, min_size=1, max_size=7))
    load(town, people, release, "text" if labels else "integer")
    found = town.execute(
        "from sqlanon.nearest_linkage('answered', 'asked', 'id', ['a', 'b'], ['c', 'd']) order by id"
    ).fetchall()
    wanted = nearest_rows.linkage(people, release, 2)
    near = [
        nearest_rows.nearest([row[part] for row in people], [row[part] for row in release])
        for part in (slice(0, 2), slice(2, 4))
    ]
    for i, (row, (linked, confidence, here, there, shared)) in enumerate(zip(found, wanted, strict=True)):
        assert row[:3] == (i, "linked" if linked else None, confidence and pytest.approx(confidence))
        assert row[3:6] == (pytest.approx(1 / len(people)), linked, False)
        assert row[6:9] == (here, there, shared)
        assert row[9:11] == (near[0][i][0] / 1e6, near[1][i][0] / 1e6)
        assert row[11] is False


@pytest.mark.slow("2 s")
@examples(20)
@given(
    people=st.lists(ROW, min_size=1, max_size=7),
    release=st.lists(ROW, min_size=1, max_size=7),
    comparisons=st.integers(1, 12),
)
def test_what_was_not_compared_is_told(
    town: duckdb.DuckDBPyConnection, people: list[Any], release: list[Any], comparisons: int
) -> None:
    """With few comparisons somebody's answer is the same as with many, or nothing at all."""
    load(town, people, release, "integer")
    halves: dict[str, Any] = {"id": "id", "here": ["a", "b"], "there": ["c", "d"]}
    enough = sqlanon.nearest_linkage(town, "answered", "asked", **halves).order("id").fetchall()
    few = sqlanon.nearest_linkage(town, "answered", "asked", **halves, comparisons=comparisons)
    for whole, part in zip(enough, few.order("id").fetchall(), strict=True):
        if part[-1]:
            assert (part[1], part[2], part[4], part[8]) == (None, None, None, None)
        else:
            assert (part[0], part[6:]) == (whole[0], whole[6:])
            assert (part[1] is None) == (whole[1] is None)
    unfinished = few.filter("unfinished").fetchall()
    summary = {row[-1]: row[1] for row in sqlanon.attack_summary(town, few).fetchall()}
    assert summary.get("unfinished", 0) == pytest.approx(100 * len(unfinished) / len(people))


BLOCK_NUMBERS = st.one_of(st.none(), st.integers(0, 30))


@examples(30)
@given(
    people=st.lists(st.tuples(BLOCK_NUMBERS, TEXTS, BLOCK_NUMBERS), min_size=1, max_size=25, unique=True),
    release=st.lists(st.tuples(BLOCK_NUMBERS, TEXTS, BLOCK_NUMBERS), min_size=1, max_size=25, unique=True),
    rows_in_block=st.integers(1, 4),
    comparisons=st.sampled_from([3, 20, 1000]),
)
def test_blocks_of_few_rows(
    town: duckdb.DuckDBPyConnection,
    people: list[Any],
    release: list[Any],
    rows_in_block: int,
    comparisons: int,
) -> None:
    """However rows are cut into blocks, the nearest rows are those of the slow version, or nobody's."""
    wide = 31

    def place(number: int | None) -> int | None:
        return None if number is None else round(number / wide * nearest_rows.MILLION)

    def known(number: int | None) -> int:
        return int(number is not None)

    letters = [None, "a", "b", "c"]
    town.execute(
        """create or replace temp table points (
            target integer, c1 integer, x1 integer, c2 integer, x2 integer, c3 integer, x3 integer);
        create or replace temp table coded (
            target integer, c1 integer, x1 integer, c2 integer, x2 integer, c3 integer, x3 integer)"""
    ).fetchall()
    for table, rows in (("points", people), ("coded", release)):
        town.executemany(
            f"insert into {table} values (?, ?, ?, ?, null, ?, ?)",
            [
                (i, known(a), place(a), letters.index(b), known(c), place(c))
                for i, (a, b, c) in enumerate(rows)
            ],
        )
    town.execute(
        """create or replace temp table boxes as
        select target as class_id, c1 as lo1, c1 as hi1, null::integer[] as members1, x1 as x_lo1,
               x1 as x_hi1, c2 as lo2, c2 as hi2, null::integer[] as members2, x2 as x_lo2, x2 as x_hi2,
               c3 as lo3, c3 as hi3, null::integer[] as members3, x3 as x_lo3, x3 as x_hi3
        from coded"""
    ).fetchall()
    found: dict[int, tuple[int | None, set[int | None]]] = {}
    for target, row, distance in town.execute(
        "from sqlanon._nearest_boxes('points', 'boxes', $comparisons, $size, ['a', 'b', 'c'])",
        {"comparisons": comparisons, "size": str(rows_in_block)},
    ).fetchall():
        found.setdefault(target, (distance, set()))[1].add(row)
    assert len(found) == len(people)
    for target, person in enumerate(people):
        distances = [
            sum(
                abs(place(mine) - place(theirs))  # type: ignore[operator]
                if isinstance(mine, int) and isinstance(theirs, int)
                else nearest_rows.MILLION * (mine != theirs)
                for mine, theirs in zip(person, row, strict=True)
            )
            for row in release
        ]
        nearest = {i for i, distance in enumerate(distances) if distance == min(distances)}
        if found[target] != (None, {None}):
            assert found[target] == (min(distances), nearest)
        else:
            assert comparisons < 1000


def test_other_spellings_are_told_beside_values_that_are_new(con: duckdb.DuckDBPyConnection) -> None:
    rows = "('female ', '3'), ('Male', '33'), ('diverse', '3-3')"
    con.execute(f"create table released as from (values {rows}) as row(sex, zip)")
    con.execute("create table persons as from (values ('Female', '33'), ('Male', '3')) as row(sex, zip)")
    told = sqlanon.unread_labels(con, "released", "persons", ["sex", "zip"], of_any_kind=True).fetchall()
    assert told == [(1, "sex", "female ", 1, "no value of the targets, which have Female", None)]


def test_values_that_nobody_understands_are_told(town: duckdb.DuckDBPyConnection) -> None:
    """A column that nobody's values are like adds nothing: what is found is too little."""
    town.execute("create or replace temp table spelled as select * replace (zip || ' ' as zip) from copy")
    with pytest.warns(sqlanon.UnreadWarning, match="nobody understands these values of zip: b , a "):
        sqlanon.nearest_linkage(town, "spelled", "people", "name", **HALVES)
    town.execute(
        "create or replace temp table newer as select * replace (if(age = 20, 'new', zip) as zip) from copy"
    )
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        sqlanon.nearest_linkage(town, "newer", "people", "name", **HALVES)


def test_hostile_names(town: duckdb.DuckDBPyConnection) -> None:
    town.execute(
        """create table "it's" as select 1 as "a ""b", 'x' as "select", 7 as "{id}", true as "s;" """
    )
    answer = town.execute(
        "from sqlanon.nearest_linkage('it''s', 'it''s', '{id}', 'a \"b', ['select'], controls := 's;')"
    )
    assert answer.fetchall() == [(7, "linked", 1, 1, True, True, 1, 1, 1, 0, 0, False)]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"here": []}, "here and there name the columns of the two halves"),
        ({"here": ["age", "zip"]}, 'column "zip" is named twice'),
        ({"here": ["agee"]}, "agee"),
        ({"comparisons": 0}, "comparisons must be a whole number of at least 1, not 0"),
        ({"release": "nobody"}, "nobody is empty"),
        ({"targets": "twice"}, "names 4 of the targets several times"),
        ({"release": "infinite"}, "column age has the value inf"),
    ],
)
def test_bad_input(town: duckdb.DuckDBPyConnection, change: dict[str, Any], message: str) -> None:
    town.execute(
        """create or replace temp table nobody as from people where false;
        create or replace temp table twice as from people union all from people;
        create or replace temp table infinite as select * replace ('inf'::double as age) from people"""
    )
    given = {"release": "copy", "targets": "people", "id": "name", **HALVES}
    with pytest.raises(sqlanon.SqlanonError, match=message):
        sqlanon.nearest_linkage(town, **{**given, **change})


@pytest.mark.slow("1 s")
@needs_data
def test_adult_with_other_people_as_controls(con: duckdb.DuckDBPyConnection) -> None:
    """A copy links more than half of the people beyond the controls; a release of others none beyond them."""
    from tests.data import load_adult

    load_adult(con, "adult")
    con.execute(
        """create temp table asked as select *, id % 3 = 0 as out from adult where id <= 6000;
        create temp table copy as from asked where not out;
        create temp table others as from adult where id > 6000 and id <= 10000"""
    ).fetchall()
    halves = (
        ["age", "workclass", "education"],
        ["marital_status", "occupation", "race", "sex", "native_country"],
    )
    risks = {}
    for release in ("copy", "others"):
        answer = sqlanon.nearest_linkage(con, release, "asked", "id", *halves, controls="out")
        [risks[release]] = (
            sqlanon.attack_summary(con, answer)
            .filter("id = 'beyond_controls'")
            .project("low, high")
            .fetchall()
        )
    assert risks["copy"][0] > 50
    assert risks["others"][0] <= 0 <= risks["others"][1]
