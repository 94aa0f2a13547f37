"""Drafts are measured: the release that a first policy proposes is made before it is proposed.

A hierarchy by which a column loses much more than without it is left out, and what more protection would
cost is said. What was not tried for lack of time is said, too.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import duckdb

from sqlanon.core.deadline import Deadline
from sqlanon.core.errors import SqlanonError
from sqlanon.core.release import Progress, Release
from sqlanon.core.remarks import message_of
from sqlanon.core.source import lower
from sqlanon.core.statements import call, count, drop, execute, named_table, relation, select
from sqlanon.core.tables import WorkTables
from sqlanon.policies.first_policy import BY_LEVELS, Measured
from sqlanon.policies.policy import Policy, read

MORE = 2  # times k: the dearer choice beside the one that is proposed
MUCH = 0.5  # of what a column loses by a hierarchy: with no more than that without it, it is left out
LEAST = 0.05  # of the detail that this saves
LARGE, SAMPLE = 200_000, 50_000  # rows: of a table with more, a sample of about so many is tried


@dataclass(frozen=True)
class _Tried:
    """A release that was made. lost: the share of detail that each column loses (NCP), by name; mean: of all
    columns, by their weights (GCP). reason: why there is none. people: of the smallest class."""

    policy: Policy
    lost: Mapping[str, float]
    mean: float | None
    people: int | None
    suppressed: float
    reason: str | None = None


def measured(
    con: duckdb.DuckDBPyConnection, table: str, draft: str, seconds: float, progress: Progress | None = None
) -> Measured:
    """Make what a draft proposes, and say what it loses; of a large table, with a sample of its people.
    seconds: for all of it."""
    began = time.monotonic()
    policy = read(Path("draft"), {}, text=draft.replace("confirmed = false", "confirmed = true", 1).encode())
    [(rows,)] = execute(con, count(relation(table)))
    if rows <= LARGE:
        return _measured(con, table, policy, seconds, began, progress)
    with WorkTables(con) as work:
        sample = work.make("sample", call("_every_nth", table, policy.unit, rows // SAMPLE))
        [(drawn,)] = execute(con, count(sample))
        known = _measured(con, sample.name, policy, seconds, began, progress)
    of = "rows" if policy.unit is None else "rows, all those of some people"
    said = f"Tried with a sample, {drawn:,} of {rows:,} {of}: with more rows usually less is lost."
    return replace(known, sentences=[said, *known.sentences])


def _measured(
    con: duckdb.DuckDBPyConnection, table: str, policy: Policy, seconds: float, began: float,
    progress: Progress | None,
) -> Measured:  # fmt: skip
    numbers = _numbers(policy)
    done: list[_Tried] = []

    def tried(what: Policy, said: str) -> _Tried | None:
        """None, if there is no time for it."""
        if progress is not None:
            progress(len(done) / 4, said)
        with Deadline(con, seconds, began) as deadline:
            done.append(_made(con, table, what))
            return done[-1]
        assert deadline.has_passed
        return None

    first = tried(policy, numbers)
    if first is None:
        return Measured([f"Not tried, as {seconds:g} seconds (--seconds) were too few: {numbers}."])
    if first.reason is not None:
        return Measured([f"{numbers}: no release can be made so: {first.reason}"])
    best, said = first, list[str]()
    without: dict[str, str] = {}
    if policy.hierarchies and policy.method not in BY_LEVELS:
        bare = tried(replace(policy, hierarchies={}), f"{numbers}, without hierarchies")
        if bare is None:
            said.append(f"Not tried for lack of time ({seconds:g} seconds): without hierarchies.")
        elif columns := _better_without(first, bare):
            kept = {name: made for name, made in policy.hierarchies.items() if name not in columns}
            chosen = tried(replace(policy, hierarchies=kept), f"{numbers}, with some") if kept else bare
            if chosen is not None and set(columns) <= set(_better_without(first, chosen)):
                best = chosen
                without = {
                    name: f"{name} loses {_share(first.lost[name])} of its detail with "
                    f"{policy.hierarchies[name].get('builder', 'these groups')}, {_share(chosen.lost[name])} "
                    "without: left out"
                    for name in columns
                }  # fmt: skip
    sentences = [*_first_sentences(numbers, best, first), *said, *(f"{line}." for line in without.values())]
    dearer = _with_more(best.policy)
    if dearer is not None:
        more = tried(dearer, _numbers(dearer))
        if more is None:
            sentences.append(f"Not tried for lack of time ({seconds:g} seconds): {_numbers(dearer)}.")
        else:
            sentences.append(f"{_numbers(dearer)} would lose {_share(more.mean)}." if more.reason is None else
                        f"{_numbers(dearer)}: no release can be made so: {more.reason}")  # fmt: skip
    return Measured(sentences, without)


def _numbers(policy: Policy) -> str:
    return ", ".join(f"{name} = {value:g}" for name, value in policy.requirements.items())


def _share(share: float | None) -> str:
    return "an unknown share" if share is None else f"{100 * share:.0f} %"


def _first_sentences(numbers: str, best: _Tried, first: _Tried) -> list[str]:
    least = "" if best.people is None else f"everybody is one of at least {best.people:,} people; "
    columns = ", ".join(f"{name} {_share(share)}" for name, share in best.lost.items())
    with_all = "" if best is first else f", {_share(first.mean)} with all hierarchies"
    suppressed = f"; {100 * best.suppressed:.1f} % of the rows are left out" if best.suppressed else ""
    return [f"{numbers}: {least}{_share(best.mean)} of the detail is lost{with_all} ({columns}){suppressed}."]


def _with_more(policy: Policy) -> Policy | None:
    """The policy with a larger k; None where it has none."""
    k = policy.requirements.get("k")
    return None if k is None else replace(policy, requirements={**policy.requirements, "k": MORE * k})


def _better_without(first: _Tried, bare: _Tried) -> Sequence[str]:
    """The columns that lose much more by their hierarchy."""
    if bare.reason is not None:
        return []
    return [
        name for name in first.policy.hierarchies
        if name in first.lost and name in bare.lost
        and bare.lost[name] <= min(MUCH * first.lost[name], first.lost[name] - LEAST)
    ]  # fmt: skip


def _made(con: duckdb.DuckDBPyConnection, table: str, policy: Policy) -> _Tried:
    try:
        release = policy.run(con, table)
    except SqlanonError as error:
        return _Tried(policy, {}, None, None, 0.0, message_of(error))
    try:
        return _lost(con, table, policy, release)
    finally:
        execute(con, drop(named_table(release.table)))


def _lost(con: duckdb.DuckDBPyConnection, table: str, policy: Policy, release: Release) -> _Tried:
    qi = policy.roles["qi"]
    with WorkTables(con) as work:
        hierarchies = policy.make_hierarchies(con, table, None, work)
        by_column = call("utility", table, release.table, qi=qi, hierarchies=hierarchies, queries=1)
        found = select(by_column.subquery("measured"), "attribute", "value").where("id = 'ncp'")
        try:
            shares = {name.lower(): float(value) for name, value in execute(con, found)}
        except SqlanonError:
            shares = {}
    lost = {name: shares[name.lower()] for name in qi if name.lower() in shares}
    weights = {name.lower(): weight for name, weight in policy.parameters.get("weights", {}).items()}
    of_all = [weights.get(name, 1.0) for name in lower(lost)]
    mean = None
    if len(lost) == len(qi):
        mean = sum(share * weight for share, weight in zip(lost.values(), of_all, strict=True)) / sum(of_all)
    people = release.reached.get("k-anonymity")
    suppressed = release.suppressed_rows / max(1, release.rows + release.suppressed_rows)
    return _Tried(policy, lost, mean, None if people is None else int(people), suppressed)
