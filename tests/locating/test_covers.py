"""Which raw values a released value covers: every spelling, in SQL and in the slow version."""

# As texts: Hypothesis keeps evaluated annotations, and DuckDB 2.0 reports its types there as leaks.
from __future__ import annotations

import datetime
from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import combinations
from typing import Any

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sqlanon
from tests.oracles import as_text
from tests.oracles.covers import covers
from tests.tables import DOMAINS

DAY = datetime.date(2020, 2, 29)
MOMENT = datetime.datetime(2020, 2, 29, 12)


@pytest.fixture(scope="module")
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        sqlanon.register(connection)
        yield connection


def load(con: duckdb.DuckDBPyConnection, values: Sequence[Any], type_: str) -> None:
    """A table raws: value, i. As texts, because DuckDB 1.5 takes NaN in a list for NULL."""
    con.execute(
        f"create or replace table raws as select unnest(?::varchar[])::{type_} as value, "
        "unnest(range(?)) as i",
        [[as_text(value) for value in values], len(values)],
    ).fetchall()


def covered(
    con: duckdb.DuckDBPyConnection, released: Sequence[str | None], raws: Sequence[Any], type_: str
) -> list[tuple[str | None, Any]]:
    """The pairs of which one covers the other; raws are of one type."""
    con.execute("create or replace table released as select unnest(?::varchar[]) as text", [list(released)])
    load(con, raws, type_)
    result = con.execute(
        """select released.rowid, raws.rowid from released, raws
        where sqlanon.covers(text, value) order by all"""
    ).fetchall()
    return [(released[i], raws[j]) for i, j in result]


def expected(released: Sequence[str | None], raws: Sequence[Any]) -> list[tuple[str | None, Any]]:
    return [(text, raw) for text in released for raw in raws if covers(text, raw)]


