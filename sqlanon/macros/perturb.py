# Written by `make reference` from the comments in sql/perturb/.
"""The macros of sql/perturb/ as functions: `sqlanon.core.answer` says what an answer is."""

from __future__ import annotations

from typing import Any, Literal

import duckdb

from sqlanon.core.answer import Names
from sqlanon.core.connection import connection_first
from sqlanon.core.source import Source, names
from sqlanon.perturb.perturbation import perturbed


@connection_first
def add_noise(
    con: duckdb.DuckDBPyConnection,
    source: Source,
    columns: Names,
    *,
    keep: Names | None = None,
    scale: float = 0.1,
    seed: int | None = None,
    into: str | None = None,
    replace: bool = False,
) -> duckdb.DuckDBPyRelation:
    """Releases every row of a table with normally distributed noise of mean 0 added to numbers. No privacy is
    guaranteed (this is not differential privacy): measure it with disclosure and record_linkage.

    Parameters:
    - source (table): the raw rows.
    - columns (columns): the columns to change, each independently.
    - keep (columns): further columns that are released unchanged. Columns that no parameter names are not
      released.
    - scale (number, above 0 and at most 1000000): the standard deviation of the noise, as a share of that of
      the column.
    - seed (integer): fixes the random draws, and the order of rows. Keep it secret.

    Result:
    - <columns> (number): the noisy values; NULL stays NULL.
    - <keep> (unchanged): as in source.

    Errors: unknown column, empty table, a column that has no numbers, one value only, NaN or infinity.

    Source: Hundepool et al. 2012, sec. 3.4.1; Box and Muller 1958.

    The answer is a relation over the release: the table `into`, or a temporary table. An existing table is
    replaced only with replace=True. After an error or interrupt nothing is left behind.

    Example: sqlanon.add_noise(con, "people", columns="income", keep="name", scale=0.1)
    """
    return perturbed(
        con,
        "add_noise",
        source,
        columns=names(columns, "columns"),
        keep=names(keep, "keep"),
        scale=scale,
        seed=seed,
        into=into,
        replace=replace,
    )


@connection_first
def bottom_code(
    con: duckdb.DuckDBPyConnection,
    source: Source,
    columns: Names,
    *,
    keep: Names | None = None,
    threshold: Any = None,
    share: float | None = None,
    replacement: Literal["threshold", "mean"] = "threshold",
    seed: int | None = None,
    into: str | None = None,
    replace: bool = False,
) -> duckdb.DuckDBPyRelation:
    """Releases every row of a table with all values below a threshold replaced. No privacy is guaranteed:
    disclosure counts the rows at the bottom.

    Parameters:
    - source (table): the raw rows.
    - columns (columns): the columns to change, each independently.
    - keep (columns): further columns that are released unchanged. Columns that no parameter names are not
      released.
    - threshold (value): the threshold for all columns, which must be numbers, dates or times. Give either
      threshold or share.
    - share (number, above 0 and at most 1): the largest share of values that is replaced: the threshold of
      each column is its quantile at share.
    - replacement (one of threshold, mean): threshold: values become the threshold; mean (for numbers): they
      become their mean, so the column, which is then DOUBLE, keeps its sum.
    - seed (integer): fixes the order of rows.

    Result:
    - <columns> (unchanged or number): the values; NULL stays NULL.
    - <keep> (unchanged): as in source.

    Errors: as in top_code.

    Source: Hundepool et al. 2012, sec. 3.3.3.

    The answer is a relation over the release: the table `into`, or a temporary table. An existing table is
    replaced only with replace=True. After an error or interrupt nothing is left behind.

    Example: sqlanon.bottom_code(con, "people", columns="income", keep="name", share=0.2, replacement="mean")
    """
    return perturbed(
        con,
        "bottom_code",
        source,
        columns=names(columns, "columns"),
        keep=names(keep, "keep"),
        threshold=threshold,
        share=share,
        replacement=replacement,
        seed=seed,
        into=into,
        replace=replace,
    )


@connection_first
def pram(
    con: duckdb.DuckDBPyConnection,
    source: Source,
    columns: Names,
    *,
    keep: Names | None = None,
    retain: float = 0.8,
    strata: Names | None = None,
    seed: int | None = None,
    into: str | None = None,
    replace: bool = False,
) -> duckdb.DuckDBPyRelation:
    """Releases every row of a table with randomly changed values, by invariant post-randomization: the
    expected frequencies are those of the table. No privacy is guaranteed: measure it with disclosure.

    Parameters:
    - source (table): the raw rows.
    - columns (columns): the columns to change, each independently.
    - keep (columns): further columns that are released unchanged. Columns that no parameter names are not
      released.
    - retain (number, 0 to 1): the probability that a value is kept; otherwise a value is drawn from the
      distribution of the column: r_ij = retain [i = j] + (1 - retain) p_j.
    - strata (columns): values are drawn from the rows with the same values in these columns.
    - seed (integer): fixes the random draws, and the order of rows. Keep it secret.

    Result:
    - <columns> (unchanged): the changed values; NULL is a value of its own.
    - <keep> (unchanged): as in source.

    Errors: unknown column, empty table, a column with one value.

    Source: Gouweleeuw, Kooiman, Willenborg and de Wolf 1998, sec. 4; Templ, Kowarik and Meindl 2015.

    The answer is a relation over the release: the table `into`, or a temporary table. An existing table is
    replaced only with replace=True. After an error or interrupt nothing is left behind.

    Example: sqlanon.pram(con, "people", columns="disease", keep="name", retain=0.7)
    """
    return perturbed(
        con,
        "pram",
        source,
        columns=names(columns, "columns"),
        keep=names(keep, "keep"),
        retain=retain,
        strata=names(strata, "strata"),
        seed=seed,
        into=into,
        replace=replace,
    )


