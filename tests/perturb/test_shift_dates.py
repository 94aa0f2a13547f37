"""Dates that leave shifted: one offset per person and release; intervals stay what they are."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator
from datetime import date, datetime, timedelta

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sqlanon
from tests.budget import examples

SECRET = "correct horse battery staple"
DAY = date(2026, 3, 2)


@pytest.fixture(scope="module")
def session() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as con:
        sqlanon.register(con)
        con.execute("set variable sqlanon_key = ?", [SECRET])
        yield con


def offset(person: str, release: str, whole_weeks: bool) -> timedelta:
    """The same in Python."""
    key = hmac.digest(SECRET.encode(), f"shift_dates {release}".encode(), hashlib.sha256)
    drawn = int(hmac.new(key, person.encode(), hashlib.sha256).hexdigest()[:13], 16)
    return timedelta(days=7 * (1 + drawn % 52) if whole_weeks else 7 + drawn % 358)


@pytest.mark.both_lines
@examples(60)
@given(
    times=st.lists(
        st.none() | st.datetimes(datetime(1900, 1, 1), datetime(2100, 1, 1)), min_size=1, max_size=4
    ),
    person=st.text("ab1", min_size=1),
    whole_weeks=st.booleans(),
)
def test_all_dates_of_a_person_by_one_offset(
    session: duckdb.DuckDBPyConnection, times: list[datetime | None], person: str, whole_weeks: bool
) -> None:
    found = session.execute(
        "select sqlanon.shift_dates(time, $person, 'spring', whole_weeks := $weeks), "
        "sqlanon.shift_dates(time::date, upper($person) || ' ', 'spring', whole_weeks := $weeks) "
        "from unnest($times::timestamp[]) as given(time)",
        {"person": person, "weeks": whole_weeks, "times": times},
    ).fetchall()
    by = offset(person, "spring", whole_weeks)
    assert timedelta(7) <= by <= timedelta(364)
    assert found == [(at and at - by, at and at.date() - by) for at in times]


@pytest.mark.both_lines
def test_types_and_what_is_missing(session: duckdb.DuckDBPyConnection) -> None:
    shifted = "sqlanon.shift_dates({}, {}, 'spring')"
    for value, type_ in (
        ("date '2026-03-02'", "DATE"),
        ("timestamp '2026-03-02 10:30'", "TIMESTAMP"),
        ("timestamptz '2026-03-02 10:30'", "TIMESTAMP WITH TIME ZONE"),
        ("null::date", "DATE"),
    ):
        [(found,)] = session.execute(f"select typeof({shifted.format(value, 7)})").fetchall()
        assert found == type_
    for value, person in (("null::date", "7"), ("null", "7"), ("date '2026-03-02'", "null"),
                          ("date '2026-03-02'", "' '")):  # fmt: skip
        assert session.execute(f"select {shifted.format(value, person)}").fetchall() == [(None,)]


def test_offsets_are_spread_over_the_range_and_differ_by_release(session: duckdb.DuckDBPyConnection) -> None:
    """Each week, and each day from 7 to 364, is somebody's; nobody can tell one release from the other."""
    offsets = session.execute(
        """select day - sqlanon.shift_dates(day, i, 'spring', whole_weeks := true),
                  day - sqlanon.shift_dates(day, i, 'spring'), day - sqlanon.shift_dates(day, i, 'summer')
        from (select date '2026-03-02' as day, unnest(range(6000)) as i)"""
    ).fetchall()
    assert {weeks for weeks, _, _ in offsets} == {7 * i for i in range(1, 53)}
    assert {days for _, days, _ in offsets} == set(range(7, 365))
    assert sum(spring == summer for _, spring, summer in offsets) < 60


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("'2026-03-02', 'p', 'spring'", "takes a date or a timestamp, not VARCHAR: cast it"),
        ("7, 'p', 'spring'", "takes a date or a timestamp, not INTEGER: cast it"),
        ("date '2026-03-02', 'p', ' '", "release must be a name, not an empty text"),
        ("date '2026-03-02', 'p', 'spring', key := 'none'", "needs a secret key in the variable none"),
    ],
)
def test_refused(session: duckdb.DuckDBPyConnection, call: str, message: str) -> None:
    with pytest.raises(duckdb.Error, match=message) as raised:
        session.execute(f"select sqlanon.shift_dates({call})").fetchall()
    assert "horse" not in str(raised.value)


@pytest.mark.both_lines
def test_classes_of_people_are_those_before(session: duckdb.DuckDBPyConnection) -> None:
    """Who is alike by intervals and weekday before dates are shifted by whole weeks is so afterwards."""
    session.execute(
        """create or replace temp table person as select i as patient from range(30) as row(i);
        create or replace temp table stay as
        select i % 30 as patient, date '2026-01-05' + (7 * (i % 3) + 7 * (i // 30) * (i % 2))::int as day
        from range(60) as row(i);
        create or replace temp table shifted as
        select patient, sqlanon.shift_dates(day, patient, 'spring', whole_weeks := true) as day from stay"""
    ).fetchall()
    before, after = (
        session.execute(
            f"""select person, people from sqlanon.person_classes(
            ['person', '{table} as stay'], unit := 'person.patient', joins := 'stay.patient = person.patient',
            qi := [], dates := 'stay.day') order by person"""
        ).fetchall()
        for table in ("stay", "shifted")
    )
    assert before == after
    assert {people for _, people in before} == {15}
