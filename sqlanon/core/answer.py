"""The rows of a macro that measures or attacks, called with any kind of source."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any

import duckdb

from sqlanon.core import comments
from sqlanon.core.errors import InputError, with_titles
from sqlanon.core.library import ensure_registered
from sqlanon.core.source import Source, fresh_name, lower, named

if TYPE_CHECKING:
    from sqlglot import exp

Names = str | Iterable[str]
Filters = str | Iterable[str | None]

UNKNOWN_COLUMN = re.compile(r'unknown column "(.*?)"(?=;|$)')  # of an error


@contextmanager
def _called(
    con: duckdb.DuckDBPyConnection, macro: str, *sources: Source | list[Source], **parameters: Any
) -> Iterator[exp.Select]:
    """The call of a macro, as long as its sources have names."""
    from sqlanon.core import statements  # with sqlglot, which is slow to import

    ensure_registered(con)
    titles: dict[str, str] = {}  # what the caller calls a table, by its name here
    with ExitStack() as stack:

        def name(source: Source, title: str, is_table: bool = True) -> Any:
            if source is None:
                return None
            if isinstance(source, list | tuple):
                return [name(each, f"{title}[{i}]", is_table) for i, each in enumerate(source)]
            if isinstance(source, dict):  # a table by its name in the macro
                [(called, of_name)] = source.items()
                return f"{name(of_name, called)} as {called}"
            made = stack.enter_context(named(con, source))
            if is_table:
                called = with_titles(source if isinstance(source, str) else getattr(source, "table", title))
                titles[made] = title if called.startswith("_sqlanon_") else called
            return made

        types = comments.parameters(macro)
        others = {each: name(given, each) for each, given in parameters.items() if types[each].is_table}
        given = [
            name(source, each, types[each].is_table) for source, each in zip(sources, types, strict=False)
        ]
        query = statements.call(macro, *given, **parameters | others)
        with naming_tables(con, titles):
            yield query


@contextmanager
def naming_tables(con: duckdb.DuckDBPyConnection, titles: Mapping[str, str]) -> Iterator[None]:
    """Errors call tables as the caller does, and those about unknown columns say which table lacks it.
    titles: what the caller calls tables, by their names here."""
    try:
        yield
    except InputError as error:
        message = str(error)
        for name, title in titles.items():
            if name != title:
                message = re.sub(rf'(?<!\w)"?{re.escape(name)}"?(?!\w)', title.replace("\\", r"\\"), message)
        if (unknown := UNKNOWN_COLUMN.match(message)) is not None:
            lacking = ", ".join(_lacking(con, unknown[1], titles))
            message = message.replace(unknown[0], f"{unknown[0]} in {lacking}", 1)
        if message == str(error):
            raise
        raise type(error)(message) from error


def _lacking(con: duckdb.DuckDBPyConnection, column: str, titles: Mapping[str, str]) -> list[str]:
    """Those tables that have no such column, as the caller calls them; all of them, if each has it."""
    from sqlanon.core.files import column_names

    without = [title for tbl, title in titles.items() if column.lower() not in lower(column_names(con, tbl))]
    return list(dict.fromkeys(without or titles.values()))


def answer(
    con: duckdb.DuckDBPyConnection, macro: str, *sources: Source | list[Source], **parameters: Any
) -> duckdb.DuckDBPyRelation:
    """Bring the sources in under names, call the macro on them, and keep its rows.

    The answer is a relation over a temporary table: it can be read again, filtered and joined, and stays as
    it is as long as the connection.
    """
    from sqlanon.core import statements

    with _called(con, macro, *sources, **parameters) as query:
        made = statements.table(fresh_name(macro))
        statements.execute(con, statements.create(made, query, temporary=True))
    return statements.answer(con, statements.select(made))


def rows(
    con: duckdb.DuckDBPyConnection, macro: str, *sources: Source | list[Source], **parameters: Any
) -> list[tuple[Any, ...]]:
    """The rows of a macro called on sources, fetched and not kept."""
    from sqlanon.core import statements

    with _called(con, macro, *sources, **parameters) as query:
        return statements.execute(con, query)
