"""What may be the value of each of some people, of whom somebody knows who is in which release, by all the
worlds there are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product

Places = Sequence[Sequence[int]]  # of each person the classes that may have the row; none: in no class


@dataclass(frozen=True)
class Release:
    """places: of each person the classes that cover them, none where they are not in the release. rows: of
    each class, how many have a value; there may be rows of others."""

    places: Places
    rows: Mapping[int, Counter[str]]

    def has_room(self, values: Sequence[str]) -> bool:
        """Can all of them have a row with their value?"""
        left = {number: Counter(rows) for number, rows in self.rows.items()}
        return self._has_room(values, 0, left)

    def _has_room(self, values: Sequence[str], person: int, left: dict[int, Counter[str]]) -> bool:
        if person == len(values):
            return True
        if not self.places[person]:
            return self._has_room(values, person + 1, left)
        value = values[person]
        for number in self.places[person]:
            if left[number][value] > 0:
                left[number][value] -= 1
                fits = self._has_room(values, person + 1, left)
                left[number][value] += 1
                if fits:
                    return True
        return False


def possible_values(releases: Sequence[Release]) -> list[set[str]]:
    """Of each person, the values that they have in some world."""
    people = range(len(releases[0].places))
    wanted = [
        sorted(
            set.intersection(
                *(
                    {value for number in each.places[person] for value in each.rows[number]}
                    for each in releases
                    if each.places[person]
                )
            )
            if any(each.places[person] for each in releases)
            else set[str]()
        )
        for person in people
    ]
    found: list[set[str]] = [set() for _ in people]
    for world in product(*(each or [""] for each in wanted)):
        if all(each.has_room(world) for each in releases):
            for seen, value in zip(found, world, strict=True):
                seen.add(value)
    return found
