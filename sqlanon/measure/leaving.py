"""What leaves with a release, column by column."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

import duckdb

from sqlanon.core.answer import rows
from sqlanon.core.source import lower
from sqlanon.core.toml import bare


@dataclass(frozen=True)
class Leaving:
    """A column that leaves, as the macro leaving_columns tells it."""

    column: str
    role: str
    how: str
    distinct_values: int
    unique_share: float | None
    looks_like: str | None
    verdict: str
    reason: str

    @property
    def holds(self) -> bool:
        return self.verdict == "holds"

    @property
    def ways(self) -> str:
        """What else can become of the column, if it does not hold."""
        return "leave it out" if self.role == "masked" else "leave it out, mask it,"

    def __str__(self) -> str:
        """Why it does not hold, and what to do about it."""
        return (
            f"{self.column} leaves {self.how}: {self.reason}. {self.ways.capitalize()} or accept it in a "
            f'policy: [direct] {bare(self.column)} = "why"'
        )


class Found(list[Leaving]):
    """The columns of a release, and the parameters with which they were found."""

    def __init__(self, columns: Iterable[Leaving], arguments: Mapping[str, Any]) -> None:
        super().__init__(columns)
        self.arguments = arguments


def columns_leaving(
    con: duckdb.DuckDBPyConnection, release: str, found: Sequence[Leaving] = (), **arguments: Any
) -> Sequence[Leaving]:
    """The rows of leaving_columns with these parameters. release: a name for query_table. found: what was
    found of it when it was made, which is the answer if its parameters were the same. (Then the original
    has another name: the table that it was made of was a copy.)"""
    if isinstance(found, Found) and _but_for_names(found.arguments) == _but_for_names(arguments):
        return found
    answer = rows(con, "leaving_columns", release, **arguments)
    return Found([Leaving(*row[:3], *row[4:]) for row in answer], arguments)


def _but_for_names(arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    return {**arguments, "original": arguments.get("original") is not None}


@dataclass(frozen=True)
class Terms:
    """What a policy says of the columns that leave: those with masks, and those that may name people."""

    masked: Collection[str] = field(default_factory=list)
    direct: Collection[str] = field(default_factory=list)


_TERMS: ContextVar[Terms | None] = ContextVar("terms", default=None)
FEW = 20  # rows, as of sqlanon._enough_rows


@contextmanager
def under(terms: Terms) -> Iterator[None]:
    """Releases that are made here leave under these terms, unless others hold already."""
    token = None if _TERMS.get() else _TERMS.set(terms)
    try:
        yield
    finally:
        if token:
            _TERMS.reset(token)


def of_release(
    con: duckdb.DuckDBPyConnection,
    release: str,
    released: int,
    columns: Mapping[str, Sequence[str] | None],
    source: str,
    unit: str | None,
) -> Sequence[Leaving]:
    """The columns of a finished release. released: its rows; columns: those with roles; source: what it was
    made of, in which unit says whose a row is.

    Of a few rows without a kept column, under nobody's terms, nobody looks: that takes as long as making
    them, and a sensitive column names nobody there unless its form or its name says so.
    """
    terms = _TERMS.get()
    if terms is None and not columns["keep"] and released < FEW:
        return []
    terms = terms or Terms()
    masked = [name for name in columns["keep"] or [] if name.lower() in lower(terms.masked)]
    return columns_leaving(
        con, release, qi=columns["qi"], sensitive=columns["sensitive"], masked=masked or None,
        original=None if unit is None else source, id=unit, direct=list(terms.direct) or None,
    )  # fmt: skip
