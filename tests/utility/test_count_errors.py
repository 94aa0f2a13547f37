"""count_errors against groups and rows one by one, and against the errors of noise that is drawn."""

from __future__ import annotations

import random
from typing import Any

import duckdb
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import sqlanon
from tests.budget import examples
from tests.tables import Column, call, load, load_hierarchies
from tests.utility.test_utility import close, comparison, spellings, tables, workload


def measured(con: duckdb.DuckDBPyConnection, **arguments: Any) -> dict[str, float]:
    rows = con.execute(f"from {call('count_errors', 't', release='r', **arguments)}").fetchall()
    return {id: value for _, value, _, id in rows}


@settings(examples(15), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_random_groups(con: duckdb.DuckDBPyConnection, data: st.DataObject) -> None:
    """Coarse and fine ones that may overlap; counts below 0; a value that nobody has."""
    qi, _ = data.draw(tables())
    load(con, "t", qi)
    hierarchies = load_hierarchies(con, "h", qi)
    size = data.draw(st.integers(1, 8))
    groups = []
    for column in qi:
        labels = [
            data.draw(st.sampled_from(spellings(column, data.draw(st.sampled_from(column.values)))))
            for _ in range(size)
        ]
        if column is qi[0] and column.type == "VARCHAR" and not column.hierarchy and data.draw(st.booleans()):
            labels[0] = "nobody's"
        groups.append(Column(column.name, "VARCHAR", labels))
    counts = data.draw(st.lists(st.integers(-3, 9), min_size=size, max_size=size))
    deviations = data.draw(st.lists(st.sampled_from([0, 0.5, 2]), min_size=size, max_size=size))
    load(con, "r", [*groups, Column("n", "BIGINT", counts), Column("sd", "DOUBLE", deviations)])
    names = [column.name for column in qi]
    found = measured(con, qi=names, hierarchies=hierarchies, deviation_column="sd", queries=20, seed=3)
    compared = comparison(con, qi, [])
    assert found == close(compared.count_errors(counts, deviations, workload(con, compared, 20, 3)))


def test_errors_are_those_of_the_noise(con: duckdb.DuckDBPyConnection) -> None:
    """Where groups are single values, what is expected is what comes; where they are coarse, more does."""
    con.execute("create table people as select i % 40 as a, i % 7 as b from range(14000) t(i)").fetchall()
    rng = random.Random(1)
    noise = [(a, b, round(rng.gauss(0, 20))) for a in range(40) for b in range(7)]
    con.execute("create table noise(a integer, b integer, z integer)").fetchall()
    con.executemany("insert into noise values (?, ?, ?)", noise)
    con.execute(
        """create table fine as
        select a, b, count(*) + any_value(z) as n, 20 as standard_deviation
        from people join noise using (a, b) group by a, b;
        create table coarse as
        select if(a < 2, '[0, 20]', '[21, 39]') as a, b, sum(n) as n, sqrt(sum(400)) as standard_deviation
        from fine group by all"""
    ).fetchall()
    found = {
        release: {
            id: value
            for *_, value, _, id in sqlanon.count_errors(con, "people", release, ["a", "b"]).fetchall()
        }
        for release in ("fine", "coarse")
    }
    expected = (2 / 3.14159) ** 0.5 * found["fine"]["query_noise_mean"]
    assert found["fine"]["query_error_mean"] == pytest.approx(expected, rel=0.25)
    assert found["coarse"]["query_error_mean"] > 5 * found["coarse"]["query_noise_mean"]
    assert found["fine"]["group_noise"] == pytest.approx(40, rel=0.1)


def test_a_release_with_noise(con: duckdb.DuckDBPyConnection) -> None:
    pytest.importorskip("opendp", reason="opendp is not installed")
    con.execute("create table people as select i % 5 as a from range(5000) t(i)").fetchall()
    con.execute("create table known as from range(6) t(a)").fetchall()
    sqlanon.dp_counts(con, "people", "a", epsilon=0.1, keys="known", into="r")
    found = {row[-1]: row[1] for row in sqlanon.count_errors(con, "people", "r", "a").fetchall()}
    assert found["groups_not_in_original"] == close(100 / 6)
    assert found["group_noise"] == pytest.approx(100 * 14.1 * 6 / 5000, rel=0.5)
    assert 0 < found["query_error_mean"] < 20 * found["query_noise_mean"]


@pytest.mark.parametrize(
    ("release", "message"),
    [
        (
            "select 1 as a, 'x' as n, 1 as standard_deviation",
            '1 rows of table r have no number in column "n"',
        ),
        (
            "select 1 as a, 1 as n, -1 as standard_deviation",
            'no number of at least 0 in column "standard_dev',
        ),
        ("select 1 as a, 1 as n, null as standard_deviation", 'no number of at least 0 in column "standard_'),
        ("select 1 as a, 1 as n", 'unknown column "standard_deviation"'),
        ("select 1 as a, 1 as n, 1 as standard_deviation where false", "table r is empty"),
    ],
)
def test_refused(con: duckdb.DuckDBPyConnection, release: str, message: str) -> None:
    con.execute(f"create table t as select 1 as a; create table r as {release}").fetchall()
    with pytest.raises(sqlanon.InputError, match=message):
        sqlanon.count_errors(con, "t", "r", "a")
