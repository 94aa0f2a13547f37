"""The gate: a release goes out if it holds together with all that is out, and the register knows it first.

Two files cannot change in one transaction. So the entry is written as pending, which counts as out; the
output gets its name; and the entry is confirmed. After a crash between two of these, the next run finds out
how far the last one came (`Register.reconcile`).
"""

from __future__ import annotations

import json
import os
import stat
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import Any

import duckdb
from sqlglot import exp

from sqlanon.anonymize.methods import releases_centroids
from sqlanon.core.answer import Names, rows
from sqlanon.core.connection import connection_first
from sqlanon.core.deadline import Deadline
from sqlanon.core.errors import InputError, RefusedError, UseError, titled
from sqlanon.core.files import (
    COMPRESSIONS,
    FORMATS,
    Place,
    as_pattern,
    column_names,
    copy,
    enums_as_text,
    place,
)
from sqlanon.core.library import ensure_registered
from sqlanon.core.models import about_known
from sqlanon.core.outputs import (
    PENDING,
    SECRET,
    SECRET_FOLDER,
    check_folder,
    give_name,
    private_folder,
    remove,
)
from sqlanon.core.release import Progress, Release
from sqlanon.core.source import Source, by_name, cleanly, lower, named, names
from sqlanon.core.statements import (
    answer,
    call,
    count,
    drop,
    execute,
    literal,
    named_table,
    relation,
    select,
)
from sqlanon.core.suggestions import suggestion
from sqlanon.core.tables import WorkTables, transaction
from sqlanon.judge.evidence import Doubt, Released, under_names_of_today
from sqlanon.judge.leaving import leaving
from sqlanon.judge.past import Accepted, Past
from sqlanon.judge.people import has, who_is
from sqlanon.judge.runs import some
from sqlanon.judge.together import SOLVER_SECONDS, Comparison, Counted, Together
from sqlanon.judge.verdicts import HOLDS, NOT_KNOWN, Judge, Judgement
from sqlanon.perturb.masks import ENVIRONMENT, Key
from sqlanon.policies.levels import proposal
from sqlanon.policies.parsing import SETTINGS
from sqlanon.policies.policy import Policy, load
from sqlanon.policies.schema import REGISTER
from sqlanon.publishing.acceptances import Acceptance, acceptance, of_no_use
from sqlanon.publishing.for_judge import (
    GROWN_FROM,
    counted,
    counted_rows,
    growing_of,
    kept_of,
    released,
    require_bounds,
    rows_to_compare,
    same_recoding,
    several_tables,
    subjects_of,
    with_leavers_seen,
)
from sqlanon.publishing.register import ENVIRONMENT as REGISTER_KEY
from sqlanon.publishing.register import Register, digest, opened

ZONE = "zone"  # among what the register says of how a release was made
ROUNDS = 4  # releases at most, each without those whom attacks find in the one before
ANONYMIZED, ATTACKED = 0.4, 0.95  # what share of a run is done when that is


@dataclass(frozen=True)
class Publication:
    """A release that has gone out, or that would (is_out: False, after a dry run).

    number: of its entry in the register. name, path: what it is called there, and where it went. together:
    the names of those that were out before, and were attacked with it. verdict: holds. verdicts: the name of
    a temporary table of what the judge says (docs/concepts/judge.md has its columns). remarks: what else
    there was to say.
    """

    is_out: bool
    number: int | None
    name: str
    path: Path
    release: Release
    together: Sequence[str]
    verdicts: str
    remarks: Sequence[str]
    verdict: str = HOLDS

    def relation(self, con: duckdb.DuckDBPyConnection) -> duckdb.DuckDBPyRelation:
        """The verdicts as a relation of the connection that made them."""
        return answer(con, select(named_table(self.verdicts)))


