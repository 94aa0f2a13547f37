"""Relaxed Mondrian and InfoGain Mondrian in SQL and in Python against the slow ones, and on Adult."""

# As texts: Hypothesis keeps evaluated annotations, and DuckDB 2.0 reports its types there as leaks.
from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sqlanon
from tests import data
from tests.anonymize.test_mondrian import Case, cases
from tests.budget import examples
from tests.oracles import canonical, covers
from tests.oracles.mondrian import Infeasible, Mondrian
from tests.oracles.mondrian_variants import InfoGain, Relaxed
from tests.oracles.privacy import Requirements
from tests.tables import (
    Column,
    call,
    columns,
    hierarchies_by_position,
    identifier,
    load,
    orders_by_position,
    rows,
)

few = examples(15)
fewer = examples(8)


@pytest.fixture(scope="module")
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        sqlanon.register(connection)
        yield connection


def oracle_of(kind: type[Mondrian], case: Case) -> Any:
    return kind(
        list(zip(*(c.values for c in case.qi), strict=True)),
        list(zip(*(c.values for c in case.sensitive), strict=True)) or None,
        Requirements(**case.requirements),
        orders=orders_by_position(case.qi),
        hierarchies=hierarchies_by_position(case.qi),
        sensitive_orders=orders_by_position(case.sensitive),
        sensitive_hierarchies=hierarchies_by_position(case.sensitive),
    )


def raw(case: Case, row: int) -> tuple[Any, ...]:
    return tuple(canonical(c.values[row]) for c in case.qi)


def judged(case: Case, row: int) -> tuple[Any, ...]:
    """The sensitive values that requirements look at."""
    if set(case.requirements) <= {"k"}:
        return ()
    return tuple(canonical(c.values[row]) for c in case.sensitive)


def check_rows(case: Case, released: Sequence[Sequence[Any]]) -> None:
    """Every row is there once, with its own sensitive values and quasi-identifiers that cover its own."""
    assert sorted(row[-1] for row in released) == list(range(len(case.qi[0].values)))
    for *values, i in released:
        assert [canonical(value) for value in values[len(case.qi) :]] == [
            canonical(c.values[i]) for c in case.sensitive
        ]
        for value, c in zip(values, case.qi, strict=False):
            assert covers.covers(value, c.values[i], c.labels(c.values[i]))


