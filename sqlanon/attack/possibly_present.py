"""Possibly present: in which releases somebody may be.

Parameters and rows are those of the macro with the same name; `sqlanon.core.answer` says what an answer is.
"""

from __future__ import annotations

from collections.abc import Iterable

import duckdb

from sqlanon.attack.intersection import Formats, formats_given
from sqlanon.core.answer import Names, answer
from sqlanon.core.connection import connection_first
from sqlanon.core.source import Source, listed, names


@connection_first
def possibly_present(
    con: duckdb.DuckDBPyConnection,
    releases: Iterable[Source],
    targets: Source,
    id: str,
    qi: Names,
    sensitive: Names | None = None,
    hierarchies: Source = None,
    nearest: bool | Iterable[bool] = False,
    formats: Formats | None = None,
) -> duckdb.DuckDBPyRelation:
    """In which releases targets may be, by their own values: the targets who may be in any, a row each, with
    the columns in_1, in_2, ..., one for each release.

    formats: as in `locate`.
    """
    by_distance = nearest if isinstance(nearest, bool) else list(nearest)
    return answer(
        con, "possibly_present", listed(releases), targets, id=id, qi=names(qi, "qi"),
        sensitive=names(sensitive, "sensitive"), hierarchies=hierarchies, nearest=by_distance,
        formats=formats_given(formats),
    )  # fmt: skip
