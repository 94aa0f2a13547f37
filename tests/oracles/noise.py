"""Noise, slowly: probabilities one by one, and bounds of contributions by looking at each row."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence


def probability(mechanism: str, scale: float, z: int) -> float:
    """Of one integer, by the definition."""
    if mechanism == "laplace":
        a = math.exp(-1 / scale)
        return (1 - a) / (1 + a) * a ** abs(z)
    far = math.ceil(30 * scale) + 30
    return math.exp(-(z**2) / (2 * scale**2)) / sum(
        math.exp(-(y**2) / (2 * scale**2)) for y in range(-far, far + 1)
    )


def tail(mechanism: str, scale: float, t: int) -> float:
    """That noise is t or more, as a sum."""
    far = max(math.ceil(30 * scale) + 30, t + math.ceil(80 * scale))
    weights = [
        math.exp(-abs(z) / scale) if mechanism == "laplace" else math.exp(-(z**2) / (2 * scale**2))
        for z in range(-far, far + 1)
    ]
    return math.fsum(weights[far + t :]) / math.fsum(weights)


def selection_probability(people: int, epsilon: float, delta: float) -> float:
    """That a group of so many is shown: the recursion of Desfontaines et al."""
    shown = 0.0
    for _ in range(people):
        shown = min(math.exp(epsilon) * shown + delta, 1 - math.exp(-epsilon) * (1 - delta - shown), 1)
    return shown


def furthest(draws: Sequence[int], mechanism: str, scale: float) -> float:
    """The largest distance of the distribution function of draws from that of the noise."""
    found, below, exact, furthest = Counter(draws), 0, 0.0, 0.0
    lowest = min(draws)
    exact = tail(mechanism, scale, 1 - lowest)  # Pr(Z < lowest), by symmetry
    for z in range(lowest, max(draws) + 1):
        below += found[z]
        exact += probability(mechanism, scale, z)
        furthest = max(furthest, abs(below / len(draws) - exact))
    return furthest


def margin(n: int, false_alarms: float = 1e-6) -> float:
    """How far that of n draws may be from the true one (Dvoretzky, Kiefer and Wolfowitz)."""
    return math.sqrt(math.log(2 / false_alarms) / (2 * n))


def largest_ratio(one: Iterable[int], other: Iterable[int], false_alarms: float = 1e-6) -> float:
    """A lower bound of the largest quotient of probabilities of the outputs of two databases, but for false
    alarms: of each end of the range, by Hoeffding's inequality."""
    counts = Counter(one), Counter(other)
    totals = [sum(count.values()) for count in counts]
    outputs = sorted(counts[0].keys() | counts[1].keys())
    tests = 4 * len(outputs)
    largest = 0.0
    for here, there in ((0, 1), (1, 0)):
        for order in (outputs, outputs[::-1]):
            sums = [0, 0]
            for output in order:
                sums = [sums[i] + counts[i][output] for i in (0, 1)]
                p, q = sums[here] / totals[here], sums[there] / totals[there]
                slack = [math.sqrt(math.log(2 * tests / false_alarms) / (2 * n)) for n in totals]
                largest = max(largest, (p - slack[here]) / (q + slack[there]))
    return largest
