"""The texts that queries are made of: no name that a user gives can end its place in them."""

# As texts: Hypothesis keeps evaluated annotations, and DuckDB 2.0 reports its types there as leaks.
from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sqlanon
from tests.budget import examples
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

unhurried = examples(50)
texts = st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=8)
names = texts | st.sampled_from(HOSTILE)


@pytest.fixture(scope="module")
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        sqlanon.register(connection)
        yield connection


def value(con: duckdb.DuckDBPyConnection, expression: str, *parameters: Any) -> Any:
    ((result,),) = con.execute(f"select {expression}", list(parameters)).fetchall()
    return result


class TestQuote:
    @pytest.mark.parametrize(
        ("name", "quoted"),
        [("age", '"age"'), ('a"b', '"a""b"'), ("", '""'), ('"', '""""'), ("it's", '"it\'s"')],
    )
    def test_examples(self, con: duckdb.DuckDBPyConnection, name: str, quoted: str) -> None:
        assert value(con, "sqlanon._quote(?)", name) == quoted

    @pytest.mark.slow("2 s")
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

    @pytest.mark.slow("1 s")
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
        result = value(con, f"sqlanon._list({given_names})")
        assert result == wanted if wanted is not None else len(result) == 1

    def test_a_list_of_names_is_one_of_texts(self, con: duckdb.DuckDBPyConnection) -> None:
        for given_names in ("null", "[]", "'age'", "['age']"):
            assert value(con, f"typeof(sqlanon._list({given_names}))") == "VARCHAR[]"

    @pytest.mark.both_lines
    @examples(200, quick=20)
    @given(
        st.lists(
            st.one_of(st.none(), st.text(alphabet="aN ,[]{}'\"\\\n=:", max_size=4), st.text()), max_size=4
        )
    )
    def test_duckdb_reads_names_back(self, con: duckdb.DuckDBPyConnection, names: list[str | None]) -> None:
        names = [name if name is None else name.replace("\0", "") for name in names]
        [(text,)] = con.execute("select sqlanon._names_of($1::varchar[])", [names]).fetchall()
        assert con.execute(f"select {text}").fetchall() == [(names,)]


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
        result = value(con, "sqlanon._each(?::varchar[], '{s}<{c}>{i}{c}', ', ')", chosen)
        assert result == ", ".join(
            f"{literal(name)}<{identifier(name)}>{i}{identifier(name)}" for i, name in enumerate(chosen, 1)
        )


class TestRelation:
    @pytest.mark.parametrize("name", ["t", "main.t", '"odd ""name"""', "odd'name", "'; drop table t; --"])
    def test_a_table_name_is_one_text(self, con: duckdb.DuckDBPyConnection, name: str) -> None:
        assert value(con, "sqlanon._relation(?)", name) == f"query_table({literal(name)})"


# What the relations in sql/ call their own columns, and the tables that they are joined as.
INTERNAL = """
    a b c d e f g h i j k l m n o p q r s t u v w x y z
    q1 s1 c1 a1 b1 x1 y1 h1 m1 w1 f1 g1 r1 t1 v1 l1 k1 lo1 hi1 key1 members1 step1 kept1 twin place
    chance share weight size code label level member told bucket row_id point_id group_id tuple_id class_id
    mask cells frequency matching people target value attribute who part done step id rows point judged
    source src population release original number names record columns one other present salt histogram
    suppressed string node lo hi tree leaf sensitive class cell
""".split()  # noqa: SIM905

MACROS = [
    "mondrian('named', {qi}, {sensitive}, {keep}, k := 2, l := 1)",
    "mondrian('named', {qi}, {sensitive}, {keep}, k := 2, relaxed := true)",
    "mondrian('named', {qi}, {sensitive}, {keep}, k := 2, target := {sensitive}[1])",
    "mondrian('named', {qi}, {sensitive}, {keep}, k := 2, population := 'named', k_map := 2)",
    "optimal('named', {qi}, {sensitive}, {keep}, k := 2, l := 1)",
    "generalize('named', {qi}, [1, 1], {sensitive}, {keep}, k := 2)",
    "samarati('named', {qi}, {sensitive}, {keep}, k := 2)",
    "datafly('named', {qi}, {sensitive}, {keep}, k := 2)",
    "lattice('named', {qi}, {sensitive}, k := 2)",
    "mu_argus('named', {qi}, {sensitive}, {keep}, k := 2)",
    "microaggregate('named', {qi}, {sensitive}, {keep}, k := 2, l := 1, algorithm := 'curve')",
    "k_similar('named', {qi}, {sensitive}, {keep}, k := 2, l := 1, algorithm := 'curve')",
    "anatomize('named', {qi}, {sensitive}[1], {keep}, l := 1)",
    "classes('named', {qi})",
    "privacy('named', {qi}, {sensitive}, population := 'named', suppressed := 'wildcard')",
    "violations('named', {qi}, {sensitive}, k := 5, l := 2, population := 'named', k_map := 5)",
    "risk('named', {qi}, population := 'named')",
    "record_risk('named', {qi}, {keep}, population := 'named')",
    "log_linear_risk('named', {qi}, fraction := 0.1, marginals := [{qi}])",
    "minimal_uniques('named', {qi}, id := {sensitive}[1])",
    "suda('named', {qi}, {sensitive}[1])",
    "quasi_identifiers('named', {qi})",
    "wildcard_frequencies('named', {qi})",
    "locate('named', 'named', {sensitive}[1], {qi})",
    "intersection_attack(['named', 'named'], 'named', {sensitive}[1], {qi}, {sensitive}[2], "
    "truth := {sensitive}[2])",
    "breaches(['named', 'named'], 'named', {sensitive}[1], {qi}, {sensitive}[2], truth := {sensitive}[2])",
    "forecast('named', {qi}, {sensitive}[1])",
    "minimality('named', 'named', {sensitive}[1], {qi}, {sensitive}[2], k := 5, l := 2)",
    "unread_labels('named', 'named', {qi})",
    "utility('named', 'named', {qi}, id := {sensitive}[1])",
    "dominated('named', {sensitive}[1], {qi})",
    "count_errors('named', 'named', {qi}, count_column := {sensitive}[1], "
    "deviation_column := {sensitive}[2])",
    "pram('named', {qi}, {keep}, strata := {sensitive}[2])",
    "rank_swap('named', {qi}, {keep}, p := 0.9)",
    "disclosure('named', 'named', {sensitive}[1], {qi})",
    "record_linkage('named', 'named', {sensitive}[1], {qi})",
    "flat_hierarchy('named', {qi}[1])",
    "interval_hierarchy('named', {qi}[1], widths := [5])",
    "background_knowledge('named', {qi}, {sensitive}, k := 2)",
    "maximum_disclosure('named', {qi}, {sensitive}, k := 2)",
    "skyline('named', {qi}, {sensitive})",
    "linking('named', 'named', {sensitive}[1], {qi}, {sensitive}[2], truth := {sensitive}[2])",
    "complementary_release(['named', 'named'], {qi}, {sensitive}[1], truth := {sensitive}[2])",
    "unsorted_matching(['named', 'named'], {qi}, truth := {sensitive}[1])",
]


