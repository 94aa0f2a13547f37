"""A table that a function has made, as data: for pandas, polars, Arrow, and for the next function."""

from __future__ import annotations

import html
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import duckdb

from sqlanon.core.errors import InputError, SqlanonError

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl
    import pyarrow as pa


SHOWN = 10  # rows in a notebook


def _row(tag: str, cells: Iterable[str]) -> str:
    return f"<tr>{''.join(f'<{tag}>{html.escape(cell)}</{tag}>' for cell in cells)}</tr>"


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

    def _repr_html_(self) -> str:
        """For notebooks: what it is, and the first rows."""
        return f"<p>{html.escape(str(self))}</p>{self.first_rows()}"

    def first_rows(self) -> str:
        """The first rows as HTML; nothing where they are gone."""
        from sqlanon.core.printing import text  # with sqlglot, which is slow to import

        try:
            found = self.relation()
            rows = found.limit(SHOWN).fetchall()
        except (duckdb.Error, SqlanonError):
            return ""
        return "".join((
            "<table>", _row("th", found.columns), *(_row("td", map(text, row)) for row in rows), "</table>",
        ))  # fmt: skip

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