@connection_first
def publish(
    con: duckdb.DuckDBPyConnection,
    source: Source,
    policy: Policy | str | os.PathLike[str],
    *,
    register: str | os.PathLike[str],
    output: str | os.PathLike[str],
    name: str | None = None,
    period: str | None = None,
    population: Source = None,
    attacks: Names | None = None,
    parameters: Mapping[str, Any] | None = None,
    max_targets: int | None = None,
    accept: Mapping[str, str] | None = None,
    accept_past: str | None = None,
    accepted_by: str | None = None,
    accepted_until: date | str | None = None,
    earlier: Mapping[str, Source] | None = None,
    seconds: float | None = None,
    all_attacks: bool = False,
    words_first: bool = False,
    dry_run: bool = False,
    wait: float = 0,
    key_file: str | os.PathLike[str] | None = None,
    made: Callable[[Release], None] | None = None,
    progress: Progress | None = None,
) -> Publication:
    """Anonymize a table as a policy says, attack the release with all that is out, and let it go out if what
    the policy tolerates holds.

    source: as in the functions that anonymize. policy: one that is loaded, or its file; its [tolerated] says
    what attacks may find, `known = "register"` with composed_l has the release made with regard to those
    that are out, and `based_on = "register"` in unions of the classes of the last one. register: a DuckDB
    file, which is made if it is not there; encrypted, if SQLANON_REGISTER_KEY has a key. output: a file that
    is not there yet. name: what the release is called in the register; as the output, if not given.
    period: as of when it counts people, where tables of counts are out, too. population: as in Policy.run.
    attacks, parameters, max_targets: as in run_attacks. accept: why it is
    accepted that something is not known, by its name ({"evidence.leavers": "they were told"}), besides what
    the policy accepts. accept_past: why it is accepted, once, that people are above a bound who were so
    without this release. accepted_by: who accepts both, if that is not the user; accepted_until: the last day
    on which they count, 2027-06-30. earlier: the tables that releases were made of, by their names in the
    register: who has left or moved since is attacked by them. seconds: after so many what was not found
    out is not known; a release that is not made by then is refused. all_attacks: make those attacks, too, of
    which anything is tolerated. words_first: refused before anything is attacked if words of earlier releases
    may be called otherwise today (RefusedError.words). dry_run: nothing is written, not even to the register.
    wait: so many seconds at most, while somebody else has the register. key_file: as in `sqlanon.mask`; with
    a key the register gets a fingerprint of the source. made: is given the release before it is judged; its
    table is gone afterwards.

    Everybody of the source is attacked who can be in a release: in a class of it with their own values; so
    are those who were attacked before and have left, if the policy says keep_people, or earlier has them.

    Errors: RefusedError, if something fails, or is not known and not accepted; InputError, which
    names the file, for a register that is damaged, newer, in use or not as its files are; those of
    Policy.run. After an error nothing is out.
    """
    began = time.monotonic()
    ensure_registered(con)
    rules = policy if isinstance(policy, Policy) else load(policy)
    goes_to = check_output(output, rules)
    called = name or stem(goes_to.path)
    chosen = names(attacks, "attacks")
    require_bounds(con, rules, chosen)
    if rules.keep_people and not os.environ.get(REGISTER_KEY):
        wanted = f" needs an encrypted register: set {REGISTER_KEY} when it is made"
        raise rules.spelling.wrong("judge.keep_people", wanted)
    past = {} if accept_past is None else {"the past": accept_past}
    given = acceptance(accepted_by, accepted_until, {**(accept or {}), **past})
    with ExitStack() as stack:
        tbl = stack.enter_context(named(con, source))
        rules.check_source(con, tbl, source if isinstance(source, str) else "the source")
        opening = opened(con, register, read_only=dry_run, make=True, wait=wait)
        known = stack.enter_context(opening)
        out = known.reconcile(goes_to.path.resolve().parent)
        known.check_files(out)
        known.check_name(called)
        work = stack.enter_context(WorkTables(con))
        entries = known.microdata(out)
        attacked = [released(entry, rules) for entry in entries]
        own = [each for entry, each in zip(entries, attacked, strict=True) if not entry.is_foreign]
        with Deadline(con, seconds, began):
            # read once: who is attacked are those who are released
            people = work.make("source", select(relation(tbl)))
            run = _Run(
                con, work, people.name, rules, attacked, own, known.remarks, progress, known, counted(out),
                period, doubts=several_tables(out),
                earlier={each: stack.enter_context(named(con, of)) for each, of in (earlier or {}).items()},
            )  # fmt: skip
        said = [*run.remarks]
        left = ROUNDS if rules.hold_back else 1
        outcome: tuple[Release, Judgement] | None = None
        while outcome is None:
            left -= 1
            with Deadline(con, seconds, began) as deadline:
                release = run.anonymized(population, key_file)
            _check_time(deadline, seconds, "the release was not made yet")
            work.discard_later(named_table(release.table))
            if made is not None:
                made(release)
            known.tell_unknown(out, column_names(con, release.table), goes_to.path.resolve().parent)
            try:
                outcome = release, run.judged(
                    release, called, population, chosen, parameters or {}, max_targets, accept or {},
                    accept_past, seconds, began, all_attacks, words_first,
                )  # fmt: skip
            except RefusedError as error:
                if not left or not run.holds_back():
                    raise
                execute(con, drop(named_table(error.verdicts)))
                run.remarks[:] = said  # what was said of the release that is not
        release, judged = outcome
        number = None
        if not dry_run:
            number = run.out_goes(known, release, called, goes_to, judged, key_file, accept_past, given)
        run.tell(1.0, "done")
    return Publication(
        not dry_run, number, called, goes_to.path, release, [each.name for each in run.out], judged.said,
        known.remarks,
    )  # fmt: skip


def _about_known(policy: Policy) -> list[str]:
    """What the policy requires of this release and known ones together."""
    return [name for name in about_known() if name in policy.requirements]


