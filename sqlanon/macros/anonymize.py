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
    """Measures every full-domain generalization of a table: one row per combination of levels, one for each
    column in qi, with the rows that are suppressed and the losses.

    Parameters:
    - source (table): the raw rows.
    - qi (columns): quasi-identifiers: columns that others may know about a person, such as age, postcode and
      sex; they are recoded, that is made coarser.
    - sensitive (columns): columns whose values nobody should learn about a person, such as a disease; they
      are released unchanged.
    - hierarchies (table): rows of attribute, value, level and label, as returned by interval_hierarchy. A
      column in qi without a hierarchy has two levels: 0 is the value, 1 is *.
    - k (integer, at least 1): k-anonymity: a class has at least k rows.
    - l (integer, at least 1): distinct l-diversity: a class has at least l different sensitive values; also
      the l of recursive_c.
    - entropy_l (number, at least 1): entropy l-diversity: the sensitive values of a class are distributed at
      least as evenly as l equally frequent values (exp of their entropy is at least l).
    - recursive_c (number, above 0): recursive (c, l)-diversity, with l: the most frequent sensitive value is
      less than c times as frequent as the l-th and all rarer ones together.
    - alpha (number, above 0 and at most 1): (alpha, k)-anonymity: no sensitive value has a share of more than
      alpha in a class.
    - t (number, 0 to 1): t-closeness: the distribution of sensitive values in a class differs from that in
      the whole table by at most t.
    - t_distance (one of equal, ordered, hierarchical): the distance of two sensitive values, for t.
    - beta (number, above 0): basic beta-likeness: no value is much more frequent in a class than in the
      table: its share in the class is at most (1 + beta) times its share in the table.
    - enhanced_beta (number, above 0): enhanced beta-likeness: as beta, but the share of a value in a class is
      at most (1 + min(beta, -ln(its share in the table))) times its share in the table.
    - delta_disclosure (number, above 0): delta-disclosure: no value is much more or much less frequent in a
      class than in the table: |ln(share in the class / share in the table)| is below delta.
    - k_map (integer, at least 1): k-map: the labels of a class contain the values of at least k_map people of
      the population.
    - dmin (number, 0 to 1): delta-presence, lower bound: of the people of the population whose values the
      labels of a class contain, at least this share is in the table. Above 0, everybody in the population
      must be covered by a class.
    - dmax (number, 0 to 1): delta-presence, upper bound: of the people of the population whose values the
      labels of a class contain, at most this share is in the table.
    - safety_c (number, above 0 and at most 1): (c, k)-safety: an adversary who also knows safety_k
      implications, such as "if Bob has the flu, Ann has it" (background_knowledge), is less than safety_c
      sure of any sensitive value. Such facts may be about all classes; each class is made so that this holds
      whatever the others are.
    - safety_k (integer, 0 to 10): the number of implications that the adversary knows, for safety_c.
    - composed_l (integer, at least 1): composed l-diversity: the known releases and this one together leave
      at least l sensitive values possible for everybody, or as many as the known ones alone. If no median cut
      of a class meets this, other cuts are tried (not if relaxed, or with a target).
    - population (table): everybody who might be in the table, with raw values in qi: for k_map, dmin and
      dmax.
    - weights (list of numbers, at least 0): weights of the columns in qi, in that order; if not given, 1
      each.
    - min_levels (list of integers, at least 0): the lowest level allowed for each column in qi, in that
      order.
    - max_levels (list of integers, at least 0): the highest level allowed for each column in qi, in that
      order.
    - gs_factor (number, 0 to 1): for loss: below 0.5 suppressed rows weigh less, above 0.5 generalized rows
      weigh less.
    - unit (column): identifies the person of a row, if people can have several rows; all requirements then
      count people. The column is not released.
    - known (list of tables): releases that are already published, with the columns in qi and sensitive: for
      composed_l. People are looked for in the classes that cover them, as by locate. A row that no class of a
      known release covers is exempt, also if a label could not be read. unread_labels lists such labels;
      Python and the command line report the number of exempt rows and of unread rows.
    - presence (list of columns): boolean columns of tbl, one per known release: true if the row is, or may
      be, in that release. For a release that a row is not in, the row is exempt, even if a class there covers
      it. Without presence, everybody may be in all known releases. The columns are not released.

    Result:
    - levels (list of integers): the levels of the columns in qi, in that order.
    - height (integer): the sum of the levels.
    - classes (integer): the number of classes that meet the requirements.
    - smallest (integer, rows): the size of the smallest of these classes, in rows also with a unit.
    - suppressed (integer, rows): the rows of the other classes.
    - absent (integer, people): with population: people of the population whom none of these classes covers;
      with dmin above 0 this must be 0 for a release.
    - loss_geometric_mean (number): the geometric mean of 1 + the columns' losses, minus 1.
    - loss_arithmetic_mean (number): the arithmetic mean of the columns' losses.
    - loss_rank (list of numbers): the columns' losses, the largest first: compared in this order.
    - entropy (number, bits): non-uniform entropy.
    - entropy_monotonic (number, bits): the same, as if suppressed rows were released.
    - discernibility (number, rows): the sum of the squares of class sizes; a suppressed row counts as all
      rows.
    - discernibility_monotonic (number, rows): the same, as if suppressed rows were released.
    - average_class_size (number, rows): all rows divided by the number of classes; the suppressed rows count
      as one class.
    - precision (number, 0 to 1): the weighted mean of level / highest level; 0 is the original.
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
    """Reads from a release the cuts that separate its classes, as a scheme to recode another table in the
    same way with recode: one row per class and column. Every value belongs to a class, also a value between
    two classes; in a column with a hierarchy, every value of the hierarchy.

    Parameters:
    - release (table): a release by mondrian, not relaxed, or any other whose classes do not overlap.
    - qi (columns): the quasi-identifiers.
    - hierarchies (table): rows of attribute, value, level and label: the hierarchies of the release. They may
      have new values.

    Result:
    - class_id (integer): the class.
    - attribute (text): the column.
    - covers (text): all values that belong to the class by its cuts, in the notation that covers reads.
    - label (text): the label of the class in the release.
    - within (text): the values that label contains, in the notation that covers reads.
    - beyond (text): the label to use if a row of the class has a value that is not in within: covers, or with
      a hierarchy the lowest label above all values of the class.

    Errors: unknown column, classes that overlap, a label that cannot be read.

    Notes: the cuts around a class may allow more values than its rows had in the release. A table with the
    same values gets the same labels; new values make some labels wider.

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
    """Reads from a full-domain release the level of each column, as a scheme to recode another table in the
    same way with recode: one row per value of a hierarchy, and one for a column without a hierarchy.

    Parameters:
    - release (table): a release by generalize, optimal, samarati or datafly.
    - qi (columns): the quasi-identifiers.
    - hierarchies (table): rows of attribute, value, level and label: the hierarchies of the release. They may
      have new values.

    Result:
    - class_id (integer): NULL: each column is recoded by itself.
    - attribute (text): the column.
    - covers (text): the values, in the notation that covers reads: a set of one value, or *.
    - label (text): the label that is released for them; NULL: the value itself.

    Errors: unknown column, a column whose labels are not on one level of its hierarchy.

    Source: LeFevre, DeWitt and Ramakrishnan 2005 (Incognito), sec. 2.

    The answer is a relation over a temporary table: it can be read again, filtered and joined, and stays as
    it is as long as the connection.

    Example: sqlanon.scheme_of_levels(con, "release", qi=["age", "zip"], hierarchies="hierarchies")
    """
    return answer_of(con, "scheme_of_levels", release, qi=names(qi, "qi"), hierarchies=hierarchies)
