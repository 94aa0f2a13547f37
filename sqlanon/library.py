"""The macros of sql/ in a connection: register, unregister, and their text as one script."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import duckdb

from sqlanon.errors import InputError

# In the order of loading: a file uses only those before it.
SQL_FILES = (
    "catalog",
    "names",
    "values",
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
    for (database,) in con.execute(_SCHEMAS).fetchall():
        raise InputError(
            f'database "{database}" has a schema "sqlanon", so that sqlanon.mondrian could mean two things: '
            "rename the schema, or attach this database to a connection that uses another one"
        )
    attached = con.execute(_ATTACHED).fetchall()
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

    Nothing is written to the user's database, which may be read-only. Doing it again does no harm.
    Errors: InputError if a schema or another database has that name.
    """
    is_registered(con)
    # on a cursor, because a transaction of the caller that has written cannot write to a second database
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
