"""What people get wrong, and what looks wrong but is not: in pure SQL, without the Python package."""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest

import sqlanon
from tests.tables import call, identifier, rows

NAMES = [
    "select", 'a"b', "Größe", "k", "part", "n", "q1", "s1", "v1", "code", "size", "weight", "tuple_id",
    "class_id", "label", "{i}", "{c}", "{s}", "🦆", "it's", " ", "a, b", "src", "member", "histogram", "s",
    "d", "c1", "kept1", "label1", "row", "req", "level",
]  # fmt: skip

# What relations inside of the macros are called.
TABLES = ["tuple", "state", "class", "combination", "member", "src", "hierarchy", "attribute"]


@pytest.fixture(scope="module")
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        sqlanon.register(connection)
        connection.execute(
            """create table people as
            select (20 + range % 7)::integer as age, (range % 3)::varchar as zip, 'd' || range % 2 as disease,
                range as id from range(12)"""
        ).fetchall()
        connection.execute("create table empty as from people where false").fetchall()
        connection.execute(
            """create table h as select * from (values
                ('0', ['0', 'low', '*']), ('1', ['1', 'low', '*']), ('2', ['2', 'high', '*'])
            ) as line(value, labels)"""
        ).fetchall()
        for name, where in [("tree_of_zip", "true"), ("lacking", "value <> '2'")]:
            connection.execute(
                f"""create table {name} as select 'zip' as attribute, value,
                    unnest([0, 1, 2]) as level, unnest(labels) as label from h where {where}"""
            ).fetchall()
        connection.execute(
            """create table no_tree as
            select * replace (case when value = '1' and level = 2 then 'other' else label end as label)
            from tree_of_zip"""
        ).fetchall()
        yield connection


def refused(con: duckdb.DuckDBPyConnection, macro: str, table: str, **arguments: Any) -> str:
    """The message of the error that a call gives; no table comes from it."""
    con.execute("drop table if exists made").fetchall()
    with pytest.raises(duckdb.Error) as caught:
        con.execute(f"create table made as from {call(macro, table, **arguments)}").fetchall()
    assert con.execute("select count(*) from duckdb_tables() where table_name = 'made'").fetchall() == [(0,)]
    return str(caught.value)


