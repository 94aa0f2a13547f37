"""m-invariant releases of tables, DataFrames and relations that grow and shrink, and the state after them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, ClassVar

from sqlglot import exp

from sqlanon.anonymize.driver import Anonymizer, Task, Verified
from sqlanon.core.errors import VerificationError
from sqlanon.core.statements import call, create, drop, execute, render, select, table


class MInvariant(Anonymizer):
    """The chain of sql/publishing/m_invariant.sql, the state after it, and a check of both.

    state_into: the name of the state after the release, which the next one takes as previous, and which
    nobody else may see; a temporary table, if None, whose name is details["state_table"]. With replace it may
    be there already, also as what previous names.

    It is checked that no class has fewer than m values or one twice, and that everybody's signature has their
    value and is what it was.
    """

    phases: ClassVar = {"split": "making classes"}
    is_dealt = True

    def __init__(self, task: Task, *, state_into: str | None = None) -> None:
        self.state_into = state_into
        self.state_place = None if state_into is None else task.second_place(state_into, "state_into")
        super().__init__(replace(task, arguments={**task.arguments, "state": False}))
        self.id, self.m = task.arguments["id"], task.arguments["m"]
        self.sensitive = task.columns["sensitive"] or []
        self.counts: dict[str, int] = {}

    def verified(self, release: exp.Table) -> Verified:
        """Rows, classes and people; and the state, made in the same transaction.

        VerificationError if a class is not m-unique, somebody's signature is not what it was or does not have
        their value, or the classes are not those of the people.
        """
        con, name, previous = self.con, render(release), self.chain.table("previous")
        people = self.chain.table("signed")
        state = self.make(
            "state", call("_m_invariant_state", people, previous, self.chain.table("value"), self.id)
        )
        about = (name, render(state), previous, self.source, self.id, self.sensitive, self.m)
        for problem, n in execute(con, call("_m_invariant_problems", *about)):
            if n:
                raise VerificationError(f"{n:,} {problem}")
        counts = execute(con, call("_m_invariant_counts", name, self.source, previous, self.id))
        [(rows, classes, smallest, *changes)] = counts
        self.counts = dict(zip(counts.columns[3:], changes, strict=True))
        if self.state_place is not None:
            execute(con, drop(self.state_place.table))
            execute(con, create(self.state_place.table, select(state)))
        reached, required = {"m-uniqueness": smallest}, {"m-uniqueness": self.m}
        present = self.counts["added"] + self.counts["stayed"]
        return Verified(rows, 0, classes, reached, people=present, required=required)

    def details(self) -> Mapping[str, Any]:
        """counterfeits (rows of nobody), added, stayed and gone (people of the state who are not in the
        table), and state_table."""
        state = self.at("state")
        if self.state_place is None:
            self.task.work.keep(table(state))
        return {**self.counts, "state_table": self.state_into or state}
