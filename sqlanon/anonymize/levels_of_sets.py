"""Levels for several attributes at once, where each look at a combination takes a statement: as few looks as
possible. (Kohlmayer et al. 2012, Flash: a binary search along chains of the lattice, where what is above a
combination that holds holds, and what is below one that fails fails.)"""

from __future__ import annotations

import time
from bisect import bisect_left
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
        before = None
        while (best := self.best) is not None and best != before:
            before = best
            yield from sorted(self._next_to(best, -1), key=self.loss)

    def _next_to(self, node: Node, step: int) -> list[Node]:
        """The combinations where one attribute is a level higher (step 1) or lower (step -1)."""
        moved = ((*node[:i], level + step, *node[i + 1 :]) for i, level in enumerate(node))
        return [each for i, each in enumerate(moved) if 0 <= each[i] < len(self._losses[i])]

    def _along(self, start: Node) -> None:
        """A binary search along the chain from a combination up to one that holds (as the top does), on which
        each step adds as little loss as possible."""
        chain = [start]
        while self._known(chain[-1]) is None:
            chain.append(min(self._next_to(chain[-1], 1), key=lambda node: (self.loss(node), node)))
        # once the search is over, nothing lower is known to hold
        lowest = bisect_left(
            chain, True, hi=len(chain) - 1, key=lambda node: not self._is_over() and self._look(node)
        )
        if self.best is None or self.loss(chain[lowest]) < self.loss(self.best):
            self.best = chain[lowest]
