"""A release that Spark holds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pyspark.sql import DataFrame

from sqlanon.core import release


@dataclass(frozen=True)
class Release:
    """A verified release: `df()` is the DataFrame, to be written wherever the session writes.

    The others are as in `sqlanon.Release`: parameters, reached, required, classes, rows, suppressed_rows,
    seconds, details, people.
    """

    frame: DataFrame = field(repr=False, compare=False)
    parameters: Mapping[str, Any]
    reached: Mapping[str, float]
    required: Mapping[str, float]
    classes: int
    rows: int
    suppressed_rows: int
    seconds: float
    details: Mapping[str, Any] = field(default_factory=dict)
    people: int | None = None

    def df(self) -> DataFrame:
        """As a DataFrame of Spark."""
        return self.frame

    @property
    def columns(self) -> list[str]:
        return self.frame.columns

    def __str__(self) -> str:
        """As of `sqlanon.Release`."""
        in_duckdb = release.Release(
            "release", self.parameters, self.reached, self.classes, self.rows, self.suppressed_rows,
            self.seconds, self.details, self.people,
        )  # fmt: skip
        return str(in_duckdb)
