"""What the register and its companions hold is for their owner alone."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import duckdb
import pytest

import sqlanon
from sqlanon.core.outputs import private_folder
from sqlanon.publishing.register import opened

POLICY = """
[roles]
qi = ["age"]
sensitive = ["disease"]
[requirements]
k = 2
[tolerated]
homogeneity.certain = 100
"""

pytestmark = pytest.mark.skipif(os.name == "nt", reason="modes are of POSIX")


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture
def register(con: duckdb.DuckDBPyConnection, tmp_path: Path) -> Path:
    (tmp_path / "policy.toml").write_text(POLICY)
    con.execute(
        "create or replace temp table people as select i // 4 as age, i % 3 as disease from range(16) t(i)"
    )
    publish(con, tmp_path, "a")
    return tmp_path / "releases.duckdb"


def publish(con: duckdb.DuckDBPyConnection, folder: Path, name: str) -> sqlanon.Publication:
    return sqlanon.publish(
        con, "people", folder / "policy.toml", register=folder / "releases.duckdb",
        output=folder / f"{name}.csv", attacks=["homogeneity"],
    )  # fmt: skip


def test_a_register_is_secret(con: duckdb.DuckDBPyConnection, register: Path) -> None:
    """So is what DuckDB writes beside it, in every transaction; the release itself is for others to read."""
    journal = register.with_name("releases.duckdb.wal")
    assert mode(register) == 0o600
    assert mode(register.with_name("a.csv")) & 0o044
    with opened(con, register) as known:
        known.change(1, "out")
        assert journal.stat().st_size > 0
        assert mode(journal) == 0o600
        con.execute("checkpoint sqlanon_register").fetchall()
        assert not journal.exists()
        known.change(1, "out")
        assert mode(journal) == 0o600
        assert known.remarks == []
    with opened(con, register):
        pass
    assert not journal.exists()
    assert mode(register) == 0o600


def test_a_ledger_is_secret(con: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    sqlanon.set_budget(con, tmp_path / "ledger.duckdb", source="visits", unit="person", epsilon=1.0)
    assert mode(tmp_path / "ledger.duckdb") == 0o600


@pytest.mark.slow("half a second a case", but=(1,))
@pytest.mark.parametrize("read_only", [False, True])
def test_others_who_read_it_are_told_of(
    con: duckdb.DuckDBPyConnection, register: Path, read_only: bool
) -> None:
    """Whoever gave it that mode may have meant it."""
    register.chmod(0o640)
    with opened(con, register, read_only=read_only) as known:
        assert known.remarks == [f"{register} can be read by others than its owner: chmod 600 it"]
    assert mode(register) == 0o640


def test_what_was_never_entered_goes(con: duckdb.DuckDBPyConnection, register: Path, tmp_path: Path) -> None:
    """A release that a killed publisher has left, beside what is out or is to be; nothing else."""

    def left(folder: Path, name: str, secret: bool = True) -> Path:
        file = folder / name
        file.write_text("age,disease\n")
        file.chmod(0o600 if secret else 0o644)
        return file

    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    gone = left(tmp_path, ".b.csv.pending")
    others = [
        left(tmp_path, "b.csv.pending"), left(tmp_path, ".b.csv"), left(elsewhere, ".b.csv.pending"),
        left(tmp_path, ".c.csv.pending", secret=False),
    ]  # fmt: skip
    with opened(con, register, read_only=True) as known:
        known.reconcile()
    assert gone.exists()
    with opened(con, register) as known:
        known.reconcile()
        assert known.remarks == [f"{gone} was never entered: a publisher was stopped before. It is removed"]
    assert not gone.exists()
    assert all(file.exists() for file in others)
    with opened(con, register) as known:
        known.reconcile(elsewhere)
    assert not others[2].exists()


@pytest.mark.slow("half a second")
def test_nothing_goes_while_somebody_is_at_work(
    con: duckdb.DuckDBPyConnection, register: Path, tmp_path: Path
) -> None:
    """Another register may have a publisher in the same folder, between two steps."""
    theirs = tmp_path / ".theirs.csv.pending"
    with private_folder(tmp_path):
        theirs.touch(0o600)
        with opened(con, register) as known:
            known.reconcile()
            assert known.remarks == []
        assert theirs.exists()
