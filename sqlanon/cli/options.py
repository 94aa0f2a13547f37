"""The options and arguments of all commands, each declared once.

Those that are keys of a policy are made from sqlanon/policies/schema.py: a command names them in `takes`. The
others are types of parameters: `id: TargetId[str]` must be given, `id: TargetId[str | None] = None` may be.
"""

import functools
import inspect
from collections.abc import Callable, Iterator, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer

from sqlanon.cli.values import assignment_in, names_in, numbers_in, types_in
from sqlanon.core.errors import UseError
from sqlanon.core.printing import Format
from sqlanon.perturb import perturbation
from sqlanon.policies import schema
from sqlanon.policies.parsing import parameters_of
from sqlanon.policies.schema import METHODS, SECTIONS

T = TypeVar("T")

FILES = "CSV, JSON, Parquet, .xlsx, or file.duckdb::table"


def _columns(flag: str, description: str, **more: Any) -> Any:
    """An option that names columns."""
    help = f"{description} Separated by commas; may be repeated."
    return typer.Option(flag, metavar="COLUMNS", help=help, **more)


# Tables

FILES_AND_OUTPUT = "Files and output"
OTHER_RELEASES = "Other releases"

Input = Annotated[str, typer.Argument(metavar="INPUT", help=f"The table: {FILES}.", show_default=False)]
Original = Annotated[
    str, typer.Argument(metavar="ORIGINAL", help=f"The table as it was: {FILES}.", show_default=False)
]
Released = Annotated[
    str, typer.Argument(metavar="RELEASE", help="What was released of it.", show_default=False)
]
SchemedRelease = Annotated[
    str, typer.Argument(metavar="RELEASE", help=f"The release: {FILES}.", show_default=False)
]
Releases = Annotated[
    list[str], typer.Argument(metavar="RELEASE...", help=f"The releases, each {FILES}.", show_default=False)
]
Originals = Annotated[
    list[str] | None,
    typer.Option(
        "--original",
        metavar="INPUT",
        help="The table as it was: tells what is lost. Once for all releases, or once per release.",
    ),
]
RawValues = Annotated[
    list[str] | None,
    typer.Option(
        "--original",
        metavar="INPUT",
        help="A table with raw values, from which a policy's hierarchies are built: the one that was "
        "released, and others whose values are to have a place. May be repeated.",
    ),
]
Reference = Annotated[
    str | None,
    typer.Option(
        "--reference",
        metavar="INPUT",
        help="The table whose sensitive values classes are compared with: "
        "the source of a release that lacks rows, or the unit.",
        show_default="the table itself",
    ),
]
Known = Annotated[
    list[str] | None,
    typer.Option(
        "--known",
        metavar="RELEASE",
        help=f"A release that is out already: {FILES}. For --composed-l; may be repeated.",
        rich_help_panel=OTHER_RELEASES,
    ),
]
KnownPresence = Annotated[
    list[str] | None,
    _columns(
        "--presence",
        "A column of the raw table per --known: true says that a row is, or may be, in that release.",
        rich_help_panel=OTHER_RELEASES,
    ),
]
Targets = Annotated[
    T,
    typer.Option("--targets", metavar="INPUT", help="The people that an adversary knows, with raw values."),
]

# Other files

PolicyFile = Annotated[
    Path | None,
    typer.Option(
        "--policy",
        metavar="FILE",
        help="A policy file; 'sqlanon init' drafts one. Options override its keys.",
        rich_help_panel=FILES_AND_OUTPUT,
    ),
]
KeyFile = Annotated[
    Path | None,
    typer.Option(
        "--key-file",
        metavar="FILE",
        help="The secret key of hashes, of at least 16 bytes.",
        show_default="the environment variable SQLANON_KEY",
        rich_help_panel=FILES_AND_OUTPUT,
    ),
]
CensusFile = Annotated[
    Path | None,
    typer.Option(
        "--data",
        metavar="FILE",
        help="UCI Adult (adult.data) or IPUMS (ipums.la.97, also .gz).",
        show_default="a generated census",
    ),
]
Adult = Annotated[Path | None, typer.Option("--adult", metavar="FILE", help="UCI Adult (adult.data).")]
Ipums = Annotated[Path | None, typer.Option("--ipums", metavar="FILE", help="IPUMS (ipums.la.97, also .gz).")]

