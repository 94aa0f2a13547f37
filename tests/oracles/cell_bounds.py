"""Bounds of hidden cells: by SciPy's linear programs, and by trying all tables of whole numbers.

Equations are those of every total, over all cells of the finest level below it: no steps, and no propagation.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import product
from typing import TypeAlias

import numpy as np

from tests.oracles.cells import Cell, Tree, above

# What is known of a cell: from, to (None: unbounded).
Interval: TypeAlias = tuple[float, float | None]
Atoms: TypeAlias = Mapping[Cell, Interval]


def parts(cell: Cell, atoms: Sequence[Cell], trees: Sequence[Tree]) -> list[Cell]:
    """The finest cells that count in a cell."""
    return [
        atom
        for atom in atoms
        if all(label in above(value, tree) for label, value, tree in zip(cell, atom, trees, strict=True))
    ]


def by_linear_programs(
    published: Mapping[Cell, Interval], atoms: Sequence[Cell], trees: Sequence[Tree]
) -> dict[Cell, Interval] | None:
    """The interval of each cell over all tables of real numbers that fit; None: none fits. Finest cells that
    are not published are 0 if any of them is."""
    from scipy.optimize import linprog

    has_atoms = any(cell in published for cell in atoms)
    bounds = [published.get(cell, (0, 0) if has_atoms else (0, None)) for cell in atoms]
    rows, limits = [], []
    sums = {
        cell: np.array([1.0 if atom in set(parts(cell, atoms, trees)) else 0.0 for atom in atoms])
        for cell in published
    }
    for cell, (low, high) in published.items():
        rows.append(-sums[cell])
        limits.append(-low)
        if high is not None:
            rows.append(sums[cell])
            limits.append(high)
    answer: dict[Cell, Interval] = {}
    for cell, weights in sums.items():
        ends: list[float | None] = []
        for sign in (1, -1):
            result = linprog(sign * weights, A_ub=np.array(rows), b_ub=limits, bounds=bounds)
            if result.status == 2:
                return None
            ends.append(None if result.status == 3 else float(sign * result.fun))
        answer[cell] = (ends[0] or 0.0, ends[1])
    return answer


def by_trying_all(
    published: Mapping[Cell, Interval], atoms: Sequence[Cell], trees: Sequence[Tree], largest: int
) -> dict[Cell, tuple[int, int]]:
    """The same over all tables of whole numbers up to the largest; finest cells that are not published are
    0."""
    ranges = []
    for atom in atoms:
        low, high = published.get(atom, (0, 0))
        ranges.append(range(math.ceil(low), min(largest, math.floor(largest if high is None else high)) + 1))
    below = {cell: [atoms.index(atom) for atom in parts(cell, atoms, trees)] for cell in published}
    answer: dict[Cell, tuple[int, int]] = {}
    for values in product(*ranges):
        sums = {cell: sum(values[i] for i in places) for cell, places in below.items()}
        if all(
            low <= sums[cell] <= (math.inf if high is None else high)
            for cell, (low, high) in published.items()
        ):
            for cell, n in sums.items():
                low_, high_ = answer.get(cell, (n, n))
                answer[cell] = min(low_, n), max(high_, n)
    return answer
