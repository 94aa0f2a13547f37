"""The intersection attack on rows of several columns."""

# As texts: Hypothesis keeps evaluated annotations, and DuckDB 2.0 reports its types there as leaks.
from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sqlanon
from tests import data
from tests.budget import examples
from tests.oracles import attack, unchanged_rows
from tests.oracles.unchanged_rows import LACKS
from tests.tables import literal

COLUMNS = ("disease", "ward", "month")
QI = "age"


@pytest.fixture(scope="module")
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        sqlanon.register(connection)
        yield connection


def records(con: duckdb.DuckDBPyConnection, macro: str, **arguments: Any) -> list[dict[str, Any]]:
    """Rows with the names of their columns."""
    named = ", ".join(f"{name} := {literal(value)}" for name, value in arguments.items() if value is not None)
    cursor = con.execute(f"from sqlanon.{macro}({named})")
    names = [column[0] for column in cursor.description or []]
    return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]


@dataclass(frozen=True)
class Scene:
    """Releases of rows of an age and the values of COLUMNS, where a release may lack columns that are not
    sensitive (LACKS), and the ages of targets.
    """

    releases: Sequence[Sequence[tuple[Any, ...]]]
    ages: Sequence[int]
    learned: int = 1
    joined: int = 3  # of COLUMNS, the sensitive ones among them
    changing: frozenset[int] = frozenset()
    presence: Sequence[Sequence[bool]] | None = None

    def load(self, con: duckdb.DuckDBPyConnection) -> dict[str, Any]:
        for number, rows in enumerate(self.releases, 1):
            has = [c for c in range(self.joined) if rows[0][c + 1] is not LACKS]
            columns = ["age varchar", *(f"{COLUMNS[c]} varchar" for c in has)]
            con.execute(f"create or replace table r{number} ({', '.join(columns)})")
            con.executemany(
                f"insert into r{number} values ({', '.join('?' * len(columns))})",
                [[row[0], *(row[c + 1] for c in has)] for row in rows],
            )
        present = "".join(f", true as in{j}" for j in range(1, len(self.releases) + 1))
        con.execute(
            f"create or replace table t as select i as id, [{', '.join(map(str, self.ages))}][i + 1] as age"
            f"{present} from range({len(self.ages)}) as numbers(i)"
        )
        for i, row in enumerate(self.presence or ()):
            told = ", ".join(f"in{j} = {is_in}" for j, is_in in enumerate(row, 1))
            con.execute(f"update t set {told} where id = {i}")
        numbers = range(1, len(self.releases) + 1)
        return {
            "releases": [f"r{number}" for number in numbers],
            "targets": "t",
            "id": "id",
            "qi": QI,
            "sensitive": list(COLUMNS[: self.learned]),
            "unchanged": list(COLUMNS[self.learned : self.joined]) or None,
            "values_may_change": [COLUMNS[c] for c in sorted(self.changing)] or None,
            "presence": [f"in{number}" for number in numbers] if self.presence else None,
        }

    def learn(self) -> list[list[unchanged_rows.Learned]]:
        classes: list[dict[tuple[Any, ...], Counter[Any]]] = []
        for rows in self.releases:
            by_label: dict[tuple[Any, ...], Counter[Any]] = {}
            for label, *values in rows:
                by_label.setdefault((label,), Counter())[tuple(values[: self.joined])] += 1
            classes.append(by_label)
        located = attack.locate_all(classes, [(age,) for age in self.ages], None, self.presence)
        stable = frozenset(range(self.joined)) - self.changing
        changing = frozenset(c for c in self.changing if c < self.learned)
        return unchanged_rows.Attack(classes, located, self.learned, stable, changing).learn()


