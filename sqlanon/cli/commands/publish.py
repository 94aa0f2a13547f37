"""sqlanon publish, releases, audit, register"""

import dataclasses
import re
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC
from pathlib import Path
from shlex import quote
from typing import Any

import typer

import sqlanon
from sqlanon import policies
from sqlanon.cli.app import FAILS, WRONG_USE, Topic
from sqlanon.cli.called_otherwise import with_columns
from sqlanon.cli.decision import Decision, DecisionOnTable, check_decision, check_page_language
from sqlanon.cli.formats import formats_in
from sqlanon.cli.knowledge import parameters_in
from sqlanon.cli.options import Given, flags_of
from sqlanon.cli.printed import session_of_tables
from sqlanon.cli.questions import says_yes
from sqlanon.cli.steps import MADE_ONE, read, tell_of_sets, tell_of_spellings_in
from sqlanon.cli.values import accepted_in, assignment_in, earlier_in, words_in
from sqlanon.core.errors import UnmetError, UnreadWarning, UseError
from sqlanon.core.files import Place, Session, check_inputs, column_names, is_small_database, place
from sqlanon.core.files import check_output as check_file
from sqlanon.core.interrupts import check_interrupted
from sqlanon.core.printing import Format, format_of, progress_bar, show, show_table
from sqlanon.core.remarks import remark
from sqlanon.core.source import lower
from sqlanon.core.statements import call, execute, named_table, relation, select
from sqlanon.core.tables import WorkTables
from sqlanon.core.text_files import Roles
from sqlanon.core.toml import shown
from sqlanon.pages.vega import require_extra
from sqlanon.perturb.masks import hashes, require_key
from sqlanon.policies import confirming
from sqlanon.policies.levels import proposal
from sqlanon.policies.parsing import check_input
from sqlanon.policies.people import read_people
from sqlanon.policies.policy import Policy
from sqlanon.policies.policy import read as read_policy
from sqlanon.policies.tables import TablePolicy, read_table
from sqlanon.publishing.auditing import columns_of_forgotten, last_policy, listed, proposed
from sqlanon.publishing.gate import Publication, check_output, check_place, stem
from sqlanon.publishing.register import opened
from sqlanon.publishing.remedies import NOT_TRIED, Remedy, applied, come_first, in_order
from sqlanon.publishing.table_remedies import with_change
from sqlanon.publishing.tables import TablePublication, check_columns, publish_table

WHAT_HELPS = (
    "--remedies 120 tries changes of the policy on this table for 120 seconds (k, l, alpha, what is required "
    "together with releases that are out, a column less), and says which would go out, and what they cost"
)
HELPS_TABLES = (
    "--remedies 120 tries changes of the policy on this table for 120 seconds (more cells hidden, a larger "
    "threshold or base, rounding, fewer totals, a dimension less), and says which would go out, and what "
    "they cost"
)
NONE_TELLS = "no change of the policy was tried: none would tell what is not known here, or rename a column"
MAY_BE_HELPED = "verdict <> 'holds' and accepted is null and attack not in ('evidence', 'columns')"
OPEN = "verdict = 'not known' and accepted is null and remedy is null"
DIFFERENT = "distinct_spellings in [requirements] says that they are different values"
SHOWN = 5  # proposals, of those that proposals lists

app = Topic()
in_register = app.group("register")


@app.declare(
    "checked published_policy register_file published_output name period attacks settings max_targets accept",
    "earlier accept_past accepted_by accepted_until judge_seconds all_attacks remedies applied confirm",
    "changing folded means_missing table_alone map_columns called gone map_words words yes dry_run wait",
    "key_file decision_page language format",
)
def publish(given: Given) -> None:
    """Anonymize a table, attack it together with everything published, and publish it only if the result is
    tolerated.

    The release is made as the policy says, verified, and attacked together with everything in the register;
    the people of the table are the targets. It is published only if every bound in [tolerated] holds.
    Otherwise the exit code is 1, and nothing is published. Prints the bounds of the policy, and what was
    found.

    If the policy has [tables], it is about several tables of the same people. They are published as a new
    folder (-o), if the requirements hold together with the folders that are already published.

    If the policy has [table], a table of counts or sums is made instead. It is published only if nobody can
    compute an unsafe cell from it, nor, from it and everything already published, a small count that is in no
    published table.

    A draft of a policy must be confirmed by --confirm NAME, which shows the roles and asks whether they are
    right.

    With --page, also writes a page for those who decide: may this be published, why, what was not looked at,
    what would make it a yes. (pip install 'sqlanon[report]')

    With known = "register" and composed_l, the policy has the release made so that it fits with those that
    are published.

    Keep the register as secret as the table: it tells how exposed people are. It is encrypted if the
    environment variable SQLANON_REGISTER_KEY has a key when it is created. After a crash, the next run
    finishes or removes what was begun.
    """
    if (of_tables := read_people(given.published_policy)) is not None:
        from sqlanon.cli import several_tables  # which is slow to import

        several_tables.publish(given, of_tables)
        return
    if given.checked is None:
        raise UseError("Missing argument 'INPUT'.")
    _publish(given.but(input=given.checked))