def _check_time(deadline: Deadline, seconds: float | None, what: str) -> None:
    """Errors: RefusedError, if the time has passed before the attacks began."""
    if deadline.has_passed:
        reason = (
            f"not known: after {seconds:g} seconds not everything was looked at: {what}. Give it more time"
        )
        raise RefusedError([reason], verdict=NOT_KNOWN)


def tolerated_release(
    con: duckdb.DuckDBPyConnection,
    source: Source,
    policy: Policy,
    name: str,
    *,
    previous: Iterable[Source] | Mapping[str, Source] = (),
    policies: Mapping[str, Policy] | None = None,
    population: Source = None,
    key_file: str | os.PathLike[str] | None = None,
) -> tuple[Release, Sequence[str]]:
    """Anonymize a table as a policy says and, if the policy says what is tolerated, make these attacks on the
    release as `publish` does; without a register. Also what else there was to say.

    name: what the release is called. previous: the releases that are out, the last one last; they stand for
    those of the register. policies: of previous releases, by their names, the policies that these were made
    by; of the others it is today's, and what that does not say of their columns is not known. Errors:
    RefusedError, and those of Policy.run.
    """
    ensure_registered(con)
    known = by_name(previous)
    for called in policies or {}:
        if called not in known:
            raise UseError(f"policies names {called}, which is not in previous{suggestion(called, known)}")
    if name in known:
        raise UseError(f"previous has a release called {name}: give it another name")
    of_known = _about_known(policy)
    if policy.tolerated:
        require_bounds(con, policy)
        _check_read_by_attacks(policy)
    elif known and not (of_known or policy.known or policy.based_on == REGISTER):
        raise policy.spelling.wrong(
            "tolerated", f" is empty, and nothing else looks at previous:\n{proposal(policy.unit)}"
        )
    rules = replace(policy, known=REGISTER) if of_known else policy
    with ExitStack() as stack:
        tbl = stack.enter_context(named(con, source))
        rules.check_source(con, tbl, source if isinstance(source, str) else "the source")
        everybody = None if population is None else stack.enter_context(named(con, population))
        work = stack.enter_context(WorkTables(con))
        people = work.make("source", select(relation(tbl)))
        out, doubts = [], list[Doubt]()
        for called, each in known.items():
            made_by = (policies or {}).get(called)
            name_of_it = stack.enter_context(named(con, each))
            own_tables = stack.enter_context(WorkTables(con))
            out.append(_previous(con, called, name_of_it, policy, made_by, people.name, own_tables))
            if made_by is None:
                doubts += _without_role(con, called, name_of_it, policy)
        run = _Run(con, work, people.name, rules, out, out, [], None, doubts=doubts)
        release = run.anonymized(everybody, key_file)
        work.discard_later(named_table(release.table))
        if policy.tolerated:
            run.judged(release, name, everybody, None)
        work.keep(named_table(release.table))
    return release, run.remarks


def _previous(
    con: duckdb.DuckDBPyConnection, called: str, tbl: str, policy: Policy, made_by: Policy | None,
    people: str, work: WorkTables,
) -> Released:  # fmt: skip
    """A release without an entry, by the policy that it was made by, or by that of today. people: those of
    today."""
    columns = lower(column_names(con, tbl))
    rules = made_by or policy
    sensitive = [name for name in rules.roles.get("sensitive", []) if name.lower() in columns]
    qi = [name for name in rules.roles["qi"] if name.lower() in columns]
    if made_by is None:
        return Released(called, tbl, qi, sensitive, is_as_today=qi)
    hierarchies = None
    if lower(made_by.hierarchies) <= lower(column_names(con, people)):
        hierarchies = made_by.make_hierarchies(con, people, None, work)
    return Released(
        called, tbl, qi, sensitive, releases_centroids(made_by.method), hierarchies=hierarchies,
        is_as_today=same_recoding(qi, made_by.text, policy),
    )  # fmt: skip


def _without_role(
    con: duckdb.DuckDBPyConnection, called: str, tbl: str, policy: Policy
) -> list[Doubt]:  # fmt: skip
    """Columns of an earlier release that have no role today: others may know them, as they did."""
    having = policy.named_columns() - lower(policy.units())
    unknown = [name for name in column_names(con, tbl) if name.lower() not in having]
    if not unknown:
        return []
    listed = ", ".join(unknown)
    return [
        Doubt(
            "roles",
            f"{called} has {listed}, of which the policy of today does not say whether others know it",
            [called],
            remedy=f'say by which policy it was made: policies={{"{called}": "its_policy.toml"}}',
        )
    ]  # fmt: skip


def released_rows(con: duckdb.DuckDBPyConnection, release: Release) -> exp.Select:
    """The rows as they are released: ENUM types are nothing but text."""
    made = named_table(release.table)
    text = enums_as_text(con, select(made))
    return select(made, exp.Star(**{"replace": text} if text else {})).order_by("rowid")