# What is written


def _output(metavar: str, description: str, **more: Any) -> Any:
    return typer.Option("-o", "--output", metavar=metavar, help=description, **more)


Output = Annotated[str | None, _output("OUTPUT", f"Where the release goes: {FILES}.", show_default="stdout")]
SchemeOutput = Annotated[
    str | None,
    _output("OUTPUT", "Where the scheme goes; recode takes a .parquet file.", show_default="stdout"),
]
SensitiveOutput = Annotated[
    str | None,
    typer.Option(
        "--sensitive-output",
        metavar="OUTPUT",
        help="Where the sensitive values of each bucket go, which OUTPUT then lacks. For anatomize.",
        rich_help_panel=FILES_AND_OUTPUT,
    ),
]
Tolerated = Annotated[
    list[str] | None,
    typer.Option(
        "--tolerated",
        metavar="WHAT=MOST",
        help="Of how many people an adversary may be so sure, both in percent, such as 90=5; or the most of "
        "a measure of an attack, such as linking.certain=1. The page says whether that holds. "
        "May be repeated.",
    ),
]
ToleratedMeasures = Annotated[
    list[str] | None,
    typer.Option(
        "--tolerated",
        metavar="ATTACK.MEASURE=MOST",
        help="The most of a measure of an attack, such as linking.certain=1: the exit code is 1 if that does "
        "not hold. With --kind all. May be repeated.",
    ),
]
MaxTargets = Annotated[
    int | None,
    typer.Option(
        "--max-targets",
        metavar="N",
        min=1,
        help="Attack a random sample of N targets (faster). A bound holds only if the upper end of the 95 % "
        "interval is below it, so a bound of 0 can never hold.",
        show_default="all",
    ),
]
PublishedPolicy = Annotated[
    Path,
    typer.Option("--policy", metavar="FILE", help="The policy. Its [tolerated] says what attacks may find."),
]
AuditedPolicy = Annotated[
    Path | None,
    typer.Option(
        "--policy",
        metavar="FILE",
        help="The policy whose roles, hierarchies and bounds hold.",
        show_default="the last one in the register",
    ),
]
Register = Annotated[
    Path,
    typer.Argument(metavar="REGISTER", help="The register of releases, a DuckDB file.", show_default=False),
]
LedgerOption = Annotated[
    Path,
    typer.Option("--register", metavar="FILE", help="The register of releases, with a budget of the source."),
]
RegisterOption = Annotated[
    Path,
    typer.Option(
        "--register",
        metavar="FILE",
        help="The register of releases, a DuckDB file, which is made if it is not there.",
    ),
]
MadeRegister = Annotated[
    Path,
    typer.Argument(
        metavar="REGISTER",
        help="The register of releases, a DuckDB file, which is made if it is not there.",
        show_default=False,
    ),
]
PublishedOutput = Annotated[
    str,
    _output("FILE", "Where the release goes: a .csv, .tsv, .json or .parquet file that is not there yet."),
]
Accept = Annotated[
    list[str] | None,
    typer.Option(
        "--accept",
        metavar="NAME=REASON",
        help="Accept that something is not known, by its name in the table of verdicts, and say why: "
        "evidence.leavers='they were told'. The register keeps the reason. May be repeated.",
        show_default=False,
    ),
]
AcceptPast = Annotated[
    str | None,
    typer.Option(
        "--accept-past",
        metavar="REASON",
        help="Accept, once, that people are above a bound who were so without the new release, and say why. "
        "It counts for these people and for what is out now, for nobody else and nothing later.",
        show_default=False,
    ),
]
JudgeTime = Annotated[
    float | None,
    typer.Option(
        "--time-limit",
        metavar="SECONDS",
        min=0,
        help="Stop attacking after so many seconds. What was not found out by then is not known.",
        show_default="no limit",
    ),
]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Tell what would happen, and write nothing.")]
Wait = Annotated[
    float,
    typer.Option(
        "--wait", metavar="SECONDS", min=0, help="How long to wait while somebody else has the register."
    ),
]
EntryName = Annotated[
    str | None,
    typer.Option(
        "--name",
        metavar="NAME",
        help="What the release is called in the register.",
        show_default="as its file",
    ),
]
EntryNameOrNumber = Annotated[
    str, typer.Argument(metavar="NAME", help="Its name or number.", show_default=False)
]
MappedQi = Annotated[
    list[str],
    _columns(
        "--qi", "Its quasi-identifiers, each with what we call it where that is another name: alter=age."
    ),
]
MappedSensitive = Annotated[
    list[str] | None,
    _columns(
        "--sensitive",
        "Its sensitive columns, each with what we call it: diagnosis=disease. income=income says that it is "
        "none of ours.",
    ),
]
MappedNames = Annotated[list[str] | None, _columns("--names", "What we call its columns: diagnosis=disease.")]
Spellings = Annotated[
    str | None,
    typer.Option(
        "--values",
        metavar="FILE",
        help="How it spells values: a table with the columns column (as we call it), theirs and ours.",
        show_default=False,
    ),
]
Forgotten = Annotated[
    str, typer.Argument(metavar="PEOPLE", help="A table of the people to be forgotten.", show_default=False)
]
OfCentroids = Annotated[
    bool, typer.Option("--nearest", help="It is of centroids: people are found at the nearest.")
]
OnlyAttacks = Annotated[
    list[str] | None,
    typer.Option(
        "--attacks",
        metavar="NAMES",
        help="Make only these, separated by commas; 'sqlanon attacks' lists them.",
        show_default="all that apply",
    ),
]
PageFile = Annotated[Path | None, _output("FILE", "Where the page goes, such as report.html.")]
FirstPolicyFile = Annotated[Path | None, _output("FILE", "Where the policy goes.", show_default="stdout")]
LibraryFile = Annotated[
    Path | None,
    _output(
        "FILE",
        "Where the script goes (.sql), or the library as a file to attach (.duckdb).",
        show_default="stdout",
    ),
]
Folder = Annotated[Path, _output("FOLDER", "Where page, figures and data go.")]
Force = Annotated[
    bool, typer.Option("--force", help="Replace the output if it exists.", rich_help_panel=FILES_AND_OUTPUT)
]
Printed = Annotated[
    Format | None,
    typer.Option(
        "--format",
        help="How rows are printed.",
        show_default="table on a terminal, csv otherwise",
        rich_help_panel=FILES_AND_OUTPUT,
    ),
]
Sql = Annotated[
    bool,
    typer.Option(
        "--sql",
        help="Print the SQL statement, and do not run it. Any DuckDB client that has run the script of "
        "'sqlanon sql' can.",
        rich_help_panel=FILES_AND_OUTPUT,
    ),
]

