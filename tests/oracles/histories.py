"""Who is certain after several nights, for an adversary who knows everybody and reads values as people do.

The adversary knows who was in the table of each night and what their quasi-identifiers were then, so also
whose rows were suppressed. Rows of two nights can be of one person if the columns that both have agree, by
what these columns truly are, whatever they are called, which type they have and how they spell a value.
Found by trying every way to give each person of a night a row of their class: slow, for a few people.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

Person: TypeAlias = Hashable
Label: TypeAlias = tuple[str, ...]
Facts: TypeAlias = frozenset[tuple[str, str]]  # what a row says, by what its columns truly are
Taken: TypeAlias = tuple[int, Label, Facts]  # a row like this of a class of a night
Way: TypeAlias = tuple[tuple[Taken, ...], Facts]  # the rows of one person, and what they say together


@dataclass(frozen=True)
class Out:
    """A night that is out. labels: of everybody who was in its table; rows: of each class, what they say."""

    labels: Mapping[Person, Label]
    rows: Mapping[Label, Sequence[Facts]]


def certain(nights: Sequence[Out], columns: Sequence[str]) -> dict[str, set[Person]]:
    """The people who have the same value of a column in all worlds."""
    possible = _possible(nights)
    found: dict[str, set[Person]] = defaultdict(set)
    for person, ways in possible.items():
        for column in columns:
            values = {value for way in ways for name, value in way if name == column}
            if len(values) == 1 and all(any(name == column for name, _ in way) for way in ways):
                found[column].add(person)
    return found


def _possible(nights: Sequence[Out]) -> dict[Person, set[Facts]]:
    """Of each person all that their rows can say together in some world."""
    people = sorted({person for night in nights for person in night.labels}, key=str)
    ways = {person: _ways(person, nights) for person in people}
    rows: dict[Taken, int] = defaultdict(int)
    for number, night in enumerate(nights):
        for label, said in night.rows.items():
            for row in said:
                rows[number, label, row] += 1
    found: dict[Person, set[Facts]] = defaultdict(set)
    for person in people:
        for way in ways[person]:
            if way[1] in found[person]:
                continue
            others = [[way], *(ways[other] for other in people if other != person)]
            if _fits(sorted(others, key=len), rows):
                found[person].add(way[1])
    return found


def _ways(person: Person, nights: Sequence[Out]) -> list[Way]:
    """The rows that one person can have in all nights: they agree on what they share."""
    made: list[tuple[tuple[Taken, ...], dict[str, str]]] = [((), {})]
    for number, night in enumerate(nights):
        label = night.labels.get(person)
        if label is None or not night.rows.get(label):
            continue  # not there, or suppressed with their class
        made = [
            ((*taken, (number, label, row)), {**known, **dict(row)})
            for taken, known in made
            for row in set(night.rows[label])
            if all(known.get(column, value) == value for column, value in row)
        ]
    return [(taken, frozenset(known.items())) for taken, known in made]


def _fits(ways: Sequence[Sequence[Way]], rows: Mapping[Taken, int]) -> bool:
    """Can everybody have rows of their own?"""
    seen: set[tuple[int, frozenset[tuple[Taken, int]]]] = set()

    def place(i: int, left: dict[Taken, int]) -> bool:
        if i == len(ways):
            return True
        state = i, frozenset(left.items())
        if state in seen:
            return False
        seen.add(state)
        for taken, _ in ways[i]:
            if all(left[row] > 0 for row in taken):
                after = dict(left)
                for row in taken:
                    after[row] -= 1
                if place(i + 1, after):
                    return True
        return False

    return place(0, dict(rows))