class TestParameters:
    @pytest.mark.slow(
        "54 cases",
        but=(
            0,
            1,
            2,
            3,
            4,
            5,
            6,
            7,
            8,
            9,
            10,
            11,
            12,
            13,
            14,
            15,
            16,
            17,
            18,
            19,
            20,
            21,
            22,
            23,
            24,
            25,
            26,
            27,
        ),
    )
    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            ({}, "nothing is required: give k, l, entropy_l"),
            ({"k": 0}, "k must be a whole number of at least 1, not 0"),
            ({"k": -3}, "k must be a whole number of at least 1, not -3"),
            ({"k": 2.5}, "k must be a whole number of at least 1, not 2.5"),
            ({"l": 0}, "l must be a whole number of at least 1, not 0"),
            ({"l": 1.5}, "l must be a whole number of at least 1, not 1.5"),
            ({"entropy_l": 0.5}, "entropy_l must be at least 1, not 0.5"),
            ({"recursive_c": 2}, "recursive_c needs l"),
            ({"recursive_c": 0, "l": 2}, "recursive_c must be above 0, not 0"),
            ({"alpha": 0}, "alpha must be above 0 and at most 1, not 0"),
            ({"alpha": 1.5}, "alpha must be above 0 and at most 1, not 1.5"),
            ({"t": -0.5}, "t must be between 0 and 1, not -0.5"),
            ({"t": 1.5}, "t must be between 0 and 1, not 1.5"),
            ({"t": 0.5, "t_distance": "far"}, "t_distance must be equal, ordered or hierarchical, not far"),
            ({"beta": 0}, "beta must be above 0, not 0"),
            ({"enhanced_beta": -1}, "enhanced_beta must be above 0, not -1"),
            ({"delta_disclosure": 0}, "delta_disclosure must be above 0, not 0"),
            ({"safety_c": 0.5}, "safety_c and safety_k go together"),
            ({"safety_k": 1}, "safety_c and safety_k go together"),
            ({"safety_c": 1.5, "safety_k": 1}, "safety_c must be above 0 and at most 1, not 1.5"),
            ({"safety_c": 0.5, "safety_k": 11}, "safety_k must be a whole number from 0 to 10, not 11"),
            *[
                ({name: float("nan"), "l": 1}, f"{name} must be")
                for name in ("entropy_l", "recursive_c", "alpha", "t", "beta", "delta_disclosure")
            ],
        ],
    )
    @pytest.mark.parametrize("macro", ["mondrian", "violations"])
    def test_out_of_range(
        self, con: duckdb.DuckDBPyConnection, macro: str, arguments: dict[str, Any], message: str
    ) -> None:
        assert message in refused(con, macro, "people", qi=["age", "zip"], sensitive="disease", **arguments)

    @pytest.mark.parametrize("macro", ["mondrian", "violations"])
    def test_a_requirement_must_not_get_lost_with_its_distance(
        self, con: duckdb.DuckDBPyConnection, macro: str
    ) -> None:
        relation = call(macro, "people", qi="age", sensitive="disease", t=0.1)
        with pytest.raises(duckdb.Error, match="t_distance must be equal, ordered or hierarchical"):
            con.execute(f"from {relation[:-1]}, t_distance := null)").fetchall()

    @pytest.mark.parametrize("macro", ["mondrian", "violations"])
    def test_about_sensitive_values_without_a_sensitive_column(
        self, con: duckdb.DuckDBPyConnection, macro: str
    ) -> None:
        assert "need a sensitive column" in refused(con, macro, "people", qi="age", l=2)

    @pytest.mark.parametrize("l", [0, -1, 1.5])
    def test_l_of_privacy(self, con: duckdb.DuckDBPyConnection, l: float) -> None:
        assert "l must be" in refused(con, "privacy", "people", qi="age", sensitive="disease", l=l)

    @pytest.mark.parametrize(
        ("arguments", "reached", "required"),
        [
            ({"k": 13}, "reaches 12", "13"),
            ({"l": 3}, "reaches 2", "3"),
            ({"entropy_l": 2.5}, "reaches 2", "2.5"),
            ({"alpha": 0.25}, "reaches 0.5", "0.25"),
            ({"recursive_c": 0.5, "l": 2}, "reaches 1", "0.5"),
        ],
    )
    def test_more_than_the_whole_table_reaches(
        self, con: duckdb.DuckDBPyConnection, arguments: dict[str, Any], reached: str, required: str
    ) -> None:
        message = refused(con, "mondrian", "people", qi="age", sensitive="disease", **arguments)
        assert "no release can meet the requirements" in message
        assert reached in message
        assert f"{required} is required" in message or f"{required}.0 is required" in message

    def test_recoding(self, con: duckdb.DuckDBPyConnection) -> None:
        message = refused(con, "mondrian", "people", qi="age", k=2, recoding="blur")
        assert "recoding must be text or range, not blur" in message


