"""How much is tried: `make test` tries a little of everything, `make test-all` tries all of it.

`make test` leaves out what is marked `exhaustive`. Of a test with several parameters it runs every value of
each, not every combination. Of the tests that take long it runs what is promised, and an example by hand and
a property of each module.
"""

from __future__ import annotations

import os
import re
from collections import Counter, defaultdict
from collections.abc import Generator, Hashable, Sequence
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

# The tests of which a case computes for more than LONG seconds, and how many, as `make slow` has measured.
LONG = 0.3
LIST_OF_SLOW = Path(__file__).with_name("slow.txt")
SLOW = {
    test: float(seconds) for seconds, test in map(str.split, LIST_OF_SLOW.read_text("utf-8").splitlines())
}
SHORT_ENOUGH = 2.0  # seconds of one that stands for others

# Parameters of tests of which every value is needed.
EACH = {"algorithm", "builder", "macro", "measure", "method"}

_all = False


def try_all() -> None:
    """Many examples from here on: the tests that are marked `exhaustive` run, too."""
    global _all  # noqa: PLW0603 - before any test is imported
    _all = True


def examples(number: int, quick: int | None = None) -> settings:
    """How many examples Hypothesis tries: so many where all is tried, else `quick`, or a few; and on the
    long-term line a third of that. Where not all is tried they are the same in each run, so that no change is
    refused for what it has not touched.
    """
    tried = number if _all else quick or min(3, number // 5)
    return settings(deadline=None, max_examples=max(2, tried // (3 if ON_LTS else 1)), derandomize=not _all)


def some(values: Sequence[T], step: int) -> Sequence[T]:
    """Every value where all is tried, else every `step`-th."""
    return values[:: 1 if _all else step]


def mark_slow(items: Sequence[pytest.Item]) -> None:
    """Mark as `exhaustive` what takes long and shows little that other tests do not: what is in SLOW, and on
    the long-term line, where planning takes several times as long, everything.

    Of these each module keeps a test and a random one: the first that is SHORT_ENOUGH, or the shortest. What
    has a parameter in EACH, what is promised, and what is marked `both_lines` stays. What is marked
    `current_line` does not run on the long-term line at all.
    """
    groups: defaultdict[tuple[str, bool], dict[str, list[pytest.Item]]] = defaultdict(
        lambda: defaultdict(list)
    )
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
        groups[test.partition("::")[0], is_random][name].append(item)
    kept: set[str] = set()
    for group in groups.values():
        short = [name for name in group if SLOW.get(name, 0) <= SHORT_ENOUGH]
        kept.add(short[0] if short else min(group, key=lambda name: SLOW[name]))
    for group in groups.values():
        for name, tests in group.items():
            for item in tests if name not in kept else ():
                item.add_marker("exhaustive")


class Measured:
    """A plugin that writes SLOW anew, as far as tests have run, once all of these have passed."""

    def __init__(self) -> None:
        self.longest: dict[str, float] = {}  # seconds of the longest case

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "call":
            test = report.nodeid.partition("[")[0].removeprefix("tests/")
            computing = dict(report.user_properties)[COMPUTING]
            if isinstance(computing, float):
                self.longest[test] = max(self.longest.get(test, 0), computing)

    def pytest_sessionfinish(self, exitstatus: int) -> None:
        if exitstatus == pytest.ExitCode.OK:
            known = {test: seconds for test, seconds in SLOW.items() if test not in self.longest}
            known |= {test: seconds for test, seconds in self.longest.items() if seconds > LONG}
            text = "".join(f"{seconds:.1f} {test}\n" for test, seconds in sorted(known.items()))
            LIST_OF_SLOW.write_text(text, "utf-8")


COMPUTING = "computing"  # seconds


class Stopwatch:
    """A plugin that tells how long each test computes, whatever else the machine does."""

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Generator[None, object, object]:
        begun = sum(os.times()[:4])  # of this process and those that it has waited for
        try:
            return (yield)
        finally:
            item.user_properties.append((COMPUTING, sum(os.times()[:4]) - begun))


def mark_cases(items: Sequence[pytest.Item]) -> None:
    """Mark as `exhaustive` the cases that show nothing which another case of the same test does not."""
    seen: set[Hashable] = set()
    number: Counter[str] = Counter()  # of cases of a test
    chosen_cases: dict[str, tuple[int, ...]] = {}
    for item in items:
        case = getattr(item, "callspec", None)
        # a test whose cases are in a file that is not there has one case, which is skipped
        if case is None or item.get_closest_marker("exhaustive") or item.get_closest_marker("skip"):
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
