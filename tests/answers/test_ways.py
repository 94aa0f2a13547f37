"""Answers from the table itself: with noise that a budget pays for."""

from __future__ import annotations

import math
import random
import signal
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sqlanon
from sqlanon.answers.table import AskingTable
from sqlanon.answers.ways import answer_of, asking_table
from sqlanon.core.errors import InputError, RefusedError, UseError
from sqlanon.publishing.register import opened
from tests.answers import releases
from tests.budget import examples

POLICY = """
[answers]
way = "noise"
register = "out.duckdb"
table = "stays"
epsilon = {epsilon}
{more}
[answers.dimensions.age]
type = "integer"
range = [0, 12]
[answers.dimensions.zip]
hierarchy = "zip.csv"
levels = ["region"]
[answers.dimensions.ward]
values = ["a", "b", "A"]
[answers.measures]
cost = [-5, 20]
"""
NO_NOISE = 90  # a scale of 1/90, or of 20/90: the noise of counts is 0, and a mean is near


def policy(folder: Path, epsilon: float = NO_NOISE, more: str = "") -> Path:
    releases.policy_of(folder, "")  # which writes zip.csv
    file = folder / "noise.toml"
    file.write_text(POLICY.format(epsilon=epsilon, more=more))
    return file


def budget(con: duckdb.DuckDBPyConnection, folder: Path, epsilon: float, unit: str | None = None) -> None:
    sqlanon.set_budget(con, folder / "out.duckdb", source="stays", unit=unit, epsilon=epsilon)


def spent(con: duckdb.DuckDBPyConnection, folder: Path) -> tuple[int, float]:
    """Entries of the ledger, and what they cost."""
    [row] = sqlanon.budgets(con, folder / "out.duckdb").project("entries, spent_epsilon").fetchall()
    return row[0], row[1]


def told(con: duckdb.DuckDBPyConnection, folder: Path) -> list[Any]:
    return sqlanon.told_answers(con, folder / "out.duckdb").fetchall()


@pytest.fixture
def stays(con: duckdb.DuckDBPyConnection) -> duckdb.DuckDBPyConnection:
    con.execute("""create or replace temp table stays as
        select i as person, i % 14 as age, ['01234', '01235', '0224', 'none'][1 + i % 4] as zip,
               ['a', 'b', null, 'other'][1 + i % 4] as ward, i % 7 as cost
        from range(60) as r(i)""")
    return con


@pytest.mark.slow("4 s")
@given(st.integers(0, 10**6))
@examples(20, quick=2)
def test_almost_without_noise_they_are_what_the_rows_say(seed: int) -> None:
    """Conditions of every kind, levels, missing values, and values that are not declared."""
    chance = random.Random(seed)
    with TemporaryDirectory() as name, duckdb.connect() as con:
        folder = Path(name)
        releases.table_of_people(con, [releases.person(chance) for _ in range(30)])
        con.execute("insert into stays values (99, '0224', 'a', 1, 'South')")
        con.execute("create table truth as select * replace (if(age > 12, null, age) as age) from stays")
        budget(con, folder, 10_000)
        with asking_table(con, policy(folder), "stays", None) as asking:
            for _ in range(3):
                where = releases.condition(chance).replace("'c'", "'b'")
                part = releases.condition(chance).replace("'c'", "'b'")
                what = f"count(*), count(cost), count(*) filter (where {part}) as part"
                [row] = fetched(asking, f"select {what} from stays where {where}")
                [true] = con.execute(f"select {what} from truth where {where}").fetchall()
                assert row[0:9:3] == true, where
                by = chance.choice(["age", "ward", "region", "zip"])
                text = (
                    f"select {by}, count(*) as n, sum(cost) as total from stays where {where} group by {by}"
                )
                true_of = {
                    group: (n, total or 0)
                    for group, n, total in con.execute(text.replace("from stays", "from truth")).fetchall()
                }
                for group, n, _, _, total, *_ in fetched(asking, text):
                    assert n == true_of.get(group, (0, 0))[0], (where, group)
                    assert math.isclose(total, true_of.get(group, (0, 0))[1], abs_tol=3)


def fetched(asking: AskingTable, question: str) -> list[Any]:
    return asking.con.execute(answer_of(asking, question)[0].sql("duckdb")).fetchall()


