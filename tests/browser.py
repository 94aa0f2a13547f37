"""A real browser for tests of pages: Debian's chromium, driven by Playwright, with a profile of its own."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)

# It says nothing to anybody, and needs no display, no graphics card and no namespaces.
QUIET = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
)  # fmt: skip

needs_browser = pytest.mark.skipif(
    # where CI is set the test runs, and fails on the missing browser
    CHROMIUM is None and os.environ.get("CI", "").lower() in ("", "0", "false"),
    reason="no chromium: apt-get update && apt-get install -y chromium",
)


@contextmanager
def browser() -> Iterator[Browser]:
    """A browser; Playwright gives each a new empty profile."""
    assert CHROMIUM is not None, "no chromium: apt-get update && apt-get install -y chromium"
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=CHROMIUM, headless=True, args=list(QUIET))
        try:
            yield opened
        finally:
            opened.close()


class Watch:
    """What a page asks for and complains of."""

    def __init__(self, page: Page) -> None:
        self.requests: list[str] = []
        self.complaints: list[str] = []
        page.on("request", lambda request: self.requests.append(request.url))
        page.on("console", lambda message: self.complaints.append(message.text))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("dialog", lambda dialog: self.complaints.append(dialog.message))


def opened(page: Page, file: Path) -> Watch:
    """What happens when a page is opened."""
    watch = Watch(page)
    page.goto(file.as_uri(), wait_until="networkidle")
    return watch
