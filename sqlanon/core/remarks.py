"""Remarks and errors, each a line on stderr."""

import sys


def remark(message: str) -> None:
    """A line on stderr."""
    print(message, file=sys.stderr)


def complain(message: str) -> None:
    """One line on stderr that says what is wrong."""
    line = " ".join(message.split())
    if not sys.stderr.isatty():
        remark(f"error: {line}")
        return
    from rich.console import Console
    from rich.text import Text

    error = Text.assemble(("error:", "bold red"), " ", line)
    Console(stderr=True, soft_wrap=True, highlight=False).print(error)
