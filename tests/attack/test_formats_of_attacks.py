"""Releases that are written as others write them: with their formats, an attack says what it says of ours."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import duckdb
import pytest

import sqlanon
from tests.tables import literal

QI = ["age", "zip"]
GROWING = {"qi": QI, "sensitive": "disease"}
# Attack -> what it is asked of the releases; linking is asked of one.
QUESTIONS: dict[str, dict[str, Any]] = {
    "correspondence": GROWING,
    "insert_only": GROWING,
    "complementary_release": {"qi": QI, "join_columns": "disease", "truth": "id"},
    "unsorted_matching": {"qi": QI, "truth": "id"},
    "linking": {"targets": "people", "id": "name", **GROWING},
}
FORMATS = {"1.age": "between age_min and age_max", "theirs_2.age": "range", "zip": "mask x"}


@pytest.fixture(scope="module")
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        sqlanon.register(connection)
        connection.execute(
            """
            create table ours_1 as from (values
                (1, '[20, 29]', '130**', 'flu'), (2, '[20, 29]', '130**', 'cold'),
                (3, '[30, 39]', '148**', 'flu')
            ) as row(id, age, zip, disease);
            create table ours_2 as from (values
                (1, '[20, 24]', '1305*', 'flu'), (2, '[25, 34]', '130**', 'cold'),
                (3, '[35, 39]', '14***', 'flu')
            ) as row(id, age, zip, disease);
            create table theirs_1 as
            select id, age[2:3]::integer as age_min, age[6:7]::integer as age_max,
                   replace(zip, '*', 'x') as zip, disease
            from ours_1;
            create table theirs_2 as
            select * replace (replace(age[2:7], ', ', '..') as age, replace(zip, '*', 'x') as zip)
            from ours_2;
            create table people as
            from (values ('Ann', 22, '13053'), ('Bob', 38, '14850')) as row(name, age, zip)
            """
        ).fetchall()
        yield connection


@pytest.mark.parametrize("macro", QUESTIONS)
def test_the_same_as_of_our_own(con: duckdb.DuckDBPyConnection, macro: str) -> None:
    named = "".join(f", {name} := {literal(value)}" for name, value in QUESTIONS[macro].items())
    is_one = macro == "linking"

    def ask(whose: str, more: str = "") -> list[Any]:
        releases = f"{whose}_1" if is_one else [f"{whose}_1", f"{whose}_2"]
        columns = "* exclude (age, zip)" if macro == "complementary_release" else "*"
        query = f"select {columns} from sqlanon.{macro}({literal(releases)}{named}{more})"
        return sorted(con.execute(query).fetchall(), key=str)

    given = {key: text for key, text in FORMATS.items() if not (is_one and "theirs" in key)}
    formats = ", ".join(f"{literal(key)}: {literal(text)}" for key, text in given.items())
    wanted = ask("ours")
    assert len(wanted) > 1
    assert ask("theirs", f", formats := map {{{formats}}}") == wanted


@pytest.mark.parametrize("macro", QUESTIONS)
def test_a_format_that_there_is_not(con: duckdb.DuckDBPyConnection, macro: str) -> None:
    arguments = {**QUESTIONS[macro], "formats": {"age": "ranges"}}
    releases: Any = "ours_1" if macro == "linking" else ["ours_1", "ours_2"]
    with pytest.raises(sqlanon.InputError, match="format ranges of age is none of range"):
        getattr(sqlanon, macro)(con, releases, **arguments)
