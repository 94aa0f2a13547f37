"""The package for dbt, run by dbt on the example project."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import duckdb
import pytest

from sqlanon.core import library
from tests.data import ROOT
from tests.publishing.test_nightly import PATIENTS

pytestmark = [
    pytest.mark.both_lines,
    pytest.mark.skipif(find_spec("dbt.cli") is None, reason="dbt is not installed here (extra dbt)"),
]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """The example project beside the package, as in a checkout."""
    shutil.copytree(ROOT / "dbt", tmp_path / "dbt")
    shutil.copytree(ROOT / "examples" / "dbt", tmp_path / "examples" / "dbt")
    folder = tmp_path / "examples" / "dbt"
    library.write_file(folder / "sqlanon.duckdb")
    assert dbt(folder, "deps") == (0, {})
    return folder


def dbt(folder: Path, *command: str) -> tuple[int, dict[str, str]]:
    """The exit code of dbt, and what has come of each model and test."""
    quiet = {"DBT_SEND_ANONYMOUS_USAGE_STATS": "false", "DBT_PROFILES_DIR": str(folder)}
    results = folder / "target" / "run_results.json"
    results.unlink(missing_ok=True)
    done = subprocess.run(
        [sys.executable, "-m", "dbt.cli.main", *command], cwd=folder, env={**os.environ, **quiet},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    if not results.exists():
        assert command == ("deps",), done.stdout
        return done.returncode, {}
    with duckdb.connect() as con:
        told = con.execute(
            "select split_part(unique_id, '.', 3), status "
            "from (select unnest(results, recursive := true) from read_json(?))",
            [str(results)],
        ).fetchall()
    return done.returncode, dict(told)


def test_only_what_holds_is_published(project: Path) -> None:
    """All passes, and a policy gives the rows that it gives by hand. Then a careless release fails its tests,
    a careless policy its model, and what is published stays as it was."""
    code, told = dbt(project, "build", "--target", "attached")
    assert code == 0, told
    assert len(told) == 13
    assert set(told.values()) == {"success", "pass"}

    def published(model: str) -> list[tuple[str, str, str, int]]:
        with duckdb.connect(project / "clinics.duckdb", read_only=True) as con:
            rows = con.query(f"select *, count(*) over (partition by age, zip) as size from {model}")
            return rows.order("all").fetchall()

    by_hand = ["anonymize", "clinics.duckdb::patients", "--policy", "policy.toml", "-o", "may.parquet"]
    known = ["--known", "clinics.duckdb::march", "--known", "clinics.duckdb::april"]
    subprocess.run([sys.executable, "-m", "sqlanon", *by_hand, *known], cwd=project, check=True)
    before = {model: published(model) for model in ("april", "may")}
    assert published(f"'{project / 'may.parquet'}'") == before["may"]
    assert min(size for rows in before.values() for *_, size in rows) >= 5
    staged = project / "models" / "april_staged.sql"
    careless = (
        staged.read_text().replace("k=5, l=3", "k=2").replace("known=[ref('march')], composed_l=2, ", "")
    )
    staged.write_text(careless + " -- {{ ref('march') }}\n")
    schema = project / "models" / "schema.yml"
    schema.write_text(schema.read_text().replace("[age, zip, diagnosis]}", "[age, diagnosis]}"))
    code, told = dbt(project, "build", "--target", "plugin")
    assert code == 1
    failed = {test.removeprefix("sqlanon_") for test, status in told.items() if status == "fail"}
    assert {name.partition("_april")[0] for name in failed} == {
        "k_anonymous", "violations", "only_columns", "no_composition",
    }  # fmt: skip
    assert told["april_staged"] == "success"
    assert told["april"] == told["may"] == "skipped"
    refused = (project / "policy.toml").read_text().replace("k = 5\nl = 3\ncomposed_l = 2", "k = 2\n")
    (project / "policy.toml").write_text(refused)
    assert dbt(project, "run", "--select", "may", "--target", "plugin") == (1, {"may": "error"})
    assert {model: published(model) for model in before} == before


@pytest.mark.exhaustive
def test_a_night(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The gate as a model: its table has the verdicts."""
    shutil.copytree(ROOT / "examples" / "nightly", tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    Path("out").mkdir()
    duckdb.execute(PATIENTS.format(age="20 + hash(i) % 60", rows=400)).fetchall()
    code, told = dbt(tmp_path, "build")
    assert code == 0, told
    assert told["published"] == "success"
    assert len(list(Path("out").iterdir())) == 1
