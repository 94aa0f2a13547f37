"""Tables together: by trying all populations.

A published cell is what it counts, as a function of a person, and the least and the most that it can be.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

Person: TypeAlias = tuple[object, ...]
Counted: TypeAlias = Callable[[Person], bool]


@dataclass(frozen=True)
class Published:
    """A cell that is published, or that is 0 because it is not there."""

    name: str
    counted: Counted
    least: int
    most: int


def populations(people: Sequence[Person], cells: Sequence[Published]) -> Iterator[tuple[int, ...]]:
    """How many people of each kind there are, in every way that agrees with the cells."""
    within = [[i for i, cell in enumerate(cells) if cell.counted(person)] for person in people]
    last = {i: max(k for k, places in enumerate(within) if i in places)
            for i in range(len(cells)) if any(i in places for places in within)}  # fmt: skip
    if any(cell.least > 0 for i, cell in enumerate(cells) if i not in last):
        return
    counts = [0] * len(people)
    left = [cell.most for cell in cells]
    missing = [cell.least for cell in cells]

    def of_others(k: int) -> Iterator[tuple[int, ...]]:
        if k == len(people):
            yield tuple(counts)
            return
        largest = min((left[i] for i in within[k]), default=0)  # of people in no cell nothing is known
        for n in range(largest + 1):
            counts[k] = n
            for i in within[k]:
                left[i] -= n
                missing[i] -= n
            if all(missing[i] <= 0 for i in within[k] if last[i] == k):
                yield from of_others(k + 1)
            for i in within[k]:
                left[i] += n
                missing[i] += n
        counts[k] = 0

    yield from of_others(0)


def interval(people: Sequence[Person], counted: Counted, found: Sequence[tuple[int, ...]]) -> tuple[int, int]:
    """The least and the most people for whom something holds, in any of the populations."""
    sizes = [sum(n for person, n in zip(people, counts, strict=True) if counted(person)) for counts in found]
    return min(sizes), max(sizes)


def parts(people: Sequence[Person], cells: Sequence[Published]) -> dict[frozenset[int], list[Person]]:
    """The people that no cell tells apart, by the cells that they are in; those in none, and those who are
    not there, are left out."""
    found: dict[frozenset[int], list[Person]] = {}
    for person in people:
        inside = frozenset(i for i, cell in enumerate(cells) if cell.counted(person))
        if inside and all(cells[i].most > 0 for i in inside):
            found.setdefault(inside, []).append(person)
    return found
