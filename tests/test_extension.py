"""The library as an extension of DuckDB, built here: LOAD, and where the file that it carries is put."""

from __future__ import annotations

import os
import re
import shutil
import stat
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb
import pytest

import sqlanon
from extension.build import compiler, link, prepare
from sqlanon.core import freshness
from tests.budget import ON_OLDER
from tests.core.test_help import PUBLIC
from tests.core.test_shell import IN_CI, SHELL, needs_shell
from tests.documents import ATTACH, ROOT, blocks
from tests.sqllogic import FOLDER, Block, Runner, asked, examples, tables, tried
from tests.sqllogic import blocks as statements

pytestmark = [
    pytest.mark.both_lines,
    pytest.mark.skipif(compiler() is None and not IN_CI, reason="no C compiler: apt-get install gcc"),
]

LIBRARY = f"sqlanon-{freshness.fingerprint()[:16]}.duckdb"
# Another process with nothing but DuckDB.
LOADED = """if True:
    import duckdb, sys
    with duckdb.connect(config={"allow_unsigned_extensions": True}) as con:
        con.execute("set enable_progress_bar = false").fetchall()
        con.execute(f"load '{sys.argv[1]}'").fetchall()
        print(*con.execute("select path from duckdb_databases() where database_name = 'sqlanon'").fetchone())
        print(*con.execute("select sqlanon.covers('[20, 29]', 23)").fetchone())
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("built")
    prepare(folder)
    return link(folder)


@pytest.fixture
def extension(built: Path, tmp_path: Path) -> Path:
    """The extension in a folder of its own, which no library is in yet."""
    folder = tmp_path / "it's here"
    folder.mkdir()
    return Path(shutil.copy(built, folder))


@contextmanager
def connected(
    database: Path | str = ":memory:", read_only: bool = False
) -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect(database, read_only=read_only, config={"allow_unsigned_extensions": True}) as con:
        yield con


def load(con: duckdb.DuckDBPyConnection, extension: Path) -> None:
    con.execute(f"load '{str(extension).replace(chr(39), 2 * chr(39))}'").fetchall()


def attached(con: duckdb.DuckDBPyConnection) -> Path:
    [(path,)] = con.execute("select path from duckdb_databases() where database_name = 'sqlanon'").fetchall()
    return Path(path)


def files(extension: Path) -> list[str]:
    return sorted(file.name for file in extension.parent.iterdir())


@pytest.mark.slow("1 s")
def test_duckdb_lists_it(extension: Path) -> None:
    with connected() as con:
        load(con, extension)
        listed = con.execute(
            "select loaded, extension_version from duckdb_extensions() where extension_name = 'sqlanon'"
        ).fetchall()
        assert listed == [(True, sqlanon.__version__)]
        functions = con.execute(
            """select function_name from duckdb_functions()
            where database_name = 'sqlanon' and comment is not null order by 1"""
        ).fetchall()
        assert [name for (name,) in functions] == PUBLIC


def test_a_second_load_and_a_second_database(extension: Path) -> None:
    with connected() as con, connected() as other:
        for each in (con, con.cursor(), other):
            load(each, extension)
            assert each.execute("select sqlanon._fingerprint()").fetchall() == [(freshness.fingerprint(),)]
            sqlanon.register(each)  # which finds the macros there
        assert attached(con) == attached(other)


def test_installed_in_a_folder_of_extensions(extension: Path, tmp_path: Path) -> None:
    """As from the community's repository."""
    with connected() as con:
        con.execute(f"set extension_directory = '{tmp_path / 'kept'}'").fetchall()
        quoted = str(extension).replace("'", "''")
        con.execute(f"install '{quoted}'").fetchall()
        con.execute("load sqlanon").fetchall()
        assert attached(con).is_relative_to(tmp_path / "kept")
        assert attached(con).name == LIBRARY


