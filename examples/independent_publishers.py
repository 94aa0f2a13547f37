"""Two agencies that do not see each other's data: what mixed releases mitigate, and what that costs.

The setting is that of Ganta, Kasiviswanathan and Smith (KDD 2008): both hold 4000 of the same people of a
generated census, and an adversary knows these by their quasi-identifiers, and in which releases they are. Li
et al. (2015, Methods to mitigate risk of composition attack in independent data publications) compare a
generalizing and a randomizing method against that, and have a small share of the records managed and
published centrally, the others locally. Only the abstract was at hand: what is tried here is our reading of
it, and their own methods (cloning among them) may do better.

  plain       each agency releases its table by Mondrian, k-anonymous
  hybrid      the same, and then sensitive values are randomized within each class: a value stays with the
              probability p, else one is drawn from the class (post-randomization, sqlanon.pram)
  overall     likewise, but drawn from the whole release
  central     a share of those whom both hold, drawn by lot, is in neither release, but in a third one, once
  mixed       a central release and two local ones, all of them hybrid

The attack takes randomized values at their word, like an adversary who is not told of it. So the adversary is
often sure and wrong; how often a guess is right is what is left of the truth. What comes out: a class from
which values are drawn loses some of their diversity, so hybrid releases have the adversary sure of more
people, and right about most of these. The guesses that are right get fewer, about as with larger classes, or
with a central release, that distort the table as much. Values drawn from the whole release hide more, and
distort more.

Run it where sqlanon is installed; the figure needs pip install 'sqlanon[report]':

    python examples/independent_publishers.py [figure.svg]
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb

import sqlanon
from sqlanon.experiments import census

QI, SENSITIVE = list(census.QI), census.SENSITIVE
ROLES: dict[str, Any] = {"qi": QI, "sensitive": SENSITIVE}
PEOPLE, SHARED = 20_000, 4_000
SEED = 20  # of what is drawn; a publisher keeps it secret, or gives none


@dataclass(frozen=True)
class Setting:
    """How releases are made. retain: the probability that a value stays. central: the share of those whom
    both hold that is published centrally."""

    kind: str
    k: int
    retain: float = 1.0
    central: float = 0.0


SETTINGS = [
    *(Setting("plain", k) for k in (5, 7, 10, 20, 40)),
    *(Setting("hybrid", 5, retain) for retain in (0.8, 0.5, 0.2)),
    *(Setting("overall", 5, retain) for retain in (0.8, 0.5, 0.2)),
    *(Setting("central", 5, 1.0, central) for central in (0.1, 0.25, 0.5)),
    *(Setting("mixed", 5, retain, central) for retain, central in ((0.8, 0.1), (0.5, 0.25))),
]

# The columns of the table: title, and how a value is printed.
COLUMNS = {
    "release": ("release", "{}"),
    "k": ("k", "{}"),
    "p": ("p", "{:.1f}"),
    "central": ("central", "{:.0%}"),
    "sure": ("90 % sure", "{:.1f} %"),
    "sure_and_right": ("and right", "{:.1f} %"),
    "right": ("guess right", "{:.1f} %"),
    "gcp": ("GCP", "{:.3f}"),
    "distance": ("distance", "{:.2f}"),
}


def publish(con: duckdb.DuckDBPyConnection, setting: Setting) -> list[str]:
    """Make the releases of a setting from the table people; their names."""
    con.execute(
        f"""create or replace table holders as
            select *, id <= {SHARED} and hash(id, {SEED}) % 1000 < {1000 * setting.central} as in_central,
                not in_central and (id <= {SHARED} or id % 2 = 1) as in_first,
                not in_central and (id <= {SHARED} or id % 2 = 0) as in_second
            from people"""
    ).fetchall()
    releases = ["first", "second", *(["central"] if setting.central else [])]
    for number, name in enumerate(releases):
        con.execute(f"create or replace view held as from holders where in_{name}").fetchall()
        sqlanon.mondrian(con, "held", k=setting.k, into=name, replace=True, **ROLES)
        if setting.retain < 1:
            sqlanon.pram(
                con, name, columns=SENSITIVE, keep=QI, strata=None if setting.kind == "overall" else QI,
                retain=setting.retain, seed=SEED + number, into=name, replace=True,
            )  # fmt: skip
    return releases


def breach(con: duckdb.DuckDBPyConnection, releases: Sequence[str]) -> dict[str, float]:
    """What the intersection attack finds of those whom both agencies hold: measures by id."""
    con.execute(f"create or replace view targets as from holders where id <= {SHARED}").fetchall()
    found = sqlanon.breaches(
        con, releases, targets="targets", id="id", truth=SENSITIVE,
        presence=[f"in_{name}" for name in releases], **ROLES,
    )  # fmt: skip
    return dict(found.select("id", "value").fetchall())


def utility(con: duckdb.DuckDBPyConnection, releases: Sequence[str]) -> dict[str, float]:
    """What all releases together have lost against the rows that they are of: measures by id."""
    rows = " union all ".join(f"from {name}" for name in releases)
    held = " union all ".join(f"from holders where in_{name}" for name in releases)
    con.execute(f"create or replace view released as {rows}").fetchall()
    con.execute(f"create or replace view held as {held}").fetchall()
    lost = sqlanon.utility(con, "held", "released", **ROLES)
    return dict(lost.filter("attribute is null").select("id", "value").fetchall())


def row_of(con: duckdb.DuckDBPyConnection, setting: Setting) -> dict[str, Any]:
    """A row of the table: of how many people the adversary is 90 % sure of a value, of how many also right,
    how many guesses are right; the loss of quasi-identifiers (GCP), and how far the distribution of all
    columns is from the true one (city block distance, 0 to 2)."""
    releases = publish(con, setting)
    found, lost = breach(con, releases), utility(con, releases)
    sure = found["sure_90"]
    return {
        "release": setting.kind, "k": setting.k, "p": setting.retain, "central": setting.central,
        "sure": sure, "sure_and_right": sure * (found.get("sure_90_right") or 0) / 100,
        "right": found["weighted_guess_right"], "gcp": lost["gcp"], "distance": lost["city_block_distance"],
    }  # fmt: skip


def printed(row: Mapping[str, Any]) -> str:
    """A line of the table."""
    return "".join(f"{form.format(row[name]):>12}" for name, (_, form) in COLUMNS.items())


def draw(rows: Sequence[Mapping[str, Any]], file: Path) -> None:
    """The figure: breach against utility, a point for each release."""
    import altair as alt
    import vl_convert

    from sqlanon.pages.vega import chart, require_extra, specified

    require_extra()
    points = chart(rows).encode(
        x=alt.X("distance:Q", title="distance from the true distribution", scale=alt.Scale(zero=False)),
        y=alt.Y("right:Q", title="guesses that are right, %", scale=alt.Scale(zero=False)),
        color=alt.Color("release:N", title=None),
    )
    spec = specified(
        points.mark_line() + points.mark_point(filled=True, size=60), 420, 280, "Breach and utility"
    )
    file.write_text(vl_convert.vegalite_to_svg(spec), "utf-8")


def main(figure: Path | None = None) -> None:
    with duckdb.connect() as con:
        sqlanon.register(con)
        census.load(con, seed=1, people=PEOPLE)
        print("".join(f"{title:>12}" for title, _ in COLUMNS.values()))
        rows = []
        for setting in SETTINGS:
            rows.append(row_of(con, setting))
            print(printed(rows[-1]))
    if figure:
        draw(rows, figure)


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:2]))