def check(con: duckdb.DuckDBPyConnection, scene: Scene) -> None:
    """Each answer against the slow version, and the summary against the answers."""
    arguments = scene.load(con)
    found = {(row["id"], row["sensitive"]): row for row in records(con, "intersection_attack", **arguments)}
    wanted = scene.learn()
    for i, columns in enumerate(wanted):
        for c, one in enumerate(columns):
            row = found[i, COLUMNS[c]]
            told = dict(zip(row["candidates"], row["probabilities"], strict=True))
            assert told == pytest.approx({value: float(p) for value, p in one.candidates.items()}), (i, c)
            assert row["posterior"] == len(told)
            assert row.get("contradiction", row["posterior"] == 0) == one.contradictory, (i, c)
    measured = {
        (row["sensitive"], row["id"]): row["value"]
        for row in records(con, "breaches", **arguments, sure=[60])
    }
    for c in range(scene.learned):
        learned = [columns[c] for columns in wanted]
        share = 100 * sum(one.contradictory for one in learned) / len(learned)
        assert measured[COLUMNS[c], "contradictions"] == pytest.approx(share)
        if all(one.surest is not None for one in learned):
            sure = 100 * sum(round(float(one.surest or 0), 11) >= 0.6 for one in learned) / len(learned)
            assert measured[COLUMNS[c], "sure_60"] == pytest.approx(sure)


HERE = [("*", "flu", "a"), ("*", "gout", "b")]
THERE = [("*", "flu", "a"), ("*", "gout", "c"), ("*", "angina", "b")]


def two_columns(*releases: list[tuple[Any, ...]], **more: Any) -> Scene:
    """One target, and releases with a disease and a ward."""
    rows = [[(*row, LACKS) for row in release] for release in releases]
    return Scene(rows, [30], **{"learned": 2, "joined": 2, **more})


