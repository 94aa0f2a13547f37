"""Who is which record by a few items: every record is scored, also those that have none of them."""

from __future__ import annotations

import math
import statistics
from collections.abc import Hashable, Mapping, Set

Items = Mapping[Hashable, Set[Hashable]]


def scores(known: Set[Hashable], records: Items) -> dict[Hashable, float]:
    """The score of each record."""
    return {
        record: math.fsum(
            1 / math.log(1 + sum(item in others for others in records.values())) for item in known & items
        )
        for record, items in records.items()
    }


def eccentricity(known: Set[Hashable], records: Items) -> tuple[float, float]:
    """By how many standard deviations the best score is ahead of the next one, and how probable the best
    record is; (0, 0) where all scores are equal."""
    found = sorted(scores(known, records).values(), reverse=True)
    deviation = statistics.pstdev(found)
    if deviation < 1e-9:
        return 0.0, 0.0
    total = math.fsum(math.exp((score - found[0]) / deviation) for score in found)
    return (found[0] - found[1]) / deviation, 1 / total
