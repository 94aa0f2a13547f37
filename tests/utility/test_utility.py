"""utility in SQL against boxes and points counted in Python, against what ARX computes, and by hand."""

# As texts: Hypothesis keeps evaluated annotations, and DuckDB 2.0 reports its types there as leaks.
from __future__ import annotations

import csv
import math
import statistics
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import duckdb
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from typer.testing import CliRunner

import sqlanon
from sqlanon import InputError
from sqlanon.cli import app
from tests import data
from tests.budget import examples
from tests.oracles import as_text
from tests.oracles.utility import CELLS, Comparison, Query
from tests.oracles.utility import Column as Compared
from tests.tables import DOMAINS, Column, call, columns, identifier, load, load_hierarchies

TYPES = [
    "INTEGER",
    "DOUBLE",
    "DECIMAL(6, 2)",
    "VARCHAR",
    "BOOLEAN",
    "DATE",
    "ENUM ('small', 'medium', 'large')",
]
MEASURED = ("INTEGER", "DOUBLE", "DECIMAL", "DATE")


@pytest.fixture(scope="module")
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        sqlanon.register(connection)
        connection.execute(
            """create table people as
            select range as id, (20 + range % 7)::integer as age, (range % 3)::varchar as zip,
                range % 5 as income
            from range(30)"""
        ).fetchall()
        yield connection


def close(value: Any) -> Any:
    return pytest.approx(value, rel=1e-9, abs=1e-9)


def rows_of(
    con: duckdb.DuckDBPyConnection, original: str, release: str, **arguments: Any
) -> list[tuple[Any, ...]]:
    return con.execute(f"from {utility(original, release, **arguments)}").fetchall()


def utility(original: str, release: str, **arguments: Any) -> str:
    return call("utility", original, release=release, **arguments)


def refused(con: duckdb.DuckDBPyConnection, original: str, release: str, **arguments: Any) -> str:
    with pytest.raises(duckdb.Error) as caught:
        con.execute(f"from {utility(original, release, **arguments)}").fetchall()
    return str(caught.value)


# Random tables, and random releases of them


@st.composite
def tables(draw: st.DrawFn) -> tuple[list[Column], list[Column]]:
    """Quasi-identifiers and at most one sensitive column."""
    n = draw(st.integers(2, 25))
    qi = [draw(columns(f"q {i}", n, TYPES, width=4)) for i in range(draw(st.integers(1, 2)))]
    return qi, [draw(columns("s", n, TYPES, width=2)) for _ in range(draw(st.integers(0, 1)))]


def spellings(column: Column, value: Any) -> list[str | None]:
    """Some of what could be released in place of a value."""
    text = as_text(value)
    domain = DOMAINS[column.type]
    released = [text, "*", *column.labels(value)]
    if value is not None and column.type in ("INTEGER", "DECIMAL(6, 2)", "DATE"):
        lo, hi = as_text(domain[0]), as_text(max(value, domain[2]))
        released += [f"[{lo}, {hi}]", f"[NULL, {hi}]", f">={text}", f"<={hi}"]
    if column.type in ("BOOLEAN", "INTEGER"):
        others = {text or "NULL", str(as_text(domain[0])), "NULL"}
        released.append("{" + ", ".join(sorted(others)) + "}")
    return released


def write_by_hand(
    con: duckdb.DuckDBPyConnection, draw: Any, qi: Sequence[Column], sensitive: Sequence[Column]
) -> None:
    """A release whose rows are generalized each in its own way, and some of them left out."""
    n = len(qi[0].values)
    kept = draw(st.lists(st.integers(0, n - 1), min_size=1, max_size=n, unique=True))
    texts = [
        Column(
            column.name,
            "VARCHAR",
            [draw(st.sampled_from(spellings(column, column.values[row]))) for row in kept],
        )
        for column in qi
    ]
    load(con, "r", [*texts, *(Column(c.name, c.type, [c.values[row] for row in kept]) for c in sensitive)])


