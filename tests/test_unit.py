"""Rows are not people: with a unit every count is one of people, in SQL and in Python, against sets of people."""

# As texts: Hypothesis keeps evaluated annotations, and DuckDB 2.0 reports its types there as leaks.
from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sqlanon
from sqlanon import mondrian_driver
from tests.oracles import units
from tests.oracles.mondrian import Infeasible, Mondrian
from tests.oracles.privacy import MODELS, Requirements
from tests.tables import call, rows

few = settings(deadline=None, max_examples=12)

# Without a hierarchy there is no hierarchical t-closeness.
FLAT = [model for model in MODELS if model != "t-closeness (hierarchical)"]

Row = tuple[int | None, ...]


@pytest.fixture(scope="module")
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        sqlanon.register(connection)
        yield connection


def load(con: duckdb.DuckDBPyConnection, table: str, columns: Sequence[str], of: Sequence[Row]) -> None:
    chosen = ", ".join(f"unnest($1[{i}]::integer[]) as {name}" for i, name in enumerate(columns, 1))
    con.execute(
        f"create or replace table {table} as select {chosen}",
        [[list(column) for column in zip(*of, strict=True)]],
    ).fetchall()


def visits(width: int = 3, most: int = 14) -> st.SearchStrategy[list[Row]]:
    """Rows of a quasi-identifier, a sensitive value and a person; some are nobody's."""
    value = st.integers(1, width)
    row = st.tuples(value, value, st.one_of(st.none(), st.integers(1, 4)))
    return st.lists(row, min_size=1, max_size=most)


def close(value: float | None) -> Any:
    return pytest.approx(value, rel=1e-9, abs=1e-12)


