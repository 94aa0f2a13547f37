"""Who may be in a release: everybody who is, as long as their values stay what they are."""

from __future__ import annotations

from typing import Any

import duckdb
from hypothesis import given
from hypothesis import strategies as st

import sqlanon
from sqlanon.core.statements import call, execute
from tests.budget import examples

ROWS = st.lists(st.tuples(st.integers(0, 5), st.sampled_from("abc"), st.booleans()), min_size=4, max_size=12)
ATTACK: dict[str, Any] = {
    "targets": "everybody", "id": "id", "qi": ["age"], "sensitive": ["disease"], "truth": ["disease"],
}  # fmt: skip


def present(con: duckdb.DuckDBPyConnection) -> set[int]:
    attack = call("intersection_attack", ["release"], **ATTACK)
    con.execute(f"create or replace temp table attacked as {attack.sql('duckdb', normalize_functions=False)}")
    return {id for (id,) in execute(con, call("_possibly_present", "attacked", "id"))}


def test_a_worked_example(con: duckdb.DuckDBPyConnection) -> None:
    """2 is in no class of the release, 3 in one without their value."""
    con.execute(
        """create or replace temp table everybody as from (values (1, 20, 'flu'), (2, 40, 'flu'),
            (3, 21, 'gout'), (4, 21, 'cold')) as t(id, age, disease);
        create or replace temp table release as from (values ('[20, 29]', 'flu'), ('[20, 29]', 'cold'))
            as t(age, disease)"""
    ).fetchall()
    assert present(con) == {1, 4}


@examples(20, quick=3)
@given(rows=ROWS, width=st.integers(1, 4))
def test_whoever_is_there_may_be_there(rows: list[tuple[int, str, bool]], width: int) -> None:
    """Of a release of some of the rows, with intervals of any width."""
    with duckdb.connect() as con:
        sqlanon.register(con)
        con.execute("create table everybody(id int, age int, disease text, is_there boolean)").fetchall()
        for i, row in enumerate(rows):
            con.execute("insert into everybody values (?, ?, ?, ?)", [i, *row]).fetchall()
        con.execute(
            f"""create table release as
            select format('[{{}}, {{}}]', lowest, lowest + {width - 1}) as age, disease
            from (select *, age // {width} * {width} as lowest from everybody where is_there or id = 0)"""
        ).fetchall()
        assert {i for i, row in enumerate(rows) if row[2] or i == 0} <= present(con)
