"""The seven people of a census block, back from its published statistics.

Garfinkel, Abowd and Martindale, Understanding Database Reconstruction Attacks on Public Data (CACM 2019).

Run it: python examples/census_block.py [--without]. --without: as if the statistic about Black women had not
been published; then two sets of people agree, which takes a minute or more.
"""

from __future__ import annotations

import sys

import duckdb

import sqlanon

COLUMNS = ("sex", "race", "marital", "age", "value", "median", "mean")
# Counts below 3 are hidden: <3. M: married, S: single; nobody is married below 15.
BLOCK: list[tuple[str, str, str, str, str, str | None, str | None]] = [
    ("total", "total", "total", "total", "7", "30", "38"),
    ("F", "total", "total", "total", "4", "30", "33.5"),
    ("M", "total", "total", "total", "3", "30", "44"),
    ("total", "B", "total", "total", "4", "51", "48.5"),
    ("total", "W", "total", "total", "3", "24", "24"),
    ("total", "total", "M", "total", "4", "51", "54"),
    ("total", "total", "S", ">=18", "<3", None, None),
    ("M", "B", "total", "total", "<3", None, None),
    ("M", "W", "total", "total", "<3", None, None),
    ("F", "W", "total", "total", "<3", None, None),
    ("total", "total", "total", "<5", "<3", None, None),
    ("total", "total", "total", "<18", "<3", None, None),
    ("total", "total", "total", ">=64", "<3", None, None),
    ("total", "total", "M", "<15", "0", None, None),
]
OF_BLACK_WOMEN = ("F", "B", "total", "total", "3", "36", "36.7")


def people(
    con: duckdb.DuckDBPyConnection, rows: list[tuple[str, str, str, str, str, str | None, str | None]]
) -> duckdb.DuckDBPyRelation:
    """The people who are in every set that agrees with the statistics, and the rest of one set."""
    columns = ", ".join(f"{name} text" for name in COLUMNS)
    con.execute(f"create or replace temp table block ({columns})")
    con.executemany("insert into block values (?, ?, ?, ?, ?, ?, ?)", rows)
    con.execute(
        """
        create or replace temp table everything as
        select 'age' as attribute, unnest(range(116))::varchar as value union all
        values ('sex', 'F'), ('sex', 'M'), ('race', 'B'), ('race', 'W'), ('marital', 'S'), ('marital', 'M')
        """
    )
    return sqlanon.reconstruct(
        con, ["block"], ["sex", "race", "marital", "age"], "everything", measured="age", mean_column="mean",
        median_column="median", decimals=1, least=0, all_cells=False, solver_seconds=900,
    )  # fmt: skip


def main(without: bool) -> None:
    with duckdb.connect() as con:
        sqlanon.register_functions(con)
        rows = BLOCK if without else [*BLOCK, OF_BLACK_WOMEN]
        found = people(con, rows).order("age::integer").fetchall()
    print(f"sets of people that agree: {found[0][6]}")
    for sex, race, marital, age, certain, *_ in found:
        print(f"  {age:>3} {sex} {race} {marital} {'certain' if certain else 'in one of the sets'}")


if __name__ == "__main__":
    main("--without" in sys.argv[1:])
