"""Answers to questions: bounds and an estimate for each cell, computed from one release that is out.

What is told is a function of that release and the question. So any number of questions, by anybody, in any
order, tells nothing that the release does not.
"""

from __future__ import annotations

import math
import os
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any

import duckdb
from sqlglot import exp

from sqlanon.answers import question as questions
from sqlanon.answers import released as releases
from sqlanon.answers.pieces import Cut, Dimension, column_of, on_ranks, places_in
from sqlanon.answers.question import COMPARISONS, Aggregate, Question
from sqlanon.core.connection import connection_first
from sqlanon.core.deadline import Deadline
from sqlanon.core.errors import UseError
from sqlanon.core.source import fresh_name
from sqlanon.core.statements import Rows, answer, call, create, execute, literal, render, select, table
from sqlanon.policies.parsing import read_answers

MOST_CELLS = 10_000  # of an answer
MOST_STATES = 100_000  # that a class may be in, by a question
BOUNDS = ("lower", "upper", "estimate")
TYPES = {
    kind: exp.DataType.build(type_)
    for kind, type_ in {
        "integer": "bigint", "number": "double", "date": "date", "timestamp": "timestamp", "text": "text",
        "boolean": "boolean",
    }.items()
}  # fmt: skip
# Of a cell that no box touches.
NOTHING: Mapping[str, Sequence[Any]] = {
    "count": (0, 0, 0.0), "people": (0, 0, 0.0), "sum": (0.0, 0.0, 0.0), "avg": (None, None, None),
    "share": (None, None, None),
}  # fmt: skip
Numbers = tuple[int, ...]  # of the groups of a cell


class Asking:
    """A release of which questions can be asked. Errors of reading it: UseError, InputError."""

    def __init__(
        self, policy: str | os.PathLike[str], register: str | os.PathLike[str] | None = None, wait: float = 0
    ) -> None:
        path = Path(policy)
        said = read_answers(path)
        file = said.register if register is None else Path(register)
        if file is None:
            raise said.wrong(
                "answers.register", "is needed, or the option --register: the file that has the release"
            )
        self._seen = _state(path, file)
        self.files = (path, file)
        self.released = releases.read(said, file, wait)
        self._owner = {
            level: dimension for dimension in self.released.dimensions.values() for level in dimension.levels
        }
        self._owner |= self.released.dimensions

    @property
    def is_fresh(self) -> bool:
        """Do the policy and the register say what they said?"""
        return self._seen == _state(*self.files)

    def close(self) -> None:
        self.released.con.close()

    def answer(self, question: str) -> exp.Select:
        """The rows that answer a question, as values. Errors: UseError."""
        of, seconds = self.released, self.released.policy.seconds
        try:
            with Deadline(of.con, seconds) as deadline:
                return self._answered(question)
        except RecursionError:
            raise UseError("the question is nested too deeply, or too long: ask it in parts") from None
        assert deadline.has_passed
        raise UseError(
            f"the question takes longer than {seconds:g} seconds: ask about fewer columns at once, or say "
            "more, answers.seconds"
        )

    def _answered(self, question: str) -> exp.Select:
        of = self.released
        asked = questions.read(question, of.policy.table, of.columns, of.measures, of.policy.unit)
        return _Answer(self, asked).rows()

    def ask(self, question: str) -> Rows:
        """The same rows, fetched."""
        return execute(self.released.con, self.answer(question))

    def owner(self, column: str) -> tuple[Dimension, str | None]:
        """The dimension of a column, and the level of its hierarchy if it is one."""
        dimension = self._owner[column]
        return dimension, None if column == dimension.name else column


