"""Rows are not people: privacy models where several rows may be one person's.
A class is who has which value.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from tests.oracles import Hierarchy, canonical
from tests.oracles import privacy as rows_are_people
from tests.oracles.privacy import (
    BY_CHOICE,
    LARGER_IS_WORSE,
    MODELS,
    OF_SIZE,
    SMALLER_IS_WORSE,
    Histogram,
    Requirements,
)

Class: TypeAlias = set[tuple[Any, Any]]  # (person, value): everybody with every value that they have

# Rows of which nobody knows whose they are are one person's: no person is None, so this is a name as any
# other.


def classes(
    rows: Iterable[Sequence[Any]], qi: Sequence[int], unit: int, sensitive: int | None = None
) -> dict[tuple[Any, ...], Class]:
    """Equivalence classes: quasi-identifiers -> who has which value."""
    result: dict[tuple[Any, ...], Class] = {}
    for row in rows:
        key = tuple(canonical(row[column]) for column in qi)
        value = None if sensitive is None else canonical(row[sensitive])
        result.setdefault(key, set()).add((canonical(row[unit]), value))
    return result


def people(cls: Class) -> int:
    return len({person for person, _ in cls})


def counts(cls: Class) -> Histogram:
    """How many people have each value. Who has two is counted twice."""
    return Counter(value for _, value in cls)


def values_of(cls: Class) -> dict[Any, set[Any]]:
    """Person -> the values that they have."""
    result: dict[Any, set[Any]] = {}
    for person, value in cls:
        result.setdefault(person, set()).add(value)
    return result


def only_values(cls: Class) -> set[Any]:
    """Values that are somebody's only one."""
    return {next(iter(values)) for values in values_of(cls).values() if len(values) == 1}


def least_values(cls: Class) -> int:
    """The fewest different values, if everybody is counted with one of their own: what distinct l bounds."""
    return min(len(set(choice)) for choice in itertools.product(*values_of(cls).values()))


def choices(cls: Class) -> Iterator[Histogram]:
    """All histograms of so many people in which no value is had by more people than have it."""
    has = counts(cls)
    for numbers in itertools.product(*(range(n + 1) for n in has.values())):
        if sum(numbers) == people(cls):
            yield +Counter(dict(zip(has, numbers, strict=True)))


def measure(
    model: str,
    cls: Class,
    table: Class,
    *,
    l: int = 2,
    pieces: int = 0,
    order: Sequence[Any] | None = None,
    hierarchy: Hierarchy | None = None,
) -> float:
    """What a class reaches in the model of that name."""
    has, of_all = counts(cls), counts(table)
    share = {value: n / people(cls) for value, n in has.items()}
    share_of_all = {value: n / people(table) for value, n in of_all.items()}
    gains = [(share.get(value, 0) - q) / q for value, q in share_of_all.items()]
    if model in OF_SIZE:
        return people(cls)
    if model in BY_CHOICE:
        values = [
            rows_are_people.measure(model, choice, of_all, l=l, pieces=pieces) for choice in choices(cls)
        ]
        bound = min(values) if model in SMALLER_IS_WORSE else max(values)
        return max(bound, len(only_values(cls))) if model == "distinct l-diversity" else bound
    match model:
        case "(alpha, k)-anonymity":
            return max(share.values())
        case "beta-likeness (basic)":
            return max(0.0, *gains)
        case "beta-likeness (enhanced)":
            bounds = [-math.log(q) for q in share_of_all.values()]
            exceeded = any(gain > bound for gain, bound in zip(gains, bounds, strict=True))
            return math.inf if exceeded else max(0.0, *gains)
        case "delta-disclosure":
            if share.keys() != share_of_all.keys():
                return math.inf
            return max(abs(math.log(share[value] / q)) for value, q in share_of_all.items())
    return rows_are_people.measure(model, has, of_all, l=l, order=order, hierarchy=hierarchy)


def reached(
    all_classes: Mapping[tuple[Any, ...], Class], models: Sequence[str] = MODELS, **options: Any
) -> dict[str, float]:
    """Model -> value of the worst class."""
    table: Class = set().union(*all_classes.values())
    result = {}
    for model in models:
        values = [measure(model, cls, table, **options) for cls in all_classes.values()]
        assert model in (*SMALLER_IS_WORSE, *LARGER_IS_WORSE)
        result[model] = float(min(values) if model in SMALLER_IS_WORSE else max(values))
    return result


def satisfies(cls: Class, table: Class, requirements: Requirements, **options: Any) -> bool:
    """Does a class hold all that is required?"""
    options = {"l": requirements.l or 2, "pieces": requirements.safety_k or 0, **options}
    return all(
        rows_are_people.holds(model, measure(model, cls, table, **options), required)
        for model, required in requirements.required().items()
    )
