"""What is known of a cell of somebody, and whether a released value may be theirs: by trying values."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from tests.oracles.covers import covers


def may_be(known: str | None, value: Any, unknown: Sequence[str]) -> bool:
    """Is the value one that is known to be possible? known: as the targets have it, ranges of numbers as
    18-31 or 40+, sets as de/us.
    """
    if ("NULL" if known is None else known) in unknown:
        return True
    if known is None or value is None:
        return known is value
    if ends := re.fullmatch(r"(\d+)-(\d+)", known):
        return isinstance(value, int | float) and int(ends[1]) <= value <= int(ends[2])
    if end := re.fullmatch(r"(\d+)\+", known):
        return isinstance(value, int | float) and value >= int(end[1])
    return str(value) in (known, *known.split("/"))


def overlaps(
    released: str | None,
    known: str | None,
    values: Iterable[Any],
    unknown: Sequence[str],
    labels: Mapping[Any, Sequence[str]],
) -> bool:
    """Is there a value that both allow? values: all that are tried; labels: those above each."""
    return any(
        may_be(known, value, unknown) and covers(released, value, labels.get(value, ())) for value in values
    )
