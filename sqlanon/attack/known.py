"""What an adversary knows, as attacks take it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from sqlglot import exp

from sqlanon.attack.intersection import formats_given, of_release, unknown_texts
from sqlanon.attack.located import Located
from sqlanon.core import comments
from sqlanon.core.source import Source, names
from sqlanon.core.statements import call

INTERSECTION = "intersection_attack"
EXACT_COVER = "exact_cover"

# Of what an adversary knows, as the intersection attack takes it: all of it, tables, and lists of columns.
ROLES = {name: each.type for name, each in comments.parameters(INTERSECTION).items() if name != "releases"}
OF_TABLES = [name for name, type_ in ROLES.items() if type_ == "table"]
OF_COLUMNS = [name for name, type_ in ROLES.items() if type_ in ("columns", "list of columns")]


@dataclass(frozen=True)
class Known:
    """What an adversary knows. Tables are names for query_table.

    releases: what each is called -> its name. nearest: which of them are of centroids. presence: a column of
    the targets per release. unknown: how cells of the targets that are not known are written. negations,
    priors, priors_by, unchanged, values_may_change, distinct_spellings: as in `intersection_attack`.
    missing_counts: as in `homogeneity`. parameters: others, by their name or by attack.name.
    located: where the targets are, if that is known; attacks find the same by themselves. What it calls the
    releases is what they are called here.
    """

    releases: Mapping[str, str]
    qi: Sequence[str] = ()
    sensitive: Sequence[str] = ()
    targets: str | None = None
    id: str | None = None
    hierarchies: str | None = None
    truth: Sequence[str] = ()
    controls: str | None = None
    nearest: Sequence[bool] = ()
    presence: Sequence[str] = ()
    unit: str | None = None
    weight: str | None = None
    formats: Mapping[str, str] = field(default_factory=dict)
    unknown: Sequence[str] = ()
    negations: str | None = None
    priors: str | None = None
    priors_by: Sequence[str] = ()
    unchanged: Sequence[str] = ()
    values_may_change: Sequence[str] = ()
    distinct_spellings: Sequence[str] = ()
    missing_counts: bool = False
    parameters: Mapping[str, Any] = field(default_factory=dict)
    located: Located | None = None
    history: str | None = None
    as_of: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        given: Mapping[str, Any],
        releases: Mapping[str, Source],
        name: Callable[[Source, str], str],
        **others: Any,
    ) -> Self:
        """From the arguments of a function that has these parameters. name: names a table, which stands for
        something. others: in place of what is given, or of a class that has more."""
        nearest = given["nearest"]
        said = {
            **{role: given[role] for role in ("id", "controls", "unit", "weight")},
            **{role: None if given[role] is None else name(given[role], role) for role in OF_TABLES},
            **{role: names(given[role], role) or [] for role in OF_COLUMNS},
            "nearest": [nearest] * len(releases) if isinstance(nearest, bool) else list(nearest),
            "formats": formats_given(given["formats"]) or {},
            "unknown": unknown_texts(given["unknown"]) or [],
            "missing_counts": bool(given.get("missing_counts")),
            "parameters": dict(given["parameters"] or {}),
        }
        named = {
            called: name(source, f"release_{i}") for i, (called, source) in enumerate(releases.items(), 1)
        }
        return cls(named, **said | others)

    def given(self) -> list[str]:
        """The names of the parameters that there is something for."""
        of_all = (
            "qi", "sensitive", "targets", "id", "hierarchies", "presence", "unit", "weight", "unknown",
        )  # fmt: skip
        return [*(name for name in of_all if getattr(self, name)), *self.parameters]

    def arguments(self) -> dict[str, Any]:
        """All of it as macros take it, but formats: these are of a release, or of some together."""
        found = {role: getattr(self, role, None) or None for role in ROLES}
        found |= {"formats": None, "nearest": self.nearest if any(self.nearest) else None}
        return {role: list(value) if isinstance(value, tuple) else value for role, value in found.items()}

    def formats_of(self, number: int) -> dict[str, str]:
        """How one release writes its columns."""
        called = list(self.releases)[number - 1]
        return of_release(self.formats, number, called, self.qi) or {}

    def formats_together(self, numbers: Iterable[int]) -> dict[str, str]:
        """How several releases write their columns, each by its place in an attack on them."""
        return {
            column if column.startswith("targets.") else f"{i}.{column}": format
            for i, number in enumerate(numbers, 1)
            for column, format in self.formats_of(number).items()
        }


def under_names(releases: Mapping[str, str]) -> list[str]:
    """Releases as attacks take them that name columns with their tables: of a file by its name alone."""
    named = {
        Path(called).stem if Path(called).is_file() else called: table for called, table in releases.items()
    }
    return [
        f"{table} as {called}" if re.fullmatch(r"\w+", called) else table for called, table in named.items()
    ]


def attack_query(releases: Sequence[str], arguments: Mapping[str, Any], **others: Any) -> exp.Select:
    """The rows of an intersection attack, before they are summed up. arguments: of Known; others: further
    ones, or in place of these."""
    further = {**arguments, **others}
    order = ("targets", "id", "truth", "qi", "sensitive", "hierarchies", "nearest", "presence", "exact_cover")
    return call("_attacked", releases, *(further.pop(name) for name in order), **further)
