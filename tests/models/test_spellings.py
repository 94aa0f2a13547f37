"""Spellings of a value are one value, spellings of a unit one person, and what is missing adds no value."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Sequence
from typing import Any

import duckdb
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import sqlanon
from tests.budget import examples
from tests.oracles import privacy, spellings, units
from tests.tables import literal

few = settings(examples(20, quick=4), suppress_health_check=[HealthCheck.function_scoped_fixture])

# Each list is one value to whoever reads it.
VALUES = [
    ["flu", "flu ", "Flu", "FLU", "\u00a0flu"],
    ["Ménière", unicodedata.normalize("NFD", "Ménière"), "meniere"],
    ["Röteln", "Roeteln"],
    ["type 2", "type  2", "Type\u20092"],
    ["non-viral", "non\u2013viral"],
    ["gout"],
    [None, "", " ", "\u3000"],
]
PEOPLE = [["P1", "P1 ", "p1"], ["Ann", "ann"], ["Bob"], [None, ""]]


def spelled(families: Sequence[Any]) -> st.SearchStrategy[Any]:
    return st.sampled_from(families).flatmap(st.sampled_from)


ROWS = st.lists(st.tuples(st.sampled_from("ab"), spelled(VALUES), spelled(PEOPLE)), min_size=1, max_size=9)


def load(con: duckdb.DuckDBPyConnection, rows: list[tuple[Any, ...]]) -> None:
    con.execute("create or replace temp table t (q text, ill text, who text)").fetchall()
    con.executemany("insert into t values (?, ?, ?)", rows)


def reached(con: duckdb.DuckDBPyConnection, more: str = "") -> dict[str, float]:
    title = "replace(model, '(c, 2)', '(c, l)')"
    asked = f"select {title}, reached from sqlanon.privacy('t', qi := 'q', sensitive := 'ill'{more})"
    return dict(con.execute(f"{asked} where id <> 't_ordered'").fetchall())  # texts have no order


@given(rows=ROWS)
@few
def test_models_read_values_as_people_do(con: duckdb.DuckDBPyConnection, rows: list[Any]) -> None:
    load(con, rows)
    wanted = privacy.reached(privacy.classes(rows, [0], 1))
    del wanted["t-closeness (ordered)"]
    assert reached(con) == {name: pytest.approx(value) for name, value in wanted.items()}


@given(rows=ROWS)
@few
def test_models_read_people_as_people_do(con: duckdb.DuckDBPyConnection, rows: list[Any]) -> None:
    load(con, rows)
    flat = [model for model in privacy.MODELS if "hierarchical" not in model and "ordered" not in model]
    wanted = units.reached(units.classes(rows, [0], 2, 1), flat)
    assert reached(con, ", unit := 'who'") == {name: pytest.approx(value) for name, value in wanted.items()}
    counted = con.execute("select people from sqlanon.classes('t', 'q', unit := 'who') order by q").fetchall()
    of_class = [{spellings.folded(who) for q, _, who in rows if q == each} for each in "ab"]
    assert counted == [(len(people),) for people in of_class if people]


@given(rows=ROWS)
@few
def test_attacks_count_as_models_do(con: duckdb.DuckDBPyConnection, rows: list[Any]) -> None:
    load(con, rows)
    classes = privacy.classes(rows, [0], 1).values()
    counted = [spellings.without_missing(spellings.read_as(spellings.folded, each)) for each in classes]
    found = con.execute(
        "select confidence, distinct_values from sqlanon.homogeneity('t', qi := 'q', sensitive := 'ill')"
    ).fetchall()
    wanted = sorted((max(each.values()) / each.total(), len(each)) for each in counted)
    assert sorted(found) == [(pytest.approx(share), n) for share, n in wanted]


def privacy_of(con: duckdb.DuckDBPyConnection, values: list[Any], more: str = "") -> dict[str, float]:
    load(con, [("a", value, None) for value in values])
    return reached(con, more)


@pytest.mark.slow("2 s")
def test_a_missing_value_stays_in_every_denominator(con: duckdb.DuckDBPyConnection) -> None:
    values = ["flu", "gout", *[None, "", " "] * 3]
    measured = privacy_of(con, values)
    assert measured["distinct l-diversity"] == 2
    assert measured["(alpha, k)-anonymity"] == pytest.approx(10 / 11)
    assert measured["entropy l-diversity"] < 1.4
    counted = privacy_of(con, values, ", missing_counts := true")
    assert counted["distinct l-diversity"] == 3
    assert counted["(alpha, k)-anonymity"] == pytest.approx(9 / 11)


@pytest.mark.slow("2 s")
def test_distinct_spellings_are_values_of_their_own(con: duckdb.DuckDBPyConnection) -> None:
    values = ["a", "A", "A ", None, ""]
    assert privacy_of(con, values)["distinct l-diversity"] == 1
    assert privacy_of(con, values, ", distinct_spellings := 'ILL'")["distinct l-diversity"] == 3


def test_the_worse_reading_counts_where_a_class_is_compared_with_the_table(
    con: duckdb.DuckDBPyConnection,
) -> None:
    load(con, [("a", "A", None), ("a", "A", None), ("b", "a", None), ("b", "a", None)])
    assert reached(con)["t-closeness (equal)"] == 0.5


@pytest.mark.parametrize(
    ("type_", "values", "distinct"),
    [
        ("integer", ["1", "-1", "2"], 3),
        ("double", ["1", "1.5", "-1"], 3),
        ("date", ["2020-01-01", "2020-01-02"], 2),
        ("enum ('flu', 'Flu', 'gout')", ["flu", "Flu", "gout"], 2),
        ("text[]", ["['flu', gout]", "[Flu, 'gout ']", "['gout']"], 2),
        ("blob", ["a", "A"], 2),
    ],
)
def test_texts_alone_have_spellings(
    con: duckdb.DuckDBPyConnection, type_: str, values: list[str], distinct: int
) -> None:
    con.execute(
        f"create or replace temp table t as select 'a' as q, unnest({literal(values)})::{type_} as ill"
    ).fetchall()
    assert reached(con)["distinct l-diversity"] == distinct


def test_a_release_is_enforced_and_verified_by_the_same_reading(con: duckdb.DuckDBPyConnection) -> None:
    con.execute(
        "create or replace temp table t as "
        "select range as q, (['flu', 'flu ', 'Flu', 'gout'])[range % 4 + 1] as ill from range(16)"
    ).fetchall()
    con.execute(
        "create or replace temp table r as "
        "from sqlanon.mondrian('t', qi := 'q', sensitive := 'ill', k := 2, l := 2)"
    ).fetchall()
    classes = Counter[Any]()
    for q, ill in con.execute("from r").fetchall():
        classes[q, spellings.folded(ill)] += 1
    assert all(sum(1 for key in classes if key[0] == q) == 2 for q, _ in classes)
    assert con.execute("from sqlanon.violations('r', qi := 'q', sensitive := 'ill', l := 2)").fetchall() == []


def test_spellings_are_listed(con: duckdb.DuckDBPyConnection) -> None:
    load(
        con, [("a", "flu ", "P1"), ("a", "flu", "p1"), ("b", "flu", "P2"), ("b", None, None), ("b", "", "P3")]
    )
    found = con.execute("from sqlanon.spellings('t', columns := ['ill', 'who'])").fetchall()
    assert found == [
        ("ill", "flu", ["flu", "flu "], 3), ("ill", None, ["", None], 2), ("who", "p1", ["P1", "p1"], 2)
    ]  # fmt: skip
    every = con.execute("from sqlanon.spellings('t')").fetchall()
    assert every == [row for row in found if row[1] is not None]


def test_one_spelling_is_left(con: duckdb.DuckDBPyConnection) -> None:
    load(con, [("a", "flu ", "1"), ("b", "flu", "2"), ("b", "Flu", "3"), ("b", "flu", "4"), ("b", " ", "5")])
    folded = con.execute("select ill from sqlanon._with_one_spelling('t', ['ill']) order by who").fetchall()
    assert folded == [("flu",)] * 4 + [(None,)]
    trimmed = con.execute("select ill from sqlanon._with_trimmed('t', ['ill']) order by who").fetchall()
    assert trimmed == [("flu",), ("flu",), ("Flu",), ("flu",), ("",)]


# Statements that say the same of {visits} whether or not people are written in one way.
COUNTING = {
    "classes": "select ward, people from sqlanon.classes({visits}, 'ward', unit := 'who')",
    "risk": "from sqlanon.risk({visits}, 'ward', unit := 'who')",
    "record_risk": "select people, prosecutor_risk from sqlanon.record_risk({visits}, 'ward', unit := 'who')",
    "violations": "from sqlanon.violations({visits}, 'ward', 'ill', k := 9, unit := 'who')",
    "people_in_classes": "from sqlanon.people_in_classes('released', {visits}, ['ward'], 'who')",
    "table_cells": "from sqlanon.table_cells({visits}, ['ward', 'ill'], unit := 'who')",
    "cell_keys": "select _sqlanon_record_key from sqlanon._with_record_keys({visits}, 'ward', 'who', 'md5')",
    "unicity": "from sqlanon.unicity({visits}, 'who', ['ward', 'ill'], points := [1, 2])",
    "trails": "select learned, confidence from sqlanon.trails({visits}, {visits}, 'who', 'who', 'ward')",
    "dp_counts": "select g1, n, row_count from sqlanon._contributions({visits}, 'ward', 'who', null, 9, "
    "'count(*) as row_count', '')",
}


@pytest.mark.parametrize("macro", COUNTING)
def test_spellings_of_somebody_are_one_person(con: duckdb.DuckDBPyConnection, macro: str) -> None:
    """Also where no model is measured: in tables, answers with noise and whatever attacks rows of people."""
    con.execute(
        "create or replace temp table plain as "
        "select 'person ' || i // 3 as who, 'ward ' || i * 7 % 4 as ward, 'ill ' || i % 5 as ill "
        "from range(30) as row(i)"
    )
    con.execute("create or replace temp table released as select ward, ill from plain")
    con.execute(
        "create or replace temp table spelled as select * replace (case hash(ward || ill) % 4 "
        "when 0 then who || ' ' when 1 then upper(who) when 2 then replace(who, ' ', '  ') else who end "
        "as who) from plain"
    )
    plain, written = (
        Counter(map(str, con.execute(COUNTING[macro].format(visits=f"'{name}'")).fetchall()))
        for name in ("plain", "spelled")
    )
    assert plain == written
    assert plain


def test_a_sentence_about_people_counts_spellings_as_one(con: duckdb.DuckDBPyConnection) -> None:
    load(con, [("a", "flu", name) for name in ("P1", "p1 ", "P2")] + [("b", "hiv", "P3"), ("b", "hiv", "p3")])
    release = sqlanon.mondrian(con, "t", qi="q", unit="who", k=3, into="made")
    assert "5 rows of 3 people" in str(release)
    exact = sqlanon.mondrian(con, "t", qi="q", unit="who", k=3, distinct_spellings="who", into="exact")
    assert "5 rows of 5 people" in str(exact)
    several = "from sqlanon._people_in_several('t', 'who', ['ill'])"
    assert con.execute(several).fetchall() == [(0,)]
    con.execute("insert into t values ('b', 'gout', 'p1')").fetchall()
    assert con.execute(several).fetchall() == [(1,)]


@pytest.mark.slow("1 s")
def test_m_invariance_is_of_people_and_values_as_read(con: duckdb.DuckDBPyConnection) -> None:
    """Somebody whom the state spells otherwise is no newcomer; somebody twice, and a value in two spellings,
    are errors."""
    con.execute(
        "create or replace temp table people as select 'p' || i as who, i % 9 as age, "
        "case i % 3 when 0 then 'flu' when 1 then 'gout' else 'hiv' end as ill from range(12) as row(i)"
    )
    con.execute(
        "create or replace temp table state as "
        "select who || ' ' as who, ['flu', 'gout', 'hiv'] as signature from people where age < 6"
    )
    asked = "from sqlanon.{}(people, 'who', 'age', 'ill', m := 3, seed := 1, previous := 'state')"
    after = con.execute(asked.format("m_invariant_state").replace("people", "'people'", 1)).fetchall()
    assert sorted(who for who, _ in after) == sorted(f"p{i}" for i in range(12))
    twice = asked.format("m_invariant").replace("people", "'twice'", 1)
    con.execute("create or replace temp table twice as from people union all from (values ('P1 ', 3, 'flu'))")
    with pytest.raises(duckdb.Error, match="names 1 of the people several times"):
        con.execute(twice).fetchall()
    con.execute(
        "create or replace temp table twice as "
        "select * replace (if(who = 'p0', 'Flu', ill) as ill) from people"
    )
    with pytest.raises(duckdb.Error, match='1 values in several spellings, such as "Flu" and "flu"'):
        con.execute(twice).fetchall()
