"""Random nights in which everything changes between two releases, and what is right to say of them.

A scenario is what a publisher and others do, step by step, with few people and few values, so that the oracle
can try all worlds. Columns have one name for all nights (`age`); what they are called on one of them
(`alter`) is said by the night.
"""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from tests.judge.nights import CERTAIN, policy
from tests.oracles.judge import Answer, Record, Release, Row, answer, text

Groups: TypeAlias = Mapping[Any, str]  # value -> what it is released as at level 1

QI: Mapping[str, Sequence[Any]] = {"age": (20, 21, 60, 61), "sex": ("f", "m"), "zip": ("a", "b", "c")}
DISEASES, DRUGS, WARDS = ("flu", "gout", "cancer"), ("x1", "x2"), ("east", "west", "north")
OTHER_NAMES = {"age": "alter", "disease": "diagnosis"}
MASK = "masked ssn"
DAYS = ("monday", "tuesday", "wednesday")
EVERY_KIND = frozenset(
    (
        "other quasi-identifiers", "other hierarchies", "a label of two meanings", "another name",
        "another spelling", "a column is gone", "kept columns", "a mask", "leavers", "newcomers", "units",
        "suppression", "two sensitive columns", "missing values", "mondrian", "three nights",
        "others: their names", "others: mapped names", "others: their spelling", "others: mapped values",
        "others: their labels", "others: their hierarchies", "other people", "only labels that say it all",
    )
)  # fmt: skip


@dataclass(frozen=True)
class Night:
    """A release of ours. groups: of each column that has a hierarchy, whose second level is *. suppresses:
    may rows go? names: of columns that are called otherwise. spelling: of values of the sensitive columns.
    lacks: columns that the source does not have.
    """

    name: str
    records: Sequence[Record]
    qi: Sequence[str]
    groups: Mapping[str, Groups]
    levels: Mapping[str, int]
    sensitive: Sequence[str]
    keep: Sequence[str]
    is_masked: bool
    method: str
    suppresses: bool
    unit: bool
    most: float
    names: Mapping[str, str] = field(default_factory=dict)
    spelling: Mapping[Any, Any] = field(default_factory=dict)
    lacks: Sequence[str] = ()

    def called(self, column: str) -> str:
        return self.names.get(column, column)

    def source(self) -> list[Row]:
        """The table of the night."""
        return [
            {
                self.called(column): self.spelling.get(value, value) if column in self.sensitive else value
                for column, value in record.values.items()
                if column not in self.lacks
            }
            for record in self.records
        ]

    def policy(self, most: float | None = None) -> str:
        generalizes = self.method == "generalize"
        method: dict[str, Any] = {"suppression_limit": 0.5} if self.suppresses else {}
        return policy(
            [self.called(column) for column in self.qi],
            [self.called(column) for column in self.sensitive],
            keep=self.keep,
            unit="patient" if self.unit else None,
            masks={"ssn": {"method": "hash"}} if self.is_masked else {},
            hierarchies={
                self.called(column): {value: [label, "*"] for value, label in labels.items()}
                for column, labels in self.groups.items()
            },
            levels={self.called(c): level for c, level in self.levels.items()} if generalizes else None,
            method=method,
            tolerated={CERTAIN: self.most if most is None else most},
            k=2 if self.suppresses or not generalizes else 1,
        )

    def release(self, rows: Sequence[Row]) -> Release:
        """The same with what is out of it."""
        unchanged = {self.called(c): c for c in (*self.sensitive, *self.keep)}
        unchanged |= {"ssn": MASK} if self.is_masked else {}
        hierarchies = {
            column: {text(value): [label] for value, label in labels.items()}
            for column, labels in self.groups.items()
        }
        qi = {self.called(column): column for column in self.qi}
        return Release(self.name, rows, qi, unchanged, self.sensitive, hierarchies)

    def simulated(self) -> list[dict[str, Any]] | None:
        """The rows of the release, in which a mask is what it masks; None where the method decides more."""
        if self.method != "generalize":
            return None
        rows = [
            {
                **{self.called(c): self._label(c, record.values[c]) for c in self.qi},
                **{c: row[c] for c in (*map(self.called, self.sensitive), *self.keep)},
                **({"ssn": record.values["ssn"]} if self.is_masked else {}),
            }
            for record, row in zip(self.records, self.source(), strict=True)
        ]
        if not self.suppresses:
            return rows
        classes = [tuple(row[self.called(c)] for c in self.qi) for row in rows]
        people: dict[tuple[Any, ...], set[Any]] = {}
        for record, labels in zip(self.records, classes, strict=True):
            people.setdefault(labels, set()).add(record.person)
        return [row for row, labels in zip(rows, classes, strict=True) if len(people[labels]) > 1]

    @property
    def can_be_made(self) -> bool:
        """Do as many rows stay as must?"""
        rows = self.simulated()
        return rows is None or 2 * len(rows) >= len(self.records)

    def _label(self, column: str, value: Any) -> str | None:
        level = self.levels.get(column, 0)
        return text(value) if level == 0 else self.groups[column][value] if level == 1 else "*"


