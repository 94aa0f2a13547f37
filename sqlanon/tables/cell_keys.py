"""Tables of counts with noise by cell keys: the same for the same people, always.

Parameters and rows are those of the macros with the same names; `sqlanon.core.answer` says what an answer is.
"""

from __future__ import annotations

import os

import duckdb

from sqlanon.core.answer import Names, answer
from sqlanon.core.connection import connection_first
from sqlanon.core.errors import InputError
from sqlanon.core.source import Source, named, names
from sqlanon.perturb.masks import Key, hashing

RECORD_KEY = "_sqlanon_record_key"


@connection_first
def perturbation_table(
    con: duckdb.DuckDBPyConnection, largest: int, variance: float, blocked: int = 0, keys: int = 4096
) -> duckdb.DuckDBPyRelation:
    """A table of noise for `cell_keys`: pcv (a count), ckey (a cell key), pvalue (what is added).

    largest: the most by which a count is changed. blocked: counts from 1 to this are not published.
    """
    return answer(con, "perturbation_table", largest=largest, variance=variance, blocked=blocked, keys=keys)


@connection_first
def cell_keys(
    con: duckdb.DuckDBPyConnection,
    source: Source,
    dimensions: Names,
    ptable: Source,
    record_key: str | None = None,
    unit: str | None = None,
    hierarchies: Source = None,
    *,
    total: str = "total",
    empty_cells: bool = True,
    repeating: int = 1,
    key_file: str | os.PathLike[str] | None = None,
) -> duckdb.DuckDBPyRelation:
    """The counts of a table with noise by cell keys: dimensions, value.

    record_key: a column with random whole numbers that people keep. Without it the keys are keyed hashes of
    the unit, which says whose a row is; the secret key is in key_file, or in the environment variable
    SQLANON_KEY. Errors: InputError, also for no key, or one that is too short.
    """
    columns = names(dimensions, "dimensions")

    def made(rows: Source, key: str) -> duckdb.DuckDBPyRelation:
        return answer(
            con, "cell_keys", rows, dimensions=columns, ptable=ptable, record_key=key, unit=unit,
            hierarchies=hierarchies, total=total, empty_cells=empty_cells, repeating=repeating,
        )  # fmt: skip

    if record_key is not None:
        if key_file is not None:
            raise InputError("key_file is for record keys that are made of the unit: leave out record_key")
        return made(source, record_key)
    if unit is None:
        raise InputError("give record_key, a column with record keys, or unit, of which they are made")
    from sqlanon.core.statements import call
    from sqlanon.core.tables import WorkTables

    with hashing(con, Key.read(key_file)) as function, named(con, source) as tbl, WorkTables(con) as work:
        work.make("keyed", call("_with_record_keys", tbl, columns, unit, function))
        return made(work.name("keyed"), RECORD_KEY)
