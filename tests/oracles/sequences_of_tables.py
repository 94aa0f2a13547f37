"""Random sequences of tables about the people of a small world, and an attacker who tries all worlds.

A person is (ward, sex, age, since). Wards are in regions; some tables are by ward, some by region, some by
both. The attacker knows which people each published cell counts, goes through all populations that agree with
all cells, and looks at the differences of boxes: published cells, and whole sets of cells of one table that
differ in one dimension alone, by any label that some table has there.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from tests.oracles.tables_together import Published, populations

Group = frozenset[int]  # people, by the number of their kind

WARDS = {"A": "r1", "B": "r1", "C": "r2"}
LABELS: dict[str, dict[str, set[str]]] = {
    "ward": {**{ward: {ward} for ward in WARDS}, "r1": {"A", "B"}, "r2": {"C"}},
    "sex": {"F": {"F"}, "M": {"M"}},
    "age": {"1": {"1"}, "2": {"2"}, "3": {"3"}},
}
LEVELS = {"ward": [["A", "B", "C"], ["r1", "r2"], ["r1", "r2", "A", "B", "C"]], "sex": [["F", "M"]]}
FILTERS: dict[str, tuple[str, set[str]]] = {
    "age > 1": ("age", {"2", "3"}), "age > 2": ("age", {"3"}), "age <= 2": ("age", {"1", "2"}),
    "sex = 'F'": ("sex", {"F"}), "ward = 'B'": ("ward", {"B"}),
}  # fmt: skip
NAMES = ["ward", "sex", "age"]
TOTAL, MOST, THRESHOLD = "total", 4, 3
Kind = tuple[str, str, str, int]


@dataclass
class Table:
    """A table: its dimensions, filter and period, and its cells: labels, and what is shown (None: hidden)."""

    name: str
    dimensions: list[str]
    filter: str
    period: int
    labels: dict[str, list[str]]
    cells: dict[tuple[str, ...], int | None] = field(default_factory=dict)


@dataclass
class World:
    """Tables, the kinds of people, and whether people are only added from period to period."""

    tables: list[Table]
    kinds: list[Kind]
    growing: bool

    def within(self, table: Table, labels: dict[str, str]) -> Group:
        """Whom a cell counts."""
        kept = [(name, LABELS[name][label]) for name, label in labels.items()]
        if table.filter:
            kept.append(FILTERS[table.filter])
        return frozenset(
            i for i, kind in enumerate(self.kinds)
            if all(kind[NAMES.index(name)] in values for name, values in kept)
            and (kind[3] <= table.period if self.growing else kind[3] == table.period)
        )  # fmt: skip

    def labels(self, table: Table, key: tuple[str, ...]) -> dict[str, str]:
        return {name: label for name, label in zip(table.dimensions, key, strict=True) if label != TOTAL}

    def group(self, table: Table, key: tuple[str, ...]) -> Group:
        return self.within(table, self.labels(table, key))


def made(seed: int, most_tables: int = 4, most_people: int = 5) -> World:
    """A random world."""
    chance = random.Random(seed)
    periods = chance.choice([1, 1, 2])
    growing = periods > 1
    kinds = [*itertools.product(WARDS, ("F", "M"), ("1", "2", "3"), range(1, periods + 1))]
    world = World([], kinds, growing)
    people = [chance.randrange(len(kinds)) for _ in range(chance.randint(2, most_people))]
    for number in range(chance.randint(2, most_tables)):
        names = chance.choice([["ward"], ["sex"], ["ward", "sex"], ["ward", "sex"], []])
        labels = {name: chance.choice(LEVELS[name]) for name in names}
        table = Table(
            f"t{number}", names, chance.choice(["", "", *FILTERS]), chance.randint(1, periods), labels
        )
        has_totals, hides = chance.random() < 0.5, chance.random() < 0.6
        for key in itertools.product(*([*labels[name], TOTAL] for name in names)):
            finest = all(label in labels[name] and not (label in ("r1", "r2") and "A" in labels[name])
                         for name, label in zip(names, key, strict=True))  # fmt: skip
            if not (finest or has_totals):
                continue
            n = sum(person in world.group(table, key) for person in people)
            if finest and names and n == 0 and chance.random() < 0.3:
                continue
            hidden = bool(names) and hides and n <= MOST and chance.random() < (0.25 if finest else 0.4)
            table.cells[key] = None if hidden else n
        if any(all(label != TOTAL for label in key) for key in table.cells):
            world.tables.append(table)
    return world


class Attacker:
    """What somebody knows who tries all populations."""

    def __init__(self, world: World) -> None:
        self.world = world
        cells = [*self._published()]
        kinds: list[tuple[object, ...]] = [(i,) for i in range(len(world.kinds))]
        self.populations = [*populations(kinds, cells)]
        self.there = frozenset(i for i in range(len(kinds)) if any(counts[i] for counts in self.populations))
        self.published = {
            world.group(table, key) & self.there for table in world.tables for key in table.cells
        }

    def _published(self) -> Iterator[Published]:
        world = self.world
        for table in world.tables:
            finest: set[int] = set()
            for key, shown in table.cells.items():
                group = world.group(table, key)
                least, most = (0, MOST) if shown is None else (shown, shown)
                yield Published(str(key), lambda person, group=group: person[0] in group, least, most)  # type: ignore[misc]
                if self._is_finest(table, key):
                    finest |= group
            left = world.within(table, {}) - finest
            yield Published("", lambda person, left=left: person[0] in left, 0, 0)  # type: ignore[misc]

    def _is_finest(self, table: Table, key: tuple[str, ...]) -> bool:
        return all(label != TOTAL and not (label in ("r1", "r2") and "A" in table.labels[name])
                   for name, label in zip(table.dimensions, key, strict=True))  # fmt: skip

    def interval(self, group: Group) -> tuple[int, int]:
        sizes = {sum(counts[i] for i in group) for counts in self.populations}
        return min(sizes), max(sizes)

    def boxes(self) -> Iterator[tuple[Group, str]]:
        """Published cells and whole sets of them, each with its table."""
        world = self.world
        for table in world.tables:
            for key in table.cells:
                yield world.group(table, key) & self.there, table.name
            for place, name in enumerate(table.dimensions):
                used = {
                    key[other.dimensions.index(name)]
                    for other in world.tables if name in other.dimensions for key in other.cells
                } - {TOTAL}  # fmt: skip
                wanted = [{}, *({name: label} for label in used)]
                lines: dict[tuple[str, ...], list[tuple[str, ...]]] = {}
                for key in table.cells:
                    if key[place] != TOTAL:
                        lines.setdefault((*key[:place], "", *key[place + 1 :]), []).append(key)
                for line, keys in lines.items():
                    others = {each: label for each, label in zip(table.dimensions, line, strict=True)
                              if label not in ("", TOTAL)}  # fmt: skip
                    for more in wanted:
                        whole = world.within(table, {**others, **more}) & self.there
                        if self._is_whole(whole, [world.group(table, key) & self.there for key in keys]):
                            yield whole, table.name

    def _is_whole(self, whole: Group, groups: Sequence[Group]) -> bool:
        """Are some of these, no two of which overlap, all of it?"""
        inside = [group for group in groups if group <= whole]
        return any(
            sum(map(len, some)) == len(whole) == len(frozenset().union(*some))
            for size in range(1, len(inside) + 1) for some in itertools.combinations(inside, size)
        )  # fmt: skip

    def differences(self) -> Iterator[Group]:
        """The differences of boxes, of few people, that nobody has published."""
        boxes = {box for box, _ in self.boxes()}
        seen = set()
        for large, small in itertools.permutations(boxes, 2):
            group = large - small
            if not small or not small < large or group in seen or group in self.published:
                continue
            seen.add(group)
            low, high = self.interval(group)
            if is_narrow(low, high):
                yield group


def is_narrow(low: int, high: int) -> bool:
    return high > 0 and low < THRESHOLD and high - low + 1 < THRESHOLD
