"""Spreadsheets (.xlsx): a sheet is read as if it were saved as CSV, and a table is written as a sheet."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from datetime import date, datetime, time
from decimal import Decimal
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import duckdb
from sqlglot import exp

from sqlanon.core.errors import InputError, UseError
from sqlanon.core.statements import execute, select

MOST_ROWS = 2**20 - 1  # of a sheet, beside its header
EXACT_INTEGERS = 10**15  # Excel keeps fifteen digits
# What a cell can hold; other types are written as text.
OF_CELLS = (
    "BOOLEAN", "TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER", "DOUBLE",
    "FLOAT", "DECIMAL", "DATE", "TIMESTAMP", "TIME", "VARCHAR",
)  # fmt: skip


def _need_openpyxl() -> None:
    if find_spec("openpyxl") is None:
        raise InputError("spreadsheets need openpyxl: pip install 'sqlanon[excel]'")


def write_csv(path: Path, sheet: str | None, written: Path) -> str | None:
    """Write a sheet, the first one if none is named, as CSV; what there is to say, if anything is.

    Errors: InputError for what is no spreadsheet; UseError for a sheet that is not there.
    """
    _need_openpyxl()
    from openpyxl import load_workbook

    try:
        book = load_workbook(path, read_only=True, data_only=True)
    except Exception as error:  # of zipfile, xml and openpyxl
        raise InputError(f"{path} cannot be read as a spreadsheet (.xlsx)") from error
    try:
        names = book.sheetnames
        if sheet is not None and sheet not in names:
            raise UseError(f"there is no sheet {sheet} in {path}: it has {', '.join(names)}")
        rows = [list(row) for row in book[sheet or names[0]].iter_rows(values_only=True)]
    finally:
        book.close()
    rows = _without_margins(rows)
    are_dates = [_are_dates([row[i] for row in rows[1:]]) for i in range(len(rows[0]) if rows else 0)]
    with written.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(
            [_text(value, is_date) for value, is_date in zip(row, are_dates, strict=True)] for row in rows
        )
    if sheet is None and len(names) > 1:
        return f"{path} has {len(names)} sheets, of which {names[0]} is read. Another one: {path}::{names[1]}"
    return None


def _without_margins(rows: Sequence[list[Any]]) -> list[list[Any]]:
    """Without empty rows before and behind, and columns behind that have neither a name nor a value."""
    filled = [i for i, row in enumerate(rows) if any(value is not None for value in row)]
    kept = rows[filled[0] : filled[-1] + 1] if filled else []
    width = max((i + 1 for row in kept for i, value in enumerate(row) if value is not None), default=0)
    return [(row + [None] * width)[:width] for row in kept]


def _are_dates(values: Sequence[Any]) -> bool:
    """Are all times of a column at midnight? A spreadsheet has no dates of its own."""
    return all(value.time() == time() for value in values if isinstance(value, datetime))


def _text(value: Any, is_date: bool) -> str:
    """A cell as SQL writes it; empty is NULL."""
    match value:
        case None:
            return ""
        case bool():
            return str(value).lower()
        case float():
            return str(int(value)) if value.is_integer() and abs(value) < EXACT_INTEGERS else repr(value)
        case datetime():
            return str(value.date() if is_date else value.replace(microsecond=0))
        case _:
            return str(value)


def write_sheet(con: duckdb.DuckDBPyConnection, query: exp.Expression, written: Path, title: str) -> None:
    """Write the rows of a query as the sheet of a new spreadsheet. Errors: InputError for too many."""
    _need_openpyxl()
    from openpyxl import Workbook
    from openpyxl.utils.exceptions import IllegalCharacterError

    described = execute(con, exp.Describe(this=query.copy()))
    columns = [
        exp.column(name, quoted=True)
        if str(type_).partition("(")[0] in OF_CELLS
        else exp.cast(exp.column(name, quoted=True), "text")
        for name, type_, *_ in described
    ]
    rows = execute(
        con,
        select(
            exp.Subquery(this=query.copy(), alias=exp.TableAlias(this=exp.to_identifier("released"))),
            *columns,
        ),
    )
    if len(rows) > MOST_ROWS:
        raise InputError(f"{title}: a sheet has {MOST_ROWS:,} rows at most, and these are {len(rows):,}")
    book = Workbook(write_only=True)
    sheet = book.create_sheet("Sheet1")
    try:
        for row in [[str(name) for name, *_ in described], *rows]:
            sheet.append(list(_cells(sheet, row)))
    except IllegalCharacterError as error:
        raise InputError(f"{title}: a sheet cannot hold a control character that is in a text") from error
    book.save(written)


def _cells(sheet: Any, row: Sequence[Any]) -> Iterator[Any]:
    """Texts are texts, also those that begin as a formula does."""
    from openpyxl.cell import WriteOnlyCell

    for value in row:
        is_large = isinstance(value, int) and abs(value) >= EXACT_INTEGERS
        if isinstance(value, bool | int | float | Decimal | date | time | None) and not is_large:
            yield value
            continue
        cell = WriteOnlyCell(sheet, str(value))
        cell.data_type = "s"
        yield cell
