"""Several tables about the same people beside releases of them that are out: who is in which class where."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import duckdb

from sqlanon.core.models import by_id
from sqlanon.core.statements import call, count, execute, relation, select
from sqlanon.core.tables import WorkTables
from sqlanon.judge.several_tables import EVIDENCE, Earlier, Joined, Row, Said, together
from sqlanon.judge.verdicts import FAILS, HOLDS, NOT_KNOWN

SHOWN = 3  # names of releases


@dataclass(frozen=True)
class Kept:
    """What a register keeps of releases that are out. releases: names by number. people: a table of
    release_id, who and class_id; values: of release_id, who, attribute and value; secret: of the key of the
    hashes."""

    releases: Mapping[int, str]
    people: str
    values: str
    secret: str


def with_earlier(found: Joined, work: WorkTables, kept: Kept) -> Joined:
    """The tables with what is kept of their people: the class of each in releases that are out, and values
    there."""
    if not kept.releases:
        return found
    root, numbers = found.policy.root, [*kept.releases]
    source = found.names[root.name]
    hashed = work.make("hashed", call("_hashed_units", source, root.own, kept.secret)).name
    classes = work.make("kept_classes", call("_kept_of_people", kept.people, hashed, numbers)).name
    held = work.make("kept_values", call("_kept_of_people", kept.values, hashed, numbers))
    rows = work.make("with_classes", call("_rows_with_classes", source, root.own, classes, numbers))
    earlier = []
    for nth, (number, name) in enumerate(kept.releases.items(), 1):
        of_release = select(held.copy(), "attribute").where(f"release_id = {int(number)}").distinct()
        attributes = sorted(attribute for (attribute,) in execute(found.con, of_release))
        values = {
            attribute: work.make(
                f"values_{number}_{place}", call("_values_in_release", held.name, number, attribute)
            ).name
            for place, attribute in enumerate(attributes)
        }
        earlier.append(Earlier(name, f"_sqlanon_in{nth}", values))
    return replace(found, names={**found.names, root.name: rows.name}, earlier=earlier)


def judged_beside(
    remaining: Joined, work: WorkTables, kept: Kept, others: Sequence[str], with_items: Sequence[str]
) -> Iterator[Said]:
    """Verdicts on a release together with those that are out: a row, and a sentence or none.

    remaining: the tables as they leave, with the keys that people have. others: releases of one table.
    with_items: releases that have items of people.
    """
    if remaining.earlier:
        names = [each.name for each in remaining.earlier]
        title = f"with {_listed(names)}"
        yield from _together(remaining, work, title)
        yield from _leavers(remaining, work, kept, title)
        yield from _strangers(remaining)
        yield from _forgotten(remaining, kept)
        of_values = [id for id in remaining.policy.requirements if by_id()[id].with_table]
        if of_values and any(each.values for each in remaining.earlier):
            sentence = (
                f"{', '.join(of_values)} of the values that are in {_listed(names)} is not looked at for "
                "people who are alike in all releases"
            )
            yield unknown("shares", "values in other releases", None), sentence
    if with_items:
        sentence = (
            f"{_listed(with_items)}: who knows items of a person finds people by them there, too, which is "
            "not looked at together with this release"
        )
        yield unknown("items", "items in other releases", None), sentence
    if others:
        sentence = f"{_listed(others)}: of one table, and not attacked together with these tables"
        yield unknown("other_releases", "releases of one table", None), sentence


def _together(remaining: Joined, work: WorkTables, title: str) -> Iterator[Said]:
    failing = set[str]()
    for row in together(remaining, work, title):
        sentence = ""
        _, id, model, attribute, _, _, people, verdict = row
        if verdict not in (None, HOLDS) and id not in failing:
            failing.add(id)
            of = f" of {attribute}" if attribute else ""
            sentence = (
                f"{people:,} people are in classes that fail {model}{of} for whoever has {title[5:]}, too: "
                "who is alike in all of these releases is one class"
            )
        yield row, sentence
    if not failing:
        k = remaining.policy.requirements["k"]
        yield (
            (title, "classes", "classes of all releases", None, None, None, 0, HOLDS),
            f"Whoever has {title[5:]}, too, finds everybody among at least {k} people who are alike in all "
            "of these releases.",
        )


def _leavers(remaining: Joined, work: WorkTables, kept: Kept, title: str) -> Iterator[Said]:
    """People of releases that are out who are not in this one, though others of their classes are."""
    root, k = remaining.policy.root, remaining.policy.requirements["k"]
    present = work.make(
        "present", call("_hashed_units", remaining.names[root.name], root.own, kept.secret)
    ).name
    [(left, few)] = execute(
        remaining.con, call("_people_who_left", kept.people, present, [*kept.releases], k)
    )
    if not few:
        yield (EVIDENCE, "leavers", "people who have left", None, None, None, 0, HOLDS), ""
        return
    sentence = (
        f"{left:,} people of {title[5:]} are not in this release. {few:,} of them are fewer than {k} who "
        "were alike, while others of their classes are in it: who knows that somebody has left, and what the "
        "others have, may know what they have"
    )
    yield unknown("leavers", "people who have left", few), sentence


def _strangers(remaining: Joined) -> Iterator[Said]:
    """Releases that have nobody of today, as far as keys tell."""
    source = relation(remaining.names[remaining.policy.root.name])
    for each in remaining.earlier:
        [(known,)] = execute(remaining.con, count(source.copy()).where(f"{each.column} is not null"))
        if not known:
            sentence = (
                f"nobody of {each.name} is in these tables, by {remaining.policy.unit}: are the same people "
                "called otherwise there?"
            )
            yield unknown("strangers", "people who are in both", None), sentence


def _forgotten(remaining: Joined, kept: Kept) -> Iterator[Said]:
    """People whom the register has forgotten, who may be among those that count as new to a release."""
    source = relation(remaining.names[remaining.policy.root.name])
    for number, each in zip(kept.releases, remaining.earlier, strict=True):
        [(people,)] = execute(remaining.con, call("_people_forgotten", kept.people, [number]))
        [(new,)] = execute(remaining.con, count(source.copy()).where(f"{each.column} is null"))
        if people and new:
            sentence = (
                f"{people:,} people of {each.name} are forgotten. {new:,} people here count as new to "
                "it: if those who are forgotten are among them, it is not known who is alike"
            )
            yield unknown("forgotten", "people who are forgotten", people), sentence


def unknown(id: str, model: str, people: int | None) -> Row:
    """A row of what is not known."""
    return EVIDENCE, id, model, None, None, None, people, NOT_KNOWN


def alike_in_all(work: WorkTables, con: duckdb.DuckDBPyConnection, kept: Kept, k: int) -> Iterator[Said]:
    """Verdicts on several releases together, by what a register keeps alone, for people of the last
    one."""
    numbers, names = [*kept.releases], [*kept.releases.values()]
    [(people, least, few)] = execute(con, call("_alike_in_releases", kept.people, numbers, k))
    title, last = f"with {_listed(names[:-1])}", numbers[-1]
    sentence = (
        f"Whoever has {_listed(names)} finds fewer than {k} people who are alike in all of them for {few:,} "
        f"of {people:,}"
    )
    yield (title, "k", by_id()["k"].title, None, k, least, few, FAILS if few else HOLDS), sentence
    present = work.make(
        "present", select(relation(kept.people), "who").where(f"release_id = {int(last)}")
    ).name
    [(left, gone)] = execute(con, call("_people_who_left", kept.people, present, numbers[:-1], k))
    if gone:
        yield (
            unknown("leavers", "people who have left", gone),
            f"{left:,} people of {title[5:]} are not in {names[-1]}",
        )


def _listed(names: Sequence[str]) -> str:
    more = len(names) - SHOWN
    return ", ".join(names[:SHOWN]) + (f" and {more:,} more" if more > 0 else "")
