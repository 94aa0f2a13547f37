"""The few numbers that the README shows: writes them to docs/measured.md and into the README.

Seconds are of processor time, those of all threads together, the least of a few runs: they hardly depend on
what else the machine does, which is said beside them.
"""

from __future__ import annotations

import os
import re
import resource
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb

import sqlanon
from benchmarks.attack import anonymize, attack
from benchmarks.mondrian import driver, matrix, statement
from benchmarks.tables import (
    ARX_COLUMNS,
    LARGE_QI,
    QI,
    SENSITIVE,
    adult,
    arx_adult,
    codes,
    large,
    overlapping,
)  # fmt: skip
from benchmarks.timing import option, title
from tests.oracles import recursion

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "measured.md"
README = ROOT / "README.md"
SHOWN = re.compile(r"(?<=<!-- measured: make bench writes this -->\n).*?(?=<!-- end -->)", re.DOTALL)

HEAD = """# Measured

`make bench` prints many measurements, and writes the table below (`python -m benchmarks summary` writes
only the table). Seconds are processor time, summed over all threads; each is the fastest of a few runs. The
last column compares them with something else that was measured in the same run, or says what was found.

"""


def used() -> float:
    """Seconds of processor time so far."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def least(work: Callable[[], Any], runs: int = 3) -> float:
    seconds = []
    for _ in range(runs):
        start = used()
        work()
        seconds.append(used() - start)
    return min(seconds)


class Table:
    """The lines of the table, printed as they come."""

    def __init__(self) -> None:
        self.lines = ["| what | on | seconds | compared |", "|---|---|---|---|"]

    def add(self, what: str, on: str, seconds: float, than: tuple[str, float] | None = None) -> None:
        compared = "" if than is None else f"{seconds / than[1]:.2f} times {than[0]}"
        self._line(what, on, f"{seconds:.2f}", compared)

    def found(self, what: str, on: str, number: str) -> None:
        """A result that is no time."""
        self._line(what, on, "", number)

    def _line(self, *cells: str) -> None:
        self.lines.append(f"| {' | '.join(cells)} |")
        print(self.lines[-1], flush=True)


def certain(con: duckdb.DuckDBPyConnection, *releases: str) -> str:
    [(share,)] = con.execute(
        f"""select value from sqlanon.breaches({[*releases]}, targets := 'common_people',
                                               id := 'id', qi := {QI}, sensitive := '{SENSITIVE}')
        where id = 'pvp_100'"""
    ).fetchall()
    return f"{share:.1f} % of them are left with one occupation"


def composition(con: duckdb.DuckDBPyConnection, table: Table, name: str) -> None:
    """What two releases tell of those who are in both, as they are and made to fit."""
    parts = overlapping(con, "adult")[:2]
    for number, part in enumerate(parts, 1):
        anonymize(con, number, part, QI)
    both = ("release_1", "release_2")
    table.found("two 5-anonymous releases that share 5,000 people", name, certain(con, *both))
    table.found("the first of them alone", name, certain(con, "release_1"))
    con.execute(
        f"""create or replace table release_2 as
        from sqlanon.mondrian('{parts[1]}', {QI}, '{SENSITIVE}', k := 5, known := ['release_1'],
                              composed_l := 2)"""
    ).fetchall()
    table.found("both, the second made with `composed_l` = 2", name, certain(con, *both))


def on_adult(con: duckdb.DuckDBPyConnection, table: Table) -> None:
    name = adult(con).partition(":")[0]
    [(rows,)] = con.execute("select count(*) from adult").fetchall()
    on = f"{name}, {rows:,} rows"
    codes(con, "adult", QI)
    coded = matrix(con)
    by_hand = least(lambda: recursion.mondrian(coded, 5))
    seconds = least(lambda: statement(con, "adult", QI))
    table.add("Mondrian, k = 5, one statement", on, seconds, ("the cuts alone, in numpy", by_hand))
    composition(con, table, on)
    con.execute("create or replace table targets as from adult where id <= 10000").fetchall()
    table.add("intersection attack on 10,000 people", on, least(lambda: attack(con, "targets", QI)))
    if arx_adult(con):
        qi = [column for column in ARX_COLUMNS if column not in ("occupation", "salary-class")]
        best = f"select count(*) from sqlanon.optimal('adult', {qi}, hierarchies := 'h', k := 5)"
        seconds = least(lambda: con.execute(best).fetchall())
        table.add("the best of 2,160 ways to generalize, k = 5", on, seconds)


def on_a_million_rows(con: duckdb.DuckDBPyConnection, table: Table) -> None:
    adult(con)
    on = ", ".join(large(con).split(", ")[:1])
    columns = ", ".join([*LARGE_QI, SENSITIVE])
    group_by = least(
        lambda: con.execute(
            f"create or replace temp table grouped as select {columns}, count(*) as n from large group by all"
        ).fetchall()
    )
    check = f"select count(*) from sqlanon.violations('large', {LARGE_QI}, '{SENSITIVE}', k := 5, l := 3)"
    seconds = least(lambda: con.execute(check).fetchall())
    table.add("check, k = 5 and l = 3", on, seconds, ("one GROUP BY of the same columns", group_by))
    seconds = least(lambda: driver(con, "large", LARGE_QI), 2)
    table.add("Mondrian, k = 5, from Python, verified", on, seconds, ("that GROUP BY", group_by))


def write(lines: list[str], where: str) -> None:
    """The page, and the README's copy of its table."""
    text = "\n".join(lines) + "\n"
    PAGE.write_text(f"{HEAD}{text}\n{where}\n", "utf-8")
    README.write_text(SHOWN.sub(lambda _: f"\n{text}\n", README.read_text("utf-8")), "utf-8")


def main() -> None:
    title("What the README shows")
    table = Table()
    load, processors = os.getloadavg()[0], os.cpu_count()
    with duckdb.connect() as con:
        sqlanon.register(con)
        on_adult(con, table)
        on_a_million_rows(con, table)
    where = f"DuckDB {duckdb.__version__}, {processors} processors; the load was {load:.1f} when this began."
    if option("rows", ""):  # of few rows, which are no measurement
        print("\n".join(table.lines))
    else:
        write(table.lines, where)
    print(where)
