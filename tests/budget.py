"""How much is tried: `make test` tries a little of everything, `make test-all` tries all of it.

`make test` leaves out what is marked `exhaustive`. Of a test with several parameters it runs every value of
each, not every combination. Of the tests that take long it runs what is promised, and an example by hand and
a property of each class.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Sequence
from pathlib import Path
from typing import TypeVar

import duckdb
import pytest
from hypothesis import settings

T = TypeVar("T")

ON_LTS = duckdb.__version__.startswith("1.")

# The tests that docs/promises.md names, not those of the classes that it names.
PROMISED = set(
    re.findall(
        r"`((?:\w+/)*test_\w+\.py::[\w:]+)`",
        (Path(__file__).parents[1] / "docs" / "promises.md").read_text("utf-8"),
    )
)

# The tests of which a case takes more than LONG seconds, as `make slow` has measured.
LONG = 0.3
LIST_OF_SLOW = Path(__file__).with_name("slow.txt")
SLOW = set(LIST_OF_SLOW.read_text("utf-8").split())

# Parameters of tests of which every value is needed.
EACH = {"algorithm", "builder", "macro", "measure", "method"}

_all = False


def try_all() -> None:
    """Many examples from here on: the tests that are marked `exhaustive` run, too."""
    global _all  # noqa: PLW0603 - before any test is imported
    _all = True


def examples(number: int, quick: int | None = None) -> settings:
    """How many examples Hypothesis tries: so many where all is tried, else `quick`, or a few; and on the
    long-term line a third of that.
    """
    tried = number if _all else quick or min(3, number // 5)
    return settings(deadline=None, max_examples=max(2, tried // (3 if ON_LTS else 1)))


def some(values: Sequence[T], step: int) -> Sequence[T]:
    """Every value where all is tried, else every `step`-th."""
    return values[:: 1 if _all else step]


def mark_slow(items: Sequence[pytest.Item]) -> None:
    """Mark as `exhaustive` what takes long and shows little that other tests do not: what is in SLOW, and on
    the long-term line, where planning takes several times as long, everything.

    Of these each class, and the functions of each module, keep the first test and the first random one. So
    does what has a parameter in EACH, what is promised, and what is marked `both_lines`. What is marked
    `current_line` does not run on the long-term line at all.
    """
    chosen: dict[Hashable, str] = {}  # the first tests
    for item in items:
        test, _, _ = item.nodeid.partition("[")
        name = test.removeprefix("tests/")
        if ON_LTS and item.get_closest_marker("current_line"):
            item.add_marker("exhaustive")
            continue
        if item.get_closest_marker("exhaustive") or item.get_closest_marker("both_lines"):
            continue
        case = getattr(item, "callspec", None)
        if not (ON_LTS or name in SLOW) or name in PROMISED or (case and EACH & case.params.keys()):
            continue
        is_random = hasattr(getattr(item, "obj", None), "hypothesis")
        group = (test.rpartition("::")[0], is_random)
        if chosen.setdefault(group, test) != test:
            item.add_marker("exhaustive")


class Measured:
    """A plugin that writes SLOW anew, as far as tests have run, once all of these have passed."""

    def __init__(self) -> None:
        self.longest: dict[str, float] = {}  # seconds of the longest case

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "call":
            test = report.nodeid.partition("[")[0].removeprefix("tests/")
            self.longest[test] = max(self.longest.get(test, 0), report.duration)

    def pytest_sessionfinish(self, exitstatus: int) -> None:
        if exitstatus == pytest.ExitCode.OK:
            slow = {test for test, seconds in self.longest.items() if seconds > LONG}
            text = "".join(f"{test}\n" for test in sorted(SLOW - self.longest.keys() | slow))
            LIST_OF_SLOW.write_text(text, "utf-8")


def mark_cases(items: Sequence[pytest.Item]) -> None:
    """Mark as `exhaustive` the cases that show nothing which another case of the same test does not."""
    seen: set[Hashable] = set()
    number: Counter[str] = Counter()  # of cases of a test
    chosen_cases: dict[str, tuple[int, ...]] = {}
    for item in items:
        case = getattr(item, "callspec", None)
        if case is None or item.get_closest_marker("exhaustive"):
            continue
        test = item.nodeid.partition("[")[0]
        number[test] += 1
        if (chosen := item.get_closest_marker("cases")) is not None:
            chosen_cases[test] = chosen.args
            if number[test] - 1 not in chosen.args:
                item.add_marker("exhaustive")
                continue
        shown: set[Hashable] = {test}
        if ON_LTS:
            shown |= {(test, name, str(case.params[name])) for name in EACH & case.params.keys()}
        else:
            for parameters in item.iter_markers("parametrize"):
                names = parameters.args[0]
                names = names.replace(",", " ").split() if isinstance(names, str) else names
                shown.add((test, *((name, id(case.params[name])) for name in names)))
        if shown <= seen:
            item.add_marker("exhaustive")
        seen |= shown
    for test, numbers in chosen_cases.items():
        if max(numbers) >= number[test]:
            raise pytest.UsageError(f"{test} has {number[test]} cases, none with the number {max(numbers)}")
