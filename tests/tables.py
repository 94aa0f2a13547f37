"""Tables for tests of the SQL: random columns, their hierarchies, and how they get into DuckDB."""

from __future__ import annotations

import datetime
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import duckdb
from hypothesis import strategies as st

from tests.oracles import Hierarchy, as_text, canonical

# Type -> values in DuckDB's order. What is released of them is their text, so -0.0 (equal to 0.0) is not
# among them, nor a text that looks like a set of others.
DOMAINS: dict[str, list[Any]] = {
    "INTEGER": [-20, -3, 0, 1, 2, 7, 100],
    "BIGINT": [-(2**62), 2**53, 2**53 + 1, 2**53 + 2],
    "DOUBLE": [-math.inf, -1.5, 0.0, 1e-05, 0.1, 2.5, 1e16, math.inf, math.nan],
    "DECIMAL(6, 2)": [Decimal("-1.50"), Decimal("0.00"), Decimal("1.50"), Decimal("10.00")],
    "VARCHAR": ["", " a", "B", "NULL", "a", "b, c", "it's", 'say "x"', "{", "ä", "😀"],
    "BOOLEAN": [False, True],
    "DATE": [datetime.date(1969, 12, 31), datetime.date(2020, 2, 29), datetime.date(2020, 3, 1)],
    "TIMESTAMP": [
        datetime.datetime(1999, 12, 31, 23, 59, 59),
        datetime.datetime(2020, 1, 1),
        datetime.datetime(2020, 1, 1, 0, 0, 0, 250000),
    ],
    "TIME": [datetime.time(0), datetime.time(8, 30), datetime.time(23, 59, 59, 999999)],
    "ENUM ('small', 'medium', 'large')": ["small", "medium", "large"],
}


@dataclass(frozen=True)
class Column:
    """A column of a random table; `hierarchy`: value -> labels from level 0 to the top, or none."""

    name: str
    type: str
    values: Sequence[Any]
    hierarchy: Hierarchy | None = None

    @property
    def order(self) -> Sequence[Any] | None:
        """The declared order of an ENUM, NULL first; None: the values' own order."""
        return [None, *DOMAINS[self.type]] if self.type.startswith("ENUM") else None

    @property
    def has_order(self) -> bool:
        """Have its values one? No text of DOMAINS says a number or a date."""
        said = {value for value in self.values if value not in (None, "")}
        return self.type != "VARCHAR" or not said or len({*self.values}) <= 2

    def labels(self, value: Any) -> Sequence[str]:
        return self.hierarchy[canonical(value)] if self.hierarchy else ()


def identifier(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def literal(value: Any) -> str:
    """A value as SQL. Numbers are exact: DuckDB reads 0.1 as a DECIMAL."""
    match value:
        case None:
            return "null"
        case str():
            return "'" + value.replace("'", "''") + "'"
        case float():
            return f"'{value!r}'::double"
        case list() | tuple():
            return "[" + ", ".join(map(literal, value)) + "]"
        case _:
            return str(value)


def call(macro: str, table: str, **arguments: Any) -> str:
    """`sqlanon.macro('table', name := value, ...)`; arguments that are None are left out."""
    named = [f"{name} := {literal(value)}" for name, value in arguments.items() if value is not None]
    return f"sqlanon.{macro}({', '.join([literal(table), *named])})"


def rows(con: duckdb.DuckDBPyConnection, macro: str, table: str, **arguments: Any) -> list[tuple[Any, ...]]:
    """What a macro gives. Of a model that is its title, as oracles have it, with the letter l where the l is
    told that was asked for: the id is left out, and what is remarked."""
    title = f"* replace (replace(model, '(c, {arguments.get('l', 2)})', '(c, l)') as model)"
    shown = {
        "privacy": title.replace("*", "* exclude (id, remark)", 1),
        "violations": title.replace("*", "* exclude (id)", 1),
    }.get(macro, "*")
    return con.execute(f"select {shown} from {call(macro, table, **arguments)}").fetchall()


def load(con: duckdb.DuckDBPyConnection, table: str, columns: Sequence[Column]) -> None:
    """A table of these columns, and `id`, the row's number from 0."""
    chosen = ", ".join(f"unnest(?::varchar[])::{c.type} as {identifier(c.name)}" for c in columns)
    con.execute(
        f"create or replace table {identifier(table)} as select {chosen}, unnest(range(?)) as id",
        [*(list(map(as_text, c.values)) for c in columns), len(columns[0].values)],
    ).fetchall()


def load_hierarchies(con: duckdb.DuckDBPyConnection, table: str, columns: Sequence[Column]) -> str | None:
    """The table of the columns' hierarchies; None, and no table, if none has any."""
    entries = [
        (c.name, as_text(value), level, label)
        for c in columns
        for value, labels in (c.hierarchy or {}).items()
        for level, label in enumerate(labels)
    ]
    if not entries:
        return None
    con.execute(
        f"""create or replace table {identifier(table)} as select unnest(?::varchar[]) as attribute,
        unnest(?::varchar[]) as value, unnest(?::integer[]) as level, unnest(?::varchar[]) as label""",
        [list(field) for field in zip(*entries, strict=True)],
    ).fetchall()
    return table


@st.composite
def trees(draw: st.DrawFn, domain: Sequence[Any]) -> Hierarchy:
    """A hierarchy of height 1 to 3 over a domain and NULL."""
    leaves = [None, *domain]
    labels: dict[Any, list[Any]] = {canonical(value): [as_text(value)] for value in leaves}
    nodes = list(range(len(leaves)))
    for level in range(1, draw(st.integers(1, 3))):
        parents = draw(st.lists(st.integers(0, 3), min_size=max(nodes) + 1, max_size=max(nodes) + 1))
        nodes = [parents[node] for node in nodes]
        for value, node in zip(leaves, nodes, strict=True):
            labels[canonical(value)].append(f"node {node} of level {level}")
    return {value: [*path, "*"] for value, path in labels.items()}


@st.composite
def columns(
    draw: st.DrawFn, name: str, n: int, types: Sequence[str] = tuple(DOMAINS), width: int = 100
) -> Column:
    """A column of n values, at most `width` different ones and NULL, every third with a hierarchy."""
    type_ = draw(st.sampled_from(types))
    domain = DOMAINS[type_]
    used = draw(st.permutations(domain))[:width]
    values = draw(st.lists(st.sampled_from([*used, None]), min_size=n, max_size=n))
    hierarchy = draw(trees(domain)) if draw(st.integers(0, 2)) == 2 else None
    return Column(name, type_, values, hierarchy)


def hierarchies_by_position(columns: Sequence[Column]) -> dict[int, Hierarchy]:
    return {i: c.hierarchy for i, c in enumerate(columns) if c.hierarchy}


def orders_by_position(columns: Sequence[Column]) -> Mapping[int, Sequence[Any]]:
    return {i: c.order for i, c in enumerate(columns) if c.order}
