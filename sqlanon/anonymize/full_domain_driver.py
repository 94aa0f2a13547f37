"""Full-domain generalization, step by step: the relations of sql/anonymize/full_domain/full_domain.sql over temporary tables."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from sqlglot import exp

from sqlanon.anonymize.driver import CodedAnonymizer, Task
from sqlanon.core.release import Progress
from sqlanon.core.statements import call, execute, named_table, scalar, select

LARGE = 100_000  # points of a lattice
POINTS_A_SECOND = 300_000  # that can be written down


@dataclass(frozen=True)
class Found:
    """What a search has found: how many points were looked_at, how many are open (not looked at, and what they cost at
    least), whether one fits, and what the best of these costs."""

    looked_at: int
    open: int
    open_cost: list[float] | None
    fits: bool
    cost: list[float] | None


@dataclass(frozen=True)
class Choice:
    """How a point of the lattice is chosen.

    strategy: which points are looked at together (see _batch). points: all of the lattice between least and
    most (levels in the order of qi; None: no bound), or those of Datafly. parameters: what messages call these.
    measure, aggregate, monotonic, gs_factor, weights: as in sqlanon.optimal. time_limit: seconds.
    """

    strategy: str
    datafly: bool = False
    least: list[int] | None = None
    most: list[int] | None = None
    parameters: tuple[str, str] = ("min_levels", "max_levels")
    measure: str = "height"
    aggregate: str = "rank"
    monotonic: bool = False
    gs_factor: float = 0.5
    weights: list[float] | None = None
    local_recoding: bool = False
    time_limit: float | None = None


class FullDomain(CodedAnonymizer):
    """`sqlanon.generalize`, `optimal`, `samarati` and `datafly`."""

    def __init__(
        self,
        task: Task,
        requirements: Mapping[str, Any],
        suppression_limit: float,
        seed: int | None,
        choice: Choice,
    ) -> None:
        super().__init__(task, requirements)
        self.choice, self.seed = choice, seed
        self.deadline = None if choice.time_limit is None else time.monotonic() + choice.time_limit
        [(self.limit,)] = execute(self.con, scalar("_share", suppression_limit, "suppression_limit"))
        [(self.gs_factor,)] = execute(self.con, scalar("_share", choice.gs_factor, "gs_factor"))
        [(how,)] = execute(
            self.con,
            scalar("_how", choice.measure, choice.aggregate, choice.monotonic, choice.weights, self.qi),
        )
        self.how = exp.maybe_parse(how, dialect="duckdb")
        for levels, parameter in zip((choice.least, choice.most), choice.parameters, strict=True):
            execute(self.con, scalar("_level_list", levels, self.qi, parameter))
        self.rounds: list[dict[str, Any]] = []
        self.left = 0

    def run(self, progress: Progress) -> None:
        """Search, and keep what the best point releases; with local recoding, again for what it does not."""
        at = self.at
        self.code()
        self.refuse_infeasible(may_suppress=self.limit > 0)
        if self.population:
            resident = call("_residents", at("people"), at("combination"), at("tuple"), at("leaf"), self.qi)
            self.make("resident", resident)
            refusal = call(
                "_refuse_people_of_all", at("tuple"), at("resident"), at("requirement"), self.limit > 0
            )
            self.make("infeasible", refusal)
        self.make("ladder", call("_ladder", at("tree"), at("tuple")))
        limit = self.limit
        while self.search(limit, progress):
            self.keep()
            if self.left == 0 or not self.choice.local_recoding:
                return
            limit = 1.0  # whatever is released of the rest is a gain

    def search(self, limit: float, progress: Progress) -> bool:
        """Find the best point: the table `chosen`. False if a later turn finds none."""
        at, qi, choice, con = self.at, self.qi, self.choice, self.con
        self.make("level", call("_levels", at("ladder"), at("tuple"), self.gs_factor))
        bounds = choice.least, choice.most
        execute(con, call("_refuse_levels", at("level"), qi, *bounds, choice.parameters))
        [(size,)] = execute(con, call("_lattice_size", at("level")))
        if choice.datafly:
            found = self.explore(call("_datafly_points", at("level"), qi), "all", limit, progress)
        elif size <= LARGE or bounds != (None, None) or choice.strategy != "bounds":
            points = call("_points", at("level"), qi, *bounds, self.how, None)
            found = self.explore(points, choice.strategy, limit, progress)
        else:
            found = self.explore_large(size, limit, progress)
        if self.rounds and not found.fits:
            return False
        self.make("chosen", call("_chosen", at("state"), at("requirement"), limit))
        [(_, *levels, cost, self.left)] = execute(con, select(named_table(at("chosen"))))
        self.rounds.append(
            {
                "levels": dict(zip(qi, levels, strict=True)),
                "cost": _number(cost),
                "suppressed_rows": self.left,
                "points": size,
                "looked_at": found.looked_at,
                "open": found.open,
                "open_cost": _number(found.open_cost),
            }
        )
        return True

    def explore_large(self, size: int, limit: float, progress: Progress) -> Found:
        """The same for a lattice that is too large to be written down at once.

        Datafly's points, then a walk from the best of them to ever better neighbours, find a good point; only points that
        may be better are written down. If time is short these are not looked at.
        """
        at, qi = self.at, self.qi
        best, points = None, call("_datafly_points", at("level"), qi)
        while True:
            found = self.explore(points, "all", limit, progress)
            self.remember(first=best is None)
            better = found.cost is not None and (best is None or found.cost < best)
            best = found.cost if better else best
            if not better or self.is_late():
                break
            points = call("_neighbours", at("state"), at("level"), qi)
        if best is None or not self.is_late(size / POINTS_A_SECOND):
            points = call("_points", at("level"), qi, None, None, self.how, best)
            return self.explore(points, "bounds", limit, progress, known=True)
        known = select(named_table(at("known_batch")), "*", "null::double[] as least_cost")
        found = self.explore(known, "all", limit, progress, known=True)
        return replace(found, open=size - found.looked_at)

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

    def explore(
        self, points: exp.Select, strategy: str, limit: float, progress: Progress, *, known: bool = False
    ) -> Found:
        """Look at points until none is open, or time is up: the table `state`. known: some were looked at already."""
        at, qi, con = self.at, self.qi, self.con
        self.make("point", points)
        self.make("state", call("_search_start", at("point"), at("refusal")))
        if known:
            self.update("known_batch", "known_seen")
        total = None
        # Whoever must be in a class is in one after the first search.
        everybody = at("resident") if self.population and not self.rounds else None
        while True:
            [(in_all, looked_at, still_open, open_cost, fits, cost)] = execute(
                con, call("_search_progress", at("state"))
            )
            total = total or in_all
            progress(
                1 - still_open / total, f"{looked_at:,} of {total:,} points looked at, {still_open:,} open"
            )
            if still_open == 0 or (fits and self.is_late()):
                return Found(looked_at, still_open, open_cost, fits, cost)
            self.make("batch", call("_batch", at("state"), at("tuple"), strategy))
            self.make("class", self.judged_classes("batch"))
            seen = call(
                "_seen", at("batch"), everybody, at("class"), at("ladder"), at("level"), qi, at("requirement"), limit,
                self.how, self.gs_factor, strategy, self.by_unit,
            )  # fmt: skip
            self.make("seen", seen)
            self.update()

    def update(self, batch: str = "batch", seen: str = "seen") -> None:
        """The state after what was seen of a batch."""
        at = self.at
        self.make("state_after", call("_search_update", at("state"), at(batch), at(seen), self.qi, self.how))
        self.task.work.rename("state_after", "state")

    def keep(self) -> None:
        """What the chosen point releases into `assignment` and `node_label`; `tuple` keeps the rest."""
        at, qi = self.at, self.qi
        self.make("class", self.judged_classes("chosen"))
        self.make("kept_class", call("_kept_classes", at("class"), len(self.rounds)))
        kept = call("_kept_tuples", at("chosen"), at("kept_class"), at("tuple"), at("ladder"), qi)
        labels = call("_class_labels", at("chosen"), at("kept_class"), at("ladder"))
        for name, rows in (("assignment", kept), ("node_label", labels)):
            if len(self.rounds) == 1:
                self.make(name, rows)
            else:
                execute(self.con, exp.insert(rows, named_table(at(name))))
        if self.choice.local_recoding:
            self.make("rest", call("_rest", at("tuple"), at("assignment")))
            self.make("tuple", select(named_table(at("rest"))))

    def judged_classes(self, points: str) -> exp.Select:
        at = self.at
        return call(
            "_judged_classes", at(points), at("tuple"), at("resident") if self.population else None, at("ladder"),
            at("level"), self.qi, len(self.judged) > 0, at("sensitive_value"), at("marginal"), at("sensitive_tree"),
            at("requirement"), self.by_unit,
        )  # fmt: skip

    def release(self) -> exp.Select:
        return self.released("text", self.seed)

    def suppressed(self) -> int:
        return self.left

    def details(self) -> Mapping[str, Any]:
        """Of the first search: levels, cost (of the measure), points in all, looked_at, open and open_cost (what these
        cost at least: the search was cut short). rounds: the same of every search, where there are several."""
        first = {name: value for name, value in self.rounds[0].items() if value is not None}
        return first | ({"rounds": self.rounds} if len(self.rounds) > 1 else {})


def _number(cost: list[float] | None) -> list[float] | float | None:
    """A cost of one number as that number."""
    return cost[0] if cost and len(cost) == 1 else cost
