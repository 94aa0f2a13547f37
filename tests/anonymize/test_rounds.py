"""Local recoding in rounds: what their order tells, by every table that is released alike."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import duckdb
import pytest

import sqlanon
from tests.oracles import Hierarchy
from tests.oracles import order_of_rounds as oracle
from tests.tables import Column, load

COUNTRIES: Hierarchy = {
    "de": ["de", "Europe", "*"], "fr": ["fr", "Europe", "*"], "it": ["it", "Europe", "*"],
    "jp": ["jp", "Asia", "*"],
}  # fmt: skip
SEXES: Hierarchy = {"f": ["f", "*"], "m": ["m", "*"]}
FLAT: Hierarchy = {value: [value, "*"] for value in "xyz"}
# Hierarchies, rows, k and the limit.
SMALL = [
    ([COUNTRIES], 6, 2, 1.0), ([COUNTRIES], 6, 3, 1.0), ([COUNTRIES, SEXES], 4, 2, 1.0),
    ([FLAT, FLAT], 4, 2, 1.0), ([FLAT, FLAT], 5, 2, 0.4), ([COUNTRIES, SEXES], 5, 2, 0.4),
]  # fmt: skip
slow_ones = pytest.mark.slow("1 to 4 s a case", but=(0, 3))


def overlap(release: oracle.Release, hierarchies: Sequence[Hierarchy]) -> bool:
    boxes = [oracle.covered(labels, hierarchies) for labels, _ in release]
    return any(not one.isdisjoint(other) for i, one in enumerate(boxes) for other in boxes[:i])


@slow_ones
@pytest.mark.parametrize(("hierarchies", "rows", "k", "limit"), SMALL)
def test_every_value_that_a_class_covers_is_possible(
    hierarchies: list[Hierarchy], rows: int, k: int, limit: float
) -> None:
    """Nothing is learned beyond the classes: not by a linear program, and not by all that is known."""
    found = oracle.worlds(hierarchies, rows, k, limit, hold_back=True)
    assert any(len(rounds) > 1 for possible in found.values() for rounds in possible.rounds)
    for release, possible in found.items():
        covered = {labels: oracle.covered(labels, hierarchies) for labels, _ in release}
        assert possible.values == covered
        for rounds in possible.rounds:
            assert oracle.not_ruled_out(release, rounds, hierarchies, k) == covered


@slow_ones
@pytest.mark.parametrize(("hierarchies", "rows", "k", "limit"), SMALL)
def test_classes_that_overlap_would_tell_something(
    hierarchies: list[Hierarchy], rows: int, k: int, limit: float
) -> None:
    """Of rounds that hold nothing back: values are ruled out exactly where classes overlap, and the linear
    program rules out some of them, and never one that is possible."""
    overlapping = 0
    for release, possible in oracle.worlds(hierarchies, rows, k, limit, hold_back=False).items():
        covered = {labels: oracle.covered(labels, hierarchies) for labels, _ in release}
        assert (possible.values != covered) == overlap(release, hierarchies)
        overlapping += overlap(release, hierarchies)
        left = [oracle.not_ruled_out(release, rounds, hierarchies, k) for rounds in possible.rounds]
        for labels, values in possible.values.items():
            assert values <= set().union(*(each[labels] for each in left))
        if overlap(release, hierarchies):
            assert all(each != covered for each in left)
    assert overlapping > 0


TABLES: list[list[tuple[str, str]]] = [
    [("de", "f")] * 2 + [("fr", "f"), ("jp", "m")],  # the two that are left are only alike as *, *
    [("de", "f")] * 2 + [("fr", "f"), ("it", "f")],
    [("jp", "f")] * 3 + [("de", "m"), ("fr", "m")],
    [("jp", "f")] * 2 + [("de", "m"), ("fr", "m"), ("it", "f"), ("it", "m")],
]


@pytest.mark.parametrize("rows", TABLES)
def test_against_the_slow_version(con: duckdb.DuckDBPyConnection, rows: list[tuple[str, str]]) -> None:
    names = ['coun"try', "sex"]
    columns = [Column(name, "VARCHAR", [row[i] for row in rows]) for i, name in enumerate(names)]
    load(con, "t", columns)
    lines = [
        (name, value, level, label)
        for name, hierarchy in zip(names, (COUNTRIES, SEXES), strict=True)
        for value, path in hierarchy.items()
        for level, label in enumerate(path)
    ]
    con.execute(
        "create or replace temp table h (attribute text, value text, level integer, label text)"
    ).fetchall()
    con.executemany("insert into h values (?, ?, ?, ?)", lines)
    release = sqlanon.optimal(
        con, "t", qi=names, hierarchies="h", k=2, suppression_limit=1, local_recoding=True
    )
    expected = oracle.recoded(rows, [COUNTRIES, SEXES], 2, 1.0)
    assert Counter(release.relation(con).fetchall()) == dict(expected.release)
    assert release.suppressed_rows == expected.labels.count(None)
    assert len(release.details.get("rounds", [0])) == len(expected.rounds)
