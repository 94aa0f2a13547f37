"""Microaggregation, step by step: the relations of sql/anonymize/microaggregation/microaggregate.sql over temporary tables, and the loops of sqlanon/anonymize/mdav.py."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from sqlanon.anonymize.driver import CodedAnonymizer, Task
from sqlanon.core.release import Progress
from sqlanon.core.source import named
from sqlanon.core.statements import call, columns, count, execute, named_table, scalar, select

if TYPE_CHECKING:
    from sqlanon.anonymize.mdav import Points


class Microaggregation(CodedAnonymizer):
    """`sqlanon.microaggregate`."""

    method = "microaggregate"

    def __init__(self, task: Task, requirements: Mapping[str, Any], form: Mapping[str, Any]) -> None:
        self.form = form
        self.algorithm, self.gamma, self.seed = (form[name] for name in ("algorithm", "gamma", "seed"))
        about = task.columns["qi"], requirements["k"], self.algorithm, self.gamma
        execute(task.con, scalar("_microaggregation_checked", self.method, *about))
        execute(task.con, self.check_form())
        super().__init__(task, requirements)
        execute(task.con, scalar("_groups_checked", self.method, self.judged, self.unit))

    def run(self, progress: Progress) -> None:
        """Groups, then classes: the tables `grouped` and `state`."""
        at, qi, columns = self.at, self.qi, self.task.columns
        self.code()
        self.refuse_infeasible(from_whole=True)
        [(self.k,)] = execute(self.con, select(named_table(at("requirement")), "req.k"))
        domain = call("_microaggregation_domain", at("combination"), at("tuple"), at("leaf"), qi)
        self.make("domain", domain)
        self.make("coordinate", call("_microaggregation_coordinates", at("domain")))
        self.make(
            "point", call("_microaggregation_points", at("combination"), at("tuple"), at("coordinate"), qi)
        )
        rows = call(
            "_microaggregation_rows", self.task.tbl, qi, columns["sensitive"], columns["keep"], self.counted,
            at("point"), at("sensitive_combination"), self.unit,
        )  # fmt: skip
        self.make("row", rows)
        if self.algorithm == "curve":
            self.make("grouped", call("_curve_groups", at("row"), at("point"), qi, self.k))
        else:
            self.make("off_line", call("_refuse_off_line", at("point"), qi, self.algorithm))
            self.group(progress)
        self.make("group_sum", call("_group_sums", at("row"), at("grouped"), at("point"), qi))
        self.make("group_histogram", call("_group_histograms", at("row"), at("grouped")))
        self.make("state", call("_merge_start", at("grouped")))
        if self.judged or self.by_unit:
            self.merge(progress)
        progress(1, "all rows are in classes")

    def group(self, progress: Progress) -> None:
        """The groups of an algorithm that is a loop: the table `grouped`."""
        import numpy as np
        import pandas as pd

        from sqlanon.anonymize import mdav

        [(total,)] = execute(self.con, count(named_table(self.at("row"))))
        [(several,)] = execute(self.con, scalar("_is_cut", total, self.algorithm))
        if several:
            self.cut_blocks()
        points = self.points()
        first_row = points.weights.cumsum() - points.weights
        group = np.empty(total, dtype=np.int64)
        groups = done = 0
        for members in self.blocks(np) if several else [np.arange(len(first_row))]:
            block = points.only(members) if several else points
            before = done

            def told(rows: int, before: int = before) -> None:
                progress(0.9 * (before + rows) / total, f"{before + rows:,} of {total:,} rows in groups")

            found = mdav.groups(block, self.algorithm, self.k, self.gamma, told)
            in_block = block.weights.cumsum() - block.weights
            rows = np.arange(len(found)) + np.repeat(first_row[members] - in_block, block.weights)
            group[rows] = found + groups
            groups += int(found.max()) + 1
            done += len(found)
        frame = pd.DataFrame({"row_id": np.arange(1, total + 1), "group_id": group})
        with named(self.con, frame) as name:
            self.make("grouped", select(named_table(name)))

    def points(self) -> Points:
        """The table `point` as vectors."""
        from sqlanon.anonymize import mdav

        attributes = range(1, len(self.qi) + 1)
        names = [f"{kind}{i}" for kind in ("x", "c", "step") for i in attributes]
        found = columns(self.con, select(named_table(self.at("point")), "n", *names).order_by("point_id"))
        return mdav.points(
            [found[f"x{i}"] for i in attributes],
            [found[f"c{i}"] for i in attributes],
            [found[f"step{i}"][0] for i in attributes],
            found["n"],
        )

    def cut_blocks(self) -> None:
        """The first cuts of Mondrian, at medians: the table `block`."""
        at, con = self.at, self.con
        self.make("block_tuple", call("_block_tuples", at("point"), self.qi))
        self.make("block_attribute", call("_block_attributes", at("point"), self.qi))
        state, other = "block_state", "block_state_after"
        self.make(state, call("_mondrian_start", at("block_tuple"), at("refusal")))
        [(at_least,)] = execute(con, scalar("_block_rows"))
        self.make("block", select(named_table(at(state)), "tuple_id", "part").where("done"))
        while execute(con, count(named_table(at(state)))) != [(0,)]:
            step = call(
                "_mondrian_step", at(state), at("block_attribute"), None, max(at_least, self.k), False,
                None, None, None, None,
            )  # fmt: skip
            self.make(other, step)
            ready = select(named_table(at(other)), "tuple_id", "part").where("done")
            execute(con, exp.insert(ready, named_table(at("block"))))
            state, other = other, state

    def blocks(self, np: Any) -> list[Any]:
        """The points of each block, by their positions, in an order that depends on nothing else."""
        found = columns(
            self.con, select(named_table(self.at("block")), "tuple_id", "part").order_by("tuple_id")
        )
        _, first, part = np.unique(found["part"], return_index=True, return_inverse=True)
        order = np.argsort(part.reshape(-1), kind="stable")
        blocks = np.split(order, np.cumsum(np.bincount(part.reshape(-1)))[:-1])
        return [blocks[i] for i in np.argsort(first)]

    def merge(self, progress: Progress) -> None:
        """Round after round, until no class violates a requirement."""
        at = self.at
        while True:
            [(classes,)] = execute(self.con, select(named_table(at("state")), "count(distinct class_id)"))
            progress(0.9, f"{classes:,} classes")
            step = call(
                "_merge_step", at("state"), at("group_sum"), at("group_histogram"), at("sensitive_value"),
                at("marginal"), at("sensitive_tree"), at("requirement"), self.qi, self.by_unit,
            )  # fmt: skip
            self.make("state_after", step)
            if execute(self.con, count(named_table(at("state_after")))) == [(0,)]:
                return
            self.task.work.rename("state_after", "state")

    def check_form(self) -> exp.Select:
        """A statement that fails where the form of the release makes no sense."""
        return scalar("_center", self.form["center"])

    def release(self) -> exp.Select:
        at, columns = self.at, self.task.columns
        return call(
            "_microaggregation_release", self.qi, columns["sensitive"], columns["keep"], at("point"), at("row"),
            at("grouped"), at("state"), at("group_sum"), self.form["center"], self.seed,
            self.unit,
        )  # fmt: skip

    def details(self) -> Mapping[str, Any]:
        """information_loss: SSE / SST."""
        at = self.at
        [(loss,)] = execute(self.con, call("_information_loss", at("state"), at("group_sum")))
        return {"information_loss": loss}


class KSimilar(Microaggregation):
    """`sqlanon.k_similar`: the same classes, with what covers them."""

    method = "k_similar"

    def check_form(self) -> exp.Select:
        return scalar("_recoding", self.form["recoding"])

    def release(self) -> exp.Select:
        at = self.at
        assignment = call(
            "_class_assignment", at("tuple"), at("point"), at("row"), at("grouped"), at("state"), self.qi
        )
        self.make("assignment", assignment)
        labels = call("_node_labels", at("tuple"), at("assignment"), at("attribute"), at("tree"))
        self.make("node_label", labels)
        return self.released(self.form["recoding"], self.seed, divided=True)

    def details(self) -> Mapping[str, Any]:
        return {}  # what a centroid would lose is not what is lost here