class TestExamples:
    @pytest.mark.slow("2 s")
    def test_one_row_is_left(self, con: duckdb.DuckDBPyConnection) -> None:
        """Each column on its own has two values left, and the rows have one."""
        scene = two_columns(HERE, THERE)
        check(con, scene)
        arguments = scene.load(con)
        rows = records(con, "intersection_attack", **arguments)
        assert {row["sensitive"]: row["candidates"] for row in rows} == {"disease": ["flu"], "ward": ["a"]}
        alone = records(con, "intersection_attack", **{**arguments, "sensitive": "disease"})
        assert [(row["posterior"], "contradiction" in row) for row in alone] == [(2, False)]
        measured = {row["id"]: row["value"] for row in records(con, "breaches", **arguments)}
        assert (measured["pvp_100"], measured["contradictions"]) == (100, 0)
        kept = {**arguments, "sensitive": "disease", "unchanged": "WARD"}
        [row] = records(con, "intersection_attack", **kept)
        assert (row["sensitive"], row["candidates"], row["prior"]) == ("disease", ["flu"], 2)

    @pytest.mark.slow("2 s")
    def test_every_attack_knows_the_rows(self, con: duckdb.DuckDBPyConnection) -> None:
        arguments = two_columns(HERE, THERE).load(con)
        about = {name: arguments[name] for name in ("targets", "id", "qi", "sensitive")}
        for may_change, certain in ((None, 100), ("ward", 0)):
            made = sqlanon.run_attacks(
                con, ["r1", "r2"], **about, attacks="intersection_attack", values_may_change=may_change
            )
            rows = made.filter("id = 'pvp_100'").project("sensitive, value").fetchall()
            assert rows == [("disease", certain), ("ward", certain)]

    @pytest.mark.slow("1 s")
    def test_a_release_lacks_the_column(self, con: duckdb.DuckDBPyConnection) -> None:
        """What the third says of diseases is joined with the rows of the others."""
        here = [("*", "flu", "a"), ("*", "gout", "b"), ("*", "cold", "c")]
        there = [("*", "flu", "a"), ("*", "gout", "b"), ("*", "cold", "d")]
        third = [("*", "flu", LACKS), ("*", "cold", LACKS)]
        scene = two_columns(here, there, third, learned=1)
        check(con, scene)
        [row] = records(con, "intersection_attack", **scene.load(con))
        assert (row["candidates"], row["contradiction"]) == (["flu"], False)

    def test_a_column_that_changed_hides_nothing(self, con: duckdb.DuckDBPyConnection) -> None:
        """The month differs, so that no row is left, and the disease is certain all the same."""
        scene = two_columns([("*", "flu", "May")], [("*", "flu", "June"), ("*", "cold", "July")], learned=1)
        check(con, scene)
        arguments = scene.load(con)
        [row] = records(con, "intersection_attack", **arguments)
        assert (row["candidates"], row["contradiction"]) == (["flu"], True)
        measured = {row["id"]: row["value"] for row in records(con, "breaches", **arguments)}
        assert (measured["pvp_100"], measured["contradictions"]) == (100, 100)

    @pytest.mark.slow("1 s")
    def test_all_but_one_column(self, con: duckdb.DuckDBPyConnection) -> None:
        """Of three columns the month has changed: disease and ward together still leave one row."""
        here = [(*row, "May") for row in HERE]
        there = [(*row, "June") for row in THERE]
        scene = Scene([here, there], [30], learned=1, joined=3)
        check(con, scene)
        [row] = records(con, "intersection_attack", **scene.load(con))
        assert (row["candidates"], row["contradiction"]) == (["flu"], True)

    @pytest.mark.slow("2 s")
    def test_values_may_change(self, con: duckdb.DuckDBPyConnection) -> None:
        """Who takes diagnoses to stay is certain of one; each release on its own leaves two."""
        scene = two_columns(
            [("*", "flu", "a"), ("*", "gout", "a")],
            [("*", "flu", "a"), ("*", "cold", "a"), ("*", "flu", "a")],
            learned=1, joined=1, changing=frozenset({0}),
        )  # fmt: skip
        check(con, scene)
        arguments = scene.load(con)
        [row] = records(con, "intersection_attack", **arguments)
        assert (row["candidates"], row["probabilities"]) == (["flu", "cold"], pytest.approx([2 / 3, 1 / 3]))
        measured = {row["id"]: row["value"] for row in records(con, "breaches", **arguments)}
        assert (measured["pvp_100"], measured["contradictions"]) == (0, 0)
        assert measured["weighted_guess_expected"] == pytest.approx(200 / 3)
        stays = {row["id"]: row["value"] for row in
                 records(con, "breaches", **{**arguments, "values_may_change": None})}  # fmt: skip
        assert (stays["pvp_100"], stays["weighted_guess_expected"]) == (100, 100)

    @pytest.mark.slow("1 s")
    def test_the_others_leave_rows_of_each_release(self, con: duckdb.DuckDBPyConnection) -> None:
        """A mask by a hash stays: of the rows that it leaves, each release tells the disease of then."""
        scene = two_columns(
            [("*", "flu", "x1"), ("*", "gout", "x2")], [("*", "cold", "x1"), ("*", "flu", "x3")],
            learned=1, changing=frozenset({0}),
        )  # fmt: skip
        check(con, scene)
        [row] = records(con, "intersection_attack", **scene.load(con))
        assert (row["posterior"], row["candidates"], row["contradiction"]) == (1, ["flu"], False)

    def test_a_column_that_says_nothing(self, con: duckdb.DuckDBPyConnection) -> None:
        """With a column that is the same everywhere, all is as without it."""
        here = [("*", s, "k") for s in ("flu", "flu", "gout", "cold")]
        there = [("*", s, "k") for s in ("flu", "gout", "gout", "cold", "angina")]
        arguments = two_columns(here, there, learned=1).load(con)
        answers = [
            records(con, "intersection_attack", **{**arguments, "unchanged": unchanged})[0]
            for unchanged in (["ward"], None)
        ]
        assert answers[0].pop("contradiction") is False
        assert answers[0].pop("probabilities") == pytest.approx(answers[1].pop("probabilities"), abs=1e-15)
        assert answers[0] == answers[1]

    @pytest.mark.slow("1 s")
    def test_what_is_ruled_out_of_one_column(self, con: duckdb.DuckDBPyConnection) -> None:
        """Whoever was not in ward b had no gout, also by one release alone; priors multiply."""
        arguments = two_columns(HERE, HERE).load(con)
        con.execute("create or replace table ruled_out as select 0 as id, 'ward' as sensitive, 'b' as value")
        for releases in (["r1", "r2"], ["r1"]):
            told = {**arguments, "releases": releases, "negations": "ruled_out"}
            rows = records(con, "intersection_attack", **told)
            found = {row["sensitive"]: row["candidates"] for row in rows}
            assert found == {"disease": ["flu"], "ward": ["a"]}
        con.execute(
            """create or replace table known as from (values ('ward', 'a', 0.2), ('ward', 'b', 0.8),
            ('disease', 'flu', 0.75), ('disease', 'gout', 0.25)) as row(sensitive, value, share)"""
        )
        rows = records(con, "intersection_attack", **{**arguments, "priors": "known"})
        chances = {
            row["sensitive"]: dict(zip(row["candidates"], row["probabilities"], strict=True)) for row in rows
        }
        assert chances["disease"] == pytest.approx({"flu": 3 / 7, "gout": 4 / 7})
        assert chances["ward"] == pytest.approx({"a": 3 / 7, "b": 4 / 7})

    @pytest.mark.parametrize(
        ("more", "message"),
        [
            ({"unchanged": "wart"}, 'no release has column "wart"'),
            ({"values_may_change": "wart"}, "values_may_change names wart, which is in neither"),
            ({"unchanged": "disease"}, '"disease" is named twice'),
            ({"unchanged": "age"}, '"age" is named twice'),
        ],
    )
    def test_errors(self, con: duckdb.DuckDBPyConnection, more: dict[str, Any], message: str) -> None:
        arguments = two_columns(HERE, THERE, learned=1, joined=1).load(con)
        with pytest.raises(duckdb.Error, match=message):
            records(con, "intersection_attack", **{**arguments, **more})

    def test_names_that_need_quotes(self, con: duckdb.DuckDBPyConnection) -> None:
        con.execute('create schema if not exists "my.schema"')
        con.execute("create or replace table t as select 0 as id, 30 as age")
        name = '"my.schema"."r ""1"" {i}"'
        rows = "(values ('*', 'flu', 'a'), ('*', 'gout', 'b'))"
        con.execute(f'create or replace table {name} as from {rows} as row(age, "{{s}}", "the ""ward""")')
        [row] = records(
            con, "intersection_attack", releases=[name, name], targets="t", id="id", qi="age",
            sensitive="{s}", unchanged='the "ward"',
        )  # fmt: skip
        assert row["candidates"] == ["flu", "gout"]


