"""Numbers by column: levels and weights."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar

from sqlanon.core.answer import Names
from sqlanon.core.errors import InputError
from sqlanon.core.source import names

Number = TypeVar("Number", int, float)
Levels = Mapping[str, int] | Sequence[int]
Weights = Mapping[str, float] | Sequence[float]


def in_order(
    numbers: Mapping[str, Number] | Sequence[Number] | None,
    qi: Names,
    parameter: str,
    unsaid: Number | None,
) -> list[Number | None] | None:
    """Numbers by column as a list in the order of qi; unsaid for columns that are not mentioned."""
    if not isinstance(numbers, Mapping):
        return None if numbers is None else list(numbers)
    by_name = {column.lower(): number for column, number in numbers.items()}
    columns = names(qi, "qi") or []
    known = {column.lower() for column in columns}
    for column in numbers:
        if column.lower() not in known:
            raise InputError(f'{parameter} names column "{column}", which is not in qi: {", ".join(columns)}')
    return [by_name.get(column.lower(), unsaid) for column in columns]
