"""Mu-Argus in SQL and in Python against the slow one, and the frequencies by which both are checked."""

# As texts: Hypothesis keeps evaluated annotations, and DuckDB 2.0 reports its types there as leaks.
from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sqlanon
from sqlanon.core import library
from tests import data
from tests.budget import examples
from tests.oracles import as_text, canonical, sort_key
from tests.oracles.mu_argus import SUPPRESSED, MuArgus, frequency, match, subsets
from tests.tables import Column, call, columns, identifier, load, rows

few = examples(25)
fewer = examples(8)

TYPES = ["INTEGER", "DOUBLE", "VARCHAR", "BOOLEAN", "DATE", "ENUM ('small', 'medium', 'large')"]


@pytest.fixture(scope="module")
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        sqlanon.register(connection)
        yield connection


@dataclass(frozen=True)
class Case:
    """A table, and what is required of its release."""

    qi: list[Column]
    requirements: dict[str, Any]

    @property
    def arguments(self) -> dict[str, Any]:
        return {"qi": [c.name for c in self.qi], "keep": "id", **self.requirements}

    @property
    def table(self) -> list[tuple[Any, ...]]:
        return list(zip(*(c.values for c in self.qi), strict=True))

    @property
    def size(self) -> int:
        return self.requirements["size"] or len(self.qi)

    @property
    def oracle(self) -> MuArgus:
        return MuArgus(
            self.table,
            self.requirements["k"],
            self.size,
            self.requirements["weights"] or [1] * len(self.qi),
            self.requirements["wildcards"],
            [list(c.order).index if c.order else sort_key for c in self.qi],
        )


@st.composite
def cases(draw: st.DrawFn) -> Case:
    n = draw(st.integers(1, 25))
    qi = [draw(columns(f"q {i}", n, TYPES, draw(st.integers(1, 4)))) for i in range(draw(st.integers(1, 4)))]
    weights = st.lists(st.sampled_from([0.5, 1, 2, 3]), min_size=len(qi), max_size=len(qi))
    return Case(
        qi,
        {
            "k": draw(st.integers(1, min(n, 5))),
            "size": draw(st.none() | st.integers(1, len(qi))),
            "weights": draw(st.none() | weights),
            "wildcards": draw(st.booleans()),
        },
    )


