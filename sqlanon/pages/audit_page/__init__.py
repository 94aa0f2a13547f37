"""The auditor's page: what is out by a register, and what it gives away, release by release.

made = sqlanon.audit(con, "people", register="releases.duckdb", page=True)
made.page.write("audit.html")
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb
from sqlglot import exp

from sqlanon.core.errors import values_are_shown
from sqlanon.core.statements import call, execute, literal, render, select, table
from sqlanon.core.tables import WorkTables
from sqlanon.pages.audit_page.charts import charts
from sqlanon.pages.audit_page.data import Data
from sqlanon.pages.audit_page.in_words import in_words, remarks_in_words
from sqlanon.pages.decision_page.words import Words, as_shown
from sqlanon.pages.page import Page, Table
from sqlanon.pages.templates import rendered
from sqlanon.policies.schema import LANGUAGES

if TYPE_CHECKING:
    from sqlanon.judge.runs import Counts

ALIAS = "sqlanon_register"


@dataclass(frozen=True)
class AuditPage(Page):
    """The finished page."""

    data: Data


def make(
    con: duckdb.DuckDBPyConnection,
    register: Path,
    time: datetime,
    counts: Counts,
    about: Mapping[str, Sequence[str]],
    verdict: str,
    reasons: Sequence[str],
    remarks: Sequence[str],
    facts: Mapping[str, Any],
    language: str,
) -> AuditPage:
    """The page of an audit that is recorded in a register, which is attached."""

    def of_audit(macro: str, *more: str) -> Table:
        return _table(con, call(macro, f"{ALIAS}.verdicts", *more, str(time)))

    stated = call("_stated_verdicts", f"{ALIAS}.verdicts", f"{ALIAS}.acceptances", str(time))
    with WorkTables(con) as work:
        [(summary,)] = execute(con, call("_stated_in_words", work.make("stated", stated).name))
    entries = select(
        table("releases", catalog=ALIAS), "id", "name", "status", "is_foreign", "made_at", "changed_at",
        "made_by", "method", "row_count", "suppressed_rows", "classes", "path",
    ).where(exp.column("status").neq(literal("abandoned")))  # fmt: skip
    data = Data(
        register, time, about, counts, _table(con, entries.order_by("id")), of_audit("_growth"),
        of_audit("_stated_verdicts", f"{ALIAS}.acceptances"), summary, of_audit("_unstated_measures"),
        of_audit("_not_attacked"), verdict, reasons, list(dict.fromkeys(remarks)), facts,
    )  # fmt: skip
    specs = charts(data)
    return AuditPage(data, specs, text_of(data, specs, language))


def text_of(data: Data, specs: Mapping[str, Mapping[str, Any]], language: str) -> str:
    """The page. In other languages than English its tables and charts come after what was found in words."""
    growth, english = _by_column(data.growth), Words(LANGUAGES[0])

    def wording(text: str) -> str:
        return english.wording(as_shown(text))

    is_translated = language != LANGUAGES[0]
    return rendered(
        f"audit_page/{'in_words' if is_translated else 'page'}.html", specs, data=data,
        releases=_releases(data), growth=growth, wording=wording, shows_values=values_are_shown(),
        remarks=remarks_in_words(data.remarks, english),
        **(in_words(data, Words(language)) if is_translated else {}),
    )  # fmt: skip


def _table(con: duckdb.DuckDBPyConnection, query: exp.Select) -> Table:
    rows = execute(con, query)
    return Table(tuple(rows.columns), list(rows), render(query, pretty=True) + ";")


def _by_column(growth: Table) -> dict[str, list[dict[str, Any]]]:
    """How the releases add up, by the sensitive column."""
    by_column: dict[str, list[dict[str, Any]]] = {}
    for row in growth:
        by_column.setdefault(row["sensitive"], []).append(row)
    return by_column


def _releases(data: Data) -> list[dict[str, Any]]:
    """The releases, each with how many people are in it, and what is stated of it alone or with others."""
    counts = {name: about for name, *about in data.counts.in_releases}
    releases = []
    for row in data.releases:
        verdicts = [
            one["verdict"]
            for one in data.stated
            if row["name"] in one["releases"] and one["accepted"] is None
        ]
        located, classes, possible, unread = counts.get(row["name"], (None, None, None, False))
        releases.append({
            **row,
            "located": located, "in_classes": classes, "possible": possible, "unread": unread,
            # nothing holds unless it was stated
            "verdict": next((each for each in ("fails", "not known", "holds") if each in verdicts), ""),
        })  # fmt: skip
    return releases
