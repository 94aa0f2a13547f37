"""Microaggregation against the slow one; its release in SQL and in Python; people at the nearest centroid."""

# As texts: Hypothesis keeps evaluated annotations, and DuckDB 2.0 reports its types there as leaks.
from __future__ import annotations

import datetime
import gc
import itertools
import statistics
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sqlanon
from sqlanon.anonymize import mdav
from sqlanon.core import library
from tests import data
from tests.budget import examples
from tests.oracles import microaggregation as oracle
from tests.tables import call, identifier, rows

few = examples(8)
fewer = examples(3)
many = examples(100)

Found = list[tuple[Any, ...]]
ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        sqlanon.register_functions(connection)
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
        self.points = mdav.points(
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
        result = as_groups(mdav.mdav(case.points, k, nothing))
        assert result == in_order(oracle.mdav(case.rows, k))
        assert {len(group) for group in result} <= set(range(k, 2 * k))

    @many
    @given(cases(), st.integers(1, 6), st.sampled_from([0, 0.2, 1.1, 3]))
    def test_vmdav(self, case: Case, k: int, gamma: float) -> None:
        if len(case.rows) < k:
            return
        result = as_groups(mdav.vmdav(case.points, k, gamma, nothing))
        assert result == in_order(oracle.vmdav(case.rows, k, gamma))
        assert all(k <= len(group) <= 3 * k - 2 for group in result)

    @many
    @given(st.lists(st.integers(-9, 9), min_size=1, max_size=30), st.integers(1, 5))
    def test_univariate(self, values: list[int], k: int) -> None:
        if len(values) < k:
            return
        counted = sorted(Counter(values).items())
        case = Case([(value,) for value, _ in counted], [()] * len(counted), [], [n for _, n in counted])
        result = as_groups(mdav.univariate(case.points, k, nothing))
        vectors = [[value] for value in sorted(values)]
        assert all(group == list(range(group[0], group[-1] + 1)) for group in result)
        assert {len(group) for group in result} <= set(range(k, 2 * k))
        assert oracle.sse(vectors, result) == oracle.univariate_optimum(values, k)

    @few
    @given(st.lists(st.integers(-9, 9), min_size=2, max_size=8), st.integers(2, 3))
    def test_no_grouping_at_all_is_better_on_one_attribute(self, values: list[int], k: int) -> None:
        if len(values) < k:
            return
        vectors = [[value] for value in sorted(values)]
        least = min(oracle.sse(vectors, groups) for groups in oracle.every_grouping(range(len(values)), k))
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
        fixed = as_groups(mdav.mdav(case.points, 3, nothing))
        variable = as_groups(mdav.vmdav(case.points, 3, 1.1, nothing))
        assert oracle.sse(case.rows, variable) < oracle.sse(case.rows, fixed) / 2

    def test_rows_are_told(self) -> None:
        case = Case([(i,) for i in range(4000)], [()] * 4000, [], [1] * 4000)
        for work in (mdav.mdav, mdav.univariate):
            answer: list[int] = []
            work(case.points, 2, answer.append)
            assert answer == sorted(answer)
            assert len(answer) > 2
            assert answer[-1] == 4000


def release(con: duckdb.DuckDBPyConnection, table: str = "people", **arguments: Any) -> Found:
    """What the function releases."""
    return sqlanon.microaggregate(con, table, **arguments).relation(con).fetchall()


def coordinates(
    con: duckdb.DuckDBPyConnection, table: str, qi: Sequence[str], hierarchies: str | None = None
) -> tuple[list[tuple[Any, ...]], Case]:
    """The raw values of the points, and the points as the kernels see them."""
    fetch(con, f"create or replace temp table _h as from sqlanon._hierarchies({oracle_literal(hierarchies)})")
    fetch(con, "create or replace temp table _l as from sqlanon._leaves('_h')")
    fetch(con, f"create or replace temp table _c as from sqlanon._numbered_combinations('{table}', {qi}, [])")
    fetch(con, "create or replace temp table _s as from sqlanon._sensitive_combinations('_c', [])")
    fetch(con, f"create or replace temp table _t as from sqlanon._tuples('_c', '_s', '_l', {qi}, [])")
    fetch(
        con,
        f"create or replace temp table _d as from sqlanon._microaggregation_domain('_c', '_t', '_l', {qi})",
    )
    fetch(con, "create or replace temp table _x as from sqlanon._microaggregation_coordinates('_d')")
    fetch(
        con,
        f"create or replace temp table _p as from sqlanon._microaggregation_points('_c', '_t', '_x', {qi})",
    )
    places = range(1, len(qi) + 1)

    def column(prefix: str) -> Found:
        return fetch(con, f"select {', '.join(f'{prefix}{i}' for i in places)} from _p order by point_id")

    weights = [n for (n,) in fetch(con, "select n from _p order by point_id")]
    return column("q"), Case(column("x"), column("c"), column("step")[0], weights)


def oracle_literal(name: str | None) -> str:
    return "null" if name is None else f"'{name}'"


class TestCoordinates:
    def test_numbers_and_dates_are_standardized(self, con: duckdb.DuckDBPyConnection) -> None:
        values: list[list[Any]] = [
            [3, 1, 1, None, 20, 1],
            [1.5, -2.25, 1e-300, 1e300, 7.0, 7.0],
            [datetime.date(2020, 1, i) for i in (1, 5, 5, 9, 30, 2)],
            [4, 4, 4, 4, 4, 4],
        ]
        con.execute(
            "create or replace table t as select unnest(?::integer[]) as a, unnest(?::double[]) as b, "
            "unnest(?::date[]) as d, unnest(?::smallint[]) as e",
            values,
        ).fetchall()
        raw, _ = coordinates(con, "t", ["a", "b", "d", "e"])
        result = fetch(con, "select x1, x2, x3, x4 from _p order by point_id")
        days = [None if d is None else d.toordinal() for d in values[2]]
        scaled = [None if b is None else b / 1e300 for b in values[1]]
        wanted = zip(
            *(oracle.standardized(each) for each in (values[0], scaled, days, values[3])), strict=True
        )
        by_row = dict(zip(zip(*values, strict=True), wanted, strict=True))
        for row, at in zip(raw, result, strict=True):
            assert at == pytest.approx(by_row[row], abs=1)
        assert fetch(con, "select distinct step2, step3, step4 from _p") == [(0, 0, 0)]
        [(step,)] = fetch(con, "select distinct step1 from _p")  # a NULL or not
        assert step == pytest.approx(oracle.step([value is None for value in values[0]]), abs=1)

    @pytest.mark.parametrize("values", [["a", "b", "b", None, "c"], ["x", "x"], ["x", "y"], list("aaaaaaab")])
    def test_random_rows_differ_on_text_as_much_as_on_a_number(
        self, con: duckdb.DuckDBPyConnection, values: list[str | None]
    ) -> None:
        con.execute("create or replace table t as select unnest(?::varchar[]) as a", [values]).fetchall()
        _, case = coordinates(con, "t", ["a"])
        [(step,)] = fetch(con, "select distinct step1 from _p")
        assert step == pytest.approx(oracle.step(values), abs=1)
        squares = [oracle.squared(one, other) for one in case.rows for other in case.rows]
        expected = 2e10 if len(set(values)) > 1 else 0
        assert statistics.fmean(squares or [0]) == pytest.approx(expected, rel=1e-4)

    def test_text_with_a_hierarchy_is_at_the_place_of_its_leaf(self, con: duckdb.DuckDBPyConnection) -> None:
        fetch(con, "create or replace table t as select unnest(['paris', 'rome', 'lima', 'quito']) as city")
        fetch(
            con,
            """create or replace table h as
            select 'City' as attribute, city as value, unnest([0, 1, 2]) as level,
                unnest([city, case when city in ('lima', 'quito') then 'america' else 'europe' end,
                    '*']) as label
            from t""",
        )
        coordinates(con, "t", ["city"], "h")
        result = fetch(con, "select q1 from _p where step1 = 0 order by x1")
        assert result == [("lima",), ("quito",), ("paris",), ("rome",)]

    @pytest.mark.parametrize(
        ("type_", "value"),
        [
            ("DOUBLE", "nan"),
            ("DOUBLE", "inf"),
            ("FLOAT", "-inf"),
            ("DATE", "infinity"),
            ("TIMESTAMP", "-infinity"),
        ],
    )
    def test_no_coordinate(self, con: duckdb.DuckDBPyConnection, type_: str, value: str) -> None:
        fetch(
            con, f"create or replace table t as select '{value}'::{type_} as \"it's\", 1 as b from range(4)"
        )
        arguments: dict[str, Any] = {"qi": ["b", "it's"], "k": 2, "algorithm": "curve"}
        with pytest.raises(duckdb.Error, match=f"column it's has the value {value}, from which nothing"):
            rows(con, "microaggregate", "t", **arguments)
        with pytest.raises(
            sqlanon.InputError, match=f"column it's has the value {value}, from which nothing"
        ):
            sqlanon.microaggregate(con, "t", **arguments)


class TestCurve:
    @pytest.mark.parametrize("attributes", [1, 2, 3, 7, 31, 60])
    def test_places_are_those_of_the_oracle(self, con: duckdb.DuckDBPyConnection, attributes: int) -> None:
        qi = [f"c{i}" for i in range(attributes)]
        [(bits,)] = fetch(con, f"select sqlanon._curve_bits({qi})")
        assert bits == min(10, 60 // attributes)
        cells = np.random.default_rng(1).integers(0, 1 << bits, size=(40, attributes)).tolist()
        listed = ", ".join(f"cell[{i + 1}] as a{i + 1}" for i in range(attributes))
        con.execute(
            f"create or replace temp table some_cells as select point_id, {listed} "
            "from (select unnest(range(40)) as point_id, unnest(?::bigint[][]) as cell)",
            [cells],
        ).fetchall()
        result = fetch(con, f"select place from sqlanon._curve_places('some_cells', {qi}) order by point_id")
        assert result == [(oracle.hilbert(cell, bits),) for cell in cells]

    def test_neighbours_on_it_are_neighbours(self) -> None:
        order = sorted(
            ((x, y, z) for x in range(4) for y in range(4) for z in range(4)),
            key=lambda cell: oracle.hilbert(cell, 2),
        )
        assert {oracle.squared(one, other) for one, other in itertools.pairwise(order)} == {1}

    @pytest.mark.slow("0.3 s")
    def test_groups_are_cut_along_it(self, con: duckdb.DuckDBPyConnection) -> None:
        fetch(con, "create or replace table t as select unnest(range(23)) as a")
        released = release(con, "t", qi="a", k=5, algorithm="curve")
        assert Counter(Counter(released).values()) == {5: 3, 8: 1}


NAMES = ["qi 1", "qi 2", "qi 3"]


def load(
    con: duckdb.DuckDBPyConnection, table: str, columns: Sequence[tuple[str, Sequence[Any]]]
) -> list[str]:
    """A table of columns (type, values), `disease`, and `id`; its quasi-identifiers."""
    names = NAMES[: len(columns)]
    listed = ", ".join(
        f"unnest(?::varchar[])::{type_} as {identifier(name)}"
        for name, (type_, _) in zip(names, columns, strict=True)
    )
    size = len(columns[0][1])
    con.execute(
        f"create or replace table {table} as select *, 'd' || hash(id, 1) % 4 as disease "
        f"from (select {listed}, unnest(range({size})) as id)",
        [[None if value is None else str(value) for value in values] for _, values in columns],
    ).fetchall()
    return names


VALUES: dict[str, list[Any]] = {
    "INTEGER": [None, -5, 0, 1, 2, 3, 1000],
    "DOUBLE": [None, 0.5, 1.25, -1e9],
    "DECIMAL(9, 2)": [None, "0.50", "1.25", "-3.00"],
    "VARCHAR": [None, "", "a", "b", "it's", "ä"],
    "BOOLEAN": [None, "true", "false"],
    "DATE": [None, "1969-12-31", "2020-02-29", "2020-03-01"],
    "TIMESTAMP": [None, "1999-12-31 23:59:59", "2020-01-01 00:00:00.25"],
    "TIME": [None, "08:30:00", "23:59:59"],
    "ENUM ('small', 'medium', 'large')": [None, "small", "medium", "large"],
    "UUID": ["00000000-0000-0000-0000-000000000001", "00000000-0000-0000-0000-000000000002"],
}
Tables = st.integers(4, 30).flatmap(
    lambda n: st.lists(
        st.sampled_from(sorted(VALUES)).flatmap(
            lambda type_: st.tuples(
                st.just(type_), st.lists(st.sampled_from(VALUES[type_]), min_size=n, max_size=n)
            )
        ),
        min_size=1,
        max_size=3,
    )
)


def center(values: Sequence[Any], kind: str) -> Any:
    """What a group releases of a column."""
    answer = [value for value in values if value is not None]
    first = next(iter(answer), None)
    nominal = isinstance(first, str | bool | datetime.time) or type(first).__name__ == "UUID"
    if not nominal and len(answer) * 2 < len(values):
        return None
    if nominal or first is None:
        order = {None: -1, "small": 0, "medium": 1, "large": 2}
        counted = Counter(values).items()
        return min(
            counted,
            key=lambda each: (-each[1], each[0] is not None, order.get(each[0], 0), str(each[0]).encode()),
        )[0]
    if kind == "median":
        return sorted(answer)[(len(answer) - 1) // 2]
    if isinstance(first, datetime.datetime):
        start = datetime.datetime(1970, 1, 1)
        return start + sum((value - start for value in answer), datetime.timedelta()) / len(answer)
    if isinstance(first, datetime.date):
        days = sum(value.toordinal() for value in answer) / len(answer)
        return datetime.date.fromordinal(int(days + 0.5))
    return pytest.approx(float(sum(answer)) / len(answer), rel=1e-12)


class TestRelease:
    @few
    @given(Tables, st.sampled_from(["mean", "median"]), st.sampled_from(["mdav", "vmdav", "curve"]))
    def test_classes_release_what_is_in_their_middle(
        self, con: duckdb.DuckDBPyConnection, table: list[tuple[str, list[Any]]], center_: str, algorithm: str
    ) -> None:
        qi = load(con, "t", table)
        arguments: dict[str, Any] = {
            "qi": qi,
            "sensitive": "disease",
            "keep": "id",
            "k": 3,
            "center": center_,
            "seed": 1,
        }
        released = release(con, "t", algorithm=algorithm, **arguments)
        assert rows(con, "microaggregate", "t", algorithm=algorithm, **arguments) == released
        raw = {
            i: (values, disease)
            for *values, disease, i in fetch(
                con, f"select {', '.join(map(identifier, qi))}, disease, id from t"
            )
        }
        assert sorted(row[-1] for row in released) == sorted(raw)
        classes: dict[Any, list[int]] = {}
        for *centers, disease, i in released:
            assert disease == raw[i][1]
            classes.setdefault(tuple(centers), []).append(i)
        for centers, members in classes.items():
            assert len(members) >= 3
            if len(members) < 6:  # of several groups with equal centers this need not hold
                columns = zip(*(raw[i][0] for i in members), strict=True)
                for (type_, _), result, values in zip(table, centers, columns, strict=True):
                    assert result == center(values, center_), type_

    @pytest.mark.slow("1.7 s")
    @fewer
    @given(Tables, st.randoms(use_true_random=False), st.sampled_from(["mdav", "curve"]))
    def test_the_order_of_the_table_does_not_matter(
        self,
        con: duckdb.DuckDBPyConnection,
        table: list[tuple[str, list[Any]]],
        random: Any,
        algorithm: str,
    ) -> None:
        qi = load(con, "t", table)
        order = list(range(len(table[0][1])))
        random.shuffle(order)
        con.execute(
            "create or replace table shuffled as select t.* from t "
            "join (select unnest(?::bigint[]) as id, unnest(range(?)) as place) as o using (id) "
            "order by place",
            [order, len(order)],
        ).fetchall()
        roles: dict[str, Any] = {"qi": qi, "keep": ["id", "disease"]}
        arguments: dict[str, Any] = {**roles, "k": 2, "algorithm": algorithm, "seed": 1}
        assert release(con, "t", **arguments) == release(con, "shuffled", **arguments)

    @pytest.mark.slow("1 s a case")
    @pytest.mark.parametrize("algorithm", ["mdav", "curve"])
    def test_the_number_of_threads_changes_nothing(
        self, con: duckdb.DuckDBPyConnection, algorithm: str
    ) -> None:
        fetch(
            con,
            """create or replace table large as
            select hash(id, 1) % 997 / 7 as a, (hash(id, 2) % 20)::varchar as b,
                'd' || hash(id, 3) % 9 as disease, id
            from range(9000) as r(id)""",
        )
        threads = fetch(con, "select current_setting('threads')")[0][0]
        releases = []
        for number in (1, 4):
            fetch(con, f"set threads = {number}")
            releases.append(
                release(
                    con,
                    "large",
                    qi=["a", "b"],
                    sensitive="disease",
                    keep="id",
                    k=20,
                    l=8,
                    algorithm=algorithm,
                    seed=1,
                )
            )
        fetch(con, f"set threads = {threads}")
        assert releases[0] == releases[1]

    @pytest.mark.slow("0.4 s")
    def test_types(self, con: duckdb.DuckDBPyConnection) -> None:
        fetch(
            con,
            """create or replace table t as select range::utinyint as i, range::decimal(9, 2) as n,
                range::float as f,
                date '2020-01-01' + range::integer as d, timestamp '2020-01-01' as t,
                    timestamptz '2020-01-01 00:00:00+00' as z,
                time '08:00' as o, true as b, 'x'::enum('x') as e, uuid() as u, [1, range] as l
                from range(9)""",
        )
        qi = ["i", "n", "f", "d", "t", "z", "o", "b", "e", "u", "l"]
        for center_, numbers in (("mean", ["DOUBLE"] * 3), ("median", ["UTINYINT", "DECIMAL(9,2)", "FLOAT"])):
            relation = call("microaggregate", "t", qi=qi, k=3, algorithm="curve", center=center_)
            described = [row[1] for row in fetch(con, f"describe from {relation}")]
            zone = "TIMESTAMP" if center_ == "mean" else "TIMESTAMP WITH TIME ZONE"
            assert described == [
                *numbers,
                "DATE",
                "TIMESTAMP",
                zone,
                "TIME",
                "BOOLEAN",
                "VARCHAR",  # an ENUM would name values that no row has
                "UUID",
                "BIGINT[]",
            ]

    def test_only_named_columns_leave_in_the_order_of_their_roles(
        self, con: duckdb.DuckDBPyConnection
    ) -> None:
        load(con, "t", [("INTEGER", range(9)), ("VARCHAR", ["a"] * 9)])
        relation = call(
            "microaggregate", "t", qi=["qi 2", "qi 1"], sensitive="disease", k=3, algorithm="curve"
        )
        assert [name for name, *_ in fetch(con, f"describe from {relation}")] == ["qi 2", "qi 1", "disease"]

    @pytest.mark.slow("1.7 s")
    def test_a_seed_fixes_the_order_of_rows_and_nothing_else(self, con: duckdb.DuckDBPyConnection) -> None:
        load(con, "t", [("INTEGER", range(40))])
        arguments: dict[str, Any] = {"qi": "qi 1", "keep": "id", "k": 3, "algorithm": "curve"}
        one, again, other = (release(con, "t", seed=seed, **arguments) for seed in (1, 1, 2))
        unseeded = [release(con, "t", **arguments) for _ in range(2)]
        assert one == again
        assert one != other
        assert unseeded[0] != unseeded[1]
        assert sorted(one) == sorted(other) == sorted(unseeded[0]) == sorted(unseeded[1])

    @pytest.mark.slow("0.8 s")
    @pytest.mark.parametrize(
        "name", ['"', 'a"b', "it's", "a, b", "{i}", "{c}", "x1", "c1", "step1", "n", "class_id", "row_id",
                 "nearest", "center", "select", "k", "ä 😀"]
    )  # fmt: skip
    def test_hostile_names(self, con: duckdb.DuckDBPyConnection, name: str) -> None:
        table = "t " + name.replace('"', "")  # which query_table cannot read in DuckDB 1.5
        fetch(
            con,
            f"create or replace table {identifier(table)} as select i % 5 as {identifier(name)}, "
            f"'v' || i // 9 as other, 'd' || i % 2 as {identifier(name + '2')}, i as id from "
            "range(20) as r(i)",
        )
        arguments: dict[str, Any] = {
            "qi": [name, "other"],
            "sensitive": name + "2",
            "k": 3,
            "l": 2,
            "seed": 1,
            "algorithm": "curve",
        }
        made = sqlanon.microaggregate(con, identifier(table), **arguments)
        assert made.relation(con).columns == [name, "other", name + "2"]
        assert made.relation(con).fetchall() == rows(con, "microaggregate", identifier(table), **arguments)
        result = sqlanon.locate(con, made.table, identifier(table), id="id", qi=[name, "other"], nearest=True)
        assert len(result.fetchall()) == 20

    @pytest.mark.parametrize(
        "table", ["member", "middle", "class", "point", "cell", "state", "src", "judged", "value"]
    )
    def test_a_name_of_the_macros_own(self, con: duckdb.DuckDBPyConnection, table: str) -> None:
        load(con, identifier(table), [("INTEGER", range(9)), ("VARCHAR", ["a"] * 9)])
        arguments: dict[str, Any] = {
            "qi": ["qi 2", "qi 1"],
            "sensitive": "disease",
            "k": 3,
            "algorithm": "curve",
        }
        assert len(rows(con, "microaggregate", table, l=2, **arguments)) == 9
        fetch(con, f"drop table {identifier(table)}")


class TestRequirements:
    @few
    @given(st.data())
    def test_groups_are_merged_as_the_oracle_does(
        self, con: duckdb.DuckDBPyConnection, data: st.DataObject
    ) -> None:
        n = data.draw(st.integers(6, 30))
        table: list[tuple[str, list[Any]]] = [
            (type_, data.draw(st.lists(st.sampled_from(VALUES[type_]), min_size=n, max_size=n)))
            for type_ in ("INTEGER", "VARCHAR", "DOUBLE")
        ]
        qi = load(con, "t", table)
        l = data.draw(st.integers(2, 4))
        if len(fetch(con, "select distinct disease from t")) < l:
            return
        coordinates(con, "t", qi)

        def make(name: str, query: str) -> None:
            fetch(con, f"create or replace temp table {name} as {query}")

        make("_c", f"from sqlanon._numbered_combinations('t', {qi}, ['disease'])")
        make("_s", "from sqlanon._sensitive_combinations('_c', ['disease'])")
        make("_v", "from sqlanon._sensitive_values('_s', ['disease'])")
        make("_t", f"from sqlanon._tuples('_c', '_s', null, {qi}, ['disease'])")
        make("_w", "from sqlanon._whole('_t', '_v')")
        make("_m", "from sqlanon._marginal('_w')")
        make(
            "_e",
            "select null::int as attribute, null::int as code, null::int as level, null::int as node "
            "where false",
        )
        make(
            "_q",
            f"select sqlanon._requirements(null, {l}, null, null, null, null, 'equal', null, null, "
            "null) as req",
        )
        make(
            "_r",
            f"from sqlanon._microaggregation_rows('t', {qi}, ['disease'], ['id'], ['disease'], '_p', '_s')",
        )
        make("_g", f"from sqlanon._curve_groups('_r', '_p', {qi}, 2)")
        make("_u", f"from sqlanon._group_sums('_r', '_g', '_p', {qi})")
        make("_h", "from sqlanon._group_histograms('_r', '_g')")
        make("_w", "from sqlanon._group_strata('_r', '_g', '_p')")
        make("state", "from sqlanon._merge_start('_g')")
        while True:
            relations = "'state', '_u', '_h', '_w', '_v', '_m', '_e', '_q'"
            make("after", f"from sqlanon._merge_step({relations}, {qi})")
            if not fetch(con, "from after"):
                break
            make("state", "from after")
        result = fetch(
            con,
            "select list(row_id - 1 order by row_id) from state join _g using (group_id) group by class_id",
        )

        columns = ", ".join(f"{kind}{i}" for kind in ("x", "c", "step") for i in (1, 2, 3))
        points = fetch(
            con,
            f"select kept1, group_id, {columns} from _r join _p using (point_id) join _g using (row_id) "
            "order by row_id",
        )
        groups: list[list[int]] = [[] for _ in range(max(point[1] for point in points) + 1)]
        for row, (_, group, *_) in enumerate(points):
            groups[group].append(row)
        wanted = oracle.merged(
            groups, [point[2:5] for point in points], [point[5:8] for point in points], points[0][8:],
            lambda members: len({points[i][0] for i in members}) < l,
        )  # fmt: skip
        assert sorted(members for (members,) in result) == in_order(wanted)

    @pytest.mark.slow("0.9 s a case", but=(5,))
    @pytest.mark.parametrize("algorithm", ["mdav", "curve"])
    @pytest.mark.parametrize(
        "requirements",
        [
            {"l": 3},
            {"entropy_l": 2.5},
            {"t": 0.3, "t_distance": "equal"},
            {"recursive_c": 2, "l": 2, "alpha": 0.6},
        ],
    )
    def test_they_hold(
        self, con: duckdb.DuckDBPyConnection, algorithm: str, requirements: dict[str, Any]
    ) -> None:
        load(
            con,
            "t",
            [("INTEGER", [i * i % 37 for i in range(90)]), ("VARCHAR", [f"v{i % 4}" for i in range(90)])],
        )
        arguments: dict[str, Any] = {
            "qi": NAMES[:2], "sensitive": "disease", "keep": "id", "k": 3, "algorithm": algorithm, "seed": 1,
            **requirements
        }  # fmt: skip
        made = sqlanon.microaggregate(con, "t", **arguments)
        result = made.relation(con).fetchall()
        assert made.rows == len(result) == 90
        assert (
            sqlanon.violations(
                con, made.table, qi=NAMES[:2], sensitive="disease", k=3, **requirements
            ).fetchall()
            == []
        )
        assert made.classes > 2
        assert rows(con, "microaggregate", "t", **arguments) == result

    @pytest.mark.slow("0.4 s")
    @pytest.mark.parametrize("requirements", [{"k": 13}, {"k": 2, "l": 5}, {"k": 2, "alpha": 0.1}])
    def test_what_the_whole_table_does_not_meet_is_refused(
        self, con: duckdb.DuckDBPyConnection, requirements: dict[str, Any]
    ) -> None:
        load(con, "t", [("INTEGER", range(12))])
        arguments: dict[str, Any] = {
            "qi": "qi 1",
            "sensitive": "disease",
            "algorithm": "curve",
            **requirements,
        }
        message = "no release can meet the requirements: the whole table as one class reaches"
        with pytest.raises(sqlanon.InputError, match=message):
            sqlanon.microaggregate(con, "t", **arguments)
        with pytest.raises(duckdb.Error, match=message):
            rows(con, "microaggregate", "t", **arguments)


@pytest.fixture
def fresh() -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection whose SQL does not have the loops."""
    with duckdb.connect() as connection:
        sqlanon.register(connection)
        yield connection


class TestLoopsInSql:
    RELEASE = "select count(*), count(distinct age) from sqlanon.microaggregate('people', 'age', k := 3)"
    PEOPLE = "create or replace table people as select range as age from range(12)"

    @pytest.mark.slow("1.6 s a case", but=(0,))
    @pytest.mark.parametrize("algorithm", ["mdav", "vmdav", "univariate"])
    def test_they_are_in_python(self, fresh: duckdb.DuckDBPyConnection, algorithm: str) -> None:
        fetch(fresh, self.PEOPLE)
        message = (
            rf"algorithm {algorithm} is a loop that runs in Python: .*register_functions\(con\).*:= 'curve'"
        )
        with pytest.raises(duckdb.Error, match=message):
            rows(fresh, "microaggregate", "people", qi="age", k=3, algorithm=algorithm)
        sqlanon.register_functions(fresh)
        assert len(rows(fresh, "microaggregate", "people", qi="age", k=3, algorithm=algorithm)) == 12

    @pytest.mark.slow("3.7 s")
    def test_they_stay(self, tmp_path: Path) -> None:
        """After the cursor that made them known, a rollback, and another register;
        for a second connection.
        """
        with duckdb.connect(tmp_path / "people.duckdb") as con:
            fetch(con, self.PEOPLE)
            fetch(con, "begin")
            with con.cursor() as cursor:
                sqlanon.register_functions(cursor)
            sqlanon.register_functions(con)
            fetch(con, "rollback")
            gc.collect()
            assert fetch(con, self.RELEASE) == [(12, 4)]
            sqlanon.register(con)
            assert fetch(con, self.RELEASE) == [(12, 4)]
            with duckdb.connect(tmp_path / "people.duckdb") as other:
                assert fetch(other, self.RELEASE) == [(12, 4)]
            sqlanon.unregister(con)
            sqlanon.register_functions(con)
            assert fetch(con, self.RELEASE) == [(12, 4)]

    @pytest.mark.slow("1.8 s")
    def test_a_connection_that_nobody_closes_leaves_in_silence(self) -> None:
        script = """if True:
            import duckdb, sqlanon
            con = duckdb.connect()
            con.execute("set enable_progress_bar = false").fetchall()  # DuckDB's own, of what takes seconds
            sqlanon.register_functions(con)
            con.execute("create table people as select range as age from range(12)").fetchall()
            print(len(con.execute("from sqlanon.microaggregate('people', 'age', k := 3)").fetchall()))
        """
        done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True)
        assert (done.returncode, done.stdout, done.stderr) == (0, "12\n", "")


class TestPython:
    @pytest.fixture(autouse=True)
    def people(self, con: duckdb.DuckDBPyConnection) -> None:
        fetch(
            con,
            """create or replace table people as
            select i % 7 as age, 'z' || i % 5 as zip, null::integer as nothing, i from range(60) as r(i)""",
        )

    @staticmethod
    def tables(con: duckdb.DuckDBPyConnection) -> set[str]:
        return {name for (name,) in fetch(con, "select table_name from duckdb_tables()")}

    @pytest.mark.slow("0.3 s")
    def test_the_release_says_what_it_is(self, con: duckdb.DuckDBPyConnection) -> None:
        made = sqlanon.microaggregate(con, "people", qi=["age", "zip"], k=3, into="r", replace=True)
        assert (made.table, made.rows, made.suppressed_rows) == ("r", 60, 0)
        assert made.reached["k-anonymity"] >= 3
        assert made.parameters["algorithm"] == "mdav"
        assert 0 < made.details["information_loss"] < 1
        assert "information_loss: 0." in str(made)
        with pytest.raises(sqlanon.InputError, match="r exists"):
            sqlanon.microaggregate(con, "people", qi=["age", "zip"], k=3, into="r")

    @pytest.mark.slow("1.4 s")
    def test_information_loss(self, con: duckdb.DuckDBPyConnection) -> None:
        """One group loses everything, groups of equal rows nothing; between them it is SSE / SST."""
        for k, loss in ((60, 1), (1, 0)):
            made = sqlanon.microaggregate(con, "people", qi=["age", "zip"], k=k)
            assert made.details["information_loss"] == pytest.approx(loss, abs=1e-12)
        assert sqlanon.microaggregate(con, "people", qi="nothing", k=2).details["information_loss"] == 0
        _, case = coordinates(con, "people", ["age", "zip"])
        wanted = oracle.sse(case.rows, oracle.mdav(case.rows, 4)) / oracle.sse(case.rows, [range(60)])
        made = sqlanon.microaggregate(con, "people", qi=["age", "zip"], k=4)
        assert made.details["information_loss"] == pytest.approx(float(wanted), rel=1e-9)

    @pytest.mark.slow("0.4 s a case", but=(0, 3, 5, 10))
    @pytest.mark.parametrize("algorithm", ["mdav", "vmdav", "curve", "univariate"])
    @pytest.mark.parametrize("qi", ["nothing", "age", "same"])
    def test_columns_with_little_in_them(
        self, con: duckdb.DuckDBPyConnection, qi: str, algorithm: Any
    ) -> None:
        fetch(con, "create or replace table little as select *, 7 as same from people")
        made = sqlanon.microaggregate(con, "little", qi=qi, k=7, algorithm=algorithm)
        assert made.rows == 60
        if qi == "nothing":
            assert set(made.relation(con).fetchall()) == {(None,)}

    @pytest.mark.slow("0.7 s")
    def test_sources(self, con: duckdb.DuckDBPyConnection) -> None:
        frame = con.sql("from people").df()
        assert release(con, frame, qi="age", k=3, seed=1) == release(con, "people", qi="age", k=3, seed=1)

    @pytest.mark.slow("thousands of rows")
    def test_a_large_table_is_cut_into_blocks(self, fresh: duckdb.DuckDBPyConnection) -> None:
        con = fresh
        sqlanon.register_functions(con)
        fetch(
            con,
            """create or replace table large as
            select (hash(i, 1) % 1000)::integer as a, (hash(i, 2) % 1000) / 8 as b, 'v' as c, i
            from range(3000) as r(i)""",
        )
        arguments: dict[str, Any] = {"qi": ["a", "b", "c"], "keep": "i", "k": 4, "seed": 1}
        whole = sqlanon.microaggregate(con, "large", **arguments)
        library.keep_in_memory(con)
        fetch(con, "create or replace macro sqlanon._one_block_rows() as 1000")
        fetch(con, "create or replace macro sqlanon._block_rows() as 200")
        answer: list[float] = []
        for algorithm in ("mdav", "vmdav"):
            cut, again = (
                sqlanon.microaggregate(
                    con,
                    "large",
                    algorithm=algorithm,
                    progress=lambda done, _: answer.append(done),
                    **arguments,
                )
                for _ in range(2)
            )
            assert cut.relation(con).fetchall() == again.relation(con).fetchall()
            assert cut.relation(con).fetchall() == rows(
                con, "microaggregate", "large", algorithm=algorithm, **arguments
            )
            assert cut.details["information_loss"] < 1.5 * whole.details["information_loss"]
            assert cut.relation(con).fetchall() != whole.relation(con).fetchall()
        assert answer[-1] == 1
        assert len(set(answer)) > 8  # there are as many blocks

    @pytest.mark.slow("0.4 s")
    def test_progress(self, con: duckdb.DuckDBPyConnection) -> None:
        answer: list[tuple[float, str]] = []
        sqlanon.microaggregate(
            con, "people", qi=["age"], sensitive="zip", k=3, l=3, progress=lambda *call: answer.append(call)
        )
        assert [done for done, _ in answer] == sorted(done for done, _ in answer)
        messages = [message for _, message in answer]
        assert messages.index("grouping, 60 of 60 rows in groups") < messages.index("merging")
        assert answer[-1] == (1, "done")

    @pytest.mark.parametrize("after", [0, 1])
    def test_nothing_is_left_when_progress_raises(self, con: duckdb.DuckDBPyConnection, after: int) -> None:
        calls: list[str] = []

        def stop(done: float, message: str) -> None:
            calls.append(message)
            if len(calls) > after:
                raise KeyboardInterrupt

        before = self.tables(con)
        with pytest.raises(KeyboardInterrupt):
            sqlanon.microaggregate(con, "people", qi="age", k=3, into="stopped", progress=stop)
        assert self.tables(con) == before

    def test_a_release_that_does_not_stand_up_to_the_check_is_thrown_away(
        self, fresh: duckdb.DuckDBPyConnection, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        fetch(fresh, "create table people as select range as age from range(10)")
        monkeypatch.setattr(mdav, "mdav", lambda points, k, message: np.arange(10) // 2)
        with pytest.raises(sqlanon.VerificationError, match="5 violations, the first of k-anonymity"):
            sqlanon.microaggregate(fresh, "people", qi="age", k=3, into="r")
        assert self.tables(fresh) == {"people"}

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            ({"qi": "ages"}, 'unknown column "ages" in people; did you mean "age"'),
            ({"qi": []}, "qi names no column"),
            ({"qi": ["age", "AGE"]}, 'column "AGE" is named twice'),
            ({"k": None}, "microaggregate needs k"),
            ({"k": 0}, "k must be a whole number of at least 1, not 0"),
            ({"k": 2.5}, "k must be a whole number of at least 1, not 2.5"),
            ({"k": 61}, "the whole table as one class reaches 60 in k-anonymity, 61 is required"),
            (
                {"algorithm": "mdva"},
                "algorithm must be one of mdav, vmdav, univariate, curve, not mdva; did you mean mdav?",
            ),
            ({"algorithm": "Hilbert curve"}, "not Hilbert curve; did you mean"),
            ({"center": "mode"}, "center must be mean or median, not mode"),
            ({"gamma": -1}, "gamma must be at least 0, not -1"),
            ({"gamma": float("nan")}, "gamma must be at least 0, not nan"),
            ({"algorithm": "univariate"}, "univariate takes one column in qi, not 2"),
            (
                {"algorithm": "univariate", "qi": "zip"},
                "univariate takes a column of numbers or dates without missing values, which zip is not",
            ),
            ({"l": 2}, "need a sensitive column"),
            ({"k_map": 2}, "microaggregate does not know k_map, dmin and dmax"),
            ({"source": "nobody"}, 'unknown table "nobody"'),
        ],
    )
    def test_bad_input(self, con: duckdb.DuckDBPyConnection, arguments: dict[str, Any], message: str) -> None:
        with pytest.raises(sqlanon.InputError, match=message):
            sqlanon.microaggregate(con, **{"source": "people", "qi": ["age", "zip"], "k": 3, **arguments})

    @pytest.mark.slow("0.4 s")
    def test_missing_values_are_not_on_a_line(self, con: duckdb.DuckDBPyConnection) -> None:
        fetch(con, "create or replace table gaps as select nullif(range, 3) as age from range(20)")
        with pytest.raises(sqlanon.InputError, match="without missing values, which age is not"):
            sqlanon.microaggregate(con, "gaps", qi="age", k=3, algorithm="univariate")

    @pytest.mark.slow("0.3 s")
    def test_an_empty_table(self, con: duckdb.DuckDBPyConnection) -> None:
        fetch(con, "create or replace table none as from people limit 0")
        with pytest.raises(sqlanon.InputError, match="table none is empty"):
            sqlanon.microaggregate(con, "none", qi="age", k=1)
        with pytest.raises(duckdb.Error, match="table none is empty"):
            rows(con, "microaggregate", "none", qi="age", k=1, algorithm="curve")

    def test_too_many_columns_for_the_curve(self, con: duckdb.DuckDBPyConnection) -> None:
        names = [f"c{i}" for i in range(61)]
        fetch(con, f"create or replace table wide as select {', '.join(f'1 as {name}' for name in names)}")
        with pytest.raises(duckdb.Error, match="curve takes up to 60 columns in qi, not 61"):
            rows(con, "microaggregate", "wide", qi=names, k=1, algorithm="curve")

    def test_a_value_that_its_hierarchy_lacks(self, con: duckdb.DuckDBPyConnection) -> None:
        fetch(
            con,
            "create or replace table h as from sqlanon.flat_hierarchy('people', 'zip') where value <> 'z3'",
        )
        with pytest.raises(sqlanon.InputError, match="the hierarchy of column zip lacks a value"):
            sqlanon.microaggregate(con, "people", qi="zip", k=3, hierarchies="h")


class Place:
    """Where an adversary puts a value: what is standardized with the release's means, and categories."""

    def __init__(self, released: Sequence[Any], sizes: Sequence[int]) -> None:
        self.values = [value for value, size in zip(released, sizes, strict=True) for _ in range(size)]
        self.is_number = not any(isinstance(value, str) for value in self.values)
        known = self.values if self.is_number else []
        numbers = [float(value) for value in known if value is not None]
        self.mean = statistics.fmean(numbers) if numbers else 0
        self.deviation = statistics.pstdev(numbers) if len(set(numbers)) > 1 else 0
        self.step = oracle.step([value is None if self.is_number else value for value in self.values])

    def squared(self, one: Any, other: Any) -> float:
        if not self.is_number:
            return 2 * self.step**2 if one != other else 0
        x, y = (
            (float(value) - self.mean) / self.deviation * 1e5 if value is not None and self.deviation else 0.0
            for value in (one, other)
        )
        return (x - y) ** 2 + 2 * self.step**2 * ((one is None) != (other is None))


CELLS: dict[str, list[Any]] = {
    "DOUBLE": [None, -2.5, 0.0, 1.0, 1.5, 40.0],
    "VARCHAR": [None, "", "a", "b", "c"],
}


@st.composite
def centroids_and_targets(draw: st.DrawFn) -> tuple[list[str], list[tuple[Any, ...]], list[tuple[Any, ...]]]:
    types = draw(st.lists(st.sampled_from(sorted(CELLS)), min_size=1, max_size=3))
    row = st.tuples(*(st.sampled_from(CELLS[type_]) for type_ in types))
    return types, draw(st.lists(row, min_size=1, max_size=12)), draw(st.lists(row, min_size=1, max_size=12))


def load_rows(
    con: duckdb.DuckDBPyConnection, table: str, types: Sequence[str], rows: Sequence[tuple[Any, ...]]
) -> list[str]:
    names = NAMES[: len(types)]
    columns = ", ".join(
        f"unnest(?::{type_}[]) as {identifier(name)}" for name, type_ in zip(names, types, strict=True)
    )
    con.execute(
        f"create or replace table {table} as select {columns}, unnest(range({len(rows)})) as id",
        [list(column) for column in zip(*rows, strict=True)],
    ).fetchall()
    return names


class TestNearest:
    @few
    @given(centroids_and_targets())
    def test_against_every_pair(
        self,
        con: duckdb.DuckDBPyConnection,
        case: tuple[list[str], list[tuple[Any, ...]], list[tuple[Any, ...]]],
    ) -> None:
        types, released, targets = case
        qi = load_rows(con, "r", types, released)
        load_rows(con, "t", types, targets)
        classes = fetch(con, f"from sqlanon.classes('r', {qi}) order by class_id")
        sizes = [size for *_, size in classes]
        places = [Place([row[i + 1] for row in classes], sizes) for i in range(len(qi))]
        result = fetch(
            con, f"from {call('locate', 'r', targets='t', id='id', qi=qi, nearest=True)} order by id"
        )
        assert [i for i, *_ in result] == list(range(len(targets)))
        for i, class_id, size in result:
            assert size == sizes[class_id - 1]
            distances = [
                sum(place.squared(a, b) for place, a, b in zip(places, targets[i], row[1:-1], strict=True))
                for row in classes
            ]
            # coordinates are whole numbers there
            assert distances[class_id - 1] == pytest.approx(min(distances), abs=1e7)

    def test_of_equally_near_classes_the_first(self, con: duckdb.DuckDBPyConnection) -> None:
        load_rows(con, "r", ["DOUBLE"], [(1.0,), (3.0,), (5.0,)])
        load_rows(con, "t", ["DOUBLE"], [(2.0,), (4.0,), (4.0001,), (-100.0,)])
        result = sqlanon.locate(con, "r", "t", id="id", qi=NAMES[0], nearest=True).fetchall()
        assert sorted(result) == [(0, 1, 1), (1, 2, 1), (2, 3, 1), (3, 1, 1)]

    def test_dates_and_hierarchies(self, con: duckdb.DuckDBPyConnection) -> None:
        fetch(
            con,
            "create or replace table r as select unnest([date '2020-01-01', date '2020-03-01']) as d, "
            "unnest(['paris', 'quito']) as c",
        )
        fetch(
            con,
            """create or replace table t as select unnest([timestamp '2020-01-30 10:00:00',
                timestamp '2020-02-02']) as d,
            unnest(['rome', 'lima']) as c, unnest([1, 2]) as id""",
        )
        fetch(
            con,
            """create or replace table h as select 'c' as attribute, c as value, unnest([0, 1, 2]) as level,
            unnest([c, case when c in ('rome', 'paris') then 'europe' else 'america' end, '*']) as label
            from (select unnest(['rome', 'paris', 'quito', 'lima']) as c)""",
        )
        located = (
            "select id, class_id from sqlanon.locate('r', 't', 'id', {}, hierarchies := 'h', "
            "nearest := true) order by id"
        )
        assert fetch(con, located.format("['d']")) == [(1, 1), (2, 2)]
        assert fetch(con, located.format("['c']")) == [(1, 1), (2, 2)]  # Europe, America

    def test_not_a_release_of_centroids(self, con: duckdb.DuckDBPyConnection) -> None:
        fetch(con, "create or replace table r as select '[20, 29]' as age")
        fetch(con, "create or replace table t as select 25 as age, 1 as id")
        with pytest.raises(
            duckdb.Error,
            match="column age has numbers or dates in the targets and text in a release: nearest is for "
            "centroids",
        ):
            fetch(con, "from sqlanon.locate('r', 't', 'id', 'age', nearest := true)")
        fetch(con, "create or replace table t as select 'inf'::double as age, 1 as id")
        fetch(con, "create or replace table r as select 2.5 as age")
        with pytest.raises(
            duckdb.Error, match="column age has the value inf, from which nothing has a distance"
        ):
            fetch(con, "from sqlanon.locate('r', 't', 'id', 'age', nearest := true)")

    @pytest.mark.slow("1.0 s")
    @pytest.mark.parametrize("nearest", [[False, True], [True, True], True])
    def test_the_attack_is_by_release(self, con: duckdb.DuckDBPyConnection, nearest: Any) -> None:
        fetch(
            con,
            "create or replace table ranges as select unnest(['[20, 29]', '[30, 39]']) as age, "
            "unnest(['x', 'y']) as d",
        )
        fetch(
            con,
            "create or replace table centers as select unnest([24.5, 33.0]) as age, unnest(['x', 'z']) as d",
        )
        fetch(
            con,
            "create or replace table t as select unnest([22, 31]) as age, unnest(['a', 'b']) as id, "
            "unnest(['x', 'y']) as d",
        )
        first = "centers" if nearest is True or nearest[0] else "ranges"
        arguments: dict[str, Any] = {
            "targets": "t",
            "id": "id",
            "qi": "age",
            "sensitive": "d",
            "truth": "d",
            "nearest": nearest,
        }
        result = sqlanon.intersection_attack(con, [first, "centers"], **arguments)
        relation = result.select("id, candidates").fetchall()
        assert sorted(relation) == [("a", ["x"]), ("b", ["z"] if first == "centers" else [])]
        measures = dict(
            sqlanon.breaches(con, [first, "centers"], **arguments).select("measure, value").fetchall()
        )
        assert measures["contradictions"] == (0 if first == "centers" else 50)

    def test_a_list_of_another_length(self, con: duckdb.DuckDBPyConnection) -> None:
        load_rows(con, "r", ["DOUBLE"], [(1.0,)])
        with pytest.raises(sqlanon.InputError, match="there are 2 releases, and 1 in nearest"):
            sqlanon.intersection_attack(
                con, ["r", "r"], "r", id="id", qi=NAMES[0], sensitive="id", nearest=[True]
            )


@data.needs_data
class TestCensus:
    @pytest.fixture(autouse=True)
    def tables(self, con: duckdb.DuckDBPyConnection) -> None:
        data.load_adult(con, "adult")
        data.load_ipums(con, "ipums")

    @pytest.mark.slow("a census")
    @pytest.mark.parametrize(("table", "qi"), [("adult", data.ADULT_QI), ("ipums", data.IPUMS_QI)])
    def test_mdav_on_2000_rows(self, con: duckdb.DuckDBPyConnection, table: str, qi: list[str]) -> None:
        fetch(con, f"create or replace table part as from {table} order by hash(id) limit 2000")
        _, case = coordinates(con, "part", qi)
        wanted = in_order(oracle.mdav(case.rows, 5))
        assert as_groups(mdav.mdav(case.points, 5, nothing)) == wanted

    @pytest.mark.slow("a census")
    @pytest.mark.parametrize(
        ("table", "qi", "sensitive", "located"),
        [
            ("adult", data.ADULT_QI, "occupation", (0.70, 0.80)),
            ("ipums", data.IPUMS_QI, "occ1950", (0.75, 0.87)),
        ],
    )
    def test_most_people_are_at_the_nearest_centroid(
        self,
        con: duckdb.DuckDBPyConnection,
        table: str,
        qi: list[str],
        sensitive: str,
        located: tuple[float, float],
    ) -> None:
        """About 70 %, say Ganta et al. (2008, sec. 2)."""
        one, _, common = data.overlapping_subsets(con, table, 1)
        made = sqlanon.microaggregate(con, one, qi=qi, sensitive=sensitive, keep="id", k=5)
        sqlanon.locate(con, made.table, common, id="id", qi=qi, nearest=True).to_view("found")
        equal = " and ".join(f"r.{column} = c.{column}" for column in qi)
        [(right,)] = fetch(
            con,
            f"""select avg((found.class_id = c.class_id)::int) from found join {made.table} as r using (id)
            join sqlanon.classes('{made.table}', {qi}) as c on {equal}""",
        )
        fetch(con, "drop view found")
        assert located[0] < right < located[1]


def test_rows_with_the_same_sensitive_value_do_not_keep_together(con: duckdb.DuckDBPyConnection) -> None:
    """Six people at each of many points, three with each value, in groups of four: who comes in which group
    is chance.

    Two of those at a point, or four, come with others; they would all have the same value if rows were in the
    order of what they release.
    """
    con.execute(
        """create or replace table crowds as
        select 100 * point as x, point, ['flu', 'cold'][1 + i % 2] as disease
        from range(300) as p(point), range(6) as r(i)"""
    ).fetchall()
    release = "sqlanon.microaggregate('crowds', ['x'], 'disease', ['point'], k := 4, algorithm := 'curve')"
    parts = f"select count(distinct disease) as diseases from {release} group by point, x having count(*) = 2"
    [(pairs, mixed)] = con.execute(
        f"select count(*), count(*) filter (where diseases = 2) from ({parts})"
    ).fetchall()
    assert pairs > 100
    assert 0.4 < mixed / pairs < 0.8  # three in five pairs of six people with three each
