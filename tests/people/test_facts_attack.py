"""Who knows a few facts of a person: candidates, against all choices of facts."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from typing import Any

import duckdb
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import sqlanon
from tests.budget import examples
from tests.oracles import people as oracle
from tests.people.hospitals import GIVEN, HOSPITAL, JOINS, arguments, hospitals


def candidates(facts: Counter[Any], everybody: dict[str, Counter[Any]]) -> int:
    return sum(facts <= own for own in everybody.values())


@pytest.mark.both_lines
@examples(200, quick=6)
@given(tables=hospitals(), p=st.integers(1, 3), draw=st.sampled_from(["rarest", "random"]))
def test_candidates_have_all_that_is_known(
    shared_con: duckdb.DuckDBPyConnection, tables: oracle.Tables, p: int, draw: Any
) -> None:
    """Between the fewest and the most that any choice of p facts leaves; one rarest leaves the fewest."""
    assume(not tables.is_refused())
    for table in tables.tables.values():  # intervals have a test of their own
        object.__setattr__(table, "dates", [])
    given = arguments(shared_con, tables)
    facts = given.pop("qi")
    everybody = tables.facts()
    answer = sqlanon.facts_attack(shared_con, facts=facts, p=p, draw=draw, **given).fetchall()
    assert sorted(row[0] for row in answer) == sorted(everybody)
    for person, learned, confidence, baseline, _, _, n, known_facts, known, _ in answer:
        own = everybody[person]
        wanted = [
            candidates(Counter(chosen), everybody)
            for chosen in {*itertools.combinations(sorted(own.elements(), key=repr), min(p, own.total()))}
        ]
        assert min(wanted) <= n <= max(wanted)
        assert known_facts == min(p, own.total())
        assert (learned, confidence, baseline) == ("re-identified", 1 / n, 1 / len(everybody))
        parsed: Counter[tuple[str, Any]] = Counter()
        for text in known:
            about, value, rows = re.fullmatch(r"(.*): (\w+)(?: \((\d) rows\))?", text).groups()  # type: ignore[union-attr]
            parsed[about, None if value == "NULL" else value] = int(rows or 1)
        assert parsed <= own
        assert n == candidates(parsed, everybody)
        if (draw, p) == ("rarest", 1):
            assert n == min(wanted)


def test_only_of_a_sample_there_is_an_interval(shared_con: duckdb.DuckDBPyConnection) -> None:
    shared_con.execute(HOSPITAL).fetchall()
    given = {key: value for key, value in GIVEN.items() if key != "qi"} | {"facts": GIVEN["qi"]}
    for sample, has_interval in ((4, False), (1000, False), (3, True)):
        answer = sqlanon.facts_attack(shared_con, **given, sample=sample)
        summed = {row[-1]: row[1:5] for row in sqlanon.attack_summary(shared_con, answer).fetchall()}
        assert summed["subjects"] == (min(sample, 4), "people", None, None)
        low, high = summed["learned"][2:]
        assert summed["learned"][:2] == (100, "%")
        assert ((low, high) != (None, None)) == has_interval


def test_intervals_are_facts_after_dates_are_shifted(shared_con: duckdb.DuckDBPyConnection) -> None:
    shared_con.execute(
        """create or replace temp table person as from (values (1), (2), (3), (4)) as row(patient);
        create or replace temp table stay as
        from (values (1, date '2026-01-05'), (1, '2026-01-19'), (2, '2026-02-02'), (2, '2026-02-16'),
                     (3, '2026-03-02'), (3, '2026-03-17')) as row(patient, day)"""
    ).fetchall()
    given: dict[str, Any] = {
        "tables": ["person", "stay"],
        "unit": "person.patient",
        "joins": JOINS[:1],
    }
    found = sqlanon.facts_attack(shared_con, **given, facts=[], dates="stay.day", p=1).fetchall()
    assert [(row[0], row[1], row[6], row[8]) for row in found] == [
        (3, "re-identified", 1, ["stay.day after the first day: 15 days"]),
        (1, "re-identified", 2, ["stay.day after the first day: 14 days"]),
        (2, "re-identified", 2, ["stay.day after the first day: 14 days"]),
        (4, None, 4, []),
    ]


@pytest.mark.slow("2 s a case", but=(1, 2))
@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"facts": []}, "facts names no column"),
        ({"facts": "ward"}, "facts has ward: write table.column, such as person.ward"),
        ({"p": 0}, "p must be a whole number of at least 1, not 0"),
        ({"sample": 0}, "sample must be a whole number of at least 1, not 0"),
        ({"draw": "worst"}, "draw"),
    ],
)
def test_bad_input(shared_con: duckdb.DuckDBPyConnection, change: dict[str, Any], message: str) -> None:
    shared_con.execute(HOSPITAL).fetchall()
    given = {key: value for key, value in GIVEN.items() if key != "qi"} | {"facts": GIVEN["qi"]}
    assert len(sqlanon.facts_attack(shared_con, **given, sample=3).fetchall()) == 3
    with pytest.raises(sqlanon.SqlanonError, match=message):
        sqlanon.facts_attack(shared_con, **{**given, **change})
    shared_con.execute("insert into stay values (9, 50, 'A')").fetchall()
    with pytest.raises(sqlanon.SqlanonError, match=r"rows of stay whose patient is no person\.patient: 1"):
        sqlanon.facts_attack(shared_con, **given)
