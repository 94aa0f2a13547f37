"""The interval by which `python -m benchmarks calibration` judges: of guesses that are right as often as they
say, 95 % of the intervals have to contain what is said.
"""

from __future__ import annotations

import random
from statistics import NormalDist

import pytest

pytest.importorskip("scipy")

from benchmarks.calibration import interval


def covered(draw: random.Random, overlaps: int, average: float, stated: float, alike: float) -> bool:
    """Is what is stated in the interval? Of each overlap a share of its own is right, on average what is
    stated. average: how many people an overlap has, some have many more; alike: the correlation of two people
    of one overlap.
    """
    seen = []
    for _ in range(overlaps):
        people = max(1, round(draw.lognormvariate(0, 1) * average / 1.65))
        share = stated
        if alike:
            share = draw.betavariate(stated * (1 / alike - 1), (1 - stated) * (1 / alike - 1))
        seen.append((people, float(sum(draw.random() < share for _ in range(people)))))
    low, high = interval(seen)
    return low <= stated <= high


@pytest.mark.slow("1 s a case", but=(2, 3, 4, 5, 6, 7, 8, 9))
@pytest.mark.parametrize("stated", [0.25, 0.75])
@pytest.mark.parametrize(
    ("overlaps", "average", "alike"), [(22, 60, 0), (22, 60, 0.02), (4, 60, 0.02), (22, 3, 0.02), (1, 1, 0)]
)
def test_intervals_cover(overlaps: int, average: float, alike: float, stated: float) -> None:
    draw = random.Random(f"{overlaps} {average} {alike} {stated}")
    cases = 400
    share = sum(covered(draw, overlaps, average, stated, alike) for _ in range(cases)) / cases
    chance = NormalDist().inv_cdf(0.99) * (0.95 * 0.05 / cases) ** 0.5
    assert share >= 0.95 - chance


def test_one_person_may_be_wrong() -> None:
    low, high = interval([(1, 0.0)])
    assert low == 0
    assert high == pytest.approx(0.975)


def test_overlaps_of_the_same_size_have_one_degree_of_freedom_less() -> None:
    """Two overlaps, of which one is right more often: t with one degree of freedom is 12.7."""
    low, high = interval([(1000, 510.0), (1000, 490.0)])
    assert (high - low) / 2 == pytest.approx(12.706 * 0.01, rel=1e-3)
