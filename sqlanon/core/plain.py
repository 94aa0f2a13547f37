"""A statement without macros of ours: for reviewers, and for servers where nothing may be attached.

DuckDB writes a statement as a tree (json_serialize_sql), and a tree as a statement. In the tree each call of
a macro becomes what its definition is, with arguments in place of parameters, as when DuckDB binds it; and
each `query(text)` becomes the query that the text is, once DuckDB has worked the text out.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

import duckdb

from sqlanon.core import calls, library
from sqlanon.core.errors import InputError
from sqlanon.core.statements import execute

Node = dict[str, Any]

_DEFINITIONS = """
    select function_name, parameters, macro_definition, function_type = 'table_macro'
    from duckdb_functions() where database_name = 'sqlanon' and macro_definition is not null
    order by len(list_filter(parameter_types, lambda type: type is not null)) desc"""
_WORD = re.compile(r"[a-z_]\w*")
_QUERY = re.compile(r"(?:SELECT|WITH|FROM) ")
_CLAUSES = "SELECT|FROM|WHERE|GROUP BY|HAVING|QUALIFY|ORDER BY|UNION|EXCEPT|(?:INNER|LEFT|SEMI|ANTI) JOIN"
_TOKEN = re.compile(
    r"""'(?:[^']|'')*'|"(?:[^"]|"")*"|[()]"""
    rf"| (?=(?:{_CLAUSES})\b|\w+ AS (?:MATERIALIZED )?\()"
)


def plain(con: duckdb.DuckDBPyConnection, statement: str) -> str:
    """The text of a SELECT that gives the same rows without any macro of ours. con: where sqlanon is
    registered. Errors: InputError for another statement, and as in the macros for what they refuse."""
    return _in_lines(_Plain(con).text(statement))


def _in_lines(text: str) -> str:
    """A text of DuckDB's with a line for each clause of a query."""
    queries: list[bool] = []  # for each open bracket: does a query stand in it?

    def broken(token: re.Match[str]) -> str:
        match token[0]:
            case "(":
                is_query = bool(_QUERY.match(text, token.end()))
                queries.append(is_query)
                return "(\n" + "  " * sum(queries) if is_query else "("
            case ")":
                return "\n" + "  " * sum(queries) + ")" if queries.pop() else ")"
            case " " if not queries or queries[-1]:
                return "\n" + "  " * sum(queries)
        return token[0]

    return _TOKEN.sub(broken, text)


@cache
def _defaults() -> dict[str, dict[str, str]]:
    """The parameters of all macros, with the defaults of those that have one."""
    return calls.parameters_of(library.topics().values())


