"""The command line: `sqlanon --help`. The commands are in sqlanon/cli/commands."""

import contextlib
import inspect
import os
import sys
import warnings
from collections.abc import Callable, Mapping
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar, cast

import typer
from typer.core import TyperCommand, TyperGroup

from sqlanon import __version__
from sqlanon.core import errors
from sqlanon.core.interrupts import exit_code, interruptible
from sqlanon.core.remarks import complain, keep_quiet, remark, say_last

Function = TypeVar("Function", bound=Callable[..., Any])

DONE, FAILS, WRONG_USE, BAD_DATA, BROKEN_PIPE = 0, 1, 2, 3, 141

EXIT_CODES = (
    "Exit codes: 0 done, or the check holds; 1 a check fails; 2 wrong use (an option, a file or a column "
    "that is not there, an output that exists); 3 bad data (it cannot be read, is empty, cannot meet a "
    "requirement, or an attack locates nobody in it); 130 interrupted (143 by SIGTERM)."
)

# What typer raises for wrong use, wherever it takes it from.
ClickException = cast(type[Exception], typer.BadParameter.__mro__[2])


# What commands are for, in the order in which they are listed, and the first paragraph of the help of each.
GROUPS = {
    "Look at a table": {
        "init": "Write a first policy for a table: what its columns look like, and a guess of what they are.",
        "identifiers": "Print the columns that identify people by themselves, judged by their values and "
        "names.",
        "safe-harbor": "Print what must not leave by HIPAA's Safe Harbor: a row per column and rule.",
        "quasi-identifiers": "Print how well sets of columns distinguish the rows of a table: a row per set, "
        "small ones first.",
        "uniques": "Print the smallest sets of columns in which a record is unique: a row per record and "
        "set.",
        "unicity": "Print how many people a few random rows of their own tell apart from all others.",
        "risk": "Print how likely the records of a table or a release are re-identified: a row per measure.",
        "check": "Check a table: which privacy it reaches, or which classes violate a requirement.",
    },
    "Release it": {
        "anonymize": "Release a table that meets privacy requirements: as a policy says, or the options, or "
        "both.",
        "scheme": "Write the scheme of a release, by which method recode of 'sqlanon anonymize' recodes "
        "another table.",
        "lattice": "Print the ways to generalize a table, one row each: a hierarchy's level for every "
        "quasi-identifier.",
        "frontier": "Choose a release: compare methods and k by risk and loss, and print those that no other "
        "one beats in both.",
        "utility": "Print what a release has lost against its original: a row per measure, and column if it "
        "is about one.",
        "perturb": "Release a table with columns changed by chance or made coarser, and those in --keep "
        "unchanged.",
        "mask": "Release a table with the columns that name somebody masked, and with the columns in --keep "
        "unchanged.",
        "suppress": "Release a sample without the quasi-identifiers of rows whose risk is above --max-risk.",
        "disclosure": "Print how many values of a perturbed release are still the true ones, or near them: "
        "a row per column, and one for all of them.",
        "record-linkage": "Print how often the nearest original of a released row is its own: what an "
        "adversary would find.",
        "closest-records": "Print whether rows without classes, such as synthetic ones, are nearer to the "
        "original than to others.",
        "agreeing-rows": "Print what synthetic rows tell of the original by rows that agree in what is "
        "known.",
        "utility-of-synthetic": "Print how alike synthetic rows and their original are: a row per column, "
        "and per pair of columns.",
    },
    "Attack releases": {
        "attack": "Attack releases: what they tell, alone and together, about the people who are in them.",
        "attacks": "List the attacks, a row each, or explain one of them: what it takes, and what it tells.",
        "membership": "Print how well one can tell who was in the original of a release, by people's "
        "distance to its rows.",
        "membership-by-counts": "Print how well one can tell who was counted in tables of counts, from how "
        "frequent people's values are.",
        "report": "Write a page for the holders of the data: what releases disclose, each and together.",
    },
    "Publish again and again": {
        "publish": "Anonymize a table, attack it together with everything published, and publish it only if "
        "the result is tolerated.",
        "releases": "List the releases of a register, a row each.",
        "register": "Add releases of others to a register, withdraw a release, or look people up.",
        "audit": "Attack all releases of a register anew, each and together, and record what is found.",
        "ask": "Answer a question in SQL, as a policy allows it: from a release, exactly, or with noise.",
        "answers": "List what was told to whom, a row for each column of numbers of a question.",
        "m-invariant": "Release the next version of a table that people join and leave.",
        "m-invariance": "Check releases of a table that people join and leave: are they m-invariant "
        "together?",
    },
    "Tables of counts and sums": {
        "table": "Tables of counts and sums: their cells, which are unsafe, how to hide them, and what "
        "leaks.",
    },
    "Noise (differential privacy)": {
        "budget": "Declare the privacy budget of a source, or print what is spent and left.",
        "dp": "Release a table with differential privacy, if the budget of its source allows it.",
        "count-errors": "Print how well counts with noise answer random range counts, and how much of their "
        "error is the noise.",
    },
    "About sqlanon": {
        "sql": "Print sqlanon as one SQL script for any DuckDB client, or the statement that calls one of "
        "its macros.",
        "app": "Anonymize a table in the browser, on a page that needs no server: nothing leaves the "
        "machine.",
        "demo": "Show the attack at work: two hospitals, then a census.",
        "reproduce": "Repeat the experiments of Ganta, Kasiviswanathan and Smith (KDD 2008), beside what "
        "the paper says.",
    },
}  # fmt: skip
COMMANDS = {name: help for commands in GROUPS.values() for name, help in commands.items()}
# The modules in sqlanon/cli/commands of commands that are not alone in one, which has the name of the others.
MODULES = {
    name: module
    for module, names in {
        "perturb": "mask suppress",
        "m_invariant": "m-invariance",
        "risk": "identifiers quasi-identifiers safe-harbor uniques",
        "utility": "count-errors disclosure record-linkage",
        "any_release": "membership membership-by-counts closest-records agreeing-rows utility-of-synthetic "
        "unicity",
        "attack": "attacks",
        "ask": "answers",
        "publish": "releases audit register",
        "experiments": "demo reproduce",
    }.items()
    for name in names.split()
}


