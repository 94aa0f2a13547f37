"""The command line: `sqlanon --help`."""

import contextlib
import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, cast

import duckdb
import typer
from sqlglot import exp
from typer.core import TyperGroup

from sqlanon import __version__, keys
from sqlanon.draft import draft
from sqlanon.errors import SqlanonError
from sqlanon.files import Place, Session, UseError, as_text, column_names, place, replacing, with_relations
from sqlanon.interrupts import check_interrupted, interruptible
from sqlanon.keys import METHODS
from sqlanon.library import read_library
from sqlanon.options import takes
from sqlanon.policy import Policy
from sqlanon.policy import read as read_policy
from sqlanon.printing import Format, complain, progress_bar, remark, show
from sqlanon.reading import Options, missing_column
from sqlanon.statements import call, execute, named_table, render, select
from sqlanon.tables import WorkTables

DONE, FAILS, WRONG_USE, BAD_DATA, INTERRUPTED, BROKEN_PIPE = 0, 1, 2, 3, 130, 141

EXIT_CODES = (
    "Exit codes: 0 done, or the check holds; 1 a check fails; 2 wrong use (an option, a file or a column "
    "that is not there, an output that exists); 3 bad data (it cannot be read, is empty, or cannot meet a "
    "requirement); 130 interrupted."
)

# What typer raises for wrong use, wherever it takes it from.
ClickException = cast(type[Exception], typer.BadParameter.__mro__[2])


class Commands(TyperGroup):
    """Every error is one line on stderr and an exit code."""

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


app = typer.Typer(
    cls=Commands,
    name="sqlanon",
    help="Anonymize tables with DuckDB, check the result with a query, and attack it with a join.",
    epilog=EXIT_CODES,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
    context_settings={"help_option_names": ["-h", "--help"]},
)


# Options that are no keys of a policy


class Suppressed(StrEnum):
    """What a suppressed cell counts as."""

    value = "value"
    wildcard = "wildcard"


FILES = "a .csv, .tsv, .json, .ndjson, .jsonl (also .gz, .zst) or .parquet file, or file.duckdb::table"

Input = Annotated[str, typer.Argument(metavar="INPUT", help=f"The table: {FILES}.", show_default=False)]
PolicyFile = Annotated[
    Path | None,
    typer.Option(
        "--policy",
        metavar="FILE",
        help="A policy, which 'sqlanon init' writes a first one of. Options stand in place of its keys.",
    ),
]
Force = Annotated[bool, typer.Option("--force", help="Replace OUTPUT if it exists.")]
Printed = Annotated[
    Format | None,
    typer.Option("--format", help="How rows are printed.", show_default="table on a terminal, csv otherwise"),
]
Sql = Annotated[
    bool,
    typer.Option(
        "--sql",
        help="Print the statement and stop. A DuckDB client that has read what 'sqlanon sql' prints runs it.",
    ),
]


def _print_sql(session: Session, statements: Sequence[exp.Expression]) -> None:
    for statement in [*session.prelude, *statements]:
        print(render(statement, pretty=True) + ";")


def _read(session: Session, asked: Policy, input: str) -> tuple[str, str | None]:
    """The names of the table, which has the columns that are asked for, and of the population."""
    source = session.read(input)
    asked.check_columns(column_names(session.con, source), input)
    return source, None if asked.population is None else session.read(asked.population)


def _statement(
    session: Session, asked: Policy, source: str, population: str | None, **further: Any
) -> exp.Select:
    """The statement that does what is asked for, on its own."""
    relations = asked.relations(source, population)
    hierarchies = "hierarchies" if "hierarchies" in relations else None
    arguments = {**asked.macro_arguments(session.con), "hierarchies": hierarchies, "population": population}
    return with_relations(call(asked.method, source, **arguments, **further), relations)


def _answer(session: Session, asked: Policy, input: str, sql: bool, **further: Any) -> exp.Table | None:
    """A table with what a macro says of a table; none if only the statement is printed."""
    source, population = _read(session, asked, input)
    if sql:
        _print_sql(session, [_statement(session, asked, source, population, **further)])
        return None
    hierarchies = asked.make_hierarchies(session.con, source, population, WorkTables(session.con))
    arguments = {**asked.macro_arguments(session.con), "hierarchies": hierarchies, "population": population}
    return session.answer(call(asked.method, source, **arguments, **further))


