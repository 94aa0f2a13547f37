# Written by `make reference` from the comments in sql/.
"""The functions of sqlanon.spark. A table of theirs is a DataFrame of Spark, or a release."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, Unpack

from pyspark.sql import DataFrame

from sqlanon.attack.intersection import Formats, Unknown, by_release, formats_given, unknown_texts
from sqlanon.core.answer import Names
from sqlanon.core.by_column import Levels, Weights
from sqlanon.core.requirements import Requirements, complete
from sqlanon.core.source import Source, listed, names
from sqlanon.spark.attack import tallied, told_of_each
from sqlanon.spark.counted import released
from sqlanon.spark.driver import SparkSource
from sqlanon.spark.measures import judged
from sqlanon.spark.partitioning import released_by_parts
from sqlanon.spark.release import Release


def breaches(
    releases: Iterable[SparkSource],
    targets: SparkSource,
    id: str,
    qi: Names,
    sensitive: Names,
    hierarchies: Source = None,
    truth: Names | None = None,
    levels: Iterable[float] = (100, 50, 25, 10),
    nearest: bool | Iterable[bool] = False,
    presence: Names | None = None,
    exact_cover: bool = False,
    unit: str | None = None,
    weight: str | None = None,
    formats: Formats | None = None,
    sure: Iterable[float] = (99, 95, 90),
    negations: Source = None,
    priors: Source = None,
    priors_by: Names | None = None,
    unknown: Unknown = None,
    unchanged: Names | None = None,
    values_may_change: Names | None = None,
    distinct_spellings: Names | None = None,
) -> DataFrame:
    """Summarizes the intersection attack over all targets: one row per sensitive column and measure,
    including how often guesses without the attack are right.

    Parameters:
    - releases (list of tables): the releases, all with the columns in qi and (without unchanged) sensitive.
    - targets (table): people with raw values in qi, and the column id.
    - id (column): of targets, identifies the person; each person must be there once.
    - qi (columns): the quasi-identifiers that the adversary knows about the targets.
    - sensitive (columns): the columns to be learned.
    - hierarchies (table): rows of attribute, value, level and label: the values that released labels stand
      for.
    - truth (columns): of targets, their true values, one per column in sensitive.
    - levels (list of numbers, above 0 and at most 100): confidences, in percent, for which PVP (the
      percentage of vulnerable people) is computed.
    - nearest (boolean, or a list of one per release): true for releases of centroids, such as those of
      microaggregate: a target is then found in the nearest class, as in locate.
    - presence (list of columns): of targets, one per release: true: the person is in it; false or NULL: the
      person is not. If not given, everybody is in all releases.
    - exact_cover (boolean): true: remove candidates that other targets in the class must have. This is right
      if all targets are in the classes where they were found.
    - unit (column): of targets, identifies the person of a row, if people can have several rows.
    - weight (column): of all releases, how many people each row stands for, as in classes. Targets are always
      one person per row.
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
    - sure (list of numbers, above 0 and at most 100): probabilities, in percent: for each, the share of
      targets with a value that is at least so probable.
    - negations (table): values that people are known not to have: rows of the column named by id, and value;
      with several columns in sensitive also sensitive, the name of the column.
    - priors (table): the probability of each value for a target before any release is seen: rows of value and
      share, and of sensitive as in negations. Shares need not add up to 1. A share of 0 rules a value out;
      every value of a release must have a share.
    - priors_by (columns): of priors and of targets: a row of priors applies to the targets with the same
      values here. If id is among these columns, people without rows have no prior; otherwise everybody must
      have one.
    - unknown (list of texts): the texts that mean an unknown cell in qi of the targets, or one such text; for
      NULL, write 'NULL'. If not given, no cell is unknown, and NULL is a value.
    - unchanged (columns): of the releases, further columns that are released unchanged, such as kept columns
      or hashes of identifiers. Rows are intersected by them, too, but they are not learned. A release may
      then lack some of them, and of the columns in sensitive.
    - values_may_change (columns): columns in sensitive and unchanged whose values may differ from release to
      release. Rows are not intersected by them; for each of them, only the one release that leaves fewest
      values is used.
    - distinct_spellings (columns): columns in sensitive in which spellings are different values, such as the
      codes a and A. Elsewhere spellings are one candidate if there is one release; values of several releases
      are intersected as they are written.

    Result:
    - sensitive (text): the name of the sensitive column.
    - measure (text): the title of the measure.
    - value (number): its value, in the unit.
    - unit (text): the unit: people, rows, values, % or percentage points.
    - low (number): the lower end of a 95 % interval: Wilson's for shares of targets, that of paired
      differences for gains.
    - high (number): the upper end.
    - id (text): the name of the measure for programs; it does not change if the title does.

    Errors: as in intersection_attack.

    Notes: ties are counted as if drawn at random. If no class or candidate is left, the guess is from one
    release, or from the marginal, the distribution of values in all rows. With a unit all measures are about
    people: a person is as exposed as the most exposed of their rows, and a value is also certain if one of
    these rows must have it because of their number. (The probability that a person has a value in any of
    their rows is not computed; it is at most the sum over the rows.) intersection_attack explains the
    probabilities of candidates. The measures, by id:
    - targets: the number of targets.
    - located_in_all: the share of targets who were found in all releases that they are in.
    - located_in_none: the share of targets who were found in no release.
    - unread_rows: the share of rows with labels that could not be read, in the release with the largest share
      (unread_labels lists the labels; releases of centroids have none).
    - rows_covering_all: if there are any: the share of rows with * in every column of qi, in the release with
      the largest share. These rows cover everybody. They protect nobody whose row is known not to be
      suppressed.
    - average_class_size: the average size of the targets' classes.
    - sure_<level>: the share of targets whose most probable value has that probability or more, even if other
      values are possible.
    - sure_<level>_upper: the share of targets for whom some value may have that probability, by upper_ends of
      intersection_attack. A bound on sure_<level> must hold for this share.
    - sure_<level>_unsuppressed: the same for an adversary who knows that the target's row was not suppressed:
      without the rows that cover everybody, if other rows cover the target. With exact_cover it is
      sure_<level>_upper.
    - sure_<level>_release, sure_<level>_marginal: the same from one release alone (the best one for this),
      and from the most frequent value of all rows, which is known without looking for anybody. (With
      negations or priors, guesses from the marginal use these, too.)
    - sure_<level>_expected, sure_<level>_right: how often the guesses about the people of sure_<level> are
      right: as expected by their probabilities, and, with truth, in fact. NULL if there is nobody.
    - average_prior, average_posterior, average_drop: the averages of prior, posterior and drop of
      intersection_attack (effective anonymity).
    - vulnerable: the share of the vulnerable population (drop > 0).
    - pvp_<level>: PVP, as the paper counts it: the share of targets with so few candidates that 1 / their
      number is that confidence or more, however probable each is.
    - contradictions: the share of targets without a candidate, or, with several columns, without a row that
      is possible.
    - emptied: with several columns: the share of targets without candidates, after fewer columns were used.
    - unfinished: with exact_cover, if there are any: the share of targets for whom the search was not
      complete.
    - fewest_shared_values: with several releases: the number of values that two releases have in common, for
      the two with the fewest. 0: nothing can be intersected, and a PVP of 0 means nothing (see
      unshared_values).
    - truth_in_no_release, truth_is_candidate, singleton_is_right: with truth: how often no release has the
      true value, the true value is a candidate, and a single candidate is the true value.
    - marginal_guess_expected, marginal_guess_right: how often the most frequent value of all rows is the true
      one: as the adversary expects, and, with truth, in fact.
    - release_guess_expected, release_guess_right: the same for the most frequent value of the class in the
      best single release.
    - weighted_guess_expected, weighted_guess_right: the same for the most probable candidate.
    - weighted_guess_upper: the same by its upper end. A bound on weighted_guess_expected must hold for this.
    - gain_over_marginal, gain_over_release: with truth: by how many percentage points the weighted guess is
      better than the others.

    Source: Ganta, Kasiviswanathan and Smith 2008, sec. 2.1.

    Rows, warnings and errors are those of `sqlanon.breaches`, of tables of Spark.
    """
    return tallied(
        "breaches",
        listed(releases, "releases"),
        targets,
        id=id,
        qi=names(qi, "qi"),
        sensitive=names(sensitive, "sensitive"),
        hierarchies=hierarchies,
        truth=names(truth, "truth"),
        levels=list(levels),
        nearest=by_release(nearest),
        presence=names(presence, "presence"),
        exact_cover=exact_cover,
        unit=unit,
        weight=weight,
        formats=formats_given(formats),
        sure=list(sure),
        negations=negations,
        priors=priors,
        priors_by=names(priors_by, "priors_by"),
        unknown=unknown_texts(unknown),
        unchanged=names(unchanged, "unchanged"),
        values_may_change=names(values_may_change, "values_may_change"),
        distinct_spellings=names(distinct_spellings, "distinct_spellings"),
    )


def classes(
    source: SparkSource,
    qi: Names,
    unit: str | None = None,
    weight: str | None = None,
    distinct_spellings: Names | None = None,
) -> DataFrame:
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

    Rows, warnings and errors are those of `sqlanon.classes`, of tables of Spark.
    """
    return judged(
        "classes",
        source,
        qi=names(qi, "qi"),
        unit=unit,
        weight=weight,
        distinct_spellings=names(distinct_spellings, "distinct_spellings"),
    )


