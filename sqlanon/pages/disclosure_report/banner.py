"""What the page decides: does all hold that is required, what stays risky, what is lost, and what is a guess
worth without the releases? All of it is from the tables that the page shows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlanon.pages.templates import number, percent

MOST = 3  # sentences of a kind; the page below has all

HEADLINES = {
    "good": "Meets what is required", "bad": "Fails", "unknown": "Not known",
    "none": "Nothing was required",
}  # fmt: skip

Rows = Sequence[Mapping[str, Any]]


def banner(releases: Rows, attacks: Rows, others: Rows, verdicts: Rows) -> dict[str, Any]:
    """tone, headline, why, and sections: pairs of a title and sentences.

    Nothing is good unless something was required, and all of it holds.
    """
    demands = [
        *_of_releases(releases), *_of_rules(releases), *_of_columns(releases), *_of_attacks(attacks),
        *_of_measures(verdicts),
    ]  # fmt: skip
    outcomes = [holds for holds, _ in demands]
    tone = "bad" if False in outcomes else "unknown" if None in outcomes else "good" if demands else "none"
    decisive = {"bad": False, "good": True}.get(tone)
    texts = list(dict.fromkeys(text for holds, text in demands if holds is decisive))
    is_unseen = any(one["verdict"] == "not known" for attack in attacks for one in attack["levels"])
    unseen = "Not everybody was found, or not everything was read." if is_unseen else ""
    if any(row.get("by_rows") for release in releases for row in release["required"]):
        unseen += (
            " People may have several rows, and the releases do not say whose a row is: with --original, "
            "people are counted, where it tells whose rows these are."
        )
    why = {
        "bad": f"{outcomes.count(False)} of {len(demands)} requirements do not hold: {_some(texts)}.",
        "unknown": f"Nothing was found that breaks a requirement, but {_some(texts)}. {unseen.strip()}",
        "good": f"Everything that is required holds: {_some(texts, len(texts))}. Of what is not required, "
        "nothing is said.",
        "none": "There is no requirement, and nothing says what an attack may find: there is nothing that "
        "could hold. What follows was measured, not judged.",
    }[tone]  # fmt: skip
    those = "these releases" if len(releases) > 1 else "the release"
    return {
        "tone": tone,
        "headline": HEADLINES[tone] + (_still(attacks, others) if tone == "good" else ""),
        "why": why,
        "sections": [
            ("What remains risky", _risks(releases, attacks, others)),
            ("What is lost", [_loss(release) for release in releases[:MOST]]),
            (f"A guess without {those}", _baselines(attacks, others, those)),
        ],
    }


def _still(attacks: Rows, others: Rows) -> str:
    """What is found although all holds that is required; nothing if nobody is 90 % sure of anything."""
    found = [
        (
            attack["measures"]["sure_90"],
            f"the {attack['sensitive']}",
            f"{number(attack['measures']['targets'])} people",
        )
        for attack in attacks
    ]
    if (surest := _surest(others)) is not None:
        found.append((surest[0], surest[1], f"those in {surest[2]}"))
    share, learned, whose = max(found, key=lambda each: each[0] or 0, default=(0, "", ""))
    return (
        f", and still somebody can be 90 % sure of {learned} of {percent(share)} of {whose}" if share else ""
    )


def _some(texts: Sequence[str], most: int = MOST) -> str:
    """The first of them, and how many there are besides."""
    more = [f"and {len(texts) - most} more"] if len(texts) > most else []
    return "; ".join([*texts[:most], *more])


# What is required: does it hold (None: not known), and the text that says so.

Demands = list[tuple[bool | None, str]]


def _of_releases(releases: Rows) -> Demands:
    demands: Demands = []
    for release in releases:
        for row in release["required"]:
            what = f"{row['model']} {number(row['required'])}"
            of = f" of {row['sensitive']}" if row["sensitive"] is not None else ""
            if row["holds"] is None and row.get("by_rows"):
                text = f"{what}{of} holds for rows alone in {release['called']}"
            elif row["holds"] is None:
                text = f"{what} is about releases that were out before, and is not judged here"
            elif row["holds"]:
                text = f"{what}{of}"
            else:
                rows, classes = number(row["violating_rows"]), number(row["violating_classes"])
                text = f"{what}{of} is violated by {rows} rows in {classes} classes of {release['called']}"
            demands.append((row["holds"], text))
    return demands


def _of_rules(releases: Rows) -> Demands:
    return [
        (each.holds, each.text if each.holds else f"{release['called']}: {each.text}")
        for release in releases
        for each in release["by_rules"]
    ]


def _of_columns(releases: Rows) -> Demands:
    """That no column names people is required of every release. That none does is no reason to call it
    good."""
    return [
        (
            False if row["verdict"] == "fails" else None,
            f"{row['column']} of {release['called']} leaves {row['how']}: {row['reason']}",
        )
        for release in releases
        for row in release["naming"]
    ]


def _of_attacks(attacks: Rows) -> Demands:
    demands: Demands = []
    for attack in attacks:
        for one in attack["levels"]:
            sure = f"at least {number(one['level'])} % sure of the {attack['sensitive']} of"
            share, most = percent(one["share"]), percent(one["tolerated"] or 0)
            if one["verdict"] == "holds":
                demands.append((True, f"an adversary is {sure} {most} of the people at most"))
            elif one["verdict"] == "fails":
                demands.append(
                    (False, f"an adversary is {sure} {share} of the people, where {most} is tolerated")
                )
            elif one["verdict"]:
                text = f"it is not known whether somebody is {sure} more than {most} of the people"
                demands.append((None, text))
    return demands


def _of_measures(verdicts: Rows) -> Demands:
    demands: Demands = []
    for one in verdicts:
        holds = {"holds": True, "fails": False}.get(one["verdict"])
        if one["tolerated"] is None:
            demands.append((holds, f"{one['attack']}.{one['id']}: {one['reason']}"))
            continue
        unit = f" {one['unit']}" if one["unit"] else ""
        what, most = f"{one['attack']}.{one['id']}", f"{number(one['tolerated'])}{unit}"
        is_ = "is not known" if one["value"] is None else f"is {number(one['value'])}{unit}"
        why = f" ({one['reason']})" if one["reason"] else ""
        text = f"{what} is at most {most}" if holds else f"{what} {is_}, where {most} is tolerated{why}"
        demands.append((holds, text))
    return demands


# What else there is to say


def _risks(releases: Rows, attacks: Rows, others: Rows) -> list[str]:
    risks = [text for attack in attacks for text in _of_people(attack)]
    if (most := _most_telling(others)) is not None:
        risks.append(most)
    for other in others:
        for run in other["failed"]:
            attacked = ", ".join(run["outcome"].run.releases)
            risks.append(f"{other['title']} of {attacked} failed: what it would find is not known.")
    for release in releases:
        if release["unread"]:
            risks.append(
                f"{release['called']} has {number(len(release['unread']))} values that nobody understands: "
                "attacks find nobody there."
            )
    if with_classes := [release for release in releases if release["risk"]]:
        smallest = min(with_classes, key=lambda release: release["smallest"].number)
        where = f" of {smallest['called']}" if releases[1:] else ""
        risks.append(smallest["smallest"].sentence(where))
    else:
        risks.append(
            "Of counts with noise, what somebody’s own row adds is bounded by what the noise was drawn for "
            "(epsilon), and that is not in a table: ask whoever made it."
        )
    for release in releases:
        if release["why_no_sample"] and "global_risk" not in release["risk"]:
            risks.append(f"The global risk of {release['called']} is not known: {release['why_no_sample']}.")
        elif release["why_no_sample"]:
            risks.append(_global_risk(release))
    if not attacks and with_classes:
        is_made = any(other["made"] for other in others)
        made = "only the attacks that need none tell" if is_made else "nothing tells"
        risks.append(f"No targets were given: {made} what an adversary learns of people.")
    return risks


def _global_risk(release: Mapping[str, Any]) -> str:
    risk, most = release["risk"], release["most_global_risk"]
    text = f"The global risk of {release['called']} is {percent(100 * risk['global_risk'])}"
    if most is not None:
        side = "above" if risk["global_risk"] > most else "below" if risk["global_risk"] < most else "at"
        text += f", {side} the {percent(100 * most)} that {release['required_by']}"
    found, of = number(risk["expected_reidentifications"]), number(risk["records"])
    return f"{text}: {found} of {of} rows are expected to be found in the population."


def _of_people(attack: Mapping[str, Any]) -> list[str]:
    measures, sensitive = attack["measures"], attack["sensitive"]
    share, people = measures["sure_90"], number(measures["targets"])
    if share:
        text = f"An adversary is at least 90 % sure of the {sensitive} of {percent(share)} of {people} people"
    else:
        text = f"An adversary is 90 % sure of nobody’s {sensitive}"
    text += f"; the best guess {attack['is_right']} for {percent(attack['weighted'])}" if not share else ""
    if measures["pvp_100"]:
        text += f"; for {percent(measures['pvp_100'])} only one value is possible"
    texts = [f"{text}."]
    if measures["contradictions"]:
        texts.append(
            f"For {percent(measures['contradictions'])} of the people no {sensitive} is possible: what an "
            "adversary knows of them is not known here."
        )
    return texts


def _most_telling(others: Rows) -> str | None:
    """What the attack finds that is surest, besides the one on the targets."""
    if (surest := _surest(others)) is None:
        return None
    share, learned, where, attack = surest
    if not share:
        is_blind = any(
            run["outcome"].reason for other in others for run in other["made"] if "sure_90" in run["measures"]
        )
        but = ", but less is found than there is" if is_blind else ""
        return f"No other attack that was made is 90 % sure of anybody{but}."
    return (
        f"Somebody can be at least 90 % sure of {learned} of {percent(share)} of those in {where} (attack: "
        f"{attack})."
    )


def _surest(others: Rows) -> tuple[float, str, str, str] | None:
    """The surest finding of other attacks: of what share, of what, in which releases, by which attack. None:
    no attack was made."""
    found = [
        (run["measures"]["sure_90"]["value"] or 0, other, run)
        for other in others for run in other["made"] if "sure_90" in run["measures"]
    ]  # fmt: skip
    if not found:
        return None
    share, other, run = max(found, key=lambda each: each[0])
    settings = ", ".join(f"{name} {value}" for name, value in other["settings"].items())
    learned = f"the {run['learned']}" if run["outcome"].run.sensitive else run["learned"] or "something"
    attack = ", ".join(filter(None, [other["title"], settings]))
    return share, learned, ", ".join(run["outcome"].run.releases), attack


def _loss(release: Mapping[str, Any]) -> str:
    called, lost = release["called"], release["lost"]
    if release["unmeasured"]:
        return f"{called}: not known, {release['unmeasured']}"
    if not lost:
        return f"{called}: not known, as its original was not given."
    if release["counts"]:
        error, noise = lost["query_error_median"], lost["query_noise_median"]
        return (
            f"{called}: half of 1,000 random counts are wrong by more than {percent(error)} (by their noise "
            f"alone {percent(noise)} would be expected)."
        )
    parts = [f"{percent(lost['suppressed_rows'])} of the rows"]
    if "loss" in lost:
        [*_, (column, most)] = sorted(
            ((column, loss) for column, loss in release["loss"].items() if column is not None),
            key=lambda each: each[1],
        )
        parts.append(
            f"{percent(100 * lost['loss'])} of the detail of the quasi-identifiers (loss), most of {column} "
            f"({percent(100 * most)})"
        )
    return f"{called}: {', and '.join(parts)}."


def _baselines(attacks: Rows, others: Rows, those: str) -> list[str]:
    if attacks:
        return [
            f"The best guess of the {attack['sensitive']} {attack['is_right']} for "
            f"{percent(attack['unseen'])} of the people; with {those} for {percent(attack['weighted'])}."
            for attack in attacks
        ]
    guesses = {
        run["learned"]: run["measures"]["baseline"]["value"]
        for other in others if other["attack"] in ("homogeneity", "noisy_counts_attack")
        for run in other["made"]
    }  # fmt: skip
    return [
        f"The most frequent {sensitive} is expected to be right for {percent(value)} of the people."
        for sensitive, value in guesses.items() if value is not None
    ] or ["Not known: that needs targets, or the attack by homogeneity."]  # fmt: skip
