"""Insert-only inference: what earlier classes leave of a later one."""

# As texts: Hypothesis keeps evaluated annotations, and DuckDB 2.0 reports its types there as leaks.
from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import duckdb
import pytest
from hypothesis import given

import sqlanon
from sqlanon.core.statements import call, execute
from tests.attack.test_correspondence import bins, releases, table
from tests.budget import examples
from tests.oracles.correspondence import differences

few = examples(30)


@pytest.fixture(scope="module")
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        sqlanon.register(connection)
        yield connection


def test_one_person_is_added(con: duckdb.DuckDBPyConnection) -> None:
    """Each release is 2-diverse; the one new person has cancer."""
    table(con, "r1", ["age", "s"], [("[20, 29]", "flu"), ("[20, 29]", "asthma"), ("{30, 35}", "flu")])
    table(con, "r2", ["age", "s"], [("[20, 39]", s) for s in ("flu", "asthma", "flu", "cancer")])
    answer = sqlanon.insert_only(con, ["r1", "r2"], "age", "s")
    rows = {row[0]: row[1:] for row in answer.fetchall()}
    assert rows[None] == (
        1, "cancer", 1.0, 0.5, None, None, 4, 1, 1, [{"value": "cancer", "rows": 1}], True
    )  # fmt: skip
    assert rows[1][-4:-2] == (2, 2)
    assert rows[2][-4:-2] == (3, 3)
    assert len(rows) == 3
    summary = dict(sqlanon.attack_summary(con, answer).project("id, value").fetchall())
    assert summary["subjects"] == 3


def test_nobody_is_added(con: duckdb.DuckDBPyConnection) -> None:
    table(con, "r1", ['a"b', "{i}"], [("[20, 29]", None), ("[20, 29]", "flu")])
    found = con.execute(
        """select class_id, learned, confidence, rows, diversity, remaining, is_new
        from sqlanon.insert_only(['r1', 'r1'], 'a"b', '{i}') order by class_id"""
    ).fetchall()
    assert found == [(1, None, None, 0, 0, [], False), (None, None, None, 0, 0, [], True)]


@few
@given(releases())
def test_random_releases(con: duckdb.DuckDBPyConnection, case: tuple[list[Any], list[Any]]) -> None:
    """What is left is what the definition says; what is said to be new people's is theirs."""
    earlier, later = ([(bins(label), s) for label, s in rows] for rows in case)
    for name, rows in zip(("earlier", "later"), case, strict=True):
        table(con, name, ["age", "s"], [(f"[{lo}, {hi}]", s) for (lo, hi), s in rows])
    found = con.execute(
        """select class_id, later_class_id, rows, diversity, remaining, is_new, learned, confidence
        from sqlanon.insert_only(['earlier', 'later'], qi := 'age', sensitive := 's')"""
    ).fetchall()
    olds, news = (
        dict(enumerate(sorted({q for q, _ in release}, key=min), 1)) for release in (earlier, later)
    )
    expected = differences(earlier, later)
    assert {(olds.get(row[0]), news[row[1]]) for row in found} == expected.keys()
    for old, new, rows, diversity, remaining, is_new, learned, confidence in found:
        left, certain = expected[olds.get(old), news[new]]
        values = Counter({each["value"]: each["rows"] for each in remaining})
        assert (values, rows, diversity, is_new) == (left, left.total(), len(left), certain)
        assert (left[learned] == max(left.values()) == confidence * rows) if left else learned is None
        if is_new:  # the people who are added come last
            assert left == Counter(s for label, s in later[len(earlier) :] if label == news[new])


def test_wrong_input(con: duckdb.DuckDBPyConnection) -> None:
    """The rest is as in correspondence."""
    table(con, "r", ["age", "s"], [("[0, 9]", "a")])
    with pytest.raises(sqlanon.InputError, match="releases must name two releases, the earlier one first"):
        sqlanon.insert_only(con, ["r"], "age", "s")
    table(con, "other", ["age", "s"], [("[0, 9]", "b")])
    with pytest.raises(sqlanon.InputError, match="the second release must have all rows of the first"):
        sqlanon.insert_only(con, ["r", "other"], "age", "s")


@pytest.mark.parametrize(
    ("later", "message"),
    [
        ([("*", "1.0"), ("*", "2")], None),
        ([("*", "1"), ("*", "1")], "earlier has 1 rows with 2, and later has 0: the second release must"),
    ],
)
def test_what_is_refused_before_the_attack(
    con: duckdb.DuckDBPyConnection, later: list[tuple[str, str]], message: str | None
) -> None:
    """Values compare as in the attack: 1.0 is 1 where one of the releases has numbers."""
    con.execute("create or replace temp table earlier as from (values ('[0, 9]', 1), ('*', 2)) as t(age, s)")
    table(con, "later", ["age", "s"], later)
    refusal = call("_refuse_lost_values", ["earlier", "later"], "s", None)
    if message is None:
        assert execute(con, refusal) == []
    else:
        with pytest.raises(sqlanon.InputError, match=message):
            execute(con, refusal)
