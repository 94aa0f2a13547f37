"""What releases tell together of those whose data it is: the attacks that a gate and an audit make."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import duckdb
from sqlglot import exp

from sqlanon.attack.all_attacks import Known, Outcome, Run, check_tolerated, judged, outcomes_of, runs
from sqlanon.core.files import column_names
from sqlanon.core.release import Progress
from sqlanon.core.source import fresh_name, lower
from sqlanon.core.statements import call, count, create, execute, relation, render, select, table
from sqlanon.core.tables import WorkTables
from sqlanon.policies.policy import Policy
from sqlanon.publishing.register import Entry

# What a policy may tolerate, for those who have not said it. The numbers are theirs to choose.
PROPOSAL = """\
[tolerated.intersection_attack]
sure_90 = 1   # of so many percent of the people at most somebody may be 90 % sure what they have
[tolerated.homogeneity]
certain = 0   # so many percent of the rows at most may be in a class that has one sensitive value
[tolerated.linking]
certain = 0   # so many percent of the people at most may be told to be one row"""


@dataclass(frozen=True)
class Released:
    """A release as attacks take it. table: a name for query_table. same: the quasi-identifiers that are
    recoded as the policy says today.
    """

    name: str
    table: str
    nearest: bool = False
    formats: Mapping[str, str] = field(default_factory=dict)
    same: Sequence[str] = ()


def released(entry: Entry, policy: Policy) -> Released:
    """A release of the register."""
    return Released(
        entry.name, render(entry.table), entry.nearest, entry.formats, _same_recoding(entry, policy)
    )


def _same_recoding(entry: Entry, policy: Policy) -> list[str]:
    """The quasi-identifiers of a release whose hierarchies were made as the policy says, or that had none.

    A file may say something else by now.
    """
    if not entry.policy or not policy.text:
        return []
    qi = lower(policy.roles["qi"])
    then, now = (tomllib.loads(text).get("hierarchies", {}) for text in (entry.policy, policy.text))
    same = [name for name in entry.qi if then.get(name) == now.get(name) and name.lower() in qi]
    return [name for name in same if "file" not in now.get(name, {})]


@dataclass(frozen=True)
class People:
    """Those whose data it is. table: with raw values, with hierarchies for the labels of releases."""

    table: str
    policy: Policy
    hierarchies: str | None

    @property
    def qi(self) -> list[str]:
        return self.policy.roles["qi"]

    @property
    def sensitive(self) -> list[str]:
        return self.policy.roles.get("sensitive", [])


