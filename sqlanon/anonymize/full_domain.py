"""Full-domain generalization: the search of the lattice, which may be cut short, and local recoding."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from sqlglot import exp

from sqlanon.anonymize.driver import CodedAnonymizer, Shares, Task
from sqlanon.core.deadline import Deadline
from sqlanon.core.errors import InputError
from sqlanon.core.release import Progress
from sqlanon.core.statements import call, count, execute, named_table, scalar, select
from sqlanon.core.steps import statement_of

LARGE = 100_000  # points of a lattice
UNLIMITED = 50_000_000  # of those that are written down, so many without a time limit
POINTS_A_SECOND = 300_000  # that can be written down

# Which points are looked at together (see _batch).
STRATEGIES = {"generalize": "all", "optimal": "bounds", "samarati": "middle", "datafly": "datafly"}
# Steps that a search reads; and what it leaves.
CODED = (
    "tuple",
    "ladder",
    "level",
    "sensitive_value",
    "marginal",
    "sensitive_tree",
    "requirement",
    "refusal",
)
KEPT = ("assignment", "label")


@dataclass(frozen=True)
class SearchResult:
    """What a search has found: how many points were looked_at, how many are open (not looked at, and what
    they cost at least), whether one fits, and what the best of these costs."""

    looked_at: int
    open: int
    open_cost: list[float] | None
    fits: bool
    cost: list[float] | None


class FullDomain(CodedAnonymizer):
    """The chain of full_domain.sql, with a search that can stop early and be repeated.

    Levels and weights are lists in the order of qi, or by column name: {"age": 2}. Columns that are not named
    stay as they are (level 0), weigh 1, or have no least or highest level. exposed_rows, unbound_rows and
    unread_rows are as in `mondrian`.
    """

    phases: ClassVar = {"state": "searching"}
    shares: ClassVar = Shares(0, 0.02, 0.1, 0.85, 0.9, 0.95)  # the search takes longest

    def __init__(self, task: Task, local_recoding: bool = False, time_limit: float | None = None) -> None:
        self.local_recoding = local_recoding
        self.time_limit = time_limit
        self.deadline = None if time_limit is None else time.monotonic() + time_limit
        super().__init__(task)
        arguments = task.arguments
        if local_recoding and self.household:
            raise InputError("household does not go with local_recoding: its rounds keep no household whole")
        self.strategy = STRATEGIES[task.macro]
        self.bounds = (
            arguments.get("min_levels", arguments.get("levels")),
            arguments.get("max_levels", arguments.get("levels")),
            self.strata or None,
        )
        self.gs_factor = arguments.get("gs_factor", 0.5)
        how = (
            arguments.get("measure", "height"),
            arguments.get("aggregate", "rank"),
            arguments.get("monotonic", False),
        )
        compared = scalar("_how", *how, arguments.get("weights"), self.qi).expressions[0].this
        [(text,)] = execute(self.con, scalar("_constant", compared))
        self.how = exp.maybe_parse(text, dialect="duckdb")
        self.limit = arguments["suppression_limit"]
        searched = scalar("_searched_tuples", "", self.household, self.judged, self.unit)
        [(self.searched,)] = execute(self.con, searched)
        self.chain.provide("state", self.search)
        self.rounds: list[dict[str, Any]] = []
        self.left = self.held_back = self.with_others = 0

    def run(self, progress: Progress) -> None:
        """Search, and keep what the best point releases; with local recoding, again for what it does not."""
        super().run(progress)
        self.record()
        self.with_others = self.taken_along()
        turn, last = 1, self.chain
        while self.left and self.local_recoding and self.search_rest():
            self.chain.answer()
            self.record()
            turn += 1
            self.add_round(turn)
            last = self.chain
        self.chain = last  # a search that has found nothing has no release
        if turn > 1:
            for name in KEPT:
                self.task.work.rename(f"all_{name}", name)

    def add_round(self, turn: int) -> None:
        """Add its classes to those of earlier rounds, but for those that overlap with them (rounds.sql)."""
        at, con = self.at, self.con
        self.make("box", call("_class_boxes", at("chosen"), at("kept"), self.qi))
        self.make("overlapping", call("_classes_within_reach", at("box"), at("all_box"), at("ladder")))
        those_apart = "class_id not in (select class_id from overlapping)"
        for name in (*KEPT, "box"):
            added = select(
                named_table(at(name)), f"* replace (class_id + {turn} * 4294967296 as class_id)"
            ).where(those_apart)
            execute(
                con,
                exp.insert(
                    added.with_("overlapping", as_=select(named_table(at("overlapping")))),
                    named_table(at(f"all_{name}")),
                ),
            )
        held = (
            select(named_table(at("tuple")), "coalesce(sum(weight), 0)::bigint")
            .join(named_table(at("assignment")), using="tuple_id")
            .join(named_table(at("overlapping")), using="class_id")
        )
        [(rows,)] = execute(con, held)
        self.rounds[-1]["held_back_rows"] = rows
        self.held_back += rows

    def search_rest(self) -> bool:
        """Find the best point for the rows that are left, whatever it suppresses: a gain. Is there one?"""
        at = self.at
        if len(self.rounds) == 1:
            for name in KEPT:
                self.make(f"all_{name}", select(named_table(at(name))))
            self.make("all_box", call("_class_boxes", at("chosen"), at("kept"), self.qi))
        self.make("rest", call("_rest", at("tuple"), at("assignment")))
        self.task.work.rename("rest", "tuple")
        self.limit = 1.0
        statement = statement_of(self.con, self.task.macro, {**self.task.arguments, "suppression_limit": 1})
        self.chain = self.chain.again(statement, ["level"], kept=["refusal"])
        self.chain.provide("state", self.search)
        self.chain.make("state")
        return self.result.fits

    def record(self) -> None:
        """What the last search has found."""
        [(_, *levels, cost, self.left)] = execute(self.con, select(named_table(self.at("chosen"))))
        self.rounds.append(
            {
                "levels": dict(zip(self.qi, levels, strict=True)),
                "cost": _number(cost),
                "suppressed_rows": self.left,
                "points": self.size,
                "looked_at": self.result.looked_at,
                "open": self.result.open,
                "open_cost": _number(self.result.open_cost),
            }
        )

    def search(self) -> None:
        """Find the best point: the table `state`."""
        for step in (*CODED, self.searched):
            self.chain.make(step)
        if self.population:
            self.chain.make("resident")
        if self.known:
            self.chain.make("composition")
        [(self.size,)] = execute(self.con, call("_lattice_size", self.at("level")))
        if self.strategy == "bounds" and self.bounds == (None, None, None) and self.size > LARGE:
            self.result = self.explore_large()
        else:
            self.chain.make("point")
            self.result = self.explore(self.strategy)

    def explore_large(self) -> SearchResult:
        """Find the best point of a lattice that is too large to be written down at once.

        Datafly's points, then a walk from the best of them to ever better neighbours, find a good point; only
        points that may be better are written down. If time is short these are not looked at.
        """
        at, qi = self.at, self.qi
        if self.size > UNLIMITED and self.deadline is None:
            raise InputError(
                f"the levels of these quasi-identifiers have {self.size:,} combinations: give a time_limit, "
                "after which the best so far is taken, or bounds (min_levels, max_levels)"
            )
        best, points = None, call("_datafly_points", at("level"), qi)
        while True:
            self.make("point", points)
            result = self.explore("all")
            self.remember(first=best is None)
            better = result.cost is not None and (best is None or result.cost < best)
            best = result.cost if better else best
            if not better or self.is_late():
                break
            points = call("_neighbours", at("state"), at("level"), qi)
        if best is None:
            self.make("point", call("_points", at("level"), qi, None, None, self.how, None))
            return self.explore("bounds", known=True)
        are_few = False
        with Deadline(self.con, self.seconds_left()) as deadline:
            are_few = not self.is_late(self.size / POINTS_A_SECOND) and self.few_are_better(best)
            if are_few:
                self.start(known=True)
        if are_few and not deadline.has_passed:
            return self.explore("bounds", is_started=True)
        known = select(
            named_table(at("known_batch")),
            "*",
            "null::double[] as plain_parts",
            "null::double[] as least_cost",
        )
        self.make("point", known)
        result = self.explore("all", known=True)
        return replace(result, open=self.size - result.looked_at)

    def few_are_better(self, best: list[float]) -> bool:
        """Write down the points that may be better, if these are not too many: the table `point`. Errors:
        InputError, if they are and there is no time limit."""
        at, con = self.at, self.con
        [(most,)] = execute(con, scalar("_most_points"))
        points = call("_points", at("level"), self.qi, None, None, self.how, best)
        self.make("point", points.limit(most + 1))
        [(found,)] = execute(con, count(named_table(at("point"))))
        if found > most and self.deadline is None:
            raise InputError(
                f"more than {most:,} combinations of levels may be better than the best so far: give a "
                "time_limit, after which that is taken, or bounds (min_levels, max_levels)"
            )
        return bool(found <= most)

    def remember(self, *, first: bool) -> None:
        """Keep what was seen: the tables `known_batch` and `known_seen`."""
        for name in ("batch", "seen"):
            if first:
                self.make(f"known_{name}", select(named_table(self.at(name))))
            else:
                known = self.at(f"known_{name}")
                execute(self.con, exp.insert(call("_unknown", self.at(name), known), named_table(known)))

    def is_late(self, ahead: float = 0) -> bool:
        """Is the time up, or will it be in so many seconds?"""
        return self.deadline is not None and time.monotonic() + ahead > self.deadline

    def seconds_left(self) -> float | None:
        """How long it may take; None: as long as it takes."""
        return None if self.deadline is None else max(0.0, self.deadline - time.monotonic())

    def start(self, *, known: bool) -> None:
        """Make the table `state`. known: some points were looked at already."""
        self.make("state", call("_search_start", self.at("point"), self.at("refusal")))
        if known:
            self.make("state_after", self.updated("known_batch", "known_seen"))
            self.task.work.rename("state_after", "state")

    def explore(self, strategy: str, *, known: bool = False, is_started: bool = False) -> SearchResult:
        """Look at points until none is open, or time is up: the table `state`.

        known: some were looked at already; is_started: this table is there.
        """
        at, qi, con = self.at, self.qi, self.con
        if not is_started:
            self.start(known=known)
        total = None
        # Whoever must be in a class is in one after the first search.
        everybody = at("resident") if self.population and not self.rounds else None
        while True:
            [(in_all, looked_at, still_open, open_cost, fits, cost)] = execute(
                con, call("_search_progress", at("state"))
            )
            total = total or in_all
            message = f"{looked_at:,} of {total:,} points looked at, {still_open:,} open"
            self.watch("state", 1 - still_open / total, message)
            if still_open == 0 or (fits and self.is_late()):
                return SearchResult(looked_at, still_open, open_cost, fits, cost)
            if looked_at and self.is_late():
                raise InputError(
                    f"time_limit: after {self.time_limit:g} seconds none of {looked_at:,} combinations of "
                    f"levels, of {self.size:,}, meets the requirements: give more time, fewer "
                    "quasi-identifiers, or bounds (min_levels, max_levels)"
                )
            with Deadline(con, self.seconds_left() if looked_at else None) as deadline:
                self.make("batch", call("_batch", at("state"), at(self.searched), strategy))
                self.make("class", self.judged_classes("batch"))
                seen = call(
                    "_seen", at("batch"), everybody, at("class"), at("ladder"), at("level"), qi,
                    at("requirement"),
                    self.limit, self.how, self.gs_factor, strategy, self.by_unit,
                )  # fmt: skip
                self.make("seen", seen)
                self.make("state_after", self.updated(strategy=strategy))
            if not deadline.has_passed:
                self.task.work.rename("state_after", "state")

    def updated(self, batch: str = "batch", seen: str = "seen", strategy: str = "all") -> exp.Select:
        """The state after what was seen of a batch."""
        at = self.at
        about = at("state"), at(batch), at(seen), self.qi, self.how, strategy
        return call("_search_update", *about)

    def judged_classes(self, points: str) -> exp.Select:
        at = self.at
        return call(
            "_judged_classes", at(points), at(self.searched), at("resident") if self.population else None,
            at("ladder"),
            at("level"), self.qi, len(self.judged) > 0, at("sensitive_value"), at("marginal"),
            at("sensitive_tree"),
            at("requirement"), self.by_unit, at("composition") if self.known else None,
        )  # fmt: skip

    def suppressed(self) -> int:
        return self.left + self.held_back + self.with_others

    def taken_along(self) -> int:
        """The rows that are suppressed because others of their household are."""
        if self.household is None:
            return 0
        chosen, left = (
            execute(
                self.con,
                select(named_table(self.at("tuple")), "coalesce(sum(weight), 0)::bigint").join(
                    named_table(self.at(kept)), using="tuple_id"
                ),
            )
            for kept in ("kept_tuple", "assignment")
        )
        return int(chosen[0][0] - left[0][0])

    def details(self) -> Mapping[str, Any]:
        """levels by column, cost (of the measure), points (of the lattice), how many of them were
        looked_at, and where the search was cut short how many are open (not looked at), and
        open_cost, below which none of these costs. rows_with_others: suppressed because somebody
        else of their household is. rounds: the same of every search, where there are several, and
        held_back_rows, which are suppressed because their class overlaps with an earlier one; the
        others are of the first."""
        first = {name: value for name, value in self.rounds[0].items() if value is not None}
        if self.with_others:
            first["rows_with_others"] = self.with_others
        return first | ({"rounds": self.rounds} if len(self.rounds) > 1 else {})


class Optimal(FullDomain):
    """Its search, with parameters that only `optimal` has.

    local_recoding: the rows that the best point suppresses are generalized again, by the best point for them,
    until nothing more can be released (with suppression_limit=1 most is gained). Classes that overlap with
    those released before are held back, because the order of the rounds would rule out values for their rows.
    The macro does not do that.
    time_limit: seconds after which the best point found so far is taken, if any fits.
    """

    def __init__(self, task: Task, *, local_recoding: bool = False, time_limit: float | None = None) -> None:
        super().__init__(task, local_recoding, time_limit)


class Samarati(FullDomain):
    """Its search, with what only Python takes.

    time_limit: seconds after which the lowest combination of levels found so far is taken, if any fits.
    """

    def __init__(self, task: Task, *, time_limit: float | None = None) -> None:
        super().__init__(task, time_limit=time_limit)


def _number(cost: list[float] | None) -> list[float] | float | None:
    """A cost of one number as that number."""
    return cost[0] if cost and len(cost) == 1 else cost
