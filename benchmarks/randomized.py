"""Counts with noise against the plain GROUP BY of the same groups, and what an entry in the ledger takes."""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

import duckdb

import sqlanon
from benchmarks.timing import LONG, best, line, title
from sqlanon.publishing.ledger import Ledger
from sqlanon.publishing.register import opened
from sqlanon.randomize.cost import Cost

ENTRIES = 100
PEOPLE = """
create or replace table people as
select hash(i) % $groups as g, hash(i, 1) % $units as who from range($rows) as row(i)
"""


def counts(rows: int) -> None:
    groups, units = rows // 10, rows // 5
    title(f"dp_counts of {rows:,} rows in {groups:,} groups, {units:,} people")
    with duckdb.connect() as con:
        sqlanon.register_functions(con, noise=True)
        con.execute(PEOPLE, {"rows": rows, "groups": groups, "units": units}).fetchall()
        con.execute(f"create table known as select unnest(range({groups})::ubigint[]) as g").fetchall()

        def made(statement: str) -> float:
            return best(lambda: con.execute(f"create or replace table made as {statement}").fetchall(), 2)

        plain = made("select g, count(*) as n from people group by g")
        line("GROUP BY", plain)
        people = made("select g, count(distinct who) as n from people group by g")
        line("GROUP BY, people counted", people)
        sampler = made("select g, sqlanon._with_noise(0, 1.5, 'laplace') as noise from known")
        line("the sampler alone", sampler)
        for what, more, same in (
            ("", "", plain),
            (" by unit", ", unit := 'who', max_groups := 3", people),
        ):
            seconds = made(f"from sqlanon.dp_counts('people', 'g', epsilon := 1, keys := 'known'{more})")
            line(f"dp_counts{what}", seconds, ("the sampler and five such GROUP BY", sampler + 5 * same))


def entries() -> None:
    title(f"An entry in the ledger, on average over {ENTRIES}")
    cost = Cost(0.001, 0.0, None, "laplace", "a benchmark")
    with tempfile.TemporaryDirectory() as folder, duckdb.connect() as con:
        register = Path(folder) / "releases.duckdb"
        sqlanon.set_budget(con, register, source="people", epsilon=1)
        with opened(con, register) as out:
            ledger = Ledger(out, source="people")
            start, computing = time.perf_counter(), time.process_time()
            for _ in range(ENTRIES):
                ledger.spend(cost)
            line("an entry", (time.perf_counter() - start) / ENTRIES)
            line("an entry, computing", (time.process_time() - computing) / ENTRIES)


def main() -> None:
    counts(10_000_000 if LONG in sys.argv else 2_000_000)
    entries()
