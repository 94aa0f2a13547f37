"""Relations as notebooks show them."""

from __future__ import annotations

import html
import sys
from collections.abc import Iterable

import duckdb

from sqlanon.core.remarks import text

SHOWN = 10  # rows


def _row(tag: str, cells: Iterable[str]) -> str:
    return f"<tr>{''.join(f'<{tag}>{html.escape(cell)}</{tag}>' for cell in cells)}</tr>"


def first_rows(relation: duckdb.DuckDBPyRelation) -> str:
    """The first rows of a relation as an HTML table, and how many there are if these are not all."""
    shown, rows = relation.limit(SHOWN).fetchall(), len(relation)
    table = (_row("th", relation.columns), *(_row("td", map(text, row)) for row in shown))
    more = f"<p>{SHOWN} of {rows:,} rows</p>" if rows > SHOWN else ""
    return f"<table>{''.join(table)}</table>{more}"


def show_relations() -> None:
    """Have IPython show DuckDB's relations as tables. From 2.0 on they show themselves so."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    if shell is None or hasattr(duckdb.DuckDBPyRelation, "_repr_mimebundle_"):
        return
    as_html = shell.display_formatter.formatters["text/html"]
    if duckdb.DuckDBPyRelation not in as_html.type_printers:
        as_html.for_type(duckdb.DuckDBPyRelation, first_rows)
