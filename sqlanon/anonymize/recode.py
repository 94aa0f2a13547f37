"""Recoding a table as another release was recoded: fit once, apply again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from sqlanon.anonymize.driver import CodedAnonymizer
from sqlanon.core.statements import call, execute, named_table, select

SHOWN = 5  # values without a place, of a column


class Recoding(CodedAnonymizer):
    """The chain of sql/anonymize/recode.sql."""

    phases: ClassVar = {"place": "recoding"}
    blind: ClassVar = {
        "population": "give mondrian the population",
        "known": "its classes are those of the scheme, whatever is out; take mondrian",
    }

    def losses(self) -> tuple[int, int]:
        """Rows without a place, and in classes that violate a requirement."""
        loss = named_table(self.chain.table("loss"))
        [(unplaced, violating)] = execute(self.con, select(loss, "unplaced", "violating"))
        return unplaced, violating

    def suppressed(self) -> int:
        return sum(self.losses())

    def details(self) -> Mapping[str, Any]:
        """unplaced_rows (that the scheme has no place for), unplaced_values (by column, the first of those
        that no part of the scheme covers), and violating_rows (in classes that violate a requirement). All of
        them are suppressed."""
        unplaced, violating = self.losses()
        values: dict[str, list[str | None]] = {}
        relations = map(self.chain.table, ("scheme", "scheme_value", "target"))
        without = call("_values_without_place", *relations, self.qi)
        for attribute, value in execute(self.con, without):
            if len(values.setdefault(attribute, [])) < SHOWN:
                values[attribute].append(value)
        return {"unplaced_rows": unplaced, "unplaced_values": values, "violating_rows": violating}
