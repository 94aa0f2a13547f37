"""The command line: `sqlanon --help`."""

import contextlib
import dataclasses
import inspect
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, cast

import duckdb
import typer
from sqlglot import exp
from typer.core import TyperGroup

import sqlanon
from sqlanon import __version__
from sqlanon.cli.options import (
    FILES,
    ExactCover,
    Force,
    Nearest,
    PolicyFile,
    Presence,
    Releases,
    Truth,
    check_nearest,
    columns_option,
    names_in,
    numbers_in,
    takes,
)
from sqlanon.cli.report import report
from sqlanon.core.errors import SqlanonError, UseError
from sqlanon.core.files import Place, Session, as_text, column_names, place, with_relations
from sqlanon.core.interrupts import check_interrupted, interruptible
from sqlanon.core.library import read_library
from sqlanon.core.outputs import replacing
from sqlanon.core.printing import Format, complain, progress_bar, remark, show
from sqlanon.core.source import lower
from sqlanon.core.statements import call, create, execute, named_table, render, select, table
from sqlanon.core.tables import WorkTables
from sqlanon.core.text_files import Roles
from sqlanon.perturb import perturbation
from sqlanon.policies import schema
from sqlanon.policies.first_policy import draft, units
from sqlanon.policies.parsing import Options, check_types, missing_column
from sqlanon.policies.policy import Policy
from sqlanon.policies.policy import read as read_policy
from sqlanon.policies.schema import METHODS

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


