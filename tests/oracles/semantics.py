"""What a mechanism tells, slowly: priors one by one, sets of outputs one by one."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence

Mechanism = Mapping[str, Mapping[str, float]]  # database -> output -> probability


def least_delta(p: Mapping[str, float], q: Mapping[str, float], epsilon: float) -> float:
    """The least delta of Definition 16, by looking at every set of outputs."""
    outputs = sorted(p.keys() | q.keys())
    sets = itertools.chain.from_iterable(
        itertools.combinations(outputs, size) for size in range(len(outputs) + 1)
    )
    return max(
        sum(one.get(t, 0) for t in chosen) - math.exp(epsilon) * sum(other.get(t, 0) for t in chosen)
        for chosen in map(list, sets)
        for one, other in ((p, q), (q, p))
    )


def shift(prior: Mapping[str, float], used: Mapping[str, float], unused: Mapping[str, float]) -> float | None:
    """The statistical difference of the two posteriors of a prior, over all sets of databases; None where the
    output is impossible. used, unused: how probable the output is for each database in the two worlds."""
    posteriors = []
    for likelihood in (used, unused):
        joint = {database: prior[database] * likelihood[database] for database in prior}
        total = sum(joint.values())
        posteriors.append({database: value / total for database, value in joint.items()} if total else None)
    with_data, without = posteriors
    if with_data is None:
        return None
    if without is None:
        return 1.0
    return sum(max(with_data[database] - without[database], 0) for database in prior)


def priors(databases: Sequence[str], steps: int = 40) -> list[dict[str, float]]:
    """Priors on every two databases: nearly sure of one, nearly sure of the other, and between."""
    found = []
    for one, other in itertools.combinations(databases, 2):
        for step in range(-steps, steps + 1):
            odds = math.exp(step / steps * 8)
            found.append({one: odds / (1 + odds), other: 1 / (1 + odds)})
    return found
