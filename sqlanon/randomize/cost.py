"""What a randomized release costs, entered in the budget before any noise is drawn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True)
class Cost:
    """The price of one release.

    epsilon, delta: of differential privacy; two neighbours differ by all rows of one unit. rho: of zero-
    concentrated differential privacy, which composes better; None where the release has none. mechanism: by
    which noise is drawn ('laplace', 'gaussian'). query: what is released, in words. rho_delta: the
    probability but for which it is rho-zCDP (an unknown set of keys, say); delta, if None. unit: the column
    that says whose a row is; None where each row is a person.
    """

    epsilon: float
    delta: float
    rho: float | None
    mechanism: str
    query: str
    rho_delta: float | None = None
    unit: str | None = None


class Ledger(Protocol):
    """Whoever keeps a budget."""

    def spend(self, cost: Cost) -> None:
        """Write the cost down; raise, if the budget does not allow it. No noise was drawn until then."""
