"""The macros of sql/ in a connection: register, unregister, and their text as one script."""

from __future__ import annotations

import json
import re
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path
from typing import Any

import duckdb

from sqlanon.core import calls, models, templates
from sqlanon.core.connection import connection_first
from sqlanon.core.errors import InputError, translating
from sqlanon.core.freshness import extend, fingerprint, sql_folder

CATALOG = "core/catalog"  # the first file of all
REGISTER = "register"  # a folder of scripts for another database: the register of releases
_MACRO = re.compile(r"^create or replace macro sqlanon\.(\w+)", re.MULTILINE)
_USE = re.compile(r"\bsqlanon\.(\w+)")
# Comments, texts of queries, which are bound when they run, and what is said of macros.
_TEXT = re.compile(r"--.*|'(?:[^']|'')*'|\$\$(?s:.*?)\$\$")
_TOKEN = re.compile(_TEXT.pattern + r"""|"[^"]*"|\bif\(|[][(){},]""")

# The library as a database: attached in a tenth of the time that the script takes. `make files` writes it.
FILE = Path(__file__).parents[1] / "sqlanon.duckdb"
STORAGE = "v1.5.0"  # of the oldest line that is supported

ATTACH_AS = "\"in a library that is not attached AS sqlanon (ATTACH 'file' AS sqlanon)\""
# The public macros that are the query of a text, up to that text.
_QUERY = re.compile(
    r"^create or replace macro sqlanon\.[a-z]\w*\((?:[^()]|\([^()]*\))*\) as table\n"
    r"(?:    with [^;]*?\n)?    from query\(",
    re.MULTILINE,
)

COMMIT = "commit;  -- what catalog.sql has begun\n"
IN_MEMORY = ":memory:"
FROM = "_sqlanon_file"  # as what the file is attached to be copied
ATTEMPTS = 20
PAUSE = 0.1  # seconds
_REGISTERING = threading.Lock()  # one thread at a time writes to a catalog: DuckDB refuses the others

_ATTACHED = "select path from duckdb_databases() where lower(database_name) = 'sqlanon'"
_HAS_TABLES = "select exists (from duckdb_tables() where lower(database_name) = 'sqlanon')"
_DEFINITIONS = """
    select function_name, parameters,
           if(regexp_matches(macro_definition, '(?i)^WITH (RECURSIVE )?_sqlanon_'), macro_definition, '')
    from duckdb_functions() where database_name = 'sqlanon'"""
_SCHEMAS = """
    select database_name from duckdb_schemas()
    where lower(schema_name) = 'sqlanon' and database_name = current_database()"""


@cache
def files() -> dict[str, str]:
    """The files of macros in sql/ by topic (`core/names`, say), sorted by it."""
    folder = sql_folder()
    return {
        file.relative_to(folder).with_suffix("").as_posix(): file.read_text("utf-8")
        for file in sorted(folder.rglob("*.sql"))
        if file.parent.name != REGISTER
    }


_ADDED: dict[tuple[str, ...], str] = {}  # scripts of others, by the models that they are of


def add(script: str, own: Sequence[models.Requirement]) -> None:
    """Write the library anew, with models of others and their macros. A connection gets it when it is
    registered the next time."""
    _ADDED[tuple(each.id for each in own)] = script
    for each in own:
        models.add(each)
    for written in (topics, loading_order, read_library):
        written.cache_clear()
    extend("".join((*_ADDED.values(), *map(str, models.added()))))


@cache
def topics() -> dict[str, str]:
    """The scripts by their topics, with their holes filled."""
    steps = calls.steps_of(files().values())
    own = {f"models/own/{ids[0]}": script for ids, script in _ADDED.items()}
    scripts = {
        topic: models.fill(calls.with_statements(calls.with_steps(text, steps)))
        for topic, text in (files() | own).items()
    }
    parameters = calls.parameters_of(scripts.values())
    return {
        topic: templates.with_formats(calls.with_maps(calls.with_calls(script, parameters), parameters))
        for topic, script in scripts.items()
    }


