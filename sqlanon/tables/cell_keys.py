"""Tables of counts with noise by cell keys: the same for the same people, always."""

from __future__ import annotations

from os import PathLike
from typing import Any

import duckdb

from sqlanon.core.answer import answer
from sqlanon.core.errors import InputError
from sqlanon.core.source import Source, named
from sqlanon.core.statements import call
from sqlanon.core.tables import WorkTables
from sqlanon.perturb.masks import Key, hashing

RECORD_KEY = "_sqlanon_record_key"


def with_record_keys(
    con: duckdb.DuckDBPyConnection,
    macro: str,
    source: Source,
    *,
    record_key: str | None,
    key_file: str | PathLike[str] | None = None,
    **given: Any,
) -> duckdb.DuckDBPyRelation:
    """The answer of cell_keys.

    Without record_key the keys are keyed hashes of the unit, which says whose a row is; the secret key is in
    key_file, or in the environment variable SQLANON_KEY. No key, or one that is too short, is an InputError.
    """
    if record_key is not None:
        if key_file is not None:
            raise InputError("key_file is for record keys that are made of the unit: leave out record_key")
        return answer(con, macro, source, record_key=record_key, **given)
    if given["unit"] is None:
        raise InputError("give record_key, a column with record keys, or unit, of which they are made")
    with hashing(con, Key.read(key_file)) as function, named(con, source) as tbl, WorkTables(con) as work:
        work.make("keyed", call("_with_record_keys", tbl, given["dimensions"], given["unit"], function))
        return answer(con, macro, work.name("keyed"), record_key=RECORD_KEY, **given)