@dataclass
class Attempt:
    """What is to be attacked, and with what.

    newest: the release that the attacks are about, None for all of them. is_whole: is every row of the table
    in that one? attacks: only these. remarks: what there was to say. reasons: why it is no all-clear,
    whatever is tolerated.
    """

    con: duckdb.DuckDBPyConnection
    work: WorkTables
    people: People
    releases: Sequence[Released]
    newest: str | None = None
    is_whole: bool = False
    attacks: Iterable[str] | None = None
    parameters: Mapping[str, Any] = field(default_factory=dict)
    max_targets: int | None = None
    remarks: list[str] = field(default_factory=list)
    reasons: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.id = fresh_name("person")
        self.releases = [self._complete(number, each) for number, each in enumerate(self.releases)]
        self.presence = {each.name: f"{self.id}_in_{i}" for i, each in enumerate(self.releases, 1)}

    def _complete(self, number: int, each: Released) -> Released:
        """The release with all quasi-identifiers: one that it does not have may be anything."""
        each = self._without_the_gone(number, each)
        columns = lower(column_names(self.con, each.table))
        written = lower(each.formats)
        missing = [name for name in self.people.qi if name.lower() not in columns | written]
        if not missing:
            return each
        anything = [_named(exp.Literal.string("*"), name) for name in missing]
        made = self.work.make(f"completed_{number}", select(relation(each.table), "*", *anything))
        return replace(each, table=render(made))

    def _without_the_gone(self, number: int, each: Released) -> Released:
        """The release without rows of values that nobody of the table has any more.

        Where it is recoded as today, a label that covers somebody's value is among today's labels. One that
        nobody understands is not, so it covers nobody. Elsewhere it could mean anybody, and is told.
        """
        if not each.same or each.nearest:
            return each
        unread = call(
            "unread_labels", each.table, self.people.table, qi=list(each.same),
            hierarchies=self.people.hierarchies,
        )  # fmt: skip
        gone = execute(
            self.con,
            select(unread.subquery(), "attribute", "label").where("why like 'no value of the targets%'"),
        )
        if not gone:
            return each
        cells = [(exp.cast(exp.column(name, quoted=True), "text"), label) for name, label in gone]
        is_gone = exp.or_(*(cell.eq(label) for cell, label in cells))
        rest = select(relation(each.table)).where(
            exp.Coalesce(this=exp.paren(is_gone), expressions=[exp.false()]).not_()
        )
        made = self.work.make(f"without_the_gone_{number}", rest)
        [(rows,)] = execute(self.con, count(relation(each.table)))
        [(left,)] = execute(self.con, count(made))
        self.remarks.append(
            f"{each.name}: {rows - left:,} rows have values that nobody of the table has any more"
        )
        return replace(each, table=render(made)) if left else each

    def make_targets(self, is_located: bool) -> None:
        """The table of targets: with is_located, a column per release says who may be in it."""
        policy = self.people.policy
        columns = [*self.people.qi, *self.people.sensitive, *policy.units()]
        number = _named(exp.Window(this=exp.RowNumber()), self.id)
        named: list[exp.Expression] = [exp.column(name, quoted=True) for name in columns]
        everybody = self.work.make("everybody", select(relation(self.people.table), number, *named))
        marks: list[exp.Expression] = []
        for i, each in enumerate(self.releases if is_located else [], 1):
            if each.name == self.newest and self.is_whole:
                marks.append(_named(exp.true(), self.presence[each.name]))
                continue
            present = self.work.make(f"present_{i}", self._present(render(everybody), each))
            if execute(self.con, count(present)) == [(0,)]:
                self.reasons.append(f"{each.name}: nobody of the table can be in it, so nobody is located")
            is_in = exp.In(this=exp.column(self.id, quoted=True), query=select(present).subquery())
            marks.append(_named(is_in, self.presence[each.name]))
        self.work.make("targets", select(everybody, "*", *marks))

    def _present(self, targets: str, each: Released) -> exp.Select:
        """Those of the targets who may be in a release: the column id."""
        sensitive = [
            name
            for name in self.people.sensitive
            if name.lower() in lower(column_names(self.con, each.table))
        ]
        about = {
            "targets": targets, "id": self.id, "qi": self.people.qi,
            "hierarchies": self.people.hierarchies, "formats": dict(each.formats) or None,
        }  # fmt: skip
        if not sensitive:
            located = call("locate", each.table, nearest=each.nearest, **about)
            return located.select(exp.column(self.id, quoted=True), append=False).distinct()
        attacked = self.work.make(
            "attacked_alone",
            call(
                "intersection_attack", [each.table], sensitive=sensitive, truth=sensitive,
                nearest=[each.nearest], **about,
            ),
        )  # fmt: skip
        return call("_possibly_present", render(attacked), self.id)

    def outcomes(self, progress: Progress) -> Iterator[Outcome]:
        """Make the attacks, one after the other."""
        self.make_targets(is_located=False)  # to be counted
        planned = self._planned()
        attacks = call("_attacks").where("targets is not null")
        on_targets = {attack for (attack,) in execute(self.con, select(attacks.subquery(), "attack"))}
        if any(run.reason is None and run.attack in on_targets for _, these in planned for run in these):
            self.make_targets(is_located=True)
        for i, (known, these) in enumerate(planned):

            def part(done: float, run: str, before: int = i) -> None:
                progress((before + done) / len(planned), run)

            yield from outcomes_of(self.con, known, these, part)

    def _planned(self) -> list[tuple[Known, list[Run]]]:
        """The attacks on each sensitive column, with the releases that have it, and those on none."""
        groups: dict[tuple[str, ...], list[str]] = {tuple(self.presence): []}
        for column in self.people.sensitive:
            having = tuple(each.name for each in self.releases if has(self.con, each, [column]))
            groups.setdefault(having, []).append(column)
            lacking = [each.name for each in self.releases if each.name not in having]
            self.remarks += [f"{name} does not have {column}" for name in lacking]
        planned = []
        subjects: set[tuple[str, tuple[str, ...]]] = set()  # what needs no sensitive column is made once
        for names, sensitive in groups.items():
            known = self._known([each for each in self.releases if each.name in names], sensitive)
            these = []
            for run in runs(self.con, known, self.attacks, self.max_targets):
                about = run.attack, tuple(run.releases)
                is_asked = self.newest is None or not run.releases or self.newest in run.releases
                is_made = run.sensitive is None and about in subjects
                is_elsewhere = run.reason is not None and not sensitive and bool(self.people.sensitive)
                if is_asked and not is_made and not is_elsewhere:
                    these.append(run)
                    subjects.add(about)
            planned.append((known, these))
        return planned

    def _known(self, chosen: Sequence[Released], sensitive: Sequence[str]) -> Known:
        return Known(
            {each.name: each.table for each in chosen},
            qi=self.people.qi,
            sensitive=sensitive,
            targets=self.work.name("targets"),
            id=self.id,
            hierarchies=self.people.hierarchies,
            truth=sensitive,
            nearest=[each.nearest for each in chosen],
            presence=[self.presence[each.name] for each in chosen],
            unit=self.people.policy.unit,
            formats={
                f"{i}.{column}": format
                for i, each in enumerate(chosen, 1)
                for column, format in each.formats.items()
            },
            parameters=self.parameters,
        )

    def verdicts(self, tolerated: Mapping[str, float], progress: Progress) -> exp.Select:
        """What the attacks have measured, as run_attacks tells it; reads a work table.

        Bounds on attacks that take two releases are met where there is one alone.
        """
        limits = dict(tolerated)
        if len(self.releases) == 1:
            attacks = call("_attacks").where("releases = 2")
            on_pairs = {attack for (attack,) in execute(self.con, select(attacks.subquery(), "attack"))}
            for key in [key for key in limits if key.partition(".")[0] in on_pairs]:
                self.remarks.append(f"{key}: that takes two releases, and there is one")
                del limits[key]
        made = list(self.outcomes(progress))
        self.reasons += [f"{outcome.run}: nobody is located" for outcome in made if outcome.finds_nobody]
        measured = {outcome.run.attack for outcome in made}
        self.reasons += [f"{key}: not made" for key in limits if key.partition(".")[0] not in measured]
        return judged(self.con, made, limits, self.work)


