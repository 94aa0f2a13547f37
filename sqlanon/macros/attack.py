# Written by `make reference` from the comments in sql/attack/.
"""The macros of sql/attack/ as functions: `sqlanon.core.answer` says what an answer is."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

import duckdb

from sqlanon.attack.intersection import (
    Formats,
    Unknown,
    by_release,
    formats_given,
    unknown_texts,
    warning,
    warning_by_release,
)
from sqlanon.core.answer import Names
from sqlanon.core.answer import answer as answer_of
from sqlanon.core.connection import connection_first
from sqlanon.core.source import Source, listed, names
from sqlanon.tables.programs import solved_if_possible


@connection_first
def attack_summary(
    con: duckdb.DuckDBPyConnection, answer: Source, weight: str | None = None, unit: str | None = None
) -> duckdb.DuckDBPyRelation:
    """Sums up the answer of an attack: one row per measure, next to what a guess reaches.

    Parameters:
    - answer (table): what an attack has answered, with the columns learned, confidence, baseline, is_right
      and is_control.
    - weight (column): of answer, how many people a row is about; if not given, one.
    - unit (column): of answer, says whose a row is, where people have several. Each person counts once, with
      the row of which the adversary is surest.

    Result:
    - measure (text): its name.
    - value (number): in the unit of the measure.
    - unit (text): of the value: people or %.
    - low (number): the lower end of a 95 % interval: Wilson's for shares, Newcombe's for beyond_controls.
    - high (number): the upper end.
    - id (text): the measure: subjects, learned, certain, sure_99, sure_95, sure_90, baseline, expected_right,
      right, controls, learned_of_controls, right_of_controls, right_of_all, right_of_all_controls,
      beyond_controls, unfinished.

    Errors: unknown column; unit together with weight.

    Notes: breaches sums up the intersection attack. certain and sure_.. are shares of all who are attacked;
    baseline, expected_right and right are about those of whom something is learned. right needs the truth.
    right_of_all and right_of_all_controls, where there are both, are shares of all of whom the truth is
    known; somebody of whom nothing is learned counts as not right. beyond_controls is the risk that is the
    release's doing: (right_of_all - right_of_all_controls) / (1 - right_of_all_controls). It is about 100 %
    for a copy, and about 0 for a release of other people; below 0, controls are guessed better. If every
    control is guessed right, there is none. unfinished, where there are any: the share of those of whom more
    may be learned than is told, as minimality and differencing say.

    Source: Abbott 1925 (risk beyond the controls); Wilson 1927; Newcombe 1998, method 10, and 2016
    (intervals).

    The answer is a relation over a temporary table: it can be read again, filtered and joined, and stays as
    it is as long as the connection.

    Example: sqlanon.attack_summary(con, "answer")
    """
    return answer_of(con, "attack_summary", answer, weight=weight, unit=unit)


@connection_first
def attacks(con: duckdb.DuckDBPyConnection) -> duckdb.DuckDBPyRelation:
    """Lists the attacks, one row each: what it does, what it needs, and the paper that it is from.

    Result:
    - attack (text): the name of its macro.
    - subject (text): what a row of its answer is about: person, class, value, cell, condition or row.
    - description (text): what it does.
    - needs (list of texts): the parameters that must be given.
    - source (text): the paper.
    - weight (text): the column of its answer that says how many people a row stands for; NULL: one.
    - releases (integer): how many releases it takes; NULL: any number of them, together.
    - targets (text): some: each target is attacked alone, so that a sample will do; all: only together; NULL:
      it takes none.
    - summary (text): the macro that sums it up: attack_summary, of its answer; another one takes the
      parameters of the attack.

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
) -> duckdb.DuckDBPyRelation:
    """Tells how sure of a sensitive value somebody can be who finds the target in a class and knows k more
    things, the worst there are: one row per class and sensitive column. maximum_disclosure has the worst
    class for each number of them.

    Parameters:
    - release (table): whose rows are people's.
    - qi (columns): quasi-identifiers, by which somebody could be recognized.
    - sensitive (columns): the columns to be learned.
    - k (integer, 0 to 10): how many pieces of background knowledge there are.
    - knowledge (one of negations, implications): what a piece is: somebody has not a certain value; or, which
      includes that: if one has one value, then another has another.
    - weight (column): says how many people each row stands for, as in classes.

    Result:
    - <qi>, size, sensitive, learned: as in homogeneity
    - confidence (number, 0 to 1): the most that somebody can be sure of what is learned. Implications are
      about people of this class and of others, whatever is worst.
    - baseline, is_right, is_control: as in homogeneity
    - alone (number, 0 to 1): the same, if all pieces are about people of this class.

    Errors: unknown column, empty table, a column in qi with the name of one that attack_summary reads, a
    weight as in classes.

    Notes: rows are taken for people, as in homogeneity. A release is (c, k)-safe if all confidences, with
    implications, are below c. One class in which a value is certain makes every value certain, with k = 1:
    Bob must have cancer, and if Bob has cancer, then Ann has the flu. alone tells what a class gives away by
    itself. With negations they are below c if the release is recursively (c / (1 - c), k + 2)-diverse, and
    only then: recursive_c and l require that of anonymizers.

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
) -> duckdb.DuckDBPyRelation:
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

    Warns (UnreadWarning) of labels that nobody understands, and where nobody is located in all releases.

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
    of the first release. Rows with the same values in these columns, and labels that overlap, can be the
    same; the finer labels of both are then learned of the row.

    Parameters:
    - releases (list of tables): two, both with the columns in qi and join_columns.
    - qi (columns): the quasi-identifiers, generalized in both.
    - join_columns (columns): what both releases tell unchanged.
    - hierarchies (table): rows of attribute, value, level and label: what released labels stand for.
    - truth (column): of both releases, says which rows are the same record.
    - weight (column): of both releases, says how many people each row stands for, as in classes.
    - formats (struct or map of texts): how columns of the release are written, where that is not as covers
      reads them: from a column in qi to the text of a format. range: 25-30, 25..30 and 25 to 30 (both ends
      are in it, without brackets), (25-30], 50+, 65 and over, under 20, of numbers or dates. list: in
      brackets, with quotes or without. set /: a/b, and so with any separator. mask x: 1305x, each x one
      character. between age_min and age_max: two columns with both ends, which are in it; NULL is no bound,
      and two of them are NULL. one-hot sex_: columns such as sex_male, of 0 and 1. A key that is a release or
      its number, a dot and a column is for that release alone. A cell that does not fit is read as without a
      format. targets.age is for a column of the targets, of whom not all is known: a cell is a range (or a
      number or date), a list, a set or a mask then, as the format says. What cannot be read is an error.

    Result:
    - <qi> (unchanged): of the row, as the first release has it.
    - <join_columns> (unchanged): of the row.
    - <truth> (unchanged): with truth, of the row.
    - rows (integer, rows): how many such rows the first release has.
    - learned (text): the finer labels that most of the compatible rows give; NULL: the first release says as
      much, or there are none.
    - confidence (number): the share of the compatible rows that give these labels.
    - baseline (number): the same without join_columns: of all rows with labels that overlap, the largest
      share that gives the same finer labels.
    - is_right (boolean): does the true row of the second release give these labels? NULL without truth, or if
      there are none.
    - is_control (boolean): NULL: rows have no controls.
    - finer (list of texts): these labels, one for each column in qi.
    - pairs (integer, rows): of the second release, with the same values in join_columns.
    - compatible (integer, rows): of these, those with labels that overlap.
    - linked_size (integer, rows): of the linked table, all compatible pairs, those with these labels; 1: a
      singleton.

    Errors: unknown column, empty table, other than two releases, a hierarchy that is not a tree, a label that
    covers nothing, a weight as in classes, an unknown format.

    Notes: labels are read as covers reads them, and a text that nobody explains is a value: without its
    hierarchy it overlaps only itself. Rows with pairs but none compatible show that. Labels overlap as if
    values were dense: between 29 and 30 there are more. The time grows with the pairs of overlapping classes.

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
    """Attacks two releases of a growing table by the correspondence of their rows: one row per pair of
    compatible classes, with how many rows are left in which a victim can be (BCF-anonymity).

    Parameters:
    - releases (list of tables): two, the earlier one first; the later one has all rows of the earlier one and
      more. Both have the columns in qi and sensitive.
    - qi (columns): the quasi-identifiers.
    - sensitive (column): tells which rows of the two releases can be the same person's: those with the same
      value, which does not change.
    - hierarchies (table): rows of attribute, value, level and label: what released labels stand for.
    - weight (column): of both releases, says how many people each row stands for, as in classes.
    - formats (struct or map of texts): how columns of the release are written, where that is not as covers
      reads them: from a column in qi to the text of a format. range: 25-30, 25..30 and 25 to 30 (both ends
      are in it, without brackets), (25-30], 50+, 65 and over, under 20, of numbers or dates. list: in
      brackets, with quotes or without. set /: a/b, and so with any separator. mask x: 1305x, each x one
      character. between age_min and age_max: two columns with both ends, which are in it; NULL is no bound,
      and two of them are NULL. one-hot sex_: columns such as sex_male, of 0 and 1. A key that is a release or
      its number, a dot and a column is for that release alone. A cell that does not fit is read as without a
      format. targets.age is for a column of the targets, of whom not all is known: a cell is a range (or a
      number or date), a list, a set or a mask then, as the format says. What cannot be read is an error.

    Result:
    - class_id (integer): the number of the class in the earlier release, as in classes; NULL where no class
      is compatible with the later one, all rows of which are new.
    - later_class_id (integer): that of the class in the later release.
    - learned (text): the strongest attack, and how many rows of the class it excludes; NULL: none.
    - confidence (number): one in the rows that are left; NULL where nobody can be in this pair.
    - baseline (number): one in the rows of the class.
    - is_right (boolean): NULL, because it is not known.
    - is_control (boolean): NULL, because it is not known.
    - size (integer, rows): of the earlier class.
    - later_size (integer, rows): of the later class.
    - f_anonymity (integer, rows): left in the earlier class for a victim who is in both (F-attack); NULL:
      nobody can be in both classes.
    - c_anonymity (integer, rows): left in the later class for a victim who is in both (C-attack).
    - b_anonymity (integer, rows): left in the later class for a victim who is in the later release only
      (B-attack); NULL: all rows are older.
    - anonymity (integer, rows): the least of these three.

    Errors: unknown column, empty table, a hierarchy that is not a tree, not two releases, a label that covers
    nothing, a class of the earlier release whose rows cannot all be in the later one, a weight as in classes,
    an unknown format.

    Notes: BCF-anonymity holds if no anonymity is below k. Labels are read as covers reads them; two are
    compatible where one raw value is under both. What is left by F and by C is the same number of rows, those
    that can correspond. It is worked out pair by pair, as in the paper: who looks at all classes together may
    exclude more.

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
    """Guesses whose each sensitive value of a bucket or class is, by how values depend on quasi-identifiers,
    which all buckets together tell: one row per target.

    Parameters:
    - release (table): a release of anatomize, or one in classes.
    - targets (table): the register, people with raw values in qi, and the column id.
    - id (column): of targets, says who is who; nobody is twice.
    - qi (columns): the quasi-identifiers that are known of the targets.
    - sensitive (column): of release, the column to be learned.
    - rounds (integer, 0 to 1000): how often weights and frequencies are worked out from each other; 20 are
      mostly enough.
    - bucket (column): of release, says which rows share the values that sensitive lists, as anatomize does.
      If not given, rows with the same quasi-identifiers do, and targets must be all who are in the release,
      or most of them.
    - hierarchies (table): rows of attribute, value, level and label: what released labels stand for.
    - truth (column): of targets, their true values.
    - controls (column): of targets, true for people who are known not to be in the release.

    Result:
    - <id> (unchanged): the target.
    - learned (text): the likeliest value; NULL: nothing covers the target.
    - confidence (number, 0 to 1): how likely it is, as the adversary works it out.
    - baseline (number, 0 to 1): the chance of the best guess if each row of the bucket or class is as likely
      to have each of its values: 1/l of a bucket of l.
    - is_right (boolean): is learned the true value? NULL without truth, or if nothing is learned.
    - is_control (boolean): is the target one of controls?
    - possible (integer): how many values the target may have.

    Errors: unknown column, empty table, a target twice, a hierarchy that is not a tree, with bucket a
    sensitive column without lists.

    Notes: what the attack finds is likely, not certain. So it is not among the attacks that run_attacks and
    publish make by themselves, but one that needs rounds. The confidence is that of the model, which takes
    quasi-identifiers to be independent given the value: right of attack_summary, which needs truth, tells how
    far it is to be trusted. Where several rows match a target, their probabilities are averaged.

    Source: Kifer 2009, sec. 3 and 5 (de Finetti attack on Anatomy); Sinkhorn 1967 (scaling).

    The answer is a relation over a temporary table: it can be read again, filtered and joined, and stays as
    it is as long as the connection.

    Example: sqlanon.de_finetti(con, "bucketed", "voters", id="name", qi=["age", "zip"], sensitive="disease",
    rounds=20, bucket="bucket")
    """
    return answer_of(
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
    """Works out suppressed counts from totals: one row per suppressed cell, with the bounds that the other
    counts leave to it.

    Parameters:
    - counts (table): a row per cell, with the columns in dimensions and count_column; totals are cells, too.
    - dimensions (columns): those by which the counts are grouped.
    - count_column (column): the count; NULL: suppressed.
    - total (text): what a column of dimensions has in a cell that is summed over it, all for instance. If not
      given, NULL does, as after GROUP BY CUBE.
    - threshold (integer, at least 1): counts below it are suppressed, so a suppressed one is below it. Counts
      below it that are there are taken as suppressed, and as the truth about these cells.
    - zeros_shown (boolean): a count of 0 is never suppressed, so that a suppressed one is at least 1.
    - hierarchies (table): attribute, value, level, label. A dimension that has one has counts for labels of
      it, too.
    - programs (one of none, linear, integer): how intervals are narrowed where sums alone do not finish: by
      linear programs; then by integer programs where these have left a gap. They run in Python.
    - solver_seconds (number, at least 0): how long the programs take at most.
    - rounds (integer, at least 1): how often bounds are carried from sum to sum at most.

    Result:
    - <dimensions> (unchanged): the cell.
    - learned (text): the count, where lower is upper; NULL: it is not certain.
    - confidence (number): 1 where the count is learned; NULL where it is not.
    - baseline (number): one in the counts that a suppressed one can be by the threshold; NULL without one.
    - is_right (boolean): is it the true count? NULL where that is not in counts.
    - is_control (boolean): NULL, because cells are not people.
    - lower (integer): the least that the count can be.
    - upper (integer): the most that it can be; NULL: unbounded.
    - unfinished (boolean): false if lower and upper are the least and the largest count of all tables that
      fit what is published; true if that is not known, and programs, or more rounds, might find more.

    Errors: unknown column, empty table, a column named twice, a cell that is there twice, a negative count, a
    label that the hierarchy lacks, totals that contradict the cells.

    Notes: a finest cell without a row counts 0, a total without one is not known. Bounds are never wrong, and
    unfinished unless they are proven to be the narrowest; cell_bounds says when, and reads tables of others.
    In SQL the programs are there once Python has called sqlanon.register_functions(con).

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
    """Tells which values the rows of a class of a release cannot have, or they would have been released as a
    finer class that is also there: one row per class.

    Parameters:
    - release (table): of minimal generalization, by labels of hierarchies.
    - qi (columns): all quasi-identifiers of the release.
    - hierarchies (table): rows of attribute, value, level and label: what the labels stand for.
    - k (integer, at least 1): that of the release, if each of its rows is generalized by itself, and as
      little as k-anonymity allows. If not given: it is one of optimal with local_recoding.

    Result:
    - <qi> (unchanged): of the class.
    - size (integer, rows): of the class.
    - learned (text): the values that its rows can have in one of the columns in qi; NULL: all that the label
      stands for.
    - confidence (number, 0 to 1): 1: it is certain.
    - baseline (number, 0 to 1): how sure one could be without the attack that it is one of as many values:
      the share of the most frequent ones among those that the label stands for. Each row of the release
      counts in equal parts for the values that its label stands for.
    - is_right (boolean): NULL: not known.
    - is_control (boolean): NULL: not known.
    - attribute (text): the column that most is learned of.
    - values_left (integer): how many values its rows can have there.
    - values_covered (integer): how many the label stands for.
    - most_frequent (text): of the values that are left, the most frequent: the best guess.
    - share_left (number, 0 to 1): of most_frequent among these: how probable it is.
    - share_covered (number, 0 to 1): of the most frequent value among all that the label stands for: the best
      guess without the attack.

    Errors: unknown column, empty table, a hierarchy that is not a tree, no hierarchy of a column in qi, a
    column in qi with the name of one that attack_summary reads, a release that is certainly not as minimal as
    that.

    Notes: with other releases than these what is learned may be wrong. Mondrian, and full-domain
    generalization in one round, make no class within another: nothing is learned of them, which is no
    all-clear. More may follow from a release than is told. Labels that stand for two nodes tell nothing.
    attack_summary, with size as weight, has the share of rows.

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
) -> duckdb.DuckDBPyRelation:
    """Tells what several releases together give away to somebody who knows everybody in them: one row per
    target and sensitive column. Candidates are those of intersection_attack, without values that others in a
    class must have.

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
    - unit (column): of targets, says whose a row is, where people have several.
    - formats (struct or map of texts): how columns of the release are written, where that is not as covers
      reads them: from a column in qi to the text of a format. range: 25-30, 25..30 and 25 to 30 (both ends
      are in it, without brackets), (25-30], 50+, 65 and over, under 20, of numbers or dates. list: in
      brackets, with quotes or without. set /: a/b, and so with any separator. mask x: 1305x, each x one
      character. between age_min and age_max: two columns with both ends, which are in it; NULL is no bound,
      and two of them are NULL. one-hot sex_: columns such as sex_male, of 0 and 1. A key that is a release or
      its number, a dot and a column is for that release alone. A cell that does not fit is read as without a
      format. targets.age is for a column of the targets, of whom not all is known: a cell is a range (or a
      number or date), a list, a set or a mask then, as the format says. What cannot be read is an error.
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
    - learned (text): the most probable candidate, NULL as a text; NULL: none is left. With unit: what one of
      the unit's rows must have by their number, where there is such a value.
    - confidence (number): its probability, as in intersection_attack; 1 where it is the only one, or what one
      of the unit's rows must have.
    - baseline (number): the share of the most frequent value of all rows.
    - is_right (boolean): with truth: is it the true value (of one of the unit's rows)?
    - is_control (boolean): NULL: controls are in no class.
    - candidates (list of texts): what is left, the most probable first.
    - unfinished (boolean): true if the rules could remove more, as in intersection_attack.

    Errors: as in intersection_attack.

    Notes: it holds if all targets are where they were located, so the targets should be everybody in the
    releases. In a class that has fewer rows than targets nobody knows who is in it: there it removes nothing.
    What it removes is impossible. What it leaves is not always possible: of three and more releases trying
    all assignments of rows to people can remove more, which takes too long for more than a few dozen of them.

    Source: Hall 1935; own derivation (sql/attack/exact_cover.sql).

    The answer is a relation over a temporary table: it can be read again, filtered and joined, and stays as
    it is as long as the connection.

    Example: sqlanon.exact_cover(con, ["east", "west"], targets="voters", id="name", qi=["age", "zip"],
    sensitive="disease")
    """
    return answer_of(
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
) -> duckdb.DuckDBPyRelation:
    """Sums up a forecast over everybody in a release: one row per measure, under the names that breaches has
    for them, so that the two can be laid side by side once the other table is there.

    Parameters:
    - release (table): the release, with the columns in qi and sensitive.
    - qi (columns): its quasi-identifiers.
    - sensitive (column): the column to be learned.
    - size (integer, at least 1): how many rows the classes of the other table will have. If not given, they
      are as large as those of the release, each as likely as it has rows.
    - marginal (table): rows of value and share: how frequent sensitive values are in the other table, in
      shares or in rows. If not given, as frequent as in the release.
    - weight (column): of the release, says how many people each row stands for, as in classes.

    Result:
    - measure (text): its name.
    - value (number): in the unit of the measure.
    - unit (text): of the value: people, rows, values or %.
    - id (text): the measure, as breaches has it.

    Errors: as in forecast.

    Notes: PVP_100 is the expected share of people of whom only the true value survives.

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
) -> duckdb.DuckDBPyRelation:
    """Forecasts what a release will give away once another table about the same people comes out, anonymized
    independently, of which only the frequencies of the sensitive values are known: one row per class.

    Parameters:
    - release (table): the release, with the columns in qi and sensitive.
    - qi (columns): its quasi-identifiers.
    - sensitive (column): the column to be learned.
    - size (integer, at least 1): how many rows the classes of the other table will have. If not given, they
      are as large as those of the release, each as likely as it has rows.
    - marginal (table): rows of value and share: how frequent sensitive values are in the other table, in
      shares or in rows. If not given, as frequent as in the release.
    - weight (column): of the release, says how many people each row stands for, as in classes.

    Result:
    - class_id (integer): the number of the class, as in classes.
    - size (integer, rows): of the class.
    - learned (text): the value that is guessed unless the other table excludes it: the most frequent one of
      the class, of equally frequent ones the rarest elsewhere.
    - confidence (number, 0 to 1): the expected probability that the best guess from both tables is right.
    - baseline (number, 0 to 1): the same from the release alone: the share of the most frequent value.
    - is_right (boolean): NULL: nothing is published yet.
    - is_control (boolean): false.
    - prior (integer, values): how many values the class has.
    - posterior (number, values): how many of them are expected to survive.
    - certain (number, share of rows): the expected share of people of whom only the true value survives.

    Errors: unknown column, empty release, shares that are negative or NULL, or that no value of the release
    has, a weight as in classes.

    Notes: expected_breaches sums it up. The other class of somebody is taken to be their own row and draws
    from the marginal. Classes that are like each other have more values in common: then less is certain than
    is forecast. With the default marginal this is an assumption, not a bound. Of a value that the marginal
    lacks nobody else in the other table is taken to have it. Values of different types compare as in
    intersection_attack.

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
    )