class TestFile:
    def test_it_is_for_its_owner_and_used_again(self, extension: Path) -> None:
        with connected() as con:
            load(con, extension)
            library = attached(con)
        assert files(extension) == [LIBRARY, extension.name]
        assert library == extension.with_name(LIBRARY)
        state = library.stat()
        assert stat.S_IMODE(state.st_mode) == 0o600
        with connected() as con:
            load(con, extension)
        assert library.stat() == state

    @pytest.mark.slow("half a second a case", but=(0, 3))
    @pytest.mark.parametrize("spoiled", ["shorter", "changed", "open to others", "a link"])
    def test_what_is_not_the_whole_library_is_replaced(self, extension: Path, spoiled: str) -> None:
        library = extension.with_name(LIBRARY)
        with connected() as con:
            load(con, extension)
        whole = library.read_bytes()
        match spoiled:
            case "shorter":
                library.write_bytes(whole[:10000])
            case "changed":
                library.write_bytes(whole.replace(b"sqlanon.", b"sqlanom."))
            case "open to others":
                library.chmod(0o666)
            case "a link":
                library.rename(extension.with_name("elsewhere"))
                library.symlink_to("elsewhere")
        with connected() as con:
            load(con, extension)
            assert con.execute("select sqlanon.covers('[20, 29]', 23)").fetchall() == [(True,)]
        assert library.read_bytes() == whole
        assert not library.is_symlink()
        assert stat.S_IMODE(library.stat().st_mode) == 0o600

    @pytest.mark.slow("1 s")
    def test_several_processes_at_once(self, extension: Path) -> None:
        command = [sys.executable, "-c", LOADED, str(extension).replace("'", "''")]
        running = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(4)]
        told = {process.communicate()[0] for process in running}
        assert told == {f"{extension.with_name(LIBRARY)}\nTrue\n"}
        assert files(extension) == [LIBRARY, extension.name]

    def test_a_folder_that_cannot_be_written(
        self, extension: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The file is then one that has no name as soon as it is open. (A folder in its place: nobody can put
        a file there, not even root.)"""
        (tmp_path / "temporary").mkdir()
        monkeypatch.setenv("TMPDIR", str(tmp_path / "temporary"))
        extension.with_name(LIBRARY).mkdir()
        with connected() as con:
            load(con, extension)
            assert attached(con).parent == tmp_path / "temporary"
            assert con.execute("select sqlanon.covers('[20, 29]', 23)").fetchall() == [(True,)]
        assert list((tmp_path / "temporary").iterdir()) == []
        assert files(extension) == [LIBRARY, extension.name]
        monkeypatch.setenv("TMPDIR", str(tmp_path / "nowhere"))
        with connected() as con, pytest.raises(duckdb.Error, match=r"could not be written.*Set TMPDIR"):
            load(con, extension)


class TestNames:
    """Whatever else is called sqlanon."""

    def test_a_database_of_the_user(self, extension: Path, tmp_path: Path) -> None:
        with connected(tmp_path / "sqlanon.duckdb") as con:
            con.execute("create table people as select 1 as id").fetchall()
            with pytest.raises(duckdb.Error, match="attach it under another name"):
                load(con, extension)
            assert con.execute("from people").fetchall() == [(1,)]
        with connected() as con:
            con.execute(f"attach '{tmp_path / 'sqlanon.duckdb'}' as mine").fetchall()
            load(con, extension)
            assert con.execute("from mine.people").fetchall() == [(1,)]

    def test_a_schema_of_the_user(self, extension: Path) -> None:
        with connected() as con:
            con.execute("create schema sqlanon").fetchall()
            with pytest.raises(duckdb.Error, match="rename the schema"):
                load(con, extension)

    def test_the_library_is_attached_already(self, built: Path, extension: Path, tmp_path: Path) -> None:
        """From a file: nothing to do, if it is this version."""
        shutil.copy(built.with_name("sqlanon.duckdb"), tmp_path / "library.duckdb")
        attach = f"attach '{tmp_path / 'library.duckdb'}' as sqlanon"
        with connected() as con:
            con.execute(f"{attach} (read_only)").fetchall()
            load(con, extension)
            assert attached(con) == tmp_path / "library.duckdb"
        assert files(extension) == [extension.name]
        with connected() as con:
            con.execute(attach).fetchall()
            con.execute("create or replace macro sqlanon._fingerprint() as 'older'").fetchall()
            with pytest.raises(duckdb.Error, match="DETACH sqlanon before"):
                load(con, extension)
            con.execute("detach sqlanon").fetchall()
            load(con, extension)


def test_a_database_that_may_only_be_read(extension: Path, tmp_path: Path) -> None:
    with connected(tmp_path / "people.duckdb") as con:
        con.execute("create table people as from range(7)").fetchall()
    before = (tmp_path / "people.duckdb").read_bytes()
    with connected(tmp_path / "people.duckdb", read_only=True) as con:
        load(con, extension)
        assert len(con.execute("from sqlanon.classes('people', qi := 'range')").fetchall()) == 7
        with pytest.raises(duckdb.Error, match="read-only"):
            con.execute("create macro sqlanon.mine() as 1").fetchall()
    assert (tmp_path / "people.duckdb").read_bytes() == before


def test_what_the_community_reads() -> None:
    """The version is that of the package, the example that of the README."""
    described = (ROOT / "extension" / "description.yml").read_text("utf-8")
    assert f"\n  version: {sqlanon.__version__}\n" in described
    _, session = (
        block.text for block in blocks((ROOT / "README.md").read_text("utf-8")) if block.language == "sql"
    )
    assert f"  hello_world: |\n{textwrap.indent(session, '    ')}  extended" in described


@pytest.mark.slow("1 s")
@needs_shell
def test_the_readme_in_the_shell(extension: Path) -> None:
    """With nothing but DuckDB's shell and the extension."""
    [attach, session] = [
        block.text for block in blocks((ROOT / "README.md").read_text("utf-8")) if block.language == "sql"
    ]
    assert attach.strip() == ATTACH
    done = subprocess.run(
        [SHELL, "-init", os.devnull, "-bail", "-batch", "-csv", "-unsigned"],
        cwd=extension.parent, input=f"load './{extension.name}';\n{session}", capture_output=True,
        encoding="utf-8", timeout=120, env={"HOME": str(extension.parent)},
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert re.search(r"name,candidates\s+Alice,\[diabetes\]", done.stdout)


@pytest.fixture(scope="module")
def runner(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Runner]:
    with connected() as con:
        load(con, built)
        yield Runner(con, tmp_path_factory.mktemp("answers"))


# The quick files on both lines; the others on the line before, because tests/core/test_help.py runs all
# examples on the current one.
QUICK = ("core", "hierarchies", "locating", "models", "perturb", "policies", "publishing")
on_one_line = pytest.mark.slow(
    "half a minute",
    but=[case for case, file in enumerate(sorted(FOLDER.glob("*.test"))) if ON_OLDER or file.stem in QUICK],
)


class TestAnswers:
    """Every macro in extension/test/sql/, as DuckDB's own tests run these files: without Python."""

    @pytest.mark.slow("half a second a case", but=(3, 4, 7, 9, 10, 11))
    @on_one_line
    @pytest.mark.parametrize("file", sorted(FOLDER.glob("*.test")), ids=lambda file: file.stem)
    def test_they_are_the_same(self, runner: Runner, file: Path) -> None:
        """If they may differ, `python -m tests.sqllogic` writes them anew."""
        assert "\n\n".join(runner.run(file.read_text("utf-8"))) == ""

    def test_every_public_macro_has_its_example_there(self, con: duckdb.DuckDBPyConnection) -> None:
        there = [block for file in FOLDER.glob("*.test") for block in statements(file.read_text("utf-8"))]
        queries = {block.name: block.sql for block in there if block.head != "statement ok"}
        assert queries == {macro: sql for macro, (_, sql) in examples(con).items()}
        assert sorted(queries) == PUBLIC
        made = {block.name: block.sql for block in there if block.head == "statement ok"}
        assert made.items() <= tables().items()

    @pytest.mark.parametrize(
        "expected",
        [["1\t0.5\tx"], ["1\t0.5\tx", "2\t0.5\tx"], ["1\t0.5\tx", "2\t0.50001\t(empty)"],
         ["1\t0.5\tx", "2\tNULL\t(empty)"], ["1\t0.5\tNULL", "2\t0.5\t(empty)"]],
    )  # fmt: skip
    def test_another_answer_is_found(self, con: duckdb.DuckDBPyConnection, expected: list[str]) -> None:
        sql = "select * from (values (2, 0.5::double, ''), (1, 0.5::double, 'x')) as row(a, b, c)"
        assert tried(con, Block("", "query IRT rowsort", sql, expected), Path()) != ""
        right = ["1\t0.5\tx", "2\t0.5000000000001\t(empty)"]
        assert tried(con, Block("", "query IRT rowsort", sql, right), Path()) == ""
        assert tried(con, Block("", "query TRT rowsort", sql, right), Path()) != ""

    def test_an_error_is_found(self, con: duckdb.DuckDBPyConnection) -> None:
        for head, sql, expected in [
            ("statement ok", "from nothing", ""),
            ("statement error", "from nothing", "noise"),
            ("statement error", "select 1", "noise"),
            ("query I rowsort", "from nothing", "1"),
        ]:
            assert tried(con, Block("", head, sql, [expected]), Path()) != ""

    def test_random_calls_have_a_seed(self) -> None:
        example = "with a as (from sqlanon.anatomize('people', l := 2)) from sqlanon.classes('a', 'age');"
        assert "l := 2, seed := 42))" in asked("classes", example)
