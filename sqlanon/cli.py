"""The command line: `sqlanon --help`."""

import contextlib
import csv
import difflib
import os
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import duckdb
import typer
from typer.core import TyperGroup

from sqlanon import __version__
from sqlanon.errors import SqlanonError
from sqlanon.interrupts import check_interrupted, interruptible
from sqlanon.printing import Format, complain, progress_bar, remark, show

if TYPE_CHECKING:
    from sqlglot import exp

    from sqlanon.files import Session

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
        from sqlanon.files import UseError

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


# Options


class Distance(StrEnum):
    """Between distributions, for t-closeness."""

    equal = "equal"
    ordered = "ordered"
    hierarchical = "hierarchical"


class Recoding(StrEnum):
    """The form of released quasi-identifiers."""

    text = "text"
    range = "range"


FILES = "a .csv, .tsv, .json, .ndjson, .jsonl (also .gz, .zst) or .parquet file, or file.duckdb::table"
PANEL = "Requirements"

Input = Annotated[str, typer.Argument(metavar="INPUT", help=f"The table: {FILES}.", show_default=False)]
Qi = Annotated[
    list[str],
    typer.Option(
        "--qi",
        metavar="COLUMNS",
        help="Quasi-identifiers, separated by commas; may be repeated. As in CSV, a name with a comma stands "
        "in double quotes: --qi '\"last, first\",age'.",
    ),
]
Sensitive = Annotated[
    list[str] | None,
    typer.Option("--sensitive", metavar="COLUMNS", help="Sensitive columns, written as in --qi."),
]
Hierarchy = Annotated[
    list[str] | None,
    typer.Option(
        "--hierarchy",
        metavar="COLUMN=FILE",
        help="The hierarchy of a column: a file in ARX's format (value;label;...;*). May be repeated.",
    ),
]
K = Annotated[int | None, typer.Option("--k", min=1, help="k-anonymity.", rich_help_panel=PANEL)]
L = Annotated[
    int | None,
    typer.Option(
        "--l", min=1, help="Distinct l-diversity, and the l of --recursive-c.", rich_help_panel=PANEL
    ),
]
EntropyL = Annotated[
    float | None, typer.Option("--entropy-l", min=1, help="Entropy l-diversity.", rich_help_panel=PANEL)
]
RecursiveC = Annotated[
    float | None,
    typer.Option("--recursive-c", min=0, help="Recursive (c, l)-diversity, with --l.", rich_help_panel=PANEL),
]
Alpha = Annotated[
    float | None,
    typer.Option("--alpha", min=0, max=1, help="(alpha, k)-anonymity.", rich_help_panel=PANEL),
]
T = Annotated[float | None, typer.Option("--t", min=0, max=1, help="t-closeness.", rich_help_panel=PANEL)]
TDistance = Annotated[
    Distance, typer.Option("--t-distance", help="The distance of --t.", rich_help_panel=PANEL)
]
Beta = Annotated[
    float | None, typer.Option("--beta", min=0, help="Basic beta-likeness.", rich_help_panel=PANEL)
]
EnhancedBeta = Annotated[
    float | None,
    typer.Option("--enhanced-beta", min=0, help="Enhanced beta-likeness.", rich_help_panel=PANEL),
]
DeltaDisclosure = Annotated[
    float | None, typer.Option("--delta-disclosure", min=0, help="Delta-disclosure.", rich_help_panel=PANEL)
]
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


def _names(option: str, lines: Sequence[str] | None) -> list[str]:
    """Column names; each text is a line of CSV."""
    names: list[str] = []
    for line in lines or ():
        try:
            found = next(csv.reader([line], skipinitialspace=True, strict=True), [""])
        except csv.Error as error:
            raise _wrong_use(f"{option} {line}: {error}") from error
        if "" in found:
            raise _wrong_use(f"{option} {line}: a name is empty")
        names += found
    return names


def _wrong_use(message: str) -> SqlanonError:
    from sqlanon.files import UseError

    return UseError(message)


def _nearest(name: str, columns: Sequence[str]) -> str:
    by_lower = {column.lower(): column for column in columns}
    near = difflib.get_close_matches(name.lower(), by_lower, n=1)
    return f"did you mean {by_lower[near[0]]}?" if near else f"it has {', '.join(columns)}"


def _check_columns(session: "Session", table: str, shown: str, roles: Mapping[str, Sequence[str]]) -> None:
    """Every name is a column of the table and has one role."""
    columns = session.columns(table)
    known = {column.lower() for column in columns}
    role_of: dict[str, str] = {}
    for role, names in roles.items():
        for name in names:
            if name.lower() not in known:
                raise _wrong_use(f"{role}: there is no column {name} in {shown}; {_nearest(name, columns)}")
            if name.lower() in role_of:
                other = role_of[name.lower()]
                raise _wrong_use(f"column {name} is in {other} and again in {role}: a column has one role")
            role_of[name.lower()] = role


