"""What a table of Spark discloses: its combinations are counted there, and judged by macros on the driver.

Parameters, rows and errors are those of the functions of these names in `sqlanon`. Answers are small tables,
as DataFrames of Spark. With a unit the driver gets the combinations of every person.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Unpack

from pyspark.sql import DataFrame

from sqlanon.core.answer import Names
from sqlanon.core.requirements import Requirements, complete
from sqlanon.core.source import Source, listed, lower, names
from sqlanon.core.statements import call
from sqlanon.spark.driver import Driver, SparkSource, driver, of_spark, refuse_collations


def _table(
    at: Driver, source: SparkSource, columns: Sequence[str], weight: str | None, by_row: bool, title: str
) -> tuple[str, str]:
    """A table for the macros, and its column of weights: combinations that were counted; or, where rows have
    weights of their own or are somebody's, as often as there are rows."""
    frame = of_spark(source, title)
    if weight is not None:
        return at.repeated(frame, [*columns, weight], title), weight
    return (at.repeated if by_row else at.counted)(frame, columns, title), at.n


def classes(source: SparkSource, qi: Names, unit: str | None = None, weight: str | None = None) -> DataFrame:
    """One row per equivalence class: as `sqlanon.classes`."""
    given = names(qi, "qi") or []
    frame = of_spark(source)
    refuse_collations(frame, given)
    with driver(frame) as at:
        whose = names(unit, "unit") or []
        table, counted = _table(at, frame, [*given, *whose], weight, unit is not None, "source")
        return at.frame(
            call("classes", table, qi=given, unit=unit, weight=None if unit is not None else counted)
        )


def privacy(
    source: SparkSource,
    qi: Names,
    sensitive: Names | None = None,
    hierarchies: Source = None,
    l: int = 2,
    *,
    population: SparkSource | None = None,
    reference: SparkSource | None = None,
    suppressed: str = "value",
    released: bool | None = None,
    unit: str | None = None,
    weight: str | None = None,
    population_weight: str | None = None,
) -> DataFrame:
    """What a table reaches, a row per model and sensitive column: as `sqlanon.privacy`."""
    return _judged(
        "privacy", source, qi, sensitive, hierarchies, population, reference, unit, weight, population_weight,
        {"l": l, "suppressed": suppressed, "released": released},
    )  # fmt: skip


def violations(
    source: SparkSource,
    qi: Names,
    sensitive: Names | None = None,
    hierarchies: Source = None,
    *,
    population: SparkSource | None = None,
    reference: SparkSource | None = None,
    suppressed: str = "value",
    released: bool | None = None,
    unit: str | None = None,
    weight: str | None = None,
    population_weight: str | None = None,
    known: Sequence[SparkSource] | None = None,
    presence: Names | None = None,
    unchanged: Names | None = None,
    **requirements: Unpack[Requirements],
) -> DataFrame:
    """The classes that violate a requirement; best none: as `sqlanon.violations`."""
    form = {
        "suppressed": suppressed, "released": released, "presence": names(presence, "presence"),
        "unchanged": names(unchanged, "unchanged"), **complete(requirements),
    }  # fmt: skip
    return _judged(
        "violations", source, qi, sensitive, hierarchies, population, reference, unit, weight,
        population_weight, form, known,
    )  # fmt: skip


def _judged(
    macro: str,
    source: SparkSource,
    qi: Names,
    sensitive: Names | None,
    hierarchies: Source,
    population: SparkSource | None,
    reference: SparkSource | None,
    unit: str | None,
    weight: str | None,
    population_weight: str | None,
    form: dict[str, Any],
    known: Sequence[SparkSource] | None = None,
) -> DataFrame:
    """The answer of a macro that judges classes."""
    frame = of_spark(source)
    columns, judged = names(qi, "qi") or [], names(sensitive, "sensitive") or []
    refuse_collations(frame, columns)
    whose = names(unit, "unit") or []
    unchanged = form.get("unchanged") or []
    by_row = unit is not None
    with driver(frame) as at:
        table, counted = _table(at, frame, [*columns, *judged, *unchanged, *whose], weight, by_row, "source")
        tables: dict[str, Any] = {"hierarchies": at.other(hierarchies, "hierarchies")}
        if reference is not None:
            located = [*columns, *(form.get("presence") or [])] if known is not None else []
            looked_at = [*located, *judged, *unchanged, *whose]
            tables["reference"], _ = _table(at, reference, looked_at, weight, by_row, "reference")
        if known is not None:
            frames = [
                of_spark(each, f"known release {i}") for i, each in enumerate(listed(known, "known"), 1)
            ]
            tables["known"] = [
                at.repeated(
                    each,
                    [*columns, *judged, *(name for name in unchanged if name.lower() in lower(each.columns))],
                    f"known release {i}",
                )
                for i, each in enumerate(frames, 1)
            ]
        if population is not None:
            tables["population"], population_weight = _table(
                at, population, columns, population_weight, False, "population"
            )
        return at.frame(call(
            macro, table, qi=columns, sensitive=judged or None, unit=unit,
            weight=None if by_row else counted, population_weight=population_weight,
            **tables, **form,
        ))  # fmt: skip
