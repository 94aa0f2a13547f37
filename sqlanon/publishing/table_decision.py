"""What a decision page tells of a table of counts or sums."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from sqlglot import exp

from sqlanon.core.files import column_names
from sqlanon.core.source import lower
from sqlanon.core.statements import call, execute, relation, select
from sqlanon.judge.evidence import Subjects
from sqlanon.policies.tables import TablePolicy
from sqlanon.publishing.decision import Looked, first_rows, forms_of
from sqlanon.publishing.register import Entry
from sqlanon.publishing.table_remedies import cells_of
from sqlanon.tables.making import Making

FIRST = 5  # cells that are shown
OF_CELLS = ("value", "mean")


@dataclass
class LookedAtTable(Looked):
    """What is seen of a table once it is judged: give `look` to publish_table as `made`. rules: its
    policy."""

    rules: TablePolicy = field(kw_only=True)

    @property
    def unit(self) -> str | None:
        unit: str | None = self.rules.section.get("unit")
        return unit

    @property
    def counted(self) -> str:
        section = self.rules.section
        return "sums" if "measure" in section else "people" if "unit" in section else "rows"

    def subjects(self) -> Subjects:
        return Subjects(self.source, self.rules.dimensions, unit=self.unit)

    def is_like(self, entry: Entry) -> bool:
        """Is it a table of ours by the same columns?"""
        return entry.is_of_cells and not entry.is_foreign and lower(entry.qi) == lower(self.rules.dimensions)

    def look(self, made: Making) -> None:  # type: ignore[override]
        """What leaves, and how much of it is hidden."""
        section, dimensions = self.rules.section, self.rules.dimensions
        published = made.made.published
        names = [*dimensions, *(name for name in OF_CELLS if name in column_names(self.con, published))]
        forms = [forms_of(self.con, name) for name in (made.source, published)]
        used = lower([*dimensions, *(section[name] for name in ("measure", "mean") if name in section)])
        kept_back = [name for name in column_names(self.con, self.source) if name.lower() not in used]
        columns = [
            {
                "column": name,
                "role": "dimension",
                "how": "label",
                "looks_like": None,
                "verdict": "holds",
                "before": forms[0].get(name.lower(), []),
                "after": forms[1].get(name.lower(), []),
            }
            for name in dimensions
        ]
        for name in names[len(dimensions) :]:
            how = "mean" if name == "mean" else self.counted
            columns.append(
                {
                    "column": name, "role": "value", "how": how, "looks_like": None, "verdict": "holds",
                    "before": [], "after": forms[1].get(name, []),
                }
            )  # fmt: skip
        self.facts = {
            "table": self.about(made),
            "columns": columns,
            "never_leave": kept_back,
            "first_rows": {
                "shows_values": self.shows_values, "columns": names, "rows": self._first(made, names),
            },
        }  # fmt: skip

    def about(self, made: Making) -> dict[str, Any]:
        """What it counts, and how many cells are hidden."""
        section, (every, hidden, breaking) = self.rules.section, cells_of(self.con, made)
        return {
            "cells": every, "hidden": hidden, "breaking": breaking, "counted": self.counted,
            "people": self._people(made.source), "method": section["method"],
            "dimensions": self.rules.dimensions, "measure": section.get("measure"), "rules": self.rules.rules,
            "filter": section.get("filter"), "period": section.get("period"),
        }  # fmt: skip

    def _people(self, source: str) -> int | None:
        """Of how many people it is; None where rows are counted."""
        if self.unit is None:
            return None
        unit = exp.column(self.unit, quoted=True)
        distinct = exp.Count(this=exp.Distinct(expressions=[unit]))
        written_once = call("_with_one_spelling", source, [self.unit], []).subquery()
        [(people,)] = execute(self.con, select(written_once, distinct))
        return int(people)

    def _first(self, made: Making, names: list[str]) -> list[list[str]]:
        """The first cells; labels as their forms, where values are not to be shown."""
        of_cells = [exp.column(each, quoted=True) for each in names]
        ordered = made.in_order(select(relation(made.made.published), *of_cells))
        first = made.work.make("first_cells", ordered.limit(FIRST)).name
        total = made.policy.section.get("total", "total")
        rows = first_rows(self.con, first, self.source, made.policy.dimensions, not self.shows_values)
        as_it_is = execute(self.con, select(relation(first), *of_cells))
        for row, cells in zip(rows, as_it_is, strict=True):
            for place, (name, cell) in enumerate(zip(names, cells, strict=True)):
                if name not in made.policy.dimensions or cell == total:
                    row[place] = "" if cell is None else str(cell)
        return rows