Steps = Annotated[
    bool,
    typer.Option(
        "--steps",
        help="Like --sql, but as several statements to run one by one, with a temporary table per relation.",
        rich_help_panel=FILES_AND_OUTPUT,
    ),
]

# Columns

LookedAt = Annotated[T, _columns("--columns", "The columns to look at.")]
Compared = Annotated[list[str], _columns("--columns", "The columns that are compared.")]
Changed = Annotated[list[str], _columns("--columns", "What is changed.")]
Strata = Annotated[
    list[str] | None, _columns("--strata", "Values come from rows with the same values of these. For pram.")
]
Hash = Annotated[list[str] | None, _columns("--hash", "What leaves as a keyed hash (HMAC-SHA256).")]
Partial = Annotated[
    list[str] | None,
    typer.Option("--partial", metavar="COLUMN=N,...", help="What leaves with its last N characters only."),
]
Email = Annotated[
    list[str] | None, _columns("--email", "What leaves as the first character and the part from the @ on.")
]
Weight = Annotated[str | None, typer.Option("--weight", metavar="COLUMN", help=schema.ROLES["weight"].help)]
RecordId = Annotated[
    str | None, typer.Option("--id", metavar="COLUMN", help="The column that names the records.")
]
RowId = Annotated[
    T, typer.Option("--id", metavar="COLUMN", help="The column of both that says which row is which.")
]
TargetId = Annotated[
    T, typer.Option("--id", metavar="COLUMN", help="The column of the targets that names them.")
]
Attacked = Annotated[
    list[str] | None, _columns("--sensitive", "The sensitive columns of the releases, to be learned.")
]
Controls = Annotated[
    str | None,
    typer.Option(
        "--controls",
        metavar="COLUMN",
        help="A boolean column of the targets: true for people known not to be in the release. What is "
        "learned about them does not come from rows of theirs. Not for the intersection attack.",
    ),
]
Truth = Annotated[
    list[str] | None,
    _columns(
        "--truth",
        "The columns of the targets with the true values, one per sensitive column: "
        "tells how often the attack is right.",
    ),
]
Presence = Annotated[
    list[str] | None,
    _columns("--presence", "A column of the targets per release that says (true or false) who is in it."),
]

