"""Naive Bayes on released labels, counted row by row in fractions: no two products are equal by rounding."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from math import prod

Value = int | float | str | None
GROUPS = 10


class Parts:
    """The groups of a column's values. values: of the original, as often as they are there."""

    def __init__(self, values: Sequence[Value]) -> None:
        texts = sorted({value for value in values if isinstance(value, str)})
        numbers = sorted({value for value in values if isinstance(value, int | float)})
        self.domain: list[Value] = [*([None] if None in values else []), *numbers, *texts]
        self.numbers = [value for value in values if isinstance(value, int | float)]
        self.parts: dict[Value, int] = {value: place for place, value in enumerate(self.domain)}
        if self.numbers:
            for value in self.domain:
                below = (
                    sum(number < value for number in self.numbers) if isinstance(value, int | float) else 0
                )
                part = min(GROUPS * below // len(self.numbers), GROUPS - 1)
                self.parts[value] = -1 if value is None else part

    def of(self, value: Value) -> int | None:
        """The group of a value, of a number between values that of the largest below; None where there is no
        such group."""
        if value in self.parts:
            return self.parts[value]
        if not self.numbers or not isinstance(value, int | float):
            return None
        below = [number for number in self.numbers if number <= value]
        return self.parts[max(below, default=min(self.numbers))]

    def shares(self, covered: Sequence[Value]) -> Counter[int]:
        """In which parts a label that covers these values counts for which groups."""
        found: Counter[int] = Counter()
        for value in covered:
            part = self.of(value)
            assert part is not None
            found[part] += Fraction(1, len(covered))  # type: ignore[assignment]
        return found


Row = Sequence[Sequence[Value]]  # the values that each cell covers; of the last column: those to predict


def accuracy(original: Sequence[Row], release: Sequence[Row], held_out: Sequence[Row]) -> Fraction:
    """The share of people held out whose last column is predicted right, trained on the release."""
    columns = [Parts([value for [value] in column]) for column in zip(*original, strict=True)]
    *known, predicted = columns
    priors: Counter[int] = Counter()
    held: list[Counter[tuple[int, int]]] = [Counter() for _ in known]
    for row in release:
        for true, true_share in predicted.shares(row[-1]).items():
            priors[true] += true_share
            for counts, column, cell in zip(held, known, row[:-1], strict=True):
                for part, share in column.shares(cell).items():
                    counts[true, part] += true_share * share

    def likely(true: int, cells: Sequence[int | None]) -> Fraction:
        terms = [
            (counts[true, cell] + 1) / Fraction(priors[true] + len({*column.parts.values()}))
            for counts, column, cell in zip(held, known, cells, strict=True)
            if cell is not None
        ]
        return Fraction(priors[true]) * prod(terms, start=Fraction(1))

    right = 0
    for row in held_out:
        cells = [column.of(cell[0]) for column, cell in zip(known, row[:-1], strict=True)]
        guess = min(priors, key=lambda true: (-likely(true, cells), true))
        right += guess == predicted.of(row[-1][0])
    return Fraction(right, len(held_out))


def most_frequent(original: Sequence[Row], held_out: Sequence[Row]) -> Fraction:
    """The share of people held out whose last column has the value that most of the original have."""
    parts = Parts([row[-1][0] for row in original])
    counted = Counter(parts.of(row[-1][0]) for row in original)
    most = min(counted, key=lambda part: (-counted[part], part))
    return Fraction(sum(parts.of(row[-1][0]) == most for row in held_out), len(held_out))
