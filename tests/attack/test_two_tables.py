"""Figure 1 of Machanavajjhala and Kifer 2015: two tables, and what follows from being in both."""

from __future__ import annotations

import duckdb
import pytest

import sqlanon

FIRST = [("130**", "[25, 30]", s) for s in ("None", "Stroke", "Flu", "Cancer")] + [
    ("902**", "[60, 70]", s) for s in ("Flu", "Stroke", "Flu", "Cancer")
]
SECOND = [("130**", "<40", s) for s in ("Cold", "Stroke", "Rash")] + [
    ("1485*", ">=40", s) for s in ("Cancer", "Flu", "Cancer")
]


@pytest.fixture
def tables(con: duckdb.DuckDBPyConnection) -> duckdb.DuckDBPyConnection:
    for name, rows in (("figure_1a", FIRST), ("figure_1b", SECOND)):
        con.execute(
            f"create or replace table {name} as "
            "select unnest(?) as zip, unnest(?) as age, unnest(?) as disease",
            [list(column) for column in zip(*rows, strict=True)],
        ).fetchall()
    con.execute(
        "create or replace table people as from (values ('Bob', '13012', 27), ('Cleo', '13012', 35), "
        "('Dan', '90210', 65)) as person(name, zip, age)"
    ).fetchall()
    return con


def test_each_table_is_anonymous(tables: duckdb.DuckDBPyConnection) -> None:
    assert sqlanon.violations(tables, "figure_1a", ["zip", "age"], k=4).fetchall() == []
    assert sqlanon.violations(tables, "figure_1b", ["zip", "age"], k=3).fetchall() == []


def test_who_is_27_and_in_both_had_a_stroke(tables: duckdb.DuckDBPyConnection) -> None:
    both = ["figure_1a", "figure_1b"]
    attack = sqlanon.intersection_attack(tables, both, "people", "name", ["zip", "age"], "disease")
    found = attack.project("name, prior, posterior, candidates").order("name").fetchall()
    assert found[0] == ("Bob", 3, 1, ["Stroke"])
    # nobody else is in a class of both
    assert [row[0] for row in found if row[2] == 1] == ["Bob"]
    alone = attack.filter("name = 'Bob'").project("list_transform(located, lambda one: one.anonymity)")
    assert alone.fetchall() == [([4, 3],)]
