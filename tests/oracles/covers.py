"""Does a released text cover a raw value? The spellings that anonymizers use, one rule each."""

import datetime
import re
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from tests.oracles import as_text, is_number

NUMBER = r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"
INTERVAL = re.compile(r"([\[(\]])\s*([^,]*?)\s*,\s*([^,]*?)\s*([\])\[])")
COMPARISON = re.compile(r"(<=|>=|<|>)\s*(.+)")
RANGE = re.compile(r"(-?[0-9]+(?:\.[0-9]+)?)-(-?[0-9]+(?:\.[0-9]+)?)")
DATE = re.compile(
    r"[0-9]{4}-[0-9][0-9]-[0-9][0-9](?:[ T][0-9][0-9]:[0-9][0-9](?::[0-9][0-9](?:\.[0-9]{1,6})?)?)?"
)
ELEMENT = re.compile(r' *(?:"((?:[^"]|"")*)"|([^,{}"]*?)) *(?:,|\Z)')


def number(text: str) -> tuple[bool, Decimal] | None:
    """The number that a text spells, exactly, as a key in which NaN sorts above infinity."""
    if re.fullmatch(rf"{NUMBER}|[+-]?inf(inity)?", text, re.IGNORECASE):
        return False, Decimal(text)
    return (True, Decimal(0)) if text.lower() == "nan" else None


def moment(text: str) -> datetime.datetime | None:
    """The date or timestamp that a text spells."""
    try:
        return datetime.datetime.fromisoformat(text) if DATE.fullmatch(text) else None
    except ValueError:
        return None


def compare(left: str, right: str) -> int | None:
    """-1, 0 or 1: as numbers or dates if both are, as text if neither is either; else None."""
    a: Any
    b: Any
    for parse in (number, moment):
        a, b = parse(left), parse(right)
        if a is not None and b is not None:
            return int(a > b) - int(a < b)
        if a is not None or b is not None:
            return None  # no text lies before a number or a date
    return int(left > right) - int(left < right)


def satisfies(raw: str, operator: str, bound: str) -> bool:
    """Is `raw operator bound` true?"""
    sign = compare(raw, bound)
    if sign is None:
        return False
    return {"<": sign < 0, "<=": sign <= 0, ">": sign > 0, ">=": sign >= 0}[operator]


def equal(released: str, raw: Any) -> bool:
    """Equal texts; a raw number or date also equals its other spellings (28 is 28.0), a raw text does not."""
    text = str(as_text(raw))
    if isinstance(raw, datetime.date):
        return moment(released) == moment(text)
    return released == text or (is_number(raw) and number(released) == number(text))


def in_interval(released: str, raw: Any) -> bool | None:
    """`[lo, hi]` and, half-open, `[lo, hi[`, `]lo, hi]`, `(lo, hi]`, `[lo, hi)`; None: it is no interval.

    NULL as the lower bound lies below everything, so `[NULL, hi]` holds NULL too; NaN lies above everything,
    and so does NULL as the upper bound. `[NULL, NULL]` holds NULL
    alone, and `]NULL, NULL]` any other value.
    """
    match = INTERVAL.fullmatch(released)
    if match is None:
        return None
    opening, low, high, closing = match.groups()
    if raw is None:
        return low == "NULL" and opening == "["
    if low == high == "NULL":
        return opening != "["
    text = str(as_text(raw))
    above_low = low == "NULL" or satisfies(text, ">=" if opening == "[" else ">", low)
    return above_low and (high == "NULL" or satisfies(text, "<=" if closing == "]" else "<", high))


def elements(released: str) -> list[str | None] | None:
    """The elements of a set `{a, "b, c", NULL}`, an unquoted NULL as None; None: it is no set."""
    if not (released.startswith("{") and released.endswith("}") and len(released) > 2):
        return None
    result: list[str | None] = []
    body, at, more = released[1:-1], 0, True
    while more:
        match = ELEMENT.match(body, at)
        if match is None:
            return None
        text, bare = match.groups()
        result.append(text.replace('""', '"') if text is not None else None if bare == "NULL" else bare)
        at, more = match.end(), match.group().endswith(",")
    return result if at == len(body) else None


def covers(released: str | None, raw: Any, labels: Sequence[str] = ()) -> bool:
    """Could a row that shows `released` be one whose value is `raw`?

    Known: `*` (anything, NULL too), the value itself, one of `labels` (the raw value's in its hierarchy),
    masks such as `130**` (a star is exactly one character), `<30`, `<=`, `>`, `>=`, ranges `20-29` of numbers
    (both ends in), intervals, sets. Numbers compare as numbers, dates as dates, text as text.
    """
    if released is None:
        return raw is None
    if released == "*" or released in labels:
        return True
    if raw is not None and equal(released, raw):
        return True
    inside = in_interval(released, raw)
    if inside is not None:
        return inside
    members = elements(released)
    if members is not None:
        return any(
            raw is None if member is None else raw is not None and equal(member, raw) for member in members
        )
    if raw is None:
        return False
    text = str(as_text(raw))
    if match := COMPARISON.fullmatch(released):
        return satisfies(text, match[1], match[2])
    if match := RANGE.fullmatch(released):
        return (
            number(text) is not None and satisfies(text, ">=", match[1]) and satisfies(text, "<=", match[2])
        )
    if "*" in released:
        return len(text) == len(released) and all(
            mask in ("*", char) for mask, char in zip(released, text, strict=True)
        )
    return False
