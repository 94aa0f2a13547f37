"""The options and arguments of all commands, each declared once.

A command names what it takes, in the order of its help: keys of a policy (`roles.qi`) or whole sections
(`[method]`), which sqlanon/policies/schema.py explains, and fields of `Given`. `name!` must be given here,
`name?` may be left out. What is a parameter of a macro says what the macro's comment says.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

from sqlanon.cli.values import names_in
from sqlanon.core.printing import Format
from sqlanon.perturb import perturbation
from sqlanon.policies import schema
from sqlanon.policies.levels import LEVELS
from sqlanon.policies.parsing import Options
from sqlanon.policies.schema import LANGUAGES, METHODS, SPARED

FILES = "CSV, .tab, .txt, JSON, Parquet, .xlsx, .sav, .dta, or file.duckdb::table"
FILES_AND_OUTPUT = "Files and output"
OTHER_RELEASES = "Other releases"
LISTED = "Separated by commas; may be repeated."
EMPTY = inspect.Parameter.empty


@dataclass(frozen=True)
class Field:
    """An option, or an argument of that metavar. reads: makes of the texts what the command gets.

    macro: whose comment explains its parameter, which is called as the flag. of_methods: which may take it.
    """

    metavar: str | None = None
    help: str = ""
    flag: str | None = None
    default: Any = None
    is_argument: bool = False
    reads: Callable[[str, list[str]], Any] | None = None
    macro: str | None = None
    of_methods: Sequence[str] = ()
    settings: dict[str, Any] = field(default_factory=dict)


def argument(metavar: str, help: str) -> Any:
    return Field(metavar, help, is_argument=True, settings={"show_default": False})


def option(
    metavar: str | None, help: str, flag: str | None = None, default: Any = None, **settings: Any
) -> Any:
    return Field(metavar, help, flag, default, settings=settings)


def flag(help: str, flag: str | None = None, default: bool = False) -> Any:
    return Field(None, help, flag, default)


def repeated(metavar: str, help: str, flag: str | None = None, **settings: Any) -> Any:
    return Field(metavar, f"{help} May be repeated.", flag, settings=settings)


def columns(help: str, flag: str | None = None, **settings: Any) -> Any:
    """An option that names columns."""
    return Field("COLUMNS", f"{help} {LISTED}", flag, reads=names_in, settings=settings)


def listed(metavar: str, help: str, flag: str | None = None, **settings: Any) -> Any:
    """An option with several texts."""
    return Field(metavar, help, flag, reads=names_in, settings=settings)


def written_to(metavar: str, help: str, **settings: Any) -> Any:
    return Field(metavar, help, "-o --output", settings=settings)


def of_macro(
    macro: str, flag: str | None = None, default: Any = EMPTY, of: Sequence[str] = (), **settings: Any
) -> Any:
    """An option that is a parameter of a macro. of: macros of which some have it, which help tells."""
    return Field(flag=flag, default=default, macro=macro, of_methods=of, settings=settings)


class Suppressed(StrEnum):
    """What a suppressed cell counts as."""

    value = "value"
    wildcard = "wildcard"


class Composition(StrEnum):
    """How costs add up."""

    smaller = "smaller"
    basic = "basic"


class Experiment(StrEnum):
    """What can be repeated."""

    ganta2008 = "ganta2008"


# fmt: off
PERTURBED: Any = {"default": None, "of": perturbation.METHODS}
# The macros that `sqlanon sql` prints statements of, and what each is called on the command line.
MACROS = {
    **{method: ["anonymize", "--method", method] for method in METHODS},
    **{method: ["perturb", "--method", method] for method in perturbation.METHODS},
    **{macro: [macro.replace("_", "-")] for macro in (
        "lattice", "risk", "identifiers", "quasi_identifiers", "utility", "count_errors", "disclosure",
        "record_linkage", "membership", "membership_by_counts", "closest_records", "agreeing_rows",
        "utility_of_synthetic", "unicity",
    )},
    "scheme_of_cuts": ["scheme"],
    "scheme_of_levels": ["scheme", "--method", "generalize"],
    "record_risk": ["risk", "--per-record"],
    "minimal_uniques": ["uniques"],
    "suda": ["uniques", "--scores"],
    "privacy": ["check"],
    "violations": ["check"],
    "intersection_attack": ["attack"],
    "breaches": ["attack", "--summary"],
}


class Given:
    """What a command was given. options: for keys of a policy, in sections."""

    options: Options

    def __init__(self, **values: Any) -> None:
        vars(self).update(values)

    def but(self, **others: Any) -> Given:
        """With others in place of some of it."""
        return Given(**{**vars(self), **others})

    @property
    def roles(self) -> Mapping[str, Any]:
        """What options say of columns in place of [roles]."""
        return self.options.get("roles", {})

    def of(self, names: str) -> dict[str, Any]:
        """Some of it as arguments, called as the flags are."""
        return {called(name): getattr(self, name) for name in names.split()}

    def named(self, names: str) -> dict[str, list[str]]:
        """The columns that options name, by flag."""
        given = self.of(names).items()
        return {
            f"--{name.replace('_', '-')}": [named] if isinstance(named, str) else named or []
            for name, named in given
        }

    # Tables
    input: str = argument("INPUT", f"The table: {FILES}.")
    checked: str | None = argument(
        "INPUT", f"The table: {FILES}. If the policy has [tables], give none; 'sqlanon check' then also "
        "takes the folder of a release.")
    original: str = argument("ORIGINAL", f"The table as it was: {FILES}.")
    release: str = argument("RELEASE", "What was released of it.")
    schemed_release: str = argument("RELEASE", f"The release: {FILES}.")
    releases: list[str] = argument("RELEASE...", f"The releases, each {FILES}.")
    originals: list[str] | None = option(
        "INPUT", "The original table, to measure what is lost. Once for all releases, or once per release.",
        "--original")
    raw_values: list[str] | None = repeated(
        "INPUT", "A table with raw values, from which a policy's hierarchies are built: the one that was "
        "released, and others whose values are to have a place.", "--original")
    reference: str | None = option(
        "INPUT", "The source of the release, if the release lacks rows of it (its sensitive values are those "
        "that classes are compared with), or lacks the policy's unit.", unsaid="the table itself")
    known: list[str] | None = repeated(
        "RELEASE", f"A release that is already published: {FILES}. For --composed-l.")
    known_presence: list[str] | None = columns(
        "For each --known, a column of the raw table: true if the row is, or may be, in that release.",
        "--presence")
    targets: Any = option("INPUT", "The people that an adversary knows, with raw values.")
    audited_people: str | None = option(
        "INPUT", "The people that an adversary knows, with raw values. Required if the register has a "
        "release of rows.", "--targets",
        unsaid=False)

    # Other files
    policy_file: Path | None = option(
        "FILE", "A policy file; 'sqlanon init' drafts one. Options override its keys.", "--policy")
    published_policy: Path = option(
        "FILE", "The policy: how the release is made, and in [tolerated] how much attacks may find.",
        "--policy")
    audited_policy: Path | None = option(
        "FILE", "The policy whose roles, hierarchies and bounds are used.", "--policy",
        unsaid="the last one in the register")
    answers_policy: Path = option(
        "FILE", "A policy with [answers]: what may be asked, and how it is answered.", "--policy")
    randomized_policy: Path | None = option(
        "FILE", "A policy whose [dp] says what options do not.", "--policy")
    key_file: Path | None = option(
        "FILE", "The secret key of hashes, of at least 16 bytes.",
        unsaid="the environment variable SQLANON_KEY")
    data: Path | None = option(
        "FILE", "UCI Adult (adult.data) or IPUMS (ipums.la.97, also .gz).", unsaid="a generated census")
    adult: Path | None = option("FILE", "UCI Adult (adult.data).")
    ipums: Path | None = option("FILE", "IPUMS (ipums.la.97, also .gz).")

    # What is written
    output: str | None = written_to("OUTPUT", f"Where the release goes: {FILES}.", unsaid="stdout")
    scheme_output: str | None = written_to(
        "OUTPUT", "Where the scheme goes; recode takes a .parquet file.", unsaid="stdout")
    published_output: str = written_to(
        "FILE", "The file of the release: a .csv, .tsv, .json or .parquet file that does not exist yet. With "
        "[tables]: a folder.")
    page_file: Path | None = written_to("FILE", "Where the page goes, such as report.html.")
    decision_page: Path | None = option(
        "FILE", "Write a page that says whether the table may be published, and why, such as decision.html, "
        "also if it is refused; and decision.json with the same facts for programs.", "--page")
    language: str | None = option(
        "LANGUAGE", f"The language of the page: {', '.join(LANGUAGES)}.",
        unsaid="judge.language of the policy, or en")
    level: str = option(
        "LEVEL", f"Who gets the releases, which [tolerated] follows: {', '.join(LEVELS)}.", "--for",
        default=next(iter(LEVELS)))
    draft_seconds: float = option(
        None, "How long releases are made to measure the draft; 0: not at all.", "--seconds", 20, min=0)
    applied_repairs: list[str] | None = listed(
        "NUMBERS", "Make repairs that are left to you, of sensitive columns and of what may be a value: the "
        f"numbers under which init lists them. {LISTED}", "--apply")
    first_policy: Path | None = written_to("FILE", "Where the policy goes.", unsaid="stdout")
    library_file: Path | None = written_to(
        "FILE", "Where the script goes (.sql), or the library as a file to attach (.duckdb).", unsaid=""
        "stdout")
    folder: Path = written_to("FOLDER", "Where page, figures and data go.")
    page_folder: Path | None = written_to("FOLDER", "Write the page there, to be hosted as files.")
    sensitive_output: str | None = option(
        "OUTPUT", "Where the sensitive values of each bucket go, which OUTPUT then lacks. For anatomize.")
    force: bool = flag("Replace the output if it exists.")
    format: Format | None = option(None, "How rows are printed.", unsaid="table on a terminal, csv otherwise")
    sql: bool = flag(
        "Print the SQL statement, and do not run it. Any DuckDB client that has run the script of 'sqlanon "
        "sql' can.")
    steps: bool = flag(
        "Like --sql, but as several statements to run one by one, with a temporary table per relation.")
    plain: bool = flag(
        "Of MACRO: one statement without any macro of sqlanon, for a review, or where none may be attached.")

    # Columns
    looked_at: Any = columns("The columns to look at.", "--columns")
    compared: list[str] = columns("The columns that are compared.", "--columns")
    changed: list[str] = columns("What is changed.", "--columns")
    hash: list[str] | None = columns("What leaves as a keyed hash (HMAC-SHA256).")
    partial: list[str] | None = option("COLUMN=N,...", "What leaves with its last N characters only.")
    email: list[str] | None = columns("What leaves as the first character and the part from the @ on.")
    weight: str | None = option("COLUMN", schema.ROLES['weight'].help)
    record_id: str | None = option("COLUMN", "The column that names the records.", "--id")
    row_id: Any = option("COLUMN", "The column of both that says which row is which.", "--id")
    id: Any = option("COLUMN", "The column of the targets that names them.")
    person_id: str = option("COLUMN", "The column that says who is who. It does not leave.", "--id")

    # A check, and risks
    suppressed: Suppressed = option(
        None, "What a suppressed cell counts as: one more value, or a wildcard that may be any value.",
        default=Suppressed.value)
    released: bool | None = option(
        None, "What the table has, when it is compared with --population: labels of a release, such as "
        "130**, or raw values.",
        "--released/--raw", unsaid="released if some value cannot be a raw one")
    max_size: int = of_macro("quasi_identifiers", metavar="N")
    fraction: float | None = option(
        "SHARE", "The share of the population that the table is a sample of, between 0 and 1.")
    populations: str | None = of_macro("safe_harbor", metavar="FILE")
    risk_threshold: float | None = of_macro("risk", "--threshold", None, min=0, max=1)
    risk_formula: str | None = of_macro("risk", default=None, metavar="NAME")
    wished_global_risk: float | None = of_macro("risk", default=None, min=0, max=1)
    per_record: bool = flag("Print the risk of every record, with its columns in --qi and --keep.")
    scores: bool = flag("Print how special every record is (SUDA), not its sets of columns.")
    sample: int | None = of_macro("quasi_identifiers", metavar="ROWS")
    sample_seed: int | None = of_macro("quasi_identifiers", "--seed", None)

    # A comparison
    queries: int = of_macro("utility")
    query_seed: int = of_macro("utility", "--seed")
    held_out: str | None = option(
        "FILE", "Raw rows of people of the same kind who were not in the original: what is known of them is "
        "not due to the release.")
    each_marginal: list[str] | None = repeated(
        "COLUMNS", "The columns by which a table counts; once for each table, in their order.", "--marginal")
    counted: str = of_macro("membership_by_counts", "--count-column")
    noise: str | None = of_macro("membership_by_counts", "--deviation-column")
    others: str = of_macro("membership_by_counts", "--reference", metavar="INPUT")
    count_column: Any = of_macro("count_errors")
    deviation_column: Any = of_macro("count_errors")
    within: float = of_macro("disclosure", min=0)

    # A perturbation
    perturbation: str = option("NAME", f"One of {', '.join(perturbation.METHODS)}.", "--method")
    retain: float | None = of_macro("pram", **PERTURBED)
    strata: list[str] | None = of_macro("pram", **PERTURBED)
    rank_p: float | None = of_macro("rank_swap", "--p", **PERTURBED)
    scale: float | None = of_macro("add_noise", **PERTURBED)
    value_base: float | None = of_macro("round_values", "--base", **PERTURBED)
    coding_threshold: str | None = of_macro("top_code", "--threshold", **PERTURBED)
    share: float | None = of_macro("top_code", **PERTURBED)
    replacement: str | None = of_macro("top_code", **PERTURBED)
    draw_seed: int | None = of_macro("pram", "--seed")
    max_risk: float = of_macro("suppress_above_risk", min=0, max=1)

    # m-invariance
    m: int = of_macro("m_invariance")
    previous: str | None = option("FILE", "The state after the release before; none, if this is the first.")
    state: str = option(
        "FILE", "Where the state after this release goes: .parquet or file.duckdb::table. Keep it secret.")
    group_id: str | None = of_macro("m_invariance")

    # An attack
    kind: str = option(
        "NAME", "One of what 'sqlanon attacks' lists, or all: every one that applies, summarized.", default=
        "intersection_attack")
    explained: str | None = argument("NAME", "The attack to explain.")
    attacked: list[str] | None = columns(
        "The sensitive columns of the releases, to be learned.", "--sensitive")
    truth: list[str] | None = columns(
        "The columns of the targets with the true values, one per sensitive column: tells how often the "
        "attack is right.")
    controls: str | None = option(
        "COLUMN", "A boolean column of the targets: true for people known not to be in the release. What is "
        "learned about them does not come from rows of theirs. Not for the intersection attack.")
    settings: list[str] | None = repeated(
        "NAME=VALUE", "A parameter of the attack: k=2. With several attacks it goes to those that require "
        "it; linking.k=2 goes to linking alone.", "--set")
    presence: list[str] | None = columns(
        "A column of the targets per release that says (true or false) who is in it.")
    nearest: list[str] | None = repeated(
        "RELEASE", "One of the releases, if it is of centroids (as microaggregate makes them): people are at "
        "the nearest.")
    exact_cover: bool = flag("If the targets are everybody in a class, rule out what the others must have.")
    formats: list[str] | None = repeated(
        "COLUMN=FORMAT", "How the releases write a quasi-identifier, such as age=range (25-30, 50+), "
        "'job=set /', list, 'zip=mask x', 'age=between age_min and age_max' or 'sex=one-hot sex_'. "
        "RELEASE.COLUMN=FORMAT is for one release alone, targets.COLUMN=FORMAT for the targets, if they have "
        "ranges, sets or masks. Several are separated by commas.")
    unknown: list[str] | None = repeated(
        "TEXT", "How the targets' file writes a quasi-identifier that is not known, such as '?'; NULL for an "
        "empty cell.", unsaid="none is; an empty cell is a value")
    negations: str | None = of_macro("intersection_attack")
    priors: str | None = of_macro("intersection_attack")
    priors_by: list[str] | None = of_macro("intersection_attack")
    unchanged: list[str] | None = of_macro("intersection_attack")
    distinct_spellings: list[str] | None = of_macro("homogeneity")
    missing_counts: bool | None = of_macro("homogeneity", flag="--missing-counts")
    values_may_change: list[str] | None = columns(
        "Columns of --sensitive and --unchanged whose values may differ from release to release, such as a "
        "diagnosis. Without it, values are taken to stay.")
    tolerated: list[str] | None = repeated(
        "WHAT=MOST", "Of how many people an adversary may be so sure, both in percent, such as 90=5; or the "
        "most of a measure of an attack, such as linking.certain=1. The page says whether that holds.")
    tolerated_measures: list[str] | None = repeated(
        "ATTACK.MEASURE=MOST", "The most of a measure of an attack, such as linking.certain=1: the exit code "
        "is 1 if that does not hold. With --kind all.", "--tolerated")
    max_targets: int | None = option(
        "N", "Attack a random sample of N targets (faster). A bound holds only if the upper end of the 95 % "
        "interval is below it, so a bound of 0 can never hold.", min=1, unsaid="all")
    summary: bool = flag("Print the measures over all targets, not the targets.")
    people: int = option(
        "N", "How many of the most exposed are listed, by name; 0 names nobody.", default=20, min=0)
    other_attacks: list[str] | None = listed(
        "NAMES", "Which other attacks are made, of those that apply: all, none, or names that 'sqlanon "
        "attacks' lists, separated by commas.", "--attacks",
        unsaid="all but those on pairs of releases, which take them for releases of one table")

    # Questions
    question: str = argument("QUESTION", "A question in SQL, as one argument (in quotes).")

    # A register
    register: Path = argument("REGISTER", "The register of releases, a DuckDB file.")
    made_register: Path = argument(
        "REGISTER", "The register of releases, a DuckDB file, which is made if it is not there.")
    register_file: Path = option(
        "FILE", "The register of releases, a DuckDB file. It is created if it does not exist.", "--register")
    answers_register: Path | None = option(
        "FILE", "The register with the release, the budget or the earlier answers: a DuckDB file.",
        "--register",
        unsaid="answers.register of the policy")
    ledger: Path = option("FILE", "The register of releases, with a budget of the source.", "--register")
    accept: list[str] | None = repeated(
        "NAME=REASON", "Accept a verdict of 'not known', by its name in the table of verdicts, with a "
        "reason: evidence.leavers='they were told'; for one column only: 'evidence.spelling:sex=they "
        "differ'. The register keeps the reason.", unsaid=False)
    earlier: list[str] | None = repeated(
        "NAME=FILE", "The source table of an earlier release, by the name of the release in the register: "
        "people who have left or moved since are attacked as they were then.", unsaid=False)
    accept_past: str | None = option(
        "REASON", "Accept, once and with a reason, that some people are above a bound who were above it "
        "before the new release. This holds only for these people and for what is published now.",
        unsaid=False)
    accepted_by: str | None = option(
        "NAME", "The person who gives the reasons of --accept and --accept-past, and what --map-columns, "
        "--called, --gone, --map-words and --words say; the name is kept.", unsaid="user and machine")
    accepted_until: str | None = option(
        "DATE", "The last day on which --accept and --accept-past hold, such as 2027-06-30.", unsaid="no end")
    judge_seconds: float | None = option(
        "SECONDS", "Stop the attacks after so many seconds. What is not finished by then is not known.",
        "--seconds", min=0, unsaid="no limit")
    remedies: float | None = option(
        "SECONDS", "If the release is refused, try changes of the policy for so many seconds, and print with "
        "which of them it would be published, and what each costs.", min=1, unsaid=False)
    applied: int | None = option(
        "NUMBER", "Publish with the change that --remedies prints under this number, if it helps, and write "
        "it into the policy.", "--apply", min=1)
    all_attacks: bool = flag("Also make the attacks of which the policy tolerates any result (100 %).")
    confirm: str | None = option(
        "NAME", "For a draft (confirmed = false): show the roles of the columns, ask whether they are right, "
        "and write into the policy that NAME has confirmed them, and when.")
    map_words: bool = flag(
        "If earlier releases seem to have other words for the same value (F, today Femme), show them, ask "
        "whether they mean the same, and write the answer into the register.")
    changing: list[str] | None = columns(
        "Columns that are released unchanged and in which somebody may have another value in another "
        "release, such as the diagnosis of a claim; the policy gets it as judge.values_may_change.",
        "--values-may-change", unsaid="as the policy says")
    folded: list[str] | None = columns(
        "Columns in which spellings that differ in blanks and case are one value (flu, FLU); the policy gets "
        "them as input.fold.", "--fold", unsaid="as the policy says")
    means_missing: list[str] | None = listed(
        "TEXTS", "Further texts that mean that a value is missing: --missing n/a,unknown. The policy gets "
        "them as input.missing.", "--missing", unsaid="as the policy says")
    table_alone: bool = flag(
        "Leave out titles before the header, and sums and notes behind the table; the policy gets it as "
        "input.only_table.", "--only-table")
    map_columns: bool = flag(
        "If the file lacks columns of the policy, show which of its columns they may be (date of birth, last "
        "month birth), ask whether they are, and write the answer into the policy.")
    called: list[str] | None = repeated(
        "COLUMN=NAME", "What the file calls a column of the policy: birth=geboren. The policy gets it as "
        "input.called, with who says so.", unsaid=False)
    gone: list[str] | None = columns(
        "Columns of the policy that files have no more. The policy gets them as input.gone, with who says "
        "so.", unsaid=False)
    words: list[str] | None = repeated(
        "COLUMN:WORD=TODAY", "What a word of earlier releases is today: sex:F=1,M=2. The register gets "
        "it, with who says so.", unsaid=False)
    yes: bool = flag(
        "Answer yes to the questions of --confirm, --map-columns and --map-words, in a script.")
    dry_run: bool = flag("Print what would happen, and write nothing.")
    wait: float = option(
        "SECONDS", "How long to wait while another process uses the register.", default=0, min=0)
    name: str | None = option("NAME", "The name of the release in the register.", unsaid="that of its file")
    period: str | None = option(
        "PERIOD", "The date or month for which the table counts people, such as 2026-04. For tables of "
        "counts, and for rows that are compared with them.",
        unsaid="table.period of the policy, or none")
    entry: str = argument("NAME", "Its name or number.")
    mapped_qi: list[str] = columns(
        "Its quasi-identifiers, each with what we call it where that is another name: alter=age.", "--qi")
    mapped_dimensions: list[str] = columns(
        "What it is grouped by, each with what we call it where that is another name: station=ward.",
        "--dimensions")
    filter_of: str = option(
        "CONDITION", "Whom it counts: conditions with AND between them, such as age > 30.", "--filter",
        default="", unsaid="everybody")
    mapped_sensitive: list[str] | None = columns(
        "Its sensitive columns, each with what we call it: diagnosis=disease. income=income says that it is "
        "none of ours.", "--sensitive")
    names: list[str] | None = columns("What we call its columns: diagnosis=disease.")
    values: str | None = option(
        "FILE", "How it spells values: a table with the columns column (as we call it), theirs and ours.",
        unsaid=False)
    forgotten: str = argument("PEOPLE", "A table of the people to be forgotten.")
    of_centroids: bool = flag("It is of centroids: people are found at the nearest.", "--nearest", False)
    attacks: list[str] | None = listed(
        "NAMES", "Make only these, separated by commas; 'sqlanon attacks' lists them.",
        unsaid="all that apply")

    # Budgets
    source: str = option("NAME", "What the data is called in the register, whatever file it is in.")
    paid_by: str | None = option(
        "NAME", "What the data is called in the register, where its budget is declared.", "--source",
        unsaid="as the policy says")
    part: str | None = option(
        "I/N", "Only the units of part I of N, by a hash of the unit: parts of the same N do not add up.",
        unsaid="all units")
    budget_unit: str | None = option(
        "COLUMN", "The column that says whose a row is.", "--unit", unsaid="each row is a person")
    epsilon: float = option(None, "The most that all releases may cost together.")
    delta: float = option(None, "Likewise, such as 1e-6.", default=0)
    composition: Composition = option(
        None, "basic: costs are summed up. smaller: or added up as zero-concentrated differential privacy, "
        "if that comes to less; for costs that are not chosen by looking at earlier answers.",
        default=Composition.smaller)

    # Experiments
    experiment: Experiment = argument("", "The paper.")
    census_seed: int = option(None, "Of the generated census and of the subsets.", "--seed", 1)
    ks: list[int] | None = option(None, "May be repeated.", "--k", min=2, unsaid="5, 10, 20")
    seeds: int | None = option("N", "How many.", min=1, unsaid="5; 1 with --quick")
    quick: bool = flag("A part of it, in a few minutes.")
    workers: int | None = option("N", "How many processes.", min=1, unsaid="one per processor")

    # A frontier
    choice_ks: list[str] | None = listed(
        "N,...", f"The k of the choices, in place of the policy's. {LISTED}", "--k", unsaid="2,5,10,25")
    choice_methods: list[str] | None = listed(
        "NAME,...", f"The methods, of {', '.join(METHODS)}. {LISTED}", "--method",
        unsaid="mondrian,optimal,k_similar")
    risk: str | None = option(
        "NAME", "What risk is: guess_gain (people whose value is guessed right with the release, less those "
        "without it), sure_90 (of whom an adversary is at least 90 % sure), forecast (of whom only the true "
        "value is left once one more release comes out), or reidentification (the highest).",
        unsaid="guess_gain; reidentification without --sensitive")
    loss: str | None = option(
        "NAME", "What loss is: gcp, query_error (the mean), suppressed or prediction_error.",
        unsaid="gcp, or query_error where a method has no gcp")
    all_rows: bool = flag(
        "Measure with all rows of a table of more than 200,000, in place of three samples of 20,000.")
    choice_suppression: float | None = option(
        None, "The share of rows that may be suppressed, for generalize, optimal, samarati and datafly.",
        "--suppression-limit", min=0, max=1, unsaid="0.02, or what the policy says")
    spare: list[str] | None = columns(
        f"Quasi-identifiers that matter: they stay finer than others, which lose more (weights of {SPARED}).")
    choice_time: float = option(
        None, "Seconds after which optimal takes the best so far.", "--time-limit", 15, min=0)

    # The script and the page
    macro: str | None = argument("MACRO", f"One of {', '.join(MACROS)}.")
    port: int = option(None, "Where it is served; 0: at any that is free.", default=0, min=0, max=65535)
    browser: bool = flag("Open it in a browser.", "--browser/--no-browser", True)
    packages: Path | None = option(
        "FOLDER", "Where the packages from npm are, as 'npm pack' makes them; else they are fetched, once.",
        "--from")

    # Tables of counts and sums
    cells: str = argument(
        "INPUT", "The rows of people, the cells that 'sqlanon table cells' makes of them, or a table of "
        f"their counts with totals: {FILES}.")
    rows: str = argument("INPUT", f"The rows of people: {FILES}.")
    published: str = argument("INPUT", f"The table as it is published: {FILES}.")
    several_published: list[str] = argument("TABLE...", f"The tables as they are published, each {FILES}.")
    all_dimensions: list[str] | None = listed(
        "COLUMNS", "What the tables are grouped by; each has some of these. Not for tables of one number.",
        "--dimensions")
    filters: list[str] | None = repeated(
        "TABLE=CONDITION", "Whom a table counts, such as 'over_30=age > 30' for over_30.csv: conditions with "
        "AND between them.", "--filter")
    periods: list[str] | None = repeated(
        "TABLE=PERIOD", "As of when a table counts, such as april=2026-04.", "--period")
    released_rows: list[str] | None = repeated(
        "INPUT", "A release of rows about the same people, everybody with one row in it (or several: "
        "--overlapping).", "--rows")
    growing: bool | None = of_macro("tables_together")
    varying: list[str] | None = of_macro("tables_together")
    domain: str | None = of_macro("tables_together", metavar="INPUT")
    width: int = of_macro("tables_together", "--threshold", min=1)
    sum_column: str | None = of_macro("tables_together")
    mean_column: str | None = of_macro("tables_together")
    printed: int | None = of_macro("tables_together", "--decimals", min=0)
    measure_least: float = of_macro("tables_together")
    measure_most: float | None = of_macro("tables_together")
    measure_step: float | None = of_macro("tables_together")
    percent: float = of_macro("tables_together", min=0, max=100)
    max_atoms: int = of_macro("tables_together", min=1)
    known_domain: str = option(
        "INPUT", "All values that each column can have: a table of attribute and value.", "--domain")
    measured: str | None = of_macro("reconstruct")
    mean: str | None = option("COLUMN", "The column with printed means of --measured.")
    median: str | None = option("COLUMN", "The column with medians of --measured.")
    decimals: int | None = of_macro("reconstruct", min=0)
    max_sets: int = of_macro("reconstruct", min=1)
    some_cells: bool = flag("A combination of labels without a row is not known; otherwise it counts 0.")
    dimensions: list[str] | None = listed(
        "COLUMNS", "What the cells are grouped by.", unsaid="a table of one number")
    measure: str | None = option("COLUMN", "The column that is added up; people are counted, if not given.")
    unit: str | None = option(
        "COLUMN", "The column that says whose a row is, where people have several rows: people are counted.")
    linked: list[str] | None = option(
        "COLUMNS", "One of several tables that are published together, by some of --dimensions; once for "
        "each.")
    total: str = option("TEXT", "What marks a total.", default="total")
    threshold: int | None = option(
        None, "Unsafe: cells with fewer people than this, but not empty ones.", min=1)
    zeros: bool = of_macro("unsafe_cells")
    dominance: str | None = option(
        "ONE,TWO", "Percentages of a sum that the largest contribution, and the largest two, may have: "
        "75,85.")
    p: float | None = of_macro("unsafe_cells")
    q: float = of_macro("unsafe_cells")
    response: str | None = of_macro("unsafe_cells")
    cost: str = of_macro("suppress_cells")
    shown: str | None = option("INPUT", "Cells that must be shown: a table of --dimensions.", "--publish")
    reasons: bool = flag("Also say why a cell is hidden, in a column for the publisher alone.")
    sums: bool = flag("The values are sums, not counts.")
    seconds: float = option(None, "How long linear programs take at most.", default=60, min=0)
    value: str = option("COLUMN", "The column with what is published.", default="value")
    marks: list[str] | None = listed(
        "TEXTS", "Further texts that stand for a hidden value, beside nothing, * . .. ... : c x, c or x in "
        "square brackets, and Suppressed.")
    nil: list[str] | None = listed("TEXTS", "Texts that mean 0, such as a dash: --nil -.")
    wide: str | None = option(
        "DIMENSION=COLUMNS", "Of a table with a column for each category: these columns, and what they are "
        "categories of, such as diagnosis=flu,gout,total.")
    totals: list[str] | None = repeated(
        "TEXT", "What marks a total, such as 'Both sexes'; '' if its label is empty.", "--total",
        unsaid="total")
    own_counts: str | None = option(
        "COLUMN", "Of a table of counts of your own, with totals: the column with the counts.", "--value",
        unsaid="value, if some label is that of a total")
    base: float | None = of_macro("cell_bounds")
    rounding: str = option("NAME", "How: nearest, random, midpoint or controlled.", default="nearest")
    rounded_to: float = of_macro("round_cells", "--base")
    rounding_seed: int | None = of_macro("round_cells", "--seed")
    ptable: str | None = of_macro("cell_keys", metavar="INPUT")
    largest: int | None = of_macro("perturbation_table", default=None)
    variance: float | None = of_macro("perturbation_table", default=None)
    blocked: int = of_macro("perturbation_table")
    repeating: int = of_macro("cell_keys")
    record_key: str | None = option("COLUMN", "A random whole number that everybody keeps.")
    most: float | None = of_macro("cell_bounds")
    least: float | None = of_macro("cell_bounds")
    overlapping: bool = flag("People can be in several cells: totals are no sums.")
    page: Path | None = option("FILE", "Where a page of the table goes: page.html.")
    integer: bool = flag("Integer programs, too, which may take long.")

# fmt: on

FIELDS: dict[str, Field] = {name: vars(Given)[name] for name in Given.__annotations__ if name != "options"}
for _name in FIELDS:
    delattr(Given, _name)  # nobody takes what an option is for what was given


def called(name: str) -> str:
    """The name of a field as its flag has it."""
    flag = FIELDS[name].flag if name in FIELDS else None
    return (flag or name).split()[-1].lstrip("-").replace("-", "_")


def flags_of(name: str) -> list[str]:
    """Of an option of that name."""
    flag = FIELDS[name].flag if name in FIELDS else None
    return flag.split() if flag else [f"--{name.replace('_', '-')}"]
