"""Releases that know each other (composed_l): what two of them give away, and at what loss; with --long also
four releases and seven nights. Beside ours stand the numbers of a first trial in plain Python, with the same
people.
"""

from __future__ import annotations

import sys
from typing import Any

import duckdb

import sqlanon
from benchmarks.tables import IPUMS_QI, LARGE_QI, QI, SENSITIVE, adult, ipums, large, overlapping
from benchmarks.timing import LONG, best, line, title
from sqlanon.experiments.ganta2008 import data

# Data and l (None: k alone) -> of the first trial: certain from the first release; then certain, and GCP, of
# a second one on its own and with composed_l = 2; then the share of those whom a second one on its own leaves
# fewer than 3 values though the first leaves more, and the GCP with composed_l = 3, which leaves none so.
TRIAL: dict[tuple[str, int | None], tuple[float, ...]] = {
    ("adult", 3): (0.0, 0.020, 0.0368, 0.0, 0.0400, 0.201, 0.0850),
    ("adult", None): (0.008, 0.047, 0.0345, 0.008, 0.0415, 0.199, 0.0854),
    ("ipums", 3): (0.0, 0.159, 0.1219, 0.0, 0.1890, 0.543, 0.81),
    ("ipums", None): (0.417, 0.519, 0.0282, 0.417, 0.2601, 0.302, 0.73),
}
ABOUT = {"adult": (QI, SENSITIVE), "ipums": (IPUMS_QI, "occ1950")}
NIGHTS = 7


def release(
    con: duckdb.DuckDBPyConnection, source: str, into: str, table: str, **asked: Any
) -> tuple[float, sqlanon.Release]:
    """Make a release by Mondrian; its GCP, in which suppressed rows are released as nothing."""
    qi, sensitive = ABOUT[table]
    made = sqlanon.mondrian(
        con, source, qi=qi, sensitive=sensitive, k=5, into=into, replace=True, seed=1, **asked
    )
    measures = sqlanon.utility(con, source, into, qi=qi, k=5, queries=1)
    [(gcp,)] = measures.filter("id = 'gcp'").project("value").fetchall()
    return float(gcp), made


def left(con: duckdb.DuckDBPyConnection, releases: list[str], targets: str, table: str, name: str) -> None:
    """How many values releases leave each target: a table of id, n."""
    qi, sensitive = ABOUT[table]
    found = sqlanon.intersection_attack(con, releases, targets, "id", qi, sensitive)
    con.execute(f"create or replace table {name} as select id, posterior as n from found").fetchall()
    del found


def share(con: duckdb.DuckDBPyConnection, condition: str, tables: str) -> float:
    """The share of the targets for whom something holds."""
    [(value,)] = con.execute(f"select count(*) filter ({condition}) / count(*) from {tables}").fetchall()
    return float(value)


def two_releases(con: duckdb.DuckDBPyConnection, table: str, l: int | None) -> None:
    first, second, people = overlapping(con, table)
    release(con, first, "r1", table, l=l)
    left(con, ["r1"], people, table, "alone")
    # per composed_l (None: without it): who is certain, who is left fewer than 3 values, and the loss
    measured = {}
    for composed_l in (None, 2, 3):
        known = {} if composed_l is None else {"known": ["r1"], "composed_l": composed_l}
        gcp, _ = release(con, second, "r2", table, l=l, **known)
        left(con, ["r1", "r2"], people, table, "together")
        fewer = share(con, "together.n < 3 and alone.n >= 3", "alone join together using (id)")
        measured[composed_l] = (share(con, "n = 1", "together"), fewer, gcp)
    model = "k = 5" if l is None else f"k = 5, l = {l}"
    plain, two, three = measured.values()
    theirs = TRIAL[table, l]
    print(f"  {table}, {model}")
    for who, numbers in (
        (
            "ours",
            (share(con, "n = 1", "alone"), plain[0], plain[2], two[0], two[2], plain[1], three[1], three[2]),
        ),
        ("first trial", (*theirs[:6], 0.0, theirs[6])),
    ):
        print(
            "    {:<12} first alone: {:.1%}; second: {:.1%}, GCP {:.4f}; composed_l = 2: {:.1%}, GCP {:.4f}; "
            "composed_l = 3: {:.1%} -> {:.1%}, GCP {:.4f}".format(who, *numbers),
            flush=True,
        )
    relieved(con, table, l, first, second, people)
    if (table, l) == ("adult", 3):
        surest(con, second)


