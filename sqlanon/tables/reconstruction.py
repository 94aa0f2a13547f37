"""Reconstruction of rows from statistics by integer programs, with HiGHS.

The unknown is how many people are in each atom, a whole number. One set of rows after another is found, each
different from those before, until there is no other one, or there are as many as wanted. If all of them are
found, what they have in common is certain. Otherwise every atom that has somebody in all that were found is
made as small as it can be; what shows that nobody need be in it is one more set.

All numbers of the model are whole, so that no rounding of the solver decides what fits.
"""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sqlanon.tables.components import Component
from sqlanon.tables.highs import new_solver, solve
from sqlanon.tables.linear_bounds import Programs
from sqlanon.tables.whole_search import agreeing

TOLERANCE = 1e-6  # of what the solver says
LARGEST = 2**31 - 1  # people in an atom, where nothing says less
EXCLUDABLE = 10_000  # people in an atom of which a set can be excluded within the tolerance

Counts = NDArray[np.int64]


@dataclass
class Row:
    """A sum of variables between two ends."""

    factors: dict[int, int]
    least: float
    most: float


@dataclass
class Model:
    """Variables (the atoms, then those that say which of several things holds) and rows."""

    atoms: int
    upper: list[int]
    rows: list[Row] = field(default_factory=list)

    def add(self, factors: Mapping[int, int], least: float = -math.inf, most: float = math.inf) -> None:
        self.rows.append(Row({i: factor for i, factor in factors.items() if factor}, least, most))

    def choice(self) -> int:
        """A new variable that is 0 or 1."""
        self.upper.append(1)
        return len(self.upper) - 1

    def exclude(self, found: Counts) -> None:
        """No set of rows but another one: it has fewer people in an atom of this one, or more in all."""
        ways = {}
        for atom in np.flatnonzero(found).tolist():
            way = self.choice()
            ways[way] = 1
            most = self.upper[atom]
            self.add({atom: 1, way: most - int(found[atom]) + 1}, most=most)
        more = self.choice()
        self.add({**dict.fromkeys(range(self.atoms), 1), more: -int(found.sum()) - 1}, least=0)
        self.add({**ways, more: 1}, least=1)

    def fits(self, values: Sequence[int]) -> bool:
        """Do whole numbers meet every row and bound?"""
        return all(0 <= value <= most for value, most in zip(values, self.upper, strict=True)) and all(
            row.least <= sum(factor * values[i] for i, factor in row.factors.items()) <= row.most
            for row in self.rows
        )


class Solver:
    """Integer programs, as long as there is time."""

    def __init__(self, model: Model, seconds: float) -> None:
        self.model, self.deadline = model, time.monotonic() + seconds

    def solve(self, atom: int | None = None) -> tuple[Counts | None, float, bool]:
        """A set of rows, with as few people in an atom as can be: the set (None: there is none, or none was
        found), the least that is proven, and whether there was enough time."""
        import highspy

        left = self.deadline - time.monotonic()
        if left <= 0:
            return None, 0, False
        own, infinite = self.model, highspy.kHighsInf
        highs = new_solver(mip_rel_gap=0.0)
        model = highspy.HighsLp()
        n = len(own.upper)
        model.num_col_, model.num_row_ = n, len(own.rows)
        cost = np.zeros(n)
        if atom is not None:
            cost[atom] = 1
        model.col_cost_, model.col_lower_ = cost, np.zeros(n)
        model.col_upper_ = np.array(own.upper, dtype=np.float64)
        model.row_lower_ = np.clip(np.array([row.least for row in own.rows]), -infinite, infinite)
        model.row_upper_ = np.clip(np.array([row.most for row in own.rows]), -infinite, infinite)
        model.integrality_ = [highspy.HighsVarType.kInteger] * n
        matrix = model.a_matrix_
        matrix.format_ = highspy.MatrixFormat.kRowwise
        matrix.start_ = np.cumsum([0, *(len(row.factors) for row in own.rows)], dtype=np.int32)
        matrix.index_ = np.array([i for row in own.rows for i in row.factors], dtype=np.int32)
        matrix.value_ = np.array([f for row in own.rows for f in row.factors.values()], dtype=np.float64)
        highs.passModel(model)
        solve(highs, left)
        status, statuses = highs.getModelStatus(), highspy.HighsModelStatus
        if status == statuses.kInfeasible:
            return None, 0, True
        values = [round(value) for value in highs.getSolution().col_value]
        if len(values) < n or not own.fits(values):
            return None, 0, False
        bound = float(highs.getInfo().mip_dual_bound) if atom is not None else 0.0
        proven = math.ceil(bound - TOLERANCE) if math.isfinite(bound) else 0
        return np.array(values[: own.atoms], dtype=np.int64), proven, status == statuses.kOptimal


def model_of(
    values: Sequence[float | None], boxes: Sequence[Mapping[str, Any]], decimals: int | None
) -> Model:
    """What the cells say as rows. values: of the atoms, in the measured column. boxes: as in _reconstruction
    in sql/tables/reconstruct.sql."""
    upper = [LARGEST] * len(values)
    for box in boxes:
        for atom in box["atoms"]:
            upper[atom - 1] = min(upper[atom - 1], LARGEST if box["hi"] is None else int(box["hi"]))
    model = Model(len(values), upper)
    for box in boxes:
        inside = [atom - 1 for atom in box["atoms"]]
        most = math.inf if box["hi"] is None else box["hi"]
        model.add(dict.fromkeys(inside, 1), box["lo"], most)
        if box["mean"] is None and box["median"] is None:
            continue
        known = {atom: Fraction(str(value)) for atom in inside if (value := values[atom]) is not None}
        for atom in inside:
            if atom not in known:  # nobody without a value is in a mean
                model.add({atom: 1}, most=0)
        if box["mean"] is not None:
            _add_mean(model, known, box["mean"], decimals)
        if box["median"] is not None and box["lo"] == box["hi"] and box["lo"] > 0:
            _add_median(model, known, Fraction(box["median"]), int(box["lo"]))
    return model


