"""Who was in, by distances: every member against every control."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence


def area(members: Sequence[float], others: Sequence[float]) -> tuple[float, float]:
    """How often a member is nearer than another, a tie being one half, and its standard error (DeLong)."""

    def wins(near: float, far: float) -> float:
        return 0.5 if near == far else float(near < far)

    nearer = [statistics.fmean(wins(member, other) for other in others) for member in members]
    farther = [statistics.fmean(wins(member, other) for member in members) for other in others]
    variances = [
        statistics.variance(placed) / len(placed) if len(placed) > 1 else 0.0 for placed in (nearer, farther)
    ]
    return statistics.fmean(nearer), math.sqrt(sum(variances))


def found(members: Sequence[float], others: Sequence[float], alarms: float) -> float:
    """The most members that a distance finds with so few others."""
    allowed = [
        distance
        for distance in {*members, *others}
        if sum(other <= distance for other in others) <= alarms * len(others)
    ]
    return max((sum(member <= d for member in members) / len(members) for d in allowed), default=0.0)
