"""Two releases of the same rows, joined or matched by position: Sweeney's examples, and the slow version."""

# As texts: Hypothesis keeps evaluated annotations, and DuckDB 2.0 reports its types there as leaks.
from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

import duckdb
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import sqlanon
from tests.budget import examples
from tests.oracles import sweeney
from tests.tables import literal

# Sweeney 2002, Figures 4 and 5: Race, BirthDate, Gender and ZIP in GT1 and GT3, and Problem.
GT1 = ["black 1965 male 02141"] * 2 + ["person 1965 female 0213*"] * 2 + ["black 1964 female 02138"] * 2 + [
    "white 1964 male 0213*", "person 1965 female 0213*", *["white 1964 male 0213*"] * 2,
    *["white 1967 male 02138"] * 2,
]  # fmt: skip
GT3 = ["black 1965 male 02141"] * 2 + ["black 1965 female 02138"] * 2 + ["black 1964 female 02138"] * 2 + [
    "white 1960-69 male 02138", *["white 1960-69 human 02139"] * 3, *["white 1960-69 male 02138"] * 2
]  # fmt: skip
PROBLEM = [
    "short of breath", "chest pain", "painful eye", "wheezing", "obesity", "chest pain", "short of breath",
    "hypertension", "obesity", "fever", "vomiting", "back pain",
]  # fmt: skip
QI = ["race", "birth", "sex", "zip"]
TREE = {
    "race": {"asian": "person", "black": "person", "white": "person"},
    "birth": dict.fromkeys(["1964", "1965", "1967"], "1960-69"),
    "sex": {"male": "human", "female": "human"},
}


def load(con: duckdb.DuckDBPyConnection, name: str, columns: Mapping[str, Sequence[Any]]) -> None:
    """A table of texts in this order, and record, the number of the row."""
    chosen = ", ".join(f'unnest(?::varchar[]) as "{column}"' for column in columns)
    con.execute(
        f"""create or replace table "{name}" as select {chosen}, unnest(range(?)) as record""",
        [*map(list, columns.values()), len(next(iter(columns.values())))],
    ).fetchall()


@pytest.fixture
def figures(con: duckdb.DuckDBPyConnection) -> duckdb.DuckDBPyConnection:
    for name, rows in (("gt1", GT1), ("gt3", GT3)):
        values = zip(*(row.split() for row in rows), strict=True)
        load(con, name, {**dict(zip(QI, values, strict=True)), "problem": PROBLEM})
    entries = [
        (attribute, value, level, text)
        for attribute, tree in TREE.items()
        for value, label in tree.items()
        for level, text in enumerate((value, label))
    ]
    con.execute("create table tree (attribute text, value text, level integer, label text)")
    con.executemany("insert into tree values (?, ?, ?, ?)", entries)
    races, zips = zip(
        *product(("asian", "black", "white"), ("02138", "02139", "02141", "02142")), strict=True
    )
    load(con, "zips", {"race": ["person"] * 12, "zip": zips})
    load(con, "races", {"race": races, "zip": [zip_[:4] + "*" for zip_ in zips]})
    return con


