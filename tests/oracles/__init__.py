"""Slow, obvious Python versions of what the SQL says, written from the papers: the tests compare the two.

This module holds what all of them share: values as DuckDB sees them (NULL is a value and sorts first, NaN
equals NaN and sorts above infinity, text in binary order) and hierarchies (value -> its labels, level 0 to
the top).
"""

import datetime
import math
from collections.abc import Hashable, Mapping, Sequence
from decimal import Decimal
from typing import Any, TypeAlias

Value: TypeAlias = Hashable
Row: TypeAlias = Sequence[Any]
Hierarchy: TypeAlias = Mapping[Any, Sequence[str]]


def canonical(value: Any) -> Any:
    """The value itself, but one and the same NaN for every NaN, so that it can be a key."""
    return math.nan if isinstance(value, float) and math.isnan(value) else value


def sort_key(value: Any) -> tuple[Any, ...]:
    """Key of DuckDB's order with NULL first: NULL, values, NaN."""
    if value is None:
        return (0,)
    if isinstance(value, float) and math.isnan(value):
        return (2,)
    return (1, value)


def is_number(value: Any) -> bool:
    return isinstance(value, int | float | Decimal) and not isinstance(value, bool)


def is_ordered(value: Any) -> bool:
    """Numbers, dates, timestamps and times: types that are released as `[lo, hi]`."""
    return is_number(value) or isinstance(value, datetime.date | datetime.time)


def as_text(value: Any) -> str | None:
    """What DuckDB's cast to VARCHAR gives; NULL stays None."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Decimal):
        return f"{value:f}"
    if isinstance(value, datetime.datetime | datetime.time):
        text = str(value.replace(tzinfo=None))
        return text.rstrip("0") if value.microsecond else text
    return str(value)


def labels_of(hierarchy: Hierarchy, value: Any) -> Sequence[str]:
    """The labels of a value from level 0 to the top; hierarchies are keyed by the value or by its text."""
    for key in (value, as_text(value)):
        if key in hierarchy:
            return hierarchy[key]
    raise ValueError(f"{value!r} is missing in its hierarchy")
