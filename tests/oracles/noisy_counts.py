"""The attack on noisy counts, slowly: expectations cell by cell, and Bayes with all possible counts."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TypeAlias

from tests.oracles.noise import probability

Cell: TypeAlias = tuple[tuple[str, ...], str]  # labels and value
Noisy: TypeAlias = tuple[float, float]  # a count, and the standard deviation of its noise


def poisson(n: int, expected: float) -> float:
    return math.exp(n * math.log(expected) - expected - math.lgamma(n + 1))


def likelihood_ratio(noisy: float, expected: float, mechanism: str, scale: float) -> float:
    """How many times as probable a noisy count is with one person more, if the others are Poisson."""
    others = range(200)
    with_one = math.fsum(
        poisson(n, expected) * probability(mechanism, scale, round(noisy) - n - 1) for n in others
    )
    without = math.fsum(
        poisson(n, expected) * probability(mechanism, scale, round(noisy) - n) for n in others
    )
    return with_one / without


def deviation(mechanism: str, scale: float) -> float:
    return math.sqrt(math.fsum(z * z * probability(mechanism, scale, z) for z in range(-400, 401)))


def shrunk(counts: Mapping[Cell, Noisy], expected: Mapping[Cell, float]) -> dict[Cell, float]:
    """Counts, drawn towards what is expected of them. Noisy: a count, and the variance of its noise."""
    surplus = math.fsum((n - expected[cell]) ** 2 - v - expected[cell] for cell, (n, v) in counts.items())
    spread = max(0.0, surplus / math.fsum(x * x for x in expected.values()))
    drawn = {}
    for cell, (n, variance) in counts.items():
        x = expected[cell]
        own = x + spread * x * x
        drawn[cell] = max(x / 50, x + (n - x) * own / (own + variance))
    return drawn


def expected_counts(releases: Sequence[Mapping[Cell, Noisy]], labels: int) -> dict[Cell, float]:
    """How many people of each cell are expected, from releases that have all cells."""
    cells = list(releases[0])
    values = sorted({value for _, value in cells})
    mean = {
        cell: (
            sum(release[cell][0] for release in releases) / len(releases),
            sum(release[cell][1] ** 2 for release in releases) / len(releases) ** 2,
        )
        for cell in cells
    }
    widths = [len({path[i] for path, _ in cells}) for i in range(labels)]
    order = sorted(range(labels), key=lambda i: (-widths[i], i))

    def summed(columns: Sequence[int]) -> dict[Cell, Noisy]:
        sums: dict[Cell, Noisy] = {}
        for (path, value), (n, variance) in mean.items():
            key = tuple(path[i] for i in columns), value
            before = sums.get(key, (0.0, 0.0))
            sums[key] = before[0] + n, before[1] + variance
        return sums

    whole = {value: max(0.5, n) for (_, value), (n, _) in summed([]).items()}
    by_label = []
    for i in order:
        counts = summed([i])
        sizes = {path: max(0.5, sum(counts[path, value][0] for value in values)) for path, _ in counts}
        share = {value: whole[value] / sum(whole.values()) for value in values}
        by_label.append(shrunk(counts, {(path, v): sizes[path] * share[v] for path, v in counts}))
    estimate: dict[Cell, float] = {((), value): n for value, n in whole.items()}
    for depth, labelled in enumerate(by_label, 1):
        counts = summed(order[:depth])
        expected = {
            (path, v): max(0.001, estimate[path[:-1], v] * labelled[path[-1:], v] / whole[v])
            for path, v in counts
        }
        estimate = shrunk(counts, expected)
    return {(path, v): estimate[tuple(path[i] for i in order), v] for path, v in cells}


def probabilities(
    releases: Sequence[Mapping[Cell, Noisy]], path: tuple[str, ...], mechanism: str, scale: float
) -> dict[str, float]:
    """Of somebody's values, who has these labels."""
    expected = expected_counts(releases, len(path))
    weights = {
        value: expected[path, value]
        * math.prod(
            likelihood_ratio(release[path, value][0], expected[path, value], mechanism, scale)
            for release in releases
        )
        for labels, value in expected
        if labels == path
    }
    return {value: weight / sum(weights.values()) for value, weight in weights.items()}
