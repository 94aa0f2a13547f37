"""Accuracy of a classifier trained on a release, against one that counts row by row, and scikit-learn's."""

# As texts: Hypothesis keeps evaluated annotations, and DuckDB 2.0 reports its types there as leaks.
from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib import import_module
from importlib.util import find_spec

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sqlanon
from sqlanon import InputError
from tests.budget import examples
from tests.oracles.classifier import Parts, Row, Value, accuracy, most_frequent

QI = ["age", "zip"]
NAMES = [*QI, "s"]
TYPES = ["INTEGER", "VARCHAR", "VARCHAR"]
AGES, PLACES, VALUES = [*range(12), None], ["a", "b", "c", None], ["x", "y", "z"]


@pytest.fixture(scope="module")
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        sqlanon.register(connection)
        yield connection


def rows(least: int, most: int) -> st.SearchStrategy[list[tuple[Value, ...]]]:
    row = st.tuples(st.sampled_from(AGES), st.sampled_from(PLACES), st.sampled_from(VALUES))
    return st.lists(row, min_size=least, max_size=most)


def load(
    con: duckdb.DuckDBPyConnection, name: str, table: Sequence[Sequence[Value]], types: Sequence[str]
) -> None:
    columns = ", ".join(f"{each} {type_}" for each, type_ in zip(NAMES, types, strict=True))
    con.execute(f"create or replace temp table {name} ({columns})").fetchall()
    con.executemany(f"insert into {name} values (?, ?, ?)", [list(row) for row in table])


def label(draw: st.DrawFn, value: Value, domain: Sequence[Value]) -> tuple[str | None, list[Value]]:
    """How a value is released, and what that covers."""
    form = draw(st.sampled_from(["value", "several", "any", "strange"]))
    if form == "any":
        return "*", list(domain)
    if isinstance(value, int):
        if form == "several":
            lo, hi = value - draw(st.integers(0, 3)), value + draw(st.integers(1, 3))
            return f"[{lo}, {hi}]", [each for each in domain if isinstance(each, int) and lo <= each <= hi]
        if form == "strange":
            return f"{value}.5", [value + 0.5]
    if form == "several" and isinstance(value, str):
        other = draw(st.sampled_from([each for each in domain if each is not None]))
        covered = sorted({value, str(other)})
        return ("{" + ", ".join(covered) + "}" if len(covered) > 1 else value), [*covered]
    return (None if value is None else str(value)), [value]


@st.composite
def releases(draw: st.DrawFn) -> tuple[list[tuple[Value, ...]], list[list[str | None]], list[Row]]:
    """An original, and a release of some of its rows as texts, and as what these cover."""
    original = draw(rows(2, 20))
    domains = [Parts(column).domain for column in zip(*original, strict=True)]
    kept = draw(st.integers(1, len(original)))
    labels = [
        [label(draw, value, domain) for value, domain in zip(row, domains, strict=True)]
        for row in original[:kept]
    ]
    return (
        original,
        [[text for text, _ in row] for row in labels],
        [[covered for _, covered in row] for row in labels],
    )


def plain(table: Sequence[Sequence[Value]]) -> list[Row]:
    return [[[value] for value in row] for row in table]


def measured(con: duckdb.DuckDBPyConnection, release: str = "release") -> dict[str, float]:
    answer = sqlanon.utility(con, "original", release, QI, "s", held_out="held_out")
    return {id: value / 100 for _, _, value, _, id in answer.fetchall() if id.startswith("accuracy")}


class TestAgainstTheOracle:
    @examples(60, quick=4)
    @given(made=releases(), held_out=rows(1, 10))
    def test_random_releases(
        self,
        con: duckdb.DuckDBPyConnection,
        made: tuple[list[tuple[Value, ...]], list[list[str | None]], list[Row]],
        held_out: list[tuple[Value, ...]],
    ) -> None:
        original, texts, covered = made
        load(con, "original", original, TYPES)
        load(con, "release", texts, ["VARCHAR"] * 3)
        load(con, "held_out", held_out, TYPES)
        assert measured(con) == pytest.approx(
            {
                "accuracy": float(accuracy(plain(original), covered, plain(held_out))),
                "accuracy_of_original": float(accuracy(plain(original), plain(original), plain(held_out))),
                "accuracy_of_most_frequent": float(most_frequent(plain(original), plain(held_out))),
            }
        )


