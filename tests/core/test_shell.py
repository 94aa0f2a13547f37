"""The library in the DuckDB shell, as one script and without Python; and what it says about itself."""

from __future__ import annotations

import csv
import io
import os
import re
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest

from sqlanon.core.library import read_library
from tests.data import ROOT

pytestmark = pytest.mark.both_lines


# The shell lies next to the interpreter: `pip install duckdb-cli`.
SHELL = Path(sys.executable).parent / ("duckdb.exe" if os.name == "nt" else "duckdb")
IN_CI = os.environ.get("CI", "").lower() not in ("", "0", "false")

needs_shell = pytest.mark.skipif(
    not SHELL.exists() and not IN_CI, reason=f"no DuckDB shell in {SHELL.parent}: pip install duckdb-cli"
)

PEOPLE = """
create table people as
    select range as id, 20 + range % 17 as age, '1301' || range % 5 as zip, 'd' || range % 4 as disease
    from range(60);
"""


REFERENCE = (ROOT / "REFERENCE.md").read_text("utf-8")


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of sqlanon.sql, as `sqlanon sql -o sqlanon.sql` writes it."""
    folder = tmp_path_factory.mktemp("bundle")
    subprocess.run(
        [sys.executable, "-m", "sqlanon", "sql", "-o", str(folder / "sqlanon.sql")],
        cwd=ROOT, check=True, capture_output=True,
    )  # fmt: skip
    return folder


def shell(folder: Path, script: str, *options: str) -> str:
    """What a new shell prints for a script: no configuration, and no Python in its environment."""
    answer = subprocess.run(
        [SHELL, "-init", os.devnull, "-bail", "-batch", *options],
        cwd=folder, input=script, capture_output=True, encoding="utf-8", timeout=120,
        env={"HOME": str(folder)},
    )  # fmt: skip
    assert (answer.returncode, answer.stderr) == (0, "")
    return answer.stdout


def table(folder: Path, script: str) -> list[list[str]]:
    """The rows of the last query, the names of the columns first."""
    return list(csv.reader(io.StringIO(shell(folder, f".read sqlanon.sql\n{PEOPLE}\n{script}\n", "-csv"))))


def test_the_bundle_is_the_library(bundle: Path) -> None:
    assert (bundle / "sqlanon.sql").read_text("utf-8") == read_library()


@needs_shell
class TestShell:
    @pytest.mark.slow("2 s")
    def test_reading_it_twice_prints_nothing(self, bundle: Path) -> None:
        assert shell(bundle, ".read sqlanon.sql\n.read sqlanon.sql\n") == ""

    @pytest.mark.slow("1 s")
    def test_classes(self, bundle: Path) -> None:
        result = table(bundle, "from sqlanon.classes('people', qi := 'zip') order by class_id;")
        assert result == [["class_id", "zip", "size"]] + [[f"{i + 1}", f"1301{i}", "12"] for i in range(5)]

    @pytest.mark.slow("1 s")
    def test_privacy(self, bundle: Path) -> None:
        result = table(
            bundle,
            """select model, reached, size, class.zip from sqlanon.privacy('people', 'zip', 'disease')
            where model in ('k-anonymity', 'distinct l-diversity') order by model desc;""",
        )
        assert result[1:] == [
            ["k-anonymity", "12.0", "12", "13010"],
            ["distinct l-diversity", "4.0", "12", "13010"],
        ]

    @pytest.mark.slow("2 s")
    def test_violations(self, bundle: Path) -> None:
        result = table(
            bundle,
            """select model, required, reached, size, class.zip
            from sqlanon.violations('people', qi := ['zip'], k := 13) order by all;""",
        )
        assert result[1:] == [["k-anonymity", "13.0", "12.0", "12", f"1301{i}"] for i in range(5)]
        assert table(bundle, "from sqlanon.violations('people', qi := ['zip'], k := 12);") in (
            [],
            [["model", "sensitive", "required", "reached", "size", "class", "id"]],
        )

    @pytest.mark.slow("1 s")
    def test_mondrian_and_the_attack(self, bundle: Path) -> None:
        releases = "".join(
            f"""create table r{i} as from sqlanon.mondrian(
                'part{i}', qi := ['age', 'zip'], sensitive := 'disease', k := 4, seed := {i});
            """
            for i in (1, 2)
        )
        parts = """create table part1 as from people where id < 40;
            create table part2 as from people where id >= 20;
            create table targets as from people where id between 20 and 39;"""
        result = table(
            bundle,
            f"""{parts} {releases}
            select count(*) as targets, min(posterior) as least, bool_and(truth_is_candidate) as found,
                   bool_and(prior >= posterior) as ordered,
                   (select min(size) from sqlanon.classes('r1', ['age', 'zip'])) as k,
                   (select count(*) from r2) as rows
            from sqlanon.intersection_attack(['r1', 'r2'], 'targets', 'id', ['age', 'zip'], 'disease',
                truth := 'disease');""",
        )
        [names, values] = result
        answer = dict(zip(names, values, strict=True))
        assert int(answer.pop("least")) >= 1
        assert int(answer.pop("k")) >= 4
        assert answer == {"targets": "20", "found": "true", "ordered": "true", "rows": "40"}

    @pytest.mark.slow("1 s")
    def test_errors_are_told(self, bundle: Path) -> None:
        answer = subprocess.run(
            [SHELL, "-init", os.devnull, "-bail", "-batch"],
            cwd=bundle, capture_output=True, encoding="utf-8", timeout=120,
            input=f".read sqlanon.sql\n{PEOPLE}\nfrom sqlanon.classes('people', qi := 'zipp');\n",
        )  # fmt: skip
        assert answer.returncode != 0
        assert '"zipp" not found' in answer.stderr

    @pytest.mark.slow("1 s")
    def test_help(self, bundle: Path) -> None:
        script = ".read sqlanon.sql\nfrom sqlanon.help();\n"
        [names, *result] = csv.reader(io.StringIO(shell(bundle, script, "-csv")))
        assert names == ["topic", "macro", "description"]
        assert [macro for _, macro, _ in result] == re.findall(r"^### (\w+)$", REFERENCE, re.MULTILINE)

    @pytest.mark.slow("1 s")
    def test_help_of_a_macro(self, bundle: Path) -> None:
        script = ".read sqlanon.sql\nfrom sqlanon.help('classes');\n"
        [names, *result] = csv.reader(io.StringIO(shell(bundle, script, "-csv")))
        assert names == ["kind", "name", "type", "default", "meaning"]
        answer = [(kind, name) for kind, name, *_ in result if kind in ("parameter", "result")]
        assert answer == [
            ("parameter", "tbl"), ("parameter", "qi"), ("parameter", "unit"), ("parameter", "weight"),
            ("parameter", "distinct_spellings"),
            ("result", "class_id"), ("result", "<qi>"), ("result", "size"), ("result", "people"),
        ]  # fmt: skip


@needs_shell
@pytest.mark.parametrize("options", [["-bail"], []])
@pytest.mark.parametrize(
    ("file", "before"), [("sqlanon.duckdb", ""), ("other.duckdb", "create schema sqlanon;")]
)
def test_nothing_gets_into_a_database_or_schema_of_that_name(
    bundle: Path, tmp_path: Path, options: list[str], file: str, before: str
) -> None:
    """Also where the shell goes on after an error."""
    answer = subprocess.run(
        [SHELL, "-init", os.devnull, "-batch", *options, str(tmp_path / file)],
        cwd=bundle, input=f"{before}\n.read sqlanon.sql\nrollback;\ncreate table after_it as select 1;",
        capture_output=True,
        encoding="utf-8", timeout=120, env={"HOME": str(bundle)},
    )  # fmt: skip
    assert 'has the name "sqlanon", which the macros need' in answer.stderr
    with duckdb.connect(tmp_path / file, read_only=True) as con:
        macros = "select count(*) from duckdb_functions() where function_type like '%macro' and not internal"
        assert con.execute(macros).fetchall() == [(0,)]
