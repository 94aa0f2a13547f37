# Written by `make reference` from the comments in sql/models/.
"""The macros of sql/models/ as functions: `sqlanon.core.answer` says what an answer is."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, Unpack

import duckdb

from sqlanon.core.answer import Names
from sqlanon.core.answer import answer as answer_of
from sqlanon.core.connection import connection_first
from sqlanon.core.requirements import Requirements, complete
from sqlanon.core.source import Source, listed, names


@connection_first
def classes(
    con: duckdb.DuckDBPyConnection,
    source: Source,
    qi: Names,
    unit: str | None = None,
    weight: str | None = None,
) -> duckdb.DuckDBPyRelation:
    """Lists the equivalence classes of a table: one row per distinct combination of quasi-identifiers. NULL
    is a value of its own, as in GROUP BY.

    Parameters:
    - source (table): a raw table or a release.
    - qi (columns): quasi-identifiers, by which somebody could be recognized.
    - unit (column): says whose a row is, where people have several.
    - weight (column): says of a table of counts how many people each row stands for, a whole number of at
      least 0; rows are then counted as often. Rows with 0 are left out. Not with a unit.

    Result:
    - class_id (integer): a number from 1.
    - <qi> (unchanged): the combination.
    - size (integer, rows): of the class.
    - people (integer, people): with unit: of the class; rows without a unit are one person's.

    Errors: unknown column, a weight that is NULL, negative or no whole number.

    Source: Ganta, Kasiviswanathan and Smith 2008, Def. 2.

    The answer is a relation over a temporary table: it can be read again, filtered and joined, and stays as
    it is as long as the connection.

    Example: sqlanon.classes(con, "east", qi=["age", "zip"])
    """
    return answer_of(con, "classes", source, qi=names(qi, "qi"), unit=unit, weight=weight)


@connection_first
def privacy(
    con: duckdb.DuckDBPyConnection,
    source: Source,
    qi: Names,
    sensitive: Names | None = None,
    hierarchies: Source = None,
    l: int = 2,
    *,
    population: Source = None,
    reference: Source = None,
    suppressed: Literal["value", "wildcard"] = "value",
    released: bool | None = None,
    unit: str | None = None,
    weight: str | None = None,
    population_weight: str | None = None,
) -> duckdb.DuckDBPyRelation:
    """Measures what a table reaches, raw or released, whoever made it: one row per privacy model and
    sensitive column, with its worst class.

    Parameters:
    - source (table): a raw table or a release.
    - qi (columns): quasi-identifiers, by which somebody could be recognized.
    - sensitive (columns): columns that must not be tied to a person.
    - hierarchies (table): rows of attribute, value, level and label: what released labels stand for, and how
      far sensitive values are apart.
    - l (integer, at least 1): of recursive (c, l)-diversity.
    - population (table): everybody who might be in the table, with raw columns in qi: for k-map and
      delta-presence. A class counts the people whom its released values cover, as covers reads them.
    - reference (table): what the classes' sensitive values are compared with; tbl itself, if not given. For a
      release with suppressed rows: its source. With a unit or a weight it has that column, too.
    - suppressed (one of value, wildcard): what a suppressed cell (* or NULL) is to k-anonymity: a value of
      its own, or a match of every value (not with a unit).
    - released (boolean): true: tbl is a release, in which * stands for everybody; false: it is raw, and * a
      value as any other. If not given, it is a release if it has what no raw value of the population is: an
      interval, a set, a mask, *, a label of hierarchies.
    - unit (column): says whose a row is, where people have several; all models then count people.
    - weight (column): says of a table of counts how many people each row stands for, a whole number of at
      least 0; rows are then counted as often. Rows with 0 are left out. Not with a unit.
    - population_weight (column): the same of the population, where that is a table of counts.

    Result:
    - model (text): k-anonymity; distinct, entropy and recursive (c, l)-diversity; (alpha, k)-anonymity;
      t-closeness by each distance (hierarchical: for columns in hierarchies); basic and enhanced
      beta-likeness; delta-disclosure; with a population k-map and delta-presence.
    - sensitive (text): the sensitive column; NULL where the model has none.
    - reached (number): the value of the worst class: for recursive diversity the c at which it fails.
    - size (integer, rows): of this class.
    - people (integer, people): with unit: of this class; rows without a unit are one person's. With
      population: of it, in this class. Delta-presence (least) is about everybody: people whom no class covers
      reach 0, with size 0 and their own values as class.
    - class (struct): its quasi-identifiers.
    - id (text): the model by the name of the parameter that requires it: k, l, entropy_l, ...; the distances
      of t-closeness are t_equal, t_ordered and t_hierarchical.

    Errors: unknown column, empty table, a weight as in classes.

    Notes: somebody with several rows may be in several classes: what is reached holds within each. How people
    are counted is told in sql/models/models.sql.

    Source: named in sql/models/models.sql, model by model.

    The answer is a relation over a temporary table: it can be read again, filtered and joined, and stays as
    it is as long as the connection.

    Example: sqlanon.privacy(con, "east", qi=["age", "zip"], sensitive="disease")
    """
    return answer_of(
        con,
        "privacy",
        source,
        qi=names(qi, "qi"),
        sensitive=names(sensitive, "sensitive"),
        hierarchies=hierarchies,
        l=l,
        population=population,
        reference=reference,
        suppressed=suppressed,
        released=released,
        unit=unit,
        weight=weight,
        population_weight=population_weight,
    )


@connection_first
def violations(
    con: duckdb.DuckDBPyConnection,
    source: Source,
    qi: Names,
    sensitive: Names | None = None,
    hierarchies: Source = None,
    *,
    population: Source = None,
    reference: Source = None,
    suppressed: Literal["value", "wildcard"] = "value",
    released: bool | None = None,
    unit: str | None = None,
    weight: str | None = None,
    population_weight: str | None = None,
    known: Iterable[Source] | None = None,
    presence: Names | None = None,
    unchanged: Names | None = None,
    **requirements: Unpack[Requirements],
) -> duckdb.DuckDBPyRelation:
    """Lists the classes of a table that violate a requirement: one row per class, model and sensitive column.
    No rows: it holds.

    Parameters:
    - source (table): a raw table or a release.
    - qi (columns): quasi-identifiers, by which somebody could be recognized.
    - sensitive (columns): columns that must not be tied to a person.
    - hierarchies (table): rows of attribute, value, level and label: what released labels stand for, and how
      far sensitive values are apart.
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
    - reference (table): what the classes' sensitive values are compared with; tbl itself, if not given. For a
      release with suppressed rows: its source. With a unit or a weight it has that column, too.
    - suppressed (one of value, wildcard): what a suppressed cell (* or NULL) is to k-anonymity: a value of
      its own, or a match of every value (not with a unit).
    - released (boolean): true: tbl is a release, in which * stands for everybody; false: it is raw, and * a
      value as any other. If not given, it is a release if it has what no raw value of the population is: an
      interval, a set, a mask, *, a label of hierarchies.
    - unit (column): says whose a row is, where people have several; all models then count people.
    - weight (column): says of a table of counts how many people each row stands for, a whole number of at
      least 0; rows are then counted as often. Rows with 0 are left out. Not with a unit.
    - population_weight (column): the same of the population, where that is a table of counts.
    - known (list of tables): releases that are out already, with the columns in qi and sensitive: for
      composed_l. People are found in the classes that cover them, as by locate. Nothing is asked for a row
      that none covers, be it that nobody understands its label: unread_labels tells of these, and Python and
      the command line count both.
    - presence (list of columns): of reference, as in mondrian of tbl.
    - unchanged (columns): with composed_l, further columns of tbl and reference that tbl left unchanged, by
      which an adversary joins it with those known releases that have them.

    Result:
    - model, sensitive: as in privacy
    - required (number): the value that is required.
    - reached (number): the value of the class; NULL for a hierarchical t_distance without a hierarchy.
    - size (integer, rows): of the class.
    - people (integer, people): with unit: of the class; rows without a unit are one person's. With a
      population that is asked for: of it, in the class. With dmin above 0 people whom no class covers violate
      it: one row per combination of their values, with reached 0, size 0, and the values as class.
    - class (struct): its quasi-identifiers.
    - id: as in privacy

    Errors: unknown column, empty table, no requirement, a weight as in classes.

    Notes: composed_l needs reference, the raw table: its rows are found in the known releases and in source
    as by intersection_attack. Rows of it that were suppressed count as well, where classes of others cover
    them: leave them out of reference to ask for those who are in source alone.

    Source: named in sql/models/models.sql, model by model.

    The answer is a relation over a temporary table: it can be read again, filtered and joined, and stays as
    it is as long as the connection.

    Example: sqlanon.violations(con, "east", qi=["age", "zip"], sensitive="disease", k=3, l=4)
    """
    return answer_of(
        con,
        "violations",
        source,
        qi=names(qi, "qi"),
        sensitive=names(sensitive, "sensitive"),
        hierarchies=hierarchies,
        population=population,
        reference=reference,
        suppressed=suppressed,
        released=released,
        unit=unit,
        weight=weight,
        population_weight=population_weight,
        known=None if known is None else listed(known, "known"),
        presence=names(presence, "presence"),
        unchanged=names(unchanged, "unchanged"),
        **complete(requirements),
    )


@connection_first
def wildcard_frequencies(
    con: duckdb.DuckDBPyConnection,
    source: Source,
    qi: Names,
    suppressed: str = "*",
    weight: str | None = None,
) -> duckdb.DuckDBPyRelation:
    """Tells how often every combination occurs if hidden cells match everything: one row per distinct
    combination.

    Parameters:
    - source (table): a release with hidden cells.
    - qi (columns): quasi-identifiers.
    - suppressed (text): what a hidden cell holds; NULL is one, too.
    - weight (column): says of a table of counts how many people each row stands for, a whole number of at
      least 0; rows are then counted as often. Rows with 0 are left out. Not with a unit.

    Result:
    - <qi> (unchanged): the combination.
    - size (integer, rows): those that are equal to it.
    - frequency (integer, rows): those that agree with it on every column that neither lacks.

    Errors: unknown column, a weight as in classes.

    Source: freqCalc of sdcMicro; Templ, Kowarik and Meindl 2015.

    The answer is a relation over a temporary table: it can be read again, filtered and joined, and stays as
    it is as long as the connection.

    Example: sqlanon.wildcard_frequencies(con, "hidden", qi=["zip", "disease"])
    """
    return answer_of(
        con, "wildcard_frequencies", source, qi=names(qi, "qi"), suppressed=suppressed, weight=weight
    )
