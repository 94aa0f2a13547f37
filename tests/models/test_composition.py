"""Composed l-diversity: what a release leaves together with releases that are out already."""

# As texts: Hypothesis keeps evaluated annotations, and DuckDB 2.0 reports its types there as leaks.
from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sqlanon
from sqlanon import InputError
from sqlanon.anonymize import driver
from sqlanon.core import steps
from tests.budget import examples
from tests.oracles import Row
from tests.oracles.composition import ComposedMondrian, Released, holds, kept, left
from tests.oracles.privacy import Requirements

QI = ["age", "zip"]
MODEL = "composed l-diversity"
ZIPS = {"a": ["a", "ab", "*"], "b": ["b", "ab", "*"], "c": ["c", "c", "*"]}


@dataclass(frozen=True)
class Case:
    """A table of (age, zip, disease), releases that are out already, and a release."""

    rows: list[tuple[int, str, str | None]]
    known: list[Released]
    release: Released

    def load(self, con: duckdb.DuckDBPyConnection) -> list[str]:
        """The tables t (with id) and r; the names of the known releases."""
        con.execute(
            "create or replace table t (age integer, zip varchar, disease varchar, id integer)"
        ).fetchall()
        con.executemany("insert into t values (?, ?, ?, ?)", [(*row, i) for i, row in enumerate(self.rows)])
        names = [f"known {i}" for i in range(len(self.known))]
        for name, release in zip([*names, "r"], [*self.known, self.release], strict=True):
            con.execute(
                f'create or replace table "{name}" (age varchar, zip varchar, disease varchar)'
            ).fetchall()
            con.executemany(f'insert into "{name}" values (?, ?, ?)', [(*key, s) for key, s in release])
        return [f'"{name}"' for name in names]

    @property
    def people(self) -> list[Row]:
        return [row[:2] for row in self.rows]

    @property
    def own(self) -> set[str | None]:
        return {row[2] for row in self.rows}


@st.composite
def boxes(draw: st.DrawFn, values: st.SearchStrategy[Any]) -> Released:
    """Some classes, which may overlap. The first covers everybody: a release of other people is refused."""
    keys = [("[0, 9]", "*")]
    for _ in range(draw(st.integers(1, 5))):
        lo, hi = sorted((draw(st.integers(0, 9)), draw(st.integers(0, 9))))
        keys.append((f"[{lo}, {hi}]", draw(st.sampled_from(["a", "{a, b}", "{b, c}", "*"]))))
    return [(key, s) for key in keys for s in draw(st.lists(values, min_size=key != keys[0], max_size=4))]


@st.composite
def cases(draw: st.DrawFn) -> Case:
    values = st.sampled_from(["flu", "hiv", "cold", None])
    row = st.tuples(st.integers(0, 9), st.sampled_from("abc"), values)
    # somebody has zip a: a label that is nobody's value would be one that nobody understands
    table = [*draw(st.lists(row, min_size=2, max_size=14)), (draw(st.integers(0, 9)), "a", draw(values))]
    told = st.sampled_from(["flu", "hiv", "cold", None, "elsewhere"])
    known = [draw(boxes(told)) for _ in range(draw(st.integers(1, 2)))]
    # one class more covers a row: a known release in which nobody is found is refused
    at = draw(st.sampled_from(table))
    known = [[*release, ((str(at[0]), at[1]), draw(told))] for release in known]
    return Case(table, known, [*draw(boxes(values)), (("[0, 9]", "*"), "flu")])


def arguments(**more: Any) -> str:
    """As SQL; qi and sensitive are always the same."""
    given = {"qi": QI, "sensitive": "disease", **more}
    return ", ".join(f"{name} := {value!r}" for name, value in given.items())


@pytest.fixture(scope="module")
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        sqlanon.register(connection)
        connection.execute(
            "create table zips (attribute varchar, value varchar, level integer, label varchar)"
        ).fetchall()
        connection.executemany(
            "insert into zips values ('zip', ?, ?, ?)",
            [(leaf, level, label) for leaf, labels in ZIPS.items() for level, label in enumerate(labels)],
        )
        yield connection


@pytest.fixture
def loaded(con: duckdb.DuckDBPyConnection) -> duckdb.DuckDBPyConnection:
    """The first night leaves the two youngest {flu, hiv}, two others all; the oldest is not there."""
    con.execute(
        """create or replace table people as select unnest([20, 21, 30, 31, 90]) as age, 'a' as zip,
            unnest(['flu', 'hiv', 'flu', 'cold', 'cold']) as disease"""
    )
    con.execute(
        """create or replace table night as
            select if(i < 3, '[20, 21]', '[30, 39]') as age, 'a' as zip,
                ['flu', 'hiv', 'flu', 'cold', 'hiv'][i] as disease
            from range(1, 6) as r(i)"""
    )
    return con


