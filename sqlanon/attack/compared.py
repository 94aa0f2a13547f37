"""Two releases whose classes are compared once, for every attack on the two."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress

from sqlanon.core.errors import SqlanonError
from sqlanon.core.statements import call
from sqlanon.core.tables import WorkTables

Pair = tuple[str, ...]  # the names of two releases, as attacks take them

MOST = 8  # pairs, which are all there at once: attacks are made one after the other on all pairs
PARTS = ("first", "second", "covered", "overlap")


class Compared:
    """Releases, two by two. pairs: of the attacks that are to be made, one for each attack.

    What is compared for a pair is there until the last of its attacks was made. One alone compares by itself.
    """

    def __init__(
        self, work: WorkTables, qi: Sequence[str], hierarchies: str | None, pairs: Iterable[Pair]
    ) -> None:
        self._work, self._qi, self._hierarchies = work, list(qi), hierarchies
        self._left = Counter(pairs)
        several = [pair for pair, attacks in self._left.items() if attacks > 1]
        self._number = {pair: number for number, pair in enumerate(several[:MOST], 1)}
        self._made: dict[Pair, list[str]] = {}  # the purposes of the tables; none where something is wrong

    def of(self, pair: Pair, formats: Mapping[str, str] | None) -> list[str] | None:
        """The relations that attacks on the pair take as compared_before. None where each has to compare by
        itself: something is wrong, which each says in words of its own."""
        if pair not in self._number:
            return None
        if pair not in self._made:
            self._made[pair] = []
            with suppress(SqlanonError):
                self._made[pair] = self._compare(pair, formats)
        return [self._work.name(purpose) for purpose in self._made[pair]] or None

    def _compare(self, pair: Pair, formats: Mapping[str, str] | None) -> list[str]:
        make, name, qi = self._work.make, self._work.name, self._qi
        purposes = [f"compared_{self._number[pair]}_{part}" for part in PARTS]
        first, second, covered, overlap = purposes
        hierarchy = make("compared_hierarchy", call("_hierarchies", self._hierarchies)).name
        for place, purpose in ((1, first), (2, second)):
            make(purpose, call("_classes_to_compare", list(pair), place, qi, formats))
        make(covered, call("_covered_by_both", name(first), name(second), hierarchy, qi))
        make(overlap, call("_overlaps_of_classes", name(first), name(second), name(covered), qi))
        return purposes

    def done(self, pair: Pair) -> None:
        """One of the attacks on the pair was made: after the last one nobody needs what is compared."""
        self._left[pair] -= 1
        if not self._left[pair]:
            for purpose in self._made.pop(pair, ()):
                self._work.drop(purpose)
