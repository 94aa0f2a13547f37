"""The macros of sql/ in a connection: register, unregister, and their text as one script."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import duckdb

from sqlanon.errors import InputError, translating

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

ATTEMPTS = 20
PAUSE = 0.1  # seconds
_REGISTERING = threading.Lock()  # one thread at a time writes to a catalog: DuckDB refuses the others

_ATTACHED = """
    select path is null or path = ':memory:' as in_memory,
           (select count(*) from duckdb_functions()
            where database_name = 'sqlanon' and function_name = 'help') as macros,  -- the last one loaded
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
    return "\n".join(map(read_topic, SQL_FILES))


def is_registered(con: duckdb.DuckDBPyConnection) -> bool:
    """Does the connection have the macros? InputError if something of the user's has the name `sqlanon`."""
    for (database,) in _run(con, _SCHEMAS):
        raise InputError(
            f'database "{database}" has a schema "sqlanon", so that sqlanon.mondrian could mean two things: '
            "rename the schema, or attach this database to a connection that uses another one"
        )
    attached = _run(con, _ATTACHED)
    if not attached:
        return False
    [(in_memory, macros, tables)] = attached
    if not in_memory or (tables and not macros):
        raise InputError(
            'a database of yours is attached under the name "sqlanon", which the macros need: '
            "attach it under another name (ATTACH 'file' AS other)"
        )
    return bool(macros)


def register(con: duckdb.DuckDBPyConnection) -> None:
    """Make the macros known to a connection and all its cursors, in an attached in-memory catalog `sqlanon`.

    Nothing is written to the user's database, which may be read-only. Doing it again does no harm, nor do several threads
    that do it at once. Errors: InputError if a schema or another database has that name.
    """
    with registering("the macros of sqlanon"):
        is_registered(con)
        _load(con)


def ensure_registered(con: duckdb.DuckDBPyConnection) -> None:
    """Register unless that is done."""
    if is_registered(con):
        return
    with registering("the macros of sqlanon"):
        if not is_registered(con):
            _load(con)


def unregister(con: duckdb.DuckDBPyConnection) -> None:
    """Detach the catalog of the macros, if it is there.

    What other threads are running goes on; what they start then finds no macros. Errors: InputError if the name is not
    ours, SqlError if it is the current database (USE sqlanon).
    """
    with registering("detach sqlanon"):
        if is_registered(con):
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
