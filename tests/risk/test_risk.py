"""Risk in SQL against the slow one, the estimates of population uniques, and what ARX says about Adult."""

# As texts: Hypothesis keeps evaluated annotations, and DuckDB 2.0 reports its types there as leaks.
from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sqlanon
from tests import data
from tests.budget import examples
from tests.core.test_bad_input import NAMES, TABLES, refused
from tests.oracles import risk as oracle
from tests.tables import Column, columns, load, rows

few = examples(15)
fewer = examples(6)

TYPES = ["INTEGER", "DOUBLE", "DECIMAL(6, 2)", "VARCHAR", "BOOLEAN", "DATE", "TIMESTAMP",
         "ENUM ('small', 'medium', 'large')"]  # fmt: skip
PLAIN = ["INTEGER", "BOOLEAN", "DATE"]

ARX_QI = ["sex", "age", "race", "marital-status", "education", "native-country", "workclass"]


@pytest.fixture(scope="module")
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        sqlanon.register(connection)
        connection.execute(
            "create table people as select range % 3 as age, range % 2 as zip from range(9)"
        ).fetchall()
        connection.execute("create table nobody as from people where false").fetchall()
        yield connection


def measures(con: duckdb.DuckDBPyConnection, table: str, **arguments: Any) -> dict[str, Any]:
    """The values of all measures, each of which is there once."""
    result = rows(con, "risk", table, **arguments)
    assert len({measure for measure, *_ in result}) == len(result)
    return {measure: value for measure, value, *_ in result}


def table_of(columns: Sequence[Column]) -> list[tuple[Any, ...]]:
    return list(zip(*(c.values for c in columns), strict=True))


@st.composite
def tables(draw: st.DrawFn, types: Sequence[str] = TYPES) -> list[Column]:
    n = draw(st.integers(1, 20))
    return [
        draw(columns(f"q {i}", n, types, draw(st.integers(1, 4)))) for i in range(draw(st.integers(1, 3)))
    ]


@st.composite
def populations(draw: st.DrawFn) -> tuple[list[Column], list[Column]]:
    """A table, and a population with the same columns, that need not have everybody of it."""
    table = draw(tables(PLAIN))
    n = draw(st.integers(1, 25))
    people = [
        Column(c.name, c.type, draw(st.lists(st.sampled_from(c.values), min_size=n, max_size=n)))
        for c in table
    ]
    return table, people


