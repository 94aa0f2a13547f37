"""What releases tell together of those whose data it is: the attacks that a gate and an audit make."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import duckdb
from sqlglot import exp

from sqlanon.attack.all_attacks import Known, Outcome, Run, check_tolerated, judged, outcomes_of, runs
from sqlanon.core.release import Progress
from sqlanon.core.source import fresh_name, lower
from sqlanon.core.statements import call, create, execute, render, select, table
from sqlanon.policies.policy import Policy
from sqlanon.publishing.everybody import Everybody, Released, formats_of, has, named
from sqlanon.publishing.register import Entry

# What a policy may tolerate, for those who have not said it. The numbers are theirs to choose.
PROPOSAL = """\
[tolerated.intersection_attack]
sure_90 = 1   # of so many percent of the people at most somebody may be 90 % sure what they have
[tolerated.homogeneity]
certain = 0   # so many percent of the rows at most may be in a class that has one sensitive value
[tolerated.linking]
certain = 0   # so many percent of the people at most may be told to be one row"""


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
class Counts:
    """How many people are where, and nobody's name.

    people: all of them. in_releases: of each release its name, how many people are located there, in how many
    classes on average, how many may be in it, by their own values, and whether it has labels that nobody
    understands. in_so_many: how many people may be in so many releases.
    """

    people: int
    in_releases: Sequence[tuple[str, int, float | None, int, bool]]
    in_so_many: Sequence[tuple[int, int]]


@dataclass
class Attempt:
    """What is to be attacked, and with what.

    names: of the releases. newest: the one that the attacks are about, None for all of them. is_whole: is
    every row of the table in that one? attacks: only these. remarks: what there was to say. reasons: why it
    is no all-clear, whatever is tolerated.
    """

    everybody: Everybody
    names: Sequence[str]
    newest: str | None = None
    is_whole: bool = False
    attacks: Iterable[str] | None = None
    parameters: Mapping[str, Any] = field(default_factory=dict)
    max_targets: int | None = None
    remarks: list[str] = field(default_factory=list)
    reasons: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.con, self.work, self.people = self.everybody.con, self.everybody.work, self.everybody.people
        self.releases = [each for each in self.everybody.releases if each.name in self.names]
        self.presence = {each.name: f"{self.everybody.id}_in_{i}" for i, each in enumerate(self.releases, 1)}
        self.is_located = False

    def make_targets(self) -> None:
        """The table of targets."""
        self.work.make("targets", select(table(self.everybody.table)))

    def locate_targets(self) -> None:
        """The same with a column per release, which says who may be in it."""
        if self.is_located:
            return
        marks: list[exp.Expression] = []
        asked = [name for name in self.names if not (name == self.newest and self.is_whole)]
        present = self.everybody.possibly_present(asked)
        for name, column in self.presence.items():
            is_in: exp.Expression = exp.true()
            if name in present:
                if execute(self.con, present[name].copy().limit(1)) == []:
                    self.reasons.append(f"{name}: nobody of the table can be in it, so nobody is located")
                person = exp.column(self.everybody.id, quoted=True)
                is_in = exp.In(this=person, query=present[name].subquery())
            marks.append(named(is_in, column))
        self.work.make("targets", select(table(self.everybody.table), "*", *marks))
        self.is_located = True

    def outcomes(self, progress: Progress) -> Iterator[Outcome]:
        """Make the attacks, one after the other."""
        self.make_targets()  # to be counted
        planned = self._planned()
        attacks = call("_attacks").where("targets is not null")
        on_targets = {attack for (attack,) in execute(self.con, select(attacks.subquery(), "attack"))}
        if any(run.reason is None and run.attack in on_targets for _, these in planned for run in these):
            self.locate_targets()
        for i, (known, these) in enumerate(planned):

            def part(done: float, run: str, before: int = i) -> None:
                progress((before + done) / len(planned), run)

            for outcome in outcomes_of(self.con, known, these, part):
                yield replace(outcome, reason=self._with_names(outcome.reason))

    def _with_names(self, reason: str | None) -> str | None:
        """A reason that names releases by what they are called, not by their tables."""
        if reason is not None:
            for each in self.releases:
                reason = reason.replace(each.table, each.name)
        return reason

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

    def growth(self, progress: Progress) -> exp.Select:
        """What the first releases tell together, as far as each of them, of each sensitive column. Nothing is
        tolerated of it. Reads a work table."""
        self.locate_targets()
        made: list[Outcome] = []
        for column in self.people.sensitive:
            having = [each for each in self.releases if has(self.con, each, [column])]
            for last in range(1, len(having) + 1):
                known = self._known(having[:last], [column])
                planned = runs(self.con, known, ["intersection_attack"], self.max_targets)
                made += outcomes_of(self.con, known, planned, progress)
        return judged(self.con, made, {}, self.work)

    def counts(self) -> Counts:
        """How many people are where."""
        self.locate_targets()
        located, combinations = self.everybody.located_in(self.names)
        by_number = {
            number: about
            for number, *about in execute(self.con, call("_located_counts", located, combinations))
        }  # fmt: skip
        targets = table(self.work.name("targets"))
        columns = [exp.column(column, quoted=True) for column in self.presence.values()]
        possible = [exp.CountIf(this=column.copy()) for column in columns]
        [[people, *present]] = execute(self.con, select(targets, exp.Count(this=exp.Star()), *possible))
        present_in = exp.array(*(exp.cast(column, "int") for column in columns))
        number = exp.Anonymous(this="list_sum", expressions=[present_in])
        in_so_many = select(targets, named(number, "number"), "count(*) as people")
        in_so_many = in_so_many.group_by("1").order_by("1")
        return Counts(
            people,
            [
                (each.name, *by_number.get(i, (0, None)), present[i - 1], each.name in self.everybody.unread)
                for i, each in enumerate(self.releases, 1)
            ],
            [(number, people) for number, people in execute(self.con, in_so_many)],
        )

    def _known(self, chosen: Sequence[Released], sensitive: Sequence[str]) -> Known:
        return Known(
            {each.name: each.table for each in chosen},
            qi=self.people.qi,
            sensitive=sensitive,
            targets=self.work.name("targets"),
            id=self.everybody.id,
            hierarchies=self.people.hierarchies,
            truth=sensitive,
            nearest=[each.nearest for each in chosen],
            presence=[self.presence[each.name] for each in chosen],
            unit=self.people.policy.unit,
            formats=formats_of(chosen),
            parameters=self.parameters,
            located=self.everybody,
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
