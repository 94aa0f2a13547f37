"""What a model loses that learns from a release: it is tested on original rows that are in no release."""

from __future__ import annotations

import copy
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import duckdb
from sqlglot import exp

from sqlanon.core.errors import InputError, UseError
from sqlanon.core.source import lower
from sqlanon.core.statements import answer, call, count, execute, relation, select
from sqlanon.core.tables import WorkTables
from sqlanon.measure.features import to_features

if TYPE_CHECKING:
    import pandas as pd

PARTS = 4  # of which one is put aside
TEXTS = re.compile("VARCHAR|BOOLEAN|ENUM|UUID")  # types of columns that are categories


def check_target(target: str, qi: Sequence[str], unchanged: Sequence[str]) -> None:
    """Does a column leave as it is? Errors: UseError."""
    if target.lower() in lower(qi):
        raise UseError(f"target {target} is a quasi-identifier, which does not leave as it is")
    if target.lower() not in lower(unchanged):
        raise UseError(f"target {target} does not leave by this policy: name it in sensitive or keep")


def put_aside(
    con: duckdb.DuckDBPyConnection, work: WorkTables, table: str, unit: str | None, seed: int
) -> tuple[str, str]:
    """The tables to train on and to test on, which has a quarter of the people with all of their rows."""

    def part(name: str, which: list[int]) -> str:
        return work.make(
            name, call("_every_nth", table, unit, PARTS, which=which, purpose=f"put aside {seed}")
        ).name

    return part("train", [*range(1, PARTS)]), part("test", [0])


@dataclass
class Trial:
    """A model that learns from releases of one table, and is tested on other rows. train, test: the tables of
    raw rows. hierarchies: what released labels stand for. seed: of the draws among the values of a set."""

    con: duckdb.DuckDBPyConnection
    estimator: Any
    target: str
    qi: Sequence[str]
    hierarchies: str | None
    train: str
    test: str
    seed: int

    def loss(self, release: str) -> float:
        """1 less the score by the release, as a share of that by the original. Errors: InputError, and those
        of the estimator."""
        found = self._features(release)
        for name in self._original.columns.intersection(self.qi):
            if any(feature.startswith(f"{name}=") for feature in found):
                raise InputError(f"released values of {name} are no numbers: hierarchies say what they mean")
        if self.hierarchies is None and (strange := found.columns.difference(self._known).tolist()):
            raise InputError(f"the released value {strange[0]} stands for no value of the table")
        return 1 - self._score(release, found) / self._of_original

    @cached_property
    def _original(self) -> pd.DataFrame:
        return self._features(self.train)

    @cached_property
    def _categories(self) -> list[str]:
        """Of texts, a column for each category, also where they look like numbers: they leave as sets."""
        each = [exp.column(name, quoted=True) for name in self.qi]
        types = map(str, answer(self.con, select(relation(self.train), *each)).types)
        return [name for name, type in zip(self.qi, types, strict=True) if TEXTS.match(type)]

    @cached_property
    def _tested(self) -> pd.DataFrame:
        return self._features(self.test)

    @cached_property
    def _known(self) -> pd.Index:
        return self._original.columns.union(self._tested.columns)

    @cached_property
    def _of_original(self) -> float:
        score = self._score(self.train, self._original)
        if not score > 0:
            raise UseError(f"trained on the original the estimator scores {score:.3g}: nothing can be lost")
        return score

    def _features(self, table: str) -> pd.DataFrame:
        """Of each category 1 or 0, as original rows have it: a set stands for one of its values, drawn by
        lot. (By shares, which tested rows never have, a model would learn what it cannot use.)"""
        import numpy as np
        import pandas as pd

        draw = np.random.default_rng(self.seed)
        [(rows,)] = execute(self.con, count(relation(table)))
        parts = [pd.DataFrame({"": np.ones(rows)})]  # where nothing is left, the usual is learned
        for name in self.qi:
            categories = [name] if name in self._categories else None
            found = to_features(self.con, table, [name], categories, self.hierarchies)
            if name not in found and len(found):
                shares = found.to_numpy().cumsum(axis=1)
                is_chosen = shares > draw.random(rows)[:, None]
                found[:] = np.diff(is_chosen, axis=1, prepend=False).astype(float)
            parts.append(found)
        return pd.concat(parts, axis=1)

    def _score(self, table: str, features: pd.DataFrame) -> float:
        """Of a model that learned from this table. What is missing is the mean."""
        usual = features.mean()
        tested = self._tested.reindex(columns=features.columns, fill_value=0.0)
        wanted, known = self._targets(table), self._targets(self.test)
        has_target, has_answer = wanted.notna().to_numpy(), known.notna().to_numpy()
        model = copy.deepcopy(self.estimator)
        model.fit(features.fillna(usual).to_numpy()[has_target], wanted[has_target].to_numpy())
        return float(model.score(tested.fillna(usual).to_numpy()[has_answer], known[has_answer].to_numpy()))

    def _targets(self, table: str) -> pd.Series[Any]:
        found = answer(self.con, select(relation(table), exp.column(self.target, quoted=True)))
        if str(found.types[0]).endswith("[]"):
            raise InputError(f"each row has several values of {self.target}, and a model learns from one")
        return found.df().iloc[:, 0]
