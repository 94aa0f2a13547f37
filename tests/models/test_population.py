"""k-map and delta-presence: classes against the people of a population, in every check and anonymizer."""

# As texts: Hypothesis keeps evaluated annotations, and DuckDB 2.0 reports its types there as leaks.
from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sqlanon
from sqlanon import InputError
from tests.anonymize.test_full_domain import INFEASIBLE, Case, cases
from tests.anonymize.test_mondrian import Classes, by_class, comparable
from tests.budget import examples
from tests.oracles import covers
from tests.oracles.full_domain import Presence, reaches
from tests.oracles.mondrian import Infeasible, Mondrian
from tests.oracles.privacy import Requirements
from tests.tables import (
    columns,
    hierarchies_by_position,
    load,
    orders_by_position,
    rows,
)

few = examples(12)

MODELS = {
    "k_map": "k-map",
    "dmin": "delta-presence (least)",
    "dmax": "delta-presence (most)",
}


@pytest.fixture(scope="module")
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        sqlanon.register(connection)
        connection.execute(
            """create table people as select unnest([20, 20, 21, 30]) as age,
                unnest(['a', 'b', 'a', 'b']) as disease"""
        ).fetchall()
        connection.execute(
            "create table everybody as select unnest([20, 20, 20, 21, 22, 30, 30]) as age, 1 as income"
        ).fetchall()
        connection.execute("create table incomes as select 1 as income").fetchall()
        connection.execute("create table nobody as from everybody where false").fetchall()
        connection.execute(
            """create table decades as select 'age' as attribute, value, unnest([0, 1, 2]) as level,
                unnest([value, value[1] || '*', '*']) as label
            from (select unnest(['20', '21', '22', '30']) as value)"""
        ).fetchall()
        yield connection


def about_people(draw: st.DrawFn) -> dict[str, Any]:
    """Some of the requirements."""
    values = {
        "k_map": draw(st.integers(1, 6)),
        "dmin": draw(st.sampled_from([0, 0.1, 0.5])),
        "dmax": draw(st.sampled_from([0.5, 0.8, 1])),
    }
    chosen = draw(st.lists(st.sampled_from(list(values)), min_size=1, unique=True))
    return {name: values[name] for name in chosen}