class _Plain:
    """What replaces calls: definitions of macros, which are read once, as trees."""

    def __init__(self, con: duckdb.DuckDBPyConnection) -> None:
        self._con = con
        # of those of one name the last: it takes values of any type
        self._macros = {name: (parameters, *rest) for name, parameters, *rest in execute(con, _DEFINITIONS)}
        self._trees: dict[str, str] = {}

    def text(self, statement: str) -> str:
        tree = json.loads(self._serialized(statement))
        tree["statements"] = [{**each, "node": self._expanded(each["node"])} for each in tree["statements"]]
        return self._deserialized(tree)

    def _serialized(self, statement: str) -> str:
        [(tree,)] = execute(self._con, "select json_serialize_sql(?)::varchar", [statement])
        if json.loads(tree)["error"]:
            raise InputError(f"only a SELECT can be written without macros, not: {statement}")
        return str(tree)

    def _deserialized(self, tree: Node) -> str:
        [(text,)] = execute(self._con, "select json_deserialize_sql(?::json)", [json.dumps(tree)])
        return str(text)

    def _node(self, statement: str) -> Node:
        """The tree of a query, which nobody else has."""
        if statement not in self._trees:
            self._trees[statement] = self._serialized(statement)
        node: Node = json.loads(self._trees[statement])["statements"][0]["node"]
        return node

    def _value(self, expression: Node) -> Any:
        """What an expression of constants is."""
        tree = json.loads(self._serialized("select 0"))
        tree["statements"][0]["node"]["select_list"] = [expression]
        [(value,)] = execute(self._con, self._deserialized(tree))
        return value

    def _expanded(self, part: Any) -> Any:
        """A part of a tree with what it calls in place of calls."""
        if isinstance(part, list):
            return [self._expanded(each) for each in part]
        if not isinstance(part, dict):
            return part
        if part.get("type") == "TABLE_FUNCTION":
            return self._relation(part)
        if part.get("class") == "FUNCTION" and self._is_ours(part):
            _, definition, _ = self._macros[part["function_name"]]
            [value] = self._body(part, f"select {definition}")["select_list"]
            return self._expanded({**value, "alias": part["alias"]})
        rest = {key: self._expanded(value) for key, value in part.items() if key != "cte_map"}
        if "cte_map" not in part:
            return rest
        # DuckDB binds what is read and nothing else; the rest may not even have a text.
        read = set(_read(rest))
        relations: list[Node] = []
        for relation in reversed(part["cte_map"]["map"]):
            if relation["key"].lower() in read:
                relations.insert(0, {**relation, "value": self._expanded(relation["value"])})
                read.update(_read(relations[0]))
        return {**rest, "cte_map": {"map": relations}}

    def _is_ours(self, function: Node) -> bool:
        return "sqlanon" in (function["schema"], function["catalog"])

    def _relation(self, part: Node) -> Node:
        """What FROM has in place of a table function."""
        function = part["function"]
        if self._is_ours(function):
            query = self._body(function, self._macros[function["function_name"]][1])
        elif function["function_name"] == "query":
            query = self._node(self._value(_arguments(function)[0][1]))
        else:
            part = {key: self._expanded(value) for key, value in part.items()}
            if function["function_name"] == "query_table":
                self._name_relation(part)
            return part
        subquery = self._node("from (select 0)")["from_table"]
        return {
            **subquery,
            **{key: part[key] for key in ("alias", "sample", "column_name_alias")},
            "subquery": {**subquery["subquery"], "node": self._expanded(query)},
        }

    def _name_relation(self, part: Node) -> None:
        """Write `name` for query_table('name'), where that is a word; else have the name worked out."""
        [(_, argument), *others] = _arguments(part["function"])
        name = self._value(argument)
        if others or not isinstance(name, str):
            return
        named = self._node(f"from {name}" if _WORD.fullmatch(name) else f"from query_table('{name}')")
        alias = {key: part[key] for key in ("alias", "sample", "column_name_alias")}
        part.clear()
        part.update(named["from_table"] | alias)

    def _body(self, function: Node, definition: str) -> Node:
        """The definition of a macro with arguments in place of parameters."""
        name = function["function_name"]
        values: dict[str, Node] = {}
        for parameter, default in _defaults().get(name, {}).items():
            if default:
                values[parameter] = self._node(f"select {default}")["select_list"][0]
        by_place = iter(self._macros[name][0])
        for parameter, argument in _arguments(function):
            values[parameter or next(by_place)] = argument
        is_table = self._macros[name][2]
        node: Node = self._substituted(self._node(definition), values, is_table)
        return node

    def _substituted(self, part: Any, values: Mapping[str, Node], is_table: bool) -> Any:
        """A part of a definition with values in place of parameters. is_table: of a table macro, where what
        stands before a point is a relation; elsewhere it is a parameter that is a struct."""
        if isinstance(part, list):
            return [self._substituted(each, values, is_table) for each in part]
        if not isinstance(part, dict):
            return part
        if part.get("class") == "LAMBDA":
            own = {each["column_names"][0]: each for each in _columns(part["lhs"])}
            values = {name: value for name, value in values.items() if name not in own}
            seen = {each["column_names"][0] for value in values.values() for each in _columns(value)}
            for name in own.keys() & seen:  # an argument names a column as this does its variable
                values[name] = {**own[name], "column_names": [f"{name}_of_lambda"]}
            part = {**part, "lhs": self._substituted(part["lhs"], values, is_table)}
            return {**part, "expr": self._substituted(part["expr"], values, is_table)}
        if part.get("class") == "COLUMN_REF" and part["column_names"][0] in values:
            name, *fields = part["column_names"]
            if fields and is_table:
                return part
            value = values[name]
            for field in fields:
                extracted = self._node(f"select struct_extract(value, '{field}')")["select_list"][0]
                value = self._substituted(extracted, {"value": value}, is_table)
            return {**value, "alias": part["alias"]}
        return {key: self._substituted(each, values, is_table) for key, each in part.items()}


def _arguments(function: Node) -> list[tuple[str, Node]]:
    """The arguments of a call, each with its name, which may be empty."""
    if "arguments" in function:
        return [(each["name"], each["expression"]) for each in function["arguments"]]
    return [(each["alias"], each) for each in function["children"]]  # of 1.5


def _read(part: Any) -> Iterator[str]:
    """The names of the relations that a part of a tree reads, in lower case, without those that it has for
    itself alone, or with them."""
    if isinstance(part, dict):
        if part.get("type") == "BASE_TABLE":
            yield part["table_name"].lower()
        elif part.get("function_name") == "query_table":
            for _, argument in _arguments(part):
                yield from re.findall(r"[^'\"]+", json.dumps(argument).lower())  # its constants among them
        for each in part.values():
            yield from _read(each)
    elif isinstance(part, list):
        for each in part:
            yield from _read(each)


def _columns(part: Any) -> Iterator[Node]:
    if isinstance(part, dict):
        if part.get("class") == "COLUMN_REF":
            yield part
        else:
            for each in part.values():
                yield from _columns(each)
    elif isinstance(part, list):
        for each in part:
            yield from _columns(each)