def check_output(output: str | os.PathLike[str], policy: Policy) -> Place:
    """Where the release goes. Errors: UseError."""
    target = check_place(output)
    _check_read_by_attacks(policy)
    if policy.output.get("recoding") == "range" and target.reader == "read_csv":
        raise UseError(f"{target} cannot hold ranges and lists: use recoding text, or .parquet or .json")
    return target


def _check_read_by_attacks(policy: Policy) -> None:
    if policy.method == "anatomize":
        raise policy.spelling.wrong("method.name", " anatomize makes what the attacks do not read")


def check_place(output: str | os.PathLike[str]) -> Place:
    """A file that is not there yet, in a folder that is. Errors: UseError."""
    target = place(os.fspath(output))
    if target.table is not None:
        raise UseError(f"{target}: publish writes a file that others get, not a table in a DuckDB file")
    if not target.is_of_duckdb:
        written = ", ".join(ending for ending, (_, options) in FORMATS.items() if options)
        raise UseError(f"{target}: publish writes files that end with one of {written}")
    check_folder(target.path)
    if target.path.exists():
        raise UseError(f"{target} exists: what may be out is never replaced")
    return target


def stem(path: Path) -> str:
    """What a release is called: its file's name without what says how it is written."""
    name = path.name
    for suffix in COMPRESSIONS:
        name = name.removesuffix(suffix)
    return Path(name).stem


COVERS_NOBODY = "has no class that covers a row of the table"  # of an error of _refuse_known


