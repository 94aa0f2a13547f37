"""Features, slowly: labels of numbers and of categories as this library writes them."""

from __future__ import annotations

from collections.abc import Sequence


def interval(label: str) -> tuple[float, float]:
    lo, _, hi = label.strip("[]").partition(", ")
    return float(lo), float(hi or lo)


def of_numbers(labels: Sequence[str]) -> list[float]:
    """The midpoints; of * that of everything."""
    bounds = [interval(label) for label in labels if label != "*"]
    whole = min(lo for lo, _ in bounds), max(hi for _, hi in bounds)
    return [sum(whole if label == "*" else interval(label)) / 2 for label in labels]


def of_categories(labels: Sequence[str]) -> list[dict[str, float]]:
    """The share of each category in each label."""
    sets = [set(label.strip("{}").split(", ")) for label in labels if label != "*"]
    everything = set().union(*sets)
    found = []
    for label in labels:
        members = everything if label == "*" else set(label.strip("{}").split(", "))
        found.append({each: 1 / len(members) if each in members else 0.0 for each in sorted(everything)})
    return found
