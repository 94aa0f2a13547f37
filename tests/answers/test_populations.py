"""Exact answers beside each other: populations that agree, by enumeration over all of them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import combinations, product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sqlanon.answers.populations import Cells, Counts, Populations
from tests.budget import examples

SIZES, THRESHOLD, MOST_PEOPLE = (2, 3), 3, 13
KINDS = np.array([*product(*map(range, SIZES))], dtype=np.int16)
EVERY = np.array([
    np.diff([-1, *bars, MOST_PEOPLE + len(KINDS)]) - 1
    for bars in combinations(range(MOST_PEOPLE + len(KINDS)), len(KINDS))
])[:, : len(KINDS)]  # fmt: skip


def question(chance: np.random.Generator) -> Counts:
    allowed = {
        d: held for d, size in enumerate(SIZES) if chance.random() < 0.5
        for held in [chance.random(size) < 0.6] if held.any() and not held.all()
    }  # fmt: skip
    return Counts(allowed, tuple(d for d in range(len(SIZES)) if chance.random() < 0.4))


def by_margin(
    counts: Counts, shown: np.ndarray[Any, Any], sizes: Sequence[int]
) -> Iterator[tuple[Counts, np.ndarray[Any, Any]]]:
    """Which cells of each margin are shown."""
    cells = [math.prod(sizes[d] for d in each.by) for each in counts.margins()]
    return zip(counts.margins(), np.split(shown, np.cumsum(cells)[:-1]), strict=True)


@given(st.integers(0, 10**6))
@examples(200, quick=8)
def test_no_count_is_known_in_all_populations_that_agree(seed: int) -> None:
    """No hidden cell, and no difference of two cells."""
    chance = np.random.default_rng(seed)
    people = KINDS[chance.integers(0, len(KINDS), chance.integers(1, 9))]
    others = Populations(people, SIZES, THRESHOLD)
    masks, told = [], []
    for _ in range(5):
        counts = question(chance)
        shown = next(others.judged(counts, 1), None)
        if shown is None:
            continue
        others.tell(counts, shown)
        for each, is_shown in by_margin(counts, shown, SIZES):
            cells = Cells(each, SIZES, people)
            for number in range(cells.size):
                masks.append((cells.numbers(KINDS) == number).astype(int))
                told.append(int(cells.counts[number]) if is_shown[number] else None)
    fits = np.ones(len(EVERY), dtype=bool)
    for mask, n in zip(masks, told, strict=True):
        fits &= True if n is None else EVERY @ mask == n
    possible = EVERY[fits]
    hidden = [mask for mask, n in zip(masks, told, strict=True) if n is None]
    differences = [one - other for one in masks for other in masks]
    for each in [*hidden, *(each for each in differences if each.min() >= 0 and each.max() > 0)]:
        values = possible @ each
        assert not 0 < values.min() < THRESHOLD or np.ptp(values) >= THRESHOLD - 1, (each, {*values.tolist()})


@pytest.mark.parametrize("seed", range(3))
def test_each_population_agrees(seed: int) -> None:
    """Any moves of a layer are made: counted anew, each shown cell is the same."""
    chance = np.random.default_rng(seed)
    sizes = (4, 3, 5)
    people = np.stack([chance.integers(0, size, 70) for size in sizes], axis=1).astype(np.int16)
    others, asked = Populations(people, sizes, 5), list[tuple[Counts, np.ndarray[Any, Any]]]()
    for counts in (Counts({}, (0, 2)), Counts({1: np.array([True, False, True])}, (2,)), Counts({}, (1,))):
        shown = next(others.judged(counts, 5))
        others.tell(counts, shown)
        asked += by_margin(counts, shown, sizes)
    assert len(others.moves)
    for layer in np.unique(others.moves.layer):
        some = others.moves.where(
            (others.moves.layer == layer) & (chance.random(len(others.moves.layer)) < 0.7)
        )
        leave, come = some.is_there[:, :2], some.is_there[:, 2:]
        gone = some.who[leave]
        assert len({*gone.tolist()}) == len(gone)
        assert (people[gone] == some.values[:, :2][leave]).all()
        changed = np.concatenate([np.delete(people, gone, axis=0), some.values[:, 2:][come]])
        for each, own in asked:
            now, then = (Cells(each, sizes, some).counts for some in (changed, people))
            assert (now == then)[own].all()


def test_moves_of_two_audiences_are_of_different_people() -> None:
    """Each audience has found moves without knowing those of the other: whoever knows both leaves some."""
    chance, sizes, found, every = np.random.default_rng(4), (4, 3, 5), list[bytes](), 0
    people = np.stack([chance.integers(0, size, 70) for size in sizes], axis=1).astype(np.int16)
    for by in ((0, 2), (0, 1)):
        others, counts = Populations(people, sizes, 5), Counts({}, by)
        found.append(others.found_for(counts, next(others.judged(counts, 5))))
    both = Populations(people, sizes, 5)
    both.remember(found)
    move, nth = np.nonzero(both.moves.is_there[:, :2])
    places = [*zip(both.moves.layer[move], both.moves.who[move, nth], strict=True)]
    assert len({*places}) == len(places) > 0
    for own in found:
        alone = Populations(people, sizes, 5)
        alone.remember([own])
        every += len(alone.moves)
    assert len(both.moves) < every  # there were some of the same people


def test_a_difference_of_three_is_seen() -> None:
    """Everybody, and all but one of them in two answers: the one is not told."""
    people = np.repeat(np.array([[0], [1], [2]], dtype=np.int16), [10, 8, 1], axis=0)
    others, shown = Populations(people, (3,), 3), []
    for values in ((0, 1, 2), (0,), (1,)):
        counts = Counts({0: np.isin(range(3), values)}, ())
        told = next(others.judged(counts, 5))
        others.tell(counts, told)
        shown.append(bool(told[0]))
    assert shown == [True, True, False]
