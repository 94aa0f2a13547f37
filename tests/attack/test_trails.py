"""Trails: whose record was left in these places."""

# As texts: Hypothesis keeps evaluated annotations, and DuckDB 2.0 reports its types there as leaks.
from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sqlanon
from tests.budget import examples
from tests.oracles import trails as oracle
from tests.tables import literal

few = examples(30)


@pytest.fixture(scope="module")
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        sqlanon.register(connection)
        yield connection


def load(con: duckdb.DuckDBPyConnection, names: list[Any], records: list[Any]) -> None:
    for table, column, visits in (("names", "name", names), ("records", "record", records)):
        con.execute(
            f"""create or replace table {table} as
            select unnest(?::varchar[]) as {column}, unnest(?::varchar[]) as place""",
            [[who for who, _ in visits], [place for _, place in visits]],
        ).fetchall()


def visits(**vectors: str) -> list[tuple[str, str]]:
    return [(who, str(i)) for who, vector in vectors.items() for i, bit in enumerate(vector) if bit == "1"]


def test_the_example(con: duckdb.DuckDBPyConnection) -> None:
    """d2 can only be bob's, then d1 only ann's, and d3 cat's."""
    load(con, visits(ann="100", bob="110", cat="011"), visits(d1="100", d2="110", d3="010"))
    answer = sqlanon.trails(con, "records", "names", "name", "record", "place", incomplete=True)
    assert answer.columns == [
        "name", "learned", "confidence", "baseline", "is_right", "is_control", "places", "people",
        "candidates", "unfinished",
    ]  # fmt: skip
    third = pytest.approx(1 / 3)
    assert sorted(answer.fetchall()) == [
        ("ann", "d1", 1.0, third, None, None, 1, 1, 1, False),
        ("bob", "d2", 1.0, third, None, None, 2, 1, 1, False),
        ("cat", "d3", 1.0, third, None, None, 2, 1, 1, False),
    ]
    complete = sqlanon.trails(con, "records", "names", "name", "record", "place")
    assert sorted(complete.project("name, learned, candidates").fetchall()) == [
        ("ann", "d1", 1), ("bob", "d2", 1), ("cat", None, 0)
    ]  # fmt: skip


VISITS = st.lists(
    st.tuples(st.integers(0, 5), st.sampled_from(["x", "y", "z", None])), min_size=1, max_size=14
)


@few
@given(VISITS, VISITS, st.booleans())
def test_random_trails(
    con: duckdb.DuckDBPyConnection, names: list[Any], records: list[Any], incomplete: bool
) -> None:
    names = [(f"n{who}", place) for who, place in names]
    records = [(f"r{who}", place) for who, place in records]
    load(con, names, records)
    check(con, oracle.trails(names), oracle.trails(records), incomplete)


def check(
    con: duckdb.DuckDBPyConnection, names: oracle.Trails, records: oracle.Trails, incomplete: bool
) -> bool:
    """The attack tells what the oracle does, of the tables that are loaded. Is there an assignment?"""
    found = con.execute(
        f"""select name, learned, candidates, unfinished from sqlanon.trails(
            'records', 'names', 'name', 'record', 'place', incomplete := {incomplete})"""
    ).fetchall()
    matched, candidates, unfinished = oracle.learned(names, records, incomplete)
    assert {name: learned for name, learned, *_ in found if learned} == matched
    assert {name: n for name, learned, n, _ in found if learned is None} == candidates
    assert {name for name, *_, is_unfinished in found if is_unfinished} == unfinished
    assert len(found) == len(names)
    certain = oracle.certain(names, records, incomplete)
    assert certain is None or (matched, unfinished) == (certain, set())
    return certain is not None


OWNED = st.tuples(
    st.sets(st.sampled_from("abcd"), min_size=1), st.sets(st.sampled_from("abcd")), st.booleans()
)


@few
@given(st.lists(OWNED, min_size=1, max_size=6))
def test_nobody_who_is_certain_is_passed_over(con: duckdb.DuckDBPyConnection, people: list[Any]) -> None:
    """Records that have owners, who left some of them out: all that every assignment has is learned."""
    names = {f"n{i}": frozenset[Any](trail) for i, (trail, _, _) in enumerate(people)}
    records = {
        f"r{i}": frozenset[Any](trail - hidden or trail)
        for i, (trail, hidden, is_there) in enumerate(people) if is_there or i == 0
    }  # fmt: skip
    load(con, *([(who, place) for who, trail in of.items() for place in trail] for of in (names, records)))
    assert check(con, names, records, incomplete=True)


