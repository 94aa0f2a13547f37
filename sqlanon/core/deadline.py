"""A time limit on what a connection does."""

from __future__ import annotations

import threading
import time
from types import TracebackType
from typing import Self

import duckdb

AGAIN = 0.1  # seconds between interrupts: one may come between two statements


class Deadline:
    """After so many seconds what runs is interrupted, and the block is left without an error. has_passed: was
    it? seconds: None for no limit; began: since when they count (time.monotonic), if not from now on."""

    def __init__(
        self, con: duckdb.DuckDBPyConnection, seconds: float | None, began: float | None = None
    ) -> None:
        self.has_passed = False
        if seconds is not None and began is not None:
            seconds = max(0.0, began + seconds - time.monotonic())
        self._con, self._seconds = con, seconds
        self._ends = None if seconds is None else time.monotonic() + seconds
        self._is_over = threading.Event()
        self._watch = threading.Thread(target=self._interrupt, daemon=True)

    def _interrupt(self) -> None:
        if self._is_over.wait(self._seconds):
            return
        self.has_passed = True
        while True:
            self._con.interrupt()
            if self._is_over.wait(AGAIN):
                return

    def stop(self) -> bool:
        """Has the time passed? Then nothing is interrupted any more: what was found by then is summed up."""
        if self.has_passed:
            self._is_over.set()
            self._watch.join()
        return self.has_passed

    def left(self, most: float) -> float:
        """How many seconds there are for what nothing interrupts; so many at most."""
        return most if self._ends is None else min(most, max(0.0, self._ends - time.monotonic()))

    def __enter__(self) -> Self:
        if self._seconds is not None:
            self._watch.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        if self._seconds is not None:
            self._is_over.set()
            self._watch.join()
        return self.has_passed and kind is KeyboardInterrupt
