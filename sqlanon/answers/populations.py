"""Other populations that agree with all that was told exactly: what differs between them is not known.

A count is safe if it has values enough in populations that agree with every told number, those of the answer
in question among them. The true population is one; others are found by moves: people get values of others,
swap values with them, come or leave. Each is the true one but for few people, and is counted again in whole
numbers, so nothing rests on what a search believes. Where no such populations are found, a count is taken to
be known: this errs towards danger alone.

Populations are kept. Of a further answer only its own cells are counted in them, and others are looked for
where those that still agree with all do not suffice.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

OUTSIDE = -(2**50)  # of a value that is not counted: no sum of places is positive with it
DRAWN, CLOSEST = 4000, 400  # pairs of people that a search draws, and looks at: those that differ least
TRIES = 6  # of a search
MOST = 500  # populations
FEW = 10  # times the threshold: of cells that are not told where smaller ones cannot be
AT_ONCE = 16  # counts for which populations are looked for, before all are looked at again

People = NDArray[np.int16]  # a row for each, a column for each dimension: the number of a value
Bools = NDArray[np.bool_]
Whole = NDArray[np.int64]
Boxes = NDArray[np.float32]  # a row for each, a column for each value of each dimension: 1 if it has it


@dataclass(frozen=True)
class Counts:
    """What is told: people who have certain values of some dimensions (allowed), by the values of others."""

    allowed: Mapping[int, Bools]
    by: tuple[int, ...]

    def margins(self) -> Iterator[Counts]:
        """It and its totals."""
        for size in range(len(self.by), -1, -1):
            yield from (Counts(self.allowed, by) for by in combinations(self.by, size))


class Cells:
    """The cells of a margin, in a row: which people they have, their counts, and which are shown."""

    def __init__(self, counts: Counts, sizes: Sequence[int], people: People) -> None:
        self.by, self.size = counts.by, 1
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
        self.boxes = np.concatenate(held, axis=1).astype(np.float32)

    def numbers(self, people: People) -> Whole:
        """The number of the cell of each person; -1: none."""
        number = np.zeros(len(people), dtype=np.int64)
        for d, places in self.places.items():
            number += places[people[:, d]]
        return np.maximum(number, -1)


@dataclass
class Guarded:
    """Counts that must not be known: of boxes, less those of other boxes. is_asked: are they hidden cells?
    Of others it may remain possible that there is nobody. moved: by how much each population (a row) has more
    of them."""

    boxes: Boxes
    less: Boxes
    counts: Whole
    is_asked: Bools
    moved: NDArray[np.int16]

    def are_safe(self, rows: Bools, threshold: int) -> Bools:
        """Are these counts different enough in some of the populations and the true one?"""
        moved = self.moved[rows]
        low = self.counts + np.minimum(moved.min(axis=0, initial=0), 0)
        high = self.counts + np.maximum(moved.max(axis=0, initial=0), 0)
        return np.asarray((high - low >= threshold - 1) | ((low <= 0) & ~self.is_asked))

    def where(self, chosen: Bools | Whole) -> Guarded:
        return Guarded(self.boxes[chosen], self.less[chosen], self.counts[chosen], self.is_asked[chosen],
                       self.moved[:, chosen])  # fmt: skip

    def beside(self, other: Guarded) -> Guarded:
        return Guarded(
            np.concatenate([self.boxes, other.boxes]), np.concatenate([self.less, other.less]),
            np.concatenate([self.counts, other.counts]), np.concatenate([self.is_asked, other.is_asked]),
            np.hstack([self.moved, other.moved]),
        )  # fmt: skip


@dataclass(frozen=True)
class _Asked:
    """An answer in question: its margins, and their cells in one row. is_new: of which nothing was told;
    is_fixed: that are shown or not, whatever would help; every: all, as if they were guarded. others: groups
    of few people."""

    new: Sequence[Cells]
    boxes: Boxes
    counts: Whole
    is_new: Bools
    is_fixed: Bools
    every: Guarded
    others: Sequence[Guarded]


class Populations:
    """All that was told of some people, and populations that agree with it. sizes: how many values each
    dimension has; threshold: fewer people must not be known of."""

    def __init__(self, people: People, sizes: Sequence[int], threshold: int) -> None:
        self.people, self.sizes, self.threshold = people, sizes, threshold
        self.starts = np.concatenate([[0], np.cumsum(sizes)])
        self.random = np.random.default_rng(0)
        self.told: list[Cells] = []
        self.asked: list[Counts] = []
        self.boxes = np.zeros((0, self.starts[-1]), dtype=np.float32)  # of all that is told
        self.counts, self.is_shown = np.zeros(0, dtype=np.int64), np.zeros(0, dtype=bool)
        self.less, self.more = list[People](), list[People]()
        self.kept: dict[int, tuple[int, Boxes]] = {}
        self.hidden = self._guarded(self.boxes)  # and differences of which one side is
        self.groups: dict[tuple[int, ...], Guarded] = {}

    # WHAT IS TOLD

    def tell(self, counts: Counts, is_shown: Sequence[Bools]) -> None:
        """Enter what was told, of each margin."""
        new = [Cells(each, self.sizes, self.people) for each in counts.margins()]
        for cells, shown in zip(new, is_shown, strict=True):
            cells.is_shown = shown
        boxes, own_counts, shown = self._all(new)
        fresh = self._place(boxes) < 0
        guarded = self._hidden(boxes[fresh], own_counts[fresh], shown[fresh])
        self.asked.append(counts)
        self.told += new
        self.boxes = np.concatenate([self.boxes, boxes[fresh]])
        self.counts = np.concatenate([self.counts, own_counts[fresh]])
        self.is_shown = np.concatenate([self.is_shown, shown[fresh]])
        self.hidden = self.hidden.beside(guarded)
        self.groups |= self._groups(counts)
        self._leave_out(self._agree(self._guarded(boxes, own_counts), shown))

    def _leave_out(self, agrees: Bools) -> None:
        """Keep the populations that agree; if there are many, those between which some count differs most."""
        every = [self.hidden, *self.groups.values()]
        kept = np.flatnonzero(agrees)
        if len(kept) > MOST:
            ends = [end(each.moved[kept], axis=0) for each in every for end in (np.argmin, np.argmax)
                    if len(each.counts)]  # fmt: skip
            kept = kept[np.unique(np.concatenate(ends))]
        self.less, self.more = [self.less[nth] for nth in kept], [self.more[nth] for nth in kept]
        self.kept.clear()
        for each in every:
            each.moved = each.moved[kept]

    @staticmethod
    def _all(new: Sequence[Cells]) -> tuple[Boxes, Whole, Bools]:
        return (np.concatenate([each.boxes for each in new]), np.concatenate([each.counts for each in new]),
                np.concatenate([each.is_shown for each in new]))  # fmt: skip

    def _place(self, boxes: Boxes) -> Whole:
        """Where each box is among those that are told; -1: nowhere."""
        known = {row.tobytes(): nth for nth, row in enumerate(np.packbits(self.boxes > 0, axis=1))}
        return np.array([known.get(row.tobytes(), -1) for row in np.packbits(boxes > 0, axis=1)], dtype=int)

    # COUNTS THAT MUST NOT BE KNOWN

    @property
    def _most(self) -> int:
        """A count above it has values enough, or is at least the threshold for certain."""
        return 2 * self.threshold - 3

    def _guarded(self, boxes: Boxes, counts: Whole | None = None, less: Boxes | None = None) -> Guarded:
        counts = np.zeros(len(boxes), dtype=np.int64) if counts is None else counts
        is_asked = np.full(len(boxes), less is None)
        nothing = np.zeros((0, len(boxes)), dtype=np.int16)
        found = Guarded(boxes, np.zeros_like(boxes) if less is None else less, counts, is_asked, nothing)
        found.moved = self._moved(found)
        return found

    def _moved(self, guarded: Guarded, since: int = 0) -> NDArray[np.int16]:
        """By how much populations have more people."""
        moved = np.zeros((len(self.less) - since, len(guarded.boxes)), dtype=np.int32)
        for nth, (lists, sign) in enumerate(((self.less[since:], -1), (self.more[since:], 1))):
            ends = np.cumsum([0, *(len(each) for each in lists)])
            if ends[-1] and len(guarded.boxes):
                own = self._inside(self._values(lists, None if since else nth), guarded)
                sums = np.zeros((len(own) + 1, own.shape[1]), dtype=np.int32)
                own.cumsum(axis=0, out=sums[1:])
                moved += sign * np.diff(sums[ends], axis=0)
        return moved.astype(np.int16)

    def _values(self, lists: Sequence[People], nth: int | None) -> Boxes:
        """People as boxes of one value in each dimension; kept, if these are all who left or came."""
        if nth is not None and nth in self.kept and self.kept[nth][0] == len(lists):
            return self.kept[nth][1]
        people = np.concatenate(lists)
        values = np.zeros((len(people), self.starts[-1]), dtype=np.float32)
        values[np.arange(len(people))[:, None], people + self.starts[:-1]] = 1
        if nth is not None:
            self.kept[nth] = len(lists), values
        return values

    def _inside(self, values: Boxes, guarded: Guarded) -> Bools:
        """Are people (rows) in boxes (columns), and not in the others?"""
        held = np.asarray(values @ guarded.boxes.T == len(self.sizes))
        less = np.flatnonzero(guarded.less.any(axis=1))
        held[:, less] &= values @ guarded.less[less].T < len(self.sizes)
        return held

    def _nested(self, boxes: Boxes, others: Boxes) -> Bools:
        """Is a box (row) a part of another one (column)?"""
        return np.asarray(boxes @ (1 - others).T == 0)

    def _hidden(self, boxes: Boxes, counts: Whole, is_shown: Bools) -> Guarded:
        """The hidden ones of new cells, and the differences to others that no numbers tell."""
        is_few = (counts > 0) & (counts <= self._most)
        own = self._guarded(boxes[~is_shown & is_few], counts[~is_shown & is_few])
        every = np.concatenate([self.boxes, boxes])
        of_all, shown = np.concatenate([self.counts, counts]), np.concatenate([self.is_shown, is_shown])
        for larger, is_within in ((True, self._nested(every, boxes)), (False, self._nested(boxes, every).T)):
            one, new = np.nonzero(is_within)
            difference = (counts[new] - of_all[one]) * (1 if larger else -1)
            sides = shown[one].astype(int) + is_shown[new]
            hidden = np.where(shown[one], counts[new], of_all[one])
            kept = (difference > 0) & (difference <= self._most) & (sides < 2)
            kept &= (sides == 0) | (hidden > self._most)
            pair = (boxes[new[kept]], every[one[kept]])
            large, small = pair if larger else pair[::-1]
            own = own.beside(self._guarded(large, difference[kept], small))
        return own

    def _groups(self, counts: Counts) -> dict[tuple[int, ...], Guarded]:
        """Groups of few people that answers tell apart, by some or all columns of a question."""
        own = sorted({*counts.allowed, *counts.by})
        pieces = {d: self._pieces(d, counts) for d in own}
        chosen = (some for size in range(1, len(own) + 1) for some in combinations(own, size))
        return {some: self._groups_by({d: pieces[d] for d in some}) for some in chosen}

    def _groups_by(self, pieces: Mapping[int, Whole]) -> Guarded:
        number = np.zeros(len(self.people), dtype=np.int64)
        for d, of_value in pieces.items():
            number = number * (of_value.max() + 1) + of_value[self.people[:, d]]
        _, first, counts = np.unique(number, return_index=True, return_counts=True)
        few = self.people[first[counts <= self._most]]
        held = [
            pieces[d][few[:, d]][:, None] == pieces[d][None, :] if d in pieces
            else np.ones((len(few), size), dtype=bool) for d, size in enumerate(self.sizes)
        ]  # fmt: skip
        boxes = np.concatenate(held, axis=1).astype(np.float32)
        return self._guarded(boxes, counts[counts <= self._most], np.zeros_like(boxes))

    def _pieces(self, dimension: int, counts: Counts) -> Whole:
        """Of each value of a dimension the number of its piece: no answer tells the values of one apart."""
        every = [*self.asked, counts]
        if any(dimension in each.by for each in every):
            return np.arange(self.sizes[dimension])
        masks = [each.allowed[dimension] for each in every if dimension in each.allowed]
        return np.unique(np.array(masks), axis=1, return_inverse=True)[1].reshape(-1)

    # JUDGING

    def judged(
        self, counts: Counts, is_hidden: Sequence[Bools], must_be: Sequence[Bools], seconds: float
    ) -> list[Bools] | None:
        """Which cells of each margin can be shown; None where it is not found that any are safe.
        is_hidden: those that are not shown anyway; must_be: those that are."""
        end = time.process_time() + seconds
        self._leave_out(np.ones(len(self.less), dtype=bool))
        new = [Cells(each, self.sizes, self.people) for each in counts.margins()]
        boxes, of_all, _ = self._all(new)
        place = self._place(boxes)
        fixed = np.concatenate(must_be) | (place >= 0)
        groups = {**self.groups, **self._groups(counts)}
        asks = _Asked(
            new, boxes, of_all, place < 0, fixed, self._guarded(boxes, of_all), [*groups.values()]
        )  # fmt: skip
        is_finest, is_few = np.arange(len(of_all)) < new[0].size, (of_all > 0) & (of_all < self.threshold)
        hidden = np.concatenate(is_hidden) | is_few
        for more in (
            is_few, is_finest & (of_all > 0) & (of_all < FEW * self.threshold), is_finest & (of_all > 0),
            of_all >= 0,
        ):  # fmt: skip
            shown = ~hidden & ~more | fixed
            shown[place >= 0] = self.is_shown[place[place >= 0]]
            self._hide_differences(boxes, of_all, shown, place < 0)
            self.deadline = time.process_time() + (end - time.process_time()) / 2
            if self._can_be_made_safe(asks, shown):
                return self._apart(new, shown)
        return None

    def _can_be_made_safe(self, asks: _Asked, shown: Bools) -> bool:
        """Is an answer safe, maybe if more of its cells are hidden?"""
        was_shown, own = ~shown, asks.every
        while time.process_time() < self.deadline:
            if (was_shown != shown).any():
                fresh, was_shown = asks.is_new, shown.copy()
                own = self._hidden(asks.boxes[fresh], asks.counts[fresh], shown[fresh])
            guards = [self.hidden, *asks.others, own]
            agrees = self._agree(asks.every, shown)
            unsafe = [(each, nth) for each in guards
                      for nth in np.flatnonzero(~each.are_safe(agrees, self.threshold))]  # fmt: skip
            if not unsafe:
                return True
            for at in self.random.permutation(len(unsafe))[:AT_ONCE]:
                guard, nth = unsafe[at]
                one = guard.where(np.array([nth]))
                if time.process_time() > self.deadline or not self._protect(one, asks, shown, [*guards, one]):
                    return False
        return False

    def _apart(self, new: Sequence[Cells], shown: Bools) -> list[Bools]:
        return np.split(shown, np.cumsum([each.size for each in new])[:-1])

    def _have_shown(self, new: Sequence[Cells], shown: Bools) -> None:
        for cells, own in zip(new, self._apart(new, shown), strict=True):
            cells.is_shown = own

    def _hide_differences(self, boxes: Boxes, counts: Whole, shown: Bools, is_new: Bools) -> None:
        """Hide new cells whose difference to a shown one is the number of few people; of two new ones the
        smaller."""
        for others, of_others, is_shown in ((self.boxes, self.counts, self.is_shown), (boxes, counts, shown)):
            apart = np.abs(counts[:, None] - of_others[None, :])
            is_few = (apart > 0) & (apart < self.threshold) & is_shown[None, :]
            within = self._nested(boxes, others) & is_few
            if others is not boxes:
                within |= self._nested(others, boxes).T & is_few
            shown &= ~(within.any(axis=1) & is_new)

    def _agree(self, every: Guarded, shown: Bools) -> Bools:
        """Which populations agree with an answer?"""
        return np.asarray((every.moved[:, shown] == 0).all(axis=1))

    def _protect(self, one: Guarded, asks: _Asked, shown: Bools, guards: Sequence[Guarded]) -> bool:
        """Find populations in which a count is another one, or hide more cells. False: there are none."""
        for must_be in (shown, shown & asks.is_fixed):
            self._have_shown(asks.new, must_be)
            for sign in (1, -1):
                if one.are_safe(self._agree(asks.every, must_be), self.threshold)[0]:
                    break
                found = self._search(one, sign, [*self.told, *asks.new])
                if found is not None:
                    self._keep(*found, [*guards, asks.every])
            agrees = self._agree(asks.every, must_be)
            if one.are_safe(agrees, self.threshold)[0]:
                return must_be is shown or self._hide(one, asks.every, shown, agrees)
        return False

    def _hide(self, one: Guarded, every: Guarded, shown: Bools, fits: Bools) -> bool:
        """Hide cells of an answer, so that populations agree with it that make a count safe: few and small
        ones."""
        changed = (every.moved != 0) & shown[None, :]
        for _ in range(2):
            agrees = self._agree(every, shown)
            if one.are_safe(agrees, self.threshold)[0]:
                return True
            moved = one.moved[:, 0]
            low, high = moved[agrees].min(initial=0), moved[agrees].max(initial=0)
            gain = np.maximum(moved - high, 0) + np.maximum(low - moved, 0)
            cost = changed @ np.sqrt(every.counts + 1.0) / np.maximum(gain, 1)
            cost[~fits | (gain <= 0)] = np.inf
            if not np.isfinite(cost.min(initial=np.inf)):
                return False
            shown &= ~changed[cost.argmin()]
        return True

    # SEARCH

    def _keep(self, less: People, more: People, guards: Sequence[Guarded]) -> None:
        """Keep a population."""
        self.less.append(less)
        self.more.append(more)
        own = {id(each): each for each in (*self.groups.values(), self.hidden, *guards)}
        for each in own.values():
            each.moved = np.concatenate([each.moved, self._moved(each, len(self.less) - 1)])

    def _search(self, one: Guarded, sign: int, told: Sequence[Cells]) -> tuple[People, People] | None:
        """A population that has more people (sign 1) of a count, or less, as many as can be found."""
        wanted = self.threshold - 1
        if sign < 0:
            wanted = min(wanted, int(one.counts[0]))
        used: set[int] = set()
        less, more = self.people[:0], self.people[:0]
        is_in = self._is_in(self.people, one)
        reached = 0
        for _ in range(TRIES):
            if reached >= wanted or time.process_time() > self.deadline:
                break
            for who, instead, gain in self._moves(one, sign, is_in, told):
                if reached >= wanted:
                    break
                if gain + reached > wanted or not used.isdisjoint(who.tolist()):
                    continue
                used.update(who.tolist())
                less, more = np.concatenate([less, self.people[who]]), np.concatenate([more, instead])
                reached += gain
        return (less, more) if reached else None

    def _is_in(self, people: People, one: Guarded) -> Bools:
        """Which people are in a count?"""

        def within(box: Boxes) -> Bools:
            held = np.ones(len(people), dtype=bool)
            for d, start in enumerate(self.starts[:-1]):
                own = box[start : self.starts[d + 1]] > 0
                if not own.all():
                    held &= own[people[:, d]]
            return held

        held = within(one.boxes[0])
        return held & ~within(one.less[0]) if one.less.any() else held

    def _moves(
        self, one: Guarded, sign: int, is_in: Bools, told: Sequence[Cells]
    ) -> Iterator[tuple[Whole, People, int]]:
        """Moves that change no told number: the numbers of people who leave, who comes, and by how much the
        count grows (or falls, for sign -1)."""
        n, random = len(self.sizes), self.random
        box = [one.boxes[0, a:b] > 0 for a, b in zip(self.starts, self.starts[1:], strict=False)]
        bound = [d for d in range(n) if not box[d].all()] or [*range(n)]
        taken = np.zeros(n, dtype=bool)  # dimensions that people exchange
        taken[random.choice(bound, random.integers(1, len(bound) + 1), replace=False)] = True
        fits = np.array([box[d][self.people[:, d]] for d in range(n)]).T
        if sign > 0:
            left = np.flatnonzero(fits[:, ~taken].all(axis=1) & ~is_in)
            right = np.flatnonzero(fits[:, taken].all(axis=1))
        else:
            left, right = np.flatnonzero(is_in), np.flatnonzero(~is_in)
        taken |= random.random(n) < 0.2
        if not len(left) or not len(right):
            return
        left, right = random.choice(left, DRAWN), random.choice(right, DRAWN)
        apart = self.people[left] != self.people[right]
        closest = np.argsort((apart & ~taken).sum(axis=1) + random.random(DRAWN), kind="stable")[:CLOSEST]
        closest = closest[(left[closest] != right[closest]) & apart[closest][:, taken].any(axis=1)]
        left, right = left[closest], right[closest]
        one_new, other_new = self.people[left].copy(), self.people[right].copy()
        one_new[:, taken], other_new[:, taken] = self.people[right][:, taken], self.people[left][:, taken]
        kinds = np.repeat(np.arange(4), len(left))  # swap, get, come, leave
        left, right = np.tile(left, 4), np.tile(right, 4)
        codes = [self.people[left], self.people[right], np.tile(one_new, (4, 1)), np.tile(other_new, (4, 1))]
        there = np.array([kinds != 2, kinds == 0, kinds != 3, kinds == 0])  # do these leave and come?
        inside = [self._is_in(each, one) & held for each, held in zip(codes, there, strict=True)]
        gain = sign * (inside[2].astype(int) + inside[3] - inside[0] - inside[1])
        kept = np.flatnonzero(gain > 0)
        for cells in told:
            if not len(kept):
                return
            numbers = [cells.numbers(each[kept]) for each in codes]
            a, b, c, d = (
                np.where(held[kept] & (own >= 0) & cells.is_shown[own], own + 1, 0)
                for own, held in zip(numbers, there, strict=True)
            )
            kept = kept[(a + b == c + d) & (a * a + b * b == c * c + d * d)]
        for at in random.permutation(kept):
            who = np.array([left[at], right[at]])[there[:2, at]]
            yield who, np.array([codes[2][at], codes[3][at]])[there[2:, at]], int(gain[at])
