"""Anatomy in SQL and in Python against the slow one, and what its releases promise."""

# As texts: Hypothesis keeps evaluated annotations, and DuckDB 2.0 reports its types there as leaks.
from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import duckdb
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from sqlglot import exp

import sqlanon
from sqlanon.anonymize.anatomy import Anatomy
from sqlanon.core.errors import UnmetError
from sqlanon.core.statements import call as call_of
from sqlanon.core.statements import select
from tests import data
from tests.budget import examples
from tests.oracles import canonical, sort_key
from tests.oracles.anatomy import dealt, eligible, paper
from tests.oracles.spellings import folded
from tests.tables import Column, call, columns, identifier, load, rows

few = examples(25)
fewer = examples(8)

TYPES = ["INTEGER", "DOUBLE", "VARCHAR", "DATE", "ENUM ('small', 'medium', 'large')"]


@pytest.fixture(scope="module")
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        sqlanon.register(connection)
        yield connection


@pytest.fixture(autouse=True)
def people(con: duckdb.DuckDBPyConnection) -> None:
    con.execute(
        """create or replace table people as
        select (range % 7)::integer as age, (range % 5)::varchar as zip, 'd' || range % 4 as disease,
            'secret' as name, range as id from range(61)"""
    ).fetchall()


PEOPLE: dict[str, Any] = {"qi": ["age", "zip"], "sensitive": "disease", "l": 3}


def tables(con: duckdb.DuckDBPyConnection) -> set[str]:
    return {name for (name,) in con.execute("select table_name from duckdb_tables()").fetchall()}


class Case:
    """A table with two quasi-identifiers and a sensitive column, and l."""

    def __init__(self, qi: list[Column], sensitive: Column, l: int) -> None:
        self.qi, self.sensitive, self.l = qi, sensitive, l

    def __repr__(self) -> str:
        return f"Case({self.qi}, {self.sensitive}, {self.l})"

    def load(self, con: duckdb.DuckDBPyConnection) -> dict[str, Any]:
        load(con, "t", [*self.qi, self.sensitive])
        return {"qi": [c.name for c in self.qi], "sensitive": self.sensitive.name, "l": self.l}

    @property
    def values(self) -> list[Any]:
        return [canonical(value) for value in self.sensitive.values]


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """Mostly such that there are buckets: values from a list in which each is as often as another."""
    n, l = draw(st.integers(1, 40)), draw(st.integers(1, 4))
    qi = [draw(columns(f"q {i}", n)) for i in range(2)]
    sensitive = draw(columns("s 0", n, TYPES, draw(st.integers(1, 6))))
    if draw(st.integers(0, 3)):
        different = sorted(set(map(canonical, sensitive.values)), key=str)
        values = draw(st.permutations([different[i % len(different)] for i in range(n)]))
        sensitive = Column(sensitive.name, sensitive.type, values)
    values_once = set(map(canonical, sensitive.values))
    assume(len({folded(value) for value in values_once}) == len(values_once))  # test_spellings has the others
    return Case(qi, sensitive, l)


