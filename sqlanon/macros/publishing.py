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
    """Checks whether releases of a table that people join and leave are m-invariant together, so that at
    least m sensitive values stay possible for everybody: one row per violation. No rows: they are.

    Parameters:
    - releases (list of tables): the releases in the order of time, all with the columns in qi and sensitive.
    - targets (table): everybody who is or was in the table, with raw values in qi, and the column id.
    - id (column): of targets, identifies the person; each person must be there once.
    - qi (columns): the quasi-identifiers, by which people are found in the classes.
    - sensitive (columns): the sensitive columns of the releases. With several, each combination of their
      values counts as one value, and in a class no column may have a value twice.
    - m (integer, at least 1): the least number of rows, all with different values, in a class.
    - hierarchies (table): rows of attribute, value, level and label: the values that released labels stand
      for.
    - presence (list of columns): of targets, one per release: true: the person is in it; false or NULL: the
      person is not. If not given, people are in a release if a class covers them.
    - group_id (column): of all releases, the class of a row, if several classes may have the same labels,
      such as those of m_invariant.
    - weight (column): of all releases, how many people each row stands for, as in classes.
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
    - violation (text): size: a class with fewer than m rows. value: a class that has a value twice, in any
      column. signature: people whose classes have other values than in the release before. several: people in
      several classes, some with the same values as before and some with others, so that it is not known.
      unlocated: people in no class. unread: a class with a label that could not be read.
    - release (text): the release; NULL: people who are in no class of any release.
    - class (struct): for size, value and unread: the labels of the class, as text.
    - size (integer, rows): the size of the class.
    - people (integer): the number of targets concerned: those found in the class; for unread all targets in
      the release, who may be in the class.
    - signature (list of texts): the values (with several columns: the combinations) in the class, or in the
      classes of these people, sorted; NULL if these differ.
    - earlier_release (text): for signature and several: the last release before that these people are in.
    - earlier_signature (list of texts): their values there; NULL if these differ.

    Errors: unknown column, no targets, a target twice, an empty release, a hierarchy that is not a tree, a
    weight as in classes, an unknown format.

    Notes: a release is m-unique if it has no violations of size and value. If also nobody's signature (the
    values of their class) changes, then all classes of a person have at least m values in common, in any
    number of releases (with several columns, in each column). Give presence if it is known: a class may cover
    people who are not in the release. A label of people who are no longer among the targets may be unread. If
    sensitive values change, m-invariance guarantees nothing.

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
    """Makes the next release of a table that people join and leave: m-invariant together with the releases
    before, so that all of them together leave at least m sensitive values possible for everybody.

    Parameters:
    - source (table): the current raw rows, one per person.
    - id (column): identifies the person, in the same way at each time; each person must be there once. The
      column is not released.
    - qi (columns): the quasi-identifiers.
    - sensitive (column): the sensitive column. Values of people must not change.
    - m (integer, at least 1): the least number of rows, all with different values, in a class.
    - previous (table): the state after the last release, as returned by m_invariant_state, with the columns
      id and signature (a list of values); if not given, this is the first release.
    - hierarchies (table): rows of attribute, value, level and label (the coarser labels of each value), as
      returned by interval_hierarchy, for those columns in qi that have a hierarchy.
    - recoding (one of text, range): text: [20, 29], {a, b} and labels; range: STRUCT(lo, hi) and lists.
    - seed (integer): fixes who is in which class, and the order of rows. Give the same to m_invariant_state,
      and keep it secret.

    Result:
    - <qi> (text, or as recoding says): a label that contains the values of all people in the class.
    - <sensitive> (unchanged): a value of the class; each occurs once.
    - group_id (integer): the number of the class, from 1, in random order.
    - counterfeits (integer, rows): the number of rows in the class that were made up; the release does not
      say which.

    Errors: unknown column, empty table, somebody twice (be it in two spellings) or without an id, a value in
    two spellings, a hierarchy that is not a tree, a state with fewer than m values for somebody, a sensitive
    value that has changed and is not in the signature, new people of whom too many have the same value,
    several sensitive columns.

    Notes: the signature of a person is the set of sensitive values in their class; it is the same in all
    releases. For an adversary who knows who is in which class, or that signatures stay the same, nobody's
    value is more probable than 1/m. An adversary who believes that signatures may change can be surer if
    classes overlap, but is not right more often. The release does not hide that somebody is in the table;
    with counterfeits, a person may be the only real one in a class, with their own quasi-identifiers. There
    is no parameter keep, because any further column would distinguish counterfeits from people. The function
    of the Python package makes release and state together, and checks both. m_invariance with group_id checks
    releases without the state.

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
    VerificationError. A LeavingWarning tells of columns that name people, a SetsWarning of many texts without
    a hierarchy.

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