class TestRelaxed:
    @few
    @given(cases())
    def test_random_tables(self, con: duckdb.DuckDBPyConnection, case: Case) -> None:
        arguments, oracle = {**case.load(con), "relaxed": True}, oracle_of(Relaxed, case)
        try:
            classes = oracle.classes()
        except Infeasible:
            with pytest.raises(duckdb.Error, match="meet the requirements"):
                rows(con, "mondrian", "t", **arguments)
            return
        released = rows(con, "mondrian", "t", **arguments)
        check_rows(case, released)
        # which of the rows with the same values are in a class is a matter of chance
        wanted = Counter(
            (oracle.released_values(members), raw(case, row), judged(case, row))
            for members in classes
            for row in members
        )
        result = Counter(
            (tuple(row[: len(case.qi)]), raw(case, row[-1]), judged(case, row[-1])) for row in released
        )
        assert result == wanted

        # classes that overlap until they look the same are one in the release: it still holds there
        # (an ENUM leaves as text, since its type names all values: for an order it is an ENUM again)
        typed = ", ".join(f"{identifier(c.name)}::{c.type} as {identifier(c.name)}" for c in case.sensitive)
        con.execute(
            f"create or replace table r as select * {f'replace ({typed})' if typed else ''} from "
            + call("mondrian", "t", **arguments)
        ).fetchall()
        required = {name: value for name, value in case.requirements.items() if name == "k" or case.sensitive}
        about = {"qi": arguments["qi"], "sensitive": arguments["sensitive"]}
        if arguments["hierarchies"]:
            about["hierarchies"] = arguments["hierarchies"]
        assert rows(con, "violations", "r", **about, **required) == []

    @fewer
    @given(st.integers(1, 5), st.data())
    def test_class_sizes(self, con: duckdb.DuckDBPyConnection, k: int, data: st.DataObject) -> None:
        """k to 2k - 1 rows, unless classes look the same."""
        n = data.draw(st.integers(k, 40))
        qi = [data.draw(columns(f"q{i}", n, ["INTEGER", "DATE", "VARCHAR"], width=4)) for i in range(2)]
        case = Case([Column(c.name, c.type, c.values) for c in qi], [], {"k": k})
        oracle = oracle_of(Relaxed, case)
        sizes: Counter[Any] = Counter()
        for members in oracle.classes():
            assert k <= len(members)
            assert len(members) < 2 * k or len({raw(case, row) for row in members}) == 1
            sizes[oracle.released_values(members)] += len(members)
        released = rows(con, "mondrian", "t", **case.load(con), relaxed=True)
        assert Counter(tuple(row[:2]) for row in released) == sizes

    @pytest.mark.slow("0.7 s")
    @fewer
    @given(cases(), st.randoms(use_true_random=False))
    def test_python_and_the_order_of_the_table(
        self, con: duckdb.DuckDBPyConnection, case: Case, random: Any
    ) -> None:
        """The same rows with a seed, from a macro or function, and from a table in another order."""
        arguments = {**case.load(con), "relaxed": True, "seed": 2, "keep": None}
        shuffled = list(range(len(case.qi[0].values)))
        random.shuffle(shuffled)
        try:
            wanted = rows(con, "mondrian", "t", **arguments)
        except duckdb.InvalidInputException:
            return
        con.execute(
            "create or replace table shuffled as select t.* from t "
            "join (select unnest(?::bigint[]) as id, unnest(range(?)) as place) as o using (id) "
            "order by place",
            [shuffled, len(shuffled)],
        ).fetchall()
        assert repr(rows(con, "mondrian", "shuffled", **arguments)) == repr(wanted)
        del arguments["keep"]
        release = sqlanon.mondrian(con, "t", into="r", replace=True, **arguments)
        assert repr(con.execute("from r").fetchall()) == repr(wanted)
        assert release.parameters["relaxed"] is True

    def test_a_frequent_value_is_divided_at_random(self, con: duckdb.DuckDBPyConnection) -> None:
        """Half of a value's rows go with the smaller ones: which, says the seed alone, and no column."""
        con.execute(
            "create or replace table t as select range // 10 % 3 as a, range % 10 as s, range as id "
            "from range(30)"
        ).fetchall()

        def lower(**more: Any) -> set[int]:
            released = rows(con, "mondrian", "t", qi="a", keep=["s", "id"], k=15, relaxed=True, **more)
            assert Counter(row[0] for row in released) == {"[0, 1]": 15, "[1, 2]": 15}
            return {i for a, _, i in released if a == "[0, 1]" and 10 <= i < 20}

        halves = [lower(seed=seed) for seed in range(10)]
        assert lower(seed=1) == halves[1]
        assert len(set(map(frozenset, halves))) > 1
        assert len({frozenset(lower()) for _ in range(4)}) > 1
        members = Counter(i for half in halves for i in half)
        assert set(members) == set(range(10, 20))
        assert all(1 <= times <= 9 for times in members.values())  # of 10, 5 are expected

    def test_rows_that_are_the_same_are_divided(self, con: duckdb.DuckDBPyConnection) -> None:
        con.execute("create or replace table t as select range // 10 % 3 as a from range(30)").fetchall()
        released = rows(con, "mondrian", "t", qi="a", k=15, relaxed=True)
        assert Counter(released) == {("[0, 1]",): 15, ("[1, 2]",): 15}
        assert Counter(rows(con, "mondrian", "t", qi="a", k=15)) == {("[0, 2]",): 30}

    def test_sensitive_values_are_divided_in_proportion(self, con: duckdb.DuckDBPyConnection) -> None:
        con.execute(
            "create or replace table t as select range // 20 % 3 as a, range % 2 as s, range as id "
            "from range(60)"
        ).fetchall()
        released = rows(con, "mondrian", "t", qi="a", sensitive="s", k=30, l=2, relaxed=True)
        assert Counter(released) == {(a, s): 15 for a in ("[0, 1]", "[1, 2]") for s in (0, 1)}

    def test_names_of_any_kind(self, con: duckdb.DuckDBPyConnection) -> None:
        names = ["place", "twin", 'q1"; --', "{i}"]
        chosen = ", ".join(
            f"(hash(range, {i}) % {3 + i})::integer as {identifier(name)}" for i, name in enumerate(names)
        )
        con.execute(f"create or replace table t as select {chosen} from range(50)").fetchall()
        released = rows(
            con, "mondrian", "t", qi=names[:2], sensitive=names[2], keep=names[3], k=4, l=2, relaxed=True
        )
        assert len(released) == 50

    def test_range_recoding(self, con: duckdb.DuckDBPyConnection) -> None:
        con.execute("create or replace table t as select range // 10 % 3 as a from range(30)").fetchall()
        released = rows(con, "mondrian", "t", qi="a", k=15, relaxed=True, recoding="range")
        assert Counter((a["lo"], a["hi"]) for (a,) in released) == {(0, 1): 15, (1, 2): 15}


