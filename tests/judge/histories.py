"""Random histories: a few people over two or three nights, in files that spell, type and name things anew.

`python -m tests.judge.histories SEED` prints one, and who is certain after it.
"""

from __future__ import annotations

import itertools
import random
import sys
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from tests.judge.nights import CERTAIN, policy
from tests.oracles import histories as oracle

DAYS = ("monday", "tuesday", "wednesday")
DISEASES = ("flu", "gout", "Ménière")
WARDS = ("north-east", "south", "west")
QI: Mapping[str, Sequence[Any]] = {"zip": ("a", "b"), "sex": ("f", "m"), "age": (20, 60)}
# What a column is in a source, by how it may be declared there: the same value in each.
TYPES: Mapping[str, Sequence[str]] = {"bed": ("integer", "double"), "seen": ("date", "timestamp")}
KINDS = frozenset(
    (
        "movers", "leavers", "newcomers", "another name", "another type", "spellings",
        "a column of one night", "other roles", "suppression", "other quasi-identifiers",
        "three nights", "nothing",
    )
)  # fmt: skip
# What nobody can settle but the publisher: then not known is as good an answer as any.
AMBIGUOUS = frozenset(("movers", "leavers", "newcomers", "another name", "spellings"))


def spellings(value: str) -> list[str]:
    """How a file may write a value."""
    return [
        value + " ", "\u00a0" + value, value.upper(), value.replace("-", "\u2013"),
        unicodedata.normalize("NFD", value), value.capitalize(), value.replace("é", "e").replace("è", "e"),
    ]  # fmt: skip


@dataclass(frozen=True)
class Night:
    """A table and how it leaves. people: who is in it, with their quasi-identifiers of that night. names,
    types: of columns, where these are not the usual ones. written: of sensitive columns, how their values are
    written."""

    name: str
    people: Mapping[int, Mapping[str, Any]]
    qi: Sequence[str]
    sensitive: Sequence[str]
    keep: Sequence[str]
    suppresses: bool
    names: Mapping[str, str] = field(default_factory=dict)
    types: Mapping[str, str] = field(default_factory=dict)
    written: Mapping[tuple[str, str], str] = field(default_factory=dict)

    def called(self, column: str) -> str:
        return self.names.get(column, column)

    def is_masked(self) -> bool:
        return "ssn" in self.keep

    @property
    def columns(self) -> list[str]:
        """Of the source, whatever leaves of it."""
        return ["person", *QI, "disease", "ward", *TYPES, "ssn"]

    def type_of(self, column: str) -> str:
        return self.types.get(column, TYPES.get(column, ("integer" if column == "age" else "varchar",))[0])

    def table(self) -> str:
        """The statement that makes the source."""
        columns = ", ".join(f'"{self.called(each)}" {self.type_of(each)}' for each in self.columns)
        return f'create or replace table "of_{self.name}" ({columns})'

    def rows(self) -> list[list[Any]]:
        return [
            [self.written.get((each, str(values[each])), values[each]) for each in self.columns]
            for values in self.people.values()
        ]

    def policy(self) -> str:
        text = policy(
            self.qi,
            [self.called(each) for each in self.sensitive],
            keep=[self.called(each) for each in self.keep if each != "ssn"],
            unit="person",
            masks={self.called("ssn"): {"method": "hash"}} if self.is_masked() else {},
            levels=dict.fromkeys(self.qi, 0),
            method={"suppression_limit": 0.9} if self.suppresses else {},
            tolerated={CERTAIN: 0},
            k=2 if self.suppresses else 1,
        )
        direct = "".join(f'{self.called(each)} = "a test"\n' for each in (*self.sensitive, *self.keep))
        return f"{text}\n[direct]\n{direct}"

    def out(self) -> oracle.Out:
        """What leaves: values by what they are, columns by what they truly are."""
        labels: dict[oracle.Person, oracle.Label] = {
            person: tuple(str(values[each]) for each in self.qi) for person, values in self.people.items()
        }
        sizes = Counter(labels.values())
        rows: dict[oracle.Label, list[oracle.Facts]] = defaultdict(list)
        for person, values in self.people.items():
            if not self.suppresses or sizes[labels[person]] > 1:
                said = frozenset((each, str(values[each])) for each in (*self.sensitive, *self.keep))
                rows[labels[person]].append(said)
        return oracle.Out(labels, rows)