class TestFigures:
    @pytest.mark.parametrize("later", ["gt3", "grown"])
    def test_the_linked_table(self, figures: duckdb.DuckDBPyConnection, later: str) -> None:
        """18 pairs, 12 of them compatible, all right; and the same after two rows were added."""
        figures.execute(
            """create table grown as from gt3 union all
            select 'black', '1965', 'male', '02139', unnest(['headache', 'rash']), unnest([12, 13])"""
        ).fetchall()
        rows = (
            sqlanon.complementary_release(figures, ["gt1", later], QI, "problem", "tree", truth="record")
            .select("finer, rows, pairs, compatible, is_right, linked_size, confidence, learned")
            .fetchall()
        )
        assert len(rows) == 12
        assert [sum(row[i] for row in rows) for i in (1, 2, 3, 4)] == [12, 18, 12, 12]
        linked = Counter(" ".join(row[0]) for row in rows)
        assert sorted(linked.values(), reverse=True) == [2, 2, 2, 2, 2, 1, 1]
        singletons = {"white 1964 male 02138", "white 1965 female 02139"}
        assert {text for text, n in linked.items() if n == 1} == singletons
        assert all(linked[" ".join(row[0])] == row[5] and row[6] == 1 for row in rows)
        # What the first release has as well is nothing new.
        assert sum(row[7] is not None for row in rows) == 6
        assert "[white, 1964, male, 02138]" in {row[7] for row in rows}

    @pytest.mark.slow("0.4 s")
    def test_a_release_that_is_based_on_the_first_is_safe(self, figures: duckdb.DuckDBPyConnection) -> None:
        figures.execute(
            """create table based as from gt1 union all
            select 'black', '1965', 'male', '02139', unnest(['headache', 'rash']), unnest([12, 13])"""
        ).fetchall()
        answer = sqlanon.complementary_release(figures, ["gt1", "based"], QI, "problem", "tree")
        assert answer.aggregate("count(learned), min(linked_size)").fetchall() == [(0, 2)]

    @pytest.mark.slow("0.6 s")
    def test_positions(self, figures: duckdb.DuckDBPyConnection) -> None:
        """All 12 rows return exactly; half of the pairs are compatible in random order."""
        answer = sqlanon.unsorted_matching(figures, ["zips", "races"], ["race", "zip"], "tree", "record")
        raw = [f"[{r}, {z}]" for r, z in product(("asian", "black", "white"), (2138, 2139, 2141, 2142))]
        assert answer.select(
            "position, learned, confidence, baseline, is_right, score, expected_score"
        ).fetchall() == [
            (i, text.replace(" 2", " 02"), 1, pytest.approx(1 / 3), True, 1, 0.5)
            for i, text in enumerate(raw, 1)
        ]
        figures.execute("create table shuffled as from races order by record % 5, record")
        mixed = sqlanon.unsorted_matching(figures, ["zips", "shuffled"], ["race", "zip"], "tree", "record")
        shares = mixed.aggregate("min(score), max(confidence), count(*), avg(is_right::integer)").fetchall()
        assert shares[0][:3] == (0.5, pytest.approx(1 / 3), 12)
        assert shares[0][3] < 1


NUMBERS = [
    "1",
    "3",
    "[1, 2]",
    "[2, 4]",
    "]1, 3[",
    "<3",
    ">3",
    ">=4",
    "{1, 3}",
    "{1, 3, 4}",
    "*",
    "{2, NULL}",
    None,
]
TEXTS = ["ab", "a*", "*b", "**", "{ab, ba}", "{ba, bb}", "*", "ba"]
LANDS = ["de", "fr", "us", "eu", "*"]
UNIVERSE: sweeney.Universe = [
    {None: (), **{f"{half / 2:g}": () for half in range(-2, 14)}},
    {None: (), **{one + other: () for one, other in product("abz", repeat=2)}},
    {None: ("*",), "de": ("de", "eu", "*"), "fr": ("fr", "eu", "*"), "us": ("us", "am", "*")},
]
COLUMNS = ["a", "b", "c"]


def rows(most: int) -> st.SearchStrategy[list[tuple[tuple[str | None, ...], str | None]]]:
    labels = st.tuples(st.sampled_from(NUMBERS), st.sampled_from(TEXTS), st.sampled_from(LANDS))
    return st.lists(st.tuples(labels, st.sampled_from(["x", "y", None])), min_size=1, max_size=most)


def load_case(
    con: duckdb.DuckDBPyConnection, name: str, release: Sequence[tuple[sweeney.Labels, str | None]]
) -> None:
    columns = zip(*(labels for labels, _ in release), strict=True)
    load(con, name, {**dict(zip(COLUMNS, columns, strict=True)), "j": [value for _, value in release]})


