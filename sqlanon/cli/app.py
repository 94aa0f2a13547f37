"""The command line: `sqlanon --help`. The commands are in sqlanon/cli/commands."""

import contextlib
import inspect
import os
import sys
import warnings
from collections.abc import Callable
from importlib import import_module
from typing import Annotated, Any, Literal, TypeVar, cast

import typer
from typer.core import TyperCommand, TyperGroup

from sqlanon import __version__
from sqlanon.core.errors import (
    LeavingWarning,
    SqlanonError,
    UseError,
    for_the_command_line,
    show_values_of_duckdb,
    without_values,
)
from sqlanon.core.interrupts import interruptible
from sqlanon.core.remarks import complain

Function = TypeVar("Function", bound=Callable[..., Any])

DONE, FAILS, WRONG_USE, BAD_DATA, INTERRUPTED, BROKEN_PIPE = 0, 1, 2, 3, 130, 141

EXIT_CODES = (
    "Exit codes: 0 done, or the check holds; 1 a check fails; 2 wrong use (an option, a file or a column "
    "that is not there, an output that exists); 3 bad data (it cannot be read, is empty, cannot meet a "
    "requirement, or an attack locates nobody in it); 130 interrupted."
)

# What typer raises for wrong use, wherever it takes it from.
ClickException = cast(type[Exception], typer.BadParameter.__mro__[2])


# Each command: the module in sqlanon/cli/commands that has it, and the first paragraph of its help.
COMMANDS = {
    "anonymize": (
        "anonymize",
        "Release a table that meets privacy requirements: as a policy says, or the options, or both.",
    ),
    "scheme": (
        "scheme",
        "Write the scheme of a release, by which method recode of 'sqlanon anonymize' recodes another table.",
    ),
    "perturb": (
        "perturb",
        "Release a table with columns changed by chance or made coarser, and those in --keep as they are.",
    ),
    "mask": (
        "perturb",
        "Release a table with the columns that name somebody masked, and with the columns in --keep as "
        "they are.",
    ),
    "m-invariant": (
        "m_invariant",
        "Release a table that grows and shrinks once more, m-invariant with the releases before.",
    ),
    "m-invariance": (
        "m_invariant",
        "Check releases of a table that grows and shrinks: are they m-invariant together?",
    ),
    "check": (
        "check",
        "Check a table: which privacy it reaches, or which classes violate a requirement.",
    ),
    "lattice": (
        "lattice",
        "Print the ways to generalize a table, one row each: a hierarchy's level for every quasi-identifier.",
    ),
    "frontier": (
        "frontier",
        "Choose a release: what several methods give away and lose for several k, and which nothing "
        "dominates.",
    ),
    "risk": (
        "risk",
        "Print how likely the records of a table or a release are re-identified: a row per measure.",
    ),
    "identifiers": (
        "risk",
        "Print the columns that identify people by themselves, judged by their values and names.",
    ),
    "quasi-identifiers": (
        "risk",
        "Print which columns tell the rows of a table apart: a row per set of columns, small ones first.",
    ),
    "uniques": (
        "risk",
        "Print which few columns tell each record from all others: a row per record and minimal set of "
        "columns.",
    ),
    "utility": (
        "utility",
        "Print what a release has lost against its original: a row per measure, and column if it is about "
        "one.",
    ),
    "count-errors": (
        "utility",
        "Print how well counts with noise answer random range counts, and how much of their error is the "
        "noise.",
    ),
    "disclosure": (
        "utility",
        "Print what a perturbed release still tells of the original: a row per column, and one for all of "
        "them.",
    ),
    "record-linkage": (
        "utility",
        "Print how often the nearest original of a released row is its own: what an adversary would find.",
    ),
    "attack": (
        "attack",
        "Attack releases: what they tell, alone and together, about the people who are in them.",
    ),
    "attacks": (
        "attack",
        "List the attacks, a row each, or explain one of them: what it takes, and what it tells.",
    ),
    "report": (
        "report",
        "Write a page on what releases disclose, each and together, for those whose data it is.",
    ),
    "publish": (
        "publish",
        "Anonymize a table, attack it with all that is published, and publish it only if that is tolerated.",
    ),
    "releases": (
        "publish",
        "List the releases of a register, a row each.",
    ),
    "audit": (
        "publish",
        "Attack all releases of a register anew, each and together, and record what is found.",
    ),
    "register": (
        "publish",
        "Add releases of others to a register, withdraw a release, or look people up.",
    ),
    "table": (
        "table",
        "Tables of counts and sums: their cells, which are unsafe, how to hide them, and what leaks.",
    ),
    "dp": (
        "dp",
        "Release a table with differential privacy, if the budget of its source allows it.",
    ),
    "budget": (
        "budget",
        "Declare what randomized releases of a source may cost, or tell what is spent and left.",
    ),
    "init": (
        "init",
        "Write a first policy for a table: what its columns look like, and a guess of what they are.",
    ),
    "app": (
        "app",
        "Anonymize a table in the browser, on a page that needs no server: nothing leaves the machine.",
    ),
    "sql": (
        "sql",
        "Print sqlanon as one SQL script for any DuckDB client, or the statement that calls one of its "
        "macros.",
    ),
    "demo": (
        "experiments",
        "Show the attack at work: two hospitals, then a census.",
    ),
    "reproduce": (
        "experiments",
        "Repeat the experiments of Ganta, Kasiviswanathan and Smith (KDD 2008), beside what the paper says.",
    ),
}


