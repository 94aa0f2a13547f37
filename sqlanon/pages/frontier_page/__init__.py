"""The page of a frontier: the trade-off of several releases as a picture, and what each gives away and loses.

made = sqlanon.frontier(con, "people", ["age", "zip"], "disease")
made.page().write("frontier.html")
"""

from __future__ import annotations

import html
from dataclasses import dataclass
from typing import Any

from sqlanon.core.errors import InputError
from sqlanon.core.remarks import text
from sqlanon.pages.frontier_page.choices import RISKS, Choices, in_order, name_of, title_of
from sqlanon.pages.page import Page
from sqlanon.pages.vega import require_extra

# The columns of the page's table, after the choice: their titles, and where the same without a release is.
PERCENTAGES = {
    "guess_right": ("guessed right", "guess_baseline"),
    "sure_90": ("90 % sure", "sure_90_baseline"),
    "forecast": ("certain after one more", None),
    "query_error": ("query error", None),
    "suppressed": ("suppressed", None),
    "prediction_error": ("wrong predictions", None),
}
NUMBERS = {
    "reidentification": "re-identification",
    "gcp": "GCP",
    "model_loss": "loss of a model",
    "seconds": "seconds",
}


@dataclass(frozen=True)
class FrontierPage(Page):
    """The finished page."""

    data: Choices


def make(frontier: Choices, subject: str, command: str | None) -> FrontierPage:
    """The page. subject, command: as in Frontier.page."""
    require_extra()
    from sqlanon.pages.frontier_page.charts import trade_off
    from sqlanon.pages.templates import rendered

    sorted_choices = in_order(frontier)
    if not (sorted_choices.front or sorted_choices.dominated):
        reasons = dict.fromkeys(f"{name_of(row)}: {row['reason']}" for row in frontier.rows)
        raise InputError(f"there is nothing to draw: {'; '.join(reasons)}")
    specs = {"trade-off": trade_off(frontier, sorted_choices)}
    measured = [*sorted_choices.front, *sorted_choices.dominated, *sorted_choices.unknown]
    known = {name for name in (*PERCENTAGES, *NUMBERS) if any(row[name] is not None for row in measured)}
    page = rendered(
        "frontier_page/page.html", specs, frontier=frontier, choices=sorted_choices, subject=subject,
        command=command, percentages={name: of for name, of in PERCENTAGES.items() if name in known},
        numbers={name: of for name, of in NUMBERS.items() if name in known},
        risk=RISKS[frontier.risk], loss=title_of(frontier.loss),
    )  # fmt: skip
    return FrontierPage(frontier, specs, page)


def in_notebook(frontier: Choices) -> str:
    """The picture, where what draws it is installed and there is something to draw, and the table."""
    picture = ""
    choices = in_order(frontier)
    if choices.front:
        try:
            require_extra()
        except InputError as error:
            picture = f"<p>{html.escape(str(error))}</p>"
        else:
            from sqlanon.pages.frontier_page.charts import trade_off
            from sqlanon.pages.vega import svg

            picture = svg(trade_off(frontier, choices))
    columns = [
        "method",
        "k",
        frontier.risk,
        frontier.loss,
        "suppressed",
        "dominated",
        "dominated_by",
        "reason",
    ]
    columns = list(dict.fromkeys(columns))
    head = "".join(f"<th>{name}</th>" for name in columns)
    body = "".join(
        "<tr>" + "".join(f"<td>{html.escape(_cell(row[name]))}</td>" for name in columns) + "</tr>"
        for row in frontier.rows
    )
    return f"{picture}<p>{html.escape(str(frontier))}</p><table><tr>{head}</tr>{body}</table>"


def _cell(value: Any) -> str:
    return "" if value is None else text(value)
