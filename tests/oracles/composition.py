"""Composed l-diversity by trying everything: which row of each release could be somebody's.

A release is a list of rows: the released quasi-identifiers, and the sensitive value.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, product
from typing import Any, TypeAlias

from tests.oracles import Row, canonical, sort_key
from tests.oracles.covers import covers
from tests.oracles.mondrian import Mondrian, Ordered

Released: TypeAlias = Sequence[tuple[Row, Any]]


def covering(release: Released, target: Row) -> list[Any]:
    """The sensitive values of the rows that cover a target."""
    return [
        canonical(value)
        for released, value in release
        if all(covers(text, raw) for text, raw in zip(released, target, strict=True))
    ]


def possible(rows: Iterable[Sequence[Any]]) -> set[Any]:
    """The values of all choices of one row per release that are of somebody with one value."""
    return {choice[0] for choice in product(*rows) if len(set(choice)) == 1}


def left(known: Sequence[Released], target: Row, own: Iterable[Any]) -> set[Any]:
    """What known releases leave a target of a table's own values; nothing if it is in none of them."""
    rows = [values for release in known if (values := covering(release, target))]
    return possible([*rows, list(set(own))]) if rows else set()


def kept(known: Sequence[Released], release: Released, target: Row, own: Iterable[Any]) -> set[Any] | None:
    """The same with one more release; None if the target is not in that."""
    values = covering(release, target)
    return possible([list(left(known, target, own)), values]) if values else None


def holds(left_over: set[Any], values: Iterable[Any], composed_l: int) -> bool:
    """Do rows with these values leave enough of what was left?"""
    return len(left_over & set(values)) >= min(composed_l, len(left_over))


def those_with(known: Sequence[Released], present: Sequence[bool]) -> list[Released]:
    """The releases that somebody is in."""
    return [release for release, is_in in zip(known, present, strict=True) if is_in]


class ComposedMondrian(Mondrian):
    """Mondrian that refuses a part in which a row would keep too little.

    Where it refuses all medians, it cuts ordered attributes elsewhere. Before that it may suppress rows that
    refuse most (attributes without hierarchies).
    """

    def __init__(
        self,
        *about: Any,
        known: Sequence[Released],
        composed_l: int,
        suppression_limit: float = 0.0,
        present: Sequence[Sequence[bool]] | None = None,
        **more: Any,
    ) -> None:
        super().__init__(*about, **more)
        self.composed_l, self.suppression_limit = composed_l, suppression_limit
        [own] = self.sensitive
        self.present = [tuple(is_in) for is_in in present or [[True] * len(known)] * self.size]
        self.left = [
            left(those_with(known, is_in), target, own)
            for target, is_in in zip(zip(*self.columns, strict=True), self.present, strict=True)
        ]

    def keeps(self, member: int, here: Iterable[Any]) -> bool:
        return holds(self.left[member], here, self.composed_l)

    def blame(self) -> defaultdict[int, float]:
        """Who refuses medians of a first run: what each such cut would gain all rows, divided among them."""
        [values] = self.sensitive
        blame: defaultdict[int, float] = defaultdict(float)
        open_parts = [list(range(self.size))]
        while open_parts:
            members = open_parts.pop()
            widths = [attribute.width(self.values(i, members)) for i, attribute in enumerate(self.attributes)]
            for i in sorted(range(len(widths)), key=lambda i: (-widths[i], i)):
                parts = self.parts(i, members) if widths[i] > 0 else []
                if not parts or not all(super(ComposedMondrian, self).satisfied(part) for part in parts):
                    continue
                refusing = [
                    member
                    for part in parts
                    for member in part
                    if not self.keeps(member, {values[other] for other in part})
                ]
                for member in refusing:
                    blame[member] += len(members) / len(refusing) * widths[i] / (2 * len(widths))
                if not refusing:
                    open_parts.extend(parts)
                    break
        return blame

    def unsuppressed(self) -> list[int]:
        """All rows but those of the people (by quasi-identifiers, and what is left) who refuse most, up to
        the limit; all, if the others do not meet the requirements. Of each value somebody stays."""
        ranks = [attribute.rank for attribute in self.attributes if isinstance(attribute, Ordered)]
        codes = [
            tuple(rank[value] for rank, value in zip(ranks, row, strict=True))
            for row in zip(*self.columns, strict=True)
        ]
        blame, [values] = self.blame(), self.sensitive
        first: dict[Any, Any] = {}
        for row in range(self.size):
            key, place = (codes[row], frozenset(self.left[row])), (sort_key(values[row]), self.present[row])
            first[key] = min(first.get(key, place), place)
        person = [(codes[row], first[codes[row], frozenset(self.left[row])]) for row in range(self.size)]
        staying = {
            min((blame[row], person[row]) for row in range(self.size) if values[row] == value)[1]
            for value in set(values)
        }
        rows = list(range(self.size))
        for _, who in sorted({(-blame[row], person[row]) for row in rows if blame[row] > 1}):
            rest = [row for row in rows if person[row] != who or who in staying]
            if self.size - len(rest) > self.suppression_limit * self.size:
                break
            rows = rest
        return rows if self.satisfied(rows) else list(range(self.size))

    def classes(self) -> list[list[int]]:
        return self.classes_of(self.unsuppressed()) if self.suppression_limit else super().classes()

    def composes(self, members: Sequence[int]) -> bool:
        """May each of the rows be anybody of the class?"""
        [values] = self.sensitive
        here = {values[member] for member in members}
        return all(self.keeps(member, here) for member in members)

    def satisfied(self, members: Sequence[int]) -> bool:
        """Also: may each of the rows be anybody of the class?"""
        return super().satisfied(members) and self.composes(members)

    def halves(self, attribute: int, members: Sequence[int]) -> list[list[int]]:
        """The most even halves with k rows each in which nobody loses too much; none if there are none."""
        codes = self.attributes[attribute]
        assert isinstance(codes, Ordered)
        column = self.columns[attribute]
        possible = []
        for code in range(len(codes.rank)):
            lower = [member for member in members if codes.rank[column[member]] <= code]
            upper = [member for member in members if codes.rank[column[member]] > code]
            enough = min(len(lower), len(upper)) >= max(self.requirements.k or 1, 1)
            if enough and self.composes(lower) and self.composes(upper):
                possible.append((abs(len(lower) - len(upper)), code, [lower, upper]))
        return min(possible)[2] if possible else []

    def allowed_cuts(self, members: Sequence[int]) -> Iterator[list[list[int]]]:
        """At medians; after these at the other codes."""
        yield from super().allowed_cuts(members)
        widths = [attribute.width(self.values(i, members)) for i, attribute in enumerate(self.attributes)]
        for i in sorted(range(len(widths)), key=lambda i: (-widths[i], i)):
            if isinstance(self.attributes[i], Ordered) and widths[i] > 0:
                parts = self.halves(i, members)
                if parts and all(self.satisfied(part) for part in parts):
                    yield parts


