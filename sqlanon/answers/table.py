"""A table of which questions are asked: its rows as a policy declares their columns, and the register that
keeps what was told."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import duckdb
from sqlglot import exp

from sqlanon.answers.cells import Answer, Numbers
from sqlanon.answers.declared import Askable
from sqlanon.answers.pieces import Place
from sqlanon.answers.question import Aggregate, all_of, refused
from sqlanon.core.files import column_names
from sqlanon.core.library import ensure_registered
from sqlanon.core.statements import call, execute, literal, relation, select
from sqlanon.core.tables import WorkTables
from sqlanon.policies.answers import Answers


class AskingTable(Askable):
    """A table of which questions can be asked, by a register. Errors: UseError, InputError."""

    def __init__(
        self, con: duckdb.DuckDBPyConnection, work: WorkTables, policy: Answers, tbl: str,
        register: Path | None,
    ) -> None:  # fmt: skip
        ensure_registered(con)
        file = register or policy.register
        if file is None:
            raise policy.wrong(
                "answers.register", "is needed, or the option --register: the file with what was told"
            )
        self.work, self.register = work, file
        super().__init__(con, policy, "the table", dict.fromkeys(column_names(con, tbl), ""), "has no type")
        dimensions = [
            self.dimension(nth, self.column("dimensions", name), said, self.kind(name, said))
            for nth, (name, said) in enumerate(policy.dimensions.items(), 1)
        ]
        self.dimensions = {each.name: replace(each, domain=self.domain(each)) for each in dimensions}
        self.unit = None if policy.unit is None else self.column("unit", policy.unit)
        self.check_names([] if self.unit is None else [self.unit])
        for each in self.dimensions.values():
            if each.domain is None and not each.is_ordered:
                raise self.wrong("dimensions", each.name, "is a text: say its values, or its hierarchy")
        self.number = {name: nth for nth, name in enumerate(self._grouped())}
        declared = call(
            "_rows_as_declared", tbl, [*self.dimensions],
            [each.kind for each in self.dimensions.values()], [*self.measures], self.unit,
        )  # fmt: skip
        self._make_members()
        self.rows = self._grouped_rows("rows", declared)

    def _grouped(self) -> Iterator[str]:
        """The columns that have groups."""
        for name in self.columns():
            dimension, level = self.owner(name)
            if level is not None or dimension.domain is not None:
                yield name

    def _make_members(self) -> None:
        """The values of each column that has groups, with the numbers of these."""
        self.about, members = list[dict[str, Any]](), self.work.name("members")
        of = "null::integer as of_column", "null::text as text", "null::double as number", "0 as nth"
        self.work.make("members", exp.select(*of).where("false"))
        for name, nth in self.number.items():
            dimension, level = self.owner(name)
            numbers, groups = self.numbers_of(name)
            self.about.append({"nth": nth, "d": dimension.nth, "is_text": not dimension.is_ordered,
                          "is_dimension": level is None, "groups": groups})  # fmt: skip
            kind = "number" if dimension.is_ordered else "text"
            listed = (
                exp.alias_(exp.func("unnest", literal(each)), name)
                for name, each in ((kind, [*numbers]), ("nth", [*numbers.values()]))
            )
            told = exp.select(exp.alias_(literal(nth), "of_column"), *listed)
            execute(self.con, exp.insert(told, members, columns=["of_column", kind, "nth"]))

    def numbers_of(self, name: str) -> tuple[dict[Place, int], int]:
        """The number of the group of each place, and how many groups there are."""
        groups = [places for _, places in Answer.groups_of(self, name)]
        return {place: number for number, places in enumerate(groups) for place in places}, len(groups)

    def _grouped_rows(self, purpose: str, query: exp.Expression) -> str:
        """Rows with the numbers of their groups, and without values that are not declared: a work table."""
        rows, members = self.work.make("declared", query).name, self.work.name("members")
        free = [each for each in self.dimensions.values() if each.domain is None]
        ends = [dict(zip(("d", "low", "high"), (each.nth, *each.range), strict=True)) for each in free]
        return self.work.make(purpose, call("_rows_in_groups", rows, members, self.about, ends)).name

    def points(self, values: Mapping[str, Sequence[Place | None]]) -> str:
        """A row for each combination of values of some dimensions, of somebody: a work table."""
        rows = exp.select("*").from_(exp.select("1 as unit").subquery("person"))
        for name, each in self.dimensions.items():
            type_ = exp.DataType.build("double[]" if each.is_ordered else "text[]", dialect="duckdb")
            listed = exp.func("unnest", exp.cast(literal([*values.get(name, [None])]), type_))
            one = exp.select(exp.alias_(listed, f"d{each.nth}")).subquery(f"v{each.nth}")
            rows = rows.join(one, join_type="cross")
        return self._grouped_rows("points", rows)

    @property
    def declared(self) -> str:
        """A digest of what the policy declares of all this, but for whom and when."""
        aside = ("audience", "data", "period", "register", "source")
        said = {key: value for key, value in self.policy.asked.items() if key not in aside}
        groups = {name: [each.domain, each.levels] for name, each in self.dimensions.items()}
        return hashlib.sha256(json.dumps([said, groups], sort_keys=True, default=str).encode()).hexdigest()

    def values_that_meet(self, name: str, conditions: Sequence[exp.Expression]) -> set[int]:
        """The groups of a dimension, missing values among them, that meet all of some conditions on it."""
        dimension, _ = self.owner(name)
        if name not in self.number:
            raise refused(name, "its values are not declared")
        place = f"{'number' if dimension.is_ordered else 'text'} as {dimension.column}"
        members = select(relation(self.work.name("members")), "nth", place)
        members = members.where(exp.column("of_column").eq(self.number[name]))
        nothing = exp.select(f"{len(dimension.domain or ())} as nth", f"null as {dimension.column}")
        held = [exp.Paren(this=self.placed(each)) for each in conditions]
        rows = select(exp.union(members, nothing, distinct=False).subquery("member"), "nth")
        return {nth for (nth,) in execute(self.con, rows.where(all_of(held)))}

    def by_values(self, condition: exp.Expression) -> exp.Expression:
        """A condition, with what it says of one dimension as the values that meet it: however it is written.

        Only of what is joined by AND: within NOT it matters whether a condition is false or not known.
        """
        by = self.by_dimension([condition])
        known = {name: parts for name, parts in by.items() if name in self.number}
        others = (part for name, parts in by.items() if name not in known for part in parts)
        parts = [
            *(self._of_values(name, parts) for name, parts in known.items()),
            *(exp.Paren(this=each) for each in others),
        ]
        return all_of(parts)

    def _of_values(self, name: str, conditions: Sequence[exp.Expression]) -> exp.Expression:
        dimension, _ = self.owner(name)
        met, column = self.values_that_meet(name, conditions), exp.column(name, quoted=True)
        places = sorted((place, nth) for nth, place in enumerate(dimension.domain or ()))
        own = [at for at, (_, nth) in enumerate(places) if nth in met]
        shown = [literal(str(dimension.shown(places[at][0]))) for at in own]
        held: list[exp.Expression] = [exp.In(this=column, expressions=shown)] if shown else []
        if dimension.is_ordered and own[2:] and own == [*range(own[0], own[-1] + 1)]:
            held = [exp.Between(this=column, low=shown[0], high=shown[-1])]
        if len(places) in met:
            held.append(column.is_(exp.null()))
        return exp.paren(exp.or_(*held)) if held else exp.false()

    @property
    def columns_of_rows(self) -> list[str]:
        return column_names(self.con, self.rows)

    def rows_of(self, what: Aggregate, where: exp.Expression | None) -> exp.Select:
        """The rows that a part of a question is about."""
        return select(relation(self.rows)).where(self.is_meant(what, where))

    def is_meant(self, what: Aggregate, where: exp.Expression | None) -> exp.Expression:
        """Is a row one that a part of a question is about?"""
        conditions = [where, None if what.kind == "share" else what.filter]
        met: list[exp.Expression] = [
            exp.Paren(this=self.placed(each)) for each in conditions if each is not None
        ]
        if what.kind == "people":
            met.append(exp.column("unit").is_(exp.null()).not_())
        if what.measure in self.measures:
            met.append(exp.column(f"m{self.measures[what.measure].nth}").is_(exp.null()).not_())
        return all_of(met)


def in_order(numbers: Numbers, names: Sequence[str], others: Sequence[str]) -> Numbers:
    """The numbers of a cell by some names in the order of others, which are the same."""
    return tuple(numbers[names.index(name)] for name in others)
