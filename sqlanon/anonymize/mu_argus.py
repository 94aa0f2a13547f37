"""Mu-Argus over tables, DataFrames and relations: what can be asked for."""

from __future__ import annotations

from collections.abc import Iterable

import duckdb

from sqlanon.anonymize.full_domain import Weights, in_order
from sqlanon.core.release import Progress, Release
from sqlanon.core.source import Source, roles


def mu_argus(
    con: duckdb.DuckDBPyConnection,
    source: Source,
    *,
    qi: str | Iterable[str],
    sensitive: str | Iterable[str] | None = None,
    keep: str | Iterable[str] = (),
    k: int,
    size: int | None = None,
    weights: Weights | None = None,
    wildcards: bool = True,
    recoding: str = "text",
    seed: int | None = None,
    unit: str | None = None,
    into: str | None = None,
    replace: bool = False,
    progress: Progress | None = None,
) -> Release:
    """Anonymize a table by suppressing few cells (Hundepool and Willenborg 1996; localSuppression of sdcMicro).

    source: the name of a table, view or file, a DataFrame, an Arrow table or a relation of this connection.
    Everything up to seed is as in the macro `sqlanon.mu_argus`, which gives the same rows; but weights are
    given by column name, e.g. {"age": 2}, and are 1 for those that are not named.

    into, replace: as in `mondrian`. progress is called after each level of masks with the share of the distinct
    combinations that have one (0 to 1), and a message.

    The release is checked with the frequencies of `sqlanon.wildcard_frequencies`, for every combination of
    `size` columns (in the release, or, if not wildcards, in the table), before it becomes visible; after an error
    or interrupt nothing is left behind, as for `mondrian`. Its details: suppressed_cells, a mapping from column to the number of its suppressed cells.

    Errors: InputError (unknown column, empty table, k above the number of rows, a value that looks like a
    suppressed cell, a unit without wildcards=False, into exists), SqlError, VerificationError.
    """
    from sqlanon.anonymize import driver, mu_argus_driver  # with sqlglot, which is slow to import

    form = {"k": k, "size": size, "wildcards": wildcards, "recoding": recoding, "seed": seed}
    return driver.anonymize(
        con,
        source,
        roles(qi, sensitive, keep),
        into,
        replace,
        progress or (lambda done, message: None),
        lambda task: mu_argus_driver.MuArgus(
            task, {**form, "weights": in_order(weights, qi, "weights", 1.0)}
        ),
        given={**form, "weights": weights},
        unit=unit,
    )
