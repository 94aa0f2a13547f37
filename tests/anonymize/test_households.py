"""Households: what is theirs leaves alike for all members, and they leave together or not at all."""

# As texts: Hypothesis keeps evaluated annotations, and DuckDB 2.0 reports its types there as leaks.
from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

import sqlanon
from sqlanon.cli import app
from tests.anonymize.test_mondrian import by_class
from tests.budget import examples
from tests.oracles.households import HouseholdMondrian, whole_households
from tests.oracles.mondrian import Infeasible
from tests.oracles.privacy import Requirements
from tests.tables import Column, load, rows

few = examples(25)


@pytest.fixture(scope="module")
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        sqlanon.register(connection)
        connection.execute(
            """create table people as
            select ' H' || (i // 3) || if(i % 2 = 0, '', ' ') as household, i // 3 % 4 as size,
                   i * 7 % 50 as age, i as id
            from range(1, 61) as r(i)"""
        )
        yield connection


@st.composite
def tables(draw: st.DrawFn) -> tuple[list[Column], list[int], dict[str, Any]]:
    """Quasi-identifiers, those of households first; the household of each row; and what is required."""
    households = draw(st.lists(st.integers(0, 8), min_size=1, max_size=30))
    shared = draw(st.integers(1, 2))
    columns = []
    for i in range(shared):
        value = draw(st.lists(st.none() | st.integers(0, 5), min_size=9, max_size=9))
        columns.append(Column(f"h {i}", "INTEGER", [value[household] for household in households]))
    for i in range(draw(st.integers(1, 2))):
        own = st.lists(st.none() | st.integers(0, 9), min_size=len(households), max_size=len(households))
        columns.append(Column(f"q {i}", "INTEGER", draw(own)))
    diseases = st.lists(st.sampled_from("abc"), min_size=len(households), max_size=len(households))
    columns += [Column("s", "VARCHAR", draw(diseases)), Column("household", "INTEGER", households)]
    return columns, [shared], {"k": draw(st.integers(1, 4)), "l": draw(st.none() | st.integers(1, 2))}


class TestMondrian:
    @few
    @given(tables())
    def test_random_tables(self, con: duckdb.DuckDBPyConnection, given: Any) -> None:
        columns, [shared], required = given
        load(con, "t", columns)
        *qi, sensitive, household = columns
        table = [list(each) for each in zip(*(c.values for c in qi), strict=True)]
        oracle = HouseholdMondrian(table, [[each] for each in sensitive.values], Requirements(**required))
        oracle.shared, oracle.least = range(shared), max(required["k"], required["l"] or 1)
        arguments: dict[str, Any] = {
            "qi": [c.name for c in qi], "sensitive": "s", "keep": "id", "household": "household",
            "household_qi": [c.name for c in qi[:shared]], "seed": 1, **required,
        }  # fmt: skip
        try:
            wanted = oracle.released()
        except Infeasible:
            with pytest.raises(duckdb.Error, match="meet the requirements"):
                rows(con, "mondrian", "t", **arguments)
            return
        released = rows(con, "mondrian", "t", **arguments)
        assert by_class(released, len(qi)) == wanted
        alike: dict[Any, set[Any]] = {}
        for row in released:
            alike.setdefault(household.values[row[-1]], set()).add(row[:shared])
        assert all(len(each) == 1 for each in alike.values())

    def test_with_strata_and_people_of_several_rows(self, con: duckdb.DuckDBPyConnection) -> None:
        con.execute(
            "create or replace table visits as "
            "select *, id // 2 as person, ['n', 's'][1 + id // 15 % 2] as region from people"
        )
        arguments: dict[str, Any] = {
            "qi": ["age", "size", "region"], "keep": ["id", "household"], "household": "HOUSEHOLD",
            "household_qi": "size", "strata": "region", "unit": "person", "k": 3, "recoding": "range",
            "seed": 1,
        }  # fmt: skip
        made = sqlanon.mondrian(con, "visits", **arguments)
        released = made.relation(con).fetchall()
        assert released == rows(con, "mondrian", "visits", **arguments)
        assert made.reached["k-anonymity"] >= 3
        assert made.details["households"] == 21
        sizes: dict[str, set[str]] = {}
        for _, size, _, _, household in released:
            sizes.setdefault(household.strip(), set()).add(str(size))
        assert {*map(len, sizes.values())} == {1}


