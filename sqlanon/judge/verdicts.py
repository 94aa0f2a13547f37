"""The verdict: holds, fails or not known, on everything that is published and everybody whom the judge looks
for."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import duckdb
from sqlglot import exp

from sqlanon.attack.all_attacks import LATE, Outcome, check_tolerated, judged, with_levels
from sqlanon.core.comments import attacks as our_attacks
from sqlanon.core.comments import parameters
from sqlanon.core.deadline import Deadline
from sqlanon.core.errors import RefusedError
from sqlanon.core.files import column_names
from sqlanon.core.plugins import ensure_plugged
from sqlanon.core.release import Progress
from sqlanon.core.source import fresh_name, lower
from sqlanon.core.statements import call, count, create, execute, literal, named_table, select, table
from sqlanon.core.tables import WorkTables
from sqlanon.judge.evidence import Doubt, Evidence, Kept, Released, Subjects
from sqlanon.judge.joins import Pair, lines_of_policy
from sqlanon.judge.past import Accepted, Past
from sqlanon.judge.people import Everybody
from sqlanon.judge.runs import Attempt
from sqlanon.judge.together import Comparison
from sqlanon.measure.leaving import Leaving

HOLDS, FAILS, NOT_KNOWN = "holds", "fails", "not known"
IN_THE_WAY = "verdict in ('fails', 'not known') and accepted is null"  # of a release
TIME = "time"  # of the doubt that nobody can accept: anything may have been found then
WORDS = ("words that are written otherwise", "values that are called otherwise")
STEPS = (
    "values that are spelled alike", "people who left", "what was so before", "columns of two names",
    "sensitive columns that were known", "values that may change, and have not",
)  # fmt: skip


@dataclass(frozen=True)
class Judgement:
    """What the judge says. verdict: holds, fails or not known. said: the name of a temporary table, as in
    _said_by_judge. reasons: why it does not hold, in words; remarks: what else there was to say. past: the
    people who were above a bound without the new release, whom nobody has accepted yet. words: by release and
    column, words of then with those of today that may mean the same."""

    con: duckdb.DuckDBPyConnection
    verdict: str
    said: str
    reasons: Sequence[str]
    remarks: Sequence[str]
    past: Past | None = None
    words: Mapping[str, Mapping[str, Mapping[str, str]]] = field(default_factory=dict)

    @property
    def is_past(self) -> bool:
        """Does it not hold for nothing but what was so before?"""
        return self.past is not None and bool(self.past.above) and self._failing == self.past.refused

    @property
    def _failing(self) -> int:
        """How many rows do not hold, and are not accepted."""
        of_doubt = "verdict in ('fails', 'not known') and accepted is null"
        [(rows,)] = execute(self.con, count(named_table(self.said)).where(of_doubt))
        return int(rows)


@dataclass
class Judge:
    """Everything that a verdict depends on.

    subjects: the people; releases: what is out. newest: the release that it is about, None for all of them.
    tolerated: the most of a measure, by attack.measure. attacks: only these. accepted: reasons by attack.id,
    for what is not known; accepted_past: the people who were accepted to be above a bound; hashed: what makes
    keyed hashes of who they are. seconds: after so many since it began (time.monotonic), what was not found
    out is not known. all_attacks: make those, too, of which anything is tolerated. doubts: what the caller
    knows not to be known. kept: what a register keeps about people who were attacked before: those who have
    left are attacked, too, and movers are seen. columns: what leaves with the newest release. words_first: is
    it refused before any attack, if words may have changed?
    """

    con: duckdb.DuckDBPyConnection
    work: WorkTables
    subjects: Subjects
    releases: Sequence[Released]
    tolerated: Mapping[str, float]
    newest: str | None = None
    attacks: Iterable[str] | None = None
    parameters: Mapping[str, Any] = field(default_factory=dict)
    max_targets: int | None = None
    accepted: Mapping[str, str] = field(default_factory=dict)
    accepted_past: Sequence[Accepted] = ()
    hashed: Callable[[Mapping[str, str]], Mapping[str, str]] | None = None
    seconds: float | None = None
    began: float = field(default_factory=time.monotonic)
    all_attacks: bool = False
    remarks: list[str] = field(default_factory=list)
    doubts: list[Doubt] = field(default_factory=list)
    kept: Kept | None = None
    columns: Sequence[Leaving] = ()
    comparisons: Sequence[Comparison] = ()
    words_first: bool = False

    def __post_init__(self) -> None:
        self._evidence = Evidence(self.con, self.work, self.subjects, self.releases, self.kept)
        self.subjects = self._evidence.subjects
        self.doubts += self._evidence.doubts
        for each in self.comparisons:
            self.remarks += each.remarks

    @cached_property
    def attempt(self) -> Attempt:
        """What is attacked. (To locate everybody takes time.)"""
        everybody = Everybody(
            self.con, self.work, self._evidence, self.remarks, newest=self.newest, kept=self.kept
        )  # fmt: skip
        self.doubts += everybody.doubts
        return Attempt(
            everybody, [each.name for each in self.releases], self.newest, self.attacks,
            with_levels(self.parameters, self.tolerated), self.max_targets, self.remarks, self.doubts,
            idle=self._idle, tolerated=self.tolerated,
        )  # fmt: skip

    @cached_property
    def _idle(self) -> list[str]:
        """Attacks that are not made, as no verdict depends on them."""
        if self.all_attacks or self.attacks is not None or not self.tolerated:
            return []
        decide_nothing = call("_attacks_that_decide_nothing", dict(self.tolerated))
        return sorted(attack for (attack,) in execute(self.con, select(decide_nothing.subquery(), "attack")))

    def judgement(self, progress: Progress) -> Judgement:
        """Make all attacks, and judge what they find. Errors: RefusedError for words that come first."""
        outcomes: list[Outcome] = []
        past = None
        left = [*WORDS, "the attacks", *STEPS]  # to be looked at
        with Deadline(self.con, self.seconds, self.began) as deadline:
            self.attempt.deadline = deadline
            for what, look in zip(WORDS, (self.attempt.doubt_spelling, self.attempt.doubt_new_words),
                                  strict=True):  # fmt: skip
                look()
                left.remove(what)
            if self.words_first and self._words:
                about = [doubt.reason for doubt in self.doubts if doubt.words]
                raise RefusedError(about, "", self.remarks, NOT_KNOWN, self._words)
            outcomes += self.attempt.outcomes(progress)
            left.remove("the attacks")
            measured = self.work.make("judged", judged(self.con, outcomes, self.tolerated, self.work))
            past = Past(
                self.con, self.attempt, self._earlier(), self.accepted_past, self.hashed,
                "people" if self.subjects.unit is None else "of them",
            )  # fmt: skip
            for what, step in zip(STEPS, self._steps(measured, past, progress), strict=True):
                if deadline.has_passed:
                    break
                step()
                left.remove(what)
        if deadline.has_passed:
            unfinished = [*(str(outcome.run) for outcome in outcomes if outcome.reason == LATE), *left]
            self.doubts.append(too_late(self.seconds, unfinished))
            measured = self.work.make("judged", judged(self.con, outcomes, self.tolerated, self.work))
        self._doubt_what_was_not_made(outcomes, deadline.has_passed)
        return self._said(measured, past)

    def _steps(self, measured: exp.Table, past: Past, progress: Progress) -> list[Callable[[], None]]:
        """What is looked at after the attacks, as STEPS calls it."""
        attempt = self.attempt
        return [
            attempt.doubt_readings, attempt.doubt_leavers,
            lambda: past.compare(measured),
            lambda: self._doubt_pairs(measured, progress),
            lambda: self._doubt_roles(measured, progress),
            lambda: self._doubt_changes(measured, progress),
        ]  # fmt: skip

    def _earlier(self) -> list[str]:
        """The releases that something was so with: those that were out before the newest or, where all are
        judged, those that somebody has accepted."""
        names = [each.name for each in self.releases]
        if self.newest is not None:
            return [name for name in names if name != self.newest]
        covered = [list(each.releases) for each in self.accepted_past if set(each.releases) <= set(names)]
        return max(covered, key=len, default=[])

    def _doubt_what_was_not_made(self, outcomes: Sequence[Outcome], is_late: bool) -> None:
        for outcome in outcomes:
            if outcome.finds_nobody:
                self.doubts.append(
                    Doubt("located", f"{outcome.run}: nobody is located", list(outcome.run.releases))
                )
        made = {outcome.run.attack for outcome in outcomes}
        if self._idle:
            self.remarks.append(
                f"not made, as anything is tolerated of them: {', '.join(self._idle)} (--all-attacks, or "
                "all_attacks in Python, makes them)"
            )
        # who is where may not have been found out in time
        untouched = [] if is_late else self.attempt.tells_nothing_of()
        for key in self.tolerated:
            attack = key.partition(".")[0]
            if attack in made or attack in self._idle:
                continue
            if untouched and "sensitive" in parameters(attack):
                self.remarks.append(f"{key}: {self.newest} tells nothing of {', '.join(untouched)}")
            else:
                self.doubts.append(Doubt("attacks", f"{key}: not made"))

    def _doubt_pairs(self, measured: exp.Table, progress: Progress) -> None:
        """Columns of two names: what is found only if they are one is not known."""
        pairs = self._evidence.pairs
        if not pairs or not self._found_by(pairs, measured, progress):
            return
        alone = [pair for pair in pairs if len(pairs) > 1 and self._found_by([pair], measured, progress)]
        finding = alone or pairs
        found = self._found_by(finding, measured, progress)
        same, different = lines_of_policy(finding)
        self.doubts.append(
            Doubt(
                "columns",
                f"{'; '.join(map(str, finding))}. If that is one column under two names, {found}, which is "
                "not tolerated",
                list(dict.fromkeys(name for pair in finding for name in pair.releases)),
                remedy=f"say which it is in the policy: [judge] {same}, or {different}",
            )
        )  # fmt: skip

    def _doubt_roles(self, measured: exp.Table, progress: Progress) -> None:
        """Sensitive columns that were quasi-identifiers: what those find who know them is not known."""
        known_before = self._evidence.known_before
        if not known_before:
            return
        names = lower(known_before)
        subjects = replace(
            self.subjects, qi=[*self.subjects.qi, *known_before],
            sensitive=[name for name in self.subjects.sensitive if name.lower() not in names],
        )  # fmt: skip
        found, unclear = self._found_supposing(subjects, measured, progress)
        if found or unclear:
            listed = ", ".join(known_before)
            known_by = list(dict.fromkeys(name for names in known_before.values() for name in names))
            learned = f"to those who know it {found}" if found else "; ".join(unclear)
            self.doubts.append(
                Doubt(
                    "roles",
                    f"{listed} is sensitive, and a quasi-identifier of {', '.join(known_by)}: {learned}",
                    known_by,
                    remedy=f"make {listed} a quasi-identifier, if others know it",
                )
            )  # fmt: skip

    def _doubt_changes(self, measured: exp.Table, progress: Progress) -> None:
        """Values that may change, of which most have not: what is found only if they stay is not known."""
        kept = self.attempt.everybody.kept_rows
        may_change = lower(self.subjects.values_may_change)
        changing = [name for name in self._evidence.sensitive if name.lower() in may_change]
        if not kept or not changing:
            return
        subjects = replace(self.subjects, values_may_change=[])
        found, _ = self._found_supposing(subjects, measured, progress)
        if not found:
            return
        columns = ", ".join(changing)
        say = (
            f"say that they stay: take {columns} out of values_may_change ([judge]); or if these are other "
            "rows that happen to be alike, accept it: --accept evidence.values='why'"
        )
        if self.subjects.are_rows_new:
            [rows, every] = next(iter(kept.values()))
            self.doubts.append(
                Doubt(
                    "values",
                    f"values of {columns} may change, and {rows:,} of {every:,} people with several rows "
                    f"have one value in all of them: if it stays, {found}, which is not tolerated",
                    [*kept], rows, say,
                )
            )  # fmt: skip
            return
        for release, (rows, every) in kept.items():
            self.doubts.append(
                Doubt(
                    "values",
                    f"values of {columns} may change, and {rows:,} of {every:,} rows of {release} of people "
                    f"who are still there are as they were: if they stay, {found}, which is not tolerated",
                    [release], rows, say,
                )
            )  # fmt: skip

    def _found_supposing(
        self, subjects: Subjects, measured: exp.Table, progress: Progress
    ) -> tuple[str, list[str]]:
        """What does not hold if others are attacked, or in another way, and holds without; and what is not
        known then. measured: as in _judged_attacks, without that."""
        with WorkTables(self.con) as work:
            other = replace(self, work=work, subjects=subjects, remarks=[], doubts=[])
            outcomes = list(other.attempt.outcomes(progress))
            made = work.make("supposed", judged(self.con, outcomes, self.tolerated, work))
            found = _in_words(execute(self.con, call("_found_by_supposing", made.name, measured.name)))
            return found, [doubt.reason for doubt in other.doubts if doubt not in self.doubts]

    def _found_by(self, pairs: Sequence[Pair], measured: exp.Table, progress: Progress) -> str:
        """What does not hold if these columns are one, and holds without; in words, or nothing. measured: as
        of _judged_attacks, without them."""
        supposed = self.attempt.supposing(pairs, progress)
        made = self.work.make("supposed", judged(self.con, supposed, self.tolerated, self.work))
        return _in_words(execute(self.con, call("_found_by_supposing", made.name, measured.name)))

    def _relevant(self) -> list[Doubt]:
        """Doubts that could matter: where everything about people is tolerated, what is not known of them may
        be anything."""
        about_people = [
            most for key, most in self.tolerated.items() if key.partition(".")[2][:4] in ABOUT_PEOPLE
        ]
        if about_people and all(most >= 100 for most in about_people):
            # what was not looked at in time may be an attack of which nothing is stated
            self.remarks += [doubt.reason for doubt in self.doubts if doubt.id != TIME]
            return [doubt for doubt in self.doubts if doubt.id == TIME]
        return self.doubts

    def _said(self, measured: exp.Table, past: Past | None) -> Judgement:
        insert_comparisons(self.con, measured, self.comparisons)
        unclear = dict[str, str]()
        for about, releases, sensitive in execute(self.con, call("_supposing_who_is_there", measured.name)):
            why = self.attempt.that_found("exact_cover", releases, sensitive).unclear_presence()
            if sentences := [why[release] for release in releases if release in why]:
                unclear[about] = "; ".join(sentences)
        made = said_of(
            self.con, self.work, measured,
            [*self._relevant(), *(doubt for each in self.comparisons for doubt in each.doubts)],
            [
                *(() if past is None else past.rows),
                *(row for each in self.comparisons for row in each.answer(None)),
            ],
            self.accepted,
            [(self.newest or "", each) for each in self.columns],
            unclear,
        )  # fmt: skip
        otherwise = HOLDS if self._idle else NOT_KNOWN
        [(verdict,)] = execute(self.con, call("_verdict_on_all", made.name, otherwise=otherwise))
        reasons = reasons_of(self.con, made)
        return Judgement(self.con, verdict, made.name, reasons, self.remarks, past, self._words)

    @property
    def _words(self) -> dict[str, dict[str, dict[str, str]]]:
        """By release and column the words of then, with those of today that may mean the same."""
        words: dict[str, dict[str, dict[str, str]]] = {}
        for doubt in self.doubts:
            if doubt.words and doubt.column is not None:
                words.setdefault(doubt.releases[0], {})[doubt.column] = dict(doubt.words)
        return words


def _in_words(found: Iterable[Sequence[Any]]) -> str:
    """Measures, as in _found_by_supposing."""
    return ", ".join(
        f"{attack}.{id} of {sensitive or ', '.join(releases)} is {value:.4g} {unit or ''}".rstrip()
        for attack, id, sensitive, releases, value, unit in found
    )


def insert_comparisons(
    con: duckdb.DuckDBPyConnection, measured: exp.Table, comparisons: Iterable[Comparison]
) -> None:
    """Have what tables tell together judged with the rest. measured: as in _judged_attacks."""
    for each in comparisons:
        if each.judged is not None:
            rows = select(named_table(each.judged))
            columns = column_names(con, each.judged)
            execute(con, exp.insert(rows, measured, columns=columns))


def said_of(
    con: duckdb.DuckDBPyConnection,
    work: WorkTables,
    measured: exp.Table,
    doubts: Iterable[Doubt],
    past: Sequence[Sequence[Any]],
    accepted: Mapping[str, str],
    columns: Sequence[tuple[str, Leaving]] = (),
    unclear: Mapping[str, str] | None = None,
) -> exp.Table:
    """A temporary table of all that is said, as in _said_by_judge. measured: as in _judged_attacks; past: as
    of _no_past; columns: of releases, what leaves; unclear: of a run (_about_what), why nobody can tell who
    is in its releases.
    """
    each_once = {(each.id, each.reason): each for each in doubts}.values()
    of_doubts = [
        (
            "evidence", each.id, list(each.releases), each.people, NOT_KNOWN, each.reason, each.remedy,
            each.column,
        )
        for each in each_once
    ]  # fmt: skip
    of_columns = [
        ("columns", each.column, [release], None, each.verdict,
         f"{each.column} leaves {each.reason}" if each.reason.startswith(each.how)
         else f"{each.column} leaves {each.how}: {each.reason}",
         None if each.holds else f"{each.ways} or say in [direct] why it may", each.column)
        for release, each in columns
    ]  # fmt: skip
    unknown = _relation(con, work, "doubts", "_no_doubts", [*of_doubts, *of_columns])
    answers = _relation(con, work, "past", "_no_past", past)
    made = table(fresh_name("verdicts"))
    accepted = {key: why for key, why in accepted.items() if key.partition(":")[0] != f"evidence.{TIME}"}
    query = call("_said_by_judge", measured.name, answers.name, unknown.name, accepted, dict(unclear or {}))
    execute(con, create(made, query, temporary=True))
    return made


def too_late(seconds: float | None, unfinished: Iterable[str]) -> Doubt:
    """What was not looked at in time. unfinished: the names of this."""
    named = "; ".join(dict.fromkeys(unfinished))
    return Doubt(
        TIME, f"after {seconds:g} seconds not everything was looked at: {named}",
        remedy="give it more time, or attack fewer people (max_targets)",
    )  # fmt: skip


ABOUT_PEOPLE = ("sure", "pvp_", "cert", "lear")  # how the ids of measures begin that are about people


def _relation(
    con: duckdb.DuckDBPyConnection, work: WorkTables, purpose: str, empty: str, rows: Sequence[Sequence[Any]]
) -> exp.Table:
    """A work table of rows. empty: the macro that gives it without any."""
    made = work.make(purpose, call(empty))
    if rows:
        tuples = [exp.Tuple(expressions=[literal(value) for value in row]) for row in rows]
        execute(con, exp.insert(exp.Values(expressions=tuples), made))
    return made


def check_bounds(
    con: duckdb.DuckDBPyConnection, tolerated: Mapping[str, float], attacks: Iterable[str] | None = None
) -> None:
    """Errors: UseError for bounds on no attack that is to be made."""
    listed = set(our_attacks())
    if any(key.partition(".")[0] not in listed for key in tolerated):  # one of others: that takes longer
        ensure_plugged(con)
        listed = {attack for (attack, *_) in execute(con, call("_attacks"))}
    check_tolerated(tolerated, listed if attacks is None else listed & set(attacks))


def reasons_of(con: duckdb.DuckDBPyConnection, said: exp.Table) -> list[str]:
    """Why it does not hold, a sentence each. said: as in _said_by_judge."""
    rows = execute(
        con,
        select(
            said, "attack", "id", "releases", "sensitive", "value", "high", "sampled", "unit", "people",
            "before",
            "tolerated", "verdict", "reason", "remedy",
        ).where(IN_THE_WAY),
    )  # fmt: skip
    return [_sentence(dict(zip(rows.columns, row, strict=True))) for row in rows]


def _sentence(row: Mapping[str, Any]) -> str:
    way = f". {row['remedy'][0].upper()}{row['remedy'][1:]}" if row["remedy"] else ""
    if row["attack"] in ("evidence", "columns"):
        return f"{row['verdict']}: {row['reason']}{way}"
    of = f" of {row['sensitive']}" if row["sensitive"] else ""
    about = f"{row['attack']}.{row['id']}{of} on {', '.join(row['releases']) or 'them'}"
    if row["value"] is None:
        found = "nobody knows"
    else:
        unit = row["unit"] or ""
        found = f"{row['value']:.4g} {unit}".rstrip()
        if unit == "cells" and row["value"] == 1:
            found = "one cell"
        if row["people"] is not None:
            found = f"{row['people']:,} ({found})"
        if row["sampled"] and row["high"] is not None:
            found += f", up to {row['high']:.4g}"
        if row["before"] is not None:
            found += f", without the new release {row['before']:.4g}"
    most = "nothing is stated" if row["tolerated"] is None else f"{row['tolerated']:.4g} is tolerated"
    why = f" ({row['reason']})" if row["reason"] else ""
    return f"{row['verdict']}: {about}: {found}; {most}{why}{way}"
