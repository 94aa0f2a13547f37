"""The SQL of a policy, run where there is nothing but one column's values.

Whoever writes a policy need not be the one who runs it, and labels are released. So a policy's query runs in
a DuckDB of its own, in memory, with one table: `source`, the distinct values of the column that it labels. It
reaches no file, no network, no other column, no secret and nothing of Python, so that a label can only be
made of the value that it stands for.
"""

from __future__ import annotations

from typing import Any

import duckdb
from sqlglot import exp

from sqlanon.core.errors import InputError, SqlanonError
from sqlanon.core.statements import create, execute, literal, relation, select

SOURCE = "source"
CLOSED: dict[str, str | bool | int | float | list[str]] = {
    "enable_external_access": "false",
    "autoload_known_extensions": "false",
    "autoinstall_known_extensions": "false",
    "allow_community_extensions": "false",
    "python_enable_replacements": "false",
    "threads": 1,  # with more, 1.4 may wait forever when it is closed after an interrupt
    "temp_directory": "",  # what does not fit in memory is an error, not a file
}


def entries(con: duckdb.DuckDBPyConnection, table: str, column: str, sql: str) -> list[list[Any]]:
    """Lists of value, level and label, from a query over the values that a table has in a column.

    Errors: InputError, which says what the query may read; KeyboardInterrupt on Ctrl-C.
    """
    [(kind, values)] = execute(con, _values(table, column))
    [(zone,)] = execute(con, "select current_setting('TimeZone')")  # or times would be other texts there
    try:
        with duckdb.connect(":memory:", config=CLOSED) as closed:
            execute(closed, "set enable_progress_bar = false")
            execute(closed, f"set TimeZone = {literal(zone).sql('duckdb')}")
            execute(closed, "set lock_configuration = true")
            execute(closed, _filled(column, kind), [values])
            rows = execute(closed, typed(_query(sql)))
    except SqlanonError as error:
        message = getattr(error, "message", str(error))
        raise InputError(
            f"{message}\nA policy's query reads nothing but the table {SOURCE}, the distinct values of "
            f'"{column}"; labels from elsewhere come with file or values'
        ) from error
    return [[row[i] for row in rows] for i in range(3)]


def of_lists() -> exp.Select:
    """The same as a relation: what `entries` gives are its parameters."""
    return exp.select(
        *(
            _alias(_unnested(kind), name)
            for name, kind in {"value": "text", "level": "int", "label": "text"}.items()
        )
    )


def shown(table: str, column: str, sql: str) -> exp.Select:
    """The same as a statement, for people to read: where it runs, nothing would hold the query back."""
    values = select(relation(table), exp.column(column, quoted=True)).distinct()
    return typed(select(_query(sql)).with_(SOURCE, as_=values).subquery("entry"))


def typed(entry: exp.Expression) -> exp.Select:
    """Value, level and label of the relation `entry`, in the types of a hierarchy."""
    return select(
        entry, "entry.value::text as value", "entry.level::int as level", "entry.label::text as label"
    )


def _query(sql: str) -> exp.Table:
    """A text as a relation; DuckDB takes a single SELECT there."""
    query = exp.Anonymous(this="query", expressions=[literal(sql)])
    return exp.Table(this=query, alias=exp.TableAlias(this=exp.to_identifier("entry")))


def _values(table: str, column: str) -> exp.Select:
    """The type of a column, and a list of its distinct values as text."""
    distinct = select(relation(table), _alias(exp.column(column, quoted=True), "given")).distinct()
    return select(distinct.subquery(), "any_value(typeof(given))", "list(given::varchar order by given)")


def _filled(column: str, kind: str | None) -> exp.Create:
    """The table `source`, from a list of texts as a parameter."""
    texts = exp.select(_alias(_unnested("text"), "given"))
    type_ = exp.DataType.build(kind or "varchar", dialect="duckdb", udt=True)
    value = _alias(exp.Cast(this=exp.column("given"), to=type_), column)
    return create(exp.to_table(SOURCE), select(texts.subquery(), value))


def _unnested(kind: str) -> exp.Anonymous:
    """unnest(?::kind[])"""
    return exp.Anonymous(this="unnest", expressions=[exp.cast(exp.Placeholder(), f"{kind}[]")])


def _alias(of: exp.Expression, name: str) -> exp.Alias:
    return exp.Alias(this=of, alias=exp.to_identifier(name, quoted=True))