class TestChecks:
    """A raw table and a population: the class's people have the same values; all others are in none."""

    @few
    @given(st.data())
    def test_random_tables(self, con: duckdb.DuckDBPyConnection, data: st.DataObject) -> None:
        n = data.draw(st.integers(1, 30))
        qi = [data.draw(columns(f"q {i}", n, width=3)) for i in range(data.draw(st.integers(1, 2)))]
        qi = [type(c)(c.name, c.type, c.values) for c in qi]
        m = data.draw(st.integers(1, n))  # the table is the first m of the population
        load(con, "p", qi)
        con.execute("create or replace table t as from p where id < ?", [m]).fetchall()
        everybody = list(zip(*(map(comparable, c.values) for c in qi), strict=True))
        people, classes = Counter(everybody), Counter(everybody[:m])
        required = data.draw(st.composite(about_people)())

        arguments: dict[str, Any] = {"qi": [c.name for c in qi], "population": "p"}
        result = {row[0]: row[2] for row in rows(con, "privacy", "t", **arguments)}
        shares = dict.fromkeys(people, 0) | classes  # whoever is in no class has presence 0
        for model in MODELS.values():
            of_all = shares if model == MODELS["dmin"] else classes
            values = [reaches(model, size, people[key]) for key, size in of_all.items()]
            assert result[model] == pytest.approx(max(values) if "most" in model else min(values))

        bad = {
            (model, key)
            for name, model in MODELS.items()
            for key, size in (shares if name == "dmin" else classes).items()
            if name in required and not Presence(**{name: required[name]}).holds(size, people[key])
        }
        violations = rows(con, "violations", "t", **arguments, **required)
        assert {(row[0], tuple(map(comparable, row[-1].values()))) for row in violations} == bad
        for model, _, request, reached, size, members, class_ in violations:
            key = tuple(map(comparable, class_.values()))
            assert (size, members) == (classes[key], people[key])
            assert reached == pytest.approx(reaches(model, size, people[key]))
            assert request == {MODELS[name]: value for name, value in required.items()}[model]

    def test_an_example_by_hand(self, con: duckdb.DuckDBPyConnection) -> None:
        result = {row[0]: row[2:] for row in rows(con, "privacy", "people", qi="age", population="everybody")}
        assert result["k-map"] == (1, 1, 1, {"age": 21})
        assert result["delta-presence (least)"] == (0, 0, 1, {"age": 22})
        assert result["delta-presence (most)"] == (1, 1, 1, {"age": 21})

    def test_a_release_covers_the_people_of_its_classes(self, con: duckdb.DuckDBPyConnection) -> None:
        """By its released values: labels of a hierarchy, intervals, sets."""
        con.execute(
            "create or replace table released as select unnest(['2*', '2*', '2*', '3*']) as age"
        ).fetchall()
        arguments: dict[str, Any] = {"qi": "age", "population": "everybody"}
        result = {
            row[0]: row[2] for row in rows(con, "privacy", "released", hierarchies="decades", **arguments)
        }
        assert result["k-map"] == 2
        assert result["delta-presence (least)"] == 0.5
        assert result["delta-presence (most)"] == 0.6
        for values, people in ((["[20, 22]", "30"], 2), (["[20, 21]", "[22, 30]"], 3), (["{20, 22}"], 4)):
            con.execute(
                "create or replace table released as select unnest(?::varchar[]) as age", [values]
            ).fetchall()
            (reached,) = (
                row[2] for row in rows(con, "privacy", "released", **arguments) if row[0] == "k-map"
            )
            assert reached == people

    @pytest.mark.slow("0.5 s")
    def test_people_who_are_not_in_the_population(self, con: duckdb.DuckDBPyConnection) -> None:
        con.execute("create or replace table few as from everybody where age <> 21").fetchall()
        result = rows(con, "violations", "people", qi="age", population="few", k_map=1, dmax=1)
        assert [(row[0], row[5], row[6]) for row in result] == [
            ("delta-presence (most)", 0, {"age": 21}),
            ("k-map", 0, {"age": 21}),
        ]
        assert rows(con, "violations", "people", qi="age", population="few", dmin=1, k=1) == [
            ("delta-presence (least)", None, 1, 0, 0, 1, {"age": 22}),
            ("delta-presence (least)", None, 1, 0.5, 1, 2, {"age": 30}),
            ("delta-presence (least)", None, 1, 2 / 3, 2, 3, {"age": 20}),
        ]

    @pytest.mark.slow("0.8 s a case", but=(1, 2, 3, 5))
    @pytest.mark.parametrize(
        ("released", "absent"),
        [
            ("unnest([20, 20, 21, 30])", [(2, 22), (1, 99)]),
            ("unnest(['[20, 21]', '30'])", [(2, "22"), (1, "99")]),
            ("unnest(['2*', '2*'])", [(2, "30"), (1, "99")]),
            ("unnest(['{20, 21}', '{22, 99}'])", [(2, "30")]),
            ("unnest(['*', '*'])", []),
            ("unnest([{'lo': 20, 'hi': 22}])", [(2, {"lo": 30, "hi": 30}), (1, {"lo": 99, "hi": 99})]),
            ("unnest([[20, 22], [30, 99]])", [(1, [21])]),
        ],
    )
    def test_people_whom_no_class_covers(
        self, con: duckdb.DuckDBPyConnection, released: str, absent: list[tuple[int, Any]]
    ) -> None:
        """They are told and counted, whatever the release has in place of values."""
        con.execute(f"create or replace table released as select {released} as age").fetchall()
        con.execute(
            "create or replace table those as from everybody union all values (22, 1), (99, 1)"
        ).fetchall()
        arguments: dict[str, Any] = {"qi": "age", "population": "those", "hierarchies": "decades"}
        result = rows(con, "violations", "released", **arguments, dmin=1e-9)
        assert result == [
            ("delta-presence (least)", None, 1e-9, 0, 0, people, {"age": age}) for people, age in absent
        ]
        assert rows(con, "violations", "released", **arguments, dmin=0) == []
        (least,) = (
            row for row in rows(con, "privacy", "released", **arguments) if row[0] == "delta-presence (least)"
        )
        assert (least[2] == 0) is bool(absent)

    @pytest.mark.parametrize("value", ["date '2020-01-01'", "'young'", "true", "null::integer"])
    def test_people_of_another_type_are_absent(self, con: duckdb.DuckDBPyConnection, value: str) -> None:
        con.execute(f"create or replace table others as select {value} as age").fetchall()
        result = rows(con, "violations", "people", qi="age", population="others", dmin=0.5)
        assert [(row[3], row[4], row[5]) for row in result] == [(0, 0, 1)]


