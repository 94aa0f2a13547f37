"""Mondrian, step by step: the same relations and the same step as in sql/mondrian.sql, over temporary tables.

What one statement would hold in memory can spill to disk here, its progress can be watched, and it can be
interrupted.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Mapping
from contextlib import ExitStack
from typing import Any

import duckdb
from sqlglot import exp

from sqlanon.errors import SqlanonError, VerificationError
from sqlanon.library import ensure_registered
from sqlanon.release import Progress, Release, models
from sqlanon.source import Source, named
from sqlanon.statements import (
    call,
    count,
    create,
    drop,
    execute,
    named_table,
    relation,
    render,
    scalar,
    select,
)
from sqlanon.tables import WorkTables, target, transaction

Columns = Mapping[str, list[str] | None]  # qi, sensitive, keep


def mondrian(
    con: duckdb.DuckDBPyConnection,
    source: Source,
    hierarchies: Source,
    columns: Columns,
    requirements: Mapping[str, Any],
    form: Mapping[str, Any],
    into: str | None,
    replace: bool,
    progress: Progress,
) -> Release:
    """Run, check, and only then make the release visible: `sqlanon.mondrian`."""
    started = time.perf_counter()
    ensure_registered(con)
    place = None if into is None else target(con, into, replace)
    with ExitStack() as stack:
        tbl = stack.enter_context(named(con, source))
        trees = None if hierarchies is None else stack.enter_context(named(con, hierarchies))
        # The single statement is bound, not run: what it refuses is refused before any work.
        statement = call("mondrian", tbl, **columns, hierarchies=trees, **requirements, **form)
        execute(con, exp.Describe(this=statement))

        work = stack.enter_context(WorkTables(con))
        run = _Run(con, work, tbl, columns, trees, requirements)
        run.prepare(tbl if isinstance(source, str) else "source")
        run.partition(progress)

        name = work.name("release")
        release = place.beside(name) if place else named_table(name)
        work.discard_later(release)
        with transaction(con):
            execute(con, create(release, run.release(**form), temporary=place is None))
            rows, classes, reached = run.verified(release)
            if place:
                execute(con, drop(place.table))
                execute(con, exp.rename_table(release, place.beside(place.name)))
        table = place.table if place else release
        # A transaction that an error has ended is committed without a complaint, and is lost.
        if execute(con, count(table)) != [(rows,)]:
            raise SqlanonError(f"the release is not in {into or name}")
        work.keep(release)
    given = {**columns, **requirements, **form}
    return Release(
        table=into or name,
        parameters={parameter: value for parameter, value in given.items() if value is not None},
        reached=reached,
        classes=classes,
        rows=rows,
        suppressed_rows=0,
        seconds=time.perf_counter() - started,
    )


class _Run:
    """One run over the tables of `work`, which have the names of the relations in the macro `_mondrian`."""

    def __init__(
        self,
        con: duckdb.DuckDBPyConnection,
        work: WorkTables,
        tbl: str,
        columns: Columns,
        hierarchies: str | None,
        requirements: Mapping[str, Any],
    ) -> None:
        self.con = con
        self.work = work
        self.tbl = tbl
        self.columns = columns
        self.hierarchies = hierarchies
        self.requirements = requirements
        about = [value for name, value in requirements.items() if name != "t_distance"]
        [(self.judged,)] = execute(con, scalar("_judged", columns["sensitive"], *about))

    def prepare(self, title: str) -> None:
        """The relations before the first cut. Errors: whatever makes a release impossible."""
        at, qi, judged = self.work.name, self.columns["qi"], self.judged
        for name, query in (
            ("requirement", scalar("_requirements", *self.requirements.values(), alias="req")),
            ("combination", call("_numbered_combinations", self.tbl, qi, judged)),
            ("hierarchy", call("_hierarchies", self.hierarchies)),
            ("refusal", exp.union(
                call("_refuse_empty", at("combination"), title),
                call("_refuse_hierarchies", at("hierarchy"), qi, judged), distinct=False)),
            ("leaf", call("_leaves", at("hierarchy"))),
            ("sensitive_combination", call("_sensitive_combinations", at("combination"), judged)),
            ("sensitive_value", call("_sensitive_values", at("sensitive_combination"), judged)),
            ("tuple", call("_tuples", at("combination"), at("sensitive_combination"), at("leaf"),
                           qi, judged)),
            ("attribute", call("_attributes", at("tuple"), at("leaf"), qi)),
            ("tree", call("_attribute_tree", at("hierarchy"), at("attribute"))),
            ("sensitive_tree", call("_sensitive_tree", at("sensitive_value"), judged, at("hierarchy"))),
            ("whole", call("_whole", at("tuple"), at("sensitive_value"))),
            ("marginal", call("_marginal", at("whole"))),
            ("infeasible", call("_refuse_infeasible", at("whole"), at("marginal"), at("sensitive_tree"),
                                at("requirement"), judged)),
            ("state", call("_mondrian_start", at("tuple"), at("refusal"))),
        ):  # fmt: skip
            self.work.make(name, query)

    def partition(self, progress: Progress) -> None:
        """Step after step, until every combination is in a class: the table `assignment`."""
        at, con = self.work.name, self.con
        [(k,)] = execute(con, select(named_table(at("requirement")), "coalesce(req.k, 1)"))
        [(total,)] = execute(con, count(named_table(at("tuple"))))
        tree = at("tree") if self.hierarchies else None  # without, every step is spared the joins with it
        state, other = "state", "state_after"
        done = 0
        for level in itertools.count():
            ready = select(named_table(at(state)), "tuple_id", "part as class_id").where("done")
            if level == 0:
                self.work.make("assignment", ready)
            else:
                [(new,)] = execute(con, exp.insert(ready, named_table(at("assignment"))))
                done += new
            progress(done / total, f"level {level}: {done:,} of {total:,} combinations in classes")
            if done == total:
                return
            step = call(
                "_mondrian_step", at(state), at("attribute"), tree, k, len(self.judged) > 0,
                at("sensitive_value"), at("marginal"), at("sensitive_tree"), at("requirement"),
            )  # fmt: skip
            self.work.make(other, step)
            state, other = other, state

    def release(self, recoding: str, seed: int | None) -> exp.Select:
        """The rows to release."""
        at, columns = self.work.name, self.columns
        labels = call("_node_labels", at("tuple"), at("assignment"), at("attribute"), at("tree"))
        self.work.make("node_label", labels)
        return call(
            "_release", self.tbl, columns["qi"], columns["sensitive"], columns["keep"],
            at("combination"), self.judged, at("assignment"), at("node_label"), recoding, seed,
        )  # fmt: skip

    def verified(self, release: exp.Table) -> tuple[int, int, dict[str, float]]:
        """Rows, classes and what is reached. VerificationError if rows are missing or a class violates."""
        con, name = self.con, render(release)
        about = {
            "qi": self.columns["qi"],
            "sensitive": self.judged or None,
            "hierarchies": self.work.name("hierarchy") if self.hierarchies else None,
        }
        [(rows,)] = execute(con, count(release))
        if [(rows,)] != execute(con, count(relation(self.tbl))):
            raise VerificationError(f"the release has {rows:,} rows, the source has others: has it changed?")
        if violations := execute(con, call("violations", name, **about, **self.requirements)):
            model, _, required, reached, size, example = violations[0]
            raise VerificationError(
                f"{len(violations):,} violations, the first of {model}: the class {example} of {size:,} rows "
                f"reaches {reached}, {required} is required"
            )
        [(classes,)] = execute(con, count(call("classes", name, self.columns["qi"]).subquery()))
        wanted = models(self.requirements)
        several = len(self.judged) > 1
        privacy = execute(con, call("privacy", name, **about, l=self.requirements["l"]))
        reached = {
            f"{model} of {column}" if several and column else model: value
            for model, column, value, _, _ in privacy
            if model in wanted
        }
        return rows, classes, reached
