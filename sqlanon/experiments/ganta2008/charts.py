"""The figures as charts: from their rows to specifications for Vega-Lite."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import altair as alt

from sqlanon.core.statements import Rows
from sqlanon.experiments.ganta2008.paper import points
from sqlanon.experiments.ganta2008.results import Figure
from sqlanon.pages.vega import INK, Spec, chart, specified

COLORS = {
    "#3a6ea5": "var(--s1)",
    "#c8641e": "var(--s2)",
    "#2c7a4b": "var(--s3)",
    "#8a4fa3": "var(--s4)",
    "#a08000": "var(--s5)",
}
SERIES = list(COLORS)
WIDTH, HEIGHT = 330, 220


def panels(figure: Figure, rows: Rows) -> dict[str, Spec]:
    """The panels of a figure, by title: lines of means, with bands from least to most over the seeds."""
    records = [dict(zip(rows.columns, row, strict=True)) for row in rows]
    shown: dict[str, set[str]] = {}  # panels of the same have the same colors
    for record in records:
        shown.setdefault(_panel_order(record["panel"])[0], set()).add(record["series"])
    titles = sorted({record["panel"] for record in records}, key=_panel_order)
    return {
        title: _panel(
            figure,
            [record for record in records if record["panel"] == title],
            _in_order(shown[_panel_order(title)[0]]),
            title,
        )
        for title in titles
    }


def _panel_order(title: str) -> tuple[str, int, str]:
    """By what is shown, then everybody before those who have a value."""
    data, _, shown = title.partition(": ")
    return shown, len(data), data


def _in_order(series: set[str]) -> list[str]:
    """k = 5 before k = 10, and otherwise by name."""
    return sorted(
        series, key=lambda name: ([float(part) for part in name.split() if part[0].isdigit()], name)
    )


def _panel(figure: Figure, records: list[dict[str, Any]], series: Sequence[str], title: str) -> Spec:
    unit = records[0]["unit"]
    is_ordinal = isinstance(records[0][figure.x], str)
    if is_ordinal:
        x = alt.X(f"{figure.x}:O", title=figure.x_title, axis=alt.Axis(labelAngle=-45))
    else:
        values = sorted({record[figure.x] for record in records})
        x = alt.X(
            f"{figure.x}:Q", title=figure.x_title, axis=alt.Axis(values=values, labelOverlap=True),
            scale=alt.Scale(domain=[0, max(values)]),
        )  # fmt: skip
    scale, axis = alt.Scale(zero=True), alt.Axis(tickCount=5)
    if figure.is_logarithmic:
        scale, axis = alt.Scale(type="log"), alt.Axis(values=[10**i for i in range(6)], format=",")
    y = alt.Y("mean:Q", title=unit, scale=scale, axis=axis)
    color = alt.Color(
        "series:N",
        title=None,
        scale=alt.Scale(domain=list(series), range=SERIES[: len(series)]),
        legend=alt.Legend(
            orient="bottom",
            columns=1 if max(map(len, series)) > 18 else 5,
            symbolType="stroke",
            symbolOpacity=1,
            symbolStrokeWidth=3,
        ),
    )
    data = chart(records)
    spread = {"y": alt.Y("least:Q", title=unit), "y2": "most:Q"}
    if is_ordinal:
        layers = [
            data.mark_rule(strokeWidth=2).encode(x=x, color=color, **spread),
            data.mark_point(filled=True, size=60, opacity=1).encode(x, y, color),
        ]
    else:
        layers = [
            data.mark_area(opacity=0.2).encode(x=x, color=color, **spread),
            data.mark_line(strokeWidth=2, point={"size": 22}).encode(x, y, color),
        ]
    said = [
        {figure.x: at, "mean": number, "label": f"paper: {words}"}
        for panel, at, number, words in points(figure.name)
        if panel == title
    ]
    if said:
        paper = chart(said)
        layers.append(
            paper.mark_point(shape="diamond", size=90, color=INK, strokeWidth=2, opacity=1).encode(x, y)
        )
        text = paper.mark_text(
            align="right" if is_ordinal else "left",
            dx=-9 if is_ordinal else 9,
            dy=0 if is_ordinal else -4,
            color=INK,
            fontSize=11,
        )
        layers.append(text.encode(x, y, text="label:N"))
    return specified(alt.layer(*layers), WIDTH, HEIGHT, f"{title}: {unit}")
