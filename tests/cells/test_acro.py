"""Rules of cells against those of ACRO (PyPI acro), which checks outputs of research environments.

ACRO needs versions of its own, so SQLANON_ACRO may name the Python of an environment that has it."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from typing import Any

import duckdb
import pytest

import sqlanon
from tests.budget import some

PYTHON = os.environ.get("SQLANON_ACRO", sys.executable)
CHECKS = {"MinimumThresholdCheck": "minimum", "NKCheck": "dominance_2", "PPercentCheck": "p"}
# For each table of rows a list of cells, with what ACRO says of them.
SCRIPT = """
import json, logging, sys, warnings
import acro, pandas
warnings.simplefilter("ignore")
logging.disable(logging.CRITICAL)
told = []
for rows in json.load(sys.stdin):
    data = pandas.DataFrame(rows, columns=["a", "b", "m"])
    session = acro.ACRO(suppress=False)
    session.crosstab(data.a, data.b, values=data.m, aggfunc="sum")
    outcome = session.results.get_index(0).outcome
    told.append([[a, b, str(outcome.loc[a, b])] for a in outcome.index for b in outcome.columns])
print("told " + json.dumps(told))
"""


def has_acro() -> bool:
    done = subprocess.run([PYTHON, "-c", "import acro"], capture_output=True, check=False)
    return done.returncode == 0


def rows_of_table(seed: int) -> list[tuple[str, str, float]]:
    """Cells of 0 to 14 contributors; some contribute far more than others."""
    drawn = random.Random(seed)
    return [
        (a, b, round(drawn.lognormvariate(3, drawn.choice([0.3, 1.5])), 3))
        for a in "wxyz"
        for b in "pqr"
        for _ in range(drawn.randint(0, 14))
    ]


def test_flags(tmp_path: Any) -> None:
    """By ACRO's defaults: fewer than 10, the two largest 90 %, besides less than 10 % of the largest."""
    if not has_acro():
        pytest.skip("acro is not installed (SQLANON_ACRO names a Python that has it)")
    tables = [rows_of_table(seed) for seed in some(range(50), 10)]
    done = subprocess.run(
        [PYTHON, "-c", SCRIPT], input=json.dumps(tables), capture_output=True, text=True, check=True,
        cwd=tmp_path,
    )  # fmt: skip
    [answer] = [line for line in done.stdout.splitlines() if line.startswith("told ")]
    flagged = 0
    with duckdb.connect() as con:
        for rows, told in zip(tables, json.loads(answer.removeprefix("told ")), strict=True):
            con.execute(
                "create or replace table own as "
                "select unnest(?::varchar[]) as a, unnest(?::varchar[]) as b, unnest(?::double[]) as m",
                [[*column] for column in zip(*rows, strict=True)],
            ).fetchall()
            made = sqlanon.table_cells(con, "own", ["a", "b"], "m").filter("not is_empty")
            broken = sqlanon.unsafe_cells(con, made, ["a", "b"], 10, dominance=[None, 90], p=10)
            found = {row[:3] for row in broken.fetchall() if "total" not in row[:2]}
            there = {row[:2] for row in rows}
            expected = {
                (a, b, rule)
                for a, b, text in told
                for check, rule in CHECKS.items()
                if check in text and (a, b) in there
            }
            assert found == expected
            flagged += len(found)
    assert flagged