class TestAgainstTheOracle:
    @few
    @given(tables(), st.sampled_from([0, 0.2, 1 / 3, 0.5, 1]))
    def test_a_table_alone(
        self, con: duckdb.DuckDBPyConnection, table: list[Column], threshold: float
    ) -> None:
        load(con, "t", table)
        result = measures(con, "t", qi=[c.name for c in table], threshold=threshold)
        assert result == pytest.approx(oracle.risk(table_of(table), threshold), rel=1e-12)

    @few
    @given(st.lists(st.tuples(*[st.sampled_from(["a", "b", "*", None])] * 3), min_size=1, max_size=12))
    def test_suppressed_cells_are_wildcards(
        self, con: duckdb.DuckDBPyConnection, table: list[tuple[str | None, ...]]
    ) -> None:
        """As many records as show all that it shows, record by record; and it is never less than by k."""
        columns = [list(column) for column in zip(*table, strict=True)]
        con.execute(
            "create or replace table t as select unnest($1) as a, unnest($2) as b, unnest($3) as c", columns
        ).fetchall()
        about: dict[str, Any] = {"qi": ["a", "b", "c"], "suppressed": "wildcard"}
        wanted = oracle.risk(table, 0.2, lambda value: value in ("*", None))
        assert measures(con, "t", **about) == pytest.approx(wanted, rel=1e-12)
        for *values, size, prosecutor in rows(con, "record_risk", "t", **about):
            assert size == oracle.agreeing(tuple(values), table, lambda value: value in ("*", None))
            assert prosecutor == 1 / size
        [k] = [row[2] for row in rows(con, "privacy", "t", **about) if row[0] == "k-anonymity"]
        assert wanted["prosecutor risk, highest"] >= 1 / k

    @few
    @given(populations(), st.sampled_from([0.2, 0.5]))
    def test_with_a_population(
        self, con: duckdb.DuckDBPyConnection, case: tuple[list[Column], list[Column]], threshold: float
    ) -> None:
        table, people = case
        load(con, "t", table)
        load(con, "everybody", people)
        result = measures(con, "t", qi=[c.name for c in table], population="everybody", threshold=threshold)
        alone = oracle.risk(table_of(table), threshold)
        known = oracle.population_risk(table_of(table), table_of(people), threshold)
        assert result == pytest.approx({**alone, **known}, rel=1e-12)

    @pytest.mark.slow("0.9 s")
    @fewer
    @given(populations())
    def test_record_by_record(
        self, con: duckdb.DuckDBPyConnection, case: tuple[list[Column], list[Column]]
    ) -> None:
        """Each row with its own values; over all rows it is what risk says."""
        table, people = case
        load(con, "t", table)
        load(con, "everybody", people)
        qi = [c.name for c in table]
        result = rows(con, "record_risk", "t", qi=qi, keep="id", population="everybody")
        raw = table_of(table)
        sizes = Counter(map(oracle.key, raw))
        residents = Counter(map(oracle.key, table_of(people)))
        for *values, id, size, prosecutor, known, journalist in result:
            assert oracle.key(values) == oracle.key(raw[id])
            assert (size, prosecutor) == (sizes[oracle.key(values)], 1 / size)
            assert (known, journalist) == (residents[oracle.key(values)], 1 / known if known else 0)
        assert sorted(row[len(qi)] for row in result) == list(range(len(raw)))
        summary = measures(con, "t", qi=qi, population="everybody")
        assert sum(row[-3] for row in result) / len(raw) == pytest.approx(summary["prosecutor risk, mean"])
        assert sum(row[-1] for row in result) / len(raw) == pytest.approx(summary["journalist risk, mean"])

    def test_a_release_is_read_as_an_adversary_reads_it(self, con: duckdb.DuckDBPyConnection) -> None:
        con.execute(
            """create or replace table r as select unnest(['[20, 29]', '[20, 29]', '[30, 39]', '[60, 69]',
                '77']) as age,
            unnest(['a', 'a', '*', 'a', 'b']) as zip"""
        ).fetchall()
        con.execute(
            """create or replace table voters as select * from (values
            (20, 'a'), (25, 'a'), (29, 'a'), (25, 'b'), (31, 'a'), (39, 'c'), (77, 'b')) as v(age, zip)"""
        ).fetchall()
        result = measures(con, "r", qi=["age", "zip"], population="voters")
        assert result["k-map"] == 0
        assert (result["null-map"], result["null-map, classes"]) == (0.2, 1)
        assert (result["matched by one person"], result["wrong-map"]) == (0.2, 0)
        assert result["marketer risk in the population"] == pytest.approx((2 / 3 + 1 / 2 + 1) / 5)
        assert result["journalist risk, highest"] == 1

    def test_several_records_that_one_person_matches(self, con: duckdb.DuckDBPyConnection) -> None:
        con.execute("create or replace table r as select unnest([1, 1, 1, 2]) as q").fetchall()
        con.execute("create or replace table voters as select unnest([1, 2, 2]) as q").fetchall()
        result = measures(con, "r", qi="q", population="voters")
        assert (result["matched by one person"], result["wrong-map"]) == (0.75, 0.5)


def of_sizes(con: duckdb.DuckDBPyConnection, sizes: Sequence[int]) -> None:
    """The table t, whose classes have these sizes."""
    con.execute(
        "create or replace table t as select q from (select unnest(?::integer[]) as size, "
        "unnest(range(?)) as q), range(size)",
        [list(sizes), len(sizes)],
    ).fetchall()


MODELS = ("Pitman", "Zayatz", "SNB", "Dankar's rule")


def uniques(con: duckdb.DuckDBPyConnection, fraction: float) -> dict[str, Any]:
    """How many of the population are unique, by each model."""
    result = measures(con, "t", qi="q", fraction=fraction)
    numbers = {model: result[f"population uniques by {model}, number"] for model in MODELS}
    people = round(result["records"] / fraction)
    for model, number in numbers.items():
        share = result[f"population uniques by {model}"]
        assert share == (None if number is None else pytest.approx(number / people))
    return numbers


FRACTIONS = st.sampled_from([0.01, 0.1, 0.3, 0.7])
SIZES = st.lists(st.sampled_from([1, 1, 1, 2, 2, 3, 4, 7, 20]), min_size=1, max_size=20)


