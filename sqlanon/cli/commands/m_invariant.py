"""sqlanon m-invariant, sqlanon m-invariance"""

import dataclasses

import typer

import sqlanon
from sqlanon.attack.intersection import of_release
from sqlanon.cli import options as given
from sqlanon.cli.app import EXIT_CODES, FAILS, Topic
from sqlanon.cli.formats import check_formats, columns_read
from sqlanon.cli.options import formats_in, takes
from sqlanon.cli.steps import check_columns, print_sql
from sqlanon.cli.values import names_in
from sqlanon.core.errors import UseError
from sqlanon.core.files import (
    Session,
    check_inputs,
    check_output,
    column_names,
    place,
    with_relations,
)
from sqlanon.core.interrupts import check_interrupted
from sqlanon.core.outputs import told_of_readers
from sqlanon.core.printing import progress_bar, show
from sqlanon.core.remarks import remark
from sqlanon.core.statements import call, count, execute, named_table, select
from sqlanon.core.tables import WorkTables
from sqlanon.policies.parsing import Options
from sqlanon.policies.policy import Policy
from sqlanon.policies.policy import read as read_policy

app = Topic()


@app.command(epilog=EXIT_CODES)
@takes("input", "roles.qi", "roles.sensitive", "hierarchies", "output")
def m_invariant(
    options: Options,
    input: given.Input,
    id: given.PersonId,
    m: given.M,
    state: given.StateOutput,
    previous: given.PreviousState = None,
    output: given.Output = None,
    force: given.Force = False,
    format: given.Printed = None,
) -> None:
    """Release a table that grows and shrinks once more, m-invariant with the releases before.

    All releases together leave everybody at least m sensitive values, by counterfeits where necessary: rows
    of nobody, which are counted. What everybody's values were to be is in the state, which the next release
    takes as --previous. Who has the state can undo the releases. The release is verified before it is
    written: release and state, or nothing. Without --output the release is printed, once the state is
    written.
    """
    policy = read_policy(None, options, "m_invariant")
    sensitive = _sensitive(policy)
    kept, target = place(state), None if output is None else place(output)
    check_inputs(input, *([] if previous is None else [previous]))
    # a text file has no lists: a signature would be another one when it is read again
    if not (kept.table or kept.reader == "read_parquet"):
        raise UseError(f"--state {state}: the state has lists, which only .parquet and DuckDB files keep")
    if target is not None and target == kept:
        raise UseError(f"--output and --state are both {state}: give two places")
    outputs = [each for each in (target, kept) if each is not None]
    for each in outputs:
        check_output(each, force)
    shown = input if target is None else str(target)
    with Session() as session:
        for each in outputs:
            session.will_write(each)
        source = _read(session, policy, input, id)
        last = None if previous is None else session.read(previous)
        for each in outputs:
            session.refuse_existing(each, force)
        with progress_bar() as progress:
            release = sqlanon.m_invariant(
                session.con, source, id=id, qi=policy.roles["qi"], sensitive=sensitive, m=m, previous=last,
                hierarchies=policy.make_hierarchies(session.con, source, None, WorkTables(session.con)),
                progress=progress, **policy.output,
            )  # fmt: skip
        check_interrupted()
        # the last one is in its place first: no release is out without its state
        tables = [] if target is None else [(release.table, target)]
        tables.append((release.details["state_table"], kept))
        session.write([(select(named_table(name)), to) for name, to in tables], force, {}, [kept])
        if target is None:
            show(session.con, named_table(release.table), format)
    for line in (*told_of_readers(kept.path), str(dataclasses.replace(release, table=shown))):
        remark(line)


@app.command(epilog=EXIT_CODES)
@takes("input", "roles.qi", "roles.sensitive", "roles.weight", "hierarchies")
def m_invariance(
    options: Options,
    releases: given.Releases,
    targets: given.Targets[str],
    id: given.TargetId[str],
    m: given.M = 2,
    presence: given.Presence = None,
    group_id: given.GroupId = None,
    formats: given.Formats = None,
    format: given.Printed = None,
    sql: given.Sql = False,
) -> None:
    """Check releases of a table that grows and shrinks: are they m-invariant together?

    Prints a row per class with fewer than m values or one twice, and per class that has people who were among
    other values before, and exits with 1 if there are any. With several sensitive columns the values are rows
    of these columns, and no column may have a value twice in a class. Releases are in the order in
    which they came out.
    """
    policy = read_policy(None, options, "m_invariance")
    sensitive, marks = policy.roles.get("sensitive", []), names_in("--presence", presence)
    check_inputs(*releases, targets)
    written = formats_in(formats, releases, policy.roles["qi"])
    with Session() as session:
        check_formats(session.con, written)
        tables = [session.read(release) for release in releases]
        for i, (release, table) in enumerate(zip(releases, tables, strict=True), 1):
            read = columns_read(policy.roles["qi"], of_release(written, i, "", policy.roles["qi"]) or {})
            named = {"--qi": read, "--sensitive": sensitive, "--group-id": [group_id] if group_id else []}
            check_columns(session, table, release, named)
        people = session.read(targets, policy.raw(policy.roles["qi"], keep=[id, *marks]))
        of_targets = {"--qi": policy.roles["qi"], "--id": [id], "--presence": marks}
        check_columns(session, people, targets, of_targets)
        relations = policy.relations(people, None)
        query = with_relations(
            call(
                "m_invariance", tables, targets=people, id=id, qi=policy.roles["qi"], sensitive=sensitive,
                m=m, hierarchies="hierarchies" if relations else None, presence=marks or None,
                group_id=group_id, weight=policy.weight, formats=written or None,
            ),
            relations,
        )  # fmt: skip
        if sql:
            print_sql(session, [query])
            return
        answer = session.answer(query)
        show(session.con, answer, format)
        [(violations,)] = execute(session.con, count(answer))
    if violations:
        remark(f"not {m}-invariant: {violations:,} violations")
        raise typer.Exit(FAILS)
    remark(f"{m}-invariant, as far as these targets show")


def _sensitive(policy: Policy) -> str:
    """The one sensitive column. Errors: UseError."""
    columns = policy.roles.get("sensitive", [])
    if len(columns) != 1:
        raise UseError(f"--sensitive names one column here, not {len(columns)}")
    return columns[0]


def _read(session: Session, policy: Policy, input: str, id: str) -> str:
    """The name of the table, which has the columns that are asked for."""
    roles = policy.columns()
    source = session.read(input, dataclasses.replace(roles, keep=[*roles.keep, id]))
    policy.check_columns(column_names(session.con, source), input)
    check_columns(session, source, input, {"--id": [id]})
    return source
