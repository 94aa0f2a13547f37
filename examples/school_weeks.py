"""A school publishes its register every week, as tables of counts: what two weeks tell of who came between.

Run it: python examples/school_weeks.py [SEED]. Nobody in it exists; the same seed gives the same pupils.
"""

from __future__ import annotations

import random
import sys
from typing import Any

import duckdb

import sqlanon

GRADES = ["5", "6", "7", "8"]
SUPPORT = ["none", "none", "none", "none", "meals", "meals", "language", "both"]
WEEKS, PUPILS, NEW = 6, 240, 2  # NEW: at most so many come in a week


def pupils(con: duckdb.DuckDBPyConnection, seed: int) -> None:
    """The table pupils: number, grade, sex, support, and since which week they are there."""
    draw = random.Random(seed)
    weeks = [1] * PUPILS
    for week in range(2, WEEKS + 1):
        weeks += [week] * draw.randint(0, NEW)
    con.execute("create table pupils (number integer, grade text, sex text, support text, since integer)")
    con.executemany(
        "insert into pupils values (?, ?, ?, ?, ?)",
        [
            [number, draw.choice(GRADES), draw.choice("FM"), draw.choice(SUPPORT), week]
            for number, week in enumerate(weeks, 1)
        ],
    )


def publish(con: duckdb.DuckDBPyConnection) -> tuple[list[str], list[str]]:
    """Two tables a week, of grade and support by the school and of grade and sex by its district: their names
    and weeks."""
    names, periods = [], []
    for week in range(1, WEEKS + 1):
        for name, columns in (("school", "grade, support"), ("district", "grade, sex")):
            con.execute(
                f"""
                create table {name}_{week} as
                select {columns}, count(*) as value from pupils where since <= {week} group by all
                """
            ).fetchall()
            names.append(f"{name}_{week}")
            periods.append(f"week {week}")
    return names, periods


def main(seed: int) -> None:
    with duckdb.connect() as con:
        sqlanon.register_functions(con)
        pupils(con, seed)
        names, periods = publish(con)
        tables: list[Any] = [*names]
        about: dict[str, Any] = {"dimensions": ["grade", "support", "sex"], "threshold": 3}
        alone = sqlanon.tables_together(con, tables[:2], **about, programs="none")
        print(
            f"few people in a difference of the tables of one week: {len(alone.filter('lower is not null'))}"
        )
        together = sqlanon.tables_together(
            con, tables, **about, periods=periods, growing=True, solver_seconds=60
        )
        rows = together.project("cell, lower, upper, because, found_by").order("found_by, cell").fetchall()
        differences = [because for *_, because, found_by in rows if found_by == "difference"]
        print(f"few people in a difference of two weeks: {len(differences)}, such as {differences[0]}")
        print("who came, by all tables together:")
        for cell, lower, upper, _, found_by in rows:
            if found_by == "all tables" and lower == upper:
                print(f"  {lower:g}: {cell}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1)