def release(
    con: duckdb.DuckDBPyConnection,
    draw: Any,
    qi: list[Column],
    sensitive: list[Column],
    hierarchies: str | None,
) -> None:
    """The table r, a release of the table t by some method."""
    names: dict[str, Any] = {
        "qi": [c.name for c in qi],
        "sensitive": [c.name for c in sensitive] or None,
        "k": draw(st.integers(1, 4)),
        "seed": 1,
    }
    method = draw(st.sampled_from(["by hand", "mondrian", "generalize", "mu_argus"]))
    if method == "by hand":
        write_by_hand(con, draw, qi, sensitive)
        return
    if method == "generalize":
        heights = [len(c.labels(None)) - 1 if c.hierarchy else 1 for c in qi]
        levels = [draw(st.integers(0, height)) for height in heights]
        names |= {"levels": levels, "suppression_limit": 1, "hierarchies": hierarchies}
    elif method == "mondrian":
        names |= {"hierarchies": hierarchies, "recoding": draw(st.sampled_from(["text", "range"]))}
    else:
        names |= {"recoding": "range" if all(None not in c.values for c in qi) else "text"}
    try:
        con.execute(f"create or replace table r as from {call(method, 't', **names)}").fetchall()
    except duckdb.Error as error:
        refusals = ("no release can meet", "but the table has only", "every row", "all rows", "suppress")
        if not any(refusal in str(error) for refusal in refusals):
            raise
        assume(False)


def comparison(
    con: duckdb.DuckDBPyConnection, qi: Sequence[Column], sensitive: Sequence[Column]
) -> Comparison:
    """The tables t and r for the oracle."""
    texts = ", ".join(f"sqlanon._released_text({identifier(c.name)})" for c in [*qi, *sensitive])
    released = con.execute(f"select {texts} from r").fetchall()
    return Comparison(
        [
            Compared(c.values, texts, c.hierarchy, c.type.startswith(MEASURED))
            for c, texts in zip([*qi, *sensitive], zip(*released, strict=True), strict=True)
        ],
        len(qi),
    )


def workload(con: duckdb.DuckDBPyConnection, compared: Comparison, number: int, seed: int) -> list[Query]:
    """The queries that utility makes up."""
    sizes = [len(column.domain) for column in compared.columns]
    con.execute(
        "create or replace table grid as select unnest(range(1, len($1) + 1))::integer as d, "
        "unnest($1) as values,"
        " unnest($2)::integer as cells",
        [sizes, [min(size, CELLS) for size in sizes]],
    ).fetchall()
    request: dict[int, dict[int, tuple[int, int]]] = {}
    for query, d, lo, hi in con.execute(
        f"select query, d, lo, hi from sqlanon._workload('grid', {number}, {seed})"
    ).fetchall():
        request.setdefault(query, {})[d - 1] = (lo, hi)
    return [Query(ranges) for ranges in request.values()]


class TestAgainstTheOracle:
    @examples(15)
    @given(st.data())
    def test_random_releases(self, con: duckdb.DuckDBPyConnection, data: st.DataObject) -> None:
        qi, sensitive = data.draw(tables())
        seed, k = data.draw(st.integers(-5, 5)), data.draw(st.none() | st.integers(1, 5))
        load(con, "t", [*qi, *sensitive])
        hierarchies = load_hierarchies(con, "h", [*qi, *sensitive])
        release(con, data.draw, qi, sensitive, hierarchies)
        compared = comparison(con, qi, sensitive)
        names = [c.name for c in qi]
        answer = rows_of(
            con, "t", "r", qi=names, sensitive=[c.name for c in sensitive] or None, hierarchies=hierarchies,
            k=k, queries=20, seed=seed,
        )  # fmt: skip
        moments = (
            "mean change",
            "variance change",
            "correlation change, mean",
            "correlation change, largest",
        )
        by_measure = {
            (measure, attribute): value for measure, attribute, value, *_ in answer if measure not in moments
        }
        wanted: dict[Any, float] = {
            (measure, None if i is None else names[i]): value for measure, i, value in compared.measures(k)
        }
        errors = compared.query_errors(workload(con, compared, 20, seed))
        wanted |= {("query error, median", None): errors[0], ("query error, mean", None): errors[1]}
        assert by_measure == {key: close(value) for key, value in wanted.items()}

    def test_more_values_than_cells(self, con: duckdb.DuckDBPyConnection) -> None:
        """Cells of several values each: intervals and sets that begin and end within one."""
        values = [(i * i) % 211 for i in range(150)]
        texts = [f"v{i * 37 % 101:03}" for i in range(150)]
        load(
            con,
            "t",
            [
                Column("a", "INTEGER", values),
                Column("b", "VARCHAR", texts),
                Column("c", "INTEGER", [i % 2 for i in range(150)]),
            ],
        )
        con.execute(
            "create or replace table r as from sqlanon.mondrian('t', ['a', 'b'], 'c', k := 10, seed := 1)"
        ).fetchall()
        of = [Column("a", "INTEGER", values), Column("b", "VARCHAR", texts)]
        compared = comparison(con, of, [])
        assert len(compared.columns[0].domain) > CELLS < len(compared.columns[1].domain)
        answer = {row[:2]: row[2] for row in rows_of(con, "t", "r", qi=["a", "b"], queries=40, seed=7)}
        errors = compared.query_errors(workload(con, compared, 40, 7))
        assert (answer["query error, median", None], answer["query error, mean", None]) == close(errors)


