"""A report on two releases of a million rows and 100,000 targets: wall time and processor time."""

from __future__ import annotations

import resource
import time
from collections.abc import Callable
from typing import Any

import duckdb

import sqlanon
from benchmarks.tables import LARGE_QI, SENSITIVE, adult, large
from benchmarks.timing import line, title

TARGETS = 100_000


def measured(what: str, work: Callable[[], Any]) -> None:
    """One run, and what of it the processors were busy with."""
    before, start = resource.getrusage(resource.RUSAGE_SELF), time.perf_counter()
    work()
    line(what, time.perf_counter() - start)
    after = resource.getrusage(resource.RUSAGE_SELF)
    line("  processor time", after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def main() -> None:
    with duckdb.connect() as con:
        sqlanon.register(con)
        adult(con)
        name = large(con)
        # The same people twice, cut by attributes in another order: two releases that differ as two
        # publishers' do.
        for number, qi in enumerate((LARGE_QI, LARGE_QI[::-1]), 1):
            con.execute(
                f"create table release_{number} as from sqlanon.mondrian('large', {qi}, '{SENSITIVE}', k "
                ":= 10)"
            ).fetchall()
        con.execute(f"create table targets as from large order by hash(id) limit {TARGETS}").fetchall()
        title(f"Report on two releases (k = 10) of {name}, {TARGETS:,} targets")
        attacked = {"targets": "targets", "id": "id", "truth": SENSITIVE, "k": 10}
        releases = ["release_1", "release_2"]
        alone = {**attacked, "attacks": "none"}
        measured(
            "requirements, sizes, risk and the attack",
            lambda: sqlanon.report(con, releases, LARGE_QI, SENSITIVE, **alone),  # type: ignore[call-overload]
        )
        measured(
            "the same, and the other attacks that are made unasked",
            lambda: sqlanon.report(con, releases, LARGE_QI, SENSITIVE, **attacked),  # type: ignore[call-overload]
        )
        measured(
            "the first, and utility of both",
            lambda: sqlanon.report(  # type: ignore[call-overload]
                con,
                releases,
                LARGE_QI,
                SENSITIVE,
                original="large",
                **alone,
            ),
        )
