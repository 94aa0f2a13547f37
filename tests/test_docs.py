"""The documentation: every example does what its page shows, and every link leads somewhere."""

from __future__ import annotations

import re
from pathlib import Path

import duckdb
import pytest

import mkdocs_hooks
from tests.documents import DOCS, ROOT, RUN, blocks, failures, prepared_by, rewritten, with_files

README = ROOT / "README.md"
PAGES = [README, *sorted(DOCS.rglob("*.md"))]

# These take more than two seconds, some of them many.
LONG = {
    "concepts/composition.md",
    "concepts/tables.md",
    "how_to/ask.md",
    "how_to/choose.md",
    "how_to/decide.md",
    "how_to/files.md",
    "how_to/new_rows.md",
    "how_to/own_attack.md",
    "how_to/publish.md",
    "how_to/rules_of_practice.md",
    "how_to/several_tables.md",
    "how_to/synthetic_data.md",
    "how_to/tables_of_counts.md",
    "tutorials/analyst_in_a_shell.md",
    "tutorials/data_scientist.md",
    "tutorials/privacy_officer.md",
    "tutorials/quarterly_table.md",
    "tutorials/researcher.md",
    "tutorials/survey_office.md",
}

# Pages whose examples are tested elsewhere as a whole, and where.
ELSEWHERE = {"spark.md": "tests/spark"}

# What nobody runs, by page.
NOT_RUN = {
    "how_to/extension.md": ["it installs"],
    "how_to/from_other_tools.md": ["Java with ARX", "R with sdcMicro", "PostgreSQL with the extension anon"],
    "how_to/install.md": ["it installs"],
    "how_to/other_clients.md": [
        "R's package duckdb could not be installed",
        "the JDBC driver could not be fetched",
        "Go's module could not be fetched",
        "Rust's crate could not be fetched",
    ],
    "tutorials/data_engineer.md": ["it installs"],
}


def name(page: Path) -> str:
    return page.relative_to(README.parent if page == README else DOCS).as_posix()


def cases() -> list[object]:
    return [
        pytest.param(
            page, id=name(page), marks=pytest.mark.slow("seconds to minutes") if name(page) in LONG else ()
        )
        for page in PAGES
        if name(page) not in ELSEWHERE and any(block.runs for block in blocks(page.read_text("utf-8")))
    ]


