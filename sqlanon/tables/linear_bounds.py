"""Bounds of cells by linear and integer programs, component by component, with HiGHS.

A component is a list of cells that sums connect, and these sums. Each cell has two programs, for the least
and the largest it can be: one model, of which only the objective changes. Every solution is a table that
fits, so it shows for all cells a value that they can have, and saves the programs whose end it reaches.

What is proven, and what is not:
- An optimum is a bound that no table exceeds, within the solver's tolerance; bounds of counts are rounded
  inwards only from further than it. Bounds of sums are what the dual solution proves: a combination of the
  constraints, in whole numbers where the sums are (of the smallest unit, such as cents).
- A bound of counts is the exact one if a table of whole numbers that fits reaches it, which is checked in
  whole numbers. If the optimum is no such table, integer programs look for one, if the caller wants that.
- That no table fits is believed only with a combination of the constraints that shows it in exact fractions.
"""

from __future__ import annotations

import itertools
import math
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from sqlanon.tables.components import Component, Floats, component_of, model_of
from sqlanon.tables.highs import new_solver, solve
from sqlanon.tables.narrow_cells import FEW, Sweeps

TRIES = 4  # in other directions, before an integer program is solved
TOLERANCE = 1e-6  # of what the solver says; its own is set to 1e-7
LARGEST = 20  # sums are solved as numbers of so many bits, for which the solver's tolerance is small
DENOMINATORS = 1000  # of dual solutions
ROUNDING = 1e-15  # by how much a sum of numbers is off, in proportion to them
# Where only the objective has changed, the last solution still fits, and the primal simplex goes on from it.
DUAL, PRIMAL = 1, 4