def imported(name: str) -> Any:
    """A command, from its module."""
    module = MODULES.get(name, name.replace("-", "_"))
    return typer.main.get_group(import_module(f"sqlanon.cli.commands.{module}").app).commands[name]


def _quick(params: list[Any], taken: Mapping[str, Any]) -> list[Any]:
    """Parameters whose values are read without pydantic, as long as nothing is wrong: its import takes longer
    than most commands. taken: what each is, if that is known."""
    for param in params:
        if "process_value" not in vars(param):
            whole, known = param.process_value, taken.get(param.name)
            param.process_value = partial(known.processed if known else _unless_unsaid, param, whole)
    return params


def _unless_unsaid(_: Any, whole: Callable[[Any, Any], Any], ctx: Any, value: Any) -> Any:
    return None if value is None else whole(ctx, value)


class Commands(TyperGroup):
    """The commands. Every error is one line on stderr and an exit code."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        listed = {
            name: TyperCommand(name, help=help, rich_help_panel=group)
            for group, commands in GROUPS.items()
            for name, help in commands.items()
        }
        self.commands = cast(Any, listed)

    def get_params(self, ctx: Any) -> Any:
        return _quick(super().get_params(ctx), {})

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command that is called, from its module; the others are known by name and help alone."""
        for file in ctx.params["plugin"] or ():  # a model is an option of the command
            from sqlanon.core.plugins import plug_in

            if not file.is_file():
                raise errors.UseError(f"there is no file {file}")
            plug_in(file)
        name, listed, rest = super().resolve_command(ctx, args)
        return name, None if listed is None else imported(str(listed.name)), rest

    def main(self, *args: Any, **extra: Any) -> Any:
        standalone = extra.pop("standalone_mode", True)
        try:
            code = super().main(*args, **extra | {"standalone_mode": False})
            sys.stdout.flush()
        except ClickException as error:
            # nothing where no command is given: then that is help
            message = cast(Any, error).format_message()
            option = getattr(error, "option_name", None)
            if any(option in each.opts for each in cast(Any, self).params):
                message = f"{option} goes before the command: sqlanon {option} ..."
            code = _fail(message, WRONG_USE) if message else WRONG_USE
        except (KeyboardInterrupt, typer.Abort):
            code = _interrupted()
        except BrokenPipeError:
            code = _broken_pipe()
        if standalone:
            sys.exit(code if isinstance(code, int) else DONE)
        return code

    def invoke(self, ctx: Any) -> Any:
        try:
            with warnings.catch_warnings():
                for category in (errors.LeavingWarning, errors.SetsWarning):
                    warnings.simplefilter("ignore", category)
                warnings.showwarning = lambda message, *_: remark(str(message))  # without a line of code
                return super().invoke(ctx)
        except errors.UseError as error:
            code = _fail(str(error), WRONG_USE)
        except errors.SqlanonError as error:
            code = _fail(getattr(error, "message", str(error)), BAD_DATA)  # without the statement
        except KeyboardInterrupt:
            code = _interrupted()
        except BrokenPipeError:
            code = _broken_pipe()
        except _failures() as error:
            code = _fail(errors.without_values(error) or type(error).__name__, BAD_DATA)
        finally:
            say_last()
        raise typer.Exit(code)


