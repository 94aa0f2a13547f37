"""Ways to protect a table, with what each hides and what is known all the same."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import duckdb

from sqlanon.core.errors import InputError
from sqlanon.core.release import Progress
from sqlanon.core.statements import call, execute
from sqlanon.core.tables import WorkTables
from sqlanon.policies.tables import ABOUT, OF_ALL, TablePolicy
from sqlanon.tables.making import Making

BASES = (3, 5, 10)


def ways(section: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """What is tried, by a name: as the policy says, and otherwise."""
    method = section["method"]
    yield f"the policy ({method})", section
    about = {*ABOUT, *(name for names in OF_ALL.values() for name in names)}
    kept = {name: value for name, value in section.items() if name in {*about, "solver_seconds"}}
    yield "nothing hidden", {**kept, "method": "none"}
    yield "unsafe cells alone", {**kept, "method": "primary"}
    for cost in ("cells", "contributors", "value"):
        if method != "suppress" or section.get("cost", "cells") != cost:
            yield f"suppress, least {cost}", {**kept, "method": "suppress", "cost": cost}
    for base in BASES:
        yield f"round to {base}", {**kept, "method": "round", "base": base}
    yield f"controlled to {BASES[1]}", {
        **kept, "method": "round", "base": BASES[1], "rounding": "controlled",
    }  # fmt: skip


def choices_of(
    con: duckdb.DuckDBPyConnection,
    policy: TablePolicy,
    source: str,
    hierarchies: str | None,
    key_file: str | os.PathLike[str] | None,
    progress: Progress | None = None,
) -> list[dict[str, Any]]:
    """Each way: method, and in percent hidden, known and unfinished; or the reason why it cannot be gone."""
    rows = []
    tried = [*ways(policy.section)]
    for i, (name, section) in enumerate(tried):
        if progress is not None:
            progress(i / len(tried), name)
        with WorkTables(con) as work:
            try:
                tried_policy = replace(policy, section=section)
                made = Making(con, work, tried_policy, source, hierarchies, key_file).cells()
            except InputError as error:
                rows.append({
                    "method": name, "hidden": None, "known": None, "unfinished": None,
                    "reason": re.sub(r"_sqlanon_\w+", "the table", str(error)),
                })  # fmt: skip
                continue
            [(hidden, known, unfinished)] = execute(con, call("_shares_of_states", made.states))
            rows.append({
                "method": name, "hidden": hidden, "known": known, "unfinished": unfinished, "reason": None
            })  # fmt: skip
    return rows