@dataclass
class _Run:
    """A release in the making. out: the releases that are out; own: those of the same publisher, the last one
    last. remarks: what there was to say. beside: all that is out, as it is put together with tables of
    counts; period: as of when it counts people. doubts: what is not known of what is out. earlier: tables
    that releases were made of, by the names of these."""

    con: duckdb.DuckDBPyConnection
    work: WorkTables
    source: str
    policy: Policy
    out: Sequence[Released]
    own: Sequence[Released]
    remarks: list[str]
    progress: Progress | None
    register: Register | None = None
    beside: Sequence[Counted] = ()
    period: str | None = None
    doubts: Sequence[Doubt] = ()
    earlier: Mapping[str, str] = field(default_factory=dict)
    already_out: int = 0  # rows of a table that grows, which are in no class of the new release
    held: frozenset[str] = frozenset()  # what tells who is held back
    past: Past | None = None

    def tell(self, done: float, message: str) -> None:
        if self.progress is not None:
            self.progress(done, message)

    def phase(self, begin: float, end: float) -> Progress:
        return lambda done, message: self.tell(begin + done * (end - begin), message)

    @cached_property
    def as_today(self) -> list[Released]:
        """What is out, with its columns and values as they are called today."""
        return [
            under_names_of_today(self.con, self.work, f"known_{number}", each)
            for number, each in enumerate(self.out, 1)
        ]

    def _own_as_today(self) -> list[Released]:
        own = {each.name for each in self.own}
        return [each for each in self.as_today if each.name in own]

    @property
    def nearest(self) -> bool:
        """Does the method release centroids?"""
        return releases_centroids(self.policy.method)

    def anonymized(self, population: Source, key_file: str | os.PathLike[str] | None) -> Release:
        """A release in a temporary table, made with regard to what is out if the policy says so."""
        policy, known = self._aware()
        policy, based_on = self._continuing(policy)
        policy, as_in = self._as_before(policy)
        leaving, self.already_out = self._without_held(*self._leaving())
        zone = self._zone(leaving)
        titles = {leaving: "the source", **{each.table: each.name for each in self.as_today}}
        if as_in is not None:
            titles[policy.parameters["scheme"]] = as_in
        with titled(titles):
            try:
                release = policy.run(
                    self.con, leaving, population=population, known=known, based_on=based_on,
                    key_file=key_file, progress=self.phase(0, ANONYMIZED),
                )  # fmt: skip
            except InputError as error:
                if known is None or COVERS_NOBODY not in str(error):
                    raise
                raise InputError(f"{error}{self._unread(known)}") from error
        of_earlier = {} if based_on is None else {"based_on": titles[based_on]}
        of_earlier |= {} if as_in is None else {"scheme": as_in}
        return replace(release, parameters={**release.parameters, **of_earlier, **zone})

    def _zone(self, leaving: str) -> dict[str, str]:
        """The zone in which times with a zone are days and hours, if there are any: the session's."""
        qi, described = lower(self.policy.roles["qi"]), exp.Describe(this=select(named_table(leaving)))
        types = [type_ for name, type_, *_ in execute(self.con, described) if name.lower() in qi]
        if "TIMESTAMP WITH TIME ZONE" not in types:
            return {}
        [(zone,)] = execute(self.con, exp.select("current_setting('TimeZone')"))
        self.remarks.append(
            f"days and hours of times with a zone are those of {zone}, the zone of this session"
        )
        return {ZONE: zone}

    def _other_zones(self, release: Release) -> list[Doubt]:
        """Releases whose days and hours are those of another zone: people have other ones there."""
        zone = release.parameters.get(ZONE)
        if zone is None or self.register is None:
            return []
        own = [(each, each.parameters.get(ZONE, zone)) for each in self.register.out()]
        return [
            Doubt(
                "zone",
                f"days and hours in {each.name} are those of {then}, and today's are those of {zone}: people "
                "are looked for where they are not", [each.name],
                remedy=f"make the release in that zone: set TimeZone = '{then}', or TZ={then} for a command",
            )
            for each, then in own if then != zone
        ]  # fmt: skip

    def holds_back(self) -> bool:
        """Has somebody been found whom attacks find by the release, and are all of them few enough?"""
        found = set[str]() if self.past is None else self.past.added()
        before, everybody = self.held, self.judge.attempt.everybody
        self.held = before | {*everybody.identities([*found]).values()}
        unit = self.policy.unit
        each = exp.Star() if unit is None else exp.Distinct(expressions=[exp.column(unit, quoted=True)])
        of_source = select(named_table(self.source), exp.Count(this=each))
        [(people,)] = execute(self.con, of_source)
        [(held,)] = execute(self.con, of_source.where(self._is_held(self.source)))
        return self.held != before and held <= self.policy.hold_back * people

    def _without_held(self, leaving: str, others: int) -> tuple[str, int]:
        """The table of the rows that leave without those who are held back, and how many rows do not."""
        if not self.held:
            return leaving, others
        is_held = self._is_held(leaving)
        [(rows,)] = execute(self.con, count(named_table(leaving)).where(is_held))
        of_people = "" if self.policy.unit is None else f" of {len(self.held):,} people"
        self.remarks.append(
            f"{rows:,} rows{of_people} are held back, as attacks found them ([judge] hold_back): who is left "
            "out depends on the data"
        )
        left = self.work.make("left_rows", select(named_table(leaving)).where(exp.not_(is_held)))
        return left.name, others + rows

    def _is_held(self, table: str) -> exp.Expression:
        """Is a row of a table held back? One that is nobody's is not."""
        held = [literal(each) for each in sorted(self.held)]
        is_one = exp.In(this=who_is(self.con, self.subjects, table), expressions=held)
        return exp.Coalesce(this=is_one, expressions=[exp.false()])

    def _rows_in_no_class(self, release: Release) -> int:
        """Rows of the source that are in no class of the release."""
        return release.suppressed_rows + self.already_out

    def _before(self) -> str | None:
        """The rows that are not new, of a table that grows."""
        if self.policy.new_rows is None:
            return None
        not_new = exp.Not(this=_is_true(self.policy.new_rows))
        return self.work.make("old_rows", select(named_table(self.source)).where(not_new)).name

    def _grown_from(self, register: Register) -> dict[str, Any]:
        """Keyed digests of the people of the rows that were not new."""
        before = self._before()
        if before is None:
            return {}
        return {GROWN_FROM: register.digests_of_people(self.work, replace(self.subjects, table=before))}

    def _leaving(self) -> tuple[str, int]:
        """The table of the rows that leave, and how many others there are: of a table that grows these are
        out, as they were released. Errors: InputError, if they are not as many as are out."""
        column = self.policy.new_rows
        if column is None:
            return self.source, 0
        is_new = _is_true(column)
        counts = exp.select(
            exp.CountIf(this=is_new.copy()), exp.CountIf(this=exp.Not(this=is_new.copy())),
            exp.CountIf(this=exp.Is(this=is_new.copy(), expression=exp.null())),
        )  # fmt: skip
        [(new, before, unknown)] = execute(self.con, counts.from_(named_table(self.source)))
        if unknown:
            raise InputError(f"{column} (judge.new_rows) is neither true nor false in {unknown:,} rows")
        out = sum(execute(self.con, count(named_table(each.table)))[0][0] for each in self.own)
        if before != out:
            way = "a row that is out is not new, and rows are only added"
            if before > out:
                last = f"{self.own[-1].name} went out" if self.own else "before the first release"
                way = f"rows that have not been released are new, all that came since {last}"
            raise InputError(
                f"{column} (judge.new_rows) is false in {before:,} rows, and {out:,} rows are out: {way}"
            )
        if not new:
            raise InputError(f"{column} (judge.new_rows) is true in no row: there is nothing to release")
        if before:
            self.remarks.append(f"{new:,} rows are new; {before:,} others are out, as they were released")
        rows_of_tonight = select(named_table(self.source)).where(is_new)
        return self.work.make("new_rows", rows_of_tonight).name, before

    def _check_old_rows(self, register: Register) -> None:
        """Errors: InputError, if rows that were there when the last release went out are new, and as many
        others are not: they would leave again, and be looked for in one release alone."""
        before = self._before()
        if before is None or not self.own:
            return
        [last] = [entry for entry in register.out() if entry.name == self.own[-1].name]
        old = register.rows_alike(self.work, replace(self.subjects, table=before), last)
        every = register.rows_alike(self.work, self.subjects, last)
        if old is None or every is None:
            return
        (rows, _, alike), gone = old, every[1] - every[2]
        if (others := rows - alike - gone) > 0:
            raise InputError(
                f"{self.policy.new_rows} (judge.new_rows) is false in {others:,} rows that the table did not "
                f"have when {last.name} went out, and true in others that it had: a row that is out is not "
                "new"
            )

    def _unread(self, known: Sequence[str]) -> str:
        """The labels of releases that are out which none of the table has, column by column."""
        qi = self.policy.roles["qi"]
        about = {"qi": qi, "hierarchies": self._hierarchies(None)}
        labels: dict[tuple[int, str], list[str]] = {}
        for number, column, label, *_ in rows(self.con, "unread_labels", list(known), self.source, **about):
            labels.setdefault((number, column), []).append(f'"{label}"')
        names = {each.table: each.name for each in self.as_today}
        return "".join(
            f" Nobody of the table has what {column} is in {name}: {some(those, 'words')}."
            for (number, column), those in labels.items()
            for name in [names[known[number - 1]]]
        )

    def _aware(self) -> tuple[Policy, list[str] | None]:
        """The policy, and the releases that it is to regard; without what it asks of these, if there are
        none."""
        policy = self.policy
        of_known = _about_known(policy)
        if policy.known is None:
            if of_known:
                wanted = ' needs known = "register", the releases that are out'
                raise policy.spelling.wrong(f"requirements.{of_known[0]}", wanted)
            return policy, None
        columns = policy.roles.get("sensitive", [])
        known = [each.table for each in self.as_today if has(self.con, each, columns)]
        if known or not of_known:
            return replace(policy, known=None), known or None
        policy = self._without(policy, of_known)
        parameters = policy.parameters
        if policy.method == "mondrian":  # which suppresses rows because of known releases only
            parameters = {name: value for name, value in parameters.items() if name != "suppression_limit"}
        return replace(policy, parameters=parameters, known=None), None

    def _continuing(self, policy: Policy) -> tuple[Policy, str | None]:
        """The policy, and the last of our releases, if it is to be based on that."""
        if policy.based_on != REGISTER:
            return policy, None
        columns = [*policy.roles["qi"], *policy.roles.get("sensitive", [])]
        if earlier := [each.table for each in self._own_as_today() if has(self.con, each, columns)]:
            return policy, earlier[-1]
        of_earlier = [name for name in ("bcf_k",) if name in policy.requirements]
        policy = self._without(policy, of_earlier or ["based_on"])
        return replace(policy, based_on=None), None

    def _as_before(self, policy: Policy) -> tuple[Policy, str | None]:
        """The policy, and the name of the last of our releases, if its categories are to stay."""
        if policy.parameters.get("scheme") != REGISTER:
            return policy, None
        earlier = [each for each in self._own_as_today() if has(self.con, each, policy.roles["qi"])]
        if not earlier:
            raise policy.spelling.wrong(
                "method.scheme", f' = "{REGISTER}": no release is out yet whose categories could stay'
            )
        last = earlier[-1]
        cuts = call("scheme_of_cuts", last.table, qi=policy.roles["qi"], hierarchies=last.hierarchies)
        with titled({last.table: last.name}):
            made = self.work.make("scheme", cuts)
        return replace(policy, parameters={**policy.parameters, "scheme": made.name}), last.name

    def _without(self, policy: Policy, pointless: Sequence[str]) -> Policy:
        """The policy without requirements about releases that are out, as none is."""
        self.remarks.append(f"nothing is out yet, so {pointless[0]} asks for nothing")
        others = {name: value for name, value in policy.requirements.items() if name not in pointless}
        if not others.keys() - SETTINGS:
            raise policy.spelling.wrong("requirements", " asks for nothing: give another one, such as k = 5")
        return replace(policy, requirements=others)

    def _hierarchies(self, population: Source) -> str | None:
        """The hierarchies of the policy, as a table."""
        everybody = population if isinstance(population, str) else None
        if everybody is None and self.policy.population is not None:
            everybody = as_pattern(Path(self.policy.population))
        return self.policy.make_hierarchies(self.con, self.source, everybody, self.work)

    def judged(
        self,
        release: Release,
        name: str,
        population: Source,
        attacks: Iterable[str] | None,
        parameters: Mapping[str, Any] | None = None,
        max_targets: int | None = None,
        accept: Mapping[str, str] | None = None,
        accept_past: str | None = None,
        seconds: float | None = None,
        began: float = 0,
        all_attacks: bool = False,
        words_first: bool = False,
    ) -> Judgement:
        """What the judge says of a release together with those that are out.

        Errors: RefusedError, unless it holds.
        """
        policy = self.policy
        with Deadline(self.con, seconds, began) as deadline:
            self.hierarchies = self._hierarchies(population)
            newest = Released(
                name, release.table, policy.roles["qi"], policy.roles.get("sensitive", []), self.nearest,
                hierarchies=self.hierarchies, is_as_today=policy.roles["qi"],
                suppressed_rows=self._rows_in_no_class(release),
            )  # fmt: skip
            self.subjects = subjects_of(policy, self.source, self.hierarchies)
            if self.register is not None:
                self.out = with_leavers_seen(
                    self.out, self.register, self.work, self.subjects, self._before(), self.earlier
                )
                self._check_old_rows(self.register)
            self.judge = Judge(
                self.con, self.work, self.subjects, [*self.out, newest], policy.tolerated, newest=name,
                attacks=attacks, parameters=parameters or {}, max_targets=max_targets,
                accepted={**policy.accepted, **(accept or {})},
                accepted_past=[] if self.register is None else self.register.acceptances(),
                hashed=None if self.register is None else self.register.hashed,
                seconds=seconds, began=began, all_attacks=all_attacks,
                remarks=self.remarks,
                doubts=[*self.doubts, *self._other_zones(release), *self._counted_rows(name)],
                kept=kept_of(
                    self.register, self.out, self.subjects, self.remarks, self.work, self.earlier
                ),
                columns=leaving(self.con, release.table, policy, self.source, release.leaving),
                comparisons=[self._comparison(release, name, deadline)], words_first=words_first,
            )  # fmt: skip
        _check_time(deadline, seconds, "the attacks had not begun")
        made = self.judge.judgement(self.phase(ANONYMIZED, ATTACKED))
        self.past = made.past
        self.remarks += of_no_use(self.con, made.said, accept or {})
        if made.is_past and accept_past is not None:
            self.remarks.append(f"what was so before is accepted: {accept_past}")
            said = exp.update(named_table(made.said), {"accepted": accept_past})
            execute(self.con, said.where("verdict in ('fails', 'not known') and accepted is null"))
            return made
        if made.verdict != HOLDS:
            refused = RefusedError(made.reasons, made.said, self.remarks, made.verdict, made.words)
            if self.register is not None:
                refused.add_note(
                    "sqlanon.remedies, called as sqlanon.publish was, tries changes of the policy on this "
                    "table: which of them would go out, and what they cost"
                )
            raise refused
        return made

    def _counted_rows(self, name: str) -> Iterator[Doubt]:
        """What is not known where rows are counted, and a column may say that people have several."""
        policy = self.policy
        if self.register is not None and policy.unit is None and policy.weight is None:
            roles = (policy.roles.get(role, []) for role in ("qi", "sensitive", "keep"))
            others = [*(column for columns in roles for column in columns), policy.household or ""]
            yield from counted_rows(self.con, self.source, others, name, "roles.unit")

    def _comparison(self, release: Release, name: str, deadline: Deadline) -> Comparison:
        """What it tells together with tables of counts that are out."""
        policy = self.policy
        rows = rows_to_compare(
            name, release.table, [*policy.roles["qi"], *policy.roles.get("sensitive", [])], policy.unit,
            self._rows_in_no_class(release), nearest=self.nearest, period=self.period,
            hierarchies=self.hierarchies, growing=growing_of(self.beside), max_atoms=policy.max_atoms,
        )  # fmt: skip
        seconds = deadline.left(SOLVER_SECONDS)
        progress = self.phase(ANONYMIZED, ANONYMIZED)
        return Together(self.con, self.work, self.beside, rows, seconds, progress=progress).comparison()

    def out_goes(
        self,
        register: Register,
        release: Release,
        name: str,
        output: Place,
        judged: Judgement,
        key_file: str | os.PathLike[str] | None,
        accept_past: str | None,
        given: Acceptance,
    ) -> int:
        """Entry with verdicts, output, confirmation; the number of the entry."""
        self.tell(ATTACKED, "writing the release")
        values = {**self._values(register, release, key_file), "name": name}
        hierarchies = None if self.hierarchies is None else select(named_table(self.hierarchies))

        def entered(number: int) -> None:
            register.record(named_table(judged.said), "publish", number)
            register.accept(self._accepted(judged, register, accept_past, given), number)
            register.enter_people(
                number, self.subjects, self.judge.attempt.everybody, self.policy.keep_people
            )

        return out_goes(
            self.con, register, released_rows(self.con, release), values, output, self.policy.origin, entered,
            hierarchies,
        )  # fmt: skip

    def _accepted(
        self, judged: Judgement, register: Register, accept_past: str | None, given: Acceptance
    ) -> list[Accepted]:
        """What was accepted: people above a bound, and what is not known."""
        known = execute(
            self.con,
            select(named_table(judged.said), "attack", "id", "sensitive", "accepted").where(
                "accepted is not null"
            ),
        )
        names = [each.name for each in self.out]
        past = judged.past.above if judged.past is not None and accept_past is not None else []
        accepted = [
            Accepted(
                attack, id, sensitive, names, frozenset(), reason, *given.about(f"{attack}.{id}", reason)
            )
            for attack, id, sensitive, reason in known
            if (attack, id, sensitive) not in {(each.attack, each.id, each.sensitive) for each in past}
        ]
        for above in past:
            hashes = register.hashed(self.judge.attempt.everybody.identities(above.people))
            accepted.append(
                Accepted(
                    above.attack, above.id, above.sensitive, above.releases, frozenset(hashes.values()),
                    str(accept_past), given.by, given.until,
                )
            )  # fmt: skip
        return accepted

    def _values(
        self, register: Register, release: Release, key_file: str | os.PathLike[str] | None
    ) -> dict[str, Any]:
        """What the register says of a release."""
        policy = self.policy
        return {
            "is_foreign": False,
            "qi": policy.roles["qi"],
            "sensitive": policy.roles.get("sensitive", []),
            "nearest": self.nearest,
            "formats": {},
            "row_count": release.rows,
            "suppressed_rows": self._rows_in_no_class(release),
            "classes": release.classes,
            "reached": dict(release.reached),
            "required": dict(release.required),
            "method": policy.method,
            "parameters": json.dumps({**release.parameters, **self._grown_from(register)}, default=str),
            "policy": policy.text,
            "policy_path": None if policy.spelling.path is None else str(policy.spelling.path.resolve()),
            "policy_sha256": policy.origin.get("sqlanon_policy_sha256"),
            "unit": policy.unit,
            "period": self.period,
            "source_fingerprint": fingerprint(self.con, self.source, key_file),
            "people": register.digests_of_people(self.work, self.subjects),
            "identity": self.subjects.who or None,
        }


