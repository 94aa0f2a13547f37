"""What a model loses that learns from a release: it learns from what tested rows have, too."""

from __future__ import annotations

from collections import Counter
from typing import Any

import duckdb
import pytest

from sqlanon.core.errors import InputError, UseError
from sqlanon.measure.trained import Trial


class Memory:
    """A model that knows the most frequent target of each row of features that it has seen."""

    def fit(self, features: Any, targets: Any) -> None:
        self.seen: dict[tuple[float, ...], Counter[Any]] = {}
        for row, target in zip(features, targets, strict=True):
            self.seen.setdefault(tuple(row), Counter())[target] += 1

    def score(self, features: Any, targets: Any) -> float:
        guesses = [self.seen.get(tuple(row), Counter(["?"])).most_common(1)[0][0] for row in features]
        return float(sum(map(str.__eq__, guesses, targets)) / len(targets))


@pytest.fixture
def trial(con: duckdb.DuckDBPyConnection) -> Trial:
    con.execute(
        """create table train as
            select 'abcd'[1 + i % 4] as town, if(i % 4 < 2, 'x', 'y') as kind from range(80) as t(i);
        create table test as from train limit 8;
        create table sets as select if(kind = 'x', '{a, b}', '{c, d}') as town, kind from train;
        create table labels as select if(kind = 'x', 'North', 'South') as town, kind from train;
        create table nothing as select '*' as town, kind from train;
        create table dealt as select town, ['x', 'y'] as kind from train;
        create table hierarchy as select distinct 'town' as attribute, train.town as value, 1 as level,
            if(kind = 'x', 'North', 'South') as label from train"""
    ).fetchall()
    return Trial(con, Memory(), "kind", ["town"], None, "train", "test", 1)


def test_a_set_is_one_of_its_values(con: duckdb.DuckDBPyConnection, trial: Trial) -> None:
    """By shares, rows of features would be ones that no tested row has."""
    assert trial.loss("sets") == 0
    by_labels = Trial(con, Memory(), "kind", ["town"], "hierarchy", "train", "test", 1)
    assert by_labels.loss("labels") == 0
    assert trial.loss("nothing") == 0.5


def test_a_number_left_out_and_a_set_with_null(con: duckdb.DuckDBPyConnection) -> None:
    con.execute(
        """create table raw as select i as age, if(i % 4 = 0, null, 'ab'[1 + i % 2]) as town,
                if(i % 2 = 1, 'x', 'y') as kind
            from range(80) as t(i);
        create table out as select '*' as age, if(town = 'a', 'a', '{NULL, b}') as town, kind from raw"""
    ).fetchall()
    trial = Trial(con, Memory(), "kind", ["age", "town"], None, "raw", "raw", 1)
    assert trial.loss("out") == 0.25


def test_what_teaches_nothing_is_said(con: duckdb.DuckDBPyConnection, trial: Trial) -> None:
    with pytest.raises(InputError, match="the released value town=North stands for no value of the table"):
        trial.loss("labels")
    with pytest.raises(InputError, match="each row has several values of kind"):
        trial.loss("dealt")
    con.execute("update test set kind = 'z'").fetchall()
    with pytest.raises(UseError, match="trained on the original the estimator scores 0"):
        trial.loss("sets")
