"""Remarks and errors, each a line on stderr, and values as people read them."""

import os
import re
import sys
import warnings
from pathlib import Path
from typing import Any

# What makes a terminal do something, or show text in another order than it has: control characters (C0 but
# tab and newline, DEL, C1), marks of direction, line separators, and halves of characters, which no terminal
# can be sent.
_CONTROLS = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)


def visible(text: str) -> str:
    """A text as a terminal may get it: what would control it is written out, as \\x1b is for ESC."""
    return _CONTROLS.sub(lambda found: found[0].encode("unicode_escape").decode("ascii"), text)


_HOME = str(Path(__file__).parents[1]) + os.sep  # of this package


def warn(message: str, category: type[Warning] = UserWarning) -> None:
    """Warn where somebody called this package: a line of it says nothing, and would be warned of once."""
    frame, level = sys._getframe(1), 2
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_HOME):
        frame, level = frame.f_back, level + 1
    warnings.warn(message, category, stacklevel=level)


_last: list[str] | None = None  # what was said last, where nothing else is


def keep_quiet(quiet: bool) -> None:
    """quiet: keep remarks back until `say_last`."""
    global _last  # noqa: PLW0603
    _last = [] if quiet else None


def say_last() -> None:
    """Say the last thing that was kept; from then on nothing is kept."""
    global _last
    kept, _last = _last or [], None
    for message in kept:
        remark(message)


def remark(message: str) -> None:
    """A line on stderr."""
    if _last is not None:
        _last[:] = [message]
        return
    print(visible(message), file=sys.stderr)


def complain(message: str) -> None:
    """One line on stderr that says what is wrong."""
    keep_quiet(False)  # an error is the last line
    line = visible(" ".join(re.split(r"[ \t\n\r]+", message.strip(" \t\r\n"))))
    if not sys.stderr.isatty():
        remark(f"error: {line}")
        return
    from rich.console import Console
    from rich.text import Text

    error = Text.assemble(("error:", "bold red"), " ", line)
    Console(stderr=True, soft_wrap=True, highlight=False).print(error)


def text(value: Any) -> str:
    """A value for people to read, on a terminal or a page."""
    return visible(_text(value))


def _text(value: Any) -> str:
    if value is None:
        return "NULL"
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, dict):
        return ", ".join(f"{key}: {_text(inner)}" for key, inner in value.items())
    if isinstance(value, list):
        return "; ".join(f"({_text(inner)})" if isinstance(inner, dict) else _text(inner) for inner in value)
    return str(value)


def message_of(error: Exception) -> str:
    """What an error says, in one line."""
    return " ".join(text(getattr(error, "message", str(error))).split())
