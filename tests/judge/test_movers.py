"""People who move between nights: whoever knows where somebody was on each night locates them by that."""

from __future__ import annotations

from collections.abc import Sequence

import duckdb
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import sqlanon
from sqlanon.core.statements import call, execute
from sqlanon.core.tables import WorkTables
from sqlanon.judge.evidence import Entered, Kept, Released, Subjects
from sqlanon.judge.movers import Movers
from sqlanon.judge.verdicts import Judge
from tests.budget import examples
from tests.judge.nights import ATTACK, CERTAIN, FAILS, HOLDS

# Where somebody lives on each night, and what they have.
Person = tuple[Sequence[int], str]


def certain(people: Sequence[Person], night: int) -> set[int]:
    """The people of whom somebody is certain, who knows where everybody lives on each night and has all
    releases until one: slowly, person by person."""
    found = set()
    for number, (places, _) in enumerate(people):
        left = {disease for _, disease in people}
        for then in range(night + 1):
            left &= {disease for others, disease in people if others[then] == places[then]}
        if len(left) == 1:
            found.add(number)
    return found


@st.composite
def worlds(draw: st.DrawFn) -> tuple[list[Person], int]:
    """People, and how many nights."""
    nights = draw(st.integers(2, 3))
    homes = st.lists(st.integers(1, 2), min_size=nights, max_size=nights)
    moving = homes | st.integers(1, 2).map(lambda home: [home] * nights)
    size = draw(st.integers(4, 7))
    people = draw(
        st.lists(st.tuples(moving, st.sampled_from(["flu", "gout", "hiv"])), min_size=size, max_size=size)
    )
    return [(tuple(homes), disease) for homes, disease in people], nights


def judge(
    con: duckdb.DuckDBPyConnection,
    people: Sequence[Person],
    nights: int,
    *,
    with_cells: bool,
    unit: bool = False,
) -> tuple[str, int | None, set[int | None]]:
    """What is said of the releases of all nights, which are the raw table without names; how many are
    certain; and of how many people it is not known because they moved. Names are written otherwise on each
    night."""
    con.execute("create or replace temp table secret as select 'secret' as secret").fetchall()
    con.execute(
        "create or replace temp table kept(release_id int, who text, cells text, sensitive_cells text)"
    )
    con.execute(
        "create or replace temp table cells(release_id int, who text, columns text[], cells text[], hashed "
        "text)"
    )
    releases = []
    for night in range(nights):
        con.execute(f"create or replace temp table night_{night}(name text, zip int, disease text, i int)")
        for i, (homes, disease) in enumerate(people):
            name = f"P{i} " if night % 2 else f"p{i}"
            con.execute(f"insert into night_{night} values (?, ?, ?, ?)", [name, homes[night], disease, i])
        con.execute(
            f"create or replace temp table out_{night} as select zip, disease from night_{night} order by all"
        ).fetchall()
        hashed = call("_hashed_people", f"night_{night}", "secret", "i", ["name"], ["zip"], ["disease"]).sql(
            "duckdb"
        )
        con.execute(
            f"insert into kept select {night}, who, cells, sensitive_cells from ({hashed})"
        ).fetchall()
        if with_cells:
            con.execute(
                f"insert into cells select {night}, who, ['zip'], [zip::text], cells from ({hashed}) as "
                "hashed "
                f"join night_{night} on id = i"
            ).fetchall()
        releases.append(
            Released(
                f"out_{night}", f"out_{night}", ["zip"], ["disease"], is_as_today=["zip"], suppressed_rows=0
            )
        )
    entered = {each.name: Entered(night, ["name"], with_cells) for night, each in enumerate(releases[:-1])}
    who = {"unit": "name"} if unit else {"identity": ["name"]}
    asked = Subjects(f"night_{nights - 1}", ["zip"], ["disease"], **who)
    kept = Kept("kept", "cells", "secret", entered)
    with WorkTables(con) as work:
        judging = Judge(
            con, work, asked, releases, {CERTAIN: 0.0}, newest=releases[-1].name, attacks=[ATTACK], kept=kept
        )
        made = judging.judgement(lambda done, message: None)
        of_all = [each.name for each in releases]
        found = execute(
            con,
            f"select people from {made.said} where attack = ? and id = 'pvp_100' and releases = ?",
            [ATTACK, of_all],
        )
    doubted = {doubt.people for doubt in judging.doubts if doubt.id == "moved"}
    execute(con, f"drop table {made.said}")
    return made.verdict, (found[0][0] if found else None), doubted


