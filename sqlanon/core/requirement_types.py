# Written by `make reference` from sql/models/list_of_models.sql.
"""What can be required of a release, with its types."""

from collections.abc import Sequence
from typing import TypedDict


class Requirements(TypedDict, total=False):
    """Requirements by their names in SQL; those that are None or left out ask for nothing."""

    k: int | None
    l: int | None
    entropy_l: float | None
    recursive_c: float | None
    alpha: float | None
    t: float | None
    t_distance: str
    beta: float | None
    enhanced_beta: float | None
    delta_disclosure: float | None
    k_map: int | None
    dmin: float | None
    dmax: float | None
    safety_c: float | None
    safety_k: int | None
    composed_l: int | None
    distinct_spellings: str | Sequence[str] | None
    missing_counts: bool
