"""The audit in the language of those whose data it is: what a decision page says, without a decision."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from sqlanon.attack.known import INTERSECTION
from sqlanon.pages.audit_page.data import Data
from sqlanon.pages.decision_page import (
    BADGES,
    TONES,
    accepted_told,
    attacks_told,
    judged_told,
    open_told,
    taken_as_true,
)
from sqlanon.pages.decision_page.words import Words, as_shown

NAMED = 4  # releases of which all are named
UNSTATED = {
    "value": None, "unit": "%", "people": None, "counted": "people", "at_most": None, "before": None,
    "tolerated": None, "verdict": None, "accepted": None, "remedy": None,
}  # fmt: skip


def in_words(data: Data, growth: Mapping[str, Sequence[Mapping[str, Any]]], words: Words) -> dict[str, Any]:
    """What the template in_words.html reads. growth: as the page has it."""
    facts, qi = data.facts, data.about["qi"]
    every, secret = [name for name, *_ in data.counts.in_releases], words.names(data.about["sensitive"])
    bounds = []
    for each in (*_worst(facts["bounds"]), *_unstated(data, growth)):
        sensitive = each["sensitive"] if each["value"] is not None or each["attack"] == "evidence" else secret
        bounds.append({**each, "releases": _few(each["releases"] or every), "sensitive": sensitive})
    told = {**facts, "bounds": bounds}
    unseen = []
    for row in data.not_attacked:
        about = {**row, "sensitive": secret, "releases": _few(row["releases"] or every)}
        unseen.append((words.question(about, qi), words.wording(as_shown(row["reason"]))))
    outside = words("unseen_outside", register=data.register.name)
    besides = [*remarks_told(data.remarks, words), outside, words("unseen_knowledge")]
    is_asked = facts["answer"] != "yes" or any(each["attack"] != "evidence" for each in facts["bounds"])
    return {
        "words": words, "facts": facts, "badges": BADGES,
        "unseen": [*unseen, *((sentence, "") for sentence in besides)],
        "tone": TONES[facts["answer"]] if is_asked else "none",
        "why": judged_told(facts, words) if is_asked else [],
        "attacks": attacks_told(told, words), "no_attacks": "unseen_everything",
        "open": open_told(told, words), "accepted": accepted_told(facts, words),
        "said": taken_as_true(facts, words),
    }  # fmt: skip


def remarks_told(remarks: Iterable[str], words: Words) -> list[str]:
    """What else there was to say; of what is not shown, how much."""
    shown = [as_shown(remark) for remark in dict.fromkeys(remarks)]
    told = [words.wording(remark) for remark in shown if remark is not None]
    hidden = shown.count(None)
    return [*told, words.counted("remarks_hidden", hidden)] if hidden else told


def _few(releases: Sequence[str]) -> list[str]:
    """Names of releases; of many the first and the last."""
    few = len(releases) <= NAMED
    return [*releases] if few else [f"{releases[0]} – {releases[-1]} ({len(releases)})"]


def _worst(bounds: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Of what was found of each release, or of each two, the worst of each verdict; all that is not known
    besides."""
    worst = {
        tuple(each[of] for of in ("attack", "id", "sensitive", "verdict", "accepted")): each
        for each in sorted(bounds, key=lambda each: (each["people"] or 0, each["value"] or 0))
        if each["attack"] != "evidence"
    }
    return [*worst.values(), *(each for each in bounds if each["attack"] == "evidence")]


def _unstated(
    data: Data, growth: Mapping[str, Sequence[Mapping[str, Any]]]
) -> Iterator[dict[str, Any]]:  # fmt: skip
    """What was found of which nothing was stated: no more than measured, or not known where too little is
    found."""
    stated = {(each["attack"], each["id"], each["sensitive"]) for each in data.facts["bounds"]}
    for column, rows in growth.items():
        last = rows[-1]
        if last["together"] is not None and (INTERSECTION, "sure_90", column) not in stated:
            lost = 100 - (last["located"] or 0)
            reason = f"{lost:.4g} % of the people are in no class of a release that they should be in"
            people = round(last["together"] * last["targets"] / 100)
            found = {"id": "sure_90", "value": last["together"], "people": people}
            releases = [row["release"] for row in rows]
            yield _measured(INTERSECTION, column, reason if lost > 0 else None, releases, found)
    for row in data.unstated:
        if row["attack"] != INTERSECTION:
            id = "sure_90" if row["certain"] is None else "certain"
            found = {"id": id, "value": row[id]}
            yield _measured(row["attack"], row["sensitive"], row["reason"], row["releases"], found)


def _measured(
    attack: str, sensitive: str | None, reason: str | None, releases: Sequence[str],
    found: Mapping[str, Any],
) -> dict[str, Any]:  # fmt: skip
    is_known, shown = reason is None and found["value"] is not None, as_shown(reason or "")
    return {
        **UNSTATED, **found, "attack": attack, "sensitive": sensitive, "releases": releases,
        "verdict": None if is_known else "not known", "reason": shown, "wording_hidden": shown is None,
    }  # fmt: skip
