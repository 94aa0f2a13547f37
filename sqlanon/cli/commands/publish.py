"""sqlanon publish, releases, audit, register"""

from collections.abc import Sequence
from datetime import UTC
from pathlib import Path

import typer

import sqlanon
from sqlanon import policies
from sqlanon.cli import options as given
from sqlanon.cli.all_attacks import parameters_in
from sqlanon.cli.app import EXIT_CODES, FAILS, WRONG_USE, Topic
from sqlanon.cli.options import formats_in, takes
from sqlanon.cli.steps import read, tell_of_units
from sqlanon.cli.values import assignments_in, names_in
from sqlanon.core.errors import UseError
from sqlanon.core.files import Place, Session, check_inputs, column_names, place
from sqlanon.core.files import check_output as check_file
from sqlanon.core.interrupts import check_interrupted
from sqlanon.core.printing import Format, format_of, progress_bar, show, show_table
from sqlanon.core.remarks import remark
from sqlanon.core.source import lower
from sqlanon.core.statements import execute, named_table, relation, select
from sqlanon.core.tables import WorkTables
from sqlanon.core.text_files import Roles
from sqlanon.judge.verdicts import PROPOSAL
from sqlanon.pages.vega import require_extra
from sqlanon.perturb.masks import hashes, require_key
from sqlanon.policies.parsing import Options, check_input
from sqlanon.policies.policy import read as read_policy
from sqlanon.policies.tables import TablePolicy, read_table
from sqlanon.publishing.auditing import last_policy, listed, proposed
from sqlanon.publishing.gate import check_output, stem
from sqlanon.publishing.tables import check_columns, publish_table

SHOWN = 5  # proposals, of those that proposals lists

app = Topic()
in_register = Topic()
app.add_typer(in_register, name="register", epilog=EXIT_CODES)


@app.command(epilog=EXIT_CODES)
def publish(
    input: given.Input,
    policy_file: given.PublishedPolicy,
    register: given.RegisterOption,
    output: given.PublishedOutput,
    name: given.EntryName = None,
    attacks: given.OnlyAttacks = None,
    settings: given.Settings = None,
    max_targets: given.MaxTargets = None,
    accept: given.Accept = None,
    accept_past: given.AcceptPast = None,
    time_limit: given.JudgeTime = None,
    dry_run: given.DryRun = False,
    wait: given.Wait = 0,
    key_file: given.KeyFile = None,
    format: given.Printed = None,
) -> None:
    """Anonymize a table, attack it with all that is published, and publish it only if that is tolerated.

    With [table] the policy makes a table of counts or sums instead, and it is published only if no unsafe
    cell is known by it.

    The release is made as the policy says, verified, and attacked together with everything in the register;
    the people of the table are the targets. Only if every bound in [tolerated] holds is it published: its
    entry first, which counts as out, then the file. Otherwise the exit code is 1, and nothing is written.
    Prints the bounds of the policy, and what was found.

    What a crash has left is cleared up by the next run. A policy that says known = "register" and composed_l
    has the release made so that it fits with what is out. Keep the register as secret as the table: it tells
    how exposed people are. It is encrypted if SQLANON_REGISTER_KEY has a key when it is made.
    """
    if (of_cells := read_table(policy_file)) is not None:
        others = {"--attacks": attacks, "--set": settings, "--max-targets": max_targets,
                  "--accept-past": accept_past, "--time-limit": time_limit}  # fmt: skip
        if unused := [flag for flag, value in others.items() if value is not None]:
            raise UseError(f"{unused[0]} is for releases of rows; {policy_file} makes a table ([table])")
        _publish_table(
            of_cells, input, policy_file, register, output, name, accept, dry_run, wait, key_file, format
        )
        return
    policy = policies.load(policy_file)
    check_output(output, policy)
    if not policy.tolerated:
        remark(f"error: {policy_file}: tolerated is empty: say what attacks may find, for example")
        print(PROPOSAL)
        raise typer.Exit(WRONG_USE)
    if hashes(policy.masks):
        require_key(key_file)
    check_inputs(input)
    with Session() as session:
        source, population = read(session, policy, input)
        try:
            with progress_bar() as progress:
                published = sqlanon.publish(
                    session.con, source, policy, register=register, output=output, name=name,
                    population=population, attacks=_names(attacks),
                    parameters=parameters_in(session, settings), max_targets=max_targets,
                    accept=accepted_in(accept), accept_past=accept_past, time_limit=time_limit,
                    dry_run=dry_run, wait=wait, key_file=key_file, progress=progress,
                )  # fmt: skip
        except sqlanon.RefusedError as error:
            _show_bounds(session, error.verdicts, format)
            _tell(error.remarks)
            _tell(error.reasons)
            remark(f"{error.verdict}: {output} is not out")
            raise typer.Exit(FAILS) from None
        check_interrupted()
        _show_bounds(session, published.verdicts, format)
        tell_of_units(session, policy, input)
    _tell(published.remarks)
    if published.together:
        remark(f"attacked together with {len(published.together):,}: {', '.join(published.together)}")
    remark(str(published.release).replace(published.release.table, output, 1))
    if dry_run:
        remark("a dry run: it would go out; nothing was written")
    else:
        remark(f"{output} is out: release {published.number}, {published.name}, in {register}")