def _publish(given: Given) -> None:
    """One table, as rows or as a table of counts."""
    if (of_cells := read_table(given.published_policy)) is not None:
        of_rows = (
            "attacks settings max_targets earlier accept_past judge_seconds all_attacks confirm yes "
            "changing folded means_missing table_alone map_columns called gone map_words words"
        )
        for name, value in given.of(of_rows).items():
            if value is not None and value is not False:
                why = f"is for releases of rows; {given.published_policy} makes a table ([table])"
                raise UseError(f"{flags_of(name)[0]} {why}")
        _publish_table(given, of_cells)
        return
    output = given.published_output
    _check_options(given)
    if given.yes and given.confirm is None and not given.map_words and not given.map_columns:
        raise UseError("--yes needs --confirm NAME, --map-columns or --map-words: it answers what these ask")
    if given.dry_run and (given.map_words or given.words):
        option = "--map-words" if given.map_words else "--words"
        raise UseError(f"{option} writes into the register: not with --dry-run")
    check_place(output)  # before anybody is asked
    policy = _confirmed(given) if given.confirm is not None else policies.load(given.published_policy)
    if given.confirm is None:
        before, policy = policy, _changing(given, policy)
        if policy is not before and not given.dry_run:
            confirming.write(policy, given.published_policy)
    check_output(output, policy)
    if not policy.tolerated:
        remark(f"error: {given.published_policy}: tolerated is empty: say what attacks may find, for example")
        remark(proposal(policy.unit))
        raise typer.Exit(WRONG_USE)
    if hashes(policy.masks):
        require_key(given.key_file)
    made_of = earlier_in(given.earlier)
    check_inputs(given.input, *made_of.values())
    with Session(small=is_small_database(given.register_file)) as session:
        policy = with_columns(given, session, policy, made_of)
        _note_words(given, session)
        source, population = read(session, policy, given.input)
        settings: dict[str, Any] = {
            "output": output, "population": population, "parameters": parameters_in(session, given.settings),
            "accept": accepted_in(given.accept), "earlier": _read_earlier(session, policy, made_of),
            **given.of("register_file name period attacks max_targets accept_past all_attacks wait key_file"),
        }  # fmt: skip
        by_whom = given.of("accepted_by accepted_until")
        says = given.map_columns or given.map_words or given.called or given.gone or given.words
        if says and not (given.accept or given.accept_past):
            by_whom = {}  # who has said what these say

        tell_of_spellings_in(session, policy, given.input, (MADE_ONE, DIFFERENT))
        decision = Decision(given, session, source, policy)
        changed: Policy | None = None

        def made_by(rules: Policy, words_first: bool = False) -> Publication:
            with progress_bar() as progress:
                return sqlanon.publish(
                    session.con, source, rules, progress=progress, made=decision.look,
                    words_first=words_first, **settings, **given.of("judge_seconds dry_run"), **by_whom,
                )  # fmt: skip

        def try_remedies(refused: sqlanon.RefusedError) -> bool:
            nonlocal changed
            tried = None
            if given.remedies is not None:
                with progress_bar() as trying:
                    tried = sqlanon.remedies(
                        session.con, source, policy, seconds=given.remedies, progress=trying, **settings
                    )
                _tell_of_remedies(tried)
            decision.write(refused, tried)
            remedy = None if tried is None else _applied(given, tried)
            changed = None if remedy is None else applied(policy, remedy)
            return changed is not None

        with _refusing(session, given, WHAT_HELPS, try_remedies):
            try:
                published = made_by(policy, given.map_words)
            except sqlanon.InputError as error:
                if isinstance(error, UseError):
                    raise
                cannot_be_made = sqlanon.RefusedError([str(error)])
                if given.remedies is not None:
                    raise cannot_be_made from error
                decision.write(cannot_be_made)
                if isinstance(error, UnmetError):
                    remark(WHAT_HELPS)
                raise
            except sqlanon.RefusedError as refused:
                if not (given.map_words and refused.words):
                    raise
                _map_words(given, session, refused)
                published = made_by(policy)  # judged whole, also if these words do not mean the same
        if changed is not None:
            policy, decision = changed, Decision(given, session, source, changed)
            with _refusing(session, given):
                published = made_by(policy)
            if not given.dry_run:
                confirming.write(policy, given.published_policy)
                remark(f"{given.published_policy} has the change")
        check_interrupted()
        _show_bounds(session, published.verdicts, given.format)
        tell_of_sets(session, policy, source, given.input)
        decision.write(published)
    _tell(published.remarks, given.register_file)
    if published.together:
        remark(f"attacked together with {len(published.together):,}: {', '.join(published.together)}")
    remark(str(dataclasses.replace(published.release, table=str(output), title="")))
    _tell_out(given, published.number, published.name)


