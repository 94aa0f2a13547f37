"""Functions of SQL that run in Python: the loops of microaggregation (sqlanon/anonymize/mdav.py), bounds of
cells (sqlanon/tables/linear_bounds.py), and noise."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import duckdb

from sqlanon.attack.possible_values import register_possible_values
from sqlanon.core.connection import connection_first
from sqlanon.core.library import has_function, keep_in_memory, registering
from sqlanon.tables.programs import has_solver, register_programs

if TYPE_CHECKING:
    from sqlanon.publishing.ledger import Ledger

_TAKEN_BY_SQL = """
    create or replace macro sqlanon._block_groups(numbers, categories, steps, weights, algorithm, k, gamma) as
        _sqlanon_groups(numbers, categories, steps, weights, algorithm, k, gamma)"""


@connection_first
def register_functions(con: duckdb.DuckDBPyConnection, noise: bool | Ledger = False) -> None:
    """Register, and make the loops of microaggregation known to SQL, so that it has all algorithms; and the
    programs for bounds of cells, where the extra `tables` is installed.

    noise: the samplers of randomized releases as well. With a ledger, every statement that draws is paid for
    by it, and refused otherwise (sqlanon/publishing/paid_noise.py). With True nobody adds up what they cost.

    They are known to all connections of this process to the database, until it is closed. It takes as long as
    to import numpy, which `register` does not need. Doing it again does no harm. Errors: as in `register`.
    """
    keep_in_memory(con)
    # on a cursor: otherwise it would go with a transaction that the caller rolls back
    with registering("_sqlanon_groups"), con.cursor() as cursor:
        if not has_function(cursor, "_sqlanon_groups"):
            cursor.create_function(
                "_sqlanon_groups",
                # one that is never deleted: DuckDB calls it after the cursor has let go of it
                block_groups,
                ["BIGINT[][]", "BIGINT[][]", "BIGINT[]", "BIGINT[]", "VARCHAR", "BIGINT", "DOUBLE"],
                "BIGINT[]",
            )
        cursor.execute(_TAKEN_BY_SQL).fetchall()
    if has_solver():
        register_programs(con)
        register_possible_values(con)
    if noise is True:
        from sqlanon.randomize.noise import register_noise

        register_noise(con)
    elif noise:
        from sqlanon.publishing.paid_noise import register_paid_noise

        register_paid_noise(con, noise)


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