@st.composite
def puzzles(draw: st.DrawFn) -> tuple[list[tuple[str, str, tuple[str, str]]], int]:
    """People with a class in each of two releases, and a row; and how many of them are targets."""
    row = st.tuples(st.sampled_from("12"), st.sampled_from("ab"))
    person = st.tuples(st.sampled_from("abc"), st.sampled_from("uvw"), row)
    people = draw(st.lists(person, min_size=2, max_size=10))
    return people, draw(st.integers(1, len(people)))


class TestExactCover:
    @pytest.mark.slow("4 s")
    @examples(20)
    @given(puzzles())
    def test_against_all_assignments(
        self, con: duckdb.DuckDBPyConnection, puzzle: tuple[list[tuple[str, str, tuple[str, str]]], int]
    ) -> None:
        """Rows are filled in, and no more is told of each column than what is left of them, and the truth."""
        people, known = puzzle
        for name, x, y in (("r1", "x", "'*'"), ("r2", "'*'", "y"), ("t", "x", "y")):
            con.execute(
                f"""create or replace table {name} as select id, {x} as x, {y} as y, d, w
                from (select unnest(range(?)) as id, unnest(?::varchar[]) as x, unnest(?::varchar[]) as y,
                    unnest(?::varchar[]) as d, unnest(?::varchar[]) as w)""",
                [len(people), [p[0] for p in people], [p[1] for p in people],
                 [p[2][0] for p in people], [p[2][1] for p in people]],
            )  # fmt: skip
        con.execute(f"delete from t where id >= {known}")
        targets = people[:known]
        classes = [
            (
                [i for i, target in enumerate(targets) if target[column] == there],
                Counter(row for *at, row in people if at[column] == there),
            )
            for column in (0, 1)
            for there in {target[column] for target in targets}
        ]
        candidates = [
            frozenset.intersection(*(frozenset(rows) for inside, rows in classes if i in inside))
            for i in range(known)
        ]
        wanted = attack.exact_cover(candidates, classes)
        rows = records(
            con, "intersection_attack", releases=["r1", "r2"], targets="t", id="id", qi=["x", "y"],
            sensitive=["d", "w"], exact_cover=True,
        )  # fmt: skip
        found = {(row["id"], row["sensitive"]): set(row["candidates"]) for row in rows}
        for i, left in enumerate(wanted):
            for column, values, true in zip("dw", zip(*left, strict=True), targets[i][2], strict=True):
                assert {true} <= found[i, column] <= set(values)


