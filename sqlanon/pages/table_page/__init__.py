"""The page of a table of counts or sums: the table as people read it, with what has become of each cell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from typing import Any

import duckdb
from sqlglot import exp

from sqlanon.core.statements import call, execute, named_table, render, select
from sqlanon.pages.decision_page import table_in_words
from sqlanon.pages.decision_page.words import Words
from sqlanon.pages.page import Page, Table
from sqlanon.pages.table_page.grid import BAD, STATES, Cell, Label, Labels, counted, grids, paths_of
from sqlanon.pages.vega import require_extra
from sqlanon.policies.schema import LANGUAGES

MOST_SUMS = 6  # that are listed of a cell
AS_THEY_ARE = ("shown", "unsafe")


@dataclass(frozen=True)
class Shown:
    """A table to be shown. states: the name of rows as in cell_states; sums: of those as in cell_sums;
    hierarchies: of hierarchies, or None. subject: what it is called; statements: how its parts are made, by
    title; choices: ways to protect it, as in choices_of (choices.py); about: of the table of a policy, what a
    decision has of it. more_time: what gives the attack more."""

    dimensions: Sequence[str]
    states: str
    sums: str
    hierarchies: str | None
    total: str
    subject: str
    statements: Mapping[str, str] = field(default_factory=dict)
    choices: Sequence[Mapping[str, Any]] = ()
    about: Mapping[str, Any] | None = None
    more_time: str = "table.solver_seconds"
    language: str = LANGUAGES[0]


@dataclass(frozen=True)
class TablePage(Page):
    """The finished page."""

    data: Mapping[tuple[Label, ...], Cell]


def make(con: duckdb.DuckDBPyConnection, shown: Shown) -> TablePage:
    """The page. Errors: InputError where the extra `report` is not installed."""
    require_extra()
    from sqlanon.pages.table_page.charts import trade_off
    from sqlanon.pages.templates import rendered

    words = Words(shown.language)
    cells = _cells(con, shown, words)
    paths = {}
    if shown.hierarchies is not None:
        columns = ("attribute", "value", "level", "label")
        paths = paths_of(execute(con, select(named_table(shown.hierarchies), *columns)))
    labels = {name: Labels(shown.total, paths.get(name.lower(), {})) for name in shown.dimensions}
    made, more = grids(shown.dimensions, cells, labels)
    states = counted(cells.values())
    specs = {"trade-off": trade_off(shown.choices)} if shown.choices else {}
    page = rendered(
        "table_page/page.html", specs, grids=made, more=more, marks=BAD, shown=shown, words=words,
        **_in_words(states, shown, words),
        statements=[Table((), [], text) for text in shown.statements.values()],
        statement_titles=[*shown.statements],
    )  # fmt: skip
    return TablePage(cells, specs, page)


def _in_words(states: Mapping[str, int], shown: Shown, words: Words) -> dict[str, Any]:
    """What is found in words, and what would help."""
    legend = {state: words.counted(key, states[state]) for state, key in STATES.items() if state in states}
    bad = [state for state in legend if state in BAD]
    every, hidden = sum(states.values()), sum(n for state, n in states.items() if state not in AS_THEY_ARE)
    cells = words("remedy_cells", hidden=words.number(hidden), all=words.number(every))
    if bad:
        tone, headline = "unknown" if bad == ["unfinished"] else "bad", legend[bad[-1]]
    elif hidden or shown.about:
        tone, headline = "good", words(f"{STATES['known' if hidden else 'unsafe']}_none")
    else:
        tone, headline = "", words("report_none")
    unseen = [] if shown.about else ["cells_no_rules"]
    remedies = [words("remedies_check")] if bad and shown.about else []
    if "unfinished" in bad:
        remedies.append(words.ways(f"give it more time: {shown.more_time}"))
    return {
        "legend": legend, "tone": tone, "headline": headline, "remedies": remedies,
        "found": table_in_words(shown.about, "_refused", words) if shown.about else [f"{cells}."],
        "unseen": [words(key) for key in (*unseen, "open_several_tables", "unseen_knowledge")],
    }  # fmt: skip


def _cells(con: duckdb.DuckDBPyConnection, shown: Shown, words: Words) -> dict[tuple[Label, ...], Cell]:
    """The cells by their labels."""
    n = len(shown.dimensions)
    labels = [exp.column(name, quoted=True) for name in shown.dimensions]
    sums: dict[tuple[Label, ...], list[str]] = {}
    for row in execute(con, select(named_table(shown.sums), *labels, "told", "hidden").order_by("hidden")):
        sums.setdefault(row[:n], []).append(row[n])
    columns = ("contributors", "value", "shown", "lower", "upper", "unfinished", "rules", "state")
    cells = {}
    for row in execute(con, select(named_table(shown.states), *labels, *columns)):
        contributors, value, text, lower, upper, unfinished, rules, state = row[n:]
        name = ", ".join("(empty)" if label is None else label for label in row[:n])
        sentences = []
        if lower is not None:
            sentences.append(_interval(lower, upper, unfinished))
        if value is not None and state != "shown":
            people = f", of {_number(contributors)} contributors" if contributors != value else ""
            sentences.append(f"true value: {_number(value)}{people}")
        if rules:
            sentences.append(f"breaks {', '.join(rules)}")
        own = sums.get(row[:n], [])
        sentences += own[:MOST_SUMS]
        if len(own) > MOST_SUMS:
            sentences.append(f"and {len(own) - MOST_SUMS} more sums")
        if state == "known" and own and not any("it alone" in sentence for sentence in own):
            sentences.append("no sum alone tells it: all of them together do")
        cells[row[:n]] = Cell(_tidy(text, words), state, name, sentences)
    return cells


def _tidy(text: str | None, words: Words) -> str:
    """A value as people write it: 1,234 for 1234.0, and 1,234.50 for 1234.50."""
    if text is None or not text.strip():
        return "·"
    try:
        number = Decimal(text)
    except InvalidOperation:
        return text
    if not number.is_finite():
        return text
    return words.marked(f"{int(number):,}" if number == int(number) else f"{number:,f}")


def _number(value: float) -> str:
    return f"{int(value):,}" if float(value).is_integer() else f"{value:,.15g}"


def _interval(lower: float, upper: float | None, unfinished: bool) -> str:
    more = " (narrower bounds may exist)" if unfinished else ""
    if upper is None:
        return f"{_number(lower)} or more is possible{more}"
    if lower == upper:
        return f"{_number(lower)}, and nothing else, is possible"
    return f"{_number(lower)} to {_number(upper)} is possible{more}"


def statements_of(statements: Mapping[str, exp.Expression]) -> dict[str, str]:
    """Statements as texts, by their titles."""
    return {title: render(each, pretty=True) for title, each in statements.items()}


def sums_of(published: str, hierarchies: str | None, **parameters: Any) -> exp.Select:
    """The statement of the sums of a published table."""
    return call("cell_sums", published, hierarchies=hierarchies, **parameters)
