"""Other populations that agree with all that was told exactly: what differs between them is not known.

A count is safe if it has values enough in populations that agree with every told number, those of the answer
in question among them. The true population is one; others are made by moves: somebody gets values of another
person, two swap values, somebody comes or leaves. No move that is kept changes a told number, and the moves
of a layer are of different people: so any of them can be made together, and what they change adds up. Where
no such moves are found, a count is taken to be known: this errs towards danger alone.

Moves are kept. A further answer costs those that change a cell that it shows, and others are looked for where
what is left does not suffice; where there are none, more of its cells are hidden.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

OUTSIDE = -(2**50)  # of a value that is not counted: no sum of places is positive with it
DRAWN, CLOSEST = 1500, 60  # pairs of people that a search draws, and looks at: those that differ least
AT_ONCE = 40  # counts for which moves are looked for, before all are looked at again
TRIES = 4  # of such searches for a count
LAYERS = 40
FEW = 10  # times the threshold: of cells that are not told where smaller ones cannot be
SIGNS = np.array([-1, -1, 1, 1])  # of the two who leave by a move, and of the two who come

People = NDArray[np.int16]  # a row for each, a column for each dimension: the number of a value
Bools = NDArray[np.bool_]
Whole = NDArray[np.int64]
Boxes = NDArray[np.bool_]  # a row for each, a column for each value of each dimension: has it this value?


@dataclass(frozen=True)
class Counts:
    """What is told: people who have certain values of some dimensions (allowed), by the values of others."""

    allowed: Mapping[int, Bools]
    by: tuple[int, ...]

    def margins(self) -> Iterator[Counts]:
        """It and its totals."""
        for size in range(len(self.by), -1, -1):
            yield from (Counts(self.allowed, by) for by in combinations(self.by, size))

    @property
    def key(self) -> tuple[object, ...]:
        return (self.by, *sorted((d, held.tobytes()) for d, held in self.allowed.items()))


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
        values = np.unravel_index(np.arange(self.size), [sizes[d] for d in self.by]) if self.by else ()
        held = [np.broadcast_to(self.places.get(d, np.zeros(n)) >= 0, (self.size, n)).copy()
                for d, n in enumerate(sizes)]  # fmt: skip
        for d, value in zip(self.by, values, strict=True):
            held[d] &= value[:, None] == np.arange(sizes[d])[None, :]
        self.boxes = np.concatenate(held, axis=1)

    def numbers(self, people: People) -> Whole:
        """The number of the cell of each person; -1: none."""
        number = np.zeros(people.shape[:-1], dtype=np.int64)
        for d, places in self.places.items():
            number += places[people[..., d]]
        return np.maximum(number, -1)


@dataclass(frozen=True)
class Moves:
    """who: the numbers of two people who leave; values: theirs, and those of two who come; is_there: of these
    four, which there are."""

    who: Whole
    values: People
    is_there: Bools

    def __len__(self) -> int:
        return len(self.who)

    def where(self, chosen: Bools | Whole | slice) -> Moves:
        return Moves(self.who[chosen], self.values[chosen], self.is_there[chosen])

    @staticmethod
    def of(parts: Sequence[Moves]) -> Moves:
        return Moves(*(np.concatenate([getattr(each, name) for each in parts])
                       for name in ("who", "values", "is_there")))  # fmt: skip

    def gains(self, boxes: Boxes, less: Boxes | None, starts: Whole) -> NDArray[np.int8]:
        """How many people more each move (a row) has in each box (a column), and not in another one."""
        found = np.zeros((len(self), len(boxes)), dtype=np.int8)
        for nth, sign in enumerate(SIGNS.astype(np.int8)):
            there = np.flatnonzero(self.is_there[:, nth])
            held = _inside(self.values[there, nth], boxes, starts)
            if less is not None:
                held &= ~_inside(self.values[there, nth], less, starts)
            found[there] += held * sign
        return found


def _inside(people: People, boxes: Boxes, starts: Whole) -> Bools:
    """Are people (rows) in boxes (columns)?"""
    by_value = np.ascontiguousarray(boxes.T)
    held = by_value[people[:, 0]]
    for d, start in enumerate(starts[1:], 1):
        held &= by_value[people[:, d] + start]
    return held


class Guarded:
    """Counts that must not be known, and which move has how many more people of which of them (move, cell,
    gain). is_asked: are they hidden cells? Of others it may remain possible that there is nobody."""

    def __init__(self, counts: Whole, is_asked: bool) -> None:
        self.counts, self.is_asked = counts, is_asked
        self.move = self.cell = self.gain = np.zeros(0, dtype=np.int64)

    def box(self, nth: int) -> tuple[Boxes, Boxes]:
        """Who is counted, and who of these is not."""
        raise NotImplementedError

    def gains(self, moves: Moves) -> tuple[Whole, Whole, Whole]:
        """The same of some moves."""
        raise NotImplementedError

    def learn(self, moves: Moves, first: int = 0) -> None:
        """Moves that are new, numbered from first."""
        if len(moves) and len(self.counts):
            move, cell, gain = self.gains(moves)
            self.move = np.concatenate([self.move, move + first])
            self.cell, self.gain = np.concatenate([self.cell, cell]), np.concatenate([self.gain, gain])

    def keep(self, kept: Bools) -> None:
        """Only some moves are left, which get new numbers."""
        own, number = kept[self.move], np.cumsum(kept) - 1
        self.move, self.cell, self.gain = number[self.move[own]], self.cell[own], self.gain[own]

    def unsafe(self, some: Bools, layer: Whole, threshold: int) -> Whole:
        """Which counts are not different enough where some moves are made, or not?"""
        own = some[self.move]
        key, gain = self.cell[own] * LAYERS + layer[self.move[own]], self.gain[own]
        more, less = (
            np.bincount(key, np.maximum(sign * gain, 0), len(self.counts) * LAYERS)
            .reshape(-1, LAYERS).max(axis=1) for sign in (1, -1)
        )  # fmt: skip
        return np.flatnonzero(~_are_safe(more, less, self.counts, self.is_asked, threshold))


def _are_safe(more: Any, less: Any, counts: Any, is_asked: bool, threshold: int) -> Bools:
    return np.asarray((more + less >= threshold - 1) | ((less >= counts) & (not is_asked)))


class Groups(Guarded):
    """Groups of few people that answers tell apart by some columns. pieces: of each of these columns the
    number of the piece that a value is in."""

    def __init__(self, pieces: Mapping[int, Whole], sizes: Sequence[int], people: People, most: int) -> None:
        self.pieces, self.sizes = pieces, sizes
        known, first, counts = np.unique(self._numbers(people), return_index=True, return_counts=True)
        few = counts <= most
        self.known, self.examples = known[few], people[first[few]]
        super().__init__(counts[few], False)

    def _numbers(self, people: People) -> Whole:
        number = np.zeros(people.shape[:-1], dtype=np.int64)
        for d, of_value in self.pieces.items():
            number = number * (of_value.max() + 1) + of_value[people[..., d]]
        return number

    def box(self, nth: int) -> tuple[Boxes, Boxes]:
        value = self.examples[nth]
        box = np.concatenate([
            self.pieces[d] == self.pieces[d][value[d]] if d in self.pieces else np.ones(size, dtype=bool)
            for d, size in enumerate(self.sizes)
        ])  # fmt: skip
        return box, np.zeros_like(box)

    def gains(self, moves: Moves) -> tuple[Whole, Whole, Whole]:
        number, n = self._numbers(moves.values), len(self.known)
        at = np.minimum(np.searchsorted(self.known, number), n - 1)
        move, nth = np.nonzero((self.known[at] == number) & moves.is_there)
        key, inverse = np.unique(move * n + at[move, nth], return_inverse=True)
        gain = np.bincount(inverse.reshape(-1), SIGNS[nth], len(key)).astype(np.int64)
        key, gain = key[gain != 0], gain[gain != 0]
        return key // n, key % n, gain


class Differences(Guarded):
    """Counts of boxes, less those of other boxes, if there are any."""

    def __init__(self, boxes: Boxes, less: Boxes | None, counts: Whole, starts: Whole) -> None:
        super().__init__(counts, less is None)
        self.boxes, self.less, self.starts = boxes, less, starts

    def box(self, nth: int) -> tuple[Boxes, Boxes]:
        return self.boxes[nth], np.zeros_like(self.boxes[nth]) if self.less is None else self.less[nth]

    def gains(self, moves: Moves) -> tuple[Whole, Whole, Whole]:
        gained = moves.gains(self.boxes, self.less, self.starts)
        move, cell = np.nonzero(gained)
        return move, cell, gained[move, cell].astype(np.int64)

    def with_some_of(self, other: Differences, chosen: Bools) -> Differences:
        """These, and some others."""
        less = None if self.less is None or other.less is None else np.concatenate(
            [self.less, other.less[chosen]])  # fmt: skip
        every = Differences(np.concatenate([self.boxes, other.boxes[chosen]]), less,
                            np.concatenate([self.counts, other.counts[chosen]]), self.starts)  # fmt: skip
        own, number = chosen[other.cell], np.cumsum(chosen) - 1 + len(self.counts)
        every.move = np.concatenate([self.move, other.move[own]])
        every.cell = np.concatenate([self.cell, number[other.cell[own]]])
        every.gain = np.concatenate([self.gain, other.gain[own]])
        return every


@dataclass
class _Asked:
    """An answer in question: its margins, and their cells in one row. place: where these are among all that
    is told; -1: nowhere. few: cells of few people, which are hidden. large, small: cells, of those that were
    told and then of these, whose difference is few people, at least one of them new. changes: by which move
    which cell has another count."""

    of: Counts
    new: Sequence[Cells]
    boxes: Boxes
    counts: Whole
    place: Whole
    few: Whole
    hidden: Differences
    large: Whole
    small: Whole
    differences: Differences
    groups: Mapping[object, Groups]
    changes: Bools

    @property
    def guards(self) -> list[Guarded]:
        return [self.hidden, self.differences, *self.groups.values()]

    def neutral(self, shown: Bools) -> Bools:
        """The moves that change no cell that is shown."""
        return np.asarray(~self.changes[:, shown].any(axis=1))


@dataclass(frozen=True)
class _Choice:
    """Moves by number that change a count, and by how much."""

    moves: Whole
    gain: Whole
    count: int
    is_asked: bool


class Populations:
    """All that was told of some people, and moves that agree with it. sizes: how many values each dimension
    has; threshold: fewer people must not be known of."""

    def __init__(self, people: People, sizes: Sequence[int], threshold: int) -> None:
        self.people, self.sizes, self.threshold = people, sizes, threshold
        self.starts = np.cumsum([0, *sizes])[:-1]
        self.random = np.random.default_rng(0)
        self.told: dict[object, Cells] = {}  # of which some are shown
        self.asked: list[Counts] = []
        self.boxes = np.zeros((0, sum(sizes)), dtype=bool)  # of all that is told
        self.words = _words(self.boxes)
        self.counts, self.is_shown = np.zeros(0, dtype=np.int64), np.zeros(0, dtype=bool)  # of all boxes
        self.known: dict[bytes, int] = {}  # where a box is
        nobody = np.zeros((0, 4, len(sizes)), dtype=np.int16)
        self.moves = Moves(np.zeros((0, 2), dtype=np.int64), nobody, np.zeros((0, 4), dtype=bool))
        self.layer = np.zeros(0, dtype=np.int64)
        self.is_busy = np.zeros((LAYERS, len(people)), dtype=bool)  # who has a move in which layer?
        self.hidden = Differences(self.boxes, None, self.counts, self.starts)
        self.differences = Differences(self.boxes, self.boxes, self.counts, self.starts)
        self.groups: dict[object, Groups] = {}
        self.prepared: _Asked | None = None

    @property
    def most(self) -> int:
        """A count above it has values enough, or is at least the threshold for certain."""
        return 2 * self.threshold - 3

    @property
    def guards(self) -> list[Guarded]:
        return [self.hidden, self.differences, *self.groups.values()]

    # WHAT IS TOLD

    def tell(self, counts: Counts, is_shown: Sequence[Bools]) -> None:
        """Enter what was told, of each margin."""
        asks, shown = self._prepared(counts), np.concatenate(is_shown)
        hidden, apart = self._must_be_safe(asks, shown)
        self.hidden = self.hidden.with_some_of(asks.hidden, hidden)
        self.differences = self.differences.with_some_of(asks.differences, apart)
        self.groups |= asks.groups
        for cells, own in zip(asks.new, is_shown, strict=True):
            cells.is_shown = own
            if own.any():
                self.told[cells.key] = cells
        self.asked.append(counts)
        fresh = asks.place < 0
        for nth, box in enumerate(_words(asks.boxes[fresh]), len(self.boxes)):
            self.known[box.tobytes()] = nth
        self.boxes = np.concatenate([self.boxes, asks.boxes[fresh]])
        self.words = _words(self.boxes)
        self.counts = np.concatenate([self.counts, asks.counts[fresh]])
        self.is_shown = np.concatenate([self.is_shown, shown[fresh]])
        self._keep(asks.neutral(shown))
        self.prepared = None

    def _keep(self, kept: Bools) -> None:
        """Keep some of the moves."""
        for guard in self.guards:
            guard.keep(kept)
        self.moves, self.layer = self.moves.where(kept), self.layer[kept]
        self.is_busy[:] = False
        self._occupy(self.moves, self.layer)

    def _occupy(self, moves: Moves, layer: Whole) -> None:
        for nth in (0, 1):
            there = moves.is_there[:, nth]
            self.is_busy[layer[there], moves.who[there, nth]] = True

    # COUNTS THAT MUST NOT BE KNOWN

    def _prepared(self, counts: Counts) -> _Asked:
        """An answer, once."""
        if self.prepared is not None and self.prepared.of is counts:
            return self.prepared
        new = [Cells(each, self.sizes, self.people) for each in counts.margins()]
        boxes, of_all = np.concatenate([x.boxes for x in new]), np.concatenate([x.counts for x in new])
        place = np.array([self.known.get(row.tobytes(), -1) for row in _words(boxes)], dtype=np.int64)
        few = np.flatnonzero((of_all > 0) & (of_all <= self.most) & (place < 0))
        large, small = self._close_pairs(boxes, of_all, place < 0)
        every, of_every = np.concatenate([self.boxes, boxes]), np.concatenate([self.counts, of_all])
        hidden = Differences(boxes[few], None, of_all[few], self.starts)
        differences = Differences(every[large], every[small], of_every[large] - of_every[small], self.starts)
        groups = self._groups(counts)
        changes = self.moves.gains(boxes, None, self.starts) != 0
        self.prepared = _Asked(counts, new, boxes, of_all, place, few, hidden, large, small, differences,
                               groups, changes)  # fmt: skip
        for guard in self.prepared.guards:
            if not any(guard is known for known in self.groups.values()):
                guard.learn(self.moves)
        return self.prepared

    def _close_pairs(self, boxes: Boxes, counts: Whole, is_new: Bools) -> tuple[Whole, Whole]:
        """Pairs of which one is a part of the other, and the difference is few people."""
        words = np.concatenate([self.words, _words(boxes)])
        of_all = np.concatenate([self.counts, counts])
        order, told = np.argsort(of_all, kind="stable"), len(self.counts)
        by_size = of_all[order]
        pairs = []
        for own in np.flatnonzero(is_new) + told:
            n = of_all[own]
            start, end, first, last = np.searchsorted(by_size, [n - self.most, n, n + 1, n + self.most + 1])
            smaller, larger = order[start:end], order[first:last]
            smaller = smaller[~(words[smaller] & ~words[own]).any(axis=1)]
            larger = larger[larger < told]  # of two new ones the larger is looked at alone
            larger = larger[~(words[own] & ~words[larger]).any(axis=1)]
            pairs += [(np.full(len(smaller), own), smaller), (larger, np.full(len(larger), own))]
        if not pairs:
            return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
        return np.concatenate([large for large, _ in pairs]), np.concatenate([small for _, small in pairs])

    def _must_be_safe(self, asks: _Asked, shown: Bools) -> tuple[Bools, Bools]:
        """Which cells of few people, and which differences, must not be known if some cells are shown?"""
        every = np.concatenate([self.is_shown, shown])
        counts = np.concatenate([self.counts, asks.counts])
        large, small = every[asks.large], every[asks.small]
        of_hidden = np.where(large, counts[asks.small], counts[asks.large])
        return ~shown[asks.few], (~large & ~small) | ((large != small) & (of_hidden > self.most))

    def _groups(self, counts: Counts) -> dict[object, Groups]:
        """Groups of few people that answers tell apart, by some or all columns of a question."""
        own = sorted({*counts.allowed, *counts.by})
        pieces = {d: self._pieces(d, counts) for d in own}
        chosen = (some for size in range(1, len(own) + 1) for some in combinations(own, size))
        found = dict[object, Groups]()
        for some in chosen:
            known = self.groups.get(some)
            if known is None or any(len({*known.pieces[d]}) != len({*pieces[d]}) for d in some):
                known = Groups({d: pieces[d] for d in some}, self.sizes, self.people, self.most)
            found[some] = known
        return found

    def _pieces(self, dimension: int, counts: Counts) -> Whole:
        """Of each value of a dimension the number of its piece: no answer tells the values of one apart."""
        every = [*self.asked, counts]
        if any(dimension in each.by for each in every):
            return np.arange(self.sizes[dimension])
        masks = np.unique([each.allowed[dimension] for each in every if dimension in each.allowed], axis=0)
        return np.unique(masks, axis=1, return_inverse=True)[1].reshape(-1)

    # JUDGING

    def counted(self, counts: Counts) -> list[Whole]:
        """How many people the cells of each margin have."""
        return [cells.counts for cells in self._prepared(counts).new]

    def judged(self, counts: Counts, seconds: float) -> list[Bools] | None:
        """Which cells of each margin can be shown; None where it is not found that any are safe."""
        end = time.process_time() + seconds
        asks = self._prepared(counts)
        of_all, fixed = asks.counts, asks.place >= 0
        if fixed.all():  # that tells nothing new
            return self._apart(asks, self.is_shown[asks.place])
        self.deadline = time.process_time() + seconds / 2
        guards = self.guards + [each for each in asks.groups.values() if each not in self.guards]
        if not self._can_be_made_safe(asks, np.zeros(len(fixed), dtype=bool), guards):
            return None  # whatever is hidden
        guards += [asks.hidden, asks.differences]
        is_finest, has_people = np.arange(len(fixed)) < asks.new[0].size, of_all > 0
        is_few = has_people & (of_all < self.threshold)
        is_few[self._empty_in_few(asks)] = True
        for hidden in (
            is_few, is_few | is_finest & has_people & (of_all < FEW * self.threshold),
            is_few | is_finest & has_people, of_all >= 0,
        ):  # fmt: skip
            shown = ~hidden
            shown[fixed] = self.is_shown[asks.place[fixed]]
            self._hide_differences(asks, shown, ~fixed)
            self.deadline = time.process_time() + (end - time.process_time()) / 2
            if self._can_be_made_safe(asks, shown, guards):
                return self._apart(asks, shown)
        return None

    def _empty_in_few(self, asks: _Asked) -> Whole:
        """New cells that have nobody, and are parts of one of few people: who knows how many these are would
        know them by the parts that are not empty."""
        told, every = len(self.counts), np.concatenate([self.counts, asks.counts])
        own = (every[asks.large] < self.threshold) & (every[asks.small] == 0) & (asks.small >= told)
        return np.asarray(asks.small[own] - told)

    def _apart(self, asks: _Asked, shown: Bools) -> list[Bools]:
        return np.split(shown, np.cumsum([each.size for each in asks.new])[:-1])

    def _hide_differences(self, asks: _Asked, shown: Bools, is_new: Bools) -> None:
        """Hide new cells whose difference to a shown one is the number of few people; of two new ones the
        smaller."""
        told = len(self.counts)
        every = np.concatenate([self.is_shown, shown])
        is_few = asks.differences.counts < self.threshold
        for sides, both_new in (((asks.large, asks.small), False), ((asks.small,), True)):
            for side in sides:
                is_pair = is_few & every[asks.large] & every[asks.small]
                is_pair &= ((asks.large >= told) & (asks.small >= told)) == both_new
                every[side[is_pair & (side >= told)]] = False
        shown &= every[told:] | ~is_new

    def _can_be_made_safe(self, asks: _Asked, shown: Bools, guards: Sequence[Guarded]) -> bool:
        """Are counts safe beside an answer, maybe if more of its cells are hidden?"""
        tries, middle = Counter[tuple[int, int]](), (time.process_time() + self.deadline) / 2
        while max(tries.values(), default=0) < 2 * TRIES:
            hidden, apart = self._must_be_safe(asks, shown)
            matters = {id(asks.hidden): hidden, id(asks.differences): apart}
            kept = asks.neutral(shown)
            unsafe = [(guard, nth) for guard in guards
                      for nth in guard.unsafe(kept, self.layer, self.threshold)
                      if id(guard) not in matters or matters[id(guard)][nth]]  # fmt: skip
            if not unsafe:
                return True
            now = time.process_time()
            if now > self.deadline:
                return False
            may_hide = now > middle or all(tries[id(guard), nth] >= TRIES for guard, nth in unsafe)
            chosen = [unsafe[at] for at in self.random.permutation(len(unsafe))]
            if not may_hide:
                chosen = [(guard, nth) for guard, nth in chosen if tries[id(guard), nth] < TRIES]
            chosen = chosen[: AT_ONCE // 10 if may_hide else AT_ONCE]
            failed = self._protect(chosen, asks, shown, may_hide)
            tries.update((id(guard), nth) for guard, nth in failed)
        return False

    def _protect(
        self, chosen: Sequence[tuple[Guarded, int]], asks: _Asked, shown: Bools, may_hide: bool
    ) -> list[tuple[Guarded, int]]:
        """Find moves that change counts, or hide more cells: the counts for which that is not enough."""
        boxes, less = (
            np.array(each) for each in zip(*(guard.box(nth) for guard, nth in chosen), strict=True)
        )
        found = self._search(boxes, less)
        first, gains = len(self.moves), found.gains(boxes, less, self.starts)
        changes = np.concatenate([asks.changes, found.gains(asks.boxes, None, self.starts) != 0])
        every, layer = Moves.of([self.moves, found]), np.append(self.layer, np.full(len(found), -1))
        weight, failed = np.sqrt(asks.counts + 1.0), []
        for at, (guard, nth) in enumerate(chosen):
            own = guard.cell == nth
            rows = np.concatenate([guard.move[own], first + np.flatnonzero(gains[:, at])])
            gain = np.concatenate([guard.gain[own], gains[:, at][gains[:, at] != 0]]).astype(np.int64)
            of_guard = _Choice(rows, gain, guard.counts[nth], guard.is_asked)
            hidden = self._chosen(of_guard, every, layer, changes & shown, weight if may_hide else None)
            if hidden is None:
                failed.append((guard, nth))
            else:
                shown &= ~hidden
        new = np.flatnonzero(layer[first:] >= 0)
        self.moves = every.where(np.append(np.arange(first), first + new))
        self.layer, asks.changes = layer[layer >= 0], changes[layer >= 0]
        for guard in {*self.guards, *asks.guards}:
            guard.learn(found.where(new), first)
        return failed

    def _chosen(
        self, of: _Choice, every: Moves, layer: Whole, changes: Bools, weight: NDArray[np.float64] | None
    ) -> Bools | None:
        """Choose moves until a count is safe: the cells that are hidden for it; None where it cannot be.
        weight: what it costs to hide each cell; None: none is hidden."""
        who, there, changed = every.who[of.moves], every.is_there[of.moves, :2], changes[of.moves]
        own, gain, hidden = layer[of.moves], np.abs(of.gain), np.zeros(changes.shape[1], dtype=bool)
        free = np.array([~(busy[who] & there).any(axis=1) for busy in self.is_busy])
        target = int(((own == np.arange(LAYERS)[:, None]) | ((own < 0) & free)).dot(gain).argmax())
        while True:
            is_neutral = ~changed.any(axis=1)
            used = (own >= 0) & is_neutral
            more, less = (
                np.bincount(own[used], np.maximum(sign * of.gain[used], 0), LAYERS).max() for sign in (1, -1)
            )
            if _are_safe(more, less, of.count, of.is_asked, self.threshold):
                return hidden
            possible = ~used & ((own >= 0) | ~(self.is_busy[target][who] & there).any(axis=1))
            best = np.flatnonzero(possible & is_neutral)
            if len(best):
                best = best[np.lexsort((of.gain[best], -gain[best]))[:1]]
                own[best] = layer[of.moves[best]] = target
                self._occupy(every.where(of.moves[best]), own[best])
            elif weight is None or not possible.any():
                return None
            else:  # the cells of which hiding helps most for what it costs
                sets = np.unique(changed[possible], axis=0)
                fits = changed[possible].astype(np.float32) @ ~sets.T == 0
                wanted = self.threshold - 1 - more - less
                wanted = wanted if of.is_asked else min(wanted, of.count - less)
                score = sets @ weight / np.minimum(gain[possible] @ fits, wanted)
                hidden |= sets[score.argmin()]
                changed = changed & ~hidden

    # SEARCH

    def _search(self, boxes: Boxes, less: Boxes) -> Moves:
        """Moves that change some counts, and no told number."""
        repeats = max(AT_ONCE // len(boxes), 1)
        found = Moves.of(
            [self.moves.where(slice(0)), *(some for box in zip(boxes, less, strict=True)
                                           for some in self._drawn(*box, repeats))]
        )  # fmt: skip
        for cells in sorted(self.told.values(), key=lambda each: -each.size):
            if not len(found):
                break
            numbers = cells.numbers(found.values)
            a, b, c, d = np.where(found.is_there & (numbers >= 0) & cells.is_shown[numbers], numbers + 1, 0).T
            found = found.where((a + b == c + d) & (a * a + b * b == c * c + d * d))
        return found

    def _drawn(self, box: Boxes, less: Boxes, repeats: int) -> Iterator[Moves]:
        """Moves that have more people of a box, less another one; and some that have fewer."""
        n, random, people = len(self.sizes), self.random, self.people
        parts = np.split(box, self.starts[1:])
        bound = [d for d in range(n) if not parts[d].all()] or [*range(n)]
        fits = {d: parts[d][people[:, d]] for d in bound}
        is_in = np.logical_and.reduce([*fits.values()])
        is_in[is_in] &= ~_inside(people[is_in], less[None], self.starts)[:, 0]
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
            yield moves.where(moves.gains(box[None], less[None], self.starts)[:, 0] * sign > 0)

    def _exchanges(self, left: Whole, right: Whole, taken: Bools) -> Moves:
        """Moves of two people each, who differ little but in what they exchange."""
        random, people = self.random, self.people
        left, right = random.choice(left, DRAWN), random.choice(right, DRAWN)
        apart = people[left] != people[right]
        closest = np.argsort((apart & ~taken).sum(axis=1) + random.random(DRAWN))[:CLOSEST]
        left, right = left[closest], right[closest]
        one, other = people[left].copy(), people[right].copy()
        one[:, taken], other[:, taken] = people[right][:, taken], people[left][:, taken]
        kinds = np.repeat(np.arange(4), len(left))  # swap, get, come, leave
        who = np.tile(np.stack([left, right], axis=1), (4, 1))
        values = np.tile(np.stack([people[left], people[right], one, other], axis=1), (4, 1, 1))
        return Moves(who, values, np.stack([kinds != 2, kinds == 0, kinds != 3, kinds == 0], axis=1))


def _words(boxes: Boxes) -> NDArray[np.uint64]:
    """Boxes as words of bits."""
    packed = np.packbits(np.asarray(boxes, dtype=bool), axis=1)
    return np.pad(packed, ((0, 0), (0, -packed.shape[1] % 8))).view(np.uint64)
