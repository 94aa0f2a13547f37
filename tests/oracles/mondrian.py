"""Strict multidimensional Mondrian (LeFevre, DeWitt, Ramakrishnan 2006), one row at a time."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tests.oracles import Hierarchy, Row, as_text, canonical, is_ordered, labels_of, sort_key
from tests.oracles.full_domain import Presence
from tests.oracles.privacy import Requirements, satisfies


class Infeasible(ValueError):
    """The whole table does not satisfy the requirements, so no recoding of it can."""


class Ordered:
    """An attribute without hierarchy: its codes are the ranks of the table's distinct values, NULL first."""

    def __init__(self, column: Sequence[Any], order: Sequence[Any] | None) -> None:
        distinct = set(column)
        values = sorted(distinct, key=sort_key)
        if order is not None:
            values = [value for value in (None, *order) if value in distinct]
        self.rank = {value: rank for rank, value in enumerate(values)}

    def width(self, values: Counter[Any]) -> float:
        """Distance of the outermost codes as a share of the domain's."""
        codes = [self.rank[value] for value in values]
        return (max(codes) - min(codes)) / (len(self.rank) - 1) if len(self.rank) > 1 else 0.0

    def part(self, values: Counter[Any], people: Counter[Any], k: int) -> dict[Any, int]:
        """Value -> its side of the best binary cut: minimal |2 cw - n| in rows, then in people, ties to the
        smallest code.

        Where there are people, a side has no rows or at least k. Nothing if there is no cut.
        """
        cuts = []
        for value in sorted(values, key=self.rank.__getitem__)[:-1]:
            code = self.rank[value]
            sides = [
                sum(counts[v] for v in counts if (self.rank[v] > code) is upper)
                for counts in (values, people)
                for upper in (False, True)
            ]
            if not people or all(rows == 0 or rows >= k for rows in sides[:2]):
                cuts.append((abs(sides[0] - sides[1]), abs(sides[2] - sides[3]), code))
        return {value: int(self.rank[value] > min(cuts)[2]) for value in values} if cuts else {}

    def released(self, values: Counter[Any]) -> str | None:
        """The value itself, `[lo, hi]` for numbers and times, a set `{a, b}` for anything else."""
        texts = [as_text(value) for value in sorted(values, key=self.rank.__getitem__)]
        if len(texts) == 1:
            return texts[0]
        if all(value is None or is_ordered(value) for value in values):
            return f"[{texts[0] or 'NULL'}, {texts[-1]}]"
        return "{" + ", ".join(quoted(text) for text in texts) + "}"


class Hierarchical:
    """An attribute with a hierarchy: codes number the leaves so that those of every node are consecutive.

    The codes themselves are never needed: hi - lo of a node is its number of leaves - 1. A node is known by
    its labels from its level up to the top.
    """

    def __init__(self, hierarchy: Hierarchy) -> None:
        self.hierarchy = hierarchy
        self.leaves = [tuple(labels) for labels in hierarchy.values()]
        if len({leaf[-1] for leaf in self.leaves}) != 1:
            raise ValueError("a hierarchy needs one label at the top")

    def node(self, value: Any, level: int) -> tuple[str, ...]:
        return tuple(labels_of(self.hierarchy, value)[level:])

    def lowest_common(self, values: Counter[Any]) -> int:
        """Lowest level at which one node holds all values."""
        level = 0
        while len({self.node(value, level) for value in values}) > 1:
            level += 1
        return level

    def leaves_below(self, values: Counter[Any]) -> int:
        level = self.lowest_common(values)
        return sum(leaf[level:] == self.node(next(iter(values)), level) for leaf in self.leaves)

    def width(self, values: Counter[Any]) -> float:
        """Extent of the lowest common node as a share of the whole tree's."""
        return (self.leaves_below(values) - 1) / (len(self.leaves) - 1) if self.lowest_common(values) else 0.0

    def part(self, values: Counter[Any], people: Counter[Any], k: int) -> dict[Any, tuple[str, ...]]:
        """Value -> the child of the lowest common node that it lies under."""
        level = self.lowest_common(values) - 1
        return {value: self.node(value, level) for value in values}

    def released(self, values: Counter[Any]) -> str | None:
        """The value itself, or the label of the lowest common node, `*` for the root."""
        if len(values) == 1:
            return as_text(next(iter(values)))
        if self.leaves_below(values) == len(self.leaves):
            return "*"
        return self.node(next(iter(values)), self.lowest_common(values))[0]


def quoted(text: str | None) -> str:
    """An element of a released set."""
    if text is None:
        return "NULL"
    if text in ("", "NULL") or text != text.strip(" ") or any(mark in text for mark in ',{}"'):
        return '"' + text.replace('"', '""') + '"'
    return text