class TestWorkload:
    @pytest.fixture
    def ranges(self, con: duckdb.DuckDBPyConnection) -> list[tuple[Any, ...]]:
        con.execute(
            "create or replace table grid as select range::integer + 1 as d, 100 as values, 50 as cells "
            "from range(6)"
        ).fetchall()
        return con.execute("from sqlanon._workload('grid', 2000, 1)").fetchall()

    def test_three_columns_each(self, ranges: list[tuple[Any, ...]]) -> None:
        of: dict[int, list[int]] = {}
        for query, _, _, d, lo, hi in ranges:
            of.setdefault(query, []).append(d)
            assert 0 <= lo <= hi < 50
        assert len(of) == 2000
        assert all(len(set(columns)) == 3 for columns in of.values())
        # of the 20 sets of three columns most are there
        assert 10 <= len({tuple(sorted(columns)) for columns in of.values()}) <= 20

    def test_ends_are_uniform(self, ranges: list[tuple[Any, ...]]) -> None:
        """Two random cells: a third of the cells lies between them on average."""
        assert statistics.mean(hi - lo for *_, lo, hi in ranges) == pytest.approx(50 / 3, rel=0.05)
        assert statistics.mean(lo + hi for *_, lo, hi in ranges) == pytest.approx(49, rel=0.05)

    def test_a_seed_is_another_workload(
        self, con: duckdb.DuckDBPyConnection, ranges: list[tuple[Any, ...]]
    ) -> None:
        assert sorted(con.execute("from sqlanon._workload('grid', 2000, 1)").fetchall()) == sorted(ranges)
        assert sorted(con.execute("from sqlanon._workload('grid', 2000, 2)").fetchall()) != sorted(ranges)


# Numbers