def _is_true(column: str) -> exp.Expression:
    return exp.TryCast(this=exp.column(column, quoted=True), to=exp.DataType.build("boolean"))


def fingerprint(
    con: duckdb.DuckDBPyConnection, source: str, key_file: str | os.PathLike[str] | None
) -> str | None:
    """What tells whether another source has the same rows, to whoever has the key; None without one."""
    if key_file is None and not os.environ.get(ENVIRONMENT):
        return None
    [(rows,)] = execute(con, call("_digest_of_rows", source, sorted(column_names(con, source))))
    return Key.read(key_file).hash(f"fingerprint of a source: {rows}")


def out_goes(
    con: duckdb.DuckDBPyConnection,
    register: Register,
    rows: exp.Select,
    values: Mapping[str, Any],
    output: Place,
    notes: Mapping[str, str],
    entered: Callable[[int], None],
    hierarchies: exp.Select | None = None,
    contributors: exp.Select | None = None,
) -> int:
    """Entry, output, confirmation of a release; the number of the entry.

    values: what the register says of it; hierarchies: of its labels; contributors: how many there are to its
    cells. entered: what else is entered, in the same transaction.
    """
    final = output.path.resolve()
    with private_folder(final.parent) as folder:
        written = folder / final.name
        execute(con, copy(rows, written, output, notes))

        def enter(everything: Mapping[str, Any]) -> int:
            number = register.enter(everything, rows, hierarchies, contributors)
            entered(number)
            return number

        return given_a_name(con, register, written, final, values, enter)


