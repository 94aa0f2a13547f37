"""Other clients of DuckDB with the file of macros: Node."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from sqlanon.core.library import write_file
from tests.data import ROOT
from tests.documents import DOCS

NODE, NPM = shutil.which("node"), shutil.which("npm")


def test_node(tmp_path: Path) -> None:
    """The project in examples/node prints what the page shows.

    Also in continuous integration it is skipped without Node or npm's registry: neither is part of what
    sqlanon needs.
    """
    if NODE is None or NPM is None:
        pytest.skip("no node, no npm: apt-get install -y nodejs npm")
    for file in (ROOT / "examples" / "node").iterdir():
        if file.is_file():
            shutil.copy(file, tmp_path)
    quiet = ["--no-audit", "--no-fund", "--no-update-notifier", "--fetch-retries=0"]
    environment = {**os.environ, "npm_config_cache": str(tmp_path / "cache")}
    installed = subprocess.run(
        [NPM, "install", *quiet], cwd=tmp_path, env=environment, capture_output=True, text=True
    )
    if re.search(r"ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|E403|ENOTCACHED", installed.stderr):
        pytest.skip("npm's registry is out of reach")
    assert installed.returncode == 0, installed.stderr
    write_file(tmp_path / "sqlanon.duckdb")
    answer = subprocess.run([NODE, "clinics.js"], cwd=tmp_path, capture_output=True, text=True)
    assert answer.returncode == 0, answer.stderr
    assert f"```text\n{answer.stdout}```" in (DOCS / "how_to" / "other_clients.md").read_text("utf-8")
