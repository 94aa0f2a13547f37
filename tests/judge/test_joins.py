"""What joins two releases: columns of any type, role and name, against an oracle that joins by meaning."""

from __future__ import annotations

import datetime as dt
import hashlib
import random
import tomllib
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

import duckdb
import pytest

from sqlanon.core.errors import UseError
from sqlanon.core.tables import WorkTables
from sqlanon.judge.evidence import Released, Subjects
from sqlanon.judge.verdicts import Judge, Judgement
from sqlanon.measure.leaving import Leaving
from tests.judge.nights import CERTAIN, FAILS, HOLDS, KNOWING_ALL, NOT_KNOWN
from tests.oracles.judge import Record, Release, certain, exact

DISEASES = ("flu", "gout", "hiv")

# What values of a kind mean (0, 1, 2, ... people's own), and how columns of several types have them.
Typed = Mapping[str, Callable[[int], Any]]
TYPES: Mapping[str, Typed] = {
    "number": {
        "integer": lambda i: 250 + i,
        "bigint": lambda i: 250 + i,
        "double": lambda i: 250.0 + i,
        "decimal(9, 2)": lambda i: Decimal(250 + i),
    },
    "number and text": {"integer": lambda i: 250 + i, "varchar": lambda i: f"{250 + i}.0"},
    "day": {
        "date": lambda i: dt.date(2020, 1, 1 + i),
        "timestamp": lambda i: dt.datetime(2020, 1, 1 + i),
    },
    "day and text": {
        "timestamp": lambda i: dt.datetime(2020, 1, 1 + i), "varchar": lambda i: f"2020-01-0{1 + i}",
    },
    "text": {"varchar": lambda i: f"w{i}"},
    "hash": {"varchar": lambda i: hashlib.sha256(f"w{i}".encode()).hexdigest()},
    "uuid": {
        "uuid": lambda i: uuid.UUID(int=(i + 1) * 7919**7),
        "varchar": lambda i: str(uuid.UUID(int=(i + 1) * 7919**7)).upper(),
    },
}  # fmt: skip


RANDOM = ("hash", "uuid")


@dataclass(frozen=True)
class Night:
    """A release by one quasi-identifier. type, role and name: of the joining column. has_disease: is the
    disease in it?"""

    called: str
    qi: str
    type: str
    role: str
    name: str
    has_disease: bool


@dataclass(frozen=True)
class World:
    """People: of each, classes by quasi-identifier, what their joining column means, and the disease."""

    people: Sequence[Mapping[str, Any]]
    kind: str
    nights: Sequence[Night]

    def value(self, person: Mapping[str, Any], night: Night) -> Any:
        return TYPES[self.kind][night.type](person["c"])

    def are_joined(self) -> bool:
        """By what values mean, whatever the names are."""
        return all(night.role != "gone" for night in self.nights)

    def is_renamed(self) -> bool:
        return self.are_joined() and len({night.name for night in self.nights}) > 1

    def released(self, by: Night, joins: bool) -> Release:
        """As the oracle sees it."""
        has_column = by.role != "gone"
        column = "c" if joins else f"c of {by.called}"
        rows = [
            {by.qi: person[by.qi], **({column: person["c"]} if has_column else {}),
             **({"disease": person["disease"]} if by.has_disease else {})}
            for person in self.people
        ]  # fmt: skip
        unchanged = {column: column} if has_column else {}
        unchanged |= {"disease": "disease"} if by.has_disease else {}
        sensitive = ["disease"] if by.has_disease else []
        return Release(by.called, rows, {by.qi: by.qi}, unchanged, sensitive)

    def finds(self, find: Any, joins: bool) -> set[Any]:
        """Whose disease is certain, or whose joining column where that is sensitive."""
        releases = [self.released(night, joins) for night in self.nights]
        records = [
            Record(i, i, {qi: person[qi] for qi in ("age", "zip")}) for i, person in enumerate(self.people)
        ]
        everybody = {release.name: set(range(len(self.people))) for release in releases}
        secret = ["disease"]
        for night in self.nights:
            if night.role == "sensitive":
                secret.append("c" if joins else f"c of {night.called}")
        found = find(records, releases, list(dict.fromkeys(secret)), everybody)
        assert found is not None
        return set().union(*found.values())


def world(seed: int) -> World:
    """One in which nobody is certain unless rows are joined."""
    chance = random.Random(seed)
    while True:
        drawn = any_world(chance)
        if not drawn.finds(exact, False):
            return drawn