# Of a check, and of risk


class Suppressed(StrEnum):
    """What a suppressed cell counts as."""

    value = "value"
    wildcard = "wildcard"


SuppressedCells = Annotated[
    Suppressed,
    typer.Option("--suppressed", help="What a suppressed cell is: a value, or a wildcard for any."),
]
Meaning = Annotated[
    bool | None,
    typer.Option(
        "--released/--raw",
        help="What values of the table mean to --population: what a release says with them, or themselves.",
        show_default="a release if it has what no raw value is",
    ),
]
MaxSize = Annotated[
    int, typer.Option("--max-size", metavar="N", min=1, help="The most columns that are looked at together.")
]
Fraction = Annotated[
    float | None,
    typer.Option(
        "--fraction",
        metavar="SHARE",
        help="The share of the population that the table is a sample of, between 0 and 1.",
    ),
]
RiskThreshold = Annotated[
    float | None,
    typer.Option(
        "--threshold", min=0, max=1, help="The risk above which records are counted.", show_default="0.2"
    ),
]
PerRecord = Annotated[
    bool,
    typer.Option("--per-record", help="Print the risk of every record, with its columns in --qi and --keep."),
]
Scores = Annotated[
    bool, typer.Option("--scores", help="Print how special every record is (SUDA), not its sets of columns.")
]
Sample = Annotated[
    int | None,
    typer.Option(
        "--sample", metavar="ROWS", min=1, help="Look at so many rows, and tell what holds for the table."
    ),
]
SampleSeed = Annotated[
    int | None, typer.Option("--seed", help="Which rows the sample has.", show_default="1")
]

# Of a comparison

Queries = Annotated[int, typer.Option("--queries", min=1, help="How many random range counts.")]
QuerySeed = Annotated[int, typer.Option("--seed", help="Of the random range counts.")]
CountColumn = Annotated[
    T, typer.Option("--count-column", metavar="COLUMN", help="The column of the release with the counts.")
]
DeviationColumn = Annotated[
    T,
    typer.Option(
        "--deviation-column",
        metavar="COLUMN",
        help="The column of it with the standard deviation of their noise.",
    ),
]
Within = Annotated[
    float, typer.Option("--within", min=0, help="What is near, in standard deviations of the original.")
]

# Of a perturbation

Perturbation = Annotated[
    str, typer.Option("--method", metavar="NAME", help=f"One of {', '.join(perturbation.METHODS)}.")
]
Retain = Annotated[
    float | None,
    typer.Option("--retain", help="The probability that a value stays. For pram.", show_default="0.8"),
]
P = Annotated[
    float | None,
    typer.Option("--p", help="The share of ranks that a value may move. For rank_swap.", show_default="0.05"),
]
Scale = Annotated[
    float | None,
    typer.Option(
        "--scale", help="The noise, in standard deviations of the column. For add_noise.", show_default="0.1"
    ),
]
Base = Annotated[float | None, typer.Option("--base", help="Of which multiples are made. For round_values.")]
CodingThreshold = Annotated[
    str | None,
    typer.Option(
        "--threshold", metavar="VALUE", help="Beyond it values are replaced. For top_code and bottom_code."
    ),
]
Share = Annotated[
    float | None,
    typer.Option(
        "--share",
        help="At most this share of values lies beyond the threshold. For top_code and bottom_code.",
    ),
]
Replacement = Annotated[
    str | None,
    typer.Option(
        "--replacement",
        metavar="NAME",
        help="What they become: threshold or mean. For top_code and bottom_code.",
        show_default="threshold",
    ),
]
DrawSeed = Annotated[
    int | None, typer.Option("--seed", help="Fixes what is drawn, and the order of rows: keep it secret.")
]

