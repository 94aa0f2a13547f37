"""Peak memory and time of the step-wise driver, each table in a process of its own."""

from __future__ import annotations

import resource
import subprocess
import sys
import time

import duckdb

import sqlanon
from benchmarks.mondrian import driver
from benchmarks.tables import LARGE_QI, adult, large
from benchmarks.timing import title


def measure(copies: int) -> None:
    """In a process of its own: anonymize the large table with so many copies of Adult."""
    with duckdb.connect() as con:
        con.execute("set enable_progress_bar = false").fetchall()
        sqlanon.register(con)
        adult(con)
        what = large(con, copies)
        start = time.perf_counter()
        driver(con, "large", LARGE_QI)
        seconds = time.perf_counter() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024**2
    print(f"  {what}: {seconds:.1f} s, peak memory {peak:.1f} GB", flush=True)


def main() -> None:
    title("Mondrian from Python, verified: time and peak memory of the whole process")
    for copies in (33, 332):
        subprocess.run(
            [sys.executable, "-c", f"from benchmarks.memory import measure; measure({copies})"], check=True
        )
