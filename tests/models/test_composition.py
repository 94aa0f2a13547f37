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
from sqlanon.anonymize.mondrian import Mondrian
from sqlanon.core import steps
from tests.budget import examples
from tests.oracles import Row
from tests.oracles.composition import ComposedMondrian, Released, holds, kept, left, those_with
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
    present: list[tuple[bool, bool]]  # is each row in the known releases?

    def load(self, con: duckdb.DuckDBPyConnection) -> list[str]:
        """The tables t (with id) and r; the names of the known releases."""
        con.execute(
            """create or replace table t
                (age integer, zip varchar, disease varchar, id integer, first boolean, second boolean)"""
        ).fetchall()
        rows = [(*row, i, *is_in) for i, (row, is_in) in enumerate(zip(self.rows, self.present, strict=True))]
        con.executemany("insert into t values (?, ?, ?, ?, ?, ?)", rows)
        names = [f"known {i}" for i in range(len(self.known))]
        for name, release in zip([*names, "r"], [*self.known, self.release], strict=True):
            con.execute(
                f'create or replace table "{name}" (age varchar, zip varchar, disease varchar)'
            ).fetchall()
            con.executemany(f'insert into "{name}" values (?, ?, ?)', [(*key, s) for key, s in release])
        return [f'"{name}"' for name in names]

    def known_of(self, i: int, presence: list[str] | None) -> list[Released]:
        """The known releases that a row is in."""
        return those_with(self.known, self.present[i][: len(self.known)]) if presence else self.known

    def columns(self) -> list[str]:
        """Those that say who is in which known release."""
        return ["first", "second"][: len(self.known)]

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
    is_in = st.tuples(st.booleans(), st.booleans())
    present = draw(st.lists(is_in, min_size=len(table), max_size=len(table)))
    return Case(table, known, [*draw(boxes(values)), (("[0, 9]", "*"), "flu")], present)


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
    @pytest.mark.slow("6.0 s")
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

    @examples(30, quick=2)
    @given(
        case=cases(), k=st.integers(1, 2), composed_l=st.integers(2, 4),
        limit=st.sampled_from([0.1, 0.5, 1.0]), by_presence=st.booleans(),
    )  # fmt: skip
    def test_suppression(
        self,
        con: duckdb.DuckDBPyConnection,
        case: Case,
        k: int,
        composed_l: int,
        limit: float,
        by_presence: bool,
    ) -> None:
        """Who refuses most is left out. Everybody else keeps enough, and others are counted."""
        if k > len(case.rows):
            return
        names, presence = case.load(con), case.columns() if by_presence else None
        present = [is_in[: len(names)] for is_in in case.present] if presence else None
        oracle = ComposedMondrian(
            case.people, [row[2:] for row in case.rows], Requirements(k=k), known=case.known,
            composed_l=composed_l, suppression_limit=limit, present=present,
        )  # fmt: skip
        release = sqlanon.mondrian(
            con, "t", qi=QI, sensitive="disease", keep="id", k=k, composed_l=composed_l, known=names,
            suppression_limit=limit, presence=presence, into="made", replace=True,
        )  # fmt: skip
        groups = con.execute("select list(id) from made group by age, zip").fetchall()
        assert {frozenset(ids) for (ids,) in groups} == set(map(frozenset, oracle.classes()))
        staying = set(oracle.unsuppressed())
        assert release.suppressed_rows == len(case.rows) - len(staying) <= limit * len(case.rows)
        made = [(row[:2], row[2]) for row in con.execute("select age, zip, disease from made").fetchall()]
        exposed = 0
        for i, target in enumerate(case.people):
            left_over, after = oracle.left[i], kept(case.known_of(i, presence), made, target, case.own)
            if i in staying:
                assert after is not None
                assert holds(left_over, after, composed_l)
            elif after is not None:
                exposed += len(after) < min(composed_l, len(left_over))
        assert release.details["exposed_suppressed_rows"] == exposed

    @examples(30)
    @given(case=cases(), composed_l=st.integers(1, 4), by_presence=st.booleans())
    def test_violations(
        self, con: duckdb.DuckDBPyConnection, case: Case, composed_l: int, by_presence: bool
    ) -> None:
        """A class tells the fewest values of anybody in it who loses some; overlapping classes help."""
        names = case.load(con)
        presence = case.columns() if by_presence else None
        expected: dict[Row, int] = {}
        for i, target in enumerate(case.people):
            known = case.known_of(i, presence)
            before = left(known, target, case.own)
            after = kept(known, case.release, target, case.own)
            if after is not None and len(after) < min(composed_l, len(before)):
                for key in dict(case.release):
                    if kept(known, [(key, s) for s in case.own], target, case.own) is not None:
                        expected[key] = min(expected.get(key, len(after)), len(after))
        asked = arguments(composed_l=composed_l, known=names, reference="t")
        if presence:
            asked += f", presence := {presence!r}"
        found = con.execute(
            f"select class.age, class.zip, model, required, reached from sqlanon.violations('r', {asked})"
        ).fetchall()
        assert {(age, zip): reached for age, zip, *_, reached in found} == expected
        assert all(about[2:4] == (MODEL, composed_l) for about in found)

    @pytest.mark.slow("2 s a case", but=(0,))
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
    @given(case=cases(), composed_l=st.integers(1, 4), by_presence=st.booleans())
    def test_every_anonymizer(
        self,
        con: duckdb.DuckDBPyConnection,
        method: str,
        more: dict[str, Any],
        case: Case,
        composed_l: int,
        by_presence: bool,
    ) -> None:
        names, presence = case.load(con), case.columns() if by_presence else None
        release = getattr(sqlanon, method)(
            con, "t", qi=QI, sensitive="disease", k=2, composed_l=composed_l, known=names, presence=presence,
            into="made", replace=True, **more,
        )  # fmt: skip
        made = [(row[:2], row[2]) for row in con.execute("select age, zip, disease from made").fetchall()]
        assert len(made) + release.suppressed_rows == len(case.rows)
        known = [case.known_of(i, presence) for i in range(len(case.rows))]
        before = [
            left(releases, target, case.own) for releases, target in zip(known, case.people, strict=True)
        ]
        for releases, target, left_over in zip(known, case.people, before, strict=True):
            after = kept(releases, made, target, case.own)
            assert after is None or holds(left_over, after, composed_l)
        assert release.reached[MODEL] >= composed_l
        assert release.details["exposed_rows"] == sum(0 < len(each) < composed_l for each in before)
        assert release.details["unbound_rows"] == before.count(set())