class Programs:
    """The model of a component, and what its solutions have shown."""

    def __init__(self, component: Component, whole: bool, deadline: float) -> None:
        import highspy

        self.highs = new_solver()
        self.component, self.whole, self.deadline = component, whole, deadline
        self.infinite = highspy.kHighsInf
        self.statuses = highspy.HighsModelStatus
        self.senses = {1: highspy.ObjSense.kMinimize, -1: highspy.ObjSense.kMaximize}
        self.kinds = (highspy.HighsVarType.kContinuous, highspy.HighsVarType.kInteger)
        self.lower, self.upper = component.lower.copy(), component.upper.copy()
        n = len(self.lower)
        numbers = np.concatenate([self.lower, self.upper, component.least, component.most])
        numbers = np.abs(numbers[np.isfinite(numbers)])
        self.exact = bool((numbers == np.rint(numbers)).all())
        largest = float(numbers.max(initial=0.0))
        # a power of two, so that nothing is rounded
        self.unit = 1.0 if whole or not largest else 2.0 ** (math.ceil(math.log2(largest)) - LARGEST)
        self.highs.passModel(
            model_of(
                replace(
                    component,
                    lower=self.lower / self.unit,
                    upper=self.upper / self.unit,
                    least=component.least / self.unit,
                    most=component.most / self.unit,
                )
            )
        )
        self.cost, self.unsolved = -1, 0
        self.fixed: tuple[int, float] | None = None
        self.random = np.random.default_rng(0)
        self.smallest, self.largest = np.full(n, math.inf), np.full(n, -math.inf)

    def fix(self, cell: int, value: float | None) -> None:
        """Have a cell one value, or what it can be. What was seen before is forgotten."""
        lower, upper = (self.lower[cell], self.upper[cell]) if value is None else (value, value)
        self._have_bounds(cell, float(lower), float(upper))
        self.smallest.fill(math.inf)
        self.largest.fill(-math.inf)
        self.highs.setOptionValue("simplex_strategy", DUAL)

    def _have_bounds(self, cell: int, lower: float, upper: float) -> None:
        self.fixed = (cell, lower) if lower == upper else None
        self.highs.changeColBounds(cell, lower / self.unit, min(upper / self.unit, self.infinite))

    def solve(self, cell: int, sense: int) -> Any:
        """Make a cell as small (sense 1) or as large (-1) as can be; -1 for the cell: any table. The status;
        None if there is no time left."""
        left = self.deadline - time.monotonic()
        if left <= 0:
            return None
        if self.cost >= 0:
            self.highs.changeColCost(self.cost, 0.0)
        self.cost = cell
        if cell >= 0:
            self.highs.changeColCost(cell, 1.0)
        self.highs.changeObjectiveSense(self.senses[sense])
        solve(self.highs, left)
        status = self.highs.getModelStatus()
        if status == self.statuses.kOptimal:
            self.see(np.array(self.highs.getSolution().col_value) * self.unit)
            self.highs.setOptionValue("simplex_strategy", PRIMAL)
        return status

    def see(self, values: Floats) -> None:
        """Remember what cells can be by a table that fits; of counts, one of whole numbers."""
        if self.whole:
            values = np.rint(values)
            if not self.fits(values):
                return
        np.minimum(self.smallest, values, out=self.smallest)
        np.maximum(self.largest, values, out=self.largest)

    def fits(self, values: Floats) -> bool:
        """Do whole numbers meet every constraint and bound?"""
        own = self.component
        sums = np.add.reduceat(own.sign * values[own.index], own.starts[:-1])
        return bool(
            (values >= self.lower).all()
            and (values <= self.upper).all()
            and (sums >= own.least).all()
            and (sums <= own.most).all()
        )

    def end(self, cell: int, sense: int, integer: bool) -> tuple[float, bool]:
        """The least (sense 1) or the largest (-1) that a cell can be, and whether that is the exact one."""
        known = float((self.lower if sense == 1 else self.upper)[cell])
        if self._reached(cell, sense, known):
            return known, True
        status = self.solve(cell, sense)
        if status == self.statuses.kUnbounded and sense == -1:
            return math.inf, True
        if status != self.statuses.kOptimal:
            self.unsolved += 1
            return known, False
        found = self.highs.getInfo().objective_function_value * self.unit
        bound = self._rounded(found, sense, known) if self.whole else self._proven(cell, sense, found, known)
        if not self.whole or self._reached(cell, sense, bound):
            return bound, True
        if self._reached_by_others(cell, sense, bound):
            return bound, True
        return self._integer_end(cell, sense, bound) if integer else (bound, False)

    def has_values(self, cell: int, number: int) -> bool:
        """Has a cell so many values between the tables that were found, or by what is known at least?"""
        return bool(
            self.lower[cell] >= number
            or self.largest[cell] - self.smallest[cell] + (1 if self.whole else 0) >= number
        )

    def _reached_by_others(self, cell: int, sense: int, value: float) -> bool:
        """Do tables with this value of the cell, at the ends of other directions, show that it is reached?
        Many of these are of whole numbers, and an integer program takes longer than all of them."""
        every = np.arange(len(self.lower), dtype=np.int32)
        least = np.where(np.isfinite(self.upper), -1.0, 0.0)
        self._have_bounds(cell, value, value)
        for _ in range(TRIES):
            self.highs.changeColsCost(len(every), every, self.random.uniform(least, 1.0))
            self.solve(-1, 1)
            if self._reached(cell, sense, value):
                break
        self._have_bounds(cell, float(self.lower[cell]), float(self.upper[cell]))
        self.highs.changeColsCost(len(every), every, np.zeros(len(every)))
        return self._reached(cell, sense, value)

    def _integer_end(self, cell: int, sense: int, known: float) -> tuple[float, bool]:
        every = np.arange(len(self.lower), dtype=np.int32)
        self.highs.changeColsIntegrality(len(every), every, np.array([self.kinds[1]] * len(every)))
        self.highs.setOptionValue("mip_rel_gap", 0.0)
        status = self.solve(cell, sense)
        bound = float(self.highs.getInfo().mip_dual_bound) if status is not None else math.nan
        self.highs.changeColsIntegrality(len(every), every, np.array([self.kinds[0]] * len(every)))
        if not math.isfinite(bound):
            return known, False
        rounded = self._rounded(bound, sense, known)
        return rounded, self._reached(cell, sense, rounded)

    def _rounded(self, bound: float, sense: int, known: float) -> float:
        """A bound of a count that the solver tells, on the safe side, and not beyond what is known."""
        bound = math.ceil(bound - TOLERANCE) if sense == 1 else math.floor(bound + TOLERANCE)
        return max(bound, known) if sense == 1 else min(bound, known)

    def _proven(self, cell: int, sense: int, found: float, known: float) -> float:
        """The bound of a sum that the dual solution proves; what the solver has found, widened, if it proves
        nothing of the kind."""
        off = TOLERANCE * 1e-1 * max(self.unit, abs(found))
        proven = self._by_duals(cell, sense)
        bound = proven if proven is not None and abs(proven - found) <= off else found - sense * off
        return max(bound, known) if sense == 1 else min(bound, known)

    def _by_duals(self, cell: int, sense: int) -> float | None:
        """What a cell is at least (sense 1) or at most (-1) by the combination of constraints that the solver
        tells, whatever is wrong with it; None if that is unbounded."""
        own = self.component
        duals = np.array(self.highs.getSolution().row_dual)
        rows = np.flatnonzero(np.abs(duals) > TOLERANCE)
        factors = [Fraction(dual).limit_denominator(DENOMINATORS) for dual in duals[rows].tolist()]
        common = math.lcm(*(factor.denominator for factor in factors))
        left = {cell: common}  # by how much each cell counts, beside the combination
        terms: list[float] = []
        number = int if self.exact else float
        for row, factor in zip(rows.tolist(), factors, strict=True):
            times = int(factor * common)
            if not times:
                continue
            end = float((own.least if times * sense > 0 else own.most)[row])
            if not math.isfinite(end):
                return None
            terms.append(times * number(end))
            for at in range(own.starts[row], own.starts[row + 1]):
                other = int(own.index[at])
                left[other] = left.get(other, 0) - times * int(own.sign[at])
        for other, times in left.items():
            if times:
                lower, upper = float(self.lower[other]), float(self.upper[other])
                if self.fixed is not None and self.fixed[0] == other:
                    lower = upper = self.fixed[1]
                end = lower if times * sense > 0 else upper
                if not math.isfinite(end):
                    return None
                terms.append(times * number(end))
        if self.exact:
            return float(Fraction(sum(map(int, terms)), common))
        return (math.fsum(terms) - sense * ROUNDING * math.fsum(map(abs, terms))) / common

    def _reached(self, cell: int, sense: int, value: float) -> bool:
        reached = float((self.smallest if sense == 1 else self.largest)[cell])
        off = 0.0 if self.whole else 1e-9 * (1 + abs(value))
        return reached <= value + off if sense == 1 else reached >= value - off

    def conflict(self) -> list[int]:
        """The constraints that contradict each other, shown in exact fractions; none if that is not shown."""
        _, there, ray = self.highs.getDualRay()
        if not there:
            return []
        ray = np.array(ray)
        ray[np.abs(ray) < 1e-9 * max(1e-300, np.abs(ray).max())] = 0
        rows = np.flatnonzero(ray)
        if not len(rows):
            return []
        unit = np.abs(ray[rows]).min()
        factors = {int(row): Fraction(ray[row] / unit).limit_denominator(10**6) for row in rows}
        return sorted(row + 1 for row in factors) if self._contradicts(factors) else []

    def _contradicts(self, factors: Mapping[int, Fraction]) -> bool:
        """Can no table have this combination of constraints?"""
        own = self.component
        total: dict[int, Fraction] = {}
        low, high = Fraction(0), Fraction(0)  # of the combination, by the constraints
        lowest, highest = True, True  # is it bounded so?
        for row, factor in factors.items():
            for at in range(own.starts[row], own.starts[row + 1]):
                cell = int(own.index[at])
                total[cell] = total.get(cell, Fraction(0)) + factor * int(own.sign[at])
            ends = (own.least[row], own.most[row])
            below, above = ends if factor > 0 else ends[::-1]
            lowest, highest = lowest and math.isfinite(below), highest and math.isfinite(above)
            low += factor * Fraction(float(below)) if math.isfinite(below) else 0
            high += factor * Fraction(float(above)) if math.isfinite(above) else 0
        least, most = Fraction(0), Fraction(0)  # the same by the bounds of cells
        leasted, mosted = True, True
        for cell, factor in total.items():
            if factor:
                ends = (self.lower[cell], self.upper[cell])
                below, above = ends if factor > 0 else ends[::-1]
                leasted, mosted = leasted and math.isfinite(below), mosted and math.isfinite(above)
                least += factor * Fraction(float(below)) if math.isfinite(below) else 0
                most += factor * Fraction(float(above)) if math.isfinite(above) else 0
        slack = 0 if self.whole or self.exact else Fraction(1, 10**6) * (1 + sum(map(abs, (low, high))))
        return (highest and leasted and least > high + slack) or (lowest and mosted and most < low - slack)