def in_order(released: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """The released quasi-identifiers of rows that end with an id, by id."""
    assert sorted(row[-1] for row in released) == list(range(len(released)))
    return [row[:-1] for row in sorted(released, key=lambda row: row[-1])]


def shown(released: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """Released texts as the oracle has them."""
    return [tuple(SUPPRESSED if value == "*" else value for value in row) for row in released]


class TestAgainstTheOracle:
    @few
    @given(cases())
    def test_random_tables(self, con: duckdb.DuckDBPyConnection, case: Case) -> None:
        load(con, "t", case.qi)
        released = in_order(rows(con, "mu_argus", "t", **case.arguments))
        wanted = [
            tuple("*" if value is SUPPRESSED else as_text(value) for value in row)
            for row in case.oracle.release()
        ]
        assert released == [
            tuple(
                answer if answer == "*" else text(c, value)
                for answer, value, c in zip(row, raw, case.qi, strict=True)
            )
            for row, raw in zip(wanted, case.table, strict=True)
        ]

    @few
    @given(cases())
    def test_a_release_is_valid(self, con: duckdb.DuckDBPyConnection, case: Case) -> None:
        """Every combination of up to `size` attributes of every row has k matches."""
        load(con, "t", case.qi)
        released = shown(in_order(rows(con, "mu_argus", "t", **case.arguments)))
        attributes = range(len(case.qi))
        for seen in subsets(attributes, range(case.size + 1)):
            assert all(frequency(released, row, seen) >= case.requirements["k"] for row in released)
        if not case.requirements["wildcards"]:
            whole = [
                tuple(text(c, value) for c, value in zip(case.qi, raw, strict=True)) for raw in case.table
            ]
            for row in released:
                kept = [a for a in attributes if row[a] is not SUPPRESSED]
                for seen in combinations(kept, min(case.size, len(kept))):
                    assert frequency(whole, row, seen) >= case.requirements["k"]

    @fewer
    @given(cases())
    def test_python_gives_the_same_rows(self, con: duckdb.DuckDBPyConnection, case: Case) -> None:
        load(con, "t", case.qi)
        arguments = {**case.arguments, "seed": 3}
        wanted = rows(con, "mu_argus", "t", **arguments)
        if case.requirements["weights"]:
            names = (c.name.upper() for c in case.qi)
            arguments["weights"] = dict(zip(names, case.requirements["weights"], strict=True))
        release = sqlanon.mu_argus(con, "t", into="r", replace=True, **arguments)
        assert con.execute("from r").fetchall() == wanted
        assert release.rows == len(wanted)
        assert release.classes == len({row[:-1] for row in wanted})
        assert release.reached["k-anonymity"] >= case.requirements["k"]
        cells = {c.name: sum(row[i] == "*" for row in wanted) for i, c in enumerate(case.qi)}
        assert release.details == {"suppressed_cells": cells}

    @fewer
    @given(cases(), st.randoms(use_true_random=False))
    def test_the_order_of_the_table_does_not_matter(
        self, con: duckdb.DuckDBPyConnection, case: Case, random: Any
    ) -> None:
        load(con, "t", case.qi)
        order = list(range(len(case.table)))
        random.shuffle(order)
        con.execute(
            "create or replace table shuffled as select t.* from t "
            "join (select unnest(?::bigint[]) as id, unnest(range(?)) as place) as o using (id) "
            "order by place",
            [order, len(order)],
        ).fetchall()
        arguments = {**case.arguments, "seed": 1}
        assert rows(con, "mu_argus", "shuffled", **arguments) == rows(con, "mu_argus", "t", **arguments)


def text(column: Column, value: Any) -> str | None:
    """What a cell that is not suppressed releases."""
    return as_text(canonical(value))


@st.composite
def released_tables(draw: st.DrawFn) -> list[tuple[str | None, ...]]:
    width = draw(st.integers(1, 4))
    cell = st.sampled_from(["a", "b", "c", "*", None])
    return draw(st.lists(st.tuples(*[cell] * width), min_size=1, max_size=40))


class TestFrequencies:
    @few
    @given(released_tables(), st.sampled_from(["*", "c", None]))
    def test_random_tables(
        self, con: duckdb.DuckDBPyConnection, table: list[tuple[str | None, ...]], suppressed: str | None
    ) -> None:
        names = [f"q{i}" for i in range(len(table[0]))]
        load(
            con,
            "t",
            [
                Column(name, "VARCHAR", values)
                for name, values in zip(names, zip(*table, strict=True), strict=True)
            ],
        )
        lacks = [
            tuple(SUPPRESSED if value in (suppressed, None) else value for value in row) for row in table
        ]
        wanted = {
            (*row, size, frequency(lacks, lacks[table.index(row)], range(len(row))))
            for row, size in Counter(table).items()
        }
        argument = "null" if suppressed is None else f"'{suppressed}'"
        result = con.execute(
            f"from sqlanon.wildcard_frequencies('t', {names}, suppressed := {argument})"
        ).fetchall()
        assert len(result) == len(wanted)
        assert set(result) == wanted

    def test_numbers_lack_what_is_null(self, con: duckdb.DuckDBPyConnection) -> None:
        con.execute(
            "create or replace table t as select unnest([1, 1, 2, null]::integer[]) as a, "
            "unnest(['x', null, 'x', 'y']) as b"
        ).fetchall()
        result = con.execute("from sqlanon.wildcard_frequencies('t', ['a', 'b'])").fetchall()
        assert sorted(result, key=str) == [(1, "x", 1, 2), (1, None, 1, 3), (2, "x", 1, 1), (None, "y", 1, 2)]

    def test_the_columns_have_their_names(self, con: duckdb.DuckDBPyConnection) -> None:
        con.execute('create or replace table t as select 1 as "a, b", 2 as "it\'s"').fetchall()
        relation = con.sql("from sqlanon.wildcard_frequencies('t', ['it''s', 'a, b'])")
        assert relation.columns == ["it's", "a, b", "size", "frequency"]

    def test_null_can_be_a_value_of_its_own(self, con: duckdb.DuckDBPyConnection) -> None:
        con.execute(
            "create or replace table c as select unnest(['*', 'x', null]) as q1, unnest([1, 2, 4]) as n"
        ).fetchall()
        counted = "select q1, frequency from sqlanon._wildcard_frequencies('c', ['q'], '*', {}) order by q1"
        assert con.execute(counted.format("false")).fetchall() == [("*", 7), ("x", 3), (None, 5)]
        assert con.execute(counted.format("true")).fetchall() == [("*", 7), ("x", 7), (None, 7)]

    def test_an_unknown_column(self, con: duckdb.DuckDBPyConnection) -> None:
        con.execute("create or replace table t as select 1 as age").fetchall()
        with pytest.raises(duckdb.BinderException, match='"ages" not found'):
            con.execute("from sqlanon.wildcard_frequencies('t', 'ages')").fetchall()


class TestRelease:
    @pytest.fixture(autouse=True)
    def people(self, con: duckdb.DuckDBPyConnection) -> None:
        con.execute(
            """create or replace table people as
            select (range % 7)::integer as age, (range % 5)::varchar as zip, 'd' || range % 3 as disease,
                'secret' as name, range as id from range(60)"""
        ).fetchall()

    def test_only_named_columns_leave_in_the_order_of_their_roles(
        self, con: duckdb.DuckDBPyConnection
    ) -> None:
        relation = call("mu_argus", "people", qi=["zip", "age"], sensitive="disease", keep=["id"], k=3)
        described = con.execute(f"describe from {relation}").fetchall()
        assert [name for name, *_ in described] == ["zip", "age", "disease", "id"]
        relation = call("mu_argus", "people", qi="zip", k=3)
        assert [name for name, *_ in con.execute(f"describe from {relation}").fetchall()] == ["zip"]

    def test_every_row_leaves_with_its_sensitive_and_kept_values(
        self, con: duckdb.DuckDBPyConnection
    ) -> None:
        released = rows(con, "mu_argus", "people", qi=["age", "zip"], sensitive="disease", keep="id", k=4)
        before = dict(con.execute("select id, (age::varchar, zip, disease) from people").fetchall())
        assert len(released) == len(before)
        for age, zip_code, disease, i in released:
            assert age in ("*", before[i][0])
            assert zip_code in ("*", before[i][1])
            assert disease == before[i][2]

    def test_range_keeps_types_and_suppresses_to_null(self, con: duckdb.DuckDBPyConnection) -> None:
        arguments: dict[str, Any] = {"qi": ["age", "zip"], "keep": "id", "k": 4, "seed": 1}
        relation = call("mu_argus", "people", recoding="range", **arguments)
        described = con.execute(f"describe from {relation}").fetchall()
        assert [row[1] for row in described] == ["INTEGER", "VARCHAR", "BIGINT"]
        texts = in_order(rows(con, "mu_argus", "people", **arguments))
        typed = in_order(con.execute(f"from {relation}").fetchall())
        assert typed == [
            (None if age == "*" else int(age), None if zip_code == "*" else zip_code)
            for age, zip_code in texts
        ]
        assert any(None in row for row in typed)

    def test_k_1_suppresses_nothing(self, con: duckdb.DuckDBPyConnection) -> None:
        release = sqlanon.mu_argus(con, "people", qi=["age", "zip", "id"], k=1)
        assert release.details["suppressed_cells"] == {"age": 0, "zip": 0, "id": 0}

    def test_all_rows_required(self, con: duckdb.DuckDBPyConnection) -> None:
        release = sqlanon.mu_argus(con, "people", qi="id", k=60, wildcards=False)
        assert release.details["suppressed_cells"] == {"id": 60}

    def test_a_dear_column_is_suppressed_less(self, con: duckdb.DuckDBPyConnection) -> None:
        def cells(**weights: float) -> int:
            release = sqlanon.mu_argus(
                con, "people", qi=["age", "zip"], k=3, wildcards=False, weights=weights
            )
            result: int = release.details["suppressed_cells"]["age"]
            return result

        assert cells(age=5) == 0
        assert cells(zip=5) == 60

    def test_wildcards_spare_rows_that_suppressed_ones_make_safe(
        self, con: duckdb.DuckDBPyConnection
    ) -> None:
        """Ten ages, each alone: of k = 3 rows that look the same two are enough."""
        con.execute(
            "create or replace table ages as select range as age, 'x' as zip from range(10)"
        ).fetchall()
        for wildcards, suppressed in ((True, 2), (False, 10)):
            release = sqlanon.mu_argus(con, "ages", qi=["age", "zip"], k=3, wildcards=wildcards)
            assert release.details["suppressed_cells"] == {"age": suppressed, "zip": 0}

    def test_missing_values_are_values(self, con: duckdb.DuckDBPyConnection) -> None:
        con.execute(
            "create or replace table t as select unnest([null, null, 1, 1, 2]) as a, unnest(range(5)) as id"
        ).fetchall()
        released = in_order(rows(con, "mu_argus", "t", qi="a", keep="id", k=2))
        assert released == [(None,), (None,), ("1",), ("1",), ("*",)]
        assert sqlanon.mu_argus(con, "t", qi="a", k=2).reached == {"k-anonymity": 3}

    def test_a_seed_fixes_the_order_of_rows_and_nothing_else(self, con: duckdb.DuckDBPyConnection) -> None:
        arguments = {"qi": ["age", "zip"], "sensitive": "disease", "keep": "id", "k": 3}
        one, again, other = (rows(con, "mu_argus", "people", seed=seed, **arguments) for seed in (1, 1, 2))
        unseeded = [rows(con, "mu_argus", "people", **arguments) for _ in range(2)]
        assert one == again
        assert one != other
        assert unseeded[0] != unseeded[1]
        assert sorted(one) == sorted(other) == sorted(unseeded[0]) == sorted(unseeded[1])

    @pytest.mark.slow("0.5 s")
    def test_the_number_of_threads_changes_nothing(self, con: duckdb.DuckDBPyConnection) -> None:
        con.execute(
            """create or replace table large as
            select (hash(range, 1) % 40)::integer as a, (hash(range, 2) % 20)::integer as b,
                (hash(range, 3) % 9)::varchar as c, range as id from range(130000)"""
        ).fetchall()
        relation = call("mu_argus", "large", qi=["a", "b", "c"], keep="id", k=20, seed=1)
        threads = con.execute("select current_setting('threads')").fetchall()[0][0]
        releases = []
        for number in (1, 4):
            con.execute(f"set threads = {number}").fetchall()
            releases.append(con.execute(f"from {relation}").fetchall())
        con.execute(f"set threads = {threads}").fetchall()
        assert releases[0] == releases[1]
        assert len(releases[0]) == 130000

    def test_text_that_compares_without_case(self, con: duckdb.DuckDBPyConnection) -> None:
        con.execute("create or replace table nocase (a varchar collate nocase, id integer)").fetchall()
        con.execute("insert into nocase values ('A', 0), ('a', 1), ('b', 2), ('c', 3)").fetchall()
        for recoding in ("text", "range"):
            release = sqlanon.mu_argus(con, "nocase", qi="a", keep="id", k=2, recoding=recoding)
            assert release.rows == 4

    @pytest.mark.parametrize(
        "name",
        [
            '"',
            'a"b',
            "it's",
            "a, b",
            "{i}",
            "{c}",
            "mask",
            "n",
            "hidden",
            "q1",
            "size",
            "tuple_id",
            "select",
            "*",
            "ä 😀",
        ],
    )
    def test_hostile_names(self, con: duckdb.DuckDBPyConnection, name: str) -> None:
        table = "t " + name.replace('"', "")  # which query_table cannot read in DuckDB 1.5
        con.execute(
            f"create or replace table {identifier(table)} as select i % 5 as {identifier(name)}, "
            f"i // 9 as other, i % 2 as {identifier(name + '2')} from range(20) as r(i)"
        ).fetchall()
        arguments: dict[str, Any] = {"qi": [name, "other"], "keep": name + "2", "k": 3, "seed": 1}
        release = sqlanon.mu_argus(con, identifier(table), **arguments)
        assert set(release.details["suppressed_cells"]) == {name, "other"}
        assert release.relation(con).fetchall() == rows(con, "mu_argus", identifier(table), **arguments)
        relation = con.sql(f"from {call('wildcard_frequencies', release.table, qi=[name, 'other'])}")
        assert relation.columns[:2] == [name, "other"]
        assert min(row[-1] for row in relation.fetchall()) >= 3

    @pytest.mark.slow("hostile names")
    def test_a_name_of_the_macros_own(self, con: duckdb.DuckDBPyConnection) -> None:
        for table in (
            "open",
            "choice",
            "view",
            "safe",
            "masked",
            "numbered",
            "combination",
            "recoded",
            "src",
        ):
            con.execute(f"create or replace table {identifier(table)} as from people").fetchall()
            assert len(rows(con, "mu_argus", identifier(table), qi=["age", "zip"], k=3)) == 60
            assert rows(con, "wildcard_frequencies", identifier(table), qi="name") == [("secret", 60, 60)]
            con.execute(f"drop table {identifier(table)}").fetchall()


class TestPython:
    @pytest.fixture(autouse=True)
    def people(self, con: duckdb.DuckDBPyConnection) -> None:
        con.execute(
            "create or replace table people as select i % 7 as age, i % 5 as zip from range(60) as r(i)"
        ).fetchall()

    @staticmethod
    def tables(con: duckdb.DuckDBPyConnection) -> set[str]:
        result = con.execute("select table_name from duckdb_tables()").fetchall()
        return {name for (name,) in result}

    def test_into_and_replace(self, con: duckdb.DuckDBPyConnection) -> None:
        con.execute("drop table if exists r").fetchall()
        release = sqlanon.mu_argus(con, "people", qi=["age", "zip"], k=3, into="r")
        assert release.table == "r"
        with pytest.raises(sqlanon.InputError, match="r exists"):
            sqlanon.mu_argus(con, "people", qi=["age", "zip"], k=3, into="r")
        assert sqlanon.mu_argus(con, "people", qi="age", k=3, into="r", replace=True).rows == 60

    def test_sources(self, con: duckdb.DuckDBPyConnection) -> None:
        release = sqlanon.mu_argus(con, con.sql("from people"), qi=["age", "zip"], k=3)
        assert release.rows == 60

    def test_progress(self, con: duckdb.DuckDBPyConnection) -> None:
        answer: list[tuple[float, str]] = []
        sqlanon.mu_argus(con, "people", qi=["age", "zip"], k=3, progress=lambda *call: answer.append(call))
        assert [done for done, _ in answer] == sorted(done for done, _ in answer)
        assert answer[0] == (0, "reading")
        assert "choosing cells" in [message for _, message in answer]
        assert answer[-1] == (1, "done")

    def test_nothing_is_left_when_progress_raises(self, con: duckdb.DuckDBPyConnection) -> None:
        def stop(done: float, message: str) -> None:
            raise KeyboardInterrupt

        before = self.tables(con)
        with pytest.raises(KeyboardInterrupt):
            sqlanon.mu_argus(con, "people", qi=["age", "zip"], k=3, into="stopped", progress=stop)
        assert self.tables(con) == before

    @pytest.mark.slow("1.5 s")
    @pytest.mark.parametrize(
        ("wildcards", "suppressed", "frequency"),
        [(True, 1, 2), (True, 2, None), (False, 2, 1), (False, 10, None)],
    )
    def test_a_release_that_does_not_stand_up_to_the_check_is_thrown_away(
        self, wildcards: bool, suppressed: int, frequency: int | None
    ) -> None:
        """Ten ages, each alone, of which so many are suppressed."""
        with duckdb.connect() as con:
            library.keep_in_memory(con)
            con.execute("create table people as select range as age, 'x' as zip from range(10)").fetchall()
            con.execute(
                "create or replace macro sqlanon._mu_argus_suppression(assignment, tuples, qi, k, "
                "wildcards) as table "
                f"select tuple_id, (tuple_id <= {suppressed})::bigint as mask from query_table(tuples)"
            ).fetchall()
            arguments: dict[str, Any] = {"qi": ["age", "zip"], "k": 3, "wildcards": wildcards, "into": "r"}
            if frequency is None:
                sqlanon.mu_argus(con, "people", **arguments)
                return
            message = f"a combination of age, zip occurs in {frequency} rows, 3 are required"
            with pytest.raises(sqlanon.VerificationError, match=message):
                sqlanon.mu_argus(con, "people", **arguments)
            assert self.tables(con) == {"people"}

    def test_in_a_transaction_of_the_caller(self, con: duckdb.DuckDBPyConnection) -> None:
        con.execute("begin").fetchall()
        sqlanon.mu_argus(con, "people", qi=["age", "zip"], k=3, into="inside")
        con.execute("rollback").fetchall()
        assert "inside" not in self.tables(con)

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            ({"qi": "ages"}, 'unknown column "ages" in people; did you mean "age"'),
            ({"qi": []}, "qi names no column"),
            ({"qi": ["age", "AGE"]}, 'column "AGE" is named twice'),
            ({"k": None}, "mu_argus needs k"),
            ({"k": 0}, "k must be a whole number of at least 1, not 0"),
            ({"k": 61}, "k is 61, but the table has only 60 rows"),
            ({"size": 0}, "size must be a whole number of at least 1, not 0"),
            ({"size": 3}, "size must be at most 2, the number of columns in qi, not 3"),
            ({"weights": {"name": 1}}, 'weights names column "name", which is not in qi: age, zip'),
            ({"weights": {"age": 0}}, "weights must be numbers above 0"),
            ({"weights": {"zip": float("nan")}}, "weights must be numbers above 0"),
            ({"weights": {"zip": float("inf")}}, "weights must be numbers above 0"),
            ({"weights": {"zip": None}}, "weights must be numbers above 0"),
            ({"recoding": "set"}, "recoding must be text or range, not set"),
            ({"source": "nobody"}, 'unknown table "nobody"'),
        ],
    )
    def test_bad_input(self, con: duckdb.DuckDBPyConnection, arguments: dict[str, Any], message: str) -> None:
        with pytest.raises(sqlanon.InputError, match=message):
            sqlanon.mu_argus(con, **{"source": "people", "qi": ["age", "zip"], "k": 3, **arguments})

    def test_weights_of_another_length(self, con: duckdb.DuckDBPyConnection) -> None:
        with pytest.raises(duckdb.Error, match="weights must be as many as the columns in qi, 2, not 1"):
            rows(con, "mu_argus", "people", qi=["age", "zip"], k=3, weights=[1])

    def test_an_empty_table(self, con: duckdb.DuckDBPyConnection) -> None:
        con.execute("create or replace table none as from people limit 0").fetchall()
        with pytest.raises(sqlanon.InputError, match="table none is empty"):
            sqlanon.mu_argus(con, "none", qi="age", k=1)
        with pytest.raises(duckdb.Error, match="table none is empty"):
            rows(con, "mu_argus", "none", qi="age", k=1)

    @pytest.mark.slow("0.6 s")
    def test_too_many_attributes(self, con: duckdb.DuckDBPyConnection) -> None:
        names = [f"c{i}" for i in range(17)]
        con.execute(
            f"create or replace table wide as select {', '.join(f'1 as {name}' for name in names)}"
        ).fetchall()
        assert sqlanon.mu_argus(con, "wide", qi=names[:16], k=1, size=1).rows == 1
        with pytest.raises(sqlanon.InputError, match="takes up to 16 quasi-identifiers, not 17"):
            sqlanon.mu_argus(con, "wide", qi=names, k=1)

    def test_values_that_look_suppressed(self, con: duckdb.DuckDBPyConnection) -> None:
        con.execute("create or replace table t as select unnest(['*', 'a', 'a']) as \"it's\"").fetchall()
        with pytest.raises(sqlanon.InputError, match=r"column it's has the value \*.*recoding range"):
            sqlanon.mu_argus(con, "t", qi="it's", k=2)
        assert sqlanon.mu_argus(con, "t", qi="it's", k=2, recoding="range").rows == 3
        con.execute("insert into t values (null)").fetchall()
        with pytest.raises(sqlanon.InputError, match=r"column it's has missing values.*recoding text"):
            sqlanon.mu_argus(con, "t", qi="it's", k=2, recoding="range")


