"""Targets who are located in all releases once, for every attack that looks them up."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import duckdb
from sqlglot import exp

from sqlanon.core.statements import call, execute, render, select, table
from sqlanon.core.steps import Chain
from sqlanon.core.tables import WorkTables


class Located:
    """Where targets are in releases that have these names. query: a call of _located_in_all.

    No table is made before somebody needs it.
    """

    def __init__(
        self, con: duckdb.DuckDBPyConnection, work: WorkTables, releases: Sequence[str], query: exp.Select
    ) -> None:
        self.con, self.work, self._called = con, work, list(releases)
        self._chain = Chain(con, work, render(query), lambda step, done, message: None)

    @cached_property
    def located(self) -> str:
        """The table that says where everybody is, as in _located_in_all."""
        return self._chain.table("located")

    def located_in(self, names: Sequence[str]) -> list[str]:
        """Where everybody is in some of the releases: two relations, as in _located_again."""
        numbers = self._numbers(names)
        made = self.located
        if len(numbers) < len(self._called):
            some = call("_located_in_some", made, numbers)
            made = self.work.make("located_in_" + "_".join(map(str, numbers)), some).name
        return [made, self._chain.table("combination")]

    def before(self, names: Sequence[str]) -> list[str]:
        """Where everybody is in some of the releases, as an attack on these takes it: `located_before` of
        _attacked."""
        return [*self.located_in(names), *(["in one"] if self.is_in_one(names) else [])]

    def is_in_one(self, names: Sequence[str]) -> bool:
        """Is nobody in several classes of one of these releases?"""
        return self._in_several.isdisjoint(self._numbers(names))

    def _numbers(self, names: Sequence[str]) -> list[int]:
        return [number for number, name in enumerate(self._called, 1) if name in names]

    @cached_property
    def _in_several(self) -> set[int]:
        """The releases in which a target is in several classes, by their numbers."""
        found = select(table(self.located), "release").where("target is not null")
        several = found.group_by("release", "target").having("count(*) > 1").distinct()
        return {number for (number,) in execute(self.con, several)}

    @cached_property
    def unread(self) -> set[str]:
        """The names of the releases that have labels which nobody understands."""
        numbers = select(table(self.located), "release").where("target is null").distinct()
        return {self._called[number - 1] for (number,) in execute(self.con, numbers)}
