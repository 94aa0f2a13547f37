"""Which tests run: the marks `slow` and `both_lines`."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.budget import ON_OLDER
from tests.data import ROOT

HOOKS = """
from tests import budget

def pytest_configure(config):
    for mark in ("slow", "both_lines"):
        config.addinivalue_line("markers", mark)

def pytest_collection_modifyitems(items):
    budget.choose(items)
"""

TESTS = """
import pytest

@pytest.mark.slow("2 s")
def test_slow(): ...

def test_quick(): ...

@pytest.mark.both_lines
def test_quick_on_both(): ...

@pytest.mark.slow("2 s")
class TestSlow:
    @pytest.mark.both_lines
    def test_in_it(self): ...

@pytest.mark.both_lines
@pytest.mark.slow("1 s a case", but=(1,))
@pytest.mark.parametrize("number", range(3))
def test_cases(number): ...
"""


def collected(folder: Path, tests: str, *options: str) -> subprocess.CompletedProcess[str]:
    (folder / "conftest.py").write_text(HOOKS)
    (folder / "test_it.py").write_text(tests)
    (folder / "pytest.ini").write_text("[pytest]\n")
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider", *options]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)


def names(done: subprocess.CompletedProcess[str]) -> list[str]:
    return [line.partition("::")[2] for line in done.stdout.splitlines() if "::" in line]


def test_what_is_not_slow_runs(tmp_path: Path) -> None:
    expected = ["test_quick", "test_quick_on_both", "test_cases[1]"]
    assert names(collected(tmp_path, TESTS, "-m", "not slow")) == (expected[1:] if ON_OLDER else expected)
    assert len(names(collected(tmp_path, TESTS))) == 7


@pytest.mark.parametrize(
    ("mark", "message"),
    [
        ("slow", "slow takes a reason"),
        ("slow('1 s', 3)", "slow takes a reason"),
        ("slow('1 s', but=(3,))", "has 3 cases: but=(3,)"),
    ],
)
def test_marks_that_are_wrong(tmp_path: Path, mark: str, message: str) -> None:
    done = collected(tmp_path, TESTS.replace('slow("1 s a case", but=(1,))', mark))
    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    assert message in done.stdout + done.stderr
