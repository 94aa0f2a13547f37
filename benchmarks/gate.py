"""What a gate costs: seven nights of Adult, each without a random 5 % of its rows, each published if it holds
together with those before.
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

import duckdb

import sqlanon
import sqlanon.policies
from benchmarks.tables import QI, SENSITIVE, adult
from benchmarks.timing import title

NIGHTS = 7
POLICY = f"""
[roles]
qi = {QI!r}
sensitive = ["{SENSITIVE}"]

[method]
name = "mondrian"

[requirements]
k = 5
l = 3

[tolerated.intersection_attack]
sure_90 = 100
[tolerated.homogeneity]
certain = 100
[tolerated.linking]
certain = 100
[tolerated.background_knowledge]
certain = 100
[tolerated.skyline]
certain = 100
[tolerated.exact_cover]
certain = 100
[tolerated.complementary_release]
certain = 100
[tolerated.unsorted_matching]
certain = 100
"""


def main() -> None:
    with duckdb.connect() as con, tempfile.TemporaryDirectory() as folder:
        sqlanon.register(con)
        con.execute("set enable_progress_bar = false").fetchall()
        title(f"{NIGHTS} nights, k = 5, l = 3, without a random 5 % of the rows: {adult(con)}. CPU seconds")
        print(f"  {'':<8} {'anonymized':>12} {'published':>12}")
        place = Path(folder)
        (place / "policy.toml").write_text(POLICY)
        policy = sqlanon.policies.load(place / "policy.toml")
        for night in range(1, NIGHTS + 1):
            con.execute(
                f"create or replace view part as from adult where hash(id, {night}) % 20 > 0"
            ).fetchall()
            begun = time.process_time()
            made = policy.run(con, "part")
            plain = time.process_time() - begun
            con.execute(f"drop table {made.table}").fetchall()
            begun = time.process_time()
            sqlanon.publish(
                con, "part", policy, register=place / "releases.duckdb",
                output=place / f"night_{night}.parquet",
            )  # fmt: skip
            published = time.process_time() - begun
            print(f"  {f'night {night}':<8} {plain:>12.2f} {published:>12.2f}", flush=True)
