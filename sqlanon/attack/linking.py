"""Linking: a register of people against a release.

Parameters and rows are those of the macro with the same name; `sqlanon.core.answer` says what an answer is.
"""

from __future__ import annotations

import duckdb

from sqlanon.attack.intersection import Formats, Unknown, formats_given, unknown_texts, warn_of_unread
from sqlanon.core.answer import Names, answer
from sqlanon.core.connection import connection_first
from sqlanon.core.source import Source, names


@connection_first
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
    weight: str | None = None,
    formats: Formats | None = None,
    unknown: Unknown = None,
) -> duckdb.DuckDBPyRelation:
    """Which rows of a release may be whose, and what follows, a row per target and sensitive column: id,
    learned, confidence, baseline, is_right, is_control, candidates, classes, exclusive.

    weight: the column that says how many people a row of the release stands for. formats, unknown: as in
    `locate`.

    Warns (UnreadWarning) of labels that nobody understands, and where nobody is located.
    """
    about = {
        "qi": names(qi, "qi"), "hierarchies": hierarchies, "formats": formats_given(formats),
        "unknown": unknown_texts(unknown),
    }  # fmt: skip
    linked = answer(
        con, "linking", release, targets, id=id, sensitive=names(sensitive, "sensitive"),
        truth=names(truth, "truth"), controls=controls, nearest=nearest, weight=weight,
        **about,
    )  # fmt: skip
    if not nearest:
        anybody = bool(linked.filter("candidates > 0").limit(1).fetchall())
        warn_of_unread(con, [release], targets, about, anybody)
    return linked
