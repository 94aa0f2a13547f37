"""What a bar says of the time that is left."""

from __future__ import annotations

import pytest
from rich.progress import Progress

from sqlanon.core.time_left import TimeLeft, expected


@pytest.mark.parametrize(
    ("elapsed", "done", "seconds"),
    [(None, 0.5, None), (4.9, 0.5, None), (60.0, 0.04, None), (60.0, 0.25, 240.0), (60.0, 1.0, 60.0)],
)
def test_the_rest_goes_as_what_was_done(elapsed: float | None, done: float, seconds: float | None) -> None:
    assert expected(elapsed, done) == seconds


@pytest.mark.parametrize(
    ("elapsed", "seconds", "text"),
    [
        (10, None, ""),
        (10, 400, "about 6 min left"),
        (10, 42, "about 32 s left"),
        (50, 42, "nearly done"),
    ],
)
def test_it_is_told_in_words(elapsed: int, seconds: float | None, text: str) -> None:
    now = 0
    bar = Progress(TimeLeft(), get_time=lambda: now, disable=True)
    task = bar.add_task("", total=1.0, expected=seconds)
    now = elapsed
    assert str(TimeLeft().render(bar.tasks[task])) == text