class TestPopulationUniques:
    @pytest.mark.slow("0.3 s")
    @few
    @given(SIZES, FRACTIONS)
    def test_pitman_and_zayatz(
        self, con: duckdb.DuckDBPyConnection, sizes: list[int], fraction: float
    ) -> None:
        """Pitman's model where its likelihood is highest, and nothing where that is at a bound."""
        of_sizes(con, sizes)
        result = uniques(con, fraction)
        people = round(sum(sizes) / fraction)
        if 1 in sizes:
            pitman = oracle.pitman(sizes, people)
            if pitman is not None and pitman > people:
                pitman = None
            assert result["Pitman"] == (None if pitman is None else pytest.approx(pitman, rel=1e-6))
            assert result["Zayatz"] == pytest.approx(oracle.zayatz(sizes, people, fraction), rel=1e-9)
        else:
            assert set(result.values()) == {0}

    @pytest.mark.slow("1.6 s a case")
    @pytest.mark.parametrize(
        ("sizes", "fraction"),
        [
            ([1] * 40 + [2] * 15 + [3] * 8 + [4] * 4 + [6, 7, 9, 12], 0.3),
            ([1] * 30 + [2] * 20 + [3] * 12 + [5] * 9 + [8] * 4, 0.5),
        ],
    )
    def test_snb(self, con: duckdb.DuckDBPyConnection, sizes: list[int], fraction: float) -> None:
        of_sizes(con, sizes)
        assert uniques(con, fraction)["SNB"] == pytest.approx(oracle.snb(sizes, fraction), rel=1e-9)

    @pytest.mark.parametrize("sizes", [[1] * 3, [1] * 3 + [2] * 8 + [3, 3, 4], [1]])
    def test_no_snb_fits(self, con: duckdb.DuckDBPyConnection, sizes: list[int]) -> None:
        of_sizes(con, sizes)
        result = uniques(con, 0.7)
        assert result["SNB"] is None
        assert result["Dankar's rule"] == result["Zayatz"] > 0

    @pytest.mark.parametrize("fraction", [0.05, 0.1, 0.2, 0.6])
    def test_dankar(self, con: duckdb.DuckDBPyConnection, fraction: float) -> None:
        of_sizes(con, [1] * 40 + [2] * 15 + [3] * 8 + [4] * 4 + [6, 7, 9, 12])
        result = uniques(con, fraction)
        assert len({result["Pitman"], result["Zayatz"], result["SNB"]} - {None}) == 3
        chosen = result["Pitman"] if fraction <= 0.1 else min(result["Zayatz"], result["SNB"])
        assert result["Dankar's rule"] == chosen

    def test_everybody_is_unique(self, con: duckdb.DuckDBPyConnection) -> None:
        """No bound of the parameters is a result: Zayatz takes over."""
        of_sizes(con, [1] * 10)
        everybody = pytest.approx(100)
        assert uniques(con, 0.1) == {
            "Pitman": None,
            "Zayatz": everybody,
            "SNB": None,
            "Dankar's rule": everybody,
        }


class TestAdult:
    """The seven attributes of Adult as ARX has it, and what ARX says of them."""

    @data.needs_arx
    def test_sample_and_population(self, con: duckdb.DuckDBPyConnection) -> None:
        data.load_arx_adult(con, "adult")
        result = measures(con, "adult", qi=ARX_QI, fraction=0.1)
        assert result["prosecutor risk, mean"] == 0.36764803395000334
        assert (result["sample uniques"], result["largest class"]) == (7653, 137)
        assert result["prosecutor risk above threshold"] == 13657 / 30162
        assert result["population uniques by Pitman"] == pytest.approx(0.1166576426, abs=1e-10)
        assert result["population uniques by Zayatz"] == pytest.approx(0.1213580141, abs=2e-10)
        assert result["population uniques by Dankar's rule"] == result["population uniques by Pitman"]

    @pytest.mark.slow("1.3 s")
    @data.needs_arx
    def test_python_gives_the_same_rows(self, con: duckdb.DuckDBPyConnection) -> None:
        data.load_arx_adult(con, "adult")
        con.execute("create or replace table part as from adult where id % 3 = 0").fetchall()
        arguments: dict[str, Any] = {"qi": ["sex", "age"], "population": "adult"}
        frame = con.table("part")
        assert sqlanon.risk(con, frame, **arguments, threshold=0.1, fraction=0.3).fetchall() == rows(
            con, "risk", "part", **arguments, threshold=0.1, fraction=0.3
        )
        result = sqlanon.record_risk(con, frame, **arguments, keep=["id"]).fetchall()
        assert sorted(result) == sorted(rows(con, "record_risk", "part", **arguments, keep="id"))


