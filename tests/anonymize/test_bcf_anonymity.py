"""BCF-anonymity as a requirement: releases of a table that has grown, based on the release before."""

# As texts: Hypothesis keeps evaluated annotations, and DuckDB 2.0 reports its types there as leaks.
from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sqlanon
from sqlanon import InputError, VerificationError
from sqlanon.anonymize.mondrian import Mondrian
from tests.budget import examples
from tests.oracles import correspondence
from tests.oracles.composition import left
from tests.oracles.correspondence import Label
from tests.oracles.covers import covers

QI = ["age", "zip"]
ROLES: dict[str, Any] = {"qi": QI, "sensitive": "disease"}
AGES, ZIPS = range(8), "abc"
EVERYTHING: Label = frozenset(range(len(AGES) * len(ZIPS)))
Row = tuple[int, str, str]
row = st.tuples(st.sampled_from(AGES), st.sampled_from(ZIPS), st.sampled_from(["flu", "hiv", "cold"]))


@pytest.fixture(scope="module")
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        sqlanon.register(connection)
        yield connection


def load(con: duckdb.DuckDBPyConnection, name: str, rows: list[Row]) -> None:
    con.execute(f"create or replace table {name} (age integer, zip varchar, disease varchar)").fetchall()
    con.executemany(f"insert into {name} values (?, ?, ?)", rows)


def released(con: duckdb.DuckDBPyConnection, table: str) -> list[tuple[tuple[str, str], str]]:
    found = con.execute(f"select age, zip, disease from {table}").fetchall()
    return [((age, zip), disease) for age, zip, disease in found]


def labelled(release: list[tuple[tuple[str, str], str]]) -> list[tuple[Label, str]]:
    """Each label as the raw values under it."""
    under = {
        labels: frozenset(
            i
            for i, raw in enumerate(product(AGES, ZIPS))
            if all(covers(label, value) for label, value in zip(labels, raw, strict=True))
        )
        for labels, _ in release
    }
    return [(under[labels], disease) for labels, disease in release]


def tells_too_much(
    earlier: list[tuple[Label, str]], later: list[tuple[Label, str]], bcf_k: int, l: int | None
) -> bool:
    """By the formulas of both papers; nobody's place and no value tell nothing."""
    for q2 in {label for label, _ in later}:
        compatible = {label for label, _ in earlier if label & q2} or {frozenset()}
        for q1 in compatible:
            if any(0 < count < bcf_k for count in correspondence.anonymity(earlier, later, q1, q2)):
                return True
    differences = correspondence.differences(earlier, later).values()
    return l is not None and any(0 < len(+values) < l for values, _ in differences)


@pytest.mark.slow("7 s")
@examples(40)
@given(
    old=st.lists(row, min_size=4, max_size=14), new=st.lists(row, max_size=8), bcf_k=st.integers(1, 3),
    l=st.sampled_from([None, 2]),
)  # fmt: skip
def test_growing_tables(
    con: duckdb.DuckDBPyConnection, old: list[Row], new: list[Row], bcf_k: int, l: int | None
) -> None:
    """There is a release if the whole table could be one. It has bcf_k rows after every attack, and leaves
    nobody fewer values than the earlier one alone."""
    load(con, "old", old)
    load(con, "grown", old + new)
    sqlanon.mondrian(con, "old", k=bcf_k, into="earlier", replace=True, **ROLES)
    first, everybody = released(con, "earlier"), [(EVERYTHING, disease) for *_, disease in old + new]
    asked: dict[str, Any] = {"k": 1, "l": l, "based_on": "earlier", "bcf_k": bcf_k, **ROLES}
    diversity = len({disease for *_, disease in old + new})
    if diversity < (l or 1) or tells_too_much(labelled(first), everybody, bcf_k, l):
        with pytest.raises(InputError, match="no release can meet"):
            sqlanon.mondrian(con, "grown", **asked)
        return
    release = sqlanon.mondrian(con, "grown", into="later", replace=True, **asked)
    second = released(con, "later")
    assert len(second) == len(old + new)
    assert not tells_too_much(labelled(first), labelled(second), bcf_k, l)
    assert release.required["BCF-anonymity"] == bcf_k
    assert release.reached["BCF-anonymity"] >= bcf_k
    own = [disease for *_, disease in old + new]
    for age, zip, _ in old:
        assert left([first, second], (age, zip), own) == left([first], (age, zip), own)


def halves(n: int) -> list[Row]:
    """n people of age 1 and n of age 6, each half with two diseases."""
    return [(age, "a", disease) for age in (1, 6) for i in range(n) for disease in [("flu", "hiv")[i % 2]]]


