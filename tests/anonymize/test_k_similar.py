"""k-Similar in SQL and in Python: the groups of the slow MDAV, and the labels of the slow Mondrian."""

# As texts: Hypothesis keeps evaluated annotations, and DuckDB 2.0 reports its types there as leaks.
from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sqlanon
from tests import data
from tests.anonymize.test_microaggregate import coordinates
from tests.anonymize.test_mondrian import Case
from tests.budget import examples
from tests.oracles import canonical, covers
from tests.oracles import microaggregation as oracle
from tests.tables import call, columns, identifier, rows

few = examples(8)
TYPES = ["INTEGER", "DECIMAL(6, 2)", "DATE", "VARCHAR", "BOOLEAN", "ENUM ('small', 'medium', 'large')"]


@pytest.fixture(scope="module")
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        sqlanon.register_functions(connection)
        yield connection


def fetch(con: duckdb.DuckDBPyConnection, sql: str) -> list[tuple[Any, ...]]:
    return con.execute(sql).fetchall()


@st.composite
def cases(draw: st.DrawFn) -> Case:
    n = draw(st.integers(6, 30))
    qi = [draw(columns(f"q {i}", n, TYPES)) for i in range(draw(st.integers(1, 3)))]
    return Case(qi, [], {"k": draw(st.integers(1, 4))})


def raw(case: Case, row: int) -> tuple[Any, ...]:
    return tuple(canonical(c.values[row]) for c in case.qi)


class TestAgainstTheOracles:
    @pytest.mark.slow("1 s")
    @few
    @given(cases())
    def test_groups_release_what_covers_them(self, con: duckdb.DuckDBPyConnection, case: Case) -> None:
        arguments = case.load(con)
        arguments["sensitive"] = None
        points, geometry = coordinates(con, "t", arguments["qi"], arguments["hierarchies"])
        weights = [n for (n,) in fetch(con, "select n from _p order by point_id")]
        values = [point for point, n in zip(points, weights, strict=True) for _ in range(n)]
        somebody = {raw(case, row): row for row in range(len(case.qi[0].values))}
        mondrian = case.oracle
        wanted: Counter[Any] = Counter()
        for group in oracle.mdav(geometry.rows, case.requirements["k"]):
            members = [tuple(canonical(value) for value in values[i]) for i in group]
            label = mondrian.released_values([somebody[member] for member in members])
            wanted.update((label, member) for member in members)
        released = rows(con, "k_similar", "t", **arguments)
        assert Counter((tuple(row[:-1]), raw(case, row[-1])) for row in released) == wanted
        assert sorted(row[-1] for row in released) == list(range(len(values)))

    @pytest.mark.slow("1.2 s")
    @few
    @given(cases(), st.sampled_from(["vmdav", "curve"]), st.sampled_from(["text", "range"]))
    def test_other_algorithms_and_python(
        self, con: duckdb.DuckDBPyConnection, case: Case, algorithm: str, recoding: str
    ) -> None:
        arguments = {**case.load(con), "algorithm": algorithm, "recoding": recoding, "seed": 1}
        released = rows(con, "k_similar", "t", **arguments)
        made = sqlanon.k_similar(
            con, "t", **{name: value for name, value in arguments.items() if value is not None}
        )
        assert made.relation(con).fetchall() == released
        assert made.details == {}
        assert sorted(row[-1] for row in released) == list(range(len(case.qi[0].values)))
        if recoding == "text":
            for *labels, i in released:
                for label, c in zip(labels, case.qi, strict=True):
                    assert covers.covers(label, c.values[i], c.labels(c.values[i]))
        sizes = Counter(str(row[:-1]) for row in released)
        assert min(sizes.values()) >= case.requirements["k"]


