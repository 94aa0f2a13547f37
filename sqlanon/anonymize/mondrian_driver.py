"""Mondrian, step by step: the same relations and the same step as in sql/anonymize/mondrian/mondrian.sql, over temporary tables."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import Any

from sqlglot import exp

from sqlanon.anonymize.driver import CodedAnonymizer, Task
from sqlanon.core.release import Progress
from sqlanon.core.statements import call, count, execute, named_table, scalar, select


class Mondrian(CodedAnonymizer):
    """`sqlanon.mondrian`."""

    def __init__(self, task: Task, requirements: Mapping[str, Any], form: Mapping[str, Any]) -> None:
        super().__init__(task, requirements)
        self.relaxed, self.target = bool(form["relaxed"]), form["target"]
        self.recoding, self.seed = form["recoding"], form["seed"]
        execute(self.con, scalar("_recoding", self.recoding))
        about_people = (requirements[name] for name in ("k_map", "dmin", "dmax"))
        asked = self.relaxed, self.target, *about_people, self.unit, self.judged
        execute(self.con, scalar("_mondrian_checked", *asked))
        others = task.columns["sensitive"], task.columns["keep"]
        [(counted,)] = execute(self.con, scalar("_counted", self.judged, *others, self.target))
        self.counted = self.with_unit(counted)
        self.everybody = self.at("everybody") if self.population else None

    def tuples(self) -> exp.Select:
        if not self.everybody:
            return super().tuples()
        at, qi, counted = self.at, self.qi, self.counted
        self.make("everybody", call("_everybody", at("combination"), at("people"), qi, counted))
        return call("_tuples", self.everybody, at("sensitive_combination"), at("leaf"), qi, counted, True)

    def run(self, progress: Progress) -> None:
        """Step after step, until every combination is in a class: the table `assignment`."""
        at, con = self.at, self.con
        self.code()
        self.refuse_infeasible(from_whole=True)
        if self.everybody:
            ranges = call("_refuse_ranges", at("attribute"), at("tree"), at("requirement"), self.recoding)
            whole = call("_refuse_whole", at("tuple"), at("requirement"), True)
            self.make("infeasible", exp.union(ranges, whole, distinct=False))
        outcomes = None
        if self.target is not None:
            outcomes = at("outcome")
            self.make("outcome", call("_outcomes", at("sensitive_combination"), self.counted, self.target))
        self.make("state", call("_mondrian_start", at("tuple"), at("refusal")))
        [(k,)] = execute(con, select(named_table(at("requirement")), "coalesce(req.k, 1)"))
        [(total,)] = execute(con, count(named_table(at("combination"))))
        state, other = "state", "state_after"
        for level in itertools.count():
            ready = select(named_table(at(state)), "tuple_id", "part as class_id", "weight as share").where(
                "done"
            )
            if level == 0:
                self.make("assignment", ready)
            else:
                execute(con, exp.insert(ready, named_table(at("assignment"))))
            # weight is 0 where there are people of a population, but no rows; what is divided is there more than once
            number = "count(distinct tuple_id)" if self.relaxed else "count(*)"
            [(left,)] = execute(con, select(named_table(at(state)), number).where("not done and weight > 0"))
            progress(
                1 - left / total, f"level {level}: {total - left:,} of {total:,} combinations in classes"
            )
            if left == 0:
                break
            step = call(
                "_mondrian_step", at(state), at("attribute"), self.tree, k, len(self.judged) > 0,
                at("sensitive_value"), at("marginal"), at("sensitive_tree"), at("requirement"),
                self.everybody is not None, outcomes, self.relaxed, self.by_unit,
            )  # fmt: skip
            self.make(other, step)
            state, other = other, state
        labels = call("_node_labels", at("tuple"), at("assignment"), at("attribute"), at("tree"))
        self.make("node_label", labels)

    def release(self) -> exp.Select:
        return self.released(self.recoding, self.seed, self.everybody, self.relaxed)
