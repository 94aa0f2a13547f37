"""The ledger: what is spent is in the register before noise is drawn, and never more than the budget."""

from __future__ import annotations

import math
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import sqlanon
from sqlanon.core.errors import InputError, RefusedError, UseError
from sqlanon.publishing.ledger import Ledger, Part
from sqlanon.publishing.register import ENVIRONMENT, VERSION, Register, opened
from sqlanon.randomize.cost import Cost
from sqlanon.randomize.mechanisms import MECHANISMS
from tests.budget import ON_OLDER, examples
from tests.oracles import accounting
from tests.publishing.test_publish import content, in_register

FILE = "releases.duckdb"
unhurried = settings(examples(10), suppress_health_check=[HealthCheck.function_scoped_fixture])


def cost(
    epsilon: float, delta: float = 0.0, rho: float | None = None, unit: str | None = "person_id"
) -> Cost:
    return Cost(epsilon, delta, rho, "laplace", "counts by sex", unit=unit)


def declare(con: duckdb.DuckDBPyConnection, folder: Path, epsilon: float, **more: Any) -> list[str]:
    budget = {"source": "people", "unit": "person_id", "delta": 1e-6, **more}
    return sqlanon.set_budget(con, folder / FILE, epsilon=epsilon, **budget).remarks


@pytest.fixture
def register(con: duckdb.DuckDBPyConnection, tmp_path: Path) -> Iterator[Register]:
    """One with a budget of 1 for people by person_id."""
    declare(con, tmp_path, 1)
    with opened(con, tmp_path / FILE) as known:
        yield known


def entries(con: duckdb.DuckDBPyConnection) -> list[tuple[Any, ...]]:
    return con.execute(
        "select source, unit, epsilon, delta, rho from sqlanon_register.spending order by id"
    ).fetchall()


def test_one_more_query_than_the_budget(con: duckdb.DuckDBPyConnection, register: Register) -> None:
    """Ten times 0.1 is 1, whatever a sum of binary fractions is; the numbers of the refusal are told."""
    ledger = Ledger(register, "people", "Person_ID")
    for _ in range(10):
        ledger.spend(cost(0.1))
    with pytest.raises(RefusedError) as refused:
        ledger.spend(cost(0.1))
    assert str(refused.value) == (
        "people by person_id: epsilon 1 of 1 is spent, with delta 0 of 1e-06; this costs epsilon 0.1, and "
        "what is left is epsilon 0 without a delta"
    )
    assert entries(con) == [("people", "person_id", 0.1, 0, None)] * 10
    assert ledger.entries == [*range(1, 11)]


def test_delta_is_not_exceeded_either(con: duckdb.DuckDBPyConnection, register: Register) -> None:
    ledger = Ledger(register, "people", "person_id")
    ledger.spend(cost(0.01, 6e-7))
    with pytest.raises(
        RefusedError, match=r"with delta 6e-07 of 1e-06; this costs epsilon 0.01, delta 6e-07"
    ):
        ledger.spend(cost(0.01, 6e-7))
    ledger.spend(cost(0.01, 4e-7))
    assert len(entries(con)) == 2


@pytest.mark.slow("half a second")
def test_gaussian_noise_is_known_by_its_rho(con: duckdb.DuckDBPyConnection, register: Register) -> None:
    """Its delta is that of a conversion, and no probability of failing: as rho it is added up whole."""
    ledger = Ledger(register, "people", "person_id")
    for _ in range(4):  # each alone has about this epsilon at this delta
        ledger.spend(Cost(0.475, 1e-6, 0.006, "gaussian", "counts", 0, "person_id"))
    standing = ledger.standing()
    assert standing.spent_epsilon == pytest.approx(accounting.zcdp_epsilon(0.024, 1e-6), rel=1e-6)
    with pytest.raises(RefusedError):  # one whose delta is such a probability
        ledger.spend(Cost(0.475, 1e-6, 0.006, "gaussian", "counts", unit="person_id"))