def bounds(
    component: Component, whole: bool, programs: str, seconds: float, rule: int = 0
) -> tuple[list[dict[str, Any]], list[int]]:
    """The interval of every cell of a component, and the constraints that contradict each other. rule: a
    cell that can have so many values is not narrowed further; 0: all are."""
    deadline = time.monotonic() + seconds
    integer = programs == "integer" and whole
    if rule and len(component.lower) > FEW and not component.known_alone:
        sweeps = Sweeps(component, whole, rule, deadline)
        sweeps.run()
        if sweeps.found and not integer:
            return sweeps.answer(), []
        component = replace(component, lower=sweeps.lower, upper=sweeps.upper)
    model = Programs(component, whole, deadline)
    answer = [
        {
            "lower_bound": float(low),
            "upper_bound": None if high == math.inf else float(high),
            "is_proven": False,
            "is_wide": False,
            "insider_lower": None,
            "insider_upper": None,
        }
        for low, high in zip(component.lower, component.upper, strict=True)
    ]
    if model.solve(-1, 1) == model.statuses.kInfeasible:
        return answer, model.conflict()
    width = component.upper - component.lower
    for cell in sorted(component.wanted, key=lambda cell: float(width[cell])):  # time may not suffice for all
        if rule and model.has_values(cell, rule):
            answer[cell] |= {"is_proven": True, "is_wide": True}
            continue
        unsolved = model.unsolved
        low, low_proven = model.end(cell, 1, integer)
        high, high_proven = model.end(cell, -1, integer)
        answer[cell] |= {
            "lower_bound": low,
            "upper_bound": None if high == math.inf else high,
            "is_proven": low == high or (low_proven and high_proven),
            "is_wide": bool(rule) and model.unsolved == unsolved and (high - low + 1 >= rule or low >= rule),
        }
    if component.known_alone:
        _insiders(component, model, integer, answer)
    return answer, []


