"""sqlanon anonymize"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from sqlglot import exp

from sqlanon.cli import steps
from sqlanon.cli.app import Topic
from sqlanon.cli.options import Given
from sqlanon.core import survey_files
from sqlanon.core.errors import UseError
from sqlanon.core.files import Place, Session, as_text, check_inputs, column_names, place
from sqlanon.core.interrupts import check_interrupted
from sqlanon.core.printing import Format, format_of, progress_bar, show
from sqlanon.core.remarks import remark
from sqlanon.core.statements import call, create, named_table, select, table
from sqlanon.judge.leaving import leaving
from sqlanon.perturb.masks import hashes, require_key
from sqlanon.policies.people import read_people
from sqlanon.policies.policy import Policy
from sqlanon.policies.policy import read as read_policy

app = Topic()


@app.declare(
    "[input] roles.qi roles.sensitive roles.keep roles.unit roles.sampling_weight roles.household",
    "[hierarchies] [requirements] [method]",
    "[output]",
    "checked policy_file output spare sensitive_output force key_file known known_presence format sql steps",
)
def anonymize(given: Given) -> None:
    """Release a table that meets privacy requirements: as a policy says, or the options, or both.

    Rows are released with their quasi-identifiers recoded to those of their class, and with the columns in
    --sensitive and --keep; no other column is. The release is verified before it is written: all of it, or
    nothing. Without --output it is printed. What was reached is printed on stderr.

    With [tables] the policy is about several tables of the same people. They are recoded alike, and written
    to a new folder, --output, with a file for each: all of them, or none.
    """
    if given.policy_file is not None and (rules := read_people(given.policy_file, given.options)) is not None:
        from sqlanon.cli import several_tables  # which is slow to import

        several_tables.anonymize(given, rules)
        return
    if (input := given.checked) is None:
        raise UseError("Missing argument 'INPUT'.")
    policy = read_policy(given.policy_file, steps.with_spared(given.options, given.spare))
    if given.steps and (given.output or given.sensitive_output):
        raise UseError("--steps prints statements that give the rows: it writes no --output")
    if (given.sql or given.steps) and policy.masks:
        raise policy.spelling.wrong("masks", " are for a run, not for a statement")
    if given.sql or given.steps:
        policy.check_for_statement()
    if hashes(policy.masks):
        require_key(given.key_file)
    targets = [] if given.output is None else [place(given.output)]
    _refuse_texts_of_ranges(policy, targets, given.format, given.sql or given.steps)
    if given.sensitive_output is not None:
        targets.append(_second_place(policy, targets, given.sensitive_output))
    check_inputs(input, *(given.known or []))
    outputs = steps.Outputs(given, *targets, notes=policy.origin)
    with Session() as session:
        with outputs.announced(session):
            source, population = steps.read(session, policy, input)
            of_known: dict[str, Any] = {
                "known": steps.read_known(session, policy, given.known),
                "presence": given.known_presence or None,
                "based_on": steps.read_based_on(session, policy),
            }
            of_known = {name: value for name, value in of_known.items() if value is not None}
        if given.steps:
            steps.print_steps(session, policy, source, population, **of_known)
            return
        if given.sql:
            query = steps.statement(session, policy, source, population, **of_known)
            if len(targets) == 2:  # made once: the buckets of both are the same
                made = create(table("released"), session.as_text(query), temporary=True)
                written = session.writing(_outputs(policy, "released", targets), given.force, policy.origin)
                steps.print_sql(session, [made, *written])
            else:
                outputs.print_sql(session, query)
            return
        with progress_bar() as progress:
            release = policy.run(
                session.con, source, population=population, **of_known, progress=progress,
                key_file=given.key_file,
            )  # fmt: skip
        check_interrupted()
        columns = column_names(session.con, source)
        left = release.leaving
        if policy.unit is not None and policy.masks:  # a pseudonym joins the rows of a person
            left = leaving(session.con, release.table, policy, source, left)
        steps.tell_of_units(session, policy, input)
        steps.tell_of_spellings_in(session, policy, input)
        steps.tell_of_sets(session, policy, source, input)
        if targets:
            session.write(_outputs(policy, release.table, targets), given.force, policy.origin)
        else:
            show(session.con, named_table(release.table), given.format)
    remark(str(replace(release, table=" and ".join(map(str, targets)) or input, title="")))
    steps.tell_of_columns(left)
    if policy.profile is not None:
        remark(policy.profile.reservation)
    if given.policy_file:
        named = {*policy.named_columns(), (policy.household or "").lower()}
        dropped = [column for column in columns if column.lower() not in named]
        if dropped:
            remark(f"not released, in no role: {', '.join(dropped)}")
        if policy.tolerated:
            remark(f"{given.policy_file}: no attack was made: what is tolerated is for publish and report")
        if not (targets and all(target.holds_notes for target in targets)):
            remark(as_text(policy.origin))


def _refuse_texts_of_ranges(
    policy: Policy, targets: Sequence[Place], format: Format | None, sql: bool
) -> None:
    """Refuse files of what they cannot hold."""
    if policy.output.get("recoding") != "range" or policy.method not in ("mondrian", "k_similar"):
        return
    cannot = "cannot hold ranges and lists, only texts of them, which can be misread: use recoding text, or"
    for target in targets:
        if target.reader in ("read_csv", *survey_files.KINDS):
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
