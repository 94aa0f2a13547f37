"""How much memory and disk the connections that sqlanon opens may take.

A connection that the caller has opened keeps its own settings. What does not fit into memory goes to a folder
of the session, and is gone with it.
"""

from __future__ import annotations

import contextlib
import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path

MEMORY, SPILL = "2GB", "10GB"  # if nobody says otherwise
SIZE = re.compile(r"\d+(\.\d+)? ?([KMGT]i?B)", re.IGNORECASE)
_said: dict[str, str] = {}
is_own = False  # is the connection at work one that sqlanon has opened?


def wrong_size(said: str) -> str | None:
    """What is wrong with a size: `must be ...`; or nothing."""
    if SIZE.fullmatch(said.strip()) and float(re.split(r"[ a-zA-Z]", said.strip())[0]) > 0:
        return None
    return f"must be a size, such as 500MB or 4GB, not {said}"


def limit(said: Mapping[str, str]) -> None:
    """What a command may take from now on: memory, spill."""
    _said.clear()
    _said.update(said)


def of_policy(path: Path | None) -> Mapping[str, str]:
    """The sizes that a policy says rightly; what is wrong in it is told where it is read."""
    if path is None:
        return {}
    with contextlib.suppress(OSError, ValueError, AttributeError):
        found = tomllib.loads(path.read_text("utf-8-sig")).get("limits", {})
        return {name: size for name, size in found.items() if name in SETTINGS and wrong_size(size) is None}
    return {}


SETTINGS = {"memory": "memory_limit", "spill": "max_temp_directory_size"}


def settings() -> dict[str, str]:
    """The settings of DuckDB."""
    sizes = {"memory": MEMORY, "spill": SPILL} | _said
    return {setting: sizes[name].strip() for name, setting in SETTINGS.items()}


@contextlib.contextmanager
def own() -> Iterator[None]:
    """While a connection that sqlanon has opened is at work."""
    global is_own  # noqa: PLW0603
    before, is_own = is_own, True
    try:
        yield
    finally:
        is_own = before


def exceeded(message: str) -> str:
    """What to do where memory or disk has run out. message: what DuckDB says."""
    said = message.strip().splitlines()[0].rstrip(".")
    if not is_own:
        return f"{said} (memory_limit and max_temp_directory_size of the connection say how much it may take)"
    sizes = settings()
    return (
        f"it takes more than {sizes['memory_limit']} of memory and {sizes['max_temp_directory_size']} of "
        f"disk ({said}): give more with --memory and --spill, or memory and spill in [limits] of a policy"
    )
