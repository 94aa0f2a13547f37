"""The house: what is promised about packaging, commands and the files in the repository."""

import ast
import functools
import os
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from collections import Counter
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import Any

import pytest

from sqlanon.core import make_files
from sqlanon.core.library import topics

ROOT = Path(__file__).resolve().parents[1]
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]

# What people write may be long; anything else this large is a data set, whatever its suffix says.
WRITTEN = {".md", ".py", ".sql"}
LIMIT = 100_000  # bytes

# A folder of one machine. The pattern does not match itself: no name follows its second slash.
MACHINE_PATH = re.compile(r"(?<![\w.:~/)}-])/(?:home|opt|root|tmp|Users|work)/\w[\w./-]*")


def repository_files() -> list[Path]:
    """The files that are committed, or would be by `git add --all`; relative to the root, at least one."""
    if not (ROOT / ".git").exists():
        pytest.skip("not a git checkout")
    trust = ["-c", f"safe.directory={ROOT}"]  # a checkout that another user owns, as in containers
    command = ["git", *trust, "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True).stdout.decode().split("\0")
    files = [Path(name) for name in sorted(set(listed)) if name and (ROOT / name).is_file()]
    assert files
    return files


def test_tests_are_found_without_the_data(tmp_path: Path) -> None:
    """Those that need it are then skipped."""
    elsewhere = {"SQLANON_DATA": str(tmp_path), "SQLANON_CONFORMANCE": str(tmp_path), "CI": ""}
    command = [sys.executable, "-m", "pytest", "--collect-only", "-qq", "-p", "no:cacheprovider"]
    run = subprocess.run(
        command, cwd=ROOT, env=os.environ | elsewhere, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stdout[-2000:] + run.stderr


@pytest.mark.both_lines
def test_macros_have_names_of_their_own() -> None:
    """The second of two with one name would take the place of the first, without a word."""
    named = re.compile(r"^create or replace macro sqlanon\.(\w+)", re.MULTILINE)
    files = [file for file in repository_files() if file.suffix == ".sql"]
    names = Counter(name for file in files for name in named.findall((ROOT / file).read_text("utf-8")))
    assert names
    assert [name for name, number in names.items() if number > 1] == []


def calls_between_folders(files: dict[str, str]) -> dict[str, set[str]]:
    """Which folders of sql/ call macros of which others, also in texts of queries. files: text by path."""
    bare = {
        path: re.sub(r"comment on macro (?s:.*?)\$\$(?s:.*?)\$\$;|--.*", "", text)
        for path, text in files.items()
    }
    home = {
        macro: path.split("/")[1]
        for path, text in bare.items()
        for macro in re.findall(r"^create or replace macro sqlanon\.(\w+)", text, re.MULTILINE)
    }
    calls: dict[str, set[str]] = {folder: set() for folder in home.values()}
    for path, text in bare.items():
        folder = path.split("/")[1]
        for called in re.findall(r"sqlanon\.(\w+)\(|'(_\w+)'", text):
            calls[folder].add(home.get(called[0] or called[1], folder))
        calls[folder].discard(folder)
    return calls


def imports_between_rooms(files: dict[str, str]) -> dict[str, set[str]]:
    """Which rooms of sqlanon/ import which others, also within functions; not for types alone. files: text by
    path. What is generated (macros) may be used by all."""
    rooms = {path.split("/")[1] for path in files}
    uses: dict[str, set[str]] = {room: set() for room in rooms}
    for path, text in files.items():
        tree = ast.parse(text)
        for node in ast.walk(tree):
            if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
                node.body = []
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and node.module:
                named = [node.module, *(f"{node.module}.{each.name}" for each in node.names)]
            else:
                named = [each.name for each in node.names] if isinstance(node, ast.Import) else []
            uses[path.split("/")[1]] |= {
                room for name in named for room in rooms if f"{name}.".startswith(f"sqlanon.{room}.")
            }
    return {room: used - {room} for room, used in uses.items()}


def declared_rooms(title: str) -> dict[str, set[str]]:
    """The table of CONTRIBUTING.md behind a line: which room uses which."""
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    rows = re.findall(r"^\| `([\w]+)` \| (.*?) \|$", text.split(title)[1].split("\n\n")[1], re.MULTILINE)
    return {room: set(re.findall(r"`(\w+)`", used)) for room, used in rows}


def test_rooms_use_those_that_are_declared() -> None:
    """In one direction, sql/ and sqlanon/."""
    files = {
        path.relative_to(ROOT).as_posix(): path.read_text("utf-8")
        for path in (ROOT / "sqlanon").glob("*/**/*.py")
    }
    uses = imports_between_rooms({path: text for path, text in files.items() if "/macros/" not in path})
    calls = calls_between_folders({f"sql/{topic}.sql": text for topic, text in topics().items()})
    assert uses["cli"] >= {"core", "judge"}
    for found, title in ((calls, "Rooms of `sql/`:"), (uses, "Rooms of `sqlanon/`:")):
        assert declared_rooms(title) == found
        TopologicalSorter(found).prepare()  # CycleError names the rooms of a circle


def test_imports_for_types_alone_and_within_functions() -> None:
    files = {
        "sqlanon/one/a.py": "if TYPE_CHECKING:\n    from sqlanon.two.b import B\n",
        "sqlanon/two/b.py": "def f():\n    from sqlanon import three\n",
        "sqlanon/three/c.py": "import sqlanon.two.b\nfrom sqlanon.three import d\n",
    }
    assert imports_between_rooms(files) == {"one": set(), "two": {"three"}, "three": {"two"}}


def test_a_circle_of_folders_is_found() -> None:
    """Whether a macro is called as such or by its name."""
    define = "create or replace macro sqlanon."
    files = {
        "sql/one/a.sql": f"{define}_a() as sqlanon._b();",
        "sql/two/b.sql": f"{define}_b() as $$ sqlanon._c() $$;  -- sqlanon._a()",
        "sql/three/c.sql": f"{define}_c() as sqlanon._call('_a', []);",
    }
    calls = calls_between_folders(files)
    assert calls == {"one": {"two"}, "two": {"three"}, "three": {"one"}}
    with pytest.raises(CycleError):
        TopologicalSorter(calls).prepare()


def test_lines_of_sql_are_short() -> None:
    """As ruff checks of Python."""
    long = [
        f"{file}:{number}"
        for file in repository_files()
        if file.suffix == ".sql"
        for number, line in enumerate((ROOT / file).read_text("utf-8").splitlines(), 1)
        if len(line) > 110
    ]
    assert long == []


def assigned_string(module: Path, name: str) -> str:
    """The string literal that `module` assigns to `name` at top level, read without importing it."""
    for node in ast.parse(module.read_text("utf-8")).body:
        match node:
            case (
                ast.Assign(targets=[ast.Name(id=target)], value=ast.Constant(value=str(value)))
                | ast.AnnAssign(target=ast.Name(id=target), value=ast.Constant(value=str(value)))
            ) if target == name:
                return value
    raise AssertionError(f"{module.name} assigns no string to {name}")


def make_targets() -> set[str]:
    return set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))


