"""A connection on which SQL draws noise, shared because functions take long to register."""

from __future__ import annotations

from collections.abc import Iterator

import duckdb
import pytest

import sqlanon
from tests.conftest import cleaned


@pytest.fixture(scope="session")
def drawing_connection() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as con:
        sqlanon.register_functions(con, noise=True)
        yield con


@pytest.fixture
def drawing(drawing_connection: duckdb.DuckDBPyConnection) -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection on which SQL draws; its tables are gone after the test."""
    yield drawing_connection
    cleaned(drawing_connection)
