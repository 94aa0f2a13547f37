"""Suppressed counts by trying all tables that fit what is published."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import TypeAlias

# A cell by its dimensions; None: summed over.
Cell: TypeAlias = tuple[str | None, ...]


def is_below(cell: Cell, total: Cell) -> bool:
    return all(name is None or name == part for part, name in zip(cell, total, strict=True))


def possible(published: Mapping[Cell, int | None], threshold: int) -> dict[Cell, tuple[int, int]]:
    """The least and the largest that each suppressed count can be; suppressed ones (None) are below the
    threshold, and a cell that is not published is 0."""
    base = [cell for cell in published if None not in cell]
    ranges = [range(threshold) if (n := published[cell]) is None else range(n, n + 1) for cell in base]
    answer: dict[Cell, tuple[int, int]] = {}
    for counts in product(*ranges):
        sums = {
            cell: sum(n for part, n in zip(base, counts, strict=True) if is_below(part, cell))
            for cell in published
        }
        if all(sums[cell] < threshold if n is None else sums[cell] == n for cell, n in published.items()):
            for cell, n in published.items():
                if n is None:
                    lo, hi = answer.get(cell, (sums[cell], sums[cell]))
                    answer[cell] = min(lo, sums[cell]), max(hi, sums[cell])
    return answer
