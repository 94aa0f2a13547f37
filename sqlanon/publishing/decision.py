"""What a decision page tells, as the twin for programs has it: docs/how_to/decide.md explains its keys."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import duckdb

from sqlanon.core.errors import RefusedError
from sqlanon.core.files import column_names
from sqlanon.core.release import Release
from sqlanon.core.source import lower
from sqlanon.core.statements import call, execute, select, table
from sqlanon.judge.evidence import Subjects
from sqlanon.judge.leaving import leaving
from sqlanon.judge.verdicts import FAILS, HOLDS, NOT_KNOWN
from sqlanon.pages.decision_page.words import without_values
from sqlanon.policies.policy import Policy
from sqlanon.publishing.for_judge import subjects_of
from sqlanon.publishing.gate import Publication
from sqlanon.publishing.register import ALIAS, Entry, Register, opened
from sqlanon.publishing.remedies import Remedy, in_order
from sqlanon.publishing.tables import TablePublication

FORMAT = "sqlanon decision 1"
ANSWERS = {HOLDS: "yes", FAILS: "no", NOT_KNOWN: "not yet"}
FREE_TEXT = "free text"
COMPARED = (
    "roles", "masks", "requirements", "method", "tolerated", "accepted", "direct", "judge", "table"
)  # fmt: skip
BOUND = (
    "attack", "id", "releases", "sensitive", "value", "high", "sampled", "unit", "people", "counted",
    "before", "tolerated", "verdict", "accepted", "reason", "remedy",
)  # fmt: skip


@dataclass
class Looked:
    """What is seen of a release before it is judged, as its table is gone afterwards: give `look` to publish
    as `made`. shows_values: the first rows as they are."""

    con: duckdb.DuckDBPyConnection
    source: str
    policy: Policy
    shows_values: bool = False
    facts: dict[str, Any] = field(default_factory=dict)

    @property
    def unit(self) -> str | None:
        return self.policy.unit

    def subjects(self) -> Subjects:
        """Those who are in it."""
        return subjects_of(self.policy, self.source, None)

    def is_like(self, entry: Entry) -> bool:
        """Is it a release of ours that this one follows?"""
        return not (
            entry.is_foreign or entry.is_randomized or entry.is_of_cells or entry.is_of_tables
        )  # fmt: skip

    def look(self, release: Release) -> None:
        forms = [forms_of(self.con, tbl) for tbl in (self.source, release.table)]
        left = leaving(self.con, release.table, self.policy, self.source, release.leaving)
        names = column_names(self.con, release.table)
        kept_back = [name for name in column_names(self.con, self.source) if name.lower() not in lower(names)]
        recoded = [each.column for each in left if each.how == "recoded"]
        rows = first_rows(self.con, release.table, self.source, recoded, not self.shows_values)
        self.facts = {
            "release": {
                "rows": release.rows, "suppressed_rows": release.suppressed_rows, "people": release.people,
                "classes": release.classes, "method": self.policy.method, "reached": dict(release.reached),
                "required": dict(release.required),
            },
            "columns": [
                {
                    "column": each.column, "role": each.role, "how": each.how, "looks_like": each.looks_like,
                    "verdict": each.verdict, "before": forms[0].get(each.column.lower(), []),
                    "after": forms[1].get(each.column.lower(), []),
                }
                for each in left
            ],
            "never_leave": kept_back,
            "first_rows": {
                "shows_values": self.shows_values,
                "columns": names, "rows": rows,
            },
        }  # fmt: skip


def first_rows(
    con: duckdb.DuckDBPyConnection, release: str, source: str, recoded: Sequence[str], hidden: bool
) -> list[list[str]]:
    """The first rows of a release, as _first_rows shows their cells."""
    rows: dict[int, dict[str, str]] = {}
    for place, name, value in execute(con, call("_first_rows", release, source, recoded, hidden)):
        rows.setdefault(place, {})[name] = value
    names = column_names(con, release)
    return [[row[name] for name in names] for row in rows.values()]


def forms_of(con: duckdb.DuckDBPyConnection, tbl: str) -> dict[str, list[str]]:
    """How columns of a table are written, by their names in small letters."""
    return {name.lower(): written for name, written in execute(con, call("_forms_of_columns", tbl))}


def facts(
    con: duckdb.DuckDBPyConnection,
    made: Publication | TablePublication | RefusedError,
    looked: Looked,
    *,
    register: Path,
    output: Path,
    source: str,
    tried: Sequence[Remedy] | None = None,
    seconds: float | None = None,
    wait: float = 0,
    by: tuple[str, str | None] | None = None,
) -> dict[str, Any]:
    """The facts of a decision. tried: the remedies, within so many seconds; None: they were not tried. by:
    who accepts what this run accepts, and until when."""
    policy, published = looked.policy, None if isinstance(made, RefusedError) else made
    number = None if published is None else published.number
    bounds = bounds_of(con, made.verdicts, looked.shows_values)
    before, previous, people, acceptances, words = _of_register(con, register, number, wait, looked)
    made_here = {
        "release": None, "table": None, "columns": [], "never_leave": [], "first_rows": None, **looked.facts
    }  # fmt: skip
    return {
        "format": FORMAT,
        "answer": ANSWERS.get(made.verdict, "not yet") if isinstance(made, RefusedError) else "yes",
        "is_out": published is not None and published.is_out,
        "made_at": f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}",
        "source": source,
        "policy": policy_facts(policy, looked.unit),
        "register": str(register),
        "output": str(output),
        "number": number,
        "name": None if published is None else published.name,
        "together": [] if published is None else list(published.together),
        **made_here,
        "check": None,
        "bounds": bounds,
        "reasons": list(made.reasons) if isinstance(made, RefusedError) and not bounds else [],
        "not_looked_at": not_looked_at(made_here["columns"], bounds, policy),
        "remedies": None
        if tried is None
        else {
            "seconds": seconds,
            "now": tried[0].loss if tried else None,
            "tried": [
                {
                    "lines": dict(each.lines),
                    "verdict": each.verdict,
                    "helps": each.helps,
                    "loss": each.loss,
                    "cells": None
                    if each.cells is None
                    else dict(zip(("all", "hidden"), each.cells, strict=True)),
                }
                for each in in_order(tried)
            ],
        },
        "out_before": before,
        "changed": _changed(previous, people, policy, made_here),
        "accepted": accepted_of(acceptances, bounds, policy, by),
        "said": said_of(policy, words),
        "remarks": list(dict.fromkeys(made.remarks)) if looked.shows_values else [],
    }


def policy_facts(policy: Policy, unit: str | None) -> dict[str, Any]:
    """What a decision says of the policy, and who has confirmed its roles. unit: whose rows are counted."""
    who = tomllib.loads(policy.text).get("confirmed")
    return {
        "path": None if policy.spelling.path is None else str(policy.spelling.path),
        "sha256": policy.origin.get("sqlanon_policy_sha256"),
        "confirmed": who if isinstance(who, str) else None,
        "unit": unit,
        "qi": policy.roles["qi"],
        "sensitive": policy.roles.get("sensitive", []),
    }


def said_of(policy: Policy, words: Sequence[Mapping[str, Any]] = ()) -> dict[str, Any]:
    """What is taken as true because somebody has said it. words: of earlier releases that mean words of
    today: how many, without the words."""
    return {
        "words": list(words),
        "called": {name: list(others) for name, others in policy.called.items()},
        "values_may_change": list(policy.values_may_change),
    }


def bounds_of(con: duckdb.DuckDBPyConnection, verdicts: str, shows_values: bool) -> list[dict[str, Any]]:
    """What the judge says, a bound each; what does not hold first."""
    if not verdicts:
        return []
    said = execute(con, select(call("_bounds_judged", verdicts).subquery(), *BOUND))
    bounds = []
    for row in said:
        each = dict(zip(BOUND, row, strict=True))
        high, sampled = each.pop("high"), each.pop("sampled")
        each["releases"] = list(each["releases"] or [])
        each["counted"] = "people" if each["counted"] == "people" else "rows"
        each["at_most"] = high if sampled else None
        texts = {of: each[of] for of in ("reason", "remedy") if each[of] and not shows_values}
        each |= {of: without_values(text) for of, text in texts.items()}
        each["wording_hidden"] = "reason" in texts and each["reason"] is None
        bounds.append(each)
    order = [FAILS, NOT_KNOWN, HOLDS]
    return sorted(bounds, key=lambda each: (each["accepted"] is not None, order.index(each["verdict"])))


def _of_register(
    con: duckdb.DuckDBPyConnection, register: Path, number: int | None, wait: float, looked: Looked
) -> tuple[int, Entry | None, dict[str, int] | None, list[dict[str, Any]], list[dict[str, Any]]]:
    """How many others are out, the last one of ours that this one follows, who has come and gone since, what
    was ever accepted, and of which columns words were said to mean words of today."""
    with opened(con, register, read_only=True, make=True, wait=wait) as known:
        if not known.is_there:
            return 0, None, None, [], []
        out = [each for each in known.out() if each.id != number]
        entries = [each for each in out if looked.is_like(each)]
        accepted = acceptances_in(con)
        last = entries[-1] if entries else None
        people = None if last is None else known.came_and_went(last, looked.subjects())
        words = words_said(known)
    return len(out), last, people, accepted, words


def acceptances_in(con: duckdb.DuckDBPyConnection) -> list[dict[str, Any]]:
    """What was ever accepted by the register that is attached."""
    columns = ("attack", "id", "sensitive", "reason", "accepted_by", "accepted_at", "accepted_until")
    rows = execute(con, select(table("acceptances", "main", ALIAS), *columns).order_by("accepted_at"))
    return [dict(zip(columns, row, strict=True)) for row in rows]


def words_said(known: Register) -> list[dict[str, Any]]:
    names = {each.id: each.name for each in known.out()}
    of = ("release_id", "column_name", "said_by")
    counted = select(table("spellings", "main", ALIAS), *of, "count(*)", "max(said_at)")
    grouped = counted.group_by(*of).order_by(*of)
    return [
        {"release": names[id], "column": column, "words": n, "by": by,
         "at": None if at is None else f"{at:%Y-%m-%dT%H:%M:%SZ}"}
        for id, column, by, n, at in execute(known.con, grouped) if id in names
    ]  # fmt: skip


def not_looked_at(
    columns: Iterable[Mapping[str, Any]], bounds: Iterable[Mapping[str, Any]], policy: Policy,
    is_attacked: bool = True,
) -> list[dict[str, Any]]:  # fmt: skip
    """is_attacked: were attacks made, together with what is out?"""
    unchanged = [each for each in columns if each["role"] == "keep" and each["how"] == "unchanged"]
    free = [each["column"] for each in columns if each["looks_like"] == FREE_TEXT]
    kept = [each["column"] for each in unchanged if each["column"] not in free]
    judged = {each["attack"] for each in bounds}
    idle = sorted({key.partition(".")[0] for key, most in policy.tolerated.items() if most >= 100} - judged)
    unseen: list[dict[str, Any]] = []
    unseen += [{"what": "free_text", "columns": free}] if free else []
    unseen += [{"what": "kept", "columns": kept}] if kept else []
    unseen += [{"what": "attacks", "attacks": idle}] if idle and judged else []
    unseen += [{"what": "outside"}] if is_attacked else [{"what": "everything"}]
    return [*unseen, {"what": "knowledge"}]


def _changed(
    previous: Entry | None, people: Mapping[str, int] | None, policy: Policy, made: Mapping[str, Any]
) -> dict[str, Any] | None:
    """What is different from our last release of its kind; None where there is none."""
    if previous is None:
        return None
    old, new = (tomllib.loads(text) if text else {} for text in (previous.policy, policy.text))
    keys = {}
    for section in COMPARED:
        both = [_flat(document.get(section, {}), section) for document in (old, new)]
        for key in dict.fromkeys([*both[0], *both[1]]):
            if both[0].get(key) != both[1].get(key):
                keys[key] = {"before": both[0].get(key), "now": both[1].get(key)}
    released = [
        column for role in ("qi", "sensitive", "keep") for column in old.get("roles", {}).get(role, [])
    ]
    now = [each["column"] for each in made["columns"]]
    rows = made["table"]["cells"] if made["table"] else (made["release"] or {}).get("rows")
    return {
        "since": previous.name,
        "rows": {"before": previous.row_count, "now": rows},
        "people": people,
        "new_columns": [each for each in now if each.lower() not in lower(released)] if released else [],
        "gone_columns": [each for each in released if each.lower() not in lower(now)] if now else [],
        "policy": keys if previous.policy else None,
    }


def _flat(values: Any, at: str) -> dict[str, Any]:
    """Keys with dots: method.name, tolerated.linking.certain."""
    if not isinstance(values, dict):
        return {at: values}
    return {key: each for name, inner in values.items() for key, each in _flat(inner, f"{at}.{name}").items()}


def accepted_of(
    acceptances: Iterable[Mapping[str, Any]], bounds: Sequence[Mapping[str, Any]], policy: Policy,
    by: tuple[str, str | None] | None = None,
) -> list[dict[str, Any]]:  # fmt: skip
    """What was accepted before, and now. until: the last day on which it counts; None: it has no end."""
    is_now = {(each["attack"], each["id"], each["sensitive"]): each for each in bounds}
    accepted = []
    for each in acceptances:
        what = (each["attack"], each["id"], each["sensitive"])
        accepted.append(
            {
                **dict(zip(("attack", "id", "sensitive"), what, strict=True)),
                "reason": each["reason"], "by": each["accepted_by"],
                "at": f"{each['accepted_at']:%Y-%m-%dT%H:%M:%SZ}",
                "until": None if each["accepted_until"] is None else str(each["accepted_until"]),
                "where": "register",
                "now": is_now.get(what),
            }
        )  # fmt: skip
    before = {(each["attack"], each["id"], each["sensitive"]) for each in accepted}
    for what, bound in is_now.items():
        if bound["accepted"] is not None and what not in before:
            where = "policy" if f"{what[0]}.{what[1]}" in policy.accepted else "run"
            who, until = by if by and where == "run" else (None, None)
            accepted.append(
                {
                    **dict(zip(("attack", "id", "sensitive"), what, strict=True)),
                    "reason": bound["accepted"], "by": who, "until": until, "where": where, "now": bound,
                    "at": None if who is None else f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}",
                }
            )  # fmt: skip
    return accepted
