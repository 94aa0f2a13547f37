"""Cell keys: person by person and cell by cell; and noise of the greatest entropy by SciPy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from typing import NamedTuple, TypeAlias

import numpy as np

from tests.oracles.cells import TOTAL, Cell

Perturbations: TypeAlias = Mapping[tuple[int, int], int]  # by count and cell key


class Record(NamedTuple):
    """A row: its values, whose it is, and the record key of that person."""

    values: Cell
    person: int
    key: int


def noisy(rows: Sequence[Record], noise: Perturbations, repeating: int) -> dict[Cell, int]:
    """The count of every cell, with its noise."""
    last, keys = max(n for n, _ in noise), max(key for _, key in noise) + 1
    labels = [[TOTAL, *{row.values[d] for row in rows}] for d in range(len(rows[0].values))]
    answer = {}
    for cell in product(*labels):
        people = {
            row.person: row.key
            for row in rows
            if all(label in (value, TOTAL) for label, value in zip(cell, row.values, strict=True))
        }
        n, count = len(people), len(people)
        while count > last:
            count -= repeating
        answer[cell] = n + noise.get((count, sum(people.values()) % keys), 0)
    return answer


def greatest_entropy(values: Sequence[int], variance: float) -> Sequence[float]:
    """The distribution of noise with the mean 0 and this variance whose entropy is the greatest."""
    from scipy.optimize import minimize

    noise = np.array(values, dtype=float)

    def negative_entropy(p: np.ndarray) -> float:
        return float(np.sum(p * np.log(np.maximum(p, 1e-300))))

    result = minimize(
        negative_entropy,
        np.full(len(noise), 1 / len(noise)),
        method="SLSQP",
        bounds=[(0, 1)] * len(noise),
        constraints=[
            {"type": "eq", "fun": lambda p: p.sum() - 1},
            {"type": "eq", "fun": lambda p: p @ noise},
            {"type": "eq", "fun": lambda p: p @ noise**2 - variance},
        ],
        options={"maxiter": 2000, "ftol": 1e-12},
    )
    assert result.success
    return [float(p) for p in result.x]
