"""k^m-anonymity of sets of items, against every set of items and every cut."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any

import duckdb
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sqlanon
from tests.budget import examples

# Labels by level: a1 and a2 are A, b1 and b2 are B, and all four are *.
PATHS = {"a1": ["A", "*"], "a2": ["A", "*"], "b1": ["B", "*"], "b2": ["B", "*"]}
TERROVITIS_1 = ["a1 b1 b2", "a2 b1", "a2 b1 b2", "a1 a2 b2"]
TERROVITIS_2 = ["a1", "a1 a2", "b1 b2", "b1 b2", "a1 a2 b2", "a1 a2 b2", "a1 a2 b1 b2"]


@pytest.fixture(scope="module")
def db() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as con:
        sqlanon.register(con)
        yield con


def hierarchy(paths: dict[str, list[str]]) -> pd.DataFrame:
    rows = [(value, i, label) for value, path in paths.items() for i, label in enumerate([value, *path])]
    return pd.DataFrame(rows, columns=["value", "level", "label"])


def items(sets: Sequence[str]) -> pd.DataFrame:
    rows = [(f"p{i}", item) for i, each in enumerate(sets) for item in each.split()]
    return pd.DataFrame(rows, columns=["person", "item"])


def cut_of(con: duckdb.DuckDBPyConnection, sets: Sequence[str], paths: Any, k: int, m: int) -> dict[str, str]:
    made = sqlanon.k_m(con, items(sets), unit="person", item="item", hierarchy=hierarchy(paths), k=k, m=m)
    return {value: label for value, _, label in made.relation().fetchall()}


def is_anonymous(sets: Sequence[str], cut: dict[str, str], k: int, m: int) -> bool:
    """By every set of up to m labels that somebody has."""
    people = [frozenset(cut[item] for item in each.split()) for each in sets]
    known = {sub for each in people for size in range(1, m + 1) for sub in combinations(sorted(each), size)}
    return all(sum(set(sub) <= each for each in people) >= k for sub in known)


@pytest.mark.both_lines
@pytest.mark.parametrize(
    ("sets", "m", "raised"),
    [(TERROVITIS_1, 2, "a"), (TERROVITIS_2, 2, "b"), (TERROVITIS_2, 4, "b")],
)
def test_the_examples_of_terrovitis(
    db: duckdb.DuckDBPyConnection, sets: list[str], m: int, raised: str
) -> None:
    wanted = {value: path[0] if value.startswith(raised) else value for value, path in PATHS.items()}
    assert cut_of(db, sets, PATHS, 2, m) == wanted
    assert is_anonymous(sets, wanted, 2, m)
    assert not is_anonymous(sets, {value: value for value in PATHS}, 2, m)


@st.composite
def trees(draw: st.DrawFn) -> dict[str, list[str]]:
    """Up to six items under up to three labels, these under two, and one at the top."""
    paths = {}
    for i in range(draw(st.integers(1, 6))):
        middle = draw(st.integers(0, 2))
        paths[f"i{i}"] = [f"m{middle}", f"u{middle % 2}", "*"]
    return paths


@examples(200, quick=12)
@given(data=st.data(), paths=trees(), k=st.integers(1, 3), m=st.integers(1, 3))
def test_every_set_of_m_labels_is_of_k_people(
    db: duckdb.DuckDBPyConnection, data: st.DataObject, paths: dict[str, list[str]], k: int, m: int
) -> None:
    one = st.lists(st.sampled_from([*paths]), min_size=1, max_size=4, unique=True)
    sets = [" ".join(each) for each in data.draw(st.lists(one, min_size=1, max_size=6))]
    if len(sets) < k:
        with pytest.raises(sqlanon.RefusedError, match="fewer than k"):
            cut_of(db, sets, paths, k, m)
        return
    cut = cut_of(db, sets, paths, k, m)
    assert is_anonymous(sets, cut, k, m)
    raw = {value: value for value in paths}
    if is_anonymous(sets, raw, k, m):
        assert cut == raw
    for value, label in cut.items():  # what is below a node of the cut has its label
        level = [value, *paths[value]].index(label)
        assert all(cut[other] == label for other in paths if level and paths[other][level - 1] == label)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"k": 0}, "k must be a whole number of at least 1, not 0"),
        ({"m": 1.5}, "m must be"),
        ({"item": "itme"}, "there is no column itme in the source; did you mean item?"),
        ({"hierarchy": pd.DataFrame({"value": ["a1"], "level": [0]})}, "there is no column label"),
        ({"hierarchy": hierarchy({"a1": ["*"]})}, "items that the hierarchy lacks, or that have not all"),
        ({"source": pd.DataFrame({"person": [" ", "x"], "item": ["a1", "a1"]})}, "rows without a person: 1"),
    ],
)  # fmt: skip
def test_what_is_wrong(db: duckdb.DuckDBPyConnection, change: dict[str, Any], message: str) -> None:
    arguments: dict[str, Any] = {
        "source": items(TERROVITIS_1), "unit": "person", "item": "item",
        "hierarchy": hierarchy(PATHS), "k": 2,
    }  # fmt: skip
    given = {**arguments, **change}
    with pytest.raises(sqlanon.SqlanonError, match=message):
        sqlanon.k_m(db, given.pop("source"), **given)


def test_a_person_who_has_an_item_twice_counts_once(db: duckdb.DuckDBPyConnection) -> None:
    twice = pd.DataFrame({"person": ["p1", "P1 ", "p2", "p2"], "item": ["a1", "a1", "a2", "b1"]})
    made = sqlanon.k_m(db, twice, unit="person", item="item", hierarchy=hierarchy(PATHS), k=2, m=1)
    assert {label for value, _, label in made.relation().fetchall() if value != "b2"} == {"*"}
    assert (made.people, made.loss) == (2, 1)
    assert "Whoever knows up to 1 items of a person finds none or at least 2 of 2 people" in str(made)