def _add_mean(model: Model, known: Mapping[int, Fraction], printed: str, decimals: int | None) -> None:
    places = len(printed.partition(".")[2]) if decimals is None else decimals
    half = Fraction(1, 2 * 10**places)
    for end, sign in ((Fraction(printed) - half, 1), (Fraction(printed) + half, -1)):
        above = {atom: sign * (value - end) for atom, value in known.items()}
        scale = math.lcm(*(each.denominator for each in above.values()), 1)
        model.add({atom: int(each * scale) for atom, each in above.items()}, least=0)


def _add_median(model: Model, known: Mapping[int, Fraction], median: Fraction, n: int) -> None:
    """Of an odd number the one in the middle; of an even number one of the pairs of values with that mean."""

    def up_to(value: Fraction, is_within: bool) -> dict[int, int]:
        return {atom: 1 for atom, own in known.items() if own < value or (is_within and own == value)}

    half = n // 2
    if n % 2:
        model.add(up_to(median, True), least=half + 1)
        model.add(up_to(median, False), most=half)
        return
    there = set(known.values())
    pairs = [(low, 2 * median - low) for low in sorted(there) if low <= median and 2 * median - low in there]
    ways = {model.choice(): pair for pair in pairs}
    model.add(dict.fromkeys(ways, 1), 1, 1)
    for way, (low, high) in ways.items():  # the two in the middle: at least half are up to the one, and so on
        model.add({**up_to(low, True), way: -half}, least=0)
        model.add({**up_to(low, False), way: half + 1}, most=n)
        model.add({**up_to(high, True), way: -half - 1}, least=0)
        model.add({**up_to(high, False), way: half}, most=n)


def checked(model: Model, seconds: float) -> tuple[Counts | None, bool]:
    """What the solver denies: a set of rows all the same, and whether it is shown in exact numbers that there
    is none, by fractions of a few rows that contradict each other, or by trying all."""
    if any(not row.factors and not row.least <= 0 <= row.most for row in model.rows):
        return None, True
    own = [row for row in model.rows if row.factors]
    component = Component(
        np.zeros(len(model.upper)),
        np.array(model.upper, dtype=np.float64),
        [],
        {},
        np.cumsum([0, *(len(row.factors) for row in own)], dtype=np.int32),
        np.array([i for row in own for i in row.factors], dtype=np.int32),
        np.array([factor for row in own for factor in row.factors.values()], dtype=np.float64),
        np.array([row.least for row in own], dtype=np.float64),
        np.array([row.most for row in own], dtype=np.float64),
    )
    programs = Programs(component, True, time.monotonic() + seconds / 2)
    if programs.solve(-1, 1) == programs.statuses.kInfeasible and programs.conflict():
        return None, True
    values, is_proven = agreeing(
        model.upper,
        [
            (
                np.array([*row.factors], dtype=np.int64),
                np.array([*row.factors.values()], dtype=object),
                row.least,
                row.most,
            )
            for row in own
        ],
        seconds / 2,
    )
    if values is None or not model.fits(values):
        return None, is_proven and values is None
    return np.array(values[: model.atoms], dtype=np.int64), False


def reconstruction(
    values: Sequence[float | None],
    boxes: Sequence[Mapping[str, Any]],
    decimals: int | None,
    max_sets: int,
    seconds: float,
) -> dict[str, Any]:
    """The function of SQL: lists as in sql/tables/reconstruct.sql."""
    try:
        model = model_of(values or [], boxes or [], decimals)
    except (ValueError, ZeroDivisionError):
        return _answer(problem="a mean or median is no number")
    solver = Solver(model, seconds)
    found, _, in_time = solver.solve()
    if found is None and in_time:
        found, is_none = checked(model, solver.deadline - time.monotonic())
        if is_none:
            return _answer(problem="the tables contradict each other: no set of rows agrees with all of them")
        return _answer([0] * model.atoms, found, proven=False)  # the solver is not to be trusted here
    if found is None:
        return _answer(certain=[0] * model.atoms, proven=False)
    example = smallest = found
    sets, are_all = 1, False
    is_bounded = max(model.upper[: model.atoms], default=0) <= EXCLUDABLE
    while is_bounded and sets <= max_sets:
        model.exclude(found)
        found, _, in_time = solver.solve()
        if found is None:
            are_all = in_time
            break
        sets += 1
        smallest = np.minimum(smallest, found)
    if are_all:
        return _answer(smallest, example, sets)
    certain = np.zeros_like(smallest)
    is_proven = True
    for atom in np.argsort(-smallest, kind="stable").tolist():
        if not smallest[atom]:
            continue
        least, bound, in_time = solver.solve(atom)
        if least is not None:
            smallest = np.minimum(smallest, least)
            certain[atom] = min(bound, int(smallest[atom]))
        elif in_time:  # the sets that were found are all
            certain[atom] = smallest[atom]
        is_proven &= in_time
    return _answer(np.minimum(certain, smallest), example, None, is_proven)


def _answer(
    certain: Counts | list[int] | None = None,
    example: Counts | None = None,
    sets: int | None = None,
    proven: bool = True,
    problem: str | None = None,
) -> dict[str, Any]:
    of_atoms = [] if certain is None else [int(n) for n in certain]
    shown: list[int | None] = [None] * len(of_atoms) if example is None else [int(n) for n in example]
    return {"certain": of_atoms, "example": shown, "sets": sets, "is_proven": proven, "problem": problem}
