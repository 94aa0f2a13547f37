"""A log-linear model as statisticians fit it: a Poisson regression on all combinations of values, by Newton's
method; and the risks that follow from it.
"""

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from itertools import product
from math import exp, expm1

import numpy as np
from numpy.typing import NDArray

Row = tuple[Hashable, ...]


def fitted(rows: Sequence[Row], marginals: Iterable[Sequence[int]]) -> dict[Row, float]:
    """The expected rows of each combination of values of which no marginal has 0. marginals: positions."""
    domains = [list(dict.fromkeys(values)) for values in zip(*rows, strict=True)]
    sets = [*marginals, *((i,) for i in range(len(domains)))]
    counts = Counter(rows)
    of_set = [Counter(tuple(row[i] for i in members) for row in rows) for members in sets]
    cells = [
        cell
        for cell in product(*domains)
        if all(n[tuple(cell[i] for i in members)] for members, n in zip(sets, of_set, strict=True))
    ]
    design = np.array(
        [
            [float(tuple(cell[i] for i in members) == chosen) for cell in cells]
            for members, n in zip(sets, of_set, strict=True)
            for chosen in n
        ]
    ).T
    observed = np.array([counts[cell] for cell in cells], dtype=float)
    log_mean = np.full(len(cells), np.log(observed.mean()))
    for _ in range(40):
        root = np.exp(log_mean / 2)
        beta, *_ = np.linalg.lstsq(design * root[:, None], (observed - root**2) / root, rcond=1e-13)
        step, share = design @ beta, 1.0
        while share > 1e-9 and _likelihood(observed, log_mean + share * step) < _likelihood(
            observed, log_mean
        ):
            share /= 2
        log_mean = np.maximum(log_mean + share * step, -50)
    return dict(zip(cells, np.exp(log_mean).tolist(), strict=True))


def _likelihood(observed: NDArray[np.float64], log_mean: NDArray[np.float64]) -> float:
    """Its logarithm, but for a constant."""
    return float(observed @ log_mean - np.exp(np.minimum(log_mean, 500)).sum())


def taus(rows: Sequence[Row], means: dict[Row, float], fraction: float) -> tuple[float, float]:
    """The sample uniques that are population uniques, and those matched correctly. means: the expected people
    of the population in each combination (Skinner and Shlomo 2008); where they are those of the sample, this
    is what sdcMicro's modRisk adds up.
    """
    others = [means[row] * (1 - fraction) for row, n in Counter(rows).items() if n == 1]
    return sum(exp(-m) for m in others), sum(-expm1(-m) / m if m else 1 for m in others)
