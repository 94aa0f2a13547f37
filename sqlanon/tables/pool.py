"""The tables that suppression looks for and has found, each as what it moves every cell by."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Places = NDArray[np.int64]
Table = NDArray[np.float64]  # by how much each cell is moved


@dataclass(frozen=True)
class Demand:
    """A table that has to fit: with a cell that is larger (sign 1) or smaller (-1) by so much, and others
    unchanged."""

    cell: int
    sign: int
    by: float
    unmoved: tuple[int, ...]


@dataclass(frozen=True)
class Demands:
    """Several of one cell and sign: of each the cell that is unchanged (-1: none), and by how much at
    least."""

    cell: int
    sign: int
    known: Places
    least: Floats

    def __len__(self) -> int:
        return len(self.known)

    def where(self, chosen: NDArray[Any] | list[int]) -> Demands:
        """Some of them, by a mask or by places."""
        return Demands(self.cell, self.sign, self.known[chosen], self.least[chosen])

    def together(self, *unmoved: int) -> Demand:
        """One table that is each of them, with further cells unchanged."""
        known = self.known[self.known >= 0].tolist()
        return Demand(self.cell, self.sign, float(self.least.max()), (*known, *unmoved))


class Pool:
    """Tables that were found, as the rows of one array. usable: those that move nothing but hidden cells."""

    def __init__(self, n: int) -> None:
        self.size = 0
        self.rows = np.zeros((64, n))
        self.usable = np.zeros(64, dtype=bool)

    def add(self, moved: Table) -> int:
        """Its place."""
        if self.size == len(self.rows):
            self.rows = np.concatenate([self.rows, np.zeros_like(self.rows)])
            self.usable = np.concatenate([self.usable, np.zeros_like(self.usable)])
        self.rows[self.size], self.usable[self.size] = moved, True
        self.size += 1
        return self.size - 1

    def witnesses(self, demands: Demands, among: NDArray[np.bool_], off: float) -> Places:
        """For each of the demands the place of a table that will do, if possible the same; -1: there is
        none."""
        reach = demands.sign * self.rows[: self.size, demands.cell]
        least = demands.least - off * np.maximum(1.0, demands.least)
        found = np.full(len(least), -1)
        if not len(least):
            return found
        places = np.flatnonzero(among[: self.size] & (reach >= least.min()))
        if len(places):
            fitting = reach[places][:, None] >= least[None, :]
            fitting &= (self.rows[np.ix_(places, demands.known)] == 0) | (demands.known < 0)
            most = np.argsort(-fitting.sum(axis=1), kind="stable")
            first = most[fitting[most].argmax(axis=0)]
            found = np.where(fitting.any(axis=0), places[first], -1)
        return found