@dataclass(frozen=True)
class Others:
    """A release of others. qi, unchanged: its columns -> ours, truly. knows_names, knows_values,
    knows_labels: are we told? people: the records that are in it."""

    name: str
    records: Sequence[Record]
    rows: Sequence[Row]
    qi: Mapping[str, str]
    unchanged: Mapping[str, str]
    groups: Mapping[str, Groups]
    values: Mapping[str, Mapping[Any, Any]]
    knows_names: bool
    knows_values: bool
    knows_labels: bool

    def arguments(self) -> dict[str, Any]:
        """What add_release is given, but for hierarchies."""
        told: dict[str, Any] = {"qi": list(self.qi), "sensitive": list(self.unchanged)}
        if self.knows_names:
            told = {"qi": dict(self.qi), "sensitive": dict(self.unchanged)}
        if self.knows_values and self.values:
            told["values"] = {column: dict(values) for column, values in self.values.items()}
        return told

    def hierarchies(self) -> list[Row]:
        """Those of theirs that we are told of, by our names, in the form of a table."""
        if not self.knows_labels:
            return []
        return [
            {"attribute": column, "value": text(value), "level": level, "label": label}
            for column, labels in self.groups.items()
            for value, above in labels.items()
            for level, label in enumerate([text(value), above])
        ]

    def release(self) -> Release:
        """With as much as we are told."""
        names = {column: self.qi[column] if self.knows_names else column for column in self.qi}
        unchanged = {c: self.unchanged[c] if self.knows_names else c for c in self.unchanged}
        return Release(
            self.name, self.rows, names, unchanged, list(unchanged.values()),
            {c: {text(v): [label] for v, label in labels.items()} for c, labels in self.groups.items()}
            if self.knows_labels else {},
            self.values if self.knows_values else {}, is_ours=False,
        )  # fmt: skip


Step: TypeAlias = Night | Others


@dataclass(frozen=True)
class Scenario:
    seed: int
    steps: Sequence[Step]
    kinds: frozenset[str]

    @property
    def nights(self) -> list[Night]:
        return [step for step in self.steps if isinstance(step, Night)]

    @property
    def say_it_all(self) -> bool:
        """Can everything be read without descriptions, and is everybody in every release?"""
        return "only labels that say it all" in self.kinds


# WHAT IS RIGHT


def everybody(steps: Sequence[Step]) -> list[Record]:
    """All records of our sources, once each, with all of their columns."""
    return list({r.id: r for night in steps if isinstance(night, Night) for r in night.records}.values())


def known_by(steps: Sequence[Step]) -> list[Record]:
    """The same with what the sources say of them, in the spelling of the last one."""
    known: dict[Any, Record] = {}
    for night in steps:
        if not isinstance(night, Night):
            continue
        for record in night.records:
            values = {
                column: night.spelling.get(value, value) if column in night.sensitive else value
                for column, value in record.values.items()
                if column not in night.lacks
            }
            before = known[record.id].values if record.id in known else {}
            known[record.id] = replace(record, values={**before, **values})
    return list(known.values())


