"""Local recoding in rounds, slowly, and every table of raw values that is released alike.

What an adversary can learn who knows the method, its parameters and the release is what all these tables have
in common.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement, product
from typing import Any, TypeAlias

from tests.oracles import Hierarchy, Row
from tests.oracles.full_domain import FullDomain, How, Infeasible, Levels
from tests.oracles.privacy import Requirements

Labels: TypeAlias = tuple[str | None, ...]
# What is released: how many rows have which labels.
Release: TypeAlias = frozenset[tuple[Labels, int]]


@dataclass(frozen=True)
class Recoded:
    """The levels of each round, and the labels of each row, NULL (None) where it is suppressed."""

    rounds: tuple[Levels, ...]
    labels: tuple[Labels | None, ...]

    @property
    def release(self) -> Release:
        return frozenset(Counter(labels for labels in self.labels if labels is not None).items())


def recoded(
    rows: Sequence[Row], hierarchies: Sequence[Hierarchy], k: int, limit: float, *, hold_back: bool = True
) -> Recoded:
    """The best node that suppresses no more than the limit, and again the best one for what is left.

    hold_back: is a class of a later round suppressed if it overlaps with one that is released already?
    Errors: Infeasible.
    """
    labels: list[Labels | None] = [None] * len(rows)
    left = list(range(len(rows)))
    rounds: list[Levels] = []
    while left:
        table = FullDomain(
            [rows[row] for row in left], None, Requirements(k=k), hierarchies=dict(enumerate(hierarchies))
        )
        fitting = [node for node in table.lattice() if node.fits(1 if rounds else limit)]
        if not fitting:
            if not rounds:
                raise Infeasible
            break
        best = min(fitting, key=lambda node: (node.cost(How()), node.height, node.levels[::-1]))
        taken = [covered(own, hierarchies) for own in {label for label in labels if label is not None}]
        for members in best.kept:
            own = table.labels(members[0], best.levels)
            if not hold_back or all(covered(own, hierarchies).isdisjoint(other) for other in taken):
                for place in members:
                    labels[left[place]] = own
        rounds.append(best.levels)
        left = [left[place] for place in best.suppressed]
    return Recoded(tuple(rounds), tuple(labels))


def all_tables(hierarchies: Sequence[Hierarchy], rows: int) -> Iterator[tuple[Row, ...]]:
    """Every table of so many rows."""
    yield from combinations_with_replacement(list(product(*hierarchies)), rows)


@dataclass
class Possible:
    """Of all tables that are released alike: the values that rows with these labels can have, and the rounds
    by which they can have come out."""

    values: dict[Labels, set[Row]]
    rounds: list[tuple[Levels, ...]]


def worlds(
    hierarchies: Sequence[Hierarchy], rows: int, k: int, limit: float, *, hold_back: bool
) -> dict[Release, Possible]:
    """All releases of tables of so many rows, with what rows of each class can have been."""
    found: dict[Release, Possible] = {}
    for table in all_tables(hierarchies, rows):
        try:
            result = recoded(table, hierarchies, k, limit, hold_back=hold_back)
        except Infeasible:
            continue
        possible = found.setdefault(result.release, Possible({}, []))
        if result.rounds not in possible.rounds:
            possible.rounds.append(result.rounds)
        for row, labels in zip(table, result.labels, strict=True):
            if labels is not None:
                possible.values.setdefault(labels, set()).add(row)
    return found


def covered(labels: Labels, hierarchies: Sequence[Hierarchy]) -> set[Row]:
    """All combinations of values that labels stand for."""
    return {
        row for row in product(*hierarchies)
        if all(
            label in hierarchy[value]
            for label, hierarchy, value in zip(labels, hierarchies, row, strict=True)
        )
    }  # fmt: skip


def not_ruled_out(
    release: Release, rounds: Sequence[Levels], hierarchies: Sequence[Hierarchy], k: int
) -> dict[Labels, set[Row]]:
    """What a linear program leaves possible (Chhillar et al. 2025), of a release in rounds of this order.

    Unknown is how many rows of each class have which values. What a class of an earlier round covers, none of
    a later one has; and of what an earlier round did not release there are fewer than k rows.
    """
    import highspy

    levels = {
        labels: next(
            i
            for i, chosen in enumerate(rounds)
            if all(
                label in {path[level] for path in hierarchy.values()}
                for label, level, hierarchy in zip(labels, chosen, hierarchies, strict=True)
            )
        )
        for labels, _ in release
    }
    library: Any = highspy
    solver = library.Highs()
    solver.silent()
    unknown: dict[tuple[Labels, Row], Any] = {}
    for labels, size in release:
        earlier = [covered(other, hierarchies) for other, _ in release if levels[other] < levels[labels]]
        for row in covered(labels, hierarchies).difference(*earlier):
            unknown[labels, row] = solver.addVariable(lb=0, ub=size)
        solver.addConstr(sum(x for (own, _), x in unknown.items() if own == labels) == size)
    for i, chosen in enumerate(rounds):
        cells: dict[Labels, list[Any]] = {}
        for (labels, row), x in unknown.items():
            if levels[labels] > i:
                cell = tuple(
                    hierarchy[value][level]
                    for hierarchy, value, level in zip(hierarchies, row, chosen, strict=True)
                )
                cells.setdefault(cell, []).append(x)
        for members in cells.values():
            solver.addConstr(sum(members) <= k - 1)
    found: dict[Labels, set[Row]] = {labels: set() for labels, _ in release}
    for (labels, row), x in unknown.items():
        solver.maximize(x)
        assert solver.getModelStatus() == highspy.HighsModelStatus.kOptimal
        if solver.getObjectiveValue() > 1 - 1e-6:
            found[labels].add(row)
    return found
