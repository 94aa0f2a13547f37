"""Templates that are cut when scripts are read: the same texts as those of sql/core/names.sql."""

from __future__ import annotations

from collections.abc import Iterator

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sqlanon
from sqlanon.core.templates import with_formats
from tests.budget import examples

NAMES = ["plain", 'a "b"', "it's", "{c}", "{0}", "}{", "ü, {{"]


@pytest.fixture(scope="module")
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        sqlanon.register(connection)
        yield connection


def value(con: duckdb.DuckDBPyConnection, expression: str) -> str:
    [(found,)] = con.execute(f"select {expression}").fetchall()
    return str(found)


def literal(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


class TestCut:
    @pytest.mark.parametrize(
        ("call", "cut"),
        [
            (
                "sqlanon._fill($$ select {a} from {b}, {a} $$, map {'a': f(x, 'y'), 'b':\n    y})",
                "format($$ select {0} from {1}, {0} $$, f(x, 'y'), y)",
            ),
            (
                "sqlanon._each(qi, 'src.{c} as q{i}', ', ')",
                "sqlanon._each_numbered(sqlanon._list(qi), 'src.\"{0}\" as q{2}', ', ')",
            ),
            (
                "sqlanon._each_of(a || b, '{s} {x}', '')",
                "sqlanon._each_numbered(a || b, '''{1}'' {{x}}', '')",
            ),
            (
                "sqlanon._each_filled(qi, $$ {s} {a} $$, map {'a': b}, '')",
                "sqlanon._each_numbered(sqlanon._list(qi), "
                "format($$ '{{1}}' {0} $$, sqlanon._doubled_braces(b)), '')",
            ),
            (
                "sqlanon._fill('{a}', map {'a': sqlanon._fill('{b}', map {'b': 'c'})})",
                "format('{0}', format('{0}', 'c'))",
            ),
        ],
    )
    def test_holes_become_numbers(self, call: str, cut: str) -> None:
        assert with_formats(f"select {call};") == f"select {cut};"

    @pytest.mark.parametrize(
        "call",
        [
            "sqlanon._fill(template, map {'a': b})",
            "sqlanon._each(qi, if(a, '{c}', ''), ', ')",
            "sqlanon._each_filled(qi, '{c}' || a, holes, ', ')",
            "list_transform(releases, lambda release: sqlanon._fill('{a}', map {'a': release}))",
        ],
    )
    def test_what_is_not_known_stays(self, call: str) -> None:
        assert with_formats(f"select {call};") == f"select {call};"


@examples(60)
@given(
    pieces=st.lists(st.sampled_from(["{c}", "{s}", "{i}", "{a}", "{b}", " x", "'", '"', ","]), min_size=1),
    names=st.lists(st.sampled_from(NAMES), max_size=3),
    filled=st.tuples(st.sampled_from(NAMES), st.sampled_from(NAMES)),
    quotes=st.booleans(),
)
def test_texts_are_the_same(
    con: duckdb.DuckDBPyConnection, pieces: list[str], names: list[str], filled: tuple[str, str], quotes: bool
) -> None:
    text = "".join(pieces)
    template = literal(text) if quotes else f"$${text}$$"
    listed = f"[{', '.join(map(literal, names))}]::varchar[]"
    entries = [
        f"'{name}': {literal(value)}"
        for name, value in zip("ab", filled, strict=True)
        if f"{{{name}}}" in text
    ]
    calls = [f"sqlanon._each_of({listed}, {template}, ', ')", f"sqlanon._each({listed}, {template}, ', ')"]
    if entries:
        holes = f"map {{{', '.join(entries)}}}"
        calls.append(f"sqlanon._each_filled({listed}, {template}, {holes}, ', ')")
        if not {"{c}", "{s}", "{i}"} & {*pieces}:
            calls.append(f"sqlanon._fill({template}, {holes})")
    for call in calls:
        cut = with_formats(call)
        assert cut != call
        assert value(con, cut) == value(con, call)