class TestChecks:
    def test_five_rows_of_one_patient_are_one_person(self, con: duckdb.DuckDBPyConnection) -> None:
        con.execute(
            "create or replace table visits as select 1 as zip, range as disease, 7 as patient from range(5)"
        ).fetchall()
        asked: dict[str, Any] = {"qi": "zip", "sensitive": "disease", "k": 5, "l": 3}
        assert rows(con, "violations", "visits", **asked) == []
        assert rows(con, "violations", "visits", **asked, unit="patient") == [
            ("distinct l-diversity", "disease", 3.0, 1.0, 5, 1, {"zip": 1}),
            ("k-anonymity", None, 5.0, 1.0, 5, 1, {"zip": 1}),
        ]

    def test_what_everybody_has_is_one_value(self, con: duckdb.DuckDBPyConnection) -> None:
        """Five people with HIV, each with one more disease: whoever is there has HIV."""
        con.execute(
            """create or replace table visits as
            select 1 as zip, case when second then range::varchar else 'HIV' end as disease, range as patient
            from range(5), (values (false), (true)) as t(second)"""
        ).fetchall()
        found = rows(con, "privacy", "visits", qi="zip", sensitive="disease", unit="patient")
        reached = {model: value for model, _, value, *_ in found}
        assert [row[3:5] for row in found] == [(10, 5)] * len(found)
        assert reached["distinct l-diversity"] == reached["entropy l-diversity"] == 1
        assert reached["(alpha, k)-anonymity"] == 1
        assert reached["k-anonymity"] == 5
        assert math.isinf(reached["recursive (c, l)-diversity"])

    @few
    @given(visits(), st.integers(1, 3))
    def test_what_is_reached(self, con: duckdb.DuckDBPyConnection, table: list[Row], l: int) -> None:
        load(con, "visits", ["q", "s", "person"], table)
        found = rows(con, "privacy", "visits", qi="q", sensitive="s", unit="person", l=l)
        classes = units.classes(table, [0], 2, 1)
        wanted = units.reached(classes, FLAT, l=l)
        assert {model: value for model, _, value, *_ in found} == {
            model: close(value) for model, value in wanted.items()
        }
        whole = set().union(*classes.values())
        for model, _, value, size, people, class_ in found:
            worst = classes[class_["q"],]
            assert value == close(units.measure(model, worst, whole, l=l))
            assert people == units.people(worst)
            assert size == sum(row[0] == class_["q"] for row in table)

    @few
    @given(visits(), st.integers(1, 4), st.integers(1, 3), st.floats(0.2, 1))
    def test_violations(
        self, con: duckdb.DuckDBPyConnection, table: list[Row], k: int, l: int, alpha: float
    ) -> None:
        load(con, "visits", ["q", "s", "person"], table)
        found = rows(con, "violations", "visits", qi="q", sensitive="s", unit="person", k=k, l=l, alpha=alpha)
        classes = units.classes(table, [0], 2, 1)
        asked = {"k-anonymity": k, "distinct l-diversity": l, "(alpha, k)-anonymity": alpha}
        whole = set().union(*classes.values())
        wanted = {
            (model, q)
            for (q,), cls in classes.items()
            for model, required in asked.items()
            for value in [units.measure(model, cls, whole)]
            if (value > required * (1 + 1e-12) if "alpha" in model else value < required)
        }
        assert {(model, class_["q"]) for model, *_, class_ in found} == wanted
        assert len(found) == len(wanted)

    @few
    @given(visits())
    def test_where_everybody_has_one_row_nothing_changes(
        self, con: duckdb.DuckDBPyConnection, table: list[Row]
    ) -> None:
        load(con, "visits", ["q", "s", "person"], [(q, s, i) for i, (q, s, _) in enumerate(table)])
        with_unit = rows(con, "privacy", "visits", qi="q", sensitive="s", unit="person")
        without = rows(con, "privacy", "visits", qi="q", sensitive="s")
        assert [(*row[:2], close(row[2])) for row in without] == [row[:3] for row in with_unit]
        assert all(size == people for *_, size, people, _ in with_unit)

    @few
    @given(visits())
    def test_classes(self, con: duckdb.DuckDBPyConnection, table: list[Row]) -> None:
        load(con, "visits", ["q", "s", "person"], table)
        wanted = {q: units.people(cls) for (q,), cls in units.classes(table, [0], 2).items()}
        found = con.execute(f"from {call('classes', 'visits', qi='q', unit='person')}").fetchall()
        assert {q: people for _, q, _, people in found} == wanted

    def test_a_reference_has_people_too(self, con: duckdb.DuckDBPyConnection) -> None:
        """One of two people has the value once in the release, and three times in the reference: a half in both."""
        load(con, "release", ["q", "s", "person"], [(1, 1, 1), (1, 2, 2)])
        load(con, "whole", ["q", "s", "person"], [(1, 1, 1), (1, 1, 1), (2, 1, 1), (1, 2, 2)])
        asked: dict[str, Any] = {"qi": "q", "sensitive": "s", "reference": "whole"}
        by_people = rows(con, "privacy", "release", **asked, unit="person")
        by_rows = rows(con, "privacy", "release", **asked)
        assert {row[0]: row[2] for row in by_people}["t-closeness (equal)"] == 0
        assert {row[0]: row[2] for row in by_rows}["t-closeness (equal)"] == 0.25

    @pytest.mark.parametrize(
        ("macro", "given_more", "message"),
        [
            ("classes", {"unit": "q"}, '"q" is named twice.*keep or unit'),
            ("privacy", {"sensitive": "s", "unit": "S"}, '"S" is named twice'),
            ("privacy", {"unit": ["person", "s"]}, "unit names one column"),
            ("privacy", {"unit": "persn"}, "persn"),
            ("privacy", {"unit": "person", "suppressed": "wildcard"}, "does not go with unit"),
            (
                "violations",
                {"unit": "person", "k_map": 2, "population": "visits"},
                "not go with a population",
            ),
            ("violations", {"unit": "s", "sensitive": "s", "k": 2}, '"s" is named twice'),
        ],
    )
    def test_what_makes_no_sense(
        self, con: duckdb.DuckDBPyConnection, macro: str, given_more: dict[str, Any], message: str
    ) -> None:
        load(con, "visits", ["q", "s", "person"], [(1, 1, 1)])
        with pytest.raises(duckdb.Error, match=message):
            rows(con, macro, "visits", qi="q", **given_more)


class MondrianOfPeople(Mondrian):
    """The oracle of Mondrian, where a class is judged by its people."""

    def __init__(self, table: Sequence[Row], requirements: Requirements) -> None:
        super().__init__([row[:2] for row in table], [row[2:3] for row in table], requirements)
        self.table = table

    def people(self, members: Sequence[int]) -> units.Class:
        return {(self.table[row][3], self.table[row][2]) for row in members}

    def satisfied(self, members: Sequence[int]) -> bool:
        everybody = self.people(range(len(self.table)))
        return units.satisfies(self.people(members), everybody, self.requirements)