def _check_options(given: Given) -> None:
    """Of the page and of changes that are tried. Errors: UseError."""
    check_decision(given)
    if given.applied is not None and given.remedies is None:
        raise UseError("--apply needs --remedies SECONDS: it applies one of the changes that these try")


def _read_earlier(session: Session, policy: Policy, files: Mapping[str, str]) -> dict[str, str]:
    """Tables that releases were made of, read as the table of today."""
    return {name: session.read(file, policy.columns()) for name, file in files.items()}


def _confirmed(given: Given) -> Policy:
    """The policy with confirmed roles: they are shown, and somebody must say that they are right. The file
    says so from then on, unless nothing is to be written."""
    check_inputs(given.input)
    policy = confirming.confirmed(given.published_policy, given.confirm or "")
    policy = _changing(given, policy)
    remark(f"{given.published_policy}: {given.confirm} confirms these roles")
    for line in confirming.roles_of(policy):
        remark(line)
    if not given.yes and not says_yes("Are they right?", "--confirm"):
        remark(f"{given.published_policy} is not confirmed: nothing is published")
        raise typer.Exit(FAILS)
    if not given.dry_run:
        confirming.write(policy, given.published_policy)
    return policy


def _changing(given: Given, policy: Policy) -> Policy:
    """The policy, which also says what --values-may-change, --fold, --missing and --only-table say."""
    for key, said, more in (
        ("judge.values_may_change", policy.values_may_change, given.changing),
        ("input.fold", policy.fold, given.folded),
        ("input.missing", policy.missing, given.means_missing),
    ):
        if more:
            policy = confirming.with_line(policy, key, shown([*dict.fromkeys([*said, *more])]))
    if given.table_alone and not policy.only_table:
        policy = confirming.with_line(policy, "input.only_table", "true")
    return policy


def _map_words(given: Given, session: Session, refused: sqlanon.RefusedError) -> None:
    """Show words of earlier releases that may be words of today, and ask: if somebody says that they are, the
    register says so, too."""
    for release, columns in refused.words.items():
        for column, words in columns.items():
            pairs = ", ".join(f'"{then}" = "{today}"' for then, today in words.items())
            remark(f"{release}: {column}: {pairs}")
    if not given.yes and not says_yes("Do these words mean the same?", "--map-words"):
        return
    for release, columns in refused.words.items():
        sqlanon.map_release(
            session.con, release, register=given.register_file, values=columns, adds=True,
            by=given.accepted_by, wait=given.wait,
        )  # fmt: skip
    remark(f"{given.register_file}: noted. It is published with these words, if it holds")


def _note_words(given: Given, session: Session) -> None:
    """What --words says, in the register, of each release of ours with such a column.

    Errors: UseError, if none has it.
    """
    words = words_in(given.words)
    if not words:
        return
    with opened(session.con, given.register_file, read_only=True, wait=given.wait) as known:
        ours = known.microdata([each for each in known.out() if not each.is_foreign])
        columns = {each.name: lower([*each.qi, *each.sensitive]) for each in ours}
    for column in words:
        if not any(column.lower() in of_one for of_one in columns.values()):
            raise UseError(f"--words: no release of ours in {given.register_file} has a column {column}")
    for release, of_one in columns.items():
        if values := {column: each for column, each in words.items() if column.lower() in of_one}:
            sqlanon.map_release(
                session.con, release, register=given.register_file, values=values, adds=True,
                by=given.accepted_by, wait=given.wait,
            )  # fmt: skip