def _publish_table(
    policy: TablePolicy, input: str, policy_file: Path, register: Path, output: str, name: str | None,
    accept: list[str] | None, dry_run: bool, wait: float, key_file: Path | None, format: Format | None,
) -> None:  # fmt: skip
    """Make a table of counts or sums, and publish it if no cell that breaks a rule is known by it."""
    check_inputs(input)
    with Session() as session:
        columns = [column for named in policy.columns.values() for column in named]
        source = session.read(input, policy.policy.raw(keep=columns))
        check_columns(policy, column_names(session.con, source), policy_file, input)
        try:
            made = publish_table(
                session.con, source, policy_file, register=register, output=output, name=name,
                accept=accepted_in(accept), dry_run=dry_run, wait=wait, key_file=key_file,
            )  # fmt: skip
        except sqlanon.RefusedError as error:
            _show_bounds(session, error.verdicts, format)
            _tell(error.remarks)
            _tell(error.reasons)
            remark(f"{error.verdict}: {output} is not out")
            raise typer.Exit(FAILS) from None
        check_interrupted()
        _show_bounds(session, made.verdicts, format)
        if "unit" not in policy.asked:
            tell_of_units(session, policy.policy, input)
    _tell(made.remarks)
    remark(
        f"{output}: {made.cells:,} cells, of which {made.unsafe:,} break a rule, and {made.hidden:,} are "
        "hidden or changed"
    )
    if dry_run:
        remark("a dry run: it would go out; nothing was written")
    else:
        remark(f"{output} is out: release {made.number}, {made.name}, in {register}")


@app.command(epilog=EXIT_CODES)
def releases(
    register: given.Register,
    wait: given.Wait = 0,
    format: given.Printed = None,
) -> None:
    """List the releases of a register, a row each.

    Pending ones and withdrawn ones count as out. Abandoned ones never went out. In SQL there is more: attach
    the register, and see the comments on its tables releases and verdicts, and the schema released for rows.
    """
    with Session() as session:
        made = listed(session.con, register, wait)
        if format_of(format) is not Format.table:
            show(session.con, made, format)
            return
        columns = ("id", "name", "status", "published_by", "row_count", "made_by", "made_at")
        rows = [
            (*row, f"{made_at.replace(tzinfo=UTC).astimezone():%Y-%m-%d %H:%M}")
            for *row, made_at in execute(session.con, select(made, *columns))
        ]
        if rows:
            show_table(("id", "name", "status", "of", "rows", "entered by", "at (local time)"), rows)
        remark("--format csv, json or markdown prints all columns, with times in UTC")


