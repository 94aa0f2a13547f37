"""Publishers that are killed, and two at once: what is out is whole, and the register knows it."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import duckdb
import pytest

import sqlanon
from sqlanon.publishing.register import digest, opened
from tests.cells.regions import solver

POLICY = """
[roles]
qi = ["age"]
sensitive = ["disease"]
[requirements]
k = 2
[tolerated]
homogeneity.certain = 100
"""

OF_TABLE = """
[table]
dimensions = ["age", "disease"]
threshold = 1
method = "suppress"
"""

# Publishes the nights that it is told, and kills itself where it is told: before or after what a file or a
# transaction of the gate does for the nth time.
PUBLISHER = """
import os, signal, sys
from pathlib import Path
import duckdb, sqlanon
from sqlanon.publishing import gate, register, tables

folder, where, *nights = sys.argv[1:]
moment, _, step = where.partition(" ")

def killing(function):
    def run(*arguments, **more):
        if moment == "before":
            os.kill(os.getpid(), signal.SIGKILL)
        result = function(*arguments, **more)
        os.kill(os.getpid(), signal.SIGKILL)
        return result
    return run

if step == "entry":
    register.Register.enter = killing(register.Register.enter)
elif step == "output":
    gate.give_name = killing(gate.give_name)
elif step == "second name":
    real = Path.unlink
    of = lambda file: killing(real) if file.name.endswith(".pending") else real
    Path.unlink = lambda file, **more: of(file)(file, **more)
elif step == "confirmation":
    register.Register.change = killing(register.Register.change)

con = duckdb.connect()
con.execute("set enable_progress_bar = false").fetchall()  # DuckDB's own, on stdout, of what takes seconds
con.execute("create table people as select i // 4 as age, i % 3 as disease from range(16) as r(i)").fetchall()
print("ready", flush=True)
for night in nights:
    given = {"register": folder + "/releases.duckdb", "output": f"{folder}/{night}.csv", "wait": 120}
    if "[table]" in Path(folder, "policy.toml").read_text():
        tables.publish_table(con, "people", folder + "/policy.toml", **given)
        together = []
    else:
        made = sqlanon.publish(con, "people", folder + "/policy.toml", attacks=["homogeneity"], **given)
        together = made.together
    print(night, *together, flush=True)
"""


def publisher(folder: Path, where: str, *nights: str, policy: str = POLICY) -> subprocess.Popen[str]:
    (folder / "policy.toml").write_text(policy)
    command = [sys.executable, "-c", PUBLISHER, str(folder), where, *nights]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def agrees(con: duckdb.DuckDBPyConnection, folder: Path, n: int = 16) -> list[tuple[str, str]]:
    """Names and statuses, once the next run has looked: the files are those that the register has, whole."""
    if not (folder / "releases.duckdb").exists():
        assert list(folder.glob("*.csv")) == []
        return []
    with opened(con, folder / "releases.duckdb") as known:
        known.reconcile(folder)
        known.check_files(known.out())
        entries = known.entries()
        for entry in entries:
            assert entry.path is not None
            if entry.status == "out":
                assert digest(entry.path) == entry.content_sha256
                rows = con.execute(f"select count(*) from sqlanon_register.released.release_{entry.id}")
                assert rows.fetchall() == [(n,)]
        assert sorted(folder.glob("*.csv")) == sorted(
            entry.path for entry in entries if entry.status == "out" and entry.path is not None
        )
    assert list(folder.glob(".*.pending")) == []
    return [(entry.name, entry.status) for entry in entries]


@pytest.mark.both_lines
@pytest.mark.slow("1.0 s a case", but=(4,))
@pytest.mark.parametrize(
    ("where", "status"),
    [
        ("before entry", None),
        ("after entry", None),  # which is not committed then
        ("before output", "abandoned"),
        ("before second name", "out"),  # which goes, once the file has the first
        ("after output", "out"),
        ("before confirmation", "out"),
        ("after confirmation", "out"),  # likewise
    ],
)
def test_killed_between_two_steps(
    con: duckdb.DuckDBPyConnection, tmp_path: Path, where: str, status: str | None
) -> None:
    with publisher(tmp_path, where, "a") as killed:
        killed.wait()
        assert killed.returncode == -signal.SIGKILL
    assert (tmp_path / ".a.csv.pending").exists() >= (status is None)
    assert agrees(con, tmp_path) == ([] if status is None else [("a", status)])


@pytest.mark.slow("2.0 s a case", but=(0,))
@pytest.mark.parametrize(("seed", "kills"), [(0, 1), *((seed, 10) for seed in range(1, 11))])
def test_killed_at_any_moment(con: duckdb.DuckDBPyConnection, tmp_path: Path, seed: int, kills: int) -> None:
    """Whatever a killed publisher has left, the next one goes on from there."""
    kill_at_any_moment(con, tmp_path, seed, kills, POLICY, 16)


@solver
@pytest.mark.slow("5 s a kill")
@pytest.mark.parametrize(("seed", "kills"), [(0, 1), *((seed, 10) for seed in range(1, 4))])
def test_killed_while_a_table_is_published(
    con: duckdb.DuckDBPyConnection, tmp_path: Path, seed: int, kills: int
) -> None:
    """The same of tables of counts: each is compared with those that are out."""
    kill_at_any_moment(con, tmp_path, seed, kills, OF_TABLE, 20)
    assert sqlanon.audit(con, None, register=tmp_path / "releases.duckdb").verdict == "holds"


def kill_at_any_moment(
    con: duckdb.DuckDBPyConnection, tmp_path: Path, seed: int, kills: int, policy: str, n: int
) -> None:
    chance = random.Random(seed)
    begun = time.monotonic()
    with publisher(tmp_path, "never", "first", policy=policy) as whole:
        assert whole.stdout is not None
        whole.stdout.readline()
        ready = time.monotonic() - begun
        assert whole.stdout.read() == "first\n"
        seconds = time.monotonic() - begun
    for number in range(kills):
        with publisher(tmp_path, "never", f"night{number}", policy=policy) as killed:
            time.sleep(chance.uniform(ready, 1.1 * seconds))
            killed.kill()
            assert killed.stdout is not None
            is_told = f"night{number}" in killed.stdout.read()
        found = dict(agrees(con, tmp_path, n))
        assert found["first"] == "out"
        assert found.get(f"night{number}") in (["out"] if is_told else ["out", "abandoned", None])


def test_two_publishers_at_once(con: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    """One waits, and knows of the other's release."""
    processes = [publisher(tmp_path, "never", name) for name in ("a", "b")]
    known = []
    for process in processes:
        output, errors = process.communicate()
        assert process.returncode == 0, errors
        known.append(output.splitlines()[1].split())
    assert sorted(known, key=len) in ([["a"], ["b", "a"]], [["b"], ["a", "b"]])
    assert sorted(agrees(con, tmp_path)) == [("a", "out"), ("b", "out")]