# Of m-invariance

PersonId = Annotated[
    str, typer.Option("--id", metavar="COLUMN", help="The column that says who is who. It does not leave.")
]
M = Annotated[int, typer.Option("--m", min=1, help="So many values at least, all different, has a class.")]
PreviousState = Annotated[
    str | None,
    typer.Option(
        "--previous", metavar="FILE", help="The state after the release before; none, if this is the first."
    ),
]
StateOutput = Annotated[
    str,
    typer.Option(
        "--state",
        metavar="FILE",
        help="Where the state after this release goes: .parquet or file.duckdb::table. Keep it secret.",
    ),
]
GroupId = Annotated[
    str | None,
    typer.Option(
        "--group-id", metavar="COLUMN", help="The column of the releases that says which rows are a class."
    ),
]

# Of an attack

Nearest = Annotated[
    list[str] | None,
    typer.Option(
        "--nearest",
        metavar="RELEASE",
        help="One of the releases, if it is of centroids (as microaggregate makes them): people are at the "
        "nearest. "
        "May be repeated.",
    ),
]
ExactCover = Annotated[
    bool,
    typer.Option(
        "--exact-cover",
        help="If the targets are everybody in a class, rule out what the others must have.",
    ),
]
Unknown = Annotated[
    list[str] | None,
    typer.Option(
        "--unknown",
        metavar="TEXT",
        help="How the targets' file writes a quasi-identifier that is not known, such as '?'; NULL for an "
        "empty cell. May be repeated.",
        show_default="none is; an empty cell is a value",
    ),
]
Negations = Annotated[
    str | None,
    typer.Option(
        "--negations",
        metavar="FILE",
        help="What people are known not to have: rows of --id and of value (and, with several "
        "--sensitive, of sensitive, the one that it is about).",
    ),
]
Priors = Annotated[
    str | None,
    typer.Option(
        "--priors",
        metavar="FILE",
        help="How probable values are for the targets before a release is seen: rows of value and share (and "
        "of sensitive, as in --negations).",
    ),
]
PriorsBy = Annotated[
    list[str] | None,
    _columns("--priors-by", "The columns of --priors and of the targets that say whose prior it is."),
]
Unchanged = Annotated[
    list[str] | None,
    _columns(
        "--unchanged",
        "Further columns that the releases leave as they are, such as kept ones or hash masks: what several "
        "releases have in common must agree in them, too. A release may lack some.",
    ),
]
ValuesMayChange = Annotated[
    list[str] | None,
    _columns(
        "--values-may-change",
        "Columns of --sensitive and --unchanged whose values may differ from release to release, such as a "
        "diagnosis. Without it, values are taken to stay.",
    ),
]
Summary = Annotated[
    bool, typer.Option("--summary", help="Print the measures over all targets, not the targets.")
]
People = Annotated[
    int,
    typer.Option(
        "--people",
        metavar="N",
        min=0,
        help="How many of the most exposed are listed, by name; 0 names nobody.",
    ),
]


Kind = Annotated[
    str,
    typer.Option(
        "--kind",
        metavar="NAME",
        help="One of what 'sqlanon attacks' lists, or all: every one that applies, summed up.",
    ),
]
OtherAttacks = Annotated[
    list[str] | None,
    typer.Option(
        "--attacks",
        metavar="NAMES",
        help="Which other attacks are made, of those that apply: all, none, or names that 'sqlanon attacks' "
        "lists, separated by commas.",
        show_default="all but those on pairs of releases, which take them for releases of one table",
    ),
]
Explained = Annotated[
    str | None, typer.Argument(metavar="NAME", help="The attack to explain.", show_default=False)
]
Settings = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="NAME=VALUE",
        help="A parameter of the attack: k=2. With several attacks it goes to those that require it; "
        "linking.k=2 goes to linking alone. May be repeated.",
    ),
]
Formats = Annotated[
    list[str] | None,
    typer.Option(
        "--formats",
        metavar="COLUMN=FORMAT",
        help="How the releases write a quasi-identifier, such as age=range (25-30, 50+), 'job=set /', list, "
        "'zip=mask x', 'age=between age_min and age_max' or 'sex=one-hot sex_'. RELEASE.COLUMN=FORMAT is for "
        "one release alone, targets.COLUMN=FORMAT for the targets, if they have ranges, sets or masks. "
        "May be repeated.",
    ),
]