@data.needs_data
class TestAdult:
    """localSuppression of sdcMicro suppresses 15,753 cells here."""

    @pytest.fixture(autouse=True)
    def adult(self, con: duckdb.DuckDBPyConnection) -> None:
        data.load_adult(con, "adult")

    @pytest.mark.slow("1.5 s")
    @pytest.mark.parametrize(("wildcards", "cells"), [(True, 6804), (False, 16069)])
    def test_suppressed_cells(self, con: duckdb.DuckDBPyConnection, wildcards: bool, cells: int) -> None:
        release = sqlanon.mu_argus(
            con,
            "adult",
            qi=data.ADULT_QI,
            sensitive="occupation",
            k=5,
            wildcards=wildcards,
            into="r",
            replace=True,
        )
        assert (release.rows, release.reached) == (30162, {"k-anonymity": 5})
        assert sum(release.details["suppressed_cells"].values()) == cells
        stars = "+".join(f"count_if({column} = '*')" for column in data.ADULT_QI)
        assert con.execute(f"select {stars} from r").fetchall() == [(cells,)]

        # The frequencies once more, row by row for some of the rows.
        released = [
            tuple(SUPPRESSED if value == "*" else value for value in row)
            for row in con.execute(f"select {', '.join(data.ADULT_QI)} from r").fetchall()
        ]
        for row in released[::1000]:
            assert sum(match(row, other, range(7)) for other in released) >= 5

    @pytest.mark.slow("Adult")
    def test_pairs_and_triples(self, con: duckdb.DuckDBPyConnection) -> None:
        for size in (2, 3):
            for wildcards, optimum in ((True, None), (False, {2: 2772, 3: 9649}[size])):
                release = sqlanon.mu_argus(
                    con, "adult", qi=data.ADULT_QI, k=5, size=size, wildcards=wildcards
                )
                assert release.reached["k-anonymity"] >= 5
                assert optimum in (None, sum(release.details["suppressed_cells"].values()))


