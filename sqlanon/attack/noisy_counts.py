"""The attack on noisy counts, releases with differential privacy.

Parameters and rows are those of the macro with the same name; `sqlanon.core.answer` says what an answer is.
"""

from __future__ import annotations

from collections.abc import Iterable

import duckdb

from sqlanon.attack.intersection import warn_of_unread
from sqlanon.core.answer import Names, answer
from sqlanon.core.connection import connection_first
from sqlanon.core.source import Source, listed, names


@connection_first
def noisy_counts_attack(
    con: duckdb.DuckDBPyConnection,
    releases: Iterable[Source],
    targets: Source,
    id: str,
    qi: Names,
    sensitive: str,
    count_column: str,
    deviation_column: str,
    mechanism: str = "laplace",
    hierarchies: Source = None,
    truth: str | None = None,
    controls: str | None = None,
) -> duckdb.DuckDBPyRelation:
    """What releases of noisy counts, as of `dp_counts`, tell of each target together: id, learned,
    confidence, baseline, is_right, is_control, candidates, probabilities.

    qi and sensitive: all columns that the releases count by. count_column, deviation_column: theirs, of
    noisy counts and of the standard deviation of the noise.

    Where somebody is not located, it warns (UnreadWarning) of labels that nobody understands, and if nobody
    is located.
    """
    tables = listed(releases)
    about = {"qi": names(qi, "qi"), "hierarchies": hierarchies}
    told = answer(
        con, "noisy_counts_attack", tables, targets, id=id, sensitive=sensitive, count_column=count_column,
        deviation_column=deviation_column, mechanism=mechanism, truth=truth, controls=controls, **about,
    )  # fmt: skip
    if told.filter("learned is null").limit(1).fetchall():
        anybody = bool(told.filter("learned is not null").limit(1).fetchall())
        warn_of_unread(con, tables, targets, about, anybody)
    return told
