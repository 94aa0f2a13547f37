"""How near released rows are to two tables: every row with every row."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

Row = Sequence[Any]
MILLION = 1_000_000


def distances(release: Sequence[Row], raw: Sequence[Row], everything: Sequence[Row]) -> list[int]:
    """Gower's distance of each released row to the nearest raw one, in millionths. Numbers are measured by
    their range in everything."""

    def apart(column: int, one: Any, other: Any) -> int:
        numbers = [row[column] for row in everything if isinstance(row[column], int)]
        if one is None or other is None or not isinstance(one, int):
            return MILLION * int(one != other)
        wide = max(numbers) - min(numbers)
        units = [round((value - min(numbers)) / wide * MILLION) if wide else 0 for value in (one, other)]
        return int(abs(units[0] - units[1]))

    return [
        min(
            sum(apart(column, *pair) for column, pair in enumerate(zip(row, other, strict=True)))
            for other in raw
        )
        for row in release
    ]


def measures(release: Sequence[Row], original: Sequence[Row], held_out: Sequence[Row]) -> dict[str, float]:
    everything = [*release, *original, *held_out]
    near = distances(release, original, everything)
    far = distances(release, held_out, everything)
    pairs = list(zip(near, far, strict=True))
    middle = (len(release) - 1) // 2
    return {
        "rows": len(release),
        "copies": 100 * near.count(0) / len(near),
        "copies_of_others": 100 * far.count(0) / len(far),
        "closer": 100 * sum(1 if a < b else 0.5 if a == b else 0 for a, b in pairs) / len(pairs),
        "distance": sorted(near)[middle] / MILLION,
        "distance_to_others": sorted(far)[middle] / MILLION,
    }
