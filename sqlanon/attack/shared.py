"""What several attacks need, made once for all of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from sqlglot import exp

from sqlanon.attack.located import Located
from sqlanon.core.errors import SqlanonError
from sqlanon.core.statements import call, render
from sqlanon.core.tables import WorkTables

MOST = 8  # kept at once: attacks are made one after the other on all releases

# What is made, by what it is called. Given is how a table is named, and where targets are, if that is known.
Queries = Callable[[Callable[[str], str], Located | None], Iterator[tuple[str, exp.Select]]]


@dataclass(frozen=True)
class Needed:
    """Relations that an attack needs, and others may need, too. key: what tells the same ones."""

    key: tuple[Any, ...]
    queries: Queries


class Shared:
    """What at least two of some attacks need. needed: by each of them. located: where targets are, if that is
    known.

    It is made when it is first needed, and is there until the last of these attacks was made.
    """

    def __init__(self, work: WorkTables, needed: Iterable[Needed], located: Located | None) -> None:
        self._work, self._located = work, located
        self._left = Counter(each.key for each in needed)
        several = [key for key, attacks in self._left.items() if attacks > 1]
        self._number = {key: number for number, key in enumerate(several[:MOST], 1)}
        self._made: dict[tuple[Any, ...], list[str]] = {}  # their purposes; none where something is wrong

    def of(self, needed: Needed) -> list[str] | None:
        """The names of the relations. None where each attack has to make them by itself: it is the only one,
        or something is wrong, which each says in words of its own."""
        if needed.key not in self._number:
            return None
        if needed.key not in self._made:
            self._made[needed.key] = []
            with suppress(SqlanonError):
                self._made[needed.key] = self._make(needed)
        return [self._work.name(purpose) for purpose in self._made[needed.key]] or None

    def _make(self, needed: Needed) -> list[str]:
        made = []

        def purpose(called: str) -> str:
            return f"shared_{self._number[needed.key]}_{called}"

        for called, query in needed.queries(lambda called: self._work.name(purpose(called)), self._located):
            self._work.make(purpose(called), query)
            made.append(purpose(called))
        return made

    def done(self, needed: Needed) -> None:
        """One of the attacks was made: after the last one nobody needs the relations."""
        self._left[needed.key] -= 1
        if not self._left[needed.key]:
            for purpose in self._made.pop(needed.key, ()):
                self._work.drop(purpose)


def compared(
    releases: Sequence[str], qi: Sequence[str], hierarchies: str | None, formats: Mapping[str, str] | None
) -> Needed:
    """The classes of two releases, what their labels cover, and which of them overlap; and the hierarchies:
    compared_before of sql/attack/two_releases.sql."""

    def queries(name: Callable[[str], str], located: Located | None) -> Iterator[tuple[str, exp.Select]]:
        classes, hierarchy = (name("first"), name("second")), name("hierarchy") if hierarchies else None
        for place, which in enumerate(("first", "second"), 1):
            yield which, call("_classes_to_compare", list(releases), place, list(qi), formats)
        yield "hierarchy", call("_hierarchies", hierarchies)
        yield "covered", call("_covered_by_both", *classes, hierarchy, list(qi))
        yield "overlap", call("_overlaps_of_classes", *classes, name("covered"), list(qi))

    return Needed(("compared", *releases, repr(formats)), queries)


def made_by(called: str, query: Callable[[Located | None], exp.Select]) -> Needed:
    """One relation. query: what makes it, of targets who are located, if that is known."""

    def queries(name: Callable[[str], str], located: Located | None) -> Iterator[tuple[str, exp.Select]]:
        yield called, query(located)

    return Needed((called, render(query(None))), queries)