@dataclass(frozen=True)
class History:
    seed: int
    nights: Sequence[Night]
    kinds: frozenset[str]

    @property
    def is_ambiguous(self) -> bool:
        return bool(self.kinds & AMBIGUOUS)

    def certain(self, nights: int) -> dict[str, set[Any]]:
        """Who is, after so many of the nights, of a column that is sensitive on one of them."""
        out = self.nights[:nights]
        columns = sorted({column for night in out for column in night.sensitive})
        return oracle.certain([night.out() for night in out], columns)

    def __str__(self) -> str:
        lines = [f"history {self.seed}: {', '.join(sorted(self.kinds))}"]
        for night in self.nights:
            lines.append(f"{night.name}: {night.table()}")
            lines += ["    " + ", ".join(map(str, row)) for row in night.rows()]
            lines += ["  " + line for line in night.policy().splitlines() if line]
        return "\n".join(lines)


def history(seed: int) -> History:
    """One of them, the same for a seed: nobody is certain after its first night."""
    attempts = (_history(seed, attempt) for attempt in itertools.count())
    return next(made for made in attempts if not any(made.certain(1).values()))


def _history(seed: int, attempt: int) -> History:
    draw = random.Random(1000 * seed + attempt)
    happens = {kind for kind in sorted(KINDS - {"nothing"}) if draw.random() < 0.22}
    if draw.random() < 0.35:  # so that there are enough of which nothing is ambiguous
        happens -= AMBIGUOUS
    days = DAYS[: 3 if "three nights" in happens else 2]
    number = draw.randrange(5, 9)
    everybody = {
        i: {
            "person": f"p{i}", **{column: draw.choice(values) for column, values in QI.items()},
            "disease": draw.choice(DISEASES), "ward": draw.choice(WARDS), "bed": draw.randrange(1, 4),
            "seen": date(2026, 1, draw.randrange(1, 4)), "ssn": f"s{seed}-{i}",
        }
        for i in range(number + 2)
    }  # fmt: skip
    present = [*range(number)]
    others = [each for each in ("ward", "bed", "seen") if draw.random() < 0.5]
    qi = draw.sample(list(QI), draw.choice((1, 2)))
    sensitive = ["disease"]
    keep = [each for each in others if each != "ward" or draw.random() < 0.5]
    sensitive += ["ward"] if "ward" in others and "ward" not in keep else []
    keep += ["ssn"] if draw.random() < 0.25 or "another name" in happens else []
    nights: list[Night] = []
    for day in days:
        if nights:
            if "leavers" in happens:
                present.remove(draw.choice(present))
            if "newcomers" in happens:
                present.append(next(i for i in everybody if i not in present))
            if "movers" in happens:
                column = draw.choice(list(QI))
                for mover in draw.sample(present, 2):
                    values = QI[column]
                    moved = values[1 - values.index(everybody[mover][column])]
                    everybody[mover] = {**everybody[mover], column: moved}
            if "other quasi-identifiers" in happens:
                qi = draw.sample(list(QI), draw.choice((1, 2)))
            if "other roles" in happens:
                both = [each for each in (*sensitive, *keep) if each not in ("disease", "ssn")]
                sensitive = ["disease", *(each for each in both if draw.random() < 0.5)]
                keep = [each for each in both if each not in sensitive] + (["ssn"] if "ssn" in keep else [])
            if "a column of one night" in happens and len(sensitive) + len(keep) > 1:
                gone = draw.choice([*sensitive, *keep])
                sensitive, keep = ([c for c in group if c != gone] for group in (sensitive, keep))
                sensitive = sensitive or keep[:1]
                keep = [each for each in keep if each not in sensitive]
                if sensitive == ["ssn"]:
                    sensitive, keep = ["disease"], ["ssn"]
        nights.append(
            Night(
                day,
                {i: dict(everybody[i]) for i in present},
                list(qi),
                list(sensitive),
                list(keep),
                "suppression" in happens,
                {"ssn": "nr"} if "another name" in happens and nights and "ssn" in keep else {},
                {c: draw.choice(types) for c, types in TYPES.items()} if "another type" in happens else {},
                {
                    (column, value): draw.choice(spellings(value))
                    for column, values in (("disease", DISEASES), ("ward", WARDS))
                    for value in values
                    if "spellings" in happens and draw.random() < 0.4
                },
            )
        )
    return History(seed, nights, frozenset(happens or {"nothing"}))


if __name__ == "__main__":
    asked = history(int(sys.argv[1]))
    print(asked)
    for so_many in range(1, len(asked.nights) + 1):
        print(f"after {so_many}: {asked.certain(so_many)}")
