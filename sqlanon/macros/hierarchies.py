# Written by `make reference` from the comments in sql/hierarchies/.
"""The macros of sql/hierarchies/ as functions: `sqlanon.core.answer` says what an answer is."""

from __future__ import annotations

from collections.abc import Iterable
from os import PathLike, fspath

import duckdb

from sqlanon.anonymize.hierarchies import completed
from sqlanon.core.answer import Names
from sqlanon.core.answer import answer as answer_of
from sqlanon.core.connection import connection_first
from sqlanon.core.source import Source, names


@connection_first
def complete_hierarchies(
    con: duckdb.DuckDBPyConnection, source: Source, columns: Names, hierarchies: Source
) -> duckdb.DuckDBPyRelation:
    """Adds to hierarchies the values of a table that they lack: at every level above 0, the label of such a
    value is the label at the top, usually *.

    Parameters:
    - source (table): the table.
    - columns (list of columns): the columns whose values are checked, if they have a hierarchy.
    - hierarchies (table): attribute, value, level, label.

    Result:
    - attribute, value, level, label: as in interval_hierarchy

    Errors: unknown column.

    Notes: lacking_values lists these values, with their numbers of rows; in Python a warning counts them. Use
    the same hierarchies for checks, utility and attacks.

    Source: Samarati 2001; Sweeney 2002.

    A warning tells of how many values and rows that is so.

    Example: sqlanon.complete_hierarchies(con, "people", ["zip"], "of_young")
    """
    return completed(
        con, "complete_hierarchies", source, columns=names(columns, "columns"), hierarchies=hierarchies
    )


@connection_first
def date_hierarchy(
    con: duckdb.DuckDBPyConnection,
    source: Source,
    attribute: str,
    units: Names = ("month", "quarter", "year", "decade"),
) -> duckdb.DuckDBPyRelation:
    """Makes a hierarchy of calendar units: 2024-03-05, 2024-03, 2024-Q1, 2024, 2020s, *.

    Parameters:
    - source (table): a table with the values.
    - attribute (column): a column of dates, timestamps (their date is used; with a time zone, the date in the
      time zone of the session) or text that can be cast to dates.
    - units (list of one of day, month, quarter, year, decade): the units of levels 1, 2, ..., in this order.

    Result:
    - attribute, value, level, label: as in interval_hierarchy

    Errors: unknown column, no units, an unknown unit, units that do not nest, a value that is not a date.

    Notes: a year before 1 is written as DuckDB does, 0044-03 (BC), 0044 (BC), and decades count within the
    era: 0040s (BC) are 49 to 40 BC, 0000s are the years 1 to 9. NULL (as 'NULL') and infinite dates are each
    a branch of their own up to the root '*'.

    Source: Samarati 2001; Sweeney 2002.

    The answer is a relation over a temporary table: it can be read again, filtered and joined, and stays as
    it is as long as the connection.

    Example: sqlanon.date_hierarchy(con, "person", "birthday", units=["month", "year"])
    """
    return answer_of(con, "date_hierarchy", source, attribute=attribute, units=names(units, "units"))


@connection_first
def flat_hierarchy(con: duckdb.DuckDBPyConnection, source: Source, attribute: str) -> duckdb.DuckDBPyRelation:
    """Makes the hierarchy of two levels: the value, and * for all values.

    Parameters:
    - source (table): a table with the values.
    - attribute (column): the column with the values; they must be numbers.

    Result:
    - attribute, value, level, label: as in interval_hierarchy

    Errors: unknown column.

    Source: Samarati 2001; Sweeney 2002.

    The answer is a relation over a temporary table: it can be read again, filtered and joined, and stays as
    it is as long as the connection.

    Example: sqlanon.flat_hierarchy(con, "people", "disease")
    """
    return answer_of(con, "flat_hierarchy", source, attribute=attribute)


