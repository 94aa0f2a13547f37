"""The page as a folder of files that any server can host."""

from __future__ import annotations

import json
import shutil
import tomllib
from pathlib import Path

from sqlanon import __version__
from sqlanon.app import npm
from sqlanon.core import library
from sqlanon.core.errors import SqlanonError, UseError
from sqlanon.core.outputs import check_folder, private_folder

PAGE = Path(__file__).parent / "page"
PAGES = Path(__file__).parents[1] / "pages"  # whose texts and style the decision page of a browser shares

# What the browser lets the page do: load what is beside it, and nothing else.
POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; worker-src blob:; base-uri 'none'; form-action 'none'"
)

IMPORT = b'from"apache-arrow"'


def write(target: Path, packages: Path | None = None) -> None:
    """Fill an empty folder with the page. packages: a folder that has what the page needs from npm."""
    npm.unpack(target, packages)
    module = target / "duckdb-browser.mjs"
    code = module.read_bytes()
    if IMPORT not in code:
        raise SqlanonError(f"{module.name} does not import apache-arrow")
    module.write_bytes(code.replace(IMPORT, b'from"./apache-arrow.js"'))  # a browser knows no bare names
    for file in PAGE.iterdir():
        shutil.copyfile(file, target / file.name)
    files = ((PAGES / "decision_page" / name).read_text("utf-8") for name in ("texts.toml", "judged.toml"))
    texts = {key: text for file in files for key, text in tomllib.loads(file).items()}
    (target / "decision_texts.json").write_text(json.dumps(texts, ensure_ascii=False), "utf-8", newline="\n")
    shutil.copyfile(PAGES / "style.css", target / "decision.css")
    index = target / "index.html"
    html = index.read_text("utf-8")
    for hole, text in {"policy": POLICY, "version": __version__, "library": library.FILE.name}.items():
        html = html.replace(f"{{{hole}}}", text)
    index.write_text(html, "utf-8", newline="\n")
    library.write_file(target / library.FILE.name, for_python=False)


def publish(target: Path, packages: Path | None, force: bool) -> None:
    """Make a folder of the page: all of it, or nothing. force: replace the files of one that is there.

    Errors: UseError for a folder that has anything else in it.
    """
    if target.exists() and not target.is_dir():
        raise UseError(f"{target} is not a folder")
    check_folder(target)
    there = {file.name for file in target.iterdir()} if target.is_dir() else set()
    if there and not force:
        raise UseError(f"{target} exists: give --force to replace it")
    with private_folder(target.parent) as temporary:
        made = temporary / "page"
        made.mkdir()
        write(made, packages)
        if others := there - {file.name for file in made.iterdir()}:
            raise UseError(
                f"{target} has other files in it ({min(others)}): name a folder for the page alone"
            )
        if there:
            shutil.rmtree(target)
        elif target.exists():
            target.rmdir()
        made.rename(target)
    target.chmod(0o755)