class TestAgainstEveryAssignment:
    @examples(30, quick=10)
    @given(case=cases(), k=st.integers(1, 3), composed_l=st.integers(1, 4), in_tree=st.booleans())
    def test_mondrian(
        self, con: duckdb.DuckDBPyConnection, case: Case, k: int, composed_l: int, in_tree: bool
    ) -> None:
        """It refuses what takes too much, and nothing else; medians are tried before other codes."""
        if k > len(case.rows):
            return
        names = case.load(con)
        oracle = ComposedMondrian(
            case.people, [row[2:] for row in case.rows], Requirements(k=k), known=case.known,
            composed_l=composed_l, hierarchies={1: ZIPS} if in_tree else {},
        )  # fmt: skip
        asked = arguments(keep="id", k=k, composed_l=composed_l, known=names)
        if in_tree:
            asked += ", hierarchies := 'zips'"
        groups = con.execute(f"select list(id) from sqlanon.mondrian('t', {asked}) group by age, zip")
        assert {frozenset(ids) for (ids,) in groups.fetchall()} == set(map(frozenset, oracle.classes()))

    @examples(30)
    @given(case=cases(), composed_l=st.integers(1, 4))
    def test_violations(self, con: duckdb.DuckDBPyConnection, case: Case, composed_l: int) -> None:
        """A class tells the fewest values of anybody in it who loses some; overlapping classes help."""
        names = case.load(con)
        expected: dict[Row, int] = {}
        for target in case.people:
            before = left(case.known, target, case.own)
            after = kept(case.known, case.release, target, case.own)
            if after is not None and len(after) < min(composed_l, len(before)):
                for key in dict(case.release):
                    if kept(case.known, [(key, s) for s in case.own], target, case.own) is not None:
                        expected[key] = min(expected.get(key, len(after)), len(after))
        asked = arguments(composed_l=composed_l, known=names, reference="t")
        found = con.execute(
            f"select class.age, class.zip, model, required, reached from sqlanon.violations('r', {asked})"
        ).fetchall()
        assert {(age, zip): reached for age, zip, *_, reached in found} == expected
        assert all(about[2:4] == (MODEL, composed_l) for about in found)

    @examples(10)
    @pytest.mark.parametrize(
        ("method", "more"),
        [
            ("mondrian", {"relaxed": True}),
            ("k_similar", {"algorithm": "mdav"}),
            ("optimal", {"suppression_limit": 0.6}),
            ("optimal", {"suppression_limit": 1.0, "local_recoding": True}),
            ("samarati", {}),
        ],
    )
    @given(case=cases(), composed_l=st.integers(1, 4))
    def test_every_anonymizer(
        self, con: duckdb.DuckDBPyConnection, method: str, more: dict[str, Any], case: Case, composed_l: int
    ) -> None:
        names = case.load(con)
        release = getattr(sqlanon, method)(
            con, "t", qi=QI, sensitive="disease", k=2, composed_l=composed_l, known=names, into="made",
            replace=True, **more,
        )  # fmt: skip
        made = [(row[:2], row[2]) for row in con.execute("select age, zip, disease from made").fetchall()]
        assert len(made) + release.suppressed_rows == len(case.rows)
        before = [left(case.known, target, case.own) for target in case.people]
        for target, left_over in zip(case.people, before, strict=True):
            after = kept(case.known, made, target, case.own)
            assert after is None or holds(left_over, after, composed_l)
        assert release.reached[MODEL] >= composed_l
        assert release.details["exposed_rows"] == sum(0 < len(each) < composed_l for each in before)
        assert release.details["unbound_rows"] == before.count(set())


def test_it_is_what_the_attack_says(con: duckdb.DuckDBPyConnection) -> None:
    """Two nights of a table: alone both are 3-diverse, together they would leave somebody two."""
    con.execute(
        """create or replace table t as
            select i as id, hash(i) % 20 as age, chr(97 + (hash(i, 1) % 3)::integer) as zip,
                chr(110 + (hash(i, 2) % 5)::integer) as disease
            from range(120) as r(i)"""
    )
    con.execute(f"create or replace table r1 as from sqlanon.mondrian('t', {arguments(k=4, l=3)})")
    con.execute("create or replace view later as from t where id % 10 > 0")
    for name, more in (("apart", {}), ("together", {"composed_l": 3, "known": ["r1"]})):
        asked = arguments(k=4, l=3, **more)
        con.execute(f"create or replace table {name} as from sqlanon.mondrian('later', {asked})")
    least = {
        name: con.execute(
            f"select min(posterior) from sqlanon.intersection_attack({releases}, 'later', id := 'id', "
            f"{arguments()})"
        ).fetchall()
        for name, releases in (("apart", ["r1", "apart"]), ("together", ["r1", "together"]))
    }
    assert least == {"apart": [(2,)], "together": [(3,)]}


