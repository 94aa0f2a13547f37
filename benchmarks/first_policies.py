"""What a release costs under the policy that `sqlanon init` drafts, confirmed as it is: five tables.

GCP is 0 where nothing is lost, and 1 where everything is.
"""

from __future__ import annotations

import csv
import io
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

import duckdb

from benchmarks import tables

METHODS = ("mondrian", "optimal")

# Tables of made-up people. of(seed, n) is a number below n, which depends on the row or on whose row it is.
MADE = {
    "hospital stays": """
        select i as stay_id, 'P' || of(i // 2, 0, 6000) as patient_id,
               date '1930-01-01' + of(i // 2, 1, 33000) as birth_date,
               ['f', 'm'][1 + of(i // 2, 2, 2)] as sex, (80000 + 17 * of(i // 2, 3, 60))::varchar as zip,
               date '2025-01-01' + of(i, 4, 365) as admitted, 1 + of(i, 5, 6) * of(i, 6, 9) as nights,
               ['I21.4', 'J18.9', 'E11.9', 'C34.1', 'F32.2', 'K35.8', 'S72.0', 'N39.0', 'I50.1', 'B20']
                   [1 + of(i, 7, 100) * of(i, 8, 100) // 1000] as diagnosis_code
        from range(12000) as t(i)""",
    "mobility": """
        select 'u' || of(i, 1, 3000) as user_id, date '2026-03-01' + of(i, 2, 28) as day,
               of(i, 3, 12) + of(i, 4, 12) as hour, 'S' || of(i, 5, 40) as from_station,
               'S' || of(i, 6, 40) as to_station,
               ['bus', 'tram', 'metro', 'bike', '?'][1 + of(i, 7, 100) // 24] as mode,
               (3 + of(i, 8, 400) / 10)::decimal(4, 1) as minutes
        from range(15000) as t(i)""",
    "payroll": """
        select 1000 + i as employee_no, 'name ' || i as name, 1960 + of(i, 1, 45) as birth_year,
               ['woman', 'man', 'other', 'n/a'][1 + of(i, 2, 100) // 33] as gender,
               ['sales', 'production', 'research', 'finance', 'legal', 'board']
                   [1 + of(i, 3, 100) * of(i, 4, 100) // 1800] as department,
               ['Berlin', 'Bern', 'Lyon', 'Turin'][1 + of(i, 5, 100) // 28] as city,
               date '1990-01-01' + of(i, 6, 12700) as hired,
               (28000 + of(i, 7, 300) * of(i, 8, 300) * 1.37)::decimal(9, 2) as salary
        from range(5000) as t(i)""",
}
OF = "create or replace macro of(whose, seed, n) as (hash(whose, seed) % n)::integer"


def sqlanon(folder: Path, *arguments: str) -> str:
    """What a command prints; its remarks, if it prints nothing."""
    command = [sys.executable, "-m", "sqlanon", *arguments]
    done = subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True)
    return done.stdout or done.stderr


def released(folder: Path, method: str) -> tuple[str, float]:
    """The columns of the draft by role, and the share of what is lost under it."""
    text = sqlanon(folder, "init", "people.parquet", "--method", method)
    (folder / "policy.toml").write_text(text.replace("confirmed = false", "confirmed = true"), "utf-8")
    sqlanon(folder, "anonymize", "people.parquet", "--policy", "policy.toml", "-o", "out.parquet", "--force")
    measured = sqlanon(
        folder, "utility", "people.parquet", "out.parquet", "--policy", "policy.toml", "--format", "csv"
    )
    roles = tomllib.loads(text)["roles"]
    losses = {row["id"]: float(row["value"]) for row in csv.DictReader(io.StringIO(measured)) if row["value"]}
    return f"{', '.join(roles['qi'])} | {', '.join(roles['sensitive'])}", losses["gcp"]


def main() -> None:
    print("\nFirst policies, confirmed as they are: the loss (GCP) of a release")
    with duckdb.connect() as con, tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        shapes = {"adult": "from adult", "ipums": "from ipums", **MADE}
        con.execute(OF).fetchall()
        tables.adult(con)
        if not tables.ipums(con):
            del shapes["ipums"]
        for shape, query in shapes.items():
            con.execute(f"copy ({query}) to '{folder / 'people.parquet'}'").fetchall()
            for method in METHODS:
                roles, loss = released(folder, method)
                print(f"  {shape if method == METHODS[0] else '':<16}{method:<10}{loss:8.3f}   {roles}")