class TestFullDomain:
    @few
    @given(tables())
    def test_random_tables(self, con: duckdb.DuckDBPyConnection, given: Any) -> None:
        columns, [shared], required = given
        load(con, "t", columns)
        *qi, _, household = columns
        levels = [i % 2 for i, _ in enumerate(qi)]
        labels = [
            tuple("*" if level else c.values[i] for c, level in zip(qi, levels, strict=True))
            for i in range(len(household.values))
        ]
        k = required["k"]
        left = whole_households(labels, household.values, k)
        arguments: dict[str, Any] = {
            "qi": [c.name for c in qi], "levels": levels, "keep": "id", "household": "household",
            "household_qi": [c.name for c in qi[:shared]], "suppression_limit": 1, "k": k, "seed": 1,
        }  # fmt: skip
        if not left:
            with pytest.raises(duckdb.Error, match=r"would (be )?suppress|can meet the requirements"):
                rows(con, "generalize", "t", **arguments)
            return
        made = sqlanon.generalize(con, "t", **arguments)
        assert sorted(row[-1] for row in made.relation(con).fetchall()) == left
        sizes = [labels.count(each) for each in labels]
        alone = len(labels) - len(left) - sum(size < k for size in sizes)
        assert made.details.get("rows_with_others", 0) == alone
        assert made.suppressed_rows == len(labels) - len(left)

    def test_too_many_rows(self, con: duckdb.DuckDBPyConnection) -> None:
        """In every household one is alone with his or her age."""
        con.execute(
            "create or replace view apart as select * replace (if(id % 3 = 0, id, 1) as age) from people"
        )
        arguments: dict[str, Any] = {"qi": "age", "levels": [0], "k": 2, "suppression_limit": 0.5}
        assert len(rows(con, "generalize", "apart", **arguments)) == 40
        with pytest.raises(duckdb.Error, match="whole households 58 of 60 rows would be suppressed"):
            rows(con, "generalize", "apart", household="household", **arguments)


def test_a_release_that_went_wrong(con: duckdb.DuckDBPyConnection) -> None:
    """One household whose members differ, one that lacks a member, and both of their values no other has."""
    con.execute(
        "create or replace table wrong as select household, size || if(id = 3, 'x', '') as size, '*' as age "
        "from people where id <> 7"
    )
    found = con.execute(
        "from sqlanon._checked_households('wrong', 'people', ['size', 'age'], 'household', ['size'])"
    ).fetchall()
    assert found == [(21, 1, 1, 4)]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("qi := 'age', household_qi := 'age'", "household_qi needs household"),
        ("qi := ['age', 'size'], household := 'size'", "which is in qi or sensitive"),
        ("qi := 'age', household := 'household', household_qi := 'size'", '"size", which is not in qi'),
        ("qi := 'age', household := 'household', relaxed := true", "does not go with relaxed"),
        (
            "qi := 'age', household := 'household', household_qi := 'age'",
            "20 of 21 households have members with different values of column age",
        ),
        ("qi := 'age', household := 'nobody'", "60 rows have no household"),
    ],
)
def test_errors(con: duckdb.DuckDBPyConnection, call: str, message: str) -> None:
    con.execute("create or replace view known as select *, '' as nobody from people")
    with pytest.raises(duckdb.Error, match=message):
        con.execute(f"from sqlanon.mondrian('known', k := 2, {call})").fetchall()


def test_by_policy(con: duckdb.DuckDBPyConnection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    con.execute("copy people to 'people.csv'")
    roles = 'qi = ["age", "size"]\nkeep = ["id"]\n'
    others = '[requirements]\nk = 3\n[method]\nhousehold_qi = ["size"]\n[direct]\nid = "a number of ours"\n'
    Path("policy.toml").write_text(f'[roles]\n{roles}household = "household"\n{others}', "utf-8")
    command = ["anonymize", "people.csv", "--policy", "policy.toml"]
    result = CliRunner().invoke(app.app, [*command, "--output", "release.csv"])
    assert result.exit_code == 0, result.output
    assert "households: 21" in result.output
    assert con.execute("from 'release.csv' limit 1").description[0][0] == "age"
    assert con.execute("select count(*) from 'release.csv'").fetchall() == [(60,)]
    Path("policy.toml").write_text(f"[roles]\n{roles}{others}", "utf-8")
    refused = CliRunner().invoke(app.app, command)
    assert refused.exit_code != 0
