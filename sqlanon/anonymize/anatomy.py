"""Anatomy over tables, DataFrames and relations: what can be asked for."""

from __future__ import annotations

from collections.abc import Iterable

import duckdb

from sqlanon.core.errors import InputError
from sqlanon.core.release import Progress, Release
from sqlanon.core.source import Source, roles


def anatomize(
    con: duckdb.DuckDBPyConnection,
    source: Source,
    *,
    qi: str | Iterable[str],
    sensitive: str,
    keep: str | Iterable[str] = (),
    l: int,
    seed: int | None = None,
    unit: str | None = None,
    into: str | None = None,
    sensitive_into: str | None = None,
    replace: bool = False,
    progress: Progress | None = None,
) -> Release:
    """Release quasi-identifiers and sensitive values apart, in buckets of l values or more (Xiao and Tao 2006).

    source: the name of a table, view or file, a DataFrame, an Arrow table or a relation of this connection.
    qi, sensitive (one column), keep, l and seed are as in the macro `sqlanon.anatomize`, which with a seed gives the same rows;
    without one, rows are dealt by the randomness of the operating system.

    into, replace, progress: as in `mondrian`. sensitive_into: the name of a second table. Then the release is the two tables of
    the paper, made together or not at all: `into` has a row per row, with qi, keep and bucket, and `sensitive_into` a row
    per bucket and sensitive value. Without it the values of its bucket are in each row, as a list.

    Before anything becomes visible it is checked that each bucket has as many rows as values, all different, l at
    least, and that no row and no value is lost; after an error or interrupt nothing is left behind, as for `mondrian`.

    Errors: InputError (unknown column, empty table, a value in more than one of l rows, a column named bucket, into
    exists, sensitive_into without into, a unit whose rows cannot be in different buckets), SqlError, VerificationError.
    """
    from sqlanon.anonymize import anatomy_driver, driver  # with sqlglot, which is slow to import

    columns = roles(qi, sensitive, keep)

    def run(table: str | None) -> Release:
        return driver.anonymize(
            con,
            source,
            columns,
            table,
            replace,
            progress or (lambda done, message: None),
            lambda task: anatomy_driver.Anatomy(task, l, seed),
            given={"l": l, "seed": seed},
            unit=unit,
        )

    if sensitive_into is None:
        return run(into)
    if into is None:
        raise InputError("sensitive_into needs into: the name of the table with the quasi-identifiers")
    return anatomy_driver.in_two(con, run, columns, into, sensitive_into, replace)
