"""[answers] of a policy: what questions are answered from, in which way, and what they may ask about."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sqlanon.core.errors import UseError
from sqlanon.core.suggestions import suggestion
from sqlanon.policies import schema
from sqlanon.policies.schema import Key, Names, bare

SECONDS = 30.0  # that a question may take, if nothing else is said
KINDS = ("integer", "number", "date", "timestamp", "text", "boolean")
RELEASE, NOISE, EXACT, CONSISTENT = "release", "noise", "exact", "consistent"
WAYS = (RELEASE, NOISE, EXACT, CONSISTENT)
KEYS = {
    "way": Key(
        str,
        "release: from a release that is out. noise: from the table itself, with noise that its budget pays "
        "for. exact: from the table itself, without what would tell too much together with all that is out. "
        "consistent: counts with noise that is the same for the same people, as long as all answers together "
        "leave an error.",
        choices=WAYS,
    ),
    "register": Key(
        str, "The register that has the release, or the budget, a file; found beside the policy."
    ),
    "release": Key(
        str, "The name of the release in the register; not given: the newest that this policy has made."
    ),
    "table": Key(str, "What questions call the table."),
    "seconds": Key(float, "How long a question may take; not given: 30.", least=0, above=True),
    "unit": Key(
        str,
        "What questions call the column that says whose a row is: count(distinct patient) counts people. A "
        "column of the release, such as a hash; with people any name.",
    ),
    "people": Key(str, "The column of the release that says how many people each class has."),
    "data": Key(str, "The file of the table that is asked; found beside the policy."),
    "source": Key(
        str, "What the table is called in the register, where its budget is; not given: as questions do."
    ),
    "period": Key(str, "Which state of the table is asked: in a new one, questions are answered anew."),
    "audience": Key(str, "Whom answers are told to; not given: everybody."),
    "epsilon": Key(float, "What each column of numbers of an answer costs.", least=0, above=True),
    "delta": Key(float, "Likewise: for gaussian noise.", least=0, above=True),
    "mechanism": Key(str, "The distribution of the noise.", choices=("laplace", "gaussian")),
    "threshold": Key(int, "Fewer people than this must not be known of.", least=2),
    "growing": Key(bool, "As of [table]: are people only added from period to period?"),
    "largest": Key(int, "The largest noise of a count, as in perturbation_table.", least=1, most=100),
    "variance": Key(float, "The variance of the noise of a count.", least=0, above=True),
    "blocked": Key(int, "Counts from 1 to this number are never told; not given: 0.", least=0, most=100),
    "least_error": Key(
        float, "The standard error that all answers together must leave in each count.", least=0, above=True
    ),
    "max_cells": Key(int, "In how many told cells somebody may count; not given: any.", least=1),
    "max_groups": Key(int, "In how many cells of an answer somebody counts.", least=1),
    "max_rows": Key(int, "How many rows of somebody count in a cell; not given: 1.", least=1),
    "dimensions": Key(dict, "The columns of the release that questions may have conditions on and group by."),
    "measures": Key(
        dict, "Columns that are summed and averaged, with the range of their values: [low, high]."
    ),
}
OF_DIMENSIONS = {
    "type": Key(str, "What its values are. Codes such as 01234 are text.", choices=KINDS),
    "values": Key(list, "All values that there can be, in the order in which groups are shown."),
    "range": Key(list, "The least and the greatest value that there can be: of integers and dates."),
    "hierarchy": Key(str, "A file with the hierarchy of its labels, as [hierarchies] has it."),
    "levels": Key(Names, "What questions call the levels of the hierarchy, from level 1 up."),
}
OF_TABLES = ("data", "source", "period", "audience")  # of all ways but that from a release
OF_WAYS = {
    RELEASE: ("release", "people", "seconds"),
    EXACT: (*OF_TABLES, "seconds", "threshold", "growing"),
    NOISE: (*OF_TABLES, "epsilon", "delta", "mechanism", "max_groups", "max_rows"),
    CONSISTENT: (*OF_TABLES, "largest", "variance", "blocked", "least_error", "max_cells"),
}
EXPECTED = {dict: "a table", list: "a list"}


@dataclass(frozen=True)
class Declared:
    """What is declared of a dimension. hierarchy: a file."""

    type: str | None = None
    values: Sequence[Any] = ()
    range: Sequence[Any] = ()
    hierarchy: Path | None = None
    levels: Sequence[str] = ()


@dataclass(frozen=True)
class Answers:
    """What [answers] says. unit: whose a row is; people: the column that says how many people a class has.
    document: the whole policy without it, by which a release is known to be of it; section: [answers]
    itself."""

    path: Path
    register: Path | None
    release: str | None
    table: str
    dimensions: Mapping[str, Declared]
    measures: Mapping[str, tuple[float, float]]
    document: Mapping[str, Any] = field(default_factory=dict)
    unit: str | None = None
    people: str | None = None
    seconds: float = SECONDS
    way: str = RELEASE
    section: Mapping[str, Any] = field(default_factory=dict)

    @property
    def data(self) -> Path | None:
        """The file of the table that questions are about."""
        return self.path.parent / self.section["data"] if "data" in self.section else None

    def register_file(self, given: str | os.PathLike[str] | None) -> Path:
        """The file of the register: the one that is given, or else that of the policy. Errors: UseError."""
        file = self.register if given is None else Path(given)
        if file is None:
            what = "that has the release" if self.way == RELEASE else "with what was told"
            raise self.wrong("answers.register", f"is needed, or the option --register: the file {what}")
        return file

    def wrong(self, key: str, problem: str) -> UseError:
        """What is wrong with a key."""
        return _wrong(self.path, key, problem)


def without_answers(document: Mapping[str, Any]) -> dict[str, Any]:
    """What of a policy makes a release."""
    return {name: value for name, value in document.items() if name not in ("answers", "confirmed")}


def check(section: Any, path: Path) -> None:
    """[answers], once its keys are known and of the right types. Errors: UseError, which names the key."""
    if not isinstance(section, dict):
        raise UseError(f"{path}: answers must be a table, [answers], not {schema.shown(section)}")
    _check_keys(section, KEYS, path, "answers")
    if not section.get("table"):
        raise _wrong(path, "answers.table", 'is needed: what questions call the table, such as "stays"')
    if not section.get("dimensions"):
        raise _wrong(path, "answers.dimensions", "names no column: [answers.dimensions.age]")
    way = section.get("way", RELEASE)
    for key, others in ((key, [way for way, keys in OF_WAYS.items() if key in keys]) for key in section):
        if others and way not in others:
            raise _wrong(path, f"answers.{key}", f"is for way = {' or '.join(others)}, not for {way}")
    needed = {
        EXACT: ["threshold"],
        CONSISTENT: ["largest", "variance", "least_error"],
        NOISE: ["epsilon", *(["delta"] if section.get("mechanism") == "gaussian" else []),
                *(["max_groups"] if "unit" in section else [])],
    }.get(way, [])  # fmt: skip
    for key in (key for key in needed if key not in section):
        raise _wrong(path, f"answers.{key}", f"is needed: {KEYS[key].help}")
    if way == CONSISTENT and section["least_error"] > math.sqrt(section["variance"]):
        raise _wrong(
            path, "answers.least_error",
            f"must be at most {math.sqrt(section['variance']):.6g}, the standard deviation of the noise",
        )  # fmt: skip
    for key in (key for key in ("max_groups", "max_rows") if key in section and "unit" not in section):
        raise _wrong(path, f"answers.{key}", "needs answers.unit, the column that says whose a row is")
    if "people" in section and not section.get("unit"):
        raise _wrong(path, "answers.people", "needs answers.unit: what questions call a person")
    for name, declared in section["dimensions"].items():
        at = f"answers.dimensions.{bare(name)}"
        if not isinstance(declared, dict):
            raise _wrong(
                path, at, f'must be a table, such as {{ type = "integer" }}, not {schema.shown(declared)}'
            )
        _check_keys(declared, OF_DIMENSIONS, path, at)
        if "levels" in declared and "hierarchy" not in declared:
            raise _wrong(path, f"{at}.levels", "needs a hierarchy")
        if "range" in declared and (
            len(declared["range"]) != 2 or declared.get("type") not in ("integer", "number", "date")
        ):
            raise _wrong(path, f"{at}.range", "must be [low, high], of type integer, number or date")
    for name, ends in section.get("measures", {}).items():
        at = f"answers.measures.{bare(name)}"
        if not (
            schema.fits(ends, list[float])
            and len(ends) == 2
            and ends[0] <= ends[1]
            and all(map(math.isfinite, ends))
        ):
            raise _wrong(path, at, f"must be the range of its values, [low, high], not {schema.shown(ends)}")


def read(document: Mapping[str, Any], path: Path) -> Answers:
    """[answers] of a policy. Errors: UseError."""
    if "answers" not in document:
        raise UseError(f"{path} has no [answers], which says what questions may be about")
    if document.get("confirmed") is False:
        raise UseError(f"{path}: confirmed = false: look at everything, then write confirmed = true")
    section = document["answers"]
    check(section, path)
    hierarchies = document.get("hierarchies", {})

    def declared(name: str, said: Mapping[str, Any]) -> Declared:
        file = said.get("hierarchy", hierarchies.get(name, {}).get("file"))
        return Declared(
            said.get("type"), said.get("values", ()), said.get("range", ()),
            None if file is None else path.parent / file, said.get("levels", ()),
        )  # fmt: skip

    register = section.get("register")
    return Answers(
        path, None if register is None else path.parent / register, section.get("release"), section["table"],
        {name: declared(name, said) for name, said in section["dimensions"].items()},
        {name: (float(low), float(high)) for name, (low, high) in section.get("measures", {}).items()},
        without_answers(document), section.get("unit"), section.get("people"),
        section.get("seconds", SECONDS), section.get("way", RELEASE), section,
    )  # fmt: skip


def _check_keys(table: Mapping[str, Any], known: Mapping[str, Key], path: Path, at: str) -> None:
    for name, value in table.items():
        if name not in known:
            raise _wrong(path, f"{at}.{bare(name)}", f"is not known{suggestion(name, known)}")
        wanted = known[name].type
        if wanted in EXPECTED:
            if not isinstance(value, wanted):
                raise _wrong(path, f"{at}.{name}", f"must be {EXPECTED[wanted]}, not {schema.shown(value)}")
        elif problem := schema.trouble(value, known[name]):
            raise _wrong(path, f"{at}.{name}", problem)


def _wrong(path: Path, key: str, problem: str) -> UseError:
    return UseError(f"{path}: {key} {problem}")
