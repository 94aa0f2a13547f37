# Written by `make reference` from the comments in sql/publishing/.
"""The macros of sql/publishing/ as functions: `sqlanon.core.answer` says what an answer is."""

from __future__ import annotations

from collections.abc import Iterable

import duckdb

from sqlanon.attack.intersection import Formats, formats_given
from sqlanon.core.answer import Names
from sqlanon.core.answer import answer as answer_of
from sqlanon.core.connection import connection_first
from sqlanon.core.source import Source, listed, names


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
