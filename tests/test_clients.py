"""Other clients of DuckDB: what docs/how_to/other_clients.md shows, where the client can be had."""

from __future__ import annotations

import csv
import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from extension.build import compiler, link, prepare
from tests.core.test_shell import IN_CI, SHELL, needs_shell
from tests.data import ROOT
from tests.documents import DOCS, blocks

NODE, NPM = shutil.which("node"), shutil.which("npm")
PAGE = (DOCS / "how_to" / "other_clients.md").read_text("utf-8")
FILES = {block.title: block.text for block in blocks(PAGE) if block.title}

needs_compiler = pytest.mark.skipif(
    compiler() is None and not IN_CI, reason="no C compiler: apt-get install gcc"
)


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the library's file, and with all that makes the extension."""
    folder = tmp_path_factory.mktemp("prepared")
    prepare(folder)
    return folder


@pytest.fixture
def folder(prepared: Path, tmp_path: Path) -> Path:
    """A reader's folder."""
    shutil.copy(prepared / "sqlanon.duckdb", tmp_path)
    for name in ("people.csv", "release.sql", "release.py", "release.mjs"):
        (tmp_path / name).write_text(FILES[name], "utf-8")
    return tmp_path


def is_released(folder: Path) -> bool:
    """Is everybody in release.csv, in classes of three?"""
    rows = [*csv.DictReader((folder / "release.csv").read_text("utf-8").splitlines())]
    classes = Counter((row["age"], row["zip"]) for row in rows)
    return len(rows) == FILES["people.csv"].count("\n") - 1 and min(classes.values()) >= 3


def ran(folder: Path, *command: str | Path, script: str | None = None) -> str:
    done = subprocess.run(
        command, cwd=folder, input=script, capture_output=True, encoding="utf-8", timeout=120
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


@needs_shell
@pytest.mark.both_lines
def test_shell(folder: Path) -> None:
    ran(folder, SHELL, "-init", os.devnull, "-bail", "-batch", script=FILES["release.sql"])
    assert is_released(folder)


@pytest.mark.both_lines
def test_python(folder: Path) -> None:
    """Without this package."""
    assert ran(folder, sys.executable, "-I", "-S", "-c", _without_package()) == "[]\n"
    assert is_released(folder)


def _without_package() -> str:
    """The script where only DuckDB can be imported."""
    import duckdb

    packages = str(Path(duckdb.__file__).parents[1])
    return f"import sys; sys.path.append({packages!r}); sys.modules['sqlanon'] = None\n" + FILES["release.py"]


@pytest.fixture(scope="module")
def node_modules(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What npm installs for examples/node.

    Also in continuous integration these tests are skipped without Node or npm's registry: neither is part of
    what sqlanon needs.
    """
    if NODE is None or NPM is None:
        pytest.skip("no node, no npm: apt-get install -y nodejs npm")
    folder = tmp_path_factory.mktemp("node")
    shutil.copy(ROOT / "examples" / "node" / "package.json", folder)
    quiet = ["--no-audit", "--no-fund", "--no-update-notifier", "--fetch-retries=0"]
    environment = {**os.environ, "npm_config_cache": str(folder / "cache")}
    installed = subprocess.run(
        [NPM, "install", *quiet], cwd=folder, env=environment, capture_output=True, text=True
    )
    if re.search(r"ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|E403|ENOTCACHED", installed.stderr):
        pytest.skip("npm's registry is out of reach")
    assert installed.returncode == 0, installed.stderr
    return folder / "node_modules"


@pytest.mark.slow("3 s")
def test_node(node_modules: Path, folder: Path) -> None:
    """The project in examples/node prints what the page shows."""
    assert NODE is not None
    (folder / "node_modules").symlink_to(node_modules)
    shutil.copy(ROOT / "examples" / "node" / "clinics.js", folder / "clinics.mjs")
    assert f"```text\n{ran(folder, NODE, 'clinics.mjs')}```" in PAGE


@pytest.mark.slow("half a second")
@needs_compiler
def test_node_with_the_extension(node_modules: Path, prepared: Path, folder: Path) -> None:
    assert NODE is not None
    (folder / "node_modules").symlink_to(node_modules)
    shutil.copy(link(prepared), folder)
    (folder / "sqlanon.duckdb").unlink()
    assert ran(folder, NODE, "release.mjs") == "[]\n"
    assert is_released(folder)
