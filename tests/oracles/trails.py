"""Trails (Malin and Sweeney 2004): REIDIT-C and REIDIT-I, one name and one record after the other."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import TypeAlias

Trails: TypeAlias = dict[str, frozenset[Hashable]]


def trails(visits: Iterable[tuple[str, Hashable]]) -> Trails:
    answer: Trails = {}
    for who, place in visits:
        answer[who] = answer.get(who, frozenset()) | {place}
    return answer


def reidentified(names: Trails, records: Trails, incomplete: bool) -> tuple[dict[str, str], dict[str, int]]:
    """Name -> record, of those that match; name -> how many records can be theirs in the end, of the others.

    Records that one name alone can have match, but not two with the same name; matches are taken away.
    """
    names, records = dict(names), dict(records)
    matched: dict[str, str] = {}

    def fits(record: str) -> list[str]:
        return [
            name
            for name, trail in names.items()
            if (records[record] <= trail if incomplete else records[record] == trail)
        ]

    while True:
        claims: dict[str, list[str]] = {}
        for record in records:
            if len(fitting := fits(record)) == 1:
                claims.setdefault(fitting[0], []).append(record)
        found = {name: claim[0] for name, claim in claims.items() if len(claim) == 1}
        if not found:
            break
        matched |= found
        for name, record in found.items():
            del names[name], records[record]
    return matched, {name: sum(name in fits(record) for record in records) for name in names}
