"""The de Finetti attack on buckets and classes: what buckets together tell, and the slow version."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sqlanon
from tests.budget import examples
from tests.data import needs_data
from tests.oracles import de_finetti as oracle

# A random release may have values that nobody has.
pytestmark = pytest.mark.filterwarnings("ignore:.* nobody understands these values")


@pytest.fixture(scope="module")
def clinic() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as con:
        sqlanon.register(con)
        yield con


def test_smokers(clinic: duckdb.DuckDBPyConnection) -> None:
    """As in Kifer's example: smokers are in the buckets with cancer, and nothing else tells them apart. In
    the bucket of Ann, who smokes, and Bob the chance is one half; yet it is Ann."""
    clinic.execute(
        """create or replace temp table bucketed as
        select i // 2 as bucket, if(i % 2 = 0 and i < 20, 'yes', 'no') as smokes,
               if(i < 20, ['cancer', 'flu'], ['flu', 'gout']) as disease, i
        from range(40) as numbers(i);
        create or replace temp table people as from (values ('Ann', 'yes', 'cancer'), ('Bob', 'no', 'cancer'))
        as t(name, smokes, truth)"""
    ).fetchall()
    given: dict[str, Any] = {
        "id": "name", "qi": ["smokes"], "sensitive": "disease", "bucket": "bucket", "truth": "truth"
    }  # fmt: skip
    answer = sqlanon.de_finetti(clinic, "bucketed", "people", **given, rounds=20).order("name").fetchall()
    assert answer[0][:2] == ("Ann", "cancer")
    assert answer[0][2] > 0.7
    assert answer[0][3:] == (0.5, True, False, 2)
    none = sqlanon.de_finetti(clinic, "bucketed", "people", **given, rounds=0).order("name").fetchall()
    assert [row[2] for row in none] == [row[3] for row in none]


@examples(25)
@given(
    rows=st.lists(st.tuples(st.sampled_from("ab"), st.integers(1, 3)), min_size=2, max_size=8),
    values=st.lists(st.sampled_from(["flu", "gout", "cold"]), min_size=8, max_size=8),
    rounds=st.integers(0, 4),
    by_bucket=st.booleans(),
)
def test_against_the_slow_version(
    clinic: duckdb.DuckDBPyConnection,
    rows: list[tuple[str, int]],
    values: list[str],
    rounds: int,
    by_bucket: bool,
) -> None:
    """Of rows that are told apart, so that each target is one: in buckets of 2 or 3, or in classes by a."""
    kept = [(*row, i) for i, row in enumerate(rows)]
    group_of = [i // 3 if by_bucket else row[0] for i, row in enumerate(rows)]
    held = {group: [values[i] for i in range(len(rows)) if group_of[i] == group] for group in set(group_of)}
    clinic.execute("create or replace temp table r (a text, b text, i text, bucket int, s text[], v text)")
    clinic.executemany(
        "insert into r values (?, ?, ?, ?, ?, ?)",
        [
            (a, str(b) if by_bucket else "*", str(i) if by_bucket else "*", i // 3,
             sorted(held[group_of[i]]), values[i])
            for a, b, i in kept
        ],
    )  # fmt: skip
    clinic.execute("create or replace temp table t (id integer, a text, b integer, i integer)")
    clinic.executemany("insert into t values (?, ?, ?, ?)", [(i, a, b, i) for a, b, i in kept])
    found = sqlanon.de_finetti(
        clinic, "r", "t", "id", ["a", "b", "i"], "s" if by_bucket else "v",
        bucket="bucket" if by_bucket else None, rounds=rounds,
    ).order("id").fetchall()  # fmt: skip
    wanted = oracle.weights(kept, [held[group] for group in group_of], rounds)
    for row, group, weights in zip(found, group_of, wanted, strict=True):
        assert row[2] == pytest.approx(max(weights.values()), abs=1e-6)
        assert weights[row[1]] == pytest.approx(max(weights.values()), abs=1e-6)
        assert row[3] == pytest.approx(max(map(held[group].count, held[group])) / len(held[group]))
        assert row[6] == len(set(held[group]))


def test_bad_input(clinic: duckdb.DuckDBPyConnection) -> None:
    clinic.execute(
        "create or replace temp table plain as select 1 as a, 'x' as s, 1 as bucket, 'Ann' as name"
    )
    for change, message in (
        ({"qi": []}, "qi names no column"),
        ({"sensitive": "a"}, 'column "a" is named twice'),
        ({}, "with bucket, column s must have lists, the values of the bucket, not VARCHAR"),
        ({"rounds": -1}, "rounds must be a whole number from 0 to 1000, not -1"),
    ):
        given: dict[str, Any] = {
            "release": "plain", "targets": "plain", "id": "name", "qi": ["a"], "rounds": 20
        }  # fmt: skip
        with pytest.raises(sqlanon.SqlanonError, match=message):
            sqlanon.de_finetti(clinic, **{**given, "sensitive": "s", "bucket": "bucket", **change})


@needs_data
def test_buckets_of_adult_give_away_more_than_they_say(con: duckdb.DuckDBPyConnection) -> None:
    """Where buckets of 2 say that the chance is one half, and nothing but they is known."""
    from tests.data import ADULT_QI, load_adult

    load_adult(con, "everybody")
    con.execute("create temp table adult as from everybody where id <= 3000").fetchall()
    sqlanon.anatomize(con, "adult", qi=ADULT_QI, sensitive="occupation", l=2, seed=1, into="bucketed")
    answer = sqlanon.de_finetti(
        con, "bucketed", "adult", "id", ADULT_QI, "occupation", 20, bucket="bucket", truth="occupation"
    )
    summary = {row[-1]: row for row in sqlanon.attack_summary(con, answer).fetchall()}
    assert summary["right"][3] > 52
