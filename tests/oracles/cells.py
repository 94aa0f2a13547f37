"""The cells of tables of counts and sums, row by row and cell by cell."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import product
from typing import NamedTuple, TypeAlias

TOTAL = "total"

Label: TypeAlias = str | None
Cell: TypeAlias = tuple[Label, ...]
# By dimension: of each value its labels from itself up to the root; None: no hierarchy.
Tree: TypeAlias = Mapping[Label, Sequence[Label]] | None


class Row(NamedTuple):
    """A row of a table: its values, whose it is, how many people it stands for, and what it contributes."""

    values: Cell
    person: int | None
    n: int
    amount: float


class Contributors(NamedTuple):
    """Who contributes to a cell."""

    n: int
    amount: float
    largest: float | None
    second: float | None


def above(value: Label, tree: Tree) -> list[Label]:
    """The labels that a value counts in."""
    labels = [value] if tree is None else [*tree[value]][:-1]
    return [*dict.fromkeys(labels), TOTAL]


def cells(rows: Sequence[Row], trees: Sequence[Tree], *, by_person: bool) -> dict[Cell, Contributors]:
    """Every combination of labels, and who contributes to it."""
    labels = []
    for d, tree in enumerate(trees):
        values = {row.values[d] for row in rows} if tree is None else set(tree)
        labels.append({label for value in values for label in above(value, tree)})
    answer = {}
    for cell in product(*labels):
        amounts: defaultdict[object, float] = defaultdict(float)
        for i, row in enumerate(rows):
            if all(
                label in above(value, tree)
                for label, value, tree in zip(cell, row.values, trees, strict=True)
            ):
                for copy in range(row.n):
                    amounts[row.person if by_person else (i, copy)] += row.amount
        largest = sorted(amounts.values(), reverse=True)
        answer[cell] = Contributors(
            len(amounts), sum(amounts.values()), *[*map(float, largest), None, None][:2]
        )
    return answer


class Rules(NamedTuple):
    """What is asked of cells; None: nothing."""

    threshold: int | None = None
    zeros: bool = False
    one: float | None = None
    two: float | None = None
    p: float | None = None
    q: float = 100
    response: int | None = None
    shares: bool = False


def broken(own: Contributors, row: Contributors | None, rules: Rules) -> dict[str, float | None]:
    """The rules that a cell breaks, and the protection that it needs. row: its total over the response."""
    answer: dict[str, float | None] = {}
    first, second = own.largest or 0, own.second or 0
    if rules.threshold is not None and 0 < own.n < rules.threshold:
        answer["minimum"] = None
    if rules.zeros and own.amount == 0:
        answer["zero"] = None
    for name, percent, largest in (
        ("dominance_1", rules.one, first),
        ("dominance_2", rules.two, first + second),
    ):
        if percent is not None and own.amount > 0 and largest > percent / 100 * own.amount:
            answer[name] = 100 / percent * largest - own.amount
    if rules.p is not None and own.n and own.amount - first - second < rules.p / rules.q * first:
        answer["p"] = rules.p / rules.q * first - (own.amount - first - second)
    if row is not None:
        if own.n == row.n > 0:
            answer["all"] = None
        if own.n == 0 < row.n:
            answer["none"] = None
        if rules.shares and rules.threshold is not None:
            if 0 < row.n < rules.threshold:
                answer["denominator"] = None
            if 0 < row.n - own.n < rules.threshold:
                answer["difference"] = None
    return answer