@unhurried
@given(
    listed=st.lists(
        st.tuples(
            st.sampled_from([0.01, 0.03, 0.3, math.inf]),
            st.sampled_from([0.0, 3e-7]),
            st.sampled_from([None, 1e-4, 0.005]),
        ),
        min_size=1, max_size=12,
    ),
    rule=st.sampled_from(["smaller", "basic"]),
)  # fmt: skip
def test_what_is_allowed_is_what_the_sums_allow(
    con: duckdb.DuckDBPyConnection, tmp_path_factory: pytest.TempPathFactory, listed: Any, rule: str
) -> None:
    folder = tmp_path_factory.mktemp("ledger")
    declare(con, folder, 0.4, composition=rule)
    kept: list[accounting.Cost] = []
    with opened(con, folder / FILE) as known:
        ledger = Ledger(known, "people", "person_id")
        for each in listed:
            by_rule = accounting.composed([*kept, each], 1e-6 * (1 + 1e-9))
            together = min(by_rule.values()) if rule == "smaller" else by_rule["basic"]
            if together <= 0.4 * (1 + 1e-9):
                ledger.spend(cost(*each))
                kept.append(each)
            else:
                with pytest.raises(RefusedError):
                    ledger.spend(cost(*each))
        assert [row[2:] for row in entries(con)] == kept
        standing = ledger.standing()
        assert standing.holds
        spent = accounting.composed(kept, 1e-6)
        assert standing.spent_epsilon == pytest.approx(
            min(spent.values()) if rule == "smaller" else spent["basic"], rel=1e-6, abs=1e-9
        )
        left = standing.left_epsilon
        if left > 1e-6:  # so much more is allowed, and no more
            ledger.check(cost(left * (1 - 1e-6)))
        with pytest.raises(RefusedError):
            ledger.check(cost(left * (1 + 1e-4) + 1e-4))
        assert len(entries(con)) == len(kept)


