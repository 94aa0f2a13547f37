"""Unicity: every choice of points of every person."""

from __future__ import annotations

import itertools
import statistics
from collections import defaultdict
from collections.abc import Hashable, Iterable


def shares(rows: Iterable[tuple[Hashable, Hashable]], points: int) -> list[tuple[float, float]]:
    """Of each person: how many choices of so many points nobody else has, as a share, and how many points."""
    held: dict[Hashable, set[Hashable]] = defaultdict(set)
    for person, point in rows:
        held[person].add(point)
    answer = []
    for person, own in held.items():
        choices = list(itertools.combinations(sorted(own, key=repr), min(points, len(own))))
        unique = [
            not any(set(choice) <= other for name, other in held.items() if name != person)
            for choice in choices
        ]
        answer.append((statistics.fmean(unique), float(len(own))))
    return answer