@app.command(epilog=EXIT_CODES)
def audit(
    register: given.Register,
    targets: given.Targets[str],
    policy_file: given.AuditedPolicy = None,
    attacks: given.OnlyAttacks = None,
    settings: given.Settings = None,
    max_targets: given.MaxTargets = None,
    accept: given.Accept = None,
    time_limit: given.JudgeTime = None,
    output: given.PageFile = None,
    force: given.Force = False,
    wait: given.Wait = 0,
    format: given.Printed = None,
) -> None:
    """Attack all releases of a register anew, each and together, and record what is found.

    For when others have published something, or there is a new attack. The targets are the people as the
    policy has them, such as the table of today. Prints what the policy bounds, and what was found; the exit
    code is 1 if that does not hold.

    With -o it also writes a page for an auditor: what is out since when, what it gives away together, release
    by release, what holds, what does not, of what nothing was stated, and what could not be attacked. Keep it
    as secret as the register. (pip install 'sqlanon[report]')
    """
    if output is not None:
        require_extra()
        check_file(Place(output), force)
    policy = None if policy_file is None else policies.load(policy_file)
    check_inputs(targets)
    with Session() as session:
        columns = policy or last_policy(session.con, register, wait)
        people = session.read(targets, columns.columns())
        with progress_bar() as progress:
            made = sqlanon.audit(
                session.con, people, register=register, policy=policy, attacks=_names(attacks),
                parameters=parameters_in(session, settings), max_targets=max_targets,
                accept=accepted_in(accept), time_limit=time_limit, wait=wait, progress=progress,
                page=output is not None,
            )  # fmt: skip
        _show_bounds(session, made.verdicts, format)
    _tell(made.remarks)
    if output is not None and made.page is not None:
        made.page.write(output, force=force)
        remark(f"{output}: keep it as secret as the register")
    _tell(made.reasons)
    remark(f"{register}: {made.verdict}")
    if not made.holds:
        raise typer.Exit(FAILS)


@in_register.callback()
def _of_register() -> None:
    """Add releases of others to a register, withdraw a release, or look people up."""


@in_register.command(epilog=EXIT_CODES)
@takes("input", "hierarchies")
def add(
    options: Options,
    register: given.Register,
    input: given.Input,
    qi: given.MappedQi,
    name: given.EntryName = None,
    sensitive: given.MappedSensitive = None,
    values: given.Spellings = None,
    nearest: given.OfCentroids = False,
    formats: given.Formats = None,
    wait: given.Wait = 0,
) -> None:
    """Enter a release that somebody else has published, or that is older than the register.

    From then on it is attacked together with all others. Say what we call its columns (--qi alter=age) and
    values (--values FILE), and what its labels stand for (--hierarchies): it is not read by today's words.
    """
    file = place(input)
    called = name or stem(file.path)
    by_qi, secret = mapped_in("--qi", qi), mapped_in("--sensitive", sensitive)
    written = formats_in(formats, [called], [*by_qi])
    check_inputs(input, *([] if values is None else [values]))
    with Session() as session:
        released = session.read(input, Roles(**check_input(options)))
        made_of = read_policy(None, {**options, "roles": {"qi": [*by_qi]}}, "locate")
        with WorkTables(session.con) as work:
            entered = sqlanon.add_release(
                session.con, released, register=register, name=called, qi=by_qi,
                sensitive=secret, values=None if values is None else _mappings(session, values)[1],
                hierarchies=made_of.make_hierarchies(session.con, released, None, work, is_raw=False),
                nearest=nearest, formats=written, wait=wait,
                path=None if file.table is not None else file.path,
            )  # fmt: skip
        found = execute(session.con, select(proposed(session.con, called, register, wait)))
    remark(f"{input} is release {entered}, {called}, in {register}")
    for kind, column, theirs, ours, why in found[:SHOWN]:
        of = f" ({column})" if kind == "value" else ""
        remark(f"{called}: {theirs} may be our {ours}{of}: {why}")
    if found:
        remark(
            f"{called}: nothing of this is supposed. sqlanon register proposals lists all {len(found):,}, "
            "and sqlanon register map says what is right"
        )


@in_register.command(epilog=EXIT_CODES)
def proposals(
    register: given.Register,
    release: given.EntryNameOrNumber,
    wait: given.Wait = 0,
    format: given.Printed = None,
) -> None:
    """Tell what columns and values of a release of others may be called by us.

    Prints a row each: columns that are spelled alike or share values, and values that are spelled alike.
    Nothing is mapped by it. Delete what is wrong, and give the file to sqlanon register map --values.
    """
    with Session() as session:
        show(session.con, proposed(session.con, release, register, wait), format)


@in_register.command("map", epilog=EXIT_CODES)
def map_(
    register: given.Register,
    release: given.EntryNameOrNumber,
    names: given.MappedNames = None,
    values: given.Spellings = None,
    wait: given.Wait = 0,
) -> None:
    """Tell what columns and values of a release are called by us, so that it can be compared with others."""
    check_inputs(*([] if values is None else [values]))
    called = {column: ours for column, ours in mapped_in("--names", names).items() if ours is not None}
    with Session() as session:
        by_file, spelled = ({}, None) if values is None else _mappings(session, values)
        sqlanon.map_release(
            session.con, release, register=register, names={**by_file, **called}, values=spelled, wait=wait
        )
    remark(f"{release} is mapped in {register}")