# Commands


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


@app.command(epilog=EXIT_CODES)
@takes("roles.qi", "roles.sensitive", "roles.keep", "hierarchies", "requirements", "method", "output")
def anonymize(
    options: Options,
    input: Input,
    policy: PolicyFile = None,
    output: Annotated[
        str | None,
        typer.Option(
            "-o",
            "--output",
            metavar="OUTPUT",
            help=f"Where the release goes: {FILES}.",
            show_default="stdout",
        ),
    ] = None,
    force: Force = False,
    format: Printed = None,
    sql: Sql = False,
) -> None:
    """Release a table that meets privacy requirements: as a policy says, or the options, or both.

    Rows are released with their quasi-identifiers recoded to those of their class, and with the columns in
    --sensitive and --keep; no other column is. The release is verified before it is written: all of it, or
    nothing. Without --output it is printed. What was reached is told on stderr.
    """
    asked = read_policy(policy, options)
    target = place(output) if output is not None else None
    with Session() as session:
        if target:
            session.will_write(target)
        source, population = _read(session, asked, input)
        if target:
            session.refuse_existing(target, force)
        if sql:
            query = _statement(session, asked, source, population)
            _print_sql(session, session.writing(query, target, force, asked.origin) if target else [query])
            return
        with progress_bar() as bar:

            def progress(done: float, message: str) -> None:
                check_interrupted()
                bar(done, message)

            release = asked.run(session.con, source, population=population, progress=progress)
        check_interrupted()
        columns = column_names(session.con, source)
        if target:
            session.write(release.table, target, force, asked.origin)
        else:
            show(session.con, named_table(release.table), format)
    remark(str(replace(release, table=output or input)))
    if policy:
        dropped = [column for column in columns if column.lower() not in asked.named_columns()]
        if dropped:
            remark(f"not released, in no role: {', '.join(dropped)}")
        if not (target and target.holds_notes):
            remark(as_text(asked.origin))


@app.command(epilog=EXIT_CODES)
@takes("roles.qi", "roles.sensitive", "hierarchies", "requirements")
def check(
    options: Options,
    input: Input,
    reference: Annotated[
        str | None,
        typer.Option(
            "--reference",
            metavar="INPUT",
            help="The table whose sensitive values classes are compared with: the source of a release that lacks rows.",
            show_default="the table itself",
        ),
    ] = None,
    suppressed: Annotated[
        Suppressed,
        typer.Option("--suppressed", help="What a suppressed cell is: a value, or a wildcard for any."),
    ] = Suppressed.value,
    format: Printed = None,
    sql: Sql = False,
) -> None:
    """Check a table: which privacy it reaches, or which classes violate a requirement.

    Without requirements, prints a row per privacy model with the value of the worst class. With requirements,
    prints the classes that violate them, and exits with 1 if there are any.
    """
    required = options.get("requirements", {}).keys() - {"population"}
    asked = read_policy(None, options, "violations" if required else "privacy")
    with Session() as session:
        source = None if reference is None else session.read(reference)
        counted = suppressed if suppressed is not Suppressed.value else None
        answer = _answer(session, asked, input, sql, reference=source, suppressed=counted)
        if answer is None:
            return
        show(session.con, answer, format)
        if not required:
            return
        violating = select(answer, "class", "size").distinct().subquery()
        [(classes, rows)] = execute(session.con, select(violating, "count(*)", "sum(size)"))
    wanted = ", ".join(f"{name} = {value}" for name, value in asked.requirements.items())
    if classes:
        remark(f"{input}: {wanted} does not hold: {classes:,} classes with {rows:,} rows violate it")
        raise typer.Exit(FAILS)
    remark(f"{input}: {wanted} holds")


@app.command(epilog=EXIT_CODES)
@takes(
    "roles.qi", "roles.sensitive", "hierarchies", "requirements",
    "method.weights", "method.min_levels", "method.max_levels", "method.gs_factor",
)  # fmt: skip
def lattice(
    options: Options, input: Input, policy: PolicyFile = None, format: Printed = None, sql: Sql = False
) -> None:
    """Print the ways to generalize a table, one row each: a level of its hierarchy for every quasi-identifier.

    What is left of the table (classes, suppressed rows) and what it costs (loss, entropy and other measures).
    """
    asked = read_policy(policy, options, "lattice")
    with Session() as session:
        if answer := _answer(session, asked, input, sql):
            show(session.con, answer, format)


