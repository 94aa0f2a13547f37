"""Statements of the macros in DuckDB on executors, over the rows that Spark brings there."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import duckdb
import pyarrow as pa
from sqlglot import exp

from sqlanon.core.errors import InputError
from sqlanon.core.library import FILE, read_library
from sqlanon.core.source import fresh_name
from sqlanon.core.statements import create, execute, named_table, render, select, table
from sqlanon.spark.driver import Driver

MEMORY = "2GB"  # of DuckDB in a task, beyond which it spills to the disk of the executor

MOST = 1 << 30  # bytes of the tables that are sent to every task

Run = Callable[[pa.Table], pa.Table]


def task(
    at: Driver, statements: Sequence[exp.Expression], rows: str, tables: Mapping[str, str], title: str
) -> Run:
    """A function that runs statements on the rows of a task, and gives the rows of the last one; Spark sends
    it to its executors.

    rows: the name of the rows of a task in the statements. tables: the names of further tables there, each
    with the table here that is sent along; the library of macros is, too. title: what these tables are, for
    an error where they are too large. The executors need pyarrow, and DuckDB in the version that is here.
    """
    packed = _packed(at, tables)
    if len(packed) > MOST:
        raise InputError(
            f"{title} take {len(packed):,} bytes, and every task gets them: the most is {MOST:,} bytes"
        )
    return _task([render(each) for each in statements], rows, packed, _library(at), _settings(at))


def over_batches(run: Run, size: float) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    """A run as a function of the batches of a partition, which it takes together until they have so many
    rows."""

    def stream(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        import pyarrow

        held, rows = [], 0
        for batch in batches:
            held.append(batch)
            rows += batch.num_rows
            if rows >= size:
                yield from run(pyarrow.Table.from_batches(held)).to_batches()
                held, rows = [], 0
        if rows:
            yield from run(pyarrow.Table.from_batches(held)).to_batches()

    return stream


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
    return FILE.read_bytes() if in_file else read_library()


def _settings(at: Driver) -> dict[str, str]:
    [(zone,)] = execute(at.con, "select current_setting('TimeZone')")
    return {"TimeZone": str(zone), "threads": "1", "memory_limit": MEMORY}


def _task(
    statements: Sequence[str], rows: str, tables: bytes, library: bytes | str, settings: dict[str, str]
) -> Run:
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
                for statement in statements[:-1]:
                    con.execute(statement).fetchall()
                made: pa.Table = con.sql(statements[-1]).to_arrow_table()
                return made

    return run
