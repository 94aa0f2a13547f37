"""The ledger of privacy budgets, a table of the register of releases (sql/register/ledger.sql).

A budget is declared for a source, by its name in the register, and for a unit, the column that says whose a
row is. What a query costs is entered before its noise is drawn, in a transaction of its own: a crash may
leave an entry of which nothing came, never noise without an entry.
"""

from __future__ import annotations

import math
import os
import shlex
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from numbers import Integral
from typing import Any, Literal, TypeAlias

import duckdb
from sqlglot import exp

from sqlanon import __version__
from sqlanon.core.connection import connection_first
from sqlanon.core.errors import InputError, RefusedError, UseError
from sqlanon.core.library import ensure_registered
from sqlanon.core.source import cleanly
from sqlanon.core.statements import answer, call, execute, select
from sqlanon.core.tables import transaction
from sqlanon.publishing.register import Register, listed_in, now, opened, user
from sqlanon.randomize.cost import Cost

Composition: TypeAlias = Literal["smaller", "basic"]
Entering: TypeAlias = Callable[[duckdb.DuckDBPyConnection, int], None]

BUDGETS = "sqlanon_register.budgets_now"
_SPENDING = threading.Lock()  # of two transactions at once, neither would see what the other spends
_ENTER = """
    insert into sqlanon_register.spending
    select coalesce(max(id), 0) + 1, $now, $user, $source, lower($unit), $mechanism, $query, $epsilon, $delta,
           $rho, $rho_delta, $parts, $part, null, $version
    from sqlanon_register.spending
    returning id"""
# What `_budgets_standing` tells of all budgets, as far as an entry needs it: planning takes most of its time.
_BUDGET = """
    select epsilon, delta, composition from sqlanon_register.budgets
    where source = $source and unit = lower($unit) order by id desc limit 1"""
_SPENT = """
    select sqlanon._is_affordable(epsilon, $epsilon) and sqlanon._is_affordable(delta, $delta), rho, rho_delta
    from sqlanon_register.{view} where source = $source and unit = lower($unit)"""
_BY_ZCDP = "select sqlanon._is_affordable(sqlanon._zcdp_epsilon($rho, $left), $epsilon)"


@dataclass(frozen=True)
class Part:
    """The units of which a hash gives this number, from 1 to parts: each is in one part only.

    Errors: UseError for what are no such whole numbers.
    """

    number: int
    parts: int

    def __post_init__(self) -> None:
        for given in (self.number, self.parts):
            if not isinstance(given, Integral) or isinstance(given, bool):
                raise UseError(f"part {self.number} of {self.parts}: {given!r} is not a whole number")
        if not 1 <= self.number <= self.parts:
            raise UseError(f"part {self.number} of {self.parts}: parts are numbered from 1 to their number")

    def rows(self, source: exp.Table, unit: str) -> exp.Select:
        """The rows of these units. Rows without a unit are in the part of NULL, all of them."""
        column = exp.column(unit, quoted=True)
        part = exp.Anonymous(this="_part_of_unit", expressions=[column, exp.Literal.number(self.parts)])
        number = exp.Dot(this=exp.to_identifier("sqlanon"), expression=part)
        return select(source).where(number.eq(self.number))


@dataclass(frozen=True)
class Standing:
    """How a budget stands. spent_epsilon, spent_delta: as the budget composes them. left_epsilon: what a
    further query without a delta may cost."""

    source: str
    unit: str
    epsilon: float
    delta: float
    composition: str
    entries: int
    last_spent_at: datetime | None
    spent_epsilon: float
    spent_delta: float
    left_epsilon: float
    holds: bool

    def __str__(self) -> str:
        return (
            f"{_of(self.source, self.unit)}: epsilon {self.spent_epsilon:.4g} of {self.epsilon:g} is spent, "
            f"with delta {self.spent_delta:.4g} of {self.delta:g}"
        )


