"""A table that people leave and come to, in seven nights, released each night: m-invariantly, and by Mondrian
with as many values in every class. What the intersection attack makes of all releases, told who is in which;
and of those that are m-invariant an adversary who even knows everybody's class, and so their signature.
"""

from __future__ import annotations

import warnings

import duckdb

import sqlanon
from benchmarks.tables import QI, SENSITIVE, adult
from benchmarks.timing import title

NIGHTS, SHARE, M = 7, 0.05, 3
TARGETS = 1000
MEASURES = {
    "below m": "",
    "certain": "pvp_100",
    "candidates": "average_posterior",
    "right": "weighted_guess_right",
}


def deal(con: duckdb.DuckDBPyConnection) -> None:
    """The tables night_1, ..., and targets, some of all who are in one, with a column per night."""
    con.execute(
        """
        create or replace temp table dealt as
        select *, row_number() over (order by hash(id, 1), id) / count(*) over () as place from adult
        """
    ).fetchall()
    length = 1 / (1 + (NIGHTS - 1) * SHARE)  # of the window that is in the table, in shares of all
    nights = [
        f"place > {night * SHARE * length} and place <= {(1 + night * SHARE) * length}"
        for night in range(NIGHTS)
    ]
    for number, there in enumerate(nights, 1):
        con.execute(f"create or replace temp table night_{number} as from dealt where {there}").fetchall()
    columns = ", ".join(f"{there} as in_{number}" for number, there in enumerate(nights, 1))
    con.execute(
        f"create or replace temp table targets as select *, {columns} from dealt "
        f"order by hash(id, 2), id limit {TARGETS}"
    ).fetchall()


def main() -> None:
    with duckdb.connect() as con:
        sqlanon.register(con)
        name = adult(con)
        deal(con)
        title(f"Seven nights of {name}: {SHARE:.0%} leave and {SHARE:.0%} come each, m = {M}")
        print("  night   people    added     gone  classes  counterfeits  seconds")
        state, published, cut = None, [], []
        for number in range(1, NIGHTS + 1):
            night = f"night_{number}"
            release = sqlanon.m_invariant(
                con, night, id="id", qi=QI, sensitive=SENSITIVE, m=M, previous=state, seed=number
            )
            state = release.details["state_table"]
            published.append(release.table)
            details = release.details
            print(
                f"  {number:>5} {release.people:>8} {details['added']:>8} {details['gone']:>8} "
                f"{release.classes:>8} {details['counterfeits']:>13} {release.seconds:>8.1f}",
                flush=True,
            )
            cut.append(sqlanon.mondrian(con, night, qi=QI, sensitive=SENSITIVE, k=M, l=M).table)
        print(f"\n  {'releases':<14}" + "".join(f"{heading:>12}" for heading in MEASURES))
        warnings.simplefilter("ignore", sqlanon.UnreadWarning)  # of values that no target has
        presence = [f"in_{number}" for number in range(1, NIGHTS + 1)]
        for name, releases in {"m-invariant": published, "Mondrian, l = m": cut}.items():
            about = (con, releases, "targets", "id", QI, SENSITIVE)
            attack = sqlanon.intersection_attack(*about, presence=presence)
            [(below,)] = attack.aggregate(f"100 * avg((posterior < {M})::integer)").fetchall()
            measures = sqlanon.breaches(*about, truth=SENSITIVE, presence=presence).select("id", "value")
            values = [below, *(dict(measures.fetchall())[id] for id in list(MEASURES.values())[1:])]
            print(f"  {name:<14}" + "".join(f"{value:>12.1f}" for value in values), flush=True)
        known = con.sql(f"select len(signature) as n from targets join {state} using (id)")
        [shares] = known.aggregate(
            f"100 * avg((n < {M})::integer), 100 * avg((n = 1)::integer), avg(n), 100 * avg(1 / n)"
        ).fetchall()
        print("  signatures    " + "".join(f"{value:>12.1f}" for value in shares))
        print(
            "\n  % of people with fewer candidates than m, and with one; candidates on average; % of guesses"
            "\n  that are right."
        )
