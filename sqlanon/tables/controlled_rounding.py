"""Rounding such that totals are still the sums of their parts (Cox 1987), with HiGHS.

Each cell goes to the multiple below or above it. If no such table adds up, as can happen from three
dimensions on, a few cells go further, as little as can be found.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from sqlanon.core.errors import InputError
from sqlanon.tables.highs import new_solver, solve

GAP = 0.01  # the distance that is found may be so much more than the least: a proof takes long
FURTHER = 1000.0  # what a step beyond the neighbours costs; to a neighbour it is at most 1


def controlled_rounding(
    amounts: Sequence[float], sums: Sequence[dict[str, Any]], base: float, seconds: float
) -> dict[str, Any]:
    """The function of SQL: the multiples (how many times the base) of a list of cells. sums: of each the
    position of its total, and those of its parts, from 1. problem: why there are none."""
    try:
        return {"multiples": _multiples(amounts, sums, base, seconds), "problem": None}
    except InputError as error:
        return {"multiples": None, "problem": str(error)}


def _multiples(
    amounts: Sequence[float], sums: Sequence[dict[str, Any]], base: float, seconds: float
) -> list[int]:
    """For each cell the multiple below it, one step up or not, and steps that go further either way."""
    import highspy

    highs = new_solver(mip_rel_gap=GAP)
    below = [math.floor(amount / base) for amount in amounts]
    above_it = [amount / base - least for amount, least in zip(amounts, below, strict=True)]
    n = len(amounts)
    infinite = highspy.kHighsInf
    model = highspy.HighsLp()
    model.num_col_, model.num_row_ = 3 * n, len(sums)
    # a step up, by how much it is nearer; then steps further up and down
    model.col_cost_ = [*(1 - 2 * share for share in above_it), *[FURTHER] * (2 * n)]
    model.col_lower_ = [0.0] * (3 * n)
    model.col_upper_ = [
        *(1.0 if share > 0 else 0.0 for share in above_it), *[infinite] * n, *map(float, below)
    ]  # fmt: skip
    model.integrality_ = [highspy.HighsVarType.kInteger] * (3 * n)
    starts, index, value, missing = [0], [], [], []
    for each in sums:
        total, parts = each["total"] - 1, [part - 1 for part in each["parts"]]
        for cell, sign in ((total, -1.0), *((part, 1.0) for part in parts)):
            index += [cell, n + cell, 2 * n + cell]
            value += [sign, sign, -sign]
        starts.append(len(index))
        missing.append(float(below[total] - sum(below[part] for part in parts)))
    model.row_lower_ = model.row_upper_ = missing
    matrix = model.a_matrix_
    matrix.format_ = highspy.MatrixFormat.kRowwise
    matrix.start_, matrix.index_, matrix.value_ = starts, index, value
    highs.passModel(model)
    solve(highs, seconds)
    solution = highs.getSolution()
    if not solution.value_valid:
        raise InputError("the time is over before a table was found that adds up: give solver_seconds := 600")
    steps = [round(step) for step in solution.col_value]
    multiples = [below[i] + steps[i] + steps[n + i] - steps[2 * n + i] for i in range(n)]
    if any(multiple < 0 for multiple in multiples) or any(
        multiples[each["total"] - 1] != sum(multiples[part - 1] for part in each["parts"]) for each in sums
    ):
        raise InputError("the time is over before a table was found that adds up: give solver_seconds := 600")
    return multiples
