"""Rows are not people: privacy models where several rows may be one person's.
A class is who has which value.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from tests.oracles import Hierarchy, canonical, labels_of, spellings
from tests.oracles import privacy as rows_are_people
from tests.oracles.privacy import (
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
        result.setdefault(key, set()).add((spellings.folded(row[unit]), value))
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
    """What a class reaches in the model of that name, as rows_are_people.measure has it."""
    if model in OF_SIZE:
        return people(cls)
    if model in rows_are_people.OF_CLASS:
        named = {(person, key) for person, value in cls if (key := spellings.folded(value)) is not None}
        without = people(cls) - people(named)  # counted with the most frequent value
        if model == "(alpha, k)-anonymity":
            return (max(counts(named).values(), default=0) + without) / people(cls)
        values = []
        for choice in choices(named):
            counted = spellings.without_missing(choice, without)
            values.append(rows_are_people.measure_as_read(model, counted, counted, l=l, pieces=pieces))
        bound = min(values) if model in SMALLER_IS_WORSE else max(values)
        return max(bound, len(only_values(named))) if model == "distinct l-diversity" else bound
    reached = []
    for reading in (spellings.folded, spellings.as_written):
        whole = [value for _, value in table]
        labels = None
        if hierarchy is not None:
            labels = spellings.labels_as_read(reading, hierarchy, whole, labels_of)
        reached.append(
            measure_as_read(
                model,
                {(person, reading(value)) for person, value in cls},
                {(person, reading(value)) for person, value in table},
                order=spellings.in_order(reading, {*whole}, order),
                hierarchy=labels,
            )
        )
    return max(reached)


def measure_as_read(
    model: str,
    cls: Class,
    table: Class,
    *,
    order: Sequence[Any] | None = None,
    hierarchy: Hierarchy | None = None,
) -> float:
    """Models that compare a class with the table, by one reading."""
    has, of_all = counts(cls), counts(table)
    share = {value: n / people(cls) for value, n in has.items()}
    share_of_all = {value: n / people(table) for value, n in of_all.items()}
    gains = [(share.get(value, 0) - q) / q for value, q in share_of_all.items()]
    match model:
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
    return rows_are_people.measure_as_read(model, has, of_all, order=order, hierarchy=hierarchy)


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