class TestColumns:
    @pytest.mark.parametrize(
        ("macro", "arguments"),
        [
            ("classes", {"qi": ["zip", "agee"]}),
            ("privacy", {"qi": "agee"}),
            ("privacy", {"qi": "zip", "sensitive": "agee"}),
            ("violations", {"qi": "agee", "k": 2}),
            ("violations", {"qi": "zip", "sensitive": "agee", "l": 2}),
            ("violations", {"qi": "zip", "sensitive": "agee", "k": 2}),
            ("mondrian", {"qi": "agee", "k": 2}),
            ("mondrian", {"qi": "zip", "sensitive": "agee", "k": 2}),
            ("mondrian", {"qi": "zip", "sensitive": "agee", "l": 2}),
            ("mondrian", {"qi": "zip", "keep": ["id", "agee"], "k": 2}),
        ],
    )
    def test_an_unknown_one_with_the_nearest_that_there_is(
        self, con: duckdb.DuckDBPyConnection, macro: str, arguments: dict[str, Any]
    ) -> None:
        message = refused(con, macro, "people", **arguments)
        assert '"agee"' in message
        assert '"age"' in message

    @pytest.mark.parametrize(
        ("arguments", "column"),
        [
            ({"qi": ["age", "AGE"]}, '"AGE"'),
            ({"qi": ["age", "zip"], "sensitive": "Zip"}, '"Zip"'),
            ({"qi": ["age", "zip"], "keep": ["id", "age"]}, '"age"'),
            ({"qi": "age", "sensitive": "disease", "keep": "disease"}, '"disease"'),
        ],
    )
    def test_two_roles(self, con: duckdb.DuckDBPyConnection, arguments: dict[str, Any], column: str) -> None:
        assert f"column {column} is named twice" in refused(con, "mondrian", "people", k=2, **arguments)
        if "keep" not in arguments:
            assert f"column {column} is named twice" in refused(con, "privacy", "people", **arguments)

    @pytest.mark.parametrize("macro", ["classes", "privacy", "violations", "mondrian"])
    def test_no_quasi_identifier(self, con: duckdb.DuckDBPyConnection, macro: str) -> None:
        required = {"k": 2} if macro in ("violations", "mondrian") else {}
        assert "qi names no column" in refused(con, macro, "people", qi=[], **required)

    @pytest.mark.parametrize("macro", ["classes", "privacy", "violations", "mondrian"])
    def test_a_name_that_is_null(self, con: duckdb.DuckDBPyConnection, macro: str) -> None:
        required = {"k": 2} if macro in ("violations", "mondrian") else {}
        assert "is NULL" in refused(con, macro, "people", qi=["age", None], **required)

    @pytest.mark.slow("hostile names")
    @pytest.mark.parametrize("turn", range(3))
    def test_any_name(self, con: duckdb.DuckDBPyConnection, turn: int) -> None:
        """In three turns every name in every role: the result is that of a table with usual names."""
        usual = [f"column {i}" for i in range(len(NAMES))]
        result = []
        for names in (NAMES, usual):
            chosen = ", ".join(
                f"(hash(range, {i}) % {2 + i % 3})::integer as {identifier(name)}"
                for i, name in enumerate(names)
            )
            con.execute(f"create or replace table named as select {chosen} from range(40)").fetchall()
            qi, sensitive, keep = (names[(turn + role) % 3 :: 3] for role in range(3))
            release = con.execute(
                "from " + call("mondrian", "named", qi=qi, sensitive=sensitive, keep=keep, k=3, seed=1)
            )
            assert [name for name, *_ in release.description or []] == [*qi, *sensitive, *keep]
            few: dict[str, Any] = {"qi": qi[:2], "sensitive": sensitive}
            answers = [
                *release.fetchall(),
                *rows(con, "mondrian", "named", qi=qi[:2], sensitive=sensitive[:3], k=3, l=2, seed=1),
                *rows(con, "classes", "named", qi=qi),
                *rows(con, "privacy", "named", **few),
                *rows(con, "violations", "named", **few, k=4),
            ]
            # the names that answers hold, sensitive and in the struct of a class, as numbers
            number = {name: i for i, name in enumerate(names)}
            result.append(
                [
                    [
                        {number[name]: item for name, item in value.items()}
                        if isinstance(value, dict)
                        else number.get(value, value)
                        for value in row
                    ]
                    for row in answers
                ]
            )
        assert result[0] == result[1]

    def test_names_in_another_case(self, con: duckdb.DuckDBPyConnection) -> None:
        small: dict[str, Any] = {"qi": ["age", "zip"], "sensitive": "disease", "keep": "id"}
        large: dict[str, Any] = {"qi": ["AGE", "Zip"], "sensitive": "Disease", "keep": "ID"}
        required: dict[str, Any] = {"k": 3, "l": 2, "seed": 1, "hierarchies": "tree_of_zip"}
        wanted = rows(con, "mondrian", "people", **small, **required)
        assert {row[1] for row in wanted} <= {"0", "1", "2", "low", "high", "*"}
        assert rows(con, "mondrian", "PEOPLE", **large, **required) == wanted


