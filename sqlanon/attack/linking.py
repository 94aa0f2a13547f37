"""Linking: a register of people against a release.

Parameters and rows are those of the macro with the same name; `sqlanon.core.answer` says what an answer is.
"""

from __future__ import annotations

import duckdb

from sqlanon.core.answer import Names, answer
from sqlanon.core.source import Source, names


def linking(
    con: duckdb.DuckDBPyConnection,
    release: Source,
    targets: Source,
    id: str,
    qi: Names,
    sensitive: Names | None = None,
    hierarchies: Source = None,
    truth: Names | None = None,
    controls: str | None = None,
    nearest: bool = False,
) -> duckdb.DuckDBPyRelation:
    """Which rows of a release may be whose, and what follows, a row per target and sensitive column: id,
    learned, confidence, baseline, is_right, is_control, candidates, classes, exclusive.
    """
    return answer(
        con, "linking", release, targets, id=id, qi=names(qi, "qi"),
        sensitive=names(sensitive, "sensitive"), hierarchies=hierarchies, truth=names(truth, "truth"),
        controls=controls, nearest=nearest,
    )  # fmt: skip
