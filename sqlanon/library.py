"""The macros of sql/ in a connection: register, unregister, and their text as one script."""

from __future__ import annotations

import hashlib
import os
from functools import cache
from pathlib import Path

import duckdb

from sqlanon.errors import InputError

# In the order of loading: a file uses only those before it.
SQL_FILES = (
    "catalog",
    "names",
    "hierarchies",
    "codes",
    "models",
    "recoding",
    "covers",
    "coordinates",
    "locate",
    "unread",
    "population",
    "frequencies",
    "privacy",
    "relaxed_mondrian",
    "mondrian",
    "infogain_mondrian",
    "lattice",
    "optimal",
    "full_domain",
    "mu_argus",
    "risk",
    "uniques",
    "quasi_identifiers",
    "curve",
    "loops",
    "microaggregate",
    "k_similar",
    "perturbation",
    "disclosure",
    "masks",
    "anatomy",
    "exact_cover",
    "attack",
    "breaches",
    "workload",
    "moments",
    "utility",
    "help",
)

# The library as a database: attached in a tenth of the time that the script takes. `make bundle` writes it.
FILE = Path(__file__).parent / "sqlanon.duckdb"
OLDEST_STORAGE = "v1.2.0"  # that is still written: DuckDB 1.2 and all later ones read it

_ATTACHED = """
    select path is null or path = ':memory:' as in_memory,
           (select count(*) from duckdb_tables() where database_name = 'sqlanon') as tables
    from duckdb_databases() where lower(database_name) = 'sqlanon'"""
_SCHEMAS = """
    select database_name from duckdb_schemas()
    where lower(schema_name) = 'sqlanon' and database_name = current_database()"""


def read_topic(topic: str) -> str:
    """One of the files of sql/."""
    packaged = Path(__file__).parent / "sql"
    folder = packaged if packaged.is_dir() else Path(__file__).parents[1] / "sql"  # a checkout
    return (folder / f"{topic}.sql").read_text("utf-8")


@cache
def read_library() -> str:
    """All of sql/ as one script, for any DuckDB client."""
    return "\n".join([*map(read_topic, SQL_FILES), _fingerprint_macro()])


@cache
def fingerprint() -> str:
    """What tells one version of the macros from another: the SHA-256 of their texts."""
    return hashlib.sha256("\n".join(map(read_topic, SQL_FILES)).encode()).hexdigest()


def _fingerprint_macro() -> str:
    """The last macro of all, which tells whether the others are there, and in which version."""
    return f"create or replace macro sqlanon._fingerprint() as '{fingerprint()}';\n"


def write_file(path: Path) -> None:
    """The macros as a DuckDB file, to be attached as `sqlanon`: for 1.4 and later, whichever DuckDB writes it."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    temporary.unlink(missing_ok=True)
    try:
        with duckdb.connect() as con:
            con.execute(_attach(temporary, f"storage_version '{OLDEST_STORAGE}'")).fetchall()
            con.execute(read_library()).fetchall()
            con.execute("detach sqlanon").fetchall()
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def _attach(path: Path, options: str) -> str:
    quoted = str(path).replace("'", "''")
    return f"attach '{quoted}' as sqlanon ({options})"


def is_registered(con: duckdb.DuckDBPyConnection) -> bool:
    """Does the connection have the macros? InputError if something of the user's has the name `sqlanon`."""
    for (database,) in con.execute(_SCHEMAS).fetchall():
        raise InputError(
            f'database "{database}" has a schema "sqlanon", so that sqlanon.mondrian could mean two things: '
            "rename the schema, or attach this database to a connection that uses another one"
        )
    attached = con.execute(_ATTACHED).fetchall()
    if not attached:
        return False
    [(in_memory, tables)] = attached
    found = _fingerprint_in(con)
    if (tables and (found is None or not in_memory)) or (found is None and not in_memory):
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


def _fingerprint_in(con: duckdb.DuckDBPyConnection) -> str | None:
    """The version of the macros in the attached catalog; None without any."""
    try:
        with con.cursor() as cursor:
            [(found,)] = cursor.execute("select sqlanon._fingerprint()").fetchall()
    except duckdb.CatalogException:
        return None
    return str(found)


def register(con: duckdb.DuckDBPyConnection) -> None:
    """Make the macros known to a connection and all its cursors, in an attached catalog `sqlanon`.

    That is a file of this package, read-only, or, where that is missing or cannot be attached, one in memory. Nothing
    is written to the user's database, which may be read-only. Doing it again does no harm.
    Errors: InputError if a schema or another database has that name.
    """
    if is_registered(con):
        return
    # on a cursor, because a transaction of the caller that has written cannot write to a second database
    with con.cursor() as cursor:
        if not _attach_file(cursor):
            cursor.execute(read_library()).fetchall()


def _attach_file(con: duckdb.DuckDBPyConnection) -> bool:
    """Attach the file, if it is there and holds these macros."""
    if not FILE.is_file():
        return False
    try:
        con.execute(_attach(FILE, "read_only")).fetchall()
    except duckdb.Error:  # no external access, say
        return False
    if _fingerprint_in(con) == fingerprint():
        return True
    con.execute("detach sqlanon").fetchall()  # the files of sql/ were changed since
    return False


def keep_in_memory(con: duckdb.DuckDBPyConnection) -> None:
    """Have the macros in memory, where one of them can be replaced. Errors: as of `register`."""
    if is_registered(con):
        [(in_memory, _)] = con.execute(_ATTACHED).fetchall()
        if in_memory:
            return
        con.execute("detach sqlanon").fetchall()
    with con.cursor() as cursor:
        cursor.execute(read_library()).fetchall()


def ensure_registered(con: duckdb.DuckDBPyConnection) -> None:
    """Register unless that is done."""
    if not is_registered(con):
        register(con)


def unregister(con: duckdb.DuckDBPyConnection) -> None:
    """Detach the catalog of the macros, if it is there. Errors: InputError if the name is not ours."""
    if is_registered(con):
        con.execute("detach sqlanon").fetchall()