class TestMoments:
    VALUES: tuple[list[Any], list[Any]] = ([1.0, 2.0, 4.0, 8.0, None, 3.0], [2.0, 1.0, 0.5, 7.0, 3.0, 3.0])
    RELEASED: tuple[list[Any], list[Any]] = (
        [1.5, 1.5, 6.25, 6.0, None, 3.25],
        [2.5, 1.0, 0.25, 7.5, 3.5, 3.0],
    )

    def load(self, con: duckdb.DuckDBPyConnection, kept: Sequence[int] = range(6)) -> None:
        load(con, "t", [Column("a", "DOUBLE", self.VALUES[0]), Column("b", "DOUBLE", self.VALUES[1])])
        load(
            con,
            "r",
            [
                Column(name, "DOUBLE", [of[i] for i in kept])
                for name, of in zip("ab", self.RELEASED, strict=True)
            ],
        )
        con.execute("update r set id = $1[id + 1]", [list(kept)]).fetchall()

    @pytest.mark.slow("0.4 s")
    def test_against_python(self, con: duckdb.DuckDBPyConnection) -> None:
        self.load(con)
        answer = {row[:2]: row[2] for row in rows_of(con, "t", "r", qi=["a", "b"], id="id")}
        pairs = [(x, y) for x, y in zip(*self.VALUES, strict=True) if x is not None and y is not None]
        new_pairs = [(x, y) for x, y in zip(*self.RELEASED, strict=True) if x is not None and y is not None]
        ratios = []
        for name, was, now in zip("ab", self.VALUES, self.RELEASED, strict=True):
            x, y = [v for v in was if v is not None], [v for v in now if v is not None]
            assert answer["mean change", name] == close(
                (statistics.mean(y) - statistics.mean(x)) / statistics.pstdev(x)
            )
            assert answer["variance change", name] == close(
                100 * (statistics.pvariance(y) / statistics.pvariance(x) - 1)
            )
            errors = sum((v - w) ** 2 for v, w in zip(x, y, strict=True))
            ratios.append(100 * errors / (statistics.pvariance(x) * len(x)))
            assert answer["SSE / SST", name] == close(ratios[-1])
        change = statistics.correlation(*zip(*new_pairs, strict=True)) - statistics.correlation(
            *zip(*pairs, strict=True)
        )
        assert answer["correlation change, mean", None] == close(abs(change))
        assert answer["correlation change, largest", None] == close(abs(change))
        assert answer["SSE / SST", None] == close(statistics.mean(ratios))
        # released numbers that the original lacks: nothing is said of what they cover
        assert answer["values that the original lacks", "a"] == close(100 * 5 / 6)
        assert {measure for measure, _ in answer} == {
            "suppressed rows", "suppressed cells", "values that the original lacks", "discernibility",
            "average class size", "query error, median", "query error, mean",
            "mean change", "variance change", "correlation change, mean", "correlation change, largest",
            "SSE / SST",
        }  # fmt: skip

    def test_range_counts_read_a_number_as_the_nearest_value(self, con: duckdb.DuckDBPyConnection) -> None:
        con.execute(
            """create or replace table t as
                from (values (1, 'x'), (2, 'y'), (4, 'x'), (8, 'y'), (9, 'z')) t(a, s);
            create or replace table means as
                from (values (1.2, 'x'), (3, 'y'), (3.1, 'x'), (7, 'y'), (99, 'z')) t(a, s);
            create or replace table dealt as
                select a, case when a < 9 then ['x', 'y'] else ['z'] end as s from t"""
        ).fetchall()
        errors = {
            name: [row[2] for row in rows_of(con, "t", name, qi="a", sensitive="s") if "query" in row[0]]
            for name in ("means", "dealt")
        }
        assert errors["means"] == [0, 0]
        assert errors["dealt"][1] > 0
        of = {row[0]: row[2] for row in rows_of(con, "t", "dealt", qi="a", sensitive="s") if row[1] == "s"}
        assert of["sensitive values that are one of several"] == 80

    @pytest.mark.slow("0.4 s")
    def test_a_suppressed_row_is_released_as_the_mean(self, con: duckdb.DuckDBPyConnection) -> None:
        self.load(con, kept=[0, 1, 2])
        answer = {row[:2]: row[2] for row in rows_of(con, "t", "r", qi=["a", "b"], id="id")}
        mean = statistics.mean([1, 2, 4, 8, 3])
        errors = 0.5**2 + 0.5**2 + 2.25**2 + (8 - mean) ** 2 + (3 - mean) ** 2
        assert answer["SSE / SST", "a"] == close(100 * errors / (statistics.pvariance([1, 2, 4, 8, 3]) * 5))

    @pytest.mark.slow("0.3 s")
    def test_the_original_itself(self, con: duckdb.DuckDBPyConnection) -> None:
        self.load(con)
        answer = {row[:2]: row[2] for row in rows_of(con, "t", "t", qi=["a", "b"], id="id")}
        nothing = [key for key in answer if key[0] not in ("discernibility", "average class size")]
        assert {key: answer[key] for key in nothing} == dict.fromkeys(nothing, pytest.approx(0, abs=1e-12))
        assert len(nothing) == 29

    @pytest.mark.parametrize(
        ("type_", "values", "released"),
        [
            ("DOUBLE", [1.0, math.nan, 2.0], ["1.0", "nan", "2.0"]),
            ("DOUBLE", [1.0, math.inf, 2.0], ["1.0", "inf", "2.0"]),
            ("INTEGER", [1, 2, 3], ["1", "2", "*"]),
            ("INTEGER", [1, 2, 3], ["1", "[2, 3]", "[2, 3]"]),
            ("VARCHAR", ["1", "2", "3"], ["1", "2", "3"]),
        ],
    )
    def test_columns_that_are_no_numbers(
        self, con: duckdb.DuckDBPyConnection, type_: str, values: list[Any], released: list[str]
    ) -> None:
        load(con, "t", [Column("a", type_, values)])
        load(con, "r", [Column("a", "VARCHAR", released)])
        answer = [measure for measure, *_ in rows_of(con, "t", "r", qi="a")]
        assert "NCP" in answer
        assert not [measure for measure in answer if "change" in measure]

    @pytest.mark.slow("0.3 s")
    def test_a_constant_column(self, con: duckdb.DuckDBPyConnection) -> None:
        load(con, "t", [Column("a", "DOUBLE", [0.1] * 7), Column("b", "INTEGER", list(range(7)))])
        load(con, "r", [Column("a", "DOUBLE", [0.3] * 7), Column("b", "INTEGER", [3] * 7)])
        answer = {row[:2]: row[2] for row in rows_of(con, "t", "r", qi=["a", "b"], id="id")}
        assert ("mean change", "a") not in answer
        assert answer["mean change", "b"] == 0
        assert answer["variance change", "b"] == -100
        assert ("correlation change, mean", None) not in answer
        assert answer["SSE / SST", None] == 100


