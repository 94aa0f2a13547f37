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
) -> DataFrame:
    """Sums up the intersection attack over all targets: one row per sensitive column and measure, next to
    what guessing would reach.

    Parameters:
    - releases (list of tables): the releases, all with the columns in qi and sensitive.
    - targets (table): people with raw values in qi, and the column id.
    - id (column): of targets, says who is who; nobody is twice.
    - qi (columns): the quasi-identifiers that are known of the targets.
    - sensitive (columns): the columns to be learned.
    - hierarchies (table): rows of attribute, value, level and label: what released labels stand for.
    - truth (columns): of targets, their true values, one per column in sensitive.
    - levels (list of numbers, above 0 and at most 100): confidences, in percent, whose PVP is told.
    - nearest (boolean, or a list of one per release): true for releases of centroids, as of microaggregate:
      who is nearest is found, as in locate.
    - presence (list of columns): of targets, one per release: true says that somebody is in it, false or NULL
      that they are not. If not given, everybody is in all releases.
    - exact_cover (boolean): true removes, from each target's candidates, values that other targets in a class
      of theirs must have. This holds if all targets are where they were located.
    - unit (column): of targets, says whose a row is, where people have several.
    - weight (column): of all releases, says how many people each row stands for, as in classes. The targets
      are one person a row.
    - formats (struct or map of texts): how columns of the release are written, where that is not as covers
      reads them: from a column in qi to the text of a format. range: 25-30, 25..30 and 25 to 30 (both ends
      are in it, without brackets), (25-30], 50+, 65 and over, under 20, of numbers or dates. list: in
      brackets, with quotes or without. set /: a/b, and so with any separator. mask x: 1305x, each x one
      character. between age_min and age_max: two columns with both ends, which are in it; NULL is no bound,
      and two of them are NULL. one-hot sex_: columns such as sex_male, of 0 and 1. A key that is a release or
      its number, a dot and a column is for that release alone. A cell that does not fit is read as without a
      format. targets.age is for a column of the targets, of whom not all is known: a cell is a range (or a
      number or date), a list, a set or a mask then, as the format says. What cannot be read is an error.
    - sure (list of numbers, above 0 and at most 100): probabilities, in percent, with which an adversary is
      sure of a value.
    - negations (table): what somebody is known not to have: rows of the column named by id, and value; with
      several columns in sensitive also sensitive, the name of the one that it is about.
    - priors (table): how probable each value is for a target before any release is seen: rows of value and
      share, and of sensitive as in negations. Shares need not add up to 1. A share of 0 rules a value out;
      every value that a release has needs one.
    - priors_by (columns): of priors and of targets: whose prior a row belongs to. If id is among them, people
      without rows have no prior; otherwise everybody needs one.
    - unknown (list of texts): how unknown cells in qi of the targets are written, or one such text; NULL is
      written 'NULL'. If not given, nothing is unknown, and NULL is a value.
    - unchanged (columns): of the releases, further columns that they leave as they are, such as kept ones or
      masks by a hash. Rows are intersected by them, too, but they are not learned. A release may lack some of
      them.
    - values_may_change (columns): those in sensitive and unchanged whose values may be others in another
      release. Rows are not intersected by them, and of each the one release that tells most decides.

    Result:
    - sensitive (text): the name of the sensitive column.
    - measure (text): its name.
    - value (number): in the unit of the measure.
    - unit (text): of the value: people, rows, values, % or percentage points.
    - low (number): the lower end of a 95 % interval: Wilson's for shares of targets, that of paired
      differences for gains.
    - high (number): the upper end.
    - id (text): the measure's name for programs; it stays when a title is reworded.

    Errors: as in intersection_attack.

    Notes: ties count as drawn by lot; where no class or candidate is left, the guess is from one release, or
    from the marginal. With a unit all of this is about people: somebody is as exposed as the most exposed of
    their rows, and certain of what one of these must have by their number. (How probable it is that somebody
    has a value in any of their rows is not told; it is at most the sum over the rows.) How probable
    candidates are is said in intersection_attack. The measures, by id:
    - targets: how many there are.
    - located_in_all: the share located in all releases that they are in.
    - located_in_none: the share located in none of them.
    - unread_rows: the share of rows with labels that nobody understands, in the release that has most of them
      (unread_labels tells which; releases of centroids have none).
    - rows_covering_all: where there are any: the share of rows with * in every column of qi, in the release
      that has most of them. They cover everybody, and make nobody safe who is known not to be suppressed.
    - average_class_size: of their classes.
    - sure_<level>: the share of targets whose most probable value has that probability or more, by the
      weights of the candidates; also where other values stay possible.
    - sure_<level>_upper: of whom a value may have that probability, by upper_ends of intersection_attack.
      What is tolerated of sure_<level> must hold for this.
    - sure_<level>_unsuppressed: the same for somebody who knows that the target's row was not suppressed:
      without the rows that cover everybody, where others cover the target. With exact_cover it is
      sure_<level>_upper.
    - sure_<level>_release, sure_<level>_marginal: the same from one release alone (the best one for that),
      and from the most frequent value of all rows: what is known without any release of these people. (With
      negations or priors: from what these leave most probable; so wherever a guess is from the marginal.)
    - sure_<level>_expected, sure_<level>_right: how often the guesses about those of sure_<level> are right:
      by their probabilities, and with truth as it is. NULL if there is nobody.
    - average_prior, average_posterior, average_drop: effective anonymity, as in intersection_attack.
    - vulnerable: the vulnerable population (drop > 0).
    - pvp_<level>: PVP, as the paper counts it: the share of targets with so few candidates that 1 / their
      number is that confidence or more, however likely each is.
    - contradictions: the share of targets without a candidate, or of several columns without a row.
    - emptied: of several columns, where fewer of them have left candidates: the share of targets without any.
    - unfinished: with exact_cover, where there are any: the share of targets for whom not all was looked at.
    - fewest_shared_values: with several releases: how many values the two share that share fewest (0: nothing
      can be intersected, and a PVP of 0 says nothing; see unshared_values).
    - truth_in_no_release, truth_is_candidate, singleton_is_right: with truth: how often no release has the
      true value, it is among the candidates, and a single candidate is the true one.
    - marginal_guess_expected, marginal_guess_right: how often the most frequent value of all rows is the true
      one, as the adversary expects it and, with truth, as it is.
    - release_guess_expected, release_guess_right: the same of the most frequent value of the class in the
      best single release.
    - weighted_guess_expected, weighted_guess_right: the same of the most probable candidate.
    - weighted_guess_upper: by its upper end. What is tolerated of weighted_guess_expected must hold for this.
    - gain_over_marginal, gain_over_release: with truth: by how much the weighted guess is better than the
      others.

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
    )


def classes(source: SparkSource, qi: Names, unit: str | None = None, weight: str | None = None) -> DataFrame:
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

    Rows, warnings and errors are those of `sqlanon.classes`, of tables of Spark.
    """
    return judged("classes", source, qi=names(qi, "qi"), unit=unit, weight=weight)


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

    Rows, warnings and errors are those of `sqlanon.generalize`, of tables of Spark.

    Levels and weights are lists in the order of qi, or by column name: {"age": 2}. Columns that are not named
    stay as they are (level 0), weigh 1, or have no least or highest level. exposed_rows, unbound_rows and
    unread_rows are as in `mondrian`.

    Its details: levels by column, cost (of the measure), points (of the lattice), how many of them were
    looked_at, and where the search was cut short how many are open (not looked at), and open_cost, below
    which none of these costs. rounds: the same of every search, where there are several; the others are of
    the first.

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
) -> DataFrame:
    """Tells what several releases together give away about each target: one row per target and sensitive
    column. Targets are found in the classes of each release as by locate; the values that all these classes
    share are the candidates. Of several columns the rows are intersected: a candidate is what a shared row
    has in the column.

    Parameters:
    - releases (list of tables): the releases, all with the columns in qi and sensitive.
    - targets (table): people with raw values in qi, and the column id.
    - id (column): of targets, says who is who; nobody is twice.
    - qi (columns): the quasi-identifiers that are known of the targets.
    - sensitive (columns): the columns to be learned.
    - hierarchies (table): rows of attribute, value, level and label: what released labels stand for.
    - truth (columns): of targets, their true values, one per column in sensitive.
    - nearest (boolean, or a list of one per release): true for releases of centroids, as of microaggregate:
      who is nearest is found, as in locate.
    - presence (list of columns): of targets, one per release: true says that somebody is in it, false or NULL
      that they are not. If not given, everybody is in all releases.
    - exact_cover (boolean): true removes, from each target's candidates, values that other targets in a class
      of theirs must have. This holds if all targets are where they were located.
    - unit (column): of targets, says whose a row is, where people have several.
    - weight (column): of all releases, says how many people each row stands for, as in classes. The targets
      are one person a row.
    - formats (struct or map of texts): how columns of the release are written, where that is not as covers
      reads them: from a column in qi to the text of a format. range: 25-30, 25..30 and 25 to 30 (both ends
      are in it, without brackets), (25-30], 50+, 65 and over, under 20, of numbers or dates. list: in
      brackets, with quotes or without. set /: a/b, and so with any separator. mask x: 1305x, each x one
      character. between age_min and age_max: two columns with both ends, which are in it; NULL is no bound,
      and two of them are NULL. one-hot sex_: columns such as sex_male, of 0 and 1. A key that is a release or
      its number, a dot and a column is for that release alone. A cell that does not fit is read as without a
      format. targets.age is for a column of the targets, of whom not all is known: a cell is a range (or a
      number or date), a list, a set or a mask then, as the format says. What cannot be read is an error.
    - negations (table): what somebody is known not to have: rows of the column named by id, and value; with
      several columns in sensitive also sensitive, the name of the one that it is about.
    - priors (table): how probable each value is for a target before any release is seen: rows of value and
      share, and of sensitive as in negations. Shares need not add up to 1. A share of 0 rules a value out;
      every value that a release has needs one.
    - priors_by (columns): of priors and of targets: whose prior a row belongs to. If id is among them, people
      without rows have no prior; otherwise everybody needs one.
    - unknown (list of texts): how unknown cells in qi of the targets are written, or one such text; NULL is
      written 'NULL'. If not given, nothing is unknown, and NULL is a value.
    - unchanged (columns): of the releases, further columns that they leave as they are, such as kept ones or
      masks by a hash. Rows are intersected by them, too, but they are not learned. A release may lack some of
      them.
    - values_may_change (columns): those in sensitive and unchanged whose values may be others in another
      release. Rows are not intersected by them, and of each the one release that tells most decides.

    Result:
    - <id> (unchanged): the target.
    - <unit> (unchanged): with unit: whose the row is.
    - sensitive (text): the name of the sensitive column.
    - prior (integer, values): effective anonymity in the best single release: the distinct values of its
      class that are not ruled out.
    - posterior (integer, values): the values of the rows that all classes share, without those that are ruled
      out; of a column that may change, the values in the best single release. 0 is a contradiction.
    - drop (integer, values): prior less posterior.
    - confidence (number, 0 to 1): 1 / posterior; NULL if that is 0.
    - candidates (list of texts): these values, the most probable first.
    - probabilities (list of numbers): of the candidates, scaled to sum to 1: how probable each is for
      somebody in all of the target's classes, summed over rows; for one release, its share in the class. With
      priors times the prior of a value over its share among all rows (of a row: of all its values).
    - upper_ends (list of numbers): of the candidates: how probable each may be at most: the probability has
      an error, because nobody knows how many people the releases share. Of one release it is the probability.
    - located (list of structs): per release classes, size (rows), anonymity (values that are not ruled out),
      guesses and guess_share (the most probable values, by what is known of the target, and of the class that
      they are in); NULL for one that the target is not in.
    - certain (list of texts): with unit: what one of the unit's rows must have, because of r rows in a class
      of n more than n - r have it; empty: nothing.
    - contradiction (boolean): with several columns or values_may_change: true if no row is left. Then fewer
      columns judge: all but one, the sensitive ones, or each on its own; what leaves fewest candidates
      decides.
    - unfinished (boolean): with exact_cover: true if more candidates might be removed, because in a class of
      the target more than 12 sets of values overlap and not all were looked at (see
      sql/attack/exact_cover.sql).
    - truth (text): with truth: the true value.
    - truth_is_candidate (boolean): with truth: is it among the candidates?
    - singleton_is_right (boolean): with truth: is the only candidate the true one? NULL if there is none, or
      more than one.

    Errors: unknown column (of unchanged: one that no release has), no targets, a target twice, an empty
    release, a hierarchy that is not a tree, a weight as in classes, an unknown format; negations or priors of
    somebody who is not among the targets, a negation of a value that no release has, a share below 0, a value
    or a target without one.

    Notes: all of this assumes that the values of a person stay what they are, but for values_may_change. A
    posterior of 0 says that the target is not in all releases, or was not located rightly (unread_labels
    tells which released values nobody understands), or that the releases have different values
    (unshared_values). Values of different types compare: 250 is 250.0, a date is its midnight; where a
    release or the truth has numbers or points in time, texts that read as such are these, while elsewhere
    250.0 and 250.00 are two texts. A release that a target is not in tells nothing; who is in none has all
    values as candidates. Probabilities are for releases of the same people, of different ones, and between:
    how many people releases have in common is inferred, over all targets, from how frequent the values are
    that each release and all together expect, and from how often their rows agree. With few targets that is a
    rough guess. A release that is given twice counts once. Of several classes that cover a target, as where
    rows are suppressed, the narrowest is as probable as it has rows for the people whom it covers: exactly so
    if all people of the release are targets, otherwise those of the wider classes are spread evenly. A prior
    is about the target, while other people are like all rows: give what sets the target apart. What holds for
    everybody in the class as well, the class shows, and it would count twice: with priors by a column in qi
    probabilities are too high, and the best guess is less often right than without.

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

    Rows, warnings and errors are those of `sqlanon.optimal`, of tables of Spark.

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
) -> DataFrame:
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