def check_names(con: duckdb.DuckDBPyConnection, macro: str, first: int) -> None:
    """Some names as quasi-identifiers, the next ones as sensitive columns, all others beside them."""
    turned = INTERNAL[first:] + INTERNAL[:first]
    columns = ", ".join(f"n // {2 if i < 2 else 1} as {identifier(name)}" for i, name in enumerate(turned))
    con.execute(f"create or replace table named as select {columns} from range(8) as numbers(n)").fetchall()
    # which it refuses, by that name
    unnamed = "bucket" if "anatomize" in macro else "size" if macro.startswith(("back", "sky")) else ""
    roles = {
        "qi": turned[:2],
        "sensitive": turned[2:4],
        "keep": [name for name in turned[4:] if name != unnamed],
    }
    if unnamed in roles["qi"] + roles["sensitive"]:
        return
    statement = macro.format_map({role: literal(names) for role, names in roles.items()})
    try:
        con.execute(f"from sqlanon.{statement}").fetchall()
    except duckdb.Error as error:
        pytest.fail(f"{macro} of {turned[:4]}: {error}")


@pytest.mark.parametrize("macro", MACROS)
def test_columns_may_have_the_names_of_internal_ones(con: duckdb.DuckDBPyConnection, macro: str) -> None:
    """Each macro with other names in the roles that are joined; the next test has all of them."""
    check_names(con, macro, 4 * MACROS.index(macro) % len(INTERNAL))


@pytest.mark.slow("hostile names")
@pytest.mark.parametrize("macro", MACROS)
def test_each_name_in_each_role(con: duckdb.DuckDBPyConnection, macro: str) -> None:
    for first in range(0, len(INTERNAL), 2):
        check_names(con, macro, first)


class TestTemplate:
    @unhurried
    @given(st.lists(names, min_size=2, max_size=2))
    def test_nothing_is_filled_in_what_is_filled_in(
        self, con: duckdb.DuckDBPyConnection, filled: list[str]
    ) -> None:
        one, other = (f"{text}{{one}}{{other}}{{" for text in filled)
        template = "sqlanon._fill('a {one} b {other}{one}', map {'one': ?, 'other': ?})"
        assert value(con, template, one, other) == f"a {one} b {other}{one}"

    @unhurried
    @given(names, names)
    def test_before_each_name(self, con: duckdb.DuckDBPyConnection, filled: str, name: str) -> None:
        template = "sqlanon._each_filled([?], '{s}{one}{i}', map {'one': ?}, '')"
        assert value(con, template, name, f"{{i}}{filled}") == f"{literal(name)}{{i}}{filled}1"

    def test_every_hole_must_be_filled(self, con: duckdb.DuckDBPyConnection) -> None:
        for holes in ("map {'other': 'x'}", "map {'one': null::varchar}"):
            with pytest.raises(duckdb.InvalidInputException, match=r"nothing fills the hole \{one\}"):
                value(con, f"sqlanon._fill('a {{one}}', {holes})")


class TestConstant:
    @unhurried
    @given(texts)
    def test_a_struct_is_read_back(self, con: duckdb.DuckDBPyConnection, text: str) -> None:
        struct = (
            "{'k': 5::bigint, 'none': null::double, 'all': 'infinity'::double, 'share': 0.1 + 0.2::double}"
        )
        assert value(con, value(con, f"sqlanon._constant({struct})")) == value(con, struct)
        assert value(con, value(con, "sqlanon._constant(?::varchar)", text)) == text

    def test_numbers_and_nothing(self, con: duckdb.DuckDBPyConnection) -> None:
        for expression in ("0.1::double", "9e15::bigint", "true", "null::varchar"):
            assert value(con, value(con, f"sqlanon._constant({expression})")) == value(con, expression)
