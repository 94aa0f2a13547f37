"""The page: everything in one file that loads nothing from the network and runs no script."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sqlanon.attack.known import INTERSECTION
from sqlanon.measure.practice import Finding, findings_of_harbor, of_average, of_risks
from sqlanon.pages.decision_page.words import Words
from sqlanon.pages.disclosure_report import sentences
from sqlanon.pages.disclosure_report.banner import banner
from sqlanon.pages.disclosure_report.data import (
    AttackTables,
    Data,
    OtherAttack,
    ReleaseTables,
    Request,
    level_id,
)
from sqlanon.pages.disclosure_report.in_words import in_words
from sqlanon.pages.page import Table
from sqlanon.pages.questions import summarized
from sqlanon.pages.templates import rendered
from sqlanon.policies.schema import LANGUAGES

# What a reader wants to know of `risk` and of `utility` first; more measures hold the rest.
RISKS = (
    "prosecutor_risk_highest", "prosecutor_risk_mean", "journalist_risk_highest", "journalist_risk_mean",
    "sample_uniques", "expected_reidentifications", "global_risk",
)  # fmt: skip
UTILITY = (
    "suppressed_rows", "suppressed_cells", "loss", "average_class_size", "query_error_median",
    "query_noise_median", "mean_change", "sse_sst",
)  # fmt: skip
# Of whom an adversary knows quasi-identifiers, by what an attack is about.
PEOPLE = {"person": "the targets", "class": "somebody in it"}
# What attacks need that the page tells anyway.
TOLD = ("release", "releases", "targets", "id", "qi", "sensitive")
# How sure an adversary is of those about whom the page tells, in percent.
HEADLINE = (90, 99)


def page(data: Data, specs: Mapping[str, Mapping[str, Any]], language: str = LANGUAGES[0]) -> str:
    """The page with the tables and charts of a report. In other languages than English these come after what
    was found in words."""
    releases = [_release(called, tables, data.request) for called, tables in data.releases.items()]
    attacks = [_attack(sensitive, tables, data) for sensitive, tables in data.attacks.items()]
    others = [_other(other) for other in data.others if other.outcomes]
    of_levels = {level_id(level) for level in data.request.tolerated}
    verdicts = [row for row in data.verdicts if row["attack"] != INTERSECTION or row["id"] not in of_levels]
    is_translated = language != LANGUAGES[0]
    return rendered(
        f"disclosure_report/{'in_words' if is_translated else 'page'}.html",
        specs,
        **(in_words(data, releases, Words(language)) if is_translated else {}),
        data=data,
        request=data.request,
        profile=data.request.profile,
        banner=banner(releases, attacks, others, verdicts),
        releases=releases,
        attacks=attacks,
        others=others,
        verdicts=verdicts,
        assumed=sentences.assumed(data.request),
        partly_known=bool(data.request.unknown)
        or any(column.lower().startswith("targets.") for column in data.request.formats),
    )


def _measures(table: Table | None) -> dict[str, Any]:
    """The values over all columns, by the ids of their measures."""
    return {row["id"]: row["value"] for row in table or () if row.get("attribute") is None}


def _with_meanings(rows: Iterable[Mapping[str, Any]], said: Mapping[str, str]) -> list[dict[str, Any]]:
    """Measures that have a value, each with what it says."""
    return [{**row, "says": said.get(row["id"], "")} for row in rows if row["value"] is not None]


def _parted(rows: Sequence[Any], first: Sequence[str]) -> tuple[list[Any], list[Any]]:
    """The rows with these ids, and the others."""
    return [row for row in rows if row["id"] in first], [row for row in rows if row["id"] not in first]


def _release(called: str, tables: ReleaseTables, request: Request) -> dict[str, Any]:
    risks, more_risks = _parted(_with_meanings(tables.risk or (), sentences.RISKS), RISKS)
    about_all = [*tables.utility] if isinstance(tables.utility, Table) else []
    of_all = [row for row in about_all if row.get("attribute") is None]
    utility, more_utility = _parted(_with_meanings(of_all, sentences.UTILITY), UTILITY)
    reached = [
        {**row, "says": sentences.of_model(row["id"], tables.is_by_people)} for row in tables.reached or ()
    ]
    required = [_required(row, tables, request) for row in reached if row.get("required") is not None]
    return {
        "called": called,
        "tables": tables,
        "questions": summarized(tables.questions) if tables.questions else [],
        "risk": _measures(tables.risk),
        "why_no_sample": _why_no_sample(request, tables),
        "most_global_risk": request.rules.risks.get("global_risk"),
        "required_by": _required_by(request),
        "smallest": sentences.smallest(tables, request) if tables.risk else None,
        "risks": risks, "more_risks": more_risks,
        "required": required,
        "by_rules": _by_rules(tables, request),
        "violated": [row for row in required if row["holds"] is False],
        "unjudged": [row for row in required if row["holds"] is None],
        "more_models": [
            row for row in reached if row.get("required") is None and row["reached"] is not None
        ],
        "leaving": list(tables.leaving or ()),
        "naming": [row for row in tables.leaving or () if row["verdict"] != "holds"],
        "counts": _with_meanings(tables.counts or (), sentences.COUNTS),
        "counted": _measures(tables.counts),
        "loss": {row["attribute"]: row["value"] for row in about_all if row["id"] == "loss"},
        "utility": utility, "more_utility": more_utility,
        "lost": {row["id"]: row["value"] for row in of_all},
        "unmeasured": tables.utility if isinstance(tables.utility, str) else None,
        "unread": list(tables.unread) if tables.unread else [],
        "unread_rows": sum(row["rows"] for row in tables.unread) if tables.unread else 0,
    }  # fmt: skip


def _why_no_sample(request: Request, tables: ReleaseTables) -> str | None:
    """Why the global risk is not known, if it is not; nothing where nobody says that it is a sample."""
    named = [column for column in (request.sampling_weight, request.household) if column]
    if not named:
        return None
    if tables.is_by_people:
        return "people may have several rows"
    return f"it lacks {' or '.join(named)}"


def _required_by(request: Request) -> str:
    """Who asks for the most of the global risk, as the end of a sentence."""
    profile = request.profile
    return "is required" if profile is None or profile.global_risk is None else f"{profile.profile} asks for"


def _required(row: Mapping[str, Any], tables: ReleaseTables, request: Request) -> dict[str, Any]:
    """A requirement, and does it hold? by_rows: it does, but several rows of a class may be the same
    person's."""
    holds, people = row["holds"], tables.people
    if not request.of_people or tables.is_by_people or holds is None:
        return {**row, "by_rows": False}
    if row["id"] == "k" and people is not None:
        [bounds] = people
        if bounds["most"] < row["required"]:
            return {**row, "by_rows": False, "holds": False}
        holds = holds and bounds["least"] >= row["required"]
        return {**row, "by_rows": not holds, "holds": holds or None}
    return {**row, "by_rows": holds, "holds": None if holds else holds}


