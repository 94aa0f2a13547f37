"""Columns that say by themselves who somebody is."""

# As texts: Hypothesis keeps evaluated annotations, and DuckDB 2.0 reports its types there as leaks.
from __future__ import annotations

import csv
import io
from collections import Counter
from pathlib import Path

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

import sqlanon
from sqlanon.cli.app import app
from tests.budget import examples
from tests.judge.test_leaving_columns import NAMING, TEXTS, make
from tests.oracles.leaving import form

Found = dict[tuple[str, str, str], tuple[float | None, bool]]


def found(con: duckdb.DuckDBPyConnection, table: str) -> Found:
    """By column, look and how it was found: matching and identifies."""
    rows = sqlanon.identifiers(con, table).fetchall()
    return {(column, look, by): (matching, bool(is_it)) for column, look, by, matching, _, _, is_it in rows}


@pytest.mark.parametrize("look", NAMING)
def test_each_is_found(con: duckdb.DuckDBPyConnection, look: str) -> None:
    """What nobody may keep is an identifier, by its values or its name."""
    name, values = NAMING[look]
    make(con, "t", **{name: values})
    by = "name" if look == "number" else "values"
    assert found(con, "t")[name, look, by][1]


@examples(25)
@given(data=st.data())
def test_shares(con_of_module: duckdb.DuckDBPyConnection, data: st.DataObject) -> None:
    """All values are looked at: the share of each form, and half of them identify."""
    values = data.draw(st.lists(TEXTS, min_size=1, max_size=12))
    make(con_of_module, "t", c=values)
    distinct = {value for value in values if value is not None}
    forms = Counter(look for value in distinct if (look := form(value)) is not None)
    told = {look: each for (_, look, by), each in found(con_of_module, "t").items() if by == "values"}
    assert {look: matching for look, (matching, _) in told.items()} == {
        look: pytest.approx(n / len(distinct)) for look, n in forms.items()
    }
    for look, (matching, identifies) in told.items():
        if look not in ("address", "free text", "name"):
            most = max(forms.items(), key=lambda each: (each[1], each[0]))[0]
            enough = {each: n for each, n in forms.items() if n * 2 >= len(distinct)}
            assert matching is not None
            assert identifies == (look in enough and (len(enough) == 1 or look == most))


@pytest.fixture(scope="module")
def con_of_module() -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    sqlanon.register(connection)
    return connection


def test_a_table_without_rows(con: duckdb.DuckDBPyConnection) -> None:
    make(con, "t", email=[])
    assert found(con, "t") == {}


def test_rows_that_are_numbered(con: duckdb.DuckDBPyConnection) -> None:
    make(con, "t", c=list(range(7, 40)))
    assert found(con, "t") == {("c", "number", "count"): (1.0, True)}


def test_the_command(tmp_path: Path) -> None:
    file = tmp_path / "members.csv"
    file.write_text("mail,age\n" + "".join(f"m{i}@club.org,{30 + i % 3}\n" for i in range(9)), "utf-8")
    result = CliRunner().invoke(app, ["identifiers", str(file)])
    assert result.exit_code == 0, result.stderr
    [row, *others] = csv.DictReader(io.StringIO(result.stdout))
    assert (row["column"], row["looks_like"], row["matching"]) == ("mail", "e-mail address", "1.0")
    assert {other["column"] for other in others} <= {"mail"}
