"""Charts of the auditor's page: what is out since when, how it adds up, and in how many releases people are.

Marks carry what they show as text, for tooltips and for those who do not see them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import altair as alt

from sqlanon.pages.audit_page.data import Data
from sqlanon.pages.templates import percent
from sqlanon.pages.vega import ACCENT, QUIET, SECOND, Spec, chart, specified

WIDTH, HEIGHT = 300, 180
SHOWN = 30  # releases in the timeline, the latest
WHOSE = {False: "ours", True: "of others"}
TOGETHER, ALONE, WITHOUT = "all up to this one", "the release that tells most", "a guess without them"


def charts(data: Data) -> dict[str, Spec]:
    """The charts: `timeline`, `growth 1` (of the first sensitive column), ..., `presence`."""
    specs = {"timeline": timeline(data)}
    columns = list(dict.fromkeys(row["sensitive"] for row in data.growth))
    for number, column in enumerate(columns, 1):
        tolerated = [
            row["tolerated"]
            for row in data.stated
            if (row["attack"], row["id"], row["sensitive"]) == ("intersection_attack", "sure_90", column)
        ]
        rows = [row for row in data.growth if row["sensitive"] == column]
        specs[f"growth {number}"] = growth(rows, min(tolerated, default=None))
    specs["presence"] = presence(data.counts.in_so_many)
    return specs


def timeline(data: Data) -> Spec:
    """Each release from when it was entered until now; a mark where it was withdrawn."""
    rows = []
    for row in list(data.releases)[-SHOWN:]:
        withdrawn = row["changed_at"] if row["status"] == "withdrawn" else None
        alt_text = f"{row['name']}, {WHOSE[row['is_foreign']]}: entered {row['made_at']:%Y-%m-%d %H:%M}"
        alt_text += (
            f", withdrawn {withdrawn:%Y-%m-%d %H:%M}, still out" if withdrawn else f", {row['status']}"
        )
        rows.append({
            "release": row["name"], "whose": WHOSE[row["is_foreign"]], "description": alt_text,
            "entered": row["made_at"].isoformat(), "now": data.time.isoformat(),
            "withdrawn": None if withdrawn is None else withdrawn.isoformat(),
        })  # fmt: skip
    y = alt.Y("release:N", title=None, sort=None, axis=alt.Axis(labelLimit=110))
    color = alt.Color(
        "whose:N", title=None, scale=alt.Scale(domain=[*WHOSE.values()], range=[SECOND, QUIET]),
        legend=alt.Legend(orient="top", columns=2),
    )  # fmt: skip
    since = alt.X("entered:T", title="out since (UTC)", axis=alt.Axis(labelOverlap=True, tickCount=4))
    drawn = chart(rows)
    line = drawn.mark_rule(strokeWidth=4).encode(
        since, y, alt.X2("now:T"), color, description="description:N"
    )
    point = drawn.mark_point(filled=True, size=50, opacity=1).encode(
        since, y, color, description="description:N"
    )
    gone = (
        chart([row for row in rows if row["withdrawn"]])
        .mark_tick(color=ACCENT, thickness=3)
        .encode(alt.X("withdrawn:T"), y, description="description:N")
    )
    alt_text = "Since when releases are out. " + ". ".join(row["description"] for row in rows)
    return specified(
        alt.LayerChart(layer=[line, point, gone]), WIDTH, max(60, 24 * len(rows)), f"{alt_text}."
    )


def growth(rows: Sequence[dict[str, Any]], tolerated: float | None) -> Spec:
    """Of how many people an adversary is sure, with each further release; and how many are tolerated."""
    color_of = {TOGETHER: ACCENT, ALONE: SECOND, WITHOUT: QUIET}
    steps = [
        {
            "number": row["number"],
            "share": row[key],
            "adversary": called,
            "description": f"up to {row['release']}: sure of {row[key]:.1f} % of the people, {called}",
        }
        for key, called in (("together", TOGETHER), ("alone", ALONE), ("without", WITHOUT))
        for row in rows
        if row[key] is not None
    ]
    x = alt.X("number:O", title="releases", axis=alt.Axis(labelAngle=0, labelOverlap=True))
    y = alt.Y("share:Q", title="people, %", scale=alt.Scale(domainMin=0))
    color = alt.Color(
        "adversary:N", title=None, scale=alt.Scale(domain=[*color_of], range=[*color_of.values()]),
        legend=alt.Legend(orient="top", columns=1),
    )  # fmt: skip
    line = chart(steps).mark_line(strokeWidth=2).encode(x, y, color)
    points = (
        chart(steps)
        .mark_point(filled=True, size=30, opacity=1)
        .encode(x, y, color, description="description:N")
    )
    layers = [line, points]
    if tolerated is not None:
        bound = [{"share": tolerated, "description": f"tolerated: {tolerated:g} % of the people"}]
        layers.append(
            chart(bound).mark_rule(color=ACCENT, strokeDash=[4, 4]).encode(y, description="description:N")
        )
    alt_text = "The share of people of whom an adversary is at least 90 % sure, by release. In the end: "
    last = [step for step in steps if step["number"] == rows[-1]["number"]] if rows else []
    alt_text += "; ".join(f"{percent(step['share'])} with {step['adversary']}" for step in last)
    return specified(alt.LayerChart(layer=layers), WIDTH, HEIGHT, f"{alt_text}.")


def presence(in_so_many: Sequence[tuple[int, int]]) -> Spec:
    """How many people may be in how many releases."""
    rows = [
        {"number": number, "people": people, "description": f"{people:,} people may be in {number} releases"}
        for number, people in in_so_many
    ]
    drawn = chart(rows).mark_bar(color=SECOND).encode(
        alt.X("number:O", title="releases that somebody may be in", axis=alt.Axis(labelAngle=0)),
        alt.Y("people:Q", axis=alt.Axis(format="~s")),
        description="description:N",
    )  # fmt: skip
    alt_text = "How many people may be in how many releases. " + "; ".join(
        str(row["description"]) for row in rows
    )
    return specified(drawn, WIDTH, HEIGHT, f"{alt_text}.")