def _by_rules(tables: ReleaseTables, request: Request) -> list[Finding]:
    """The verdicts on what is required of the release as a whole."""
    findings, most = list[Finding](), request.rules.average_risk
    is_by_rows = request.of_people and not tables.is_by_people
    why = "people may have several rows" if request.of_people else "it has no rows of people"
    is_unknown = is_by_rows or tables.risk is None
    findings += of_risks(
        request.rules, {} if is_unknown else _measures(tables.risk), why if is_unknown else None
    )
    if most is not None and is_unknown:
        findings.append(Finding(None, f"average_risk = {most:g} is not known: {why}"))
    elif most is not None:
        reached = _measures(tables.risk)["prosecutor_risk_mean"]
        findings.append(of_average(most, reached, request.requirements.get("k")))
    if request.rules.safe_harbor:
        if tables.harbor is None:
            findings.append(Finding(None, "Safe Harbor is not judged of counts with noise"))
        else:
            findings += findings_of_harbor(
                (row["column"], row["rule"], row["problem"], row["rows"]) for row in tables.harbor
            )
    return findings


def _attack(sensitive: str, tables: AttackTables, data: Data) -> dict[str, Any]:
    measures = _measures(tables.measures)
    located: dict[tuple[int, int], list[dict[str, Any]]] = {}
    for row in tables.located:
        located.setdefault((row["place"], row["release"]), []).append(row)
    people = [
        {
            **alike,
            "located": [
                (name, located.get((alike["place"], i), [])) for i, name in enumerate(data.releases, start=1)
            ],
        }
        for alike in tables.exposed
    ]
    right = "right" if data.request.truth else "expected"
    levels = [
        _level(level, measures, data, sensitive) for level in sorted({*HEADLINE, *data.request.tolerated})
    ]
    compared = {f"{level['id']}{of}" for level in levels for of in ("", "_release", "_marginal")}
    compared |= {f"{guess}_guess_{right}" for guess in ("marginal", "release", "weighted")}
    compared |= {"targets", "average_prior", "average_posterior", "pvp_100"}
    if len(data.releases) == 1:  # which are about what the others add
        compared |= {"average_drop", "vulnerable", "gain_over_release"}
        compared |= {id for id in measures if re.fullmatch(r"sure_.*_release|release_guess_.*", id)}
    said = {id: sentences.of_attack(id) for id in measures}
    return {
        "unseen": measures[f"marginal_guess_{right}"],
        "alone": measures[f"release_guess_{right}"],
        "weighted": measures[f"weighted_guess_{right}"],
        "is_right": "is right" if data.request.truth else "is expected to be right",
        "levels": levels,
        "more": _parted(_with_meanings(tables.measures, said), sorted(compared))[1],
        "sensitive": sensitive, "tables": tables, "measures": measures, "people": people,
    }  # fmt: skip