class TestBadInput:
    @pytest.mark.parametrize("macro", ["risk", "record_risk"])
    def test_suppressed(self, con: duckdb.DuckDBPyConnection, macro: str) -> None:
        con.execute("create or replace table t as select 1 as a, 2 as who").fetchall()
        for about, message in (
            ({"suppressed": "any"}, "suppressed must be value or wildcard, not any"),
            ({"suppressed": "wildcard", "unit": "who"}, "does not go with unit"),
            ({"suppressed": "wildcard", "fraction": 0.5}, "does not go with fraction"),
        ):
            if macro == "risk" or "fraction" not in about:
                with pytest.raises(duckdb.Error, match=message):
                    rows(con, macro, "t", qi="a", **about)

    @pytest.mark.parametrize("fraction", [0, 1, -0.5, 2, float("nan")])
    def test_fraction(self, con: duckdb.DuckDBPyConnection, fraction: float) -> None:
        message = refused(con, "risk", "people", qi="age", fraction=fraction)
        assert "fraction must be above 0 and below 1, not " in message

    @pytest.mark.parametrize("threshold", [-0.1, 1.5, float("nan")])
    def test_threshold(self, con: duckdb.DuckDBPyConnection, threshold: float) -> None:
        assert "threshold must be between 0 and 1" in refused(
            con, "risk", "people", qi="age", threshold=threshold
        )

    @pytest.mark.parametrize("macro", ["risk", "record_risk"])
    def test_tables(self, con: duckdb.DuckDBPyConnection, macro: str) -> None:
        assert "table nobody is empty" in refused(con, macro, "nobody", qi="age")
        assert "population nobody is empty" in refused(con, macro, "people", qi="age", population="nobody")
        assert '"agee"' in refused(con, macro, "people", qi="agee")
        assert "qi names no column" in refused(con, macro, "people", qi=[])

    def test_python(self, con: duckdb.DuckDBPyConnection) -> None:
        with pytest.raises(sqlanon.InputError, match="fraction must be above 0 and below 1, not 1"):
            sqlanon.risk(con, "people", qi="age", fraction=1)

    def test_empty_tables_with_a_fraction(self, con: duckdb.DuckDBPyConnection) -> None:
        assert "table nobody is empty" in refused(con, "risk", "nobody", qi="age", fraction=0.1)


class TestHostile:
    @pytest.mark.slow("33 cases", but=(0, 11, 22))
    @pytest.mark.parametrize("name", NAMES)
    def test_columns(self, con: duckdb.DuckDBPyConnection, name: str) -> None:
        load(con, "hostile", [Column(name, "INTEGER", [1, 1, None, 2])])
        assert measures(con, "hostile", qi=name)["sample uniques"] == 2
        result = rows(con, "record_risk", "hostile", qi="id", keep=name)
        assert sorted(result)[2] == (2, None, 1, 1.0)

    @pytest.mark.parametrize("name", ["people", "refused", "class", "n", "q1", "size", 'a"b'])
    def test_columns_of_a_population(self, con: duckdb.DuckDBPyConnection, name: str) -> None:
        load(con, "hostile", [Column(name, "INTEGER", [1, 1, None, 2])])
        result = rows(con, "record_risk", "hostile", qi=name, population="hostile")
        assert sorted(result, key=str)[0] == (1, 2, 0.5, 2, 0.5)

    @pytest.mark.slow("0.4 s")
    @pytest.mark.parametrize("table", [*TABLES, "class_size", "frequency", "total", "measure", "estimate"])
    def test_tables(self, con: duckdb.DuckDBPyConnection, table: str) -> None:
        load(con, table, [Column("a", "INTEGER", [1, 1, None, 2])])
        result = measures(con, table, qi="a", population=table, fraction=0.5)
        assert (result["sample uniques"], result["k-map"]) == (2, 1)
        con.execute(f'drop table "{table}"').fetchall()

    @pytest.mark.slow("0.4 s")
    def test_a_common_table_expression(self, con: duckdb.DuckDBPyConnection) -> None:
        result = con.execute(
            """with state as (select unnest([1, 1, 2]) as a), "sample" as (from state)
            select value from sqlanon.risk('state', 'a', population := '"sample"', fraction := 0.5)
            where measure = 'k-map'"""
        ).fetchall()
        assert result == [(1,)]
