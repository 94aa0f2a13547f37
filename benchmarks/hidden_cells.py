"""The same as the bounds of hidden cells, by hand: each linear program with SciPy, and all of them with one
model of HiGHS of which only the objective changes. And the ten small tables, as tau-Argus protects them."""

from __future__ import annotations

import contextlib
import itertools
import random
import time
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from typing import Any

import numpy as np

Cell = tuple[str, ...]
TOTAL = "total"


def equations(
    shown: Mapping[Cell, float | None],
) -> tuple[list[Cell], list[tuple[dict[int, float], float]]]:
    """The hidden cells, and the sums that they are in: coefficients by place, and what these add up to."""
    hidden = [cell for cell, value in shown.items() if value is None]
    place = {cell: i for i, cell in enumerate(hidden)}
    labels = [sorted({cell[d] for cell in shown} - {TOTAL}) for d in range(len(hidden[0]))]
    rows = []
    for d, own in enumerate(labels):
        others = [[*each, TOTAL] for i, each in enumerate(labels) if i != d]
        for rest in itertools.product(*others):
            factors: dict[int, float] = {}
            left = 0.0
            for label in [*own, TOTAL]:
                cell = (*rest[:d], label, *rest[d:])
                sign = -1.0 if label == TOTAL else 1.0
                value = shown[cell]
                if value is None:
                    factors[place[cell]] = sign
                else:
                    left -= sign * value
            if factors:
                rows.append((factors, left))
    return hidden, rows


def by_scipy(
    shown: Mapping[Cell, float | None], least: float, most: float, every: int = 1
) -> tuple[float, int]:
    """Seconds for a linear program for each end of every n-th hidden cell, and how many these are."""
    from scipy.optimize import linprog
    from scipy.sparse import csr_matrix

    hidden, rows = equations(shown)
    data = [value for factors, _ in rows for value in factors.values()]
    at = [i for factors, _ in rows for i in factors]
    row = [k for k, (factors, _) in enumerate(rows) for _ in factors]
    matrix = csr_matrix((data, (row, at)), shape=(len(rows), len(hidden)))
    right = [left for _, left in rows]
    begin, number = time.perf_counter(), 0
    for i in range(0, len(hidden), every):
        for sign in (1.0, -1.0):
            cost = np.zeros(len(hidden))
            cost[i] = sign
            result = linprog(cost, A_eq=matrix, b_eq=right, bounds=(least, most), method="highs")
            assert result.status == 0, result.message
            number += 1
    return time.perf_counter() - begin, number


def by_highs(shown: Mapping[Cell, float | None], least: float, most: float) -> tuple[float, int, int]:
    """Seconds for all of them with one model; how many programs, and how many cells are known exactly."""
    import highspy

    hidden, rows = equations(shown)
    model = highspy.Highs.__mro__[1]()  # the class itself prints a banner
    model.setOptionValue("output_flag", False)
    model.setOptionValue("threads", 1)
    for _ in hidden:
        model.addVar(least, most)
    for factors, left in rows:
        model.addRow(
            left, left, len(factors), np.array([*factors], dtype=np.int32), np.array([*factors.values()])
        )
    begin, known = time.perf_counter(), 0
    for i in range(len(hidden)):
        model.changeColCost(i, 1.0)
        ends = []
        for sense in (highspy.ObjSense.kMinimize, highspy.ObjSense.kMaximize):
            model.changeObjectiveSense(sense)
            model.run()
            ends.append(model.getObjectiveValue())
        model.changeColCost(i, 0.0)
        known += abs(ends[1] - ends[0]) < 1e-6
    return time.perf_counter() - begin, 2 * len(hidden), known


def small_table(seed: int, rows: int = 4, columns: int = 4) -> list[tuple[str, str, float]]:
    """Contributions to a small table of sums, some of whose cells have one large contributor. tau-Argus has
    everybody know that no cell is below the smallest one; that has 4, in the last cell."""
    draw = random.Random(seed)
    made = []
    for i, j in itertools.product(range(rows), range(columns)):
        if (i, j) == (rows - 1, columns - 1):
            made += [(f"r{i}", f"c{j}", 1.0)] * 4
            continue
        large = draw.random() < 0.2
        made += [(f"r{i}", f"c{j}", float(draw.randint(5, 30))) for _ in range(draw.randint(4, 8))]
        if large:
            made.append((f"r{i}", f"c{j}", float(draw.randint(400, 900))))
    return made


def has_tau_argus() -> bool:
    return find_spec("pytauargus") is not None


def by_tau_argus(
    rows: Sequence[tuple[str, str, float]], p: float, folder: str
) -> tuple[float, set[Cell], set[Cell]]:
    """The least cost (the sum of the values that are hidden) of protecting the table by the p % rule, the
    unsafe cells, and all that are hidden."""
    from pytauargus import protect  # type: ignore[import-not-found]

    table = {
        "Row": [row[0] for row in rows],
        "Column": [row[1] for row in rows],
        "Amount": [r[2] for r in rows],
    }
    with contextlib.chdir(folder):  # where it writes logs
        [made] = protect(
            table, ["Row", "Column"], response="Amount", safety_rules=f"P({p:g},1)", suppress="OPT(1)",
            workdir=folder,
        ).tables  # fmt: skip
    cost, unsafe, hidden = 0.0, set(), set()
    for record in _records(made):
        cell = tuple(TOTAL if record[name] == "Total" else str(record[name]) for name in ("Row", "Column"))
        if record["status"] in ("U", "M"):
            hidden.add(cell)
            cost += float(record["Amount"])
            if record["status"] == "U":
                unsafe.add(cell)
    return cost, unsafe, hidden


def _records(made: Any) -> list[dict[str, Any]]:
    return [dict(record) for record in made.dataframe().to_dict("records")]
