"""A cluster releases the rows of one machine, also if a worker dies meanwhile."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import duckdb
import pytest

import sqlanon
from tests.spark.cluster import TOLD, cluster, ended
from tests.spark.conftest import missing

pytestmark = pytest.mark.slow("a cluster of three processes")

ROWS = 8_000


ROOT = Path(__file__).parents[2]


@pytest.mark.slow("Spark starts jobs")
@pytest.mark.parametrize("dies_in", [None, "round 2"])
def test_the_rows_are_those_of_one_machine(tmp_path: Path, dies_in: str | None) -> None:
    """dies_in: what the job says when a worker and its executor are killed."""
    if reason := missing():
        pytest.skip(reason)
    source, result = tmp_path / "source.parquet", tmp_path / "result.parquet"
    with duckdb.connect() as con, cluster(tmp_path) as running:
        con.execute(f"""
            create table source as
            select (hash(i, 1) % 60)::int as a, (hash(i, 2) % 40)::int as b, 'c' || (hash(i, 3) % 9) as c,
                   (hash(i, 4) % 7)::int as disease, i as id
            from range({ROWS}) as numbers(i)""").fetchall()
        con.sql("from source").write_parquet(str(source))
        command = [sys.executable, "-m", "tests.spark.cluster", running.master, str(source), str(result)]
        said, log = [], tmp_path / "job.log"
        with log.open("wb") as errors:
            job = subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=errors, text=True, start_new_session=True,
                cwd=ROOT, env={**os.environ, "SPARK_LOCAL_IP": "127.0.0.1"},
            )  # fmt: skip
        assert job.stdout is not None
        with ended(job), job.stdout:
            for line in job.stdout:
                said.append(line.strip())
                if said[-1] == dies_in:
                    running.kill_a_worker()
            job.wait()
        errors_told = log.read_text("utf-8", "replace")
        assert job.returncode == 0, errors_told[-3000:]
        assert (dies_in in said and "Lost executor" in errors_told) == (dies_in is not None)
        assert said[-1].startswith("done after")
        expected = sqlanon.mondrian(con, "source", **TOLD)
        made = con.read_parquet(str(result)).fetchall()
        assert Counter(made) == Counter(expected.relation().fetchall())