class TestAnonymizers:
    @pytest.mark.slow("0.7 s")
    @few
    @given(st.data())
    def test_every_class_of_every_release(self, con: duckdb.DuckDBPyConnection, data: st.DataObject) -> None:
        """Its people, counted one by one, are as required."""
        case = data.draw(cases(attributes=2).filter(lambda case: case.population is not None))
        arguments = case.load(con) | {"keep": "id"}
        presence = case.oracle.presence
        macros: list[tuple[str, dict[str, Any]]] = [("mondrian", {}), ("optimal", {"suppression_limit": 0.5})]
        macro, more = data.draw(st.sampled_from(macros))
        try:
            released = rows(con, macro, "t", **arguments, **more)
        except duckdb.InvalidInputException:
            return  # no release can meet the requirements
        classes = Counter(row[: len(case.qi)] for row in released)
        everybody = set(range(len((case.population or [])[0].values)))
        absent = set(everybody)
        for values, size in classes.items():
            people = {
                person
                for person in everybody
                if all(
                    covers.covers(value, c.values[person], c.labels(c.values[person]))
                    for value, c in zip(values, case.population or [], strict=True)
                )
            }
            assert presence.holds(size, len(people))
            absent -= people
        assert not (absent and presence.needs_everybody)

    @pytest.mark.slow("every anonymizer")
    @few
    @given(st.data())
    def test_mondrian_in_sql_and_python(self, con: duckdb.DuckDBPyConnection, data: st.DataObject) -> None:
        # (Whole numbers beyond 2^53 are read as DOUBLE in released intervals, and then cover their
        # neighbours.)
        case = data.draw(
            cases(attributes=2).filter(
                lambda case: (
                    case.population is not None and all(column.type != "BIGINT" for column in case.qi)
                )
            )
        )
        arguments = case.load(con) | {"keep": "id"}
        try:
            released = rows(con, "mondrian", "t", **arguments)
        except duckdb.Error:
            with pytest.raises(InputError, match=INFEASIBLE):
                sqlanon.mondrian(con, "t", **arguments)
            return
        table = sqlanon.mondrian(con, "t", **arguments).relation(con).fetchall()
        assert Counter(map(repr, table)) == Counter(map(repr, released))

    @pytest.mark.slow("2 s")
    def test_an_example_by_hand(self, con: duckdb.DuckDBPyConnection) -> None:
        arguments: dict[str, Any] = {"qi": "age", "hierarchies": "decades", "population": "everybody"}
        # raw ages have 3, 1 and 2 people, 2* and 3* have 5 and 2
        for k_map, wanted in ((1, ["20", "20", "21", "30"]), (2, ["2*", "2*", "2*", "3*"]), (3, ["*"] * 4)):
            result = sorted(row[0] for row in rows(con, "optimal", "people", k_map=k_map, **arguments))
            assert result == wanted
        result = sorted(
            row[0] for row in rows(con, "optimal", "people", k_map=3, suppression_limit=0.25, **arguments)
        )
        assert result == ["2*"] * 3
        # shares 2/3, 1/1 and 1/2, and nothing of 22; then 3/5 and 1/2; then 4/7
        bounds: list[tuple[dict[str, Any], list[str]]] = [
            ({"dmin": 0}, ["20", "20", "21", "30"]),
            ({"dmin": 0.5}, ["2*", "2*", "2*", "3*"]),
            ({"dmax": 0.9}, ["2*", "2*", "2*", "3*"]),
            ({"dmin": 0.55}, ["*"] * 4),
            ({"dmin": 0.5, "dmax": 0.58}, ["*"] * 4),
        ]
        for bound, wanted in bounds:
            result = sorted(row[0] for row in rows(con, "optimal", "people", **bound, **arguments))
            assert result == wanted

    def test_who_is_suppressed_is_absent(self, con: duckdb.DuckDBPyConnection) -> None:
        """So nobody is where dmin is above 0, but those whom the population does not have."""
        arguments: dict[str, Any] = {"qi": "age", "hierarchies": "decades", "population": "everybody"}
        # 2* has 3/5, 3* has 1/2: without the row of 3* two people would be in no class
        request: dict[str, Any] = {"dmin": 0.55, "suppression_limit": 0.5}
        for macro in ("optimal", "samarati", "datafly"):
            release = getattr(sqlanon, macro)(con, "people", **arguments, **request)
            assert (release.details["levels"], release.suppressed_rows) == ({"age": 2}, 0)
            assert release.reached["delta-presence (least)"] == 4 / 7
        assert rows(con, "optimal", "people", **arguments, **request) == [("*",)] * 4
        message = "the best would leave 2 people of the population in no class that is released, dmin above 0"
        with pytest.raises(duckdb.Error, match=message):
            rows(con, "generalize", "people", levels=[1], **arguments, **request)
        with pytest.raises(InputError, match=message):
            sqlanon.generalize(con, "people", levels={"age": 1}, **arguments, **request)
        result = rows(con, "lattice", "people", **arguments, dmin=0.55)
        assert [row[:6] for row in result] == [  # levels, height, classes, smallest, suppressed, absent
            ([0], 0, 2, 1, 1, 3),
            ([1], 1, 1, 3, 1, 2),
            ([2], 2, 1, 4, 0, 0),
        ]
        con.execute("create or replace table young as from everybody where age < 30").fetchall()
        arguments["population"] = "young"
        release = sqlanon.optimal(con, "people", **arguments, **request, dmax=0.9)
        assert (release.details["levels"], release.suppressed_rows) == ({"age": 1}, 1)


