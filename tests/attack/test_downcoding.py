"""Downcoding: worked examples, and all sources of small releases."""

# As texts: Hypothesis keeps evaluated annotations, and DuckDB 2.0 reports its types there as leaks.
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import duckdb
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

import sqlanon
from tests import tables
from tests.budget import examples
from tests.oracles import downcoding as oracle
from tests.oracles import order_of_rounds
from tests.tables import Column

COUNTRIES = {
    "de": ["de", "Europe", "*"], "fr": ["fr", "Europe", "*"], "it": ["it", "Europe", "*"],
    "jp": ["jp", "Asia", "*"], "kr": ["kr", "Asia", "*"],
}  # fmt: skip
SEXES = {"f": ["f", "*"], "m": ["m", "*"]}
QI = ['coun"try {i}', "'sex"]


FLAT = {value: [value, "*"] for value in ("de", "fr", "it")}


def load(
    con: duckdb.DuckDBPyConnection,
    rows: Sequence[tuple[str, ...]],
    hierarchies: oracle.Hierarchies = (COUNTRIES, SEXES),
) -> None:
    """The table release and h, the hierarchies of its columns."""
    labels = [Column(name, "VARCHAR", [row[i] for row in rows]) for i, name in enumerate(QI)]
    tables.load(con, "release", labels)
    lines = [
        (column, value, level, label)
        for column, paths in zip(QI, hierarchies, strict=True)
        for value, path in paths.items()
        for level, label in enumerate(path)
    ]
    con.execute(
        "create or replace table h as select unnest(?) as attribute, unnest(?) as value, unnest(?) as level, "
        "unnest(?) as label",
        [list(column) for column in zip(*lines, strict=True)],
    ).fetchall()


def attack(con: duckdb.DuckDBPyConnection, k: int | None = 2, qi: Any = None) -> dict[Any, tuple[Any, ...]]:
    """Label of the class -> learned, attribute, baseline."""
    rows = sqlanon.downcoding(con, "release", qi or QI, "h", k).fetchall()
    width = len(qi or QI)
    return {row[:width]: (row[width + 1], row[width + 6], row[width + 3]) for row in rows}


def test_who_is_left_is_not_in_the_finer_class(con: duckdb.DuckDBPyConnection) -> None:
    """Cohen's definition, one class in another: of three rows of Europe any could go to France."""
    rows = [("fr", "f")] * 2 + [("Europe", "f")] * 2
    load(con, [*rows, ("Europe", "f")])
    assert attack(con) == {
        ("fr", "f"): (None, None, None),
        ("Europe", "f"): ("{de, it}", QI[0], pytest.approx(4 / 5)),  # without it: French (3 of 5) or German
    }
    # of two none can go alone: one may be French
    load(con, rows)
    assert attack(con) == {("fr", "f"): (None, None, None), ("Europe", "f"): (None, None, None)}
    possible = oracle.possible_values(rows, [COUNTRIES, SEXES], 2)
    assert possible["Europe", "f"][0] == {"de", "fr", "it"}
    # but it is not where rows are taken out in rounds
    assert attack(con, k=None)["Europe", "f"][0] == "{de, it}"


def test_the_share_of_rows(con: duckdb.DuckDBPyConnection) -> None:
    load(con, [("fr", "f")] * 3 + [("Europe", "f")] * 3 + [("Asia", "m")] * 4)
    answer = sqlanon.downcoding(con, "release", QI, "h", 2)
    assert answer.columns[2:] == [
        "size", "learned", "confidence", "baseline", "is_right", "is_control", "attribute", "values_left",
        "values_covered", "most_frequent", "share_left", "share_covered",
    ]  # fmt: skip
    summary = sqlanon.attack_summary(con, answer, weight="size").select("id", "value").fetchall()
    assert dict(summary)["certain"] == pytest.approx(30)
    # Of six Europeans four are French, by halves and thirds: without the attack that is the best guess.
    assert dict(summary)["baseline"] == pytest.approx(500 / 6)
    [guess] = answer.filter("learned is not null").select(
        "most_frequent", "share_left", "share_covered"
    ).fetchall()  # fmt: skip
    assert guess == ("de", pytest.approx(1 / 2), pytest.approx(4 / 6))


def test_only_classes_that_differ_in_one_column_are_compared(con: duckdb.DuckDBPyConnection) -> None:
    load(con, [("fr", "f")] * 2 + [("Europe", "*")] * 3 + [("it", "m")] * 2 + [("Asia", "*")] * 3)
    assert all(learned is None for learned, *_ in attack(con).values())


