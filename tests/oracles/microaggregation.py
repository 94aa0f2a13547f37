"""Slow, obvious microaggregation: lists of rows, distances from everything to everything, groups as lists of
positions.

A row is a vector of whole numbers, so that everything is exact: means are rounded to whole numbers. Of
equally far rows the first is taken.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction
from functools import cache

Vector = Sequence[int]


def vectors(
    numbers: Sequence[Vector], categories: Sequence[Sequence[Hashable]], steps: Sequence[int]
) -> list[Vector]:
    """Rows with each category as a coordinate of its own, which is 0 or the attribute's step."""
    known = [sorted(set(column), key=repr) for column in zip(*categories, strict=True)]
    return [
        [
            *row,
            *(
                step * (value == each)
                for value, step, values in zip(answer, steps, known, strict=True)
                for each in values
            ),
        ]
        for row, answer in zip(numbers, categories, strict=True)
    ]


def squared(one: Vector, other: Vector) -> int:
    return sum((a - b) * (a - b) for a, b in zip(one, other, strict=True))


def mean(rows: Sequence[Vector]) -> Vector:
    return [round(Fraction(sum(column), len(rows))) for column in zip(*rows, strict=True)]


def farthest(rows: Sequence[Vector], among: Sequence[int], place: Vector) -> int:
    return max(among, key=lambda i: (squared(rows[i], place), -i))


def nearest(rows: Sequence[Vector], among: Sequence[int], place: Vector, k: int) -> list[int]:
    return sorted(among, key=lambda i: (squared(rows[i], place), i))[:k]


def mdav(rows: Sequence[Vector], k: int) -> list[list[int]]:
    """MDAV-generic, as Domingo-Ferrer and Torra (2005) write it."""
    left, groups = list(range(len(rows))), []

    def group(around: int) -> None:
        groups.append(nearest(rows, left, rows[around], k))
        left[:] = [i for i in left if i not in set(groups[-1])]

    def outermost() -> int:
        return farthest(rows, left, mean([rows[i] for i in left]))

    while len(left) >= 3 * k:
        first = outermost()
        group(first)
        group(farthest(rows, left, rows[first]))
    if len(left) >= 2 * k:
        group(outermost())
    return [*groups, left]


def vmdav(rows: Sequence[Vector], k: int, gamma: float) -> list[list[int]]:
    """V-MDAV, as Solanas and Martínez-Ballesté (2006) write it."""
    left, groups = list(range(len(rows))), []
    center = mean(rows)
    while len(left) >= k:
        members = nearest(rows, left, rows[farthest(rows, left, center)], k)
        left = [i for i in left if i not in members]
        while left and len(members) < 2 * k - 1:
            to_group = {i: min(squared(rows[i], rows[member]) for member in members) for i in left}
            near = min(left, key=lambda i: (to_group[i], i))
            outside = min((squared(rows[near], rows[i]) for i in left if i != near), default=math.inf)
            if not to_group[near] < gamma * gamma * outside:
                break
            members.append(near)
            left.remove(near)
        groups.append(members)
    centers = [mean([rows[i] for i in members]) for members in groups]
    for i in left:
        groups[min(range(len(groups)), key=lambda g: (squared(rows[i], centers[g]), g))].append(i)
    return groups


def sse(rows: Sequence[Vector], groups: Sequence[Sequence[int]]) -> Fraction:
    """The sum of squared distances from the mean of the group, exactly."""
    total = Fraction(0)
    for members in groups:
        for column in zip(*(rows[i] for i in members), strict=True):
            total += sum(x * x for x in column) - Fraction(sum(column) ** 2, len(column))
    return total


def univariate_optimum(values: Sequence[int], k: int) -> Fraction:
    """The least SSE of groups of at least k numbers, of all ways to cut them in their order."""
    ordered = sorted(values)

    @cache
    def best(start: int) -> Fraction | float:
        if start == len(ordered):
            return Fraction(0)
        return min(
            (
                sse([[x] for x in ordered[start:end]], [range(end - start)]) + best(end)
                for end in range(start + k, len(ordered) + 1)
            ),
            default=math.inf,
        )

    result = best(0)
    assert isinstance(result, Fraction)
    return result


