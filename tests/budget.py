"""How much is tried: `make test` tries a little of everything, `make test-all` tries all of it.

`make test` leaves out what is marked `exhaustive`. Of a test with several parameters it runs every value of
each, not every combination. On the long-term line, where planning takes several times as long, it runs what
goes through every macro, an example by hand and a property of each class, and what differs between the lines.
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

# Parameters of tests of which the long-term line needs every value, too.
EACH = {"algorithm", "builder", "macro", "measure", "method"}

_all = False


def try_all() -> None:
    """Many examples from here on: the tests that are marked `exhaustive` run, too."""
    global _all  # noqa: PLW0603 - before any test is imported
    _all = True


def examples(number: int, quick: int | None = None) -> settings:
    """How many examples Hypothesis tries: so many where all is tried, else `quick`, or a fifth;
    on the long-term line a third of that.
    """
    tried = number if _all else quick or number // 5
    return settings(deadline=None, max_examples=max(2, tried // (3 if ON_LTS else 1)))


def some(values: Sequence[T], step: int) -> Sequence[T]:
    """Every value where all is tried, else every `step`-th."""
    return values[:: 1 if _all else step]


def mark_lines(items: Sequence[pytest.Item]) -> None:
    """Mark as `exhaustive` what the long-term line can do without.

    Of each class, and of the functions of each module, it needs the first test and the first random one. What
    is marked `both_lines` runs there; so does what has a parameter in EACH, and what is promised, unless it
    is marked `current_line`.
    """
    chosen: dict[Hashable, str] = {}  # the first tests
    for item in items:
        if item.get_closest_marker("exhaustive") or item.get_closest_marker("both_lines"):
            continue
        if item.get_closest_marker("current_line"):
            item.add_marker("exhaustive")
            continue
        test, _, _ = item.nodeid.partition("[")
        case = getattr(item, "callspec", None)
        if (case is not None and EACH & case.params.keys()) or test.removeprefix("tests/") in PROMISED:
            continue
        is_random = hasattr(getattr(item, "obj", None), "hypothesis")
        group = (test.rpartition("::")[0], is_random)
        if chosen.setdefault(group, test) != test:
            item.add_marker("exhaustive")


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
