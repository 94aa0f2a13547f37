"""Mondrian with variables of households, and generalization of whole households, the slow way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import log2
from typing import Any

from tests.oracles.mondrian import Infeasible, Mondrian


class HouseholdMondrian(Mondrian):
    """Attributes in `shared` are of households; `least`: how many rows a class needs."""

    shared: Sequence[int] = ()
    least = 1

    def cut_on(self, attributes: Sequence[int], members: Sequence[int]) -> list[list[int]] | None:
        """The cut on the widest of these attributes that is allowed."""
        widths = {i: self.attributes[i].width(self.values(i, members)) for i in attributes}
        for i in sorted(attributes, key=lambda i: (-widths[i], i)):
            parts = self.parts(i, members) if widths[i] > 0 else []
            if parts and all(map(self.satisfied, parts)):
                return parts
        return None

    def has_room(self, members: Sequence[int]) -> bool:
        """Are there rows enough to cut the other attributes as finely once another half is gone?"""
        widths = [each.width(self.values(i, members)) for i, each in enumerate(self.attributes)]
        widest = max(widths[i] for i in self.shared)
        others = [width for i, width in enumerate(widths) if i not in self.shared and width > widest > 0]
        halvings = sum(log2(width / widest) for width in others)
        return widest > 0 and halvings <= log2(len(members) / (2 * self.least))

    def homes(self) -> list[list[int]]:
        found, waiting = [], [list(range(self.size))]
        if not self.satisfied(waiting[0]):
            raise Infeasible
        while waiting:
            members = waiting.pop()
            parts = self.cut_on(self.shared, members) if self.has_room(members) else None
            if parts is None:
                found.append(members)
            else:
                waiting += parts
        return found

    def released(self) -> dict[tuple[Any, ...], frozenset[int]]:
        """What classes release, and their rows; those that release the same are one."""
        own = [i for i, _ in enumerate(self.attributes) if i not in self.shared]
        found: dict[tuple[Any, ...], frozenset[int]] = {}
        for home in self.homes():
            of_home, waiting = self.released_values(home), [home]
            while waiting:
                members = waiting.pop()
                if parts := self.cut_on(own, members):
                    waiting += parts
                    continue
                of_class = self.released_values(members)
                shown = tuple((of_home if i in self.shared else of_class)[i] for i in range(len(of_home)))
                found[shown] = found.get(shown, frozenset()) | frozenset(members)
        return found


def whole_households(labels: Sequence[Any], households: Sequence[Any], k: int) -> list[int]:
    """The rows that are left: of classes of k rows, and with all of their household."""
    left = list(range(len(labels)))
    while True:
        sizes = Counter(labels[i] for i in left)
        gone = {households[i] for i in left if sizes[labels[i]] < k}
        if not gone:
            return left
        left = [i for i in left if households[i] not in gone]
