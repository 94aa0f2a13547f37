"""What a release has lost, the slow way: every released value is compared with every value, every combination
of values gets its share of every row."""

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from statistics import mean, median
from typing import Any

from tests.oracles import Hierarchy, as_text, canonical, is_number, sort_key
from tests.oracles.covers import covers

CELLS = 64


def entropy(counts: Sequence[float]) -> float:
    """Of a distribution, in bits."""
    total = sum(counts)
    return -sum(n / total * math.log2(n / total) for n in counts if n)


def is_finite(value: Any) -> bool:
    return not isinstance(value, float) or math.isfinite(value)


def place(value: Any) -> float:
    """Where a number or a point in time is, on an axis."""
    return float(value) if is_number(value) else value.toordinal() * 86400 + getattr(value, "second", 0)


@dataclass(frozen=True)
class Column:
    """A column of the original (values) and of the release (texts), row by row; measured:
    are its values numbers or dates?
    """

    values: Sequence[Any]
    released: Sequence[str | None]
    hierarchy: Hierarchy | None
    measured: bool

    @cached_property
    def domain(self) -> list[Any]:
        values = {canonical(value) for value in [*self.values, *(self.hierarchy or {})]}
        return sorted(values, key=lambda value: sort_key(value if self.measured else as_text(value)))

    def hidden(self, label: str | None) -> bool:
        return (label is None or label == "*") and label not in [as_text(value) for value in self.values]

    @cached_property
    def covered(self) -> dict[str | None, list[Any]]:
        """What each released text stands for."""
        return {
            label: [value for value in self.domain if self.stands_for(label, value)]
            for label in self.released
        }

    def stands_for(self, label: str | None, value: Any) -> bool:
        if self.hidden(label):
            return True
        if self.hierarchy and any(label in labels for labels in self.hierarchy.values()):
            return label in self.hierarchy[value]
        return covers(label, value)

    @property
    def suppressed(self) -> int:
        return len(self.values) - len(self.released)

    def ncp(self) -> float:
        known = [value for value in self.domain if value is not None]
        axis = self.measured and not self.hierarchy and all(is_finite(value) for value in known) and known

        def penalty(label: str | None) -> float:
            held = self.covered[label]
            if not axis:
                return 0 if len(held) == 1 else len(held) / len(self.domain)
            places = [place(value) for value in held if value is not None]
            return (
                (max(places) - min(places)) / (place(known[-1]) - place(known[0])) if len(places) > 1 else 0
            )

        return (sum(map(penalty, self.released)) + self.suppressed) / len(self.values)

    def loss(self) -> float:
        n, d = len(self.values), len(self.domain)
        shares = sum(len(self.covered[label]) / d for label in self.released) + self.suppressed
        return (shares - n / d) / (n - n / d) if d > 1 else 0

    def levels(self, label: str | None) -> set[int]:
        result = set()
        for labels in (self.hierarchy or {}).values():
            result |= {level for level, above in enumerate(labels) if above == label}
        if label == "*" or self.hidden(label):
            result.add(self.height)
        elif len(self.covered[label]) == 1:
            result.add(0)
        return result

    @property
    def height(self) -> int:
        return len(next(iter(self.hierarchy.values()))) - 1 if self.hierarchy else 1

    @cached_property
    def level(self) -> int | None:
        """The lowest one that all released values have."""
        return min(set.intersection(*map(self.levels, self.covered)), default=None)

    def precision(self) -> float | None:
        if not all(map(self.levels, self.covered)):
            return None
        levels = [min(self.levels(label)) if self.level is None else self.level for label in self.released]
        return (sum(level / max(self.height, 1) for level in levels) + self.suppressed) / len(self.values)

    def entropy(self) -> float:
        """ARX's, where it is known which label each value has;
        otherwise as if a suppressed row were a released *.
        """
        known = Counter(map(canonical, self.values))
        owners = {
            value: [label for label in self.covered if value in self.covered[label]] for value in self.domain
        }
        if all(len(labels) <= 1 for labels in owners.values()):

            def label_of(value: Any) -> Any:
                if owners[value]:
                    return "released", owners[value][0]
                if self.level is not None and self.hierarchy:
                    return "suppressed", self.hierarchy[value][self.level]
                return "suppressed", "itself", as_text(value)

            original = Counter(label_of(value) for value in map(canonical, self.values))
            lost = original.copy()
            lost.subtract(("released", label) for label in self.released)
            if min(lost.values()) >= 0:
                generalized = sum(
                    math.log2(original[label_of(value)] / known[value])
                    for value in map(canonical, self.values)
                )
                return generalized + self.suppressed * (
                    entropy(list(lost.values())) if self.suppressed else 0
                )
        released = sum(
            entropy([known[value] for value in self.covered[label]])
            if any(known[value] for value in self.covered[label])
            else 0
            for label in self.released
        )
        return released + self.suppressed * entropy(list(known.values()))


@dataclass(frozen=True)
class Query:
    """A range count: for columns (by position) the first and the last cell."""

    ranges: Mapping[int, tuple[int, int]]

    def asks_for(self, column: int, code: int, values: int) -> bool:
        lo, hi = self.ranges[column]
        return lo <= code * min(values, CELLS) // values <= hi


