"""Pages from templates: what all of them share. A page is one file that loads nothing from the network."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
import jinja2
from markupsafe import Markup, escape

from sqlanon import __version__
from sqlanon.core.remarks import text
from sqlanon.pages.vega import COLORS, embedded

FOLDER = Path(__file__).parent


def rendered(template: str, specs: Mapping[str, Mapping[str, Any]], **values: Any) -> str:
    """A page. specs: of its charts, by their names; values: what else the template reads."""
    return (
        _environment()
        .get_template(template)
        .render(
            style=Markup((FOLDER / "style.css").read_text("utf-8")),
            specs=specs,
            charts={name: Markup(embedded(spec, name, COLORS)) for name, spec in specs.items()},
            sqlanon_version=__version__,
            duckdb_version=duckdb.__version__,
            **values,
        )
    )


@functools.cache
def _environment() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(FOLDER), autoescape=True, trim_blocks=True, lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )  # fmt: skip
    filters: dict[str, Any] = {
        "number": number,
        "shown": shown,
        "percent": percent,
        "unit": unit,
        "options": options,
    }
    environment.filters |= filters
    return environment


def options(said: str) -> Markup:
    """A sentence in which no line ends within the name of an option of the command line."""
    return Markup(re.sub(r"--[a-z][a-z-]*", r'<span class="whole">\g<0></span>', str(escape(said))))


def number(value: Any) -> str:
    """A number for people: whole ones in full, others with four digits."""
    if value is None:
        return "–"
    if isinstance(value, Decimal):
        value = float(value)
    if isinstance(value, float) and (value != value or abs(value) == float("inf")):
        return "unbounded" if abs(value) == float("inf") else str(value)
    if isinstance(value, int) or (float(value).is_integer() and abs(value) < 1e15):
        return f"{int(value):,}"
    return f"{value:,.1f}" if abs(value) >= 1000 else f"{value:.4g}"


def unit(name: str | None) -> str:
    """What follows a number; a probability or share needs no word."""
    if name is None or name == "probability" or name.startswith("share"):
        return ""
    return {"%": " %", "percentage points": " points"}.get(name, f" {name}")


def percent(value: float) -> str:
    """A share in percent: neither 0 nor 100 is said of what is not."""
    for digits in (1, 3):
        text = f"{value:.{digits}f}"
        if float(text) not in (0, 100) or value in (0, 100):
            return f"{text.removesuffix('.0')} %"
    return "less than 0.001 %" if value < 50 else "more than 99.999 %"


def shown(value: Any) -> str:
    """A value of any type."""
    return (
        number(value)
        if isinstance(value, int | float | Decimal) and not isinstance(value, bool)
        else text(value)
    )
