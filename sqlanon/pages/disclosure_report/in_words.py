"""The report in the language of those whose data it is: what a decision page says, without a decision."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from sqlanon.attack.known import INTERSECTION
from sqlanon.pages.decision_page import alike_in_words, attacks_in_words, open_in_words
from sqlanon.pages.decision_page.words import Words
from sqlanon.pages.disclosure_report.data import Data, Request

ANYTHING = 100  # percent: what tolerates so much is no bound


def in_words(data: Data, releases: Sequence[Mapping[str, Any]], words: Words) -> dict[str, Any]:
    """What the template in_words.html reads. releases: as the page has them."""
    facts = {"bounds": _bounds(data), "policy": {"qi": data.request.qi}}
    unseen = [] if facts["bounds"] else [words("unseen_everything")]
    if absent := data.request.absent:
        sentence = f"{absent:,} of those who are asked about are in no class of any release with their values"
        unseen.append(words.wording(sentence))
    return {
        "words": words,
        "by_release": [(each["called"], _of_release(each, data.request, words)) for each in releases],
        "found": attacks_in_words(facts, words),
        "open": open_in_words(facts, words),
        "unseen": [*unseen, words("unseen_knowledge")],
    }


def _bounds(data: Data) -> list[dict[str, Any]]:
    """What attacks have found, as in a decision."""
    request = data.request
    rows = [dict(row) for row in data.verdicts if row["tolerated"] is None or row["tolerated"] < ANYTHING]
    judged = {(row["attack"], row["id"]) for row in rows}
    rows += [row for row in _measured(data) if (row["attack"], row["id"]) not in judged]
    bounds = []
    for row in rows:
        is_known = row["value"] is not None or row["attack"] == "evidence"
        bounds.append(
            {
                **row, "verdict": row["verdict"] if is_known else "not known",
                "releases": list(row["releases"] or request.releases),
                "sensitive": row["sensitive"] or (None if is_known else ", ".join(request.sensitive)),
                "people": 0 if row["value"] == 0 else row["people"],
                "counted": "rows" if request.of_people else row["counted"],
                "at_most": row["high"] if row["sampled"] else None,
                "before": None, "accepted": None, "wording_hidden": False,
            }
        )  # fmt: skip
    return bounds


def _measured(data: Data) -> Iterator[dict[str, Any]]:
    """The most telling measure of each attack, which is not known of those that failed."""
    unsaid = {"verdict": None, "tolerated": None, "people": None, "sampled": False, "remedy": None}
    found: list[tuple[str, Sequence[str] | None, str | None, str, str | None, list[Any]]] = []
    for sensitive, tables in data.attacks.items():
        rows = _most_telling(tables.measures, sensitive)
        found.append((INTERSECTION, None, sensitive, "people", _blind(tables.measures), rows))
    for other in data.others:
        for outcome, table in zip(other.outcomes, other.measures, strict=True):
            run, rows = outcome.run, _most_telling(table or (), outcome.run.sensitive)
            if outcome.status == "failed":
                rows = [{"id": "certain", "value": None, "unit": "%"}]
            counted = "people" if run.subject == "person" else "rows"
            found.append((other.attack, run.releases, run.sensitive, counted, outcome.reason, rows))
    names = ("attack", "releases", "sensitive", "counted", "reason")
    for *of, rows in found:
        for row in rows:  # what finds less than there is tells nothing good
            bound = {**unsaid, **row, **dict(zip(names, of, strict=True))}
            yield {**bound, "verdict": "not known" if bound["reason"] else None}


def _blind(rows: Iterable[Mapping[str, Any]]) -> str | None:
    """Why the attack on the targets finds less than there is, as the judge says it."""
    shares = {row["id"]: row["value"] or 0 for row in rows}
    lost = 100 - shares.get("located_in_all", 100)
    reasons = [
        f"{share:.4g} % of the {what}"
        for share, what in (
            (lost, "people are in no class of a release that they should be in"),
            (shares.get("unread_rows", 0), "rows have labels that could not be read"),
            (shares.get("contradictions", 0), "people are left without a value"),
        )
        if share > 0
    ]
    return "; ".join(reasons) or None


def _most_telling(rows: Iterable[Mapping[str, Any]], sensitive: str | None) -> list[Mapping[str, Any]]:
    """Of how many somebody is nearly sure; certain, where nothing has a probability."""
    by_id = {row["id"]: row for row in rows if row["value"] is not None}
    best = by_id.get("sure_90") if sensitive else None
    best = best or by_id.get("certain")
    return [] if best is None else [best]


def _of_release(release: Mapping[str, Any], request: Request, words: Words) -> list[str]:
    """Whom people look like, whether it has what is required of it alone, and what is lost."""
    tables = release["tables"]
    reached: dict[str, float] = {}
    for row in tables.reached or ():  # the least of several sensitive columns
        if row["reached"] is not None:
            reached[row["model"]] = min(row["reached"], reached.get(row["model"], row["reached"]))
    sentences = alike_in_words(
        {
            "release": {"reached": reached, "people": 1 if tables.is_by_people else None}, "check": True,
            "policy": {"qi": request.qi, "sensitive": request.sensitive},
        },
        words,
    )  # fmt: skip
    if request.of_people and not tables.is_by_people:
        sentences.append(words("check_rows"))
    for row in release["violated"]:
        rows = words.number(row["violating_rows"])
        sentences.append(words.counted("check_violated", row["violating_classes"], rows=rows))
    if release["unjudged"]:
        sentences.append(words("check_unknown"))
    elif release["required"] and not release["violated"]:
        sentences.append(words("check_holds"))
    sentences += [words.reason(each.text) for each in release["by_rules"] if not each.holds]
    sentences += [words("check_naming", columns=row["column"]) for row in release["naming"]]
    if release["unread"]:
        first = release["unread"][0]
        unread = f"{release['called']}: nobody understands {len(release['unread'])} of its values, in "
        unread += f"{release['unread_rows']} cells, such as {first['label']} in {first['attribute']}: too "
        sentences.append(words.wording(f"{unread}little is found"))
    if release["unmeasured"]:
        sentences.append(words.reason(release["unmeasured"]))
    elif "loss" in release["lost"]:
        loss = words.percent(100 * release["lost"]["loss"])
        sentences.append(f"{words('remedy_loss', loss=loss)}.")
    return sentences
