"""Trails: who left which record, by the places where people were.

Parameters and rows are those of the macros with the same names; `sqlanon.core.answer` says what an answer is.
"""

from __future__ import annotations

import duckdb

from sqlanon.core.answer import answer
from sqlanon.core.connection import connection_first
from sqlanon.core.source import Source


@connection_first
def trails(
    con: duckdb.DuckDBPyConnection,
    release: Source,
    targets: Source,
    id: str,
    record: str,
    place: str,
    incomplete: bool = False,
    truth: str | None = None,
    controls: str | None = None,
) -> duckdb.DuckDBPyRelation:
    """The record that only this person can have, a row per person: id, learned, confidence, baseline,
    is_right, is_control, places, people, candidates, unfinished.

    incomplete: not every place has released a record of whoever was there (REIDIT-I, otherwise REIDIT-C).
    """
    return answer(
        con, "trails", release, targets, id=id, record=record, place=place, incomplete=incomplete,
        truth=truth, controls=controls,
    )  # fmt: skip
