"""(X, Y)-privacy (Wang and Fung 2006): the join of two releases, row by row."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, TypeAlias

Table: TypeAlias = Sequence[Mapping[str, Any]]


def joined(one: Table, other: Table) -> list[dict[str, Any]]:
    """The natural join, in which NULL equals NULL."""
    return [
        {**row, **match}
        for row in one
        for match in other
        if all(row[name] == match[name] for name in row.keys() & match.keys())
    ]


def linkability(
    rows: Table, x: Sequence[str], y: Sequence[str]
) -> dict[tuple[Any, ...], tuple[Fraction, int, int]]:
    """Per value of x: the largest share of a y, how many y, and how many rows."""
    counts: dict[tuple[Any, ...], Counter[tuple[Any, ...]]] = {}
    for row in rows:
        counter = counts.setdefault(tuple(row[name] for name in x), Counter())
        counter[tuple(row[name] for name in y)] += 1
    return {
        value: (Fraction(max(counter.values()), counter.total()), len(counter), counter.total())
        for value, counter in counts.items()
    }
