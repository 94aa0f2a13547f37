"""Statements as sqlglot expressions: calls of macros, and running them."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from decimal import Decimal
from numbers import Integral, Real
from typing import Any

import duckdb
from sqlglot import exp

from sqlanon.core.errors import InputError, translating
from sqlanon.core.interrupts import running
from sqlanon.core.notebooks import show_relations


class Rows(list[tuple[Any, ...]]):
    """All rows of a result, and the names of its `columns`."""

    def __init__(self, rows: Iterable[tuple[Any, ...]], columns: Iterable[str]) -> None:
        super().__init__(rows)
        self.columns = list(columns)


def literal(value: Any) -> exp.Expression:
    """A Python value as SQL: None, bool, numbers (also numpy's), text, lists and dicts of these."""
    match value:
        case exp.Expression():
            return value
        case None:
            return exp.null()
        case bool():
            return exp.true() if value else exp.false()
        case str():
            return exp.Literal.string(value)
        case dict():
            columns = [literal([*entries]) for entries in (value.keys(), value.values())]
            return exp.Anonymous(this="map", expressions=columns)
        case list() | tuple():
            return exp.array(*(literal(element) for element in value), copy=False)
        case Integral():
            return exp.Literal(this=str(int(value)), is_string=False)
        case Real() | Decimal() if not math.isfinite(value):
            return exp.cast(exp.Literal.string(str(float(value))), "double")
        case Real():
            return exp.Literal(this=repr(float(value)), is_string=False)
        case Decimal():
            return exp.Literal(this=f"{value:f}", is_string=False)
    raise InputError(f"a {type(value).__name__} cannot be a parameter: {value!r}")


def table(name: str, schema: str | None = None, catalog: str | None = None) -> exp.Table:
    """A table by its exact name, whatever characters that has."""
    return exp.table_(name, schema, catalog, quoted=True)


_PART = re.compile(r'\s*(?:"((?:[^"]|"")+)"|([^".]+?))\s*(?:\.|$)')


def parts(name: str) -> list[str]:
    """The parts of a name as SQL and query_table read it: `table`, `schema.table`, `"my.schema"."table"`."""
    names, end = [], 0
    while part := _PART.match(name, end):
        names.append(part[1].replace('""', '"') if part[1] else part[2])
        end = part.end()
    if end < len(name) or not 1 <= len(names) <= 3 or name.rstrip().endswith("."):
        raise InputError(f'{name!r} is not the name of a table: write table, schema.table or "any name"')
    return names


def named_table(name: str) -> exp.Table:
    """A table by its name, which may have a schema and a catalog."""
    return table(*reversed(parts(name)))


def relation(name: str) -> exp.Table:
    """What the macros mean by a name (a table, a view, a file, a DataFrame): `query_table('name')`."""
    return exp.Table(this=exp.Anonymous(this="query_table", expressions=[literal(name)]))


def select(source: exp.Expression, *columns: str | exp.Expression) -> exp.Select:
    """`SELECT columns FROM source`; all columns if none is named."""
    # not exp.select, which parses "*", and copies what there is with every part that is added
    return exp.Select().select(*(columns or (exp.Star(),)), copy=False).from_(source, copy=False)


def call(macro: str, *arguments: Any, **parameters: Any) -> exp.Select:
    """`SELECT * FROM sqlanon.macro(arguments, parameter := value)`. Parameters that are None are left out,
    but for total: NULL marks totals."""
    named = (
        exp.PropertyEQ(this=exp.to_identifier(parameter), expression=literal(value))
        for parameter, value in parameters.items()
        if value is not None or parameter == "total"
    )
    function = exp.Anonymous(this=macro, expressions=[*map(literal, arguments), *named])
    return select(exp.Table(this=function, db=exp.to_identifier("sqlanon")))


def at_home(query: exp.Select, home: Iterable[str] | None) -> exp.Select:
    """A call of a macro that is elsewhere than ours: in this database and schema."""
    if home is not None:
        called = query.args["from_" if "from_" in query.args else "from"].this
        for part, name in zip(("catalog", "db"), home, strict=True):
            called.set(part, exp.to_identifier(name, quoted=True))
    return query


def scalar(macro: str, *arguments: Any, alias: str = "value") -> exp.Select:
    """`SELECT sqlanon.macro(arguments) AS alias`."""
    return exp.select(value_of(macro, *arguments).as_(alias))


def value_of(macro: str, *arguments: Any, **parameters: Any) -> exp.Dot:
    """`sqlanon.macro(arguments, parameter := value)`, as an expression."""
    named = (
        exp.PropertyEQ(this=exp.to_identifier(parameter, quoted=True), expression=literal(value))
        for parameter, value in parameters.items()
    )
    function = exp.Anonymous(this=macro, expressions=[*map(literal, arguments), *named])
    return exp.Dot(this=exp.to_identifier("sqlanon"), expression=function)


def aliased(expression: str | exp.Expr, name: str) -> exp.Alias:
    """`expression AS name`; a column, if it is a text."""
    this = exp.column(expression, quoted=True) if isinstance(expression, str) else expression
    return exp.Alias(this=this, alias=exp.to_identifier(name, quoted=True))


def union_all(queries: Sequence[exp.Select]) -> exp.Expression:
    """`query UNION ALL query ...`, of one or more."""
    return exp.union(*queries, distinct=False) if len(queries) > 1 else queries[0]


def count(source: exp.Expression) -> exp.Select:
    """`SELECT COUNT(*) FROM source`."""
    return select(source, exp.Count(this=exp.Star()))


def create(
    name: exp.Table, query: exp.Expression, *, temporary: bool = False, replace: bool = False
) -> exp.Create:
    """`CREATE [OR REPLACE] [TEMPORARY] TABLE name AS query`."""
    properties = exp.Properties(expressions=[exp.TemporaryProperty()]) if temporary else None
    return exp.Create(this=name, kind="TABLE", expression=query, properties=properties, replace=replace)


def drop(name: exp.Table) -> exp.Drop:
    """`DROP TABLE IF EXISTS name`."""
    # the first is what the node holds in older versions of sqlglot, the second in newer ones
    return exp.Drop(this=name, tables=[name.copy()], kind="TABLE", exists=True)


def render(expression: exp.Expression, *, pretty: bool = False) -> str:
    """The text of a statement, as DuckDB reads it. (With a copy it takes twice the time, and for DuckDB
    nothing in a statement is changed that is rendered.)"""
    return expression.sql(dialect="duckdb", normalize_functions=False, pretty=pretty, copy=False)


def execute(con: duckdb.DuckDBPyConnection, statement: exp.Expression | str, parameters: Any = None) -> Rows:
    """Run a statement and fetch all of its rows.

    Errors: InputError where a macro or DuckDB's binder refuses what the caller gave (parameters, names of
    columns and tables), SqlError for anything else; KeyboardInterrupt on Ctrl-C.
    """
    text = statement if isinstance(statement, str) else render(statement)
    with translating(text):
        with running(con):
            rows = con.execute(text, parameters).fetchall()
        return Rows(rows, (column[0] for column in con.description or ()))


def columns(con: duckdb.DuckDBPyConnection, query: exp.Expression) -> dict[str, Any]:
    """The columns of a result as numpy arrays. Errors: as in execute."""
    text = render(query)
    with translating(text), running(con):
        return con.execute(text).fetchnumpy()


def answer(con: duckdb.DuckDBPyConnection, query: exp.Expression) -> duckdb.DuckDBPyRelation:
    """A query as a relation of the connection. Errors: as in execute."""
    show_relations()
    text = render(query)
    with translating(text):
        return con.sql(text)
