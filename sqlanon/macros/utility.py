# Written by `make reference` from the comments in sql/utility/.
"""The macros of sql/utility/ as functions: `sqlanon.core.answer` says what an answer is."""

from __future__ import annotations

import duckdb

from sqlanon.attack.intersection import Formats, formats_given, warning_beside
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
    """Measures how well counts with noise, such as those of dp_counts, answer random range counts (how many
    people are from 20 to 35?), and how much of the error is expected from the noise: one row per measure.

    Parameters:
    - original (table): the raw rows, with the columns in qi.
    - release (table): one row per group, with the columns in qi and the noisy count.
    - qi (columns): the columns that the counts are grouped by. They may be generalized: the count of a group
      is then distributed evenly over the values that its labels cover.
    - hierarchies (table): rows of attribute, value, level and label: the values that released labels stand
      for.
    - count_column (column): of the release, the counts. They may be below 0.
    - deviation_column (column): of the release, the standard deviation of the noise in each count.
    - queries (integer, at least 1): the number of random range counts (such as: how many people are from 20
      to 35?) that are compared.
    - seed (integer): fixes the random range counts.

    Result:
    - measure (text): the title of the measure.
    - value (number): its value in percent.
    - unit (text): %.
    - id (text): the name of the measure for programs; it does not change if the title does.

    Errors: unknown column, empty table, a count or a deviation that is not a number, a hierarchy that lacks a
    value or is not a tree.

    Notes: if the query error is far above the noise, the groups are too coarse, or some are missing. The
    noise is assumed to be independent from group to group, as that of dp_counts is. The measures are computed
    from the original, and are not private. By id:
    - groups_not_in_original: groups with a value that the original does not have (for example from public
      keys). No query asks for them.
    - group_noise: mean standard deviation / mean count; no row if the sum of counts is not above 0.
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
    """Finds which of several choices are dominated: another choice is at least as good in all measures and
    better in at least one.

    Parameters:
    - choices (table): one row per choice.
    - id (column): the name of the choice; each must be there once.
    - columns (columns): its measures, such as a risk and a loss: numbers, of which smaller ones are better.

    Result:
    - <id> (unchanged): the choice.
    - dominated (boolean): true if another choice is at least as good in all columns and better in at least
      one. NULL if one of the choice's own measures is NULL or not a number.
    - dominated_by (value): the choice that dominates it; of several that are not dominated themselves, the
      one with the smallest measures, compared in the order of columns. NULL if there is none.

    Errors: unknown column, no choices, a choice twice, an id with the name of a column of the result.

    Notes: two choices with the same measures do not dominate each other. A choice with a missing measure
    dominates no other. In Python, sqlanon.frontier makes the choices and measures them, too.

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
    held_out: Source = None,
    formats: Formats | None = None,
) -> duckdb.DuckDBPyRelation:
    """Measures how much information a release has lost, compared with its original: one row per measure and
    column. The release may be of any tool.

    Parameters:
    - original (table): the raw rows, with the columns in qi and sensitive.
    - release (table): the released rows, with the same columns.
    - qi (columns): quasi-identifiers.
    - sensitive (columns): sensitive columns, for the measures that also compare their relation to qi.
    - hierarchies (table): rows of attribute, value, level and label: the values that released labels stand
      for.
    - k (integer, at least 1): for C_avg.
    - id (column): of both tables, identifies the row: for SSE / SST.
    - queries (integer, at least 1): the number of random range counts (such as: how many people are from 20
      to 35?) that are compared.
    - seed (integer): fixes the random range counts.
    - weight (column): of both tables, how many people each row stands for, as in classes; not with id.
    - held_out (table): raw rows of people of the same kind who are not in the original, with the columns in
      qi and sensitive: for accuracy.
    - formats (struct or map of texts): the formats of columns whose labels covers cannot read, such as
      {'age': 'range'}: from a column in qi to a format. range: 25-30, 25..30 and 25 to 30 (including both
      ends, without brackets), (25-30], 50+, 65 and over, under 20, for numbers or dates. list: in brackets,
      with or without quotes. set /: a/b, or with any other separator. mask x: 1305x, each x stands for one
      character. between age_min and age_max: two columns with both ends, which are included; NULL is no
      bound, and if both are NULL, the value is NULL. one-hot sex_: columns such as sex_male, of 0 and 1. A
      key such as release.age or 1.age (name or number of a release, dot, column) is for that release alone. A
      cell that does not fit its format is read as if there were none. A key such as targets.age is for a
      column of the targets that is only partly known: its cells are then ranges (or numbers or dates), lists,
      sets or masks, as the format says. A cell of targets that cannot be read is an error.

    Result:
    - measure (text): the title of the measure.
    - attribute (text): the column; NULL: over all columns in qi.
    - value (number): its value, in the unit.
    - unit (text): the unit: %, share, bits, rows, times k, of 2, correlation, or standard deviations.
    - id (text): the name of the measure for programs; it does not change if the title does.

    Errors: unknown column, empty table, a release with more rows than the original, a hierarchy that lacks a
    value or is not a tree, an id that is not unique, a released label that covers no value of the original
    and is not a number, a weight as in classes, held_out without sensitive, a format that is not known, or is
    of no column in qi.

    Notes: labels are read as covers reads them. Rows of the original that the release lacks are suppressed,
    and count as if they had * everywhere. A released number that is no value of the original (such as a
    centroid) is counted in values_not_in_original; measures that need covered values (ncp, gcp, loss,
    non_uniform_entropy, precision), and measures over all columns, then have no rows. If a column has numbers
    in both tables, there are rows for the changes of its mean, variance and correlations. For counts with
    noise, which may be below 0, use count_errors. The measures, by id:
    - suppressed_rows: rows that the release lacks.
    - suppressed_cells: cells that are * or NULL and are not in the original.
    - values_not_in_original: released numbers that are no values of the original.
    - ncp, gcp: NCP (0 to 1) and its mean over the columns.
    - loss: 0 to 1, as ARX computes it; over all columns the geometric mean.
    - non_uniform_entropy: bits, the sum over rows, as ARX computes it.
    - precision: 0 to 1, and 0 is the original; only if the level of every released label is known.
    - discernibility, average_class_size: measures of the class sizes.
    - c_avg: with k: average class size / k.
    - kl_divergence, city_block_distance: distances between the distributions of rows of the two tables over
      the columns in qi and sensitive; the rows of a class are distributed evenly over the values that it
      covers. The first is in bits, the second 0 to 2.
    - query_error_median, query_error_mean: the relative error of the range counts.
    - mean_change, variance_change: the changes of the mean and variance of a column of numbers.
    - correlation_change_mean, correlation_change_largest: the change of correlations over the pairs of such
      columns.
    - sse_sst: with id: SSE / SST.
    - accuracy, accuracy_of_original, accuracy_of_most_frequent: with held_out: the percentage of people held
      out whose value in a sensitive column is predicted right by a naive Bayes classifier trained on the
      release, by one trained on the original, and by the most frequent value of the original. Numbers and
      dates without a hierarchy are cut into ten groups with about as many rows of the original each; right is
      the right group.

    Source: named in sql/utility/utility.sql, sql/utility/range_queries.sql, sql/utility/moments.sql and
    sql/utility/classifier.sql.

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
        held_out=held_out,
        formats=formats_given(formats),
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

    Warns (UnreadWarning) of values that nobody understands.

    Example: sqlanon.utility_of_synthetic(con, "people", "voters", columns=["age", "zip"])
    """
    return warning_beside(
        con, "utility_of_synthetic", original, release, columns=names(columns, "columns"), groups=groups
    )
