"""Other populations that agree with all exact answers: what differs between them is not known.

A count is safe if it has values enough in populations that agree with every answered number, those of the
answer in question among them. The true population is one; others are made by moves: somebody gets values of
another person, two swap values, somebody comes or leaves. No move that is kept changes an answered number,
and the moves of a layer are of different people: so any of them can be made together, and what they change
adds up. Where no such moves are found, a count is taken to be known: this errs towards danger alone.

Moves are kept. A further answer costs those that change a cell that it shows, and others are looked for where
what is left does not suffice; where there are none, more of its cells are hidden.
"""

from __future__ import annotations

import time
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

OUTSIDE = -(2**50)  # of a value that is not counted: no sum of places is positive with it
DRAWN, CLOSEST = 1500, 60  # pairs of people that a search draws, and looks at: those that differ least
AT_ONCE = 40  # counts for which moves are looked for, before all are looked at again
TRIES = 4  # of such searches for a count
LAYERS = 40
FEW = 10  # times the threshold: of cells that are not shown where smaller ones cannot be
SIGNS = np.array([-1, -1, 1, 1])  # of the two who leave by a move, and of the two who come
# Which of them there are, by kinds of moves: swap, get, come, leave.
IS_THERE = np.array([[1, 1, 1, 1], [1, 0, 1, 0], [0, 0, 1, 0], [1, 0, 0, 0]], dtype=bool)

People = NDArray[np.int16]  # a row for each, a column for each dimension: the number of a value
Bools = NDArray[np.bool_]
Whole = NDArray[np.int64]


@dataclass(frozen=True)
class Counts:
    """Counts of people who have certain values of some dimensions (allowed), by the values of others."""

    allowed: Mapping[int, Bools]
    by: tuple[int, ...]

    def margins(self) -> Iterator[Counts]:
        """These counts and their totals, in the order in which all their cells stand in a row."""
        for size in range(len(self.by), -1, -1):
            yield from (Counts(self.allowed, by) for by in combinations(self.by, size))

    @property
    def key(self) -> tuple[object, ...]:
        return (self.by, *sorted((d, held.tobytes()) for d, held in self.allowed.items()))


@dataclass(frozen=True)
class Boxes:
    """Combinations of values. has: a row for each, and a column for each value of each dimension: has the box
    this value?"""

    has: Bools
    sizes: Sequence[int]

    def __len__(self) -> int:
        return len(self.has)

    def where(self, chosen: Bools | Whole | slice) -> Boxes:
        return Boxes(self.has[chosen], self.sizes)

    def and_of(self, other: Boxes) -> Boxes:
        return Boxes(np.concatenate([self.has, other.has]), self.sizes)

    @cached_property
    def _by_value(self) -> list[NDArray[np.uint8]]:
        """Of each dimension a row of bits for each value: a bit for each box."""
        packed = np.packbits(self.has, axis=0).T
        return [np.ascontiguousarray(each) for each in np.split(packed, np.cumsum(self.sizes)[:-1])]

    def hold(self, people: People) -> Bools:
        """Are people (rows) in boxes (columns)?"""
        held = self._by_value[0][people[:, 0]]
        for d, of_value in enumerate(self._by_value[1:], 1):
            held &= of_value[people[:, d]]
        return np.unpackbits(held, axis=1, count=len(self)).view(bool)

    @cached_property
    def words(self) -> NDArray[np.uint64]:
        """A row of bits for each box, in words."""
        packed = np.packbits(self.has, axis=1)
        return np.pad(packed, ((0, 0), (0, -packed.shape[1] % 8))).view(np.uint64)


class Cells:
    """The cells of a margin, in a row: which people they have, their counts, and which are shown."""

    def __init__(self, counts: Counts, sizes: Sequence[int], people: People) -> None:
        self.by, self.key, self.size = counts.by, counts.key, 1
        self.places = {d: np.where(held, 0, OUTSIDE) for d, held in counts.allowed.items()}
        for d in reversed(counts.by):
            self.places[d] = np.arange(sizes[d]) * self.size + self.places.get(d, 0)
            self.size *= sizes[d]
        own = self.numbers(people)
        self.counts = np.bincount(own[own >= 0], minlength=self.size)
        self.is_shown = np.ones(self.size, dtype=bool)
        held = [np.broadcast_to(self.places.get(d, np.zeros(n)) >= 0, (self.size, n)).copy()
                for d, n in enumerate(sizes)]  # fmt: skip
        for d, value in zip(self.by, np.indices([sizes[d] for d in self.by]), strict=True):
            held[d] &= value.reshape(-1, 1) == np.arange(sizes[d])
        self.boxes = Boxes(np.concatenate(held, axis=1), sizes)

    def numbers(self, people: People) -> Whole:
        """The number of the cell of each person; -1: none."""
        number = np.zeros(people.shape[:-1], dtype=np.int64)
        for d, places in self.places.items():
            number += places[people[..., d]]
        return np.maximum(number, -1)


