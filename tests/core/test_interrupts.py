"""Signals are heard while a statement runs."""

from __future__ import annotations

import os
import signal
import socket
import threading
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from typing import cast

import duckdb
import numpy as np
import pytest

from sqlanon.core.interrupts import deferred, interruptible, prompt, running, stoppable
from sqlanon.tables.highs import new_solver, solve


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


def test_a_signal_ends_other_work_and_what_would_go_on_after_it() -> None:
    is_stopped, has_begun, rounds = threading.Event(), threading.Event(), []

    def work() -> None:
        with suppress(KeyboardInterrupt):
            while True:
                rounds.append(1)
                has_begun.set()
                stoppable(partial(is_stopped.wait, 30), is_stopped.set)

    other = threading.Thread(target=work)

    def interrupted() -> None:
        other.start()
        has_begun.wait(30)
        os.kill(os.getpid(), signal.SIGINT)
        other.join()

    with pytest.raises(KeyboardInterrupt), interruptible():
        interrupted()
    other.join()
    assert is_stopped.is_set()
    assert rounds == [1]


def test_a_signal_ends_a_program() -> None:
    """One that would take minutes. While it runs no handler of a signal does."""
    highspy = pytest.importorskip("highspy")
    random = np.random.default_rng(1)
    model, cells, sums, terms = highspy.HighsLp(), 400, 300, 12
    model.num_col_, model.num_row_ = cells, sums
    model.integrality_ = [highspy.HighsVarType.kInteger] * cells
    model.col_cost_ = -random.uniform(0.5, 1, cells)
    model.col_lower_, model.col_upper_ = np.zeros(cells), np.full(cells, 3.0)
    model.row_lower_, model.row_upper_ = np.full(sums, -np.inf), random.integers(3, 30, sums).astype(float)
    matrix = model.a_matrix_
    matrix.format_ = highspy.MatrixFormat.kRowwise
    matrix.start_ = np.arange(0, terms * sums + 1, terms, dtype=np.int32)
    matrix.index_ = np.concatenate([random.choice(cells, terms, replace=False) for _ in range(sums)])
    matrix.value_ = random.integers(1, 9, terms * sums).astype(float)
    solver = new_solver()
    solver.passModel(model)
    soon = threading.Timer(0.3, os.kill, [os.getpid(), signal.SIGINT])
    soon.start()
    with pytest.raises(KeyboardInterrupt), interruptible():
        solve(solver, 60)
    assert solver.getModelStatus() == highspy.HighsModelStatus.kTimeLimit
    assert solver.getRunTime() < 60


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