@pytest.mark.slow("5 tests, 0.3 to 1.2 s each")
class TestByHand:
    def test_an_interval_and_a_star(self, con: duckdb.DuckDBPyConnection) -> None:
        load(
            con,
            "t",
            [Column("age", "INTEGER", [20, 25, 30, 40]), Column("sex", "VARCHAR", ["f", "m", "f", "m"])],
        )
        load(
            con, "r", [Column("age", "VARCHAR", ["[20, 30]"] * 3), Column("sex", "VARCHAR", ["*", "*", "f"])]
        )
        answer = {row[:2]: row[2] for row in rows_of(con, "t", "r", qi=["age", "sex"], k=2)}
        assert answer["suppressed rows", None] == 25
        assert answer["suppressed cells", "sex"] == close(200 / 3)
        assert answer["suppressed cells", None] == close(100 / 3)
        assert answer["NCP", "age"] == close((3 * 10 / 20 + 1) / 4)
        assert answer["NCP", "sex"] == close((2 + 0 + 1) / 4)
        assert answer["GCP", None] == close((2.5 + 3) / 8)
        assert answer["discernibility", None] == 4 + 1 + 4
        assert answer["average class size", None] == close(4 / 3)
        assert answer["C_avg", None] == close(2 / 3)
        assert ("precision", "age") not in answer
        assert answer["precision", "sex"] == close(3 / 4)
        # of 8 combinations: 2 rows on 6, 1 row on 3, 1 row on all 8
        female, male, old = 2 / 6 + 1 / 3 + 1 / 8, 2 / 6 + 1 / 8, 1 / 8
        assert answer["KL divergence", None] == close(
            sum(math.log2(1 / q) / 4 for q in (female, female, male, old))
        )
        assert answer["city block distance", None] == close(
            (2 * (1 - female) + 1 - male + 1 - old + female + 2 * male + old) / 4
        )

    def test_null_has_no_width(self, con: duckdb.DuckDBPyConnection) -> None:
        load(con, "t", [Column("a", "INTEGER", [None, 0, 4, 10])])
        load(con, "r", [Column("a", "VARCHAR", ["{NULL, 10}", "[NULL, 4]", "{NULL, 4, 10}", None])])
        answer = {row[:2]: row[2] for row in rows_of(con, "t", "r", qi="a")}
        assert answer["NCP", "a"] == close((0 + 0.4 + 0.6 + 0) / 4)

    def test_a_release_of_another_type(self, con: duckdb.DuckDBPyConnection) -> None:
        """28 is 28.0 where it is a number; a date has several spellings."""
        con.execute("create or replace table t as select 28 as a, date '2020-01-01' as b").fetchall()
        con.execute("create or replace table r as select 28.0 as a, timestamp '2020-01-01' as b").fetchall()
        answer = {row[:2]: row[2] for row in rows_of(con, "t", "r", qi=["a", "b"])}
        assert answer["GCP", None] == 0
        assert answer["KL divergence", None] == 0

    def test_a_swap_can_be_infinitely_far(self, con: duckdb.DuckDBPyConnection) -> None:
        con.execute("create or replace table t as from (values (1, 1), (2, 2)) as t(a, b)").fetchall()
        con.execute("create or replace table r as from (values (1, 2), (2, 1)) as t(a, b)").fetchall()
        answer = {row[:2]: row[2] for row in rows_of(con, "t", "r", qi=["a", "b"])}
        assert answer["KL divergence", None] == math.inf
        assert answer["city block distance", None] == 2
        assert answer["correlation change, largest", None] == close(2)

    def test_the_same_rows_twice(self, con: duckdb.DuckDBPyConnection) -> None:
        con.execute(
            "create or replace table r as from sqlanon.mondrian('people', ['age', 'zip'], k := 4, seed := 1)"
        ).fetchall()
        first = rows_of(con, "people", "r", qi=["age", "zip"], seed=3)
        assert first == rows_of(con, "people", "r", qi=["age", "zip"], seed=3)
        assert first != rows_of(con, "people", "r", qi=["age", "zip"], seed=4)


