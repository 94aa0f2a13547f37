"""The decision page: may this be published, why, and what was not looked at? In the language of those who
sign it, with a twin for programs."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlanon.attack.known import INTERSECTION
from sqlanon.core.comments import blocks
from sqlanon.core.errors import UseError
from sqlanon.core.outputs import check_folder, replacing
from sqlanon.pages.decision_page.words import Words, texts
from sqlanon.pages.page import Page
from sqlanon.pages.templates import rendered

TONES = {"yes": "good", "no": "bad", "not yet": "unknown"}
BADGES = {"fails": "bad", "not known": "unknown", "holds": "good", None: ""}


@dataclass(frozen=True)
class DecisionPage(Page):
    """A finished decision page. data: its facts, as the twin has them."""

    data: Mapping[str, Any]

    def write(self, path: Any, *, force: bool = False) -> None:
        """Write the page and its twin, each all of it or nothing. Errors: UseError, as in check_page."""
        target = Path(path)
        if not force:
            check_page(target)
        twin = json.dumps(self.data, indent=2, ensure_ascii=False, default=str)
        for file, text in ((twin_of(target), f"{twin}\n"), (target, self.html)):
            with replacing(file, True, secret=True) as temporary:
                temporary.write_text(text, "utf-8", newline="\n")


def twin_of(page: Path) -> Path:
    """The file for programs beside a page."""
    return page.with_suffix(".json")


def check_page(page: Path) -> None:
    """May the page be written there? One of a release that is out is never replaced, one of a try is.

    Errors: UseError.
    """
    if page.suffix.lower() not in (".html", ".htm"):
        raise UseError(f"--page {page}: give a name that ends with .html")
    check_folder(page)
    twin = twin_of(page)
    if not page.exists() and not twin.exists():
        return
    try:
        earlier = json.loads(twin.read_text("utf-8"))
        is_of_a_try = str(earlier["format"]).startswith("sqlanon decision ") and not earlier["is_out"]
    except (OSError, ValueError, KeyError, TypeError):
        is_of_a_try = False
    if not is_of_a_try:
        there = page if page.exists() else twin
        raise UseError(f"{there} exists, and is no page of a refused or tried release: give another name")


def page(facts: Mapping[str, Any], language: str, file: str) -> DecisionPage:
    """The page of facts. file: what it is called, for what it says of its twin."""
    words = Words(language)
    html = rendered(
        "decision_page/page.html", {}, words=words, facts=facts, twin=twin_of(Path(file)).name,
        tone=TONES[facts["answer"]], answer=words(facts["answer"].replace(" ", "_")), why=_why(facts, words),
        unseen=_unseen(facts, words), remedies=_remedies(facts, words), changed=_changed(facts, words),
        accepted=accepted_in_words(facts, words), said=taken_as_true(facts, words),
        attacks=attacks_in_words(facts, words), open=open_in_words(facts, words),
        no_attacks="attacks_check" if facts["check"] else "attacks_none",
        forms=lambda forms: ", ".join(map(words.label, forms)) or "–",
    )  # fmt: skip
    return DecisionPage(facts, {}, html)


def _why(facts: Mapping[str, Any], words: Words) -> list[str]:
    """Three sentences: whom people look like, what the judge says, what leaves."""
    release, bounds = facts["release"], facts["bounds"]
    if facts["table"] is not None:
        return _why_of_table(facts, words)
    if facts["check"] is not None:
        return _why_of_check(facts, words)
    sentences = [words("why_no_release")] if release is None else alike_in_words(facts, words)
    sentences += judged_in_words(facts, words) if bounds else [words.reason(facts["reasons"][0])]
    if release is not None:
        key = "why_rows" if release["people"] is None else "why_rows_people"
        of_people = {} if release["people"] is None else {"people": words.number(release["people"])}
        rows, suppressed = words.number(release["rows"]), words.number(release["suppressed_rows"])
        key += "" if facts["answer"] == "yes" else "_refused"
        sentences.append(words(key, rows=rows, suppressed=suppressed, **of_people))
    return sentences


def _why_of_check(facts: Mapping[str, Any], words: Words) -> list[str]:
    """Whom people look like, whether what is required of the table alone is met, and that no more is said."""
    check = facts["check"]
    sentences = [*alike_in_words(facts, words)]
    if facts["policy"]["unit"] is not None and not _is_of_people(facts):
        sentences.append(words("check_rows"))
    if check["violating_classes"]:
        rows = words.number(check["violating_rows"])
        sentences.append(words.counted("check_violated", check["violating_classes"], rows=rows))
    elif check["holds"] is None or check["unknown"]:
        sentences.append(words("check_unknown"))
    elif check["holds"] is False or check["broken"]:
        sentences.append(words("check_fails"))
    else:
        sentences.append(words("check_holds"))
    sentences += [
        words(f"check_{what}", columns=words.names(check[what]))
        for what in ("not_released", "naming") if check[what]
    ]  # fmt: skip
    sentences += [words.reason(text) for text in (*check["broken"], *check["unknown"])]
    return [*sentences, words("check_attacks_nothing")]


def _why_of_table(facts: Mapping[str, Any], words: Words) -> list[str]:
    """Whom the table counts, what the judge says, how many cells leave."""
    tense = "" if facts["answer"] == "yes" else "_refused"
    counts, leaves = table_in_words(facts["table"], tense, words)
    return [counts, *judged_in_words(facts, words), leaves]


def table_in_words(of: Mapping[str, Any], tense: str, words: Words) -> tuple[str, str]:
    """Whom a table counts, and how many cells leave, or (_refused) would leave."""
    amounts = {name: words.number(of[name]) for name in ("cells", "hidden", "breaking")}
    whom = of["counted"] if of["people"] is None else "people"
    people = {} if of["people"] is None else {"people": words.number(of["people"])}
    by = words.names(of["dimensions"])
    counts = words(f"why_table_{whom}", dimensions=by, **people)
    if of["counted"] == "sums":
        counts = words("why_table_sums", dimensions=by, measure=of["measure"])
    return counts, words(f"why_cells{tense}", **amounts)


def alike_in_words(facts: Mapping[str, Any], words: Words) -> list[str]:
    """Of how many everybody is one; nothing where k was not measured."""
    reached, policy = facts["release"]["reached"], facts["policy"]
    if (k := reached.get("k-anonymity")) is None:
        return []
    diverse = ""
    if (l := reached.get("distinct l-diversity")) is not None and l > 1 and policy["sensitive"]:
        diverse = words("why_diverse", l=words.number(l), sensitive=words.names(policy["sensitive"]))
    counted = "people" if _is_of_people(facts) else "rows"
    return [words(f"why_k_{counted}", k=words.number(k), qi=words.names(policy["qi"]), diverse=diverse)]


def _is_of_people(facts: Mapping[str, Any]) -> bool:
    """Were people counted? By a unit, or as the judge has it. A table that is checked may lack the unit."""
    if facts["check"] is not None:
        return facts["release"]["people"] is not None
    return facts["policy"]["unit"] is not None or any(
        each["counted"] == "people" and each["people"] is not None for each in facts["bounds"]
    )


def judged_in_words(facts: Mapping[str, Any], words: Words) -> list[str]:
    bounds = facts["bounds"]
    measured = [each for each in bounds if each["attack"] != "evidence"]
    failing = [each for each in bounds if each["verdict"] == "fails"]
    unknown = [each for each in bounds if each["verdict"] == "not known" and each["accepted"] is None]
    unknown.sort(
        key=lambda each: each["attack"] != "evidence"
    )  # what is not known comes before what it hides
    n = words.number(len(measured))
    if facts["answer"] == "yes":
        held = sum(each["verdict"] == "holds" for each in measured)
        if held == len(measured):
            is_all = all(each["verdict"] == "holds" for each in bounds)
            return [words.counted("why_all_hold" if is_all else "why_all_hold_accepted", len(measured))]
        return [words("why_some_accepted", held=words.number(held), n=n)]
    if failing:
        worst = max(
            failing, key=lambda each: (each["counted"] == "people", each["people"] or 0, each["value"] or 0)
        )
        key = "why_failing_one" if len(failing) == 1 else "why_failing"
        return [words(key, failing=words.number(len(failing)), n=n, worst=_said(worst, words))]
    if unknown:
        said = dict.fromkeys((each["attack"], _said(each, words)) for each in unknown)  # each once
        return [words.counted("why_unknown", len(said), worst=_said(unknown[0], words))]
    return [words.reason(facts["reasons"][0])] if facts["reasons"] else []


def _said(bound: Mapping[str, Any], words: Words) -> str:
    if bound["attack"] == "evidence":
        return words.open(bound["id"])
    if bound["attack"] == "columns":
        return f"{words('ask_columns')} {bound['id']}."
    return words.answer(bound)


def _unseen(facts: Mapping[str, Any], words: Words) -> list[tuple[str, list[str]]]:
    """Sentences, with what each is about where that is several questions."""
    name, policy = facts["name"] or Path(facts["output"] or "–").stem, facts["policy"]
    about = {"releases": [name], "sensitive": words.names(policy["sensitive"])}
    return [
        (
            words(f"unseen_{each['what']}", columns=words.names(each.get("columns", [])),
                  register=facts["register"]),
            [words.question({"attack": attack, **about}, policy["qi"]) for attack in each.get("attacks", [])],
        )
        for each in facts["not_looked_at"]
    ]  # fmt: skip


def _remedies(facts: Mapping[str, Any], words: Words) -> dict[str, Any] | None:
    """What was tried, those that help first; None where the answer is yes."""
    if facts["answer"] == "yes":
        return None
    if facts["check"] is not None:
        return {"about": words("remedies_check"), "tried": []}
    tried = facts["remedies"]
    if tried is None:
        return {"about": words("remedies_not_tried"), "tried": []}
    remedies = []
    for each in tried["tried"]:
        key = "remedy_helps" if each["helps"] else f"remedy_{each['verdict'].replace(' ', '_')}"
        sentence, cost = words(key), _cost(each, tried["now"], words)
        if cost and each["verdict"] != "not tried":
            sentence = words("remedy_and_cost", does=sentence, cost=cost)
        remedies.append(
            {
                **_change(each["lines"], facts, words),
                "says": sentence,
                "tone": "good" if each["helps"] else "",
            }
        )
    helps = any(each["helps"] for each in tried["tried"])
    about = words("remedies_tried")
    if not tried["tried"]:
        about = words("remedies_in_vain")
    elif all(each["verdict"] == "not tried" for each in tried["tried"]):
        about = words("remedies_no_time")
    elif not helps:
        about += f" {words('remedies_none')}"
    return {"about": about, "tried": remedies}


def _change(lines: Mapping[str, str], facts: Mapping[str, Any], words: Words) -> dict[str, Any]:
    """A change in words, and the lines of the policy that have no words."""
    phrases, code = [], []
    for key, to in lines.items():
        name, value = key.rpartition(".")[2], tomllib.loads(f"value = {to}")["value"]
        if key.startswith("hierarchies."):
            [column] = tomllib.loads(f"[{key.removesuffix(f'.{name}')}]")["hierarchies"]
            phrases.append(
                words(f"to_{name}", column=column, to=words.or_as_it_is(f"unit_{value[0]}", value[0]))
            )
        elif f"to_{name}" in texts():
            if name == "qi":
                value = words.names([column for column in facts["policy"]["qi"] if column not in value])
            elif isinstance(value, float):
                value = words.percent(100 * value)
            phrases.append(words(f"to_{name}", to=value))
        elif key not in ("requirements.known", "method.name"):
            code.append(f"[{key.partition('.')[0]}] {key.partition('.')[2]} = {to}")
    return {"change": ", ".join(phrases), "lines": code}


def _cost(tried: Mapping[str, Any], now: float | None, words: Words) -> str:
    """What a change costs; nothing where that was not measured. now: the loss without it."""
    if tried["cells"] is not None:
        return words("remedy_cells", **{name: words.number(n) for name, n in tried["cells"].items()})
    if tried["loss"] is None:
        return ""
    loss = words.percent(tried["loss"])
    if now is None:
        return words("remedy_loss", loss=loss)
    return words("remedy_loss_from", loss=loss, now=words.percent(now))


def _changed(facts: Mapping[str, Any], words: Words) -> list[str]:
    changed = facts["changed"]
    if changed is None:
        return [words("changed_other" if facts["out_before"] else "changed_first")]
    sentences, rows = [], changed["rows"]
    if rows["now"] is not None:
        before, now = words.number(rows["before"]), words.number(rows["now"])
        key = "changed_rows" if facts["table"] is None else "changed_cells"
        sentences.append(words(key, before=before, now=now, name=changed["since"]))
    if changed["people"] is not None:
        sentences.append(
            words("changed_people", **{of: words.number(n) for of, n in changed["people"].items()})
        )
    for key in ("new", "gone"):
        if changed[f"{key}_columns"]:
            sentences.append(words(f"changed_{key}", columns=words.names(changed[f"{key}_columns"])))
    for key, was in (changed["policy"] or {}).items():
        before, now = (words.value(each) for each in (was["before"], was["now"]))
        sentences.append(words("changed_policy", key=words.key(key), before=before, now=now))
    return [*sentences, words("changed_policy_same")] if changed["policy"] == {} else sentences


def accepted_in_words(facts: Mapping[str, Any], words: Words) -> list[dict[str, str]]:
    """What was accepted; what is of several releases, once."""
    accepted = [
        {
            "what": _accepted_thing(each, facts, words), "why": each["reason"],
            "by": words(f"accepted_{each['where']}") if each["by"] is None else words(
                "accepted_who" if each["until"] is None else "accepted_who_until", by=each["by"],
                at=words.day(each["at"]),
                **({} if each["until"] is None else {"until": words.day(each["until"])}),
            ),
            "now": _as_it_is(each["now"], words),
        }
        for each in facts["accepted"]
    ]  # fmt: skip
    return [each for i, each in enumerate(accepted) if each not in accepted[:i]]


def taken_as_true(facts: Mapping[str, Any], words: Words) -> list[str]:
    """What is taken as true because somebody has said it."""
    said = facts["said"]
    sentences = []
    for each in said["words"]:
        by = f"{each['by']}, {words.day(each['at'])}"
        sentences.append(
            words.counted("said_words", each["words"], column=each["column"], release=each["release"], by=by)
        )
    sentences += [
        words("said_called", column=column, others=words.names(others))
        for column, others in said["called"].items()
    ]  # fmt: skip
    if said["values_may_change"]:
        sentences.append(words("said_changing", columns=words.names(said["values_may_change"])))
    return sentences


def _accepted_thing(accepted: Mapping[str, Any], facts: Mapping[str, Any], words: Words) -> str:
    if accepted["attack"] == "evidence":
        return words.open(accepted["id"])
    if accepted["now"] is not None:
        return words.question(accepted["now"], facts["policy"]["qi"])
    of = f", {accepted['sensitive']}" if accepted["sensitive"] else ""
    return f"{accepted['attack']}.{accepted['id']}{of}"


def _as_it_is(bound: Mapping[str, Any] | None, words: Words) -> str:
    """What was accepted, now."""
    if bound is None:
        return words("accepted_is_nothing")
    if bound["attack"] == "evidence":
        return words(f"verdict_{bound['verdict'].replace(' ', '_')}")
    return words.answer(bound)


def attacks_in_words(facts: Mapping[str, Any], words: Words) -> list[dict[str, Any]]:
    """The attacks as questions; several measures of one attack stand under one question."""
    by_question: dict[str, list[dict[str, Any]]] = {}
    order = list(BADGES)  # of what is alike, the attack comes first from which others differ
    bounds = sorted(facts["bounds"], key=lambda each: (
        each["accepted"] is not None, order.index(each["verdict"]), each["attack"] != INTERSECTION
    ))  # fmt: skip
    for each in bounds:
        if each["attack"] in ("evidence", "columns"):
            continue
        question = words.question(each, facts["policy"]["qi"])
        by_question.setdefault(question, []).append(
            {
                "says": words.answer(each), **_badge(each, words), "of": words.names(each["releases"]),
                "name": f"{each['attack']}.{each['id']}", "source": _paper(each["attack"]),
                "wording": _wording(each, words), "ways": _ways(each, words),
            }
        )  # fmt: skip
    for answers in by_question.values():
        if len({each["of"] for each in answers}) > 1:
            for each in answers:
                each["says"] = words("of_releases", releases=each["of"], says=each["says"])
    return [{"question": question, "answers": answers} for question, answers in by_question.items()]


def open_in_words(facts: Mapping[str, Any], words: Words) -> list[dict[str, Any]]:
    """What the judge does not know, and columns that may name people; what several releases share, once."""
    by_sentence: dict[tuple[str, str], dict[str, Any]] = {}
    for each in facts["bounds"]:
        if each["attack"] not in ("evidence", "columns"):
            continue
        says, badge = _said(each, words), _badge(each, words)
        name = f"{each['attack']}.{each['id']}"
        new = {"says": says, **badge, "name": name, "wording": [], "ways": []}
        one = by_sentence.setdefault((says, badge["badge"]), new)
        one["wording"] += _wording(each, words)
        one["ways"] += _ways(each, words)
    return [
        {**one, **{of: list(dict.fromkeys(one[of])) for of in ("wording", "ways")}}
        for one in by_sentence.values()
    ]


def _wording(bound: Mapping[str, Any], words: Words) -> list[str]:
    """Why, by the judge."""
    if bound["wording_hidden"]:
        return [words("wording_hidden")]
    return [words.wording(bound["reason"])] if bound["reason"] else []


def _ways(bound: Mapping[str, Any], words: Words) -> list[str]:
    """What would help, by the judge."""
    return [words.ways(bound["remedy"])] if bound["remedy"] and bound["accepted"] is None else []


def _badge(bound: Mapping[str, Any], words: Words) -> dict[str, str]:
    if bound["accepted"] is not None:
        return {"badge": words("verdict_accepted"), "tone": "unknown"}
    return {
        "badge": words(f"verdict_{bound['verdict']}".replace(" ", "_")), "tone": BADGES[bound["verdict"]]
    }  # fmt: skip


def _paper(attack: str) -> str:
    """Where an attack is from, as its comment says; nothing of those of others."""
    try:
        return str(blocks(attack).get("Source", ""))
    except KeyError:
        return ""
