"""Conditions that one released row alone meets, and who meets them: every condition with every person."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import prod
from typing import Any

from tests.oracles.nearest_rows import label

# A condition: column, sign and cell, for every column that it names.
Condition = tuple[tuple[int, str, Any], ...]


def meets(raw: Any, sign: str, cell: Any) -> bool:
    """Is a raw value at most, at least, or among what a cell says?"""
    match sign, cell:
        case "<=", _:
            return raw is not None and raw <= cell
        case ">=", _:
            return raw is not None and raw >= cell
        case _, "*":
            return True
        case _, ("range", lo, hi):
            return raw is not None and lo <= raw <= hi
        case _, ("set", values):
            return raw in values
    return bool(raw == cell)


def conditions(release: Sequence[Sequence[Any]], width: int) -> list[Condition]:
    """All of so many columns."""
    found: list[Condition] = []
    for columns in combinations(range(len(release[0])), width):
        named = [tuple(row[column] for column in columns) for row in release]
        found += [
            tuple((column, "=", cell) for column, cell in zip(columns, cells, strict=True))
            for cells in named
            if named.count(cells) == 1
        ]
    if width == 1:
        for column in range(len(release[0])):
            cells = [row[column] for row in release]
            numbers = [cell for cell in cells if isinstance(cell, int)]
            if numbers and all(cell is None or isinstance(cell, int) for cell in cells):
                found += [
                    ((column, sign, end),)
                    for sign, end in (("<=", min(numbers)), (">=", max(numbers)))
                    if numbers.count(end) == 1
                ]
    return found


def text(condition: Condition, names: Sequence[str]) -> str:
    return " and ".join(
        f"{names[column]} {sign} {'NULL' if cell is None else label(cell)}"
        for column, sign, cell in condition
    )


def weight(condition: Condition, release: Sequence[Sequence[Any]]) -> float:
    """If columns had nothing to do with each other."""
    shares = [sum(row[column] == cell for row in release) / len(release) for column, _, cell in condition]
    return float(prod(shares))


def people(condition: Condition, persons: Sequence[Sequence[Any]]) -> int:
    return sum(all(meets(row[column], sign, cell) for column, sign, cell in condition) for row in persons)


def singled_out(
    tried: Sequence[Condition],
    release: Sequence[Sequence[Any]],
    persons: Sequence[Sequence[Any]],
    names: Sequence[str],
) -> tuple[list[tuple[str | None, float | None, int]], int]:
    """Of each person the condition of the smallest weight that they alone meet, its weight, and how many such
    conditions there are; and how many conditions isolate anybody."""
    found: list[tuple[str | None, float | None, int]] = []
    for person in persons:
        own = sorted(
            (round(weight(each, release), 12), text(each, names))
            for each in tried
            if people(each, persons) == 1 and people(each, [person]) == 1
        )
        found.append((own[0][1], own[0][0], len(own)) if own else (None, None, 0))
    return found, sum(people(each, persons) == 1 for each in tried)