class TestTables:
    @pytest.mark.parametrize("macro", ["privacy", "violations", "mondrian"])
    def test_an_empty_one(self, con: duckdb.DuckDBPyConnection, macro: str) -> None:
        required = {} if macro == "privacy" else {"k": 2}
        message = refused(con, macro, "empty", qi=["age", "zip"], sensitive="disease", **required)
        assert "table empty is empty" in message
        assert rows(con, "classes", "empty", qi="age") == []

    @pytest.mark.parametrize("macro", ["classes", "privacy", "violations", "mondrian"])
    def test_an_unknown_one(self, con: duckdb.DuckDBPyConnection, macro: str) -> None:
        required = {"k": 2} if macro in ("violations", "mondrian") else {}
        message = refused(con, macro, "peopel", qi="age", **required)
        assert "peopel" in message
        assert '"people"' in message

    @pytest.mark.slow("0.6 s")
    @pytest.mark.parametrize("name", TABLES)
    def test_a_name_that_the_macros_use_themselves(self, con: duckdb.DuckDBPyConnection, name: str) -> None:
        """Also for a table with columns of the names that the inner relation has."""
        result = []
        for table in ("usual", name):
            con.execute(
                f"""create or replace table {identifier(table)} as
                select (range % 7)::integer as name, (range % 3)::varchar as code, 'd' || range % 2 as label,
                    (range % 4)::integer as part, (range % 5)::integer as level, range as id
                from range(12)"""
            ).fetchall()
            roles: dict[str, Any] = {"qi": ["name", "code", "part", "level"], "sensitive": "label"}
            try:
                result.append(
                    (
                        rows(con, "privacy", table, **roles),
                        rows(con, "violations", table, **roles, k=3),
                        rows(con, "mondrian", table, **roles, keep="id", k=3, seed=1),
                    )
                )
            finally:
                con.execute(f"drop table {identifier(table)}").fetchall()
        assert result[0] == result[1]

    @pytest.mark.parametrize("name", ["combination", "requirement", "state", "tree"])
    def test_hierarchies_of_such_a_name(self, con: duckdb.DuckDBPyConnection, name: str) -> None:
        con.execute(f"create table {name} as from tree_of_zip").fetchall()
        arguments: dict[str, Any] = {"qi": ["zip", "age"], "sensitive": "disease", "k": 4, "seed": 1}
        try:
            result = rows(con, "mondrian", "people", hierarchies=name, **arguments)
        finally:
            con.execute(f"drop table {name}").fetchall()
        assert result == rows(con, "mondrian", "people", hierarchies="tree_of_zip", **arguments)

    @pytest.mark.parametrize("name", ['"my schema"."my table"', '"my schema".select', "[people]; --"])
    def test_names_in_quotes(self, con: duckdb.DuckDBPyConnection, name: str) -> None:
        if name.startswith("["):
            name = identifier(name)
        con.execute('create schema if not exists "my schema"').fetchall()
        quoted = name.replace(".select", '."select"')
        con.execute(f"create or replace table {quoted} as from people").fetchall()
        arguments: dict[str, Any] = {"qi": ["age", "zip"], "k": 3, "seed": 1}
        assert rows(con, "mondrian", quoted, **arguments) == rows(con, "mondrian", "people", **arguments)

    @pytest.mark.slow("0.6 s")
    def test_a_read_only_database(self, tmp_path: Path) -> None:
        path = tmp_path / "people.duckdb"
        with duckdb.connect(path) as con:
            con.execute("create table people as select range % 5 as age, range % 2 as s from range(20)")
        with duckdb.connect(path, read_only=True) as con:
            sqlanon.register(con)
            arguments: dict[str, Any] = {"qi": "age", "sensitive": "s"}
            released = rows(con, "mondrian", "people", **arguments, k=8, l=2)
            assert Counter(row[1] for row in released) == {0: 10, 1: 10}
            assert rows(con, "privacy", "people", **arguments)[0] == ("k-anonymity", None, 4.0, 4, {"age": 0})
            con.execute(
                f"create temp table r as from {call('mondrian', 'people', **arguments, k=8)}"
            ).fetchall()
            assert rows(con, "violations", "r", qi="age", k=8) == []
        with duckdb.connect(path) as con:  # nothing was left in the file
            assert con.execute("select table_name from duckdb_tables()").fetchall() == [("people",)]
            functions = "select count(*) from duckdb_functions() where not internal"
            assert con.execute(functions).fetchall() == [(0,)]

    def test_a_failing_statement_keeps_what_it_would_replace(self, con: duckdb.DuckDBPyConnection) -> None:
        con.execute("create or replace table release as select 1 as old").fetchall()
        with pytest.raises(duckdb.Error):
            con.execute(
                f"create or replace table release as from {call('mondrian', 'people', qi='age', k=13)}"
            ).fetchall()
        assert con.execute("from release").fetchall() == [(1,)]


