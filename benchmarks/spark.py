"""Spark on this machine, with one worker thread and with two, against one DuckDB: what the way through Spark
costs, and how it grows. With --long up to ten million rows. Seconds of CPU are those of all processes (Java,
and Python in the tasks): of a machine that does other things, too, they say more than the clock."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb

import sqlanon
from benchmarks.timing import LONG, at_most, title

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

SETTINGS = {
    "spark.driver.memory": "4g",
    "spark.log.level": "ERROR",
    "spark.sql.shuffle.partitions": "4",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
}
TOLD: dict[str, Any] = {"qi": ["age", "zip", "income"], "sensitive": "disease", "k": 5, "l": 2}
ATTACKED = {"id": "id", "qi": TOLD["qi"], "sensitive": "disease", "truth": "disease"}
TASKS = 8  # of the job that is made of several


def main() -> None:
    title("Spark against one DuckDB of two threads: mondrian, k = 5, l = 2, three quasi-identifiers")
    if shutil.which("java") is None:
        print("  no Java on this machine")
        return
    warnings.simplefilter("ignore", FutureWarning)  # pyspark warns of pandas 3
    os.environ["PYSPARK_PYTHON"] = sys.executable
    sizes = (at_most(100_000), 1_000_000, 10_000_000)[: 3 if LONG in sys.argv else 1]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for rows in sizes:
            alone(folder, rows)
        for workers in (1, 2):
            spark = session(workers)
            released(spark, folder / f"people_{sizes[0]}.parquet", 1)  # Java compiles meanwhile
            for rows in sizes:
                distributed(spark, folder, rows, workers)
            spark.stop()


def session(workers: int) -> SparkSession:
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master(f"local[{workers}]")
    for name, value in SETTINGS.items():
        builder = builder.config(name, value)
    return builder.getOrCreate()


def alone(folder: Path, rows: int) -> None:
    """One DuckDB; it leaves the table and two releases as files."""
    with duckdb.connect() as con:
        con.execute("set threads = 2").fetchall()
        con.execute(f"""
            create table people as
            select (18 + hash(i * 8 + 1) % 60)::int as age, (hash(i * 8 + 2) % 100)::int as zip,
                   (hash(i * 8 + 3) % 50)::int as income, (hash(i * 8 + 4) % 12)::int as disease, i as id
            from range({rows}) as numbers(i)""").fetchall()
        con.table("people").write_parquet(str(folder / f"people_{rows}.parquet"))
        measured(f"{rows:,} rows: one DuckDB", lambda: sqlanon.mondrian(con, "people", into="one", **TOLD))
        sqlanon.mondrian(con, "people", into="other", **TOLD | {"k": 20})
        for name in ("one", "other"):
            con.table(name).write_parquet(str(folder / f"{name}_{rows}.parquet"))
        measured(
            f"{rows:,} targets, two releases, breaches: one DuckDB",
            lambda: sqlanon.breaches(con, ["one", "other"], "people", **ATTACKED).fetchall(),
        )


def distributed(spark: SparkSession, folder: Path, rows: int, workers: int) -> None:
    """The same by Spark: parts that fit one task, parts that Spark cuts first, and the attack."""
    import sqlanon.spark as on_spark

    people, on = folder / f"people_{rows}.parquet", f"Spark, local[{workers}]"
    measured(f"{rows:,} rows: {on}, one task", lambda: released(spark, people, 1))
    measured(f"{rows:,} rows: {on}, {TASKS} tasks or more", lambda: released(spark, people, TASKS))
    releases = [spark.read.parquet(str(folder / f"{name}_{rows}.parquet")) for name in ("one", "other")]
    targets = spark.read.parquet(str(people))
    measured(
        f"{rows:,} targets, two releases, breaches: {on}",
        lambda: on_spark.breaches(releases, targets, **ATTACKED).collect(),
    )


def released(spark: SparkSession, source: Path, tasks: int) -> None:
    """The table is read from a file, and what is released goes nowhere."""
    import sqlanon.spark as on_spark

    frame = spark.read.parquet(str(source))
    combinations = frame.select(*TOLD["qi"], TOLD["sensitive"]).distinct().count() if tasks > 1 else 1 << 40
    made = on_spark.mondrian(frame, task_size=max(1, combinations // tasks), **TOLD)
    made.df().write.mode("overwrite").format("noop").save()


def measured(what: str, work: Callable[[], Any]) -> None:
    clock, cpu = time.perf_counter(), seconds_of_cpu()
    work()
    clock, cpu = time.perf_counter() - clock, seconds_of_cpu() - cpu
    load = os.getloadavg()[0]
    print(f"  {what:<64} {cpu:>8.1f} s CPU {clock:>8.1f} s (load {load:.0f})", flush=True)


def seconds_of_cpu() -> float:
    """Of this process and of those that it has started, and they in turn."""
    total, left = 0, [os.getpid()]
    while left:
        process = Path("/proc") / str(left.pop())
        try:
            times = (process / "stat").read_text().rpartition(")")[2].split()
            for each in process.glob("task/*/children"):  # of each thread
                left += map(int, each.read_text().split())
        except FileNotFoundError:  # it has ended meanwhile
            continue
        total += sum(map(int, times[11:15]))
    return total / os.sysconf("SC_CLK_TCK")
