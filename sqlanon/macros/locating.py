# Written by `make reference` from the comments in sql/locating/.
"""The macros of sql/locating/ as functions: `sqlanon.core.answer` says what an answer is."""

from __future__ import annotations

from typing import Any

import duckdb

from sqlanon.attack.intersection import Formats, Unknown, covered, formats_given, unknown_texts, warning
from sqlanon.core.answer import Names
from sqlanon.core.answer import answer as answer_of
from sqlanon.core.connection import connection_first
from sqlanon.core.source import Source, names


@connection_first
def covers(
    con: duckdb.DuckDBPyConnection, released: Any, raw: Any, labels: Names = (), format: str | None = None
) -> bool:
    """Does a released value cover a raw value? It reads what this library releases, and what others publish.

    Parameters:
    - released (value): a released value, of a text, a number, a STRUCT(lo, hi) or a list.
    - raw (value): a raw value.
    - labels (list of texts): the labels above raw in its hierarchy. A label that looks like an interval is
      read as both; locate, which knows the whole hierarchy, lets that decide.
    - format (text): how released is written: one of the formats of locate that are of one column.

    Result:
    - covers (boolean): does it?

    Notes: it reads [20, 29], [20, 30[, ]20, 30], <30, >=40, 20-29, 130** and 3* (each star one character),
    {a, b}, * and labels; also {'lo': 20, 'hi': 29}, as which a STRUCT comes back from a CSV file, and ['a',
    'b']. What looks like one of these and is a value is released as a set of one, {"*"}: raw is never read.
    Numbers and points in time compare as such where one of both sides is of such a type, everything else as
    text: a raw 28 that is a number is 28.0 too, a text is not. Bounds compare as numbers or points in time
    where they are.

    Example: sqlanon.covers(con, "[20, 29]", 23)
    """
    return covered(con, "covers", released=released, raw=raw, labels=names(labels, "labels"), format=format)


@connection_first
def locate(
    con: duckdb.DuckDBPyConnection,
    release: Source,
    targets: Source,
    id: str,
    qi: Names,
    hierarchies: Source = None,
    nearest: bool = False,
    weight: str | None = None,
    formats: Formats | None = None,
    unknown: Unknown = None,
) -> duckdb.DuckDBPyRelation:
    """Finds the classes of a release that cover each target: one row per target and class. A target that no
    class covers has no row.

    Parameters:
    - release (table): a table with the columns in qi, as released.
    - targets (table): people with raw values in qi, and the column id.
    - id (column): of targets, says who is who; nobody is twice.
    - qi (columns): the quasi-identifiers that are known of the targets.
    - hierarchies (table): rows of attribute, value, level and label: what released labels stand for.
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
    - class_id (integer): the number of the class, as in classes.
    - size (integer, rows): of the class.

    Errors: unknown column, empty table, a target twice, a hierarchy that is not a tree, a weight as in
    classes, an unknown format, a cell of the targets that does not fit its format.

    Notes: released values are read as covers reads them. A target with a cell that is unknown, a range, a set
    or a mask is in every class in which somebody of whom that holds can be; nearest is not for them.

    Source: Ganta, Kasiviswanathan and Smith 2008, sec. 2.

    Warns (UnreadWarning) of labels that nobody understands, and where nobody is located.

    Example: sqlanon.locate(con, "east", "voters", id="name", qi=["age", "zip"])
    """
    return warning(
        con,
        "locate",
        release,
        targets,
        id=id,
        qi=names(qi, "qi"),
        hierarchies=hierarchies,
        nearest=nearest,
        weight=weight,
        formats=formats_given(formats),
        unknown=unknown_texts(unknown),
    )


@connection_first
def people_in_classes(
    con: duckdb.DuckDBPyConnection,
    release: Source,
    original: Source,
    qi: Names,
    unit: str,
    unchanged: Names | None = None,
    hierarchies: Source = None,
) -> duckdb.DuckDBPyRelation:
    """Tells how many people the classes of a release are that does not say whose its rows are: one row per
    class. People are located by their rows in the original, as by locate.

    Parameters:
    - release (table): the release, with the columns in qi and unchanged.
    - original (table): the raw rows that it was made of, or more, with the same columns and unit.
    - qi (columns): quasi-identifiers, which the release has recoded.
    - unit (column): of the original, says whose a row is, where people have several.
    - unchanged (columns): sensitive and further columns that left unchanged. Who has no row with values that
      a class has is not in it.
    - hierarchies (table): rows of attribute, value, level and label: what released labels stand for.

    Result:
    - class (struct): its labels.
    - size (integer, rows): of the class.
    - rows_there (integer, rows): of the original, which the class covers, and whose unchanged values it has.
    - least (integer, people): the class has so many people or more: no fewer have enough of these rows.
    - most (integer, people): whose rows these are; the class has no more people. least and most are NULL
      where the class has a row that none of the original can be, or a label that nobody understands.
    - is_counted (boolean): the rows there are those of the class: least and most are its people. Otherwise
      classes overlap, or rows of the original were suppressed.

    Errors: unknown column, an empty table.

    Notes: k people in every class are certain where least is at least k, and certainly missing where most is
    below k. Rows without a unit are one person's.

    Source: own definition.

    The answer is a relation over a temporary table: it can be read again, filtered and joined, and stays as
    it is as long as the connection.

    Example: sqlanon.people_in_classes(con, "east", "people", qi=["age", "zip"], unit="name",
    unchanged="disease")
    """
    return answer_of(
        con,
        "people_in_classes",
        release,
        original,
        qi=names(qi, "qi"),
        unit=unit,
        unchanged=names(unchanged, "unchanged"),
        hierarchies=hierarchies,
    )


@connection_first
def unread_labels(
    con: duckdb.DuckDBPyConnection,
    releases: Source | list[Source],
    targets: Source,
    qi: Names,
    hierarchies: Source = None,
    formats: Formats | None = None,
    unknown: Unknown = None,
) -> duckdb.DuckDBPyRelation:
    """Tells which released values nobody understands: one row per release, column and such a label. No rows:
    all is understood.

    Parameters:
    - releases (table, or a list of tables): the releases, all with the columns in qi; or one.
    - targets (table): people with raw values in qi.
    - qi (columns): the quasi-identifiers that are known of the targets.
    - hierarchies (table): rows of attribute, value, level and label: what released labels stand for.
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
    - release (integer): which of the releases, counted from 1.
    - attribute (text): the column.
    - label (text): the released value.
    - rows (integer, rows): of the release.
    - why (text): why it is not understood.
    - format (text): the format with which it would cover a value of the targets; NULL if there is none.

    Errors: unknown column, empty table, a hierarchy that is not a tree, an unknown format.

    Notes: a label is understood if it covers a value of the targets (as covers reads it), or at least tells
    what it would cover: an interval of what the targets have, a mask, *, a label of hierarchies, or numbers
    where the targets have numbers. A text, or a set of texts, that no target has is not. NULL is a value. The
    attacks find nobody at a label that is not understood. Not for releases of centroids.

    The answer is a relation over a temporary table: it can be read again, filtered and joined, and stays as
    it is as long as the connection.

    Example: sqlanon.unread_labels(con, "release", "people", qi="age")
    """
    return answer_of(
        con,
        "unread_labels",
        releases,
        targets,
        qi=names(qi, "qi"),
        hierarchies=hierarchies,
        formats=formats_given(formats),
        unknown=unknown_texts(unknown),
    )
