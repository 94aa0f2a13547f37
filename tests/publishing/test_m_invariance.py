"""m-invariance: the check, the publisher, and what an adversary learns from all releases."""

# As texts: Hypothesis keeps evaluated annotations, and DuckDB 2.0 reports its types there as leaks.
from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

import duckdb
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import sqlanon
from tests.budget import examples
from tests.oracles.m_invariance import Class, confidence, remaining, violations

# Figures of the paper, cut down: Bob stays, Alice leaves and David comes.
HOSPITAL = """
    create table first_night as from (values
        ('Bob', 21, 12, 'dyspepsia'), ('Alice', 22, 14, 'bronchitis')) as row(name, age, zip, disease);
    create table second_night as from (values
        ('Bob', 21, 12, 'dyspepsia'), ('David', 23, 25, 'gastritis'), ('Emma', 25, 21, 'flu'))
        as row(name, age, zip, disease);
    create table everybody as from first_night union from second_night;
"""
ABOUT: dict[str, Any] = {"id": "name", "qi": ["age", "zip"], "sensitive": "disease"}


@pytest.fixture(scope="module")
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        sqlanon.register(connection)
        connection.execute(HOSPITAL).fetchall()
        yield connection


def table(con: duckdb.DuckDBPyConnection, name: str, columns: Mapping[str, Sequence[Any]]) -> None:
    """columns: by name and type, such as `age integer`."""
    types = {column.partition(" ")[0]: column.partition(" ")[2] for column in columns}
    chosen = ", ".join(f"unnest(?::{type_}[]) as {column}" for column, type_ in types.items())
    values = [list(each) for each in columns.values()]
    con.execute(f"create or replace table {name} as select {chosen}", values).fetchall()


def released(con: duckdb.DuckDBPyConnection, name: str, classes: Sequence[Class]) -> None:
    rows = [(at, each, value) for at, each in enumerate(classes) for value in each.values]
    told = [value if isinstance(value, tuple) else (value,) for *_, value in rows]
    columns = dict(enumerate(zip(*told, strict=True), 1))
    table(
        con, name,
        {"age text": [f"[{each.lo}, {each.hi}]" for _, each, _ in rows],
         **{f"s{'' if i == 1 else i} text": list(values) for i, values in columns.items()},
         "group_id integer": [at for at, *_ in rows]},
    )  # fmt: skip


