"""Microaggregation with noise: which records are a group, and what the change of one changes."""

from __future__ import annotations

import math
from itertools import product
from typing import Any

import duckdb
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import sqlanon
from sqlanon.randomize.cost import Cost
from tests.budget import examples
from tests.oracles import dp_microaggregation as groups
from tests.oracles import noise as oracle
from tests.tables import identifier, literal

BITS = 10  # of up to six columns
LAST = 2**BITS - 1
EPSILON, RHO = 0.5, 0.03125  # powers of two: nothing is rounded
COLUMNS = ["a", "B c", "d"]
STRANGE = [math.nan, math.inf, -math.inf, 1e308, -1e308, -0.0, 5e-324, None]


def bound(con: duckdb.DuckDBPyConnection, clusters: int, columns: int, power: int = 1) -> float:
    [(most,)] = con.execute(
        f"select sqlanon._cluster_change({clusters}, {columns}, {BITS}, {power})"
    ).fetchall()
    return float(most)


def scale(con: duckdb.DuckDBPyConnection, mechanism: str, clusters: int, columns: int) -> float:
    given = f"{EPSILON}, null, null" if mechanism == "laplace" else f"null, 1e-6, {RHO}"
    [(found,)] = con.execute(
        f"""select sqlanon._cluster_scale(
            sqlanon._dp_microaggregate_budget({given}, '{mechanism}'), '{mechanism}', {clusters}, {columns},
            {BITS})"""
    ).fetchall()
    return float(found)