def _hierarchy_files(texts: Sequence[str] | None, columns: Sequence[str]) -> dict[str, Path]:
    """Column -> file."""
    found: dict[str, Path] = {}
    for option in texts or ():
        match = re.fullmatch(r'("(?:[^"]|"")*"|[^=]+)=(.+)', option)
        if not match:
            raise _wrong_use(f"--hierarchy {option}: write COLUMN=FILE")
        column = match[1][1:-1].replace('""', '"') if match[1].startswith('"') else match[1]
        if column.lower() not in {name.lower() for name in columns}:
            raise _wrong_use(f"--hierarchy {option}: {column} is in neither --qi nor --sensitive")
        if column.lower() in {name.lower() for name in found}:
            raise _wrong_use(f"--hierarchy {option}: {column} has a hierarchy already")
        found[column] = Path(match[2])
        if not found[column].is_file():
            raise _wrong_use(f"there is no file {found[column]}")
    return found


def _required(sensitive: Sequence[str], **given: Any) -> dict[str, Any]:
    """The requirements that were given, by their names in SQL."""
    required = {name: value for name, value in given.items() if value is not None and name != "t_distance"}
    if "t" in required:
        required["t_distance"] = given["t_distance"].value
    if "recursive_c" in required and "l" not in required:
        raise _wrong_use("--recursive-c needs --l")
    about_sensitive = [name for name in required if name != "k"]
    if about_sensitive and not sensitive:
        raise _wrong_use(f"--{about_sensitive[0].replace('_', '-')} needs --sensitive")
    return required