@app.command(epilog=EXIT_CODES)
@takes("roles.qi", "roles.sensitive", "hierarchies", "requirements.k")
def utility(
    options: Options,
    original: Annotated[
        str, typer.Argument(metavar="ORIGINAL", help=f"The table as it was: {FILES}.", show_default=False)
    ],
    release: Annotated[
        str, typer.Argument(metavar="RELEASE", help="What was released of it.", show_default=False)
    ],
    id: Annotated[
        str | None,
        typer.Option("--id", metavar="COLUMN", help="A column of both that says which row is which."),
    ] = None,
    queries: Annotated[int, typer.Option("--queries", min=1, help="How many random range counts.")] = 1000,
    seed: Annotated[int, typer.Option("--seed", help="Of the random range counts.")] = 1,
    policy: PolicyFile = None,
    format: Printed = None,
    sql: Sql = False,
) -> None:
    """Print what a release has lost against its original: a row per measure, and per column where it is about one.

    Suppression, NCP and GCP, loss, non-uniform entropy, precision, discernibility, average class size (with --k
    also C_avg, in multiples of k), KL divergence, city block distance, the error of random range counts;
    of numbers, changes of means, variances and correlations, and with --id SSE / SST.
    """
    asked = read_policy(policy, options, "utility")
    with Session() as session:
        source, population = _read(session, asked, original)
        released = session.read(release)
        for table, name in ((source, original), (released, release)):
            columns = column_names(session.con, table)
            for option, named in (
                ("--qi", asked.roles["qi"]),
                ("--sensitive", asked.roles.get("sensitive", [])),
            ):
                if problem := missing_column(named, columns, name):
                    raise UseError(f"{option}{problem}")
            if id is not None and (problem := missing_column([id], columns, name)):
                raise UseError(f"--id{problem}")
        given = {**asked.macro_arguments(session.con), "id": id, "queries": queries, "seed": seed}
        if sql:
            relations = asked.relations(source, population)
            given["hierarchies"] = "hierarchies" if "hierarchies" in relations else None
            _print_sql(session, [with_relations(call("utility", source, released, **given), relations)])
            return
        given["hierarchies"] = asked.make_hierarchies(
            session.con, source, population, WorkTables(session.con)
        )
        show(session.con, session.answer(call("utility", source, released, **given)), format)


@app.command(epilog=EXIT_CODES)
@takes("roles.qi", "hierarchies")
def attack(
    options: Options,
    releases: Annotated[
        list[str],
        typer.Argument(metavar="RELEASE...", help=f"The releases, each {FILES}.", show_default=False),
    ],
    targets: Annotated[
        str,
        typer.Option(
            "--targets", metavar="INPUT", help="The people that the adversary knows, with raw values."
        ),
    ],
    id: Annotated[
        str, typer.Option("--id", metavar="COLUMN", help="The column of the targets that names them.")
    ],
    sensitive: Annotated[
        str, typer.Option("--sensitive", metavar="COLUMN", help="The sensitive column of the releases.")
    ],
    truth: Annotated[
        str | None,
        typer.Option(
            "--truth",
            metavar="COLUMN",
            help="The column of the targets with the true value: tells how often the attack is right.",
        ),
    ] = None,
    summary: Annotated[
        bool, typer.Option("--summary", help="Print the measures over all targets, not the targets.")
    ] = False,
    format: Printed = None,
    sql: Sql = False,
) -> None:
    """Attack releases by intersection: what they tell together about people who are in all of them.

    Prints a row per target: prior and posterior (the values that are possible after the best single
    release, and after all of them) and the candidates themselves. With --summary, prints a row per
    measure over all targets instead, such as PVP_100, the share of targets whose value is certain.
    (Ganta, Kasiviswanathan and Smith, KDD 2008.)
    """
    given = {**options, "roles": {**options.get("roles", {}), "sensitive": [sensitive]}}
    asked = read_policy(None, given, "breaches" if summary else "intersection_attack")
    with Session() as session:
        tables = [session.read(release) for release in releases]
        people = session.read(targets)
        for release, table in zip(releases, tables, strict=True):
            asked.check_columns(column_names(session.con, table), release)
        known = column_names(session.con, people)
        about = {"--qi": asked.roles["qi"], "--id": [id], "--truth": [truth] if truth is not None else []}
        for option, named in about.items():
            if problem := missing_column(named, known, targets):
                raise UseError(f"{option}{problem}")
        relations = asked.relations(people, None)
        query = call(
            asked.method,
            tables,
            targets=people,
            id=id,
            qi=asked.roles["qi"],
            sensitive=sensitive,
            hierarchies="hierarchies" if relations else None,
            truth=truth,
        )
        query = with_relations(query, relations)
        if sql:
            _print_sql(session, [query])
            return
        show(session.con, session.answer(query), format)