class TestANightLater:
    @pytest.fixture
    def night(self, con: duckdb.DuckDBPyConnection) -> duckdb.DuckDBPyConnection:
        load(con, "monday", halves(4))
        sqlanon.mondrian(con, "monday", k=4, into="first", replace=True, **ROLES)
        return con

    @pytest.mark.slow("3.2 s")
    @pytest.mark.parametrize(("new", "classes"), [([1, 1, 6, 6], 2), ([1, 1, 1, 6], 1), ([3, 3], 3), ([], 2)])
    def test_as_many_classes_as_there_can_be(
        self, night: duckdb.DuckDBPyConnection, new: list[int], classes: int
    ) -> None:
        """New rows are two or none in a class, be it of their own."""
        load(night, "tuesday", halves(4) + [(age, "a", "cold") for age in new])
        tuesday = sqlanon.mondrian(night, "tuesday", k=2, based_on="first", bcf_k=2, **ROLES)
        assert tuesday.classes == classes
        assert tuesday.reached["BCF-anonymity"] == (2 if classes > 1 and new else 4)

    @pytest.mark.slow("4.3 s")
    def test_new_rows_with_one_value(self, night: duckdb.DuckDBPyConnection) -> None:
        """They are enough, and what they have is what is left of the class: with l that is refused."""
        load(night, "tuesday", halves(4) + [(1, "a", "cold")] * 4)
        asked = {"k": 2, "based_on": "first", "bcf_k": 2, **ROLES}
        assert sqlanon.mondrian(night, "tuesday", **asked).classes == 2
        with pytest.raises(InputError, match="class attacks leave 4 rows, and 1 values without earlier rows"):
            sqlanon.mondrian(night, "tuesday", l=2, **asked)

    @pytest.mark.slow("1 s a case", but=(1, 2, 3, 4, 5))
    @pytest.mark.parametrize(
        ("rows", "more", "message"),
        [
            ([*halves(4), (1, "a", "cold")], {}, "bcf_k 2: even of the whole table .* leave 1 rows"),
            (halves(4)[1:], {}, "with bcf_k needs all rows of it: 1 of its classes have .* fewer"),
            (halves(4), {"bcf_k": 0}, "bcf_k must be at least 1, not 0"),
            (halves(4), {"based_on": None}, "bcf_k needs based_on"),
            (halves(4), {"sensitive": None}, "bcf_k takes one sensitive column, not 0"),
            (halves(4), {"relaxed": True}, "based_on does not go with relaxed"),
        ],
    )
    def test_refused(
        self, night: duckdb.DuckDBPyConnection, rows: list[Row], more: dict[str, Any], message: str
    ) -> None:
        load(night, "tuesday", rows)
        asked = {"k": 2, "based_on": "first", "bcf_k": 2, "into": "second", **ROLES, **more}
        with pytest.raises(InputError, match=message):
            sqlanon.mondrian(night, "tuesday", **asked)
        assert night.execute("from duckdb_tables() where table_name = 'second'").fetchall() == []

    def test_a_release_that_tells_too_much(
        self, night: duckdb.DuckDBPyConnection, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The check attacks the finished release, whatever the rounds before have found."""
        load(night, "tuesday", halves(4) + [(age, "a", "cold") for age in (1, 1, 1, 6)])
        monkeypatch.setattr(Mondrian, "telling_classes_of_round", lambda self: 0)
        with pytest.raises(VerificationError, match="BCF-anonymity: 1 classes tell too much"):
            sqlanon.mondrian(night, "tuesday", k=2, based_on="first", bcf_k=2, **ROLES)

    @pytest.mark.slow("nights of Mondrian")
    def test_hierarchies_and_ranges(self, night: duckdb.DuckDBPyConnection) -> None:
        night.execute(
            """create or replace table h as from sqlanon.interval_hierarchy('monday', 'age', widths := [4])
            union all select 'disease', unnest(['flu', 'hiv', 'cold']), 0, unnest(['flu', 'hiv', 'cold'])
            union all select 'disease', unnest(['flu', 'hiv', 'cold']), 1, '*'"""
        ).fetchall()
        load(night, "tuesday", halves(4) + [(6, "a", disease) for disease in ("cold", "hiv")])
        asked = {"hierarchies": "h", "t": 0.9, "t_distance": "hierarchical", "k": 2, **ROLES}
        sqlanon.mondrian(night, "monday", into="by_levels", replace=True, **asked)
        tuesday = sqlanon.mondrian(night, "tuesday", based_on="by_levels", bcf_k=2, recoding="range", **asked)
        assert (tuesday.classes, tuesday.reached["BCF-anonymity"]) == (2, 2)

    @pytest.mark.slow("nights of Mondrian")
    def test_night_after_night(self, night: duckdb.DuckDBPyConnection) -> None:
        """Each release is based on the one before, however its classes lie."""
        grown, before = halves(4), "first"
        for i, age in enumerate((3, 1, 7)):
            grown = grown + [(age + j % 2, "ab"[j // 2], ("flu", "cold")[j % 2]) for j in range(4)]
            load(night, "tonight", grown)
            made = sqlanon.mondrian(
                night, "tonight", k=2, l=2, based_on=before, bcf_k=2, into=f"night_{i}", replace=True, **ROLES
            )
            assert made.reached["BCF-anonymity"] >= 2
            assert made.reached.get("distinct l-diversity of inserts", 2) >= 2
            before = f"night_{i}"
