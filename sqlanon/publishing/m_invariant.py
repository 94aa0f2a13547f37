"""m-invariant releases of tables, DataFrames and relations that grow and shrink, and the state after them."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping
from contextlib import nullcontext
from typing import Any, ClassVar

import duckdb
from sqlglot import exp

from sqlanon.anonymize.driver import Anonymizer, Task, Verified, anonymize
from sqlanon.core.connection import connection_first
from sqlanon.core.errors import InputError, VerificationError
from sqlanon.core.library import ensure_registered
from sqlanon.core.release import Progress, Release
from sqlanon.core.source import Source, named, roles
from sqlanon.core.statements import call, create, drop, execute, render, select, table
from sqlanon.core.tables import Target, target


class MInvariant(Anonymizer):
    """The chain of sql/publishing/m_invariant.sql, the state after it, and a check of both."""

    phases: ClassVar = {"split": "making classes"}

    def __init__(self, task: Task, state_into: str | None = None, state_place: Target | None = None) -> None:
        super().__init__(task)
        self.id, self.m = task.arguments["id"], task.arguments["m"]
        self.sensitive = task.columns["sensitive"] or []
        self.state_into, self.state_place = state_into, state_place
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
        state = self.at("state")
        if self.state_place is None:
            self.task.work.keep(table(state))
        return {**self.counts, "state_table": self.state_into or state}


@connection_first
def m_invariant(
    con: duckdb.DuckDBPyConnection,
    source: Source,
    *,
    id: str,
    qi: str | Iterable[str],
    sensitive: str,
    m: int,
    previous: Source = None,
    hierarchies: Source = None,
    recoding: str = "text",
    seed: int | None = None,
    into: str | None = None,
    state_into: str | None = None,
    replace: bool = False,
    progress: Progress | bool | None = None,
) -> Release:
    """Release a table that grows and shrinks once more, m-invariant with the releases before (Xiao and Tao).

    source: the name of a table, view or file, a DataFrame, an Arrow table or a relation of this connection.
    Parameters are those of the macro `sqlanon.m_invariant`, which with a seed gives the same rows.

    into: the name of the release; a temporary table, if None. state_into: that of the state after it, which
    the next release takes as previous, and which nobody else may see; a temporary table, if None, whose name
    is details["state_table"]. replace: both may be there already; state_into may be what previous names.

    Before either becomes visible it is checked that no class has fewer than m values or one twice, and that
    everybody's signature has their value and is what it was. details: counterfeits (rows of nobody), added,
    stayed and gone (people of the state who are not in the table).

    Errors: InputError (as of the macro; into or state_into exists), SqlError, VerificationError.
    """
    ensure_registered(con)
    place = None if state_into is None else target(con, state_into, replace)
    if place is not None and into is not None and place == target(con, into, replace):
        raise InputError(f"into and state_into are both {into}: give two names")
    seed_of_run = secrets.randbits(63) if seed is None else seed
    with nullcontext() if previous is None else named(con, previous) as name:
        return anonymize(
            con, source, roles(qi, sensitive, None), into, replace, progress, MInvariant, "m_invariant",
            {"id": id, "m": m, "previous": name, "recoding": recoding, "seed": seed_of_run, "state": False},
            hierarchies=hierarchies, recorded={"seed": seed, "state": None, "state_place": None},
            beyond={"state_into": state_into, "state_place": place},
        )  # fmt: skip
