"""Groups along Hilbert's curve, and how much the change of a record changes their sums: by trying all."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement

from tests.oracles.microaggregation import hilbert

Record = tuple[int, ...]  # in cells


def cell(value: float | None, lo: float, hi: float, last: int) -> int:
    if value is None or math.isnan(value):
        return last // 2
    return math.floor((min(max(value, lo), hi) - lo) / (hi - lo) * last + 0.5)


def totals(records: Sequence[Record], k: int, bits: int) -> list[tuple[int, Record]]:
    """The groups in their order: how many records, and the sum of each column."""
    ordered = sorted(records, key=lambda record: hilbert(record, bits) if len(record) > 1 else record[0])
    ends = [k * i for i in range(1, max(len(records) // k, 1))]
    groups = [ordered[lo:hi] for lo, hi in zip([0, *ends], [*ends, len(records)], strict=True)]
    return [(len(group), tuple(map(sum, zip(*group, strict=True)))) for group in groups if group]


def changes(domain: Sequence[Record], n: int, k: int, bits: int) -> Iterator[list[list[int]]]:
    """Of all pairs of tables that differ by one of n records: what the sums change by, by group and
    column."""
    known = {table: totals(table, k, bits) for table in combinations_with_replacement(sorted(domain), n)}
    for rest in combinations_with_replacement(sorted(domain), n - 1):
        tables = [known[tuple(sorted([*rest, record]))] for record in domain]
        for i, one in enumerate(tables):
            for other in tables[:i]:
                yield [
                    [abs(x - y) for x, y in zip(a, b, strict=True)]
                    for (_, a), (_, b) in zip(one, other, strict=True)
                ]


def longest_walk(domain: Sequence[Record], steps: int, power: int, bits: int) -> list[int]:
    """The largest sum of changes of a column, each to a power, in walks of 0, 1, ... steps."""
    along = sorted(domain, key=lambda record: hilbert(record, bits) if len(record) > 1 else record[0])
    longest = [0] * (steps + 1)
    for column in zip(*along, strict=True):
        best = [0] * len(along)
        for step in range(1, steps + 1):
            best = [
                max(best[i] + abs(column[i] - here) ** power for i in range(j + 1))
                for j, here in enumerate(column)
            ]
            longest[step] = max(longest[step], *best)
    return longest