class TestColumnsOfSome:
    """Releases that lack columns which others have."""

    @pytest.mark.slow("1 s")
    def test_a_sensitive_column_that_one_lacks(self, con: duckdb.DuckDBPyConnection) -> None:
        """Who is in p has ward w1 or w2, and there everybody has flu. Somebody who is not in the release with
        diseases may have any."""
        con.execute("""
            create or replace table r1 as from (values
                ('20', '*', 'w1', 'flu'), ('20', '*', 'w2', 'flu'), ('20', '*', 'w3', 'hiv'),
                ('20', '*', 'w4', 'acne')) as t(age, zip, ward, disease);
            create or replace table r2 as from (values
                ('*', 'p', 'w1'), ('*', 'p', 'w2'), ('*', 'q', 'w3'), ('*', 'q', 'w4'), ('*', 's', 'w9'))
                as t(age, zip, ward);
            create or replace table t as from (values
                (1, '20', 'p', true), (2, '20', 'q', true), (3, '20', 's', false)) as t(id, age, zip, first);
            create or replace table t as select *, true as second from t;
        """)
        asked: dict[str, Any] = {
            "targets": "t", "id": "id", "qi": ["age", "zip"], "sensitive": "disease", "unchanged": ["ward"],
        }  # fmt: skip
        for releases, presence in ((["r1", "r2"], ["first", "second"]), (["r2", "r1"], ["second", "first"])):
            rows = records(con, "intersection_attack", releases=releases, presence=presence, **asked)
            assert [sorted(row["candidates"]) for row in sorted(rows, key=lambda row: row["id"])] == [
                ["flu"], ["acne", "hiv"], ["acne", "flu", "hiv"],
            ]  # fmt: skip
        with pytest.raises(duckdb.Error, match='no release has column "diseases"'):
            records(con, "intersection_attack", releases=["r1", "r2"], **asked | {"sensitive": "diseases"})


class TestOwnColumns:
    """A column that one release alone has takes nothing away from what both tell together."""

    # of each: the class on either night, disease, job, a column of each night; are they there on the second?
    LEAVER = (
        ("a", "p", "flu", "x", "d1", "u", True), ("a", "p", "gout", "y", "d2", "v", True),
        ("a", "p", "gout", "x", "d1", "w", False), ("b", "q", "flu", "y", "d2", "u", True),
        ("b", "q", "gout", "x", "d1", "v", True),
    )  # fmt: skip

    @pytest.mark.slow("1 s a case", but=(0,))
    @pytest.mark.parametrize("own", [False, True])
    def test_who_has_left_is_certain(self, con: duckdb.DuckDBPyConnection, own: bool) -> None:
        people = ", ".join(str((i, *person)) for i, person in enumerate(self.LEAVER))
        con.execute(f"""
            create or replace table t as select *, true as first from (values {people})
                as t(id, x, y, disease, job, drug, ward, second);
            create or replace table r1 as
                select x, '*' as y, disease, job {", drug" if own else ""} from t;
            create or replace table r2 as
                select '*' as x, y, disease, job {", ward" if own else ""} from t where second;
        """)
        rows = records(
            con, "exact_cover", releases=["r1", "r2"], targets="t", id="id", qi=["x", "y"],
            sensitive="disease", presence=["first", "second"],
            unchanged=["job", "drug", "ward"] if own else ["job"],
        )  # fmt: skip
        assert {row["id"]: row["candidates"] for row in rows}[2] == ["gout"]


