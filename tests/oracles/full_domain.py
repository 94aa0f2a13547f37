"""Full-domain generalization by trying everything: every node of the lattice, row by row.

A node of the lattice is a level per quasi-identifier. Its cost is measured as ARX does it, with exact
fractions where ARX has doubles.
"""

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from typing import Any, TypeAlias

from tests.oracles import Hierarchy, Row, as_text, canonical, labels_of
from tests.oracles.privacy import Requirements, satisfies

Levels: TypeAlias = tuple[int, ...]
Class: TypeAlias = list[int]  # numbers of rows

MEASURES = ("loss", "entropy", "discernibility", "average_class_size", "precision", "height")
AGGREGATES = ("geometric_mean", "arithmetic_mean", "rank")


class Infeasible(ValueError):
    """No node meets the requirements within the suppression limit."""


@dataclass(frozen=True)
class Presence:
    """What is required of a class in comparison with its members in a population; None asks for nothing.

    k-map (Sweeney 2002) and delta-presence (Nergiz, Atzori and Clifton 2007), which is about everybody in the
    population: whoever is in no class has a share of 0 in the release.
    """

    k_map: int | None = None
    dmin: float | None = None
    dmax: float | None = None

    def required(self) -> dict[str, float]:
        """Model -> required value."""
        request = {
            "k-map": self.k_map,
            "delta-presence (least)": self.dmin,
            "delta-presence (most)": self.dmax,
        }
        return {model: float(value) for model, value in request.items() if value is not None}

    @property
    def needs_everybody(self) -> bool:
        """May nobody of the population be in no class?"""
        return bool(self.dmin)

    def holds(self, size: int, people: int) -> bool:
        """size: rows of the class; people: those of the population that it covers."""
        return all(
            (reached >= required * (1 - 1e-12))
            if model != "delta-presence (most)"
            else (reached <= required * (1 + 1e-12) + 1e-15)
            for model, required in self.required().items()
            for reached in [reaches(model, size, people)]
        )


def reaches(model: str, size: int, people: int) -> float:
    """What a class reaches in a model about the population."""
    if model == "k-map":
        return people
    return size / people if people else math.inf


@dataclass(frozen=True)
class How:
    """How nodes are compared: the measure, and for loss its aggregate and factor.

    monotonic: as if the rows of suppressed classes were released. weights: of the attributes.
    """

    measure: str = "loss"
    aggregate: str = "geometric_mean"
    monotonic: bool = False
    gs_factor: float = 0.5
    weights: Sequence[float] | None = None


class Attribute:
    """A quasi-identifier: the values of all rows, and what they become at each level."""

    def __init__(self, column: Sequence[Any], hierarchy: Hierarchy | None) -> None:
        self.column = [canonical(value) for value in column]
        self.hierarchy = hierarchy
        self.height = len(next(iter(hierarchy.values()))) - 1 if hierarchy else 1
        # the domain: a hierarchy's, or what is there
        self.domain = list(hierarchy) if hierarchy else list(dict.fromkeys(self.column))

    def node(self, value: Any, level: int) -> Any:
        """What a value becomes: a node is known by its labels from its level up to the top."""
        if level == 0:
            return canonical(value)
        return tuple(labels_of(self.hierarchy, value)[level:]) if self.hierarchy else ("*",)

    def label(self, value: Any, level: int) -> str | None:
        """What is released of a value."""
        if self.hierarchy:
            return labels_of(self.hierarchy, value)[level]
        return "*" if level else as_text(value)

    def share(self, value: Any, level: int) -> Fraction:
        """Leaves under the node above a value, as a share of all leaves."""
        if level == 0:
            return Fraction(1, len(self.domain))
        node = self.node(value, level)
        return Fraction(sum(self.node(leaf, level) == node for leaf in self.domain), len(self.domain))