class _Answer:
    """One question, and what the release says to it."""

    def __init__(self, asking: Asking, question: Question) -> None:
        self.asking, self.question, self.released = asking, question, asking.released
        self.groups = {name: self._groups(name) for name in question.groups}

    def _groups(self, name: str) -> list[tuple[Any, Sequence[Any]]]:
        """The groups of a column: what the answer shows, and the places that are in it."""
        dimension, level = self.asking.owner(name)
        if level is not None:
            return [*dimension.levels[level].items()]
        if dimension.domain is None:
            raise questions.refused(
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
        if sum(math.prod(map(self._count, names)) for names in self.question.sets) > MOST_CELLS:
            raise UseError(f"the answer has more than {MOST_CELLS:,} cells: group by less")
        for names in self.question.sets:
            told = [self._told(what, names) for what in aggregates]
            for numbers in product(*(range(self._count(name)) for name in names)):
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
                        for bound in each.get(numbers, NOTHING[what.kind])
                    ]
                )
        return self._selected(aggregates, cells)

    def _count(self, name: str) -> int:
        return len(self.groups[name]) + self.asking.owner(name)[0].has_null

    def _shown(self, name: str, number: int) -> Any:
        return self.groups[name][number][0] if number < len(self.groups[name]) else None

    # BOUNDS

    def _told(self, what: Aggregate, names: Sequence[str]) -> Mapping[Numbers, Sequence[Any]]:
        """The bounds and the estimate of each cell."""
        carried, bounds = self._bounds_of(what)
        met = self._boxes(what, names, carried)
        rows = execute(self.released.con, select(bounds.subquery()).with_("met", as_=met, copy=False))
        return {tuple(group): cell for group, *cell in rows}

    def _bounds_of(self, what: Aggregate) -> tuple[str, exp.Select]:
        scale = self.released.scale
        if what.kind == "share":
            return "sum(n) as n", call("_answers_of_shares", "met", scale)
        if what.kind == "people":
            are_people = self.released.policy.people is None
            carried = "unit, people, unit_rows, sum(n) as n"
            return carried, call("_answers_of_people", "met", scale, are_people)
        if what.measure is None:
            return "sum(n) as n", call("_answers_of_counts", "met", scale, False)
        measure = self.released.measures[what.measure]
        value, low, high = f"m{measure.nth}", measure.low, measure.high
        if what.kind == "count":
            has_value = f"coalesce(sum(n) filter (is_suppressed or {value} is not null), 0) as n"
            return has_value, call("_answers_of_counts", "met", scale, True)
        if what.kind == "avg":
            return f"{value} as value, sum(n) as n", call("_answers_of_means", "met", low, high)
        sums = (
            f"sum(n) as n, coalesce(sum(n * {value}), 0) as total, "
            f"coalesce(sum(n * least({value}, 0)), 0) as negative, "
            f"coalesce(sum(n * greatest({value}, 0)), 0) as positive"
        )
        return sums, call("_answers_of_sums", "met", scale, low, high)

    def _boxes(self, what: Aggregate, names: Sequence[str], carried: str) -> exp.Select:
        """The boxes that the question touches."""
        conditions = [each for each in (self.question.where, what.filter) if each is not None]
        cuts: dict[str, Cut] = {}
        for name in names:
            dimension, _ = self.asking.owner(name)
            cut = cuts.setdefault(dimension.name, Cut(dimension))
            cut.add(place for _, places in self.groups[name] for place in places)
        for comparison in (each for condition in conditions for each in _comparisons(condition)):
            dimension, level = self.asking.owner(column_of(comparison))
            cuts.setdefault(dimension.name, Cut(dimension)).add(places_in(comparison, dimension, level))
        groups: list[str] = []
        met: list[exp.Expression] = []
        for number, name in enumerate(names, 1):
            cut = cuts[self.asking.owner(name)[0].name]
            group = cut.decide(cut.groups([places for _, places in self.groups[name]]), f"g{number}")
            groups.append(group.name)
            met.append(exp.GTE(this=group, expression=literal(0)))
        decided = [self._decided(each, cuts) for each in conditions]
        if what.kind == "share":  # whether a row is in the part is a group more
            part = exp.Coalesce(this=decided.pop(), expressions=[exp.false()])
            groups.append(render(exp.cast(exp.paren(part), "integer")))
        met += [exp.Paren(this=each) for each in decided]
        states = math.prod(cut.states for cut in cuts.values())
        if states > MOST_STATES:
            raise UseError(
                f"the question tells {states:,} combinations of values apart, of which at most "
                f"{MOST_STATES:,} are looked at: ask about fewer columns at once"
            )
        ordered = sorted(cuts.values(), key=lambda cut: cut.dimension.nth)
        return call(
            "_boxes_met", "answer_row", [cut.dimension.nth for cut in ordered],
            [render(cut.ranked()) for cut in ordered],
            [", ".join(render(each) for each in cut.decided) for cut in ordered],
            render(_all(met)),
            groups, carried,
        )  # fmt: skip

    def _decided(self, condition: exp.Expression, cuts: Mapping[str, Cut]) -> exp.Expression:
        """A condition in which whatever is about one dimension is a column that its ranks decide."""
        owners = {self.asking.owner(column_of(each))[0].name for each in _comparisons(condition)}
        if len(owners) == 1:
            cut = cuts[owners.pop()]
            return cut.decide(self._on_ranks(condition, cut), f"a{cut.dimension.nth}_{len(cut.decided)}")
        return _rebuilt(condition, lambda part: self._decided(part, cuts)) if owners else condition

    def _on_ranks(self, condition: exp.Expression, cut: Cut) -> exp.Expression:
        if isinstance(condition, (*COMPARISONS, exp.In, exp.Is)):
            dimension, level = self.asking.owner(column_of(condition))
            return on_ranks(condition, cut, None if level is None else dimension.levels[level])
        return _rebuilt(condition, lambda part: self._on_ranks(part, cut))

    # THE ANSWER

    def _selected(self, aggregates: Sequence[Aggregate], cells: Sequence[Sequence[Any]]) -> exp.Select:
        """The columns that are asked for of the cells, with HAVING, ORDER BY and LIMIT."""
        columns = [f"g{nth}" for nth, _ in enumerate(self.question.groups)]
        orders = [f"o{nth}" for nth, _ in enumerate(self.question.groups)]
        bounds = {what: [f"b{nth}_{name}" for name in BOUNDS] for nth, what in enumerate(aggregates)}
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
            for name, column in zip(BOUNDS, bounds[what], strict=True):
                is_whole = what.kind in ("count", "people") and name != "estimate"
                told = exp.cast(exp.column(column), TYPES["integer" if is_whole else "number"])
                result.select(
                    exp.alias_(told, f"{called}_{name}" if is_named else name, quoted=True), copy=False
                )
        made_on = exp.cast(literal(self.released.made_on.isoformat()), TYPES["date"])
        result.select(
            exp.alias_(literal(self.released.name), "release"),
            exp.alias_(made_on, "release_date"),
            copy=False,
        )
        estimates = {what: exp.column(names[-1]) for what, names in bounds.items()}
        if self.question.having is not None:
            result.where(
                self.question.having.transform(
                    lambda node: estimates[node.meta["told"]].copy() if "told" in node.meta else node
                ),
                copy=False,
            )
        for what, desc, nulls_first in self.question.order:
            by = (
                exp.column(orders[self.question.groups.index(what)])
                if isinstance(what, str)
                else estimates[what].copy()
            )
            result.order_by(exp.Ordered(this=by, desc=desc, nulls_first=bool(nulls_first)), copy=False)
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


