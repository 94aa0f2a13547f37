"""Perturbation over tables, DataFrames and relations.

None of the methods guarantees anything about privacy: `sqlanon.disclosure` and `sqlanon.record_linkage` say
what a result still tells.
"""

from __future__ import annotations

from typing import Any

import duckdb

from sqlanon.core.source import Source
from sqlanon.core.tables import with_all_rows

METHODS = ("pram", "rank_swap", "add_noise", "round_values", "top_code", "bottom_code")


def perturbed(
    con: duckdb.DuckDBPyConnection,
    method: str,
    source: Source,
    *,
    into: str | None = None,
    replace: bool = False,
    keep: list[str] | None,
    **parameters: Any,
) -> duckdb.DuckDBPyRelation:
    """A table as a method perturbs it.

    The answer is a relation over the release: the table `into`, or a temporary table. An existing table is
    replaced only with replace=True. After an error or interrupt nothing is left behind.
    """
    from sqlanon.core.statements import call  # with sqlglot, which is slow to import

    given = {"keep": keep or None, **parameters}
    return with_all_rows(con, source, into, replace, lambda tbl, _: call(method, tbl, **given))
