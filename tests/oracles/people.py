"""Several tables about the same people: everybody with all their rows, compared as a whole."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from tests.oracles.spellings import folded

Rows = Sequence[Mapping[str, Any]]


@dataclass(frozen=True)
class Table:
    """Rows, and what their columns are. own: the column that says to which row of `parent` one belongs, by
    its column `key`; of the person table the unit."""

    rows: Rows
    own: str
    parent: str = ""
    key: str = ""
    qi: Sequence[str] = ()
    dates: Sequence[str] = ()
    sensitive: Sequence[str] = ()


class Tables:
    """A tree of tables, by their names. Rows belong together whose keys are read alike."""

    def __init__(self, tables: Mapping[str, Table]) -> None:
        self.tables = tables
        [self.root] = [name for name, table in tables.items() if not table.parent]

    def children(self, name: str) -> Iterator[str]:
        return (child for child, table in self.tables.items() if table.parent == name)

    def is_refused(self) -> bool:
        """Are there rows of which it cannot be told whose they are?"""
        for table in self.tables.values():
            keys = [folded(row[table.own]) for row in table.rows]
            if None in keys:
                return True
            if not table.parent:
                if not keys or len(set(keys)) < len(keys):
                    return True
                continue
            offered = Counter(folded(row[table.key]) for row in self.tables[table.parent].rows)
            if None in offered or any(offered[key] != 1 for key in keys):
                return True
        return False

    def below(self, name: str, row: Mapping[str, Any], child: str) -> Iterator[Mapping[str, Any]]:
        """The rows of a child that belong to a row."""
        table = self.tables[child]
        for other in table.rows:
            if folded(other[table.own]) == folded(row[table.key]):
                yield other

    def all_below(self, name: str, row: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
        """A row and all that belong to it, with their tables."""
        yield name, row
        for child in self.children(name):
            for other in self.below(name, row, child):
                yield from self.all_below(child, other)

    def first_day(self, person: Mapping[str, Any]) -> datetime | None:
        dates = self.dates(person)
        return min(dates).replace(hour=0, minute=0) if dates else None

    def dates(self, person: Mapping[str, Any]) -> list[datetime]:
        """All dates of a person in all tables."""
        return [
            row[date]
            for name, row in self.all_below(self.root, person)
            for date in self.tables[name].dates
            if row[date] is not None
        ]

    def said(self, name: str, row: Mapping[str, Any], start: datetime | None) -> Hashable:
        """All that is released of a row and of those that belong to it."""
        table = self.tables[name]
        own: list[Hashable] = [row[column] for column in table.qi]
        own += [None if row[date] is None or start is None else row[date] - start for date in table.dates]
        below = [
            frozenset(
                Counter(self.said(child, other, start) for other in self.below(name, row, child)).items()
            )
            for child in self.children(name)
        ]
        return (*own, *below)

    def classes(self) -> list[list[str]]:
        """People who are alike, by their keys."""
        classes = defaultdict(list)
        for person in self.tables[self.root].rows:
            start = self.first_day(person)
            weekday = start.weekday() if start else None
            classes[weekday, self.said(self.root, person, start)].append(person[self.tables[self.root].own])
        return sorted(sorted(keys) for keys in classes.values())

    def facts(self) -> dict[str, Counter[tuple[str, Any]]]:
        """What is in the rows of people: columns and values, as often as rows have them."""
        answer: dict[str, Counter[tuple[str, Any]]] = {}
        for person in self.tables[self.root].rows:
            start = self.first_day(person)
            found: Counter[tuple[str, Any]] = Counter()
            for name, row in self.all_below(self.root, person):
                table = self.tables[name]
                found.update((f"{name}.{column}", row[column]) for column in table.qi)
                for column in table.dates:
                    since = None if row[column] is None or start is None else row[column] - start
                    found[f"{name}.{column} after the first day", since] += 1
            answer[person[self.tables[self.root].own]] = found
        return answer

    def values(self) -> dict[str, set[Any]]:
        """The sensitive values that people have in any row."""
        answer: dict[str, set[Any]] = {}
        for person in self.tables[self.root].rows:
            answer[person[self.tables[self.root].own]] = {
                row[column]
                for name, row in self.all_below(self.root, person)
                for column in self.tables[name].sensitive
            } or {None}
        return answer
