"""The command line: `sqlanon --help`."""

import contextlib
import csv
import datetime
import difflib
import json
import math
import os
import re
import shlex
import signal
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from decimal import Decimal
from enum import Enum
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Annotated, Any, NoReturn, cast

import duckdb
import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table
from typer.core import TyperGroup

from sqlanon import __version__
from sqlanon.errors import InputError, SqlanonError

if TYPE_CHECKING:
    from sqlglot import exp

    from sqlanon.files import Session
    from sqlanon.release import Release

HOLDS, FAILS, WRONG_USE, BAD_DATA, INTERRUPTED, BROKEN_PIPE = 0, 1, 2, 3, 130, 141

EXIT_CODES = (
    "Exit codes: 0 done, or the check holds; 1 a check fails; 2 wrong use (an option, a column or a file that is not there, an "
    "output that exists); 3 bad data (a table that cannot be read, is empty or cannot meet a requirement); 130 interrupted."
)

# The click exceptions that typer raises, wherever it takes them from.
ClickException = cast(type[Exception], typer.BadParameter.__mro__[2])

errors = Console(stderr=True, soft_wrap=True, highlight=False)


class Commands(TyperGroup):
    """Every error is one line on stderr, and an exit code."""

    def main(self, *args: Any, standalone_mode: bool = True, **extra: Any) -> Any:
        try:
            with _terminated_like_interrupted():
                code = super().main(*args, standalone_mode=False, **extra)
                sys.stdout.flush()
        except ClickException as error:
            code = _complain(cast(Any, error).format_message(), WRONG_USE)
        except typer.Abort:
            code = INTERRUPTED
        except BrokenPipeError:
            code = _broken_pipe()
        if standalone_mode:
            sys.exit(code if isinstance(code, int) else HOLDS)
        return code

    def invoke(self, ctx: Any) -> Any:
        from sqlanon.files import UseError

        try:
            return super().invoke(ctx)
        except UseError as error:
            code = _complain(str(error), WRONG_USE)
        except SqlanonError as error:
            code = _complain(str(error), BAD_DATA)
        except KeyboardInterrupt:
            code = INTERRUPTED
        except BrokenPipeError:
            code = _broken_pipe()
        except (duckdb.Error, OSError, MemoryError) as error:
            code = _complain(str(error) or type(error).__name__, BAD_DATA)
        raise typer.Exit(code)


def _complain(message: str, code: int) -> int:
    line = " ".join(message.split())
    errors.print(f"[bold red]error:[/] {escape(line)}")
    return code