def _named(value: exp.Expression, name: str) -> exp.Alias:
    return exp.Alias(this=value, alias=exp.to_identifier(name, quoted=True))


def has(con: duckdb.DuckDBPyConnection, release: Released, columns: Sequence[str]) -> bool:
    """Does a release have these columns?"""
    return lower(columns) <= lower(column_names(con, release.table))


def check_bounds(
    con: duckdb.DuckDBPyConnection, policy: Policy, attacks: Iterable[str] | None = None
) -> None:
    """Errors: UseError for a policy without bounds, or with those of no attack that is to be made."""
    if not policy.tolerated:
        raise policy.spelling.wrong("tolerated", f" is empty: say what attacks may find, such as\n{PROPOSAL}")
    listed = {attack for (attack, *_) in execute(con, call("_attacks"))}
    check_tolerated(policy.tolerated, listed if attacks is None else listed & set(attacks))


def kept(con: duckdb.DuckDBPyConnection, query: exp.Select) -> exp.Table:
    """A temporary table that stays."""
    made = table(fresh_name("verdicts"))
    execute(con, create(made, query, temporary=True))
    return made


def reasons_of(
    con: duckdb.DuckDBPyConnection,
    verdicts: exp.Table,
    before: Mapping[tuple[str, ...], float] | None = None,
) -> list[str]:
    """Which bounds do not hold, in words. before: what was measured without the newest release, by attack,
    measure and sensitive column."""
    violated = execute(
        con,
        select(
            verdicts, "attack", "id", "releases", "sensitive", "value", "if(sampled, high, value)", "unit",
            "tolerated", "reason",
        ).where("not holds"),
    )  # fmt: skip
    reasons = []
    for attack, id, releases, sensitive, value, worst, unit, most, reason in violated:
        about = (f" of {sensitive}" if sensitive else "") + f" on {', '.join(releases) or 'them'}"
        found = "not known" if value is None else f"{value:.4g} {unit or ''}".rstrip()
        found += "" if value == worst else f" (up to {worst:.4g})"
        earlier = (before or {}).get((attack, id, sensitive))
        found += "" if earlier is None else f" (without the new one {earlier:.4g})"
        reasons.append(
            f"{attack}.{id}{about}: {found}, {most:.4g} is tolerated" + (f" ({reason})" if reason else "")
        )
    return reasons