def every_grouping(positions: Sequence[int], k: int) -> list[list[list[int]]]:
    """All ways to put positions in groups of at least k."""
    if not positions:
        return [[]]
    first, *others = positions
    result = []
    for chosen in range(1 << len(others)):
        group = [first, *(each for i, each in enumerate(others) if chosen >> i & 1)]
        if len(group) >= k:
            rest = [each for i, each in enumerate(others) if not chosen >> i & 1]
            result += [[group, *more] for more in every_grouping(rest, k)]
    return result


def hilbert(cells: Sequence[int], bits: int) -> int:
    """Where a cell is on Hilbert's curve (Skilling 2004, AxestoTranspose)."""
    x, n = list(cells), len(cells)
    for bit in range(bits - 1, 0, -1):
        mask = (1 << bit) - 1
        for i in range(n):
            if x[i] >> bit & 1:
                x[0] ^= mask
            else:
                exchanged = (x[0] ^ x[i]) & mask
                x[0] ^= exchanged
                x[i] ^= exchanged
    for i in range(1, n):
        x[i] ^= x[i - 1]
    turn = 0
    for bit in range(bits - 1, 0, -1):
        if x[-1] >> bit & 1:
            turn ^= (1 << bit) - 1
    place = 0
    for bit in range(bits - 1, -1, -1):
        for each in x:
            place = place << 1 | (each ^ turn) >> bit & 1
    return place


def standardized(values: Sequence[float | None]) -> list[float]:
    """100,000 times the standardized numbers; missing ones are at the mean,
    and so are all if they are equal.
    """
    numbers = [value for value in values if value is not None]
    if len(set(numbers)) < 2:
        return [0.0] * len(values)
    center = math.fsum(numbers) / len(numbers)
    deviation = math.sqrt(math.fsum((value - center) ** 2 for value in numbers) / len(numbers))
    return [0.0 if value is None else (value - center) / deviation * 1e5 for value in values]


def step(values: Sequence[Hashable]) -> float:
    """How long the coordinates of categories are,
    so that their variances add up to that of a standardized number.
    """
    shares = [n / len(values) for n in Counter(values).values()]
    return 0.0 if len(shares) == 1 else 1e5 / math.sqrt(1 - math.fsum(share * share for share in shares))


def half_up(number: Fraction) -> int:
    """Rounded as SQL does: a half goes away from zero."""
    rounded = math.floor(abs(number) + Fraction(1, 2))
    return rounded if number >= 0 else -rounded


def merged(
    groups: Sequence[Sequence[int]],
    numbers: Sequence[Vector],
    categories: Sequence[Sequence[int]],
    steps: Sequence[int],
    violates: Callable[[Sequence[int]], bool],
) -> list[list[int]]:
    """Groups of rows that violate something merged with the nearest, round after round, until none does.

    In a round a group joins its nearest if that violates nothing, or is one of two groups which are each
    other's nearest. In the middle of a group are the rounded mean of each number and the first of the most
    frequent categories.
    """
    classes = {i: list(members) for i, members in enumerate(groups)}

    def center(members: Sequence[int]) -> tuple[list[int], list[int]]:
        means = [
            half_up(Fraction(sum(column), len(members)))
            for column in zip(*(numbers[i] for i in members), strict=True)
        ]
        modes = [
            min(Counter(column).items(), key=lambda counted: (-counted[1], counted[0]))[0]
            for column in zip(*(categories[i] for i in members), strict=True)
        ]
        return means, modes

    def distance(one: int, other: int) -> int:
        (x, c), (y, d) = center(classes[one]), center(classes[other])
        mismatches = (2 * step * step for a, b, step in zip(c, d, steps, strict=True) if a != b)
        return squared(x, y) + sum(mismatches)

    while any(violates(members) for members in classes.values()):
        picked = {}
        for one, members in classes.items():
            if violates(members):
                picked[one] = min((distance(one, other), other) for other in classes if other != one)[1]
        joined = {}
        for one, other in picked.items():
            if other not in picked:
                joined[one] = other
            elif picked.get(picked[other]) == other:
                joined[one] = min(other, picked[other])
        for one, other in joined.items():
            if one != other:
                classes[other] += classes.pop(one)
    return list(classes.values())