def any_world(chance: random.Random) -> World:
    alike = chance.choice([1, 1, 2, 3])  # people who have one value
    people = [
        {"age": "ab"[i % 2], "zip": "pq"[i // 2 % 2], "c": i // alike, "disease": chance.choice(DISEASES)}
        for i in range(chance.choice([4, 6, 7, 8]))
    ]
    kind = chance.choice(list(TYPES))
    types = list(TYPES[kind])
    nights = [
        Night(
            called, qi, types[i % len(types)], chance.choice(["sensitive", "keep", "keep", "gone"]),
            chance.choice(["c", "c", "nr"]), True,
        )
        for i, (called, qi) in enumerate([("monday", "age"), ("tuesday", "zip")])
    ]  # fmt: skip
    if chance.random() < 0.4:  # one of them lacks the disease
        lacking = chance.randrange(2)
        nights[lacking] = replace(nights[lacking], has_disease=False)
    return World(people, kind, nights)


def typed(
    con: duckdb.DuckDBPyConnection, table: str, columns: Mapping[str, str], rows: Sequence[Any]
) -> None:
    listed = ", ".join(f"{name} {type_}" for name, type_ in columns.items())
    con.execute(f"create or replace table {table} ({listed})").fetchall()
    for row in rows:
        places = ", ".join("?" for _ in columns)
        con.execute(f"insert into {table} values ({places})", row).fetchall()


def judged(con: duckdb.DuckDBPyConnection, world: World, **said: Any) -> tuple[Judgement, Judge]:
    """What the judge says of the last night, together with those before."""
    last = world.nights[-1]
    names = {night.name: night for night in world.nights if night.role != "gone"}
    typed(
        con, "people",
        {"age": "varchar", "zip": "varchar", "disease": "varchar"}
        | {name: night.type for name, night in names.items()},
        [
            [
                person["age"], person["zip"], person["disease"],
                *(world.value(person, night) for night in names.values()),
            ]
            for person in world.people
        ],
    )  # fmt: skip
    releases = []
    for night in world.nights:
        has_column = night.role != "gone"
        typed(
            con, night.called,
            {night.qi: "varchar"} | ({night.name: night.type} if has_column else {})
            | ({"disease": "varchar"} if night.has_disease else {}),
            [
                [person[night.qi], *([world.value(person, night)] if has_column else []),
                 *([person["disease"]] if night.has_disease else [])]
                for person in world.people
            ],
        )  # fmt: skip
        sensitive = ["disease"] if night.has_disease else []
        sensitive += [night.name] if night.role == "sensitive" else []
        releases.append(
            Released(
                night.called, night.called, [night.qi], sensitive, is_as_today=[night.qi], suppressed_rows=0
            )
        )
    asked = Subjects("people", [last.qi], releases[-1].sensitive, **said)
    with WorkTables(con) as work:
        judge = Judge(
            con, work, asked, releases, {CERTAIN: 0, KNOWING_ALL: 0}, newest=last.called,
            attacks=["intersection_attack", "exact_cover"],
            columns=[Leaving(last.qi, "qi", "recoded", 2, None, None, HOLDS, "its class shares the value")],
        )  # fmt: skip
        return judge.judgement(lambda done, message: None), judge


@pytest.mark.slow("2 s a case", but=(4,))
@pytest.mark.parametrize("seed", range(80))
def test_a_column_of_any_type_role_and_name(con: duckdb.DuckDBPyConnection, seed: int) -> None:
    drawn = world(seed)
    made, _ = judged(con, drawn)
    joins = drawn.are_joined() and not drawn.is_renamed()
    surely, at_most = drawn.finds(certain, joins), drawn.finds(exact, joins)
    said = f"{drawn}: {made.verdict}, {made.reasons}; {surely}, {at_most}"
    if surely:
        assert made.verdict == FAILS, said
    elif drawn.is_renamed() and drawn.kind in RANDOM and drawn.finds(certain, True):
        assert made.verdict == NOT_KNOWN, said
    elif not at_most and not (drawn.is_renamed() and drawn.kind in RANDOM and drawn.finds(exact, True)):
        assert made.verdict == HOLDS, said


@pytest.mark.slow("2 s")
def test_what_is_sensitive_today_was_known_before(con: duckdb.DuckDBPyConnection) -> None:
    """Monday supposes that others know the ward, Tuesday that they do not. Whoever does is certain."""
    people = [
        ("a", "p", "w1", "flu"),
        ("a", "p", "w2", "gout"),
        ("a", "q", "w1", "gout"),
        ("a", "q", "w2", "flu"),
    ]
    for table, names in (
        ("people", "age zip ward disease"), ("monday", "age ward disease"), ("tuesday", "zip ward disease")
    ):  # fmt: skip
        columns = names.split()
        places = [["age", "zip", "ward", "disease"].index(name) for name in columns]
        typed(con, table, dict.fromkeys(columns, "varchar"), [[each[i] for i in places] for each in people])
    roles = {"monday": (["age", "ward"], ["disease"]), "tuesday": (["zip"], ["disease", "ward"])}
    releases = [
        Released(name, name, qi, sensitive, is_as_today=qi, suppressed_rows=0)
        for name, (qi, sensitive) in roles.items()
    ]
    with WorkTables(con) as work:
        judge = Judge(
            con, work, Subjects("people", ["zip"], ["disease", "ward"]), releases, {CERTAIN: 0},
            newest="tuesday", attacks=["intersection_attack"],
            columns=[Leaving("zip", "qi", "recoded", 2, None, None, HOLDS, "its class shares the value")],
        )  # fmt: skip
        made = judge.judgement(lambda done, message: None)
    assert made.verdict == NOT_KNOWN
    [doubt] = [each for each in judge.doubts if each.id == "roles"]
    assert "ward is sensitive, and a quasi-identifier of monday: to those who know it" in doubt.reason
    assert doubt.remedy == "make ward a quasi-identifier, if others know it"


TWICE = [
    {"age": "a", "zip": "p", "c": 0, "disease": "flu"}, {"age": "a", "zip": "q", "c": 1, "disease": "gout"},
    {"age": "b", "zip": "p", "c": 2, "disease": "gout"}, {"age": "b", "zip": "q", "c": 3, "disease": "flu"},
]  # fmt: skip


def two_names(kind: str) -> World:
    """Everybody has a value of their own, under another name in each night."""
    type_ = next(iter(TYPES[kind]))
    nights = [
        Night("monday", "age", type_, "keep", "ssn", True),
        Night("tuesday", "zip", type_, "keep", "nr", True),
    ]
    return World(TWICE, kind, nights)


class TestTwoNames:
    @pytest.mark.slow("8 s")
    def test_a_hash_is_asked_about_and_either_answer_works(self, con: duckdb.DuckDBPyConnection) -> None:
        made, judge = judged(con, two_names("hash"))
        assert made.verdict == NOT_KNOWN
        [doubt] = judge.doubts
        assert "nr of tuesday has 4 of the 4 values of ssn of monday" in doubt.reason
        lines = ['same_columns = [["ssn", "nr"]]', 'different_columns = [["ssn", "nr"]]']
        assert doubt.remedy is not None
        assert all(line in doubt.remedy for line in lines)
        for line, verdict in zip(lines, (FAILS, HOLDS), strict=True):
            said = tomllib.loads(line)
            assert judged(con, two_names("hash"), **said)[0].verdict == verdict

    @pytest.mark.slow("4 s")
    def test_in_another_spelling(self, con: duckdb.DuckDBPyConnection) -> None:
        drawn = two_names("uuid")
        nights = [drawn.nights[0], replace(drawn.nights[1], type="varchar")]
        made, judge = judged(con, replace(drawn, nights=nights))
        assert (made.verdict, [doubt.id for doubt in judge.doubts]) == (NOT_KNOWN, ["columns"])

    def test_values_that_chance_explains_are_not(self, con: duckdb.DuckDBPyConnection) -> None:
        assert judged(con, two_names("number"))[0].verdict == HOLDS

    def test_a_name_that_nothing_has(self, con: duckdb.DuckDBPyConnection) -> None:
        with pytest.raises(UseError, match=r"same_columns names nrr, .*did you mean nr"):
            judged(con, two_names("number"), same_columns=[["ssn", "nrr"]])


def hashed(key: str) -> Callable[[int], str]:
    return lambda i: hashlib.sha256(f"{key}{i}".encode()).hexdigest()


@pytest.mark.parametrize(
    ("monday", "tuesday", "may_change", "verdict"),
    [
        (lambda i: f"2020-01-0{1 + i} 10:42", lambda i: f"2020-01-0{1 + i}", [], NOT_KNOWN),
        (lambda i: f"2020-01-0{1 + i} 10:42", lambda i: f"2020-01-0{1 + i}", ["C"], HOLDS),
        (lambda i: f"K29.{i}", lambda i: f"K29{'.' * (i == 0)}{i}", [], FAILS),
        (hashed("a"), hashed("b"), [], HOLDS),
    ],
)
def test_one_name_and_few_values_in_common(
    con: duckdb.DuckDBPyConnection, monkeypatch: pytest.MonkeyPatch, monday: Callable[[int], str],
    tuesday: Callable[[int], str], may_change: Sequence[str], verdict: str,
) -> None:  # fmt: skip
    """Whoever reads a day in a time joins the rows, and is certain of everybody."""
    monkeypatch.setitem(TYPES, "forms", {"varchar": monday, "text": tuesday})
    nights = [
        Night(called, qi, type_, "keep", "c", True)
        for called, qi, type_ in (("monday", "age", "varchar"), ("tuesday", "zip", "text"))
    ]
    made, judge = judged(con, World(TWICE, "forms", nights), values_may_change=may_change)
    assert made.verdict == verdict
    assert [(each.id, each.column) for each in judge.doubts] == [("spelling", "c")] * (verdict != HOLDS)


# Columns of two releases of the same 200 people in different orders, and whether they are a pair.
def letters(i: int) -> str:
    return "".join(chr(97 + i * 7919 // 26**k % 26) for k in range(4))


PAIRS: Mapping[str, tuple[Callable[[int], Any], Callable[[int], Any], bool]] = {
    "names": (letters, lambda i: letters(i).upper(), True),
    "few of them": (letters, lambda i: letters(i if i < 150 else i + 5000), False),
    "numbers that are drawn": (lambda i: i * 7919 % 100003, lambda i: float(i * 7919 % 100003), True),
    "birthdays": (
        lambda i: dt.date(1930, 1, 1) + dt.timedelta(i * 7919 % 30000),
        lambda i: dt.datetime(1930, 1, 1) + dt.timedelta(i * 7919 % 30000), True,
    ),
    "one hash": (
        lambda i: hashlib.sha256(str(i).encode()).hexdigest(),
        lambda i: hashlib.sha256(str(i + 199).encode()).hexdigest(), True,
    ),
    "one uuid": (
        lambda i: uuid.UUID(int=i * 7919**7), lambda i: str(uuid.UUID(int=(i + 199) * 7919**7)).upper(), True,
    ),
    "hashes with two keys": (
        lambda i: hashlib.sha256(f"a{i}".encode()).hexdigest(),
        lambda i: hashlib.sha256(f"b{i}".encode()).hexdigest(), False,
    ),
    "row numbers": (lambda i: i + 1, lambda i: 200 - i, False),
    "row numbers with a letter": (lambda i: f"P-{i:04}", lambda i: f"P-{200 - i:04}", False),
    "ages": (lambda i: 18 + i * 7 % 70, lambda i: 20 + i * 11 % 68, False),
    "ages as texts": (lambda i: f"{18 + i * 7 % 70}", lambda i: 20 + i * 11 % 68, False),
    "salaries in thousands": (lambda i: 1000 * (20 + i % 60), lambda i: 1000.0 * (22 + i * 7 % 57), False),
    "days of a year": (
        lambda i: dt.date(2024, 1, 1) + dt.timedelta(i),
        lambda i: dt.date(2024, 1, 3) + dt.timedelta(199 - i), False,
    ),
    "sexes": (lambda i: "fm"[i % 2], lambda i: "mf"[i % 3 % 2], False),
    "a short code list": (lambda i: f"w{letters(i % 12)}", lambda i: f"w{letters(i * 5 % 12)}", False),
    "truth values": (lambda i: i % 2 == 0, lambda i: i % 3 == 0, False),
    "a longer code list": (
        lambda i: letters(min(i % 20, i * 3 % 20)), lambda i: letters(max(i % 20, i * 3 % 20)), False,
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", PAIRS)
def test_which_columns_of_two_names_are_a_pair(con: duckdb.DuckDBPyConnection, kind: str) -> None:
    one, other, is_pair = PAIRS[kind]
    order = sorted(range(200), key=lambda i: i * 31 % 211)
    type_of = {
        int: "integer", str: "varchar", float: "double", bool: "boolean", uuid.UUID: "uuid",
        dt.date: "date", dt.datetime: "timestamp",
    }  # fmt: skip
    for table, column, value in (("monday", "a", one), ("tuesday", "b", other)):
        typed(con, table, {column: type_of[type(value(0))]}, [])
        con.executemany(f"insert into {table} values (?)", [[value(i)] for i in order])
    found = con.execute(
        "from sqlanon._columns_sharing_values(['monday', 'tuesday'], [['a'], ['b']], [])"
    ).fetchall()
    assert any(row[-1] for row in found) == is_pair, found
