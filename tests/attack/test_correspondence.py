"""Two releases of a growing table: which classes are compatible, and what is left in each pair of them."""

# As texts: Hypothesis keeps evaluated annotations, and DuckDB 2.0 reports its types there as leaks.
from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sqlanon
from tests.budget import examples
from tests.oracles.correspondence import Label, Released, anonymity, left_over
from tests.oracles.covers import covers
from tests.tables import identifier, literal

few = examples(30)


@pytest.fixture(scope="module")
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        sqlanon.register(connection)
        yield connection


def table(con: duckdb.DuckDBPyConnection, name: str, columns: Sequence[str], rows: Sequence[Any]) -> None:
    """A table of texts."""
    chosen = ", ".join(f"unnest(?::varchar[]) as {identifier(column)}" for column in columns)
    values = [list(column) for column in zip(*rows, strict=True)] or [[] for _ in columns]
    con.execute(f"create or replace table {identifier(name)} as select {chosen}", values).fetchall()


class TestThePaper:
    """Lawyers of Europe, who are professionals of two countries later."""

    @pytest.fixture(autouse=True)
    def tables(self, con: duckdb.DuckDBPyConnection) -> None:
        table(
            con, "r1", ["country", "job", "disease"],
            [("Europe", "Lawyer", s) for s in ["Flu"] * 3 + ["Diabetes"] * 2],
        )  # fmt: skip
        table(
            con, "r2", ["country", "job", "disease"],
            [("UK", "Professional", s) for s in ["Flu"] * 3 + ["Diabetes"] * 2]
            + [("France", "Professional", s) for s in ["Flu"] * 2 + ["Diabetes"] * 3],
        )  # fmt: skip
        paths = [
            ("country", ["UK", "Europe", "*"]),
            ("country", ["France", "Europe", "*"]),
            ("job", ["Lawyer", "Professional", "*"]),
        ]
        table(
            con, "h", ["attribute", "value", "level", "label"],
            [(name, path[0], i, label) for name, path in paths for i, label in enumerate(path)],
        )  # fmt: skip

    def test_what_is_left(self, con: duckdb.DuckDBPyConnection) -> None:
        answer = sqlanon.correspondence(con, ["r1", "r2"], ["country", "job"], "disease", hierarchies="h")
        france, uk = sorted(answer.fetchall())
        assert france == (
            1, 1, "F-attack: 1 of 5 rows excluded", 1 / 4, 1 / 5, None, None, 5, 5, 4, 4, 5, 4
        )  # fmt: skip
        assert uk == (
            1, 2, "B-attack: 1 of 5 rows excluded", 1 / 4, 1 / 5, None, None, 5, 5, 5, 5, 4, 4
        )  # fmt: skip
        summary = dict(sqlanon.attack_summary(con, answer).project("id, value").fetchall())
        assert summary["learned"] == 100.0

    def test_labels_that_nobody_explains(self, con: duckdb.DuckDBPyConnection) -> None:
        with pytest.raises(sqlanon.InputError, match=r"class 1 of r1 has .* rows with .* have 0: .*hierarch"):
            sqlanon.correspondence(con, ["r1", "r2"], ["country", "job"], "disease")


def bins(label: tuple[int, int]) -> Label:
    return frozenset(range(label[0], label[1] + 1))


@st.composite
def releases(draw: st.DrawFn) -> tuple[list[tuple[tuple[int, int], str]], list[tuple[tuple[int, int], str]]]:
    """Rows (lo, hi) and s: raw values 0 to 5, cut into intervals in two ways."""
    people = draw(st.lists(st.tuples(st.integers(0, 5), st.sampled_from("ab")), min_size=2, max_size=6))
    old = draw(st.integers(1, min(len(people), 4)))
    answer = []
    for part in (people[:old], people):
        cuts = sorted({0, *draw(st.sets(st.integers(1, 5), max_size=3)), 6})
        answer.append(
            [(next((lo, hi - 1) for lo, hi in pairwise(cuts) if lo <= raw < hi), s) for raw, s in part]
        )
    return answer[0], answer[1]


@few
@given(releases())
def test_random_releases(con: duckdb.DuckDBPyConnection, case: tuple[list[Any], list[Any]]) -> None:
    """The formulas hold, and exclude nothing that some mapping allows; they exclude all if the earlier
    release has one class."""
    for name, rows in zip(("earlier", "later"), case, strict=True):
        table(con, name, ["age", "s"], [(f"[{lo}, {hi}]", s) for (lo, hi), s in rows])
    pairs = con.execute(
        """select class_id, later_class_id, f_anonymity, c_anonymity, b_anonymity, anonymity, size, later_size
        from sqlanon.correspondence(['earlier', 'later'], qi := 'age', sensitive := 's')"""
    ).fetchall()
    earlier: Released = [(bins(label), s) for label, s in case[0]]
    later: Released = [(bins(label), s) for label, s in case[1]]
    classes = [dict(enumerate(sorted({q for q, _ in release}, key=min), 1)) for release in (earlier, later)]
    expected = {(a, b) for a, one in classes[0].items() for b, other in classes[1].items() if one & other}
    assert {row[:2] for row in pairs if row[0] is not None} == expected
    assert {row[1] for row in pairs} == set(classes[1])
    for a, b, *counts, least, size, later_size in pairs:
        q1, q2 = classes[0].get(a, frozenset()), classes[1][b]
        assert (size or 0, later_size) == tuple(
            sum(label == q for label, _ in release) for release, q in ((earlier, q1), (later, q2))
        )
        result = tuple(count or 0 for count in counts)
        assert result == anonymity(earlier, later, q1, q2)
        assert least == min((count for count in counts if count), default=None)
        exact = left_over(earlier, later, q1, q2)
        assert all(each <= count for each, count in zip(exact, result, strict=True))
        if len(classes[0]) == 1:
            assert exact == result