@pytest.mark.slow("1 s")
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


@pytest.mark.slow("2.5 s")
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


@pytest.mark.slow("3 tests, 1.2 to 2.2 s each")
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
        with pytest.raises(duckdb.Error, match="night has labels that could not be read, in 1 classes"):
            loaded.execute(f"from sqlanon.violations('night', {asked})")

    def test_a_value_that_only_others_have_is_nobodys(self, loaded: duckdb.DuckDBPyConnection) -> None:
        """Nothing that is released of the table can leave it: it does not count as left."""
        loaded.execute("insert into night values ('[20, 21]', 'a', 'elsewhere')")
        release = sqlanon.mondrian(
            loaded, "people", qi=QI, sensitive="disease", k=1, composed_l=2, known=["night"]
        )
        assert release.details["exposed_rows"] == 0


class TestSuppressed:
    """Of thirty people the one of age 10 is known to have one of three values, one of which is rare."""

    @pytest.fixture
    def rare(self, loaded: duckdb.DuckDBPyConnection) -> duckdb.DuckDBPyConnection:
        loaded.execute(
            """create or replace table people as
                select i as age, 'a' as zip,
                    case i when 29 then 'hiv' else ['flu', 'cold'][1 + i % 2] end as disease
                from range(30) as r(i)"""
        )
        loaded.execute(
            """create or replace table night as
                select '[0, 29]' as age, 'a' as zip, unnest(['flu', 'cold']) as disease
                union all select '10', 'a', 'hiv'"""
        )
        return loaded

    @pytest.mark.slow("1.6 s")
    @pytest.mark.parametrize(
        ("limit", "classes", "suppressed", "exposed"), [(0, 3, 0, None), (0.05, 5, 1, 1)]
    )
    def test_one_row_can_cost_all(
        self,
        rare: duckdb.DuckDBPyConnection,
        limit: float,
        classes: int,
        suppressed: int,
        exposed: int | None,
    ) -> None:
        """It is in no class, but [7, 14] covers it, and does not have hiv: that is told."""
        release = sqlanon.mondrian(
            rare, "people", qi=QI, sensitive="disease", k=4, composed_l=3, known=["night"],
            suppression_limit=limit,
        )  # fmt: skip
        assert (release.classes, release.suppressed_rows) == (classes, suppressed)
        assert release.details.get("exposed_suppressed_rows") == exposed

    @pytest.mark.slow("1.2 s")
    def test_where_the_rest_would_not_do(self, rare: duckdb.DuckDBPyConnection) -> None:
        """Thirty rows are required: nobody can be left out."""
        asked: dict[str, Any] = {
            "qi": QI,
            "sensitive": "disease",
            "k": 30,
            "composed_l": 3,
            "known": ["night"],
        }
        release = sqlanon.mondrian(rare, "people", suppression_limit=1, **asked)
        assert (release.rows, release.suppressed_rows) == (30, 0)

    def test_a_suppressed_row_too_many(
        self, rare: duckdb.DuckDBPyConnection, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The check counts rows by who is released, and does not trust a limit."""
        real = steps.statement_of
        monkeypatch.setattr(
            driver, "statement_of",
            lambda con, macro, given: real(con, macro, {**given, "suppression_limit": 0.9, "composed_l": 1}),
        )  # fmt: skip
        with pytest.raises(sqlanon.VerificationError, match=MODEL):
            sqlanon.mondrian(
                rare, "people", qi=QI, sensitive="disease", k=4, composed_l=3, known=["night"],
                suppression_limit=0.05,
            )  # fmt: skip


@pytest.fixture(scope="module")
def nights(con: duckdb.DuckDBPyConnection) -> duckdb.DuckDBPyConnection:
    con.execute(
        """create or replace table everybody as
            select i as id, hash(i) % 20 as age, chr(97 + (hash(i, 1) % 3)::integer) as zip,
                chr(110 + (hash(i, 2) % 5)::integer) as disease
            from range(120) as r(i)"""
    )
    con.execute(f"create or replace table first as from sqlanon.mondrian('everybody', {arguments(k=4, l=3)})")
    con.execute("create or replace table second_night as from everybody where id % 10 > 0")
    return con


class TestConfidence:
    """Two nights of a table, the second one without a tenth of the rows."""

    def surest(self, con: duckdb.DuckDBPyConnection, releases: list[str]) -> dict[int, float]:
        answer = con.execute(
            "select id, list_max(upper_ends) "
            f"from sqlanon.intersection_attack({releases}, 'second_night', id := 'id', {arguments()})"
        )
        return dict(answer.fetchall())

    @pytest.mark.parametrize("bound", [0.6])
    def test_it_is_what_the_attack_says(self, nights: duckdb.DuckDBPyConnection, bound: float) -> None:
        asked: dict[str, Any] = {"qi": QI, "sensitive": "disease", "k": 3}
        sqlanon.mondrian(nights, "second_night", into="apart", replace=True, **asked)
        release = sqlanon.mondrian(
            nights,
            "second_night",
            known=["first"],
            composed_confidence=bound,
            into="together",
            replace=True,
            **asked,
        )
        alone = self.surest(nights, ["first"])
        apart, made = (self.surest(nights, ["first", name]) for name in ("apart", "together"))
        assert any(apart[id] > max(bound, alone[id]) for id in alone)
        assert all(made[id] <= max(bound, alone[id]) + 1e-12 for id in alone)
        assert release.reached["composed confidence"] <= bound
        assert release.required["composed confidence"] == bound
        assert release.details["surer_rows"] == sum(alone[id] > bound for id in alone)

    @pytest.mark.slow("3 s a case")
    @pytest.mark.parametrize("unit", [None, "who"])
    def test_rows_of_two_columns(self, nights: duckdb.DuckDBPyConnection, unit: str | None) -> None:
        """Values are as probable as rows of both columns make them, and nobody with several rows is certain
        of what one of them has."""
        nights.execute("create or replace table visits as select *, id // 2 as who, hash(id, 3) % 3 as ward "
                       "from everybody")  # fmt: skip
        nights.execute("create or replace table wards as select age, zip, disease, ward from visits limit 0")
        columns: dict[str, Any] = {"qi": QI, "sensitive": ["disease", "ward"]}
        sqlanon.mondrian(nights, "visits", k=4, l=3, into="wards", replace=True, **columns)
        release = sqlanon.mondrian(
            nights, "visits", k=3, known=["wards"], composed_confidence=0.9, unit=unit, into="together",
            replace=True, **columns,
        )  # fmt: skip
        surest = []
        for releases in (["wards"], ["wards", "together"]):
            attacked = sqlanon.intersection_attack(
                nights, releases, "visits", id="id", unit=unit, **columns
            ).filter("contradiction = false")
            told = "list_max(upper_ends)"
            told = told if unit is None else f"if(len(certain) > 0, 1, {told})"
            surest.append(dict(attacked.project(f"(id, sensitive), {told}").fetchall()))
        alone, together = surest
        assert all(together[row] <= max(0.9, alone[row]) + 1e-12 for row in together)
        assert release.reached["composed confidence"] <= 0.9

    def test_a_release_that_tells_too_much(
        self, nights: duckdb.DuckDBPyConnection, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The check attacks the finished release, whatever the rounds before have found."""
        monkeypatch.setattr(Mondrian, "too_sure_of_round", lambda self: 0)
        with pytest.raises(sqlanon.VerificationError, match=r"values of .* people are too sure"):
            sqlanon.mondrian(
                nights,
                "second_night",
                qi=QI,
                sensitive="disease",
                k=3,
                known=["first"],
                composed_confidence=0.6,
            )

    @pytest.mark.slow("3.5 s")
    @pytest.mark.parametrize(
        ("more", "message"),
        [
            ({"known": None}, "composed_confidence needs known"),
            ({"composed_confidence": 0}, "composed_confidence must be above 0 and at most 1, not 0"),
            ({"relaxed": True}, "composed_confidence does not go with relaxed"),
            ({"composed_confidence": 0.1}, "no release can meet composed_confidence 0.1: even in the whole"),
        ],
    )
    def test_refused(self, nights: duckdb.DuckDBPyConnection, more: dict[str, Any], message: str) -> None:
        asked = {"k": 3, "known": ["first"], "composed_confidence": 0.5, **more}
        with pytest.raises(InputError, match=message):
            sqlanon.mondrian(nights, "second_night", qi=QI, sensitive="disease", **asked)


class TestRefused:
    @pytest.mark.slow("0.7 s")
    @pytest.mark.parametrize(
        ("more", "message"),
        [
            ({"composed_l": 2}, "composed_l needs known: a list of the releases"),
            ({"composed_l": 2, "known": []}, "composed_l needs known: a list of the releases"),
            ({"k": 2, "known": ["night"]}, "known releases need a requirement about them: give composed_l"),
            ({"composed_l": 0, "known": ["night"]}, "composed_l must be a whole number of at least 1, not 0"),
            (
                {"composed_l": 2, "known": ["night"], "unit": "age", "qi": ["zip"], "suppression_limit": 0.1},
                "unit does not go with suppression_limit",
            ),
            ({"composed_l": 2, "known": ["night"], "sensitive": None}, "composed_l need a sensitive column"),
            ({"composed_l": 2, "known": ["nobody"]}, "table nobody is empty"),
            ({"composed_l": 2, "known": ["nowhere"]}, "nowhere"),
            ({"k": 2, "suppression_limit": 0.1}, "suppression_limit needs composed_l and known"),
            ({"k": 2, "suppression_limit": 2}, "suppression_limit must be between"),
            (
                {"composed_l": 2, "known": ["night"], "suppression_limit": 0.1, "relaxed": True},
                "suppression_limit does not go with relax",
            ),
            ({"k": 2, "presence": "age"}, "presence needs known releases"),
            ({"composed_l": 2, "known": ["night"], "presence": ["age", "zip"]}, "1 releases, and 2 columns"),
            ({"based_on": "night", "suppression_limit": 0.1}, "suppression_limit does not go with based_on"),
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
