"""Rows are not people: with a unit every count is one of people, in SQL and in Python,
against sets of people.
"""

# As texts: Hypothesis keeps evaluated annotations, and DuckDB 2.0 reports its types there as leaks.
from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlglot import exp, parse_one
from typer.testing import CliRunner

import sqlanon
import sqlanon.policies
from sqlanon.anonymize.anatomy import Anatomy
from sqlanon.anonymize.driver import Anonymizer
from sqlanon.anonymize.mondrian import Mondrian as Anonymizing
from sqlanon.anonymize.mu_argus import MuArgus
from sqlanon.core.errors import UnmetError
from tests import data
from tests.budget import examples
from tests.oracles import units
from tests.oracles.mondrian import Infeasible, Mondrian
from tests.oracles.privacy import MODELS, Requirements
from tests.tables import call, rows

few = examples(12)

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


def replace_step(
    monkeypatch: pytest.MonkeyPatch, anonymizer: type[Anonymizer], step: str, instead: str
) -> None:
    """Have a step of the run make something else. instead: a query,
    with the steps that it reads in braces.
    """
    honest = anonymizer.run

    def run(self: Anonymizer, progress: Any) -> None:
        def make() -> None:
            names = {name: self.chain.table(name) for name in re.findall(r"{(\w+)}", instead)}
            self.make(step, parse_one(instead.format(**names), dialect="duckdb", into=exp.Select))

        self.chain.provide(step, make)
        honest(self, progress)

    monkeypatch.setattr(anonymizer, "run", run)


