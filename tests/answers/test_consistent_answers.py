"""Counts with consistent noise: the same for the same people, and refused by what questions tell together."""

from __future__ import annotations

import math
import random
import signal
import subprocess
import sys
from fractions import Fraction
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import duckdb
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sqlanon
from sqlanon.answers import structure
from sqlanon.answers.least_errors import best_estimate
from sqlanon.answers.question import Aggregate, Part
from sqlanon.answers.structure import structure_of
from sqlanon.answers.table import AskingTable
from sqlanon.answers.ways import answer_of, asking_table
from sqlanon.core.errors import InputError, RefusedError, UseError
from sqlanon.policies.answers import CONSISTENT
from tests.answers import releases
from tests.budget import examples

POLICY = """
[answers]
way = "consistent"
register = "out.duckdb"
table = "stays"
largest = 5
variance = 3
least_error = {least_error}
{more}
[answers.dimensions.age]
type = "integer"
range = [0, 12]
[answers.dimensions.zip]
hierarchy = "zip.csv"
levels = ["region"]
[answers.dimensions.ward]
values = ["a", "b", "A"]
"""
VARIANCE = 3


def policy(folder: Path, least_error: float = 1, more: str = "") -> Path:
    releases.policy_of(folder, "")  # which writes zip.csv
    file = folder / "consistent.toml"
    file.write_text(POLICY.format(least_error=least_error, more=more))
    return file


def ask(con: duckdb.DuckDBPyConnection, file: Path, question: str) -> list[Any]:
    """Groups and estimates."""
    rows = sqlanon.ask(con, question, file, data="stays").fetchall()
    assert all(lower <= told <= upper == told + 5 for *_, lower, upper, told, _ in rows)
    return [(*groups, told) for *groups, _, _, told, _ in rows]


@pytest.fixture
def stays(con: duckdb.DuckDBPyConnection) -> duckdb.DuckDBPyConnection:
    con.execute("""create or replace temp table stays as
        select i // 2 as person, i % 14 as age, ['01234', '01235', '0224', 'none'][1 + i % 4] as zip,
               ['a', 'b', null, 'other'][1 + i % 4] as ward
        from range(400) as r(i)""")
    return con


# THE LEAST ERROR


def least_by_fractions(cells: list[list[int]]) -> Fraction:
    """The least variance of a told cell, a difference of a cell and a part, and a sum of two without anybody
    in common: of w'w over all w that make the cell."""
    targets = [*cells]
    for one, other in product(cells, repeat=2):
        if one != other and all(a >= b for a, b in zip(one, other, strict=True)):
            targets.append([a - b for a, b in zip(one, other, strict=True)])
        if not any(a and b for a, b in zip(one, other, strict=True)):
            targets.append([a + b for a, b in zip(one, other, strict=True)])
    return min(_least_norm(cells, target) for target in targets)


def _least_norm(cells: list[list[int]], target: list[int]) -> Fraction:
    """w = M z, where M'M z = target: the w of the least norm; w'w = z' target."""
    size = len(target)
    rows = [
        [Fraction(sum(cell[i] * cell[j] for cell in cells)) for j in range(size)] + [Fraction(target[i])]
        for i in range(size)
    ]
    pivots: list[tuple[int, int]] = []
    for column in range(size):
        free = range(len(pivots), size)
        chosen = next((row for row in free if rows[row][column]), None)
        if chosen is None:
            continue
        at = len(pivots)
        rows[at], rows[chosen] = rows[chosen], rows[at]
        rows[at] = [each / rows[at][column] for each in rows[at]]
        for row in range(size):
            if row != at:
                factor = rows[row][column]
                rows[row] = [a - factor * b for a, b in zip(rows[row], rows[at], strict=True)]
        pivots.append((at, column))
    return sum((rows[at][-1] * target[column] for at, column in pivots), Fraction(0))


