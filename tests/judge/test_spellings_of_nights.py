"""Values that are written otherwise on one night: one value, or several? And values that have other words."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from typing import Any

import duckdb
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import sqlanon
from sqlanon.attack.known import Known
from sqlanon.attack.two_readings import of_releases, people_who_differ
from sqlanon.core.errors import UnreadWarning
from sqlanon.core.statements import execute
from sqlanon.core.tables import WorkTables
from sqlanon.judge.evidence import Doubt, Released, Subjects
from sqlanon.judge.verdicts import Judge
from tests.budget import examples
from tests.judge.nights import ATTACK, CERTAIN, FAILS, HOLDS

WRITTEN = ["{}", "{} ", " {}", "\u00a0{}"]
VALUES = ["flu", "gout", "hiv", "Ménière"]
Night = Sequence[tuple[int, str]]  # of each person a place, and what is written of them


@st.composite
def nights(draw: st.DrawFn) -> list[list[tuple[int, str]]]:
    """Two or three nights of the same people, who keep what they have; each may write each value in its own
    way."""
    size = draw(st.integers(3, 6))
    values = draw(st.lists(st.sampled_from(VALUES), min_size=size, max_size=size))
    made = []
    for _ in range(draw(st.integers(2, 3))):
        ways = {value: draw(st.sampled_from(WRITTEN) | st.just("{}")) for value in VALUES}
        upper = draw(st.booleans())
        places = draw(st.lists(st.integers(1, 2), min_size=size, max_size=size))
        written = [ways[value].format(value.upper() if upper else value) for value in values]
        made.append(list(zip(places, written, strict=True)))
    return made


def plain(value: str) -> str:
    """As people read it, of the values above."""
    return value.strip().lower()


def candidates(made: Sequence[Night], person: int, *, folded: bool) -> set[str]:
    """What somebody may have, slowly."""
    sets = [
        {plain(value) if folded else value for place, value in night if place == night[person][0]}
        for night in made
    ]
    return set.intersection(*sets)


def load(con: duckdb.DuckDBPyConnection, made: Sequence[Night]) -> list[str]:
    """Releases of the nights, by place0, place1, ...: and the people, who know all of their places."""
    names = []
    for i, night in enumerate(made):
        con.execute(f"create or replace table night_{i}(place_{i} int, disease text)").fetchall()
        con.executemany(f"insert into night_{i} values (?, ?)", list(night))
        others = ", ".join(f"'*' as place_{j}" for j in range(len(made)) if j != i)
        con.execute(f"create or replace table out_{i} as select *, {others} from night_{i}").fetchall()
        names.append(f"out_{i}")
    columns = ", ".join(f"place_{i} int" for i in range(len(made)))
    con.execute(f"create or replace table people(id int, {columns}, disease text)").fetchall()
    for person, (_, value) in enumerate(made[-1]):
        row = [person, *(night[person][0] for night in made), value]
        con.execute(f"insert into people values ({', '.join('?' for _ in row)})", row).fetchall()
    return names


SPELLED = [[(1, " hiv"), (1, "flu")], [(1, "hiv"), (1, "flu")]]
APART = [[(1, " hiv"), (2, "flu")], [(1, "hiv"), (2, "flu")]]
ALLELES = [[(1, "A"), (1, "a"), (1, "b")], [(1, "A"), (1, "a"), (1, "b")]]


@pytest.mark.slow("1 s")
@given(nights())
@example(SPELLED)
@example(ALLELES)
@examples(30, quick=0)
def test_whoever_has_other_candidates_is_counted(made: list[list[tuple[int, str]]]) -> None:
    """By the attack as written, and by the one on folded values: as somebody counts by hand."""
    qi = [f"place_{i}" for i in range(len(made))]
    differ = 0
    for person in range(len(made[0])):
        written, folded = (candidates(made, person, folded=fold) for fold in (False, True))
        differ += len(written) != len(folded) or {plain(value) for value in written} != folded
    with duckdb.connect(config={"threads": 1}) as con, WorkTables(con) as work:
        sqlanon.register(con)
        names = load(con, made)
        known = Known(
            dict(zip(names, names, strict=True)), qi=qi, sensitive=["disease"], targets="people", id="id"
        )
        found = of_releases(con, work, known)
        several = {plain(value) for night in made for _, value in night}
        assert bool(found) == (len({value for night in made for _, value in night}) > len(several))
        assert (people_who_differ(con, work, known, found) if found else 0) == differ


def judged(
    con: duckdb.DuckDBPyConnection, made: Sequence[Night], **asked: Any
) -> tuple[str, list[Doubt], Any]:
    """The verdict on all nights, the doubts because of spellings, and how many are certain by all of them."""
    names = load(con, made)
    qi = [f"place_{i}" for i in range(len(made))]
    releases = [Released(name, name, qi, ["disease"], is_as_today=qi, suppressed_rows=0) for name in names]
    with WorkTables(con) as work:
        judging = Judge(
            con, work, Subjects("people", qi, ["disease"], **asked), releases, {CERTAIN: 0.0},
            newest=names[-1], attacks=[ATTACK],
        )  # fmt: skip
        said = judging.judgement(lambda done, message: None)
        found = execute(
            con, f"select people from {said.said} where id = 'pvp_100' and len(releases) = ?", [len(names)]
        )
    execute(con, f"drop table {said.said}")
    return said.verdict, [doubt for doubt in judging.doubts if doubt.id == "spelling"], found


@given(nights())
@example(SPELLED)
@example(APART)
@examples(30, quick=0)
def test_earlier_releases_are_read_folded(made: list[list[tuple[int, str]]]) -> None:
    """With [input] fold: yesterday's " hiv" is today's "hiv", and nothing is in doubt."""
    certain = sum(len(candidates(made, person, folded=True)) == 1 for person in range(len(made[0])))
    with duckdb.connect(config={"threads": 1}) as con:
        sqlanon.register(con)
        verdict, doubts, found = judged(con, made, fold=["disease"])
    assert doubts == []
    assert found == [(certain,)]
    assert verdict == (FAILS if certain else HOLDS)


@pytest.mark.slow("2 s")
def test_until_somebody_says_which(con: duckdb.DuckDBPyConnection) -> None:
    """It is not known whether they are one; the policy says that they are not, or that they are."""
    made = [[*night, (1, "gout")] for night in SPELLED]
    verdict, doubts, _ = judged(con, made)
    assert verdict != HOLDS
    assert any(doubt.people for doubt in doubts)
    assert judged(con, made, distinct_spellings=["disease"])[1] == []
    assert judged(con, made, fold=["disease"])[:2] == (HOLDS, [])


@pytest.mark.slow("3 s a case", but=(0,))
@pytest.mark.parametrize(
    ("then", "today"),
    [("Röteln", "Rubella"), ("Röteln", "Roeteln"), ("German measles", "rubella"), ("B06.9", "rubella")],
)
def test_a_value_in_other_words(con: duckdb.DuckDBPyConnection, then: str, today: str) -> None:
    """In a third of the rows of both nights. (Those that fold alike are one in the limit, and in doubt as
    spellings.)"""

    def night(word: str) -> list[tuple[int, str]]:
        return [(place, value) for place in (1, 2) for value in (word, "flu", "gout")]

    verdict, doubts, _ = judged(con, [night(then), night(today)])
    assert verdict != HOLDS
    assert doubts
    assert judged(con, [night(then), night(then)])[:2] == (HOLDS, [])


def test_a_few_rows_in_other_words_are_no_doubt(con: duckdb.DuckDBPyConnection) -> None:
    """Below a tenth of the rows people may have got well."""
    then = [(1, value) for value in ["flu", "gout"] * 10]
    today = [*then[:-1], (1, "acne")]
    assert judged(con, [then, today])[1] == []


@pytest.mark.slow("2 s")
def test_the_attack_by_itself_tells(con: duckdb.DuckDBPyConnection) -> None:
    names = load(con, SPELLED)
    given: Mapping[str, Any] = {
        "targets": "people", "id": "id", "qi": ["place_0", "place_1"], "sensitive": "disease"
    }  # fmt: skip
    with pytest.warns(UnreadWarning, match='" hiv" and "hiv" of disease: .* 2 of the targets have other'):
        sqlanon.intersection_attack(con, names, **given)
    with pytest.warns(UnreadWarning, match="2 of the targets have other"):
        made = sqlanon.run_attacks(con, names, attacks=[ATTACK], tolerated={CERTAIN: 100}, **given)
    assert made.filter("id = 'pvp_100' and len(releases) = 2").project("verdict").fetchall() == [
        ("not known",)
    ]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        sqlanon.breaches(con, [names[1], names[1]], **given)
