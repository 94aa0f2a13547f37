"""Which tests run, and how much they try.

`make test` runs every test that is not marked `slow`; on the line before, where planning takes several
times as long, those of them that are marked `both_lines`. `make test-all` runs all tests on both lines, and
lets random tests try more.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TypeVar

import duckdb
import pytest
from hypothesis import Phase, settings

T = TypeVar("T")

ON_OLDER = duckdb.__version__.startswith("1.")

_all = False


def try_all() -> None:
    """Many examples from here on."""
    global _all  # noqa: PLW0603 - before any test is imported
    _all = True


def tries_all() -> bool:
    """Is it a run of all tests?"""
    return _all


def examples(number: int, quick: int | None = None) -> settings:
    """How many examples Hypothesis tries: so many where all is tried, else `quick`, or a few; and on the
    line before a third of that. Where not all is tried they are the same in each run, so that no change is
    refused for what it has not touched. With `quick=0` these are the ones that `@example` names.
    """
    if quick == 0 and not _all:
        return settings(deadline=None, phases=[Phase.explicit])
    tried = number if _all else quick or min(3, number // 5)
    return settings(deadline=None, max_examples=max(2, tried // (3 if ON_OLDER else 1)), derandomize=not _all)


def some(values: Sequence[T], step: int) -> Sequence[T]:
    """Every value where all is tried, else every `step`-th."""
    return values[:: 1 if _all else step]


def choose(items: Sequence[pytest.Item]) -> None:
    """Prepare tests to be chosen by `-m "not slow"`.

    `slow(reason)` marks a test, a class or a module; `slow(reason, but=(0, 4))` all cases of a test but
    these, counted from 0. On the line before everything is slow that is not marked `both_lines`.
    """
    cases: Counter[str] = Counter()
    for item in items:
        test = item.nodeid.partition("[")[0]
        for mark in item.iter_markers("slow"):
            if len(mark.args) != 1 or mark.kwargs.keys() - {"but"}:
                raise pytest.UsageError(f"{test}: slow takes a reason, and but=(numbers of cases)")
            if cases[test] in mark.kwargs.get("but", ()):
                item.own_markers.remove(mark)
        cases[test] += 1
    for item in items:
        test = item.nodeid.partition("[")[0]
        for mark in item.iter_markers("slow"):
            # a test whose cases are in a file that is not there has one case, which is skipped
            if max(mark.kwargs.get("but", (0,))) >= cases[test] and not item.get_closest_marker("skip"):
                raise pytest.UsageError(f"{test} has {cases[test]} cases: but={mark.kwargs['but']}")
        if ON_OLDER and not item.get_closest_marker("both_lines"):
            item.add_marker(pytest.mark.slow("on the current line only"))
