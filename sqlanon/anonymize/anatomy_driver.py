"""Anatomy, step by step: the same relations as in sql/anonymize/anatomy.sql, over temporary tables."""

from __future__ import annotations

import dataclasses
import secrets
from collections.abc import Callable

import duckdb
from sqlglot import exp

from sqlanon.anonymize.driver import Anonymizer, Columns, Task, Verified
from sqlanon.core.errors import InputError, VerificationError
from sqlanon.core.library import ensure_registered
from sqlanon.core.release import Progress, Release
from sqlanon.core.statements import (
    call,
    count,
    create,
    drop,
    execute,
    named_table,
    render,
    select,
)
from sqlanon.core.tables import WorkTables, target, transaction


class Anatomy(Anonymizer):
    """`sqlanon.anatomize`."""

    def __init__(self, task: Task, l: int, seed: int | None) -> None:
        super().__init__(task)
        self.l, self.seed, self.unit = l, seed, task.unit
        self.sensitive, self.keep = task.columns["sensitive"] or [], task.columns["keep"] or []
        # The single statement is bound, not run: what it refuses is refused before any work.
        execute(
            self.con,
            exp.Describe(this=call("anatomize", task.tbl, **task.columns, l=l, seed=seed, unit=task.unit)),
        )

    def run(self, progress: Progress) -> None:
        """Rows in their buckets: the table `dealt`."""
        at = self.at
        seed = secrets.randbits(63) if self.seed is None else self.seed
        self.make(
            "row",
            call("_anatomy_rows", self.task.tbl, self.qi, self.sensitive, self.keep, seed, self.unit),
        )
        refusals = (
            call("_refuse_empty", at("row"), self.task.title),
            call("_refuse_frequent", at("row"), self.l),
        )
        self.make("refusal", exp.union(*refusals, distinct=False))
        self.make("dealt", call("_anatomy_dealt", at("row"), at("refusal"), self.l))
        if self.unit is not None:
            self.part()
        progress(1.0, "all rows are in buckets")

    def part(self) -> None:
        """Whoever is in a bucket twice changes places."""
        self.make("parted", call("_anatomy_parted", self.at("dealt")))
        self.task.work.rename("parted", "dealt")

    def release(self) -> exp.Select:
        return call(
            "_anatomy_release", self.at("dealt"), self.qi, self.sensitive, self.keep, self.seed, self.unit
        )

    def verified(self, release: exp.Table) -> Verified:
        """Rows, buckets and their values. VerificationError if any is lost, or a bucket has too few, or one twice."""
        con, name, [sensitive] = self.con, render(release), self.sensitive
        [(rows,)] = execute(con, count(release))
        self.make("told", call("_anatomy_values", name, self.sensitive))
        told = self.at("told")
        self.make("shown", call("_anatomy_shown", self.task.tbl, self.qi, self.keep))
        self._check_nothing_is_lost(name, [*self.qi, *self.keep], self.at("shown"), "row")
        self._check_nothing_is_lost(told, [sensitive], self.task.tbl, "sensitive value")
        # Of n values in a bucket of n rows each is in one: none is more frequent than 1 in l.
        self._check_nothing_is_lost(told, ["bucket"], name, "value of a bucket")
        required = {"l": self.l, "alpha": 1 / self.l}
        if violations := execute(con, call("violations", told, qi="bucket", sensitive=sensitive, **required)):
            raise VerificationError(f"{len(violations):,} buckets lack values: {violations[0]}")
        if self.unit is not None:
            self._check_people(name)
        sizes = call("classes", told, "bucket").subquery()
        [(buckets, smallest)] = execute(con, select(sizes, "count(*)", "min(size)"))
        return Verified(rows, 0, buckets, {"distinct l-diversity": smallest})

    def _check_people(self, name: str) -> None:
        """Is nobody in a bucket twice?"""
        buckets = call("classes", name, "bucket", unit=self.unit).subquery()
        if crowded := execute(self.con, select(buckets, "bucket", "size", "people").where("people < size")):
            bucket, size, people = crowded[0]
            raise VerificationError(
                f"{len(crowded):,} buckets hold somebody twice: bucket {bucket} has {size} rows of {people} people"
            )

    def _check_nothing_is_lost(self, table: str, columns: list[str], other: str, what: str) -> None:
        """Do both have the same combinations of these columns, byte for byte, each as often?"""
        for purpose, each in (("here", table), ("there", other)):
            self.make(purpose, call("_source", each, columns, []))
        here, there = (call("_combinations", self.at(purpose), columns, []) for purpose in ("here", "there"))
        for one, another in ((here, there), (there, here)):
            if execute(self.con, count(exp.except_(one, another).subquery())) != [(0,)]:
                raise VerificationError(f"a {what} is lost, or there twice: has the source changed?")


def in_two(
    con: duckdb.DuckDBPyConnection,
    run: Callable[[str | None], Release],
    columns: Columns,
    into: str,
    sensitive_into: str,
    replace: bool,
) -> Release:
    """The release in two tables, made in one transaction."""
    ensure_registered(con)
    places = [target(con, name, replace) for name in (into, sensitive_into)]
    one, other = ((place.catalog, place.schema, place.name.lower()) for place in places)
    if one == other:
        raise InputError(f"into and sensitive_into are both {into}: give two names")
    with WorkTables(con) as work, transaction(con):
        joined = run(None)
        work.discard_later(named_table(joined.table))
        tables = (
            call("_anatomy_quasi_identifiers", joined.table, columns["qi"], columns["keep"]),
            call("_anatomy_values", joined.table, columns["sensitive"]),
        )
        for place, query in zip(places, tables, strict=True):
            execute(con, drop(place.table))
            execute(con, create(place.table, query))
    return dataclasses.replace(joined, table=into, details={"sensitive_table": sensitive_into})
