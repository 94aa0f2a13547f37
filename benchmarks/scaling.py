"""How the time of Mondrian grows: with rows, with attributes, and what a second thread saves.

Every measurement is a process of its own, over a table in a file: Mondrian from Python, verified, under a
limit of memory. --long: also 10 and 100 million rows, which takes half an hour and 60 GB of disk. The times
by rows are drawn in scaling.svg.
"""

from __future__ import annotations

import json
import math
import resource
import subprocess
import sys
import tempfile
import time
from itertools import pairwise
from pathlib import Path

import duckdb
import pandas as pd

import sqlanon
from benchmarks.timing import LONG, title

# Name, values, skew (1: all are as frequent; more: the first ones are more frequent), and the first value of
# a number. With the first eight, 10 million rows have about 5 million distinct combinations.
ATTRIBUTES: tuple[tuple[str, int, float, int | None], ...] = (
    ("age", 73, 2, 17),
    ("workclass", 7, 5, None),
    ("education", 16, 2.5, None),
    ("marital_status", 7, 2.5, None),
    ("race", 5, 6, None),
    ("sex", 2, 1.2, None),
    ("country", 40, 12, None),
    ("zip", 100, 4, 1000),
    ("weight", 60, 1, 45),
    ("height", 50, 1, 150),
    ("children", 8, 3, 0),
    ("industry", 14, 1.2, None),
    ("hours", 60, 1.5, 20),
    ("rooms", 9, 2, 1),
    ("car", 12, 2, None),
    ("language", 25, 6, None),
)
ROWS = (100_000, 1_000_000, 10_000_000, 100_000_000)
LIMITS = {10_000_000: "2500MB", 100_000_000: "7GB"}  # of DuckDB; arrays in Python are beside it
PICTURE = Path("scaling.svg")


def people(con: duckdb.DuckDBPyConnection, rows: int, attributes: int) -> list[str]:
    """The table `people`, the same in every run: the names of its quasi-identifiers.

    It has a sensitive column besides, disease.
    """
    chosen = [*ATTRIBUTES[:attributes], ("disease", 14, 1.5, None)]
    columns = []
    for number, (name, values, skew, first) in enumerate(chosen):
        drawn = f"floor({values} * (hash(i * 64 + {number}) / 18446744073709551616.0) ** {skew})::integer"
        columns.append(f"'{name} ' || {drawn} as {name}" if first is None else f"{first} + {drawn} as {name}")
    con.execute(
        f"create table people as select {', '.join(columns)} from range({rows}) as rows(i)"
    ).fetchall()
    return [name for name, *_ in chosen[:-1]]


def measure(rows: int, attributes: int, threads: int, folder: str) -> None:
    """In a process of its own: prints what was measured, as JSON."""
    with duckdb.connect(str(Path(folder) / "people.duckdb")) as con:
        con.execute("set enable_progress_bar = false").fetchall()
        con.execute(f"set memory_limit = '{LIMITS.get(rows, '4GB')}'").fetchall()
        sqlanon.register(con)
        qi = people(con, rows, attributes)
        con.execute(f"set threads = {threads}").fetchall()
        start, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_SELF)
        release = sqlanon.mondrian(con, "people", qi=qi, sensitive="disease", k=5, into="release")
        seconds, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_SELF)
        told = {
            "classes": release.classes,
            "seconds": seconds,
            "cpu": after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime,
            "peak": after.ru_maxrss / 1024**2,
        }
    print(json.dumps(told))


def measured(rows: int, attributes: int, threads: int) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as folder:
        work = f"from benchmarks.scaling import measure; measure({rows}, {attributes}, {threads}, {folder!r})"
        output = subprocess.run([sys.executable, "-c", work], check=True, capture_output=True, text=True)
    told: dict[str, float] = json.loads(output.stdout)
    print(
        f"  {rows:>11,} rows {attributes:>3} attributes {threads:>2} threads {told['classes']:>10,} classes "
        f"{told['seconds']:>8.2f} s {told['cpu']:>8.2f} s CPU {told['peak']:>6.2f} GB",
        flush=True,
    )
    return told


def exponents(sizes: list[int], seconds: list[float]) -> str:
    """The slopes between neighbours where both axes are logarithmic: 1 is time that grows as the size."""
    slopes = [
        math.log(later / sooner) / math.log(large / small)
        for (small, sooner), (large, later) in pairwise(zip(sizes, seconds, strict=True))
    ]
    return ", ".join(f"{slope:.2f}" for slope in slopes)


def draw(points: list[dict[str, float]]) -> None:
    import altair

    axis = altair.Scale(type="log")
    chart = altair.Chart(pd.DataFrame(points)).mark_line(point=True)
    chart.encode(
        x=altair.X("rows:Q", scale=axis, title="rows"),
        y=altair.Y("seconds:Q", scale=axis, title="seconds"),
        color=altair.Color("threads:N", title="threads"),
    ).save(PICTURE)


def main() -> None:
    title("Mondrian from Python, verified, by rows: 8 attributes, k = 5 (peak memory of the whole process)")
    sizes = [*(ROWS if LONG in sys.argv else ROWS[:2])]
    points: list[dict[str, float]] = []
    for threads in (1, 2):
        found = [measured(rows, 8, threads)["seconds"] for rows in sizes]
        points += [
            {"rows": rows, "threads": threads, "seconds": each}
            for rows, each in zip(sizes, found, strict=True)
        ]
        print(f"  seconds grow as rows to the power of {exponents(sizes, found)}")
    draw(points)
    print(f"  drawn in {PICTURE}")
    title("The same by attributes: 1,000,000 rows")
    widths = [2, 4, 8, 16]
    found = [measured(1_000_000, width, 2)["seconds"] for width in widths]
    print(f"  seconds grow as attributes to the power of {exponents(widths, found)}")
