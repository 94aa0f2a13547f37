"""The whole reproduction: from two files to a folder with a page, figures and data."""

from __future__ import annotations

import dataclasses
import json
import re
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import closing
from functools import partial
from importlib.metadata import version
from importlib.util import find_spec
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING

import duckdb

from sqlanon.core.errors import InputError
from sqlanon.core.outputs import replacing
from sqlanon.core.release import Progress
from sqlanon.core.statements import Rows
from sqlanon.experiments.ganta2008 import work
from sqlanon.experiments.ganta2008.data import DATA_SETS, FORMS, load, recognize
from sqlanon.experiments.ganta2008.plan import Settings, Unit, units
from sqlanon.experiments.ganta2008.runs import Result
from sqlanon.pages.vega import png, require_extra, svg

if TYPE_CHECKING:
    from sqlanon.experiments.ganta2008.results import Figure, Results


def check(settings: Settings) -> None:
    """Look at the files, and whether what draws is installed. Errors: InputError."""
    require_extra()
    if settings.epsilons and find_spec("opendp") is None:
        raise InputError("section 4 of the paper needs OpenDP: pip install 'sqlanon[dp]'")
    people = dict(settings.people)
    for name, path in settings.inputs.items():
        data = DATA_SETS[name]
        if recognize(path) is not data:
            raise InputError(f"{path} is {recognize(path).title}: --{name} takes {FORMS[name]}")
        with duckdb.connect() as con:
            count = load(con, data, path)
        if count != people[name]:
            raise InputError(
                f"{path} has {count:,} people of whom everything is known, where {data.title} has "
                f"{people[name]:,}: "
                "it is cut off, or another version of the data"
            )
        if count <= settings.common:
            raise InputError(f"the subsets share {settings.common:,} people: {count:,} are too few")


class Sections:
    """The numbers as Markdown: a section is handed to `tell` as soon as everything that it is about is
    measured, after the sections before it. measured: all results so far."""

    def __init__(self, settings: Settings, heading: str, tell: Callable[[str], None]) -> None:
        from sqlanon.experiments.ganta2008 import page, paper
        from sqlanon.experiments.ganta2008.results import BEYOND, FIGURES, SECTION_4_FIGURES

        def table(name: str, results: Results) -> str:
            return page.attributes(name, paper.attributes(results, name))

        def means(figure: Figure, results: Results) -> str:
            rows = results.figure(figure)
            return page.means(figure, rows) if rows else ""

        def compared(results: Results) -> str:
            return page.compared(settings, paper.comparison(results, settings))

        self.tell, self.sections = tell, [heading]
        self.measured: list[Result] = []
        self.left = Counter(unit.requirement for unit in units(settings))
        self.waiting: list[tuple[Iterable[str], Callable[[Results], str]]] = [
            *((("none",), partial(table, name)) for name in sorted(settings.inputs)),
            *((each.needs, partial(means, each)) for each in [*FIGURES, *BEYOND, *SECTION_4_FIGURES]),
            (list(self.left), compared),
        ]
        tell(heading)

    def add(self, unit: Unit, measured: list[Result]) -> None:
        """Print the sections whose results are complete once this unit is measured."""
        from sqlanon.experiments.ganta2008.results import Results

        self.measured += measured
        self.left[unit.requirement] -= 1
        ready = list(takewhile(lambda section: not any(self.left[each] for each in section[0]), self.waiting))
        if not ready:
            return
        self.waiting = self.waiting[len(ready) :]
        with closing(Results(self.measured)) as results:
            for _, write in ready:
                if section := write(results):
                    self.sections.append(section)
                    self.tell(f"\n{section}")

    @property
    def text(self) -> str:
        return "\n\n".join(self.sections) + "\n"


def reproduce(
    settings: Settings,
    output: Path,
    *,
    force: bool,
    workers: int,
    progress: Progress,
    tell: Callable[[str], None] = lambda section: None,
) -> tuple[str, int]:
    """Fill the folder `output`; its numbers as Markdown, and how many units of work were run.

    tell: called with each section of the text as soon as it is known. A folder in which the same reproduction
    has stopped is filled from there on. Errors: InputError.
    """
    from sqlanon.experiments.ganta2008 import page

    check(settings)
    folder = work.Folder.opened(output, settings, force)
    if settings.epsilons:
        settings = dataclasses.replace(settings, draws=folder.path / "draws")
        (folder.path / "draws").mkdir(exist_ok=True)
    sections = Sections(settings, page.heading(settings, folder.origin["inputs"]), tell)
    run = work.carry_out(
        settings, folder, workers, sections.add, lambda done, message: progress(0.9 * done, message)
    )
    _write(settings, folder, sections.measured, progress)
    folder.finish()
    progress(1, "done")
    return sections.text, run


def _write(settings: Settings, folder: work.Folder, measured: list[Result], progress: Progress) -> None:
    from sqlanon.experiments.ganta2008 import charts, page, paper
    from sqlanon.experiments.ganta2008.results import BEYOND, FIGURES, SECTION_4_FIGURES, Results, write

    data, pictures = folder.path / "data", folder.path / "figures"
    for place in (data, pictures):
        place.mkdir(exist_ok=True)
    results = Results(measured)
    try:
        tables: dict[str, Rows] = {name: paper.attributes(results, name) for name in sorted(settings.inputs)}
        comparison = paper.comparison(results, settings)
        write(results.everything(), data, "results")
        write(comparison, data, "comparison")
        for name, rows in tables.items():
            write(rows, data, f"attributes_{name}")
        numbers: dict[str, Rows] = {}
        specs = {}
        figures = [*FIGURES, *BEYOND]
        if settings.epsilons:
            figures += SECTION_4_FIGURES
            write(results.everything(is_section_4=True), data, "section_4")
        for number, figure in enumerate(figures):
            progress(0.9 + 0.1 * number / len(figures), figure.title)
            numbers[figure.name] = results.figure(figure)
            write(numbers[figure.name], data, figure.name)
            specs[figure.name] = charts.panels(figure, numbers[figure.name])
            for title, spec in specs[figure.name].items():
                name = re.sub(r"\W+", "_", f"{figure.name} {title}").lower()
                (pictures / f"{name}.svg").write_text(svg(spec), "utf-8")
                (pictures / f"{name}.png").write_bytes(png(spec))
    finally:
        results.close()
    inputs = folder.origin["inputs"]
    of_section_4 = {figure.name for figure in SECTION_4_FIGURES}
    charts_of_section_3 = {name: panels for name, panels in specs.items() if name not in of_section_4}
    pages = {"index.html": page.page(settings, inputs, comparison, tables, charts_of_section_3)}
    if settings.epsilons:
        pages["section_4.html"] = page.section_4(settings, inputs, specs)
    for name, html in pages.items():
        (folder.path / name).write_text(html, "utf-8")
    manifest = {
        **folder.origin,
        "versions": {
            name: version(name) for name in ("duckdb", "pyarrow", "altair", "vl-convert-python", "numpy")
        },
        "files": {
            str(path.relative_to(folder.path)): work.sha256(path)
            for path in sorted(
                [
                    *data.iterdir(),
                    *pictures.iterdir(),
                    *(settings.draws.iterdir() if settings.draws else ()),
                    *(folder.path / name for name in pages),
                ]
            )
        },
    }
    with replacing(folder.path / "manifest.json", True) as temporary:
        temporary.write_text(json.dumps(manifest, indent=2) + "\n", "utf-8")
