"""Reports: what releases disclose, each and together, as one page for those whose data it is.

report = sqlanon.report(con, ["east", "west"], ["age", "zip"], "disease", targets="voters", id="name", k=5)
report.write("report.html")
"""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Unpack

import duckdb

from sqlanon.attack.intersection import Formats, Unknown
from sqlanon.core.connection import connection_first
from sqlanon.core.errors import InputError, UseError
from sqlanon.core.library import ensure_registered
from sqlanon.core.release import Progress
from sqlanon.core.requirements import complete
from sqlanon.core.source import Source, by_name, named, names
from sqlanon.macros.requirements import Requirements
from sqlanon.measure.practice import OF_SAMPLES, RISKS, Rules
from sqlanon.pages.page import Page
from sqlanon.pages.vega import require_extra
from sqlanon.policies.schema import LANGUAGES, check_language

if TYPE_CHECKING:
    from sqlanon.pages.disclosure_report.data import Data, Request, Shown


@dataclass(frozen=True)
class Report(Page):
    """A finished report."""

    data: Data


@dataclass(frozen=True)
class QuestionsReport(Report):
    """A report without quasi-identifiers. data: the answers of four_questions, by release."""

    data: Any


@connection_first
def report(
    con: duckdb.DuckDBPyConnection,
    releases: Iterable[Source] | Mapping[str, Source],
    qi: str | Iterable[str] | None = None,
    sensitive: str | Iterable[str] | None = None,
    hierarchies: Source = None,
    *,
    original: Source | list[Source] = None,
    held_out: Source = None,
    targets: Source = None,
    id: str | None = None,
    truth: str | Iterable[str] | None = None,
    nearest: bool | Iterable[bool] = False,
    presence: str | Iterable[str] | None = None,
    exact_cover: bool = False,
    population: Source = None,
    people: int = 20,
    tolerated: Mapping[float | str, float] | None = None,
    progress: Progress | None = None,
    weight: str | None = None,
    population_weight: str | None = None,
    attacks: str | Iterable[str] | None = None,
    parameters: Mapping[str, Any] | None = None,
    unit: str | None = None,
    controls: str | None = None,
    formats: Formats | None = None,
    unknown: Unknown = None,
    negations: Source = None,
    priors: Source = None,
    priors_by: str | Iterable[str] | None = None,
    unchanged: str | Iterable[str] | None = None,
    values_may_change: str | Iterable[str] | None = None,
    count_column: str | None = None,
    deviation_column: str | None = None,
    masked: str | Iterable[str] | None = None,
    direct: str | Iterable[str] | None = None,
    average_risk: float | None = None,
    sampling_weight: str | None = None,
    household: str | None = None,
    records_at_risk: float | None = None,
    risk_threshold: float = 0.2,
    sample_uniques: float | None = None,
    population_uniques: float | None = None,
    global_risk: float | None = None,
    language: str = LANGUAGES[0],
    **requirements: Unpack[Requirements],
) -> Report:
    """Report what releases disclose, each and together.

    The report begins with a verdict: does all hold that is required, or what not? Then come the intersection
    attack, the other attacks, the classes and their risk, and utility.

    releases: a list, or a mapping from what each is called in the report. With original, what the releases
    have lost against it; a list has one per release. With held_out as well (people of the same kind who were
    not in the original), the four questions of `four_questions`; without qi, nothing else: that works for any
    two tables, an original and a release, with or without held_out. With targets and id, the attack on these
    people, of which the `people` most exposed are listed; truth: the column of the targets with the true
    value, one per sensitive column. nearest: are all releases, or which of them, of centroids? weight: the
    column of releases and originals that says how many people each row stands for. tolerated: of how many
    people an adversary may be so sure, both in percent ({90: 5}), and the most of a measure of an attack
    ({'linking.certain': 1}); the report says whether that holds. attacks: which other attacks are made, of
    those that apply: 'all', 'none' or names; left out, all but those on two releases, which take them for
    releases of one table. parameters: as in `run_attacks`. What the adversary knows is said as there, too:
    unit and controls (columns of the targets), formats (of the targets, and of releases in the sections on
    attacks), unknown, negations, priors, priors_by, unchanged and values_may_change. count_column,
    deviation_column: of releases that are counts with noise (as in dp_counts) by the columns in qi and
    sensitive; then count_errors says what is lost, and noisy_counts_attack what is given away. masked,
    direct: columns of the releases that left as masks, and those that may name people; any other that does
    fails. average_risk: the most that the mean of 1 / the rows of a class may be in each release (above 0, at
    most 1). sampling_weight, household: columns of releases that are samples of a population, for their
    global risk (as in `risk`). records_at_risk, sample_uniques, population_uniques, global_risk: the most of
    these shares of rows (0 to 1): with a risk above risk_threshold (of a sample, the individual risk), alone
    in their class, and, of a sample, expected to be unique in the population, and to be re-identified. With a
    unit that the original has, people are counted, if it tells whose rows are in each class
    (`people_in_classes`); elsewhere it is not known whether requirements on people hold. Requirements: what
    is reached is set against them. language: en, de or fr; in the last two the page says in words what was
    found, and has the measures below, in English. All else as in the macros. The report tells what an
    adversary finds out about people: keep it as secret as the targets. Errors: InputError (also where the
    extra `report` is not installed), SqlError.
    """
    given = locals()
    given |= {name: requirements.get(name) for name in ("distinct_spellings", "missing_counts")}
    require_extra()
    check_language(language, "language")
    if not names(qi, "qi"):
        return _without_qi(con, given)
    from sqlanon.pages.disclosure_report.data import Request, Shown, chosen

    if average_risk is not None and not 0 < average_risk <= 1:
        raise InputError(f"average_risk must be above 0 and at most 1, not {average_risk}")
    risks = {risk: given[risk] for risk in RISKS if given[risk] is not None}
    for risk, most in risks.items():
        if not 0 <= most <= 1:
            raise InputError(f"{risk} must be between 0 and 1, not {most}")
        if risk in OF_SAMPLES and sampling_weight is None:
            raise InputError(f"{risk} needs sampling_weight: it is about a sample")
    if unit is not None and targets is None and original is None:
        raise UseError("unit needs targets, or original: the column says whose their rows are")
    ensure_registered(con)
    named_releases = by_name(releases)
    limits = tolerated or {}
    originals = original if isinstance(original, list) else [] if original is None else [original]
    with ExitStack() as stack:
        called: dict[str, str] = {}

        def name(source: Source, alias: str) -> str:
            known = stack.enter_context(named(con, source))
            if known.startswith("_sqlanon_"):
                called[known] = alias
            return known

        request = Request.of(
            given, named_releases, name,
            originals=[name(source, f"original_{i}") for i, source in enumerate(originals, 1)],
            held_out=None if held_out is None else name(held_out, "held_out"),
            exact_cover=exact_cover,
            population=None if population is None else name(population, "population"),
            people=people,
            tolerated={key: most for key, most in limits.items() if not isinstance(key, str)},
            tolerated_measures={key: most for key, most in limits.items() if isinstance(key, str)},
            requirements={key: value for key, value in complete(requirements).items() if value is not None},
            population_weight=population_weight,
            sampling_weight=sampling_weight,
            household=household,
            attacks=chosen(attacks),
            count_column=count_column,
            deviation_column=deviation_column,
            masked=names(masked, "masked") or [],
            direct=names(direct, "direct") or [],
            rules=Rules(
                average_risk,
                risks=risks,
                risk_threshold=risk_threshold,
                sample={role: given[role] for role in ("sampling_weight", "household") if given[role]}
                if sampling_weight is not None
                else {},
            ),
            unit=unit if targets is not None else None,
            of_people=unit is not None,
            people_by=unit,
        )  # fmt: skip
        return make(con, request, Shown(called), progress, language)


