"""The intersection attack on rows of several columns, by enumeration: one row of each class of a target, as
long as they agree wherever two releases have the same column.
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any, TypeAlias

from tests.oracles import attack
from tests.oracles.privacy import Histogram

LACKS = object()  # what stands for the value of a column that a release lacks

Classes: TypeAlias = Mapping[tuple[Any, ...], Histogram]  # of a release; rows are tuples with all columns
Located: TypeAlias = Sequence[Sequence[Sequence[Histogram] | None]]  # per target and release: its classes
JoinedRow: TypeAlias = tuple[Any, ...]  # as rows, with LACKS where no release has the column
Chances: TypeAlias = dict[Any, Fraction]


@dataclass(frozen=True)
class Learned:
    """What is learned of a target and a column: how probable each candidate is, how probable the best guess
    (of a column that may change the one from the surest release), and whether releases contradict each other.
    """

    candidates: Chances
    surest: Fraction | None
    contradictory: bool


@dataclass(frozen=True)
class Step:
    """The rows of a target's classes in one release, and by which columns they are joined."""

    release: int
    rows: Histogram
    columns: frozenset[int]
    met: frozenset[int]


def projected(row: JoinedRow, columns: Sequence[int] | frozenset[int]) -> tuple[Any, ...]:
    return tuple(row[c] for c in sorted(columns))


def of_columns(histogram: Histogram, columns: Sequence[int] | frozenset[int]) -> Histogram:
    counts: Histogram = Counter()
    for row, n in histogram.items():
        counts[projected(row, columns)] += n
    return counts


def columns_of(release: Classes) -> frozenset[int]:
    [row, *_] = next(iter(release.values()))
    return frozenset(c for c, value in enumerate(row) if value is not LACKS)


def equal_releases(releases: Sequence[Classes], located: Located, by_rows: bool) -> list[int]:
    """Per release, the first one that says the same of everybody."""

    def views(release: Classes) -> list[dict[tuple[Any, ...], Histogram]]:
        width = len(next(iter(next(iter(release.values())))))
        chosen = [list(range(width))] if by_rows else [[c] for c in range(width)]
        return [{key: of_columns(h, columns) for key, h in release.items()} for columns in chosen]

    seen = [views(release) for release in releases]

    def are_equal(i: int, j: int) -> bool:
        places = [{id(h): key for key, h in releases[k].items()} for k in (i, j)]
        for one, other in zip(seen[i], seen[j], strict=True):
            of_one = {key: one[key] for key in releases[i]}
            of_other = {key: other[key] for key in releases[j]}
            pairs = [
                (
                    None if target[i] is None else [of_one[places[0][id(h)]] for h in target[i] or ()],
                    None if target[j] is None else [of_other[places[1][id(h)]] for h in target[j] or ()],
                )
                for target in located
            ]
            if not attack._say_the_same(of_one, of_other, pairs):
                return False
        return True

    return [min(i for i in range(j + 1) if are_equal(i, j)) for j in range(len(releases))]


def joined(steps: Sequence[Step], width: int) -> list[JoinedRow]:
    """All rows that are made of one row of each step."""
    found = set()
    for rows in product(*(step.rows for step in steps)):
        row: list[Any] = [LACKS] * width
        fits = True
        for step, one in zip(steps, rows, strict=True):
            for c in step.columns:
                fits = fits and (row[c] is LACKS or row[c] == one[c])
                row[c] = one[c]
        if fits:
            found.add(tuple(row))
    return list(found)


@dataclass
class Attempt:
    target: int
    columns: frozenset[int]
    steps: list[Step]
    rows: list[JoinedRow]


