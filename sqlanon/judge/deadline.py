"""A time limit on what a connection does."""

from __future__ import annotations

import threading
from types import TracebackType
from typing import Self

import duckdb


class Deadline:
    """After so many seconds what runs is interrupted, and the block is left without an error. has_passed: was
    it? seconds: None for no limit."""

    def __init__(self, con: duckdb.DuckDBPyConnection, seconds: float | None) -> None:
        self.has_passed = False
        self._con = con
        self._timer = None if seconds is None else threading.Timer(seconds, self._passes)

    def _passes(self) -> None:
        self.has_passed = True
        self._con.interrupt()

    def __enter__(self) -> Self:
        if self._timer is not None:
            self._timer.daemon = True
            self._timer.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        if self._timer is not None:
            self._timer.cancel()
        return self.has_passed and kind is KeyboardInterrupt