# A released value, raw values that it covers, and some that it does not.
SPELLINGS: list[tuple[str | None, list[Any], list[Any]]] = [
    ("*", [None, 1, "x", ""], []),
    (None, [None], [1, "", "NULL"]),
    ("NULL", ["NULL"], [None]),
    ("", [""], [None, " "]),
    ("130**", ["13012", 13099], ["1301", "130123", "13112", None]),
    ("3*", [30, 39, "3x", "3é", "3😀"], [3, 300, 29, "3\u0065\u0301"]),
    ("**", [10, "ab"], [1, 100, None]),
    ("**012", ["13012"], ["13013", "3012"]),
    ("1*0*2", ["13012", "1x0y2"], ["13112"]),
    ("50%*", ["50%1"], ["5001", "50x1"]),
    ("a_\\*", ["a_\\b"], ["ab\\b", "a_b"]),
    ("<30", [29, 29.9, -1, "29", "5"], [30, 31, None, "x"]),
    ("< 30", [29], [30]),
    ("<=30", [30, 30.0], [31]),
    (">30", [31, 100, "100"], [30, 9, "9"]),
    (">=40", [40, 100], [39, DAY]),
    (">=2020-02-29", [DAY, MOMENT, "2021-05-05"], [datetime.date(2020, 2, 28), 2021, "x"]),
    ("<2020-02-29", [datetime.date(2020, 2, 28)], [DAY, "", "b"]),
    ("<=50K", ["<=50K"], [">50K", "40K", 40]),
    ("<a", ["<a"], ["A", ""]),
    ("20-29", [20, 29, 24.5, "25", "20-29"], [19, 30, None, "x"]),
    ("-5--1", [-5, -1, -3], [0, -6, 5]),
    ("-5-1", [-5, 1, 0], [2]),
    ("1.5-2.5", [1.5, 2, 2.5], [1, 3]),
    ("2020-02-29", [DAY, "2020-02-29"], [2020, MOMENT]),
    ("[20, 29]", [20, 29, "25", "025"], [19, 30, None, "x", DAY]),
    ("[20, 30[", [20, 29.9], [30, None]),
    ("]20, 30]", [20.1, 30], [20]),
    ("(20, 30]", [20.1, 30], [20]),
    ("[20, 30)", [20, 29.9], [30]),
    ("]20, 30[", [21], [20, 30]),
    ("(20, 30)", [21], [20, 30]),
    ("[20,30]", [20, 30], [31]),
    ("[9, 10]", ["9", "10"], ["95"]),
    ("[-10, -5]", [-10, -5, -7.5], [-11, -4, 7]),
    ("[NULL, 29]", [None, -100, 29], [30, "x"]),
    ("[-inf, 29]", [-100, float("-inf")], [None, 30]),
    ("[inf, nan]", [float("inf"), float("nan")], [1e308]),
    ("[1.0, 2.0]", [1, 2, 1.5], [float("nan"), float("inf")]),
    ("[-1e+16, 1e-05]", [-1e16, 0, 1e-5], [1e-4]),
    ("[2020-01-01, 2020-02-29]", [DAY, "2020-02-29"], [datetime.date(2020, 3, 1), MOMENT]),
    ("[2020-02-29 08:00:00, 2020-02-29 12:00:00]", [MOMENT], [DAY]),
    ("[08:00:00, 09:30:00]", [datetime.time(8), datetime.time(9, 29)], [datetime.time(9, 30, 1)]),
    ("[b, d]", ["b", "c", "cat", "d"], ["a", "dog", 3]),
    ("[1, d]", [], [1, "a", "1"]),
    ("{a, b}", ["a", "b"], ["c", "a, b", None, ""]),
    ("{ a ,b}", ["a", "b"], [" a"]),
    (
        '{NULL, "", " d", "NULL", a, "b, c", "say ""e""", "{", "}"}',
        [None, "", " d", "NULL", "b, c", 'say "e"', "{", "}"],
        ["d", "b", '"NULL"'],
    ),
    ('{"NULL"}', ["NULL"], [None]),
    ("{a\nb, c}", ["a\nb", "c"], ["a", "b"]),
    ("{1, 2}", [1, 2.0, "1"], [3, "1.0"]),
    ("{false, true}", [True, "true"], [None, 1]),
    ("{a, ", ["{a, "], ["a"]),
    ("[20, 30", ["[20, 30"], [25]),
    ("28", [28, 28.0, Decimal("28.00"), "28"], ["28.0", "028", 29, None]),
    ("28.0", [28, 28.0, "28.0"], ["28"]),
    ("05", [5, "05"], ["5"]),
    ("1e3", [1000, 1000.0], ["1000"]),
    ("250.00", ["250.00"], ["250.0"]),
    ("9007199254740993", [2**53 + 1], [2**53]),
    ("2020-02-29 00:00:00", [DAY, datetime.datetime(2020, 2, 29)], ["2020-02-29", 0]),
    ("1970-01-01", [datetime.date(1970, 1, 1)], [0]),
    ("nan", [float("nan"), "nan"], [1.0]),
    ("true", [True, "true"], [False, 1]),
    ("0", [0], ["x", False, datetime.date(1970, 1, 1)]),
]

TYPES = {
    type(None): "INTEGER", bool: "BOOLEAN", int: "BIGINT", float: "DOUBLE", Decimal: "DECIMAL(9, 2)",
    str: "VARCHAR", datetime.date: "DATE", datetime.datetime: "TIMESTAMP", datetime.time: "TIME",
}  # fmt: skip


