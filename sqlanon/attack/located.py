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
        """The table that says where everybody is, as of _located_in_all."""
        return self._chain.table("located")

    def located_in(self, names: Sequence[str]) -> list[str]:
        """Where everybody is in some of the releases, as _attacked takes it."""
        numbers = [number for number, name in enumerate(self._called, 1) if name in names]
        made = self.located
        if len(numbers) < len(self._called):
            some = call("_located_in_some", made, numbers)
            made = self.work.make("located_in_" + "_".join(map(str, numbers)), some).name
        return [made, self._chain.table("combination")]

    @cached_property
    def unread(self) -> set[str]:
        """The names of the releases that have labels which nobody understands."""
        numbers = select(table(self.located), "release").where("target is null").distinct()
        return {self._called[number - 1] for (number,) in execute(self.con, numbers)}