@cache
def loading_order() -> tuple[str, ...]:
    """The topics, each after those whose macros it uses. ValueError for a macro that is defined twice;
    CycleError if two topics use each other."""
    home: dict[str, str] = {}
    for topic, text in topics().items():
        for macro in _MACRO.findall(text):
            if macro in home:
                raise ValueError(f"sqlanon.{macro} is defined twice: in {home[macro]}.sql and {topic}.sql")
            home[macro] = topic
    uses = {
        topic: {CATALOG, *(home[macro] for macro in _USE.findall(_TEXT.sub("", text)) if macro in home)}
        - {topic}
        for topic, text in topics().items()
    }
    uses[CATALOG] = set()
    return tuple(TopologicalSorter(uses).static_order())


@cache
def read_library() -> str:
    """All of sql/ as one script, for any DuckDB client."""
    return "\n".join([*_scripts(), COMMIT])


def _scripts() -> tuple[str, ...]:
    """The files in the order in which they are run, the catalog first; with two macros that no file holds."""
    catalog, *others = (topics()[topic] for topic in loading_order())
    return catalog, _topics_macro(), *others, _definitions_macro("null"), _fingerprint_macro()


def _topics_macro() -> str:
    """The topic of each public macro, for sqlanon.help(): the folder of sql/ that it is in."""
    homes = [
        f"('{macro}', '{topic.split('/')[0]}')"
        for topic, text in topics().items()
        for macro in _MACRO.findall(text)
        if not macro.startswith("_")
    ]
    values = ",\n    ".join(homes)
    return f"""create or replace macro sqlanon._topics() as table
    from (values
    {values}
    ) as home(public_macro, topic);
"""


def _definitions_macro(value: str) -> str:
    """What _definitions reads: files hold all definitions once more, as a text."""
    return f"create or replace macro sqlanon._definitions() as {value};\n"


def _fingerprint_macro() -> str:
    """The last macro of all, which tells whether the others are there, and in which version."""
    return f"create or replace macro sqlanon._fingerprint() as '{fingerprint()}';\n"


def write_file(path: Path = FILE, *, for_python: bool = True) -> None:
    """The macros as a DuckDB file, to be attached as `sqlanon`, in place of an older one. for_python: with a
    second text of each, which only Python reads (`definitions`).

    Attached under another name, macros do not find each other. DuckDB then says which function does not
    exist; the first that nearly all of them call has a name that says what to do.
    """
    with tempfile.TemporaryDirectory(dir=path.parent) as folder:
        first, second = Path(folder) / "first", Path(folder) / "second"
        _write(first, "null")
        if not for_python:
            first.replace(path)
            return
        with duckdb.connect() as con:  # DuckDB spells what it reads from a file otherwise
            con.execute(_attach(first, "read_only")).fetchall()
            found = json.dumps([duckdb.__version__, con.execute(_DEFINITIONS).fetchall()])
        quoted = found.replace("'", "''")
        _write(second, f"'{quoted}'")
        second.replace(path)  # others may be reading it


def is_file_fresh() -> bool:
    """Is the file there, with these macros, as this DuckDB or a later one tells them?"""
    if not FILE.is_file():
        return False
    with duckdb.connect() as con, suppress(duckdb.Error):
        con.execute(_attach(FILE, "read_only")).fetchall()
        [(found, text)] = con.execute("select sqlanon._fingerprint(), sqlanon._definitions()").fetchall()
        written_by, _ = json.loads(text)
        return bool(found == fingerprint() and _release(written_by) >= _release(duckdb.__version__))
    return False


def _release(version: str) -> list[int]:
    return [int(part) for part in re.findall(r"\d+", version)[:3]]


def _write(path: Path, definitions: str) -> None:
    with duckdb.connect() as con:
        con.execute(_attach(path, f"storage_version '{STORAGE}'")).fetchall()
        con.execute(f"create macro sqlanon.{ATTACH_AS}() as ''").fetchall()
        for script in _scripts()[1:]:  # the catalog is there already
            named = _QUERY.sub(rf"\g<0>sqlanon.{ATTACH_AS}() || ", script)
            con.execute(_storable(named)).fetchall()
        con.execute(_definitions_macro(definitions)).fetchall()
        con.execute("detach sqlanon").fetchall()


