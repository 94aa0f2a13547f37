"""Answers to questions: bounds and an estimate for each cell, computed from one release that is out.

An answer is a function of that release and the question. So any number of questions, by anybody, in any
order, tells nothing that the release does not.
"""

from __future__ import annotations

import math
import os
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import duckdb
from sqlglot import exp

from sqlanon.answers.cells import Answer, Numbers
from sqlanon.answers.pieces import Cut
from sqlanon.answers.question import Aggregate, Part, all_of, comparisons_of, rebuilt
from sqlanon.answers.released import Released
from sqlanon.core.connection import connection_first
from sqlanon.core.deadline import Deadline
from sqlanon.core.errors import UseError
from sqlanon.core.source import Source, fresh_name
from sqlanon.core.statements import Rows, answer, call, create, execute, literal, render, select, table
from sqlanon.policies.answers import RELEASE
from sqlanon.policies.parsing import read_answers

MOST_STATES = 100_000  # that a class may be in, by a question
# Of a cell that no box touches.
NOTHING: Mapping[str, Sequence[Any]] = {
    "count": (0, 0, 0.0), "people": (0, 0, 0.0), "sum": (0.0, 0.0, 0.0), "avg": (None, None, None),
    "share": (None, None, None),
}  # fmt: skip


class Asking(Released):
    """A release of which questions can be asked. Errors of reading it: UseError, InputError."""

    def __init__(
        self, policy: str | os.PathLike[str], register: str | os.PathLike[str] | None = None, wait: float = 0
    ) -> None:
        said = read_answers(Path(policy))
        super().__init__(said, said.register_file(register), wait)

    def answer(self, question: str) -> exp.Select:
        """The rows that answer a question, as values. Errors: UseError."""
        seconds = self.policy.seconds
        try:
            with Deadline(self.con, seconds) as deadline:
                return _Answer(self, self.read(question)).rows()
        except RecursionError:
            raise UseError("the question is nested too deeply, or too long: ask it in parts") from None
        assert deadline.has_passed
        raise UseError(
            f"the question takes longer than {seconds:g} seconds: ask about fewer columns at once, or say "
            "more, answers.seconds"
        )

    def ask(self, question: str) -> Rows:
        """The rows that answer a question, fetched."""
        return execute(self.con, render(self.answer(question)))


class _Answer(Answer):
    """One question, and what the release says to it."""

    number_columns = ("lower", "upper", "estimate")
    judged = "estimate"
    asking: Asking

    def cells(self, parts: Sequence[Part]) -> Mapping[Part, Mapping[Numbers, Sequence[Any]]]:
        return {part: self._numbers_of(part) for part in parts}

    def nothing(self, what: Aggregate) -> Sequence[Any]:
        return NOTHING[what.kind]

    def type_of(self, what: Aggregate, name: str) -> str:
        return "integer" if what.kind in ("count", "people") and name != "estimate" else "number"

    def about(self) -> Mapping[str, tuple[str, str]]:
        made_on = self.asking.made_on.isoformat()
        return {"release": (self.asking.name, "text"), "release_date": (made_on, "date")}

    # BOUNDS

    def _numbers_of(self, part: Part) -> Mapping[Numbers, Sequence[Any]]:
        """The bounds and the estimate of each cell."""
        carried, bounds = self._bounds_of(part.what)
        met = self._boxes(part, carried)
        query = select(bounds.subquery(copy=False)).with_("met", as_=met, copy=False)
        rows = execute(self.asking.con, render(query))
        return {tuple(group): cell for group, *cell in rows}

    def _bounds_of(self, what: Aggregate) -> tuple[str, exp.Select]:
        scale = self.asking.scale
        if what.kind == "share":
            return "sum(n) as n", call("_answers_of_shares", "met", scale)
        if what.kind == "people":
            are_people = self.asking.policy.people is None
            carried = "unit, people, unit_rows, sum(n) as n"
            return carried, call("_answers_of_people", "met", scale, are_people)
        if what.measure is None:
            return "sum(n) as n", call("_answers_of_counts", "met", scale, False)
        measure = self.asking.measures[what.measure]
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

    def _boxes(self, part: Part, carried: str) -> exp.Select:
        """The boxes that a part touches."""
        conditions, cuts = [self.asking.placed(each) for each in part.conditions], dict[str, Cut]()
        for dimension in self.asking.dimensions.values():
            cut = Cut(dimension)
            if cut.add_those_of(conditions):
                cuts[dimension.column] = cut
        groups: list[str] = []
        met: list[exp.Expression] = []
        for number, name in enumerate(part.names, 1):
            by = self.asking.columns[name]
            cut = cuts.setdefault(by.dimension.column, Cut(by.dimension))
            group = cut.group(by, f"g{number}")
            groups.append(group.name)
            met.append(exp.GTE(this=group, expression=literal(0)))
        decided = [self._decided(each, cuts) for each in conditions]
        if part.what.kind == "share":  # whether a row is in it is a group more
            is_in = exp.Coalesce(this=decided.pop(), expressions=[exp.false()])
            groups.append(render(exp.cast(exp.paren(is_in), "integer")))
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
            [render(cut.values()) for cut in ordered],
            [", ".join(render(each) for each in cut.decided) for cut in ordered],
            render(all_of(met)),
            groups, carried,
        )  # fmt: skip

    def _decided(self, condition: exp.Expression, cuts: Mapping[str, Cut]) -> exp.Expression:
        """A condition in which whatever is about one dimension is a column that its values decide."""
        owners = {each.this.name for each in comparisons_of(condition)}
        if len(owners) == 1:
            cut = cuts[owners.pop()]
            return cut.decide(condition, f"a{cut.dimension.nth}_{len(cut.decided)}")
        return rebuilt(condition, lambda part: self._decided(part, cuts)) if owners else condition


