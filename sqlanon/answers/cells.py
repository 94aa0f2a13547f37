"""An answer: the cells of a question, with columns of numbers, and conditions on all cells.

HAVING, ORDER BY and LIMIT are about an answer that is there whole: they tell nothing that it does not.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from sqlglot import exp

from sqlanon.answers.declared import Askable
from sqlanon.answers.question import Aggregate, Part, Question
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


class Answer:
    """One question, and the columns of numbers that each of its cells has. judged: the one that HAVING and
    ORDER BY are about."""

    number_columns: Sequence[str]
    judged: str
    asking: Askable
    hides = False  # is what is judged NULL where it is hidden? Then that meets no HAVING, and comes last

    def __init__(self, asking: Askable, question: Question) -> None:
        self.asking, self.question = asking, question
        self.groups = {name: asking.columns[name].groups for name in question.groups}

    def cells(self, parts: Sequence[Part]) -> Mapping[Part, Mapping[Numbers, Sequence[Any]]]:
        """The numbers of each cell of some parts. Cells without any may be missing."""
        raise NotImplementedError

    def nothing(self, what: Aggregate) -> Sequence[Any]:
        """The numbers of a cell that is missing."""
        raise KeyError(what)

    def type_of(self, what: Aggregate, name: str) -> str:
        """The type of a column."""
        return "number"

    def about(self) -> Mapping[str, tuple[str, str]]:
        """Columns that say where the answer is from: text and type."""
        raise NotImplementedError

    def rows(self) -> exp.Select:
        """The rows of the answer, as values."""
        question = self.question
        sizes = {name: self.asking.columns[name].size for name in self.groups}
        if sum(math.prod(sizes[name] for name in names) for names in question.sets) > MOST_CELLS:
            raise UseError(f"the answer has more than {MOST_CELLS:,} cells: group by less")
        parts = [[question.part(what, names) for what in question.aggregates] for names in question.sets]
        found = self.cells([part for of_set in parts for part in of_set])
        cells = [
            [*self._labels(dict(zip(of_set[0].names, at, strict=True))),
             *(bound for part in of_set for bound in found[part].get(at) or self.nothing(part.what))]
            for of_set in parts for at in product(*(range(sizes[name]) for name in of_set[0].names))
        ]  # fmt: skip
        return self._selected(cells)

    def _labels(self, numbers: Mapping[str, int]) -> Iterator[Any]:
        """Of each column that is grouped by what is shown, and the number of the group; NULL in a total."""
        for name, groups in self.groups.items():
            number = numbers.get(name)
            yield from (None if number in (None, len(groups)) else groups[number][0], number)

    def _selected(self, cells: Sequence[Sequence[Any]]) -> exp.Select:
        """The columns that the question selects, with HAVING, ORDER BY and LIMIT."""
        question = self.question
        shown = {name: f"g{nth}" for nth, name in enumerate(self.groups)}
        numbers = {name: f"o{nth}" for nth, name in enumerate(self.groups)}
        judged = {what: f"b{nth}" for nth, what in enumerate(question.aggregates)}
        bounds = {
            what: [column if name == self.judged else f"{column}_{name}" for name in self.number_columns]
            for what, column in judged.items()
        }
        every = [each for name in self.groups for each in (shown[name], numbers[name])]
        every += [name for names in bounds.values() for name in names]
        rows = cells or [[None] * len(every)]
        result = exp.Select().from_(exp.values([tuple(map(_value, each)) for each in rows], "cell", every))
        if not cells:
            result.where(exp.false(), copy=False)

        def add(value: exp.Expression, kind: str, called: str) -> None:
            result.select(exp.alias_(exp.cast(value, TYPES[kind]), called, quoted=True), copy=False)

        is_single = sum(isinstance(what, Aggregate) for what in question.select.values()) == 1
        for called, what in question.select.items():
            if isinstance(what, str):
                add(exp.column(shown[what]), self.asking.columns[what].kind, called)
                continue
            prefix = "" if is_single and called == what.name else f"{called}_"
            for name, column in zip(self.number_columns, bounds[what], strict=True):
                add(exp.column(column), self.type_of(what, name), prefix + name)
        for name, (text, kind) in self.about().items():
            add(literal(text), kind, name)
        if question.having is not None:
            of = question.having.find_all(exp.Column) if self.hides else ()
            result.where(question.having, *(each.is_(exp.null()).not_() for each in of), copy=False)
        order = [
            (numbers[what], desc, bool(first)) if isinstance(what, str)
            else (judged[what], desc, bool(first) and not self.hides)
            for what, desc, first in question.order
        ]  # fmt: skip
        for name, desc, first in (*order, *((name, False, False) for name in numbers.values())):
            by = exp.Ordered(this=exp.column(name), desc=desc, nulls_first=first)
            result.order_by(by, copy=False)
        if question.limit is not None:
            result.limit(question.limit, copy=False)
        return result.offset(question.offset, copy=False) if question.offset else result


def _value(value: Any) -> exp.Expression:
    return literal(value if value is None or isinstance(value, bool | int | float | str) else str(value))