def _storable(script: str) -> str:
    """The script with `case when a then b else c end` for each `if(a, b, c)`: of this, 2.0 stores a call of a
    function that 1.5 does not have."""
    brackets: list[Iterator[str] | None] = []  # open ones; those of an `if` with the words that come next

    def replaced(token: re.Match[str]) -> str:
        match token[0]:
            case "if(":
                brackets.append(iter((" then", " else")))
                return "(case when "
            case "(" | "[" | "{":
                brackets.append(None)
            case ")" | "]" | "}":
                if brackets.pop() is not None:
                    return " end)"
            case ",":
                if brackets and (words := brackets[-1]) is not None:
                    return next(words)
        return token[0]

    return _TOKEN.sub(replaced, script)


def _attach(path: Path, options: str, name: str = "sqlanon") -> str:
    quoted = str(path).replace("'", "''")
    return f"attach '{quoted}' as {name} ({options})"


def is_registered(con: duckdb.DuckDBPyConnection) -> bool:
    """Does the connection have the macros? InputError if something of the user's has the name `sqlanon`."""
    for (database,) in _run(con, _SCHEMAS):
        raise InputError(
            f'database "{database}" has a schema "sqlanon", so that sqlanon.mondrian could mean two things: '
            "rename the schema, or attach this database to a connection that uses another one"
        )
    path = _path_attached(con)
    if path is None:
        return False
    found = _fingerprint_in(con)
    if found == fingerprint() and path in (IN_MEMORY, str(FILE)):
        return True
    if path == str(FILE) and models.added():  # which the file does not have
        return False
    in_memory = path == IN_MEMORY
    [(has_tables,)] = _run(con, _HAS_TABLES)  # slow, the first time in a connection
    if (has_tables and (found is None or not in_memory)) or (found is None and not in_memory):
        raise InputError(
            'a database of yours is attached under the name "sqlanon", which the macros need: '
            "attach it under another name (ATTACH 'file' AS other)"
        )
    if found != fingerprint() and not in_memory:
        raise InputError(
            'the library attached as "sqlanon" is of another version than this package: detach it '
            "(DETACH sqlanon), or use the version that it is of"
        )
    return found == fingerprint()


def _path_attached(con: duckdb.DuckDBPyConnection) -> str | None:
    """The file, or IN_MEMORY, that is attached as `sqlanon`; None without any."""
    attached = _run(con, _ATTACHED)
    return str(attached[0][0] or IN_MEMORY) if attached else None


def _fingerprint_in(con: duckdb.DuckDBPyConnection) -> str | None:
    """The version of the macros in the attached catalog; None without any."""
    try:
        with con.cursor() as cursor:
            [(found,)] = cursor.execute("select sqlanon._fingerprint()").fetchall()
    except duckdb.CatalogException:
        return None
    return str(found)


@connection_first
def register(con: duckdb.DuckDBPyConnection) -> None:
    """Make the macros known to a connection and all its cursors, in an attached catalog `sqlanon`.

    That is a file of this package, read-only, or, where that is missing or cannot be attached, one in memory.
    Nothing is written to the user's database, which may be read-only. Doing it again does no harm, nor do
    several threads that do it at once. Errors: InputError if a schema or another database has that name.
    """
    with registering("the macros of sqlanon"):
        if not is_registered(con) and not _attach_file(con):
            _load(con)


def _attach_file(con: duckdb.DuckDBPyConnection) -> bool:
    """Attach the file, if it is there and holds these macros."""
    if not FILE.is_file():
        return False
    with con.cursor() as cursor:  # the transaction of the caller may have ended by an error
        if models.added():
            cursor.execute("detach database if exists sqlanon").fetchall()
            return False
        try:
            cursor.execute(_attach(FILE, "read_only")).fetchall()
        except duckdb.Error:  # no external access, say
            return False
        if _fingerprint_in(con) == fingerprint():
            return True
        cursor.execute("detach sqlanon").fetchall()  # the files of sql/ were changed since
    return False


