"""Which further cells to hide, so that no unsafe cell is known too closely.

For every unsafe cell there has to be a table that fits all that is shown, in which the cell is so much
larger, and one in which it is so much smaller; and for whoever is the only contributor of another hidden
cell, and knows that one, such tables in which it is unchanged. A linear program looks for one at the least
cost of cells that would have to be hidden for it, one unsafe cell after the other. What it moves is hidden.
Afterwards hidden cells are shown again, one by one, as long as such tables are still there.

In each sum the hidden cells together are known. So together they must be safe, too.

The tables found are kept, and in the end each is checked: what it moves is hidden, its sums hold, its cells
are at least what everybody knows. For counts that is done in whole numbers.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sqlanon.core.errors import InputError
from sqlanon.tables.linear_bounds import same_people

FREE = 1e-4  # the cost of moving a cell that is hidden already: tables that move few are found
GAP = 0.5  # a table of whole numbers may cost so much more than it need: a proof takes long
OFF = 1e-6  # in proportion to the value, how far a sum of numbers is off

Floats = NDArray[np.float64]
Table = NDArray[np.float64]  # by how much each cell is moved


@dataclass(frozen=True)
class Cells:
    """The cells of a table, as arrays, and its sums.

    least: of a hidden cell, as everybody knows. cost: of hiding it; infinite: it must be shown. up, down: how
    far an estimate of an unsafe cell must reach at least (0 of others). alone: it has one contributor.
    """

    amount: Floats
    n: NDArray[np.int64]
    first: Floats
    second: Floats
    least: Floats
    cost: Floats
    is_unsafe: NDArray[np.bool_]
    up: Floats
    down: Floats
    alone: NDArray[np.bool_]
    totals: list[int]
    parts: list[list[int]]


@dataclass(frozen=True)
class Demand:
    """A table that has to fit: with a cell that is larger (sign 1) or smaller (-1) by so much, and another
    one (None: none) unchanged."""

    cell: int
    sign: int
    by: float
    known: int | None


@dataclass(frozen=True)
class Rules:
    """What hidden cells of a sum have to meet together; None: nothing."""

    threshold: int | None
    one: float | None
    two: float | None
    share: float | None  # p/q

    def are_met(self, cells: Cells, hidden: Sequence[int]) -> bool:
        """Are so many cells together safe? They are where nobody contributes."""
        n, amount = int(cells.n[hidden].sum()), float(cells.amount[hidden].sum())
        if n == 0:
            return True
        largest = sorted([*cells.first[hidden], *cells.second[hidden]], reverse=True)
        first, second = largest[0], largest[1]
        return not (
            (self.threshold is not None and n < self.threshold)
            or (self.one is not None and first > self.one / 100 * amount)
            or (self.two is not None and first + second > self.two / 100 * amount)
            or (self.share is not None and amount - first - second < self.share * first)
        )


class OutOfTime(InputError):
    """The seconds are over."""

    def __init__(self) -> None:
        super().__init__("solver_seconds are over before all unsafe cells are protected: give more")


class Pool:
    """Tables that were found, also as the rows of one array."""

    def __init__(self, n: int) -> None:
        self.tables: list[Table] = []
        self.rows = np.zeros((64, n))

    def add(self, moved: Table) -> None:
        if len(self.tables) == len(self.rows):
            self.rows = np.concatenate([self.rows, np.zeros_like(self.rows)])
        self.rows[len(self.tables)] = moved
        self.tables.append(moved)

    def keep(self, cell: int) -> None:
        """Only those that do not move a cell."""
        self.tables = [moved for moved in self.tables if moved[cell] == 0]
        for i, moved in enumerate(self.tables):
            self.rows[i] = moved

    def first(self, cell: int, sign: int, by: float, unmoved: Sequence[int]) -> Table | None:
        """The first in which a cell is larger or smaller by so much, and others are unchanged."""
        rows = self.rows[: len(self.tables)]
        fitting = sign * rows[:, cell] >= by
        for other in unmoved:
            fitting &= rows[:, other] == 0
        return self.tables[int(fitting.argmax())] if fitting.any() else None


@dataclass
class Pattern:
    """Hidden cells, and the tables that show that they are enough."""

    cells: Cells
    whole: bool
    additive: bool
    rules: Rules
    deadline: float
    name: Callable[[int], str]
    hidden: set[int] = field(default_factory=set)
    tables: dict[Demand, Table] = field(default_factory=dict)

    def __post_init__(self) -> None:
        import highspy

        own = self.cells
        self.n = len(own.amount)
        self.pool = Pool(self.n)
        self.highs = highspy.Highs.__mro__[1]()  # the class itself prints a banner
        self.highs.setOptionValue("output_flag", False)
        self.highs.setOptionValue("threads", 1)
        self.highs.setOptionValue("mip_rel_gap", GAP)
        self.statuses = highspy.HighsModelStatus
        self.kinds = (highspy.HighsVarType.kContinuous, highspy.HighsVarType.kInteger)
        self.infinite = highspy.kHighsInf
        self.rows, self.low, self.high = self._rows()
        self.person = same_people(
            np.flatnonzero(own.alone).tolist(),
            [(total, part) for total, parts in zip(own.totals, own.parts, strict=True) for part in parts],
        )
        self.uppers: dict[int, set[int]] = {}
        for total, parts in zip(own.totals, own.parts, strict=True):
            for part in parts:
                self.uppers.setdefault(part, set()).add(total)
        self.above: dict[int, set[int]] = {}
        self.deepest = np.maximum(own.amount - own.least, 0)
        model = highspy.HighsLp()
        model.num_col_, model.num_row_ = 2 * self.n, len(self.rows)
        model.col_cost_ = np.zeros(2 * self.n)
        model.col_lower_ = np.zeros(2 * self.n)
        model.col_upper_ = np.zeros(2 * self.n)
        model.row_lower_ = np.clip(self.low, -self.infinite, self.infinite)
        model.row_upper_ = np.clip(self.high, -self.infinite, self.infinite)
        matrix = model.a_matrix_
        matrix.format_ = highspy.MatrixFormat.kRowwise
        matrix.start_ = np.cumsum([0, *(2 * len(row) for row in self.rows)], dtype=np.int32)
        index = [at for row in self.rows for cell, _ in row for at in (cell, self.n + cell)]
        value = [float(factor) for row in self.rows for _, sign in row for factor in (sign, -sign)]
        matrix.index_, matrix.value_ = np.array(index, dtype=np.int32), np.array(value)
        self.highs.passModel(model)

    def _rows(self) -> tuple[list[list[tuple[int, int]]], Floats, Floats]:
        """Sums as rows of cells and signs, with what moves may add up to in each."""
        own = self.cells
        rows, low, high = [], [], []
        for total, parts in zip(own.totals, own.parts, strict=True):
            whole_sum = [*((part, 1) for part in parts), (total, -1)]
            if self.additive:
                rows.append(whole_sum)
                low.append(0.0)
                high.append(0.0)
                continue
            rows.append(whole_sum)  # the parts are at least the total
            low.append(-float(own.amount[parts].sum() - own.amount[total]))
            high.append(math.inf)
            for part in parts:  # and each of them is at most the total
                rows.append([(part, 1), (total, -1)])
                low.append(-math.inf)
                high.append(float(own.amount[total] - own.amount[part]))
        return rows, np.array(low), np.array(high)

    def find(self, demand: Demand, only_hidden: bool) -> Table | None:
        """A table, at the least cost of what it moves; None if there is none."""
        own, n = self.cells, self.n
        cost, may_move = own.cost.copy(), np.isfinite(own.cost)
        places = sorted(self.hidden)
        cost[places], may_move[places] = FREE, True
        if only_hidden:
            may_move[:] = False
            may_move[places] = True
        if demand.known is not None:
            may_move[demand.known] = False
        # what moves little is hidden as what moves much: cost is by the share of the cell that is moved
        each = np.where(may_move, cost / np.maximum(1.0, np.minimum(own.amount, demand.by)), 0.0)
        upper = np.concatenate([
            np.where(may_move, self.infinite, 0.0), np.where(may_move, self.deepest, 0.0)
        ])  # fmt: skip
        lower = np.zeros(2 * n)
        forward, backward = demand.cell, n + demand.cell
        if demand.sign < 0:
            forward, backward = backward, forward
        lower[forward] = upper[forward] = demand.by
        lower[backward] = upper[backward] = 0.0
        every = np.arange(2 * n, dtype=np.int32)
        self.highs.changeColsBounds(2 * n, every, lower, upper)
        self.highs.changeColsCost(2 * n, every, np.concatenate([each, each]))
        moved = self._solved()
        if moved is not None and self.whole and np.abs(moved - np.rint(moved)).max() > OFF:
            # whole numbers: of the cells that this table moves, or that are hidden; or else of any
            near = np.abs(moved) > OFF
            near[sorted(self.hidden)] = True
            kept = np.where(np.concatenate([near, near]), upper, lower)
            self.highs.changeColsIntegrality(2 * n, every, np.array([self.kinds[1]] * (2 * n)))
            self.highs.changeColsBounds(2 * n, every, lower, kept)
            moved = self._solved()
            if moved is None:
                self.highs.changeColsBounds(2 * n, every, lower, upper)
                moved = self._solved()
            self.highs.changeColsIntegrality(2 * n, every, np.array([self.kinds[0]] * (2 * n)))
        if moved is None:
            return None
        if self.whole:
            moved = np.rint(moved)
        else:
            moved[np.abs(moved) < OFF * np.maximum(1.0, own.amount)] = 0.0
        self.pool.add(moved)
        return moved

    def _solved(self) -> Table | None:
        left = self.deadline - time.monotonic()
        if left <= 0:
            raise OutOfTime
        self.highs.setOptionValue("time_limit", self.highs.getRunTime() + left)
        self.highs.run()
        if self.highs.getModelStatus() == self.statuses.kTimeLimit:
            raise OutOfTime
        if self.highs.getModelStatus() != self.statuses.kOptimal:
            return None
        values = np.array(self.highs.getSolution().col_value)
        return np.asarray(values[: self.n] - values[self.n :])

    def meets(self, demand: Demand, moved: Table) -> bool:
        """Is a table, which fits the sums, one that is demanded?"""
        return bool(
            demand.sign * moved[demand.cell] >= demand.by - OFF * (not self.whole) * max(1.0, demand.by)
        ) and (demand.known is None or moved[demand.known] == 0)

    def demands(self) -> Iterator[Demand]:
        """The tables that have to be there for what is hidden now."""
        for cell in np.flatnonzero(self.cells.is_unsafe).tolist():
            yield from self.demands_of(cell)

    def demands_of(self, cell: int) -> Iterator[Demand]:
        """The same for one unsafe cell; first without regard to others."""
        own = self.cells
        alone = [other for other in sorted(self.hidden) if own.alone[other]]
        person = self.person.get(cell, -1)
        for sign, by in ((1, float(own.up[cell])), (-1, float(own.down[cell]))):
            for other in [None, *alone]:
                least = by
                if other is not None:
                    if self.person[other] == person:
                        continue
                    if sign < 0 and cell in self.totals_of(other):
                        # who contributes to a total knows that it has this at least
                        least = min(by, float(own.amount[cell] - own.amount[other]))
                if least > 0:
                    yield Demand(cell, sign, least, other)

    def totals_of(self, cell: int) -> set[int]:
        """The cells that a cell is a part of, directly or by way of others."""
        if cell not in self.above:
            found: set[int] = set()
            left = [cell]
            while left:
                new = self.uppers.get(left.pop(), set()) - found
                found |= new
                left += new
            self.above[cell] = found
        return self.above[cell]

    def known_table(self, demand: Demand, without: int | None = None) -> Table | None:
        """A table found before that will do, and that does not move a further cell."""
        return self.pool.first(
            demand.cell,
            demand.sign,
            demand.by - OFF * (not self.whole) * max(1.0, demand.by),
            [cell for cell in (demand.known, without) if cell is not None],
        )

    def hide(self, moved: Table) -> None:
        self.hidden.update(int(cell) for cell in np.flatnonzero(moved))

    def protect(self) -> None:
        """Hide cells until all demanded tables are there, and the hidden cells of each sum are safe."""
        self.hidden.update(int(cell) for cell in np.flatnonzero(self.cells.is_unsafe))
        while True:
            before = len(self.hidden)
            for cell in np.flatnonzero(self.cells.is_unsafe).tolist():
                while not self._protect_cell(cell):
                    # a count that cannot be so small may be larger instead: so many numbers are asked for
                    self.cells.down[cell] -= 1
                    self.cells.up[cell] += 1
            for total, parts in zip(self.cells.totals, self.cells.parts, strict=True):
                self._protect_sum(total, parts)
            if len(self.hidden) == before:
                return

    def _protect_cell(self, cell: int) -> bool:
        """Have all tables that are demanded for a cell; False if a count would have to be smaller than it can
        be."""
        for demand in self.demands_of(cell):
            if demand in self.tables:
                continue
            moved = self.known_table(demand)
            if moved is None:
                moved = self.find(demand, only_hidden=False)
            if moved is None and self.whole and demand.sign < 0:
                return False
            if moved is None:
                raise InputError(
                    f"{self.name(cell)} cannot be protected by hiding cells"
                    + (
                        ""
                        if demand.known is None
                        else f" from the only contributor of {self.name(demand.known)}"
                    )
                    + ": too much has to be shown; let more cells be hidden, or make the table coarser"
                )
            self.tables[demand] = moved
            self.hide(moved)
        return True

    def _protect_sum(self, total: int, parts: Sequence[int]) -> None:
        """Hide further cells of a sum, cheapest first, until those that are hidden are safe together."""
        own = self.cells
        while (
            total not in self.hidden
            and (hidden := [part for part in parts if part in self.hidden])
            and not self.rules.are_met(own, hidden)
        ):
            others = [
                cell for cell in [*parts, total] if cell not in self.hidden and math.isfinite(own.cost[cell])
            ]
            if not others:
                raise InputError(
                    f"the hidden cells of {self.name(total)} are not safe together, and no other cell of "
                    "this sum may be hidden: let more cells be hidden, or make the table coarser"
                )
            self.hidden.add(min(others, key=lambda cell: (own.cost[cell], own.amount[cell], cell)))

    def show_again(self, keep: int) -> None:
        """Show what need not be hidden, the most expensive first, but leave so many that are not unsafe. As
        far as half of the time that is left allows."""
        own = self.cells
        self.deadline = (time.monotonic() + self.deadline) / 2
        extra = [cell for cell in self.hidden if not own.is_unsafe[cell]]
        left = len(extra)
        for cell in sorted(extra, key=lambda cell: (-own.cost[cell], cell)):
            if left <= keep:
                return
            self.hidden.discard(cell)
            try:
                tables = self._tables_without(cell)
            except OutOfTime:
                self.hidden.add(cell)
                return
            if tables is None:
                self.hidden.add(cell)
                continue
            self.tables.update(tables)
            self.pool.keep(cell)
            left -= 1

    def _tables_without(self, cell: int) -> dict[Demand, Table] | None:
        """Other tables for those that move a cell; None where one is not there, or a sum is not safe."""
        for total, parts in zip(self.cells.totals, self.cells.parts, strict=True):
            if total == cell or cell in parts:
                hidden = [part for part in parts if part in self.hidden]
                if total not in self.hidden and hidden and not self.rules.are_met(self.cells, hidden):
                    return None
        found: dict[Demand, Table] = {}
        for moved, demands in self.by_table():
            if moved[cell] == 0:
                continue
            for demand in demands:
                if demand.known == cell:  # whose contributor knows what everybody knows then
                    continue
                other = self.known_table(demand, without=cell)
                if other is None:
                    other = self.find(demand, only_hidden=True)
                if other is None:
                    return None
                found[demand] = other
        return found

    def by_table(self) -> list[tuple[Table, list[Demand]]]:
        """The tables, and what each is there for; first what is demanded without regard to others."""
        grouped: dict[int, tuple[Table, list[Demand]]] = {}
        for demand, moved in self.tables.items():
            if demand.known is None or demand.known in self.hidden:
                grouped.setdefault(id(moved), (moved, []))[1].append(demand)
        return sorted(grouped.values(), key=lambda each: each[1][0].known is not None)

    def check(self) -> None:
        """Look at every demanded table once more. Errors: InputError; that would be a mistake here."""
        own = self.cells
        hidden = np.zeros(self.n, dtype=bool)
        hidden[sorted(self.hidden)] = True
        demanded = set(self.demands())
        starts = np.cumsum([0, *(len(row) for row in self.rows)])[:-1]
        places = np.array([cell for row in self.rows for cell, _ in row], dtype=np.int64)
        signs = np.array([sign for row in self.rows for _, sign in row], dtype=np.float64)
        off = 0.0 if self.whole else OFF * 10 * max(1.0, float(own.amount.max()))
        for moved, demands in self.by_table():
            sums = np.add.reduceat(signs * moved[places], starts) if len(places) else np.zeros(0)
            if (
                not moved[~hidden].any()
                and (own.amount + moved >= own.least - off)[hidden].all()
                and (sums >= self.low - off).all()
                and (sums <= self.high + off).all()
            ):
                demanded -= {demand for demand in demands if self.meets(demand, moved)}
        for demand in demanded:
            raise InputError(f"{self.name(demand.cell)} is not protected: nothing is released")


def suppression(
    cells: Sequence[Mapping[str, Any]],
    sums: Sequence[Mapping[str, Any]],
    rules: Mapping[str, Any],
    whole: bool,
    additive: bool,
    seconds: float,
) -> dict[str, Any]:
    """The function of SQL: which cells are hidden, from lists as in sql/tables/suppress_cells.sql."""
    try:
        return {"is_hidden": _suppressed(cells, sums, rules, whole, additive, seconds), "problem": None}
    except InputError as error:
        return {"is_hidden": None, "problem": str(error)}


def _suppressed(
    cells: Sequence[Mapping[str, Any]],
    sums: Sequence[Mapping[str, Any]],
    rules: Mapping[str, Any],
    whole: bool,
    additive: bool,
    seconds: float,
) -> list[bool]:

    def column(name: str, missing: float = 0.0) -> Floats:
        return np.array([missing if cell[name] is None else cell[name] for cell in cells], dtype=np.float64)

    own = Cells(
        column("amount"),
        column("n").astype(np.int64),
        column("first"),
        column("second"),
        column("least"),
        column("cost", math.inf),
        column("is_unsafe").astype(bool),
        column("up"),
        column("down"),
        column("n") == 1,
        [each["total"] - 1 for each in sums],
        [[part - 1 for part in each["parts"]] for each in sums],
    )
    share = None if rules["p"] is None else rules["p"] / rules["q"]
    pattern = Pattern(
        own,
        whole,
        additive,
        Rules(rules["threshold"], rules["one_percent"], rules["two_percent"], share),
        time.monotonic() + seconds,
        lambda cell: str(cells[cell]["name"]),
    )
    pattern.protect()
    # where only unsafe counts were hidden, everybody would know that each of them is below the threshold
    only_small = whole and rules["threshold"] is not None and bool(own.is_unsafe.any())
    if only_small and all(own.is_unsafe[cell] for cell in pattern.hidden):
        others = [
            cell for cell in range(len(cells)) if math.isfinite(own.cost[cell]) and not own.is_unsafe[cell]
        ]
        if not others:
            raise InputError("no cell may be hidden beside the unsafe ones, which are known to be small then")
        pattern.hidden.add(min(others, key=lambda cell: (own.cost[cell], own.amount[cell], cell)))
        pattern.protect()
    pattern.show_again(keep=1 if only_small else 0)
    pattern.check()
    return [cell in pattern.hidden for cell in range(len(cells))]
