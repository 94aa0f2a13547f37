"""Rows are not people: with a unit every count is one of people, in SQL and in Python, against sets of people."""

# As texts: Hypothesis keeps evaluated annotations, and DuckDB 2.0 reports its types there as leaks.
from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sqlanon
from tests.oracles import units
from tests.oracles.privacy import MODELS
from tests.tables import call, rows

few = settings(deadline=None, max_examples=12)

# Without a hierarchy there is no hierarchical t-closeness.
FLAT = [model for model in MODELS if model != "t-closeness (hierarchical)"]

Row = tuple[int | None, ...]


@pytest.fixture(scope="module")
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        sqlanon.register(connection)
        yield connection


def load(con: duckdb.DuckDBPyConnection, table: str, columns: Sequence[str], of: Sequence[Row]) -> None:
    chosen = ", ".join(f"unnest($1[{i}]::integer[]) as {name}" for i, name in enumerate(columns, 1))
    con.execute(
        f"create or replace table {table} as select {chosen}",
        [[list(column) for column in zip(*of, strict=True)]],
    ).fetchall()


def visits(width: int = 3, most: int = 14) -> st.SearchStrategy[list[Row]]:
    """Rows of a quasi-identifier, a sensitive value and a person; some are nobody's."""
    value = st.integers(1, width)
    row = st.tuples(value, value, st.one_of(st.none(), st.integers(1, 4)))
    return st.lists(row, min_size=1, max_size=most)


def close(value: float | None) -> Any:
    return pytest.approx(value, rel=1e-9, abs=1e-12)