def make_commands(document: str) -> set[str]:
    """What the code in a Markdown document (blocks, indented lines, inline) calls make with."""
    text = (ROOT / document).read_text("utf-8")
    code = re.findall(r"^```.*?^```|^ {4}[^\n]*$|`[^`\n]+`", text, re.MULTILINE | re.DOTALL)
    return {name for piece in code for name in re.findall(r"\bmake ([a-z-]+)", piece)}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sdist and the wheel, both built from the checkout."""
    pytest.importorskip("hatchling")
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-t", "wheel", "-d", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return folder


# Versions and dependencies


VERSION = assigned_string(ROOT / "sqlanon" / "__init__.py", "__version__")


def test_the_version_is_in_one_place() -> None:
    """dbt reads a file of its own."""
    assert PROJECT["dynamic"] == ["version"]
    assert f'\nversion: "{VERSION}"\n' in (ROOT / "dbt" / "dbt_project.yml").read_text("utf-8")


def test_the_changelog_has_a_section_for_what_is_coming_or_for_this_version() -> None:
    sections = re.findall(r"^## \[([^\]]+)\]", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert {"Unreleased", VERSION} & set(sections)


@pytest.mark.parametrize("dependency", PROJECT["dependencies"])
def test_a_dependency_has_a_lower_bound_and_no_other(dependency: str) -> None:
    assert re.fullmatch(r"[a-z][a-z0-9-]*>=\d+(\.\d+)*", dependency)


# The wheel and the sdist


def test_the_wheel_holds_the_package_and_all_of_its_sql(built: Path) -> None:
    (wheel,) = built.glob("*.whl")
    inside = set(zipfile.ZipFile(wheel).namelist())
    sql = {f"sqlanon/{file.relative_to(ROOT)}" for file in (ROOT / "sql").rglob("*.sql")}
    assert sql
    assert {name for name in inside if name.endswith(".sql")} == sql
    assert {
        "sqlanon/__init__.py",
        *(file.relative_to(ROOT).as_posix() for file in make_files.texts()),
        "sqlanon/cli/app.py",
        "sqlanon/py.typed",
        "sqlanon/sqlanon.duckdb",
    } <= inside
    assert {name.split("/")[0] for name in inside} == {"sqlanon", f"sqlanon-{VERSION}.dist-info"}


@pytest.mark.both_lines
def test_the_wheel_registers_its_macros_far_from_the_checkout(built: Path, tmp_path: Path) -> None:
    (wheel,) = built.glob("*.whl")
    zipfile.ZipFile(wheel).extractall(tmp_path)
    script = """if True:
        import duckdb, sqlanon
        with duckdb.connect() as con:
            sqlanon.register(con)
            con.execute("select path, (select count(*) from sqlanon.help()) from duckdb_databases() "
                        "where database_name = 'sqlanon'")
            print(sqlanon.__file__, *con.fetchone(), sep=chr(10))
    """
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    imported, attached, macros = done.stdout.splitlines()
    assert Path(imported).is_relative_to(tmp_path.resolve())
    assert attached == str(Path(imported).with_name("sqlanon.duckdb"))
    assert int(macros) > 0


def test_the_sdist_holds_everything_that_the_tests_need(built: Path) -> None:
    (sdist,) = built.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        inside = {name.split("/", 1)[1] for name in archive.getnames() if "/" in name}
    folders = {"sqlanon", "sql", "tests", "examples", "benchmarks", "docs", "extension"}
    wanted = {file.as_posix() for file in repository_files() if file.parts[0] in folders}
    wanted |= {file.relative_to(ROOT).as_posix() for file in make_files.texts()}
    wanted |= {"pyproject.toml", "README.md", "LICENSE", "CHANGELOG.md", "CONTRIBUTING.md", "Makefile"}
    assert wanted <= inside
    assert not [name for name in inside if name.endswith((".duckdb", "macros/seen"))]


# Commands


def test_the_readme_names_the_two_commands() -> None:
    assert {"demo", "test"} <= make_commands("README.md")


@pytest.mark.parametrize("document", ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"])
def test_every_make_command_in_the_documents_exists(document: str) -> None:
    assert make_commands(document) <= make_targets()


def test_continuous_integration_runs_the_test_command_of_the_readme() -> None:
    script = ROOT / ".ci" / "run"
    assert os.access(script, os.X_OK)
    assert re.search(r"^make test$", script.read_text("utf-8"), re.MULTILINE)
    assert ".ci/run" in (ROOT / ".github" / "workflows" / "ci.yml").read_text("utf-8")


# What lies in the repository


def test_no_data_set_is_in_the_repository() -> None:
    large = [file for file in repository_files() if (ROOT / file).stat().st_size > LIMIT]
    assert not [file for file in large if file.suffix not in WRITTEN]


def test_no_file_names_a_folder_of_one_machine() -> None:
    result = []
    for file in repository_files():
        text = (ROOT / file).read_bytes().decode("utf-8", errors="replace")
        result += [f"{file}: {match}" for match in MACHINE_PATH.findall(text)]
    assert not result


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("open('/" + "home/me/people.csv')", True),
        ("FROM '/" + "tmp/out.parquet'", True),
        ("https://example.org/work/paper.pdf", False),
        ("../work/people.csv", False),
    ],
)
def test_the_pattern_for_machine_paths_can_match(text: str, result: bool) -> None:
    assert bool(MACHINE_PATH.search(text)) == result


def test_files_end_with_one_newline_and_hold_no_carriage_returns() -> None:
    text_suffixes = {".cfg", ".md", ".py", ".sql", ".toml", ".yaml", ".yml"}
    for file in repository_files():
        content = (ROOT / file).read_bytes()
        if file.suffix in text_suffixes and content:
            assert content.endswith(b"\n"), file
            assert not content.endswith(b"\n\n"), file
            assert b"\r" not in content, file


# Promises


@functools.cache
def statements_of(file: str) -> list[ast.stmt]:
    return ast.parse((ROOT / "tests" / file).read_text("utf-8")).body


def promised_by(named: str) -> dict[str, bool]:
    """The tests that `file.py::TestIt::test_it`, or a part of that, names: does make test leave out all of
    their cases?"""
    file, *path = named.split("::")
    tests: dict[str, bool] = {}

    def visit(nodes: list[ast.stmt], names: list[str], out: bool) -> None:
        for node in nodes:
            if isinstance(node, ast.ClassDef | ast.FunctionDef):
                here = [*names, node.name]
                marks = map(ast.unparse, node.decorator_list)
                now = out or any("mark.slow" in mark and "but=" not in mark for mark in marks)
                if isinstance(node, ast.ClassDef):
                    visit(node.body, here, now)
                elif node.name.startswith("test_") and here[: len(path)] == path:
                    tests["::".join(here)] = now

    visit(statements_of(file), [], False)
    return tests


def test_every_promise_has_its_test() -> None:
    """docs/promises.md names tests as pytest does; each is there, and one of each promise is in make test."""
    rows = (ROOT / "docs" / "promises.md").read_text("utf-8").splitlines()
    promises = {row: names for row in rows if (names := re.findall(r"`([\w/]*test_\w+\.py[:\w]*)`", row))}
    assert len(promises) > 200
    found = {row: [promised_by(named) for named in names] for row, names in promises.items()}
    assert [row for row, each in found.items() if not all(each)] == []
    assert [row for row, each in found.items() if all(out for tests in each for out in tests.values())] == []
