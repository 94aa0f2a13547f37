"""The page of a table of counts: every cell is drawn as what it is, as text and in a browser."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from sqlanon.pages.decision_page.words import Words
from sqlanon.pages.table_page import Shown, _in_words
from sqlanon.pages.table_page.grid import Cell, Labels, grids, paths_of
from sqlanon.policies.schema import LANGUAGES
from tests.browser import browser, needs_browser, opened
from tests.cells.regions import solver
from tests.cli.test_cli import ok, refused

HOSTILE = "<img src=x onerror=alert(1)>"
PUBLISHED = f"""ward,illness,n
A,flu,*
A,gout,5
A,total,7
{HOSTILE},flu,*
{HOSTILE},gout,*
{HOSTILE},total,9
total,flu,6
total,gout,10
total,total,16
"""
POLICY = """
[table]
dimensions = ["ward", "illness"]
threshold = 3
method = "suppress"
[judge]
language = "fr"
"""
COUNTS = {"A": (2, 4, 3), "B": (4, 3, 3), "C": (5, 3, 4)}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page of a published table, and one of a policy's table."""
    made = tmp_path_factory.mktemp("table")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(made)
        Path("published.csv").write_text(PUBLISHED)
        ok(
            "table", "bounds", "published.csv", "--dimensions", "ward,illness", "--value", "n",
            "--page", "published.html", "--language", "de",
        )  # fmt: skip
        rows = [
            f"{ward},{illness}\n"
            for ward, counts in COUNTS.items()
            for illness, n in zip(("flu", "gout", "rash"), counts, strict=True)
            for _ in range(n)
        ]
        Path("rows.csv").write_text("ward,illness\n" + "".join(rows))
        Path("table.toml").write_text(POLICY)
        ok("report", "rows.csv", "--policy", "table.toml", "-o", "policy.html")
        several = ("report", "rows.csv", "more.csv", "--policy", "table.toml", "-o", "x.html")
        assert "table.toml makes one table ([table]), of one file of rows" in refused(2, *several)
    return made


def states(html: str) -> list[str]:
    """What the cells of the table are, row by row."""
    return re.findall(r'<td class="n cell (\w+)"', html)


@pytest.mark.slow("4 s")
@solver
def test_cells_that_are_known(folder: Path) -> None:
    """One follows from its row, and by it the next, and so on: all are known."""
    html = (folder / "published.html").read_text()
    assert states(html).count("known") == 3
    assert states(html).count("shown") == 6
    assert "3 geschützte Zellen lassen sich zu genau errechnen" in html
    assert '<html lang="de">' in html
    assert "A, total is 7, of which 5 are shown: 2 left for it alone" in html
    assert HOSTILE not in html
    assert HOSTILE.replace("<", "&lt;").replace(">", "&gt;") in html


@pytest.mark.slow("25 s")
@solver
def test_the_table_of_a_policy(folder: Path) -> None:
    html = (folder / "policy.html").read_text()
    assert states(html).count("protected") == 4
    assert "Aucune cellule protégée ne peut être calculée de trop près</h2>" in html
    assert "compte des lignes selon ward et illness" in html
    assert "breaks minimum" in html
    assert "true value: 2" in html
    choices = dict(re.findall(r'<th>([^<]+)</th>\s*<td class="n">([^<]+)</td>', html))
    assert choices["the policy (suppress)"] == "25 %"
    assert choices["nothing hidden"] == "0 %"
    known = re.findall(r'<th>nothing hidden</th>\s*<td class="n">0 %</td><td class="n">([^<]+)</td>', html)
    assert known == ["100 %"]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("states", "is_of_policy", "tone", "key"),
    [
        ({"shown": 9}, False, "", "report_none"),
        ({"shown": 9}, True, "good", "found_cell_bounds_unsafe_shown_none"),
        ({"shown": 8, "protected": 1}, True, "good", "found_cell_bounds_known_none"),
        ({"protected": 8, "unfinished": 1}, True, "unknown", "found_cell_bounds_unfinished_one"),
        ({"unfinished": 8, "unsafe": 1}, True, "bad", "found_cell_bounds_unsafe_shown_one"),
        ({"unfinished": 8, "unsafe": 1, "known": 1}, False, "bad", "found_cell_bounds_known_one"),
    ],
)  # fmt: skip
def test_the_worst_is_the_headline(
    language: str, states: dict[str, int], is_of_policy: bool, tone: str, key: str
) -> None:
    about = {
        "cells": 9, "hidden": 1, "breaking": 1, "people": 1234, "counted": "people", "dimensions": ["ward"]
    }  # fmt: skip
    shown = Shown(["ward"], "", "", None, "total", "", about=about if is_of_policy else None)
    words = Words(language)
    told = _in_words(states, shown, words)
    assert (told["tone"], told["headline"]) == (tone, words(key))
    assert bool(told["remedies"]) == ("unfinished" in states)
    assert words("cells_no_rules") in told["unseen"] or is_of_policy
    assert (words.number(1234) in told["found"][0]) == is_of_policy


