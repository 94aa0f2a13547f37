"""What [answers] declares of columns: the type, the groups and the levels of each dimension."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Any

import duckdb

from sqlanon.answers.pieces import Dimension, Place, place_of
from sqlanon.core.errors import UseError
from sqlanon.core.source import lower
from sqlanon.core.statements import call, execute
from sqlanon.core.suggestions import suggestion
from sqlanon.policies.answers import Answers, Declared
from sqlanon.policies.schema import bare

MOST_GROUPS = 1000  # of a range
# What values of TOML are; true is an int, too, and a time is a date.
TYPES = {bool: "boolean", int: "integer", float: "number", datetime: "timestamp", date: "date", str: "text"}

Hierarchy = Sequence[tuple[Place, int, str]]  # place, level, label


@dataclass(frozen=True)
class Column:
    """A dimension that is declared, as the table has it that is asked. ends: of the domain, if they are
    declared."""

    nth: int
    name: str
    said: Declared
    kind: str
    is_generalized: bool
    ends: tuple[float | None, float | None] = (None, None)

    @property
    def is_text(self) -> bool:
        return self.kind in ("text", "boolean")


class Declaring:
    """Columns as a policy declares them. of: what the table is called that has them, `types` by their names;
    why_said: why its types are needed."""

    def __init__(
        self, con: duckdb.DuckDBPyConnection, policy: Answers, of: str, types: Mapping[str, str],
        why_said: str,
    ) -> None:  # fmt: skip
        self.con, self.policy, self.of, self.types, self.why_said = con, policy, of, types, why_said

    def wrong(self, section: str, name: str, problem: str) -> UseError:
        at = section if section in ("unit", "people") else f"{section}.{bare(name)}"
        return self.policy.wrong(f"answers.{at}", problem)

    def column(self, section: str, name: str) -> str:
        """A column by the name that the table has for it."""
        known = next((known for known in self.types if known.lower() == name.lower()), None)
        if known is None:
            near = suggestion(name, self.types) or f"; it has {', '.join(self.types)}"
            raise self.wrong(section, name, f"is no column of {self.of}{near}")
        return known

    def kind(self, name: str, said: Declared) -> str:
        """What the values of a dimension are, if only the policy says it."""
        if said.type is not None:
            return said.type
        by_values = {next((kind for type_, kind in TYPES.items() if isinstance(each, type_)), "")
                     for each in said.values}  # fmt: skip
        if len(by_values) == 1 and "" not in by_values:
            return by_values.pop()
        if said.hierarchy is not None:
            return "text"
        raise self.wrong("dimensions", name, f'{self.why_said}: say its type, such as type = "integer"')

    def with_ends(self, column: Column) -> Column:
        """A column with the ends of its domain."""
        if column.is_text:
            return column
        places = [float(place) for place in self.places(column, column.said.range or column.said.values)]
        if column.said.range and places[0] > places[1]:
            raise self.wrong("dimensions", column.name, "has a range that ends before it begins")
        return replace(column, ends=(min(places), max(places)) if places else (None, None))

    def places(self, column: Column, values: Sequence[Any]) -> list[Place]:
        places = [place_of(each, column.kind) for each in values]
        if None in places:
            raise self.wrong("dimensions", column.name, f"must have values of type {column.kind}")
        return list(dict.fromkeys(place for place in places if place is not None))

    def hierarchy(self, column: Column) -> list[tuple[Place, int, str]]:
        """The hierarchy of a dimension. What it says of labels is kept."""
        file = column.said.hierarchy
        if file is None or not file.is_file():
            raise self.wrong("dimensions", column.name, f"names no file that is there: {file}")
        rows = execute(self.con, call("read_hierarchy", str(file), column.name))
        at = [rows.columns.index(name) for name in ("value", "level", "label")]
        told = [tuple(row[nth] for nth in at) for row in rows]
        places = {value: place_of(value, column.kind) for value, _, _ in told}
        if None in places.values():
            raise self.wrong("dimensions", column.name, f"has values in {file} that are not of its type")
        found = ((places[value], level, label) for value, level, label in told)
        return [(place, level, label) for place, level, label in found if place is not None]

    def levels(
        self, column: Column, hierarchies: Mapping[int, Hierarchy]
    ) -> dict[str, dict[str, list[Place]]]:
        """The labels of each level that questions name, and the values under them."""
        levels: dict[str, dict[str, list[Place]]] = {called: {} for called in column.said.levels}
        for place, level, label in hierarchies.get(column.nth, ()):
            if 1 <= level <= len(column.said.levels):
                levels[column.said.levels[level - 1]].setdefault(label, []).append(place)
        for called, labels in levels.items():
            if not labels:
                raise self.wrong("dimensions", column.name, f"has a hierarchy without a level for {called}")
        return levels

    def domain(self, column: Column, hierarchies: Mapping[int, Hierarchy]) -> list[Place] | None:
        """The places of its groups, if they are declared."""
        low, high = column.ends
        if column.said.values:
            return self.places(column, column.said.values)
        if column.nth in hierarchies:
            return list(dict.fromkeys(place for place, _, _ in hierarchies[column.nth]))
        if column.said.range and column.kind in ("integer", "date") and low is not None and high is not None:
            return [low + nth for nth in range(int(high - low) + 1)] if high - low < MOST_GROUPS else None
        return ["false", "true"] if column.kind == "boolean" else None

    def dimension(
        self, column: Column, domain: Sequence[Place] | None, has_null: bool,
        hierarchies: Mapping[int, Hierarchy],
    ) -> Dimension:  # fmt: skip
        """A column as questions know it."""
        closed = column.is_text and bool(column.said.values or column.said.hierarchy)
        levels = self.levels(column, hierarchies)
        return Dimension(column.name, column.nth, column.kind, domain, has_null, closed, levels)

    def check_names(self, names: Sequence[str]) -> None:
        for nth, name in enumerate(names):
            if name.lower() in lower(names[:nth]):
                raise self.policy.wrong("answers", f"calls two columns {name}")
