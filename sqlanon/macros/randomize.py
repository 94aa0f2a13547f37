# Written by `make reference` from the comments in sql/randomize/.
"""The macros of sql/randomize/ as functions: `sqlanon.core.answer` says what an answer is."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

import duckdb

from sqlanon.core.answer import Names
from sqlanon.core.answer import answer as answer_of
from sqlanon.core.connection import connection_first
from sqlanon.core.source import Source, names
from sqlanon.randomize.cost import Ledger
from sqlanon.randomize.releases import RandomizedRelease, released


@connection_first
def composed_privacy(
    con: duckdb.DuckDBPyConnection, costs: Source, target_delta: float = 0.000001
) -> duckdb.DuckDBPyRelation:
    """Adds up the costs (epsilon and delta) of several randomized releases of the same data: one row per rule
    of composition, with a mark at the rule with the smaller epsilon.

    Parameters:
    - costs (table): one row per release, with the columns epsilon, delta and rho. rho is that of
      zero-concentrated differential privacy, apart from delta; NULL: epsilon ^ 2 / 2, which follows from
      epsilon.
    - target_delta (number, 0 to 1): the delta at which zero-concentrated differential privacy is converted to
      an epsilon, and the upper limit of the sum of all deltas.

    Result:
    - composition (text): basic (sums of epsilon and delta) or zcdp (the sum of rho, converted by
      zcdp_epsilon).
    - epsilon (number): the epsilon of all releases together.
    - delta (number): the delta of all releases together.
    - rho (number): for zcdp the sum; NULL for basic.
    - counts (boolean): true for the rule with the smaller epsilon, if its delta is not above target_delta.

    Errors: a cost that is not a valid number, target_delta out of its range.

    Notes: the sums are right if every release may be about everybody. For releases about disjoint sets of
    people, take the most expensive one instead. The smaller of the two epsilons holds if costs were not
    chosen depending on earlier answers; basic composition always holds.

    Source: Dwork and Roth 2014, section 3.5 (basic); Bun and Steinke 2016 (zcdp); as of zcdp_epsilon.

    The answer is a relation over a temporary table: it can be read again, filtered and joined, and stays as
    it is as long as the connection.

    Example: sqlanon.composed_privacy(con, "spent", target_delta=0.000001)
    """
    return answer_of(con, "composed_privacy", costs, target_delta=target_delta)


@connection_first
def debiased_counts(
    con: duckdb.DuckDBPyConnection, source: Source, columns: Names, keys: Source, epsilon: float
) -> duckdb.DuckDBPyRelation:
    """Estimates how many rows had each value, from what randomized_response has released.

    Parameters:
    - source (table): a release of randomized_response.
    - columns (column): its column.
    - keys (table): the possible values, as given to randomized_response.
    - epsilon (number, 0.000001 to 100): the epsilon, as given to randomized_response.

    Result:
    - <columns> (unchanged): the value.
    - n (number): an unbiased estimate of the number of rows with this value; it may be below 0.
    - standard_deviation (number): the standard deviation of the estimate.
    - low (number): the lower end of an interval of about 95 % for the number of rows.
    - high (number): the upper end.

    Errors: unknown column, an epsilon out of its range.

    Notes: if c of N released rows have a value, n is (c - N q) / (p - q), where p and q are the probabilities
    that a value is kept, and that it becomes a certain other value. The estimate costs no epsilon, because it
    only uses the release.

    Source: Kairouz, Bonawitz and Ramage 2016.

    The answer is a relation over a temporary table: it can be read again, filtered and joined, and stays as
    it is as long as the connection.

    Example: sqlanon.debiased_counts(con, "people", columns="disease", keys="known", epsilon=1)
    """
    return answer_of(
        con, "debiased_counts", source, columns=names(columns, "columns"), keys=keys, epsilon=epsilon
    )


@connection_first
def dp_bounds(
    con: duckdb.DuckDBPyConnection,
    source: Source,
    measure: str,
    *,
    epsilon: float | None = None,
    unit: str | None = None,
    max_groups: int | None = None,
    max_rows: int | None = None,
    ledger: Ledger | None = None,
    into: str | None = None,
    replace: bool = False,
) -> RandomizedRelease:
    """Chooses bounds of a column of numbers privately, for dp_sums and the others that take them:
    differential privacy, as in dp_counts.

    Parameters:
    - source (table): the raw rows.
    - measure (column): the numbers. NULL and NaN are not counted.
    - epsilon (number, 0.000001 to 100): the epsilon of differential privacy. Must be given.
    - unit (column): identifies the person of a row. All rows of a unit are protected together: nobody learns
      whether they were in the table; p1 and "P1 " are spellings of one. If not given, each row counts as a
      person, and people with several rows are protected less.
    - max_groups (integer, at least 1): the largest number of sizes (see Notes) in which a unit is counted.
      Must be given with unit.
    - max_rows (integer, at least 1): the largest number of rows of a unit that are counted in a group; 1 if
      not given.

    Result:
    - lo (number): the lower bound, a power of two or minus one. NULL if no size has enough rows.
    - hi (number): the upper bound.

    Errors: those of dp_sums.

    Notes: numbers are grouped into 143 sizes, up to 2^-10, 2^-9, ..., 2^61 in absolute value, each with a
    sign. A size with few rows is not detected; the numbers of these rows then count as the bound. With a
    probability of at most 5 %, a bound belongs to a size that no row has.

    Source: Wilson et al. 2020, section 5.1.1.

    ledger: told of the cost before any noise is drawn; what it raises ends the release. If it is of a part of
    the units, so is the release: rows of other units do not count. into, replace: as in `mondrian`. Noise is
    drawn by OpenDP (the extra sqlanon[dp]). Each call draws anew and costs its budget again, also where it
    ends with an error after that. How many rows max_groups and max_rows leave out is told on stderr: it is
    not private, and not in the release.

    Example: sqlanon.dp_bounds(con, "people", measure="income", epsilon=10)
    """
    return released(
        con,
        "dp_bounds",
        source,
        measure=measure,
        epsilon=epsilon,
        unit=unit,
        max_groups=max_groups,
        max_rows=max_rows,
        ledger=ledger,
        into=into,
        replace=replace,
    )


@connection_first
def dp_contingency(
    con: duckdb.DuckDBPyConnection,
    source: Source,
    columns: Names,
    marginals: Iterable[Iterable[str]],
    *,
    epsilon: float | None = None,
    delta: float | None = None,
    rho: float | None = None,
    unit: str | None = None,
    max_groups: int | None = None,
    max_rows: int | None = None,
    mechanism: Literal["laplace", "gaussian"] = "laplace",
    ledger: Ledger | None = None,
    into: str | None = None,
    replace: bool = False,
) -> RandomizedRelease:
    """Counts the rows in several marginals (tables of counts by some of the columns) of columns that are true
    or false, with noise, so that marginals with common columns agree: differential privacy, as in dp_counts.

    Parameters:
    - source (table): the raw rows.
    - columns (columns): columns of true and false, 16 at most. Rows with a NULL in one of them are not
      counted.
    - marginals (list of lists of columns): sets of these columns: [['smokes', 'coughs'], ['smokes', 'old']].
      The rows of each set are counted by its values.
    - epsilon (number, 0.000001 to 100): the epsilon of differential privacy. epsilon or rho must be given.
    - delta (number, 0 to 0.5): the delta of differential privacy, for gaussian noise.
    - rho (number, 0.000001 to 100): the rho of zero-concentrated differential privacy, instead of epsilon,
      for gaussian noise.
    - unit (column): identifies the person of a row. All rows of a unit are protected together: nobody learns
      whether they were in the table; p1 and "P1 " are spellings of one. If not given, each row counts as a
      person, and people with several rows are protected less.
    - max_groups (integer, at least 1): the largest number of combinations of values in which a unit is
      counted. Must be given with unit.
    - max_rows (integer, at least 1): the largest number of rows of a unit that are counted in a group; 1 if
      not given.
    - mechanism (one of laplace, gaussian): the distribution of the noise. Gaussian noise is smaller if a unit
      is in many groups.

    Result:
    - marginal (integer): the number of the set, from 1.
    - <columns> (boolean): the values; NULL in columns that the set does not have.
    - n (number): the number of rows with these values: an estimate with fractions, which may be below 0.
    - standard_deviation (number): the standard deviation of the noise.
    - low (number): the lower end of an interval of about 95 % for the number of counted rows. It is about
      noise only: rows beyond max_groups and max_rows are not counted.
    - high (number): the upper end.

    Errors: those of dp_counts; a column that is not true or false, a marginal of other columns.

    Notes: noise is added to one coefficient for each subset of the sets; its scale is their number times
    max_groups max_rows / epsilon. The paper makes counts whole and non-negative with a linear program; this
    macro does not.

    Source: Barak, Chaudhuri, Dwork, Kale, McSherry and Talwar 2007.

    ledger: told of the cost before any noise is drawn; what it raises ends the release. If it is of a part of
    the units, so is the release: rows of other units do not count. into, replace: as in `mondrian`. Noise is
    drawn by OpenDP (the extra sqlanon[dp]). Each call draws anew and costs its budget again, also where it
    ends with an error after that. How many rows max_groups and max_rows leave out is told on stderr: it is
    not private, and not in the release.

    Example: sqlanon.dp_contingency(con, "answers", columns=["old", "flu", "rich"], marginals=[["old", "flu"],
    ["rich"]], epsilon=1)
    """
    return released(
        con,
        "dp_contingency",
        source,
        columns=names(columns, "columns"),
        marginals=marginals,
        epsilon=epsilon,
        delta=delta,
        rho=rho,
        unit=unit,
        max_groups=max_groups,
        max_rows=max_rows,
        mechanism=mechanism,
        ledger=ledger,
        into=into,
        replace=replace,
    )


@connection_first
def dp_counts(
    con: duckdb.DuckDBPyConnection,
    source: Source,
    columns: Names,
    *,
    epsilon: float | None = None,
    delta: float | None = None,
    rho: float | None = None,
    unit: str | None = None,
    max_groups: int | None = None,
    max_rows: int | None = None,
    mechanism: Literal["laplace", "gaussian"] = "laplace",
    keys: Source = None,
    selection: Literal["threshold", "partition"] = "threshold",
    non_negative: bool = False,
    ledger: Ledger | None = None,
    into: str | None = None,
    replace: bool = False,
) -> RandomizedRelease:
    """Counts the rows of each group with noise, so that the counts hardly depend on the rows of any one
    person: differential privacy.

    Parameters:
    - source (table): the raw rows.
    - columns (columns): the columns to group by.
    - epsilon (number, 0.000001 to 100): the epsilon of differential privacy: the smaller, the more noise.
      epsilon or rho must be given.
    - delta (number, 0 to 0.5): the delta of differential privacy, at least 1e-20. Must be given without keys,
      and for gaussian noise.
    - rho (number, 0.000001 to 100): the rho of zero-concentrated differential privacy, instead of epsilon,
      for gaussian noise.
    - unit (column): identifies the person of a row. All rows of a unit are protected together: nobody learns
      whether they were in the table; p1 and "P1 " are spellings of one. If not given, each row counts as a
      person, and people with several rows are protected less.
    - max_groups (integer, at least 1): the largest number of groups in which a unit is counted. Must be given
      with unit.
    - max_rows (integer, at least 1): the largest number of rows of a unit that are counted in a group; 1 if
      not given.
    - mechanism (one of laplace, gaussian): the distribution of the noise. Gaussian noise is smaller if a unit
      is in many groups.
    - keys (table): all possible groups, in columns of the same names and types: public knowledge, which must
      not come from the rows. The result has exactly these groups.
    - selection (one of threshold, partition): how groups are chosen without keys. threshold: groups with a
      large noisy count; partition: each group is drawn with a probability that depends on its number of
      units, which shows smaller groups, but costs half of the budget.
    - non_negative (boolean): true: counts below 0 are replaced by 0. Sums of counts are then too large.

    Result:
    - <columns> (unchanged): the group; NULL is a group of its own.
    - n (integer): the number of rows, with noise.
    - standard_deviation (number): the standard deviation of the noise.
    - low (integer): the lower end of a 95 % interval for the number of counted rows. It is about noise only:
      rows beyond max_groups and max_rows are not counted. If half of the rows are left out, n, low and high
      are half of what they should be.
    - high (integer): the upper end.

    Errors: unknown column, no noise function, a parameter that is missing or cannot be combined with the
    others, a column of floating-point numbers, intervals or times with a zone among columns, keys of another
    type.

    Notes: neighbouring tables differ by all rows of one unit, added or removed. If a unit's rows change, this
    counts as both: the epsilon of a change is twice as large. NULL is a unit like any other. Rows beyond
    max_groups and max_rows are not counted. Their number is not in the release, because it is not protected
    by noise; Python and the command line print it on stderr, for the owner of the rows. Groups that passed a
    threshold have larger noise than others. The scale of Laplace noise is max_groups max_rows / epsilon, that
    of Gaussian noise max_rows sqrt(max_groups / 2 rho). Without keys, a group is shown if its noisy count is
    at least tau = max_rows + t, where t is the smallest number that the noise reaches with a probability of
    at most delta / max_groups (half of delta for Gaussian noise). How long a query takes may depend on the
    data. The types of the columns of a CSV file also depend on the data: use a table with declared types.
    count_errors measures how exact the counts are. Each call draws new noise and costs its epsilon and delta
    again; so does each reading of a view over it.

    Source: Dwork, McSherry, Nissim and Smith 2006; Ghosh, Roughgarden and Sundararajan 2009; Canonne, Kamath
    and Steinke 2020; Wilson et al. 2020; Desfontaines, Voss, Gipson and Mandayam 2022.

    ledger: told of the cost before any noise is drawn; what it raises ends the release. If it is of a part of
    the units, so is the release: rows of other units do not count. into, replace: as in `mondrian`. Noise is
    drawn by OpenDP (the extra sqlanon[dp]). Each call draws anew and costs its budget again, also where it
    ends with an error after that. How many rows max_groups and max_rows leave out is told on stderr: it is
    not private, and not in the release.

    Example: sqlanon.dp_counts(con, "people", columns="disease", epsilon=1, keys="known")
    """
    return released(
        con,
        "dp_counts",
        source,
        columns=names(columns, "columns"),
        epsilon=epsilon,
        delta=delta,
        rho=rho,
        unit=unit,
        max_groups=max_groups,
        max_rows=max_rows,
        mechanism=mechanism,
        keys=keys,
        selection=selection,
        non_negative=non_negative,
        ledger=ledger,
        into=into,
        replace=replace,
    )


@connection_first
def dp_histogram(
    con: duckdb.DuckDBPyConnection,
    source: Source,
    columns: Names,
    hierarchies: Source,
    *,
    epsilon: float | None = None,
    delta: float | None = None,
    rho: float | None = None,
    unit: str | None = None,
    max_groups: int | None = None,
    max_rows: int | None = None,
    mechanism: Literal["laplace", "gaussian"] = "laplace",
    non_negative: bool = True,
    ledger: Ledger | None = None,
    into: str | None = None,
    replace: bool = False,
) -> RandomizedRelease:
    """Counts the rows below every node of a hierarchy with noise, so that the counts of children add up to
    that of their parent: differential privacy, as in dp_counts.

    Parameters:
    - source (table): the raw rows.
    - columns (column): the column with a hierarchy.
    - hierarchies (table): rows of attribute, value, level and label, as returned by interval_hierarchy:
      public knowledge, which must not come from the rows. Build it from a table of all possible values. Rows
      with other values are not counted.
    - epsilon (number, 0.000001 to 100): the epsilon of differential privacy. epsilon or rho must be given.
    - delta (number, 0 to 0.5): the delta of differential privacy, for gaussian noise.
    - rho (number, 0.000001 to 100): the rho of zero-concentrated differential privacy, instead of epsilon,
      for gaussian noise.
    - unit (column): identifies the person of a row. All rows of a unit are protected together: nobody learns
      whether they were in the table; p1 and "P1 " are spellings of one. If not given, each row counts as a
      person, and people with several rows are protected less.
    - max_groups (integer, at least 1): the largest number of different values with which a unit is counted.
      Must be given with unit.
    - max_rows (integer, at least 1): the largest number of rows of a unit that are counted in a group; 1 if
      not given.
    - mechanism (one of laplace, gaussian): the distribution of the noise. Gaussian noise is smaller if a unit
      is in many groups.
    - non_negative (boolean): true: the counts are whole numbers of at least 0; false: the best estimates,
      which have fractions.

    Result:
    - level (integer): the level of the node; the root first, 0 for values.
    - label (text): the label of the node.
    - n (number): the number of rows below the node, with noise.
    - standard_deviation (number): the standard deviation of the estimate, before it is made a whole number of
      at least 0.
    - low (number): the lower end of an interval of about 95 % for the number of counted rows. It is about
      noise only: rows beyond max_groups and max_rows are not counted.
    - high (number): the upper end.

    Errors: those of dp_counts; no hierarchy for the column, or one that is not a tree.

    Notes: each level has an equal part of the budget. Each count is estimated from all noisy counts, so its
    standard deviation is smaller than that of the noise, most of all for the root.

    Source: Hay, Rastogi, Miklau and Suciu 2010, section 4.

    ledger: told of the cost before any noise is drawn; what it raises ends the release. If it is of a part of
    the units, so is the release: rows of other units do not count. into, replace: as in `mondrian`. Noise is
    drawn by OpenDP (the extra sqlanon[dp]). Each call draws anew and costs its budget again, also where it
    ends with an error after that. How many rows max_groups and max_rows leave out is told on stderr: it is
    not private, and not in the release.

    Example: sqlanon.dp_histogram(con, "people", columns="zip", hierarchies="hierarchies", epsilon=1)
    """
    return released(
        con,
        "dp_histogram",
        source,
        columns=names(columns, "columns"),
        hierarchies=hierarchies,
        epsilon=epsilon,
        delta=delta,
        rho=rho,
        unit=unit,
        max_groups=max_groups,
        max_rows=max_rows,
        mechanism=mechanism,
        non_negative=non_negative,
        ledger=ledger,
        into=into,
        replace=replace,
    )


@connection_first
def dp_means(
    con: duckdb.DuckDBPyConnection,
    source: Source,
    columns: Names,
    measure: str,
    bounds: Iterable[float],
    *,
    epsilon: float | None = None,
    delta: float | None = None,
    rho: float | None = None,
    unit: str | None = None,
    max_groups: int | None = None,
    max_rows: int | None = None,
    mechanism: Literal["laplace", "gaussian"] = "laplace",
    keys: Source = None,
    grid: float | None = None,
    ledger: Ledger | None = None,
    into: str | None = None,
    replace: bool = False,
) -> RandomizedRelease:
    """Takes the mean of a column in each group with noise, as the quotient of a noisy sum and a noisy count:
    differential privacy, as in dp_counts.

    Parameters:
    - source (table): the raw rows.
    - columns (columns): the columns to group by.
    - measure (column): the numbers to add up. NULL and NaN are not counted.
    - bounds (list of numbers): the smallest and the largest number: public knowledge, which must not come
      from the rows. Numbers outside count as the bound.
    - epsilon (number, 0.000001 to 100): the epsilon of differential privacy: the smaller, the more noise.
      epsilon or rho must be given.
    - delta (number, 0 to 0.5): the delta of differential privacy, at least 1e-20. Must be given without keys,
      and for gaussian noise.
    - rho (number, 0.000001 to 100): the rho of zero-concentrated differential privacy, instead of epsilon,
      for gaussian noise.
    - unit (column): identifies the person of a row. All rows of a unit are protected together: nobody learns
      whether they were in the table; p1 and "P1 " are spellings of one. If not given, each row counts as a
      person, and people with several rows are protected less.
    - max_groups (integer, at least 1): the largest number of groups in which a unit is counted. Must be given
      with unit.
    - max_rows (integer, at least 1): the largest number of rows of a unit that are counted in a group; 1 if
      not given. If a unit has more rows, their mean is counted this many times.
    - mechanism (one of laplace, gaussian): the distribution of the noise. Gaussian noise is smaller if a unit
      is in many groups.
    - keys (table): all possible groups, in columns of the same names and types: public knowledge, which must
      not come from the rows. The result has exactly these groups.
    - grid (number, above 0): numbers are rounded to multiples of it. If not given, a power of ten with at
      most a billion cells between 0 and the bounds.

    Result:
    - <columns> (unchanged): the group; NULL is one of its own.
    - mean (number): the mean, with noise, between the bounds.
    - n (integer): the number of rows with a number, with noise.
    - standard_deviation (number): the approximate standard deviation of the mean, if n is much larger than
      its noise.
    - low (number): the lower end of an interval of at least 95 % for the mean of the counted numbers. It is
      about noise only: it does not include the effects of max_groups, max_rows and bounds.
    - high (number): the upper end.

    Errors: those of dp_sums.

    Notes: the sums are of differences from the middle of the bounds, which halves their noise. Sums and
    counts each get half of the budget that is left after the choice of groups (without keys).

    Source: Dwork, McSherry, Nissim and Smith 2006; Li, Lyu, Su and Yang 2016, section 2.4 (from the middle).

    ledger: told of the cost before any noise is drawn; what it raises ends the release. If it is of a part of
    the units, so is the release: rows of other units do not count. into, replace: as in `mondrian`. Noise is
    drawn by OpenDP (the extra sqlanon[dp]). Each call draws anew and costs its budget again, also where it
    ends with an error after that. How many rows max_groups and max_rows leave out is told on stderr: it is
    not private, and not in the release.

    Example: sqlanon.dp_means(con, "people", columns="disease", measure="income", bounds=[0, 100000],
    epsilon=1, keys="known")
    """
    return released(
        con,
        "dp_means",
        source,
        columns=names(columns, "columns"),
        measure=measure,
        bounds=list(bounds),
        epsilon=epsilon,
        delta=delta,
        rho=rho,
        unit=unit,
        max_groups=max_groups,
        max_rows=max_rows,
        mechanism=mechanism,
        keys=keys,
        grid=grid,
        ledger=ledger,
        into=into,
        replace=replace,
    )


@connection_first
def dp_microaggregate(
    con: duckdb.DuckDBPyConnection,
    source: Source,
    columns: Names,
    bounds: Iterable[float],
    k: int,
    *,
    epsilon: float | None = None,
    delta: float | None = None,
    rho: float | None = None,
    mechanism: Literal["laplace", "gaussian"] = "laplace",
    ledger: Ledger | None = None,
    into: str | None = None,
    replace: bool = False,
) -> RandomizedRelease:
    """Releases the means of groups of k similar records with noise: differential privacy by microaggregation.
    It hides the values of a record, but not the number of records.

    Parameters:
    - source (table): the raw rows, one per record.
    - columns (columns): columns of numbers, 12 at most. NULL and NaN count as the middle of the bounds.
    - bounds (list of numbers): for each column in turn its smallest and largest number: public knowledge,
      which must not come from the rows. Numbers outside count as the bound.
    - k (integer, at least 1): the number of records in a group. The last group has up to 2 k - 1 records, or
      all records if there are fewer than k.
    - epsilon (number, 0.000001 to 100): the epsilon of differential privacy. epsilon or rho must be given.
    - delta (number, 0 to 0.5): the delta of differential privacy, for gaussian noise.
    - rho (number, 0.000001 to 100): the rho of zero-concentrated differential privacy, instead of epsilon,
      for gaussian noise.
    - mechanism (one of laplace, gaussian): the distribution of the noise. Gaussian noise is smaller if there
      are several columns and many groups.

    Result:
    - <columns> (number): the mean of the group, with noise, between the bounds.
    - n (integer): the number of records in the group.
    - standard_deviation (number): the standard deviation of the noise in each mean, as a share of the width
      of its bounds.

    Errors: those of dp_counts; a column that is not a number, bounds that are not valid.

    Notes: neighbouring tables differ in one *changed* record, and the number of rows is public, as in
    randomized_response. In a ledger that also has releases whose neighbours differ by added or removed rows,
    a change costs these twice. For a person with several records, epsilon is multiplied by their number.
    Numbers are rounded to one of 1,024 steps between their bounds (2^(60 / d), if there are d > 6 columns).
    Records are ordered along a Hilbert curve through the space within the bounds, so a change of one record
    moves at most one record into each group, and one out. With more groups there is more noise, with larger
    groups the means are coarser: the best k is near the square root of n / epsilon for one column, and up to
    ten times that for several.

    Source: Soria-Comas, Domingo-Ferrer, Sanchez and Martinez 2014; the bound of what a change can do along
    the curve is our own.

    ledger: told of the cost before any noise is drawn; what it raises ends the release. If it is of a part of
    the units, so is the release: rows of other units do not count. into, replace: as in `mondrian`. Noise is
    drawn by OpenDP (the extra sqlanon[dp]). Each call draws anew and costs its budget again, also where it
    ends with an error after that. How many rows max_groups and max_rows leave out is told on stderr: it is
    not private, and not in the release.

    Example: sqlanon.dp_microaggregate(con, "people", columns=["age", "income"], bounds=[0, 100, 0, 100000],
    k=4, epsilon=5)
    """
    return released(
        con,
        "dp_microaggregate",
        source,
        columns=names(columns, "columns"),
        bounds=list(bounds),
        k=k,
        epsilon=epsilon,
        delta=delta,
        rho=rho,
        mechanism=mechanism,
        ledger=ledger,
        into=into,
        replace=replace,
    )


@connection_first
def dp_quantiles(
    con: duckdb.DuckDBPyConnection,
    source: Source,
    columns: Names,
    measure: str,
    bounds: Iterable[float],
    *,
    quantiles: Iterable[float] = (0.5,),
    epsilon: float | None = None,
    delta: float | None = None,
    unit: str | None = None,
    max_groups: int | None = None,
    max_rows: int | None = None,
    keys: Source = None,
    cells: int = 100,
    ledger: Ledger | None = None,
    into: str | None = None,
    replace: bool = False,
) -> RandomizedRelease:
    """Estimates quantiles, such as the median, of a column in each group by the exponential mechanism:
    differential privacy, as in dp_counts.

    Parameters:
    - source (table): the raw rows.
    - columns (columns): the columns to group by.
    - measure (column): the numbers to add up. NULL and NaN are not counted.
    - bounds (list of numbers): the smallest and the largest number: public knowledge, which must not come
      from the rows. Numbers outside count as the bound.
    - quantiles (list of numbers, 0 to 1): the quantiles; 0.5 is the median. They share the budget. They are
      rounded to thousandths, and equal ones are computed once.
    - epsilon (number, 0.000001 to 100): the epsilon of differential privacy: the smaller, the more noise.
      epsilon or rho must be given.
    - delta (number, 0 to 0.5): the delta of differential privacy, at least 1e-20. Must be given without keys,
      and for gaussian noise.
    - unit (column): identifies the person of a row. All rows of a unit are protected together: nobody learns
      whether they were in the table; p1 and "P1 " are spellings of one. If not given, each row counts as a
      person, and people with several rows are protected less.
    - max_groups (integer, at least 1): the largest number of groups in which a unit is counted. Must be given
      with unit.
    - max_rows (integer, at least 1): the largest number of rows of a unit that are counted in a group; 1 if
      not given. Of more rows, this many are chosen at even distances in their order.
    - keys (table): all possible groups, in columns of the same names and types: public knowledge, which must
      not come from the rows. The result has exactly these groups.
    - cells (integer, at least 1): the number of cells of the same width into which the range is divided.

    Result:
    - <columns> (unchanged): the group; NULL is a group of its own.
    - quantile (number): one of the given quantiles.
    - value (number): the estimate: the middle of a cell.
    - rank_error (number): with a probability of 95 %, the cell is at most this many counted rows farther from
      the quantile than the best cell. Rows beyond max_groups and max_rows are not counted.

    Errors: those of dp_sums; quantiles that are not valid.

    Notes: each quantile of each group that a unit may be in has an equal part of the budget. There is no
    interval of values, because it would reveal something about the rows. rank_error is about ranks, and
    depends only on the budget.

    Source: McSherry and Talwar 2007; Smith 2011; McKenna and Sheldon 2020.

    ledger: told of the cost before any noise is drawn; what it raises ends the release. If it is of a part of
    the units, so is the release: rows of other units do not count. into, replace: as in `mondrian`. Noise is
    drawn by OpenDP (the extra sqlanon[dp]). Each call draws anew and costs its budget again, also where it
    ends with an error after that. How many rows max_groups and max_rows leave out is told on stderr: it is
    not private, and not in the release.

    Example: sqlanon.dp_quantiles(con, "people", columns="disease", measure="age", bounds=[0, 100],
    quantiles=[0.25, 0.75], epsilon=1, keys="known")
    """
    return released(
        con,
        "dp_quantiles",
        source,
        columns=names(columns, "columns"),
        measure=measure,
        bounds=list(bounds),
        quantiles=list(quantiles),
        epsilon=epsilon,
        delta=delta,
        unit=unit,
        max_groups=max_groups,
        max_rows=max_rows,
        keys=keys,
        cells=cells,
        ledger=ledger,
        into=into,
        replace=replace,
    )


@connection_first
def dp_sums(
    con: duckdb.DuckDBPyConnection,
    source: Source,
    columns: Names,
    measure: str,
    bounds: Iterable[float],
    *,
    epsilon: float | None = None,
    delta: float | None = None,
    rho: float | None = None,
    unit: str | None = None,
    max_groups: int | None = None,
    max_rows: int | None = None,
    mechanism: Literal["laplace", "gaussian"] = "laplace",
    keys: Source = None,
    grid: float | None = None,
    ledger: Ledger | None = None,
    into: str | None = None,
    replace: bool = False,
) -> RandomizedRelease:
    """Adds up a column in each group with noise: differential privacy, as in dp_counts.

    Parameters:
    - source (table): the raw rows.
    - columns (columns): the columns to group by.
    - measure (column): the numbers to add up. NULL and NaN are not counted.
    - bounds (list of numbers): the smallest and the largest number: public knowledge, which must not come
      from the rows. Numbers outside count as the bound.
    - epsilon (number, 0.000001 to 100): the epsilon of differential privacy: the smaller, the more noise.
      epsilon or rho must be given.
    - delta (number, 0 to 0.5): the delta of differential privacy, at least 1e-20. Must be given without keys,
      and for gaussian noise.
    - rho (number, 0.000001 to 100): the rho of zero-concentrated differential privacy, instead of epsilon,
      for gaussian noise.
    - unit (column): identifies the person of a row. All rows of a unit are protected together: nobody learns
      whether they were in the table; p1 and "P1 " are spellings of one. If not given, each row counts as a
      person, and people with several rows are protected less.
    - max_groups (integer, at least 1): the largest number of groups in which a unit is counted. Must be given
      with unit.
    - max_rows (integer, at least 1): the largest number of rows of a unit that are counted in a group; 1 if
      not given. If a unit has more rows, their mean is counted this many times.
    - mechanism (one of laplace, gaussian): the distribution of the noise. Gaussian noise is smaller if a unit
      is in many groups.
    - keys (table): all possible groups, in columns of the same names and types: public knowledge, which must
      not come from the rows. The result has exactly these groups.
    - grid (number, above 0): numbers are rounded to multiples of it. If not given, a power of ten with at
      most a billion cells between 0 and the bounds.

    Result:
    - <columns> (unchanged): the group; NULL is a group of its own.
    - total (number): the sum, with noise.
    - standard_deviation (number): the standard deviation of the noise.
    - low (number): the lower end of a 95 % interval for the sum of the counted numbers. It is about noise
      only: it does not include the effects of max_groups, max_rows and bounds.
    - high (number): the upper end.

    Errors: those of dp_counts; a measure that is not a number, bounds that are not valid, a grid that is too
    fine.

    Notes: without keys, groups are chosen by their number of units (selection := 'partition' in dp_counts)
    with a half of the budget. The scale of the noise is that of dp_counts, times the bound that is farther
    from 0.

    Source: Dwork, McSherry, Nissim and Smith 2006; Mironov 2012 (why on a grid); Wilson et al. 2020.

    ledger: told of the cost before any noise is drawn; what it raises ends the release. If it is of a part of
    the units, so is the release: rows of other units do not count. into, replace: as in `mondrian`. Noise is
    drawn by OpenDP (the extra sqlanon[dp]). Each call draws anew and costs its budget again, also where it
    ends with an error after that. How many rows max_groups and max_rows leave out is told on stderr: it is
    not private, and not in the release.

    Example: sqlanon.dp_sums(con, "people", columns="disease", measure="income", bounds=[0, 100000],
    epsilon=1, keys="known")
    """
    return released(
        con,
        "dp_sums",
        source,
        columns=names(columns, "columns"),
        measure=measure,
        bounds=list(bounds),
        epsilon=epsilon,
        delta=delta,
        rho=rho,
        unit=unit,
        max_groups=max_groups,
        max_rows=max_rows,
        mechanism=mechanism,
        keys=keys,
        grid=grid,
        ledger=ledger,
        into=into,
        replace=replace,
    )


@connection_first
def dp_top(
    con: duckdb.DuckDBPyConnection,
    source: Source,
    columns: Names,
    keys: Source,
    *,
    k: int = 1,
    epsilon: float | None = None,
    unit: str | None = None,
    max_rows: int | None = None,
    ledger: Ledger | None = None,
    into: str | None = None,
    replace: bool = False,
) -> RandomizedRelease:
    """Finds the k groups with most rows, by noisy max: differential privacy, as in dp_counts.

    Parameters:
    - source (table): the raw rows.
    - columns (columns): the columns to group by.
    - keys (table): all possible groups, in columns of the same names and types: public knowledge, which must
      not come from the rows.
    - k (integer, at least 1): the number of groups.
    - epsilon (number, 0.000001 to 100): the epsilon of differential privacy. Must be given.
    - unit (column): as in dp_counts; a unit may be in any number of groups.
    - max_rows (integer, at least 1): the largest number of rows of a unit that are counted in a group; 1 if
      not given.

    Result:
    - <columns> (unchanged): the group.
    - rank (integer): from 1 for the group with most rows, apart from noise.
    - count_error (number): with a probability of 95 %, no group outside the result has more rows than one in
      the result plus this number. Rows beyond max_rows are not counted.

    Errors: those of dp_counts.

    Notes: the result does not have the numbers of rows; dp_counts with these groups as keys counts them, for
    another epsilon. Each of the k groups costs an equal part of epsilon.

    Source: Dwork and Roth 2014, section 3.3; McKenna and Sheldon 2020.

    ledger: told of the cost before any noise is drawn; what it raises ends the release. If it is of a part of
    the units, so is the release: rows of other units do not count. into, replace: as in `mondrian`. Noise is
    drawn by OpenDP (the extra sqlanon[dp]). Each call draws anew and costs its budget again, also where it
    ends with an error after that. How many rows max_groups and max_rows leave out is told on stderr: it is
    not private, and not in the release.

    Example: sqlanon.dp_top(con, "people", columns="disease", keys="known", k=2, epsilon=1)
    """
    return released(
        con,
        "dp_top",
        source,
        columns=names(columns, "columns"),
        keys=keys,
        k=k,
        epsilon=epsilon,
        unit=unit,
        max_rows=max_rows,
        ledger=ledger,
        into=into,
        replace=replace,
    )


@connection_first
def dp_wavelet(
    con: duckdb.DuckDBPyConnection,
    source: Source,
    measure: str,
    bounds: Iterable[float],
    *,
    cells: int = 64,
    epsilon: float | None = None,
    delta: float | None = None,
    rho: float | None = None,
    unit: str | None = None,
    max_groups: int | None = None,
    max_rows: int | None = None,
    mechanism: Literal["laplace", "gaussian"] = "laplace",
    ledger: Ledger | None = None,
    into: str | None = None,
    replace: bool = False,
) -> RandomizedRelease:
    """Counts the rows in cells of a range of numbers by wavelets with noise, so that sums over ranges of
    cells have little noise: differential privacy, as in dp_counts.

    Parameters:
    - source (table): the raw rows.
    - measure (column): the numbers to add up. NULL and NaN are not counted.
    - bounds (list of numbers): the smallest and the largest number: public knowledge, which must not come
      from the rows. Numbers outside count as the bound.
    - cells (integer, 2 to 1048576): the number of cells of the same width; it is rounded up to a power of
      two.
    - epsilon (number, 0.000001 to 100): the epsilon of differential privacy. epsilon or rho must be given.
    - delta (number, 0 to 0.5): the delta of differential privacy, for gaussian noise.
    - rho (number, 0.000001 to 100): the rho of zero-concentrated differential privacy, instead of epsilon,
      for gaussian noise.
    - unit (column): identifies the person of a row. All rows of a unit are protected together: nobody learns
      whether they were in the table; p1 and "P1 " are spellings of one. If not given, each row counts as a
      person, and people with several rows are protected less.
    - max_groups (integer, at least 1): the largest number of cells in which a unit is counted. Must be given
      with unit.
    - max_rows (integer, at least 1): the largest number of rows of a unit that are counted in a group; 1 if
      not given.
    - mechanism (one of laplace, gaussian): the distribution of the noise. Gaussian noise is smaller if a unit
      is in many groups.

    Result:
    - lower (number): the lower end of the cell. Numbers below the first cell are counted in it.
    - upper (number): the upper end: this number is in the next cell, or, for the last cell, in the last.
    - n (number): the number of rows in the cell: an estimate with fractions, which may be below 0.
    - standard_deviation (number): the standard deviation of the noise of a cell. The noise of cells is
      correlated: that of a sum over a range of cells is usually smaller than if it were independent.
    - low (number): the lower end of an interval of about 95 % for the number of counted rows. It is about
      noise only: rows beyond max_groups and max_rows are not counted.
    - high (number): the upper end.

    Errors: those of dp_sums.

    Notes: for 2^h cells the scale of the noise is (1 + h) max_groups max_rows / epsilon. Rows without a
    number are not counted.

    Source: Xiao, Wang and Gehrke 2010.

    ledger: told of the cost before any noise is drawn; what it raises ends the release. If it is of a part of
    the units, so is the release: rows of other units do not count. into, replace: as in `mondrian`. Noise is
    drawn by OpenDP (the extra sqlanon[dp]). Each call draws anew and costs its budget again, also where it
    ends with an error after that. How many rows max_groups and max_rows leave out is told on stderr: it is
    not private, and not in the release.

    Example: sqlanon.dp_wavelet(con, "people", measure="age", bounds=[0, 80], cells=8, epsilon=1)
    """
    return released(
        con,
        "dp_wavelet",
        source,
        measure=measure,
        bounds=list(bounds),
        cells=cells,
        epsilon=epsilon,
        delta=delta,
        rho=rho,
        unit=unit,
        max_groups=max_groups,
        max_rows=max_rows,
        mechanism=mechanism,
        ledger=ledger,
        into=into,
        replace=replace,
    )


@connection_first
def indistinguishability(
    con: duckdb.DuckDBPyConnection,
    mechanism: Source,
    neighbors: Source,
    epsilons: Iterable[float] = (0, 1, 2),
) -> duckdb.DuckDBPyRelation:
    """Computes epsilon and delta of differential privacy for a randomized algorithm, given as a table of
    probabilities: the smallest epsilon with delta 0, and the smallest delta for each given epsilon. The
    result is exact, not an estimate.

    Parameters:
    - mechanism (table): rows of database, output and probability: the probability of each output of the
      algorithm for each possible database.
    - neighbors (table): rows of database and neighbor: pairs of databases that differ in one person, in
      either order.
    - epsilons (list of numbers, at least 0): the epsilons for which delta is computed.

    Result:
    - epsilon (number): in the first row the smallest epsilon with delta 0; infinity if an output is possible
      for only one of two neighbours. In further rows the given epsilons, from the smallest.
    - delta (number, 0 to 1): the smallest delta with which the mechanism is (epsilon, delta)-differentially
      private.
    - database (text): the worst pair of neighbours: the database whose outputs are more probable.
    - neighbor (text): the other database of this pair.

    Errors: an empty table, probabilities that do not add up to 1 for a database, a neighbour that is not in
    mechanism, an epsilon below 0.

    Notes: epsilon and delta are properties of the algorithm, not of one output. Only the pairs in neighbors
    are compared: if one is missing, the result may be too small.

    Source: Ganta, Kasiviswanathan and Smith 2008, Definitions 10, 11 and 16.

    The answer is a relation over a temporary table: it can be read again, filtered and joined, and stays as
    it is as long as the connection.

    Example: sqlanon.indistinguishability(con, "response", "pairs")
    """
    return answer_of(con, "indistinguishability", mechanism, neighbors, epsilons=list(epsilons))


@connection_first
def randomized_response(
    con: duckdb.DuckDBPyConnection,
    source: Source,
    columns: Names,
    keys: Source,
    *,
    epsilon: float | None = None,
    ledger: Ledger | None = None,
    into: str | None = None,
    replace: bool = False,
) -> RandomizedRelease:
    """Releases the values of a column row by row, each randomly changed so that it hardly reveals the true
    value: local differential privacy. debiased_counts estimates from the result how many rows have each
    value.

    Parameters:
    - source (table): the raw rows.
    - columns (column): the only column that is released.
    - keys (table): all possible values, at least two, in a column of the same name and type: public
      knowledge. A value that is not in keys becomes a random one.
    - epsilon (number, 0.000001 to 100): the epsilon of differential privacy. Must be given.

    Result:
    - <columns> (unchanged): a value for each row, sorted.

    Errors: unknown column, no noise function, fewer than two values in keys, or of another type.

    Notes: neighbouring tables differ in the value of one row: the release hides which value a row has, not
    the number of rows. For a person with several rows, epsilon is multiplied by their number. A value is kept
    with the probability p = exp(epsilon) / (exp(epsilon) + K - 1), of K values.

    Source: Warner 1965; Kairouz, Bonawitz and Ramage 2016.

    ledger: told of the cost before any noise is drawn; what it raises ends the release. If it is of a part of
    the units, so is the release: rows of other units do not count. into, replace: as in `mondrian`. Noise is
    drawn by OpenDP (the extra sqlanon[dp]). Each call draws anew and costs its budget again, also where it
    ends with an error after that. How many rows max_groups and max_rows leave out is told on stderr: it is
    not private, and not in the release.

    Example: sqlanon.randomized_response(con, "people", columns="disease", keys="known", epsilon=1)
    """
    return released(
        con,
        "randomized_response",
        source,
        columns=names(columns, "columns"),
        keys=keys,
        epsilon=epsilon,
        ledger=ledger,
        into=into,
        replace=replace,
    )


@connection_first
def sampled_k_anonymity(
    con: duckdb.DuckDBPyConnection,
    source: Source,
    columns: Names,
    k: int,
    share: float,
    *,
    epsilon: float | None = None,
    unit: str | None = None,
    ledger: Ledger | None = None,
    into: str | None = None,
    replace: bool = False,
) -> RandomizedRelease:
    """Draws a sample of the people and releases the groups of at least k of them: k-anonymity that is
    differentially private, if values were generalized in a way that was fixed before.

    Parameters:
    - source (table): the rows, generalized row by row, for example a view that turns ages into decades. The
      way to generalize must not depend on the rows.
    - columns (columns): all columns to release, including sensitive ones.
    - k (integer, 2 to 10000): groups with fewer than k drawn people are left out.
    - share (number, 0.001 to 0.999): the probability with which each person is drawn.
    - epsilon (number, 0.000001 to 100): the epsilon of differential privacy, at least -ln(1 - share). Must be
      given. It does not change the release, only the delta that belongs to it.
    - unit (column): identifies the person of a row; one of the different rows of each person is used. If not
      given, each row counts as a person.

    Result:
    - <columns> (unchanged): the group.
    - n (integer): the exact number of drawn people in the group.
    - estimate (number): an estimate of the number of people in the group: n / share.
    - standard_deviation (number): the approximate standard deviation of the estimate, from sampling alone; it
      does not account for the groups that are left out.

    Errors: unknown column, no sampling function, a number out of its range, a column of floating-point
    numbers.

    Notes: sampled_k_anonymity_privacy computes the delta. Keep secret who was drawn: an adversary who knows
    that somebody was drawn can count the others.

    Source: Li, Qardaji and Su 2012.

    ledger: told of the cost before any noise is drawn; what it raises ends the release. If it is of a part of
    the units, so is the release: rows of other units do not count. into, replace: as in `mondrian`. Noise is
    drawn by OpenDP (the extra sqlanon[dp]). Each call draws anew and costs its budget again, also where it
    ends with an error after that. How many rows max_groups and max_rows leave out is told on stderr: it is
    not private, and not in the release.

    Example: sqlanon.sampled_k_anonymity(con, "decades", columns="decade", k=2, share=0.9, epsilon=3)
    """
    return released(
        con,
        "sampled_k_anonymity",
        source,
        columns=names(columns, "columns"),
        k=k,
        share=share,
        epsilon=epsilon,
        unit=unit,
        ledger=ledger,
        into=into,
        replace=replace,
    )


@connection_first
def sampled_k_anonymity_privacy(
    con: duckdb.DuckDBPyConnection, k: int, share: float, epsilons: Iterable[float] = (1,)
) -> duckdb.DuckDBPyRelation:
    """Computes the privacy of sampled_k_anonymity: a delta of differential privacy for each epsilon.

    Parameters:
    - k (integer, 2 to 10000): the k of sampled_k_anonymity.
    - share (number, 0.001 to 0.999): the share of sampled_k_anonymity.
    - epsilons (list of numbers, at least 0): the epsilons for which delta is computed, each at least -ln(1 -
      share).

    Result:
    - epsilon (number): one of the given epsilons.
    - delta (number, 0 to 1): the smallest delta for this epsilon.
    - bound (number, 0 to 1): the bound of the paper, which is larger.

    Errors: a number out of its range, an epsilon that no delta goes with.

    Source: Li, Qardaji and Su 2012 (the bound); delta is our own derivation.

    The answer is a relation over a temporary table: it can be read again, filtered and joined, and stays as
    it is as long as the connection.

    Example: sqlanon.sampled_k_anonymity_privacy(con, 20, 0.2, epsilons=[0.5, 1])
    """
    return answer_of(con, "sampled_k_anonymity_privacy", k=k, share=share, epsilons=list(epsilons))


@connection_first
def semantic_bounds(
    con: duckdb.DuckDBPyConnection, epsilon: float, delta: float = 0, people: int = 1
) -> duckdb.DuckDBPyRelation:
    """Lists the bounds that differential privacy guarantees for the beliefs of any adversary: one row per
    bound.

    Parameters:
    - epsilon (number, 0 to 100): the epsilon of differential privacy.
    - delta (number, 0 to 1): the delta of differential privacy.
    - people (integer, at least 1): the number of people in the data.

    Result:
    - id (text): proposition_14, worst_prior, theorem_15_shift, theorem_15_probability, truth.
    - bound (number): the bound; NULL if there is none with this delta. A bound of 1 or more on a shift means
      nothing.
    - meaning (text): what is bounded.

    Errors: a number out of its range.

    Source: Ganta, Kasiviswanathan and Smith 2008, section 4 (the worst prior is our own derivation);
    Machanavajjhala and Kifer 2015 (truth).

    The answer is a relation over a temporary table: it can be read again, filtered and joined, and stays as
    it is as long as the connection.

    Example: sqlanon.semantic_bounds(con, 0.1, delta=0.0001, people=3)
    """
    return answer_of(con, "semantic_bounds", epsilon=epsilon, delta=delta, people=people)


@connection_first
def semantic_privacy(
    con: duckdb.DuckDBPyConnection, mechanism: Source, neighbors: Source, prior: Source = None
) -> duckdb.DuckDBPyRelation:
    """Computes how much the beliefs of an adversary depend on whether a person's data was used: one row per
    person and output of a randomized algorithm, for the worst of all priors (beliefs before the output) or
    for a given one.

    Parameters:
    - mechanism (table): rows of database, output and probability: the probability of each output of the
      algorithm for each possible database.
    - neighbors (table): rows of database, person and neighbor: neighbor is the database without the person,
      or with a default value in their place.
    - prior (table): rows of database and probability: the adversary's beliefs before the output. If not
      given, the worst of all priors is used.

    Result:
    - person (text): the person whose data was used, or not.
    - output (text): the output that the adversary sees.
    - shift (number, 0 to 1): the statistical difference of the adversary's two posterior distributions, with
      and without the person's data; 1 if the output is impossible without the person.
    - probability (number, 0 to 1): the probability of the output, under prior; NULL without a prior.
    - likelier (text): the database for which the person's data makes the output relatively most probable.
    - unlikelier (text): the database for which it makes the output relatively least probable.

    Errors: as of indistinguishability; a database without a neighbour for one of the people, or with several,
    and a prior that does not add up to 1.

    Notes: the largest shift is the epsilon of semantic privacy. With a prior, the probability of outputs with
    a larger shift for anybody is the delta of its relaxed form. semantic_bounds lists the bounds that
    differential privacy guarantees for both. The shift is about what one person's data adds; the data of all
    people may reveal more about people like them.

    Source: Ganta, Kasiviswanathan and Smith 2008, Definitions 12 and 13; the worst prior is our own
    derivation.

    The answer is a relation over a temporary table: it can be read again, filtered and joined, and stays as
    it is as long as the connection.

    Example: sqlanon.semantic_privacy(con, "response", "without")
    """
    return answer_of(con, "semantic_privacy", mechanism, neighbors, prior=prior)


@connection_first
def uncertain_counts(
    con: duckdb.DuckDBPyConnection,
    people: int,
    share: float,
    k: int | None = None,
    epsilons: Iterable[float] = (1,),
) -> duckdb.DuckDBPyRelation:
    """Computes how much exact counts reveal about a person, if the adversary is uncertain about other people:
    an epsilon and a delta as in differential privacy, one row per adversary and epsilon.

    Parameters:
    - people (integer, at least 1): the number of other people about whom the adversary is uncertain,
      independently of each other.
    - share (number, 0 to 1): the probability, for the adversary, that each of them has the value that is
      counted.
    - k (integer, at least 1): counts below k are not released. If not given, all are.
    - epsilons (list of numbers, at least 0): the epsilons for which delta is computed.

    Result:
    - adversary (text): rare, with k: counts from k up are released, and nobody has the value with a higher
      probability than share. common: all counts are released, and everybody has it with this probability.
      various: the same, but the probabilities are anything between share and 1 - share, and the adversary
      knows them.
    - epsilon (number): for rare its own epsilon, otherwise the given ones.
    - delta (number, 0 to 1): the smallest delta for this epsilon, to nine digits after the point.

    Errors: a number out of its range.

    Notes: an adversary who knows everybody else's value learns a person's value from an exact count.
    Differential privacy protects against such adversaries; this result does not. For various, delta is an
    upper bound. More than 100000 people (for various more than 2000) are computed as this number; the true
    delta is then smaller.

    Source: Desfontaines 2024, section 3.2 (the definitions; the formulas are our own derivation).

    The answer is a relation over a temporary table: it can be read again, filtered and joined, and stays as
    it is as long as the connection.

    Example: sqlanon.uncertain_counts(con, 1000, 0.01, k=30)
    """
    return answer_of(con, "uncertain_counts", people=people, share=share, k=k, epsilons=list(epsilons))
