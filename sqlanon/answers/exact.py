"""Exact answers, each judged together with all earlier ones to the same audience, and with all that is
published: cells of which too much would be known are hidden, or the answer is refused.

An answer is a table of counts of the register: all of its totals are in it, told or not, so that what is
hidden does not follow from what may be asked next. It is entered before anybody gets it. The same question of
the same rows has the stored answer.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlglot import exp

from sqlanon.answers.cells import Numbers
from sqlanon.answers.populations import Counts, Populations
from sqlanon.answers.question import Aggregate, Part, Question, refused
from sqlanon.answers.stored import StoredCounts
from sqlanon.answers.table import AskingTable
from sqlanon.core.errors import InputError, RefusedError
from sqlanon.core.statements import call, columns, execute, literal, relation, render, select
from sqlanon.core.tables import WorkTables, transaction
from sqlanon.judge.evidence import Subjects
from sqlanon.judge.together import Together
from sqlanon.policies.schema import bare
from sqlanon.publishing.for_judge import counted, counts_to_compare, several_tables
from sqlanon.publishing.register import ALIAS, Entry, Register
from sqlanon.publishing.tables import values_of_counts
from sqlanon.tables.making import MARK

EVERYBODY = "everybody"  # a column of one value, where nothing is grouped by
TOTAL = "\x02total"  # the mark of totals: no declared value
METHOD = "suppress_cells"  # as which an answer is in the register: a table of which cells are hidden
OF_ALL = -1  # in place of the number of a group: of a total
# Populations that agree with what a register has told an audience, and the questions that these are.
_kept: dict[tuple[str, ...], tuple[list[str], Populations]] = {}

# The value of each cell, and whether it is hidden; others have nobody.
Values = Mapping[Numbers, Sequence[Any]]


class ExactAnswer(StoredCounts):
    """One question, answered exactly but for cells that are hidden."""

    number_columns = ("value", "hidden")
    judged = "value"
    hides = True

    def __init__(self, asking: AskingTable, question: Question, register: Register) -> None:
        super().__init__(asking, question, register)
        # the dimensions that distinguish people, and how many groups each has
        grouped = [each for each in asking.columns.values() if each.nth is not None and each.level is None]
        self.grouped, self.sizes = [each.name for each in grouped], [each.size for each in grouped]
        self.labels: dict[str, list[str | None]] = {
            each.name: [*(str(shown) for shown, _ in each.groups), None] for each in grouped
        }
        for name, labels in self.labels.items():
            stated = exp.select(exp.func("unnest", literal(labels[:-1])).as_("label")).subquery("value")
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

    def cells(self, parts: Sequence[Part]) -> Mapping[Part, Values]:
        """The values of the cells of some parts. The parts of all grouping sets are totals of one answer."""
        groups = tuple(sorted(self.question.groups))
        for name in groups:
            if self.asking.columns[name].level is not None:
                raise refused(name, "levels of a hierarchy stand in conditions only; group by its values")
        whole = {part: replace(part, names=groups) for part in parts}
        every = super().cells([*dict.fromkeys(whole.values())])
        return {part: self._of_set(every[of_all], part, groups) for part, of_all in whole.items()}

    def _of_set(self, cells: Values, part: Part, groups: Sequence[str]) -> Values:
        """The cells of one grouping set, of those of all."""
        found: dict[Numbers, Sequence[Any]] = {}
        for cell, value in cells.items():
            numbers = {name: n for name, n in zip(groups, cell, strict=True) if n != OF_ALL}
            if tuple(numbers) == part.names:
                found[tuple(numbers.values())] = value
        return found

    def tell(self, parts: Sequence[Part]) -> None:
        for part in parts:
            self._tell(part)

    def _tell(self, part: Part) -> None:
        """Make an answer, judge it, and enter it. Errors: RefusedError."""
        con, seconds = self.asking.con, self.asking.policy.seconds
        held = self._filter(part)
        questions, others = self._populations()
        counts, out = self._counts(part), self._out_beside()
        for shown in others.judged(counts, seconds):
            cells = self._cells(others, counts, shown)
            with WorkTables(con) as work:
                published = work.make("published", self._published(part.names, cells)).name
                values = self._entry(work, part, held, published)
                if out and not self._is_safe_beside(work, out, values, published):
                    continue  # with fewer cells
                with transaction(con):
                    number = self.register.enter(values, select(relation(published)))
                    found = others.found_for(counts, shown)
                    self.keep(con, part, cells, release=number, moves=found)
            others.tell(counts, shown)
            questions.append(self.text_of(part))
            return
        raise self._refusal(out)

    # BESIDE OTHER ANSWERS

    def _populations(self) -> tuple[list[str], Populations]:
        """Populations that agree with all earlier answers, and the questions of these."""
        before = self.earlier_answers()
        key = (str(self.asking.register.resolve()), self.of["audience"], self.of["declared"])
        if key not in _kept or _kept[key][0] != [*before]:
            _kept.clear()
            others = Populations(self._people(), self.sizes, self.asking.policy.section["threshold"])
            others.remember(moves for _, _, found in before.values() for moves in found)
            for text, (cells, _, _) in before.items():
                counts = self._counts(self.part(text))
                hidden = {tuple(at) for at, (_, is_hidden) in json.loads(cells) if is_hidden}
                others.tell(counts, np.array([at not in hidden for at in self._at(counts)]))
            _kept[key] = [*before], others
        return _kept[key]

    def _people(self) -> NDArray[np.int16]:
        """The groups of each person. Errors: UseError where people are in several places, so that counts of
        them do not add up."""
        con, groups = self.asking.con, [self.asking.columns[name].number for name in self.grouped]
        unit = None if self.asking.unit is None else "unit"
        several = call("_people_in_several", self.asking.rows, unit, groups)
        if unit is not None and execute(con, several) != [(0,)]:
            raise self.asking.policy.wrong(
                "answers.unit",
                "says of some people that they have rows with several values of one dimension: in this way "
                "each has one value of each",
            )
        self.register.keep_secret()
        found = columns(con, call("_groups_of_people", self.asking.rows, groups, unit, f"{ALIAS}.hash_key"))
        return np.array([found[f"v{nth}"] for nth, _ in enumerate(groups, 1)], dtype=np.int16).T.copy()

    def _counts(self, part: Part) -> Counts:
        """What a part counts, by numbers."""
        allowed = dict[int, NDArray[np.bool_]]()
        for name, conditions in self._conditions(part).items():
            d = self.grouped.index(name)
            allowed[d] = np.zeros(self.sizes[d], dtype=bool)
            allowed[d][[*self.asking.values_that_meet(name, conditions)]] = True
        return Counts(allowed, tuple(self.grouped.index(name) for name in part.names))

    def _at(self, counts: Counts) -> Iterator[Numbers]:
        """The numbers of the cells of all margins, in their order."""
        for margin in counts.margins():
            for at in np.ndindex(*(self.sizes[d] for d in margin.by)):
                numbers = dict(zip(margin.by, at, strict=True))
                yield tuple(numbers.get(d, OF_ALL) for d in counts.by)

    def _cells(self, others: Populations, counts: Counts, shown: NDArray[np.bool_]) -> Values:
        """The value of each cell, but of those of a group that are shown to have nobody."""
        return {
            at: (int(n), False) if is_shown else (None, True)
            for at, n, is_shown in zip(self._at(counts), others.counted(counts), shown, strict=True)
            if n or not is_shown or {*at} <= {OF_ALL}
        }

    # AS A TABLE OF THE REGISTER

    def _published(self, names: Sequence[str], cells: Values) -> exp.Select:
        """An answer as a table: labels and values."""
        values: list[str | None] = [MARK if hidden else str(value) for value, hidden in cells.values()]
        by: dict[str, list[str | None]] = {
            name: [TOTAL if at[nth] == OF_ALL else self.labels[name][at[nth]] for at in cells]
            for nth, name in enumerate(names)
        }
        if not names:  # everybody is one group, and the total
            by[EVERYBODY], values = ["all", TOTAL], values * 2
        return exp.select(*(
            exp.alias_(exp.func("unnest", exp.cast(literal(each), "text[]")), name, quoted=True)
            for name, each in (by | {"value": values}).items()
        ))  # fmt: skip

    def _entry(self, work: WorkTables, part: Part, held: str, published: str) -> dict[str, Any]:
        """What the register says of an answer."""
        con, section, dimensions = self.asking.con, self.asking.policy.section, [*part.names] or [EVERYBODY]
        about = {
            "method": "suppress", "dimensions": dimensions, "threshold": section["threshold"], "total": TOTAL,
            "hides_zeros": True, "additive": True, "whole": True,
            **{key: section[key] for key in ("period", "growing") if key in section},
        }  # fmt: skip
        source = work.make("of_question", self._source()).name
        rows = work.make("counted", call("_rows_that_hold", source, held)).name if held else source
        unit = None if self.asking.unit is None else "unit"
        [(number,)] = execute(con, "select count(*) from sqlanon_register.answers")
        said = values_of_counts(
            self.register, work, f"answer {number + 1}: {self.text_of(part)}",
            Subjects(rows, dimensions, unit=unit), published, METHOD,
            {"threshold": float(section["threshold"])}, about, held or None,
        )  # fmt: skip
        return said | {"status": "out"}

    def _source(self) -> exp.Select:
        """The rows as texts, by the names of the policy."""
        columns: list[Any] = [exp.alias_(literal("all"), EVERYBODY)]
        for name in self.grouped:
            at = exp.Add(this=exp.column(self.asking.columns[name].number), expression=literal(1))
            label = exp.func("list_extract", literal(self.labels[name]), at, dialect="duckdb")
            columns.append(exp.alias_(label, name, quoted=True))
        rows = select(relation(self.asking.rows), *columns)
        return rows.select("unit").where("unit is not null") if self.asking.unit is not None else rows

    def _out_beside(self) -> list[Entry]:
        """All that is out, and not for other audiences alone; nothing, if that is answers to the same
        rows."""
        of_other_audiences = self.releases_of_others()
        out = [entry for entry in self.register.out() if entry.id not in of_other_audiences]
        own = {release for _, releases, _ in self.earlier_answers().values() for release in releases}
        return [] if {entry.id for entry in out} <= own else out

    def _is_safe_beside(
        self, work: WorkTables, out: Sequence[Entry], values: Mapping[str, Any], published: str
    ) -> bool:
        """Does an answer tell nothing more together with tables and releases that are out?"""
        newest = counts_to_compare(
            values["name"], published, METHOD, json.loads(values["parameters"]),
            filter=values["filter"] or "", period=values["period"],
        )  # fmt: skip
        try:
            beside = Together(self.asking.con, work, counted(out), newest, self.asking.policy.seconds)
            comparison = beside.comparison()
        except InputError:  # which could tell of values
            return False
        return not comparison.cells and not comparison.doubts and not several_tables(out)

    def _refusal(self, out: Sequence[Entry]) -> RefusedError:
        beside = f" beside all that is out ({', '.join(entry.name for entry in out)})" if out else ""
        return RefusedError([
            f"the answer would tell too much of fewer than {self.asking.policy.section['threshold']} people"
            f"{beside}, whichever of its cells are hidden, or it is not known that it does not: ask about "
            "larger groups, or an earlier question"
        ])  # fmt: skip

    # CONDITIONS

    def _conditions(self, part: Part) -> dict[str, list[exp.Expression]]:
        """The conditions on each dimension. Errors: UseError."""
        by = self.asking.by_dimension(part.conditions)
        for several in by.get("", ()):
            raise refused(several, "conditions on several columns are joined by AND in this way")
        return by

    def _filter(self, part: Part) -> str:
        """The conditions as a filter of a table: one of each dimension. Errors: UseError."""
        by = self._conditions(part)
        return " and ".join(self._values(name, by[name]) for name in sorted(by))

    def _values(self, name: str, conditions: Sequence[exp.Expression]) -> str:
        """The values of a dimension that meet conditions, as a condition of a filter."""
        met = self.asking.values_that_meet(name, conditions)
        column = exp.column(name, quoted=True)
        texts = [label for nth, label in enumerate(self.labels[name]) if nth in met and label is not None]
        if not met:
            raise refused(name, "no declared value meets the condition")
        if not texts:
            return render(column.is_(exp.null()))
        if len(met) == len(texts):
            return render(column.isin(*texts))
        elements = ['"' + text.replace('"', '""') + '"' for text in texts]
        return render(column.eq(f"{{{', '.join([*elements, 'NULL'])}}}"))
