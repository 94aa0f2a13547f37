"""The SQL of a policy, run where there is nothing but one column's values.

Whoever writes a policy need not be the one who runs it, and labels are released. So a policy's query runs in
a DuckDB of its own, in memory, with one relation: `source`, a value of the column that it labels. It reaches
no file, no network, no other column, no secret and nothing of Python.

The query is run once for every distinct value, each time with this value alone: a label made of all values
would tell those that are suppressed. One run over all of them, or a lateral join, would be faster; but what a
query sees then depends on how DuckDB takes subqueries apart. A value takes some 0.5 ms, since the query is
planned once. What a query may call is in allowed_sql.py.
"""

from __future__ import annotations

from typing import Any

import duckdb
from sqlglot import exp

from sqlanon.core.errors import InputError, SqlanonError
from sqlanon.core.statements import execute, literal, relation, render, select
from sqlanon.policies.allowed_sql import refuse_unfit

SOURCE = "source"
_ENTRIES = "sqlanon_entries"  # the prepared statement
CLOSED: dict[str, str | bool | int | float | list[str]] = {
    "enable_external_access": "false",
    "autoload_known_extensions": "false",
    "autoinstall_known_extensions": "false",
    "allow_community_extensions": "false",
    "python_enable_replacements": "false",
    "threads": 1,
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
            execute(closed, f"prepare {_ENTRIES} as {render(_of_one_value(column, kind, sql))}")
            refuse_unfit(closed, sql, SOURCE)
            texts = (literal(value).sql("duckdb") for value in values)
            rows = [row for text in texts for row in execute(closed, f"execute {_ENTRIES}({text})")]
    except SqlanonError as error:
        message = getattr(error, "message", str(error))
        raise InputError(
            f"{message}\nA policy's query reads nothing but the table {SOURCE}, which has one value of "
            f'"{column}" at a time; labels from elsewhere come with file or values'
        ) from error
    return [[row[i] for row in rows] for i in range(3)]


def of_lists() -> exp.Select:
    """A relation of entries, whose parameters are the lists that `entries` gives."""
    return exp.select(
        *(
            _alias(_unnested(kind), name)
            for name, kind in {"value": "text", "level": "int", "label": "text"}.items()
        )
    )


def shown(table: str, column: str, sql: str) -> exp.Select:
    """The entries as a statement, for people to read: where it runs, nothing would hold the query back."""
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


def _of_one_value(column: str, kind: str | None, sql: str) -> exp.Select:
    """The entries of the value whose text is the parameter. What the query says of others is left out."""
    # the type of an enumeration names its values, also those that the table does not have
    named = "varchar" if kind is None or "ENUM(" in kind else kind
    type_ = exp.DataType.build(named, dialect="duckdb", udt=True)
    value = exp.Cast(this=exp.cast(exp.Parameter(this=exp.Literal.number(1)), "text"), to=type_)
    labelled = exp.TryCast(this=exp.cast(exp.column("value", "entry"), "text"), to=type_.copy())
    return (
        typed(_query(sql))
        .join(exp.to_table(SOURCE, alias="own"), join_type="cross")
        .where(exp.NullSafeEQ(this=labelled, expression=exp.column(column, "own", quoted=True)))
        .with_(SOURCE, as_=exp.select(_alias(value, column)), materialized=True)
    )


def _unnested(kind: str) -> exp.Anonymous:
    """unnest(?::kind[])"""
    return exp.Anonymous(this="unnest", expressions=[exp.cast(exp.Placeholder(), f"{kind}[]")])


def _alias(of: exp.Expression, name: str) -> exp.Alias:
    return exp.Alias(this=of, alias=exp.to_identifier(name, quoted=True))
