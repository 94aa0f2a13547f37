"""Utility of a release: all measures against one GROUP BY of each table, and range counts one by one."""

from __future__ import annotations

import time

import duckdb

import sqlanon
from benchmarks.tables import LARGE_QI, large
from benchmarks.tables import adult as load
from benchmarks.timing import best, line, title

ASKED = 20  # queries one by one; a workload has 1000


def counted(con: duckdb.DuckDBPyConnection) -> float:
    """Seconds for 1000 range counts on the original, from a few of them, each a scan of its own."""
    started = time.perf_counter()
    for query in range(ASKED):
        lo, age = 50 * query, 20 + query
        con.execute(
            f"select count(*) from large where zip between {lo} and {lo + 300} and age between {age} and "
            f"{age + 25}"
            " and education between 'Bachelors' and 'HS-grad'"
        ).fetchall()
    return (time.perf_counter() - started) * 1000 / ASKED


def main() -> None:
    with duckdb.connect() as con:
        sqlanon.register(con)
        load(con)
        name = large(con)
        con.execute(
            f"create table release as from sqlanon.mondrian('large', {LARGE_QI}, k := 5, seed := 1)"
        ).fetchall()
        [(classes,)] = con.execute(f"select count(*) from sqlanon.classes('release', {LARGE_QI})").fetchall()
        title(f"Utility of a release (k = 5, {classes:,} classes) of {name}")
        columns = ", ".join(LARGE_QI)
        group_by = best(
            lambda: [
                con.execute(
                    f"create or replace temp table grouped as select {columns}, count(*) as n from {table} "
                    "group by all"
                ).fetchall()
                for table in ("large", "release")
            ]
        )
        line("one GROUP BY of each of the two tables", group_by)
        for queries in (1, 1000):
            seconds = best(
                lambda queries=queries: con.execute(  # type: ignore[misc]
                    f"from sqlanon.utility('large', 'release', {LARGE_QI}, queries := {queries})"
                ).fetchall(),
                2,
            )
            line(f"sqlanon.utility, range counts: {queries:,}", seconds, ("GROUP BY", group_by))
        line("1,000 range counts on the original alone, one by one", counted(con), ("GROUP BY", group_by))