def _other(other: OtherAttack) -> dict[str, Any]:
    """Another attack: its runs, each with its measures by id, and the measures that any of them has."""
    measures: dict[str, dict[str, Any]] = {}
    runs: list[dict[str, Any]] = []
    asks_whose = any(outcome.run.sensitive for outcome in other.outcomes)
    for outcome, table in zip(other.outcomes, other.measures, strict=True):
        of_run = {row["id"]: row for row in table or ()}
        measures |= {id: row for id, row in of_run.items() if id not in measures}
        learned = outcome.run.sensitive or ("whose row it is" if asks_whose else None)
        runs.append({"outcome": outcome, "learned": learned, "measures": of_run, "table": table})
    return {
        "attack": other.attack,
        "title": other.attack.replace("_", " ").capitalize(),
        "does": re.split(r"[:.]", other.description)[0],
        "knows_of": PEOPLE.get(other.outcomes[0].run.subject) if "qi" in other.needs else None,
        "has": [name for name in other.needs if name not in TOLD],
        "settings": other.settings,
        "source": other.source,
        "measures": measures,
        "made": [run for run in runs if run["outcome"].status == "done"],
        "failed": [run for run in runs if run["outcome"].status == "failed"],
        "reasons": list(dict.fromkeys(
            outcome.reason for outcome in other.outcomes if outcome.status == "does not apply"
        )),
    }  # fmt: skip


def _level(level: float, measures: Mapping[str, Any], data: Data, sensitive: str) -> dict[str, Any]:
    """Of how many people an adversary is so sure, and what the judge says of that."""
    id = level_id(level)
    verdicts = [
        row["verdict"] for row in data.verdicts
        if (row["attack"], row["id"], row["sensitive"]) == (INTERSECTION, id, sensitive)
    ]  # fmt: skip
    return {
        "id": id,
        "level": level,
        "share": measures[id],
        "tolerated": data.request.tolerated.get(level),
        "verdict": next(iter(verdicts), None) if level in data.request.tolerated else None,
        "release": measures[f"{id}_release"],
        "unseen": measures[f"{id}_marginal"],
        "expected": measures[f"{id}_expected"],
        "right": measures.get(f"{id}_right"),
    }