class TestMondrian:
    """Against the slow one, on random tables; and what its classes are, by hand."""

    @staticmethod
    def oracle(case: Case) -> Mondrian:
        about_people = Presence.__annotations__.keys()
        return Mondrian(
            list(zip(*(c.values for c in case.qi), strict=True)),
            list(zip(*(c.values for c in case.sensitive), strict=True)) or None,
            Requirements(**{k: v for k, v in case.requirements.items() if k not in about_people}),
            orders=orders_by_position(case.qi),
            hierarchies=hierarchies_by_position(case.qi),
            sensitive_orders=orders_by_position(case.sensitive),
            sensitive_hierarchies=hierarchies_by_position(case.sensitive),
            population=list(zip(*(c.values for c in case.population or []), strict=True)),
            presence=Presence(**{k: v for k, v in case.requirements.items() if k in about_people}),
        )

    @staticmethod
    def expected(oracle: Mondrian) -> Classes:
        return {
            oracle.released_values(members): frozenset(oracle.rows(members)) for members in oracle.classes()
        }

    @staticmethod
    def draw(data: st.DataObject) -> Case:
        """A case about people, who may lack some of the table; k and models of sensitive values are weak,
        or left out.
        """
        case = data.draw(cases().filter(lambda case: case.population is not None))
        lacking = data.draw(st.integers(0, len(case.qi[0].values) // 3))
        people = [replace(c, values=c.values[lacking:]) for c in case.population or []]
        if data.draw(st.booleans()):
            about_people = Presence.__annotations__.keys()
            alone = {k: v for k, v in case.requirements.items() if k in about_people}
            case = replace(case, requirements=alone)
        return replace(case, population=people if people[0].values else case.population)

    @pytest.mark.slow("0.5 s")
    @few
    @given(st.data())
    def test_random_tables(self, con: duckdb.DuckDBPyConnection, data: st.DataObject) -> None:
        case = self.draw(data)
        arguments, oracle = case.load(con) | {"keep": "id"}, self.oracle(case)
        try:
            wanted = self.expected(oracle)
        except Infeasible:
            with pytest.raises(duckdb.Error, match="meet the requirements"):
                rows(con, "mondrian", "t", **arguments)
            return
        released = rows(con, "mondrian", "t", **arguments)
        assert by_class(released, len(case.qi)) == wanted
        assert sorted(row[-1] for row in released) == list(range(len(case.qi[0].values)))

    @pytest.mark.slow("2 s")
    @few
    @given(st.data())
    def test_range_recoding(self, con: duckdb.DuckDBPyConnection, data: st.DataObject) -> None:
        """The same classes, and the check finds nothing."""
        case = self.draw(data)
        case = replace(case, qi=[replace(c, hierarchy=None) for c in case.qi])
        arguments = case.load(con) | {"keep": "id"}
        try:
            wanted = set(self.expected(self.oracle(case)).values())
        except Infeasible:
            return
        released = rows(con, "mondrian", "t", recoding="range", **arguments)
        assert set(by_class(released, len(case.qi)).values()) == wanted

    @pytest.mark.slow("0.7 s")
    @few
    @given(st.data())
    def test_a_table_is_a_population(self, con: duckdb.DuckDBPyConnection, data: st.DataObject) -> None:
        """Among its own rows k-map is k-anonymity."""
        case = self.draw(data)
        k = data.draw(st.integers(1, min(5, len(case.qi[0].values))))
        arguments = replace(case, requirements={}).load(con) | {"keep": "id", "seed": 1, "population": "t"}
        result = [
            rows(con, "mondrian", "t", **arguments, **required) for required in ({"k_map": k}, {"k": k})
        ]
        assert repr(result[0]) == repr(result[1])

    @pytest.mark.slow("0.9 s")
    def test_an_example_by_hand(self, con: duckdb.DuckDBPyConnection) -> None:
        def found(**arguments: Any) -> list[Any]:
            arguments = {"population": "everybody"} | arguments
            return sorted((row[0] for row in rows(con, "mondrian", "people", qi="age", **arguments)), key=str)

        # 20, 20 | 21, 30: the lower have 3 people, the upper 4, of whom 22 can go with either
        assert found(k_map=4) == ["[20, 30]"] * 4
        assert found(k_map=3) == ["20", "20", "[21, 30]", "[21, 30]"]
        assert found(k_map=2) == ["20", "20", "30", "[21, 22]"]
        assert found(k_map=1) == ["20", "20", "21", "30"]
        assert found(k_map=2, recoding="range") == [
            {"lo": 20, "hi": 20},
            {"lo": 20, "hi": 20},
            {"lo": 21, "hi": 22},
            {"lo": 30, "hi": 30},
        ]
        # 2* has 5 people and cannot be cut, as 21 has one; 22, which nobody has, needs none
        assert found(k_map=2, hierarchies="decades") == ["2*", "2*", "2*", "30"]
        assert found(k_map=1, hierarchies="decades") == ["20", "20", "21", "30"]
        assert found(k=2, k_map=2) == ["20", "20", "[21, 30]", "[21, 30]"]

    def test_nobody_is_left_out(self, con: duckdb.DuckDBPyConnection) -> None:
        """Where dmin is above 0 no cut leaves people without rows: 22, whom k-map leaves out,
        is in a class.
        """

        def found(**arguments: Any) -> list[Any]:
            arguments = {"population": "everybody"} | arguments
            return sorted((row[0] for row in rows(con, "mondrian", "people", qi="age", **arguments)), key=str)

        assert found(dmin=0) == ["20", "20", "21", "30"]
        assert found(dmin=0.01) == ["20", "20", "30", "[21, 22]"]
        assert found(dmin=0.5) == ["20", "20", "30", "[21, 22]"]
        assert found(dmin=0.51) == ["[20, 30]"] * 4
        assert found(dmin=0, hierarchies="decades") == ["20", "20", "21", "30"]
        assert found(dmin=0.01, hierarchies="decades") == ["2*", "2*", "2*", "30"]
        con.execute("create or replace table old as from everybody union all select 99, 1").fetchall()
        assert found(dmin=0.01, population="old") == ["20", "20", "[21, 22]", "[30, 99]"]
        release = sqlanon.mondrian(con, "people", qi="age", dmin=0.3, population="old")
        assert release.reached["delta-presence (least)"] == pytest.approx(1 / 3)

    def test_people_whom_no_class_needs_are_in_none(self, con: duckdb.DuckDBPyConnection) -> None:
        con.execute("create or replace table one as select 50 as age").fetchall()
        con.execute("create or replace table hundred as select range as age from range(100)").fetchall()
        assert rows(con, "mondrian", "one", qi="age", k_map=8, population="hundred") == [("[50, 61]",)]


class TestBadInput:
    MACROS: tuple[tuple[str, dict[str, Any]], ...] = (
        ("violations", {}),
        ("mondrian", {}),
        ("generalize", {"levels": [1]}),
        ("optimal", {}),
        ("samarati", {}),
        ("datafly", {}),
    )

    @pytest.mark.slow("0.4 s a case", but=(0, 1, 2, 3, 4, 5, 6, 12, 18, 24, 30, 36, 42))
    @pytest.mark.parametrize(("macro", "more"), MACROS)
    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            ({"k_map": 2}, "need a population"),
            ({"dmin": 0.1}, "need a population"),
            ({"k_map": 2, "population": "incomes"}, "age"),
            ({"k_map": 2, "population": "nobody"}, "(nobody|population) is empty"),
            ({"k_map": 0, "population": "everybody"}, "k_map must be a whole number of at least 1, not 0"),
            ({"dmin": -0.1, "population": "everybody"}, "dmin must be between 0 and 1, not -0.1"),
            ({"dmax": 1.1, "population": "everybody"}, "dmax must be between 0 and 1, not 1.1"),
            ({"dmin": 0.5, "dmax": 0.2, "population": "everybody"}, "dmin must not be above dmax"),
        ],
    )
    def test_both_ways(
        self,
        con: duckdb.DuckDBPyConnection,
        macro: str,
        more: dict[str, Any],
        arguments: dict[str, Any],
        message: str,
    ) -> None:
        hierarchies = {} if macro == "violations" else {"hierarchies": "decades"}
        with pytest.raises(duckdb.Error, match=message):
            rows(con, macro, "people", qi=["age"], **hierarchies, **more, **arguments)
        function = getattr(sqlanon, macro)
        if "levels" in more:
            more = {"levels": {"age": 1}}
        with pytest.raises(InputError, match=message):
            function(con, "people", qi=["age"], **hierarchies, **more, **arguments)

    @pytest.mark.slow("6 s a case", but=(2, 3, 4))
    @pytest.mark.parametrize(("macro", "more"), MACROS[1:])
    def test_a_column_of_another_type(
        self, con: duckdb.DuckDBPyConnection, macro: str, more: dict[str, Any]
    ) -> None:
        con.execute("create or replace table texts as select age::varchar as age from everybody").fetchall()
        arguments: dict[str, Any] = {"qi": "age", "k_map": 2, "population": "texts", "hierarchies": "decades"}
        message = "column age is VARCHAR in the population and INTEGER in the table: cast one of them"
        with pytest.raises(duckdb.Error, match=message):
            rows(con, macro, "people", **more, **arguments)
        if "levels" in more:
            more = {"levels": {"age": 1}}
        with pytest.raises(InputError, match=message):
            getattr(sqlanon, macro)(con, "people", **more, **arguments)

    @pytest.mark.slow("0.6 s")
    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            ({"k_map": 8}, "the whole table as one class reaches 7 in k-map, 8 is required"),
            ({"dmax": 0.5}, r"reaches 0\.57\d* in delta-presence \(most\), 0\.5 is required"),
            ({"dmin": 0.6}, r"reaches 0\.57\d* in delta-presence \(least\), 0\.6 is required"),
            ({"k": 5, "k_map": 2}, "reaches 4 in k-anonymity, 5 is required"),
            ({"k_map": 2, "hierarchies": "lacking"}, "lacks a value of the population"),
            (
                {"dmin": 0.1, "hierarchies": "decades", "recoding": "range"},
                "dmin with the hierarchy of column age needs recoding := 'text'",
            ),
        ],
    )
    def test_what_mondrian_cannot_do(
        self, con: duckdb.DuckDBPyConnection, arguments: dict[str, Any], message: str
    ) -> None:
        con.execute("create or replace table lacking as from decades where value <> '22'").fetchall()
        arguments = {"qi": "age", "population": "everybody"} | arguments
        with pytest.raises(duckdb.Error, match=message):
            rows(con, "mondrian", "people", **arguments)
        with pytest.raises(InputError, match=message):
            sqlanon.mondrian(con, "people", **arguments)

    def test_a_population_for_nothing_is_ignored(self, con: duckdb.DuckDBPyConnection) -> None:
        assert rows(con, "violations", "people", qi="age", k=1, population="everybody") == []
