"""Units of work, one after the other, each in the laboratory of its data set."""

from __future__ import annotations

import duckdb

from sqlanon.core.errors import SqlanonError
from sqlanon.experiments.ganta2008 import randomized
from sqlanon.experiments.ganta2008.plan import Settings, Unit
from sqlanon.experiments.ganta2008.runs import Laboratory, Result


def run(laboratory: Laboratory, unit: Unit) -> list[Result]:
    """What is measured in a unit."""
    match unit.requirement:
        case "none":
            return laboratory.attributes(unit)
        case "k":
            return laboratory.anonymous(unit, int(unit.amount))
        case "epsilon" | "response" | "left out":
            return randomized.run(laboratory, unit)
        case _:
            return laboratory.diverse(unit)


class Runner:
    """Runs units, one after the other, in the laboratory of the last one if that will do."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.place: tuple[str, int] | None = None
        self.laboratory: Laboratory | None = None

    def __call__(self, unit: Unit) -> list[Result]:
        try:
            if self.laboratory is None or self.place != (unit.data, unit.seed):
                self.close()
                self.laboratory = Laboratory(self.settings, unit.data, unit.seed)
                self.place = unit.data, unit.seed
            return run(self.laboratory, unit)
        except (SqlanonError, duckdb.Error) as error:
            raise SqlanonError(f"{unit}: {error}") from None  # goes from one process to another

    def close(self) -> None:
        if self.laboratory:
            self.laboratory.con.close()
        self.laboratory = None
