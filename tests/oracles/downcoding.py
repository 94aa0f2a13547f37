"""Downcoding (Cohen 2022) by brute force: all sources of which a release is a minimal generalization."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, combinations_with_replacement, product

Hierarchies = Sequence[Mapping[str, Sequence[str]]]  # per attribute: value -> its labels, from level 0 up
Row = tuple[str, ...]


def between(value: Row, label: Row, hierarchies: Hierarchies) -> list[Row]:
    """What a row can be released as that is no coarser than its labels."""
    ways = []
    for path_of, leaf, top in zip(hierarchies, value, label, strict=True):
        path = list(path_of[leaf])
        ways.append(path[: path.index(top) + 1])
    return list(product(*ways))


def refinements(
    source: Sequence[Row], release: Sequence[Row], hierarchies: Hierarchies
) -> Iterator[list[Row]]:
    """All releases of the source that are finer, the release itself among them; rows in any order."""
    alike = Counter(zip(source, release, strict=True))
    ways = (combinations_with_replacement(between(*pair, hierarchies), n) for pair, n in alike.items())
    for chosen in product(*map(list, ways)):
        yield list(chain(*chosen))


def is_minimal(source: Sequence[Row], release: Sequence[Row], hierarchies: Hierarchies, k: int) -> bool:
    """Is no finer release k-anonymous?"""
    itself = Counter(release)
    return all(
        Counter(finer) == itself or min(Counter(finer).values()) < k
        for finer in refinements(source, release, hierarchies)
    )


def minimal(source: Sequence[Row], hierarchies: Hierarchies, k: int) -> list[Row]:
    """A minimal k-anonymous release: of the source, in the order of its rows."""
    release = [tuple(path[value][-1] for path, value in zip(hierarchies, row, strict=True)) for row in source]
    while True:
        finer = [between(*pair, hierarchies) for pair in zip(source, release, strict=True)]
        better = (list(way) for way in product(*finer) if list(way) != release)
        found = next((way for way in better if min(Counter(way).values()) >= k), None)
        if found is None:
            return release
        release = found


def sources(release: Sequence[Row], hierarchies: Hierarchies, k: int) -> Iterator[dict[Row, tuple[Row, ...]]]:
    """All sources of which the release is minimal: label -> the values of its class, in any order."""
    classes = Counter(release)
    ways = []
    for label, n in classes.items():
        leaves = [
            [value for value, path in path_of.items() if top in path]
            for path_of, top in zip(hierarchies, label, strict=True)
        ]
        ways.append(list(combinations_with_replacement(list(product(*leaves)), n)))
    labels = list(chain(*([label] * n for label, n in classes.items())))
    for values in product(*ways):
        if is_minimal(list(chain(*values)), labels, hierarchies, k):
            yield dict(zip(classes, values, strict=True))


def possible_values(release: Sequence[Row], hierarchies: Hierarchies, k: int) -> dict[Row, list[set[str]]]:
    """Label of a class -> per attribute the values that its rows have in any source."""
    possible: dict[Row, list[set[str]]] = {label: [set() for _ in hierarchies] for label in release}
    for source in sources(release, hierarchies, k):
        for label, values in source.items():
            for row in values:
                for d, value in enumerate(row):
                    possible[label][d].add(value)
    return possible


def frequencies(release: Sequence[Row], hierarchies: Hierarchies, d: int) -> dict[str, float]:
    """How frequent the values of an attribute are: a row counts in equal parts for all under its label."""
    shown: dict[str, float] = {}
    for row in release:
        under = [value for value, path in hierarchies[d].items() if row[d] in path]
        for value in under:
            shown[value] = shown.get(value, 0) + 1 / len(under)
    return shown
