"""Composition of costs, slowly: the conversion of zCDP by a search over orders, and the sums."""

from __future__ import annotations

import math
from collections.abc import Iterable


def zcdp_epsilon(rho: float, delta: float) -> float:
    """The least over orders, by narrowing a range of ln(a - 1)."""

    def epsilon(u: float) -> float:
        a = 1 + math.exp(u)
        return a * rho - math.log(a * delta) / (a - 1) + math.log(1 - 1 / a)

    lo, hi = -30.0, 30.0
    for _ in range(200):
        one, other = lo + (hi - lo) / 3, hi - (hi - lo) / 3
        if epsilon(one) < epsilon(other):
            hi = other
        else:
            lo = one
    return max(0.0, epsilon((lo + hi) / 2))


def simple_zcdp_epsilon(rho: float, delta: float) -> float:
    """The conversion of Bun and Steinke."""
    return rho + 2 * math.sqrt(rho * math.log(1 / delta))


def advanced_epsilon(epsilon: float, k: int, delta: float) -> float:
    """Advanced composition of Kairouz, Oh and Viswanath, of k times the same epsilon."""
    least = (math.exp(epsilon) - 1) / (math.exp(epsilon) + 1)
    together = k * epsilon * least + epsilon * math.sqrt(2 * k * math.log(1 / delta))
    return min(k * epsilon, together)


Cost = tuple[float, float, float | None]  # epsilon, delta, rho


def composed(costs: Iterable[Cost], delta: float) -> dict[str, float]:
    """Epsilon by each rule, at a delta; infinity where that cannot be."""
    listed = list(costs)
    failing = math.fsum(each[1] for each in listed)
    rho = math.fsum(epsilon**2 / 2 if own is None else own for epsilon, _, own in listed)
    left = delta - failing
    zcdp = 0.0 if rho == 0 and left >= 0 else zcdp_epsilon(rho, left) if left > 0 else math.inf
    basic = math.fsum(each[0] for each in listed) if left >= 0 else math.inf
    return {"basic": basic, "zcdp": zcdp}
