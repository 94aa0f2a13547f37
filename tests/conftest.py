"""Fixtures of all tests, and how Hypothesis runs."""

# As texts: Hypothesis keeps evaluated annotations, and DuckDB 2.0 reports its types there as leaks.
from __future__ import annotations

import os
from collections.abc import Iterator

import duckdb
import pytest
from hypothesis import settings

import sqlanon
from tests.budget import examples

settings.register_profile(
    "sqlanon",
    deadline=None,
    max_examples=examples(25).max_examples,
    derandomize=os.environ.get("CI", "").lower() not in ("", "0", "false"),
)
settings.load_profile("sqlanon")


@pytest.fixture
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection to a database in memory, with sqlanon registered."""
    with duckdb.connect() as connection:
        sqlanon.register(connection)
        yield connection
