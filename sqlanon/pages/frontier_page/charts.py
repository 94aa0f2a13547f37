"""The picture of a frontier: risk to the right, loss upwards, and a line through what nothing dominates."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import altair as alt

from sqlanon.pages.frontier_page.choices import RISKS, Choices, Sorted, name_of, title_of
from sqlanon.pages.templates import number
from sqlanon.pages.vega import ACCENT, INK, MUTED, QUIET, Spec, chart, specified

WIDTH, HEIGHT = 340, 300
SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down", "stroke", "wedge")
# What a guess without the release reaches, for the risks that have such a baseline.
BASELINES: dict[str, Callable[[Mapping[str, Any]], float]] = {
    "guess_gain": lambda row: 0.0,
    "sure_90": lambda row: row["sure_90_baseline"],
}


def trade_off(frontier: Choices, choices: Sorted) -> Spec:
    """Every choice that was measured; a line joins those that nothing dominates."""
    rows = [_mark(frontier, row) for row in (*choices.dominated, *choices.front)]
    front = [_mark(frontier, row) for row in choices.front]
    methods = list(dict.fromkeys(row["method"] for row in frontier.rows if row["dominated"] is not None))
    most = max(row["loss"] for row in rows)
    least = min(0, *(row["loss"] for row in rows))  # a model may learn more from a release
    x = alt.X("risk:Q", title=RISKS[frontier.risk], scale=alt.Scale(zero=False, nice=True, padding=16))
    y = alt.Y(
        "loss:Q", title=title_of(frontier.loss), scale=alt.Scale(domain=[least, 1.1 * max(most, 0) or 1])
    )
    shape = alt.Shape(
        "method:N", title=None,
        scale=alt.Scale(domain=methods, range=list(SHAPES[: len(methods)])),
        legend=alt.Legend(orient="top", columns=3, symbolFillColor=MUTED, symbolStrokeColor=MUTED),
    )  # fmt: skip
    color = alt.Color("is_front:N", scale=alt.Scale(domain=[True, False], range=[ACCENT, QUIET]), legend=None)
    line = chart(front).mark_line(color=ACCENT, strokeWidth=2, interpolate="step-after").encode(
        x, y, order="risk:Q"
    )  # fmt: skip
    points = chart(rows).mark_point(filled=True, size=70, opacity=1).encode(
        x, y, shape, color, description="description:N"
    )  # fmt: skip
    # to the lower left of what nothing dominates there is nothing; every other label is above, for neighbours
    below = {"dx": -7, "dy": 7, "align": "right", "baseline": "top"}
    above = {"dx": 7, "dy": -7, "align": "left", "baseline": "bottom"}
    others = [row for row in rows if not row["is_front"]]
    labels = [
        chart(some).mark_text(color=ink, fontSize=11, **where).encode(x, y, text="label:N")
        for some, ink, where in (
            (front[0::2], INK, below),
            (front[1::2], INK, above),
            (others, MUTED, above),
        )
        if some
    ]
    layers = [line, points, *labels]
    baseline = _baseline(frontier, choices)
    if baseline is not None:
        description = f"a guess without the release: {number(baseline)}"
        rule = chart([{"risk": baseline, "description": description}])
        layers.insert(
            0, rule.mark_rule(color=QUIET, strokeDash=[4, 4]).encode(x, description="description:N")
        )
    return specified(alt.LayerChart(layer=layers), WIDTH, HEIGHT, _in_words(frontier, choices))


def _mark(frontier: Choices, row: Mapping[str, Any]) -> dict[str, Any]:
    risk, loss = row[frontier.risk], row[frontier.loss]
    verdict = "nothing dominates it" if not row["dominated"] else f"dominated by {row['dominated_by']}"
    return {
        "method": row["method"],
        "label": row["method"] if row["k"] is None else str(row["k"]),
        "risk": risk,
        "loss": loss,
        "is_front": not row["dominated"],
        "description": f"{name_of(row)}: {frontier.risk} {number(risk)}, "
        f"{frontier.loss} {number(loss)}; {verdict}",
    }


def _baseline(frontier: Choices, choices: Sorted) -> float | None:
    """That of the choices, if it is one; with several sensitive columns it may not be."""
    found = {
        BASELINES[frontier.risk](row)
        for row in (*choices.front, *choices.dominated)
        if frontier.risk in BASELINES
    }
    return found.pop() if len(found) == 1 else None


def _in_words(frontier: Choices, choices: Sorted) -> str:
    """What it shows, in words."""
    text = f"To the right {RISKS[frontier.risk]}, upwards {title_of(frontier.loss)}: less of both is better. "
    text += "Nothing dominates " + "; ".join(
        f"{name_of(row)} ({number(row[frontier.risk])}, {number(row[frontier.loss])})"
        for row in choices.front
    )
    text += f". {len(choices.dominated)} of {len(frontier.rows)} choices are dominated"
    unknown = len(choices.unknown)
    return f"{text}; of {unknown} it is not known." if unknown else f"{text}."
