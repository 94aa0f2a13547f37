"""Attacks by nearest rows, on releases of any kind: linkage of two halves of what is known.

Parameters and rows are those of the macros with the same names; `sqlanon.core.answer` says what an answer is.
"""

from __future__ import annotations

import duckdb

from sqlanon.core.answer import Names, answer
from sqlanon.core.connection import connection_first
from sqlanon.core.source import Source, names

COMPARISONS = 2_000_000_000


@connection_first
def nearest_linkage(
    con: duckdb.DuckDBPyConnection,
    release: Source,
    targets: Source,
    id: str,
    here: Names,
    there: Names,
    hierarchies: Source = None,
    controls: str | None = None,
    comparisons: int = COMPARISONS,
) -> duckdb.DuckDBPyRelation:
    """Do both halves of what is known about somebody lead to the same released row, a row per target: id,
    learned, confidence, baseline, is_right, is_control, rows_here, rows_there, shared, distance_here,
    distance_there, unfinished.

    comparisons: the most pairs of distinct rows that are compared in each of three steps; for whom that is
    too few, the answer is unfinished.
    """
    return answer(
        con, "nearest_linkage", release, targets, id=id, here=names(here, "here"),
        there=names(there, "there"), hierarchies=hierarchies, controls=controls, comparisons=comparisons,
    )  # fmt: skip