class TestInfoGain:
    @pytest.mark.slow("0.5 s")
    @few
    @given(cases(), st.data())
    def test_random_tables(self, con: duckdb.DuckDBPyConnection, case: Case, data: st.DataObject) -> None:
        n = len(case.qi[0].values)
        own = data.draw(columns("class label", n, ["VARCHAR", "INTEGER", "BOOLEAN"], 3))
        target = data.draw(st.sampled_from([own, *case.sensitive]))
        arguments = case.load(con)
        load(con, "t", [*case.qi, *case.sensitive, own])
        arguments |= {"keep": ["class label", "id"], "target": target.name.upper()}
        oracle = oracle_of(InfoGain, case)
        oracle.target = [canonical(value) for value in target.values]
        try:
            classes = oracle.classes()
        except Infeasible:
            with pytest.raises(duckdb.Error, match="meet the requirements"):
                rows(con, "mondrian", "t", **arguments)
            return
        released = rows(con, "mondrian", "t", **arguments, seed=1)
        result: dict[tuple[Any, ...], set[int]] = {}
        for row in released:
            result.setdefault(tuple(row[: len(case.qi)]), set()).add(row[-1])
        assert result == {oracle.released_values(members): set(members) for members in classes}
        check_rows(case, [(*row[:-2], row[-1]) for row in released])
        for members in classes:
            assert oracle.satisfied(members)
            assert not oracle.could_be_cut(members)
        if data.draw(st.booleans()):
            release = sqlanon.mondrian(con, "t", into="r", replace=True, seed=1, **arguments)
            assert repr(con.execute("from r").fetchall()) == repr(released)
            assert release.parameters["target"] == target.name.upper()

    def test_a_threshold_instead_of_the_median(self, con: duckdb.DuckDBPyConnection) -> None:
        """What tells the target is the narrow attribute, and a value far from the middle."""
        con.execute(
            "create or replace table t as "
            "select range as wide, range % 10 as narrow, (range % 10 < 2)::integer as label from range(100)"
        ).fetchall()
        released = rows(con, "mondrian", "t", qi=["wide", "narrow"], keep="label", k=20, target="label")
        lower = [row for row in released if row[1] in ("[0, 1]", "0", "1")]
        assert {row[2] for row in lower} == {1}
        assert len(lower) == 20

    @pytest.mark.slow("0.4 s")
    def test_requirements_that_refuse_all_gains_leave_the_medians(
        self, con: duckdb.DuckDBPyConnection
    ) -> None:
        """A sensitive target: what tells it is not allowed, but the table can be cut."""
        con.execute(
            "create or replace table t as select range as a, (range >= 10)::integer as s "
            "from range(16) union all select range, 1 - (range >= 10)::integer from range(4, 8)"
        ).fetchall()
        required: dict[str, Any] = {"qi": "a", "sensitive": "s", "k": 2, "l": 2}
        plain = Counter(row[0] for row in rows(con, "mondrian", "t", **required))
        gained = Counter(row[0] for row in rows(con, "mondrian", "t", **required, target="s"))
        assert len(gained) > 1
        assert len(plain) > 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"target": "s", "relaxed": True}, "target does not go with relaxed := true"),
        ({"target": "disease"}, 'target must be one of the columns in sensitive and keep, .*, not "disease"'),
        ({"target": "a"}, "target must be one of the columns in sensitive and keep"),
        ({"relaxed": True, "k_map": 2}, "k_map, dmin and dmax do not go with relaxed := true"),
        ({"target": "s", "k_map": 2}, "k_map, dmin and dmax do not go with target"),
    ],
)
def test_what_does_not_go_together(
    con: duckdb.DuckDBPyConnection, arguments: dict[str, Any], message: str
) -> None:
    con.execute("create or replace table t as select range as a, range % 2 as s from range(10)").fetchall()
    given: dict[str, Any] = {"qi": "a", "sensitive": "s", "k": 2, **arguments}
    if "k_map" in given:
        given["population"] = "t"
    with pytest.raises(duckdb.Error, match=message):
        rows(con, "mondrian", "t", **given)
    with pytest.raises(sqlanon.InputError, match=message):
        sqlanon.mondrian(con, "t", into="bad", **given)
    assert con.execute("select count(*) from duckdb_tables() where table_name = 'bad'").fetchall() == [(0,)]


