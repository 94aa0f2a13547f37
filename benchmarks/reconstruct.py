"""Reconstruction: how many rows come back from 1 to 10 exact three-way tables of small blocks of Adult.

Beside what is certain: the rows of one set that agrees, and a guess by marginals. A block is drawn at random.

--blocks=10 --people=30: blocks, and people in each. --picture=FILE.svg: the means as a picture (pip install
'sqlanon[report]').
"""

from __future__ import annotations

import itertools
import random
import time
from pathlib import Path
from typing import Any

import duckdb

import sqlanon
from benchmarks.tables import adult
from benchmarks.timing import option, title

NAMES = ["workclass", "education", "marital_status", "race", "sex"]
THREE = [*itertools.combinations(NAMES, 3)]
SERIES = {"certain": "in every set", "example": "in one set that agrees", "guess": "guess by marginals"}


def block(con: duckdb.DuckDBPyConnection, number: int, people: int) -> list[str]:
    """The relations block and domain, and the tables t1, ..., in a random order; their names."""
    con.execute(
        f"""
        create or replace temp table block as
        select {", ".join(NAMES)} from adult order by hash(rowid, {number}), rowid limit {people}
        """
    ).fetchall()
    con.execute(
        "create or replace temp table domain as from (unpivot (select distinct columns(*) from block) "
        f"on {', '.join(NAMES)} into name attribute value value) select distinct attribute, value"
    ).fetchall()
    order = random.Random(number).sample(THREE, len(THREE))
    for nth, three in enumerate(order, 1):
        con.execute(
            f"""
            create or replace temp table t{nth} as
            select {", ".join(three)}, count(*) as value from block group by all
            """
        ).fetchall()
    return [f"t{nth}" for nth in range(1, len(order) + 1)]


def right(con: duckdb.DuckDBPyConnection, guessed: str, n: str) -> int:
    """How many rows of the block a relation has, each as often as it is there."""
    [(rows,)] = con.execute(
        f"""
        select coalesce(sum(least(own.n, theirs.n)), 0)
        from (select {", ".join(NAMES)}, count(*) as n from block group by all) as own
        join (select {", ".join(NAMES)}, {n} as n from {guessed}) as theirs using ({", ".join(NAMES)})
        """
    ).fetchall()
    return int(rows)


def by_marginals(con: duckdb.DuckDBPyConnection, people: int) -> None:
    """The relation guess: of the combinations that are frequent if columns were independent, each
    as often as expected, rounded by the largest remainders."""
    shares = " cross join ".join(
        f"(select {name}, count(*) / {people} as p{i} from block group by all)"
        for i, name in enumerate(NAMES)
    )
    con.execute(
        f"""
        create or replace temp table guess as
        with expected as (
            select {", ".join(NAMES)}, {people} * {" * ".join(f"p{i}" for i in range(len(NAMES)))} as e
            from {shares}
        ),
        ranked as (
            select *, row_number() over (order by e - floor(e) desc, {", ".join(NAMES)}) as place,
                   sum(floor(e)) over () as sure
            from expected
        )
        select {", ".join(NAMES)}, floor(e) + if(place <= {people} - sure, 1, 0) as n from ranked
        """
    ).fetchall()


def main() -> None:
    blocks, people = int(option("blocks", "10")), int(option("people", "30"))
    found: list[dict[str, Any]] = []
    unfinished, busy = 0, time.process_time()
    with duckdb.connect() as con:
        sqlanon.register_functions(con)
        source = adult(con)
        title(f"{blocks} blocks of {people} people of {source}: rows that 1 to {len(THREE)} tables give back")
        for number in range(blocks):
            tables = block(con, number, people)
            by_marginals(con, people)
            guess = right(con, "guess", "n")
            for out in range(1, len(tables) + 1):
                used = {name for name in NAMES if any(name in columns(con, each) for each in tables[:out])}
                if len(used) < len(NAMES):
                    continue  # rows are not all there before every column is
                con.execute("drop table if exists rows_back").fetchall()
                sqlanon.reconstruct(
                    con, list[Any](tables[:out]), NAMES, "domain", max_sets=1, solver_seconds=10
                ).create("rows_back")
                [(is_unfinished,)] = con.execute("select bool_or(unfinished) from rows_back").fetchall()
                unfinished += is_unfinished
                found.append({
                    "out": out, "certain": right(con, "rows_back", "certain") / people,
                    "example": right(con, "rows_back", "example") / people, "guess": guess / people,
                })  # fmt: skip
    print("  tables     blocks   " + "   ".join(SERIES.values()))
    means = []
    for out in range(1, len(THREE) + 1):
        own = [each for each in found if each["out"] == out]
        if not own:
            continue
        mean = {name: sum(each[name] for each in own) / len(own) for name in SERIES}
        means += [{"tables": out, "rows": mean[name], "what": told} for name, told in SERIES.items()]
        print(f"  {out:>6} {len(own):>10}   " + "   ".join(
            f"{mean[name]:>{len(told)}.1%}" for name, told in SERIES.items()))  # fmt: skip
    print(f"  unfinished {unfinished} of {len(found)}; {time.process_time() - busy:.0f} s of processor time")
    if file := option("picture", ""):
        draw(means, Path(file))


def columns(con: duckdb.DuckDBPyConnection, table: str) -> list[str]:
    """The columns of a table."""
    return con.table(table).columns


def draw(means: list[dict[str, Any]], file: Path) -> None:
    """Tables that are out, and the rows that come back."""
    import altair as alt

    from sqlanon.experiments.ganta2008.charts import SERIES as COLORS
    from sqlanon.pages.vega import chart, specified, svg

    lines = chart(means).mark_line(point=True).encode(
        x=alt.X("tables:Q", title="three-way tables that are out", scale=alt.Scale(domain=[1, len(THREE)])),
        y=alt.Y("rows:Q", title="rows that come back", axis=alt.Axis(format=".0%")),
        color=alt.Color(
            "what:N", title=None, legend=alt.Legend(orient="bottom", columns=3),
            scale=alt.Scale(domain=[*SERIES.values()], range=COLORS[: len(SERIES)]),
        ),
    )  # fmt: skip
    told = "Rows of small blocks that come back, by the number of three-way tables"
    file.write_text(svg(specified(lines, 420, 240, told)))
    print(f"  {file}")
