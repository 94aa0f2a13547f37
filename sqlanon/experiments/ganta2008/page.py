"""The page, one file without scripts that loads nothing from the network; and its tables as Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import duckdb
import jinja2
from markupsafe import Markup

from sqlanon import __version__
from sqlanon.core.statements import Rows
from sqlanon.experiments.ganta2008.charts import COLORS
from sqlanon.experiments.ganta2008.paper import rounded
from sqlanon.experiments.ganta2008.plan import Settings
from sqlanon.experiments.ganta2008.results import BEYOND, FIGURES, SECTION_4_FIGURES, Figure
from sqlanon.pages.vega import Spec, embedded

FOLDER = Path(__file__).parent

TABLES = {"adult": "Table 2: UCI Adult", "ipums": "Tables 3 and 4: IPUMS"}
TILES = {
    "Adult, k = 5: perfect breach (% of targets)":
        "of Adult’s targets: sensitive value certain, k = 5 (paper: around 12 %)",
    "IPUMS, k = 5: perfect breach (% of targets)":
        "of IPUMS’ targets: sensitive value certain, k = 5 (paper: around 60 %)",
    "Adult, k = 5: known with a confidence of 25 % (% of targets)":
        "of Adult’s targets: at most 4 possible values (paper: more than 60 %)",
    "IPUMS, k = 5: known with a confidence of 25 % (% of targets)":
        "of IPUMS’ targets: at most 4 possible values (paper: around 95 %)",
}  # fmt: skip


def page(
    settings: Settings,
    inputs: Mapping[str, Mapping[str, str]],
    comparison: Rows,
    tables: Mapping[str, Rows],
    charts: Mapping[str, Mapping[str, Spec]],
) -> str:
    """The page with all tables and figures. charts: by figure and panel; tables: by data set."""
    rows = records(comparison)
    return _rendered(
        "page.html",
        charts,
        common=f"{settings.common:,}",
        seeds=settings.seeds,
        tiles=[(f"{row['ours']} %", TILES[row["what"]]) for row in rows if row["what"] in TILES],
        comparison=rows,
        tables=[(TABLES[name], records(table)) for name, table in tables.items()],
        figures=_drawn(FIGURES, charts),
        beyond=_drawn(BEYOND, charts),
        has_section_4=bool(settings.epsilons),
        command=command(settings, inputs),
        inputs=inputs,
    )


def section_4(
    settings: Settings,
    inputs: Mapping[str, Mapping[str, str]],
    charts: Mapping[str, Mapping[str, Spec]],
) -> str:
    """The page of section 4."""
    figures = _drawn(SECTION_4_FIGURES, charts)
    return _rendered("section_4.html", charts, figures=figures, command=command(settings, inputs))


def _rendered(template: str, charts: Mapping[str, Mapping[str, Spec]], **values: Any) -> str:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(FOLDER), autoescape=True, trim_blocks=True, lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )  # fmt: skip
    environment.filters |= {"rounded": rounded, "signed": signed}
    return environment.get_template(template).render(
        style=Markup((FOLDER / "style.css").read_text("utf-8")),
        charts={
            name: {title: Markup(embedded(spec, f"{name} {title}", COLORS)) for title, spec in panels.items()}
            for name, panels in charts.items()
        },
        sqlanon_version=__version__,
        duckdb_version=duckdb.__version__,
        **values,
    )


def _drawn(figures: Iterable[Figure], charts: Mapping[str, Mapping[str, Spec]]) -> list[Figure]:
    return [figure for figure in figures if charts[figure.name]]


def records(rows: Rows) -> list[dict[str, Any]]:
    return [dict(zip(rows.columns, row, strict=True)) for row in rows]


def command(settings: Settings, inputs: Mapping[str, Mapping[str, str]]) -> str:
    """What to type to have the same."""
    files = " ".join(f"--{name} {one['file']}" for name, one in inputs.items())
    quick = " --quick" if settings.is_quick else ""
    return f"sqlanon reproduce ganta2008 {files} --seeds {settings.seeds}{quick} -o out/"


def signed(difference: float | None) -> str:
    """A difference for people."""
    if difference is None:
        return ""
    return "0" if difference == 0 else ("+" if difference > 0 else "−") + rounded(abs(difference))


def heading(settings: Settings, inputs: Mapping[str, Mapping[str, str]]) -> str:
    """What is printed as Markdown begins so."""
    sections = [
        "# Composition attacks: Ganta, Kasiviswanathan and Smith (KDD 2008), repeated",
        "Printed, and drawn in `out/index.html`, by",
        f"    {command(settings, inputs)}",
    ]
    return "\n\n".join(sections)


def attributes(name: str, table: Rows) -> str:
    """A section: Table 2, or Tables 3 and 4."""
    columns = [column.replace("_", " ") for column in table.columns]
    return f"## {TABLES[name]}\n\n{_markdown(columns, table)}"


def means(figure: Figure, rows: Rows) -> str:
    """A section: the means of a figure."""
    return f"## {figure.title}\n\n{figure.caption}\n\n{_pivoted(figure, rows)}"


def compared(settings: Settings, comparison: Rows) -> str:
    """A section: what the paper says in numbers, and what comes out here."""
    rows = [
        (row["place"], row["what"], row["paper"], _ranged(row), signed(row["difference"]), row["remark"])
        for row in records(comparison)
    ]
    over = (
        "of one seed: other seeds split the people otherwise"
        if settings.seeds == 1
        else f"means over {settings.seeds} seeds, with the least and the most of them in parentheses: other "
        "seeds split the people otherwise, and can go beyond both"
    )
    sections = [
        "## The paper's numbers, and ours",
        f"Ours are {over}. Nothing was tuned to come nearer.",
        _markdown(("where", "what", "paper", "ours", "difference", "remark"), rows),
    ]
    return "\n\n".join(sections)


def _pivoted(figure: Figure, rows: Rows) -> str:
    """The means of a figure: a row per panel and series, a column per x."""
    means = {(row["panel"], row["series"], row[figure.x]): row["mean"] for row in records(rows)}
    places = sorted({place for _, _, place in means})
    lines = [
        (panel, series, *(means.get((panel, series, place)) for place in places))
        for panel, series in dict.fromkeys((panel, series) for panel, series, _ in means)
    ]
    return _markdown(("", figure.x_title, *places), lines)


def _ranged(row: Mapping[str, Any]) -> str:
    if row["least"] is None or row["least"] == row["most"]:
        return str(row["ours"])
    return f"{row['ours']} ({rounded(row['least'])} to {rounded(row['most'])})"


def _markdown(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    lines = [columns, ["---"] * len(columns), *rows]
    return "\n".join(f"| {' | '.join(_cell(value) for value in line)} |" for line in lines)


def _cell(value: Any) -> str:
    if value is None:
        return ""
    return rounded(value) if isinstance(value, float) else str(value).replace("|", "\\|")
