"""Mondrian as people write it in numpy: recursive median cuts over a matrix of codes, k-anonymity only.

The algorithm of the well-known Python implementations (LeFevre, DeWitt, Ramakrishnan 2006: the widest
attribute first, the next one if a half would be too small), tuned as far as numpy goes without changing it.
It is the peer that benchmarks compare with.
"""

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Codes: TypeAlias = NDArray[np.int32]
Indices: TypeAlias = NDArray[np.intp]
Weights: TypeAlias = NDArray[np.int64] | NDArray[np.float64]


def encode(columns: Sequence[Sequence[Any] | NDArray[Any]]) -> Codes:
    """Columns of comparable values without NULL -> dense ranks, one row per record."""
    ranks = [np.unique(np.asarray(column), return_inverse=True)[1] for column in columns]
    return np.stack(ranks, axis=1).astype(np.int32)


def distinct(codes: Codes) -> tuple[Codes, Weights]:
    """Distinct combinations of codes and how many records have each."""
    combinations, weights = np.unique(codes, axis=0, return_counts=True)
    return combinations, weights.astype(np.int64)


def mondrian(codes: Codes, k: int, weights: Weights | None = None) -> list[Indices]:
    """The classes of k-anonymous Mondrian, each as positions in `codes` (rows or combinations, attributes).

    Codes are dense ranks from 0. `weights`: records per combination; without, every row is one record.
    """
    columns = np.ascontiguousarray(codes.T)
    spans = np.maximum(columns.max(axis=1), 1)
    weights = (
        None if weights is None else weights.astype(np.float64)
    )  # what bincount adds up, exact below 2^53
    n = len(codes) if weights is None else int(weights.sum())
    final: list[Indices] = []
    todo = [(np.arange(len(codes)), columns, weights, n)]
    while todo:
        rows, part, weight, n = todo.pop()
        sides = cut(part, weight, n, k, spans) if n >= 2 * k else None
        if sides is None:
            final.append(rows)
            continue
        left, left_n = sides
        for at, size in ((left.nonzero()[0], left_n), ((~left).nonzero()[0], n - left_n)):
            if size < 2 * k:
                final.append(rows[at])
            else:
                todo.append((rows[at], part.take(at, axis=1), None if weight is None else weight[at], size))
    return final


def cut(
    part: Codes, weight: Weights | None, n: int, k: int, spans: Codes
) -> tuple[NDArray[np.bool_], int] | None:
    """The first cut that leaves k records on both sides: which rows lie left, how many records they are."""
    low = part.min(axis=1)
    widths = (part.max(axis=1) - low) / spans
    for attribute in (-widths).argsort(kind="stable").tolist():
        if widths[attribute] == 0:
            return None
        column = part[attribute]
        offset = column - low[attribute]
        up_to = np.bincount(offset, weight).cumsum()
        above = int(up_to.searchsorted(n / 2))  # the first code with at least half of the records up to it
        code, left_n = above, int(up_to[above])
        if above and (left_n == n or n - 2 * int(up_to[above - 1]) <= 2 * left_n - n):
            code, left_n = above - 1, int(up_to[above - 1])
        if k <= left_n <= n - k:
            return offset <= code, left_n
    return None


def plain(rows: Sequence[tuple[int, ...]], k: int) -> list[list[tuple[int, ...]]]:
    """The same in plain Python, with lists and dictionaries,
    as the well-known implementations are written.
    """
    attributes = range(len(rows[0]))
    spans = [max(1, *(row[d] for row in rows)) for d in attributes]
    final: list[list[tuple[int, ...]]] = []
    todo = [list(rows)]
    while todo:
        part = todo.pop()
        halves = plain_cut(part, k, spans) if len(part) >= 2 * k else None
        if halves is None:
            final.append(part)
        else:
            todo.extend(halves)
    return final


def plain_cut(
    part: list[tuple[int, ...]], k: int, spans: Sequence[int]
) -> tuple[list[tuple[int, ...]], list[tuple[int, ...]]] | None:
    """The halves of the first cut that leaves k rows on both sides."""
    counts: list[dict[int, int]] = []
    for d in range(len(spans)):
        count: dict[int, int] = {}
        for row in part:
            count[row[d]] = count.get(row[d], 0) + 1
        counts.append(count)
    widths = [(max(count) - min(count)) / span for count, span in zip(counts, spans, strict=True)]
    for d in sorted(range(len(spans)), key=lambda d: -widths[d]):
        if widths[d] == 0:
            return None
        best, up_to = (len(part) + 1, 0, 0), 0
        for code in sorted(counts[d])[:-1]:
            up_to += counts[d][code]
            best = min(best, (abs(2 * up_to - len(part)), code, up_to))
        _, code, up_to = best
        if k <= up_to <= len(part) - k:
            return [row for row in part if row[d] <= code], [row for row in part if row[d] > code]
    return None
