"""How alike columns and pairs of columns of two tables are, from their definitions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from math import sqrt
from typing import Any

Row = Sequence[Any]


def groups(original: Sequence[Row], release: Sequence[Row], column: int, parts: int) -> dict[Any, Any]:
    """The group of each value: of a number by the share of the original's numbers below it."""
    own = [row[column] for row in original]
    values = {*own, *(row[column] for row in release)}
    if not all(value is None or isinstance(value, int) for value in values):
        return {value: value for value in values}
    numbers = [value for value in own if value is not None]

    def group(value: int) -> int:
        below = sum(number < value for number in numbers)
        return min(parts * below // len(numbers), parts - 1) if numbers else 0

    return {value: "missing" if value is None else group(value) for value in values}


def alike(cells: Sequence[Any], other_cells: Sequence[Any]) -> tuple[float, float | None]:
    """The similarity in percent, and the ratio of the pMSE to its average."""
    own, other = Counter(cells), Counter(other_cells)
    n, m = len(cells), len(other_cells)
    share = m / (n + m)
    kinds = own.keys() | other.keys()
    similarity = 100 - 50 * sum(abs(own[kind] / n - other[kind] / m) for kind in kinds)
    total = sum(
        (own[kind] + other[kind]) * (other[kind] / (own[kind] + other[kind]) - share) ** 2 for kind in kinds
    )
    average = (len(kinds) - 1) * share * (1 - share) ** 2 / (n + m)
    return similarity, total / (n + m) / average if average else None


def correlation(rows: Sequence[Row], one: int, other: int) -> float | None:
    pairs = [(row[one], row[other]) for row in rows if row[one] is not None and row[other] is not None]
    if not pairs:
        return None
    x, y = (sum(values) / len(pairs) for values in zip(*pairs, strict=True))
    spread = sqrt(sum((a - x) ** 2 for a, _ in pairs) * sum((b - y) ** 2 for _, b in pairs))
    return sum((a - x) * (b - y) for a, b in pairs) / spread if spread else None


def compared(
    original: Sequence[Row], release: Sequence[Row], names: Sequence[str], numbers: set[str], parts: int
) -> dict[tuple[str, str | None], tuple[float | None, ...]]:
    coded = [groups(original, release, column, parts) for column in range(len(names))]
    found: dict[tuple[str, str | None], tuple[float | None, ...]] = {}
    for chosen in [*((column,) for column in range(len(names))), *combinations(range(len(names)), 2)]:
        cells, others = (
            [tuple(coded[column][row[column]] for column in chosen) for row in rows]
            for rows in (original, release)
        )
        pair = [names[column] for column in chosen]
        measured = set(pair) <= numbers and len(chosen) == 2
        told = [correlation(rows, *chosen) if measured else None for rows in (original, release)]
        found[pair[0], pair[1] if len(pair) > 1 else None] = (*alike(cells, others), *told)
    return found