@pytest.mark.slow("5 s")
@data.needs_data
def test_adult(con: duckdb.DuckDBPyConnection) -> None:
    """Two releases of overlapping samples, k = 5 and l = 2: far more people are certain than each column on
    its own tells. Counted by dictionaries.
    """
    data.load_arx_adult(con, "adult")
    qi = ["sex", "age", "race", "marital-status", "education", "native-country", "workclass"]
    sensitive = ["occupation", "salary-class"]
    for i in (1, 2):
        con.execute(f"""
            create or replace table s{i} as from adult where hash(id, {i}) % 1000 < 630;
            create or replace table r{i} as
                from sqlanon.mondrian(
                    's{i}', qi := {qi}, sensitive := {sensitive}, k := 5, l := 2, seed := {i})
        """)
    con.execute("create or replace table t as from s1 semi join s2 using (id)")
    rows_of: list[defaultdict[int, set[tuple[str, str]]]] = []
    for i in (1, 2):
        labels = con.execute(f"select * exclude (size) from sqlanon.classes('r{i}', {qi})").fetchall()
        numbers = {tuple(label): number for number, *label in labels}
        members: defaultdict[int, set[tuple[str, str]]] = defaultdict(set)
        columns = ", ".join(f'"{name}"' for name in [*qi, *sensitive])
        for *label, occupation, salary in con.execute(f"select {columns} from r{i}").fetchall():
            members[numbers[tuple(label)]].add((occupation, salary))
        rows_of.append(members)
    answer = records(
        con, "intersection_attack", releases=["r1", "r2"], targets="t", id="id", qi=qi, sensitive=sensitive
    )
    certain: Counter[str] = Counter()
    for row in answer:
        column = sensitive.index(row["sensitive"])
        first, second = (
            set[tuple[str, str]]().union(*(members[number] for number in evidence["classes"]))
            for members, evidence in zip(rows_of, row["located"], strict=True)
        )
        assert set(row["candidates"]) == {one[column] for one in first & second}
        certain["rows"] += len({one[column] for one in first & second}) == 1
        certain["columns"] += len({one[column] for one in first} & {one[column] for one in second}) == 1
    measured = records(
        con, "breaches", releases=["r1", "r2"], targets="t", id="id", qi=qi, sensitive=sensitive
    )
    told = [row["value"] / 100 for row in measured if row["id"] == "pvp_100"]
    assert sum(told) == pytest.approx(2 * certain["rows"] / len(answer))
    assert certain["rows"] > 10 * certain["columns"]


LABELS = ["*", "1", "2", "{1, 2}", "[2, 3]"]


@st.composite
def scenes(draw: st.DrawFn) -> Scene:
    learned = draw(st.integers(1, 2))
    joined = draw(st.integers(learned, 3))
    value = st.sampled_from(["a", "b", None])
    releases = []
    for _ in range(draw(st.integers(1, 3))):
        lacking = [c >= learned and draw(st.booleans()) for c in range(3)]
        rows = draw(st.lists(st.tuples(st.sampled_from(LABELS), value, value, value), min_size=1, max_size=7))
        releases.append([
            (label, *(LACKS if lacks else one for lacks, one in zip(lacking, values, strict=True)))
            for label, *values in rows
        ])  # fmt: skip
    for c in range(learned, joined):  # some release has it
        if all(rows[0][c + 1] is LACKS for rows in releases):
            releases[0] = [(*row[: c + 1], "a", *row[c + 2 :]) for row in releases[0]]
    ages = draw(st.lists(st.integers(1, 4), min_size=1, max_size=4))
    changing = draw(st.sets(st.integers(0, joined - 1), max_size=2))
    is_in = st.lists(st.booleans(), min_size=len(releases), max_size=len(releases))
    presence = draw(st.one_of(st.none(), st.lists(is_in, min_size=len(ages), max_size=len(ages))))
    return Scene(releases, ages, learned, joined, frozenset(changing), presence)


class TestAgainstTheOracle:
    @examples(80, quick=6)
    @given(scenes())
    def test_random_rows(self, con: duckdb.DuckDBPyConnection, scene: Scene) -> None:
        check(con, scene)
