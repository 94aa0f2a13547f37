"""Local suppression: seconds and suppressed cells; and the frequencies by which a release is checked."""

from __future__ import annotations

from typing import Any

import duckdb

import sqlanon
from benchmarks.tables import LARGE_QI, QI, adult, large
from benchmarks.timing import best, line, title

SDCMICRO = 15_753  # cells that localSuppression of sdcMicro suppresses on Adult, k = 5, in 149 s


def main() -> None:
    with duckdb.connect() as con:
        sqlanon.register(con)
        title(f"Mu-Argus, k = 5, on {adult(con)}; sdcMicro suppresses {SDCMICRO:,} cells in 149 s")
        more: dict[str, Any]
        for more in ({}, {"wildcards": False}, {"size": 3}, {"size": 2}):
            setting = ", ".join(f"{name} = {value}" for name, value in more.items()) or "all attributes"
            run(con, "adult", QI, setting, more)
        title(f"Mu-Argus, k = 5, on {large(con)}")
        run(con, "large", LARGE_QI, "all attributes", {})
        run(con, "large", LARGE_QI, "size = 3", {"size": 3})

        cells = ", ".join(
            f"if(hash(id, {i}) % 20 = 0, '*', {column}::varchar) as {column}" for i, column in enumerate(QI)
        )
        con.execute(f"create or replace table starred as select {cells}, zip from large").fetchall()
        title(
            "Frequencies of the large table with every twentieth cell of its seven first attributes "
            "suppressed"
        )
        for setting, qi in (("seven attributes", QI), ("eight attributes", LARGE_QI)):
            frequencies = f"select min(frequency) from sqlanon.wildcard_frequencies('starred', {qi})"
            line(setting, best(lambda query=frequencies: con.execute(query).fetchall(), 1))  # type: ignore[misc]


def run(
    con: duckdb.DuckDBPyConnection, table: str, qi: list[str], setting: str, more: dict[str, Any]
) -> None:
    """The statement, and the function, which also checks."""
    release = sqlanon.mu_argus(con, table, qi=qi, k=5, **more)
    cells = sum(release.details["suppressed_cells"].values())
    share = cells / (release.rows * len(qi))
    line(f"{setting}: {cells:,} cells ({share:.1%}), checked", release.seconds)
    arguments = "".join(f", {name} := {value}" for name, value in more.items())
    statement = (
        f"create or replace temp table released as from sqlanon.mu_argus('{table}', {qi}, k := 5{arguments})"
    )
    line(f"{setting}: as one statement", best(lambda: con.execute(statement).fetchall(), 1))
