"""The loops of microaggregation (sqlanon/anonymize/mdav.py) as a function of SQL."""

from __future__ import annotations

from collections.abc import Sequence

import duckdb

from sqlanon.core.library import keep_in_memory, registering

_KNOWN = "select 1 from duckdb_functions() where function_name = '_sqlanon_groups'"
_TAKEN_BY_SQL = """
    create or replace macro sqlanon._block_groups(numbers, categories, steps, weights, algorithm, k, gamma) as
        _sqlanon_groups(numbers, categories, steps, weights, algorithm, k, gamma)"""


def register_functions(con: duckdb.DuckDBPyConnection) -> None:
    """Register, and make the loops of microaggregation known to SQL, so that it has all algorithms.

    They are known to all connections of this process to the database, until it is closed. It takes as long as
    to import numpy, which `register` does not need. Doing it again does no harm. Errors: as of `register`.
    """
    keep_in_memory(con)
    # on a cursor: otherwise it would go with a transaction that the caller rolls back
    with registering("_sqlanon_groups"), con.cursor() as cursor:
        if not cursor.execute(_KNOWN).fetchall():
            cursor.create_function(
                "_sqlanon_groups",
                # one that is never deleted: DuckDB calls it after the cursor has let go of it
                block_groups,
                ["BIGINT[][]", "BIGINT[][]", "BIGINT[]", "BIGINT[]", "VARCHAR", "BIGINT", "DOUBLE"],
                "BIGINT[]",
            )
        cursor.execute(_TAKEN_BY_SQL).fetchall()


def block_groups(
    numbers: Sequence[Sequence[int]],
    categories: Sequence[Sequence[int]],
    steps: Sequence[int],
    weights: Sequence[int],
    algorithm: str,
    k: int,
    gamma: float,
) -> list[int]:
    """The group of each row of a block, from lists as in sql/anonymize/microaggregation/mdav.sql."""
    import numpy as np

    from sqlanon.anonymize import mdav

    block = mdav.points(
        [np.array(column, dtype=np.int64) for column in numbers],
        [np.array(column, dtype=np.int64) for column in categories],
        steps,
        np.array(weights, dtype=np.int64),
    )
    groups: list[int] = mdav.groups(block, algorithm, k, gamma, lambda rows: None).tolist()
    return groups
