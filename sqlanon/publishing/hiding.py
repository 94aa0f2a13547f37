"""Which further cells of a table to hide, so that it tells nothing too closely together with what is out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlglot import exp

from sqlanon.core.source import lower
from sqlanon.core.statements import execute, literal, relation, select
from sqlanon.judge.together import Together
from sqlanon.tables.making import MARK, Making

ROUNDS = 20  # of hiding a cell for each that is known
TRIED = 12  # cells that are tried to be shown after all

Labels = tuple[str | None, ...]


@dataclass
class Hiding:
    """A search: for each cell that is known too closely the cheapest cell of the new table that stands in it
    is hidden, until nothing is known any more; then cells are shown again that need not be hidden. All cells
    by some columns, such as the totals of a column, are left out where these are no more, or where no cells
    are found. Each answer is that of tables_together. A cell of which the difference to another one is known
    must be hidden, whatever else is: nothing is tried without it.

    known: the rows of _newly_known. After find(), names: of the cells that are hidden; left_out: what these
    are, if they are all of something; table: what is published then.
    """

    beside: Together
    making: Making
    known: Sequence[Mapping[str, Any]]
    names: list[str] = field(default_factory=list)
    left_out: str = ""
    table: str = ""
    _must_be: set[Labels] = field(default_factory=set)
    _tried: dict[frozenset[Labels], tuple[str, Sequence[Mapping[str, Any]]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        con, making = self.beside.con, self.making
        self.dimensions = making.policy.dimensions
        self.total = making.policy.section.get("total", "total")
        labels = [exp.column(name, quoted=True) for name in self.dimensions]
        self.published = making.made.published
        shown = {
            tuple(row[:-1]): row[-1]
            for row in execute(con, select(relation(self.published), *labels, "value"))
        }
        self.cost: dict[Labels, float] = {  # of those that can be hidden: the people in them
            key: float(value) for key, value in shown.items() if value not in (None, MARK, "0")
        }
        named = {key: self._name(key) for key in shown}
        self.by_name = {name: key for key, name in named.items()}

    def _name(self, key: Labels) -> str:
        """What tables_together calls a cell."""
        order = self.beside.dimensions
        placed = sorted(
            (order.index(name.lower()), "NULL" if label is None else label)
            for name, label in zip(self.dimensions, key, strict=True) if label != self.total
        )  # fmt: skip
        labels = ", ".join(label for _, label in placed)
        return f"{self.beside.newest.name}: {labels}" if labels else self.beside.newest.name

    def find(self) -> bool:
        """Is there such a set of cells? (Others may be smaller.)"""
        hidden = self._cells()
        for left_out, every in self._levels(len(hidden) if hidden else len(self.cost)):
            if self._must_be.issubset(every) and not self._known(every):
                self.left_out, hidden = left_out, every
                break
        if not hidden:
            return False
        self.table, _ = self._tried[frozenset(hidden)]
        shown = ([("NULL" if label is None else label) for label in key] for key in hidden)
        self.names = sorted(", ".join(labels) for labels in shown)
        return True

    def _cells(self) -> list[Labels]:
        """Single cells; none, if hiding them does not help."""
        hidden: list[Labels] = []
        known = self.known
        for _ in range(ROUNDS):
            added: list[Labels] = []
            for row in known:
                if not hidden and row["found_by"] == "difference":
                    self._must_be.update(self._alone_in(row["cell"]))
                candidates = [key for key in self._candidates(row, hidden) if key not in hidden]
                if candidates and not any(key in added for key in candidates):
                    added.append(min(candidates, key=lambda key: (self.cost[key], self._name(key))))
            if not added:
                return []
            hidden += added
            known = self._known(hidden)
            if not known:
                break
        if known:
            return []
        by_choice = [key for key in hidden if key not in self._must_be]
        for key in sorted(by_choice, key=lambda key: -self.cost[key])[:TRIED]:
            fewer = [each for each in hidden if each != key]
            if fewer and not self._known(fewer):
                hidden = fewer
        return hidden

    def _levels(self, most: int) -> Iterator[tuple[str, list[Labels]]]:
        """All cells by some columns, and all by one column, whatever the others are: so many at most, the
        fewest first."""
        by: dict[str, list[Labels]] = {}
        for key in self.cost:
            own = [name for name, label in zip(self.dimensions, key, strict=True) if label != self.total]
            by.setdefault(
                f"all cells by {' and '.join(own)} alone" if own else "the total of all", []
            ).append(key)
            for name in own if len(self.dimensions) > 1 else ():
                by.setdefault(f"the column {name}", []).append(key)
        fewest = sorted(by.items(), key=lambda each: (len(each[1]), each[0]))
        yield from [(left_out, keys) for left_out, keys in fewest if len(keys) <= most][:TRIED]

    def _known(self, hidden: Sequence[Labels]) -> Sequence[Mapping[str, Any]]:
        """What is known with these hidden, too."""
        tried = frozenset(hidden)
        if tried not in self._tried:
            table = self._published_without(hidden)
            self._tried[tried] = (table, self.beside.known_with(table))
        return self._tried[tried][1]

    def _published_without(self, hidden: Sequence[Labels]) -> str:
        """The table with these hidden, too."""
        of_cells = [
            exp.and_(*(
                exp.NullSafeEQ(this=exp.column(name, quoted=True), expression=literal(label))
                for name, label in zip(self.dimensions, key, strict=True)
            ))
            for key in hidden
        ]  # fmt: skip
        rows = select(
            relation(self.published), *(exp.column(name, quoted=True) for name in self.dimensions),
            *(
                exp.Alias(this=exp.Case().when(exp.or_(*of_cells), literal(MARK)).else_(exp.column(name)),
                          alias=exp.to_identifier(name))
                for name in (["value", "mean"] if "mean" in self.making.policy.section else ["value"])
            ),
        )  # fmt: skip
        return self.beside.make("hiding", rows)

    def _alone_in(self, cell: str) -> Iterator[Labels]:
        """The cell of the new table that is one side of a difference, where the other one has none of it."""
        standing = self._standing_in(cell)
        if len(standing) == 1 and standing[0] in self.cost:
            name = self._name(standing[0])
            if cell.startswith(f"{name} - ") or cell.endswith(f" - {name}"):
                yield standing[0]

    def _standing_in(self, cell: str) -> list[Labels]:
        """The cells of the new table that a difference names."""
        within = f" - {cell} - ".replace(" + ", " - ")
        return [key for name, key in self.by_name.items() if f" - {name} - ".replace(" + ", " - ") in within]

    def _candidates(self, row: Mapping[str, Any], hidden: Sequence[Labels]) -> list[Labels]:
        """The cells of the new table that stand in what is known; where these are hidden, their neighbours;
        where there are none, those that have most of its labels."""
        cell, because = row["cell"], row["because"] or ""
        inside = self._standing_in(cell) or [
            key for name, key in self.by_name.items()
            if any(part.startswith(f"{name} (") for part in because.split("; "))
        ]  # fmt: skip
        shown = [key for key in inside if key in self.cost and key not in hidden]
        if shown:
            return shown
        beside = [
            key for key in self.cost
            if key not in hidden and any(self._are_neighbours(key, other) for other in inside)
        ]  # fmt: skip
        if beside:
            return beside
        texts = lower([part.strip() for part in cell.replace(":", ",").split(",")])
        fitting = {
            key: sum(
                any(str(label).lower() in text for text in texts) for label in key if label != self.total
            )
            for key in self.cost
            if key not in hidden
        }
        most = max(fitting.values(), default=0)
        return [key for key, labels in fitting.items() if labels == most]

    def _are_neighbours(self, key: Labels, other: Labels) -> bool:
        """Are they in one sum: alike in all labels but one?"""
        return sum(one != two for one, two in zip(key, other, strict=True)) == 1
