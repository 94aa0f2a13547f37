"""The texts that queries are made of: no name that a user gives can end its place in them."""

# As texts: Hypothesis keeps evaluated annotations, and DuckDB 2.0 reports its types there as leaks.
from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sqlanon
from tests.tables import identifier, literal

HOSTILE = [
    "select",
    'a"b',
    '"',
    '""',
    "it's",
    "Größe",
    "🦆",
    "{i}",
    "{c}",
    "{s}",
    "{c}{i}",
    "a, b",
    " ",
    "*",
    "\\",
]

unhurried = settings(deadline=None, max_examples=50)
texts = st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=8)
names = texts | st.sampled_from(HOSTILE)


@pytest.fixture(scope="module")
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        sqlanon.register(connection)
        yield connection


def value(con: duckdb.DuckDBPyConnection, expression: str, *parameters: Any) -> Any:
    ((found,),) = con.execute(f"select {expression}", list(parameters)).fetchall()
    return found


class TestQuote:
    @pytest.mark.parametrize(
        ("name", "quoted"),
        [("age", '"age"'), ('a"b', '"a""b"'), ("", '""'), ('"', '""""'), ("it's", '"it\'s"')],
    )
    def test_examples(self, con: duckdb.DuckDBPyConnection, name: str, quoted: str) -> None:
        assert value(con, "sqlanon._quote(?)", name) == quoted

    @unhurried
    @given(names)
    def test_duckdb_reads_the_name_back(self, con: duckdb.DuckDBPyConnection, name: str) -> None:
        quoted = value(con, "sqlanon._quote(?)", name)
        described = con.execute(f"describe select 1 as {quoted}").fetchall()
        assert described[0][0] == name


class TestLiteral:
    @pytest.mark.parametrize(
        ("text", "quoted"),
        [("age", "'age'"), ("it's", "'it''s'"), ("", "''"), ("'", "''''"), ('a"b', "'a\"b'")],
    )
    def test_examples(self, con: duckdb.DuckDBPyConnection, text: str, quoted: str) -> None:
        assert value(con, "sqlanon._literal(?)", text) == quoted

    @unhurried
    @given(names)
    def test_duckdb_reads_the_text_back(self, con: duckdb.DuckDBPyConnection, text: str) -> None:
        assert value(con, value(con, "sqlanon._literal(?)", text)) == text


class TestList:
    @pytest.mark.parametrize(
        ("given_names", "wanted"),
        [
            ("null", []),
            ("[]", []),
            ("'age'", ["age"]),
            ("['age']", ["age"]),
            ("['age', 'zip']", ["age", "zip"]),
            ("('age', 'zip')", None),  # a row is no list of names, but must not be taken for two
            ("['age', null]", ["age", None]),
            ("''", [""]),
            ("'[]'", ["[]"]),
            ("'a[]'", ["a[]"]),
            ("array_value('age', 'zip')", ["age", "zip"]),
            ("null::varchar", []),
            ("null::varchar[]", []),
        ],
    )
    def test_examples(
        self, con: duckdb.DuckDBPyConnection, given_names: str, wanted: list[str | None] | None
    ) -> None:
        found = value(con, f"sqlanon._list({given_names})")
        assert found == wanted if wanted is not None else len(found) == 1

    def test_a_list_of_names_is_one_of_texts(self, con: duckdb.DuckDBPyConnection) -> None:
        for given_names in ("null", "[]", "'age'", "['age']"):
            assert value(con, f"typeof(sqlanon._list({given_names}))") == "VARCHAR[]"


class TestEach:
    @pytest.mark.parametrize(
        ("given_names", "template", "separator", "wanted"),
        [
            ("['a', 'b']", "{c} as q{i}", ", ", '"a" as q1, "b" as q2'),
            ("['a', 'b']", "{s}: {c}.{c}{i}{i}", "; ", '\'a\': "a"."a"11; \'b\': "b"."b"22'),
            ("'a'", ", {c}", "", ', "a"'),
            ("[]", "{c}", ", ", ""),
            ("null", ", {c}", "", ""),
            ("['a', 'b']", "x", "+", "x+x"),
            ("['a', 'b']", "", "+", "+"),
            ("['{i}', '{c}', '{s}']", "{c}{i}{s}", " ", "\"{i}\"1'{i}' \"{c}\"2'{c}' \"{s}\"3'{s}'"),
            ("['a\"b', 'it''s']", "{c}{s}", " ", "\"a\"\"b\"'a\"b' \"it's\"'it''s'"),
        ],
    )
    def test_examples(
        self, con: duckdb.DuckDBPyConnection, given_names: str, template: str, separator: str, wanted: str
    ) -> None:
        assert value(con, f"sqlanon._each({given_names}, ?, ?)", template, separator) == wanted

    @unhurried
    @given(st.lists(names, max_size=12))
    def test_random_names(self, con: duckdb.DuckDBPyConnection, chosen: list[str]) -> None:
        found = value(con, "sqlanon._each(?::varchar[], '{s}<{c}>{i}{c}', ', ')", chosen)
        assert found == ", ".join(
            f"{literal(name)}<{identifier(name)}>{i}{identifier(name)}" for i, name in enumerate(chosen, 1)
        )


class TestRelation:
    @pytest.mark.parametrize("name", ["t", "main.t", '"odd ""name"""', "odd'name", "'; drop table t; --"])
    def test_a_table_name_is_one_text(self, con: duckdb.DuckDBPyConnection, name: str) -> None:
        assert value(con, "sqlanon._relation(?)", name) == f"query_table({literal(name)})"
