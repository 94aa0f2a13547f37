"""Who was in, by distances: every member against every control."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from typing import TypeVar

# A distance, or a distance with the number of rows that are so near.
Score = TypeVar("Score", float, tuple[float, int])


def area(members: Sequence[Score], others: Sequence[Score]) -> tuple[float, float]:
    """How often a member is nearer than another, a tie being one half, and its standard error (DeLong)."""

    def wins(near: Score, far: Score) -> float:
        return 0.5 if near == far else float(near < far)

    nearer = [statistics.fmean(wins(member, other) for other in others) for member in members]
    farther = [statistics.fmean(wins(member, other) for member in members) for other in others]
    variances = [
        statistics.variance(placed) / len(placed) if len(placed) > 1 else 0.0 for placed in (nearer, farther)
    ]
    return statistics.fmean(nearer), math.sqrt(sum(variances))


def found(members: Sequence[Score], others: Sequence[Score], alarms: float) -> float:
    """The share of members that are found with so few others: by distance, and the last ones by lot."""
    allowed = alarms * len(others)
    share = 0.0
    for distance in sorted({*members, *others}):
        right, wrong = members.count(distance), others.count(distance)
        taken = 1.0 if wrong <= allowed else allowed / wrong
        share += taken * right / len(members)
        if taken < 1:
            break
        allowed -= wrong
    return share


Person = tuple[object, ...]


def scores(
    tables: Sequence[tuple[Sequence[int], dict[Person, tuple[float | None, float]]]],
    people: Sequence[Person],
    reference: Sequence[Person],
    with_noise: bool,
) -> list[list[float | None]]:
    """What each table of counts adds to each person's score; None for a hidden cell. tables: the columns by
    which each counts, and the count of each cell with the variance of its noise."""
    found: list[list[float | None]] = [[] for _ in people]
    for columns, cells in tables:
        keys, others = (
            [tuple(person[i] for i in columns) for person in group] for group in (people, reference)
        )
        met = {key for key in (*keys, *others) if key in cells}
        counted = sum(n for key in met if (n := cells[key][0]) is not None)
        known = sum(others.count(key) for key in met if cells[key][0] is not None)
        scale = max(counted / max(known, 1), 1e-9)
        for key, terms in zip(keys, found, strict=True):
            expected = scale * (others.count(key) + 0.5)
            n, variance = cells.get(key, (None if with_noise else 0.0, 0.0))
            if n is None:
                terms.append(None)
            elif with_noise:
                terms.append((n - expected - 0.5) / (expected + variance))
            else:
                terms.append(math.log((n if n > 0 else 1e-300) / expected))
    return found
