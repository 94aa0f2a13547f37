"""[table] of a policy: a table of counts or sums, and how its unsafe cells are protected. Its keys are the
parameters of the macros that make it, as their comments have them; `method` says which of these protects."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import duckdb

from sqlanon.core.comments import parameters
from sqlanon.core.errors import UseError
from sqlanon.core.source import lower
from sqlanon.core.statements import call, execute
from sqlanon.core.suggestions import suggestion
from sqlanon.policies import schema
from sqlanon.policies.parsing import document_of
from sqlanon.policies.policy import Policy, read
from sqlanon.policies.profiles import profiles
from sqlanon.policies.randomized import key
from sqlanon.policies.schema import Key, Names

# What protects, by its name here: its macro, and those of whose parameters keys are made.
METHODS: Mapping[str, tuple[str, Mapping[str, tuple[str, ...]]]] = {
    "suppress": (
        "suppress_cells",
        {"suppress_cells": ("cost", "publish", "safety_range", "solver_seconds")},
    ),
    "round": ("round_cells", {"round_cells": ("base", "rounding", "solver_seconds")}),
    "keys": (
        "cell_keys",
        {
            "perturbation_table": ("largest", "variance", "blocked"),
            "cell_keys": ("ptable", "repeating", "record_key"),
            "suppress_cells": ("solver_seconds",),
        },
    ),
}
RULES = ("threshold", "zeros", "dominance", "p", "q", "response", "shares")
OF_ALL = {
    "table_cells": ("dimensions", "measure", "unit", "linked", "total"),
    "unsafe_cells": RULES,
    "tables_together": ("growing", "varying", "max_atoms"),
}
PROFILES = {name: each for name, each in profiles().items() if each.threshold is not None}
PROFILE = Key(
    str,
    "A rule of practice that the table must follow: no cell of fewer people than it says is shown. For "
    "suppress.",
    choices=tuple(PROFILES),
)
FILES = ("publish", "ptable")  # keys that are tables
METHOD = Key(str, "How cells that break a rule are protected.", choices=tuple(METHODS))
# What a table is about, and is compared by with the others that are out.
ABOUT = {
    "filter": Key(
        str,
        "Whom the table counts: conditions of SQL with AND between them, such as age > 30; not given: "
        "everybody.",
    ),
    "period": Key(
        str,
        "As of when the table counts, such as 2026-04: a text or a date. Digits are ordered as numbers.",
    ),
}
HIDE_WITH_EARLIER = Key(
    bool,
    "Hide more cells where they would tell too much together with what is out; otherwise the table is "
    "refused.",
)
MEAN = Key(
    str,
    "A column, of values of at least 0: the mean of each cell's people is published beside their number.",
)
MEAN_DECIMALS = 1  # if nothing else is said
DECIMALS = Key(int, f"To how many decimals means are rounded; not given: {MEAN_DECIMALS}.", least=0, most=9)
SECTIONS = ("confirmed", "input", "hierarchies", "judge", "limits", "table")
OF_JUDGE = ("language",)  # all else about tables is in [table]


@dataclass(frozen=True)
class TablePolicy:
    """A policy with [table]. section: [table] itself; policy: what it says of files and hierarchies."""

    section: Mapping[str, Any]
    policy: Policy

    @property
    def dimensions(self) -> Names:
        return list(self.section["dimensions"])

    @property
    def path(self) -> Path | None:
        """Its file."""
        return self.policy.spelling.path

    @property
    def macro(self) -> str:
        """What protects."""
        return METHODS[self.section["method"]][0]

    def of(self, *names: str) -> dict[str, Any]:
        """The keys that are given, of some."""
        return {name: self.section[name] for name in names if name in self.section}

    @property
    def rules(self) -> dict[str, Any]:
        return self.of(*RULES)

    def columns(self, con: duckdb.DuckDBPyConnection) -> dict[str, Names]:
        """The columns that it names, by the key. Errors: InputError for a filter that nobody can read."""
        own = {
            name: [self.section[name]]
            for name in ("measure", "mean", "unit", "record_key")
            if name in self.section
        }
        if "filter" in self.section:
            conditions = execute(con, call("_conditions_checked", self.section["filter"]))
            own["filter"] = [*dict.fromkeys(column for column, _ in conditions)]
        return {"dimensions": self.dimensions, **own}


def keys(method: str) -> dict[str, Key]:
    """The keys of [table] with a method."""
    of_method = METHODS[method][1]
    known = {
        name: key(parameters(macro)[name])
        for taken in (OF_ALL, of_method) for macro, names in taken.items() for name in names
    }  # fmt: skip
    if method == "suppress":
        known |= {"hide_with_earlier": HIDE_WITH_EARLIER, "profile": PROFILE, "mean": MEAN,
                  "decimals": DECIMALS}  # fmt: skip
    return {
        "method": METHOD, **known, **ABOUT, "dimensions": Key(Names, known["dimensions"].help),
        "varying": Key(Names, known["varying"].help),
        "max_atoms": Key(int, known["max_atoms"].help, least=1),
    }  # fmt: skip


def read_table(path: Path, text: bytes | None = None) -> TablePolicy | None:
    """The policy in a file that has [table]; None for another one. text: what the file says, if that is not
    to be read from it. Errors: UseError, which names the key."""
    document, text = document_of(path, text)
    if "table" not in document:
        return None
    for name in document:
        if name not in SECTIONS:
            raise UseError(f"{path}: {name} is for releases of rows; with [table] a policy has no other")
    section = document["table"]
    if not isinstance(section, dict):
        raise UseError(f"{path}: table must be a table, [table], not {schema.shown(section)}")
    if isinstance(section.get("period"), date):
        section["period"] = section["period"].isoformat()
    _check(section, path)
    for name in FILES:
        if name in section:
            section[name] = str(path.parent / section[name])
            if not Path(section[name]).is_file():
                raise UseError(f"{path}: table.{name}: there is no file {section[name]}")
    policy = read(path, {"roles": {"qi": section["dimensions"]}}, "table_cells", text)
    for name in document.get("judge", {}):
        if name not in OF_JUDGE:
            raise UseError(f"{path}: judge.{name} is for releases of rows; [table] has keys of its own")
    for column in document.get("hierarchies", {}):
        if column.lower() not in lower(section["dimensions"]):
            raise UseError(f"{path}: hierarchies.{schema.bare(column)}: {column} is none of table.dimensions")
    return TablePolicy(section, policy)


def _check(section: dict[str, Any], path: Path) -> None:
    def wrong(name: str, problem: str) -> UseError:
        return UseError(f"{path}: table.{name} {problem}")

    method = section.get("method")
    if problem := schema.trouble("" if method is None else method, METHOD):
        raise wrong("method", problem)
    known = keys(str(method))
    for name, value in section.items():
        if name not in known:
            others = [other for other in METHODS if name in keys(other)]
            if others:
                raise wrong(name, f"is for method {' or '.join(others)}, not for {method}")
            raise wrong(name, f"is not known{suggestion(name, known)}")
        if problem := schema.trouble(value, known[name]):
            raise wrong(name, problem)
    _follow_profile(section, wrong)
    if not section.get("dimensions"):
        raise wrong("dimensions", 'names no column, such as ["ward", "diagnosis"]')
    if not any(section.get(name) for name in ("threshold", "zeros", "dominance", "p", "response")):
        raise UseError(f"{path}: table has no rule that says which cells are unsafe, such as threshold = 5")
    if "mean" in section:
        for name in ("measure", "dominance", "p"):
            if name in section:
                raise wrong(
                    name, "is for sums; with mean a table is one of counts: publish another one of sums"
                )
        if "threshold" not in section:
            raise wrong("threshold", "is needed with mean, such as threshold = 5")
    elif "decimals" in section:
        raise wrong("decimals", 'is of means: say of which column, such as mean = "age"')
    if method == "round" and "base" not in section:
        raise wrong("base", "is needed, such as base = 5")
    if method == "keys":
        if ("ptable" in section) == ("largest" in section or "variance" in section):
            raise wrong("largest", "and variance say which noise, or ptable does")
        if "ptable" not in section and not ("largest" in section and "variance" in section):
            raise wrong("variance" if "largest" in section else "largest", "is needed, too")
        if "unit" not in section and "record_key" not in section:
            raise wrong("unit", "is needed, of which record keys are made, or record_key")
        for name in ("measure", "linked"):
            if name in section:
                raise wrong(name, "is not for cell keys, which are for one table of counts")


def _follow_profile(section: dict[str, Any], wrong: Callable[[str, str], UseError]) -> None:
    """Require the threshold of the profile, if it has one. Errors: UseError for a lower one."""
    profile = PROFILES.get(section.pop("profile", ""))
    if profile is None or profile.threshold is None:
        return
    least = section.setdefault("threshold", profile.threshold)
    if least < profile.threshold:
        raise wrong(
            "threshold", f"= {least}: profile {profile.profile} requires at least {profile.threshold}"
        )
