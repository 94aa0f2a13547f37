"""What hiding and refusing tell: `python -m benchmarks denials [--people=N]`, of all tables of N people (6).

Questions are asked exactly, of every table of so many people with one of three diseases, at a threshold of 3.
Who is told numbers and marks can say which tables agree with them. Who knows the rule, too, leaves only the
tables of which the same would have been told, hidden and refused. For both: of how many groups of 1 or 2
people with a disease fewer sizes are possible than the threshold, or one.
"""

from __future__ import annotations

from collections import defaultdict
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory

import duckdb

import sqlanon
from benchmarks.timing import option, title
from sqlanon.answers.ways import answer_of, asking_table
from sqlanon.core.errors import RefusedError
from sqlanon.core.statements import execute, render

THRESHOLD = 3
KINDS = ("asthma", "diabetes", "flu")
POLICY = f"""
[answers]
way = "exact"
register = "told.duckdb"
table = "stays"
threshold = {THRESHOLD}
[answers.dimensions.disease]
values = ["{'", "'.join(KINDS)}"]
"""
# Sequences of questions: conditions, each with those whom it counts; the last by groups.
ASKED: dict[str, list[tuple[int, ...]]] = {
    "select count(*) from stays": [(0, 1, 2)],
    "select count(*) from stays where disease <> 'diabetes'": [(0, 2)],
    "select disease, count(*) as n from stays group by disease": [(0,), (1,), (2,), ()],
}
Sizes = tuple[int, ...]
Told = tuple[int | str | None, ...]  # of each cell: a number, None where it is hidden, or refused


def transcript(con: duckdb.DuckDBPyConnection, sizes: Sizes) -> Told:
    """What is told of a table."""
    people = [kind for kind, n in zip(KINDS, sizes, strict=True) for _ in range(n)]
    con.execute("create or replace temp table stays as select unnest($people) as disease", {"people": people})
    told: list[int | str | None] = []
    with TemporaryDirectory() as folder:
        file = Path(folder) / "exact.toml"
        file.write_text(POLICY)
        with asking_table(con, file, "stays", None) as asking:
            for question, cells in ASKED.items():
                try:
                    rows = execute(con, render(answer_of(asking, question)[0]))
                    told += [value for *_, value, _, _ in rows]
                except RefusedError:
                    told += ["refused"] * len(cells)
    return tuple(told)


def agrees(sizes: Sizes, told: Told) -> bool:
    """Could a table have been told so, by the numbers and marks alone? A hidden cell may have nobody."""
    cells = [cell for each in ASKED.values() for cell in each]
    counts = [sum(sizes[kind] for kind in cell) for cell in cells]
    return all(each in ("refused", None) or n == each for n, each in zip(counts, told, strict=True))


def main() -> None:
    people = 2 if option("rows", "") else int(option("people", "6"))
    tables = [each for each in product(range(people + 1), repeat=len(KINDS)) if sum(each) == people]
    larger = [each for each in product(range(people + 3), repeat=len(KINDS)) if sum(each) <= people + 2]
    title(
        f"Exact answers to {len(ASKED)} questions about each of {len(tables)} tables of {people} people, at "
        f"a threshold of {THRESHOLD}"
    )
    with duckdb.connect() as con:
        sqlanon.register(con)
        told_of = {sizes: transcript(con, sizes) for sizes in tables}
    alike = defaultdict[Told, list[Sizes]](list)
    for sizes, told in told_of.items():
        alike[told].append(sizes)
    denied = sum(None in told or "refused" in told for told in told_of.values())
    print(f"  {denied} of {len(tables)} tables have hidden cells or refusals")
    for what, possible in {
        "by numbers and marks": {told: [each for each in larger if agrees(each, told)] for told in alike},
        "by the rule as well, and the number of people": alike,
    }.items():
        few = known = groups = 0
        for sizes, told in told_of.items():
            for kind, n in enumerate(sizes):
                if 0 < n < THRESHOLD:
                    values = {each[kind] for each in possible[told]}
                    groups += 1
                    few += len(values) < THRESHOLD
                    known += len(values) == 1
        print(
            f"  {what}: of {groups} groups of fewer than {THRESHOLD} people {few} have fewer than "
            f"{THRESHOLD} possible sizes, {known} have one"
        )