@settings(examples(20), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_groups(con: duckdb.DuckDBPyConnection, data: st.DataObject) -> None:
    """Every k records along the curve, whatever the numbers are."""
    sqlanon.register(con)
    columns = COLUMNS[: data.draw(st.integers(1, 3))]
    k = data.draw(st.integers(1, 5))
    number = st.one_of(st.sampled_from(STRANGE), st.floats(-12, 12))
    rows = data.draw(st.lists(st.tuples(*[number] * len(columns)), max_size=20))
    ends = [-5.0, 10.0, 0.0, 1.0, -10.0, 0.0][: 2 * len(columns)]
    described = ", ".join(f'"{name}" double' for name in columns)
    con.execute(f"create or replace table t ({described})").fetchall()
    if rows:
        con.executemany(f"insert into t values ({', '.join('?' * len(columns))})", rows)
    con.execute(
        f"""create or replace table r as from sqlanon._record_cells('t', {columns}, {ends}, {LAST});
        create or replace table p as from sqlanon._curve_places('r', {columns})"""
    ).fetchall()
    found = con.execute(
        f"select n, totals from sqlanon._cluster_totals('r', 'p', {columns}, {k}) order by cluster"
    ).fetchall()
    cells = [
        tuple(groups.cell(x, ends[2 * i], ends[2 * i + 1], LAST) for i, x in enumerate(row)) for row in rows
    ]
    assert [(n, tuple(total)) for n, total in found] == groups.totals(cells, k, BITS)


class TestSensitivity:
    """What noise has to hide: the sums over all groups of what the change of a record changes."""

    CORNERS = (0, 341, 682, LAST)

    @pytest.mark.parametrize(
        ("columns", "n", "k"), [(1, 4, 1), (1, 5, 2), (2, 3, 1), (2, 3, 2), (2, 3, 4), (3, 2, 1)]
    )
    def test_all_small_tables(self, con: duckdb.DuckDBPyConnection, columns: int, n: int, k: int) -> None:
        """No two of them differ by more than the bound, of any column, and some do by half of it."""
        sqlanon.register(con)
        domain = list(product(self.CORNERS[:: 3 if columns == 3 else 1], repeat=columns))
        pairs = list(groups.changes(domain, n, k, BITS))
        clusters = max(n // k, 1)
        for mechanism, power in (("laplace", 1), ("gaussian", 2)):
            most = bound(con, clusters, columns, power)
            by_column = (zip(*pair, strict=True) for pair in pairs)
            largest = max(sum(x**power for x in column) for pair in by_column for column in pair)
            assert most / 2 < largest <= most
            # of all columns together: the budget is what the noise makes of it
            spent = max(sum(x**power for group in pair for x in group) for pair in pairs)
            of_scale = scale(con, mechanism, clusters, columns)
            assert spent / of_scale <= EPSILON if power == 1 else spent / (2 * of_scale**2) <= RHO

    @pytest.mark.parametrize(("columns", "places"), [(1, 32), (2, 8), (3, 4)])
    @pytest.mark.parametrize("power", [1, 2])
    def test_the_longest_walks(
        self, con: duckdb.DuckDBPyConnection, columns: int, places: int, power: int
    ) -> None:
        """Of many groups: the records that move on are ever farther along the curve."""
        sqlanon.register(con)
        domain = list(product([LAST * i // (places - 1) for i in range(places)], repeat=columns))
        longest = groups.longest_walk(domain, 24, power, BITS)
        for steps in range(1, len(longest)):
            most = bound(con, steps, columns, power)
            assert longest[steps] <= most <= (5 if columns > 1 else 1) * longest[steps]
            assert most <= steps * LAST**power  # what the paper says

    def test_one_column(self, con: duckdb.DuckDBPyConnection) -> None:
        sqlanon.register(con)
        assert {bound(con, clusters, 1) for clusters in (1, 2, 1000)} == {LAST}


class TestNoise:
    def test_neighbours_look_alike(self, drawing: duckdb.DuckDBPyConnection) -> None:
        """With k = 1 a record is a group: the least number, and the largest in its place."""
        n = 4000
        drawing.execute(
            f"create or replace temp table t as select if(i < {n}, 3, 7) as a from range({2 * n}) t(i)"
        ).fetchall()
        rows = drawing.execute(
            "select a from sqlanon.dp_microaggregate('t', 'a', [3, 7], 1, epsilon := 0.8)"
        ).fetchall()
        drawn = [round((a - 3) / 4 * LAST) for (a,) in rows]
        assert 1.1 < oracle.largest_ratio(drawn[:n], drawn[n:]) < math.exp(0.8)

    @pytest.mark.parametrize(
        ("mechanism", "budget"),
        [("laplace", {"epsilon": EPSILON}), ("gaussian", {"rho": RHO, "delta": 1e-6})],
    )
    def test_scale(self, con: duckdb.DuckDBPyConnection, mechanism: Any, budget: Any) -> None:
        """23 rows make four groups, of five at least."""
        con.execute("create table t as select i as a, -i as b from range(23) t(i)").fetchall()
        spent: list[Cost] = []

        class Book:
            def spend(self, cost: Cost) -> None:
                spent.append(cost)

        made = sqlanon.dp_microaggregate(
            con, "t", ["a", "b"], [0, 50, -50, 0], 5, **budget, mechanism=mechanism, ledger=Book()
        )
        [noise] = made.details["noise"]
        assert noise["scale"] == pytest.approx(scale(con, mechanism, 4, 2))
        rows = made.relation(con).fetchall()
        assert [n for *_, n, _ in rows] == [5, 5, 5, 8]
        assert all(0 <= a <= 50 and -50 <= b <= 0 for a, b, *_ in rows)
        assert rows[3][3] == pytest.approx(noise["deviation"] / 8 / LAST)
        [cost] = spent
        assert (cost.unit, cost.mechanism) == (None, mechanism)
        assert cost.query == "dp_microaggregate of t by a, b"

    def test_little_noise(self, drawing: duckdb.DuckDBPyConnection) -> None:
        """Means are those of the groups; what is no number is in the middle."""
        drawing.execute(
            """create or replace temp table t as
            select if(i < 1000, 10 + i % 2, null) as "B c" from range(2000) t(i)"""
        ).fetchall()
        result = drawing.execute("from sqlanon.dp_microaggregate('t', 'B c', [0, 100], 1000, epsilon := 100)")
        assert [name for name, *_ in result.description or []] == ["B c", "n", "standard_deviation"]
        [(low, *_), (high, *_)] = result.fetchall()
        assert low == pytest.approx(10.5, abs=0.1)
        assert high == pytest.approx(50, abs=0.1)

    def test_larger_groups_are_better_at_first(self, drawing: duckdb.DuckDBPyConnection) -> None:
        """Squared errors, when each record is read as the mean of the group at its place."""
        drawing.execute("create or replace temp table t as select i / 10.0 as a from range(1000) t(i)")
        errors = {}
        for k in (2, 30, 500):
            [(errors[k],)] = drawing.execute(
                f"""select avg(power(i / 10.0 - center, 2)) from (
                    select row_number() over () - 1 as cluster, a as center
                    from sqlanon.dp_microaggregate('t', 'a', [0, 100], {k}, epsilon := 4)
                ) join range(1000) as r(i) on least(i // {k}, 1000 // {k} - 1) = cluster"""
            ).fetchall()
        assert errors[30] < errors[2] / 5
        assert errors[30] < errors[500] / 5


@pytest.mark.parametrize("names", [("cluster", "Deviation"), ("totals", "a1"), ("released", 'say "place"')])
def test_names_of_columns(drawing: duckdb.DuckDBPyConnection, names: tuple[str, str]) -> None:
    one, other = map(identifier, names)
    drawing.execute(
        f"create or replace temp table t as select i as {one}, 9 - i as {other} from range(10) t(i)"
    )
    rows = drawing.execute(
        f"from sqlanon.dp_microaggregate('t', {literal(list(names))}, [0, 9, 0, 9], 10, epsilon := 100)"
    ).fetchall()
    assert [row[:3] for row in rows] == [(pytest.approx(4.5, abs=0.5), pytest.approx(4.5, abs=0.5), 10)]


def test_few_rows(drawing: duckdb.DuckDBPyConnection) -> None:
    """How many there are is public: fewer than k are a group, and none is none."""
    for n, expected in ((0, []), (3, [3])):
        drawing.execute(f"create or replace temp table t as select 1 as a from range({n})").fetchall()
        rows = drawing.execute(
            "select n from sqlanon.dp_microaggregate('t', 'a', [0, 1], 5, epsilon := 1)"
        ).fetchall()
        assert [n for (n,) in rows] == expected


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("'t', 'a', [1], 5, epsilon := 1", "bounds must be two numbers for each column"),
        ("'t', ['a', 'b'], [0, 1], 5, epsilon := 1", r"\[0, 100, 0, 5000\] for two, not \[0, 1\]"),
        ("'t', ['a', 'b'], [0, 1, 3, 2], 5, epsilon := 1", r"e.g. \[0, 100\], not \[3, 2\]"),
        ("'t', ['a', 'c'], [0, 1, 0, 1], 5, epsilon := 1", "column c is VARCHAR, not a number"),
        ("'t', ['a', 'x'], [0, 1, 0, 1], 5, epsilon := 1", '"x" not found'),
        ("'t', ['a', 'A'], [0, 1, 0, 1], 5, epsilon := 1", '"A" is named twice'),
        ("'t', 'a', [0, 1], 0, epsilon := 1", "k must be a whole number of at least 1, not 0"),
        ("'t', 'a', [0, 1], null, epsilon := 1", "k must be given"),
        ("'t', 'a', [0, 1], 5", "give epsilon, the budget"),
        ("'t', range(13)::varchar[], [0, 1], 5, epsilon := 1", "columns can be 12 at most, not 13"),
    ],
)
def test_refused(drawing: duckdb.DuckDBPyConnection, arguments: str, message: str) -> None:
    drawing.execute("create or replace temp table t as select 1 as a, 2 as b, 'x' as c").fetchall()
    with pytest.raises(duckdb.Error, match=message):
        drawing.execute(f"from sqlanon.dp_microaggregate({arguments})").fetchall()
