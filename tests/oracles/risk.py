"""Risk, minimal uniques and quasi-identifiers the slow way: every row and every set of columns is looked at,
every sum is summed.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations
from math import exp, lgamma, log, prod
from typing import Any

from tests.oracles import Row, canonical, sort_key

Key = tuple[Any, ...]


def key(row: Row, members: Sequence[int] | None = None) -> Key:
    """What a row has in some columns (all, if none are named): equal for equal values,
    NULL and NaN among them.
    """
    return tuple(
        sort_key(canonical(row[member])) for member in (range(len(row)) if members is None else members)
    )


# Risk


def mean_of_inverse(f: int, p: float) -> float:
    """The mean of 1 / F, where F - f has a negative binomial distribution: its definition, summed."""
    share, people, total = p**f, f, 0.0
    while share > 1e-18 * p or people < 2 * f / p:
        total += share / people
        people += 1
        share *= (people - 1) / (people - f) * (1 - p)
    return total


def sample_risk(
    rows: Sequence[Row],
    weights: Sequence[float],
    households: Sequence[Any] | None,
    exact: bool,
    is_hidden: Callable[[Any], bool],
) -> tuple[dict[str, float], list[tuple[float, ...]]]:
    """Measures, and of each row f, F, its own risk and that of its household; every row with every other."""
    told: list[tuple[float, ...]] = []
    for row in rows:
        alike = [
            weight for other, weight in zip(rows, weights, strict=True)
            if all(is_hidden(a) or is_hidden(b) or a == b for a, b in zip(row, other, strict=True))
        ]  # fmt: skip
        f, p = len(alike), len(alike) / sum(alike)
        risk = mean_of_inverse(f, p) if exact or f < 3 else p / (f - 1 + p)
        told.append((f, sum(alike), risk))
    n = len(rows)
    risks = [risk for _, _, risk in told]
    measures = {
        "population_estimate": sum(weights),
        "individual_risk_highest": max(risks),
        "individual_risk_mean": sum(risks) / n,
    }
    added = risks
    if households is not None:
        of_each = {
            whose: 1 - prod(1 - risk for risk, other in zip(risks, households, strict=True) if other == whose)
            for whose in households
        }
        added = [of_each[whose] for whose in households]
        told = [(*each, risk) for each, risk in zip(told, added, strict=True)]
        measures |= {"households": len(of_each), "household_risk_highest": max(added)}
    return {**measures, "expected_reidentifications": sum(added), "global_risk": sum(added) / n}, told


def average_risk(rows: Sequence[tuple[Any, Any]]) -> float:
    """The mean over all people of 1 / the people in their smallest class. rows: class and person of each."""
    people = {whose for _, whose in rows}
    smallest = [min(len({b for c, b in rows if c == q}) for q, a in rows if a == whose) for whose in people]
    return sum(1 / n for n in smallest) / len(people)


def agreeing(row: Row, rows: Sequence[Row], is_hidden: Callable[[Any], bool]) -> int:
    """Rows with the same in the cells that a row shows."""
    shown = [place for place, value in enumerate(row) if not is_hidden(value)]
    return sum(
        not any(is_hidden(other[place]) for place in shown) and key(other, shown) == key(row, shown)
        for other in rows
    )


def risk(
    rows: Sequence[Row], threshold: float, is_hidden: Callable[[Any], bool] | None = None
) -> dict[str, float]:
    """What one row of the table is exposed to, over all rows. is_hidden: is a value a wildcard?"""
    sizes = Counter(map(key, rows))
    if is_hidden is None:
        matching = [sizes[key(row)] for row in rows]
    else:
        matching = [agreeing(row, rows, is_hidden) for row in rows]
    risks = [1 / size for size in matching]
    n = len(rows)
    return {
        "records": n,
        "classes": len(sizes),
        "smallest class": min(matching),
        "largest class": max(matching),
        "sample uniques": risks.count(1),
        "sample uniques, share": risks.count(1) / n,
        "prosecutor risk, highest": max(risks),
        "prosecutor risk, mean": sum(risks) / n,
        "prosecutor risk above threshold": sum(each > threshold for each in risks) / n,
        "marketer risk": sum(risks) / n,
    }


def population_risk(rows: Sequence[Row], people: Sequence[Row], threshold: float) -> dict[str, float]:
    """The same where the adversary finds raw values in a population."""
    residents = Counter(map(key, people))
    result = [residents[key(row)] for row in rows]
    risks = [1 / number if number else 0 for number in result]
    # of the rows that one person matches the first of each class could be that person's
    firsts = {key(row) for row in rows if residents[key(row)] == 1}
    n = len(rows)
    return {
        "journalist risk, highest": max(risks),
        "journalist risk, mean": sum(risks) / n,
        "journalist risk above threshold": sum(each > threshold for each in risks) / n,
        "marketer risk in the population": sum(risks) / n,
        "k-map": min(result),
        "null-map, classes": len({key(row) for row in rows if not residents[key(row)]}),
        "null-map": result.count(0) / n,
        "matched by one person": result.count(1) / n,
        "wrong-map": (result.count(1) - len(firsts)) / n,
    }


# Population uniques, from the sizes of the classes of a sample


def pitman_gradient(sizes: Sequence[int], theta: float, alpha: float) -> tuple[float, float]:
    """The derivatives of the likelihood of Pitman's model by theta and alpha (Hoshino 2001),
    summed as they are defined.
    """
    classes = range(1, len(sizes))
    by_theta = sum(1 / (theta + i * alpha) for i in classes) - sum(
        1 / (theta + i) for i in range(1, sum(sizes))
    )
    by_alpha = sum(i / (theta + i * alpha) for i in classes) - sum(
        1 / (j - alpha) for size in sizes for j in range(1, size)
    )
    return by_theta, by_alpha


def _root(falls_below: Any, lo: float, hi: float) -> float:
    """Where a condition becomes true, by halving."""
    for _ in range(60):
        middle = (lo + hi) / 2
        lo, hi = (lo, middle) if falls_below(middle) else (middle, hi)
    return (lo + hi) / 2


def pitman(sizes: Sequence[int], people: float) -> float | None:
    """Expected uniques among so many people where the likelihood is highest;
    None if that is at a bound of the parameters.
    """

    def best_theta(alpha: float) -> float:
        return _root(lambda theta: pitman_gradient(sizes, theta, alpha)[0] < 0, -alpha, 1e6)

    low, high = 1e-4, 1 - 1e-4
    alpha = _root(lambda alpha: pitman_gradient(sizes, best_theta(alpha), alpha)[1] < 0, low, high)
    theta = best_theta(alpha)
    if not (low * 2 < alpha < 1 - 2e-4 and theta < 1e5):
        return None
    return exp(lgamma(theta + 1) - lgamma(theta + alpha) + alpha * log(people))


def zayatz(sizes: Sequence[int], people: int, fraction: float) -> float:
    """Sample uniques that are unique in the population, as a share of all (Zayatz 1991),
    times those of the sample / fraction.
    """
    n = sum(sizes)

    def alone(size: int) -> Fraction:
        """Of a class of so many people, exactly one is among n of all."""
        others = (Fraction(people - n - j, people - 1 - j) for j in range(size - 1))
        return Fraction(size * n, people) * prod(max(other, Fraction(0)) for other in others)

    share = sizes.count(1) * alone(1) / sum(map(alone, sizes))
    return sizes.count(1) * float(share) / fraction


def snb_expected(k: float, alpha: float, beta: float, fraction: float, ones: int) -> float:
    """How many of k classes, of 1 + a negative binomial number of people, have so many in a sample;
    summed over sizes.
    """
    total, share = 0.0, beta**alpha
    for size in range(1, 400):
        if size >= ones:
            ways = prod(range(size - ones + 1, size + 1)) / prod(range(1, ones + 1))
            total += share * ways * fraction**ones * (1 - fraction) ** (size - ones)
        share *= (alpha + size - 1) / size * (1 - beta)
    return k * total


def snb(sizes: Sequence[int], fraction: float) -> float:
    """Expected uniques of the slide negative binomial model with which classes of one and two rows are as
    frequent as they are.
    """
    k = snb_classes(sizes, fraction)
    ones, twos = sizes.count(1), sizes.count(2)

    def alpha(beta: float) -> float:
        return _root(
            lambda alpha: (
                snb_expected(1, alpha, beta, fraction, 2) / snb_expected(1, alpha, beta, fraction, 1)
                > twos / ones
            ),
            0, 50,
        )  # fmt: skip

    beta = _root(lambda beta: snb_expected(k, alpha(beta), beta, fraction, 1) > ones, 0.01, 0.99)
    return float(k * beta ** alpha(beta))


def snb_classes(sizes: Sequence[int], q: float) -> float:
    """The classes of the population (Haas and Stokes 1998, the third of Shlosser's)."""
    alone = sum(i * q**2 * (1 - q**2) ** (i - 1) for i in sizes)
    seen = sum((1 - q) ** i * ((1 + q) ** i - 1) for i in sizes)
    unseen = sum((1 - q) ** i for i in sizes) / sum(i * q * (1 - q) ** (i - 1) for i in sizes)
    return len(sizes) + sizes.count(1) * alone / seen * unseen**2


# Sets of columns


def sets(columns: int, max_size: int) -> list[tuple[int, ...]]:
    return [each for size in range(1, max_size + 1) for each in combinations(range(columns), size)]


def minimal_uniques(rows: Sequence[Row], max_size: int) -> list[set[tuple[int, ...]]]:
    """Per row the sets of columns by which it is unique, and by no part of which it is."""

    def is_unique(row: Row, members: tuple[int, ...]) -> bool:
        return sum(key(other, members) == key(row, members) for other in rows) == 1

    result = []
    for row in rows:
        unique = [members for members in sets(len(row), min(max_size, len(row))) if is_unique(row, members)]
        result.append({each for each in unique if not any(set(other) < set(each) for other in unique)})
    return result


def suda_scores(rows: Sequence[Row], max_size: int) -> list[int]:
    """Elliot et al. 2005."""
    m = len(rows[0])
    largest = min(max_size, m - 1)
    return [
        sum(prod(m - i for i in range(len(members), largest + 1)) for members in minimal)
        for minimal in minimal_uniques(rows, max_size)
    ]


def dis_suda(rows: Sequence[Row], scores: Sequence[float], fraction: float) -> list[float]:
    """suda2 of sdcMicro: DIS (Skinner and Elliot 2002), spread by the scores."""
    sizes = Counter(map(key, rows))
    uniques = list(sizes.values()).count(1)
    paired = 2 * list(sizes.values()).count(2)
    exponent = 1 + (8 - len(rows[0])) / 20
    spread = sum(1 / score**exponent for score in scores if score)
    if not uniques:
        return [0] * len(rows)
    dis = uniques * fraction / (uniques * fraction + paired * (1 - fraction))
    return [
        1 / (1 + (uniques / dis - uniques) / (score**exponent * spread)) if score else 0 for score in scores
    ]


def separation(rows: Sequence[Row], members: Sequence[int]) -> tuple[int, float]:
    """Distinct combinations, and the share of pairs of rows that differ (1 if there is no pair)."""
    keys = [key(row, members) for row in rows]
    pairs = list(combinations(keys, 2))
    differing = sum(one != other for one, other in pairs)
    return len(set(keys)), differing / len(pairs) if pairs else 1
