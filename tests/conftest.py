"""Fixtures of all tests, which of them run, and how Hypothesis does."""

# As texts: Hypothesis keeps evaluated annotations, and DuckDB 2.0 reports its types there as leaks.
from __future__ import annotations

import os
from collections.abc import Iterator

import duckdb
import pytest
from hypothesis import settings

import sqlanon
from tests import budget


def pytest_configure(config: pytest.Config) -> None:
    if "not exhaustive" not in config.option.markexpr:
        budget.try_all()
    settings.register_profile(
        "sqlanon",
        budget.examples(25),
        derandomize=os.environ.get("CI", "").lower() not in ("", "0", "false"),
    )
    settings.load_profile("sqlanon")


@pytest.hookimpl(tryfirst=True)  # before marked tests are left out
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    budget.mark_cases(items)


@pytest.fixture
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection to a database in memory, with sqlanon registered."""
    with duckdb.connect() as connection:
        sqlanon.register(connection)
        yield connection