def stays(most: int = 14, width: int = 4) -> st.SearchStrategy[list[Row]]:
    """Rows of two quasi-identifiers, a sensitive value and a person."""
    value = st.integers(1, width)
    row = st.tuples(value, value, st.integers(1, 3), st.one_of(st.none(), st.integers(1, 5)))
    return st.lists(row, min_size=1, max_size=most)


requirements = st.fixed_dictionaries(
    {"k": st.integers(1, 3)},
    optional={
        "l": st.integers(1, 3),
        "alpha": st.floats(0.3, 1),
        "t": st.floats(0.1, 1),
        "beta": st.floats(0.2, 5),
    },
)

QI = ["q", "r"]


def load_stays(con: duckdb.DuckDBPyConnection, table: Sequence[Row]) -> None:
    """The table `stays`, with the numbers of its rows as id, and the table `h` of hierarchies."""
    numbered = [(*row, i) for i, row in enumerate(table)]
    load(con, "stays", ["q", "r", "s", "person", "id"], numbered)
    con.execute(
        "create or replace table h as select unnest(['q', 'r']) as attribute, value::varchar as value, "
        "level, [value::varchar, (value // 2)::varchar || ' halved', '*'][level + 1] as label "
        "from range(0, 6) as t(value), range(3) as u(level)"
    ).fetchall()


def released_classes(found: Iterable[Sequence[Any]], table: Sequence[Row]) -> dict[Any, set[int]]:
    """Released quasi-identifiers -> the numbers of the rows: of q, r, s, id."""
    classes: dict[Any, set[int]] = {}
    for q, r, s, number in found:
        assert s == table[number][2]
        classes.setdefault((q, r), set()).add(number)
    return classes


class TestMondrian:
    @few
    @given(stays(), requirements)
    def test_classes_are_those_of_the_oracle(
        self, con: duckdb.DuckDBPyConnection, table: list[Row], asked: dict[str, Any]
    ) -> None:
        load_stays(con, table)
        release = call("mondrian", "stays", qi=QI, sensitive="s", keep="id", **asked, unit="person")
        try:
            wanted = MondrianOfPeople(table, Requirements(**asked)).classes()
        except Infeasible:
            with pytest.raises(duckdb.Error, match="the whole table as one class reaches"):
                con.execute(f"from {release}").fetchall()
            return
        found = released_classes(con.execute(f"from {release}").fetchall(), table)
        assert sorted(map(sorted, found.values())) == sorted(map(sorted, wanted))

    @few
    @given(stays(), st.integers(1, 4), st.booleans())
    def test_variants_count_people(
        self, con: duckdb.DuckDBPyConnection, table: list[Row], k: int, relaxed: bool
    ) -> None:
        load_stays(con, table)
        how: dict[str, Any] = {"relaxed": True} if relaxed else {"target": "s"}
        asked: dict[str, Any] = {"qi": QI, "sensitive": "s", "keep": "id", "k": k, "unit": "person", **how}
        if len({row[3] for row in table}) < k:
            with pytest.raises(duckdb.Error, match="no release can meet the requirements"):
                rows(con, "mondrian", "stays", **asked)
            return
        for members in released_classes(rows(con, "mondrian", "stays", **asked), table).values():
            assert len({table[row][3] for row in members}) >= k

    def test_relaxed_classes_that_look_the_same_are_one(self, con: duckdb.DuckDBPyConnection) -> None:
        load_stays(con, [(1, 1, 1, 1)])
        with pytest.raises(duckdb.Error, match="relaxed := true with a unit takes no requirement but k"):
            rows(con, "mondrian", "stays", qi=QI, sensitive="s", k=1, l=1, relaxed=True, unit="person")


