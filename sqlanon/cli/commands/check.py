"""sqlanon check"""

from typing import Any

import typer

from sqlanon.cli import options as given
from sqlanon.cli.app import EXIT_CODES, FAILS, Topic
from sqlanon.cli.options import Suppressed, takes
from sqlanon.cli.steps import answer, read_known, tell_of_units, tell_of_weights
from sqlanon.cli.values import names_in
from sqlanon.core.files import Session, check_inputs
from sqlanon.core.printing import show
from sqlanon.core.remarks import remark
from sqlanon.core.statements import execute, select
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
    format: given.Printed = None,
    sql: given.Sql = False,
) -> None:
    """Check a table: which privacy it reaches, or which classes violate a requirement.

    Without requirements, prints a row per privacy model with the value of the worst class. With requirements,
    prints the classes that violate them, and exits with 1 if there are any.
    """
    required = options.get("requirements", {}).keys() - {"population", "population_weight"}
    policy = read_policy(None, options, "violations" if required else "privacy")
    check_inputs(input, *([] if reference is None else [reference]), *(known or []))
    with Session() as session:
        source = None if reference is None else session.read(reference, policy.columns())
        of_known: dict[str, Any] = {"known": read_known(session, policy, known)} if known else {}
        if presence:
            of_known["presence"] = names_in("--presence", presence)
        counted = suppressed if suppressed is not Suppressed.value else None
        table = answer(
            session, policy, input, sql, reference=source, suppressed=counted, released=released,
            **of_known,
        )  # fmt: skip
        if table is None:
            return
        show(session.con, table, format)
        if not required:
            tell_of_units(session, policy, input)
            tell_of_weights(session, policy, input)
            return
        violating = select(table, "class", "size").distinct().subquery()
        [(classes, rows)] = execute(session.con, select(violating, "count(*)", "sum(size)"))
        tell_of_units(session, policy, input)
        tell_of_weights(session, policy, input)
    requirements = ", ".join(f"{name} = {value}" for name, value in policy.requirements.items())
    if classes:
        remark(f"{input}: {requirements} does not hold: {classes:,} classes with {rows:,} rows violate it")
        raise typer.Exit(FAILS)
    remark(f"{input}: {requirements} holds")
