"""Full-domain generalization of tables of Spark: levels are found on the driver, from the distinct
combinations; Spark joins the labels to the rows.

Common to both functions: parameters, rows, errors and details are as of those in `sqlanon`, and the result is
a `Release`, whose `df()` is the DataFrame. It has been verified as it would be read: the source is read to be
counted, once more to be verified, and again when the release is written. So it must be the same each time (a
file, a table's snapshot); a row that was not counted is an error.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from time import perf_counter
from typing import Any, Unpack

from pyspark.sql import DataFrame
from pyspark.sql import functions as F
from sqlglot import exp

from sqlanon.anonymize.driver import Task
from sqlanon.anonymize.full_domain_search import FullDomain
from sqlanon.core.answer import Names
from sqlanon.core.by_column import Levels, Weights, in_order
from sqlanon.core.requirements import Requirements, complete
from sqlanon.core.source import Source, fresh_name, roles
from sqlanon.core.statements import call, named_table, render, select
from sqlanon.spark.driver import Driver, SparkSource, driver, of_spark, refuse
from sqlanon.spark.publishing import CHANGED, checked_roles, finished, judged_columns, positional
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
    refuse("generalize", {"population": population, "unit": unit, "known": known, "presence": presence})
    form = {"levels": in_order(levels, qi, "levels", 0), "suppression_limit": suppression_limit}
    return _release(
        "generalize", of_spark(source), roles(qi, sensitive, keep), requirements, hierarchies, form, seed,
        {"levels": levels},
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
    refuse("optimal", {"population": population, "unit": unit, "known": known, "presence": presence})
    form = {
        "suppression_limit": suppression_limit, "measure": measure, "aggregate": aggregate,
        "monotonic": monotonic, "gs_factor": gs_factor, "weights": in_order(weights, qi, "weights", 1.0),
        "min_levels": in_order(min_levels, qi, "min_levels", None),
        "max_levels": in_order(max_levels, qi, "max_levels", None),
    }  # fmt: skip
    return _release(
        "optimal", of_spark(source), roles(qi, sensitive, keep), requirements, hierarchies, form, seed,
        {"weights": weights, "min_levels": min_levels, "max_levels": max_levels},
        local_recoding=local_recoding, time_limit=time_limit,
    )  # fmt: skip


def _release(
    macro: str,
    frame: DataFrame,
    columns: dict[str, list[str] | None],
    requirements: Requirements,
    hierarchies: Source,
    form: Mapping[str, Any],
    seed: int | None,
    recorded: Mapping[str, Any],
    **beyond: Any,
) -> Release:
    started = perf_counter()
    asked = complete(requirements)
    with driver(frame) as at:
        checked_roles(at, frame, columns)
        judged = judged_columns(at, columns["sensitive"], asked)
        given = at.other(hierarchies, "hierarchies")
        counts, run, labels = _searched(at, frame, macro, columns, judged, given, {**asked, **form}, beyond)
        raw = [F.col(f"q{i}").eqNullSafe(F.col(f"raw{i}")) for i in range(1, len(run.qi) + 1)]
        located = positional(at, frame, columns).join(F.broadcast(labels), raw, "left")
        kept = located.where(F.coalesce("is_kept", F.raise_error(F.lit(CHANGED)).cast("boolean")))
        told = {**columns, **asked, **form, **beyond, **recorded, "seed": seed}
        return finished(
            at, kept, columns, judged, given, asked, counts, run.suppressed(), seed, told, run.details(),
            started,
        )  # fmt: skip


def _searched(
    at: Driver,
    frame: DataFrame,
    macro: str,
    columns: dict[str, list[str] | None],
    judged: list[str],
    hierarchies: str | None,
    form: Mapping[str, Any],
    beyond: Mapping[str, Any],
) -> tuple[str, FullDomain, DataFrame]:
    """The table of counts, the search, and what is released of each combination of quasi-identifiers."""
    qi = columns["qi"] or []
    raws = [fresh_name(f"raw{i}") for i, _ in enumerate(qi, 1)]
    copied = [
        exp.Alias(this=exp.column(name, quoted=True), alias=exp.to_identifier(raw))
        for name, raw in zip(qi, raws, strict=True)
    ]
    counted = named_table(at.counted(frame, [*qi, *judged], "source"))
    counts = render(at.work.make("counts", select(counted, "*", *copied)))
    roles = {"qi": qi, "sensitive": judged or None, "keep": raws}
    arguments = {**roles, **form, "tbl": counts, "hierarchies": hierarchies}
    run = FullDomain(Task(at.con, at.work, macro, arguments, roles), **beyond)
    combinations = call("_numbered_combinations", counts, qi, judged, at.n)
    run.chain.provide("combination", lambda: at.work.make("combination", combinations))
    run.run(lambda done, message: None)
    released = at.work.make("labelled", run.release())
    return counts, run, at.frame(call("_recoded_combinations", counts, render(released), qi, raws))
