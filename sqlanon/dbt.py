"""A plugin for dbt-duckdb that makes the macros known in the database that dbt works with.

In the profile:
  plugins:
    - module: sqlanon.dbt
"""

from __future__ import annotations

from importlib.util import find_spec

import duckdb
from dbt.adapters.duckdb.plugins import BasePlugin

import sqlanon


class Plugin(BasePlugin):  # type: ignore[misc]
    """Registers the macros, and the functions for microaggregation and, with opendp, for noise."""

    def configure_connection(self, conn: duckdb.DuckDBPyConnection) -> None:
        sqlanon.register_functions(conn, noise=find_spec("opendp") is not None)