# What they are for, in the order in which they are listed.
GROUPS = {
    "Look at a table": ("init", "identifiers", "quasi-identifiers", "uniques", "risk", "check"),
    "Release it": (
        "anonymize", "scheme", "lattice", "frontier", "utility", "perturb", "mask", "disclosure",
        "record-linkage",
    ),
    "Attack releases": ("attack", "attacks", "report"),
    "Publish again and again": (
        "publish", "releases", "register", "audit", "m-invariant", "m-invariance",
    ),
    "Tables of counts and sums": ("table",),
    "Noise (differential privacy)": ("budget", "dp", "count-errors"),
    "About sqlanon": ("sql", "app", "demo", "reproduce"),
}  # fmt: skip


def imported(name: str) -> Any:
    """A command, from its module."""
    module, _ = COMMANDS[name]
    return typer.main.get_group(import_module(f"sqlanon.cli.commands.{module}").app).commands[name]


class Commands(TyperGroup):
    """The commands. Every error is one line on stderr and an exit code."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        groups = {name: group for group, names in GROUPS.items() for name in names}
        listed = {
            name: TyperCommand(name, help=COMMANDS[name][1], rich_help_panel=group)
            for name, group in groups.items()
        }
        self.commands = cast(Any, listed)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command that is called, from its module; the others are known by name and help alone."""
        name, listed, rest = super().resolve_command(ctx, args)
        return name, None if listed is None else imported(str(listed.name)), rest

    def main(self, *args: Any, **extra: Any) -> Any:
        standalone = extra.pop("standalone_mode", True)
        try:
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
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", LeavingWarning)  # commands tell it themselves
                return super().invoke(ctx)
        except UseError as error:
            code = _fail(str(error), WRONG_USE)
        except SqlanonError as error:
            code = _fail(getattr(error, "message", str(error)), BAD_DATA)  # without the statement
        except KeyboardInterrupt:
            code = INTERRUPTED
        except BrokenPipeError:
            code = _broken_pipe()
        except _failures() as error:
            code = _fail(without_values(error) or type(error).__name__, BAD_DATA)
        raise typer.Exit(code)


def _failures() -> tuple[type[Exception], ...]:
    """Errors about files and data. Those of DuckDB are among them once it is imported; help does without."""
    errors = (OSError, MemoryError)
    return (*errors, sys.modules["duckdb"].Error) if "duckdb" in sys.modules else errors


def _fail(message: str, code: int) -> int:
    complain(for_the_command_line(message))
    return code


def _broken_pipe() -> int:
    """Whoever reads has had enough, as `head` does."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # nothing is left to fail at exit
    return BROKEN_PIPE


MARKUP: Literal["markdown"] = "markdown"  # of help


class Command(TyperCommand):
    """A command. While it runs, an interrupt is an exception, so that it can clean up.

    Its help begins with one paragraph, and the options that most need; the other paragraphs, examples and
    exit codes come last.
    """

    def invoke(self, ctx: Any) -> Any:
        with interruptible():
            return super().invoke(ctx)

    def format_help(self, ctx: Any, formatter: Any) -> None:
        from rich.console import Console, Group
        from rich.markdown import Markdown
        from rich.padding import Padding
        from rich.text import Text

        from sqlanon.cli.examples import EXAMPLES

        begin, _, rest = inspect.cleandoc(self.help or "").partition("\n\n")
        whole, self.help, self.epilog = (self.help, self.epilog), begin, None
        try:
            super().format_help(ctx, formatter)
        finally:
            self.help, self.epilog = whole
        path = ctx.command_path.split()[1:]
        lines = [line for line in EXAMPLES.get(path[0] if path else "", ()) if " ".join(path) in line]
        examples = Text("\n".join(["Examples:", *(f"  {line}" for line in lines)]) if lines else "")
        told: list[Any] = [
            Markdown(rest),
            *([Text(), examples] if lines else []),
            Text(),
            Text(self.epilog or ""),
        ]
        Console().print(Padding(Group(*told), (0, 1)))


class Topic(typer.Typer):
    """What the commands of a module are added to."""

    def __init__(self) -> None:
        super().__init__(rich_markup_mode=MARKUP)

    def command(self, *args: Any, **settings: Any) -> Callable[[Function], Function]:
        return super().command(*args, cls=Command, **settings)


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
        import duckdb

        print(f"sqlanon {__version__} (DuckDB {duckdb.__version__})")
        raise typer.Exit


@app.callback()
def _main(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
    show_values: Annotated[
        bool,
        typer.Option(
            "--show-values",
            help="Show values of people in error messages, which otherwise say how many are wrong.",
        ),
    ] = False,
) -> None:
    show_values_of_duckdb(show_values)