# Published numbers


@pytest.fixture(scope="module")
def adult() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        sqlanon.register(connection)
        data.load_arx_adult(connection, "adult")
        data.load_arx_hierarchies(connection, "h")
        yield connection


@data.needs_arx
@data.needs_conformance
class TestArx:
    QI = ("sex", "age", "race", "marital-status", "education", "native-country", "workclass")
    NODES = (
        "0,0,0,0,0,0,0",
        "0,1,0,0,0,1,0",
        "0,3,0,0,1,0,0",
        "0,3,1,0,1,1,0",
        "0,2,1,1,3,1,0",
        "1,4,1,1,2,1,0",
    )

    @pytest.mark.slow("1.0 s", but=(1,))
    @pytest.mark.parametrize("node", NODES)
    def test_a_node_of_the_lattice(self, adult: duckdb.DuckDBPyConnection, node: str) -> None:
        with (data.conformance() / "arx_lattice_adult7_k5.csv").open(encoding="utf-8", newline="") as file:
            published = {",".join(row[column] for column in self.QI): row for row in csv.DictReader(file)}
        levels = [int(level) for level in node.split(",")]
        adult.execute(
            "create or replace table r as from "
            + call(
                "generalize", "adult", qi=self.QI, levels=levels, hierarchies="h", k=5, suppression_limit=1
            )
        ).fetchall()
        answer = {
            row[:2]: row[2] for row in rows_of(adult, "adult", "r", qi=self.QI, hierarchies="h", queries=10)
        }
        of_arx = {
            "loss": "loss_geo", "non-uniform entropy": "entropy_sum", "precision": "precision",
            "discernibility": "dm",
            "average class size": "aecs",
        }  # fmt: skip
        wanted = {measure: float(published[node][column]) for measure, column in of_arx.items()}
        assert {measure: answer[measure, None] for measure in of_arx} == {
            measure: pytest.approx(value, rel=1e-9) for measure, value in wanted.items()
        }
        assert answer["suppressed rows", None] == close(100 * int(published[node]["suppressed"]) / 30162)


# What people get wrong