class TestChecks:
    def test_five_rows_of_one_patient_are_one_person(self, con: duckdb.DuckDBPyConnection) -> None:
        con.execute(
            "create or replace table visits as select 1 as zip, range as disease, 7 as patient from range(5)"
        ).fetchall()
        asked: dict[str, Any] = {"qi": "zip", "sensitive": "disease", "k": 5, "l": 3}
        assert rows(con, "violations", "visits", **asked) == []
        assert rows(con, "violations", "visits", **asked, unit="patient") == [
            ("distinct l-diversity", "disease", 3.0, 1.0, 5, 1, {"zip": 1}),
            ("k-anonymity", None, 5.0, 1.0, 5, 1, {"zip": 1}),
        ]

    def test_what_everybody_has_is_one_value(self, con: duckdb.DuckDBPyConnection) -> None:
        """Five people with HIV, each with one more disease: whoever is there has HIV."""
        con.execute(
            """create or replace table visits as
            select 1 as zip, case when second then range::varchar else 'HIV' end as disease, range as patient
            from range(5), (values (false), (true)) as t(second)"""
        ).fetchall()
        found = rows(con, "privacy", "visits", qi="zip", sensitive="disease", unit="patient")
        reached = {model: value for model, _, value, *_ in found}
        assert [row[3:5] for row in found] == [(10, 5)] * len(found)
        assert reached["distinct l-diversity"] == reached["entropy l-diversity"] == 1
        assert reached["(alpha, k)-anonymity"] == 1
        assert reached["k-anonymity"] == 5
        assert math.isinf(reached["recursive (c, l)-diversity"])

    @few
    @given(visits(), st.integers(1, 3))
    def test_what_is_reached(self, con: duckdb.DuckDBPyConnection, table: list[Row], l: int) -> None:
        load(con, "visits", ["q", "s", "person"], table)
        found = rows(con, "privacy", "visits", qi="q", sensitive="s", unit="person", l=l)
        classes = units.classes(table, [0], 2, 1)
        wanted = units.reached(classes, FLAT, l=l)
        assert {model: value for model, _, value, *_ in found} == {
            model: close(value) for model, value in wanted.items()
        }
        whole = set().union(*classes.values())
        for model, _, value, size, people, class_ in found:
            worst = classes[class_["q"],]
            assert value == close(units.measure(model, worst, whole, l=l))
            assert people == units.people(worst)
            assert size == sum(row[0] == class_["q"] for row in table)

    @few
    @given(visits(), st.integers(1, 4), st.integers(1, 3), st.floats(0.2, 1))
    def test_violations(
        self, con: duckdb.DuckDBPyConnection, table: list[Row], k: int, l: int, alpha: float
    ) -> None:
        load(con, "visits", ["q", "s", "person"], table)
        found = rows(con, "violations", "visits", qi="q", sensitive="s", unit="person", k=k, l=l, alpha=alpha)
        classes = units.classes(table, [0], 2, 1)
        asked = {"k-anonymity": k, "distinct l-diversity": l, "(alpha, k)-anonymity": alpha}
        whole = set().union(*classes.values())
        wanted = {
            (model, q)
            for (q,), cls in classes.items()
            for model, required in asked.items()
            for value in [units.measure(model, cls, whole)]
            if (value > required * (1 + 1e-12) if "alpha" in model else value < required)
        }
        assert {(model, class_["q"]) for model, *_, class_ in found} == wanted
        assert len(found) == len(wanted)

    @few
    @given(visits())
    def test_where_everybody_has_one_row_nothing_changes(
        self, con: duckdb.DuckDBPyConnection, table: list[Row]
    ) -> None:
        load(con, "visits", ["q", "s", "person"], [(q, s, i) for i, (q, s, _) in enumerate(table)])
        with_unit = rows(con, "privacy", "visits", qi="q", sensitive="s", unit="person")
        without = rows(con, "privacy", "visits", qi="q", sensitive="s")
        assert [(*row[:2], close(row[2])) for row in without] == [row[:3] for row in with_unit]
        assert all(size == people for *_, size, people, _ in with_unit)

    @few
    @given(visits())
    def test_classes(self, con: duckdb.DuckDBPyConnection, table: list[Row]) -> None:
        load(con, "visits", ["q", "s", "person"], table)
        wanted = {q: units.people(cls) for (q,), cls in units.classes(table, [0], 2).items()}
        found = con.execute(f"from {call('classes', 'visits', qi='q', unit='person')}").fetchall()
        assert {q: people for _, q, _, people in found} == wanted

    def test_a_reference_has_people_too(self, con: duckdb.DuckDBPyConnection) -> None:
        """One of two people has the value once in the release, and three times in the reference: a half in both."""
        load(con, "release", ["q", "s", "person"], [(1, 1, 1), (1, 2, 2)])
        load(con, "whole", ["q", "s", "person"], [(1, 1, 1), (1, 1, 1), (2, 1, 1), (1, 2, 2)])
        asked: dict[str, Any] = {"qi": "q", "sensitive": "s", "reference": "whole"}
        by_people = rows(con, "privacy", "release", **asked, unit="person")
        by_rows = rows(con, "privacy", "release", **asked)
        assert {row[0]: row[2] for row in by_people}["t-closeness (equal)"] == 0
        assert {row[0]: row[2] for row in by_rows}["t-closeness (equal)"] == 0.25

    @pytest.mark.parametrize(
        ("macro", "given_more", "message"),
        [
            ("classes", {"unit": "q"}, '"q" is named twice.*keep or unit'),
            ("privacy", {"sensitive": "s", "unit": "S"}, '"S" is named twice'),
            ("privacy", {"unit": ["person", "s"]}, "unit names one column"),
            ("privacy", {"unit": "persn"}, "persn"),
            ("privacy", {"unit": "person", "suppressed": "wildcard"}, "does not go with unit"),
            (
                "violations",
                {"unit": "person", "k_map": 2, "population": "visits"},
                "not go with a population",
            ),
            ("violations", {"unit": "s", "sensitive": "s", "k": 2}, '"s" is named twice'),
        ],
    )
    def test_what_makes_no_sense(
        self, con: duckdb.DuckDBPyConnection, macro: str, given_more: dict[str, Any], message: str
    ) -> None:
        load(con, "visits", ["q", "s", "person"], [(1, 1, 1)])
        with pytest.raises(duckdb.Error, match=message):
            rows(con, macro, "visits", qi="q", **given_more)
