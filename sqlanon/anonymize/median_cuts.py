"""Mondrian's cuts at medians over arrays, where nothing but k is required and no attribute has a hierarchy.

The classes are those of sql/anonymize/mondrian/steps.sql, which explains the cuts. Here the tuples of a part
stand side by side, so a step is a few passes over arrays, for all parts at once; a part whose cut is refused
tries its next attribute in the same step. When there are many parts, they are cut a block of them at a time,
in as many threads as DuckDB has: a block stays in the processor's cache, and little more memory is needed
than for the codes themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

Codes = NDArray[np.uint16] | NDArray[np.int32]
Ints = NDArray[np.int64]
Progress = Callable[[int], None]  # how many tuples are in classes

BLOCK = 1 << 18  # tuples that are cut together, if they are several parts
MANY = 1 << 13  # parts from which on sorting by digits does not pay


@dataclass(frozen=True)
class Parts:
    """Tuples, part by part. columns: attributes x tuples; starts: of the parts.

    tuples: their positions among all. weights: how many rows they stand for.
    """

    columns: Codes
    weights: Ints
    tuples: Ints
    starts: Ints

    @property
    def lengths(self) -> Ints:
        """How many tuples the parts have."""
        return np.diff(self.starts, append=len(self.tuples))

    def at(self, parts: Ints) -> tuple[Ints, Ints]:
        """The places of the tuples of some parts, one part after the other, and where each begins there."""
        lengths = self.lengths[parts]
        begins = lengths.cumsum() - lengths
        return np.arange(lengths.sum()) + (self.starts[parts] - begins).repeat(lengths), begins

    def blocks(self) -> Iterator[Parts]:
        """The parts in blocks of about so many tuples; a part is in one block."""
        block = self.starts // BLOCK if len(self.tuples) > BLOCK else np.zeros_like(self.starts)
        first = np.append(np.flatnonzero(np.diff(block, prepend=-1)), len(self.starts))
        ends = np.append(self.starts, len(self.tuples))
        for one, other in pairwise(first):
            here = slice(ends[one], ends[other])
            starts = self.starts[one:other] - ends[one]
            yield Parts(self.columns[:, here], self.weights[here], self.tuples[here], starts)


def classes(
    columns: Sequence[NDArray[np.int32]],
    weights: NDArray[np.int32],
    spans: Sequence[int],
    k: int,
    threads: int,
    report: Progress,
    strata: Sequence[int] = (),
) -> Ints:
    """The class of each tuple, a number from 0. columns: the codes of each attribute; weights: rows.

    spans: the largest codes. strata: positions of attributes of which no class mixes values. Numbers depend
    on which thread is faster, classes do not.
    """
    codes = np.empty((len(columns), len(weights)), dtype=np.uint16 if max(spans) < 1 << 16 else np.int32)
    order, starts = in_strata([columns[d] for d in strata], len(weights))
    for d, column in enumerate(columns):
        codes[d] = column[order] if strata else column
    whole = Parts(codes, weights.astype(np.int64)[order], order, starts)
    found, made, done = np.empty(len(weights), dtype=np.int64), 0, 0
    pool = ThreadPoolExecutor(threads)
    try:
        running = {pool.submit(cut, whole, np.array(spans), k)}
        del codes, whole
        while running:
            ready, running = wait(running, return_when=FIRST_COMPLETED)
            for each in ready:
                finished, lengths, blocks = each.result()
                running |= {pool.submit(cut, block, np.array(spans), k) for block in blocks}
                found[finished] = (made + np.arange(len(lengths))).repeat(lengths)
                made, done = made + len(lengths), done + len(finished)
            report(done)
    finally:
        pool.shutdown(cancel_futures=True)
    return found


def in_strata(columns: Sequence[NDArray[np.int32]], tuples: int) -> tuple[Ints, Ints]:
    """The order of tuples by strata, and where each of these begins."""
    order = np.lexsort(columns) if columns else np.arange(tuples)
    is_first = np.arange(tuples) == 0
    for column in columns:
        is_first[1:] |= np.diff(column[order]) != 0
    return order, np.flatnonzero(is_first)


def cut(parts: Parts, spans: Ints, k: int) -> tuple[Ints, Ints, list[Parts]]:
    """The tuples of parts that cannot be cut, part by part, how many these parts have, and the halves of the
    others, in blocks."""
    places, lower = cuts(parts, spans, k)
    is_whole = lower == 0
    finished, _ = parts.at(np.flatnonzero(is_whole))
    blocks = [] if is_whole.all() else list(halves(parts, places, lower).blocks())
    return parts.tuples[finished], parts.lengths[is_whole], blocks


def cuts(parts: Parts, spans: Ints, k: int) -> tuple[Ints, Ints]:
    """The places of all tuples, those of the lower half of each part before those of the upper half, and how
    many the lower half has: 0 where no cut leaves k rows on both sides.

    A part is cut on the attribute on which it is widest, the first of equally wide ones; if that is refused,
    on the next.
    """
    sizes = np.add.reduceat(parts.weights, parts.starts)
    lowest = np.minimum.reduceat(parts.columns, parts.starts, axis=1)
    highest = np.maximum.reduceat(parts.columns, parts.starts, axis=1)
    widths = (highest - lowest).T / spans
    widest_first = np.argsort(-widths, axis=1, kind="stable")
    sorted_places, lower = np.arange(len(parts.tuples)), np.zeros_like(sizes)
    left = np.flatnonzero(sizes >= 2 * k)
    for rank in range(len(spans)):
        attribute = widest_first[left, rank]
        wide = widths[left, attribute] > 0
        left, attribute = left[wide], attribute[wide]
        if not len(left):
            break
        places, begins = parts.at(left)
        part = np.arange(len(left)).repeat(parts.lengths[left])
        code = parts.columns[attribute[part], places]
        order = sorted_within(part, code)
        sorted_places[places] = places = places[order]
        last, smallest = medians(part, code[order], parts.weights[places], sizes[left])
        legal = smallest >= k
        lower[left[legal]] = (last + 1 - begins)[legal]
        left = left[~legal]
    return sorted_places, lower


def sorted_within(part: Ints, code: Codes) -> Ints:
    """The order of tuples by part, and by code within it. Parts come in order already.

    numpy sorts numbers of 16 bits by their digits. That takes half the time, unless there are many parts, as
    what is nearly in order is sorted quickly by comparing, too.
    """
    if code.dtype != np.uint16 or part[-1] >= MANY:
        return (part << 32 | code).argsort(kind="stable")
    by_code = code.argsort(kind="stable")
    if part[-1] == 0:
        return by_code
    return by_code.take(part.astype(np.uint16).take(by_code).argsort(kind="stable"))


def medians(part: Ints, code: Codes, weight: Ints, sizes: Ints) -> tuple[Ints, Ints]:
    """Where a cut between two codes leaves the halves of each part most equal, the lower place of two that
    are as good: the place of the last tuple of the lower half, and the rows of the smaller half (0 if there
    is only one code).

    Tuples are in the order of their parts, which have all numbers from 0, and of their codes. sizes: the rows
    of the parts.
    """
    ends = np.flatnonzero(np.append((part[1:] != part[:-1]) | (code[1:] != code[:-1]), True))
    part, up_to = part[ends], weight.cumsum()[ends]
    up_to -= (sizes.cumsum() - sizes)[part]
    first = np.flatnonzero(np.diff(part, prepend=-1))
    above = first + np.add.reduceat(2 * up_to <= sizes[part], first, dtype=np.int64)
    lower, upper = np.where(above > first, up_to[above - 1], 0), sizes - up_to[above]
    is_below = lower >= upper
    return ends[np.where(is_below, above - 1, above)], np.where(is_below, lower, upper)


def halves(parts: Parts, places: Ints, lower: Ints) -> Parts:
    """The halves of the parts that are cut: of `cuts`."""
    chosen = np.flatnonzero(lower)
    within, begins = parts.at(chosen)
    here = places.take(within)
    starts = np.stack([begins, begins + lower[chosen]], axis=1).ravel()
    return Parts(parts.columns.take(here, axis=1), parts.weights.take(here), parts.tuples.take(here), starts)
