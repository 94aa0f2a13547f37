"""An answer: the cells of a question, whatever is told of each, and what is asked of the cells as a whole.

HAVING, ORDER BY and LIMIT are about an answer that is there whole: they tell nothing that it does not.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from sqlglot import exp

from sqlanon.answers.declared import Askable
from sqlanon.answers.question import Aggregate, Question, refused
from sqlanon.core.errors import UseError
from sqlanon.core.statements import literal

MOST_CELLS = 10_000  # of an answer
TYPES = {
    kind: exp.DataType.build(type_)
    for kind, type_ in {
        "integer": "bigint", "number": "double", "date": "date", "timestamp": "timestamp", "text": "text",
        "boolean": "boolean",
    }.items()
}  # fmt: skip
Numbers = tuple[int, ...]  # of the groups of a cell
Part = tuple[Aggregate, tuple[str, ...]]  # of a question: what is counted, and the columns of a grouping set


@dataclass(frozen=True)
class Asked:
    """A part of a question: what it counts, by which columns, of whom."""

    what: Aggregate
    names: Sequence[str]
    where: exp.Expression | None

    @property
    def conditions(self) -> list[exp.Expression]:
        return [each for each in (self.where, self.what.filter) if each is not None]


class Answer:
    """One question, and what is told of each of its cells: columns of these names, and the one that HAVING
    and ORDER BY are about."""

    told: Sequence[str]
    judged: str
    hides = False  # is what is judged NULL where it is hidden? Then that meets no HAVING, and comes last

    def __init__(self, asking: Askable, question: Question) -> None:
        self.asking, self.question = asking, question
        self.groups = {name: self.groups_of(asking, name) for name in question.groups}

    def cells(self, parts: Sequence[Part]) -> Mapping[Part, Mapping[Numbers, Sequence[Any]]]:
        """What is told of each cell of some parts. Those of which nothing is told may be missing."""
        raise NotImplementedError

    def nothing(self, what: Aggregate) -> Sequence[Any]:
        """What is told of a cell that is missing."""
        raise KeyError(what)

    def type_of(self, what: Aggregate, name: str) -> str:
        """The type of a column."""
        return "number"

    def about(self) -> Mapping[str, tuple[str, str]]:
        """Columns that say where the answer is from: text and type."""
        raise NotImplementedError

    @staticmethod
    def groups_of(asking: Askable, name: str) -> list[tuple[Any, Sequence[Any]]]:
        """The groups of a column: what the answer shows, and the places that are in it."""
        dimension, level = asking.owner(name)
        if level is not None:
            return [*dimension.levels[level].items()]
        if dimension.domain is None:
            raise refused(
                name, "its groups are not declared: answers.dimensions says its values, range or hierarchy"
            )
        return [(dimension.shown(place), [place]) for place in dimension.domain]

    def rows(self) -> exp.Select:
        aggregates = list(dict.fromkeys(
            [what for what in self.question.select.values() if isinstance(what, Aggregate)]
            + [what for what, _, _ in self.question.order if isinstance(what, Aggregate)]
            + [each.meta["told"] for each in _told(self.question.having)]
        ))  # fmt: skip
        cells: list[list[Any]] = []
        if sum(math.prod(map(self.count, names)) for names in self.question.sets) > MOST_CELLS:
            raise UseError(f"the answer has more than {MOST_CELLS:,} cells: group by less")
        every = self.cells([(what, names) for names in self.question.sets for what in aggregates])
        for names in self.question.sets:
            told = [every[what, names] for what in aggregates]
            for numbers in product(*(range(self.count(name)) for name in names)):
                shown = dict(
                    zip(names, (self._shown(*each) for each in zip(names, numbers, strict=True)), strict=True)
                )
                order = dict(zip(names, numbers, strict=True))
                cells.append(
                    [shown.get(name) for name in self.question.groups]
                    + [order.get(name) for name in self.question.groups]
                    + [
                        bound
                        for what, each in zip(aggregates, told, strict=True)
                        for bound in each.get(numbers) or self.nothing(what)
                    ]
                )
        return self._selected(aggregates, cells)

    def count(self, name: str) -> int:
        return len(self.groups[name]) + self.asking.owner(name)[0].has_null

    def _shown(self, name: str, number: int) -> Any:
        return self.groups[name][number][0] if number < len(self.groups[name]) else None

    def _selected(self, aggregates: Sequence[Aggregate], cells: Sequence[Sequence[Any]]) -> exp.Select:
        """The columns that are asked for of the cells, with HAVING, ORDER BY and LIMIT."""
        columns = [f"g{nth}" for nth, _ in enumerate(self.question.groups)]
        orders = [f"o{nth}" for nth, _ in enumerate(self.question.groups)]
        bounds = {what: [f"b{nth}_{name}" for name in self.told] for nth, what in enumerate(aggregates)}
        every = [*columns, *orders, *(name for names in bounds.values() for name in names)]
        rows = cells or [[None] * len(every)]
        values = exp.values([tuple(_value(each) for each in cell) for cell in rows], "cell", every)
        single = sum(isinstance(what, Aggregate) for what in self.question.select.values()) == 1
        result = exp.Select().from_(values)
        if not cells:
            result.where(exp.false(), copy=False)
        for called, what in self.question.select.items():
            if isinstance(what, str):
                dimension, level = self.asking.owner(what)
                type_ = TYPES["text" if level is not None else dimension.kind]
                shown = exp.cast(exp.column(columns[self.question.groups.index(what)]), type_)
                result.select(exp.alias_(shown, called, quoted=True), copy=False)
                continue
            is_named = not single or called != what.name
            for name, column in zip(self.told, bounds[what], strict=True):
                told = exp.cast(exp.column(column), TYPES[self.type_of(what, name)])
                result.select(
                    exp.alias_(told, f"{called}_{name}" if is_named else name, quoted=True), copy=False
                )
        for name, (text, kind) in self.about().items():
            result.select(exp.alias_(exp.cast(literal(text), TYPES[kind]), name), copy=False)
        at = self.told.index(self.judged)
        judged = {what: exp.column(names[at]) for what, names in bounds.items()}
        if self.question.having is not None:
            result.where(
                self.question.having.transform(
                    lambda node: judged[node.meta["told"]].copy() if "told" in node.meta else node
                ),
                copy=False,
            )
            for each in _told(self.question.having) if self.hides else ():
                is_hidden = exp.Is(this=judged[each.meta["told"]].copy(), expression=exp.null())
                result.where(exp.not_(is_hidden), copy=False)
        for what, desc, nulls_first in self.question.order:
            by = (
                exp.column(orders[self.question.groups.index(what)])
                if isinstance(what, str)
                else judged[what].copy()
            )
            first = bool(nulls_first) and not (self.hides and isinstance(what, Aggregate))
            result.order_by(exp.Ordered(this=by, desc=desc, nulls_first=first), copy=False)
        for name in orders:
            result.order_by(exp.Ordered(this=exp.column(name), desc=False, nulls_first=False), copy=False)
        if self.question.limit is not None:
            result.limit(self.question.limit, copy=False)
        if self.question.offset:
            result.offset(self.question.offset, copy=False)
        return result


def _told(having: exp.Expression | None) -> Iterator[exp.Expression]:
    every = having.find_all(exp.Placeholder) if having is not None else ()
    return (each for each in every if "told" in each.meta)


def _value(value: Any) -> exp.Expression:
    return literal(value if value is None or isinstance(value, bool | int | float | str) else str(value))
