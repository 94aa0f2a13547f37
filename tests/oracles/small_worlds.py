"""How probable a target's value is, by Bayes' rule over all worlds: everybody's value is drawn from the same
shares, the target and some others are in all classes, and the rest is in one class each.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement
from typing import Any

from tests.oracles.privacy import Histogram


def posterior(
    classes: Sequence[Histogram], common: int, shares: Mapping[Any, Fraction]
) -> dict[Any, Fraction]:
    """Of each value that the target may have. common: how many others are in all classes."""
    weights = {s: sum(_worlds(classes, common, shares, s), Fraction(0)) for s in shares}
    total = sum(weights.values())
    return {s: weight / total for s, weight in weights.items() if weight}


def _worlds(
    classes: Sequence[Histogram], common: int, shares: Mapping[Any, Fraction], s: Any
) -> Iterator[Fraction]:
    """How probable each world is in which the target has the value s, by the values of the others in all
    classes.
    """
    for values in combinations_with_replacement(sorted(shares), common):
        others = Counter(values)
        known = others + Counter([s])
        if all(known <= h for h in classes):
            yield math.prod(
                (drawn(h - known, shares) for h in classes), start=shares[s] * drawn(others, shares)
            )


def drawn(values: Histogram, shares: Mapping[Any, Fraction]) -> Fraction:
    """How probable it is to draw these values."""
    ways = math.factorial(values.total()) // math.prod(math.factorial(n) for n in values.values())
    return math.prod((shares[s] ** n for s, n in values.items()), start=Fraction(ways))
