"""A table of counts or sums as people read it: rows and columns of cells, a grid for each label of further
dimensions."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

Label: TypeAlias = str | None
MOST_ROWS, MOST_COLUMNS, MOST_GRIDS = 200, 40, 24
BAD = {"known": "!", "unsafe": "!!", "unfinished": "?"}  # with their marks
# What is said of cells, the worst last: state -> key of its text.
STATES = {
    "shown": "cells_shown",
    "protected": "cells_protected",
    "unfinished": "found_cell_bounds_unfinished",
    "unsafe": "found_cell_bounds_unsafe_shown",
    "known": "found_cell_bounds_known",
}


@dataclass(frozen=True)
class Cell:
    """A cell: what is shown, and sentences about it."""

    shown: str
    state: str
    name: str
    sentences: Sequence[str]


@dataclass
class Grid:
    """Cells by rows and columns. about: labels of the other dimensions, by their names. rows, columns: labels
    with the depth of each below the total."""

    about: Mapping[str, Label]
    rows: Sequence[tuple[Label, int]]
    columns: Sequence[tuple[Label, int]]
    cells: Mapping[tuple[Label, Label], Cell]
    left_out: int = 0

    @property
    def bad(self) -> int:
        """How many of its cells are not as they should be."""
        return sum(cell.state in BAD for cell in self.cells.values())


@dataclass
class Labels:
    """The labels of a dimension in the order of reading: what is below a label follows it, and the total is
    the last. paths: of a label, those above it and itself."""

    total: str
    paths: Mapping[Label, tuple[str, ...]] = field(default_factory=dict)

    def ordered(self, labels: Iterable[Label]) -> list[tuple[Label, int]]:
        """Labels with their depths."""
        paths = {label: self.paths.get(label, (label or "",)) for label in set(labels)}
        return [
            (label, max(0, len(path) - 1))
            for label, path in sorted(
                paths.items(),
                key=lambda item: (item[0] == self.total, [_natural(each) for each in item[1]]),
            )
        ]


def _natural(label: str) -> list[tuple[int, float, str]]:
    """9 before 10."""
    parts = re.findall(r"\d+|\D+", label)
    return [(0, float(part), "") if part.isdigit() else (1, 0.0, part.casefold()) for part in parts]


def paths_of(entries: Iterable[tuple[str, Label, int, Label]]) -> dict[str, dict[Label, tuple[str, ...]]]:
    """By dimension, in lower case, the path of each label of its hierarchy: entries as in hierarchies."""
    by_value: dict[tuple[str, Label], dict[int, Label]] = {}
    for attribute, value, level, label in entries:
        by_value.setdefault((attribute.lower(), value), {})[level] = label
    found: dict[str, dict[Label, tuple[str, ...]]] = {}
    for (attribute, _), levels in by_value.items():
        top = max(levels)
        above: tuple[str, ...] = ()
        for level in sorted(levels, reverse=True):
            label = levels[level]
            if level != top and (not above or above[-1] != label):
                above = (*above, label or "")
                found.setdefault(attribute, {}).setdefault(label, above)
    return found


def grids(
    dimensions: Sequence[str], cells: Mapping[tuple[Label, ...], Cell], labels: Mapping[str, Labels]
) -> tuple[list[Grid], int]:
    """All grids that there is room for, those of totals first, or else those with cells that are not as they
    should be; and how many there are more."""
    ordered = [
        labels[name].ordered(cell[i] for cell in cells) for i, name in enumerate(dimensions)
    ]  # fmt: skip
    down, across, others = _axes(ordered)
    by_others: dict[tuple[Label, ...], dict[tuple[Label, Label], Cell]] = {}
    for key, cell in cells.items():
        place = (key[down], "" if across is None else key[across])
        by_others.setdefault(tuple(key[i] for i in others), {})[place] = cell
    places = [{label: at for at, (label, _) in enumerate(ordered[i])} for i in others]

    def order(key: tuple[Label, ...]) -> list[tuple[bool, int]]:
        return [
            (label != labels[dimensions[i]].total, place[label])
            for label, i, place in zip(key, others, places, strict=True)
        ]

    made = []
    for key in sorted(by_others, key=order):
        own = by_others[key]
        there_down, there_across = ({place[side] for place in own} for side in (0, 1))
        rows = [each for each in ordered[down] if each[0] in there_down]
        columns = (
            [("", 0)] if across is None else [each for each in ordered[across] if each[0] in there_across]
        )
        shown = {
            (row, column): own[row, column]
            for row, _ in rows[:MOST_ROWS] for column, _ in columns[:MOST_COLUMNS] if (row, column) in own
        }  # fmt: skip
        about = {dimensions[i]: label for label, i in zip(key, others, strict=True)}
        made.append(Grid(about, rows[:MOST_ROWS], columns[:MOST_COLUMNS], shown, len(own) - len(shown)))
    if len(made) > MOST_GRIDS:
        made = sorted(made, key=lambda grid: -grid.bad)
    return made[:MOST_GRIDS], max(0, len(made) - MOST_GRIDS)


def _axes(ordered: Sequence[Sequence[Any]]) -> tuple[int, int | None, list[int]]:
    """Which dimension goes down, and which across: the one with fewer labels of the first two."""
    if len(ordered) == 1:
        return 0, None, []
    down, across = (0, 1) if len(ordered[1]) <= len(ordered[0]) or len(ordered[1]) <= 12 else (1, 0)
    return down, across, [*range(2, len(ordered))]


def counted(cells: Iterable[Cell]) -> dict[str, int]:
    """How many cells there are, by state."""
    return dict(Counter(cell.state for cell in cells))
