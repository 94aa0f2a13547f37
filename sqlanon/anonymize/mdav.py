"""The loops of microaggregation, group by group over vectors: MDAV, V-MDAV, and the optimum on one attribute.

They see distinct points with weights (how many rows they stand for), in a fixed order in which ties are
broken. A point has coordinates (whole numbers, see sql/core/coordinates.sql) and categories; two categories
of an attribute are a step times the square root of 2 apart. Means are rounded to whole numbers. So every
distance is exact, and does not depend on how it is worked out.

All give the group of every row, rows in the order of their points: an array of numbers from 0.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Progress = Callable[[int], None]  # how many rows are in groups

TOLD_EVERY = 500  # groups


@dataclass(frozen=True)
class Points:
    """numbers: points x attributes.

    categories: per attribute the codes (from 0) of the points. steps: per attribute.
    """

    numbers: Floats
    categories: Sequence[NDArray[np.intp]]
    steps: Sequence[float]
    weights: Ints

    def only(self, chosen: NDArray[np.intp] | NDArray[np.bool_]) -> Points:
        """Some of the points."""
        return Points(
            np.ascontiguousarray(self.numbers[chosen]),
            [codes[chosen] for codes in self.categories],
            self.steps,
            self.weights[chosen],
        )


def points(
    numbers: Sequence[Ints], categories: Sequence[Ints], steps: Sequence[float], weights: Ints
) -> Points:
    """Points from columns, without those on which nothing differs."""
    varying = [column for column in numbers if column.min() < column.max()]
    matrix = np.stack(varying, axis=1).astype(np.float64) if varying else np.zeros((len(weights), 0))
    kept = [i for i, step in enumerate(steps) if step > 0]
    codes = [np.unique(categories[i], return_inverse=True)[1].reshape(-1) for i in kept]
    return Points(matrix, codes, [float(steps[i]) for i in kept], weights)


class Remaining:
    """The points that are not in groups yet.

    Those that are gone stay in the arrays until they are an eighth of them.
    """

    def __init__(self, all_points: Points) -> None:
        self.points = all_points
        self.number = np.arange(len(all_points.weights))  # of a point among all
        self.left = all_points.weights.copy()
        self.norms = np.einsum("ij,ij->i", all_points.numbers, all_points.numbers)
        self.gone = np.zeros(0, dtype=np.intp)
        self.rows = int(self.left.sum())
        self.sizes = [int(codes.max()) + 1 for codes in all_points.categories]
        self.sum = self.left @ all_points.numbers
        self.counts = [
            np.bincount(codes, self.left, size)
            for codes, size in zip(all_points.categories, self.sizes, strict=True)
        ]

    def distances(self, numbers: Floats, tables: Sequence[Floats]) -> Floats:
        """Squared distances from a place: its numbers, and per attribute its coordinate of each category."""
        distances = self.points.numbers @ (-2 * numbers)
        distances += self.norms
        constant = float(numbers @ numbers)
        for codes, step, at in zip(self.points.categories, self.points.steps, tables, strict=True):
            distances += (-2 * step * at).take(codes)
            constant += step * step + float(at @ at)
        distances += constant
        return distances

    def from_center(self) -> Floats:
        """Distances from the mean of the rows that remain."""
        steps = self.points.steps
        tables = [np.rint(step * counts / self.rows) for step, counts in zip(steps, self.counts, strict=True)]
        return self.distances(np.rint(self.sum / self.rows), tables)

    def from_point(self, i: int) -> Floats:
        """Distances from a point."""
        tables = []
        for codes, step, size in zip(self.points.categories, self.points.steps, self.sizes, strict=True):
            at = np.zeros(size)
            at[codes[i]] = step
            tables.append(at)
        return self.distances(self.points.numbers[i], tables)

    def farthest(self, distances: Floats) -> int:
        """The first of the points that are farthest."""
        distances[self.gone] = -1
        return int(distances.argmax())

    def nearest(self, distances: Floats, rows: int) -> tuple[NDArray[np.intp], Ints]:
        """The points of so many nearest rows, the first of equally near ones, and how many rows of each."""
        distances[self.gone] = np.inf
        if rows < len(distances):
            bound = np.partition(distances, rows - 1)[rows - 1]
            candidates = np.flatnonzero(distances <= bound)
        else:
            candidates = np.flatnonzero(distances < np.inf)
        ordered = candidates[distances[candidates].argsort(kind="stable")]
        up_to = self.left[ordered].cumsum()
        ordered = ordered[: int(up_to.searchsorted(rows)) + 1]
        taken = self.left[ordered]
        taken[-1] -= up_to[len(ordered) - 1] - rows
        return ordered, taken

    def take(self, chosen: NDArray[np.intp], taken: Ints) -> tuple[NDArray[np.intp], Ints]:
        """So many rows of points are in a group: their numbers and counts."""
        self.left[chosen] -= taken
        self.rows -= int(taken.sum())
        self.sum -= taken @ self.points.numbers[chosen]
        for codes, counts in zip(self.points.categories, self.counts, strict=True):
            np.subtract.at(counts, codes[chosen], taken)
        self.gone = np.concatenate([self.gone, chosen[self.left[chosen] == 0]])
        return self.number[chosen], taken

    def compact(self) -> None:
        """Drop what is gone, if that is much. Positions change."""
        if len(self.gone) * 8 > len(self.left):
            here = self.left > 0
            self.points = self.points.only(here)
            self.number, self.left, self.norms = self.number[here], self.left[here], self.norms[here]
            self.gone = self.gone[:0]

    def rest(self) -> tuple[NDArray[np.intp], Ints]:
        """All points that remain, and their rows."""
        here = np.flatnonzero(self.left)
        return here, self.left[here]


class Groups:
    """What is in groups: points and counts, one group after the other."""

    def __init__(self, progress: Progress) -> None:
        self.members: list[NDArray[np.intp]] = []
        self.counts: list[Ints] = []
        self.numbers: list[int] = []
        self.rows = 0
        self.progress = progress

    def add(self, members: NDArray[np.intp], counts: Ints, number: int | None = None) -> None:
        """A group, or more of that with this number."""
        self.numbers.append(len(self.members) if number is None else number)
        self.members.append(members)
        self.counts.append(counts)
        self.rows += int(counts.sum())
        if len(self.members) % TOLD_EVERY == 0:
            self.progress(self.rows)

    def cells(self) -> tuple[Ints, NDArray[np.intp], Ints]:
        """Group, point, and how many of its rows, as columns."""
        group = np.repeat(self.numbers, [len(each) for each in self.members])
        return group, np.concatenate(self.members), np.concatenate(self.counts)

    def of_rows(self) -> Ints:
        """The group of every row.

        The rows of a point go in its groups in the order in which these were made.
        """
        group, member, count = self.cells()
        order = member.argsort(kind="stable")
        self.progress(self.rows)
        return np.repeat(group[order], count[order])


def groups(all_points: Points, algorithm: str, k: int, gamma: float, progress: Progress) -> Ints:
    """The groups of one of the algorithms."""
    match algorithm:
        case "mdav":
            return mdav(all_points, k, progress)
        case "vmdav":
            return vmdav(all_points, k, gamma, progress)
        case _:
            return univariate(all_points, k, progress)


def mdav(all_points: Points, k: int, progress: Progress) -> Ints:
    """MDAV-generic (Domingo-Ferrer and Torra 2005, sec. 2).

    Groups are made around the row farthest from the mean, and the row farthest from that one.

    All groups have k rows, the last one up to 2k - 1.
    """
    remaining, groups = Remaining(all_points), Groups(progress)
    while remaining.rows >= 2 * k:
        remaining.compact()
        distances = remaining.from_point(remaining.farthest(remaining.from_center()))
        groups.add(*remaining.take(*remaining.nearest(distances, k)))
        if remaining.rows >= 2 * k:
            distances = remaining.from_point(remaining.farthest(distances))
            groups.add(*remaining.take(*remaining.nearest(distances, k)))
    groups.add(*remaining.take(*remaining.rest()))
    return groups.of_rows()


def vmdav(all_points: Points, k: int, gamma: float, progress: Progress) -> Ints:
    """V-MDAV (Solanas and Martínez-Ballesté 2006): groups of k to 2k - 1 rows.

    A group around the row farthest from the mean of all is extended by the nearest row outside while that is
    nearer to the group than gamma times its distance from any other row outside. The last rows join the
    nearest group.
    """
    remaining, groups = Remaining(all_points), Groups(progress)
    from_mean = remaining.from_center()
    while remaining.rows >= k:
        remaining.compact()
        distances = remaining.from_point(remaining.farthest(from_mean[remaining.number]))
        members, taken = remaining.nearest(distances, k)
        parts = [remaining.take(members, taken)]
        outside = distances
        for member in members[1:]:
            np.minimum(outside, remaining.from_point(int(member)), out=outside)
        for _ in range(k - 1 if gamma > 0 else 0):
            if remaining.rows == 0:
                break
            outside[remaining.gone] = np.inf
            near = int(outside.argmin())
            distances = remaining.from_point(near)
            others = distances.copy()
            others[remaining.gone] = np.inf
            if remaining.left[near] == 1:
                others[near] = np.inf
            if not outside[near] < gamma * gamma * others.min():
                break
            parts.append(remaining.take(np.array([near]), np.array([1])))
            np.minimum(outside, distances, out=outside)
        groups.add(np.concatenate([points for points, _ in parts]), np.concatenate([n for _, n in parts]))
    here, left = remaining.rest()
    if len(here):
        _join_nearest(all_points, groups, *remaining.take(here, left))
    return groups.of_rows()


def _join_nearest(all_points: Points, groups: Groups, members: NDArray[np.intp], counts: Ints) -> None:
    """Put each point in the group with the nearest mean."""
    number, member, held = groups.cells()
    rows = np.bincount(number, held)
    distances = np.zeros((len(members), len(rows)))
    for column in all_points.numbers.T:
        mean = np.rint(np.bincount(number, held * column[member]) / rows)
        distances += (column[members][:, None] - mean) ** 2
    for codes, step in zip(all_points.categories, all_points.steps, strict=True):
        for category in range(int(codes.max()) + 1):
            mean = np.rint(step * np.bincount(number, held * (codes[member] == category)) / rows)
            distances += (step * (codes[members] == category)[:, None] - mean) ** 2
    for i, nearest in enumerate(distances.argmin(axis=1)):
        groups.add(members[i : i + 1], counts[i : i + 1], int(nearest))


def univariate(all_points: Points, k: int, progress: Progress) -> Ints:
    """The optimum on one attribute (Hansen and Mukherjee 2003): the shortest path from cut to cut.

    An optimal group has k to 2k - 1 rows that follow each other. Points come in the order of the attribute.
    """
    column = all_points.numbers[:, 0] if all_points.numbers.shape[1] else np.zeros(len(all_points.weights))
    values = np.repeat(column, all_points.weights)
    rows = len(values)
    cost = np.full(rows + 1, np.inf)  # of the best groups up to there
    cost[0] = 0
    size = np.zeros(rows + 1, dtype=np.int64)  # of the last of them
    widths = np.arange(1, 2 * k)
    for end in range(k, rows + 1):
        window = values[max(0, end - 2 * k + 1) : end][::-1]
        window = window - window[0]
        width = widths[k - 1 : len(window)]
        spread = (window * window).cumsum()[k - 1 :] - window.cumsum()[k - 1 :] ** 2 / width
        total = cost[end - width] + spread
        best = int(total.argmin())
        cost[end], size[end] = total[best], width[best]
        if end % (TOLD_EVERY * k) == 0:
            progress(end)
    ends = [rows]
    while ends[-1] > size[ends[-1]]:
        ends.append(int(ends[-1] - size[ends[-1]]))
    progress(rows)
    return np.repeat(np.arange(len(ends)), np.diff([0, *reversed(ends)]))
