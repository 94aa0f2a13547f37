"""The minimality attack (Wong, Fu, Wang and Pei 2007), one split of a class after another."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any, NamedTuple

from tests.oracles import sort_key


def credibilities(
    values: Sequence[Any], n_1: int, least_values: int, largest_share: float
) -> dict[Any, tuple[Fraction, Fraction]]:
    """Value -> its expected share in the halves, if one of them violates the model.

    values: of the rows of a class, of which n_1 are in the first half. least_values: the distinct values that
    a half must have. largest_share: what a value may have of it. Empty if no split violates the model.
    """
    sums: Counter[tuple[Any, int]] = Counter()
    splits = 0
    for chosen in combinations(range(len(values)), n_1):
        halves = [
            Counter(value for row, value in enumerate(values) if (row in chosen) is first)
            for first in (True, False)
        ]
        if any(
            len(half) < least_values or max(half.values()) / half.total() > largest_share for half in halves
        ):
            splits += 1
            for number, half in enumerate(halves):
                for value, n in half.items():
                    sums[value, number] += n
    sizes = (n_1, len(values) - n_1)
    return {
        value: (
            Fraction(sums[value, 0], splits * sizes[0]),
            Fraction(sums[value, 1], splits * sizes[1]),
        )
        for value in set(values)
        if splits
    }


def median_cut(column: Sequence[Any]) -> list[Any]:
    """The distinct values of the lower half: as equal as possible, of two that are the smaller one.

    Empty if there is one value only.
    """
    values = sorted(set(column), key=sort_key)
    cuts = [values[:i] for i in range(1, len(values))]
    return min(
        cuts, key=lambda lower: abs(2 * sum(value in lower for value in column) - len(column)), default=[]
    )


class Learned(NamedTuple):
    """The most credible value, its credibility, and by the cut of which attribute (from 1)."""

    value: str
    credibility: Fraction
    attribute: int


def minimality(
    people: Mapping[Any, Sequence[Any]], values: Mapping[Any, Any], k: int, least: int, largest: float
) -> dict[Any, Learned]:
    """What is learned of the people of one class, by their ids. people: their quasi-identifiers."""
    found: dict[Any, list[Learned]] = {}
    held = list(values.values())
    for d in range(len(next(iter(people.values())))):
        lower = median_cut([row[d] for row in people.values()])
        first = [who for who, row in people.items() if row[d] in lower]
        if min(len(first), len(people) - len(first)) >= k and lower:
            known = credibilities(held, len(first), least, largest)
            for who in people:
                half = 0 if who in first else 1
                found.setdefault(who, []).extend(
                    Learned("NULL" if value is None else value, shares[half], d + 1)
                    for value, shares in known.items()
                )
    return {
        who: min(each, key=lambda one: (-one.credibility, one.attribute, one.value))
        for who, each in found.items()
    }