class TestHierarchies:
    def test_a_value_is_missing(self, con: duckdb.DuckDBPyConnection) -> None:
        message = refused(con, "mondrian", "people", qi=["age", "zip"], k=2, hierarchies="lacking")
        assert "hierarchy of column zip lacks a value" in message

    @pytest.mark.slow("half a second a case", but=(0, 1))
    @pytest.mark.parametrize("macro", ["mondrian", "optimal", "utility"])
    def test_all_of_several_are_named_or_counted(self, con: duckdb.DuckDBPyConnection, macro: str) -> None:
        con.execute("create or replace table many as select range::varchar as zip from range(30)").fetchall()
        con.execute("create or replace table tree as from tree_of_zip").fetchall()
        arguments: dict[str, Any] = {"qi": "zip", "hierarchies": "tree"}
        if macro == "utility":
            arguments["release"] = "many"
        else:
            arguments["k"] = 1
        message = refused(con, macro, "many", **arguments)
        assert "lacks 27 values; sqlanon.lacking_values lists" in message
        con.execute("set variable sqlanon_show_values = true").fetchall()
        message = refused(con, macro, "many", **arguments)
        assert "lacks 27 values: 10, 11, 12, 13, 14, 15, 16, 17, 18, 19 and 17 others" in message
        con.execute("delete from many where zip::integer > 3; insert into many values (null)").fetchall()
        assert "lacks 2 values: 3, NULL" in refused(con, macro, "many", **arguments)
        con.execute("reset variable sqlanon_show_values").fetchall()

    def test_of_the_population_and_of_a_sensitive_column(self, con: duckdb.DuckDBPyConnection) -> None:
        con.execute("create or replace table many as select range::varchar as zip from range(5)").fetchall()
        con.execute(
            "create or replace table few as select range::varchar as zip, 1 as a from range(5)"
        ).fetchall()
        about: dict[str, Any] = {"qi": "zip", "hierarchies": "tree_of_zip", "population": "many", "k_map": 1}
        told = "lacks 2 values of the population"
        con.execute("create or replace table fewer as from few where zip < '3'").fetchall()
        for macro in ("mondrian", "optimal"):
            assert told in refused(con, macro, "fewer", **about)
        about = {"qi": "a", "sensitive": "zip", "hierarchies": "tree_of_zip"}
        assert "lacks 2 values" in refused(con, "privacy", "few", **about)

    @pytest.mark.parametrize(
        ("macro", "more"),
        [
            ("privacy", {}),
            ("violations", {"t": 0.9, "t_distance": "hierarchical"}),
            ("mondrian", {"t": 0.9, "t_distance": "hierarchical"}),
        ],
    )
    def test_a_sensitive_value_is_missing(
        self, con: duckdb.DuckDBPyConnection, macro: str, more: dict[str, Any]
    ) -> None:
        message = refused(con, macro, "people", qi="age", sensitive="zip", hierarchies="lacking", **more)
        assert "hierarchy of column zip lacks a value" in message

    @pytest.mark.parametrize(
        ("macro", "roles"),
        [
            ("mondrian", {"qi": ["age", "zip"], "k": 2}),
            ("mondrian", {"qi": "age", "sensitive": "zip", "t": 0.9, "t_distance": "hierarchical"}),
            ("violations", {"qi": "age", "sensitive": "zip", "t": 0.9, "t_distance": "hierarchical"}),
            ("privacy", {"qi": "age", "sensitive": "zip"}),
        ],
    )
    def test_no_tree(self, con: duckdb.DuckDBPyConnection, macro: str, roles: dict[str, Any]) -> None:
        message = refused(con, macro, "people", hierarchies="no_tree", **roles)
        assert "the hierarchy of column zip: not a tree: label 'low' at level 1 lies below both" in message

    def test_no_table_of_hierarchies(self, con: duckdb.DuckDBPyConnection) -> None:
        assert "attribute" in refused(con, "mondrian", "people", qi="age", k=2, hierarchies="people")
        assert "nowhere" in refused(con, "mondrian", "people", qi="age", k=2, hierarchies="nowhere")

    def test_hierarchies_of_columns_that_play_no_part(self, con: duckdb.DuckDBPyConnection) -> None:
        """Nobody needs them, so nothing is wrong with them."""
        assert len(rows(con, "mondrian", "people", qi="age", k=2, hierarchies="no_tree")) == 12


