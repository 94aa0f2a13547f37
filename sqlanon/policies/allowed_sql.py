"""What the SQL of a policy may call and read.

A label must be made of the value that it stands for. So a query reads no other table than its values, and
calls no function that answers differently elsewhere, at another time or by chance. DuckDB's own parser says
what a query names, and DuckDB's catalog which functions give the same answer every time; those that tell
about the environment although the catalog calls them consistent are listed here.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

import duckdb

from sqlanon.core.errors import InputError
from sqlanon.core.statements import execute

TABLE_FUNCTIONS = frozenset({"unnest", "range", "generate_series", "repeat", "json_each", "json_tree"})
UNFIT = frozenset(
    {
        "version", "getenv", "current_setting", "getvariable", "current_localtime", "current_localtimestamp",
        "json_serialize_plan", "reservoir_quantile",
    }
)  # fmt: skip
STOPS = frozenset({"error"})  # DuckDB calls it volatile, so that it is not worked out while planning
# From DuckDB 2.0.1 on the catalog calls functions of times with a time zone consistent within a query only.
# They depend on nothing but the zone, which is the user's (now() and the like have no argument).
DEFINITIONS = """
    select distinct function_type,
           case when stability = 'CONSISTENT_WITHIN_QUERY' and len(parameter_types) > 0
                     and concat_ws(' ', return_type, parameter_types) similar to '.*(TIME ZONE|TIMESTAMPTZ).*'
                then 'CONSISTENT' else coalesce(stability, 'CONSISTENT') end,
           macro_definition
    from duckdb_functions() where lower(function_name) = $1
"""
# functions that SQL calls without parentheses, so that they look like columns
WITHOUT_PARENTHESES = frozenset(
    {
        "current_catalog", "current_database", "current_date", "current_role", "current_schema",
        "current_time", "current_timestamp", "current_user", "localtime", "localtimestamp", "session_user",
        "user",
    }
)  # fmt: skip


def refuse_unfit(con: duckdb.DuckDBPyConnection, sql: str, source: str) -> None:
    """Errors: InputError, which names what the query may not call or read."""
    for unfit in _unfit(con, _parsed(con, sql), frozenset({source})):
        raise InputError(f"the query has {unfit}, which tells more than the value that a label stands for")


def _refuse_ours(function: Mapping[str, Any]) -> None:
    """Errors: InputError for a macro of this library. They are not there: labels are made in a database of
    their own, whose functions are all DuckDB's."""
    if "sqlanon" in (str(function.get("catalog")).lower(), str(function.get("schema")).lower()):
        raise InputError(
            f"the query calls sqlanon.{function['function_name']}(), which is not there: a query of labels "
            "has DuckDB's own functions alone. Say what it does with those, or name a builder or a file"
        )


def _is_fit(con: duckdb.DuckDBPyConnection, name: str) -> bool:
    """Does a function give the same answer always? Of a macro: do all that it calls?"""
    definitions = execute(con, DEFINITIONS, [name])
    if name in UNFIT or not definitions:
        return False
    if any(kind not in ("scalar", "aggregate", "window", "macro") for kind, _, _ in definitions):
        return name in TABLE_FUNCTIONS
    if any(stability != "CONSISTENT" for _, stability, _ in definitions):
        return name in STOPS
    texts = [f"select {text}" for kind, _, text in definitions if kind == "macro"]
    return not any(unfit for text in texts for unfit in _unfit(con, _parsed(con, text), frozenset()))


def _parsed(con: duckdb.DuckDBPyConnection, sql: str) -> Any:
    """A query as DuckDB's parser has it. Errors: InputError if the parser cannot read it."""
    [(text,)] = execute(con, "select json_serialize_sql($1::varchar)", [sql])
    tree = json.loads(text)
    if tree["error"]:
        raise InputError(f"the query cannot be examined: {tree['error_message']}")
    return tree


def _unfit(con: duckdb.DuckDBPyConnection, node: Any, readable: frozenset[str]) -> Iterator[str]:
    """What a part of a query may not have, in words. readable: names of tables, in lower case."""
    if isinstance(node, list):
        for each in node:
            yield from _unfit(con, each, readable)
    if not isinstance(node, dict):
        return
    match node.get("type"):
        case "BASE_TABLE":
            name = ".".join(filter(None, (node["catalog_name"], node["schema_name"], node["table_name"])))
            if name.lower() not in readable or name != node["table_name"]:
                yield f"the table {name}"
        case "SHOW_REF":
            yield "show, describe or summarize"
        case "TABLE_FUNCTION":
            _refuse_ours(node["function"])
            if (name := node["function"]["function_name"].lower()) not in TABLE_FUNCTIONS:
                yield f"the table function {name}()"
        case "COLUMN_REF":
            if len(node["column_names"]) == 1 and node["column_names"][0].lower() in WITHOUT_PARENTHESES:
                yield f"{node['column_names'][0]} (a column of that name is written source.name)"
    if node.get("sample"):
        yield "a sample"
    if node.get("function_name") and node.get("class") != "WINDOW":
        _refuse_ours(node)
        name = node["function_name"].lower()
        if not _is_fit(con, name):
            yield f"the function {name}()"
        elif name == "age" and len(node.get("children") or node.get("arguments") or ()) < 2:
            yield "age() of one time, which is up to today"
    for entry in (node.get("cte_map") or {}).get("map", ()):
        own = {entry["key"].lower()}
        named = entry["value"].get("query_node") or entry["value"]["query"]["node"]  # the second before 2.0
        is_recursive = named["type"] == "RECURSIVE_CTE_NODE"
        yield from _unfit(con, named, readable | own if is_recursive else readable)
        readable |= own
    for key, part in node.items():
        if key != "cte_map":
            yield from _unfit(con, part, readable)
