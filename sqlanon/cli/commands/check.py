"""sqlanon check"""

from typing import Any

import typer

from sqlanon.cli import options as given
from sqlanon.cli.app import EXIT_CODES, FAILS, Topic
from sqlanon.cli.options import Suppressed, takes
from sqlanon.cli.steps import (
    answer,
    read_known,
    tell_of_columns,
    tell_of_counts,
    tell_of_units,
    tell_of_weights,
)
from sqlanon.cli.values import names_in
from sqlanon.core.files import Session, check_inputs, column_names
from sqlanon.core.printing import show
from sqlanon.core.remarks import remark
from sqlanon.core.statements import execute, select
from sqlanon.judge.leaving import Leaving, leaving
from sqlanon.policies.parsing import Options
from sqlanon.policies.policy import read as read_policy

app = Topic()


@app.command(epilog=EXIT_CODES)
@takes(
    "input", "roles.qi", "roles.sensitive", "roles.unit", "roles.weight", "hierarchies", "requirements"
)  # fmt: skip
def check(
    options: Options,
    input: given.Input,
    reference: given.Reference = None,
    known: given.Known = None,
    presence: given.KnownPresence = None,
    suppressed: given.SuppressedCells = Suppressed.value,
    released: given.Meaning = None,
    policy_file: given.PolicyFile = None,
    format: given.Printed = None,
    sql: given.Sql = False,
) -> None:
    """Check a table: which privacy it reaches, or which classes violate a requirement.

    Without requirements, prints a row per privacy model with the value of the worst class. With requirements,
    prints the classes that violate them, and exits with 1 if there are any. With --policy the table is a
    release by it: exits with 1 as well if it has a column that the policy does not release, or one that names
    people and is not in its [direct].
    """
    policy = read_policy(policy_file, options, "violations")
    required = policy.requirements.keys() - {"t_distance"}
    if not required:
        policy = read_policy(policy_file, options, "privacy")
    check_inputs(input, *([] if reference is None else [reference]), *(known or []))
    not_released: list[str] = []
    naming: list[Leaving] = []
    with Session() as session:
        if policy_file is not None:
            columns = column_names(session.con, session.read(input))
            not_released, policy = policy.not_released(columns), policy.of_release(columns)
        source = None if reference is None else session.read(reference, policy.columns())
        of_known: dict[str, Any] = {"known": read_known(session, policy, known)} if known else {}
        if presence:
            of_known["presence"] = names_in("--presence", presence)
        counted = suppressed if suppressed is not Suppressed.value else None
        table = answer(
            session, policy, input, sql, is_raw=policy_file is None, reference=source, suppressed=counted,
            released=released, **of_known,
        )  # fmt: skip
        if table is None:
            return
        show(session.con, table, format)
        tell_of_units(session, policy, input)
        tell_of_weights(session, policy, input)
        tell_of_counts(
            session,
            session.read(input, policy.columns()),
            input,
            [*policy.named_columns(), policy.weight or ""],
        )
        if policy_file is not None:
            found = leaving(session.con, session.read(input, policy.columns()), policy)
            naming = [each for each in found if not each.holds and each.column not in not_released]
        classes = rows = 0
        if required:
            violating = select(table, "class", "size").distinct().subquery()
            [(classes, rows)] = execute(session.con, select(violating, "count(*)", "sum(size)"))
    if not_released:
        remark(f"{input}: {policy_file} does not release {', '.join(not_released)}")
    requirements = ", ".join(f"{name} = {value}" for name, value in policy.requirements.items())
    if classes:
        remark(f"{input}: {requirements} does not hold: {classes:,} classes with {rows:,} rows violate it")
    tell_of_columns(naming)
    if classes or not_released or naming:
        raise typer.Exit(FAILS)
    if required:
        remark(f"{input}: {requirements} holds")
