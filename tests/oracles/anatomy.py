"""Anatomy (Xiao and Tao 2006): the paper's algorithm, and buckets that are dealt; one row at a time."""

from collections.abc import Callable, Sequence
from random import Random
from typing import Any


def eligible(values: Sequence[Any], l: int) -> bool:
    """Can there be buckets of l different values each? The paper's condition:
    none is in more than 1 of l rows.
    """
    return all(values.count(value) * l <= len(values) for value in values)


def paper(values: Sequence[Any], l: int, random: Random) -> list[list[int]]:
    """Buckets of row numbers, filled one by one as in Figure 3 of the paper."""
    left: dict[Any, list[int]] = {}
    for row, value in enumerate(values):
        left.setdefault(value, []).append(row)
    buckets = []
    while len([rows for rows in left.values() if rows]) >= l:
        fullest = sorted(left.values(), key=len, reverse=True)[:l]
        buckets.append([rows.pop(random.randrange(len(rows))) for rows in fullest])
    for value, rows in left.items():
        for row in rows:
            lacking = [bucket for bucket in buckets if all(values[other] != value for other in bucket)]
            random.choice(lacking).append(row)
    return buckets


def dealt(values: Sequence[Any], l: int, key: Callable[[Any], Any]) -> list[list[Any]]:
    """The values of each bucket: cards in their order, one to each of n // l players in turn."""
    buckets: list[list[Any]] = [[] for _ in range(len(values) // l)]
    for place, value in enumerate(sorted(values, key=key)):
        buckets[place % len(buckets)].append(value)
    return buckets