@pytest.mark.slow("8.5 s, of which most is importing scikit-learn")
@pytest.mark.skipif(find_spec("sklearn") is None, reason="scikit-learn is not installed")
def test_against_scikit_learn(con: duckdb.DuckDBPyConnection) -> None:
    """CategoricalNB on the same groups, with the smoothing of one row."""
    con.execute(
        """create or replace temp table everybody as
        select age, if(hash(i, 2) % 5 < 2, 'n', 'z' || age // 7) as zip,
               if(hash(i, 3) % 40 < age + 10, 'x', 'y') as s, i
        from (select i, (hash(i, 1) % 40)::integer as age from range(900) as r(i))"""
    ).fetchall()
    for name, where in (("original", "i < 600"), ("held_out", "i >= 600")):
        con.execute(f"create or replace temp table {name} as select age, zip, s from everybody where {where}")
    tables = [con.execute(f"from {name}").fetchall() for name in ("original", "held_out")]
    parts = [Parts(column) for column in zip(*tables[0], strict=True)]
    (x, y), (x_held, y_held) = (
        (
            [[part.of(value) for part, value in zip(parts[:2], row, strict=False)] for row in table],
            [row[2] for row in table],
        )
        for table in tables
    )
    model = import_module("sklearn.naive_bayes").CategoricalNB(
        alpha=1, min_categories=[max(part.parts.values()) + 1 for part in parts[:2]]
    )
    model.fit(x, y)
    assert measured(con, "original")["accuracy"] == pytest.approx(model.score(x_held, y_held))


def test_a_hierarchy_says_what_labels_cover(con: duckdb.DuckDBPyConnection) -> None:
    """Half of p is a, half of it b; c, which nobody of the original has, counts, too."""
    load(con, "original", [(1, "a", "x"), (1, "b", "y"), (1, "b", "y")], TYPES)
    load(con, "release", [("1", "p", "x"), ("1", "b", "y"), ("1", "b", "y")], ["VARCHAR"] * 3)
    load(con, "held_out", [(1, "a", "x"), (1, "b", "y"), (1, "b", "x"), (1, "d", "y")], TYPES)
    con.execute(
        """create or replace temp table levels(attribute, value, level, label) as
        select 'zip', v, level, [v, if(v = 'c', 'q', 'p'), '*'][level + 1]
        from unnest(['a', 'b', 'c']) as r(v), range(3) as levels(level)"""
    ).fetchall()
    answer = sqlanon.utility(con, "original", "release", QI, "s", "levels", held_out="held_out")
    # for a, x: 1 * (0.5 + 1) / (1 + 3) = 0.375, y: 2 * (0 + 1) / (2 + 3) = 0.4
    assert [value for _, _, value, _, id in answer.fetchall() if id == "accuracy"] == [50]


class TestBadInput:
    @pytest.fixture(autouse=True)
    def tables(self, con: duckdb.DuckDBPyConnection) -> None:
        for name in ("original", "held_out"):
            load(con, name, [(1, "a", "x"), (2, "b", "y")], TYPES)

    def test_nobody_was_held_out(self, con: duckdb.DuckDBPyConnection) -> None:
        con.execute("delete from held_out").fetchall()
        with pytest.raises(InputError, match="table held_out is empty"):
            measured(con, "original")

    def test_a_column_is_lacking(self, con: duckdb.DuckDBPyConnection) -> None:
        con.execute("alter table held_out drop zip").fetchall()
        with pytest.raises(InputError, match="zip"):
            measured(con, "original")

    def test_nothing_is_predicted(self, con: duckdb.DuckDBPyConnection) -> None:
        with pytest.raises(InputError, match="held_out needs sensitive"):
            sqlanon.utility(con, "original", "original", QI, held_out="held_out").fetchall()