Input = Annotated[str, typer.Argument(metavar="INPUT", help=f"The table: {FILES}.", show_default=False)]
Original = Annotated[
    str, typer.Argument(metavar="ORIGINAL", help=f"The table as it was: {FILES}.", show_default=False)
]
Released = Annotated[
    str, typer.Argument(metavar="RELEASE", help="What was released of it.", show_default=False)
]
Columns = Annotated[
    list[str],
    typer.Option(
        "--columns", metavar="COLUMNS", help="The columns to look at, separated by commas; may be repeated."
    ),
]
MaxSize = Annotated[
    int, typer.Option("--max-size", metavar="N", min=1, help="The most columns that are looked at together.")
]
Fraction = Annotated[
    float | None,
    typer.Option(
        "--fraction",
        metavar="SHARE",
        help="The share of the population that the table is a sample of, between 0 and 1.",
    ),
]
Meaning = Annotated[
    bool | None,
    typer.Option(
        "--released/--raw",
        help="What values of the table mean to --population: what a release says with them, or themselves.",
        show_default="a release if it has what no raw value is",
    ),
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
Output = Annotated[
    str | None,
    typer.Option(
        "-o",
        "--output",
        metavar="OUTPUT",
        help=f"Where the release goes: {FILES}.",
        show_default="stdout",
    ),
]
KeyFile = Annotated[
    Path | None,
    typer.Option(
        "--key-file",
        metavar="FILE",
        help="The secret key of hashes, of at least 16 bytes.",
        show_default="the environment variable SQLANON_KEY",
    ),
]


def _print_sql(session: Session, statements: Sequence[exp.Expression]) -> None:
    for statement in [*session.prelude, *statements]:
        print(render(statement, pretty=True) + ";")


def _read(session: Session, asked: Policy, input: str, roles: Roles | None = None) -> tuple[str, str | None]:
    """The names of the table, which has the columns that are asked for, and of the population."""
    roles = roles or asked.columns()
    source = session.read(input, roles)
    columns = column_names(session.con, source)
    asked.check_columns(columns, input)
    if problem := missing_column(list(asked.types), columns, input):
        raise asked.spelling.wrong("input.types", problem)
    return source, None if asked.population is None else session.read(asked.population, roles)


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


def _tell_of_units(session: Session, asked: Policy, input: str) -> None:
    """Where rows are counted, and somebody may have several: say so."""
    if asked.unit is not None:
        return
    others = [*asked.roles["qi"], *asked.roles.get("sensitive", [])]
    source = session.read(input, asked.columns())  # which has been read already
    for column, distinct, values in units(session.con, source, lower(others)):
        remark(
            f"{input}: rows are counted, but {column} has {distinct:,} distinct values in {values:,} rows. "
            f"If it says whose a row is, --unit {column} counts people"
        )


def _show_columns(
    input: str,
    macro: str,
    columns: list[str] | None,
    id: str | None,
    format: Format | None,
    sql: bool,
    **more: Any,
) -> None:
    """Print what a macro says about columns that have no roles; all columns, if it can do that and none are named."""
    named = None if columns is None else names_in("--columns", columns)
    with Session() as session:
        source = session.read(input, Roles(keep=[] if id is None else [id]))
        known = column_names(session.con, source)
        for option, asked in {"--columns": named or [], "--id": [id] if id is not None else []}.items():
            if problem := missing_column(asked, known, input):
                raise UseError(f"{option}{problem}")
        query = call(macro, source, columns=named, id=id, **more)
        if sql:
            _print_sql(session, [query])
            return
        show(session.con, session.answer(query), format)


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
@takes(
    "input", "roles.qi", "roles.sensitive", "roles.keep", "roles.unit", "hierarchies", "requirements", "method", "output"
)  # fmt: skip
def anonymize(
    options: Options,
    input: Input,
    policy: PolicyFile = None,
    output: Output = None,
    sensitive_output: Annotated[
        str | None,
        typer.Option(
            "--sensitive-output",
            metavar="OUTPUT",
            help="Where the sensitive values of each bucket go, which OUTPUT then lacks. For anatomize.",
        ),
    ] = None,
    force: Force = False,
    key_file: KeyFile = None,
    format: Printed = None,
    sql: Sql = False,
) -> None:
    """Release a table that meets privacy requirements: as a policy says, or the options, or both.

    Rows are released with their quasi-identifiers recoded to those of their class, and with the columns in
    --sensitive and --keep; no other column is. The release is verified before it is written: all of it, or
    nothing. Without --output it is printed. What was reached is told on stderr.
    """
    asked = read_policy(policy, options)
    if sql and asked.masks:
        raise asked.spelling.wrong("masks", " are for a run, not for a statement")
    targets = [] if output is None else [place(output)]
    if asked.output.get("recoding") == "range" and asked.method in ("mondrian", "k_similar"):
        for target in targets:
            if target.reader == "read_csv":
                raise UseError(
                    f"{target} cannot hold ranges and lists, only texts of them, which can be misread: use recoding text, or write .parquet or .json"
                )
    if sensitive_output is not None:
        targets.append(_second_place(asked, targets, sensitive_output))
    with Session() as session:
        for target in targets:
            session.will_write(target)
        source, population = _read(session, asked, input)
        for target in targets:
            session.refuse_existing(target, force)
        if sql:
            query = _statement(session, asked, source, population)
            if len(targets) == 2:  # made once: the buckets of both are the same
                made = create(table("released"), query, temporary=True)
                written = session.writing(_outputs(asked, "released", targets), force, asked.origin)
                _print_sql(session, [made, *written])
            else:
                written = session.writing([(query, target) for target in targets], force, asked.origin)
                _print_sql(session, written or [query])
            return
        with progress_bar() as bar:

            def progress(done: float, message: str) -> None:
                check_interrupted()
                bar(done, message)

            release = asked.run(
                session.con, source, population=population, progress=progress, key_file=key_file
            )
        check_interrupted()
        columns = column_names(session.con, source)
        _tell_of_units(session, asked, input)
        if targets:
            session.write(_outputs(asked, release.table, targets), force, asked.origin)
        else:
            show(session.con, named_table(release.table), format)
    remark(str(replace(release, table=" and ".join(map(str, targets)) or input)))
    if policy:
        dropped = [column for column in columns if column.lower() not in asked.named_columns()]
        if dropped:
            remark(f"not released, in no role: {', '.join(dropped)}")
        if not (targets and all(target.holds_notes for target in targets)):
            remark(as_text(asked.origin))


def _second_place(asked: Policy, targets: Sequence[Place], sensitive_output: str) -> Place:
    """The place of the sensitive values, if these can be apart from the rest."""
    second = place(sensitive_output)
    if asked.method != "anatomize":
        raise UseError(f"--sensitive-output is for anatomize, not for {asked.method}")
    if not targets:
        raise UseError("--sensitive-output needs --output, for the quasi-identifiers")
    [first] = targets
    if first.path.resolve() == second.path.resolve():
        if first.table is None or second.table is None or first.table.lower() == second.table.lower():
            raise UseError(f"--output and --sensitive-output are both {first}: give two places")
        return replace(second, path=first.path)
    if first.table is not None and second.table is not None:
        raise UseError(
            f"--output and --sensitive-output are in two DuckDB files: put both tables in {first.path}"
        )
    return second


def _outputs(asked: Policy, release: str, targets: Sequence[Place]) -> list[tuple[exp.Expression, Place]]:
    """What of a release goes where: all of it, or the two relations of Anatomy."""
    if len(targets) == 1:
        return [(select(named_table(release)), targets[0])]
    kept = [*asked.roles.get("keep", []), *asked.masks]
    queries = (
        call("_anatomy_quasi_identifiers", release, asked.roles["qi"], kept),
        call("_anatomy_values", release, asked.roles["sensitive"]),
    )
    return list(zip(queries, targets, strict=True))


def _source(
    session: Session,
    input: str,
    roles: Roles,
    named: Mapping[str, Sequence[str]],
    target: Place | None,
    force: bool,
) -> str:
    """The name of a table that has the columns which options name; the release can be written."""
    if target:
        session.will_write(target)
    source = session.read(input, roles)
    known = column_names(session.con, source)
    for option, columns in {**named, "--types": list(roles.types)}.items():
        if problem := missing_column(columns, known, input):
            raise UseError(f"{option}{problem}")
    if target:
        session.refuse_existing(target, force)
    return source


def _deliver(session: Session, target: Place | None, force: bool, format: Format | None) -> None:
    """Write or print the table `answer`."""
    check_interrupted()
    if target:
        session.write([(select(named_table("answer")), target)], force, {})
    else:
        show(session.con, named_table("answer"), format)


def _threshold(text: str) -> float | str:
    """A number if it is one."""
    for type_ in (int, float):
        with contextlib.suppress(ValueError):
            return type_(text)
    return text


@app.command(epilog=EXIT_CODES)
@takes("input", "roles.keep")
def perturb(
    options: Options,
    input: Input,
    method: Annotated[
        str,
        typer.Option("--method", metavar="NAME", help=f"One of {', '.join(perturbation.METHODS)}."),
    ],
    columns: columns_option("--columns", "What is changed."),  # type: ignore[valid-type]
    retain: Annotated[
        float | None,
        typer.Option("--retain", help="The probability that a value stays. For pram.", show_default="0.8"),
    ] = None,
    strata: columns_option(  # type: ignore[valid-type]
        "--strata", "Values come from rows with the same values of these. For pram."
    ) = None,
    p: Annotated[
        float | None,
        typer.Option(
            "--p", help="The share of ranks that a value may move. For rank_swap.", show_default="0.05"
        ),
    ] = None,
    scale: Annotated[
        float | None,
        typer.Option(
            "--scale",
            help="The noise, in standard deviations of the column. For add_noise.",
            show_default="0.1",
        ),
    ] = None,
    base: Annotated[
        float | None, typer.Option("--base", help="Of which multiples are made. For round_values.")
    ] = None,
    threshold: Annotated[
        str | None,
        typer.Option(
            "--threshold",
            metavar="VALUE",
            help="Beyond it values are replaced. For top_code and bottom_code.",
        ),
    ] = None,
    share: Annotated[
        float | None,
        typer.Option(
            "--share",
            help="At most this share of values lies beyond the threshold. For top_code and bottom_code.",
        ),
    ] = None,
    replacement: Annotated[
        str | None,
        typer.Option(
            "--replacement",
            metavar="NAME",
            help="What they become: threshold or mean. For top_code and bottom_code.",
            show_default="threshold",
        ),
    ] = None,
    seed: Annotated[
        int | None, typer.Option("--seed", help="Fixes what is drawn, and the order of rows: keep it secret.")
    ] = None,
    output: Output = None,
    force: Force = False,
    format: Printed = None,
    sql: Sql = False,
) -> None:
    """Release a table with columns changed by chance or made coarser, and with the columns in --keep as they are.

    No other column is released. This guarantees nothing about privacy: 'sqlanon disclosure' and 'sqlanon
    record-linkage' measure what is left of the true values.
    """
    method = method.replace("-", "_")
    if method not in perturbation.METHODS:
        known = ", ".join(perturbation.METHODS)
        raise UseError(
            f"--method must be one of {known}, not {method}{schema.suggestion(method, perturbation.METHODS)}"
        )
    takes_these = inspect.signature(getattr(sqlanon, method)).parameters
    own = {
        "retain": retain, "strata": names_in("--strata", strata or ()), "p": p, "scale": scale, "base": base,
        "threshold": None if threshold is None else _threshold(threshold), "share": share, "replacement": replacement,
    }  # fmt: skip
    given = {name: value for name, value in own.items() if value not in (None, [])}
    for name in given:
        if name not in takes_these:
            raise UseError(f"--{name} is not for {method}")
    if "base" in takes_these and base is None:
        raise UseError(f"{method} needs --base")
    changed, keep = names_in("--columns", columns), options.get("roles", {}).get("keep", [])
    arguments = {"columns": changed, **given, "keep": keep or None, "seed": seed}
    target = place(output) if output is not None else None
    with Session() as session:
        named = {"--columns": changed, "--keep": keep, "--strata": given.get("strata", [])}
        roles = Roles(qi=changed, keep=keep, types=check_types(options))
        source = _source(session, input, roles, named, target, force)
        if sql:
            query = call(method, source, **arguments)
            _print_sql(session, session.writing([(query, target)], force, {}) if target else [query])
            return
        getattr(sqlanon, method)(session.con, source, into="answer", **{**arguments, "keep": keep})
        _deliver(session, target, force, format)


@app.command(epilog=EXIT_CODES)
@takes("roles.keep", "output.seed")
def mask(
    options: Options,
    input: Input,
    hash: columns_option("--hash", "What leaves as a keyed hash (HMAC-SHA256).") = None,  # type: ignore[valid-type]
    partial: Annotated[
        list[str] | None,
        typer.Option(
            "--partial", metavar="COLUMN=N,...", help="What leaves with its last N characters only."
        ),
    ] = None,
    email: columns_option("--email", "What leaves as the first character and the part from the @ on.") = None,  # type: ignore[valid-type]
    output: Output = None,
    force: Force = False,
    key_file: KeyFile = None,
    format: Printed = None,
) -> None:
    """Release a table with the columns that name somebody masked, and with the columns in --keep as they are.

    No other column is released. The same value and key give the same hash, so that masked tables can be joined. Masked
    columns are pseudonyms: the table is not anonymous.
    """
    hashed, mailed = names_in("--hash", hash or ()), names_in("--email", email or ())
    last = dict(numbers_in("--partial", partial or (), int))
    keep = options.get("roles", {}).get("keep", [])
    if not (hashed or mailed or last):
        raise UseError("give columns to mask: --hash, --partial or --email")
    target = place(output) if output is not None else None
    with Session() as session:
        named = {"--hash": hashed, "--partial": list(last), "--email": mailed, "--keep": keep}
        masked = [*hashed, *last, *mailed]
        source = _source(session, input, Roles(keep=[*masked, *keep]), named, target, force)
        sqlanon.mask(
            session.con, source, hash=hashed, partial={column: {"last": n} for column, n in last.items()}, email=mailed,
            keep=keep, key_file=key_file, into="answer", **options.get("output", {}),
        )  # fmt: skip
        _deliver(session, target, force, format)


@app.command(epilog=EXIT_CODES)
@takes("input", "roles.qi", "roles.sensitive", "roles.unit", "hierarchies", "requirements")
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
    released: Meaning = None,
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
        source = None if reference is None else session.read(reference, asked.columns())
        counted = suppressed if suppressed is not Suppressed.value else None
        answer = _answer(session, asked, input, sql, reference=source, suppressed=counted, released=released)
        if answer is None:
            return
        show(session.con, answer, format)
        if not required:
            _tell_of_units(session, asked, input)
            return
        violating = select(answer, "class", "size").distinct().subquery()
        [(classes, rows)] = execute(session.con, select(violating, "count(*)", "sum(size)"))
        _tell_of_units(session, asked, input)
    wanted = ", ".join(f"{name} = {value}" for name, value in asked.requirements.items())
    if classes:
        remark(f"{input}: {wanted} does not hold: {classes:,} classes with {rows:,} rows violate it")
        raise typer.Exit(FAILS)
    remark(f"{input}: {wanted} holds")


@app.command(epilog=EXIT_CODES)
@takes(
    "input", "roles.qi", "roles.sensitive", "roles.unit", "hierarchies", "requirements",
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
@takes("input", "roles.qi", "roles.keep", "roles.unit", "hierarchies", "requirements.population")
def risk(
    options: Options,
    input: Input,
    policy: PolicyFile = None,
    threshold: Annotated[
        float | None,
        typer.Option(
            "--threshold", min=0, max=1, help="The risk above which records are counted.", show_default="0.2"
        ),
    ] = None,
    fraction: Fraction = None,
    per_record: Annotated[
        bool,
        typer.Option(
            "--per-record", help="Print the risk of every record, with its columns in --qi and --keep."
        ),
    ] = False,
    released: Meaning = None,
    format: Printed = None,
    sql: Sql = False,
) -> None:
    """Print how likely the records of a table or a release are re-identified: a row per measure.

    With --population, the risk of being found there, too. With --fraction, how many of the population are
    estimated to be unique: by Pitman, Zayatz, SNB, and by the rule of Dankar et al. which of them to use.
    """
    _check_fraction(fraction)
    not_per_record = {"--threshold": threshold, "--fraction": fraction}
    if per_record and (wrong := [option for option, value in not_per_record.items() if value is not None]):
        raise UseError(f"{wrong[0]} is not for --per-record")
    if not per_record and "keep" in options.get("roles", {}):
        raise UseError("--keep is for --per-record")
    asked = read_policy(policy, options, "record_risk" if per_record else "risk")
    with Session() as session:
        told = {"threshold": threshold, "fraction": fraction, "released": released}
        if answer := _answer(session, asked, input, sql, **told):
            show(session.con, answer, format)


def _check_fraction(fraction: float | None) -> None:
    if fraction is not None and not 0 < fraction < 1:
        raise UseError(f"--fraction must be above 0 and below 1, not {fraction}")


@app.command(epilog=EXIT_CODES)
def quasi_identifiers(
    input: Input,
    columns: Annotated[
        list[str] | None,
        typer.Option(
            "--columns",
            metavar="COLUMNS",
            help="The columns to look at, separated by commas; may be repeated.",
            show_default="all",
        ),
    ] = None,
    max_size: MaxSize = 3,
    sample: Annotated[
        int | None,
        typer.Option(
            "--sample", metavar="ROWS", min=1, help="Look at so many rows, and tell what holds for the table."
        ),
    ] = None,
    seed: Annotated[
        int | None, typer.Option("--seed", help="Which rows the sample has.", show_default="1")
    ] = None,
    format: Printed = None,
    sql: Sql = False,
) -> None:
    """Print which columns tell the rows of a table apart: a row per set of columns, small ones first.

    Distinction is the share of distinct combinations among the rows, separation the share of pairs of rows
    that differ. Columns in a set with much of both are quasi-identifiers.
    """
    _show_columns(
        input, "quasi_identifiers", columns, None, format, sql, max_size=max_size, sample=sample, seed=seed
    )


@app.command(epilog=EXIT_CODES)
def uniques(
    input: Input,
    columns: Columns,
    id: Annotated[
        str | None, typer.Option("--id", metavar="COLUMN", help="The column that names the records.")
    ] = None,
    max_size: MaxSize = 3,
    scores: Annotated[
        bool,
        typer.Option("--scores", help="Print how special every record is (SUDA), not its sets of columns."),
    ] = False,
    fraction: Fraction = None,
    format: Printed = None,
    sql: Sql = False,
) -> None:
    """Print which few columns tell each record from all others: a row per record and minimal set of columns.

    With --scores, a row per record: how special it is, by number and size of these sets, and with --fraction
    how likely a match with it is right (DIS-SUDA).
    """
    _check_fraction(fraction)
    if scores and id is None:
        raise UseError("--scores needs --id")
    if fraction is not None and not scores:
        raise UseError("--fraction is for --scores")
    macro = "suda" if scores else "minimal_uniques"
    _show_columns(input, macro, columns, id, format, sql, max_size=max_size, fraction=fraction)


@app.command(epilog=EXIT_CODES)
@takes("input", "roles.qi", "roles.sensitive", "hierarchies", "requirements.k")
def utility(
    options: Options,
    original: Original,
    release: Released,
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
        roles = asked.columns()
        if id is not None:
            roles = replace(roles, types={id: "text", **roles.types})
        source, population = _read(session, asked, original, roles)
        released = session.read(release, replace(roles, qi=(), types={} if id is None else {id: "text"}))
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


Compared = Annotated[
    list[str],
    typer.Option("--columns", metavar="COLUMNS", help="Separated by commas; may be repeated."),
]
WhichRow = Annotated[
    str, typer.Option("--id", metavar="COLUMN", help="The column of both that says which row is which.")
]


def _show_comparison(
    macro: str,
    options: Options,
    original: str,
    release: str,
    columns: Sequence[str],
    id: str,
    format: Format | None,
    sql: bool,
    **more: Any,
) -> None:
    """Print what a macro says about the columns of an original and its release."""
    named = names_in("--columns", columns)
    with Session() as session:
        roles = Roles(qi=named, types={id: "text", **check_types(options)})
        tables = [session.read(original, roles), session.read(release, roles)]
        for name, table in zip((original, release), tables, strict=True):
            known = column_names(session.con, table)
            for option, asked in {"--columns": named, "--id": [id], "--types": list(roles.types)}.items():
                if problem := missing_column(asked, known, name):
                    raise UseError(f"{option}{problem}")
        query = call(macro, *tables, id=id, columns=named, **more)
        if sql:
            _print_sql(session, [query])
            return
        show(session.con, session.answer(query), format)


@app.command(epilog=EXIT_CODES)
@takes("input")
def disclosure(
    options: Options,
    original: Original,
    release: Released,
    columns: Compared,
    id: WhichRow,
    within: Annotated[
        float,
        typer.Option("--within", min=0, help="What is near, in standard deviations of the original."),
    ] = 0.05,
    format: Printed = None,
    sql: Sql = False,
) -> None:
    """Print what a perturbed release still tells of the original: a row per column, and one for all of them.

    How many rows have their true value, or one near it, and how many share the lowest and the highest. The
    release is looked at before the column in --id is dropped.
    """
    _show_comparison("disclosure", options, original, release, columns, id, format, sql, within=within)


@app.command(epilog=EXIT_CODES)
@takes("input")
def record_linkage(
    options: Options,
    original: Original,
    release: Released,
    columns: Compared,
    id: WhichRow,
    format: Printed = None,
    sql: Sql = False,
) -> None:
    """Print how often the nearest original of a released row is its own: what who knows the originals would find.

    The release is looked at before the column in --id is dropped. Every row is compared with every other: the time grows
    with the square of the rows.
    """
    _show_comparison("record_linkage", options, original, release, columns, id, format, sql)


def _tell_unread(release: str, unread: Sequence[tuple[str, str, int, str]]) -> None:
    """Say that nobody is found at some of what a release says."""
    if unread:
        column, label, _, why = unread[0]
        cells = sum(rows for _, _, rows, _ in unread)
        remark(
            f"{release}: nobody understands {len(unread):,} of its values, in {cells:,} cells, such as {label} in {column} ({why}): "
            "the attack finds nobody there"
        )


def _tell_contradictions(con: duckdb.DuckDBPyConnection, answer: exp.Table, summary: bool) -> None:
    """Say that of some people no value is left: what is 0 % certain then is no all-clear."""
    if summary:
        left = select(answer, "sensitive", "value / 100").where("measure = 'contradictions'")
    else:
        left = select(answer, "sensitive", "avg((posterior = 0)::integer)").group_by("sensitive")
    for column, share in execute(con, left):
        if share:
            remark(
                f"{column}: for {100 * share:.4g} % of the targets no value is possible: they are not in all releases, were not located "
                "rightly, or the releases have different values. What is certain says nothing about them: this is no all-clear"
            )


def _tell_unshared(unshared: Sequence[tuple[str, str, str, str]], names: Mapping[str, str]) -> None:
    """Say which releases have no sensitive value in common."""
    for column, one, other, why in unshared:
        remark(
            f"{column}: {names[one]} and {names[other]} share no value ({why}): together they leave nothing for anybody"
        )


@app.command(epilog=EXIT_CODES)
@takes("input", "roles.qi", "roles.unit", "hierarchies")
def attack(
    options: Options,
    releases: Releases,
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
        list[str],
        typer.Option(
            "--sensitive",
            metavar="COLUMNS",
            help="The sensitive columns of the releases. Separated by commas; may be repeated.",
        ),
    ],
    truth: Truth = None,
    presence: Presence = None,
    nearest: Nearest = None,
    exact_cover: ExactCover = False,
    summary: Annotated[
        bool, typer.Option("--summary", help="Print the measures over all targets, not the targets.")
    ] = False,
    format: Printed = None,
    sql: Sql = False,
) -> None:
    """Attack releases by intersection: what they tell together about people who are in them.

    Prints a row per target and sensitive column: prior and posterior (the values that are possible after
    the best single release, and after all of them) and the candidates themselves with their
    probabilities. With --summary, prints a row per measure over all targets instead, such as PVP_100, the
    share of targets whose value is certain, next to how often guessing is right.
    (Ganta, Kasiviswanathan and Smith, KDD 2008.)
    """
    check_nearest(nearest, releases)
    told = {
        "sensitive": names_in("--sensitive", sensitive),
        "truth": None if truth is None else names_in("--truth", truth),
        "presence": None if presence is None else names_in("--presence", presence),
    }
    given = {**options, "roles": {**options.get("roles", {}), "sensitive": told["sensitive"]}}
    asked = read_policy(None, given, "breaches" if summary else "intersection_attack")
    with Session() as session:
        # nothing of them leaves: what is a number is read as one
        secret = {
            name: type_
            for name, type_ in asked.types.items()
            if name.lower() in lower(told["sensitive"] or ())
        }
        tables = [session.read(release, Roles(types=secret)) for release in releases]
        unchanged = [id, *(told["truth"] or ()), *(told["presence"] or ()), *asked.units()]
        people = session.read(targets, Roles(qi=asked.roles["qi"], keep=unchanged, types=asked.types))
        released = dataclasses.replace(asked, unit=None)  # the unit is a column of the targets
        for release, table in zip(releases, tables, strict=True):
            released.check_columns(column_names(session.con, table), release)
        known = column_names(session.con, people)
        about = {
            "--qi": asked.roles["qi"],
            "--id": [id],
            "--truth": told["truth"],
            "--presence": told["presence"],
            "--unit": asked.units(),
            "--types": [name for name in asked.types if name not in secret],
        }
        for option, named in about.items():
            if problem := missing_column(named or [], known, targets):
                raise UseError(f"{option}{problem}")
        relations = asked.relations(people, None)
        query = call(
            asked.method,
            tables,
            targets=people,
            id=id,
            qi=asked.roles["qi"],
            hierarchies="hierarchies" if relations else None,
            nearest=[release in nearest for release in releases] if nearest else None,
            exact_cover=exact_cover or None,
            unit=asked.unit,
            **told,
        )
        query = with_relations(query, relations)
        if sql:
            _print_sql(session, [query])
            return
        answer = session.answer(query)
        show(session.con, answer, format)
        _tell_contradictions(session.con, answer, summary)
        unshared = execute(session.con, call("unshared_values", tables, told["sensitive"]))
        _tell_unshared(unshared, dict(zip(tables, releases, strict=True)))
        for release, table in zip(releases, tables, strict=True):
            if release not in (nearest or ()):
                unread = call(
                    "unread_labels",
                    table,
                    people,
                    qi=asked.roles["qi"],
                    hierarchies="hierarchies" if relations else None,
                )
                _tell_unread(release, execute(session.con, with_relations(unread, relations)))


app.command(epilog=EXIT_CODES)(report)


def _tell_of_repeating(columns: Sequence[tuple[str, int, int]]) -> None:
    for column, distinct, values in columns:
        remark(
            f"{column} has {distinct:,} distinct values in {values:,} rows: if it says whose a row is, make it the unit"
        )


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
        source = session.read(input)
        text = draft(session.con, source, place(input).path.name)
        repeating = units(session.con, source, ())
    if output is None:
        print(text, end="")
        _tell_of_repeating(repeating)
        return
    with replacing(output, force) as temporary:
        temporary.write_text(text, "utf-8", newline="\n")
    remark(f"{output}: look at the role of every column, then write confirmed = true")
    _tell_of_repeating(repeating)


# What each macro is called on the command line.
COMMANDS = {
    **{method: ["anonymize", "--method", method] for method in METHODS},
    **{method: ["perturb", "--method", method] for method in perturbation.METHODS},
    "lattice": ["lattice"],
    "risk": ["risk"],
    "record_risk": ["risk", "--per-record"],
    "quasi_identifiers": ["quasi-identifiers"],
    "minimal_uniques": ["uniques"],
    "suda": ["uniques", "--scores"],
    "privacy": ["check"],
    "violations": ["check"],
    "utility": ["utility"],
    "disclosure": ["disclosure"],
    "record_linkage": ["record-linkage"],
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
        raise UseError(f"there is no macro {macro}{schema.suggestion(macro, COMMANDS)}")
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
    from sqlanon.experiments import demo as story

    if data is not None and not data.is_file():
        raise UseError(f"there is no file {data}")
    with Session() as session:
        story.show(session.con, data, k or [5, 10, 20], seed)


class Experiment(StrEnum):
    """What can be repeated."""

    ganta2008 = "ganta2008"


@app.command(epilog=EXIT_CODES)
def reproduce(
    experiment: Annotated[Experiment, typer.Argument(help="The paper.", show_default=False)],
    output: Annotated[
        Path, typer.Option("-o", "--output", metavar="FOLDER", help="Where page, figures and data go.")
    ],
    adult: Annotated[
        Path | None, typer.Option("--adult", metavar="FILE", help="UCI Adult (adult.data).")
    ] = None,
    ipums: Annotated[
        Path | None, typer.Option("--ipums", metavar="FILE", help="IPUMS (ipums.la.97, also .gz).")
    ] = None,
    seeds: Annotated[
        int | None,
        typer.Option("--seeds", metavar="N", min=1, help="How many.", show_default="5; 1 with --quick"),
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="A part of it, in a minute.")] = False,
    workers: Annotated[
        int | None,
        typer.Option(
            "--workers", metavar="N", min=1, help="How many processes.", show_default="one per processor"
        ),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace a reproduction that is in FOLDER.")] = False,
) -> None:
    """Repeat the experiments of Ganta, Kasiviswanathan and Smith (KDD 2008), and compare with what the paper says.

    Either data set may be left out. The numbers are printed as Markdown; FOLDER/index.html shows everything. A run that was
    stopped goes on where it was when the command is given again.
    """
    from sqlanon.experiments.ganta2008 import plan
    from sqlanon.experiments.ganta2008.reproduction import reproduce as run

    inputs = {name: path for name, path in (("adult", adult), ("ipums", ipums)) if path is not None}
    if not inputs:
        raise UseError("give --adult, --ipums or both")
    for path in inputs.values():
        if not path.is_file():
            raise UseError(f"there is no file {path}")
    make = plan.quick if quick else plan.Settings
    settings = make(inputs) if seeds is None else make(inputs, seeds)
    with progress_bar() as progress:
        text, _ = run(
            settings, output, force=force, workers=workers or os.cpu_count() or 1, progress=progress
        )
    print(text, end="")
    remark(f"{output / 'index.html'}")