def given_a_name(
    con: duckdb.DuckDBPyConnection,
    register: Register,
    written: Path,
    final: Path,
    values: Mapping[str, Any],
    enter: Callable[[Mapping[str, Any]], int],
) -> int:
    """Entry of what is written, a file or a folder; its name; confirmation. The number of the entry.

    values: what the register says of it. enter: makes the entry, with all that the register keeps of it.
    """
    unfinished = final.with_name(PENDING.format(final.name))
    for each in [*written.iterdir(), written] if written.is_dir() else [written]:
        _sync(each)
    everything = {
        **values, "status": "pending", "path": str(final), "unfinished_path": str(unfinished),
        "content_sha256": digest(written),
    }  # fmt: skip
    mode = stat.S_IMODE(written.stat().st_mode)
    written.chmod(SECRET_FOLDER if written.is_dir() else SECRET)
    with _settled(register, unfinished):
        written.rename(unfinished)
        _sync(final.parent)
        with transaction(con):
            number = enter(everything)
        unfinished.chmod(mode)
        try:
            give_name(unfinished, final)
        except FileExistsError:
            raise UseError(f"{final} exists by now: what may be out is never replaced") from None
        _sync(final.parent)
        with transaction(con):
            register.change(number, "out")
    return number


@contextmanager
def _settled(register: Register, unfinished: Path) -> Iterator[None]:
    """After an error or an interrupt, the register says what has become of the release."""
    try:
        yield
    except BaseException:
        cleanly(register.reconcile, lambda: remove(unfinished))
        raise


def _sync(path: Path) -> None:
    """Have a file, or the names in a folder, on the disk."""
    if path.is_dir() and os.name == "nt":  # where folders cannot be opened
        return
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
