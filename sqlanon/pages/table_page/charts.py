"""The picture of ways to protect a table: cells hidden to the right, cells known all the same upwards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt

from sqlanon.pages.templates import percent
from sqlanon.pages.vega import ACCENT, INK, QUIET, Spec, chart, specified

WIDTH, HEIGHT = 420, 300
WIDE, HIGH = 35, 20  # room of a label, in percent of the axes
FAR_RIGHT = 60


def trade_off(choices: Sequence[Mapping[str, Any]]) -> Spec:
    """Every way that was measured; known and may be known count alike."""
    rows = [_mark(choice) for choice in choices if choice["known"] is not None]
    scale = alt.Scale(domain=[0, 100])
    x = alt.X("hidden:Q", title="cells hidden or changed, %", scale=scale)
    y = alt.Y("known:Q", title="unsafe cells known, %", scale=scale)
    color = alt.Color("holds:N", scale=alt.Scale(domain=[True, False], range=[QUIET, ACCENT]), legend=None)
    points = chart(rows).mark_point(filled=True, size=70, opacity=1).encode(
        x, y, color, description="description:N"
    )  # fmt: skip
    labels = [
        chart(some).mark_text(color=INK, fontSize=11, dx=8, dy=dy, align=align).encode(x, y, text="method:N")
        for some, dy, align in _placed(rows)
    ]
    return specified(alt.LayerChart(layer=[points, *labels]), WIDTH, HEIGHT, _told(rows))


def _mark(choice: Mapping[str, Any]) -> dict[str, Any]:
    known = choice["known"] + choice["unfinished"]
    return {
        "method": choice["method"],
        "hidden": choice["hidden"],
        "known": known,
        "holds": known == 0,
        "description": f"{choice['method']}: {percent(choice['hidden'])} hidden or changed, "
        f"{percent(known)} of the unsafe known",
    }


def _placed(rows: Sequence[Mapping[str, Any]]) -> list[tuple[list[Mapping[str, Any]], int, str]]:
    """Labels, with how far each is above its point: neighbours stand one above the other."""
    placed: list[tuple[list[Mapping[str, Any]], int, str]] = []
    for i, row in enumerate(rows):
        near = [other for other in rows[:i] if _are_near(row, other)]
        placed.append(([row], -10 - 13 * len(near), "right" if row["hidden"] > FAR_RIGHT else "left"))
    return placed


def _are_near(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Would their labels overlap?"""
    across, up = (abs(float(one[name]) - float(other[name])) for name in ("hidden", "known"))
    return across < WIDE and up < HIGH


def _told(rows: Sequence[Mapping[str, Any]]) -> str:
    told = "; ".join(row["description"] for row in rows)
    return f"To the right cells hidden or changed, upwards unsafe cells that are known: less of both. {told}."
