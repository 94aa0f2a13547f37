"""Randomized response: how often a value stays, what it becomes, and what is estimated from that."""

from __future__ import annotations

import math
from collections import Counter

import duckdb
import pytest

import sqlanon
from tests.oracles import noise as oracle

N = 8000


def load(con: duckdb.DuckDBPyConnection, value: str, n: int = N) -> None:
    con.execute(
        f"""create or replace temp table k as select unnest(['a', 'b', 'c', null]) as v;
        create or replace temp table t as select {value} as v, i as id from range({n}) t(i)"""
    ).fetchall()


@pytest.mark.parametrize("value", ["'b'", "null::varchar", "'z'"])
def test_distribution(drawing: duckdb.DuckDBPyConnection, value: str) -> None:
    """A value stays with p, or becomes each other with q; one that is no category becomes any."""
    load(drawing, value)
    result = drawing.execute("from sqlanon.randomized_response('t', 'v', 'k', epsilon := ln(3))")
    assert [name for name, *_ in result.description or []] == ["v"]
    found = [v for (v,) in result.fetchall()]
    assert found == sorted(found, key=lambda v: (v is None, v))  # nothing of the order of rows
    counts = Counter(found)
    stays = {"'b'": "b", "null::varchar": None}.get(value, "nothing")
    for v in ("a", "b", "c", None):
        p = 1 / 4 if stays == "nothing" else 1 / 2 if v == stays else 1 / 6
        assert abs(counts[v] / N - p) < oracle.margin(N)
    assert counts.total() == N


def test_two_values(drawing: duckdb.DuckDBPyConnection) -> None:
    """Neighbours: everybody says yes, or everybody no."""
    drawing.execute("create or replace temp table yes_no as select unnest([true, false]) as v").fetchall()
    found = []
    for value in ("true", "false"):
        load(drawing, value)
        rows = drawing.execute(
            "from sqlanon.randomized_response('t', 'v', 'yes_no', epsilon := 1)"
        ).fetchall()
        found.append([int(v) for (v,) in rows])
    assert 2 < oracle.largest_ratio(found[0], found[1]) < math.e


def test_estimates(con: duckdb.DuckDBPyConnection) -> None:
    """300 of 1,000 say a at epsilon ln 3, of four values: 400 of them would be expected to be a."""
    load(con, "if(i < 300, 'a', ['b', 'c', null][i % 3 + 1])", 1000)
    rows = sqlanon.debiased_counts(con, "t", "v", "k", math.log(3)).fetchall()
    by_value = {v: rest for v, *rest in rows}
    p, q = 1 / 2, 1 / 6
    n, deviation, low, high = by_value["a"]
    assert n == pytest.approx((300 - 1000 * q) / (p - q)) == pytest.approx(400)
    assert deviation == pytest.approx(math.sqrt(400 * p * (1 - p) + 600 * q * (1 - q)) / (p - q))
    assert (low, high) == (pytest.approx(n - 1.96 * deviation), pytest.approx(n + 1.96 * deviation))
    assert sum(n for _, n, *_ in rows) == pytest.approx(1000)


def test_from_python(con: duckdb.DuckDBPyConnection) -> None:
    load(con, "if(i < 6000, 'a', null)")
    release = sqlanon.randomized_response(con, "t", "v", "k", epsilon=1, into="r")
    assert (release.rows, release.cost.epsilon, release.cost.mechanism) == (N, 1, "randomized response")
    rows = sqlanon.debiased_counts(con, "r", "v", "k", 1).fetchall()
    for (_, n, deviation, *_), true in zip(rows, (6000, 0, 0, 2000), strict=True):
        assert abs(n - true) < 6 * deviation


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("randomized_response('t', ['v', 'id'], 'k', epsilon := 1)", "columns names one column"),
        ("randomized_response('t', 'v', 'one', epsilon := 1)", "keys must have two values at least, not 1"),
        ("randomized_response('t', 'id', 'words', epsilon := 1)", "INTEGER in the table|in keys: cast it"),
        ("randomized_response('t', 'v', 'k')", "give epsilon"),
        ("debiased_counts('t', 'v', 'k', 0)", "epsilon must be between 1e-6"),
        ("debiased_counts('t', ['v', 'id'], 'k', 1)", "columns names the one column"),
    ],
)
def test_refused(drawing: duckdb.DuckDBPyConnection, call: str, message: str) -> None:
    load(drawing, "'a'", 5)
    drawing.execute(
        """create or replace temp table one as select 'a' as v;
        create or replace temp table words as select unnest(['a', 'b']) as id"""
    ).fetchall()
    with pytest.raises(duckdb.Error, match=message):
        drawing.execute(f"from sqlanon.{call}").fetchall()
