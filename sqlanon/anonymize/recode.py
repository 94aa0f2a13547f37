"""Recoding a table as another release was recoded: fit once, apply again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, Unpack

import duckdb

from sqlanon.anonymize.driver import CodedAnonymizer, anonymize
from sqlanon.core.connection import connection_first
from sqlanon.core.release import Progress, Release
from sqlanon.core.requirements import Requirements, complete
from sqlanon.core.source import Source, roles
from sqlanon.core.statements import call, execute, named_table, select

SHOWN = 5  # values without a place, of a column


class Recoding(CodedAnonymizer):
    """The chain of sql/anonymize/recode.sql."""

    phases: ClassVar = {"place": "recoding"}

    def losses(self) -> tuple[int, int]:
        """Rows without a place, and in classes that violate a requirement."""
        loss = named_table(self.chain.table("loss"))
        [(unplaced, violating)] = execute(self.con, select(loss, "unplaced", "violating"))
        return unplaced, violating

    def suppressed(self) -> int:
        return sum(self.losses())

    def details(self) -> Mapping[str, Any]:
        """What no longer holds: unplaced_rows (that the scheme has no place for), unplaced_values (by column,
        the first of those that no part of the scheme covers), and violating_rows (in classes that violate a
        requirement). All of them are suppressed."""
        unplaced, violating = self.losses()
        values: dict[str, list[str | None]] = {}
        without = call(
            "_values_without_place", self.chain.table("scheme_value"), self.chain.table("target"), self.qi
        )
        for attribute, value in execute(self.con, without):
            if len(values.setdefault(attribute, [])) < SHOWN:
                values[attribute].append(value)
        return {"unplaced_rows": unplaced, "unplaced_values": values, "violating_rows": violating}


@connection_first
def recode(
    con: duckdb.DuckDBPyConnection,
    source: Source,
    scheme: Source,
    *,
    qi: str | Iterable[str],
    sensitive: str | Iterable[str] | None = None,
    keep: str | Iterable[str] = (),
    hierarchies: Source = None,
    suppression_limit: float = 0.0,
    seed: int | None = None,
    unit: str | None = None,
    into: str | None = None,
    replace: bool = False,
    progress: Progress | bool | None = None,
    **requirements: Unpack[Requirements],
) -> Release:
    """Recode a table by the scheme of another release, so that its categories stay what they were.

    scheme: rows of class_id, attribute, covers and label (and of within and beyond, if any), as of
    `scheme_of_cuts` and `scheme_of_levels`.
    hierarchies: those of sensitive columns. suppression_limit: the share of rows (0 to 1) that may be
    suppressed: those with values that the scheme has no place for, and those of classes that violate a
    requirement today. All else is as in `mondrian`. The release's details tell both: unplaced_rows,
    unplaced_values (by column) and violating_rows.

    Errors: as of `mondrian`, and InputError if more rows than allowed would be suppressed, or all; if the
    scheme says nothing of a column, or has several places for the same values.
    """
    form = {"suppression_limit": suppression_limit, "seed": seed, "unit": unit}
    required = complete(
        requirements, "recode", population="give mondrian the population",
        known="its classes are those of the scheme, whatever is out; take mondrian",
    )  # fmt: skip
    return anonymize(
        con, source, roles(qi, sensitive, keep), into, replace, progress, Recoding, "recode",
        required | form, hierarchies=hierarchies, scheme=scheme,
    )  # fmt: skip
