"""What questions tell apart, by their text and the policy alone: the cells of answers, as rows over atoms.

The questions are asked of points, one for each combination of values that some question tells apart, as if
these were people. So a condition means the same here as it does of rows.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from sqlglot import exp

from sqlanon.answers.pieces import Column, Cut, Dimension, Place
from sqlanon.answers.question import Part
from sqlanon.answers.table import AskingTable
from sqlanon.core.errors import UseError
from sqlanon.core.statements import columns, literal, select

MOST_POINTS = 1_000_000
MOST_ATOMS = 50_000
MOST_CELLS = 2_000


@dataclass(frozen=True)
class Structure:
    """Cells of answers: matrix, a row for each over atoms; questions, the numbers of those that tell it;
    missing, of each atom the dimensions whose values are missing, a number of bits."""

    matrix: NDArray[np.bool_]
    questions: Sequence[Sequence[int]]
    missing: NDArray[np.int64]

    def models(self) -> Iterator[tuple[NDArray[np.bool_], NDArray[np.int64]]]:
        """The cells that have somebody, and their numbers, if values are missing of some dimensions only: of
        none, of each, and of those that a cell needs. Otherwise who knows that no values are missing could
        ask for parts that seem not to add up, because of people who are not there."""
        least = {0, *(1 << bit for bit in range(int(np.bitwise_or.reduce(self.missing)).bit_length()))}
        for row in self.matrix:
            found = {int(each) for each in np.unique(self.missing[row])}
            least |= {each for each in found if not any(other & ~each == 0 for other in found - {each})}
        for allowed in sorted(least):
            some = self.matrix[:, (self.missing & ~allowed) == 0]
            numbers = np.flatnonzero(some.any(axis=1))
            if len(numbers):
                yield some[numbers], numbers


def structure_of(asking: AskingTable, parts: Sequence[Part]) -> Structure:
    """What questions tell apart. Errors: UseError where that is too much to be looked at."""
    conditions = [asking.placed(condition) for each in parts for condition in each.conditions]
    names = sorted({name for each in parts for name in each.names})
    grouped = [asking.columns[name] for name in names]
    values = {name: _values(each, conditions, grouped) for name, each in asking.dimensions.items()}
    states = math.prod(map(len, values.values()))
    if states > MOST_POINTS:
        several = [name for name in values if len(values[name]) > 1]
        raise _too_many(states, "combinations of values", MOST_POINTS, f" of {', '.join(several)}")
    points = asking.points(values).subquery()
    missing: exp.Expression = literal(0)
    for each in asking.dimensions.values():
        if len(values[each.name]) > 1:
            is_missing = exp.column(each.column).is_(exp.null())
            bit = exp.func("if", is_missing, literal(2**each.nth), literal(0), dialect="duckdb")
            missing = exp.Add(this=missing, expression=bit)
    numbers = [exp.alias_(_number_of_cell(asking, each), f"q{nth}") for nth, each in enumerate(parts)]
    query = select(points).select(exp.alias_(missing, "missing"), *numbers, append=False).distinct()
    atoms = columns(asking.con, query)
    if len(atoms["missing"]) > MOST_ATOMS:
        raise _too_many(len(atoms["missing"]), "groups of people", MOST_ATOMS)
    cells: dict[bytes, tuple[NDArray[np.bool_], list[int]]] = {}
    for nth, _ in enumerate(parts):
        of_atom = np.asarray(atoms[f"q{nth}"])
        for number in np.unique(of_atom[of_atom >= 0]):
            row = of_atom == number
            cells.setdefault(np.packbits(row).tobytes(), (row, []))[1].append(nth)
        if len(cells) > MOST_CELLS:
            raise _too_many(len(cells), "cells", MOST_CELLS)
    matrix = np.zeros((len(cells), len(atoms["missing"])), dtype=bool)
    for nth, (row, _) in enumerate(cells.values()):
        matrix[nth] = row
    return Structure(matrix, [of for _, of in cells.values()], np.asarray(atoms["missing"], dtype=np.int64))


def _number_of_cell(asking: AskingTable, part: Part) -> exp.Expression:
    """In which cell of its answer a point is; -1 for none."""
    number: exp.Expression = literal(0)
    for name in part.names:
        by = asking.columns[name]
        number = exp.Add(
            this=exp.Mul(this=exp.paren(number), expression=literal(by.size)),
            expression=exp.column(by.number),
        )
    is_meant = exp.Coalesce(this=asking.is_meant(part), expressions=[exp.false()])
    return exp.cast(exp.func("if", is_meant, number, literal(-1), dialect="duckdb"), "bigint")


def _values(
    dimension: Dimension, conditions: Sequence[exp.Expression], grouped: Sequence[Column]
) -> list[Place | None]:
    """One of the values of a dimension that no question tells apart, of each; a missing one is the first.
    grouped: what questions group by."""
    cut, own = Cut(dimension), [each for each in grouped if each.dimension is dimension]
    if not cut.add_those_of(conditions) and not own:
        return [None]
    if dimension.domain is None:
        return [None, *(value for value, _, _ in cut.pieces(*dimension.range))]
    known, by = {*cut.places}, [each.numbers for each in own]
    apart: dict[object, Place] = {}
    for place in dimension.domain:
        side = bisect_left(cut.places, place) if dimension.is_ordered else 0
        labels = tuple(numbers.get(place, -1) for numbers in by)
        apart.setdefault((side, place if place in known else None, labels), place)
    return [None, *apart.values()]


def _too_many(found: int, what: str, most: int, of: str = "") -> UseError:
    return UseError(
        f"all questions together tell {found:,} {what}{of} apart, of which at most {most:,} are looked at: "
        "ask about fewer columns at once, or by fewer values"
    )
