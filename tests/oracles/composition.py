"""Composed l-diversity by trying everything: which row of each release could be somebody's.

A release is a list of rows: the released quasi-identifiers, and the sensitive value.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from typing import Any, TypeAlias

from tests.oracles import Row, canonical
from tests.oracles.covers import covers
from tests.oracles.mondrian import Mondrian, Ordered

Released: TypeAlias = Sequence[tuple[Row, Any]]


def covering(release: Released, target: Row) -> list[Any]:
    """The sensitive values of the rows that cover a target."""
    return [
        canonical(value)
        for released, value in release
        if all(covers(text, raw) for text, raw in zip(released, target, strict=True))
    ]


def possible(rows: Iterable[Sequence[Any]]) -> set[Any]:
    """The values of all choices of one row per release that are of somebody with one value."""
    return {choice[0] for choice in product(*rows) if len(set(choice)) == 1}


def left(known: Sequence[Released], target: Row, own: Iterable[Any]) -> set[Any]:
    """What known releases leave a target of a table's own values; nothing if it is in none of them."""
    rows = [values for release in known if (values := covering(release, target))]
    return possible([*rows, list(set(own))]) if rows else set()


def kept(known: Sequence[Released], release: Released, target: Row, own: Iterable[Any]) -> set[Any] | None:
    """The same with one more release; None if the target is not in that."""
    values = covering(release, target)
    return possible([list(left(known, target, own)), values]) if values else None


def holds(left_over: set[Any], values: Iterable[Any], composed_l: int) -> bool:
    """Do rows with these values leave enough of what was left?"""
    return len(left_over & set(values)) >= min(composed_l, len(left_over))


class ComposedMondrian(Mondrian):
    """Mondrian that refuses a part in which a row would keep too little.

    Where it refuses all medians, it cuts ordered attributes elsewhere.
    """

    def __init__(self, *about: Any, known: Sequence[Released], composed_l: int, **more: Any) -> None:
        super().__init__(*about, **more)
        self.composed_l = composed_l
        [own] = self.sensitive
        self.left = [left(known, target, own) for target in zip(*self.columns, strict=True)]

    def composes(self, members: Sequence[int]) -> bool:
        """May each of the rows be anybody of the class?"""
        [values] = self.sensitive
        here = {values[member] for member in members}
        return all(holds(self.left[member], here, self.composed_l) for member in members)

    def satisfied(self, members: Sequence[int]) -> bool:
        """Also: may each of the rows be anybody of the class?"""
        return super().satisfied(members) and self.composes(members)

    def halves(self, attribute: int, members: Sequence[int]) -> list[list[int]]:
        """The most even halves with k rows each in which nobody loses too much; none if there are none."""
        codes = self.attributes[attribute]
        assert isinstance(codes, Ordered)
        column = self.columns[attribute]
        possible = []
        for code in range(len(codes.rank)):
            lower = [member for member in members if codes.rank[column[member]] <= code]
            upper = [member for member in members if codes.rank[column[member]] > code]
            enough = min(len(lower), len(upper)) >= max(self.requirements.k or 1, 1)
            if enough and self.composes(lower) and self.composes(upper):
                possible.append((abs(len(lower) - len(upper)), code, [lower, upper]))
        return min(possible)[2] if possible else []

    def allowed_cuts(self, members: Sequence[int]) -> Iterator[list[list[int]]]:
        """At medians; after these at the other codes."""
        yield from super().allowed_cuts(members)
        widths = [attribute.width(self.values(i, members)) for i, attribute in enumerate(self.attributes)]
        for i in sorted(range(len(widths)), key=lambda i: (-widths[i], i)):
            if isinstance(self.attributes[i], Ordered) and widths[i] > 0:
                parts = self.halves(i, members)
                if parts and all(self.satisfied(part) for part in parts):
                    yield parts
