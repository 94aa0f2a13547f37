"""Full-domain generalization over tables, DataFrames and relations.

Common to all functions here: sources, known, presence, roles, requirements, unit, into, replace, progress,
errors and what happens after an interrupt are as in `sqlanon.mondrian`. Rows of classes that violate a
requirement are suppressed, and counted in the release's suppressed_rows; suppression_limit is the share of
rows (0 to 1) for which that may happen. Levels and weights are given by column name, or as lists in the order
of qi. The release's details tell the levels by column, the cost (by the measure), points (of the lattice) and
how many of them were looked_at.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Unpack

import duckdb

from sqlanon.anonymize.driver import anonymize
from sqlanon.anonymize.full_domain_search import FullDomain
from sqlanon.core.by_column import Levels, Weights, in_order
from sqlanon.core.connection import connection_first
from sqlanon.core.release import Progress, Release
from sqlanon.core.requirements import Requirements, complete
from sqlanon.core.source import Source, names, roles

Names = str | Iterable[str]


@connection_first
def generalize(
    con: duckdb.DuckDBPyConnection,
    source: Source,
    *,
    qi: Names,
    levels: Levels,
    sensitive: Names | None = None,
    keep: Names = (),
    hierarchies: Source = None,
    population: Source = None,
    suppression_limit: float = 0.0,
    seed: int | None = None,
    unit: str | None = None,
    known: Sequence[Source] | None = None,
    presence: Names | None = None,
    into: str | None = None,
    replace: bool = False,
    progress: Progress | bool | None = None,
    **requirements: Unpack[Requirements],
) -> Release:
    """Generalize every column in qi to one level of its hierarchy (Samarati 2001, sec. 4).

    levels: of the columns; those that are not mentioned stay as they are (level 0).
    Errors: also InputError if more rows than allowed would be suppressed, or a level does not exist.
    """
    form = {
        "levels": in_order(levels, qi, "levels", 0),
        "suppression_limit": suppression_limit,
        "seed": seed,
        "unit": unit,
    }
    return _release(
        con, "generalize", source, roles(qi, sensitive, keep), into, replace, progress, requirements,
        hierarchies,
        population, known, presence, form, {"levels": levels},
    )  # fmt: skip


@connection_first
def optimal(
    con: duckdb.DuckDBPyConnection,
    source: Source,
    *,
    qi: Names,
    sensitive: Names | None = None,
    keep: Names = (),
    hierarchies: Source = None,
    population: Source = None,
    suppression_limit: float = 0.0,
    measure: str = "loss",
    aggregate: str = "geometric_mean",
    monotonic: bool = False,
    gs_factor: float = 0.5,
    weights: Weights | None = None,
    min_levels: Levels | None = None,
    max_levels: Levels | None = None,
    local_recoding: bool = False,
    time_limit: float | None = None,
    seed: int | None = None,
    unit: str | None = None,
    known: Sequence[Source] | None = None,
    presence: Names | None = None,
    into: str | None = None,
    replace: bool = False,
    progress: Progress | bool | None = None,
    **requirements: Unpack[Requirements],
) -> Release:
    """Release the best full-domain generalization that meets the requirements.

    measure, aggregate, monotonic, gs_factor, weights, min_levels, max_levels: as in the macro
    `sqlanon.optimal`, which gives the same rows; columns that weights does not mention weigh 1, those that a
    bound on levels does not mention have none. local_recoding: the rows that the best point suppresses are
    generalized again, by the best point for them, until nothing more can be released (with
    suppression_limit=1 most is gained); the macro does not do that. time_limit: seconds after which the best
    point found so far is taken, if any fits; details then tell how many points are open (not looked at), and
    open_cost, below which none of them costs.

    Sources: LeFevre, DeWitt and Ramakrishnan 2005; El Emam et al. 2009; Kohlmayer et al. 2012; Prasser et al.
    2016.
    """
    form = {
        "suppression_limit": suppression_limit, "measure": measure, "aggregate": aggregate,
        "monotonic": monotonic,
        "gs_factor": gs_factor, "weights": in_order(weights, qi, "weights", 1.0),
        "min_levels": in_order(min_levels, qi, "min_levels", None),
        "max_levels": in_order(max_levels, qi, "max_levels", None), "seed": seed, "unit": unit,
    }  # fmt: skip
    return _release(
        con, "optimal", source, roles(qi, sensitive, keep), into, replace, progress, requirements,
        hierarchies,
        population, known, presence, form,
        {"weights": weights, "min_levels": min_levels, "max_levels": max_levels},
        local_recoding=local_recoding, time_limit=time_limit,
    )  # fmt: skip


@connection_first
def samarati(
    con: duckdb.DuckDBPyConnection,
    source: Source,
    *,
    qi: Names,
    sensitive: Names | None = None,
    keep: Names = (),
    hierarchies: Source = None,
    population: Source = None,
    suppression_limit: float = 0.0,
    seed: int | None = None,
    unit: str | None = None,
    known: Sequence[Source] | None = None,
    presence: Names | None = None,
    into: str | None = None,
    replace: bool = False,
    progress: Progress | bool | None = None,
    **requirements: Unpack[Requirements],
) -> Release:
    """Release a generalization of least height, found by binary search on the height (Samarati 2001, sec. 5).

    Which requirements this is exact for: see the macro `sqlanon.samarati`, which gives the same rows.
    """
    form = {"suppression_limit": suppression_limit, "seed": seed, "unit": unit}
    return _release(
        con, "samarati", source, roles(qi, sensitive, keep), into, replace, progress, requirements,
        hierarchies,
        population, known, presence, form,
    )  # fmt: skip


@connection_first
def datafly(
    con: duckdb.DuckDBPyConnection,
    source: Source,
    *,
    qi: Names,
    sensitive: Names | None = None,
    keep: Names = (),
    hierarchies: Source = None,
    population: Source = None,
    suppression_limit: float = 0.0,
    seed: int | None = None,
    unit: str | None = None,
    known: Sequence[Source] | None = None,
    presence: Names | None = None,
    into: str | None = None,
    replace: bool = False,
    progress: Progress | bool | None = None,
    **requirements: Unpack[Requirements],
) -> Release:
    """Generalize the column with the most distinct values, again and again, until it is enough.

    Source: Sweeney 1997.
    """
    form = {"suppression_limit": suppression_limit, "seed": seed, "unit": unit}
    return _release(
        con, "datafly", source, roles(qi, sensitive, keep), into, replace, progress, requirements,
        hierarchies,
        population, known, presence, form,
    )  # fmt: skip


def _release(
    con: duckdb.DuckDBPyConnection,
    macro: str,
    source: Source,
    columns: dict[str, list[str] | None],
    into: str | None,
    replace: bool,
    progress: Progress | bool | None,
    requirements: Requirements,
    hierarchies: Source,
    population: Source,
    known: Sequence[Source] | None,
    presence: Names | None,
    form: Mapping[str, Any],
    recorded: Mapping[str, Any] | None = None,
    **beyond: Any,
) -> Release:
    return anonymize(
        con, source, columns, into, replace, progress, FullDomain, macro,
        {**complete(requirements), **form, "presence": names(presence, "presence")},
        hierarchies=hierarchies, population=population, known=known, recorded=recorded, beyond=beyond,
    )  # fmt: skip
