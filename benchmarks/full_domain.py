"""Full-domain generalization: pruned search against whole lattice, cold start, tables larger than memory."""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
import time
from functools import partial
from pathlib import Path

import duckdb

import sqlanon
from benchmarks.tables import arx_adult, arx_hierarchy
from benchmarks.timing import at_most, best, line, title

QI = ["sex", "age", "race", "marital-status", "education", "native-country", "workclass"]
K = 5
LIMITS = (0, 0.05, 1)


def search(con: duckdb.DuckDBPyConnection, limit: float) -> sqlanon.Release:
    return sqlanon.optimal(
        con, "adult", qi=QI, hierarchies="h", k=K, suppression_limit=limit, into="released", replace=True
    )


def statement(con: duckdb.DuckDBPyConnection, limit: float) -> None:
    con.execute(
        f"create or replace temp table answer as from sqlanon.optimal('adult', {QI}, hierarchies := 'h', k "
        f":= {K},"
        f" suppression_limit := {limit})"
    ).fetchall()


def whole(con: duckdb.DuckDBPyConnection, limit: float) -> None:
    con.execute(
        f"from sqlanon.lattice('adult', {QI}, hierarchies := 'h', k := {K}) where suppressed <= "
        f"{limit * 30162}"
        " order by loss_geometric_mean, height limit 1"
    ).fetchall()


def cold(folder: Path) -> None:
    """From the shell prompt to a release on disk: a process of its own."""
    hierarchies = [
        option
        for column in QI
        for option in (
            "--hierarchy",
            f"{column}={arx_hierarchy(column)}",
        )
    ]
    subprocess.run(
        [sys.executable, "-m", "sqlanon", "anonymize", str(folder / "adult.parquet"),
         "-o", str(folder / "r.parquet"),
         "--force", "--method", "optimal", "--qi", ",".join(QI), "--k", str(K), "--suppression-limit", "0.05",
         *hierarchies],
        check=True, capture_output=True,
    )  # fmt: skip


def measure(rows: int, memory: str) -> None:
    """In a process of its own: the optimum on Adult resampled to so many rows, in a database file."""
    with tempfile.TemporaryDirectory() as folder, duckdb.connect(f"{folder}/large.duckdb") as con:
        con.execute("set enable_progress_bar = false").fetchall()
        con.execute(f"set memory_limit = '{memory}'").fetchall()
        sqlanon.register(con)
        arx_adult(con)
        con.execute(
            f"""
            create table large as
            with numbered as (select row_number() over () as id, * from adult)
            select numbered.* exclude (id)
            from (select hash(i) % (select count(*) from adult) + 1 as id from range({rows}) as draw(i))
            join numbered using (id)
            """
        ).fetchall()
        con.execute("checkpoint").fetchall()
        seen = 0.0
        start = time.perf_counter()

        def progress(done: float, message: str) -> None:
            nonlocal seen
            seen = time.perf_counter() - start

        sqlanon.optimal(
            con,
            "large",
            qi=QI,
            hierarchies="h",
            k=K,
            suppression_limit=0.05,
            into="released",
            progress=progress,
        )
        seconds = time.perf_counter() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024**2
    print(
        f"  {rows:>12,} rows, DuckDB's memory limit {memory}: optimum found after {seen:.1f} s, released "
        "and verified"
        f" after {seconds:.1f} s, peak memory {peak:.1f} GB",
        flush=True,
    )


def main() -> None:
    with duckdb.connect() as con, tempfile.TemporaryDirectory() as folder:
        sqlanon.register(con)
        if not arx_adult(con):
            title("Full-domain generalization: the data set is absent")
            return
        title(f"Optimal full-domain generalization, Adult with 7 quasi-identifiers, 2,160 points, k = {K}")
        for limit in LIMITS:
            unpruned = best(partial(whole, con, limit), 1)
            line(f"all points of the lattice, suppression limit {limit:.0%}", unpruned)
            line("the release in one statement", best(partial(statement, con, limit)), ("all", unpruned))
            line("from Python, with verification", best(partial(search, con, limit)), ("all", unpruned))
        con.execute(f"copy adult to '{folder}/adult.parquet'").fetchall()
        line("cold: sqlanon anonymize, a process of its own", best(lambda: cold(Path(folder))))
    title("The same on larger tables, in a database file")
    for rows, memory in ((5_000_000, "1200MB"), (50_000_000, "6GB")):
        subprocess.run(
            [
                sys.executable,
                "-c",
                f"from benchmarks.full_domain import measure; measure({at_most(rows)}, '{memory}')",
            ],
            check=True,
        )
