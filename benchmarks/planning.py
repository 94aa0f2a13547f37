"""Planning: what the example of each public macro costs, on the twelve rows of the reference, and how much of
that is binding it; beside one GROUP BY of the same rows, and without the pass of DuckDB 2.0's optimizer that
takes most of the time of long statements. Seconds of CPU, so that others on the machine do not count.

EXPLAIN would mislead: half of its time goes to drawing the plan.
"""

from __future__ import annotations

import tempfile
import time
from contextlib import chdir

import duckdb

import sqlanon
from benchmarks.timing import title
from sqlanon.core import library, reference
from sqlanon.randomize.noise import register_noise

RUNS = 5

EXAMPLES = "from sqlanon._help_blocks() select macro, text where kind = 'example' order by macro"


GROUPED = "select age, zip, disease, count(*) from people group by all"


def cpu(con: duckdb.DuckDBPyConnection, statement: str) -> float:
    """Seconds of CPU of the fastest run of a statement."""
    seconds = []
    for _ in range(RUNS):
        start = time.process_time()
        con.execute(statement).fetchall()
        seconds.append(time.process_time() - start)
    return min(seconds)


def measure(con: duckdb.DuckDBPyConnection, example: str) -> tuple[float, float]:
    """Seconds of binding an example, and of running it."""
    statement = example.rstrip(";\n ")
    return cpu(con, f"prepare bound as {statement}"), cpu(con, statement)


def main() -> None:
    title(f"Examples of the macros, best of {RUNS}: as registered, in memory, without projection_pullup")
    tables = reference.TABLES.read_text("utf-8")
    with (
        tempfile.TemporaryDirectory() as folder,
        chdir(folder),
        duckdb.connect() as con,
        duckdb.connect() as in_memory,
        duckdb.connect() as without_pullup,
    ):
        sqlanon.register(con)
        library.keep_in_memory(in_memory)
        sqlanon.register(without_pullup)
        if not duckdb.__version__.startswith("1."):  # which has no such pass
            without_pullup.execute("set disabled_optimizers = 'projection_pullup'")
        for each in (con, in_memory, without_pullup):
            register_noise(each)
            each.execute(tables).fetchall()
        examples = [("(one GROUP BY)", GROUPED), *con.execute(EXAMPLES).fetchall()]
        measured = [
            (*measure(con, example), *measure(in_memory, example), measure(without_pullup, example)[1], macro)
            for macro, example in examples
            if example.count(";") <= 1
        ]
    print(
        f"  {'macro':<22} {'binding':>9} {'run':>9}   {'in memory':>9} {'run':>9}   {'no pullup':>9}  share"
    )
    for bound, run, bound_there, run_there, without, macro in sorted(measured, key=lambda row: -row[1]):
        seconds = f"{bound:>8.4f}s {run:>8.4f}s   {bound_there:>8.4f}s {run_there:>8.4f}s   {without:>8.4f}s"
        print(f"  {macro:<22} {seconds}  {without / run:>4.2f}x")
