"""The check of m-invariance, a row per violation.

Parameters and rows are those of the macro; `sqlanon.core.answer` says what an answer is.
"""

from __future__ import annotations

from collections.abc import Iterable

import duckdb

from sqlanon.attack.intersection import Formats, formats_given
from sqlanon.core.answer import Names, answer
from sqlanon.core.connection import connection_first
from sqlanon.core.source import Source, listed, names


@connection_first
def m_invariance(
    con: duckdb.DuckDBPyConnection,
    releases: Iterable[Source],
    targets: Source,
    id: str,
    qi: Names,
    sensitive: Names,
    m: int = 2,
    hierarchies: Source = None,
    presence: Iterable[str] | None = None,
    group_id: str | None = None,
    weight: str | None = None,
    formats: Formats | None = None,
) -> duckdb.DuckDBPyRelation:
    """What keeps releases of a table that grows and shrinks from being m-invariant together: violation,
    release, class, size, people, signature, earlier_release, earlier_signature; best no row.

    presence: a column of the targets per release. group_id: the column of the releases that says which rows
    are a class. weight, formats: as in `locate`.
    """
    return answer(
        con, "m_invariance", listed(releases), targets, id=id, qi=names(qi, "qi"),
        sensitive=names(sensitive, "sensitive"), m=m, hierarchies=hierarchies,
        presence=names(presence, "presence"), group_id=group_id, weight=weight,
        formats=formats_given(formats),
    )  # fmt: skip
