# Written by `make reference` from the comments in sql/publishing/.
"""The macros of sql/publishing/ as functions: `sqlanon.core.answer` says what an answer is."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

import duckdb

from sqlanon.attack.intersection import Formats, formats_given
from sqlanon.core.answer import Names
from sqlanon.core.answer import answer as answer_of
from sqlanon.core.connection import connection_first
from sqlanon.core.release import Progress, Release
from sqlanon.core.source import Source, listed, names
from sqlanon.publishing.m_invariant import MInvariant


@connection_first
def m_invariance(
    con: duckdb.DuckDBPyConnection,
    releases: Iterable[Source],
    targets: Source,
    id: str,
    qi: Names,
    sensitive: Names,
    m: int = 2,
    hierarchies: Source = None,
    presence: Names | None = None,
    group_id: str | None = None,
    weight: str | None = None,
    formats: Formats | None = None,
) -> duckdb.DuckDBPyRelation:
    """Checks whether releases of a table that grows and shrinks are m-invariant together: one row per
    violation, none if they are.

    Parameters:
    - releases (list of tables): the releases in the order of time, all with the columns in qi and sensitive.
    - targets (table): everybody who is or was in the table, with raw values in qi, and the column id.
    - id (column): of targets, says who is who; nobody is twice.
    - qi (columns): the quasi-identifiers, by which people are found in the classes.
    - sensitive (columns): of the releases. Of several, the rows in these columns count as the values, and in
      a class no column may have a value twice.
    - m (integer, at least 1): the least number of rows, all with different values, in a class.
    - hierarchies (table): rows of attribute, value, level and label: what released labels stand for.
    - presence (list of columns): of targets, one per release: true says that somebody is in it, false or NULL
      that they are not. If not given, they are where a class covers them.
    - group_id (column): of all releases, says which rows are a class, where several classes may have the same
      labels, as those of m_invariant.
    - weight (column): of all releases, says how many people each row stands for, as in classes.
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
    - violation (text): size: a class with fewer than m rows. value: a class that has a value twice, in any
      column. signature: people whose classes have other values than in the release before. several: people in
      several classes, of which some have the same values as before and some do not, so that it is not known.
      unlocated: people in no class. unread: a class with a label that nobody understands.
    - release (text): the release; NULL: people who are in no class of any release.
    - class (struct): of size, value and unread: the labels of the class, as text.
    - size (integer, rows): of the class.
    - people (integer): how many targets are concerned: those located in the class, and of unread all in the
      release, who may be there.
    - signature (list of texts): the values (of several columns: the rows) of the class, or of the classes of
      these people, sorted; NULL where these differ.
    - earlier_release (text): of signature and several: the last release before that these people are in.
    - earlier_signature (list of texts): their values there; NULL where these differ.

    Errors: unknown column, no targets, a target twice, an empty release, a hierarchy that is not a tree, a
    weight as in classes, an unknown format.

    Notes: a release is m-unique if it has no size and no value. If nobody's signature changes either, the
    values that all classes of somebody share are m or more, in any number of releases; of several columns in
    each. Give presence where it is known: whoever is not in a release may be covered by a class of it all the
    same. A label of people who are not among the targets any more may be unread. Where sensitive values
    change, m-invariance promises nothing.

    Source: Xiao and Tao 2007, m-invariance: towards privacy preserving re-publication of dynamic datasets.

    The answer is a relation over a temporary table: it can be read again, filtered and joined, and stays as
    it is as long as the connection.

    Example: sqlanon.m_invariance(con, ["east", "west"], targets="voters", id="name", qi=["age", "zip"],
    sensitive="disease")
    """
    return answer_of(
        con,
        "m_invariance",
        listed(releases, "releases"),
        targets,
        id=id,
        qi=names(qi, "qi"),
        sensitive=names(sensitive, "sensitive"),
        m=m,
        hierarchies=hierarchies,
        presence=names(presence, "presence"),
        group_id=group_id,
        weight=weight,
        formats=formats_given(formats),
    )


@connection_first
def m_invariant(
    con: duckdb.DuckDBPyConnection,
    source: Source,
    *,
    id: str,
    qi: Names,
    sensitive: str,
    m: int,
    previous: Source = None,
    hierarchies: Source = None,
    recoding: Literal["text", "range"] = "text",
    seed: int | None = None,
    state_into: str | None = None,
    into: str | None = None,
    replace: bool = False,
    progress: Progress | bool | None = None,
) -> Release:
    """Releases a table that grows and shrinks, once more: m-invariant together with the releases before, so
    that all of them leave everybody at least m sensitive values.

    Parameters:
    - source (table): the raw rows of now, one per person.
    - id (column): says who is who, the same in each state of the table; nobody is twice. It does not leave.
    - qi (columns): the quasi-identifiers.
    - sensitive (column): released by class. Nobody's value may change.
    - m (integer, at least 1): the least number of rows, all with different values, in a class.
    - previous (table): the state after the release before, the column id and signature (a list of values); if
      not given, this is the first release.
    - hierarchies (table): rows of attribute, value, level and label (the coarser labels of each value), as
      returned by interval_hierarchy, for those columns in qi that have a hierarchy.
    - recoding (one of text, range): text: [20, 29], {a, b} and labels; range: STRUCT(lo, hi) and lists.
    - seed (integer): fixes who is in which class and the order of rows. m_invariant_state needs it, too;
      nobody else may know it.

    Result:
    - <qi> (text, or as recoding says): of the people in the class.
    - <sensitive> (unchanged): a value of the class, once each.
    - group_id (integer): the number of the class, from 1, at random.
    - counterfeits (integer, rows): how many rows of the class are nobody's; it is not said which.

    Errors: unknown column, empty table, somebody twice or without an id, a hierarchy that is not a tree, a
    state with fewer than m values for somebody, a sensitive value that has changed and is not in the
    signature, new people of whom too many have the same value, several sensitive columns.

    Notes: nobody's value is more probable than 1/m, to who knows who is in which class, or that signatures
    stay. Who takes assignments for as likely in which signatures change may be surer where classes overlap,
    without being right more often. That somebody is in the table is not hidden; next to counterfeits somebody
    may be alone in a class, with their own quasi-identifiers. Any further column would tell counterfeits from
    people, so there is no keep. The function of the Python package makes release and state together, and
    checks both. m_invariance with group_id checks releases without the state.

    Source: Xiao and Tao 2007, m-invariance: towards privacy preserving re-publication of dynamic datasets.

    state_into: the name of the state after the release, which the next one takes as previous, and which
    nobody else may see; a temporary table, if None, whose name is details["state_table"]. With replace it may
    be there already, also as what previous names.

    It is checked that no class has fewer than m values or one twice, and that everybody's signature has their
    value and is what it was.

    Its details: counterfeits (rows of nobody), added, stayed and gone (people of the state who are not in the
    table), and state_table.

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

    Example: sqlanon.m_invariant(con, "people", id="name", qi=["age", "zip"], sensitive="disease", m=2)
    """
    return MInvariant.released(
        con,
        "m_invariant",
        source,
        id=id,
        qi=qi,
        sensitive=sensitive,
        m=m,
        previous=previous,
        hierarchies=hierarchies,
        recoding=recoding,
        seed=seed,
        state_into=state_into,
        into=into,
        replace=replace,
        progress=progress,
    )
