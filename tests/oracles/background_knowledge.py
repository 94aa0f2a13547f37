"""Background knowledge by brute force: all ways of handing the values of each class out to its people.

Every such way, a world, is as likely as another. A set of worlds is an integer with a bit per world; somebody
who knows something has those left in which it is true. People are numbered through all classes.
"""

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import chain, combinations, combinations_with_replacement, permutations, product
from math import prod

Classes = Sequence[Sequence[str]]  # the sensitive values of each class
Worlds = int


class Release:
    """The worlds of a release, and those in which somebody has a value (an atom)."""

    def __init__(self, classes: Classes) -> None:
        worlds = [
            [value for held in world for value in held]
            for world in product(*(sorted(set(permutations(values))) for values in classes))
        ]
        self.everything: Worlds = (1 << len(worlds)) - 1
        self.targets = [sum(map(len, classes[:i])) for i in range(len(classes))]  # one person of each class
        self.people = list(range(len(worlds[0])))
        self.atoms: dict[tuple[int, str], Worlds] = {
            (person, value): sum(1 << i for i, world in enumerate(worlds) if world[person] == value)
            for person in self.people
            for value in {world[person] for world in worlds}
        }

    def without(self, atom: Worlds) -> Worlds:
        return self.everything & ~atom

    def implies(self, one: Worlds, other: Worlds) -> Worlds:
        return self.without(one) | other

    def of(self, person: int) -> list[Worlds]:
        return [worlds for (who, _), worlds in self.atoms.items() if who == person]

    def largest(self, atoms: Iterable[Worlds], known: Iterable[Worlds]) -> Fraction:
        """The probability of the likeliest atom, by the knowledge for which it is the largest."""
        atoms = list(atoms)
        return max(
            Fraction((atom & worlds).bit_count(), worlds.bit_count())
            for worlds in set(known)
            if worlds
            for atom in atoms
        )

    def together(self, pieces: Iterable[Worlds], k: int) -> Iterator[Worlds]:
        """What up to k pieces of knowledge leave, for every choice of them."""
        every = set(pieces)
        for chosen in chain.from_iterable(combinations(every, n) for n in range(k + 1)):
            left = self.everything
            for piece in chosen:
                left &= piece
            yield left


def negations(classes: Classes, k: int) -> list[Fraction]:
    """The worst disclosure about each class by k negations, about anybody."""
    release = Release(classes)
    known = list(release.together([release.without(atom) for atom in release.atoms.values()], k))
    return [release.largest(release.of(target), known) for target in release.targets]


def implications(classes: Classes, k: int) -> list[Fraction]:
    """The same by k implications between any atoms (Martin et al. 2007)."""
    release = Release(classes)
    atoms = release.atoms.values()
    known = list(release.together([release.implies(*pair) for pair in product(atoms, repeat=2)], k))
    return [release.largest(release.of(target), known) for target in release.targets]


def implications_of_one(classes: Classes, k: int) -> list[Fraction]:
    """The same by k implications of one atom of the target by any others: the worst ones by that paper."""
    release = Release(classes)
    return [
        max(
            release.largest(
                [atom],
                release.together([release.implies(other, atom) for other in release.atoms.values()], k),
            )
            for atom in release.of(target)
        )
        for target in release.targets
    ]


def skyline(values: Sequence[str], value: str, l: int, k: int, m: int) -> Fraction:
    """The worst that somebody can know of a class (Chen et al. 2007): l values that the target has not, the
    values of k people, and of m others that they do not have the value unless the target has it.
    """
    release = Release([values])
    target, *others = release.people
    atom = release.atoms[target, value]
    known = []
    for lacked in combinations([other for other in set(values) if other != value], l):
        for told in combinations(others, k):
            for implying in combinations([person for person in others if person not in told], m):
                for held in product(*(release.of(person) for person in told)):
                    left = release.everything
                    for piece in (
                        *(release.without(release.atoms[target, other]) for other in lacked),
                        *held,
                        *(release.implies(release.atoms[person, value], atom) for person in implying),
                    ):
                        left &= piece
                    known.append(left)
    return release.largest([atom], known)


def all_false(counts: Sequence[int], atoms: int) -> Fraction:
    """The least probability that so many atoms of a class are all false (MINIMIZE1 of Martin et al.)."""
    size, largest = sum(counts), sorted(counts, reverse=True)
    return min(
        prod(
            (
                Fraction(max(size - i - sum(largest[:own]), 0), size - i) if i < size else Fraction(0)
                for i, own in enumerate(sorted(division, reverse=True))
            ),
            start=Fraction(1),
        )
        for people in range(atoms + 1)
        for division in combinations_with_replacement(range(1, atoms + 1), people)
        if sum(division) == atoms
    )


def implications_by_counts(classes: Sequence[Sequence[int]], k: int) -> list[Fraction]:
    """The worst disclosure about each class: each of the others gets some of the atoms (MINIMIZE2)."""
    least = [[all_false(counts, atoms) for atoms in range(k + 2)] for counts in classes]
    answer = []
    for i, counts in enumerate(classes):
        others = [Fraction(1)] * (k + 1)
        for other in least[:i] + least[i + 1 :]:
            others = [
                min(others[atoms - own] * other[own] for own in range(atoms + 1)) for atoms in range(k + 1)
            ]
        odds = min(least[i][own + 1] * others[k - own] for own in range(k + 1))
        answer.append(1 / (1 + odds * Fraction(sum(counts), max(counts))))
    return answer
