"""The macros in a connection: register and unregister, the script, and what importing costs."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import duckdb
import pytest
from typer.testing import CliRunner

import sqlanon
from sqlanon.cli.app import app
from sqlanon.core import freshness, library

ROOT = Path(__file__).resolve().parents[2]

PEOPLE = "create table people as select i % 7 as age, 'd' || i % 3 as disease from range(30) as t(i)"
VIOLATIONS = "from sqlanon.violations('people', qi := ['age'], k := 5)"


def fetch(con: duckdb.DuckDBPyConnection, sql: str) -> list[tuple[object, ...]]:
    return con.execute(sql).fetchall()


def python(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)


@pytest.fixture
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    """A new connection, with sqlanon registered."""
    with duckdb.connect() as connection:
        sqlanon.register(connection)
        yield connection


@pytest.mark.both_lines
def test_every_file_of_sql_is_loaded_after_those_that_it_uses() -> None:
    folder = ROOT / "sql"
    files = {file.relative_to(folder).with_suffix("").as_posix() for file in folder.rglob("*.sql")}
    files = {file for file in files if not file.startswith(f"{library.REGISTER}/")}  # a database of its own
    order = library.loading_order()
    assert len(order) == len(files)
    assert set(order) == files
    assert order[0] == library.CATALOG
    assert (
        order.index("core/names") < order.index("models/models") < order.index("anonymize/mondrian/mondrian")
    )


@pytest.mark.both_lines
def test_a_macro_that_is_defined_twice_is_refused_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    again = {"core/a": "create or replace macro sqlanon._one(x) as x;\n"}
    again["core/b"] = again["core/a"] + "create or replace macro sqlanon._other(x) as sqlanon._one(x);\n"
    monkeypatch.setattr(library, "topics", lambda: {library.CATALOG: "", **again})
    with pytest.raises(ValueError, match=r"sqlanon\._one is defined twice: in core/a\.sql and core/b\.sql"):
        library.loading_order.__wrapped__()


@pytest.mark.both_lines
def test_registering_twice_does_no_harm(con: duckdb.DuckDBPyConnection) -> None:
    sqlanon.register(con)
    fetch(con, PEOPLE)
    assert len(fetch(con, VIOLATIONS)) == 5


@pytest.mark.both_lines
def test_unregister_leaves_nothing_and_may_come_twice(con: duckdb.DuckDBPyConnection) -> None:
    for _ in range(2):
        sqlanon.unregister(con)
        assert fetch(con, "select * from duckdb_databases() where database_name = 'sqlanon'") == []
    sqlanon.register(con)
    fetch(con, PEOPLE)
    assert len(fetch(con, VIOLATIONS)) == 5


@pytest.mark.both_lines
def test_functions_register_by_themselves() -> None:
    with duckdb.connect() as con:
        fetch(con, PEOPLE)
        assert sqlanon.violations(con, "people", qi=["age"], k=4).fetchall() == []


@pytest.mark.both_lines
def test_nothing_is_left_in_the_database_of_the_user(tmp_path: Path) -> None:
    file = tmp_path / "people.duckdb"
    with duckdb.connect(file) as con:
        sqlanon.register(con)
        fetch(con, PEOPLE)
        sqlanon.mondrian(con, "people", qi="age", k=5)
    with duckdb.connect(file) as con:
        assert fetch(con, "select table_name from duckdb_tables()") == [("people",)]
        assert fetch(con, "select * from duckdb_functions() where function_name = 'violations'") == []


@pytest.mark.slow("2 s")
@pytest.mark.both_lines
def test_a_file_tells_what_chains_are(
    con: duckdb.DuckDBPyConnection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As DuckDB does, if the same version has written it; otherwise, and in memory, DuckDB is asked."""
    asked: list[str] = []

    def watched(con: duckdb.DuckDBPyConnection, statement: str) -> list[Any]:
        asked.append(statement)
        return con.execute(statement).fetchall()

    def words(listed: list[Any]) -> dict[str, list[Any]]:  # EXCLUDE has its names in any order
        return {name: [parameters, sorted(re.findall(r"\w+", text))] for name, parameters, text in listed}

    wanted = words(fetch(con, library._DEFINITIONS))
    monkeypatch.setattr(library, "_run", watched)
    listed = library.definitions(con)
    assert words(listed) == wanted
    found = {name: text for name, _, text in listed}
    assert found["_mondrian"].startswith("WITH ")
    assert not found["_quote"]
    [(text,)] = fetch(con, "select sqlanon._definitions()")
    assert (library._DEFINITIONS in asked) == (json.loads(str(text))[0] != duckdb.__version__)
    library.unregister(con)
    library._load(con)
    asked.clear()
    assert len(library.definitions(con)) == len(found)
    assert library._DEFINITIONS in asked


