"""A release: where it is, and what it reaches."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import duckdb

Progress = Callable[[float, str], None]  # the share that is done (0 to 1), and a message

# The models that parameters ask for, by the names of sqlanon.privacy; t is one of three.
MODELS = {
    "l": "distinct l-diversity",
    "entropy_l": "entropy l-diversity",
    "recursive_c": "recursive (c, l)-diversity",
    "alpha": "(alpha, k)-anonymity",
    "beta": "beta-likeness (basic)",
    "enhanced_beta": "beta-likeness (enhanced)",
    "delta_disclosure": "delta-disclosure",
}


def models(requirements: Mapping[str, Any]) -> set[str]:
    """The models that are required, and k-anonymity."""
    asked = {name for name, value in requirements.items() if value is not None}
    required = {"k-anonymity"} | {model for name, model in MODELS.items() if name in asked}
    return required | ({f"t-closeness ({requirements['t_distance']})"} if "t" in asked else set())


@dataclass(frozen=True)
class Release:
    """A finished and verified release.

    table: its name, as SQL takes it. parameters: what was asked for. reached: per model (k-anonymity and the
    required ones; "model of column" where several sensitive columns are judged) the value of the worst class.
    classes, rows, suppressed_rows: counts. seconds: how long it took.
    """

    table: str
    parameters: Mapping[str, Any]
    reached: Mapping[str, float]
    classes: int
    rows: int
    suppressed_rows: int
    seconds: float

    def relation(self, con: duckdb.DuckDBPyConnection) -> duckdb.DuckDBPyRelation:
        """The release as a relation of the connection that made it (any, if it is not temporary)."""
        from sqlanon import statements  # with sqlglot, which is slow to import

        return con.sql(statements.render(statements.select(statements.named_table(self.table))))

    def __str__(self) -> str:
        reached = ", ".join(f"{model} {value:.6g}" for model, value in self.reached.items())
        return (
            f"{self.table}: {self.rows:,} rows in {self.classes:,} classes, "
            f"{self.suppressed_rows:,} rows suppressed, {self.seconds:.2f} s; reached: {reached}"
        )
