# Written by `make reference` from the comments in sql/judge/.
"""The macros of sql/judge/ as functions: `sqlanon.core.answer` says what an answer is."""

from __future__ import annotations

import duckdb

from sqlanon.core.answer import Names
from sqlanon.core.answer import answer as answer_of
from sqlanon.core.connection import connection_first
from sqlanon.core.source import Source, names


@connection_first
def leaving_columns(
    con: duckdb.DuckDBPyConnection,
    release: Source,
    qi: Names,
    sensitive: Names | None = None,
    masked: Names | None = None,
    original: Source = None,
    id: str | None = None,
    direct: Names | None = None,
) -> duckdb.DuckDBPyRelation:
    """Lists the columns of a release: one row per column, in their order, with how it is released, what it
    looks like (a name, an e-mail address), and a verdict: does the column itself identify people, so that
    classes do not protect them?

    Parameters:
    - release (table): the release. All its columns are checked; a column without a role has the role keep.
    - qi (columns): quasi-identifiers: columns that others may know about a person, such as age, postcode and
      sex.
    - sensitive (columns): sensitive columns, which are released unchanged.
    - masked (columns): columns that are released as masks of their values.
    - original (table): the table of which the release was made. If given, the people who have a value are
      counted, not rows, and values are compared with the ids.
    - id (column): of the original, identifies the person of a row. Without the original: a column of this
      name fails.
    - direct (columns): columns that may identify people, because somebody has decided so for a reason.

    Result:
    - column (text): the name of the column.
    - role (one of qi, sensitive, keep, masked): its role.
    - how (one of recoded, unchanged, masked): how it is released.
    - type (text): its type.
    - distinct_values (integer): the number of different values, without NULL.
    - unique_share (number, 0 to 1): of the rows with a value, the share whose value no other row has; with
      the original, of the values of people, the share that only one person has. NULL if no row has a value.
    - looks_like (text): id of the targets, name, personal name, number, e-mail address, phone number,
      address, card number, IBAN, social security number, IP address, coordinate, URL, UUID, hash, free text;
      or NULL.
    - verdict (text): holds, fails or not known. A column fails if it is released unchanged, is not in direct,
      and looks like one of these, or nine in ten rows have a value that no other row has. A quasi-identifier
      fails if the values in its labels look like one of these ({Ann, Bob}). A column also fails if its type
      lists values that no row has. Not known: values of its type are not checked.
    - reason (text): why.

    Errors: unknown column, a column in two roles, original without id.

    Notes: the verdict is a guess from all different values and from names: holds does not prove that a column
    is harmless. sql/judge/leaving_columns.sql lists the thresholds. Sensitive numbers may all be different.
    If the only reason is that values do not repeat, a sensitive column or a mask fails from 20 rows on, a
    kept column always.

    The answer is a relation over a temporary table: it can be read again, filtered and joined, and stays as
    it is as long as the connection.

    Example: sqlanon.leaving_columns(con, "people", qi=["age", "zip"], sensitive="disease")
    """
    return answer_of(
        con,
        "leaving_columns",
        release,
        qi=names(qi, "qi"),
        sensitive=names(sensitive, "sensitive"),
        masked=names(masked, "masked"),
        original=original,
        id=id,
        direct=names(direct, "direct"),
    )
