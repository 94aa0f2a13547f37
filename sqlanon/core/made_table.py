"""A table that a function has made, as data: for pandas, polars, Arrow, and for the next function."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import duckdb

from sqlanon.core.errors import InputError

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl
    import pyarrow as pa


class MadeTable:
    """What has made a table knows its name, and the connection that it is in."""

    table: str
    con: duckdb.DuckDBPyConnection | None

    def relation(self, con: duckdb.DuckDBPyConnection | None = None) -> duckdb.DuckDBPyRelation:
        """The table as a relation of the connection that made it, or of another one that can see it."""
        from sqlanon.core import statements  # with sqlglot, which is slow to import

        of = con or self.con
        if of is None:
            raise InputError(f"nobody knows any more in which connection {self.table} is: give one")
        return statements.answer(of, statements.select(statements.named_table(self.table)))

    @property
    def columns(self) -> list[str]:
        return self.relation().columns

    def df(self) -> pd.DataFrame:
        """As a DataFrame of pandas."""
        return self.relation().df()

    def pl(self) -> pl.DataFrame:
        """As a DataFrame of polars, where that is installed."""
        frame: pl.DataFrame = self.relation().pl()
        return frame

    def arrow(self) -> pa.Table:
        """As a table of Arrow, where pyarrow is installed."""
        return self.relation().to_arrow_table()

    def __arrow_c_stream__(self, requested_schema: object = None) -> Any:
        """For whoever reads Arrow: pandas, polars, pyarrow and others take this release as it is."""
        return self.relation().__arrow_c_stream__(requested_schema)
