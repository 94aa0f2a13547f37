"""m-invariance (Xiao and Tao 2007) by its definitions, and what releases tell, by trying every possibility.

Somebody is a number of the one quasi-identifier, and a sensitive value; a class is an interval of numbers,
the values that it releases, and how many of its rows are counterfeits.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from fractions import Fraction
from itertools import pairwise, product
from typing import Any, NamedTuple


class Class(NamedTuple):
    lo: int
    hi: int
    values: Sequence[Any]
    counterfeits: int = 0

    def covers(self, number: int) -> bool:
        return self.lo <= number <= self.hi

    @property
    def signature(self) -> frozenset[Any]:
        return frozenset(self.values)

    @property
    def repeats_a_value(self) -> bool:
        """Has a column a value twice? Values of several columns are tuples."""
        rows = [value if isinstance(value, tuple) else (value,) for value in self.values]
        return any(len(set(column)) < len(rows) for column in zip(*rows, strict=True))


def violations(
    releases: Sequence[Sequence[Class]], numbers: Mapping[str, int], present: Sequence[Set[str]], m: int
) -> Counter[tuple[Any, ...]]:
    """How many people each violation concerns: (violation, release, ...)."""
    found: Counter[tuple[Any, ...]] = Counter()
    for at, (release, people) in enumerate(zip(releases, present, strict=True)):
        for each in release:
            inside = sum(each.covers(numbers[person]) for person in people)
            if len(each.values) < m:
                found["size", at, each.lo, each.hi] = inside
            if each.repeats_a_value:
                found["value", at, each.lo, each.hi] = inside
    for person, number in numbers.items():
        choices = {}
        for at, (release, people) in enumerate(zip(releases, present, strict=True)):
            if person in people:
                choices[at] = {each.signature for each in release if each.covers(number)}
                if not choices[at]:
                    found["unlocated", at] += 1
                    del choices[at]
        for earlier, later in pairwise(choices):
            if not choices[earlier] & choices[later]:
                found["signature", earlier, later] += 1
            elif len(choices[earlier] | choices[later]) > 1:
                found["several", earlier, later] += 1
    return found


Held = Mapping[str, tuple[frozenset[Any], Any]]  # by person: signature and value


def arrangements(release: Sequence[Class], people: Mapping[str, int], held: Held) -> int:
    """In how many ways people can be in the classes: each where it covers them and has their signature, with
    a value that nobody else there has; as many in each as it has rows that are no counterfeits.
    """
    ways = 0
    options = [
        [at for at, each in enumerate(release) if each.covers(number) and each.signature == held[person][0]]
        for person, number in people.items()
    ]
    for chosen in product(*options):
        cells = {(at, held[person][1]) for at, person in zip(chosen, people, strict=True)}
        sizes = Counter(chosen)
        ways += len(cells) == len(chosen) and all(
            sizes[at] == len(each.values) - each.counterfeits for at, each in enumerate(release)
        )
    return ways


def worlds(
    releases: Sequence[Sequence[Class]], numbers: Mapping[str, int], present: Sequence[Set[str]]
) -> Iterator[tuple[Held, int]]:
    """Who may have which signature in all releases, and which value of it, and in how many ways."""
    options = []
    for person, number in numbers.items():
        first = next(release for release, there in zip(releases, present, strict=True) if person in there)
        signatures = {each.signature for each in first if each.covers(number)}
        options.append([(signature, value) for signature in signatures for value in signature])
    for chosen in product(*options):
        held, ways = dict(zip(numbers, chosen, strict=True)), 1
        for release, there in zip(releases, present, strict=True):
            people = {person: number for person, number in numbers.items() if person in there}
            ways = ways and ways * arrangements(release, people, held)
        if ways:
            yield held, ways


def confidence(
    releases: Sequence[Sequence[Class]], numbers: Mapping[str, int], present: Sequence[Set[str]]
) -> Fraction:
    """How sure somebody can be of the value of somebody who is in a release, over all that is possible if
    signatures stay.
    """
    total = 0
    known: Counter[tuple[str, Any]] = Counter()
    for held, ways in worlds(releases, numbers, present):
        total += ways
        for person, (_, value) in held.items():
            known[person, value] += ways
    return Fraction(max(known.values()), total)


def remaining(n: Sequence[int], most: Sequence[int], m: int) -> int | None:
    """How many of the new people remain: the fewest of whom no value has more than 1 in m; None: no number.

    n: people with each value; most: those of them who can take places of others.
    """
    feasible = [
        sum(n) - sum(taken)
        for taken in product(*(range(each + 1) for each in most))
        if all(m * (each - x) <= sum(n) - sum(taken) for each, x in zip(n, taken, strict=True))
    ]
    return min(feasible, default=None)
