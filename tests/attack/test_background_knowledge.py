"""What the classes of one release give away: worked examples, and all worlds of small tables."""

# As texts: Hypothesis keeps evaluated annotations, and DuckDB 2.0 reports its types there as leaks.
from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import duckdb
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import sqlanon
from tests.budget import examples
from tests.oracles import background_knowledge as oracle
from tests.tables import call, identifier

few = settings(examples(30), suppress_health_check=[HealthCheck.function_scoped_fixture])

BUCKETS = [["flu", "flu", "lung", "lung", "mumps"], ["flu", "flu", "b", "o", "h"]]


def load(con: duckdb.DuckDBPyConnection, classes: Sequence[Sequence[str | None]]) -> None:
    """The release r: q, the number of the class, and s."""
    rows = [(i, value) for i, values in enumerate(classes) for value in values]
    con.execute(
        "create or replace table r as select unnest(?::bigint[]) as q, unnest(?::varchar[]) as s",
        [[q for q, _ in rows], [s for _, s in rows]],
    ).fetchall()


def of_counts(*counts: int) -> list[str]:
    return [chr(ord("a") + i) for i, n in enumerate(counts) for _ in range(n)]


def confidences(
    con: duckdb.DuckDBPyConnection, macro: str, column: str = "confidence", **arguments: Any
) -> list[float]:
    attack = call(macro, "r", qi="q", sensitive="s", **arguments)
    return [value for (value,) in con.execute(f"select {column} from {attack} order by q").fetchall()]


def approximately(numbers: Sequence[Fraction]) -> Any:
    return pytest.approx([float(number) for number in numbers], rel=1e-12)


def worst(
    con: duckdb.DuckDBPyConnection, classes: Sequence[Sequence[str]], knowledge: str, k: int
) -> list[float]:
    load(con, classes)
    curve = call("maximum_disclosure", "r", qi="q", sensitive="s", k=k)
    rows = con.execute(f"select disclosure from {curve} where knowledge = '{knowledge}' order by k")
    return [disclosure for (disclosure,) in rows.fetchall()]


@pytest.mark.parametrize(
    ("classes", "knowledge", "disclosures"),
    [
        (BUCKETS, "implications", [2 / 5, 2 / 3, 1]),
        (BUCKETS, "negations", [2 / 5, 2 / 3, 1]),
        (["aabcd"], "implications", [2 / 5, 4 / 7, 4 / 5]),
        (["aabcd"], "negations", [2 / 5, 1 / 2, 2 / 3]),
    ],
)
def test_worked_examples(
    con: duckdb.DuckDBPyConnection, classes: list[Any], knowledge: str, disclosures: list[float]
) -> None:
    assert worst(con, classes, knowledge, k=2) == pytest.approx(disclosures, rel=1e-12)


def test_classes_are_worse_together_than_each_alone(con: duckdb.DuckDBPyConnection) -> None:
    load(con, [of_counts(4, 4, 3, 1, 1, 1), of_counts(4, 3, 2, 2, 1, 1)])
    answer = sqlanon.background_knowledge(con, "r", qi="q", sensitive="s", k=3)
    together = max(answer.project("confidence").fetchall())
    assert together == pytest.approx((0.674698795,), rel=1e-8)
    assert max(answer.project("alone").fetchall()) == pytest.approx((2 / 3,), rel=1e-12)


def test_an_answer(con: duckdb.DuckDBPyConnection) -> None:
    """Two classes, one of which has one value only: NULL."""
    load(con, [["flu", "flu", "lung", "cold"], [None, None]])
    answer = sqlanon.homogeneity(con, "r", qi="q", sensitive="s").order("q")
    assert answer.columns == [
        "q", "size", "sensitive", "learned", "confidence", "baseline", "is_right", "is_control",
        "distinct_values",
    ]  # fmt: skip
    assert answer.fetchall() == [
        (0, 4, "s", "flu", 1 / 2, pytest.approx(1 / 3), None, None, 3),
        (1, 2, "s", "NULL", 1, pytest.approx(1 / 3), None, None, 1),
    ]
    measures = sqlanon.attack_summary(con, answer, weight="size").project("id, value").fetchall()
    assert dict(measures)["certain"] == pytest.approx(100 / 3)
    # Who is certain to have NULL tells of everybody else: if he has it, ann has the flu.
    assert confidences(con, "background_knowledge") == [1, 1]
    assert confidences(con, "background_knowledge", "alone") == [pytest.approx(3 / 4), 1]
    assert confidences(con, "background_knowledge", knowledge="negations") == [pytest.approx(2 / 3), 1]


