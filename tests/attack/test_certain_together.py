"""Who is certain by several classes together, against all worlds: classes that cross or overlap, people who
were suppressed, and rows of others."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import duckdb
import pytest

import sqlanon
from sqlanon.attack import possible_values as programs
from sqlanon.attack.exchanges import on_cycles
from tests.oracles.certain_together import Release
from tests.oracles.certain_together import possible_values as of_all_worlds

VALUES = ("flu", "gout", "hiv")
APART = 100  # of the numbers of people in different worlds


@pytest.fixture
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        sqlanon.register(connection)
        yield connection


@dataclass(frozen=True)
class World:
    """People who are in releases, and what is true of them. own: of each release, where each person is in its
    column (a number); classes: the intervals of numbers that they are, and the class of each of the people
    (None: suppressed); others: rows of people whom nobody knows, by class and value; believed: of each
    release, who is believed to be in it, though they were suppressed."""

    values: Sequence[str]
    own: Sequence[Sequence[int]]
    classes: Sequence[Sequence[tuple[int, int]]]
    place: Sequence[Sequence[int | None]]
    others: Sequence[Sequence[tuple[int, str]]]
    believed: Sequence[Sequence[bool]]

    def releases(self) -> list[Release]:
        """As the oracle takes them."""
        made = []
        for own, classes, place, others in zip(self.own, self.classes, self.place, self.others, strict=True):
            rows: dict[int, Counter[str]] = {number: Counter() for number in range(len(classes))}
            for value, at in zip(self.values, place, strict=True):
                if at is not None:
                    rows[at][value] += 1
            for at, value in others:
                rows[at][value] += 1
            places = [
                []
                if at is None
                else [i for i, (low, high) in enumerate(classes) if low <= x <= high and rows[i]]
                for x, at in zip(own, place, strict=True)
            ]
            made.append(Release(places, rows))
        return made


def a_world(rng: random.Random, releases: int) -> World:
    """Five to nine people, in two or three classes of each release; some classes overlap, some people are
    suppressed, and some rows are of others."""
    n = rng.randint(5, 9 if releases == 2 else 7)
    values = rng.choices(VALUES[: rng.choice([2, 2, 3])], k=n)
    overlap, suppressed, strangers = (rng.random() < share for share in (0.3, 0.3, 0.2))
    believed = suppressed and not strangers and rng.random() < 0.3
    made: list[list[Any]] = [[], [], [], [], []]
    for _ in range(releases):
        own = rng.sample(range(n), n)
        cuts = sorted(rng.sample(range(2, n - 1), rng.choice([1, 1, 2])))
        classes = [(low, high - 1) for low, high in zip([0, *cuts], [*cuts, n], strict=True)]
        place: list[int | None] = [
            next(i for i, (low, high) in enumerate(classes) if low <= x <= high) for x in own
        ]
        if overlap:
            classes = [(low, min(high + rng.randint(0, 1), n - 1)) for low, high in classes]
        if suppressed:
            place = [None if rng.random() < 0.15 else at for at in place]
        others = [(rng.randrange(len(classes)), rng.choice(values)) for _ in range(strangers)]
        wrong = [believed and at is None and rng.random() < 0.5 for at in place]
        for told, one in zip(made, (own, classes, place, others, wrong), strict=True):
            told.append(one)
    return World(values, *made)


def loaded(con: duckdb.DuckDBPyConnection, worlds: Sequence[World]) -> tuple[list[str], dict[str, Any]]:
    """The releases, and what exact_cover takes of them. All worlds are in the same tables."""
    count = len(worlds[0].classes)
    columns, names = [f"x{i}" for i in range(count)], [f"r{i}" for i in range(count)]
    present = [f"in_{name}" for name in names]
    targets = []
    for w, world in enumerate(worlds):
        for i, value in enumerate(world.values):
            own = [APART * w + world.own[r][i] for r in range(count)]
            there = [world.place[r][i] is not None or world.believed[r][i] for r in range(count)]
            targets.append((APART * w + i, *own, *there, value))
    typed = ", ".join([f"{x} int" for x in columns] + [f"{x} boolean" for x in present])
    con.execute(f"create or replace table t (id int, {typed}, disease text)")
    con.executemany(f"insert into t values ({', '.join('?' * (2 + 2 * count))})", targets)
    for r, name in enumerate(names):
        rows = []
        for w, world in enumerate(worlds):
            labels = [f"[{APART * w + low}, {APART * w + high}]" for low, high in world.classes[r]]
            told = [
                *(
                    (at, value)
                    for at, value in zip(world.place[r], world.values, strict=True)
                    if at is not None
                ),
                *world.others[r],
            ]
            rows += [(*(labels[at] if i == r else "*" for i in range(count)), value) for at, value in told]
        typed = ", ".join(f"{x} text" for x in columns)
        con.execute(f"create or replace table {name} ({typed}, disease text)")
        con.executemany(f"insert into {name} values ({', '.join('?' * (1 + count))})", rows)
    return names, {
        "targets": "t",
        "id": "id",
        "qi": columns,
        "sensitive": "disease",
        "presence": present,
    }


def attacked(
    con: duckdb.DuckDBPyConnection, worlds: Sequence[World], by_programs: bool
) -> tuple[list[list[set[str]]], list[list[bool]]]:
    """What exact_cover leaves of the values of everybody, and whether something was not asked."""
    names, given = loaded(con, worlds)
    if by_programs:
        found = sqlanon.exact_cover(con, names, **given)
    else:
        shown = ", ".join(f"{name} := {value!r}" for name, value in given.items())
        found = con.sql(f"from sqlanon.exact_cover({names!r}, {shown})")
    by_id = {
        id: (set(left), asked) for id, left, asked in found.project("id, candidates, not_asked").fetchall()
    }
    people = [[by_id[APART * w + i] for i in range(len(world.values))] for w, world in enumerate(worlds)]
    return [[left for left, _ in each] for each in people], [[asked for _, asked in each] for each in people]


def upper_ends(con: duckdb.DuckDBPyConnection, worlds: Sequence[World]) -> list[list[tuple[float, bool]]]:
    """How sure somebody may be at most of each of the people, and whether something was not asked; the truth
    is known."""
    names, given = loaded(con, worlds)
    found = sqlanon.exact_cover(con, names, **given, truth="disease").project("id, upper_end, not_asked")
    by_id = {id: told for id, *told in found.fetchall()}
    return [[tuple(by_id[APART * w + i]) for i in range(len(world.values))] for w, world in enumerate(worlds)]


class TestRandomWorlds:
    @pytest.mark.slow("2 s a case")
    @pytest.mark.parametrize("releases", [2, 3])
    def test_nobody_who_is_certain_is_missed(self, con: duckdb.DuckDBPyConnection, releases: int) -> None:
        self.check(con, 20, releases, 0)

    @pytest.mark.slow("many worlds", but=(14,))
    @pytest.mark.parametrize("seed", range(1, 11))
    @pytest.mark.parametrize("releases", [2, 3])
    def test_of_many(self, con: duckdb.DuckDBPyConnection, releases: int, seed: int) -> None:
        self.check(con, 100, releases, seed)

    def check(self, con: duckdb.DuckDBPyConnection, number: int, releases: int, seed: int) -> None:
        """Programs leave what is possible, and SQL alone nothing less."""
        rng = random.Random(seed)
        worlds = [a_world(rng, releases) for _ in range(number)]
        by_sql, _ = attacked(con, worlds, by_programs=False)
        by_programs, not_asked = attacked(con, worlds, by_programs=True)
        for world, simple, left, asked in zip(worlds, by_sql, by_programs, not_asked, strict=True):
            possible = of_all_worlds(world.releases())
            for person, value in enumerate(world.values):
                if any(wrong[person] for wrong in world.believed) or not any(
                    place[person] is not None for place in world.place
                ):
                    continue
                assert value in possible[person], world
                assert left[person] <= simple[person], (world, person)
                if any(map(any, world.believed)):  # what is believed is wrong; programs make nothing of it
                    assert value in left[person] or value not in simple[person], (world, person)
                    continue
                assert left[person] == possible[person], (world, person)
                assert not asked[person]


class TestExchanges:
    """Who is not asked about, and is not certain all the same."""

    @pytest.mark.parametrize("releases", [2, 3])
    def test_random_worlds(self, con: duckdb.DuckDBPyConnection, releases: int) -> None:
        """Nobody to whom one value is left is said to have two; of most others it is shown."""
        rng = random.Random(releases)
        worlds = [
            each for each in (a_world(rng, releases) for _ in range(40)) if not any(map(any, each.believed))
        ]
        programs.register_possible_values(con)
        con.execute("create or replace macro sqlanon._most_places_of_a_part() as 0")
        ends = upper_ends(con, worlds)
        shown = of_several = 0
        for world, of_world in zip(worlds, ends, strict=True):
            for left, (upper, not_asked) in zip(of_all_worlds(world.releases()), of_world, strict=True):
                if not_asked:
                    assert upper == 1 or len(left) > 1, world
                    shown += upper < 1
                    of_several += len(left) > 1
        assert shown > 0.8 * of_several > 10

    def test_two_values_in_two_releases_are_all_found(self) -> None:
        """Arrows of one value there, of the other back: 1 -> 2 -> 1 is a cycle, 3 -> 4 is none."""
        assert on_cycles([1, 1, 3], [2, 2, 4], [7, 8, 7], 1) == [True, True, False]
        assert on_cycles([1, 1, 3], [2, 2, 4], [7, 8, 7], 0) == [None, None, None]
        assert on_cycles([1], [2], [7], 1) == [False]

    def test_a_place_without_limits_is_one(self) -> None:
        """From nowhere to a class of Tuesday, back to a class of Monday, and from there to nowhere."""
        assert on_cycles([0, 3, 3], [2, 2, 0], [7, 8, 7], 1) == [True, True, True]
        assert on_cycles([1, 3, 3], [2, 2, 4], [7, 8, 7], 1) == [False, False, False]

    @pytest.mark.slow("2 s")
    def test_who_may_be_certain_is_not_known_to_hold(self, con: duckdb.DuckDBPyConnection) -> None:
        """Two women and two men on Monday, by postcode on Tuesday: each can have the other value, which is
        shown with the truth only."""
        given = load(con, TestByHand.FIVE + " where id < 5", *CROSSING)
        programs.register_possible_values(con)
        con.execute("create or replace macro sqlanon._most_places_of_a_part() as 0")
        for truth, verdict in (("disease", "holds"), (None, "not known")):
            judged = sqlanon.run_attacks(
                con, ["monday", "tuesday"], **given, truth=truth, attacks=["exact_cover"],
                tolerated={"exact_cover.certain": 0},
            )  # fmt: skip
            found = judged.filter("id = 'certain'").project("verdict, value").fetchall()
            assert found == [(verdict, 0)]


def load(con: duckdb.DuckDBPyConnection, people: str, monday: str, tuesday: str) -> dict[str, Any]:
    """People with columns of their own in two releases: x and y, and NULL where somebody was suppressed."""
    con.execute(
        f"create or replace table t as select *, x is not null as in_x, y is not null as in_y from ({people})"
    )
    con.execute(f"create or replace table monday as {monday}")
    con.execute(f"create or replace table tuesday as {tuesday}")
    return {"targets": "t", "id": "id", "qi": ["x", "y"], "sensitive": "disease"}


def certain(found: duckdb.DuckDBPyRelation) -> dict[int, str]:
    return dict(found.filter("confidence = 1").project("id, learned").fetchall())


CROSSING = "select x, '*' as y, disease from t where in_x", "select '*' as x, y, disease from t where in_y"


class TestByHand:
    FIVE = """from (values (1, 'f', 'r', 'flu'), (2, 'f', 'q', 'gout'), (3, 'm', 'r', 'gout'),
        (4, 'm', 'q', 'flu'), (5, 'm', null, 'flu')) as person(id, x, y, disease)"""

    @pytest.mark.parametrize("by_programs", [False, True])
    def test_monday_less_tuesday(self, con: duckdb.DuckDBPyConnection, by_programs: bool) -> None:
        """Five people on Monday, of whom one is suppressed on Tuesday."""
        given = load(con, self.FIVE, *CROSSING) | {"presence": ["in_x", "in_y"]}
        releases = ["monday", "tuesday"]
        if by_programs:
            found = sqlanon.exact_cover(con, releases, **given)
        else:
            shown = ", ".join(f"{name} := {value!r}" for name, value in given.items())
            found = con.sql(f"from sqlanon.exact_cover({releases!r}, {shown})")
        assert certain(found) == {5: "flu"}

    def test_classes_less_others(self, con: duckdb.DuckDBPyConnection) -> None:
        """Nine people who are all in both releases: two of three classes of Monday are two of Tuesday and one
        person more, who has what is left."""
        rows = [
            (1, "a", "u", "flu"), (2, "a", "u", "gout"), (3, "a", "v", "flu"), (4, "b", "u", "gout"),
            (5, "b", "v", "gout"), (6, "b", "w", "hiv"), (7, "c", "w", "flu"), (8, "c", "w", "gout"),
            (9, "c", "w", "hiv"),
        ]  # fmt: skip
        people = f"from (values {', '.join(map(repr, rows))}) as person(id, x, y, disease)"
        found = sqlanon.exact_cover(con, ["monday", "tuesday"], **load(con, people, *CROSSING))
        assert certain(found)[6] == "hiv"

    @pytest.mark.slow("2 s")
    def test_a_class_of_as_many_rows_as_people(self, con: duckdb.DuckDBPyConnection) -> None:
        """One release, whose classes overlap: three rows cover just three people, so that one of them has no
        row in the other class."""
        con.execute("create or replace table t as select range as id, range as age from range(1, 6)")
        con.execute(
            """create or replace table o as from (values
            ('[1, 3]', 'flu'), ('[1, 3]', 'flu'), ('[1, 3]', 'flu'), ('[3, 5]', 'gout'), ('[3, 5]', 'hiv'))
            as row(age, disease)"""
        )
        given: dict[str, Any] = {"id": "id", "qi": "age", "sensitive": "disease"}
        found = sqlanon.exact_cover(con, ["o"], "t", **given)
        assert certain(found) == {1: "flu", 2: "flu", 3: "flu"}
        answer = sqlanon.run_attacks(
            con, ["o"], targets="t", attacks=["exact_cover", "intersection_attack"], **given
        )
        assert answer.filter("attack = 'exact_cover' and id = 'certain'").project("value").fetchall() == [
            (60,)
        ]


class TestWhatIsNotAsked:
    @pytest.mark.slow("1 s")
    def test_without_programs(self, con: duckdb.DuckDBPyConnection, monkeypatch: pytest.MonkeyPatch) -> None:
        """What counting leaves stands, and is told."""
        monkeypatch.setattr(programs, "has_solver", lambda: False)
        given = load(con, TestByHand.FIVE, *CROSSING) | {"presence": ["in_x", "in_y"]}
        found = sqlanon.exact_cover(con, ["monday", "tuesday"], **given)
        assert found.order("id").project("not_asked").fetchall() == [(True,)] * 4 + [(False,)]
        answer = sqlanon.run_attacks(con, ["monday", "tuesday"], attacks=["exact_cover"], **given)
        assert answer.filter("id = 'not_asked'").project("value").fetchall() == [(80,)]

    @pytest.mark.parametrize(
        "limit", ["_most_places_of_a_part", "_most_places_of_parts", "_seconds_of_programs"]
    )
    def test_too_large_or_too_long(self, con: duckdb.DuckDBPyConnection, limit: str) -> None:
        given = load(con, TestByHand.FIVE, *CROSSING) | {"presence": ["in_x", "in_y"]}
        programs.register_possible_values(con)
        con.execute(f"create or replace macro sqlanon.{limit}() as 0")
        found = sqlanon.exact_cover(con, ["monday", "tuesday"], **given)
        assert found.order("id").project("not_asked").fetchall() == [(True,)] * 4 + [(False,)]

    def test_one_release_without_overlaps_needs_none(self, con: duckdb.DuckDBPyConnection) -> None:
        load(con, TestByHand.FIVE, *CROSSING)
        found = con.sql("from sqlanon.exact_cover(['monday'], 't', 'id', 'x', 'disease')")
        assert found.filter("not_asked").fetchall() == []
