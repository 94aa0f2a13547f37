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


@connection_first
def nearest_inference(
    con: duckdb.DuckDBPyConnection,
    release: Source,
    targets: Source,
    id: str,
    columns: Names,
    sensitive: str,
    hierarchies: Source = None,
    truth: str | None = None,
    controls: str | None = None,
    within: float | None = None,
    agreeing: bool = False,
    comparisons: int = COMPARISONS,
) -> duckdb.DuckDBPyRelation:
    """What the released rows nearest to somebody have in a sensitive column, a row per target: id, learned,
    confidence, baseline, is_right, is_control, rows, distance, unfinished.

    columns: those that the adversary knows. within: sensitive is a number, and guesses may be so far from the
    truth. agreeing: only rows count that agree in all columns. comparisons: as in `nearest_linkage`.
    """
    return answer(
        con, "nearest_inference", release, targets, id=id, columns=names(columns, "columns"),
        sensitive=sensitive, hierarchies=hierarchies, truth=truth, controls=controls, within=within,
        agreeing=agreeing, comparisons=comparisons,
    )  # fmt: skip