@pytest.fixture(scope="module")
def adult(con: duckdb.DuckDBPyConnection) -> str:
    data.load_adult(con, "adult")
    return "adult"


@data.needs_data
class TestAdult:
    @pytest.mark.slow("1.0 s")
    def test_relaxed_classes_are_smaller(self, con: duckdb.DuckDBPyConnection, adult: str) -> None:
        result = {}
        for relaxed in (False, True):
            relation = call(
                "mondrian", adult, qi=data.ADULT_QI, sensitive="occupation", k=5, relaxed=relaxed, seed=1
            )
            con.execute(f"create or replace table r as from {relation}").fetchall()
            assert rows(con, "violations", "r", qi=data.ADULT_QI, k=5) == []
            [(classes, smallest, total)] = con.execute(
                f"select count(*), min(size), sum(size) from {call('classes', 'r', qi=data.ADULT_QI)}"
            ).fetchall()
            assert smallest >= 5
            assert total == 30162
            result[relaxed] = classes
        average = {relaxed: 30162 / classes / 5 for relaxed, classes in result.items()}
        assert result[False] == 2966
        assert average[True] < average[False]

    @pytest.mark.slow("Adult")
    def test_a_target_is_told_by_its_classes(self, con: duckdb.DuckDBPyConnection, adult: str) -> None:
        """Who guesses the most frequent occupation of a class is right more often than with medians."""
        right = {}
        for target in (None, "occupation"):
            relation = call("mondrian", adult, qi=data.ADULT_QI, keep="occupation", k=50, target=target)
            con.execute(f"create or replace table r as from {relation}").fetchall()
            groups = ", ".join(data.ADULT_QI)
            [(count,)] = con.execute(
                f"""select sum(n) from (
                    select max(n) as n from (select {groups}, count(*) as n from r
                    group by {groups}, occupation)
                    group by {groups})"""
            ).fetchall()
            right[target] = count / 30162
        assert right["occupation"] > right[None]