class Mondrian:
    """A table with its requirements. A class is a list of row numbers (from 0).

    With a population its people are members of classes, too: they have the numbers from the table's end on. A
    part of a cut without rows of the table is dropped; where everybody must be in a class there is no such
    cut. `presence` is what is required about people.

    `rows` are the quasi-identifiers' values, `sensitive` per row a tuple of sensitive values (several
    attributes: each must hold; none: only k makes sense). By position of the attribute: `orders` (declared
    order of the values, as of an ENUM), `hierarchies`, and the same for the sensitive attributes (needed by
    t-closeness only). `weights`: how much the width of each attribute counts.
    """

    def __init__(
        self,
        rows: Sequence[Row],
        sensitive: Sequence[Row] | None,
        requirements: Requirements,
        *,
        orders: Mapping[int, Sequence[Any]] | None = None,
        hierarchies: Mapping[int, Hierarchy] | None = None,
        sensitive_orders: Mapping[int, Sequence[Any]] | None = None,
        sensitive_hierarchies: Mapping[int, Hierarchy] | None = None,
        population: Sequence[Row] = (),
        presence: Presence | None = None,
        weights: Sequence[float] | None = None,
    ) -> None:
        if not rows:
            raise ValueError("the table is empty")
        self.size, self.presence = len(rows), presence or Presence()
        self.weights = weights or [1.0] * len(rows[0])
        self.columns = [
            [canonical(value) for value in column] for column in zip(*rows, *population, strict=True)
        ]
        if sensitive and sensitive[0]:
            self.sensitive = [
                [canonical(value) for value in column] for column in zip(*sensitive, strict=True)
            ]
        else:
            self.sensitive = [[None] * len(rows)]
        self.tables = [Counter(column) for column in self.sensitive]
        self.requirements = requirements
        self.sensitive_orders = sensitive_orders or {}
        self.sensitive_hierarchies = sensitive_hierarchies or {}
        self.attributes = [
            Hierarchical(hierarchies[i])
            if hierarchies and i in hierarchies
            else Ordered(column, (orders or {}).get(i))
            for i, column in enumerate(self.columns)
        ]

    def values(self, attribute: int, members: Sequence[int]) -> Counter[Any]:
        """How many rows have each value; those that only people have are there with 0."""
        counts: Counter[Any] = Counter()
        for member in members:
            counts[self.columns[attribute][member]] += member < self.size
        return counts

    def parts(self, attribute: int, members: Sequence[int]) -> list[list[int]]:
        """The parts of the cut on an attribute that have rows; none if it cannot be cut."""
        column = self.columns[attribute]
        people = Counter(column[member] for member in members if member >= self.size)
        values = self.values(attribute, members)
        side = self.attributes[attribute].part(values, people, self.requirements.k or 1)
        parts: dict[Any, list[int]] = {}
        for member in members if side else ():
            parts.setdefault(side[column[member]], []).append(member)
        peopled = [part for part in parts.values() if self.rows(part)]
        return [] if self.presence.needs_everybody and len(peopled) < len(parts) else peopled

    def rows(self, members: Sequence[int]) -> list[int]:
        return [member for member in members if member < self.size]

    def satisfied(self, members: Sequence[int]) -> bool:
        """Do these rows, as one class, satisfy all requirements in every sensitive attribute,
        and with these people?
        """
        rows = self.rows(members)
        return self.presence.holds(len(rows), len(members) - len(rows)) and all(
            satisfies(
                Counter(column[row] for row in rows),
                self.tables[i],
                self.requirements,
                order=self.sensitive_orders.get(i),
                hierarchy=self.sensitive_hierarchies.get(i),
            )
            for i, column in enumerate(self.sensitive)
        )

    def allowed_cuts(self, members: Sequence[int]) -> Iterator[list[list[int]]]:
        """The cuts whose parts all satisfy the requirements: widest attribute first, ties by position."""
        widths = [
            attribute.width(self.values(i, members)) * weight / max(self.weights)
            for i, (attribute, weight) in enumerate(zip(self.attributes, self.weights, strict=True))
        ]
        for i in sorted(range(len(widths)), key=lambda i: (-widths[i], i)):
            parts = self.parts(i, members) if widths[i] > 0 else []
            if parts and all(self.satisfied(part) for part in parts):
                yield parts

    def could_be_cut(self, members: Sequence[int]) -> bool:
        """Is this class not final?"""
        return next(self.allowed_cuts(members), None) is not None

    def classes(self) -> list[list[int]]:
        """Cut until no class can be cut; Infeasible if the whole table does not satisfy the requirements."""
        whole = list(range(len(self.columns[0])))
        if not self.satisfied(whole):
            raise Infeasible("the whole table does not satisfy the requirements")
        return self.classes_of(whole)

    def classes_of(self, members: Sequence[int]) -> list[list[int]]:
        """The same of some of the rows."""
        final, open_classes = [], [list(members)]
        while open_classes:
            members = open_classes.pop()
            parts = next(self.allowed_cuts(members), None)
            if parts is None:
                final.append(members)
            else:
                open_classes.extend(parts)
        return final

    def released_values(self, members: Sequence[int]) -> tuple[str | None, ...]:
        """What a class shows of each quasi-identifier (text recoding)."""
        return tuple(
            attribute.released(self.values(i, members)) for i, attribute in enumerate(self.attributes)
        )


def mondrian(
    rows: Sequence[Row], sensitive: Sequence[Row] | None, requirements: Requirements, **options: Any
) -> list[list[int]]:
    """The classes, as lists of row numbers; options as of `Mondrian`."""
    return Mondrian(rows, sensitive, requirements, **options).classes()
