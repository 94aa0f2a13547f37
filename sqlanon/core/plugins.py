"""Attacks that others have written, as SQL: macros with a comment that says what they are.

A connection that has such a macro has the attack. Packages name theirs as entry points of the group
`sqlanon.attacks`: a function without parameters that returns the script of the macro and its comment. (A
policy cannot: its SQL is run for who reads it, too.)
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from importlib.metadata import entry_points

import duckdb

from sqlanon.core.errors import UseError
from sqlanon.core.statements import execute

GROUP = "sqlanon.attacks"

_MACRO = re.compile(r"^\s*create\s+(?:or\s+replace\s+)?macro\s+(\w+)\s*\(", re.IGNORECASE)
_COMMENT = re.compile(r"^\s*comment\s+on\s+macro\s+(?:table\s+)?(\w+)\s+is\s", re.IGNORECASE)


@cache
def scripts() -> Mapping[str, str]:
    """The scripts of packages, by the names of their attacks.

    Errors: UseError for one that has other statements, or no macro of the name of its entry point.
    """
    found = {}
    for point in entry_points(group=GROUP):
        found[point.name] = script = point.load()()
        with duckdb.connect() as con:
            texts = [statement.query for statement in con.extract_statements(script)]
        made = [_MACRO.match(text) for text in texts]
        told = [_COMMENT.match(text) for text in texts]
        if not all(made[i] or told[i] for i in range(len(texts))):
            raise UseError(f"the plug-in {point.value} must only create macros and comment on them")
        if point.name not in {match[1] for match in told if match}:
            raise UseError(f"the plug-in {point.value} has no comment on a macro {point.name}")
    return found


def ensure_plugged(con: duckdb.DuckDBPyConnection) -> None:
    """Make the attacks of packages known to a connection, for as long as it is open."""
    for name, script in scripts().items():
        there = "select 1 from duckdb_functions() where database_name = 'temp' and function_name = $name"
        if not execute(con, there, {"name": name}):
            for statement in con.extract_statements(script):
                text = _MACRO.sub(lambda match: f"create or replace temp macro {match[1]}(", statement.query)
                execute(con, text)