@dataclass(frozen=True)
class Moves:
    """Each is of two people (who, their numbers), who exchange values of some dimensions (taken), or one of
    whom gets them; or somebody comes, or leaves. layer: -1: none; values: theirs, and of two who come."""

    who: Whole
    taken: Bools
    kind: Whole
    layer: Whole
    values: People

    @staticmethod
    def of(people: People, who: Whole, taken: Bools, kind: Whole, layer: Whole) -> Moves:
        left, right = people[who[:, 0]], people[who[:, 1]]
        come = np.where(taken, right, left), np.where(taken, left, right)
        return Moves(who, taken, kind, layer, np.stack([left, right, *come], axis=1))

    def __len__(self) -> int:
        return len(self.who)

    def where(self, chosen: Bools | Whole | slice) -> Moves:
        return Moves(*(each[chosen] for each in vars(self).values()))

    @staticmethod
    def together(parts: Sequence[Moves]) -> Moves:
        return Moves(*map(np.concatenate, zip(*(vars(each).values() for each in parts), strict=True)))

    @property
    def is_there(self) -> Bools:
        """Which there are of the two who leave and the two who come."""
        return IS_THERE[self.kind]

    def gains(self, boxes: Boxes, less: Boxes | None = None) -> NDArray[np.int8]:
        """How many people more each move (a row) has in each box (a column), and not in another one."""
        found = np.zeros((len(self), len(boxes)), dtype=np.int8)
        for nth, sign in enumerate(SIGNS.astype(np.int8)):
            there = np.flatnonzero(self.is_there[:, nth])
            held = boxes.hold(self.values[there, nth])
            if less is not None:
                held &= ~less.hold(self.values[there, nth])
            found[there] += held * sign
        return found


@dataclass(eq=False)
class Guarded:
    """Counts that must not be known: of people in boxes who are not in others (less). is_hidden: is it a
    hidden cell? Of others it may remain possible that there is nobody. gains: which move has how many more
    people of which of them, a row for each: move, count, gain."""

    boxes: Boxes
    less: Boxes
    counts: Whole
    is_hidden: Bools
    gains: Whole = field(default_factory=lambda: np.zeros((0, 3), dtype=np.int64))
    pieces: Sequence[int] = ()  # into how many pieces values were cut, where the counts are of groups

    def learn(self, moves: Moves, first: int = 0) -> None:
        """Moves that are new, numbered from first."""
        gained = moves.gains(self.boxes, self.less)
        move, nth = np.nonzero(gained)
        self.gains = np.concatenate([self.gains, np.stack([move + first, nth, gained[move, nth]], axis=1)])

    def keep(self, kept: Bools) -> None:
        """Only some moves are left, which get new numbers."""
        self.gains = self.gains[kept[self.gains[:, 0]]]
        self.gains[:, 0] = (np.cumsum(kept) - 1)[self.gains[:, 0]]

    def of(self, nth: int) -> tuple[Whole, Whole]:
        """The moves that change a count, and by how many people."""
        own = self.gains[self.gains[:, 1] == nth]
        return own[:, 0], own[:, 2]

    def and_some_of(self, other: Guarded, chosen: Bools) -> Guarded:
        gains = other.gains[chosen[other.gains[:, 1]]]
        gains[:, 1] = (np.cumsum(chosen) - 1 + len(self.counts))[gains[:, 1]]
        return Guarded(
            self.boxes.and_of(other.boxes.where(chosen)), self.less.and_of(other.less.where(chosen)),
            np.concatenate([self.counts, other.counts[chosen]]),
            np.concatenate([self.is_hidden, other.is_hidden[chosen]]), np.concatenate([self.gains, gains]),
        )  # fmt: skip

    def unsafe(self, some: Bools, layer: Whole, threshold: int) -> Whole:
        """Which counts are not different enough where some moves are made, or not?"""
        move, nth, gain = self.gains[some[self.gains[:, 0]]].T
        more, less = _most_of_a_layer(nth * LAYERS + layer[move], gain, len(self.counts))
        return np.flatnonzero(~_are_safe(more, less, self.counts, self.is_hidden, threshold))


