"""Anatomy over tables, DataFrames and relations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from sqlglot import exp

from sqlanon.anonymize.driver import Anonymizer, Task, Verified
from sqlanon.core.errors import InputError, VerificationError
from sqlanon.core.statements import call, count, create, drop, execute, render, select
from sqlanon.core.tables import Target


class Anatomy(Anonymizer):
    """The chain of sql/anonymize/anatomy.sql, and its own check.

    sensitive_into: the name of a second table. Then the release is the two tables of the paper, made together
    or not at all: `into` has a row per row, with qi, keep and bucket, and `sensitive_into` a row per bucket
    and sensitive value; details name it as sensitive_table. Without it the values of its bucket are in each
    row, as a list.

    Without a seed rows are dealt by the randomness of the operating system. It is checked that each bucket
    has as many rows as values, all different, l at least, and that no row and no value is lost.
    """

    phases: ClassVar = {"dealt": "dealing"}
    is_dealt = True

    def __init__(self, task: Task, *, sensitive_into: str | None = None) -> None:
        self.into = sensitive_into
        if sensitive_into is not None:
            if task.place is None:
                raise InputError(
                    "sensitive_into needs into: the name of the table with the quasi-identifiers"
                )
            self.second = task.second_place(sensitive_into, "sensitive_into")
        super().__init__(task)
        self.l = task.arguments["l"]
        self.sensitive, self.keep = task.columns["sensitive"] or [], task.columns["keep"] or []

    @property
    def is_one_table(self) -> bool:
        return self.into is None

    def take_place(self, release: exp.Table, place: Target) -> None:
        if self.is_one_table:
            super().take_place(release, place)
            return
        tables = {
            place: call("_anatomy_quasi_identifiers", render(release), self.qi, self.keep or None),
            self.second: call("_anatomy_values", render(release), self.sensitive),
        }
        for each, query in tables.items():
            execute(self.con, drop(each.table))
            execute(self.con, create(each.table, query))

    def details(self) -> Mapping[str, Any]:
        return {} if self.is_one_table else {"sensitive_table": self.into}

    def verified(self, release: exp.Table) -> Verified:
        """Rows, buckets and their values.

        VerificationError if any is lost, or a bucket has too few, or one twice.
        """
        con, name, [sensitive] = self.con, render(release), self.sensitive
        [(rows,)] = execute(con, count(release))
        self.make("bucket_value", call("_anatomy_values", name, self.sensitive))
        values = self.at("bucket_value")
        self.make("shown", call("_anatomy_shown", self.source, self.qi, self.keep))
        self._check_nothing_is_lost(name, [*self.qi, *self.keep], self.at("shown"), "row")
        self._check_nothing_is_lost(values, [sensitive], self.source, "sensitive value")
        # Of n values in a bucket of n rows each is in one: none is more frequent than 1 in l.
        self._check_nothing_is_lost(values, ["bucket"], name, "value of a bucket")
        required = {"l": self.l, "alpha": 1 / self.l, "missing_counts": True}
        if violations := execute(
            con, call("violations", values, qi="bucket", sensitive=sensitive, **required)
        ):
            raise VerificationError(f"{len(violations):,} buckets lack values: {violations[0]}")
        if self.unit is not None:
            self._check_people(name)
        sizes = call("classes", values, "bucket").subquery()
        [(buckets, smallest)] = execute(con, select(sizes, "count(*)", "min(size)"))
        required = {"distinct l-diversity": self.task.arguments["l"]}
        return Verified(rows, 0, buckets, {"distinct l-diversity": smallest}, required=required)

    def _check_people(self, name: str) -> None:
        """Is nobody in a bucket twice?"""
        buckets = call("classes", name, "bucket", unit=self.unit).subquery()
        if crowded := execute(self.con, select(buckets, "bucket", "size", "people").where("people < size")):
            bucket, size, people = crowded[0]
            raise VerificationError(
                f"{len(crowded):,} buckets hold somebody twice: bucket {bucket} has {size} rows of "
                f"{people} people"
            )

    def _check_nothing_is_lost(self, table: str, columns: list[str], other: str, what: str) -> None:
        """Do both have the same combinations of these columns, byte for byte, each as often?"""
        for purpose, each in (("here", table), ("there", other)):
            self.make(purpose, call("_source", each, columns, []))
        here, there = (call("_combinations", self.at(purpose), columns, []) for purpose in ("here", "there"))
        for one, another in ((here, there), (there, here)):
            if execute(self.con, count(exp.except_(one, another).subquery())) != [(0,)]:
                raise VerificationError(f"a {what} is lost, or there twice: has the source changed?")
