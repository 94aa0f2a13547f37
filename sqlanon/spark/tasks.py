"""Statements of the macros in DuckDB on executors, over the rows that Spark brings there."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

import duckdb
import pyarrow as pa
from sqlglot import exp

from sqlanon.core.library import FILE, TAKES_FILE, read_library
from sqlanon.core.source import fresh_name
from sqlanon.core.statements import create, execute, named_table, render, select, table
from sqlanon.spark.driver import Driver

MEMORY = "2GB"  # of DuckDB in a task, beyond which it spills to the disk of the executor

Run = Callable[[pa.Table], pa.Table]


def task(at: Driver, statement: exp.Expression, rows: str, tables: Mapping[str, str]) -> Run:
    """A function that runs a statement on the rows of a task, which Spark sends to its executors.

    rows: the name of these rows in the statement. tables: the names of further tables there, each with the
    table here that is sent along; the library of macros is, too. The executors need pyarrow, and DuckDB in
    the version that is here.
    """
    return _task(render(statement), rows, _packed(at, tables), _library(at), _settings(at))


def _packed(at: Driver, tables: Mapping[str, str]) -> bytes:
    """Tables as a database, as the bytes of its file."""
    with tempfile.TemporaryDirectory() as folder:
        path, name = Path(folder) / "tables.duckdb", fresh_name("packed")
        attach = exp.Attach(this=exp.alias_(exp.Literal.string(str(path)), name))
        execute(at.con, attach)
        for sent, here in tables.items():
            execute(at.con, create(table(sent, "main", name), select(named_table(here))))
        execute(at.con, exp.Detach(this=exp.to_identifier(name)))
        return path.read_bytes()


def _library(at: Driver) -> bytes | str:
    """The macros as a file, or as the script where there is no file of this version."""
    [(in_file,)] = execute(
        at.con, "select path is not null from duckdb_databases() where database_name = 'sqlanon'"
    )
    return FILE.read_bytes() if TAKES_FILE and in_file else read_library()


def _settings(at: Driver) -> dict[str, str]:
    [(zone,)] = execute(at.con, "select current_setting('TimeZone')")
    return {"TimeZone": str(zone), "threads": "1", "memory_limit": MEMORY}


def _task(statement: str, rows: str, tables: bytes, library: bytes | str, settings: dict[str, str]) -> Run:
    version = duckdb.__version__

    # What is sent is this function with all that it names, and nothing of sqlanon, which executors need not
    # have.
    def run(part: pa.Table) -> pa.Table:
        import os
        import tempfile
        from pathlib import Path

        try:
            import duckdb
        except ImportError as error:
            raise RuntimeError(
                "sqlanon.spark: this executor has no DuckDB. Send an environment along that has "
                f"duckdb=={version} and pyarrow (docs/spark.md says how)"
            ) from error
        if duckdb.__version__ != version:
            raise RuntimeError(
                f"sqlanon.spark: this executor has DuckDB {duckdb.__version__} and the driver {version}: "
                "the versions have to be the same"
            )
        disk = os.environ.get("SPARK_LOCAL_DIRS", "").split(",")[0] or None
        with tempfile.TemporaryDirectory(dir=disk) as folder:
            path = Path(folder) / "tables.duckdb"
            path.write_bytes(tables)
            with duckdb.connect(path, read_only=True) as con:
                con.execute("set temp_directory = ?", [folder]).fetchall()
                for name, value in settings.items():
                    con.execute(f"set {name} = '{value}'").fetchall()
                if isinstance(library, str):
                    con.execute(library).fetchall()
                else:
                    macros = Path(folder) / "sqlanon.duckdb"
                    macros.write_bytes(library)
                    quoted = str(macros).replace("'", "''")
                    con.execute(f"attach '{quoted}' as sqlanon (read_only)").fetchall()
                con.register(rows, part)
                made: pa.Table = con.sql(statement).to_arrow_table()
                return made

    return run
