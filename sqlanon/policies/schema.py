"""What a policy can have: its keys, which are the options of the command line as well.

This is the one place that says which keys there are, what they hold and what they mean. The macros say what
they do.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, get_args, get_origin

from sqlanon.anonymize.methods import METHODS as BY_NAME
from sqlanon.anonymize.methods import of_others
from sqlanon.core.comments import parameters
from sqlanon.core.errors import UseError
from sqlanon.core.limits import MEMORY, SPILL, wrong_memory, wrong_size
from sqlanon.core.models import Requirement, added, models
from sqlanon.core.suggestions import suggestion
from sqlanon.core.text_files import CENTURY, OF_TIME, TYPES
from sqlanon.core.toml import bare as bare
from sqlanon.core.toml import shown as shown
from sqlanon.policies.profiles import profiles

Names = list[str]
Sets = list[Names]
Levels = dict[str, int]
Weights = dict[str, float]
Types = dict[str, str]

# In place of releases that are named: those that are out by the register.
REGISTER = "register"
LANGUAGES = ("en", "de", "fr")  # of pages that somebody signs


def check_language(language: str | None, spelled: str) -> None:
    """Errors: UseError."""
    if language not in (None, *LANGUAGES):
        raise UseError(f"{spelled} must be one of {', '.join(LANGUAGES)}, not {language}")


# What a value of each type is called in a message.
EXPECTED: dict[Any, str] = {
    str: "a text",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    Names: "a list of texts",
    Sets: "a list of lists of texts",
    list[float]: "a list of numbers",
    list[int]: "a list of whole numbers",
    Levels: "a table of column = whole number",
    Weights: "a table of column = number",
    Types: "a table of column = type",
    dict[str, Names]: "a table of value = list of labels",
}


@dataclass(frozen=True)
class Key:
    """A key: the type of its value, what it means, and the values that it takes if not all of that type.

    unsaid: of values by column, what holds for the other columns (None: no bound). above: least itself is not
    allowed. wrong: what is wrong with a text, if anything is. others: further values, of plug-ins.
    """

    type: Any
    help: str
    least: int | None = None
    most: int | None = None
    choices: tuple[str, ...] = ()
    unsaid: int | None = None
    above: bool = False
    wrong: Callable[[str], str | None] | None = None
    others: Callable[[], list[str]] | None = None


# What may follow a type: a format of strptime, or a number that is written as those of the column.
DIRECTIVE = re.compile(r"%[aAbBdfHIjmMpSyYzZ]")
EXAMPLES = {
    "integer": re.compile(r"1[., '\u00a0\u202f]?234"),
    "double": re.compile(r"(?=..)1(?:([., '\u00a0\u202f])234)?(?:(?!\1)[.,]5+)?"),
}


def wrong_type(said: str) -> str | None:
    """What is wrong with what a user says of a column: `must be ...`; or nothing."""
    type_, _, format = said.partition(" ")
    if type_ not in TYPES:
        return f"must be one of {', '.join(TYPES)}, not {said}{suggestion(type_, TYPES)}"
    if not format:
        return None
    if type_ in OF_TIME:
        if CENTURY.search(format) and "%y" not in format:
            return f"must have years of two digits (%y) where it says from which year they count, not {said}"
        written = format.split(" or ")
        others = [DIRECTIVE.sub("", each) for each in written]
        if any(left == each or "%" in left for left, each in zip(others, written, strict=True)):
            return f"must have a format of strptime, such as {type_} %d.%m.%Y, not {said}"
        if len({re.sub("%[dm]", "%d", each) for each in written}) < len(written):
            return f"must have formats of which no text fits two, as 03/04/2026 does, not {said}"
        return None
    if type_ not in EXAMPLES:
        return f"must be {type_} alone, not {said}"
    example = re.sub(r"^\D+|\D+$", "", format)  # beside it stands a unit
    if not EXAMPLES[type_].fullmatch(example):
        number, example = ("1234", "1.234") if type_ == "integer" else ("1234.5", "1.234,5")
        return f"must have {number} as numbers are written there, such as {type_} {example}, not {said}"
    return None


def wrong_encoding(said: str) -> str | None:
    """What is wrong with what a user says of an encoding: `must be ...`; or nothing."""
    try:
        is_of_texts = codecs.lookup(said)._is_text_encoding
    except LookupError:
        is_of_texts = False
    return None if is_of_texts else f"must be an encoding that Python knows, such as windows-1252, not {said}"


def begun(sentence: str) -> str:
    """With a capital letter, unless it begins with a name (t-closeness: ..., mdav: ...)."""
    return re.sub(r"^[a-z](?!-|\w*:)", lambda letter: letter[0].upper(), sentence)


TYPES_OF_MODELS = {"integer": int, "number": float, "choice": str, "boolean": bool, "columns": Names}


def _key(model: Requirement) -> Key:
    """What can be required, as a key."""
    help = begun(model.meaning)
    return Key(
        TYPES_OF_MODELS[model.type], help, model.least, model.greatest,
        tuple(model.said_of), above=model.above,
    )  # fmt: skip


TYPES_OF_KEYS = {"integer": int, "number": float, "boolean": bool, "list of numbers": list[float]}


def _of(macro: str, name: str) -> Key:
    """A parameter of a macro, as a key. Of what its comment says the first sentence is enough."""
    parameter = parameters(macro)[name]
    sentence = begun(parameter.meaning.partition(". ")[0].removesuffix("."))
    least, most = (None if bound is None else int(bound) for bound in parameter.bounds)
    type_, _, values = parameter.type.partition(",")
    of_list = type_.startswith("list")  # whose numbers are for the macro to look at
    return Key(
        TYPES_OF_KEYS.get(type_, str), f"{sentence}.",
        None if of_list else least, None if of_list else most,
        tuple(parameter.choices), above=values.startswith(" above"),
    )  # fmt: skip


METHODS = tuple(BY_NAME)
LARGEST = 2**63 - 1  # DuckDB's BIGINT

ROLES = {
    "identifier": Key(
        Names, "Columns that say who somebody is, such as names and numbers: they never leave."
    ),
    "qi": Key(
        Names, "Quasi-identifiers: columns that others may know about a person, such as age, postcode, sex."
    ),
    "sensitive": Key(
        Names, "Columns whose values nobody should learn about a person; they are released unchanged."
    ),
    "keep": Key(Names, "Other columns that are released unchanged."),
    "unit": Key(
        str,
        "The column that names the person of each row, if people have several rows: people are counted, not "
        "rows. It is never released.",
    ),
    "weight": Key(
        str,
        "The column of a table of counts that says how many people each row stands for. For checks, measures "
        "and attacks.",
    ),
    "sampling_weight": Key(
        str,
        "The column of a sample that says for how many people of the population each row stands, such as "
        "12.37: for the risk of re-identification. It leaves only if it is in keep, too.",
    ),
    "household": Key(
        str,
        "The column that names the household of each row: who finds one member finds all. It leaves only if "
        "it is in keep, too.",
    ),
}

REQUIREMENTS = {
    **{model.id: _key(model) for model in models()},
    "population": Key(
        str, "Those who could be in the table, with raw quasi-identifiers: for k_map, dmin and dmax."
    ),
    "population_weight": Key(
        str,
        "The column of the population that says how many people each row stands for. For checks and risks.",
    ),
    "known": Key(
        str,
        "The releases that composed_l is about: those that are out by the register. For publish.",
        choices=(REGISTER,),
    ),
    "composed_confidence": Key(
        float,
        "Nobody's most probable value, by this release and known ones, may be more probable than this. For "
        "mondrian.",
        0,
        1,
    ),
    "bcf_k": Key(
        int,
        "BCF-anonymity: correspondence attacks on this release and the one it is based on must leave at "
        "least this many rows, if rows were added in between. For mondrian.",
        1,
    ),
    "profile": Key(
        str,
        "A published rule of practice that the release must follow, in addition to the other requirements.",
        choices=tuple(profiles()),
    ),
    "average_risk": Key(
        float,
        "The average risk, the mean over all rows, may be at most this. The risk of a row is 1 / the number "
        "of people in its class (for a person with several rows, the highest of these). A release above it "
        "is refused.",
        0,
        1,
        above=True,
    ),
    "records_at_risk": Key(
        float,
        "At most this share of the rows may have a risk above risk_threshold. The risk of a row is 1 / the "
        "number of people in its class; for a sample (with sampling_weight), it is the individual risk. A "
        "release above it is refused.",
        0,
        1,
    ),
    "risk_threshold": Key(
        float, "The risk above which rows count for records_at_risk (0.2, if not said).", 0, 1
    ),
    "sample_uniques": Key(
        float,
        "At most this share of the rows (of the people, if people have several rows) may be alone in their "
        "class. A release above it is refused.",
        0,
        1,
    ),
    "population_uniques": Key(
        float,
        "For a sample: at most this share of the rows may be expected, by their sampling weights, to be "
        "unique in the population. A release above it is refused.",
        0,
        1,
    ),
    "global_risk": Key(
        float,
        "For a sample: at most this share of the rows may be expected, by their sampling weights, to be "
        "re-identified; whoever finds one member of a household finds all. A release above it is refused.",
        0,
        1,
    ),
    "zip_populations": Key(
        str,
        "For profile hipaa-safe-harbor: how many people live where ZIP codes begin with the same three "
        "digits (zip3, population), from current data of the Bureau of the Census.",
    ),
}

SPARED = 4  # the weight of a column that is to be spared

METHOD = {
    "name": Key(
        str, "How the table is anonymized; by Mondrian, if not said.", choices=METHODS, others=of_others
    ),
    "levels": Key(Levels, "The level of each quasi-identifier's hierarchy; 0, if not said.", 0, unsaid=0),
    "suppression_limit": _of("optimal", "suppression_limit"),
    "measure": _of("optimal", "measure"),
    "aggregate": _of("optimal", "aggregate"),
    "monotonic": _of("optimal", "monotonic"),
    "gs_factor": _of("optimal", "gs_factor"),
    "weights": Key(
        Weights,
        "How much each column counts in a measure, or is to be spared: one of more weight stays finer; 1, if "
        "not said.",
        0,
        unsaid=1,
    ),
    "min_levels": Key(Levels, "The least level of a column.", 0, unsaid=0),
    "max_levels": Key(Levels, "The highest level of a column.", 0),
    "local_recoding": Key(bool, "Suppressed rows are anonymized again, until nothing can be improved."),
    "time_limit": Key(float, "Seconds after which the best so far is taken.", 0),
    "size": _of("mu_argus", "size"),
    "wildcards": Key(bool, "A suppressed cell counts as every value, and not as a value of its own."),
    "algorithm": _of("microaggregate", "algorithm"),
    "gamma": _of("microaggregate", "gamma"),
    "center": _of("microaggregate", "center"),
    "based_on": Key(
        str,
        "An earlier release of the same rows: each class is a union of its classes. For publish also "
        f'"{REGISTER}", the last release that publish made.',
    ),
    "relaxed": _of("mondrian", "relaxed"),
    "scheme": Key(
        str,
        "The scheme by which the table is recoded, as scheme_of_cuts or scheme_of_levels reads it from an "
        "earlier release: a .parquet file. For publish also "
        f'"{REGISTER}": the same categories as in the last release that publish made.',
    ),
    "target": _of("mondrian", "target"),
    "strata": Key(
        Names,
        "Those of the quasi-identifiers within which rows are anonymized, such as a region: they are not "
        "recoded, and no class has rows of two.",
    ),
    "household_qi": Key(
        Names,
        "Those of the quasi-identifiers that are about the household, such as its size: they are released "
        "alike for all members, and households are suppressed as a whole.",
    ),
    "thresholds": Key(
        list[int],
        "How many rows a combination of 1, 2, ... columns must have, if that is more than k. For mu_argus.",
    ),
}

OUTPUT = {
    "recoding": Key(
        str,
        "text: ranges as [20, 29], sets as {a, b} (default); range: STRUCT(lo, hi) and lists, for Parquet.",
        choices=("text", "range"),
    ),
    "seed": Key(int, "Fixes what is random otherwise: the order of rows, and what a method deals out."),
}

INPUT = {
    "types": Key(
        Types,
        f"Types of columns in text files: {', '.join(TYPES)}, with the format of dates and numbers if it is "
        "another one: 'date %d.%m.%Y', 'double 1.234,5', 'integer 1234 km' (with a unit), "
        "'date %d.%m.%y from 1927' (years of two digits are 1927 to 2026), 'date %d.%m.%Y or "
        "%Y-%m-%d' (some are written so, and some so). Other columns are numbers "
        "or dates if every value can be written back unchanged, and text otherwise.",
        wrong=wrong_type,
    ),
    "names": Key(Names, "The names of the columns, where a CSV file has no header."),
    "encoding": Key(
        str,
        "How text files are encoded, such as windows-1252 or utf-16. If not said, it is UTF-8, or else "
        "windows-1252.",
        wrong=wrong_encoding,
    ),
    "missing": Key(Names, "Texts that mean \"missing\" in text files, read as NULL: '?,NA'."),
    "trim": Key(
        Names, "Columns that are read, and leave, without blanks around values, and with one for several."
    ),
    "fold": Key(
        Names,
        'Columns in which one spelling of a value is read, and leaves, the most frequent one: flu, "flu " '
        "and FLU are flu. What is missing is NULL.",
    ),
    "missing_in": Key(
        dict[str, Names],
        'Texts that mean "missing" in one column, read as NULL there: {birth = ["unknown"]}.',
    ),
    "digits": Key(
        Levels,
        "Columns of codes that have lost the zeros in front, with their number of digits: {zip = 5}.",
        1,
    ),
    "rename": Key(
        Sets,
        "The header of a file in which two columns have one name (for SQL, PLZ and plz are one): each column "
        'with the name that it gets if that is another one: [["PLZ"], ["plz", "plz_2"]]. Columns may come '
        "and go; a file that has the others in another order is refused.",
    ),
    "called": Key(
        dict[str, Names],
        'What a file may call a column, too: {birth = ["date of birth"]}. A file that has such a column is '
        "read as if it were called birth.",
    ),
    "gone": Key(
        Names,
        "Columns that files have no more: they are not looked for, and what the policy says of them is not "
        "read.",
    ),
    "only_table": Key(
        bool,
        "Leave out titles before the header of a text file or sheet, and sums and notes behind the table. "
        "The lines are named each time.",
    ),
    "complete_hierarchies": Key(
        bool,
        "Generalize values that a hierarchy lacks to the label at its top, mostly *, instead of failing.",
    ),
}

# Of those who are located in a release of others: somebody who is not in there is in a class without their
# value by chance, but not most people are.
CONTRADICTIONS = 50.0

JUDGE = {
    "values_may_change": Key(
        Names,
        "Columns that are released unchanged and whose values may differ in another release: an adversary "
        "joins no rows by them.",
    ),
    "same_columns": Key(
        Sets,
        "Sets of columns that are one column, which releases call by these names: an adversary joins rows of "
        'two releases by them, as in [["ssn", "nr"]].',
    ),
    "different_columns": Key(
        Sets, "Sets of columns that are not one column, although releases have the same values in them."
    ),
    "keep_people": Key(
        bool,
        "Keep who was asked about in the register (quasi-identifiers and a keyed hash), so that those who "
        "leave are still asked about. The register must be encrypted.",
    ),
    "new_rows": Key(
        str,
        "The column that is true in rows that have come since the last release, of a table to which rows are "
        "added and nothing else: these alone leave, in classes of their own; the others stay as they were "
        "released, and are asked about.",
    ),
    "language": Key(
        str,
        f"The language of pages ({LANGUAGES[0]} if nothing is said).",
        choices=LANGUAGES,
    ),
    "max_atoms": Key(
        int,
        "Beside tables of counts that are out: the largest number of groups of people that all published "
        "cells tell apart, up to which they are compared; not given: 100,000.",
        1,
    ),
    "hold_back": Key(
        float,
        "The share of people whose rows may be held back: whoever is above a bound by the new release is "
        "left out, nobody else, and the release is made and judged again. Who is left out depends on the "
        "data, which a release may tell something of.",
        0,
        1,
    ),
    "contradictions": Key(
        float,
        "So many percent at most of those who are located in a release of others may be in a class there "
        "that has none of their values; with more it is not known whether its values are read rightly "
        f"({CONTRADICTIONS:g} if nothing is said).",
        0,
        100,
    ),
}

LIMITS = {
    "memory": Key(
        str,
        "How much memory DuckDB may take, such as 4GB; what needs more goes to temporary files. If not said, "
        f"{MEMORY}.",
        wrong=wrong_memory,
    ),
    "spill": Key(
        str,
        f"How much disk temporary files may take. If not said, {SPILL}. They are removed at the end.",
        wrong=wrong_size,
    ),
}

# A hierarchy is one of these: what it is made of -> the keys that go with that.
HIERARCHIES = {
    "values": {"values": Key(dict[str, Names], "A list of labels for each value, from level 1 to the top.")},
    "file": {
        "file": Key(
            str,
            "A file in ARX's format (value;label;...;*), or of a spreadsheet, with a header, or of tau-Argus "
            "(.hrc).",
        ),
        "separator": Key(
            str,
            "The character between the fields of the file; found out, if not said. Of a .hrc file "
            "what stands before codes in place of @.",
        ),
        "header": Key(bool, "Does the first line of the file name the columns? Found out, if not said."),
    },
    "sql": {
        "sql": Key(
            str,
            "A query that gives value, level and label. It reads nothing but the table source, the "
            "column's distinct values.",
        )
    },
    "builder": {
        "builder": Key(str, "Made from the column.", choices=("interval", "mask", "date", "icd10", "flat"))
    },
}

# A builder is the macro <name>_hierarchy. These are its parameters.
BUILDERS = {
    "interval": {name: _of("interval_hierarchy", name) for name in ("widths", "origin", "breaks")},
    "mask": {},
    "date": {"units": Key(Names, "Some of day, month, quarter, year, decade, in this order.")},
    "icd10": {},
    "flat": {},
}

# A masked column leaves as a mask of its value. These are the methods, each with its keys.
MASKS: dict[str, dict[str, Key]] = {
    "hash": {},
    "partial": {name: _of("mask_text", name) for name in ("first", "last", "mark")},
    "email": {"mark": _of("mask_email", "mark")},
}

# What [direct] says: column = "reason".
DIRECT = (
    "Columns that leave although they name people (unchanged, or with a mask that hides little), and why "
    "they may."
)

SECTIONS = {
    "input": INPUT,
    "judge": JUDGE,
    "roles": ROLES,
    "requirements": REQUIREMENTS,
    "method": METHOD,
    "output": OUTPUT,
    "limits": LIMITS,
}


def sections() -> dict[str, Mapping[str, Key]]:
    """The sections with their keys; among what can be required are the models of plug-ins."""
    return {**SECTIONS, "requirements": {**REQUIREMENTS, **{model.id: _key(model) for model in added()}}}


def fits(value: Any, expected: Any) -> bool:
    """Is a value of a type? A whole number is a number; true and false are not."""
    if inner := get_args(expected):
        if get_origin(expected) is dict:
            return isinstance(value, dict) and all(fits(each, inner[1]) for each in value.values())
        return isinstance(value, list) and all(fits(each, inner[0]) for each in value)
    if isinstance(value, bool):
        return expected is bool
    return isinstance(value, int | float if expected is float else expected)


def trouble(value: Any, key: Key) -> str | None:
    """What is wrong with the value of a key: `must be ...`, or nothing."""
    if not fits(value, key.type):
        return f"must be {EXPECTED[key.type]}, not {shown(value)}"
    for each in value.values() if isinstance(value, dict) else [value]:
        if key.choices and each not in key.choices:
            choices = [*key.choices, *(key.others() if key.others else [])]
            if each not in choices:
                others = " (others need --plugin FILE, or plug_in in Python)" if key.others else ""
                near = suggestion(each, choices) or others
                return f"must be one of {', '.join(choices)}, not {shown(each)}{near}"
        if key.wrong is not None and (problem := key.wrong(each)):
            return problem
        if isinstance(each, int) and not -LARGEST <= each <= LARGEST:
            return f"must be at most {LARGEST}, not {shown(each)}"
        # the other way round, nan would pass
        if key.least is not None and not (each > key.least if key.above else each >= key.least):
            return f"must be {'above' if key.above else 'at least'} {key.least}, not {shown(each)}"
        if key.most is not None and not each <= key.most:
            return f"must be at most {key.most}, not {shown(each)}"
    return None