def right_answer(
    steps: Sequence[Step], rows: Mapping[str, Sequence[Row]], *, is_audit: bool = False
) -> Answer:
    """What is right once the last step has been asked for. rows: of our releases, by their names; the others
    of ours are not out. is_audit: are the targets everybody, with all columns of all nights?"""
    out = [step for step in steps if isinstance(step, Others) or step.name in rows]
    releases = [s.release() if isinstance(s, Others) else s.release(rows[s.name]) for s in out]
    nights = [step for step in out if isinstance(step, Night)]
    sources = nights if is_audit else nights[-1:]
    columns = {column for night in sources for row in night.source() for column in row}
    unseen = []
    for night in nights:
        lacking = {*map(night.called, (*night.qi, *night.sensitive))} - columns
        unseen += [f"{night.name}: {', '.join(sorted(lacking))} is not in the source"] if lacking else []
    for column in ("disease", "drug"):  # nobody says that two names are of one column
        names = {night.called(column) for night in nights if column in night.sensitive}
        unseen += [f"{', '.join(sorted(names))}: is that the same?"] if len(names) > 1 else []
    for step, told in zip(out, releases, strict=True):
        if isinstance(step, Others):
            strange = {*told.qi.values(), *told.unchanged.values()} - columns
            unseen += [f"{step.name}: {', '.join(sorted(strange))} is not ours"] if strange else []
    sensitive = sorted({column for night in nights for column in night.sensitive})
    truly_in = {
        step.name: {record.id for record in step.records}
        for step in out
        if isinstance(step, Others) or not step.suppresses
    }
    asked = everybody(nights) if is_audit else known_by(nights)
    asked = [replace(r, values={c: v for c, v in r.values.items() if c != "ssn"}) for r in asked]
    by_table = {record.id for record in (asked if is_audit else nights[-1].records)}
    others = [night.name for night in nights if {record.id for record in night.records} != by_table]
    doubts = [f"{name}: people were other ones, and nobody has kept who" for name in others]
    return answer(asked, releases, sensitive, truly_in, unseen, doubts, by_table)


def simulated(scenario: Scenario) -> Answer | None:
    """The same of all steps, without a database; None where that cannot be told so."""
    rows = {night.name: night.simulated() for night in scenario.nights}
    if None in rows.values() or not all(night.can_be_made for night in scenario.nights):
        return None
    return right_answer(scenario.steps, {name: made for name, made in rows.items() if made})


# DRAWING


def scenario(seed: int) -> Scenario:
    """The scenario with this number."""
    chance = random.Random(seed)
    return _Drawing(seed, chance).scenario()


