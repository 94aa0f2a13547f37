"""Mu-Argus, level by level: the same relations and the same step as in sql/anonymize/mu_argus.sql, over temporary tables."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

from sqlglot import exp

from sqlanon.anonymize.driver import Anonymizer, Task, Verified
from sqlanon.core.errors import VerificationError
from sqlanon.core.release import Progress, number_of_people
from sqlanon.core.statements import (
    call,
    count,
    execute,
    named_table,
    relation,
    render,
    scalar,
    select,
)


class MuArgus(Anonymizer):
    """`sqlanon.mu_argus`."""

    def __init__(self, task: Task, parameters: Mapping[str, Any]) -> None:
        super().__init__(task)
        self.size = parameters["size"] or len(self.qi)
        self.k, self.weights, self.wildcards = (parameters[name] for name in ("k", "weights", "wildcards"))
        self.form = {name: parameters[name] for name in ("recoding", "seed")}
        # The single statement is bound, not run: what it refuses is refused before any work.
        execute(
            self.con,
            exp.Describe(this=call("mu_argus", task.tbl, **task.columns, **parameters, unit=task.unit)),
        )

    def run(self, progress: Progress) -> None:
        """Level after level, until every combination has a mask: the table `suppression`."""
        at, qi, con = self.at, self.qi, self.con
        [(weights,)] = execute(self.con, scalar("_mu_argus_weights", self.weights, qi))
        self.make("combination", call("_numbered_combinations", self.task.tbl, qi, None))
        whose = None
        if self.by_unit:
            whose = at("whose")
            self.make("whose", call("_tuple_people", self.task.tbl, qi, self.unit, at("combination")))
        for name, query in (
            ("refusal", exp.union(
                call("_refuse_empty", at("combination"), self.task.title),
                call("_mu_argus_refusals", at("combination"), qi, self.k, self.form["recoding"], whose),
                distinct=False)),
            ("tuple", call("_masked", at("combination"), qi, None, False)),
            ("mask", call("_mu_argus_masks", weights)),
            ("state", call("_mu_argus_start", at("tuple"), at("refusal"))),
        ):  # fmt: skip
            self.make(name, query)
        [(total,)] = execute(con, count(named_table(at("tuple"))))
        state, other = "state", "state_after"
        done = 0
        for level in itertools.count():
            ready = select(named_table(at(state)), "tuple_id", "mask").where("mask is not null")
            if level == 0:
                self.make("assignment", ready)
            else:
                [(new,)] = execute(con, exp.insert(ready, named_table(at("assignment"))))
                done += new
            progress(done / total, f"level {level}: {done:,} of {total:,} combinations have a mask")
            if done == total:
                break
            step = call("_mu_argus_step", at(state), at("tuple"), at("mask"), qi, self.k, self.size, whose)
            self.make(other, step)
            state, other = other, state
        suppression = call("_mu_argus_suppression", at("assignment"), at("tuple"), qi, self.k, self.wildcards)
        self.make("suppression", suppression)

    def release(self) -> exp.Select:
        """The rows to release."""
        at, columns = self.at, self.task.columns
        return call(
            "_mu_argus_release", self.task.tbl, self.qi, columns["sensitive"], columns["keep"],
            at("combination"), at("suppression"), self.form["recoding"], self.form["seed"],
            self.unit,
        )  # fmt: skip

    def details(self) -> Mapping[str, Any]:
        """suppressed_cells: how many cells of each column are."""
        at = self.at
        cells = execute(self.con, call("_suppressed_cells", at("suppression"), at("tuple"), self.qi))
        return {"suppressed_cells": dict(cells)}

    def counted(self, release: str, columns: Sequence[str]) -> exp.Expression:
        """The combinations of these columns in the release, to be counted there; or, with n = 0, in the table."""
        released = call("_combinations", release, list(columns), None)
        if self.wildcards:
            return released
        coded = [f"q{i}" for i in range(1, len(columns) + 1)]
        positions = [self.qi.index(column) + 1 for column in columns]
        own = (self.shown(f"q{position}", code) for position, code in zip(positions, coded, strict=True))
        return exp.union(
            select(released.subquery(), *coded, "0 as n"),
            select(named_table(self.at("combination")), *own, "n"),
            distinct=False,
        )

    def shown(self, column: str, name: str) -> str:
        """A raw value as the release shows it."""
        as_text = self.form["recoding"] == "text"
        return f"{f'sqlanon._value_text({column}::varchar)' if as_text else column} as {name}"

    def whose(self, release: str, columns: Sequence[str]) -> exp.Expression:
        """The same with people: those of the table, and with n = 0 nobody for what the release shows."""
        coded = [f"q{i}" for i in range(1, len(columns) + 1)]
        released = call("_combinations", release, list(columns), None)
        own = call("_combinations", self.task.tbl, list(columns), [self.unit])
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
        if [(rows,)] != execute(con, count(relation(self.task.tbl))):
            raise VerificationError(f"the release has {rows:,} rows, the source has others: has it changed?")
        # A NULL in text is the table's own, and matches only itself.
        wildcard, null_matches = (None, True) if self.form["recoding"] == "range" else ("*", False)
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
        return Verified(rows, 0, classes, {"k-anonymity": least}, self.people(release))
