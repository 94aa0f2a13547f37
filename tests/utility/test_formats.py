"""What a release has lost is the same, however its labels are written."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb
import pytest

import sqlanon
from tests.cli.test_cli import folder as folder  # a fixture
from tests.cli.test_cli import ok, refused

ORIGINAL = """
select i as age, ['f', 'm'][i % 2 + 1] as sex, ['flu', 'cold', 'gout'][i % 3 + 1] as disease
from range(20, 60) as t(i)"""
# As this library writes labels, as others do, and with both ends in columns of their own.
OWN = "'[' || age // 10 * 10 || ', ' || (age // 10 * 10 + 9) || ']' as age, '{f, m}' as sex"
OTHERS = "age // 10 * 10 || '-' || (age // 10 * 10 + 9) as age, 'f/m' as sex"
ENDS = "age // 10 * 10 as least, age // 10 * 10 + 9 as most, 'f/m' as sex"
SET = {"sex": "set /"}


@pytest.fixture
def con(con: duckdb.DuckDBPyConnection) -> duckdb.DuckDBPyConnection:
    con.execute(f"create or replace temp table original as {ORIGINAL}")
    for name, columns in (("own", OWN), ("others", OTHERS), ("ends", ENDS)):
        con.execute(f"create or replace temp table {name} as select {columns}, disease from original")
    return con


def test_formats_make_no_difference(con: duckdb.DuckDBPyConnection) -> None:
    about: dict[str, Any] = {"qi": ["age", "sex"], "sensitive": "disease", "k": 5}
    expected = sqlanon.utility(con, "original", "own", **about).fetchall()
    for release, formats in (
        ("others", {"age": "range", **SET}),
        ("ends", {"1.age": "between least and most", "ends.sex": "set /"}),
    ):
        assert sqlanon.utility(con, "original", release, **about, formats=formats).fetchall() == expected


def test_wrong_formats(con: duckdb.DuckDBPyConnection) -> None:
    for formats, message in (
        ({"agee": "range"}, "formats names agee, which is no column in qi"),
        ({"disease": "set /"}, "formats names disease, which is no column in qi"),
        ({"age": "ranges"}, "format ranges of age is none of range"),
    ):
        with pytest.raises(sqlanon.InputError, match=message):
            sqlanon.utility(con, "original", "others", ["age", "sex"], "disease", formats=formats)


def test_the_command_takes_them(folder: Path, con: duckdb.DuckDBPyConnection) -> None:
    for name in ("original", "own", "ends"):
        con.execute(f"copy {name} to '{folder}/{name}.csv'")
    roles = ["--qi", "age,sex", "--sensitive", "disease", "--format", "csv"]
    formats = ["--formats", "age=between least and most", "--formats", "ends.csv.sex=set /"]
    told = ok("utility", "original.csv", "ends.csv", *roles, *formats)
    assert told == ok("utility", "original.csv", "own.csv", *roles)
    message = refused(2, "utility", "original.csv", "ends.csv", *roles, "--formats", "agee=range")
    assert message == "--formats agee: agee is not in --qi; did you mean age?"
