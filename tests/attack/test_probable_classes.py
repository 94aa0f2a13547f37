"""In which class somebody is, where several cover them: against all assignments of people to rows, examples,
and Adult with suppressed rows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import permutations
from statistics import fmean

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sqlanon
from tests import data as census
from tests.budget import examples
from tests.oracles import attack
from tests.oracles.covers import covers
from tests.oracles.privacy import Histogram

Rows = Sequence[tuple[str, str]]


@pytest.fixture(scope="module")
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        sqlanon.register(connection)
        yield connection


def attacked(con: duckdb.DuckDBPyConnection, rows: Rows, people: Sequence[str]) -> list[dict[str, float]]:
    """rows: city and disease, as released. Of each of the people, by city: how probable diseases are."""
    con.execute("create or replace table released as select unnest(?) as city, unnest(?) as disease",
                [[city for city, _ in rows], [disease for _, disease in rows]])  # fmt: skip
    con.execute("create or replace table people as select unnest(range(?)) as id, unnest(?) as city",
                [len(people), [*people]])  # fmt: skip
    answer = con.execute(
        "select candidates, probabilities from sqlanon.intersection_attack(['released'], 'people', 'id', "
        "'city', 'disease') order by id"
    ).fetchall()
    return [dict(zip(candidates, probabilities, strict=True)) for candidates, probabilities in answer]


class TestExamples:
    CITIES = "abcd"
    # Four classes of one disease each, and twenty suppressed rows with all of them alike
    RELEASED = (
        *[(city, f"disease {city}") for city in CITIES for _ in range(10)],
        *[("*", f"disease {city}") for city in CITIES for _ in range(5)],
    )

    @pytest.mark.parametrize("each", [10, 15, 30])
    def test_suppressed_rows_are_spread_evenly(self, con: duckdb.DuckDBPyConnection, each: int) -> None:
        for city, one in zip(
            self.CITIES * each, attacked(con, self.RELEASED, self.CITIES * each), strict=True
        ):
            assert one[f"disease {city}"] == pytest.approx(0.75, abs=1e-6)
            assert sum(one.values()) == pytest.approx(1)

    @pytest.mark.parametrize("people", ["a", "aa", "ab", "abcd"])
    def test_few_targets(self, con: duckdb.DuckDBPyConnection, people: str) -> None:
        for city, one in zip(people, attacked(con, self.RELEASED, people), strict=True):
            assert one[f"disease {city}"] == pytest.approx(0.75, abs=1e-3)

    def test_those_whose_rows_are_suppressed_are_known(self, con: duckdb.DuckDBPyConnection) -> None:
        people = self.CITIES * 10 + "e" * 20
        for city, one in zip(people, attacked(con, self.RELEASED, people), strict=True):
            if city == "e":
                assert set(one.values()) == {0.25}
            else:
                assert one[f"disease {city}"] == pytest.approx(1, abs=1e-5)
                assert len(one) == 4  # the others stay candidates

    @pytest.mark.parametrize("people", ["a", "abcd", CITIES * 10 + "e" * 20])
    def test_who_is_known_not_to_be_suppressed(self, con: duckdb.DuckDBPyConnection, people: str) -> None:
        """They are in the class of their city, which has one disease."""
        attacked(con, self.RELEASED, people)
        told = dict(
            con.execute(
                "select id, value from sqlanon.breaches(['released'], 'people', 'id', 'city', 'disease', "
                "sure := [76])"
            ).fetchall()
        )
        living_there = 100 * fmean(city != "e" for city in people)
        assert told["rows_covering_all"] == pytest.approx(100 / 3)
        assert told["sure_76_unsuppressed"] == pytest.approx(living_there)
        # 40 people live in the four cities, or more than 40
        assert told["sure_76"] == told["sure_76_upper"] == pytest.approx(living_there if "e" in people else 0)

    @pytest.mark.parametrize(("living_there", "share"), [(3, 1), (4, 0.75), (5, 0.6), (7, 3 / 7)])
    def test_as_many_are_in_a_class_as_it_has_rows(
        self, con: duckdb.DuckDBPyConnection, living_there: int, share: float
    ) -> None:
        rows = [("a", "flu")] * 3 + [("*", "gout")] * 4
        people = "a" * living_there + "b" * (7 - living_there)
        for one in attacked(con, rows, people)[:living_there]:
            assert one["flu"] == pytest.approx(share, abs=1e-5)

    def test_a_suppressed_column(self, con: duckdb.DuckDBPyConnection) -> None:
        """With one target no count says which class is the narrower one; the labels do."""
        rows = [("a", "flu")] * 6 + [("b", "flu")] * 6 + [("*", "gout")] * 3
        assert attacked(con, rows, "a")[0]["flu"] == pytest.approx(0.8, abs=1e-6)


def by_all_assignments(release: attack.Release, people: Sequence[str]) -> list[dict[str, Fraction]] | None:
    """Of each of the people how probable each class is, if all who fill the classes are as probable."""
    rows = [city for (city,), histogram in release.items() for _ in range(histogram.total())]
    seen = [Counter[str]() for _ in people]
    total = 0
    for order in set(permutations(rows)):
        if all(covers(city, person) for city, person in zip(order, people, strict=True)):
            total += 1
            for one, city in zip(seen, order, strict=True):
                one[city] += 1
    return [{city: Fraction(n, total) for city, n in one.items()} for one in seen] if total else None


class TestAllPeople:
    @examples(30)
    @given(st.data())
    def test_against_all_assignments(self, con: duckdb.DuckDBPyConnection, data: st.DataObject) -> None:
        """Where all people are targets it is exact."""
        sizes = data.draw(st.lists(st.integers(1, 2), min_size=1, max_size=2), "rows of a, b")
        stars = data.draw(st.integers(1, 3), "suppressed rows")
        release: dict[tuple[str], Histogram] = {
            **{(city,): Counter({city: n}) for city, n in zip("ab", sizes, strict=False)},
            ("*",): Counter({"*": stars}),
        }
        # who lives where: those of the classes, and wherever those of the suppressed rows
        hidden = data.draw(st.lists(st.sampled_from("abc"), min_size=stars, max_size=stars), "suppressed")
        people = [city for (city,), rows in release.items() if city != "*" for _ in range(rows.total())]
        people += hidden
        wanted = by_all_assignments(release, people)
        assert wanted is not None
        answer = attacked(
            con, [(c, f"of {c}") for (c,), h in release.items() for _ in range(h.total())], people
        )
        for one, chances in zip(answer, wanted, strict=True):
            for city, chance in chances.items():
                assert one[f"of {city}"] == pytest.approx(float(chance), abs=1e-5)


def load_eight_thousand(con: duckdb.DuckDBPyConnection, sample: int) -> None:
    """People of Adult. sample: which of them."""
    census.load_adult(con, "some_of_adult")
    con.execute(
        "create or replace table eight_thousand as "
        f"from some_of_adult order by hash(id, {sample}), id limit 8000"
    )


def expected_and_right(
    con: duckdb.DuckDBPyConnection, targets: str, known: str = "unknown := null"
) -> tuple[float, float]:
    """Of how many targets, in percent, the first candidate is expected to be right, and of how many it is.
    known: a further argument."""
    answer = con.execute(
        f"select probabilities[1], (candidates[1] = truth)::integer from sqlanon.intersection_attack("
        f"['released'], '{targets}', 'id', {census.ADULT_QI}, 'occupation', truth := 'occupation', {known})"
    ).fetchall()
    expected, right = (100 * fmean(column) for column in zip(*answer, strict=True))
    return expected, right


@census.needs_data
@pytest.mark.parametrize("which", ["hash(id, 4)", "ln(count(*) over (partition by native_country))"])
def test_adult_with_suppressed_rows(con: duckdb.DuckDBPyConnection, which: str) -> None:
    """135 of 8,000 people at random, or the rarest: what is expected right is."""
    load_eight_thousand(con, 3)
    con.execute(f"create or replace table hidden as from eight_thousand order by {which}, id limit 135")
    con.execute("create or replace table shown as from eight_thousand anti join hidden using (id)")
    stars = ", ".join(f"'*' as {column}" for column in census.ADULT_QI)
    con.execute(
        "create or replace table released as "
        f"from sqlanon.mondrian('shown', {census.ADULT_QI}, 'occupation', k := 5, seed := 1) "
        f"union all by name select {stars}, occupation from hidden"
    )
    expected, right = expected_and_right(con, "eight_thousand")
    assert expected == pytest.approx(right, abs=1.5)
    assert right > 35


@census.needs_data
@pytest.mark.parametrize("targets", ["eight_thousand", "some_of_them"])
def test_adult_where_classes_cross(con: duckdb.DuckDBPyConnection, targets: str) -> None:
    """Relaxed cuts put equal people on both sides: what is expected right is, of all people and of a few."""
    load_eight_thousand(con, 5)
    con.execute("create or replace table some_of_them as from eight_thousand order by hash(id, 6) limit 2000")
    con.execute(
        f"create or replace table released as from sqlanon.mondrian('eight_thousand', {census.ADULT_QI}, "
        "'occupation', k := 5, relaxed := true, seed := 1)"
    )
    expected, right = expected_and_right(con, targets)
    assert expected == pytest.approx(right, abs=3)


class TestKnownInPart:
    """Targets with unknown cells are in several classes for this reason, not because classes overlap."""

    @staticmethod
    def attacked(
        con: duckdb.DuckDBPyConnection, rows: Sequence[tuple[str, ...]], people: Sequence[tuple[str, str]]
    ) -> list[dict[str, float]]:
        """rows: city, age and disease, as released. people: city and age; ? is unknown."""
        for name, columns, table in (
            ("released", "city, age, disease", rows),
            ("people", "id, city, age", [(i, *one) for i, one in enumerate(people)]),
        ):
            values = ", ".join(map(str, table))
            con.execute(f"create or replace table {name} as from (values {values}) as row({columns})")
        answer = con.execute(
            "select candidates, probabilities from sqlanon.intersection_attack(['released'], 'people', 'id', "
            "['city', 'age'], 'disease', unknown := '?') order by id"
        ).fetchall()
        return [dict(zip(candidates, probabilities, strict=True)) for candidates, probabilities in answer]

    @pytest.mark.slow("1 s")
    @examples(40)
    @given(st.data())
    def test_of_whom_nothing_is_known_each_row_is_as_likely(
        self, con: duckdb.DuckDBPyConnection, data: st.DataObject
    ) -> None:
        """Whatever the classes are."""
        city, age = st.sampled_from(["a", "b", "{a, b}", "*"]), st.sampled_from(["[20, 29]", "[30, 49]", "*"])
        rows = data.draw(
            st.lists(st.tuples(city, age, st.sampled_from("xyz")), min_size=1, max_size=8), "rows"
        )
        people = [("?", "?")] * data.draw(st.integers(1, 3), "people")
        one, *_ = self.attacked(con, rows, people)
        counted = Counter(disease for *_, disease in rows)
        assert one == pytest.approx({disease: n / len(rows) for disease, n in counted.items()}, abs=1e-6)

    @pytest.mark.slow("1 s")
    @examples(30)
    @given(st.data())
    def test_rows_of_others_are_not_those_of_the_target(
        self, con: duckdb.DuckDBPyConnection, data: st.DataObject
    ) -> None:
        """Against all assignments of people to rows: all of them are known, some of them exactly."""
        sizes = data.draw(st.lists(st.integers(1, 3), min_size=2, max_size=3), "rows of a, b, c")
        cities = [city for city, n in zip("abc", sizes, strict=False) for _ in range(n)]
        hidden = data.draw(st.lists(st.booleans(), min_size=len(cities), max_size=len(cities)), "unknown")
        people = ["?" if is_hidden else city for city, is_hidden in zip(cities, hidden, strict=True)]
        found = self.attacked(con, [(city, "*", city) for city in cities], [(city, "30") for city in people])
        free = Counter(city for city, is_hidden in zip(cities, hidden, strict=True) if is_hidden)
        for city, one in zip(people, found, strict=True):
            if city == "?":
                wanted = {each: free[each] / free.total() for each in set(cities)}
                assert one == pytest.approx(wanted, abs=1e-4)
            else:
                assert one == {city: 1}

    def test_more_targets_than_rows_fill_none(self, con: duckdb.DuckDBPyConnection) -> None:
        rows = [("a", "*", "flu")] * 2 + [("b", "*", "cold")] * 2
        one, *_ = self.attacked(con, rows, [("?", "30"), *[("a", "30")] * 3])
        assert one == {"flu": 0.5, "cold": 0.5}

    def test_unknown_columns_do_not_tell_how_near_a_class_is(self, con: duckdb.DuckDBPyConnection) -> None:
        """The classes of b are as in test_narrow_classes_are_nearer, however wide their ages are."""
        rows = [("{a, b}", "*", "flu")] * 50 + [("{b, c, d, e}", "[20, 29]", "gout")] * 50
        [one] = self.attacked(con, rows, [("b", "?")])
        assert one["flu"] == pytest.approx(2 / 3, abs=0.01)

    def test_suppressed_rows_are_spread_evenly(self, con: duckdb.DuckDBPyConnection) -> None:
        rows = [("a", age, "flu") for age in ("[20, 29]", "[30, 49]", "[50, 99]") for _ in range(10)]
        rows += [("*", "*", "gout")] * 10
        for one in self.attacked(con, rows, [("a", "?"), ("a", "25"), ("?", "?")]):
            assert one["flu"] == pytest.approx(0.75, abs=0.01)

    def test_the_others_are_as_probable_as_without_them(self, con: duckdb.DuckDBPyConnection) -> None:
        rows = [("a", "*", "flu")] * 10 + [("b", "*", "cold")] * 10 + [("*", "*", "gout")] * 10
        people = [("a", "30")] * 12 + [("b", "30")] * 10
        alone = self.attacked(con, rows, people)
        assert self.attacked(con, rows, [*people, *[("?", "30")] * 8])[: len(people)] == alone


@pytest.mark.slow("2 s a case", but=(1,))
@census.needs_data
@pytest.mark.parametrize("hidden", ["?", "range"])
def test_adult_with_unknown_cells(con: duckdb.DuckDBPyConnection, hidden: str) -> None:
    """Of each of 8,000 people one column is unknown, or the age is a range: what is expected right is."""
    load_eight_thousand(con, 3)
    con.execute(
        "create or replace table released as "
        f"from sqlanon.mondrian('eight_thousand', {census.ADULT_QI}, 'occupation', k := 5, seed := 1)"
    )
    if hidden == "?":
        cells = ", ".join(
            f"if(hash(id, 10) % {len(census.ADULT_QI)} = {i}, '?', {column}::varchar) as {column}"
            for i, column in enumerate(census.ADULT_QI)
        )
        known = "unknown := '?'"
    else:
        cells = "(age // 5 * 5)::integer || '-' || (age // 5 * 5 + 4)::integer as age"
        known = "formats := {'targets.age': 'range'}"
    con.execute(f"create or replace table heard_of as select * replace ({cells}) from eight_thousand")
    expected, right = expected_and_right(con, "heard_of", known)
    assert expected == pytest.approx(right, abs=1.5)
    assert right > 35


def test_narrow_classes_are_nearer(con: duckdb.DuckDBPyConnection) -> None:
    """Classes of fifty rows that meet at b: of the people there each has as many as it has rows per value."""
    rows = [("{a, b}", "flu")] * 50 + [("{b, c, d, e}", "gout")] * 50
    [one] = attacked(con, rows, "b")
    assert one["flu"] == pytest.approx(2 / 3, abs=0.01)