def test_the_curve_names_the_worst_class(con: duckdb.DuckDBPyConnection) -> None:
    load(con, [of_counts(2, 2, 1), of_counts(2, 1, 1, 1), of_counts(1, 1, 1)])
    curve = sqlanon.maximum_disclosure(con, "r", qi="q", sensitive="s", k=2).fetchall()
    assert curve[:3] == [
        ("s", "negations", 0, pytest.approx(2 / 5), 0, 5, {"q": 1}),
        ("s", "negations", 1, pytest.approx(2 / 3), 0, 5, {"q": 0}),
        ("s", "negations", 2, 1, 8 / 13, 3, {"q": 2}),
    ]
    assert [row[:3] for row in curve[3:]] == [("s", "implications", k) for k in range(3)]


CLASSES = st.lists(st.text("abc", min_size=1, max_size=4), min_size=1, max_size=3)


def test_negations_are_recursive_diversity(con: duckdb.DuckDBPyConnection) -> None:
    """With k of them disclosure is below c in the classes that are recursive (c / (1 - c), k + 2)-diverse."""
    classes = [of_counts(*counts) for counts in ((4, 4, 3, 1, 1, 1), (3, 2, 2), (3, 1, 1, 1), (5, 1), (6,))]
    load(con, classes)
    for c, k in ((0.55, 1), (0.7, 2)):
        attack = call("background_knowledge", "r", qi="q", sensitive="s", k=k, knowledge="negations")
        disclosed = con.execute(f"select q from {attack} where confidence >= {c} order by q").fetchall()
        check = call("violations", "r", qi="q", sensitive="s", recursive_c=c / (1 - c), l=k + 2)
        violating = con.execute(f"select class.q from {check} where id = 'recursive_c' order by 1").fetchall()
        assert disclosed == violating
        assert 0 < len(disclosed) < len(classes)


