"""What is run: for every data set and seed, releases under one requirement each, and the attacks on them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from sqlanon.experiments.ganta2008.data import COMMON, DATA_SETS, DataSet

KS = tuple(range(5, 51, 5))
FEW_KS = (5, 10, 20, 50)  # of what goes beyond the paper
TOLD_KS = (5, 10, 50)  # of a quick run: those that the comparison with the paper tells of
SEEDS = 5

# The text of the paper names l = 5 and t = 0.4, both with k = 10.
LS = (2.0, 3.0, 4.0, 5.0, 6.0)
TS = (0.2, 0.3, 0.4, 0.5, 0.6)
STRICT_K = 10
NAMED = (5.0, 0.4)

# Section 4: randomized releases, beside k-anonymous ones, of which so many are attacked together.
EPSILONS = (0.1, 0.5, 1.0, 2.0)
COMPOSED = (1, 2, 4)

LEVELS = (100, 50, 33, 25, 20, 15, 10, 5)  # confidences, in percent


@dataclass(frozen=True)
class Settings:
    """What a reproduction does: the files, by the name of their data set, and how much of the experiment.

    seeds: how many. common: the people that all subsets share. people: how many a file must have, by the name
    of its data set. epsilons: of section 4, which is left out without them. draws: the folder where noisy
    counts are kept, because noise is drawn anew in every run; None: nowhere.
    """

    inputs: dict[str, Path]
    seeds: int = SEEDS
    ks: tuple[int, ...] = KS
    ls: tuple[float, ...] = LS
    ts: tuple[float, ...] = TS
    epsilons: tuple[float, ...] = EPSILONS
    draws: Path | None = None
    common: int = COMMON
    people: tuple[tuple[str, int], ...] = tuple((data.name, data.people) for data in DATA_SETS.values())

    @property
    def is_quick(self) -> bool:
        return self.ks != KS


def quick(inputs: dict[str, Path], seeds: int = 1) -> Settings:
    """A part of the experiment, with all the numbers that the paper's text has."""
    return Settings(inputs, seeds, TOLD_KS, NAMED[:1], NAMED[1:], EPSILONS[:1])


@dataclass(frozen=True)
class Unit:
    """What is done at once: all releases of a data set with a seed and a requirement, and attacks on them.

    requirement: 'k', or 'entropy_l' or 't' with k = 10, and its value; or 'none': the attributes as they are
    (Tables 2 to 4). 'epsilon': noisy counts, 'response': randomized response, and 'left out': k again, with
    and without some of the targets (sec. 4).
    """

    data: str
    seed: int
    requirement: str
    amount: float

    def __str__(self) -> str:
        if self.requirement == "none":
            return f"{self.data}, attributes"
        return f"{self.data}, seed {self.seed}, {self.requirement} = {self.amount:g}"

    @property
    def file(self) -> str:
        """Its name where results are kept."""
        return f"{self.data}-{self.seed}-{self.requirement.replace(' ', '_')}-{self.amount:g}.json"


def units(settings: Settings) -> Iterator[Unit]:
    """All of the work, seed by seed; the larger data set, of which a unit takes longest, first."""
    names = sorted(settings.inputs, reverse=True)
    for name in names:
        yield Unit(name, 1, "none", 0)
    for seed in range(1, settings.seeds + 1):
        for name in names:
            for requirement, amounts in (
                ("k", settings.ks),
                ("entropy_l", settings.ls),
                ("t", settings.ts),
                ("epsilon", settings.epsilons),
                ("response", settings.epsilons),
                ("left out", [k for k in settings.ks if k in FEW_KS and settings.epsilons]),
            ):
                for amount in amounts:
                    yield Unit(name, seed, requirement, amount)


def most_releases(data: DataSet) -> int:
    """How many releases are attacked together: more than two of IPUMS only (sec. 3.6)."""
    return 4 if data.name == "ipums" else 2