class TestRelease:
    @pytest.fixture(autouse=True)
    def people(self, con: duckdb.DuckDBPyConnection) -> None:
        fetch(
            con,
            """create or replace table people as
            select (hash(i, 1) % 40)::integer as age, 'z' || hash(i, 2) % 6 as zip,
                'd' || hash(i, 3) % 4 as disease, i
            from range(200) as r(i)""",
        )

    @pytest.mark.slow("0.9 s a case")
    @pytest.mark.parametrize(
        "requirements", [{"l": 3}, {"t": 0.5}, {"recursive_c": 2, "l": 2, "alpha": 0.6}], ids=str
    )
    def test_requirements(self, con: duckdb.DuckDBPyConnection, requirements: dict[str, Any]) -> None:
        about: dict[str, Any] = {"qi": ["age", "zip"], "sensitive": "disease"}
        arguments: dict[str, Any] = {**about, "keep": "i", "k": 4, "seed": 1, **requirements}
        made = sqlanon.k_similar(con, "people", into="r", replace=True, **arguments)
        assert made.relation(con).fetchall() == rows(con, "k_similar", "people", **arguments)
        assert rows(con, "violations", "r", **about, k=4, **requirements) == []
        assert made.classes > 2
        assert made.reached["k-anonymity"] >= 4

    @pytest.mark.slow("0.5 s")
    def test_people_are_found_by_what_covers_them(self, con: duckdb.DuckDBPyConnection) -> None:
        """The release is one of ranges: who was released is in one of the classes that cover them."""
        sqlanon.k_similar(con, "people", qi=["age", "zip"], keep="i", k=4, into="r", replace=True)
        [(result,)] = fetch(
            con,
            """select count(distinct r.i) from sqlanon.locate('r', 'people', 'i', ['age', 'zip']) as l
            join sqlanon.classes('r', ['age', 'zip']) as c using (class_id)
            join r on r.i = l.i and r.age is not distinct from c.age and r.zip is not distinct from c.zip""",
        )
        assert result == 200

    @pytest.mark.slow("0.8 s")
    def test_a_seed_fixes_everything(self, con: duckdb.DuckDBPyConnection) -> None:
        arguments: dict[str, Any] = {"qi": "zip", "keep": "i", "k": 3}
        one, again, other = (rows(con, "k_similar", "people", seed=s, **arguments) for s in (1, 1, 2))
        assert one == again != other
        assert rows(con, "k_similar", "people", **arguments) != rows(con, "k_similar", "people", **arguments)

    @pytest.mark.slow("0.6 s")
    @pytest.mark.parametrize("name", ['"', "a, b", "{i}", "q1", "n", "tuple_id", "share", "select", "ä 😀"])
    def test_hostile_names(self, con: duckdb.DuckDBPyConnection, name: str) -> None:
        c = identifier(name)
        fetch(
            con,
            f"create or replace table odd as select age as {c}, zip as {identifier(name + '2')} from people",
        )
        fetch(
            con,
            f"create or replace table h as from sqlanon.flat_hierarchy('odd', '{name + '2'}')",
        )
        arguments: dict[str, Any] = {"qi": [name, name + "2"], "k": 3, "hierarchies": "h", "seed": 1}
        made = sqlanon.k_similar(con, "odd", **arguments)
        assert made.relation(con).columns == [name, name + "2"]
        assert made.relation(con).fetchall() == rows(con, "k_similar", "odd", **arguments)

    @pytest.mark.slow("0.4 s")
    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            ({"k": None}, "k_similar needs k: how many rows"),
            ({"k": 201}, "the whole table as one class reaches 200 in k-anonymity, 201 is required"),
            ({"recoding": "mean"}, "recoding must be text or range, not mean"),
            ({"algorithm": "mdva"}, "not mdva; did you mean mdav"),
            ({"gamma": -1}, "gamma must be at least 0, not -1"),
            ({"algorithm": "univariate", "qi": "zip"}, "univariate takes a column of numbers or dates"),
            ({"qi": "ages"}, 'unknown column "ages" in people; did you mean "age"'),
            ({"l": 2}, "need a sensitive column"),
            ({"k_map": 2}, "k_similar does not know k_map, dmin and dmax"),
        ],
    )
    def test_bad_input(self, con: duckdb.DuckDBPyConnection, arguments: dict[str, Any], message: str) -> None:
        given = {"qi": ["age", "zip"], "k": 3, **arguments}
        with pytest.raises(sqlanon.InputError, match=message):
            sqlanon.k_similar(con, "people", **given)
        if "k_map" not in arguments and arguments.get("qi") != "ages":
            with pytest.raises(duckdb.Error, match=message):
                rows(con, "k_similar", "people", **given)

    def test_a_hierarchy_that_lacks_a_value(self, con: duckdb.DuckDBPyConnection) -> None:
        fetch(
            con,
            "create or replace table h as from sqlanon.flat_hierarchy('people', 'zip') where value <> 'z3'",
        )
        with pytest.raises(sqlanon.InputError, match="the hierarchy of column zip lacks a value"):
            sqlanon.k_similar(con, "people", qi="zip", k=3, hierarchies="h")


@pytest.mark.slow("Adult")
@data.needs_data
def test_less_is_lost_than_with_mondrian(con: duckdb.DuckDBPyConnection) -> None:
    """Adult, k = 5: the certainty penalty (GCP) is a quarter less."""
    data.load_adult(con, "adult")
    lost = {}
    for method in (sqlanon.mondrian, sqlanon.k_similar):
        method(con, "adult", qi=data.ADULT_QI, k=5, into="r", replace=True)
        fetch(
            con,
            "create or replace table found as from "
            + call("utility", "adult", release="r", qi=data.ADULT_QI, queries=1),
        )
        [(lost[method.__name__],)] = fetch(con, "select value from found where measure = 'GCP'")
    assert lost["k_similar"] < 0.8 * lost["mondrian"]
