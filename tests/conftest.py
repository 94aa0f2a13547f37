"""Fixtures of all tests, which of them run, and how Hypothesis does."""

# As texts: Hypothesis keeps evaluated annotations, and DuckDB 2.0 reports its types there as leaks.
from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress

import duckdb
import pytest
from hypothesis import settings

import sqlanon
from sqlanon.core import freshness, make_files
from tests import budget


def pytest_configure(config: pytest.Config) -> None:
    if not freshness.is_fresh():  # who changes sql/ and runs one test; workers find it done
        make_files.main(with_library=False)
    if "not slow" not in config.option.markexpr:
        budget.try_all()
    settings.register_profile(
        "sqlanon",
        budget.examples(25),
        derandomize=os.environ.get("CI", "").lower() not in ("", "0", "false"),
    )
    settings.load_profile("sqlanon")


@pytest.hookimpl(tryfirst=True)  # before marked tests are left out
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not any("[" in argument for argument in config.args):  # cases that are named have other numbers
        budget.choose(items)
    items.sort(key=lambda item: not item.nodeid.startswith(FIRST))


# Of the processes that share the tests one begins with these. So it alone starts a Java machine, and none
# waits for another one's dbt in the end.
FIRST = ("tests/spark/", "tests/test_dbt.py")

STATE = """
    select 'settings', bit_xor(hash(name, value)) from duckdb_settings()
    union all select 'databases', bit_xor(hash(database_name, path)) from duckdb_databases()
    union all select 'tables', count(*) from duckdb_tables()
    union all select 'views', count(*) from duckdb_views()
    union all select 'schemas', count(*) from duckdb_schemas()
    union all select 'types', count(*) from duckdb_types()
    union all select 'sequences', count(*) from duckdb_sequences()
    union all select 'variables', count(*) from duckdb_variables()"""

LEFT = """
    select format('detach "{}"', replace(database_name, '"', '""')) from duckdb_databases()
    where not internal and database_name not in ('memory', 'sqlanon')
    union all
    select format('drop schema memory."{}" cascade', replace(schema_name, '"', '""')) from duckdb_schemas()
    where database_name = 'memory' and schema_name not in ('main', 'pg_catalog', 'information_schema')
    union all
    select format('drop {} "{}"."{}"."{}"', kind, database_name, schema_name, replace(name, '"', '""'))
    from (select 'table' as kind, database_name, schema_name, table_name as name from duckdb_tables()
          union all
          select 'view', database_name, schema_name, view_name from duckdb_views() where not internal)
    where schema_name = 'main' and database_name in ('memory', 'temp')"""


def state(con: duckdb.DuckDBPyConnection) -> object:
    """What a test may change of a connection, but for macros and functions, which take long to count."""
    return sorted(con.execute(STATE).fetchall())


def cleaned(con: duckdb.DuckDBPyConnection) -> None:
    """Drop the tables, views, schemas and databases that a test has made."""
    with suppress(duckdb.TransactionException):  # none has begun
        con.rollback()
    con.execute("reset search_path").fetchall()
    for (statement,) in con.execute(LEFT).fetchall():
        con.execute(statement).fetchall()


def connected() -> duckdb.DuckDBPyConnection:
    """A connection to a database in memory, with sqlanon registered."""
    connection = duckdb.connect()
    if not budget.ON_OLDER and not budget.tries_all():  # as on the command line: plans take less time
        connection.execute("set disabled_optimizers = 'projection_pullup'").fetchall()
    sqlanon.register(connection)
    return connection


@pytest.fixture(scope="session")
def kept() -> Iterator[list[tuple[duckdb.DuckDBPyConnection, object]]]:
    """The connection of the test before, if that has left it as it was, and its state."""
    connections: list[tuple[duckdb.DuckDBPyConnection, object]] = []
    yield connections
    for connection, _ in connections:
        connection.close()


@pytest.fixture(scope="module")
def shared_con() -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection of a module, with sqlanon registered: for random tests, whose examples have it in turn."""
    with connected() as connection:
        yield connection


@pytest.fixture
def con(kept: list[tuple[duckdb.DuckDBPyConnection, object]]) -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection to a database in memory, with sqlanon registered and nothing else.

    Registering takes long, so it may be that of the test before, if that has left nothing in it. A test that
    makes macros or functions needs one of its own.
    """
    if kept:
        connection, new = kept.pop()
    else:
        connection = connected()
        new = state(connection)
    yield connection
    with suppress(duckdb.Error):
        cleaned(connection)
        if state(connection) == new:
            kept.append((connection, new))
            return
    connection.close()