@pytest.mark.slow("half a second")
@pytest.mark.both_lines
def test_cursors_see_the_macros(con: duckdb.DuckDBPyConnection) -> None:
    before = con.cursor()
    fetch(con, PEOPLE)
    for cursor in (before, con.cursor()):
        assert len(fetch(cursor, VIOLATIONS)) == 5
        assert sqlanon.mondrian(cursor, "people", qi="age", k=5).classes == 4


@pytest.mark.both_lines
def test_a_read_only_database_works(tmp_path: Path) -> None:
    file = tmp_path / "people.duckdb"
    with duckdb.connect(file) as con:
        fetch(con, PEOPLE)
    with duckdb.connect(file, read_only=True) as con:
        sqlanon.register(con)
        assert len(fetch(con, VIOLATIONS)) == 5
        sqlanon.unregister(con)


@pytest.mark.both_lines
def test_a_schema_of_the_name_is_refused(con: duckdb.DuckDBPyConnection) -> None:
    sqlanon.unregister(con)
    fetch(con, 'create schema "SQLanon"')
    for function in (sqlanon.register, sqlanon.unregister):
        with pytest.raises(sqlanon.InputError, match=r'"memory" has a schema "sqlanon".*rename the schema'):
            function(con)
    fetch(con, "drop schema sqlanon")
    sqlanon.register(con)


@pytest.mark.both_lines
def test_a_schema_of_the_name_in_another_database_does_not_matter(con: duckdb.DuckDBPyConnection) -> None:
    fetch(con, "attach ':memory:' as other; create schema other.sqlanon")
    sqlanon.register(con)
    fetch(con, PEOPLE)
    assert len(fetch(con, VIOLATIONS)) == 5


@pytest.mark.both_lines
@pytest.mark.parametrize("attach", [False, True])
def test_a_database_of_the_name_is_refused(tmp_path: Path, attach: bool) -> None:
    file = tmp_path / "sqlanon.duckdb"
    with duckdb.connect() if attach else duckdb.connect(file) as con:
        if attach:
            fetch(con, f"attach '{file}'")
        for function in (sqlanon.register, sqlanon.unregister):
            with pytest.raises(sqlanon.InputError, match='attached under the name "sqlanon"'):
                function(con)


@pytest.mark.both_lines
@pytest.mark.parametrize("name", ["SQLanon", "sqlanon"])
def test_the_script_refuses_a_database_of_the_name_and_makes_nothing(tmp_path: Path, name: str) -> None:
    with duckdb.connect() as con:
        fetch(con, f"attach '{tmp_path / 'people.duckdb'}' as {name}; create table {name}.people as select 1")
        with pytest.raises(duckdb.InvalidInputException, match='a database file has the name "sqlanon"'):
            fetch(con, sqlanon.read_library())
        fetch(con, "rollback")
        assert (
            fetch(con, "select function_name from duckdb_functions() where database_name = 'sqlanon'") == []
        )


@pytest.mark.both_lines
def test_the_script_refuses_a_schema_of_the_name() -> None:
    with duckdb.connect() as con:
        fetch(con, "create schema sqlanon")
        with pytest.raises(duckdb.InvalidInputException, match=r'a schema has the name "sqlanon".*rename it'):
            fetch(con, sqlanon.read_library())
        fetch(con, "rollback")
        assert fetch(con, "select * from duckdb_databases() where database_name = 'sqlanon'") == []