class TestChecks:
    def test_five_rows_of_one_patient_are_one_person(self, con: duckdb.DuckDBPyConnection) -> None:
        con.execute(
            "create or replace table visits as select 1 as zip, range as disease, 7 as patient from range(5)"
        ).fetchall()
        request: dict[str, Any] = {"qi": "zip", "sensitive": "disease", "k": 5, "l": 3}
        assert rows(con, "violations", "visits", **request) == []
        assert rows(con, "violations", "visits", **request, unit="patient") == [
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
        result = rows(con, "privacy", "visits", qi="zip", sensitive="disease", unit="patient")
        reached = {model: value for model, _, value, *_ in result}
        assert {row[3:5] for row in result if row[2] is not None} == {(10, 5)}
        assert [model for model, value in reached.items() if value is None] == ["t-closeness (ordered)"]
        assert reached["distinct l-diversity"] == reached["entropy l-diversity"] == 1
        assert reached["(alpha, k)-anonymity"] == 1
        assert reached["k-anonymity"] == 5
        assert math.isinf(reached["recursive (c, l)-diversity"])

    def test_values_that_are_somebodys_only_one_are_different_values(
        self, con: duckdb.DuckDBPyConnection
    ) -> None:
        """Four people have a, b, c and d alone, and twenty a and b: whatever one counts of them, four are
        different. By the numbers of people alone it could be two."""
        con.execute(
            """create or replace table visits as
            select 1 as zip, unnest(if(range < 4, ['abcd'[range + 1]], ['a', 'b'])) as disease,
                   range as patient
            from range(24)"""
        ).fetchall()
        about: dict[str, Any] = {"qi": "zip", "sensitive": "disease", "unit": "patient"}
        assert rows(con, "violations", "visits", **about, l=4) == []
        ((*_, reached, _, _, _),) = rows(con, "violations", "visits", **about, l=5)
        assert reached == 4
        assert len(rows(con, "mondrian", "visits", **about, l=4)) == 44
        with pytest.raises(duckdb.Error, match=r"reaches 4 in distinct .*what is reached is a lower bound"):
            rows(con, "mondrian", "visits", **about, l=5)

    @examples(200)
    @given(visits(width=4))
    def test_distinct_l_is_never_more_than_it_is(self, table: list[Row]) -> None:
        for class_ in units.classes(table, [0], 2, 1).values():
            bound = units.measure("distinct l-diversity", class_, class_)
            assert len(units.only_values(class_)) <= bound <= units.least_values(class_)

    @few
    @given(visits(), st.integers(1, 3))
    def test_what_is_reached(self, con: duckdb.DuckDBPyConnection, table: list[Row], l: int) -> None:
        load(con, "visits", ["q", "s", "person"], table)
        result = rows(con, "privacy", "visits", qi="q", sensitive="s", unit="person", l=l)
        classes = units.classes(table, [0], 2, 1)
        wanted = units.reached(classes, FLAT, l=l)
        assert {model: value for model, _, value, *_ in result} == {
            model: close(value) for model, value in wanted.items()
        }
        whole = set().union(*classes.values())
        for model, _, value, size, people, class_ in result:
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
        result = rows(
            con, "violations", "visits", qi="q", sensitive="s", unit="person", k=k, l=l, alpha=alpha
        )
        classes = units.classes(table, [0], 2, 1)
        request = {"k-anonymity": k, "distinct l-diversity": l, "(alpha, k)-anonymity": alpha}
        whole = set().union(*classes.values())
        wanted = {
            (model, q)
            for (q,), cls in classes.items()
            for model, required in request.items()
            for value in [units.measure(model, cls, whole)]
            if (value > required * (1 + 1e-12) if "alpha" in model else value < required)
        }
        assert {(model, class_["q"]) for model, *_, class_ in result} == wanted
        assert len(result) == len(wanted)

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
        result = con.execute(f"from {call('classes', 'visits', qi='q', unit='person')}").fetchall()
        assert {q: people for _, q, _, people in result} == wanted

    def test_a_reference_has_people_too(self, con: duckdb.DuckDBPyConnection) -> None:
        """One of two people has the value once in the release, and three times in the reference:
        a half in both.
        """
        load(con, "release", ["q", "s", "person"], [(1, 1, 1), (1, 2, 2)])
        load(con, "whole", ["q", "s", "person"], [(1, 1, 1), (1, 1, 1), (2, 1, 1), (1, 2, 2)])
        request: dict[str, Any] = {"qi": "q", "sensitive": "s", "reference": "whole"}
        by_people = rows(con, "privacy", "release", **request, unit="person")
        by_rows = rows(con, "privacy", "release", **request)
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
        "safety_c": st.floats(0.5, 1),
    },
).map(lambda chosen: chosen | {"safety_k": 1} if "safety_c" in chosen else chosen)

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
    @pytest.mark.slow("0.3 s")
    @few
    @given(stays(), requirements)
    def test_classes_are_those_of_the_oracle(
        self, con: duckdb.DuckDBPyConnection, table: list[Row], request: dict[str, Any]
    ) -> None:
        load_stays(con, table)
        release = call("mondrian", "stays", qi=QI, sensitive="s", keep="id", **request, unit="person")
        try:
            wanted = MondrianOfPeople(table, Requirements(**request)).classes()
        except Infeasible:
            with pytest.raises(duckdb.Error, match="the whole table as one class reaches"):
                con.execute(f"from {release}").fetchall()
            return
        result = released_classes(con.execute(f"from {release}").fetchall(), table)
        assert sorted(map(sorted, result.values())) == sorted(map(sorted, wanted))

    @pytest.mark.slow("0.3 s")
    @few
    @given(stays(), st.integers(1, 4), st.booleans())
    def test_variants_count_people(
        self, con: duckdb.DuckDBPyConnection, table: list[Row], k: int, relaxed: bool
    ) -> None:
        load_stays(con, table)
        how: dict[str, Any] = {"relaxed": True} if relaxed else {"target": "s"}
        request: dict[str, Any] = {"qi": QI, "sensitive": "s", "keep": "id", "k": k, "unit": "person", **how}
        if len({row[3] for row in table}) < k:
            with pytest.raises(duckdb.Error, match="meet the requirements"):
                rows(con, "mondrian", "stays", **request)
            return
        for members in released_classes(rows(con, "mondrian", "stays", **request), table).values():
            assert len({table[row][3] for row in members}) >= k

    def test_relaxed_classes_that_look_the_same_are_one(self, con: duckdb.DuckDBPyConnection) -> None:
        load_stays(con, [(1, 1, 1, 1)])
        with pytest.raises(duckdb.Error, match="relaxed := true with a unit allows only the requirement k"):
            rows(con, "mondrian", "stays", qi=QI, sensitive="s", k=1, l=1, relaxed=True, unit="person")


