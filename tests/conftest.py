"""Fixtures of all tests, and how Hypothesis runs."""

# As texts: Hypothesis keeps evaluated annotations, and DuckDB 2.0 reports its types there as leaks.
from __future__ import annotations

import os
from collections.abc import Iterator

import duckdb
import pytest
from hypothesis import settings

import sqlanon

settings.register_profile(
    "sqlanon",
    deadline=None,
    # planning takes several times as long on the long-term line
    max_examples=8 if duckdb.__version__.startswith("1.") else 25,
    derandomize=os.environ.get("CI", "").lower() not in ("", "0", "false"),
)
settings.load_profile("sqlanon")


@pytest.fixture
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection to a database in memory, with sqlanon registered."""
    with duckdb.connect() as connection:
        sqlanon.register(connection)
        yield connection