@dataclass
class Node:
    """A node of the lattice, with its classes as lists of row numbers: those that are kept, and the others.

    absent: how many people of the population are in no class that is kept.
    """

    table: "FullDomain"
    levels: Levels
    kept: list[Class] = field(default_factory=list)
    violating: list[Class] = field(default_factory=list)
    absent: int = 0

    @property
    def height(self) -> int:
        return sum(self.levels)

    @property
    def suppressed(self) -> list[int]:
        return [row for members in self.violating for row in members]

    @property
    def smallest(self) -> int | None:
        return min(map(len, self.kept), default=None)

    def fits(self, suppression_limit: float) -> bool:
        """Something is kept, not more is suppressed than allowed, and nobody is absent who must not be."""
        return (
            bool(self.kept)
            and len(self.suppressed) <= suppression_limit * self.table.n
            and not (self.absent and self.table.presence.needs_everybody)
        )

    def loss(self, i: int, gs_factor: float, monotonic: bool) -> float:
        """Loss of an attribute, 0 to 1, truncated to ten decimals (Iyengar 2002, as ARX computes it)."""
        attribute, level, n = self.table.attributes[i], self.levels[i], self.table.n
        factor = Fraction(gs_factor)
        g = 1 if factor <= Fraction(1, 2) else 2 - 2 * factor
        s = 2 * factor if factor < Fraction(1, 2) else 1
        suppressed = set() if monotonic else set(self.suppressed)
        covered = Fraction(0)
        for row, value in enumerate(attribute.column):
            share = self.table.share(i, value, level)
            covered += share + s * (1 - share) if row in suppressed else g * share
        least = Fraction(g * n, len(attribute.domain))
        if n == least:
            return 0.0
        return math.floor(max(Fraction(0), (covered - least) / (n - least)) * 10**10) / 10**10

    def entropy(self, i: int, monotonic: bool) -> float:
        """Non-uniform entropy of an attribute, in bits (Gionis and Tassa 2009).

        Not monotonic: suppressed rows lose what tells them apart, too.
        """
        attribute, level = self.table.attributes[i], self.levels[i]
        nodes = [attribute.node(value, level) for value in attribute.column]
        before, after = Counter(attribute.column), Counter(nodes)
        lost = math.fsum(
            -math.log2(before[value] / after[node])
            for value, node in zip(attribute.column, nodes, strict=True)
        )
        if not monotonic:
            suppressed = Counter(nodes[row] for row in self.suppressed)
            lost += math.fsum(-n * math.log2(n / suppressed.total()) for n in suppressed.values())
        return lost

    def precision(self, i: int, monotonic: bool) -> float:
        """Level over height of an attribute (Sweeney 2002), 1 for suppressed rows if not monotonic."""
        n, suppressed = self.table.n, 0 if monotonic else len(self.suppressed)
        height = self.table.attributes[i].height
        step = self.levels[i] / height if height else 0.0
        return ((n - suppressed) * step + suppressed) / n

    def discernibility(self, monotonic: bool) -> float:
        """Sum of squared class sizes; a suppressed row counts as much as all rows (Bayardo and Agrawal
        2005).
        """
        if monotonic:
            return float(sum(len(members) ** 2 for members in self.kept + self.violating))
        return float(sum(len(members) ** 2 for members in self.kept) + self.table.n * len(self.suppressed))

    def average_class_size(self, monotonic: bool) -> float:
        """All suppressed rows count as one class."""
        if monotonic:
            return self.table.n / len(self.kept + self.violating)
        return self.table.n / (len(self.kept) + bool(self.violating))

    def cost(self, how: How) -> list[float]:
        """What the node costs; lists are compared number by number."""
        attributes = range(len(self.levels))
        given = how.weights or [1] * len(self.levels)
        weights = [weight / max(given) for weight in given]
        match how.measure:
            case "loss":
                losses = [weights[i] * self.loss(i, how.gs_factor, how.monotonic) for i in attributes]
                match how.aggregate:
                    case "geometric_mean":
                        return [math.prod(1 + loss for loss in losses) ** (1 / len(losses)) - 1]
                    case "arithmetic_mean":
                        return [math.fsum(losses) / len(losses)]
                    case "rank":
                        return sorted(losses, reverse=True)
            case "entropy":
                return [math.fsum(weights[i] * self.entropy(i, how.monotonic) for i in attributes)]
            case "discernibility":
                return [self.discernibility(how.monotonic)]
            case "average_class_size":
                return [self.average_class_size(how.monotonic)]
            case "precision":
                steps = [weights[i] * self.precision(i, how.monotonic) for i in attributes]
                return [math.fsum(steps) / len(steps)]
            case "height":
                return [float(self.height)]
        raise ValueError(f"{how}: no such measure")

    def measures(self, gs_factor: float = 0.5, weights: Sequence[float] | None = None) -> dict[str, Any]:
        """All that the lattice tells of the node."""
        result: dict[str, Any] = {
            "levels": list(self.levels),
            "height": self.height,
            "classes": len(self.kept),
            "smallest": self.smallest,
            "suppressed": len(self.suppressed),
        } | ({"absent": self.absent} if self.table.population else {})
        for aggregate in AGGREGATES:
            cost = self.cost(How("loss", aggregate, False, gs_factor, weights))
            result[f"loss_{aggregate}"] = cost if aggregate == "rank" else cost[0]
        for measure in MEASURES[1:-1]:
            result[measure] = self.cost(How(measure, weights=weights))[0]
            if measure != "average_class_size":
                result[f"{measure}_monotonic"] = self.cost(How(measure, monotonic=True, weights=weights))[0]
        return result

    def released(self) -> list[tuple[Any, ...]]:
        """Per kept row: the labels of its quasi-identifiers, and its number."""
        return [
            (*self.table.labels(row, self.levels), row) for members in self.kept for row in sorted(members)
        ]


