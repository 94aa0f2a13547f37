"""Classes of people over several tables: the people of Adult with three million generated events, of stays or
of people themselves; seconds, peak memory, and the ratio to GROUP BY of the same rows. And facts_attack.
"""

from __future__ import annotations

import resource
import subprocess
import sys
from functools import partial

import duckdb

import sqlanon
from benchmarks.tables import QI, adult
from benchmarks.timing import at_most, best, line, title

EVENTS, STAYS = 3_000_000, 600_000
OF_PEOPLE = [f"adult.{name}" for name in QI]
JOINED = ["event.id = adult.id"]
# Tables, joins, quasi-identifiers and dates.
SETS: dict[str, tuple[list[str], list[str], list[str], list[str]]] = {
    "events": (["adult", "event"], JOINED, ["event.code", "event.place"], []),
    "intervals": (["adult", "event"], JOINED, ["event.code"], ["event.day"]),
    "stays": (
        ["adult", "stay", "event"], ["stay.id = adult.id", "event.stay = stay.stay"],
        ["stay.ward", "event.code"], ["stay.day", "event.day"],
    ),
}  # fmt: skip
GROUPED = "select count(*) from (select {}, count(*) from event group by all)"


def load(con: duckdb.DuckDBPyConnection) -> str:
    """Stays of people, and events with the keys of a stay and of its person."""
    about = adult(con)
    [(people,)] = con.execute("select count(*) from adult").fetchall()
    con.execute(
        f"""
        create table stay as
        select i as stay, 1 + hash(i, 1) % {people} as id, hash(i, 2) % 12 as ward,
               date '2020-01-01' + (hash(i, 3) % 1000)::int as day
        from range({at_most(STAYS)}) as row(i);
        create table event as
        select stay, id, hash(i, 4) % 50 as code, hash(i, 5) % 5 as place,
               date '2020-01-01' + (hash(i, 6) % 1000)::int as day
        from (select i, hash(i, 7) % {at_most(STAYS)} as stay from range({at_most(EVENTS)}) as row(i))
        join stay using (stay)
        """
    ).fetchall()
    return about


def measure(what: str) -> None:
    """One measurement, in a process of its own."""
    with duckdb.connect() as con:
        sqlanon.register(con)
        con.execute("set enable_progress_bar = false").fetchall()
        load(con)
        if what == "facts":
            known = [*OF_PEOPLE, "event.code", "event.place"]
            for draw in ("rarest", "random"):
                attack = partial(sqlanon.facts_attack, p=2, draw=draw, sample=1000)
                seconds = best(partial(attack, con, ["adult", "event"], "adult.id", JOINED, known), 1)
                line(f"facts_attack, two {draw} facts of 1,000 people", seconds)
        else:
            tables, joins, qi, dates = SETS[what]
            columns = [each.partition(".")[2] for each in [*qi, *dates] if each.startswith("event.")]
            grouped = best(lambda: con.execute(GROUPED.format(", ".join(["id", *columns]))).fetchall())
            qi = [*OF_PEOPLE, *qi]
            seconds = best(lambda: sqlanon.person_classes(con, tables, "adult.id", joins, qi, dates), 1)
            line(f"person_classes, {what}", seconds, ("GROUP BY of the events", grouped))
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024**2
        print(f"  {'':<58} {peak:>9.1f} GB at most", flush=True)


def main() -> None:
    title(f"Several tables about the same people: adult with {at_most(EVENTS):,} generated events")
    for what in (*SETS, "facts"):
        options = [each for each in sys.argv if each.startswith("--rows=")]
        program = f"from benchmarks.people import measure; measure({what!r})"
        subprocess.run([sys.executable, "-c", program, *options], check=True)
