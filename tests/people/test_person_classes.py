"""Classes of people over several tables, against everybody's rows compared as a whole."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import duckdb
import pandas as pd
import pytest
from hypothesis import assume, given

import sqlanon
from tests.budget import examples
from tests.oracles import people as oracle
from tests.oracles import units
from tests.people.hospitals import GIVEN, HOSPITAL, JOINS, arguments, hospitals


@pytest.mark.slow("1 s")
@pytest.mark.both_lines
@examples(200, quick=12)
@given(tables=hospitals())
def test_people_are_alike_if_all_their_rows_are(
    shared_con: duckdb.DuckDBPyConnection, tables: oracle.Tables
) -> None:
    given = arguments(shared_con, tables)
    if tables.is_refused():
        with pytest.raises(sqlanon.SqlanonError, match="cannot be read as rows of people"):
            sqlanon.person_classes(shared_con, **given)
        return
    found = sqlanon.person_classes(shared_con, **given).fetchall()
    classes = defaultdict(list)
    for person, class_id, n in found:
        classes[class_id, n].append(person)
    assert sorted(sorted(people) for people in classes.values()) == tables.classes()
    assert all(len(people) == n for (_, n), people in classes.items())
    assert sorted(class_id for class_id, _ in classes) == list(range(1, len(classes) + 1))


@examples(200, quick=5)
@given(tables=hospitals())
def test_each_person_counts_once_with_any_of_their_values(
    shared_con: duckdb.DuckDBPyConnection, tables: oracle.Tables
) -> None:
    """l and alpha, in the words of the oracle of units; and l is no more than any choice reaches."""
    assume(not tables.is_refused())
    given = arguments(shared_con, tables)
    values = sqlanon.person_values(shared_con, sensitive=["stay.disease", "drug.disease"], **given)
    found: dict[Any, set[Any]] = defaultdict(set)
    for person, _, value in values.fetchall():
        assert value not in found[person]
        found[person].add(value)
    assert found == tables.values()
    classes = {
        (number,): {(person, value) for person in people for value in found[person]}
        for number, people in enumerate(tables.classes())
    }
    reached = {
        row[-2]: row[2]
        for row in sqlanon.privacy(
            shared_con, values, qi="class_id", sensitive="sensitive", unit="person"
        ).fetchall()
    }
    wanted = units.reached(classes, ["k-anonymity", "distinct l-diversity", "(alpha, k)-anonymity"])
    assert reached["k"] == wanted["k-anonymity"]
    assert reached["l"] == wanted["distinct l-diversity"]
    assert reached["alpha"] == pytest.approx(wanted["(alpha, k)-anonymity"])
    assert reached["l"] <= min(map(units.least_values, classes.values()))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"qi": ["person.age", "stya.ward"]}, "qi has stya.ward, but tables has no stya. Is it stay?"),
        ({"qi": "stay.wart"}, 'unknown column "wart" in person, stay, drug; did you mean "ward"'),
        ({"qi": "ward"}, "qi has ward: write table.column, such as person.ward"),
        ({"qi": []}, "qi names no column"),
        ({"qi": ["stay.ward", "STAY.ward"]}, "column STAY.ward is named twice"),
        ({"dates": "stay.ward", "qi": "stay.ward"}, "column stay.ward is named twice"),
        ({"dates": "stay.ward", "qi": "person.age"}, "rows of stay with what is no date in ward: 4"),
        ({"joins": JOINS[:1]}, "no join reaches table drug"),
        ({"joins": JOINS[1:]}, "no join reaches table drug|no join reaches table stay"),
        ({"joins": [*JOINS, "drug.stay = person.patient"]}, "joins reach table stay in two ways, over"),
        ({"joins": [*JOINS, "stay.id = stay.patient"]}, "joins reach table stay in two ways, over"),
        ({"joins": "stay.patient"}, "joins has stay.patient: write two columns that are equal"),
        ({"unit": "patient"}, "unit has patient: write table.column, such as person.patient"),
        ({"tables": ["person", "stay", "drug", "Stay"]}, "table Stay is named twice"),
        ({"tables": ["person", "stay", "nowhere as drug"]}, 'unknown table "nowhere"'),
        ({"unit": "stay.patient", "joins": JOINS}, "rows of drug|rows of person|people who"),
    ],
)
def test_what_is_said_wrongly(
    shared_con: duckdb.DuckDBPyConnection, change: dict[str, Any], message: str
) -> None:
    shared_con.execute(HOSPITAL).fetchall()
    if change.get("unit") == "stay.patient":
        shared_con.execute("insert into stay values (1, 11, 'A')").fetchall()
    with pytest.raises(sqlanon.SqlanonError, match=message):
        sqlanon.person_classes(shared_con, **{**GIVEN, **change})


@pytest.mark.parametrize(
    ("spoiled", "message"),
    [
        ("insert into stay values (9, 50, 'A'), (9, 51, 'A')",
         "rows of stay whose patient is no person.patient: 2"),
        ("insert into stay values (null, 50, 'A')", "rows of stay without patient: 1"),
        ("insert into stay values (1, null, 'A')", "rows of stay without id: 1"),
        ("insert into person values (1, 'x'), (2, 'x')", "people who are in several rows of person: 2$"),
        ("insert into person values (null, 'x')", "rows of person without patient: 1"),
        ("insert into stay values (2, 10, 'A')",
         r"because several rows of stay have the same id: 1 \(what several people share is no key"),
        ("insert into stay values (1, 10, 'A')", "because several rows of stay have the same id: 1$"),
        ("alter table drug alter stay type text",
         r"one must be cast: drug.stay \(VARCHAR\) and stay.id \(INTEGER\)"),
        ("delete from person", "rows of person: none; rows of stay whose patient is no person.patient: 4"),
    ],
)  # fmt: skip
def test_rows_of_nobody_are_counted(
    shared_con: duckdb.DuckDBPyConnection, spoiled: str, message: str
) -> None:
    shared_con.execute(HOSPITAL).fetchall()
    shared_con.execute(spoiled).fetchall()
    with pytest.raises(sqlanon.SqlanonError, match=message) as raised:
        sqlanon.person_classes(shared_con, **GIVEN)
    assert "50" not in str(raised.value)  # no key is shown


@pytest.mark.slow("1 s")
def test_each_table_is_5_anonymous_and_the_join_is_not(shared_con: duckdb.DuckDBPyConnection) -> None:
    """Ten people of one age with two stays each: ten stays in A and ten in B. One has both in A, one in B."""
    shared_con.execute(
        """create or replace temp table person as
        select i as patient, '20-39' as age from range(10) as row(i);
        create or replace temp table stay as
        select i % 10 as patient,
               case i % 10 when 0 then 'A' when 1 then 'B' else if(i < 10, 'A', 'B') end as ward
        from range(20) as row(i)"""
    ).fetchall()
    assert not sqlanon.violations(shared_con, "person", qi="age", unit="patient", k=5).fetchall()
    assert not sqlanon.violations(shared_con, "stay", qi="ward", unit="patient", k=5).fetchall()
    given = {**GIVEN, "tables": ["person", "stay"], "joins": JOINS[:1], "qi": ["person.age", "stay.ward"]}
    classes = sqlanon.person_classes(shared_con, **given)
    found = sqlanon.violations(shared_con, classes, qi="class_id", unit="person", k=5).fetchall()
    assert [(row[0], row[2], row[3], row[5]) for row in found] == [("k-anonymity", 5, 1, 1)] * 2


@pytest.mark.slow("2 s")
def test_tables_are_frames_files_and_names(shared_con: duckdb.DuckDBPyConnection, tmp_path: Any) -> None:
    """And their names, and those of columns, may be any."""
    shared_con.execute(HOSPITAL).fetchall()
    wanted = sqlanon.person_classes(shared_con, **GIVEN).fetchall()
    assert wanted == [(1, 1, 2), (2, 1, 2), (3, 2, 1), (4, 3, 1)]
    frames = {name: shared_con.table(name).df() for name in GIVEN["tables"]}
    assert sqlanon.person_classes(shared_con, **{**GIVEN, "tables": frames}).fetchall() == wanted
    frames["person"].to_csv(tmp_path / "people.csv", index=False)
    shared_con.execute(
        """create or replace temp table "st'ay x" as select patient as "pa""t{i}", id as row_id, ward as own
        from stay"""
    ).fetchall()
    strange = {
        "tables": [f"{tmp_path}/people.csv as person", "st'ay x", "drug"],
        "joins": ["st'ay x.pa\"t{i} = person.patient", "drug.stay = st'ay x.row_id"],
        "qi": ["person.age", "st'ay x.own", "drug.drug"],
    }
    assert sqlanon.person_classes(shared_con, **{**GIVEN, **strange}).fetchall() == wanted
    with pytest.raises(sqlanon.InputError, match="tables: 'my stays' must be a word of letters"):
        sqlanon.person_classes(shared_con, **{**GIVEN, "tables": {"my stays": frames["stay"]}})
    with pytest.raises(sqlanon.InputError, match="tables is a list"):
        sqlanon.person_classes(shared_con, **{**GIVEN, "tables": pd.DataFrame()})


@pytest.mark.slow("1 s")
@pytest.mark.both_lines
def test_intervals_and_the_weekday_of_the_first_day_count(shared_con: duckdb.DuckDBPyConnection) -> None:
    """Over the dates of all tables; a whole number of weeks, and a missing date, make no difference."""
    shared_con.execute(
        """create or replace temp table person as
        from (values (1, date '2026-01-05'), (2, '2026-01-12'), (3, '2026-01-13'), (4, null), (5, null))
            as row(patient, admitted);
        create or replace temp table stay as
        from (values (1, '2026-01-08 10:00'), (2, '2026-01-15 10:00'), (3, '2026-01-16 10:00'), (4, ' '))
            as row(patient, day)"""
    ).fetchall()
    given = {**GIVEN, "tables": ["person", "stay"], "joins": JOINS[:1], "qi": [],
             "dates": ["person.admitted", "stay.day"]}  # fmt: skip
    assert sqlanon.person_classes(shared_con, **given).fetchall() == [
        (1, 1, 2),
        (2, 1, 2),
        (3, 2, 1),
        (4, 3, 1),
        (5, 4, 1),
    ]
    shared_con.execute("update stay set day = '2026-01-15 10:01' where patient = 2").fetchall()
    assert sqlanon.person_classes(shared_con, **given).fetchall()[0] == (1, 1, 1)