@pytest.mark.slow("hundreds of cases")
def test_hundreds_of_cases(con: duckdb.DuckDBPyConnection) -> None:
    draw = random.Random(5)
    hundreds = 0
    for _ in range(400):
        places = "abcd"[: draw.randint(2, 4)]
        names = {
            f"n{i}": frozenset[Any](place for place in places if draw.random() < 0.6) or frozenset("a")
            for i in range(draw.randint(1, 6))
        }
        owners = draw.sample(sorted(names), draw.randint(1, len(names)))
        records = {
            f"r{owner}": frozenset[Any](place for place in names[owner] if draw.random() < 0.7)
            or names[owner]
            for owner in owners
        }
        load(
            con, *([(who, place) for who, trail in of.items() for place in trail] for of in (names, records))
        )
        hundreds += check(con, names, records, incomplete=True)
    assert hundreds == 400


def test_two_of_one_trail_who_both_have_a_record(con: duckdb.DuckDBPyConnection) -> None:
    """Their records are in two places; neither can give one up, so that of all others it is known which."""
    trails = enumerate(["abc", "b", "c", "abc", "a"]), enumerate(["bc", "b", "c", "abc", "a"])
    names, records = (
        {f"{who}{i}": frozenset[Any](of) for i, of in held} for who, held in zip("nr", trails, strict=True)
    )
    load(con, *([(who, place) for who, trail in of.items() for place in trail] for of in (names, records)))
    assert check(con, names, records, incomplete=True)


def test_what_two_others_must_have(con: duckdb.DuckDBPyConnection) -> None:
    """Nobody can have one record only, and the first record is the first person's all the same. Among equals
    nobody is known, nor who could be without a record."""
    load(con, visits(ann="001", bob="111", cat="111"), visits(d1="001", d2="110", d3="110"))
    query = """select name, learned, candidates, unfinished from sqlanon.trails(
        'records', 'names', 'name', 'record', 'place', incomplete := true) order by name"""
    assert con.execute(query).fetchall() == [
        ("ann", "d1", 1, False), ("bob", None, 2, False), ("cat", None, 2, False)
    ]  # fmt: skip
    load(con, visits(ann="001", bob="111", cat="111", eve="111"), visits(d1="001", d2="110", d3="110"))
    assert {row[1] for row in con.execute(query).fetchall()} == {None}


def test_records_that_cannot_all_be_placed_are_told(con: duckdb.DuckDBPyConnection) -> None:
    """Both of ann's; what is said of the others is not touched."""
    load(con, visits(ann="100", bob="010", cat="010"), visits(d1="100", d2="100", d3="010"))
    answer = sqlanon.trails(con, "records", "names", "name", "record", "place", incomplete=True)
    assert sorted(answer.project("name, learned, unfinished").fetchall()) == [
        ("ann", None, True), ("bob", None, False), ("cat", None, False)
    ]  # fmt: skip
    summary = dict(sqlanon.attack_summary(con, answer).project("id, value").fetchall())
    assert summary["unfinished"] == pytest.approx(100 / 3)


def test_truth_controls_and_hostile_names(con: duckdb.DuckDBPyConnection) -> None:
    """Places and records compare as numbers where they are."""
    con.execute(
        """create or replace table "it's" as from (values (1, 250, 7.0, false), (2, 251, 9.0, false),
            (3, 252, null, false), (4, 253, null, true)) as row("a""b", "{i}", "trail", "code")"""
    ).fetchall()
    con.execute(
        """create or replace table release as from (values (7, 250.0), (8, 251.0), (9, 252.0))
        as row("select", "{I}")"""
    ).fetchall()
    answer = sqlanon.trails(con, "release", '"it\'s"', 'a"b', "select", "{i}", truth="trail", controls="code")
    assert sorted(answer.project('"a""b", learned, is_right, is_control').fetchall()) == [
        (1, "7", True, False), (2, "8", False, False), (3, "9", None, False), (4, None, None, True)
    ]  # fmt: skip
    summary = dict(sqlanon.attack_summary(con, answer).project("id, value").fetchall())
    assert (summary["right"], summary["controls"]) == (50.0, 1.0)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"release": "empty"}, "table empty is empty"),
        ({"targets": "nobody"}, "table nobody is empty"),
        ({"record": "place"}, 'record and place are both column "place"'),
        ({"id": "place"}, 'column "place" is named twice in id, place, truth and controls'),
        ({"place": "plce"}, "plce"),
        ({"truth": "other"}, "1 targets have several values in column other"),
    ],
)
def test_wrong_input(con: duckdb.DuckDBPyConnection, changed: dict[str, Any], message: str) -> None:
    load(con, [("a", "x")], [("r", "x")])
    con.execute("create or replace table empty as from records where false").fetchall()
    con.execute("create or replace table nobody as from names where false").fetchall()
    con.execute("create or replace table two as select 'a' as name, 'x' as place, unnest([1, 2]) as other")
    more = {"targets": "two"} if "truth" in changed else {}
    arguments = {
        "release": "records", "targets": "names", "id": "name", "record": "record", "place": "place",
        **more, **changed,
    }  # fmt: skip
    given_ = ", ".join(f"{name} := {literal(value)}" for name, value in arguments.items())
    with pytest.raises(duckdb.Error, match=message):
        con.execute(f"from sqlanon.trails({given_})").fetchall()
