"""Timing: the best of a few runs, and lines that say what was compared with what."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

LONG = "--long"  # also what takes minutes


def option(name: str, default: str) -> str:
    """What the command line says as --name=value."""
    given = [one.partition("=")[2] for one in sys.argv if one.startswith(f"--{name}=")]
    return given[-1] if given else default


def at_most(rows: int) -> int:
    """So many rows of a table that is made, or as few as --rows says: for a look whether a benchmark runs."""
    return min(rows, int(option("rows", str(rows))))


def best(work: Callable[[], Any], runs: int = 3) -> float:
    """Seconds of the fastest run."""
    seconds = []
    for _ in range(runs):
        start = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - start)
    return min(seconds)


def title(text: str) -> None:
    print(f"\n{text}", flush=True)


def line(what: str, seconds: float, than: tuple[str, float] | None = None) -> None:
    """One measurement; `than`: what it is compared with."""
    ratio = ""
    if than and min(seconds, than[1]) > 0:  # nothing is a ratio of what the clock does not see
        name, other = than
        ratio = (
            f"{seconds / other:.2f}x {name}"
            if seconds > other
            else f"{other / seconds:.1f}x faster than {name}"
        )
    print(f"  {what:<58} {seconds:>9.3f} s   {ratio}", flush=True)
