"""Two releases joined: the shares of the joined rows are those of the join, which is never made."""

# As texts: Hypothesis keeps evaluated annotations, and DuckDB 2.0 reports its types there as leaks.
from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sqlanon
from tests.budget import examples
from tests.oracles.joined_releases import joined, linkability
from tests.tables import identifier, literal

few = examples(30)


@pytest.fixture(scope="module")
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        sqlanon.register(connection)
        yield connection


def table(con: duckdb.DuckDBPyConnection, name: str, columns: Sequence[str], rows: Sequence[Any]) -> None:
    """A table of texts."""
    chosen = ", ".join(f"unnest(?::varchar[]) as {identifier(column)}" for column in columns)
    values = [list(column) for column in zip(*rows, strict=True)] or [[] for _ in columns]
    con.execute(f"create or replace table {identifier(name)} as select {chosen}", values).fetchall()


@pytest.fixture
def paper(con: duckdb.DuckDBPyConnection) -> None:
    """Two releases, and the same with a more general job."""
    people = [("ann", "banker"), ("bea", "banker"), ("bob", "clerk"), ("cat", "driver"), ("dan", "driver")]
    diseases = [("banker", "cancer"), ("banker", "cancer"), ("clerk", "hiv"), ("driver", "cancer"),
                ("driver", "hiv")]  # fmt: skip
    general = {"banker": "finance", "clerk": "finance", "driver": "driver"}
    table(con, "people", ["name", "job"], people)
    table(con, "diseases", ["job", "disease"], diseases)
    table(con, "general_people", ["name", "job"], [(name, general[job]) for name, job in people])
    table(con, "general_diseases", ["job", "disease"], [(general[job], s) for job, s in diseases])


@pytest.mark.usefixtures("paper")
@pytest.mark.parametrize(
    ("releases", "x", "y", "rows", "linkability", "anonymity"),
    [
        (["people", "diseases"], "name", "disease", 9, 1.0, 1),
        (["general_people", "general_diseases"], "name", "disease", 13, 2 / 3, 2),
        (["people", "diseases"], "disease", "name", 9, 1 / 3, 3),
        (["general_people", "general_diseases"], "disease", "name", 13, 1 / 4, 5),
    ],
)
def test_the_example(
    con: duckdb.DuckDBPyConnection,
    releases: list[str], x: str, y: str, rows: int, linkability: float, anonymity: int,
) -> None:  # fmt: skip
    answer = sqlanon.joined_releases(con, releases, "job", x, y)
    [found] = answer.aggregate("sum(rows), max(confidence), min(anonymity)").fetchall()
    assert found == (rows, pytest.approx(linkability), anonymity)


@pytest.mark.usefixtures("paper")
def test_whom_it_is_about(con: duckdb.DuckDBPyConnection) -> None:
    answer = sqlanon.joined_releases(con, ["people", "diseases"], "job", "name", "disease")
    assert answer.columns == [
        "name", "learned", "confidence", "baseline", "is_right", "is_control", "rows", "anonymity"
    ]  # fmt: skip
    rows = {row[0]: row[1:] for row in answer.fetchall()}
    assert rows["ann"] == ("cancer", 1.0, pytest.approx(6 / 9), None, None, 2, 1)
    assert rows["dan"] == ("cancer", 0.5, pytest.approx(6 / 9), None, None, 2, 2)
    summary = dict(sqlanon.attack_summary(con, answer).project("id, value").fetchall())
    assert (summary["certain"], summary["subjects"]) == (60.0, 5.0)


VALUE = st.sampled_from(["a", "b", None])
ROWS = st.lists(st.tuples(VALUE, VALUE, VALUE), min_size=1, max_size=6)


