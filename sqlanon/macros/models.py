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
    distinct_spellings: Names | None = None,
) -> duckdb.DuckDBPyRelation:
    """Lists the equivalence classes of a table: one row per distinct combination of quasi-identifiers. NULL
    is a value of its own, as in GROUP BY.

    Parameters:
    - source (table): a raw table or a release.
    - qi (columns): quasi-identifiers: columns that others may know about a person, such as age, postcode and
      sex.
    - unit (column): identifies the person of a row, if people can have several rows.
    - weight (column): for a table of counts: how many people each row stands for, a whole number of at least
      0. The result is the same as if each row were repeated that often. Rows with 0 are left out. Not
      together with unit.
    - distinct_spellings (columns): if it has the unit, spellings are different people: p1 and P1.

    Result:
    - class_id (integer): a number from 1.
    - <qi> (unchanged): the combination.
    - size (integer, rows): of the class.
    - people (integer, people): with unit: the people of the class; rows where the unit is NULL count as one
      person.

    Errors: unknown column, a weight that is NULL, negative or not a whole number.

    Source: Ganta, Kasiviswanathan and Smith 2008, Def. 2.

    The answer is a relation over a temporary table: it can be read again, filtered and joined, and stays as
    it is as long as the connection.

    Example: sqlanon.classes(con, "east", qi=["age", "zip"])
    """
    return answer_of(
        con,
        "classes",
        source,
        qi=names(qi, "qi"),
        unit=unit,
        weight=weight,
        distinct_spellings=names(distinct_spellings, "distinct_spellings"),
    )


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
    distinct_spellings: Names | None = None,
    missing_counts: bool = False,
) -> duckdb.DuckDBPyRelation:
    """Measures the value that a table reaches in each privacy model, such as k-anonymity: one row per model
    and sensitive column, with the worst class. The table may be raw, or released by any tool.

    Parameters:
    - source (table): a raw table or a release.
    - qi (columns): quasi-identifiers: columns that others may know about a person, such as age, postcode and
      sex.
    - sensitive (columns): columns whose values nobody should learn about a person, such as a disease.
    - hierarchies (table): rows of attribute, value, level and label: the values that released labels stand
      for, and the distances of sensitive values.
    - l (integer, at least 1): the l of recursive (c, l)-diversity.
    - population (table): everybody who might be in the table, with raw values in qi: for k-map and
      delta-presence. A class counts the people whose values its labels contain, as covers reads labels.
    - reference (table): the table whose distribution of sensitive values the classes are compared with; if
      not given, tbl itself. For a release with suppressed rows, give its source. With a unit or a weight,
      this table must have that column, too.
    - suppressed (one of value, wildcard): how k-anonymity counts a suppressed cell (* or NULL): as a value of
      its own, or as equal to every value (not with a unit).
    - released (boolean): true: tbl is a release, in which * stands for everybody; false: it is raw, and * is
      a value like any other. If not given, tbl is a release if it has labels that are no raw values of the
      population: an interval, a set, a mask, *, a label of hierarchies.
    - unit (column): identifies the person of a row, if people can have several rows; all models then count
      people.
    - weight (column): for a table of counts: how many people each row stands for, a whole number of at least
      0. The result is the same as if each row were repeated that often. Rows with 0 are left out. Not
      together with unit.
    - population_weight (column): the weight of the population, if that is a table of counts.
    - distinct_spellings (columns): columns in which spellings are different values, such as the codes a and
      A; elsewhere flu, "flu " and FLU are one value (spellings lists them).
    - missing_counts (boolean): true: a missing sensitive value (NULL, empty, blanks) is a value like any
      other. false: it adds no value, and its rows count with the most frequent value of their class.

    Result:
    - model (text): k-anonymity; distinct, entropy and recursive (c, l)-diversity; (alpha, k)-anonymity;
      t-closeness by each distance (hierarchical: for columns in hierarchies); basic and enhanced
      beta-likeness; delta-disclosure; with a population k-map and delta-presence.
    - sensitive (text): the sensitive column; NULL where the model has none.
    - reached (number): the value of the worst class. For recursive diversity, the c at which the class fails.
      With unit, distinct, entropy and recursive diversity are bounds: a class may be more diverse, never
      less.
    - size (integer, rows): the size of this class.
    - people (integer, people): with unit: the people of this class; rows where the unit is NULL count as one
      person. With population: the people of the population in this class. Delta-presence (least) is about
      everybody: people whom no class covers reach 0, with size 0 and their own values as class.
    - class (struct): the quasi-identifiers of this class.
    - id (text): the parameter that requires the model: k, l, entropy_l, ...; the distances of t-closeness are
      t_equal, t_ordered and t_hierarchical.
    - remark (text): why reached is NULL: texts have no order, unless all of them are numbers, dates or times
      as SQL writes them; an ENUM has one. NULL otherwise.

    Errors: unknown column, empty table, a weight as in classes.

    Notes: a person with several rows may be in several classes; the values hold within each class.
    sql/models/models.sql explains how people are counted.

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
        distinct_spellings=names(distinct_spellings, "distinct_spellings"),
        missing_counts=missing_counts,
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
    If there are no rows, the table meets the requirements.

    Parameters:
    - source (table): a raw table or a release.
    - qi (columns): quasi-identifiers: columns that others may know about a person, such as age, postcode and
      sex.
    - sensitive (columns): columns whose values nobody should learn about a person, such as a disease.
    - hierarchies (table): rows of attribute, value, level and label: the values that released labels stand
      for, and the distances of sensitive values.
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
    - distinct_spellings (columns): columns in which spellings are different values, such as the codes a and
      A; elsewhere flu, "flu " and FLU are one value (spellings lists them).
    - missing_counts (boolean): true: a missing sensitive value (NULL, empty, blanks) is a value like any
      other. false: it adds no value, and its rows count with the most frequent value of their class.
    - population (table): everybody who might be in the table, with raw values in qi: for k_map, dmin and
      dmax.
    - reference (table): the table whose distribution of sensitive values the classes are compared with; if
      not given, tbl itself. For a release with suppressed rows, give its source. With a unit or a weight,
      this table must have that column, too.
    - suppressed (one of value, wildcard): how k-anonymity counts a suppressed cell (* or NULL): as a value of
      its own, or as equal to every value (not with a unit).
    - released (boolean): true: tbl is a release, in which * stands for everybody; false: it is raw, and * is
      a value like any other. If not given, tbl is a release if it has labels that are no raw values of the
      population: an interval, a set, a mask, *, a label of hierarchies.
    - unit (column): identifies the person of a row, if people can have several rows; all models then count
      people.
    - weight (column): for a table of counts: how many people each row stands for, a whole number of at least
      0. The result is the same as if each row were repeated that often. Rows with 0 are left out. Not
      together with unit.
    - population_weight (column): the weight of the population, if that is a table of counts.
    - known (list of tables): releases that are already published, with the columns in qi and sensitive: for
      composed_l. People are looked for in the classes that cover them, as by locate. A row that no class of a
      known release covers is exempt, also if a label could not be read. unread_labels lists such labels;
      Python and the command line report the number of exempt rows and of unread rows.
    - presence (list of columns): columns of reference, with the meaning that they have for tbl in mondrian.
    - unchanged (columns): with composed_l, further columns of tbl and reference that were released unchanged.
      An adversary joins tbl by them with the known releases that have them.

    Result:
    - model, sensitive: as in privacy
    - required (number): the value that is required.
    - reached (number): the value of the class, with unit a bound as in privacy; NULL for a hierarchical
      t_distance without a hierarchy.
    - size (integer, rows): of the class.
    - people (integer, people): with unit: the people of the class; rows where the unit is NULL count as one
      person. With k_map, dmin or dmax: the people of the population in the class. People whom no class covers
      violate a dmin above 0: one row per combination of their values, with reached 0, size 0, and the values
      as class.
    - class (struct): the quasi-identifiers of the class.
    - id: as in privacy

    Errors: unknown column, empty table, no requirement, a weight as in classes.

    Notes: rows are ordered by model, sensitive and size; if the table has at most 10,000 classes, also by
    class. composed_l needs reference, the raw table. Its rows are looked for in the known releases and in
    source, as by intersection_attack. Rows of reference that were suppressed in source count as well, if
    classes of others cover them. To check only the rows that are in source, leave them out of reference.

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
    """Counts how often each combination of quasi-identifiers occurs if a hidden cell matches every value: one
    row per distinct combination.

    Parameters:
    - source (table): a release with hidden cells.
    - qi (columns): quasi-identifiers.
    - suppressed (text): the value of a hidden cell; NULL is a hidden cell, too.
    - weight (column): for a table of counts: how many people each row stands for, a whole number of at least
      0. The result is the same as if each row were repeated that often. Rows with 0 are left out. Not
      together with unit.

    Result:
    - <qi> (unchanged): the combination.
    - size (integer, rows): rows with exactly this combination.
    - frequency (integer, rows): rows that have the same values in every column in which neither is hidden.

    Errors: unknown column, a weight as in classes.

    Source: freqCalc of sdcMicro; Templ, Kowarik and Meindl 2015.

    The answer is a relation over a temporary table: it can be read again, filtered and joined, and stays as
    it is as long as the connection.

    Example: sqlanon.wildcard_frequencies(con, "hidden", qi=["zip", "disease"])
    """
    return answer_of(
        con, "wildcard_frequencies", source, qi=names(qi, "qi"), suppressed=suppressed, weight=weight
    )