class TestAgainstTheOracle:
    @few
    @given(cases())
    def test_random_tables(self, con: duckdb.DuckDBPyConnection, case: Case) -> None:
        arguments, values = case.load(con), case.values
        if not eligible(values, case.l):
            with pytest.raises(duckdb.InvalidInputException, match=f"no buckets can have {case.l} different"):
                rows(con, "anatomize", "t", **arguments)
            return
        released = rows(con, "anatomize", "t", keep="id", **arguments)
        own = case.sensitive.order
        wanted = dealt(values, case.l, list(own).index if own else sort_key)
        buckets: dict[int, list[int]] = {}
        answer: dict[int, list[Any]] = {}
        for *qi, i, bucket, shown in released:
            assert [canonical(value) for value in qi] == [canonical(c.values[i]) for c in case.qi]
            buckets.setdefault(bucket, []).append(i)
            assert answer.setdefault(bucket, shown) == shown or "nan" in repr(shown)
        assert sorted(i for members in buckets.values() for i in members) == list(range(len(values)))
        assert sorted(buckets) == list(range(1, len(wanted) + 1))
        for bucket, members in buckets.items():
            assert [canonical(value) for value in answer[bucket]] == wanted[bucket - 1]
            assert Counter(values[i] for i in members) == Counter(wanted[bucket - 1])
            assert len(set(wanted[bucket - 1])) == len(members)  # no value twice
            assert case.l <= len(members) <= 2 * case.l - 1
        # as many as the paper's own algorithm makes, of which the same holds
        others = paper(values, case.l, random.Random(1))
        assert len(others) == len(buckets)
        assert all(case.l <= len({values[i] for i in other}) == len(other) for other in others)

    @pytest.mark.slow("0.6 s")
    @fewer
    @given(cases(), st.randoms(use_true_random=False))
    def test_python_and_the_order_of_the_table(
        self, con: duckdb.DuckDBPyConnection, case: Case, random: Any
    ) -> None:
        arguments = {**case.load(con), "seed": 4}
        order = list(range(len(case.values)))
        random.shuffle(order)
        con.execute(
            "create or replace table shuffled as select t.* from t "
            "join (select unnest(?::bigint[]) as id, unnest(range(?)) as place) as o using (id) "
            "order by place",
            [order, len(order)],
        ).fetchall()
        if not eligible(case.values, case.l):
            with pytest.raises(UnmetError, match="no buckets can have"):
                sqlanon.anatomize(con, "t", into="r", replace=True, **arguments)
            return
        wanted = rows(con, "anatomize", "t", **arguments)
        assert repr(rows(con, "anatomize", "shuffled", **arguments)) == repr(wanted)
        release = sqlanon.anatomize(con, "t", into="r", replace=True, **arguments)
        assert repr(con.execute("from r").fetchall()) == repr(wanted)
        assert (release.rows, release.classes) == (len(wanted), len(case.values) // case.l)
        assert release.reached["distinct l-diversity"] >= case.l


class TestRelease:
    def test_only_named_columns_leave(self, con: duckdb.DuckDBPyConnection) -> None:
        for keep, names in [(None, []), (["id", "zip"], ["id", "zip"])]:
            relation = call("anatomize", "people", qi="age", sensitive="disease", keep=keep, l=3)
            described = con.execute(f"describe from {relation}").fetchall()
            assert [name for name, *_ in described] == ["age", *names, "bucket", "disease"]
            types = [type_ for _, type_, *_ in described]
            assert (types[0], types[-2], types[-1]) == ("INTEGER", "BIGINT", "VARCHAR[]")

    @pytest.mark.slow("1 s")
    def test_who_is_in_which_bucket_is_a_matter_of_chance(self, con: duckdb.DuckDBPyConnection) -> None:
        def bucket_of(**more: Any) -> dict[int, int]:
            return {row[2]: row[3] for row in rows(con, "anatomize", "people", keep="id", **PEOPLE, **more)}

        assert bucket_of(seed=1) == bucket_of(seed=1)
        result = [bucket_of(seed=seed) for seed in range(12)] + [bucket_of()]
        assert all(len({where[i] for where in result}) > 3 for i in range(61))
        assert bucket_of() != bucket_of()
        releases = [sqlanon.anatomize(con, "people", keep="id", **PEOPLE) for _ in range(2)]
        one, other = (con.execute(f"from {release.table} order by id").fetchall() for release in releases)
        assert one != other

    def test_values_that_are_the_same_in_all_columns(self, con: duckdb.DuckDBPyConnection) -> None:
        con.execute("create or replace table same as select 1 as a, range % 3 as s from range(12)").fetchall()
        released = rows(con, "anatomize", "same", qi="a", sensitive="s", l=3)
        assert Counter((bucket, *shown) for _, bucket, shown in released) == {
            (bucket, 0, 1, 2): 3 for bucket in range(1, 5)
        }

    def test_a_missing_value_is_a_value(self, con: duckdb.DuckDBPyConnection) -> None:
        con.execute(
            "create or replace table gaps as select nullif(range % 2, 0) as a, "
            "nullif(range % 3, 0) as s from range(6)"
        ).fetchall()
        released = rows(con, "anatomize", "gaps", qi="a", sensitive="s", l=3)
        assert [shown for *_, shown in released] == [[None, 1, 2]] * 6
        assert sqlanon.anatomize(con, "gaps", qi="a", sensitive="s", l=3).classes == 2

    @pytest.mark.slow("0.4 s")
    def test_names_of_any_kind(self, con: duckdb.DuckDBPyConnection) -> None:
        names = ["chance", "twin", "place", 'q1"; --', "{i}", "s1"]
        chosen = ", ".join(
            f"(hash(range, {i}) % {3 + i})::integer as {identifier(name)}"
            for i, name in enumerate(names[:-1])
        )
        con.execute(
            f'create or replace table "dealt" as select {chosen}, range % 5 as s1 from range(50)'
        ).fetchall()
        arguments: dict[str, Any] = {
            "qi": names[:3],
            "keep": names[3:5],
            "sensitive": "s1",
            "l": 4,
            "seed": 1,
        }
        wanted = con.execute(f"from {call('anatomize', 'dealt', **arguments)}")
        assert [name for name, *_ in wanted.description or []] == [*names[:5], "bucket", "s1"]
        released = wanted.fetchall()
        assert len(released) == 50
        sqlanon.anatomize(con, "dealt", into="r", replace=True, **arguments)
        assert con.execute("from r").fetchall() == released

    @pytest.mark.slow("0.8 s")
    def test_check_and_attack(self, con: duckdb.DuckDBPyConnection) -> None:
        """As the comment on the macro says."""
        relation = call("anatomize", "people", keep="id", **PEOPLE)
        con.execute(f"create or replace table r as from {relation}").fetchall()
        con.execute(
            "create or replace table v as select distinct bucket, unnest(disease) as disease from r"
        ).fetchall()
        about: dict[str, Any] = {"qi": "bucket", "sensitive": "disease"}
        assert rows(con, "violations", "v", **about, l=3, alpha=0.334) == []
        assert rows(con, "violations", "v", **about, l=4) != []
        con.execute(
            "create or replace table possible as select * exclude (disease), "
            "unnest(disease) as disease from r"
        ).fetchall()
        con.execute(
            "create or replace table alone as select *, id as person from people where id < 5"
        ).fetchall()
        attack = """from sqlanon.intersection_attack(
            ['possible'], targets := 'alone', id := 'person', qi := ['id'], sensitive := 'disease',
                truth := 'disease')"""
        result = con.execute(f"select prior, truth_is_candidate from ({attack})").fetchall()
        assert {hit for _, hit in result} == {True}
        assert {prior for prior, _ in result} <= {3, 4}


@pytest.mark.slow("0.7 s")
def test_raw_text_that_looks_like_a_release_is_not_misread(con: duckdb.DuckDBPyConnection) -> None:
    """Nobody of another town is found at a town *, which is a missing mark in the source."""
    towns = ["*", "a", "{a, b}", "1-9", "a*", "[a, b]", "b", "c"]
    values = ", ".join(f"('{town}', {i})" for i, town in enumerate(towns))
    con.execute(f"create or replace table places as select * from (values {values}) as v(town, disease)")
    for release in (
        con.sql("from sqlanon.anatomize('places', qi := 'town', sensitive := 'disease', l := 2)"),
        sqlanon.anatomize(con, "places", qi="town", sensitive="disease", l=2).relation(con),
    ):
        con.execute("drop table if exists shown")
        release.create("shown")
        con.execute("create or replace table asked as select town as who, town from places")
        result = con.execute(
            "select who, size from sqlanon.locate('shown', 'asked', 'who', 'town')"
        ).fetchall()
        assert sorted(result) == sorted((town, 1) for town in towns)


class TestTwoTables:
    @pytest.mark.slow("0.6 s")
    def test_they_are_the_release(self, con: duckdb.DuckDBPyConnection) -> None:
        before = tables(con)
        release = sqlanon.anatomize(
            con, "people", keep="id", into="qit", sensitive_into="st", seed=1, replace=True, **PEOPLE
        )
        assert (release.table, release.details) == ("qit", {"sensitive_table": "st"})
        wanted = rows(con, "anatomize", "people", keep="id", seed=1, **PEOPLE)
        assert con.execute("from qit").fetchall() == [row[:-1] for row in wanted]
        assert [name for name, *_ in con.execute("describe st").fetchall()] == ["bucket", "disease"]
        answer = {(bucket, value) for *_, bucket, shown in wanted for value in shown}
        assert con.execute("from st").fetchall() == sorted(answer)
        again = sqlanon.anatomize(con, "people", into="qit", sensitive_into="st", replace=True, **PEOPLE)
        assert again.rows == 61
        assert [name for name, *_ in con.execute("describe qit").fetchall()] == ["age", "zip", "bucket"]
        assert tables(con) == before | {"qit", "st"}

    def test_all_or_nothing(self, con: duckdb.DuckDBPyConnection, monkeypatch: pytest.MonkeyPatch) -> None:
        before = tables(con)
        wrong: list[tuple[dict[str, Any], str]] = [
            ({"into": "one", "sensitive_into": "people"}, "people exists"),
            ({"into": "people", "sensitive_into": "two"}, "people exists"),
            ({"into": "one", "sensitive_into": "ONE"}, "are both one"),
            ({"sensitive_into": "two"}, "sensitive_into needs into"),
            ({"into": "one", "sensitive_into": "two", "l": 4}, "no buckets can have 4"),
        ]
        for arguments, message in wrong:
            with pytest.raises(sqlanon.InputError, match=message):
                sqlanon.anatomize(con, "people", **{**PEOPLE, **arguments})
            assert tables(con) == before

        def lossy(run: Anatomy) -> exp.Select:
            return select(
                call_of(
                    "_anatomy_release", run.chain.table("parted"), run.qi, run.sensitive, run.keep, 1
                ).subquery()
            ).limit(60)

        monkeypatch.setattr(Anatomy, "release", lossy)
        with pytest.raises(sqlanon.VerificationError, match="a row is lost"):
            sqlanon.anatomize(con, "people", into="one", sensitive_into="two", **PEOPLE)
        assert tables(con) == before

    def test_in_a_transaction_of_the_caller(self, con: duckdb.DuckDBPyConnection) -> None:
        before = tables(con)
        con.execute("begin").fetchall()
        sqlanon.anatomize(con, "people", into="one", sensitive_into="two", **PEOPLE)
        assert con.execute("select count(*) from one").fetchall() == [(61,)]
        con.execute("rollback").fetchall()
        assert tables(con) == before


@pytest.mark.parametrize(
    ("change", "result"),
    [
        ("disease[1:2] as disease", "sensitive value is lost"),
        ("[disease[2], disease[1], disease[1]] as disease", "sensitive value is lost"),
        ("1 as age", "row is lost"),
        ("case when age = 0 then 1 else bucket end as bucket", "is lost, or there twice"),
    ],
)
def test_a_bad_release_does_not_stand(
    con: duckdb.DuckDBPyConnection, monkeypatch: pytest.MonkeyPatch, change: str, result: str
) -> None:
    right = Anatomy.release

    def wrong(run: Anatomy) -> exp.Select:
        return exp.select(f"* replace ({change})", dialect="duckdb").from_(right(run).subquery())

    monkeypatch.setattr(Anatomy, "release", wrong)
    with pytest.raises(sqlanon.VerificationError, match=result):
        sqlanon.anatomize(con, "people", into="bad", **PEOPLE)
    assert "bad" not in tables(con)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"l": None}, "anatomize needs l"),
        ({"l": 0}, "l must be a whole number of at least 1, not 0"),
        ({"l": 2.5}, "l must be a whole number of at least 1, not 2.5"),
        ({"l": 4}, "of 61 rows 16 have the value d0, and 15 may"),
        ({"l": 62}, "of 61 rows 16 have the value d0, and 0 may"),
        ({"sensitive": None}, "anatomize needs one sensitive column, not 0"),
        ({"sensitive": ["disease", "name"]}, "anatomize needs one sensitive column, not 2"),
        ({"qi": []}, "qi names no column"),
        ({"keep": "Age"}, 'column "Age" is named twice'),
        ({"qi": "agee"}, "agee"),
        ({"sensitive": "diseas"}, "diseas"),
    ],
)
def test_bad_input(con: duckdb.DuckDBPyConnection, arguments: dict[str, Any], message: str) -> None:
    given = {**PEOPLE, **arguments}
    with pytest.raises(duckdb.Error, match=message):
        rows(con, "anatomize", "people", **given)
    if given["l"] is not None:
        with pytest.raises(sqlanon.InputError, match=message):
            sqlanon.anatomize(con, "people", into="bad", **given)
        assert "bad" not in tables(con)


