"""Microaggregation against the slow one; its release in SQL and in Python; people at the nearest centroid."""

# As texts: Hypothesis keeps evaluated annotations, and DuckDB 2.0 reports its types there as leaks.
from __future__ import annotations

import datetime
import statistics
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import duckdb
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sqlanon
from sqlanon import kernels, microaggregate_driver
from tests import data
from tests.oracles import microaggregation as oracle
from tests.tables import call, identifier, rows

few = settings(deadline=None, max_examples=25)
fewer = settings(deadline=None, max_examples=6)
many = settings(deadline=None, max_examples=200)

Found = list[tuple[Any, ...]]


@pytest.fixture(scope="module")
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        sqlanon.register(connection)
        yield connection


def fetch(con: duckdb.DuckDBPyConnection, sql: str) -> Found:
    return con.execute(sql).fetchall()


def nothing(rows: int) -> None:
    pass


class Case:
    """Points for the kernels, and the rows that they stand for."""

    def __init__(
        self,
        numbers: Sequence[Sequence[int]],
        categories: Sequence[Sequence[int]],
        steps: Sequence[int],
        weights: Sequence[int],
    ) -> None:
        self.points = kernels.points(
            [np.array(column, dtype=np.int64) for column in zip(*numbers, strict=True)],
            [np.array(column, dtype=np.int64) for column in zip(*categories, strict=True)],
            steps,
            np.array(weights, dtype=np.int64),
        )
        point_of_row = [i for i, weight in enumerate(weights) for _ in range(weight)]
        self.rows = oracle.vectors(
            [numbers[i] for i in point_of_row], [categories[i] for i in point_of_row], steps
        )

    def __repr__(self) -> str:
        return f"Case of {self.points}"


def as_groups(group_of_row: Any) -> list[list[int]]:
    """Groups as lists of rows, in any order."""
    groups: dict[int, list[int]] = {}
    for row, group in enumerate(group_of_row.tolist()):
        groups.setdefault(group, []).append(row)
    return sorted(groups.values())


def in_order(groups: list[list[int]]) -> list[list[int]]:
    return sorted(sorted(group) for group in groups)


@st.composite
def cases(draw: st.DrawFn, attributes: int = 3) -> Case:
    """Few values, so that many distances are equal."""
    size = draw(st.integers(1, 40))
    n_numbers = draw(st.integers(0, attributes))
    n_categories = draw(st.integers(0, 2))
    cell = st.sampled_from([-3, 0, 1, 2, 50])
    return Case(
        draw(st.lists(st.tuples(*[cell] * n_numbers), min_size=size, max_size=size)),
        draw(st.lists(st.tuples(*[st.integers(0, 3)] * n_categories), min_size=size, max_size=size)),
        draw(st.tuples(*[st.sampled_from([0, 2, 3])] * n_categories)),
        draw(st.lists(st.sampled_from([1, 1, 1, 2, 9]), min_size=size, max_size=size)),
    )


class TestKernels:
    @many
    @given(cases(), st.integers(1, 6))
    def test_mdav(self, case: Case, k: int) -> None:
        if len(case.rows) < k:
            return
        found = as_groups(kernels.mdav(case.points, k, nothing))
        assert found == in_order(oracle.mdav(case.rows, k))
        assert {len(group) for group in found} <= set(range(k, 2 * k))

    @many
    @given(cases(), st.integers(1, 6), st.sampled_from([0, 0.2, 1.1, 3]))
    def test_vmdav(self, case: Case, k: int, gamma: float) -> None:
        if len(case.rows) < k:
            return
        found = as_groups(kernels.vmdav(case.points, k, gamma, nothing))
        assert found == in_order(oracle.vmdav(case.rows, k, gamma))
        assert all(k <= len(group) <= 3 * k - 2 for group in found)

    @many
    @given(st.lists(st.integers(-9, 9), min_size=1, max_size=30), st.integers(1, 5))
    def test_univariate(self, values: list[int], k: int) -> None:
        if len(values) < k:
            return
        counted = sorted(Counter(values).items())
        case = Case([(value,) for value, _ in counted], [()] * len(counted), [], [n for _, n in counted])
        found = as_groups(kernels.univariate(case.points, k, nothing))
        vectors = [[value] for value in sorted(values)]
        assert all(group == list(range(group[0], group[-1] + 1)) for group in found)
        assert {len(group) for group in found} <= set(range(k, 2 * k))
        assert oracle.sse(vectors, found) == oracle.univariate_optimum(values, k)

    @few
    @given(st.lists(st.integers(-9, 9), min_size=2, max_size=8), st.integers(2, 3))
    def test_no_grouping_at_all_is_better_on_one_attribute(self, values: list[int], k: int) -> None:
        if len(values) < k:
            return
        vectors = [[value] for value in sorted(values)]
        least = min(
            oracle.sse(vectors, groups) for groups in oracle.every_grouping(range(len(values)), k)
        )
        assert oracle.univariate_optimum(values, k) == least

    def test_groups_of_variable_size_follow_clusters(self) -> None:
        """Clusters of 3 to 5 rows, and k = 3: V-MDAV finds them, where groups of three cannot."""
        random = np.random.default_rng(3)
        clusters = [random.integers(0, 10**6, size=2) for _ in range(60)]
        points = sorted(
            {
                tuple(int(x) for x in center + random.integers(-2000, 2000, size=2))
                for i, center in enumerate(clusters)
                for _ in range(3 + i % 3)
            }
        )
        case = Case(points, [()] * len(points), [], [1] * len(points))
        fixed = as_groups(kernels.mdav(case.points, 3, nothing))
        variable = as_groups(kernels.vmdav(case.points, 3, 1.1, nothing))
        assert oracle.sse(case.rows, variable) < oracle.sse(case.rows, fixed) / 2

    def test_rows_are_told(self) -> None:
        case = Case([(i,) for i in range(4000)], [()] * 4000, [], [1] * 4000)
        for work in (kernels.mdav, kernels.univariate):
            told: list[int] = []
            work(case.points, 2, told.append)
            assert told == sorted(told)
            assert len(told) > 2
            assert told[-1] == 4000