SWAP: tuple[list[Person], int] = (
    [((1, 2), "flu"), ((1, 1), "gout"), ((2, 1), "flu"), ((2, 2), "hiv")], 2,
)  # fmt: skip
STILL: tuple[list[Person], int] = [((1, 1), "flu"), ((1, 1), "gout"), ((2, 2), "flu"), ((2, 2), "hiv")], 2


@pytest.mark.slow("3 s")
@given(worlds(), st.booleans())
@example(SWAP, True)
@example(STILL, False)
@examples(60, quick=0)
def test_people_are_looked_for_where_they_were(world: tuple[list[Person], int], unit: bool) -> None:
    """Where it was kept, movers are found as somebody finds them who knows where everybody was on each
    night."""
    people, nights = world
    with duckdb.connect(config={"threads": 1}) as con:
        sqlanon.register(con)
        verdict, found, doubted = judge(con, people, nights, with_cells=True, unit=unit)
    expected = certain(people, nights - 1)
    assert doubted == set()
    assert found == len(expected)
    assert verdict == (FAILS if expected else HOLDS)


@given(worlds())
@example(SWAP)
@example(STILL)
@examples(40, quick=0)
def test_movers_are_counted(world: tuple[list[Person], int]) -> None:
    """Where it was not kept where people were, it is known how many have moved since each night, and whatever
    else is not found, it does not hold."""
    people, nights = world
    with duckdb.connect(config={"threads": 1}) as con:
        sqlanon.register(con)
        verdict, _, doubted = judge(con, people, nights, with_cells=False)
    moved = [sum(homes[night] != homes[-1] for homes, _ in people) for night in range(nights - 1)]
    assert doubted == {number for number in moved if number}
    assert not (verdict == HOLDS and (any(moved) or certain(people, nights - 1)))
    assert verdict == HOLDS or any(moved) or certain(people, nights - 1)


def test_columns_of_other_collations_are_kept_and_compared(con: duckdb.DuckDBPyConnection) -> None:
    """What is kept of people is that of texts, and so are values of one side, whatever columns compare by."""
    rows = "(values (1, 'Ann', 'Köln', 'flu'), (2, 'Bob', 'Koln', 'gout')) as people(id, who, town, disease)"
    con.execute("create table secret as select '\\x00'::blob as secret").fetchall()
    con.execute(f"create table plain as from {rows}").fetchall()
    con.execute(
        "create table collated "
        "(id integer, who text collate nocase, town text collate noaccent, disease text)"
    ).fetchall()
    con.execute("insert into collated from plain").fetchall()
    kept = [
        execute(con, call("_hashed_people", table, "secret", "id", ["who"], ["town"], ["disease"]))
        for table in ("plain", "collated")
    ]
    assert sorted(kept[0]) == sorted(kept[1])
    assert len(kept[0]) == 2
    compared = execute(con, call("_values_of_one_side", "collated", "collated", "who", "town", 1, 1, False))
    assert compared == execute(con, call("_values_of_one_side", "plain", "plain", "who", "town", 1, 1, False))


@pytest.mark.parametrize(
    ("words", "moved"),
    [
        ({"Femme": "F", "Homme": "H"}, [1]),
        ({}, [4]),
        ({"Femme": "F", "femme": "F", "Homme": "H"}, [3]),  # nobody knows which of two it was
    ],
)
def test_a_word_that_is_told_is_no_move(
    con: duckdb.DuckDBPyConnection, words: dict[str, str], moved: list[int]
) -> None:
    sqlanon.register(con)
    con.execute(
        """create table secret as select 'secret' as secret;
        create table night as from (values (1, 'ann', 'Femme'), (2, 'eve', 'Femme'), (3, 'bob', 'Homme'),
            (4, 'kim', 'Femme')) as t(i, name, sex);
        create table people as from (values (1, 'ann', 'F'), (2, 'eve', 'F'), (3, 'bob', 'H'),
            (4, 'kim', 'H')) as t(i, name, sex)"""
    ).fetchall()
    hashed = call("_hashed_people", "night", "secret", "i", ["name"], ["sex"], []).sql("duckdb")
    con.execute(
        f"""create table kept as select 1 as release_id, who, cells, sensitive_cells from ({hashed});
        create table cells(release_id int, who text, columns text[], cells text[], hashed text)"""
    ).fetchall()
    kept = Kept("kept", "cells", "secret", {"night": Entered(1, ["name"], False)})
    release = Released("night", "night", ["sex"], values={"sex": words}, suppressed_rows=0)
    with WorkTables(con) as work:
        movers = Movers(con, work, Subjects("people", ["sex"], unit="name"), kept, "people", "i")
        movers.compare([release])
    assert [each.people for each in movers.doubts if each.id == "moved"] == moved
