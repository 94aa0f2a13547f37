"""How often the weighted guess of the intersection attack is right, and whether it expects so.

Releases are random samples of a table (each person is in each with the same chance), or have a core of people
in common and nobody else. The targets are people who are in all of them. The guesses from the minimum of the
counts, and from the product of the shares (as if all classes were independent samples), are worked out here.
"""

from __future__ import annotations

from dataclasses import dataclass

import duckdb

import sqlanon
from benchmarks.tables import IPUMS_QI, QI, SENSITIVE, adult, ipums
from benchmarks.timing import title

TARGETS = 4000
MEASURES = (
    "guess from one release, right",
    "weighted guess, right",
    "weighted guess, expected right",
)


@dataclass(frozen=True)
class Case:
    """share: of a release's people, who are in each other one. k: of the k-anonymity of the releases."""

    table: str
    people: int
    how: str
    share: float
    n: int
    k: int = 5


CASES = [
    *[Case("adult", 30_162, "sample", share, n) for share, n in
      [(0.95, 2), (0.95, 4), (0.95, 7), (0.7, 4), (0.7, 7), (0.5, 2), (0.5, 4)]],
    *[Case("adult", 30_162, "core", share, n) for share, n in
      [(0.1, 2), (0.1, 4), (0.3, 2), (0.3, 4), (0.3, 7), (0.6, 4), (0.6, 7)]],
    *[Case("ipums", 40_000, "sample", share, n) for share, n in
      [(0.95, 2), (0.95, 7), (0.5, 2), (0.5, 4)]],
    *[Case("ipums", 40_000, "core", share, n) for share, n in [(0.1, 2), (0.3, 4), (0.6, 7)]],
    Case("ipums", 70_187, "core", 0.133, 2, 30),  # the paper's: 5000 of 37,593 are in both
    Case("adult", 30_162, "same", 1.0, 4),
]  # fmt: skip


def deal(con: duckdb.DuckDBPyConnection, case: Case) -> None:
    """The tables part_1, ... of a case, and its targets."""
    con.execute(
        """
        create or replace temp table dealt as
        select *, row_number() over (order by hash(id, 5), id) as place
        from (from people order by hash(id, 3), id limit $people)
        """,
        {"people": case.people},
    ).fetchall()
    [(people,)] = con.execute("select count(*) from dealt").fetchall()
    size = int(people / (case.share + case.n * (1 - case.share)))
    core, rest = round(case.share * size), size - round(case.share * size)
    for j in range(case.n):
        chosen = {
            "sample": f"hash(id, 7, {j}) % 1000 < {1000 * case.share}",
            "core": f"place <= {core} or place between {core + j * rest + 1} and {core + (j + 1) * rest}",
            "same": "true",
        }[case.how]
        con.execute(f"create or replace temp table part_{j} as from dealt where {chosen}").fetchall()
    everywhere = " and ".join(f"id in (select id from part_{j})" for j in range(case.n))
    con.execute(
        f"create or replace temp table targets as from dealt where {everywhere} "
        f"order by hash(id, 9), id limit {TARGETS}"
    ).fetchall()


def anonymize(con: duckdb.DuckDBPyConnection, case: Case, qi: list[str], sensitive: str) -> list[str]:
    """The releases of a case. Of the same people they are cut by attributes in another order each."""
    for j in range(case.n):
        columns = qi[j:] + qi[:j] if case.how == "same" else qi
        con.execute(
            f"create or replace temp table release_{j} as from sqlanon.mondrian('part_{j}', {columns}, "
            f"'{sensitive}', keep := 'id', k := {case.k}, seed := {j + 1})"
        ).fetchall()
    return [f"release_{j}" for j in range(case.n)]


def by_hand(
    con: duckdb.DuckDBPyConnection, releases: list[str], qi: list[str], sensitive: str
) -> list[float]:
    """Of guesses by the minimum of the counts, and by the product: right, expected right, in percent."""
    columns = ", ".join(qi)
    rows = " union all ".join(
        f"select {j} as release, id, dense_rank() over (order by {columns}) as class, {sensitive} as value "
        f"from {release}"
        for j, release in enumerate(releases)
    )
    con.execute(f"create or replace temp table located as {rows}").fetchall()
    [guessed] = con.execute(
        f"""
        with marginal as (
            select value, count(*) / sum(count(*)) over () as q from located group by value
        ),
        counted as (select release, class, value, count(*) as n from located group by all),
        size as (select release, class, sum(n) as size from counted group by all),
        candidate as (
            select target.id, counted.value, target.{sensitive} as truth, min(n) as least,
                   product(n / size) / any_value(q) ** ({len(releases)} - 1) as product
            from targets as target join located on located.id = target.id
            join counted using (release, class) join size using (release, class)
            join marginal on marginal.value = counted.value
            group by target.id, counted.value, truth having count(*) = {len(releases)}
        ),
        best as (
            select id, max(least) / sum(least) as least_share, max(product) / sum(product) as product_share,
                   max(least) as least_most, max(product) as product_most
            from candidate group by id
        ),
        guess as (
            select id, any_value(least_share) as least_share, any_value(product_share) as product_share,
                   count(*) filter (where least = least_most and value = truth)
                   / count(*) filter (where least = least_most) as least_right,
                   count(*) filter (where product >= product_most * (1 - 1e-9) and value = truth)
                   / count(*) filter (where product >= product_most * (1 - 1e-9)) as product_right
            from candidate join best using (id) group by id
        )
        select 100 * avg(least_right), 100 * avg(least_share), 100 * avg(product_right),
               100 * avg(product_share)
        from guess
        """
    ).fetchall()
    return [*guessed]


def row(con: duckdb.DuckDBPyConnection, case: Case, qi: list[str], sensitive: str) -> str:
    deal(con, case)
    releases = anonymize(con, case, qi, sensitive)
    answer = con.execute(
        f"select measure, value from sqlanon.breaches({releases}, 'targets', 'id', {qi}, '{sensitive}', "
        f"truth := '{sensitive}')"
    ).fetchall()
    single, right, expected = (dict(answer)[measure] for measure in MEASURES)
    least, least_expected, product, product_expected = by_hand(con, releases, qi, sensitive)
    return (
        f"| {case.table} k = {case.k} | {case.how} {100 * case.share:.0f} % | {case.n} | {single:.1f} | "
        f"{right:.1f} ({expected:.1f}) | {least:.1f} ({least_expected:.1f}) | "
        f"{product:.1f} ({product_expected:.1f}) |"
    )


def main() -> None:
    with duckdb.connect() as con:
        sqlanon.register(con)
        title(f"Right guesses in percent, and as expected, of {adult(con)}; IPUMS: occ1950")
        print("| data | in common | releases | best release | weighted | minimum of counts | product |")
        print("|---|---|---|---|---|---|---|")
        loaded = {"adult": (QI, SENSITIVE)}
        if ipums(con):
            loaded["ipums"] = (IPUMS_QI, "occ1950")
        for case in CASES:
            if case.table in loaded:
                con.execute(f"create or replace table people as from {case.table}").fetchall()
                print(row(con, case, *loaded[case.table]), flush=True)
