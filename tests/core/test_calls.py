"""What is written when the scripts of sql/ are read: calls, and the statements of public macros."""

from __future__ import annotations

import re

import pytest

import sqlanon
from sqlanon.core.calls import (
    KINDS,
    parameters_of,
    steps_of,
    with_calls,
    with_maps,
    with_statements,
    with_steps,
)
from sqlanon.core.library import topics

DEFINE = "create or replace macro sqlanon."
INNER = f"{DEFINE}_inner(tbl, qi, k, seed := null) as table from query_table(tbl);\n"


def written(hole: str, enclosing: str = "tbl, qi, k, seed := 1") -> str:
    """A script in which a macro with such parameters has a hole, once it is filled; without line breaks."""
    script = f"{INNER}{DEFINE}outer({enclosing}) as table\n    from query({hole});\n"
    return re.sub(
        r"([(\[,])\s+",
        lambda found: found[1] + " " * (found[1] == ","),
        with_calls(script, parameters_of([script])),
    )


class TestCalls:
    @pytest.mark.parametrize(
        ("hole", "arguments"),
        [
            ("{call _inner}", "sqlanon._literal(tbl), sqlanon._names(qi), k::varchar, sqlanon._seed(seed)"),
            (
                "{call _inner: k := 5, tbl := 'a', seed := null}",
                "$$'a'$$, sqlanon._names(qi), '5', 'null'",
            ),
            (
                "{call _inner: k := len(qi) + 1, tbl := text(x), qi := ['a, b', '}']}",
                "x, sqlanon._names(['a, b', '}']), (len(qi) + 1)::varchar, sqlanon._seed(seed)",
            ),
        ],
    )
    def test_arguments_are_found_by_name(self, hole: str, arguments: str) -> None:
        assert f"sqlanon._call('_inner', [{arguments}])" in written(hole)

    def test_a_call_itself_is_written_in_the_same_way(self) -> None:
        assert "(sqlanon._inner(tbl, upper(qi), 5, seed))" in written(
            "{sqlanon._inner: qi := upper(qi), k := 5}"
        )

    def test_what_comes_after_a_default_that_is_left_out_has_its_name(self) -> None:
        script = f"{DEFINE}_inner(a, b := 1, c := 2) as a;\n{DEFINE}outer(a, c) as\n    "
        parameters = parameters_of([script])
        assert (
            with_calls(f"{script}{{sqlanon._inner}};\n", parameters)
            == f"{script}sqlanon._inner(a, c := c);\n"
        )
        text = with_calls(f"{script}{{call _inner: c := null}};\n", parameters)
        assert text == f"{script}sqlanon._call('_inner', [sqlanon._literal(a), 'c := ' || 'null']);\n"

    def test_variables_of_lambdas_are_arguments(self) -> None:
        text = written("sqlanon._let(5, lambda k: {call _inner})", "tbl, qi, seed")
        assert "lambda k: sqlanon._call('_inner', [" in text

    def test_a_parameter_that_is_not_there_is_refused(self) -> None:
        with pytest.raises(ValueError, match=r"sqlanon\._inner has no parameter l$"):
            written("{call _inner: l := 1}")

    def test_an_argument_that_is_lacking_is_refused(self) -> None:
        with pytest.raises(ValueError, match=r"sqlanon\.outer gives sqlanon\._inner no qi, k$"):
            written("{call _inner}", "tbl, seed")

    def test_a_hole_that_does_not_end_is_refused(self) -> None:
        with pytest.raises(ValueError, match=r"a hole that does not end: \{call _inner"):
            with_calls(f"{INNER}{DEFINE}outer(k) as {{call _inner: k := (5;\n", parameters_of([INNER]))

    def test_a_parameter_becomes_a_text_in_one_way(self) -> None:
        names = [name for kind in KINDS.values() for name in kind.split()]
        assert len(names) == len({*names})
        parameters = {name for names in parameters_of(topics().values()).values() for name in names}
        assert {*names} <= parameters