@connection_first
def homogeneity(
    con: duckdb.DuckDBPyConnection, release: Source, qi: Names, sensitive: Names, weight: str | None = None
) -> duckdb.DuckDBPyRelation:
    """Tells what is learned of everybody who is found in a class of a release: one row per class and
    sensitive column. Where all rows of a class have one value, it is certain.

    Parameters:
    - release (table): whose rows are people's.
    - qi (columns): quasi-identifiers, by which somebody could be recognized.
    - sensitive (columns): the columns to be learned.
    - weight (column): says how many people each row stands for, as in classes.

    Result:
    - <qi> (unchanged): of the class.
    - size (integer, rows): of the class.
    - sensitive (text): the name of the sensitive column.
    - learned (text): the most frequent value of the class, NULL as a text; of several the first in their
      order.
    - confidence (number, 0 to 1): its share of the class.
    - baseline (number, 0 to 1): its share of the release.
    - is_right (boolean): NULL: not known.
    - is_control (boolean): NULL: not known.
    - distinct_values (integer): how many the class has.

    Errors: unknown column, empty table, a column in qi with the name of one that attack_summary reads, a
    weight as in classes.

    Notes: rows are taken for people, or for as many as weight says. Where people have several, all is worse
    than this says: privacy and violations count people, with unit. attack_summary, with size as weight, sums
    this up.

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
    """Takes the rows of earlier classes away from the later class that must have them, and tells what is
    left: one row per earlier class that can be in one later class only, and one for all of these together.

    Parameters:
    - releases (list of tables): two, the earlier one first; the later one has all rows of the earlier one and
      more. Both have the columns in qi and sensitive.
    - qi (columns): the quasi-identifiers.
    - sensitive (column): of both releases; nobody's value changes.
    - hierarchies (table): rows of attribute, value, level and label: what released labels stand for.
    - weight (column): of both releases, says how many people each row stands for, as in classes.
    - formats (struct or map of texts): how columns of the release are written, where that is not as covers
      reads them: from a column in qi to the text of a format. range: 25-30, 25..30 and 25 to 30 (both ends
      are in it, without brackets), (25-30], 50+, 65 and over, under 20, of numbers or dates. list: in
      brackets, with quotes or without. set /: a/b, and so with any separator. mask x: 1305x, each x one
      character. between age_min and age_max: two columns with both ends, which are in it; NULL is no bound,
      and two of them are NULL. one-hot sex_: columns such as sex_male, of 0 and 1. A key that is a release or
      its number, a dot and a column is for that release alone. A cell that does not fit is read as without a
      format. targets.age is for a column of the targets, of whom not all is known: a cell is a range (or a
      number or date), a list, a set or a mask then, as the format says. What cannot be read is an error.

    Result:
    - class_id (integer): the number of the class in the earlier release, as in classes; NULL: all classes
      that are within the later one, together.
    - later_class_id (integer): that of the class in the later release.
    - learned (text): the most frequent value of the rows that are left; NULL: no row is.
    - confidence (number): its share among them.
    - baseline (number): the share of the most frequent value in the later class.
    - is_right (boolean): NULL, because it is not known.
    - is_control (boolean): NULL, because it is not known.
    - later_size (integer, rows): of the later class.
    - rows (integer, rows): left in the later class.
    - diversity (integer): their values; l-diverse inserts have none or at least l.
    - remaining (list of structs): their values, each with its rows, the most frequent first.
    - is_new (boolean): are all rows that are left those of new people? True only where all classes are taken
      away that can be there.

    Errors: as of correspondence.

    Notes: labels are read as covers reads them. An earlier class is in a later one if no other class of the
    later release is compatible with it: that is so for a box within a box where no later boxes overlap.

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
) -> duckdb.DuckDBPyRelation:
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

    Warns (UnreadWarning) of labels that nobody understands, and where nobody is located in all releases.

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
    """Joins two releases and tells what the joined rows say: one row per value of x, with its most frequent
    y.

    Parameters:
    - releases (list of tables): two, of which each has the columns in join_on and some of x and y.
    - join_on (columns): those that both releases have, at the same values.
    - x (columns): those that the adversary knows; each is in one of the releases, or in join_on.
    - y (columns): those that the adversary wants to learn; as x.
    - weight (column): of both releases, says how many people each row stands for, as in classes.

    Result:
    - <x> (unchanged): a value of x.
    - learned (text): the most frequent y of its joined rows.
    - confidence (number): the share of this y; the largest one is (X, Y)-linkability.
    - baseline (number): the share of the most frequent y among all joined rows.
    - is_right (boolean): NULL, because it is not known.
    - is_control (boolean): NULL, because it is not known.
    - rows (integer, rows): joined.
    - anonymity (integer): values of y that x has; the least one is (X, Y)-anonymity.

    Errors: unknown column, not two releases, a role without columns, a column in join_on that is a number in
    one release only, no row that joins another, a weight as in classes.

    Notes: a value of x of which no row joins another has no row here. NULL joins NULL. Rows are counted by
    groups, so the time grows with the distinct values of x and y that meet, not with the joined rows.

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
) -> duckdb.DuckDBPyRelation:
    """Links a register of people to a release: one row per target, and per sensitive column if there are
    several. Every row of the classes that cover a target, as locate finds them, may be theirs.

    Parameters:
    - release (table): a table with the columns in qi, as released.
    - targets (table): the register, people with raw values in qi, and the column id.
    - id (column): of targets, says who is who; nobody is twice.
    - qi (columns): the quasi-identifiers that are known of the targets.
    - sensitive (columns): of release, the columns to be learned; if not given, whose row it is.
    - hierarchies (table): rows of attribute, value, level and label: what released labels stand for.
    - truth (columns): of targets, their true values, one per column in sensitive.
    - controls (column): of targets, true for people who are known not to be in the release.
    - nearest (boolean): true for a release of centroids, as of microaggregate: a target is then in the class
      that is nearest in standardized coordinates, of equally near ones in the first (see
      sql/core/coordinates.sql; means and deviations are those of the release).
    - weight (column): of the release, says how many people each row stands for, as in classes.
    - formats (struct or map of texts): how columns of the release are written, where that is not as covers
      reads them: from a column in qi to the text of a format. range: 25-30, 25..30 and 25 to 30 (both ends
      are in it, without brackets), (25-30], 50+, 65 and over, under 20, of numbers or dates. list: in
      brackets, with quotes or without. set /: a/b, and so with any separator. mask x: 1305x, each x one
      character. between age_min and age_max: two columns with both ends, which are in it; NULL is no bound,
      and two of them are NULL. one-hot sex_: columns such as sex_male, of 0 and 1. A key that is a release or
      its number, a dot and a column is for that release alone. A cell that does not fit is read as without a
      format. targets.age is for a column of the targets, of whom not all is known: a cell is a range (or a
      number or date), a list, a set or a mask then, as the format says. What cannot be read is an error.
    - unknown (list of texts): how unknown cells in qi of the targets are written, or one such text; NULL is
      written 'NULL'. If not given, nothing is unknown, and NULL is a value.

    Result:
    - <id> (unchanged): the target.
    - sensitive (text): with sensitive, the column that is learned.
    - learned (text): the most frequent value among the candidates, of equally frequent ones the first;
      without sensitive, re-identified; NULL: there are no candidates.
    - confidence (number): the share of the candidates that have it; without sensitive, 1 / candidates.
    - baseline (number): the share of the most frequent value in the release; without sensitive, 1 / its rows.
    - is_right (boolean): is learned the true value? NULL without truth, or if nothing is learned.
    - is_control (boolean): is the target one of controls?
    - candidates (integer, rows): of the release, those that may be the target's; 1: re-identified for
      certain, if the target is in the release.
    - classes (integer): how many classes these are.
    - exclusive (integer, rows): of the candidates, those that no other target matches. The sum over all
      targets is the number of rows that exactly one person claims.

    Errors: unknown column, empty table, a target twice, a hierarchy that is not a tree, truth without
    sensitive, a weight as in classes, an unknown format, a cell of the targets that does not fit its format.

    Notes: released values are read as covers reads them; unread_labels tells of those that nobody can read.
    To judge who is re-identified, name a column of record numbers as sensitive, and the same of targets as
    truth. controls are people of the register like others: they claim rows, too.

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
    )


