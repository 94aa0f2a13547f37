"""How many people a class may be, by trying everything: which rows of the original its rows could be."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, product
from typing import Any

from tests.oracles import canonical
from tests.oracles.covers import covers


def rows_there(
    label: Sequence[Any], value: Any, original: Sequence[tuple[Sequence[Any], Any, Any]]
) -> list[int]:
    """The rows of the original (quasi-identifiers, unchanged value, person) that could be one of a class."""
    return [
        i
        for i, (target, own, _) in enumerate(original)
        if canonical(own) == canonical(value)
        and all(covers(text, raw) for text, raw in zip(label, target, strict=True))
    ]


def choices(
    label: Sequence[Any], values: Sequence[Any], original: Sequence[tuple[Sequence[Any], Any, Any]]
) -> Iterator[set[Any]]:
    """Who the people of a class with these values are, for each choice of its rows."""
    chosen = [
        combinations(rows_there(label, value, original), n) for value, n in sorted(Counter(values).items())
    ]
    for choice in product(*chosen):
        yield {original[row][2] for rows in choice for row in rows}