@connection_first
def icd10_hierarchy(
    con: duckdb.DuckDBPyConnection, source: Source, attribute: str
) -> duckdb.DuckDBPyRelation:
    """Makes the hierarchy of ICD-10 codes: J45.0, the category J45, the chapter J00-J99, *.

    Parameters:
    - source (table): a table with the values.
    - attribute (column): a column of texts that begin with a code: J45.0, J450, or J45.0 Asthma.

    Result:
    - attribute, value, level, label: as in interval_hierarchy

    Errors: unknown column.

    Notes: a value that does not begin with a code is labelled other at levels 1 and 2, NULL is labelled
    'NULL'. A chapter is named by the first and the last code that any edition has in it: neoplasms end with
    D48 in that of the World Health Organization, and with D49 in ICD-10-CM. A category may be rare: k says
    whether it is.

    Source: World Health Organization, ICD-10, volume 1 (tabular list), 2016.

    The answer is a relation over a temporary table: it can be read again, filtered and joined, and stays as
    it is as long as the connection.

    Example: sqlanon.icd10_hierarchy(con, "stay", "diagnosis")
    """
    return answer_of(con, "icd10_hierarchy", source, attribute=attribute)


@connection_first
def interval_hierarchy(
    con: duckdb.DuckDBPyConnection,
    source: Source,
    attribute: str,
    widths: Iterable[float] | None = None,
    origin: float = 0,
    breaks: Iterable[float] | None = None,
) -> duckdb.DuckDBPyRelation:
    """Makes a hierarchy of intervals that get wider: 23, [20, 24], [20, 29], *; or of intervals between
    breaks, the first and the last of which are open: 23, [18, 64], *. It has one row per distinct value of
    the column and level, and no rows for an empty table.

    Parameters:
    - source (table): a table with the values.
    - attribute (column): the column with the values; they must be numbers.
    - widths (list of numbers, above 0): the widths of the intervals at levels 1, 2, ..., ascending, each a
      multiple of the one before.
    - origin (number): a number at which an interval starts.
    - breaks (list of numbers): instead of widths: the numbers at which the intervals of level 1 begin,
      ascending: [18, 65, 90] makes <18, [18, 64], [65, 89] and >=90.

    Result:
    - attribute (text): the name of the column.
    - value (text): the value.
    - level (integer): 0 is the value itself.
    - label (text): the label of the value at this level.

    Errors: unknown column, a column that is not a number, no widths or breaks, or both, a width of 0 or less
    or with more than 15 decimals, widths that do not nest, breaks that do not ascend.

    Notes: whole numbers are labelled [20, 24]; decimals and floating point numbers (and all numbers if a
    width or the origin has decimals) half-open, [20.0, 25.0[, with exact decimal bounds: 0.3 lies in [0.3,
    0.4[. -7 lies in [-10, -6]. NULL (as 'NULL'), NaN, infinities and numbers with more than 22 digits before
    the point are each a branch of their own up to the root '*'.

    Source: Samarati 2001; Sweeney 2002.

    The answer is a relation over a temporary table: it can be read again, filtered and joined, and stays as
    it is as long as the connection.

    Example: sqlanon.interval_hierarchy(con, "people", "age", widths=[5, 10, 20])
    """
    return answer_of(
        con,
        "interval_hierarchy",
        source,
        attribute=attribute,
        widths=None if widths is None else list(widths),
        origin=origin,
        breaks=None if breaks is None else list(breaks),
    )


@connection_first
def lacking_values(
    con: duckdb.DuckDBPyConnection, source: Source, columns: Names, hierarchies: Source
) -> duckdb.DuckDBPyRelation:
    """Lists the values of a table that its hierarchies lack.

    Parameters:
    - source (table): the table.
    - columns (list of columns): the columns whose values are checked, if they have a hierarchy.
    - hierarchies (table): attribute, value, level, label.

    Result:
    - attribute (text): the column.
    - value (text): a value that its hierarchy lacks.
    - rows (integer): the number of rows with this value.

    Errors: unknown column.

    Source: Samarati 2001; Sweeney 2002.

    The answer is a relation over a temporary table: it can be read again, filtered and joined, and stays as
    it is as long as the connection.

    Example: sqlanon.lacking_values(con, "people", ["zip"], "of_young")
    """
    return answer_of(
        con, "lacking_values", source, columns=names(columns, "columns"), hierarchies=hierarchies
    )