def formats_in(lines: Sequence[str] | None, releases: Sequence[str], qi: Sequence[str]) -> dict[str, str]:
    """Formats by column, or by the number of a release and column. Errors: UseError for what is neither."""
    columns = {name.lower(): name.lower() for name in qi}
    columns |= {
        f"{release}.{name}".lower(): f"{i}.{name.lower()}"
        for i, release in enumerate(releases, 1)
        for name in qi
    }
    columns |= {f"targets.{name}".lower(): f"targets.{name.lower()}" for name in qi}
    formats: dict[str, str] = {}
    for column, format in (assignment_in("--formats", line, "COLUMN=FORMAT") for line in lines or ()):
        key = columns.get(column.lower())
        if key is None:
            raise UseError(
                f"--formats {column}: {column} is not in --qi{schema.suggestion(column, list(columns))}"
            )
        if key in formats:
            raise UseError(f"--formats {column}: {column} has a format already")
        formats[key] = format
    return formats


def check_nearest(nearest: Sequence[str] | None, releases: Sequence[str]) -> None:
    """Errors: UseError for what is none of the releases."""
    for of_centroids in nearest or ():
        if of_centroids not in releases:
            raise UseError(
                f"--nearest {of_centroids} is none of the releases{schema.suggestion(of_centroids, releases)}"
            )


# Of privacy budgets


class Composition(StrEnum):
    """How costs add up."""

    smaller = "smaller"
    basic = "basic"


BudgetSource = Annotated[
    str,
    typer.Option(
        "--source", metavar="NAME", help="What the data is called in the register, whatever file it is in."
    ),
]
PaidBy = Annotated[
    str | None,
    typer.Option(
        "--source",
        metavar="NAME",
        help="What the data is called in the register, where its budget is declared.",
        show_default="as the policy says",
    ),
]
RandomizedPolicy = Annotated[
    Path | None,
    typer.Option("--policy", metavar="FILE", help="A policy whose [dp] says what options do not."),
]
PartOfUnits = Annotated[
    str | None,
    typer.Option(
        "--part",
        metavar="I/N",
        help="Only the units of part I of N, by a hash of the unit: parts of the same N do not add up.",
        show_default="all units",
    ),
]
BudgetUnit = Annotated[
    str | None,
    typer.Option(
        "--unit",
        metavar="COLUMN",
        help="The column that says whose a row is.",
        show_default="each row is a person",
    ),
]
BudgetEpsilon = Annotated[
    float, typer.Option("--epsilon", help="The most that all releases may cost together.")
]
BudgetDelta = Annotated[float, typer.Option("--delta", help="Likewise, such as 1e-6.")]
BudgetComposition = Annotated[
    Composition,
    typer.Option(
        "--composition",
        help="basic: costs are summed up. smaller: or added up as zero-concentrated differential privacy, if "
        "that comes to less; for costs that are not chosen by looking at earlier answers.",
    ),
]

# Of the experiments


class Experiment(StrEnum):
    """What can be repeated."""

    ganta2008 = "ganta2008"


Paper = Annotated[Experiment, typer.Argument(help="The paper.", show_default=False)]
CensusSeed = Annotated[int, typer.Option("--seed", help="Of the generated census and of the subsets.")]
Ks = Annotated[
    list[int] | None, typer.Option("--k", min=2, help="May be repeated.", show_default="5, 10, 20")
]
Seeds = Annotated[
    int | None,
    typer.Option("--seeds", metavar="N", min=1, help="How many.", show_default="5; 1 with --quick"),
]
Quick = Annotated[bool, typer.Option("--quick", help="A part of it, in a few minutes.")]
Workers = Annotated[
    int | None,
    typer.Option(
        "--workers", metavar="N", min=1, help="How many processes.", show_default="one per processor"
    ),
]

