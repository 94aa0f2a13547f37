"""Mondrian over tables, DataFrames and relations."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar, Unpack

import duckdb

from sqlanon.anonymize.driver import CodedAnonymizer, anonymize
from sqlanon.core.release import Progress, Release
from sqlanon.core.requirements import Requirements, complete
from sqlanon.core.source import Source, roles


class Mondrian(CodedAnonymizer):
    """The chain of sql/anonymize/mondrian/mondrian.sql."""

    phases: ClassVar = {"state": "cutting"}


def mondrian(
    con: duckdb.DuckDBPyConnection,
    source: Source,
    *,
    qi: str | Iterable[str],
    sensitive: str | Iterable[str] | None = None,
    keep: str | Iterable[str] = (),
    hierarchies: Source = None,
    population: Source = None,
    relaxed: bool = False,
    target: str | None = None,
    recoding: str = "text",
    seed: int | None = None,
    unit: str | None = None,
    known: Sequence[Source] | None = None,
    based_on: Source = None,
    into: str | None = None,
    replace: bool = False,
    progress: Progress | bool | None = None,
    **requirements: Unpack[Requirements],
) -> Release:
    """Anonymize a table by multidimensional Mondrian (LeFevre, DeWitt and Ramakrishnan 2006).

    source: the name of a table, view or file, a DataFrame, an Arrow table or a relation of this connection.
    hierarchies: likewise, with columns attribute, value, level, label. population: likewise, with the columns
    in qi. known: releases that are out already, likewise, for composed_l. based_on: an earlier release of the
    same rows, likewise, of whose classes each class shall be a union. requirements: k, l, entropy_l,
    recursive_c, alpha, t, t_distance, beta, enhanced_beta, delta_disclosure, k_map, dmin, dmax, safety_c,
    safety_k, composed_l. These and relaxed, target, recoding, seed and unit are as in the macro
    `sqlanon.mondrian`, which gives the same rows. The columns in qi (recoded), sensitive and keep are
    released, and no other.

    into: the name of the table to make; without it, a temporary one is made. replace: an existing one may be
    replaced. progress: True shows a bar; a function is called with the share that is done (0 to 1) and a
    message that begins with the phase: reading, coding, cutting, labelling, writing the release, checking.

    With known releases details are exposed_rows, to which these leave fewer values than composed_l (they keep
    all of them), unbound_rows, which no class of theirs covers (nothing is asked for them), and unread_rows
    of theirs, with labels that nobody understands.

    The release is checked by a statement of its own before it becomes visible: against known ones by locating
    the source in all of them, as `intersection_attack` does. After an error, an interrupt
    (Ctrl-C) or an exception from progress nothing is left behind; an interrupt that comes when the release is
    committed already, and only working tables are to go, comes too late. In a transaction of the caller
    everything happens in that transaction, which is not committed; an error or interrupt in SQL ends it, as
    everywhere in DuckDB, and it can only be rolled back.

    Errors: InputError (unknown column, empty table, a requirement that even the whole table as one class does
    not meet, a value missing in its hierarchy, a target that is in neither sensitive nor keep, relaxed and
    target together or with a population, into exists), SqlError, VerificationError.
    """
    form = {"relaxed": relaxed, "target": target, "recoding": recoding, "seed": seed, "unit": unit}
    return anonymize(
        con, source, roles(qi, sensitive, keep), into, replace, progress, Mondrian, "mondrian",
        complete(requirements) | form, hierarchies=hierarchies, population=population,
        known=known, based_on=based_on,
    )  # fmt: skip
