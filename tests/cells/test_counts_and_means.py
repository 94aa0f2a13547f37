"""Which counts fit a mean, against all people that there could be."""

# As texts: Hypothesis keeps evaluated annotations, and DuckDB 2.0 reports its types there as leaks.
from __future__ import annotations

import random
from collections.abc import Iterator
from decimal import ROUND_HALF_EVEN, Decimal
from typing import Any

import duckdb
import pytest

import sqlanon
from tests.budget import some
from tests.cells.regions import solver


@pytest.fixture(scope="module")
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        sqlanon.register_functions(connection)
        yield connection


HANDBOOK = [(9, "11.25"), (14, "7.9167"), (19, "9.25")]  # with noise, the mean


def load(con: duckdb.DuckDBPyConnection, cells: list[tuple[int, str]], noise: int) -> None:
    """Noisy counts and means in one table, `one_table`; and in two, `noisy` and `means`."""
    con.execute(
        """create or replace table one_table as
        select 'c' || generate_subscripts(?, 1) as k, null::varchar as value,
               greatest(unnest(?::bigint[]) - ?, 0) as lo, unnest(?::bigint[]) + ? as hi,
               unnest(?::varchar[]) as mean;
        """,
        [
            [n for n, _ in cells],
            [n for n, _ in cells],
            noise,
            [n for n, _ in cells],
            noise,
            [m for _, m in cells],
        ],
    ).fetchall()
    con.execute("create or replace table noisy as select * exclude (mean) from one_table").fetchall()
    con.execute("create or replace table means as select k, value, mean from one_table").fetchall()


@pytest.mark.slow("1 s a case", but=(1, 2, 3))
@solver
@pytest.mark.parametrize("tables", [["one_table"], ["noisy", "means"]])
@pytest.mark.parametrize("step", [None, 1])
def test_the_example_of_the_handbook(
    con: duckdb.DuckDBPyConnection, tables: list[str], step: int | None
) -> None:
    """Counts of 9, 14 and 19 with a noise of at most 2 are 8, 12 and 20; of at most 3 one is."""
    for noise, expected in ((2, {8, 12, 20}), (3, {12})):
        load(con, HANDBOOK, noise)
        rows = sqlanon.tables_together(
            con, tables, "k", lower_column="lo", upper_column="hi", mean_column="mean", measure_step=step,
        ).fetchall()  # fmt: skip
        told = [row for row in rows if row[5] == "mean"]
        assert {row[1] for row in told} == {row[2] for row in told} == expected
        assert all(row[6] is (step is None) and row[3] == tables for row in told)
        assert all(row[4].startswith("if people have whole numbers") is (step is None) for row in told)


@pytest.mark.parametrize("seed", some(list(range(50)), 5))
def test_what_fits(con: duckdb.DuckDBPyConnection, seed: int) -> None:
    """Exactly those numbers of people for whom some sum has the printed mean."""
    draw = random.Random(seed)
    noise, decimals = draw.choice([1, 2, 5]), draw.choice([0, 1, 2, 4])
    last = Decimal(1).scaleb(-decimals)
    cells, true = [], []
    for _ in range(6):
        n = draw.randrange(1, 30)
        mean = Decimal(sum(draw.randrange(20) for _ in range(n))) / n
        true.append(n)
        cells.append((max(n + draw.randint(-noise, noise), 0), str(mean.quantize(last, ROUND_HALF_EVEN))))
    load(con, cells, noise)
    con.execute(
        """create or replace table cells as select row_number() over () as cell, mean from one_table;
        create or replace table boxes as select cell, cell as box from cells;
        create or replace table counts as
        select row_number() over () as box, lo::double as lo, hi::double as hi from one_table"""
    ).fetchall()
    found = con.execute("from sqlanon._counts_that_fit('cells', 'boxes', 'counts', null, 1)").fetchall()
    assert len(found) == 6
    for box, low, high, mean, fitting in found:
        assert true[box - 1] in fitting
        half = last / 2
        assert fitting == [
            n
            for n in range(max(int(low), 1), int(high) + 1)
            if any(abs(Decimal(s) - n * Decimal(mean)) <= n * half for s in range(20 * n + 1))
        ]


@pytest.mark.slow("1 s")
@solver
def test_values_that_are_not_whole(con: duckdb.DuckDBPyConnection) -> None:
    """Where a mean fits no number of people, people do not have whole numbers, and nothing is supposed."""
    load(con, [*HANDBOOK, (3, "1.0001")], 2)
    asked: dict[str, Any] = {"lower_column": "lo", "upper_column": "hi", "mean_column": "mean"}
    rows = sqlanon.tables_together(con, ["one_table"], "k", **asked).fetchall()
    assert [row for row in rows if row[5] == "mean"] == []
    rows = sqlanon.tables_together(con, ["one_table"], "k", measure_step=0.0001, **asked).fetchall()
    assert [row for row in rows if row[5] == "mean"] == []
