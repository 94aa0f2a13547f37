"""The rows of a macro that measures or attacks, called with any kind of source."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any

import duckdb

from sqlanon.core import comments
from sqlanon.core.library import ensure_registered
from sqlanon.core.source import Source, fresh_name, named

if TYPE_CHECKING:
    from sqlglot import exp

Names = str | Iterable[str]
Filters = str | Iterable[str | None]


@contextmanager
def _called(
    con: duckdb.DuckDBPyConnection, macro: str, *sources: Source | list[Source], **parameters: Any
) -> Iterator[exp.Select]:
    """The call of a macro, as long as its sources have names."""
    from sqlanon.core import statements  # with sqlglot, which is slow to import

    ensure_registered(con)
    with ExitStack() as stack:

        def name(source: Source) -> Any:
            if source is None:
                return None
            if isinstance(source, list | tuple):
                return [name(each) for each in source]
            if isinstance(source, dict):  # a table by its name in the macro
                [(called, of_name)] = source.items()
                return f"{name(of_name)} as {called}"
            return stack.enter_context(named(con, source))

        types = comments.parameters(macro)
        others = {each: name(given) for each, given in parameters.items() if types[each].is_table}
        yield statements.call(macro, *map(name, sources), **parameters | others)


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
    """The same rows, fetched and not kept."""
    from sqlanon.core import statements

    with _called(con, macro, *sources, **parameters) as query:
        return statements.execute(con, query)
