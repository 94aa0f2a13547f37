"""What a page shows of a frontier: choices, sorted, between two axes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

# What can be the axes, and what each is called there.
RISKS = {
    "guess_gain": "guesses that are right, more than without it (% points)",
    "sure_90": "people of whom an adversary is at least 90 % sure (%)",
    "forecast": "people who are certain after one more independent release (%)",
    "reidentification": "highest re-identification risk",
}
LOSSES = {
    "gcp": "loss of detail (GCP, 0 to 1)",
    "query_error": "mean error of range counts (%)",
    "suppressed": "suppressed rows (%)",
    "prediction_error": "wrong predictions of people who were held out (%)",
    "model_loss": "what a model loses of its score by learning from the release",
}


def title_of(loss: str) -> str:
    """What a loss is called: a measure of others by its name."""
    return LOSSES.get(loss, loss.replace("_", " "))


def name_of(row: Mapping[str, Any]) -> str:
    """Of a choice."""
    return row["method"] if row["k"] is None else f"{row['method']}, k = {row['k']}"


class Choices(Protocol):
    """Choices that were made and measured: a `Frontier`."""

    @property
    def risk(self) -> str: ...
    @property
    def loss(self) -> str: ...
    @property
    def rows(self) -> list[dict[str, Any]]: ...
    def _repr_html_(self) -> str: ...


@dataclass(frozen=True)
class Sorted:
    """The choices: those that nothing dominates, those that something does, and those of which it is not
    known."""

    front: Sequence[Mapping[str, Any]]
    dominated: Sequence[Mapping[str, Any]]
    unknown: Sequence[Mapping[str, Any]]


def in_order(frontier: Choices) -> Sorted:
    """The choices of a frontier, by risk."""
    by_risk = sorted(
        (row for row in frontier.rows if row["dominated"] is not None),
        key=lambda row: (row[frontier.risk], row[frontier.loss]),
    )
    return Sorted(
        [row for row in by_risk if not row["dominated"]],
        [row for row in by_risk if row["dominated"]],
        [row for row in frontier.rows if row["dominated"] is None],
    )
