"""What an adversary knows beforehand, by counting all worlds."""

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import Any


def by_all_worlds(
    values: Sequence[Any], frequency: Mapping[Any, Fraction], prior: Mapping[Any, Fraction | int]
) -> dict[Any, Fraction]:
    """How probable each value is for somebody in a class, of which the values are known, and not whose.

    A world gives everybody in the class a value: the target by the prior, and the others as frequent as it is
    among all rows. Those in which the class has these values remain.
    """
    seen = Counter(values)
    chance = dict.fromkeys(frequency, Fraction(0))
    for world in product(frequency, repeat=len(values)):
        if Counter(world) != seen:
            continue
        p = Fraction(prior[world[0]])
        for value in world[1:]:
            p *= frequency[value]
        chance[world[0]] += p
    total = sum(chance.values(), Fraction(0))
    return {value: p / total for value, p in chance.items() if p} if total else {}
