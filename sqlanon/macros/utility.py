# Written by `make reference` from the comments in sql/utility/.
"""The macros of sql/utility/ as functions: `sqlanon.core.answer` says what an answer is."""

from __future__ import annotations

import duckdb

from sqlanon.core.answer import Names
from sqlanon.core.answer import answer as answer_of
from sqlanon.core.connection import connection_first
from sqlanon.core.source import Source, names


@connection_first
def count_errors(
    con: duckdb.DuckDBPyConnection,
    original: Source,
    release: Source,
    qi: Names,
    hierarchies: Source = None,
    *,
    count_column: str = "n",
    deviation_column: str = "standard_deviation",
    queries: int = 1000,
    seed: int = 1,
) -> duckdb.DuckDBPyRelation:
    """Measures how well counts with noise, as dp_counts releases them, answer random range counts, and how
    much of their error is to be expected of the noise: one row per measure.

    Parameters:
    - original (table): the raw rows, with the columns in qi.
    - release (table): the groups, in columns of the same names, each with its count.
    - qi (columns): that the groups are made of. They may be generalized: a count lies evenly on the values
      that its group covers.
    - hierarchies (table): rows of attribute, value, level and label: what released labels stand for.
    - count_column (column): of the release, with the counts. These may be below 0.
    - deviation_column (column): of the release, with the standard deviation of the noise in each count.
    - queries (integer, at least 1): how many random range counts are compared.
    - seed (integer): of the random range counts.

    Result:
    - measure (text): its name.
    - value (number): in percent.
    - unit (text): %.
    - id (text): the measure's name for programs; it stays when a title is reworded.

    Errors: unknown column, empty table, a count or a deviation that is no number, a hierarchy that lacks a
    value or is no tree.

    Notes: a query error far above the noise comes of what the groups do not tell: they are coarse, or some
    are not there. The noise is taken to be independent from group to group, as that of dp_counts is. The
    measures look at the original, and are not private themselves. By id:
    - groups_not_in_original: groups with a value that stands for none of the original's (of public keys,
      say). No query asks for them.
    - group_noise: the mean deviation by the mean count; no row, if the counts do not add up to more than 0.
    - query_error_median, query_error_mean: the relative error of the range counts, as in utility.
    - query_noise_median, query_noise_mean: the standard deviation of the noise in an answer, relative to the
      same.

    Source: Xiao and Tao 2006; Xiao, Wang and Gehrke 2011.

    The answer is a relation over a temporary table: it can be read again, filtered and joined, and stays as
    it is as long as the connection.

    Example: sqlanon.count_errors(con, "people", "counts", qi="disease")
    """
    return answer_of(
        con,
        "count_errors",
        original,
        release,
        qi=names(qi, "qi"),
        hierarchies=hierarchies,
        count_column=count_column,
        deviation_column=deviation_column,
        queries=queries,
        seed=seed,
    )


@connection_first
def dominated(
    con: duckdb.DuckDBPyConnection, choices: Source, id: str, columns: Names
) -> duckdb.DuckDBPyRelation:
    """Tells which of several choices are dominated: another one is at least as good in all measures and
    better in one.

    Parameters:
    - choices (table): a row per choice.
    - id (column): what each is called; nothing is there twice.
    - columns (columns): its measures, such as a risk and a loss: numbers, of which less is better.

    Result:
    - <id> (unchanged): the choice.
    - dominated (boolean): is there one that is at least as good in all columns and better in one? NULL if one
      of its own measures is NULL or not a number.
    - dominated_by (value): which one: of those that dominate it and are not dominated themselves the one with
      the least measures, the first column first. NULL if there is none.

    Errors: unknown column, no choices, a choice twice, an id that is named as a column of the answer.

    Notes: two choices with the same measures do not dominate each other. What was not measured dominates
    nothing. In Python, sqlanon.frontier makes the choices and measures them, too.

    Source: Duncan, Keller-McNulty and Stokes 2001 (the R-U confidentiality map).

    The answer is a relation over a temporary table: it can be read again, filtered and joined, and stays as
    it is as long as the connection.

    Example: sqlanon.dominated(con, "choice", id="k", columns=["risk", "loss"])
    """
    return answer_of(con, "dominated", choices, id=id, columns=names(columns, "columns"))


