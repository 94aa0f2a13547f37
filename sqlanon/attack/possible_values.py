"""Functions of SQL for exact cover: the programs of sql/attack/connected_people.sql (what people of a part
can have), and the cycles of sql/attack/two_worlds.sql (who can exchange values)."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from typing import Any

import duckdb

from sqlanon.attack.exchanges import on_cycles
from sqlanon.core.library import has_function, keep_in_memory, registering
from sqlanon.tables.programs import has_solver

_NAME = "_sqlanon_possible_values"
_CYCLES = "_sqlanon_on_cycles"
_PEOPLE = 'STRUCT(people BIGINT, codes BIGINT[], coverings BIGINT[], "places" BIGINT[], of_codes BIGINT[])[]'
_PARTS = f'STRUCT(people {_PEOPLE}, "rows" BIGINT[])[]'
_ANSWERS = "STRUCT(codes BIGINT[][], is_finished BOOLEAN)[]"
_TAKEN_BY_SQL = (
    f"create or replace macro sqlanon._possible_values(parts, seconds) as {_NAME}(parts, seconds)",
    "create or replace macro sqlanon._on_cycles(lefts, rights, codes, seconds) as "
    f"{_CYCLES}(lefts, rights, codes, seconds)",
)


INSTALL = "pip install 'sqlanon[tables]'"


def are_installed() -> bool:
    """Is all there that these functions need, HiGHS and SciPy, as with the extra `tables`?"""
    return has_solver() and find_spec("scipy") is not None


def register_possible_values(con: duckdb.DuckDBPyConnection) -> None:
    """Make them known to SQL, where they can run. Doing it again does no harm."""
    if not are_installed():
        return
    keep_in_memory(con)
    with registering(_NAME), con.cursor() as cursor:
        if not has_function(cursor, _NAME):
            cursor.create_function(_NAME, possible_values, [_PARTS, "DOUBLE"], _ANSWERS)
            cursor.create_function(
                _CYCLES, on_cycles, ["BIGINT[]", "BIGINT[]", "BIGINT[]", "DOUBLE"], "BOOLEAN[]"
            )
        for taken in _TAKEN_BY_SQL:
            cursor.execute(taken).fetchall()


def possible_values(parts: Sequence[Mapping[str, Any]], seconds: float) -> list[dict[str, Any]]:
    """What is left of the values of each part's people; the small parts first, until the time is over."""
    from sqlanon.attack.part_programs import NOTHING, PartPrograms  # with numpy, which is slow to import

    deadline = time.monotonic() + seconds
    answers = [NOTHING] * len(parts)
    for i in sorted(range(len(parts)), key=lambda i: sum(len(one["places"]) for one in parts[i]["people"])):
        if time.monotonic() < deadline:
            answers[i] = PartPrograms(parts[i], deadline).answer()
    return answers