@pytest.mark.parametrize("page", cases())
def test_page(
    con: duckdb.DuckDBPyConnection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, page: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    wrong = [f"{block.text}\n{actual}" for block, actual in failures(page.read_text("utf-8"), con)]
    assert wrong == [], f"python -m tests.documents {name(page)} writes what is shown anew"


def test_what_is_not_run_says_so() -> None:
    """Every block is run here, is a file, or says where it is run, or why nowhere."""
    not_run: dict[str, list[str]] = {}
    for page in PAGES:
        if name(page) in ELSEWHERE:
            assert (ROOT / ELSEWHERE[name(page)]).exists()
            continue
        text = page.read_text("utf-8")
        assert all((ROOT / script).is_file() for script in prepared_by(text))
        for block in blocks(text):
            how, _, what = block.mark.partition(": ")
            if how == "not run":
                not_run.setdefault(name(page), []).append(what)
            elif block.mark:
                assert (ROOT / block.mark.removeprefix("run by ")).exists(), block.mark
            else:
                assert block.language in RUN or block.title, (name(page), block.text)
    assert not_run == NOT_RUN


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_files_in_pages_are_those_of_the_repository(page: Path) -> None:
    """So they are read where nothing includes them: in a checkout, and on a forge."""
    text = page.read_text("utf-8")
    assert text == with_files(text), f"python -m tests.documents {name(page)} writes them anew"
    assert "--8<--" not in text


def test_indented_code_calls_make_and_nothing_else() -> None:
    """Nobody runs it."""
    for page in PAGES:
        if name(page) not in ELSEWHERE:
            text = re.sub(r"^```.*?^```$", "", page.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
            indented = re.findall(r"(?<=\n\n) {4}(?!make )\S[^\n]*", text)
            assert indented == [], name(page)


class TestTheRunner:
    """A page that is wrong does not pass."""

    @pytest.mark.parametrize(
        ("page", "message"),
        [
            ("```sql\nselect 1 as a\n```\n\n```text\na\n2\n```", "a\n1"),
            ("```sql\nselect 1 as a\n```\n\n```text\n```", "a\n1"),
            ("```sql\nselect oops\n```", "Binder Error"),
            ("```python\n1 / 0\n```", "ZeroDivisionError"),
            ("```python\n1 + 1\n```\n```text\n3\n```", "2"),
            ("```shell\nsqlanon check nothing.csv\n```", "exit code 2"),
            ("```shell\nrm -rf .\n```", "nobody runs this command"),
        ],
    )
    def test_it_fails(self, con: duckdb.DuckDBPyConnection, page: str, message: str) -> None:
        [(_, actual)] = failures(page, con)
        assert message in actual

    def test_it_passes(
        self, con: duckdb.DuckDBPyConnection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Files are there, blocks share what they make, and what is written anew is right."""
        monkeypatch.chdir(tmp_path)
        page = (
            "```csv title=\"t.csv\"\na,b\n1,2\n```\n```sql\ncreate table t as from 't.csv';\nfrom t;\n```\n"
            "```text\n```\n```python\nx = 41\n```\n```python\nx + 1\n```\n```text\n4...\n```\n"
            "```shell\nsqlanon check nothing.csv\necho $?\n```\n```text\nerror: ...\n2\n```\n"
        )
        right = rewritten(page, con)
        assert "a   b\n1   2\n" in right
        con.execute("drop table t").fetchall()
        assert list(failures(right, con)) == []

    def test_a_mark_belongs_to_the_next_block_alone(self) -> None:
        page = "<!-- not run: no -->\n```sql\n1\n```\n\n```sql\n2\n```\n"
        assert [block.runs for block in blocks(page)] == [False, True]


# Links


def anchors(text: str) -> set[str]:
    """The anchors of the headings of a page."""
    prose = re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
    titles = re.findall(r"^#+ (.+)$", prose, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title).strip().lower().replace(" ", "-") for title in titles}


def documents() -> list[Path]:
    folders = ("docs", "examples", "dbt")
    return [*ROOT.glob("*.md"), *(page for folder in folders for page in (ROOT / folder).rglob("*.md"))]


def test_links_lead_somewhere() -> None:
    """Those to files of the repository, with their anchors; and pictures."""
    missing, followed = [], 0
    for page in documents():
        text = mkdocs_hooks.CODE.sub("", page.read_text("utf-8"))
        for target, anchor in re.findall(r"\]\((?![a-z]+:)([^)#\s]*)(#[^)\s]+)?\)", text):
            there = (page.parent / target).resolve() if target else page
            followed += 1
            if not there.exists() or (anchor and anchor[1:] not in anchors(there.read_text("utf-8"))):
                missing.append(f"{page.name}: {target}{anchor}")
    assert missing == []
    assert followed > 100


def test_every_page_is_in_the_navigation() -> None:
    """And every page of the navigation is there."""
    listed = re.findall(r": ([\w/]+\.md)$", (ROOT / "mkdocs.yml").read_text("utf-8"), re.MULTILINE)
    assert {name(page) for page in PAGES if page != README} <= set(listed)
    assert all((DOCS / page).exists() or (ROOT / page).exists() for page in listed)


@pytest.mark.parametrize(
    ("html", "loaded"),
    [
        ('<script src="https://example.org/x.js"></script>', ["https://example.org/x.js"]),
        ('<link rel="stylesheet" href="//example.org/x.css">', ["//example.org/x.css"]),
        ('<img alt="" src="http://example.org/x.png">', ["http://example.org/x.png"]),
        ("a { background: url(https://example.org/x.svg) }", ["https://example.org/x.svg"]),
        ('<a href="https://example.org">a link</a> <img src="x.svg"> <link rel="icon" href="x.png">', []),
        ('<link rel="canonical" href="https://example.org/">', []),
    ],
)
def test_what_a_page_loads_from_elsewhere(html: str, loaded: list[str]) -> None:
    """`make docs` refuses a site that does."""
    assert mkdocs_hooks.foreign(html) == loaded


def test_the_readme_shows_what_was_measured() -> None:
    """The table that `make bench` has written."""
    rows = [line for line in (DOCS / "measured.md").read_text("utf-8").splitlines() if line.startswith("|")]
    shown = README.read_text("utf-8").partition("<!-- measured")[2].partition("<!-- end -->")[0]
    assert [line for line in shown.splitlines() if line.startswith("|")] == rows
    assert len(rows) > 5
