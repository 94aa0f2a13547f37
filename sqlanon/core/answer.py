"""The rows of a macro that measures or attacks, asked of any kind of source."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any

import duckdb

from sqlanon.core.library import ensure_registered
from sqlanon.core.source import Source, fresh_name, named

if TYPE_CHECKING:
    from sqlglot import exp

Names = str | Iterable[str]


@contextmanager
def _called(
    con: duckdb.DuckDBPyConnection,
    macro: str,
    *sources: Source | list[Source],
    hierarchies: Source = None,
    population: Source = None,
    reference: Source = None,
    marginal: Source = None,
    negations: Source = None,
    priors: Source = None,
    structural: Source = None,
    publish: Source = None,
    ptable: Source = None,
    known: Sequence[Source] | None = None,
    **parameters: Any,
) -> Iterator[exp.Select]:
    """The call of a macro, as long as its sources have names."""
    from sqlanon.core import statements  # with sqlglot, which is slow to import

    ensure_registered(con)
    with ExitStack() as stack:

        def name(source: Source) -> Any:
            if source is None:
                return None
            if isinstance(source, list):
                return [name(each) for each in source]
            return stack.enter_context(named(con, source))

        others = {
            "hierarchies": name(hierarchies),
            "population": name(population),
            "reference": name(reference),
            "marginal": name(marginal),
            "negations": name(negations),
            "priors": name(priors),
            "structural": name(structural),
            "publish": name(publish),
            "ptable": name(ptable),
            "known": None if known is None else [name(release) for release in known],
        }
        yield statements.call(macro, *map(name, sources), **others, **parameters)


def answer(
    con: duckdb.DuckDBPyConnection, macro: str, *sources: Source | list[Source], **parameters: Any
) -> duckdb.DuckDBPyRelation:
    """Bring the sources in under names, call the macro on them, and keep its rows.

    The answer is a relation over a temporary table that holds them: it can be read again, filtered and
    joined, and stays as it is as long as the connection. Parameters and rows are those of the macro. Errors:
    InputError, SqlError.
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
