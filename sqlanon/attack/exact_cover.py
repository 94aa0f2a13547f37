"""Exact cover: the intersection attack by somebody who knows everybody in the releases.

Parameters and rows are those of the macro with the same name; `sqlanon.core.answer` says what an answer is.
"""

from __future__ import annotations

from collections.abc import Iterable

import duckdb

from sqlanon.attack.intersection import Formats, Unknown, formats_given, unknown_texts
from sqlanon.core.answer import Names, answer
from sqlanon.core.connection import connection_first
from sqlanon.core.source import Source, listed, names


@connection_first
def exact_cover(
    con: duckdb.DuckDBPyConnection,
    releases: Iterable[Source],
    targets: Source,
    id: str,
    qi: Names,
    sensitive: Names,
    hierarchies: Source = None,
    truth: Names | None = None,
    nearest: bool | Iterable[bool] = False,
    presence: Names | None = None,
    unit: str | None = None,
    formats: Formats | None = None,
    unknown: Unknown = None,
    unchanged: Names | None = None,
    values_may_change: Names | None = None,
) -> duckdb.DuckDBPyRelation:
    """What releases together give away to somebody who knows everybody in them, a row per target and
    sensitive column: id, sensitive, learned, confidence, baseline, is_right, is_control, candidates,
    unfinished.

    The targets should be everybody in the releases. The parameters are as in `intersection_attack`.
    """
    return answer(
        con, "exact_cover", listed(releases), targets, id=id, qi=names(qi, "qi"),
        sensitive=names(sensitive, "sensitive"), hierarchies=hierarchies, truth=names(truth, "truth"),
        nearest=nearest if isinstance(nearest, bool) else list(nearest), presence=names(presence, "presence"),
        unit=unit, formats=formats_given(formats), unknown=unknown_texts(unknown),
        unchanged=names(unchanged, "unchanged"),
        values_may_change=names(values_may_change, "values_may_change"),
    )  # fmt: skip
