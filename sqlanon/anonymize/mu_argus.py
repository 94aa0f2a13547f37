"""Mu-Argus over tables, DataFrames and relations."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from sqlglot import exp

from sqlanon.anonymize.driver import Anonymizer, Task, Verified
from sqlanon.core.errors import VerificationError
from sqlanon.core.release import number_of_people
from sqlanon.core.statements import call, count, execute, named_table, relation, render, select


class MuArgus(Anonymizer):
    """The chain of sql/anonymize/mu_argus.sql, and its own check.

    weights are lists in the order of qi, or by column name: {"age": 2}. The check is that of the frequencies
    of `wildcard_frequencies`, for every combination of `size` columns (in the release, or, if not wildcards,
    in the table).
    """

    phases: ClassVar = {"state": "choosing cells"}

    def __init__(self, task: Task) -> None:
        super().__init__(task)
        self.k, self.wildcards = task.arguments["k"], task.arguments["wildcards"]
        self.size = task.arguments["size"] or len(self.qi)

    def details(self) -> Mapping[str, Any]:
        """suppressed_cells: by column, how many of its cells are."""
        suppression, tuples = (self.chain.table(step) for step in ("suppression", "tuple"))
        cells = execute(self.con, call("_suppressed_cells", suppression, tuples, self.qi))
        return {"suppressed_cells": dict(cells)}

    def counted(self, release: str, columns: Sequence[str]) -> exp.Expression:
        """The combinations of these columns in the release, counted there, or with n = 0 in the table."""
        released = call("_combinations", release, list(columns), None)
        if self.wildcards:
            return released
        coded = [f"q{i}" for i in range(1, len(columns) + 1)]
        positions = [self.qi.index(column) + 1 for column in columns]
        own = (self.shown(f"q{position}", code) for position, code in zip(positions, coded, strict=True))
        return exp.union(
            select(released.subquery(), *coded, "0 as n"),
            select(named_table(self.chain.table("combination")), *own, "n"),
            distinct=False,
        )

    def shown(self, column: str, name: str) -> str:
        """A raw value as the release shows it."""
        as_text = self.task.arguments["recoding"] == "text"
        return f"{f'sqlanon._value_text({column}::varchar)' if as_text else column} as {name}"

    def whose(self, release: str, columns: Sequence[str]) -> exp.Expression:
        """The same with people: those of the table, and with n = 0 nobody for what the release shows."""
        coded = [f"q{i}" for i in range(1, len(columns) + 1)]
        released = call("_combinations", release, list(columns), None)
        own = call("_combinations", self.source, list(columns), [self.unit])
        return exp.union(
            select(released.subquery(), *coded, "0 as n", "null as person"),
            select(own.subquery(), *(self.shown(code, code) for code in coded), "n", "s1 as person"),
            distinct=False,
        )

    def verified(self, release: exp.Table) -> Verified:
        """Rows, distinct combinations, and the least frequency of any `size` columns.

        VerificationError if rows are missing, or a combination is too rare.
        """
        con, name = self.con, render(release)
        [(rows,)] = execute(con, count(release))
        if [(rows,)] != execute(con, count(relation(self.source))):
            raise VerificationError(f"the release has {rows:,} rows, the source has others: has it changed?")
        # A NULL in text is the table's own, and matches only itself.
        wildcard, null_matches = (None, True) if self.task.arguments["recoding"] == "range" else ("*", False)
        least = rows
        for columns in itertools.combinations(self.qi, self.size):
            if self.by_unit:
                self.make("released", self.whose(name, columns))
                people = call("_people_shown", self.at("released"), list(columns), wildcard, null_matches)
                least_of = select(people.subquery(), "min(people)")
            else:
                self.make("released", self.counted(name, columns))
                frequencies = call(
                    "_wildcard_frequencies", self.at("released"), list(columns), wildcard, null_matches
                )
                released = "true" if self.wildcards else "n = 0"
                least_of = select(frequencies.subquery(), "min(frequency)").where(released)
            [(frequency,)] = execute(con, least_of)
            if frequency < self.k:
                found = number_of_people(frequency) if self.by_unit else f"{frequency} rows"
                raise VerificationError(
                    f"a combination of {', '.join(columns)} occurs in {found}, {self.k} are required"
                )
            least = min(least, frequency)
        [(classes,)] = execute(con, count(call("classes", name, self.qi).subquery()))
        required = {"k-anonymity": self.task.arguments["k"]}
        return Verified(rows, 0, classes, {"k-anonymity": least}, self.people(release), required)
