"""Microaggregation: seconds against MDAV in numpy, what is lost, and who is found at the nearest centroid."""

from __future__ import annotations

from typing import Any

import duckdb
import numpy as np
from numpy.typing import NDArray

import sqlanon
from benchmarks.tables import IPUMS_QI, LARGE_QI, QI, SENSITIVE, adult, ipums, large, overlapping
from benchmarks.timing import best, line, title
from sqlanon.anonymize import mdav
from sqlanon.core import library

K = 5
LOCATED = "about 70 %"  # Ganta, Kasiviswanathan and Smith 2008, sec. 2


def plain_mdav(rows: NDArray[np.float64], k: int) -> int:
    """MDAV on a matrix, without ado: how many groups it makes."""
    groups = 0

    def without_nearest(rows: NDArray[np.float64], distances: NDArray[np.float64]) -> NDArray[np.float64]:
        kept = np.ones(len(rows), dtype=bool)
        kept[np.argpartition(distances, k - 1)[:k]] = False
        return rows[kept]

    def distances(rows: NDArray[np.float64], place: NDArray[np.float64]) -> NDArray[np.float64]:
        difference = rows - place
        return np.asarray(np.einsum("ij,ij->i", difference, difference))

    while len(rows) >= 2 * k:
        first = rows[distances(rows, rows.mean(axis=0)).argmax()]
        rows = without_nearest(rows, distances(rows, first))
        groups += 1
        if len(rows) >= 2 * k:
            other = rows[distances(rows, first).argmax()]
            rows = without_nearest(rows, distances(rows, other))
            groups += 1
    return groups + 1


def kernel(con: duckdb.DuckDBPyConnection, qi: list[str]) -> None:
    """MDAV from coordinates to groups on Adult, every attribute coded as a number: 7 coordinates."""
    codes = ", ".join(f"dense_rank() over (order by {column})::bigint as {column}" for column in qi)
    columns = con.execute(f"select {codes} from adult order by all").fetchnumpy()
    matrix = np.stack([np.asarray(column, dtype=np.float64) for column in columns.values()], axis=1)
    matrix = np.rint((matrix - matrix.mean(axis=0)) / matrix.std(axis=0) * 1e5)

    def ours() -> None:
        points, weights = np.unique(matrix, axis=0, return_counts=True)
        mdav.mdav(mdav.points(list(points.T), [], [], weights), K, lambda rows: None)

    numpy_seconds = best(lambda: plain_mdav(matrix, K), 2)
    line("MDAV in plain numpy: from 7 coordinates to groups", numpy_seconds)
    line("sqlanon: the same", best(ours, 2), ("plain numpy", numpy_seconds))


def run(con: duckdb.DuckDBPyConnection, table: str, qi: list[str], sensitive: str, **more: Any) -> None:
    """Seconds, and SSE / SST."""
    release = sqlanon.microaggregate(con, table, qi=qi, sensitive=sensitive, k=K, **more)
    setting = ", ".join(f"{name} = {value}" for name, value in more.items())
    line(f"{setting}: SSE / SST {release.details['information_loss']:.4f}, checked", release.seconds)


def generalized(con: duckdb.DuckDBPyConnection, table: str, qi: list[str]) -> None:
    """Mondrian and k-Similar: what is lost of the quasi-identifiers (GCP)."""
    for method in (sqlanon.mondrian, sqlanon.k_similar):
        release = method(con, table, qi=qi, k=K)
        measured = sqlanon.utility(con, table, release.table, qi, queries=1).filter("id = 'gcp'")
        [(lost,)] = measured.select("value").fetchall()
        line(f"{method.__name__}: GCP {lost:.4f}, {release.classes:,} classes", release.seconds)


def located(con: duckdb.DuckDBPyConnection, table: str, qi: list[str], sensitive: str) -> None:
    """How many of 5,000 people are in the class of the nearest centroid; what two releases tell of them."""
    *parts, people = overlapping(con, table)
    for part in parts:
        sqlanon.microaggregate(
            con, part, qi=qi, sensitive=sensitive, keep="id", k=K, into=f"released_{part}", replace=True
        )
    release = f"released_{parts[0]}"
    equal = " and ".join(f"r.{column} is not distinct from c.{column}" for column in qi)
    find = (
        "create or replace temp table located as "
        f"from sqlanon.locate('{release}', '{people}', 'id', {qi}, nearest := true)"
    )
    seconds = best(lambda: con.execute(find).fetchall(), 1)
    [(right,)] = con.execute(
        f"select avg((located.class_id = c.class_id)::int) from located join {release} as r using (id)"
        f" join sqlanon.classes('{release}', {qi}) as c on {equal}"
    ).fetchall()
    line(f"5,000 people of {table}: {100 * right:.1f} % located; the paper: {LOCATED}", seconds)
    releases = [f"released_{part}" for part in parts]
    breaches = sqlanon.breaches(con, releases, people, "id", qi, sensitive, nearest=True)
    measured = dict(breaches.select("id, value").fetchall())
    print(
        f"  two releases of {table}: PVP_100 {measured['pvp_100']:.1f} %, PVP_25 {measured['pvp_25']:.1f} %"
    )


def main() -> None:
    with duckdb.connect() as con:
        sqlanon.register(con)
        title(f"Microaggregation, k = {K}, on {adult(con)}")
        kernel(con, QI)
        tables = [("adult", QI, SENSITIVE)]
        if ipums(con):
            tables.append(("ipums", IPUMS_QI, "occ1950"))
        for table, qi, sensitive in tables:
            title(f"Microaggregation, k = {K}, on {table}: what it loses")
            for algorithm in ("mdav", "vmdav", "curve"):
                run(con, table, qi, sensitive, algorithm=algorithm)
            run(con, table, qi, sensitive, l=3)
            generalized(con, table, qi)
            located(con, table, qi, sensitive)
        what = large(con)
        title(f"Blocks, k = {K}: 100,000 rows as one block, and cut")
        con.execute("create or replace table part as from large order by hash(id) limit 100000").fetchall()
        run(con, "part", LARGE_QI, SENSITIVE, algorithm="mdav")
        library.keep_in_memory(con)
        con.execute("create or replace macro sqlanon._one_block_rows() as 0").fetchall()
        run(con, "part", LARGE_QI, SENSITIVE, algorithm="mdav")
        sqlanon.register(con)
        title(f"Microaggregation, k = {K}, on {what}")
        for algorithm in ("mdav", "curve"):
            run(con, "large", QI, SENSITIVE, algorithm=algorithm)
            run(con, "large", LARGE_QI, SENSITIVE, algorithm=algorithm)
