"""How well linear combinations of answered counts estimate a count.

Answered counts are 0/1 rows over atoms, groups of people that no answered cell tells apart, and have
independent noise of variance 1. Of the estimates that are right on average, whatever the counts of the atoms
are, the best one of cell i has as its variance the leverage of row i: the ith of the diagonal of H, the
projection on the columns of the matrix. That of a difference of two cells, d = e_i - e_j, is d' H d.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

CHUNK = 4096  # atoms


@dataclass(frozen=True)
class Estimate:
    """The best estimate of some count: its variance, and how much each answered cell counts in it."""

    variance: float
    weights: NDArray[np.float64]


def best_estimate(cells: NDArray[np.bool_]) -> Estimate:
    """The one of the least variance, of an answered cell, of the difference of two of which one is part of
    the other, and of the sum of two that have nobody in common. cells: a row each, none of them empty."""
    shared = _shared(cells)
    size = np.diag(shared)
    values, vectors = np.linalg.eigh(shared)
    kept = vectors[:, values > values[-1] * len(values) * np.finfo(np.float64).eps]
    projection = kept @ kept.T
    own = np.diag(projection)
    of_two = own[:, None] + own[None, :]
    is_part = (shared == size[None, :]) & (size[:, None] > size[None, :])
    differences = np.where(is_part, of_two - 2 * projection, np.inf)
    sums = np.where(shared == 0, of_two + 2 * projection, np.inf)
    found = [Estimate(float(own.min()), projection[own.argmin()])]
    for variances, sign in ((differences, -1), (sums, 1)):
        one, other = np.unravel_index(variances.argmin(), variances.shape)
        found.append(Estimate(float(variances[one, other]), projection[one] + sign * projection[other]))
    return min(found, key=lambda estimate: estimate.variance)


def _shared(cells: NDArray[np.bool_]) -> NDArray[np.float64]:
    """How many atoms two cells have in common."""
    shared = np.zeros((len(cells), len(cells)))
    for first in range(0, cells.shape[1], CHUNK):
        some = cells[:, first : first + CHUNK].astype(np.float32)  # whole numbers up to 2^24 are exact
        shared += some @ some.T
    return shared
