"""Rows on stdout, for people and programs; the progress of a long run on stderr.

rich is slow to import, and needed on terminals only.
"""

from __future__ import annotations

import contextlib
import html
import importlib
import json
import math
import re
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Literal

import duckdb
from sqlglot import exp

from sqlanon.core import statements
from sqlanon.core.errors import translating
from sqlanon.core.interrupts import check_interrupted, running
from sqlanon.core.remarks import remark, text, visible

if TYPE_CHECKING:
    from rich.console import Console

SHOWN = 50  # rows of a table; the other formats print all
LONG_WORD = 20  # characters of a value that may be broken on a narrow terminal
PAUSE = 0.2  # seconds between two looks at a run in a notebook


class Format(StrEnum):
    """How rows are printed."""

    table = "table"
    csv = "csv"
    json = "json"
    markdown = "markdown"


def format_of(chosen: Format | None) -> Format:
    """How rows are printed: as a table on a terminal and as CSV otherwise, if nothing is chosen."""
    return chosen or (Format.table if sys.stdout.isatty() else Format.csv)


def show(
    con: duckdb.DuckDBPyConnection,
    table: exp.Expression,
    chosen: Format | None = None,
    most: int = SHOWN,
    words: exp.Select | None = None,
    *,
    has_measures: bool = True,
) -> None:
    """Print the rows of a table or query, `most` of them for people. words: the answer in sentences, a row
    each, which people read first. has_measures: of measures the names for programs (the column id), and what
    is remarked on them, which the sentences say, are then left out for people."""
    chosen = format_of(chosen)
    if words is not None and chosen is Format.table:
        for (sentence,) in statements.execute(con, words):
            print(visible(str(sentence)))
        print()
    every = exp.Columns(this=exp.Star()) if chosen is Format.csv else exp.Star()
    value = exp.cast(every, "text") if chosen is Format.csv else every
    query = statements.render(statements.select(table, value))
    with translating(query), running(con):
        cursor = con.execute(query)
    names = [column[0] for column in cursor.description or ()]
    if chosen is Format.csv:
        print(",".join(map(_csv_field, names)))
        for rows in _batches(cursor):
            print("\n".join(",".join(map(_csv_field, row)) for row in rows))
    elif chosen is Format.json:
        before = "["
        for rows in _batches(cursor):
            for row in rows:
                values = dict(zip(names, map(_json_value, row), strict=True))
                print(before, json.dumps(values, ensure_ascii=False), sep="\n", end="")
                before = ","
        print("[]" if before == "[" else "\n]")
    elif chosen is Format.markdown:
        print("|", " | ".join(map(_markdown_field, names)), "|")
        print("|", " | ".join("---" for _ in names), "|")
        for rows in _batches(cursor):
            print(
                "\n".join(f"| {' | '.join(_markdown_field(text(value)) for value in row)} |" for row in rows)
            )
    else:
        shown = cursor.fetchmany(most + 1)
        cursor.fetchall()
        if shown:
            left_out = {"id", "remark"} if has_measures and words is not None else set[str]()
            kept = [i for i, name in enumerate(names) if name not in left_out]
            show_table([names[i] for i in kept], [[row[i] for i in kept] for row in shown[:most]])
        if len(shown) > most:
            remark(f"the first {most} rows; --format csv, json or markdown prints all")