@pytest.mark.parametrize(
    ("rows", "k", "message"),
    [
        (
            [("fr", "f")] * 2 + [("de", "f")] * 2 + [("Europe", "f")] * 3,
            2,
            "rows of class 1 could be finer in coun",
        ),
        ([(c, "f") for c in ("fr", "de", "it", "Europe") for _ in range(3)], None, "could be finer in coun"),
        ([("fr", "f")] * 2 + [("Europe", "f")] * 4, 2, "more was generalized than had to be"),
        ([], 2, "table release is empty"),
    ],
)
def test_what_is_not_minimal_is_refused(
    con: duckdb.DuckDBPyConnection, rows: list[tuple[str, str]], k: int | None, message: str
) -> None:
    load(con, rows)
    with pytest.raises(sqlanon.SqlanonError, match=message):
        attack(con, k)


def test_wrong_input(con: duckdb.DuckDBPyConnection) -> None:
    load(con, [("fr", "f")] * 2)
    con.execute("create or replace table none as from h where false")
    for arguments, message in (
        ({"hierarchies": "none", "qi": QI}, "no column in qi has a hierarchy in none"),
        ({"hierarchies": "h", "qi": "age"}, "age"),
        ({"hierarchies": "h", "qi": QI, "k": 0}, "k must be a whole number of at least 1, not 0"),
    ):
        with pytest.raises(sqlanon.SqlanonError, match=message):
            sqlanon.downcoding(con, "release", **arguments)


def test_a_label_of_two_nodes_tells_nothing(con: duckdb.DuckDBPyConnection) -> None:
    """fr stands for France, or for all that Asia stood for."""
    load(con, [("fr", "f")] * 2 + [("*", "f")] * 3)
    assert attack(con)["*", "f"][0] == "{jp, kr, de, it}"
    con.execute("update h set label = 'fr' where label = 'Asia'").fetchall()
    assert attack(con)["*", "f"][0] is None


@settings(examples(20), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(st.tuples(st.sampled_from(["de", "fr", "it"]), st.sampled_from("fm")), min_size=3, max_size=5),
    st.integers(2, 3),
    st.sampled_from([(FLAT, SEXES), (COUNTRIES, {"f": ["f"]})]),
)
@example([("fr", "f"), ("fr", "f"), ("de", "f"), ("it", "f"), ("it", "m")], 2, (FLAT, SEXES))
def test_no_source_has_what_is_ruled_out(
    con: duckdb.DuckDBPyConnection, source: list[tuple[str, str]], k: int, hierarchies: Any
) -> None:
    if "m" not in hierarchies[1]:
        source = [(country, "f") for country, _ in source]
    release = oracle.minimal(source, hierarchies, k)
    load(con, release, hierarchies)
    possible = oracle.possible_values(release, hierarchies, k)
    for label, (learned, attribute, baseline) in attack(con, k).items():
        values = values_under(hierarchies, label)
        d = QI.index(attribute) if learned else 0
        if learned:
            frequent = oracle.frequencies(release, hierarchies, d)
            inside = sorted((frequent[value] for value in values[d]), reverse=True)
            guessed = sum(inside[: len(learned.split(", "))]) / sum(inside)
            assert baseline == pytest.approx(guessed)
        left = set(learned.strip("{}").split(", ")) if learned else values[d]
        assert possible[label][d] <= left
        if len(set(release)) <= 2:  # all that follows is told, too
            assert learned or all(map(set.__eq__, possible[label], values))


def values_under(hierarchies: oracle.Hierarchies, label: Sequence[str]) -> list[set[str]]:
    return [
        {value for value, path in paths.items() if top in path}
        for paths, top in zip(hierarchies, label, strict=True)
    ]


def test_rounds_of_full_domain_generalization(con: duckdb.DuckDBPyConnection) -> None:
    """Where classes of later rounds overlap with others, the attack is right; optimal holds those back."""
    source = [("fr", "f")] * 4 + [("de", "f"), ("jp", "f")]
    rounds = order_of_rounds.recoded(source, [COUNTRIES, SEXES], 2, 1.0, hold_back=False)
    released = [labels for labels in rounds.labels if labels is not None]
    assert len(released) == len(source)
    load(con, [tuple(map(str, labels)) for labels in released])
    answer = attack(con, k=None)
    assert any(learned for learned, *_ in answer.values())
    for labels, (value, _) in zip(released, source, strict=True):
        learned, attribute, _ = answer[labels]
        assert learned is None or (attribute == QI[0] and value in learned.strip("{}").split(", "))

    load(con, source)
    con.execute("create or replace table raw as from release").fetchall()
    sqlanon.optimal(
        con, "raw", qi=QI, hierarchies="h", k=2, suppression_limit=1, local_recoding=True, into="release",
        replace=True,
    )  # fmt: skip
    assert attack(con, k=None) == {("fr", "f"): (None, None, None)}
