"""examples/school_weeks.py: what it tells of who came is so."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import duckdb
import pytest

from tests.cells.regions import solver

SPEC = importlib.util.spec_from_file_location(
    "school_weeks", Path(__file__).parents[2] / "examples" / "school_weeks.py"
)
assert SPEC is not None
assert SPEC.loader is not None
school_weeks = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(school_weeks)


@solver
@pytest.mark.slow("12 tables, 5 s")
def test_who_came(capsys: pytest.CaptureFixture[str]) -> None:
    school_weeks.main(1)
    told = capsys.readouterr().out
    came = re.findall(r"(\d+): grade (\d), sex (\w), support (\w+), there since week (\d)", told)
    assert came
    with duckdb.connect() as con:
        school_weeks.pupils(con, 1)
        for number, grade, sex, support, week in came:
            [(there,)] = con.execute(
                """
                select count(*) from pupils
                where grade = ? and sex = ? and support = ? and since = ?
                """,
                [grade, sex, support, week],
            ).fetchall()
            assert there == int(number)