@connection_first
def utility(
    con: duckdb.DuckDBPyConnection,
    original: Source,
    release: Source,
    qi: Names,
    sensitive: Names | None = None,
    hierarchies: Source = None,
    *,
    k: int | None = None,
    id: str | None = None,
    queries: int = 1000,
    seed: int = 1,
    weight: str | None = None,
) -> duckdb.DuckDBPyRelation:
    """Measures what a release, whoever made it, has lost against its original: one row per measure and
    column.

    Parameters:
    - original (table): the raw rows, with the columns in qi and sensitive.
    - release (table): the released rows, with the same columns.
    - qi (columns): quasi-identifiers.
    - sensitive (columns): columns whose relation to qi counts, too.
    - hierarchies (table): rows of attribute, value, level and label: what released labels stand for.
    - k (integer, at least 1): for C_avg.
    - id (column): of both tables, says which row is which: for SSE / SST.
    - queries (integer, at least 1): how many random range counts are compared.
    - seed (integer): of the random range counts.
    - weight (column): of both tables, says how many people each row stands for, as in classes; not with id.

    Result:
    - measure (text): its name.
    - attribute (text): the column; NULL: over all columns in qi.
    - value (number): in the unit of the measure.
    - unit (text): of the value: %, share, bits, rows, times k, of 2, correlation, or standard deviations.
    - id (text): the measure's name for programs; it stays when a title is reworded.

    Errors: unknown column, empty table, a release with more rows than the original, a hierarchy that lacks a
    value or is no tree, an id that is not unique, a released value that stands for nothing and is no number,
    a weight as in classes.

    Notes: released values are read as covers reads them; rows of the original that the release lacks are
    suppressed and stand for everything. A released number that stands for no value of the original (a
    centroid, say) is counted as one that the original lacks; there are no rows then for what only covered
    values have (ncp, gcp, loss, non_uniform_entropy, precision), and for what is about all columns. Where a
    column has numbers in both tables there are rows for its moments. Counts with noise, which may be below 0,
    are for count_errors. The measures, by id:
    - suppressed_rows: rows that the release lacks.
    - suppressed_cells: * or NULL where the original has none.
    - values_not_in_original: released numbers that stand for no value of the original.
    - ncp, gcp: NCP (0 to 1) and its mean over the columns.
    - loss: 0 to 1, as ARX computes it; over all columns the geometric mean.
    - non_uniform_entropy: bits, the sum over rows, as ARX computes it.
    - precision: 0 to 1, and 0 is the original; where the level of every released value is known.
    - discernibility, average_class_size: of the classes.
    - c_avg: with k: average class size divided by k.
    - kl_divergence, city_block_distance: between the distributions of rows over the columns in qi and
      sensitive, where the rows of a class lie evenly on the values that it covers; in bits, and 0 to 2.
    - query_error_median, query_error_mean: the relative error of the range counts.
    - mean_change, variance_change: of a column of numbers.
    - correlation_change_mean, correlation_change_largest: over the pairs of such columns.
    - sse_sst: with id: SSE / SST.

    Source: named in sql/utility/utility.sql, sql/utility/range_queries.sql and sql/utility/moments.sql.

    The answer is a relation over a temporary table: it can be read again, filtered and joined, and stays as
    it is as long as the connection.

    Example: sqlanon.utility(con, "original", "east", qi=["age", "zip"], sensitive="disease")
    """
    return answer_of(
        con,
        "utility",
        original,
        release,
        qi=names(qi, "qi"),
        sensitive=names(sensitive, "sensitive"),
        hierarchies=hierarchies,
        k=k,
        id=id,
        queries=queries,
        seed=seed,
        weight=weight,
    )


@connection_first
def utility_of_synthetic(
    con: duckdb.DuckDBPyConnection, original: Source, release: Source, columns: Names, groups: int = 10
) -> duckdb.DuckDBPyRelation:
    """Compares the columns, and the pairs of columns, of a release with those of the original, for synthetic
    rows and other releases that have values of the same form: one row per column and per pair.

    Parameters:
    - original (table): the raw rows.
    - release (table): the released rows, with values of the same form.
    - columns (columns): of both tables, those that are compared.
    - groups (integer, at least 1): into so many groups, each with about as many rows of the original, numbers
      and dates are cut.

    Result:
    - attribute (text): the column.
    - other (text): the other column of a pair; NULL: the column alone.
    - similarity (number, 0 to 100): the percentage of rows in common: 100 less half of the sum of all
      differences between the shares of the groups (total variation). 100: the same shares.
    - pmse_ratio (number): the mean squared error of the propensity score (how well the groups tell the two
      tables apart), divided by its average if the release were drawn by the shares of the original. It is
      about 1 for such a release, about 2 for as many other people of the same kind, and larger the more the
      tables differ. NULL: there is one group only.
    - correlation_original (number, -1 to 1): Pearson's correlation in the original. NULL: not both columns
      are numbers or dates, or one has a single value.
    - correlation_release (number, -1 to 1): the same in the release.

    Errors: unknown column, a column named twice, empty table.

    Notes: texts and missing values are groups by themselves, as are numbers if the column is text in one of
    the tables. A label such as [20, 29] is a text that the original lacks: for releases with labels see
    utility. A copy has a pmse_ratio of 0: it agrees with the original better than a draw would.

    Source: Snoke, Raab, Nowok, Dibben and Slavkovic 2018 (expected pMSE); Raab, Nowok and Dibben 2021 (pMSE
    of tables).

    The answer is a relation over a temporary table: it can be read again, filtered and joined, and stays as
    it is as long as the connection.

    Example: sqlanon.utility_of_synthetic(con, "people", "voters", columns=["age", "zip"])
    """
    return answer_of(
        con, "utility_of_synthetic", original, release, columns=names(columns, "columns"), groups=groups
    )
