"""What is required of a release as a whole: bounds on risks over all of its rows, and nothing that Safe
Harbor lists."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from math import ceil
from typing import Any

import duckdb

from sqlanon.core.errors import RefusedError
from sqlanon.core.files import column_names
from sqlanon.core.source import lower
from sqlanon.core.statements import call, execute

AVERAGE_RISK = "average risk"  # as what a release reaches
MOST_TOLD = 6  # findings of Safe Harbor, in one message
# What may be so high at most: what it is called, and the measure of `risk`, which is another one of a sample.
RISKS = {
    "records_at_risk": (
        "the share of rows at risk", "prosecutor_risk_above_threshold", "individual_risk_above_threshold",
    ),
    "sample_uniques": ("the share of sample uniques", "sample_uniques_share", "sample_uniques_share"),
    "population_uniques": ("the expected share of population uniques", "", "population_uniques"),
    "global_risk": ("the global risk", "", "global_risk"),
}  # fmt: skip
OF_SAMPLES = ("population_uniques", "global_risk")  # need sampling weights


@dataclass(frozen=True)
class Rules:
    """average_risk: the most that is allowed. safe_harbor: must nothing be left that its rule names?
    populations: a relation of the people by the first three digits of ZIP codes, for that rule. risks: the
    most of what RISKS names; risk_threshold: above which rows are at risk; sample: the columns
    sampling_weight and household, where the table is a sample."""

    average_risk: float | None = None
    safe_harbor: bool = False
    populations: str | None = None
    risks: Mapping[str, float] = field(default_factory=dict)
    risk_threshold: float = 0.2
    sample: Mapping[str, str] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return self.safe_harbor or self.average_risk is not None or bool(self.risks)


@dataclass(frozen=True)
class Finding:
    """holds: None if it is not known. text: what is required, or what is wrong."""

    holds: bool | None
    text: str


def average_risk(con: duckdb.DuckDBPyConnection, release: str, qi: Sequence[str], unit: str | None) -> float:
    """1 / the people of a class, as the mean over all of a release. release: with the unit."""
    [(risk,)] = execute(con, call("_average_risk", release, list(qi), unit))
    return float(risk)


def sample_in_words(con: duckdb.DuckDBPyConnection, release: str, **columns: Any) -> str | None:
    """The global risk of a sample in a sentence; nothing without the columns that `risk` needs for it."""
    if columns.get("sampling_weight") is None and columns.get("household") is None:
        return None
    query = call("_sample_in_words", "_sqlanon_measured")
    query = query.with_("_sqlanon_measured", as_=call("risk", release, **columns))
    [(sentence,)] = execute(con, query)
    return str(sentence)


def of_average(most: float, reached: float, k: int | None) -> Finding:
    """The verdict on the average risk. k: what classes have at least."""
    if reached <= most:
        return Finding(True, f"average_risk = {most:g}")
    hint = f" (k = {ceil(k * reached / most)}, say)" if k else ""
    return Finding(
        False, f"the average risk is {reached:.4g}, and average_risk is {most:g}: a larger k lowers it{hint}"
    )


def of_risks(rules: Rules, measured: Mapping[str, float], why: str | None = None) -> list[Finding]:
    """The verdicts on other risks. measured: by `risk`, without what is not known; why: it is not."""
    findings = []
    for name, most in rules.risks.items():
        called, of_table, of_sample = RISKS[name]
        reached = measured.get(of_sample if rules.sample else of_table)
        if reached is None:
            reason = why or f"the release lacks {' or '.join(rules.sample.values())}"
            findings.append(Finding(None, f"{name} = {most:g} is not known: {reason}"))
        elif reached <= most:
            findings.append(Finding(True, f"{name} = {most:g} (reached: {reached:.3g})"))
        else:
            lower_by = "coarser quasi-identifiers or a larger k lower it"
            findings.append(Finding(False, f"{called} is {reached:.4g}, and {name} is {most:g}: {lower_by}"))
    return findings


def risks_of(
    con: duckdb.DuckDBPyConnection, release: str, qi: Sequence[str], unit: str | None, rules: Rules
) -> dict[str, float]:
    """The measures of `risk`, without those of a sample where the release lacks its columns."""
    is_there = lower(rules.sample.values()) <= lower(column_names(con, release))
    query = call(
        "risk", release, list(qi), threshold=rules.risk_threshold, unit=unit,
        **(rules.sample if is_there else {}),
    )  # fmt: skip
    return {id: value for _, value, _, id in execute(con, query)}


def of_harbor(con: duckdb.DuckDBPyConnection, release: str, populations: str | None) -> list[Finding]:
    """The verdicts by Safe Harbor on a release as it leaves."""
    return findings_of_harbor(execute(con, call("safe_harbor", release, populations=populations)))


def findings_of_harbor(found: Iterable[tuple[Any, ...]]) -> list[Finding]:
    """The verdicts by the rows of safe_harbor."""
    findings = [
        Finding(False, f"{column}: {problem} ({rows:,} row{'s' if rows > 1 else ''}; Safe Harbor {rule})")
        for column, rule, problem, rows in found
    ]
    return findings or [Finding(True, "Safe Harbor (as far as names and values of columns tell)")]


_RULES: ContextVar[Rules | None] = ContextVar("rules", default=None)


@contextmanager
def under(rules: Rules) -> Iterator[None]:
    """Releases that are made here must meet the rules, unless others hold already."""
    token = None if _RULES.get() else _RULES.set(rules)
    try:
        yield
    finally:
        if token:
            _RULES.reset(token)


@dataclass(frozen=True)
class Held:
    """What a release reaches as a whole, and what is required of that."""

    reached: Mapping[str, float]
    required: Mapping[str, float]


def require(
    con: duckdb.DuckDBPyConnection,
    release: str,
    whose: str,
    qi: Sequence[str],
    unit: str | None,
    k: int | None,
) -> Held:
    """Does a finished release meet the rules that hold here?

    whose: the release with the unit. Errors: RefusedError, which says what to do.
    """
    rules = _RULES.get() or Rules()
    findings: list[Finding] = []
    reached: dict[str, float] = {}
    if rules.average_risk is not None:
        reached[AVERAGE_RISK] = average_risk(con, whose, qi, unit)
        findings.append(of_average(rules.average_risk, reached[AVERAGE_RISK], k))
    required = {AVERAGE_RISK: rules.average_risk} if rules.average_risk is not None else {}
    if rules.risks:
        measured = risks_of(con, whose, qi, unit, rules)
        findings += of_risks(rules, measured)
        for name, most in rules.risks.items():
            title = name.replace("_", " ")
            reached[title], required[title] = measured.get(RISKS[name][2 if rules.sample else 1], 1.0), most
    if rules.safe_harbor:
        findings += of_harbor(con, release, rules.populations)
    broken = [each.text for each in findings if not each.holds]
    if broken:
        more = [f"and {len(broken) - MOST_TOLD} more"] if len(broken) > MOST_TOLD else []
        raise RefusedError([*broken[:MOST_TOLD], *more])
    return Held(reached, required)
