"""Counts with consistent noise: the same people have the same noise, and all answers together leave an error.

Asking in other words wins nothing. Asking in parts does: the parts have noise of their own, and the mean of
many sums of parts has little. So before an answer leaves, the least error that all answers together leave is
computed from the questions alone, the refused ones apart, and the answer is refused whole if that falls below
the policy's least_error. A refusal says nothing of the table.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from sqlanon.answers.cells import Numbers
from sqlanon.answers.least_errors import best_estimate
from sqlanon.answers.question import Aggregate, Part, Question
from sqlanon.answers.stored import StoredCounts
from sqlanon.answers.structure import Structure, structure_of
from sqlanon.answers.table import AskingTable
from sqlanon.core.errors import InputError, RefusedError
from sqlanon.core.statements import call, execute
from sqlanon.core.tables import transaction
from sqlanon.publishing.register import ALIAS, Register

ROUNDING = 1e-9  # of computed variances
NAMED = 3  # earlier questions in a refusal


class ConsistentAnswer(StoredCounts):
    """One question, answered with consistent noise."""

    number_columns = ("lower", "upper", "estimate")
    judged = "estimate"

    def __init__(self, asking: AskingTable, question: Question, register: Register) -> None:
        super().__init__(asking, question, register)
        self.section = asking.policy.section
        noise = {key: self.section[key] for key in ("largest", "variance", "blocked") if key in self.section}
        try:
            self.noise = asking.work.make("noise", call("perturbation_table", **noise)).name
        except InputError as error:
            raise asking.policy.wrong("answers.variance", f"does not fit: {error}") from None

    def type_of(self, what: Aggregate, name: str) -> str:
        return "integer"

    def nothing(self, what: Aggregate) -> Sequence[Any]:
        return self._bounds(0)

    def _bounds(self, noisy: int) -> tuple[int, int, int]:
        """Lower, upper and estimate. A count of 0 has no noise, so that whatever is above has somebody."""
        largest = self.section["largest"]
        return max(noisy - largest, int(noisy > 0)), noisy + largest, noisy

    def tell(self, parts: Sequence[Part]) -> None:
        self._judge(parts)
        counted = [(part, self._counts(part)) for part in parts]
        self.register.keep_secret()
        with transaction(self.asking.con):
            for part, cells in counted:
                self.keep(self.asking.con, part, cells)

    def _counts(self, part: Part) -> dict[Numbers, Sequence[Any]]:
        """The numbers of the cells of a part that have people."""
        asking = self.asking
        dimensions = [f"d{each.nth}" for each in asking.dimensions.values()]
        counts = call(
            "_counts_with_consistent_noise", asking.work.make("of_question", asking.rows_of(part)).name,
            [asking.columns[name].number for name in part.names], dimensions,
            None if asking.unit is None else "unit", f"{ALIAS}.hash_key", self.noise,
        )  # fmt: skip
        return {tuple(group): self._bounds(noisy) for noisy, *group in execute(asking.con, counts)}

    # WHAT ALL ANSWERS TELL

    def _judge(self, parts: Sequence[Part]) -> None:
        """Errors: RefusedError where all answers together would leave less than the least error."""
        before = [*self.earlier_answers()]
        structure = structure_of(self.asking, [*map(self.part, before), *parts])
        most = self.section.get("max_cells", math.inf)
        in_cells = structure.matrix.sum(axis=0)
        if in_cells.max(initial=0) > most:
            cells = structure.matrix[:, in_cells.argmax()]
            raise self._refusal(
                f"somebody would count in {in_cells.max()} told cells, and may in {most} (answers.max_cells)",
                structure, cells.astype(np.float64), before,
            )  # fmt: skip
        for cells, numbers in structure.models():
            best = best_estimate(cells)
            error = math.sqrt(best.variance * self.section["variance"])
            if error < self.section["least_error"] - ROUNDING:
                weights = np.zeros(len(structure.questions))
                weights[numbers] = best.weights
                raise self._refusal(
                    f"all answers together would leave an error of {error:.3g} in a count, and must leave "
                    f"{self.section['least_error']:g}",
                    structure, weights, before,
                )  # fmt: skip

    def _refusal(self, why: str, structure: Structure, weights: Any, before: Sequence[str]) -> RefusedError:
        """A refusal that names the earlier questions that weigh most."""
        heavy = [
            number
            for number in np.argsort(-np.abs(weights), kind="stable")
            if abs(weights[number]) > ROUNDING
        ]
        questions = (
            before[nth] for number in heavy for nth in structure.questions[number] if nth < len(before)
        )
        named = [*dict.fromkeys(questions)]
        beside = "; ".join(named[:NAMED]) + (" and others" if named[NAMED:] else "")
        return RefusedError(
            [f"{why}: beside what was told before: {beside}" if named else f"{why}: ask for less at once"]
        )
