"""Microaggregation over tables, DataFrames and relations: what can be asked for."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Unpack

import duckdb

from sqlanon.core.errors import InputError
from sqlanon.core.release import Progress, Release
from sqlanon.core.requirements import Requirements, complete
from sqlanon.core.source import Source, roles


def microaggregate(
    con: duckdb.DuckDBPyConnection,
    source: Source,
    *,
    qi: str | Iterable[str],
    sensitive: str | Iterable[str] | None = None,
    keep: str | Iterable[str] = (),
    hierarchies: Source = None,
    algorithm: str = "mdav",
    gamma: float = 0.2,
    center: str = "mean",
    seed: int | None = None,
    unit: str | None = None,
    into: str | None = None,
    replace: bool = False,
    progress: Progress | None = None,
    **requirements: Unpack[Requirements],
) -> Release:
    """Anonymize a table by microaggregation (Domingo-Ferrer and Mateo-Sanz 2002): groups of at least k rows release what is in their middle.

    source: the name of a table, view or file, a DataFrame, an Arrow table or a relation of this connection.
    hierarchies: likewise, with columns attribute, value, level, label.

    algorithm: mdav (groups of k around the rows farthest out; Domingo-Ferrer and Torra 2005), vmdav (of k to 2k - 1, where gamma, at least 0,
    says how readily a group takes more: 0.2 for scattered and 1.1 for clustered rows; Solanas and Martínez-Ballesté 2006), univariate (the
    optimum on one column of numbers or dates; Hansen and Mukherjee 2003) or curve (every k rows along Hilbert's curve). Tables of more than 100,000 rows are first cut into blocks by medians for mdav and vmdav, and each block is grouped by itself.

    requirements: k, and l, entropy_l, recursive_c, alpha, t, t_distance, beta, enhanced_beta, delta_disclosure. These and hierarchies, center and
    seed are as in the macro `sqlanon.microaggregate`, which gives the same rows. The columns in qi (as centers), sensitive and keep are
    released, and no other.

    into, replace: as in `mondrian`. progress is called with the share of rows that are in groups, then in classes (0 to 1), and a message.

    The release is checked with `sqlanon.violations` before it becomes visible; after an error or interrupt nothing is left behind, as for
    `mondrian`. Its details: information_loss (0 to 1), the sum of squares within classes as a share of that of the table (SSE / SST).

    Errors: InputError (unknown column, empty table, k above the number of rows, a number that is not finite, a value missing in its hierarchy, into
    exists), SqlError, VerificationError.
    """
    from sqlanon.anonymize import driver, microaggregate_driver  # with sqlglot, which is slow to import

    required = complete(requirements)
    if any(required[name] is not None for name in ("k_map", "dmin", "dmax")):
        raise InputError(
            "microaggregate does not know k_map, dmin and dmax: a center covers nobody of a population"
        )
    form = {"algorithm": algorithm, "gamma": gamma, "center": center, "seed": seed}
    return driver.anonymize(
        con,
        source,
        roles(qi, sensitive, keep),
        into,
        replace,
        progress or (lambda done, message: None),
        lambda task: microaggregate_driver.Microaggregation(task, required, form),
        given={**required, **form},
        hierarchies=hierarchies,
        unit=unit,
    )