class Attack:
    """releases: of rows with `width` columns, the first `learned` of which are sensitive; stable, changing:
    places of columns."""

    def __init__(
        self,
        releases: Sequence[Classes],
        located: Located,
        learned: int,
        stable: frozenset[int],
        changing: frozenset[int],
    ) -> None:
        self.releases, self.located, self.learned = releases, located, learned
        self.likely = attack.in_probable_classes(releases, located)
        self.stable, self.changing = stable, changing
        self.width = len(next(iter(next(iter(releases[0].values())))))
        self.has = [columns_of(release) for release in releases]
        self.first = equal_releases(releases, located, by_rows=True)
        self.columns_first = equal_releases(releases, located, by_rows=False)
        self.whole = [self.attempt(i, stable) for i in range(len(located))]
        fewer = {stable - {c} for c in stable} | {frozenset(c for c in stable if c < learned)}
        self.fewer = sorted((f for f in fewer if 1 < len(f) < len(stable)), key=sorted)
        self.again = {
            i: [self.attempt(i, columns) for columns in self.fewer]
            for i, one in enumerate(self.whole)
            if one.steps and not one.rows
        }
        self.attempts = [*self.whole, *(one for attempts in self.again.values() for one in attempts)]

    def attempt(self, target: int, columns: frozenset[int]) -> Attempt:
        present: dict[int, int] = {}
        for j, classes in enumerate(self.located[target]):
            if classes is not None:
                present.setdefault(self.first[j], j)
        steps: list[Step] = []
        for j in sorted(present.values()):
            by = self.has[j] & columns
            before = frozenset[int]().union(*(step.columns for step in steps))
            if by:
                steps.append(Step(j, +attack.merged(self.likely[target][j] or ()), by, by & before))
        return Attempt(target, columns, steps, joined(steps, self.width) if steps else [])

    def knowledge_of(self, columns: frozenset[int]) -> attack.Knowledge:
        """What all releases that have these columns say of them."""
        distinct = [self.releases[j] for j in sorted(set(self.first)) if columns <= self.has[j]]
        classes = [of_columns(h, columns) for release in distinct for h in release.values()]
        marginal = attack.merged(classes)
        piles = []
        for attempt in self.attempts:
            pile = [of_columns(step.rows, columns) for step in attempt.steps if columns <= step.columns]
            if filled := [one for one in pile if one]:
                piles.append(filled)
        plain = attack.Knowledge(marginal, attack._correlations(classes, marginal))
        return attack.know_common_shares(piles, plain)

    def weights(self, attempt: Attempt) -> dict[JoinedRow, Fraction]:
        steps, rows = attempt.steps, attempt.rows
        core = frozenset.intersection(*(step.columns for step in steps))
        counts = {
            row: [of_columns(s.rows, s.columns)[projected(row, s.columns)] for s in steps] for row in rows
        }
        least = {}
        for row in rows:
            shares = []
            for j, step in enumerate(steps):
                alike = [
                    other for other in rows if projected(other, step.columns) == projected(row, step.columns)
                ]
                telling = [i for i, other in enumerate(steps) if not other.columns <= step.columns]
                of_rows = {other: math.prod(counts[other][i] for i in telling) for other in alike}
                shares.append(Fraction(counts[row][j] * of_rows[row]) / sum(of_rows.values()))
            least[row] = min(shares)
        known = self.knowledge_of(core)
        rare = {
            row: 1 - Fraction(known.marginal[projected(row, core)], known.marginal.total()) for row in rows
        }
        possible = sum(least.values())
        distinctive = sum(least[row] * rare[row] for row in rows)
        share = known.common_shares.get(len(steps), Fraction(0))
        power = known.powers.get(len(steps), 1)
        weights = dict.fromkeys(rows, Fraction(0))
        for supposed in attack.supposed(share):
            common = Fraction(0)
            if distinctive:
                common = possible * supposed / (supposed + (1 - supposed) * possible / distinctive)
            common = min(common, *(Fraction(step.rows.total()) for step in steps))
            told = self.weights_with(attempt, counts, least, common, power)
            for row in rows:
                weights[row] += told[row] / sum(told.values()) / 2
        return weights

    def weights_with(
        self,
        attempt: Attempt,
        counts: Mapping[JoinedRow, Sequence[int]],
        least: Mapping[JoinedRow, Fraction],
        common: Fraction,
        power: float,
    ) -> dict[JoinedRow, Fraction]:
        """What rows weigh, so many people being in all classes."""
        steps, weights = attempt.steps, {}
        for row in attempt.rows:
            inverse = Fraction(1)
            for step, n in zip(steps, counts[row], strict=True):
                inverse *= (step.rows.total() - common) / n
            for place, step in enumerate(steps[1:], 1):
                known = self.knowledge_of(step.met)
                value = projected(row, step.met)
                piles = [of_columns(other.rows, step.met) for other in steps if step.met <= other.columns]
                drawn = sum(step.met <= other.columns for other in steps[:place])
                r = known.correlations.get(value, Fraction(0))
                q = Fraction(known.marginal[value], known.marginal.total())
                inverse *= r * max(sum(pile[value] for pile in piles) - drawn, 0) + (1 - r) * q
                inverse /= r * (sum(pile.total() for pile in piles) - drawn) + (1 - r)
            inverse = attack.sharpened(inverse + common / least[row], power)
            weights[row] = 1 / max(inverse, Fraction(1, 10**300))
        return weights

    def column_alone(self, column: int) -> list[attack.Attacked]:
        releases = [{key: of_columns(h, [column]) for key, h in release.items()} for release in self.releases]
        places = [{id(h): key for key, h in release.items()} for release in self.releases]
        located = [
            [
                None if one is None else [releases[j][places[j][id(h)]] for h in one]
                for j, one in enumerate(target)
            ]
            for target in self.located
        ]
        known = attack.know(releases, located, self.columns_first)
        return [attack.intersect(one, known) for one in attack.in_probable_classes(releases, located)]

    def learn(self) -> list[list[Learned]]:
        """Per target, of each sensitive column."""
        weighed = {id(one): self.weights(one) if one.rows else {} for one in self.attempts}
        alone = [self.column_alone(column) for column in range(self.learned)]
        answer = []
        for i, target in enumerate(self.located):
            whole = self.whole[i]
            attempts = [whole] if whole.rows else self.again.get(i, [])
            attempts = [one for one in attempts if one.rows]
            contradictory = bool(whole.steps and not whole.rows) or any(
                classes is not None and not attack.merged(classes) for classes in target
            )
            columns = []
            for column in range(self.learned):
                by_itself = shares((s[0], p) for s, p in alone[column][i].probabilities.items())
                if column in self.changing:
                    options = self.options_of_changing(i, column, attempts, weighed)
                    if not options and not any(classes is not None for classes in target):
                        options = [by_itself]
                elif whole.rows:
                    options = [shares((row[column], w) for row, w in weighed[id(whole)].items())]
                else:
                    options = [by_itself] if by_itself else []
                    options += [
                        shares((row[column], w) for row, w in weighed[id(one)].items())
                        for one in attempts if column in one.columns
                    ]  # fmt: skip
                best = min(options, key=lambda one: (len(one), -max(one.values())), default={})
                surest = max((max(one.values()) for one in options), default=None)
                is_changing = column in self.changing
                columns.append(
                    Learned(
                        best, surest if is_changing else max(best.values(), default=None),
                        contradictory or not best,
                    )
                )  # fmt: skip
            answer.append(columns)
        return answer

    def options_of_changing(
        self,
        target: int,
        column: int,
        attempts: Sequence[Attempt],
        weighed: Mapping[int, Mapping[JoinedRow, Fraction]],
    ) -> list[Chances]:
        """What each release tells of the rows that are left there, and releases that are in no step, of all
        rows of the target's classes. Release by release."""
        options: list[tuple[int, int, Chances]] = []
        joined_by_all = set()  # releases, of equal ones the first
        for number, one in enumerate(attempts, 1):
            for step in one.steps:
                if one is self.whole[target]:
                    joined_by_all.add(self.first[step.release])
                chances: list[tuple[Any, Fraction]] = []
                own = of_columns(step.rows, step.columns)
                for row, weight in weighed[id(one)].items():
                    like = projected(row, step.columns)
                    chances += [
                        (other[column], weight * n / own[like])
                        for other, n in step.rows.items() if projected(other, step.columns) == like
                    ]  # fmt: skip
                options.append((step.release, number, shares(chances)))
        for j, classes in enumerate(self.likely[target]):
            told = of_columns(attack.merged(classes or ()), [column])
            if classes is not None and told and self.first[j] not in joined_by_all:
                options.append((j, 0, shares((value[0], Fraction(n)) for value, n in told.items())))
        return [option for _, _, option in sorted(options, key=lambda option: option[:2])]


def shares(weights: Any) -> Chances:
    """Weights of equal values added up, as shares of their sum."""
    sums: dict[Any, Fraction] = {}
    for value, weight in weights:
        sums[value] = sums.get(value, Fraction(0)) + weight
    total = sum(sums.values(), Fraction(0))
    return {value: weight / total for value, weight in sums.items()}
