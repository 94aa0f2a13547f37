"""How long something will take, shown beside its progress."""

from __future__ import annotations

from rich.progress import ProgressColumn, Task
from rich.text import Text

FIRST = 5.0  # seconds after which an estimate is shown
LEAST = 0.05  # share that is done then


def expected(elapsed: float | None, done: float) -> float | None:
    """How many seconds it takes in all, if the rest goes as what was done so far; None: too early to say."""
    if elapsed is None or elapsed < FIRST or done < LEAST:
        return None
    return elapsed / done


def in_words(left: float) -> str:
    """about 3 min left"""
    if left >= 60:
        return f"about {left / 60:.0f} min left"
    return f"about {left:.0f} s left" if left >= 1 else "nearly done"


class TimeLeft(ProgressColumn):
    """What is left of the seconds in the task's field `expected`."""

    def render(self, task: Task) -> Text:
        seconds: float | None = task.fields.get("expected")
        if seconds is None or task.elapsed is None or task.finished:
            return Text()
        return Text(in_words(max(0.0, seconds - task.elapsed)))
