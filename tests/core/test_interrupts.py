"""Signals are heard while a statement runs."""

from __future__ import annotations

import os
import signal
import socket
import threading
from collections.abc import Iterator
from typing import cast

import duckdb
import pytest

from sqlanon.core.interrupts import deferred, interruptible, prompt, running


@pytest.fixture(autouse=True)
def _as_at_a_terminal() -> Iterator[None]:
    """What runs in the background ignores Ctrl-C."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


class Working:
    """A connection that is at work until it is interrupted."""

    def __init__(self) -> None:
        self.is_interrupted = threading.Event()

    def interrupt(self) -> None:
        self.is_interrupted.set()


def at_work() -> tuple[Working, duckdb.DuckDBPyConnection]:
    working = Working()
    return working, cast(duckdb.DuckDBPyConnection, working)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_interrupts_what_runs(number: signal.Signals) -> None:
    """The handler is only called once the statement has ended: a thread interrupts it."""
    working, con = at_work()

    def work() -> None:
        try:
            os.kill(os.getpid(), number)
        finally:
            working.is_interrupted.wait(30)

    with pytest.raises(KeyboardInterrupt), interruptible(), running(con):
        work()
    assert working.is_interrupted.is_set()


def test_what_is_not_to_be_interrupted_is_not() -> None:
    """Imports, and a signal that somebody else's handler takes."""
    working, con = at_work()
    heard = []
    before = signal.signal(signal.SIGTERM, lambda number, frame: heard.append(number))
    try:
        with prompt(), running(con):
            os.kill(os.getpid(), signal.SIGTERM)
        assert heard == [signal.SIGTERM]
        with pytest.raises(KeyboardInterrupt), prompt(), deferred(), running(con):
            os.kill(os.getpid(), signal.SIGINT)
    finally:
        signal.signal(signal.SIGTERM, before)
    assert not working.is_interrupted.is_set()


def test_who_was_told_of_signals_is_told_and_gets_them_back() -> None:
    told, tells = socket.socketpair()
    tells.setblocking(False)
    before = signal.set_wakeup_fd(tells.fileno())
    try:
        with pytest.raises(KeyboardInterrupt), prompt(), prompt():
            os.kill(os.getpid(), signal.SIGINT)
        told.settimeout(30)
        assert told.recv(1) == bytes([signal.SIGINT])
        assert signal.set_wakeup_fd(before) == tells.fileno()
    finally:
        signal.set_wakeup_fd(before)
        told.close()
        tells.close()
