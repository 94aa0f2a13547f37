"""Which choices are dominated, pair by pair."""

import math
from collections.abc import Mapping, Sequence
from typing import Any


def is_known(measures: Sequence[float | None]) -> bool:
    return all(measure is not None and not math.isnan(measure) for measure in measures)


def dominates(one: Sequence[Any], other: Sequence[Any]) -> bool:
    """Is one at least as good everywhere, and better somewhere? Less is better."""
    pairs = list(zip(one, other, strict=True))
    return all(a <= b for a, b in pairs) and any(a < b for a, b in pairs)


def dominance(choices: Mapping[Any, Sequence[float | None]]) -> dict[Any, tuple[bool | None, Any]]:
    """Each choice: dominated, and by which of those that nothing dominates."""
    known = {choice: measures for choice, measures in choices.items() if is_known(measures)}
    better = {
        choice: [other for other, others in known.items() if dominates(others, measures)]
        for choice, measures in known.items()
    }
    result: dict[Any, tuple[bool | None, Any]] = {}
    for choice in choices:
        if choice not in known:
            result[choice] = (None, None)
            continue
        front = sorted((known[other], other) for other in better[choice] if not better[other])
        result[choice] = (bool(better[choice]), front[0][1] if front else None)
    return result