def surest(con: duckdb.DuckDBPyConnection, second: str) -> None:
    """How sure two releases make an adversary of the second one's rows, by the attack's weights; the loss."""
    qi, sensitive = ABOUT["adult"]
    for bound in (None, 0.9, 0.8):
        known = {} if bound is None else {"known": ["r1"], "composed_confidence": bound}
        gcp, _ = release(con, second, "r2", "adult", l=3, **known)
        found = sqlanon.intersection_attack(con, ["r1", "r2"], second, "id", qi, sensitive)
        con.execute("create or replace table sure as select probabilities[1] as p from found").fetchall()
        del found
        print(
            f"    composed_confidence = {bound or 'none'}: GCP {gcp:.4f}; "
            f"at least 90 % sure {share(con, 'p >= 0.9', 'sure'):.2%}, "
            f"80 % {share(con, 'p >= 0.8', 'sure'):.2%}",
            flush=True,
        )


def relieved(
    con: duckdb.DuckDBPyConnection, table: str, l: int | None, first: str, second: str, people: str
) -> None:
    """What composed_l costs less where a few rows are suppressed, or only who was in r1 is protected. Fewer:
    of the common people, whom both releases leave some values, but fewer than composed_l and than r1 alone.
    """
    con.execute(
        f"create or replace view present as select *, id in (select id from {first}) as in_r1 from {second}"
    ).fetchall()
    for composed_l in (2, 3):
        for what, more in (
            ("1 % suppressed", {"suppression_limit": 0.01}),
            ("2 % suppressed", {"suppression_limit": 0.02}),
            ("presence", {"presence": "in_r1"}),
            ("presence, 1 %", {"presence": "in_r1", "suppression_limit": 0.01}),
        ):
            gcp, made = release(con, "present", "r2", table, l=l, known=["r1"], composed_l=composed_l, **more)
            left(con, ["r1", "r2"], people, table, "together")
            fewer = share(
                con,
                f"together.n between 1 and {composed_l} - 1 and alone.n >= {composed_l}",
                "alone join together using (id)",
            )
            print(
                f"    composed_l = {composed_l}, {what:<16} GCP {gcp:.4f}; "
                f"suppressed {made.suppressed_rows}, "
                f"covered by others' classes {made.details.get('exposed_suppressed_rows', 0)}; "
                f"fewer {fewer:.2%}",
                flush=True,
            )


def chain(
    con: duckdb.DuckDBPyConnection, sources: list[str], targets: str, table: str, composed_l: int | None
) -> list[tuple[float, float]]:
    """Releases one after the other, l = 3, that know all before (None: none of them): of each the GCP, and
    who of the targets is certain once it is out.
    """
    names: list[str] = []
    numbers = []
    for i, source in enumerate(sources, 1):
        about = {"known": names, "composed_l": composed_l} if names and composed_l else {}
        gcp, _ = release(con, source, f"release_{i}", table, l=3, **about)
        names = [*names, f"release_{i}"]
        left(con, names, targets, table, "together")
        numbers.append((gcp, share(con, "n = 1", "together")))
    return numbers


def compare(con: duckdb.DuckDBPyConnection, sources: list[str], targets: str, table: str, what: str) -> None:
    """Print chains of releases that do not know each other, and that do."""
    apart = chain(con, sources, targets, table, None)
    together = chain(con, sources, targets, table, 2)
    print(f"  {table:<10} {'apart: certain':>16} {'GCP':>8} {'composed_l = 2: certain':>26} {'GCP':>8}")
    for i, (one, other) in enumerate(zip(apart, together, strict=True), 1):
        (gcp, certain), (composed_gcp, composed) = one, other
        numbers = f"{certain:>16.1%} {gcp:>8.4f} {composed:>26.1%} {composed_gcp:>8.4f}"
        print(f"  {what + ' ' + str(i):<10} {numbers}", flush=True)


def four_releases(con: duckdb.DuckDBPyConnection, table: str) -> None:
    """Four parts of a table that share 5,000 people."""
    con.execute(f"create or replace table people as from {table}").fetchall()
    data.deal(con, 1, 5000, 4)
    compare(con, [f"subset_{i}" for i in range(1, 5)], "common_people", table, "release")


