"""Measures that users have written: what a release has lost of its original."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlglot import exp

from sqlanon.core.comments import parameters
from sqlanon.core.errors import UseError
from sqlanon.core.plugins import HOME, plug_ins
from sqlanon.core.remarks import warn
from sqlanon.core.statements import at_home, call, select

# What may be given, by name; a parameter of another name must have a default.
GIVEN = ("qi", "sensitive", "hierarchies", "unit", "weight", "k", "seed", "formats")


def queries(original: str, release: str, about: Mapping[str, Any]) -> dict[str, exp.Select]:
    """Each measure -> its rows, in the columns of `utility`. about: what is given, by parameter.

    One that reads columns of the release, and no formats, is left out where formats are given. Errors:
    UseError for a measure that needs what is not given. Warns: UserWarning of one that is left out.
    """
    given = {"original": original, "release": release, **{name: about.get(name) for name in GIVEN}}
    made: dict[str, exp.Select] = {}
    for name in plug_ins("measure"):
        taken = parameters(name)
        if given["formats"] and "qi" in taken and "formats" not in taken:
            warn(f"{name} is left out: the release has formats, and {name} takes none")
            continue
        lacking = [each for each, how in taken.items() if how.default is None and given.get(each) is None]
        if lacking:
            raise UseError(f"the measure {name} needs {lacking[0]}, which is not given")
        rows = at_home(call(name, **{each: given.get(each) for each in taken}), HOME)
        title = exp.Literal.string(name.replace("_", " "))
        made[name] = exp.select(
            title.as_("measure"), "attribute::varchar as attribute", "value::double as value",
            "unit::varchar as unit", exp.Literal.string(name).as_("id"), dialect="duckdb",
        ).from_(rows.subquery("measured"))  # fmt: skip
    return made


def is_loss(name: str) -> bool:
    """Is it a measure of which less is better?"""
    measure = plug_ins("measure").get(name)
    return measure is not None and measure.says["better"] == "less"


def with_others(query: exp.Select, original: str, release: str, about: Mapping[str, Any]) -> exp.Select:
    """The rows of `utility`, and after them those of the measures of others."""
    every: exp.Query = query
    for rows in queries(original, release, about).values():
        every = exp.union(every, rows, distinct=False)
    return query if every is query else select(every.subquery("every"))
