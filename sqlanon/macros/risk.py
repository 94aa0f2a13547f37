# Written by `make reference` from the comments in sql/risk/.
"""The macros of sql/risk/ as functions: `sqlanon.core.answer` says what an answer is."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

import duckdb

from sqlanon.attack.intersection import warning, warning_beside
from sqlanon.core.answer import Names
from sqlanon.core.answer import answer as answer_of
from sqlanon.core.connection import connection_first
from sqlanon.core.source import Source, names


@connection_first
def agreeing_rows(
    con: duckdb.DuckDBPyConnection, original: Source, release: Source, columns: Names, sensitive: str
) -> duckdb.DuckDBPyRelation:
    """Measures what an adversary learns from released rows with the same known values as a row of the
    original; these measures are common for synthetic data: one row per measure.

    Parameters:
    - original (table): the raw rows.
    - release (table): the released rows, with values of the same form.
    - columns (columns): of both tables, the columns that the adversary knows.
    - sensitive (column): of both tables, the column to be learned.

    Result:
    - measure (text): the title of the measure.
    - value (number): its value, in the unit.
    - unit (text): the unit: rows, or % of the rows of the original.
    - id (text): the measure: rows, uniques, replicated_uniques, matched, known_in_original, disclosive,
      disclosive_correct, attribution, targeted_attribution.

    Errors: unknown column, a column in two roles, empty table, released labels such as [20, 29].

    Notes: replicated_uniques is RepU and disclosive_correct is DiSCO of synthpop; known_in_original is DiSCO
    computed for the original itself. attribution is the mean CAP of rows for which there is a released row
    with the same known values. targeted_attribution is TCAP: how often the value is true, if all such
    released rows have the same one. The measures also count what an adversary can guess because values depend
    on each other: nearest_inference with agreeing compares this with people who are not in the original.

    Source: Raab, Nowok and Dibben 2024, sec. 2 (RepU, DiSCO); Taub, Elliot, Pampaka and Smith 2018 (CAP,
    TCAP).

    Warns (UnreadWarning) of values that nobody understands.

    Example: sqlanon.agreeing_rows(con, "people", "voters", columns="zip", sensitive="disease")
    """
    return warning_beside(
        con, "agreeing_rows", original, release, columns=names(columns, "columns"), sensitive=sensitive
    )


@connection_first
def closest_records(
    con: duckdb.DuckDBPyConnection,
    release: Source,
    original: Source,
    held_out: Source,
    columns: Names,
    comparisons: int = 2000000000,
) -> duckdb.DuckDBPyRelation:
    """Measures whether released rows without classes, such as synthetic rows, are nearer to the rows that
    they were made of than to rows of other people: one row per measure.

    Parameters:
    - release (table): the released rows, with values of the same form as the original.
    - original (table): the raw rows of which the release was made.
    - held_out (table): raw rows of people of the same kind who were not in the original, about as many rows.
    - columns (columns): of all three tables, those that are compared.
    - comparisons (integer, at least 1): the largest number of pairs, of distinct rows or of blocks of them,
      that are compared in each step. If more were needed, some targets, chosen at random, are unfinished.

    Result:
    - measure (text): the title of the measure.
    - value (number): its value, in the unit.
    - unit (text): the unit: rows, % of the released rows, or columns (a distance of 1 is one column that
      differs).
    - low (number): the lower end of Wilson's 95 % interval of a share.
    - high (number): the upper end.
    - id (text): the measure: rows, copies, copies_of_others, closer, distance, distance_to_others,
      unfinished.

    Errors: unknown column, a column named twice, empty table, released labels such as [20, 29], infinity or
    NaN.

    Notes: closer is the share of released rows that are nearer to the original (a tie counts as one half).
    Around 50 % the release is as near to people who were not in it; above that its rows give away that
    somebody was in the original. Distances do not find what other attacks find: releases that pass such a
    comparison are open to membership attacks all the same (Yao et al. 2025). Rows that are copies by chance
    are copies of rows that were held out as often, if these are as many. Distances say nothing about a single
    person: membership, nearest_linkage and nearest_inference do. With fewer comparisons than necessary some
    released rows are not compared, which unfinished counts.

    Source: Platzer and Reutterer 2021 (share of rows nearer to the original than to a holdout); Gower 1971;
    Yao, Krco, Ganev and de Montjoye 2025, The DCR Delusion (what distances do not find).

    Warns (UnreadWarning) of labels that nobody understands, and where nobody is located.

    Example: sqlanon.closest_records(con, "voters", "original", "others", columns=["age", "zip"])
    """
    return warning(
        con,
        "closest_records",
        release,
        original,
        held_out,
        columns=names(columns, "columns"),
        comparisons=comparisons,
    )


@connection_first
def disclosure(
    con: duckdb.DuckDBPyConnection,
    original: Source,
    release: Source,
    id: str,
    columns: Names,
    within: float = 0.05,
    weight: str | None = None,
) -> duckdb.DuckDBPyRelation:
    """Measures how many values of a perturbed release are still the true ones, or near them: one row per
    column, and one for all together. These are measures, not guarantees.

    Parameters:
    - original (table): the raw rows.
    - release (table): the released rows.
    - id (column): of both tables, identifies the record.
    - columns (columns): the columns to compare.
    - within (number, at least 0): half the width of the interval around a released value, in standard
      deviations of the original.
    - weight (column): of both tables, how many people each record stands for, as in classes.

    Result:
    - attribute (text): the column; NULL for all together.
    - rows (integer, rows): the rows of the release.
    - unchanged (number, share of rows): rows with their true value.
    - near (number, share of rows): rows whose true value is within the interval; if a column is not a number,
      rows with their true value.
    - at_bottom (integer, rows): rows with the lowest released value; NULL if values have no order.
    - at_top (integer, rows): rows with the highest released value; NULL if values have no order.

    Errors: unknown column, empty release, a record that is twice in a table, or that is not in the original
    or has a smaller weight there, NaN or infinity, a weight as in classes.

    Source: Mateo-Sanz, Sebé and Domingo-Ferrer 2004 (dRisk of sdcMicro).

    The answer is a relation over a temporary table: it can be read again, filtered and joined, and stays as
    it is as long as the connection.

    Example: sqlanon.disclosure(con, "people", "noisy", id="name", columns="income")
    """
    return answer_of(
        con,
        "disclosure",
        original,
        release,
        id=id,
        columns=names(columns, "columns"),
        within=within,
        weight=weight,
    )


@connection_first
def identifiers(con: duckdb.DuckDBPyConnection, source: Source) -> duckdb.DuckDBPyRelation:
    """Finds columns that identify people by themselves, such as names and e-mail addresses, from the form of
    their values and from their names: one row per column and kind of identifier. No rows: no column looks
    like one.

    Parameters:
    - source (table): the table.

    Result:
    - column (text): the name of the column.
    - looks_like (text): name, personal name (a frequent first name or surname is in it), number, e-mail
      address, phone number, address, card number, IBAN, social security number, IP address, coordinate, URL,
      UUID, hash or free text.
    - found_by (one of values, name, count): how it was found: by the form of its values, by its name, or
      because it numbers the rows.
    - matching (number, 0 to 1): the share of its distinct values that have this form; NULL if found by its
      name.
    - distinct_values (integer): the number of different values, without NULL.
    - unique_share (number, 0 to 1): of the rows with a value, the share whose value no other row has.
    - identifies (boolean): true if the column was found by its name, or because it numbers the rows. If found
      by its values: true if at least half of them have the form; for addresses and names, at least half of
      the values (for free texts, at least 90 %) must also occur in only one row. Of personal names three are
      enough, if they are a third of the values, or a third of the rows have one.

    Errors: unknown table.

    Notes: this is a guess from values and names. A column that is not found may still identify people:
    quasi_identifiers and leaving_columns find columns in which nearly every value is unique.

    Source: own; the check digit of cards is Luhn's (US patent 2,950,048), those of IBANs are of ISO 13616.

    The answer is a relation over a temporary table: it can be read again, filtered and joined, and stays as
    it is as long as the connection.

    Example: sqlanon.identifiers(con, "people")
    """
    return answer_of(con, "identifiers", source)


@connection_first
def minimal_uniques(
    con: duckdb.DuckDBPyConnection,
    source: Source,
    columns: Names,
    id: str | None = None,
    *,
    max_size: int = 3,
    weight: str | None = None,
) -> duckdb.DuckDBPyRelation:
    """Finds the smallest sets of columns in which a record differs from all others (minimal sample uniques):
    one row per record and set. A record that is not unique in any set of up to max_size columns has no row.

    Parameters:
    - source (table): the raw rows.
    - columns (columns): the columns to check.
    - id (column): identifies the record, for the result.
    - max_size (integer, at least 1): the largest number of columns in a set.
    - weight (column): for a table of counts: how many people each row stands for, a whole number of at least
      0. The result is the same as if each row were repeated that often. Rows with 0 are left out. Not
      together with unit.

    Result:
    - <id> (unchanged): the record.
    - columns (list of texts): the set: no other record has the same values in these columns, but in each
      smaller subset some other record does. NULL is a value of its own.
    - size (integer, columns): the number of columns in the set.
    - unique_values (list of texts): the values of the record in these columns.

    Errors: unknown column, empty table, max_size below 1, a weight as in classes.

    Notes: with weight, only rows that stand for one person can be unique.

    Source: Elliot, Manning and Ford 2002; Manning, Haglin and Keane 2008.

    The answer is a relation over a temporary table: it can be read again, filtered and joined, and stays as
    it is as long as the connection.

    Example: sqlanon.minimal_uniques(con, "people", columns=["zip", "disease"], id="name")
    """
    return answer_of(
        con,
        "minimal_uniques",
        source,
        columns=names(columns, "columns"),
        id=id,
        max_size=max_size,
        weight=weight,
    )


@connection_first
def quasi_identifiers(
    con: duckdb.DuckDBPyConnection,
    source: Source,
    columns: Names | None = None,
    *,
    max_size: int = 3,
    sample: int | None = None,
    seed: int = 1,
    weight: str | None = None,
) -> duckdb.DuckDBPyRelation:
    """Measures how well each set of columns distinguishes the rows of a table: one row per set, small sets
    first, and among sets of the same size the one that distinguishes best. NULL is a value of its own.

    Parameters:
    - source (table): the raw rows.
    - columns (columns): the columns to check; if not given, all.
    - max_size (integer, at least 1): the largest number of columns in a set.
    - sample (integer, at least 1): the size of a random sample of rows to check instead of all; it depends on
      seed and the order of the table.
    - seed (integer): fixes the sample.
    - weight (column): for a table of counts: how many people each row stands for, a whole number of at least
      0. The result is the same as if each row were repeated that often. Rows with 0 are left out. Not
      together with unit.

    Result:
    - columns (list of texts): the set of columns. If a smaller set makes all rows unique, sets that contain
      it have distinction and separation 1 without being counted.
    - size (integer, columns): the number of columns in the set.
    - combinations (integer): the number of distinct combinations of values (in the sample, if there is one).
    - distinction (number, 0 to 1): combinations / rows.
    - separation (number, 0 to 1): the share of pairs of rows that differ in these columns.
    - distinction_from (number, 0 to 1): with sample: a lower bound of distinction in the whole table. All
      bounds together hold with a probability of 0.95.
    - distinction_to (number, 0 to 1): with sample: an upper bound.
    - separation_from (number, 0 to 1): with sample: a lower bound of separation in the whole table.
    - separation_to (number, 0 to 1): with sample: an upper bound.

    Errors: unknown column, empty table, max_size or sample below 1, a weight as in classes or with sample.

    Source: Motwani and Xu 2008; McDiarmid 1989.

    The answer is a relation over a temporary table: it can be read again, filtered and joined, and stays as
    it is as long as the connection.

    Example: sqlanon.quasi_identifiers(con, "people", columns=["age", "zip", "disease"], max_size=2)
    """
    return answer_of(
        con,
        "quasi_identifiers",
        source,
        columns=names(columns, "columns"),
        max_size=max_size,
        sample=sample,
        seed=seed,
        weight=weight,
    )


@connection_first
def record_linkage(
    con: duckdb.DuckDBPyConnection,
    original: Source,
    release: Source,
    id: str,
    columns: Names,
    weight: str | None = None,
) -> duckdb.DuckDBPyRelation:
    """Measures how often an adversary who knows the original values finds the record of a released row, by
    distance. This is a measure, not a guarantee.

    Parameters:
    - original (table): the raw rows.
    - release (table): the released rows.
    - id (column): of both tables, identifies the record.
    - columns (columns): the columns that the adversary knows.
    - weight (column): of both tables, how many people each record stands for, as in classes.

    Result:
    - rows (integer, rows): the rows of the release.
    - linked (number, rows): rows whose nearest original row is their own; a tie counts as a guess among the
      tied rows.
    - share (number, share of rows): linked / rows.
    - guess (number, share of rows): the same for random guesses among all original rows.

    Errors: as in disclosure.

    Notes: the distance is Euclidean: numbers are measured in standard deviations of the original; other
    values, and NULL, have a distance of 1 if they differ. Every distinct released row is compared with every
    distinct original row: the time grows with the square of the number of rows.

    Source: Domingo-Ferrer and Torra 2001.

    The answer is a relation over a temporary table: it can be read again, filtered and joined, and stays as
    it is as long as the connection.

    Example: sqlanon.record_linkage(con, "people", "noisy", id="name", columns="income")
    """
    return answer_of(
        con, "record_linkage", original, release, id=id, columns=names(columns, "columns"), weight=weight
    )


@connection_first
def record_risk(
    con: duckdb.DuckDBPyConnection,
    source: Source,
    qi: Names,
    keep: Names | None = None,
    population: Source = None,
    hierarchies: Source = None,
    suppressed: Literal["value", "wildcard"] = "value",
    *,
    released: bool | None = None,
    unit: str | None = None,
    weight: str | None = None,
    population_weight: str | None = None,
    distinct_spellings: Names | None = None,
) -> duckdb.DuckDBPyRelation:
    """Estimates the risk of every record of a table or release: one row per record; with weight, per row of
    the table.

    Parameters:
    - source (table): a raw table or a release.
    - qi (columns): quasi-identifiers: columns that others may know about a person, such as age, postcode and
      sex.
    - keep (columns): further columns to return.
    - population (table): everybody who might be in the table, with raw values in qi: for journalist risk and
      Sweeney's maps.
    - hierarchies (table): rows of attribute, value, level and label: the values that released labels stand
      for.
    - suppressed (one of value, wildcard): what a suppressed cell (* or NULL) is: a value of its own, or equal
      to every value (not with a unit or a fraction). Then a record is looked for among all that have the same
      in the cells that it shows.
    - released (boolean): true: tbl is a release, in which * stands for everybody; false: it is raw, and * is
      a value like any other. If not given, tbl is a release if it has labels that are no raw values of the
      population: an interval, a set, a mask, *, a label of hierarchies.
    - unit (column): identifies the person of a row, if people can have several rows; all models then count
      people.
    - weight (column): for a table of counts: how many people each row stands for, a whole number of at least
      0. The result is the same as if each row were repeated that often. Rows with 0 are left out. Not
      together with unit.
    - population_weight (column): the weight of the population, if that is a table of counts.
    - distinct_spellings (columns): if it has the unit, spellings are different people: p1 and P1.

    Result:
    - <qi> (unchanged): the quasi-identifiers.
    - <keep> (unchanged): as in source.
    - <weight> (integer, people): with weight: how many people the row stands for.
    - size (integer, rows): rows with the same quasi-identifiers; if suppressed cells are wildcards, with the
      same in those that the row shows.
    - prosecutor_risk (number, probability): 1 / size; with unit 1 / people.
    - people (integer, people): with population: the people of the population whom the labels of the row
      cover; with unit: the people of the class.
    - journalist_risk (number, probability): with population: 1 / people, 0 if nobody.

    Errors: as in risk.

    Source: El Emam 2013.

    The answer is a relation over a temporary table: it can be read again, filtered and joined, and stays as
    it is as long as the connection.

    Example: sqlanon.record_risk(con, "east", qi=["age", "zip"], population="people")
    """
    return answer_of(
        con,
        "record_risk",
        source,
        qi=names(qi, "qi"),
        keep=names(keep, "keep"),
        population=population,
        hierarchies=hierarchies,
        suppressed=suppressed,
        released=released,
        unit=unit,
        weight=weight,
        population_weight=population_weight,
        distinct_spellings=names(distinct_spellings, "distinct_spellings"),
    )


@connection_first
def risk(
    con: duckdb.DuckDBPyConnection,
    source: Source,
    qi: Names,
    population: Source = None,
    hierarchies: Source = None,
    *,
    threshold: float = 0.2,
    fraction: float | None = None,
    suppressed: Literal["value", "wildcard"] = "value",
    released: bool | None = None,
    unit: str | None = None,
    weight: str | None = None,
    population_weight: str | None = None,
    distinct_spellings: Names | None = None,
) -> duckdb.DuckDBPyRelation:
    """Estimates how probable it is that records of a table or release are re-identified: one row per measure.

    Parameters:
    - source (table): a raw table or a release.
    - qi (columns): quasi-identifiers: columns that others may know about a person, such as age, postcode and
      sex.
    - population (table): everybody who might be in the table, with raw values in qi: for journalist risk and
      Sweeney's maps.
    - hierarchies (table): rows of attribute, value, level and label: the values that released labels stand
      for.
    - threshold (number, 0 to 1): the risk above which records are counted.
    - fraction (number, above 0 and below 1): if the table is a sample, its share of the population: to
      estimate population uniques.
    - suppressed (one of value, wildcard): what a suppressed cell (* or NULL) is: a value of its own, or equal
      to every value (not with a unit or a fraction). Then a record is looked for among all that have the same
      in the cells that it shows.
    - released (boolean): true: tbl is a release, in which * stands for everybody; false: it is raw, and * is
      a value like any other. If not given, tbl is a release if it has labels that are no raw values of the
      population: an interval, a set, a mask, *, a label of hierarchies.
    - unit (column): identifies the person of a row, if people can have several rows; all models then count
      people.
    - weight (column): for a table of counts: how many people each row stands for, a whole number of at least
      0. The result is the same as if each row were repeated that often. Rows with 0 are left out. Not
      together with unit.
    - population_weight (column): the weight of the population, if that is a table of counts.
    - distinct_spellings (columns): if it has the unit, spellings are different people: p1 and P1.

    Result:
    - measure (text): the title of the measure.
    - value (number): its value, in the unit; NULL if a model of population uniques does not fit.
    - unit (text): the unit: rows, classes, people, probability, share of records or share of people.
    - id (text): the name of the measure for programs; it does not change if the title does.

    Errors: unknown column, empty table or population, a unit with a population or a fraction, a weight as in
    classes.

    Notes: the measures, by id:
    - records, classes: their number; with a weight, each person whom a row stands for is a record.
    - people: with a unit: the number of people.
    - smallest_class, largest_class: their sizes, with a unit in people.
    - sample_uniques, sample_uniques_share: records that are alone in their class.
    - prosecutor_risk_highest, prosecutor_risk_mean: 1 / rows of the class, the highest and the mean over
      records. With a unit, the risk of a person is the highest over all their classes. If suppressed cells
      are wildcards, the class of a record is all that have the same in the cells that it shows: of a record
      of nothing but * the whole table. Records that lack one of these cells are not in it (they are in the k
      of privacy, as any of them may be the right one): the risk is never less than by k.
    - prosecutor_risk_above_threshold: the share of records with a risk above the threshold.
    - marketer_risk: the expected share of right links if an adversary links all records.
    - journalist_risk_highest, journalist_risk_mean, journalist_risk_above_threshold: with a population: the
      same for 1 / people of the population whom the class covers (0 if nobody).
    - marketer_risk_population: with a population: marketer risk for links to the population.
    - k_map: with a population: the smallest number of people whom a class covers.
    - null_map, null_map_classes: with a population: the share of records that match nobody, and their
      classes.
    - matched_by_one: with a population: the share of records that match exactly one person.
    - wrong_map: with a population: the share of records that match exactly one person but must be somebody
      else's, because several records match this person.
    - population_uniques_pitman, population_uniques_zayatz, population_uniques_snb: with a fraction: the share
      of the population that is unique, by the model (snb: slide negative binomial).
    - population_uniques_dankar: with a fraction: the same by the model that the rule of Dankar et al.
      chooses.
    - population_uniques_pitman_number, population_uniques_zayatz_number, population_uniques_snb_number,
      population_uniques_dankar_number: with a fraction: the same as numbers of people.

    Source: El Emam 2013; Sweeney 2001; Hoshino 2001; Zayatz 1991; Chen and Keller-McNulty 1998; Dankar et al.
    2012.

    The answer is a relation over a temporary table: it can be read again, filtered and joined, and stays as
    it is as long as the connection.

    Example: sqlanon.risk(con, "east", qi=["age", "zip"], population="people")
    """
    return answer_of(
        con,
        "risk",
        source,
        qi=names(qi, "qi"),
        population=population,
        hierarchies=hierarchies,
        threshold=threshold,
        fraction=fraction,
        suppressed=suppressed,
        released=released,
        unit=unit,
        weight=weight,
        population_weight=population_weight,
        distinct_spellings=names(distinct_spellings, "distinct_spellings"),
    )


@connection_first
def safe_harbor(
    con: duckdb.DuckDBPyConnection, source: Source, populations: Source = None, today: str | None = None
) -> duckdb.DuckDBPyRelation:
    """Lists what in a table must not leave it by the Safe Harbor method of HIPAA (45 CFR 164.514(b)(2)(i)),
    as far as names and values of columns tell: identifiers, ZIP codes and places, dates and ages. One row per
    column, rule and problem; no rows: nothing was found.

    Parameters:
    - source (table): the release, or the table.
    - populations (table): how many people live in all ZIP codes with the same first three digits, in columns
      zip3 and population, from current data of the Bureau of the Census. If not given, three digits are a
      problem, as it is not known whether more than 20,000 people live there.
    - today (text): the day by which people are 90, such as 2026-01-31; if not given, the current one.

    Result:
    - column (text): the name of the column.
    - rule (text): the letters of the rule, and what it is about.
    - problem (text): what is wrong.
    - rows (integer): the number of rows with such a value.

    Errors: unknown table, populations without these columns.

    Notes: it guesses as identifiers does: a column that is not listed may still identify people. The rule
    also requires that nobody who releases the data actually knows that they identify somebody, which no table
    tells. It does not limit what the other columns tell together: risk, check and attack do. Years, and one
    label for everybody of 90 or older (>=90), may leave; so may the first three digits of a ZIP code where
    more than 20,000 people live, and 000 elsewhere.

    Source: 45 CFR 164.514(b)(2), US Department of Health and Human Services.

    The answer is a relation over a temporary table: it can be read again, filtered and joined, and stays as
    it is as long as the connection.

    Example: sqlanon.safe_harbor(con, "people")
    """
    return answer_of(con, "safe_harbor", source, populations=populations, today=today)


@connection_first
def spellings(
    con: duckdb.DuckDBPyConnection, source: Source, columns: Names | None = None
) -> duckdb.DuckDBPyRelation:
    """Lists the values of a table that people read as one and that are written in several ways, such as flu,
    "flu " and FLU: one row per column and value. Where diversity or people are counted they count as one.

    Parameters:
    - source (table): the table.
    - columns (columns): the columns to look at; if not given, all that have texts.

    Result:
    - column (text): the name of the column.
    - folded (text): what the spellings have in common: trimmed, in lower case, without accents; NULL: the
      value is missing (NULL, empty, or blanks alone).
    - spellings (list of texts): the values as they are written, the most frequent first.
    - rows (integer, rows): rows with one of them.

    Errors: unknown column.

    Notes: folded values have no blanks at their ends and one for each run of blanks, are in lower case and
    composed form (NFC), have one kind of dashes and of quotes, Latin letters without accents, and a, o, u and
    ss for umlauts, ae, oe, ue and sharp s in words. Numbers, dates and truth values have no spellings. If all
    columns are looked at, NULL is not listed beside an empty text.

    Source: own.

    The answer is a relation over a temporary table: it can be read again, filtered and joined, and stays as
    it is as long as the connection.

    Example: sqlanon.spellings(con, "noted", columns="disease")
    """
    return answer_of(con, "spellings", source, columns=names(columns, "columns"))


@connection_first
def suda(
    con: duckdb.DuckDBPyConnection,
    source: Source,
    columns: Names,
    id: str,
    *,
    max_size: int = 3,
    fraction: float | None = None,
    weight: str | None = None,
) -> duckdb.DuckDBPyRelation:
    """Computes the SUDA score of every record of a table, which is higher if fewer columns single the record
    out (minimal_uniques): one row per record (with weight, per row of the table), the highest score first.

    Parameters:
    - source (table): the raw rows.
    - columns (columns): the columns to check.
    - id (column): identifies the record.
    - max_size (integer, at least 1): the largest number of columns in a set.
    - fraction (number, above 0 and below 1): if the table is a sample, its share of the population: for
      dis_score.
    - weight (column): for a table of counts: how many people each row stands for, a whole number of at least
      0. The result is the same as if each row were repeated that often. Rows with 0 are left out. Not
      together with unit.

    Result:
    - <id> (unchanged): the record.
    - size (integer, rows): records with the same values in columns, including this one.
    - uniques (integer): the number of its minimal sample uniques, as in minimal_uniques.
    - score (number): the sum over these: a set of s of the m columns adds (m - s)(m - s - 1)...(m -
      max_size).
    - dis_score (number, probability): the probability that somebody who matches the record is its person
      (DIS-SUDA); NULL without a fraction.

    Errors: unknown column, empty table, max_size below 1, more than 27 columns, a weight as in classes.

    Notes: NULL in the table is a value of its own.

    Source: Elliot et al. 2005; Skinner and Elliot 2002; suda2 of sdcMicro.

    The answer is a relation over a temporary table: it can be read again, filtered and joined, and stays as
    it is as long as the connection.

    Example: sqlanon.suda(con, "people", columns=["zip", "disease", "age"], id="name", fraction=0.1)
    """
    return answer_of(
        con,
        "suda",
        source,
        columns=names(columns, "columns"),
        id=id,
        max_size=max_size,
        fraction=fraction,
        weight=weight,
    )


@connection_first
def unicity(
    con: duckdb.DuckDBPyConnection,
    source: Source,
    unit: str,
    columns: Names,
    points: Iterable[float] = (1, 2, 3, 4),
    sample: int = 10000,
    seed: int = 1,
) -> duckdb.DuckDBPyRelation:
    """Measures how many people are identified by a few random points (rows) of their own, such as places and
    times, in a table with several rows per person: one row per number of points.

    Parameters:
    - source (table): the rows, such as visits or purchases.
    - unit (column): identifies the person of a row, of whom p1 and "P1 " are spellings.
    - columns (columns): the columns that the adversary knows of a row, such as its place and its hour; a
      point is a combination of their values.
    - points (list of integers): the numbers of points that the adversary knows of a person, each at least 1.
    - sample (integer, at least 1): how many people are drawn; all if there are fewer.
    - seed (integer): fixes which people and which of their points are drawn.

    Result:
    - points (integer): the number of known points.
    - people (integer): the number of people who were drawn.
    - fewer (integer): those of them who have fewer points; all their points are known.
    - is_unique (number, 0 to 1): the share of the drawn people such that nobody else has all of their known
      points.
    - low (number, 0 to 1): the lower end of a 95 % interval, Wilson's.
    - high (number, 0 to 1): the upper end.

    Errors: unknown column, empty table, a column in two roles, a number below 1.

    Notes: each drawn person is compared with all people in the table, not with a sample. A larger number of
    points includes the points of the smaller ones, so the share never falls. Repeated rows of a person are
    one point.

    Source: de Montjoye, Hidalgo, Verleysen and Blondel 2013, methods (unicity).

    The answer is a relation over a temporary table: it can be read again, filtered and joined, and stays as
    it is as long as the connection.

    Example: sqlanon.unicity(con, "visits", unit="name", columns="place", points=[1, 2])
    """
    return answer_of(
        con,
        "unicity",
        source,
        unit=unit,
        columns=names(columns, "columns"),
        points=list(points),
        sample=sample,
        seed=seed,
    )