class TestTheCheck:
    @pytest.mark.slow("1 s")
    def test_the_paper(self, con: duckdb.DuckDBPyConnection) -> None:
        """Of Bob only one value is left, if Alice's place is David's; a counterfeit keeps two."""
        con.execute("""
            create or replace table r1 as
                select '[21, 22]' as age, '[12, 14]' as zip, unnest(['dyspepsia', 'bronchitis']) as disease;
            create or replace table r2 as
                select '[21, 23]' as age, '[12, 25]' as zip, unnest(['dyspepsia', 'gastritis']) as disease;
            create or replace table told as
                select *, name <> 'David' as in_1, name <> 'Alice' as in_2 from everybody
                where name <> 'Emma'""").fetchall()
        about = {"targets": "told", **ABOUT, "presence": ["in_1", "in_2"]}
        [row] = sqlanon.m_invariance(con, ["r1", "r2"], **about).fetchall()
        assert row == (
            "signature", "r2", None, None, 1, ["dyspepsia", "gastritis"], "r1", ["bronchitis", "dyspepsia"]
        )  # fmt: skip
        con.execute("""
            create or replace table r2 as
                select '[21, 22]' as age, '[12, 14]' as zip, unnest(['dyspepsia', 'bronchitis']) as disease
                union all select '23', '25', unnest(['gastritis', 'flu'])""").fetchall()
        assert sqlanon.m_invariance(con, ["r1", "r2"], **about).fetchall() == []

    @staticmethod
    @st.composite
    def cases(draw: st.DrawFn, columns: int = 1) -> tuple[list[list[Class]], dict[str, int], list[set[str]]]:
        names = "abcde"
        value: st.SearchStrategy[Any] = st.sampled_from("xyz")
        if columns > 1:
            value = st.tuples(*(st.sampled_from(["x", "y", None]) for _ in range(columns)))
        numbers = {name: draw(st.integers(0, 5)) for name in names}
        bounds = st.tuples(st.integers(0, 5), st.integers(0, 5))
        classes = st.builds(
            lambda ends, values: Class(min(ends), max(ends), tuple(values)),
            bounds, st.lists(value, min_size=1, max_size=3),
        )  # fmt: skip
        releases = draw(st.lists(st.lists(classes, min_size=1, max_size=3), min_size=1, max_size=3))
        return releases, numbers, [draw(st.sets(st.sampled_from(names))) for _ in releases]

    @examples(40)
    @given(cases(), st.integers(1, 3))
    def test_it_finds_what_the_definitions_say(
        self, con: duckdb.DuckDBPyConnection, case: tuple[Any, Any, Any], m: int
    ) -> None:
        self.check(con, case, m, "s")

    @examples(30)
    @given(cases(2), st.integers(1, 3))
    def test_it_finds_what_they_say_of_rows(
        self, con: duckdb.DuckDBPyConnection, case: tuple[Any, Any, Any], m: int
    ) -> None:
        """Of several columns signatures have rows, and no column may have a value twice."""
        self.check(con, case, m, ["s", "s2"])

    @pytest.mark.slow("1 s")
    def test_rows_are_what_stays(self, con: duckdb.DuckDBPyConnection) -> None:
        """Each column on its own has the same values in both releases, but only one row is in both."""
        released(con, "r1", [Class(1, 2, [("flu", "a"), ("gout", "b"), ("cold", "c")])])
        released(con, "r2", [Class(1, 2, [("flu", "a"), ("gout", "c"), ("cold", "b")])])
        con.execute("create or replace table told as select 'ann' as name, 1 as age").fetchall()
        about: dict[str, Any] = {"targets": "told", "id": "name", "qi": "age", "m": 3}
        for column in ("s", "s2"):
            assert sqlanon.m_invariance(con, ["r1", "r2"], sensitive=column, **about).fetchall() == []
        [row] = sqlanon.m_invariance(con, ["r1", "r2"], sensitive=["s", "s2"], **about).fetchall()
        assert (row[0], row[4], sorted(row[5])) == ("signature", 1, ["(cold, b)", "(flu, a)", "(gout, c)"])
        assert sqlanon.m_invariance(con, ["r1", "r1"], sensitive=["s", "s2"], **about).fetchall() == []
        [found] = con.execute(
            "select candidates from sqlanon.intersection_attack("
            "['r1', 'r2'], 'told', 'name', 'age', ['s', 's2']) where sensitive = 's'"
        ).fetchall()
        assert found == (["flu"],)

    def check(
        self, con: duckdb.DuckDBPyConnection, case: tuple[Any, Any, Any], m: int, sensitive: str | list[str]
    ) -> None:
        releases, numbers, present = case
        for at, classes in enumerate(releases):
            released(con, f"r{at}", classes)
        presence = {f"in_{at} boolean": [n in there for n in numbers] for at, there in enumerate(present)}
        table(con, "told", {"name text": [*numbers], "age integer": [*numbers.values()], **presence})
        answer = sqlanon.m_invariance(
            con, [f"r{at}" for at in range(len(releases))], "told", "name", "age", sensitive, m,
            presence=[f"in_{at}" for at in range(len(releases))], group_id="group_id",
        )  # fmt: skip
        found: Counter[tuple[Any, ...]] = Counter()
        for kind, release, class_, _, people, _, earlier, _ in answer.fetchall():
            ends = [] if class_ is None else [int(end) for end in class_["age"].strip("[]").split(",")]
            before = [] if earlier is None else [int(earlier[1:])]
            found[kind, *before, int(release[1:]), *ends] += people
        expected = violations(releases, numbers, present, m)
        # two classes may have the same labels
        for key in [key for key in found if key[0] in ("size", "value")]:
            twins = [each for each in releases[key[1]] if (each.lo, each.hi) == key[2:]]
            if len(twins) > 1 and key in expected:
                expected[key] = found[key]
        assert {**found} == {**expected}

    def test_what_nobody_can_read_is_told(self, con: duckdb.DuckDBPyConnection) -> None:
        con.execute("""
            create or replace table r1 as from (values
                ('[21, 22]', '12-14', 'flu'), ('young', '12', 'flu'), ('young', '12', 'hiv'))
                as row(age, zip, disease)""").fetchall()
        rows = sqlanon.m_invariance(con, ["r1"], "everybody", **ABOUT).fetchall()
        assert sorted((kind, class_, people) for kind, _, class_, _, people, *_ in rows) == [
            ("size", {"age": "[21, 22]", "zip": "12-14"}, 2),
            ("unlocated", None, 2),
            ("unread", {"age": "young", "zip": "12"}, 4),
        ]

    @pytest.mark.parametrize(
        ("wrong", "told"),
        [
            ({"m": 0}, "m must be a whole number of at least 1"),
            ({"sensitive": []}, "sensitive names no column"),
            ({"presence": ["in_1"]}, "presence must name one column of the targets per release"),
        ],
    )
    def test_wrong_input(self, con: duckdb.DuckDBPyConnection, wrong: dict[str, Any], told: str) -> None:
        con.execute("create or replace table told as select *, true as in_1 from everybody").fetchall()
        with pytest.raises(sqlanon.InputError, match=told):
            sqlanon.m_invariance(con, ["everybody", "everybody"], "told", **{**ABOUT, **wrong})


