"""The intersection attack (Ganta, Kasiviswanathan, Smith 2008, Algorithm 1), target by target."""

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
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
    probabilities: Mapping[Any, Fraction] = field(default_factory=dict)  # of the candidates
    upper_ends: Mapping[Any, Fraction] = field(default_factory=dict)  # how probable they may be at most


@dataclass(frozen=True)
class Certainty:
    """How many people an adversary is so sure about: the share of targets whose most probable value has such
    a probability; may have it (upper), and if no target was suppressed (unsuppressed); from the best release
    alone (single) and from all rows (marginal); and of those targets how often the guess is right, by its
    probability (expected) and in truth (right). None: of nobody, or unknown.
    """

    sure: float
    upper: float
    unsuppressed: float
    single: float
    marginal: float
    expected: float | None
    right: float | None


@dataclass(frozen=True)
class Breaches:
    """What the adversary learns about all targets. Shares are from 0 to 1, pvp in percent; None: unknown.

    pvp: confidence level C -> PVP_C. vulnerable: targets with a drop. truth_among: targets whose true value
    is a candidate. singletons_right: of the targets with one candidate, those where it is the true value.
    Guesses are of the most frequent value of all rows (marginal), of the target's class in one release, the
    best one for that (single), or of the most probable candidate (weighted): as the adversary expects it (the
    mean share or probability of that value) and as it is (a tie of m values counts 1/m). over_marginal and
    over_single: the weighted guess's gain over the others, per target. certainty: by probability.
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
    marginal_expected: float
    single_expected: float
    weighted_expected: float
    weighted_upper: float
    marginal_right: float | None
    single_right: float | None
    weighted_right: float | None
    over_marginal: list[float] | None
    over_single: list[float] | None
    certainty: dict[float, Certainty]


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


def in_probable_classes(
    releases: Sequence[Release],
    located: Sequence[Sequence[Sequence[Histogram] | None]],
    *,
    unsuppressed: bool = False,
) -> list[list[list[Histogram] | None]]:
    """The same of targets in several classes of a release, whose values count by how probable each class is:
    as many as the target's class has rows on average. unsuppressed: each target is in no class that shows
    nothing, if another one covers it (while others may be).
    """
    answer = [[None if one is None else [*one] for one in target] for target in located]
    for j, release in enumerate(releases):
        names = {id(h): key for key, h in release.items()}
        crowds = [[names[id(h)] for h in target[j] or ()] for target in located]
        chances = class_probabilities(release, [crowd for crowd in crowds if crowd])
        for i, crowd in enumerate(crowds):
            if len(crowd) > 1:
                chance = chances[frozenset(crowd)]
                shown = [c for c in crowd if any(label != "*" for label in c)]
                if unsuppressed and shown:
                    left = sum(chance[c] for c in shown)
                    chance = {c: chance[c] / left for c in shown}
                rows = sum(chance[c] * release[c].total() for c in chance)
                expected: dict[Any, Any] = {}
                for c in chance:
                    for s, n in release[c].items():
                        expected[s] = expected.get(s, 0) + chance[c] * rows * n / release[c].total()
                answer[i][j] = [Counter(expected)]
    return answer


Place: TypeAlias = tuple[Any, ...]  # a class, by what it shows


def class_probabilities(
    release: Release, crowds: Sequence[Sequence[Place]]
) -> dict[frozenset[Place], dict[Place, Fraction]]:
    """Per set of classes that covers somebody, in which of them they are. crowds: of each target these."""
    size = {c: Fraction(h.total()) for c, h in release.items()}
    total, known = sum(size.values()), len(crowds)
    order = sorted(release, key=lambda key: [(v is not None, v) for v in key])
    covered = {c: sum(c in crowd for crowd in crowds) for c in release}
    width = {c: (covered[c], sum(v == "*" for v in c), size[c], order.index(c)) for c in release}
    least = Fraction(1, 10**6)

    def is_within(one: Place, other: Place) -> bool:
        together = sum(one in crowd and other in crowd for crowd in crowds)
        shows_less = all(b in ("*", a) for a, b in zip(one, other, strict=True))
        return together == covered[one] and (known >= total or shows_less)

    narrowest = {frozenset(crowd): min(crowd, key=lambda c: width[c]) for crowd in crowds}
    nested = {
        crowd: all(is_within(narrowest[crowd], c) for c in crowd if c != narrowest[crowd])
        for crowd in narrowest
    }
    people = Counter(frozenset(crowd) for crowd in crowds)
    share, grown = min(Fraction(known) / total, Fraction(1)), max(Fraction(known) / total, Fraction(1))

    # how many people each target stands for, and how many rows each class has for them
    first = {c: sum(n for g, n in people.items() if nested[g] and narrowest[g] == c) for c in release}
    wider = {
        c: size[c]
        * sum(n for g, n in people.items() if nested[g] and c in g and narrowest[g] != c)
        / covered[c]
        if covered[c]
        else Fraction(0)
        for c in release
    }
    more = Fraction(sum(wider.values()))
    unseen = sum(size[c] for c in release if not covered[c])
    stands_for, room = {}, {}
    for c in release:
        room[c] = size[c] * grown - (1 - share) * wider[c] * unseen / (total - more)
        if first[c]:
            alone = size[c] - wider[c]
            others, all_of_them = alone * more / (total - more), alone * total / (total - more)
            if share < 1:
                gain = Fraction(known - 1) / (total - 1)
                gain *= others / (share * others + (1 - share) * all_of_them)
                estimated = all_of_them + gain * (first[c] - share * all_of_them)
                stands_for[c] = max(Fraction(1), estimated / first[c])
            else:
                stands_for[c] = Fraction(1)

    def coming(c: Place, several: bool) -> Fraction:
        of_them = (
            n for g, n in people.items() if nested[g] and narrowest[g] == c and (len(g) > 1) == several
        )
        return sum(of_them, 0) * stands_for.get(c, Fraction(1))

    left = {c: max(room[c] - coming(c, several=False), Fraction(0)) for c in release}
    chance = {
        c: max(min(left[c] / coming(c, several=True), 1 - least), least)
        for c in release
        if coming(c, several=True)
    }
    crossing = {}
    if not all(nested.values()):
        crossing = crossing_densities(release, people, nested, narrowest)
    answer = {}
    for crowd in people:
        if len(crowd) == 1:
            continue
        densities = {}
        for c in crowd:
            if nested[crowd] and c != narrowest[crowd]:
                rest = left[c] - min(left[c], coming(c, several=True))
                those = sum(
                    n * stands_for[narrowest[g]] * (1 - chance[narrowest[g]])
                    for g, n in people.items()
                    if nested[g] and c in g and narrowest[g] != c
                )
                densities[c] = max(rest / those, least)
            if not nested[crowd]:
                densities[c] = crossing[c]
        first_chance = chance[narrowest[crowd]] if nested[crowd] else Fraction(0)
        answer[crowd] = {
            c: (1 - first_chance) * densities[c] / sum(densities.values()) if c in densities else first_chance
            for c in crowd
        }
    return answer


def crossing_densities(
    release: Release,
    people: Mapping[frozenset[Place], int],
    nested: Mapping[frozenset[Place], bool],
    narrowest: Mapping[frozenset[Place], Place],
) -> dict[Place, Fraction]:
    """Where classes cross, how many rows each has at the place of somebody. people: per set of classes that
    covers somebody; nested: is its narrowest within the others?
    """
    size = {c: h.total() for c, h in release.items()}
    total, known = sum(size.values()), sum(people.values())
    widths = widths_of(list(release))
    blank = [c for c in release if all(label == "*" for label in c)]
    hidden = sum(size[c] for c in blank) / total
    crossing = {crowd: n for crowd, n in people.items() if not nested[crowd]}
    found = {crowd: sum(size[c] / widths[c] for c in crowd if c not in blank) for crowd in crossing}
    average = sum(n * found[crowd] for crowd, n in crossing.items()) / sum(crossing.values())
    density = {
        c: size[c] / total if c in blank else (1 - hidden) * size[c] / widths[c] / average for c in release
    }
    for _ in range(2):
        fitted = {}
        for c in density:
            comers = 0.0
            for crowd, n in people.items():
                if c in crowd and nested[crowd]:
                    comers += n if narrowest[crowd] == c else 0
                elif c in crowd:
                    comers += n * density[c] / sum(density[d] for d in crowd if d in density)
            others = max(0, 1 - known / total) * size[c]
            if any(c in crowd for crowd in people):
                fitted[c] = density[c] * size[c] / max(comers * min(1, total / known) + others, 1e-6)
        density = fitted
    return {c: Fraction(max(one, 1e-12)) for c, one in density.items()}


def widths_of(places: Sequence[Place]) -> dict[Place, float]:
    """How many values each class stands for: of an interval those that are named in the column."""
    widths = dict.fromkeys(places, 1.0)
    for column in range(len(places[0])):
        said = {place: None if place[column] is None else str(place[column]) for place in places}
        bounds = {label: _bounds(label) for label in said.values() if label is not None}
        named: set[str] = set()
        for label, found in bounds.items():
            if found is not None:
                named.update(bound for bound in found if bound is not None)
            elif label[0] == "{":
                named.update(one.strip() for one in label[1:-1].split(",") if one.strip() != "NULL")
            elif "*" not in label:
                named.add(label)
        ranks = {value: i for i, value in enumerate(sorted(named, key=_in_column))}
        for place, shown in said.items():
            if shown is None:
                continue
            label = shown
            if interval_of := bounds[label]:
                low, high = interval_of
                width = (len(ranks) - 1 if high is None else ranks[high]) + 1
                width -= 0 if low is None else ranks[low]
            elif label[0] == "{":
                width = len(label.split(","))
            elif label == "*":
                width = len(ranks)
            else:
                width = 10 ** label.count("*")
            widths[place] *= max(1, width)
    return widths


def _bounds(label: str) -> tuple[str | None, str | None] | None:
    """Those of an interval."""
    if match := re.fullmatch(r"[\[\](](.*),(.*)[\[\])]", label):
        low, high = (None if one.strip() == "NULL" else one.strip() for one in match.groups())
        return low, high
    if match := re.fullmatch(r"([<>])=?(.*)", label):
        return (None, match[2]) if match[1] == "<" else (match[2], None)
    return None


def _in_column(value: str) -> tuple[int, float, str]:
    """Numbers come before texts."""
    try:
        return 0, float(value), ""
    except ValueError:
        return 1, 0.0, value


def marginal_of(releases: Sequence[Release]) -> Histogram:
    """How often each value stands in all rows of all releases."""
    return merged([histogram for release in releases for histogram in release.values()])


@dataclass(frozen=True)
class Knowledge:
    """What all releases say beside who can have what.

    marginal: how often each value stands in all rows. correlations: per value, how alike two people of a
    class are in having it. common_shares: by how many releases tell something of a target, which share of the
    people who could be in all of its classes are; powers: that of weights; least_shares: the least share that
    is not ruled out. together: how many targets are certainly in the same classes, by these (as of _place).
    first: per release, the first that is the same.
    """

    marginal: Histogram
    correlations: Mapping[Any, Fraction] = field(default_factory=dict)
    common_shares: Mapping[int, Fraction] = field(default_factory=dict)
    powers: Mapping[int, float] = field(default_factory=dict)
    least_shares: Mapping[int, Fraction] = field(default_factory=dict)
    together: Mapping[tuple[int | None, ...], int] = field(default_factory=dict)
    first: Sequence[int] | None = None

    def once(self, releases: Sequence[Any]) -> list[Any]:
        """What is known of a target in each release, that of equal ones once."""
        first = self.first or range(len(releases))
        told = {first[j]: one for j, one in enumerate(releases) if one is not None}
        return [told[j] for j in sorted(told)]

    def others(self, releases: Sequence[Sequence[Histogram] | None]) -> int:
        """How many other targets are certainly in the classes of one."""
        return max(self.together.get(_place(releases), 0) - 1, 0)


def _place(releases: Sequence[Sequence[Histogram] | None]) -> tuple[int | None, ...]:
    """The classes of a target, if each release that it is in, and several are, has one; or none."""
    found = [one for one in releases if one is not None]
    if len(found) < 2 or any(len(one) != 1 for one in found):
        return ()
    return tuple(None if one is None else id(one[0]) for one in releases)


def _together(located: Sequence[Sequence[Sequence[Histogram] | None]]) -> Counter[tuple[int | None, ...]]:
    """How many targets are in the same classes. A class may have fewer rows than targets: then some of them
    are not in the release, nobody knows who, and nothing follows from those who would be in it.
    """
    unclear = set()
    for j, found in enumerate(zip(*located, strict=True)):
        alone = [one[0] for one in found if one is not None and len(one) == 1]
        targets = Counter(id(h) for h in alone)
        if any(targets[id(h)] > h.total() for h in alone):
            unclear.add(j)
    clear = [target for target in located if all(target[j] is None for j in unclear)]
    return Counter(place for target in clear if (place := _place(target)))


def know(
    releases: Sequence[Release],
    located: Sequence[Sequence[Sequence[Histogram] | None]],
    first: Sequence[int] | None = None,
) -> Knowledge:
    """Everything that is inferred before a target is looked at. located: as of locate_all. first: per
    release, the first that is the same, where that is not to be found here.
    """
    first = first or [
        min(
            i
            for i in range(j + 1)
            if _say_the_same(releases[i], releases[j], [(t[i], t[j]) for t in located])
        )
        for j in range(len(releases))
    ]
    distinct = [releases[j] for j in sorted(set(first))]
    marginal = marginal_of(distinct)
    correlations = _correlations([h for release in distinct for h in release.values()], marginal)
    plain = Knowledge(marginal, correlations, together=_together(located), first=first)
    likely = in_probable_classes(releases, located)
    piles = [[+merged(found) for found in plain.once(target) if found] for target in likely]
    return know_common_shares(piles, plain, [plain.others(target) for target in likely])


def _say_the_same(one: Release, other: Release, located: Sequence[tuple[Any, Any]]) -> bool:
    """Have they the same classes, and the same people in each?"""

    def in_order(release: Release) -> list[Histogram]:
        return [release[key] for key in sorted(release, key=lambda key: [(v is not None, v) for v in key])]

    numbers = [{id(h): number for number, h in enumerate(in_order(release))} for release in (one, other)]
    return in_order(one) == in_order(other) and all(
        {numbers[0][id(h)] for h in here} == {numbers[1][id(h)] for h in there}
        for here, there in located
        if here is not None and there is not None
    )


def _correlations(classes: Sequence[Histogram], marginal: Histogram) -> dict[Any, Fraction]:
    """Per value: of each row with it, another one of its class is drawn. How much more often than a row of
    the table has that one the value too?

    As a share of how much more it could be, averaged over the rows and one more of average correlation.
    """
    rows = [(s, h) for h in classes if h.total() > 1 for s in h.elements()]
    share = {s: Fraction(n, marginal.total()) for s, n in marginal.items()}
    more = {
        s: [Fraction(h[s] - 1, h.total() - 1) - q for value, h in rows if value == s]
        for s, q in share.items()
    }
    most = sum(1 - share[s] for s, _ in rows)
    average = sum(sum(extra) for extra in more.values()) / most if most else Fraction(0)
    correlations = {
        s: (sum(more[s], Fraction(0)) / (1 - q) + average if q < 1 else average) / (len(more[s]) + 1)
        for s, q in share.items()
    }
    return {s: min(max(one, Fraction(0)), Fraction(1)) for s, one in correlations.items()}


def know_common_shares(
    piles: Sequence[Sequence[Histogram]], knowledge: Knowledge, others: Sequence[int] | None = None
) -> Knowledge:
    """Of 13 shares the one with which all releases expect values as frequent as each one does, with a first
    guess by _common_share; the power with which they do with the shares that are then supposed; and the least
    share that is not off by more than chance. piles: per target the classes that it is in; others: how many
    other targets certainly are (none).
    """
    others = others or [0] * len(piles)
    chosen, powers, least = {}, {}, {}
    for releases in {len(pile) for pile in piles if len(pile) > 1}:
        group = [pile for pile in piles if len(pile) == releases]
        guess = float(_common_share(group)) / (releases - 1)
        told = [
            _expectations(pile, knowledge, n)
            for pile, n in zip(piles, others, strict=True)
            if len(pile) == releases
        ]
        found = []
        for trial in range(13):
            off = (trial / 2 - 6 * math.sqrt(guess)) ** 2
            for compared in (0, 1):
                differences = [one[trial][compared][0] for one in told]
                off += sum(differences) ** 2 / (1 + sum(x**2 for x in differences))
            found.append(round(off, 9))
        best = found.index(min(found))
        within = [trial for trial, off in enumerate(found) if off <= min(found) + 1.959963984540054**2]
        chosen[releases], least[releases] = (Fraction(trial, 12) ** 2 for trial in (best, within[0]))
        off, telling = 0.0, 100.0
        for compared in (0, 1):
            differences = [of_supposed([one[compared][0] for one in target], best) for target in told]
            slope = sum(of_supposed([one[compared][1] for one in target], best) for target in told)
            squares = 1 + sum(x**2 for x in differences)
            off += sum(differences) * slope / squares
            telling += slope**2 / squares
        powers[releases] = 1.0 if releases == 2 else min(max(round(1 - off / telling, 2), 1.0), 2.0)
    return replace(knowledge, common_shares=chosen, powers=powers, least_shares=least)


def of_supposed(by_trial: Sequence[float], trial: int) -> float:
    """The mean over what the share may be for one target."""
    return (by_trial[max(0, trial - 2)] + by_trial[min(12, trial + 2)]) / 2


def _expectations(
    pile: Sequence[Histogram], knowledge: Knowledge, others: int
) -> list[list[tuple[float, float]]]:
    """Of a target, for each of 13 shares and each of two logarithms (of how frequent values are in all rows,
    and in all its classes): how much more all its classes expect than each, and how that grows with the
    power.
    """
    everywhere = [s for s in pile[0] if all(h[s] > 0 for h in pile)]
    if not everywhere:
        return [[(0.0, 0.0)] * 2] * 13
    total = knowledge.marginal.total()
    in_all = {s: math.log(knowledge.marginal[s] / total) for h in pile for s in h}
    in_classes = {s: math.fsum(math.log(h[s]) for h in pile) for s in everywhere}
    alone = [
        fmean(sum(float(n) * in_all[s] for s, n in h.items()) / float(h.total()) for h in pile),
        sum(sum(float(n) * math.log(n) for n in h.values()) / float(h.total()) for h in pile),
    ]
    told = []
    for trial in range(13):
        common = others_in_all(everywhere, pile, knowledge, Fraction(trial, 12) ** 2, others)
        weights = weigh_with(everywhere, pile, knowledge, common, number=float)
        sure = sum(p * math.log(p) for p in weights.values() if p)
        of_trial = []
        for logarithm, one in zip((in_all, in_classes), alone, strict=True):
            mean = sum(p * logarithm[s] for s, p in weights.items())
            slope = sum(p * math.log(p) * logarithm[s] for s, p in weights.items() if p) - sure * mean
            of_trial.append((mean - one, slope))
        told.append(of_trial)
    return told


def _common_share(piles: Sequence[Sequence[Histogram]]) -> Fraction:
    """Per target the classes that it is in: ordered pairs of their rows that have one value, beyond those of
    different people, against all that could be of one person.
    """
    found = possible = Fraction(0)
    for classes in piles:
        pile, rows = merged(classes), sum(h.total() for h in classes)
        agreeing = sum(n * max(n - 1, 0) for n in pile.values())
        # how often two rows of one class agree, averaged over all rows
        alike = (
            sum(
                (
                    Fraction(sum(n * max(n - 1, 0) for n in h.values())) / (h.total() - 1)
                    for h in classes
                    if h.total() > 1
                ),
                Fraction(0),
            )
            / rows
        )
        found += agreeing - rows * (rows - 1) * alike
        pairs = len(classes) * (len(classes) - 1)
        possible += pairs * min(h.total() for h in classes) * (1 - alike)
    return min(max(found / possible, Fraction(0)), Fraction(1)) if possible else Fraction(1)


def intersect(releases: Sequence[Sequence[Histogram] | None], knowledge: Knowledge) -> Attacked:
    """Attack one target: per release the classes that cover it (none: no candidates, so a contradiction), or
    None if the target is not in it; several count as of in_probable_classes.

    prior = min_j |s_ij| (Def. 8), posterior = |S_i|, drop = prior - posterior,
    confidence = 1/posterior (Def. 9). Who is in no release can have every value.
    """
    sets = [frozenset(+merged(result)) for result in releases if result is not None]
    sets = sets or [frozenset(knowledge.marginal)]
    candidates = frozenset.intersection(*sets)
    prior, posterior = min(len(s) for s in sets), len(candidates)
    confidence = 1 / posterior if posterior else None
    known = [+merged(result) for result in knowledge.once(releases)]
    return Attacked(
        candidates, prior, posterior, prior - posterior, confidence,
        weigh(candidates, known, knowledge, knowledge.others(releases)),
        upper_ends(candidates, known, knowledge, knowledge.others(releases)),
    )  # fmt: skip


def at_steps(share: Fraction, steps: int) -> Fraction:
    return Fraction(max(0, min(12, round(12 * math.sqrt(share)) + steps)), 12) ** 2


def supposed(share: Fraction) -> list[Fraction]:
    """What the share may be for one target, each as probable."""
    return [at_steps(share, -2), at_steps(share, 2)]


def others_in_all(
    candidates: Iterable[Any], known: Sequence[Histogram], knowledge: Knowledge, share: Fraction, others: int
) -> Fraction:
    """How many other people are in all classes of a target. others: how many certainly are.

    From none to all who could be. If few are, those who agree in a frequent value count less: so do different
    people.
    """
    least = {s: Fraction(min((h[s] for h in known), default=0)) for s in candidates}
    total = knowledge.marginal.total()
    possible = sum(least.values(), Fraction(0))
    distinctive = sum(
        (n * (1 - Fraction(knowledge.marginal[s], total)) for s, n in least.items()), Fraction(0)
    )
    certain = Fraction(others if others < possible else 0)
    if not distinctive:
        return certain
    return max(possible * share / (share + (1 - share) * possible / distinctive), certain)


def weigh(
    candidates: Iterable[Any],
    known: Sequence[Histogram],
    knowledge: Knowledge,
    others: int = 0,
    number: Any = Fraction,
) -> dict[Any, Any]:
    """How probable each candidate is, by the classes that the target is in. others: how many other people
    certainly are in all of them; number: float is faster.
    """
    few, more = (
        _weigh_with_share(candidates, known, knowledge, share, others, number)
        for share in supposed(knowledge.common_shares.get(len(known), Fraction(0)))
    )
    return {s: (few[s] + more[s]) / 2 for s in few}


def upper_ends(
    candidates: Iterable[Any], known: Sequence[Histogram], knowledge: Knowledge, others: int = 0
) -> dict[Any, Fraction]:
    """How probable each candidate may be, whichever of these shares it is, or the least, or all."""
    shares = supposed(knowledge.common_shares.get(len(known), Fraction(0)))
    shares += [at_steps(knowledge.least_shares.get(len(known), Fraction(0)), -2), Fraction(1)]
    told = [_weigh_with_share(candidates, known, knowledge, share, others, Fraction) for share in shares]
    return {s: max(one[s] for one in told) for s in told[0]}


def _weigh_with_share(
    candidates: Iterable[Any],
    known: Sequence[Histogram],
    knowledge: Knowledge,
    share: Fraction,
    others: int,
    number: Any,
) -> dict[Any, Any]:
    common = others_in_all(candidates, known, knowledge, share, others)
    power = knowledge.powers.get(len(known), 1)
    return weigh_with(candidates, known, knowledge, common, power, number)


def weigh_with(
    candidates: Iterable[Any],
    known: Sequence[Histogram],
    knowledge: Knowledge,
    others: Fraction,
    power: float = 1,
    number: Any = Fraction,
) -> dict[Any, Any]:
    """The same where it is known how many others are in all classes, and the power."""
    weights, total = {}, knowledge.marginal.total()
    least = {s: min((h[s] for h in known), default=0) for s in candidates}
    common = number(others)
    rows = sum(number(h.total()) for h in known)
    for s in least:
        weights[s] = q = number(knowledge.marginal[s]) / total
        if known:
            # as if all but the people in common were different people
            inverse = math.prod(((number(h.total()) - common) / h[s] for h in known), start=number(1))
            r = number(knowledge.correlations.get(s, 0))
            for drawn in range(1, len(known)):
                inverse *= r * max(sum(h[s] for h in known) - drawn, 0) + (1 - r) * q
                inverse /= r * (rows - drawn) + (1 - r)
            inverse = sharpened(inverse + common / least[s], power)
            weights[s] = 1 / max(inverse, number(Fraction(1, 10**300)))
    return {s: weight / sum(weights.values()) for s, weight in weights.items()}


def sharpened(inverse: Any, power: float) -> Any:
    """What a weight is divided by, with a power: of the same type."""
    return inverse if power == 1 else type(inverse)(float(inverse) ** power)


def intersection_attack(
    releases: Sequence[Release],
    targets: Sequence[Row],
    labels: Sequence[Sequence[Sequence[str]]] | None = None,
    presence: Sequence[Sequence[bool]] | None = None,
) -> list[Attacked]:
    """Algorithm 1: locate every target in every release that it is in and intersect;
    `labels` per target as in `locate`.
    """
    located = locate_all(releases, targets, labels, presence)
    knowledge = know(releases, located)
    return [intersect(result, knowledge) for result in in_probable_classes(releases, located)]


def locate_all(
    releases: Sequence[Release],
    targets: Sequence[Row],
    labels: Sequence[Sequence[Sequence[str]]] | None = None,
    presence: Sequence[Sequence[bool]] | None = None,
) -> list[list[list[Histogram] | None]]:
    """Per target and release the classes that cover it; None where the target is not in the release."""
    return [
        [
            locate(release, target, labels[i] if labels else None)
            if presence is None or presence[i][j]
            else None
            for j, release in enumerate(releases)
        ]
        for i, target in enumerate(targets)
    ]


Guess: TypeAlias = tuple[frozenset[Any], float]


def right(one: Guess, value: Any) -> float:
    return (value in one[0]) / len(one[0])


def breaches(
    located: Sequence[Sequence[Sequence[Histogram] | None]],
    knowledge: Knowledge,
    truth: Sequence[Any] | None = None,
    levels: Sequence[float] = (0.25, 0.5, 1.0),
    sure: Sequence[float] = (),
    unsuppressed: Sequence[Sequence[Sequence[Histogram] | None]] | None = None,
) -> Breaches:
    """Attack all targets: per target and release the classes that cover it, of several as of
    in_probable_classes (unsuppressed: as there, where that is not the same), and the true values if known.
    """
    attacked = [intersect(releases, knowledge) for releases in located]
    n = len(attacked)
    unseen = guess(knowledge.marginal)
    # who is not found in a release is guessed as somebody of whom nothing is known
    single = [
        [guess(merged(result)) if result else unseen for result in releases]
        for releases in zip(*located, strict=True)
    ]
    weighted = [weighted_guess(a, releases, unseen) for a, releases in zip(attacked, located, strict=True)]
    most = upper_ends_of_guesses(located, knowledge)
    hidden = most if unsuppressed is None else upper_ends_of_guesses(unsuppressed, knowledge)
    among = only = None
    marginal_right = best = weighted_right = None
    if truth is not None:
        among = fmean(value in a.candidates for a, value in zip(attacked, truth, strict=True))
        certain = [
            value in a.candidates for a, value in zip(attacked, truth, strict=True) if a.posterior == 1
        ]
        only = fmean(certain) if certain else None
        marginal_right = [right(unseen, value) for value in truth]
        best = max(
            ([right(*pair) for pair in zip(one, truth, strict=True)] for one in single),
            key=lambda one: round(fmean(one), 12),
        )
        weighted_right = [right(*pair) for pair in zip(weighted, truth, strict=True)]
    return Breaches(
        targets=n,
        pvp={level: 100 * sum((a.confidence or 0) >= level for a in attacked) / n for level in levels},
        vulnerable=sum(a.drop > 0 for a in attacked),
        average_prior=fmean(a.prior for a in attacked),
        average_posterior=fmean(a.posterior for a in attacked),
        average_drop=fmean(a.drop for a in attacked),
        contradictions=sum(a.posterior == 0 for a in attacked),
        truth_among=among,
        singletons_right=only,
        marginal_expected=unseen[1],
        single_expected=max(fmean(share for _, share in one) for one in single),
        weighted_expected=fmean(share for _, share in weighted),
        weighted_upper=fmean(most),
        marginal_right=fmean(marginal_right) if marginal_right else None,
        single_right=fmean(best) if best else None,
        weighted_right=fmean(weighted_right) if weighted_right else None,
        over_marginal=differences(weighted_right, marginal_right),
        over_single=differences(weighted_right, best),
        certainty={
            level: certainty(level, weighted, most, hidden, single, unseen, weighted_right) for level in sure
        },
    )


def upper_ends_of_guesses(
    located: Sequence[Sequence[Sequence[Histogram] | None]], knowledge: Knowledge
) -> list[float]:
    """Per target how probable a value may be at most."""
    answer = []
    for releases in located:
        one = intersect(releases, knowledge)
        _, share = weighted_guess(one, releases, guess(knowledge.marginal))
        answer.append(max(share, float(max(one.upper_ends.values(), default=0))))
    return answer


def certainty(
    level: float,
    weighted: Sequence[Guess],
    most: Sequence[float],
    hidden: Sequence[float],
    single: Sequence[Sequence[Guess]],
    unseen: Guess,
    weighted_right: Sequence[float] | None,
) -> Certainty:
    """Of guesses, one per target (single: per release)."""
    known = [i for i, (_, share) in enumerate(weighted) if share >= level]
    return Certainty(
        sure=len(known) / len(weighted),
        upper=fmean(round(share, 11) >= level for share in most),
        unsuppressed=fmean(round(share, 11) >= level for share in hidden),
        single=max(fmean(share >= level for _, share in one) for one in single),
        marginal=float(unseen[1] >= level),
        expected=fmean(weighted[i][1] for i in known) if known else None,
        right=fmean(weighted_right[i] for i in known) if known and weighted_right is not None else None,
    )


def differences(ours: list[float] | None, theirs: list[float] | None) -> list[float] | None:
    return None if ours is None or theirs is None else [a - b for a, b in zip(ours, theirs, strict=True)]


def guess(found: Histogram) -> Guess:
    """The most frequent values and their share."""
    most = max(found.values(), default=0)
    return frozenset(s for s, n in found.items() if n == most), most / found.total() if most else 0.0


def weighted_guess(one: Attacked, releases: Sequence[Sequence[Histogram] | None], unseen: Guess) -> Guess:
    """The most probable candidates and their probability;
    without candidates the best guess from one release.
    """
    if one.probabilities:
        most = max(one.probabilities.values())
        return frozenset(s for s, p in one.probabilities.items() if p == most), float(most)
    return max(
        (guess(merged(result)) for result in releases if result), key=lambda one: one[1], default=unseen
    )


def interval(share: float, n: int, z: float = 1.959963984540054) -> tuple[float, float]:
    """Wilson 1927: the shares x with (share - x)^2 = z^2 x (1 - x) / n."""
    a, b, c = 1 + z**2 / n, -(2 * share + z**2 / n), share**2
    root = math.sqrt(max(b**2 - 4 * a * c, 0))
    return (-b - root) / (2 * a), (-b + root) / (2 * a)


# One class as its people see it: per person the values that are possible for them, and how often each value
# stands in the class.
Puzzle: TypeAlias = tuple[Sequence[int], Histogram]


def exact_cover(candidates: Sequence[frozenset[Any]], puzzles: Sequence[Puzzle]) -> list[frozenset[Any]]:
    """What is possible if everybody has a row of their own in each of their classes, class by class until
    nothing changes.

    candidates: per person. puzzles: per class the persons (their places in candidates) that are in it for
    sure, and its histogram. A class that nobody can fill so tells nothing, and who has no candidate left
    takes no row.
    """
    left = list(candidates)
    while True:
        before = list(left)
        possible: dict[int, frozenset[Any]] = dict(enumerate(left))
        for people, histogram in puzzles:
            there = [i for i in people if before[i]]
            seen = _assignments([before[i] for i in there], histogram)
            if seen is not None:
                for i, values in zip(there, seen, strict=True):
                    possible[i] &= values
        left = [possible[i] for i in range(len(left))]
        if left == before:
            return by_counting(left, puzzles)


def by_counting(candidates: Sequence[frozenset[Any]], puzzles: Sequence[Puzzle]) -> list[frozenset[Any]]:
    """What is possible by how often each value is left, over all classes: bounds on whether somebody has it
    (0 or 1) narrow each other, all at once, as long as any do. What would cross is left as it is.
    """
    if not any(len(values) > 1 for values in candidates):
        return [*candidates]
    bounds = {(i, value): (0, 1) for i, values in enumerate(candidates) for value in values}
    classes = [(people, rows) for people, rows in puzzles if len(people) <= sum(rows.values())]
    while True:
        narrowed = {}
        for (i, value), (least, most) in bounds.items():
            lows, highs = [least], [most]
            others = [bounds[i, other] for other in candidates[i] if other != value]
            lows.append(1 - sum(high for _, high in others))
            highs.append(1 - sum(low for low, _ in others))
            for people, rows in classes:
                if i in people:
                    there = [j for j in people if candidates[j]]
                    unknown = sum(rows.values()) - len(there)
                    rest = [bounds[j, value] for j in there if j != i and (j, value) in bounds]
                    lows.append(rows[value] - unknown - sum(high for _, high in rest))
                    highs.append(rows[value] - sum(low for low, _ in rest))
            low, high = max(lows), min(highs)
            narrowed[i, value] = (low, high) if low <= high else (least, most)
        if narrowed == bounds:
            return [
                frozenset(v for v in values if bounds[i, v][1] > 0) for i, values in enumerate(candidates)
            ]
        bounds = narrowed


def _assignments(people: Sequence[frozenset[Any]], rows: Histogram) -> list[frozenset[Any]] | None:
    """Per person the values in some assignment of rows to all people; None if there is none."""
    if not people:
        return []
    seen: list[set[Any]] = [set() for _ in people]

    def assign(i: int, free: Counter[Any], chosen: list[Any]) -> None:
        if i == len(people):
            for values, value in zip(seen, chosen, strict=True):
                values.add(value)
            return
        for value in people[i]:
            if free[value]:
                assign(i + 1, free - Counter([value]), [*chosen, value])

    assign(0, Counter(rows), [])
    return [frozenset(values) for values in seen] if all(seen) else None
