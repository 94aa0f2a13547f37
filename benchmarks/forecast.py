"""The forecast of a second release: by the model, by simulation, and what the second release then gives away.

The publisher has one of two subsets that share 5000 people, and knows of the other only that it will come.
The model sees the publisher's release, the simulation the publisher's rows.
"""

from __future__ import annotations

import duckdb

import sqlanon
from benchmarks.tables import IPUMS_QI, QI, SENSITIVE, adult, ipums, overlapping
from benchmarks.timing import title
from sqlanon.experiments.ganta2008.data import IPUMS

KS = (5, 10)
MEASURES = {
    "PVP_100": "pvp_100",
    "candidates": "average_posterior",
    "expected": "weighted_guess_expected",
    "right": "weighted_guess_right",
    "alone": "release_guess_expected",
}


def forecasts(
    con: duckdb.DuckDBPyConnection, table: str, qi: list[str], sensitive: str, k: int
) -> dict[str, dict[str, float]]:
    """Who tells -> id of a measure -> value."""
    first, second, targets = overlapping(con, table)
    releases = [sqlanon.mondrian(con, part, qi=qi, sensitive=sensitive, k=k) for part in (first, second)]
    names = [release.table for release in releases]
    answers = {
        "model": sqlanon.expected_breaches(con, names[0], qi, sensitive),
        "simulation": sqlanon.simulated_breaches(con, first, qi, sensitive, k=k),
        "real": sqlanon.breaches(con, names, targets, "id", qi, sensitive, truth=sensitive),
    }
    return {who: dict(rows.select("id", "value").fetchall()) for who, rows in answers.items()}


def show(con: duckdb.DuckDBPyConnection, name: str, table: str, qi: list[str], sensitive: str) -> None:
    title(f"Forecast of a second release of {name}")
    print(f"  {'k':>3} {'':<11}" + "".join(f"{heading:>11}" for heading in MEASURES))
    for k in KS:
        for who, measures in forecasts(con, table, qi, sensitive, k).items():
            values = [f"{measures[name]:.1f}" if name in measures else "" for name in MEASURES.values()]
            print(f"  {k:>3} {who:<11}" + "".join(f"{value:>11}" for value in values), flush=True)


def main() -> None:
    with duckdb.connect() as con:
        sqlanon.register(con)
        show(con, adult(con), "adult", QI, SENSITIVE)
        if ipums(con):
            show(con, "IPUMS", "ipums", IPUMS_QI, next(iter(IPUMS.sensitive)))
        print(
            "\n  PVP_100: % whose value is certain; candidates: values left on average; expected, right: % of"
            "\n  weighted guesses, by the adversary's own account and in truth; alone: of guesses from one."
        )