def load_tree(con: duckdb.DuckDBPyConnection) -> None:
    con.execute(
        """create or replace table h as select 'c' as attribute, unnest(['de', 'fr', 'us']) as value,
        unnest([0, 0, 0]) as level, value as label
        union all select 'c', unnest(['de', 'fr', 'us']), 1, unnest(['eu', 'eu', 'am'])
        union all select 'c', unnest(['de', 'fr', 'us']), 2, '*'"""
    ).fetchall()


def is_finer(finer: sweeney.Labels, one: sweeney.Labels, other: sweeney.Labels, both: sweeney.Common) -> bool:
    """Nothing that both can be is lost, and nothing is told that neither says."""
    for shown, mine, yours, values, column in zip(finer, one, other, both, UNIVERSE, strict=True):
        known = sweeney.covered(shown, column)
        if not values <= known or not (
            known <= sweeney.covered(mine, column) or known <= sweeney.covered(yours, column)
        ):
            return False
    return True


class TestAgainstTheSlowVersion:
    @settings(examples(25), suppress_health_check=[HealthCheck.function_scoped_fixture])
    @given(rows(7), rows(7))
    def test_complementary_release(
        self,
        con: duckdb.DuckDBPyConnection,
        first: list[tuple[tuple[str | None, ...], str | None]],
        second: list[tuple[tuple[str | None, ...], str | None]],
    ) -> None:
        load_case(con, "one", first)
        load_case(con, "two", second)
        load_tree(con)
        found = con.execute(
            """select confidence, baseline, pairs, compatible, linked_size, is_right, finer
            from sqlanon.complementary_release(['one', 'two'], ['a', 'b', 'c'], 'j', 'h', truth := 'record')
            order by record"""
        ).fetchall()
        links = sweeney.complementary_release(first, second, UNIVERSE)
        linked = sum((link.said for link in links), Counter())
        for i, (row, link, (labels, joined)) in enumerate(zip(found, links, first, strict=True)):
            assert row[2:4] == (link.pairs, link.compatible)
            assert row[:2] == (pytest.approx(link.confidence), pytest.approx(link.baseline))
            partner = second[i] if i < len(second) else None
            true = sweeney.common(labels, partner[0], UNIVERSE) if partner and partner[1] == joined else None
            outcomes = [
                (linked[said], said == true, said)
                for said, n in link.said.items()
                if n == max(link.said.values())
            ]
            if not link.said:
                assert row[4:] == (None, None, None)
                continue
            assert any(
                row[4:6] == (size, right)
                and any(
                    sweeney.common(labels, others, UNIVERSE) == said
                    and is_finer(row[6], labels, others, said)
                    for others, _ in second
                )
                for size, right, said in outcomes
            )

    @pytest.mark.slow("1.2 s")
    @settings(examples(15), suppress_health_check=[HealthCheck.function_scoped_fixture])
    @given(rows(7), st.data())
    def test_unsorted_matching(
        self,
        con: duckdb.DuckDBPyConnection,
        first: list[tuple[tuple[str | None, ...], str | None]],
        data: st.DataObject,
    ) -> None:
        second = (data.draw(rows(7)) * len(first))[: len(first)]
        load_case(con, "one", first)
        load_case(con, "two", second)
        load_tree(con)
        found = con.execute(
            """select score, expected_score, confidence
            from sqlanon.unsorted_matching(['one', 'two'], ['a', 'b', 'c'], 'h') order by position"""
        ).fetchall()
        score, expected, confidence = sweeney.unsorted_matching(
            [labels for labels, _ in first], [labels for labels, _ in second], UNIVERSE
        )
        assert found == [pytest.approx((float(score), float(expected), one)) for one in confidence]


PAIRS = [
    ("[20, 29]", "[25, 40]", "[25, 29]"),
    ("<30", "[25, 40]", "[25, 30["),
    (">=28", "]10, 35]", "[28, 35]"),
    ("{a, b, c}", "{c, b, d}", "{b, c}"),
    ("130**", "13012", "13012"),
    ("130**", "[12950, 13150]", "130**"),
    ("1**", "*2*", "1**"),
    ("<30", ">30", None),
    ("[20, 30[", "[30, 40[", None),
    ("<30", ">29", "]29, 30["),
    ("[2020-01-01, 2020-02-01[", ">2020-01-31", "]2020-01-31, 2020-02-01["),
    ("a", "b", None),
]  # one, other, finer


