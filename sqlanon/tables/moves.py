"""The linear program of suppression: the table in which a cell is so much larger or smaller, at the least
cost."""

from __future__ import annotations

import time
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sqlanon.core.errors import InputError
from sqlanon.tables.highs import new_solver, solve
from sqlanon.tables.pool import Demand, Floats, Places, Table

TRIES = 2  # with other costs, before a table of whole numbers is looked for by an integer program
GAP = 0.5  # a table of whole numbers may cost so much more than it need: a proof takes long
OFF = 1e-6  # in proportion to the value, how far a sum of numbers is off


class OutOfTime(InputError):
    """The seconds are over."""

    def __init__(self) -> None:
        super().__init__("the time is over before all unsafe cells are protected: give solver_seconds := 600")


class Moves:
    """The model of what some cells of a table can be moved by, such that its sums hold: each by so much up
    and so much down. costs: of moving a cell by 1. integer: where linear programs find no table of whole
    numbers, integer programs look for one."""

    def __init__(
        self, rows: Sequence[Sequence[tuple[int, int]]], low: Floats, high: Floats, deepest: Floats,
        movable: Places, costs: Floats, integer: bool,
    ) -> None:  # fmt: skip
        import highspy

        # with the costs as they are, nearly every optimum is a table of whole numbers
        self.highs = new_solver(
            presolve="off", dual_simplex_cost_perturbation_multiplier=0.0, mip_rel_gap=GAP
        )
        self.integer = integer
        self.statuses = highspy.HighsModelStatus
        self.kinds = (highspy.HighsVarType.kContinuous, highspy.HighsVarType.kInteger)
        self.infinite = highspy.kHighsInf
        self.movable, self.size, self.n = movable, len(movable), len(deepest)
        column = np.full(self.n, -1)
        column[movable] = np.arange(self.size)
        self.column = column
        self.every = np.arange(2 * self.size, dtype=np.int32)
        self.upper = np.concatenate([np.full(self.size, self.infinite), deepest[movable]])
        self.moved = np.zeros(0, dtype=np.int32)  # columns whose bounds are others just now
        self.is_hidden = np.ones(self.size, dtype=bool)
        model = highspy.HighsLp()
        kept = [k for k, row in enumerate(rows) if any(column[cell] >= 0 for cell, _ in row)]
        terms = [[(column[cell], sign) for cell, sign in rows[k] if column[cell] >= 0] for k in kept]
        model.num_col_, model.num_row_ = 2 * self.size, len(kept)
        self.random = np.random.default_rng(0)
        self.costs = np.concatenate([costs[movable], costs[movable]])
        model.col_cost_ = self.costs
        model.col_lower_, model.col_upper_ = np.zeros(2 * self.size), self.upper
        model.row_lower_ = np.clip(low[kept], -self.infinite, self.infinite)
        model.row_upper_ = np.clip(high[kept], -self.infinite, self.infinite)
        matrix = model.a_matrix_
        matrix.format_ = highspy.MatrixFormat.kRowwise
        matrix.start_ = np.cumsum([0, *(2 * len(row) for row in terms)], dtype=np.int32)
        index = [at for row in terms for place, _ in row for at in (place, self.size + place)]
        value = [float(factor) for row in terms for _, sign in row for factor in (sign, -sign)]
        matrix.index_, matrix.value_ = np.array(index, dtype=np.int32), np.array(value)
        self.highs.passModel(model)

    def have_costs(self, costs: Floats, hidden: Sequence[int]) -> None:
        """Let moving a cell by 1 cost something else. hidden: the cells that are."""
        own = costs[self.movable]
        self.is_hidden[:] = False
        self.is_hidden[self.column[hidden]] = True
        self.costs = np.concatenate([own, own])
        self.highs.changeColsCost(len(self.every), self.every, self.costs)
        self.highs.setBasis()  # from no table at all it is not far then; from the last one it is

    def have_fixed(self, cell: int) -> None:
        """Move a cell no more, whatever the goal is."""
        at = self.column[cell]
        self.upper[[at, self.size + at]] = 0.0
        self._have_bounds(np.array([at, self.size + at], dtype=np.int32), np.zeros(2), np.zeros(2))

    def _have_bounds(self, columns: NDArray[np.int32], lower: Floats, upper: Floats) -> None:
        self.highs.changeColsBounds(len(columns), columns, lower, upper)

    def find(self, demand: Demand, whole: bool, deadline: float) -> Table | None:
        """A table that is demanded, at the least cost of what it moves; None if none is found. One of whole
        numbers is nearly at the least cost."""
        forward = int(self.column[demand.cell])
        backward = self.size + forward
        if demand.sign < 0:
            forward, backward = backward, forward
        fixed = [int(self.column[cell]) for cell in demand.unmoved if self.column[cell] >= 0]
        if int(self.column[demand.cell]) in fixed or self.upper[forward] < demand.by:
            return None
        columns = [forward, backward, *fixed, *(self.size + at for at in fixed)]
        limits = np.array([demand.by, *[0.0] * (len(columns) - 1)])
        self._have_bounds(self.moved, np.zeros(len(self.moved)), self.upper[self.moved])
        self.moved = np.array(columns, dtype=np.int32)
        self._have_bounds(self.moved, limits, limits)
        moved = self._solved(deadline)
        for _ in range(TRIES):
            if moved is None or not whole or np.abs(moved - np.rint(moved)).max() <= OFF:
                break
            # other costs have another vertex as their optimum, and most vertices are of whole numbers
            costs = self.costs * self.random.uniform(0.5, 1.5, len(self.costs))
            self.highs.changeColsCost(len(self.every), self.every, costs)
            moved = self._solved(deadline)
        if moved is not None and whole and np.abs(moved - np.rint(moved)).max() > OFF:
            moved = self._whole_table(moved, limits, deadline) if self.integer else None
        if moved is None:
            return None
        table = np.zeros(self.n)
        table[self.movable] = moved
        return table

    def _whole_table(self, moved: Floats, limits: Floats, deadline: float) -> Floats | None:
        """A table of whole numbers: of the cells that this one moves, or that are hidden; or else of any."""
        every, upper = self.every, self.upper.copy()
        lower = np.zeros(len(upper))
        lower[self.moved] = upper[self.moved] = limits
        near = np.concatenate([(np.abs(moved) > OFF) | self.is_hidden] * 2)
        self.highs.changeColsIntegrality(len(every), every, np.array([self.kinds[1]] * len(every)))
        self.highs.setOptionValue("presolve", "choose")
        self._have_bounds(every, lower, np.where(near, upper, lower))
        found = self._solved(deadline)
        self._have_bounds(every, lower, upper)
        if found is None and not near.all():
            found = self._solved(deadline)
        self.highs.changeColsIntegrality(len(every), every, np.array([self.kinds[0]] * len(every)))
        self.highs.setOptionValue("presolve", "off")
        return found

    def _solved(self, deadline: float) -> Floats | None:
        left = deadline - time.monotonic()
        if left <= 0:
            raise OutOfTime
        solve(self.highs, left)
        if self.highs.getModelStatus() == self.statuses.kTimeLimit:
            raise OutOfTime
        if self.highs.getModelStatus() != self.statuses.kOptimal:
            return None
        values = np.array(self.highs.getSolution().col_value)
        return np.asarray(values[: self.size] - values[self.size :])
