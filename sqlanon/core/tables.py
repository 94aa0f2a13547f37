"""Tables that a run makes: temporary ones to work in, and the one that stays."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from types import TracebackType
from typing import Self

import duckdb
from sqlglot import exp

from sqlanon.core.errors import InputError, SqlanonError, VerificationError
from sqlanon.core.library import ensure_registered
from sqlanon.core.source import Source, cleanly, fresh_name, named
from sqlanon.core.statements import (
    answer,
    count,
    create,
    drop,
    execute,
    parts,
    relation,
    render,
    select,
    table,
)


class WorkTables:
    """Temporary tables that are gone at the end, however that comes."""

    def __init__(self, con: duckdb.DuckDBPyConnection) -> None:
        self._con = con
        self._prefix = fresh_name("")
        self._made: dict[str, exp.Table] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        cleanly(*(partial(execute, self._con, drop(made)) for made in self._made.values()))

    def name(self, purpose: str) -> str:
        """The name of the table for a purpose. It needs no quotes."""
        return self._prefix + purpose

    def make(self, purpose: str, query: exp.Expression) -> exp.Table:
        """Make the table for a purpose, or make it anew."""
        made = table(self.name(purpose))
        self.discard_later(made)
        execute(self._con, create(made, query, temporary=True, replace=True))
        return made

    def drop(self, purpose: str) -> None:
        """Have the table for a purpose gone now."""
        made = table(self.name(purpose))
        execute(self._con, drop(made))
        self.keep(made)

    def rename(self, purpose: str, other: str) -> None:
        """Have the table for a purpose serve another, whose table goes."""
        made, new = table(self.name(purpose)), table(self.name(other))
        self.discard_later(new)
        execute(self._con, drop(new))
        execute(self._con, exp.rename_table(made, new))
        self.keep(made)

    def discard_later(self, made: exp.Table) -> None:
        """Have a table dropped at the end."""
        self._made[render(made)] = made

    def keep(self, made: exp.Table) -> None:
        """Have a table stay after all."""
        self._made.pop(render(made), None)


@contextmanager
def transaction(con: duckdb.DuckDBPyConnection) -> Iterator[None]:
    """All or nothing; in a transaction of the caller, a part of that."""
    if in_transaction(con):
        yield
        return
    try:
        execute(con, "begin")
        yield
        execute(con, "commit")
    except BaseException:
        cleanly(lambda: execute(con, "rollback"))
        raise


def in_transaction(con: duckdb.DuckDBPyConnection) -> bool:
    """Has the caller begun a transaction? (Asking with BEGIN would end it.)"""
    return execute(con, "select txid_current()") == execute(con, "select txid_current()")


@dataclass(frozen=True)
class Target:
    """The place of a table that is to be made: `name` in schema and catalog."""

    catalog: str
    schema: str
    name: str

    def beside(self, name: str) -> exp.Table:
        """Another table in the same schema."""
        return table(name, self.schema, self.catalog)

    @property
    def table(self) -> exp.Table:
        return self.beside(self.name)


def target(con: duckdb.DuckDBPyConnection, into: str, replace: bool) -> Target:
    """Where `into` is. InputError if no table can be made there, or it would replace one that it may not."""
    place = _located(con, into)
    writable = execute(
        con,
        "select not readonly from duckdb_databases() where database_name = ?",
        [place.catalog],
    )
    if writable == [(False,)]:
        raise InputError(
            f'database "{place.catalog}" is read-only: leave out into for a temporary table, '
            "or name a table in another attached database"
        )
    taken = execute(
        con,
        """
        select temporary, kind
        from (select database_name, schema_name, table_name as name, temporary, 'table' as kind
              from duckdb_tables()
              union all
              select database_name, schema_name, view_name, temporary, 'view' from duckdb_views())
        where lower(name) = lower($name)
          and (lower(database_name) = lower($catalog) and lower(schema_name) = lower($schema)
               or temporary and $alone)
        """,
        {
            "name": place.name,
            "catalog": place.catalog,
            "schema": place.schema,
            "alone": len(parts(into)) == 1,
        },
    )
    for temporary, kind in taken:
        if not replace:
            raise InputError(f"{into} exists: give another name, or replace=True")
        if temporary or kind == "view":
            raise InputError(f"{into} is a {'temporary ' if temporary else ''}{kind}, which is not replaced")
    return place


def _located(con: duckdb.DuckDBPyConnection, into: str) -> Target:
    """`table`, `schema.table`, `catalog.table` or `catalog.schema.table` in full."""
    *qualifiers, name = parts(into)
    [(catalog, schema)] = execute(con, "select current_database(), current_schema()")
    schemas = execute(con, "select database_name, schema_name from duckdb_schemas()")
    wanted = [part.lower() for part in qualifiers]
    here = [(catalog, schema), *((c, s) for c, s in schemas if c == catalog)]
    for c, s in here + schemas:
        forms = [[], [c.lower(), s.lower()]]
        forms += [[s.lower()]] if c == catalog else []
        forms += [[c.lower()]] if s == "main" else []
        if wanted in forms:
            return Target(c, s, name)
    raise InputError(f"there is no schema {'.'.join(qualifiers)} to make {into} in")


def with_all_rows(
    con: duckdb.DuckDBPyConnection,
    source: Source,
    into: str | None,
    replace: bool,
    query: Callable[[str, WorkTables], exp.Expression],
) -> duckdb.DuckDBPyRelation:
    """A new table with the rows of a query over a source: all or nothing, and as many as the source has.

    into: its name; a temporary one, if None. Errors: those of `target` and of the query, VerificationError.
    """
    ensure_registered(con)
    place = None if into is None else target(con, into, replace)
    with ExitStack() as stack:
        tbl = stack.enter_context(named(con, source))
        work = stack.enter_context(WorkTables(con))
        name = work.name("release")
        made = place.beside(name) if place else table(name)
        work.discard_later(made)
        with transaction(con):
            execute(con, create(made, query(tbl, work), temporary=place is None))
            rows = execute(con, count(made))
            if rows != execute(con, count(relation(tbl))):
                raise VerificationError("the release has not as many rows as its source: has it changed?")
            if place:
                take_place(con, made, place)
        finished = place.table if place else made
        check_kept(con, finished, rows, into or name)
        work.keep(made)
    return answer(con, select(finished))


def take_place(con: duckdb.DuckDBPyConnection, made: exp.Table, place: Target) -> None:
    """Give a finished table, made beside it, the name of its place, where another one may be."""
    execute(con, drop(place.table))
    execute(con, exp.rename_table(made, place.beside(place.name)))


def check_kept(con: duckdb.DuckDBPyConnection, finished: exp.Table, rows: object, name: str) -> None:
    """Errors: SqlanonError where a table has other rows than were counted when it was made: a transaction
    that an error has ended is committed without a complaint, and is lost.
    """
    if execute(con, count(finished)) != rows:
        raise SqlanonError(f"the release is not in {name}")
