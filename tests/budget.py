"""How many examples Hypothesis tries."""

from __future__ import annotations

import duckdb
from hypothesis import settings

ON_LTS = duckdb.__version__.startswith("1.")


def examples(number: int) -> settings:
    """So many on the current line; a third of them on the long-term line, where planning takes several times as long."""
    return settings(deadline=None, max_examples=max(2, number // 3) if ON_LTS else number)
