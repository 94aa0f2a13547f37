"""Full-domain generalization over tables, DataFrames and relations: what can be asked for.

Common to all functions here: sources, roles, requirements, unit, into, replace, progress, errors and what happens after an
interrupt are as in `sqlanon.mondrian`. Rows of classes that violate a requirement are suppressed, and counted in the
release's suppressed_rows; suppression_limit is the share of rows (0 to 1) for which that may happen. Levels and
weights are given by column name, or as lists in the order of qi. The release's details tell the levels by column,
the cost (by the measure), points (of the lattice) and how many of them were looked_at.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar, Unpack

import duckdb

from sqlanon.core.errors import InputError
from sqlanon.core.release import Progress, Release
from sqlanon.core.requirements import Requirements, complete
from sqlanon.core.source import Source, names, roles

Names = str | Iterable[str]
Number = TypeVar("Number", int, float)
Levels = Mapping[str, int] | Sequence[int]
Weights = Mapping[str, float] | Sequence[float]


def in_order(
    given: Mapping[str, Number] | Sequence[Number] | None,
    qi: Names,
    parameter: str,
    unsaid: Number | None,
) -> list[Number | None] | None:
    """Numbers by column as a list in the order of qi; unsaid for columns that are not mentioned."""
    if not isinstance(given, Mapping):
        return None if given is None else list(given)
    by_name = {column.lower(): number for column, number in given.items()}
    columns = names(qi, "qi") or []
    known = {column.lower() for column in columns}
    for column in given:
        if column.lower() not in known:
            raise InputError(f'{parameter} names column "{column}", which is not in qi: {", ".join(columns)}')
    return [by_name.get(column.lower(), unsaid) for column in columns]


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
    into: str | None = None,
    replace: bool = False,
    progress: Progress | None = None,
    **requirements: Unpack[Requirements],
) -> Release:
    """Generalize every column in qi to one level of its hierarchy (Samarati 2001, sec. 4).

    levels: of the columns; those that are not mentioned stay as they are (level 0).
    Errors: also InputError if more rows than allowed would be suppressed, or a level does not exist.
    """
    asked = in_order(levels, qi, "levels", 0)
    return _release(
        con, source, qi, sensitive, keep, hierarchies, population, suppression_limit, seed, unit, into, replace, progress, requirements,
        {"levels": levels}, strategy="all", least=asked, most=asked, parameters=("levels", "levels"),
    )  # fmt: skip


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
    into: str | None = None,
    replace: bool = False,
    progress: Progress | None = None,
    **requirements: Unpack[Requirements],
) -> Release:
    """Release the best full-domain generalization that meets the requirements.

    measure, aggregate, monotonic, gs_factor, weights, min_levels, max_levels: as in the macro `sqlanon.optimal`, which
    gives the same rows; columns that weights does not mention weigh 1, those that a bound on levels does not mention
    have none. local_recoding: the rows that the best point suppresses are generalized again, by the best point for
    them, until nothing more can be released (with suppression_limit=1 most is gained); the macro does not do that.
    time_limit: seconds after which the best point found so far is taken, if any fits; details then tell how many
    points are open (not looked at), and open_cost, below which none of them costs.
    Sources: LeFevre, DeWitt and Ramakrishnan 2005; El Emam et al. 2009; Kohlmayer et al. 2012; Prasser et al. 2016.
    """
    bounds = {"min_levels": min_levels, "max_levels": max_levels}
    given = {
        "measure": measure, "aggregate": aggregate, "monotonic": monotonic, "gs_factor": gs_factor, "weights": weights,
        **bounds, "local_recoding": local_recoding, "time_limit": time_limit,
    }  # fmt: skip
    return _release(
        con, source, qi, sensitive, keep, hierarchies, population, suppression_limit, seed, unit, into, replace, progress, requirements,
        given, strategy="bounds", measure=measure, aggregate=aggregate, monotonic=monotonic, gs_factor=gs_factor,
        weights=in_order(weights, qi, "weights", 1.0), least=in_order(min_levels, qi, "min_levels", 0),
        most=in_order(max_levels, qi, "max_levels", None), local_recoding=local_recoding, time_limit=time_limit,
    )  # fmt: skip


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
    into: str | None = None,
    replace: bool = False,
    progress: Progress | None = None,
    **requirements: Unpack[Requirements],
) -> Release:
    """Release a generalization of least height, found by binary search on the height (Samarati 2001, sec. 5).

    Which requirements this is exact for: see the macro `sqlanon.samarati`, which gives the same rows.
    """
    return _release(
        con, source, qi, sensitive, keep, hierarchies, population, suppression_limit, seed, unit, into, replace, progress, requirements,
        {}, strategy="middle",
    )  # fmt: skip


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
    into: str | None = None,
    replace: bool = False,
    progress: Progress | None = None,
    **requirements: Unpack[Requirements],
) -> Release:
    """Generalize the column with the most distinct values, again and again, until it is enough (Sweeney 1997)."""
    return _release(
        con, source, qi, sensitive, keep, hierarchies, population, suppression_limit, seed, unit, into, replace, progress, requirements,
        {}, strategy="all", datafly=True,
    )  # fmt: skip


def _release(
    con: duckdb.DuckDBPyConnection,
    source: Source,
    qi: Names,
    sensitive: Names | None,
    keep: Names,
    hierarchies: Source,
    population: Source,
    suppression_limit: float,
    seed: int | None,
    unit: str | None,
    into: str | None,
    replace: bool,
    progress: Progress | None,
    requirements: Requirements,
    given: Mapping[str, Any],
    **choice: Any,
) -> Release:
    from sqlanon.anonymize import driver, full_domain_driver  # with sqlglot, which is slow to import

    required = complete(requirements)
    how = full_domain_driver.Choice(**choice)
    return driver.anonymize(
        con,
        source,
        roles(qi, sensitive, keep),
        into,
        replace,
        progress or (lambda done, message: None),
        lambda task: full_domain_driver.FullDomain(task, required, suppression_limit, seed, how),
        given={**required, "suppression_limit": suppression_limit, **given, "seed": seed},
        hierarchies=hierarchies,
        population=population,
        unit=unit,
    )
