"""Charts of pages: what all specifications for Vega-Lite have in common, and how they become SVG in a page.

Colors in a specification are those of the light page; in the page's SVG each stands for a variable of the
style sheet, which is another color in the dark. Needs the extra `report`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from importlib.util import find_spec
from typing import Any
from xml.etree import ElementTree

from sqlanon.core.errors import InputError

Spec = dict[str, Any]

INK, MUTED, LINE = "#1d2330", "#5b6475", "#e3e6ec"
VARIABLES = {INK: "var(--ink)", MUTED: "var(--muted)", LINE: "var(--line)"}
# Those of the marks, in the pages that are made of components.html.
ACCENT, SECOND, QUIET = "#b4441f", "#3a6ea5", "#8a93a3"
COLORS = {ACCENT: "var(--accent)", SECOND: "var(--second)", QUIET: "var(--muted)"}

SVG = "{http://www.w3.org/2000/svg}"


def require_extra() -> None:
    """InputError unless everything is installed that makes pages."""
    missing = [name for name in ("altair", "jinja2", "pyarrow", "vl_convert") if find_spec(name) is None]
    if missing:
        raise InputError(f"pages need {' and '.join(missing)}: pip install 'sqlanon[report]'")


def chart(rows: Iterable[Mapping[str, Any]]) -> Any:
    """An altair chart of rows."""
    import altair as alt

    return alt.Chart(alt.Data(values=list(rows)))  # type: ignore[no-untyped-call]


def specified(drawn: Any, width: int, height: int, alt_text: str) -> Spec:
    """An altair chart as a specification, in the style of all pages.

    alt_text: what it shows, for those who do not see it.
    """
    quiet = {
        "labelColor": MUTED, "titleColor": MUTED, "titleFontWeight": "normal", "gridColor": LINE,
        "domainColor": LINE,
        "tickColor": LINE, "labelFontSize": 12, "titleFontSize": 12,
    }  # fmt: skip
    spec: Spec = drawn.properties(width=width, height=height).to_dict()
    spec["description"] = alt_text
    spec["background"] = "white"
    spec["config"] = {
        "font": "system-ui, sans-serif",
        "view": {"stroke": None},
        "axis": quiet,
        "axisX": {"grid": False},
        "legend": {"labelColor": INK, "labelFontSize": 12, "labelLimit": 260},
    }
    return spec


def svg(spec: Mapping[str, Any]) -> str:
    """A chart as a picture of its own."""
    import vl_convert

    return str(vl_convert.vegalite_to_svg(dict(spec)))


def png(spec: Mapping[str, Any]) -> bytes:
    """A chart as a picture in pixels."""
    import vl_convert

    return bytes(vl_convert.vegalite_to_png(dict(spec), scale=2))


def embedded(spec: Mapping[str, Any], name: str, variables: Mapping[str, str]) -> str:
    """A chart as SVG for a page: as wide as there is room, light or dark, every mark with its description.

    variables: what stands for the colors that are not those of all pages.
    """
    ElementTree.register_namespace("", SVG[1:-1])
    ElementTree.register_namespace("xlink", "http://www.w3.org/1999/xlink")
    root = ElementTree.fromstring(svg({**spec, "background": "transparent"}))
    for size in ("width", "height"):
        root.attrib.pop(size)
    root.set("role", "img")
    root.set("aria-label", spec.get("description", name))
    colors = {**VARIABLES, **variables}
    key = re.sub(r"\W+", "-", name)
    for element in root.iter():
        for attribute in ("fill", "stroke"):
            if element.get(attribute) in colors:
                element.set(attribute, colors[element.attrib[attribute]])
        if element.get("aria-roledescription") == "group mark container":
            element.attrib.pop("aria-roledescription")
        label = element.get("aria-label")
        if label and element is not root and element.get("aria-hidden") is None:
            title = ElementTree.Element(f"{SVG}title")
            title.text = label
            element.insert(0, title)
        for attribute, before in (("id", ""), ("clip-path", "url(#")):  # of several charts in a page
            if (own := element.get(attribute)) is not None:
                element.set(attribute, own.replace(before, f"{before}{key}-", 1))
    return ElementTree.tostring(root, "unicode")
