"""Trails (Malin and Sweeney 2004): REIDIT-C and REIDIT-I, one name and one record after the other; and what
every assignment of records to names has in common, by trying all of them."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from typing import TypeAlias

Trails: TypeAlias = dict[str, frozenset[Hashable]]


def trails(visits: Iterable[tuple[str, Hashable]]) -> Trails:
    answer: Trails = {}
    for who, place in visits:
        answer[who] = answer.get(who, frozenset()) | {place}
    return answer


def fits(record: frozenset[Hashable], name: frozenset[Hashable], incomplete: bool) -> bool:
    """Can a record of this trail belong to a name of that trail?"""
    return record <= name if incomplete else record == name


def reidentified(names: Trails, records: Trails, incomplete: bool) -> dict[str, str]:
    """Name -> record, of those that match: records that one name alone can have, but not two with the same
    name; matches are taken away."""
    names, records = dict(names), dict(records)
    matched: dict[str, str] = {}
    while True:
        claims: dict[str, list[str]] = {}
        for record, trail in records.items():
            fitting = [name for name, other in names.items() if fits(trail, other, incomplete)]
            if len(fitting) == 1:
                claims.setdefault(fitting[0], []).append(record)
        found = {name: claim[0] for name, claim in claims.items() if len(claim) == 1}
        if not found:
            return matched
        matched |= found
        for name, record in found.items():
            del names[name], records[record]


def assignments(names: Trails, records: Trails, incomplete: bool) -> Iterator[dict[str, str]]:
    """All ways to give every record a name of its own: name -> record."""
    if not records:
        yield {}
        return
    record, *others = records
    for name, trail in names.items():
        if fits(records[record], trail, incomplete):
            rest = {other: trail for other, trail in names.items() if other != name}
            for more in assignments(rest, {other: records[other] for other in others}, incomplete):
                yield {name: record, **more}


def certain(names: Trails, records: Trails, incomplete: bool) -> dict[str, str] | None:
    """Name -> record, of the links that all assignments have; None if there is no assignment."""
    every = list(assignments(names, records, incomplete))
    if not every:
        return None
    return {name: record for name, record in every[0].items() if all(e.get(name) == record for e in every)}


def components(names: Trails, records: Trails, incomplete: bool) -> list[tuple[Trails, Trails]]:
    """Names, and the records that can be theirs, where one hangs on the other."""
    found = []
    left = dict(names)
    while left:
        own, theirs = {next(iter(left))}, set[str]()
        while True:
            reach = {r for r, trail in records.items() if any(fits(trail, names[n], incomplete) for n in own)}
            also = own | {n for n in names if any(fits(records[r], names[n], incomplete) for r in reach)}
            if (also, reach) == (own, theirs):
                break
            own, theirs = also, reach
        found.append(({name: names[name] for name in own}, {record: records[record] for record in theirs}))
        left = {name: trail for name, trail in left.items() if name not in own}
    return found


def learned(
    names: Trails, records: Trails, incomplete: bool
) -> tuple[dict[str, str], dict[str, int], set[str]]:
    """Name -> record, of certain links; name -> how many records can be theirs in the end, of the others; the
    names of which it is not known whether this is all, since there is no assignment of their records."""
    matched = reidentified(names, records, incomplete)
    names = {name: trail for name, trail in names.items() if name not in matched}
    records = {record: trail for record, trail in records.items() if record not in matched.values()}
    unfinished = set[str]()
    forced: dict[str, str] = {}
    for own, theirs in components(names, records, incomplete):
        links = certain(own, theirs, incomplete)
        if links is None:
            unfinished |= own.keys()
        forced |= links or {}
    candidates = {
        name: sum(
            fits(other, trail, incomplete)
            for record, other in records.items()
            if record not in forced.values()
        )
        for name, trail in names.items()
        if name not in forced
    }
    return matched | forced, candidates, unfinished