def test_more_values_than_a_word_has(con: duckdb.DuckDBPyConnection) -> None:
    """Of 130 values the known release leaves 100; halves of the table keep 65 and 35 of them. For 36 the cut
    has to be one year below the median.
    """
    con.execute("create or replace table t as select i as age, 'a' as zip, i as disease from range(130) r(i)")
    con.execute(
        "create or replace table r1 as select '[0, 129]' as age, '*' as zip, disease from t where age < 100"
    )
    classes = {
        32: ["[0, 31]", "[32, 64]", "[65, 129]"], 33: ["[0, 64]", "[65, 129]"],
        36: ["[0, 63]", "[64, 129]"], 51: ["[0, 129]"],
    }  # fmt: skip
    for composed_l, ages in classes.items():
        asked = arguments(k=20, composed_l=composed_l, known=["r1"])
        made = con.execute(
            f"select list_sort(list(distinct age)) from sqlanon.mondrian('t', {asked})"
        ).fetchall()
        assert made == [(ages,)]


class TestTold:
    def test_what_is_given_away_already(self, loaded: duckdb.DuckDBPyConnection) -> None:
        release = sqlanon.mondrian(
            loaded, "people", qi=QI, sensitive="disease", k=1, composed_l=3, known=["night"]
        )
        assert release.details == {"exposed_rows": 2, "unbound_rows": 1, "unread_rows": 0}
        assert "exposed_rows: 2; unbound_rows: 1" in str(release)
        assert release.required == {"k-anonymity": 1, MODEL: 3}

    def test_labels_that_nobody_understands(self, loaded: duckdb.DuckDBPyConnection) -> None:
        loaded.execute("update night set age = 'thirties' where age = '[30, 39]'")
        release = sqlanon.mondrian(
            loaded, "people", qi=QI, sensitive="disease", k=1, composed_l=2, known=["night"]
        )
        assert release.details == {"exposed_rows": 0, "unbound_rows": 3, "unread_rows": 3}
        asked = arguments(composed_l=2, known=["night"], reference="people")
        with pytest.raises(duckdb.Error, match="night has labels that nobody understands, in 1 classes"):
            loaded.execute(f"from sqlanon.violations('night', {asked})")

    def test_a_value_that_only_others_have_is_nobodys(self, loaded: duckdb.DuckDBPyConnection) -> None:
        """Nothing that is released of the table can leave it: it does not count as left."""
        loaded.execute("insert into night values ('[20, 21]', 'a', 'elsewhere')")
        release = sqlanon.mondrian(
            loaded, "people", qi=QI, sensitive="disease", k=1, composed_l=2, known=["night"]
        )
        assert release.details["exposed_rows"] == 0


class TestRefused:
    @pytest.mark.parametrize(
        ("more", "message"),
        [
            ({"composed_l": 2}, "composed_l needs known: a list of the releases"),
            ({"composed_l": 2, "known": []}, "composed_l needs known: a list of the releases"),
            ({"k": 2, "known": ["night"]}, "known releases need a requirement about them: give composed_l"),
            ({"composed_l": 0, "known": ["night"]}, "composed_l must be a whole number of at least 1, not 0"),
            ({"composed_l": 2, "known": ["night"], "unit": "age", "qi": ["zip"]}, "unit does not go with"),
            ({"composed_l": 2, "known": ["night"], "sensitive": None}, "composed_l need a sensitive column"),
            ({"composed_l": 2, "known": ["nobody"]}, "table nobody is empty"),
            ({"composed_l": 2, "known": ["nowhere"]}, "nowhere"),
            ({"composed_l": 2, "known": ["night", "centers"]}, "centers has no class that covers a row"),
        ],
    )  # fmt: skip
    def test_by_name(self, loaded: duckdb.DuckDBPyConnection, more: dict[str, Any], message: str) -> None:
        loaded.execute("create or replace table nobody as from night where false")
        loaded.execute("create or replace table centers as select * replace (25.5 as age) from night")
        asked = {"qi": QI, "sensitive": "disease", **more}
        with pytest.raises(InputError, match=message):
            sqlanon.mondrian(loaded, "people", **asked)

    def test_centers(self, loaded: duckdb.DuckDBPyConnection) -> None:
        with pytest.raises(InputError, match="people are found at the nearest center"):
            sqlanon.microaggregate(loaded, "people", qi="age", sensitive="disease", k=2, composed_l=2)

    def test_a_check_without_raw_rows(self, loaded: duckdb.DuckDBPyConnection) -> None:
        asked = arguments(composed_l=2, known=["night"])
        with pytest.raises(duckdb.Error, match="composed_l needs reference"):
            loaded.execute(f"from sqlanon.violations('night', {asked})")

    def test_a_release_that_takes_too_much(
        self, loaded: duckdb.DuckDBPyConnection, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The check does not trust the cuts: here these know nothing of the bound."""
        real = steps.statement_of
        monkeypatch.setattr(
            driver, "statement_of", lambda con, macro, given: real(con, macro, {**given, "composed_l": 1})
        )
        before = loaded.execute("select table_name from duckdb_tables()").fetchall()
        with pytest.raises(sqlanon.VerificationError, match=f"{MODEL}: the class .* reaches 1.0, 2.0 is"):
            sqlanon.mondrian(
                loaded,
                "people",
                qi=QI,
                sensitive="disease",
                k=1,
                composed_l=2,
                known=["night"],
                into="too_much",
            )
        assert loaded.execute("select table_name from duckdb_tables()").fetchall() == before
