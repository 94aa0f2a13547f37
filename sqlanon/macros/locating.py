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
    """Does a released label cover a raw value, that is, does the label stand for a set that contains the
    value? covers reads the labels of this library and common labels of other tools.

    Parameters:
    - released (value): a released label: a text, a number, a STRUCT(lo, hi) or a list.
    - raw (value): a raw value.
    - labels (list of texts): the labels above raw in its hierarchy. A label that looks like an interval is
      read both as a label and as an interval; locate, which knows the whole hierarchy, lets the hierarchy
      decide.
    - format (text): how released is written: one of the formats of locate for one column.

    Result:
    - covers (boolean): true if released covers raw.

    Notes: covers reads [20, 29], [20, 30[, ]20, 30], <30, >=40, 20-29, 130** and 3* (each star one
    character), {a, b}, * and labels; also {'lo': 20, 'hi': 29} (a STRUCT that was written to a CSV file and
    read again), and ['a', 'b']. raw is never read as a label; a raw value that looks like one of these is
    released as a set of one, {"*"}. Numbers and times are compared as such if one of the two sides has such a
    type, everything else as text: the number 28 equals 28.0, the text 28 does not. Bounds are compared as
    numbers or times if they are such.

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
    - id (column): of targets, identifies the person; each person must be there once.
    - qi (columns): the quasi-identifiers that the adversary knows about the targets.
    - hierarchies (table): rows of attribute, value, level and label: the values that released labels stand
      for.
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

    Result:
    - <id> (unchanged): the target.
    - class_id (integer): the number of the class, as in classes.
    - size (integer, rows): the size of the class.

    Errors: unknown column, empty table, a target twice, a hierarchy that is not a tree, a weight as in
    classes, an unknown format, a cell of the targets that does not fit its format.

    Notes: labels are read as covers reads them. A target with a cell that is unknown, a range, a set or a
    mask is found in every class that may contain such a person; nearest does not work for such targets.

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
    """Counts the people of each class in a release that does not have the unit (the column that identifies
    people): one row per class. The rows of the original are looked for in the release, as by locate.

    Parameters:
    - release (table): the release, with the columns in qi and unchanged.
    - original (table): the raw rows of which the release was made, or more, with the same columns and unit.
    - qi (columns): quasi-identifiers, which the release has recoded.
    - unit (column): of the original, identifies the person of a row, if people can have several rows.
    - unchanged (columns): sensitive and further columns that were released unchanged. A person can only be in
      a class that has these values of one of their rows.
    - hierarchies (table): rows of attribute, value, level and label: the values that released labels stand
      for.

    Result:
    - class (struct): the labels of the class.
    - size (integer, rows): the size of the class.
    - rows_there (integer, rows): rows of the original that the class covers, and whose unchanged values it
      has.
    - least (integer, people): the class has at least this many people: fewer do not have enough of these
      rows.
    - most (integer, people): the class has at most this many people, the number of people with these rows.
      least and most are NULL if the class has a row that fits no row of the original, or a label that could
      not be read.
    - is_counted (boolean): true if the rows of the original are exactly those of the class, so that least and
      most are its number of people. If false, classes overlap, or rows of the original were suppressed.

    Errors: unknown column, an empty table.

    Notes: every class certainly has k people if all least are at least k, and certainly does not if a most is
    below k. Rows where the unit is NULL count as one person.

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
    of_any_kind: bool = False,
) -> duckdb.DuckDBPyRelation:
    """Lists the released labels that could not be read: one row per release, column and label. No rows: all
    labels were read.

    Parameters:
    - releases (table, or a list of tables): the releases, all with the columns in qi; or one release.
    - targets (table): people with raw values in qi.
    - qi (columns): the quasi-identifiers that the adversary knows about the targets.
    - hierarchies (table): rows of attribute, value, level and label: the values that released labels stand
      for.
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
    - of_any_kind (boolean): true for releases without classes, such as synthetic rows, whose values need not
      be somebody's: a text that no target has is listed only if it differs from a target's value by nothing
      but case, blanks or accents, or if the column has nothing that a target has.

    Result:
    - release (integer): which of the releases, counted from 1.
    - attribute (text): the column.
    - label (text): the released label.
    - rows (integer, rows): the rows of the release with this label.
    - why (text): why it could not be read.
    - format (text): the format with which it would cover a value of the targets; NULL if there is none.

    Errors: unknown column, empty table, a hierarchy that is not a tree, an unknown format.

    Notes: a label counts as read if it covers a value of the targets (as covers reads it), or if it is clear
    which values it would cover: an interval of numbers or dates if the targets have such, a mask, *, a label
    of hierarchies, or a number if the targets have numbers. A text, or a set of texts, that no target has
    counts as not read. NULL is a value. The attacks find nobody in rows with a label that could not be read.
    Do not use this macro for releases of centroids.

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
        of_any_kind=of_any_kind,
    )