class TestFullDomain:
    @few
    @given(
        stays(), requirements, st.sampled_from([0.0, 0.3, 1.0]),
        st.sampled_from(["loss", "discernibility", "entropy", "average_class_size", "height"]),
    )  # fmt: skip
    def test_the_optimum_is_that_of_all_points(
        self,
        con: duckdb.DuckDBPyConnection,
        table: list[Row],
        asked: dict[str, Any],
        limit: float,
        measure: str,
    ) -> None:
        load_stays(con, table)
        everybody = {(row[3], row[2]) for row in table}
        known: dict[str, Any] = {"qi": QI, "sensitive": "s", "hierarchies": "h", "unit": "person", **asked}
        search: dict[str, Any] = {"suppression_limit": limit, "measure": measure}
        if len({row[3] for row in table}) < asked["k"]:
            with pytest.raises(sqlanon.InputError, match="no release can meet the requirements"):
                sqlanon.optimal(con, "stays", **known, **search)
            return
        costs = []
        for point in con.execute(f"select * from {call('lattice', 'stays', **known)}").fetchall():
            levels, height, kept, _, suppressed = point[:5]
            classes: dict[Any, list[Row]] = {}
            for row in table:
                label = tuple([x, x // 2, 0][level] for x, level in zip(row[:2], levels, strict=True))
                classes.setdefault(label, []).append(row)
            good = [
                of
                for of in classes.values()
                if units.satisfies({(row[3], row[2]) for row in of}, everybody, Requirements(**asked))
            ]
            assert (kept, suppressed) == (len(good), len(table) - sum(map(len, good)))
            if good and suppressed <= limit * len(table):
                names = {"loss": 5, "entropy": 8, "discernibility": 10, "average_class_size": 12}
                costs.append(height if measure == "height" else point[names[measure]])
        if not costs:
            with pytest.raises(sqlanon.InputError, match="no generalization meets the requirements"):
                sqlanon.optimal(con, "stays", **known, **search)
            return
        release = sqlanon.optimal(con, "stays", **known, **search)
        assert release.details["cost"] == close(min(costs))

    @few
    @given(stays(), requirements, st.sampled_from(["samarati", "datafly"]), st.sampled_from([0.0, 0.5]))
    def test_classes_hold_what_is_required(
        self,
        con: duckdb.DuckDBPyConnection,
        table: list[Row],
        asked: dict[str, Any],
        method: str,
        limit: float,
    ) -> None:
        load_stays(con, table)
        everybody = {(row[3], row[2]) for row in table}
        release = call(
            method, "stays", qi=QI, sensitive="s", keep="id", hierarchies="h", unit="person",
            suppression_limit=limit, **asked,
        )  # fmt: skip
        try:
            found = con.execute(f"from {release}").fetchall()
        except duckdb.InvalidInputException:  # nothing that is looked at meets them
            return
        assert len(table) - len(found) <= limit * len(table)
        for members in released_classes(found, table).values():
            cls = {(table[row][3], table[row][2]) for row in members}
            assert units.satisfies(cls, everybody, Requirements(**asked))


class TestGroups:
    @few
    @given(stays(20), st.integers(1, 4), st.sampled_from(["microaggregate", "k_similar"]))
    def test_classes_have_so_many_people(
        self, con: duckdb.DuckDBPyConnection, table: list[Row], k: int, method: str
    ) -> None:
        load_stays(con, table)
        asked: dict[str, Any] = {
            "qi": QI, "sensitive": "s", "keep": "id", "k": k, "unit": "person", "algorithm": "curve",
        }  # fmt: skip
        if len({row[3] for row in table}) < k:
            with pytest.raises(duckdb.Error, match="no release can meet the requirements"):
                rows(con, method, "stays", **asked)
            return
        found = rows(con, method, "stays", **asked)
        assert len(found) == len(table)
        for members in released_classes(found, table).values():
            assert len({table[row][3] for row in members}) >= k

    @pytest.mark.parametrize("method", ["microaggregate", "k_similar"])
    def test_nothing_but_k_is_promised(self, con: duckdb.DuckDBPyConnection, method: str) -> None:
        load_stays(con, [(1, 1, 1, 1)])
        asked: dict[str, Any] = {
            "qi": QI,
            "sensitive": "s",
            "k": 1,
            "l": 1,
            "unit": "person",
            "algorithm": "curve",
        }
        with pytest.raises(duckdb.Error, match=f"{method} with a unit takes no requirement but k"):
            rows(con, method, "stays", **asked)
        with pytest.raises(sqlanon.InputError, match=f"{method} with a unit takes no requirement but k"):
            getattr(sqlanon, method)(con, "stays", **asked)


HIERARCHICAL = ("optimal", "samarati", "datafly", "generalize")


def how(method: str) -> dict[str, Any]:
    """What a method needs."""
    more: dict[str, dict[str, Any]] = {
        "generalize": {"levels": [1, 1]},
        "relaxed": {"relaxed": True},
        "target": {"target": "s"},
        "microaggregate": {"algorithm": "curve"},
        "k_similar": {"algorithm": "curve"},
    }
    return {**({"hierarchies": "h"} if method in HIERARCHICAL else {}), **more.get(method, {})}


METHODS = ["mondrian", "relaxed", "target", "microaggregate", "k_similar", *HIERARCHICAL]


class TestReleases:
    @pytest.fixture(autouse=True)
    def stays(self, con: duckdb.DuckDBPyConnection) -> None:
        """60 rows of 20 people."""
        table = [(i * 7 % 4 + 1, i * 5 % 3 + 1, i * 11 % 5 + 1, i * 13 % 20) for i in range(60)]
        load_stays(con, table)

    @pytest.mark.parametrize("method", METHODS)
    def test_sql_and_python_release_the_same(self, con: duckdb.DuckDBPyConnection, method: str) -> None:
        macro = "mondrian" if method in ("relaxed", "target") else method
        asked: dict[str, Any] = {
            "qi": QI,
            "sensitive": "s",
            "k": 4,
            "unit": "person",
            "seed": 1,
            **how(method),
        }
        before = con.execute("select count(*) from duckdb_tables()").fetchall()
        release = getattr(sqlanon, macro)(con, "stays", **asked)
        found = release.relation(con)
        assert found.columns == ["q", "r", "s"]
        assert found.fetchall() == rows(con, macro, "stays", **asked)
        con.execute(f'drop table "{release.table}"').fetchall()
        assert con.execute("select count(*) from duckdb_tables()").fetchall() == before
        assert release.people == 20
        assert release.reached["k-anonymity"] >= 4
        assert "60 rows of 20 people in" in str(release)
        assert "60 rows of 20 people in" in release._repr_html_()

    @pytest.mark.parametrize("method", METHODS)
    def test_where_everybody_has_one_row_the_release_is_the_same(
        self, con: duckdb.DuckDBPyConnection, method: str
    ) -> None:
        macro = "mondrian" if method in ("relaxed", "target") else method
        asked: dict[str, Any] = {"qi": QI, "sensitive": "s", "k": 4, "seed": 1, **how(method)}
        with_unit, without = (rows(con, macro, "stays", **asked, unit=unit) for unit in ("id", None))
        if method == "relaxed":  # equal rows are divided in another way
            with_unit, without = ([row[:2] for row in found] for found in (with_unit, without))
        assert sorted(with_unit) == sorted(without)

    def test_the_order_of_rows_tells_nothing_of_whose_they_are(self, con: duckdb.DuckDBPyConnection) -> None:
        """Other people with the same rows: the same release, row by row."""
        con.execute(
            "create or replace table others as select * replace (person * 7 % 20 as person) from stays"
        )
        asked: dict[str, Any] = {"qi": QI, "sensitive": "s", "k": 4, "unit": "person", "seed": 5}
        assert rows(con, "mondrian", "stays", **asked) == rows(con, "mondrian", "others", **asked)

    def test_a_release_that_is_short_of_people_does_not_leave(
        self, con: duckdb.DuckDBPyConnection, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Were it not for people, the release would be: nobody looks at what the run itself counts."""
        honest = mondrian_driver.Mondrian.run

        def blind(self: mondrian_driver.Mondrian, progress: Any) -> None:
            self.by_unit = False
            honest(self, progress)
            self.by_unit = True

        monkeypatch.setattr(mondrian_driver.Mondrian, "run", blind)
        con.execute(
            "create or replace table one as select range as q, 1 as r, 1 as s, 7 as person from range(9)"
        )
        with pytest.raises(sqlanon.VerificationError, match="of 4 rows of 1 person reaches 1"):
            sqlanon.mondrian(con, "one", qi="q", k=3, unit="person", into="never")
        assert con.execute("select count(*) from duckdb_tables() where table_name = 'never'").fetchall() == [
            (0,)
        ]

    @pytest.mark.parametrize("role", ["qi", "sensitive", "keep"])
    def test_the_unit_has_no_other_role(self, con: duckdb.DuckDBPyConnection, role: str) -> None:
        asked: dict[str, Any] = {"qi": ["q"], "k": 2, "unit": "PERSON"}
        asked[role] = [*asked.get(role, []), "person"]
        with pytest.raises(sqlanon.InputError, match="is named twice"):
            sqlanon.mondrian(con, "stays", **asked)
