"""Answers with noise: differential privacy, which the budget of the table pays for.

Each column of numbers that a question asks for, of each of its grouping sets, costs what the policy says. It
is drawn, and entered together with its cost in one transaction of the register, before anybody gets it: there
is no answer without an entry, and none that is paid for and lost. The same is never drawn twice, so that
asking again tells nothing, and costs nothing. What a question costs, and whether it is refused, depends on
questions alone.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlglot import exp

from sqlanon.answers.question import Aggregate, Part, Question
from sqlanon.answers.stored import StoredAnswer
from sqlanon.answers.table import AskingTable
from sqlanon.core.statements import call, execute, literal, named_table, select
from sqlanon.macros import randomize
from sqlanon.publishing.ledger import Ledger
from sqlanon.publishing.register import Register
from sqlanon.randomize.cost import Cost

# Columns of the counted rows: one group of everybody, and whether somebody is in the part of a share.
EVERYBODY, IN_PART = "everybody", "in_part"
# The macro that draws, and its column, by the kind of number; for all others dp_counts and n.
OF_KINDS = {"sum": ("dp_sums", "total"), "avg": ("dp_means", "mean")}


@dataclass
class _Payer:
    """Who learns what a release costs, and pays later; is_quiet: without what bounds leave out, which is not
    for who asks."""

    cost: Cost | None = None
    is_quiet: bool = True

    def spend(self, cost: Cost) -> None:
        self.cost = cost


class NoisyAnswer(StoredAnswer):
    """One question, answered with noise."""

    number_columns = ("estimate", "low", "high")
    judged = "estimate"

    def __init__(self, asking: AskingTable, question: Question, register: Register) -> None:
        super().__init__(asking, question, register)
        section = asking.policy.section
        self.ledger = Ledger(register, self.source, asking.policy.unit)
        self.price = {key: section[key] for key in ("epsilon", "delta", "mechanism") if key in section}

    def tell(self, parts: Sequence[Part]) -> None:
        prepared = [(part, self._rows(part)) for part in parts]  # what can be refused by the question
        epsilon, delta = self.price["epsilon"], self.price.get("delta", 0)
        mechanism, unit = self.price.get("mechanism", "laplace"), self.asking.policy.unit
        self.ledger.check(
            Cost(epsilon * len(parts), delta * len(parts), None, mechanism, "a question", unit=unit)
        )
        for part, (rows, sizes) in prepared:
            self._draw(part, rows, sizes)

    def type_of(self, what: Aggregate, name: str) -> str:
        return "integer" if what.kind in ("count", "people") else "number"

    def remarks(self) -> list[str]:
        return [str(self.ledger.standing())]

    def _rows(self, part: Part) -> tuple[exp.Select, dict[str, int]]:
        """The rows that a part is about, and the columns that are grouped by: how many groups each has."""
        asking, what = self.asking, part.what
        by = [asking.columns[name] for name in part.names]
        sizes = {EVERYBODY: 1} | {each.number: each.size for each in by}
        columns = [exp.alias_(exp.cast(literal(0), "integer"), EVERYBODY), *map(exp.column, [*sizes][1:])]
        if what.kind == "share" and what.filter is not None:
            sizes[IN_PART] = 2
            is_met = exp.Coalesce(this=asking.placed(what.filter), expressions=[exp.false()])
            columns.append(exp.alias_(exp.cast(exp.paren(is_met), "integer"), IN_PART))
        if asking.unit is not None:
            columns.append(exp.column("unit"))
        if what.kind in OF_KINDS and what.measure is not None:
            columns.append(exp.alias_(exp.column(f"m{asking.measures[what.measure].nth}"), "measure"))
        return asking.rows_of(part).select(*columns, append=False), sizes

    def _draw(self, part: Part, rows: exp.Select, sizes: Mapping[str, int]) -> None:
        """Draw a part, and enter it with its cost."""
        asking, what, payer = self.asking, part.what, _Payer()
        con, work, section = asking.con, asking.work, asking.policy.section
        macro, shown = OF_KINDS.get(what.kind, ("dp_counts", "n"))
        given: dict[str, Any] = {**self.price, "ledger": payer}
        if asking.unit is not None:
            given["max_groups"] = min(section["max_groups"], math.prod(sizes.values()))
            given["max_rows"] = 1 if what.kind == "people" else section.get("max_rows", 1)
            given["unit"] = "unit"
        if what.kind in OF_KINDS and what.measure is not None:
            of = asking.measures[what.measure]
            given |= {"measure": "measure", "bounds": (of.low, of.high)}
        given["keys"] = work.make("keys", call("_all_groups", [*sizes], [*sizes.values()])).name
        made = getattr(randomize, macro)(con, work.make("of_question", rows).name, [*sizes], **given)
        drawn: exp.Expression = named_table(made.table)
        work.discard_later(named_table(made.table))
        if IN_PART in sizes:
            drawn = call("_shares_of_counts", made.table, [*sizes][:-1]).subquery()
            shown = "share"
        groups = [name for name in sizes if name not in (EVERYBODY, IN_PART)]
        found = execute(con, select(drawn, *groups, shown, "low", "high"))
        cells = {row[: len(groups)]: row[len(groups) :] for row in found}
        cost = replace(made.cost, unit=asking.policy.unit, query=self.text_of(part))
        self.ledger.spend(cost, lambda con, spent: self.keep(con, part, cells, spent))
