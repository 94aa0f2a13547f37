"""Charts: from the tables of a report to specifications for Vega-Lite.

Marks carry what they show as text, for tooltips and for those who do not see them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import altair as alt

from sqlanon.pages.disclosure_report.data import Data
from sqlanon.pages.page import Table
from sqlanon.pages.questions import pictures
from sqlanon.pages.templates import number, percent
from sqlanon.pages.vega import ACCENT, QUIET, SECOND, Spec, chart, specified

WIDTH, HEIGHT = 300, 180
SURE = 90  # percent: what the text of the curve tells
LEVEL = alt.Axis(labelAngle=0, labelOverlap=True)
TOGETHER, ALONE, WITHOUT = "all releases together", "the best single release", "a guess without them"


def charts(data: Data) -> dict[str, Spec]:
    """The charts: `sizes 1` (of the first release), `curve 1` (of the first sensitive column), ..."""
    specs = {}
    for nth, release in enumerate(data.releases.values(), 1):
        if release.sizes:
            specs[f"sizes {nth}"] = sizes(release.sizes)
        if isinstance(release.utility, Table) and (chart := loss(release.utility)):
            specs[f"loss {nth}"] = chart
        if release.questions:
            specs |= pictures(release.questions, nth)
    for nth, attack in enumerate(data.attacks.values(), 1):
        specs[f"curve {nth}"] = curve(attack.curve, len(data.releases))
        if len(data.releases) > 1:
            specs[f"anonymity {nth}"] = anonymity(attack.anonymity)
            specs[f"drops {nth}"] = drops(attack.drops)
    return specs


def curve(table: Table, releases: int) -> Spec:
    """The share of people of whose value an adversary is so sure: with all releases, with the best one alone,
    and without any."""
    called = (
        {TOGETHER: TOGETHER, ALONE: ALONE, WITHOUT: WITHOUT}
        if releases > 1
        else {TOGETHER: "the release", WITHOUT: "a guess without it"}
    )
    color_of = {TOGETHER: ACCENT, ALONE: SECOND, WITHOUT: QUIET}
    steps = [
        {
            **row,
            "adversary": called[row["adversary"]],
            "description": f"{row['share']:.1f} % of the people with a probability of {row['probability']} % "
            f"or more: {called[row['adversary']]}",
        }
        for row in table
        if row["adversary"] in called
    ]
    percentages = alt.Scale(domain=[0, 100])
    ticks = alt.Axis(values=[0, 20, 40, 60, 80, 100])
    x = alt.X("probability:Q", title="probability of at least, %", scale=percentages, axis=ticks)
    y = alt.Y("share:Q", title="people, %", scale=percentages)
    scale = alt.Scale(domain=list(called.values()), range=[color_of[name] for name in called])
    legend = alt.Legend(orient="top", columns=1) if releases > 1 else None  # the caption tells of two lines
    color = alt.Color("adversary:N", title=None, scale=scale, legend=legend)
    dashed = alt.condition(alt.datum.adversary == called[WITHOUT], alt.value([4, 4]), alt.value([1, 0]))
    line = chart(steps).mark_line(strokeWidth=2).encode(x, y, color, strokeDash=dashed, detail="adversary:N")
    points = (
        chart(steps)
        .mark_point(filled=True, size=30, opacity=1)
        .encode(x, y, color, description="description:N")
    )
    sure = {row["adversary"]: row["share"] for row in steps if row["probability"] == SURE}
    shares = "; ".join(f"{percent(share)} with {adversary}" for adversary, share in sure.items())
    return _spec(
        alt.LayerChart(layer=[line, points]),
        f"People of whom a value has at least some probability. Of {SURE} % or more: {shares}.",
    )


def anonymity(table: Table) -> Spec:
    """How many values are possible before and after: the share of people in each cell is its opacity."""
    rows = [
        {
            **row,
            "description": f"{row['people']:,} people: {_range(row, 'prior')} before, "
            f"{_range(row, 'posterior')} after",
        }
        for row in table
    ]
    cells = {axis: sorted({row[axis] for row in rows}) for axis in ("prior", "posterior")}
    width = rows[0]["width"] if rows else 1
    domain = list(range(0, max((*cells["prior"], *cells["posterior"]), default=0) + 1, width))
    drawn = chart(rows).mark_rect(color=ACCENT).encode(
        alt.X(
            "prior:O", title="possible values, best single release",
            scale=alt.Scale(domain=domain), axis=LEVEL,
        ),
        alt.Y(
            "posterior:O", title="all together", sort="descending", scale=alt.Scale(domain=domain),
            axis=LEVEL,
        ),
        alt.Opacity("people:Q", legend=None, scale=alt.Scale(type="sqrt", range=[0.08, 1])),
        description="description:N",
    )  # fmt: skip
    fewer = sum(row["people"] for row in rows if row["posterior"] < row["prior"])
    people = sum(row["people"] for row in rows)
    alt_text = (
        f"Values that are possible before and after. {fewer:,} of {people:,} people have clearly fewer after."
    )
    return _spec(drawn, alt_text)


def drops(table: Table) -> Spec:
    """How many possible values people lose by the other releases."""
    rows = [{**row, "description": f"{row['people']:,} people lose {_range(row, 'drop')}"} for row in table]
    most = max(rows, key=lambda row: row["people"], default=None)
    alt_text = "Possible values that people lose by the other releases." + (
        f" Most often: {most['description']}." if most else ""
    )
    return _bars(rows, "drop", "people", "possible values lost", ACCENT, alt_text)


def sizes(table: Table) -> Spec:
    """How many rows are in classes of each size."""
    rows = []
    for row in table:
        size = _between(row["least"], row["largest"])
        description = f"{row['rows']:,} rows in {row['classes']:,} classes of {size} rows"
        # the range is in the description: labels would overlap
        rows.append({**row, "size": f"{row['least']:,}", "description": description})
    if rows and rows[-1]["largest"] > rows[-1]["least"]:
        rows[-1]["size"] += "+"
    alt_text = "How many rows are in classes of each size."
    if rows:
        classes, all_rows = sum(row["classes"] for row in rows), sum(row["rows"] for row in rows)
        range_ = f"{rows[0]['least']:,} to {max(row['largest'] for row in rows):,}"
        alt_text = f"Class sizes: {all_rows:,} rows are in {classes:,} classes of {range_} rows."
    return _bars(rows, "size", "rows", "rows of the class", SECOND, alt_text)


def loss(table: Table) -> Spec | None:
    """The loss of each column, if it is known."""
    rows = [
        {
            "column": row["attribute"],
            "loss": row["value"],
            "description": f"{row['attribute']}: {row['value']:.3f}",
        }
        for row in table if row["id"] == "loss" and row["attribute"] is not None
    ]  # fmt: skip
    if not rows:
        return None
    drawn = chart(rows).mark_bar(color=SECOND).encode(
        alt.X("loss:Q", title="loss", scale=alt.Scale(domain=[0, 1]), axis=alt.Axis(values=[0, 0.5, 1])),
        alt.Y("column:N", title=None, sort=None, axis=alt.Axis(labelLimit=140)),
        description="description:N",
    )  # fmt: skip
    alt_text = "What each column has lost: " + ", ".join(
        f"{row['column']} {number(row['loss'])}" for row in rows
    )
    return _spec(drawn, f"{alt_text}.", height=max(60, 26 * len(rows)))


def _bars(rows: list[dict[str, Any]], x: str, y: str, title: str, color: str, alt_text: str) -> Spec:
    drawn = chart(rows).mark_bar(color=color).encode(
        alt.X(f"{x}:O", title=title, sort=None, axis=LEVEL),
        alt.Y(f"{y}:Q", axis=alt.Axis(format="~s")),
        description="description:N",
    )  # fmt: skip
    return _spec(drawn, alt_text)


def _between(least: int, largest: int) -> str:
    return f"{least:,}" if least >= largest else f"{least:,}–{largest:,}"


def _range(row: Mapping[str, Any], field: str) -> str:
    values = _between(row[field], row[field] + row["width"] - 1)
    return f"{values} value{'' if values == '1' else 's'}"


def _spec(drawn: Any, alt_text: str, height: int = HEIGHT) -> Spec:
    return specified(drawn, WIDTH, height, alt_text)
