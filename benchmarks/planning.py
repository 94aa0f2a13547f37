"""Planning: what the example of each public macro costs, on the twelve rows of the reference, and how much of
that is binding it.

EXPLAIN would mislead: half of its time goes to drawing the plan.
"""

from __future__ import annotations

import tempfile
from contextlib import chdir

import duckdb

import sqlanon
from benchmarks.timing import best, title
from sqlanon.core import library, reference
from sqlanon.randomize.noise import register_noise

RUNS = 5

EXAMPLES = "from sqlanon._help_blocks() select macro, text where kind = 'example' order by macro"


def measure(con: duckdb.DuckDBPyConnection, example: str) -> tuple[float, float]:
    """Seconds of binding an example, and of running it."""
    statement = example.rstrip(";\n ")
    bound = best(lambda: con.execute(f"prepare bound as {statement}").fetchall(), RUNS)
    return bound, best(lambda: con.execute(statement).fetchall(), RUNS)


def main() -> None:
    title(f"Examples of the macros, best of {RUNS}; with the macros in a file, as registered, and in memory")
    tables = reference.TABLES.read_text("utf-8")
    with (
        tempfile.TemporaryDirectory() as folder,
        chdir(folder),
        duckdb.connect() as con,
        duckdb.connect() as in_memory,
    ):
        sqlanon.register(con)
        library.keep_in_memory(in_memory)
        for each in (con, in_memory):
            register_noise(each)
            each.execute(tables).fetchall()
        examples = con.execute(EXAMPLES).fetchall()
        measured = [
            (*measure(con, example), *measure(in_memory, example), macro)
            for macro, example in examples
            if example.count(";") == 1
        ]
    print(f"  {'macro':<22} {'binding':>9} {'run':>9}   {'in memory':>9} {'run':>9}   file / memory")
    for bound, run, bound_there, run_there, macro in sorted(measured, key=lambda row: -row[1]):
        seconds = f"{bound:>8.4f}s {run:>8.4f}s   {bound_there:>8.4f}s {run_there:>8.4f}s"
        print(f"  {macro:<22} {seconds}   {run / run_there:>6.2f}x")