@in_register.command(epilog=EXIT_CODES)
def forget(
    register: given.Register,
    people: given.Forgotten,
    policy_file: given.AuditedPolicy = None,
    wait: given.Wait = 0,
) -> None:
    """Remove people from those whom the register keeps (keep_people), such as somebody who asks for it.

    They are not asked about any more once they have left. The columns by which the policy identifies people
    (identifier or unit) must be there.
    """
    policy = None if policy_file is None else policies.load(policy_file)
    check_inputs(people)
    with Session() as session:
        rules = policy or last_policy(session.con, register, wait)
        who = session.read(people, rules.columns())
        number = sqlanon.forget_people(session.con, who, register=register, policy=policy, wait=wait)
    remark(f"{register}: {number:,} people are forgotten")


@in_register.command(epilog=EXIT_CODES)
def withdraw(register: given.Register, release: given.EntryNameOrNumber, wait: given.Wait = 0) -> None:
    """Note that a release is no longer offered. Whoever has it keeps it, so it still counts."""
    with Session() as session:
        sqlanon.withdraw_release(session.con, release, register=register, wait=wait)
    remark(f"{release} is withdrawn. Whoever has it keeps it: it counts as out")


@in_register.command(epilog=EXIT_CODES)
def locate(
    register: given.Register,
    targets: given.Targets[str],
    id: given.TargetId[str],
    policy_file: given.AuditedPolicy = None,
    wait: given.Wait = 0,
    format: given.Printed = None,
) -> None:
    """Tell in which releases people can be found, such as somebody who asks to be forgotten.

    Prints a row per person and release: how many classes cover them, and how many rows these have. They need
    not be in there: somebody with the same quasi-identifiers may be. What is out stays out.
    """
    policy = None if policy_file is None else policies.load(policy_file)
    check_inputs(targets)
    with Session() as session:
        people = session.read(targets, Roles(keep=[id]) if policy is None else policy.raw(keep=[id]))
        located = sqlanon.locate_in_releases(
            session.con, people, register=register, id=id, policy=policy, wait=wait
        )
        show(session.con, named_table(located.located), format)
    _tell(located.remarks)


def mapped_in(flag: str, lines: Sequence[str] | None) -> dict[str, str | None]:
    """--qi alter=age,zip: columns, and what we call them if that is said."""
    found: dict[str, str | None] = {}
    for part in names_in(flag, lines):
        column, equals, ours = part.partition("=")
        found[column] = ours if equals else None
    return found


def _mappings(session: Session, file: str) -> tuple[dict[str, str], dict[str, dict[str, str]]]:
    """What columns of a release are called by us, and how it spells values: from a file with the columns
    column, theirs, ours, and kind (column or value), where not all are of values."""
    tbl = session.read(file, Roles())
    has_kind = "kind" in lower(column_names(session.con, tbl))
    told = select(relation(tbl), "kind" if has_kind else "'value'", '"column"', "theirs", "ours")
    called: dict[str, str] = {}
    spelled: dict[str, dict[str, str]] = {}
    for kind, column, theirs, ours in execute(session.con, told):
        if kind == "column":
            called[str(theirs)] = str(ours)
        else:
            spelled.setdefault(str(column), {})[str(theirs)] = str(ours)
    return called, spelled


def accepted_in(lines: Sequence[str] | None) -> dict[str, str]:
    """--accept evidence.leavers="they were told": reasons, by what is not known."""
    return dict(assignments_in("--accept", lines, 'NAME=REASON, such as evidence.leavers="they were told"'))


def _names(lines: Sequence[str] | None) -> list[str] | None:
    return None if lines is None else names_in("--attacks", lines)


def _show_bounds(session: Session, verdicts: str, format: Format | None) -> None:
    """Print what was bounded, and what was found."""
    columns = (
        "attack", "id", "releases", "sensitive", "value", "unit", "people", "before", "tolerated", "verdict",
        "reason",
    )  # fmt: skip
    bounded = select(named_table(verdicts), *columns).where("verdict is not null")
    show(session.con, session.answer(bounded), format)


def _tell(lines: Sequence[str]) -> None:
    for line in dict.fromkeys(lines):
        remark(line)