# Of `sqlanon frontier`

ChoiceKs = Annotated[
    list[str] | None,
    typer.Option(
        "--k", metavar="N,...", show_default="2,5,10,25",
        help="The k of the choices, in place of the policy's. Separated by commas; may be repeated.",
    ),
]  # fmt: skip
ChoiceMethods = Annotated[
    list[str] | None,
    typer.Option(
        "--method", metavar="NAME,...", show_default="mondrian,optimal,k_similar",
        help=f"The methods, of {', '.join(METHODS)}. Separated by commas; may be repeated.",
    ),
]  # fmt: skip
RiskAxis = Annotated[
    str | None,
    typer.Option(
        "--risk", metavar="NAME", show_default="guess_gain; reidentification without --sensitive",
        help="What risk is: guess_gain (people whose value is guessed right with the release, less those "
        "without it), sure_90 (of whom an adversary is at least 90 % sure), forecast (of whom only the true "
        "value is left once one more release comes out), or reidentification (the highest).",
    ),
]  # fmt: skip
LossAxis = Annotated[
    str,
    typer.Option("--loss", metavar="NAME", help="What loss is: gcp, query_error (the median) or suppressed."),
]
ChoiceSuppression = Annotated[
    float | None,
    typer.Option(
        "--suppression-limit", min=0, max=1, show_default="0.02, or what the policy says",
        help="The share of rows that may be suppressed, for generalize, optimal, samarati and datafly.",
    ),
]  # fmt: skip
ChoiceTime = Annotated[
    float, typer.Option("--time-limit", min=0, help="Seconds after which optimal takes the best so far.")
]

# Of `sqlanon sql`: the macros, and what each is called on the command line

MACROS = {
    **{method: ["anonymize", "--method", method] for method in METHODS},
    **{method: ["perturb", "--method", method] for method in perturbation.METHODS},
    "lattice": ["lattice"],
    "scheme_of_cuts": ["scheme"],
    "scheme_of_levels": ["scheme", "--method", "generalize"],
    "risk": ["risk"],
    "record_risk": ["risk", "--per-record"],
    "identifiers": ["identifiers"],
    "quasi_identifiers": ["quasi-identifiers"],
    "minimal_uniques": ["uniques"],
    "suda": ["uniques", "--scores"],
    "privacy": ["check"],
    "violations": ["check"],
    "utility": ["utility"],
    "count_errors": ["count-errors"],
    "disclosure": ["disclosure"],
    "record_linkage": ["record-linkage"],
    "intersection_attack": ["attack"],
    "breaches": ["attack", "--summary"],
}
Macro = Annotated[
    str | None,
    typer.Argument(metavar="MACRO", help=f"One of {', '.join(MACROS)}.", show_default=False),
]

# Keys of a policy

HIERARCHIES = "hierarchies"
NO_OPTIONS = (
    "requirements.known",  # --known names files
    "input.complete_hierarchies",  # goes with --hierarchy
)
# What a release cannot do without stands first, in no panel of its own.
NEEDED = ("roles.qi", "roles.sensitive", "requirements.k")
PANELS = {
    "roles": "Other columns", "requirements": "Requirements", "method": "Method", "output": "Method",
    "input": FILES_AND_OUTPUT, HIERARCHIES: FILES_AND_OUTPUT,
}  # fmt: skip
WRITTEN = {
    "roles.qi": "Separated by commas; a name with one in double quotes.",
    "requirements.population": "A file, or file.duckdb::table.",
    "method.based_on": "A file, or file.duckdb::table.",
    "method.levels": "Several are separated by commas.",
}


