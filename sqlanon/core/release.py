"""A release: where it is, and what it reaches."""

from __future__ import annotations

import html
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import duckdb

from sqlanon.core.errors import UNNAMED
from sqlanon.core.made_table import MadeTable

if TYPE_CHECKING:
    from sqlanon.measure.leaving import Leaving

Progress = Callable[[float, str], None]  # the share that is done (0 to 1), and a message


@dataclass(frozen=True, repr=False)
class Release(MadeTable):
    """A finished and verified release. It is data as well: .df(), .pl(), .arrow(), or .relation().

    table: its name, as SQL takes it. parameters: arguments of the call. reached: per model (k-anonymity and
    the required ones; "model of column" where several sensitive columns are judged) the value of the worst
    class. classes, rows, suppressed_rows: counts. seconds: how long it took. details: what else the method
    tells. people: whose the rows are, where a unit says so; what is reached then counts people, too.
    required: what must be reached, by the same names. con: the connection that made it. leaving: its
    columns, and whether one of them names people; empty where nobody has looked (a few rows without a kept
    column). title: the method and what was required, where nobody has named the table.
    """

    table: str
    parameters: Mapping[str, Any]
    reached: Mapping[str, float]
    classes: int
    rows: int
    suppressed_rows: int
    seconds: float
    details: Mapping[str, Any] = field(default_factory=dict)
    people: int | None = None
    required: Mapping[str, float] = field(default_factory=dict)
    con: duckdb.DuckDBPyConnection | None = field(default=None, compare=False)
    leaving: Sequence[Leaving] = field(default=(), compare=False)
    title: str = ""

    def __post_init__(self) -> None:
        if self.title:
            UNNAMED[self.table] = self

    @property
    def counted(self) -> str:
        """How many rows, of how many people."""
        return f"{self.rows:,} rows" + ("" if self.people is None else f" of {number_of_people(self.people)}")

    def __str__(self) -> str:
        reached = ", ".join(f"{model} {value:.6g}" for model, value in self.reached.items())
        details = "".join(
            f"; {name}: {_printed(self.details[name])}" for name in PRINTED if self.details.get(name)
        )
        return (
            f"{self.title or self.table}: {self.counted} in {self.classes:,} classes, "
            f"{self.suppressed_rows:,} rows suppressed, {self.seconds:.2f} s; reached: {reached}{details}"
        )

    def _repr_html_(self) -> str:
        """For notebooks: the counts, and what was required and is reached."""
        rows = []
        for model, value in self.reached.items():
            threshold = self.required.get(model)
            rows.append((model, "" if threshold is None else f"{threshold:.6g}", f"{value:.6g}"))
        cells = "".join(
            f"<tr>{''.join(f'<td>{html.escape(cell)}</td>' for cell in row)}</tr>" for row in rows
        )
        return (
            f"<p><strong>{html.escape(self.title or self.table)}</strong>: {self.counted} in "
            f"{self.classes:,} classes, {self.suppressed_rows:,} rows suppressed, verified, "
            f"{self.seconds:.2f} s</p>"
            f"<table><tr><th>model</th><th>required</th><th>reached</th></tr>{cells}</table>"
            + "".join(f"<p>{html.escape(str(each))}</p>" for each in self.leaving if not each.holds)
        )


def number_of_people(people: int) -> str:
    """1 person, 2 people."""
    return f"{people:,} {'person' if people == 1 else 'people'}"


PRINTED = (
    "levels",
    "cost",
    "open",
    "suppressed_cells",
    "information_loss",
    "exposed_rows",
    "unbound_rows",
    "unread_rows",
    "exposed_suppressed_rows",
    "added",
    "stayed",
    "gone",
    "counterfeits",
    "rows_with_others",
    "households",
    "unique_households",
)  # of the details, at the keyboard


def _printed(detail: Any) -> str:
    match detail:
        case dict():
            return ", ".join(f"{name} {_printed(value)}" for name, value in detail.items())
        case list():
            return ", ".join(map(_printed, detail))
        case float():
            return f"{detail:.6g}"
    return f"{detail:,}"