class TestBadInput:
    @pytest.mark.slow("0.6 s")
    def test_empty_tables(self, con: duckdb.DuckDBPyConnection) -> None:
        con.execute("create or replace table nobody as from people where false").fetchall()
        assert "table nobody is empty" in refused(con, "nobody", "people", qi="age")
        assert "table nobody is empty" in refused(con, "people", "nobody", qi="age")

    def test_a_column_that_one_of_them_lacks(self, con: duckdb.DuckDBPyConnection) -> None:
        con.execute("create or replace table r as select age as agee, zip from people").fetchall()
        for tables in (("people", "r"), ("r", "people")):
            assert '"age" not found' in refused(con, *tables, qi=["age", "zip"])
        assert '"income" not found' in refused(con, "people", "r", qi="zip", sensitive="income")
        assert '"id" not found' in refused(con, "people", "r", qi="zip", id="id")

    @pytest.mark.slow("0.4 s")
    @pytest.mark.parametrize(
        ("select", "message"),
        [
            ("age, 'x' || zip as zip", "column zip: the released value x"),
            ("age > 22 as age, zip", "column age: the released value"),
            (
                "date '2020-01-01' as age, zip",
                "column age: the released value 2020-01-01 stands for no value of the original",
            ),
            (
                "'[90, 99]' as age, zip",
                "column age: the released value [90, 99] stands for no value of the original",
            ),
        ],
    )
    def test_values_that_stand_for_nothing(
        self, con: duckdb.DuckDBPyConnection, select: str, message: str
    ) -> None:
        con.execute(f"create or replace table r as select {select} from people").fetchall()
        assert message in refused(con, "people", "r", qi=["age", "zip"])

    @pytest.mark.slow("0.4 s")
    def test_more_rows_than_the_original(self, con: duckdb.DuckDBPyConnection) -> None:
        con.execute("create or replace table r as from people where id < 20").fetchall()
        assert "table people has 30 rows, more than r, which has 20" in refused(con, "r", "people", qi="age")

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            ({"qi": []}, "qi names no column"),
            ({"qi": ["age", "AGE"]}, 'column "AGE" is named twice'),
            ({"qi": "age", "sensitive": "age"}, 'column "age" is named twice'),
            ({"qi": "age", "id": "age"}, 'column "age" is named twice'),
            ({"qi": "age", "k": 0}, "k must be a whole number of at least 1, not 0"),
            ({"qi": "age", "queries": 0}, "queries must be a whole number of at least 1, not 0"),
            ({"qi": "age", "queries": 2.5}, "queries must be a whole number of at least 1, not 2.5"),
        ],
    )
    def test_parameters(
        self, con: duckdb.DuckDBPyConnection, arguments: dict[str, Any], message: str
    ) -> None:
        assert message in refused(con, "people", "people", **arguments)

    @pytest.mark.slow("1.1 s")
    def test_ids(self, con: duckdb.DuckDBPyConnection) -> None:
        con.execute("create or replace table r as select id // 2 * 2 as id, age from people").fetchall()
        assert " are several times in the release" in refused(con, "people", "r", qi="age", id="id")
        assert " are several times in the original" in refused(con, "r", "people", qi="age", id="id")
        con.execute(
            "create or replace table r as select id + 29 as id, age from people where id < 2"
        ).fetchall()
        assert "1 rows, by column id, are in the release, but not in the original" in refused(
            con, "people", "r", qi="age", id="id"
        )

    @pytest.mark.slow("0.6 s")
    def test_hierarchies(self, con: duckdb.DuckDBPyConnection) -> None:
        con.execute(
            "create or replace table h as from sqlanon.flat_hierarchy('people', 'zip') where value <> '2'"
        ).fetchall()
        assert "the hierarchy of column zip lacks a value" in refused(
            con, "people", "people", qi="zip", hierarchies="h"
        )
        con.execute("update h set label = 'other' where value = '1' and level = 1").fetchall()
        assert "the hierarchy of column zip: there is no single root" in refused(
            con, "people", "people", qi="zip", hierarchies="h"
        )


NAMES = [
    "select",
    'a"b',
    "q1",
    "l1",
    "number",
    "{i}",
    "{s}",
    "🦆",
    "it's",
    "values",
    "d",
    "covered",
    "original",
    "columns",
]