def _publish_table(given: Given, policy: TablePolicy) -> None:
    """Make a table of counts or sums, and publish it if no cell that breaks a rule is known by it."""
    _check_options(given)
    check_inputs(given.input)
    with Session() as session:
        columns = [column for named in policy.columns(session.con).values() for column in named]
        source = session.read(given.input, policy.policy.raw(keep=columns))
        check_columns(session.con, policy, source, given.input)
        settings: dict[str, Any] = {
            "accept": accepted_in(given.accept),
            **given.of("register_file published_output name period wait key_file"),
        }
        decision = DecisionOnTable(given, session, source, policy)
        changed: TablePolicy | None = None

        def made_by(rules: TablePolicy) -> TablePublication:
            with progress_bar() as progress:
                return publish_table(
                    session.con, source, rules, made=decision.look, progress=progress, **settings,
                    **given.of("dry_run accepted_by accepted_until"),
                )  # fmt: skip

        def try_remedies(refused: sqlanon.RefusedError) -> bool:
            nonlocal changed
            tried = None
            if given.remedies is not None:
                with progress_bar() as trying:
                    tried = sqlanon.table_remedies(
                        session.con, source, policy, seconds=given.remedies, progress=trying, **settings
                    )
                _tell_of_remedies(tried)
            decision.write(refused, tried)
            remedy = None if tried is None else _applied(given, tried)
            changed = None if remedy is None else with_change(policy, remedy.lines)
            return changed is not None

        with _refusing(session, given, HELPS_TABLES, try_remedies):
            made = made_by(policy)
        if changed is not None:
            policy, decision = changed, DecisionOnTable(given, session, source, changed)
            with _refusing(session, given):
                made = made_by(policy)
            if not given.dry_run:
                confirming.write(policy.policy, given.published_policy)
                remark(f"{given.published_policy} has the change")
        check_interrupted()
        _show_bounds(session, made.verdicts, given.format)
        decision.write(made)
    _tell(made.remarks, given.register_file)
    remark(
        f"{given.published_output}: {made.cells:,} cells, of which {made.unsafe:,} break a rule, and "
        f"{made.hidden:,} are hidden or changed"
    )
    _tell_out(given, made.number, made.name)


@contextmanager
def _refusing(
    session: Session, given: Given, helps: str = "",
    further: Callable[[sqlanon.RefusedError], bool] = lambda refused: False,
) -> Iterator[None]:  # fmt: skip
    """Tell why something is not published, if it is refused, and end. helps: what may. further: what is done
    then; True if the caller goes on."""
    try:
        yield
    except sqlanon.RefusedError as error:
        remarks = [*error.remarks, *error.reasons]
        verdict = f"{error.verdict}: {given.published_output} is not out"
        if not error.verdicts:  # it was refused before anybody attacked it
            _tell(remarks, given.register_file)
            if further(error):
                return
            remark(verdict)
            raise typer.Exit(FAILS) from None
        _show_bounds(session, error.verdicts, given.format)
        _tell(remarks, given.register_file)
        found = select(named_table(error.verdicts), "count(*) > 0").where(MAY_BE_HELPED)
        if helps and given.remedies is None:
            first = ", ".join(come_first(session.con, error.verdicts))
            later = f"{first}: known or accepted first. Then {helps}" if first else helps
            remark(later if execute(session.con, found) == [(True,)] else NONE_TELLS)
        named = select(named_table(error.verdicts), "min(attack || '.' || id)")
        [(name,)] = execute(session.con, named.where(OPEN))
        if helps and name is not None:
            remark(f"what is not known can be accepted by its name, with a reason: --accept {name}='...'")
        if further(error):
            return
        remark(verdict)
        raise typer.Exit(FAILS) from None


def _applied(given: Given, tried: Sequence[Remedy]) -> Remedy | None:
    """The change that --apply names; None if there is none, or it would not go out."""
    if given.applied is None:
        return None
    number, changes = given.applied, in_order(tried)
    if number > len(changes) or not changes[number - 1].helps:
        remark(f"--apply {number}: with this change it would not go out, so nothing is applied")
        return None
    remark(f"--apply {number}: {changes[number - 1].change}")
    return changes[number - 1]


