"""Names that are not known, and the known ones that they may be meant for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches

from sqlanon.core.comments import LEVEL
from sqlanon.core.source import lower


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The known name that is most like a name that is not known."""
    by_lower = {each.lower(): each for each in known}
    near = get_close_matches(name.lower(), by_lower, n=1)
    return by_lower[near[0]] if near else None


def suggestion(name: str, known: Iterable[str]) -> str:
    """`; did you mean ...?`, or nothing."""
    near = nearest(name, known)
    return f"; did you mean {near}?" if near else ""


def no_measure(id: str, pattern: str) -> str:
    """What is wrong with the id of a measure that an attack does not have. pattern: of those that it has."""
    listed = pattern.replace(LEVEL, "90").split("|")
    return f"has no measure {id}{suggestion(id, listed)}; it has {', '.join(listed)}"


def missing_column(named: Sequence[str], columns: Sequence[str], table: str) -> str | None:
    """What to say of the first column that a table with these columns does not have."""
    for column in named:
        if column.lower() not in lower(columns):
            near = nearest(column, columns)
            hint = f"did you mean {near}?" if near else f"it has {', '.join(columns)}"
            return f": there is no column {column} in {table}; {hint}"
    return None
