"""People who exchange their values, so that no class of two releases changes (sql/attack/two_worlds.sql)."""

from __future__ import annotations

import time
from collections.abc import Sequence
from itertools import combinations


def on_cycles(
    lefts: Sequence[int], rights: Sequence[int], codes: Sequence[int], seconds: float
) -> list[bool | None]:
    """Is each arrow on a cycle with arrows of one other value, which go the other way? None where there was
    no time to look. lefts, rights: nodes, by their numbers; codes: of values, the frequent ones first."""
    import numpy as np  # slow to import, as is scipy
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    deadline = time.monotonic() + seconds
    left, right, code = (np.asarray(each, dtype=np.int64) for each in (lefts, rights, codes))
    _, number, n = np.unique(code, return_inverse=True, return_counts=True)
    rank = np.argsort(np.argsort(-n))[number]  # of the value of each arrow
    arrows = [np.flatnonzero(rank == i) for i in range(len(n))]
    found = np.zeros(len(code), dtype=bool)
    others = np.zeros(len(n), dtype=np.int64)  # with how many of them each value has been compared
    for one, other in combinations(range(len(arrows)), 2):
        if time.monotonic() > deadline:
            break
        others[[one, other]] += 1
        there, back = arrows[one], arrows[other]
        both = np.concatenate([there, back])
        if found[both].all():
            continue
        starts = np.concatenate([left[there], right[back]])
        ends = np.concatenate([right[there], left[back]])
        nodes, numbers = np.unique(np.concatenate([starts, ends]), return_inverse=True)
        starts, ends = numbers[: len(both)], numbers[len(both) :]
        graph = coo_array((np.ones(len(both), dtype=bool), (starts, ends)), shape=[len(nodes)] * 2)
        _, component = connected_components(graph.tocsr(), connection="strong")
        found[both] |= component[starts] == component[ends]
    is_settled = found | (others == len(n) - 1)[rank]
    return [is_found if is_known else None
            for is_found, is_known in zip(found.tolist(), is_settled.tolist(), strict=True)]  # fmt: skip