def test_an_empty_table_and_a_column_named_bucket(con: duckdb.DuckDBPyConnection) -> None:
    con.execute("create or replace table nobody as from people limit 0").fetchall()
    with pytest.raises(duckdb.InvalidInputException, match="table nobody is empty"):
        rows(con, "anatomize", "nobody", **PEOPLE)
    con.execute("create or replace table odd as select *, 1 as Bucket from people").fetchall()
    with pytest.raises(duckdb.InvalidInputException, match="a column is named bucket"):
        rows(con, "anatomize", "odd", keep="Bucket", **PEOPLE)
    assert len(rows(con, "anatomize", "odd", **PEOPLE)) == 61


@pytest.mark.slow("1.0 s")
@data.needs_data
def test_adult(con: duckdb.DuckDBPyConnection) -> None:
    """The most frequent occupation has 4,038 of 30,162 rows: l is 7 at most."""
    data.load_adult(con, "adult")
    arguments: dict[str, Any] = {"qi": data.ADULT_QI, "sensitive": "occupation"}
    release = sqlanon.anatomize(con, "adult", l=7, **arguments)
    assert (release.rows, release.classes) == (30162, 30162 // 7)
    assert release.reached == {"distinct l-diversity": 7}
    with pytest.raises(
        sqlanon.InputError, match="of 30162 rows 4038 have the value Prof-specialty, and 3770 may"
    ):
        sqlanon.anatomize(con, "adult", l=8, **arguments)