@connection_first
def rank_swap(
    con: duckdb.DuckDBPyConnection,
    source: Source,
    columns: Names,
    *,
    keep: Names | None = None,
    p: float = 0.05,
    seed: int | None = None,
    into: str | None = None,
    replace: bool = False,
) -> duckdb.DuckDBPyRelation:
    """Releases every row of a table with values swapped in pairs of near ranks, so that a column has the same
    values afterwards. No privacy is guaranteed: measure it with disclosure and record_linkage.

    Parameters:
    - source (table): the raw rows.
    - columns (columns): the columns to change, each independently.
    - keep (columns): further columns that are released unchanged. Columns that no parameter names are not
      released.
    - p (number, above 0 and at most 1): how far apart the ranks of a pair may be, as a share of the values
      that are not NULL; NULLs are not swapped.
    - seed (integer): fixes the random draws, and the order of rows. Keep it secret.

    Result:
    - <columns> (unchanged): the swapped values, of any type with an order; if their number is odd, one stays.
    - <keep> (unchanged): as in source.

    Errors: unknown column, empty table, a column with one value, a p that allows no swap.

    Source: Moore 1996 (all pairs at once, within blocks of ranks).

    The answer is a relation over the release: the table `into`, or a temporary table. An existing table is
    replaced only with replace=True. After an error or interrupt nothing is left behind.

    Example: sqlanon.rank_swap(con, "people", columns="income", keep="name", p=0.2)
    """
    return perturbed(
        con,
        "rank_swap",
        source,
        columns=names(columns, "columns"),
        keep=names(keep, "keep"),
        p=p,
        seed=seed,
        into=into,
        replace=replace,
    )


@connection_first
def round_values(
    con: duckdb.DuckDBPyConnection,
    source: Source,
    columns: Names,
    base: float,
    *,
    keep: Names | None = None,
    seed: int | None = None,
    into: str | None = None,
    replace: bool = False,
) -> duckdb.DuckDBPyRelation:
    """Releases every row of a table with numbers rounded to the nearest multiple of a base, halves away from
    zero. No privacy is guaranteed: measure it with disclosure and record_linkage.

    Parameters:
    - source (table): the raw rows.
    - columns (columns): the columns to change, each independently.
    - base (number, above 0): what the rounded values are multiples of.
    - keep (columns): further columns that are released unchanged. Columns that no parameter names are not
      released.
    - seed (integer): fixes the order of rows.

    Result:
    - <columns> (number): the rounded values: BIGINT where values and base are whole, otherwise DOUBLE. NULL,
      NaN and infinity stay.
    - <keep> (unchanged): as in source.

    Errors: unknown column, empty table, a column that has no numbers.

    Source: Hundepool et al. 2012, sec. 3.4.

    The answer is a relation over the release: the table `into`, or a temporary table. An existing table is
    replaced only with replace=True. After an error or interrupt nothing is left behind.

    Example: sqlanon.round_values(con, "people", columns="income", base=5000, keep="name")
    """
    return perturbed(
        con,
        "round_values",
        source,
        columns=names(columns, "columns"),
        base=base,
        keep=names(keep, "keep"),
        seed=seed,
        into=into,
        replace=replace,
    )


@connection_first
def top_code(
    con: duckdb.DuckDBPyConnection,
    source: Source,
    columns: Names,
    *,
    keep: Names | None = None,
    threshold: Any = None,
    share: float | None = None,
    replacement: Literal["threshold", "mean"] = "threshold",
    seed: int | None = None,
    into: str | None = None,
    replace: bool = False,
) -> duckdb.DuckDBPyRelation:
    """Releases every row of a table with all values above a threshold replaced. No privacy is guaranteed:
    disclosure counts the rows at the top.

    Parameters:
    - source (table): the raw rows.
    - columns (columns): the columns to change, each independently.
    - keep (columns): further columns that are released unchanged. Columns that no parameter names are not
      released.
    - threshold (value): the threshold for all columns, which must be numbers, dates or times. Give either
      threshold or share.
    - share (number, above 0 and at most 1): the largest share of values that is replaced: the threshold of
      each column is its quantile at 1 - share.
    - replacement (one of threshold, mean): threshold: values become the threshold; mean (for numbers): they
      become their mean, so the column, which is then DOUBLE, keeps its sum.
    - seed (integer): fixes the order of rows.

    Result:
    - <columns> (unchanged or number): the values; NULL stays NULL, NaN is above all others.
    - <keep> (unchanged): as in source.

    Errors: unknown column, empty table, a column without an order.

    Source: Hundepool et al. 2012, sec. 3.3.3.

    The answer is a relation over the release: the table `into`, or a temporary table. An existing table is
    replaced only with replace=True. After an error or interrupt nothing is left behind.

    Example: sqlanon.top_code(con, "people", columns="income", keep="name", threshold=60000)
    """
    return perturbed(
        con,
        "top_code",
        source,
        columns=names(columns, "columns"),
        keep=names(keep, "keep"),
        threshold=threshold,
        share=share,
        replacement=replacement,
        seed=seed,
        into=into,
        replace=replace,
    )