def _comparisons(condition: exp.Expression) -> Iterator[exp.Expression]:
    return condition.find_all(*COMPARISONS, exp.In, exp.Is)


def _rebuilt(condition: exp.Expression, part: Callable[[exp.Expression], exp.Expression]) -> exp.Expression:
    """AND, OR, NOT and parentheses with other parts; a constant as it is."""
    parts = {
        name: part(each) if isinstance(each, exp.Expression) else each
        for name, each in condition.args.items()
    }
    return type(condition)(**parts)


def _all(conditions: Sequence[exp.Expression]) -> exp.Expression:
    """All of some conditions."""
    met: exp.Expression = exp.true()
    for each in conditions:
        met = exp.And(this=met, expression=each)
    return met


def _value(value: Any) -> exp.Expression:
    return literal(value if value is None or isinstance(value, bool | int | float | str) else str(value))


def _state(*files: Path) -> list[tuple[str, int, int] | None]:
    """What tells that files have changed."""
    return [
        (str(file.resolve()), file.stat().st_mtime_ns, file.stat().st_size) if file.is_file() else None
        for file in files
    ]


_kept: dict[tuple[str, str | None], Asking] = {}
_asking = threading.Lock()


@connection_first
def ask(
    con: duckdb.DuckDBPyConnection,
    question: str,
    policy: str | os.PathLike[str],
    *,
    register: str | os.PathLike[str] | None = None,
    wait: float = 0,
) -> duckdb.DuckDBPyRelation:
    """Answer a question in SQL from a release that is out, with bounds: a relation.

    question: such as "select ward, count(*) from stays where age > 80 group by ward"; docs/how_to/ask.md says
    what is understood. policy: a file with [answers]. register: that has the release; the one of the policy,
    if not given. wait: so many seconds at most, while somebody else has the register.

    Each count, sum, mean or share is three columns: lower and upper, between which the true number is, and
    estimate. The last two columns are the release and its date. No table but the release is read, and nothing
    is written: any number of questions tells no more than the release does. It is kept for the next question,
    until its policy or register changes.

    Errors: InputError for a question, which names what is not allowed; UseError for a policy whose release is
    not there, with the command that makes it.
    """
    key = (str(Path(policy).resolve()), None if register is None else str(Path(register).resolve()))
    with _asking:
        asking = _kept.get(key)
        if asking is not None and not asking.is_fresh:
            _kept.pop(key).close()
            asking = None
        if asking is None:
            asking = _kept[key] = Asking(policy, register, wait)
        rows = asking.answer(question)
    made = table(fresh_name("answer"))
    execute(con, create(made, rows, temporary=True))
    return answer(con, select(made))