def at_once(*actions: Callable[[], object]) -> list[object]:
    """What each of several threads gives that start together: an answer, or an error."""
    together = threading.Barrier(len(actions))

    def run(action: Callable[[], object]) -> object:
        together.wait()
        try:
            return action()
        except BaseException as error:
            return error

    with ThreadPoolExecutor(len(actions)) as threads:
        return [done.result() for done in [threads.submit(run, action) for action in actions]]


@pytest.mark.slow("2 s a case", but=(0,))
@pytest.mark.both_lines
@pytest.mark.parametrize("register", [sqlanon.register, sqlanon.register_functions])
def test_several_threads_register_at_once(register: Callable[[duckdb.DuckDBPyConnection], None]) -> None:
    with duckdb.connect() as con, duckdb.connect() as other:
        cursors = [con.cursor(), con.cursor(), con.cursor(), other.cursor()]
        assert at_once(*(partial(register, cursor) for cursor in cursors)) == [None] * 4
        for cursor in cursors:
            assert fetch(cursor, "select count(*) > 10 from sqlanon.help()") == [(True,)]


def test_first_use_from_several_threads() -> None:
    with duckdb.connect() as con:
        fetch(con, PEOPLE)
        uses = [partial(sqlanon.mondrian, con.cursor(), "people", qi="age", k=5) for _ in range(4)]
        assert [getattr(done, "classes", done) for done in at_once(*uses)] == [4] * 4


@pytest.mark.slow("4 s")
@pytest.mark.both_lines
def test_registering_waits_for_somebody_who_runs_the_script() -> None:
    """Whoever does that is not held by a lock of ours."""
    with duckdb.connect() as con, con.cursor() as other:
        fetch(other, sqlanon.read_library().rpartition("commit;")[0])
        later = threading.Timer(1, partial(fetch, other, "commit"))
        later.start()
        sqlanon.register(con)
        later.join()
        assert fetch(con, "select count(*) > 10 from sqlanon.help()") == [(True,)]


@pytest.mark.both_lines
def test_use_after_unregister_is_told(con: duckdb.DuckDBPyConnection) -> None:
    fetch(con, PEOPLE)

    def unregister(done: float, message: str) -> None:
        sqlanon.unregister(con.cursor())

    with pytest.raises(sqlanon.InputError, match=r"the macros of sqlanon are gone.*sqlanon\.register again"):
        sqlanon.mondrian(con, "people", qi="age", k=5, progress=unregister)
    assert fetch(con, "select table_name from duckdb_tables()") == [("people",)]


@pytest.mark.both_lines
def test_a_connection_that_cannot_be_used_is_told() -> None:
    con = duckdb.connect()
    fetch(con, "begin")
    with pytest.raises(duckdb.Error):
        fetch(con, "select error('a mistake')")
    for use in (sqlanon.register, partial(sqlanon.mondrian, source="people", qi="age", k=5)):
        with pytest.raises(sqlanon.InputError, match=r"an error has ended the transaction.*ROLLBACK"):
            use(con)
    con.close()
    for use in (sqlanon.register, partial(sqlanon.mondrian, source="people", qi="age", k=5)):
        with pytest.raises(sqlanon.InputError, match="the connection is closed"):
            use(con)


@pytest.mark.both_lines
def test_it_can_be_done_in_the_middle_of_a_transaction() -> None:
    with duckdb.connect() as con:
        fetch(con, "begin")
        fetch(con, PEOPLE)
        sqlanon.register(con)
        assert len(fetch(con, VIOLATIONS)) == 5
        fetch(con, "rollback")
        with pytest.raises(sqlanon.InputError, match='unknown table "people"'):
            sqlanon.violations(con, "people", qi="age", k=5)


