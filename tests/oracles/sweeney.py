"""Linking, unsorted matching and complementary releases (Sweeney 2002), row by row.

Labels overlap if a value of a universe, which the caller gives for each column, is covered by both.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias

from tests.oracles import Row
from tests.oracles.covers import covers

Labels: TypeAlias = Sequence[str | None]
Universe: TypeAlias = Sequence[Mapping[Any, Sequence[str]]]  # of each column: value -> its labels
Common: TypeAlias = tuple[frozenset[Any], ...]


def covered(label: str | None, column: Mapping[Any, Sequence[str]]) -> frozenset[Any]:
    """The values of a column that a label covers."""
    return frozenset(value for value, labels in column.items() if covers(label, value, labels))


def common(one: Labels, other: Labels, universe: Universe) -> Common | None:
    """The values that a row can have whose labels are both; None: they do not overlap."""
    both = tuple(
        covered(mine, column) & covered(yours, column)
        for mine, yours, column in zip(one, other, universe, strict=True)
    )
    return both if all(both) else None


@dataclass(frozen=True)
class Link:
    """What is learned of a row of the first release. said: what its partners say, with how many do."""

    said: Counter[Common]
    confidence: Fraction | None
    baseline: Fraction | None
    pairs: int
    compatible: int


def largest_share(said: Counter[Common]) -> Fraction | None:
    return Fraction(max(said.values()), said.total()) if said else None


def complementary_release(
    first: Sequence[tuple[Labels, Any]], second: Sequence[tuple[Labels, Any]], universe: Universe
) -> list[Link]:
    """Per row of the first release, given as labels and join value."""
    answer = []
    for labels, joined in first:
        overlapping = [(common(labels, others, universe), values) for others, values in second]
        possible = Counter(both for both, _ in overlapping if both is not None)
        said = Counter(both for both, values in overlapping if both is not None and values == joined)
        pairs = sum(values == joined for _, values in overlapping)
        answer.append(Link(said, largest_share(said), largest_share(possible), pairs, said.total()))
    return answer


def unsorted_matching(
    first: Sequence[Labels], second: Sequence[Labels], universe: Universe
) -> tuple[Fraction, Fraction, list[Fraction | None]]:
    """The share of positions with overlapping labels, that of all pairs, and the confidence per position."""
    table = [[common(one, other, universe) for other in second] for one in first]
    n = len(table)
    score = Fraction(sum(table[i][i] is not None for i in range(n)), n)
    expected = Fraction(sum(both is not None for row in table for both in row), n * n)
    matched = max(score - expected, Fraction(0)) / ((1 - expected) * score) if expected < 1 and score else 0
    confidence: list[Fraction | None] = []
    for i, row in enumerate(table):
        said = Counter(both for both in row if both is not None)
        both = row[i]
        confidence.append(
            None if both is None else matched + (1 - matched) * Fraction(said[both], said.total())
        )
    return score, expected, confidence


def linking(
    release: Sequence[tuple[Labels, Any]], targets: Sequence[Row]
) -> list[tuple[Counter[Any], int, int]]:
    """Per target: the sensitive values of the rows that may be theirs, how many classes these are, and how
    many of the rows match nobody else.
    """
    matches = [
        [all(covers(label, raw) for label, raw in zip(labels, target, strict=True)) for target in targets]
        for labels, _ in release
    ]
    answer = []
    for number, _ in enumerate(targets):
        rows = [i for i, match in enumerate(matches) if match[number]]
        values = Counter(release[i][1] for i in rows)
        classes = len({tuple(release[i][0]) for i in rows})
        answer.append((values, classes, sum(sum(matches[i]) == 1 for i in rows)))
    return answer
