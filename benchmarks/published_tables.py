"""What totals give back of the small cells of Adult's tables: the share that an adversary knows, by sums
alone and by linear programs."""

from __future__ import annotations

import time
from typing import Any

import duckdb

import sqlanon
from benchmarks.tables import folder
from benchmarks.timing import title

COLUMNS = [
    "age", "workclass", "fnlwgt", "education", "education_num", "marital_status", "occupation",
    "relationship", "race", "sex", "capital_gain", "capital_loss", "hours", "country", "income",
]  # fmt: skip
THREE = ["education", "occupation", "race"]
LARGEST = 9  # of a cell that is hidden
# dimensions, are zeros hidden, the least and the most that is known of a hidden cell
CASES: list[tuple[str, list[str], bool, int, int | None]] = [
    ("1 to 9 hidden; each at least 1, at most 9", THREE, False, 1, LARGEST),
    ("1 to 9 hidden; each at least 1", THREE, False, 1, None),
    ("1 to 9 hidden; each at least 0", THREE, False, 0, None),
    ("0 to 9 hidden; each at least 0, at most 9", THREE, True, 0, LARGEST),
    ("education x occupation, 1 to 9 hidden", THREE[:2], False, 1, LARGEST),
]


def load(con: duckdb.DuckDBPyConnection) -> bool:
    """The table `adult`, all rows of adult.data, where that is there."""
    file = folder() / "adult" / "adult.data"
    if not file.is_file():
        return False
    con.execute(
        """
        create or replace table adult as
        from read_csv($path, header = false, names = $names, all_varchar = true)
        """,
        {"path": str(file), "names": COLUMNS},
    ).fetchall()
    return True


def keep(con: duckdb.DuckDBPyConnection, name: str, answer: duckdb.DuckDBPyRelation) -> None:
    """An answer as a table of this name."""
    con.execute(f"drop table if exists {name}").fetchall()
    answer.create(name)


def publish(con: duckdb.DuckDBPyConnection, dimensions: list[str], zeros: bool) -> int:
    """The table `published`, in which small cells are hidden; how many cells it has."""
    keep(con, "cells", sqlanon.table_cells(con, "adult", dimensions))
    con.execute(
        """
        create or replace temp table published as
        select *, case when value between $least and $largest then null else value end as shown from cells
        """,
        {"least": 0 if zeros else 1, "largest": LARGEST},
    ).fetchall()
    [(number,)] = con.execute("select count(*) from cells").fetchall()
    return int(number)


def known(
    con: duckdb.DuckDBPyConnection, dimensions: list[str], least: int, most: int | None, programs: Any
) -> tuple[int, int, int, int, int]:
    """Hidden cells; those that are known exactly, within 1, unfinished, and wrong (none)."""
    answer = sqlanon.cell_bounds(
        con, "published", dimensions, "shown", least=least, most=most, programs=programs, solver_seconds=600
    )
    keep(con, "bounds", answer)
    [(hidden, exact, within, unfinished, wrong)] = con.execute(
        f"""
        select count(*), count(*) filter (lower = upper), count(*) filter (upper - lower <= 1),
               count(*) filter (unfinished),
               count(*) filter (value not between lower and coalesce(upper, value))
        from bounds join cells using ({", ".join(dimensions)})
        """
    ).fetchall()
    return hidden, exact, within, unfinished, wrong


def main() -> None:
    with duckdb.connect() as con:
        sqlanon.register_functions(con)
        if not load(con):
            print("the Adult data set is absent")
            return
        title("What totals give back of hidden cells, on Adult (32,561 rows)")
        for name, dimensions, zeros, least, most in CASES:
            cells = publish(con, dimensions, zeros)
            print(f"  {name}: {cells:,} cells", flush=True)
            for programs in ("none", "linear"):
                start = time.perf_counter()
                hidden, exact, within, unfinished, wrong = known(con, dimensions, least, most, programs)
                print(
                    f"    {'sums alone' if programs == 'none' else 'linear programs':<16} known exactly "
                    f"{exact:>4} of {hidden:,} ({100 * exact / hidden:.1f} %), within 1 {within:>4} "
                    f"({100 * within / hidden:.1f} %), unfinished {unfinished:>4}, wrong {wrong}; "
                    f"{time.perf_counter() - start:.1f} s",
                    flush=True,
                )