@pytest.mark.slow("0.4 s")
def test_pairs_of_labels(con: duckdb.DuckDBPyConnection) -> None:
    one, other, finer = zip(*PAIRS, strict=True)
    load(con, "one", {"a": one})
    load(con, "two", {"a": other})
    found = con.execute(
        "select finer from sqlanon.complementary_release(['one', 'two'], 'a', 'record') order by record"
    ).fetchall()
    assert found == [(None if text is None else [text],) for text in finer]


def test_types_compare_by_what_they_are(con: duckdb.DuckDBPyConnection) -> None:
    """Numbers that were not generalized, and join columns of another type; NULL joins NULL."""
    con.execute("create table one as from (values (28, 250, 'x'), (31, null, 'y')) as t(age, bill, other)")
    con.execute(
        """create table two as
        from (values ('[20, 29]', 250.0, 'x'), ('[30, 39]', null, 'y')) as t(age, bill, other)"""
    )
    assert con.execute(
        """select bill, finer, compatible
        from sqlanon.complementary_release(['two', 'one'], 'age', 'bill') order by 1"""
    ).fetchall() == [(250, ["28"], 1), (None, ["31"], 1)]


@pytest.mark.slow("0.5 s")
def test_hostile_names(con: duckdb.DuckDBPyConnection) -> None:
    con.execute("""create table "it's" as select 1 as "a ""b", 'x' as "select", 7 as "{id}" """)
    both = "['it''s', 'it''s'], '{id}'"
    assert con.execute(
        f"from sqlanon.complementary_release({both}, 'select', truth := 'a \"b')"
    ).fetchall() == [(7, "x", 1, 1, None, 1.0, 1.0, True, None, ["7"], 1, 1, 1)]
    assert con.execute(f"from sqlanon.unsorted_matching({both}, truth := 'select')").fetchall() == [
        (1, "x", None, 1.0, 1.0, True, None, ["7"], 1.0, 1.0)
    ]


@pytest.mark.slow("0.3 s")
@pytest.mark.parametrize(
    ("before", "arguments", "message"),
    [
        ("", {"releases": ["gt1"]}, "releases must name two releases, not 1"),
        ("", {"releases": ["gt1", "gt3", "gt3"]}, "releases must name two releases, not 3"),
        ("", {"qi": ["race", "town"]}, '"town" not found'),
        ("delete from gt3", {}, "table gt3 is empty"),
        ("", {"hierarchies": None}, "column birth of gt3 has the value 1960-69, which covers nothing"),
        ("", {"join_columns": "illness"}, '"illness" not found'),
        ("", {"join_columns": []}, "join_columns names no column"),
        ("", {"join_columns": "race"}, '"race" is named twice'),
        (
            "delete from gt3 where record = 1",
            {"macro": "unsorted_matching"},
            "gt1 has 12 rows and gt3 has 11",
        ),
        ("set preserve_insertion_order = false", {"macro": "unsorted_matching"}, "rows have no order"),
    ],
)
def test_errors(
    figures: duckdb.DuckDBPyConnection, before: str, arguments: dict[str, Any], message: str
) -> None:
    given = {"releases": ["gt1", "gt3"], "qi": QI, "hierarchies": "tree", **arguments}
    macro = given.pop("macro", "complementary_release")
    if macro == "complementary_release":
        given.setdefault("join_columns", "problem")
    shown = ", ".join(f"{name} := {literal(value)}" for name, value in given.items())
    if before:
        figures.execute(before).fetchall()
    with pytest.raises(duckdb.Error, match=message):
        figures.execute(f"from sqlanon.{macro}({shown})").fetchall()
    figures.execute("reset preserve_insertion_order").fetchall()