def _without_qi(con: duckdb.DuckDBPyConnection, given: Mapping[str, Any]) -> Report:
    """The report on the columns that all tables have, whatever they are."""
    unsaid = {name: each.default for name, each in inspect.signature(report).parameters.items()}
    taken = ("releases", "qi", "sensitive", "hierarchies", "original", "held_out", "progress", "con")
    for name, value in {**given, **given["requirements"]}.items():
        if name not in (*taken, "requirements") and value != unsaid.get(name):
            raise UseError(f"{name} needs qi, the quasi-identifiers")
    if given["original"] is None or isinstance(given["original"], list):
        raise UseError("give qi, the quasi-identifiers, or one original of all releases")
    ensure_registered(con)
    with ExitStack() as stack:
        called: dict[str, str] = {}

        def name_of(source: Source, alias: str) -> str:
            known = stack.enter_context(named(con, source))
            called.update({known: alias} if known.startswith("_sqlanon_") else {})
            return known

        releases = {
            shown: name_of(source, f"release_{i}")
            for i, (shown, source) in enumerate(by_name(given["releases"]).items(), 1)
        }
        original, held_out, hierarchies = (
            None if given[role] is None else name_of(given[role], role)
            for role in ("original", "held_out", "hierarchies")
        )
        return questions(
            con, releases, original or "", held_out, names(given["sensitive"], "sensitive") or [],
            hierarchies, called, given["progress"],
        )  # fmt: skip


def questions(
    con: duckdb.DuckDBPyConnection,
    releases: Mapping[str, str],
    original: str,
    held_out: str | None,
    sensitive: Sequence[str],
    hierarchies: str | None = None,
    called: Mapping[str, str] | None = None,
    progress: Progress | None = None,
) -> Report:
    """The report of the four questions on tables that have names. called: what these are in statements."""
    from sqlanon.pages.questions import Questions, columns_left_out, columns_of_all, page

    tables = {**releases, "the original": original, **({"held_out": held_out} if held_out else {})}
    common = columns_of_all(con, tables)
    left_out = columns_left_out(con, releases, common)
    about = Questions(original, common, held_out, sensitive, hierarchies, left_out)
    made = page(con, releases, about, called or {}, progress or (lambda done, message: None))
    return QuestionsReport(*made)


def make(
    con: duckdb.DuckDBPyConnection,
    request: Request,
    shown: Shown,
    progress: Progress | None = None,
    language: str = LANGUAGES[0],
) -> Report:
    """The report on tables that have names."""
    from sqlanon.core.tables import WorkTables
    from sqlanon.pages.disclosure_report import charts, data, page

    with WorkTables(con) as work:
        collected = data.collect(con, request, shown, work, progress or (lambda done, message: None))
    specs = charts.charts(collected)
    return Report(collected, specs, page.page(collected, specs, language))
