"""Which further cells to hide, so that no unsafe cell is known too closely.

For every unsafe cell there has to be a table that fits all that is shown, in which the cell is so much
larger, and one in which it is so much smaller; and for whoever is the only contributor of another hidden
cell, and knows that one, such tables in which it is unchanged. A linear program looks for one at the least
cost of cells that would have to be hidden for it, one unsafe cell after the other. What it moves is hidden.
Afterwards hidden cells are shown again, one by one, as long as such tables are still there; and those that no
table moves, which are known all the same.

In each sum the hidden cells together are known. So together they must be safe, too.

The tables found are kept, and in the end each is checked: what it moves is hidden, its sums hold, its cells
are at least what everybody knows. For counts that is done in whole numbers.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sqlanon.core.errors import InputError
from sqlanon.tables.linear_bounds import same_people
from sqlanon.tables.moves import OFF, Moves, OutOfTime
from sqlanon.tables.pool import Demand, Demands, Floats, Places, Pool, Table

FREE = 1e-4  # the cost of moving a cell that is hidden already: tables that move few are found
COVERS = 20  # how many of the cheapest cells are tried beside unsafe ones that are known to be small
MOVED = 1e-4  # in proportion to a sum: what is moved by less is known
UNSAFE = 0.001  # the same, beside a hidden cell that perhaps need not be; with less, tables move many cells


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
    known: set[int] = field(default_factory=set)  # if hidden, all the same: they protect nothing

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

    def _model(self, movable: Places, costs: Floats, integer: bool) -> Moves:
        return Moves(self.rows, self.low, self.high, self.deepest, movable, costs, integer)

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
        # who is alone in a total knows what others have in its parts, whatever is published: nothing
        above = self.totals_of(cell)
        alone = alone[[int(other) not in above for other in alone]]
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
        model = self._model(np.flatnonzero(movable), np.zeros(self.n), True)
        while True:
            before = len(self.hidden)
            for cell in self.unsafe:
                while not self._protect_cell(model, cell):
                    # a count that cannot be so small may be larger instead: so many numbers are demanded
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
                lacking = demands.where(missing)
                # what moves little is hidden as what moves much: cost is by the share that is moved
                costs = own.cost.copy()
                costs[sorted(self.hidden)] = FREE
                costs[~np.isfinite(costs)] = 0.0
                shares = np.maximum(1.0, np.minimum(own.amount, lacking.least.max()))
                model.have_costs(costs / shares, sorted(self.hidden))
                moved = self._find(model, lacking, self.deadline)
                if moved is None and self.whole and demands.sign < 0:
                    return False
                if moved is None:
                    raise InputError(
                        f"{self.name(cell)} cannot be protected by hiding cells"
                        + (
                            ""
                            if lacking.known[0] < 0
                            else f" from the only contributor of {self.name(int(lacking.known[0]))}"
                        )
                        + ": too much has to be shown; let more cells be hidden, or make the table coarser"
                    )
                place = self._add(moved)
                self.hidden.update(np.flatnonzero(self.pool.rows[place]).tolist())
        return True

    def _find(self, model: Moves, lacking: Demands, deadline: float, *unmoved: int) -> Table | None:
        """A table that is all of the demands, or at least the first; None if there is none."""
        if len(lacking) > 1:
            moved = model.find(lacking.together(*unmoved), self.whole, deadline)
            if moved is not None:
                return moved
        return model.find(lacking.where([0]).together(*unmoved), self.whole, deadline)

    def _protect_sum(self, total: int, parts: Sequence[int]) -> None:
        """Hide further cells of a sum, cheapest first, until those that are hidden are safe together."""
        own = self.cells
        while not self._is_safe(total, parts):
            others = [
                cell
                for cell in [*parts, total]
                if cell not in self.hidden | self.known and math.isfinite(own.cost[cell])
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

    def cover(self) -> set[int]:
        """Hide a cell that is not unsafe, and what has to be hidden so that it is not known: if only unsafe
        counts were hidden, everybody would know that each of them is below the threshold. The cells."""
        own = self.cells
        others = [
            cell
            for cell in np.flatnonzero(np.isfinite(own.cost) & ~own.is_unsafe).tolist()
            if cell not in self.known
        ]
        others.sort(key=lambda cell: (own.cost[cell], own.amount[cell], cell))
        movable = np.isfinite(own.cost)
        movable[self.unsafe] = True
        model = self._model(np.flatnonzero(movable), np.zeros(self.n), False)
        costs = np.where(np.isfinite(own.cost), own.cost, 0.0)
        costs[sorted(self.hidden)] = FREE
        model.have_costs(costs, sorted(self.hidden))
        best: tuple[float, set[int]] | None = None
        tried = 0
        for cell in others:
            if tried == COVERS or (best is not None and best[0] <= own.cost[cell]):
                break
            for sign in (1, -1):
                moved = model.find(Demand(cell, sign, 1.0, ()), self.whole, self.deadline)
                if moved is None:
                    continue
                new = {*np.flatnonzero(np.rint(moved)).tolist()} - self.hidden
                cost = float(own.cost[sorted(new)].sum())
                if best is None or cost < best[0]:
                    best = cost, new
            tried += best is not None
        if best is None:
            raise InputError("no cell may be hidden beside the unsafe ones, which are known to be small then")
        self.hidden |= best[1]
        return best[1]

    def known_all_the_same(self) -> set[int]:
        """The hidden cells that are not unsafe, and that no table moves: those that are found in a quarter of
        the time that is left."""
        own, pool = self.cells, self.pool
        deadline = (3 * time.monotonic() + self.deadline) / 4
        hidden = np.zeros(self.n, dtype=bool)
        hidden[sorted(self.hidden)] = True
        rows = pool.rows[: pool.size]
        is_moved = (rows[~(rows[:, ~hidden] != 0).any(axis=1)] != 0).any(axis=0)
        doubtful = np.flatnonzero(hidden & ~own.is_unsafe & ~is_moved).tolist()
        if not doubtful:
            return set()
        model = self._model(np.array(sorted(self.hidden)), np.full(self.n, FREE), False)
        found: set[int] = set()
        with suppress(OutOfTime):
            for cell in doubtful:
                by = 1.0 if self.whole else MOVED * max(1.0, float(own.amount[cell]))
                if not any(
                    model.find(Demand(cell, sign, by, ()), False, deadline) is not None for sign in (1, -1)
                ):
                    found.add(cell)
        return found

    def finish(self, only_small: bool) -> None:
        """Hide what has to be, and no more. only_small: if only unsafe cells are hidden, they are known to be
        small."""
        self.protect()
        covers: set[int] = set()
        while True:
            self.show_again(covers)
            known = self.known_all_the_same()
            self.hidden -= known
            if not known <= self.known:
                self.known |= known
            elif only_small and not covers and all(self.cells.is_unsafe[cell] for cell in self.hidden):
                covers = self.cover()
            else:
                break
            self.protect()
        self.check()

    def show_again(self, keep: Set[int]) -> None:
        """Show what need not be hidden, the most expensive first, but not these. As far as a quarter of the
        time that is left allows."""
        own, pool = self.cells, self.pool
        deadline = (3 * time.monotonic() + self.deadline) / 4
        extra = [cell for cell in sorted(self.hidden - keep) if not own.is_unsafe[cell]]
        amount = np.maximum(1.0, own.amount)
        costs = np.where(own.is_unsafe, UNSAFE, 1.0) / amount
        model = self._model(np.array(sorted(self.hidden)), costs, False)
        every = [demands for cell in self.unsafe for demands in self.demands(cell)]
        try:
            witness = self._other_tables(model, every, deadline)
        except OutOfTime:
            return
        sizes = [len(demands) for demands in every]
        group = np.repeat(np.arange(len(every)), sizes)
        within = np.concatenate([*map(np.arange, sizes), np.zeros(0, int)])
        place = np.concatenate([*witness, np.zeros(0, int)])
        known = np.concatenate([*(demands.known for demands in every), np.zeros(0, int)])
        while extra:
            cell = self._next_to_show(extra, place)
            extra.remove(cell)
            self.hidden.discard(cell)
            lost = np.flatnonzero((pool.rows[place, cell] != 0) & (known != cell))
            lost = lost[np.argsort(known[lost] >= 0, kind="stable")]  # what outsiders know comes first
            found: dict[int, Places] = {}
            try:
                is_safe = all(self._is_safe(own.totals[k], own.parts[k]) for k in self.sums_of.get(cell, []))
                for k in dict.fromkeys(group[lost].tolist()) if is_safe else ():
                    demanded = every[k].where(within[lost[group[lost] == k]])
                    others = self._tables(model, demanded, deadline, cell)
                    if others is None:
                        is_safe = False
                        break
                    found[k] = others
            except OutOfTime:
                self.hidden.add(cell)
                return
            if not is_safe:
                self.hidden.add(cell)
                costs[cell] = UNSAFE / amount[cell]
                model.have_costs(costs, sorted(self.hidden))
                continue
            for k, others in found.items():
                place[lost[group[lost] == k]] = others
            # whoever contributes to it alone knows what everybody knows then
            left_over = known != cell
            group, within, place, known = (each[left_over] for each in (group, within, place, known))
            pool.usable &= pool.rows[:, cell] == 0
            model.have_fixed(cell)

    def _other_tables(self, model: Moves, every: Sequence[Demands], deadline: float) -> list[Places]:
        """Places of tables for all demands that move few of the cells that need not be hidden; where none are
        found, of those that are there."""
        pool, found_before = self.pool, self.pool.size
        pool.usable[:] = False
        answer = []
        for demands in every:
            places = self._tables(model, demands, deadline)
            if places is None:
                places = pool.witnesses(demands, np.arange(pool.size) < found_before, self.off)
            answer.append(places)
        return answer

    def _next_to_show(self, extra: Sequence[int], place: Places) -> int:
        """Of the most expensive cells the one that the fewest tables move: others have to be found for
        these. place: of the tables that are needed."""
        is_used = np.zeros(self.pool.size, dtype=bool)
        is_used[place] = True
        moving = (self.pool.rows[np.ix_(np.flatnonzero(is_used), np.array(extra))] != 0).sum(axis=0)
        return min(zip(-self.cells.cost[extra], moving, extra, strict=True))[2]

    def _tables(
        self, model: Moves, demands: Demands, deadline: float, shown: int | None = None
    ) -> Places | None:
        """Places of tables that are demanded, and do not move a cell that is to be shown; None where one is
        not there."""
        pool, unmoved = self.pool, () if shown is None else (shown,)
        places = pool.witnesses(demands, pool.usable & (pool.rows[:, unmoved] == 0).all(axis=1), self.off)
        while (places < 0).any():
            lacking = demands.where(places < 0)
            moved = self._find(model, lacking, deadline, *unmoved)
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

    arrays = Cells(
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
    together = Rules(rules["threshold"], rules["one_percent"], rules["two_percent"], share)
    start = time.monotonic()
    deadline = start + seconds

    def hidden_by(cost: Floats, deadline: float) -> set[int]:
        own = replace(arrays, cost=cost, up=arrays.up.copy(), down=arrays.down.copy())
        pattern = Pattern(own, whole, additive, together, deadline, lambda cell: str(cells[cell]["name"]))
        pattern.finish(whole and together.threshold is not None and bool(own.is_unsafe.any()))
        return pattern.hidden

    hidden = hidden_by(arrays.cost, deadline)
    # cells are hidden one after the other, and by another cost sometimes fewer are: the better of two
    of_cells = np.where(np.isfinite(arrays.cost), 1.0, math.inf)
    of_people = np.where(np.isfinite(arrays.cost), np.maximum(arrays.n, 1), math.inf)
    other = of_people if (arrays.cost == of_cells).all() else of_cells
    now = time.monotonic()
    with suppress(InputError):
        better = hidden_by(other, min(deadline, now + max(1.0, now - start)))
        hidden = min(hidden, better, key=lambda each: _cost(arrays, each))
    return [cell in hidden for cell in range(len(cells))]


def _cost(cells: Cells, hidden: set[int]) -> float:
    """What it costs to hide these, beside the unsafe ones."""
    return math.fsum(cells.cost[[cell for cell in hidden if not cells.is_unsafe[cell]]])