class TestThePublisher:
    @pytest.mark.slow("0.7 s")
    def test_the_paper(self, con: duckdb.DuckDBPyConnection) -> None:
        """Alice leaves, and a counterfeit takes her place; who comes back has the same signature."""
        con.execute("create or replace table third_night as from everybody").fetchall()
        releases, state = [], None
        for night, counterfeits in (("first_night", 0), ("second_night", 1), ("third_night", 0)):
            release = sqlanon.m_invariant(con, night, **ABOUT, m=2, previous=state)
            state = release.details["state_table"]
            assert release.details["counterfeits"] == counterfeits
            releases.append(release.table)
        assert con.execute(f"select name, signature from {state} order by name").fetchall() == [
            ("Alice", ["bronchitis", "dyspepsia"]), ("Bob", ["bronchitis", "dyspepsia"]),
            ("David", ["flu", "gastritis"]), ("Emma", ["flu", "gastritis"]),
        ]  # fmt: skip
        second = con.execute(f"select * exclude (group_id) from {releases[1]} order by all").fetchall()
        assert second == [
            ("21", "12", "bronchitis", 1), ("21", "12", "dyspepsia", 1),
            ("[23, 25]", "[21, 25]", "flu", 0), ("[23, 25]", "[21, 25]", "gastritis", 0),
        ]  # fmt: skip

    @examples(30, quick=2)
    @given(st.data())
    def test_nobody_is_known_better_than_1_in_m(
        self, con: duckdb.DuckDBPyConnection, data: st.DataObject
    ) -> None:
        """Whoever leaves and comes; to who knows everybody, and that signatures stay."""
        names, m, state = "abcd", 2, "null"
        numbers = {name: data.draw(st.integers(0, 9)) for name in names}
        values = {name: data.draw(st.sampled_from("xyz")) for name in names}
        releases: list[list[Class]] = []
        present: list[set[str]] = []
        for night in range(3):
            there = data.draw(st.sets(st.sampled_from(names), min_size=2))
            ages, diseases = ([each[name] for name in sorted(there)] for each in (numbers, values))
            table(con, "night", {"name text": sorted(there), "age integer": ages, "s text": diseases})
            about = f"'night', 'name', 'age', 's', {m}, previous := {state}, seed := {night}"
            try:
                classes = con.execute(
                    f"""select min(age.lo), min(age.hi), list(s), any_value(counterfeits)
                    from sqlanon.m_invariant({about}, recoding := 'range') group by group_id"""
                ).fetchall()
            except duckdb.Error as error:
                if "not m-eligible" not in str(error):
                    raise
                continue
            con.execute(f"create or replace table state_{night} as from sqlanon.m_invariant_state({about})")
            state = f"'state_{night}'"
            releases.append([Class(*each) for each in classes])
            present.append(there)
            signatures = dict(con.execute(f"from state_{night}").fetchall())
            for name in there:
                assert values[name] in signatures[name]
                assert any(
                    each.covers(numbers[name]) and sorted(each.values) == signatures[name]
                    for each in releases[-1]
                )
            assert sum(len(each.values) - each.counterfeits for each in releases[-1]) == len(there)
        assume(releases)
        numbers = {name: number for name, number in numbers.items() if name in set().union(*present)}
        assert {kind for kind, *_ in violations(releases, numbers, present, m)} <= {"several"}
        assert confidence(releases, numbers, present) <= Fraction(1, m)

    @pytest.mark.slow("0.4 s")
    def test_the_same_rows_from_sql(self, con: duckdb.DuckDBPyConnection) -> None:
        """With hierarchies; NULL is a sensitive value."""
        con.execute("""
            create or replace table patients as
                select i as id, ['a1', 'a2', 'b1', 'b2'][i % 4 + 1] as ward, i % 5 as age,
                       ['flu', 'hiv', null][i % 3 + 1] as disease
                from range(12) as numbers(i);
            create or replace table tree as
                select 'ward' as attribute, value, level, [value, value[1], '*'][level + 1] as label
                from (select unnest(['a1', 'a2', 'b1', 'b2']) as value), range(3) as levels(level)
        """).fetchall()
        about: dict[str, Any] = {"id": "id", "qi": ["ward", "age"], "sensitive": "disease", "m": 3, "seed": 1}
        release = sqlanon.m_invariant(con, "patients", **about, hierarchies="tree")
        assert release.rows == 12
        assert release.people == 12
        rows = con.execute(f"from {release.table}").fetchall()
        statement = """from sqlanon.m_invariant('patients', 'id', ['ward', 'age'], 'disease', 3,
            hierarchies := 'tree', seed := 1)"""
        assert con.execute(statement).fetchall() == rows
        assert {ward for ward, *_ in rows} <= {"a1", "a2", "b1", "b2", "a", "b", "*"}
        classes = defaultdict(list)
        for _, _, disease, group_id, _ in rows:
            classes[group_id].append(disease or "")
        assert [sorted(values) for values in classes.values()] == [["", "flu", "hiv"]] * 4

    @examples(100, quick=10)
    @given(
        st.lists(
            st.tuples(st.integers(1, 6), st.integers(0, 6)).map(lambda each: (each[0], min(each))),
            min_size=1, max_size=4,
        ),
        st.integers(1, 4),
    )  # fmt: skip
    def test_as_few_counterfeits_as_can_be(
        self, con: duckdb.DuckDBPyConnection, newcomers: list[tuple[int, int]], m: int
    ) -> None:
        """The balance of the paper, against all ways to take people."""
        n, most = zip(*newcomers, strict=True)
        table(con, "newcomer", {"code integer": range(len(n)), "n bigint": n, "most bigint": most})
        con.execute(f"create or replace table left_over as from sqlanon._remaining_people('newcomer', {m})")
        [(people, number)] = con.execute("from left_over").fetchall()
        assert people == sum(n)
        assert number == remaining(n, most, m)
        taken = con.execute(
            f"select code, taken from sqlanon._taken_places('newcomer', 'left_over', {m}) order by code"
        ).fetchall()
        if number is not None:
            assert sum(each for _, each in taken) == sum(n) - number
            for code, each in taken:
                assert 0 <= each <= most[code]
                assert m * (n[code] - each) <= number

    def test_places_that_others_left(self, con: duckdb.DuckDBPyConnection) -> None:
        con.execute("""
            create or replace table given as from (values
                (1, [1, 2, 3]), (1, [1, 2, 3]), (3, [1, 2, 3]), (2, [1, 2]), (1, [1, 2]), (4, null))
                as row(code, signature)""").fetchall()
        assert con.execute("from sqlanon._lacks('given') order by all").fetchall() == [
            ([1, 2, 3], 2, 2), ([1, 2, 3], 3, 1)
        ]  # fmt: skip

    @pytest.mark.parametrize(
        ("rows", "state", "told"),
        [
            ("(null, 1, null)", "", "column id of people is NULL in 1 rows"),
            ("(7, 1, null), (7, 2, null)", "", "column id of people names 1 of the people several times"),
            ("(7, 3, [1, 2])", "", "value of 1 people is not in their signature: it has changed"),
            ("(7, 1, [1, 2])", "(8, ['x'])", "fewer than 2 values .m., of 1 people"),
            (
                "(7, 1, [1, 2])",
                "(8, ['x', 'y']), (8, ['x', 'y'])",
                "of the state names 1 of the people several times",
            ),
        ],
    )
    def test_what_is_refused(self, con: duckdb.DuckDBPyConnection, rows: str, state: str, told: str) -> None:
        con.execute(f"""
            create or replace table given as
                from (values {rows}) as row(person, code, signature);
            create or replace table before as
                from (values {", ".join(filter(None, ["(7, ['x', 'y'])", state]))}) as row(person, signature);
            create or replace table known as select unnest(['x', 'y']) as value;
            create or replace table coded as
                from (values (['x'], [1]), (['x', 'y'], [1, 2])) as row(signature, codes)
        """).fetchall()
        with pytest.raises(duckdb.Error, match=told):
            con.execute(
                "from sqlanon._refuse_state('given', 'before', 'coded', 'known', 'people', 'id', 'ill', 2)"
            ).fetchall()

    def test_refused_in_one_statement(self, con: duckdb.DuckDBPyConnection) -> None:
        """Also where no new people come, who would be looked at."""
        con.execute("""
            create or replace table before as
                select name, ['dyspepsia', 'bronchitis'] as signature from first_night;
            create or replace table changed as select * replace ('flu' as disease) from first_night
        """).fetchall()
        with pytest.raises(duckdb.Error, match="value of 2 people is not in their signature"):
            con.execute(
                "from sqlanon.m_invariant('changed', 'name', 'age', 'disease', 2, previous := 'before')"
            ).fetchall()

    def test_the_most_frequent_value_is_refused(self, con: duckdb.DuckDBPyConnection) -> None:
        """Three of six have b. Each of the others stands once."""
        names = list(range(6))
        table(con, "alike", {"name integer": names, "age integer": names, "disease text": list("bbbdfa")})
        with pytest.raises(duckdb.Error, match="of 6 of them 3 have the same sensitive value"):
            con.execute("from sqlanon.m_invariant('alike', 'name', 'age', 'disease', 3)").fetchall()

    def test_new_people_who_are_too_much_alike(self, con: duckdb.DuckDBPyConnection) -> None:
        """Nothing is left of the attempt, also not the state."""
        con.execute("create or replace table alike as select * replace ('flu' as disease) from first_night")
        told = "of 2 of them 2 have the same sensitive value, of whom 0 can take places"
        with pytest.raises(sqlanon.InputError, match=told):
            sqlanon.m_invariant(con, "alike", **ABOUT, m=2, into="out", state_into="out_state")
        assert (
            con.execute("select table_name from duckdb_tables() where table_name like 'out%'").fetchall()
            == []
        )

    @pytest.mark.parametrize(
        ("change", "told"),
        [
            ("update r set disease = 'y' where disease = 'x'", "classes that have fewer than m values"),
            ("update s set signature = ['x', 'z'] where id = 2", "people whose value is not in their"),
            ("update s set signature = ['x', 'y', 'z'] where id = 1", "people with another signature"),
            ("update r set counterfeits = 1", "signatures whose classes do not have room"),
            ("delete from s where id = 1", "people whose value is not in their signature"),
        ],
    )
    def test_a_release_that_went_wrong(self, con: duckdb.DuckDBPyConnection, change: str, told: str) -> None:
        """The check of release and state looks at both anew."""
        con.execute("""
            create or replace table p as from (values (1, 'x'), (2, 'y')) as row(id, disease);
            create or replace table before as select 1 as person, ['x', 'y'] as signature;
            create or replace table s as select unnest([1, 2]) as id, ['x', 'y'] as signature;
            create or replace table r as
                select 1 as group_id, unnest(['x', 'y']) as disease, 0 as counterfeits
        """).fetchall()
        check = """select problem from sqlanon._m_invariant_problems(
            'r', 's', 'before', 'p', 'id', 'disease', 2) where n > 0"""
        assert con.execute(check).fetchall() == []
        con.execute(change).fetchall()
        assert any(problem.startswith(told) for (problem,) in con.execute(check).fetchall())
