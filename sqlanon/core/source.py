"""Where rows come from: every kind of source under a name that SQL can use."""

from __future__ import annotations

import os
import re
import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any, TypeAlias

import duckdb

from sqlanon.core.errors import InputError, SqlanonError, is_busy, translated
from sqlanon.core.frames import as_sql_sees_it, days_in
from sqlanon.core.made_table import MadeTable

# The name of a table, view or file; a DataFrame (pandas, polars); an Arrow table; a relation of the same
# connection; a release.
Source: TypeAlias = Any


def names(columns: Any, parameter: str) -> list[str] | None:
    """A list of column names from a list, a single name, or None."""
    if columns is None:
        return None
    listed = list(columns) if isinstance(columns, Iterable) and not isinstance(columns, str) else [columns]
    if wrong := [name for name in listed if not isinstance(name, str)]:
        raise InputError(f"{parameter} takes names of columns, not {wrong[0]!r}")
    return listed


def filters_given(filters: Any, parameter: str) -> list[str] | None:
    """A list of conditions, an empty one for None; from a list, a single one, or None."""
    if filters is None:
        return None
    listed = [filters] if isinstance(filters, str) or not isinstance(filters, Iterable) else list(filters)
    if wrong := [each for each in listed if not isinstance(each, str | None)]:
        raise InputError(f"{parameter} takes conditions such as 'age > 30', not {wrong[0]!r}")
    return [each or "" for each in listed]


def roles(qi: Any, sensitive: Any, keep: Any) -> dict[str, list[str] | None]:
    """The columns of each role, as every anonymizer takes them."""
    return {
        "qi": names(qi, "qi"),
        "sensitive": names(sensitive, "sensitive"),
        "keep": names(keep, "keep") or None,
    }


def lower(names: Mapping[str, Any] | Iterable[str]) -> set[str]:
    """Names of columns, in lower case: DuckDB does not tell the cases apart."""
    return {name.lower() for name in names}


def listed(releases: Iterable[Source], parameter: str = "releases") -> list[Source]:
    """Releases as a list. Errors: InputError for one that is in no list."""
    if isinstance(releases, str | os.PathLike):
        raise InputError(f"{parameter} is a list of releases: write [{os.fspath(releases)!r}]")
    if any(map(partial(hasattr, releases), ("columns", "schema"))) or not isinstance(releases, Iterable):
        raise InputError(
            f"{parameter} is a list of releases, not one {type(releases).__name__}: put it in [ ]"
        )
    return list(releases)


def listed_with_names(tables: Iterable[Source] | Mapping[str, Source], parameter: str) -> list[Source]:
    """Tables as a list. One that is given under a name is a map from this name. Errors: InputError for a name
    that is no word."""
    if isinstance(tables, Mapping):
        for name in tables:
            if not re.fullmatch(r"\w+", str(name)):
                raise InputError(f"{parameter}: {name!r} must be a word of letters, digits and _, as stay")
        return [{name: source} for name, source in tables.items()]
    return listed(tables, parameter)


def by_name(releases: Iterable[Source] | Mapping[str, Source]) -> Mapping[str, Source]:
    """Releases by what each is called: its key, its name, or its number. Errors: InputError."""
    if isinstance(releases, Mapping):
        return releases
    sources: dict[str, Source] = {}
    for number, source in enumerate(listed(releases), 1):
        called = source.table if isinstance(source, MadeTable) else source
        name = os.fspath(called) if isinstance(called, str | os.PathLike) else f"release {number}"
        if name in sources:
            raise InputError(f"release {name} is given twice")
        sources[name] = source
    return sources


def fresh_name(purpose: str) -> str:
    """A name that nobody else uses, and that needs no quotes."""
    return f"_sqlanon_{secrets.token_hex(5)}_{purpose}"


def cleanly(*actions: Callable[[], object]) -> None:
    """Undo what was done, all of it: an interrupt has to wait. What DuckDB refuses is gone already.

    (It refuses everything in a transaction that an error has ended, but a rollback.)
    """
    interrupt = None
    for action in actions:
        while True:
            try:
                with suppress(duckdb.Error, SqlanonError):
                    action()
                break
            except KeyboardInterrupt as error:
                interrupt = error
    if interrupt:
        raise interrupt


@contextmanager
def named(con: duckdb.DuckDBPyConnection, source: Source) -> Iterator[str]:
    """The name of a source for query_table. What is no name yet is a temporary view until the end."""
    if isinstance(source, str | os.PathLike):
        yield os.fspath(source)
        return
    if isinstance(source, MadeTable):
        if source.con is con:
            yield source.table
            return
        source = source.arrow()
    name = fresh_name("source")
    source = as_sql_sees_it(source)
    try:
        try:
            con.register(name, _with_days(con, source))
        except (duckdb.Error, TypeError, RuntimeError) as error:
            meant = translated(error, "register")
            if isinstance(meant, KeyboardInterrupt) or is_busy(error):
                raise meant from error
            raise _unreadable(source, error) from error
        yield name
    finally:
        cleanly(lambda: con.unregister(name))


def _with_days(con: duckdb.DuckDBPyConnection, source: Any) -> Any:
    """A source whose times are days where all of them are at midnight, if it is of pandas."""
    if not (days := days_in(source)):
        return source
    of_days = ", ".join(f"{quoted}::date as {quoted}" for quoted in map(_quoted, days))
    return con.from_df(source).project(f"* replace ({of_days})")


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _unreadable(source: Source, error: Exception) -> InputError:
    """Why DuckDB could not register a source."""
    if unknown := re.search(r"Data type '(.*)' not recognized", str(error)):
        dtypes = getattr(source, "dtypes", None)
        named_so = (
            [str(column) for column, dtype in dtypes.items() if str(dtype) == unknown[1]]
            if dtypes is not None
            else []
        )
        return InputError(
            f'column "{(named_so or ["?"])[0]}" of the {type(source).__name__} is {unknown[1]}, which '
            "DuckDB does not read: cast it, for example with .astype(str)"
        )  # fmt: skip
    return InputError(
        "a source is the name of a table, a DataFrame, an Arrow table, a relation of this connection or a "
        f"release, not this {type(source).__name__}"
    )