class TestData:
    @pytest.mark.slow("0.3 s")
    @pytest.mark.parametrize(
        ("type_", "values"),
        [
            ("INTEGER", [None, None, None, None]),
            ("VARCHAR", ["", "", " ", None]),
            ("DOUBLE", ["nan", "inf", "-inf", None]),
            ("DOUBLE", ["nan", "nan", "nan", "nan"]),
            ("VARCHAR", ["NULL", None, "null", "'"]),
            ("DATE", ["infinity", "-infinity", "2020-01-01", None]),
            ("BLOB", ["\\x00", "a", None, ""]),
            ("INTEGER[]", ["[1, 2]", "[]", None, "[NULL]"]),
            ("UUID", ["00000000-0000-0000-0000-000000000001", None, None, None]),
        ],
    )
    def test_odd_values_in_every_role(
        self, con: duckdb.DuckDBPyConnection, type_: str, values: list[str | None]
    ) -> None:
        con.execute(
            f"create or replace table odd as select unnest(?::varchar[])::{type_} as a, "
            f"unnest(?::varchar[])::{type_} as b, unnest(range(4)) as id",
            [values, values[::-1]],
        ).fetchall()
        arguments: dict[str, Any] = {"qi": "a", "sensitive": "b"}
        released = rows(con, "mondrian", "odd", **arguments, keep="id", k=2, t=1)
        assert sorted(row[-1] for row in released) == [0, 1, 2, 3]
        assert all(count >= 2 for count in Counter(row[0] for row in released).values())
        original = con.execute("select b from odd order by id").fetchall()
        assert repr([(row[1],) for row in sorted(released, key=lambda row: row[2])]) == repr(original)
        sizes = [row[-1] for row in rows(con, "classes", "odd", qi="a")]
        assert sorted(sizes) == sorted(Counter(values).values())
        reached = {row[0]: row[2] for row in rows(con, "privacy", "odd", **arguments)}
        assert reached["k-anonymity"] == min(sizes)

    def test_one_row(self, con: duckdb.DuckDBPyConnection) -> None:
        con.execute("create or replace table one as select 5 as a, 'x' as s").fetchall()
        required: dict[str, Any] = {"k": 1, "l": 1, "entropy_l": 1, "t": 0, "t_distance": "ordered"}
        assert rows(con, "mondrian", "one", qi="a", sensitive="s", **required) == [("5", "x")]
        assert rows(con, "violations", "one", qi="a", sensitive="s", **required) == []

    def test_a_value_that_is_not_text_in_a_message(self, con: duckdb.DuckDBPyConnection) -> None:
        con.execute("create or replace table numbers as select unnest([1, null]) as a").fetchall()
        con.execute(
            """create or replace table of_numbers as select 'a' as attribute, '1' as value,
            unnest([0, 1]) as level, unnest(['1', '*']) as label"""
        ).fetchall()
        message = refused(con, "mondrian", "numbers", qi="a", k=1, hierarchies="of_numbers")
        assert "lacks a value" in message


@pytest.mark.parametrize(
    ("given", "sql", "shown"),
    [
        (10**30, "1000000000000000000000000000000", "1000000000000000000000000000000"),
        (True, "true", "true"),
        (5.5, "5.5", "5.5"),
        (float("nan"), "'nan'::double", "nan"),
        ("x", "'x'", "x"),
        ([5], "[5]", "[5]"),
    ],
)
def test_what_is_no_number_is_named(con: duckdb.DuckDBPyConnection, given: Any, sql: str, shown: str) -> None:
    con.execute("create or replace table few as select range % 7 as age from range(30)").fetchall()
    message = re.escape(
        f"k must be a whole number {'below 9e15' if given == 10**30 else 'of at least 1'}, not {shown}"
    )
    with pytest.raises(sqlanon.InputError, match=message):
        sqlanon.mondrian(con, "few", qi="age", k=given)
    for macro in ("mondrian", "violations"):
        with pytest.raises(duckdb.InvalidInputException, match=message):
            con.execute(f"from sqlanon.{macro}('few', qi := ['age'], k := {sql})").fetchall()
