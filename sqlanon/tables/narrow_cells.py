"""Which cells of a large component are known too closely, by linear programs that push many cells at once.

Of a rule of at least so many values, most cells break nothing: two tables that agree with all sums show that,
if a cell has values between them enough. An interior point (HiGHS' IPM, without a basis) is found fast where
the simplex method is slow, and each random objective drives half of the cells down and half of them up, so a
dozen of programs settles most of thousands of cells. These tables have fractions of people: they say what
linear programs cannot narrow, not what whole numbers leave.

Cells that no objective has moved are shown to be constant all together: what is constant on the tables that
agree is a linear space of functionals. So if one random combination of these cells has the same least and
largest value, each of them is constant (with probability 1; two combinations are tried). What is left has a
program for each end, as far as there is time.
"""

from __future__ import annotations

import math
import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sqlanon.tables.components import Component, Floats, model_of
from sqlanon.tables.highs import new_solver, solve

FEW = 800  # cells, for all of which programs of their own are solved
SLACK = 1e-5  # of what an interior point says
IDLE = 3  # sweeps that settle little, after which there are no more
LITTLE = 0.02  # of the cells that are left
UNMOVED = 1e-4


class Sweeps:
    """A component, the tables that were found, and what is known of its cells. rule: how many values a cell
    must have."""

    def __init__(self, component: Component, whole: bool, rule: int, deadline: float) -> None:
        import highspy

        self.highs = new_solver(solver="ipm", run_crossover="off")
        self.highs.passModel(model_of(component))
        self.optimal = highspy.HighsModelStatus.kOptimal
        self.component, self.whole, self.rule, self.deadline = component, whole, rule, deadline
        n = len(component.lower)
        self.every = np.arange(n, dtype=np.int32)
        self.random = np.random.default_rng(0)
        self.lower, self.upper = component.lower.copy(), component.upper.copy()
        self.smallest, self.largest = np.full(n, math.inf), np.full(n, -math.inf)
        self.is_wanted = np.zeros(n, dtype=bool)
        self.is_wanted[component.wanted] = True

    def solve(self, cost: Floats) -> float | None:
        """The least of an objective; None if it is not found in time."""
        left = self.deadline - time.monotonic()
        if left <= 0:
            return None
        self.highs.changeColsCost(len(self.every), self.every, cost)
        self.highs.clearSolver()
        solve(self.highs, left)
        if self.highs.getModelStatus() != self.optimal:
            return None
        values = np.array(self.highs.getSolution().col_value)
        np.minimum(self.smallest, values, out=self.smallest)
        np.maximum(self.largest, values, out=self.largest)
        return float(self.highs.getInfo().objective_function_value)

    @property
    def found(self) -> bool:
        """Is there a table that agrees?"""
        return bool(np.isfinite(self.smallest).all())

    @property
    def is_wide(self) -> NDArray[np.bool_]:
        """Has a cell values enough between the tables that were found?"""
        low = np.maximum(np.ceil(self.smallest - SLACK), self.lower)
        high = np.minimum(np.floor(self.largest + SLACK), self.upper)
        return np.asarray(high - low + 1 >= self.rule)

    @property
    def is_left(self) -> NDArray[np.bool_]:
        """Is the interval of a cell wanted, and not settled?"""
        reached = (self.smallest <= self.lower + SLACK) & (self.largest >= self.upper - SLACK)
        return np.asarray(self.is_wanted & ~(self.is_wide | reached | (self.lower >= self.rule)))

    def run(self) -> None:
        """All of it, as far as there is time."""
        if self.solve(np.zeros(len(self.every))) is None:
            return
        idle = 0
        while idle < IDLE and (before := int(self.is_left.sum())):
            cost = np.where(self.is_left, self.random.choice([-1.0, 1.0], len(self.every)), 0.0)
            for sign in (1.0, -1.0):
                if self.solve(sign * cost) is None:
                    return
            idle = idle + 1 if before - self.is_left.sum() <= LITTLE * before else 0
        self._constants()
        width = self.largest - self.smallest
        for cell in sorted(np.flatnonzero(self.is_left).tolist(), key=lambda cell: float(width[cell])):
            if not self._ends(cell):
                return

    def _constants(self) -> None:
        """Fix the cells that are the same in all tables."""
        shown, still = 0, np.zeros(len(self.every), dtype=bool)
        while shown < 2:
            still = self.is_left & (self.largest - self.smallest < UNMOVED)
            if not still.any():
                return
            cost = np.where(still, self.random.uniform(0.5, 1.0, len(still)), 0.0)
            cost *= self.random.choice([-1.0, 1.0], len(still))
            ends = self.solve(cost), self.solve(-cost)
            if ends[0] is None or ends[1] is None:
                return
            if -ends[1] - ends[0] <= SLACK:
                shown += 1
            elif (self.is_left & (self.largest - self.smallest < UNMOVED)).sum() == still.sum():
                return
            else:
                shown = 0
        value = (self.smallest + self.largest) / 2
        if self.whole:
            still &= np.abs(value - np.rint(value)) < UNMOVED
            value = np.rint(value)
        self.lower[still] = value[still]
        self.upper[still] = value[still]

    def _ends(self, cell: int) -> bool:
        """Narrow the interval of a cell, until it is settled. False if there is no time left."""
        cost = np.zeros(len(self.every))
        for sign in (-1.0, 1.0):
            if not self.is_left[cell]:
                return True
            cost[cell] = sign
            end = self.solve(cost)
            if end is None:
                return False
            bound = sign * end - sign * SLACK * max(1.0, abs(end))
            if sign < 0:
                bound = math.floor(bound) if self.whole else bound
                self.upper[cell] = min(self.upper[cell], bound)
            else:
                bound = math.ceil(bound) if self.whole else bound
                self.lower[cell] = max(self.lower[cell], bound)
        return True

    def answer(self) -> list[dict[str, Any]]:
        """The interval of every cell, as in bounds."""
        return [
            {
                "lower_bound": low,
                "upper_bound": None if high == math.inf else high,
                "is_proven": low == high,
                "is_wide": is_wide,
                "insider_lower": None,
                "insider_upper": None,
            }
            for low, high, is_wide in zip(
                self.lower.tolist(), self.upper.tolist(), self._no_program_narrows().tolist(), strict=True
            )
        ]

    def _no_program_narrows(self) -> NDArray[np.bool_]:
        """Do linear programs leave a cell as many values as the rule asks for?"""
        return np.asarray(self.is_wide | (self.lower >= self.rule))
