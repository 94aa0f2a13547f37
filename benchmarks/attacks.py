"""Every attack on releases of 10,000 people of Adult, and how much of that is planning: the same call on
releases of 40 people takes little else. CPU time, of all threads."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Any

import duckdb

import sqlanon
from benchmarks.tables import QI, SENSITIVE, adult
from benchmarks.timing import title
from sqlanon.core.statements import call, execute

RUNS = 3
PEOPLE = 10_000
FEW = 40

# By attack, and what is added to its name: its arguments.
CLASSES: dict[str, Any] = {"qi": QI, "sensitive": SENSITIVE}
PERSONS: dict[str, Any] = {"targets": "targets", "id": "id", "qi": QI}
CALLS: dict[tuple[str, str], dict[str, Any]] = {
    ("background_knowledge", ""): {"release": "whole", **CLASSES},
    ("complementary_release", ""): {
        "releases": ["whole", "again"], "qi": QI, "join_columns": [SENSITIVE, "fnlwgt"]
    },
    ("correspondence", ""): {"releases": ["half", "whole"], **CLASSES},
    ("differencing", ""): {
        "counts": "counts", "dimensions": ["education", "race", "sex"], "count_column": "n", "threshold": 5
    },
    ("downcoding", ""): {
        "release": "coded", "qi": ["age", "native_country"], "hierarchies": "tree", "k": 5
    },
    ("forecast", ""): {"release": "whole", **CLASSES},
    ("homogeneity", ""): {"release": "whole", **CLASSES},
    ("insert_only", ""): {"releases": ["half", "whole"], **CLASSES},
    ("intersection_attack", ""): {"releases": ["whole", "again"], **PERSONS, "sensitive": SENSITIVE},
    ("intersection_attack", ", unknown cells"): {
        "releases": ["whole", "again"], **PERSONS, "sensitive": SENSITIVE, "targets": "known",
        "unknown": "?",
    },
    ("joined_releases", ""): {"releases": ["stays", "visits"], "join_on": "place", "x": "id", "y": "record"},
    ("linking", ""): {"release": "whole", **PERSONS},
    ("linking", ", sensitive"): {"release": "whole", **PERSONS, "sensitive": SENSITIVE},
    ("minimality", ""): {"release": "diverse", **PERSONS, "sensitive": SENSITIVE, "k": 5, "l": 3},
    ("skyline", ""): {"release": "whole", **CLASSES},
    ("trails", ""): {
        "release": "visits", "targets": "stays", "id": "id", "record": "record", "place": "place"
    },
    ("unsorted_matching", ""): {"releases": ["whole", "again"], "qi": QI},
}  # fmt: skip


def load(con: duckdb.DuckDBPyConnection, people: int) -> None:
    """The targets, and the tables of CALLS, all of the same people."""
    con.execute(
        """
        create or replace table targets as
        select *, (hash(id, 5) % 100000)::integer as fnlwgt from adult order by id limit $people
        """,
        {"people": people},
    ).fetchall()
    con.execute(
        """
        create or replace table known as
        select * replace (if(id % 3 = 0, '?', age::varchar) as age,
                          if(id % 4 = 0, '?', native_country) as native_country) from targets;
        create or replace table fewer as from targets where id % 2 = 0;
        create or replace table stays as
        select id, (hash(id, visit) % 400)::integer as place
        from targets, range(3) as visits(visit);
        create or replace table visits as select -id as record, place from stays;
        create or replace table counts as
        select education, race, sex, case when count(*) >= 5 then count(*) end as n
        from targets group by cube (education, race, sex);
        create or replace table tree as
        select 'native_country' as attribute, native_country as value, level,
               case level when 0 then native_country when 1 then native_country[1] || '...' else '*' end
                   as label
        from (select distinct native_country from targets), range(3) as levels(level)
        """
    ).fetchall()
    for name, source, qi, more in (
        ("whole", "targets", QI, "k := 5, keep := 'fnlwgt', seed := 1"),
        ("again", "targets", QI[::-1], "k := 5, keep := 'fnlwgt', seed := 1"),
        ("half", "fewer", QI, "k := 5"),
        ("diverse", "targets", QI, "k := 5, l := 3"),
    ):
        con.execute(
            f"create or replace table {name} as "
            f"from sqlanon.mondrian('{source}', {qi}, '{SENSITIVE}', {more})"
        ).fetchall()
    con.execute(
        """
        create or replace table coded as
        select age // 10 as age,
               case when count(*) over (partition by age // 10, native_country) >= 5
                    then native_country else '*' end as native_country
        from targets
        """
    ).fetchall()


def cpu(work: Callable[[], object]) -> float:
    """CPU seconds of the best run."""
    seconds = []
    for _ in range(RUNS):
        start = time.process_time()
        work()
        seconds.append(time.process_time() - start)
    return min(seconds)


def main() -> None:
    with duckdb.connect() as con:
        sqlanon.register(con)
        name = adult(con)
        measured: dict[tuple[str, str], list[float]] = {}
        for people in (FEW, PEOPLE):
            load(con, people)
            for key, arguments in CALLS.items():
                query = call(key[0], **arguments)
                measured.setdefault(key, []).append(cpu(partial(execute, con, query)))
        title(f"Attacks on {PEOPLE:,} people of {name}: CPU seconds, best of {RUNS}")
        print(f"  {'':<44} {f'{FEW} people':>12} {f'{PEOPLE:,} people':>14}")
        for key, (few, many) in sorted(measured.items(), key=lambda entry: -entry[1][1]):
            print(f"  {''.join(key):<44} {few:>10.2f} s {many:>12.2f} s")
