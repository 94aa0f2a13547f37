"""How much memory and disk a connection of sqlanon's own may take: DuckDB's memory_limit and
max_temp_directory_size. A connection that the user has opened has the user's settings."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

# As options and as keys of [limits] in a policy -> DuckDB's setting.
SETTINGS = {"memory": "memory_limit", "spill": "max_temp_directory_size"}
SPILL = "10GB"  # of temporary files, if nothing is said
LEAST_MEMORY = 100e6  # with less DuckDB does nothing

_UNITS = {"k": 1, "m": 2, "g": 3, "t": 4}
_SIZE = re.compile(r"(\d+(?:\.\d+)?) ?([kmgt])(i?)b", re.IGNORECASE | re.ASCII)
_given: dict[str, str] | None = None  # while a command runs


def wrong_size(said: str) -> str | None:
    """What is wrong with an amount: `must be ...`; or nothing."""
    if not _SIZE.fullmatch(said):
        return f"must be a number with KB, MB, GB or TB, such as 4GB, not {said}"
    return None


def wrong_memory(said: str) -> str | None:
    """The same of memory, without which nothing runs."""
    if not (size := _SIZE.fullmatch(said)):
        return wrong_size(said)
    base = 1024 if size[3] else 1000
    least = float(size[1]) * base ** _UNITS[size[2].lower()] >= LEAST_MEMORY
    return None if least else f"must be at least {LEAST_MEMORY / 1e6:.0f}MB, not {said}"


@contextmanager
def limited(given: Mapping[str, str]) -> Iterator[None]:
    """Connections that are opened within have these limits."""
    global _given  # noqa: PLW0603
    before, _given = _given, dict(given)
    try:
        yield
    finally:
        _given = before


def add(said: Mapping[str, str]) -> None:
    """What a policy says, where the command has no limit. Outside of a command there is nothing to limit."""
    if _given is not None:
        _given.update({name: size for name, size in said.items() if name not in _given})


def settings() -> dict[str, str]:
    """The settings of a connection that is opened."""
    return {SETTINGS[name]: size for name, size in {"spill": SPILL, **(_given or {})}.items()}