def _print_sql(session: "Session", statements: Sequence["exp.Expression"]) -> None:
    from sqlanon.statements import render

    for statement in [*session.prelude, *statements]:
        print(render(statement, pretty=True) + ";")


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
def anonymize(
    input: Input,
    qi: Qi,
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
    sensitive: Sensitive = None,
    keep: Annotated[
        list[str] | None,
        typer.Option(
            "--keep", metavar="COLUMNS", help="Other columns that are released, written as in --qi."
        ),
    ] = None,
    k: K = None,
    l: L = None,
    entropy_l: EntropyL = None,
    recursive_c: RecursiveC = None,
    alpha: Alpha = None,
    t: T = None,
    t_distance: TDistance = Distance.equal,
    beta: Beta = None,
    enhanced_beta: EnhancedBeta = None,
    delta_disclosure: DeltaDisclosure = None,
    hierarchy: Hierarchy = None,
    recoding: Annotated[
        Recoding,
        typer.Option("--recoding", help="text: [20, 29], {a, b}, labels. range: STRUCT(lo, hi) and lists."),
    ] = Recoding.text,
    seed: Annotated[
        int | None, typer.Option("--seed", help="Fixes the order of rows.", show_default="random")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace OUTPUT if it exists.")] = False,
    format: Printed = None,
    sql: Sql = False,
) -> None:
    """Release a table that meets privacy requirements, by Mondrian.

    Every row is released, with its quasi-identifiers recoded to those of its class, and the columns in
    --sensitive and --keep; no other column is. The release is verified before it is written: all of it, or
    nothing. Without --output it is printed. What was reached is told on stderr.
    """
    from sqlanon import files, statements
    from sqlanon.mondrian import mondrian

    roles = {
        "--qi": _names("--qi", qi),
        "--sensitive": _names("--sensitive", sensitive),
        "--keep": _names("--keep", keep),
    }
    required = _required(
        roles["--sensitive"],
        k=k, l=l, entropy_l=entropy_l, recursive_c=recursive_c, alpha=alpha, t=t, t_distance=t_distance,
        beta=beta, enhanced_beta=enhanced_beta, delta_disclosure=delta_disclosure,
    )  # fmt: skip
    if not required:
        raise _wrong_use("give a requirement, such as --k 5")
    target = files.place(output) if output is not None else None
    with files.Session() as session:
        if target:
            session.will_write(target)
        source = session.read(input)
        _check_columns(session, source, input, roles)
        hierarchies = session.hierarchies(
            _hierarchy_files(hierarchy, roles["--qi"] + roles["--sensitive"]), as_table=not sql
        )
        if target:
            session.refuse_existing(target, force)
        parameters = {
            "qi": roles["--qi"],
            "sensitive": roles["--sensitive"] or None,
            "keep": roles["--keep"] or None,
            **required,
            "recoding": recoding.value if recoding is not Recoding.text else None,
            "seed": seed,
        }
        if sql:
            query = session.query("mondrian", source, hierarchies=hierarchies, **parameters)
            _print_sql(session, session.writing(query, target, force) if target else [query])
            return
        with progress_bar() as bar:

            def progress(done: float, message: str) -> None:
                check_interrupted()
                bar(done, message)

            given = {name: value for name, value in parameters.items() if value is not None}
            release = mondrian(session.con, source, hierarchies=hierarchies, progress=progress, **given)
        check_interrupted()
        if target:
            session.write(release.table, target, force)
        else:
            show(session.con, statements.named_table(release.table), format)
    remark(str(replace(release, table=output or input)))


@app.command(epilog=EXIT_CODES)
def check(
    input: Input,
    qi: Qi,
    sensitive: Sensitive = None,
    k: K = None,
    l: L = None,
    entropy_l: EntropyL = None,
    recursive_c: RecursiveC = None,
    alpha: Alpha = None,
    t: T = None,
    t_distance: TDistance = Distance.equal,
    beta: Beta = None,
    enhanced_beta: EnhancedBeta = None,
    delta_disclosure: DeltaDisclosure = None,
    hierarchy: Hierarchy = None,
    format: Printed = None,
    sql: Sql = False,
) -> None:
    """Check a table: which privacy it reaches, or which classes violate a requirement.

    Without requirements, prints a row per privacy model with the value of the worst class. With requirements,
    prints the classes that violate them, and exits with 1 if there are any.
    """
    from sqlanon import files

    roles = {"--qi": _names("--qi", qi), "--sensitive": _names("--sensitive", sensitive)}
    required = _required(
        roles["--sensitive"],
        k=k, l=l, entropy_l=entropy_l, recursive_c=recursive_c, alpha=alpha, t=t, t_distance=t_distance,
        beta=beta, enhanced_beta=enhanced_beta, delta_disclosure=delta_disclosure,
    )  # fmt: skip
    with files.Session() as session:
        source = session.read(input)
        _check_columns(session, source, input, roles)
        hierarchies = session.hierarchies(
            _hierarchy_files(hierarchy, roles["--qi"] + roles["--sensitive"]), as_table=not sql
        )
        query = session.query(
            "violations" if required else "privacy",
            source,
            qi=roles["--qi"],
            sensitive=roles["--sensitive"] or None,
            hierarchies=hierarchies,
            **required,
        )
        if sql:
            _print_sql(session, [query])
            return
        show(session.con, session.answer(query), format)
        if not required:
            return
        classes, rows = session.con.execute(
            "select count(*), sum(size) from (select distinct class, size from answer)"
        ).fetchall()[0]
    wanted = ", ".join(f"{name} = {value}" for name, value in required.items())
    if classes:
        remark(f"{input}: {wanted} does not hold: {classes:,} classes with {rows:,} rows violate it")
        raise typer.Exit(FAILS)
    remark(f"{input}: {wanted} holds")


@app.command(epilog=EXIT_CODES)
def attack(
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
    qi: Qi,
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
    hierarchy: Hierarchy = None,
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
    from sqlanon import files

    names = _names("--qi", qi)
    with files.Session() as session:
        tables = [session.read(release) for release in releases]
        people = session.read(targets)
        for release, table in zip(releases, tables, strict=True):
            _check_columns(session, table, release, {"--qi": names, "--sensitive": [sensitive]})
        _check_columns(session, people, targets, {"--qi": names, "--id": [id]})
        if truth is not None:
            _check_columns(session, people, targets, {"--truth": [truth]})
        hierarchies = session.hierarchies(_hierarchy_files(hierarchy, names), as_table=not sql)
        query = session.query(
            "breaches" if summary else "intersection_attack",
            tables,
            targets=people,
            id=id,
            qi=names,
            sensitive=sensitive,
            hierarchies=hierarchies,
            truth=truth,
        )
        if sql:
            _print_sql(session, [query])
            return
        show(session.con, session.answer(query), format)


# What each macro is called on the command line.
COMMANDS = {
    "mondrian": ["anonymize"],
    "privacy": ["check"],
    "violations": ["check"],
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
    from sqlanon import library

    if macro is None:
        print(library.read_library(), end="")
        return
    if macro not in COMMANDS:
        raise _wrong_use(f"there is no macro {macro}; {_nearest(macro, list(COMMANDS))}")
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
    from sqlanon import files

    if data is not None and not data.is_file():
        raise _wrong_use(f"there is no file {data}")
    with files.Session() as session:
        story.show(session.con, data, k or [5, 10, 20], seed)