@dataclass
class _Drawing:
    seed: int
    chance: random.Random

    def happens(self, probability: float) -> bool:
        return self.chance.random() < probability

    def scenario(self) -> Scenario:
        say_it_all = self.happens(0.2)
        has_units = not say_it_all and self.happens(0.12)
        people = self.people(has_units, has_missing=not say_it_all and self.happens(0.1))
        number = 3 if self.happens(0.25) else 2
        changing = not say_it_all and self.happens(0.35)
        steps: list[Step] = []
        first = self.night(DAYS[0], people, has_units, say_it_all)
        if changing and len(people) > 3:  # somebody comes later
            first = replace(first, records=[r for r in people if r.person != people[-1].person])
        steps.append(first)
        for name in DAYS[1:number]:
            steps.append(self.next_night(name, people, first, say_it_all, changing))
        if not say_it_all and self.happens(0.35):
            steps.insert(self.chance.randrange(len(steps)), self.others(people))
        last = max(i for i, step in enumerate(steps) if isinstance(step, Night))
        steps = [
            replace(step, most=self.bound(i == last)) if isinstance(step, Night) else step
            for i, step in enumerate(steps)
        ]
        kinds = kinds_of(steps) | ({"only labels that say it all"} if say_it_all else set())
        return Scenario(self.seed, steps, frozenset(kinds))

    def bound(self, is_last: bool) -> float:
        if is_last:
            return self.chance.choice([0, 0, 0, 0, 0, 0, 20, 50, 100])
        return self.chance.choice([0, 100, 100])

    def people(self, has_units: bool, has_missing: bool) -> list[Record]:
        made = []
        for i in range(self.chance.choice([3, 4, 5, 5, 6, 6])):
            values: dict[str, Any] = {column: self.chance.choice(domain) for column, domain in QI.items()}
            values |= {
                "disease": DISEASES[i] if i < 3 else self.chance.choice(DISEASES),
                "drug": self.chance.choice(DRUGS),
                "ward": self.chance.choice(WARDS), "ssn": f"s{i}", "patient": f"p{i}",
            }  # fmt: skip
            if has_missing and i == 1:
                values[self.chance.choice(["sex", "disease"])] = None
            made.append(Record(f"r{i}", f"p{i}", values))
        if has_units:  # one of them has two rows
            again = {**made[0].values, "disease": self.chance.choice(DISEASES), "ssn": "s9"}
            made.append(Record("r9", "p0", again))
        return made

    def night(self, name: str, people: Sequence[Record], has_units: bool, say_it_all: bool = False) -> Night:
        qi = sorted(self.chance.sample(sorted(QI), self.chance.choice([1, 1, 2])))
        sensitive = ["disease", "drug"] if self.happens(0.25) and not say_it_all else ["disease"]
        by_mondrian = not has_units and not say_it_all and self.happens(0.08)
        missing = {c for c in QI if any(record.values[c] is None for record in people)}
        grouped = [] if by_mondrian else [column for column in qi if column not in missing]
        groups = {column: self.groups(column, says_it=say_it_all or self.happens(0.4)) for column in grouped}
        levels = {column: self.chance.choice([0, 1, 1, 1, 1, 1, 2, 2, 2]) for column in grouped}
        return Night(
            name, people, qi, groups, levels, sensitive,
            keep=["ward"] if not say_it_all and self.happens(0.15) else [],
            is_masked=not say_it_all and self.happens(0.12),
            method="mondrian" if by_mondrian else "generalize",
            suppresses=not (say_it_all or by_mondrian or has_units) and self.happens(0.12),
            unit=has_units, most=100,
        )  # fmt: skip

    def next_night(
        self, name: str, people: Sequence[Record], before: Night, say_it_all: bool, changing: bool
    ) -> Night:
        drawn = self.night(name, people, before.unit, say_it_all)
        if say_it_all:
            return replace(
                drawn, qi=before.qi, sensitive=before.sensitive,
                groups={column: self.groups(column, says_it=True) for column in before.qi},
                levels={column: self.chance.choice([1, 1, 2]) for column in before.qi},
            )  # fmt: skip
        if drawn.method == "generalize" and before.method == "generalize" and self.happens(0.4):
            labels = {column: self.groups(column, says_it=False) for column in before.groups}
            drawn = replace(drawn, qi=before.qi, levels=before.levels, groups=labels)
        if self.happens(0.6):  # so that what tells most in nights of the same columns is tried, too
            drawn = replace(drawn, sensitive=before.sensitive, keep=before.keep, is_masked=before.is_masked)
        if changing and self.happens(0.6):
            gone = self.chance.choice(people[:-1]).person
            drawn = replace(drawn, records=[r for r in people if r.person != gone])
        if self.happens(0.08):
            column = self.chance.choice(sorted(OTHER_NAMES))
            drawn = replace(drawn, names={column: OTHER_NAMES[column]})
        if self.happens(0.08):
            drawn = replace(drawn, spelling={value: value.capitalize() for value in DISEASES[:2]})
        if self.happens(0.1) and (unused := [column for column in QI if column not in drawn.qi]):
            drawn = replace(drawn, lacks=[self.chance.choice(unused)])
        return drawn

    def groups(self, column: str, says_it: bool) -> Groups:
        """Two groups of the values, or one; says_it: what these are is what their labels say."""
        domain = QI[column]
        ways = [set(some) for n in range(1, len(domain)) for some in itertools.combinations(domain, n)]
        ways = [some for some in ways if domain[0] in some]
        even = [some for some in ways if 2 * len(some) == len(domain)]
        chosen = self.chance.choice(even if even and self.happens(0.7) else ways)
        halves = [[v for v in domain if v in chosen], [v for v in domain if v not in chosen]]
        if says_it:
            labels = [_label_of(half, domain) for half in halves]
        else:
            labels = ["young", "old"] if column == "age" else ["this", "that"]
            self.chance.shuffle(labels)
        return {value: label for half, label in zip(halves, labels, strict=True) for value in half}

    def others(self, people: Sequence[Record]) -> Others:
        qi = self.chance.sample(["age", "zip"], self.chance.choice([1, 1, 2]))
        names = self.happens(0.4)
        spelled = self.happens(0.4)
        says_it = self.happens(0.6)
        groups = {column: self.groups(column, says_it) for column in qi}
        theirs = {c: OTHER_NAMES.get(c, c) if names else c for c in (*qi, "disease")}
        values = {value: value.upper() for value in DISEASES} if spelled else {}
        there = self.chance.sample(list(people), max(2, len(people) - self.chance.choice([0, 0, 1])))
        rows: list[Row] = [
            {
                **{theirs[column]: groups[column].get(r.values[column], "*") for column in qi},
                theirs["disease"]: values.get(r.values["disease"], r.values["disease"]),
            }
            for r in there
        ]
        if self.happens(0.3):  # somebody of whom we know nothing
            rows.append({**self.chance.choice(rows), theirs["disease"]: values.get("flu", "flu")})
        return Others(
            "theirs", there, rows, {theirs[column]: column for column in qi},
            {theirs["disease"]: "disease"}, {} if says_it else groups,
            {"disease": {spelling: value for value, spelling in values.items()}} if spelled else {},
            knows_names=not names or self.happens(0.6), knows_values=not spelled or self.happens(0.6),
            knows_labels=says_it or self.happens(0.6),
        )  # fmt: skip


