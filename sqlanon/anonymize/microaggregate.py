"""Microaggregation over tables, DataFrames and relations."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Unpack

import duckdb
from sqlglot import exp

from sqlanon.anonymize.driver import CodedAnonymizer, Task, anonymize
from sqlanon.core.connection import connection_first
from sqlanon.core.release import Progress, Release
from sqlanon.core.requirements import Requirements, complete
from sqlanon.core.source import Source, named, roles
from sqlanon.core.statements import call, columns, count, execute, named_table, scalar, select

if TYPE_CHECKING:
    from sqlanon.anonymize.mdav import Points


class Microaggregation(CodedAnonymizer):
    """The chain of microaggregate.sql; mdav.py makes all groups but those along a curve."""

    phases: ClassVar = {"grouped": "grouping", "state": "merging"}
    unit_parameter = "unit"

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
        """The first cuts of Mondrian, at medians: the table `block`."""
        at, con = self.at, self.con
        self.make("block_tuple", call("_block_tuples", self.chain.table("point"), self.qi))
        self.make("block_attribute", call("_block_attributes", self.chain.table("point"), self.qi))
        state, other = "block_state", "block_state_after"
        self.make(state, call("_mondrian_start", at("block_tuple"), self.chain.table("refusal")))
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
        points = columns(
            self.con, select(named_table(self.at("block")), "tuple_id", "part").order_by("tuple_id")
        )
        _, first, part = np.unique(points["part"], return_index=True, return_inverse=True)
        order = np.argsort(part.reshape(-1), kind="stable")
        blocks = np.split(order, np.cumsum(np.bincount(part.reshape(-1)))[:-1])
        return [blocks[i] for i in np.argsort(first)]

    def details(self) -> Mapping[str, Any]:
        """information_loss: SSE / SST."""
        classes, sums = (self.chain.table(step) for step in ("last", "group_sum"))
        [(loss,)] = execute(self.con, call("_information_loss", classes, sums))
        return {"information_loss": loss}


@connection_first
def microaggregate(
    con: duckdb.DuckDBPyConnection,
    source: Source,
    *,
    qi: str | Iterable[str],
    sensitive: str | Iterable[str] | None = None,
    keep: str | Iterable[str] = (),
    hierarchies: Source = None,
    algorithm: str = "mdav",
    gamma: float = 0.2,
    center: str = "mean",
    seed: int | None = None,
    unit: str | None = None,
    into: str | None = None,
    replace: bool = False,
    progress: Progress | bool | None = None,
    **requirements: Unpack[Requirements],
) -> Release:
    """Anonymize a table by microaggregation (Domingo-Ferrer and Mateo-Sanz 2002).

    Groups of at least k rows release what is in their middle.

    source: the name of a table, view or file, a DataFrame, an Arrow table or a relation of this connection.
    hierarchies: likewise, with columns attribute, value, level, label.

    algorithm: mdav (groups of k around the rows farthest out; Domingo-Ferrer and Torra 2005), vmdav (of k to
    2k - 1, where gamma, at least 0, says how readily a group takes more: 0.2 for scattered and 1.1 for
    clustered rows; Solanas and Martínez-Ballesté 2006), univariate (the optimum on one column of numbers or
    dates; Hansen and Mukherjee 2003) or curve (every k rows along Hilbert's curve). Tables of more than
    100,000 rows are first cut into blocks by medians for mdav and vmdav, and each block is grouped by itself.

    requirements: k, and others, but none about a population or known releases. These and hierarchies, center
    and seed are as in the macro `sqlanon.microaggregate`, which gives the same rows. The columns in qi (as
    centers), sensitive and keep are released, and no other.

    into, replace: as in `mondrian`. progress is called with the share of rows that are in groups, then in
    classes (0 to 1), and a message.

    The release is checked by a statement of its own before it becomes visible; after an error or interrupt
    nothing is left behind, as for `mondrian`. Its details: information_loss (0 to 1), the sum of squares
    within classes as a share of that of the table (SSE / SST).

    Errors: InputError (unknown column, empty table, k above the number of rows, a number that is not finite,
    a value missing in its hierarchy, into exists), SqlError, VerificationError.
    """
    required = complete(
        requirements, "microaggregate", population="a center covers nobody of a population",
        known="people are found at the nearest center, which need not be theirs; take k_similar",
    )  # fmt: skip
    form = {"algorithm": algorithm, "gamma": gamma, "center": center, "seed": seed, "unit": unit}
    return anonymize(
        con, source, roles(qi, sensitive, keep), into, replace, progress, Microaggregation, "microaggregate",
        required | form, hierarchies=hierarchies,
    )  # fmt: skip
