"""Which values people of a part can have, by linear and integer programs (sql/attack/connected_people.sql).

A part is people of some kinds, and rows that they share, by class and value. The programs look for numbers:
how many of each kind have a value, and in which class, where several cover them; as many as there are of the
kind, and in no class more than it has rows with the value.

A value that not even fractions of people can have is impossible for the kind. A value that fractions can have
may be impossible for whole numbers: an integer program decides. Every solution in whole numbers shows of many
values at once that they are possible, so few programs are solved.
"""

from __future__ import annotations

import math
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

import highspy
import numpy as np
from numpy.typing import NDArray

from sqlanon.tables.components import Component, model_of
from sqlanon.tables.highs import new_solver, solve

Part = Mapping[str, Any]
Answer = dict[str, Any]
NOTHING: Answer = {"codes": None, "is_finished": False}


class PartPrograms:
    """The program of a part: how many of each kind have a value, and where, if in several classes."""

    def __init__(self, part: Part, deadline: float) -> None:
        self.deadline = deadline
        self.statuses = highspy.HighsModelStatus
        self.kinds = (highspy.HighsVarType.kContinuous, highspy.HighsVarType.kInteger)
        self.people = part["people"]
        self.cells = [(i, code) for i, one in enumerate(self.people) for code in one["codes"]]
        self.own = [one["people"] for one in self.people for _ in one["codes"]]  # the most of each cell
        self.component = self._component(part["rows"])
        self.highs = new_solver()
        self.highs.passModel(model_of(self.component))
        self.random = np.random.default_rng(0)

    def _component(self, rows: Sequence[int | None]) -> Component:
        number = {cell: place for place, cell in enumerate(self.cells)}
        most = list(self.own)
        sums: list[tuple[list[int], list[int], float, float]] = []  # cells, signs, least, most
        users: dict[int, list[int]] = defaultdict(list)  # of a place among the rows
        for i, one in enumerate(self.people):
            sums.append(
                ([number[i, code] for code in one["codes"]], [1] * len(one["codes"]), *[one["people"]] * 2)
            )
            spots: dict[int, dict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
            for covering, place, code in zip(one["coverings"], one["places"], one["of_codes"], strict=True):
                spots[covering][code].append(place - 1)
            for covered in spots.values():
                for code in one["codes"]:
                    places = covered.get(code, [])
                    if len(places) == 1:
                        users[places[0]].append(number[i, code])
                        continue
                    within = range(len(most), len(most) + len(places))
                    most += [one["people"]] * len(places)
                    for place, cell in zip(places, within, strict=True):
                        users[place].append(cell)
                    sums.append(([*within, number[i, code]], [1] * len(places) + [-1], 0, 0))
        for place, cells in users.items():
            if (limit := rows[place]) is not None:
                sums.append((cells, [1] * len(cells), -math.inf, limit))
        return Component(
            np.zeros(len(most)), np.array(most, dtype=np.float64), [], {},
            np.cumsum([0, *(len(cells) for cells, *_ in sums)], dtype=np.int32),
            np.array([cell for cells, *_ in sums for cell in cells], dtype=np.int32),
            np.array([sign for _, signs, *_ in sums for sign in signs], dtype=np.float64),
            np.array([least for *_, least, _ in sums], dtype=np.float64),
            np.array([limit for *_, limit in sums], dtype=np.float64),
        )  # fmt: skip

    def answer(self) -> Answer:
        """The codes that are left to each of the people, and whether there was time for all. Where nothing
        fits, somebody is not where they were located, and nothing is known."""
        left = set(range(len(self.cells)))  # of which nobody knows yet
        found = self._solve(left, None)
        if found is None or not len(found):
            return NOTHING
        possible = self._held(found)
        left -= possible
        is_finished = True
        for cell in sorted(left):
            if cell not in left:
                continue
            self.highs.changeColBounds(cell, 1.0, float(self.own[cell]))
            found = self._solve(left, cell)
            if found is None:
                is_finished = False
                possible.add(cell)
            elif len(found):
                possible |= self._held(found)
            is_impossible = found is not None and not len(found)
            self.highs.changeColBounds(cell, 0.0, 0.0 if is_impossible else float(self.own[cell]))
            left -= {cell} | possible
        codes: list[list[int]] = [[] for _ in self.people]
        for place in sorted(possible):
            i, code = self.cells[place]
            codes[i].append(code)
        if not all(codes):
            return NOTHING
        return {"codes": codes, "is_finished": is_finished}

    def _held(self, found: NDArray[np.int64]) -> set[int]:
        return {int(place) for place in np.flatnonzero(found[: len(self.cells)])}

    def _solve(self, left: set[int], cell: int | None) -> NDArray[np.int64] | None:
        """Whole numbers that fit, with many of the cells that are left; none where nothing fits; None where
        that is not known in time."""
        every = np.arange(len(self.component.lower), dtype=np.int32)
        cost = np.zeros(len(every))
        for place in left:
            cost[place] = -self.random.uniform(0.5, 1.0) / self.own[place]
        self.highs.changeColsCost(len(every), every, cost)
        whole = self._run()
        if whole is None or not len(whole) or self._fits(whole, cell):
            return whole
        self.highs.changeColsIntegrality(len(every), every, np.array([self.kinds[1]] * len(every)))
        whole = self._run()
        self.highs.changeColsIntegrality(len(every), every, np.array([self.kinds[0]] * len(every)))
        return whole if whole is None or not len(whole) or self._fits(whole, cell) else None

    def _run(self) -> NDArray[np.int64] | None:
        """A solution, rounded; none where nothing fits; None where that is not known in time."""
        time_left = self.deadline - time.monotonic()
        if time_left <= 0:
            return None
        solve(self.highs, time_left)
        status = self.highs.getModelStatus()
        if status == self.statuses.kInfeasible:
            return np.zeros(0, dtype=np.int64)
        if status != self.statuses.kOptimal:
            return None
        found: NDArray[np.float64] = np.array(self.highs.getSolution().col_value)
        return np.rint(found).astype(np.int64)

    def _fits(self, values: NDArray[np.int64], cell: int | None) -> bool:
        own = self.component
        sums = np.add.reduceat(own.sign * values[own.index], own.starts[:-1])
        return bool(
            (values >= 0).all()
            and (values <= own.upper).all()
            and (cell is None or values[cell] >= 1)
            and (sums >= own.least).all()
            and (sums <= own.most).all()
        )
