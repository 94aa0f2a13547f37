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
TRIES = 4  # with other costs, before a table of whole numbers is looked for by an integer program
GAP = 0.5  # a table of whole numbers may cost so much more than it need: a proof takes long
OFF = 1e-6  # in proportion to the value, how far a sum of numbers is off

Floats = NDArray[np.float64]
Places = NDArray[np.int64]
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
class Demands:
    """Several of one cell and sign: of each the cell that is unchanged (-1: none), and by how much at
    least."""

    cell: int
    sign: int
    known: Places
    least: Floats

    def __len__(self) -> int:
        return len(self.known)

    def where(self, chosen: NDArray[Any]) -> Demands:
        """Some of them, by a mask or by places."""
        return Demands(self.cell, self.sign, self.known[chosen], self.least[chosen])

    def first(self) -> Demand:
        known = int(self.known[0])
        return Demand(self.cell, self.sign, float(self.least[0]), None if known < 0 else known)


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
        """For each of the demands the place of a table that will do; -1: there is none."""
        reach = demands.sign * self.rows[: self.size, demands.cell]
        least = demands.least - off * np.maximum(1.0, demands.least)
        found = np.full(len(least), -1)
        if not len(least):
            return found
        places = np.flatnonzero(among[: self.size] & (reach >= least.min()))
        if len(places):
            fitting = reach[places][:, None] >= least[None, :]
            fitting &= (self.rows[np.ix_(places, demands.known)] == 0) | (demands.known < 0)
            first = fitting.argmax(axis=0)
            found = np.where(fitting.any(axis=0), places[first], -1)
        return found


