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
    """Tells what leaves: one row per column of a release, in their order, with the form in which it leaves,
    what it looks like, and whether it names somebody whatever its class hides.

    Parameters:
    - release (table): what is to leave. Every column of it is looked at; one in no role is kept.
    - qi (columns): quasi-identifiers: columns that others may know about a person, such as age, postcode and
      sex.
    - sensitive (columns): that leave unchanged because they are what the release is about.
    - masked (columns): that leave as masks of their values.
    - original (table): what the release was made of. If given, people are counted who have a value, not rows;
      and values are compared with the ids.
    - id (column): of the original, that says who somebody is, or whose a row is. Without the original: a
      column of this name identifies.
    - direct (columns): that may name people, as somebody has decided who can say why.

    Result:
    - column (text): its name.
    - role (one of qi, sensitive, keep, masked): what it is for.
    - how (one of recoded, unchanged, masked): how it leaves.
    - type (text): its type.
    - distinct_values (integer): how many there are, without NULL.
    - unique_share (number, 0 to 1): of the rows with a value, those whose value no other row has; with the
      original, of the values of people those that one person holds. NULL, if no row has a value.
    - looks_like (text): id of the targets, name, number, e-mail address, phone number, address, card number,
      IBAN, social security number, IP address, coordinate, URL, UUID, hash, free text; or NULL.
    - verdict (text): holds, fails or not known. It fails if it leaves unchanged and looks like one of these,
      or if nine in ten rows have a value of their own, and it is not in direct; or if its type names values
      that no row has. Not known: nobody looks into values of its type.
    - reason (text): why.

    Errors: unknown column, a column in two roles, original without id.

    Notes: all distinct values are looked at, and all of it is a guess from values and names: nothing that is
    told here makes a column harmless. Thresholds are told in sql/judge/leaving_columns.sql. Numbers that are
    sensitive may all be different. A sensitive column that only does not repeat its values fails from 20 rows
    on, a mask likewise; a kept column always.

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
