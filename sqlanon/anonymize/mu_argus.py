"""Mu-Argus over tables, DataFrames and relations."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from sqlglot import exp

from sqlanon.anonymize.driver import Anonymizer, Task, Verified
from sqlanon.core.errors import VerificationError
from sqlanon.core.release import number_of_people
from sqlanon.core.source import lower
from sqlanon.core.statements import call, count, execute, named_table, relation, render, scalar, select


class MuArgus(Anonymizer):
    """The chain of sql/anonymize/mu_argus.sql, and its own check.

    weights are lists in the order of qi, or by column name: {"age": 2}. The check is that of the frequencies
    of `wildcard_frequencies`, for every combination of `size` columns, and of fewer with a threshold of their
    own (in the release, or, if not wildcards, in the table), within strata.
    """

    phases: ClassVar = {"state": "choosing cells"}

    def __init__(self, task: Task) -> None:
        super().__init__(task)
        self.k, self.wildcards = task.arguments["k"], task.arguments["wildcards"]
        strata = lower(task.arguments["strata"] or [])
        self.strata = [name for name in self.qi if name.lower() in strata]
        self.hideable = [name for name in self.qi if name.lower() not in strata]
        self.size = task.arguments["size"] or len(self.hideable)

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
        """Combinations with their people: those of the table, and those that the release shows, with n = 0
        and nobody."""
        coded = [f"q{i}" for i in range(1, len(columns) + 1)]
        released = call("_combinations", release, list(columns), None)
        own = call("_combinations", self.source, list(columns), [self.unit])
        return exp.union(
            select(released.subquery(), *coded, "0 as n", "null as person"),
            select(own.subquery(), *(self.shown(code, code) for code in coded), "n", "s1 as person"),
            distinct=False,
        )

    def verified(self, release: exp.Table) -> Verified:
        """Rows, distinct combinations, and the least frequency of any `size` columns, and of fewer that have
        a threshold of their own.

        VerificationError if rows are missing, or a combination is too rare.
        """
        con, name = self.con, render(release)
        [(rows,)] = execute(con, count(release))
        if [(rows,)] != execute(con, count(relation(self.source))):
            raise VerificationError(f"the release has {rows:,} rows, the source has others: has it changed?")
        least: dict[str, float] = {}
        required: dict[str, float] = {}
        [(needed,)] = execute(
            con, scalar("_needed_rows", self.k, self.size, self.task.arguments["thresholds"])
        )
        [(sizes,)] = execute(con, scalar("_sizes_of_combinations", needed))
        for size in sizes:
            title = "k-anonymity" if size == self.size else f"k-anonymity of any {size} of the columns"
            required[title] = needed[size - 1]
            least[title] = min(
                self.frequency(name, [*columns, *self.strata], needed[size - 1])
                for columns in itertools.combinations(self.hideable, size)
            )
        [(classes,)] = execute(con, count(call("classes", name, self.qi).subquery()))
        return Verified(rows, 0, classes, least, self.people(release), required)

    def frequency(self, release: str, columns: Sequence[str], needed: int) -> int:
        """The least frequency of these columns. Errors: VerificationError, if one is too rare."""
        # A NULL in text is the table's own, and matches only itself.
        wildcard, null_matches = (None, True) if self.task.arguments["recoding"] == "range" else ("*", False)
        if self.by_unit:
            self.make("released", self.whose(release, columns))
            people = call("_people_shown", self.at("released"), list(columns), wildcard, null_matches)
            least_of = select(people.subquery(), "min(people)")
        else:
            self.make("released", self.counted(release, columns))
            frequencies = call(
                "_wildcard_frequencies", self.at("released"), list(columns), wildcard, null_matches
            )
            released = "true" if self.wildcards else "n = 0"
            least_of = select(frequencies.subquery(), "min(frequency)").where(released)
        [(frequency,)] = execute(self.con, least_of)
        if frequency < needed:
            found = number_of_people(frequency) if self.by_unit else f"{frequency} rows"
            raise VerificationError(
                f"a combination of {', '.join(columns)} occurs in {found}, {needed} are required"
            )
        return int(frequency)