class Moves:
    """The model of what some cells of a table can be moved by, such that its sums hold: each by so much up
    and so much down. costs: of moving a cell by 1. quick: any table
    of whole numbers will do, however dear."""

    def __init__(
        self, rows: Sequence[Sequence[tuple[int, int]]], low: Floats, high: Floats, deepest: Floats,
        movable: Places, costs: Floats, quick: bool,
    ) -> None:  # fmt: skip
        import highspy

        self.highs = highspy.Highs.__mro__[1]()  # the class itself prints a banner
        self.highs.setOptionValue("output_flag", False)
        self.highs.setOptionValue("threads", 1)
        self.highs.setOptionValue("mip_rel_gap", GAP)
        if quick:
            self.highs.setOptionValue("mip_max_improving_sols", 1)
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

    def have_fixed(self, cell: int) -> None:
        """Move a cell no more, whatever is asked."""
        at = self.column[cell]
        self.upper[[at, self.size + at]] = 0.0
        self._have_bounds(np.array([at, self.size + at], dtype=np.int32), np.zeros(2), np.zeros(2))

    def _have_bounds(self, columns: NDArray[np.int32], lower: Floats, upper: Floats) -> None:
        self.highs.changeColsBounds(len(columns), columns, lower, upper)

    def find(self, demand: Demand, unmoved: Sequence[int], whole: bool, deadline: float) -> Table | None:
        """A table that is demanded, at the least cost of what it moves, without some cells; None if there is
        none. Of whole numbers it is nearly at the least cost."""
        forward = int(self.column[demand.cell])
        backward = self.size + forward
        if demand.sign < 0:
            forward, backward = backward, forward
        known = [demand.known] if demand.known is not None else []
        fixed = [int(self.column[cell]) for cell in (*unmoved, *known) if self.column[cell] >= 0]
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
            moved = self._whole_table(moved, limits, deadline)
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
        self._have_bounds(every, lower, np.where(near, upper, lower))
        found = self._solved(deadline)
        self._have_bounds(every, lower, upper)
        if found is None and not near.all():
            found = self._solved(deadline)
        self.highs.changeColsIntegrality(len(every), every, np.array([self.kinds[0]] * len(every)))
        return found

    def _solved(self, deadline: float) -> Floats | None:
        left = deadline - time.monotonic()
        if left <= 0:
            raise OutOfTime
        self.highs.setOptionValue("time_limit", self.highs.getRunTime() + left)
        self.highs.run()
        if self.highs.getModelStatus() == self.statuses.kTimeLimit:
            raise OutOfTime
        if self.highs.getModelStatus() not in (self.statuses.kOptimal, self.statuses.kSolutionLimit):
            return None
        values = np.array(self.highs.getSolution().col_value)
        return np.asarray(values[: self.size] - values[self.size :])


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

    def __post_init__(self) -> None:
        own = self.cells
        self.n = len(own.amount)
        self.pool = Pool(self.n)
        self.off = 0.0 if self.whole else OFF
        self.rows, self.low, self.high = self._rows()
        person = same_people(
            np.flatnonzero(own.alone).tolist(),
            [(total, part) for total, parts in zip(own.totals, own.parts, strict=True) for part in parts],
        )
        self.person = np.full(self.n, -1)
        self.person[[*person]] = [*person.values()]
        self.uppers: dict[int, set[int]] = {}
        self.sums_of: dict[int, list[int]] = {}
        for k, (total, parts) in enumerate(zip(own.totals, own.parts, strict=True)):
            for cell in (total, *parts):
                self.sums_of.setdefault(cell, []).append(k)
            for part in parts:
                self.uppers.setdefault(part, set()).add(total)
        self.above: dict[int, set[int]] = {}
        self.deepest = np.maximum(own.amount - own.least, 0)
        self.unsafe = np.flatnonzero(own.is_unsafe).tolist()

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

    def _model(self, movable: Places, costs: Floats, quick: bool) -> Moves:
        return Moves(self.rows, self.low, self.high, self.deepest, movable, costs, quick)

    def _add(self, moved: Table) -> int:
        """Keep a table that was found; its place."""
        if self.whole:
            moved = np.rint(moved)
        else:
            moved[np.abs(moved) < OFF * np.maximum(1.0, self.cells.amount)] = 0.0
        return self.pool.add(moved)

    def demands(self, cell: int) -> Iterator[Demands]:
        """The tables that have to be there for an unsafe cell and for what is hidden now."""
        own = self.cells
        alone = np.array([other for other in sorted(self.hidden) if own.alone[other]], dtype=np.int64)
        alone = alone[self.person[alone] != self.person[cell]]
        for sign, by in ((1, float(own.up[cell])), (-1, float(own.down[cell]))):
            least = np.full(len(alone), by)
            if sign < 0:
                # who contributes to a total knows that it has this at least
                within = np.array([cell in self.totals_of(int(other)) for other in alone], dtype=bool)
                most = own.amount[cell] - own.amount[alone]
                least[within] = np.minimum(least, most)[within]
            known = np.concatenate([[-1], alone])
            least = np.concatenate([[by], least])
            yield Demands(cell, sign, known[least > 0], least[least > 0])

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

    def protect(self) -> None:
        """Hide cells until all demanded tables are there, and the hidden cells of each sum are safe."""
        self.hidden.update(self.unsafe)
        movable = np.isfinite(self.cells.cost)
        movable[self.unsafe] = True
        model = self._model(np.flatnonzero(movable), np.zeros(self.n), False)
        while True:
            before = len(self.hidden)
            for cell in self.unsafe:
                while not self._protect_cell(model, cell):
                    # a count that cannot be so small may be larger instead: so many numbers are asked for
                    self.cells.down[cell] -= 1
                    self.cells.up[cell] += 1
            for total, parts in zip(self.cells.totals, self.cells.parts, strict=True):
                self._protect_sum(total, parts)
            if len(self.hidden) == before:
                return

    def _protect_cell(self, model: Moves, cell: int) -> bool:
        """Have all tables that are demanded for a cell; False if a count would have to be smaller than it can
        be."""
        own = self.cells
        for demands in self.demands(cell):
            while (missing := self.pool.witnesses(demands, self.pool.usable, self.off) < 0).any():
                demand = demands.where(missing).first()
                # what moves little is hidden as what moves much: cost is by the share that is moved
                costs = own.cost.copy()
                costs[sorted(self.hidden)] = FREE
                costs[~np.isfinite(costs)] = 0.0
                shares = np.maximum(1.0, np.minimum(own.amount, demand.by))
                model.have_costs(costs / shares, sorted(self.hidden))
                moved = model.find(demand, (), self.whole, self.deadline)
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
                place = self._add(moved)
                self.hidden.update(np.flatnonzero(self.pool.rows[place]).tolist())
        return True

    def _protect_sum(self, total: int, parts: Sequence[int]) -> None:
        """Hide further cells of a sum, cheapest first, until those that are hidden are safe together."""
        own = self.cells
        while not self._is_safe(total, parts):
            others = [
                cell for cell in [*parts, total] if cell not in self.hidden and math.isfinite(own.cost[cell])
            ]
            if not others:
                raise InputError(
                    f"the hidden cells of {self.name(total)} are not safe together, and no other cell of "
                    "this sum may be hidden: let more cells be hidden, or make the table coarser"
                )
            self.hidden.add(min(others, key=lambda cell: (own.cost[cell], own.amount[cell], cell)))

    def _is_safe(self, total: int, parts: Sequence[int]) -> bool:
        """Are the hidden parts of a total, which together are known if it is shown, safe together?"""
        hidden = [part for part in parts if part in self.hidden]
        return total in self.hidden or not hidden or self.rules.are_met(self.cells, hidden)

    def show_again(self, keep: int) -> None:
        """Show what need not be hidden, the most expensive first, but leave so many that are not unsafe. As
        far as a quarter of the time that is left allows."""
        own, pool = self.cells, self.pool
        deadline = (3 * time.monotonic() + self.deadline) / 4
        extra = [cell for cell in self.hidden if not own.is_unsafe[cell]]
        left = len(extra)
        model = self._model(np.array(sorted(self.hidden)), FREE / np.maximum(1.0, own.amount), True)
        every = [demands for cell in self.unsafe for demands in self.demands(cell)]
        witness = [pool.witnesses(demands, pool.usable, self.off) for demands in every]
        sizes = [len(each) for each in witness]
        group = np.repeat(np.arange(len(every)), sizes)
        within = np.concatenate([*map(np.arange, sizes), np.zeros(0, int)])
        place = np.concatenate([*witness, np.zeros(0, int)])
        known = np.concatenate([*(demands.known for demands in every), np.zeros(0, int)])
        for cell in sorted(extra, key=lambda cell: (-own.cost[cell], cell)):
            if left <= keep:
                return
            self.hidden.discard(cell)
            lost = np.flatnonzero((pool.rows[place, cell] != 0) & (known != cell))
            lost = lost[np.argsort(known[lost] >= 0, kind="stable")]  # what outsiders know comes first
            found: dict[int, Places] = {}
            try:
                is_safe = all(self._is_safe(own.totals[k], own.parts[k]) for k in self.sums_of.get(cell, []))
                for k in dict.fromkeys(group[lost].tolist()) if is_safe else ():
                    asked = every[k].where(within[lost[group[lost] == k]])
                    others = self._tables_without(model, cell, asked, deadline)
                    if others is None:
                        is_safe = False
                        break
                    found[k] = others
            except OutOfTime:
                self.hidden.add(cell)
                return
            if not is_safe:
                self.hidden.add(cell)
                continue
            for k, others in found.items():
                place[lost[group[lost] == k]] = others
            # whoever contributes to it alone knows what everybody knows then
            left_over = known != cell
            group, within, place, known = (each[left_over] for each in (group, within, place, known))
            pool.usable &= pool.rows[:, cell] == 0
            model.have_fixed(cell)
            left -= 1

    def _tables_without(self, model: Moves, cell: int, demands: Demands, deadline: float) -> Places | None:
        """Places of tables that do not move a cell; None where one is not there."""
        pool = self.pool
        places = pool.witnesses(demands, pool.usable & (pool.rows[:, cell] == 0), self.off)
        while (places < 0).any():
            lacking = demands.where(places < 0)
            moved = model.find(lacking.first(), [cell], self.whole, deadline)
            if moved is None:
                return None
            added = self._add(moved)
            places[places < 0] = pool.witnesses(lacking, np.arange(pool.size) == added, self.off)
        return places

    def check(self) -> None:
        """Look at every demanded table once more. Errors: InputError; that would be a mistake here."""
        own, pool = self.cells, self.pool
        hidden = np.zeros(self.n, dtype=bool)
        hidden[sorted(self.hidden)] = True
        starts = np.cumsum([0, *(len(row) for row in self.rows)])[:-1]
        places = np.array([cell for row in self.rows for cell, _ in row], dtype=np.int64)
        signs = np.array([sign for row in self.rows for _, sign in row], dtype=np.float64)
        off = 0.0 if self.whole else OFF * 10 * max(1.0, float(own.amount.max()))
        holds = np.zeros(len(pool.usable), dtype=bool)
        for i in range(pool.size):
            moved = pool.rows[i]
            sums = np.add.reduceat(signs * moved[places], starts) if len(places) else np.zeros(0)
            holds[i] = (
                not moved[~hidden].any()
                and (own.amount + moved >= own.least - off)[hidden].all()
                and (sums >= self.low - off).all()
                and (sums <= self.high + off).all()
            )
        for cell in self.unsafe:
            for demands in self.demands(cell):
                if (pool.witnesses(demands, holds, self.off) < 0).any():
                    raise InputError(f"{self.name(cell)} is not protected: nothing is released")


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
