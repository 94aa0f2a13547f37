"""Offsets that are possible, against all offsets tried one after the other; and those of shift_dates."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sqlanon
from tests.budget import examples
from tests.oracles import people as oracle
from tests.people.hospitals import DAY, arguments, hospitals


@examples(100, quick=8)
@given(
    tables=hospitals(), from_day=st.integers(-20, 380), days=st.integers(0, 400), whole_weeks=st.booleans()
)
def test_offsets_are_those_with_which_all_dates_are_in_the_window(
    shared_con: duckdb.DuckDBPyConnection, tables: oracle.Tables, from_day: int, days: int, whole_weeks: bool
) -> None:
    if tables.is_refused() or not any(table.dates for table in tables.tables.values()):
        return
    first = DAY.date() + timedelta(days=from_day)
    last = first + timedelta(days=days)
    drawn = range(7, 365, 7) if whole_weeks else range(7, 365)
    wanted = {
        person["patient"]: sum(
            all(first <= day.date() + timedelta(days=offset) <= last for day in tables.dates(person))
            for offset in drawn
        )
        for person in tables.tables["person"].rows
    }
    said: dict[str, Any] = {
        **arguments(shared_con, tables), "whole_weeks": whole_weeks, "collected_from": f"{first}",
        "collected_until": f"{last}",
    }  # fmt: skip
    del said["qi"]
    if impossible := list(wanted.values()).count(0):
        with pytest.raises(sqlanon.SqlanonError, match=f"no offset is possible for {impossible} people: "):
            sqlanon.possible_offsets(shared_con, **said).fetchall()
        return
    found = sqlanon.possible_offsets(shared_con, **said).fetchall()
    assert dict(found) == wanted
    assert [n for _, n in found] == sorted(wanted.values())


@pytest.mark.slow("2 s a case")
@pytest.mark.both_lines
@pytest.mark.parametrize("whole_weeks", [False, True])
def test_the_offset_that_was_drawn_is_possible(
    shared_con: duckdb.DuckDBPyConnection, whole_weeks: bool
) -> None:
    """Of dates that shift_dates has shifted, whatever they are, some offset is possible; who was there on all
    days has one in a window as long as that."""
    shared_con.execute(
        """set variable sqlanon_key = 'correct horse battery staple';
        create or replace temp table person as from range(200) as row(patient);
        create or replace temp table stay as
        select patient, date '2026-01-01' + (hash(patient, nth) % 365)::integer as day
        from person, range(3) as row(nth) where patient > 0
        union all from (values (0, date '2026-01-01'), (0, date '2026-12-31')) as row(patient, day);
        create or replace temp table shifted as
        select patient, sqlanon.shift_dates(day, patient, 'spring', whole_weeks := $weeks) as day from stay
        """.replace("$weeks", str(whole_weeks))
    ).fetchall()
    given: dict[str, Any] = {
        "tables": ["person", "shifted"], "unit": "person.patient",
        "joins": "shifted.patient = person.patient", "dates": "shifted.day",
        "collected_from": "2026-01-01", "collected_until": "2026-12-31", "whole_weeks": whole_weeks,
    }  # fmt: skip
    found = sqlanon.possible_offsets(shared_con, **given).fetchall()
    assert len(found) == 200
    assert found[0] == (0, 1)
    with pytest.raises(sqlanon.SqlanonError, match="people: their dates cannot be shifted dates of what was"):
        sqlanon.possible_offsets(shared_con, **{**given, "collected_from": "2026-06-01"}).fetchall()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"collected_from": "2026-13-01"}, "from must be a day, such as 2026-01-01, not 2026-13-01"),
        ({"collected_until": ""}, "collected_until must be a day"),
        ({"collected_from": "2027-01-01"}, "collected_from is after collected_until"),
        ({"dates": []}, "dates names no column, such as stay.admitted"),
        ({"dates": "stay.dya"}, 'unknown column "dya" in .*stay.*; did you mean "day"'),
        ({"dates": "stay.ward"}, "rows of stay with what is no date in ward: 1"),
    ],
)
def test_what_is_said_wrongly(
    shared_con: duckdb.DuckDBPyConnection, change: dict[str, Any], message: str
) -> None:
    shared_con.execute(
        """create or replace temp table person as select 1 as patient;
        create or replace temp table stay as select 1 as patient, 'A' as ward, date '2026-01-01' as day"""
    ).fetchall()
    given = {
        "tables": ["person", "stay"], "unit": "person.patient", "joins": "stay.patient = person.patient",
        "dates": "stay.day", "collected_from": "2026-02-01", "collected_until": "2026-12-31",
    }  # fmt: skip
    with pytest.raises(sqlanon.SqlanonError, match=message):
        sqlanon.possible_offsets(shared_con, **{**given, **change}).fetchall()
