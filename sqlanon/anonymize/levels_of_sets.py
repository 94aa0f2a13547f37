"""Levels for several attributes at once, where each look at a combination takes a statement: as few looks as
possible. (Kohlmayer et al. 2012, Flash: a binary search along chains of the lattice, where what is above a
combination that holds holds, and what is below one that fails fails.)"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from math import prod

Node = tuple[int, ...]

LARGEST = 20_000  # combinations of which each is considered; of more only some are
LOOKS = 200


class Search:
    """The combination that loses least of those that hold, as far as `looks` and `seconds` allow.

    losses: of each attribute what is lost at each level that is allowed, from the least one up. holds: looks
    at a combination of levels. Where the search ends before all that could lose less are known to fail,
    `is_best` is false.
    """

    def __init__(
        self,
        losses: Sequence[Sequence[float]],
        holds: Callable[[Node], bool],
        looks: int = LOOKS,
        seconds: float | None = None,
    ) -> None:
        self._losses, self._holds, self._looks = losses, holds, looks
        self._until = None if seconds is None else time.monotonic() + seconds
        self._passing: list[Node] = []
        self._failing: list[Node] = []
        self.looked = 0
        self.size = prod(map(len, losses))
        self.is_best = False
        top = tuple(len(each) - 1 for each in losses)
        self.best: Node | None = top if self._look(top) else None
        if self.best is not None:
            self._descend(self.best)

    def loss(self, node: Node) -> float:
        """The mean over attributes."""
        return sum(each[level] for each, level in zip(self._losses, node, strict=True)) / max(len(node), 1)

    def _look(self, node: Node) -> bool:
        self.looked += 1
        found = self._holds(node)
        (self._passing if found else self._failing).append(node)
        return found

    def _known(self, node: Node) -> bool | None:
        """Does a combination hold, by what is known of those above and below?"""
        if any(all(a <= b for a, b in zip(known, node, strict=True)) for known in self._passing):
            return True
        if any(all(a >= b for a, b in zip(known, node, strict=True)) for known in self._failing):
            return False
        return None

    def _is_over(self) -> bool:
        return self.looked >= self._looks or (self._until is not None and time.monotonic() > self._until)

    def _descend(self, top: Node) -> None:
        """From the top: first along a chain from the bottom, then wherever less could be lost."""
        self._along(tuple(0 for _ in top))
        for start in self._starts():
            if self._is_over():
                return
            if self._known(start) is None and self.loss(start) < self.loss(self.best or top):
                self._along(start)
        self.is_best = self.size <= LARGEST

    def _starts(self) -> Iterator[Node]:
        """Combinations, those first that lose least. Of too many only the neighbours below the best one."""
        if self.size <= LARGEST:
            yield from sorted(product(*(range(len(each)) for each in self._losses)), key=self.loss)
            return
        while (before := self.best) is not None:
            below = (
                (*before[:i], level - 1, *before[i + 1 :]) for i, level in enumerate(before) if level > 0
            )
            yield from sorted(below, key=self.loss)
            if self.best == before:
                return

    def _along(self, start: Node) -> None:
        """A binary search along the chain from a combination up to one that holds, on which each step adds as
        little loss as possible."""
        chain = [start]
        while self._known(chain[-1]) is None:
            last = chain[-1]
            above = [
                (*last[:i], level + 1, *last[i + 1 :])
                for i, level in enumerate(last)
                if level + 1 < len(self._losses[i])
            ]
            if not above:
                break
            chain.append(min(above, key=lambda node: (self.loss(node), node)))
        low, high = 0, len(chain) - 1  # the last one is known to hold
        if self._known(chain[high]) is None:
            return
        while low < high and not self._is_over():
            middle = (low + high) // 2
            if self._look(chain[middle]):
                high = middle
            else:
                low = middle + 1
        if self._known(chain[high]) and (self.best is None or self.loss(chain[high]) < self.loss(self.best)):
            self.best = chain[high]
