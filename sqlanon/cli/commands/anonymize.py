"""sqlanon anonymize"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from sqlglot import exp

from sqlanon.cli import options as given
from sqlanon.cli.app import EXIT_CODES, Topic
from sqlanon.cli.options import takes
from sqlanon.cli.steps import (
    print_sql,
    print_steps,
    read,
    read_based_on,
    read_known,
    statement,
    tell_of_columns,
    tell_of_sets,
    tell_of_units,
)
from sqlanon.cli.values import names_in
from sqlanon.core.errors import UseError
from sqlanon.core.files import Place, Session, as_text, check_inputs, check_output, column_names, place
from sqlanon.core.interrupts import check_interrupted
from sqlanon.core.printing import Format, format_of, progress_bar, show
from sqlanon.core.remarks import remark
from sqlanon.core.statements import call, create, named_table, select, table
from sqlanon.perturb.masks import hashes, require_key
from sqlanon.policies.parsing import Options
from sqlanon.policies.policy import Policy
from sqlanon.policies.policy import read as read_policy

app = Topic()


@app.command(epilog=EXIT_CODES)
@takes(
    "input", "roles.qi", "roles.sensitive", "roles.keep", "roles.unit",
    "hierarchies", "requirements", "method", "output",
)  # fmt: skip
def anonymize(
    options: Options,
    input: given.Input,
    policy_file: given.PolicyFile = None,
    output: given.Output = None,
    sensitive_output: given.SensitiveOutput = None,
    force: given.Force = False,
    key_file: given.KeyFile = None,
    known: given.Known = None,
    presence: given.KnownPresence = None,
    format: given.Printed = None,
    sql: given.Sql = False,
    steps: given.Steps = False,
) -> None:
    """Release a table that meets privacy requirements: as a policy says, or the options, or both.

    Rows are released with their quasi-identifiers recoded to those of their class, and with the columns in
    --sensitive and --keep; no other column is. The release is verified before it is written: all of it, or
    nothing. Without --output it is printed. What was reached is told on stderr.
    """
    policy = read_policy(policy_file, options)
    if steps and (output or sensitive_output):
        raise UseError("--steps prints statements that give the rows: it writes no --output")
    if (sql or steps) and policy.masks:
        raise policy.spelling.wrong("masks", " are for a run, not for a statement")
    if hashes(policy.masks):
        require_key(key_file)
    targets = [] if output is None else [place(output)]
    _refuse_texts_of_ranges(policy, targets, format, sql or steps)
    if sensitive_output is not None:
        targets.append(_second_place(policy, targets, sensitive_output))
    check_inputs(input, *(known or []))
    for target in targets:
        check_output(target, force)
    with Session() as session:
        for target in targets:
            session.will_write(target)
        source, population = read(session, policy, input)
        of_known: dict[str, Any] = {
            "known": read_known(session, policy, known),
            "presence": names_in("--presence", presence) or None,
            "based_on": read_based_on(session, policy),
        }
        of_known = {name: value for name, value in of_known.items() if value is not None}
        for target in targets:
            session.refuse_existing(target, force)
        if steps:
            print_steps(session, policy, source, population, **of_known)
            return
        if sql:
            query = statement(session, policy, source, population, **of_known)
            if len(targets) == 2:  # made once: the buckets of both are the same
                made = create(table("released"), query, temporary=True)
                written = session.writing(_outputs(policy, "released", targets), force, policy.origin)
                print_sql(session, [made, *written])
            else:
                written = session.writing([(query, target) for target in targets], force, policy.origin)
                print_sql(session, written or [query])
            return
        with progress_bar() as progress:
            release = policy.run(
                session.con,
                source,
                population=population,
                **of_known,
                progress=progress,
                key_file=key_file,
            )
        check_interrupted()
        columns = column_names(session.con, source)
        tell_of_units(session, policy, input)
        tell_of_sets(session, policy, source, input)
        if targets:
            session.write(_outputs(policy, release.table, targets), force, policy.origin)
        else:
            show(session.con, named_table(release.table), format)
    remark(str(replace(release, table=" and ".join(map(str, targets)) or input)))
    tell_of_columns(release.leaving)
    if policy_file:
        dropped = [column for column in columns if column.lower() not in policy.named_columns()]
        if dropped:
            remark(f"not released, in no role: {', '.join(dropped)}")
        if policy.tolerated:
            remark(f"{policy_file}: no attack was made: what is tolerated is for publish and report")
        if not (targets and all(target.holds_notes for target in targets)):
            remark(as_text(policy.origin))


def _refuse_texts_of_ranges(
    policy: Policy, targets: Sequence[Place], format: Format | None, sql: bool
) -> None:
    """Refuse CSV of what it cannot hold."""
    if policy.output.get("recoding") != "range" or policy.method not in ("mondrian", "k_similar"):
        return
    cannot = "cannot hold ranges and lists, only texts of them, which can be misread: use recoding text, or"
    for target in targets:
        if target.reader == "read_csv":
            raise UseError(f"{target} {cannot} write .parquet or .json")
    if not targets and not sql and format_of(format) is Format.csv:
        raise UseError(f"--format csv {cannot} --format json")


def _second_place(policy: Policy, targets: Sequence[Place], sensitive_output: str) -> Place:
    """The place of the sensitive values, if these can be apart from the rest."""
    second = place(sensitive_output)
    if policy.method != "anatomize":
        raise UseError(f"--sensitive-output is for anatomize, not for {policy.method}")
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


def _outputs(policy: Policy, release: str, targets: Sequence[Place]) -> list[tuple[exp.Expression, Place]]:
    """What of a release goes where: all of it, or the two relations of Anatomy."""
    if len(targets) == 1:
        return [(select(named_table(release)), targets[0])]
    kept = [*policy.roles.get("keep", []), *policy.masks]
    queries = (
        call("_anatomy_quasi_identifiers", release, policy.roles["qi"], kept),
        call("_anatomy_values", release, policy.roles["sensitive"]),
    )
    return list(zip(queries, targets, strict=True))
