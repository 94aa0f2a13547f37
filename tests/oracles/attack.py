"""The intersection attack (Ganta, Kasiviswanathan, Smith 2008, Algorithm 1), target by target."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any, TypeAlias

from tests.oracles import Row
from tests.oracles.covers import covers
from tests.oracles.privacy import Histogram

# released quasi-identifier values -> sensitive values of the class, as `privacy.classes` gives them
Release: TypeAlias = Mapping[tuple[Any, ...], Histogram]


@dataclass(frozen=True)
class Attacked:
    """What the adversary learns about one target. Confidence is None without candidates (a contradiction)."""

    candidates: frozenset[Any]
    prior: int
    posterior: int
    drop: int
    confidence: float | None


@dataclass(frozen=True)
class Breaches:
    """What the adversary learns about all targets. Shares are from 0 to 1, pvp in percent; None: unknown.

    pvp: confidence level C -> PVP_C. vulnerable: targets with a drop. truth_among: targets whose true value
    is a candidate. singletons_right: of the targets with one candidate, those where it is the true value.
    baseline_expected and baseline_actual: accuracy of guessing the most frequent value of the target's class
    in one release, the best one for that; as the adversary expects it (mean share of that value) and as it is
    (a tie of m values counts 1/m).
    """

    targets: int
    pvp: dict[float, float]
    vulnerable: int
    average_prior: float
    average_posterior: float
    average_drop: float
    contradictions: int
    truth_among: float | None
    singletons_right: float | None
    baseline_expected: float
    baseline_actual: float | None


def locate(release: Release, target: Row, labels: Sequence[Sequence[str]] | None = None) -> list[Histogram]:
    """Get_equivalence_class: the classes whose released values all cover the target's.

    They are several if boxes overlap. `labels`: per quasi-identifier the labels of the target's value in its
    hierarchy.
    """
    known = labels or [()] * len(target)
    return [
        histogram
        for released, histogram in release.items()
        if all(covers(text, raw, names) for text, raw, names in zip(released, target, known, strict=True))
    ]


def merged(found: Sequence[Histogram]) -> Histogram:
    """The classes that cover a target, seen as one."""
    together: Histogram = Counter()
    for histogram in found:
        together.update(histogram)
    return together


def intersect(releases: Sequence[Sequence[Histogram]]) -> Attacked:
    """Attack one target: per release the classes that cover it (none: no candidates, so a contradiction).

    prior = min_j |s_ij| (Def. 8), posterior = |S_i|, drop = prior - posterior,
    confidence = 1/posterior (Def. 9).
    """
    sets = [frozenset(+merged(found)) for found in releases]
    candidates = frozenset.intersection(*sets)
    prior, posterior = min(len(s) for s in sets), len(candidates)
    return Attacked(candidates, prior, posterior, prior - posterior, 1 / posterior if posterior else None)


def intersection_attack(
    releases: Sequence[Release],
    targets: Sequence[Row],
    labels: Sequence[Sequence[Sequence[str]]] | None = None,
) -> list[Attacked]:
    """Algorithm 1: locate every target in every release and intersect; `labels` per target as in `locate`."""
    return [
        intersect([locate(release, target, labels[i] if labels else None) for release in releases])
        for i, target in enumerate(targets)
    ]


def breaches(
    located: Sequence[Sequence[Sequence[Histogram]]],
    truth: Sequence[Any] | None = None,
    levels: Sequence[float] = (0.25, 0.5, 1.0),
) -> Breaches:
    """Attack all targets: per target and release the classes that cover it, and the true values if known."""
    attacked = [intersect(releases) for releases in located]
    n = len(attacked)
    guesses = [[guess(merged(found)) for found in releases] for releases in zip(*located, strict=True)]
    among = right = actual = None
    if truth is not None:
        among = fmean(value in a.candidates for a, value in zip(attacked, truth, strict=True))
        single = [value in a.candidates for a, value in zip(attacked, truth, strict=True) if a.posterior == 1]
        right = fmean(single) if single else None
        actual = max(
            fmean(
                (value in modes) / len(modes) if modes else 0.0
                for (modes, _), value in zip(one, truth, strict=True)
            )
            for one in guesses
        )
    return Breaches(
        targets=n,
        pvp={level: 100 * sum((a.confidence or 0) >= level for a in attacked) / n for level in levels},
        vulnerable=sum(a.drop > 0 for a in attacked),
        average_prior=fmean(a.prior for a in attacked),
        average_posterior=fmean(a.posterior for a in attacked),
        average_drop=fmean(a.drop for a in attacked),
        contradictions=sum(a.posterior == 0 for a in attacked),
        truth_among=among,
        singletons_right=right,
        baseline_expected=max(fmean(share for _, share in one) for one in guesses),
        baseline_actual=actual,
    )


def guess(found: Histogram) -> tuple[frozenset[Any], float]:
    """The most frequent values and their share."""
    most = max(found.values(), default=0)
    return frozenset(s for s, n in found.items() if n == most), most / found.total() if most else 0.0