@connection_first
def mask_hierarchy(con: duckdb.DuckDBPyConnection, source: Source, attribute: str) -> duckdb.DuckDBPyRelation:
    """Makes a hierarchy that hides characters from the right, one more at each level: 13053, 1305*, 130**,
    13***, 1****, *.

    Parameters:
    - source (table): a table with the values.
    - attribute (column): the column with the values; they must be numbers.

    Result:
    - attribute, value, level, label: as in interval_hierarchy

    Errors: unknown column.

    Notes: a star in a label below the top stands for exactly one character (a Unicode code point). There are
    as many levels above 0 as the longest value has characters. All characters of a shorter value are hidden
    on a lower level: ab among values of five characters is ab, a*, **, **, **, *. NULL is labelled NULL, then
    'NULL', then '*'.

    Source: Samarati 2001; Sweeney 2002 (ZIP codes).

    The answer is a relation over a temporary table: it can be read again, filtered and joined, and stays as
    it is as long as the connection.

    Example: sqlanon.mask_hierarchy(con, "people", "zip")
    """
    return answer_of(con, "mask_hierarchy", source, attribute=attribute)


@connection_first
def read_hierarchy(
    con: duckdb.DuckDBPyConnection,
    path: str | PathLike[str],
    attribute: str,
    separator: str | None = None,
    header: bool | None = None,
) -> duckdb.DuckDBPyRelation:
    """Reads a hierarchy from a file in the format of ARX, or a CSV file of a spreadsheet: one line per value,
    with the value first, and then its labels from fine to coarse. Nothing is trimmed or converted; there is
    no NULL.

    Parameters:
    - path (file): the name of a UTF-8 text file; * and ? in it are characters, not patterns.
    - attribute (column): the column that the hierarchy is for.
    - separator (text, one character): the separator of the fields in a line; if not given, the first of ; tab
      and comma that occurs in the first line.
    - header (boolean): true if the first line has the names of columns. If not given, it is true if the last
      field of the first line differs from the last field that all other lines have.

    Result:
    - attribute, value, level, label: as in interval_hierarchy

    Errors: no such file, a line with more or fewer fields than the others (it names the value).

    Notes: fields may be in double quotes, doubled within, as in CSV. Empty lines, a byte order mark and a
    missing last line end do not matter. An empty file gives no rows.

    Source: the hierarchy files of ARX (arx.deidentifier.org).

    The answer is a relation over a temporary table: it can be read again, filtered and joined, and stays as
    it is as long as the connection.

    Example: sqlanon.read_hierarchy(con, "disease.csv", "disease")
    """
    return answer_of(
        con, "read_hierarchy", path=fspath(path), attribute=attribute, separator=separator, header=header
    )


@connection_first
def wide_hierarchy(con: duckdb.DuckDBPyConnection, source: Source, attribute: str) -> duckdb.DuckDBPyRelation:
    """Makes a hierarchy from a table with one row per value: the value in the first column, its label at
    level 1 in the second, and so on.

    Parameters:
    - source (table): the table, with its columns in this order; the last has the same label for all, usually
      *.
    - attribute (column): the column that the hierarchy is for.

    Result:
    - attribute, value, level, label: as in interval_hierarchy

    Errors: only one column, a value or a label that is NULL, a value in several rows, or not a tree: a label
    below two different ones, or different labels in the last column.

    Notes: if source is a file, DuckDB detects its types, and may read 01234 as the number 1234;
    read_hierarchy does not convert values.

    Source: Samarati 2001; Sweeney 2002.

    The answer is a relation over a temporary table: it can be read again, filtered and joined, and stays as
    it is as long as the connection.

    Example: sqlanon.wide_hierarchy(con, "wide", "disease")
    """
    return answer_of(con, "wide_hierarchy", source, attribute=attribute)