def _tell_of_remedies(tried: Sequence[Remedy]) -> None:
    """What changes of the policy do, those that help first, with what to write into its file."""
    now, loss = tried[0], ""
    if now.first:
        remark(f"{', '.join(now.first)}: known or accepted first. No change would tell, and none was tried")
        return
    if now.loss is not None:
        loss = f" (now the loss is {now.loss:.3g} %: GCP, 100 % where nothing is left)"
    elif now.cells is not None:
        loss = f" (now {now.cells[1]:,} of {now.cells[0]:,} cells are hidden or changed)"
    remark(f"changes of the policy, each tried on this table with all that is out{loss}:")
    for number, each in enumerate(in_order(tried), 1):
        remark(f"{number:3}. {each}")
        if each.helps:
            for key, value in each.lines.items():
                section, _, name = key.partition(".")
                remark(f"     in [{section}]: {name} = {value}")
    if len(tried) == 1:
        remark("there is none: this policy has nothing that could be changed so")
    elif not any(each.helps for each in tried[1:]):
        not_tried = [each for each in tried[1:] if each.verdict == NOT_TRIED]
        if len(not_tried) == len(tried) - 1 > 0:
            remark("there was no time to try any of them: more time tries them, such as --remedies 600")
            return
        remark("none of what was tried helps" + (": more time tries more" if not_tried else ""))


def _tell_out(given: Given, number: int | None, name: str) -> None:
    if given.dry_run:
        remark("a dry run: it would go out; nothing was written")
    else:
        remark(f"{given.published_output} is out: release {number}, {name}, in {given.register_file}")


@app.declare("register wait format")
def releases(given: Given) -> None:
    """List the releases of a register, a row each.

    Pending ones and withdrawn ones count as out. Abandoned ones never went out. In SQL there is more: attach
    the register, and see the comments on its tables releases and verdicts, and the schema released for rows.
    """
    with Session() as session:
        made = listed(session.con, given.register, given.wait)
        if format_of(given.format) is not Format.table:
            show(session.con, made, given.format)
            return
        columns = ("id", "name", "status", "published_by", "row_count", "made_by", "made_at")
        rows = [
            (*row, f"{made_at.replace(tzinfo=UTC).astimezone():%Y-%m-%d %H:%M}")
            for *row, made_at in execute(session.con, select(made, *columns))
        ]
        if rows:
            show_table(("id", "name", "status", "of", "rows", "entered by", "at (local time)"), rows)
        remark("--format csv, json or markdown prints all columns, with times in UTC")


@app.declare(
    "register audited_people audited_policy attacks settings max_targets accept earlier judge_seconds",
    "all_attacks page_file language force wait format",
)
def audit(given: Given) -> None:
    """Attack all releases of a register anew, each and together, and record what is found.

    Use it when others have published something, or when sqlanon has a new attack. The targets are people with
    the columns of the policy, such as the source table of today. Each table of counts is compared with
    everything published before it. Prints the bounds of the policy, and what was found. The exit code is 1 if
    a bound does not hold.

    With -o, also writes a page for an auditor: what is published since when, what it gives away together,
    release by release, which bounds hold and which do not, for what the policy has no bound, and what could
    not be attacked. Keep it as secret as the register. (pip install 'sqlanon[report]')
    """
    page = given.page_file
    check_page_language(given.language, page, "-o")
    if page is not None:
        require_extra()
        check_file(Place(page), given.force)
    policy = _policy(given)
    made_of = earlier_in(given.earlier)
    check_inputs(given.audited_people, *made_of.values())
    with Session() as session:
        people, earlier = None, {}
        if given.audited_people is not None:
            rules = policy or last_policy(session.con, given.register, given.wait)
            session.limit()
            people = session.read(given.audited_people, rules.columns())
            earlier = _read_earlier(session, rules, made_of)
        with progress_bar() as progress:
            made = sqlanon.audit(
                session.con, people, policy=policy, parameters=parameters_in(session, given.settings),
                accept=accepted_in(given.accept), page=page is not None, progress=progress, earlier=earlier,
                **given.of("register attacks max_targets judge_seconds all_attacks language wait"),
            )  # fmt: skip
        _show_bounds(session, made.verdicts, given.format)
    _tell(made.remarks, given.register)
    if page is not None and made.page is not None:
        made.page.write(page, force=given.force)
        remark(f"{page}: keep it as secret as the register")
    _tell(made.reasons, given.register)
    remark(f"{given.register}: {made.verdict}")
    if not made.holds:
        raise typer.Exit(FAILS)


