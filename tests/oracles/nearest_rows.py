"""Nearest released rows by Gower's distance, and what follows: every target with every row."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

Raw = Any  # a number, a text or None
# What a released cell says: the values that it covers as a range, a set, or anything.
Cell = Any  # a raw value, ("range", lo, hi), ("set", values) or "*"
MILLION = 1_000_000


def label(cell: Cell) -> str | None:
    """A released cell as text."""
    if isinstance(cell, tuple):
        kind, *said = cell
        if kind == "range":
            return f"[{said[0]}, {said[1]}]"
        return "{" + ", ".join("NULL" if value is None else str(value) for value in said[0]) + "}"
    return None if cell is None else str(cell)


def ends(cell: Cell) -> list[int]:
    """The numbers that a cell tells."""
    if isinstance(cell, tuple):
        values = cell[1:] if cell[0] == "range" else cell[1]
        return [value for value in values if value is not None]
    return [] if cell is None or cell == "*" else [cell]


def gaps(raws: Sequence[Raw], cells: Sequence[Cell]) -> list[list[int]]:
    """How far each raw value of a column is from each released cell, in millionths."""
    is_number = all(value is None or isinstance(value, int) for value in raws)
    numbers = [value for value in raws if value is not None] if is_number else []
    told = sorted({*numbers, *(end for cell in cells for end in ends(cell))}) if is_number else []

    def unit(value: int) -> int:
        wide = told[-1] - told[0]
        return round((value - told[0]) / wide * MILLION) if wide else 0

    def gap(raw: Raw, cell: Cell) -> int:
        if cell == "*":
            return 0
        if not is_number or raw is None:
            covered = cell[1] if isinstance(cell, tuple) and cell[0] == "set" else [cell]
            return 0 if raw in covered else MILLION
        if not (between := ends(cell)):
            return MILLION
        return max(unit(min(between)) - unit(raw), unit(raw) - unit(max(between)), 0)

    return [[gap(raw, cell) for cell in cells] for raw in raws]


def nearest(
    targets: Sequence[Sequence[Raw]], release: Sequence[Sequence[Cell]]
) -> list[tuple[int, set[int]]]:
    """Of each target the smallest distance, and the rows at it."""
    columns = [
        gaps([target[i] for target in targets], [row[i] for row in release]) for i in range(len(targets[0]))
    ]
    answer = []
    for t in range(len(targets)):
        distances = [sum(column[t][r] for column in columns) for r in range(len(release))]
        least = min(distances)
        answer.append((least, {r for r, distance in enumerate(distances) if distance == least}))
    return answer


def linkage(
    targets: Sequence[Sequence[Raw]], release: Sequence[Sequence[Cell]], width: int
) -> list[tuple[bool, float | None, int, int, int]]:
    """Is there a link, its confidence, rows here, rows there, and both. width: of the first half."""
    here = nearest([target[:width] for target in targets], [row[:width] for row in release])
    there = nearest([target[width:] for target in targets], [row[width:] for row in release])
    answer = []
    for (_, these), (_, those) in zip(here, there, strict=True):
        both = these & those
        [row] = both if len(both) == 1 else [None]
        claims = sum(row in rows for _, rows in there)
        answer.append(
            (row is not None, None if row is None else 1 / claims, len(these), len(those), len(both))
        )
    return answer


def inference(
    targets: Sequence[Sequence[Raw]],
    release: Sequence[Sequence[Cell]],
    values: Sequence[Any],
    within: float | None,
    agreeing: bool,
) -> list[tuple[float | None, set[Any], int]]:
    """Of each target the share of the best guess, all guesses as good, and how many rows count. With within
    the guesses are middles of windows, by their lowest number."""
    answer: list[tuple[float | None, set[Any], int]] = []
    for distance, near in nearest(targets, release):
        rows = [] if agreeing and distance else [values[r] for r in near]
        held: dict[Any, int] = {}
        for value in rows:
            if within is None:
                held[value] = rows.count(value)
            elif value is not None:
                inside = [v for v in rows if v is not None and value <= v <= value + 2 * within]
                held[value] = len(inside)
        if not held:
            answer.append((None, set(), len(rows)))
            continue
        best = max(held.values())
        guesses = {value for value, n in held.items() if n == best}
        if within is not None:
            low = min(guesses)
            top = max(v for v in rows if v is not None and low <= v <= low + 2 * within)
            guesses = {(low + top) / 2}
        answer.append((best / len(rows), guesses, len(rows)))
    return answer