def keep_in_memory(con: duckdb.DuckDBPyConnection) -> None:
    """Have the macros in memory, where one of them can be replaced. Errors: as in `register`."""
    from concurrent.futures import ThreadPoolExecutor  # slow to import

    with registering("the macros of sqlanon"):
        has_file = is_registered(con) or _attach_file(con)
        if has_file and _path_attached(con) == IN_MEMORY:
            return
        if has_file:
            _run(con, "detach sqlanon")
        # In a thread, because memory is taken and freed there in places of its own. Among the holes that are
        # left what is planned later would lie scattered, and take a tenth longer.
        with ThreadPoolExecutor(1) as thread:
            if not (has_file and thread.submit(_copy_file, con).result()):
                thread.submit(_load, con).result()


def _copy_file(con: duckdb.DuckDBPyConnection) -> bool:
    """Copy the macros of the file to memory, in a tenth of the time that the script takes."""
    with con.cursor() as cursor:
        try:
            cursor.execute(_attach(FILE, "read_only", FROM)).fetchall()
            cursor.execute(f"attach '{IN_MEMORY}' as sqlanon").fetchall()
            cursor.execute(f"copy from database {FROM} to sqlanon").fetchall()
        except duckdb.Error:
            cursor.execute("detach database if exists sqlanon").fetchall()
            return False
        finally:
            cursor.execute(f"detach database if exists {FROM}").fetchall()
    return True


def definitions(con: duckdb.DuckDBPyConnection) -> list[tuple[str, list[str], str]]:
    """The macros of a connection: names, parameters, and what they are, of chains.

    The file has them as the DuckDB that wrote it tells them: to ask takes as long as several attacks on a few
    rows.
    """
    [(text,)] = _run(con, "select sqlanon._definitions()")
    written_by, found = json.loads(text or "[null, []]")
    return found if written_by == duckdb.__version__ else _run(con, _DEFINITIONS)


def has_function(con: duckdb.DuckDBPyConnection, name: str) -> bool:
    """Is a function of Python known? (duckdb_functions() lists all macros first.)"""
    try:
        con.execute(f"select {name}()")
    except duckdb.CatalogException:
        return False
    except duckdb.BinderException:  # it takes arguments
        return True
    return True


def ensure_registered(con: duckdb.DuckDBPyConnection) -> None:
    """Register unless that is done."""
    if not is_registered(con):
        register(con)


@connection_first
def unregister(con: duckdb.DuckDBPyConnection) -> None:
    """Detach the catalog of the macros, if it is there.

    What other threads are running goes on; what they start then finds no macros. Errors: InputError if the
    name is not ours, SqlError if it is the current database (USE sqlanon).
    """
    with registering("detach sqlanon"):
        if is_registered(con) or _fingerprint_in(con) is not None:
            _run(con, "detach sqlanon")


@contextmanager
def registering(what: str) -> Iterator[None]:
    """One thread at a time writes to the catalog. Errors of DuckDB as those of sqlanon."""
    with _REGISTERING, translating(what):
        yield


def _load(con: duckdb.DuckDBPyConnection) -> None:
    """All macros, or none."""
    # on a cursor, because a transaction of the caller that has written cannot write to a second database
    with con.cursor() as cursor:
        for left in reversed(range(ATTEMPTS)):
            try:
                cursor.execute(read_library()).fetchall()
                return
            except duckdb.TransactionException:  # somebody else runs the script
                if not left:
                    raise
                cursor.rollback()
                time.sleep(PAUSE)


def _run(con: duckdb.DuckDBPyConnection, statement: str) -> list[Any]:
    """As statements.execute, without sqlglot, which is slow to import."""
    with translating(statement):
        return con.execute(statement).fetchall()