@pytest.mark.slow("2 s")
@pytest.mark.both_lines
def test_the_script_loads_in_a_fresh_connection() -> None:
    with duckdb.connect() as con:
        fetch(con, sqlanon.read_library())
        fetch(con, PEOPLE)
        assert len(fetch(con, VIOLATIONS)) == 5
        assert fetch(con, "select count(*) > 10 from sqlanon.help()") == [(True,)]
        sqlanon.register(con)  # and is what register would do
        sqlanon.unregister(con)


@pytest.mark.slow("8 s")
@pytest.mark.both_lines
def test_the_library_is_written_as_a_script_or_as_a_file(tmp_path: Path) -> None:
    written = tmp_path / "macros.sql"
    run = CliRunner().invoke
    assert run(app, ["sql", "-o", str(written)]).stdout == ""
    assert written.read_text("utf-8") == sqlanon.read_library()
    assert python("-m", "sqlanon", "sql").stdout == sqlanon.read_library()
    file = tmp_path / "macros.duckdb"
    assert run(app, ["sql", "-o", str(file)]).stdout == ""
    with duckdb.connect() as con:
        fetch(con, f"attach '{file}' as sqlanon (read_only)")
        assert fetch(con, "select sqlanon._fingerprint()") == [(freshness.fingerprint(),)]


@pytest.fixture(scope="module")
def written_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The macros as a file."""
    file = tmp_path_factory.mktemp("library") / "written.duckdb"
    library.write_file(file)
    return file


@pytest.fixture
def library_file(written_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The macros as a file of their own."""
    file = Path(shutil.copy(written_file, tmp_path / "it's the library.duckdb"))
    monkeypatch.setattr(library, "FILE", file)
    return file


def attached_from(con: duckdb.DuckDBPyConnection) -> str | None:
    [(path,)] = fetch(con, "select path from duckdb_databases() where database_name = 'sqlanon'")
    return None if path is None else str(path)


