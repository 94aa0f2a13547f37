"""Two releases of a growing table: correspondence attacks by their formulas, and by every mapping there is.

A release is a list of rows (label, s); a label is the set of raw values that it stands for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TypeAlias

Label: TypeAlias = frozenset[int]
Released: TypeAlias = Sequence[tuple[Label, str]]
# F, C, B
Anonymity: TypeAlias = tuple[int, int, int]


def histogram(release: Released, label: Label) -> Counter[str]:
    """How often a class has each sensitive value."""
    return Counter(s for other, s in release if other == label)


def anonymity(earlier: Released, later: Released, q1: Label, q2: Label) -> Anonymity:
    """The formulas of Fung, Wang, Fu and Pei 2008, one value after the other."""
    g1, g2 = histogram(earlier, q1), histogram(later, q2)
    forward = g1.total() - sum(g1[s] - min(g1[s], g2[s]) for s in g1)
    cross = g2.total() - sum(g2[s] - min(g1[s], g2[s]) for s in g2)
    backward = g2.total()
    for s in g2:
        sources = [label for label, other in earlier if other == s and label & q2]
        room = [label for label, other in later if other == s and any(label & source for source in sources)]
        backward -= max(0, len(sources) - (len(room) - g2[s])) if sources else 0
    return forward, cross, backward


def mappings(earlier: Released, later: Released, used: frozenset[int] = frozenset()) -> Iterator[list[int]]:
    """Every way in which the earlier rows can be rows of the later release."""
    if not earlier:
        yield []
        return
    (label, s), *others = earlier
    for i, (other, t) in enumerate(later):
        if i not in used and s == t and label & other:
            for more in mappings(others, later, used | {i}):
                yield [i, *more]


def left_over(earlier: Released, later: Released, q1: Label, q2: Label) -> Anonymity:
    """The rows that no attacker can exclude: in the best mapping for the victim."""
    shared = recent = 0
    for mapping in mappings(earlier, later):
        into = [q for (q, _), i in zip(earlier, mapping, strict=True) if later[i][0] == q2]
        shared = max(shared, into.count(q1))
        recent = max(recent, sum(label == q2 for label, _ in later) - len(into))
    return shared, shared, recent


def differences(
    earlier: Released, later: Released
) -> dict[tuple[Label | None, Label], tuple[Counter[str], bool]]:
    """Insert-only inference (Byun et al. 2006): by earlier class (None: all) and the one later class that its
    rows can be in, the values that are left there, and whether these are of new people for sure."""
    homes = {q1: {q2 for q2, _ in later if q1 & q2} for q1, _ in earlier}
    answer: dict[tuple[Label | None, Label], tuple[Counter[str], bool]] = {}
    for q2 in {q2 for found in homes.values() if len(found) == 1 for q2 in found}:
        left = histogram(later, q2)
        for q1 in (q1 for q1, found in homes.items() if found == {q2}):
            answer[q1, q2] = (histogram(later, q2) - histogram(earlier, q1), False)
            left = left - histogram(earlier, q1)
        answer[None, q2] = (left, all(found == {q2} for found in homes.values() if q2 in found))
    return answer
