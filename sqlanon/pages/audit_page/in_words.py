"""The audit in the language of those whose data it is: what a decision page says, without a decision."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from sqlanon.attack.known import INTERSECTION
from sqlanon.pages import decision_page
from sqlanon.pages.audit_page.data import Data
from sqlanon.pages.decision_page import BADGES, TONES
from sqlanon.pages.decision_page.words import Words, as_shown

NAMED = 4  # releases of which all are named


def in_words(data: Data, words: Words) -> dict[str, Any]:
    """What the template in_words.html reads."""
    facts, qi = data.facts, data.about["qi"]
    every, secret = [name for name, *_ in data.counts.in_releases], words.names(data.about["sensitive"])
    bounds = []
    for each in (*_worst(facts["bounds"]), *_unstated(data)):
        sensitive = each["sensitive"] if each["value"] is not None or each["attack"] == "evidence" else secret
        bounds.append({**each, "releases": _few(each["releases"] or every), "sensitive": sensitive})
    shortened = {**facts, "bounds": bounds}
    unseen = []
    for row in data.not_attacked:
        about = {**row, "sensitive": secret, "releases": _few(row["releases"] or every)}
        unseen.append((words.question(about, qi), words.wording(as_shown(row["reason"]))))
    outside = words("unseen_outside", register=data.register.name)
    besides = [*remarks_in_words(data.remarks, words), outside, words("unseen_knowledge")]
    is_judged = facts["answer"] != "yes" or any(each["attack"] != "evidence" for each in facts["bounds"])
    return {
        "words": words, "facts": facts, "badges": BADGES,
        "unseen": [*unseen, *((sentence, "") for sentence in besides)],
        "tone": TONES[facts["answer"]] if is_judged else "none",
        "why": decision_page.judged_in_words(facts, words) if is_judged else [],
        "attacks": decision_page.attacks_in_words(shortened, words), "no_attacks": "unseen_everything",
        "open": decision_page.open_in_words(shortened, words),
        "accepted": decision_page.accepted_in_words(facts, words),
        "said": decision_page.taken_as_true(facts, words),
    }  # fmt: skip


def remarks_in_words(remarks: Iterable[str], words: Words) -> list[str]:
    """What else there was to say; of what is not shown, how much."""
    shown = [as_shown(remark) for remark in dict.fromkeys(remarks)]
    sentences = [words.wording(remark) for remark in shown if remark is not None]
    hidden = shown.count(None)
    return [*sentences, words.counted("remarks_hidden", hidden)] if hidden else sentences


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


def _unstated(data: Data) -> Iterator[dict[str, Any]]:
    """The most telling measure of what nothing was stated of; where too little is found it is not known."""
    for row in data.unstated:
        is_of_people = row["attack"] == INTERSECTION
        if is_of_people == (row["id"] == "sure_90"):
            is_known, reason = (
                row["reason"] is None and row["value"] is not None,
                as_shown(row["reason"] or ""),
            )
            yield {
                **row, "people": row["people"] if is_of_people else None, "counted": "people",
                "at_most": None, "before": None, "tolerated": None, "accepted": None, "remedy": None,
                "verdict": None if is_known else "not known", "reason": reason,
                "wording_hidden": reason is None,
            }  # fmt: skip
