"""What was so before: people who are above a bound whether or not a new release comes.

What is out cannot be taken back. So it can be accepted, once and by name: the acceptance is for these people
and the releases that are out, for nobody else and nothing that comes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from sqlanon.core.statements import call, execute, select

if TYPE_CHECKING:
    from sqlanon.judge.verdicts import Judge

STEP = 0.01  # whoever was above a bound and is now surer by more than this was added


@dataclass(frozen=True)
class Accepted:
    """An acceptance. releases: that were out; people: keyed hashes of who they are."""

    attack: str
    id: str
    sensitive: str | None
    releases: Sequence[str]
    people: frozenset[str]
    reason: str


@dataclass(frozen=True)
class AboveBefore:
    """People above the bound of a measure without the new release, by the numbers that they have here."""

    attack: str
    id: str
    sensitive: str
    releases: Sequence[str]
    people: Sequence[str]


@dataclass
class Past:
    """rows: what is to be said of measures, as of _no_past. above: who was above a bound before, and is not
    accepted."""

    rows: list[tuple[Any, ...]] = field(default_factory=list)
    above: list[AboveBefore] = field(default_factory=list)

    @property
    def refused(self) -> int:
        """How many measures fail for nothing but what was so before."""
        return len(self.above)

    @classmethod
    def of(cls, judge: Judge, measured: exp.Table) -> Past:
        """Look at people one by one, where a bound does not hold. measured: as of _judged_attacks."""
        past = cls()
        earlier = _earlier(judge)
        if not earlier:
            return past
        measures_by_person = execute(judge.con, call("_measures_by_person", measured.name))
        runs: dict[tuple[str, tuple[str, ...], str], list[tuple[str, float | None, str]]] = {}
        for attack, id, releases, sensitive, most, verdict in measures_by_person:
            if set(earlier) & set(releases) and not set(releases) <= set(earlier):
                runs.setdefault((attack, tuple(releases), sensitive), []).append((id, most, verdict))
        for (attack, releases, sensitive), measures in runs.items():
            past._compare(
                judge, attack, releases, [each for each in releases if each in earlier], sensitive, measures
            )
        return past

    def _compare(
        self, judge: Judge, attack: str, releases: Sequence[str], earlier: Sequence[str], sensitive: str,
        measures: Iterable[tuple[str, float | None, str]],
    ) -> None:  # fmt: skip
        attempt = judge.attempt
        now = attempt.attacked(attack, releases, sensitive, "now")
        before = attempt.attacked(attack, earlier, sensitive, "before")
        [(subjects,)] = execute(
            judge.con, select(now, "count(distinct coalesce(person::varchar, who::varchar))")
        )
        for id, most, found in measures:
            rows = execute(judge.con, call("_above_bound", now.name, before.name, id, STEP))
            [(were,)] = execute(judge.con, call("_people_above", before.name, id, sensitive))
            share = 100 * were / subjects if subjects else 0.0
            if most is None:
                self.rows.append((attack, id, list(releases), sensitive, None, share, None, None))
                continue
            added = [person for person, _, _, is_added in rows if is_added]
            others = [person for person, _, _, is_added in rows if not is_added]
            accepted, reason = _accepted(judge, attack, id, sensitive, others)
            left = [person for person in others if person not in accepted]
            rows_or_people = "people" if judge.asked.unit is None else "of them"
            verdict, said, remedy = found, "", None
            if added:
                said = f"{len(added):,} {rows_or_people} by the new release, {len(others):,} were so before"
                remedy = "hold their rows back, ask for a larger k or for composed_l, or coarsen a column"
            elif 100 * len(left) / subjects <= most + 1e-9:
                verdict = "holds"
                said = f"{len(accepted):,} were so before, which was accepted: {reason}"
            else:
                said = f"all {len(others):,} were so before: the new release adds nobody"
                remedy = 'what is out cannot be taken back: accept it once by --accept-past "why"'
                self.above.append(AboveBefore(attack, id, sensitive, list(earlier), left))
            self.rows.append((attack, id, list(releases), sensitive, verdict, share, said, remedy))


def _earlier(judge: Judge) -> list[str]:
    """The releases that something was so with: those that were out before the newest or, where all are
    judged, those that somebody has accepted."""
    names = [each.name for each in judge.releases]
    if judge.newest is not None:
        return [name for name in names if name != judge.newest]
    covered = [list(each.releases) for each in judge.accepted_past if set(each.releases) <= set(names)]
    return max(covered, key=len, default=[])


def _accepted(
    judge: Judge, attack: str, id: str, sensitive: str, people: Sequence[str]
) -> tuple[set[str], str]:
    """Those of some people who were accepted to be above a bound, and why."""
    acceptances = [
        each for each in judge.accepted_past
        if (each.attack, each.id, each.sensitive) == (attack, id, sensitive)
    ]  # fmt: skip
    if not acceptances or judge.hashed is None or not people:
        return set(), ""
    hashes: Mapping[str, str] = judge.hashed(judge.attempt.everybody.identities(people))
    known = frozenset().union(*(each.people for each in acceptances))
    reasons = dict.fromkeys(each.reason for each in acceptances)
    return {person for person in people if hashes[person] in known}, "; ".join(reasons)