def _broken_pipe() -> int:
    """Whoever reads has had enough, as `head` does."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # nothing is left to fail at exit
    return BROKEN_PIPE


@contextlib.contextmanager
def _terminated_like_interrupted() -> Iterator[None]:
    """A termination cleans up as Ctrl-C does."""

    def interrupt(number: int, frame: FrameType | None) -> NoReturn:
        raise KeyboardInterrupt

    try:
        before = signal.signal(signal.SIGTERM, interrupt)
    except ValueError:  # not in the main thread
        yield
        return
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


app = typer.Typer(
    cls=Commands,
    name="sqlanon",
    help="Anonymize tables with DuckDB, check the result with a query, and attack it with a join.",
    epilog=EXIT_CODES,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
)


# Options


class Format(str, Enum):
    table = "table"
    csv = "csv"
    json = "json"
    markdown = "markdown"


class Distance(str, Enum):
    equal = "equal"
    ordered = "ordered"
    hierarchical = "hierarchical"


class Recoding(str, Enum):
    text = "text"
    range = "range"


REQUIREMENTS = "Requirements"
INPUT_HELP = "A .csv, .tsv, .json, .ndjson, .jsonl (also .gz, .zst) or .parquet file, or file.duckdb::table."

Input = Annotated[str, typer.Argument(metavar="INPUT", help=INPUT_HELP, show_default=False)]
Qi = Annotated[
    list[str],
    typer.Option(
        "--qi",
        metavar="COLUMNS",
        help="Quasi-identifiers, separated by commas; may be repeated. A name with a comma stands in double quotes, as in CSV: "
        "--qi '\"last, first\",age'.",
    ),
]
Sensitive = Annotated[
    list[str] | None, typer.Option("--sensitive", metavar="COLUMNS", help="Sensitive columns, written as in --qi.")
]
Hierarchies = Annotated[
    list[str] | None,
    typer.Option(
        "--hierarchy",
        metavar="COLUMN=FILE",
        help="The hierarchy of a column, a file in ARX's format (value;label;...;*); may be repeated.",
    ),
]
K = Annotated[int | None, typer.Option("--k", min=1, help="k-anonymity: rows in a class.", rich_help_panel=REQUIREMENTS)]
L = Annotated[
    int | None,
    typer.Option(
        "--l", min=1, help="Distinct l-diversity; the l of --recursive-c where that is given.", rich_help_panel=REQUIREMENTS
    ),
]
EntropyL = Annotated[float | None, typer.Option("--entropy-l", min=1, help="Entropy l-diversity.", rich_help_panel=REQUIREMENTS)]
RecursiveC = Annotated[
    float | None,
    typer.Option("--recursive-c", min=0, help="Recursive (c, l)-diversity, with --l.", rich_help_panel=REQUIREMENTS),
]
Alpha = Annotated[
    float | None,
    typer.Option("--alpha", min=0, max=1, help="(alpha, k)-anonymity: largest share of a value.", rich_help_panel=REQUIREMENTS),
]
T = Annotated[float | None, typer.Option("--t", min=0, max=1, help="t-closeness.", rich_help_panel=REQUIREMENTS)]
TDistance = Annotated[Distance, typer.Option("--t-distance", help="The distance of --t.", rich_help_panel=REQUIREMENTS)]
Beta = Annotated[float | None, typer.Option("--beta", min=0, help="Basic beta-likeness.", rich_help_panel=REQUIREMENTS)]
EnhancedBeta = Annotated[
    float | None, typer.Option("--enhanced-beta", min=0, help="Enhanced beta-likeness.", rich_help_panel=REQUIREMENTS)
]
DeltaDisclosure = Annotated[
    float | None, typer.Option("--delta-disclosure", min=0, help="Delta-disclosure.", rich_help_panel=REQUIREMENTS)
]
OutputFormat = Annotated[
    Format | None,
    typer.Option("--format", help="How rows are printed.", show_default="table on a terminal, csv otherwise"),
]
PrintSql = Annotated[
    bool,
    typer.Option(
        "--sql", help="Print the statement and stop. It runs in any DuckDB client that has read what `sqlanon sql` prints."
    ),
]


def _names(option: str, texts: Sequence[str] | None) -> list[str]:
    """Column names: each text is a line of CSV."""
    names: list[str] = []
    for text in texts or ():
        try:
            names += next(csv.reader([text], skipinitialspace=True, strict=True), [""])
        except csv.Error as error:
            raise _usage(f"{option} {text}: not a list of names ({error})") from error
    if "" in names:
        raise _usage(f"{option}: a name is empty")
    return names


def _usage(message: str) -> SqlanonError:
    from sqlanon.files import UseError

    return UseError(message)


def _check_columns(session: "Session", name: str, where: str, roles: dict[str, Sequence[str]]) -> None:
    """Every name is a column of the table, and has one role."""
    columns = session.columns(name)
    known = {column.lower() for column in columns}
    role_of: dict[str, str] = {}
    for role, names in roles.items():
        for column in names:
            if column.lower() not in known:
                raise _usage(f"there is no column {column} in {where}{_nearest(column, columns)}")
            other = role_of.setdefault(column.lower(), role)
            if other != role or [each.lower() for each in names].count(column.lower()) > 1:
                again = f"{role} and {other}" if other != role else f"{role} twice"
                raise _usage(f"column {column} is in {again}: a column has one role")


def _nearest(name: str, columns: Sequence[str]) -> str:
    by_lower = {column.lower(): column for column in columns}
    near = difflib.get_close_matches(name.lower(), by_lower, n=1)
    return f"; did you mean {by_lower[near[0]]}?" if near else f"; it has {', '.join(columns)}"


def _hierarchies(texts: Sequence[str] | None, columns: Sequence[str]) -> list[tuple[str, str]]:
    """(column, file) pairs."""
    found: list[tuple[str, str]] = []
    for text in texts or ():
        match = re.fullmatch(r'("(?:[^"]|"")*"|[^=]+)=(.+)', text)
        if not match:
            raise _usage(f"--hierarchy {text}: write COLUMN=FILE")
        column, path = match[1], match[2]
        if column.startswith('"'):
            column = column[1:-1].replace('""', '"')
        if column.lower() not in {name.lower() for name in columns}:
            raise _usage(f"--hierarchy {text}: {column} is neither a quasi-identifier nor sensitive{_nearest(column, columns)}")
        if column.lower() in {other.lower() for other, _ in found}:
            raise _usage(f"--hierarchy {text}: {column} has a hierarchy already")
        if not Path(path).is_file():
            raise _usage(f"there is no file {path}")
        found.append((column, path))
    return found


