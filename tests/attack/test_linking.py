"""Linking a register to a release: the governor's example, and the slow version."""

# As texts: Hypothesis keeps evaluated annotations, and DuckDB 2.0 reports its types there as leaks.
from __future__ import annotations

from typing import Any

import duckdb
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import sqlanon
from tests.budget import examples
from tests.oracles import sweeney
from tests.tables import literal

# Made up, with the counts of the governor of Massachusetts: 6 share his birth date, 3 of them are men, and 1
# lives in his ZIP code.
VOTERS = [
    ("Weld", "1945-07-31", "male", "02138"), ("Adams", "1945-07-31", "male", "02139"),
    ("Baker", "1945-07-31", "male", "02141"), ("Clark", "1945-07-31", "female", "02138"),
    ("Davis", "1945-07-31", "female", "02139"), ("Evans", "1945-07-31", "female", "02142"),
    ("Frank", "1951-02-11", "male", "02138"), ("Green", "1962-10-05", "female", "02138"),
]  # fmt: skip


@pytest.fixture
def cambridge(con: duckdb.DuckDBPyConnection) -> duckdb.DuckDBPyConnection:
    con.execute("create table voters (name text, birth date, sex text, zip text, in_data boolean)")
    con.executemany("insert into voters values (?, ?, ?, ?, ?)", [(*v, v[0] != "Green") for v in VOTERS])
    con.execute(
        """create table visits as
        select birth, sex, zip, name as patient, ['flu', 'asthma'][1 + (name = 'Weld')::integer] as diagnosis
        from voters where in_data"""
    ).fetchall()
    return con


@pytest.mark.slow("2.1 s")
def test_the_governor(cambridge: duckdb.DuckDBPyConnection) -> None:
    for qi, candidates in ((["birth"], 6), (["birth", "sex"], 3)):
        narrowed = sqlanon.linking(cambridge, "visits", "voters", "name", qi)
        assert narrowed.filter("name = 'Weld'").fetchall() == [
            ("Weld", "re-identified", 1 / candidates, 1 / 7, None, False, candidates, 1, 0)
        ]
    answer = sqlanon.linking(cambridge, "visits", "voters", "name", ["birth", "sex", "zip"])
    assert answer.filter("name = 'Weld'").fetchall() == [
        ("Weld", "re-identified", 1, 1 / 7, None, False, 1, 1, 1)
    ]
    # Of seven visits each is claimed by one person; Green, who has none, matches nothing.
    assert answer.aggregate("sum(exclusive), sum((candidates = 1)::integer)").fetchall() == [(7, 7)]
    assert answer.filter("name = 'Green'").fetchall() == [("Green", None, None, 1 / 7, None, False, 0, 0, 0)]


def test_what_follows_is_judged(cambridge: duckdb.DuckDBPyConnection) -> None:
    cambridge.execute(
        "create table judged as select *, not in_data as absent, if(name = 'Weld', 'asthma', 'flu') as had, "
        "name as own from voters"
    )
    answer = sqlanon.linking(
        cambridge, "visits", "judged", "name", ["birth", "sex"], ["diagnosis", "patient"],
        truth=["had", "own"], controls="absent",
    )  # fmt: skip
    rows = {(row[0], row[1]): row[2:8] for row in answer.fetchall()}
    assert rows["Weld", "diagnosis"] == ("flu", 2 / 3, 6 / 7, False, False, 3)
    assert rows["Adams", "diagnosis"] == ("flu", 2 / 3, 6 / 7, True, False, 3)
    assert rows["Adams", "patient"] == ("Adams", 1 / 3, 1 / 7, True, False, 3)
    assert rows["Weld", "patient"] == ("Adams", 1 / 3, 1 / 7, False, False, 3)
    assert rows["Green", "patient"] == (None, None, 1 / 7, None, True, 0)
    summary = {row[-1]: row[1] for row in sqlanon.attack_summary(cambridge, answer).fetchall()}
    assert (summary["subjects"], summary["controls"]) == (14, 2)


