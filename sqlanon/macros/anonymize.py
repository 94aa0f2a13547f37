# Written by `make reference` from the comments in sql/anonymize/.
"""The macros of sql/anonymize/ as functions: `sqlanon.core.answer` says what an answer is."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, Unpack

import duckdb

from sqlanon.anonymize.anatomy import Anatomy
from sqlanon.anonymize.full_domain import FullDomain, Optimal, Samarati
from sqlanon.anonymize.microaggregate import KSimilar, Microaggregation
from sqlanon.anonymize.mondrian import Mondrian
from sqlanon.anonymize.mu_argus import MuArgus
from sqlanon.anonymize.recode import Recoding
from sqlanon.core.answer import Names
from sqlanon.core.answer import answer as answer_of
from sqlanon.core.by_column import Levels, Weights, in_order
from sqlanon.core.connection import connection_first
from sqlanon.core.release import Progress, Release
from sqlanon.core.requirements import Requirements, complete
from sqlanon.core.source import Source, listed, names


@connection_first
def anatomize(
    con: duckdb.DuckDBPyConnection,
    source: Source,
    *,
    qi: Names,
    sensitive: Names,
    keep: Names | None = None,
    l: int,
    seed: int | None = None,
    unit: str | None = None,
    sensitive_into: str | None = None,
    into: str | None = None,
    replace: bool = False,
    progress: Progress | bool | None = None,
) -> Release:
    """Releases every row of a table by Anatomy: the quasi-identifiers unchanged, and instead of the sensitive
    value the values of a bucket of l to 2l - 1 rows, one of which is the row's own. All values of a bucket
    are different. So an adversary who finds a person's row, and does not know how values depend on
    quasi-identifiers, guesses the value with a probability of at most 1/l.

    Parameters:
    - source (table): the raw rows.
    - qi (columns): quasi-identifiers: columns that others may know about a person, such as age, postcode and
      sex; they are recoded, that is made coarser.
    - sensitive (columns): must be given: one column, whose values are released by bucket. Spellings of a
      value are one, and so is what is missing: a bucket has each once.
    - keep (columns): further columns that are released unchanged. Columns that no parameter names are not
      released.
    - l (integer, at least 1): must be given: the least number of rows, and of sensitive values, in a bucket.
    - seed (integer): fixes who is in which bucket, and the order of rows. Somebody who knows or guesses it
      can undo the release: leave it out, or use a long one and keep it secret.
    - unit (column): identifies the person of a row, if people can have several rows. The rows of a bucket are
      then of different people. The column is not released.

    Result:
    - <qi> (unchanged): as in source; but a text that looks like a released label, such as *, is written as a
      set of one: {"*"}.
    - <keep> (unchanged): as in source.
    - bucket (integer): a number from 1.
    - <sensitive> (list): the values in the bucket, sorted.

    Errors: unknown column, empty table, several sensitive columns, a column named bucket, a value that more
    than 1/l of the rows have, a person with so many rows that they would be in a bucket twice.

    Notes: the release does not hide that somebody is in the table: it is not k-anonymous. Nor does it hide
    how values depend on quasi-identifiers: all buckets together show that, and so de_finetti guesses better
    than 1/l. From a release r with the sensitive column disease, the paper's two relations are: select *
    exclude (disease) from r, and select distinct bucket, unnest(disease) as disease from r. The latter, as a
    table v, is checked by violations('v', qi := 'bucket', sensitive := 'disease', l := 3). To attack a
    release as classes, make one row for each possible value: select * exclude (disease), unnest(disease) as
    disease from r. With a unit, a person with several rows is in as many buckets; there is no guarantee about
    what these reveal together.

    Source: Xiao and Tao 2006.

    sensitive_into: the name of a second table. Then the release is the two tables of the paper, made together
    or not at all: `into` has a row per row, with qi, keep and bucket, and `sensitive_into` a row per bucket
    and sensitive value; details name it as sensitive_table. Without it the values of its bucket are in each
    row, as a list.

    Without a seed rows are dealt by the randomness of the operating system. It is checked that each bucket
    has as many rows as values, all different, l at least, and that no row and no value is lost.

    A table is the name of a table, view or file, a DataFrame, an Arrow table, a relation of this connection,
    or a release.

    into: the name of the table to make; without it, a temporary one is made. replace: an existing one may be
    replaced. progress: True shows a bar; a function is called with the share that is done (0 to 1) and a
    message that begins with the phase: reading, coding, what the method does, labelling, writing the release,
    checking.

    The release is checked by a statement of its own before it becomes visible. After an error, an interrupt
    (Ctrl-C) or an exception from progress nothing is left behind; an interrupt that comes when the release is
    committed already, and only working tables are to go, comes too late. In a transaction of the caller
    everything happens in that transaction, which is not committed; an error or interrupt in SQL ends it, as
    everywhere in DuckDB, and it can only be rolled back.

    What is listed under Errors is an InputError, and so is that into exists; others are SqlError and
    VerificationError. A LeavingWarning tells of columns that name people, a SetsWarning of many texts without
    a hierarchy.

    Example: sqlanon.anatomize(con, "people", qi=["age", "zip"], sensitive="disease", l=2)
    """
    return Anatomy.released(
        con,
        "anatomize",
        source,
        qi=qi,
        sensitive=sensitive,
        keep=keep,
        l=l,
        seed=seed,
        unit=unit,
        sensitive_into=sensitive_into,
        into=into,
        replace=replace,
        progress=progress,
    )


@connection_first
def datafly(
    con: duckdb.DuckDBPyConnection,
    source: Source,
    *,
    qi: Names,
    sensitive: Names | None = None,
    keep: Names | None = None,
    hierarchies: Source = None,
    population: Source = None,
    suppression_limit: float = 0,
    seed: int | None = None,
    unit: str | None = None,
    known: Iterable[Source] | None = None,
    presence: Names | None = None,
    into: str | None = None,
    replace: bool = False,
    progress: Progress | bool | None = None,
    **requirements: Unpack[Requirements],
) -> Release:
    """Releases a table by the Datafly heuristic. The column in qi with the most distinct values is
    generalized by one level, again and again, until no more rows have to be suppressed than allowed.

    Parameters:
    - source (table): the raw rows.
    - qi (columns): quasi-identifiers: columns that others may know about a person, such as age, postcode and
      sex; they are recoded, that is made coarser.
    - sensitive (columns): columns whose values nobody should learn about a person, such as a disease; they
      are released unchanged.
    - keep (columns): further columns that are released unchanged. Columns that no parameter names are not
      released.
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
    - distinct_spellings (columns): columns in which spellings are different values, such as the codes a and
      A; elsewhere flu, "flu " and FLU are one value (spellings lists them).
    - missing_counts (boolean): true: a missing sensitive value (NULL, empty, blanks) is a value like any
      other. false: it adds no value, and its rows count with the most frequent value of their class.
    - population (table): everybody who might be in the table, with raw values in qi: for k_map, dmin and
      dmax.
    - suppression_limit (number, 0 to 1): the share of rows that may be suppressed. With dmin above 0, the
      remaining classes must still cover everybody in the population.
    - seed (integer): fixes the order of rows.
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
    - <qi>: as in generalize
    - <sensitive>, <keep>: as in mondrian

    Errors: as in optimal.

    Source: Sweeney 1997; Sweeney 2002 (Achieving k-Anonymity), sec. 5.

    Levels and weights are lists in the order of qi, or by column name: {"age": 2}. Columns that are not named
    stay as they are (level 0), weigh 1, or have no least or highest level. exposed_rows, unbound_rows and
    unread_rows are as in `mondrian`.

    Its details: levels by column, cost (of the measure), points (of the lattice), how many of them were
    looked_at, and where the search was cut short how many are open (not looked at), and open_cost, below
    which none of these costs. rounds: the same of every search, where there are several, and held_back_rows,
    which are suppressed because their class overlaps with an earlier one; the others are of the first.

    A table is the name of a table, view or file, a DataFrame, an Arrow table, a relation of this connection,
    or a release.

    into: the name of the table to make; without it, a temporary one is made. replace: an existing one may be
    replaced. progress: True shows a bar; a function is called with the share that is done (0 to 1) and a
    message that begins with the phase: reading, coding, what the method does, labelling, writing the release,
    checking.

    The release is checked by a statement of its own before it becomes visible. After an error, an interrupt
    (Ctrl-C) or an exception from progress nothing is left behind; an interrupt that comes when the release is
    committed already, and only working tables are to go, comes too late. In a transaction of the caller
    everything happens in that transaction, which is not committed; an error or interrupt in SQL ends it, as
    everywhere in DuckDB, and it can only be rolled back.

    What is listed under Errors is an InputError, and so is that into exists; others are SqlError and
    VerificationError. A LeavingWarning tells of columns that name people, a SetsWarning of many texts without
    a hierarchy.

    Example: sqlanon.datafly(con, "people", qi=["age", "zip"], hierarchies="hierarchies", k=3)
    """
    return FullDomain.released(
        con,
        "datafly",
        source,
        qi=qi,
        sensitive=sensitive,
        keep=keep,
        hierarchies=hierarchies,
        population=population,
        suppression_limit=suppression_limit,
        seed=seed,
        unit=unit,
        known=known,
        presence=presence,
        into=into,
        replace=replace,
        progress=progress,
        **requirements,
    )


@connection_first
def generalize(
    con: duckdb.DuckDBPyConnection,
    source: Source,
    *,
    qi: Names,
    levels: Levels,
    sensitive: Names | None = None,
    keep: Names | None = None,
    hierarchies: Source = None,
    population: Source = None,
    suppression_limit: float = 0,
    seed: int | None = None,
    unit: str | None = None,
    known: Iterable[Source] | None = None,
    presence: Names | None = None,
    into: str | None = None,
    replace: bool = False,
    progress: Progress | bool | None = None,
    **requirements: Unpack[Requirements],
) -> Release:
    """Releases a table by full-domain generalization: in each column, all values are replaced by the labels
    of one level of its hierarchy, which you choose. All rows of classes that violate a requirement are
    suppressed, that is left out. The order of rows depends only on the released values.

    Parameters:
    - source (table): the raw rows.
    - qi (columns): quasi-identifiers: columns that others may know about a person, such as age, postcode and
      sex; they are recoded, that is made coarser.
    - levels (list of integers, at least 0): the level of each column in qi, in that order; 0 is the value
      itself.
    - sensitive (columns): columns whose values nobody should learn about a person, such as a disease; they
      are released unchanged.
    - keep (columns): further columns that are released unchanged. Columns that no parameter names are not
      released.
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
    - distinct_spellings (columns): columns in which spellings are different values, such as the codes a and
      A; elsewhere flu, "flu " and FLU are one value (spellings lists them).
    - missing_counts (boolean): true: a missing sensitive value (NULL, empty, blanks) is a value like any
      other. false: it adds no value, and its rows count with the most frequent value of their class.
    - population (table): everybody who might be in the table, with raw values in qi: for k_map, dmin and
      dmax.
    - suppression_limit (number, 0 to 1): the share of rows that may be suppressed. With dmin above 0, the
      remaining classes must still cover everybody in the population.
    - seed (integer): fixes the order of rows.
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
    - <qi> (text): the labels of the chosen levels.
    - <sensitive>, <keep>: as in mondrian

    Errors: unknown column, empty table, no requirement, a level that a hierarchy does not have, more rows to
    suppress than suppression_limit allows, a value missing in its hierarchy, a hierarchy that is not a tree,
    a column of another type in the population.

    Source: Samarati 2001, sec. 4.

    Levels and weights are lists in the order of qi, or by column name: {"age": 2}. Columns that are not named
    stay as they are (level 0), weigh 1, or have no least or highest level. exposed_rows, unbound_rows and
    unread_rows are as in `mondrian`.

    Its details: levels by column, cost (of the measure), points (of the lattice), how many of them were
    looked_at, and where the search was cut short how many are open (not looked at), and open_cost, below
    which none of these costs. rounds: the same of every search, where there are several, and held_back_rows,
    which are suppressed because their class overlaps with an earlier one; the others are of the first.

    A table is the name of a table, view or file, a DataFrame, an Arrow table, a relation of this connection,
    or a release.

    into: the name of the table to make; without it, a temporary one is made. replace: an existing one may be
    replaced. progress: True shows a bar; a function is called with the share that is done (0 to 1) and a
    message that begins with the phase: reading, coding, what the method does, labelling, writing the release,
    checking.

    The release is checked by a statement of its own before it becomes visible. After an error, an interrupt
    (Ctrl-C) or an exception from progress nothing is left behind; an interrupt that comes when the release is
    committed already, and only working tables are to go, comes too late. In a transaction of the caller
    everything happens in that transaction, which is not committed; an error or interrupt in SQL ends it, as
    everywhere in DuckDB, and it can only be rolled back.

    What is listed under Errors is an InputError, and so is that into exists; others are SqlError and
    VerificationError. A LeavingWarning tells of columns that name people, a SetsWarning of many texts without
    a hierarchy.

    Example: sqlanon.generalize(con, "people", qi=["age", "zip"], levels=[1, 2], hierarchies="hierarchies",
    k=2, suppression_limit=0.2)
    """
    return FullDomain.released(
        con,
        "generalize",
        source,
        qi=qi,
        levels=levels,
        sensitive=sensitive,
        keep=keep,
        hierarchies=hierarchies,
        population=population,
        suppression_limit=suppression_limit,
        seed=seed,
        unit=unit,
        known=known,
        presence=presence,
        into=into,
        replace=replace,
        progress=progress,
        **requirements,
    )


@connection_first
def k_similar(
    con: duckdb.DuckDBPyConnection,
    source: Source,
    *,
    qi: Names,
    sensitive: Names | None = None,
    keep: Names | None = None,
    hierarchies: Source = None,
    algorithm: Literal["mdav", "vmdav", "univariate", "curve"] = "mdav",
    gamma: float = 0.2,
    recoding: Literal["text", "range"] = "text",
    seed: int | None = None,
    unit: str | None = None,
    known: Iterable[Source] | None = None,
    presence: Names | None = None,
    into: str | None = None,
    replace: bool = False,
    progress: Progress | bool | None = None,
    **requirements: Unpack[Requirements],
) -> Release:
    """Releases every row of a table by k-Similar: the groups of similar rows that microaggregate makes, each
    generalized just enough to contain the values of its rows. Groups may overlap; locate and
    intersection_attack find people in all classes that cover them. The order of rows depends only on the
    released values.

    Parameters:
    - source (table): the raw rows.
    - qi (columns): quasi-identifiers: columns that others may know about a person, such as age, postcode and
      sex; they are recoded, that is made coarser.
    - sensitive (columns): columns whose values nobody should learn about a person, such as a disease; they
      are released unchanged.
    - keep (columns): further columns that are released unchanged. Columns that no parameter names are not
      released.
    - hierarchies (table): rows of attribute, value, level and label, as returned by interval_hierarchy. For
      distances, a text in a column with a hierarchy has the position of its leaf.
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
    - algorithm (one of mdav, vmdav, univariate, curve): mdav: groups of k rows around the rows farthest from
      the mean; vmdav: the same with k to 2k - 1 rows; univariate: the optimal groups on one column of numbers
      or dates; curve: groups of k consecutive rows along a Hilbert curve.
    - gamma (number, at least 0): for vmdav: the larger gamma is, the more readily a group takes more than k
      rows: 0.2 is for scattered rows, 1.1 for clustered rows.
    - recoding (one of text, range): text: [20, 29], {a, b} and labels; range: STRUCT(lo, hi) and lists.
    - seed (integer): fixes the order of rows, and which group each of several equal rows is in.
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
    - <qi>, <sensitive>, <keep>: as in mondrian

    Errors: as in microaggregate.

    Notes: see microaggregate for algorithms, distances, other requirements and unit.

    Source: Sweeney 2001 and 2002 (our reading: groups of microaggregation); Byun, Kamra, Bertino and Li 2007;
    Domingo-Ferrer and Torra 2005.

    exposed_rows, unbound_rows and unread_rows are as in `mondrian`.

    A table is the name of a table, view or file, a DataFrame, an Arrow table, a relation of this connection,
    or a release.

    into: the name of the table to make; without it, a temporary one is made. replace: an existing one may be
    replaced. progress: True shows a bar; a function is called with the share that is done (0 to 1) and a
    message that begins with the phase: reading, coding, what the method does, labelling, writing the release,
    checking.

    The release is checked by a statement of its own before it becomes visible. After an error, an interrupt
    (Ctrl-C) or an exception from progress nothing is left behind; an interrupt that comes when the release is
    committed already, and only working tables are to go, comes too late. In a transaction of the caller
    everything happens in that transaction, which is not committed; an error or interrupt in SQL ends it, as
    everywhere in DuckDB, and it can only be rolled back.

    What is listed under Errors is an InputError, and so is that into exists; others are SqlError and
    VerificationError. A LeavingWarning tells of columns that name people, a SetsWarning of many texts without
    a hierarchy.

    Example: sqlanon.k_similar(con, "people", qi=["age", "income"], sensitive="disease", k=3,
    algorithm="curve")
    """
    return KSimilar.released(
        con,
        "k_similar",
        source,
        qi=qi,
        sensitive=sensitive,
        keep=keep,
        hierarchies=hierarchies,
        algorithm=algorithm,
        gamma=gamma,
        recoding=recoding,
        seed=seed,
        unit=unit,
        known=known,
        presence=presence,
        into=into,
        replace=replace,
        progress=progress,
        **requirements,
    )


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
    - distinct_spellings (columns): columns in which spellings are different values, such as the codes a and
      A; elsewhere flu, "flu " and FLU are one value (spellings lists them).
    - missing_counts (boolean): true: a missing sensitive value (NULL, empty, blanks) is a value like any
      other. false: it adds no value, and its rows count with the most frequent value of their class.
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
def microaggregate(
    con: duckdb.DuckDBPyConnection,
    source: Source,
    *,
    qi: Names,
    sensitive: Names | None = None,
    keep: Names | None = None,
    hierarchies: Source = None,
    algorithm: Literal["mdav", "vmdav", "univariate", "curve"] = "mdav",
    gamma: float = 0.2,
    center: Literal["mean", "median"] = "mean",
    seed: int | None = None,
    unit: str | None = None,
    into: str | None = None,
    replace: bool = False,
    progress: Progress | bool | None = None,
    **requirements: Unpack[Requirements],
) -> Release:
    """Releases every row of a table by microaggregation: its quasi-identifiers are replaced by the center of
    a group of at least k similar rows. The order of rows depends only on the released values.

    Parameters:
    - source (table): the raw rows.
    - qi (columns): quasi-identifiers: columns that others may know about a person, such as age, postcode and
      sex; they are recoded, that is made coarser.
    - sensitive (columns): columns whose values nobody should learn about a person, such as a disease; they
      are released unchanged.
    - keep (columns): further columns that are released unchanged. Columns that no parameter names are not
      released.
    - hierarchies (table): rows of attribute, value, level and label, as returned by interval_hierarchy. For
      distances, a text in a column with a hierarchy has the position of its leaf.
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
    - safety_c (number, above 0 and at most 1): (c, k)-safety: an adversary who also knows safety_k
      implications, such as "if Bob has the flu, Ann has it" (background_knowledge), is less than safety_c
      sure of any sensitive value. Such facts may be about all classes; each class is made so that this holds
      whatever the others are.
    - safety_k (integer, 0 to 10): the number of implications that the adversary knows, for safety_c.
    - distinct_spellings (columns): columns in which spellings are different values, such as the codes a and
      A; elsewhere flu, "flu " and FLU are one value (spellings lists them).
    - missing_counts (boolean): true: a missing sensitive value (NULL, empty, blanks) is a value like any
      other. false: it adds no value, and its rows count with the most frequent value of their class.
    - algorithm (one of mdav, vmdav, univariate, curve): mdav: groups of k rows around the rows farthest from
      the mean; vmdav: the same with k to 2k - 1 rows; univariate: the optimal groups on one column of numbers
      or dates; curve: groups of k consecutive rows along a Hilbert curve.
    - gamma (number, at least 0): for vmdav: the larger gamma is, the more readily a group takes more than k
      rows: 0.2 is for scattered rows, 1.1 for clustered rows.
    - center (one of mean, median): for numbers and dates: their mean (DOUBLE; dates are rounded), or their
      median, a value of the group. Columns of other types release the most frequent value of the group; of
      equally frequent values the first.
    - seed (integer): fixes the order of rows.
    - unit (column): identifies the person of a row, if people can have several rows; all requirements then
      count people. The column is not released.

    Result:
    - <qi> (number or unchanged): the center of the group.
    - <sensitive>, <keep>: as in mondrian

    Errors: unknown column, empty table, a number that is not finite, requirements that even the whole table
    as one class does not meet, a value missing in its hierarchy.

    Notes: all algorithms except curve are Python functions: call sqlanon.register_functions(con) in Python
    before you use them in SQL. For mdav and vmdav, a table of more than 100,000 rows is first cut into blocks
    at medians. The distance of rows is that of their standardized coordinates (see sql/core/coordinates.sql).
    NULL is a category of its own; in a column of numbers it is released for a group in which NULLs are the
    majority. A group that violates a requirement other than k is merged with the nearest group. With a unit,
    k is the only requirement allowed; groups with fewer than k people are merged.

    Source: Domingo-Ferrer and Mateo-Sanz 2002; Domingo-Ferrer and Torra 2005; Solanas and Martínez-Ballesté
    2006; Hansen and Mukherjee 2003; Hilbert 1891; Skilling 2004.

    Its details: information_loss (0 to 1): the sum of squares within classes as a share of that of the table
    (SSE / SST).

    A table is the name of a table, view or file, a DataFrame, an Arrow table, a relation of this connection,
    or a release.

    into: the name of the table to make; without it, a temporary one is made. replace: an existing one may be
    replaced. progress: True shows a bar; a function is called with the share that is done (0 to 1) and a
    message that begins with the phase: reading, coding, what the method does, labelling, writing the release,
    checking.

    The release is checked by a statement of its own before it becomes visible. After an error, an interrupt
    (Ctrl-C) or an exception from progress nothing is left behind; an interrupt that comes when the release is
    committed already, and only working tables are to go, comes too late. In a transaction of the caller
    everything happens in that transaction, which is not committed; an error or interrupt in SQL ends it, as
    everywhere in DuckDB, and it can only be rolled back.

    What is listed under Errors is an InputError, and so is that into exists; others are SqlError and
    VerificationError. A LeavingWarning tells of columns that name people, a SetsWarning of many texts without
    a hierarchy.

    Example: sqlanon.microaggregate(con, "people", qi=["age", "income"], sensitive="disease", k=3,
    algorithm="curve")
    """
    return Microaggregation.released(
        con,
        "microaggregate",
        source,
        qi=qi,
        sensitive=sensitive,
        keep=keep,
        hierarchies=hierarchies,
        algorithm=algorithm,
        gamma=gamma,
        center=center,
        seed=seed,
        unit=unit,
        into=into,
        replace=replace,
        progress=progress,
        **requirements,
    )


@connection_first
def mondrian(
    con: duckdb.DuckDBPyConnection,
    source: Source,
    *,
    qi: Names,
    sensitive: Names | None = None,
    keep: Names | None = None,
    hierarchies: Source = None,
    population: Source = None,
    relaxed: bool = False,
    target: str | None = None,
    recoding: Literal["text", "range"] = "text",
    seed: int | None = None,
    unit: str | None = None,
    known: Iterable[Source] | None = None,
    presence: Names | None = None,
    based_on: Source = None,
    suppression_limit: float = 0,
    composed_confidence: float | None = None,
    bcf_k: int | None = None,
    into: str | None = None,
    replace: bool = False,
    progress: Progress | bool | None = None,
    **requirements: Unpack[Requirements],
) -> Release:
    """Releases every row of a table with coarser quasi-identifiers, by multidimensional Mondrian. A class is
    cut at the median of the attribute on which it is widest, as long as both halves meet the requirements;
    rows with the same values stay together. The order of rows depends only on the released values.

    Parameters:
    - source (table): the raw rows.
    - qi (columns): quasi-identifiers: columns that others may know about a person, such as age, postcode and
      sex; they are recoded, that is made coarser.
    - sensitive (columns): columns whose values nobody should learn about a person, such as a disease; they
      are released unchanged.
    - keep (columns): further columns that are released unchanged. Columns that no parameter names are not
      released.
    - hierarchies (table): rows of attribute, value, level and label (the coarser labels of each value), as
      returned by interval_hierarchy, for those columns in qi that have a hierarchy.
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
    - relaxed (boolean): true: rows with the same values may be divided between two classes, if this makes the
      halves more even. This gives more and smaller classes, which may overlap. With k alone and without
      hierarchies every class has fewer than 2k rows, except where classes with the same released values look
      like one.
    - target (column): one of the columns in sensitive and keep. Cuts are made where they explain most of it
      (information gain), so that a classifier for it can be trained on the release.
    - recoding (one of text, range): text: [20, 29], {a, b} and labels; range: STRUCT(lo, hi) and lists.
    - seed (integer): fixes the order of rows and, if relaxed, which class each of several equal rows is in.
      Keep it secret: somebody who knows it may be able to undo the release.
    - unit (column): identifies the person of a row, if people can have several rows; all requirements then
      count people. The column is not released.
    - known (list of tables): releases that are already published, with the columns in qi and sensitive: for
      composed_l. People are looked for in the classes that cover them, as by locate. A row that no class of a
      known release covers is exempt, also if a label could not be read. unread_labels lists such labels;
      Python and the command line report the number of exempt rows and of unread rows.
    - presence (list of columns): boolean columns of tbl, one per known release: true if the row is, or may
      be, in that release. For a release that a row is not in, the row is exempt, even if a class there covers
      it. Without presence, everybody may be in all known releases. The columns are not released.
    - based_on (table): an earlier release of the same rows. Every class is a union of classes of that
      release, so both together reveal no more about anybody than the earlier one alone. If rows were added or
      removed since, the call fails.
    - suppression_limit (number, 0 to 1): with composed_l, the share of rows that may be suppressed, that is
      left out: those that prevent most cuts, because the known releases leave only rare values possible for
      them. They are in no class, and composed_l does not apply to them. But classes of others may cover them;
      Python and the command line report for how many of them fewer than composed_l values then seem possible.

    Result:
    - <qi> (text or range): a label that contains the values of all rows in the class.
    - <sensitive> (unchanged): as in source.
    - <keep> (unchanged): as in source.

    Errors: unknown column, empty table, no requirement, a requirement that even the whole table as one class
    does not meet, a value missing in its hierarchy, a hierarchy that is not a tree, a column of another type
    in the population.

    Notes: relaxed, target and population cannot be combined, nor can unit and population. unit and relaxed
    can be combined only if k is the only requirement. With a unit the requirements hold within each class;
    there is no guarantee about all classes of a person together.

    Source: LeFevre, DeWitt and Ramakrishnan 2006 (Mondrian; Workload-aware anonymization).

    composed_confidence (above 0, at most 1): nobody's most probable value is more probable than this, by the
    weights of `intersection_attack` over the known releases and this one, or than the known ones alone make
    it: details count these as surer_rows. A release is made and attacked, and made again with classes twice
    as large for those of whom it tells too much, until there are none. The macro does not do that, nor do
    other methods.

    bcf_k (at least 1): with based_on, rows may have come since the earlier release, and none gone. Whatever
    F, C or B attack is made on both (`correspondence`, Fung et al. 2008), so many rows are left in which a
    victim can be, of those who are in both and of those who are new; and with l, what is left of a class
    without earlier rows (`insert_only`, Byun et al. 2006) has no value or l. A release is made, attacked and
    made again, as for composed_confidence. It is about this pair of releases, and one sensitive column, whose
    values stay the same.

    With known releases details are exposed_rows, to which these leave fewer values than composed_l (they keep
    all of them), unbound_rows, which no class of theirs covers (nothing is asked for them), and unread_rows
    of theirs, with labels that nobody understands. With a suppression_limit they are also
    exposed_suppressed_rows: suppressed rows that classes of others cover, in which whoever takes them for
    released finds fewer values than composed_l for them. Of suppressed rows nothing else is asked. The check
    locates the source in the known releases and this one, as `intersection_attack` does.

    A table is the name of a table, view or file, a DataFrame, an Arrow table, a relation of this connection,
    or a release.

    into: the name of the table to make; without it, a temporary one is made. replace: an existing one may be
    replaced. progress: True shows a bar; a function is called with the share that is done (0 to 1) and a
    message that begins with the phase: reading, coding, what the method does, labelling, writing the release,
    checking.

    The release is checked by a statement of its own before it becomes visible. After an error, an interrupt
    (Ctrl-C) or an exception from progress nothing is left behind; an interrupt that comes when the release is
    committed already, and only working tables are to go, comes too late. In a transaction of the caller
    everything happens in that transaction, which is not committed; an error or interrupt in SQL ends it, as
    everywhere in DuckDB, and it can only be rolled back.

    What is listed under Errors is an InputError, and so is that into exists; others are SqlError and
    VerificationError. A LeavingWarning tells of columns that name people, a SetsWarning of many texts without
    a hierarchy.

    Example: sqlanon.mondrian(con, "people", qi=["age", "zip"], sensitive="disease", k=3, l=2)
    """
    return Mondrian.released(
        con,
        "mondrian",
        source,
        qi=qi,
        sensitive=sensitive,
        keep=keep,
        hierarchies=hierarchies,
        population=population,
        relaxed=relaxed,
        target=target,
        recoding=recoding,
        seed=seed,
        unit=unit,
        known=known,
        presence=presence,
        based_on=based_on,
        suppression_limit=suppression_limit,
        composed_confidence=composed_confidence,
        bcf_k=bcf_k,
        into=into,
        replace=replace,
        progress=progress,
        **requirements,
    )


@connection_first
def mu_argus(
    con: duckdb.DuckDBPyConnection,
    source: Source,
    *,
    qi: Names,
    sensitive: Names | None = None,
    keep: Names | None = None,
    k: int,
    size: int | None = None,
    weights: Weights | None = None,
    wildcards: bool = True,
    recoding: Literal["text", "range"] = "text",
    seed: int | None = None,
    unit: str | None = None,
    into: str | None = None,
    replace: bool = False,
    progress: Progress | bool | None = None,
) -> Release:
    """Releases every row of a table by local suppression, as mu-Argus does: as few cells as possible are
    hidden, so that every combination of up to size quasi-identifiers occurs in at least k rows. The order of
    rows depends only on the released values.

    Parameters:
    - source (table): the raw rows.
    - qi (columns): quasi-identifiers: columns that others may know about a person, such as age, postcode and
      sex; they are recoded, that is made coarser.
    - sensitive (columns): columns whose values nobody should learn about a person, such as a disease; they
      are released unchanged.
    - keep (columns): further columns that are released unchanged. Columns that no parameter names are not
      released.
    - k (integer, at least 1): must be given: the least number of rows with each combination.
    - size (integer, at least 1): the largest number of columns in a combination; if not given, all in qi.
    - weights (list of numbers, above 0): the cost of a hidden cell in each column in qi, in that order; if
      not given, 1 each. A column that costs more is hidden less often.
    - wildcards (boolean): true: a hidden cell counts as equal to every value, as in sdcMicro. Fewer cells are
      hidden, but a row without hidden cells may be the only one with its combination. false: the values that
      a row shows occur together in at least k rows of the table.
    - recoding (one of text, range): text: a hidden cell is *, and all columns in qi are text; range: a hidden
      cell is NULL, and columns keep their types.
    - seed (integer): fixes the order of rows.
    - unit (column): identifies the person of a row, if people can have several rows; every shown combination
      must then be that of at least k people. It needs wildcards := false. The column is not released.

    Result:
    - <qi> (text or unchanged): as in source, or hidden.
    - <sensitive>, <keep>: as in mondrian

    Errors: unknown column, empty table, k above the number of rows, more than 16 columns in qi, a value that
    looks like a hidden cell.

    Source: Hundepool and Willenborg 1996; Sweeney 2002; Templ, Kowarik and Meindl 2015.

    weights are lists in the order of qi, or by column name: {"age": 2}. The check is that of the frequencies
    of `wildcard_frequencies`, for every combination of `size` columns (in the release, or, if not wildcards,
    in the table).

    Its details: suppressed_cells: by column, how many of its cells are.

    A table is the name of a table, view or file, a DataFrame, an Arrow table, a relation of this connection,
    or a release.

    into: the name of the table to make; without it, a temporary one is made. replace: an existing one may be
    replaced. progress: True shows a bar; a function is called with the share that is done (0 to 1) and a
    message that begins with the phase: reading, coding, what the method does, labelling, writing the release,
    checking.

    The release is checked by a statement of its own before it becomes visible. After an error, an interrupt
    (Ctrl-C) or an exception from progress nothing is left behind; an interrupt that comes when the release is
    committed already, and only working tables are to go, comes too late. In a transaction of the caller
    everything happens in that transaction, which is not committed; an error or interrupt in SQL ends it, as
    everywhere in DuckDB, and it can only be rolled back.

    What is listed under Errors is an InputError, and so is that into exists; others are SqlError and
    VerificationError. A LeavingWarning tells of columns that name people, a SetsWarning of many texts without
    a hierarchy.

    Example: sqlanon.mu_argus(con, "people", qi=["zip", "disease"], keep="income", k=2)
    """
    return MuArgus.released(
        con,
        "mu_argus",
        source,
        qi=qi,
        sensitive=sensitive,
        keep=keep,
        k=k,
        size=size,
        weights=weights,
        wildcards=wildcards,
        recoding=recoding,
        seed=seed,
        unit=unit,
        into=into,
        replace=replace,
        progress=progress,
    )


@connection_first
def optimal(
    con: duckdb.DuckDBPyConnection,
    source: Source,
    *,
    qi: Names,
    sensitive: Names | None = None,
    keep: Names | None = None,
    hierarchies: Source = None,
    population: Source = None,
    suppression_limit: float = 0,
    measure: Literal[
        "loss", "entropy", "discernibility", "average_class_size", "precision", "height"
    ] = "loss",
    aggregate: Literal["geometric_mean", "arithmetic_mean", "rank"] = "geometric_mean",
    monotonic: bool = False,
    gs_factor: float = 0.5,
    weights: Weights | None = None,
    min_levels: Levels | None = None,
    max_levels: Levels | None = None,
    seed: int | None = None,
    unit: str | None = None,
    known: Iterable[Source] | None = None,
    presence: Names | None = None,
    local_recoding: bool = False,
    time_limit: float | None = None,
    into: str | None = None,
    replace: bool = False,
    progress: Progress | bool | None = None,
    **requirements: Unpack[Requirements],
) -> Release:
    """Releases a table by the best full-domain generalization: of all combinations of levels that meet the
    requirements and suppress no more than allowed, the one with the least loss (measure). The search is
    exact: combinations that it skips cannot be better. Of equally good ones it takes the one of least height,
    the sum of levels.

    Parameters:
    - source (table): the raw rows.
    - qi (columns): quasi-identifiers: columns that others may know about a person, such as age, postcode and
      sex; they are recoded, that is made coarser.
    - sensitive (columns): columns whose values nobody should learn about a person, such as a disease; they
      are released unchanged.
    - keep (columns): further columns that are released unchanged. Columns that no parameter names are not
      released.
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
    - distinct_spellings (columns): columns in which spellings are different values, such as the codes a and
      A; elsewhere flu, "flu " and FLU are one value (spellings lists them).
    - missing_counts (boolean): true: a missing sensitive value (NULL, empty, blanks) is a value like any
      other. false: it adds no value, and its rows count with the most frequent value of their class.
    - population (table): everybody who might be in the table, with raw values in qi: for k_map, dmin and
      dmax.
    - suppression_limit (number, 0 to 1): the share of rows that may be suppressed. With dmin above 0, the
      remaining classes must still cover everybody in the population.
    - measure (one of loss, entropy, discernibility, average_class_size, precision, height): the measure to
      minimize, as ARX computes it; entropy is non-uniform entropy.
    - aggregate (one of geometric_mean, arithmetic_mean, rank): how the losses of the columns are combined.
    - monotonic (boolean): true: measure as if suppressed rows were released.
    - gs_factor (number, 0 to 1): for loss: below 0.5 suppressed rows weigh less, above 0.5 generalized rows
      weigh less.
    - weights (list of numbers, at least 0): weights of the columns in qi, in that order; if not given, 1
      each.
    - min_levels (list of integers, at least 0): the lowest level allowed for each column in qi, in that
      order.
    - max_levels (list of integers, at least 0): the highest level allowed for each column in qi, in that
      order.
    - seed (integer): fixes the order of rows.
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
    - <qi>: as in generalize
    - <sensitive>, <keep>: as in mondrian

    Errors: as in generalize, and if no combination of levels meets the requirements.

    Notes: lattice lists all combinations.

    Source: LeFevre, DeWitt and Ramakrishnan 2005; Kohlmayer et al. 2012.

    local_recoding: the rows that the best point suppresses are generalized again, by the best point for them,
    until nothing more can be released (with suppression_limit=1 most is gained). Classes that overlap with
    those released before are held back, because the order of the rounds would rule out values for their rows.
    The macro does not do that. time_limit: seconds after which the best point found so far is taken, if any
    fits.

    Levels and weights are lists in the order of qi, or by column name: {"age": 2}. Columns that are not named
    stay as they are (level 0), weigh 1, or have no least or highest level. exposed_rows, unbound_rows and
    unread_rows are as in `mondrian`.

    Its details: levels by column, cost (of the measure), points (of the lattice), how many of them were
    looked_at, and where the search was cut short how many are open (not looked at), and open_cost, below
    which none of these costs. rounds: the same of every search, where there are several, and held_back_rows,
    which are suppressed because their class overlaps with an earlier one; the others are of the first.

    A table is the name of a table, view or file, a DataFrame, an Arrow table, a relation of this connection,
    or a release.

    into: the name of the table to make; without it, a temporary one is made. replace: an existing one may be
    replaced. progress: True shows a bar; a function is called with the share that is done (0 to 1) and a
    message that begins with the phase: reading, coding, what the method does, labelling, writing the release,
    checking.

    The release is checked by a statement of its own before it becomes visible. After an error, an interrupt
    (Ctrl-C) or an exception from progress nothing is left behind; an interrupt that comes when the release is
    committed already, and only working tables are to go, comes too late. In a transaction of the caller
    everything happens in that transaction, which is not committed; an error or interrupt in SQL ends it, as
    everywhere in DuckDB, and it can only be rolled back.

    What is listed under Errors is an InputError, and so is that into exists; others are SqlError and
    VerificationError. A LeavingWarning tells of columns that name people, a SetsWarning of many texts without
    a hierarchy.

    Example: sqlanon.optimal(con, "people", qi=["age", "zip"], sensitive="disease", hierarchies="hierarchies",
    k=3, suppression_limit=0.1)
    """
    return Optimal.released(
        con,
        "optimal",
        source,
        qi=qi,
        sensitive=sensitive,
        keep=keep,
        hierarchies=hierarchies,
        population=population,
        suppression_limit=suppression_limit,
        measure=measure,
        aggregate=aggregate,
        monotonic=monotonic,
        gs_factor=gs_factor,
        weights=weights,
        min_levels=min_levels,
        max_levels=max_levels,
        seed=seed,
        unit=unit,
        known=known,
        presence=presence,
        local_recoding=local_recoding,
        time_limit=time_limit,
        into=into,
        replace=replace,
        progress=progress,
        **requirements,
    )


@connection_first
def recode(
    con: duckdb.DuckDBPyConnection,
    source: Source,
    scheme: Source,
    *,
    qi: Names,
    sensitive: Names | None = None,
    keep: Names | None = None,
    hierarchies: Source = None,
    suppression_limit: float = 0,
    seed: int | None = None,
    unit: str | None = None,
    into: str | None = None,
    replace: bool = False,
    progress: Progress | bool | None = None,
    **requirements: Unpack[Requirements],
) -> Release:
    """Releases a table with the labels of an earlier release, by its scheme: the categories stay the same
    from day to day. Rows with values that are not in the scheme, and all rows of classes that violate a
    requirement, are suppressed, that is left out. The order of rows depends only on the released values.

    Parameters:
    - source (table): the raw rows.
    - scheme (table): rows of class_id, attribute, covers and label, as returned by scheme_of_cuts and
      scheme_of_levels, or written by hand. Rows of a class may also have within and beyond.
    - qi (columns): quasi-identifiers: columns that others may know about a person, such as age, postcode and
      sex; they are recoded, that is made coarser.
    - sensitive (columns): columns whose values nobody should learn about a person, such as a disease; they
      are released unchanged.
    - keep (columns): further columns that are released unchanged. Columns that no parameter names are not
      released.
    - hierarchies (table): hierarchies of sensitive columns, for t_distance := 'hierarchical'. For the columns
      in qi, the scheme alone decides.
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
    - safety_c (number, above 0 and at most 1): (c, k)-safety: an adversary who also knows safety_k
      implications, such as "if Bob has the flu, Ann has it" (background_knowledge), is less than safety_c
      sure of any sensitive value. Such facts may be about all classes; each class is made so that this holds
      whatever the others are.
    - safety_k (integer, 0 to 10): the number of implications that the adversary knows, for safety_c.
    - distinct_spellings (columns): columns in which spellings are different values, such as the codes a and
      A; elsewhere flu, "flu " and FLU are one value (spellings lists them).
    - missing_counts (boolean): true: a missing sensitive value (NULL, empty, blanks) is a value like any
      other. false: it adds no value, and its rows count with the most frequent value of their class.
    - suppression_limit (number, 0 to 1): the share of rows that may be suppressed. With dmin above 0, the
      remaining classes must still cover everybody in the population.
    - seed (integer): fixes the order of rows.
    - unit (column): identifies the person of a row, if people can have several rows; all requirements then
      count people. The column is not released.

    Result:
    - <qi> (text): the label of the scheme; if the class has a value that is not in within, beyond instead. If
      label is NULL, the value itself.
    - <sensitive> (unchanged): as in source.
    - <keep> (unchanged): as in source.

    Errors: unknown column, empty table, no requirement, a column in qi that is not in the scheme, a scheme in
    which the same values belong to several classes or labels, a scheme with within but without beyond, more
    suppressed rows than allowed, or all rows suppressed.

    Notes: requirements are checked for the rows of source, so the rows for which the scheme was made do not
    matter. But an adversary can combine two releases by one scheme like any other two: use
    intersection_attack, or publish, to find out what both reveal.

    Source: LeFevre, DeWitt and Ramakrishnan 2005 and 2006 (global recoding).

    Its details: unplaced_rows (that the scheme has no place for), unplaced_values (by column, the first of
    those that no part of the scheme covers), and violating_rows (in classes that violate a requirement). All
    of them are suppressed.

    A table is the name of a table, view or file, a DataFrame, an Arrow table, a relation of this connection,
    or a release.

    into: the name of the table to make; without it, a temporary one is made. replace: an existing one may be
    replaced. progress: True shows a bar; a function is called with the share that is done (0 to 1) and a
    message that begins with the phase: reading, coding, what the method does, labelling, writing the release,
    checking.

    The release is checked by a statement of its own before it becomes visible. After an error, an interrupt
    (Ctrl-C) or an exception from progress nothing is left behind; an interrupt that comes when the release is
    committed already, and only working tables are to go, comes too late. In a transaction of the caller
    everything happens in that transaction, which is not committed; an error or interrupt in SQL ends it, as
    everywhere in DuckDB, and it can only be rolled back.

    What is listed under Errors is an InputError, and so is that into exists; others are SqlError and
    VerificationError. A LeavingWarning tells of columns that name people, a SetsWarning of many texts without
    a hierarchy.

    Example: sqlanon.recode(con, "people", "scheme", qi=["age", "zip"], sensitive="disease", k=3)
    """
    return Recoding.released(
        con,
        "recode",
        source,
        scheme=scheme,
        qi=qi,
        sensitive=sensitive,
        keep=keep,
        hierarchies=hierarchies,
        suppression_limit=suppression_limit,
        seed=seed,
        unit=unit,
        into=into,
        replace=replace,
        progress=progress,
        **requirements,
    )


@connection_first
def samarati(
    con: duckdb.DuckDBPyConnection,
    source: Source,
    *,
    qi: Names,
    sensitive: Names | None = None,
    keep: Names | None = None,
    hierarchies: Source = None,
    population: Source = None,
    suppression_limit: float = 0,
    seed: int | None = None,
    unit: str | None = None,
    known: Iterable[Source] | None = None,
    presence: Names | None = None,
    time_limit: float | None = None,
    into: str | None = None,
    replace: bool = False,
    progress: Progress | bool | None = None,
    **requirements: Unpack[Requirements],
) -> Release:
    """Releases a table by a full-domain generalization of least height (sum of levels), found by binary
    search on the height.

    Parameters:
    - source (table): the raw rows.
    - qi (columns): quasi-identifiers: columns that others may know about a person, such as age, postcode and
      sex; they are recoded, that is made coarser.
    - sensitive (columns): columns whose values nobody should learn about a person, such as a disease; they
      are released unchanged.
    - keep (columns): further columns that are released unchanged. Columns that no parameter names are not
      released.
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
    - distinct_spellings (columns): columns in which spellings are different values, such as the codes a and
      A; elsewhere flu, "flu " and FLU are one value (spellings lists them).
    - missing_counts (boolean): true: a missing sensitive value (NULL, empty, blanks) is a value like any
      other. false: it adds no value, and its rows count with the most frequent value of their class.
    - population (table): everybody who might be in the table, with raw values in qi: for k_map, dmin and
      dmax.
    - suppression_limit (number, 0 to 1): the share of rows that may be suppressed. With dmin above 0, the
      remaining classes must still cover everybody in the population.
    - seed (integer): fixes the order of rows.
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
    - <qi>: as in generalize
    - <sensitive>, <keep>: as in mondrian

    Errors: as in optimal.

    Notes: the result is exact for requirements that further generalization never violates: k, l, k_map and
    dmin, and all requirements if nothing may be suppressed; with a unit only k. For others use optimal with
    measure := 'height'.

    Source: Samarati 2001, sec. 5.

    time_limit: seconds after which the lowest combination of levels found so far is taken, if any fits.

    Levels and weights are lists in the order of qi, or by column name: {"age": 2}. Columns that are not named
    stay as they are (level 0), weigh 1, or have no least or highest level. exposed_rows, unbound_rows and
    unread_rows are as in `mondrian`.

    Its details: levels by column, cost (of the measure), points (of the lattice), how many of them were
    looked_at, and where the search was cut short how many are open (not looked at), and open_cost, below
    which none of these costs. rounds: the same of every search, where there are several, and held_back_rows,
    which are suppressed because their class overlaps with an earlier one; the others are of the first.

    A table is the name of a table, view or file, a DataFrame, an Arrow table, a relation of this connection,
    or a release.

    into: the name of the table to make; without it, a temporary one is made. replace: an existing one may be
    replaced. progress: True shows a bar; a function is called with the share that is done (0 to 1) and a
    message that begins with the phase: reading, coding, what the method does, labelling, writing the release,
    checking.

    The release is checked by a statement of its own before it becomes visible. After an error, an interrupt
    (Ctrl-C) or an exception from progress nothing is left behind; an interrupt that comes when the release is
    committed already, and only working tables are to go, comes too late. In a transaction of the caller
    everything happens in that transaction, which is not committed; an error or interrupt in SQL ends it, as
    everywhere in DuckDB, and it can only be rolled back.

    What is listed under Errors is an InputError, and so is that into exists; others are SqlError and
    VerificationError. A LeavingWarning tells of columns that name people, a SetsWarning of many texts without
    a hierarchy.

    Example: sqlanon.samarati(con, "people", qi=["age", "zip"], hierarchies="hierarchies", k=3)
    """
    return Samarati.released(
        con,
        "samarati",
        source,
        qi=qi,
        sensitive=sensitive,
        keep=keep,
        hierarchies=hierarchies,
        population=population,
        suppression_limit=suppression_limit,
        seed=seed,
        unit=unit,
        known=known,
        presence=presence,
        time_limit=time_limit,
        into=into,
        replace=replace,
        progress=progress,
        **requirements,
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
