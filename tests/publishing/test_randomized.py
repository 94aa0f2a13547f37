"""Randomized releases through the gate: paid first, entered with their cost, and not attacked."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import duckdb
import pytest

import sqlanon
from sqlanon.core.errors import InputError, RefusedError, UseError
from sqlanon.core.release import Release
from sqlanon.macros import randomize as functions
from sqlanon.publishing.ledger import Part
from sqlanon.publishing.randomized import RandomizedPublication, publish_randomized
from sqlanon.publishing.register import opened
from sqlanon.randomize import mechanisms
from sqlanon.randomize.cost import Cost
from tests.publishing.test_ledger import FILE, declare
from tests.publishing.test_publish import content, in_register, policy, publish


class Stub:
    """A mechanism without noise, that does as the others: the cost, then the table."""

    def __init__(self) -> None:
        self.rows: list[tuple[Any, ...]] = []
        self.wrong: Exception | None = None
        self.pays = True

    def __call__(
        self, con: duckdb.DuckDBPyConnection, source: str, columns: Any, *, epsilon: float, unit: str,
        ledger: Any,
    ) -> Any:  # fmt: skip
        if self.pays:
            ledger.spend(Cost(epsilon, 0, None, "laplace", f"stub of {source}", unit=unit))
        if self.wrong is not None:
            raise self.wrong
        con.execute(
            f"create or replace temp table drawn as "
            f"select {columns}, count(*) as n from query_table('{source}') group by all order by all"
        ).fetchall()
        self.rows = con.execute("from drawn").fetchall()
        return Made("drawn", len(self.rows), {"epsilon": epsilon})


class Made:
    """What it gives."""

    def __init__(self, table: str, rows: int, details: dict[str, Any]) -> None:
        self.table, self.rows, self.details = table, rows, details


@pytest.fixture
def stub(monkeypatch: pytest.MonkeyPatch) -> Stub:
    made = Stub()
    monkeypatch.setitem(mechanisms.MECHANISMS, "stub", "dp_stub")
    monkeypatch.setattr(functions, "dp_stub", made, raising=False)
    return made


@pytest.fixture
def people(con: duckdb.DuckDBPyConnection, tmp_path: Path) -> duckdb.DuckDBPyConnection:
    con.execute(
        "create table people as select i as id, i // 4 as age, 'a' as zip, i % 3 as disease "
        "from range(16) as r(i)"
    ).fetchall()
    declare(con, tmp_path, 1, unit="id")
    return con


def released(
    con: duckdb.DuckDBPyConnection, folder: Path, file: str = "a.csv", epsilon: float = 0.4, **more: Any
) -> RandomizedPublication:
    given: dict[str, Any] = {
        "register": folder / FILE,
        "source": "people",
        "output": folder / file,
        "unit": "id",
    }
    return publish_randomized(con, "people", "stub", **given, columns="zip", epsilon=epsilon, **more)


def test_it_is_entered_with_its_cost(people: duckdb.DuckDBPyConnection, tmp_path: Path, stub: Stub) -> None:
    made = released(people, tmp_path)
    assert (made.is_out, made.number, made.name) == (True, 1, "a")
    assert made.standing.spent_epsilon == 0.4
    assert (tmp_path / "a.csv").read_text() == "zip,n\na,16\n"
    assert in_register(
        tmp_path, "select status, method, qi, required['epsilon'], row_count, name from releases"
    ) == [("out", "dp_stub", ["zip"], 0.4, 1, "a")]
    assert in_register(tmp_path, "select release_id, epsilon, query from spending") == [
        (1, 0.4, "stub of people")
    ]
    assert in_register(tmp_path, "from released.release_1") == [("a", 16)]
    assert people.execute("select 1 from duckdb_tables() where table_name = 'drawn'").fetchall() == []


def test_what_is_above_the_budget_is_refused_before_noise(
    people: duckdb.DuckDBPyConnection, tmp_path: Path, stub: Stub
) -> None:
    released(people, tmp_path)
    released(people, tmp_path, "b.csv")
    stub.rows = []
    with pytest.raises(RefusedError, match=r"epsilon 0.8 of 1 is spent.*costs epsilon 0.4.*left is .* 0.2"):
        released(people, tmp_path, "c.csv")
    with pytest.raises(RefusedError, match="no budget is declared for others by id: sqlanon budget set"):
        publish_randomized(
            people, "people", "stub", register=tmp_path / FILE, source="others", output=tmp_path / "c.csv",
            unit="id", columns="zip", epsilon=0.1,
        )  # fmt: skip
    assert stub.rows == []
    assert not (tmp_path / "c.csv").exists()
    assert in_register(tmp_path, "select count(*) from spending") == [(2,)]


def test_a_dry_run_spends_and_writes_nothing(
    people: duckdb.DuckDBPyConnection, tmp_path: Path, stub: Stub
) -> None:
    before = content(tmp_path)
    made = released(people, tmp_path, dry_run=True)
    assert (made.is_out, made.number, made.cost.epsilon) == (False, None, 0.4)
    assert stub.rows == []
    assert content(tmp_path) == before
    with pytest.raises(RefusedError):
        released(people, tmp_path, epsilon=1.1, dry_run=True)


def test_an_error_after_the_payment_has_spent(
    people: duckdb.DuckDBPyConnection, tmp_path: Path, stub: Stub
) -> None:
    stub.wrong = OSError("no more noise")
    with pytest.raises(OSError, match="no more noise"):
        released(people, tmp_path)
    assert in_register(tmp_path, "select release_id, epsilon from spending") == [(None, 0.4)]
    stub.wrong, stub.pays = None, False
    with pytest.raises(UseError, match="dp_stub has not told what it costs: nothing goes out"):
        released(people, tmp_path)
    assert in_register(tmp_path, "select * from releases") == []
    assert [file.name for file in tmp_path.iterdir()] == [FILE]


def test_what_cannot_go_out_spends_nothing(
    people: duckdb.DuckDBPyConnection, tmp_path: Path, stub: Stub
) -> None:
    (tmp_path / "there.csv").write_text("")
    released(people, tmp_path, epsilon=0.1)
    for name, more, message in (
        ("there.csv", {}, "exists: what may be out is never replaced"),
        ("b.csv", {"name": "a"}, "has a release called a"),
        ("no/b.csv", {}, "there is no folder"),
    ):
        with pytest.raises(InputError, match=message):
            released(people, tmp_path, name, **more)  # type: ignore[arg-type]
    assert in_register(tmp_path, "select count(*) from spending") == [(1,)]


def test_a_part_of_the_units(con: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    """Its people are those who are counted, and both parts together cost as much as one."""
    pytest.importorskip("opendp")
    con.execute("create table people as select i as id, 'a' as zip from range(16) as r(i)").fetchall()
    declare(con, tmp_path, 1000, unit="id")

    def counted(number: int) -> int:
        output = tmp_path / f"{number}.csv"
        made = publish_randomized(
            con, "people", "counts", register=tmp_path / FILE, source="people", output=output, unit="id",
            part=Part(number, 2), columns=["zip"], max_groups=1, epsilon=90, delta=1e-9,
        )  # fmt: skip
        assert made.standing.spent_epsilon == pytest.approx(90)
        [(people,)] = con.execute(f"select sum(n) from '{output}'").fetchall()
        return int(people)

    assert counted(1) + counted(2) == 16
    [(parameters,)] = in_register(tmp_path, "select parameters from releases where id = 2")
    assert json.loads(parameters)["part"] == "2/2"


@pytest.mark.slow("3 s")
def test_attacks_do_not_apply(people: duckdb.DuckDBPyConnection, tmp_path: Path, stub: Stub) -> None:
    """The gate, an audit and a search for somebody leave it out, and say so."""
    policy(tmp_path, "homogeneity.certain = 100")
    released(people, tmp_path)
    told = "release 1, a is randomized: attacks do not apply, and what it tells is bounded by its budget"
    with pytest.raises(UseError, match="nothing that can be attacked is out"):
        sqlanon.audit(people, "people", register=tmp_path / FILE, policy=tmp_path / "policy.toml")
    made = publish(people, tmp_path, "b.csv")
    assert isinstance(made.release, Release)
    assert made.together == []
    assert told in made.remarks
    audited = sqlanon.audit(people, "people", register=tmp_path / FILE, attacks=["homogeneity"])
    assert told in audited.remarks
    assert {
        tuple(names) for (names,) in audited.relation(people).project("releases").fetchall() if names
    } == {("b",)}
    located = sqlanon.locate_in_releases(people, "people", register=tmp_path / FILE, id="id")
    assert told in located.remarks
    (tmp_path / "a.csv").write_text("something else")  # it is out all the same
    with pytest.raises(InputError, match=r"a.csv has changed since"):
        publish(people, tmp_path, "c.csv")


# Kills itself after what it is told.
PUBLISHER = """
import os, signal, sys
from pathlib import Path
import duckdb, sqlanon
from sqlanon.publishing import gate
from sqlanon.publishing.randomized import publish_randomized
from sqlanon.macros import randomize as functions
from sqlanon.randomize import mechanisms
from sqlanon.randomize.cost import Cost

