"""Everybody of a table, located in all releases at once, for all attacks that a gate or an audit makes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import duckdb
from sqlglot import exp

from sqlanon.core.files import column_names
from sqlanon.core.source import fresh_name, lower
from sqlanon.core.statements import call, count, execute, relation, render, select, table
from sqlanon.core.steps import Chain
from sqlanon.core.tables import WorkTables
from sqlanon.policies.policy import Policy


@dataclass(frozen=True)
class Released:
    """A release as attacks take it. table: a name for query_table. same: the quasi-identifiers that are
    recoded as the policy says today.
    """

    name: str
    table: str
    nearest: bool = False
    formats: Mapping[str, str] = field(default_factory=dict)
    same: Sequence[str] = ()


@dataclass(frozen=True)
class People:
    """Those whose data it is. table: with raw values, with hierarchies for the labels of releases."""

    table: str
    policy: Policy
    hierarchies: str | None

    @property
    def qi(self) -> list[str]:
        return self.policy.roles["qi"]

    @property
    def sensitive(self) -> list[str]:
        return self.policy.roles.get("sensitive", [])


@dataclass
class Everybody:
    """The people in all releases. remarks: what there was to say.

    id: the column of the table that numbers them. releases: with all quasi-identifiers, and without rows that
    are about nobody of the table.
    """

    con: duckdb.DuckDBPyConnection
    work: WorkTables
    people: People
    releases: Sequence[Released]
    remarks: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.id = fresh_name("person")
        columns = [*self.people.qi, *self.people.sensitive, *self.people.policy.units()]
        number = named(exp.Window(this=exp.RowNumber()), self.id)
        values: list[exp.Expression] = [exp.column(name, quoted=True) for name in columns]
        made = self.work.make("everybody", select(relation(self.people.table), number, *values))
        self.table = made.name
        self.releases = [self._complete(number, each) for number, each in enumerate(self.releases)]
        self._chain = self._chain_of(self.releases)
        self._leave_out_the_gone()

    def _complete(self, number: int, each: Released) -> Released:
        """The release with all quasi-identifiers: one that it does not have may be anything."""
        columns = lower(column_names(self.con, each.table))
        written = lower(each.formats)
        missing = [name for name in self.people.qi if name.lower() not in columns | written]
        if not missing:
            return each
        anything = [named(exp.Literal.string("*"), name) for name in missing]
        made = self.work.make(f"completed_{number}", select(relation(each.table), "*", *anything))
        return replace(each, table=render(made))

    def _chain_of(self, releases: Sequence[Released]) -> Chain:
        """How they are located."""
        located = call("_located_in_all", *self._arguments(releases))
        return Chain(self.con, self.work, render(located), lambda step, done, message: None)

    def _arguments(self, releases: Sequence[Released]) -> list[Any]:
        nearest = [each.nearest for each in releases]
        tables = [each.table for each in releases]
        return [
            tables, self.table, self.people.qi, self.people.hierarchies, nearest, formats_of(releases) or None
        ]  # fmt: skip

    def _leave_out_the_gone(self) -> None:
        """Leave out rows of values that nobody of the table has any more.

        Where a release is recoded as today, a label that covers somebody's value is among today's labels. One
        that nobody understands is not, so it covers nobody. Elsewhere it could mean anybody, and is told.
        """
        if not any(each.same and not each.nearest for each in self.releases):
            return
        of_nobody = select(call("_unread_in_all", self._chain.table("label_read"), self.people.qi).subquery())
        of_nobody = of_nobody.select("release", "attribute", "label", append=False).where(
            "starts_with(why, sqlanon._nobodys_value())"
        )
        gone: dict[int, list[tuple[str, str]]] = {}
        for number, attribute, label in execute(self.con, of_nobody):
            if attribute in self.releases[number - 1].same:
                gone.setdefault(number, []).append((attribute, label))
        left = [
            self._without(number, each, gone[number]) if number in gone else each
            for number, each in enumerate(self.releases, 1)
        ]
        if left != self.releases:
            self.releases = left
            # what labels cover stays as it is
            again = render(call("_located_in_all", *self._arguments(left)))
            self._chain = self._chain.again(again, ["cell", "class", "covering_class", "nearest"])

    def _without(self, number: int, each: Released, gone: Iterable[tuple[str, str]]) -> Released:
        """The release without the rows that have one of some labels, unless these are all."""
        cells = [(exp.cast(exp.column(name, quoted=True), "text"), label) for name, label in gone]
        is_gone = exp.or_(*(cell.eq(label) for cell, label in cells))
        rest = select(relation(each.table)).where(
            exp.Coalesce(this=exp.paren(is_gone), expressions=[exp.false()]).not_()
        )
        made = self.work.make(f"without_the_gone_{number}", rest)
        [(rows,)] = execute(self.con, count(relation(each.table)))
        [(left,)] = execute(self.con, count(made))
        self.remarks.append(
            f"{each.name}: {rows - left:,} rows have values that nobody of the table has any more"
        )
        return replace(each, table=render(made)) if left else each

    @cached_property
    def located(self) -> str:
        """The table that says where everybody is, as of _located_in_all."""
        return self._chain.table("located")

    def located_in(self, names: Sequence[str]) -> list[str]:
        """Where everybody is in some of the releases, as attacks take it."""
        numbers = [i for i, each in enumerate(self.releases, 1) if each.name in names]
        made = self.located
        if len(numbers) < len(self.releases):
            some = call("_located_in_some", made, numbers)
            made = self.work.make("located_in_" + "_".join(map(str, numbers)), some).name
        return [made, self._chain.table("combination")]

    @cached_property
    def unread(self) -> set[str]:
        """The names of the releases that have labels which nobody understands."""
        told = select(table(self.located), "release").where("target is null").distinct()
        return {self.releases[number - 1].name for (number,) in execute(self.con, told)}

    def possibly_present(self, names: Sequence[str]) -> dict[str, exp.Select]:
        """Of each of these releases the people who may be in it: the column of their numbers."""
        groups: dict[tuple[str, ...], list[Released]] = {}
        for each in self.releases:
            if each.name in names:
                sensitive = tuple(name for name in self.people.sensitive if has(self.con, each, [name]))
                groups.setdefault(sensitive, []).append(each)
        found = {}
        for i, (columns, releases) in enumerate(groups.items()):
            made = self.work.make(f"present_{i}", self._present(columns, releases))
            for number, each in enumerate(releases, 1):
                found[each.name] = select(made, "person").where(exp.column("release").eq(number))
        return found

    def _present(self, sensitive: Sequence[str], releases: Sequence[Released]) -> exp.Select:
        """Who may be in releases that have the same sensitive columns: release (its number), person."""
        located, combinations = self.located_in([each.name for each in releases])
        if not sensitive:
            return call("_located_people", located, combinations, self.table, self.id, self.people.qi)
        return call(
            "_possibly_present", [each.table for each in releases], located, combinations, self.table,
            self.id, self.people.qi, list(sensitive), formats_of(releases) or None,
        )  # fmt: skip


def formats_of(releases: Sequence[Released]) -> dict[str, str]:
    """How columns of releases are written, each release by its number."""
    return {
        f"{i}.{column}": format
        for i, each in enumerate(releases, 1)
        for column, format in each.formats.items()
    }


def has(con: duckdb.DuckDBPyConnection, release: Released, columns: Sequence[str]) -> bool:
    """Does a release have these columns?"""
    return lower(columns) <= lower(column_names(con, release.table))


def named(value: exp.Expression, name: str) -> exp.Alias:
    return exp.Alias(this=value, alias=exp.to_identifier(name, quoted=True))
