"""Counts with noise: what is counted, which groups are shown, and attempts to tell neighbours apart."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from typing import Any

import duckdb
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import sqlanon
from sqlanon.randomize import noise
from sqlanon.randomize.cost import Cost
from tests.budget import examples
from tests.oracles import noise as oracle
from tests.tables import identifier, literal

EXACT = 100  # the largest epsilon: without several groups there is next to no noise


def counts(con: duckdb.DuckDBPyConnection, arguments: str) -> list[tuple[Any, ...]]:
    return con.execute(f"select * from sqlanon.dp_counts({arguments})").fetchall()


class Budget:
    """A ledger that allows so many releases."""

    def __init__(self, releases: int = 1) -> None:
        self.left, self.spent = releases, list[Cost]()

    def spend(self, cost: Cost) -> None:
        if not self.left:
            raise PermissionError("nothing is left")
        self.left -= 1
        self.spent.append(cost)


class TestWhatIsCounted:
    @settings(examples(15), suppress_health_check=[HealthCheck.function_scoped_fixture])
    @given(
        rows=st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from(["x", "y", "z", None])), max_size=25),
        groups=st.integers(1, 3),
        most=st.integers(1, 3),
    )
    def test_bounds(
        self,
        drawing: duckdb.DuckDBPyConnection,
        rows: list[tuple[str, str | None]],
        groups: int,
        most: int,
    ) -> None:
        """Everybody counts in as many groups as they may, and in each as often as they may."""
        drawing.execute("create or replace temp table r(person varchar, g varchar)").fetchall()
        drawing.executemany("insert into r values (?, ?)", [("", "x"), *rows])
        keys = "with k as (select unnest(['x', 'y', null]) as g)"  # z is not public
        found = drawing.execute(
            f"""{keys} select g, n from sqlanon.dp_counts('r', 'g', epsilon := {EXACT}, unit := 'person',
            max_groups := {groups}, max_rows := {most}, keys := 'k')"""
        ).fetchall()
        assert [g for g, _ in found] == ["x", "y", None]
        each: dict[str, Counter[str | None]] = defaultdict(Counter)
        for person, g in [("", "x"), *rows]:
            if g != "z":
                each[person][g] += 1
        chosen = [sorted(min(n, most) for n in held.values()) for held in each.values()]
        total = sum(n for _, n in found)
        if groups * most <= 4:  # beyond there is some noise
            assert sum(sum(own[:groups]) for own in chosen) <= total
            assert total <= sum(sum(own[-groups:]) for own in chosen)
        if groups == 3 and most == 1:
            held_by = Counter(g for held in each.values() for g in held)
            assert dict(found) == {g: held_by[g] for g in ("x", "y", None)}

    def test_sql_and_python(self, drawing: duckdb.DuckDBPyConnection, con: duckdb.DuckDBPyConnection) -> None:
        """Nulls are groups; units are not; the order is that of the groups; collations do not count."""
        rows = "(values ('b', 2), ('a', 1), (null, 3), ('B', 2), ('b', null), ('b', null)) t(g, who)"
        for connection in (drawing, con):
            connection.execute(f"create or replace temp table t as from {rows}").fetchall()
            connection.execute("alter table t alter g type varchar collate nocase").fetchall()
        expected = [("B", 1), ("a", 1), ("b", 2), (None, 1)]
        told = [(g, n, pytest.approx(0, abs=1e-6), n, n) for g, n in expected]
        shared = {"epsilon": EXACT, "delta": 0.1, "unit": "who", "max_groups": 2}
        arguments = ", ".join(f"{name} := {value!r}" for name, value in shared.items())
        assert [
            row for row in counts(drawing, f"'t', 'g', {arguments}, selection := 'threshold'") if row[1] > 1
        ] == told[2:3]
        keys = pd.DataFrame({"g": ["b", "a", None, "B"]}, dtype=object)
        del shared["delta"]
        release = sqlanon.dp_counts(con, "t", "g", **shared, keys=keys)  # type: ignore[call-overload]
        assert release.relation(con).fetchall() == told
        assert release.cost == Cost(EXACT, 0, EXACT**2 / 2, "laplace", "dp_counts of t by g", unit="who")
        assert release.details["noise"][0]["scale"] == 2 / EXACT
        assert "epsilon 100" in str(release)

    def test_somebody_with_many_rows(self, drawing: duckdb.DuckDBPyConnection) -> None:
        drawing.execute(
            "create or replace temp table many as select i % 500 as g, 'A' as who from range(5000) t(i)"
        ).fetchall()
        rows = drawing.execute(
            """with k as (select unnest(range(500)) as g)
            select count(*), sum(n), max(n) from sqlanon.dp_counts('many', 'g', epsilon := 100,
            unit := 'who', max_groups := 2, max_rows := 2, keys := 'k') where n <> 0"""
        ).fetchall()
        assert rows == [(2, 4, 2)]

    def test_neighbours_raise_the_same(self, drawing: duckdb.DuckDBPyConnection) -> None:
        """No row, none of a public group, and one."""
        for rows in ("where false", "", "where i < 1"):
            drawing.execute(f"create or replace temp table t as select 7 as g from range(2) t(i) {rows}")
            assert counts(drawing, "'t', 'g', epsilon := 1, delta := 1e-9") == []
            drawing.execute("create or replace temp table k as select 8 as g").fetchall()
            [(g, _, _, low, high)] = counts(drawing, "'t', 'g', epsilon := 1, keys := 'k'")
            assert (g, high - low) == (8, 6)

    @pytest.mark.parametrize("names", [("noisy", "tau"), ("g2", "g1"), ("place", "group_id"), ('a"b', "{i}")])
    def test_names_of_columns(self, drawing: duckdb.DuckDBPyConnection, names: tuple[str, str]) -> None:
        """Those of what is at work inside are names like any other."""
        one, other = (identifier(name) for name in names)
        drawing.execute(
            f"""create or replace temp table k as select unnest([1, 2]) as {one}, unnest([8, 7]) as {other};
            create or replace temp table t as select *, i as x from k, range(3) r(i)"""
        ).fetchall()
        columns = f"[{literal(names[0])}, {literal(names[1])}]"
        rows = counts(drawing, f"'t', {columns}, epsilon := 100, keys := 'k'")
        assert [row[:3] for row in rows] == [(1, 8, 3), (2, 7, 3)]
        rows = drawing.execute(
            f"from sqlanon.dp_quantiles('t', {columns}, 'x', [0, 2], epsilon := 100, keys := 'k', cells := 2)"
        ).fetchall()
        assert [row[:3] for row in rows] == [(1, 8, 0.5), (2, 7, 0.5)]

    def test_nothing_below_0(self, drawing: duckdb.DuckDBPyConnection) -> None:
        drawing.execute("create or replace temp table k as select unnest(range(50)) as g").fetchall()
        drawing.execute("create or replace temp table t as from k").fetchall()
        rows = counts(drawing, "'t', 'g', epsilon := 0.1, keys := 'k', non_negative := true")
        assert len(rows) == 50
        assert all(0 <= low <= n <= high for *_, n, _, low, high in rows)


class TestBias:
    """What bounds leave out is no noise: intervals do not cover it, and the holder alone is told."""

    @pytest.fixture
    def visits(self, con: duckdb.DuckDBPyConnection) -> duckdb.DuckDBPyConnection:
        """200 people, each with 10 rows in each of two groups, one row in a third, and two that are not
        public; the table groups has the keys."""
        pytest.importorskip("opendp")
        con.execute(
            """create table visits as
            select person, g, 5 as v, false as odd from range(200) as t(person), range(10), range(2) as r(g)
            union all select person, unnest([2, 3, 3]), 5, true from range(200) as t(person)""",
        ).fetchall()
        con.execute("create table groups as select range as g from range(3)").fetchall()
        con.execute(
            """create table levels as select 'g' as attribute, g::varchar as value, level,
            if(level = 0, value, '*') as label from groups, range(2) as r(level)"""
        ).fetchall()
        return con

    @pytest.mark.parametrize(
        ("release", "arguments", "message"),
        [
            ("dp_counts", {"columns": "g", "keys": "groups", "max_groups": 3}, "3,600 of 4,200"),
            ("dp_counts", {"columns": "g", "keys": "groups", "max_groups": 3, "max_rows": 10}, None),
            ("dp_counts", {"columns": "g", "delta": 0.01, "max_groups": 4, "max_rows": 2}, "3,200 of 4,600"),
            ("dp_counts", {"columns": "g", "delta": 0.01, "max_groups": 1}, "4,400 of 4,600"),
            ("dp_counts", {"columns": "g", "keys": "groups", "unit": None}, None),
            ("dp_sums", {"columns": "g", "measure": "v", "bounds": [0, 9], "keys": "groups", "max_groups": 2},
             "3,800 of 4,200"),
            ("dp_means", {"columns": "g", "measure": "v", "bounds": [0, 9], "keys": "groups",
                          "max_groups": 2}, "3,800 of 4,200"),
            ("dp_quantiles", {"columns": "g", "measure": "v", "bounds": [0, 9], "keys": "groups",
                              "max_groups": 2}, "3,800 of 4,200"),
            ("dp_histogram", {"columns": "g", "hierarchies": "levels", "max_groups": 2}, "3,800 of 4,200"),
            ("dp_top", {"columns": "g", "keys": "groups", "max_rows": 10}, None),
            ("dp_top", {"columns": "g", "keys": "groups"}, "max_rows leaves out 3,600 of 4,200"),
            ("dp_contingency", {"columns": ["odd"], "marginals": [["odd"]], "max_groups": 1},
             "4,400 of 4,600"),
            ("dp_wavelet", {"measure": "g", "bounds": [0, 4], "cells": 4, "max_groups": 1}, "4,400 of 4,600"),
            ("dp_bounds", {"measure": "v", "max_groups": 1, "max_rows": 30}, None),
        ],
    )  # fmt: skip
    def test_what_is_left_out_is_told_on_stderr(
        self,
        visits: duckdb.DuckDBPyConnection,
        capsys: pytest.CaptureFixture[str],
        release: str,
        arguments: dict[str, Any],
        message: str | None,
    ) -> None:
        function = getattr(sqlanon, release)
        made = function(visits, "visits", **{"epsilon": EXACT, "unit": "person", **arguments})
        told = capsys.readouterr().err
        assert told.startswith("not private, for you alone: ") == (message is not None)
        assert (message or "") in told
        assert "left" not in str(made.details) + str(made.parameters) + str(made)

    def test_the_interval_is_about_what_counts(
        self, visits: duckdb.DuckDBPyConnection, capsys: pytest.CaptureFixture[str]
    ) -> None:
        """What is told is what is missing from the counts."""
        made = sqlanon.dp_counts(
            visits, "visits", "g", epsilon=EXACT, unit="person", max_groups=3, max_rows=7, keys="groups"
        )
        [(n, high)] = visits.execute(f"select sum(n), sum(high) from {made.table}").fetchall()
        assert n == pytest.approx(200 * (7 + 7 + 1), abs=30)
        assert high < 3300
        assert "leave out 1,200 of 4,200 rows" in capsys.readouterr().err

    @pytest.mark.parametrize("macro", [
        "dp_counts", "dp_sums", "dp_means", "dp_histogram", "dp_contingency", "dp_wavelet",
    ])  # fmt: skip
    def test_the_answer_says_so(self, con: duckdb.DuckDBPyConnection, macro: str) -> None:
        [(comment,)] = con.execute(
            "select distinct comment from duckdb_functions() where function_name = ?", [macro]
        ).fetchall()
        [low] = re.findall(r"^- low .*(?:\n  .*)*", comment, re.MULTILINE)
        assert "is about noise only" in " ".join(low.split())


class TestPrivacy:
    N = 4000  # groups, each a draw

    @pytest.mark.parametrize("mechanism", noise.MECHANISMS)
    def test_groups_of_one_unit(self, drawing: duckdb.DuckDBPyConnection, mechanism: str) -> None:
        """They are shown as rarely as delta says, and not much more rarely: a threshold one less is found."""
        delta = 0.1 if mechanism == "laplace" else 0.2
        drawing.execute(
            f"create or replace temp table t as select i as g, i // 2 as who from range({self.N}) t(i)"
        ).fetchall()
        rows = counts(
            drawing, f"'t', 'g', epsilon := 2, delta := {delta}, unit := 'who', max_groups := 2,"
            f" mechanism := '{mechanism}'"
        )  # fmt: skip
        shown = len(rows)
        assert shown / self.N < 0.05 + oracle.margin(self.N)
        if mechanism == "laplace":
            t = next(t for t in range(99) if oracle.tail("laplace", 1, t) <= 0.05)
            assert abs(shown / self.N - oracle.tail("laplace", 1, t)) < oracle.margin(self.N)
            assert oracle.tail("laplace", 1, t - 1) > 0.05 + oracle.margin(self.N)
            assert min(n for _, n, *_ in rows) == 1 + t  # what is told is what was compared

    @pytest.mark.parametrize("people", [1, 2, 4])
    def test_selected_groups(self, drawing: duckdb.DuckDBPyConnection, people: int) -> None:
        drawing.execute(
            f"create or replace temp table t as select i % {self.N} as g from range({people * self.N}) t(i)"
        ).fetchall()
        shown = len(counts(drawing, "'t', 'g', epsilon := 2, delta := 0.05, selection := 'partition'"))
        exact = oracle.selection_probability(people, 1, 0.05)
        assert abs(shown / self.N - exact) < oracle.margin(self.N)

    @pytest.mark.parametrize(
        ("mechanism", "budget"), [("laplace", "epsilon := 0.7"), ("gaussian", "rho := 0.08, delta := 0.01")]
    )
    def test_neighbours_look_alike(
        self, drawing: duckdb.DuckDBPyConnection, mechanism: str, budget: str
    ) -> None:
        """A group with and without somebody, often: the quotient of what is seen stays below e^epsilon."""
        drawing.execute(
            f"create or replace temp table k as select unnest(range({2 * self.N})) as g"
        ).fetchall()
        drawing.execute(
            f"""create or replace temp table t as
            from k union all from k union all from k where g >= {self.N}"""
        ).fetchall()
        keys = f"keys := 'k', mechanism := '{mechanism}'"
        drawn = [n for _, n, *_ in counts(drawing, f"'t', 'g', {budget}, {keys}")]
        ratio = oracle.largest_ratio(drawn[: self.N], drawn[self.N :])
        epsilon = 0.7 if mechanism == "laplace" else 1.2
        assert 1.1 < ratio < math.exp(epsilon)

    def test_somebody_in_many_groups(self, drawing: duckdb.DuckDBPyConnection) -> None:
        """As neighbours, blocks of three groups: somebody with 50 rows in each, or nobody."""
        n = 2500
        drawing.execute(f"create or replace temp table k as select unnest(range({6 * n})) as g").fetchall()
        drawing.execute(
            f"create or replace temp table t as select g, g // 3 as who from k, range(50) where g < {3 * n}"
        ).fetchall()
        rows = counts(
            drawing, "'t', 'g', epsilon := 1.5, unit := 'who', max_groups := 2, max_rows := 4, keys := 'k'"
        )
        blocks = [sum(row[1] for row in rows[3 * i : 3 * i + 3]) for i in range(2 * n)]
        assert 1.15 < oracle.largest_ratio(blocks[:n], blocks[n:]) < math.exp(1.5)

    def test_who_would_add_less_noise_is_found(self) -> None:
        """The test above finds noise for twice the epsilon."""
        far = range(-60, 61)
        one = [z for z in far for _ in range(round(1e5 * oracle.probability("laplace", 1 / 1.4, z)))]
        assert oracle.largest_ratio(one, [z + 1 for z in one]) > math.exp(0.7)


class TestLedger:
    def test_before_noise(self, con: duckdb.DuckDBPyConnection, monkeypatch: pytest.MonkeyPatch) -> None:
        con.execute("create table t as select 1 as g").fetchall()
        budget = Budget()
        sqlanon.dp_counts(con, "t", "g", epsilon=1, delta=1e-6, ledger=budget)
        assert budget.spent == [Cost(1, 1e-6, 0.5, "laplace", "dp_counts of t by g")]
        with monkeypatch.context() as patched:
            patched.setattr(noise, "_adding", None)  # nothing can be drawn
            with pytest.raises(PermissionError, match="nothing is left"):
                sqlanon.dp_counts(con, "t", "g", epsilon=1, delta=1e-6, ledger=budget, into="r")
        left = "select table_name from duckdb_tables() where not temporary"
        assert con.execute(left).fetchall() == [("t",)]
        functions = "select function_name from duckdb_functions() where function_name like '_sqlanon_%'"
        assert con.execute(functions).fetchall() == []

    def test_nothing_is_spent_on_an_error(self, con: duckdb.DuckDBPyConnection) -> None:
        con.execute("create table t as select 1.5::double as g").fetchall()
        budget = Budget()
        for column, unit in (("g", None), ("h", None), ("g", "g")):
            with pytest.raises(sqlanon.InputError):
                sqlanon.dp_counts(con, "t", column, epsilon=1, delta=1e-6, unit=unit, ledger=budget)
        assert budget.spent == []

    def test_a_transaction_that_an_error_has_ended(self, con: duckdb.DuckDBPyConnection) -> None:
        """Before, or while the ledger is asked: nothing is released in it, and that is said."""
        con.execute("create table t as select 1 as g").fetchall()

        class Careless(Budget):
            """A ledger that asks the caller's connection, which does not answer."""

            def spend(self, cost: Cost) -> None:
                super().spend(cost)
                with pytest.raises(duckdb.Error):
                    con.execute("select error('no')").fetchall()

        for budget, is_over in ((Budget(), True), (Careless(), False)):
            con.execute("begin").fetchall()
            if is_over:
                with pytest.raises(duckdb.Error):
                    con.execute("select error('no')").fetchall()
            with pytest.raises(sqlanon.SqlanonError, match="an error has ended the transaction"):
                sqlanon.dp_counts(con, "t", "g", epsilon=1, delta=1e-6, ledger=budget, into="r")
            con.execute("rollback").fetchall()
            assert len(budget.spent) == (not is_over)
            assert con.execute("select table_name from duckdb_tables()").fetchall() == [("t",)]

    def test_gaussian(self, con: duckdb.DuckDBPyConnection) -> None:
        """delta goes half into the threshold, half into what rho means."""
        con.execute("create table t as select 1 as g").fetchall()
        budget = Budget(2)
        shared: dict[str, Any] = {"delta": 2e-6, "mechanism": "gaussian", "ledger": budget}
        sqlanon.dp_counts(con, "t", "g", rho=1 / 32, **shared)
        first = budget.spent[0]
        assert first.epsilon == pytest.approx(1.142930, abs=1e-5)
        assert (first.delta, first.rho) == (2e-6, 1 / 32)
        release = sqlanon.dp_counts(con, "t", "g", epsilon=first.epsilon, **shared)
        assert release.cost.rho == pytest.approx(1 / 32)
        assert release.details["noise"][0]["scale"] == pytest.approx(4)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("'t', 'g'", "give epsilon, the budget"),
        ("'t', 'g', mechanism := 'gaussian', delta := 1e-6", "give epsilon or rho"),
        ("'t', 'g', epsilon := 1, rho := 1, delta := 1e-6, mechanism := 'gaussian'", "give epsilon or rho"),
        ("'t', 'g', epsilon := 1", "delta must be given without keys"),
        ("'t', 'g', epsilon := 1, keys := 'k', delta := 1e-6", "leave it out"),
        ("'t', 'g', epsilon := 0, delta := 0.1", "epsilon must be between 1e-6 and 100"),
        ("'t', 'g', epsilon := 1, delta := 0", "delta must be between 1e-20 and 0.5"),
        ("'t', 'g', rho := 1", "rho goes with mechanism gaussian"),
        ("'t', 'g', epsilon := 1, delta := 0.1, mechanism := 'normal'", "laplace or gaussian, not normal"),
        ("'t', 'g', epsilon := 1, delta := 0.1, unit := 'who'", "max_groups must be given with unit"),
        ("'t', 'g', epsilon := 1, delta := 0.1, max_rows := 2", "max_rows needs unit"),
        ("'t', 'g', epsilon := 1, delta := 0.1, unit := 'g', max_groups := 1", '"g" is named twice'),
        ("'t', ['n'], epsilon := 1, delta := 0.1", '"n" is named twice, or as a column of the release'),
        ("'t', [], epsilon := 1, delta := 0.1", "columns names no column"),
        ("'t', 'g', epsilon := 1, delta := 0.1, selection := 'all'", "threshold or partition, not all"),
        ("'t', 'who', epsilon := 1, delta := 0.1", "column who is DOUBLE"),
        ("'t', 'g', epsilon := 1, keys := 'k'", "column g is INTEGER in the table and VARCHAR in keys"),
        ("'t', 'g', epsilon := 1, keys := 'none'", "empty"),
    ],
)
def test_refused(drawing: duckdb.DuckDBPyConnection, arguments: str, message: str) -> None:
    drawing.execute(
        """create temp table if not exists refused as select 1 as g, 1.5::double as who, 2 as n;
        create temp table if not exists texts as select 'x' as g;
        create temp table if not exists none as select 1 as g where false"""
    ).fetchall()
    arguments = arguments.replace("'t'", "'refused'").replace("'k'", "'texts'")
    with pytest.raises(duckdb.Error, match=message):
        counts(drawing, arguments)