class TestFile:
    @pytest.mark.slow("7 s")
    @pytest.mark.both_lines
    def test_it_is_what_registering_attaches(self, library_file: Path) -> None:
        with duckdb.connect() as one, duckdb.connect() as other:
            for con in (one, other):
                sqlanon.register(con)
                sqlanon.register(con)
                assert attached_from(con) == str(library_file)
                fetch(con, PEOPLE)
                assert len(fetch(con, VIOLATIONS)) == 5
                assert sqlanon.mondrian(con, "people", qi="age", k=5).classes == 4
            sqlanon.unregister(one)
            assert len(fetch(other, VIOLATIONS)) == 5
        assert [file.name for file in library_file.parent.iterdir()] == [library_file.name]

    @pytest.mark.slow("2 s")
    @pytest.mark.both_lines
    def test_its_macros_are_those_of_the_script(self, library_file: Path) -> None:
        # DuckDB writes definitions from a file in other words: (x -> x) for (lambda x: x), say
        macros = """select function_name, function_type, parameters, comment,
                len(regexp_extract_all(macro_definition, 'AS (NOT )?MATERIALIZED', 0, 'i')) as materialized
            from duckdb_functions()
            where database_name = 'sqlanon' and function_name not like 'in a library%'
              and function_name <> '_definitions' order by all"""
        with duckdb.connect() as con, duckdb.connect() as other:
            sqlanon.register(con)
            fetch(other, sqlanon.read_library())
            result = fetch(con, macros)
            assert len(result) > 300
            assert result == fetch(other, macros)

    @pytest.mark.slow("7 s")
    @pytest.mark.both_lines
    def test_under_another_name_its_macros_say_what_to_do(self, library_file: Path) -> None:
        with duckdb.connect() as con:
            quoted = str(library_file).replace("'", "''")
            fetch(con, f"attach '{quoted}' as other (read_only)")
            fetch(con, PEOPLE)
            for call in (
                "mondrian('people', qi := 'age', k := 5)",
                "help()",
                "classes('people', qi := 'age')",
            ):
                with pytest.raises(duckdb.CatalogException, match=r"\(ATTACH 'file' AS sqlanon\)"):
                    fetch(con, f"from other.{call}")

    @pytest.mark.slow("8 s")
    def test_the_script_is_not_needed_where_it_is_attached(self, library_file: Path) -> None:
        with duckdb.connect() as con:
            sqlanon.register(con)
            with pytest.raises(
                duckdb.InvalidInputException, match="the library is attached already, from the file"
            ):
                fetch(con, sqlanon.read_library())
            fetch(con, "rollback")
            assert fetch(con, "select sqlanon._fingerprint()") == [(freshness.fingerprint(),)]

    @pytest.mark.both_lines
    def test_attached_by_the_user_it_is_registered(self, library_file: Path) -> None:
        with duckdb.connect() as con:
            quoted = str(library_file).replace("'", "''")
            fetch(con, f"attach '{quoted}' as sqlanon (read_only)")
            fetch(con, PEOPLE)
            assert sqlanon.mondrian(con, "people", qi="age", k=5).classes == 4

    @pytest.mark.both_lines
    def test_of_another_version_it_is_not_taken(
        self, library_file: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(library, "fingerprint", lambda: "of a newer one")
        monkeypatch.setattr(library, "read_library", lambda: TO_READ)
        with duckdb.connect() as con:
            sqlanon.register(con)
            assert attached_from(con) is None
            assert fetch(con, "select sqlanon._fingerprint()") == [("of a newer one",)]
        with duckdb.connect() as con:
            quoted = str(library_file).replace("'", "''")
            fetch(con, f"attach '{quoted}' as sqlanon (read_only)")
            with pytest.raises(sqlanon.InputError, match="of another version than this package"):
                sqlanon.register(con)

    @pytest.mark.slow("2 s a case")
    @pytest.mark.both_lines
    @pytest.mark.parametrize("missing", [False, True])
    def test_where_it_cannot_be_read_the_script_is(self, library_file: Path, missing: bool) -> None:
        if missing:
            library_file.unlink()
        with duckdb.connect() as con:
            if not missing:
                fetch(con, "set enable_external_access = false")
            sqlanon.register(con)
            assert attached_from(con) is None
            fetch(con, PEOPLE)
            assert len(fetch(con, VIOLATIONS)) == 5

    @pytest.mark.slow("2 s a case")
    @pytest.mark.both_lines
    @pytest.mark.parametrize("registered", [False, True])
    @pytest.mark.parametrize("readable", [False, True])
    def test_functions_need_macros_in_memory(
        self, library_file: Path, monkeypatch: pytest.MonkeyPatch, registered: bool, readable: bool
    ) -> None:
        """They are those of the file, or of the script where the file cannot be read. (DuckDB lets a file be
        read again that was attached before external access was disabled.)"""
        loaded: list[Any] = []
        monkeypatch.setattr(library, "_load", lambda con, load=library._load: loaded.append(load(con)))
        with duckdb.connect() as con:
            if registered:
                sqlanon.register(con)
            if not readable:
                fetch(con, "set enable_external_access = false")
            sqlanon.register_functions(con)
            assert attached_from(con) is None
            assert len(loaded) == (not readable and not registered)
            attached = "select database_name from duckdb_databases() where not internal order by all"
            assert fetch(con, attached) == [("memory",), ("sqlanon",)]
            fetch(con, PEOPLE)
            call = "from sqlanon.microaggregate('people', qi := 'age', k := 5, algorithm := 'mdav')"
            assert len(fetch(con, call)) == 30


TO_READ = """attach if not exists ':memory:' as sqlanon;
create or replace macro sqlanon._fingerprint() as 'of a newer one';"""


@pytest.mark.both_lines
def test_importing_is_fast() -> None:
    """What takes its time is imported when it is needed."""
    script = """if True:
        import sys, duckdb
        before = set(sys.modules)
        import sqlanon
        print({name.split(".")[0] for name in set(sys.modules) - before})
    """
    modules = python("-c", script).stdout
    assert "'sqlanon'" in modules
    assert not [name for name in ("numpy", "pandas", "sqlglot", "typer", "rich") if f"'{name}'" in modules]