class TestMaps:
    @staticmethod
    def filled(body: str, parameters: str = "tbl, qi, maps") -> str:
        script = f"{DEFINE}outer({parameters}) as\n    {body};\n"
        text = with_maps(script, parameters_of([script])).partition(" as\n    ")[2].removesuffix(";\n")
        return text.replace("{\n        ", "{").replace("\n        ", " ")

    @pytest.mark.parametrize(
        ("body", "filled"),
        [
            ("sqlanon._fill($$ from {tbl} $$)", "sqlanon._fill($$ from {tbl} $$, map {'tbl': tbl})"),
            (
                "sqlanon._fill('{qi} {tbl}', map {'qi': 'a, {b}'})",
                "sqlanon._fill('{qi} {tbl}', map {'tbl': tbl, 'qi': 'a, {b}'})",
            ),
            (
                "sqlanon._fill(sqlanon._each(qi, '{c}', ', ') || ' {x}', map {'x': 1})",
                "sqlanon._fill(sqlanon._each(qi, '{c}', ', ') || ' {x}', map {'x': 1})",
            ),
            (
                "sqlanon._each_filled(qi, '{c} {tbl} {i}', ', ')",
                "sqlanon._each_filled(qi, '{c} {tbl} {i}', map {'tbl': tbl}, ', ')",
            ),
            (
                "sqlanon._let(1, lambda one: sqlanon._fill('{one}'))",
                "sqlanon._let(1, lambda one: sqlanon._fill('{one}', map {'one': one}))",
            ),
            (
                "sqlanon._fill('{each qi: a.{c}}{each_of tbl: , {s}} {each qi and: x{i}}{each qi: and {c}}')",
                "sqlanon._fill('{qi_1}{tbl_2} {qi_3}{qi_4}', map {'qi_1': sqlanon._each(qi, 'a.{c}', ', '), "
                "'tbl_2': sqlanon._each_of(tbl, ', {s}', ''), 'qi_3': sqlanon._each(qi, 'x{i}', ' and '), "
                "'qi_4': sqlanon._each(qi, ' and {c}', '')})",
            ),
            (
                "sqlanon._fill($$ {each qi: '{c}'} $$)",
                "sqlanon._fill($$ {qi_1} $$, map {'qi_1': sqlanon._each(qi, '''{c}''', ', ')})",
            ),
            (
                "sqlanon._fill('{=tbl} {=qi} {=tbl} {\"tbl\"}')",
                "sqlanon._fill('{tbl_value} {qi_value} {tbl_value} {tbl_quoted}', map {'tbl_value': "
                "sqlanon._literal(tbl), 'qi_value': sqlanon._names(qi), 'tbl_quoted': sqlanon._quote(tbl)})",
            ),
            ("sqlanon._fill('{x}', maps)", "sqlanon._fill('{x}', maps)"),
            ("sqlanon._each_filled(qi, '{x}', maps, '')", "sqlanon._each_filled(qi, '{x}', maps, '')"),
        ],
    )
    def test_holes_are_parameters(self, body: str, filled: str) -> None:
        assert self.filled(body) == filled

    @pytest.mark.parametrize("body", ["sqlanon._fill('{x}')", "sqlanon._fill('{tbl}', map {'x': 'y'})"])
    def test_a_hole_that_nothing_fills_is_refused(self, body: str) -> None:
        with pytest.raises(
            ValueError, match=r"sqlanon\.outer: nothing fills \{x\}, or there is no such hole"
        ):
            self.filled(body)


class TestStatements:
    def test_a_macro_of_the_statement_comes_first(self) -> None:
        script = (
            f"{DEFINE}outer(tbl, {{requirements but k: {{id}} := {{fallback}}}}, unit := null) as table\n"
            "    from query({statement with by_value:\n        f(tbl, requirements, unit, by_value)});\n"
        )
        assert with_statements(script) == (
            f"{DEFINE}_outer_statement(tbl, requirements, unit, by_value := null) as\n"
            "    f(tbl, requirements, unit, by_value);\n\n"
            f"{DEFINE}outer(tbl, {{requirements but k: {{id}} := {{fallback}}}}, unit := null) as table\n"
            "    from query(sqlanon._outer_statement("
            "tbl, sqlanon._requirements({requirements but k: {id} := {id}}), unit));\n"
        )


class TestSteps:
    SHARED = (
        "create or replace steps sqlanon._read(tbl, columns, weight := null) as\n"
        "    _source as (from f(tbl, 'tbl', columns, weight)),\n"
        "    _class as (from g(columns := columns));\n"
    )

    def spliced(self, hole: str) -> str:
        script = f"{self.SHARED}{DEFINE}outer(tbl, qi) as table\n    with {hole}\n    from _class;\n"
        return with_steps(script, steps_of([script])).partition("with ")[2]

    def test_they_stand_where_they_are_named(self) -> None:
        assert self.spliced("{steps _read: columns := qi || ['a']}") == (
            "_source as (from f(tbl, 'tbl', qi || ['a'], null)),\n"
            "    _class as (from g(columns := qi || ['a']))\n    from _class;\n"
        )

    def test_steps_may_take_nothing(self) -> None:
        script = (
            "create or replace steps sqlanon._read() as\n    _class as (from f('qi'));\n"
            f"{DEFINE}outer(tbl, qi) as table\n    with {{steps _read}}\n    from _class;\n"
        )
        assert with_steps(script, steps_of([script])).endswith(
            "with _class as (from f('qi'))\n    from _class;\n"
        )

    @pytest.mark.parametrize(
        ("hole", "message"),
        [
            ("{steps _read: qi := qi, columns := qi}", r"sqlanon\._read has no parameter qi$"),
            ("{steps _read}", r"sqlanon\.outer gives sqlanon\._read no columns$"),
            ("{steps _reed: columns := qi}", r"there are no steps sqlanon\._reed$"),
        ],
    )
    def test_what_does_not_fit_is_refused(self, hole: str, message: str) -> None:
        with pytest.raises(ValueError, match=message):
            self.spliced(hole)


def test_scripts_have_no_such_holes() -> None:
    script = sqlanon.read_library()
    assert not re.search(r"\{call _|\{statement[ :]|\bsteps sqlanon\b|\{steps ", script)
    assert "macro sqlanon._optimal_statement(" in script
