"""Tables together: 20 tables with filters and levels over 5,000 atoms, and over 50,000: what two cells tell,
what all tables tell within two minutes, and what is left.

--seconds=120: of the programs.
"""

from __future__ import annotations

import math
import random
import time
from typing import Any, Literal

import duckdb

import sqlanon
from benchmarks.timing import option, title

# people, and how many values each column has
CASES = [(20_000, [20, 10, 5, 5]), (20_000, [10, 10, 10, 5]), (200_000, [20, 20, 5, 5, 5])]
TABLES = 20


def publish(
    con: duckdb.DuckDBPyConnection, people: int, sizes: list[int], seed: int
) -> tuple[list[str], list[str]]:
    """Tables t0, ... of three columns each with all totals, some by pairs of values, some with a filter; the
    relations levels and values. Their names and filters."""
    draw = random.Random(seed)
    names = [chr(ord("a") + i) for i in range(len(sizes))]
    columns = ", ".join(
        f"'{name}' || ({size} * power(hash(i, {k}, {seed}) / 2.0 ** 64, 1.5))::integer % {size} as {name}"
        for k, (name, size) in enumerate(zip(names, sizes, strict=True))
    )
    con.execute(f"create or replace temp table people as select {columns} from range({people}) as own(i)")
    con.execute("create or replace temp table levels (attribute text, value text, level integer, label text)")
    for name, size in zip(names, sizes, strict=True):
        con.execute(
            f"""
            insert into levels
            select '{name}', '{name}' || i, unnest([0, 1, 2]),
                   unnest(['{name}' || i, '{name}p' || i // 2, '*'])
            from range({size}) as own(i)
            """
        )
    con.execute(
        "create or replace temp table domain as select attribute, value from levels where level = 0"
    ).fetchall()
    filters = []
    for number in range(TABLES):
        which = sorted(draw.sample(range(len(sizes)), 3))
        kept = ""
        if draw.random() < 0.5:
            k = draw.randrange(len(sizes))
            left_out = draw.randint(1, max(1, sizes[k] // 2))
            among = sorted(draw.sample(range(sizes[k]), sizes[k] - left_out))
            labels = ", ".join(f"'{names[k]}{i}'" for i in among)
            kept = f"{names[k]} in ({labels})"
        chosen = [names[k] for k in which]
        levels = [
            name if draw.random() > 0.3 else f"'{name}p' || substr({name}, 2)::integer // 2 as {name}"
            for name in chosen
        ]
        totals = ", ".join(f"coalesce({name}, 'total') as {name}" for name in chosen)
        con.execute(
            f"""
            create or replace temp table t{number} as
            select {totals}, count(*) as value
            from (select {", ".join(levels)} from people where {kept or "true"})
            group by cube ({", ".join(chosen)})
            """
        ).fetchall()
        filters.append(kept)
    return names, filters


def main() -> None:
    seconds = float(option("seconds", "120"))
    for seed, (people, sizes) in enumerate(CASES, 1):
        with duckdb.connect() as con:
            sqlanon.register_functions(con)
            names, filters = publish(con, people, sizes, seed)
            tables = [f"t{number}" for number in range(TABLES)]
            counted = " union all ".join(f"select count(*) as n from {table}" for table in tables)
            [(cells,)] = con.execute(f"select sum(n) from ({counted})").fetchall()
            title(f"{TABLES} tables with {cells:,} cells over {math.prod(sizes):,} atoms")
            kinds: tuple[tuple[Literal["none", "linear"], float], ...] = (("none", 0.0), ("linear", seconds))
            for programs, limit in kinds:
                wall, busy = time.perf_counter(), time.process_time()
                sqlanon.tables_together(
                    con, list[Any](tables), names, filters=filters, hierarchies="levels", domain="domain",
                    programs=programs, solver_seconds=limit,
                ).create(f"found_{programs}")  # fmt: skip
                wall, busy = time.perf_counter() - wall, time.process_time() - busy
                found = con.table(f"found_{programs}")
                told = (
                    found.filter("lower is not null").aggregate("found_by, count(*)").order("all").fetchall()
                )
                left = found.filter("lower is null").project("cell, because").fetchall()
                print(f"  programs {programs}: {wall:.0f} s, {busy:.1f} s of processor time", flush=True)
                for found_by, number in told:
                    print(f"    {number:,} by {found_by}")
                for number, why in left:
                    print(f"    {number}: {why}")
