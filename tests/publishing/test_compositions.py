"""Trials of independent releases: how rows are dealt, what is measured, and what seeds have in common."""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import comb
from typing import Any

import duckdb
import pytest

import sqlanon
from sqlanon.core.errors import UseError
from sqlanon.experiments.ganta2008.data import ADULT, COMMON, load
from tests.data import ROOT, data, needs_data


@pytest.fixture(scope="module")
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        sqlanon.register(connection)
        connection.execute(
            "create table people as select i % 20 as age, i // 8 as zip, "
            "['flu', 'cold', 'gout', 'ok'][1 + i * 7 % 4] as disease from range(48) as t(i)"
        ).fetchall()
        yield connection


@pytest.mark.both_lines
@pytest.mark.parametrize(("publishers", "overlap"), [(1, 0.3), (2, 0.5), (3, 0.25), (4, 1.0), (3, 0.01)])
def test_each_publisher_shares_so_many(
    con: duckdb.DuckDBPyConnection, publishers: int, overlap: float
) -> None:
    con.execute("create or replace table numbered as select range as who from range(1003)").fetchall()
    dealt = f"sqlanon._dealt_to_publishers('numbered', 'who', {publishers}, {overlap}, {{}})"
    parts = dict(con.execute(f"select part, count(*) from {dealt.format(1)} group by all").fetchall())
    own = {parts.get(number, 0) for number in range(1, publishers + 1)}
    assert len(own) == 1
    assert parts[0] / (parts[0] + own.pop()) == pytest.approx(overlap, abs=0.01)
    assert parts.get(None, 0) < publishers
    same = f"select count(*) from {dealt.format(1)} as a join {dealt.format(2)} as b using (who, part)"
    assert overlap == 1 or con.execute(same).fetchall() < [(900,)]


@pytest.mark.both_lines
def test_the_interval_has_the_median(con: duckdb.DuckDBPyConnection) -> None:
    """The ranks of its ends, by the binomial distribution: one more would be too many."""
    found = con.execute("select n, sqlanon._rank_of_interval(n) from range(1, 41) as t(n)").fetchall()
    for n, rank in found:
        outside = [2 * sum(comb(n, i) for i in range(most)) / 2**n for most in (rank, rank + 1)]
        assert rank == 1 or outside[0] <= 0.05
        assert outside[1] > 0.05


def test_it_is_what_the_functions_say(con: duckdb.DuckDBPyConnection) -> None:
    """One seed by hand; and a setting that no release meets is a row with the reason."""
    tried = sqlanon.compositions(
        con, "people", ["age", "zip"], "disease", k=[3, 40], releases=[1, 2], seeds=1, progress=False
    )
    assert str(tried).endswith("measures by 1 seeds, overlap 0.5: mondrian, k = 3; mondrian, k = 40")
    found = tried.relation().fetchall()
    con.execute("create or replace table numbered as select row_number() over () as who, * from people")
    con.execute(
        "create or replace table dealt as from sqlanon._dealt_to_publishers('numbered', 'who', 2, 0.5, 1)"
    ).fetchall()
    con.execute("create or replace table shared as from dealt where part = 0").fetchall()
    for number in (1, 2):
        con.execute(f"create or replace view part as from dealt where part in (0, {number})").fetchall()
        sqlanon.mondrian(con, "part", qi=["age", "zip"], sensitive="disease", k=3, into=f"r{number}")
    for releases in (["r1"], ["r1", "r2"]):
        wanted = con.execute(
            "select id, unit, value from sqlanon.breaches($1, 'shared', 'who', ['age', 'zip'], 'disease', "
            "truth := 'disease') where value is not null",
            [releases],
        ).fetchall()
        by_hand = {(measure, unit): value for measure, unit, value in wanted}
        measured = {
            (measure, unit): (mean, median, low, high)
            for _, k, n, _, measure, unit, seeds, mean, median, low, high, _ in found
            if (k, n, seeds) == (3, len(releases), 1)
        }
        assert measured == {key: pytest.approx((value,) * 4) for key, value in by_hand.items()}
    [refused] = [row for row in found if row[1] == 40]
    assert refused[6] == 0
    assert "no release can meet the requirements" in refused[-1]
    left = "select count(*) from duckdb_tables() where table_name like '%part_%'"
    assert con.execute(left).fetchall() == [(0,)]


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"overlap": 0}, "overlap must be above 0 and at most 1, not 0"),
        ({"overlap": 1.5}, "overlap must be above 0 and at most 1, not 1.5"),
        ({"k": []}, "k names no number"),
        ({"methods": "mondrien"}, "did you mean mondrian"),
        ({"releases": [0, 2]}, "releases must be numbers of at least 1"),
        ({"seeds": 0}, "seeds must be at least 1, not 0"),
        ({"overlap": 0.001}, "people has too few rows for 2 tables with an overlap of 0.001"),
        ({"sensitive": []}, "give sensitive"),
    ],
)
def test_bad_input(con: duckdb.DuckDBPyConnection, asked: dict[str, object], message: str) -> None:
    given: dict[str, Any] = {"qi": ["age", "zip"], "sensitive": "disease", "progress": False, **asked}
    with pytest.raises(UseError, match=message):
        sqlanon.compositions(con, "people", **given)


@needs_data
@pytest.mark.slow("a minute of trials")
def test_the_experiment_of_the_paper() -> None:
    """Two subsets of Adult that share 5000 people: the median is within what the seeds of `reproduce` have
    (examples/ganta2008/README.md), which deals people by another hash."""
    kept = (ROOT / "examples" / "ganta2008" / "README.md").read_text("utf-8")
    [breach] = re.findall(r"Adult, k = 5: perfect breach .*?\(([\d.]+) to ([\d.]+)\)", kept)
    [size] = re.findall(r"\| Adult \| rows in the class \| ([\d.]+)", kept)
    with duckdb.connect() as connection:
        sqlanon.register(connection)
        people = load(connection, ADULT, data() / "adult" / "adult.data")
        overlap = 2 * COMMON / (people + COMMON)
        tried = sqlanon.compositions(
            connection, "people", ADULT.qi, "occupation", k=5, overlap=overlap, seeds=6, progress=False
        )
        rows = tried.relation().select("measure", "median", "low", "high").fetchall()
    measured = {measure: values for measure, *values in rows}
    assert measured["targets"] == [COMMON] * 3
    assert float(breach[0]) <= measured["pvp_100"][0] <= float(breach[1])
    assert measured["average_class_size"][0] == pytest.approx(float(size), abs=0.5)
