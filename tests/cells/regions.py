"""A hierarchy of regions for tables of cells, and the mark of tests that need the solver."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import duckdb
import pytest

import sqlanon
from sqlanon.tables.programs import has_solver

REGIONS: Mapping[str | None, Sequence[str | None]] = {
    "x": ["x", "xy", "*"],
    "y": ["y", "xy", "*"],
    "z": ["z", "z", "*"],
}
solver = pytest.mark.skipif(
    not has_solver(), reason="highspy is not installed: pip install 'sqlanon[tables]'"
)


def with_regions(attribute: str = "a") -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection with the hierarchy as a table, regions."""
    with duckdb.connect() as connection:
        sqlanon.register(connection)
        rows = [
            (attribute, value, level, label)
            for value, labels in REGIONS.items()
            for level, label in enumerate(labels)
        ]
        connection.execute("create table regions (attribute text, value text, level integer, label text)")
        connection.executemany("insert into regions values (?, ?, ?, ?)", rows)
        yield connection
