"""Mondrian over tables, DataFrames and relations: what can be asked for."""

from __future__ import annotations

from collections.abc import Iterable

import duckdb

from sqlanon.release import Progress, Release
from sqlanon.source import Source, names


def mondrian(
    con: duckdb.DuckDBPyConnection,
    source: Source,
    *,
    qi: str | Iterable[str],
    sensitive: str | Iterable[str] | None = None,
    keep: str | Iterable[str] = (),
    hierarchies: Source = None,
    k: int | None = None,
    l: int | None = None,
    entropy_l: float | None = None,
    recursive_c: float | None = None,
    alpha: float | None = None,
    t: float | None = None,
    t_distance: str = "equal",
    beta: float | None = None,
    enhanced_beta: float | None = None,
    delta_disclosure: float | None = None,
    recoding: str = "text",
    seed: int | None = None,
    into: str | None = None,
    replace: bool = False,
    progress: Progress | None = None,
) -> Release:
    """Anonymize a table by strict multidimensional Mondrian (LeFevre, DeWitt and Ramakrishnan 2006, sec. 4).

    source: the name of a table, view or file, a DataFrame, an Arrow table or a relation of this connection.
    hierarchies: likewise, with columns attribute, value, level, label. Everything up to seed is as in the
    macro `sqlanon.mondrian`, which gives the same rows. The columns in qi (recoded), sensitive and keep are
    released, and no other.

    into: the name of the table to make; without it, a temporary one is made. replace: an existing one may be
    replaced. progress is called after each level of cuts with the share of the distinct combinations that are
    in finished classes (0 to 1), and a message.

    The release is checked with `sqlanon.violations` before it becomes visible. After an error, an interrupt
    (Ctrl-C) or an exception from progress nothing is left behind; an interrupt that comes when the release is
    committed already, and only working tables are to go, comes too late. In a transaction of the caller
    everything happens in that transaction, which is not committed; an error or interrupt in SQL ends it, as
    everywhere in DuckDB, and it can only be rolled back.

    Errors: InputError (unknown column, empty table, a requirement that even the whole table as one class does
    not meet, a value missing in its hierarchy, into exists), SqlError, VerificationError.
    """
    from sqlanon import driver  # with sqlglot, which is slow to import

    return driver.mondrian(
        con,
        source,
        hierarchies,
        columns={
            "qi": names(qi, "qi"),
            "sensitive": names(sensitive, "sensitive"),
            "keep": names(keep, "keep") or None,
        },
        requirements={
            "k": k,
            "l": l,
            "entropy_l": entropy_l,
            "recursive_c": recursive_c,
            "alpha": alpha,
            "t": t,
            "t_distance": t_distance,
            "beta": beta,
            "enhanced_beta": enhanced_beta,
            "delta_disclosure": delta_disclosure,
        },
        form={"recoding": recoding, "seed": seed},
        into=into,
        replace=replace,
        progress=progress or (lambda done, message: None),
    )
