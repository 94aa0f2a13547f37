"""Rows that agree in what is known: one row of the original after the other."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

Row = tuple[Hashable, Hashable]  # what is known, and the sensitive value


def measures(original: Sequence[Row], release: Sequence[Row]) -> dict[str, float | None]:
    """Shares of the rows of the original, by the names that they have."""

    def keys(rows: Sequence[Row], known: Hashable) -> list[Hashable]:
        return [value for other, value in rows if other == known]

    everybody = len(original)
    own = [keys(original, known) for known, _ in original]
    told = [keys(release, known) for known, _ in original]
    single = [len(set(values)) == 1 for values in told]
    right = [one and values[0] == t for one, values, (_, t) in zip(single, told, original, strict=True)]
    caps = [values.count(t) / len(values) for values, (_, t) in zip(told, original, strict=True) if values]
    return {
        "uniques": sum(len(values) == 1 for values in own) / everybody,
        "replicated_uniques": sum(len(a) == 1 and len(b) == 1 for a, b in zip(own, told, strict=True))
        / everybody,
        "matched": len(caps) / everybody,
        "known_in_original": sum(len(set(values)) == 1 for values in own) / everybody,
        "disclosive": sum(single) / everybody,
        "disclosive_correct": sum(right) / everybody,
        "attribution": sum(caps) / len(caps) if caps else None,
        "targeted_attribution": sum(right) / sum(single) if any(single) else None,
    }