def same_people(alone: Iterable[int], pairs: Iterable[tuple[int, int]]) -> dict[int, int]:
    """Who the one contributor of a cell is, as a number: of a total and its part it is the same one, and so
    on. pairs: a total and one of its parts."""
    person = {cell: cell for cell in alone}

    def find(cell: int) -> int:
        while person[cell] != cell:
            person[cell] = person[person[cell]]
            cell = person[cell]
        return cell

    for total, part in pairs:
        if total in person and part in person:
            person[find(total)] = find(part)
    return {cell: find(cell) for cell in person}


def _insiders(component: Component, model: Programs, integer: bool, answer: list[dict[str, Any]]) -> None:
    """What the only contributor of a cell knows of the others: the highest lower bound and the lowest upper
    one of any of them."""
    for cell in component.wanted:
        answer[cell]["insider_lower"] = answer[cell]["lower_bound"]
        answer[cell]["insider_upper"] = answer[cell]["upper_bound"]
    person = same_people(component.known_alone, _pairs(component))
    for own, value in component.known_alone.items():
        model.fix(own, value)
        for cell in component.wanted:
            if cell == own or person.get(cell, -1) == person[own]:
                continue
            each = answer[cell]
            low, low_proven = model.end(cell, 1, integer)
            high, high_proven = model.end(cell, -1, integer)
            each["insider_lower"] = max(each["insider_lower"], low)
            highest = each["insider_upper"]
            each["insider_upper"] = (
                None
                if highest is None and high == math.inf
                else min(math.inf if highest is None else highest, high)
            )
            each["is_proven"] &= low == high or (low_proven and high_proven)
        model.fix(own, None)


def _pairs(component: Component) -> Iterator[tuple[int, int]]:
    """The totals of a component, and their parts."""
    for start, end in itertools.pairwise(component.starts.tolist()):
        cells, signs = component.index[start:end].tolist(), component.sign[start:end].tolist()
        for total in (cell for cell, sign in zip(cells, signs, strict=True) if sign < 0):
            yield from ((total, cell) for cell, sign in zip(cells, signs, strict=True) if sign > 0)


def component_bounds(
    cells: Sequence[Mapping[str, Any]],
    constraints: Sequence[Mapping[str, Any]],
    whole: bool,
    programs: str,
    seconds: float,
    rule: int,
) -> dict[str, Any]:
    """The function of SQL: lists as in sql/tables/cell_bounds.sql."""
    intervals, conflict = bounds(component_of(cells, constraints), whole, programs, seconds, rule)
    return {"intervals": intervals, "conflict": conflict}
