"""Exact answers, each judged together with all that was told to the same audience, and with all that is
published: cells of which too much would be known are hidden, or the answer is refused.

An answer is a table of counts of the register, as [table] of a policy makes one: all of its totals are in it,
told or not, so that what is hidden does not follow from what may be asked next. It is entered before anybody
gets it. The same question of the same rows has the stored answer.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlglot import exp

from sqlanon.answers.cells import Numbers, Part
from sqlanon.answers.pieces import column_of
from sqlanon.answers.populations import Counts, Populations
from sqlanon.answers.question import Aggregate, Question, comparisons_of, joined_by_and, refused
from sqlanon.answers.stored import StoredCounts
from sqlanon.answers.table import AskingTable, in_order
from sqlanon.core.errors import InputError, RefusedError
from sqlanon.core.statements import call, columns, count, execute, literal, relation, select
from sqlanon.core.tables import WorkTables, transaction
from sqlanon.judge.together import SOLVER_SECONDS
from sqlanon.policies.policy import read
from sqlanon.policies.schema import bare
from sqlanon.policies.tables import TablePolicy
from sqlanon.publishing.register import Entry, Register
from sqlanon.publishing.tables import JudgedTable, judged_table, values_of_table
from sqlanon.tables.making import MARK, Cells, Making

EVERYBODY = "everybody"  # a column of one value, where nothing is grouped by
TOTAL = "\x02total"  # the mark of totals: no declared value
OF_ALL = -1  # in place of the number of a group: of a total
# Populations that agree with what was told by a register to an audience, and the questions that these are.
_kept: dict[tuple[str, ...], tuple[list[str], Populations]] = {}


class ExactAnswer(StoredCounts):
    """One question, answered exactly but for cells that are hidden."""

    told = ("value", "hidden")
    judged = "value"
    hides = True

    def __init__(self, asking: AskingTable, question: Question, register: Register) -> None:
        super().__init__(asking, question, register)
        for name in (name for name in asking.number if asking.owner(name)[1] is None):
            stated = exp.select(exp.func("unnest", literal(self._labels(name))).as_("label")).subquery(
                "value"
            )
            for (label,) in execute(asking.con, select(stated, "label").where("sqlanon._is_a_label(label)")):
                raise asking.policy.wrong(
                    f"answers.dimensions.{bare(name)}",
                    f"has the value {label}, which reads as a label of several values: answers are not "
                    "compared by it in this way",
                )  # fmt: skip

    def type_of(self, what: Aggregate, name: str) -> str:
        return "boolean" if name == "hidden" else "integer"

    def nothing(self, what: Aggregate) -> Sequence[Any]:
        return (0, False)

    def cells(self, parts: Sequence[Part]) -> Mapping[Part, Mapping[Numbers, Sequence[Any]]]:
        groups = sorted(self.question.groups)
        every: dict[Aggregate, tuple[Mapping[Numbers, Sequence[Any]], Sequence[str]]] = {}
        for what in dict.fromkeys(what for what, _ in parts):
            self.check(what)
            for name in groups:
                if self.table.owner(name)[1] is not None:
                    raise refused(name, "levels of a hierarchy stand in conditions only; group by its values")
            found = self._found(what, groups)
            if found is None:
                self._tell(what, groups)
                found = self.stored.find(what, groups) or {}, groups
            every[what] = found
        return {(what, names): self._of_set(*every[what], names) for what, names in parts}

    def _found(
        self, what: Aggregate, groups: Sequence[str]
    ) -> tuple[Mapping[Numbers, Sequence[Any]], Sequence[str]] | None:
        """What was told that has these groups, maybe as totals of a larger table, and its groups."""
        found, names = self.stored.find(what, groups), groups
        for text in self.stored.told() if found is None else ():
            names = self.table.read(text).groups
            if {*groups} < {*names} and self.stored.asked(what, names) == text:
                found = self.stored.find(what, names)
            if found is not None:
                break
        return None if found is None else (found, names)

    def _of_set(
        self, cells: Mapping[Numbers, Sequence[Any]], groups: Sequence[str], names: Sequence[str]
    ) -> dict[Numbers, Sequence[Any]]:
        """The cells of one grouping set, of those of all."""
        own = [name for name in groups if name in names]
        return {
            in_order(tuple(number for number in cell if number != OF_ALL), own, names): told
            for cell, told in cells.items()
            if [name for name, number in zip(groups, cell, strict=True) if number != OF_ALL] == own
        }

    def _tell(self, what: Aggregate, names: Sequence[str]) -> None:
        """Make an answer, judge it, and enter it. Errors: RefusedError."""
        con, known = self.table.con, self.register
        told_to_others = self.stored.releases_of_others()
        out = [entry for entry in known.out() if entry.id not in told_to_others]
        with WorkTables(con) as work:
            rules = self._rules(what, names)
            source = work.make("asked", self._source()).name
            self._check_people(source)
            making = Making(con, work, rules, source, None)
            called = self.stored.name(what, names)
            judged = self._judged(making, called, out, what, names)
            if judged is None or judged.reasons:
                raise RefusedError([_refusal(rules.asked["threshold"], [entry.name for entry in out])])
            values = {**values_of_table(con, known, making, called, None), "status": "out"}
            with transaction(con):
                number = known.enter(values, select(relation(making.made.published)))
                known.record(judged.said, "publish", number)
                self.stored.keep(con, what, names, self._told(making, names), None, number)

    def _check_people(self, source: str) -> None:
        """Errors: UseError where people are in several places, so that counts of them do not add up."""
        if self.table.unit is None:
            return
        places = [name for name in self.table.dimensions if name in self.table.number]
        if execute(self.table.con, call("_people_in_several", source, "unit", places)) != [(0,)]:
            raise self.table.policy.wrong(
                "answers.unit",
                "says of some people that they have rows with several values of one dimension: in this way "
                "each has one value of each",
            )

    def _judged(
        self, making: Making, called: str, out: Sequence[Entry], what: Aggregate, names: Sequence[str]
    ) -> JudgedTable | None:
        """What the judge says of an answer; None where it must not be told why."""
        con, rules = making.con, making.policy
        try:
            if execute(con, count(relation(making.source))) == [(0,)]:
                making.made = _nobody(making.work, rules)
            else:
                making.cells()
            others = self._others(out)
            if others is not None:
                counts = self._counts(what, self.question.where, names)
                if not self._hide_beside(others, making, counts, names):
                    return None
                out = ()
            return judged_table(con, self.register, making, called, out, {}, rules.asked["solver_seconds"])
        except InputError:  # which could tell of values
            return None

    # BESIDE OTHER ANSWERS

    def _others(self, out: Sequence[Entry]) -> Populations | None:
        """Populations that agree with all that was told; None where other tables or releases are out, too."""
        told = self.stored.told()
        if not {entry.id for entry in out} <= {release for _, release in told.values()}:
            return None
        key = (str(self.table.register.resolve()), self.stored.of["audience"], self.stored.of["declared"])
        known, others = _kept.get(key, ([], None))
        if others is None or known != [*told][: len(known)]:
            known, others = [], Populations(self._people(), self._sizes, self.table.policy.asked["threshold"])
        for text in [*told][len(known) :]:
            asked = self.table.read(text)
            [what] = (each for each in asked.select.values() if isinstance(each, Aggregate))
            counts = self._counts(what, asked.where, asked.groups)
            cells = {tuple(numbers): cell for numbers, cell in json.loads(told[text][0])}
            others.tell(counts, [~hidden for hidden, _ in self._hidden(cells, counts)])
            known.append(text)
        _kept.clear()
        _kept[key] = known, others
        return others

    @property
    def _grouped(self) -> list[str]:
        """The dimensions by which people are told apart."""
        return [name for name in self.table.number if self.table.owner(name)[1] is None]

    @property
    def _sizes(self) -> list[int]:
        return [self.table.numbers_of(name)[1] + 1 for name in self._grouped]

    def _people(self) -> NDArray[np.int16]:
        """The groups of each person."""
        groups = [f"g{self.table.number[name]}" for name in self._grouped]
        unit = None if self.table.unit is None else "unit"
        found = columns(self.table.con, call("_groups_of_people", self.table.rows, groups, unit))
        return np.array([found[f"v{nth}"] for nth, _ in enumerate(groups, 1)], dtype=np.int16).T.copy()

    def _counts(self, what: Aggregate, where: exp.Expression | None, names: Sequence[str]) -> Counts:
        """What a question counts, by numbers."""
        grouped, allowed = self._grouped, dict[int, NDArray[np.bool_]]()
        for name, conditions in self._conditions(what, where).items():
            d = grouped.index(name)
            allowed[d] = np.zeros(self._sizes[d], dtype=bool)
            allowed[d][[*self.table.values_that_meet(name, conditions)]] = True
        return Counts(allowed, tuple(grouped.index(name) for name in sorted(names)))

    def _hidden(
        self, cells: Mapping[Numbers, Sequence[Any]], counts: Counts
    ) -> Iterator[tuple[NDArray[np.bool_], NDArray[np.bool_]]]:
        """Which cells of each margin are hidden, and which are there."""
        for margin in counts.margins():
            shape = [self._sizes[d] for d in margin.by]
            hidden, there = np.zeros(shape, dtype=bool), np.zeros(shape, dtype=bool)
            for numbers, (_, is_hidden) in cells.items():
                own = tuple(number for number in numbers if number != OF_ALL)
                by = tuple(d for d, number in zip(counts.by, numbers, strict=True) if number != OF_ALL)
                if by == margin.by:
                    hidden[own], there[own] = is_hidden, True
            yield hidden.reshape(-1), there.reshape(-1)

    def _hide_beside(self, others: Populations, making: Making, counts: Counts, names: Sequence[str]) -> bool:
        """Hide more cells of an answer, until it is safe beside others. False: it is not."""
        cells = self._told(making, names)
        hidden, there = zip(*self._hidden(cells, counts), strict=True)
        seconds = making.policy.asked["solver_seconds"]
        shown = others.judged(counts, hidden, [~each for each in there], seconds)
        if shown is None:
            return False
        more: list[Numbers] = []
        for margin, own, before in zip(counts.margins(), shown, hidden, strict=True):
            shape = [self._sizes[d] for d in margin.by]
            for at in np.argwhere((~own & ~before).reshape(shape)).tolist():
                numbers = dict(zip(margin.by, at, strict=True))
                more.append(tuple(numbers.get(d, OF_ALL) for d in counts.by))
        if more:
            self._publish_without(making, names, more)
        return True

    def _publish_without(self, making: Making, names: Sequence[str], cells: Sequence[Numbers]) -> None:
        """Publish the same table with more cells hidden."""
        dimensions = making.policy.dimensions
        labels = {name: [*self._labels(name), None] for name in names}
        rows = [
            tuple(literal(TOTAL if number == OF_ALL else labels[name][number])
                  for name, number in zip(names, numbers, strict=True)) or (literal("all"),)
            for numbers in cells
        ]  # fmt: skip
        hidden = exp.values(rows, "hidden", [f"h{nth}" for nth, _ in enumerate(dimensions)])
        is_hidden = exp.and_(*(
            exp.NullSafeEQ(this=exp.column(name, "shown", quoted=True),
                           expression=exp.cast(exp.column(f"h{nth}", "hidden"), "text"))
            for nth, name in enumerate(dimensions)
        ))  # fmt: skip
        one = exp.Exists(this=exp.select("1").from_(hidden).where(is_hidden))
        value = exp.Case().when(one, literal(MARK)).else_(exp.column("value"))
        query = exp.select(
            *(exp.column(name, quoted=True) for name in dimensions),
            exp.Alias(this=value, alias=exp.to_identifier("value")),
        ).from_(exp.alias_(relation(making.made.published), "shown"))
        making.publish_instead(making.work.make("with_more_hidden", query).name)

    def _told(self, making: Making, names: Sequence[str]) -> dict[Numbers, Sequence[Any]]:
        """What the table shows of each cell."""
        labels = {name: {label: nth for nth, label in enumerate(self._labels(name))} for name in names}
        columns = (exp.column(name, quoted=True) for name in names)
        shown = select(relation(making.made.published), *columns, "value")
        if not names:
            shown = shown.where(exp.column(EVERYBODY).neq(TOTAL))
        return {
            tuple(
                OF_ALL if label == TOTAL else labels[name].get(label, len(labels[name]))
                for name, label in zip(names, row, strict=False)
            ): (None, True) if row[-1] == MARK else (int(row[-1]), False)
            for row in execute(making.con, shown)
        }

    def _rules(self, what: Aggregate, names: Sequence[str]) -> TablePolicy:
        """The question as [table] of a policy."""
        asked, dimensions = self.table.policy.asked, [*names] or [EVERYBODY]
        rules: dict[str, Any] = {
            "method": "suppress", "dimensions": dimensions, "threshold": asked["threshold"], "total": TOTAL,
            "hide_with_earlier": True, "hides_zeros": True,
            "solver_seconds": asked.get("seconds", SOLVER_SECONDS),
            **{key: asked[key] for key in ("period", "growing") if key in asked},
        }  # fmt: skip
        if held := self._filter(what):
            rules["filter"] = held
        if self.table.unit is not None:
            rules["unit"] = "unit"
        return TablePolicy(rules, read(None, {"roles": {"qi": dimensions}}, "table_cells"))

    def _labels(self, name: str) -> list[str]:
        return [str(shown) for shown, _ in self.groups_of(self.table, name)]

    def _source(self) -> exp.Select:
        """The rows as texts, by the names of the policy."""
        columns: list[Any] = [exp.alias_(literal("all"), EVERYBODY)]
        for name, dimension in self.table.dimensions.items():
            if dimension.domain is not None:
                at = exp.Add(this=exp.column(f"g{self.table.number[name]}"), expression=literal(1))
                label = exp.func("list_extract", literal(self._labels(name)), at, dialect="duckdb")
                columns.append(exp.alias_(label, name, quoted=True))
        rows = select(relation(self.table.rows), *columns)
        return rows.select("unit").where("unit is not null") if self.table.unit is not None else rows

    def _filter(self, what: Aggregate) -> str:
        """The conditions as a filter of a table: one of each dimension. Errors: UseError."""
        by = self._conditions(what, self.question.where)
        return " and ".join(self._values(name, by[name]) for name in sorted(by))

    def _conditions(self, what: Aggregate, where: exp.Expression | None) -> dict[str, list[exp.Expression]]:
        """The conditions on each dimension. Errors: UseError."""
        by: dict[str, list[exp.Expression]] = {}
        for condition in (each for each in (where, what.filter) if each is not None):
            for part in joined_by_and(condition):
                owners = {self.table.owner(column_of(each))[0].name for each in comparisons_of(part)}
                if len(owners) != 1:
                    raise refused(part, "conditions on several columns are joined by AND in this way")
                by.setdefault(owners.pop(), []).append(part)
        return by

    def _values(self, name: str, conditions: Sequence[exp.Expression]) -> str:
        """The values of a dimension that meet conditions, as a condition of a filter."""
        met = self.table.values_that_meet(name, conditions)
        column = render_name(name)
        labels = [*self._labels(name), None]
        texts = [label for number, label in enumerate(labels) if number in met and label is not None]
        if len(met) > len(texts) and texts:
            raise refused(name, "a condition is on its values or on missing ones (IS NULL), not on both")
        if not met:
            raise refused(name, "no declared value meets the condition")
        listed = ", ".join("'" + text.replace("'", "''") + "'" for text in texts)
        return f"{column} in ({listed})" if texts else f"{column} is null"


def _nobody(work: WorkTables, rules: TablePolicy) -> Cells:
    """The table of nobody: a total of 0."""
    total = [exp.alias_(literal(TOTAL), name, quoted=True) for name in rules.dimensions]
    published = work.make("published", exp.select(*total, "'0' as value")).name
    states = work.make("states", exp.select("'shown' as state", "null::text[] as rules")).name
    return Cells("", published, states=states)


def _refusal(threshold: int, others: Sequence[str]) -> str:
    beside = f" beside all that is out ({', '.join(others)})" if others else ""
    return (
        f"the answer would tell too much of fewer than {threshold} people{beside}, whichever of its cells "
        "are hidden, or it is not known that it does not: ask about larger groups, or an earlier question"
    )


def render_name(name: str) -> str:
    return exp.to_identifier(name, quoted=True).sql("duckdb")