def _failures() -> tuple[type[Exception], ...]:
    """Errors about files and data. Those of DuckDB are among them once it is imported; help does without."""
    errors = (OSError, MemoryError)
    return (*errors, sys.modules["duckdb"].Error) if "duckdb" in sys.modules else errors


def _fail(message: str, code: int) -> int:
    complain(errors.for_the_command_line(message))
    return code


def _interrupted() -> int:
    remark("interrupted")
    return exit_code()


def _broken_pipe() -> int:
    """Whoever reads has had enough, as `head` does."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # nothing is left to fail at exit
    return BROKEN_PIPE


MARKUP: Literal["markdown"] = "markdown"  # of help


class _Helpful:
    """Help that begins with one paragraph, and the options that most need; the other paragraphs, examples and
    exit codes come last."""

    help: str | None
    epilog: str | None

    def format_help(self, ctx: Any, formatter: Any) -> None:
        from rich.console import Console, Group
        from rich.markdown import Markdown
        from rich.padding import Padding
        from rich.text import Text

        from sqlanon.cli.examples import examples_of

        begin, _, rest = inspect.cleandoc(self.help or "").partition("\n\n")
        whole, self.help, self.epilog = (self.help, self.epilog), begin, None
        try:
            super().format_help(ctx, formatter)  # type: ignore[misc]
        finally:
            self.help, self.epilog = whole
        lines = examples_of(" ".join(ctx.command_path.split()[1:]))
        examples = Text("\n".join(["Examples:", *(f"  {line}" for line in lines)]) if lines else "")
        parts: list[Any] = [
            Markdown(rest),
            *([Text(), examples] if lines else []),
            Text(),
            Text(self.epilog or ""),
        ]
        Console().print(Padding(Group(*parts), (0, 1)))


class Command(_Helpful, TyperCommand):
    """A command. While it runs, an interrupt is an exception, so that it can clean up."""

    def get_params(self, ctx: Any) -> Any:
        return _quick(super().get_params(ctx), getattr(self.callback, "taken", {}))

    def invoke(self, ctx: Any) -> Any:
        with interruptible():
            return super().invoke(ctx)


class CommandsOfTopic(_Helpful, TyperGroup):
    """Commands of a command."""


class Topic(typer.Typer):
    """What the commands of a module are added to."""

    def __init__(self) -> None:
        super().__init__(rich_markup_mode=MARKUP)

    def group(self, name: str, more: str = "") -> "Topic":
        """Commands of a command. more: its help after the first paragraph."""
        commands = Topic()
        help = f"{COMMANDS[name]}\n\n{more}".strip()
        self.add_typer(commands, name=name, cls=CommandsOfTopic, help=help, epilog=EXIT_CODES)
        return commands

    def declare(
        self, *words: str, name: str | None = None, parameters: Any = None, **settings: Any
    ) -> Callable[[Function], Function]:
        """A command that takes what options.py calls by these words, and parameters of a macro."""
        from sqlanon.cli.taking import takes

        declared = self.command(name, cls=Command, epilog=EXIT_CODES, **settings)

        def decorate(function: Function) -> Function:
            declared(takes(*words, parameters=parameters)(function))
            return function

        return decorate


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

        from sqlanon.core.freshness import fingerprint

        print(f"sqlanon {__version__} (DuckDB {duckdb.__version__}, library {fingerprint()[:12]})")
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
    quiet: Annotated[
        bool,
        typer.Option("--quiet", help="Of the messages on stderr print the last one alone, as for a log."),
    ] = False,
    plugin: Annotated[
        list[Path] | None,
        typer.Option(
            "--plugin",
            metavar="FILE",
            help="A script of SQL with attacks, anonymizers, measures or privacy models of yours. May be "
            "repeated.",
        ),
    ] = None,
) -> None:
    errors.show_values_of_duckdb(show_values)
    keep_quiet(quiet)