@app.command(epilog=EXIT_CODES)
def init(
    input: Input,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="FILE", help="Where the policy goes.", show_default="stdout"),
    ] = None,
    force: Force = False,
) -> None:
    """Write a first policy for a table: what its columns look like, and a guess of what they are.

    The policy does not run before you have looked at the role of every column, and have said so in it.
    """
    with Session() as session:
        if output:
            session.refuse_existing(Place(output), force)
        text = draft(session.con, session.read(input), place(input).path.name)
    if output is None:
        print(text, end="")
        return
    with replacing(output, force) as temporary:
        temporary.write_text(text, "utf-8", newline="\n")
    remark(f"{output}: look at the role of every column, then write confirmed = true")


# What each macro is called on the command line.
COMMANDS = {
    **{method: ["anonymize", "--method", method] for method in METHODS},
    "lattice": ["lattice"],
    "privacy": ["check"],
    "violations": ["check"],
    "utility": ["utility"],
    "intersection_attack": ["attack"],
    "breaches": ["attack", "--summary"],
}


@app.command(
    "sql",
    epilog=EXIT_CODES,
    context_settings={"allow_extra_args": True, "ignore_unknown_options": True},
)
def print_sql(
    context: typer.Context,
    macro: Annotated[
        str | None,
        typer.Argument(metavar="MACRO", help=f"One of {', '.join(COMMANDS)}.", show_default=False),
    ] = None,
) -> None:
    """Print sqlanon as one SQL script for any DuckDB client, or the statement that calls one of its macros.

    'sqlanon sql mondrian people.csv --qi age,zip --k 5' prints what 'sqlanon anonymize' runs with these
    options. Script and statement need no Python: (sqlanon sql; sqlanon sql mondrian people.csv --qi
    age,zip --k 5) | duckdb
    """
    if macro is None:
        print(read_library(), end="")
        return
    if macro not in COMMANDS:
        raise UseError(f"there is no macro {macro}{keys.suggestion(macro, COMMANDS)}")
    command, *options = COMMANDS[macro]
    code = cast(Commands, typer.main.get_command(app)).main(
        [command, *options, *context.args, "--sql"], prog_name="sqlanon", standalone_mode=False
    )
    raise typer.Exit(code if isinstance(code, int) else DONE)


@app.command(epilog=EXIT_CODES)
def demo(
    data: Annotated[
        Path | None,
        typer.Option(
            "--data",
            metavar="FILE",
            help="UCI Adult (adult.data) or IPUMS (ipums.la.97, also .gz).",
            show_default="a generated census",
        ),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", help="Of the generated census and of the subsets.")] = 1,
    k: Annotated[
        list[int] | None, typer.Option("--k", min=2, help="May be repeated.", show_default="5, 10, 20")
    ] = None,
) -> None:
    """Show the attack at work: two hospitals, then a census.

    First the example of Ganta, Kasiviswanathan and Smith (KDD 2008): two anonymous tables that together
    tell what Alice has. Then their experiment: two parts of a census that share 5000 people are
    anonymized with Mondrian, independently, and these people are attacked.
    """
    from sqlanon import demo as story

    if data is not None and not data.is_file():
        raise UseError(f"there is no file {data}")
    with Session() as session:
        story.show(session.con, data, k or [5, 10, 20], seed)