@in_register.declare(
    "[input] [hierarchies]", "register input mapped_qi name mapped_sensitive values of_centroids formats wait"
)
def add(given: Given) -> None:
    """Enter a release that somebody else has published, or that is older than the register.

    From then on it is attacked together with all others. Say what we call its columns (--qi alter=age) and
    values (--values FILE), and what its labels stand for (--hierarchies): it is not read by today's words.
    """
    file = place(given.input)
    called = given.name or stem(file.path)
    by_qi, secret = mapped_in(given.mapped_qi), mapped_in(given.mapped_sensitive)
    written = formats_in(given.formats, [called], [*by_qi])
    check_inputs(given.input, given.values)
    with Session() as session:
        released = session.read(given.input, Roles(**check_input(given.options)))
        made_of = read_policy(None, {**given.options, "roles": {"qi": [*by_qi]}}, "locate")
        with WorkTables(session.con) as work:
            entered = sqlanon.add_release(
                session.con, released, register=given.register, name=called, qi=by_qi, sensitive=secret,
                values=None if given.values is None else _mappings(session, given.values)[1],
                hierarchies=made_of.make_hierarchies(session.con, released, None, work, is_raw=False),
                formats=written, path=None if file.table is not None else file.path,
                **given.of("of_centroids wait"),
            )  # fmt: skip
        found = execute(session.con, select(proposed(session.con, called, given.register, given.wait)))
    remark(f"{given.input} is release {entered}, {called}, in {given.register}")
    for kind, column, theirs, ours, why in found[:SHOWN]:
        of = f" ({column})" if kind == "value" else ""
        remark(f"{called}: {theirs} may be our {ours}{of}: {why}")
    if found:
        remark(
            f"{called}: nothing of this is supposed. sqlanon register proposals lists all {len(found):,}, "
            "and sqlanon register map says what is right"
        )


@in_register.declare(
    "[input] [hierarchies]",
    "register input mapped_dimensions name value filter_of period total base rounding some_cells measure "
    "sum_column mean_column values wait",
)
def add_table(given: Given) -> None:
    """Enter a table of counts of people that somebody else has published, or that is older than the register.

    From then on it is compared with all tables of counts and rows. Say what we call its dimensions
    (--dimensions station=ward) and values (--values FILE).
    """
    file = place(given.input)
    called = given.name or stem(file.path)
    dimensions = mapped_in(given.mapped_dimensions)
    check_inputs(given.input, given.values)
    with session_of_tables() as session:
        measured = [name for name in (given.sum_column, given.mean_column) if name is not None]
        keep = [*dimensions, given.value, *measured]
        made_of = read_policy(None, {**given.options, "roles": {"qi": [*dimensions]}}, "locate")
        table = session.read(given.input, made_of.raw(keep=keep))
        with WorkTables(session.con) as work, warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", UnreadWarning)
            entered = sqlanon.add_table(
                session.con, table, register=given.register, name=called, dimensions=dimensions,
                filter=given.filter_of, values=None if given.values is None
                else _mappings(session, given.values)[1],
                hierarchies=made_of.make_hierarchies(session.con, table, None, work, is_raw=False),
                path=None if file.table is not None else file.path, complete=not given.some_cells,
                total=given.total or None,
                **given.of("value period base rounding measure sum_column mean_column wait"),
            )  # fmt: skip
    remark(f"{given.input} is release {entered}, {called}, in {given.register}")
    for warning in caught:
        remark(str(warning.message))


@in_register.declare("register entry wait format")
def proposals(given: Given) -> None:
    """Tell what columns and values of a release of others may be called by us.

    Prints a row each: columns that are spelled alike or share values, and values that are spelled alike.
    Nothing is mapped by it. Delete what is wrong, and give the file to sqlanon register map --values.
    """
    with Session() as session:
        show(session.con, proposed(session.con, given.entry, given.register, given.wait), given.format)


@in_register.declare("register entry names values formats wait", name="map")
def map_(given: Given) -> None:
    """Tell what columns and values of a release are called by us, and how its columns are written, so that it
    can be compared with others."""
    check_inputs(given.values)
    called = {column: ours for column, ours in mapped_in(given.names).items() if ours is not None}
    written = dict(assignment_in("--formats", line, "COLUMN=FORMAT") for line in given.formats or ())
    with Session() as session:
        by_file, spelled = ({}, None) if given.values is None else _mappings(session, given.values)
        sqlanon.map_release(
            session.con,
            given.entry,
            register=given.register,
            names={**by_file, **called},
            values=spelled,
            formats=written,
            wait=given.wait,
        )
    remark(f"{given.entry} is mapped in {given.register}")


