"""The forecast of a second release: all that the other class of somebody may hold, each outcome in turn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import prod
from typing import NamedTuple


class Forecast(NamedTuple):
    """What is expected of a class."""

    learned: str
    confidence: Fraction
    baseline: Fraction
    prior: int
    posterior: Fraction
    certain: Fraction
    upper_end: Fraction


def forecast(
    values: Sequence[str | None], marginal: Mapping[str | None, Fraction], sizes: Mapping[int, Fraction]
) -> Forecast:
    """values: the sensitive values of the rows of a class. marginal: value -> its share in the other table.

    sizes: rows of the other class -> how likely it has so many. The upper end is the confidence if it has as
    few as any.
    """
    counts = Counter(values)
    order = sorted(
        counts, key=lambda value: (-counts[value], marginal.get(value, 0), value is not None, value or "")
    )
    confidence = posterior = certain = upper_end = Fraction(0)
    for true_value, (size, likely) in product(values, sizes.items()):
        for others in product([value for value in marginal if marginal[value]], repeat=size - 1):
            probability = likely * prod(marginal[other] for other in others) / len(values)
            left = [value for value in order if value in {true_value, *others}]
            confidence += probability * (left[0] == true_value)
            if size == min(sizes):
                upper_end += probability / likely * (left[0] == true_value)
            posterior += probability * len(left)
            certain += probability * (left == [true_value])
    first = order[0]
    baseline = Fraction(counts[first], len(values))
    learned = "NULL" if first is None else first
    return Forecast(learned, confidence, baseline, len(counts), posterior, certain, upper_end)
