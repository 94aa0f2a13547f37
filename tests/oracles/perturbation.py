"""Perturbation without chance, and what perturbed tables disclose, the slow and obvious way.

Hundepool et al. 2012, ch. 3; Mateo-Sanz, Sebé and Domingo-Ferrer 2004; Domingo-Ferrer and Torra 2001.
"""

import math
import statistics
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from tests.oracles import Row, is_number, sort_key


def rounded(value: Any, base: str) -> Fraction | None:
    """The nearest multiple of a base, of two that are as near the one further from 0."""
    if value is None:
        return None
    times = Fraction(value) / Fraction(base)
    return (1 if times >= 0 else -1) * math.floor(abs(times) + Fraction(1, 2)) * Fraction(base)


def quantile(values: Sequence[Any], share: float) -> Any:
    """The least value that at least this share of the values (those that are not NULL) do not exceed."""
    ordered = sorted((value for value in values if value is not None), key=sort_key)
    return ordered[max(math.ceil(share * len(ordered) - 1e-9), 1) - 1]


def coded(values: Sequence[Any], threshold: Any, top: bool, mean: bool) -> list[Any]:
    """Top or bottom coding: what lies beyond the threshold becomes it, or the mean of all that does."""

    def is_beyond(value: Any) -> bool:
        return value is not None and (value > threshold if top else value < threshold)

    beyond = [value for value in values if is_beyond(value)]
    substitute = statistics.fmean(beyond) if mean and beyond else threshold
    return [substitute if is_beyond(value) else value for value in values]


def rank_distance(values: Sequence[Any], value: Any, other: Any) -> int:
    """How many ranks apart two values of a column are, at least: a value has all ranks of its copies."""
    low, high = sorted((value, other), key=sort_key)
    ordered = sorted((each for each in values if each is not None), key=sort_key)
    keys = [sort_key(each) for each in ordered]
    last_of_low = len(keys) - 1 - keys[::-1].index(sort_key(low))
    return max(keys.index(sort_key(high)) - last_of_low, 0)


def deviations(table: Sequence[Row]) -> list[float | None]:
    """The standard deviation of each column of numbers; None of others, and where nothing differs."""
    result: list[float | None] = []
    for column in zip(*table, strict=True):
        numbers = [float(value) for value in column if value is not None and is_number(value)]
        result.append((statistics.stdev(numbers) or None) if len(numbers) > 1 else None)
    return result


def disclosure(original: Sequence[Row], released: Sequence[Row], within: float) -> list[tuple[float, float]]:
    """The share of values that are unchanged and that are near, per column and at last for whole rows."""
    scales = deviations(original)
    rows = len(released)

    def near(true: Any, message: Any, scale: float | None) -> bool:
        if true == message:
            return True
        return (
            is_number(true)
            and is_number(message)
            and abs(float(true) - float(message)) <= within * (scale or 1)
        )

    unchanged = [
        [x == v for x, v in zip(*pair, strict=True)] for pair in zip(original, released, strict=True)
    ]
    close = [
        [near(x, v, scale) for x, v, scale in zip(*pair, scales, strict=True)]
        for pair in zip(original, released, strict=True)
    ]
    columns = [
        (sum(row[i] for row in unchanged) / rows, sum(row[i] for row in close) / rows)
        for i in range(len(scales))
    ]
    return [*columns, (sum(map(all, unchanged)) / rows, sum(map(all, close)) / rows)]


def linked(original: Sequence[Row], released: Sequence[Row]) -> float:
    """Of how many released rows the nearest original is their own; ties are guessed."""
    scales = deviations(original)

    def distance(row: Row, other: Row) -> float:
        total = 0.0
        for x, v, scale in zip(row, other, scales, strict=True):
            if is_number(x) and is_number(v):
                total += (float(x) / (scale or 1) - float(v) / (scale or 1)) ** 2
            else:
                total += x != v
        return total

    right = 0.0
    for own, row in zip(original, released, strict=True):
        distances = [distance(candidate, row) for candidate in original]
        least = min(distances)
        if math.isclose(distance(own, row), least, rel_tol=1e-9, abs_tol=1e-12):
            right += 1 / sum(math.isclose(each, least, rel_tol=1e-9, abs_tol=1e-12) for each in distances)
    return right
