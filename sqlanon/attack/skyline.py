"""The privacy skyline: knowledge of the target, of others, and of both.

Parameters and rows are those of the macros with the same names; `sqlanon.core.answer` says what an answer is.
"""

from __future__ import annotations

import duckdb

from sqlanon.core.answer import Names, answer
from sqlanon.core.connection import connection_first
from sqlanon.core.source import Source, names


@connection_first
def skyline(
    con: duckdb.DuckDBPyConnection,
    release: Source,
    qi: Names,
    sensitive: Names,
    l: int = 1,
    k: int = 1,
    m: int = 1,
    value: str | None = None,
    weight: str | None = None,
) -> duckdb.DuckDBPyRelation:
    """How sure of a value somebody can be, a row per class: qi, size, sensitive, learned, confidence,
    baseline, is_right, is_control, value_rows.

    l: values that the target has not. k: other people whose values are known. m: people of whom it is known
    that if they have the value, the target has it, too. weight: as in `homogeneity`.
    """
    return answer(
        con, "skyline", release, qi=names(qi, "qi"), sensitive=names(sensitive, "sensitive"), l=l, k=k, m=m,
        value=value, weight=weight,
    )  # fmt: skip