class FullDomain:
    """A table with its requirements.

    `rows` are the quasi-identifiers' values, `sensitive` per row a tuple of sensitive values (several
    attributes: each must hold). By position of the attribute: `hierarchies`, and for the sensitive ones
    `sensitive_orders` (declared order of the values) and `sensitive_hierarchies`. `population`: rows of
    quasi-identifiers.
    """

    def __init__(
        self,
        rows: Sequence[Row],
        sensitive: Sequence[Row] | None,
        requirements: Requirements,
        *,
        presence: Presence | None = None,
        population: Sequence[Row] | None = None,
        hierarchies: Mapping[int, Hierarchy] | None = None,
        sensitive_orders: Mapping[int, Sequence[Any]] | None = None,
        sensitive_hierarchies: Mapping[int, Hierarchy] | None = None,
    ) -> None:
        if not rows:
            raise ValueError("the table is empty")
        self.n = len(rows)
        self.rows = rows
        self.attributes = [
            Attribute(column, (hierarchies or {}).get(i)) for i, column in enumerate(zip(*rows, strict=True))
        ]
        if sensitive and sensitive[0]:
            self.sensitive = [
                [canonical(value) for value in column] for column in zip(*sensitive, strict=True)
            ]
        else:
            self.sensitive = [[None] * self.n]
        self.marginals = [Counter(column) for column in self.sensitive]
        self.requirements = requirements
        self.presence = presence or Presence()
        self.population = population or []
        self.sensitive_orders = sensitive_orders or {}
        self.sensitive_hierarchies = sensitive_hierarchies or {}
        self.shares: dict[tuple[int, Any, int], Fraction] = {}

    @property
    def top(self) -> Levels:
        return tuple(attribute.height for attribute in self.attributes)

    def share(self, i: int, value: Any, level: int) -> Fraction:
        key = (i, value, level)
        if key not in self.shares:
            self.shares[key] = self.attributes[i].share(value, level)
        return self.shares[key]

    def generalized(self, row: Row, levels: Levels) -> tuple[Any, ...]:
        """The nodes above a row's values."""
        return tuple(
            attribute.node(value, level)
            for attribute, value, level in zip(self.attributes, row, levels, strict=True)
        )

    def labels(self, row: int, levels: Levels) -> tuple[str | None, ...]:
        """What is released of a row's quasi-identifiers."""
        return tuple(
            attribute.label(attribute.column[row], level)
            for attribute, level in zip(self.attributes, levels, strict=True)
        )

    def satisfied(self, members: Class) -> bool:
        """Does the class meet the requirements on its rows? The whole table is the one that was given."""
        return all(
            satisfies(
                Counter(column[row] for row in members),
                self.marginals[i],
                self.requirements,
                order=self.sensitive_orders.get(i),
                hierarchy=self.sensitive_hierarchies.get(i),
            )
            for i, column in enumerate(self.sensitive)
        )

    def node(self, levels: Levels, among: Sequence[int] | None = None) -> Node:
        """The classes of a node, of all rows or of some of them."""
        classes: dict[tuple[Any, ...], Class] = {}
        for row in range(self.n) if among is None else among:
            classes.setdefault(self.generalized(self.rows[row], levels), []).append(row)
        people = Counter(self.generalized(person, levels) for person in self.population)
        result = Node(self, levels)
        covered: set[tuple[Any, ...]] = set()
        for key, members in classes.items():
            good = self.satisfied(members) and self.presence.holds(len(members), people[key])
            (result.kept if good else result.violating).append(members)
            if good:
                covered.add(key)
        result.absent = sum(number for key, number in people.items() if key not in covered)
        return result

    def lattice(self, lowest: Levels | None = None, highest: Levels | None = None) -> Iterator[Node]:
        """All nodes between two lists of levels."""
        bounds = zip(lowest or [0] * len(self.top), highest or self.top, strict=True)
        for levels in product(*(range(low, high + 1) for low, high in bounds)):
            yield self.node(levels)

    def samarati(self, suppression_limit: float) -> list[Node]:
        """Binary search for the lowest height at which a node fits (Samarati 2001, sec. 5):
        all such nodes.
        """
        low, high = 0, sum(self.top)
        while low < high:
            middle = (low + high) // 2
            if self.fitting(middle, suppression_limit):
                high = middle
            else:
                low = middle + 1
        if not self.fitting(low, suppression_limit):
            raise Infeasible
        return self.fitting(low, suppression_limit)

    def fitting(self, height: int, suppression_limit: float) -> list[Node]:
        """The nodes of that height that fit."""
        return [
            self.node(levels)
            for levels in product(*(range(top + 1) for top in self.top))
            if sum(levels) == height and self.node(levels).fits(suppression_limit)
        ]

    def datafly(self, suppression_limit: float) -> list[Node]:
        """Generalize the attribute with the most distinct values, until a node fits (Sweeney 1997).

        The nodes that were tried; the last one fits. Of attributes with equally many, the first one goes up.
        """
        chain = [self.node((0,) * len(self.top))]
        while not chain[-1].fits(suppression_limit):
            levels = chain[-1].levels
            distinct = {
                i: len({attribute.node(value, levels[i]) for value in attribute.column})
                for i, attribute in enumerate(self.attributes)
                if levels[i] < attribute.height
            }
            if not distinct:
                raise Infeasible
            up = max(distinct, key=lambda i: (distinct[i], -i))
            chain.append(self.node((*levels[:up], levels[up] + 1, *levels[up + 1 :])))
        return chain
