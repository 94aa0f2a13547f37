"""Relaxed Mondrian and InfoGain Mondrian (LeFevre, DeWitt, Ramakrishnan 2006), one row at a time."""

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

from tests.oracles import as_text, sort_key
from tests.oracles.mondrian import Hierarchical, Mondrian, Ordered


def codes(attribute: Ordered | Hierarchical) -> dict[Any, int]:
    """Value -> its place in the order of the attribute; leaves from left to right,
    siblings by their labels.
    """
    if isinstance(attribute, Ordered):
        return attribute.rank
    paths = {
        value: ["" if as_text(label) is None else f"+{label}" for label in reversed(labels)]
        for value, labels in attribute.hierarchy.items()
    }
    return {value: code for code, value in enumerate(sorted(paths, key=paths.__getitem__))}


class Relaxed(Mondrian):
    """Ordered attributes are cut in the middle of the rows. Only without a population.

    Of rows with the same quasi-identifiers and the same values of the judged attributes any may be chosen.
    """

    def places(self, judged: Sequence[int]) -> list[tuple[tuple[int, ...], tuple[Any, ...]]]:
        """Per row its codes, and where it stands among those with the same."""
        coded = [
            [codes(attribute)[value] for value in column]
            for attribute, column in zip(self.attributes, self.columns, strict=True)
        ]
        ranked = []
        for i in judged:
            order = self.sensitive_orders.get(i)
            ranks = (
                {value: rank for rank, value in enumerate(order)}
                if order
                else {value: rank for rank, value in enumerate(sorted(set(self.sensitive[i]), key=sort_key))}
            )
            ranked.append([math.inf if value is None else ranks[value] for value in self.sensitive[i]])
        places = []
        for row in range(self.size):
            places.append((tuple(c[row] for c in coded), tuple(r[row] for r in ranked)))
        return places

    def parts(self, attribute: int, members: Sequence[int]) -> list[list[int]]:
        """The lower half has size // 2 rows; a combination in the middle is dealt evenly,
        in the order of its sensitive values.
        """
        if isinstance(self.attributes[attribute], Hierarchical):
            return super().parts(attribute, members)
        needs_values = any(
            value is not None
            for name, value in vars(self.requirements).items()
            if name not in ("k", "t_distance")
        )
        place = self.places(range(len(self.sensitive)) if needs_values else [])
        ordered = sorted(members, key=lambda row: (place[row][0][attribute], place[row]))
        half, halves, seen = len(ordered) // 2, ([], []), 0  # type: ignore[var-annotated]
        for _, group in groupby(ordered, key=lambda row: place[row][0]):
            rows = list(group)
            below = min(max(half - seen, 0), len(rows))
            for j, row in enumerate(rows):
                is_below = (j + 1) * below // len(rows) > j * below // len(rows)
                halves[0 if is_below else 1].append(row)
            seen += len(rows)
        assert len(halves[0]) == half
        return [list(part) for part in halves]


def information(n: int) -> int:
    """n ln n, to a millionth."""
    return round(n * math.log(n) * 2**20) if n else 0


class InfoGain(Mondrian):
    """Attribute and cut with the largest information gain on a target;
    medians where all of these are refused.
    """

    target: Sequence[Any]  # a value per row

    def content(self, members: Sequence[int]) -> int:
        """n times the entropy of the target."""
        counts = Counter(self.target[row] for row in members)
        return information(len(members)) - sum(map(information, counts.values()))

    def best_by_gain(self, attribute: int, members: Sequence[int]) -> tuple[int, list[list[int]]] | None:
        """The gain and the parts of the best cut whose parts have k rows."""
        column, kind = self.columns[attribute], self.attributes[attribute]
        divisions: list[dict[Any, Any]] = []
        if isinstance(kind, Hierarchical):
            values = self.values(attribute, members)
            if kind.lowest_common(values):
                divisions.append(kind.part(values, Counter(), 1))
        else:
            for threshold in sorted({kind.rank[column[row]] for row in members})[:-1]:
                divisions.append({value: kind.rank[value] > threshold for value in kind.rank})
        best = None
        for side in divisions:
            parts: dict[Any, list[int]] = {}
            for row in members:
                parts.setdefault(side[column[row]], []).append(row)
            if min(map(len, parts.values())) >= (self.requirements.k or 1):
                gain = self.content(members) - sum(map(self.content, parts.values()))
                if best is None or gain > best[0]:
                    best = (gain, list(parts.values()))
        return best

    def allowed_cuts(self, members: Sequence[int]) -> Iterator[list[list[int]]]:
        best = {i: self.best_by_gain(i, members) for i in range(len(self.attributes))}
        result = {i: cut for i, cut in best.items() if cut is not None}
        for i in sorted(result, key=lambda i: (-result[i][0], i)):
            if all(self.satisfied(part) for part in result[i][1]):
                yield result[i][1]
        yield from super().allowed_cuts(members)