def takes(*chosen: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Options for keys (`roles.qi`) or whole sections (`method`) of a policy, as the command's `options`."""
    places = dict(_places(chosen))
    last = [name for name, at in places.items() if at.partition(".")[0] in ("input", HIERARCHIES)]
    places = {name: places[name] for name in sorted(places, key=last.__contains__)}  # files come last in help

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(command)
        def run(**given: Any) -> None:
            options: dict[str, dict[str, Any]] = {}
            for name, at in places.items():
                value = given.pop(name)
                if value is not None:
                    section, _, key = at.partition(".")
                    options.setdefault(section, {}).update(
                        _read(f"--{name.replace('_', '-')}", section, key, value)
                    )
            command(options=options, **given)

        signature = inspect.signature(command, eval_str=True)
        own = [parameter for name, parameter in signature.parameters.items() if name != "options"]
        added = [
            inspect.Parameter(
                name,
                inspect.Parameter.KEYWORD_ONLY,
                default=None,
                annotation=_option(name, at, "method" in chosen),
            )
            for name, at in places.items()
        ]
        by_keyword = [parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY) for parameter in own]
        run.__signature__ = signature.replace(parameters=[*added, *by_keyword])  # type: ignore[attr-defined]
        return run

    return decorate


def _places(chosen: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The name of each option's parameter, and its dotted key."""
    for at in chosen:
        section, _, name = at.partition(".")
        if section == HIERARCHIES:
            yield "hierarchy", at
            yield "complete_hierarchies", "input.complete_hierarchies"
        for each in [name] if name else SECTIONS.get(section, ()):
            if f"{section}.{each}" in NO_OPTIONS:
                continue
            yield "method" if (section, each) == ("method", "name") else each, f"{section}.{each}"


def _option(name: str, at: str, of_methods: bool) -> Any:
    """The option as typer has it. of_methods: tell which methods have it."""
    flag = f"--{name.replace('_', '-')}"
    if at == HIERARCHIES:
        description = (
            "The hierarchy of a column: a file in ARX's format (value;label;...;*), or of a spreadsheet, "
            "with a header. May be repeated."
        )
        return Annotated[
            list[str] | None,
            typer.Option(flag, metavar="COLUMN=FILE", help=description, rich_help_panel=PANELS[at]),
        ]
    section, _, key_name = at.partition(".")
    key = SECTIONS[section][key_name]
    description = f"{key.help} {WRITTEN.get(at, '')}".strip()
    if key.choices:
        description += f" One of {', '.join(key.choices)}."
    if of_methods and section == "method" and key_name != "name":
        description += f" For {', '.join(method for method in METHODS if key_name in parameters_of(method))}."
    panel = None if at in NEEDED else PANELS.get(section)
    if key.type is bool:
        return Annotated[
            bool | None, typer.Option(help=description, rich_help_panel=panel, show_default=False)
        ]
    if key.type in (int, float):
        number = typer.Option(flag, min=key.least, max=key.most, help=description, rich_help_panel=panel)
        return Annotated[key.type | None, number]
    if key.type is str:
        of_column = key_name in ("target", "population_weight") or section == "roles"
        metavar = "NAME" if key.choices or at == "input.encoding" else "COLUMN" if of_column else "FILE"
        return Annotated[
            str | None, typer.Option(flag, metavar=metavar, help=description, rich_help_panel=panel)
        ]
    metavar = (
        "TEXTS"
        if at == "input.missing"
        else {schema.Names: "COLUMNS", schema.Types: "COLUMN=TYPE,..."}.get(key.type, "COLUMN=N,...")
    )
    return Annotated[
        list[str] | None, typer.Option(flag, metavar=metavar, help=description, rich_help_panel=panel)
    ]


def _read(flag: str, section: str, key: str, value: Any) -> dict[str, Any]:
    """What was given for an option, as the policy has it."""
    if section == HIERARCHIES:
        files: dict[str, Any] = {}
        for column, file in (assignment_in(flag, text, "COLUMN=FILE") for text in value):
            if column in files:
                raise UseError(f"{flag} {column}: {column} has a hierarchy already")
            files[column] = {"file": file}
        return files
    if not isinstance(value, list):
        return {key: value.replace("-", "_") if (section, key) == ("method", "name") else value}
    type_ = SECTIONS[section][key].type
    if type_ is schema.Names:
        return {key: names_in(flag, value)}
    if type_ is schema.Types:
        return {key: dict(types_in(flag, value))}
    return {key: dict(numbers_in(flag, value, int if type_ is schema.Levels else float))}
