"""What can be required of a release: the parameters that every anonymizer and check has, spelled once."""

from __future__ import annotations

from typing import Any, TypedDict


class Requirements(TypedDict, total=False):
    """Requirements by their names in SQL; those that are None or left out ask for nothing.

    k; about the sensitive columns: l (distinct), entropy_l, recursive_c (with l), alpha, t with t_distance
    (equal, ordered, hierarchical), beta, enhanced_beta, delta_disclosure, safety_c with safety_k; about a
    population: k_map, dmin, dmax; about releases that are out already: composed_l.
    """

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


REQUIREMENTS = tuple(Requirements.__annotations__)  # in the order of the macros' parameters


def complete(given: Requirements) -> dict[str, Any]:
    """All requirements in the order of the macros' parameters, None where nothing is asked for."""
    unknown = sorted(given.keys() - Requirements.__annotations__.keys())
    if unknown:
        # as Python says it of a parameter
        raise TypeError(f"got an unexpected keyword argument {unknown[0]!r}")
    return {name: given.get(name, "equal" if name == "t_distance" else None) for name in REQUIREMENTS}
