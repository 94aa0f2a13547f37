"""Who may see values of people in messages."""

from __future__ import annotations

import duckdb

from sqlanon.core.connection import connection_first
from sqlanon.core.errors import SHOW_VALUES, show_values_of_duckdb
from sqlanon.core.library import registering


@connection_first
def show_values(con: duckdb.DuckDBPyConnection, shown: bool = True) -> None:
    """Have errors show values of people, of which they otherwise only say how many are wrong.

    Errors are logged and sent around. In any other client it is SET VARIABLE sqlanon_show_values = true. It
    is so for the macros in this connection (not in its cursors), and for what DuckDB itself quotes, such as
    what cannot be converted, in this process.
    """
    with registering("set variable"):
        con.execute(f"set variable {SHOW_VALUES} = {'true' if shown else 'false'}").fetchall()
    show_values_of_duckdb(shown)