class TestSpellings:
    @pytest.mark.both_lines
    @pytest.mark.parametrize("kind", TYPES)
    def test_examples(self, con: duckdb.DuckDBPyConnection, kind: type) -> None:
        """Those of one type in one statement."""
        cases = [
            (released, raw, is_in)
            for released, inside, outside in SPELLINGS
            for is_in, raws in ((True, inside), (False, outside))
            for raw in raws
            if type(raw) is kind
        ]
        answers = con.execute(
            f"""select sqlanon.covers(released, raw::{TYPES[kind]})
            from (select unnest($1::varchar[]) as released, unnest($2::varchar[]) as raw,
                      unnest(range(len($1))) as i)
            order by i""",
            [[released for released, _, _ in cases], [as_text(raw) for _, raw, _ in cases]],
        ).fetchall()
        found = [(released, raw, is_in) for (released, raw, _), (is_in,) in zip(cases, answers, strict=True)]
        assert found == cases
        for released, raw, is_in in cases:
            if released not in ("<=50K", "<a"):  # in SQL only numbers and dates have something below them
                assert covers(released, raw) is is_in, (released, raw)

    @pytest.mark.parametrize("released", ["≤30", "<= 30", "20 - 30", "20–30", "20 – 30"])
    def test_other_signs(self, con: duckdb.DuckDBPyConnection, released: str) -> None:
        """Typeset spellings, which the slow version does not know."""
        assert covered(con, [released], [25, 30, 31], "INTEGER") == [(released, 25), (released, 30)]

    def test_labels(self, con: duckdb.DuckDBPyConnection) -> None:
        def found(arguments: str) -> Any:
            return con.execute(f"select sqlanon.covers({arguments})").fetchall()[0][0]

        assert found("'eu', 'de', ['de', 'eu', '*']") is True
        assert found("'eu', 'de', labels := ['de', 'eu', '*']") is True
        assert found("'am', 'de', ['de', 'eu', '*']") is False
        assert found("'[20, 29]', 'x', ['[20, 29]']") is True  # a label may look like anything
        assert found("null, 'de', [null, 'eu']") is False
        assert found("'eu', null, ['eu']") is True

    def test_labels_of_a_table(self, con: duckdb.DuckDBPyConnection) -> None:
        """Joined to a hierarchy, as a user would check a release by hand."""
        con.execute(
            """create or replace table h as
            select 'land' as attribute, * from (values ('de', 0, 'de'), ('de', 1, 'eu'), ('de', 2, '*'),
                ('us', 0, 'us'), ('us', 1, 'am'), ('us', 2, '*')) as t(value, level, label)"""
        ).fetchall()
        result = con.execute(
            """select value, sqlanon.covers('eu', value, labels)
            from (select value, list(label) as labels from h group by value) order by value"""
        ).fetchall()
        assert result == [("de", True), ("us", False)]


ORDERED = ["INTEGER", "DOUBLE", "DECIMAL(6, 2)", "DATE", "TIMESTAMP", "TIME"]  # beyond 2^53 it is inexact
OTHERS = [type_ for type_ in DOMAINS if type_.startswith(("VARCHAR", "BOOLEAN", "ENUM"))]


class TestRanges:
    """The recoding 'range': STRUCT(lo, hi) of ordered types, NULL below everything, and lists of others."""

    @pytest.mark.parametrize("type_", ORDERED)
    def test_struct(self, con: duckdb.DuckDBPyConnection, type_: str) -> None:
        values = [None, *DOMAINS[type_]]
        load(con, values, type_)
        wrong = con.execute(
            """select * from raws as lo, raws as hi, raws as raw
            where lo.i <= hi.i and sqlanon.covers({'lo': lo.value, 'hi': hi.value}, raw.value)
                is distinct from (raw.i between lo.i and hi.i)"""
        ).fetchall()
        assert wrong == []

    @pytest.mark.parametrize("type_", OTHERS)
    def test_list(self, con: duckdb.DuckDBPyConnection, type_: str) -> None:
        values = [None, *DOMAINS[type_]]
        sets = [[*chosen] for n in (1, 2, 3) for chosen in combinations(values, n)]
        con.execute(f"create or replace table sets as select unnest(?::{type_}[][]) as values", [sets])
        load(con, values, type_)
        result = con.execute(
            """select values, list(value) from sets, raws
            where sqlanon.covers(values, value) group by sets.rowid, values order by sets.rowid"""
        ).fetchall()

        def in_order(chosen: list[Any]) -> list[Any]:
            return sorted(chosen, key=values.index)

        assert [(chosen, in_order(held)) for chosen, held in result] == [(chosen, chosen) for chosen in sets]

    def test_a_list_is_not_its_text(self, con: duckdb.DuckDBPyConnection) -> None:
        [result] = con.execute("select sqlanon.covers(['a'], '[a]'), sqlanon.covers(['a'], 'a')").fetchall()
        assert result == (False, True)