def _most_of_a_layer(key: Whole, gain: Whole, n: int = 1) -> list[NDArray[np.float64]]:
    """How many people more, and how many less, the moves of one layer make at most. key: the number of a
    count times LAYERS, and the layer."""
    return [
        np.bincount(key, np.maximum(sign * gain, 0), n * LAYERS).reshape(n, LAYERS).max(axis=1)
        for sign in (1, -1)
    ]


def _are_safe(more: Any, less: Any, counts: Any, is_hidden: Any, threshold: int) -> Bools:
    return np.asarray((more + less >= threshold - 1) | ((less >= counts) & np.logical_not(is_hidden)))


@dataclass
class _Asked:
    """An answer in question: its margins, and their cells in one row. place: where these are among all
    answered cells; -1: nowhere. large, small: answered cells, and then these, whose difference is few
    people, at least one of them new. apart: cells of few people (few), and these differences. groups: by
    some of the columns; changes: by which move which cell has another count."""

    of: Counts
    new: Sequence[Cells]
    boxes: Boxes
    counts: Whole
    place: Whole
    few: Whole
    large: Whole
    small: Whole
    apart: Guarded
    groups: Mapping[object, Guarded]
    changes: Bools

    def neutral(self, shown: Bools) -> Bools:
        """The moves that change no cell that is shown."""
        return np.asarray(~self.changes[:, shown].any(axis=1))


