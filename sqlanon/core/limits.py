"""How much memory and disk a connection of sqlanon's own may take: DuckDB's memory_limit and
max_temp_directory_size. A connection that the user has opened has the user's settings."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterator, Mapping

# As options and as keys of [limits] in a policy -> DuckDB's setting.
SETTINGS = {"memory": "memory_limit", "spill": "max_temp_directory_size"}
# If nothing is said. With more memory less goes to temporary files; three releases of a million people need
# no more.
MEMORY, SPILL = "2500MB", "10GB"
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
    """What is wrong with an amount of memory; with too little nothing runs."""
    if not _SIZE.fullmatch(said):
        return wrong_size(said)
    if _in_bytes(said) < LEAST_MEMORY:
        return f"must be at least {LEAST_MEMORY / 1e6:.0f}MB, not {said}"
    return None


def _in_bytes(said: str) -> float:
    size = _SIZE.fullmatch(said)
    assert size is not None
    return float(size[1]) * float(1024 if size[3] else 1000) ** _UNITS[size[2].lower()]


@contextlib.contextmanager
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
    unsaid = {"spill": SPILL, **({"memory": MEMORY} if _has_enough() else {})}
    return {SETTINGS[name]: size for name, size in {**unsaid, **(_given or {})}.items()}


def _has_enough() -> bool:
    """Has the machine so much memory? Where it has less, DuckDB takes 80 % of it."""
    with contextlib.suppress(AttributeError, ValueError, OSError):
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") * 0.8 > _in_bytes(MEMORY)
    return True