@pytest.mark.slow("half a second")
def test_sources_and_units_are_kept_apart(con: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    assert "new" in declare(con, tmp_path, 1)[0]
    assert declare(con, tmp_path, 1, unit="household") == [
        "people has a budget by person_id, too: neither counts what the other spends"
    ]
    declare(con, tmp_path, 1, source="visits")
    with opened(con, tmp_path / FILE) as known:
        ledgers = [
            Ledger(known, "people", "person_id"), Ledger(known, "people", "household"),
            Ledger(known, "visits", "person_id"),
        ]  # fmt: skip
        for ledger in ledgers:
            ledger.spend(cost(1, unit=ledger.unit))
            with pytest.raises(RefusedError, match="epsilon 1 of 1 is spent"):
                ledger.check(cost(0.5, unit=ledger.unit))
        with pytest.raises(RefusedError, match="budget is for people by person_id, and this release is by h"):
            ledgers[0].spend(cost(0, unit="household"))
        with pytest.raises(RefusedError) as refused:
            Ledger(known, "people").spend(cost(0.1, unit=None))
        assert str(refused.value) == (
            "no budget is declared for people with a row for each person (there is one by household) (there "
            f"is one by person_id): sqlanon budget set {known.path} --source people --epsilon 1 --delta 1e-6"
        )
        with pytest.raises(RefusedError, match="no budget is declared for nobody by id: sqlanon budget set"):
            Ledger(known, "nobody", "id").spend(cost(0.1, unit="ID"))
        assert len(entries(con)) == 3
    assert sqlanon.budgets(con, tmp_path / FILE).project("source, unit, spent_epsilon, holds").fetchall() == [
        ("people", "household", 1, True), ("people", "person_id", 1, True), ("visits", "person_id", 1, True),
    ]  # fmt: skip


MUCH = {"epsilon": 60, "max_groups": 1}
BOUNDED = {"measure": "v", "bounds": [0, 100], **MUCH}
KEYS = {"columns": "g", "keys": "groups"}
# What a mechanism is asked for, and what of its answer is known; None: it has no unit, so no parts.
OF_A_PART: dict[str, tuple[dict[str, Any], str | None]] = {
    "dp_counts": ({**KEYS, **MUCH}, "sum(n)"),
    "dp_sums": ({**KEYS, **BOUNDED}, "sum(total)"),
    "dp_means": ({**KEYS, **BOUNDED}, "sum(n)"),
    "dp_quantiles": ({"columns": "is_in", "delta": 1e-9, **BOUNDED}, "max(value)"),
    "dp_histogram": ({"columns": "g", "hierarchies": "levels", **MUCH}, "max(n)"),
    "dp_top": ({**KEYS, "epsilon": 60}, "max(g = 'here')"),
    "dp_microaggregate": ({"columns": ["v"], "bounds": [0, 100], "k": 400, "epsilon": 1}, None),
    "randomized_response": ({**KEYS, "epsilon": 1}, None),
    "sampled_k_anonymity": ({"columns": "v", "k": 80, "share": 0.5, "epsilon": 1}, "max(v)"),
    "dp_contingency": ({"columns": ["is_in"], "marginals": [["is_in"]], **MUCH}, "sum(n)"),
    "dp_wavelet": ({**BOUNDED, "cells": 4}, "sum(n)"),
    "dp_bounds": ({"measure": "v", **MUCH}, "max(hi < 50)"),
}


class TestParts:
    def test_the_dearest_part_counts(self, con: duckdb.DuckDBPyConnection, register: Register) -> None:
        first, second = (Ledger(register, "people", "person_id", Part(i, 2)) for i in (1, 2))
        everybody = Ledger(register, "people", "person_id")
        first.spend(cost(0.9))
        second.spend(cost(0.4))
        second.spend(cost(0.4))
        everybody.spend(cost(0.1))
        assert everybody.standing().spent_epsilon == pytest.approx(1)
        second.spend(cost(0.1))
        for ledger in (first, second, everybody):
            with pytest.raises(RefusedError):
                ledger.spend(cost(0.05))

    def test_parts_of_another_division_are_not_disjoint(
        self, con: duckdb.DuckDBPyConnection, register: Register
    ) -> None:
        Ledger(register, "people", "person_id", Part(1, 2)).spend(cost(0.6))
        Ledger(register, "people", "person_id", Part(2, 2)).spend(cost(0.6))
        with pytest.raises(RefusedError):
            Ledger(register, "people", "person_id", Part(3, 3)).spend(cost(0.6))

    def test_a_unit_is_in_one_part_whatever_its_type(self, con: duckdb.DuckDBPyConnection) -> None:
        """Texts, whole numbers and fractions of the same value, tonight and tomorrow, on any line."""
        con.execute("create table numbers as from range(40) as t(id)").fetchall()
        con.execute('create table texts as select id::double::varchar as "I D" from numbers').fetchall()
        ids: list[list[int]] = []
        for number in (1, 2, 3):
            by_number = Part(number, 3).rows(sqlanon.core.statements.table("numbers"), "id")
            by_text = Part(number, 3).rows(sqlanon.core.statements.table("texts"), "i d")
            ids.append([int(id) for (id,) in con.execute(by_number.sql("duckdb")).fetchall()])
            assert [int(float(id)) for (id,) in con.execute(by_text.sql("duckdb")).fetchall()] == ids[-1]
        assert sorted(id for part in ids for id in part) == [*range(40)]
        assert min(map(len, ids)) > 5
        assert ids[0][:3] == [2, 7, 9]

    @pytest.mark.parametrize(
        ("number", "parts", "message"),
        [
            (0, 10, "numbered from 1"), (11, 10, "numbered from 1"), (1, 0, "numbered from 1"),
            (1.5, 10, "1.5 is not a whole number"), (1.0, 10, "1.0 is not a whole number"),
            (True, 10, "True is not a whole number"), (1, True, "True is not a whole number"),
            ("1", 10, "'1' is not a whole number"), (None, 10, "None is not a whole number"),
        ],
    )  # fmt: skip
    def test_parts_that_cannot_be(self, number: Any, parts: Any, message: str) -> None:
        with pytest.raises(UseError, match=message):
            Part(number, parts)

    @pytest.mark.slow("1 s a case", but=(6, 9, 10, 11))
    @pytest.mark.parametrize("release", MECHANISMS)
    def test_who_pays_for_a_part_gets_no_answer_about_the_others(
        self, con: duckdb.DuckDBPyConnection, tmp_path: Path, release: str
    ) -> None:
        """Those of the part are 10, of group here, and true; the others are 90, there, and false."""
        pytest.importorskip("opendp")
        declare(con, tmp_path, 1000)
        con.execute("""
            create table people as
            select id as person_id, if(is_in, 'here', 'there') as g, if(is_in, 10, 90) as v, is_in
            from (select id, sqlanon._part_of_unit(id, 10) = 3 as is_in from range(4000) as t(id));
            create table groups as select unnest(['here', 'there']) as g;
            create table levels as select 'g' as attribute, g as value, level, if(level = 0, g, '*') as label
            from groups, range(2) as r(level)""").fetchall()
        [(here,)] = con.execute("select count(*) from people where is_in").fetchall()
        arguments, answer = OF_A_PART[MECHANISMS[release]]
        with opened(con, tmp_path / FILE) as known:
            ledger = Ledger(known, "people", "Person_ID", Part(3, 10))
            function = getattr(sqlanon, MECHANISMS[release])
            if answer is None:
                with pytest.raises(RefusedError, match="with a row for each person"):
                    function(con, "people", **arguments, ledger=ledger)
                assert ledger.entries == []
                return
            made = function(con, "people", unit="person_id", **arguments, ledger=ledger)
            assert made.cost.query.startswith(f"{MECHANISMS[release]} of people by ")
            spent = con.execute("select part, parts from sqlanon_register.spending").fetchall()
            assert spent == [(3, 10)]
        [(value,)] = con.execute(f"select {answer} from {made.table}").fetchall()
        expected = {"sum(n)": here, "max(n)": here, "sum(total)": 10 * here, "max(v)": 10, "max(value)": 10}
        assert value == pytest.approx(expected.get(answer, True), rel=0.1)

    def test_without_a_unit_there_are_no_parts(self, register: Register) -> None:
        with pytest.raises(UseError, match="without one there are no parts"):
            Ledger(register, "people", None, Part(1, 2))


class TestBudgets:
    @pytest.mark.slow("half a second")
    def test_a_budget_is_changed_and_remembered(self, con: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
        declare(con, tmp_path, 1)
        with opened(con, tmp_path / FILE) as known:
            Ledger(known, "people", "person_id").spend(cost(0.8))
        assert declare(con, tmp_path, 0.5, unit="PERSON_ID") == [
            "it was epsilon 1 and delta 1e-06",
            "that is less than what is spent: nothing can be spent any more",
        ]
        with opened(con, tmp_path / FILE) as known:
            ledger = Ledger(known, "people", "person_id")
            with pytest.raises(RefusedError, match=r"epsilon 0.8 of 0.5 is spent.*left is epsilon 0 without"):
                ledger.spend(cost(0.001))
        assert declare(con, tmp_path, 2) == ["it was epsilon 0.5 and delta 1e-06"]
        assert in_register(tmp_path, "select epsilon from budgets order by id") == [(1,), (0.5,), (2,)]
        # with DuckDB alone
        columns = "epsilon, entries, spent_epsilon, round(left_epsilon, 9), left_delta"
        assert in_register(tmp_path, f"select {columns} from budgets_now") == [(2, 1, 0.8, 1.2, 1e-6)]

    @pytest.mark.parametrize(
        ("change", "message"),
        [
            ({"epsilon": 0}, "epsilon of a budget must be a number above 0"),
            ({"epsilon": math.nan}, "epsilon of a budget must be a number above 0"),
            ({"epsilon": math.inf}, "epsilon of a budget must be a number above 0"),
            ({"delta": 1}, "delta of a budget must be at least 0 and below 1"),
            ({"source": ""}, "source must have a name"),
            ({"composition": "advanced"}, "composition must be smaller or basic"),
        ],
    )
    def test_one_that_is_none(
        self, con: duckdb.DuckDBPyConnection, tmp_path: Path, change: dict[str, Any], message: str
    ) -> None:
        with pytest.raises(UseError, match=message):
            declare(con, tmp_path, **{"epsilon": 1, **change})
        assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("wrong", [(-1.0,), (math.nan,), (0.1, -1e-9), (0.1, 1.1), (0.1, 0.0, math.nan)])
def test_costs_that_are_none(
    con: duckdb.DuckDBPyConnection, register: Register, wrong: tuple[Any, ...]
) -> None:
    with pytest.raises(InputError, match="of a cost must be"):
        Ledger(register, "people", "person_id").spend(cost(*wrong))
    assert entries(con) == []


def test_a_transaction_of_the_caller_cannot_take_an_entry_back(
    con: duckdb.DuckDBPyConnection, register: Register
) -> None:
    ledger = Ledger(register, "people", "person_id")
    con.execute("begin").fetchall()
    ledger.spend(cost(0.5))
    con.execute("rollback").fetchall()
    assert len(entries(con)) == 1
    assert ledger.standing().spent_epsilon == 0.5


def test_threads_do_not_spend_the_same_budget(con: duckdb.DuckDBPyConnection, register: Register) -> None:
    from concurrent.futures import ThreadPoolExecutor

    ledger = Ledger(register, "people", "person_id")

    def spend(_: int) -> bool:
        try:
            ledger.spend(cost(0.3))
        except RefusedError:
            return False
        return True

    with ThreadPoolExecutor(4) as pool:
        assert sum(pool.map(spend, range(8))) == 3
    assert len(entries(con)) == 3


# Spends what it is told, and then kills itself, or draws.
SPENDER = """
import os, signal, sys
import duckdb, sqlanon
from sqlanon.publishing.register import opened
from sqlanon.randomize.cost import Cost
from sqlanon.publishing import ledger

file, where = sys.argv[1:]
if where == "before commit":
    real = ledger.execute
    def killing(con, statement, parameters=None):
        if statement == "commit":
            os.kill(os.getpid(), signal.SIGKILL)
        return real(con, statement, parameters)
    ledger.execute = killing
con = duckdb.connect()
con.execute("set enable_progress_bar = false").fetchall()  # DuckDB's own, of what takes seconds
with opened(con, file, wait=60) as register:
    book = ledger.Ledger(register, "people", "person_id")
    for number in range(3):
        try:
            book.spend(Cost(0.4, 0, None, "laplace", f"query {number}", unit="person_id"))
        except sqlanon.RefusedError:
            print("refused", flush=True)
            continue
        if where == "before draw":
            os.kill(os.getpid(), signal.SIGKILL)
        print("drawn", flush=True)
"""


def spender(folder: Path, where: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", SPENDER, str(folder / FILE), where]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.mark.parametrize(("where", "known"), [("before commit", 0), ("before draw", 1)])
def test_killed_between_spending_and_drawing(
    con: duckdb.DuckDBPyConnection, tmp_path: Path, where: str, known: int
) -> None:
    """No noise is drawn that the ledger does not know of; it may know of some that never was."""
    declare(con, tmp_path, 1)
    with spender(tmp_path, where) as killed:
        output, _ = killed.communicate()
        assert killed.returncode == -signal.SIGKILL
    assert output == ""
    with opened(con, tmp_path / FILE) as register:
        assert Ledger(register, "people", "person_id").standing().entries == known


def test_two_processes_at_once(con: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    """One waits for the other, and both know what is spent."""
    declare(con, tmp_path, 1)
    outputs = []
    for process in [spender(tmp_path, "never"), spender(tmp_path, "never")]:
        output, errors = process.communicate()
        assert process.returncode == 0, errors
        outputs += output.split()
    assert sorted(outputs) == ["drawn"] * 2 + ["refused"] * 4
    assert in_register(tmp_path, "select count(*), sum(epsilon) from spending") == [(2, 0.8)]


class TestARegisterThatCannotBeUsed:
    def refused(self, con: duckdb.DuckDBPyConnection, folder: Path, message: str) -> None:
        before = content(folder)
        for attempt in (lambda: declare(con, folder, 1), lambda: sqlanon.budgets(con, folder / FILE)):
            with pytest.raises(InputError, match=f"{FILE} {message}"):
                attempt()
        assert content(folder) == before

    @pytest.mark.slow("half a second")
    def test_damaged_newer_or_another_database(self, con: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
        declare(con, tmp_path, 1)
        file = tmp_path / FILE
        whole = file.read_bytes()
        file.write_bytes(b"something else" * 1000)
        self.refused(con, tmp_path, "is damaged, or no DuckDB file")
        file.write_bytes(whole)
        with duckdb.connect(file) as newer:
            newer.execute("insert into register values (?, now(), '99')", [VERSION + 1]).fetchall()
        self.refused(con, tmp_path, f"is of version {VERSION + 1}, made by another sqlanon")

    def test_one_that_is_read_only(
        self, con: duckdb.DuckDBPyConnection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        declare(con, tmp_path, 1)
        message = "to be read only: nothing can be spent"
        with (
            opened(con, tmp_path / FILE, read_only=True) as known,
            pytest.raises(InputError, match=message),
        ):
            Ledger(known, "people", "person_id")
        monkeypatch.setattr(os, "access", lambda path, mode: False)  # root may do everything
        with pytest.raises(InputError, match="cannot be written: permission denied"):
            declare(con, tmp_path, 1)

    @pytest.mark.skipif(ON_OLDER, reason="writes encrypted files with an extension only")
    def test_an_encrypted_one_keeps_what_is_spent_to_itself(
        self, con: duckdb.DuckDBPyConnection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv(ENVIRONMENT, "a long and secret key")
        con.execute("set force_mbedtls_unsafe = true").fetchall()
        try:
            declare(con, tmp_path, 1)
            with opened(con, tmp_path / FILE) as known:
                Ledger(known, "people", "person_id").spend(cost(0.5))
            assert [b"counts by sex" in file.read_bytes() for file in tmp_path.iterdir()] == [False]
            monkeypatch.setenv(ENVIRONMENT, "")
            with pytest.raises(InputError, match="is encrypted"):
                declare(con, tmp_path, 2)
        finally:
            con.execute("reset force_mbedtls_unsafe").fetchall()