class TestNames:
    @pytest.mark.slow("hostile names")
    @pytest.mark.parametrize("turn", range(2))
    def test_any_name(self, con: duckdb.DuckDBPyConnection, turn: int) -> None:
        """The result is that of a table with usual names."""
        answers = []
        for names in (NAMES, [f"column {i}" for i in range(len(NAMES))]):
            chosen = ", ".join(
                f"(hash(range, {i}) % {2 + i % 3})::integer as {identifier(name)}"
                for i, name in enumerate(names)
            )
            con.execute(
                f"create or replace table named as select {chosen}, range as n from range(40)"
            ).fetchall()
            qi, sensitive = names[turn::2], names[1 - turn :: 2][:2]
            con.execute(
                "create or replace table r as "
                f"from {call('mondrian', 'named', qi=qi[:3], keep=[*qi[3:], *sensitive, 'n'], k=3, seed=1)}"
            ).fetchall()
            answer = rows_of(con, "named", "r", qi=qi, sensitive=sensitive, id="n", queries=10)
            position = {name: i for i, name in enumerate(names)}
            # (queries depend on nothing but positions)
            answers.append([(row[0], position.get(row[1], row[1]), *row[2:]) for row in answer])
        assert answers[0] == answers[1]

    @pytest.mark.slow("hostile names")
    def test_tables_named_as_our_own(self, con: duckdb.DuckDBPyConnection) -> None:
        con.execute('create or replace table "class" as from people').fetchall()
        con.execute('create or replace table "label" as from people where id < 20').fetchall()
        wanted = rows_of(con, "people", "people", qi=["age", "zip"], id="id")
        assert rows_of(con, "class", "class", qi=["age", "ZIP"], id="ID") == [
            (measure, attribute and {"zip": "ZIP"}.get(attribute, attribute), *rest)
            for measure, attribute, *rest in wanted
        ]
        assert rows_of(con, "class", "label", qi="age")[0][:3] == ("suppressed rows", None, close(100 / 3))


@pytest.mark.slow("2 tests, 0.4 to 0.7 s each")
class TestPython:
    def test_any_source(self, con: duckdb.DuckDBPyConnection) -> None:
        pandas = pytest.importorskip("pandas")
        release = pandas.DataFrame({"age": ["[20, 26]"] * 30, "zip": ["*"] * 30})
        result = sqlanon.utility(con, "people", release, qi=["age", "zip"], k=5, queries=10)
        assert result.columns == ["measure", "attribute", "value", "unit", "id"]
        answer = {row[:2]: row[2] for row in result.fetchall()}
        assert answer["NCP", "age"] == answer["NCP", "zip"] == 1
        assert answer["C_avg", None] == 6
        assert sqlanon.utility(con, con.table("people"), "people", qi="age", id="id").filter(
            "id = 'gcp'"
        ).fetchall() == [("GCP", None, 0.0, "share", "gcp")]

    def test_errors_are_of_input(self, con: duckdb.DuckDBPyConnection) -> None:
        with pytest.raises(InputError, match="column zip: the released value x stands for no value"):
            sqlanon.utility(con, "people", con.sql("select age, 'x' as zip from people"), qi=["age", "zip"])
        with pytest.raises(InputError, match='unknown column "agee"'):
            sqlanon.utility(con, "people", "people", qi="agee")


@pytest.mark.slow("1 s")
def test_a_release_of_counts_beside_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only it has weights: a row of the original is one person."""
    monkeypatch.chdir(tmp_path)
    rows = [(21, 1), (25, 1), (31, 1), (35, 1)]
    for name, header, with_weight in (("one.csv", "age", False), ("weighted.csv", "age,n", True)):
        lines = [f"{age},{n}" if with_weight else str(age) for age, n in rows]
        Path(name).write_text("\n".join([header, *lines, ""]))
    Path("counts.csv").write_text('age,n\n"[20, 29]",2\n"[30, 39]",2\n')
    told = [
        CliRunner().invoke(app.app, ["utility", original, "counts.csv", "--qi", "age", "--weight", "n"])
        for original in ("one.csv", "weighted.csv")
    ]
    assert told[0].exit_code == 0, told[0].output
    assert told[0].stdout == told[1].stdout
