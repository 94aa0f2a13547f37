# Written by `make reference` from the comments in sql/attack/.
"""The macros of sql/attack/ as functions: `sqlanon.core.answer` says what an answer is."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

import duckdb

from sqlanon.attack.four_questions import asked
from sqlanon.attack.intersection import (
    Formats,
    Unknown,
    by_release,
    formats_given,
    unknown_texts,
    warning,
    warning_by_marginal,
    with_programs,
)
from sqlanon.attack.several_releases import warning_by_release
from sqlanon.core.answer import Names
from sqlanon.core.answer import answer as answer_of
from sqlanon.core.connection import connection_first
from sqlanon.core.source import Source, listed, names
from sqlanon.tables.programs import solved_if_possible


@connection_first
def attack_summary(
    con: duckdb.DuckDBPyConnection, answer: Source, weight: str | None = None, unit: str | None = None
) -> duckdb.DuckDBPyRelation:
    """Summarizes the result of an attack: one row per measure, including how often a guess without the attack
    is right.

    Parameters:
    - answer (table): the result of an attack, with the columns learned, confidence, baseline, is_right and
      is_control, and perhaps upper_end.
    - weight (column): of answer, the number of people that a row is about; if not given, one.
    - unit (column): of answer, identifies the person of a row, if people can have several rows. Each person
      counts once, with the row of which the adversary is surest.

    Result:
    - measure (text): the title of the measure.
    - value (number): its value, in the unit.
    - unit (text): the unit: people or %.
    - low (number): the lower end of a 95 % interval: Wilson's for shares, Newcombe's for beyond_controls.
    - high (number): the upper end.
    - id (text): the measure: subjects, learned, certain, sure_99, sure_95, sure_90, baseline, expected_right,
      right, controls, learned_of_controls, right_of_controls, right_of_all, right_of_all_controls,
      beyond_controls, unfinished, not_asked; if answer has upper_end, also sure_99_upper, sure_95_upper,
      sure_90_upper and expected_right_upper.

    Errors: unknown column; unit together with weight.

    Notes: use breaches for the intersection attack. certain and sure_.. are shares of all people who are
    attacked; baseline, expected_right and right are about those about whom something is learned. right needs
    the truth. The measures that end in _upper are by upper_end: how probable the guess, or another value, may
    be at most. Bounds must hold for them. right_of_all and right_of_all_controls (if there are controls) are
    shares of all people whose truth is known; somebody about whom nothing is learned counts as not right.
    beyond_controls is the risk that comes from the release: (right_of_all - right_of_all_controls) / (1 -
    right_of_all_controls). It is about 100 % for a copy, and about 0 for a release of other people; below 0,
    guesses about controls are better. If all guesses about controls are right, beyond_controls is missing.
    unfinished, if there are any, is the share of those about whom more may be learned than the attack found
    (see minimality and differencing), and not_asked of those of whom exact_cover did not ask what several
    classes tell together.

    Source: Abbott 1925 (risk beyond the controls); Wilson 1927; Newcombe 1998, method 10, and 2016
    (intervals).

    The answer is a relation over a temporary table: it can be read again, filtered and joined, and stays as
    it is as long as the connection.

    Example: sqlanon.attack_summary(con, "answer")
    """
    return answer_of(con, "attack_summary", answer, weight=weight, unit=unit)


@connection_first
def attacks(con: duckdb.DuckDBPyConnection) -> duckdb.DuckDBPyRelation:
    """Lists the attacks, one row each: what the attack does, which parameters it needs, and its paper.

    Result:
    - attack (text): the name of the macro.
    - subject (text): what a row of its result is about: person, class, value, cell or row.
    - description (text): what the attack does.
    - needs (list of texts): the parameters that must be given.
    - source (text): the paper.
    - weight (text): the column of its result that says how many people a row stands for; NULL: one.
    - releases (integer): the number of releases; NULL: any number, attacked together.
    - targets (text): some: each target is attacked alone, so a sample of targets is enough; all: targets must
      be attacked together; NULL: no targets.
    - summary (text): the macro that summarizes the attack: attack_summary, which reads its result, or another
      macro, which has the parameters of the attack.

    The answer is a relation over a temporary table: it can be read again, filtered and joined, and stays as
    it is as long as the connection.

    Example: sqlanon.attacks(con)
    """
    return answer_of(con, "attacks")


@connection_first
def background_knowledge(
    con: duckdb.DuckDBPyConnection,
    release: Source,
    qi: Names,
    sensitive: Names,
    k: int = 1,
    knowledge: Literal["negations", "implications"] = "implications",
    weight: str | None = None,
    distinct_spellings: Names | None = None,
    missing_counts: bool = False,
) -> duckdb.DuckDBPyRelation:
    """Computes how sure of a sensitive value an adversary can be who finds the target in a class and knows k
    more facts, the worst there are: one row per class and sensitive column. maximum_disclosure returns the
    worst class for each number of facts.

    Parameters:
    - release (table): a release with one row per person.
    - qi (columns): the quasi-identifiers of the release.
    - sensitive (columns): the columns to be learned.
    - k (integer, 0 to 10): the number of facts (pieces of background knowledge).
    - knowledge (one of negations, implications): the kind of facts. negations: somebody does not have a
      certain value. implications, which include negations: if Bob has cancer, then Ann has the flu.
    - weight (column): how many people each row stands for, as in classes.
    - distinct_spellings (columns): columns in which spellings are different values, such as the codes a and
      A; elsewhere flu, "flu " and FLU are one value (spellings lists them).
    - missing_counts (boolean): true: a missing sensitive value (NULL, empty, blanks) is a value like any
      other. false: it adds no value, and its rows count with the most frequent value of their class.

    Result:
    - <qi>, size, sensitive, learned: as in homogeneity
    - confidence (number, 0 to 1): the highest possible probability of learned. Implications may be about
      people of this class and of others, whatever is worst.
    - baseline, is_right, is_control: as in homogeneity
    - alone (number, 0 to 1): the same, if all facts are about people of this class.

    Errors: unknown column, empty table, a column in qi with the name of one that attack_summary reads, a
    weight as in classes.

    Notes: each row counts as one person, as in homogeneity. A release is (c, k)-safe if all confidences, with
    implications, are below c. If a value is certain in one class, then with k = 1 every value is certain: Bob
    must have cancer, and if Bob has cancer, then Ann has the flu. alone shows what a class reveals by itself.
    With negations, all confidences are below c if and only if the release is recursively (c / (1 - c), k +
    2)-diverse: require this of anonymizers with recursive_c and l.

    Source: Martin, Kifer, Machanavajjhala, Gehrke and Halpern 2007 (worst-case background knowledge).

    The answer is a relation over a temporary table: it can be read again, filtered and joined, and stays as
    it is as long as the connection.

    Example: sqlanon.background_knowledge(con, "east", qi=["age", "zip"], sensitive="disease", k=1)
    """
    return answer_of(
        con,
        "background_knowledge",
        release,
        qi=names(qi, "qi"),
        sensitive=names(sensitive, "sensitive"),
        k=k,
        knowledge=knowledge,
        weight=weight,
        distinct_spellings=names(distinct_spellings, "distinct_spellings"),
        missing_counts=missing_counts,
    )


@connection_first
def breaches(
    con: duckdb.DuckDBPyConnection,
    releases: Iterable[Source],
    targets: Source,
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
) -> duckdb.DuckDBPyRelation:
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

    Warns (UnreadWarning) of labels that nobody understands, where nobody is located in all releases, and of
    people who have other candidates if values that are spelled alike are one.

    Example: sqlanon.breaches(con, ["east", "west"], targets="voters", id="name", qi=["age", "zip"],
    sensitive="disease", truth="disease")
    """
    return warning_by_release(
        con,
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


@connection_first
def complementary_release(
    con: duckdb.DuckDBPyConnection,
    releases: Iterable[Source],
    qi: Names,
    join_columns: Names,
    hierarchies: Source = None,
    truth: str | None = None,
    weight: str | None = None,
    formats: Formats | None = None,
) -> duckdb.DuckDBPyRelation:
    """Links two releases of the same rows on columns outside the quasi-identifiers: one row per distinct row
    of the first release. Rows with the same values in these columns, and with labels that overlap, can be the
    same row. The adversary then learns the finer labels of both.

    Parameters:
    - releases (list of tables): two releases, both with the columns in qi and join_columns.
    - qi (columns): the quasi-identifiers, generalized in both.
    - join_columns (columns): columns that both releases have unchanged.
    - hierarchies (table): rows of attribute, value, level and label: the values that released labels stand
      for.
    - truth (column): of both releases, an identifier of the record, to check whether linked rows are the
      same.
    - weight (column): of both releases, how many people each row stands for, as in classes.
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

    Result:
    - <qi> (unchanged): the labels of the row in the first release.
    - <join_columns> (unchanged): its values.
    - <truth> (unchanged): with truth, its record.
    - rows (integer, rows): the number of such rows in the first release.
    - learned (text): the finer labels that most of the compatible rows give; NULL: the labels of the first
      release are already the finer ones, or no row is compatible.
    - confidence (number): the share of the compatible rows that give these labels.
    - baseline (number): the same without join_columns: of all rows with labels that overlap, the largest
      share that gives the same finer labels.
    - is_right (boolean): does the true row of the second release give these labels? NULL without truth, or if
      there are none.
    - is_control (boolean): NULL: rows have no controls.
    - finer (list of texts): the finer labels, one for each column in qi.
    - pairs (integer, rows): rows of the second release with the same values in join_columns.
    - compatible (integer, rows): those of pairs whose labels overlap.
    - linked_size (integer, rows): rows with these labels in the linked table (all compatible pairs); 1: the
      row is alone.

    Errors: unknown column, empty table, other than two releases, a hierarchy that is not a tree, a label that
    covers nothing, a weight as in classes, an unknown format.

    Notes: two releases of other rows may be joined as well, and what is learned then is true of nobody. Where
    each has rows that the other cannot have, because it has too few with the same join_columns, run_attacks
    and the command line say so: what is found beyond a bound is not known then. Labels are read as covers
    reads them. A text that is in no hierarchy counts as a value that overlaps only itself; rows with pairs
    but no compatible row are a sign of a missing hierarchy. Labels overlap as if there were values between
    any two, such as 29.5 between 29 and 30. The time grows with the number of pairs of overlapping classes.

    Source: Sweeney 2002, sec. 4.2 and 4.3.

    The answer is a relation over a temporary table: it can be read again, filtered and joined, and stays as
    it is as long as the connection.

    Example: sqlanon.complementary_release(con, ["east", "west"], qi=["age", "zip"], join_columns="disease")
    """
    return answer_of(
        con,
        "complementary_release",
        listed(releases, "releases"),
        qi=names(qi, "qi"),
        join_columns=names(join_columns, "join_columns"),
        hierarchies=hierarchies,
        truth=truth,
        weight=weight,
        formats=formats_given(formats),
    )


@connection_first
def correspondence(
    con: duckdb.DuckDBPyConnection,
    releases: Iterable[Source],
    qi: Names,
    sensitive: str,
    hierarchies: Source = None,
    weight: str | None = None,
    formats: Formats | None = None,
) -> duckdb.DuckDBPyRelation:
    """Attacks two releases of a growing table by finding rows that can be of the same person: one row per
    pair of compatible classes, with the number of rows that remain possible for a victim (BCF-anonymity).

    Parameters:
    - releases (list of tables): two, the earlier one first; the later one has all rows of the earlier one and
      more. Both have the columns in qi and sensitive.
    - qi (columns): the quasi-identifiers.
    - sensitive (column): rows of the two releases can be of the same person if they have the same value here;
      values must not change.
    - hierarchies (table): rows of attribute, value, level and label: the values that released labels stand
      for.
    - weight (column): of both releases, says how many people each row stands for, as in classes.
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

    Result:
    - class_id (integer): the number of the class in the earlier release, as in classes; NULL if no earlier
      class is compatible with the later one, so that all its rows are new.
    - later_class_id (integer): the number of the class in the later release.
    - learned (text): the strongest attack, and how many rows of the class it excludes; NULL: none.
    - confidence (number): 1 / the rows that remain possible; NULL if nobody can be in this pair.
    - baseline (number): 1 / the rows of the class.
    - is_right (boolean): NULL, because it is not known.
    - is_control (boolean): NULL, because it is not known.
    - size (integer, rows): the size of the earlier class.
    - later_size (integer, rows): the size of the later class.
    - f_anonymity (integer, rows): rows of the earlier class that remain possible for a victim who is in both
      classes (F-attack); NULL: nobody can be in both.
    - c_anonymity (integer, rows): rows of the later class that remain possible for a victim who is in both
      (C-attack).
    - b_anonymity (integer, rows): rows of the later class that remain possible for a victim who is only in
      the later release (B-attack); NULL: all rows are older.
    - anonymity (integer, rows): the least of these three.

    Errors: unknown column, empty table, a hierarchy that is not a tree, not two releases, a label that covers
    nothing, a class of the earlier release whose rows cannot all be in the later one, a weight as in classes,
    an unknown format.

    Notes: BCF-anonymity holds if no anonymity is below k. Labels are read as covers reads them; two are
    compatible if a raw value belongs to both. The F-attack and the C-attack leave the same number of rows,
    those that can correspond. The numbers are computed pair by pair, as in the paper: an adversary who looks
    at all classes together may exclude more rows.

    Source: Fung, Wang, Fu and Pei 2008, Anonymity for continuous data publishing.

    The answer is a relation over a temporary table: it can be read again, filtered and joined, and stays as
    it is as long as the connection.

    Example: sqlanon.correspondence(con, ["earlier", "later"], qi="age", sensitive="disease")
    """
    return answer_of(
        con,
        "correspondence",
        listed(releases, "releases"),
        qi=names(qi, "qi"),
        sensitive=sensitive,
        hierarchies=hierarchies,
        weight=weight,
        formats=formats_given(formats),
    )


@connection_first
def de_finetti(
    con: duckdb.DuckDBPyConnection,
    release: Source,
    targets: Source,
    id: str,
    qi: Names,
    sensitive: str,
    rounds: int,
    bucket: str | None = None,
    hierarchies: Source = None,
    truth: str | None = None,
    controls: str | None = None,
) -> duckdb.DuckDBPyRelation:
    """Guesses who has which sensitive value of a bucket or class. The attack learns from all buckets together
    how values depend on quasi-identifiers. One row per target.

    Parameters:
    - release (table): a release of anatomize, or a release with classes.
    - targets (table): people with raw values in qi, and the column id.
    - id (column): of targets, identifies the person; each person must be there once.
    - qi (columns): the quasi-identifiers that the adversary knows about the targets.
    - sensitive (column): of release, the column to be learned.
    - rounds (integer, 0 to 1000): the number of iterations, in which weights and frequencies are computed
      from each other; 20 are usually enough.
    - bucket (column): of release, the bucket of each row: its rows share the values in the lists of
      sensitive, as in a release of anatomize. If not given, rows with the same quasi-identifiers form a
      class, and targets must be all people in the release, or most of them.
    - hierarchies (table): rows of attribute, value, level and label: the values that released labels stand
      for.
    - truth (column): of targets, their true values.
    - controls (column): of targets, true for people who are known not to be in the release.

    Result:
    - <id> (unchanged): the target.
    - learned (text): the most probable value; NULL: no row covers the target.
    - confidence (number, 0 to 1): its probability, as the adversary computes it.
    - baseline (number, 0 to 1): the probability of the best guess if each row of the bucket or class is
      equally likely to have each of its values: 1/l for a bucket of l.
    - is_right (boolean): is learned the true value? NULL without truth, or if nothing is learned.
    - is_control (boolean): is the target one of controls?
    - possible (integer): the number of values that the target may have.

    Errors: unknown column, empty table, a target twice, a hierarchy that is not a tree, with bucket a
    sensitive column without lists.

    Notes: the result is probable, not certain. So run_attacks and publish run this attack only if rounds is
    given. The confidence is that of a model that assumes that quasi-identifiers are independent given the
    value. The measure right of attack_summary, which needs truth, shows how reliable it is. If several rows
    match a target, their probabilities are averaged.

    Source: Kifer 2009, sec. 3 and 5 (de Finetti attack on Anatomy); Sinkhorn 1967 (scaling).

    Warns (UnreadWarning) of labels that nobody understands, and where nobody is located.

    Example: sqlanon.de_finetti(con, "bucketed", "voters", id="name", qi=["age", "zip"], sensitive="disease",
    rounds=20, bucket="bucket")
    """
    return warning(
        con,
        "de_finetti",
        release,
        targets,
        id=id,
        qi=names(qi, "qi"),
        sensitive=sensitive,
        rounds=rounds,
        bucket=bucket,
        hierarchies=hierarchies,
        truth=truth,
        controls=controls,
    )


@connection_first
def differencing(
    con: duckdb.DuckDBPyConnection,
    counts: Source,
    dimensions: Names,
    count_column: str,
    total: str | None = None,
    threshold: int | None = None,
    *,
    zeros_shown: bool = False,
    hierarchies: Source = None,
    programs: Literal["none", "linear", "integer"] = "linear",
    solver_seconds: float = 60,
    rounds: int = 100,
) -> duckdb.DuckDBPyRelation:
    """Computes suppressed counts from totals: one row per suppressed cell, with the smallest and the largest
    value that agree with the other counts.

    Parameters:
    - counts (table): one row per cell, with the columns in dimensions and count_column; totals are cells,
      too.
    - dimensions (columns): the columns by which the counts are grouped.
    - count_column (column): the count; NULL: suppressed.
    - total (text): the value of a dimension in cells that are totals over it, such as all. If not given, it
      is NULL, as after GROUP BY CUBE.
    - threshold (integer, at least 1): counts below the threshold were suppressed, so a suppressed count is
      below it. If the table has counts below it, these cells are treated as suppressed, and their counts as
      the truth.
    - zeros_shown (boolean): true: a count of 0 is never suppressed, so a suppressed count is at least 1.
    - hierarchies (table): rows of attribute, value, level and label. A dimension with a hierarchy may also
      have cells for its labels.
    - programs (one of none, linear, integer): how intervals are narrowed if the sums alone do not prove that
      they are exact: by linear programs, or then also by integer programs. They run in Python.
    - solver_seconds (number, at least 0): the time limit of the programs.
    - rounds (integer, at least 1): the largest number of rounds in which bounds are passed from sum to sum.

    Result:
    - <dimensions> (unchanged): the cell.
    - learned (text): the count, if lower equals upper; NULL: it is not certain.
    - confidence (number): 1 if the count is learned; NULL if not.
    - baseline (number): 1 / the number of values that a suppressed count can have by the threshold; NULL
      without a threshold.
    - is_right (boolean): is it the true count? NULL if counts does not have it.
    - is_control (boolean): NULL, because cells are not people.
    - lower (integer): the smallest possible count.
    - upper (integer): the largest possible count; NULL: unbounded.
    - unfinished (boolean): false if lower and upper are exact: the smallest and the largest count in all
      tables that agree with the published counts. true if that is not proven: with programs, or more rounds,
      they may become narrower.

    Errors: unknown column, empty table, a column named twice, a cell that is there twice, a negative count, a
    label that the hierarchy lacks, totals that contradict the cells.

    Notes: a cell of the finest level without a row counts 0; a total without a row is not known. Bounds are
    never wrong; they are marked unfinished unless they are proven to be the narrowest. cell_bounds explains
    when, and reads tables in other formats. To use the linear programs in SQL, call
    sqlanon.register_functions(con) in Python first.

    Source: Desfontaines 2020, Lowering the cost of anonymization, sec. 3.2.3.

    Without the extra `tables` programs are none: what they would have to prove is unfinished.

    Example: sqlanon.differencing(con, "counts", dimensions=["place", "disease"], count_column="n",
    threshold=5)
    """
    return solved_if_possible(
        con,
        "differencing",
        counts,
        dimensions=names(dimensions, "dimensions"),
        count_column=count_column,
        total=total,
        threshold=threshold,
        zeros_shown=zeros_shown,
        hierarchies=hierarchies,
        programs=programs,
        solver_seconds=solver_seconds,
        rounds=rounds,
    )


@connection_first
def downcoding(
    con: duckdb.DuckDBPyConnection, release: Source, qi: Names, hierarchies: Source, k: int | None = None
) -> duckdb.DuckDBPyRelation:
    """Finds values that the rows of a class cannot have, because rows with these values would have been
    released in a finer class of the same release: one row per class.

    Parameters:
    - release (table): a release with labels of hierarchies in which nothing is generalized more than
      necessary.
    - qi (columns): all quasi-identifiers of the release.
    - hierarchies (table): rows of attribute, value, level and label: the values that the labels stand for.
    - k (integer, at least 1): the k of the release, if each of its rows is generalized by itself, as little
      as k-anonymity allows. If not given, the release must be one of full-domain generalization in rounds,
      each of which generalizes the rows that the one before has suppressed.

    Result:
    - <qi> (unchanged): of the class.
    - size (integer, rows): of the class.
    - learned (text): the values that its rows can have in one of the columns in qi; NULL: all that the label
      stands for.
    - confidence (number, 0 to 1): 1: it is certain.
    - baseline (number, 0 to 1): the probability, without the attack, that the best guess of as many values
      contains the true one: the share of the most frequent values among those that the label stands for. Each
      row of the release counts in equal parts for the values that its label stands for.
    - is_right (boolean): NULL: not known.
    - is_control (boolean): NULL: not known.
    - attribute (text): the column of learned, in which most values are excluded.
    - values_left (integer): the number of values that its rows can have there.
    - values_covered (integer): the number of values that the label stands for.
    - most_frequent (text): the most frequent of the values that are left: the best guess.
    - share_left (number, 0 to 1): the share of most_frequent among the values that are left: its probability.
    - share_covered (number, 0 to 1): the share of the most frequent value among all that the label stands
      for: the probability of the best guess without the attack.

    Errors: unknown column, empty table, a hierarchy that is not a tree, no hierarchy of a column in qi, a
    column in qi with the name of one that attack_summary reads, a release in which something was certainly
    generalized more than necessary.

    Notes: for other releases, learned may be wrong. Mondrian, full-domain generalization in one round, and
    optimal with local_recoding make no class within another: the attack learns nothing from them, which does
    not mean that they are safe. A release may reveal more than this attack finds. It learns nothing from
    labels that stand for two nodes of a hierarchy. attack_summary, with size as weight, has the share of
    rows.

    Source: Cohen 2022 (downcoding; the two conditions are derived in sql/attack/downcoding.sql).

    The answer is a relation over a temporary table: it can be read again, filtered and joined, and stays as
    it is as long as the connection.

    Example: sqlanon.downcoding(con, "released", qi="country", hierarchies="hierarchy", k=2)
    """
    return answer_of(con, "downcoding", release, qi=names(qi, "qi"), hierarchies=hierarchies, k=k)


@connection_first
def exact_cover(
    con: duckdb.DuckDBPyConnection,
    releases: Iterable[Source],
    targets: Source,
    id: str,
    qi: Names,
    sensitive: Names,
    hierarchies: Source = None,
    truth: Names | None = None,
    nearest: bool | Iterable[bool] = False,
    presence: Names | None = None,
    unit: str | None = None,
    formats: Formats | None = None,
    unknown: Unknown = None,
    unchanged: Names | None = None,
    values_may_change: Names | None = None,
    distinct_spellings: Names | None = None,
) -> duckdb.DuckDBPyRelation:
    """Attacks several releases with the knowledge of who is in each of them: one row per target and sensitive
    column. The candidates are those of intersection_attack, without values that other people of the class
    must have.

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
    - unit (column): of targets, identifies the person of a row, if people can have several rows.
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
    - learned (text): the most probable candidate (a NULL as the text NULL); NULL: none is left. With unit: if
      there is one, a value that one of the person's rows must have because of their number.
    - confidence (number): its probability, as in intersection_attack; 1 if it is the only candidate, or a
      value that one of the person's rows must have.
    - baseline (number): the share of the most frequent value of all rows.
    - is_right (boolean): with truth: is it the true value (of one of the unit's rows)?
    - is_control (boolean): NULL: controls are in no class.
    - candidates (list of texts): the candidates that are left, the most probable first.
    - upper_end (number): how probable a value of the target may be at most, as upper_ends of
      intersection_attack.
    - unfinished (boolean): true if the rules could remove more candidates, as in intersection_attack.
    - not_asked (boolean): true if several classes together may rule out more, and no program was asked: in
      SQL alone, where people and classes that hang together are too many or contradict each other, or where
      time was over.

    Errors: as in intersection_attack.

    Notes: the result is right if all targets are in the classes where they were found. So the targets should
    be everybody in the releases. If a class has fewer rows than targets, it is not known who is in it, and
    the attack removes nothing there. Removed candidates are impossible. In Python, with the extra tables,
    programs ask whether the remaining ones are possible, given all classes of all releases that people share,
    directly or through others: those who are left without not_asked have no candidate too many. Whoever
    several classes of a release cover has a row in one of them, as far as the rows go. In SQL alone, single
    classes are counted, those of two releases, and all that people share less what others of them have.

    Source: Hall 1935; own derivation (sql/attack/exact_cover.sql, sql/attack/connected_people.sql).

    Example: sqlanon.exact_cover(con, ["east", "west"], targets="voters", id="name", qi=["age", "zip"],
    sensitive="disease")
    """
    return with_programs(
        con,
        "exact_cover",
        listed(releases, "releases"),
        targets,
        id=id,
        qi=names(qi, "qi"),
        sensitive=names(sensitive, "sensitive"),
        hierarchies=hierarchies,
        truth=names(truth, "truth"),
        nearest=by_release(nearest),
        presence=names(presence, "presence"),
        unit=unit,
        formats=formats_given(formats),
        unknown=unknown_texts(unknown),
        unchanged=names(unchanged, "unchanged"),
        values_may_change=names(values_may_change, "values_may_change"),
        distinct_spellings=names(distinct_spellings, "distinct_spellings"),
    )


@connection_first
def expected_breaches(
    con: duckdb.DuckDBPyConnection,
    release: Source,
    qi: Names,
    sensitive: str,
    size: int | None = None,
    marginal: Source = None,
    weight: str | None = None,
    distinct_spellings: Names | None = None,
) -> duckdb.DuckDBPyRelation:
    """Summarizes a forecast over everybody in a release: one row per measure. The measures have the names
    that they have in breaches, so that you can compare the two once the other table is published.

    Parameters:
    - release (table): the release, with the columns in qi and sensitive.
    - qi (columns): its quasi-identifiers.
    - sensitive (column): the column to be learned.
    - size (integer, at least 1): the size of the classes of the other table. If not given, they have the
      sizes of the classes of this release, each weighted by its rows.
    - marginal (table): rows of value and share: the frequencies of sensitive values in the other table, as
      shares or as numbers of rows. If not given, those of this release.
    - weight (column): of the release, says how many people each row stands for, as in classes.
    - distinct_spellings (columns): columns in which spellings are different values, such as the codes a and
      A; elsewhere flu, "flu " and FLU are one value (spellings lists them).

    Result:
    - measure (text): the title of the measure.
    - value (number): its value, in the unit.
    - unit (text): the unit: people, rows, values or %.
    - id (text): the name of the measure, as in breaches.

    Errors: as in forecast.

    Notes: PVP_100 is the expected share of people for whom only the true value remains possible.

    Source: as forecast.

    The answer is a relation over a temporary table: it can be read again, filtered and joined, and stays as
    it is as long as the connection.

    Example: sqlanon.expected_breaches(con, "east", qi=["age", "zip"], sensitive="disease", size=5)
    """
    return answer_of(
        con,
        "expected_breaches",
        release,
        qi=names(qi, "qi"),
        sensitive=sensitive,
        size=size,
        marginal=marginal,
        weight=weight,
        distinct_spellings=names(distinct_spellings, "distinct_spellings"),
    )


@connection_first
def forecast(
    con: duckdb.DuckDBPyConnection,
    release: Source,
    qi: Names,
    sensitive: str,
    size: int | None = None,
    marginal: Source = None,
    weight: str | None = None,
    distinct_spellings: Names | None = None,
) -> duckdb.DuckDBPyRelation:
    """Forecasts what a release will reveal once another table about the same people is published, anonymized
    independently. Only the frequencies of the sensitive values in that table are known. One row per class.

    Parameters:
    - release (table): the release, with the columns in qi and sensitive.
    - qi (columns): its quasi-identifiers.
    - sensitive (column): the column to be learned.
    - size (integer, at least 1): the size of the classes of the other table. If not given, they have the
      sizes of the classes of this release, each weighted by its rows.
    - marginal (table): rows of value and share: the frequencies of sensitive values in the other table, as
      shares or as numbers of rows. If not given, those of this release.
    - weight (column): of the release, says how many people each row stands for, as in classes.
    - distinct_spellings (columns): columns in which spellings are different values, such as the codes a and
      A; elsewhere flu, "flu " and FLU are one value (spellings lists them).

    Result:
    - class_id (integer): the number of the class, as in classes.
    - size (integer, rows): of the class.
    - learned (text): the value that the adversary guesses unless the other table excludes it: the most
      frequent value of the class; of equally frequent ones the one that is rarest elsewhere.
    - confidence (number, 0 to 1): the expected probability that the best guess from both tables is right.
    - baseline (number, 0 to 1): the same from the release alone: the share of the most frequent value.
    - is_right (boolean): NULL: nothing is published yet.
    - is_control (boolean): false.
    - prior (integer, values): the number of values in the class.
    - posterior (number, values): how many of them are expected to be possible with both tables.
    - certain (number, share of rows): the expected share of people for whom only the true value remains
      possible.
    - upper_end (number, 0 to 1): confidence if all classes of the other table are as small as the smallest of
      the release; with size the same as confidence.

    Errors: unknown column, empty release, shares that are negative or NULL, or that no value of the release
    has, a weight as in classes.

    Notes: expected_breaches summarizes the forecast. The model: the class of a person in the other table is
    their own row and random draws from the marginal. If classes of the two tables are similar, they have more
    values in common, and less is certain than the forecast says. With the default marginal the result is an
    assumption, not a bound. If the marginal lacks a value, the model assumes that nobody else in the other
    table has it. Values of different types compare as in intersection_attack.

    Source: model of our own for the intersection attack of Ganta, Kasiviswanathan and Smith 2008.

    The answer is a relation over a temporary table: it can be read again, filtered and joined, and stays as
    it is as long as the connection.

    Example: sqlanon.forecast(con, "east", qi=["age", "zip"], sensitive="disease", size=5)
    """
    return answer_of(
        con,
        "forecast",
        release,
        qi=names(qi, "qi"),
        sensitive=sensitive,
        size=size,
        marginal=marginal,
        weight=weight,
        distinct_spellings=names(distinct_spellings, "distinct_spellings"),
    )


@connection_first
def four_questions(
    con: duckdb.DuckDBPyConnection,
    release: Source,
    original: Source,
    columns: Names,
    held_out: Source = None,
    sensitive: Names | None = None,
    hierarchies: Source = None,
    sample: int = 2000,
    comparisons: int = 2000000000,
) -> duckdb.DuckDBPyRelation:
    """Asks the four questions about a release of any kind: can somebody be singled out, can records be
    linked, can something be inferred, can one tell who was in? One row per question, and per column for what
    is inferred.

    Parameters:
    - release (table): a release of any kind, such as classes, centroids, noise or synthetic rows.
    - original (table): the raw rows of which the release was made, one per person.
    - columns (columns): of all tables, the columns that an adversary may know or learn.
    - held_out (table): raw rows of people of the same kind who were not in the original. If not given,
      control, risk, low and high are NULL, and the last question is not asked.
    - sensitive (columns): those of columns that are inferred, each from all others. If not given, every
      column in turn.
    - hierarchies (table): rows of attribute, value, level and label: the values that released labels stand
      for.
    - sample (integer, at least 1): so many people of each table are attacked, drawn by lot, the same in every
      run; all if there are fewer.
    - comparisons (integer, at least 1): the largest number of pairs, of distinct rows or of blocks of them,
      that are compared in each step. If more were needed, some targets, chosen at random, are unfinished.

    Result:
    - question (text): the question.
    - attribute (text): the column that is inferred; NULL for other questions.
    - people (integer): of so many people of the original.
    - success (number, 0 to 100): for how many percent of them the attack is right. Who was in: how many
      percent are found at 1 % false alarms.
    - control (number, 0 to 100): the same for people held out; who was in: 1 %.
    - baseline (number, 0 to 100): a guess without the attack, expected right.
    - risk (number, at most 100): the percentage beyond the control: beyond_controls of attack_summary; who
      was in: success - control.
    - low (number): the lower end of a 95 % interval of the risk.
    - high (number): the upper end.
    - unfinished (number, 0 to 100): the percentage of people who were not compared with all rows.

    Errors: unknown column, a column named twice, empty table, sensitive columns that are not in columns, a
    hierarchy that is not a tree, infinity or NaN.

    Notes: the attacks are singling_out (conditions on all columns), nearest_linkage (the first half of
    columns known here, the others there), nearest_inference and membership. Run them by themselves for other
    columns and settings. A risk whose interval includes 0 does not prove that there is none: other attacks
    may find more.

    Source: Article 29 Working Party 2014, opinion 05/2014, sec. 2.2; Carlini et al. 2022, sec. 3 (true
    positives at few false positives).

    Warns (UnreadWarning) of values that nobody understands.

    Example: sqlanon.four_questions(con, "east", "original", columns=["age", "zip", "disease"],
    held_out="others", sensitive="disease")
    """
    return asked(
        con,
        "four_questions",
        release,
        original,
        columns=names(columns, "columns"),
        held_out=held_out,
        sensitive=names(sensitive, "sensitive"),
        hierarchies=hierarchies,
        sample=sample,
        comparisons=comparisons,
    )


@connection_first
def homogeneity(
    con: duckdb.DuckDBPyConnection,
    release: Source,
    qi: Names,
    sensitive: Names,
    weight: str | None = None,
    distinct_spellings: Names | None = None,
    missing_counts: bool = False,
) -> duckdb.DuckDBPyRelation:
    """Finds what an adversary learns about everybody in a class of a release: one row per class and sensitive
    column. If all rows of a class have the same value, it is certain.

    Parameters:
    - release (table): a release with one row per person.
    - qi (columns): the quasi-identifiers of the release.
    - sensitive (columns): the columns to be learned.
    - weight (column): how many people each row stands for, as in classes.
    - distinct_spellings (columns): columns in which spellings are different values, such as the codes a and
      A; elsewhere flu, "flu " and FLU are one value (spellings lists them).
    - missing_counts (boolean): true: a missing sensitive value (NULL, empty, blanks) is a value like any
      other. false: it adds no value, and its rows count with the most frequent value of their class.

    Result:
    - <qi> (unchanged): the quasi-identifiers of the class.
    - size (integer, rows): the size of the class.
    - sensitive (text): the name of the sensitive column.
    - learned (text): the most frequent value of the class, of equally frequent ones the first; NULL as a text
      where all are missing.
    - confidence (number, 0 to 1): its share of the class, missing values included.
    - baseline (number, 0 to 1): its share of the release.
    - is_right (boolean): NULL: not known.
    - is_control (boolean): NULL: not known.
    - distinct_values (integer): the number of different values in the class: spellings are one, and a missing
      value is none unless all are missing.

    Errors: unknown column, empty table, a column in qi with the name of one that attack_summary reads, a
    weight as in classes.

    Notes: each row counts as one person, or as many as weight says. If people have several rows, the true
    risk is higher: use privacy and violations with unit, which count people. attack_summary, with size as
    weight, summarizes the result.

    Source: Machanavajjhala, Kifer, Gehrke and Venkitasubramaniam 2007 (homogeneity attack).

    The answer is a relation over a temporary table: it can be read again, filtered and joined, and stays as
    it is as long as the connection.

    Example: sqlanon.homogeneity(con, "east", qi=["age", "zip"], sensitive="disease")
    """
    return answer_of(
        con,
        "homogeneity",
        release,
        qi=names(qi, "qi"),
        sensitive=names(sensitive, "sensitive"),
        weight=weight,
        distinct_spellings=names(distinct_spellings, "distinct_spellings"),
        missing_counts=missing_counts,
    )


@connection_first
def insert_only(
    con: duckdb.DuckDBPyConnection,
    releases: Iterable[Source],
    qi: Names,
    sensitive: str,
    hierarchies: Source = None,
    weight: str | None = None,
    formats: Formats | None = None,
) -> duckdb.DuckDBPyRelation:
    """Removes the rows of earlier classes from the later class that must contain them, and shows the rows
    that are left: one row per earlier class that can be in only one later class, and one row for all of these
    together.

    Parameters:
    - releases (list of tables): two, the earlier one first; the later one has all rows of the earlier one and
      more. Both have the columns in qi and sensitive.
    - qi (columns): the quasi-identifiers.
    - sensitive (column): of both releases; values of people must not change.
    - hierarchies (table): rows of attribute, value, level and label: the values that released labels stand
      for.
    - weight (column): of both releases, says how many people each row stands for, as in classes.
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

    Result:
    - class_id (integer): the number of the class in the earlier release, as in classes; NULL: all classes
      that are within the later one, together.
    - later_class_id (integer): the number of the class in the later release.
    - learned (text): the most frequent value of the rows that are left; NULL: no row is left.
    - confidence (number): the share of this value among the rows that are left.
    - baseline (number): the share of the most frequent value in the later class.
    - is_right (boolean): NULL, because it is not known.
    - is_control (boolean): NULL, because it is not known.
    - later_size (integer, rows): the size of the later class.
    - rows (integer, rows): the rows that are left in the later class.
    - diversity (integer): the number of their different values; with l-diverse inserts, it is 0 or at least
      l.
    - remaining (list of structs): their values, each with its rows, the most frequent first.
    - is_new (boolean): true if all rows that are left must be of new people, because all earlier classes that
      can be in the later one were removed.

    Errors: as of correspondence.

    Notes: labels are read as covers reads them. An earlier class is in a later one if no other class of the
    later release is compatible with it, for example if its box is within one later box and later boxes do not
    overlap.

    Source: Byun, Sohn, Bertino and Li 2006, Secure anonymization for incremental datasets.

    The answer is a relation over a temporary table: it can be read again, filtered and joined, and stays as
    it is as long as the connection.

    Example: sqlanon.insert_only(con, ["earlier", "later"], qi="age", sensitive="disease")
    """
    return answer_of(
        con,
        "insert_only",
        listed(releases, "releases"),
        qi=names(qi, "qi"),
        sensitive=sensitive,
        hierarchies=hierarchies,
        weight=weight,
        formats=formats_given(formats),
    )


@connection_first
def intersection_attack(
    con: duckdb.DuckDBPyConnection,
    releases: Iterable[Source],
    targets: Source,
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
) -> duckdb.DuckDBPyRelation:
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

    Warns (UnreadWarning) of labels that nobody understands, where nobody is located in all releases, and of
    people who have other candidates if values that are spelled alike are one.

    Example: sqlanon.intersection_attack(con, ["east", "west"], targets="voters", id="name", qi=["age",
    "zip"], sensitive="disease", truth="disease")
    """
    return warning_by_release(
        con,
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


@connection_first
def joined_releases(
    con: duckdb.DuckDBPyConnection,
    releases: Iterable[Source],
    join_on: Names,
    x: Names,
    y: Names,
    weight: str | None = None,
) -> duckdb.DuckDBPyRelation:
    """Joins two releases, and finds what the joined rows reveal: one row per value of x, with its most
    frequent y.

    Parameters:
    - releases (list of tables): two releases; each has the columns in join_on and some of x and y.
    - join_on (columns): columns that both releases have, with the same values.
    - x (columns): columns that the adversary knows; each is in one of the releases, or in join_on.
    - y (columns): columns that the adversary wants to learn; each is in one of the releases, or in join_on.
    - weight (column): of both releases, how many people each row stands for, as in classes.

    Result:
    - <x> (unchanged): a value of x.
    - learned (text): the most frequent y of its joined rows.
    - confidence (number): the share of this y; the largest one is (X, Y)-linkability.
    - baseline (number): the share of the most frequent y among all joined rows.
    - is_right (boolean): NULL, because it is not known.
    - is_control (boolean): NULL, because it is not known.
    - rows (integer, rows): the number of joined rows.
    - anonymity (integer): the number of values of y that occur with this x; the smallest is (X, Y)-anonymity.

    Errors: unknown column, not two releases, a role without columns, a column in join_on that is a number in
    one release only, no row that joins another, a weight as in classes.

    Notes: a value of x none of whose rows can be joined is not in the result. NULL joins NULL. Rows are
    counted in groups, so the time grows with the number of distinct pairs of x and y, not with the number of
    joined rows.

    Source: Wang and Fung 2006, Anonymizing sequential releases.

    The answer is a relation over a temporary table: it can be read again, filtered and joined, and stays as
    it is as long as the connection.

    Example: sqlanon.joined_releases(con, ["jobs", "diseases"], join_on="job", x="name", y="disease")
    """
    return answer_of(
        con,
        "joined_releases",
        listed(releases, "releases"),
        join_on=names(join_on, "join_on"),
        x=names(x, "x"),
        y=names(y, "y"),
        weight=weight,
    )


@connection_first
def linking(
    con: duckdb.DuckDBPyConnection,
    release: Source,
    targets: Source,
    id: str,
    qi: Names,
    sensitive: Names | None = None,
    hierarchies: Source = None,
    truth: Names | None = None,
    controls: str | None = None,
    nearest: bool = False,
    weight: str | None = None,
    formats: Formats | None = None,
    unknown: Unknown = None,
    distinct_spellings: Names | None = None,
) -> duckdb.DuckDBPyRelation:
    """Links people to the rows of a release: one row per target, and per sensitive column if there are
    several. Each row of the classes that cover a target, as locate finds them, may be the target's.

    Parameters:
    - release (table): a table with the columns in qi, as released.
    - targets (table): people with raw values in qi, and the column id.
    - id (column): of targets, identifies the person; each person must be there once.
    - qi (columns): the quasi-identifiers that the adversary knows about the targets.
    - sensitive (columns): of release, the columns to be learned; if not given, the attack re-identifies rows.
    - hierarchies (table): rows of attribute, value, level and label: the values that released labels stand
      for.
    - truth (columns): of targets, their true values, one per column in sensitive.
    - controls (column): of targets, true for people who are known not to be in the release.
    - nearest (boolean): true for a release of centroids, such as one of microaggregate: a target is then
      found in the class that is nearest in standardized coordinates, of equally near ones in the first (see
      sql/core/coordinates.sql; means and deviations are those of the release).
    - weight (column): of the release, how many people each row stands for, as in classes.
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
    - unknown (list of texts): the texts that mean an unknown cell in qi of the targets, or one such text; for
      NULL, write 'NULL'. If not given, no cell is unknown, and NULL is a value.
    - distinct_spellings (columns): columns in which spellings are different values, such as the codes a and
      A; elsewhere flu, "flu " and FLU are one value (spellings lists them).

    Result:
    - <id> (unchanged): the target.
    - sensitive (text): with sensitive, the column that is learned.
    - learned (text): the most frequent value among the candidate rows, of equally frequent ones the first;
      without sensitive, the word re-identified; NULL: there are no candidates.
    - confidence (number): the share of the candidates that have this value; without sensitive, 1 /
      candidates.
    - baseline (number): the share of the most frequent value in the release; without sensitive, 1 / its rows.
    - is_right (boolean): is learned the true value? NULL without truth, or if nothing is learned.
    - is_control (boolean): is the target one of controls?
    - candidates (integer, rows): rows of the release that may be the target's; 1: re-identified for certain,
      if the target is in the release.
    - classes (integer): the number of classes with these rows.
    - exclusive (integer, rows): candidates that no other target matches. The sum over all targets is the
      number of rows that match exactly one person.

    Errors: unknown column, empty table, a target twice, a hierarchy that is not a tree, truth without
    sensitive, a weight as in classes, an unknown format, a cell of the targets that does not fit its format.

    Notes: labels are read as covers reads them; unread_labels lists those that could not be read. To measure
    how many re-identifications are right, give a column of record numbers as sensitive, and the same column
    of targets as truth. Controls match rows like other targets.

    Source: Sweeney 2002, sec. 1.

    Warns (UnreadWarning) of labels that nobody understands, and where nobody is located.

    Example: sqlanon.linking(con, "east", "voters", id="name", qi=["age", "zip"], sensitive="disease")
    """
    return warning(
        con,
        "linking",
        release,
        targets,
        id=id,
        qi=names(qi, "qi"),
        sensitive=names(sensitive, "sensitive"),
        hierarchies=hierarchies,
        truth=names(truth, "truth"),
        controls=controls,
        nearest=nearest,
        weight=weight,
        formats=formats_given(formats),
        unknown=unknown_texts(unknown),
        distinct_spellings=names(distinct_spellings, "distinct_spellings"),
    )


@connection_first
def maximum_disclosure(
    con: duckdb.DuckDBPyConnection,
    release: Source,
    qi: Names,
    sensitive: Names,
    k: int = 5,
    weight: str | None = None,
    distinct_spellings: Names | None = None,
    missing_counts: bool = False,
) -> duckdb.DuckDBPyRelation:
    """Computes how sure of a sensitive value an adversary can be who knows up to k facts besides the release,
    the worst there are: one row per sensitive column, kind of facts and number of facts.

    Parameters:
    - release (table): a release with one row per person.
    - qi (columns): the quasi-identifiers of the release.
    - sensitive (columns): the columns to be learned.
    - k (integer, 0 to 10): the largest number of facts.
    - weight (column): how many people each row stands for, as in classes.
    - distinct_spellings (columns): columns in which spellings are different values, such as the codes a and
      A; elsewhere flu, "flu " and FLU are one value (spellings lists them).
    - missing_counts (boolean): true: a missing sensitive value (NULL, empty, blanks) is a value like any
      other. false: it adds no value, and its rows count with the most frequent value of their class.

    Result:
    - sensitive (text): the name of the sensitive column.
    - knowledge (text): negations or implications, as in background_knowledge.
    - k (integer): the number of facts.
    - disclosure (number, 0 to 1): the highest possible probability of a value, over all classes.
    - certain (number, 0 to 1): the share of the rows that are in classes where a value is certain.
    - size (integer, rows): the size of the class with the highest probability.
    - class (struct): the quasi-identifiers of this class.

    Errors: unknown column, empty table, a weight as in classes.

    Notes: each row counts as one person, as in homogeneity. The release is (c, k)-safe for all c above the
    disclosure by k implications.

    Source: Martin, Kifer, Machanavajjhala, Gehrke and Halpern 2007 (maximum disclosure, (c, k)-safety).

    The answer is a relation over a temporary table: it can be read again, filtered and joined, and stays as
    it is as long as the connection.

    Example: sqlanon.maximum_disclosure(con, "east", qi=["age", "zip"], sensitive="disease", k=2)
    """
    return answer_of(
        con,
        "maximum_disclosure",
        release,
        qi=names(qi, "qi"),
        sensitive=names(sensitive, "sensitive"),
        k=k,
        weight=weight,
        distinct_spellings=names(distinct_spellings, "distinct_spellings"),
        missing_counts=missing_counts,
    )


@connection_first
def membership(
    con: duckdb.DuckDBPyConnection,
    release: Source,
    targets: Source,
    id: str,
    columns: Names,
    controls: str,
    hierarchies: Source = None,
    comparisons: int = 2000000000,
) -> duckdb.DuckDBPyRelation:
    """Measures how well an adversary can guess who was in the source of a release of any kind, from the
    distance of people to the nearest released rows, and from how many rows are so near: one row per measure.

    Parameters:
    - release (table): a release of any kind, such as classes, centroids, noise or synthetic rows.
    - targets (table): people with raw values in the columns here and there, and the column id.
    - id (column): of targets, the name or number of a person.
    - columns (columns): the columns that the adversary knows.
    - controls (column): of targets, true for people of the same kind who are known not to be in the source;
      all other targets are in it.
    - hierarchies (table): rows of attribute, value, level and label: the values that released labels stand
      for.
    - comparisons (integer, at least 1): the largest number of pairs, of distinct rows or of blocks of them,
      that are compared in each step. If more were needed, some targets, chosen at random, are unfinished.

    Result:
    - measure (text): the title of the measure.
    - value (number): its value, in the unit.
    - unit (text): the unit: people or %.
    - low (number): the lower end of a 95 % interval: of area by the variance of DeLong, of shares Wilson's.
    - high (number): the upper end.
    - id (text): the measure: subjects, controls, area, found_1, found_0_1, unfinished.

    Errors: unknown column, empty table, a target twice, nobody or everybody in controls, a hierarchy that is
    not a tree, infinity or NaN.

    Notes: nearer is who is at a smaller distance; of two at the same one, who has fewer rows there, if any
    combination of columns has one released row alone. area is the area under the ROC curve: how often a
    member is nearer to the release than a control (a tie counts as one half); with 50 %, the distance reveals
    nothing. found_1 and found_0_1 are the shares of members that are found if at most 1 %, or 0.1 %, of the
    controls may be taken for members; where too many people are equally near, some of them are drawn by lot.
    So without any information they are 1 % and 0.1 %. An adversary who uses more than distances may find
    more: this is a measure, not a guarantee.

    Source: Carlini et al. 2022, sec. 3 (true positives at few false positives); DeLong, DeLong and
    Clarke-Pearson 1988 (area and its variance); Gower 1971 (distance).

    Warns (UnreadWarning) of labels that nobody understands, and where nobody is located.

    Example: sqlanon.membership(con, "east", "known", id="name", columns="age", controls="out")
    """
    return warning(
        con,
        "membership",
        release,
        targets,
        id=id,
        columns=names(columns, "columns"),
        controls=controls,
        hierarchies=hierarchies,
        comparisons=comparisons,
    )


@connection_first
def membership_by_counts(
    con: duckdb.DuckDBPyConnection,
    releases: Iterable[Source],
    targets: Source,
    id: str,
    marginals: Iterable[Iterable[str]],
    count_column: str,
    controls: str,
    reference: Source,
    deviation_column: str | None = None,
    hierarchies: Source = None,
) -> duckdb.DuckDBPyRelation:
    """Measures how well an adversary can guess who was counted in published tables of counts, from how much
    more frequent people's values are there than elsewhere: one row per measure.

    Parameters:
    - releases (list of tables): the tables of counts, such as marginals or allele frequencies, with or
      without noise.
    - targets (table): people with raw values in the columns of marginals, and the column id.
    - id (column): of targets, the name or number of a person.
    - marginals (list of lists of columns): for each table the columns by which it counts.
    - count_column (column): of every table, the count; NULL: the cell is hidden.
    - controls (column): of targets, true for people of the same kind who are known not to be counted; all
      other targets are counted.
    - reference (table): raw rows of other people of the same kind, whom the adversary knows; neither members
      nor controls should be among them.
    - deviation_column (column): of every table, the standard deviation of the noise in the count. If not
      given, counts are exact, and a count of 0 means that nobody is there.
    - hierarchies (table): rows of attribute, value, level and label: the values that released labels stand
      for.

    Result:
    - measure (text): the title of the measure.
    - value (number): its value, in the unit.
    - unit (text): the unit: people or %.
    - low (number): the lower end of a 95 % interval: of area by the variance of DeLong, of shares Wilson's.
    - high (number): the upper end.
    - id (text): the measure: subjects, controls, area, found_1, found_0_1, unfinished, hidden.

    Errors: unknown column, empty table, a target twice, nobody or everybody in controls, a hierarchy that is
    not a tree, not as many marginals as tables.

    Notes: a person's score is the sum, over all cells that cover the person, of the logarithm of the
    likelihood ratio: count / expected count, and with noise that of two normal distributions. The expected
    count is proportional to the people of the reference in the cell plus 0.5. Who is in no cell of a table
    has the count 0 there. Rounded counts are not exact: with a column of the rounding base / sqrt(12) as
    deviation_column they are read as counts with noise. Hidden cells, and with noise those that are not
    shown, add nothing: hidden is the share of lookups that met one, and unfinished the share of people who
    met nothing else. area, found_1 and found_0_1 are those of membership. The score is the best one if a
    person's values do not depend on each other; an adversary who knows how they do may find more.

    Source: Homer et al. 2008 (who is in a mixture); Sankararaman, Obozinski, Jordan and Halperin 2009
    (likelihood ratio); Carlini et al. 2022, sec. 3 (true positives at few false positives).

    Warns (UnreadWarning) of values that nobody understands.

    Example: sqlanon.membership_by_counts(con, ["counts"], "known", id="name", marginals=[["zip"]],
    count_column="n", controls="out", reference="voters")
    """
    return warning_by_marginal(
        con,
        "membership_by_counts",
        listed(releases, "releases"),
        targets,
        id=id,
        marginals=marginals,
        count_column=count_column,
        controls=controls,
        reference=reference,
        deviation_column=deviation_column,
        hierarchies=hierarchies,
    )


@connection_first
def minimality(
    con: duckdb.DuckDBPyConnection,
    release: Source,
    targets: Source,
    id: str,
    qi: Names,
    sensitive: str,
    k: int,
    l: int | None = None,
    alpha: float | None = None,
    truth: str | None = None,
    weight: str | None = None,
    distinct_spellings: Names | None = None,
) -> duckdb.DuckDBPyRelation:
    """Attacks strict Mondrian by what it has not cut: if a class was not cut although it is large enough, the
    reason must be its sensitive values. One row per target.

    Parameters:
    - release (table): a release of mondrian, with the columns in qi and sensitive; made without hierarchies,
      a population or a target.
    - targets (table): everybody in the release, with raw values in qi, and the column id.
    - id (column): of targets, identifies the person; each person must be there once.
    - qi (columns): all quasi-identifiers of the release.
    - sensitive (column): the column to be learned.
    - k (integer, at least 1): the k of the release.
    - l (integer, at least 1): the l of the release, if it was required.
    - alpha (number, above 0 and at most 1): the alpha of the release, if it was required. One of l and alpha
      must be given.
    - truth (column): of targets, their true values.
    - weight (column): of the release, says how many people each row stands for, as in classes.
    - distinct_spellings (columns): columns in which spellings are different values, such as the codes a and
      A; elsewhere flu, "flu " and FLU are one value (spellings lists them).

    Result:
    - <id> (unchanged): the target.
    - learned (text): the most probable value; NULL: no cut of the class failed because of its sensitive
      values.
    - confidence (number, 0 to 1): its probability (credibility in the paper).
    - baseline (number, 0 to 1): the share of the most frequent value of the class.
    - is_right (boolean): with truth: is it true? NULL otherwise.
    - is_control (boolean): false: everybody is in the release.
    - class_id (integer): the number of the class, as in classes; NULL: the target is in no class, or in
      several.
    - size (integer, rows): the size of the class.
    - attribute (text): the quasi-identifier of the failed cut that reveals most.
    - half_size (integer, rows): the size of the half that the target would be in.
    - is_complete (boolean): true if as many people were found in the class as it has rows. If not, nothing is
      learned.
    - unfinished (boolean): true if cuts of the class failed, but were not evaluated because it has more than
      300 rows, or a missing value.

    Errors: unknown column, no targets, a target twice, an empty release, targets that are not everybody in
    the release, a release that strict Mondrian would not have made under these requirements, a weight as in
    classes.

    Notes: a release is m-confidential if no confidence is above 1 / m. Every failed cut is evaluated alone.
    Raw values must have the types that they had when the release was made: cuts depend on their order. If
    other requirements than these prevented cuts, the result is wrong, or the call fails.

    Source: Wong, Fu, Wang and Pei 2007 (credibility, m-confidentiality).

    Warns (UnreadWarning) of labels that nobody understands, and where nobody is located.

    Example: sqlanon.minimality(con, "released", targets="people", id="name", qi="age", sensitive="disease",
    k=2, l=3, truth="disease")
    """
    return warning(
        con,
        "minimality",
        release,
        targets,
        id=id,
        qi=names(qi, "qi"),
        sensitive=sensitive,
        k=k,
        l=l,
        alpha=alpha,
        truth=truth,
        weight=weight,
        distinct_spellings=names(distinct_spellings, "distinct_spellings"),
    )


@connection_first
def nearest_inference(
    con: duckdb.DuckDBPyConnection,
    release: Source,
    targets: Source,
    id: str,
    columns: Names,
    sensitive: str,
    hierarchies: Source = None,
    truth: str | None = None,
    controls: str | None = None,
    within: float | None = None,
    agreeing: bool = False,
    comparisons: int = 2000000000,
) -> duckdb.DuckDBPyRelation:
    """Guesses a sensitive value from the released rows that are nearest to a person, in a release of any
    kind: one row per target.

    Parameters:
    - release (table): a release of any kind, such as classes, centroids, noise or synthetic rows.
    - targets (table): people with raw values in the columns here and there, and the column id.
    - id (column): of targets, the name or number of a person.
    - columns (columns): the columns that the adversary knows.
    - sensitive (column): of release, the column to be learned.
    - hierarchies (table): rows of attribute, value, level and label: the values that released labels stand
      for.
    - truth (column): of targets, their true values.
    - controls (column): of targets, true for people who are known not to be in the original.
    - within (number, at least 0): for a sensitive column of numbers: a guess is right if it differs from the
      truth by at most this. If not given, it must be equal.
    - agreeing (boolean): true: only rows that have the same values in all columns are used; if a target has
      none, nothing is learned.
    - comparisons (integer, at least 1): the largest number of pairs, of distinct rows or of blocks of them,
      that are compared in each step. If more were needed, some targets, chosen at random, are unfinished.

    Result:
    - <id> (unchanged): the target.
    - learned (text): the most frequent value among these rows; with within, the center of the window of width
      2 * within that has most rows. Of equally good ones the first. NULL: there are no rows.
    - confidence (number): the share of these rows that have this value, or are in this window.
    - baseline (number): the same for the best guess from all rows of the release.
    - is_right (boolean): is learned right? NULL without truth, or if nothing is learned.
    - is_control (boolean): is the target one of controls?
    - rows (integer, rows): rows of the release that were used: the nearest, or those that agree.
    - distance (number): Gower's distance to the nearest rows.
    - unfinished (boolean): true if more comparisons were needed; then there is no result for this target.

    Errors: unknown column, a column in two roles, empty table, a target twice, a hierarchy that is not a
    tree, infinity or NaN, within for a column that is not a number.

    Notes: the distance is that of nearest_linkage. An adversary also guesses controls better than by chance,
    if values depend on each other; this does not come from a person's own row. attack_summary shows the
    success for targets and for controls.

    Source: Article 29 Working Party 2014, opinion 05/2014, sec. 2.2.3 (inference); Taub, Elliot, Pampaka and
    Smith 2018, sec. 3 (CAP: rows that agree).

    Warns (UnreadWarning) of labels that nobody understands, and where nobody is located.

    Example: sqlanon.nearest_inference(con, "east", "voters", id="name", columns="age", sensitive="disease")
    """
    return warning(
        con,
        "nearest_inference",
        release,
        targets,
        id=id,
        columns=names(columns, "columns"),
        sensitive=sensitive,
        hierarchies=hierarchies,
        truth=truth,
        controls=controls,
        within=within,
        agreeing=agreeing,
        comparisons=comparisons,
    )


@connection_first
def nearest_linkage(
    con: duckdb.DuckDBPyConnection,
    release: Source,
    targets: Source,
    id: str,
    here: Names,
    there: Names,
    hierarchies: Source = None,
    controls: str | None = None,
    comparisons: int = 2000000000,
) -> duckdb.DuckDBPyRelation:
    """Links two sets of columns about people through a release of any kind: one row per target. For each of
    the two sets, the attack finds the nearest released rows; it makes a link if both are nearest to exactly
    one row, the same one.

    Parameters:
    - release (table): a release of any kind, such as classes, centroids, noise or synthetic rows.
    - targets (table): people with raw values in the columns here and there, and the column id.
    - id (column): of targets, the name or number of a person.
    - here (columns): the first set of columns, which one adversary knows.
    - there (columns): the second set of columns, which another adversary knows.
    - hierarchies (table): rows of attribute, value, level and label: the values that released labels stand
      for.
    - controls (column): of targets, true for people who are known not to be in the original.
    - comparisons (integer, at least 1): the largest number of pairs, of distinct rows or of blocks of them,
      that are compared in each step. If more were needed, some targets, chosen at random, are unfinished.

    Result:
    - <id> (unchanged): the target.
    - learned (text): the word linked; NULL: there is no link.
    - confidence (number): 1 / the number of targets whose second set of values is nearest to that row.
    - baseline (number): 1 / the number of targets.
    - is_right (boolean): true if there is a link: it is between the values of one person; false if there is
      none. NULL: not all were compared.
    - is_control (boolean): is the target one of controls?
    - rows_here (integer, rows): rows of the release that are nearest to the first set of values.
    - rows_there (integer, rows): rows that are nearest to the second set.
    - shared (integer, rows): rows that are nearest to both; NULL: not all were compared.
    - distance_here (number): Gower's distance from the first set of values to the nearest rows.
    - distance_there (number): the same for the second set.
    - unfinished (boolean): true if more comparisons were needed; then there is no result for this target.

    Errors: unknown column, a column in both sets, empty table, a target twice, a hierarchy that is not a
    tree, infinity or NaN.

    Notes: Gower's distance is a sum over columns. For numbers and dates, it is the difference as a share of
    the range of targets and release, in whole millionths. For other values it is 0 if they are equal and 1 if
    not. The distance to a label is that to the nearest value that it covers (a set of numbers counts as the
    range from its smallest to its largest); a label that covers nobody's value has the distance 1 to all. The
    attack assumes that everybody is in the release. Only controls show how much of the success comes from the
    release: see attack_summary.

    Source: Gower 1971, sec. 2 and 3 (distance); Article 29 Working Party 2014, opinion 05/2014, sec. 2.2.2
    (linkability).

    Warns (UnreadWarning) of labels that nobody understands, and where nobody is located.

    Example: sqlanon.nearest_linkage(con, "east", "voters", id="name", here="age", there="zip")
    """
    return warning(
        con,
        "nearest_linkage",
        release,
        targets,
        id=id,
        here=names(here, "here"),
        there=names(there, "there"),
        hierarchies=hierarchies,
        controls=controls,
        comparisons=comparisons,
    )


@connection_first
def noisy_counts_attack(
    con: duckdb.DuckDBPyConnection,
    releases: Iterable[Source],
    targets: Source,
    id: str,
    qi: Names,
    sensitive: str,
    count_column: str,
    deviation_column: str,
    mechanism: Literal["laplace", "gaussian"] = "laplace",
    hierarchies: Source = None,
    truth: str | None = None,
    controls: str | None = None,
) -> duckdb.DuckDBPyRelation:
    """Attacks several releases of noisy counts together: one row per target, with the most probable sensitive
    value. What the attack learns comes mostly from the data of all people who are like the target, not from
    the target's own row.

    Parameters:
    - releases (list of tables): counts with differential privacy, such as those of dp_counts with keys: all
      with the columns in qi and sensitive, count_column and deviation_column. They should count the same
      groups.
    - targets (table): people with raw values in qi, and the column id.
    - id (column): of targets, identifies the person; each person must be there once.
    - qi (columns): the quasi-identifiers: all columns that the releases group by, except sensitive.
    - sensitive (column): of releases, the column to be learned.
    - count_column (column): of releases, the noisy counts. Do not replace counts below 0.
    - deviation_column (column): of releases, the standard deviation of the noise.
    - mechanism (one of laplace, gaussian): the distribution of the noise, as in dp_counts.
    - hierarchies (table): rows of attribute, value, level and label: the values that released labels stand
      for.
    - truth (column): of targets, their true values.
    - controls (column): of targets, true for people who are known not to be in the release.

    Result:
    - <id> (unchanged): the target.
    - learned (text): the most probable value; NULL: no group covers the target.
    - confidence (number): its probability.
    - baseline (number): the share of the most frequent value among all people, estimated from the counts.
    - is_right (boolean): is learned the true value? NULL without truth, or if nothing is learned.
    - is_control (boolean): is the target one of controls?
    - candidates (list of texts): all values, the most probable first.
    - probabilities (list of numbers): the probabilities of these candidates.

    Errors: unknown column, empty table, a target twice, a hierarchy that is not a tree, a count or a standard
    deviation that is not a number, a group with several counts.

    Notes: differential privacy bounds how much the result depends on the target's own row. To measure this,
    also attack people whose rows were left out (controls). A group without a count in any release, for
    example because groups are chosen by a threshold, counts as 0 with much noise.

    Source: Ganta, Kasiviswanathan and Smith 2008, sec. 4. [own derivation]

    Warns (UnreadWarning) of labels that nobody understands, and where nobody is located.

    Example: sqlanon.noisy_counts_attack(con, ["noisy"], "voters", id="name", qi=["age", "zip"],
    sensitive="disease", count_column="n", deviation_column="standard_deviation")
    """
    return warning(
        con,
        "noisy_counts_attack",
        listed(releases, "releases"),
        targets,
        id=id,
        qi=names(qi, "qi"),
        sensitive=sensitive,
        count_column=count_column,
        deviation_column=deviation_column,
        mechanism=mechanism,
        hierarchies=hierarchies,
        truth=truth,
        controls=controls,
    )


@connection_first
def singling_out(
    con: duckdb.DuckDBPyConnection,
    release: Source,
    targets: Source,
    id: str,
    columns: Names,
    width: int | None = None,
    hierarchies: Source = None,
    controls: str | None = None,
    attempts: int = 100000,
) -> duckdb.DuckDBPyRelation:
    """Takes conditions from a release of any kind that only one released row meets, such as zip = 52062 and
    age = 81, and finds the people of the source who alone meet one: one row per person.

    Parameters:
    - release (table): a release of any kind, such as classes, centroids, noise or synthetic rows.
    - targets (table): all people of the source with raw values in columns, and the column id.
    - id (column): of targets, the name or number of a person.
    - columns (columns): of both tables, the columns of conditions, which may be sensitive ones.
    - width (integer, at least 1): the number of columns in a condition. If not given, all. With 1, conditions
      such as age <= smallest and age >= largest released value are also used.
    - hierarchies (table): rows of attribute, value, level and label: the values that released labels stand
      for.
    - controls (column): of targets, true for people who are known not to be in the original.
    - attempts (integer, at least 1): the largest number of conditions to try. If there are more, a random
      sample is tried, the same in every run.

    Result:
    - <id> (unchanged): the person.
    - learned (text): a condition that this person alone meets, such as zip = 52062 and age = 81; from a
      class, age = [80, 90]. Of several, the one of the smallest weight; NULL: there is none.
    - confidence (number): the probability that one person alone meets it if the released row is somebody's:
      nobody else of so many meets a condition of this weight.
    - baseline (number): the probability with which a condition of this weight isolates one of so many people,
      without any release.
    - is_right (boolean): is there such a condition?
    - is_control (boolean): is the person one of controls? Controls are isolated among controls, all others
      among all others.
    - weight (number): the share of people who would meet the condition if its columns had nothing to do with
      each other, by the released rows.
    - conditions (integer): the number of tried conditions that this person alone meets.
    - isolating (integer): the number of tried conditions that anybody alone meets, of controls or of all
      others.
    - tried (integer): the number of conditions that were tried.
    - unfinished (boolean): true if none of them isolates this person, but not all were tried.

    Errors: unknown column, a column named twice, empty table, a target twice, a hierarchy that is not a tree,
    more than 1,000 sets of so many columns.

    Notes: right_of_all of attack_summary is the share of people who are singled out, and beyond_controls what
    is due to the release: a condition that also isolates somebody of another town says little. There should
    be about as many controls as other people: among fewer it is easier to be alone. isolating / tried is how
    often an adversary is right who takes a condition from the release. It can be 100 % for a k-anonymous
    release, of a few people: a class and a sensitive value that one of its rows has are such a condition. A
    release prevents predicate singling out only if no condition of negligible weight isolates somebody more
    often than its baseline: look at the conditions with a small baseline. It is not enough that each release
    resists by itself: two tables of counts can each resist, and single somebody out together. A label that
    could not be read (unread_labels lists them) is met by nobody. Conditions of other kinds may find more:
    this is a measure, not a guarantee.

    Source: Cohen and Nissim 2020 (predicate singling out, baseline, composition; k-anonymity does not prevent
    it); Article 29 Working Party 2014, opinion 05/2014, sec. 2.2.1 (singling out).

    Warns (UnreadWarning) of labels that nobody understands, and where nobody is located.

    Example: sqlanon.singling_out(con, "east", "people", id="name", columns=["age", "disease"])
    """
    return warning(
        con,
        "singling_out",
        release,
        targets,
        id=id,
        columns=names(columns, "columns"),
        width=width,
        hierarchies=hierarchies,
        controls=controls,
        attempts=attempts,
    )


@connection_first
def skyline(
    con: duckdb.DuckDBPyConnection,
    release: Source,
    qi: Names,
    sensitive: Names,
    l: int = 1,
    k: int = 1,
    m: int = 1,
    value: str | None = None,
    weight: str | None = None,
    distinct_spellings: Names | None = None,
    missing_counts: bool = False,
) -> duckdb.DuckDBPyRelation:
    """Computes how sure of a sensitive value an adversary can be who finds the target in a class and knows
    three kinds of facts, the worst there are: l values that the target does not have, the values of k other
    people, and m further people of whom "if they have the value, the target has it, too" is true. One row per
    class and sensitive column, for the most frequent value of the class, which is the worst, or for the one
    in value.

    Parameters:
    - release (table): a release with one row per person.
    - qi (columns): the quasi-identifiers of the release.
    - sensitive (columns): the columns to be learned.
    - l (integer, 0 to 1000000): the number of values that the target is known not to have.
    - k (integer, 0 to 1000000): the number of other people in the class whose values are known.
    - m (integer, 0 to 1000000): the number of people in the class, not among the k, of whom the adversary
      only knows: if they have the value, the target has it, too.
    - value (text): the value in question; if not given, the most frequent one of each class.
    - weight (column): how many people each row stands for, as in classes.
    - distinct_spellings (columns): columns in which spellings are different values, such as the codes a and
      A; elsewhere flu, "flu " and FLU are one value (spellings lists them).
    - missing_counts (boolean): true: a missing sensitive value (NULL, empty, blanks) is a value like any
      other. false: it adds no value, and its rows count with the most frequent value of their class.

    Result:
    - <qi>, size, sensitive: as in homogeneity
    - learned (text): the value; NULL if no row of the class has the one in question.
    - confidence (number, 0 to 1): the most that somebody can be sure of it.
    - baseline, is_right, is_control: as in homogeneity
    - value_rows (integer, rows): rows of the class with this value.

    Errors: unknown column, empty table, a column in qi with the name of one that attack_summary reads, a
    value that no row has, a weight as in classes.

    Notes: each row counts as one person, as in homogeneity. All facts are about people of the same class.

    Source: Chen, LeFevre and Ramakrishnan 2007 (privacy skyline).

    The answer is a relation over a temporary table: it can be read again, filtered and joined, and stays as
    it is as long as the connection.

    Example: sqlanon.skyline(con, "east", qi=["age", "zip"], sensitive="disease", l=1, k=0, m=1)
    """
    return answer_of(
        con,
        "skyline",
        release,
        qi=names(qi, "qi"),
        sensitive=names(sensitive, "sensitive"),
        l=l,
        k=k,
        m=m,
        value=value,
        weight=weight,
        distinct_spellings=names(distinct_spellings, "distinct_spellings"),
        missing_counts=missing_counts,
    )


@connection_first
def sparse_linkage(
    con: duckdb.DuckDBPyConnection,
    release: Source,
    targets: Source,
    id: str,
    record: str,
    columns: Names,
    eccentricity: float = 1.5,
    truth: str | None = None,
    controls: str | None = None,
) -> duckdb.DuckDBPyRelation:
    """Links people to records of a release with several rows per record, such as purchases, ratings or
    visits, by a few items that they are known to have, of which some may be wrong: one row per person.

    Parameters:
    - release (table): records without a name, one row per record and item, with the columns record and
      columns.
    - targets (table): people, one row per person and known item, with the columns id and columns.
    - id (column): of targets, identifies the person.
    - record (column): of release, identifies the record.
    - columns (columns): of both tables, the columns that make up an item, such as the product and the week.
    - eccentricity (number, at least 0): a record is learned if its score is ahead of the next one's by so
      many standard deviations of all scores.
    - truth (column): of targets, the true record of the person.
    - controls (column): of targets, true for people known not to be in the release.

    Result:
    - <id> (unchanged): the person.
    - learned (text): the record that stands out; NULL: none does.
    - confidence (number): its probability, if probabilities are proportional to exp(score / standard
      deviation).
    - baseline (number): 1 / the number of records.
    - is_right (boolean): is it the true record? NULL without truth, or if nothing is learned.
    - is_control (boolean): is the person one of controls?
    - eccentricity (number): by how many standard deviations the best record is ahead of the next one.
    - agreeing (integer): the number of known items that the best record has.
    - items (integer): the number of known items of the person.

    Errors: unknown column, a column named twice, empty table, a person with several values in truth, released
    labels such as [20, 29].

    Notes: the score of a record is the sum of 1 / ln(1 + n) over the known items that it has; n records have
    the item. So rare items count most, and an item that is wrong only adds nothing. Several rows with the
    same item count once. Values are equal if their texts are; give ranges of times or numbers (such as weeks)
    as columns to allow for small errors. With one record there is nothing that it could stand out from.
    unicity measures how many people a few items identify at all.

    Source: Narayanan and Shmatikov 2008, sec. 4 and 5 (Scoreboard-RH, eccentricity).

    Warns (UnreadWarning) of labels that nobody understands, and where nobody is located.

    Example: sqlanon.sparse_linkage(con, "bought", "told", id="name", record="record", columns="product")
    """
    return warning(
        con,
        "sparse_linkage",
        release,
        targets,
        id=id,
        record=record,
        columns=names(columns, "columns"),
        eccentricity=eccentricity,
        truth=truth,
        controls=controls,
    )


@connection_first
def trails(
    con: duckdb.DuckDBPyConnection,
    release: Source,
    targets: Source,
    id: str,
    record: str,
    place: str,
    incomplete: bool = False,
    truth: str | None = None,
    controls: str | None = None,
) -> duckdb.DuckDBPyRelation:
    """Links people to records without names by the places (such as hospitals) where they were and where the
    records are: one row per person, with the record that must be theirs (REIDIT-C and REIDIT-I).

    Parameters:
    - release (table): records without a name, one row per record and place, with the columns record and
      place.
    - targets (table): people, one row per person and place where they were, with the columns id and place.
    - id (column): of targets, identifies the person, of whom p1 and "P1 " are spellings.
    - record (column): of release, identifies the record.
    - place (column): of both tables, the place.
    - incomplete (boolean): true if a place may not have released the record of everybody who was there. Then
      a record can belong to a person whose places contain those of the record (REIDIT-I). Otherwise record
      and person have the same places (REIDIT-C).
    - truth (column): of targets, the true record of the person.
    - controls (column): of targets, true for people known not to be in the release.

    Result:
    - <id> (unchanged): the person.
    - learned (text): the record of the person; NULL: not certain.
    - confidence (number): 1 if a record is learned; NULL if not.
    - baseline (number): 1 / the number of records.
    - is_right (boolean): is it the true record? NULL without truth.
    - is_control (boolean): is the person one of controls?
    - places (integer): the number of places of the person.
    - people (integer, people): the number of people with the same places.
    - candidates (integer): the number of records that can be the person's after all rules were applied; 0:
      none.
    - unfinished (boolean): true if the candidates of the person, and records that depend on them, could not
      all be assigned to people: it is impossible, or takes more than 1,000 steps. Then there may be certain
      links that are not learned. If false, all certain links are learned.

    Errors: unknown column, empty table, a column named twice, a person with several values in truth.

    Notes: the attack assumes that everybody has at most one record, and that every record belongs to one of
    the targets. A learned link is the same in every possible assignment of all records to people. If two
    records can only belong to one and the same person, there is no such assignment: then neither is learned,
    and the people concerned are unfinished. NULL is a place like any other.

    Source: Malin and Sweeney 2004, How (not) to protect genomic data privacy in a distributed network; Regin
    1994 (links that all assignments have).

    The answer is a relation over a temporary table: it can be read again, filtered and joined, and stays as
    it is as long as the connection.

    Example: sqlanon.trails(con, "records", "names", id="name", record="id", place="place", incomplete=True)
    """
    return answer_of(
        con,
        "trails",
        release,
        targets,
        id=id,
        record=record,
        place=place,
        incomplete=incomplete,
        truth=truth,
        controls=controls,
    )


@connection_first
def unsorted_matching(
    con: duckdb.DuckDBPyConnection,
    releases: Iterable[Source],
    qi: Names,
    hierarchies: Source = None,
    truth: str | None = None,
    formats: Formats | None = None,
) -> duckdb.DuckDBPyRelation:
    """Matches the rows of two releases by their position, in case both are in the same order: one row per
    position, with the probability that the match is right.

    Parameters:
    - releases (list of tables): two releases of the same rows, both with the columns in qi and the same
      number of rows.
    - qi (columns): columns that both releases have, generalized in different ways; also other columns that
      both have, whose values must then be equal.
    - hierarchies (table): rows of attribute, value, level and label: the values that released labels stand
      for.
    - truth (column): of both releases, an identifier of the record, to check whether linked rows are the
      same.
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

    Result:
    - position (integer): the position of the two rows, from 1.
    - <truth> (unchanged): with truth, its value in the row of the first release.
    - learned (text): for each column, the finer of the two labels; NULL: those of the first release are
      already the finer ones, or the labels do not overlap.
    - confidence (number): the probability that these labels are true, if positions that do not match are
      random.
    - baseline (number): of all rows of the second release with labels that overlap, the largest share that
      gives the same finer labels.
    - is_right (boolean): does the true row of the second release give these labels? NULL without truth, or if
      there are none.
    - is_control (boolean): NULL: rows have no controls.
    - finer (list of texts): the finer labels, one for each column in qi.
    - score (number, share of positions): positions with labels that overlap; the same in every row.
    - expected_score (number, share of positions): the score that is expected in random order.

    Errors: unknown column, empty table, other than two releases or different numbers of rows, no order of
    rows, a hierarchy that is not a tree, a label that covers nothing, an unknown format.

    Notes: the position of a row is the order in which DuckDB reads it: in a table the order in which rows
    were inserted, in a file the order of its lines; a view without order by has no defined order. The setting
    preserve_insertion_order must be true (the default). The confidence is computed as follows. If score = p +
    (1
    - p) * expected_score, then a share of p / score of the positions with labels that overlap is matched; at
      the others the partner is a random row with labels that overlap.

    Source: Sweeney 2002, sec. 4.1; score and confidence are our own.

    The answer is a relation over a temporary table: it can be read again, filtered and joined, and stays as
    it is as long as the connection.

    Example: sqlanon.unsorted_matching(con, ["first", "second"], qi=["age", "zip"])
    """
    return answer_of(
        con,
        "unsorted_matching",
        listed(releases, "releases"),
        qi=names(qi, "qi"),
        hierarchies=hierarchies,
        truth=truth,
        formats=formats_given(formats),
    )
