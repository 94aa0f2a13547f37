"""examples/nightly: the policy, what stops a night, and the script from end to end."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest

import sqlanon.policies

FOLDER = Path(__file__).parents[2] / "examples" / "nightly"
PATIENTS = """copy (select {age} as age, 13000 + hash(i, 1) % 40 as zip,
    ['flu', 'asthma', 'cancer', 'diabetes', 'gout'][1 + (hash(i, 2) % 5)::integer] as diagnosis
    from range({rows}) as r(i)) to 'patients.csv'"""


@pytest.fixture
def night(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the folder, which is the current one."""
    shutil.copytree(FOLDER, tmp_path, dirs_exist_ok=True)
    (tmp_path / "out").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_its_policy_can_be_read(night: Path) -> None:
    policy = sqlanon.policies.load("policy.toml")
    assert policy.known == "register"
    assert policy.tolerated["intersection_attack.pvp_100"] == 0


@pytest.mark.parametrize(
    ("age", "rows", "message"),
    [
        ("hash(i) % 60", 50, "fewer than 100 patients"),
        ("if(i > 0, i, null)", 110, "a patient without an age"),
        ("i", 200, "an age that is none"),
    ],
)
def test_a_table_that_is_not_fit_stops_the_night(night: Path, age: str, rows: int, message: str) -> None:
    with duckdb.connect() as con:
        con.execute(PATIENTS.format(age=age, rows=rows)).fetchall()
        with pytest.raises(duckdb.Error, match=message):
            con.execute((night / "stage.sql").read_text()).fetchall()


@pytest.mark.slow("nights of publishing")
def test_a_night(night: Path) -> None:
    """And the next day that there is a release already."""
    if shutil.which("duckdb", path=str(Path(sys.executable).parent)) is None:
        pytest.skip("needs the DuckDB shell")
    duckdb.execute(PATIENTS.format(age="20 + hash(i) % 60", rows=400)).fetchall()
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    for code, message in ((0, "is out: release 1"), (2, "exists: what may be out is never replaced")):
        done = subprocess.run(
            ["./publish.sh"], env={**os.environ, "PATH": path}, capture_output=True, text=True
        )
        assert done.returncode == code, done.stderr
        assert message in done.stderr
    assert len(list((night / "out").iterdir())) == 1
