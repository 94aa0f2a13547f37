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
    """Tells what several randomized releases of the same data cost together: one row per rule of composition,
    and which of them has the smaller epsilon.

    Parameters:
    - costs (table): a row per release, of epsilon, delta and rho. rho is of zero-concentrated differential
      privacy, but for delta; NULL: what follows from epsilon, which is its square / 2.
    - target_delta (number, 0 to 1): at which zero-concentrated differential privacy becomes an epsilon, and
      the most that the deltas of all releases may add up to.

    Result:
    - composition (text): basic (sums of epsilon and delta) or zcdp (the sum of rho, converted by
      zcdp_epsilon).
    - epsilon (number): of all together.
    - delta (number): likewise.
    - rho (number): of zcdp the sum; NULL for basic.
    - counts (boolean): true of the rule with the smaller epsilon, if its delta is not above the given one.

    Errors: a cost that is none, target_delta out of its range.

    Notes: that holds if every release may be about everybody. Of releases about disjoint sets of people the
    dearest counts. The smaller of two epsilons holds if the costs were not chosen by looking at earlier
    answers; basic composition holds in any case.

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
    - source (table): what randomized_response has released.
    - columns (column): the one whose values are random.
    - keys (table): the values that there may be, as they were given there.
    - epsilon (number, 0.000001 to 100): as it was given there.

    Result:
    - <columns> (unchanged): the value.
    - n (number): how many rows had it; without bias, so that it may be below 0.
    - standard_deviation (number): of the estimate.
    - low (number): between low and high is the number of rows with a probability of about 95 %.
    - high (number): see low.

    Errors: unknown column, an epsilon out of its range.

    Notes: with c of N rows that say a value, n is (c - N q) / (p - q), where p and q are the probabilities
    that a value stays, and that it becomes a certain other. It costs nothing: it is made from what has been
    released.

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
    - measure (column): the numbers. NULL and NaN do not count.
    - epsilon (number, 0.000001 to 100): of differential privacy. Must be given.
    - unit (column): says whose a row is. All that is promised is promised to units: nobody learns whether all
      rows of one were there. If not given, each row is a person of its own, and who has several is protected
      less.
    - max_groups (integer, at least 1): with numbers of how many sizes a unit counts at most. Must be given
      with unit.
    - max_rows (integer, at least 1): for how many rows a unit counts in a group at most; 1 if not given.

    Result:
    - lo (number): the lower bound, a power of two or its opposite. NULL where no size has enough rows.
    - hi (number): the upper bound.

    Errors: those of dp_sums.

    Notes: there are 143 sizes, up to 2^-10, 2^-9, ..., 2^61 in absolute value, each with a sign. A size that
    few rows have is not seen; the numbers of these rows then count as a bound. With a probability of 5 % at
    most a bound is one of a size that nobody has.

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
    """Counts the rows in several marginals of columns that are true or false, with noise, so that marginals
    with common columns agree: differential privacy, as in dp_counts.

    Parameters:
    - source (table): the raw rows.
    - columns (columns): of truth values, 16 at most. Rows with a NULL in one of them do not count.
    - marginals (list of lists of columns): sets of these columns: [['smokes', 'coughs'], ['smokes', 'old']].
      The rows of each set are counted by its values.
    - epsilon (number, 0.000001 to 100): of differential privacy. Must be given, or rho.
    - delta (number, 0 to 0.5): of differential privacy, for gaussian noise.
    - rho (number, 0.000001 to 100): of zero-concentrated differential privacy, instead of epsilon, for
      gaussian noise.
    - unit (column): says whose a row is. All that is promised is promised to units: nobody learns whether all
      rows of one were there. If not given, each row is a person of its own, and who has several is protected
      less.
    - max_groups (integer, at least 1): with how many combinations of values a unit counts at most. Must be
      given with unit.
    - max_rows (integer, at least 1): for how many rows a unit counts in a group at most; 1 if not given.
    - mechanism (one of laplace, gaussian): the distribution of the noise. Gaussian noise is less where a unit
      is in many groups.

    Result:
    - marginal (integer): the number of the set, from 1.
    - <columns> (boolean): the values; NULL in columns that the set does not have.
    - n (number): the number of rows with them: an estimate, with fractions, and below 0 now and then.
    - standard_deviation (number): of the noise.
    - low (number): the noise leaves the count between low and high with a probability of about 95 %: the
      count of the rows that max_groups and max_rows let count. What these leave out is a bias, which the
      interval does not cover.
    - high (number): see low.

    Errors: those of dp_counts; a column that is not true or false, a marginal of other columns.

    Notes: noise is added to as many coefficients as the sets have subsets between them; its scale is their
    number times max_groups max_rows / epsilon. The paper makes counts whole and non-negative by a linear
    program, which this does not.

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
    """Counts the rows of each group with noise, so that the counts hardly depend on anybody's rows:
    differential privacy.

    Parameters:
    - source (table): the raw rows.
    - columns (columns): to group by.
    - epsilon (number, 0.000001 to 100): of differential privacy. Must be given, or rho.
    - delta (number, 0 to 0.5): of differential privacy, 1e-20 at least. Must be given without keys, and for
      gaussian noise.
    - rho (number, 0.000001 to 100): of zero-concentrated differential privacy, instead of epsilon, for
      gaussian noise.
    - unit (column): says whose a row is. All that is promised is promised to units: nobody learns whether all
      rows of one were there. If not given, each row is a person of its own, and who has several is protected
      less.
    - max_groups (integer, at least 1): in how many groups a unit counts at most. Must be given with unit.
    - max_rows (integer, at least 1): for how many rows a unit counts in a group at most; 1 if not given.
    - mechanism (one of laplace, gaussian): the distribution of the noise. Gaussian noise is less where a unit
      is in many groups.
    - keys (table): all groups that there may be, in columns of the same names and types: public knowledge,
      which must not come from the rows. Each of them is in the result, and no other.
    - selection (one of threshold, partition): how groups are chosen without keys. By threshold those with a
      large noisy count are; by partition each is drawn by how many units it has, which shows smaller groups,
      and costs half of the budget.
    - non_negative (boolean): counts below 0 leave as 0. Their sums are too large then.

    Result:
    - <columns> (unchanged): the group; NULL is one of its own.
    - n (integer): the number of rows, with noise.
    - standard_deviation (number): of the noise.
    - low (integer): the noise leaves the count between low and high with a probability of 95 %: the count of
      the rows that max_groups and max_rows let count. What these leave out is a bias, which no interval
      covers: with half of the rows left out, n is half of what it should be, and so are low and high.
    - high (integer): see low.

    Errors: unknown column, no noise function, a parameter that is lacking or does not go with the others, a
    column of floating-point numbers, intervals or times with a zone among columns, keys of another type.

    Notes: neighbours differ by all rows of one unit, added or removed. Who changes instead of coming or going
    is both: the epsilon of a change is twice as large. NULL is a unit like any other. Rows beyond max_groups
    and max_rows do not count. How many these are is not in the release, because that would be about people;
    Python and the command line tell it to whoever has the rows, on stderr. Of groups that passed a threshold
    the noise is larger than of others. The scale of Laplace noise is max_groups max_rows / epsilon, that of
    Gaussian noise max_rows sqrt(max_groups / 2 rho). A group without keys is shown if its noisy count is at
    least tau = max_rows + t, where t is the least that the noise reaches with a probability of at most delta
    / max_groups (of half of delta for Gaussian noise). How long a query takes may depend on the data. The
    types of a CSV file do as well: give a table with declared types. count_errors measures what a release is
    good for. Each call draws anew and costs its epsilon and delta again; so does each reading of a view over
    it.

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
    - columns (column): the one that has a hierarchy.
    - hierarchies (table): rows of attribute, value, level and label, as interval_hierarchy gives them: public
      knowledge, which must not come from the rows. Build it from a table of all values that there may be.
      Rows with other values do not count.
    - epsilon (number, 0.000001 to 100): of differential privacy. Must be given, or rho.
    - delta (number, 0 to 0.5): of differential privacy, for gaussian noise.
    - rho (number, 0.000001 to 100): of zero-concentrated differential privacy, instead of epsilon, for
      gaussian noise.
    - unit (column): says whose a row is. All that is promised is promised to units: nobody learns whether all
      rows of one were there. If not given, each row is a person of its own, and who has several is protected
      less.
    - max_groups (integer, at least 1): with how many different values a unit counts at most. Must be given
      with unit.
    - max_rows (integer, at least 1): for how many rows a unit counts in a group at most; 1 if not given.
    - mechanism (one of laplace, gaussian): the distribution of the noise. Gaussian noise is less where a unit
      is in many groups.
    - non_negative (boolean): the counts are whole numbers of at least 0; otherwise the best estimates, which
      have fractions.

    Result:
    - level (integer): of the node; the root first, 0 for values.
    - label (text): of the node.
    - n (number): the number of rows below it.
    - standard_deviation (number): of the estimate, before it is made a whole number of at least 0.
    - low (number): the estimate leaves the count between low and high with a probability of about 95 %: the
      count of the rows that max_groups and max_rows let count. What these leave out is a bias, which the
      interval does not cover.
    - high (number): see low.

    Errors: those of dp_counts; no hierarchy for the column, or one that is not a tree.

    Notes: each level has an equal part of the budget. A count uses the noisy ones of all others, so that its
    standard deviation is less than that of the noise: of the root most of all.

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
    - columns (columns): to group by.
    - measure (column): the numbers that are added up. NULL and NaN do not count.
    - bounds (list of numbers): the least and the largest number that counts: public knowledge, which must not
      come from the rows. Numbers beyond count as the bound.
    - epsilon (number, 0.000001 to 100): of differential privacy. Must be given, or rho.
    - delta (number, 0 to 0.5): of differential privacy, 1e-20 at least. Must be given without keys, and for
      gaussian noise.
    - rho (number, 0.000001 to 100): of zero-concentrated differential privacy, instead of epsilon, for
      gaussian noise.
    - unit (column): says whose a row is. All that is promised is promised to units: nobody learns whether all
      rows of one were there. If not given, each row is a person of its own, and who has several is protected
      less.
    - max_groups (integer, at least 1): in how many groups a unit counts at most. Must be given with unit.
    - max_rows (integer, at least 1): for how many rows a unit counts in a group at most; 1 if not given. Who
      has more has the mean of their rows counted so many times.
    - mechanism (one of laplace, gaussian): the distribution of the noise. Gaussian noise is less where a unit
      is in many groups.
    - keys (table): all groups that there may be, in columns of the same names and types: public knowledge,
      which must not come from the rows. Each of them is in the result, and no other.
    - grid (number, above 0): what numbers are rounded to a multiple of. If not given, a power of ten with at
      most a billion cells between 0 and the bounds.

    Result:
    - <columns> (unchanged): the group; NULL is one of its own.
    - mean (number): between the bounds.
    - n (integer): the number of rows with a number, with noise.
    - standard_deviation (number): of the mean, about: that of the quotient, if n is much larger than its
      noise.
    - low (number): the noise leaves the mean between low and high with a probability of 95 % at least: the
      mean of what max_groups, max_rows and bounds let count. What these change is a bias, which the interval
      does not cover.
    - high (number): see low.

    Errors: those of dp_sums.

    Notes: sums are those of differences from the middle of the bounds, which halves their noise; sums and
    counts get a half of the budget each, after what the choice of groups without keys has cost.

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
    What is hidden is what a record says, not how many records there are.

    Parameters:
    - source (table): the raw rows, a record each.
    - columns (columns): of numbers, 12 at most. NULL and NaN count as the middle of the bounds.
    - bounds (list of numbers): for each column in turn the least and the largest number that counts: public
      knowledge, which must not come from the rows. Numbers beyond count as the bound.
    - k (integer, at least 1): how many records a group has. The last one has up to 2 k - 1, and all there are
      if these are fewer than k.
    - epsilon (number, 0.000001 to 100): of differential privacy. Must be given, or rho.
    - delta (number, 0 to 0.5): of differential privacy, for gaussian noise.
    - rho (number, 0.000001 to 100): of zero-concentrated differential privacy, instead of epsilon, for
      gaussian noise.
    - mechanism (one of laplace, gaussian): the distribution of the noise. Gaussian noise is less where there
      are several columns and many groups.

    Result:
    - <columns> (number): the mean of the group, with noise, between the bounds.
    - n (integer): how many records the group has.
    - standard_deviation (number): of the noise in each of these means, as a share of the width of its bounds.

    Errors: those of dp_counts; a column that is no number, bounds that are none.

    Notes: neighbours differ by one record that is *changed*, and n, the number of rows, is public, as in
    randomized_response; in a ledger with releases whose neighbours come or go, these cost twice for a change.
    Somebody with several records is protected by their number times epsilon. Numbers are rounded to one of
    1,024 steps between their bounds (2^(60 / d), if there are d > 6 columns). Records are ordered by
    Hilbert's curve through the space within the bounds, so that the change of one moves at most one record
    into each group, and one out. With more groups there is more noise, with larger ones they are coarser: the
    best k is near the square root of n / epsilon for one column, and up to ten times that for several.

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
    """Tells quantiles of a column in each group, medians say, by the exponential mechanism: differential
    privacy, as in dp_counts.

    Parameters:
    - source (table): the raw rows.
    - columns (columns): to group by.
    - measure (column): the numbers that are added up. NULL and NaN do not count.
    - bounds (list of numbers): the least and the largest number that counts: public knowledge, which must not
      come from the rows. Numbers beyond count as the bound.
    - quantiles (list of numbers, 0 to 1): which; 0.5 is the median. They share the budget. They are taken in
      thousandths, and those that are equal then are one.
    - epsilon (number, 0.000001 to 100): of differential privacy. Must be given, or rho.
    - delta (number, 0 to 0.5): of differential privacy, 1e-20 at least. Must be given without keys, and for
      gaussian noise.
    - unit (column): says whose a row is. All that is promised is promised to units: nobody learns whether all
      rows of one were there. If not given, each row is a person of its own, and who has several is protected
      less.
    - max_groups (integer, at least 1): in how many groups a unit counts at most. Must be given with unit.
    - max_rows (integer, at least 1): for how many rows a unit counts in a group at most; 1 if not given. Of
      more rows, so many count that are evenly apart in their order.
    - keys (table): all groups that there may be, in columns of the same names and types: public knowledge,
      which must not come from the rows. Each of them is in the result, and no other.
    - cells (integer, at least 1): of the same width, into which the range is cut.

    Result:
    - <columns> (unchanged): the group; NULL is one of its own.
    - quantile (number): one of those that were given.
    - value (number): the middle of a cell.
    - rank_error (number): with a probability of 95 %, by how many more rows the cell is off than the best
      one, at most. Of the rows that count: what max_groups and max_rows leave out is not covered.

    Errors: those of dp_sums; quantiles that are none.

    Notes: each quantile of each group that somebody may be in has an equal part of the budget. An interval of
    values would be about the rows. rank_error is about ranks, and follows from the budget alone.

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
    - columns (columns): to group by.
    - measure (column): the numbers that are added up. NULL and NaN do not count.
    - bounds (list of numbers): the least and the largest number that counts: public knowledge, which must not
      come from the rows. Numbers beyond count as the bound.
    - epsilon (number, 0.000001 to 100): of differential privacy. Must be given, or rho.
    - delta (number, 0 to 0.5): of differential privacy, 1e-20 at least. Must be given without keys, and for
      gaussian noise.
    - rho (number, 0.000001 to 100): of zero-concentrated differential privacy, instead of epsilon, for
      gaussian noise.
    - unit (column): says whose a row is. All that is promised is promised to units: nobody learns whether all
      rows of one were there. If not given, each row is a person of its own, and who has several is protected
      less.
    - max_groups (integer, at least 1): in how many groups a unit counts at most. Must be given with unit.
    - max_rows (integer, at least 1): for how many rows a unit counts in a group at most; 1 if not given. Who
      has more has the mean of their rows counted so many times.
    - mechanism (one of laplace, gaussian): the distribution of the noise. Gaussian noise is less where a unit
      is in many groups.
    - keys (table): all groups that there may be, in columns of the same names and types: public knowledge,
      which must not come from the rows. Each of them is in the result, and no other.
    - grid (number, above 0): what numbers are rounded to a multiple of. If not given, a power of ten with at
      most a billion cells between 0 and the bounds.

    Result:
    - <columns> (unchanged): the group; NULL is one of its own.
    - total (number): the sum, with noise.
    - standard_deviation (number): of the noise.
    - low (number): the noise leaves the sum between low and high with a probability of 95 %: the sum of what
      max_groups, max_rows and bounds let count. What these change is a bias, which the interval does not
      cover.
    - high (number): see low.

    Errors: those of dp_counts; a measure that is no number, bounds that are none, a grid that is too fine.

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
    """Tells which groups have most rows, by noisy max: differential privacy, as in dp_counts.

    Parameters:
    - source (table): the raw rows.
    - columns (columns): to group by.
    - keys (table): all groups that there may be, in columns of the same names and types: public knowledge,
      which must not come from the rows.
    - k (integer, at least 1): how many groups.
    - epsilon (number, 0.000001 to 100): of differential privacy. Must be given.
    - unit (column): as in dp_counts; somebody may be in any number of groups.
    - max_rows (integer, at least 1): for how many rows a unit counts in a group at most; 1 if not given.

    Result:
    - <columns> (unchanged): the group.
    - rank (integer): from 1, for the group with most rows, as far as noise lets it be seen.
    - count_error (number): with a probability of 95 %, no group that is left out has more rows than one that
      is told and so many. Rows beyond max_rows do not count.

    Errors: those of dp_counts.

    Notes: how many rows the groups have is not told; dp_counts with these groups as keys counts them, for
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
    cells have little of it: differential privacy, as in dp_counts.

    Parameters:
    - source (table): the raw rows.
    - measure (column): the numbers that are added up. NULL and NaN do not count.
    - bounds (list of numbers): the least and the largest number that counts: public knowledge, which must not
      come from the rows. Numbers beyond count as the bound.
    - cells (integer, 2 to 1048576): of the same width; made a power of two, up.
    - epsilon (number, 0.000001 to 100): of differential privacy. Must be given, or rho.
    - delta (number, 0 to 0.5): of differential privacy, for gaussian noise.
    - rho (number, 0.000001 to 100): of zero-concentrated differential privacy, instead of epsilon, for
      gaussian noise.
    - unit (column): says whose a row is. All that is promised is promised to units: nobody learns whether all
      rows of one were there. If not given, each row is a person of its own, and who has several is protected
      less.
    - max_groups (integer, at least 1): in how many cells a unit counts at most. Must be given with unit.
    - max_rows (integer, at least 1): for how many rows a unit counts in a group at most; 1 if not given.
    - mechanism (one of laplace, gaussian): the distribution of the noise. Gaussian noise is less where a unit
      is in many groups.

    Result:
    - lower (number): where the cell begins. Smaller numbers are in the first.
    - upper (number): where it ends: this number is in the next cell, or in the last.
    - n (number): the number of rows in it: an estimate, with fractions, and below 0 now and then.
    - standard_deviation (number): of the noise of a cell. That of a range of cells is not the sum of theirs,
      but mostly less: they have noise in common.
    - low (number): the noise leaves the count between low and high with a probability of about 95 %: the
      count of the rows that max_groups and max_rows let count. What these leave out is a bias, which the
      interval does not cover.
    - high (number): see low.

    Errors: those of dp_sums.

    Notes: for 2^h cells the scale of the noise is (1 + h) max_groups max_rows / epsilon. Rows without a
    number do not count.

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
    """Tells how well the outputs of a randomized algorithm tell neighbouring databases apart: the least
    epsilon of differential privacy, and the least delta for each of some smaller ones. It is worked out, not
    estimated.

    Parameters:
    - mechanism (table): rows of database, output and probability: what the algorithm gives for every database
      that there might be.
    - neighbors (table): rows of database and neighbor: which of these differ in one person. Either order will
      do.
    - epsilons (list of numbers, at least 0): for which delta is asked.

    Result:
    - epsilon (number): in the first row the least with which delta is 0: infinity where an output is possible
      for one of two neighbours only. In further rows those in epsilons, from the smallest.
    - delta (number, 0 to 1): the least with which the mechanism is (epsilon, delta)-differentially private.
    - database (text): of the two neighbours that need so much, the one whose outputs are more probable.
    - neighbor (text): the other one.

    Errors: an empty table, probabilities that do not add up to 1 for a database, a neighbour of which the
    mechanism says nothing, an epsilon below 0.

    Notes: that is a property of the algorithm, not of one output of it. Only the pairs in neighbors are
    looked at: who leaves one out gets too good an answer.

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
    """Releases the values of a column row by row, each changed by chance so that it hardly tells what it was:
    local differential privacy. debiased_counts estimates from them how many rows have each value.

    Parameters:
    - source (table): the raw rows.
    - columns (column): the one whose values leave, and no other.
    - keys (table): all values that there may be, two at least, in a column of the same name and type: public
      knowledge. A value that is none of them becomes any.
    - epsilon (number, 0.000001 to 100): of differential privacy. Must be given.

    Result:
    - <columns> (unchanged): a row for each row, sorted.

    Errors: unknown column, no noise function, fewer than two values in keys, or of another type.

    Notes: neighbours differ by the value of one row: what is hidden is which value a row has, not how many
    rows there are. Somebody with several rows is protected by their number times epsilon. A value stays with
    the probability p = exp(epsilon) / (exp(epsilon) + K - 1), of K values.

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
    - source (table): the rows, generalized row by row: a view, say, that makes decades of ages. Nothing of
      how that is done may come from the rows.
    - columns (columns): all that leaves; sensitive columns, too.
    - k (integer, 2 to 10000): groups of fewer who are drawn are left out.
    - share (number, 0.001 to 0.999): the probability with which each is drawn.
    - epsilon (number, 0.000001 to 100): of differential privacy, -ln(1 - share) at least. Must be given. It
      does not change the release, only which delta is told of it.
    - unit (column): says whose a row is; of each unit one of their different rows counts. If not given, each
      row is a person.

    Result:
    - <columns> (unchanged): the group.
    - n (integer): how many of it were drawn, exactly.
    - estimate (number): of how many there are: n / share.
    - standard_deviation (number): of that, about, for sampling alone: groups that happen to have k are
      released and others are not.

    Errors: unknown column, no sampling function, a number out of its range, a column of floating-point
    numbers.

    Notes: sampled_k_anonymity_privacy has the delta. The sample must be secret: who knows that somebody was
    drawn can count the others.

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
    """Tells how private sampled_k_anonymity is: a delta of differential privacy for each epsilon.

    Parameters:
    - k (integer, 2 to 10000): groups of fewer are left out.
    - share (number, 0.001 to 0.999): of the people who are drawn.
    - epsilons (list of numbers, at least 0): for which delta is asked; -ln(1 - share) at least.

    Result:
    - epsilon (number): one of those.
    - delta (number, 0 to 1): the least for it.
    - bound (number, 0 to 1): that of the paper, which is larger.

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
    """Lists what differential privacy promises of the beliefs of any adversary: one row per bound.

    Parameters:
    - epsilon (number, 0 to 100): of differential privacy.
    - delta (number, 0 to 1): of differential privacy.
    - people (integer, at least 1): how many people's data there is.

    Result:
    - id (text): proposition_14, worst_prior, theorem_15_shift, theorem_15_probability, truth.
    - bound (number): NULL where there is none with this delta. Shifts of 1 and more say nothing.
    - meaning (text): what it bounds.

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
    """Tells how much the beliefs of an adversary depend on whether somebody's data was used: one row per
    person and output of a randomized algorithm, with the worst of all priors or with one that is given.

    Parameters:
    - mechanism (table): rows of database, output and probability: what the algorithm gives for every database
      that there might be.
    - neighbors (table): rows of database, person and neighbor: what each database is without each person, or
      with a default value in their place.
    - prior (table): rows of database and probability: what the adversary believes before. If not given, it is
      the worst of all priors.

    Result:
    - person (text): whose data was used, or not.
    - output (text): what the adversary sees.
    - shift (number, 0 to 1): how far apart the beliefs are: the statistical difference of the two posterior
      distributions. 1 where the output is impossible without the person.
    - probability (number, 0 to 1): of the output, under prior; NULL without one.
    - likelier (text): the database for which the person's data makes the output relatively most probable.
    - unlikelier (text): the one for which it makes it least.

    Errors: as of indistinguishability; a database without a neighbour for one of the people, or with several,
    and a prior that does not add up to 1.

    Notes: the largest shift is the epsilon of semantic privacy. With a prior, the probability of outputs with
    a larger shift for anybody is the delta of its relaxed form. semantic_bounds has what differential privacy
    promises of both. It is about what somebody's data adds; what everybody's data tells of people like them
    may be more.

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
    """Tells what exact counts give away about somebody, if the adversary is unsure of other people: an
    epsilon and a delta of differential privacy, one row per adversary and epsilon.

    Parameters:
    - people (integer, at least 1): of how many other people the adversary is unsure, independently of each
      other.
    - share (number, 0 to 1): with which probability each of them has the value that is counted.
    - k (integer, at least 1): counts below k are not released. If not given, all are.
    - epsilons (list of numbers, at least 0): for which delta is asked.

    Result:
    - adversary (text): rare, with k: counts from k up are released, and nobody has the value with a higher
      probability than share. common: all counts are released, and everybody has it with this probability.
      various: the same, but the probabilities are anything between share and 1 - share, and the adversary
      knows them.
    - epsilon (number): of rare its own, else those in epsilons.
    - delta (number, 0 to 1): the least for it, to nine digits after the point.

    Errors: a number out of its range.

    Notes: whoever is sure of everybody else learns from an exact count what somebody has. That is what
    differential privacy is about, and it is not said here. Of various, delta is a bound, and may be less.
    More than 100000 people count as so many, of various more than 2000; with more of them delta is less.

    Source: Desfontaines 2024, section 3.2 (the definitions; the formulas are our own derivation).

    The answer is a relation over a temporary table: it can be read again, filtered and joined, and stays as
    it is as long as the connection.

    Example: sqlanon.uncertain_counts(con, 1000, 0.01, k=30)
    """
    return answer_of(con, "uncertain_counts", people=people, share=share, k=k, epsilons=list(epsilons))