def show_table(names: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    """Print a table for people; nothing is cut off where no terminal limits its width. On a narrow one heads
    break between words, and the last columns are left out; a remark lists them."""
    from rich.markup import escape
    from rich.table import Table

    console = output()
    heads = [visible(name) for name in names]
    cells = [[text(value) for value in row] for row in rows]
    columns = list(zip(heads, *cells, strict=True))
    widths: list[int | None] = [None] * len(columns)
    room = console.width - 1  # of the last border; every column has one, and two blanks
    if sys.stdout.isatty() and sum(3 + max(map(len, column)) for column in columns) > room:
        heads = [head.replace("_", " ") for head in heads]
        widths = [*_fitting(columns, room)]

    table = Table()
    for i, width in enumerate(widths):
        numeric = any(isinstance(row[i], int | float | Decimal) for row in rows)
        justify: Literal["right", "left"] = "right" if numeric else "left"
        table.add_column(escape(heads[i]), justify=justify, overflow="fold", width=width)
    for row in cells:
        table.add_row(*map(escape, row[: len(widths)]))
    console.print(table)
    if left_out := names[len(widths) :]:
        remark(
            f"not shown, as the terminal is narrow: {', '.join(map(visible, left_out))}; --format csv, json "
            "or markdown prints all"
        )


def _fitting(columns: Sequence[Sequence[str]], room: int) -> list[int]:
    """The widths of as many columns, the first ones, as there is room for; each has its head first."""
    widths = [
        max(_longest_word(head), min(max(map(_longest_word, values), default=0), LONG_WORD))
        for head, *values in columns
    ]
    while len(widths) > 1 and sum(widths) + 3 * len(widths) > room:
        widths.pop()
    whole = [max(map(len, column)) for column in columns]
    spare = room - sum(widths) - 3 * len(widths)
    while spare > 0 and (narrow := [i for i, width in enumerate(widths) if width < whole[i]]):
        for i in narrow[:spare]:
            widths[i] += 1
        spare -= len(narrow[:spare])
    return widths


def _longest_word(string: str) -> int:
    return max(map(len, re.split(r"[_\s]+", string)), default=0)


def output() -> Console:
    """Stdout, for people."""
    from rich.console import Console

    return Console(highlight=False, width=None if sys.stdout.isatty() else 500)


def _batches(cursor: duckdb.DuckDBPyConnection) -> Iterator[list[Any]]:
    while rows := cursor.fetchmany(10_000):
        yield rows


def _csv_field(value: str | None) -> str:
    """As DuckDB writes it: NULL is nothing, an empty text is two quotes."""
    if value is None:
        return ""
    if value == "" or value[0].isspace() or value[-1].isspace() or any(char in value for char in ',"\n\r'):
        return '"' + value.replace('"', '""') + '"'
    return value


def _json_value(value: Any) -> Any:
    """Numbers that JSON does not know (inf, nan) become text, as do dates."""
    if isinstance(value, dict):
        return {str(key): _json_value(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_json_value(inner) for inner in value]
    if isinstance(value, Decimal):
        value = float(value)
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    return value if value is None or isinstance(value, bool | int | str) else str(value)


def _markdown_field(field: str) -> str:
    return visible(field).replace("\\", "\\\\").replace("|", "\\|").replace("\n", "<br>")


def is_notebook() -> bool:
    """Is this a cell of Jupyter?"""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return hasattr(shell, "kernel")


@contextlib.contextmanager
def _in_notebook() -> Iterator[Callable[[float, str], None]]:
    """A line below the cell that says how far a run is. It needs no widgets, for which rich asks. Of a short
    run there is none; in the end it is emptied, so that a saved notebook shows nothing of it."""
    notebook = importlib.import_module("IPython.display")
    shown: Any = None
    last = time.monotonic()

    def progress(done: float, message: str) -> None:
        nonlocal shown, last
        check_interrupted()
        if time.monotonic() - last > PAUSE:
            line = f"<progress value='{done:.3f}'></progress> {done:.0%} {html.escape(visible(message))}"
            if shown is None:
                shown = notebook.display(notebook.HTML(line), display_id=True)
            else:
                shown.update(notebook.HTML(line))
            last = time.monotonic()

    try:
        yield progress
    finally:
        if shown is not None:
            shown.update({"text/plain": ""}, raw=True)


LONG = 60.0  # seconds, after which a log says what a run is at
OFTEN = 30.0  # seconds, after which it repeats a step that goes on


def _in_log(clock: Callable[[], float] = time.monotonic) -> Callable[[float, str], None]:
    """A line for each step of a run, from some seconds on; of a step that goes on, a line now and then."""
    began, last, reported = clock(), "", 0.0

    def progress(done: float, message: str) -> None:
        nonlocal last, reported
        check_interrupted()
        seconds = clock() - began
        step = re.sub(r"[\d,.]+", "0", message)  # of which numbers tell how far it is
        if seconds >= LONG and message and (step != last or seconds >= reported + OFTEN):
            from sqlanon.core.time_left import expected, in_words  # with rich, which is slow to import

            last, reported = step, seconds
            in_all = expected(seconds, done)
            left = "" if in_all is None else f", {in_words(in_all - seconds)}"
            remark(f"{seconds:.0f} s, {100 * done:.0f} %{left}: {message}")

    return progress


@contextlib.contextmanager
def progress_of(given: Callable[[float, str], None] | bool | None) -> Iterator[Callable[[float, str], None]]:
    """The function of a caller; where none is given, or True, that of a bar; False: it shows nothing."""
    if callable(given):
        yield given
    elif given is False:
        yield lambda done, message: None
    else:
        with progress_bar(always=bool(given)) as progress:
            yield progress


@contextlib.contextmanager
def progress_bar(*, always: bool = False) -> Iterator[Callable[[float, str], None]]:
    """A function that shows how far (0 to 1) a long run is: a bar on stderr where that is a terminal, or
    always; a line for each step in a log, if the run is a long one; in a notebook below its cell.

    Where code has dropped an interrupt, it raises that again.
    """
    if is_notebook():
        with _in_notebook() as progress:
            yield progress
        return
    if not always and not sys.stderr.isatty():
        yield _in_log()
        return
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    from sqlanon.core.time_left import TimeLeft, expected

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.percentage:>3.0f} %"),
        TimeElapsedColumn(),
        TimeLeft(),
    )
    console = Console(stderr=True)
    to_terminal = sys.stdout.isatty()  # what is printed meanwhile goes above the bar, else into its file
    with Progress(*columns, console=console, transient=not always, redirect_stdout=to_terminal) as bar:
        task = bar.add_task("", total=1.0)

        def progress(done: float, message: str) -> None:
            check_interrupted()
            seconds = expected(bar.tasks[0].elapsed, done)
            bar.update(task, completed=done, description=escape(visible(message)), expected=seconds)

        yield progress
