"""Microaggregation and k-Similar over tables, DataFrames and relations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from sqlglot import exp

from sqlanon.anonymize.driver import CodedAnonymizer, Task
from sqlanon.core.source import named
from sqlanon.core.statements import call, columns, count, execute, named_table, render, scalar, select

if TYPE_CHECKING:
    from sqlanon.anonymize.mdav import Points


class Microaggregation(CodedAnonymizer):
    """The chain of microaggregate.sql; mdav.py makes all groups but those along a curve."""

    phases: ClassVar = {"grouped": "grouping", "state": "merging"}
    unit_parameter = "unit"
    blind: ClassVar = {
        "population": "a center covers nobody of a population",
        "known": "people are found at the nearest center, which need not be theirs; take k_similar",
    }

    def __init__(self, task: Task) -> None:
        super().__init__(task)
        self.k, self.algorithm, self.gamma = (task.arguments[name] for name in ("k", "algorithm", "gamma"))
        if self.algorithm != "curve":
            self.chain.provide("grouped", self.group)

    def group(self) -> None:
        """The groups of an algorithm that is a loop: the table `grouped`."""
        import numpy as np
        import pandas as pd

        from sqlanon.anonymize import mdav

        self.chain.make("refusal")
        self.chain.make("off_line")
        [(total,)] = execute(self.con, count(named_table(self.chain.table("record"))))
        [(several,)] = execute(self.con, scalar("_is_cut", total, self.algorithm))
        several = several or bool(self.strata)
        if several:
            self.cut_blocks()
        points = self.points()
        first_row = points.weights.cumsum() - points.weights
        group = np.empty(total, dtype=np.int64)
        groups = done = 0
        for members in self.blocks(np) if several else [np.arange(len(first_row))]:
            block = points.only(members) if several else points
            before = done

            def progress(rows: int, before: int = before) -> None:
                done = before + rows
                self.watch("grouped", done / total, f"{done:,} of {total:,} rows in groups")

            group_of_row = mdav.groups(block, self.algorithm, self.k, self.gamma, progress)
            in_block = block.weights.cumsum() - block.weights
            rows = np.arange(len(group_of_row)) + np.repeat(first_row[members] - in_block, block.weights)
            group[rows] = group_of_row + groups
            groups += int(group_of_row.max()) + 1
            done += len(group_of_row)
        frame = pd.DataFrame({"row_id": np.arange(1, total + 1), "group_id": group})
        with named(self.con, frame) as name:
            self.make("grouped", select(named_table(name)))

    def points(self) -> Points:
        """The table `point` as vectors."""
        from sqlanon.anonymize import mdav

        attributes = range(1, len(self.qi) + 1)
        names = [f"{kind}{i}" for kind in ("x", "c", "step") for i in attributes]
        points = columns(
            self.con, select(named_table(self.chain.table("point")), "n", *names).order_by("point_id")
        )
        return mdav.points(
            [points[f"x{i}"] for i in attributes],
            [points[f"c{i}"] for i in attributes],
            [points[f"step{i}"][0] for i in attributes],
            points["n"],
        )

    def cut_blocks(self) -> None:
        """Strata, and the first cuts of Mondrian in large ones, at medians: the table `block`."""
        at, con = self.at, self.con
        self.make("block_tuple", call("_block_tuples", self.chain.table("point"), self.qi))
        self.make("block_attribute", call("_block_attributes", self.chain.table("point"), self.qi))
        state, other = "block_state", "block_state_after"
        start = call("_block_start", at("block_tuple"), self.chain.table("refusal"), self.algorithm)
        self.make(state, start)
        [(at_least,)] = execute(con, scalar("_block_rows"))
        self.make("block", select(named_table(at(state)), "tuple_id", "part").where("done"))
        while execute(con, count(named_table(at(state)))) != [(0,)]:
            cuts = call("_cuts_at_medians", at(state), at("block_attribute"), None, max(at_least, self.k))
            self.make(other, call("_mondrian_step", at(state), render(cuts)))
            ready = select(named_table(at(other)), "tuple_id", "part").where("done")
            execute(con, exp.insert(ready, named_table(at("block"))))
            state, other = other, state

    def blocks(self, np: Any) -> list[Any]:
        """The points of each block, by their positions, in an order that depends on nothing else."""
        points = columns(
            self.con, select(named_table(self.at("block")), "tuple_id", "part").order_by("tuple_id")
        )
        _, first, part = np.unique(points["part"], return_index=True, return_inverse=True)
        order = np.argsort(part.reshape(-1), kind="stable")
        blocks = np.split(order, np.cumsum(np.bincount(part.reshape(-1)))[:-1])
        return [blocks[i] for i in np.argsort(first)]

    def details(self) -> Mapping[str, Any]:
        """information_loss (0 to 1): the sum of squares within classes as a share of that of the table (SSE /
        SST)."""
        classes, sums = (self.chain.table(step) for step in ("last", "group_sum"))
        [(loss,)] = execute(self.con, call("_information_loss", classes, sums))
        return {"information_loss": loss}


class KSimilar(Microaggregation):
    """The groups of microaggregation, released as labels that cover their values.

    exposed_rows, unbound_rows and unread_rows are as in `mondrian`.
    """

    unit_parameter = "with_unit"
    blind: ClassVar = {"population": "give mondrian the population"}

    def details(self) -> Mapping[str, Any]:
        return {}  # what a centroid would lose is not what is lost here
