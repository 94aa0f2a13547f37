"""Is there a set of whole numbers that meets every row? By trying all, in whole numbers.

A solver that says that there is none may be wrong by its tolerance. This search is slow and exact: bounds of
variables are narrowed by each row until nothing changes, then one variable is split. If it finds no such set,
there is none; if it runs out of time, the answer is not known.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Whole = NDArray[np.object_]  # Python's integers, which do not overflow
Row = tuple[NDArray[np.int64], Whole, float, float]  # variables, their factors, least and most


def agreeing(upper: Sequence[int], rows: Sequence[Row], seconds: float) -> tuple[list[int] | None, bool]:
    """A solution from 0 to upper, and whether this is proven: (None, True): there is none."""
    deadline = time.monotonic() + seconds
    open_boxes = [(np.zeros(len(upper), dtype=object), np.array(upper, dtype=object))]
    while open_boxes:
        low, high = open_boxes.pop()
        if not _narrow(low, high, rows, deadline):
            if time.monotonic() >= deadline:
                return None, False
            continue
        width = high - low
        free = np.flatnonzero(width > 0)
        if not len(free):
            return [int(value) for value in low], True
        split = free[int(np.argmin(width[free]))]
        middle = (low[split] + high[split]) // 2
        above, below = low.copy(), high.copy()
        above[split], below[split] = middle + 1, middle
        open_boxes += [(above, high), (low, below)]
    return None, True


def _narrow(low: Whole, high: Whole, rows: Sequence[Row], deadline: float) -> bool:
    """Narrow the bounds of all variables in place. False if nothing is left, or no time."""
    changed = True
    while changed:
        changed = False
        for index, factor, least, most in rows:
            if time.monotonic() >= deadline:
                return False
            is_up = factor > 0
            smallest = np.where(is_up, factor * low[index], factor * high[index])
            largest = np.where(is_up, factor * high[index], factor * low[index])
            bottom, top = smallest.sum(), largest.sum()
            if bottom > most or top < least:
                return False
            for place, (i, own) in enumerate(zip(index.tolist(), factor, strict=True)):
                # what the others leave for this one
                rest_high = None if math.isinf(most) else math.floor(most) - (bottom - smallest[place])
                rest_low = None if math.isinf(least) else math.ceil(least) - (top - largest[place])
                if own < 0:
                    rest_low, rest_high = rest_high, rest_low
                if rest_high is not None and (end := rest_high // own) < high[i]:
                    high[i], changed = end, True
                if rest_low is not None and (end := -(-rest_low // own)) > low[i]:
                    low[i], changed = end, True
                if low[i] > high[i]:
                    return False
    return True
