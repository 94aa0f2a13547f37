"""Statements without macros: the same rows as those with them."""

from __future__ import annotations

import re

import duckdb
import pytest

from sqlanon.core.errors import InputError
from sqlanon.core.plain import plain
from sqlanon.core.reference import TABLES

ROLES = "qi := ['age', 'zip'], sensitive := 'disease'"
ATTACK = f"targets := 'voters', id := 'name', {ROLES}"
CALLS = [
    f"mondrian('people', {ROLES}, k := 3, l := 2)",
    f"background_knowledge('east', {ROLES}, k := 1)",  # a lambda there has a variable that is a column, too
    f"intersection_attack(['east', 'west'], {ATTACK})",
    f"violations('east', {ROLES}, k := 3, l := 4)",
    f"optimal('people', {ROLES}, hierarchies := 'hierarchies', k := 3, suppression_limit := 0.1)",
    f"utility('people', 'east', {ROLES})",
    f"breaches(['east', 'west'], {ATTACK}, truth := 'disease')",
    f"privacy('east', {ROLES})",
    "interval_hierarchy('people', 'age', widths := [5, 10, 20])",
]


@pytest.mark.slow("1 s a case")
@pytest.mark.parametrize("call", CALLS, ids=lambda call: call.partition("(")[0])
def test_the_rows_are_the_same(con: duckdb.DuckDBPyConnection, call: str) -> None:
    con.execute(TABLES.read_text("utf-8")).fetchall()
    statement = f"from sqlanon.{call}"
    text = plain(con, statement)
    assert "sqlanon." not in re.sub(r"'(?:[^']|'')*'", "", text)
    given = con.execute(statement)
    columns, rows = given.description, sorted(map(repr, given.fetchall()))
    con.execute("detach sqlanon").fetchall()
    found = con.execute(text)
    assert (found.description, sorted(map(repr, found.fetchall()))) == (columns, rows)


class TestRefusals:
    def test_what_is_no_query(self, con: duckdb.DuckDBPyConnection) -> None:
        with pytest.raises(InputError, match="only a SELECT can be written without macros"):
            plain(con, "create table t as select 1")

    def test_what_the_macro_refuses(self, con: duckdb.DuckDBPyConnection) -> None:
        with pytest.raises(InputError, match="k must be a whole number"):
            plain(con, "from sqlanon.mondrian('people', qi := 'age', k := 1.5)")


def test_what_is_not_ours_stays(con: duckdb.DuckDBPyConnection) -> None:
    statement = 'select \' from (select 1) where \', "a SELECT b" from range(3) as t("a SELECT b") where true'
    assert con.execute(plain(con, statement)).fetchall() == con.execute(statement).fetchall()
