"""What a release would give away once another table about the same people comes out: tried out on the raw
rows."""

from __future__ import annotations

from typing import Unpack

import duckdb
from sqlglot import exp

from sqlanon.core.answer import Names
from sqlanon.core.connection import connection_first
from sqlanon.core.errors import InputError
from sqlanon.core.library import ensure_registered
from sqlanon.core.source import Source, fresh_name, named, names
from sqlanon.core.statements import call, count, execute, named_table, select
from sqlanon.core.tables import WorkTables
from sqlanon.macros.anonymize import mondrian
from sqlanon.macros.attack import breaches
from sqlanon.macros.requirements import Requirements

COMMON = 7  # one of so many rows is in both parts: a quarter of each part


@connection_first
def simulated_breaches(
    con: duckdb.DuckDBPyConnection,
    source: Source,
    qi: Names,
    sensitive: Names,
    *,
    hierarchies: Source = None,
    common: int | None = None,
    seed: int = 1,
    **requirements: Unpack[Requirements],
) -> duckdb.DuckDBPyRelation:
    """What two releases would give away, tried out on the raw rows of one before anything is published.

    The rows of source are dealt by lot into two parts that share some, as in the experiments of Ganta,
    Kasiviswanathan and Smith 2008 (sec. 3). Both parts are anonymized by Mondrian under the requirements, and
    the intersection attack is made on those whom they share. So classes are like those of a real pair of
    releases, but of parts that have little more than half of the rows.

    common: how many rows both parts have; left out, a seventh of all, a quarter of each part. seed: of the
    lot. Answer: the rows of breaches. Errors: as those of mondrian and breaches.
    """
    ensure_registered(con)
    known, learned = names(qi, "qi") or [], names(sensitive, "sensitive") or []
    place = fresh_name("place")
    with named(con, source) as name, WorkTables(con) as made:
        dealt = made.make("dealt", call("_in_order_by_lot", name, known, learned, place, seed))
        [(rows,)] = execute(con, count(dealt))
        shared = rows // COMMON if common is None else common
        if not 1 <= shared <= rows:
            raise InputError(f"common must be 1 to {rows}, the rows that there are, not {shared}")
        releases = []
        for part in (1, 2):
            made.make(f"part_{part}", call("_part_of_people", made.name("dealt"), place, shared, part))
            release = mondrian(
                con, made.name(f"part_{part}"), qi=known, sensitive=learned, hierarchies=hierarchies,
                seed=seed, **requirements,
            )  # fmt: skip
            made.discard_later(named_table(release.table))
            releases.append(release.table)
        made.make("shared", select(dealt).where(exp.column(place) <= shared))
        return breaches(
            con, releases, made.name("shared"), id=place, qi=known, sensitive=learned,
            hierarchies=hierarchies, truth=learned,
        )  # fmt: skip