@dataclass
class Ledger:
    """What is spent on one source and unit, in a register that is opened for writing.

    unit: None where each row is a person. part: a release that pays here is of the rows of these units alone
    (sqlanon/randomize/releases.py leaves out the others). entries: the numbers of what was spent by way of
    this object.
    """

    register: Register
    source: str
    unit: str | None = None
    part: Part | None = None
    entries: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        if not self.register.is_there or self.register.is_read_only:
            raise InputError(f"{self.register.path} is opened to be read only: nothing can be spent")
        if self.part is not None and self.unit is None:
            raise UseError("rows are divided into parts by their unit: without one there are no parts")
        ensure_registered(self.register.con)
        # a transaction of the caller could be rolled back, and the entry with it
        self._con = self.register.con.cursor()

    @property
    def _of(self) -> dict[str, Any]:
        return {"source": self.source, "unit": self.unit or ""}

    def standing(self) -> Standing:
        """How the budget stands. Errors: RefusedError without one."""
        own = "source = $source and unit = lower($unit)"
        standing = select(call("_budgets_standing", BUDGETS).subquery()).where(own, dialect="duckdb")
        for row in execute(self._con, standing, self._of):
            return Standing(*row)
        raise RefusedError([self._without_budget()])

    def _without_budget(self) -> str:
        others = execute(
            self._con, "select unit from sqlanon_register.budgets_now where source = $1", [self.source]
        )
        known = "".join(f" (there is one {_by(unit)})" for (unit,) in others)
        command = ["sqlanon", "budget", "set", str(self.register.path), "--source", self.source]
        command += ["--unit", self.unit] if self.unit else []
        command += ["--epsilon", "1", "--delta", "1e-6"]
        return f"no budget is declared for {_of(self.source, self.unit)}{known}: {shlex.join(command)}"

    def check(self, cost: Cost) -> None:
        """Errors: as in spend, of which nothing is entered."""
        self._enter(cost, keep=False)

    def spend(self, cost: Cost, beside: Entering | None = None) -> None:
        """Enter a cost: it is in the register, on the disk, when this returns. beside: enters something in
        the same transaction, by a connection and the number of the entry.

        Errors: RefusedError, with the numbers, if it is above the budget, or there is none; nothing is
        entered then. InputError for what is no cost.
        """
        self.entries.append(self._enter(cost, keep=True, beside=beside))

    def _enter(self, cost: Cost, *, keep: bool, beside: Entering | None = None) -> int:
        _check(cost)
        if (cost.unit or "").lower() != (self.unit or "").lower():
            raise RefusedError(
                [f"the budget is for {_of(self.source, self.unit)}, and this release is {_by(cost.unit)}"]
            )
        values = {
            **self._of, "now": now(), "user": user(), "mechanism": cost.mechanism, "query": cost.query,
            "epsilon": cost.epsilon, "delta": cost.delta, "rho": cost.rho, "rho_delta": cost.rho_delta,
            "parts": None if self.part is None else self.part.parts,
            "part": None if self.part is None else self.part.number, "version": __version__,
        }  # fmt: skip
        self.register.keep_secret()
        with _SPENDING, self._transaction():
            [(number,)] = execute(self._con, _ENTER, values)
            if not self._holds():
                execute(self._con, "rollback")
                before = self.standing()
                raise RefusedError([f"{before}; this costs {in_words(cost)}, {_left(before)}"])
            if beside is not None:
                beside(self._con, int(number))
            execute(self._con, "commit" if keep else "rollback")
        return int(number)

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """One that the block ends; after an error it has not been."""
        execute(self._con, "begin")
        try:
            yield
        except BaseException:
            cleanly(lambda: execute(self._con, "rollback"))
            raise

    def _holds(self) -> bool:
        """Is what is spent within the budget? Errors: RefusedError without one."""
        for epsilon, delta, composition in execute(self._con, _BUDGET, self._of):
            return any(
                self._is_within(epsilon, delta, composition, view) for view in ("spent_at_most", "spent")
            )
        raise RefusedError([self._without_budget()])

    def _is_within(self, epsilon: float, delta: float, composition: str, view: str) -> bool:
        """Is what a view of the register has spent within a budget?"""
        most = {"epsilon": epsilon, "delta": delta}
        [(is_basic, rho, rho_delta)] = execute(self._con, _SPENT.format(view=view), {**self._of, **most})
        if is_basic or composition == "basic" or rho_delta > delta:
            return bool(is_basic)
        of_zcdp = {"rho": rho, "left": delta - rho_delta, "epsilon": epsilon}
        return execute(self._con, _BY_ZCDP, of_zcdp) == [(True,)]

    def link(self, release: int) -> None:
        """Note which release came of what was spent. In a transaction of the caller."""
        execute(
            self.register.con,
            "update sqlanon_register.spending set release_id = $1 where list_contains($2, id)",
            [release, self.entries],
        )


