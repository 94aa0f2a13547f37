"""Local suppression the slow way: every row is compared with every other,
every set of attributes is tried.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, combinations
from typing import Any

from tests.oracles import Row, Value, canonical, sort_key

SUPPRESSED = object()

Mask = frozenset[int]  # the attributes that are suppressed


def subsets(attributes: Sequence[int], sizes: Sequence[int]) -> Iterator[tuple[int, ...]]:
    return chain.from_iterable(combinations(attributes, size) for size in sizes)


def match(one: Row, other: Row, attributes: Sequence[int]) -> bool:
    """Do two rows agree wherever neither lacks a value?"""
    return all(SUPPRESSED in (one[a], other[a]) or sort_key(one[a]) == sort_key(other[a]) for a in attributes)


def frequency(rows: Sequence[Row], row: Row, attributes: Sequence[int]) -> int:
    """How many rows match a row."""
    return sum(match(row, other, attributes) for other in rows)


@dataclass(frozen=True)
class MuArgus:
    """A table and what is required of it; `orders`: keys by which values of an attribute are sorted.

    `thresholds`: how often combinations of 1, 2, ... attributes must occur, where that is more than k;
    `strata`: attributes that are never hidden, and within which all others are counted.
    """

    rows: Sequence[Row]
    k: int
    size: int
    weights: Sequence[float]
    wildcards: bool
    orders: Sequence[Callable[[Value], Any]] = ()
    thresholds: Sequence[int | None] = ()
    strata: Sequence[int] = ()

    @property
    def attributes(self) -> range:
        return range(len(self.weights))

    @property
    def hideable(self) -> list[int]:
        return [a for a in self.attributes if a not in self.strata]

    def needed(self, attributes: int) -> int:
        """How often so many attributes must occur: as often as any more that are looked at."""
        return max([self.k, *(each or 0 for each in self.thresholds[max(attributes, 1) - 1 :])])

    def key(self, row: Row) -> tuple[Any, ...]:
        orders = self.orders or [sort_key] * len(self.weights)
        return tuple(order(canonical(value)) for order, value in zip(orders, row, strict=True))

    def cost(self, mask: Mask) -> float:
        return sum(self.weights[a] for a in sorted(mask))

    def is_safe(self, row: Row, mask: Mask) -> bool:
        """Does all that the row shows under a mask, `size` attributes at a time,
        occur k times in the table?
        """
        shown = [a for a in self.hideable if a not in mask]
        sizes = range(min(self.size, len(shown)) + 1)
        return all(
            frequency(self.rows, row, (*seen, *self.strata)) >= self.needed(len(seen))
            for seen in subsets(shown, sizes)
        )

    def cheapest(self) -> list[Mask]:
        """Per row the cheapest mask under which it is safe; of several the one that most rows could have."""
        masks = [frozenset(mask) for mask in subsets(self.hideable, range(len(self.weights) + 1))]
        chosen: dict[int, Mask] = {}
        for cost in sorted({self.cost(mask) for mask in masks}):
            choice = [mask for mask in masks if self.cost(mask) == cost]
            rest = [i for i in range(len(self.rows)) if i not in chosen]
            safe = {mask: {i for i in rest if self.is_safe(self.rows[i], mask)} for mask in choice}
            ranked = sorted(choice, key=lambda mask: (-len(safe[mask]), sum(2**a for a in mask)))
            for i in rest:
                if mine := [mask for mask in ranked if i in safe[mask]]:
                    chosen[i] = mine[0]
        return [chosen[i] for i in range(len(self.rows))]

    def release(self) -> list[tuple[Any, ...]]:
        """The rows with what is suppressed as SUPPRESSED."""
        masks = self.cheapest()
        if self.wildcards:
            masks = self.spared(masks)
        return [
            tuple(SUPPRESSED if a in mask else row[a] for a in self.attributes)
            for row, mask in zip(self.rows, masks, strict=True)
        ]

    def spared(self, masks: list[Mask]) -> list[Mask]:
        """Rows that would show the same: the rarest are suppressed while there are fewer than k of them."""
        kept = list(masks)
        alike: dict[Any, list[int]] = {}
        for i, mask in enumerate(masks):
            shown = tuple(None if a in mask else value for a, value in enumerate(self.key(self.rows[i])))
            alike.setdefault((mask, shown), []).append(i)
        for members in alike.values():
            keys = [self.key(self.rows[i]) for i in members]
            groups = sorted(set(keys), key=lambda key: (keys.count(key), key))
            before = 0
            for group in groups:
                before += keys.count(group)
                if before >= self.needed(0):
                    for i, key in zip(members, keys, strict=True):
                        if key == group:
                            kept[i] = frozenset()
        return kept
