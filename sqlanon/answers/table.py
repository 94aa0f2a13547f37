"""A table of which questions are asked: its rows as a policy declares their columns, and the register that
keeps the answers."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import duckdb
from sqlglot import exp

from sqlanon.answers.declared import Askable
from sqlanon.answers.pieces import Place, constant
from sqlanon.answers.question import Part, all_of, refused
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
        self.work, self.register = work, policy.register_file(register)
        super().__init__(con, policy, "the table", dict.fromkeys(column_names(con, tbl), ""), "has no type")
        dimensions = [
            self.dimension(nth, self.column("dimensions", name), said, self.kind(name, said))
            for nth, (name, said) in enumerate(policy.dimensions.items(), 1)
        ]
        self.unit = None if policy.unit is None else self.column("unit", policy.unit)
        self.declare(replace(each, domain=self.domain(each)) for each in dimensions)
        for each in self.dimensions.values():
            if each.domain is None and not each.is_ordered:
                raise self.wrong("dimensions", each.name, "is a text: say its values, or its hierarchy")
        declared = call(
            "_rows_as_declared", tbl, [*self.dimensions],
            [each.kind for each in self.dimensions.values()], [*self.measures], self.unit,
        )  # fmt: skip
        self.rows = work.make("rows", self._in_groups(relation(work.make("declared", declared).name))).name

    def _in_groups(self, source: exp.Expression) -> exp.Select:
        """Rows with the numbers of their groups (g0, g1, ...), of missing values the one after the last; and
        without values that are not declared."""
        rows, src = exp.Select().from_(exp.alias_(source, "src", table=True)), exp.to_identifier("src")
        declared, groups = list[exp.Expr](), list[exp.Expr]()
        for by in (each for each in self.columns.values() if each.nth is not None):
            places, nths = by.dimension.listed([*by.numbers]), literal([*by.numbers.values()])
            known = exp.select(exp.func("unnest", places).as_("place"), exp.func("unnest", nths).as_("nth"))
            joined, column = f"of_{by.number}", by.dimension.column
            is_in = f"{joined}.place = src.{column}"
            rows.join(known.subquery(joined), on=is_in, join_type="left", copy=False)
            number = exp.Coalesce(this=exp.column("nth", joined), expressions=[literal(len(by.groups))])
            groups.append(exp.cast(number, "integer").as_(by.number))
            if by.level is None:
                declared.append(exp.column("place", joined).as_(column))
        for each in (each for each in self.dimensions.values() if each.domain is None):
            (low, high), value = map(constant, each.range), exp.column(each.column, "src")
            within = exp.Between(this=value, low=low, high=high)
            declared.append(exp.func("if", within, value, exp.null(), dialect="duckdb").as_(each.column))
        return rows.select(exp.Column(this=exp.Star(replace=declared), table=src), *groups, copy=False)

    def points(self, values: Mapping[str, Sequence[Place | None]]) -> exp.Select:
        """A row for each combination of values of some dimensions, of somebody."""
        rows = exp.select("*").from_(exp.select("1 as unit").subquery("person"))
        for name, each in self.dimensions.items():
            listed = exp.func("unnest", each.listed(values.get(name, [None]))).as_(each.column)
            rows.join(exp.select(listed).subquery(f"v{each.nth}"), join_type="cross", copy=False)
        return self._in_groups(rows.subquery())

    @property
    def declared(self) -> str:
        """A digest of what the policy declares of all this, but for whom and when."""
        aside = ("audience", "data", "period", "register", "source")
        said = {key: value for key, value in self.policy.section.items() if key not in aside}
        groups = {name: [each.domain, each.levels] for name, each in self.dimensions.items()}
        return hashlib.sha256(json.dumps([said, groups], sort_keys=True, default=str).encode()).hexdigest()

    def values_that_meet(self, name: str, conditions: Sequence[exp.Expression]) -> set[int]:
        """The groups of a dimension, missing values among them, that meet all of some conditions on it."""
        dimension, by = self.dimensions[name], self.columns[name]
        if by.nth is None:
            raise refused(name, "its values are not declared")
        held = all_of([exp.Paren(this=self.placed(each)) for each in conditions])
        points = self.points({dimension.name: [*(dimension.domain or ()), None]}).subquery()
        return {nth for (nth,) in execute(self.con, select(points, by.number).where(held))}

    def by_values(self, condition: exp.Expression) -> exp.Expression:
        """A condition, with what it says of one dimension as the values that meet it: however it is written.

        Only of what is joined by AND: within NOT it matters whether a condition is false or not known.
        """
        return all_of([
            self._of_values(name, parts) if name and self.columns[name].nth is not None
            else all_of([exp.Paren(this=each) for each in parts])
            for name, parts in self.by_dimension([condition]).items()
        ])  # fmt: skip

    def _of_values(self, name: str, conditions: Sequence[exp.Expression]) -> exp.Expression:
        dimension = self.dimensions[name]
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

    def rows_of(self, part: Part) -> exp.Select:
        """The rows that a part of a question is about."""
        return select(relation(self.rows)).where(self.is_meant(part))

    def is_meant(self, part: Part) -> exp.Expression:
        """Is a row one that a part of a question is about?"""
        what = part.what
        conditions = [part.where] if what.kind == "share" else part.conditions
        met: list[exp.Expression] = [
            exp.Paren(this=self.placed(each)) for each in conditions if each is not None
        ]
        if what.kind == "people":
            met.append(exp.column("unit").is_(exp.null()).not_())
        if what.measure in self.measures:
            met.append(exp.column(f"m{self.measures[what.measure].nth}").is_(exp.null()).not_())
        return all_of(met)
