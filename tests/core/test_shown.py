"""Messages name nobody: they count, unless values are to be shown."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

import sqlanon
from sqlanon.core.errors import translating
from tests.cli.test_cli import folder, run

__all__ = ["folder"]  # a fixture

NAME = "Ann Secret"


@pytest.fixture
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as con:
        sqlanon.register(con)
        con.execute(
            f"""
            create table people as from (values
                ('{NAME}', 30, 'flu', '{NAME}'), ('{NAME}', 30, 'gout', 'b'), ('Bob', 40, 'flu', 'Bob'),
                ('Bob', 40, 'gout', 'd')) t(name, age, disease, town);
            create table targets as select distinct on (name) * from people order by name, disease;
            create table other_names as select upper(name) as name, age, disease from targets;
            create table towns as from (values ('town', 'b', 0, 'b'), ('town', 'b', 1, '*'))
                t(attribute, value, level, label);
            create table r as from people;
            create table negations as select upper('{NAME}') as name, 'flu' as value;
            create table unheard as select name, upper(name) as value from targets;
            create table priors as select upper(name) as name, 'flu' as value, 1 as share from targets;
            """
        ).fetchall()
        yield con
        sqlanon.show_values(con, False)


ATTACK = "targets := 'targets', id := 'name', qi := 'age', sensitive := 'disease'"
CALLS = [
    "intersection_attack(['r'], targets := 'people', id := 'name', qi := 'age', sensitive := 'disease')",
    f"intersection_attack(['r'], {ATTACK}, negations := 'negations')",
    f"intersection_attack(['r'], {ATTACK}, negations := 'unheard')",
    f"intersection_attack(['r'], {ATTACK}, priors := 'priors', priors_by := 'name')",
    "locate('r', targets := 'targets', id := 'name', qi := 'town', formats := map {'targets.town': 'range'})",
    "mondrian('people', qi := 'town', k := 2, hierarchies := 'towns')",
    "date_hierarchy('people', 'name')",
    "utility('people', 'r', qi := 'age', id := 'name')",
    "utility('targets', 'other_names', qi := 'age', id := 'name')",
    "record_linkage('people', 'r', id := 'name', columns := 'age')",
    "record_linkage('targets', 'other_names', id := 'name', columns := 'age')",
    "m_invariant('people', id := 'name', qi := 'age', sensitive := 'disease', m := 2, seed := 1)",
]  # fmt: skip


@pytest.mark.parametrize("call", CALLS)
def test_errors_of_macros(con: duckdb.DuckDBPyConnection, call: str) -> None:
    """They name nobody; to who may see it, somebody."""
    with pytest.raises(duckdb.InvalidInputException) as hidden:
        con.execute(f"from sqlanon.{call}").fetchall()
    for value in (NAME, NAME.upper(), "Bob", "BOB"):
        assert value not in str(hidden.value)
    con.execute("set variable sqlanon_show_values = true").fetchall()
    with pytest.raises(duckdb.InvalidInputException) as shown:
        con.execute(f"from sqlanon.{call}").fetchall()
    assert any(value in str(shown.value) for value in (NAME, NAME.upper(), "Bob", "BOB"))


FAILING = [
    f"select '{NAME}'::integer", f"select '{NAME}'::date", f"select strptime('{NAME}', '%Y')",
    "select 1234567::tinyint", "select 1234567.5::decimal(3, 1)", "select 9223372036854775807 * 1234567",
    f"select 'it''s {NAME} it''s'::double", f"select cast(name as integer) from (select '{NAME}' as name)",
    f"select '[{NAME}'::integer[]",
]  # fmt: skip


@pytest.mark.parametrize("statement", FAILING)
def test_errors_of_duckdb(con: duckdb.DuckDBPyConnection, statement: str) -> None:
    """Those of conversions quote the value, as does a traceback's cause."""
    for shown in (False, True):
        sqlanon.show_values(con, shown)
        with pytest.raises(sqlanon.SqlanonError) as error, translating("select"):
            con.execute(statement).fetchall()
        assert any(value in str(error.value) for value in ("Secret", "1234567")) == shown
        assert (error.value.__cause__ is not None) == shown


def test_files(con: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    file = tmp_path / "people.csv"
    file.write_text(f'name,age\nBob,1\n"{NAME}\nnee Secret",x1234567\n')
    for statement in (
        f"from read_csv('{file}', types = {{'age': 'integer'}}, auto_detect = false, header = true, "
        "columns = {'name': 'text', 'age': 'integer'})",
        f"from read_csv('{file}', auto_detect = false, header = true, columns = {{'name': 'text'}})",
    ):
        with pytest.raises(sqlanon.SqlanonError) as error, translating("select"):
            con.execute(statement.replace("types = {'age': 'integer'}, ", "")).fetchall()
        assert "Secret" not in str(error.value)
        assert "1234567" not in str(error.value)
        assert "Line" in str(error.value)


@pytest.mark.slow("3 s")
def test_the_command_line(folder: Path) -> None:
    (folder / "twice.csv").write_text(f"name,age,disease,n\n{NAME},30,flu,1\n{NAME},30,gout,1\n")
    # (with --unit the id is that of the row)
    attack = ("attack", "twice.csv", "--targets", "twice.csv", "--id", "name", "--unit", "n", "--qi", "age",
              "--sensitive")  # fmt: skip
    hidden = run(*attack, "disease").stderr
    assert NAME not in hidden
    assert "names 1 of the targets several times, in 2 rows" in hidden
    assert "(values are not shown: sqlanon --show-values ...)" in hidden
    assert f"such as {NAME}" in run("--show-values", *attack, "disease").stderr
    assert NAME not in run(*attack, "disease").stderr
