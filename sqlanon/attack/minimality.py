"""The minimality attack: what is told by not having cut a class.

Parameters and rows are those of the macro with the same name; `sqlanon.core.answer` says what an answer is.
"""

from __future__ import annotations

import duckdb

from sqlanon.core.answer import Names, answer
from sqlanon.core.source import Source, names


def minimality(
    con: duckdb.DuckDBPyConnection,
    release: Source,
    targets: Source,
    id: str,
    qi: Names,
    sensitive: str,
    k: int,
    l: int | None = None,
    alpha: float | None = None,
    truth: str | None = None,
) -> duckdb.DuckDBPyRelation:
    """What strict Mondrian tells by the classes that it did not cut, a row per target: id, learned,
    confidence, baseline and more.

    targets: everybody in the release. k, l, alpha: the requirements of the release.
    """
    return answer(
        con, "minimality", release, targets, id=id, qi=names(qi, "qi"),
        sensitive=names(sensitive, "sensitive"), k=k, l=l, alpha=alpha, truth=truth,
    )  # fmt: skip
