"""What a table of Spark discloses: its combinations are counted there, and judged by macros on the driver.

Parameters, rows and errors are those of the functions of these names in `sqlanon`. Answers are small tables,
as DataFrames of Spark. With a unit the driver gets the combinations of every person.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pyspark.sql import DataFrame

from sqlanon.core.source import lower, names
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


def judged(macro: str, source: SparkSource, **given: Any) -> DataFrame:
    """The answer of a macro that judges classes, or counts them."""
    unit, weight, known = (given.get(name) for name in ("unit", "weight", "known"))
    columns, sensitive = given["qi"] or [], given.get("sensitive") or []
    unchanged = given.get("unchanged") or []
    frame = of_spark(source)
    refuse_collations(frame, columns)
    whose, by_row = names(unit, "unit") or [], unit is not None
    with driver(frame) as at:
        read = [*columns, *sensitive, *unchanged, *whose]
        table, counted = _table(at, frame, read, weight, by_row, "source")
        others: dict[str, Any] = {"weight": None if by_row else counted}
        if given.get("hierarchies") is not None:
            others["hierarchies"] = at.other(given["hierarchies"], "hierarchies")
        if (reference := given.get("reference")) is not None:
            located = [*columns, *(given.get("presence") or [])] if known is not None else []
            looked_at = [*located, *sensitive, *unchanged, *whose]
            others["reference"], _ = _table(at, reference, looked_at, weight, by_row, "reference")
        if known is not None:
            others["known"] = []
            for i, each in enumerate(known, 1):
                release = of_spark(each, f"known release {i}")
                kept = [name for name in unchanged if name.lower() in lower(release.columns)]
                read = [*columns, *sensitive, *kept]
                others["known"].append(at.repeated(release, read, f"known release {i}"))
        if (population := given.get("population")) is not None:
            others["population"], others["population_weight"] = _table(
                at, population, columns, given["population_weight"], False, "population"
            )
        return at.frame(call(macro, table, **{**given, **others}))
