"""Perturbation over tables, DataFrames and relations.

The functions have the names, the parameters and the rows of the macros in sql/perturb/perturbation.sql. None
of them guarantees anything about privacy: `sqlanon.disclosure` and `sqlanon.record_linkage` measure what a
result still tells.

source: the name of a table, view or file, a DataFrame, an Arrow table or a relation of this connection.
columns are changed, keep leaves as it is, and no other column does. Each answers with a relation over the
release: the table `into`, or a temporary table. An existing table is replaced only with replace=True.
After an error or interrupt nothing is left behind. Errors: InputError (unknown column, empty table, a
parameter out of range, a column that the method cannot change, into exists), SqlError.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import duckdb

from sqlanon.core.connection import connection_first
from sqlanon.core.source import Source, names

Names = str | Iterable[str]

METHODS = ("pram", "rank_swap", "add_noise", "round_values", "top_code", "bottom_code")


def _perturbed(
    con: duckdb.DuckDBPyConnection,
    method: str,
    source: Source,
    columns: Names,
    keep: Names,
    into: str | None,
    replace: bool,
    **parameters: Any,
) -> duckdb.DuckDBPyRelation:
    from sqlanon.core.statements import call  # with sqlglot, which is slow to import
    from sqlanon.core.tables import with_all_rows

    given = {"columns": names(columns, "columns"), "keep": names(keep, "keep") or None, **parameters}
    return with_all_rows(con, source, into, replace, lambda tbl, _: call(method, tbl, **given))


@connection_first
def pram(
    con: duckdb.DuckDBPyConnection,
    source: Source,
    columns: Names,
    *,
    keep: Names = (),
    retain: float = 0.8,
    strata: Names | None = None,
    seed: int | None = None,
    into: str | None = None,
    replace: bool = False,
) -> duckdb.DuckDBPyRelation:
    """Post-randomization: a value stays with the probability retain, or is drawn anew (Gouweleeuw et al.

    1998).
    """
    return _perturbed(
        con, "pram", source, columns, keep, into, replace, retain=retain, strata=names(strata, "strata"),
        seed=seed
    )  # fmt: skip


@connection_first
def rank_swap(
    con: duckdb.DuckDBPyConnection,
    source: Source,
    columns: Names,
    *,
    keep: Names = (),
    p: float = 0.05,
    seed: int | None = None,
    into: str | None = None,
    replace: bool = False,
) -> duckdb.DuckDBPyRelation:
    """Rank swapping: values swap in pairs at most p * N ranks apart (Moore 1996)."""
    return _perturbed(con, "rank_swap", source, columns, keep, into, replace, p=p, seed=seed)


@connection_first
def add_noise(
    con: duckdb.DuckDBPyConnection,
    source: Source,
    columns: Names,
    *,
    keep: Names = (),
    scale: float = 0.1,
    seed: int | None = None,
    into: str | None = None,
    replace: bool = False,
) -> duckdb.DuckDBPyRelation:
    """Normal noise, whose standard deviation is the share `scale` of the column's."""
    return _perturbed(con, "add_noise", source, columns, keep, into, replace, scale=scale, seed=seed)


@connection_first
def round_values(
    con: duckdb.DuckDBPyConnection,
    source: Source,
    columns: Names,
    base: float,
    *,
    keep: Names = (),
    seed: int | None = None,
    into: str | None = None,
    replace: bool = False,
) -> duckdb.DuckDBPyRelation:
    """Numbers rounded to multiples of base, halves away from zero."""
    return _perturbed(con, "round_values", source, columns, keep, into, replace, base=base, seed=seed)


@connection_first
def top_code(
    con: duckdb.DuckDBPyConnection,
    source: Source,
    columns: Names,
    *,
    keep: Names = (),
    threshold: float | str | None = None,
    share: float | None = None,
    replacement: str = "threshold",
    seed: int | None = None,
    into: str | None = None,
    replace: bool = False,
) -> duckdb.DuckDBPyRelation:
    """Values above a threshold become it, or their mean. A threshold for dates is a text: "2020-02-29"."""
    return _perturbed(
        con, "top_code", source, columns, keep, into, replace,
        threshold=threshold, share=share, replacement=replacement, seed=seed,
    )  # fmt: skip


@connection_first
def bottom_code(
    con: duckdb.DuckDBPyConnection,
    source: Source,
    columns: Names,
    *,
    keep: Names = (),
    threshold: float | str | None = None,
    share: float | None = None,
    replacement: str = "threshold",
    seed: int | None = None,
    into: str | None = None,
    replace: bool = False,
) -> duckdb.DuckDBPyRelation:
    """Values below a threshold become it, or their mean. A threshold for dates is a text: "2020-02-29"."""
    return _perturbed(
        con, "bottom_code", source, columns, keep, into, replace,
        threshold=threshold, share=share, replacement=replacement, seed=seed,
    )  # fmt: skip
