"""The files of the page: what comes from npm, and where they are written."""

import base64
import hashlib
import io
import re
import tarfile
import tomllib
import urllib.request
from pathlib import Path

import pytest

from sqlanon.app import folder, npm
from sqlanon.core import library
from sqlanon.core.errors import SqlanonError, UseError
from tests.cli.test_cli import refused, run


@pytest.fixture
def packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of packages, each with its files and their names as content, that stand for the real ones."""
    source = tmp_path / "packages"
    source.mkdir()
    made = []
    for package in npm.PACKAGES:
        content = io.BytesIO()
        with tarfile.open(fileobj=content, mode="w:gz") as archive:
            for inside in package.files:
                text = folder.IMPORT if inside.endswith("browser.mjs") else inside.encode()
                entry = tarfile.TarInfo(f"package/{inside}")
                entry.size = len(text)
                archive.addfile(entry, io.BytesIO(text))
        (source / package.archive).write_bytes(content.getvalue())
        sha512 = base64.b64encode(hashlib.sha512(content.getvalue()).digest()).decode()
        made.append(npm.Package(package.name, package.version, sha512, package.files))
    monkeypatch.setattr(npm, "PACKAGES", tuple(made))
    return source


def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object, **__: object) -> None:
        raise OSError("no network")

    monkeypatch.setattr(urllib.request, "urlopen", fails)


def test_the_decision_page_says_nothing_that_has_no_text() -> None:
    """Also what a test of the page does not come by: what was accepted, tried, or refused."""
    files = [folder.PAGES / "decision_page" / name for name in ("texts.toml", "judged.toml")]
    there = {key for file in files for key in tomllib.loads(file.read_text("utf-8"))}
    said = re.findall(r'words\("(\w+)"', (folder.PAGE / "decision.js").read_text("utf-8"))
    assert len(said) > 20
    assert {*said} - there == set()


@pytest.mark.slow("5 s")
def test_a_folder_has_all_that_the_page_asks_for(packages: Path, tmp_path: Path) -> None:
    target = tmp_path / "page"
    folder.publish(target, packages, force=False)
    there = {file.name for file in target.iterdir()}
    index = (target / "index.html").read_text("utf-8")
    assert "{" not in index
    assert folder.POLICY in index
    assert {"main.js", "duckdb-eh.wasm", "parquet_wasm_bg.wasm"} <= there
    assert (
        target / "sqlanon.duckdb"
    ).stat().st_size < 0.95 * library.FILE.stat().st_size  # of half a megabyte less
    assert (target / "duckdb-browser.mjs").read_text() == 'from"./apache-arrow.js"'
    assert sorted(path.name for path in tmp_path.iterdir()) == ["packages", "page"]


@pytest.mark.slow("18 s: the page is built twice")
def test_a_folder_is_replaced_only_if_it_is_the_page(packages: Path, tmp_path: Path) -> None:
    target = tmp_path / "page"
    folder.publish(target, packages, force=False)
    with pytest.raises(UseError, match="exists: give --force"):
        folder.publish(target, packages, force=False)
    folder.publish(target, packages, force=True)
    (target / "mine.txt").write_text("mine")
    with pytest.raises(UseError, match=r"has other files in it \(mine.txt\)"):
        folder.publish(target, packages, force=True)
    assert (target / "mine.txt").read_text() == "mine"


def test_a_package_that_is_another_one_is_refused(packages: Path, tmp_path: Path) -> None:
    archive = packages / npm.PACKAGES[0].archive
    archive.write_bytes(archive.read_bytes() + b"\0")
    with pytest.raises(SqlanonError, match=r"is not @duckdb/duckdb-wasm .*: its SHA-512 is"):
        folder.publish(tmp_path / "page", packages, force=False)
    assert not (tmp_path / "page").exists()


def test_packages_are_kept(packages: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Fetched once, then never again; what was damaged is not used."""
    monkeypatch.setattr(npm, "cache", lambda: tmp_path / "cache")
    monkeypatch.setattr(npm, "_fetched", lambda package: (packages / package.archive).read_bytes())
    (tmp_path / "a").mkdir()
    npm.unpack(tmp_path / "a")
    monkeypatch.undo()
    monkeypatch.setattr(npm, "cache", lambda: tmp_path / "cache")
    no_network(monkeypatch)
    kept = sorted(file.name for file in (tmp_path / "cache").iterdir())
    assert kept == sorted(package.archive for package in npm.PACKAGES)
    (tmp_path / "cache" / kept[0]).write_bytes(b"other")
    (tmp_path / "b").mkdir()
    with pytest.raises(SqlanonError, match="its SHA-512 is"):
        npm.unpack(tmp_path / "b")


def test_without_a_network(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    no_network(monkeypatch)
    monkeypatch.setattr(npm, "cache", lambda: tmp_path / "cache")
    result = run("app", "-o", tmp_path / "page")
    assert (result.exit_code, result.stdout) == (3, "")
    said = "cannot be fetched (no network). Where there is no network, give --from with a folder of duckdb-"
    assert said in result.stderr
    assert not (tmp_path / "page").exists()
    message = refused(2, "app", "-o", tmp_path / "page", "--from", tmp_path)
    assert message.startswith(f"there is no file {tmp_path}/duckdb-duckdb-wasm-")
    assert "'npm pack @duckdb/duckdb-wasm@" in message
    assert refused(2, "app", "--from", tmp_path / "no") == f"there is no folder {tmp_path / 'no'}"
