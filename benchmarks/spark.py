"""Spark on this machine (two cores) against one DuckDB: what the way through Spark costs, and how it grows.
With --long up to ten million rows."""

from __future__ import annotations

import os
import shutil
import sys
import warnings
from typing import TYPE_CHECKING, Any

import duckdb

import sqlanon
from benchmarks.timing import LONG, best, line, title

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

SETTINGS = {
    "spark.driver.memory": "4g",
    "spark.log.level": "ERROR",
    "spark.sql.shuffle.partitions": "4",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
}
QI = ["age", "zip", "income"]


def main() -> None:
    title("Spark, local[2], against one DuckDB: mondrian, k = 5, l = 2, three quasi-identifiers")
    if shutil.which("java") is None:
        print("  no Java on this machine")
        return
    warnings.simplefilter("ignore", FutureWarning)  # pyspark warns of pandas 3
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = SparkSession.builder.master("local[2]")
    for name, value in SETTINGS.items():
        builder = builder.config(name, value)
    spark = builder.getOrCreate()
    for rows in (100_000, 1_000_000, 10_000_000)[: 3 if LONG in sys.argv else 1]:
        compare(spark, rows)
    spark.stop()


def compare(spark: SparkSession, rows: int) -> None:
    """The same table here and there; parts that fit one task, and parts that Spark cuts first."""
    import sqlanon.spark as on_spark

    con = duckdb.connect()
    con.execute(f"""
        create table people as
        select (18 + hash(i, 1) % 60)::int as age, (hash(i, 2) % 100)::int as zip,
               (hash(i, 3) % 50)::int as income, (hash(i, 4) % 12)::int as disease
        from range({rows}) as numbers(i)""").fetchall()
    con.execute("set threads = 2").fetchall()
    told: dict[str, Any] = {"qi": QI, "sensitive": "disease", "k": 5, "l": 2}
    alone = best(lambda: sqlanon.mondrian(con, "people", **told), 1)
    line(f"{rows:,} rows: one DuckDB", alone)
    frame = spark.createDataFrame(con.sql("from people").to_arrow_table()).persist()
    frame.count()
    con.close()

    def distributed(task_size: int) -> None:
        made = on_spark.mondrian(frame, task_size=task_size, **told)
        made.df().write.mode("overwrite").format("noop").save()

    for tasks in (1, 8):
        seconds = best(lambda tasks=tasks: distributed(max(1, 2 * rows // tasks)), 1)  # type: ignore[misc]
        line(f"{rows:,} rows: Spark, tasks of {2 * rows // tasks:,} combinations", seconds, ("DuckDB", alone))
    frame.unpersist()
