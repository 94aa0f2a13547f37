"""Is what releases tell together tolerated? Person by person, where a release says a zone, or * for all."""

from collections.abc import Mapping, Sequence
from typing import TypeAlias

Release: TypeAlias = Sequence[tuple[str, str]]  # rows: zone, value
Person: TypeAlias = tuple[str, Sequence[bool]]  # zone; in which releases somebody is


def candidates(releases: Sequence[Release], person: Person) -> set[str] | None:
    """The values that somebody may have; None if they are not in a release that they should be in."""
    zone, present = person
    left = {value for release in releases for _, value in release}
    for release, is_there in zip(releases, present, strict=True):
        if is_there:
            found = {value for label, value in release if label in (zone, "*")}
            if not found:
                return None
            left &= found
    return left


def verdicts(
    releases: Sequence[Release], people: Sequence[Person], tolerated: Mapping[int, float]
) -> dict[int, tuple[float, int, str]]:
    """By the level of PVP: the share of people in percent, how many that is, and the verdict."""
    attacked = [candidates(releases, person) for person in people if any(person[1])]
    understood = {"*", *(zone for zone, present in people if any(present))}
    unread = any(label not in understood for release in releases for label, _ in release)
    values = [{value for _, value in release} for release in releases]
    nothing_shared = any(not one & other for one in values for other in values)
    is_blind = not attacked or unread or nothing_shared or any(not left for left in attacked)
    result = {}
    for level, most in tolerated.items():
        caught = sum(1 for left in attacked if left and 100 / len(left) >= level)
        share = 100 * caught / len(attacked) if attacked else 0.0
        verdict = "fails" if share > most + 1e-9 else "not known" if is_blind else "holds"
        result[level] = (share, caught, verdict)
    return result
