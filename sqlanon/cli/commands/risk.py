"""sqlanon risk, sqlanon quasi-identifiers, sqlanon uniques"""

from dataclasses import replace
from typing import Any

from sqlanon.cli import options as given
from sqlanon.cli.app import EXIT_CODES, Topic
from sqlanon.cli.options import takes
from sqlanon.cli.steps import answer, check_columns, print_answer, tell_of_counts
from sqlanon.cli.values import names_in
from sqlanon.core.errors import UseError
from sqlanon.core.files import Session, check_inputs, column_names
from sqlanon.core.printing import Format, show
from sqlanon.core.statements import call
from sqlanon.core.text_files import Roles
from sqlanon.policies.parsing import Options, check_input
from sqlanon.policies.policy import read as read_policy

app = Topic()


@app.command(epilog=EXIT_CODES)
@takes(
    "input", "roles.qi", "roles.keep", "roles.unit", "roles.weight", "hierarchies", "requirements.population",
    "requirements.population_weight",
)  # fmt: skip
def risk(
    options: Options,
    input: given.Input,
    policy_file: given.PolicyFile = None,
    threshold: given.RiskThreshold = None,
    fraction: given.Fraction = None,
    per_record: given.PerRecord = False,
    released: given.Meaning = None,
    format: given.Printed = None,
    sql: given.Sql = False,
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
    policy = read_policy(policy_file, options, "record_risk" if per_record else "risk")
    policy = replace(policy, requirements={})  # risk is measured, and not held against any
    check_inputs(input)
    with Session() as session:
        is_release = False
        if policy_file is not None:
            columns = column_names(session.con, session.read(input, replace(policy.raw(), types={})))
            if is_release := policy.is_release(columns):
                policy = policy.of_release(columns)
        arguments: dict[str, Any] = {"threshold": threshold, "fraction": fraction, "released": released}
        # hierarchies are for a population alone: without one nothing has to be built of a release
        is_raw = policy.population is not None and not released and not is_release
        if rows := answer(session, policy, input, sql, is_raw=is_raw, **arguments):
            words = None if per_record else call("_risk_in_words", rows.name)
            show(session.con, rows, format, words=words)
            tell_of_counts(
                session,
                session.read(input, policy.columns()),
                input,
                [*policy.named_columns(), policy.weight or ""],
            )


@app.command(epilog=EXIT_CODES)
@takes("input")
def identifiers(
    options: Options, input: given.Input, format: given.Printed = None, sql: given.Sql = False
) -> None:
    """Print the columns that identify people by themselves, judged by their values and names.

    A row per column and kind of identifier that it looks like: e-mail address, card number, name, ...
    matching is the share of its distinct values that have this form; identifies is true if that is enough.
    This is a guess: a column that is not listed may still identify people.
    """
    check_inputs(input)
    with Session() as session:
        source = session.read(input, Roles(**check_input(options)))
        print_answer(session, call("identifiers", source), format, sql)


@app.command(epilog=EXIT_CODES)
def quasi_identifiers(
    input: given.Input,
    columns: given.LookedAt[list[str] | None] = None,
    max_size: given.MaxSize = 3,
    sample: given.Sample = None,
    seed: given.SampleSeed = None,
    weight: given.Weight = None,
    format: given.Printed = None,
    sql: given.Sql = False,
) -> None:
    """Print which columns tell the rows of a table apart: a row per set of columns, small ones first.

    Distinction is the share of distinct combinations among the rows, separation the share of pairs of rows
    that differ. Columns in a set with much of both are quasi-identifiers. Without --columns, all are looked
    at.
    """
    if sample is not None and weight is not None:
        raise UseError("--sample does not go with --weight: rows are drawn, not the people they stand for")
    more = {"max_size": max_size, "sample": sample, "seed": seed, "weight": weight}
    _show_columns(input, "quasi_identifiers", columns, None, format, sql, **more)


@app.command(epilog=EXIT_CODES)
def uniques(
    input: given.Input,
    columns: given.LookedAt[list[str]],
    id: given.RecordId = None,
    max_size: given.MaxSize = 3,
    scores: given.Scores = False,
    fraction: given.Fraction = None,
    weight: given.Weight = None,
    format: given.Printed = None,
    sql: given.Sql = False,
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
    more = {"max_size": max_size, "fraction": fraction, "weight": weight}
    _show_columns(input, macro, columns, id, format, sql, **more)


def _check_fraction(fraction: float | None) -> None:
    if fraction is not None and not 0 < fraction < 1:
        raise UseError(f"--fraction must be above 0 and below 1, not {fraction}")


def _show_columns(
    input: str,
    macro: str,
    columns: list[str] | None,
    id: str | None,
    format: Format | None,
    sql: bool,
    **more: Any,
) -> None:
    """Print what a macro says about columns without roles: all, if none are named."""
    named = None if columns is None else names_in("--columns", columns)
    ids = [] if id is None else [id]
    check_inputs(input)
    with Session() as session:
        source = session.read(input, Roles(keep=ids))
        weights = [] if more["weight"] is None else [more["weight"]]
        check_columns(session, source, input, {"--columns": named or [], "--id": ids, "--weight": weights})
        print_answer(session, call(macro, source, columns=named, id=id, **more), format, sql)
