"""The command line: `sqlanon --help`. The commands are in sqlanon/cli/commands."""

import contextlib
import os
import sys
from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Annotated, Any, Literal, cast

import duckdb
import typer
from typer.core import TyperGroup

from sqlanon import __version__
from sqlanon.core.errors import SqlanonError, UseError
from sqlanon.core.interrupts import interruptible
from sqlanon.core.remarks import complain

DONE, FAILS, WRONG_USE, BAD_DATA, INTERRUPTED, BROKEN_PIPE = 0, 1, 2, 3, 130, 141

EXIT_CODES = (
    "Exit codes: 0 done, or the check holds; 1 a check fails; 2 wrong use (an option, a file or a column "
    "that is not there, an output that exists); 3 bad data (it cannot be read, is empty, or cannot meet a "
    "requirement); 130 interrupted."
)

# What typer raises for wrong use, wherever it takes it from.
ClickException = cast(type[Exception], typer.BadParameter.__mro__[2])


# Each command, and the module in sqlanon/cli/commands that has it.
MODULES = {
    "anonymize": "anonymize",
    "perturb": "perturb",
    "mask": "perturb",
    "check": "check",
    "lattice": "lattice",
    "risk": "risk",
    "quasi-identifiers": "risk",
    "uniques": "risk",
    "utility": "utility",
    "disclosure": "utility",
    "record-linkage": "utility",
    "attack": "attack",
    "report": "report",
    "init": "init",
    "sql": "sql",
    "demo": "experiments",
    "reproduce": "experiments",
}


class ByName(Mapping[str, Any]):
    """The commands. The module of one is imported when it is asked for."""

    def __getitem__(self, name: str) -> Any:
        module = import_module(f"sqlanon.cli.commands.{MODULES[name]}")
        return typer.main.get_group(module.app).commands[name]

    def __iter__(self) -> Iterator[str]:
        return iter(MODULES)

    def __len__(self) -> int:
        return len(MODULES)


class Commands(TyperGroup):
    """Every error is one line on stderr and an exit code."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.commands = cast(Any, ByName())

    def main(self, *args: Any, **extra: Any) -> Any:
        standalone = extra.pop("standalone_mode", True)
        try:
            with interruptible():
                code = super().main(*args, **extra | {"standalone_mode": False})
                sys.stdout.flush()
        except ClickException as error:
            code = _fail(cast(Any, error).format_message(), WRONG_USE)
        except (KeyboardInterrupt, typer.Abort):
            code = INTERRUPTED
        except BrokenPipeError:
            code = _broken_pipe()
        if standalone:
            sys.exit(code if isinstance(code, int) else DONE)
        return code

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except UseError as error:
            code = _fail(str(error), WRONG_USE)
        except SqlanonError as error:
            code = _fail(getattr(error, "message", str(error)), BAD_DATA)  # without the statement
        except KeyboardInterrupt:
            code = INTERRUPTED
        except BrokenPipeError:
            code = _broken_pipe()
        except (duckdb.Error, OSError, MemoryError) as error:
            code = _fail(str(error) or type(error).__name__, BAD_DATA)
        raise typer.Exit(code)


def _fail(message: str, code: int) -> int:
    complain(message)
    return code


def _broken_pipe() -> int:
    """Whoever reads has had enough, as `head` does."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # nothing is left to fail at exit
    return BROKEN_PIPE


MARKUP: Literal["markdown"] = "markdown"  # of help


def topic() -> typer.Typer:
    """What the commands of a module are added to."""
    return typer.Typer(rich_markup_mode=MARKUP)


app = typer.Typer(
    cls=Commands,
    name="sqlanon",
    help="Anonymize tables with DuckDB, check the result with a query, and attack it with a join.",
    epilog=EXIT_CODES,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=MARKUP,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        print(f"sqlanon {__version__} (DuckDB {duckdb.__version__})")
        raise typer.Exit


@app.callback()
def _main(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    pass
