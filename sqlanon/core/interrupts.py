"""Ctrl-C and termination as KeyboardInterrupt, so that a command cleans up before it ends.

A module whose import is interrupted is half there until the process ends, so imports are not interrupted.
"""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from types import FrameType
from typing import NoReturn

_interrupted = False

# Windows does not have all of them.
SIGNALS = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]


def _interrupt(number: int, frame: FrameType | None) -> NoReturn:
    global _interrupted  # noqa: PLW0603 - a signal has no other place to leave word
    _interrupted = True
    raise KeyboardInterrupt


def check_interrupted() -> None:
    """Raise KeyboardInterrupt again if the code that it hit has dropped it, as callbacks do."""
    if _interrupted:
        raise KeyboardInterrupt


@contextmanager
def interruptible() -> Iterator[None]:
    """SIGINT, SIGTERM and SIGHUP (the terminal is gone) raise KeyboardInterrupt, unless they are ignored."""
    global _interrupted  # noqa: PLW0603
    _interrupted = False
    try:
        before = {number: signal.getsignal(number) for number in SIGNALS}
        for number, handler in before.items():
            if handler not in (None, signal.SIG_IGN):
                signal.signal(number, _interrupt)
    except ValueError:  # not in the main thread
        yield
        return
    try:
        yield
    except RuntimeError as error:
        if str(error) == "Query interrupted":  # what DuckDB makes of it
            raise KeyboardInterrupt from error
        raise
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def deferred() -> Iterator[None]:
    """Ctrl-C waits for the end. (Only the main thread is interrupted, and only Python's own signals wait.)"""
    before = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(before):
        yield
        return
    waiting: list[tuple[int, FrameType | None]] = []
    signal.signal(signal.SIGINT, lambda number, frame: waiting.append((number, frame)))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        if waiting:
            before(*waiting[0])


@cache
def import_whole() -> None:
    """Import what calls import when they are at work, before they are."""
    with deferred():
        for module in ("sqlglot.dialects.duckdb", "sqlglot.optimizer"):
            import_module(module)
