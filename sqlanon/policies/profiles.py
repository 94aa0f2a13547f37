"""Profiles of practice: the rows of sql/policies/profiles.sql, and what they require of a policy that names
one."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from sqlanon.core.models import rows_in


@dataclass(frozen=True)
class Profile:
    """A row of `profiles`."""

    profile: str
    title: str
    asks: str
    leaves_open: str
    source: str
    k: int | None = None
    average_risk: float | None = None
    safe_harbor: bool = False
    threshold: int | None = None
    global_risk: float | None = None

    @property
    def reservation(self) -> str:
        """What it does not promise, as a line."""
        return f"profile {self.profile} leaves open: {self.leaves_open}"


@cache
def profiles() -> dict[str, Profile]:
    """All of them, by name."""
    return {row["profile"]: Profile(**row) for row in rows_in("policies/profiles")}
