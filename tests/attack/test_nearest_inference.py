"""What the nearest rows have, somebody has: by hand, against the slow version, and with controls."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sqlanon
from tests.attack.test_nearest_linkage import ROW
from tests.budget import examples
from tests.data import needs_data
from tests.oracles import nearest_rows

# A random release may have values that nobody has.
pytestmark = pytest.mark.filterwarnings("ignore:.* nobody understands these values")


@pytest.fixture(scope="module")
def town() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as con:
        sqlanon.register(con)
        con.execute(
            """create table people as from (values
            ('Ann', 20, 'f', 'flu', 1000, false), ('Bob', 30, 'm', 'gout', 2000, false),
            ('Cat', 40, 'f', 'flu', 2100, false), ('Dan', 60, 'm', 'gout', 9000, true))
            as t(name, age, sex, disease, income, out);
            create table released as from (values (21, 'f', 'flu', 1100), (29, 'm', 'cold', 2100),
            (29, 'm', 'cold', 2400), (29, 'm', 'gout', 5000), (40, 'f', 'flu', NULL))
            as t(age, sex, disease, income)"""
        ).fetchall()
        yield con


def test_by_hand(town: duckdb.DuckDBPyConnection) -> None:
    """Bob and Dan are nearest to the men of 29, of whom two of three have a cold."""
    answer = sqlanon.nearest_inference(
        town, "released", "people", "name", ["age", "sex"], "disease", truth="disease", controls="out"
    )
    assert answer.order("name").fetchall() == [
        ("Ann", "flu", 1, 0.4, True, False, 1, 0.025, False),
        ("Bob", "cold", 2 / 3, 0.4, False, False, 3, 0.025, False),
        ("Cat", "flu", 1, 0.4, True, False, 1, 0, False),
        ("Dan", "cold", 2 / 3, 0.4, False, True, 3, 0.775, False),
    ]
    numbers = sqlanon.nearest_inference(
        town, "released", "people", "name", ["age", "sex"], "income", truth="income", within=200
    )
    assert [row[1:5] + row[6:7] for row in numbers.order("name").fetchall()] == [
        ("1100", 1, 0.4, True, 1), ("2250", 2 / 3, 0.4, False, 3), (None, None, 0.4, None, 1),
        ("2250", 2 / 3, 0.4, False, 3),
    ]  # fmt: skip
    agreeing = sqlanon.nearest_inference(
        town, "released", "people", "name", ["age", "sex"], "disease", agreeing=True
    )
    assert agreeing.filter("learned is not null").project("name, learned").fetchall() == [("Cat", "flu")]


@pytest.mark.parametrize("within", [None, 0, 1])
@examples(30)
@given(
    people=st.lists(ROW, min_size=1, max_size=6),
    release=st.lists(ROW, min_size=1, max_size=8),
    agreeing=st.booleans(),
)
def test_against_the_slow_version(
    town: duckdb.DuckDBPyConnection,
    within: int | None,
    people: list[Any],
    release: list[Any],
    agreeing: bool,
) -> None:
    """The last text of a row, or the last number, is what is to be learned."""
    for name, rows in (("asked", people), ("answered", release)):
        town.execute(
            f"create or replace temp table {name} (id integer, a integer, b text, c integer, d text)"
        )
        town.executemany(
            f"insert into {name} values (?, ?, ?, ?, ?)", [(i, *row) for i, row in enumerate(rows)]
        )
    learned, known, of = ("d", ["a", "b", "c"], 3) if within is None else ("c", ["a", "b", "d"], 2)
    found = sqlanon.nearest_inference(
        town, "answered", "asked", "id", known, learned, truth=learned, within=within, agreeing=agreeing
    )
    asked, answered = (
        [tuple(x for i, x in enumerate(row) if i != of) for row in rows] for rows in (people, release)
    )
    values = [row[of] for row in release]
    wanted = nearest_rows.inference(asked, answered, values, within, agreeing)
    everybody = [[0] for _ in values]
    [(baseline, *_)] = nearest_rows.inference([[0]], everybody, values, within, False)
    for person, row, (confidence, guesses, n) in zip(
        people, found.order("id").fetchall(), wanted, strict=True
    ):
        assert row[2] == (None if confidence is None else pytest.approx(confidence))
        assert row[3] == pytest.approx(baseline or 0)
        assert row[6] == n
        if confidence is None:
            assert (row[1], row[4]) == (None, None)
        elif within is None:
            assert (None if row[1] == "NULL" else row[1]) in guesses
            assert row[4] is ((None if row[1] == "NULL" else row[1]) == person[of])
        else:
            assert float(row[1]) in guesses
            assert row[4] is (person[of] is not None and abs(person[of] - float(row[1])) <= within)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"columns": []}, "columns names no column"),
        ({"columns": ["age", "disease"]}, 'column "disease" is named twice'),
        ({"sensitive": ["disease", "income"]}, "sensitive is one name or text"),
        ({"within": 3}, "within is for numbers, but column disease has the value"),
        ({"within": -1}, "within must be at least 0, not -1"),
    ],
)
def test_bad_input(town: duckdb.DuckDBPyConnection, change: dict[str, Any], message: str) -> None:
    given = {
        "release": "released", "targets": "people", "id": "name", "columns": ["age"], "sensitive": "disease"
    }  # fmt: skip
    with pytest.raises(sqlanon.SqlanonError, match=message):
        sqlanon.nearest_inference(town, **{**given, **change})


@pytest.mark.slow("1 s")
@needs_data
def test_adult_with_other_people_as_controls(con: duckdb.DuckDBPyConnection) -> None:
    """A copy gives occupations away beyond what controls tell; a release of others does not."""
    from tests.data import load_adult

    load_adult(con, "adult")
    con.execute(
        """create temp table asked as select *, id % 3 = 0 as out from adult where id <= 6000;
        create temp table copy as from asked where not out;
        create temp table others as from adult where id > 6000 and id <= 10000"""
    ).fetchall()
    known = ["age", "workclass", "education", "marital_status", "race", "sex", "native_country"]
    risks = {}
    for release in ("copy", "others"):
        answer = sqlanon.nearest_inference(
            con, release, "asked", "id", known, "occupation", truth="occupation", controls="out"
        )
        summary = sqlanon.attack_summary(con, answer).filter("id = 'beyond_controls'")
        [risks[release]] = summary.project("low, high").fetchall()
    assert risks["copy"][0] > 30
    assert risks["others"][0] <= 0 <= risks["others"][1]
