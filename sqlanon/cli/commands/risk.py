"""sqlanon risk, sqlanon quasi-identifiers, sqlanon uniques"""

from dataclasses import replace
from typing import Any

import typer

from sqlanon.cli.app import FAILS, Topic
from sqlanon.cli.options import Given, Suppressed
from sqlanon.cli.steps import (
    answer,
    print_about,
    print_answer,
    tell_of_counts_in,
    tell_of_hidden_rows,
    tell_of_spellings_in,
    tell_of_units,
)
from sqlanon.core.errors import UseError
from sqlanon.core.files import Session, check_inputs, column_names
from sqlanon.core.printing import show
from sqlanon.core.statements import call, execute
from sqlanon.core.text_files import Roles
from sqlanon.policies.parsing import check_input
from sqlanon.policies.policy import read as read_policy

app = Topic()

ZIP3 = {"zip3": "text"}  # 036 is no number


@app.declare(
    "[input] roles.qi roles.keep roles.unit roles.weight roles.sampling_weight roles.household",
    "[hierarchies] requirements.population requirements.population_weight requirements.distinct_spellings",
    "input policy_file risk_threshold fraction risk_formula wished_global_risk per_record suppressed",
    "released format sql",
)
def risk(given: Given) -> None:
    """Print how likely the records of a table or a release are re-identified: a row per measure.

    With --population, the risk of being found there, too. With --fraction, how many of the population are
    estimated to be unique: by Pitman, Zayatz, SNB, and by the rule of Dankar et al. which of them to use.

    With --sampling-weight, the table is a sample of a population: how many of its records are expected to be
    re-identified there (global risk), by the weights. With --household, who finds one member finds all.
    """
    _check_fraction(given.fraction)
    for option, value in given.of("risk_threshold fraction wished_global_risk").items():
        if given.per_record and value is not None:
            raise UseError(f"--{option.replace('_', '-')} is not for --per-record")
    if not given.per_record and "keep" in given.options.get("roles", {}):
        raise UseError("--keep is for --per-record")
    policy = read_policy(given.policy_file, given.options, "record_risk" if given.per_record else "risk")
    # risk is measured, and not held against any
    policy = replace(policy, requirements={"distinct_spellings": policy.distinct_spellings})
    check_inputs(given.input)
    with Session() as session:
        is_release = False
        if given.policy_file is not None:
            columns = column_names(session.con, session.read(given.input, replace(policy.raw(), types={})))
            if is_release := policy.is_release(columns):
                policy = policy.of_release(columns)
        arguments: dict[str, Any] = given.of("risk_threshold fraction released wished_global_risk")
        arguments |= {} if given.risk_formula is None else given.of("risk_formula")
        if given.suppressed is not Suppressed.value:
            arguments["suppressed"] = given.suppressed
        # hierarchies are for a population alone: without one nothing has to be built of a release
        is_raw = policy.population is not None and not given.released and not is_release
        if rows := answer(session, policy, given.input, given.sql, is_raw=is_raw, **arguments):
            words = None if given.per_record else call("_risk_in_words", rows.name)
            show(session.con, rows, given.format, words=words)
            tell_of_units(session, policy, given.input)
            tell_of_counts_in(session, policy, given.input)
            tell_of_spellings_in(session, policy, given.input)
            if given.suppressed is Suppressed.value:
                tell_of_hidden_rows(session, policy, given.input)


@app.declare("[input] input format sql")
def identifiers(given: Given) -> None:
    """Print the columns that identify people by themselves, judged by their values and names.

    A row per column and kind of identifier that it looks like: e-mail address, card number, name, ...
    matching is the share of its distinct values that have this form; identifies is true if that is enough.
    This is a guess: a column that is not listed may still identify people.
    """
    print_about(given, "identifiers", [(given.input, Roles(**check_input(given.options)))])


@app.declare("[input] input populations format sql")
def safe_harbor(given: Given) -> None:
    """Print what must not leave by HIPAA's Safe Harbor: a row per column and rule.

    Identifiers, ZIP codes and places, dates and ages, by names and values of columns (45 CFR 164.514(b)(2)).
    Exits with 1 if there is a row. This is a guess: a column that is not listed may still identify people.
    """
    check_inputs(given.input, given.populations)
    with Session() as session:
        table = session.read(given.input, Roles(**check_input(given.options)))
        others = None if given.populations is None else session.read(given.populations, Roles(types=ZIP3))
        query = call("safe_harbor", table, populations=others)
        print_answer(session, query, given.format, given.sql)
        if not given.sql and execute(session.con, query.copy().limit(1)):
            raise typer.Exit(FAILS)


@app.declare("input looked_at? max_size sample sample_seed weight format sql")
def quasi_identifiers(given: Given) -> None:
    """Print how well sets of columns distinguish the rows of a table: a row per set, small ones first.

    Distinction is the share of distinct combinations among the rows, separation the share of pairs of rows
    that differ. Columns in a set with much of both are quasi-identifiers. Without --columns, all are looked
    at.
    """
    if given.sample is not None and given.weight is not None:
        raise UseError("--sample does not go with --weight: rows are drawn, not the people they stand for")
    print_about(
        given,
        "quasi_identifiers",
        [(given.input, Roles())],
        "looked_at weight",
        "max_size sample sample_seed",
    )


@app.declare("input looked_at! record_id max_size scores fraction weight format sql")
def uniques(given: Given) -> None:
    """Print the smallest sets of columns in which a record is unique: a row per record and set.

    With --scores, a row per record: how special it is, by number and size of these sets, and with --fraction
    how likely a match with it is right (DIS-SUDA).
    """
    _check_fraction(given.fraction)
    if given.scores and given.record_id is None:
        raise UseError("--scores needs --id")
    if given.fraction is not None and not given.scores:
        raise UseError("--fraction is for --scores")
    roles = Roles(keep=[] if given.record_id is None else [given.record_id])
    macro, others = ("suda", "max_size fraction") if given.scores else ("minimal_uniques", "max_size")
    print_about(given, macro, [(given.input, roles)], "looked_at record_id weight", others)


def _check_fraction(fraction: float | None) -> None:
    if fraction is not None and not 0 < fraction < 1:
        raise UseError(f"--fraction must be above 0 and below 1, not {fraction}")
