"""Full-domain generalization of tables of Spark: levels are found on the driver, from the distinct
combinations; Spark joins the labels to the rows.

Common to both functions: parameters, rows, errors and details are as of those in `sqlanon`, and the result is
a `Release`, whose `df()` is the DataFrame.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Unpack

from sqlanon.anonymize.full_domain_search import FullDomain
from sqlanon.core.answer import Names
from sqlanon.core.by_column import Levels, Weights, in_order
from sqlanon.core.requirements import Requirements, complete
from sqlanon.core.source import Source, roles
from sqlanon.spark.counted import Others, released
from sqlanon.spark.driver import SparkSource, of_spark
from sqlanon.spark.release import Release


def generalize(
    source: SparkSource,
    *,
    qi: Names,
    levels: Levels,
    sensitive: Names | None = None,
    keep: Names = (),
    hierarchies: Source = None,
    population: SparkSource | None = None,
    suppression_limit: float = 0.0,
    seed: int | None = None,
    unit: str | None = None,
    known: Sequence[SparkSource] | None = None,
    presence: Names | None = None,
    **requirements: Unpack[Requirements],
) -> Release:
    """Generalize every column in qi to one level of its hierarchy: as `sqlanon.generalize`."""
    form = {
        "levels": in_order(levels, qi, "levels", 0), "suppression_limit": suppression_limit, "seed": seed,
        "unit": unit,
    }  # fmt: skip
    return released(
        "generalize", FullDomain, of_spark(source), roles(qi, sensitive, keep), complete(requirements), form,
        Others(hierarchies, population, known, presence), {"levels": levels},
    )  # fmt: skip


def optimal(
    source: SparkSource,
    *,
    qi: Names,
    sensitive: Names | None = None,
    keep: Names = (),
    hierarchies: Source = None,
    population: SparkSource | None = None,
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
    known: Sequence[SparkSource] | None = None,
    presence: Names | None = None,
    **requirements: Unpack[Requirements],
) -> Release:
    """Release the best full-domain generalization that meets the requirements: as `sqlanon.optimal`."""
    form = {
        "suppression_limit": suppression_limit, "measure": measure, "aggregate": aggregate,
        "monotonic": monotonic, "gs_factor": gs_factor, "weights": in_order(weights, qi, "weights", 1.0),
        "min_levels": in_order(min_levels, qi, "min_levels", None),
        "max_levels": in_order(max_levels, qi, "max_levels", None), "seed": seed, "unit": unit,
    }  # fmt: skip
    return released(
        "optimal", FullDomain, of_spark(source), roles(qi, sensitive, keep), complete(requirements), form,
        Others(hierarchies, population, known, presence),
        {"weights": weights, "min_levels": min_levels, "max_levels": max_levels},
        local_recoding=local_recoding, time_limit=time_limit,
    )  # fmt: skip
