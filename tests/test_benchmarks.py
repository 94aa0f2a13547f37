"""Every benchmark runs, on a few rows: a look at whether what it calls is still there, not at its numbers."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.data import ROOT, data

FOLDER = ROOT / "benchmarks"
pytestmark = pytest.mark.skipif(not FOLDER.is_dir(), reason="benchmarks are in a checkout alone")

# Of many kinds of overlaps one, once; the others run the same code.
FEWER = {"calibration": ["--overlaps=1", "--of=adult-2"], "reconstruct": ["--blocks=1", "--people=5"]}
QUICK = ("privacy", "identifiers")  # a second; the others take up to some minutes


def of_main(name: str) -> tuple[str, ...]:
    """A tuple of names that `python -m benchmarks` knows."""
    for statement in ast.parse((FOLDER / "__main__.py").read_text("utf-8")).body:
        if isinstance(statement, ast.Assign) and ast.unparse(statement.targets[0]) == name:
            return tuple(ast.literal_eval(statement.value))
    raise AssertionError(name)


def with_main() -> set[str]:
    """The modules that have a benchmark, not only what benchmarks share."""
    return {
        file.stem
        for file in FOLDER.glob("[a-z]*.py")
        if any(
            isinstance(each, ast.FunctionDef) and each.name == "main"
            for each in ast.parse(file.read_text("utf-8")).body
        )
    }


def measured() -> list[bytes]:
    """What `make bench` writes, and a run on few rows must not."""
    return [(ROOT / name).read_bytes() for name in ("README.md", "docs/measured.md")]


ALL = sorted(of_main("ALL")) if FOLDER.is_dir() else []


def test_each_is_known() -> None:
    assert set(ALL) == with_main()


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=() if name in QUICK else pytest.mark.slow("seconds to minutes"))
        for name in ALL
    ],
)
def test_it_runs_on_few_rows(name: str, tmp_path: Path) -> None:
    """Without the data sets it says that they are absent, or takes a generated census."""
    before = measured()
    small = ["--rows=300", *FEWER.get(name, [])]
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks", *small, name],
        cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT), "SQLANON_DATA": str(data())},
        capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert measured() == before
    assert len(done.stdout.splitlines()) > 1


@pytest.mark.slow("half a second")
def test_whoever_reads_may_stop(tmp_path: Path) -> None:
    """As `python -m benchmarks | head` does."""
    command = [sys.executable, "-u", "-m", "benchmarks", "--rows=300", "identifiers"]
    with subprocess.Popen(
        command, cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT), "SQLANON_DATA": str(data())},
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as run:  # fmt: skip
        assert run.stdout is not None
        assert run.stderr is not None
        assert run.stdout.readline().startswith("DuckDB")
        run.stdout.close()
        told = run.stderr.read()
    assert (run.returncode, told) == (0, "")
