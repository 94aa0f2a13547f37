"""Answers from a release, slowly: every value that a label may stand for is tried."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, product
from typing import Any

import duckdb

Row = dict[str, Any]
Bounds = tuple[float | None, float | None]


def cells(possible: Row) -> list[tuple[Any, ...]]:
    """All rows that a row of labels may stand for. possible: column -> the values that its label covers."""
    return [*product(*possible.values())]


def meets(con: duckdb.DuckDBPyConnection, columns: Row, condition: str) -> dict[tuple[Any, ...], bool]:
    """For every combination of values whether it meets a condition, as DuckDB says. columns: column -> its
    type and all values."""
    names = ", ".join(columns)
    made = ", ".join(f"{name} {type_}" for name, (type_, _) in columns.items())
    con.execute(f"create or replace temp table every_cell ({made})")
    every = [*product(*(values for _, values in columns.values()))]
    marks = ", ".join("?" for _ in columns)
    con.executemany(f"insert into every_cell values ({marks})", every)
    rows = con.execute(f"select {names}, coalesce({condition}, false) from every_cell").fetchall()
    return {tuple(row[:-1]): row[-1] for row in rows}


def split(
    rows: Sequence[Row], met: dict[tuple[Any, ...], bool], columns: Sequence[str]
) -> tuple[list[Row], list[Row]]:
    """The rows that surely meet a condition, and those that may. A row: possible (column -> values)."""
    sure, some = [], []
    for row in rows:
        all_cells = [met[cell] for cell in cells({name: row["possible"][name] for name in columns})]
        if all(all_cells):
            sure.append(row)
        elif any(all_cells):
            some.append(row)
    return sure, some


def count(sure: Sequence[Row], some: Sequence[Row]) -> Bounds:
    return len(sure), len(sure) + len(some)


def subsets(some: Sequence[Row]) -> list[tuple[Row, ...]]:
    return [chosen for size in range(len(some) + 1) for chosen in combinations(some, size)]


def extremes(values: Sequence[float]) -> Bounds:
    return (min(values), max(values)) if values else (None, None)


def sums(sure: Sequence[Row], some: Sequence[Row]) -> Bounds:
    """Of all subsets. A row: cost, a list of the values that it may have (None: missing)."""
    return extremes([
        sum(value or 0 for value in values)
        for chosen in subsets(some) for values in product(*(row["cost"] for row in (*sure, *chosen)))
    ])  # fmt: skip


def means(sure: Sequence[Row], some: Sequence[Row]) -> Bounds:
    known = [
        [value for value in values if value is not None]
        for chosen in subsets(some) for values in product(*(row["cost"] for row in (*sure, *chosen)))
    ]  # fmt: skip
    return extremes([sum(values) / len(values) for values in known if values])