def _label_of(values: Sequence[Any], domain: Sequence[Any]) -> str:
    """An interval if no other value is in it, or a set."""
    if isinstance(values[0], int):
        low, high = min(values), max(values)
        if [v for v in domain if low <= v <= high] == list(values):
            return f"[{low}, {high}]"
    return f"{{{', '.join(map(str, values))}}}" if len(values) > 1 else str(values[0])


def kinds_of(steps: Sequence[Step]) -> set[str]:
    """What changes between these releases."""
    nights = [step for step in steps if isinstance(step, Night)]
    pairs = list(itertools.pairwise(nights))
    found = set()

    def note(kind: str, is_there: bool) -> None:
        if is_there:
            found.add(kind)

    note("other quasi-identifiers", any(one.qi != other.qi for one, other in pairs))
    both = [
        (one.groups[c], other.groups[c])
        for one, other in pairs
        for c in {*one.groups} & {*other.groups}
        if one.levels[c] == other.levels[c] == 1
    ]
    note("other hierarchies", any(one != other for one, other in both))
    note("a label of two meanings", any(_differ_in_meaning(one, other) for one, other in both))
    note("another name", any(one.names != other.names for one, other in pairs))
    note("another spelling", any(one.spelling != other.spelling for one, other in pairs))
    note("a column is gone", any(other.lacks for _, other in pairs))
    note("kept columns", any(one.keep and other.keep for one, other in pairs))
    note("a mask", any(one.is_masked and other.is_masked for one, other in pairs))
    people = [({r.id for r in one.records}, {r.id for r in other.records}) for one, other in pairs]
    note("leavers", any(one - other for one, other in people))
    note("newcomers", any(other - one for one, other in people))
    note("units", any(max(Counter(r.person for r in night.records).values()) > 1 for night in nights))
    note("suppression", any(len(night.simulated() or night.records) < len(night.records) for night in nights))
    note("two sensitive columns", sum(len(night.sensitive) > 1 for night in nights) > 1)
    note("missing values", any(None in row.values() for night in nights for row in night.source()))
    note("mondrian", any(night.method == "mondrian" for night in nights))
    note("three nights", len(nights) > 2)
    for step in steps:
        if isinstance(step, Others):
            renames = any(column != ours for column, ours in {**step.qi, **step.unchanged}.items())
            note("others: mapped names" if step.knows_names else "others: their names", renames)
            note(
                "others: mapped values" if step.knows_values else "others: their spelling", bool(step.values)
            )
            note(
                "others: their hierarchies" if step.knows_labels else "others: their labels",
                bool(step.groups),
            )
            note("other people", len(step.rows) > len(step.records))
    return found


def _differ_in_meaning(one: Groups, other: Groups) -> bool:
    def meanings(groups: Groups) -> dict[str, set[Any]]:
        return {label: {v for v, its in groups.items() if its == label} for label in groups.values()}

    return any(
        values != meanings(other)[label]
        for label, values in meanings(one).items()
        if label in meanings(other)
    )


def only_right(scenario: Scenario) -> frozenset[str]:
    """The verdicts that are right of the last night of ours, if that can be told without a database."""
    told = simulated(scenario)
    return frozenset() if told is None else frozenset(told.allowed(scenario.nights[-1].most))


def chosen(number: int, of: int) -> list[int]:
    """So few scenarios in which every kind of change occurs, and every verdict is the only right one."""
    wanted: Counter[str] = Counter()
    traits = {}
    for seed in range(of):
        each = scenario(seed)
        right = only_right(each)
        traits[seed] = {*each.kinds, *(f"only {v}" for v in right if len(right) == 1)}
    made: list[int] = []
    while len(made) < number:
        best = max(traits, key=lambda seed: (sum(0.3 ** wanted[t] for t in traits[seed]), -seed))
        wanted.update(traits.pop(best))
        made.append(best)
    return sorted(made)


if __name__ == "__main__":  # writes what tests/judge/test_random_nights.py has
    print(chosen(20, 300))