@given(st.data())
@examples(200, quick=30)
def test_the_least_error_is_that_of_the_best_linear_estimate(data: st.DataObject) -> None:
    atoms = data.draw(st.integers(1, 6))
    row = st.lists(st.integers(0, 1), min_size=atoms, max_size=atoms).filter(any)
    cells = data.draw(st.lists(row, min_size=1, max_size=9, unique_by=tuple))
    found = best_estimate(np.array(cells, dtype=bool))
    assert math.isclose(found.variance, least_by_fractions(cells), rel_tol=1e-9)
    # what it weighs is an estimate of such a count, with that error
    target = found.weights @ np.array(cells)
    assert np.allclose(target, np.round(target))
    assert math.isclose(found.weights @ found.weights, found.variance)
    noise = np.random.default_rng(1).normal(0, 1, (4000, len(cells)))
    counts = np.arange(1, atoms + 1)
    errors = (np.array(cells) @ counts + noise) @ found.weights - np.round(target) @ counts
    assert math.isclose(np.mean(errors**2), found.variance, rel_tol=0.2)


@given(st.integers(0, 10**6))
@examples(20, quick=2)
def test_what_questions_tell_apart(seed: int) -> None:
    """By all combinations of values as rows, that are asked in plain SQL."""
    chance = random.Random(seed)
    with TemporaryDirectory() as name, duckdb.connect() as con:
        people = [
            {"age": age, "zip": zip_, "ward": ward, "cost": None}
            for age in [None, *range(13)] for zip_ in [None, *releases.ZIPS]
            for ward in [None, *releases.WARDS]
        ]  # fmt: skip
        releases.table_of_people(con, people)
        asked, rows = list[Part](), dict[bytes, np.ndarray[Any, Any]]()
        with asking_table(con, policy(Path(name)), "stays", None) as asking:
            for _ in range(4):
                by = chance.choice([(), ("ward",), ("region",), ("age",), ("region", "ward")])
                where = releases.condition(chance).replace("'c'", "'b'")
                groups = f" group by {', '.join(by)}" if by else ""
                question = asking.read(f"select count(*) from stays where {where}{groups}")
                asked.append(question.part(Aggregate("count"), by))
                number = f"dense_rank() over (order by {', '.join(by)})" if by else "1"
                ordered = "order by age, zip, ward"
                of = con.execute(f"select rowid, if({where}, {number}, 0) from stays {ordered}").fetchnumpy()
                numbers = np.asarray([*of.values()][1].astype(int))
                for each in {*numbers.tolist()} - {0}:
                    rows[(numbers == each).tobytes()] = numbers == each
            found = structure_of(asking, asked)
        if not rows:
            assert len(found.matrix) == 0
            return
        assert len(found.matrix) == len(rows)
        every = np.array([*rows.values()])
        whole = best_estimate(np.unique(every, axis=1))
        assert math.isclose(best_estimate(found.matrix).variance, whole.variance, rel_tol=1e-6)
        is_known = np.array([None not in (age, zip_, ward) for age, zip_, ward in con.execute(
            "select age, zip, ward from stays order by age, zip, ward").fetchall()])  # fmt: skip
        known = every[:, is_known]
        known = known[known.any(axis=1)]
        if len(known):
            [(cells, _), *_] = found.models()
            least = best_estimate(np.unique(known, axis=1)).variance
            assert math.isclose(best_estimate(cells).variance, least, rel_tol=1e-6)


# THE NOISE


