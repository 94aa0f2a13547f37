"""The page of a frontier: what it tells as text, and in a browser."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest
from playwright.sync_api import Browser

import sqlanon
from sqlanon.pages.frontier_page import FrontierPage
from tests.browser import browser, needs_browser, opened

HOSTILE = "<img src=x onerror=alert(1)>"


@pytest.fixture(scope="module")
def page() -> Iterator[FrontierPage]:
    """Of choices of which one is dominated, one does not exist, and of one the loss is not known."""
    with duckdb.connect() as con:
        sqlanon.register(con)
        con.execute(
            """create table made as from (values
            ('mondrian', 2, 'it', 30e0, 42e0, 12e0, 4e0, 0e0, 20e0, 0.5e0, 0.01e0, 2e0, 0e0, 9e0, 1e0, false,
                null, null),
            ('mondrian', 5, 'it', 20e0, 32e0, 12e0, 1e0, 0e0, 5e0, 0.2e0, 0.04e0, 4e0, 0e0, 11e0, 1e0, false,
                null, null),
            ('optimal', 5, 'it', 21e0, 33e0, 12e0, 1e0, 0e0, 5e0, 0.2e0, 0.3e0, 40e0, 1.5e0, 12e0,
                2e0, true, 'mondrian, k = 5', null),
            ('mu_argus', 5, null, null, null, null, null, null, null, null, null, null, null, null,
                null, null, null, $1),
            ('microaggregate', 5, 'it', 1e0, 13e0, 12e0, 0e0, 0e0, 5e0, 0.2e0, null, null, 0e0,
                null, 1e0, null, null, 'no gcp'))
            as t(method, k, sensitive, guess_gain, guess_right, guess_baseline, sure_90, sure_90_baseline,
                 forecast, reidentification, gcp, query_error, suppressed, prediction_error, seconds,
                 dominated, dominated_by, reason), (select null::double as model_loss)""",
            [f"refused: {HOSTILE}"],
        ).fetchall()
        limits = {"optimal": {"suppression_limit": 0.02}}
        made = sqlanon.Frontier("made", "guess_gain", "gcp", limits, con)
        yield made.page(HOSTILE, "sqlanon anonymize people.csv --policy policy.toml")


def texts(page: str) -> str:
    return " ".join(re.sub(r"<[^>]*>", " ", page).split())


@pytest.mark.slow("1 s")
def test_it_names_what_nothing_dominates_and_nothing_else(page: FrontierPage) -> None:
    assert "Nothing dominates mondrian, k = 5 and mondrian, k = 2 : between these" in texts(page.html)
    _, _, choices = page.html.partition('<section id="choices">')
    told = texts(choices)
    assert told.count("nothing dominates it") == 2
    assert told.count("dominated by mondrian, k = 5") == 1
    assert "microaggregate, k = 5 not known; no gcp" in told
    assert "no release mu_argus, k = 5: refused" in told
    assert "Of 2 of them it is not known" in told


def test_the_chart_says_in_words_what_it_shows(page: FrontierPage) -> None:
    [spec] = page.charts.values()
    assert "Nothing dominates mondrian, k = 5 (20, 0.04); mondrian, k = 2 (30, 0.01)" in spec["description"]
    assert "1 of 5 choices are dominated; of 2 it is not known." in spec["description"]
    drawn = json.dumps(spec)
    assert "microaggregate" not in drawn.replace(spec["description"], "")
    assert f'aria-label="{html.escape(spec["description"])}"' in page.html


def test_it_says_how_to_make_them(page: FrontierPage) -> None:
    command = (
        "sqlanon anonymize people.csv --policy policy.toml --method mondrian --k 5 -o mondrian_5.parquet"
    )
    assert command in page.html
    assert "--method optimal" not in page.html  # which is dominated


def test_it_is_written_once(page: FrontierPage, tmp_path: Path) -> None:
    page.write(tmp_path / "frontier.html")
    with pytest.raises(sqlanon.InputError, match="exists"):
        page.write(tmp_path / "frontier.html")
    assert (tmp_path / "frontier.html").stat().st_mode & 0o077 == 0


@pytest.mark.slow("1 s")
def test_in_a_notebook_nothing_is_run(page: FrontierPage) -> None:
    shown = page.data._repr_html_()
    assert shown.startswith("<svg")
    assert HOSTILE not in shown


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with browser() as result:
        yield result


@pytest.mark.slow("1 s a case")
@needs_browser
@pytest.mark.parametrize(("width", "scheme"), [(390, "dark"), (1200, "light")])
def test_it_draws_and_asks_for_nothing(
    chromium: Browser, page: FrontierPage, tmp_path: Path, width: int, scheme: Any
) -> None:
    """On a phone and on a screen; a reason is not run; and it prints."""
    page.write(tmp_path / "frontier.html")
    tab = chromium.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
    watch = opened(tab, tmp_path / "frontier.html")
    assert watch.requests == [(tmp_path / "frontier.html").as_uri()]
    assert watch.complaints == []
    assert tab.locator("figure svg").count() == 1
    assert tab.evaluate("document.documentElement.scrollWidth") <= width
    assert tab.pdf().startswith(b"%PDF")
    tab.close()