labels = st.sampled_from(["[1, 2]", "1", "2", "3", ">=2", "*", "{1, 3}", "]0, 2[", None])
raws = st.sampled_from([None, 1, 2, 3])


@settings(examples(25), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(st.tuples(labels, labels, st.sampled_from(["flu", "gout", None])), min_size=1, max_size=8),
    st.lists(st.tuples(raws, raws), min_size=1, max_size=5),
)
def test_against_the_slow_version(
    con: duckdb.DuckDBPyConnection,
    release: list[tuple[str | None, str | None, str | None]],
    targets: list[tuple[int | None, int | None]],
) -> None:
    con.execute("create or replace table r (a text, b text, s text)")
    con.executemany("insert into r values (?, ?, ?)", release)
    con.execute("create or replace table t (id integer, a integer, b integer)")
    con.executemany("insert into t values (?, ?, ?)", [(i, *raw) for i, raw in enumerate(targets)])
    rows = con.execute("from sqlanon.linking('r', 't', 'id', ['a', 'b'], 's') order by id").fetchall()
    wanted = sweeney.linking([((a, b), s) for a, b, s in release], targets)
    assert len(rows) == len(targets)
    for (_, _, learned, confidence, _, _, _, candidates, classes, exclusive), (values, n, alone) in zip(
        rows, wanted, strict=True
    ):
        assert (candidates, classes, exclusive) == (values.total(), n, alone)
        if values:
            assert {None: "NULL"}.get(learned, learned) in {
                "NULL" if value is None else value
                for value in values
                if values[value] == max(values.values())
            }
            assert confidence == pytest.approx(max(values.values()) / values.total())
        else:
            assert (learned, confidence) == (None, None)


@pytest.mark.slow("0.3 s")
def test_hostile_names(con: duckdb.DuckDBPyConnection) -> None:
    con.execute("""create table "it's" as select 1 as "a ""b", 'x' as "select", 7 as "{id}", true as "s;" """)
    answer = con.execute(
        "from sqlanon.linking('it''s', 'it''s', '{id}', ['a \"b'], 'select', truth := 'select', "
        "controls := 's;')"
    )
    assert answer.fetchall() == [(7, "select", "x", 1.0, 1.0, True, True, 1, 1, 1)]


@pytest.mark.slow("0.4 s")
@pytest.mark.parametrize(
    ("change", "arguments", "message"),
    [
        ("", {"qi": ["birth", "town"]}, '"town" not found'),
        ("", {"truth": "sex"}, "there are 0 sensitive columns, and 1 columns in truth"),
        ("", {"sensitive": "illness"}, '"illness" not found'),
        ("", {"controls": "nobody"}, '"nobody" not found'),
        ("delete from voters", {}, "table voters is empty"),
        ("delete from visits", {}, "table visits is empty"),
        ("insert into voters from voters where name = 'Weld'", {}, "names 1 of the targets several times"),
    ],
)
def test_errors(
    cambridge: duckdb.DuckDBPyConnection, change: str, arguments: dict[str, Any], message: str
) -> None:
    if change:
        cambridge.execute(change).fetchall()
    named = {"id": "name", "qi": ["birth", "sex"], **arguments}
    shown = ", ".join(f"{name} := {literal(value)}" for name, value in named.items())
    with pytest.raises(duckdb.Error, match=message):
        cambridge.execute(f"from sqlanon.linking('visits', 'voters', {shown})").fetchall()


@pytest.mark.slow("0.6 s")
def test_what_nobody_can_read_is_told_in_python(con: duckdb.DuckDBPyConnection) -> None:
    con.execute("create table visits as select 'somebody' as age, 'flu' as disease from range(3)").fetchall()
    con.execute("create table people as select 'Ann' as name, 30 as age").fetchall()
    with pytest.warns(sqlanon.UnreadWarning) as told:
        rows = sqlanon.linking(con, "visits", "people", id="name", qi="age").fetchall()
    assert [row[1] for row in rows] == [None]
    messages = [str(warning.message) for warning in told]
    assert any("visits: nobody understands these values of age: somebody" in message for message in messages)
    assert any("none of the targets is located" in message for message in messages)