def deals(con: duckdb.DuckDBPyConnection, table: str) -> None:
    """The GCP of the second release with composed_l = 2, where the people are dealt by other lots."""
    con.execute(f"create or replace table people as from {table}").fetchall()
    numbers = []
    for seed in range(1, 9):
        data.deal(con, seed, 5000)
        release(con, "subset_1", "r1", table, l=3)
        gcp, _ = release(con, "subset_2", "r2", table, l=3, known=["r1"], composed_l=2)
        numbers.append(f"{gcp:.4f}")
    print(f"  {table}, composed_l = 2, by eight lots: GCP {', '.join(numbers)}", flush=True)


def nights(con: duckdb.DuckDBPyConnection) -> None:
    """Seven releases of one table, each without a random 5 % of its rows."""
    for night in range(1, NIGHTS + 1):
        con.execute(
            f"create or replace view part_{night} as from adult where hash(id, {night}) % 20 > 0"
        ).fetchall()
    everybody = " and ".join(f"hash(id, {night}) % 20 > 0" for night in range(1, NIGHTS + 1))
    con.execute(f"create or replace view always as from adult where {everybody}").fetchall()
    compare(con, [f"part_{night}" for night in range(1, NIGHTS + 1)], "always", "adult", "night")


def two_known(con: duckdb.DuckDBPyConnection, table: str, qi: list[str]) -> None:
    """Two releases of a table, r1 and r2, each without a random 5 % of the rows."""
    for i in (1, 2):
        con.execute(f"create or replace view part as from {table} where hash(id, {i}) % 20 > 0").fetchall()
        sqlanon.mondrian(con, "part", qi=qi, sensitive=SENSITIVE, k=5, into=f"r{i}", replace=True, seed=1)


def speed(con: duckdb.DuckDBPyConnection, table: str, qi: list[str], known: list[str], runs: int) -> None:
    """Mondrian with and without known releases, each in one statement, and locating the table in these."""

    def run(asked: str) -> float:
        statement = (
            f"create or replace table made as from sqlanon.mondrian('{table}', qi := {qi!r}, "
            f"sensitive := '{SENSITIVE}', k := 5, seed := 1{asked})"
        )
        return best(lambda: con.execute(statement).fetchall(), runs)

    def locate() -> None:
        judged = [SENSITIVE]
        for made, query in {
            "known_row": f"_known_rows({known!r}, {qi!r}, {judged!r})",
            "targets": f"_known_targets({known!r}, '{table}', {qi!r}, []::varchar[])",
            "located": f"_known_located({known!r}, 'targets', 'none', {qi!r}, {judged!r})",
            "known_values": f"_known_values({known!r}, 'known_row', 'located', 'targets', '{table}', "
            f"{judged!r})",
        }.items():
            con.execute(f"create or replace table {made} as from sqlanon.{query}").fetchall()

    con.execute("create or replace table none as from sqlanon._hierarchies(null)").fetchall()
    plain, diverse = run(""), run(", l := 2")
    located = best(locate, runs)
    line("Mondrian, k = 5", plain)
    line("the same, l = 2", diverse, ("k alone", plain))
    line(f"locating in {len(known)} known releases", located)
    whole = run(f", known := {known!r}, composed_l := 2")
    line("k = 5, composed_l = 2", whole, ("k alone and locating", plain + located))


def main() -> None:
    with duckdb.connect() as con:
        sqlanon.register(con)
        con.execute("set enable_progress_bar = false").fetchall()
        print(adult(con))
        has_ipums = ipums(con)
        title("Two releases that share 5,000 people: certain, and loss")
        for table, l in TRIAL:
            if table == "adult" or has_ipums:
                two_releases(con, table, l)
        if LONG in sys.argv:
            title("Four releases that share 5,000 people, k = 5, l = 3")
            four_releases(con, "adult")
            if has_ipums:
                four_releases(con, "ipums")
                deals(con, "ipums")
            title(f"{NIGHTS} nights, k = 5, l = 3, each without a random 5 % of the rows")
            nights(con)
        title("What knowing two releases costs: Adult")
        two_known(con, "adult", QI)
        speed(con, "adult", QI, ["r1", "r2"], 3)
        title("The same: " + large(con))
        two_known(con, "large", LARGE_QI)
        speed(con, "large", LARGE_QI, ["r1", "r2"], 1)
