"""What [answers] declares of columns: the type, the groups and the levels of each dimension; questions about
them, and conditions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Any

import duckdb
from sqlglot import exp

from sqlanon.answers.pieces import Column, Dimension, Place, place_of
from sqlanon.answers.question import COMPARED, Question, joined_by_and, read, rebuilt
from sqlanon.core.errors import UseError
from sqlanon.core.source import lower
from sqlanon.core.statements import call, execute
from sqlanon.core.suggestions import suggestion
from sqlanon.policies.answers import CONSISTENT, EXACT, Answers, Declared
from sqlanon.policies.schema import bare

MOST_GROUPS = 1000  # of a range
# What values of TOML are; true is an int, too, and a time is a date.
TYPES = {bool: "boolean", int: "integer", float: "number", datetime: "timestamp", date: "date", str: "text"}


@dataclass(frozen=True)
class Measure:
    """A measure: its number, and the range that is declared."""

    nth: int
    low: float
    high: float


class Askable:
    """What questions can be asked about. of: what the table is called that has the columns, `types` by their
    names; why_said: why its types must be declared."""

    def __init__(
        self, con: duckdb.DuckDBPyConnection, policy: Answers, of: str, types: Mapping[str, str],
        why_said: str,
    ) -> None:  # fmt: skip
        self.con, self.policy, self.of, self.types, self.why_said = con, policy, of, types, why_said
        self.measures = {
            self.measure(name, low, high): Measure(nth, low, high)
            for nth, (name, (low, high)) in enumerate(policy.measures.items(), 1)
        }

    # QUESTIONS

    def read(self, question: str) -> Question:
        """A question about it. Errors: UseError."""
        measures = () if self.policy.way in (CONSISTENT, EXACT) else self.measures
        return read(question, self.policy.table, self.columns, measures, self.policy.unit)

    def placed(self, condition: exp.Expression) -> exp.Expression:
        """A condition on places (d1, d2, ...). Errors: UseError."""
        if isinstance(condition, COMPARED):
            return self.columns[condition.this.name].compared(condition)
        return rebuilt(condition, self.placed)

    def by_dimension(self, conditions: Iterable[exp.Expression]) -> dict[str, list[exp.Expression]]:
        """Conditions, and what they join by AND, by the dimension that each is about; "": other ones."""
        by: dict[str, list[exp.Expression]] = {}
        for part in (part for condition in conditions for part in joined_by_and(condition)):
            owners = {self.columns[each.name].dimension.name for each in part.find_all(exp.Column)}
            by.setdefault(owners.pop() if len(owners) == 1 else "", []).append(part)
        return by

    # WHAT IS DECLARED

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

    def measure(self, name: str, low: float, high: float) -> str:
        """A measure by the name of its column, which has numbers of its range."""
        return self.column("measures", name)

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

    def dimension(
        self, nth: int, name: str, said: Declared, kind: str, is_generalized: bool = True
    ) -> Dimension:
        """A dimension as it is declared, without the values of the table."""
        made = Dimension(name, nth, kind, said, is_generalized)
        if said.hierarchy is not None:
            made = replace(made, hierarchy=self._hierarchy(made))
        for called, labels in made.levels.items():
            if not labels:
                raise self.wrong("dimensions", name, f"has a hierarchy without a level for {called}")
        if not made.is_ordered or not (said.range or said.values):
            return made
        places = [float(place) for place in self.places(made, said.range or said.values)]
        if said.range and places[0] > places[-1]:
            raise self.wrong("dimensions", name, "has a range that ends before it begins")
        return replace(made, range=(min(places), max(places)))

    def places(self, of: Dimension, values: Sequence[Any]) -> list[Place]:
        places = [place_of(each, of.kind) for each in values]
        if None in places:
            raise self.wrong("dimensions", of.name, f"must have values of type {of.kind}")
        return list(dict.fromkeys(place for place in places if place is not None))

    def _hierarchy(self, of: Dimension) -> list[tuple[Place, int, str]]:
        """The hierarchy of a dimension. What it says of labels is kept."""
        file = of.said.hierarchy
        if file is None or not file.is_file():
            raise self.wrong("dimensions", of.name, f"names no file that is there: {file}")
        rows = execute(self.con, call("read_hierarchy", str(file), of.name))
        found = []
        for row in rows:
            entry = dict(zip(rows.columns, row, strict=True))
            place = place_of(entry["value"], of.kind)
            if place is None:
                raise self.wrong("dimensions", of.name, f"has values in {file} that are not of its type")
            found.append((place, entry["level"], entry["label"]))
        return found

    def domain(self, of: Dimension) -> list[Place] | None:
        """The places of its groups, if they are declared."""
        low, high = of.range
        if of.said.values:
            return self.places(of, of.said.values)
        if of.hierarchy:
            return list(dict.fromkeys(place for place, _, _ in of.hierarchy))
        if of.said.range and of.kind in ("integer", "date"):
            return [low + nth for nth in range(int(high - low) + 1)] if high - low < MOST_GROUPS else None
        return ["false", "true"] if of.kind == "boolean" else None

    def declare(self, dimensions: Iterable[Dimension]) -> None:
        """Have these dimensions, and with them the columns that questions may be about. Errors: UseError
        where two have one name."""
        self.dimensions = {each.name: each for each in dimensions}
        columns = [(name, each) for each in self.dimensions.values() for name in (each.name, *each.levels)]
        unit = [] if self.policy.unit is None else [self.policy.unit]
        names = [*unit, *self.measures, *(name for name, _ in columns)]
        for nth, name in enumerate(names):
            if name.lower() in lower(names[:nth]):
                raise self.policy.wrong("answers", f"calls two columns {name}")
        grouped = [name for name, each in columns if name != each.name or each.domain is not None]
        self.columns = {
            name: Column(name, grouped.index(name) if name in grouped else None, each,
                         None if name == each.name else name)
            for name, each in columns
        }  # fmt: skip
