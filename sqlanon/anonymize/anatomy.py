"""Anatomy over tables, DataFrames and relations."""

from __future__ import annotations

import dataclasses
import secrets
from collections.abc import Callable, Iterable
from typing import ClassVar

import duckdb
from sqlglot import exp

from sqlanon.anonymize.driver import Anonymizer, Columns, Task, Verified, anonymize
from sqlanon.core.connection import connection_first
from sqlanon.core.errors import InputError, VerificationError
from sqlanon.core.library import ensure_registered
from sqlanon.core.release import Progress, Release
from sqlanon.core.source import Source, roles
from sqlanon.core.statements import call, count, create, drop, execute, named_table, render, select
from sqlanon.core.tables import WorkTables, target, transaction


class Anatomy(Anonymizer):
    """The chain of sql/anonymize/anatomy.sql, and its own check."""

    phases: ClassVar = {"dealt": "dealing"}

    def __init__(self, task: Task) -> None:
        super().__init__(task)
        self.l = task.arguments["l"]
        self.sensitive, self.keep = task.columns["sensitive"] or [], task.columns["keep"] or []

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
        required = {"l": self.l, "alpha": 1 / self.l}
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


@connection_first
def anatomize(
    con: duckdb.DuckDBPyConnection,
    source: Source,
    *,
    qi: str | Iterable[str],
    sensitive: str | Iterable[str],
    keep: str | Iterable[str] = (),
    l: int,
    seed: int | None = None,
    unit: str | None = None,
    into: str | None = None,
    sensitive_into: str | None = None,
    replace: bool = False,
    progress: Progress | bool | None = None,
) -> Release:
    """Release quasi-identifiers and sensitive values apart, in buckets of l values (Xiao and Tao 2006).

    source: the name of a table, view or file, a DataFrame, an Arrow table or a relation of this connection.
    qi, sensitive (one column), keep, l and seed are as in the macro `sqlanon.anatomize`, which with a seed
    gives the same rows; without one, rows are dealt by the randomness of the operating system.

    into, replace, progress: as in `mondrian`. sensitive_into: the name of a second table. Then the release is
    the two tables of the paper, made together or not at all: `into` has a row per row, with qi, keep and
    bucket, and `sensitive_into` a row per bucket and sensitive value. Without it the values of its bucket are
    in each row, as a list.

    Before anything becomes visible it is checked that each bucket has as many rows as values, all different,
    l at least, and that no row and no value is lost; after an error or interrupt nothing is left behind, as
    for `mondrian`.

    Errors: InputError (unknown column, empty table, a value in more than one of l rows, a column named
    bucket, into exists, sensitive_into without into, a unit whose rows cannot be in different buckets),
    SqlError, VerificationError.
    """
    columns = roles(qi, sensitive, keep)
    dealt_by = secrets.randbits(63) if seed is None else seed

    def run(table: str | None) -> Release:
        return anonymize(
            con, source, columns, table, replace, progress, Anatomy, "anatomize",
            {"l": l, "seed": dealt_by, "unit": unit}, recorded={"seed": seed},
        )  # fmt: skip

    if sensitive_into is None:
        return run(into)
    if into is None:
        raise InputError("sensitive_into needs into: the name of the table with the quasi-identifiers")
    return in_two(con, run, columns, into, sensitive_into, replace)


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
