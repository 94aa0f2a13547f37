# Written by `make reference` from the comments in sql/anonymize/.
"""The macros of sql/anonymize/ as functions: `sqlanon.core.answer` says what an answer is."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, Unpack

import duckdb

from sqlanon.anonymize.anatomy import Anatomy
from sqlanon.anonymize.full_domain import FullDomain, Optimal
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
    """Releases every row of a table by Anatomy: the quasi-identifiers as they are, and instead of the
    sensitive value those of a bucket, of which one is its own. A bucket has l to 2l - 1 rows with different
    values, so that whoever finds somebody's row, and knows nothing of how values depend on quasi-identifiers,
    guesses the value with a chance of 1/l at most.

    Parameters:
    - source (table): the raw rows.
    - qi (columns): quasi-identifiers, by which somebody could be recognized; they are recoded.
    - sensitive (columns): must be given: one column, whose values leave as those of a bucket.
    - keep (columns): further columns that leave unchanged; what nobody names does not leave.
    - l (integer, at least 1): must be given: the least number of rows, and of sensitive values, in a bucket.
    - seed (integer): fixes who is in which bucket and the order of rows. Who knows or guesses it can undo the
      release: leave it out, or keep a long one to yourself.
    - unit (column): says whose a row is, where people have several; nobody is in a bucket twice then, so that
      its rows are of as many people. It does not leave.

    Result:
    - <qi> (unchanged): as it was; but a text that looks like something released, * say, is a set of one:
      {"*"}.
    - <keep> (unchanged): as it was.
    - bucket (integer): a number from 1.
    - <sensitive> (list): the values in the bucket, sorted.

    Errors: unknown column, empty table, several sensitive columns, a column named bucket, a value in more
    than one of l rows, somebody with so many rows that they would be in a bucket twice.

    Notes: that somebody is in the table is not hidden: nothing is k-anonymous. Nor is it hidden how values
    depend on quasi-identifiers: all buckets together tell that, and by it de_finetti guesses better than 1/l.
    From a release r with the sensitive column disease, the paper's two relations are: select * exclude
    (disease) from r, and select distinct bucket, unnest(disease) as disease from r. The latter, as a table v,
    is checked by violations('v', qi := 'bucket', sensitive := 'disease', l := 3). To attack a release as
    classes, make a row of each value that is possible: select * exclude (disease), unnest(disease) as disease
    from r. With a unit somebody is in as many buckets as they have rows; nothing is promised about what these
    tell together.

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
    VerificationError. A LeavingWarning tells of columns that name people.

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
    - qi (columns): quasi-identifiers, by which somebody could be recognized; they are recoded.
    - sensitive (columns): columns that must not be tied to a person; they leave unchanged.
    - keep (columns): further columns that leave unchanged; what nobody names does not leave.
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
    - suppression_limit (number, 0 to 1): the share of rows that may be suppressed. With dmin above 0
      everybody in the population must still be in a class afterwards.
    - seed (integer): fixes the order of rows.
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
    - <qi>: as in generalize
    - <sensitive>, <keep>: as in mondrian

    Errors: as in optimal.

    Source: Sweeney 1997; Sweeney 2002 (Achieving k-Anonymity), sec. 5.

    Levels and weights are lists in the order of qi, or by column name: {"age": 2}. Columns that are not named
    stay as they are (level 0), weigh 1, or have no least or highest level. exposed_rows, unbound_rows and
    unread_rows are as in `mondrian`.

    Its details: levels by column, cost (of the measure), points (of the lattice), how many of them were
    looked_at, and where the search was cut short how many are open (not looked at), and open_cost, below
    which none of these costs. rounds: the same of every search, where there are several; the others are of
    the first.

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
    VerificationError. A LeavingWarning tells of columns that name people.

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
    """Releases a table by full-domain generalization, at the level of each hierarchy that you give, for all
    rows alike. All rows of classes that violate a requirement are suppressed, that is left out. Rows come in
    an order that depends on nothing but the released values.

    Parameters:
    - source (table): the raw rows.
    - qi (columns): quasi-identifiers, by which somebody could be recognized; they are recoded.
    - levels (list of integers, at least 0): the level of each column in qi, in that order; 0 is the value
      itself.
    - sensitive (columns): columns that must not be tied to a person; they leave unchanged.
    - keep (columns): further columns that leave unchanged; what nobody names does not leave.
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
    - suppression_limit (number, 0 to 1): the share of rows that may be suppressed. With dmin above 0
      everybody in the population must still be in a class afterwards.
    - seed (integer): fixes the order of rows.
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
    - <qi> (text): the labels of the levels.
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
    which none of these costs. rounds: the same of every search, where there are several; the others are of
    the first.

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
    VerificationError. A LeavingWarning tells of columns that name people.

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
    """Releases every row of a table by k-Similar: groups of near rows as of microaggregate, each generalized
    just enough to cover its rows. Groups may overlap; locate and intersection_attack find people by what
    covers them. Rows come in an order that depends on nothing but the released values.

    Parameters:
    - source (table): the raw rows.
    - qi (columns): quasi-identifiers, by which somebody could be recognized; they are recoded.
    - sensitive (columns): columns that must not be tied to a person; they leave unchanged.
    - keep (columns): further columns that leave unchanged; what nobody names does not leave.
    - hierarchies (table): rows of attribute, value, level and label, as interval_hierarchy gives them; text
      in a column that has a hierarchy is at the place of its leaf.
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
    - safety_c (number, above 0 and at most 1): (c, k)-safety, with safety_k: somebody who also knows k
      implications (background_knowledge) is less than c sure of any sensitive value. This is about all
      classes together: each is made so that it holds whatever the others are.
    - safety_k (integer, 0 to 10): how many pieces of background knowledge that is.
    - composed_l (integer, at least 1): composed l-diversity: the known releases and this one together leave
      everybody at least l possible sensitive values, or as many as the known ones alone. If no median cut of
      a class meets this, other cuts are tried (not if relaxed, or with a target).
    - algorithm (one of mdav, vmdav, univariate, curve): mdav: groups of k around the rows farthest out;
      vmdav: the same with k to 2k - 1 rows; univariate: the optimum on one column of numbers or dates; curve:
      every k rows along Hilbert's curve.
    - gamma (number, at least 0): how readily a group of vmdav takes more than k rows: 0.2 for scattered and
      1.1 for clustered rows.
    - recoding (one of text, range): [20, 29], {a, b} and labels; or STRUCT(lo, hi) and lists.
    - seed (integer): fixes the order of rows, and which of equal rows is in which group.
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
    - <qi>, <sensitive>, <keep>: as in mondrian

    Errors: as in microaggregate.

    Notes: as in microaggregate on algorithms, distances, other requirements and unit.

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
    VerificationError. A LeavingWarning tells of columns that name people.

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
    """Releases every row of a table by microaggregation: in place of its quasi-identifiers, what is in the
    middle of a group of at least k near rows. Rows come in an order that depends on nothing but the released
    values.

    Parameters:
    - source (table): the raw rows.
    - qi (columns): quasi-identifiers, by which somebody could be recognized; they are recoded.
    - sensitive (columns): columns that must not be tied to a person; they leave unchanged.
    - keep (columns): further columns that leave unchanged; what nobody names does not leave.
    - hierarchies (table): rows of attribute, value, level and label, as interval_hierarchy gives them; text
      in a column that has a hierarchy is at the place of its leaf.
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
    - safety_c (number, above 0 and at most 1): (c, k)-safety, with safety_k: somebody who also knows k
      implications (background_knowledge) is less than c sure of any sensitive value. This is about all
      classes together: each is made so that it holds whatever the others are.
    - safety_k (integer, 0 to 10): how many pieces of background knowledge that is.
    - algorithm (one of mdav, vmdav, univariate, curve): mdav: groups of k around the rows farthest out;
      vmdav: the same with k to 2k - 1 rows; univariate: the optimum on one column of numbers or dates; curve:
      every k rows along Hilbert's curve.
    - gamma (number, at least 0): how readily a group of vmdav takes more than k rows: 0.2 for scattered and
      1.1 for clustered rows.
    - center (one of mean, median): of numbers and dates: their mean (DOUBLE; dates are rounded), or a value
      of the group. Columns of any other type release the most frequent value of the group; of several the
      first.
    - seed (integer): fixes the order of rows.
    - unit (column): says whose a row is, where people have several; all requirements then count people. It
      does not leave.

    Result:
    - <qi> (number or unchanged): the center of the group.
    - <sensitive>, <keep>: as in mondrian

    Errors: unknown column, empty table, a number that is not finite, requirements that even the whole table
    as one class does not meet, a value missing in its hierarchy.

    Notes: all algorithms but curve are loops in Python, which a connection knows after
    sqlanon.register_functions(con) there; for mdav and vmdav a table of more than 100,000 rows is first cut
    into blocks by medians. Rows are near where their standardized coordinates are (see
    sql/core/coordinates.sql). NULL is a category of its own; of numbers it is released where it is more
    frequent than they are. Groups that violate a requirement other than k are merged with their nearest. A
    unit goes with k alone; groups with fewer than k people are merged.

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
    VerificationError. A LeavingWarning tells of columns that name people.

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
    """Releases every row of a table with its quasi-identifiers recoded, by multidimensional Mondrian. A class
    is cut at the median of the attribute on which it is widest, as long as both halves meet the requirements;
    rows with the same values stay together. Rows come in an order that depends on nothing but the released
    values.

    Parameters:
    - source (table): the raw rows.
    - qi (columns): quasi-identifiers, by which somebody could be recognized; they are recoded.
    - sensitive (columns): columns that must not be tied to a person; they leave unchanged.
    - keep (columns): further columns that leave unchanged; what nobody names does not leave.
    - hierarchies (table): rows of attribute, value, level and label, as interval_hierarchy gives them, for
      those columns in qi that have a hierarchy.
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
    - relaxed (boolean): true divides rows with the same values where that makes halves even: more and smaller
      classes, which may overlap. With k alone and without hierarchies every class has fewer than 2k rows,
      except where classes with the same released values look like one.
    - target (column): one of the columns in sensitive and keep; cuts are made where they tell most about it
      (information gain), so that a classifier of it can be learned from the release.
    - recoding (one of text, range): [20, 29], {a, b} and labels; or STRUCT(lo, hi) and lists.
    - seed (integer): fixes the order of rows and, if relaxed, which of equal rows go where. Who knows it may
      undo the release: keep it to yourself.
    - unit (column): says whose a row is, where people have several; all requirements then count people. It
      does not leave.
    - known (list of tables): releases that are out already, with the columns in qi and sensitive: for
      composed_l. People are found in the classes that cover them, as by locate. Nothing is asked for a row
      that none covers, be it that nobody understands its label: unread_labels tells of these, and Python and
      the command line count both.
    - presence (list of columns): of tbl, one per known release: true says that a row is, or may be, in it. Of
      a release that a row is not in nothing is asked for it, also where a class there covers it. Without
      presence everybody may be in all. It does not leave.
    - based_on (table): an earlier release of the same rows: every class is a union of its classes. So the two
      together tell no more of anybody than the earlier one alone. Refused where rows came or went.
    - suppression_limit (number, 0 to 1): with composed_l, the share of rows that may be suppressed: those
      that refuse most cuts, because known releases leave them rare values alone. Nothing is asked for them,
      which are in no class; but classes of others may cover them, and Python and the command line count those
      to whom the releases then seem to leave fewer values than composed_l.

    Result:
    - <qi> (text or range): what covers all values of the class.
    - <sensitive> (unchanged): as it was.
    - <keep> (unchanged): as it was.

    Errors: unknown column, empty table, no requirement, a requirement that even the whole table as one class
    does not meet, a value missing in its hierarchy, a hierarchy that is not a tree, a column of another type
    in the population.

    Notes: relaxed, target and population do not go together, nor do unit and population; unit goes with
    relaxed only if nothing but k is required. With a unit the requirements hold within each class; nothing is
    promised about the union of a person's classes.

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
    VerificationError. A LeavingWarning tells of columns that name people.

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
    """Releases every row of a table by local suppression, as mu-Argus does: the fewest cells are hidden with
    which every combination of up to size quasi-identifiers occurs in k rows at least. Rows come in an order
    that depends on nothing but the released values.

    Parameters:
    - source (table): the raw rows.
    - qi (columns): quasi-identifiers, by which somebody could be recognized; they are recoded.
    - sensitive (columns): columns that must not be tied to a person; they leave unchanged.
    - keep (columns): further columns that leave unchanged; what nobody names does not leave.
    - k (integer, at least 1): must be given: the least number of rows that have a combination.
    - size (integer, at least 1): the most columns that a combination has; all in qi, if not given.
    - weights (list of numbers, above 0): what a hidden cell costs, by the columns in qi, in that order; 1
      each, if not given. A column that costs more is hidden less.
    - wildcards (boolean): true: a hidden cell of another row matches every value, as in sdcMicro: fewest
      cells are hidden, but a row that stays whole may be the only one with its combination. false: whatever a
      row shows of its combination occurs in k rows of the table itself.
    - recoding (one of text, range): a hidden cell is *, and all columns in qi are text; or it is NULL, and
      columns keep their types.
    - seed (integer): fixes the order of rows.
    - unit (column): says whose a row is, where people have several; every combination that is shown is then
      that of k people. It needs wildcards := false, and does not leave.

    Result:
    - <qi> (text or unchanged): as it was, or hidden.
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
    VerificationError. A LeavingWarning tells of columns that name people.

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
    """Releases a table by the best full-domain generalization: of all that meet the requirements and suppress
    no more than allowed, the one of least measure. It is exact: points of the lattice that are not looked at
    cannot be better. Of equals it is the one of least height.

    Parameters:
    - source (table): the raw rows.
    - qi (columns): quasi-identifiers, by which somebody could be recognized; they are recoded.
    - sensitive (columns): columns that must not be tied to a person; they leave unchanged.
    - keep (columns): further columns that leave unchanged; what nobody names does not leave.
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
    - suppression_limit (number, 0 to 1): the share of rows that may be suppressed. With dmin above 0
      everybody in the population must still be in a class afterwards.
    - measure (one of loss, entropy, discernibility, average_class_size, precision, height): what is best: the
      least of it, as ARX computes it; entropy is the non-uniform one.
    - aggregate (one of geometric_mean, arithmetic_mean, rank): how the losses of the columns become one.
    - monotonic (boolean): measured as if suppressed rows were released.
    - gs_factor (number, 0 to 1): of loss: below 0.5 suppressed rows weigh less, above 0.5 generalized rows
      weigh less.
    - weights (list of numbers, at least 0): of the columns in qi, in that order; 1 each, if not given.
    - min_levels (list of integers, at least 0): the least level of each column in qi.
    - max_levels (list of integers, at least 0): the highest level of each column in qi.
    - seed (integer): fixes the order of rows.
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
    - <qi>: as in generalize
    - <sensitive>, <keep>: as in mondrian

    Errors: as in generalize, and no choice of levels that meets the requirements.

    Notes: lattice shows all points.

    Source: LeFevre, DeWitt and Ramakrishnan 2005; Kohlmayer et al. 2012.

    local_recoding: the rows that the best point suppresses are generalized again, by the best point for them,
    until nothing more can be released (with suppression_limit=1 most is gained). The macro does not do that.
    time_limit: seconds after which the best point found so far is taken, if any fits.

    Levels and weights are lists in the order of qi, or by column name: {"age": 2}. Columns that are not named
    stay as they are (level 0), weigh 1, or have no least or highest level. exposed_rows, unbound_rows and
    unread_rows are as in `mondrian`.

    Its details: levels by column, cost (of the measure), points (of the lattice), how many of them were
    looked_at, and where the search was cut short how many are open (not looked at), and open_cost, below
    which none of these costs. rounds: the same of every search, where there are several; the others are of
    the first.

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
    VerificationError. A LeavingWarning tells of columns that name people.

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
    """Releases a table recoded as another release was, by its scheme: the same categories from day to day.
    Rows with values that the scheme has no place for are suppressed, that is left out, and so are all rows of
    classes that violate a requirement. Rows come in an order that depends on nothing but the released values.

    Parameters:
    - source (table): the raw rows.
    - scheme (table): rows of class_id, attribute, covers and label, as of scheme_of_cuts and
      scheme_of_levels, or written by hand; those of a class also of within and beyond, or without them.
    - qi (columns): quasi-identifiers, by which somebody could be recognized; they are recoded.
    - sensitive (columns): columns that must not be tied to a person; they leave unchanged.
    - keep (columns): further columns that leave unchanged; what nobody names does not leave.
    - hierarchies (table): those of sensitive columns, for t_distance := 'hierarchical'; the scheme says all
      that there is to say of qi.
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
    - safety_c (number, above 0 and at most 1): (c, k)-safety, with safety_k: somebody who also knows k
      implications (background_knowledge) is less than c sure of any sensitive value. This is about all
      classes together: each is made so that it holds whatever the others are.
    - safety_k (integer, 0 to 10): how many pieces of background knowledge that is.
    - suppression_limit (number, 0 to 1): the share of rows that may be suppressed. With dmin above 0
      everybody in the population must still be in a class afterwards.
    - seed (integer): fixes the order of rows.
    - unit (column): says whose a row is, where people have several; all requirements then count people. It
      does not leave.

    Result:
    - <qi> (text): the label of the scheme, or of a class with a value that is not within it, beyond; with
      NULL there, the value.
    - <sensitive> (unchanged): as it was.
    - <keep> (unchanged): as it was.

    Errors: unknown column, empty table, no requirement, a column in qi that the scheme says nothing of, a
    scheme with several places for the same values, or with within and no beyond, more suppressed rows than
    allowed, or all.

    Notes: a scheme that was made for other rows is no better or worse protected than any other global
    recoding; what is required is checked for the rows of today. But two releases by one scheme can be put
    together like any two: the intersection attack, and publish, look at that.

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
    VerificationError. A LeavingWarning tells of columns that name people.

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
    into: str | None = None,
    replace: bool = False,
    progress: Progress | bool | None = None,
    **requirements: Unpack[Requirements],
) -> Release:
    """Releases a table by a full-domain generalization of least height (sum of levels), found by binary
    search on the height.

    Parameters:
    - source (table): the raw rows.
    - qi (columns): quasi-identifiers, by which somebody could be recognized; they are recoded.
    - sensitive (columns): columns that must not be tied to a person; they leave unchanged.
    - keep (columns): further columns that leave unchanged; what nobody names does not leave.
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
    - suppression_limit (number, 0 to 1): the share of rows that may be suppressed. With dmin above 0
      everybody in the population must still be in a class afterwards.
    - seed (integer): fixes the order of rows.
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
    - <qi>: as in generalize
    - <sensitive>, <keep>: as in mondrian

    Errors: as in optimal.

    Notes: this is exact for requirements that no generalization loses: k, l, k_map and dmin, and all where
    nothing may be suppressed; with a unit k alone. For others take optimal with measure := 'height'.

    Source: Samarati 2001, sec. 5.

    Levels and weights are lists in the order of qi, or by column name: {"age": 2}. Columns that are not named
    stay as they are (level 0), weigh 1, or have no least or highest level. exposed_rows, unbound_rows and
    unread_rows are as in `mondrian`.

    Its details: levels by column, cost (of the measure), points (of the lattice), how many of them were
    looked_at, and where the search was cut short how many are open (not looked at), and open_cost, below
    which none of these costs. rounds: the same of every search, where there are several; the others are of
    the first.

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
    VerificationError. A LeavingWarning tells of columns that name people.

    Example: sqlanon.samarati(con, "people", qi=["age", "zip"], hierarchies="hierarchies", k=3)
    """
    return FullDomain.released(
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
        into=into,
        replace=replace,
        progress=progress,
        **requirements,
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