# ROWS OF SEVERAL COLUMNS. A release is a list of rows: the released quasi-identifiers, and the values of the
# columns that it leaves unchanged, by name.

Unchanged: TypeAlias = Sequence[tuple[Row, dict[str, Any]]]


def rows_covering(release: Unchanged, target: Row) -> list[dict[str, Any]]:
    return [
        row
        for released, row in release
        if all(covers(text, raw) for text, raw in zip(released, target, strict=True))
    ]


def joined(
    releases: Sequence[Unchanged], target: Row, own: Sequence[dict[str, Any]], columns: Sequence[str]
) -> list[dict[str, Any]]:
    """The rows of the table that agree with a row of each of these releases which covers the target, in those
    of the columns that it has; none if the target is in no release."""
    found = [rows for release in releases if (rows := rows_covering(release, target))]
    return [
        mine
        for mine in own
        if found
        and all(
            any(
                all(canonical(row[column]) == canonical(mine[column]) for column in columns if column in row)
                for row in rows
            )
            for rows in found
        )
    ]


def deciding(sensitive: Sequence[str], kept: Sequence[str]) -> list[list[str]]:
    """The sets of columns that judge where all columns together leave no row."""
    every = [*sensitive, *kept]
    sets = [[other for other in every if other != column] for column in every]
    sets += [list(sensitive), *([column] for column in sensitive)]
    return [columns for i, columns in enumerate(sets) if columns not in sets[:i] and columns != every]


def values_left(
    known: Sequence[Unchanged],
    more: Sequence[Unchanged],
    target: Row,
    own: Sequence[dict[str, Any]],
    sensitive: Sequence[str],
    kept: Sequence[str],
    column: str,
) -> list[tuple[set[Any], set[Any]]]:
    """The values of a sensitive column that known releases leave, and those of them that are left with more
    releases: by all columns, or where these leave nothing by each set of fewer that does."""
    found = []
    for columns in ([*sensitive, *kept], *deciding(sensitive, kept)):
        before = joined(known, target, own, columns) if column in columns else []
        if before:
            after = joined([*known, *more], target, own, columns)
            found.append(
                ({canonical(row[column]) for row in before}, {canonical(row[column]) for row in after})
            )
            if len(found) == 1 and len(columns) == len([*sensitive, *kept]):
                break
    return found


# SEVERAL ROWS OF A PERSON. A release is who has which row in which class: a class per row of the table.


def assignments(
    classes: Sequence[Sequence[int]], values: Sequence[Any], rows: Sequence[int]
) -> Iterator[tuple[Any, ...]]:
    """Which values a person's rows may have: all that leave each of them another row of each class that has
    this value. classes: of each release, the class of each row of the table."""
    for chosen in product(sorted(set(values)), repeat=len(rows)):
        if all(
            sum(value == taken and of[mine] == of[row] for mine, taken in zip(rows, chosen, strict=True))
            <= sum(of[other] == of[row] and values[other] == value for other in range(len(values)))
            for of in classes
            for row, value in zip(rows, chosen, strict=True)
        ):
            yield chosen


def is_certain(some: set[Any], possible_values: Sequence[tuple[Any, ...]]) -> bool:
    """Does the person certainly have one of some values?"""
    return all(some & set(chosen) for chosen in possible_values)


def fewest_certain(classes: Sequence[Sequence[int]], values: Sequence[Any], rows: Sequence[int]) -> int:
    """How many values there must be in a set of which the person certainly has one, at least."""
    possible_values = list(assignments(classes, values, rows))
    domain = sorted(set(values))
    return next(
        size
        for size in range(1, len(domain) + 1)
        if any(is_certain(set(some), possible_values) for some in combinations(domain, size))
    )