class TestAllWorlds:
    @few
    @given(CLASSES, st.integers(0, 2))
    def test_negations(self, con: duckdb.DuckDBPyConnection, classes: list[str], k: int) -> None:
        load(con, classes)
        found = confidences(con, "background_knowledge", k=k, knowledge="negations")
        assert found == approximately(oracle.negations(classes, k))
        if k == 0:
            assert confidences(con, "homogeneity") == approximately(oracle.negations(classes, 0))

    @few
    @given(st.lists(st.text("abc", min_size=1, max_size=3), min_size=1, max_size=2), st.integers(0, 2))
    def test_implications(self, con: duckdb.DuckDBPyConnection, classes: list[str], k: int) -> None:
        load(con, classes)
        found = confidences(con, "background_knowledge", k=k)
        assert found == approximately(oracle.implications(classes, k))
        alone = confidences(con, "background_knowledge", "alone", k=k)
        assert alone == approximately([oracle.implications([values], k)[0] for values in classes])

    @few
    @given(CLASSES, st.integers(1, 3))
    def test_implications_of_one_atom(
        self, con: duckdb.DuckDBPyConnection, classes: list[str], k: int
    ) -> None:
        """More classes, some of the same shape, and more knowledge."""
        load(con, classes)
        assert confidences(con, "background_knowledge", k=k) == approximately(
            oracle.implications_of_one(classes, k)
        )

    @few
    @given(
        st.lists(st.lists(st.integers(1, 6), min_size=2, max_size=5), min_size=4, max_size=12),
        st.integers(1, 3),
        st.integers(1, 4),
    )
    def test_many_classes(
        self, con: duckdb.DuckDBPyConnection, classes: list[list[int]], copies: int, k: int
    ) -> None:
        """More than can get atoms, of few shapes or many."""
        classes = classes[: len(classes) // copies] * copies
        load(con, [of_counts(*counts) for counts in classes])
        found = confidences(con, "background_knowledge", k=k)
        assert found == approximately(oracle.implications_by_counts(classes, k))

    @few
    @given(st.text("abcd", min_size=1, max_size=6), *[st.integers(0, 2)] * 3)
    def test_skyline(self, con: duckdb.DuckDBPyConnection, values: str, l: int, k: int, m: int) -> None:
        """Of one value, and of the worst: the most frequent one."""
        assume(l < len(set(values)) and k + m < len(values))
        load(con, [values])
        knows: dict[str, Any] = {"l": l, "k": k, "m": m}
        worst = {value: oracle.skyline(values, value, **knows) for value in set(values)}
        last = values[-1]
        assert confidences(con, "skyline", value=last, **knows) == approximately([worst[last]])
        assert confidences(con, "skyline", **knows) == approximately([max(worst.values())])


@pytest.mark.slow("Adult")
@given(st.lists(st.lists(st.integers(1, 9), min_size=1, max_size=5), min_size=2, max_size=9))
@settings(examples(40), suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_together_is_worse_than_alone_and_more_than_less(
    con: duckdb.DuckDBPyConnection, classes: list[list[int]]
) -> None:
    load(con, [of_counts(*counts) for counts in classes])
    before = [0.0] * len(classes)
    for k in range(5):
        together = confidences(con, "background_knowledge", k=k)
        alone = confidences(con, "background_knowledge", "alone", k=k)
        lacked = confidences(con, "background_knowledge", k=k, knowledge="negations")
        for chain in zip(before, lacked, alone, together, strict=True):
            assert chain[0] <= chain[3] + 1e-12
            assert chain[1] <= chain[2] + 1e-12
            assert chain[2] <= chain[3] + 1e-12
        before = together


class TestSkyline:
    @pytest.mark.parametrize(
        ("values", "lkm", "confidence"),
        [
            ("aabbcd", (1, 1, 1), 4 / 5),
            ("ahvv", (1, 0, 0), 2 / 3),
            ("ahvv", (0, 1, 0), 2 / 3),
            ("ahvv", (0, 0, 1), 3 / 4),
            ("ahvv", (1, 1, 0), 1),
            ("ahvv", (9, 9, 9), 1),
        ],
    )
    def test_worked_examples(
        self, con: duckdb.DuckDBPyConnection, values: str, lkm: tuple[int, int, int], confidence: float
    ) -> None:
        load(con, [values])
        answer = sqlanon.skyline(con, "r", "q", "s", *lkm)
        assert answer.project("confidence").fetchall() == [(pytest.approx(confidence, rel=1e-12),)]

    def test_a_value_in_question(self, con: duckdb.DuckDBPyConnection) -> None:
        load(con, ["aab", "bbc"])
        answer = sqlanon.skyline(con, "r", "q", "s", 0, 0, 0, value="a").order("q").fetchall()
        assert answer == [
            (0, 3, "s", "a", pytest.approx(2 / 3), pytest.approx(1 / 3), None, None, 2),
            (1, 3, "s", None, None, None, None, None, None),
        ]
        with pytest.raises(sqlanon.InputError, match="no row of the release has the value x"):
            sqlanon.skyline(con, "r", "q", "s", value="x")


def test_several_columns_of_any_name(con: duckdb.DuckDBPyConnection) -> None:
    """The names are those of the steps, quotes, and what templates have."""
    rows = [("x", 1, "a", 10, 1), ("x", 1, "a", 20, 2), ("x", 1, "b", 30, 3), ("y", 2, "b", 30, 4)]
    q1, q2, s1, s2 = names = ["{c}", 'the "size"', "learned", "attribute"]
    con.execute(
        f"create table r as select * exclude (n) from (values {', '.join(map(str, rows))}) "
        f"as row({', '.join(map(identifier, names))}, n)"
    )
    answer = sqlanon.background_knowledge(con, "r", [q1, q2], [s1, s2], k=1, knowledge="negations")
    found = Counter(row[:6] for row in answer.fetchall())
    assert found == Counter(
        [
            ("x", 1, 3, "learned", "a", 1.0), ("x", 1, 3, "attribute", "10", 0.5),
            ("y", 2, 1, "learned", "b", 1.0), ("y", 2, 1, "attribute", "30", 1.0),
        ]
    )  # fmt: skip
    curve = sqlanon.maximum_disclosure(con, "r", [q1, q2], [s1, s2], k=0).fetchall()
    assert [row[0] for row in curve] == [s1, s1, s2, s2]
    assert curve[0][-1] == {q1: "y", q2: 2}


@pytest.mark.parametrize(
    ("attack", "refusal"),
    [
        ("homogeneity('none', 'q', 's')", "table none is empty: it has 0 rows"),
        ("maximum_disclosure('none', 'q', 's')", "table none is empty: it has 0 rows"),
        ("homogeneity('r', [], 's')", "qi names no column"),
        ("background_knowledge('r', 'q', [])", "sensitive names no column"),
        ("skyline('r', 'q', 'q')", 'column "q" is named twice'),
        ("homogeneity('named', 'Learned', 's')", "a column in qi is named Learned, as one of the answer"),
        ("background_knowledge('r', 'q', 'disease')", '"disease" not found'),
        ("background_knowledge('r', 'q', 's', k := 11)", "k must be a whole number from 0 to 10, not 11"),
        ("background_knowledge('r', 'q', 's', k := null)", "k must be .*, not NULL"),
        ("background_knowledge('r', 'q', 's', knowledge := 'all')", "knowledge must be negations or impl"),
        ("skyline('r', 'q', 's', m := 0.5)", "m must be a whole number from 0 to 1000000, not 0.5"),
    ],
)
def test_what_makes_no_sense_is_told(con: duckdb.DuckDBPyConnection, attack: str, refusal: str) -> None:
    load(con, ["ab"])
    con.execute("create table none as from r limit 0")
    con.execute("create table named as select q as learned, s from r")
    with pytest.raises(duckdb.Error, match=refusal):
        con.execute(f"from sqlanon.{attack}").fetchall()