# Labels of one column, by what two releases may have; and raw values wherever two of them meet.
NUMBERS = [
    "[0, 2]", "[3, 5]", "[2, 3]", "[0, 3[", "]2, 5]", "]3, 4[", "<2", ">=4", ">5", "<=0", "0-3", "{1, 5}",
    "3", "{0}", "*", "[-inf, 1]", "4.5",
]  # fmt: skip
TEXTS = [
    "130**", "1301*", "13*2*", "1*99*", "13012", "13992", "{13012, a}", "a", "b", "[a, b]", "]a, c]",
    "]b, c]", "*", None, "{NULL, b}", "[NULL, 13500]", "[13000, 13049]",
]  # fmt: skip


@pytest.mark.parametrize(
    ("labels", "raw"),
    [
        (NUMBERS, [i / 4 for i in range(-8, 41)]),
        (TEXTS, [None, "a", "aa", "b", "bb", "c", "10990", *map(str, range(13000, 14000)), "1a99a"]),
    ],
)
def test_labels_overlap(con: duckdb.DuckDBPyConnection, labels: list[str | None], raw: list[Any]) -> None:
    """Every label with every other: one raw value is under both."""
    table(con, "labels", ["x"], [[label] for label in labels])
    con.execute("create or replace table classes as from sqlanon._release_classes('labels', 'x')").fetchall()
    con.execute("create or replace table none as from sqlanon._hierarchies(null)").fetchall()
    found = con.execute(
        """with covered as materialized (from sqlanon._covered_by_both('classes', 'classes', 'none', 'x'))
        select one.q1, other.q1
        from sqlanon._overlaps_of_classes('classes', 'classes', 'covered', 'x') as pair
        join classes as one on one.class_id = pair.one join classes as other on other.class_id = pair.other"""
    ).fetchall()
    under = {label: {value for value in raw if covers(label, value)} for label in labels}
    assert sorted(found, key=str) == sorted(
        ((one, other) for one in labels for other in labels if under[one] & under[other]), key=str
    )


def test_two_columns_and_hostile_names(con: duckdb.DuckDBPyConnection) -> None:
    """Boxes are compatible where both columns are; NULL is a sensitive value, and 1.0 is 1."""
    names = ['a"b', "{i}", "class_id"]
    table(con, "it's", names, [("[0, 9]", "x", "1.0"), ("[0, 9]", "x", None), ("[10, 19]", "y", "2.0")])
    con.execute(
        """create or replace table grown as
        select * from (values ('[0, 4]', 'x', 1), ('[5, 12]', 'x', null), ('[5, 12]', 'y', 2),
            ('[5, 12]', '{x, y}', 2), ('[30, 39]', 'x', 3)) as row("A""b", "{I}", class_id)"""
    ).fetchall()
    named = f"qi := {literal(names[:2])}, sensitive := {literal(names[2])}"
    pairs = f"""sqlanon.correspondence(['it''s', 'grown'], {named})"""
    found = con.execute(f"select class_id, later_class_id, f_anonymity, b_anonymity from {pairs}").fetchall()
    # classes of grown: [0, 4] x, [30, 39] x, [5, 12] x, [5, 12] y, [5, 12] {x, y}
    assert sorted(found, key=str) == [
        (1, 1, 1, None), (1, 3, 1, None), (1, 5, None, 1), (2, 4, 1, 1), (2, 5, 1, 1), (None, 2, None, 1)
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"releases": ["r"]}, "releases must name two releases, the earlier one first, not 1"),
        ({"sensitive": ["s", "age"]}, "sensitive must name one column of both releases, not 2"),
        ({"qi": []}, "qi names no column"),
        ({"qi": ["age", "s"]}, 'column "s" is named twice'),
        ({"qi": "agee"}, "agee"),
        ({"releases": ["empty", "r"]}, "table empty is empty"),
        ({"releases": ["r", "less"]}, "class 1 of r has 2 rows with a, .* have 1"),
    ],
)
def test_wrong_input(con: duckdb.DuckDBPyConnection, changed: dict[str, Any], message: str) -> None:
    table(con, "r", ["age", "s"], [("[0, 9]", "a"), ("[0, 9]", "a")])
    table(con, "less", ["age", "s"], [("[0, 9]", "a"), ("[0, 9]", "b")])
    table(con, "empty", ["age", "s"], [])
    arguments = {"releases": ["r", "r"], "qi": "age", "sensitive": "s", **changed}
    given_ = ", ".join(f"{name} := {literal(value) or '[]'}" for name, value in arguments.items())
    with pytest.raises(duckdb.Error, match=message):
        con.execute(f"from sqlanon.correspondence({given_})").fetchall()


@pytest.mark.parametrize("macro", ["correspondence", "insert_only"])
def test_a_label_that_nobody_can_read_is_refused(con: duckdb.DuckDBPyConnection, macro: str) -> None:
    """Otherwise its rows would pass for those of new people."""
    table(con, "r1", ["age", "disease"], [("[20, 29]", "flu")])
    table(con, "r2", ["age", "disease"], [("[20, 29]", "flu"), ("[39, 30]", "flu")])
    with pytest.raises(
        duckdb.Error, match=r"column age of r2 has the value \[39, 30\], which covers nothing"
    ):
        con.execute(f"from sqlanon.{macro}(['r1', 'r2'], qi := 'age', sensitive := 'disease')").fetchall()
