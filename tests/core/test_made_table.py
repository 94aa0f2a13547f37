"""A release is data, for pandas, polars and Arrow, and for the next function."""

from __future__ import annotations

import dataclasses

import duckdb
import pyarrow as pa
import pytest

import sqlanon
from sqlanon.core.errors import UNNAMED, InputError
from sqlanon.core.made_table import WAITS_FOR_ITSELF
from sqlanon.core.release import Release


@pytest.fixture
def release(con: duckdb.DuckDBPyConnection) -> Release:
    con.execute(
        """create or replace table people as
        select i as id, 20 + i % 10 as age, ['flu', 'hiv', 'gout'][i % 3 + 1] as disease
        from range(30) as row(i)"""
    ).fetchall()
    return sqlanon.mondrian(con, "people", qi="age", sensitive="disease", k=3, seed=1)


@pytest.mark.slow("1 s")
def test_it_is_data(con: duckdb.DuckDBPyConnection, release: Release) -> None:
    rows = con.table(release.table).fetchall()
    assert len(rows) == 30
    assert release.columns == ["age", "disease"]
    assert release.relation().fetchall() == release.relation(con).fetchall() == rows
    assert list(release.df().itertuples(index=False, name=None)) == rows
    assert [tuple(row.values()) for row in release.arrow().to_pylist()] == rows
    # before 2.0, `con.sql("from release")` would wait for ever if it had this
    assert hasattr(release, "__arrow_c_stream__") == (not WAITS_FOR_ITSELF)
    if not WAITS_FOR_ITSELF:
        assert pa.RecordBatchReader.from_stream(release).read_all() == release.arrow()


@pytest.mark.slow("1 s")
def test_errors_call_it_by_what_it_is(con: duckdb.DuckDBPyConnection, release: Release) -> None:
    told = r'unknown column "zap" in the release \(mondrian, k = 3\)'
    with pytest.raises(InputError, match=told):
        sqlanon.violations(con, release.table, qi=["age", "zap"], k=3)
    assert release.table in UNNAMED
    of_another = sqlanon.mondrian(con, release, qi=["age"], k=3).table
    assert of_another not in UNNAMED  # nobody has it any more


@pytest.mark.slow("1 s")
def test_polars_reads_it(release: Release) -> None:
    pytest.importorskip("polars")
    assert release.pl().rows() == release.relation().fetchall()


@pytest.mark.slow("2 s")
def test_the_next_function_takes_it(con: duckdb.DuckDBPyConnection, release: Release) -> None:
    other = sqlanon.mondrian(con, "people", qi="age", sensitive="disease", k=5, seed=1)
    by_release = sqlanon.breaches(con, [release, other], "people", id="id", qi="age", sensitive="disease")
    names = [release.table, other.table]
    by_name = sqlanon.breaches(con, names, "people", id="id", qi="age", sensitive="disease")
    assert by_release.fetchall() == by_name.fetchall()
    with pytest.raises(InputError, match="releases is a list of releases, not one Release"):
        sqlanon.breaches(con, release, "people", id="id", qi="age", sensitive="disease")  # type: ignore[call-overload]


def test_another_connection_takes_it(release: Release) -> None:
    with duckdb.connect() as other:
        found = sqlanon.risk(other, release, qi="age").fetchall()
    assert found[0][:2] == ("records", 30)


def test_the_connection_is_no_value(release: Release) -> None:
    """It neither shows nor counts; without it nobody knows where the table is."""
    lost = dataclasses.replace(release, con=None)
    assert lost == release
    assert "Connection" not in repr(release)
    with pytest.raises(InputError, match="in which connection"):
        lost.df()


def test_noise_is_data(con: duckdb.DuckDBPyConnection, release: Release) -> None:
    pytest.importorskip("opendp")
    con.execute("create or replace table known as select unnest(['flu', 'hiv', 'gout']) as disease")
    counts = sqlanon.dp_counts(con, "people", "disease", epsilon=100, keys="known")
    assert counts.columns[:2] == ["disease", "n"]
    assert dict(zip(counts.df()["disease"], counts.df()["n"], strict=True)).keys() == {"flu", "hiv", "gout"}
