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

from sqlanon.core.statements import call, execute, literal, render, select, table
from sqlanon.core.tables import WorkTables
from sqlanon.pages.audit_page.charts import charts
from sqlanon.pages.audit_page.data import Data
from sqlanon.pages.page import Page, Table
from sqlanon.pages.templates import rendered

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
        of_audit("_stated_verdicts", f"{ALIAS}.acceptances"), summary, of_audit("_unstated_attacks"),
        of_audit("_not_attacked"), verdict, reasons, list(dict.fromkeys(remarks)),
    )  # fmt: skip
    specs = charts(data)
    html = rendered(
        "audit_page/page.html", specs, data=data, releases=_releases(data), growth=_by_column(data.growth)
    )
    return AuditPage(data, specs, html)


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
        located, classes, possible, unread = counts.get(row["name"], (0, None, 0, False))
        releases.append({
            **row,
            "located": located, "in_classes": classes, "possible": possible, "unread": unread,
            # nothing holds unless it was stated
            "verdict": next((each for each in ("fails", "not known", "holds") if each in verdicts), ""),
        })  # fmt: skip
    return releases