@pytest.mark.parametrize(
    "value",
    [
        "('00000000-0000-0000-0000-00000000000' || i)::uuid", "[i]", "{'a': i}", "i::bit",
        "json_object('a', i)",
        "map {'a': i}", "union_value(a := i)", "to_hours(24 * i::integer)", "to_days(i::integer)",
        "[i, 2]::integer[2]",
    ],
)  # fmt: skip
def test_values_of_any_type_are_checked_as_they_are_released(
    con: duckdb.DuckDBPyConnection, value: str
) -> None:
    """A star is no UUID and no list: what the table has is compared with it as text."""
    con.execute(
        f"create or replace table people as select {value} as x, 7 as y "
        "from range(9) as numbers(n), (select least(n, 1) as i)"
    )
    suppressed = sqlanon.mu_argus(
        con, "people", qi=["x", "y"], k=2, wildcards=False, into="east", replace=True
    )
    assert suppressed.details["suppressed_cells"] == {"x": 1, "y": 0}
    assert con.execute("select count(*) from east where x = '*'").fetchall() == [(1,)]
    statement = "from sqlanon.mu_argus('people', ['x', 'y'], k := 2, wildcards := false)"
    assert sorted(con.execute(statement).fetchall()) == sorted(con.execute("from east").fetchall())