def _check(cost: Cost) -> None:
    """Errors: InputError for what is no cost."""
    for name, value, most in (
        ("epsilon", cost.epsilon, math.inf),
        ("delta", cost.delta, 1),
        ("rho", cost.rho or 0, math.inf),
        ("rho_delta", cost.rho_delta or 0, 1),
    ):
        if not 0 <= value <= most:
            raise InputError(f"{name} of a cost must be a number of at least 0, a delta up to 1, not {value}")


def _of(source: str, unit: str | None) -> str:
    return f"{source} {_by(unit)}"


def _by(unit: str | None) -> str:
    return f"by {unit}" if unit else "with a row for each person"


def in_words(cost: Cost) -> str:
    """A cost, as people read it."""
    costs = {"epsilon": cost.epsilon, "delta": cost.delta, "rho": cost.rho}
    return ", ".join(f"{name} {value:.4g}" for name, value in costs.items() if value)


def _left(standing: Standing) -> str:
    return f"and what is left is epsilon {standing.left_epsilon:.4g} without a delta"


@dataclass(frozen=True)
class Declared:
    """A budget that was declared: how it stands now, and what there is to say of the change."""

    standing: Standing
    remarks: list[str]


@connection_first
def set_budget(
    con: duckdb.DuckDBPyConnection,
    register: str | os.PathLike[str],
    *,
    source: str,
    unit: str | None = None,
    epsilon: float,
    delta: float = 0,
    composition: Composition = "smaller",
    wait: float = 0,
) -> Declared:
    """Declare the budget of a source, or change it.

    register: a DuckDB file, which is made if it is not there. source: what the data is called there, every
    night. unit: the column that says whose a row is; None where each row is a person. epsilon, delta: what
    all queries may cost together. composition: how costs add up: basic, or whichever of basic and
    zero-concentrated differential privacy is smaller. If a budget is below what is spent, a remark says so,
    and nothing can be spent. Errors: UseError; otherwise as in publish.
    """
    if not source:
        raise UseError("source must have a name")
    if not (0 < epsilon < math.inf):
        raise UseError(f"epsilon of a budget must be a number above 0, not {epsilon}")
    if not 0 <= delta < 1:
        raise UseError(f"delta of a budget must be at least 0 and below 1, not {delta}")
    if composition not in ("smaller", "basic"):
        raise UseError(f"composition must be smaller or basic, not {composition}")
    ensure_registered(con)
    with opened(con, register, make=True, wait=wait) as known:
        ledger = Ledger(known, source, unit)
        of_source = execute(
            con,
            "select unit, epsilon, delta from sqlanon_register.budgets_now where source = $1",
            [source],
        )
        with transaction(con):
            execute(
                con,
                "insert into sqlanon_register.budgets select coalesce(max(id), 0) + 1, $now, $user, $source, "
                "lower($unit), $epsilon, $delta, $composition, $version from sqlanon_register.budgets",
                {
                    "now": now(), "user": user(), "source": source, "unit": unit or "", "epsilon": epsilon,
                    "delta": delta, "composition": composition, "version": __version__,
                },
            )  # fmt: skip
        standing = ledger.standing()
        remarks = known.remarks
        for other, epsilon_before, delta_before in of_source:
            if other == standing.unit:
                remarks.append(f"it was epsilon {epsilon_before:g} and delta {delta_before:g}")
            else:
                remarks.append(
                    f"{source} has a budget {_by(other)}, too: neither counts what the other spends"
                )
        if not standing.holds:
            remarks.append("that is less than what is spent: nothing can be spent any more")
    return Declared(standing, remarks)


@connection_first
def budgets(
    con: duckdb.DuckDBPyConnection, register: str | os.PathLike[str], *, wait: float = 0
) -> duckdb.DuckDBPyRelation:
    """The budgets of a register, a row each: source, unit (empty where each row is a person), epsilon, delta,
    composition, entries, last_spent_at, spent_epsilon, spent_delta, left_epsilon, holds.

    Errors: as in publish.
    """
    return answer(con, select(listed_budgets(con, register, wait)))


def listed_budgets(
    con: duckdb.DuckDBPyConnection, register: str | os.PathLike[str], wait: float
) -> exp.Table:
    """The rows of `budgets` as a temporary table."""
    return listed_in(con, register, wait, call("_budgets_standing", BUDGETS))
