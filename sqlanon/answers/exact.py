"""Exact answers, each judged together with all that was told to the same audience, and with all that is
published: cells of which too much would be known are hidden, or the answer is refused.

An answer is a table of counts of the register, as [table] of a policy makes one: all of its totals are in it,
told or not, so that what is hidden does not follow from what may be asked next. It is entered before anybody
gets it. The same question of the same rows has the stored answer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlglot import exp

from sqlanon.answers.cells import Numbers, Part
from sqlanon.answers.pieces import column_of
from sqlanon.answers.question import Aggregate, Question, comparisons_of, refused
from sqlanon.answers.stored import StoredCounts
from sqlanon.answers.table import AskingTable, in_order
from sqlanon.core.errors import InputError, RefusedError
from sqlanon.core.statements import call, count, execute, literal, relation, select
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
            judged = self._judged(making, called, out)
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

    def _judged(self, making: Making, called: str, out: Sequence[Entry]) -> JudgedTable | None:
        """What the judge says of an answer; None where it must not be told why."""
        con, rules = making.con, making.policy
        try:
            if execute(con, count(relation(making.source))) == [(0,)]:
                making.made = _nobody(making.work, rules)
            else:
                making.cells()
            return judged_table(con, self.register, making, called, out, {}, rules.asked["solver_seconds"])
        except InputError:  # which could tell of values
            return None

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
            "hide_with_earlier": True, "solver_seconds": asked.get("seconds", SOLVER_SECONDS),
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
        by: dict[str, list[exp.Expression]] = {}
        for condition in (each for each in (self.question.where, what.filter) if each is not None):
            parts: Any = condition.flatten() if isinstance(condition, exp.And) else [condition]
            for part in parts:
                owners = {self.table.owner(column_of(each))[0].name for each in comparisons_of(part)}
                if len(owners) != 1:
                    raise refused(part, "conditions on several columns are joined by AND in this way")
                by.setdefault(owners.pop(), []).append(part)
        return " and ".join(self._values(name, by[name]) for name in sorted(by))

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