# What others may have published, in pieces. Texts have no digits, so that numbers are only what is meant as
# one.
letters = st.text("abé😀%_\\ .-", max_size=4)
hostile = st.text('ab{}[]<>,"* \n', max_size=4)
integers = st.integers(-30, 30)
quarters = integers.map(lambda n: n / 4)
days = st.dates(datetime.date(2019, 12, 1), datetime.date(2020, 3, 31))
moments = days.flatmap(
    lambda day: st.times().map(lambda time: datetime.datetime.combine(day, time.replace(microsecond=0)))
)
numbers = st.one_of(
    integers.map(str), quarters.map(str), quarters.map(lambda n: f"{n:.2f}"), st.sampled_from(["05", "1e1"])
)
points = st.one_of(days.map(str), moments.map(str))

RAW: dict[str, st.SearchStrategy[Any]] = {
    "INTEGER": integers,
    "DOUBLE": st.one_of(quarters, st.sampled_from([float("inf"), float("-inf"), float("nan")])),
    "DECIMAL(6, 2)": quarters.map(lambda n: Decimal(f"{n:.2f}")),
    "DATE": days,
    "TIMESTAMP": moments,
    "BOOLEAN": st.booleans(),
    "VARCHAR": st.one_of(letters, hostile, numbers, points, st.just("NULL")),
}


@st.composite
def intervals(draw: st.DrawFn) -> str:
    kind = draw(st.sampled_from([numbers, points, st.sampled_from("abc"), numbers | points]))
    low, high = draw(kind | st.just("NULL")), draw(kind)
    opening, closing = draw(st.sampled_from("[](")), draw(st.sampled_from("])["))
    return f"{opening}{low},{draw(st.sampled_from(['', ' ']))}{high}{closing}"


@st.composite
def comparisons(draw: st.DrawFn) -> str:
    return draw(st.sampled_from(["<", "<=", ">", ">="])) + draw(numbers | points)


@st.composite
def masks(draw: st.DrawFn) -> str:
    text = draw(letters | numbers | points)
    return "".join(draw(st.sampled_from([char, "*"])) for char in text)


def element(value: str | None) -> str:
    if value is None:
        return "NULL"
    return value if value.isalnum() and value != "NULL" else '"' + value.replace('"', '""') + '"'


sets = st.lists(st.none() | RAW["VARCHAR"], min_size=1, max_size=4).map(
    lambda values: "{" + ", ".join(map(element, values)) + "}"
)
ranges = st.tuples(integers, integers).map(lambda bounds: f"{bounds[0]}-{bounds[1]}")
spellings = st.one_of(intervals(), comparisons(), masks(), sets, ranges, numbers, points, letters, st.none())


class TestAgainstTheOracle:
    @pytest.mark.both_lines
    @given(st.data())
    def test_random_spellings(self, con: duckdb.DuckDBPyConnection, data: st.DataObject) -> None:
        type_ = data.draw(st.sampled_from(sorted(RAW)))
        raws = data.draw(st.lists(st.none() | RAW[type_], min_size=1, max_size=12))
        released = data.draw(st.lists(spellings, min_size=1, max_size=12))
        assert repr(covered(con, released, raws, type_)) == repr(expected(released, raws))

    @given(st.lists(st.none() | hostile, min_size=2, max_size=8, unique=True))
    def test_a_set_of_this_library_holds_its_values_and_nothing_else(
        self, con: duckdb.DuckDBPyConnection, values: list[str | None]
    ) -> None:
        load(con, values, "VARCHAR")
        [(held,)] = con.execute(
            """with released as (select sqlanon._set_text(list(value)) as text from raws where i < 3)
            select list(i order by i) from raws, released
            where sqlanon.covers(text, value)"""
        ).fetchall()
        assert held == list(range(min(3, len(values))))