@pytest.mark.slow("2 tests, 0.7 to 1.9 s each")
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
        request: dict[str, Any],
        limit: float,
        measure: str,
    ) -> None:
        load_stays(con, table)
        everybody = {(row[3], row[2]) for row in table}
        known: dict[str, Any] = {"qi": QI, "sensitive": "s", "hierarchies": "h", "unit": "person", **request}
        search: dict[str, Any] = {"suppression_limit": limit, "measure": measure}
        if len({row[3] for row in table}) < request["k"]:
            with pytest.raises(sqlanon.InputError, match="meet the requirements"):
                sqlanon.optimal(con, "stays", **known, **search)
            return
        costs = []
        for point in con.execute(f"select * from {call('lattice', 'stays', **known)}").fetchall():
            levels, height, kept, _, suppressed = point[:5]
            classes: dict[Any, list[Row]] = {}
            for row in table:
                label = tuple([x, (x or 0) // 2, 0][level] for x, level in zip(row[:2], levels, strict=True))
                classes.setdefault(label, []).append(row)
            good = [
                of
                for of in classes.values()
                if units.satisfies({(row[3], row[2]) for row in of}, everybody, Requirements(**request))
            ]
            assert (kept, suppressed) == (len(good), len(table) - sum(map(len, good)))
            if good and suppressed <= limit * len(table):
                names = {"loss": 5, "entropy": 8, "discernibility": 10, "average_class_size": 12}
                costs.append(height if measure == "height" else point[names[measure]])
        if not costs:
            with pytest.raises(UnmetError, match="no generalization meets the requirements"):
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
        request: dict[str, Any],
        method: str,
        limit: float,
    ) -> None:
        load_stays(con, table)
        everybody = {(row[3], row[2]) for row in table}
        release = call(
            method, "stays", qi=QI, sensitive="s", keep="id", hierarchies="h", unit="person",
            suppression_limit=limit, **request,
        )  # fmt: skip
        try:
            result = con.execute(f"from {release}").fetchall()
        except duckdb.InvalidInputException:  # nothing that is looked at meets them
            return
        assert len(table) - len(result) <= limit * len(table)
        for members in released_classes(result, table).values():
            cls = {(table[row][3], table[row][2]) for row in members}
            assert units.satisfies(cls, everybody, Requirements(**request))


class TestGroups:
    @pytest.mark.slow("0.4 s")
    @few
    @given(stays(20), st.integers(1, 4), st.sampled_from(["microaggregate", "k_similar"]))
    def test_classes_have_so_many_people(
        self, con: duckdb.DuckDBPyConnection, table: list[Row], k: int, method: str
    ) -> None:
        load_stays(con, table)
        request: dict[str, Any] = {
            "qi": QI, "sensitive": "s", "keep": "id", "k": k, "unit": "person", "algorithm": "curve",
        }  # fmt: skip
        if len({row[3] for row in table}) < k:
            with pytest.raises(duckdb.Error, match="meet the requirements"):
                rows(con, method, "stays", **request)
            return
        result = rows(con, method, "stays", **request)
        assert len(result) == len(table)
        for members in released_classes(result, table).values():
            assert len({table[row][3] for row in members}) >= k

    @pytest.mark.parametrize("method", ["microaggregate", "k_similar"])
    def test_nothing_but_k_is_promised(self, con: duckdb.DuckDBPyConnection, method: str) -> None:
        load_stays(con, [(1, 1, 1, 1)])
        request: dict[str, Any] = {
            "qi": QI,
            "sensitive": "s",
            "k": 1,
            "l": 1,
            "unit": "person",
            "algorithm": "curve",
        }
        with pytest.raises(duckdb.Error, match=f"{method} with a unit allows only the requirement k"):
            rows(con, method, "stays", **request)
        with pytest.raises(sqlanon.InputError, match=f"{method} with a unit allows only the requirement k"):
            getattr(sqlanon, method)(con, "stays", **request)


def shown_of(table: Sequence[Row], columns: Iterable[int], row: Row) -> int:
    """How many people have what a row shows in some columns."""
    of = list(columns)
    return len({other[3] for other in table if all(other[column] == row[column] for column in of)})


class TestMuArgus:
    @few
    @given(stays(16), st.integers(1, 4), st.integers(1, 3))
    def test_the_fewest_cells_are_suppressed(
        self, con: duckdb.DuckDBPyConnection, table: list[Row], k: int, size: int
    ) -> None:
        load_stays(con, table)
        request: dict[str, Any] = {
            "qi": ["q", "r", "s"], "keep": "id", "k": k, "size": size, "wildcards": False, "unit": "person",
        }  # fmt: skip
        if len({row[3] for row in table}) < k:
            with pytest.raises(duckdb.Error, match="the table has the rows of only"):
                rows(con, "mu_argus", "stays", **request)
            return

        def is_safe(row: Row, shown: tuple[int, ...]) -> bool:
            seen = itertools.combinations(shown, min(size, len(shown)))
            return all(shown_of(table, columns, row) >= k for columns in seen)

        for *cells, number in rows(con, "mu_argus", "stays", **request):
            row = table[number]
            shown = tuple(i for i, cell in enumerate(cells) if cell != "*")
            assert all(cells[i] == str(row[i]) for i in shown)
            assert is_safe(row, shown)
            assert not any(is_safe(row, more) for more in itertools.combinations(range(3), len(shown) + 1))

    def test_wildcards_are_not_people(self, con: duckdb.DuckDBPyConnection) -> None:
        load_stays(con, [(1, 1, 1, 1)])
        with pytest.raises(duckdb.Error, match="mu_argus with a unit needs wildcards := false"):
            rows(con, "mu_argus", "stays", qi=QI, k=1, unit="person")
        with pytest.raises(sqlanon.InputError, match="mu_argus with a unit needs wildcards := false"):
            sqlanon.mu_argus(con, "stays", qi=QI, k=1, unit="person")

    def test_what_too_few_people_show_does_not_leave(
        self, con: duckdb.DuckDBPyConnection, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        load_stays(con, [(1, 1, 1, 1), (1, 1, 1, 1), (2, 1, 1, 2), (2, 1, 1, 3)])
        replace_step(monkeypatch, MuArgus, "suppression", "select tuple_id, 0 as mask from {tuple}")
        with pytest.raises(sqlanon.VerificationError, match="occurs in 1 person, 2 are required"):
            sqlanon.mu_argus(con, "stays", qi=QI, k=2, wildcards=False, unit="person")


class TestAnatomy:
    @pytest.mark.parametrize("python", [False, True])
    def test_nobody_is_in_a_bucket_twice(self, con: duckdb.DuckDBPyConnection, python: bool) -> None:
        """Forty people with one to five rows each, of six values: 120 rows,
        of which a deal puts some together.
        """
        random = Random(1)
        table: list[Row] = [
            (random.randrange(5), 1, random.randrange(6), who)
            for who in range(40)
            for _ in range(1 + who % 5)
        ]
        load_stays(con, table)
        request: dict[str, Any] = {"qi": QI, "sensitive": "s", "keep": "id", "l": 3, "unit": "person"}
        crowded = 0
        for seed in range(3):
            without = rows(con, "anatomize", "stays", **{**request, "unit": None}, seed=seed)
            crowded += len(without) - len({(bucket, table[id][3]) for _, _, id, bucket, _ in without})
            if python:
                result = sqlanon.anatomize(con, "stays", **request, seed=seed).relation(con).fetchall()
            else:
                result = rows(con, "anatomize", "stays", **request, seed=seed)
            assert sorted(id for _, _, id, _, _ in result) == list(range(len(table)))
            assert len({(bucket, table[id][3]) for _, _, id, bucket, _ in result}) == len(table)
            answer = {bucket: values for _, _, _, bucket, values in result}
            for bucket, values in answer.items():
                assert values == sorted({table[id][2] for _, _, id, other, _ in result if other == bucket})
                assert len(values) == len([row for row in result if row[3] == bucket]) >= 3
        assert crowded > 0  # or there was nothing to do

    def test_people_with_too_many_rows_are_refused(self, con: duckdb.DuckDBPyConnection) -> None:
        load_stays(con, [(1, 1, 1, 1), (1, 1, 2, 1), (1, 1, 1, 2), (1, 1, 2, 1)])
        message = (
            "no buckets can be of different people: somebody with 3 rows would be in one of them more "
            "than once"
        )
        with pytest.raises(duckdb.Error, match=message):
            rows(con, "anatomize", "stays", qi=QI, sensitive="s", l=2, unit="person")
        with pytest.raises(sqlanon.InputError, match=message):
            sqlanon.anatomize(con, "stays", qi=QI, sensitive="s", l=2, unit="person")

    def test_who_is_in_a_bucket_twice_does_not_leave(
        self, con: duckdb.DuckDBPyConnection, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        load_stays(con, [(1, 1, 1, 1), (1, 1, 2, 1), (1, 1, 1, 2), (1, 1, 2, 3)])
        replace_step(monkeypatch, Anatomy, "parted", "from {dealt}")
        request: dict[str, Any] = {"qi": QI, "sensitive": "s", "l": 2, "unit": "person", "into": "out"}

        def until_somebody_is_in_a_bucket_twice() -> None:  # as one way to deal in two does
            for seed in range(20):
                con.execute("drop table if exists out")
                sqlanon.anatomize(con, "stays", **request, seed=seed)

        with pytest.raises(sqlanon.VerificationError, match="buckets hold somebody twice"):
            until_somebody_is_in_a_bucket_twice()
        assert con.execute("select * from duckdb_tables() where table_name = 'out'").fetchall() == []


HIERARCHICAL = ("optimal", "samarati", "datafly", "generalize")


def how(method: str) -> dict[str, Any]:
    """What a method needs."""
    more: dict[str, dict[str, Any]] = {
        "generalize": {"levels": [1, 1]},
        "relaxed": {"relaxed": True},
        "target": {"target": "s"},
        "microaggregate": {"algorithm": "curve"},
        "k_similar": {"algorithm": "curve"},
        "mu_argus": {"wildcards": False},
    }
    return {**({"hierarchies": "h"} if method in HIERARCHICAL else {}), **more.get(method, {})}


METHODS = ["mondrian", "relaxed", "target", "microaggregate", "k_similar", "mu_argus", *HIERARCHICAL]


class TestReleases:
    @pytest.fixture(autouse=True)
    def stays(self, con: duckdb.DuckDBPyConnection) -> None:
        """60 rows of 20 people."""
        table = [(i * 7 % 4 + 1, i * 5 % 3 + 1, i * 11 % 5 + 1, i * 13 % 20) for i in range(60)]
        load_stays(con, table)

    @pytest.mark.slow("1 s a case", but=(5,))
    @pytest.mark.parametrize("method", METHODS)
    def test_sql_and_python_release_the_same(self, con: duckdb.DuckDBPyConnection, method: str) -> None:
        macro = "mondrian" if method in ("relaxed", "target") else method
        request: dict[str, Any] = {
            "qi": QI,
            "sensitive": "s",
            "k": 4,
            "unit": "person",
            "seed": 1,
            **how(method),
        }
        before = con.execute("select count(*) from duckdb_tables()").fetchall()
        release = getattr(sqlanon, macro)(con, "stays", **request)
        result = release.relation(con)
        assert result.columns == ["q", "r", "s"]
        assert result.fetchall() == rows(con, macro, "stays", **request)
        con.execute(f'drop table "{release.table}"').fetchall()
        assert con.execute("select count(*) from duckdb_tables()").fetchall() == before
        assert release.people == 20
        assert release.reached["k-anonymity"] >= 4
        assert "60 rows of 20 people in" in str(release)
        assert "60 rows of 20 people in" in release._repr_html_()

    @pytest.mark.slow("0.6 s a case", but=(3, 6))
    @pytest.mark.parametrize("method", METHODS)
    def test_where_everybody_has_one_row_the_release_is_the_same(
        self, con: duckdb.DuckDBPyConnection, method: str
    ) -> None:
        macro = "mondrian" if method in ("relaxed", "target") else method
        request: dict[str, Any] = {"qi": QI, "sensitive": "s", "k": 4, "seed": 1, **how(method)}
        with_unit, without = (rows(con, macro, "stays", **request, unit=unit) for unit in ("id", None))
        if method in ("relaxed", "k_similar"):  # equal rows are divided in another way
            with_unit, without = ([row[:2] for row in result] for result in (with_unit, without))
        assert sorted(with_unit) == sorted(without)

    def test_the_order_of_rows_tells_nothing_of_whose_they_are(self, con: duckdb.DuckDBPyConnection) -> None:
        """Other people with the same rows: the same release, row by row."""
        con.execute(
            "create or replace table others as select * replace (person * 7 % 20 as person) from stays"
        )
        request: dict[str, Any] = {"qi": QI, "sensitive": "s", "k": 4, "unit": "person", "seed": 5}
        assert rows(con, "mondrian", "stays", **request) == rows(con, "mondrian", "others", **request)

    @pytest.mark.slow("0.3 s")
    def test_a_release_that_is_short_of_people_does_not_leave(
        self, con: duckdb.DuckDBPyConnection, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Were it not for people, the release would be: nobody looks at what the run itself counts."""
        replace_step(monkeypatch, Anonymizing, "refusal", "select null as refused where false")
        con.execute(
            "create or replace table one as select range as q, 1 as r, 1 as s, 7 as person from range(9)"
        )
        with pytest.raises(sqlanon.VerificationError, match="of 9 rows of 1 person reaches 1"):
            sqlanon.mondrian(con, "one", qi="q", k=3, unit="person", into="never")
        assert con.execute("select count(*) from duckdb_tables() where table_name = 'never'").fetchall() == [
            (0,)
        ]

    @pytest.mark.parametrize("role", ["qi", "sensitive", "keep"])
    def test_the_unit_has_no_other_role(self, con: duckdb.DuckDBPyConnection, role: str) -> None:
        request: dict[str, Any] = {"qi": ["q"], "k": 2, "unit": "PERSON"}
        request[role] = [*request.get(role, []), "person"]
        with pytest.raises(sqlanon.InputError, match="is named twice"):
            sqlanon.mondrian(con, "stays", **request)


class TestRisk:
    @few
    @given(visits(), st.floats(0, 1))
    def test_people_are_at_risk(
        self, con: duckdb.DuckDBPyConnection, table: list[Row], threshold: float
    ) -> None:
        load(con, "visits", ["q", "s", "person"], table)
        classes = {q: units.people(cls) for (q,), cls in units.classes(table, [0], 2).items()}
        risks: dict[Any, float] = {}
        for q, _, person in table:
            risks[person] = max(risks.get(person, 0), 1 / classes[q])
        wanted = {
            "records": len(table),
            "people": len(risks),
            "classes": len(classes),
            "smallest class": min(classes.values()),
            "largest class": max(classes.values()),
            "sample uniques": sum(risk == 1 for risk in risks.values()),
            "sample uniques, share": sum(risk == 1 for risk in risks.values()) / len(risks),
            "prosecutor risk, highest": max(risks.values()),
            "prosecutor risk, mean": sum(risks.values()) / len(risks),
            "prosecutor risk above threshold": sum(risk > threshold for risk in risks.values()) / len(risks),
            "marketer risk": sum(1 / classes[row[0]] for row in table) / len(table),
        }
        result = rows(con, "risk", "visits", qi="q", unit="person", threshold=threshold)
        assert {measure: value for measure, value, *_ in result} == {
            measure: close(value) for measure, value in wanted.items()
        }
        of_records = rows(con, "record_risk", "visits", qi="q", keep="s", unit="person")
        assert sorted(of_records) == sorted(
            (q, s, sum(row[0] == q for row in table), classes[q], 1 / classes[q]) for q, s, _ in table
        )

    def test_what_does_not_go_together(self, con: duckdb.DuckDBPyConnection) -> None:
        load(con, "visits", ["q", "s", "person"], [(1, 1, 1)])
        with pytest.raises(sqlanon.InputError, match="fraction does not go with unit"):
            sqlanon.risk(con, "visits", "q", unit="person", fraction=0.5)
        for function in (sqlanon.risk, sqlanon.record_risk):
            with pytest.raises(sqlanon.InputError, match="unit does not go with a population"):
                function(con, "visits", "q", unit="person", population="visits")


class TestAttack:
    """Patient 1 has two visits: at one of them nothing is learned, at the other all there is."""

    @pytest.fixture(autouse=True)
    def releases(self, con: duckdb.DuckDBPyConnection) -> None:
        load(
            con,
            "targets",
            ["visit", "patient", "q", "s"],
            [(1, 1, 1, 1), (2, 1, 2, 3), (3, 2, 1, 2), (4, 3, 1, 1)],
        )
        load(con, "release", ["q", "s"], [(1, 1), (1, 2), (1, 1), (2, 3)])

    @pytest.mark.slow("0.5 s")
    def test_each_row_is_attacked(self, con: duckdb.DuckDBPyConnection) -> None:
        about: dict[str, Any] = {"targets": "targets", "id": "visit", "qi": "q", "sensitive": "s"}
        result = sqlanon.intersection_attack(con, ["release"], **about, unit="patient")
        assert result.columns[:5] == ["visit", "patient", "sensitive", "prior", "posterior"]
        assert sorted(row[:2] + row[4:5] for row in result.fetchall()) == [
            (1, 1, 2),
            (2, 1, 1),
            (3, 2, 2),
            (4, 3, 2),
        ]

    @pytest.mark.slow("0.8 s")
    def test_a_person_is_as_exposed_as_the_most_exposed_of_their_rows(
        self, con: duckdb.DuckDBPyConnection
    ) -> None:
        about: dict[str, Any] = {
            "targets": "targets",
            "id": "visit",
            "qi": "q",
            "sensitive": "s",
            "truth": "s",
        }
        result = sqlanon.breaches(con, ["release"], **about, unit="patient").fetchall()
        of_people = {measure: value for _, measure, value, *_ in result}
        assert of_people["targets"] == 3
        assert of_people["PVP_100"] == close(100 / 3)
        assert of_people["average posterior anonymity"] == close(5 / 3)
        assert of_people["average class size"] == close(7 / 3)
        # 1 is the most frequent value at q = 1: right for patients 1 and 3, and patient 1 is certain at q = 2
        assert of_people["weighted guess, right"] == close(200 / 3)
        assert of_people["single candidates that are right"] == 100
        of_rows = {row[1]: row[2] for row in sqlanon.breaches(con, ["release"], **about).fetchall()}
        assert of_rows["targets"] == 4
        assert of_rows["PVP_100"] == 25

    def test_how_sure_somebody_is_of_people(self, con: duckdb.DuckDBPyConnection) -> None:
        """Of patient 4 the adversary is certain by one visit, and wrong; by the other two thirds sure, and
        right. What counts at 90 % is the visit by which patient 4 is known so well.
        """
        con.execute("insert into targets values (5, 4, 2, 1), (6, 4, 1, 1)").fetchall()
        about = {"targets": "targets", "id": "visit", "qi": "q", "sensitive": "s", "truth": "s"}
        answer = sqlanon.breaches(con, ["release"], **about, unit="patient", sure=[90, 60])  # type: ignore[call-overload]
        result = dict(answer.select("id, value").fetchall())
        assert (result["sure_90"], result["sure_90_release"], result["sure_60"]) == (50, 50, 100)
        assert (result["sure_90_expected"], result["sure_90_right"]) == (100, 50)
        assert result["sure_60_expected"] == close(100 * (1 + 2 / 3 + 2 / 3 + 1) / 4)
        assert result["sure_60_right"] == 50  # patients 1 and 3
        assert result["weighted_guess_right"] == 75  # by their best visit

    @pytest.mark.slow("0.8 s")
    def test_where_everybody_has_one_row_nothing_changes(self, con: duckdb.DuckDBPyConnection) -> None:
        con.execute(
            "create or replace table targets as select *, visit + 10 as person from targets"
        ).fetchall()
        about: dict[str, Any] = {
            "targets": "targets",
            "id": "visit",
            "qi": "q",
            "sensitive": "s",
            "truth": "s",
        }
        by_people, by_rows = (
            sorted(sqlanon.breaches(con, ["release"], **about, unit=unit).fetchall())
            for unit in ("person", None)
        )
        assert [row[:2] + row[3:] for row in by_people] == [row[:2] + row[3:] for row in by_rows]
        assert [row[2] for row in by_people] == [close(row[2]) for row in by_rows]

    def test_a_row_is_not_whose_it_is(self, con: duckdb.DuckDBPyConnection) -> None:
        with pytest.raises(sqlanon.InputError, match='id and unit are both column "visit"'):
            sqlanon.breaches(con, ["release"], "targets", id="visit", qi="q", sensitive="s", unit="visit")


class TestCommandLine:
    @pytest.fixture
    def visits(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
        monkeypatch.chdir(tmp_path)
        lines = [f"{i * 7 % 20},{20 + i * 3 % 11},{i % 4},{i}" for i in range(60)]
        file = tmp_path / "visits.csv"
        file.write_text("\n".join(["patient_id,age,disease,note", *lines]), "utf-8")
        return file

    def run(self, *arguments: str) -> Any:
        from sqlanon.cli.app import app

        return CliRunner().invoke(app, [str(argument) for argument in arguments])

    @pytest.mark.slow("commands in processes of their own")
    def test_a_release_without_the_unit(self, visits: Path) -> None:
        request = [
            "anonymize",
            "visits.csv",
            "--qi",
            "age",
            "--sensitive",
            "disease",
            "--k",
            "4",
            "--unit",
            "patient_id",
        ]
        done = self.run(*request, "-o", "out.csv")
        assert done.exit_code == 0, done.stderr
        assert "60 rows of 20 people in" in done.stderr
        assert "patient_id" not in Path("out.csv").read_text("utf-8")
        assert "patient_id" not in self.run(*request, "--format", "csv").stdout
        statement = self.run(*request, "--sql").stdout
        assert "unit := 'patient_id'" in statement

    @pytest.mark.slow("1.4 s")
    def test_rows_that_may_not_be_people_are_told(self, visits: Path) -> None:
        message = "rows are counted, but patient_id has 20 distinct values in 60 rows"
        qi = ["--qi", "age", "--k", "2"]
        assert message in self.run("check", "visits.csv", *qi).stderr
        assert message in self.run("anonymize", "visits.csv", *qi).stderr
        assert message not in self.run("check", "visits.csv", *qi, "--unit", "patient_id").stderr
        drafted = self.run("init", "--seconds", "0", "visits.csv")
        assert '# unit = "patient_id"  # 20 distinct in 60 rows' in drafted.stdout
        assert "patient_id repeats (3 rows each)" in drafted.stderr

    @pytest.mark.slow("commands in processes of their own")
    def test_a_check_of_people(self, visits: Path) -> None:
        rows_of_five = self.run("check", "visits.csv", "--qi", "age", "--k", "5")
        assert rows_of_five.exit_code == 0
        people = self.run(
            "check", "visits.csv", "--qi", "age", "--k", "6", "--unit", "patient_id", "--format", "csv"
        )
        assert people.exit_code == 1
        assert people.stdout.startswith("model,sensitive,required,reached,size,people,class")

    @pytest.mark.parametrize(
        ("unit", "message"),
        [
            ("age", "--unit: column age is in --qi already"),
            ("patient", "--unit: there is no column patient in visits.csv"),
        ],
    )
    def test_what_makes_no_sense(self, visits: Path, unit: str, message: str) -> None:
        done = self.run("anonymize", "visits.csv", "--qi", "age", "--k", "2", "--unit", unit)
        assert done.exit_code == 2
        assert message in done.stderr

    @pytest.mark.slow("0.4 s")
    def test_a_policy_has_a_unit(self, visits: Path, con: duckdb.DuckDBPyConnection) -> None:
        Path("policy.toml").write_text(
            """
            [roles]
            qi = ["age"]
            sensitive = ["disease"]
            unit = "patient_id"

            [masks]
            note = {method = "partial", last = 1}

            [requirements]
            k = 4
            """,
            "utf-8",
        )
        release = sqlanon.policies.load("policy.toml").run(con, "visits.csv")
        assert release.people == 20
        assert release.parameters["unit"] == "patient_id"
        assert release.relation(con).columns == ["age", "disease", "note"]

    def test_a_unit_has_no_mask(self, visits: Path) -> None:
        text = (
            '[roles]\nqi = ["age"]\nunit = "note"\n[masks]\nNote = {method = "hash"}\n[requirements]\nk = 2\n'
        )
        Path("policy.toml").write_text(text, "utf-8")
        with pytest.raises(sqlanon.InputError, match=r"column Note is in roles\.unit already"):
            sqlanon.policies.load("policy.toml")


@data.needs_data
class TestData:
    @pytest.mark.slow("Adult")
    def test_adult_where_people_have_several_rows_that_are_alike(
        self, con: duckdb.DuckDBPyConnection
    ) -> None:
        data.load_adult(con, "adult")
        con.execute(
            "create or replace table adult as "
            "select *, hash(age, sex, education, id % 3) % 10000 as person from adult"
        ).fetchall()
        request: dict[str, Any] = {
            "qi": data.ADULT_QI,
            "sensitive": "occupation",
            "keep": "id",
            "k": 5,
            "l": 3,
        }

        def smallest_class(release: str) -> int:
            qi = ", ".join(f"r.{column}" for column in data.ADULT_QI)
            people = con.execute(
                f"""select min(people) from (
                select count(distinct person) as people from {release} as r join adult using (id)
                group by {qi})"""
            )
            [(smallest,)] = people.fetchall()
            return int(smallest)

        assert smallest_class(call("mondrian", "adult", **request)) < 5
        assert smallest_class(call("mondrian", "adult", **request, unit="person")) >= 5
        release = sqlanon.mondrian(con, "adult", **request, unit="person", into="released")
        assert release.rows == 30162
        assert release.reached["k-anonymity"] == smallest_class("released")
