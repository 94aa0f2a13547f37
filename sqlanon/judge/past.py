"""What published releases have given away already: people who are above a bound whether or not a new release
comes.

What is published cannot be taken back. So it can be accepted, once and by name. The acceptance is for these
people and the published releases, not for other people or later releases.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

import duckdb
from sqlglot import exp

from sqlanon.attack.possible_values import INSTALL, are_installed
from sqlanon.core.statements import call, execute, select
from sqlanon.judge.runs import Attempt

STEP = 0.01  # whoever was above a bound and is now surer by more than this was added
ACCEPT_PAST = 'what is out cannot be taken back: accept it once by --accept-past "why"'


@dataclass(frozen=True)
class Accepted:
    """An acceptance. releases: that were out; people: keyed hashes of who they are. by: who accepts it, if it
    is not the user; until: the last day on which it counts."""

    attack: str
    id: str
    sensitive: str | None
    releases: Sequence[str]
    people: frozenset[str]
    reason: str
    by: str | None = None
    until: date | None = None


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
    """What is compared, and what it shows.

    attempt: what is attacked; earlier: the releases that something was so with; acceptances: of people above
    a bound; hashed: makes keyed hashes of who people are; subjects: people, or rows, in a message. measured:
    the table of measures, once they are compared.
    rows: what is to be said of measures, as in _no_past. above: who was above a bound before, and is not
    accepted.
    """

    con: duckdb.DuckDBPyConnection
    attempt: Attempt
    earlier: Sequence[str]
    acceptances: Sequence[Accepted]
    hashed: Callable[[Mapping[str, str]], Mapping[str, str]] | None
    subjects: str
    rows: list[tuple[Any, ...]] = field(default_factory=list)
    above: list[AboveBefore] = field(default_factory=list)
    measured: str | None = None

    def added(self) -> set[str]:
        """Who is above a bound by the new release, by the numbers or units that they have here: of measures
        that are about people one by one."""
        found = set[str]()
        measures = (
            [] if self.measured is None else execute(self.con, call("_measures_by_person", self.measured))
        )
        for attack, id, releases, sensitive, *_ in measures:
            earlier = [each for each in releases if each in self.earlier]
            if len(earlier) < len(releases):
                attempt = self.attempt.that_found(attack, releases, sensitive)
                now = attempt.attacked(attack, releases, sensitive, "now")
                before = attempt.attacked(attack, earlier, sensitive, "before")
                above = call("_above_bound", now.name, before.name, id, STEP).subquery("above")
                people = select(above, "person").where("is_added", exp.column("sensitive").eq(sensitive))
                found |= {person for (person,) in execute(self.con, people)}
        return found

    @property
    def refused(self) -> int:
        """How many measures fail for nothing but what was so before."""
        return len(self.above)

    def compare(self, measured: exp.Table) -> None:
        """Look at people one by one, where a bound does not hold. measured: as in _judged_attacks."""
        self.measured = measured.name
        if not self.earlier:
            return
        runs: dict[tuple[str, tuple[str, ...], str], list[tuple[str, float | None, str]]] = {}
        for attack, id, releases, sensitive, most, verdict in execute(
            self.con, call("_measures_by_person", measured.name)
        ):
            if set(self.earlier) & set(releases) and not set(releases) <= set(self.earlier):
                runs.setdefault((attack, tuple(releases), sensitive), []).append((id, most, verdict))
        for (attack, releases, sensitive), measures in runs.items():
            earlier = [each for each in releases if each in self.earlier]
            self._compare(attack, releases, earlier, sensitive, measures)

    def _compare(
        self, attack: str, releases: Sequence[str], earlier: Sequence[str], sensitive: str,
        measures: Iterable[tuple[str, float | None, str]],
    ) -> None:  # fmt: skip
        attempt = self.attempt.that_found(attack, releases, sensitive)
        now = attempt.attacked(attack, releases, sensitive, "now")
        before = attempt.attacked(attack, earlier, sensitive, "before")
        people = "count(distinct coalesce(person::varchar, who::varchar))"
        [(subjects,)] = execute(self.con, select(now, people))
        for id, most, found in measures:
            rows = execute(self.con, call("_above_bound", now.name, before.name, id, STEP))
            [(were,)] = execute(self.con, call("_people_above", before.name, id, sensitive))
            share = 100 * were / subjects if subjects else 0.0
            if most is None:
                self.rows.append((attack, id, list(releases), sensitive, None, share, None, None))
                continue
            added = [person for person, _, _, is_added, _ in rows if is_added]
            others = [person for person, _, _, is_added, _ in rows if not is_added]
            perhaps = sum(1 for *_, is_added, is_open in rows if is_added and is_open)
            accepted, reason = self._accepted(attack, id, sensitive, others)
            left = [person for person in others if person not in accepted]
            verdict, said, remedy = found, "", None
            if added:
                said = f"{len(added) - perhaps:,} {self.subjects} by the new release"
                said += f", and perhaps {perhaps:,} more" if perhaps else ""
                said += f", {len(others):,} were so before"
            elif accepted and 100 * len(left) / subjects <= most + 1e-9:
                verdict = "holds"
                said = f"{len(accepted):,} were so before, which was accepted: {reason}"
            else:
                said = f"all {len(others):,} were so before: the new release adds nobody"
                remedy = ACCEPT_PAST
                self.above.append(AboveBefore(attack, id, sensitive, list(earlier), left))
            if attack == "exact_cover" and verdict == "not known" and not are_installed():
                remedy = f"install what works out who they are: {INSTALL}"
            self.rows.append((attack, id, list(releases), sensitive, verdict, share, said, remedy))

    def _accepted(self, attack: str, id: str, sensitive: str, people: Sequence[str]) -> tuple[set[str], str]:
        """The people among these of whom it was accepted that they are above a bound, and why."""
        measure = (attack, id, sensitive)
        acceptances = [each for each in self.acceptances if (each.attack, each.id, each.sensitive) == measure]
        if not acceptances or self.hashed is None or not people:
            return set(), ""
        hashes = self.hashed(self.attempt.everybody.identities(people))
        known = frozenset().union(*(each.people for each in acceptances))
        reasons = dict.fromkeys(each.reason for each in acceptances)
        return {person for person in people if hashes[person] in known}, "; ".join(reasons)
