"""Random objectives against a program for each end, and against the people that the sums count."""

from __future__ import annotations

import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.budget import examples
from tests.cells.regions import solver

pytest.importorskip("highspy", reason="highspy is not installed: pip install 'sqlanon[tables]'")

from sqlanon.tables.components import Component
from sqlanon.tables.linear_bounds import Programs, bounds
from sqlanon.tables.narrow_cells import Sweeps

RULE = 3


def component(truth: list[int], groups: list[list[int]]) -> Component:
    """Sums of cells: of each group those with the same number."""
    rows = [
        [cell for cell, group in enumerate(numbers) if group == each]
        for numbers in groups
        for each in sorted({*numbers})
    ]
    sums = np.array([sum(truth[cell] for cell in row) for row in rows], dtype=np.float64)
    upper = np.full(len(truth), float(sum(truth)))
    return Component(
        np.zeros(len(truth)), upper, [*range(len(truth))], {},
        np.cumsum([0, *map(len, rows)], dtype=np.int32), np.array([c for row in rows for c in row], np.int32),
        np.ones(sum(map(len, rows))), sums, sums.copy(),
    )  # fmt: skip


@solver
@examples(150, quick=10)
@given(
    st.integers(2, 24).flatmap(
        lambda n: st.tuples(
            st.lists(st.integers(0, 9), min_size=n, max_size=n),
            st.lists(st.lists(st.integers(0, 4), min_size=n, max_size=n), min_size=1, max_size=4),
        )
    )
)
def test_as_a_program_for_each_end(case: tuple[list[int], list[list[int]]]) -> None:
    """Bounds hold of the true counts; what is wide, narrow or constant is so by linear programs."""
    truth, groups = case
    own = component(truth, groups)
    sweeps = Sweeps(own, True, RULE, time.monotonic() + 600)
    sweeps.run()
    assert sweeps.found
    exact = Programs(own, True, time.monotonic() + 600)
    for cell, told in enumerate(sweeps.answer()):
        low, high = exact.end(cell, 1, False)[0], exact.end(cell, -1, False)[0]
        assert told["lower_bound"] <= low <= truth[cell] <= high <= told["upper_bound"]
        is_narrow = low < RULE and high - low + 1 < RULE
        assert told["is_wide"] != is_narrow
        if is_narrow:
            assert (told["lower_bound"], told["upper_bound"]) == (low, high)


@solver
def test_a_large_component() -> None:
    """Thousands of cells, some constant: as soon as the rule is decided no further program is solved."""
    random = np.random.default_rng(5)
    n = 1200
    truth = random.integers(0, 12, n).tolist()
    halves = [
        [*range(n)],
        [cell // 2 for cell in range(n)],
    ]  # the first half of the pairs is told cell by cell
    groups = [
        [cell if cell < n // 2 else n for cell in halves[0]],
        halves[1],
        [cell // 3 for cell in range(n)],
    ]
    intervals, conflict = bounds(component(truth, groups), True, "linear", 600, RULE)
    assert not conflict
    for cell, told in enumerate(intervals):
        assert told["lower_bound"] <= truth[cell] <= told["upper_bound"]
        if cell < n // 2:
            assert told["lower_bound"] == told["upper_bound"]
            assert told["is_proven"]
    assert any(told["is_wide"] for told in intervals[n // 2 :])


@solver
def test_a_contradiction_needs_a_certificate() -> None:
    """Of a large component as of a small one: which sums contradict each other."""
    n = 1000
    own = component([1] * n, [[0] * n, [cell // 10 for cell in range(n)]])
    own.least[0] = own.most[0] = n + 1.0
    intervals, conflict = bounds(own, True, "linear", 600, RULE)
    assert conflict
    assert not any(told["is_wide"] for told in intervals)
