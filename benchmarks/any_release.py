"""What releases of any kind give away about the people in them, beyond what is learned of people held out:
`python -m benchmarks any_release [--people=N]`, N people in the release (3000), as many who are held out, and
as many others. And how often the de Finetti attack is right about buckets and classes, beside 1/l.

A copy must come out near 100 %, a release of other people around 0, and stronger protection not above weaker.
"""

from __future__ import annotations

import time

import duckdb

import sqlanon
from benchmarks.tables import QI, SENSITIVE, adult
from benchmarks.timing import option, title

HERE = ["age", "workclass", "education"]
THERE = ["marital_status", "race", "native_country", SENSITIVE]
COLUMNS = [*QI, SENSITIVE]


def load(con: duckdb.DuckDBPyConnection, people: int) -> list[str]:
    """The people in the release and those held out, `asked`; the releases, by their names."""
    con.execute(
        """
        create or replace table dealt as
        select *, row_number() over (order by hash(id, 36), id) as place from adult
        """
    ).fetchall()
    con.execute(
        """
        create or replace table asked as
        select *, place > $people as out from dealt where place <= 2 * $people
        """,
        {"people": people},
    ).fetchall()
    con.execute("create or replace table original as from asked where not out").fetchall()
    con.execute(
        """
        create or replace table "other people" as
        from dealt where place > 2 * $people and place <= 3 * $people
        """,
        {"people": people},
    ).fetchall()
    con.execute("create or replace table copy as from original").fetchall()
    for k in (5, 50):
        sqlanon.mondrian(con, "original", qi=QI, sensitive=SENSITIVE, k=k, seed=1, into=f"Mondrian, k = {k}")
        sqlanon.microaggregate(
            con, "original", qi=QI, sensitive=SENSITIVE, k=k, seed=1, into=f"microaggregation, k = {k}"
        )
    for percent in (90, 50):
        sqlanon.pram(con, "original", COLUMNS, retain=percent / 100, seed=1, into=f"PRAM, {percent} % stay")
    for percent in (10, 50):
        sqlanon.add_noise(
            con, "original", "age", keep=COLUMNS[1:], scale=percent / 100, seed=1,
            into=f"age with noise, {percent} %",
        )  # fmt: skip
    return [
        "copy", "other people", "Mondrian, k = 5", "Mondrian, k = 50", "microaggregation, k = 5",
        "microaggregation, k = 50", "PRAM, 90 % stay", "PRAM, 50 % stay", "age with noise, 10 %",
        "age with noise, 50 %",
    ]  # fmt: skip


def risk(con: duckdb.DuckDBPyConnection, answer: duckdb.DuckDBPyRelation) -> str:
    """The success on people in the release and on controls, and the risk beyond these."""
    found = {row[-1]: row for row in sqlanon.attack_summary(con, answer).fetchall()}
    right, control, beyond = (
        found[id] for id in ("right_of_all", "right_of_all_controls", "beyond_controls")
    )
    return f"{right[1]:5.1f} % {control[1]:5.1f} % {beyond[1]:6.1f} % [{beyond[3]:.1f}, {beyond[4]:.1f}]"


def main() -> None:
    people = int(option("people", "3000"))
    with duckdb.connect() as con:
        sqlanon.register(con)
        title(f"Releases of {people:,} people, against as many held out ({adult(con)})")
        releases = load(con, people)
        print("  success in the release, on controls, risk beyond these [95 % interval]")
        for name in releases:
            con.execute(f'create or replace temp view answered as from "{name}"').fetchall()
            start = time.perf_counter()
            linked = sqlanon.nearest_linkage(con, "answered", "asked", "id", HERE, THERE, controls="out")
            middle = time.perf_counter()
            inferred = sqlanon.nearest_inference(
                con, "answered", "asked", "id", QI, SENSITIVE, truth=SENSITIVE, controls="out"
            )
            last = time.perf_counter()
            singled = sqlanon.singling_out(con, "answered", "asked", "id", COLUMNS, controls="out")
            end = time.perf_counter()
            print(f"  {name:<26} linkage   {risk(con, linked):<44} {middle - start:6.1f} s")
            print(f"  {'':<26} inference {risk(con, inferred):<44} {last - middle:6.1f} s")
            print(f"  {'':<26} singling  {risk(con, singled):<44} {end - last:6.1f} s", flush=True)
        title("The de Finetti attack on all people: 1 / l as the release says, and what is right")
        for l in (2, 3, 4, 5):
            sqlanon.anatomize(
                con, "adult", qi=QI, sensitive=SENSITIVE, l=l, seed=1, into="bucketed", replace=True
            )
            alone = con.sql(f"select * from adult qualify count(*) over (partition by {', '.join(QI)}) = 1")
            start = time.perf_counter()
            answer = sqlanon.de_finetti(
                con, "bucketed", alone, "id", QI, SENSITIVE, 20, bucket="bucket", truth=SENSITIVE
            )
            print(f"  anatomize, l = {l}, people who are one row {told(con, answer, start)}", flush=True)
        for l in (2, 3, 4, 5):
            sqlanon.mondrian(
                con, "adult", qi=QI, sensitive=SENSITIVE, k=5, l=l, seed=1, into="classes", replace=True
            )
            start = time.perf_counter()
            answer = sqlanon.de_finetti(con, "classes", "adult", "id", QI, SENSITIVE, 20, truth=SENSITIVE)
            print(f"  Mondrian, k = 5, l = {l}                    {told(con, answer, start)}", flush=True)


def told(con: duckdb.DuckDBPyConnection, answer: duckdb.DuckDBPyRelation, start: float) -> str:
    seconds = time.perf_counter() - start
    found = {row[-1]: row for row in sqlanon.attack_summary(con, answer).fetchall()}
    share = f"{found['baseline'][1]:5.1f} %, right {found['right'][1]:5.1f} %"
    return f"{share} of {found['subjects'][1]:,.0f} {seconds:6.1f} s"
