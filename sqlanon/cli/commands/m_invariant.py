"""sqlanon m-invariant, sqlanon m-invariance"""

import dataclasses

import typer

import sqlanon
from sqlanon.attack.intersection import check_formats, of_release
from sqlanon.cli.app import FAILS, Topic
from sqlanon.cli.formats import columns_read, formats_in
from sqlanon.cli.options import Given
from sqlanon.cli.steps import check_columns, print_sql, tell_of_sets
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
from sqlanon.core.outputs import remarks_on_readers
from sqlanon.core.printing import progress_bar, show
from sqlanon.core.remarks import remark
from sqlanon.core.statements import call, count, execute, named_table, select
from sqlanon.core.tables import WorkTables
from sqlanon.policies.policy import Policy
from sqlanon.policies.policy import read as read_policy

app = Topic()


@app.declare(
    "[input] roles.qi roles.sensitive [hierarchies] [output]",
    "input person_id m! state previous output force format",
)
def m_invariant(given: Given) -> None:
    """Release the next version of a table that people join and leave.

    It is m-invariant: together with the earlier releases it leaves everybody at least m sensitive values, by
    counterfeits where necessary: rows of nobody, which are counted. The state has the values of everybody's
    class, and the next release takes it as --previous. Somebody who has the state can undo the releases. The
    release is verified before it is written: release and state, or nothing. Without --output the release is
    printed, once the state is written.
    """
    policy = read_policy(None, given.options, "m_invariant")
    sensitive = _sensitive(policy)
    kept, target = place(given.state), None if given.output is None else place(given.output)
    check_inputs(given.input, given.previous)
    # a text file has no lists: a signature would be another one when it is read again
    if not (kept.table or kept.reader == "read_parquet"):
        raise UseError(
            f"--state {given.state}: the state has lists, which only .parquet and DuckDB files keep"
        )
    if target is not None and target == kept:
        raise UseError(f"--output and --state are both {given.state}: give two places")
    outputs = [each for each in (target, kept) if each is not None]
    for each in outputs:
        check_output(each, given.force)
    shown = given.input if target is None else str(target)
    with Session() as session:
        for each in outputs:
            session.will_write(each)
        source = _read(session, policy, given.input, given.person_id)
        last = None if given.previous is None else session.read(given.previous)
        for each in outputs:
            session.refuse_existing(each, given.force)
        with progress_bar() as progress:
            release = sqlanon.m_invariant(
                session.con, source, qi=policy.roles["qi"], sensitive=sensitive, previous=last,
                hierarchies=policy.make_hierarchies(session.con, source, None, WorkTables(session.con)),
                progress=progress, **policy.output, **given.of("person_id m"),
            )  # fmt: skip
        check_interrupted()
        tell_of_sets(session, policy, source, given.input, ["mondrian"])
        # the last one is in its place first: no release is out without its state
        tables = [] if target is None else [(release.table, target)]
        tables.append((release.details["state_table"], kept))
        session.write([(select(named_table(name)), to) for name, to in tables], given.force, {}, [kept])
        if target is None:
            show(session.con, named_table(release.table), given.format)
    for line in (*remarks_on_readers(kept.path), str(dataclasses.replace(release, table=shown, title=""))):
        remark(line)


@app.declare(
    "[input] roles.qi roles.sensitive roles.weight [hierarchies]",
    "releases targets! id! m presence group_id formats format sql",
)
def m_invariance(given: Given) -> None:
    """Check releases of a table that people join and leave: are they m-invariant together?

    Prints a row per class with fewer than m values or one twice, and per class that has people who were among
    other values before, and exits with 1 if there are any. With several sensitive columns the values are rows
    of these columns, and no column may have a value twice in a class. Releases are in the order in
    which they came out.
    """
    policy = read_policy(None, given.options, "m_invariance")
    qi, sensitive, marks = policy.roles["qi"], policy.roles.get("sensitive", []), given.presence or []
    check_inputs(*given.releases, given.targets)
    written = formats_in(given.formats, given.releases, qi)
    with Session() as session:
        check_formats(session.con, written)
        tables = [session.read(release) for release in given.releases]
        for i, (release, table) in enumerate(zip(given.releases, tables, strict=True), 1):
            read = columns_read(qi, of_release(written, i, "", qi) or {})
            of_release_ = {"--qi": read, "--sensitive": sensitive, **given.named("group_id")}
            check_columns(session, table, release, of_release_)
        people = session.read(given.targets, policy.raw(qi, keep=[given.id, *marks]))
        check_columns(session, people, given.targets, {"--qi": qi, **given.named("id presence")})
        relations = policy.relations(people, None)
        query = call(
            "m_invariance", tables, targets=people, qi=qi, sensitive=sensitive, weight=policy.weight,
            hierarchies="hierarchies" if relations else None, formats=written or None,
            **given.of("id m presence group_id"),
        )  # fmt: skip
        query = with_relations(query, relations)
        if given.sql:
            print_sql(session, [query])
            return
        answer = session.answer(query)
        show(session.con, answer, given.format)
        [(violations,)] = execute(session.con, count(answer))
    if violations:
        remark(f"not {given.m}-invariant: {violations:,} violations")
        raise typer.Exit(FAILS)
    remark(f"{given.m}-invariant, as far as these targets show")


def _sensitive(policy: Policy) -> str:
    """The one sensitive column. Errors: UseError."""
    columns = policy.roles.get("sensitive", [])
    if len(columns) != 1:
        raise UseError(f"--sensitive names one column here, not {len(columns)}")
    return columns[0]


def _read(session: Session, policy: Policy, input: str, id: str) -> str:
    """The name of the table, which has the columns that the policy and --id name."""
    roles = policy.columns()
    source = session.read(input, dataclasses.replace(roles, keep=[*roles.keep, id]))
    policy.check_columns(column_names(session.con, source), input)
    check_columns(session, source, input, {"--id": [id]})
    return source