@in_register.declare("register forgotten audited_policy wait")
def forget(given: Given) -> None:
    """Remove people from those whom the register keeps (keep_people), such as somebody who asks for it.

    Once they have left, attacks do not look for them any more. The file must have the columns by which
    policies identify people (identifier or unit).
    """
    check_inputs(given.forgotten)
    where = (given.register, given.audited_policy, given.wait)
    with Session() as session:
        who = session.read(given.forgotten, columns_of_forgotten(session.con, *where))
        number = sqlanon.forget_people(
            session.con, who, register=given.register, policy=given.audited_policy, wait=given.wait
        )
    remark(f"{given.register}: {number:,} people are forgotten")


@in_register.declare("register entry wait")
def withdraw(given: Given) -> None:
    """Note that a release is no longer offered. Whoever has it keeps it, so it still counts."""
    with Session() as session:
        sqlanon.withdraw_release(session.con, given.entry, register=given.register, wait=given.wait)
    remark(f"{given.entry} is withdrawn. Whoever has it keeps it: it counts as out")


@in_register.declare("register targets! id! audited_policy wait format")
def locate(given: Given) -> None:
    """Tell in which releases people can be found, such as somebody who asks to be forgotten.

    Prints a row per person and release: how many classes cover them, and how many rows these have. They need
    not be in there: somebody with the same quasi-identifiers may be. What is out stays out.
    """
    policy = _policy(given)
    check_inputs(given.targets)
    with Session() as session:
        columns = policy
        if columns is None:
            with suppress(UseError):  # of others alone
                columns = last_policy(session.con, given.register, given.wait)
        roles = Roles() if columns is None else columns.raw()
        people = session.read(given.targets, dataclasses.replace(roles, keep=[given.id]))
        located = sqlanon.locate_in_releases(
            session.con, people, register=given.register, id=given.id, policy=policy, wait=given.wait
        )
        show(session.con, named_table(located.located), given.format)
    _tell(located.remarks, given.register)


def mapped_in(parts: Sequence[str] | None) -> dict[str, str | None]:
    """alter=age and zip: columns, and what we call them if that is said."""
    found: dict[str, str | None] = {}
    for part in parts or ():
        column, equals, ours = part.partition("=")
        found[column] = ours if equals else None
    return found


def _mappings(session: Session, file: str) -> tuple[dict[str, str], dict[str, dict[str, str]]]:
    """What columns of a release are called by us, and how it spells values: from a file with the columns
    column, theirs, ours, and kind (column or value), where not all are of values."""
    tbl = session.read(file, Roles())
    has_kind = "kind" in lower(column_names(session.con, tbl))
    query = select(relation(tbl), "kind" if has_kind else "'value'", '"column"', "theirs", "ours")
    called: dict[str, str] = {}
    spelled: dict[str, dict[str, str]] = {}
    for kind, column, theirs, ours in execute(session.con, query):
        if kind == "column":
            called[str(theirs)] = str(ours)
        else:
            spelled.setdefault(str(column), {})[str(theirs)] = str(ours)
    return called, spelled


def _policy(given: Given) -> Policy | None:
    """The policy that is named, in place of the last one in the register."""
    return None if given.audited_policy is None else policies.load(given.audited_policy)


def _show_bounds(session: Session, verdicts: str, format: Format | None) -> None:
    """Print what was bounded, and what was found: for people in words, and what fits a terminal."""
    if format_of(format) is Format.table:
        short = session.answer(call("_verdicts_in_short", verdicts))
        show(session.con, short, format, words=call("_verdicts_in_words", verdicts))
        remark("--format csv, json or markdown prints what was found in each release, and why")
        return
    show(session.con, session.answer(call("_verdicts_in_full", verdicts)), format)


def _tell(lines: Sequence[str], register: Path | None = None) -> None:
    """register: what advice is about, as it can be pasted."""
    named = "REGISTER" if register is None else quote(str(register))
    for line in dict.fromkeys(lines):
        remark(
            re.sub(
                r"(?<=sqlanon register )(map|proposals) REGISTER ", lambda found: f"{found[1]} {named} ", line
            )
        )