def _state(file: Path) -> tuple[int, int] | None:
    """What tells that a file has changed."""
    return (file.stat().st_mtime_ns, file.stat().st_size) if file.is_file() else None


_kept: dict[tuple[Path, Path], tuple[object, Asking]] = {}  # and the state of policy and register then
_asking = threading.Lock()


@connection_first
def ask(
    con: duckdb.DuckDBPyConnection,
    question: str,
    policy: str | os.PathLike[str],
    *,
    data: Source = None,
    register: str | os.PathLike[str] | None = None,
    wait: float = 0,
) -> duckdb.DuckDBPyRelation:
    """Answer a question in SQL as [answers] of a policy says: a relation.

    question: such as "select ward, count(*) from stays where age > 80 group by ward"; docs/how_to/ask.md says
    what is understood. policy: a file with [answers]. data: the table, in place of the policy's
    file, as in the functions that anonymize; not where answers are from a release. register: a file; the one
    of the policy, if not given. wait: so many seconds at most, while somebody else has the register.

    From a release (answers.way, if nothing else is said) each count, sum, mean or share is three columns:
    lower and upper, between which the true number is, and estimate. The last two columns are the release and
    its date. No table but the release is read, and nothing is written: any number of questions tells no more
    than the release does. It is kept for the next question, until its policy or register changes.

    With noise these are estimate, low and high, an interval of 95 %; the last one says when that was
    answered. The answer and what it costs are in the register before they are returned, and whoever asks the
    same again gets the same numbers, and pays nothing.

    With consistent noise a count is lower, upper and estimate again: the same people have the same noise, in
    whatever words, and an answer is refused if all answers together would leave less error than least_error.

    Exactly, a count is value, NULL where it is hidden, and hidden: each answer is judged together with all
    earlier ones to the same audience and all that is published, and is in the register before it is returned.

    Errors: InputError for a question, which names what is not allowed; UseError for a policy whose release is
    not there, with the command that makes it; RefusedError for a budget that is spent, and for an exact
    answer that would tell too much.
    """
    said = read_answers(Path(policy))
    if said.way != RELEASE:
        from sqlanon.answers.ways import answered

        rows = answered(con, question, Path(policy), data, register, wait)
    elif data is not None:
        raise UseError("data is not asked: answers are from a release (answers.way)")
    else:
        file = said.register_file(register)
        rows = _from_release(question, Path(policy), file, wait)
    made = table(fresh_name("answer"))
    execute(con, create(made, rows, temporary=True))
    return answer(con, select(made))


def _from_release(question: str, policy: Path, register: Path, wait: float) -> exp.Select:
    key = policy.resolve(), register.resolve()
    with _asking:
        state, kept = [*map(_state, key)], _kept.get(key)
        if kept is not None and kept[0] != state:
            _kept.pop(key)[1].con.close()
            kept = None
        if kept is None:
            kept = _kept[key] = state, Asking(policy, register, wait)
        return kept[1].answer(question)