@pytest.mark.both_lines
def test_the_same_question_has_the_same_answer_and_costs_nothing(
    stays: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    budget(stays, tmp_path, 1)
    file = policy(tmp_path, 0.5)
    first = sqlanon.ask(
        stays, "select ward, count(*) from stays where age > 3 and zip = '01234' or ward is null "
        "group by ward", file, data="stays",
    ).fetchall()  # fmt: skip
    again = sqlanon.ask(
        stays, "SELECT s.ward, COUNT(*) FROM stays s WHERE ward IS NULL OR ((zip IN ('01234', '01234') "
        "OR zip = '01234') and 3 < age) GROUP BY ward",
        file, data="stays",
    )  # fmt: skip
    assert spent(stays, tmp_path)[0] == 2  # it does not see that IN and = are one
    assert [row[0] for row in again.fetchall()] == ["a", "b", "A", None]
    turned = (
        "select ward, count(*) as n from stays where (ward is null) or (zip = '01234' and (3 < age)) group "
        "by 1"
    )
    with pytest.raises(UseError, match="not allowed: 1"):
        sqlanon.ask(stays, turned, file, data="stays")
    turned = turned.replace("by 1", "by ward having n > 0 order by n desc limit 3")
    rows = sqlanon.ask(stays, turned, file, data="stays").fetchall()
    assert {*rows} <= {*first}
    assert [row[1] for row in rows] == sorted((row[1] for row in first if row[1] > 0), reverse=True)[:3]
    assert spent(stays, tmp_path) == (2, 1.0)
    assert len(told(stays, tmp_path)) == 2


@pytest.mark.slow("1 s")
def test_the_same_people_in_other_words_cost_nothing(
    stays: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    """A condition on one column is the same if the same declared values meet it; NOT and missing values are
    read as SQL reads them."""
    budget(stays, tmp_path, 3)
    file, paid = policy(tmp_path, 0.5), list[int]()
    for where in (
        "age > 8 and ward = 'a'", "not age <= 8 and not (ward <> 'a')",
        "ward in ('a', 'a') and age in (9, 10, 11, 12, 13)", "age > 8", "age > 8 or age is null",
        "not (age <= 8 and age is not null)", "not (age is not null or ward = 'a')",
        "not (age <= 12 or ward = 'a')",
    ):  # fmt: skip
        sqlanon.ask(stays, f"select count(*) from stays where {where}", file, data="stays")
        paid.append(spent(stays, tmp_path)[0])
    assert paid == [1, 1, 1, 2, 3, 3, 4, 5]


@pytest.mark.slow("1 s")
def test_each_column_of_numbers_costs_what_the_policy_says(
    stays: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    budget(stays, tmp_path, 100)
    file = policy(tmp_path, 0.25, 'unit = "person"\nmax_groups = 2')
    with pytest.raises(RefusedError, match="no budget is declared for stays by person"):
        sqlanon.ask(stays, "select count(*) from stays", file, data="stays")
    budget(stays, tmp_path, 3, "person")
    for question, cost in {
        "select count(*), sum(cost), avg(cost) from stays": 0.75,
        "select sum(cost) / 1 from stays": None,
        "select sum(cost), count(distinct person) from stays order by count(cost)": 1.25,
        "select ward, age, count(*) from stays group by rollup (ward, age)": 1.75,  # one set was there
        "select age, ward, count(*) from stays group by age, ward": 1.75,
        "select count(*) filter (where age > 3) / count(*) as old from stays": 2.0,
    }.items():
        if cost is None:
            with pytest.raises(UseError, match="not allowed"):
                sqlanon.ask(stays, question, file, data="stays")
        else:
            sqlanon.ask(stays, question, file, data="stays")
            standing = sqlanon.budgets(stays, tmp_path / "out.duckdb").filter("unit = 'person'")
            assert standing.project("spent_epsilon").fetchall() == [(cost,)]
    pairs = "select {} count(*) from stays group by age, ward"
    one, other = (
        {(age, ward): told for age, ward, *told in sqlanon.ask(stays, pairs.format(by), file, data="stays")
         .project("age, ward, estimate, low, high").fetchall()}
        for by in ("age, ward,", "ward, age,")
    )  # fmt: skip
    assert one == other
    assert len(one) == 14 * 4


def test_a_budget_that_is_spent_refuses_by_questions_alone(
    stays: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    """Refusals and errors of two tables that differ in everything are the same, and nothing is told."""
    said: list[list[str]] = []
    for rows in ("from stays", "select * replace (null as ward, 'x' as age) from stays where cost < 1"):
        folder = tmp_path / str(len(said))
        folder.mkdir()
        stays.execute(f"create or replace temp table asked as {rows}")
        budget(stays, folder, 1)
        file, messages = policy(folder, 0.4), []
        for question in (
            "select count(*) from stays",
            "select count(*), sum(cost), avg(cost) from stays",
            "select sum(cost) from stays where ward = 'other'",
            "select sum(cost) from stays where ward = 'a'",
            "select count(*) from stays where ward = 'a'",
            "select count(*) from stays",
        ):
            try:
                sqlanon.ask(stays, question, file, data="asked")
                messages.append("")
            except InputError as error:
                messages.append(str(error).replace(str(folder), ""))
            except RefusedError as error:
                messages.append(str(error))
        said.append(messages)
        assert len(told(stays, folder)) == spent(stays, folder)[0] == 2
    assert said[0] == said[1]
    assert [bool(message) for message in said[0]] == [False, True, True, False, True, False]
    assert "epsilon 0.4 of 1 is spent" in said[0][1]
    assert "costs epsilon 0.8" in said[0][1]


def test_somebody_counts_within_bounds(con: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    con.execute("""create or replace temp table stays as
        select 'p' as person, i % 13 as age, '01234' as zip, 'a' as ward, 20 as cost
        from range(500) as r(i)""")
    budget(con, tmp_path, 10_000, "person")
    file = policy(tmp_path, NO_NOISE, 'unit = "person"\nmax_groups = 4\nmax_rows = 3')
    for question, most in {
        "select count(*) as n from stays": 3,
        "select age, count(*) as n from stays group by age": 12,
        "select age, sum(cost) as n from stays group by age": 240,
        "select age, count(distinct person) as n from stays group by age": 4,
    }.items():
        column = "n_estimate"
        rows = sqlanon.ask(con, question, file, data="stays").project(column).fetchall()
        # each of 13 sums has noise of a scale of 240 / 90: of 14 all together; without bounds they are 10,000
        assert abs(sum(n for (n,) in rows) - most) <= (140 if "sum" in question else 1.5), question


def test_audiences_get_one_answer_and_a_period_another(
    stays: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    budget(stays, tmp_path, 1)
    answers = []
    for more in ("", 'audience = "ministry"', 'audience = "press"', 'audience = "press"'):
        file = policy(tmp_path, 0.25, more)
        answers.append(sqlanon.ask(stays, "select count(*) from stays", file, data="stays").fetchall())
    assert len({row[0] for [row] in answers}) == 1
    assert [(row[3], row[8]) for row in told(stays, tmp_path)] == [
        ("", 0.25), ("ministry", None), ("press", None)
    ]  # fmt: skip
    file = policy(tmp_path, 0.25, 'period = "2026-05"')
    sqlanon.ask(stays, "select count(*) from stays", file, data="stays")
    assert spent(stays, tmp_path) == (2, 0.5)


def test_averaging_and_trackers_end_with_the_budget(stays: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    budget(stays, tmp_path, 1)
    file, refused = policy(tmp_path, 0.05), 0
    for nth in range(30):
        try:
            where = f"age = 3 or ward = 'a' and age > {100 + nth}"
            sqlanon.ask(stays, f"select count(*) from stays where {where}", file, data="stays")
        except RefusedError:
            refused += 1
    assert (refused, len(told(stays, tmp_path))) == (10, 20)


def test_a_budget_is_declared_first(stays: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    with pytest.raises(UseError, match=r"sqlanon budget set \S+ --source stays( --unit \w+)? --epsilon 1"):
        sqlanon.ask(stays, "select count(*) from stays", policy(tmp_path, 1), data="stays")


KILLED = """
import os, signal, sys
import duckdb, sqlanon
from sqlanon.answers import stored
from sqlanon.publishing import ledger

where, policy = sys.argv[1:]

def killing(function):
    def run(*arguments, **more):
        result = function(*arguments, **more)
        os.kill(os.getpid(), signal.SIGKILL)
        return result
    return run

if where == "drawn":
    ledger.Ledger.spend = killing(lambda *arguments: None)
elif where == "kept":
    stored.StoredAnswer.keep = killing(stored.StoredAnswer.keep)
elif where == "paid":
    ledger.Ledger.spend = killing(ledger.Ledger.spend)
con = duckdb.connect()
con.execute("set enable_progress_bar = false")  # which a busy machine shows
con.execute("create table stays as select 3 as age, '01234' as zip, 'a' as ward, 1 as cost")
print(sqlanon.ask(con, "select count(*) from stays", policy, data="stays").fetchall(), flush=True)
"""


@pytest.mark.slow("1 s a case", but=(2,))
@pytest.mark.parametrize(("where", "entries"), [("drawn", 0), ("kept", 0), ("paid", 1)])
def test_no_answer_is_out_that_is_not_stored(
    con: duckdb.DuckDBPyConnection, tmp_path: Path, where: str, entries: int
) -> None:
    budget(con, tmp_path, 1)
    file = policy(tmp_path, 1)
    run = subprocess.run(
        [sys.executable, "-c", KILLED, where, str(file)], capture_output=True, text=True, check=False
    )
    assert run.returncode == -signal.SIGKILL, run.stderr
    assert run.stdout == ""
    assert len(told(con, tmp_path)) == spent(con, tmp_path)[0] == entries
    con.execute("create or replace temp table stays as select 3 as age, 'x' as zip, 'a' as ward, 1 as cost")
    assert sqlanon.ask(con, "select count(*) from stays", file, data="stays").fetchall()
    assert len(told(con, tmp_path)) == spent(con, tmp_path)[0] == 1


def test_two_askers_at_once(stays: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    budget(stays, tmp_path, 1)
    file = policy(tmp_path, 1)
    with (
        duckdb.connect() as other,
        opened(other, tmp_path / "out.duckdb"),
        pytest.raises(InputError, match="is in use by this process"),
    ):
        sqlanon.ask(stays, "select count(*) from stays", file, data="stays")
    assert spent(stays, tmp_path) == (0, 0.0)


@pytest.mark.parametrize(
    ("before", "after", "why"),
    [
        ('way = "noise"', 'way = "loud"', "answers.way"),
        ("epsilon = 1", "", "answers.epsilon is needed"),
        ("epsilon = 1", 'epsilon = 1\nmechanism = "gaussian"', "answers.delta is needed"),
        ("epsilon = 1", 'epsilon = 1\nunit = "person"', "answers.max_groups is needed"),
        ("epsilon = 1", "epsilon = 1\nmax_rows = 3", "answers.max_rows needs answers.unit"),
        (
            "epsilon = 1",
            'epsilon = 1\nunit = "who"\nmax_groups = 1',
            "answers.unit is no column of",
        ),
        ("epsilon = 1", 'epsilon = 1\nrelease = "r"', "answers.release is for way = release, not for noise"),
        ('way = "noise"', "", "answers.epsilon is for way = noise, not for release"),
        ('values = ["a", "b", "A"]', 'type = "text"', "answers.dimensions.ward is a text: say its values"),
        ("range = [0, 12]", "range = [12, 0]", "a range that ends before it begins"),
        ("cost =", "costs =", "answers.measures.costs is no column of the table; did you mean cost"),
        ("[answers.dimensions.age]", "[answers.dimensions.agf]", "answers.dimensions.agf is no column"),
    ],
)
def test_what_is_wrong_with_a_policy(
    stays: duckdb.DuckDBPyConnection, tmp_path: Path, before: str, after: str, why: str
) -> None:
    file = policy(tmp_path, 1)
    text = file.read_text()
    assert before in text
    file.write_text(text.replace(before, after))
    with pytest.raises(UseError, match=why.replace("[", r"\[")):
        sqlanon.ask(stays, "select count(*) from stays", file, data="stays")


def test_a_file_is_asked(con: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    """Codes in a text file keep their zeros; a column that is none of its types is missing."""
    (tmp_path / "stays.csv").write_text("age,zip,ward,cost\n3,01234,a,1\n4,0224,b,\nold,01234,a,x\n")
    budget(con, tmp_path, 10_000)
    file = policy(tmp_path, NO_NOISE, 'data = "stays.csv"')
    rows = sqlanon.ask(con, "select region, count(*), count(age) as known from stays group by region", file)
    assert rows.project("region, count_estimate, known_estimate").fetchall() == [
        ("North", 2, 1), ("South", 1, 1), (None, 0, 0)
    ]  # fmt: skip
    shares = "select ward, count(*) filter (where age = 3) / count(*) as s from stays group by ward"
    rows = sqlanon.ask(con, shares, file).project("ward, s_estimate")
    assert rows.fetchall() == [("a", 0.5), ("b", 0), ("A", 0), (None, 0)]
    with pytest.raises(UseError, match=r"answers\.data is needed"):
        sqlanon.ask(con, "select count(*) from stays", policy(tmp_path))
