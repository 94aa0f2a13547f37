"""Ctrl-C and termination as KeyboardInterrupt, so that a command cleans up before it ends.

While DuckDB works at a statement the main thread runs no Python, and with it no handler of a signal, until
DuckDB has ended a task: that may take a minute. So a thread of its own gets the signals, and interrupts what
runs (`prompt`), programs of a solver included.

A module whose import is interrupted is half there until the process ends, so imports are not interrupted.
"""

from __future__ import annotations

import os
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from types import FrameType
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    import duckdb

_interrupted = 0  # by which signal
_running: dict[int, duckdb.DuckDBPyConnection] = {}  # connections that are at work, in the main thread
_stops: dict[object, Callable[[], None]] = {}  # what ends other work, in any thread
_is_prompt = False
_is_ending = False  # has a signal come that ends what runs?
AGAIN = 0.1  # seconds between interrupts: one may come between two statements

# Windows does not have all of them.
SIGNALS = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]


def _interrupt(number: int, frame: FrameType | None) -> NoReturn:
    global _interrupted  # noqa: PLW0603 - a signal has no other place to leave word
    _interrupted = number
    raise KeyboardInterrupt


def check_interrupted() -> None:
    """Raise KeyboardInterrupt again if the code that it hit has dropped it, as callbacks do."""
    if _interrupted:
        raise KeyboardInterrupt


def exit_code() -> int:
    """That of a command which a signal has ended, as shells tell it: 130 for Ctrl-C, 143 for SIGTERM."""
    return 128 + (_interrupted or signal.SIGINT)


@contextmanager
def running(con: duckdb.DuckDBPyConnection) -> Iterator[None]:
    """The connection is at work: signals interrupt it, within `prompt`."""
    if not _is_prompt or threading.current_thread() is not threading.main_thread():
        yield
        return
    _running[id(con)] = con
    try:
        yield
    finally:
        _running.pop(id(con), None)


def stoppable(work: Callable[[], object], stop: Callable[[], None]) -> None:
    """Do some work, in any thread. Within `prompt` a signal ends the work by calling `stop`. Errors:
    KeyboardInterrupt then, so that the caller does not go on."""
    if not _is_ending:
        _stops[key := object()] = stop
        try:
            work()
        finally:
            del _stops[key]
    if _is_ending:
        raise KeyboardInterrupt


@contextmanager
def prompt() -> Iterator[None]:
    """Signals that raise KeyboardInterrupt interrupt statements at once, not only between tasks of DuckDB."""
    global _is_prompt  # noqa: PLW0603
    if _is_prompt or threading.current_thread() is not threading.main_thread():
        yield
        return
    receiver, sender = socket.socketpair()
    sender.setblocking(False)
    before = signal.set_wakeup_fd(sender.fileno(), warn_on_full_buffer=False)
    watch = threading.Thread(target=_watch, args=(receiver, before), daemon=True)
    _is_prompt = True
    watch.start()
    try:
        yield
    finally:
        _is_prompt = False
        signal.set_wakeup_fd(before)
        sender.close()
        watch.join()
        receiver.close()


def _watch(receiver: socket.socket, before: int) -> None:
    """Interrupt what runs for each signal. before: the descriptor that got signals before, and still gets
    them."""
    global _is_ending  # noqa: PLW0603
    while number := receiver.recv(1):
        if before >= 0:
            os.write(before, number)
        _is_ending = signal.getsignal(number[0]) in (_interrupt, signal.default_int_handler)
        while _is_ending and (_running or _stops):
            for con in list(_running.values()):
                con.interrupt()
            for stop in list(_stops.values()):
                stop()
            threading.Event().wait(AGAIN)
        _is_ending = False


@contextmanager
def interruptible() -> Iterator[None]:
    """SIGINT, SIGTERM and SIGHUP (the terminal is gone) raise KeyboardInterrupt, unless they are ignored."""
    global _interrupted  # noqa: PLW0603
    _interrupted = 0
    try:
        before = {number: signal.getsignal(number) for number in SIGNALS}
        for number, handler in before.items():
            if handler not in (None, signal.SIG_IGN):
                signal.signal(number, _interrupt)
    except ValueError:  # not in the main thread
        yield
        return
    try:
        with prompt():
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
