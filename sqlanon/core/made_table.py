"""A table that a function has made, as data: for pandas, polars, Arrow, and for the next function."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any

import duckdb

from sqlanon.core.errors import InputError, SqlanonError
from sqlanon.core.notebooks import first_rows

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl
    import pyarrow as pa


# Before 2.0, `con.sql("from release")` asks the variable for its rows while it holds the connection that they
# are in, and waits for ever. It refuses what has no __arrow_c_stream__.
WAITS_FOR_ITSELF = int(duckdb.__version__.partition(".")[0]) < 2


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

    def __len__(self) -> int:
        """How many rows it has."""
        return len(self.relation())

    def __bool__(self) -> bool:
        """A table is there, also without rows."""
        return True

    def head(self, n: int = 5) -> pd.DataFrame:
        """The first rows, as a DataFrame of pandas."""
        return self.relation().limit(n).df()

    def to_pandas(self) -> pd.DataFrame:
        """As a DataFrame of pandas, by the name that others give to this."""
        return self.df()

    def __repr__(self) -> str:
        """At the keyboard: what it is, in a sentence."""
        return str(self)

    def _repr_html_(self) -> str:
        """For notebooks: what it is, and the first rows."""
        return f"<p>{html.escape(str(self))}</p>{self.first_rows()}"

    def first_rows(self) -> str:
        """The first rows as HTML; nothing where they are gone."""
        try:
            return first_rows(self.relation())
        except (duckdb.Error, SqlanonError):
            return ""

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

    if WAITS_FOR_ITSELF:
        del __arrow_c_stream__
