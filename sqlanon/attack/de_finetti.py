"""The de Finetti attack: whose each value of a bucket or class is, by what all of them together tell.

Parameters and rows are those of the macro with the same name; `sqlanon.core.answer` says what an answer is.
"""

from __future__ import annotations

import duckdb

from sqlanon.core.answer import Names, answer
from sqlanon.core.connection import connection_first
from sqlanon.core.source import Source, names


@connection_first
def de_finetti(
    con: duckdb.DuckDBPyConnection,
    release: Source,
    targets: Source,
    id: str,
    qi: Names,
    sensitive: str,
    bucket: str | None = None,
    hierarchies: Source = None,
    truth: str | None = None,
    controls: str | None = None,
    rounds: int = 20,
) -> duckdb.DuckDBPyRelation:
    """The likeliest sensitive value of each target among those of the bucket or class: id, learned,
    confidence, baseline, is_right, is_control, possible.

    bucket: the column of a release of `anatomize` that says which rows share their values; without it the
    release is in classes. rounds: how often weights and frequencies are worked out from each other.
    """
    return answer(
        con, "de_finetti", release, targets, id=id, qi=names(qi, "qi"), sensitive=sensitive, bucket=bucket,
        hierarchies=hierarchies, truth=truth, controls=controls, rounds=rounds,
    )  # fmt: skip