@pytest.mark.both_lines
def test_the_same_people_have_the_same_noise(stays: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    file = policy(tmp_path, more='unit = "person"')
    [(told,)] = ask(stays, file, "select count(distinct person) from stays where ward = 'a'")
    by = ask(stays, file, "select ward, count(distinct person) from stays group by ward")
    assert by[0] == ("a", told)
    assert [ward for ward, _ in by] == ["a", "b", "A", None]
    assert by[2] == ("A", 0)  # nobody, and no noise
    other = "select count(distinct person) as n from stays where not (ward <> 'a') and (zip = '01234')"
    assert ask(stays, file, other) == [(told,)]  # the same people, by another column
    stays.execute("update stays set person = person + 0")
    stays.execute("insert into stays from stays")  # twice as many rows
    file = policy(tmp_path, more='unit = "person"\nperiod = "2"')
    assert ask(stays, file, "select count(distinct person) from stays where ward = 'a'") == [(told,)]
    (tmp_path / "other").mkdir()
    others = [
        ask(stays, policy(tmp_path / "other", more=f'unit = "person"\nsource = "s{nth}"'),
            f"select count(distinct person) from stays where ward = 'a' or age = {nth}")
        for nth in (1, 1)
    ]  # fmt: skip
    assert others[0] == others[1]


def test_rows_are_people_if_no_unit_is_said(stays: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    """Rows that are alike are several people, in whatever order they come."""
    file = policy(tmp_path)
    before = ask(stays, file, "select age, count(*) from stays group by age")
    stays.execute("create or replace temp table stays as from stays order by hash(person)")
    stays.execute("insert into stays values (999, 99, null, null)")  # is missing in all
    file = policy(tmp_path, more='period = "2"')
    after = ask(stays, file, "select age, count(*) from stays group by age")
    assert after[:-1] == before[:-1]


def test_numbers_without_groups(con: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    """Conditions cut them; who is beyond the range that is declared is missing."""
    con.execute(
        "create or replace temp table stays as select 1.5 * i as age, 1 as zip, 'a' as ward "
        "from range(99) as r(i)"
    )
    file = policy(tmp_path)
    file.write_text(file.read_text().replace('"integer"\nrange = [0, 12]', '"number"\nrange = [0, 120]'))
    [(told,)] = ask(con, file, "select count(*) from stays where age < 60.5")
    assert abs(told - 41) <= 5
    assert ask(con, file, "select count(*) from stays where not age >= 60.5 and age >= 0") == [(told,)]
    [(told,)] = ask(con, file, "select count(*) from stays where age is null")
    assert abs(told - 18) <= 5


def test_noise_has_the_variance_of_the_policy(con: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    con.execute("create or replace temp table stays as select i % 400 as age from range(4000) as r(i)")
    file = tmp_path / "p.toml"
    text = POLICY.format(least_error=1, more="").partition("[answers.dimensions.zip]")[0]
    file.write_text(text.replace("[0, 12]", "[0, 399]"))
    told = ask(con, file, "select age, count(*) from stays group by age")
    noise = np.array([count - 10 for age, count in told if age is not None])
    assert len(noise) == 400
    assert abs(noise.mean()) < 6 * math.sqrt(VARIANCE / 400)
    assert abs(noise.var() / VARIANCE - 1) < 6 * math.sqrt(2 / 400)


# WHAT ALL ANSWERS TELL


def fetched(asking: AskingTable, question: str) -> list[Any]:
    return asking.con.execute(answer_of(asking, question)[0].sql("duckdb")).fetchall()


@pytest.mark.parametrize(
    "tries", [6, pytest.param(200, marks=pytest.mark.slow("60 s: four hundred questions"))]
)
def test_rewordings_and_splits_do_not_give_a_count(
    stays: duckdb.DuckDBPyConnection, tmp_path: Path, tries: int
) -> None:
    asked = "ward = 'a'"
    chance, told, reasons = random.Random(7), list[str](), list[str]()
    with asking_table(stays, policy(tmp_path, 1), "stays", None) as asking:
        said = [fetched(asking, f"select count(*) as n from stays where {asked}")]
        for nth in range(tries):
            words = f"{asked} and (age < {nth} or age >= {nth} or age is null)"
            said.append(fetched(asking, f"select count(*) as n from stays where {words}"))
        assert {row[:3] for [row] in said} == {said[0][0][:3]}
        for _ in range(tries):
            ages = sorted(chance.sample(range(13), chance.randint(2, 10)))
            part = f"age in ({', '.join(map(str, ages))})"
            for half in (f"{asked} and {part}", f"{asked} and not ({part})"):
                try:
                    fetched(asking, f"select count(*) from stays where {half}")
                    told.append(half)
                except RefusedError as error:
                    reasons += error.reasons
    assert len(told) + len(reasons) == 2 * tries
    assert all("beside what was told before: SELECT COUNT(*)" in reason for reason in reasons)
    every = np.array([
        [n for (n,) in stays.execute(f"""
            with point as (select unnest(range(13)) as age, 'a' as ward)
            select coalesce({half}, false)::int from point order by age""").fetchall()]
        for half in [asked, *told]
    ])  # fmt: skip
    weights = np.linalg.lstsq(every.T.astype(float), every[0].astype(float), rcond=None)[0]
    assert math.sqrt(VARIANCE * weights @ weights) >= 1 - 1e-9
    # of such an estimate that is rounded, at most this share is right
    noise = np.random.default_rng(2).normal(0, math.sqrt(VARIANCE), (20_000, len(every)))
    assert (np.abs(noise @ weights) < 0.5).mean() < 0.41


def test_a_part_that_leaves_missing_values_out_is_no_way_around(
    stays: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    """Nobody lacks an age below, and whoever asks may know it."""
    stays.execute("update stays set age = 12 where age > 12")
    file = policy(tmp_path, 1.6)
    ask(stays, file, "select count(*) from stays")
    ask(stays, file, "select count(*) from stays where age > 5")
    with pytest.raises(RefusedError, match=r"an error of 1\.41 in a count, and must leave 1\.6"):
        ask(stays, file, "select count(*) from stays where age <= 5")
    assert ask(stays, file, "select count(*) from stays where age > 5 or age < 0")


@pytest.mark.slow("1 s")
def test_a_tracker_of_many_differences(stays: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    """Nobody asks for those who are 3; all differences together would tell how many they are."""
    file, refused = policy(tmp_path, 1.7), 0
    for age in (0, 5, 7, 9, 11):
        for where in (f"age = {age}", f"age in ({age}, 3)"):
            try:
                ask(stays, file, f"select count(*) from stays where {where}")
            except RefusedError:
                refused += 1
    assert refused > 0


def test_nobody_and_missing_values_are_asked_about_first(
    stays: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    file = policy(tmp_path)
    assert ask(stays, file, "select count(*) from stays where age > 3 and age < 2") == [(0,)]
    [(told,)] = ask(stays, file, "select count(*) from stays where ward is null")
    assert abs(told - 200) <= 5
    assert ask(stays, file, "select count(*) from stays where age = 99") == [(0,)]


def test_in_how_many_cells_somebody_counts(stays: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    file = policy(tmp_path, 1, "max_cells = 2")
    ask(stays, file, "select count(*) from stays")
    ask(stays, file, "select ward, count(*) from stays group by ward")
    ask(stays, file, "select count(*) from stays where ward in ('a', 'b', 'A') or ward is null")
    with pytest.raises(RefusedError, match=r"would count in 3 told cells, and may in 2"):
        ask(stays, file, "select count(*) from stays where age = 5")


def test_totals_of_one_answer_count(stays: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    file = policy(tmp_path, 1.72)
    with pytest.raises(RefusedError, match=r"must leave 1\.72: ask for less at once"):
        ask(stays, file, "select ward, count(*) from stays group by rollup (ward)")
    assert not (tmp_path / "out.duckdb").exists()
    ask(stays, file, "select ward, count(*) from stays group by ward")
    [told] = sqlanon.told_answers(stays, tmp_path / "out.duckdb").fetchall()
    assert told[4] == CONSISTENT


@given(st.integers(0, 10**6))
@examples(20, quick=2)
def test_refusals_depend_on_questions_alone(seed: int) -> None:
    said = []
    for nth in range(2):
        chance, people = random.Random(seed), random.Random(seed + nth)
        with TemporaryDirectory() as name, duckdb.connect() as con:
            releases.table_of_people(con, [releases.person(people) for _ in range(people.randint(0, 30))])
            with asking_table(con, policy(Path(name), 1.2), "stays", None) as asking:
                messages = []
                for _ in range(8):
                    by = chance.choice(["", "ward", "age", "region", "rollup (ward, region)"])
                    groups = f" group by {by}" if by else ""
                    try:
                        answer = fetched(asking, f"select count(*) from stays where "
                                         f"{releases.condition(chance)}{groups}")  # fmt: skip
                        messages.append(f"{len(answer)} rows")
                    except (InputError, RefusedError) as error:
                        messages.append(str(error))
        said.append(messages)
    assert said[0] == said[1]


@pytest.mark.slow("1 s")
def test_audiences_and_periods(stays: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    """Press and office may each be told what they could not be told together; everybody what neither was."""
    parts = [
        f"select count(*) from stays where ward = 'a'{more}" for more in ("", " and age > 5", " and age <= 5")
    ]
    for audience, some in {"press": parts[:2], "office": parts[1:]}.items():
        for question in some:
            ask(stays, policy(tmp_path, 1.6, f'audience = "{audience}"'), question)
    file = policy(tmp_path, 1.6, 'audience = "press"')
    with pytest.raises(RefusedError):
        ask(stays, file, parts[2])
    with pytest.raises(RefusedError):
        ask(stays, policy(tmp_path, 1.6), parts[0])
    with pytest.raises(RefusedError):  # a new period of the same rows is none
        ask(stays, policy(tmp_path, 1.6, 'audience = "press"\nperiod = "2"'), parts[2])
    with pytest.raises(UseError, match="is not as it was when the same rows were asked"):
        ask(stays, policy(tmp_path, 1.5, 'audience = "press"'), parts[2])
    stays.execute("delete from stays where age = 3")
    with pytest.raises(UseError, match=r"answers\.period is as before, but the table has changed"):
        ask(stays, file, parts[0])
    assert ask(stays, policy(tmp_path, 1.6, 'audience = "press"\nperiod = "3"'), parts[2])


def test_it_goes_with_no_other_way(stays: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    ask(stays, policy(tmp_path), "select count(*) from stays")
    file = policy(tmp_path)
    text = file.read_text().partition("largest")[0] + file.read_text().partition("least_error = 1\n")[2]
    for more in ('"exact"\nthreshold = 3', '"noise"\nepsilon = 1'):
        file.write_text(text.replace('"consistent"', more))
        with pytest.raises(UseError, match="stays was asked with way = consistent"):
            sqlanon.ask(stays, "select count(*) from stays", file, data="stays")


@pytest.mark.parametrize(
    ("question", "why"),
    [
        ("select count(*) filter (where age > 3) / count(*) as s from stays", "numbers of rows"),
        ("select count(distinct age) from stays", "not allowed"),
        ("select age, zip, ward, count(*) from stays group by age, zip, ward",
         "tell 280 groups of people apart, of which at most 100 are looked at"),
    ],
)  # fmt: skip
def test_what_is_not_answered(
    stays: duckdb.DuckDBPyConnection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, question: str, why: str
) -> None:
    monkeypatch.setattr(structure, "MOST_ATOMS", 100)
    with pytest.raises(UseError, match=why):
        ask(stays, policy(tmp_path), question)


@pytest.mark.parametrize(
    ("before", "after", "why"),
    [
        ("largest = 5\n", "", "answers.largest is needed"),
        ("least_error = 1\n", "", "answers.least_error is needed"),
        ("least_error = 1", "least_error = 1.8", r"answers.least_error must be at most 1.73205"),
        ("least_error = 1", "least_error = 0", "answers.least_error"),
        ("least_error = 1", "least_error = 1\nthreshold = 3", "answers.threshold is for way = exact"),
        ("variance = 3", "variance = 30", "answers.variance does not fit: no noise has the mean 0"),
        ("largest = 5", "largest = 0", "answers.largest"),
    ],
)
def test_what_is_wrong_with_a_policy(
    stays: duckdb.DuckDBPyConnection, tmp_path: Path, before: str, after: str, why: str
) -> None:
    file = policy(tmp_path)
    text = file.read_text()
    assert before in text
    file.write_text(text.replace(before, after))
    with pytest.raises(UseError, match=why):
        ask(stays, file, "select count(*) from stays")


KILLED = """
import os, signal, sys
import duckdb, sqlanon
from sqlanon.answers import stored

def killed(*arguments, **more):
    keep(*arguments, **more)
    os.kill(os.getpid(), signal.SIGKILL)

keep, stored.StoredAnswer.keep = stored.StoredAnswer.keep, killed
con = duckdb.connect()
con.execute("create table stays as select 3 as age, '01234' as zip, 'a' as ward from range(50)")
print(sqlanon.ask(con, "select count(*) from stays", sys.argv[1], data="stays").fetchall(), flush=True)
"""


def test_an_asker_is_killed(stays: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    """Between entry and commit: nothing was told, and nothing is in the register."""
    file = policy(tmp_path)
    run = subprocess.run(
        [sys.executable, "-c", KILLED, str(file)], capture_output=True, text=True, check=False
    )
    assert (run.returncode, run.stdout) == (-signal.SIGKILL, ""), run.stderr
    assert sqlanon.told_answers(stays, tmp_path / "out.duckdb").fetchall() == []
    assert ask(stays, file, "select count(*) from stays")
