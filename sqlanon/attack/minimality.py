"""The minimality attack: what is told by not having cut a class.

Parameters and rows are those of the macro with the same name; `sqlanon.core.answer` says what an answer is.
"""

from __future__ import annotations

import duckdb

from sqlanon.attack.intersection import warn_of_unread
from sqlanon.core.answer import Names, answer
from sqlanon.core.connection import connection_first
from sqlanon.core.source import Source, names


@connection_first
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
    weight: str | None = None,
) -> duckdb.DuckDBPyRelation:
    """What strict Mondrian tells by the classes that it did not cut, a row per target: id, learned,
    confidence, baseline and more.

    targets: everybody in the release. k, l, alpha: the requirements of the release. weight: the column that
    says how many people a row of the release stands for.

    Warns (UnreadWarning) of labels that nobody understands, and where nobody is located.
    """
    known = names(qi, "qi")
    told = answer(
        con, "minimality", release, targets, id=id, qi=known, sensitive=names(sensitive, "sensitive"), k=k,
        l=l, alpha=alpha, truth=truth, weight=weight,
    )  # fmt: skip
    about = {"qi": known, "hierarchies": None, "formats": None}
    anybody = bool(told.filter("class_id is not null").limit(1).fetchall())
    warn_of_unread(con, [release], targets, about, anybody)
    return told
