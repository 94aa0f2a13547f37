"""Plug-ins: macros of users, with a comment that says whether they are an attack, an anonymizer, a measure
or a privacy model.

An attack that is a macro of the connection needs nothing else. Other plug-ins come from `plug_in`, from
`sqlanon --plugin FILE`, or from packages, which name them as entry points of the group `sqlanon.plugins` (or
`sqlanon.attacks`): a function without parameters that returns the script of the macro and its comment. A
policy can name an anonymizer that is known already, but no script, because whoever runs the policy would run
the script, too.

A model is different: the macros that check and enforce what is required are written from the list of models,
so that a row is added to the list, and the library written anew (own_models).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.metadata import entry_points
from os import PathLike
from pathlib import Path

import duckdb

from sqlanon.core import comments, own_models
from sqlanon.core.errors import UseError
from sqlanon.core.statements import execute

GROUPS = ("sqlanon.attacks", "sqlanon.plugins")
KINDS = ("Attack", "Anonymizer", "Measure", "Model")
HOME = ("temp", "main")  # the database and the schema of their macros
# What the line of a block may say, of those that only Python reads.
SAID = {"Anonymizer": {"releases": ("classes", "centroids")}, "Measure": {"better": ("less", "more")}}

_MACRO = re.compile(r"^\s*create\s+(?:or\s+replace\s+)?macro\s+(\w+)\s*\(", re.IGNORECASE)
_COMMENT = re.compile(r"^\s*comment\s+on\s+macro\s+(?:(table)\s+)?(\w+)\s+is\s", re.IGNORECASE)
_TEXT = re.compile(r"\$\$\n?(.*?)\n?\$\$", re.DOTALL)


@dataclass(frozen=True)
class PlugIn:
    """kind: attack, anonymizer or measure. says: what its block says (of attacks, SQL reads that)."""

    name: str
    kind: str
    script: str
    comment: str
    says: Mapping[str, str]


_given: dict[str, PlugIn] = {}


def plug_in(script: str | PathLike[str]) -> list[str]:
    """Make attacks, anonymizers, measures and privacy models of yours known to this process: macros with a
    comment.

    script: the statements, or the path of a file that has them. They may only create macros and comment on
    them. Returns the names. An anonymizer is then a method of policies and `frontier`, and `anonymize_by`
    calls it; a measure is one of `frontier`, of reports and of `sqlanon utility`; an attack is one of
    `run_attacks`; a model can be required wherever k can. Errors: InputError, if a script does anything else,
    or has a name that is taken.
    """
    text = Path(script).read_text("utf-8") if isinstance(script, PathLike) else script
    found = _read(text, "the script")
    for each in found:
        if comments.is_macro(each.name):
            raise UseError(f"there is a macro {each.name} already: give yours another name")
    own_models.add(text, {each.name: (each.comment, each.says) for each in found if each.kind == "model"})
    for each in found:
        _given[each.name] = each
        comments.add(each.name, each.comment)
    return [each.name for each in found]


def _read(script: str, called: str) -> list[PlugIn]:
    """What a script has. Errors: UseError."""
    try:
        with duckdb.connect() as con:
            texts = [statement.query for statement in con.extract_statements(script)]
    except duckdb.Error as error:
        raise UseError(f"{called} is not SQL: {error}") from error
    commented = [_COMMENT.match(text) for text in texts]
    made = [_MACRO.match(text) for text in texts]
    if not all(macro or comment for macro, comment in zip(made, commented, strict=True)):
        raise UseError(f"{called} must only create macros and comment on them")
    found = []
    for text, match in zip(texts, commented, strict=True):
        if match is None or (comment := _TEXT.search(text)) is None:
            continue
        for kind in KINDS:
            block = re.search(rf"\n\n{kind}:\n(.*?)(?:\n\n|$)", comment[1].rstrip("\n"), re.DOTALL)
            if block is not None:
                if match[2].lower() not in {macro[1].lower() for macro in made if macro}:
                    raise UseError(f"{called} comments on {match[2]}, and does not create it")
                gives_rows = kind != "Model"
                if gives_rows != bool(match[1]):
                    of = "macro table" if gives_rows else "macro"
                    raise UseError(f"{called} must say: comment on {of} {match[2]} is ...")
                lines = block[1].replace("\n  ", " ")
                says = dict(re.findall(r"^- (\w+): (.*)$", lines, re.MULTILINE))
                found.append(PlugIn(match[2], kind.lower(), script, comment[1], says))
                for name, choices in SAID.get(kind, {}).items():
                    if says.get(name) not in choices:
                        wanted = f"must say {name}: {', or '.join(choices)}"
                        raise UseError(f"the block {kind} in the comment on {match[2]} {wanted}")
    if not found:
        blocks = ", ".join(f"{kind}:" for kind in KINDS)
        raise UseError(f"{called} has no comment on a macro, between $$, with a block {blocks}")
    return found


@cache
def _of_packages() -> Mapping[str, PlugIn]:
    found: dict[str, PlugIn] = {}
    for group in GROUPS:
        for point in entry_points(group=group):
            of_point = {each.name: each for each in _read(point.load()(), f"the plug-in {point.value}")}
            if point.name not in of_point:
                raise UseError(f"the plug-in {point.value} has no comment on a macro {point.name}")
            if any(each.kind == "model" for each in of_point.values()):
                raise UseError(
                    f"the plug-in {point.value} is a model: plug_in makes it known, no entry point"
                )
            found |= of_point
    for each in found.values():
        comments.add(each.name, each.comment)
    return found


def plug_ins(kind: str | None = None) -> Mapping[str, PlugIn]:
    """All of them by name, or those of a kind. Errors: UseError for one that has other statements, or no
    macro of the name of its entry point."""
    every = {**_of_packages(), **_given}
    return {name: each for name, each in every.items() if kind in (None, each.kind)}


def ensure_plugged(con: duckdb.DuckDBPyConnection) -> None:
    """Make them known to a connection, for as long as it is open."""
    for name, each in plug_ins().items():
        if each.kind == "model":
            continue  # it is in the library
        there = "select 1 from duckdb_functions() where database_name = 'temp' and function_name = $name"
        # one that is given may be another one by now
        if name in _given or not execute(con, there, {"name": name}):
            for statement in con.extract_statements(each.script):
                text = _MACRO.sub(lambda match: f"create or replace temp macro {match[1]}(", statement.query)
                execute(con, text)
