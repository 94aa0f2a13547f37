"""The picture of ways to protect a table: of each, cells hidden, and cells known all the same."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt

from sqlanon.pages.templates import percent
from sqlanon.pages.vega import ACCENT, QUIET, Spec, chart, specified

WIDTH, ROW = 220, 30
COLORS = {"hidden or changed": QUIET, "known": ACCENT}


def trade_off(choices: Sequence[Mapping[str, Any]]) -> Spec:
    """Every way that was measured; known and may be known count alike."""
    rows = [row for choice in choices if choice["known"] is not None for row in _bars(choice)]
    drawn = chart(rows).mark_bar().encode(
        alt.X("share:Q", title="%", scale=alt.Scale(domain=[0, 100])),
        alt.Y("method:N", title=None, sort=None, scale=alt.Scale(paddingInner=0.35),
              axis=alt.Axis(labelLimit=190, minExtent=180)),
        alt.YOffset("what:N", sort=[*COLORS]),
        alt.Color(
            "what:N", title=None, scale=alt.Scale(domain=[*COLORS], range=[*COLORS.values()]),
            legend=alt.Legend(orient="top", columns=1),
        ),
        description="description:N",
    )  # fmt: skip
    bars = "; ".join(row["description"] for row in rows)
    return specified(drawn, WIDTH, ROW * len(rows) // len(COLORS), f"Less of both is better. {bars}.")


def _bars(choice: Mapping[str, Any]) -> list[dict[str, Any]]:
    shares = (choice["hidden"], choice["known"] + choice["unfinished"])
    return [
        {
            "method": choice["method"], "what": what, "share": share,
            "description": f"{choice['method']}: {percent(share)} {what}",
        }
        for what, share in zip(COLORS, shares, strict=True)
    ]  # fmt: skip
