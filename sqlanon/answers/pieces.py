"""Dimensions, conditions on their places, and the pieces into which these cut them (sql/answers/answers.sql
tells what pieces are)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from functools import cached_property
from typing import Any

import numpy as np
from sqlglot import exp

from sqlanon.answers.question import comparisons_of, refused
from sqlanon.core.statements import call, literal
from sqlanon.core.suggestions import suggestion
from sqlanon.policies.answers import Declared

EXACT = 2**53  # up to where every whole number is a DOUBLE
EPOCH = datetime(1970, 1, 1)
DOUBLES, TEXTS = (exp.DataType.build(f"{type_}[]", dialect="duckdb") for type_ in ("double", "text"))
# What is said of a constant that does not fit, by the kind of its column.
WRITTEN = {
    "integer": "a number",
    "number": "a number",
    "date": "a date, DATE '2026-04-01'",
    "timestamp": "a time, TIMESTAMP '2026-04-01 12:00:00'",
    "text": "a text, in quotes: 'a'",
    "boolean": "true or false",
}
ORDERED = ("integer", "number", "date", "timestamp")

Place = float | str


@dataclass(frozen=True)
class Dimension:
    """A dimension. nth: its number; kind: what its values are; said: what is declared of it; is_generalized:
    does the release have labels of it? range: the least and the greatest place, infinite where none is known;
    hierarchy: place, level, label; domain: the places of its groups, if they are known; has_null: is there a
    group of NULL?"""

    name: str
    nth: int
    kind: str
    said: Declared = field(default_factory=Declared)
    is_generalized: bool = True
    range: tuple[float, float] = (-math.inf, math.inf)
    hierarchy: Sequence[tuple[Place, int, str]] = ()
    domain: Sequence[Place] | None = None
    has_null: bool = True

    @cached_property
    def levels(self) -> Mapping[str, Mapping[str, Sequence[Place]]]:
        """What questions call each level of its hierarchy -> label -> the places under it."""
        levels: dict[str, dict[str, list[Place]]] = {called: {} for called in self.said.levels}
        for place, level, label in self.hierarchy:
            if 1 <= level <= len(self.said.levels):
                levels[self.said.levels[level - 1]].setdefault(label, []).append(place)
        return levels

    @property
    def closed(self) -> bool:
        """Is its domain all values that there can be?"""
        return not self.is_ordered and bool(self.said.values or self.said.hierarchy)

    @cached_property
    def known(self) -> frozenset[Place]:
        """The texts that there are."""
        return frozenset(self.domain or ())

    @property
    def is_ordered(self) -> bool:
        return self.kind in ORDERED

    @property
    def column(self) -> str:
        """What it is called where a condition is one on places."""
        return f"d{self.nth}"

    def place(self, node: exp.Expression) -> Place | None:
        """A constant as a place, or text; None for NULL. Errors: UseError for one of another type."""
        sign, inner = (-1, node.this) if isinstance(node, exp.Neg) else (1, node)
        if isinstance(inner, exp.Null):
            return None
        place: Place | None = None
        if self.kind == "boolean":
            place = str(bool(inner.this)).lower() if isinstance(inner, exp.Boolean) else None
        elif isinstance(inner, exp.Literal) and inner.is_string == (self.kind not in ("integer", "number")):
            is_of_time = self.kind in ("date", "timestamp")
            place = place_of(inner.name, self.kind) if is_of_time or "of_time" not in inner.meta else None
        if place is None:
            raise refused(node, f"{self.name} is of type {self.kind}: write {WRITTEN[self.kind]}")
        if self.closed and place not in self.known:
            near = suggestion(str(place), map(str, self.domain or ()))
            raise refused(node, f"{self.name} has no such value by the policy{near}")
        return sign * place if isinstance(place, float) else place

    def listed(self, places: Sequence[Place | None]) -> exp.Expression:
        """Places as a list."""
        return doubles(places) if self.is_ordered else exp.Cast(this=literal([*places]), to=TEXTS)

    def shown(self, place: Place) -> Any:
        """A place as a value of the answer."""
        match self.kind:
            case "integer":
                return int(place)
            case "date":
                return (EPOCH + timedelta(days=float(place))).date()
            case "timestamp":
                return EPOCH + timedelta(microseconds=float(place))
            case "boolean":
                return place == "true"
        return place


@dataclass(frozen=True)
class Column:
    """What questions may be about: a dimension, or a level of its hierarchy. nth: its number among those that
    have groups; None: it has none."""

    name: str
    nth: int | None
    dimension: Dimension
    level: str | None

    @property
    def kind(self) -> str:
        return self.dimension.kind if self.level is None else "text"

    def compared(self, node: exp.Expression) -> exp.Expression:
        """A comparison of it as one of places. Errors: UseError."""
        column, is_ordered = exp.column(self.dimension.column), self.dimension.is_ordered
        if isinstance(node, exp.LT | exp.LTE | exp.GT | exp.GTE) and not (is_ordered and self.level is None):
            raise refused(node, "texts are compared by =, <> and IN")
        if isinstance(node, exp.Is):
            return column.is_(exp.null())
        if isinstance(node, exp.NullSafeEQ | exp.NullSafeNEQ) and self.level is not None:
            raise refused(node, "write = and IS NULL")
        constants = node.expressions or [node.expression]
        places = [constant(place) for each in constants for place in self._under(each)]
        if isinstance(node, exp.EQ | exp.NEQ | exp.In):
            within = exp.In(this=column, expressions=places)
            return exp.not_(within) if isinstance(node, exp.NEQ) else within
        return type(node)(this=column, expression=places[0])

    def _under(self, constant: exp.Expression) -> Sequence[Place | None]:
        """The places that a constant means. Errors: UseError."""
        if self.level is None or isinstance(constant, exp.Null):
            return [self.dimension.place(constant)]
        labels = self.dimension.levels[self.level]
        if not (isinstance(constant, exp.Literal) and constant.is_string and constant.name in labels):
            raise refused(constant, f"{self.level} has no such label{suggestion(constant.name, labels)}")
        return labels[constant.name]

    @cached_property
    def groups(self) -> Sequence[tuple[Any, Sequence[Place]]]:
        """What an answer shows of each group, and the places that are in it. Errors: UseError."""
        if self.level is not None:
            return [*self.dimension.levels[self.level].items()]
        if self.dimension.domain is None:
            declared = "answers.dimensions says its values, range or hierarchy"
            raise refused(self.name, f"its groups are not declared: {declared}")
        return [(self.dimension.shown(place), [place]) for place in self.dimension.domain]

    @cached_property
    def numbers(self) -> Mapping[Place, int]:
        """The number of the group of each place; missing values are the one after the last."""
        return {place: number for number, (_, places) in enumerate(self.groups) for place in places}

    @property
    def size(self) -> int:
        """How many groups there are, with that of missing values."""
        return len(self.groups) + self.dimension.has_null

    @property
    def number(self) -> str:
        """The column that has the numbers of groups, in a table."""
        return f"g{self.nth}"


def place_of(value: Any, kind: str) -> Place | None:
    """A value, or its text, as a place; None if it is none."""
    try:
        match kind:
            case "text":
                return value if isinstance(value, str) else None
            case "boolean":
                text = str(value).lower()
                return text if text in ("true", "false") else None
            case "date":
                day = value if isinstance(value, date) else date.fromisoformat(str(value))
                return float((datetime(day.year, day.month, day.day) - EPOCH).days)
            case "timestamp":
                at = value if isinstance(value, datetime) else datetime.fromisoformat(str(value))
                return float((at - EPOCH) // timedelta(microseconds=1))
        place = float(value)
    except (ValueError, TypeError, OverflowError):
        return None
    return place if math.isfinite(place) and (not place.is_integer() or abs(place) <= EXACT) else None


class Cut:
    """A dimension as one question cuts it, and what its values decide."""

    def __init__(self, dimension: Dimension) -> None:
        self.dimension = dimension
        self.places: list[Any] = []
        self.decided: list[exp.Expression] = []
        self.is_grouped = False

    def add(self, places: Iterable[Place]) -> None:
        """Cut at some constants, too."""
        self.places = sorted({*self.places, *places})

    def add_those_of(self, conditions: Iterable[exp.Expression]) -> bool:
        """Cut at the constants of conditions on places, too; are any of these about this dimension?"""
        own = [each for condition in conditions for each in comparisons_of(condition)
               if each.this.name == self.dimension.column]  # fmt: skip
        self.add(
            str(constant.name) if constant.is_string else float(constant.name)
            for each in own
            for constant in each.find_all(exp.Literal)
        )
        return bool(own)

    def pieces(self, low: float = -math.inf, high: float = math.inf) -> list[tuple[float, float, float]]:
        """Of each piece that has values between low and high one of these, the least and the greatest."""
        at = np.array(self.places, dtype=np.float64)
        if self.dimension.kind == "number":
            first, last, before, after = at, at, np.nextafter(at, -np.inf), np.nextafter(at, np.inf)
        else:
            first, last, before, after = np.ceil(at), np.floor(at), np.ceil(at) - 1, np.floor(at) + 1
        least = np.maximum([low, *np.stack([first, after], axis=1).flat], low).tolist()
        most = np.minimum([*np.stack([before, last], axis=1).flat, high], high).tolist()
        return [
            (next((end for end in ends if math.isfinite(end)), 0.0), *ends)
            for ends in zip(least, most, strict=True)
            if ends[0] <= ends[1]
        ]

    def values(self) -> exp.Select:
        """The query of the values that labels touch, one of each piece."""
        if self.dimension.is_ordered:
            lists = zip(*self.pieces(), (None, math.nan, math.nan), strict=True)
            return call("_values_of_numbers", "answer_range", self.dimension.nth, *map(doubles, lists))
        others = [place for place in self.places if place not in self.dimension.known]
        another = max(self.places, key=len, default="") + "?"  # longer than all of them
        return call("_values_of_texts", "answer_text", self.dimension.nth, [*others, another])

    @property
    def states(self) -> int:
        """How many pieces questions tell apart, at most: a condition is true, false or NULL."""
        pieces = 2 * len(self.places) + 2 if self.dimension.is_ordered else len(self.places) + 1
        return pieces if self.is_grouped else min(pieces, 3 ** len(self.decided))

    def decide(self, what: exp.Expression, name: str) -> exp.Column:
        """Have its values decide something; the column that has it."""
        self.decided.append(exp.Alias(this=what, alias=exp.to_identifier(name)))
        return exp.column(name)

    def group(self, by: Column, name: str) -> exp.Column:
        """The number of the group that a value is in: -1 for none."""
        self.add(by.numbers)
        self.is_grouped = True
        null = literal(len(by.groups) if self.dimension.has_null else -1)
        column = exp.column(self.dimension.column)
        lists = [self.dimension.listed([*by.numbers]), literal([*by.numbers.values()])]
        groups = exp.Anonymous(this="map", expressions=lists)
        number = exp.Anonymous(this="map_extract_value", expressions=[groups, column])
        otherwise = exp.func("if", column.is_(exp.null()), null, literal(-1), dialect="duckdb")
        return self.decide(exp.Coalesce(this=number, expressions=[otherwise]), name)


def constant(place: Place | None) -> exp.Expression:
    """A place as SQL. DuckDB reads a number as a DECIMAL, which may be another DOUBLE, unless it has an
    exponent."""
    if isinstance(place, float) and math.isfinite(place) and "e" not in repr(place):
        return exp.Literal(this=f"{place!r}e0", is_string=False)
    return literal(place)


def doubles(values: Sequence[Any]) -> exp.Expression:
    """Numbers as a list of DOUBLE, each as it is."""
    text = ", ".join("NULL" if each is None else str(each) for each in values)
    return exp.Cast(this=literal(f"[{text}]"), to=DOUBLES)
