"""Random nights in which everything changes, judged by gate, audit and report, against the oracle."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
import pytest

from tests.judge.nights import CERTAIN, FAILS, HOLDS, NOT_KNOWN, WRONG_USE, Judged, Nights, Row, report
from tests.judge.scenarios import (
    EVERY_KIND,
    Night,
    Others,
    Scenario,
    Step,
    everybody,
    only_right,
    right_answer,
    scenario,
)
from tests.oracles.judge import Answer

ALL = 300
QUICK = (79,)  # of the cheapest, which `python -m tests.judge.scenarios` prints


@dataclass(frozen=True)
class Said:
    """A verdict, and those that are right."""

    by: str
    made: Judged
    right: frozenset[str]
    answer: Answer

    @property
    def is_right(self) -> bool:
        """An error is as good as not known: nothing is out."""
        return (NOT_KNOWN if self.made.verdict == WRONG_USE else self.made.verdict) in self.right

    def __str__(self) -> str:
        told = self.answer
        lines = [
            f"{self.by} says {self.made}",
            f"right: {', '.join(sorted(self.right))}, of {len(told.people)} people",
            f"certain: {told.certain}, perhaps: {told.perhaps}",
            f"unseen: {[*told.unseen]}, doubts: {[*told.doubts]}",
        ]
        return "\n    ".join(lines)


@dataclass
class Play:
    """A scenario as it goes. rows: of our releases that are out. steps: those that could be made, so far.
    disagreements: between gate, audit and report."""

    nights: Nights
    scenario: Scenario
    rows: dict[str, list[dict[str, Any]]]
    steps: list[Step]
    said: list[Said]
    disagreements: list[str]

    def agree(self, by: str, one: Judged, other: Judged) -> None:
        """(The gate is about the columns of the new release.)"""
        told, of_audit = measures(one), measures(other)
        if (one.verdict, told) != (other.verdict, {column: of_audit.get(column) for column in told}):
            self.disagreements.append(f"{by}: {one.verdict}, {told}; the audit: {other.verdict}, {of_audit}")

    def go(self) -> None:
        last = self.scenario.nights[-1]
        gate = None
        for step in self.scenario.steps:
            if isinstance(step, Others):
                self.others(step)
            else:
                gate = self.night(step)
        if not self.rows:
            return
        audit = self.audit(last)
        if gate is not None and last.name in self.rows and self.asks_the_same(last):
            self.agree("the gate", gate, audit)
        if self.scenario.say_it_all and len(self.rows) == len(self.scenario.nights):
            self.report(last, audit)

    def others(self, step: Others) -> None:
        given = step.arguments()
        if hierarchies := step.hierarchies():
            given["hierarchies"] = self.nights.load("their_hierarchies", hierarchies)
        if self.nights.add(step.name, step.rows, **given).verdict == "entered":
            self.steps.append(step)

    def night(self, step: Night) -> Judged | None:
        """What the gate says; None where nothing can be made."""
        made = self.nights.publish(step.name, step.source(), step.policy())
        simulated = step.simulated()
        if not step.can_be_made:
            assert made.verdict == WRONG_USE
            return None
        is_out = made.verdict == HOLDS or (
            self.nights.publish(step.name, step.source(), step.policy(100)).verdict == HOLDS
        )
        if is_out:
            released = self.nights.released(step.name)
            assert simulated is None or as_bag(released) == as_bag(simulated)
            self.check("gate", made, step, {**self.rows, step.name: released})
            self.steps.append(step)
            self.rows[step.name] = released
        elif simulated is not None and (others := self.rows_with_its_masks(step)) is not None:
            self.check("gate", made, step, {**others, step.name: simulated})
        return made

    def rows_with_its_masks(self, step: Night) -> dict[str, list[dict[str, Any]]] | None:
        """The rows of what is out beside one that only is simulated, and has other pseudonyms than they."""
        rows = dict(self.rows)
        for night in self.steps:
            if step.is_masked and isinstance(night, Night) and night.is_masked:
                if (simulated := night.simulated()) is None:
                    return None
                rows[night.name] = simulated
        return rows

    def check(self, by: str, made: Judged, step: Night, rows: Mapping[str, list[dict[str, Any]]]) -> None:
        told = right_answer([*self.steps, step], rows)
        asked = len({record.person for record in step.records})
        self.said.append(
            Said(f"{by} of {step.name}", made, frozenset(told.allowed(step.most, [asked])), told)
        )

    def audit(self, last: Night) -> Judged:
        """Of everybody, with all columns by all names."""
        targets: list[Row] = []
        for record in everybody(self.steps):
            row = dict(record.values)
            for night in self.scenario.nights:
                row |= {called: record.values[column] for column, called in night.names.items()}
            targets.append(row)
        made = self.nights.audit(targets, last.policy())
        told = right_answer(self.steps, self.rows, is_audit=True)
        self.said.append(Said("audit", made, frozenset(told.allowed(last.most)), told))
        return made

    def asks_the_same(self, last: Night) -> bool:
        """Was everybody asked about on the last night, by the names and in the spelling of all others?"""
        ids = {record.id for record in last.records}
        of_all = {record.id for record in everybody(self.steps)}
        changed = any(night.names or night.spelling or night.lacks for night in self.scenario.nights)
        return ids == of_all and not changed

    def report(self, last: Night, audit: Judged) -> None:
        targets = [record.values for record in everybody(self.steps)]
        made = report(
            self.nights, [*self.rows], targets, last.qi, last.sensitive, {CERTAIN: last.most}, id="patient"
        )
        told = right_answer(self.steps, self.rows, is_audit=True)
        self.said.append(Said("report", made, frozenset(told.allowed(last.most)), told))
        if made.verdict != audit.verdict:
            self.disagreements.append(f"the report: {made.verdict}; the audit: {audit.verdict}")


def measures(made: Judged) -> dict[str, Any]:
    """How many percent are certain, by sensitive column."""
    columns = {row["sensitive"] for row in made.rows if row["id"] == "pvp_100"}
    return {column: made.measured(column) for column in columns}


def as_bag(rows: Sequence[Mapping[str, Any]]) -> Counter[tuple[Any, ...]]:
    """Rows in any order, without masks."""
    return Counter(
        tuple(sorted((column, str(value)) for column, value in row.items() if column != "ssn"))
        for row in rows
    )


@pytest.fixture
def nights(con: duckdb.DuckDBPyConnection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Nights:
    monkeypatch.setenv("SQLANON_KEY", "0123456789abcdef")
    return Nights(con, tmp_path)


@pytest.mark.slow("10 to 70 s a case", but=QUICK)
@pytest.mark.parametrize("seed", range(ALL))
def test_what_is_said_is_right(nights: Nights, seed: int) -> None:
    """Holds is never said where somebody is certain beyond the bound, fails never where nobody is, and not
    known only of what nobody can be sure about."""
    play = Play(nights, scenario(seed), {}, [], [], [])
    nights.say(f"scenario {seed}: {', '.join(sorted(play.scenario.kinds)) or 'nothing changes'}")
    play.go()
    assert play.said or not any(night.can_be_made for night in play.scenario.nights)
    wrong = [
        *(str(said) for said in play.said if not said.is_right),
        *play.disagreements,
    ]
    assert not wrong, "\n".join(wrong)


class TestTheScenarios:
    """What is not among them is not tried."""

    @pytest.mark.slow("nights of publishing")
    def test_of_all_of_them_each_often(self) -> None:
        made = [scenario(seed) for seed in range(ALL)]
        kinds = Counter(kind for each in made for kind in each.kinds)
        assert min(kinds[kind] for kind in EVERY_KIND) >= 5, kinds
        right = Counter(map(only_right, made))
        assert right[frozenset([HOLDS])] > ALL // 6
        assert right[frozenset([FAILS])] > ALL // 6
        assert right[frozenset([NOT_KNOWN])] >= 3