@few
@given(ROWS, ROWS, st.sampled_from([(["p"], ["q"]), (["q", "J"], ["P"]), (["j"], ["q", "p"])]))
def test_random_releases(
    con: duckdb.DuckDBPyConnection,
    one: list[Any], other: list[Any], roles: tuple[list[str], list[str]],
) -> None:  # fmt: skip
    table(con, "one", ["j", "k", "p"], one)
    table(con, "other", ["q", "j", "k"], other)
    x, y = roles
    rows: list[Mapping[str, Any]] = list(
        joined([dict(zip("jkp", row, strict=True)) for row in one],
               [dict(zip("qjk", row, strict=True)) for row in other])
    )  # fmt: skip
    query = (
        f"from sqlanon.joined_releases(['one', 'other'], ['j', 'k'], x := {literal(x)}, y := {literal(y)})"
    )
    if not rows:
        with pytest.raises(duckdb.Error, match="no row of one joins one of other on j, k"):
            con.execute(query).fetchall()
        return
    names = [name.lower() for name in x]
    expected = linkability(rows, names, [name.lower() for name in y])
    found = {row[: len(x)]: row[len(x) :] for row in con.execute(query).fetchall()}
    assert found.keys() == expected.keys()
    for value, (_, confidence, _, _, _, n, anonymity) in found.items():
        assert (confidence, anonymity, n) == (pytest.approx(float(expected[value][0])), *expected[value][1:])


def test_hostile_names_and_numbers(con: duckdb.DuckDBPyConnection) -> None:
    """250 joins 250.0 where both are numbers."""
    con.execute("""create or replace table "it's" as select 250 as "a""b", 'x' as "{i}" """).fetchall()
    con.execute("""create or replace table "one" as select 250.0 as "A""B", 'y' as "n" """).fetchall()
    query = """from sqlanon.joined_releases(['it''s', 'one'], 'a"b', x := '{i}', y := 'n')"""
    assert con.execute(query).fetchall() == [("x", "y", 1.0, 1.0, None, None, 1, 1)]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("0.0::double", "-0.0::double"),
        ("1.0::float", "1::float"),
        ("interval '24 hours'", "interval '1 day'"),
        ("date '2020-01-01'", "timestamp '2020-01-01 00:00:00'"),
        ("null", "null"),
    ],
)
def test_values_that_are_equal_and_spelled_otherwise(
    con: duckdb.DuckDBPyConnection, one: str, other: str
) -> None:
    con.execute(f"create or replace table one as select {one} as j, 'a' as p").fetchall()
    con.execute(f"create or replace table other as select {other} as j, 'b' as q").fetchall()
    query = "select p, learned from sqlanon.joined_releases(['one', 'other'], 'j', x := 'p', y := 'q')"
    assert con.execute(query).fetchall() == [("a", "b")]


def test_tables_that_do_not_fit_in_a_buffer(con: duckdb.DuckDBPyConnection) -> None:
    """DuckDB 2.0 waited for ever where one reader of the groups stopped early."""
    for name, column in (("one", "p"), ("other", "q")):
        con.execute(
            f"create or replace table {name} as select i as j, i % 10 as {column} from range(300000) as r(i)"
        ).fetchall()
    answer = sqlanon.joined_releases(con, ["one", "other"], "j", x="p", y="q")
    assert answer.aggregate("sum(rows), min(confidence)").fetchall() == [(300_000, 1.0)]


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"join_on": "j", "weight": "p"}, 'column "p" is the weight, and in join_on, x or y'),
        ({"weight": "n"}, 'table (one|other) has no column "n"'),
        ({"releases": ["one"]}, "releases must name two releases to be joined, not 1"),
        ({"join_on": []}, "join_on names no column"),
        ({"y": []}, "x and y must name at least one column each"),
        ({"x": ["q", "p"]}, 'column "q" is named twice'),
        ({"x": "nobody"}, "nobody"),
        ({"join_on": "nothing"}, "nothing"),
        ({"releases": ["one", "text"]}, "column j is INTEGER in one and VARCHAR in text"),
        ({"releases": ["one", "empty"]}, "no row of one joins one of empty on j"),
    ],
)
def test_wrong_input(con: duckdb.DuckDBPyConnection, changed: dict[str, Any], message: str) -> None:
    con.execute("create or replace table one as select 1 as j, 'a' as p").fetchall()
    con.execute("create or replace table other as select 1 as j, 'b' as q").fetchall()
    con.execute("create or replace table text as select '1' as j, 'b' as q").fetchall()
    con.execute("create or replace table empty as from other where false").fetchall()
    arguments = {"releases": ["one", "other"], "join_on": "j", "x": "p", "y": "q", **changed}
    given_ = ", ".join(f"{name} := {literal(value)}" for name, value in arguments.items())
    with pytest.raises(duckdb.Error, match=message):
        con.execute(f"from sqlanon.joined_releases({given_})").fetchall()