@dataclass(frozen=True)
class Comparison:
    """Two tables, column by column; the first `qi` columns are quasi-identifiers."""

    columns: Sequence[Column]
    qi: int

    @property
    def rows(self) -> int:
        return len(self.columns[0].values)

    @property
    def suppressed(self) -> int:
        return self.columns[0].suppressed

    def measures(self, k: int | None = None) -> Iterator[tuple[str, int | None, float]]:
        """measure, attribute (position), value."""
        qi = self.columns[: self.qi]
        released = self.rows - self.suppressed
        yield "suppressed rows", None, 100 * self.suppressed / self.rows
        hidden = [sum(map(column.hidden, column.released)) for column in qi]
        for i, cells in enumerate(hidden):
            yield "suppressed cells", i, 100 * cells / released
        yield "suppressed cells", None, 100 * sum(hidden) / released / self.qi
        for i, column in enumerate(qi):
            yield "NCP", i, column.ncp()
            yield "loss", i, column.loss()
            yield "non-uniform entropy", i, column.entropy()
            precision = column.precision()
            if precision is not None:
                yield "precision", i, precision
        yield "GCP", None, mean(column.ncp() for column in qi)
        yield "loss", None, math.prod(1 + column.loss() for column in qi) ** (1 / self.qi) - 1
        yield "non-uniform entropy", None, sum(column.entropy() for column in qi)
        precisions = [precision for column in qi if (precision := column.precision()) is not None]
        if len(precisions) == self.qi:
            yield "precision", None, mean(precisions)
        classes = Counter(zip(*(column.released for column in qi), strict=True))
        yield "discernibility", None, sum(n * n for n in classes.values()) + self.rows * self.suppressed
        average = self.rows / (len(classes) + bool(self.suppressed))
        yield "average class size", None, average
        if k is not None:
            yield "C_avg", None, average / k
        p, q = self.original(), self.spread()
        yield (
            "KL divergence",
            None,
            sum(
                n * math.log2(n / q[combination]) if q[combination] else math.inf
                for combination, n in p.items()
            ),
        )
        yield (
            "city block distance",
            None,
            sum(abs(p[combination] - q[combination]) for combination in {*p, *q}),
        )

    def boxes(self) -> Iterator[list[list[Any]]]:
        """What each row stands for, column by column."""
        for labels in zip(*(column.released for column in self.columns), strict=True):
            yield [column.covered[label] for column, label in zip(self.columns, labels, strict=True)]
        for _ in range(self.suppressed):
            yield [column.domain for column in self.columns]

    def original(self) -> Counter[Any]:
        p: Counter[Any] = Counter()
        for row in zip(*(column.values for column in self.columns), strict=True):
            p[tuple(map(canonical, row))] += 1 / self.rows  # type: ignore[assignment]
        return p

    def spread(self) -> Counter[Any]:
        q: Counter[Any] = Counter()
        for box in self.boxes():
            volume = math.prod(map(len, box))
            for combination in product(*box):
                q[combination] += 1 / volume / self.rows  # type: ignore[assignment]
        return q

    def query_errors(self, queries: Sequence[Query]) -> tuple[float, float]:
        """The median and the mean, in percent."""
        p, q = self.original(), self.spread()
        code = [{value: i for i, value in enumerate(column.domain)} for column in self.columns]

        def answer(distribution: Counter[Any], query: Query) -> float:
            return self.rows * sum(
                share
                for combination, share in distribution.items()
                if all(query.asks_for(i, code[i][combination[i]], len(code[i])) for i in query.ranges)
            )

        errors = [
            abs(answer(p, query) - answer(q, query)) / max(answer(p, query), self.rows / 1000)
            for query in queries
        ]
        return 100 * median(errors), 100 * mean(errors)

    def count_errors(
        self, counts: Sequence[float], deviations: Sequence[float], queries: Sequence[Query]
    ) -> dict[str, float]:
        """By measure, if each released row is a group of so many, but for noise of this deviation."""
        code = [{value: i for i, value in enumerate(column.domain)} for column in self.columns]
        groups = [
            (
                [column.covered[label] for column, label in zip(self.columns, labels, strict=True)],
                n,
                deviation,
            )
            for *labels, n, deviation in zip(
                *(column.released for column in self.columns), counts, deviations, strict=True
            )
        ]
        known = [group for group in groups if all(group[0])]
        errors, noises = [], []
        for query in queries:

            def share(box: Sequence[Sequence[Any]], asked: Query = query) -> float:
                return math.prod(
                    mean(asked.asks_for(i, code[i][value], len(code[i])) for value in box[i])
                    for i in asked.ranges
                )

            points = zip(*(map(canonical, column.values) for column in self.columns), strict=True)
            true = sum(share([[value] for value in point]) for point in points)
            answer = sum(share(box) * n for box, n, _ in known)
            variance = sum((share(box) * deviation) ** 2 for box, _, deviation in known)
            divisor = max(true, self.rows / 1000)
            errors.append(100 * abs(true - answer) / divisor)
            noises.append(100 * math.sqrt(variance) / divisor)
        measures = {
            "groups_not_in_original": 100 * (1 - len(known) / len(groups)),
            "query_error_median": median(errors),
            "query_error_mean": mean(errors),
            "query_noise_median": median(noises),
            "query_noise_mean": mean(noises),
        }
        if sum(counts) > 0:
            measures["group_noise"] = 100 * sum(deviations) / sum(counts)
        return measures
