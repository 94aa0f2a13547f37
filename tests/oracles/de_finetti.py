"""The de Finetti attack, a row after the other: weights and frequencies in turn."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Hashable, Sequence

Weights = list[dict[Hashable, float]]


def weights(rows: Sequence[Sequence[Hashable]], groups: Sequence[Sequence[Hashable]], rounds: int) -> Weights:
    """How likely each row has each value of its group. groups: of each row, the values of its bucket."""
    now: Weights = [{s: list(group).count(s) / len(group) for s in group} for group in groups]
    domains = [len({row[d] for row in rows}) for d in range(len(rows[0]))]
    for _ in range(rounds):
        prior: dict[Hashable, float] = defaultdict(float)
        likely: dict[Hashable, float] = defaultdict(float)
        for row, held in zip(rows, now, strict=True):
            for s, w in held.items():
                prior[s] += w
                for d, v in enumerate(row):
                    likely[s, d, v] += w
        fits = [
            {
                s: math.log(prior[s] + 1e-9)
                + sum(math.log((likely[s, d, v] + 1) / (prior[s] + domains[d])) for d, v in enumerate(row))
                for s in held
            }
            for row, held in zip(rows, now, strict=True)
        ]
        scaled: Weights = []
        for fit, group in zip(fits, groups, strict=True):
            best = max(fit.values())
            scaled.append({s: list(group).count(s) * math.exp(fit[s] - best) for s in fit})
        columns: dict[Hashable, float] = defaultdict(float)
        for group, held in zip(groups, scaled, strict=True):
            for s, u in held.items():
                columns[id(group), s] += u
        now = []
        for group, held in zip(groups, scaled, strict=True):
            by_column = {s: u * list(group).count(s) / columns[id(group), s] for s, u in held.items()}
            now.append({s: u / sum(by_column.values()) for s, u in by_column.items()})
    return now