class Populations:
    """All answers about some people, and moves that agree with them. sizes: how many values each dimension
    has; threshold: fewer people must not be known of."""

    def __init__(self, people: People, sizes: Sequence[int], threshold: int) -> None:
        self.people, self.sizes, self.threshold = people, sizes, threshold
        self.random = np.random.default_rng(0)
        self.partly_shown: dict[object, Cells] = {}  # of which some are shown
        self.answers: list[Counts] = []
        self.boxes = Boxes(np.zeros((0, sum(sizes)), dtype=bool), sizes)  # of all answers
        self.counts, self.is_shown = np.zeros(0, dtype=np.int64), np.zeros(0, dtype=bool)  # of all boxes
        self.known: dict[bytes, int] = {}  # where a box is
        none = np.zeros(0, dtype=np.int64)
        self.moves = Moves.of(people, none.reshape(0, 2), np.zeros((0, len(sizes)), dtype=bool), none, none)
        self.remembered = 0  # the first ones, which were kept elsewhere
        self.is_busy = np.zeros((LAYERS, len(people)), dtype=bool)  # who has a move in which layer?
        self.apart = Guarded(self.boxes, self.boxes, self.counts, self.is_shown)
        self.groups: dict[object, Guarded] = {}
        self.prepared: _Asked | None = None

    @property
    def most(self) -> int:
        """A count above it has values enough, or is at least the threshold for certain."""
        return 2 * self.threshold - 3

    # WHAT IS TOLD

    def tell(self, counts: Counts, shown: Bools) -> None:
        """Enter an answer: which cells, of all margins, are shown."""
        asks = self._prepared(counts)
        self.apart = self.apart.and_some_of(asks.apart, self._must_be_safe(asks, shown))
        self.groups |= asks.groups
        ends = np.cumsum([cells.size for cells in asks.new])
        for cells, own in zip(asks.new, np.split(shown, ends[:-1]), strict=True):
            cells.is_shown = own
            if own.any():
                self.partly_shown[cells.key] = cells
        self.answers.append(counts)
        fresh = asks.place < 0
        for nth, box in enumerate(asks.boxes.words[fresh], len(self.boxes)):
            self.known[box.tobytes()] = nth
        self.boxes = self.boxes.and_of(asks.boxes.where(fresh))
        self.counts = np.concatenate([self.counts, asks.counts[fresh]])
        self.is_shown = np.concatenate([self.is_shown, shown[fresh]])
        kept = asks.neutral(shown)
        for guard in (self.apart, *self.groups.values()):
            guard.keep(kept)
        self.moves = self.moves.where(kept)
        self.remembered = len(self.moves)
        self.is_busy[:] = False
        self._occupy(self.moves)
        self.prepared = None

    def found_for(self, counts: Counts, shown: Bools) -> bytes:
        """The moves that were found and agree with an answer, before it is given: without values of
        people."""
        found = self._prepared(counts).neutral(shown)
        found[: self.remembered] = False
        new = self.moves.where(found)
        return zlib.compress(
            np.column_stack([new.who, new.kind, new.layer, new.taken]).astype("<i4").tobytes()
        )

    def remember(self, found: Iterable[bytes]) -> None:
        """Moves that were found before there is any answer: each answer then leaves those that agree. Of
        moves of one layer that are of the same people, as other audiences may have them, the first is
        left."""
        every = b"".join(map(zlib.decompress, found))
        rows = np.frombuffer(every, "<i4").reshape(-1, 4 + len(self.sizes)).astype(np.int64)
        moves = Moves.of(self.people, rows[:, :2], rows[:, 4:] > 0, rows[:, 2], rows[:, 3])
        move, nth = np.nonzero(moves.is_there[:, :2])
        place = moves.layer[move] * len(self.people) + moves.who[move, nth]
        is_first = np.isin(np.arange(len(place)), np.unique(place, return_index=True)[1])
        self.moves = moves.where(np.isin(np.arange(len(moves)), move[~is_first], invert=True))

    def _occupy(self, moves: Moves) -> None:
        for nth in (0, 1):
            there = moves.is_there[:, nth]
            self.is_busy[moves.layer[there], moves.who[there, nth]] = True

    # COUNTS THAT MUST NOT BE KNOWN

    def _prepared(self, counts: Counts) -> _Asked:
        """An answer, once."""
        if self.prepared is not None and self.prepared.of is counts:
            return self.prepared
        new = [Cells(each, self.sizes, self.people) for each in counts.margins()]
        boxes = Boxes(np.concatenate([each.boxes.has for each in new]), self.sizes)
        of_all = np.concatenate([each.counts for each in new])
        place = np.array([self.known.get(row.tobytes(), -1) for row in boxes.words], dtype=np.int64)
        few = np.flatnonzero((of_all > 0) & (of_all <= self.most) & (place < 0))
        every, of_every = self.boxes.and_of(boxes), np.concatenate([self.counts, of_all])
        large, small = self._close_pairs(every, of_every, np.flatnonzero(place < 0) + len(self.boxes))
        nobody = Boxes(np.zeros((len(few), sum(self.sizes)), dtype=bool), self.sizes)
        apart = Guarded(
            boxes.where(few).and_of(every.where(large)), nobody.and_of(every.where(small)),
            np.concatenate([of_all[few], of_every[large] - of_every[small]]),
            np.arange(len(few) + len(large)) < len(few),
        )  # fmt: skip
        groups = self._groups(counts)
        for guard in (apart, *groups.values()):
            if guard not in self.groups.values():
                guard.learn(self.moves)
        self.prepared = _Asked(counts, new, boxes, of_all, place, few, large, small, apart, groups,
                               self.moves.gains(boxes) != 0)  # fmt: skip
        return self.prepared

    def _close_pairs(self, every: Boxes, counts: Whole, new: Whole) -> tuple[Whole, Whole]:
        """Pairs of which one is a part of the other, and the difference is few people; one of them is new."""
        words, order, first_new = every.words, np.argsort(counts, kind="stable"), len(self.counts)
        by_size, pairs = counts[order], [np.zeros((0, 2), dtype=np.int64)]
        for own in new:
            n = counts[own]
            start, end, first, last = np.searchsorted(by_size, [n - self.most, n, n + 1, n + self.most + 1])
            smaller, larger = order[start:end], order[first:last]
            smaller = smaller[~(words[smaller] & ~words[own]).any(axis=1)]
            larger = larger[larger < first_new]  # of two new ones the larger is looked at alone
            larger = larger[~(words[own] & ~words[larger]).any(axis=1)]
            pairs += [
                np.stack(np.broadcast_arrays(*pair), axis=1) for pair in ((own, smaller), (larger, own))
            ]
        large, small = np.concatenate(pairs).T
        return large, small

    def _must_be_safe(self, asks: _Asked, shown: Bools) -> Bools:
        """Which cells of few people, and which differences, must not be known if some cells are shown?"""
        every = np.concatenate([self.is_shown, shown])
        counts = np.concatenate([self.counts, asks.counts])
        large, small = every[asks.large], every[asks.small]
        of_hidden = np.where(large, counts[asks.small], counts[asks.large])
        apart = (~large & ~small) | ((large != small) & (of_hidden > self.most))
        return np.concatenate([~shown[asks.few], apart])

    def _groups(self, counts: Counts) -> dict[object, Guarded]:
        """Groups of few people that answers tell apart, by some or all columns of a question."""
        own = sorted({*counts.allowed, *counts.by})
        pieces = {d: self._pieces(d, counts) for d in own}
        found = dict[object, Guarded]()
        for some in (some for size in range(1, len(own) + 1) for some in combinations(own, size)):
            cut, known = [int(pieces[d].max()) + 1 for d in some], self.groups.get(some)
            found[some] = known if known is not None and known.pieces == cut else self._few(
                {d: pieces[d] for d in some}, cut)  # fmt: skip
        return found

    def _pieces(self, dimension: int, counts: Counts) -> Whole:
        """Of each value of a dimension the number of its piece: no answer tells the values of one apart."""
        every = [*self.answers, counts]
        if any(dimension in each.by for each in every):
            return np.arange(self.sizes[dimension])
        masks = np.unique([each.allowed[dimension] for each in every if dimension in each.allowed], axis=0)
        return np.unique(masks, axis=1, return_inverse=True)[1].reshape(-1)

    def _few(self, pieces: Mapping[int, Whole], cut: Sequence[int]) -> Guarded:
        """Groups of few people by pieces of some columns."""
        number = np.ravel_multi_index([of_value[self.people[:, d]] for d, of_value in pieces.items()], cut)
        _, first, counts = np.unique(number, return_index=True, return_counts=True)
        few = counts <= self.most
        examples = self.people[first[few]]
        has = [
            pieces[d] == pieces[d][examples[:, d], None] if d in pieces
            else np.ones((len(examples), size), dtype=bool)
            for d, size in enumerate(self.sizes)
        ]  # fmt: skip
        boxes = Boxes(np.concatenate(has, axis=1), self.sizes)
        nobody = Boxes(np.zeros_like(boxes.has), self.sizes)
        return Guarded(boxes, nobody, counts[few], np.zeros(len(boxes), dtype=bool), pieces=cut)

    # JUDGING

    def counted(self, counts: Counts) -> Whole:
        """How many people the cells of all margins have."""
        return self._prepared(counts).counts

    def judged(self, counts: Counts, seconds: float) -> Iterator[Bools]:
        """Which cells of all margins can be shown; then fewer ones. Nothing where it is not found that any
        are safe."""
        end = time.process_time() + seconds
        asks = self._prepared(counts)
        of_all, fixed = asks.counts, asks.place >= 0
        if fixed.all():  # that tells nothing new
            yield self.is_shown[asks.place]
            return
        self.deadline = time.process_time() + seconds / 2
        guards = [*dict.fromkeys((self.apart, *self.groups.values(), *asks.groups.values()))]
        if not self._can_be_made_safe(asks, np.zeros(len(fixed), dtype=bool), guards):
            return  # whatever is hidden
        guards.append(asks.apart)
        is_finest, has_people = np.arange(len(fixed)) < asks.new[0].size, of_all > 0
        is_few = has_people & (of_all < self.threshold)
        is_few[self._empty_in_few(asks)] = True
        before = np.zeros(0, dtype=bool)
        for hidden in (
            is_few, is_few | is_finest & has_people & (of_all < FEW * self.threshold),
            is_few | is_finest & has_people, of_all >= 0,
        ):  # fmt: skip
            shown = ~hidden
            shown[fixed] = self.is_shown[asks.place[fixed]]
            self._hide_differences(asks, shown, ~fixed)
            self.deadline = time.process_time() + (end - time.process_time()) / 2
            if self._can_be_made_safe(asks, shown, guards) and not np.array_equal(shown, before):
                yield shown
                before = shown

    def _empty_in_few(self, asks: _Asked) -> Whole:
        """New cells that have nobody, and are parts of one of few people: who knows how many these are would
        know them by the parts that are not empty."""
        first_new, every = len(self.counts), np.concatenate([self.counts, asks.counts])
        own = (every[asks.large] < self.threshold) & (every[asks.small] == 0) & (asks.small >= first_new)
        return np.asarray(asks.small[own] - first_new)

    def _hide_differences(self, asks: _Asked, shown: Bools, is_new: Bools) -> None:
        """Hide new cells whose difference to a shown one is the number of few people; of two new ones the
        smaller."""
        first_new = len(self.counts)
        every = np.concatenate([self.is_shown, shown])
        is_few = asks.apart.counts[len(asks.few) :] < self.threshold
        for sides, both_new in (((asks.large, asks.small), False), ((asks.small,), True)):
            for side in sides:
                is_pair = is_few & every[asks.large] & every[asks.small]
                is_pair &= ((asks.large >= first_new) & (asks.small >= first_new)) == both_new
                every[side[is_pair & (side >= first_new)]] = False
        shown &= every[first_new:] | ~is_new

    def _can_be_made_safe(self, asks: _Asked, shown: Bools, guards: Sequence[Guarded]) -> bool:
        """Are counts safe beside an answer, maybe if more of its cells are hidden?"""
        tries, middle = Counter[tuple[Guarded, int]](), (time.process_time() + self.deadline) / 2
        while max(tries.values(), default=0) < 2 * TRIES:
            kept, matters = asks.neutral(shown), self._must_be_safe(asks, shown)
            unsafe = [(guard, nth) for guard in guards
                      for nth in guard.unsafe(kept, self.moves.layer, self.threshold)
                      if guard is not asks.apart or matters[nth]]  # fmt: skip
            if not unsafe:
                return True
            now = time.process_time()
            if now > self.deadline:
                return False
            may_hide = now > middle or all(tries[guard, nth] >= TRIES for guard, nth in unsafe)
            chosen = [unsafe[at] for at in self.random.permutation(len(unsafe))]
            if not may_hide:
                chosen = [(guard, nth) for guard, nth in chosen if tries[guard, nth] < TRIES]
            chosen = chosen[: AT_ONCE // 10 if may_hide else AT_ONCE]
            failed = self._protect(chosen, asks, shown, may_hide)
            tries.update(failed)
        return False

    def _protect(
        self, chosen: Sequence[tuple[Guarded, int]], asks: _Asked, shown: Bools, may_hide: bool
    ) -> list[tuple[Guarded, int]]:
        """Find moves that change counts, or hide more cells: the counts for which that is not enough."""
        boxes, less = (
            Boxes(np.stack([getattr(guard, each).has[nth] for guard, nth in chosen]), self.sizes)
            for each in ("boxes", "less")
        )
        found = self._search(boxes, less)
        first, gains = len(self.moves), found.gains(boxes, less)
        every = Moves.together([self.moves, found])
        changes = np.concatenate([asks.changes, found.gains(asks.boxes) != 0])
        weight, failed = np.sqrt(asks.counts + 1.0), []
        for at, (guard, nth) in enumerate(chosen):
            own, gain = guard.of(nth)
            own = np.concatenate([own, first + np.flatnonzero(gains[:, at])])
            gain = np.concatenate([gain, gains[:, at][gains[:, at] != 0]])
            hidden = self._hidden_for(guard, nth, every, own, gain, changes[own] & shown,
                                      weight if may_hide else None)  # fmt: skip
            if hidden is None:
                failed.append((guard, nth))
            else:
                shown &= ~hidden
        new = every.layer[first:] >= 0
        used = np.append(np.ones(first, dtype=bool), new)
        self.moves, asks.changes = every.where(used), changes[used]
        guards = (self.apart, asks.apart, *self.groups.values(), *asks.groups.values())
        for guard in {*guards}:
            guard.learn(found.where(new), first)
        return failed

    def _hidden_for(
        self, guard: Guarded, nth: int, every: Moves, rows: Whole, gains: Whole, changed: Bools,
        weight: NDArray[np.float64] | None,
    ) -> Bools | None:  # fmt: skip
        """Choose moves until a count is safe: the cells that are hidden for it; None where it cannot be.
        rows, gains, changed: of the moves that change it. weight: what it costs to hide each cell; None: none
        is hidden."""
        own, gain, hidden = every.layer[rows], np.abs(gains), np.zeros(changed.shape[1], dtype=bool)
        who, there, count = every.who[rows], every.is_there[rows, :2], guard.counts[nth]
        free = np.array([~(busy[who] & there).any(axis=1) for busy in self.is_busy])
        target = int(((own == np.arange(LAYERS)[:, None]) | ((own < 0) & free)).dot(gain).argmax())
        while True:
            is_neutral = ~changed.any(axis=1)
            used = (own >= 0) & is_neutral
            [more], [less] = _most_of_a_layer(own[used], gains[used])
            if _are_safe(more, less, count, guard.is_hidden[nth], self.threshold):
                return hidden
            possible = ~used & ((own >= 0) | ~(self.is_busy[target][who] & there).any(axis=1))
            best = np.flatnonzero(possible & is_neutral)
            if len(best):
                best = best[np.lexsort((gains[best], -gain[best]))[:1]]
                own[best] = every.layer[rows[best]] = target
                self._occupy(every.where(rows[best]))
            elif weight is None or not possible.any():
                return None
            else:  # the cells of which hiding helps most for what it costs
                sets = np.unique(changed[possible], axis=0)
                fits = changed[possible].astype(np.float32) @ ~sets.T == 0
                wanted = self.threshold - 1 - more - less
                wanted = wanted if guard.is_hidden[nth] else min(wanted, count - less)
                score = sets @ weight / np.minimum(gain[possible] @ fits, wanted)
                hidden |= sets[score.argmin()]
                changed = changed & ~hidden

    # SEARCH

    def _search(self, boxes: Boxes, less: Boxes) -> Moves:
        """Moves that change some counts, and no answered number."""
        repeats = max(AT_ONCE // len(boxes), 1)
        found = Moves.together([
            some for nth in range(len(boxes))
            for of in [slice(nth, nth + 1)] for some in self._drawn(boxes.where(of), less.where(of), repeats)
        ])  # fmt: skip
        for cells in sorted(self.partly_shown.values(), key=lambda each: -each.size):
            numbers = cells.numbers(found.values)
            a, b, c, d = np.where(found.is_there & (numbers >= 0) & cells.is_shown[numbers], numbers + 1, 0).T
            found = found.where((a + b == c + d) & (a * a + b * b == c * c + d * d))
        return found

    def _drawn(self, box: Boxes, less: Boxes, repeats: int) -> Iterator[Moves]:
        """Moves that have more people of a box, less another one; and some that have fewer."""
        n, random, people = len(self.sizes), self.random, self.people
        parts = np.split(box.has[0], np.cumsum(self.sizes)[:-1])
        bound = [d for d in range(n) if not parts[d].all()] or [*range(n)]
        fits = {d: parts[d][people[:, d]] for d in bound}
        is_in = np.logical_and.reduce([*fits.values()])
        is_in[is_in] &= ~less.hold(people[is_in])[:, 0]
        for sign in (1, -1) * repeats:
            taken = np.zeros(n, dtype=bool)  # dimensions that people exchange
            taken[random.choice(bound, random.integers(1, len(bound) + 1), replace=False)] = True
            left, right = is_in, ~is_in
            if sign > 0:
                left = np.logical_and.reduce([right, *(fits[d] for d in bound if not taken[d])])
                right = np.logical_and.reduce([fits[d] for d in bound if taken[d]])
            taken |= random.random(n) < 0.2
            one, other = (np.flatnonzero(each if each.any() else is_in) for each in (left, right))
            moves = self._exchanges(one, other, taken)
            yield moves.where(moves.gains(box, less)[:, 0] * sign > 0)

    def _exchanges(self, left: Whole, right: Whole, taken: Bools) -> Moves:
        """Moves of two people each, who differ little but in what they exchange."""
        left, right = self.random.choice(left, DRAWN), self.random.choice(right, DRAWN)
        apart = ((self.people[left] != self.people[right]) & ~taken).sum(axis=1)
        closest = np.argsort(apart + self.random.random(DRAWN))[:CLOSEST]
        who = np.tile(np.stack([left[closest], right[closest]], axis=1), (len(IS_THERE), 1))
        kind = np.repeat(np.arange(len(IS_THERE)), CLOSEST)
        return Moves.of(self.people, who, np.tile(taken, (len(who), 1)), kind, np.full(len(who), -1))
