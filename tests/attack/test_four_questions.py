"""The four questions: each row is what the attack says by itself, with people of both tables as targets."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import duckdb
import pytest

import sqlanon

COLUMNS = ["age", "zip", "salary", "disease"]
QUESTIONS = [
    "Can somebody be singled out?", "Can records be linked?", "Can something be inferred?",
    "Can one tell who was in?",
]  # fmt: skip


@pytest.fixture(scope="module")
def town() -> Iterator[duckdb.DuckDBPyConnection]:
    """An original of 60 people, as many who are held out, and a release with half of the original."""
    with duckdb.connect() as con:
        sqlanon.register(con)
        con.execute(
            """create table everybody as
            select i as id, 20 + hash(i, 1) % 60 as age, 'z' || hash(i, 2) % 9 as zip,
                   hash(i, 3) % 40 as salary, i > 60 as out,
                   ['flu', 'gout', 'none'][1 + (hash(i, 4) % 3)::bigint] as disease
            from range(1, 121) as r(i);
            create table original as select * exclude (id, out) from everybody where not out;
            create table others as select * exclude (id, out) from everybody where out;
            create table half as select * exclude (id, out) from everybody where id <= 30 or id > 90;
            create table nothing as from original where false"""
        ).fetchall()
        yield con


def asked(con: duckdb.DuckDBPyConnection, **given: Any) -> list[dict[str, Any]]:
    arguments = {
        "release": "half", "original": "original", "columns": COLUMNS, "held_out": "others",
        "sensitive": "disease", **given,
    }  # fmt: skip
    answer = sqlanon.four_questions(con, **arguments)
    return [dict(zip(answer.columns, row, strict=True)) for row in answer.fetchall()]


def summary(con: duckdb.DuckDBPyConnection, answer: Any) -> dict[str, tuple[Any, ...]]:
    return {row[-1]: row[1:-1] for row in sqlanon.attack_summary(con, answer).fetchall()}


@pytest.mark.slow("2 s")
def test_they_say_what_the_attacks_say(town: duckdb.DuckDBPyConnection) -> None:
    rows = asked(town)
    assert [row["question"] for row in rows] == QUESTIONS
    assert [row["attribute"] for row in rows] == [None, None, "disease", None]
    about: dict[str, Any] = {"targets": "everybody", "id": "id", "controls": "out"}
    attacks = [
        sqlanon.singling_out(town, "half", columns=COLUMNS, **about),
        sqlanon.nearest_linkage(town, "half", here=COLUMNS[:2], there=COLUMNS[2:], **about),
        sqlanon.nearest_inference(
            town, "half", columns=COLUMNS[:3], sensitive="disease", truth="disease", **about
        ),
    ]
    for row, answer in zip(rows, attacks, strict=False):
        told = summary(town, answer)
        assert row["success"] == pytest.approx(told["right_of_all"][0])
        assert row["control"] == pytest.approx(told["right_of_all_controls"][0])
        value, _, low, high = told["beyond_controls"]
        assert (row["risk"], row["low"], row["high"]) == pytest.approx((value, low, high))
    found = {row[-1]: row for row in sqlanon.membership(town, "half", columns=COLUMNS, **about).fetchall()}
    assert (rows[3]["success"], rows[3]["control"]) == (pytest.approx(found["found_1"][1]), 1)
    assert rows[3]["low"] == pytest.approx(found["found_1"][3] - 1)


@pytest.mark.slow("3 s: four attacks")
def test_without_people_held_out_nothing_is_said_of_risk(town: duckdb.DuckDBPyConnection) -> None:
    rows = asked(town, held_out=None, columns=["age", "disease"], sensitive=None)
    assert [(row["question"], row["attribute"]) for row in rows] == [
        (QUESTIONS[0], None), (QUESTIONS[1], None), (QUESTIONS[2], "age"), (QUESTIONS[2], "disease"),
    ]  # fmt: skip
    assert {row["risk"] for row in rows} == {row["control"] for row in rows} == {None}
    assert rows[0]["success"] > 0


def test_a_sample_is_the_same_in_every_run(town: duckdb.DuckDBPyConnection) -> None:
    rows = asked(town, columns=["age"], sensitive=None, sample=20)
    assert [row["question"] for row in rows] == [QUESTIONS[0], QUESTIONS[3]]
    assert rows[1]["people"] == 20
    assert rows == asked(town, columns=["age"], sensitive=None, sample=20)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"columns": []}, "columns names no column"),
        ({"columns": ["age"]}, "sensitive must be among columns"),
        ({"columns": [*COLUMNS, "job"], "sensitive": None}, "job"),
        ({"sample": 0}, "sample"),
        ({"release": "nothing", "columns": ["age"], "sensitive": None}, "table nothing is empty"),
        ({"original": "nothing", "columns": ["age"], "sensitive": None}, "table nothing is empty"),
        ({"held_out": "nothing", "columns": ["age"], "sensitive": None}, "table nothing is empty"),
    ],
)
def test_bad_input(town: duckdb.DuckDBPyConnection, change: dict[str, Any], message: str) -> None:
    with pytest.raises(sqlanon.SqlanonError, match=message):
        asked(town, **change)