folder, where = sys.argv[1:]

def kill(*arguments):
    os.kill(os.getpid(), signal.SIGKILL)

def stub(con, source, columns, *, epsilon, unit, ledger):
    ledger.spend(Cost(epsilon, 0, None, "laplace", "stub", unit=unit))
    if where == "spent":
        kill()
    con.execute("create temp table drawn as select 'a' as zip, 16 as n").fetchall()
    class Made:
        table, rows, details = "drawn", 1, {}
    return Made()

mechanisms.MECHANISMS["stub"] = "dp_stub"
functions.dp_stub = stub
if where == "entered":
    gate.give_name = kill
con = duckdb.connect()
con.execute("create table people as select 1 as id, 'a' as zip").fetchall()
publish_randomized(
    con, "people", "stub", register=folder + "/releases.duckdb", source="people", output=folder + "/a.csv",
    unit="id", columns="zip", epsilon=0.4,
)
"""


@pytest.mark.parametrize(("where", "known"), [("spent", []), ("entered", [("a", "abandoned")])])
def test_killed_after_the_payment(
    people: duckdb.DuckDBPyConnection, tmp_path: Path, where: str, known: list[tuple[str, str]]
) -> None:
    """What was spent is spent, and the register agrees with what is out."""
    done = subprocess.run([sys.executable, "-c", PUBLISHER, str(tmp_path), where], capture_output=True)
    assert done.returncode == -signal.SIGKILL, done.stderr
    with opened(people, tmp_path / FILE) as register:
        register.reconcile()
        assert [(entry.name, entry.status) for entry in register.entries()] == known
    assert not (tmp_path / "a.csv").exists()
    assert in_register(tmp_path, "select epsilon from spending") == [(0.4,)]
