"""Answers from a release: the truth is within the bounds, which are as narrow as the labels allow."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

import sqlanon
from sqlanon.answers.asking import Asking
from sqlanon.cli.app import app
from sqlanon.core.errors import InputError, UseError
from sqlanon.core.statements import execute, select, table
from sqlanon.publishing.register import opened
from tests.answers import releases
from tests.answers.releases import AGES, OTHERS, WARDS, ZIPS
from tests.budget import examples
from tests.oracles import answers as oracle

EVERY = {
    "age": ("integer", [None, *AGES]), "zip": ("text", [None, *ZIPS, *OTHERS]),
    "ward": ("text", [None, *WARDS, *OTHERS]),
}  # fmt: skip
REGION = """case when zip in ('01234', '01235') then 'North' when zip in ('0224', '0224 ') then 'South'
                 when zip is not null then 'another' end"""


def close(one: float | None, other: float | None) -> bool:
    return one is other is None or (
        one is not None and other is not None and math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-9)
    )


@pytest.mark.both_lines
@given(st.integers(0, 10**6))
@examples(40, quick=2)
def test_bounds_are_those_of_all_values_that_labels_stand_for(seed: int) -> None:
    chance = random.Random(seed)
    people = [releases.person(chance) for _ in range(chance.randint(0, 12))]
    missing = [releases.person(chance) for _ in range(chance.choice([0, 1, 2]))]
    rows = releases.labelled(people, chance)
    with TemporaryDirectory() as folder, duckdb.connect() as con:
        policy = releases.entered(con, Path(folder), rows, len(missing))
        everybody = rows + [releases.suppressed_row() for _ in missing]
        asking = Asking(policy)
        releases.table_of_people(con, people + missing)
        for _ in range(4):
            condition = releases.condition(chance)
            what = (
                "count(*), count(cost), sum(cost), avg(cost), "
                "count(*) filter (where ward = 'a') / count(*) as a"
            )
            [told] = asking.ask(f"select {what} from stays where {condition}")
            met = oracle.meets(con, EVERY, condition.replace("region", REGION))
            sure, some = oracle.split(everybody, met, [*EVERY])
            assert told[0:2] == oracle.count(sure, some), condition
            [truth] = con.execute(f"select {what} from stays where {condition}").fetchall()
            for nth, true in enumerate(truth):
                lower, upper, estimate = told[3 * nth : 3 * nth + 3]
                if true is not None and not math.isnan(true):
                    assert lower - 1e-9 <= true <= upper + 1e-9, (condition, true, lower, upper)
                assert estimate is None or lower - 1e-9 <= estimate <= upper + 1e-9
            if len(some) <= 6:
                for bounds, slowly in (
                    (told[6:8], oracle.sums(sure, some)), (told[9:11], oracle.means(sure, some))
                ):  # fmt: skip
                    assert all(map(close, bounds, slowly)), (condition, bounds, slowly)
        for by in ("age", "zip", "ward", "region"):
            condition = releases.condition(chance)
            text = f"select {by}, count(*), sum(cost) from stays where {condition} group by {by}"
            truth_of = {group: cell for group, *cell in con.execute(text).fetchall()}
            for group, n_lower, n_upper, _, lower, upper, *_ in asking.ask(text):
                count, total = truth_of.get(group, (0, 0))
                assert n_lower <= count <= n_upper
                assert lower - 1e-9 <= (total or 0) <= upper + 1e-9
        asking.con.close()


@given(st.integers(0, 10**6))
@examples(40, quick=2)
def test_the_macro_answers_within_bounds(seed: int) -> None:
    """The same in SQL, whose bounds may be wider: they are those of fractional ages, too."""
    chance = random.Random(seed)
    people = [releases.person(chance) for _ in range(chance.randint(1, 12))]
    rows = releases.labelled(people, chance)
    suppressed = chance.choice([0, 2])
    low, high = sorted(chance.choices(range(-1, 14), k=2))
    codes = chance.sample(ZIPS, chance.choice([1, 2, 4]))
    with duckdb.connect() as con:
        sqlanon.register(con)
        con.execute("create table release (age text, zip text, ward text)")
        con.executemany(
            "insert into release values (?, ?, ?)", [[r["age"], r["zip"], r["ward"]] for r in rows]
        )
        con.execute("create table levels (attribute text, value text, level integer, label text)")
        regions = [(code, 1, region) for region, codes in releases.REGIONS.items() for code in codes]
        con.executemany("insert into levels values ('zip', ?, ?, ?)", regions)
        arguments: dict[str, Any] = {"unchanged": "ward", "hierarchies": "levels", "group_by": "zip"}
        found = sqlanon.answer(
            con, "release", suppressed, ranges={"age": [low, None if high == 13 else high]},
            texts={"zip": codes, "ward": ["a", "b"]}, **arguments,
        )  # fmt: skip
        told = {code: bounds for code, *bounds in found.fetchall()}
        assert [*told] == codes
        for code, (lower, upper, estimate) in told.items():
            condition = f"age >= {low} and zip = '{code}' and ward in ('a', 'b')"
            condition += "" if high == 13 else f" and age <= {high}"
            sure, some = oracle.split(rows, oracle.meets(con, EVERY, condition), [*EVERY])
            assert lower <= len(sure), condition
            assert upper >= len(sure) + len(some) + suppressed, condition
            assert lower <= estimate <= upper


@pytest.mark.both_lines
def test_the_macro_by_hand(con: duckdb.DuckDBPyConnection) -> None:
    con.execute("""create or replace temp table by_hand as from (values
        ('[20, 29]', 'North', 'flu'), ('[20, 29]', 'South', 'flu'), ('[30, 39]', '{North, South}', 'flu'),
        ('*', 'N****', 'cold'), ('25', 'North', null)) as row(age, ward, disease)""")
    ask = "select lower, upper from sqlanon.answer('by_hand', 2, unchanged := 'disease', "
    for condition, bounds in {
        "ranges := map {'age': [20, 29]})": [(3, 6)],
        "ranges := map {'age': [null, 29.5]})": [(3, 6)],
        "ranges := map {'age': [25, null]})": [(2, 7)],
        "texts := map {'ward': ['North']})": [(2, 6)],  # N**** may be another text
        "texts := map {'ward': ['North', 'South']}, group_by := 'ward')": [(2, 6), (1, 4)],
        "texts := map {'ward': ['North', 'South']})": [(4, 7)],
        "texts := map {'disease': ['flu', 'it''s {0}']}, group_by := 'disease')": [(3, 5), (0, 2)],
    }.items():
        assert con.execute(ask + condition).fetchall() == bounds, condition
    for wrong, why in {
        "ranges := map {'age': [30, 20]})": "a range is",
        "texts := map {'ward': ['a', 'a']})": "each text once",
        "texts := map {'ward': ['a']}, group_by := 'age')": '"age" in group_by is none of texts',
        "texts := map {'wrd': ['a']})": "wrd",
        "texts := null)": "a condition has",
        "ranges := map {'age': [1, 2]}, texts := map {'AGE': ['a']})": "named twice",
    }.items():
        with pytest.raises(duckdb.Error, match=why):
            con.execute(ask + wrong)


QUESTIONS = [
    "select count(*) from stays where age > 5",
    "select ward, count(*) as n, sum(cost) as s from stays where not age > 5 group by rollup(ward) "
    "order by n",
    "select region, avg(cost) from stays where zip <> '01234' or age is null group by region "
    "having avg(cost) > 1",
    "select count(*) from stays where disease = 'flu'",
    "select age, count(*) from stays group by age limit 3",
]  # fmt: skip


def said(asking: Asking, question: str) -> str:
    """What is told, or refused, as text."""
    try:
        rows = asking.ask(question)
    except InputError as error:
        return str(error)
    return repr([rows.columns, *rows])


def test_populations_with_one_release_have_the_same_answers(tmp_path: Path) -> None:
    """Two populations of which one release is made are not told apart, by any order of questions."""
    chance = random.Random(5)
    people = [releases.person(chance) for _ in range(30)]
    rows = releases.labelled(people, chance)
    told = []
    for folder in (tmp_path / "one", tmp_path / "other"):
        folder.mkdir()
        with duckdb.connect(folder / "source.duckdb") as con:
            others = [
                {**each, **{name: chance.choice(row["possible"][name]) for name in ("age", "zip")}}
                for each, row in zip(people, rows, strict=True)
            ]
            releases.table_of_people(con, others)
            policy = releases.entered(con, folder, rows, 2)
        (folder / "source.duckdb").unlink()  # no answer needs it
        asking = Asking(policy)
        asked = chance.sample(QUESTIONS, len(QUESTIONS)) + chance.choices(QUESTIONS, k=5)
        told.append({question: said(asking, question) for question in asked})
        assert all(said(asking, question) == told[-1][question] for question in QUESTIONS)
        asking.con.close()
    assert told[0] == told[1]


# Of one class, so that whoever has the same ends and the same wards and costs has the same release.
LEAST, MOST, SIZE = 2, 5, 4


@pytest.mark.parametrize(
    ("populations", "sequences"),
    [(2, 4), pytest.param(10, 200, marks=pytest.mark.slow("200 sequences to all populations"))],
)
def test_all_populations_of_one_release_have_the_same_answers(
    populations: int, sequences: int, tmp_path: Path
) -> None:
    """Byte for byte: rows and their order, errors and refusals, as sequences of questions go on. Each release
    is made from its own population, which is gone before the first question."""
    every = [
        ages
        for ages in product(range(LEAST, MOST + 1), repeat=SIZE)
        if {min(ages), max(ages)} == {LEAST, MOST}
    ]
    chance = random.Random(7)
    told: list[Asking] = []
    with duckdb.connect() as con:
        sqlanon.register(con)
        for nth, ages in enumerate(chance.sample(every, populations)):
            folder = tmp_path / str(nth)
            folder.mkdir()
            people = [
                {"age": age, "zip": "01234", "ward": ward, "cost": cost}
                for age, ward, cost in zip(ages, "abba", (1.0, -3.0, None, 1.0), strict=True)
            ]
            chance.shuffle(people)
            releases.table_of_people(con, people)
            made = sqlanon.mondrian(
                con, "stays", qi=["age", "zip"], sensitive="ward", keep="cost", k=SIZE, seed=nth
            )
            rows = [
                {"age": age, "zip": code, "ward": ward, "cost": [cost]}
                for age, code, ward, cost in con.execute(
                    f"select age::text, zip::text, ward, cost from {made.table}").fetchall()
            ]  # fmt: skip
            con.execute("drop table stays")
            told.append(Asking(releases.entered(con, folder, rows, 1)))
    for _ in range(sequences):
        for question in [releases.question(chance) for _ in range(chance.randint(1, 5))]:
            assert len({said(asking, question) for asking in told}) == 1, question
    for asking in told:
        asking.con.close()


def test_nothing_but_the_release_is_there(tmp_path: Path) -> None:
    """The database that answers has no other table, and no way to one."""
    with duckdb.connect(tmp_path / "source.duckdb") as con:
        chance = random.Random(1)
        people = [releases.person(chance) for _ in range(5)]
        releases.table_of_people(con, people)
        policy = releases.entered(con, tmp_path, releases.labelled(people, chance), 0)
        answer = sqlanon.ask(con, "select count(*) from stays where age >= 0 or age is null", policy)
        assert answer.fetchall()[0][1] == 5
        con.execute("drop table stays")
        assert sqlanon.ask(con, "select count(*) from stays", policy).fetchall()[0][:3] == (5, 5, 5.0)
    asking = Asking(policy)
    own = asking.con
    there = own.execute("select database_name from duckdb_databases() where not internal order by all")
    assert there.fetchall() == [("memory",), ("sqlanon",)]
    with pytest.raises(duckdb.PermissionException):
        own.execute(f"attach '{tmp_path / 'source.duckdb'}' as source")
    asking.con.close()


REFUSED = {
    "select count(*) from stays where disease = 'flu'": "disease: no dimension is called so",
    "select count(*) from other": "other: the only table is stays",
    "select count(*) from stays, other": "the only table|allowed are",
    "select count(*) from stays join stays as b on true": "the only table|allowed are",
    "select count(*) from (select * from stays)": "the only table is stays",
    "select count(*) from stays where age in (select 1)": "no condition",
    "select count(*) from stays where exists (from stays)": "no condition",
    "with a as (from stays) select count(*) from stays": "allowed are",
    "select * from stays": r"\*: ",
    "select age from stays": "must be in GROUP BY",
    "select distinct count(*) from stays": "allowed are",
    "select count(distinct age) from stays": "people are not counted",
    "select max(cost) from stays": "MAX.* allowed are",
    "select sum(age) from stays": "age: no measure is called so",
    "select sum(cost * 2) from stays": "here stands a measure",
    "select count(*) over () from stays": "OVER.*allowed are",
    "select count(*) from stays where age > cost": "a column is compared with constants",
    "select count(*) from stays where age > '5'": "age is of type integer: write a number",
    "select count(*) from stays where zip = 1234": "zip is of type text: write a text",
    "select count(*) from stays where zip = '1234'": "zip has no such value by the policy; did you mean",
    "select count(*) from stays where zip > '1234'": "texts are compared by",
    "select count(*) from stays where region = 'Nort'": "region has no such label; did you mean North",
    "select count(*) from stays where age + 1 > 5": "here stands a dimension",
    "select count(*) from stays where lower(ward) = 'a'": r"(?i)lower\(ward\)",
    "select count(*) from stays where ward like 'a%'": "LIKE",
    "select count(*) from read_csv('/etc/passwd')": "the only table is stays",
    "select count(*) from '/etc/passwd'": "the only table is stays",
    "select count(*) from stays; drop table stays": "one SELECT, not 2",
    "drop table stays": "a question is one SELECT",
    "set threads = 1": "a question is one SELECT",
    "copy stays to 'x'": "a question is one SELECT",
    "select count(*) from stays union select count(*) from stays": "a question is one SELECT",
    "select count(*) from stays where age >": "line 1, column",
    "select count(*)\nfrom stays\nwhere and": "line 3, column",
    "select count(*) from stays where 'a": "line 1, column 33: ' has no end",
    "select count(*) /* from stays": "a comment has no end",
    "": "one SELECT, not 0",
    "select count(*) from stays where age = 1e400": "age is of type integer",
    "select age, count(*) from stays group by age having age > 3": "conditions on columns stand in WHERE",
    "select count(*) from stays limit -1": "a whole number",
    "select count(*) as n, sum(cost) as N from stays": "two columns are called N",
    "select count(*) from stays where (" + "(" * 3000 + "true" + ")" * 3000 + ")": "too deeply|no SQL",
    "select count(*) from stays where age in (" + "1," * 5000 + "1)": "at most 10,000",
    "select count(*) from stays where cost > 3": "cost: no dimension is called so",
    "select count(*) from stays tablesample 10%": "the only table is stays|allowed are",
    "select count(*) from stays group by all": "name the columns",
    f"select count(*) from stays group by {', '.join(['cube (age, zip)'] * 200)}": "grouping sets, and at",
    "select count(*) from main.stays": "the only table is stays",
    "select count(*) from stays where ward = $1": "here stands a constant",
    "select count(*) from stays where current_date > date '2020-01-01'": "here stands a dimension",
}


@pytest.fixture(scope="module")
def asking(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Asking]:
    """A release with all kinds of labels."""
    chance = random.Random(3)
    with duckdb.connect() as con:
        rows = releases.labelled([releases.person(chance) for _ in range(40)], chance)
        asking = Asking(releases.entered(con, tmp_path_factory.mktemp("out"), rows, 1))
    yield asking
    asking.con.close()


def test_what_is_not_on_the_list_is_refused_by_name(asking: Asking) -> None:
    for question, why in REFUSED.items():
        with pytest.raises(InputError, match=why):
            asking.ask(question)


def test_names_literals_and_comments_are_never_run(asking: Asking) -> None:
    """What looks like SQL in a constant is a constant, and in an alias a name."""
    strange = '"; drop table answer_row; --'
    quoted = strange.replace('"', '""')
    rows = asking.ask(
        f'select count(*) as "{quoted}" /* drop table answer_row */ from stays as "select" '
        "where ward = '''; drop table answer_row; --' or ward = '\u00e4\U0001f600{0}' -- or true"
    )
    assert rows.columns[0] == f"{strange}_lower"
    assert rows[0][:2] == (0, 1)  # a suppressed row may have any ward
    assert asking.ask("select count(*) from stays")[0][:2] == (41, 41)


def test_a_condition_is_decided_as_a_whole(asking: Asking) -> None:
    """Whoever is in no piece of one part is in a piece of the other."""
    for always in ("age > 5 or age <= 5 or age is null", "not (age > 5 and age < 3 and age is not null)"):
        assert asking.ask(f"select count(*) from stays where {always}")[0][:2] == (41, 41)
    for never in (
        "age > 5 and not age > 5",
        "age = null",
        "age > 3 and age < 4",
        "ward = 'a' and ward = 'b'",
    ):
        assert asking.ask(f"select count(*) from stays where {never}")[0][:2] == (0, 0)


def test_totals_and_order(asking: Asking) -> None:
    rows = asking.ask("select ward, region, count(*) as n from stays group by cube (ward, region)")
    groups = asking.ask("select ward, region, count(*) as n from stays group by ward, region")
    by_ward = asking.ask("select ward, count(*) as n from stays group by ward")
    assert {row[:5] for row in groups} <= {row[:5] for row in rows}
    assert {(row[0], None, *row[1:4]) for row in by_ward} <= {row[:5] for row in rows}
    assert (None, None, 41, 41, 41.0) in {row[:5] for row in rows}
    ordered = asking.ask(
        "select ward, count(*) from stays group by ward having count(*) > 2 order by 2 desc limit 2"
    )
    assert [row[3] for row in ordered] == sorted((row[3] for row in by_ward if row[3] > 2), reverse=True)[:2]


NOT_ANSWERED: dict[str, dict[str, Any]] = {
    "is randomized": {"method": "dp_histogram"},
    "is a table of counts or sums": {"method": "suppress_cells"},
    "is of others": {"is_foreign": True},
    "has centroids": {"nearest": True},
    "was made by anatomize": {"method": "anatomize"},
    "does not say how many rows are suppressed": {"suppressed": None},
    "there is no release": {"status": "abandoned"},
    "is withdrawn": {"status": "withdrawn"},
    "is pending": {"status": "pending"},
}


@pytest.mark.parametrize("why", NOT_ANSWERED)
def test_other_releases_are_not_answered_from(why: str, tmp_path: Path) -> None:
    with duckdb.connect() as con:
        policy = releases.entered(con, tmp_path, [], **{"suppressed": 0, **NOT_ANSWERED[why]})
        if why == "is randomized":
            spent = {
                "id": 1, "spent_at": "2026-01-01", "spent_by": "", "source": "s", "unit": "", "mechanism": "",
                "query": "", "epsilon": 1, "delta": 0, "release_id": 1, "sqlanon_version": "",
            }  # fmt: skip
            with opened(con, tmp_path / "out.duckdb"):
                named = ", ".join(f"? as {name}" for name in spent)
                spending = f"insert into sqlanon_register.spending by name select {named}"
                con.execute(spending, [*spent.values()])
    with pytest.raises(UseError, match=why):
        Asking(policy)


def test_the_command(asking: Asking) -> None:
    """An analyst asks on the command line; what is refused is wrong use."""
    policy = str(asking.policy.path)
    told = CliRunner().invoke(
        app, ["ask", "select ward, count(*) from stays group by ward", "--policy", policy]
    )
    assert told.exit_code == 0
    assert told.stdout.splitlines()[0] == "ward,lower,upper,estimate,release,release_date"
    assert "from release stays_2026 of " in told.stderr
    refused = CliRunner().invoke(app, ["ask", "select ward from stays", "--policy", policy])
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert "must be in GROUP BY" in refused.stderr


TYPED = """
[answers]
register = "typed.duckdb"
release = "typed"
table = "t"
[answers.dimensions]
day = {type = "date", range = [2026-01-01, 2026-01-31]}
seen = {type = "timestamp"}
size = {type = "number", range = [0.0, 2.0]}
smoker = {}
code = {values = ["01", "1"]}
"""


def test_dates_times_numbers_truth_values_and_codes(tmp_path: Path) -> None:
    """Each type by its own rules: open ends of numbers, days without a time, 01 is not 1."""
    with duckdb.connect() as con:
        con.execute("""
            create table made as select * from (values
                ('[2026-01-01, 2026-01-10]', '[2026-01-01 12:00:00, 2026-01-02]', '[0.5, 1.5[', true, '01'),
                ('2026-01-11', '2026-01-01 11:59:59.999999', '1.5', false, '1'),
                ('[2026-01-12, 2026-01-13[', '*', ']1.5, 2]', null, '01')
            ) as row(day, seen, size, smoker, code)""")
        with opened(con, tmp_path / "typed.duckdb", make=True) as register:
            entry = {
                "name": "typed", "status": "out", "is_foreign": False, "qi": ["day", "seen", "size"],
                "sensitive": ["code"], "nearest": False, "formats": {}, "row_count": 3, "suppressed_rows": 0,
                "method": "mondrian", "policy": "", "parameters": "{}",
            }  # fmt: skip
            register.enter(entry, select(table("made")))
    policy = tmp_path / "typed.toml"
    policy.write_text(TYPED)
    asking = Asking(policy)
    for condition, bounds in {
        "day < date '2026-01-11'": (1, 1),
        "day <= '2026-01-05'": (0, 1),
        "day = date '2026-01-12'": (1, 1),
        "seen < timestamp '2026-01-01 12:00:00'": (1, 2),
        "seen >= '2026-01-01 12:00:00'": (1, 2),
        "size < 1.5": (1, 1),
        "size >= 1.5 and size <= 1.5": (1, 1),
        "size > 1.5": (1, 1),
        "size between 1.5 and 1.75": (1, 2),
        "size = 0.9702635075224479": (0, 1),  # by way of a DECIMAL DuckDB 1.5 makes another DOUBLE of it
        "smoker = true": (1, 1),
        "not smoker = true": (1, 1),
        "smoker is null or smoker = false": (2, 2),
        "code = '01'": (2, 2),
        "code <> '01'": (1, 1),
    }.items():
        assert asking.ask(f"select count(*) from t where {condition}")[0][:2] == bounds, condition
    days = asking.ask("select day, count(*) as n from t group by day having count(*) > 0.5 order by day")
    assert [(str(row[0]), *row[1:4]) for row in days] == [
        ("2026-01-11", 1, 1, 1.0),
        ("2026-01-12", 1, 1, 1.0),
    ]
    assert {row[0] for row in asking.ask("select smoker, count(*) from t group by smoker")} == {
        True,
        False,
        None,
    }
    for refused in (
        "code = 1",
        "smoker = 'true'",
        "day = '2026-02-30'",
        "size = '1.5'",
        "seen > 5",
        "code = date '2026-01-01'",
    ):
        with pytest.raises(UseError, match="is of type"):
            asking.ask(f"select count(*) from t where {refused}")
    asking.con.close()


@pytest.mark.parametrize("unit", ["month", "quarter", "year", "decade"])
@pytest.mark.parametrize("day", ["2024-02-29", "1999-12-31", "2010-01-01", "0987-05-06"])
def test_calendar_units_are_read(con: duckdb.DuckDBPyConnection, unit: str, day: str) -> None:
    """The labels of date_hierarchy, by the days that have them."""
    con.execute(
        f"create or replace temp table born as select (date '{day}' + i::integer)::date as day "
        "from range(-4000, 4001) as t(i)"
    )
    [(label, first, last)] = con.execute(
        "select label, min(value::date), max(value::date) "
        f"from sqlanon.date_hierarchy('born', 'day', ['{unit}']) "
        f"where level = 1 group by label having bool_or(value::date = date '{day}')"
    ).fetchall()
    [(period,)] = con.execute("select sqlanon._calendar_period(?)", [label]).fetchall()
    assert (period["first"], period["next"] - timedelta(days=1)) == (first, last), label
    for none in ("2024-13", "2024-Q5", "24", "2024-03-05", "*", "2024-03 (BC)"):
        assert con.execute("select sqlanon._calendar_period(?)['next']", [none]).fetchone() == (None,)


def test_a_new_release_is_asked_from_then_on(tmp_path: Path) -> None:
    """What is kept for the next question is what policy and register say; the newest release of a policy is
    asked, whatever its [answers] said then."""
    made_by = '[roles]\nqi = ["age", "zip"]\n'
    policy = tmp_path / "answers.toml"
    with duckdb.connect() as con:
        chance = random.Random(2)
        for number, name in ((4, "first"), (9, "second")):
            rows = releases.labelled([releases.person(chance) for _ in range(number)], chance)
            policy = releases.entered(con, tmp_path, rows, 0, name, policy=made_by)
            policy.write_text(made_by + policy.read_text().replace(f'release = "{name}"\n', ""))
            [(lower, *_, release, _)] = sqlanon.ask(con, "select count(*) from stays", str(policy)).fetchall()
            assert (lower, release) == (number, name)
        policy.write_text(policy.read_text().replace('qi = ["age"', 'qi = ["ward", "age"'))
        with pytest.raises(UseError, match=r"no release in .* was made by .*sqlanon publish SOURCE --policy"):
            sqlanon.ask(con, "select count(*) from stays", policy)
        with pytest.raises(UseError, match=r"no register .*none: make a release \(sqlanon publish SOURCE"):
            sqlanon.ask(con, "select count(*) from stays", policy, register=tmp_path / "none")


WRONG = {
    "[answers.dimensions.age]": (
        "[answers.dimensions.agee]",
        "agee is no column of release 1.*did you mean age",
    ),
    'type = "integer"': ('type = "integr"', "type must be one of .*did you mean integer"),
    "range = [0, 12]": ("range = [0]", "range must be"),
    'table = "stays"': ("", "answers.table is needed"),
    'hierarchy = "zip.csv"': ('hierarchy = "none.csv"', "names no file that is there"),
    'levels = ["region"]': ('levels = ["ward"]', "calls two columns ward"),
    "cost = [-5.0, 20.0]": ("cost = [0, 1]", "are no numbers of its range"),
    "[answers.measures]": ("[answers.measure]", "answers.measure is not known; did you mean measures"),
    "[answers.dimensions.ward]": (
        "[answers.dimensions.ward]\ntype = 'integer'",
        "that are not of its type, integer",
    ),
    "[answers.dimensions.ward]\n": (
        "[answers.dimensions.ward]\n[answers.dimensions.cost]\ntype = 'text'\n",
        "cost is DOUBLE in release 1, stays_2026: its type can be integer or number",
    ),
    "[answers]": ('[answers]\nunit = "patient"', "answers.unit is no column of release 1"),
    'release = "stays_2026"': ('release = "stays_2026"\npeople = "n"', "people needs answers.unit"),
}


@pytest.mark.parametrize("said", WRONG)
def test_a_policy_that_cannot_be_answered_by_says_why(said: str, tmp_path: Path) -> None:
    with duckdb.connect() as con:
        chance = random.Random(4)
        rows = releases.labelled([releases.person(chance) for _ in range(20)], chance)
        policy = releases.entered(con, tmp_path, rows, 0)
    instead, why = WRONG[said]
    assert said in policy.read_text()
    policy.write_text(policy.read_text().replace(said, instead))
    with pytest.raises(UseError, match=why):
        Asking(policy)


OF_LEVELS = {"hierarchies": "levels", "suppression_limit": 0.3}
MADE: dict[str, dict[str, Any]] = {
    "mondrian": {}, "mondrian in ranges": {"recoding": "range"}, "k_similar": {}, "datafly": OF_LEVELS,
    "mu_argus": {}, "mu_argus in ranges": {"recoding": "range"},
    "generalize": {"levels": {"age": 1, "zip": 1}, **OF_LEVELS},
}  # fmt: skip


@pytest.mark.parametrize("method", MADE)
def test_bounds_hold_of_what_each_method_writes(method: str, tmp_path: Path) -> None:
    """Missing values, suppressed rows and cells, labels of hierarchies: as the methods write them."""
    chance = random.Random(method)
    with duckdb.connect() as con:
        sqlanon.register(con)
        people = [releases.person(chance) for _ in range(60)]
        releases.table_of_people(con, people)
        roles: dict[str, Any] = {
            "qi": ["age", "zip"], "sensitive": "ward", "keep": "cost", "k": 4, "seed": 1, **MADE[method]
        }  # fmt: skip
        if "hierarchies" in roles:
            con.execute(
                "create table levels as from sqlanon.interval_hierarchy('stays', 'age', widths := [4]) "
                "union all from sqlanon.mask_hierarchy('stays', 'zip')"
            )
        if "recoding" in roles:  # which has NULL for what is suppressed
            con.execute("delete from stays where age is null or zip is null")
        name = method.split()[0]
        made = getattr(sqlanon, name)(con, "stays", **roles)
        con.execute(f"create table made as from {made.table}")
        with opened(con, tmp_path / "out.duckdb", make=True) as register:
            entry = {
                "name": "stays_2026", "status": "out", "is_foreign": False, "qi": ["age", "zip"],
                "sensitive": ["ward"], "nearest": False, "formats": {}, "row_count": made.rows,
                "suppressed_rows": made.suppressed_rows, "method": name, "policy": "", "parameters": "{}",
            }  # fmt: skip
            register.enter(entry, select(table("made")))
        policy = releases.policy_of(tmp_path, "stays_2026")
        asking = Asking(policy)
        for _ in range(12):
            condition = releases.condition(chance)
            question = f"select count(*), sum(cost) from stays where {condition}"
            [(lower, upper, _, least, most, *_)] = asking.ask(question)
            [(count, total)] = con.execute(question).fetchall()
            assert lower <= count <= upper, condition
            assert least - 1e-9 <= (total or 0) <= most + 1e-9, condition
        asking.con.close()


OF_PEOPLE = {
    "a hash": ('unit = "patient"', "[masks.patient]\nmethod = 'hash'\n"),
    "people of a class": ('unit = "patient"\npeople = "patients"', ""),
}


@pytest.mark.slow("1 s a case", but=(0, 1, 3))
@pytest.mark.both_lines
@pytest.mark.parametrize("how", OF_PEOPLE)
@pytest.mark.parametrize("seed", [1, 2])
def test_people_are_counted_within_bounds(how: str, seed: int) -> None:
    """Several rows per person, some of whom are suppressed, or missing from a row."""
    chance = random.Random(seed)
    said, policy_of_release = OF_PEOPLE[how]
    with TemporaryDirectory() as name, duckdb.connect() as con:
        folder = Path(name)
        sqlanon.register(con)
        rows = [{**releases.person(chance), "patient": f"p{chance.randint(1, 14)}"} for _ in range(40)]
        for row in rows:
            row["age"], row["zip"] = row["age"] or 3, row["zip"] or "0224"
        releases.table_of_people(con, rows)
        con.execute("alter table stays add column patient text")
        for nth, row in enumerate(rows):
            con.execute("update stays set patient = ? where rowid = ?", [row["patient"], nth])
        if how == "a hash":
            con.execute("update stays set patient = null where rowid < 2")
        suppressed = chance.choice([0, 3])
        con.execute(f"create table part as from stays where rowid >= {suppressed}")
        made = sqlanon.mondrian(
            con, "part", qi=["age", "zip"], sensitive="ward", keep=["cost", "patient"], k=5, seed=1
        )
        con.execute(f"""create table made as select * replace (md5(patient) as patient), (
            select count(distinct patient) from {made.table} as other
            where other.age = own.age and other.zip = own.zip) as patients from {made.table} as own""")
        if how != "a hash":
            con.execute("alter table made drop column patient")
        with opened(con, folder / "out.duckdb", make=True) as register:
            entry = {
                "name": "stays_2026", "status": "out", "is_foreign": False, "qi": ["age", "zip"],
                "sensitive": ["ward"], "nearest": False, "formats": {}, "row_count": made.rows,
                "suppressed_rows": suppressed, "method": "mondrian", "policy": policy_of_release,
                "parameters": "{}",
            }  # fmt: skip
            register.enter(entry, select(table("made")))
        policy = releases.policy_of(folder, "stays_2026")
        policy.write_text(policy.read_text().replace("[answers]", f"[answers]\n{said}"))
        asking = Asking(policy)
        for _ in range(8):
            condition = releases.condition(chance)
            question = f"select count(distinct patient) from stays where {condition}"
            [(lower, upper, estimate, *_)] = asking.ask(question)
            [(true,)] = con.execute(question).fetchall()
            assert lower <= true <= upper, condition
            assert lower <= estimate <= upper
        by_ward = "select ward, count(distinct patient) as n from stays group by ward"
        truth = dict(con.execute(by_ward).fetchall())
        assert all(lower <= truth.get(ward, 0) <= upper for ward, lower, upper, *_ in asking.ask(by_ward))
        if how == "a hash" and not suppressed:  # who has a row with a value that leaves unchanged is known
            assert all(lower == truth.get(ward, 0) == upper for ward, lower, upper, *_ in asking.ask(by_ward))
        if how != "a hash":
            [(classes, largest)] = con.execute(
                "select sum(p), max(p) from (select distinct age, zip, patients as p from made)"
            ).fetchall()
            [everybody] = asking.ask("select count(distinct patient) from stays")
            assert everybody[:2] == (largest, classes + suppressed)
        with pytest.raises(InputError, match="no unit of people is called so; there are patient"):
            asking.ask("select count(distinct age) from stays")
        asking.con.close()


def test_a_question_ends_in_time(asking: Asking, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sqlanon.answers.asking._Answer.rows", lambda answer: execute(
        answer.asking.con, "select count(*) from range(999999) a(i), range(999999) b(i) where a.i < 9 * b.i"
    ))  # fmt: skip
    monkeypatch.setattr(asking, "policy", replace(asking.policy, seconds=0.05))
    with pytest.raises(UseError, match=r"longer than 0.05 seconds: .*answers.seconds"):
        asking.ask("select count(*) from stays")


@pytest.mark.slow("1 s")
def test_questions_that_take_too_long_are_refused(asking: Asking, monkeypatch: pytest.MonkeyPatch) -> None:
    """By their text and the release alone."""
    parts = " or ".join(
        f"age = {age} and zip = '{code}' and ward = '{age}'" for age in range(45) for code in ZIPS
    )
    question = f"select age, count(*) from stays where {parts} group by age"
    assert len(asking.ask(question)) >= 13
    monkeypatch.setattr("sqlanon.answers.asking.MOST_STATES", 20_000)
    with pytest.raises(UseError, match="combinations of values apart"):
        asking.ask(question)
    monkeypatch.setattr("sqlanon.answers.cells.MOST_CELLS", 50)
    with pytest.raises(UseError, match="more than 50 cells"):
        asking.ask("select age, zip, count(*) from stays group by cube (age, zip)")


def test_a_release_without_rows(tmp_path: Path) -> None:
    with duckdb.connect() as con:
        asking = Asking(releases.entered(con, tmp_path, [], 3))
    assert asking.ask("select count(*), sum(cost), avg(cost) from stays where age > 3")[0][:9] == (
        0, 3, 0.0, -15.0, 60.0, 0.0, -5.0, 20.0, None
    )  # fmt: skip
    assert asking.ask("select ward, count(*) from stays group by ward") == []
    asking.con.close()