def generalize(
    source: SparkSource,
    *,
    qi: Names,
    levels: Levels,
    sensitive: Names | None = None,
    keep: Names | None = None,
    hierarchies: Source = None,
    population: SparkSource | None = None,
    suppression_limit: float = 0,
    seed: int | None = None,
    unit: str | None = None,
    known: Iterable[SparkSource] | None = None,
    presence: Names | None = None,
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

    Rows, warnings and errors are those of `sqlanon.generalize`, of tables of Spark.

    Levels and weights are lists in the order of qi, or by column name: {"age": 2}. Columns that are not named
    stay as they are (level 0), weigh 1, or have no least or highest level. exposed_rows, unbound_rows and
    unread_rows are as in `mondrian`.

    Its details: levels by column, cost (of the measure), points (of the lattice), how many of them were
    looked_at, and where the search was cut short how many are open (not looked at), and open_cost, below
    which none of these costs. rounds: the same of every search, where there are several, and held_back_rows,
    which are suppressed because their class overlaps with an earlier one; the others are of the first.

    Levels are found on the driver, from the distinct combinations; Spark joins the labels to the rows.
    """
    return released(
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
        **requirements,
    )


def intersection_attack(
    releases: Iterable[SparkSource],
    targets: SparkSource,
    id: str,
    qi: Names,
    sensitive: Names,
    hierarchies: Source = None,
    truth: Names | None = None,
    nearest: bool | Iterable[bool] = False,
    presence: Names | None = None,
    exact_cover: bool = False,
    unit: str | None = None,
    weight: str | None = None,
    formats: Formats | None = None,
    negations: Source = None,
    priors: Source = None,
    priors_by: Names | None = None,
    unknown: Unknown = None,
    unchanged: Names | None = None,
    values_may_change: Names | None = None,
    distinct_spellings: Names | None = None,
) -> DataFrame:
    """Attacks several releases together: for each target (a person whom the adversary looks for), which
    sensitive values all releases leave possible. One row per target and sensitive column. The classes of a
    target are found in each release as by locate; the values that all these classes have are the candidates.
    With several sensitive columns, whole rows are intersected instead of single values.

    Parameters:
    - releases (list of tables): the releases, all with the columns in qi and (without unchanged) sensitive.
    - targets (table): people with raw values in qi, and the column id.
    - id (column): of targets, identifies the person; each person must be there once.
    - qi (columns): the quasi-identifiers that the adversary knows about the targets.
    - sensitive (columns): the columns to be learned.
    - hierarchies (table): rows of attribute, value, level and label: the values that released labels stand
      for.
    - truth (columns): of targets, their true values, one per column in sensitive.
    - nearest (boolean, or a list of one per release): true for releases of centroids, such as those of
      microaggregate: a target is then found in the nearest class, as in locate.
    - presence (list of columns): of targets, one per release: true: the person is in it; false or NULL: the
      person is not. If not given, everybody is in all releases.
    - exact_cover (boolean): true: remove candidates that other targets in the class must have. This is right
      if all targets are in the classes where they were found.
    - unit (column): of targets, identifies the person of a row, if people can have several rows.
    - weight (column): of all releases, how many people each row stands for, as in classes. Targets are always
      one person per row.
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
    - negations (table): values that people are known not to have: rows of the column named by id, and value;
      with several columns in sensitive also sensitive, the name of the column.
    - priors (table): the probability of each value for a target before any release is seen: rows of value and
      share, and of sensitive as in negations. Shares need not add up to 1. A share of 0 rules a value out;
      every value of a release must have a share.
    - priors_by (columns): of priors and of targets: a row of priors applies to the targets with the same
      values here. If id is among these columns, people without rows have no prior; otherwise everybody must
      have one.
    - unknown (list of texts): the texts that mean an unknown cell in qi of the targets, or one such text; for
      NULL, write 'NULL'. If not given, no cell is unknown, and NULL is a value.
    - unchanged (columns): of the releases, further columns that are released unchanged, such as kept columns
      or hashes of identifiers. Rows are intersected by them, too, but they are not learned. A release may
      then lack some of them, and of the columns in sensitive.
    - values_may_change (columns): columns in sensitive and unchanged whose values may differ from release to
      release. Rows are not intersected by them; for each of them, only the one release that leaves fewest
      values is used.
    - distinct_spellings (columns): columns in sensitive in which spellings are different values, such as the
      codes a and A. Elsewhere spellings are one candidate if there is one release; values of several releases
      are intersected as they are written.

    Result:
    - <id> (unchanged): the target.
    - <unit> (unchanged): with unit: the person of the row.
    - sensitive (text): the name of the sensitive column.
    - prior (integer, values): the number of values that are possible by the one release that leaves fewest
      (effective anonymity): the different values of the target's class that are not ruled out.
    - posterior (integer, values): the number of values that are possible by all releases together; for a
      column whose values may change, by the one release that leaves fewest. 0 is a contradiction.
    - drop (integer, values): prior minus posterior.
    - confidence (number, 0 to 1): 1 / posterior; NULL if that is 0.
    - candidates (list of texts): the possible values, the most probable first.
    - probabilities (list of numbers): of the candidates, scaled to sum to 1: how probable each is for a
      person in all of the target's classes, summed over rows; for one release, its share in the class. With
      priors, this is multiplied by the prior of a value / its share among all rows (for a row: for all its
      values).
    - upper_ends (list of numbers): of the candidates: the largest probability that each may have.
      Probabilities have an error, because the number of people whom the releases share is estimated. With one
      release: the probability.
    - located (list of structs): one per release: classes, size (rows), anonymity (values that are not ruled
      out), guesses and guess_share (the most probable values and their probability, by this release and what
      is known about the target); NULL for a release that the target is not in.
    - certain (list of texts): with unit: values that one of the person's rows must have, because the person
      has r rows in a class of n rows, and more than n - r of these have the value; empty: none.
    - contradiction (boolean): with several columns or values_may_change: true if no row is possible. Then
      fewer columns are used: all except one, the sensitive ones, or each alone, whatever leaves fewest
      candidates.
    - unfinished (boolean): with exact_cover: true if more candidates might be removed, because in a class of
      the target more than 12 sets of values overlap and not all were tried (see sql/attack/exact_cover.sql).
    - truth (text): with truth: the true value.
    - truth_is_candidate (boolean): with truth: is the true value a candidate?
    - singleton_is_right (boolean): with truth: is the only candidate the true value? NULL if there is no
      candidate, or more than one.

    Errors: unknown column (in unchanged: one that no release has), no targets, a target twice, an empty
    release, a hierarchy that is not a tree, a weight as in classes, an unknown format; negations or priors of
    somebody who is not among the targets, a negation of a value that no release has, a share below 0, a value
    or a target without a share.

    Notes: the attack assumes that a person's values do not change between the releases, except in columns of
    values_may_change. A posterior of 0 means that the target is not in all releases, or was not found in the
    right classes (unread_labels lists labels that could not be read), or that the releases have different
    values (unshared_values). Values of different types are compared by their meaning: 250 equals 250.0, and a
    date equals midnight of that day. If a release or the truth has numbers or times, texts that can be read
    as such are compared with them; otherwise 250.0 and 250.00 are two different texts. A release that a
    target is not in is ignored for this target; a target who is in no release has all values as candidates.
    The probabilities depend on how many people the releases have in common. This number is estimated, over
    all targets, from the frequencies of the values that each release and all together expect, and from how
    often their rows agree. With few targets the estimate is rough. A release that is given twice counts once.
    If several classes cover a target, for example because rows are suppressed, the probability of the
    narrowest class is its number of rows / the number of people whom it covers. This is exact if all people
    of the release are targets; otherwise the rows of the wider classes are assumed to be spread evenly. A
    prior must be about the target alone: if it also holds for the other people in the class, the class
    already shows it, and it counts twice. So with priors by a column in qi, probabilities are too high, and
    the best guess is right less often than without priors. See docs/concepts/probabilities.md.

    Source: Ganta, Kasiviswanathan and Smith 2008, Algorithm 1, Def. 8 and 9; probabilities and rows: own
    derivation.

    Rows, warnings and errors are those of `sqlanon.intersection_attack`, of tables of Spark.
    """
    return told_of_each(
        "intersection_attack",
        listed(releases, "releases"),
        targets,
        id=id,
        qi=names(qi, "qi"),
        sensitive=names(sensitive, "sensitive"),
        hierarchies=hierarchies,
        truth=names(truth, "truth"),
        nearest=by_release(nearest),
        presence=names(presence, "presence"),
        exact_cover=exact_cover,
        unit=unit,
        weight=weight,
        formats=formats_given(formats),
        negations=negations,
        priors=priors,
        priors_by=names(priors_by, "priors_by"),
        unknown=unknown_texts(unknown),
        unchanged=names(unchanged, "unchanged"),
        values_may_change=names(values_may_change, "values_may_change"),
        distinct_spellings=names(distinct_spellings, "distinct_spellings"),
    )


def mondrian(
    source: SparkSource,
    *,
    qi: Names,
    sensitive: Names | None = None,
    keep: Names | None = None,
    hierarchies: Source = None,
    population: SparkSource | None = None,
    relaxed: bool = False,
    target: str | None = None,
    recoding: Literal["text", "range"] = "text",
    seed: int | None = None,
    unit: str | None = None,
    known: Iterable[SparkSource] | None = None,
    presence: Names | None = None,
    based_on: SparkSource | None = None,
    suppression_limit: float = 0,
    composed_confidence: float | None = None,
    bcf_k: int | None = None,
    task_size: int = 200000,
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

    Rows, warnings and errors are those of `sqlanon.mondrian`, of tables of Spark.

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

    task_size: how many distinct combinations (of quasi-identifiers and the sensitive columns that are looked
    at) a task takes; smaller parts are finished together, a larger one is cut by Spark. The rows do not
    depend on it. The driver holds the distinct values of each column, and per round the codes of the parts
    that are cut; the executors the distinct values, too. With a population, known releases, relaxed, a
    target, or a unit where more than k and l is required, the driver cuts, and holds all distinct
    combinations.

    The source is read to be counted, once more to be verified, and again when the release is written: it must
    be the same each time. The labels are kept by Spark (persist) until the session ends.
    """
    return released_by_parts(
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
        task_size=task_size,
        **requirements,
    )


def optimal(
    source: SparkSource,
    *,
    qi: Names,
    sensitive: Names | None = None,
    keep: Names | None = None,
    hierarchies: Source = None,
    population: SparkSource | None = None,
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
    known: Iterable[SparkSource] | None = None,
    presence: Names | None = None,
    local_recoding: bool = False,
    time_limit: float | None = None,
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

    Rows, warnings and errors are those of `sqlanon.optimal`, of tables of Spark.

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

    Levels are found on the driver, from the distinct combinations; Spark joins the labels to the rows.
    """
    return released(
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
        **requirements,
    )


def privacy(
    source: SparkSource,
    qi: Names,
    sensitive: Names | None = None,
    hierarchies: Source = None,
    l: int = 2,
    *,
    population: SparkSource | None = None,
    reference: SparkSource | None = None,
    suppressed: Literal["value", "wildcard"] = "value",
    released: bool | None = None,
    unit: str | None = None,
    weight: str | None = None,
    population_weight: str | None = None,
    distinct_spellings: Names | None = None,
    missing_counts: bool = False,
) -> DataFrame:
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

    Rows, warnings and errors are those of `sqlanon.privacy`, of tables of Spark.
    """
    return judged(
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


def violations(
    source: SparkSource,
    qi: Names,
    sensitive: Names | None = None,
    hierarchies: Source = None,
    *,
    population: SparkSource | None = None,
    reference: SparkSource | None = None,
    suppressed: Literal["value", "wildcard"] = "value",
    released: bool | None = None,
    unit: str | None = None,
    weight: str | None = None,
    population_weight: str | None = None,
    known: Iterable[SparkSource] | None = None,
    presence: Names | None = None,
    unchanged: Names | None = None,
    **requirements: Unpack[Requirements],
) -> DataFrame:
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

    Rows, warnings and errors are those of `sqlanon.violations`, of tables of Spark.
    """
    return judged(
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
