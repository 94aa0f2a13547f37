"""The intersection attack: on two releases of Adult, and on a million targets."""

from __future__ import annotations

import duckdb

import sqlanon
from benchmarks.tables import LARGE_QI, QI, SENSITIVE, adult, large
from benchmarks.timing import best, line, title


def attack(con: duckdb.DuckDBPyConnection, targets: str, qi: list[str]) -> None:
    con.execute(
        "create or replace temp table attacked as "
        f"from sqlanon.intersection_attack(['release_1', 'release_2'], '{targets}', 'id', {qi}, "
        f"'{SENSITIVE}')"
    ).fetchall()


def anonymize(con: duckdb.DuckDBPyConnection, number: int, source: str, qi: list[str]) -> int:
    con.execute(
        f"create or replace table release_{number} as from sqlanon.mondrian('{source}', {qi}, "
        f"'{SENSITIVE}', k := 5)"
    ).fetchall()
    [(classes,)] = con.execute(f"select count(*) from sqlanon.classes('release_{number}', {qi})").fetchall()
    return int(classes)


def main() -> None:
    with duckdb.connect() as con:
        sqlanon.register(con)
        name = adult(con)
        for number in (1, 2):
            con.execute(
                f"create table part_{number} as from adult where id <= 10000 or id % 2 = {number - 1}"
            ).fetchall()
            anonymize(con, number, f"part_{number}", QI)
        con.execute("create table targets as from adult where id <= 10000").fetchall()
        title(f"Intersection attack, two overlapping releases (k = 5) of {name}")
        line("10,000 targets", best(lambda: attack(con, "targets", QI)))
        # The same people twice, cut by attributes in another order: two releases that differ as two
        # publishers' do.
        title(f"Intersection attack, two releases (k = 5) of {large(con)}")
        classes = [anonymize(con, 1, "large", LARGE_QI), anonymize(con, 2, "large", LARGE_QI[::-1])]
        line(
            f"all its rows as targets, {classes[0]:,} and {classes[1]:,} classes",
            best(lambda: attack(con, "large", LARGE_QI), 1),
        )
