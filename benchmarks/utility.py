"""Utility of a release: all measures against one GROUP BY of each table, and range counts one by one. And how
well naive Bayes predicts on Adult, beside what ARX's own test says of the same release: TestClassification.
"""

from __future__ import annotations

import time
import warnings

import duckdb

import sqlanon
from benchmarks.tables import ARX_COLUMNS, LARGE_QI, arx_adult, large
from benchmarks.tables import adult as load
from benchmarks.timing import best, line, title

ASKED = 20  # queries one by one; a workload has 1000
FOLDS = 10
# What ARX predicts, and its accuracy in percent: naive Bayes, and logistic regression.
PREDICTED = "marital-status"
BY_ARX = {
    "accuracy_of_most_frequent": (46.63, 46.63), "accuracy_of_original": (64.48, 69.53),
    "accuracy": (62.72, 66.26),
}  # fmt: skip


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


def accuracies(con: duckdb.DuckDBPyConnection) -> dict[str, float]:
    """In percent, each person of Adult predicted from the rows of nine tenths of the others: of the most
    frequent value, of the raw rows, and of ARX's optimum with k = 5 and any suppression."""
    qi = [name for name in ARX_COLUMNS if name != PREDICTED]
    with warnings.catch_warnings():
        # the column id says who is in which part
        warnings.simplefilter("ignore", sqlanon.LeavingWarning)
        sqlanon.optimal(
            con, "adult", qi=qi, sensitive=PREDICTED, keep="id", hierarchies="h", k=5, suppression_limit=1,
            into="released",
        )  # fmt: skip
    right: dict[str, float] = {}
    for fold in range(FOLDS):
        for made, table, sign in (
            ("trained", "adult", "<>"), ("released_part", "released", "<>"), ("tested", "adult", "="),
        ):  # fmt: skip
            con.execute(
                f"create or replace temp table {made} as "
                f"from {table} where hash(id, 36) % {FOLDS} {sign} {fold}"
            ).fetchall()
        [(tested,)] = con.execute("select count(*) from tested").fetchall()
        answer = sqlanon.utility(
            con, "trained", "released_part", qi=qi, sensitive=PREDICTED, hierarchies="h", held_out="tested"
        )
        for id, value in answer.filter("id like 'accuracy%'").select("id, value").fetchall():
            right[id] = right.get(id, 0) + value * tested
    [(everybody,)] = con.execute("select count(*) from adult").fetchall()
    return {id: value / everybody for id, value in right.items()}


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
    with duckdb.connect() as con:
        sqlanon.register(con)
        title(f"Accuracy on Adult, {FOLDS} parts, of {PREDICTED}: ours, and ARX's naive Bayes and regression")
        if not arx_adult(con):
            print("  ARX's table of Adult is absent")
            return
        for id, value in accuracies(con).items():
            bayes, regression = BY_ARX[id]
            print(f"  {id:<26} {value:6.2f} %, {bayes:6.2f} %, {regression:6.2f} %")
