"""The attacks on all published releases, with everything that an adversary has from them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from shlex import quote
from typing import Any

from sqlglot import exp

from sqlanon.attack.all_attacks import (
    Outcome,
    Run,
    judged,
    late,
    outcomes_of,
    runs,
    with_all_there_is,
)
from sqlanon.attack.known import INTERSECTION, Known, attack_query
from sqlanon.attack.possible_values import INSTALL, are_installed, register_possible_values
from sqlanon.attack.two_readings import examples_of, of_releases, people_who_differ, texts_of, without
from sqlanon.core.comments import attacks as our_attacks
from sqlanon.core.comments import parameters
from sqlanon.core.deadline import Deadline
from sqlanon.core.files import column_names
from sqlanon.core.plugins import ensure_plugged
from sqlanon.core.release import Progress
from sqlanon.core.source import lower
from sqlanon.core.statements import call, count, execute, select, table
from sqlanon.core.toml import shown
from sqlanon.judge.evidence import Doubt, Released, named
from sqlanon.judge.joins import Pair
from sqlanon.judge.people import FREQUENT, Everybody, formats_of, has

ACCEPT_LEAVERS = 'or accept it: --accept evidence.leavers="why"'

# Attacks on two releases of the same rows.
OF_SAME_ROWS = ("unsorted_matching", "complementary_release", "correspondence", "insert_only")
SHARE = 10  # one row in so many, of a release and of today: then words that one side alone has are a doubt
SHOWN = 3  # of these words
FEW = 2  # rows that have a value: a column whose values are each somebody's own names people


def some(words: Sequence[str], what: str) -> str:
    """The first of some words, or what they are."""
    more = f" and {len(words) - SHOWN:,} more" if len(words) > SHOWN else ""
    return ", ".join(words[:SHOWN]) + more or what


@dataclass(frozen=True)
class Counts:
    """How many people are where, and nobody's name.

    people: all of them; counted: what these are, people or rows of people (each of somebody, without a unit).
    in_releases: of each release its name, how many people are located there, in how many
    classes on average, how many may be in it, by their own values, and whether it has labels that nobody
    understands. in_so_many: how many people may be in so many releases.
    """

    people: int
    in_releases: Sequence[tuple[str, int, float | None, int, bool]]
    in_so_many: Sequence[tuple[int, int]]
    counted: str = "rows of people"


@dataclass
class Attempt:
    """What is to be attacked, and with what.

    names: of the releases. newest: the one that the attacks are about, None for all of them. attacks: only
    these. remarks: what there was to say. doubts: why something is not known, whatever is tolerated. pairs:
    columns of two names that count as one, as somebody may guess. idle: attacks that are not made.
    deadline: attacks that are not finished by then fail. tolerated: the most of a measure, by attack.measure.
    """

    everybody: Everybody
    names: Sequence[str]
    newest: str | None = None
    attacks: Iterable[str] | None = None
    parameters: Mapping[str, Any] = field(default_factory=dict)
    max_targets: int | None = None
    remarks: list[str] = field(default_factory=list)
    doubts: list[Doubt] = field(default_factory=list)
    pairs: Sequence[Pair] = ()
    idle: Collection[str] = ()
    deadline: Deadline | None = None
    tolerated: Mapping[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.con, self.work = self.everybody.con, self.everybody.work
        self.subjects = self.everybody.evidence.subjects
        self.releases = [each for each in self.everybody.releases if each.name in self.names]
        self.presence = {each.name: f"{self.everybody.id}_in_{i}" for i, each in enumerate(self.releases, 1)}
        self.is_located = False
        self.suffix = ""  # of work tables
        self.as_recorded: Attempt | None = None  # with whom the register knows, where others may be by values
        self._surer: set[tuple[tuple[str, ...], str | None]] = set()

    def locate_targets(self) -> None:
        """The table of targets, with columns per release, which say who may be in it: by values, and as it is
        recorded."""
        if self.is_located:
            return
        recorded = {name: f"{column}_recorded" for name, column in self.presence.items()}
        marks = [named(self.everybody.is_in(name), column) for name, column in self.presence.items()]
        marks += [named(self.everybody.is_in(name, True), column) for name, column in recorded.items()]
        made = self.work.make("targets", select(table(self.everybody.table), "*", *marks))
        for name, column in self.presence.items():
            if execute(self.con, select(made, "1").where(exp.column(column, quoted=True)).limit(1)) == []:
                self.doubts.append(
                    Doubt(
                        "located", f"{name}: nobody of the table can be in it, so nobody is located", [name],
                        remedy=self._how_to_locate(name),
                    )
                )  # fmt: skip
        self._tell_contradictions(made)
        self._leave_out_the_suppressed(made)
        self.is_located = True
        unlike = [
            exp.column(column, quoted=True).neq(exp.column(recorded[name], quoted=True))
            for name, column in self.presence.items()
        ]
        [(newcomers,)] = execute(self.con, count(table(self.work.name("targets"))).where(exp.or_(*unlike)))
        if newcomers:
            self.as_recorded = copy(self)
            self.as_recorded.presence, self.as_recorded.remarks = recorded, []
            self.as_recorded.suffix = "_recorded"

    def _how_to_locate(self, name: str) -> str:
        """What would help where nobody of the table can be in a release."""
        compare = "compare the words and forms of its columns with those of the table"
        kept = self.everybody.kept
        if kept is not None and (again := kept.how_to_give(name)) is not None:
            return f"give the table that it was made of again: {again}; or {compare}"
        [released] = [each for each in self.releases if each.name == name]
        if not released.is_foreign:
            return compare
        return f"{compare}; or say what its values are with us: {released.mapping_values}"

    def _tell_contradictions(self, targets: exp.Table) -> None:
        """Count who is in a class of others' releases that has no row of their values. Where there are too
        many of them, the values may be the others' words for ours."""
        for each in self.releases:
            if not each.is_foreign:
                continue
            located, combinations = self.everybody.located_in([each.name])
            covered = call(
                "_located_people",
                located,
                combinations,
                self.everybody.table,
                self.everybody.id,
                self.everybody.qi,
            )
            is_in = exp.column(self.presence[each.name], quoted=True)
            person = exp.column(self.everybody.id, quoted=True)
            found = exp.In(this=person, query=select(covered.subquery(), "person").subquery())
            contradicted = exp.CountIf(this=exp.not_(is_in))
            [(people, everybody)] = execute(
                self.con, select(targets, contradicted, exp.Count(this=exp.Star())).where(found)
            )
            if not people:
                continue
            sentence = (
                f"{each.name}: {people:,} people are in a class that has none of their values: these are "
            )
            if 100 * people <= self.subjects.contradictions * everybody:
                self.remarks.append(f"{sentence}contradictions, and count as not in it")
                continue
            self.doubts.append(
                Doubt(
                    "contradictions",
                    f"{sentence}{100 * people / everybody:.4g} % of those who are located there, and "
                    f"{self.subjects.contradictions:g} % are tolerated ([judge] contradictions)", [each.name],
                    people, f"say what its values are with us: {each.mapping_values}",
                )
            )  # fmt: skip

    def _leave_out_the_suppressed(self, targets: exp.Table) -> None:
        """People who are in no release are not attacked, if they are as many as were suppressed at most."""
        columns = [exp.column(column, quoted=True) for column in self.presence.values()]
        nowhere = exp.not_(exp.or_(*columns))
        [(absent,)] = execute(self.con, count(targets).where(nowhere))
        if self.newest is not None:
            [newest] = [each for each in self.releases if each.name == self.newest]
            is_in = exp.column(self.presence[self.newest], quoted=True)
            # who has left is not in it, and is attacked because of earlier ones
            is_of_today = exp.column(self.everybody.id, quoted=True) <= self.everybody.present
            [(outside,)] = execute(self.con, count(targets).where(exp.not_(is_in), is_of_today))
            if newest.suppressed_rows is not None and outside > newest.suppressed_rows:
                self.doubts.append(
                    Doubt(
                        "located",
                        f"{outside:,} of those who are asked about are in no class of {self.newest} with "
                        f"their values, and {newest.suppressed_rows:,} were suppressed",
                        [self.newest], outside,
                        "see which labels nobody understands: sqlanon report",
                    )
                )  # fmt: skip
                return
        suppressed = sum(each.suppressed_rows or 0 for each in self.releases)
        if self.everybody.since is not None:  # these rows wait for their release
            [(waiting,)] = execute(self.con, count(table(self.everybody.since)))
            suppressed += waiting
        if self.newest is None and absent > suppressed:
            self.doubts.append(
                Doubt(
                    "located",
                    f"{absent:,} of those who are asked about are in no class of any release with their "
                    "values",
                    people=absent, remedy="ask about those who were released: leave the others out",
                )
            )  # fmt: skip
        if absent:
            rows = "people" if self.subjects.unit is None else "rows"
            self.remarks.append(f"{absent:,} {rows} are in no release: nothing is learned of them")
            [(everybody,)] = execute(self.con, count(targets))
            if absent < everybody:
                kept = select(targets).where(exp.or_(*(column.copy() for column in columns)))
                self.work.make("targets", kept)

    def doubt_leavers(self) -> None:
        """Rows of our own releases that are about nobody whom attacks look for."""
        for each in self.releases:
            if each.is_foreign or each.nearest or each.name == self.newest:
                continue
            if rows := self.everybody.rows_of_nobody(each):
                self.doubts.append(
                    Doubt(
                        "leavers",
                        f"{rows:,} rows of {each.name} are about nobody who is asked about: what the "
                        "releases tell of those who left is not known", [each.name], rows,
                        self._ask_leavers(each),
                    )
                )  # fmt: skip
            elif not each.are_leavers_seen and (left := self.everybody.left.get(each.name)) is None:
                self.doubts.append(
                    Doubt(
                        "leavers",
                        f"the people asked about are not those of when {each.name} went out: whoever has "
                        "left since is not seen if somebody of today could have their row",
                        [each.name], None, self._ask_leavers(each),
                    )
                )  # fmt: skip
            elif not each.are_leavers_seen and left:
                self.doubts.append(
                    Doubt(
                        "leavers",
                        f"{left:,} people have left since {each.name} went out: they are not seen if "
                        "somebody of today could have their row",
                        [each.name], left, self._ask_leavers(each),
                    )
                )  # fmt: skip

    def _ask_leavers(self, each: Released) -> str:
        """What would help."""
        kept = self.everybody.kept
        again = None if kept is None else kept.how_to_give(each.name)
        given = "" if again is None else f" by the table that {each.name} was made of ({again}), or"
        changing = lower(self.subjects.values_may_change)
        stay = ",".join(name for name in each.sensitive if name.lower() not in changing)
        visits = ""
        if again is None and self.subjects.who and stay and each.name not in self.everybody.kept_rows:
            visits = (
                "if people come again with new rows, as with claims and visits, say that values of "
                f"{stay} may change: --values-may-change {stay}; or else "
            )
        return (
            f"{visits}ask about those who left, too,{given} in releases to come if the register keeps people "
            f"(keep_people in the policy); {ACCEPT_LEAVERS}"
        )

    def doubt_spelling(self) -> None:
        """Columns whose words are others today than in a release of ours: the same people may be behind both,
        and are not found there."""
        for each in self.everybody.one_sided:
            if each.release == self.newest or each.release not in self.names:
                continue
            rows = self.everybody.rows_of(next(one for one in self.releases if one.name == each.release))
            are_many = SHARE * each.rows >= rows and SHARE * each.people >= self.everybody.present
            if not (each.respelled or are_many):
                continue
            before = [f'"{pair["before"]}"' for pair in each.respelled] or [f'"{one}"' for one in each.gone]
            today = [f'"{pair["today"]}"' for pair in each.respelled] or [f'"{one}"' for one in each.frequent]
            perhaps = ", ".join(f'"{gone}" = "{word}"?' for gone, word in each.pairs())
            self.doubts.append(
                Doubt(
                    "spelling",
                    f"{each.column} seems to be written otherwise than in {each.release}: {each.rows:,} "
                    f"rows there have {some(before, 'words')}, which nobody has today, and "
                    f"{each.people:,} rows of today have {some(today, 'others')}. If these are the same "
                    "people, nobody found them there",
                    [each.release], each.people, column=each.column, words=each.pairs(),
                    remedy=f"write {each.column} as before (in the query that makes the table), say which "
                    f"words are the same (publish --words {each.column}:THEN=TODAY"
                    f"{perhaps and f': {perhaps}'}), or if these are "
                    f"other people, accept it: --accept 'evidence.spelling:{each.column}=why'",
                )
            )  # fmt: skip

    def doubt_new_words(self) -> None:
        """Sensitive columns, and columns that join rows, of which many rows have other values than before."""
        changing = lower(self.subjects.values_may_change)
        people = {name.lower(): name for name in self.everybody.evidence.columns}
        for each in self.releases:
            if each.name == self.newest or each.is_foreign:
                continue
            have = column_names(self.con, each.table)
            today = None
            for column in self.everybody.sensitive:
                is_stated = column.lower() in people and column.lower() in lower(have) - changing
                if is_stated and column.lower() in texts_of(self.con, each.table):
                    today = today or self.everybody.of_today(each.name).name
                    self._doubt_words(each, column, each.table, today, "rows of today", 1)
            others = [one for one in self.releases if one.name != each.name]
            for column in self.everybody.evidence.unchanged:
                having = [one for one in others if has(self.con, one, [column])]
                if column.lower() in lower(have) - changing and having:
                    last = having[-1]
                    missing = last.suppressed_rows or 0, each.suppressed_rows or 0
                    whose = f"rows of {last.name}"
                    self._doubt_words(each, column, each.table, last.table, whose, FEW, missing)
        self._doubt_strangers()

    def _doubt_strangers(self) -> None:
        """Columns that leave unchanged, and share few values with an earlier one of their name, or none."""
        for column, names in self.everybody.evidence.strangers:
            if column.lower() in lower(self.subjects.values_may_change):
                continue
            self.doubts.append(
                Doubt(
                    "spelling",
                    f"{column} leaves unchanged in {', '.join(names)}, which have few values of it in "
                    "common, or none. If they are the same in another form (a time and its day, 12.34 and "
                    "12), whoever sees that joins the rows, and what this tells was not looked for",
                    names, column=column,
                    remedy=f"write {column} as before, or leave it out; or if the values are of other rows "
                    f"each time, say so: --values-may-change {column}; or accept it: --accept "
                    f"'evidence.spelling:{column}=why'",
                )
            )  # fmt: skip

    def _doubt_words(
        self, each: Released, column: str, then: str, today: str, whose: str, least: int,
        missing: tuple[int, int] = (-1, -1),
    ) -> None:  # fmt: skip
        """A doubt, if a tenth of the rows on both sides have values that the other side lacks. missing: how
        many rows were suppressed of today's, and of then, which may be just those."""
        query = call("_values_of_one_side", then, today, column, column, least, FREQUENT, least == FEW)
        [(gone, rows, fresh, people, rows_then, rows_today)] = execute(self.con, query)
        if not rows or not people or SHARE * rows < rows_then or SHARE * people < rows_today:
            return
        if rows <= missing[0] and people <= missing[1]:
            return
        shown = [
            some([f'"{value}"' for value in values or ()], what)
            for values, what in ((gone, "values"), (fresh, "others"))
        ]
        self.doubts.append(
            Doubt(
                "spelling",
                f"{column} seems to have other words than in {each.name}: {rows:,} rows there have "
                f"{shown[0]}, which nobody has today, and {people:,} {whose} have {shown[1]}. If these are "
                "the same ones, what the releases tell together was not found",
                [each.name], people, column=column,
                remedy=f"write {column} as before, say what its values are today (publish --words "
                f"{column}:THEN=TODAY), or if they have changed, accept it: --accept "
                f"'evidence.spelling:{column}=why'",
            )
        )  # fmt: skip

    def doubt_readings(self) -> None:
        """People who have other candidates by several releases if values that are spelled alike are one."""
        made = [INTERSECTION, "exact_cover"]
        attacks = made if self.attacks is None else [attack for attack in made if attack in self.attacks]
        for names, sensitive in self.groups(says_lacking=False).items():
            chosen = [each for each in self.releases if each.name in names]
            if not sensitive or len(chosen) < 2 or not attacks:
                continue
            known = self.known(chosen, sensitive)
            found = without(of_releases(self.con, self.work, known), self.subjects.distinct_spellings)
            if not found:
                continue
            before = self.everybody.before([*known.releases])
            people = max(
                people_who_differ(
                    self.con,
                    self.work,
                    known,
                    found,
                    exact_cover=attack == "exact_cover",
                    located_before=before,
                )
                for attack in attacks
            )
            if people:
                columns = [name for name in self.everybody.sensitive if name.lower() in lower(found)]
                self.doubts.append(
                    Doubt(
                        "spelling",
                        f"{examples_of(found)} are spelled alike: {people:,} "
                        f"{'people' if self.subjects.unit is None else 'rows'} have other candidates by "
                        f"{', '.join(known.releases)} if these are one value, and nobody has said whether "
                        "they are",
                        list(known.releases), people,
                        "say that they are the same in all files and releases: --fold "
                        f"{quote(','.join(columns))}; or that they are not: [requirements] "
                        f"distinct_spellings = {shown(columns)}",
                    )
                )  # fmt: skip

    def unclear_presence(self) -> dict[str, str]:
        """The releases that more people may be in, by their values, than were: by name, why that is so."""
        if not self.is_located:
            return {}
        columns = [exp.column(column, quoted=True) for column in self.presence.values()]
        possible = [exp.CountIf(this=column) for column in columns]
        [people] = execute(self.con, select(table(self.work.name("targets")), *possible))
        unclear = {}
        for each, may_be in zip(self.releases, people, strict=True):
            rows = self.everybody.rows_of(each)
            if may_be > rows - self.everybody.rows_of_nobody(each):
                unclear[each.name] = (
                    f"who is in {each.name} is not known: {may_be:,} of those who are asked about may be, "
                    f"and it has {rows:,} rows"
                )
        return unclear

    def outcomes(self, progress: Progress) -> Iterator[Outcome]:
        """Make the attacks, one after the other."""
        self.work.make("targets", select(table(self.everybody.table)))  # to be counted
        ensure_plugged(self.con)
        if self.attacks is None or self._are_on_targets(self.attacks):
            self.locate_targets()
        if self.as_recorded is None:
            yield from self._made(self._planned(), progress)
            return
        # whoever may be in a class by their values is taken for somebody who is there, which protects others
        again = [
            (known, [run for run in these if run.attack == "exact_cover" and len(run.releases) > 1])
            for known, these in self.as_recorded._planned()
        ]
        twice = {_about(run) for _, these in again for run in these}
        first: dict[tuple[tuple[str, ...], str | None], Outcome] = {}
        for outcome in self._made(self._planned(), lambda done, run: progress(done / 2, run)):
            if outcome.run.attack == "exact_cover" and _about(outcome.run) in twice:
                first[_about(outcome.run)] = outcome
            else:
                yield outcome
        for outcome in self.as_recorded._made(again, lambda done, run: progress((1 + done) / 2, run)):
            by_values = first[_about(outcome.run)]
            if outcome.reason is None and self._is_too_much(by_values) and not self._is_too_much(outcome):
                yield by_values
            else:
                self._surer.add(_about(outcome.run))
                yield outcome

    def _is_too_much(self, outcome: Outcome) -> bool:
        """Is more found than is tolerated, or is anybody certain where nothing is stated?"""
        bounds = {"certain": 0.0, **{
            key.partition(".")[2]: most for key, most in self.tolerated.items()
            if key.startswith(f"{outcome.run.attack}.")
        }}  # fmt: skip
        shares = ((id, value) for id, _, value, *_ in outcome.rows if value is not None)
        return any(value > bounds.get(id, value) for id, value in shares)

    def that_found(self, attack: str, releases: Sequence[str], sensitive: str | None) -> Attempt:
        """The attempt by which an attack on people found what it says: this one, or the one as recorded."""
        is_other = attack == "exact_cover" and (tuple(releases), sensitive) in self._surer
        return self.as_recorded if is_other and self.as_recorded is not None else self

    def supposing(self, pairs: Sequence[Pair], progress: Progress) -> list[Outcome]:
        """What attacks that join releases find if columns of two names are one. After `outcomes`."""
        other = copy(self)
        other.pairs, other.remarks, other.doubts = pairs, [], []
        planned = [
            (known, [run for run in these if _joins_rows(run.attack) and len(run.releases) > 1])
            for known, these in other._planned()
        ]
        return list(other._made(planned, progress))

    def _made(self, planned: Sequence[tuple[Known, list[Run]]], progress: Progress) -> Iterator[Outcome]:
        for i, (known, these) in enumerate(planned):

            def part(done: float, run: str, before: int = i) -> None:
                progress((before + done) / len(planned), run)

            try:
                made = outcomes_of(self.con, known, these, part, self.work, deadline=self.deadline)
            except KeyboardInterrupt:
                if self.deadline is None or not self.deadline.stop():
                    raise
                made = [late(run) for run in these if run.reason is None]
            for outcome in made:
                yield replace(outcome, reason=self.with_names(outcome.reason))
                self._remark_on_undecided(outcome)
                self._remark_of_rows_of_anybody(outcome)

    def _are_on_targets(self, attacks: Iterable[str]) -> bool:
        """Is one of these attacks on targets?"""
        # only those of others need the list of all macros, which takes as long as an attack on a few rows
        listed = call("_our_attacks" if our_attacks().keys() >= set(attacks) else "_attacks")
        on_targets = listed.where("targets is not null")
        named = {attack for (attack,) in execute(self.con, select(on_targets.subquery(), "attack"))}
        return not named.isdisjoint(attacks)

    def _remark_of_rows_of_anybody(self, outcome: Outcome) -> None:
        """Rows that show nothing cover everybody, and protect nobody whose row is known to be another one."""
        for id, _, share, *_ in outcome.rows:
            if id == "rows_covering_all":
                remark = (
                    f"{', '.join(outcome.run.releases)}: {share:.3g} % of the rows of a release have * in "
                    "every column, so that they may be anybody's; sure_90_unsuppressed is without them"
                )
                if remark not in self.remarks:
                    self.remarks.append(remark)

    def _remark_on_undecided(self, outcome: Outcome) -> None:
        """Of whom exact cover does not know whether they are certain by all classes together."""
        share = {id: value for id, _, value, *_ in outcome.rows}
        open_share = share.get("certain_upper", 0) - share.get("certain", 0)
        if outcome.run.attack == "exact_cover" and open_share > 0:
            people = round(share["subjects"] * open_share / 100)
            why = "these are too many, or what is known of them does not fit together"
            if not are_installed():
                why = f"it takes the extra tables to work that out: {INSTALL}"
            self.remarks.append(
                f"exact_cover of {', '.join(outcome.run.releases)}: of {people:,} people it is not known "
                f"whether all classes that they share with others leave them a second value ({why})"
            )

    def with_names(self, reason: str | None) -> str | None:
        """A reason that names releases by what they are called, not by their tables."""
        if reason is not None:
            for each in self.releases:
                reason = reason.replace(each.table, each.name)
        return reason

    def groups(self, says_lacking: bool = True) -> dict[tuple[str, ...], list[str]]:
        """The sensitive columns by the releases that have them. says_lacking: say which lack one."""
        groups: dict[tuple[str, ...], list[str]] = {tuple(self.presence): []}
        for column in self.everybody.sensitive:
            having = tuple(each.name for each in self.releases if has(self.con, each, [column]))
            if having:
                groups.setdefault(having, []).append(column)
            lacking = [each.name for each in self.releases if each.name not in having]
            self.remarks += [f"{name} does not have {column}" for name in lacking if says_lacking]
        return groups

    def _of_same_rows(self, run: Run) -> Run:
        """A run, moot where it is about rows that are in two releases, and no row is in two of ours."""
        ours = {each.name for each in self.releases if not each.is_foreign}
        if (
            not self.subjects.are_rows_new
            or run.attack not in OF_SAME_ROWS
            or not ours.issuperset(run.releases)
        ):
            return run
        return replace(run, is_moot=True, reason="no row is in two releases ([judge] new_rows)")

    def _planned(self) -> list[tuple[Known, list[Run]]]:
        """The attacks on each sensitive column, with the releases that have it, and those on none."""
        planned = []
        made_once: set[tuple[str, tuple[str, ...]]] = set()  # what needs no sensitive column is made once
        groups = self.groups()
        for names, sensitive in groups.items():
            known = self.known([each for each in self.releases if each.name in names], sensitive)
            these = []
            for planned_run in with_all_there_is(runs(self.con, known, self.attacks, self.max_targets)):
                run = self._of_same_rows(planned_run)
                if run.reason == "needs sensitive":
                    run = replace(run, reason="no column is sensitive ([roles] sensitive)")
                about = run.attack, tuple(run.releases)
                is_about_newest = self.newest is None or not run.releases or self.newest in run.releases
                is_made = run.sensitive is None and about in made_once
                is_elsewhere = run.reason is not None and not sensitive and bool(self.everybody.sensitive)
                if is_about_newest and not is_made and not is_elsewhere and run.attack not in self.idle:
                    these.append(run)
                    made_once.add(about)
            planned.append((known, these))
        for names, sensitive in groups.items():
            planned += [(known, these) for known, these in self._joined_with_others(names, sensitive)]
        return planned

    def _joined_with_others(
        self, names: Sequence[str], sensitive: Sequence[str]
    ) -> Iterator[tuple[Known, list[Run]]]:
        """The attacks on columns of some releases with others that lack them, and whose rows are joined with
        theirs by what both have."""
        chosen = self._joined_to(names)
        if not sensitive or len(chosen) == len(names):
            return
        known = self.known(chosen, sensitive)
        planned = runs(self.con, known, self.attacks, self.max_targets)
        is_about_newest = self.newest is None or self.newest in known.releases
        yield known, [
            run for run in with_all_there_is(planned)
            if is_about_newest and run.sensitive is not None and _takes_lacking(run.attack)
            and run.attack not in self.idle and len(run.releases) == len(chosen)
        ]  # fmt: skip

    def tells_nothing_of(self) -> list[str]:
        """The sensitive columns, if the newest release has none of them, and nothing that joins it to one
        that has."""
        if self.newest is None:
            return []
        groups = {names: columns for names, columns in self.groups().items() if columns}
        joined = (self.newest in {each.name for each in self._joined_to(names)} for names in groups)
        return [] if any(joined) else [name for columns in groups.values() for name in columns]

    def _joined_to(self, names: Sequence[str]) -> list[Released]:
        """Releases by their names, and all that are joined with them, directly or through others."""
        joining = lower(self._joining())
        have = {each.name: joining & lower(column_names(self.con, each.table)) for each in self.releases}
        found = {*names}
        seen = set[str]().union(*(have[name] for name in names))
        while further := {name for name in have if name not in found and have[name] & seen}:
            found |= further
            seen |= set[str]().union(*(have[name] for name in further))
        return [each for each in self.releases if each.name in found]

    def growth(self, progress: Progress) -> exp.Select:
        """What the first releases tell together, as far as each of them, of each sensitive column. Nothing is
        tolerated of it. Reads a work table."""
        self.locate_targets()
        made: list[Outcome] = []
        for column in self.everybody.sensitive:
            having = [each for each in self.releases if has(self.con, each, [column])]
            for last in range(1, len(having) + 1):
                known = self.known(having[:last], [column])
                planned = runs(self.con, known, ["intersection_attack"], self.max_targets)
                made += outcomes_of(self.con, known, planned, progress, self.work)
        return judged(self.con, made, {}, self.work)

    def counts(self) -> Counts:
        """How many people are where."""
        self.locate_targets()
        located, combinations = self.everybody.located_in(self.names)
        everybody, unit = self.everybody, self.subjects.unit
        about_people = everybody.table, everybody.id, everybody.qi, unit
        by_number = {
            number: about
            for number, *about in execute(
                self.con, call("_located_counts", located, combinations, *about_people)
            )
        }  # fmt: skip
        targets: exp.Expression = table(self.work.name("targets"))
        columns = [exp.column(column, quoted=True) for column in self.presence.values()]
        all_people: exp.Expression = table(everybody.table)
        if unit is not None:  # somebody is where one of their rows may be
            anywhere = [
                exp.Alias(
                    this=exp.LogicalOr(this=column.copy()), alias=exp.to_identifier(column.name, quoted=True)
                )
                for column in columns
            ]
            who = exp.column(unit, quoted=True)
            targets = select(targets, *anywhere).group_by(who.copy()).subquery("person")
            all_people = select(all_people, who).distinct().subquery("person")
        possible = [exp.CountIf(this=column.copy()) for column in columns]
        [[_, *present]] = execute(self.con, select(targets, exp.Count(this=exp.Star()), *possible))
        [(people,)] = execute(self.con, count(all_people))
        present_in = exp.array(*(exp.cast(column, "int") for column in columns))
        number = exp.Anonymous(this="list_sum", expressions=[present_in])
        in_so_many = select(targets, named(number, "number"), "count(*) as people")
        in_so_many = in_so_many.group_by("1").order_by("1")
        found = [(number, people) for number, people in execute(self.con, in_so_many)]
        left_out = people - sum(people for _, people in found)
        return Counts(
            people,
            [
                (each.name, *by_number.get(i, (0, None)), present[i - 1], each.name in self.everybody.unread)
                for i, each in enumerate(self.releases, 1)
            ],
            [(0, left_out), *found] if left_out else found,
            "rows of people" if unit is None else "people",
        )

    def known(self, chosen: Sequence[Released], sensitive: Sequence[str]) -> Known:
        """What an adversary has from some of the releases."""
        have = lower(self.everybody.evidence.columns) if not self.everybody.leavers else set()
        truth = [name for name in sensitive if name.lower() in have]
        return Known(
            {each.name: each.table for each in chosen},
            qi=self.everybody.qi,
            sensitive=sensitive,
            targets=self._targets_of(chosen),
            id=self.everybody.id,
            hierarchies=self.everybody.hierarchies,
            truth=truth if len(truth) == len(sensitive) else [],
            nearest=[each.nearest for each in chosen],
            presence=[self.presence[each.name] for each in chosen],
            unit=self.subjects.unit,
            unchanged=self._unchanged(chosen, sensitive),
            values_may_change=self._changing(chosen, sensitive),
            distinct_spellings=self.subjects.distinct_spellings,
            missing_counts=self.subjects.missing_counts,
            formats=formats_of(chosen),
            parameters={**self._joined(chosen), **self.parameters},
            located=self.everybody,
            history=self.everybody.history,
            as_of=self._as_of(chosen),
        )

    def _as_of(self, chosen: Sequence[Released]) -> dict[str, str]:
        """The targets by the quasi-identifiers that they had when a release went out, where these were
        others."""
        targets = self._targets_of(chosen)
        made = {}
        for each in chosen:
            number = self.releases.index(each)
            if then := self.everybody.as_of(each.name, targets, f"targets_then_{number}{self.suffix}"):
                made[each.name] = then
        return made

    def _targets_of(self, chosen: Sequence[Released]) -> str:
        """The targets who may be in some of the releases: of the others these tell nothing."""
        if (len(chosen) == len(self.releases) and not self.suffix) or not self.is_located:
            return self.work.name("targets")
        columns = [exp.column(self.presence[each.name], quoted=True) for each in chosen]
        purpose = "targets_in_" + "_".join(str(self.releases.index(each)) for each in chosen) + self.suffix
        people = select(table(self.work.name("targets"))).where(exp.or_(*columns))
        return self.work.make(purpose, people).name

    def _unchanged(self, chosen: Sequence[Released], sensitive: Sequence[str]) -> list[str]:
        """The columns by which rows of releases are joined, besides those that are learned."""
        have = set[str]().union(*(lower(column_names(self.con, each.table)) for each in chosen))
        return [name for name in self._of_several() if name.lower() in have - lower(sensitive)]

    def _of_several(self) -> list[str]:
        """The columns that releases leave unchanged, by which rows are joined if their values stay."""
        guessed = [alias for pair in self.pairs for alias in pair.aliases]
        return [*self.everybody.sensitive, *self.everybody.evidence.unchanged, *guessed]

    def _joining(self) -> list[str]:
        """The columns by which rows of several releases are joined: their values stay."""
        changing = lower(self.subjects.values_may_change)
        return [name for name in self._of_several() if name.lower() not in changing]

    def _changing(self, chosen: Sequence[Released], sensitive: Sequence[str]) -> list[str]:
        """The columns, sensitive or unchanged, that may have other values in another release."""
        changing = lower(self.subjects.values_may_change)
        return [
            name for name in [*sensitive, *self._unchanged(chosen, sensitive)] if name.lower() in changing
        ]

    def _joined(self, chosen: Sequence[Released]) -> dict[str, Any]:
        """By which columns rows of releases are joined, if nobody has said another: those that all of them
        tell unchanged."""
        have = [lower(column_names(self.con, each.table)) for each in chosen]
        joined = [name for name in self._joining() if all(name.lower() in of_each for of_each in have)]
        return {"complementary_release.join_columns": joined} if joined and len(chosen) > 1 else {}

    def attacked(self, attack: str, names: Sequence[str], sensitive: str, purpose: str) -> exp.Table:
        """What the intersection attack, or that by exact cover, on some of the releases finds of each person,
        as in _attacked; of a column that none of them has, nothing."""
        is_exact = attack == "exact_cover" or self.parameters.get("intersection_attack.exact_cover", False)
        if is_exact:
            register_possible_values(self.con)
        chosen = [each for each in self.releases if each.name in names]
        if not any(has(self.con, each, [sensitive]) for each in chosen):
            return self.work.make(f"attacked_{purpose}", call("_nothing_attacked"))
        known = self.known(chosen, [sensitive])
        located = self.everybody.before([each.name for each in chosen])
        query = attack_query(
            [*known.releases.values()], known.arguments(), exact_cover=is_exact,
            formats=dict(known.formats) or None, located_before=located,
        )  # fmt: skip
        return self.work.make(f"attacked_{purpose}", query)


def _about(run: Run) -> tuple[tuple[str, ...], str | None]:
    """What an attack on people was made on."""
    return tuple(run.releases), run.sensitive


def _takes_lacking(attack: str) -> bool:
    """Does an attack take releases that lack a column, and are joined by others?"""
    return "unchanged" in parameters(attack)


def _joins_rows(attack: str) -> bool:
    """Does an attack join rows of releases by columns?"""
    return _takes_lacking(attack) or "join_columns" in parameters(attack)