def test_what_is_below_a_label_follows_it() -> None:
    entries = [
        ("Place", "n1", 0, "n1"), ("Place", "n1", 1, "north"), ("Place", "n1", 2, "*"),
        ("Place", "a2", 0, "a2"), ("Place", "a2", 1, "south"), ("Place", "a2", 2, "*"),
    ]  # fmt: skip
    labels = Labels("total", paths_of(entries)["place"])
    assert labels.ordered(["total", "south", "n1", "north", "a2"]) == [
        ("north", 0), ("n1", 1), ("south", 0), ("a2", 1), ("total", 0),
    ]  # fmt: skip
    assert [label for label, _ in Labels("total").ordered(["10", None, "9", "total"])] == [
        None, "9", "10", "total",
    ]  # fmt: skip


def test_a_grid_for_each_label_of_a_third_dimension() -> None:
    """That of the total comes first. Of many those with cells that are known do, and all are counted."""
    every = [*map(str, range(40)), "total"]
    cells: dict[tuple[str | None, ...], Cell] = {
        (a, b, c): Cell("1", "known" if c == "7" else "shown", "", [])
        for a in ("x", "total") for b in ("y", "total") for c in every
    }  # fmt: skip
    names = ["a", "b", "c"]
    few = {key: cell for key, cell in cells.items() if key[2] in ("1", "2", "total")}
    made, more = grids(names, few, {name: Labels("total") for name in names})
    assert [grid.about["c"] for grid in made] == ["total", "1", "2"]
    assert more == 0
    made, more = grids(names, cells, {name: Labels("total") for name in names})
    assert made[0].about == {"c": "7"}
    assert len(made) + more == len(every)


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with browser() as result:
        yield result


def overlap(one: Any, other: Any) -> bool:
    return all(
        one[at] < other[at] + other[size] and other[at] < one[at] + one[size]
        for at, size in (("x", "width"), ("y", "height"))
    )


@solver
@needs_browser
class TestBrowser:
    @pytest.mark.slow("2 s a case")
    @pytest.mark.parametrize(("width", "scheme"), [(390, "dark"), (1280, "light")])
    def test_it_draws_and_asks_for_nothing(
        self, chromium: Browser, folder: Path, width: int, scheme: Any
    ) -> None:
        for name in ("published", "policy"):
            with chromium.new_context(
                viewport={"width": width, "height": 800}, color_scheme=scheme, java_script_enabled=False
            ) as context:
                shown = context.new_page()
                watch = opened(shown, folder / f"{name}.html")
                assert watch.requests == [(folder / f"{name}.html").as_uri()]
                assert watch.complaints == []
                assert shown.evaluate("document.documentElement.scrollWidth") <= width
                assert shown.locator("img").count() == 0
                boxes = [each.bounding_box() for each in shown.locator("figure svg text").all()]
                assert len(boxes) > 10 or name == "published"
                assert not any(overlap(*pair) for pair in combinations(boxes, 2))
                cell = shown.locator("td.known, td.protected").first
                tip = cell.locator(".tip")
                assert not tip.is_visible()
                cell.focus()
                assert tip.is_visible()
                box = tip.bounding_box()
                assert box is not None
                assert box["x"] >= 0
                assert box["x"] + box["width"] <= width
                cell.blur()
                cell.hover()
                assert tip.is_visible()
                assert "is possible" in tip.inner_text()
