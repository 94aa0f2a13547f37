"""HiGHS, which solves linear and integer programs."""

from __future__ import annotations

from typing import Any

from sqlanon.core.interrupts import stoppable


def new_solver(**options: Any) -> Any:
    """A solver that prints nothing and works in one thread. Not by the option `threads`: HiGHS refuses that
    once anything else in the process has had it use another number of threads."""
    import highspy

    highs = highspy.Highs.__mro__[1]()  # the class itself prints a banner
    for option, value in {"output_flag": False, "parallel": "off", **options}.items():
        highs.setOptionValue(option, value)
    return highs


def solve(solver: Any, seconds: float) -> None:
    """Have a solver work for so many seconds at most, or until a signal ends that (errors:
    KeyboardInterrupt)."""
    solver.setOptionValue("time_limit", solver.getRunTime() + seconds)
    stoppable(solver.run, lambda: solver.setOptionValue("time_limit", 0.0))
