# Written by `make reference` from the comments in sql/anonymize/.
"""The macros of sql/anonymize/ as functions: `sqlanon.core.answer` says what an answer is."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Unpack

import duckdb

from sqlanon.core.answer import Names
from sqlanon.core.answer import answer as answer_of
from sqlanon.core.by_column import Levels, Weights, in_order
from sqlanon.core.connection import connection_first
from sqlanon.core.requirements import Requirements, complete
from sqlanon.core.source import Source, listed, names


@connection_first
def lattice(
    con: duckdb.DuckDBPyConnection,
    source: Source,
    qi: Names,
    sensitive: Names | None = None,
    hierarchies: Source = None,
    *,
    population: Source = None,
    weights: Weights | None = None,
    min_levels: Levels | None = None,
    max_levels: Levels | None = None,
    gs_factor: float = 0.5,
    unit: str | None = None,
    known: Iterable[Source] | None = None,
    presence: Names | None = None,
    **requirements: Unpack[Requirements],
) -> duckdb.DuckDBPyRelation:
    """Measures every full-domain generalization of a table: one row per choice of a level for each column in
    qi, with what it suppresses and what it costs.

    Parameters:
    - source (table): the raw rows.
    - qi (columns): quasi-identifiers, by which somebody could be recognized; they are recoded.
    - sensitive (columns): columns that must not be tied to a person; they leave unchanged.
    - hierarchies (table): rows of attribute, value, level and label, as interval_hierarchy gives them; a
      column in qi without a hierarchy has two levels, 0 the value and 1 *.
    - k (integer, at least 1): k-anonymity: a class has at least k rows.
    - l (integer, at least 1): distinct l-diversity: a class has at least l different sensitive values; also
      the l of recursive_c.
    - entropy_l (number, at least 1): entropy l-diversity: the sensitive values of a class are at least as
      evenly spread as l equally frequent ones, by exp of their entropy.
    - recursive_c (number, above 0): recursive (c, l)-diversity, with l: the most frequent sensitive value is
      less than c times as frequent as the l-th and all rarer ones together.
    - alpha (number, above 0 and at most 1): (alpha, k)-anonymity: no sensitive value has a larger share of a
      class.
    - t (number, 0 to 1): t-closeness: the sensitive values of a class are distributed as in the whole table,
      or at most so far from that.
    - t_distance (one of equal, ordered, hierarchical): how far two sensitive values are apart for t.
    - beta (number, above 0): basic beta-likeness: no value is much more frequent than in the whole table;
      this bounds how much its share grows, relative to that.
    - enhanced_beta (number, above 0): enhanced beta-likeness: the same, also bounded by -ln of the share in
      the table.
    - delta_disclosure (number, above 0): delta-disclosure: no value is much more or much less frequent than
      in the whole table; this bounds |ln(share in the class / share in the table)|.
    - k_map (integer, at least 1): k-map: a class's released values cover at least so many people of the
      population.
    - dmin (number, 0 to 1): delta-presence: of the people whom a class's released values cover, at least this
      share is in the table. Above 0, everybody in the population is in a class.
    - dmax (number, 0 to 1): delta-presence: of these people, at most this share is in the table.
    - safety_c (number, above 0 and at most 1): (c, k)-safety, with safety_k: somebody who also knows k
      implications (background_knowledge) is less than c sure of any sensitive value. This is about all
      classes together: each is made so that it holds whatever the others are.
    - safety_k (integer, 0 to 10): how many pieces of background knowledge that is.
    - composed_l (integer, at least 1): composed l-diversity: the known releases and this one together leave
      everybody at least l possible sensitive values, or as many as the known ones alone. If no median cut of
      a class meets this, other cuts are tried (not if relaxed, or with a target).
    - population (table): everybody who might be in the table, with raw columns in qi: for k_map, dmin and
      dmax.
    - weights (list of numbers, at least 0): of the columns in qi, in that order; 1 each, if not given.
    - min_levels (list of integers, at least 0): the least level of each column in qi.
    - max_levels (list of integers, at least 0): the highest level of each column in qi.
    - gs_factor (number, 0 to 1): of loss: below 0.5 suppressed rows weigh less, above 0.5 generalized rows
      weigh less.
    - unit (column): says whose a row is, where people have several; all requirements then count people. It
      does not leave.
    - known (list of tables): releases that are out already, with the columns in qi and sensitive: for
      composed_l. People are found in the classes that cover them, as by locate. Nothing is asked for a row
      that none covers, be it that nobody understands its label: unread_labels tells of these, and Python and
      the command line count both.
    - presence (list of columns): of tbl, one per known release: true says that a row is, or may be, in it. Of
      a release that a row is not in nothing is asked for it, also where a class there covers it. Without
      presence everybody may be in all. It does not leave.

    Result:
    - levels (list of integers): of the columns in qi, in that order.
    - height (integer): the sum of the levels.
    - classes (integer): those that meet the requirements.
    - smallest (integer, rows): the size of the smallest of these, in rows also with a unit.
    - suppressed (integer, rows): the rows of the other classes.
    - absent (integer, people): with population: people of it who are in none of these classes; with dmin
      above 0 this must be 0 for a release.
    - loss_geometric_mean (number): the geometric mean of 1 + the columns' losses, less 1.
    - loss_arithmetic_mean (number): the arithmetic mean of the columns' losses.
    - loss_rank (list of numbers): the columns' losses, the largest first: compared in this order.
    - entropy (number, bits): non-uniform entropy.
    - entropy_monotonic (number, bits): the same, as if suppressed rows were released.
    - discernibility (number, rows): the sum of the squares of class sizes; a suppressed row counts as all
      rows.
    - discernibility_monotonic (number, rows): the same, as if suppressed rows were released.
    - average_class_size (number, rows): all rows divided by the number of classes; the suppressed rows are
      one more class.
    - precision (number, 0 to 1): the share of generalization that is done; 0 is the original.
    - precision_monotonic (number, 0 to 1): the same, as if suppressed rows were released.

    Errors: unknown column, empty table, no requirement, a value missing in its hierarchy, a hierarchy that is
    not a tree, a column of another type in the population.

    Source: Samarati 2001; measures as in ARX.

    The answer is a relation over a temporary table: it can be read again, filtered and joined, and stays as
    it is as long as the connection.

    Example: sqlanon.lattice(con, "people", qi=["age", "zip"], hierarchies="hierarchies", k=3)
    """
    return answer_of(
        con,
        "lattice",
        source,
        qi=names(qi, "qi"),
        sensitive=names(sensitive, "sensitive"),
        hierarchies=hierarchies,
        population=population,
        weights=in_order(weights, qi, "weights", 1.0),
        min_levels=in_order(min_levels, qi, "min_levels", 0),
        max_levels=in_order(max_levels, qi, "max_levels", None),
        gs_factor=gs_factor,
        unit=unit,
        known=None if known is None else listed(known, "known"),
        presence=names(presence, "presence"),
        **complete(requirements),
    )


@connection_first
def scheme_of_cuts(
    con: duckdb.DuckDBPyConnection, release: Source, qi: Names, hierarchies: Source = None
) -> duckdb.DuckDBPyRelation:
    """Reads from a release of classes by which cuts of which columns they can be told apart, and tells how
    another table is recoded so: one row per class and column. recode applies it. Every value has a place,
    also one between two classes; of a column with a hierarchy, every value of that.

    Parameters:
    - release (table): a release by mondrian, not relaxed, or any other whose classes do not overlap.
    - qi (columns): the quasi-identifiers.
    - hierarchies (table): rows of attribute, value, level and label, with which it was made; there may be
      values by now that it did not have.

    Result:
    - class_id (integer): the class.
    - attribute (text): the column.
    - covers (text): the values that belong there, as covers reads it.
    - label (text): what the release says of them.
    - within (text): the values of which label is true, as covers reads it.
    - beyond (text): what is said instead where a row of the class has another value: covers, or with a
      hierarchy the lowest label above all that belong there.

    Errors: unknown column, classes that overlap, a label that nobody understands.

    Notes: a class is as large as its cuts allow, while the release tells only what its own rows had. So a
    table whose values are those of the release has its labels, and only new values make some wider.

    Source: LeFevre, DeWitt and Ramakrishnan 2006, sec. 2 and 4; finding the cuts: own derivation.

    The answer is a relation over a temporary table: it can be read again, filtered and joined, and stays as
    it is as long as the connection.

    Example: sqlanon.scheme_of_cuts(con, "release", qi=["age", "zip"])
    """
    return answer_of(con, "scheme_of_cuts", release, qi=names(qi, "qi"), hierarchies=hierarchies)


@connection_first
def scheme_of_levels(
    con: duckdb.DuckDBPyConnection, release: Source, qi: Names, hierarchies: Source = None
) -> duckdb.DuckDBPyRelation:
    """Reads from a full-domain release on which level of its hierarchy each column is, and tells how another
    table is recoded so: one row per value of a hierarchy, and one for a column that has none. recode applies
    it.

    Parameters:
    - release (table): a release by generalize, optimal, samarati or datafly.
    - qi (columns): the quasi-identifiers.
    - hierarchies (table): rows of attribute, value, level and label, with which it was made; there may be
      values by now that it did not have.

    Result:
    - class_id (integer): NULL: each column is recoded by itself.
    - attribute (text): the column.
    - covers (text): the values that belong there, as covers reads it: a value as a set of one, or *.
    - label (text): what is released of them; NULL: the value as it is.

    Errors: unknown column, a column whose labels are not on one level of its hierarchy.

    Source: LeFevre, DeWitt and Ramakrishnan 2005 (Incognito), sec. 2.

    The answer is a relation over a temporary table: it can be read again, filtered and joined, and stays as
    it is as long as the connection.

    Example: sqlanon.scheme_of_levels(con, "release", qi=["age", "zip"], hierarchies="hierarchies")
    """
    return answer_of(con, "scheme_of_levels", release, qi=names(qi, "qi"), hierarchies=hierarchies)