@connection_first
def maximum_disclosure(
    con: duckdb.DuckDBPyConnection,
    release: Source,
    qi: Names,
    sensitive: Names,
    k: int = 5,
    weight: str | None = None,
) -> duckdb.DuckDBPyRelation:
    """Tells how sure of a sensitive value somebody can be who knows up to k things more than the release, the
    worst there are: one row per sensitive column, kind of knowledge and number of pieces.

    Parameters:
    - release (table): whose rows are people's.
    - qi (columns): quasi-identifiers, by which somebody could be recognized.
    - sensitive (columns): the columns to be learned.
    - k (integer, 0 to 10): the most pieces of background knowledge.
    - weight (column): says how many people each row stands for, as in classes.

    Result:
    - sensitive (text): the name of the sensitive column.
    - knowledge (text): negations or implications, as in background_knowledge.
    - k (integer): how many pieces there are.
    - disclosure (number, 0 to 1): the most that somebody can be sure of a value, of all classes.
    - certain (number, 0 to 1): the share of the rows that are in classes where it is certain.
    - size (integer, rows): of the class with the most.
    - class (struct): its quasi-identifiers.

    Errors: unknown column, empty table, a weight as in classes.

    Notes: rows are taken for people, as in homogeneity. The release is (c, k)-safe for all c above the
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
    """Measures how well one can tell who was in a release of any kind, by how near people are to it: one row
    per measure.

    Parameters:
    - release (table): a release of any kind, such as classes, centroids, noise or synthetic rows.
    - targets (table): people with raw values in here and there, and the column id.
    - id (column): of targets, the name or number of a person.
    - columns (columns): those that the adversary knows.
    - controls (column): of targets, true for people of the same kind who are known not to be in; the others
      are in.
    - hierarchies (table): rows of attribute, value, level and label: what released labels stand for.
    - comparisons (integer, at least 1): the most pairs of distinct rows that are compared in each of three
      steps. Targets for whom that is too few, drawn by lot, are unfinished.

    Result:
    - measure (text): its name.
    - value (number): in the unit of the measure.
    - unit (text): of the value: people or %.
    - low (number): the lower end of a 95 % interval: of area by the variance of DeLong, of shares Wilson's.
    - high (number): the upper end.
    - id (text): the measure: subjects, controls, area, found_1, found_0_1, unfinished.

    Errors: unknown column, empty table, a target twice, nobody or everybody in controls, a hierarchy that is
    not a tree, infinity or NaN.

    Notes: area is the area under the ROC curve: how often a member is nearer to the release than a control, a
    tie being one half; 50 % tells nothing. found_1 and found_0_1 are the share of the members at a distance
    at which at most 1 %, or 0.1 %, of the controls are: with fewer than 1,000 controls the latter allows no
    false alarm. An adversary who knows more than distances may find more: this is a measure, not a guarantee.

    Source: Carlini et al. 2022, sec. 3 (true positives at few false positives); DeLong, DeLong and
    Clarke-Pearson 1988 (area and its variance); Gower 1971 (distance).

    The answer is a relation over a temporary table: it can be read again, filtered and joined, and stays as
    it is as long as the connection.

    Example: sqlanon.membership(con, "east", "known", id="name", columns="age", controls="out")
    """
    return answer_of(
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
) -> duckdb.DuckDBPyRelation:
    """Tells what strict Mondrian gives away by not having cut a class that could have been cut, were it not
    for the sensitive values in it: one row per target.

    Parameters:
    - release (table): a release of mondrian, with the columns in qi and sensitive; made without hierarchies,
      a population or a target.
    - targets (table): everybody in the release, with raw values in qi, and the column id.
    - id (column): of targets, says who is who; nobody is twice.
    - qi (columns): all quasi-identifiers of the release.
    - sensitive (column): the column to be learned.
    - k (integer, at least 1): that of the release.
    - l (integer, at least 1): distinct values that a class of the release must have, if required.
    - alpha (number, above 0 and at most 1): the largest share that a value may have in a class of the
      release, if required. One of l and alpha must be given.
    - truth (column): of targets, their true values.
    - weight (column): of the release, says how many people each row stands for, as in classes.

    Result:
    - <id> (unchanged): the target.
    - learned (text): the most credible value; NULL: no cut of the class failed for its sensitive values.
    - confidence (number, 0 to 1): its credibility.
    - baseline (number, 0 to 1): the share of the most frequent value of the class.
    - is_right (boolean): with truth: is it true? NULL otherwise.
    - is_control (boolean): false: everybody is in the release.
    - class_id (integer): the number of the class, as in classes; NULL: the target is in none, or several.
    - size (integer, rows): of the class.
    - attribute (text): the quasi-identifier of the cut that tells most.
    - half_size (integer, rows): of the half that the target is in.
    - is_complete (boolean): were as many people found in the class as it has rows? If not, nothing is
      learned.
    - unfinished (boolean): true if cuts of the class failed, but it has more than 300 rows, whose splits are
      not counted.

    Errors: unknown column, no targets, a target twice, an empty release, targets that are not everybody in
    the release, a release that strict Mondrian would not have made under these requirements, a weight as in
    classes.

    Notes: a release is m-confidential if no confidence is above 1 / m. Every cut that failed is looked at
    alone. Raw values must have the types that they had when the release was made: cuts depend on their order.
    Where other requirements than these kept Mondrian from cutting, what is learned is wrong or refused.

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
    """Tells what released rows nearest to somebody have in a sensitive column, for a release of any kind: one
    row per target.

    Parameters:
    - release (table): a release of any kind, such as classes, centroids, noise or synthetic rows.
    - targets (table): people with raw values in here and there, and the column id.
    - id (column): of targets, the name or number of a person.
    - columns (columns): those that the adversary knows.
    - sensitive (column): of release, the column to be learned.
    - hierarchies (table): rows of attribute, value, level and label: what released labels stand for.
    - truth (column): of targets, their true values.
    - controls (column): of targets, true for people who are known not to be in the original.
    - within (number, at least 0): sensitive is a number, and a guess is right if it is at most so far from
      the truth. If not given, it must be equal.
    - agreeing (boolean): only rows count that agree in all columns; who has none is told nothing of.
    - comparisons (integer, at least 1): the most pairs of distinct rows that are compared in each of three
      steps. Targets for whom that is too few, drawn by lot, are unfinished.

    Result:
    - <id> (unchanged): the target.
    - learned (text): the most frequent value among the rows; with within, the middle of the numbers of the
      fullest window that is twice as wide. Of equally good ones the first. NULL: there are no rows.
    - confidence (number): the share of the rows that have it, or are in that window.
    - baseline (number): the same of the best guess from all rows of the release.
    - is_right (boolean): is learned right? NULL without truth, or if nothing is learned.
    - is_control (boolean): is the target one of controls?
    - rows (integer, rows): of the release, those that count: the nearest, or those that agree.
    - distance (number): to the nearest rows, by Gower.
    - unfinished (boolean): were more comparisons needed? Then nothing is told of this target.

    Errors: unknown column, a column in two roles, empty table, a target twice, a hierarchy that is not a
    tree, infinity or NaN, within for what is no number.

    Notes: the distance is that of nearest_linkage. What follows from how values depend on each other is
    learned of controls, too, and is no fault of the release: attack_summary tells both.

    Source: Article 29 Working Party 2014, opinion 05/2014, sec. 2.2.3 (inference); Taub, Elliot, Pampaka and
    Smith 2018, sec. 3 (CAP: rows that agree).

    The answer is a relation over a temporary table: it can be read again, filtered and joined, and stays as
    it is as long as the connection.

    Example: sqlanon.nearest_inference(con, "east", "voters", id="name", columns="age", sensitive="disease")
    """
    return answer_of(
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
    """Links two halves of what is known about people by a release of any kind: one row per target. Each half
    leads to the nearest released rows; a link is made where both lead to exactly one and the same row.

    Parameters:
    - release (table): a release of any kind, such as classes, centroids, noise or synthetic rows.
    - targets (table): people with raw values in here and there, and the column id.
    - id (column): of targets, the name or number of a person.
    - here (columns): those that one adversary knows.
    - there (columns): those that the other one knows.
    - hierarchies (table): rows of attribute, value, level and label: what released labels stand for.
    - controls (column): of targets, true for people who are known not to be in the original.
    - comparisons (integer, at least 1): the most pairs of distinct rows that are compared in each of three
      steps. Targets for whom that is too few, drawn by lot, are unfinished.

    Result:
    - <id> (unchanged): the target.
    - learned (text): linked; NULL: there is no link.
    - confidence (number): 1 / the number of targets whose second half leads to that row.
    - baseline (number): 1 / the number of targets.
    - is_right (boolean): true if there is a link: it is between the halves of one person. NULL: there is
      none.
    - is_control (boolean): is the target one of controls?
    - rows_here (integer, rows): of the release, those that are nearest to the first half.
    - rows_there (integer, rows): the same of the second half.
    - shared (integer, rows): those that are both; NULL: not all was compared.
    - distance_here (number): from the first half to the nearest rows, by Gower.
    - distance_there (number): the same of the second half.
    - unfinished (boolean): were more comparisons needed? Then nothing is told of this target.

    Errors: unknown column, a column in both halves, empty table, a target twice, a hierarchy that is not a
    tree, infinity or NaN.

    Notes: Gower's distance adds up the columns: numbers and dates by their difference as a share of the range
    of targets and release, in whole millionths; other values are 1 apart if they differ. A label is as far
    away as the nearest value that it covers (a set of numbers: as the range from its least to its largest);
    what covers nobody's value differs from all. Confidence and links say what an adversary concludes who
    takes everybody to be in the release. How much of it the release gives away, only controls tell:
    attack_summary.

    Source: Gower 1971, sec. 2 and 3 (distance); Article 29 Working Party 2014, opinion 05/2014, sec. 2.2.2
    (linkability).

    The answer is a relation over a temporary table: it can be read again, filtered and joined, and stays as
    it is as long as the connection.

    Example: sqlanon.nearest_linkage(con, "east", "voters", id="name", here="age", there="zip")
    """
    return answer_of(
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
    """Tells what several releases of noisy counts together give away about each target: one row per target.
    What remains to be learned is mostly what everybody's data says of people like the target.

    Parameters:
    - releases (list of tables): counts with differential privacy, as of dp_counts with keys: all with the
      columns in qi and sensitive, and those of the counts. They should count the same groups.
    - targets (table): people with raw values in qi, and the column id.
    - id (column): of targets, says who is who; nobody is twice.
    - qi (columns): the quasi-identifiers, all that the releases count by.
    - sensitive (column): of releases, the column to be learned.
    - count_column (column): of releases, the noisy counts. Counts below 0 should be there as they are.
    - deviation_column (column): of releases, the standard deviation of the noise.
    - mechanism (one of laplace, gaussian): the distribution of the noise, as in dp_counts.
    - hierarchies (table): rows of attribute, value, level and label: what released labels stand for.
    - truth (column): of targets, their true values.
    - controls (column): of targets, true for people who are known not to be in the release.

    Result:
    - <id> (unchanged): the target.
    - learned (text): the most probable value; NULL: no group covers the target.
    - confidence (number): its probability.
    - baseline (number): the share of the most frequent value among all people, as far as the counts tell.
    - is_right (boolean): is learned the true value? NULL without truth, or if nothing is learned.
    - is_control (boolean): is the target one of controls?
    - candidates (list of texts): all values, the most probable first.
    - probabilities (list of numbers): of these.

    Errors: unknown column, empty table, a target twice, a hierarchy that is not a tree, a count or a standard
    deviation that is none, a group with several counts.

    Notes: what differential privacy bounds is by how much the answer depends on the target's own row. To see
    it, attack people whose rows were left out as well (controls). A group without a count in any release, as
    where groups are chosen by a threshold, counts as 0 with a lot of noise.

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
    attempts: int = 10000,
) -> duckdb.DuckDBPyRelation:
    """Reads conditions off a release of any kind, each of which one released row alone meets, and tells which
    of them exactly one person of the source meets: one row per condition, and one more for controls.

    Parameters:
    - release (table): a release of any kind, such as classes, centroids, noise or synthetic rows.
    - targets (table): the people of the source with raw values in columns, and the column id.
    - id (column): of targets, the name or number of a person.
    - columns (columns): of both tables, those that a condition may name, sensitive ones among them.
    - width (integer, at least 1): how many columns a condition names. If not given, all of them. With 1 also
      "at most the least" and "at least the greatest" number or date.
    - hierarchies (table): rows of attribute, value, level and label: what released labels stand for.
    - controls (column): of targets, true for people who are known not to be in the original.
    - attempts (integer, at least 1): how many conditions are tried at most. If there are more, they are drawn
      by lot, the same ones in every run.

    Result:
    - condition (text): such as zip = 52062 and age = 81. Of a class: age = [80, 90].
    - learned (text): that one person meets it.
    - confidence (number): the probability of that if the released row is somebody's: nobody else of so many
      meets a condition of this weight.
    - baseline (number): the probability with which a condition of this weight isolates one of so many people,
      without any release.
    - is_right (boolean): does exactly one person meet it?
    - is_control (boolean): are these the people in controls? All others if false.
    - people (integer, people): how many meet it.
    - weight (number): the share of people who would meet it if its columns had nothing to do with each other,
      by the released rows.

    Errors: unknown column, a column named twice, empty table, a target twice, a hierarchy that is not a tree,
    more than 1,000 sets of so many columns.

    Notes: a release prevents singling out if no condition of negligible weight isolates somebody more often
    than its baseline. So look at conditions of small weight (their baseline is small), and at controls: a
    condition that isolates a person of another town as often is no fault of the release. To resist one
    release at a time is not enough: two tables of counts can each resist, and single somebody out together
    (Cohen and Nissim 2020, sec. 3). Conditions of other kinds may find more: this is a measure, not a
    guarantee.

    Source: Cohen and Nissim 2020, sec. 2 (predicate singling out, baseline); Article 29 Working Party 2014,
    opinion 05/2014, sec. 2.2.1 (singling out).

    The answer is a relation over a temporary table: it can be read again, filtered and joined, and stays as
    it is as long as the connection.

    Example: sqlanon.singling_out(con, "east", "people", id="name", columns=["age", "disease"])
    """
    return answer_of(
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
) -> duckdb.DuckDBPyRelation:
    """Tells how sure of a sensitive value somebody can be who finds the target in a class and knows of l
    values that the target has not, of k other people what they have, and of m further people that if they
    have the value, the target has it, too: one row per class and sensitive column, for its most frequent
    value, which is the worst, or for one that is named.

    Parameters:
    - release (table): whose rows are people's.
    - qi (columns): quasi-identifiers, by which somebody could be recognized.
    - sensitive (columns): the columns to be learned.
    - l (integer, 0 to 1000000): values that the target has not.
    - k (integer, 0 to 1000000): other people of the class whose values are known.
    - m (integer, 0 to 1000000): people of the class who would not have the value without the target: others
      than the k, of whom nothing else is known.
    - value (text): the value in question; the most frequent one of each class, if not given.
    - weight (column): says how many people each row stands for, as in classes.

    Result:
    - <qi>, size, sensitive: as in homogeneity
    - learned (text): the value; NULL if no row of the class has the one in question.
    - confidence (number, 0 to 1): the most that somebody can be sure of it.
    - baseline, is_right, is_control: as in homogeneity
    - value_rows (integer, rows): of the class, that have it.

    Errors: unknown column, empty table, a column in qi with the name of one that attack_summary reads, a
    value that no row has, a weight as in classes.

    Notes: rows are taken for people, as in homogeneity. All that is known is about people of the same class.

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
    """Attacks records by the places where they were left: one row per person, with the record that only they
    can have (REIDIT-C and REIDIT-I).

    Parameters:
    - release (table): records without a name, a row per record and place, with the columns record and place.
    - targets (table): people, a row per person and place where they were, with the columns id and place.
    - id (column): of targets, says who is who.
    - record (column): of release, says which rows are the same record.
    - place (column): of both.
    - incomplete (boolean): true if not every place has released a record of whoever was there: then records
      belong to people whose places contain theirs (REIDIT-I). If not, they have the same places (REIDIT-C).
    - truth (column): of targets, the record that is theirs.
    - controls (column): of targets, true for people known not to be in the release.

    Result:
    - <id> (unchanged): the person.
    - learned (text): the record that is theirs; NULL: none is known to be.
    - confidence (number): 1 where a record is learned; NULL where none is.
    - baseline (number): one in the records.
    - is_right (boolean): is it the true record? NULL without truth.
    - is_control (boolean): as controls says.
    - places (integer): of the person.
    - people (integer, people): that have the same places.
    - candidates (integer): records that can be theirs in the end; 0: none.
    - unfinished (boolean): true if the records that can be theirs, and those that hang on these, could not
      all be given an owner: nobody can be, or it takes more than 1,000 steps. There may be certain links that
      are not learned. Where it is false, everything that is certain is learned.

    Errors: unknown column, empty table, a column named twice, a person with several values in truth.

    Notes: everybody has one record at most, and every record belongs to one of the targets. What is learned
    is so in every assignment of all records to people. Where two records can only be one person's, there is
    none: then neither matches, and those whom that concerns are unfinished. NULL is a place as any other.

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
    """Matches the rows of two releases by their position, and tells whether their order is telling: one row
    per position.

    Parameters:
    - releases (list of tables): two of the same rows, both with the columns in qi and with as many rows.
    - qi (columns): what both tell, generalized in different ways; also other columns that both have, whose
      values then have to be equal.
    - hierarchies (table): rows of attribute, value, level and label: what released labels stand for.
    - truth (column): of both releases, says which rows are the same record.
    - formats (struct or map of texts): how columns of the release are written, where that is not as covers
      reads them: from a column in qi to the text of a format. range: 25-30, 25..30 and 25 to 30 (both ends
      are in it, without brackets), (25-30], 50+, 65 and over, under 20, of numbers or dates. list: in
      brackets, with quotes or without. set /: a/b, and so with any separator. mask x: 1305x, each x one
      character. between age_min and age_max: two columns with both ends, which are in it; NULL is no bound,
      and two of them are NULL. one-hot sex_: columns such as sex_male, of 0 and 1. A key that is a release or
      its number, a dot and a column is for that release alone. A cell that does not fit is read as without a
      format. targets.age is for a column of the targets, of whom not all is known: a cell is a range (or a
      number or date), a list, a set or a mask then, as the format says. What cannot be read is an error.

    Result:
    - position (integer): of the rows, from 1.
    - <truth> (unchanged): with truth, of the row of the first release.
    - learned (text): the finer labels of both rows; NULL: the first release says as much, or their labels do
      not overlap.
    - confidence (number): the probability that these are true, if positions that are not matched are random.
    - baseline (number): of all rows of the second release with labels that overlap, the largest share that
      gives the same finer labels.
    - is_right (boolean): does the true row of the second release give these labels? NULL without truth, or if
      there are none.
    - is_control (boolean): NULL: rows have no controls.
    - finer (list of texts): the finer labels, one for each column in qi.
    - score (number, share of positions): those with labels that overlap, the same in every row.
    - expected_score (number, share of positions): the same in random order, as expected.

    Errors: unknown column, empty table, other than two releases or different numbers of rows, no order of
    rows, a hierarchy that is not a tree, a label that covers nothing, an unknown format.

    Notes: the position of a row is that in which DuckDB reads it: in a table the order in which rows were
    inserted, in a file that of its lines; of a view without order by nothing can be said. It needs
    preserve_insertion_order, which is the default. confidence: if score = p + (1 - p) * expected_score, then
    p / score of the positions with labels that overlap are matched; at the others the partner is any row with
    labels that overlap.

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
