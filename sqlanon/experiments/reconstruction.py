"""How many rows of small blocks come back from exact three-way tables of counts.

Those that are in every set of rows which agrees, those of one such set, and those of a guess by marginals
(Garfinkel, Abowd and Martindale 2019), for a table `people` with the columns of NAMES.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import duckdb

import sqlanon
from sqlanon.core.statements import create, execute, select, table

NAMES = ("workclass", "education", "marital_status", "race", "sex")
THREE = [*itertools.combinations(NAMES, 3)]
SERIES = {"certain": "in every set", "example": "in one set that agrees", "guess": "guess by marginals"}


BLOCK = """
    create or replace temp table block as
    select workclass, education, marital_status, race, sex
    from people order by hash(rowid, $number), rowid limit $people
"""
DOMAIN = """
    create or replace temp table domain as
    from (unpivot (select distinct columns(*) from block)
          on workclass, education, marital_status, race, sex into name attribute value value)
    select distinct attribute, value
"""
RIGHT = """
    with own as (select columns(*), count(*) as n from block group by all)
    select sum(least(own.n, coalesce(certain, 0))), sum(least(own.n, coalesce(example, 0))),
           sum(least(own.n, coalesce(guess, 0))), (select bool_or(unfinished) from rows_back)
    from own left join rows_back using (workclass, education, marital_status, race, sex)
    left join rows_guessed using (workclass, education, marital_status, race, sex)
"""


def block(con: duckdb.DuckDBPyConnection, number: int, people: int) -> list[str]:
    """The relations block and domain, and the tables t1, ..., in a random order; their names."""
    execute(con, BLOCK, {"number": number, "people": people})
    execute(con, DOMAIN)
    order = random.Random(number).sample(THREE, len(THREE))
    for nth, three in enumerate(order, 1):
        con.execute(f"drop table if exists t{nth}").fetchall()
        counted = select(table("block"), *three, "count(*) as value").group_by(*three)
        execute(con, create(table(f"t{nth}"), counted, temporary=True))
    return [f"t{nth}" for nth in range(1, len(order) + 1)]


def back(con: duckdb.DuckDBPyConnection, tables: Sequence[str], people: int) -> Iterator[dict[str, Any]]:
    """What share of the rows of a block comes back from the first tables: out (how many), certain, example,
    guess, unfinished. Rows are not all there before every column is."""
    for out in range(1, len(tables) + 1):
        used = {name for each in tables[:out] for name in con.table(each).columns}
        if not used.issuperset(NAMES):
            continue
        given = list[Any](tables[:out])
        con.execute("drop table if exists rows_back").fetchall()
        sqlanon.reconstruct(con, given, list(NAMES), "domain", max_sets=1, solver_seconds=10).create(
            "rows_back"
        )
        con.execute("drop table if exists rows_guessed").fetchall()
        sqlanon.guess_by_marginals(con, given, list(NAMES)).create("rows_guessed")
        [(*right, unfinished)] = execute(con, RIGHT)
        shares = {name: int(rows) / people for name, rows in zip(SERIES, right, strict=True)}
        yield {"out": out, **shares, "unfinished": bool(unfinished)}


def means(found: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The mean shares over blocks, by how many tables are out: out, blocks, certain, example, guess."""
    by_number: dict[int, list[Mapping[str, Any]]] = {}
    for each in found:
        by_number.setdefault(each["out"], []).append(each)
    return [
        {
            "out": out,
            "blocks": len(own),
            **{name: sum(each[name] for each in own) / len(own) for name in SERIES},
        }
        for out, own in sorted(by_number.items())
    ]


def picture(of_blocks: Iterable[Mapping[str, Any]]) -> Any:
    """Tables that are out, and the rows that come back, as a chart of Altair. of_blocks: means."""
    import altair as alt

    from sqlanon.experiments.ganta2008.charts import SERIES as COLORS
    from sqlanon.pages.vega import chart

    rows = [
        {"tables": each["out"], "rows": each[name], "what": title}
        for each in of_blocks for name, title in SERIES.items()
    ]  # fmt: skip
    return chart(rows).mark_line(point=True).encode(
        x=alt.X("tables:Q", title="three-way tables that are out", scale=alt.Scale(domain=[1, len(THREE)])),
        y=alt.Y("rows:Q", title="rows that come back", axis=alt.Axis(format=".0%")),
        color=alt.Color(
            "what:N", title=None, legend=alt.Legend(orient="bottom", columns=3),
            scale=alt.Scale(domain=[*SERIES.values()], range=COLORS[: len(SERIES)]),
        ),
    )  # fmt: skip
